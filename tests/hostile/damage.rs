//! What happens to replies on their way, and which of their edits it may concern.

use std::collections::BTreeSet;

use crate::case::{self, Case};
use crate::edit::{Edit, Shape};
use crate::random::Random;
use crate::reply::{Line, Role};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Damage {
    None,
    CutByte,
    CutLine,
    Double,
    Drop,
    Swap,
    Exchange,
    Indent,
    Shorten,
    Lengthen,
    OtherCase,
    TextBehind,
    QuoteLine,
    Decorate,
    Insert,
    Delete,
    Tabs,
    Join,
    BlankLine,
    FenceInside,
    Numbers,
    Sign,
    TwoOfThese,
    HostilePath,
    Concatenate,
    Repeat,
    QuoteEdit,
    ListEdit,
    QuoteAll,
    FenceAround,
    Nest,
    CrLf,
    SomeCrLf,
    Cr,
    Bom,
    Utf16,
    Latin1,
    NotUtf8,
}

/// What may become of a damaged reply besides being refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Each edit that was touched may be left out if that is told.
    Told,
    /// Any edit may be left out: a reply in a fence is an example of one.
    Shown,
    /// Nothing.
    Refused,
}

pub(crate) struct Damaged {
    pub(crate) edits: Vec<Edit>,
    pub(crate) lines: Vec<Line>,
    pub(crate) bytes: Vec<u8>,
    /// The edits that the damage concerns.
    pub(crate) touched: BTreeSet<usize>,
    pub(crate) verdict: Verdict,
    /// Files that it makes may have either line ending.
    pub(crate) frees_ends: bool,
    /// Whether the last line lacks a part of its text.
    pub(crate) is_cut: bool,
    /// Whether the end of the reply is missing.
    pub(crate) is_short: bool,
}

const PIECES: &[Damage] = &[
    Damage::Double,
    Damage::Drop,
    Damage::Swap,
    Damage::Indent,
    Damage::Shorten,
    Damage::Lengthen,
    Damage::OtherCase,
    Damage::TextBehind,
    Damage::QuoteLine,
    Damage::Decorate,
    Damage::Insert,
    Damage::Delete,
    Damage::Tabs,
    Damage::Join,
    Damage::BlankLine,
    Damage::FenceInside,
    Damage::Numbers,
    Damage::Sign,
];

const STRANGE: &[char] = &[
    '\u{202e}', '\u{2066}', '\u{200b}', '\u{200d}', '\u{feff}', '\u{ad}', '\0', '\u{7}', '\u{1b}', '\u{7f}',
    '\u{85}', '\u{2028}', '\u{a0}', '\u{3000}', '\u{c}', '\r', '\u{fe0f}', '\u{301}', '`', '"', '\\', '>',
    '<', '=', '*', ' ',
];

const FENCES: &[&str] = &["```", "```python", "````", "~~~", "``", "~~~~sh", "```diff", "```markdown"];

pub(crate) const HOSTILE: &[&str] = &[
    "../beside/new.py",
    "../beside/sentinel",
    "/tmp/new.py",
    "src/../../beside/new.py",
    ".git/hooks/pre-commit.py",
    ".GIT/hooks/x.py",
    ".git/config",
    ".g\u{200d}it/x.py",
    ".g\u{131}t/x.py",
    ".git./x.py",
    ".git /x.py",
    "git~1/x.py",
    "out/new.py",
    "out/sentinel",
    "up/beside/new.py",
    "dangling",
    "dangling/x.py",
    "loop",
    "loop/x.py",
    "C:\\x.py",
    "~/x.py",
    "src\\..\\..\\beside\\x.py",
    "x\u{202e}.py",
    "x\u{0}.py",
    "x\u{7f}.py",
    "x\u{200b}.py",
    "a:b.py",
    ".hg/x.py",
    ".svn/x.py",
    ".fsrb-txn/x.py",
    ".fsrb-done/x.py",
    "blob.bin/x.py",
    "src/.../x.py",
    "./../x.py",
    "\\\\server\\share\\x.py",
    "src/x.py/",
    "..\\x.py",
    "file:///x.py",
    "up/root/src/a.py",
    "src/a\u{2028}b.py",
];

impl Damage {
    pub(crate) const ALL: &[Self] = &[
        Self::None,
        Self::CutByte,
        Self::CutLine,
        Self::Double,
        Self::Drop,
        Self::Swap,
        Self::Exchange,
        Self::Indent,
        Self::Shorten,
        Self::Lengthen,
        Self::OtherCase,
        Self::TextBehind,
        Self::QuoteLine,
        Self::Decorate,
        Self::Insert,
        Self::Delete,
        Self::Tabs,
        Self::Join,
        Self::BlankLine,
        Self::FenceInside,
        Self::Numbers,
        Self::Sign,
        Self::TwoOfThese,
        Self::HostilePath,
        Self::Concatenate,
        Self::Repeat,
        Self::QuoteEdit,
        Self::ListEdit,
        Self::QuoteAll,
        Self::FenceAround,
        Self::Nest,
        Self::CrLf,
        Self::SomeCrLf,
        Self::Cr,
        Self::Bom,
        Self::Utf16,
        Self::Latin1,
        Self::NotUtf8,
    ];

