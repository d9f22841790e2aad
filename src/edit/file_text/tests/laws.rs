//! What holds for any file and any edits, against a model that does the same the slow way.

use proptest::prelude::*;

use super::*;
use crate::edit::line_ending::LineEnding;

/// A text as its bytes with LF, and what each LF stands for; every edit copies the whole of it.
#[derive(Debug, Clone)]
struct Model {
    text: Vec<u8>,
    endings: Vec<LineEnding>,
    usual: LineEnding,
    /// Where in the file each byte stands, or what it was put in place of; at last the file's length.
    anchors: Vec<usize>,
}

impl Model {
    fn new(bytes: &[u8]) -> Self {
        let usual = LineEnding::most_frequent(bytes).unwrap_or(LineEnding::Lf);
        let mut model = Self { text: Vec::new(), endings: Vec::new(), usual, anchors: Vec::new() };
        for (at, &byte) in bytes.iter().enumerate() {
            match byte {
                b'\r' if bytes.get(at + 1) == Some(&b'\n') => {}
                b'\n' => {
                    let crlf = at > 0 && bytes[at - 1] == b'\r';
                    model.endings.push(if crlf { LineEnding::CrLf } else { LineEnding::Lf });
                    model.text.push(byte);
                    model.anchors.push(at - usize::from(crlf));
                }
                _ => {
                    model.text.push(byte);
                    model.anchors.push(at);
                }
            }
        }
        model.anchors.push(bytes.len());
        model
    }

    fn bytes(&self) -> Vec<u8> {
        let mut endings = self.endings.iter();
        let mut out = Vec::new();
        for &byte in &self.text {
            match byte {
                b'\n' => out.extend_from_slice(endings.next().unwrap().as_bytes()),
                _ => out.push(byte),
            }
        }
        out
    }

    fn is_start(&self, at: usize) -> bool {
        at == 0 || self.text[at - 1] == b'\n'
    }

    fn is_end(&self, at: usize) -> bool {
        at == self.text.len() || self.text[at] == b'\n'
    }

    /// Every stretch of whole lines, as many as `count`.
    fn stretches(&self, count: usize) -> Vec<(usize, usize)> {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in self.text.split_inclusive(|&byte| byte == b'\n') {
            lines.push((start, start + line.strip_suffix(b"\n").unwrap_or(line).len()));
            start += line.len();
        }
        lines.windows(count).map(|lines| (lines[0].0, lines[count - 1].1)).collect()
    }

    fn places(&self, search: &[u8], tolerance: Tolerance) -> Vec<(usize, usize)> {
        let trim = |text: &[u8]| -> Vec<String> {
            let text = String::from_utf8_lossy(text).into_owned();
            text.split('\n').map(|line| line.trim_end_matches([' ', '\t']).to_owned()).collect()
        };
        let stretches = self.stretches(search.split(|&byte| byte == b'\n').count());
        let exact: Vec<_> = if search.iter().all(u8::is_ascii_whitespace) && !search.contains(&b'\r') {
            stretches.iter().copied().filter(|&(from, to)| self.text[from..to] == *search).collect()
        } else {
            let ends = (search.len()..=self.text.len()).map(|to| (to - search.len(), to));
            ends.filter(|&(from, to)| self.text[from..to] == *search).collect()
        };
        if exact.is_empty() && tolerance == Tolerance::TrailingBlanks {
            return stretches
                .into_iter()
                .filter(|&(from, to)| trim(&self.text[from..to]) == trim(search))
                .collect();
        }
        exact
    }

    fn put(&mut self, from: usize, to: usize, new: &[u8]) {
        let count = |text: &[u8]| text.iter().filter(|&&byte| byte == b'\n').count();
        let (first, last) = (count(&self.text[..from]), count(&self.text[..to]));
        let (before, within, after) =
            (self.endings[..first].last(), self.endings[first..last].last(), self.endings[last..].first());
        let rest = if self.is_start(to) { within.or(before).or(after) } else { after.or(within).or(before) };
        let rest = rest.copied().unwrap_or(self.usual);
        let mut endings = self.endings[first..last].to_vec();
        endings.resize(count(new), rest);
        self.endings.splice(first..last, endings);
        self.text.splice(from..to, new.iter().copied());
        let anchor = self.anchors[from];
        self.anchors.splice(from..to, vec![anchor; new.len()]);
    }

