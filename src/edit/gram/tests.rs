use super::*;

/// Notes what is told, and has enough of a text after so many places.
struct Notes {
    found: Vec<Vec<usize>>,
    dropped: Vec<usize>,
    enough: usize,
}

impl Sink for Notes {
    fn found(&mut self, text: usize, _len: usize, at: usize) -> Interest {
        self.found[text].push(at);
        if self.found[text].len() < self.enough { Interest::Wanted } else { Interest::Sated }
    }

    fn dropped(&mut self, text: usize) {
        self.dropped.push(text);
    }
}

/// What is told of texts that are chosen by a sample and looked for in other texts, one after the other.
fn told(texts: &[String], sample: &str, searched: &[&str], enough: usize) -> Notes {
    let mut notes = Notes { found: vec![Vec::new(); texts.len()], dropped: Vec::new(), enough };
    let texts = texts.iter().map(|text| Arc::from(text.as_bytes())).collect();
    let mut grams = Grams::new(texts, sample.as_bytes(), &mut notes);
    for text in searched {
        grams.scan(text.as_bytes(), &mut notes);
    }
    notes
}

fn places(text: &str, part: &str) -> Vec<usize> {
    (0..text.len()).filter(|&at| text.as_bytes()[at..].starts_with(part.as_bytes())).collect()
}

#[test]
fn a_filter_made_again_on_the_way_loses_no_place() {
    let searched = "a".repeat(40) + &"b".repeat(3000) + &"a".repeat(9000) + &"ab".repeat(100);
    for (rare, frequent) in [("b", "a"), ("abab", "aaaa"), ("abababab", "aaaaaaaa")] {
        let texts = [frequent.to_owned(), rare.to_owned()];
        let notes = told(&texts, "", &[&searched], 7000);
        assert_eq!(notes.found[0], places(&searched, frequent)[..7000], "{frequent}");
        assert_eq!(notes.found[1], places(&searched, rare), "{rare}");
        assert_eq!(notes.dropped, [0], "{frequent}");
    }
    // Every place at which the filter may be made again is one at which the other text stands.
    let searched = "ab".repeat(6000);
    let notes = told(&["a".to_owned(), "b".to_owned(), "ba".to_owned()], "", &[&searched], 5900);
    for (text, part) in ["a", "b", "ba"].into_iter().enumerate() {
        assert_eq!(notes.found[text], places(&searched, part)[..5900], "{part}");
    }
    let notes = told(&["a".to_owned(), "b".to_owned()], "", &[&searched, &searched], 1);
    assert_eq!((notes.found, notes.dropped), (vec![vec![0], vec![1]], vec![0, 1]));
}

#[test]
fn a_text_that_has_had_enough_leaves_the_others_with_its_gram() {
    // All have the same rarest gram, for the sample has every other one.
    let texts: Vec<_> = ["aaaaaaaabbb", "aaaaaaaabb", "aaaaaaaab"].map(str::to_owned).into();
    let sample = "aaaaaaabbbb".repeat(10);
    let searched = ["aaaaaaaabbb aaaaaaaabbb aaaaaaaab", "aaaaaaaabb aaaaaaaab"];
    let notes = told(&texts, &sample, &searched, 2);
    assert_eq!(notes.found, [vec![0, 12], vec![0, 12], vec![0, 12]]);
    assert_eq!(notes.dropped.len(), 3);
    let notes = told(&texts, &sample, &searched, 3);
    assert_eq!(notes.found, [vec![0, 12], vec![0, 12, 0], vec![0, 12, 24]]);
    let notes = told(&texts, &sample, &searched, 100);
    assert_eq!(notes.found, [vec![0, 12], vec![0, 12, 0], vec![0, 12, 24, 0, 11]]);
    assert_eq!(notes.dropped, [0; 0]);
}

#[test]
fn comparing_without_end_is_given_up() {
    let texts: Vec<_> =
        (10..40).map(|number| format!("{}{}{number}", "a".repeat(8), "b".repeat(8))).collect();
    let sample: String = texts.iter().map(|text| text.get(1..).unwrap().repeat(60)).collect();
    let searched = "a".repeat(4000);
    let notes = told(&texts, &sample, &[&searched], 2);
    let mut dropped = notes.dropped;
    dropped.sort_unstable();
    assert_eq!(dropped, (0..30).collect::<Vec<_>>());
    assert!(notes.found.iter().all(Vec::is_empty));
    // A text has its part in the budget, and few comparisons are always made.
    let notes = told(&texts, &sample, &["aaaaaaaaaaa", &texts[4]], 2);
    assert_eq!((notes.dropped, &notes.found[4]), (vec![], &vec![0]));
    let roomy = format!("{}{}", ".".repeat(200_000), "a".repeat(4000));
    assert_eq!(told(&texts, &sample, &[&roomy], 2).dropped, [0; 0]);
}

#[test]
fn texts_of_frequent_grams_are_looked_for_at_each_place_or_otherwise() {
    let long = "a".repeat(40);
    let many = |short: usize| {
        let short = (0..short).map(|number| format!("{number:08}"));
        std::iter::once(long.clone()).chain(short).collect::<Vec<_>>()
    };
    let searched = format!("..{long}..00000003");
    let notes = told(&many(WORTH_A_PASS - 1), &"a".repeat(2000), &[&searched], 2);
    assert_eq!((notes.dropped, &notes.found[0], &notes.found[4]), (vec![], &vec![2], &vec![44]));
    let notes = told(&many(WORTH_A_PASS - 2), &"a".repeat(2000), &[&searched], 2);
    assert_eq!((notes.dropped, &notes.found[0], &notes.found[4]), (vec![0], &vec![], &vec![44]));
    // Where its grams are rare it is met at every offset from a step, whatever the length of that.
    let all = "abcdefghijklmnopqrstuvwxyzABCDEF";
    for (before, len) in (0..20).flat_map(|before| [(before, 16), (before, 31), (before, 32)]) {
        let text = all.get(..len).unwrap();
        let searched = format!("{}{text}.{text}", ".".repeat(before));
        let notes = told(&[text.to_owned()], "", &[&searched], 9);
        let mut found = notes.found[0].clone();
        found.sort_unstable();
        assert_eq!(found, [before, before + len + 1]);
    }
}

#[test]
fn texts_with_too_frequent_grams_for_long_steps_are_met_at_shorter_ones() {
    // The only rare grams are those at the first five places.
    let text = |number: usize| format!("aaaa{}{}", char::from(b'b' + number as u8), "a".repeat(27));
    let texts: Vec<String> = (0..WORTH_A_PASS).map(text).collect();
    let sample = "a".repeat(2000);
    let shared: Vec<Arc<[u8]>> = texts.iter().map(|text| Arc::from(text.as_bytes())).collect();
    let (classes, poor) = Class::of_gram::<8>(&Kind::ALL[3..], &shared, sample.as_bytes());
    let steps: Vec<usize> = classes.iter().map(|class| class.kind.step).collect();
    assert_eq!((steps, poor), (vec![8, 4], vec![]));
    let searched: String = (0..20).map(|number| format!("{}{}", ".".repeat(number), text(number))).collect();
    let notes = told(&texts, &sample, &[&searched], 9);
    for (text, found) in texts.iter().zip(&notes.found) {
        assert_eq!(found, &places(&searched, text), "{text}");
    }
}
