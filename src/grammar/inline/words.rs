//! Words of prose that put an order in doubt.

/// The words of a text; an apostrophe or hyphen inside is part of a word.
pub(super) fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !is_word_char(c)).filter(|word| !word.is_empty())
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    const LONGEST: usize = 14;
    let first = |word: &str| word.as_bytes().first().map(u8::to_ascii_lowercase);
    let start = first(word);
    let is =
        |known: &&str| known.len() == word.len() && first(known) == start && word.eq_ignore_ascii_case(known);
    word.len() <= LONGEST && list.iter().any(is)
}

/// Whether a text says that what follows is one of several ways, or an example.
pub(super) fn offers_choice(text: &str) -> bool {
    const WORDS: &[&str] = &[
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
    ];
    words(text).any(|word| is_one_of(word, WORDS))
}

/// Whether the words before a colon forbid what follows, make it depend on something, or say that somebody said it.
pub(super) fn puts_in_doubt(introduction: &str) -> bool {
    const WORDS: &[&str] = &[
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
    ];
    const BEFORE_NOT: &[&str] = &["do", "must", "should", "may", "please", "rather"];
    const SAYING: &[&str] =
        &["ask", "asked", "asks", "say", "said", "says", "wrote", "writes", "suggested", "suggests"];
    let mut previous = "";
    for word in words(introduction) {
        let forbids = word.eq_ignore_ascii_case("not") && is_one_of(previous, BEFORE_NOT);
        if forbids || is_one_of(word, WORDS) {
            return true;
        }
        previous = word;
    }
    let first = words(introduction).next().unwrap_or("");
    first.eq_ignore_ascii_case("when") || is_one_of(previous, SAYING) || offers_choice(introduction)
}

/// Whether the words behind an order change what it says.
pub(super) fn changes_order(tail: &str) -> bool {
    const WORDS: &[&str] = &[
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
    ];
    words(tail).any(|word| is_one_of(word, WORDS))
}

/// Whether a sentence that begins so takes back the order before it.
pub(super) fn takes_back(next_sentence: &str) -> bool {
    const WORDS: &[&str] = &["or", "alternatively", "otherwise", "only", "unless", "optional", "optionally"];
    words(next_sentence).next().is_some_and(|word| is_one_of(word, WORDS))
}

/// Whether a sentence orders a change, with the texts to change quoted. Where it is not read as one (it names no file,
/// say), the order before it is only a part of what is wanted.
pub(super) fn orders_more(next_sentence: &str) -> bool {
    const LEADS: &[&str] = &["then", "also", "and", "next", "finally"];
    const VERBS: &[&str] = &["change", "replace", "update", "modify"];
    let mut words = words(next_sentence).skip_while(|word| is_one_of(word, LEADS));
    words.next().is_some_and(|word| is_one_of(word, VERBS)) && next_sentence.contains(['`', '"'])
}

/// Whether the full stop behind the text belongs to its last word.
pub(super) fn ends_in_abbreviation(text: &str) -> bool {
    const WORDS: &[&str] =
        &["etc", "vs", "cf", "ex", "approx", "incl", "fig", "eg", "ie", "resp", "ca", "opt"];
    const LONGEST: usize = 8;
    let tail = text
        .bytes()
        .rev()
        .take(LONGEST)
        .take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'.')
        .count();
    let word = text.len().checked_sub(tail).and_then(|at| text.get(at..)).unwrap_or("");
    is_one_of(word, WORDS) || word.contains('.') || word.len() == 1 && word != "I"
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
