//! One sentence: an order to put one text in another's place in one file.
//!
//! The grammar is closed: only these words in this order are an order, so that what tells, offers, asks or forbids is
//! never one.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1, one_of, space1};
use nom::combinator::{map, opt, value, verify};
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{Err, IResult, Input, Parser};

use super::ending::{End, ending};
use super::quoted::{Mark, Quoted, code_span, quoted};
use crate::ast::{InlineEdit, PathRef, PathSource};
use crate::grammar::file_name::{Evidence, Piece, has_known_extension, is_path, is_spaced_name};
use crate::grammar::input::{LineInput, Located, Mismatch, spanned};

type Result<'s, T> = IResult<LineInput<'s>, T, Mismatch>;

/// A sentence and how it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    pub(super) edit: InlineEdit,
    pub(super) end: End,
}

/// The parts of an order.
#[derive(Debug, Clone, Copy)]
struct Order<'s> {
    path: Piece<'s>,
    texts: Texts<'s>,
}

/// The text to find and the one to put in its place.
#[derive(Debug, Clone, Copy)]
struct Texts<'s> {
    old: Quoted<'s>,
    new: Quoted<'s>,
}

/// ```ebnf
/// sentence = stars , [ step ] , [ opening ] , order , ending ;
/// ```
pub(super) fn sentence(input: LineInput<'_>) -> Result<'_, Sentence> {
    alt((plain_sentence, preceded(take_while1(|c| c == '*'), plain_sentence))).parse(input)
}

fn plain_sentence(input: LineInput<'_>) -> Result<'_, Sentence> {
    let ordered = spanned(preceded(opt(opening), order));
    let (rest, order) = preceded(opt(step), ordered).parse(input)?;
    let (rest, end) = ending(rest)?;
    let Order { path, texts } = order.value;
    let edit = InlineEdit {
        span: order.span,
        path: PathRef { span: path.span(), from: PathSource::Header },
        old: texts.old.text.span(),
        new: texts.new.text.span(),
        narration: false,
    };
    Ok((rest, Sentence { edit, end }))
}

/// ```ebnf
/// step = "step" , blank , number , stars , ( ":" | "." ) , stars , blank ;
/// ```
fn step(input: LineInput<'_>) -> Result<'_, ()> {
    let number = (word("step"), space1, digit1);
    value((), (number, stars, one_of(":."), stars, space1)).parse(input)
}

/// Words that only order the sentences.
///
/// ```ebnf
/// opening = ( "first" | "second" | "third" | "then" | "next" | "now" | "also" | "additionally" | "finally" | "lastly" ) , [ "," ] , blank ;
/// ```
fn opening(input: LineInput<'_>) -> Result<'_, ()> {
    let count = alt((word("first"), word("second"), word("third"), word("then"), word("next")));
    let more = alt((word("now"), word("also"), word("additionally"), word("finally"), word("lastly")));
    value((), (alt((count, more)), opt(char(',')), space1)).parse(input)
}

/// ```ebnf
/// order = place_first | file_first | label_first | texts_first ;
/// ```
fn order(input: LineInput<'_>) -> Result<'_, Order<'_>> {
    alt((place_first, file_first, label_first, texts_first)).parse(input)
}

/// ```ebnf
/// place_first = place , [ line_note ] , [ "," | ":" ] , blank , last_texts ;
/// ```
fn place_first(input: LineInput<'_>) -> Result<'_, Order<'_>> {
    let place = terminated(place, (opt(line_note), opt(one_of(",:")), space1));
    map(pair(place, last_texts), |(path, texts)| Order { path, texts }).parse(input)
}

/// ```ebnf
/// file_first = [ please ] , ( "update" | "modify" | "edit" | "open" | "change" ) , blank , file , joint , last_texts ;
/// ```
fn file_first(input: LineInput<'_>) -> Result<'_, Order<'_>> {
    let verb = alt((word("update"), word("modify"), word("edit"), word("open"), word("change")));
    let file = preceded((opt(please), verb, space1), terminated(file, joint));
    map(pair(file, last_texts), |(path, texts)| Order { path, texts }).parse(input)
}

/// ```ebnf
/// joint = ":" , blank | [ "," ] , blank , ( "and" | "to" ) , blank ;
/// ```
fn joint(input: LineInput<'_>) -> Result<'_, ()> {
    let colon = value((), (char(':'), space1));
    let and = value((), (opt(char(',')), space1, alt((word("and"), word("to"))), space1));
    alt((colon, and)).parse(input)
}

/// ```ebnf
/// label_first = [ label ] , label_path , blank , last_texts ;
/// ```
fn label_first(input: LineInput<'_>) -> Result<'_, Order<'_>> {
    let (input, label) = opt(label).parse(input)?;
    let (rest, raw) = terminated(label_path, space1).parse(input)?;
    let path = checked(raw, if label.is_some() { FileWord::Yes } else { FileWord::No })?;
    map(last_texts, |texts| Order { path, texts }).parse(rest)
}

/// ```ebnf
/// label = "file" , stars , ":" , stars , blank ;
/// ```
fn label(input: LineInput<'_>) -> Result<'_, ()> {
    value((), (word("file"), stars, char(':'), stars, space1)).parse(input)
}

/// The colon may stand before the closing stars.
///
/// ```ebnf
/// label_path = stars , ( code_span | bare_path ) , ( stars , ":" | ":" , stars ) ;
/// ```
fn label_path(input: LineInput<'_>) -> Result<'_, RawPath<'_>> {
    let path = alt((map(code_span, RawPath::quoted), bare_path));
    let colon = alt((value((), char(':')), value((), (take_while1(|c| c == '*'), char(':')))));
    delimited(stars, path, (colon, stars)).parse(input)
}

/// ```ebnf
/// texts_first = texts , blank , [ line_note , blank ] , ( place | "of" , blank , file ) ;
/// ```
fn texts_first(input: LineInput<'_>) -> Result<'_, Order<'_>> {
    let of = preceded((line_note, space1, word("of"), space1), file);
    let in_place = preceded((opt(line_note), space1), place);
    map(pair(texts, alt((of, in_place))), |(texts, path)| Order { path, texts }).parse(input)
}

/// ```ebnf
/// place = ( "in" | "inside" ) , blank , file ;
/// ```
fn place(input: LineInput<'_>) -> Result<'_, Piece<'_>> {
    preceded((alt((word("in"), word("inside"))), space1), file).parse(input)
}

/// ```ebnf
/// line_note = [ "," ] , blank , [ "(" ] , [ ( "on" | "at" | "around" ) , blank ] , "line" , blank , number , [ ")" ] ;
/// ```
pub(super) fn line_note(input: LineInput<'_>) -> Result<'_, ()> {
    let at = (alt((word("on"), word("at"), word("around"))), space1);
    let line = (opt(at), word("line"), space1, digit1);
    let bare = value((), line);
    let at = (alt((word("on"), word("at"), word("around"))), space1);
    let bracketed = value((), delimited(char('('), (opt(at), word("line"), space1, digit1), char(')')));
    preceded((opt(char(',')), space1), alt((bare, bracketed))).parse(input)
}

/// Whether the word `file` stands beside a name: then any name will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileWord {
    Yes,
    No,
}

/// ```ebnf
/// file = [ ( "the" | "your" ) , blank ] , [ "file" , blank ] , raw_path , [ blank , "file" ] ;
/// ```
fn file(input: LineInput<'_>) -> Result<'_, Piece<'_>> {
    let article = (alt((word("the"), word("your"))), space1);
    let before = preceded(opt(article), opt((word("file"), space1)));
    let (rest, (before, raw, after)) = (before, raw_path, opt((space1, word("file")))).parse(input)?;
    let file_word = if before.is_some() || after.is_some() { FileWord::Yes } else { FileWord::No };
    Ok((rest, checked(raw, file_word)?))
}

/// A text in the place of a path.
#[derive(Debug, Clone, Copy)]
struct RawPath<'s> {
    text: Piece<'s>,
    is_quoted: bool,
}

impl<'s> RawPath<'s> {
    fn quoted(quoted: Quoted<'s>) -> Self {
        Self { text: quoted.text, is_quoted: true }
    }
}

/// The path, if the text is one. The word `file` vouches for any quoted name, and for a bare one with an extension.
fn checked(raw: RawPath<'_>, file_word: FileWord) -> std::result::Result<Piece<'_>, Err<Mismatch>> {
    let evidence = match (file_word, raw.is_quoted) {
        (FileWord::No, _) => Evidence::Edit,
        (FileWord::Yes, true) => Evidence::Label,
        (FileWord::Yes, false) => Evidence::OwnLine,
    };
    let text = raw.text.text;
    let is_spaced =
        raw.is_quoted && file_word == FileWord::Yes && is_spaced_name(text) && has_known_extension(text);
    if is_path(text, evidence) || is_spaced { Ok(raw.text) } else { Err(Err::Error(Mismatch)) }
}

/// ```ebnf
/// raw_path = stars , ( quoted | bare_path ) , stars ;
/// ```
fn raw_path(input: LineInput<'_>) -> Result<'_, RawPath<'_>> {
    let path = |input| alt((map(quoted, RawPath::quoted), bare_path)).parse(input);
    emphasised(path).parse(input)
}

/// A word up to the punctuation that follows it.
///
/// ```ebnf
/// bare_path = path_character , { path_character } ;
/// ```
fn bare_path(input: LineInput<'_>) -> Result<'_, RawPath<'_>> {
    let is_path_character = |c: char| !c.is_whitespace() && !"`\"'“”‘’*".contains(c);
    let (_, word) = take_while1(is_path_character).parse(input)?;
    let end = word.fragment().trim_end_matches(['.', ',', ':', ';', '!', '?', ')']).len();
    let (rest, path) = input.take_split(end);
    Ok((rest, RawPath { text: Piece::new(path.fragment(), path.offset()), is_quoted: false }))
}

/// What `parser` reads, perhaps between as many stars on both sides.
fn emphasised<'s, O>(
    parser: impl Fn(LineInput<'s>) -> Result<'s, O> + Copy,
) -> impl Fn(LineInput<'s>) -> Result<'s, O> {
    move |input| {
        let (rest, open) = stars.parse(input)?;
        let (rest, read) = parser(rest)?;
        let (rest, _) = tag(*open.fragment()).parse(rest)?;
        Ok((rest, read))
    }
}

/// ```ebnf
/// stars = { "*" } ;
/// ```
pub(super) fn stars(input: LineInput<'_>) -> Result<'_, LineInput<'_>> {
    take_while(|c| c == '*').parse(input)
}

/// The texts as the last words of an order: where the new one, in quotes of prose, ends in a mark that the old one
/// lacks, the mark may be only the sentence's.
///
/// ```ebnf
/// last_texts = texts ;
/// ```
fn last_texts(input: LineInput<'_>) -> Result<'_, Texts<'_>> {
    let (rest, texts) = texts(input)?;
    let mark = |quoted: Quoted<'_>| quoted.text.text.chars().next_back().filter(|c| ".,!?;:".contains(*c));
    let is_open = texts.new.mark == Mark::Prose
        && mark(texts.new).is_some()
        && mark(texts.new) != mark(texts.old)
        && !rest.fragment().starts_with(['.', ',', '!', '?', ';', ':']);
    if is_open { Err(Err::Error(Mismatch)) } else { Ok((rest, texts)) }
}

/// ```ebnf
/// texts = [ please ] , ( change | replace ) ;
/// ```
fn texts(input: LineInput<'_>) -> Result<'_, Texts<'_>> {
    preceded(opt(please), alt((change, replace))).parse(input)
}

/// ```ebnf
/// please = "please" , [ "," ] , blank ;
/// ```
fn please(input: LineInput<'_>) -> Result<'_, ()> {
    value((), (word("please"), opt(char(',')), space1)).parse(input)
}

/// ```ebnf
/// change = ( "change" | "update" | "modify" ) , blank , [ announcement ] , old , blank , ( "to" | "into" ) , blank , new ;
/// ```
fn change(input: LineInput<'_>) -> Result<'_, Texts<'_>> {
    let verb = (alt((word("change"), word("update"), word("modify"))), space1, opt(announcement));
    let link = delimited(space1, alt((word("to"), word("into"))), space1);
    let (rest, (_, old, _, new)) = (verb, old, link, new).parse(input)?;
    Ok((rest, Texts { old, new }))
}

/// ```ebnf
/// replace = "replace" , blank , [ announcement ] , old , blank , ( "with" | "by" ) , blank , new ;
/// ```
fn replace(input: LineInput<'_>) -> Result<'_, Texts<'_>> {
    let verb = (word("replace"), space1, opt(announcement));
    let link = delimited(space1, alt((word("with"), word("by"))), space1);
    let (rest, (_, old, _, new)) = (verb, old, link, new).parse(input)?;
    Ok((rest, Texts { old, new }))
}

/// ```ebnf
/// announcement = "the" , blank , ( "line" | "text" | "string" ) , blank ;
/// ```
fn announcement(input: LineInput<'_>) -> Result<'_, ()> {
    let kind = alt((word("line"), word("text"), word("string")));
    value((), (word("the"), space1, kind, space1)).parse(input)
}

/// ```ebnf
/// old = stars , quoted , stars ;
/// ```
fn old(input: LineInput<'_>) -> Result<'_, Quoted<'_>> {
    verify(emphasised(quoted), |quoted: &Quoted<'_>| !quoted.text.text.is_empty()).parse(input)
}

/// ```ebnf
/// new = stars , quoted , stars ;
/// ```
fn new(input: LineInput<'_>) -> Result<'_, Quoted<'_>> {
    emphasised(quoted).parse(input)
}

/// A whole word, in any case.
pub(super) fn word<'s>(word: &'static str) -> impl Parser<LineInput<'s>, Output = (), Error = Mismatch> {
    move |input: LineInput<'s>| {
        let text: &str = input.fragment();
        let (start, rest) = text.split_at_checked(word.len()).ok_or(Err::Error(Mismatch))?;
        let is_longer =
            || rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '’'));
        if !start.eq_ignore_ascii_case(word) || is_longer() {
            return Err(Err::Error(Mismatch));
        }
        Ok((input.take_from(word.len()), ()))
    }
}