    /// The damaged reply; `None` where there is nothing of that kind to damage.
    pub(crate) fn apply(self, case: &Case, random: &mut Random) -> Option<Damaged> {
        let mut made = Damaged {
            edits: case.reply.edits.clone(),
            lines: case.reply.lines.clone(),
            bytes: Vec::new(),
            touched: BTreeSet::new(),
            verdict: Verdict::Told,
            frees_ends: false,
            is_cut: false,
            is_short: false,
        };
        let text = joined(&made.lines, "\n");
        match self {
            Self::TwoOfThese => {
                for _ in 0..2 {
                    let piece = random.pick(PIECES);
                    made.damage_line(piece, random);
                }
                made.bytes = joined(&made.lines, "\n").into_bytes();
            }
            piece if PIECES.contains(&piece) => {
                made.damage_line(piece, random)?;
                made.bytes = joined(&made.lines, "\n").into_bytes();
            }
            Self::CutByte | Self::CutLine | Self::Exchange => made.rearrange(self, &text, random)?,
            Self::HostilePath | Self::Concatenate | Self::Repeat => made.rewrite(self, case, random)?,
            Self::QuoteEdit | Self::ListEdit | Self::QuoteAll | Self::FenceAround | Self::Nest => {
                made.wrap(self, random);
            }
            _ => made.encode(self, &text, random)?,
        }
        made.touch_heirs();
        Some(made)
    }
}

impl Damaged {
    /// A line that is worth damaging.
    fn any_line(&self, random: &mut Random, is_wanted: impl Fn(&Line) -> bool) -> Option<usize> {
        let candidates: Vec<_> =
            (0..self.lines.len()).filter(|index| is_wanted(&self.lines[*index])).collect();
        (!candidates.is_empty()).then(|| random.pick(&candidates))
    }

    fn some_line(&self, random: &mut Random) -> Option<usize> {
        let is_structure = |line: &Line| !matches!(line.role, Role::Prose | Role::Content | Role::HunkLine);
        match random.one_in(3) {
            true => self.any_line(random, |line| line.edit.is_some()),
            false => self.any_line(random, is_structure),
        }
    }

    fn touch(&mut self, index: usize) {
        if let Some(line) = self.lines.get_mut(index) {
            line.is_damaged = true;
            self.touched.extend(line.edit);
        }
    }

    /// An edit without a path of its own has that of the one before.
    fn touch_heirs(&mut self) {
        for index in 1..self.edits.len() {
            let has_path = self.lines.iter().any(|line| line.edit == Some(index) && line.role == Role::Path);
            let is_block = matches!(self.edits[index].shape, Shape::Block { .. });
            if is_block && !has_path && self.touched.contains(&(index - 1)) {
                self.touched.insert(index);
            }
        }
    }

    fn damage_line(&mut self, damage: Damage, random: &mut Random) -> Option<()> {
        let at = match damage {
            Damage::Numbers => self.any_line(random, |line| line.role == Role::HunkHeader)?,
            Damage::Sign => self.any_line(random, |line| line.role == Role::HunkLine)?,
            _ => self.some_line(random)?,
        };
        self.touch(at);
        let line = self.lines[at].clone();
        match damage {
            Damage::Double => self.lines.insert(at, line),
            Damage::Drop => drop(self.lines.remove(at)),
            Damage::Swap => {
                self.touch(at + 1);
                (at + 1 < self.lines.len()).then(|| self.lines.swap(at, at + 1))?;
            }
            Damage::Join => {
                self.touch(at + 1);
                let next = (at + 1 < self.lines.len()).then(|| self.lines.remove(at + 1))?;
                self.lines[at].text.push_str(&next.text);
            }
            Damage::BlankLine => self.put_behind(at, ""),
            Damage::FenceInside => {
                let fence = random.pick(FENCES);
                self.put_behind(at, fence);
            }
            _ => {
                let text = changed(damage, &line.text, random)?;
                (text != line.text).then_some(())?;
                self.lines[at].text = text;
            }
        }
        Some(())
    }

