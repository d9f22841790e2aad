//! Random histories of commits, crashes, settlings and foreign edits, against a map of what must be there.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rustix::io::Errno;

use super::scene::{Do, plan};
use crate::apply::commit::protocol::{commit, recover};
use crate::apply::commit::{CommitError, CommitOptions, How};
use crate::apply::fs::Tree;
use crate::apply::fs::fault::{Control, FaultFs, Plan};
use crate::apply::fs::model::{MemFs, Node};

/// The names that things happen to: a file may stand where a directory is wanted.
const PATHS: [&str; 6] = ["a", "d/b", "d/c", "e/g/h", "n/m", "n/o"];

#[derive(Debug, Clone)]
enum Action {
    /// A transaction over some of the paths; the calls fail from one on, as if killed, or once.
    Commit { picks: Vec<(usize, u8)>, fault: Option<(usize, bool)> },
    /// The power goes, or only the process.
    Crash { seed: u64, power: bool },
    /// The next start, itself killed at a call perhaps.
    Recover { killed: Option<usize> },
    /// Somebody else writes a file anew, writes into it, removes it, or puts a link there.
    Foreign { path: usize, kind: u8, text: u8 },
}

fn action() -> impl Strategy<Value = Action> {
    let picks = prop::collection::vec((0..PATHS.len(), any::<u8>()), 1..5);
    let fault = prop::option::of((0..170_usize, any::<bool>()));
    prop_oneof![
        4 => (picks, fault).prop_map(|(picks, fault)| Action::Commit { picks, fault }),
        2 => (any::<u64>(), any::<bool>()).prop_map(|(seed, power)| Action::Crash { seed, power }),
        2 => prop::option::of(0..60_usize).prop_map(|killed| Action::Recover { killed }),
        2 => (0..PATHS.len(), 0..4_u8, any::<u8>())
            .prop_map(|(path, kind, text)| Action::Foreign { path, kind, text }),
    ]
}

type Files = BTreeMap<String, String>;

/// The world, and what it may look like.
struct World {
    fs: MemFs,
    /// The files when nothing is pending.
    files: Files,
    /// The files if the interrupted commit counts, while one is interrupted.
    other: Option<Files>,
    /// What somebody else wrote since then.
    foreign: Files,
    /// Somebody else's removal of a file since then.
    removed: Vec<String>,
    texts: u32,
}

fn files(fs: &MemFs) -> Files {
    let ours = |path: &str| path.starts_with(".fsrb-");
    let content = |node: Node| match node {
        Node::File(text, _) => Some(text),
        Node::Link(body) => Some(format!("-> {body}")),
        Node::Dir => None,
    };
    fs.snapshot()
        .into_iter()
        .filter(|(path, _)| !ours(path))
        .filter_map(|(path, node)| Some((path, content(node)?)))
        .collect()
}

fn leftovers(fs: &MemFs) -> Vec<String> {
    fs.snapshot().into_keys().filter(|path| path.starts_with(".fsrb-")).collect()
}

impl World {
    fn new() -> Self {
        let fs = MemFs::new();
        for path in &PATHS[..4] {
            assert!(fs.put(path, "first\n"));
        }
        fs.sync();
        let files = files(&fs);
        Self { fs, files, other: None, foreign: Files::new(), removed: Vec::new(), texts: 0 }
    }

    fn tree(&self, faults: Plan) -> Tree<FaultFs<MemFs>> {
        let control = Control::new(Plan::Never);
        let fs = FaultFs::new(self.fs.clone(), control.clone());
        let tree = Tree::new(fs, self.fs.root(), vec!["/root".to_owned()]).unwrap();
        control.calls.borrow_mut().clear();
        *control.plan.borrow_mut() = faults;
        tree
    }

    fn text(&mut self) -> String {
        self.texts += 1;
        format!("text {}\n", self.texts)
    }

    /// What to do with each path as things are, and what the files will be then.
    fn transaction(&mut self, picks: &[(usize, u8)]) -> (Vec<(&'static str, Do<'static>)>, Files) {
        let mut after = self.files.clone();
        let mut todo: Vec<(&'static str, Do<'static>)> = Vec::new();
        for (index, kind) in picks {
            let path = PATHS[*index];
            if todo.iter().any(|(known, _)| *known == path)
                || after.get(path).is_some_and(|text| text.starts_with("->"))
            {
                continue;
            }
            let text: &'static str = Box::leak(self.text().into_boxed_str());
            if after.contains_key(path) && kind.is_multiple_of(3) {
                todo.push((path, Do::Delete));
                after.remove(path);
            } else {
                todo.push((path, if after.contains_key(path) { Do::Update(text) } else { Do::Create(text) }));
                after.insert(path.to_owned(), text.to_owned());
            }
        }
        (todo, after)
    }

    fn step(&mut self, action: &Action) {
        match action {
            Action::Commit { picks, fault } => self.commit(picks, *fault),
            Action::Crash { seed, power } => {
                let mut seed = *seed;
                // What others wrote is theirs to sync; here they did. Our own names are not synced by that.
                if *power && self.foreign.is_empty() && self.removed.is_empty() {
                    self.fs.crash(|| {
                        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        (seed >> 40) as u32
                    });
                } else {
                    self.fs.kill();
                }
                if self.other.is_none() {
                    assert_eq!(files(&self.fs), self.files, "what was reported must last");
                }
            }
            Action::Recover { killed } => self.recover(*killed),
            Action::Foreign { path, kind, text } => self.foreign(PATHS[*path], *kind, *text),
        }
    }

