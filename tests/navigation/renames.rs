//! Renames: the code parses without new diagnostics, and renaming back restores the original sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;

use analysis::FileId;
use analysis::ide::RenameEdit;
use pupil_tests::env;
use pupil_tests::workspace::TestWorkspace;
use serde_json::json;
use syntax::{TextSize, apply_edits};

use crate::{debian_modules, middle, puppet_files, seed};

/// Returns the start of each renamed occurrence after the edits.
fn offsets_after(edit: &RenameEdit) -> Vec<(FileId, TextSize)> {
    let mut at = (FileId(u32::MAX), 0_i64);
    let places = edit.edits.iter().map(|(file, it)| {
        if at.0 != *file {
            at = (*file, 0);
        }
        let start = i64::from(u32::from(it.range.start())) + at.1;
        let length = i64::try_from(it.text.len()).expect("names are short");
        at.1 += length - i64::from(u32::from(it.range.len()));
        let start = u32::try_from(start).expect("files are small");
        (*file, TextSize::new(start))
    });
    places.collect()
}

/// All files by their paths, and the sources of the edited ones.
type Texts = (BTreeMap<String, FileId>, BTreeMap<FileId, String>);

fn texts(workspace: &TestWorkspace, edited: &[FileId]) -> Texts {
    let analysis = workspace.analysis();
    let places = workspace.paths().map(str::to_owned);
    let places = places.filter_map(|it| Some((workspace.id(&it)?, it)));
    let texts = edited
        .iter()
        .filter_map(|it| Some((*it, analysis.text(*it)?.to_string())));
    (places.map(|(id, it)| (it, id)).collect(), texts.collect())
}

/// Counts the diagnostics of the workspace by file and code, and records which files have no syntax
/// errors.
fn findings(workspace: &TestWorkspace, files: &[FileId]) -> BTreeMap<String, usize> {
    let analysis = workspace.analysis();
    let mut findings = BTreeMap::new();
    for file in files {
        for found in analysis.diagnostics(*file) {
            *findings
                .entry(format!("{file:?} {}", found.code))
                .or_default() += 1;
        }
        *findings.entry(format!("{file:?} sound")).or_default() +=
            usize::from(analysis.is_well_formed(*file));
    }
    findings
}

/// Returns the differences between two counts.
fn difference(before: &BTreeMap<String, usize>, after: &BTreeMap<String, usize>) -> Vec<String> {
    let all: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = all
        .into_iter()
        .filter(|it| before.get(*it) != after.get(*it));
    changed
        .map(|it| format!("{it}: {:?} instead of {:?}", after.get(it), before.get(it)))
        .collect()
}

fn apply(workspace: &mut TestWorkspace, edit: &RenameEdit) {
    let mut by_file: BTreeMap<FileId, Vec<_>> = BTreeMap::new();
    for (file, it) in &edit.edits {
        by_file.entry(*file).or_default().push(it);
    }
    for (file, edits) in by_file {
        let path = workspace.path(file).expect("a known file").to_owned();
        let text = workspace.text(&path).expect("the file has a text");
        let text = apply_edits(&text, edits).expect("the edits do not overlap");
        workspace.set(&path, &text);
    }
    for moved in &edit.moves {
        workspace.move_file(moved.file, &moved.from, &moved.to);
    }
}

/// The result of a rename.
struct RenameResult {
    /// The violated invariants; empty if there are none.
    wrong: String,
    /// Whether the user is warned about names that are composed at run time and may be affected.
    has_uncertain_uses: bool,
}

/// The state shared by all renames.
struct RenameTest<'a> {
    workspace: &'a mut TestWorkspace,
    /// The files whose diagnostics are compared.
    files: Vec<FileId>,
    /// The diagnostics of the files before any rename.
    found: BTreeMap<String, usize>,
    /// The file that records the renames for `tests/oracle/renames`.
    log: Option<File>,
}

