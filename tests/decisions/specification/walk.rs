//! Every statement of the two documents with the names of the tests that hold it.
//!
//! A name ends in `*` where all tests that start so belong to the statement.

use std::collections::BTreeSet;
use std::process::Command;

/// The gist of a statement, and its tests.
type Statement = (&'static str, &'static [&'static str]);

/// What the document of the command says.
const COMMAND: &[Statement] = &[
    // Name, description
    (
        "search and replace blocks are applied to text files, all or nothing",
        &["specification::patch_file::example", "file_system::one_file_fails_on_a_disk"],
    ),
    ("the synopsis is `fsrb <patchfile>`", &["specification::command::applies_the_example"]),
    (
        "code edits that an AI wrote are applied to local files",
        &["specification::command::applies_the_example"],
    ),
    (
        "line numbers do not matter, only the content of the blocks",
        &["specification::patch_file::line_numbers_do_not_matter"],
    ),
    (
        "two passes, over the whole input",
        &["file_system::one_file_fails_on_a_disk", "specification::patch_file::faults_are_reported_together"],
    ),
    (
        "validation applies every block of every file in memory",
        &["specification::patch_file::blocks_apply_in_order", "file_system::one_file_fails_on_a_disk"],
    ),
    (
        "only when every block of every file matches exactly once are files written",
        &["edit_blocks::what_counts_as_a_match", "file_system::one_file_fails_on_a_disk"],
    ),
    (
        "when a block fails, with no match or several, no file is modified",
        &["file_system::one_file_fails_on_a_disk", "specification::command::exit_status"],
    ),
    (
        "all faults are reported together",
        &[
            "specification::patch_file::faults_are_reported_together",
            "specification::command::reports_every_fault",
        ],
    ),
    // Patch format
    (
        "a patch file is text with one or more sections, one a file",
        &["specification::patch_file::structure", "specification::patch_file::example"],
    ),
    ("the format is the one that agents write for other tools", &["specification::patch_file::structure"]),
    (
        "path, SEARCH marker, old text, separator, new text, REPLACE marker",
        &["specification::patch_file::structure"],
    ),
    ("the path is on a line of its own", &["edit_blocks::the_path_fsrb"]),
    ("the path is relative to the current directory", &["specification::command::applies_the_example"]),
    (
        "a line is a path only before a SEARCH marker, blank lines between allowed",
        &["edit_blocks::the_path_fsrb", "edit_blocks::other_text_in_fsrb"],
    ),
    (
        "lines that start with # are ignored",
        &["edit_blocks::the_path_fsrb", "edit_blocks::other_text_in_fsrb"],
    ),
    (
        "lines that start with three backticks are ignored",
        &["edit_blocks::the_path_fsrb", "edit_blocks::other_text_in_fsrb"],
    ),
    (
        "a search block starts with seven `<` and SEARCH",
        &["specification::patch_file::structure", "edit_blocks::markers_nearly_right_at_the_start"],
    ),
    (
        "markers may have white space before and behind them",
        &["edit_blocks::markers_with_white_space_around"],
    ),
    (
        "white space, indentation and line breaks of the old text match exactly",
        &[
            "specification::patch_file::white_space_matches_exactly",
            "edit_blocks::trailing_white_space_in_fsrb",
        ],
    ),
    (
        "the separator is seven `=`",
        &["specification::patch_file::structure", "edit_blocks::markers_nearly_right_in_the_middle"],
    ),
    (
        "the separator stands between old and new text",
        &["specification::patch_file::structure", "edit_blocks::a_bare_marker_inside_a_section"],
    ),
    (
        "a replace block ends with seven `>` and REPLACE",
        &["specification::patch_file::structure", "edit_blocks::markers_nearly_right_at_the_end"],
    ),
    ("a replace block holds the new text", &["specification::patch_file::structure"]),
    (
        "a content line that is a marker is written with one backslash at its very start",
        &["edit_blocks::a_bare_marker_inside_a_section*"],
    ),
    (
        "the backslash is removed and the marker text is content",
        &["edit_blocks::a_bare_marker_inside_a_section_escaped"],
    ),
    ("all three markers can be escaped", &["edit_blocks::a_bare_marker_inside_a_section_escaped"]),
    ("the old text is a literal string", &["edit_blocks::what_counts_as_a_match_is_literal"]),
    ("special characters are no operators", &["specification::patch_file::special_characters_are_literal"]),
    // Options, validation
    (
        "one argument, the path of the patch file",
        &[
            "specification::command::applies_the_example",
            "specification::command::exit_status_of_wrong_calls",
        ],
    ),
    (
        "a missing file fails, but for a create",
        &["specification::command::exit_status", "edit_blocks::empty_sections_create_in_fsrb"],
    ),
    ("a file that cannot be read fails", &["specification::patch_file::unreadable_file"]),
    ("no match fails as not found", &["edit_blocks::what_counts_as_a_match"]),
    ("several matches fail as ambiguous", &["edit_blocks::what_counts_as_a_match*"]),
    ("one match is applied in memory", &["edit_blocks::what_counts_as_a_match"]),
    (
        "an empty SEARCH with a REPLACE creates a file, which must not exist",
        &["edit_blocks::empty_sections_create_in_fsrb", "edit_blocks::empty_sections_create_comes_first"],
    ),
    (
        "a create makes missing parent directories and writes the REPLACE content",
        &["file_system::created_with_its_directories"],
    ),
    (
        "two empty sections are invalid",
        &["edit_blocks::empty_sections_both", "specification::command::exit_status"],
    ),
    ("a SEARCH with an empty REPLACE deletes the match", &["edit_blocks::deleting_whole_lines*"]),
    ("a file that is left empty is deleted", &["edit_blocks::deleting_whole_lines_and_the_file"]),
    (
        "parent directories that a deletion empties are removed up to the first that is not empty",
        &[
            "file_system::deleting_whole_lines_and_empty_parents",
            "file_system::deleting_whole_lines_and_other*",
        ],
    ),
    (
        "with any validation error no file is modified",
        &["file_system::one_file_fails_on_a_disk", "specification::command::refuses_the_example"],
    ),
    (
        "files are written atomically, so that they can be rolled back",
        &["specification::applying::files_are_replaced_by_a_rename", "file_system::one_file_fails_on_a_disk"],
    ),
    ("matching is done with LF in memory", &["edit_blocks::what_counts_as_a_match_in_a_crlf_file"]),
    (
        "the file's own line endings are written back",
        &["edit_blocks::what_counts_as_a_match_in_a_crlf_file", "files::bytes_outside_the_edit*"],
    ),
    // Examples, exit status
    ("the example patch file", &["specification::patch_file::example"]),
    ("running it: `fsrb update_config.fsrb`", &["specification::command::applies_the_example"]),
    (
        "the output of a success",
        &[
            "specification::command::applies_the_example",
            "specification::command::reports_what_became_of_each_file",
        ],
    ),
    ("the output of a failure", &["specification::command::refuses_the_example"]),
    ("status 0: every block of every file was applied", &["specification::command::applies_the_example"]),
    (
        "status 1: a validation error, nothing applied",
        &["specification::command::exit_status", "specification::command::refuses_the_example"],
    ),
];

/// What the document of the library says.
const LIBRARY: &[Statement] = &[
    ("code changes of a reply are parsed and applied", &["specification::applying::code_blocks_dry_run"]),
    (
        "changes come in three shapes, and all of them are parsed and applied to a directory",
        &[
            "specification::parsing::code_blocks_all",
            "specification::applying::reports",
            "specification::applying::patches_of_all_kinds",
        ],
    ),
    (
        "whole files: extract_code_blocks, apply_code_blocks_with",
        &["specification::parsing::code_blocks_example", "specification::applying::code_blocks_dry_run"],
    ),
    (
        "blocks and sentences: parse_edit_instructions, apply_edit_instructions, apply_edit",
        &["specification::parsing::edit_instructions*", "specification::applying::reports"],
    ),
    (
        "diffs: parse_unified_diff, extract_patches, apply_patches, FilePatch::apply",
        &["specification::parsing::unified_diff_example", "specification::applying::patches_of_all_kinds"],
    ),
    // Whatever features the tests are built with, this module is in them.
    ("without the feature fs there is parsing only", &["specification::parsing::*"]),
    ("the feature fs has the apply functions", &["specification::applying::reports"]),
    // Code blocks
    ("the example of code blocks", &["specification::parsing::code_blocks_example"]),
    ("backtick and tilde fences of any length", &["fences_and_names::fences_open"]),
    (
        "a closing fence has the same character, is at least as long and has no info string",
        &["fences_and_names::fences_close*"],
    ),
    (
        "fences nest in a markdown block, by length and by info string",
        &["fences_and_names::nested_fences*", "fences_and_names::ambiguous_nesting*"],
    ),
    (
        "indented fences, as in list items",
        &["fences_and_names::fences_open", "fences_and_names::fences_behind_a_list_marker"],
    ),
    (
        "the fence's indentation is removed from the content, other indentation is kept",
        &["fences_and_names::block_content", "fences_and_names::block_content_of_edits"],
    ),
    (
        "CRLF input is read",
        &["fences_and_names::block_content", "edit_blocks::what_counts_as_a_match_in_a_crlf_file"],
    ),
    ("content has LF, no blank lines at its ends and no final newline", &["fences_and_names::block_content"]),
    (
        "a block without its closing fence is not terminated",
        &["specification::parsing::code_blocks_all", "fences_and_names::nested_fences_without_an_end"],
    ),
    (
        "an unterminated block is skipped by default",
        &["specification::applying::unterminated_blocks_are_skipped", "fences_and_names::unterminated_fence"],
    ),
    (
        "file names are looked for in the info string, a comment, the prose, in this order",
        &["fences_and_names::file_name_of_a_code_block_in_order"],
    ),
    (
        "info strings with a path, behind a blank, a colon, alone, or with a key",
        &["fences_and_names::info_string_and_path"],
    ),
    (
        "a comment with a key on the block's first line",
        &["fences_and_names::file_name_of_a_code_block_in_a_comment"],
    ),
    (
        "the three lines of prose above the block",
        &["fences_and_names::file_name_of_a_code_block_within_three_lines"],
    ),
    ("the forms of such prose", &["fences_and_names::file_name_of_a_code_block_in_prose"]),
    (
        "when nothing names a file there is no name",
        &["fences_and_names::file_name_of_a_code_block_in_no_prose"],
    ),
    ("a name is never inherited", &["fences_and_names::file_name_of_a_code_block_not_inherited"]),
    (
        "so that a shell snippet does not overwrite the file shown before it",
        &["fences_and_names::file_name_of_a_code_block_not_inherited"],
    ),
    (
        "without a language it is inferred from the file name",
        &["fences_and_names::info_string_and_inferred_language"],
    ),
    ("without both it is text", &["fences_and_names::info_string_and_inferred_language"]),
    // Edit instructions
    ("the example of edit instructions", &["specification::parsing::edit_instructions_example"]),
    (
        "a block's file is on the line above or in the fence's info string",
        &["specification::parsing::edit_instructions_paths", "edit_blocks::the_path_response*"],
    ),
    (
        "blocks in a row inherit the file",
        &["specification::parsing::edit_instructions_inherit", "edit_blocks::the_path_response_inherited"],
    ),
    (
        "an empty SEARCH creates the file or appends to it",
        &[
            "specification::applying::edits_create_or_append",
            "edit_blocks::empty_sections_create_or_append_in_response",
        ],
    ),
    (
        "sentences are parsed too",
        &["specification::parsing::edit_instructions_sentences", "fences_and_names::sentences*"],
    ),
    ("apply_edit requires exactly one match", &["specification::parsing::apply_edit_matches_once"]),
    ("otherwise SearchNotFound or AmbiguousEdit", &["specification::parsing::apply_edit_matches_once"]),
    ("apply_edit keeps CRLF", &["specification::parsing::apply_edit_keeps_line_endings"]),
    (
        "without an exact match it ignores white space at the ends of lines",
        &["specification::parsing::apply_edit_ignores_trailing_white_space"],
    ),
    // Unified diffs
    ("the example of diffs", &["specification::parsing::unified_diff_example"]),
    (
        "hunk headers without numbers or with wrong counts",
        &["specification::parsing::unified_diff_without_numbers", "diffs::a_hunks_body*"],
    ),
    (
        "blank context lines without their space",
        &["specification::parsing::unified_diff_with_blank_lines", "diffs::a_hunks_body_with_a_blank_line"],
    ),
    (
        "line numbers that have drifted",
        &["specification::parsing::unified_diff_drifted", "diffs::hunk_position*"],
    ),
    (
        "the nearest position, first exactly, then with trailing white space ignored",
        &[
            "specification::parsing::unified_diff_drifted",
            "diffs::hunk_position_nearest",
            "diffs::hunk_position_with_trailing_white_space",
        ],
    ),
    (
        "a/ and b/, /dev/null, renames",
        &["specification::parsing::unified_diff_names", "diffs::names*", "diffs::operations*"],
    ),
    (
        "`\\ No newline at end of file`",
        &[
            "specification::parsing::unified_diff_without_final_newline",
            "files::final_newline_that_a_diff_gives_or_takes",
        ],
    ),
    ("CRLF files", &["specification::parsing::unified_diff_of_a_crlf_file", "diffs::line_endings*"]),
    (
        "prose around a diff is ignored",
        &["specification::parsing::unified_diff_in_prose", "diffs::a_hunks_body_ends_at_prose"],
    ),
    // Applying
    ("the example of applying", &["specification::applying::code_blocks_dry_run"]),
    ("one entry an operation, with path and status", &["specification::applying::reports"]),
    (
        "one file's failure does not stop the others",
        &[
            "specification::applying::one_failure_does_not_stop_the_others",
            "specification::applying::operations_of*",
        ],
    ),
    (
        "an error as a whole is one of the base directory",
        &["specification::applying::errors_of_the_base_directory"],
    ),
    (
        "diff blocks are applied as patches",
        &["specification::applying::diff_blocks_are_patches", "fences_and_names::a_diff_block*"],
    ),
    ("and never written as content", &["specification::applying::diff_blocks_are_patches"]),
    (
        "later operations see earlier ones, in a dry run too",
        &["specification::applying::later_operations_see_earlier_ones"],
    ),
    ("files are written through a rename", &["specification::applying::files_are_replaced_by_a_rename"]),
    (
        "permissions are kept",
        &["specification::applying::permissions_are_kept", "file_system::unix::permissions*"],
    ),
    (
        "a whole-file replacement of a CRLF file is CRLF",
        &["specification::applying::whole_files_keep_crlf", "fences_and_names::a_whole_file_block*"],
    ),
    ("the older functions give a map of statuses", &["specification::applying::status_maps"]),
    // Security
    ("paths are untrusted", &["specification::applying::unsafe_paths_fail"]),
    ("absolute paths are rejected", &["specification::parsing::sanitize_rejects_absolute_paths"]),
    (
        "`..` is rejected, and a backslash is a separator",
        &["specification::parsing::sanitize_rejects_parents"],
    ),
    ("paths inside `.git` are rejected", &["specification::parsing::sanitize_rejects_git"]),
    (
        "control characters, `:`, empty paths and a separator at the end are rejected",
        &["specification::parsing::sanitize_rejects_what_names_no_file"],
    ),
    ("`./` and `//` go, `/` separates", &["specification::parsing::sanitize_normalizes"]),
    ("the base directory is canonicalized", &["specification::applying::base_directory_is_canonicalized"]),
    (
        "links on the way must lead inside",
        &["specification::applying::links_stay_inside", "file_system::unix::symlinks*"],
    ),
    (
        "dangling links are rejected",
        &["specification::applying::links_stay_inside", "file_system::unix::symlinks_outside"],
    ),
    // Reference
    (
        "the types, and those of the feature fs",
        &["specification::parsing::unified_diff_example", "specification::applying::reports"],
    ),
    ("extract_code_blocks: all fenced blocks", &["specification::parsing::code_blocks_all"]),
    ("infer_language: extension or well-known name", &["specification::parsing::infer_language"]),
    ("sanitize_filename: validate and normalize", &["specification::parsing::sanitize_*"]),
    ("parse_edit_instructions: blocks and sentences", &["specification::parsing::edit_instructions*"]),
    ("apply_edit: in memory", &["specification::parsing::apply_edit_*"]),
    ("parse_unified_diff: patches from a diff", &["specification::parsing::unified_diff_*"]),
    ("extract_patches: patches from all diff blocks", &["specification::parsing::patches_of_a_reply"]),
    ("apply_code_blocks: a map of statuses", &["specification::applying::status_maps"]),
    (
        "apply_code_blocks_with: a report",
        &["specification::applying::code_blocks_dry_run", "specification::applying::unnamed*"],
    ),
    ("apply_patches: a report", &["specification::applying::patches_of_all_kinds"]),
    ("apply_edit_instructions: a report", &["specification::applying::reports"]),
    ("extract_and_apply: a map of statuses", &["specification::applying::status_maps"]),
];

/// What the documents say and does not hold as written, with the reason.
const NOT_HELD: &[(&str, &str)] = &[
    (
        "the command has no option",
        "options only add: without any, the command does exactly what is specified",
    ),
    ("the command is stateless", "while a commit is unfinished its journal is kept, and nothing afterwards"),
    (
        "the tests are compiled with `rustc --test`",
        "the grammars are made with a library, so that Cargo builds them",
    ),
    ("the author is another project's", "this is another implementation, by others"),
    (
        "the feature fs uses the standard library only",
        "temporary files and calls relative to a directory need more",
    ),
    ("the package is found at a path in another repository", "it stands alone"),
    ("the race against another process is not defended against", "a root is held open, so that it is"),
    ("the licence is another project's", "this one is MIT"),
];

/// What a statement that does not hold as written leaves to hold, and what the documents do not say.
const REST: &[Statement] = &[
    ("options only add", &["specification::command::options_only_add"]),
    ("nothing is kept after a run", &["specification::command::is_stateless"]),
    (
        "all or nothing unless each file on its own is asked for",
        &["specification::command::keeps_going_when_asked", "file_system::one_file_fails_as_a_whole"],
    ),
    (
        "what is refused by judgement is refused by the library too",
        &["specification::applying::refusals_by_judgement"],
    ),
];

fn all() -> impl Iterator<Item = &'static Statement> {
    COMMAND.iter().chain(LIBRARY).chain(REST)
}

/// The names of the tests of this binary.
fn tests() -> BTreeSet<String> {
    let output = Command::new(std::env::current_exe().unwrap()).arg("--list").output().unwrap();
    let list = String::from_utf8(output.stdout).unwrap();
    list.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

/// Whether the features that a test needs are compiled in.
fn is_compiled(name: &str) -> bool {
    let needs_fs = name.starts_with("file_system::") || name.starts_with("specification::applying::");
    let needs_cli = name.starts_with("specification::command::");
    let needs_unix = name.starts_with("file_system::unix::");
    (cfg!(feature = "fs") || !needs_fs)
        && (cfg!(feature = "cli") || !needs_cli)
        && (cfg!(unix) || !needs_unix)
}

fn names(pattern: &str, test: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == test, |start| test.starts_with(start))
}

/// Every test that a statement names exists.
#[test]
fn every_named_test_exists() {
    let tests = tests();
    for (gist, patterns) in all() {
        assert!(!patterns.is_empty(), "{gist}");
        for pattern in patterns.iter().filter(|pattern| is_compiled(pattern)) {
            assert!(tests.iter().any(|test| names(pattern, test)), "{gist}: no test {pattern}");
        }
    }
}

/// Every test of a statement is named by one.
#[test]
fn every_test_is_named() {
    let patterns: Vec<_> = all()
        .flat_map(|statement| statement.1)
        .filter(|pattern| **pattern != "specification::parsing::*")
        .collect();
    let walk = "specification::walk::";
    for test in tests().iter().filter(|test| test.starts_with("specification::") && !test.starts_with(walk)) {
        assert!(patterns.iter().any(|pattern| names(pattern, test)), "{test} is named by no statement");
    }
}

/// No statement is listed twice, and each that does not hold says why.
#[test]
fn every_statement_is_listed_once() {
    for document in [COMMAND, LIBRARY] {
        let gists: BTreeSet<_> = document.iter().map(|statement| statement.0).collect();
        assert_eq!(gists.len(), document.len());
    }
    let gists: BTreeSet<_> = NOT_HELD.iter().map(|statement| statement.0).collect();
    assert_eq!(gists.len(), NOT_HELD.len());
    assert!(NOT_HELD.iter().all(|statement| !statement.1.is_empty()));
}
