//! The lexer pass and [`Lines`], the nom input over its tokens.
//!
//! Lines end at LF or CRLF only; a lone CR, form feed, U+0085 and U+2028 are text. A byte order mark at the start is
//! skipped. The kind of a line comes from its first non-blank byte, so that nearly every line costs one look.

use std::iter::{Copied, Enumerate};

use nom::{Input, Needed};

use super::marker;
use crate::source::{Span, offset, slice};

/// One line of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    /// Offset in bytes of its first byte.
    pub(crate) start: u32,
    /// Offset in bytes just past its text: at the line ending, where there is one.
    pub(crate) end: u32,
    /// What it may be.
    pub(crate) kind: Kind,
    /// How it ends.
    pub(crate) ending: Ending,
    /// Its first byte; where it is empty, that of its ending.
    pub(crate) lead: u8,
}

impl Line {
    /// The line's text without its ending.
    pub(crate) fn span(self) -> Span {
        Span::new(self.start, self.end)
    }

    /// Offset in bytes just past the line ending.
    pub(crate) fn next(self) -> u32 {
        self.end + self.ending as u32
    }
}

/// How a line ends; the value is the ending's length in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Ending {
    /// At the end of the text.
    None = 0,
    /// LF.
    Lf = 1,
    /// CRLF.
    CrLf = 2,
}

/// What a line may be, from its first non-blank byte on; the grammars decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Nothing but spaces and tabs.
    Blank,
    /// Anything else.
    Text,
    /// `#` comes first.
    Hash,
    /// A run of three or more backticks or tildes comes first, perhaps behind a list marker.
    Fence,
    /// `<<<<<<< SEARCH`, white space at its ends cut.
    Search,
    /// `=======`, white space at its ends cut.
    Separator,
    /// `>>>>>>> REPLACE`, white space at its ends cut.
    Replace,
    /// A `\` at column 0 directly before one of the three markers.
    Escaped,
    /// Nearly one of the three markers.
    NearMarker,
    /// `diff `, `Index: `, `Binary files ... differ`: a line that may start a file's section in a diff.
    DiffStart,
    /// `--- `, or `---` alone.
    OldName,
    /// `+++ `, or `+++` alone.
    NewName,
    /// `@@`.
    HunkHeader,
}

/// Cuts a text of less than 4 GiB into lines, in one pass.
pub(crate) fn lex(text: &str) -> Vec<Line> {
    let mut lexer = Lexer::new(text);
    let (blocks, rest) = text.as_bytes().as_chunks();
    let mut base = 0;
    for block in blocks {
        let mut newlines = newlines(block);
        while newlines != 0 {
            lexer.line_feed(base + newlines.trailing_zeros());
            newlines &= newlines - 1;
        }
        base += BLOCK;
    }
    memchr::memchr_iter(b'\n', rest).for_each(|at| lexer.line_feed(base + offset(at)));
    lexer.finish()
}

/// So many bytes are searched for line feeds at once: most lines are so short that a search for each would cost more.
const BLOCK: u32 = u64::BITS;

/// A bit for each line feed; compiles to a few vector instructions.
#[inline]
fn newlines(block: &[u8; BLOCK as usize]) -> u64 {
    let mut found = [0_u8; BLOCK as usize];
    for ((bit, &byte), at) in found.iter_mut().zip(block).zip(0..) {
        *bit = if byte == b'\n' { 1 << (at % 8) } else { 0 };
    }
    let (eights, _) = found.as_chunks::<8>();
    let mut mask = [0; 8];
    for (byte, bits) in mask.iter_mut().zip(eights) {
        // No two have a bit in common, and there is an instruction that adds eight bytes up.
        *byte = bits.iter().map(|&bit| u16::from(bit)).sum::<u16>().to_le_bytes()[0];
    }
    u64::from_le_bytes(mask)
}

/// The lines so far.
struct Lexer<'s> {
    text: &'s str,
    lines: Vec<Line>,
    /// Where the next line starts.
    start: u32,
}

impl<'s> Lexer<'s> {
    fn new(text: &'s str) -> Self {
        /// Hardly a text has shorter lines on the average, so that the tokens need not move while they grow in number.
        const SHORT_LINE: usize = 16;
        let start = if text.starts_with('\u{feff}') { offset('\u{feff}'.len_utf8()) } else { 0 };
        Self { text, lines: Vec::with_capacity(text.len() / SHORT_LINE + 1), start }
    }

