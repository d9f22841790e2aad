//! The lexer and the whole parse, read as `fsrb`.
#![no_main]

#[path = "../../tests/laws/parse.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::check(text, code_parser::ast::InputKind::Fsrb));
