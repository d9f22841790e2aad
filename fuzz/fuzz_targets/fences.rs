//! Fenced code blocks.
#![no_main]

#[path = "../../tests/laws/fences.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::check(text));
