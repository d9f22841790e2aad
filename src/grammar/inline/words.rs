//! Words of prose that put an order in doubt.

/// The words of a text; an apostrophe or hyphen inside is part of a word.
pub(super) fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !is_word_char(c)).filter(|word| !word.is_empty())
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')
}

/// Words that are looked for, in any case.
struct WordList {
    words: &'static [&'static str],
    /// For each length in bytes a bit for each letter that one of them begins with: nearly no other word has its bit.
    initials: [u32; Self::LONGEST + 1],
}

impl WordList {
    const LONGEST: usize = 15;

    /// Takes words of at most 15 bytes each.
    #[expect(clippy::indexing_slicing, reason = "the compiler itself would fail")]
    const fn new(words: &'static [&'static str]) -> Self {
        let (mut initials, mut at) = ([0; Self::LONGEST + 1], 0);
        while at < words.len() {
            let word = words[at].as_bytes();
            initials[word.len()] |= Self::bit(word[0]);
            at += 1;
        }
        Self { words, initials }
    }

    /// The same for both cases of a letter.
    const fn bit(initial: u8) -> u32 {
        1 << (initial & 0x1f)
    }

    fn has(&self, word: &str) -> bool {
        let bits = self.initials.get(word.len()).copied().unwrap_or(0);
        let fits = word.bytes().next().is_some_and(|initial| bits & Self::bit(initial) != 0);
        fits && self.words.iter().any(|known| word.eq_ignore_ascii_case(known))
    }
}

/// Words that say that what follows is one of several ways, or an example.
const CHOICE: WordList = WordList::new(&[
    "example",
    "examples",
    "option",
    "options",
    "optional",
    "optionally",
    "alternative",
    "alternatives",
    "alternatively",
    "either",
    "suppose",
    "imagine",
    "hypothetical",
    "hypothetically",
]);

/// Whether a text says that what follows is one of several ways, or an example.
pub(super) fn offers_choice(text: &str) -> bool {
    words(text).any(|word| CHOICE.has(word))
}

/// Whether the words before a colon forbid what follows, make it depend on something, say that somebody said it, or
/// offer a choice.
pub(super) fn puts_in_doubt(introduction: &str) -> bool {
    const WORDS: WordList = WordList::new(&[
        "if",
        "unless",
        "whenever",
        "could",
        "might",
        "would",
        "don't",
        "don’t",
        "never",
        "avoid",
        "shouldn't",
        "shouldn’t",
        "mustn't",
        "mustn’t",
        "cannot",
    ]);
    const BEFORE_NOT: WordList = WordList::new(&["do", "must", "should", "may", "please", "rather"]);
    const SAYING: WordList = WordList::new(&[
        "ask",
        "asked",
        "asks",
        "say",
        "said",
        "says",
        "wrote",
        "writes",
        "suggested",
        "suggests",
    ]);
    let (mut first, mut previous) = (None, "");
    for word in words(introduction) {
        let forbids = word.eq_ignore_ascii_case("not") && BEFORE_NOT.has(previous);
        if forbids || WORDS.has(word) || CHOICE.has(word) {
            return true;
        }
        first.get_or_insert(word);
        previous = word;
    }
    first.is_some_and(|first| first.eq_ignore_ascii_case("when")) || SAYING.has(previous)
}

/// Whether the words behind an order change what it says.
pub(super) fn changes_order(tail: &str) -> bool {
    const WORDS: WordList = WordList::new(&[
        "if",
        "unless",
        "when",
        "whenever",
        "or",
        "maybe",
        "perhaps",
        "optional",
        "optionally",
        "alternative",
        "alternatively",
        "otherwise",
        "except",
        "whatever",
        "might",
        "could",
        "example",
        "but",
        "and",
        "also",
        "too",
        "likewise",
        "before",
        "after",
        "once",
        "until",
        "only",
        "then",
        "try",
        "reproduce",
        "experiment",
        "temporarily",
    ]);
    words(tail).any(|word| WORDS.has(word))
}

/// Whether a sentence that begins so takes back the order before it.
pub(super) fn takes_back(next_sentence: &str) -> bool {
    const WORDS: WordList =
        WordList::new(&["or", "alternatively", "otherwise", "only", "unless", "optional", "optionally"]);
    words(next_sentence).next().is_some_and(|word| WORDS.has(word))
}

/// Whether a sentence orders a change, with the texts to change quoted. Where it is not read as one (it names no file,
/// say), the order before it is only a part of what is wanted.
pub(super) fn orders_more(next_sentence: &str) -> bool {
    const LEADS: WordList = WordList::new(&["then", "also", "and", "next", "finally"]);
    const VERBS: WordList = WordList::new(&["change", "replace", "update", "modify"]);
    let mut words = words(next_sentence).skip_while(|word| LEADS.has(word));
    words.next().is_some_and(|word| VERBS.has(word)) && next_sentence.contains(['`', '"'])
}

/// Whether the full stop behind the text belongs to its last word.
pub(super) fn ends_in_abbreviation(text: &str) -> bool {
    const WORDS: WordList =
        WordList::new(&["etc", "vs", "cf", "ex", "approx", "incl", "fig", "eg", "ie", "resp", "ca", "opt"]);
    const LONGEST: usize = 8;
    let tail = text
        .bytes()
        .rev()
        .take(LONGEST)
        .take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'.')
        .count();
    let word = text.len().checked_sub(tail).and_then(|at| text.get(at..)).unwrap_or("");
    WORDS.has(word) || word.contains('.') || word.len() == 1 && word != "I"
}

#[cfg(test)]
mod tests {
    use super::{ends_in_abbreviation, puts_in_doubt};

    #[test]
    fn introductions_in_doubt() {
        for text in [
            "If you use Windows",
            "You must not do this",
            "For example",
            "**Option 2**",
            "The docs say",
            "When you deploy",
        ] {
            assert!(puts_in_doubt(text), "{text}");
        }
        for text in ["Here are the changes you asked for", "The config is not loaded", "Two edits"] {
            assert!(!puts_in_doubt(text), "{text}");
        }
    }

    #[test]
    fn abbreviations() {
        for (text, want) in [("e.g", true), ("cats etc", true), ("easy", false), ("é", false), ("", false)] {
            assert_eq!(ends_in_abbreviation(text), want, "{text}");
        }
    }
}