    /// The place that it was made at, or all the places there are.
    fn replace(
        &mut self,
        search: &[u8],
        new: Option<&[u8]>,
        tolerance: Tolerance,
    ) -> Result<(usize, usize), Vec<(usize, usize)>> {
        let places = self.places(search, tolerance);
        let anchored = |(from, to)| (self.anchors[from], self.anchors[to]);
        let &[(mut from, mut to)] = places.as_slice() else {
            let mut places: Vec<_> = places.into_iter().map(anchored).collect();
            places.sort_unstable();
            return Err(places);
        };
        let place = anchored((from, to));
        let had_newline = self.is_start(self.text.len());
        let (before, after) = (self.is_start(from), self.is_end(to));
        if new.is_none() && before && after {
            match (to == self.text.len(), self.is_start(to)) {
                (false, _) => to += 1,
                (true, false) if from > 0 => from -= 1,
                _ => {}
            }
        }
        let old = self.clone();
        let mut result = [&self.text[..from], new.unwrap_or_default(), &self.text[to..]].concat();
        let lost = had_newline && !result.is_empty() && result.pop() != Some(b'\n');
        let newline: &[u8] = if lost { b"\n" } else { b"" };
        let result = [new.unwrap_or_default(), newline].concat();
        if self.text[from..to] != result {
            self.put(from, to, &result);
        }
        // Neither end of the edit may have joined two lines across a line ending that the search began or ended with.
        let new_len = new.unwrap_or_default().len();
        let joined_start = search.starts_with(b"\n") && !before && !self.is_start(from) && !self.is_end(from);
        let joined_end = search.ends_with(b"\n") && !after && !self.is_start(from + new_len);
        if (joined_start || joined_end) && self.text != old.text {
            *self = old;
            return Err(Vec::new());
        }
        Ok(place)
    }
}

impl Model {
    fn set(&mut self, lines: &[u8]) -> bool {
        let newline: &[u8] = if self.is_start(self.text.len()) && !lines.is_empty() { b"\n" } else { b"" };
        let text = [lines, newline].concat();
        let changed = text != self.text;
        if changed {
            let endings = vec![self.usual; text.iter().filter(|&&byte| byte == b'\n').count()];
            *self = Self::new(&Self { text, endings, ..self.clone() }.bytes());
        }
        changed
    }
}

#[derive(Debug, Clone)]
enum Edit {
    Replace(String, Option<String>, Tolerance),
    Append(String),
    Set(String),
}

fn file() -> impl Strategy<Value = String> {
    let ending = prop_oneof![3 => Just("\n"), 3 => Just("\r\n"), 1 => Just("\r")];
    let line = prop::collection::vec(prop_oneof!["a", "b", " ", "\t", "ab", "é"], 0..4)
        .prop_map(|parts| parts.concat());
    prop_oneof![
        prop::collection::vec((line.clone(), ending), 0..12).prop_map(|lines| lines
            .into_iter()
            .flat_map(|(line, ending)| [line, ending.to_owned()])
            .collect()),
        prop::collection::vec(line, 0..12).prop_map(|lines| lines.join("\n")),
    ]
}

fn lines() -> impl Strategy<Value = String> {
    prop::collection::vec(prop_oneof![4 => "a|b|ab|ba", 2 => "\n", 1 => " |\t|\r|é"], 0..6)
        .prop_map(|parts| parts.concat())
}

fn edit() -> impl Strategy<Value = Edit> {
    let tolerance = prop_oneof![Just(Tolerance::Exact), Just(Tolerance::TrailingBlanks)];
    prop_oneof![
        12 => (lines(), prop::option::weighted(0.8, lines()), tolerance)
            .prop_map(|(search, replace, tolerance)| Edit::Replace(search, replace, tolerance)),
        1 => lines().prop_map(Edit::Append),
        1 => lines().prop_map(Edit::Set),
    ]
}