    #[inline(always)]
    fn line_feed(&mut self, at: u32) {
        // In an empty line the byte before is the line feed of the line before.
        let is_crlf = self.text.as_bytes().get((at as usize).wrapping_sub(1)) == Some(&b'\r');
        let (end, ending) = if is_crlf { (at - 1, Ending::CrLf) } else { (at, Ending::Lf) };
        self.line(end, ending);
        self.start = at + 1;
    }

    #[inline(always)]
    fn line(&mut self, end: u32, ending: Ending) {
        let rest = self.text.as_bytes().get(self.start as usize..).unwrap_or_default();
        let kind = kind_at_sight(rest).unwrap_or_else(|| {
            let line = self.text.get(self.start as usize..end as usize);
            kind(line.unwrap_or_default())
        });
        let lead = rest.first().copied().unwrap_or_default();
        self.lines.push(Line { start: self.start, end, kind, ending, lead });
    }

    fn finish(mut self) -> Vec<Line> {
        let end = offset(self.text.len());
        if self.start < end {
            self.line(end, Ending::None);
        }
        self.lines
    }
}

/// What the line that comes first may be, where its first bytes tell: so it is with nearly every line.
#[inline(always)]
fn kind_at_sight(text: &[u8]) -> Option<Kind> {
    let (spaces, visible) = first_visible(text)?;
    match BEGINNINGS.get(usize::from(visible))? {
        Beginning::Of(kind) => Some(*kind),
        Beginning::Item => (!may_hold_fence(text.get(spaces + 1..)?)).then_some(Kind::Text),
        Beginning::Open => None,
    }
}

/// The number of spaces that come first, up to 15, and the byte behind them; `None` where there are more, and at the
/// text's end.
#[inline]
fn first_visible(text: &[u8]) -> Option<(usize, u8)> {
    let first = text.first_chunk::<16>()?;
    // The first byte that is no space, without a branch for each.
    let others = u128::from_le_bytes(*first) ^ u128::from_le_bytes([b' '; 16]);
    let spaces = (others.trailing_zeros() / u8::BITS) as usize;
    Some((spaces, *first.get(spaces)?))
}

/// What a line may be by its first visible byte.
#[derive(Clone, Copy)]
enum Beginning {
    /// This, whatever follows.
    Of(Kind),
    /// Perhaps a list marker, behind which a fence may stand.
    Item,
    /// What follows decides.
    Open,
}

/// For each byte.
#[expect(clippy::indexing_slicing, reason = "the compiler itself would fail")]
const BEGINNINGS: [Beginning; 256] = {
    let mut table = [Beginning::Of(Kind::Text); 256];
    let mut byte = 0_u8;
    while byte < u8::MAX {
        table[byte as usize] = beginning(byte);
        byte += 1;
    }
    table[u8::MAX as usize] = beginning(u8::MAX);
    table
};

const fn beginning(byte: u8) -> Beginning {
    match byte {
        b'#' => Beginning::Of(Kind::Hash),
        b'\n' => Beginning::Of(Kind::Blank),
        b'-' | b'+' | b'*' | b'0'..=b'9' => Beginning::Item,
        b' ' | b'\t' | b'`' | b'~' | b'<' | b'=' | b'>' | b'\\' | b'@' | b'd' | b'I' | b'B' => {
            Beginning::Open
        }
        b'\x0b'..=b'\r' | 0x80.. => Beginning::Open,
        _ => Beginning::Of(Kind::Text),
    }
}

/// Whether a fence may stand behind the first byte of a line: what comes next, white space apart, tells most lines of a
/// diff and items of a list.
#[inline]
fn may_hold_fence(behind: &[u8]) -> bool {
    first_visible(behind).is_none_or(|(_, next)| matches!(next, b'`' | b'~') || is_list_byte(next))
}

/// Whether a byte may stand in list markers.
#[inline]
fn is_list_byte(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'-' | b'+' | b'*' | b'.' | b')' | b'0'..=b'9')
}

