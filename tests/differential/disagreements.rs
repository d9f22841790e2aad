//! Where the others do something else, and why that is right.

use crate::damage::Damage;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tool {
    Git,
    Patch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Disagreement {
    /// We refuse what they apply.
    WeRefuse,
    /// They refuse what we apply.
    TheyRefuse,
    /// Both apply, with different results.
    Other,
}

/// How a tool differs where the diff is damaged so.
pub(crate) type Kind = (Damage, Tool, Disagreement);

/// With the reasons.
pub(crate) const KNOWN: &[(Kind, &str)] = &[
    (
        (Damage::None, Tool::Git, Disagreement::WeRefuse),
        "`--- x`, `+++ y`, `@@` start a file, whatever the counts say",
    ),
    ((Damage::None, Tool::Patch, Disagreement::WeRefuse), "as above"),
    (
        (Damage::None, Tool::Git, Disagreement::Other),
        "without context it does not heed that a line is the last one",
    ),
    (
        (Damage::LostBlanks, Tool::Patch, Disagreement::TheyRefuse),
        "a rename of a name with blanks is beyond it",
    ),
    (
        (Damage::LostSign, Tool::Git, Disagreement::TheyRefuse),
        "the last context line of a hunk lost its sign; nothing is lost with it",
    ),
    ((Damage::LostSign, Tool::Patch, Disagreement::TheyRefuse), "as above"),
    ((Damage::Twice, Tool::Git, Disagreement::Other), "it starts from the stated line"),
    (
        (Damage::None, Tool::Patch, Disagreement::TheyRefuse),
        "a rename or copy without hunks of a name with blanks, and its mode alone, is beyond it",
    ),
    ((Damage::Prose, Tool::Patch, Disagreement::TheyRefuse), "as above"),
    ((Damage::Starts, Tool::Patch, Disagreement::TheyRefuse), "as above"),
    (
        (Damage::Starts, Tool::Git, Disagreement::TheyRefuse),
        "a hunk with less context above than below, or that starts at line 1, must be at the start of the file; and its end alike",
    ),
    (
        (Damage::Starts, Tool::Git, Disagreement::WeRefuse),
        "a hunk of new lines alone that is to go below the end goes to the end; of two places equally near it takes one",
    ),
    ((Damage::Starts, Tool::Patch, Disagreement::WeRefuse), "as above"),
    (
        (Damage::Starts, Tool::Git, Disagreement::Other),
        "it starts from the stated line and not from where the hunk before was",
    ),
    ((Damage::Starts, Tool::Patch, Disagreement::Other), "as above"),
    ((Damage::Counts, Tool::Git, Disagreement::TheyRefuse), "counts are believed"),
    (
        (Damage::Counts, Tool::Git, Disagreement::Other),
        "counts are believed, and the lines behind them ignored",
    ),
    ((Damage::Counts, Tool::Patch, Disagreement::TheyRefuse), "as above"),
    ((Damage::Counts, Tool::Patch, Disagreement::Other), "as above"),
    ((Damage::NoNumbers, Tool::Git, Disagreement::TheyRefuse), "a hunk header without numbers is none"),
    ((Damage::NoNumbers, Tool::Patch, Disagreement::TheyRefuse), "as above"),
    ((Damage::NoNumbers, Tool::Git, Disagreement::Other), "the file is renamed and its hunks are ignored"),
    ((Damage::NoNumbers, Tool::Patch, Disagreement::Other), "as above"),
    (
        (Damage::NoNumbers, Tool::Git, Disagreement::WeRefuse),
        "the file is renamed and its hunks, of which one fits several places, are ignored",
    ),
    ((Damage::NoNumbers, Tool::Patch, Disagreement::WeRefuse), "as above"),
    ((Damage::CrLfDiff, Tool::Git, Disagreement::TheyRefuse), "a CR is a part of the line"),
    (
        (Damage::CrLfDiff, Tool::Git, Disagreement::Other),
        "a CR is a part of the line, also of one that is added",
    ),
    ((Damage::CrLfDiff, Tool::Patch, Disagreement::TheyRefuse), "as above"),
    ((Damage::CrLfDiff, Tool::Patch, Disagreement::Other), "as above"),
    ((Damage::CrLfFiles, Tool::Git, Disagreement::TheyRefuse), "a CR is a part of the line"),
    (
        (Damage::CrLfFiles, Tool::Git, Disagreement::Other),
        "added lines get the ending that they have in the diff",
    ),
    ((Damage::CrLfFiles, Tool::Patch, Disagreement::TheyRefuse), "as above"),
    ((Damage::CrLfFiles, Tool::Patch, Disagreement::Other), "as above"),
    (
        (Damage::NoFinalNewline, Tool::Git, Disagreement::TheyRefuse),
        "the last line counts only with its ending",
    ),
    ((Damage::NoFinalNewline, Tool::Patch, Disagreement::TheyRefuse), "as above"),
    ((Damage::NoFinalNewline, Tool::Patch, Disagreement::Other), "as above"),
    ((Damage::NoMarkers, Tool::Git, Disagreement::TheyRefuse), "the file must end as the diff says"),
    ((Damage::NoMarkers, Tool::Git, Disagreement::Other), "it must end as the diff says afterwards"),
    ((Damage::NoMarkers, Tool::Patch, Disagreement::TheyRefuse), "as above"),
    ((Damage::Reordered, Tool::Git, Disagreement::Other), "it starts from the stated line"),
    ((Damage::Reordered, Tool::Patch, Disagreement::TheyRefuse), "hunks must be in order"),
    (
        (Damage::Twice, Tool::Git, Disagreement::WeRefuse),
        "lines are added at the start of a file that is not empty any more, behind a last line without ending",
    ),
    ((Damage::Twice, Tool::Patch, Disagreement::WeRefuse), "as above"),
    ((Damage::Twice, Tool::Git, Disagreement::TheyRefuse), "a hunk that ended the file must do so again"),
    ((Damage::Twice, Tool::Patch, Disagreement::TheyRefuse), "as above"),
    ((Damage::TrailingBlanks, Tool::Git, Disagreement::TheyRefuse), "blanks at the ends of lines count"),
    ((Damage::TrailingBlanks, Tool::Patch, Disagreement::TheyRefuse), "as above"),
];

pub(crate) fn is_known(kind: Kind) -> bool {
    KNOWN.iter().any(|row| row.0 == kind)
}
