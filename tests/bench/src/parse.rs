//! Parsing, in this thread.

use std::time::Duration;

use code_parser::ast::{InputKind, Node};
use code_parser::parse;
use code_parser::source::Source;
use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::clock::least;
use crate::hand;
use crate::inputs::{Holds, Input};
use crate::table::Table;

/// What this library finds in a text.
pub fn ours(text: &str, kind: InputKind) -> Holds {
    let Ok(source) = Source::new(text) else { return Holds::default() };
    let parsed = parse(&source, kind);
    let mut holds = Holds::default();
    count(&parsed.document.nodes, &mut holds);
    holds
}

fn count(nodes: &[Node], holds: &mut Holds) {
    for node in nodes {
        match node {
            Node::CodeBlock(block) => {
                holds.fences += 1;
                count(&block.children, holds);
            }
            Node::SearchReplace(_) => holds.blocks += 1,
            Node::InlineEdit(_) => holds.sentences += 1,
            Node::FilePatch(patch) => {
                holds.files += 1;
                holds.hunks += patch.hunks.len();
            }
        }
    }
}

/// The fenced code blocks that pulldown-cmark finds, and a sum of places so that they have to be made.
fn markdown(text: &str) -> (usize, usize) {
    let events = Parser::new_ext(text, Options::empty()).into_offset_iter();
    events.fold((0, 0), |(fences, sum), (event, range)| {
        let is_fence =
            matches!(event, Event::Start(Tag::CodeBlock(pulldown_cmark::CodeBlockKind::Fenced(_))));
        (fences + usize::from(is_fence), sum ^ range.start ^ range.end)
    })
}

fn floor(table: &Table, text: &str, runs: usize, base: Duration) {
    let (time, _) = least(runs, || hand::lines(text.as_bytes()));
    table.row("newlines counted", text.len(), time, base);
}

/// Replies or documents beside pulldown-cmark, which must be at least `goal` times slower.
pub fn prose(table: &mut Table, title: &str, input: &Input, goal: f64, runs: usize) {
    let text = &input.text;
    table.section(&format!("parse {title}, {:.1} MB", text.len() as f64 / 1e6));
    let (peer, (fences, _)) = least(runs, || markdown(text));
    let (own, found) = least(runs, || ours(text, InputKind::Response));
    table.row("pulldown-cmark, offset iterator", text.len(), peer, peer);
    table.row("code_parser", text.len(), own, peer);
    floor(table, text, runs, peer);
    if let Some(holds) = input.holds {
        table.check("code_parser", found == holds, &format!("{found:?} of {holds:?}"));
        table.check(
            "pulldown-cmark",
            fences == holds.fences,
            &format!("{fences} of {} fences", holds.fences),
        );
    } else {
        println!("  found: {found:?}; pulldown-cmark: {fences} fences");
    }
    let ratio = peer.as_secs_f64() / own.as_secs_f64();
    table.goal(ratio >= goal, format!("{title}: {ratio:.2}x pulldown-cmark (goal: at least {goal}x)"));
}

/// A patch file of blocks beside a loop written by hand.
pub fn blocks(table: &mut Table, input: &Input, runs: usize) {
    let text = &input.text;
    table.section(&format!("parse SEARCH/REPLACE blocks, {:.1} MB", text.len() as f64 / 1e6));
    let (base, by_hand) = least(runs, || hand::blocks(text.as_bytes()));
    let sections: usize =
        by_hand.iter().map(|block| block.path.len() + block.search.len() + block.replace.len()).sum();
    let (own, found) = least(runs, || ours(text, InputKind::Fsrb));
    let (peer, patches) = least(1, || mpatch::parse_aider(text));
    let peer_found: usize = patches.iter().map(|patch| patch.hunks.len()).sum();
    table.row("loop written by hand", text.len(), base, base);
    table.row("code_parser", text.len(), own, base);
    table.row("mpatch", text.len(), peer, base);
    floor(table, text, runs, base);
    let wanted = input.holds.map_or(by_hand.len(), |holds| holds.blocks);
    table.check(
        "loop written by hand",
        by_hand.len() == wanted && sections > 0,
        &format!("{} of {wanted}", by_hand.len()),
    );
    table.check("code_parser", found.blocks == wanted, &format!("{} of {wanted} blocks", found.blocks));
    if peer_found != wanted {
        println!("  mpatch finds {peer_found} of {wanted} blocks");
    }
    let ratio = own.as_secs_f64() / base.as_secs_f64();
    table.goal(
        ratio <= 2.0,
        format!("SEARCH/REPLACE blocks: {ratio:.2}x the loop written by hand (goal: at most 2x)"),
    );
}

/// A unified diff beside other parsers of diffs.
pub fn diff(table: &mut Table, input: &Input, runs: usize) {
    let text = &input.text;
    table.section(&format!("parse a unified diff, {:.1} MB", text.len() as f64 / 1e6));
    let (peer, of_diffy) = least(runs, || diffy_counts(text));
    let (own, found) = least(runs, || ours(text, InputKind::Diff));
    let (mpatch, of_mpatch) = least(1, || {
        let patches = mpatch::parse_patches(text).unwrap_or_default();
        (patches.len(), patches.iter().map(|patch| patch.hunks.len()).sum::<usize>())
    });
    let (gitpatch, of_gitpatch) = least(1, || {
        let patches = gitpatch::Patch::from_multiple(text).unwrap_or_default();
        (patches.len(), patches.iter().map(|patch| patch.hunks.len()).sum::<usize>())
    });
    table.row("diffy", text.len(), peer, peer);
    table.row("code_parser", text.len(), own, peer);
    table.row("mpatch", text.len(), mpatch, peer);
    table.row("gitpatch", text.len(), gitpatch, peer);
    floor(table, text, runs, peer);
    let wanted = input.holds.map_or(of_diffy, |holds| (holds.files, holds.hunks));
    let say = |counts: (usize, usize)| {
        format!("{} files, {} hunks of {}, {}", counts.0, counts.1, wanted.0, wanted.1)
    };
    table.check("code_parser", (found.files, found.hunks) == wanted, &say((found.files, found.hunks)));
    table.check("diffy", of_diffy == wanted, &say(of_diffy));
    for (name, counts) in [("mpatch", of_mpatch), ("gitpatch", of_gitpatch)] {
        if counts != wanted {
            println!("  {name} finds {}", say(counts));
        }
    }
    let ratio = peer.as_secs_f64() / own.as_secs_f64();
    table.goal(ratio >= 1.3, format!("unified diff: {ratio:.2}x diffy (goal: at least 1.3x)"));
}

fn diffy_counts(text: &str) -> (usize, usize) {
    use diffy::patch_set::{ParseOptions, PatchSet};
    let patches = PatchSet::parse(text, ParseOptions::gitdiff()).flatten();
    patches.fold((0, 0), |(files, hunks), file| {
        (files + 1, hunks + file.patch().as_text().map_or(0, |patch| patch.hunks().len()))
    })
}
