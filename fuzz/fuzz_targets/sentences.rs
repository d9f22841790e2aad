//! Sentences that order a change.
#![no_main]

#[path = "../../tests/laws/sentences.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::check(text));
