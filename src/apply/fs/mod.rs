//! The operating system, behind a narrow trait.
