//! What holds for the data that any text gives.

use std::collections::BTreeMap;

use code_parser::apply::plan::{Options, Plan, Scope};
use code_parser::ast::InputKind;
use code_parser::source::{Source, Span};
use code_parser::{RelPath, parse};
use serde_json::Value;

/// Any text: its document, its diagnostics and the report of a plan are JSON that is read as what it was, with the same
/// bytes each time, and every place in it is one of the text.
pub(crate) fn check(text: &str) {
    let source = Source::new(text).unwrap();
    for kind in [InputKind::Fsrb, InputKind::Response, InputKind::Diff] {
        let written = written(&source, kind);
        assert_eq!(written, self::written(&source, kind));
        for json in &written {
            assert!(!json.contains('\n'));
            let value: Value = serde_json::from_str(json).unwrap();
            let again: Value = serde_json::from_str(&serde_json::to_string(&value).unwrap()).unwrap();
            assert_eq!(value, again);
            places(&value, &source);
        }
    }
}

fn written(source: &Source<'_>, kind: InputKind) -> [String; 3] {
    let parsed = parse(source, kind);
    let files: BTreeMap<RelPath, Vec<u8>> = BTreeMap::new();
    let options = Options { scope: Scope::EachFile, ..Options::default() };
    let report = Plan::new(&parsed.changes(), &files, &options).unwrap().report();
    [
        serde_json::to_string(&parsed.document).unwrap(),
        serde_json::to_string(&parsed.diagnostics).unwrap(),
        serde_json::to_string(&report).unwrap(),
    ]
}

/// Every object with a start and an end in bytes is a stretch of the text.
fn places(value: &Value, source: &Source<'_>) {
    let offset = |value: Option<&Value>| value.and_then(Value::as_u64).and_then(|at| u32::try_from(at).ok());
    match value {
        Value::Object(fields) => {
            if let (Some(start), Some(end)) = (offset(fields.get("start")), offset(fields.get("end"))) {
                assert!(start <= end && end <= source.end(), "{start} to {end}");
                assert_eq!(source.slice(Span::new(start, end)).len(), (end - start) as usize);
            }
            fields.values().for_each(|field| places(field, source));
        }
        Value::Array(values) => values.iter().for_each(|value| places(value, source)),
        _ => {}
    }
}
