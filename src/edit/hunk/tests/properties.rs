use proptest::prelude::*;
use similar::TextDiff;

use super::*;

fn text() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "a",
        "b",
        "c",
        "",
        " ",
        "a ",
        "é",
        "--- x",
        "+++ y",
        "@@ -1 +1 @@",
        "\\ x",
    ]);
    let lines = prop::collection::vec(line, 0..14);
    (lines, prop::bool::ANY, prop::sample::select(vec!["\n", "\r\n"])).prop_map(|(lines, newline, ending)| {
        let text = lines.join(ending);
        if (newline || ending == "\r\n") && !lines.is_empty() { text + ending } else { text }
    })
}

fn diff(old: &str, new: &str, context: usize) -> String {
    TextDiff::from_lines(old, new).unified_diff().context_radius(context).header("a/f", "b/f").to_string()
}

/// A hunk whose places are found by looking everywhere.
#[derive(Debug, Clone)]
struct Simple {
    stated: Option<u32>,
    lines: Vec<(LineKind, &'static str)>,
}

fn simple() -> impl Strategy<Value = Simple> {
    let kind = prop::sample::select(vec![LineKind::Context, LineKind::Added, LineKind::Removed]);
    let line = (kind, prop::sample::select(vec!["a", "b", "b ", "c"]));
    (prop::option::of(0..12_u32), prop::collection::vec(line, 1..4))
        .prop_map(|(stated, lines)| Simple { stated, lines })
}

fn hunk(simple: &Simple) -> PatchHunk<'_> {
    let line = |&(kind, text)| PatchLine {
        kind,
        text: Cow::Borrowed(text),
        ending: LineEnding::Lf,
        no_newline: false,
        span: None,
    };
    PatchHunk {
        header: None,
        header_ending: LineEnding::Lf,
        old_start: simple.stated,
        lines: simple.lines.iter().map(line).collect(),
        extent: Extent::Counted,
    }
}

/// The lines of a file after the hunks; `None` where one of them has no place.
fn reference(file: &[&str], hunks: &[Simple]) -> Option<Vec<String>> {
    let mut drift = 0_i64;
    let mut places = Vec::new();
    for hunk in hunks {
        let old: Vec<&str> =
            hunk.lines.iter().filter(|line| line.0 != LineKind::Added).map(|line| line.1).collect();
        let at = if old.is_empty() {
            let at = if file.is_empty() { 0 } else { i64::from(hunk.stated?) + drift };
            usize::try_from(at).ok().filter(|&at| at <= file.len())?
        } else {
            let stated = hunk.stated.filter(|&stated| stated > 0).map(|stated| i64::from(stated) - 1);
            let at = nearest(file, &old, stated.map(|stated| stated + drift))?;
            drift = stated.map_or(drift, |stated| at as i64 - stated);
            at
        };
        places.push((at, at + old.len(), hunk));
    }
    places.sort_by_key(|place| (place.0, place.1));
    for pair in places.windows(2) {
        if pair[0].1 > pair[1].0 || (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) && pair[0].0 == pair[0].1
        {
            return None;
        }
    }
    let mut out: Vec<String> = file.iter().map(|&line| line.to_owned()).collect();
    for (start, end, hunk) in places.into_iter().rev() {
        let mut old = file[start..end].iter();
        let mut new = Vec::new();
        for (kind, text) in &hunk.lines {
            match kind {
                LineKind::Context => new.push((*old.next().unwrap()).to_owned()),
                LineKind::Removed => drop(old.next()),
                LineKind::Added => new.push((*text).to_owned()),
            }
        }
        out.splice(start..end, new);
    }
    Some(out)
}

/// Where lines stand, from 0, found by looking everywhere.
fn places(file: &[&str], old: &[&str], exactness: Exactness) -> Vec<usize> {
    let same = |a: &str, b: &str| match exactness {
        Exactness::Exact => a == b,
        Exactness::TrailingBlanks => a.trim_end() == b.trim_end(),
    };
    (0..(file.len() + 1).saturating_sub(old.len()))
        .filter(|&at| old.iter().zip(&file[at..]).all(|(old, line)| same(old, line)))
        .collect()
}