/// What a line may be.
pub(crate) fn kind(line: &str) -> Kind {
    let rest = line.trim_start_matches([' ', '\t']);
    match rest.as_bytes().first().copied() {
        None => Kind::Blank,
        Some(b'#') => Kind::Hash,
        Some(b'`' | b'~') => fence_or_text(rest),
        Some(b'<' | b'=' | b'>') => marker::kind(line),
        Some(b'\\') if rest.len() == line.len() => marker::escaped_kind(line),
        Some(b'-') => starts(rest, "---", Kind::OldName).unwrap_or_else(|| fence_or_text(rest)),
        Some(b'+') => starts(rest, "+++", Kind::NewName).unwrap_or_else(|| fence_or_text(rest)),
        Some(b'*' | b'0'..=b'9') => fence_or_text(rest),
        Some(b'@') if rest.starts_with("@@") => Kind::HunkHeader,
        Some(b'd') if rest.starts_with("diff ") => Kind::DiffStart,
        Some(b'I') if rest.starts_with("Index: ") => Kind::DiffStart,
        Some(b'B') if rest.starts_with("Binary files ") && rest.ends_with(" differ") => Kind::DiffStart,
        // Other white space than space and tab may stand before a marker: then the line is nearly one.
        Some(b'\x0b'..=b'\r' | 0x80..) => marker::kind(line),
        Some(_) => Kind::Text,
    }
}

fn starts(rest: &str, word: &str, kind: Kind) -> Option<Kind> {
    let after = rest.strip_prefix(word)?;
    (after.is_empty() || after.starts_with([' ', '\t'])).then_some(kind)
}

/// [`Kind::Fence`] for a line with a fence run behind at most spaces and list markers.
fn fence_or_text(rest: &str) -> Kind {
    let bytes = rest.as_bytes();
    let run = bytes.iter().position(|&byte| !is_list_byte(byte)).and_then(|at| bytes.get(at..));
    match run {
        Some([b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..]) => Kind::Fence,
        _ => Kind::Text,
    }
}

/// A run of lines of one source: the input of the grammars that work on whole lines.
///
/// It knows where it stands even when it is empty, and how many columns of indentation its lines have lost to a
/// fence or list item around them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lines<'s> {
    text: &'s str,
    lines: &'s [Line],
    /// Offset in bytes just past the last line, its ending included.
    end: u32,
    /// The most spaces that are cut from the start of each line.
    indent: u32,
}

impl<'s> Lines<'s> {
    /// All lines of a text, as [`lex`] gave them.
    pub(crate) fn new(text: &'s str, lines: &'s [Line]) -> Self {
        Self { text, lines, end: offset(text.len()), indent: 0 }
    }

    /// The same lines with up to `indent` spaces cut from the start of each.
    pub(crate) fn indented(self, indent: u32) -> Self {
        Self { indent, ..self }
    }

    /// The most spaces that are cut from the start of each line.
    pub(crate) fn indent(self) -> u32 {
        self.indent
    }

    /// The whole text that the lines are of.
    pub(crate) fn source_text(self) -> &'s str {
        self.text
    }

    /// The tokens.
    pub(crate) fn tokens(self) -> &'s [Line] {
        self.lines
    }

    /// Whether no line is left.
    pub(crate) fn is_empty(self) -> bool {
        self.lines.is_empty()
    }

    /// The first line.
    pub(crate) fn peek(self) -> Option<Line> {
        self.lines.first().copied()
    }

    /// The line with this index from 0 within the run.
    pub(crate) fn get(self, index: usize) -> Option<Line> {
        self.lines.get(index).copied()
    }

    /// Offset in bytes at which the run starts; for an empty one, where it would.
    pub(crate) fn start(self) -> u32 {
        self.lines.first().map_or(self.end, |line| line.start)
    }

    /// Offset in bytes just past the run, its last line ending included.
    pub(crate) fn end(self) -> u32 {
        self.end
    }

    /// The span of a line's text with the indentation cut.
    #[inline]
    pub(crate) fn span_of(self, line: Line) -> Span {
        if self.indent == 0 { line.span() } else { self.cut_span_of(line) }
    }

    fn cut_span_of(self, line: Line) -> Span {
        let spaces = slice(self.text, line.span())
            .bytes()
            .take(self.indent as usize)
            .take_while(|&b| b == b' ')
            .count();
        Span::new(line.start + offset(spaces), line.end)
    }

    /// A line's text with the indentation cut, without its ending.
    #[inline]
    pub(crate) fn text_of(self, line: Line) -> &'s str {
        slice(self.text, self.span_of(line))
    }

    /// The lines of this run that come before `rest`, which must be a tail of it.
    pub(crate) fn before(self, rest: Self) -> Self {
        self.take(self.lines.len().saturating_sub(rest.lines.len()))
    }
}

