//! Applying values to a directory tree.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use thiserror::Error;

use super::parse::section;
use super::{
    ApplyEntry, ApplyOptions, ApplyReport, ApplyStatus, CodeBlock, CodeParser, CodeParserError,
    EditInstruction, FilePatch, Result,
};
use crate::apply::change::{Change, Changes, Operation};
use crate::apply::commit::{CommitError, CommitOptions, How};
use crate::apply::files::Files;
use crate::apply::fs::{Root, RootError};
use crate::apply::plan::{Options, Plan, Refusal, Scope};
use crate::apply::report::{FileStatus, Report};
use crate::ast::InputKind;
use crate::diagnostic::Diagnostic;
use crate::grammar::fence;
use crate::grammar::lines::{Kind, Lines, lex};
use crate::grammar::near_marker::stray_markers;
use crate::rel_path::RelPath;

impl CodeParser {
    /// Writes each block that has a file name to its file; a diff block is applied as patches.
    ///
    /// A block without a file name has no entry. One without a closing fence is skipped unless
    /// [`ApplyOptions::allow_unterminated`]. Each file is written or not on its own.
    ///
    /// # Errors
    ///
    /// Only when the base directory cannot be made or opened.
    pub fn apply_code_blocks_with(
        blocks: &[CodeBlock],
        base: &Path,
        options: ApplyOptions,
    ) -> Result<ApplyReport> {
        let steps: Vec<_> = blocks.iter().flat_map(|block| block_steps(block, &options)).collect();
        apply(&steps, base, &options)
    }

    /// Applies patches, which count as one diff; each file is written or not on its own.
    ///
    /// # Errors
    ///
    /// Only when the base directory cannot be made or opened.
    pub fn apply_patches(patches: &[FilePatch], base: &Path, options: ApplyOptions) -> Result<ApplyReport> {
        let steps: Vec<_> = patches.iter().map(|patch| Step::Patch(Cow::Borrowed(patch))).collect();
        apply(&steps, base, &options)
    }

    /// Applies edits in their order; each file is written or not on its own.
    ///
    /// # Errors
    ///
    /// Only when the base directory cannot be made or opened.
    pub fn apply_edit_instructions(
        edits: &[EditInstruction],
        base: &Path,
        options: ApplyOptions,
    ) -> Result<ApplyReport> {
        let steps: Vec<_> = edits.iter().map(Step::Edit).collect();
        apply(&steps, base, &options)
    }

    /// Writes each block that has a file name to its file, and gives one status a path: `created`, `modified`,
    /// `unchanged`, `deleted`, `skipped: why` or `error: what`.
    #[must_use]
    pub fn apply_code_blocks(blocks: &[CodeBlock], base: &Path) -> HashMap<String, String> {
        match Self::apply_code_blocks_with(blocks, base, ApplyOptions::default()) {
            Ok(report) => report.to_status_map(),
            Err(error) => {
                let named = blocks.iter().filter_map(|block| block.filename.clone());
                named.map(|path| (path, format!("error: {error}"))).collect()
            }
        }
    }

    /// The fenced blocks of a reply, and what [`CodeParser::apply_code_blocks`] makes of them.
    #[must_use]
    pub fn extract_and_apply(response: &str, base: &Path) -> (Vec<CodeBlock>, HashMap<String, String>) {
        let blocks = Self::extract_code_blocks(response);
        let statuses = Self::apply_code_blocks(&blocks, base);
        (blocks, statuses)
    }
}

/// What becomes an entry of the report.
enum Step<'a> {
    Block(&'a CodeBlock),
    Edit(&'a EditInstruction),
    Patch(Cow<'a, FilePatch>),
    Settled(ApplyEntry),
}

impl Step<'_> {
    fn change(&self) -> Option<Change<'_>> {
        let (path, operation) = match self {
            Self::Settled(_) => return None,
            Self::Block(block) => {
                let path = block.filename.as_deref().map(Cow::Borrowed);
                (path, Operation::Write { content: Cow::Borrowed(&block.content) })
            }
            Self::Edit(edit) => {
                let operation = Operation::Edit { search: section(&edit.old), replace: section(&edit.new) };
                (Some(Cow::Borrowed(edit.file.as_str())), operation)
            }
            Self::Patch(patch) => (patch.path().map(Cow::Borrowed), Operation::Patch(patch.lower())),
        };
        Some(Change { path, operation, kind: InputKind::Response, origin: None })
    }
}

fn block_steps<'a>(block: &'a CodeBlock, options: &ApplyOptions) -> Vec<Step<'a>> {
    let settled = |status| {
        let path = block.filename.clone().unwrap_or_default();
        vec![Step::Settled(ApplyEntry { path, status })]
    };
    if block.filename.is_none() && !block.is_diff() {
        return Vec::new();
    }
    if !block.terminated && !options.allow_unterminated {
        return settled(ApplyStatus::Skipped("the end of the block is missing or not sure".to_owned()));
    }
    if !block.is_diff() {
        return match not_content(block) {
            Some(status) => settled(status),
            None => vec![Step::Block(block)],
        };
    }
    match CodeParser::parse_unified_diff(&block.content) {
        Ok(patches) if patches.is_empty() => {
            settled(ApplyStatus::Failed("the block holds no diff".to_owned()))
        }
        Ok(patches) => patches.into_iter().map(|patch| Step::Patch(Cow::Owned(patch))).collect(),
        Err(error) => settled(ApplyStatus::Failed(error.to_string())),
    }
}

