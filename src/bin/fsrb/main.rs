//! The command `fsrb`.

fn main() {}
