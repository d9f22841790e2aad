//! Edits of one file.
#![no_main]

#[path = "../../tests/laws/edits.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::check(bytes));
