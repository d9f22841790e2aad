//! Pure work on the text of one file: finding, replacing, line endings.
