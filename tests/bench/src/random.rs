//! Numbers and text from a fixed seed: every run measures the same input.

const WORDS: &[&str] = &[
    "the", "value", "of", "a", "request", "is", "read", "from", "config", "and", "then", "handler",
    "returns", "when", "cache", "was", "not", "found", "we", "should", "keep", "this", "function", "small",
    "because", "it", "runs", "for", "every", "user", "session", "token", "parser", "must", "accept", "both",
    "forms", "error", "message", "now", "shows", "which", "line", "failed", "tests", "cover", "empty",
    "input", "too", "so", "that", "old", "callers", "still", "work", "with", "new", "default", "timeout",
    "in", "seconds",
];

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number from `low` up to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }

    pub fn word(&mut self) -> &'static str {
        self.pick(WORDS)
    }

    /// A sentence of prose, with code, emphasis and links here and there.
    pub fn sentence(&mut self, out: &mut String) {
        for index in 0..self.between(6, 18) {
            let word = self.word();
            match self.below(24) {
                _ if index == 0 => {
                    out.push_str(&word[..1].to_uppercase());
                    out.push_str(&word[1..]);
                }
                0 => out.push_str(&format!(" `{word}_{}()`", self.word())),
                1 => out.push_str(&format!(" **{word}**")),
                2 => out.push_str(&format!(" [{word}](https://example.org/{word})")),
                3 => out.push_str(&format!(" {word},")),
                4 => out.push_str(&format!(" *{word}*")),
                _ => {
                    out.push(' ');
                    out.push_str(word);
                }
            }
        }
        out.push('.');
    }

    pub fn paragraph(&mut self, out: &mut String) {
        for index in 0..self.between(2, 6) {
            if index > 0 {
                out.push(if self.one_in(3) { '\n' } else { ' ' });
            }
            self.sentence(out);
        }
        out.push_str("\n\n");
    }

    /// A line of code, without its ending; no two are alike.
    pub fn code_line(&mut self, out: &mut String) {
        let (a, b, c, n) = (self.word(), self.word(), self.word(), self.next() % 1_000_000);
        let indent = "    ".repeat(self.below(4));
        match self.below(7) {
            0 => out.push_str(&format!("{indent}let {a}_{b} = {c}.get(\"{a}\").unwrap_or({n});")),
            1 => out.push_str(&format!("{indent}if {a}_{n} == {b} && !{c}.is_empty() {{")),
            2 => out.push_str(&format!("{indent}// {a} {b} {c} {n}")),
            3 => out.push_str(&format!("{indent}self.{a}.{b}_{c}({n}, \"{b} {c}\")?;")),
            4 => out.push_str(&format!("{indent}return {a}({b}, {c}, {n})")),
            5 => out.push_str(&format!("{indent}}} // {n}")),
            _ => out.push_str(&format!("{indent}{a}[{n}] = {b} + {c} * 2")),
        }
    }

    /// Lines of code, each with its ending, some blank.
    pub fn code(&mut self, lines: usize, out: &mut String) {
        for _ in 0..lines {
            if !self.one_in(9) {
                self.code_line(out);
            }
            out.push('\n');
        }
    }

    pub fn path(&mut self) -> String {
        let extension = self.pick(&["rs", "py", "ts", "go", "md"]);
        format!("src/{}/{}_{}.{extension}", self.word(), self.word(), self.next() % 1_000_000)
    }
}
