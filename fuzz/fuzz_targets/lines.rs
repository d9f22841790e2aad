//! The lexer.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| code_parser::check_lines(text));
