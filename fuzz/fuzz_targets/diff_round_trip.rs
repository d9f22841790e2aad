//! Diffs between two texts.
#![no_main]

#[path = "../../tests/laws/diffs.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::check(text));
