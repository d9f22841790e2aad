//! From a finished fold to a plan, or to everything that is in its way.

use super::files::Files;
use super::fold::{ChangeResult, Fold};
use super::plan::{Plan, PlannedChange, PlannedFile, Refusal, Scope};
use super::report::{FileReport, FileStatus};
use super::slot::{Settled, Slot, Source};
use crate::diagnostic::Diagnostic;

/// The plan of a fold, or its refusal.
pub(super) fn conclude<F: Files>(mut fold: Fold<'_, F>, settled: Vec<Settled>) -> Result<Plan, Refusal> {
    let mut diagnostics = std::mem::take(&mut fold.diagnostics);
    diagnostics.sort_by_key(|found| (found.span.map_or(u32::MAX, |span| span.start), found.block));
    let groups = groups(&fold.slots);
    let failed = failed_groups(&fold, &groups);
    if fold.options.scope == Scope::AllOrNothing && diagnostics.iter().any(Diagnostic::is_error) {
        let files = refused_files(&fold, &diagnostics);
        return Err(Refusal { files, diagnostics, blocks: fold.changes.list.len() });
    }
    let files = planned_files(fold.slots, settled, &groups, &failed);
    // A file that was only looked at has no line: the others move up.
    let mut places = Vec::with_capacity(files.len());
    let kept: Vec<_> = files
        .into_iter()
        .enumerate()
        .filter_map(|(slot, file)| file.inspect(|_| places.push(slot)))
        .collect();
    let changes = planned_changes(&fold.results, &places, &kept);
    Ok(Plan { files: kept, diagnostics, changes, options: fold.options.clone() })
}

/// For each slot the number of its group: slots that a rename or a copy joins stand or fall together.
fn groups(slots: &[Slot]) -> Vec<usize> {
    let mut leader: Vec<usize> = (0..slots.len()).collect();
    for (index, slot) in slots.iter().enumerate() {
        if let Some(Source::Renamed(from) | Source::Copied(from)) = slot.source {
            let (a, b) = (find(&mut leader, index), find(&mut leader, from));
            if let Some(entry) = leader.get_mut(a.max(b)) {
                *entry = a.min(b);
            }
        }
    }
    (0..slots.len()).map(|index| find(&mut leader, index)).collect()
}

/// The first slot of a group; halves the path to it on the way.
fn find(leader: &mut [usize], mut index: usize) -> usize {
    while let Some(&next) = leader.get(index).filter(|&&next| next != index) {
        let after = leader.get(next).copied().unwrap_or(next);
        if let Some(entry) = leader.get_mut(index) {
            *entry = after;
        }
        index = after;
    }
    index
}

/// Whether a change failed of the group that each slot leads.
fn failed_groups<F: Files>(fold: &Fold<'_, F>, groups: &[usize]) -> Vec<bool> {
    let mut failed = vec![false; groups.len()];
    for (slot, &group) in fold.slots.iter().zip(groups) {
        let fails =
            slot.changes.iter().any(|&change| fold.results.get(change).is_none_or(|result| result.failed));
        if let Some(entry) = failed.get_mut(group) {
            *entry |= fails;
        }
    }
    failed
}

fn is_failed(group: Option<&usize>, failed: &[bool]) -> bool {
    group.and_then(|&group| failed.get(group)).copied().unwrap_or(true)
}

fn planned_changes(results: &[ChangeResult], places: &[usize], files: &[PlannedFile]) -> Vec<PlannedChange> {
    let planned = results.iter().map(|result| {
        let file = result.slot.and_then(|slot| places.binary_search(&slot).ok());
        let fails =
            file.and_then(|file| files.get(file)).is_none_or(|file| file.status == FileStatus::Failed);
        let status = if result.failed || fails { FileStatus::Failed } else { result.status };
        PlannedChange { file, status }
    });
    planned.collect()
}

/// The file of each slot; `None` for one that no change is about.
fn planned_files(
    slots: Vec<Slot>,
    settled: Vec<Settled>,
    groups: &[usize],
    failed: &[bool],
) -> Vec<Option<PlannedFile>> {
    let names: Vec<_> = slots.iter().map(|slot| (slot.path.clone(), slot.original.clone())).collect();
    let plan = |(index, (slot, settled)): (usize, (Slot, Settled))| {
        if slot.changes.is_empty() {
            return None;
        }
        let group = groups.get(index).copied();
        let origin = slot.source.and_then(|source| {
            let (Source::Renamed(from) | Source::Copied(from)) = source;
            let (path, original) = names.get(from)?;
            Some((path.clone(), original.clone()?))
        });
        let status = match settled.status {
            _ if is_failed(group.as_ref(), failed) => FileStatus::Failed,
            FileStatus::Renamed if origin.is_none() => FileStatus::Created,
            status => status,
        };
        Some(PlannedFile {
            path: slot.path,
            target: slot.target,
            status,
            origin,
            renamed_to: slot.renamed_to.and_then(|to| names.get(to)).map(|(path, _)| path.clone()),
            old: slot.original,
            new: settled.new,
            executable: slot.executable,
            group: group.unwrap_or(index),
        })
    };
    slots.into_iter().zip(settled).enumerate().map(plan).collect()
}

/// A line for every file that the input names: the reason for those with a fault, the others skipped.
fn refused_files<F: Files>(fold: &Fold<'_, F>, diagnostics: &[Diagnostic]) -> Vec<FileReport> {
    let mut files: Vec<FileReport> = Vec::new();
    let mut seen = std::collections::HashMap::new();
    for (change, result) in fold.changes.list.iter().zip(&fold.results) {
        let slot = result.slot.and_then(|slot| fold.slots.get(slot));
        let name =
            slot.map(|slot| slot.path.to_string()).or_else(|| change.path.as_deref().map(str::to_owned));
        if let Some(name) = name {
            seen.entry(name.clone()).or_insert_with(|| {
                files.push(FileReport { path: name, status: FileStatus::Skipped, detail: None });
                files.len() - 1
            });
        }
    }
    for found in diagnostics.iter().filter(|found| found.is_error()) {
        let file =
            found.path.as_deref().and_then(|path| seen.get(path)).and_then(|&index| files.get_mut(index));
        if let Some(file) = file.filter(|file| file.status == FileStatus::Skipped) {
            file.status = FileStatus::Failed;
            file.detail = Some(found.message.clone());
        }
    }
    files
}