/// Why a block is no content of a file: the markers of SEARCH/REPLACE blocks, whole or nearly so, would be written
/// into it. A Markdown document may show them.
fn not_content(block: &CodeBlock) -> Option<ApplyStatus> {
    if fence::is_markdown(&block.language) || u32::try_from(block.content.len()).is_err() {
        return None;
    }
    let tokens = lex(&block.content);
    if tokens.iter().any(|line| line.kind == Kind::Search) {
        let why = "the block holds SEARCH/REPLACE blocks; CodeParser::parse_edit_instructions reads them";
        return Some(ApplyStatus::Skipped(why.to_owned()));
    }
    let markers = stray_markers(Lines::new(&block.content, &tokens));
    let fault = markers.into_iter().find(Diagnostic::is_error)?;
    Some(ApplyStatus::Failed(fault.message))
}

fn apply(steps: &[Step<'_>], base: &Path, options: &ApplyOptions) -> Result<ApplyReport> {
    let changes = Changes { list: steps.iter().filter_map(Step::change).collect(), ..Changes::default() };
    let root = match Root::open(base) {
        // A dry run makes no directory: without one there are no files.
        Err(RootError::Missing { .. }) if options.dry_run => {
            return Ok(planned(steps, &changes, &BTreeMap::<RelPath, Vec<u8>>::new()));
        }
        Err(RootError::Missing { .. }) => Root::create(base)?,
        root => root?,
    };
    if options.dry_run {
        return Ok(planned(steps, &changes, &root));
    }
    Ok(commit(steps, &changes, &root).unwrap_or_else(|stopped| failed(steps, &stopped)))
}

/// Why a run could not begin.
#[derive(Debug, Error)]
enum Stopped {
    /// The root cannot be written to, or an interrupted commit cannot be settled.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// There is no plan for a single file.
    #[error("{}", first_error(.0))]
    Refused(Refusal),
}

/// The message of the first error.
fn first_error(refusal: &Refusal) -> &str {
    refusal.diagnostics.iter().find(|found| found.is_error()).map_or("", |fault| &fault.message)
}

fn commit(
    steps: &[Step<'_>],
    changes: &Changes<'_>,
    root: &Root,
) -> std::result::Result<ApplyReport, Stopped> {
    root.recover(How::Ask)?;
    let plan = plan(changes, root)?;
    let report = root.commit(&plan, &CommitOptions::default())?;
    Ok(entries(steps, &plan, &report))
}

/// The plan of every file on its own.
fn plan(changes: &Changes<'_>, files: &impl Files) -> std::result::Result<Plan, Stopped> {
    let options = Options { scope: Scope::EachFile, ..Options::default() };
    Plan::new(changes, files, &options).map_err(Stopped::Refused)
}

fn planned(steps: &[Step<'_>], changes: &Changes<'_>, files: &impl Files) -> ApplyReport {
    match plan(changes, files) {
        Ok(plan) => entries(steps, &plan, &plan.report()),
        Err(stopped) => failed(steps, &stopped),
    }
}

/// The report of a run that could not begin.
fn failed(steps: &[Step<'_>], why: &Stopped) -> ApplyReport {
    let entry = |step: &Step<'_>| match step {
        Step::Settled(entry) => entry.clone(),
        step => {
            let path = step.change().and_then(|change| change.path).unwrap_or_default().into_owned();
            ApplyEntry { path, status: ApplyStatus::Failed(why.to_string()) }
        }
    };
    ApplyReport { entries: steps.iter().map(entry).collect() }
}

/// One entry for each step: what the plan says of its change, unless the commit says that the file was not written.
fn entries(steps: &[Step<'_>], plan: &Plan, report: &Report) -> ApplyReport {
    let faults = faults(plan.diagnostics());
    let unwritten: HashMap<&str, &str> = report
        .files
        .iter()
        .filter(|file| matches!(file.status, FileStatus::Failed | FileStatus::Skipped))
        .map(|file| {
            (file.path.as_str(), file.detail.as_deref().unwrap_or("another operation on the file failed"))
        })
        .collect();
    let mut changes = plan.changes().iter().enumerate();
    let entry = |step: &Step<'_>| {
        let Some(change) = step.change() else {
            let Step::Settled(entry) = step else { return None };
            return Some(entry.clone());
        };
        let (number, planned) = changes.next()?;
        let file = planned.file.and_then(|file| plan.files().get(file));
        let path = match file {
            Some(file) => file.path.to_string(),
            None => change.path.unwrap_or_default().into_owned(),
        };
        let fault = faults.get(&number).copied().or_else(|| unwritten.get(path.as_str()).copied());
        let status = match fault {
            Some(fault) => ApplyStatus::Failed(fault.to_owned()),
            None => status(planned.status),
        };
        Some(ApplyEntry { path, status })
    };
    ApplyReport { entries: steps.iter().filter_map(entry).collect() }
}

/// The first error of each change, by the change's index.
fn faults(diagnostics: &[Diagnostic]) -> HashMap<usize, &str> {
    let mut faults = HashMap::new();
    for fault in diagnostics.iter().filter(|found| found.is_error()) {
        if let Some(index) = fault.block.and_then(|block| usize::try_from(block).ok()?.checked_sub(1)) {
            faults.entry(index).or_insert(fault.message.as_str());
        }
    }
    faults
}

fn status(status: FileStatus) -> ApplyStatus {
    match status {
        // The entry of a rename is its new name.
        FileStatus::Created | FileStatus::Renamed => ApplyStatus::Created,
        FileStatus::Modified => ApplyStatus::Modified,
        FileStatus::Unchanged => ApplyStatus::Unchanged,
        FileStatus::Deleted => ApplyStatus::Deleted,
        FileStatus::Skipped | FileStatus::Failed => {
            ApplyStatus::Failed("another operation on the file failed".to_owned())
        }
    }
}

impl From<RootError> for CodeParserError {
    fn from(error: RootError) -> Self {
        Self::Io(error.into())
    }
}
