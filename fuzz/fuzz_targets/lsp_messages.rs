//! Bytes that come to the language server.
#![no_main]

#[path = "../../tests/laws/lsp_messages.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::check(bytes));
