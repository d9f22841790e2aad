//! `--format prompt`, `--format sarif`, `--explain` and `--generate`.

use code_parser::diagnostic::Code;
use serde_json::Value;

use super::support::{Ran, Tree, block};

fn tree() -> Tree {
    Tree::new(&[("a b.py", "x = 1\ny = 2\nx = 1\n"), ("b.py", "z = 1\n")])
}

/// One edit that is right, one that matches twice, one for a file that is not there.
fn input() -> String {
    block("b.py", "z = 1\n", "z = 2\n")
        + &block("a b.py", "x = 1\n", "x = 3\n")
        + &block("c/\u{fc}.py", "q\n", "r\n")
}

#[test]
fn prompt_says_what_to_send_again() {
    let (tree, input) = (tree(), input());
    let before = tree.files();
    let ran = tree.pipe(["--format", "prompt", "-"], &input);
    let expected = "\
None of the 3 edits was applied, because 2 of them are wrong. Nothing was written: send all 3 edits again, with those \
2 corrected.
Right: edit 1.

Edit 2 (`a b.py`, line 8 of your reply): ambiguous-match: SEARCH block matches 2 places in the file, at lines 1, 3.
";
    assert!(ran.stdout.starts_with(expected), "{ran:?}");
    assert!(
        ran.stdout.contains(
            "\nEdit 3 (`c/\u{fc}.py`, line 14 of your reply): file-not-found: the file does not exist.\n"
        ),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("\nTo mend file-not-found: Give the path of a file that exists"), "{ran:?}");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    assert_eq!(tree.files(), before);
    assert!(!ran.stdout.contains(tree.path().to_str().unwrap()), "{ran:?}");
    let absolute = tree.pipe(["--format", "prompt", "--root", tree.path().to_str().unwrap(), "-"], &input);
    assert_eq!(absolute.stdout, ran.stdout);
}

#[test]
fn prompt_keeps_within_its_budget() {
    let (tree, input) = (tree(), input());
    let whole = tree.pipe(["--format", "prompt", "-"], &input).stdout;
    for budget in (0..whole.len()).step_by(50) {
        let ran = tree.pipe(["--format", "prompt", "--budget", &budget.to_string(), "-"], &input);
        assert!(ran.stdout.len() <= budget, "{budget}: {ran:?}");
        assert!(ran.stdout.is_empty() || ran.stdout.ends_with('\n'), "{budget}: {ran:?}");
        assert_eq!(ran.status, Some(1));
    }
}

#[test]
fn prompt_asks_only_for_what_failed_when_the_rest_is_written() {
    let tree = tree();
    let ran = tree.pipe(["--format", "prompt", "--keep-going", "-"], input());
    let expected = "\
1 of the 3 edits stand. The other 2 do not, because a file is written only when all its edits can be. Send \
only these again, with the wrong ones corrected.
Not to be sent again: edit 1.
To be sent again: edits 2-3.
";
    assert!(ran.stdout.starts_with(expected), "{ran:?}");
    assert_eq!((ran.status, tree.read("b.py").as_str()), (Some(1), "z = 2\n"));
}

#[test]
fn prompt_of_success_is_short() {
    let tree = tree();
    let input = block("b.py", "z = 1\n", "z = 2\n");
    let ran = tree.pipe(["--format", "prompt", "--dry-run", "--diff", "-"], &input);
    assert_eq!(ran.stdout, "The edit would apply. Nothing was written.\n");
    assert!(ran.stderr.contains("+z = 2"), "{ran:?}");
    let ran = tree.pipe(["--format", "prompt", "-"], &input);
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str(), ran.status),
        ("The edit was applied.\n", "", Some(0))
    );
}

#[test]
fn prompt_of_what_is_not_the_model_s_fault_says_so() {
    let tree = tree();
    let ran = tree.pipe(["--format", "prompt", "--root", "missing", "-"], input());
    let expected = "\
Nothing was written, for a reason outside your edits. Send nothing now; send the same edits again when you are told to.

As a whole: file-not-found: the root does not exist.
";
    assert!(ran.stdout.starts_with(expected), "{ran:?}");
}

