//! Sentences: edits in prose, such as ``In file `main.py`, change `a` to `b` ``.
//!
//! Models write them for small changes. A sentence that only tells of an edit, offers it, gives it as an example or
//! leaves any of its parts open must not be taken for one: the grammar is closed, and what it does not know is prose.
//! Leniencies: five kinds of quotes, bold and list markers, a path before or behind the texts, a purpose behind the
//! order. See grammar-notes/sentences.md.

mod candidates;
mod context;
mod ending;
mod quoted;
mod sentence;
mod skip;
mod words;

use nom::{Err, Input};

use self::candidates::Candidates;
use self::context::{Context, Standing, is_underline, shape, starts_with_capital};
use self::ending::End;
use self::sentence::sentence;
use self::skip::Skipper;
use self::words::{orders_more, takes_back};
use super::input::{Read, line_input};
use super::lines::{Kind, Line, Lines};
use crate::ast::InlineEdit;
use crate::diagnostic::{Code, Diagnostic};

/// The sentence edits of a reply, in source order, none of them marked as narration; a warning for each that is left
/// because it goes on with an order that cannot be read.
///
/// `prose` are the runs of lines between its nodes, in source order.
pub(crate) fn sentences(prose: &[Lines<'_>]) -> Read<Vec<InlineEdit>> {
    let mut reader = Reader { context: Context::default(), edits: Vec::new(), faults: Vec::new() };
    let mut read = 0;
    for (number, &run) in prose.iter().enumerate() {
        let mut candidates = Candidates::new(run);
        let Some(first) = candidates.next_from(run.start()) else {
            continue;
        };
        // The lines above are read only now that what they say is asked for.
        prose.get(read..number).unwrap_or_default().iter().for_each(|&above| reader.pass(above));
        reader.run(run, candidates, first);
        read = number + 1;
    }
    Read { node: reader.edits, faults: reader.faults }
}

struct Reader<'s> {
    context: Context<'s>,
    edits: Vec<InlineEdit>,
    faults: Vec<Diagnostic>,
}

impl<'s> Reader<'s> {
    /// Takes in lines on which no sentence begins.
    fn pass(&mut self, run: Lines<'s>) {
        self.context.after_node();
        for line in run.iter_elements() {
            self.context.line(run, line);
        }
    }

    /// Reads lines of which `first` is in the first one that may hold a sentence.
    fn run(&mut self, run: Lines<'s>, mut candidates: Candidates<'s>, first: u32) {
        self.context.after_node();
        let mut next = Some(first);
        for (index, line) in run.iter_indices() {
            let standing = self.context.line(run, line);
            if next.is_none_or(|candidate| candidate >= line.next()) {
                continue;
            }
            if let Standing::Prose(start) = standing {
                self.sentence_line(run, line, start, &run.take_from(index + 1));
            }
            next = candidates.next_from(line.next());
        }
    }

    /// ```ebnf
    /// sentence_line = { blank | list_marker } , [ "[ ]" , blank ] , { sentence | other_sentence } ;
    /// ```
    fn sentence_line(&mut self, run: Lines<'s>, line: Line, start: usize, below: &Lines<'s>) {
        let mut skipper = Skipper::default();
        let mut rest = line_input(run, line).take_from(start);
        loop {
            match sentence(rest) {
                Ok((after, found)) => {
                    if orders_more(after.fragment()) && sentence(after).is_err() {
                        self.faults.push(goes_on(&found.edit));
                    } else if !is_changed_by(after.fragment(), found.end, *below) {
                        self.edits.push(found.edit);
                    }
                    rest = after;
                    if starts_with_capital(rest.fragment()) {
                        continue;
                    }
                }
                Err(Err::Failure(_) | Err::Incomplete(_)) => return,
                Err(Err::Error(_)) => {}
            }
            match skipper.next_sentence(rest) {
                Some(next) if !skipper.offers_choice => rest = next,
                _ => return,
            }
        }
    }
}

fn goes_on(edit: &InlineEdit) -> Diagnostic {
    let message =
        "the sentence is followed by an order that names no file, and half of what is ordered is not made";
    Diagnostic::new(Code::IgnoredText, message).at(edit.span)
}

/// Whether what follows a sentence goes on with it, makes a heading of it, or takes it back.
fn is_changed_by(rest: &str, end: End, below: Lines<'_>) -> bool {
    if !rest.is_empty() {
        return takes_back(rest);
    }
    let next = below.peek().filter(|line| line.kind != Kind::Blank);
    if let Some(line) = next {
        let text = below.text_of(line);
        let is_text = line.kind == Kind::Text && shape(text).is_plain();
        let goes_on = end == End::Line && is_text && !starts_with_capital(shape(text).body);
        if is_underline(text) || goes_on {
            return true;
        }
    }
    let follows = below.iter_elements().find(|line| line.kind != Kind::Blank);
    follows.is_some_and(|line| line.kind == Kind::Text && takes_back(shape(below.text_of(line)).body))
}

#[cfg(test)]
mod tests;
