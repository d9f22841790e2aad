//! The file names of code blocks.
#![no_main]

#[path = "../../tests/laws/file_names.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::check(text));