/// Edits whose search texts are mostly in the file, so that many are made.
fn file_and_edits() -> impl Strategy<Value = (String, Vec<Edit>)> {
    (file(), prop::collection::vec((edit(), any::<prop::sample::Index>(), 0_usize..6), 1..32)).prop_map(
        |(file, edits)| {
            let text: Vec<char> = file.replace("\r\n", "\n").chars().collect();
            let cut = |(edit, at, len): (Edit, prop::sample::Index, usize)| match edit {
                Edit::Replace(_, replace, tolerance) if !text.is_empty() && len > 0 => {
                    let at = at.index(text.len());
                    let search = text[at..(at + len).min(text.len())].iter().collect();
                    Edit::Replace(search, replace, tolerance)
                }
                edit => edit,
            };
            (file.clone(), edits.into_iter().map(cut).collect())
        },
    )
}

fn check_error(error: &MatchError, expected: &[(usize, usize)]) -> Result<(), TestCaseError> {
    match error {
        MatchError::NotFound | MatchError::BlankLineNotFound { .. } => prop_assert_eq!(expected, &[]),
        MatchError::Ambiguous { count: Count::Exactly(count), places } => {
            let places: Vec<_> = places.iter().map(|place| (place.start, place.end)).collect();
            prop_assert_eq!(places, expected);
            prop_assert_eq!(*count, expected.len());
        }
        MatchError::Ambiguous { count: Count::AtLeast(count), places } => {
            prop_assert!(expected.len() >= *count && places.len() == search::LIMIT);
        }
    }
    Ok(())
}

/// Whether the search texts are told before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    No,
    Yes,
}

fn check(file: &str, edits: &[Edit], told: Told) -> Result<(), TestCaseError> {
    let mut text = text(file);
    if told == Told::Yes {
        let framed = search::framed(b"");
        let searches = edits.iter().map(|edit| match edit {
            Edit::Replace(search, ..) => {
                [vec![search.as_bytes()], tolerant::landmarks(search.as_bytes())].concat()
            }
            Edit::Append(_) | Edit::Set(_) => vec![&*framed],
        });
        // All but one, so that one is looked for when it comes.
        let searches = searches.flatten().skip(1).filter(|search| !search.is_empty());
        text.expected = Some(Expected::all(&text.pieces, searches.collect()));
    }
    let mut model = Model::new(file.as_bytes());
    for edit in edits {
        match edit {
            Edit::Replace(search, replace, tolerance) => {
                let before = model.bytes();
                let expected =
                    model.replace(search.as_bytes(), replace.as_deref().map(str::as_bytes), *tolerance);
                let made = text.replace(search, replace.as_deref(), *tolerance);
                match (&made, expected) {
                    (Ok(matched), Ok(place)) => {
                        prop_assert_eq!((matched.place.start, matched.place.end), place);
                        prop_assert_eq!(matched.effect == Effect::Changed, before != model.bytes());
                    }
                    (Err(error), Err(places)) => check_error(error, &places)?,
                    (made, expected) => prop_assert!(false, "{:?} {:?} {:?}", edit, made, expected),
                }
            }
            Edit::Append(lines) => {
                let end = model.text.len();
                let new = match model.is_start(end) {
                    true => format!("{lines}\n"),
                    false => format!("\n{lines}"),
                };
                model.put(end, end, new.as_bytes());
                text.append(lines);
            }
            Edit::Set(lines) => {
                let changed = model.set(lines.as_bytes());
                prop_assert_eq!(text.set(lines) == Effect::Changed, changed);
            }
        }
        prop_assert_eq!(text.contents().into_owned(), model.bytes(), "{:?}", edit);
    }
    prop_assert_eq!(text.finish().get().to_vec(), model.bytes());
    Ok(())
}

/// The same with longer texts, which are much alike.
fn stretched(text: &str) -> String {
    text.replace('a', "x").replace('b', "ababaabb").replace('x', "ababaaba")
}

fn stretched_edit(edit: &Edit) -> Edit {
    match edit {
        Edit::Replace(search, replace, tolerance) => {
            Edit::Replace(stretched(search), replace.as_deref().map(stretched), *tolerance)
        }
        Edit::Append(lines) => Edit::Append(stretched(lines)),
        Edit::Set(lines) => Edit::Set(stretched(lines)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn many_edits_do_what_the_model_does((file, edits) in file_and_edits()) {
        check(&file, &edits, Told::No)?;
        check(&file, &edits, Told::Yes)?;
        let edits: Vec<_> = edits.iter().map(stretched_edit).collect();
        check(&stretched(&file), &edits, Told::Yes)?;
    }
}