    /// A line more, which is what a line there would be.
    fn put_behind(&mut self, at: usize, text: &str) {
        let line = &self.lines[at];
        let is_whole = line.edit.is_some_and(|edit| matches!(self.edits[edit].shape, Shape::Whole(_)));
        let role = match line.role {
            Role::Search | Role::Separator | Role::Content => Role::Content,
            Role::HunkHeader | Role::HunkLine => Role::HunkLine,
            Role::Open => {
                if is_whole {
                    Role::Content
                } else {
                    Role::Prose
                }
            }
            Role::Path if is_whole && line.text.starts_with(['`', '~']) => Role::Content,
            _ => Role::Prose,
        };
        let line = Line { text: text.to_owned(), role, edit: line.edit, is_damaged: true };
        self.lines.insert(at + 1, line);
    }

    fn rearrange(&mut self, damage: Damage, text: &str, random: &mut Random) -> Option<()> {
        if damage == Damage::Exchange {
            let (one, other) = (self.some_line(random)?, self.some_line(random)?);
            (self.lines[one].text != self.lines[other].text).then_some(())?;
            for index in one.min(other)..=one.max(other) {
                self.touched.extend(self.lines[index].edit);
            }
            self.lines.swap(one, other);
            let is_of_hunk =
                |index: usize| matches!(self.lines[index].role, Role::HunkHeader | Role::HunkLine);
            if is_of_hunk(one) && is_of_hunk(other) {
                // A line of a hunk, or one that begins it, is that of the section in which it stands.
                let of_one = self.lines[one].edit;
                self.lines[one].edit = self.lines[other].edit;
                self.lines[other].edit = of_one;
            }
            self.lines[one].is_damaged = true;
            self.lines[other].is_damaged = true;
            self.bytes = joined(&self.lines, "\n").into_bytes();
            return Some(());
        }
        self.is_short = true;
        let mut at = random.below(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let whole = text[..at].matches('\n').count();
        let rest = text[..at].rsplit_once('\n').map_or(&text[..at], |(_, rest)| rest).to_owned();
        let cut: Vec<Line> = self.lines.split_off(whole);
        let has_rest = damage == Damage::CutByte && !rest.is_empty();
        self.bytes = text.as_bytes()[..if has_rest { at } else { at - rest.len() }].to_vec();
        for line in &cut {
            self.touched.extend(line.edit);
        }
        if let Some(line) = cut.first().filter(|_| has_rest) {
            self.is_cut = rest != line.text;
            self.lines.push(Line { text: rest, is_damaged: self.is_cut, ..line.clone() });
        }
        Some(())
    }

    fn rewrite(&mut self, damage: Damage, case: &Case, random: &mut Random) -> Option<()> {
        match damage {
            Damage::HostilePath => {
                let index = random.below(self.edits.len());
                let path = random.pick(HOSTILE);
                let was = std::mem::replace(&mut self.edits[index].path, path.to_owned());
                // Later edits of the file would not be of it.
                (self.edits.iter().all(|edit| edit.path != was)).then_some(())?;
                self.lines = case::written(case.kind, self.edits.clone(), random).lines;
                self.touched.insert(index);
            }
            Damage::Repeat => {
                let count = self.edits.len();
                let again = self
                    .lines
                    .iter()
                    .map(|line| Line { edit: line.edit.map(|edit| edit + count), ..line.clone() });
                self.lines = self.lines.iter().cloned().chain(again).collect();
                self.edits.extend(self.edits.clone());
            }
            _ => {
                let now = crate::edit::compose(case.kind, &case.tree, &self.edits).pop()?;
                let (more, _) = case::edits(case.kind, &now, random);
                let count = self.edits.len();
                let mut lines = case::written(case.kind, more.clone(), random).lines;
                lines.iter_mut().for_each(|line| line.edit = line.edit.map(|edit| edit + count));
                self.lines.append(&mut lines);
                self.edits.extend(more);
            }
        }
        self.bytes = joined(&self.lines, "\n").into_bytes();
        Some(())
    }

    fn wrap(&mut self, damage: Damage, random: &mut Random) {
        let chosen = random.below(self.edits.len());
        let is_all = damage == Damage::QuoteAll;
        if matches!(damage, Damage::QuoteEdit | Damage::ListEdit | Damage::QuoteAll) {
            let mut marker = "- ";
            for line in self.lines.iter_mut().filter(|line| is_all || line.edit == Some(chosen)) {
                let prefix =
                    if damage == Damage::ListEdit { std::mem::replace(&mut marker, "  ") } else { "> " };
                line.text.insert_str(0, prefix);
                line.is_damaged = true;
                self.touched.extend(line.edit);
            }
        } else {
            let prose = |text: String| Line { text, role: Role::Prose, edit: None, is_damaged: true };
            let levels = if damage == Damage::Nest { 100 } else { 1 };
            for level in 0..levels {
                let run = random
                    .pick(&["`", "~"])
                    .repeat(3 + if random.one_in(2) { level } else { random.below(4) });
                let info = random.pick(&["", "markdown", "text", "md", "python"]);
                self.lines.insert(0, prose(format!("{run}{info}")));
                if !random.one_in(8) {
                    self.lines.push(prose(run));
                }
            }
            self.verdict = Verdict::Shown;
        }
        self.bytes = joined(&self.lines, "\n").into_bytes();
    }

    fn encode(&mut self, damage: Damage, text: &str, random: &mut Random) -> Option<()> {
        let refused = |bytes: Vec<u8>| (bytes, Verdict::Refused);
        (self.bytes, self.verdict) = match damage {
            Damage::CrLf => (text.replace('\n', "\r\n").into_bytes(), Verdict::Told),
            Damage::SomeCrLf => {
                let ended = text.split_inclusive('\n').map(|line| match random.one_in(2) {
                    true => line.replace('\n', "\r\n"),
                    false => line.to_owned(),
                });
                (ended.collect::<String>().into_bytes(), Verdict::Told)
            }
            Damage::Cr => refused(text.replace('\n', "\r").into_bytes()),
            Damage::Bom => (format!("\u{feff}{text}").into_bytes(), Verdict::Told),
            Damage::Utf16 => {
                let is_little = random.one_in(2);
                let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
                refused(
                    units
                        .flat_map(|unit| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() })
                        .collect(),
                )
            }
            Damage::Latin1 => {
                let bytes = text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(b'?'));
                let bytes: Vec<_> = bytes.collect();
                (bytes.iter().any(|byte| *byte >= 0x80)).then_some(())?;
                refused(bytes)
            }
            Damage::NotUtf8 => {
                let mut bytes = text.as_bytes().to_vec();
                let at = random.below(bytes.len());
                bytes.insert(at, random.pick(&[0xff, 0xc0, 0xed, 0x80]));
                // A stray continuation may end a character that it stands behind; not in UTF-8.
                refused(bytes)
            }
            _ => (text.as_bytes().to_vec(), Verdict::Told),
        };
        self.frees_ends = matches!(damage, Damage::CrLf | Damage::SomeCrLf);
        Some(())
    }
}

