//! What the lines above say about a line: whether a sentence may begin on it at all.
//!
//! One pass, forward: mark-up that hides text, block quotes, indented code, unfinished sentences, and headings and
//! introductions that make what is below them an offer or an example.

use super::words::{offers_choice, puts_in_doubt};
use crate::grammar::lines::{Kind, Line, Lines};

/// The state behind the lines read so far.
#[derive(Debug, Default)]
pub(super) struct Context<'s> {
    /// What ends the mark-up that is open.
    hidden_until: Option<&'static str>,
    /// The level of the heading that makes what is below it doubtful.
    doubtful_heading: Option<usize>,
    introduction: Option<Introduction>,
    previous: Previous<'s>,
}

/// A line with a final colon that makes what it introduces doubtful.
#[derive(Debug, Clone, Copy)]
struct Introduction {
    indent: usize,
    scope: Scope,
}

/// What an introduction introduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// It is a list item: everything that is further in.
    Inside,
    /// Not yet known.
    Next,
    /// One paragraph.
    Paragraph,
    /// A list.
    List,
}

/// The line before.
#[derive(Debug, Clone, Copy, Default)]
enum Previous<'s> {
    /// None, a blank one, or one that ends whatever is before it.
    #[default]
    Break,
    /// A line of a paragraph; whether it is in a list.
    Text { text: &'s str, in_list: bool },
    /// A line of a block quote, a table or mark-up: the next line goes on with it.
    Foreign,
    /// Indented code.
    Code,
}

/// Whether a line is prose in which a sentence may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// From this byte of the line on.
    Prose(usize),
    /// It is not, or it only goes on with what is above.
    Other,
}

/// A line taken apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape<'s> {
    /// Columns of white space before the first list marker or text; tabs go to multiples of four.
    indent: usize,
    marker: Marker,
    /// What is behind the list markers and their box.
    pub(super) body: &'s str,
    /// `**Title**`, which stands for a heading.
    is_bold: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marker {
    None,
    Item,
    /// An item with a tick: it is done.
    Ticked,
}

impl<'s> Context<'s> {
    /// A node, or the start of the text, stands before the next line.
    pub(super) fn after_node(&mut self) {
        self.previous = Previous::Break;
    }

    /// Takes the next line in and says whether a sentence may begin on it.
    pub(super) fn line(&mut self, lines: Lines<'s>, line: Line) -> Standing {
        if line.kind == Kind::Blank {
            self.previous = Previous::Break;
            return Standing::Other;
        }
        let text = lines.text_of(line);
        if let Some(closer) = self.hidden_until {
            self.hide(text, closer);
            return Standing::Other;
        }
        match line.kind {
            Kind::Text => self.text(text),
            Kind::Hash => {
                self.heading(text);
                Standing::Other
            }
            _ => {
                self.previous = Previous::Break;
                Standing::Other
            }
        }
    }

    /// A line within, or that begins, mark-up which is not shown as prose up to `closer`.
    fn hide(&mut self, text: &str, closer: &'static str) {
        let is_closed = memchr::memmem::find(text.as_bytes(), closer.as_bytes()).is_some();
        self.hidden_until = if is_closed { None } else { Some(closer) };
        self.previous = Previous::Foreign;
    }

    fn heading(&mut self, text: &str) {
        let title = text.trim_start().trim_start_matches('#');
        if title.is_empty() || title.starts_with([' ', '\t']) {
            let level = text.trim_start().len() - title.len();
            self.begin_section(level, title);
            self.introduction = None;
        }
        self.previous = Previous::Break;
    }

    fn begin_section(&mut self, level: usize, title: &str) {
        if self.doubtful_heading.is_none_or(|doubtful| level <= doubtful) {
            self.doubtful_heading = offers_choice(title).then_some(level);
        }
    }