/// A line that stands for code left out is a warning in a patch file: once it is written, that is what is said.
#[test]
fn code_left_out_is_told_as_it_came_about() {
    let input = block("b.py", "z = 1\n", "# ... existing code ...\n");
    let written = "it was written, and the code that it stands for is gone";
    for (option, is_written) in [("--dry-run", false), ("--diff", true)] {
        let tree = tree();
        let human = tree.pipe([option, "-"], &input);
        assert_eq!(human.stderr.contains(written), is_written, "{human:?}");
        assert_eq!(human.stderr.contains("put it back in place of the line"), is_written, "{human:?}");
    }
    let prompt = tree().pipe(["--format", "prompt", "-"], &input).stdout;
    assert!(
        prompt.contains(written) && prompt.contains("send one more edit that looks for the line"),
        "{prompt}"
    );
}

/// That a `#` makes a comment is said of prose in a patch file, and of nothing else.
#[test]
fn comments_are_spoken_of_where_the_text_is_prose() {
    let edit = block("b.py", "z = 1\n", "z = 2\n");
    let comment = "A line that starts with `#` is a comment.";
    for (text, is_prose) in [
        ("I changed it as you said.\n\n", true),
        ("--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-z = 1\n+z = 2\n\n", false),
        ("src/other.py\n\n", false),
    ] {
        let ran = tree().pipe(["--format", "prompt", "-"], format!("{text}{edit}"));
        assert_eq!(ran.stdout.contains(comment), is_prose, "{text}: {ran:?}");
        assert!(ran.stdout.contains("Note: Line 1 of your reply: ignored-text: "), "{ran:?}");
    }
    // Near a marker that is wrong that one comes first.
    let ran = tree().pipe(["-"], edit.replace("<<<<<<< S", "<<<<<< S"));
    let (marker, text) =
        (ran.stderr.find("error[suspicious-marker]"), ran.stderr.find("warning[ignored-text]"));
    assert!(marker.is_some() && marker < text && !ran.stderr.contains("comment"), "{ran:?}");
}

/// What to do is said of the form that the input is read in.
#[test]
fn the_form_to_write_is_one_that_is_read() {
    let (edit, patch) =
        (block("b.py", "z = 1\n", "z = 2\n"), "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-z = 1\n+z = 2\n");
    let words = "There is nothing to change.\n";
    for (from, input, wanted, unwanted) in [
        ("fsrb", patch, "<<<<<<< SEARCH", "tagged `diff`"),
        ("fsrb", words, "<<<<<<< SEARCH", "tagged `diff`"),
        ("diff", &edit, "`+++ b/PATH`", "<<<<<<< SEARCH"),
        ("diff", words, "`+++ b/PATH`", "<<<<<<< SEARCH"),
        ("response", words, "replaces the whole file", "--from"),
    ] {
        let ran = tree().pipe(["--from", from, "--format", "prompt", "-"], input);
        let (_, mend) = ran.stdout.split_once("To mend no-changes: ").unwrap();
        assert!(mend.contains(wanted) && !mend.contains(unwanted), "{from}: {ran:?}");
    }
}

#[test]
fn a_budget_is_for_prompts() {
    let ran = tree().pipe(["--budget", "100", "-"], input());
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("--format prompt"), "{ran:?}");
}

/// Checks what the schema of SARIF 2.1.0 demands of everything that is written here: no property that it does not
/// know, none of those missing that it requires, and the types.
fn check_sarif(log: &Value) {
    only(log, &["$schema", "version", "runs"], &["version", "runs"]);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    only(run, &["tool", "invocations", "originalUriBaseIds", "columnKind", "results"], &["tool"]);
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    let driver = &run["tool"]["driver"];
    only(driver, &["name", "version", "semanticVersion", "rules"], &["name"]);
    only(&run["invocations"][0], &["executionSuccessful"], &["executionSuccessful"]);
    let rules = driver["rules"].as_array().unwrap();
    let ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    for rule in rules {
        let keys = ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration"];
        only(rule, &keys, &["id"]);
        assert!(rule["shortDescription"]["text"].is_string() && rule["help"]["text"].is_string());
        level(&rule["defaultConfiguration"]["level"]);
    }
    for result in run["results"].as_array().unwrap() {
        let keys = [
            "ruleId",
            "ruleIndex",
            "level",
            "message",
            "locations",
            "relatedLocations",
            "fixes",
            "properties",
        ];
        only(result, &keys, &["message"]);
        assert_eq!(ids[result["ruleIndex"].as_u64().unwrap() as usize], result["ruleId"]);
        level(&result["level"]);
        assert!(result["message"]["text"].is_string());
        for place in [&result["locations"], &result["relatedLocations"]] {
            for location in place.as_array().into_iter().flatten() {
                only(location, &["id", "physicalLocation", "message"], &["physicalLocation"]);
                let physical = &location["physicalLocation"];
                only(physical, &["artifactLocation", "region"], &["artifactLocation"]);
                artifact(&physical["artifactLocation"], run);
                region(&physical["region"]);
            }
        }
        for fix in result["fixes"].as_array().into_iter().flatten() {
            only(fix, &["description", "artifactChanges"], &["artifactChanges"]);
            let change = &fix["artifactChanges"][0];
            only(change, &["artifactLocation", "replacements"], &["artifactLocation", "replacements"]);
            artifact(&change["artifactLocation"], run);
            only(&change["replacements"][0], &["deletedRegion", "insertedContent"], &["deletedRegion"]);
            region(&change["replacements"][0]["deletedRegion"]);
        }
    }
}

