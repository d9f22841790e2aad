//! Inputs that are damaged, cut short or in a neighbouring form: refused, or told, and never applied as something else.

use crate::support::bare;

mod diffs;
mod edit_blocks;
mod fences;
mod files;
mod hunks;
mod limits;

const HUNK: &str = "@@ -1,2 +1,2 @@\n a\n-b\n+B\n";

fn block_in_fence(search: &str, replace: &str) -> String {
    format!("```python\n{}```\n", bare(search, replace))
}