fn nearest(file: &[&str], old: &[&str], expected: Option<i64>) -> Option<usize> {
    let mut all = places(file, old, Exactness::Exact);
    if all.is_empty() {
        all = places(file, old, Exactness::TrailingBlanks);
    }
    let distance = |&at: &usize| expected.map_or(0, |expected| (at as i64 - expected).abs());
    let least = all.iter().map(distance).min()?;
    let mut best = all.iter().filter(|at| distance(at) == least);
    best.next().filter(|_| best.next().is_none()).copied()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_diff_gives_the_new_text_and_reversed_the_old(old in text(), new in text(), context in 0_usize..4) {
        // Of a last line without ending nothing tells that the file's endings are CRLF.
        let ended = [&old, &new].iter().all(|text| text.is_empty() || text.ends_with('\n'));
        prop_assume!(old != new && (ended || !(old.clone() + &new).contains('\r')));
        let applied = patch_bytes(old.as_bytes(), &diff(&old, &new, context)).unwrap();
        prop_assert_eq!(String::from_utf8(applied.bytes).unwrap(), new.clone());
        let back = patch_bytes(new.as_bytes(), &diff(&new, &old, context)).unwrap();
        prop_assert_eq!(String::from_utf8(back.bytes).unwrap(), old);
    }

    #[test]
    fn hunks_do_what_a_search_everywhere_does(
        file in prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "a ", "b "]), 0..12),
        hunks in prop::collection::vec(simple(), 1..4),
    ) {
        let text: String = file.iter().map(|line| format!("{line}\n")).collect();
        let list: Vec<_> = hunks.iter().map(hunk).collect();
        let applied = apply(text.as_bytes(), &list).ok().map(|applied| String::from_utf8(applied.bytes).unwrap());
        let wanted = reference(&file, &hunks)
            .map(|lines| lines.iter().map(|line| format!("{line}\n")).collect::<String>());
        prop_assert_eq!(applied, wanted);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn common_lines_are_found_as_rare_ones_are(
        file in prop::collection::vec(prop::sample::select(vec!["a", "b"]), 500..900),
        hunks in prop::collection::vec((0..1_000_u32, prop::collection::vec(prop::sample::select(vec!["a", "b"]), 1..12)), 1..3),
    ) {
        let text: String = file.iter().map(|line| format!("{line}\n")).collect();
        let removed = |lines: Vec<&'static str>| lines.into_iter().map(|line| (LineKind::Removed, line)).collect();
        let hunks: Vec<_> = hunks
            .into_iter()
            .map(|(stated, lines)| Simple { stated: Some(stated).filter(|stated| *stated < 900), lines: removed(lines) })
            .collect();
        let list: Vec<_> = hunks.iter().map(hunk).collect();
        let applied = apply(text.as_bytes(), &list).ok().map(|applied| String::from_utf8(applied.bytes).unwrap());
        let wanted = reference(&file, &hunks)
            .map(|lines| lines.iter().map(|line| format!("{line}\n")).collect::<String>());
        prop_assert_eq!(applied, wanted);
    }
}