impl<'s> Input for Lines<'s> {
    type Item = Line;
    type Iter = Copied<std::slice::Iter<'s, Line>>;
    type IterIndices = Enumerate<Self::Iter>;

    fn input_len(&self) -> usize {
        self.lines.len()
    }

    fn take(&self, index: usize) -> Self {
        self.take_split(index).1
    }

    fn take_from(&self, index: usize) -> Self {
        self.take_split(index).0
    }

    fn take_split(&self, index: usize) -> (Self, Self) {
        let (head, tail) = self.lines.split_at_checked(index).unwrap_or((self.lines, &[]));
        let between = tail.first().map_or(self.end, |line| line.start);
        let rest = Self { lines: tail, ..*self };
        (rest, Self { lines: head, end: between, ..*self })
    }

    fn position<P: Fn(Line) -> bool>(&self, predicate: P) -> Option<usize> {
        self.lines.iter().position(|&line| predicate(line))
    }

    fn iter_elements(&self) -> Self::Iter {
        self.lines.iter().copied()
    }

    fn iter_indices(&self) -> Self::IterIndices {
        self.iter_elements().enumerate()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        if count <= self.lines.len() { Ok(count) } else { Err(Needed::new(count - self.lines.len())) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::line_laws;
    use super::*;

    #[test]
    fn a_token_has_at_most_12_bytes() {
        assert!(size_of::<Line>() <= 12);
    }

    #[test]
    fn lines_end_at_lf_and_crlf_only() {
        let text = "a\r\nb\rc\u{85}d\u{2028}e\u{c}f\n\r\n\n";
        let lines: Vec<_> =
            lex(text).into_iter().map(|line| (slice(text, line.span()), line.ending)).collect();
        assert_eq!(
            lines,
            [
                ("a", Ending::CrLf),
                ("b\rc\u{85}d\u{2028}e\u{c}f", Ending::Lf),
                ("", Ending::CrLf),
                ("", Ending::Lf)
            ]
        );
    }

    #[test]
    fn a_byte_order_mark_at_the_start_is_skipped() {
        let lines = lex("\u{feff}<<<<<<< SEARCH\n\u{feff}x");
        assert_eq!(lines[0].kind, Kind::Search);
        assert_eq!(lines[0].start, 3);
        assert_eq!(lines[1].end - lines[1].start, 4);
    }

    #[test]
    fn kinds() {
        let table = [
            (" \t", Kind::Blank),
            ("x", Kind::Text),
            ("  # x", Kind::Hash),
            ("```", Kind::Fence),
            ("  ~~~~ md", Kind::Fence),
            ("- ```rust", Kind::Fence),
            ("12. ```rust", Kind::Fence),
            ("``", Kind::Text),
            ("  <<<<<<< SEARCH ", Kind::Search),
            ("=======", Kind::Separator),
            ("\t>>>>>>> REPLACE", Kind::Replace),
            ("\\=======", Kind::Escaped),
            (" \\=======", Kind::Text),
            ("\\\\=======", Kind::Text),
            ("diff --git a/x b/x", Kind::DiffStart),
            ("--- a/x", Kind::OldName),
            ("---", Kind::OldName),
            ("----", Kind::Text),
            ("+++ b/x", Kind::NewName),
            ("@@ -1 +1 @@", Kind::HunkHeader),
        ];
        for (line, want) in table {
            assert_eq!(kind(line), want, "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_cut_lawfully(text in "([a-c \t\r\n<=>`~é\u{2028}\u{feff}\\\\#@+*.0-9-]|<<<<<<< SEARCH|=======|>>>>>>> REPLACE|diff |--- |[+]{3} ){0,40}") {
            line_laws::check(&text);
        }

        #[test]
        fn the_first_bytes_tell_what_the_whole_line_does(
            lines in prop::collection::vec("[ \t]{0,18}[-+*1#a`~<=@d\\\\]{0,3} {0,18}[`~<=@+.a\ré]{0,4}", 0..12),
        ) {
            let text = lines.join("\n");
            for line in lex(&text) {
                let alone = slice(&text, line.span());
                prop_assert_eq!(line.kind, kind(alone), "{:?}", alone);
                let lead = text.as_bytes().get(line.start as usize).copied().unwrap_or_default();
                prop_assert_eq!(line.lead, lead);
            }
        }
    }
}