impl RenameTest<'_> {
    /// Renames and renames back. Returns the violated invariants, or the reason why the rename was
    /// refused.
    fn rename_and_undo(
        &mut self,
        file: FileId,
        at: TextSize,
        kind: &str,
    ) -> Result<RenameResult, String> {
        let analysis = self.workspace.analysis();
        let old = analysis.prepare_rename(file, at).map_err(|it| it.0)?;
        let new = match old.name.starts_with(|it: char| it.is_ascii_uppercase()) {
            true => format!("{}Renamed1", old.name),
            false => format!("{}_renamed1", old.name),
        };
        let edit = analysis.rename(file, at, &new).map_err(|it| it.0)?;
        drop(analysis);
        let mut edited: Vec<_> = edit.edits.iter().map(|it| it.0).collect();
        edited.dedup();
        let before = texts(self.workspace, &edited);
        apply(self.workspace, &edit);
        let after = texts(self.workspace, &edited);
        self.write(
            kind,
            [&old.name, &new],
            [&before, &after],
            edit.uncertain_uses.len(),
        );
        let found = findings(self.workspace, &self.files);
        let mut wrong = difference(&self.found, &found);
        self.undo(&edit, &old.name, &mut wrong);
        let now = texts(self.workspace, &edited);
        // Type names are case-insensitive; all spellings become one.
        let is_same = |old: &String, new: &String| match kind {
            "type" => old.eq_ignore_ascii_case(new),
            _ => old == new,
        };
        let same = before.1.iter().all(|it| is_same(it.1, &now.1[it.0]));
        if before.0 != now.0 || !same {
            wrong.push("the sources are different".to_owned());
        }
        if before != now {
            for (file, text) in &before.1 {
                let path = self.workspace.path(*file).expect("a known file").to_owned();
                self.workspace.set(&path, text);
            }
        }
        Ok(RenameResult {
            wrong: wrong.join(", "),
            has_uncertain_uses: !edit.uncertain_uses.is_empty(),
        })
    }

    fn undo(&mut self, edit: &RenameEdit, old: &str, wrong: &mut Vec<String>) {
        let analysis = self.workspace.analysis();
        let back = offsets_after(edit).into_iter().find_map(|(file, at)| {
            let here = analysis.prepare_rename(file, at).ok()?;
            (here.range.start() == at).then(|| analysis.rename(file, at, old))
        });
        drop(analysis);
        match back {
            Some(Ok(back)) => apply(self.workspace, &back),
            Some(Err(refused)) => wrong.push(format!("cannot be renamed back: {}", refused.0)),
            None => wrong.push("the new name has no occurrence".to_owned()),
        }
    }

    fn write(&mut self, kind: &str, names: [&str; 2], states: [&Texts; 2], doubts: usize) {
        let Some(log) = &mut self.log else { return };
        let by_path = |(places, texts): &Texts| {
            let mut found = BTreeMap::new();
            for (path, file) in places {
                if let Some(text) = texts.get(file) {
                    found.insert(path.clone(), text.clone());
                }
            }
            found
        };
        let line = json!({
            "kind": kind,
            "names": names,
            "before": by_path(states[0]),
            "after": by_path(states[1]),
            "doubts": doubts,
        });
        writeln!(log, "{line}").expect("the log can be written");
    }
}

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn renames_are_sound_and_reversible() {
    let mut workspace = TestWorkspace::new(&debian_modules());
    let files = puppet_files(&workspace);
    let mut random = fastrand::Rng::with_seed(seed());
    let code: Vec<_> = files.iter().map(|it| it.1).collect();
    let mut test = RenameTest {
        found: findings(&workspace, &code),
        workspace: &mut workspace,
        files: code,
        log: env::renames().map(|it| File::create(it).expect("the file can be written")),
    };
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let (mut done, mut doubted, mut wrong) = (0, 0, Vec::new());
    while done < env::rename_samples() {
        let (path, file) = &files[random.usize(..files.len())];
        let names = test.workspace.analysis().resolved_references(*file);
        if names.is_empty() {
            continue;
        }
        let name = &names[random.usize(..names.len())];
        // Most names are variables; limit them so that other kinds are tested too.
        if name.kind == "variable"
            && done > 0
            && kinds.get("variable") > Some(&(env::rename_samples() / 2))
        {
            continue;
        }
        let middle = middle(name.range);
        let can = test
            .workspace
            .analysis()
            .prepare_rename(*file, middle)
            .is_ok();
        if !can {
            continue;
        }
        match test.rename_and_undo(*file, middle, name.kind) {
            Ok(tried) => {
                done += 1;
                doubted += usize::from(tried.has_uncertain_uses);
                *kinds.entry(name.kind).or_default() += 1;
                if !tried.wrong.is_empty() {
                    wrong.push(format!(
                        "{path}: {} {}: {}",
                        name.kind, name.name, tried.wrong
                    ));
                }
            }
            Err(reason) => {
                let plain = reason.split('`').step_by(2).collect::<Vec<_>>().join("…");
                *refused.entry(plain).or_default() += 1;
            }
        }
    }
    println!(
        "{done} renamed {kinds:?}, {doubted} with warnings, {} wrong, refused: {refused:#?}",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
