//! From one sentence of a line to the next.

use nom::Input;

use super::quoted::closing_run;
use super::words::{ends_in_abbreviation, offers_choice};
use crate::grammar::input::LineInput;

/// The way along one line: over quoted texts, to the starts of sentences.
#[derive(Debug, Default)]
pub(super) struct Skipper {
    /// A sentence passed on this line says that what follows is an example or one of several ways.
    pub(super) offers_choice: bool,
    /// No `'` closes a text any more.
    no_single: bool,
    /// No `’` closes a text any more.
    no_typographic: bool,
}

/// What a byte of prose begins.
enum Step {
    /// Nothing: this many bytes of text.
    Text(usize),
    /// A quoted text of this many bytes.
    Quoted(usize),
    /// The next sentence begins after this many bytes.
    Sentence(usize),
    /// Something whose end is not on this line.
    Open,
}

impl Skipper {
    /// Goes to where the next sentence may begin; `None` when the line has none.
    pub(super) fn next_sentence<'s>(&mut self, line: LineInput<'s>) -> Option<LineInput<'s>> {
        let text: &'s str = line.fragment();
        let (mut at, mut plain) = (0, 0);
        while let Some(&byte) = text.as_bytes().get(at) {
            match self.step(text, at, byte) {
                Step::Text(length) => at += length,
                Step::Quoted(length) => {
                    self.note(text.get(plain..at));
                    at += length;
                    plain = at;
                }
                Step::Sentence(length) => {
                    self.note(text.get(plain..at));
                    return Some(line.take_from(at + length));
                }
                Step::Open => return None,
            }
        }
        None
    }

    fn note(&mut self, passed: Option<&str>) {
        self.offers_choice |= passed.is_some_and(offers_choice);
    }

    fn step(&mut self, text: &str, at: usize, byte: u8) -> Step {
        let (before, here) = text.split_at_checked(at).unwrap_or((text, ""));
        match byte {
            b'`' => code(here),
            b'"' => quoted(here, '"', '"'),
            b'\'' => self.single(before, here),
            b'<' if here.starts_with("<!--") => Step::Open,
            b'.' | b'!' | b'?' => stop(before, here),
            0xe2 if here.starts_with('“') => quoted(here, '“', '”'),
            0xe2 if here.starts_with('‘') => self.typographic(before, here),
            0x80.. => Step::Text(here.chars().next().map_or(1, char::len_utf8)),
            _ => Step::Text(1),
        }
    }

    /// `'` opens a text only where a word might begin; elsewhere, and without a closing one, it is an apostrophe.
    fn single(&mut self, before: &str, here: &str) -> Step {
        let step = closed_before_a_word_ends(before, here, '\'', self.no_single);
        self.no_single |= matches!(step, Step::Open);
        if matches!(step, Step::Open) { Step::Text(1) } else { step }
    }

    fn typographic(&mut self, before: &str, here: &str) -> Step {
        let step = closed_before_a_word_ends(before, here, '’', self.no_typographic);
        self.no_typographic |= matches!(step, Step::Open);
        if matches!(step, Step::Open) { Step::Text('‘'.len_utf8()) } else { step }
    }
}

fn code(here: &str) -> Step {
    let width = here.bytes().take_while(|&byte| byte == b'`').count();
    let closer = here.get(width..).and_then(|text| closing_run(text, width));
    closer.map_or(Step::Open, |at| Step::Quoted(width + at + width))
}

fn quoted(here: &str, open: char, close: char) -> Step {
    let text = here.get(open.len_utf8()..).unwrap_or("");
    text.find(close).map_or(Step::Open, |at| Step::Quoted(open.len_utf8() + at + close.len_utf8()))
}

/// A text that opens at the start of a word and closes at the end of one; `Open` when no mark of the line closes it.
fn closed_before_a_word_ends(before: &str, here: &str, close: char, none_closes: bool) -> Step {
    let mark = here.chars().next().map_or(1, char::len_utf8);
    let text = here.get(mark..).unwrap_or("");
    let in_word = before.chars().next_back().is_some_and(char::is_alphanumeric);
    if none_closes || in_word || text.starts_with([' ', '\t']) {
        return Step::Text(mark);
    }
    let closes = |&(at, _): &(usize, &str)| {
        let after = text.get(at + close.len_utf8()..).and_then(|rest| rest.chars().next());
        !after.is_some_and(char::is_alphanumeric)
    };
    let end = text.match_indices(close).find(closes);
    end.map_or(Step::Open, |(at, _)| Step::Quoted(mark + at + close.len_utf8()))
}

/// A full stop, exclamation or question mark: behind it, white space and a capital letter a sentence begins.
fn stop(before: &str, here: &str) -> Step {
    let marks = here.bytes().take_while(|byte| matches!(byte, b'.' | b'!' | b'?')).count();
    let rest = here.get(marks..).unwrap_or("");
    let closed = rest.trim_start_matches([')', ']', '*', '_']);
    let start = closed.trim_start_matches([' ', '\t']);
    let is_start = start.len() < closed.len()
        && start.trim_start_matches('*').starts_with(char::is_uppercase)
        && !(here.starts_with('.') && ends_in_abbreviation(before));
    if is_start { Step::Sentence(here.len() - start.len()) } else { Step::Text(here.len() - rest.len()) }
}
