//! The places of hunks and what they make of a file.
#![no_main]

#[path = "../../tests/laws/hunks.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::check(text));