pub(crate) fn joined(lines: &[Line], ending: &str) -> String {
    lines.iter().flat_map(|line| [line.text.as_str(), ending]).collect()
}

/// Another text for a line.
fn changed(damage: Damage, text: &str, random: &mut Random) -> Option<String> {
    let characters: Vec<char> = text.chars().collect();
    let at = random.below(characters.len() + 1);
    let first = text.trim_start().chars().next();
    Some(match damage {
        Damage::Indent => format!("{}{text}", random.pick(&[" ", "  ", "    ", "\t", "        "])),
        Damage::Shorten => text.replacen(first?, "", 1),
        Damage::Lengthen => text.replacen(first?, &String::from(first?).repeat(2), 1),
        Damage::OtherCase if text == text.to_lowercase() => text.to_uppercase(),
        Damage::OtherCase => text.to_lowercase(),
        Damage::TextBehind => {
            format!("{text}{}", random.pick(&[" x", "x", ":", " <!-- x -->", " ", "\t", "."]))
        }
        Damage::QuoteLine => format!("> {text}"),
        Damage::Decorate => match random.below(5) {
            0 => format!("**{text}**"),
            1 => format!("`{text}`"),
            2 => text.replace('<', "&lt;").replace('>', "&gt;"),
            3 => format!("\\{text}"),
            _ => format!("{}. {text}", random.below(10)),
        },
        Damage::Insert => {
            let mut made = characters;
            made.insert(at, random.pick(STRANGE));
            made.into_iter().collect()
        }
        Damage::Delete => {
            let mut made = characters;
            (at < made.len()).then(|| made.remove(at))?;
            made.into_iter().collect()
        }
        Damage::Tabs if text.starts_with(' ') => text.replacen("    ", "\t", 1).replacen(' ', "\t", 1),
        Damage::Tabs if text.contains(' ') => text.replacen(' ', "\t", 1),
        Damage::Tabs => text.replace('\t', "    "),
        Damage::Numbers => match random.below(4) {
            0 => text.replacen(|letter: char| letter.is_ascii_digit(), "9", 1),
            1 => text.replacen(|letter: char| letter.is_ascii_digit(), "", 1 + random.below(4)),
            2 => text.replace(',', ",99999999999"),
            _ => text.replace('+', "-"),
        },
        Damage::Sign => {
            let rest: String = characters.into_iter().skip(1).collect();
            format!("{}{rest}", random.pick(&["", " ", "+", "-", "\u{2212}", "\u{a0}", "++", "\t"]))
        }
        _ => return None,
    })
}