/// A file of few different lines, short or so long that a line is common, and lines to find in it.
fn lines_to_find() -> impl Strategy<Value = (Vec<&'static str>, Vec<Vec<&'static str>>)> {
    let rare = |kinds: &[(u32, &'static str)]| {
        prop::strategy::Union::new_weighted(
            kinds.iter().map(|&(weight, line)| (weight, Just(line))).collect(),
        )
    };
    let line = rare(&[(40, "a"), (40, "b"), (2, "b "), (1, "c"), (1, "a longer line")]);
    let file = prop_oneof![
        7 => prop::collection::vec(line.clone(), 0..40),
        1 => prop::collection::vec(line, 600..900),
    ];
    let wanted = rare(&[(10, "a"), (10, "b"), (2, "b "), (2, "c"), (1, "a longer line"), (1, "d")]);
    (file, prop::collection::vec(prop::collection::vec(wanted, 1..9), 1..4))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_index_and_a_walk_find_what_a_search_everywhere_does(
        (file, wanted) in lines_to_find(),
        anywhere in 0..1_000_usize,
        is_at_a_place in prop::bool::ANY,
    ) {
        let anywhere = anywhere % (file.len() + 2);
        let text: String = file.iter().map(|line| format!("{line}\n")).collect();
        let chunks = chunks::Chunks::new(text.as_bytes());
        let view = View::new(text.as_bytes(), &chunks, false);
        let removed = |lines: &Vec<_>| lines.iter().map(|&line| (LineKind::Removed, line)).collect();
        let simple: Vec<_> = wanted.iter().map(|lines| Simple { stated: None, lines: removed(lines) }).collect();
        let hunks: Vec<_> = simple.iter().map(hunk).collect();
        let readings: Vec<_> = hunks.iter().map(readings).collect();
        for exactness in [Exactness::Exact, Exactness::TrailingBlanks] {
            let index = index::Index::new(view, &readings, exactness);
            for lines in &wanted {
                let all = places(&file, lines, exactness);
                let first: Vec<_> = all.iter().copied().take(10).collect();
                let place = all.get(all.len() / 2).copied().filter(|_| is_at_a_place);
                let expected = place.unwrap_or(anywhere);
                let below = all.iter().copied().rfind(|&at| at < expected);
                let around = (below, all.iter().copied().find(|&at| at >= expected));
                let lines: Vec<_> = lines.iter().map(|line| line.as_bytes()).collect();
                match index.pattern(lines.iter().copied()) {
                    None => prop_assert!(all.is_empty()),
                    Some(pattern) => {
                        prop_assert_eq!(index.first(&pattern, 10), first.clone());
                        prop_assert_eq!(index.around(&pattern, expected), around);
                    }
                }
                let line = std::str::from_utf8(lines[0]).unwrap();
                prop_assert_eq!(index.has(lines[0]), !places(&file, &[line], exactness).is_empty());
                if let Some(has) = walk::Walk::new(view).has(lines[0]) {
                    prop_assert_eq!(has, file.contains(&line));
                }
                let by_walk = walk::Walk::new(view).first(&lines, 10, exactness);
                let around_by_walk = walk::Walk::new(view).around(&lines, expected, exactness);
                // In a file of many lines that are all alike it may cost too much.
                let is_short = file.len() < 40;
                prop_assert!(!is_short || by_walk.is_some() && around_by_walk.is_some());
                prop_assert!(by_walk.is_none_or(|found| found == first));
                prop_assert!(around_by_walk.is_none_or(|found| found == around));
            }
        }
    }
}

/// A line that is longer than two chunks are in tests.
const LONG: &str = "a line that is so long that it makes a chunk of its own";

/// A file and one patch after the other; the files are of both endings, with a mark and without.
fn patches() -> impl Strategy<Value = (String, Vec<Vec<(Simple, bool)>>)> {
    let line = prop::sample::select(vec![
        "a\n",
        "a\n",
        "b\n",
        "b\n",
        "b\r\n",
        "b \n",
        "c\r\n",
        "long line of a file\n",
        "a line that is so long that it makes a chunk of its own\n",
        "a line that is so long that it makes a chunk of its own\r\n",
    ]);
    let end = prop::sample::select(vec!["", "", "a", "c", "long line of a file"]);
    let start = prop::sample::select(vec!["", "", "", "\u{feff}"]);
    let file = (start, prop::collection::vec(line, 0..40), end)
        .prop_map(|(start, lines, end)| format!("{start}{}{end}", lines.concat()));
    let kind = prop::sample::select(vec![LineKind::Context, LineKind::Added, LineKind::Removed]);
    let line = (
        kind,
        prop::sample::select(vec!["a", "a", "b", "b ", "c", "\u{feff}a", "long line of a file", LONG]),
    );
    let stated = prop::option::of(0..45_u32);
    let hunk =
        (stated, prop::collection::vec(line, 1..4)).prop_map(|(stated, lines)| Simple { stated, lines });
    (file, prop::collection::vec(prop::collection::vec((hunk, prop::bool::weighted(0.1)), 1..4), 1..12))
}

/// The bytes of a file after a patch, made as one.
fn whole(old: &[u8], hunks: &[PatchHunk<'_>]) -> Option<Vec<u8>> {
    let chunks = chunks::Chunks::new(old);
    let shows_mark = starts_with_mark(hunks);
    let readings: Vec<_> = hunks.iter().map(readings).collect();
    let found = located(View::new(old, &chunks, shows_mark), hunks, &readings).ok()?;
    Some(splice::splice(&lines::FileLines::new(old, shows_mark), hunks, &found))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn patches_one_after_the_other_do_what_each_does_to_a_file_put_together((file, patches) in patches()) {
        let mut patched = Patched::from(file.clone().into_bytes());
        let mut bytes = file.into_bytes();
        for patch in &patches {
            let mut hunks: Vec<_> = patch.iter().map(|(simple, _)| hunk(simple)).collect();
            for (hunk, (_, ends_open)) in hunks.iter_mut().zip(patch) {
                if let Some(last) = hunk.lines.last_mut() {
                    last.no_newline = *ends_open;
                    last.ending = if hunk.old_start == Some(3) { LineEnding::CrLf } else { LineEnding::Lf };
                }
            }
            let wanted = whole(&bytes, &hunks);
            let new = patched.apply(&hunks).ok().map(|(new, _)| new);
            prop_assert_eq!(new.as_ref().map(|new| new.bytes().to_vec()), wanted.clone());
            let (Some(new), Some(wanted)) = (new, wanted) else { continue };
            prop_assert_eq!(patched.same(&new), bytes == wanted);
            prop_assert_eq!(new.is_nothing(), is_nothing(&wanted));
            prop_assert_eq!(new.accepts(["\u{e9}"].into_iter()).is_ok(), std::str::from_utf8(&wanted).is_ok());
            (patched, bytes) = (new, wanted);
        }
    }
}

/// The first lines of a file go, of which it has just as many as lie together; what comes next starts at line 1.
#[test]
fn a_mark_whose_lines_are_removed_begins_the_next_line() {
    let file = format!("\u{feff}c\nlong line of a file\n{}b\na\nb\n", "a\n".repeat(11));
    let lines = |lines: &[(LineKind, &'static str)], stated| Simple { stated, lines: lines.to_vec() };
    let first = lines(&[(LineKind::Removed, "c"), (LineKind::Removed, "long line of a file")], None);
    let second = lines(&[(LineKind::Removed, "a"), (LineKind::Added, "A")], Some(13));
    let (patched, _) = Patched::from(file.into_bytes()).apply(&[hunk(&first)]).unwrap();
    assert_eq!(patched.count(), 14);
    let (patched, places) = patched.apply(&[hunk(&second)]).unwrap();
    assert_eq!(places[0].line, 13);
    assert_eq!(patched.bytes(), format!("\u{feff}{}b\nA\nb\n", "a\n".repeat(11)).as_bytes());
}

/// The first and the last line of a file go, and the windows of both take in the one chunk between them.
#[test]
fn windows_that_grow_into_one_another_are_one() {
    for end in ["c", "c\n"] {
        let file = format!("\u{feff}b\n{LONG}\n{end}");
        let removed = |text| Simple { stated: None, lines: vec![(LineKind::Removed, text)] };
        let simple = [removed("c"), removed("b")];
        let hunks: Vec<_> = simple.iter().map(hunk).collect();
        let new = Patched::from(file.clone().into_bytes()).apply(&hunks).unwrap().0;
        let ending = if end == "c" { "" } else { "\n" };
        assert_eq!(new.bytes(), format!("\u{feff}{LONG}{ending}").as_bytes());
        assert_eq!(Some(new.bytes().to_vec()), whole(file.as_bytes(), &hunks));
    }
}