fn only(object: &Value, known: &[&str], required: &[&str]) {
    let object = object.as_object().unwrap();
    for key in object.keys() {
        assert!(known.contains(&key.as_str()), "{key}: {object:?}");
    }
    for key in required {
        assert!(object.contains_key(*key), "{key}: {object:?}");
    }
}

fn level(level: &Value) {
    assert!(["none", "note", "warning", "error"].contains(&level.as_str().unwrap()));
}

fn artifact(artifact: &Value, run: &Value) {
    only(artifact, &["uri", "uriBaseId"], &["uri"]);
    let uri = artifact["uri"].as_str().unwrap();
    assert!(uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"\\^`{|}".contains(&byte)), "{uri}");
    if let Some(base) = artifact["uriBaseId"].as_str() {
        assert!(run["originalUriBaseIds"][base].is_object());
        assert!(!uri.starts_with('/') && !uri.contains(':'), "{uri}");
    }
}

fn region(region: &Value) {
    if region.is_null() {
        return;
    }
    let keys = ["startLine", "startColumn", "endLine", "endColumn", "byteOffset", "byteLength"];
    only(region, &keys, &keys);
    let number = |key: &str| region[key].as_u64().unwrap();
    assert!(number("startLine") >= 1 && number("startColumn") >= 1 && number("endColumn") >= 1);
    assert!((number("startLine"), number("startColumn")) <= (number("endLine"), number("endColumn")));
}

fn sarif(tree: &Tree, args: &[&str], input: &str) -> (Ran, Value) {
    let ran = tree.pipe(["--format", "sarif"].iter().chain(args).chain(&["-"]), input);
    let log = ran.json();
    check_sarif(&log);
    (ran, log)
}

#[test]
fn sarif_has_a_result_for_each_diagnostic() {
    let tree = tree();
    let (ran, log) = sarif(&tree, &[], &format!("\u{1f600}\n{}", input()));
    assert_eq!(ran.status, Some(1));
    let results = log["runs"][0]["results"].as_array().unwrap();
    let codes: Vec<_> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert_eq!(codes, ["ignored-text", "ambiguous-match", "file-not-found"]);
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "%3Cstdin%3E");
    // A character outside the basic plane has two units of UTF-16 and four bytes.
    assert_eq!((&place["region"]["endColumn"], &place["region"]["byteLength"]), (&3.into(), &4.into()));
    let related = results[1]["relatedLocations"].as_array().unwrap();
    let target = &related.last().unwrap()["physicalLocation"]["artifactLocation"];
    assert_eq!((&target["uri"], &target["uriBaseId"]), (&"a%20b.py".into(), &"ROOT".into()));
    assert_eq!(results[1]["properties"]["block"], 2);
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
    assert!(!ran.stdout.contains(tree.path().to_str().unwrap()));
}

