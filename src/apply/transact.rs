//! From a plan to what a commit is given.

use std::collections::BTreeMap;

use super::plan::{Plan, PlannedFile, Scope};
use super::report::FileStatus;
use super::transaction::{Action, Entry, Transaction};

impl Plan {
    /// What is to be written: one transaction, with [`Scope::EachFile`] one for each group of files. Files that stay as
    /// they are, or failed, are in none.
    pub(super) fn transactions(&self) -> Vec<Transaction> {
        let mut groups: BTreeMap<usize, Transaction> = BTreeMap::new();
        for file in &self.files {
            let Some(action) = action(file) else { continue };
            let group = match self.options.scope {
                Scope::AllOrNothing => 0,
                Scope::EachFile => file.group,
            };
            let entry = Entry { target: file.target.clone(), action };
            groups.entry(group).or_default().entries.push(entry);
        }
        groups.into_values().collect()
    }
}

fn action(file: &PlannedFile) -> Option<Action> {
    if matches!(file.status, FileStatus::Unchanged | FileStatus::Failed | FileStatus::Skipped) {
        return None;
    }
    match (&file.old, &file.new) {
        (Some(old), Some(new)) => {
            // A file that takes another one's place brings its executable bit along.
            let moved =
                file.origin.as_ref().and_then(|(_, origin)| origin.stamp).map(|stamp| stamp.is_executable());
            Some(Action::Update { old: old.clone(), new: new.clone(), executable: file.executable.or(moved) })
        }
        (None, Some(new)) => {
            Some(Action::Create { new: new.clone(), like: file.origin.clone(), executable: file.executable })
        }
        (Some(old), None) => Some(Action::Delete { old: old.clone() }),
        (None, None) => None,
    }
}
