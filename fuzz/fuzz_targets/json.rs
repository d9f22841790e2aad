//! The data that a text gives.
#![no_main]

#[path = "../../tests/laws/json.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::check(text));