/// A model is told nothing that only whoever runs the command can do.
#[test]
fn a_prompt_names_no_option_of_the_command() {
    let is_option = |word: &str| {
        let word = word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '-');
        word.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    for code in Code::ALL {
        let explanation = code.explanation();
        let model = explanation.remedy.model;
        assert!(!model.split(' ').any(is_option), "{code}: {model}");
        let code_parser::explain::Example::Input { kind, files, input } = explanation.example else {
            continue;
        };
        let ran = Tree::new(files).pipe(["--from", kind.as_str(), "--format", "prompt", "-"], input);
        assert!(!ran.stdout.split([' ', '\n']).any(is_option), "{code}: {}", ran.stdout);
    }
    // What whoever runs the command can do is told to him.
    let mut sources = ["fsrb", "diff"].into_iter();
    let reply = "In file `m.py`, change `a` to `b`.\n";
    assert!(sources.all(|from| {
        let ran = tree().pipe(["--from", from, "-"], reply);
        ran.stdout.contains("`--from response` reads them")
            && ran.stderr.contains("`--from response` reads them")
    }));
}

/// The report for people ends with what to do and where to read on.
#[test]
fn the_report_ends_with_help() {
    for code in Code::ALL {
        let explanation = code.explanation();
        let code_parser::explain::Example::Input { kind, files, input } = explanation.example else {
            continue;
        };
        let ran = Tree::new(files).pipe(["--from", kind.as_str(), "-"], input);
        assert!(ran.stderr.contains(&format!("\nhelp: {code}: ")), "{code}: {ran:?}");
        // What became of the files ends it where the report on standard output does not say.
        let (last, refused) = ("\nNothing was written.\n", ran.status == Some(1));
        assert_eq!(ran.stderr.ends_with(last), refused, "{code}: {ran:?}");
        let last = ran.stderr.trim_end_matches(last).trim_end().lines().last().unwrap();
        assert!(last.starts_with("help: for more: `fsrb --explain "), "{code}: {ran:?}");
    }
    let ran = tree().pipe(["-"], block("b.py", "z = 1\n", "z = 2\n"));
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn sarif_of_every_example() {
    for code in Code::ALL {
        let code_parser::explain::Example::Input { kind, files, input } = code.explanation().example else {
            continue;
        };
        let tree = Tree::new(files);
        let (ran, log) = sarif(&tree, &["--from", kind.as_str()], input);
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert!(results.iter().any(|result| result["ruleId"] == code.as_str()), "{code}: {ran:?}");
    }
}

#[test]
fn sarif_of_success_has_no_result() {
    let (ran, log) = sarif(&tree(), &["--diff"], &block("b.py", "z = 1\n", "z = 2\n"));
    assert_eq!((ran.status, log["runs"][0]["results"].as_array().map(Vec::len)), (Some(0), Some(0)));
    assert!(ran.stderr.contains("+z = 2"), "{ran:?}");
}

#[test]
fn explain_has_a_page_for_each_code() {
    let tree = tree();
    let list = tree.run(["--explain", "list"]);
    assert_eq!((list.status, list.stdout), (Some(0), code_parser::explain::list()));
    let ran = tree.run(["--explain", "no-op"]);
    assert_eq!((ran.status, ran.stdout), (Some(0), code_parser::explain::page(Code::NoOp)));
    let ran = tree.run(["--explain", "serch-not-found"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("'search-not-found'") && ran.stderr.contains("list"), "{ran:?}");
}

#[test]
fn generate_prints_a_manual_and_completions() {
    let tree = tree();
    let manual = tree.run(["--generate", "man"]);
    assert_eq!((manual.status, manual.stderr.as_str()), (Some(0), ""));
    for section in ["NAME", "SYNOPSIS", "OPTIONS", "\"EXIT STATUS\"", "EXAMPLES", "FILES"] {
        assert!(manual.stdout.contains(&format!("\n.SH {section}\n")), "{section}: {}", manual.stdout);
    }
    assert!(
        manual.stdout.contains(".fsrb\\-txn") && manual.stdout.contains("\\-\\-keep\\-going"),
        "{}",
        manual.stdout
    );
    for (shell, word) in [("bash", "complete -F"), ("zsh", "#compdef fsrb"), ("fish", "complete -c fsrb")] {
        let ran = tree.run(["--generate", shell]);
        assert_eq!(ran.status, Some(0), "{shell}");
        assert!(ran.stdout.contains(word) && ran.stdout.contains("keep-going"), "{shell}: {}", ran.stdout);
    }
    assert_eq!(tree.run(["--generate", "nroff"]).status, Some(2));
    assert_eq!(tree.run(["--generate", "man", "in"]).status, Some(2));
}
