//! Real editors, made to use the server without a screen. They need not be there, so these tests run when they are
//! asked for: `cargo test --all-features --test lsp -- --ignored`. One that is missing then is a failure.
