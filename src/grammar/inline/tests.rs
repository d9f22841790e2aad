use super::*;
use crate::grammar::lines::lex;
use crate::source::slice;

fn found(text: &str) -> Vec<[&str; 4]> {
    let tokens = lex(text);
    sentences(&[Lines::new(text, &tokens)])
        .into_iter()
        .map(|edit| [edit.span, edit.path.span, edit.old, edit.new].map(|span| slice(text, span)))
        .collect()
}

#[test]
fn scratch() {
    let table = include_str!("../../../tests/fixtures/sentences.txt");
    for case in table.split("\n\n").filter(|case| case.contains("case ")) {
        let input: String =
            case.lines().filter_map(|l| l.strip_prefix('|')).map(|l| format!("{l}\n")).collect();
        let expect: Vec<_> = case.lines().filter(|l| ["edit", "narration"].contains(l)).collect();
        let val = |key: &str| {
            case.lines()
                .filter_map(|l| l.trim_start().strip_prefix(key))
                .filter(|l| l.starts_with('['))
                .map(|l| l[1..l.len() - 1].to_string())
                .collect::<Vec<_>>()
        };
        let got = found(&input);
        let ok = got.len() == expect.len()
            && got.iter().map(|g| g[1]).eq(val("path "))
            && got.iter().map(|g| g[2]).eq(val("old "))
            && got.iter().map(|g| g[3]).eq(val("new "));
        let spans = val("span ");
        let ok = ok && (spans.is_empty() || got.iter().map(|g| g[0]).eq(spans));
        if !ok {
            println!("{case}\n GOT {got:?}\n");
        }
    }
}