    fn commit(&mut self, picks: &[(usize, u8)], fault: Option<(usize, bool)>) {
        if self.other.is_some() {
            // It must be refused, as long as there is a journal.
            let transaction = plan(&self.tree(Plan::Never), &[]);
            let before = files(&self.fs);
            let result = commit(&self.tree(Plan::Never), &transaction, &CommitOptions::default());
            assert!(matches!(&result, Ok(_) | Err(CommitError::Interrupted { .. })), "{result:?}");
            if result.is_err() {
                assert_eq!(files(&self.fs), before);
                return;
            }
            self.settled();
        }
        let (todo, after) = self.transaction(picks);
        let transaction = plan(&self.tree(Plan::Never), &todo);
        let faults = match fault {
            None => Plan::Never,
            Some((at, true)) => Plan::From(at, Errno::IO),
            Some((at, false)) => Plan::Once(at, Errno::IO),
        };
        let killed = matches!(faults, Plan::From(..));
        let result = commit(&self.tree(faults), &transaction, &CommitOptions::default());
        self.fs.release();
        if killed {
            self.fs.kill();
        }
        match result {
            Ok(_) => {
                self.files = after;
                assert_eq!(files(&self.fs), self.files, "success was reported");
            }
            Err(error) if error.is_pending() => self.other = Some(after),
            Err(_) => assert_eq!(files(&self.fs), self.files, "it was said that nothing changed"),
        }
    }

    fn recover(&mut self, killed: Option<usize>) {
        let faults = killed.map_or(Plan::Never, |at| Plan::From(at, Errno::IO));
        let result = recover(&self.tree(faults), How::Ask);
        if killed.is_some() {
            self.fs.kill();
        }
        // What others wrote is never lost, settled or not.
        let now = files(&self.fs);
        for (path, text) in &self.foreign {
            let somewhere = self.fs.snapshot().values().any(|node| match node {
                Node::File(found, _) => found == text,
                Node::Link(body) => &format!("-> {body}") == text,
                Node::Dir => false,
            });
            assert!(somewhere, "{path}: {text:?} is lost: {now:?}");
        }
        match result {
            Ok(_) => {
                self.settled();
                assert_eq!(
                    leftovers(&self.fs).iter().filter(|path| path.starts_with(".fsrb-txn")).count(),
                    0
                );
            }
            Err(CommitError::Pending { .. }) if killed.is_some() || self.touched() => {}
            Err(CommitError::Failed { .. }) if killed.is_some() => {}
            Err(error) => panic!("{error:?}: {now:?}"),
        }
        if killed.is_none() && !self.touched() {
            let again = recover(&self.tree(Plan::Never), How::Ask).unwrap();
            assert!(again.files.is_empty(), "settling twice does nothing");
            assert_eq!(leftovers(&self.fs), Vec::<String>::new());
        }
    }

    fn touched(&self) -> bool {
        !self.foreign.is_empty() || !self.removed.is_empty()
    }

    /// Nothing is pending any more: all old or all new, but for what others did.
    fn settled(&mut self) {
        let now = files(&self.fs);
        let Some(other) = self.other.take() else {
            let mut expected = self.files.clone();
            self.overlay(&mut expected, &now);
            assert_eq!(now, expected);
            self.files = now;
            return;
        };
        let fits = [&self.files, &other].into_iter().any(|files| {
            let mut expected = files.clone();
            self.overlay(&mut expected, &now);
            now == expected
        });
        assert!(
            fits,
            "neither {:?} nor {other:?}: {now:?}, others wrote {:?}, removed {:?}",
            self.files, self.foreign, self.removed
        );
        self.files = now;
        if self.touched() {
            // Others sync what they write, sooner or later.
            self.fs.sync();
        }
        self.foreign.clear();
        self.removed.clear();
    }

    /// Where others did something, their state counts.
    fn overlay(&self, expected: &mut Files, now: &Files) {
        for path in self.foreign.keys().chain(&self.removed) {
            match now.get(path) {
                Some(text) => drop(expected.insert(path.clone(), text.clone())),
                None => drop(expected.remove(path)),
            }
        }
    }

    fn foreign(&mut self, path: &str, kind: u8, text: u8) {
        let text = format!("foreign {} {text}\n", self.text().trim());
        let existed = files(&self.fs).contains_key(path);
        let done = match kind {
            0 => self.fs.put(path, &text).then_some(Some(text)),
            1 => (existed && self.fs.overwrite(path, &text)).then_some(Some(text)),
            2 if existed => self.fs.remove(path).then_some(None),
            3 => self.fs.put_link(path, "a").then_some(Some("-> a".to_owned())),
            _ => None,
        };
        match (done, &self.other) {
            (None, _) => {}
            (Some(text), None) => {
                match text {
                    Some(text) => drop(self.files.insert(path.to_owned(), text)),
                    None => drop(self.files.remove(path)),
                }
                self.fs.sync();
            }
            (Some(Some(text)), Some(_)) => drop(self.foreign.insert(path.to_owned(), text)),
            (Some(None), Some(_)) => {
                self.foreign.remove(path);
                self.removed.push(path.to_owned());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_history_keeps_its_promises(actions in prop::collection::vec(action(), 1..12)) {
        let mut world = World::new();
        for action in &actions {
            world.step(action);
        }
    }
}

fn cases() -> u32 {
    if std::env::var_os("FSRB_TEST_FULL").is_some() { 100_000 } else { 1_500 }
}
