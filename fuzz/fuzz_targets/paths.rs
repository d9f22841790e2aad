//! The safety check of paths.
#![no_main]

#[path = "../../tests/laws/paths.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::check(text));
