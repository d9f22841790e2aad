//! SEARCH/REPLACE blocks.
#![no_main]

#[path = "../../tests/laws/search_replace.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::check(text));
