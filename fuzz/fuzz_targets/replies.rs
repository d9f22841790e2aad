//! Replies planned over files.
#![no_main]

#[path = "../../tests/laws/replies.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::check(text));