    fn text(&mut self, text: &'s str) -> Standing {
        const LEVEL_OF_BOLD: usize = 7;
        let shape = shape(text);
        match shape.body.as_bytes().first() {
            Some(b'<') => {
                match hidden_until(shape.body) {
                    Some(closer) => self.hide(shape.body, closer),
                    None => self.previous = Previous::Foreign,
                }
                return Standing::Other;
            }
            Some(b'>' | b'|') => {
                self.previous = Previous::Foreign;
                return Standing::Other;
            }
            _ => {}
        }
        if self.is_code(shape) {
            self.previous = Previous::Code;
            return Standing::Other;
        }
        let may_start = self.may_start(shape);
        self.place_under_introduction(shape);
        let is_doubtful = self.doubtful_heading.is_some() || self.introduction.is_some();
        if shape.is_bold {
            self.begin_section(LEVEL_OF_BOLD, shape.body);
        }
        self.introduce(shape);
        let in_list =
            shape.marker != Marker::None || matches!(self.previous, Previous::Text { in_list: true, .. });
        self.previous = Previous::Text { text, in_list };
        if may_start && !is_doubtful && shape.marker != Marker::Ticked {
            Standing::Prose(text.len() - shape.body.len())
        } else {
            Standing::Other
        }
    }

    /// Four columns in: code behind a blank line, but directly below an item of a list perhaps an item inside it.
    fn is_code(&self, shape: Shape<'_>) -> bool {
        const CODE_INDENT: usize = 4;
        shape.indent >= CODE_INDENT
            && match self.previous {
                Previous::Break | Previous::Code => true,
                Previous::Text { in_list, .. } => shape.marker != Marker::None && !in_list,
                Previous::Foreign => shape.marker != Marker::None,
            }
    }

    /// Whether a sentence may begin at the line's start, seen from the line before.
    fn may_start(&self, shape: Shape<'_>) -> bool {
        if shape.marker != Marker::None {
            return true;
        }
        match self.previous {
            Previous::Break | Previous::Code => true,
            Previous::Foreign => false,
            Previous::Text { text, .. } => starts_anew(text, shape.body),
        }
    }

    /// Closes the introduction when the line is no longer what it introduces.
    fn place_under_introduction(&mut self, shape: Shape<'_>) {
        let Some(introduction) = self.introduction.as_mut() else {
            return;
        };
        let is_item = shape.marker != Marker::None;
        let goes_on = !is_item && matches!(self.previous, Previous::Text { .. });
        let is_inside = shape.indent > introduction.indent;
        let still = match introduction.scope {
            Scope::Inside => is_inside || goes_on,
            Scope::Next => {
                introduction.scope = if is_item { Scope::List } else { Scope::Paragraph };
                shape.indent >= introduction.indent
            }
            Scope::Paragraph => goes_on,
            Scope::List => is_item || goes_on || is_inside,
        };
        if !still {
            self.introduction = None;
        }
    }

    /// Opens an introduction where the line ends in a colon and its last sentence puts in doubt what follows.
    fn introduce(&mut self, shape: Shape<'_>) {
        let text = shape.body.trim_end_matches([' ', '\t', '*', '_']);
        let Some(sentence) = text.strip_suffix(':').or(shape.is_bold.then_some(text)) else {
            return;
        };
        let covered = self.introduction.is_some_and(|outer| outer.scope != Scope::Paragraph);
        if covered || !puts_in_doubt(last_sentence(sentence)) {
            return;
        }
        let scope = if shape.marker == Marker::None { Scope::Next } else { Scope::Inside };
        self.introduction = Some(Introduction { indent: shape.indent, scope });
    }
}

/// What ends the mark-up that a line begins with, where it may go on over blank lines.
fn hidden_until(body: &str) -> Option<&'static str> {
    const HIDDEN: &[(&str, &str)] = &[
        ("<!--", "-->"),
        ("<pre", "</pre>"),
        ("<script", "</script>"),
        ("<style", "</style>"),
        ("<textarea", "</textarea>"),
        ("<think", "</think"),
        ("<reasoning", "</reasoning>"),
        ("<example", "</example"),
    ];
    HIDDEN.iter().find(|(opener, _)| body.starts_with(opener)).map(|&(_, closer)| closer)
}

