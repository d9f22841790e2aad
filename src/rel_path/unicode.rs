//! Characters that are not seen.

/// The characters of `\p{Cf}`, `\p{Zl}`, `\p{Zp}` and `\p{Default_Ignorable_Code_Point}` in Unicode 16.0, as
/// ranges in order. A table of our own: so few ranges that hardly change from one version to the next need no crate.
const IGNORABLE: [(char, char); 25] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Whether a character is not seen, or turns the direction of what follows.
pub(crate) fn is_ignorable(character: char) -> bool {
    let after = IGNORABLE.partition_point(|&(first, _)| first <= character);
    after.checked_sub(1).and_then(|at| IGNORABLE.get(at)).is_some_and(|&(_, last)| character <= last)
}

/// Whether it is one that scripts and emoji need: the two joiners and the variation selectors.
pub(crate) fn is_allowed_ignorable(character: char) -> bool {
    matches!(
        character,
        '\u{200c}' | '\u{200d}' | '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

#[cfg(test)]
mod tests {
    use super::{IGNORABLE, is_allowed_ignorable, is_ignorable};
    use regex_syntax::hir::{Class, HirKind};

    /// The ranges of a character class in the Unicode tables that `regex-syntax` carries.
    fn ranges(class: &str) -> Vec<(char, char)> {
        match regex_syntax::parse(class).unwrap().into_kind() {
            HirKind::Class(Class::Unicode(class)) => {
                class.ranges().iter().map(|range| (range.start(), range.end())).collect()
            }
            other => panic!("not a class: {other:?}"),
        }
    }

    #[test]
    fn table_is_that_of_unicode() {
        assert_eq!(IGNORABLE.to_vec(), ranges(r"[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]"));
    }

    #[test]
    fn allowed_ones_are_ignorable() {
        let selectors = ranges(r"\p{Variation_Selector}");
        for (first, last) in selectors.into_iter().chain([('\u{200c}', '\u{200d}')]) {
            assert!((first..=last).all(|c| is_allowed_ignorable(c) && is_ignorable(c)), "{first:?}");
        }
        let allowed = ('\0'..=char::MAX).filter(|&c| is_allowed_ignorable(c)).count();
        assert_eq!(allowed, 260 + 2, "the variation selectors and the joiners, no more");
    }
}