/// Takes indentation, list markers and a box off a line.
pub(super) fn shape(text: &str) -> Shape<'_> {
    const TAB: usize = 4;
    let start = text.trim_start_matches([' ', '\t']);
    let blanks = text.len() - start.len();
    let indent = text
        .bytes()
        .take(blanks)
        .fold(0, |column, byte| if byte == b'\t' { (column / TAB + 1) * TAB } else { column + 1 });
    let (mut body, mut marker) = (start, Marker::None);
    while let Some(item) = behind_list_marker(body) {
        (body, marker) = (item, Marker::Item);
    }
    if marker == Marker::Item {
        if let Some(open) = body.strip_prefix("[ ] ") {
            body = open.trim_start_matches([' ', '\t']);
        } else if body.starts_with("[x]") || body.starts_with("[X]") {
            marker = Marker::Ticked;
        }
    }
    Shape { indent, marker, body, is_bold: is_bold(body) }
}

/// What is behind `- `, `* `, `• `, `1. ` or `1) `.
fn behind_list_marker(text: &str) -> Option<&str> {
    const MOST_DIGITS: usize = 9;
    // Nearly every line begins with a letter.
    if text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let digits = text.bytes().take(MOST_DIGITS).take_while(u8::is_ascii_digit).count();
    let sign = if digits == 0 { ['-', '*', '•'].as_slice() } else { ['.', ')'].as_slice() };
    let rest = text.get(digits..)?.strip_prefix(sign)?;
    let body = rest.trim_start_matches([' ', '\t']);
    (body.len() < rest.len() && !body.is_empty()).then_some(body)
}

/// Whether a line starts a sentence below a line of the same paragraph: with a capital letter, or behind a sentence
/// that has its full stop.
fn starts_anew(previous: &str, body: &str) -> bool {
    let previous = previous.trim_end_matches([' ', '\t', '*', '_', ')', '"', '”', '`']);
    if previous.ends_with(['.', '!', '?', ':']) {
        return true;
    }
    let is_open = previous.ends_with([',', ';', '(', '-', '–', '—', '/', '&']);
    !is_open && starts_with_capital(body)
}

/// Whether the first character, emphasis apart, is a capital letter.
pub(super) fn starts_with_capital(body: &str) -> bool {
    body.trim_start_matches(['*', '_']).starts_with(char::is_uppercase)
}

fn is_bold(body: &str) -> bool {
    let title = body.strip_prefix("**").and_then(|title| title.trim_end().strip_suffix("**"));
    title.is_some_and(|title| memchr::memchr2(b'*', b'`', title.as_bytes()).is_none())
}

/// What follows the last full stop, exclamation or question mark within a text.
fn last_sentence(text: &str) -> &str {
    let ends = |&at: &usize| text.as_bytes().get(at + 1) == Some(&b' ');
    let end = memchr::memrchr3_iter(b'.', b'!', b'?', text.as_bytes()).find(ends);
    end.and_then(|at| text.get(at + 1..)).unwrap_or(text)
}

impl Shape<'_> {
    /// Whether it goes on with the paragraph above: no list item, heading, quote, table or mark-up.
    pub(super) fn is_plain(self) -> bool {
        self.marker == Marker::None && !self.body.starts_with(['>', '|', '<', '#'])
    }
}

/// Whether the line makes a heading of the paragraph above it.
pub(super) fn is_underline(text: &str) -> bool {
    let text = text.trim_matches([' ', '\t']);
    !text.is_empty() && (text.bytes().all(|byte| byte == b'=') || text.bytes().all(|byte| byte == b'-'))
}
