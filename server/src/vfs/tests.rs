//! Incremental updates after arbitrary changes on disk lead to the same state as a fresh start,
//! however the changes are reported.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::workspace::{Description, Loader, WorkspaceRequest};

/// Paths that are created, changed, moved and removed.
const PATHS: [&str; 22] = [
    "environment.conf",
    "Puppetfile",
    "pupil.toml",
    ".gitignore",
    "manifests/site.pp",
    "manifests/nodes/a.pp",
    "loose/x.pp",
    "loose/y.epp",
    "site/role/manifests/init.pp",
    "site/role/metadata.json",
    "site/role/templates/t.epp",
    "site/role/templates/t.erb",
    "site/role/files/data.bin",
    "site/role/lib/puppet/functions/f.rb",
    "modules/apt/manifests/init.pp",
    "modules/apt/manifests/deep/er/a.pp",
    "modules/apt/metadata.json",
    "modules/apt/types/t.pp",
    "modules/role/manifests/init.pp",
    "metadata.json",
    ".fixtures.yml",
    "spec/fixtures/modules/dep/manifests/init.pp",
];

/// Directories that are moved and removed as a whole.
const FOLDERS: [&str; 10] = [
    "manifests",
    "manifests/nodes",
    "loose",
    "site",
    "site/role",
    "site/role/templates",
    "modules",
    "modules/apt",
    "modules/apt/manifests/deep",
    "spec",
];

/// File contents, each of them meaningful in some of the files.
const TEXTS: [&str; 10] = [
    "",
    "class role { }\n",
    "class apt { }\n",
    r#"{"name":"x-role","dependencies":[{"name":"x-apt"}]}"#,
    r#"{"name":"x-renamed"}"#,
    "modulepath = site:modules\nmanifest = manifests/site.pp\n",
    "modulepath = modules\n",
    "loose\n*.bin\n",
    "mod 'x/apt'\nmod 'x/none'\n",
    "[workspace]\nexclude = [\"site\"]\n",
];

#[derive(Clone, Debug)]
enum Operation {
    /// Writes a file and creates its parent directories.
    Write(usize, usize),
    Remove(usize),
    RemoveFolder(usize),
    Move(usize, usize),
    MoveFolder(usize, usize),
    /// Replaces the whole tree, as a branch switch does: a bit mask of the existing paths, and the
    /// index that their contents are derived from.
    Switch(u32, usize),
}

fn operation() -> impl Strategy<Value = Operation> {
    let path = || 0..PATHS.len();
    let folder = || 0..FOLDERS.len();
    prop_oneof![
        6 => (path(), 0..TEXTS.len()).prop_map(|(a, b)| Operation::Write(a, b)),
        2 => path().prop_map(Operation::Remove),
        1 => folder().prop_map(Operation::RemoveFolder),
        2 => (path(), path()).prop_map(|(a, b)| Operation::Move(a, b)),
        2 => (folder(), folder()).prop_map(|(a, b)| Operation::MoveFolder(a, b)),
        1 => (any::<u32>(), 0..TEXTS.len()).prop_map(|(a, b)| Operation::Switch(a, b)),
    ]
}

/// Operations that are reported together, and how: a seed for the order of events and for
/// duplicates, and whether only the outermost of new and removed directories is reported.
fn batches() -> impl Strategy<Value = Vec<(Vec<Operation>, u64, bool)>> {
    let batch = (
        prop::collection::vec(operation(), 1..6),
        any::<u64>(),
        any::<bool>(),
    );
    prop::collection::vec(batch, 1..8)
}

struct Disk {
    folder: TempDir,
    reported: Vec<PathBuf>,
    outermost: bool,
}

impl Disk {
    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn report(&mut self, path: &Path) {
        self.reported.push(path.to_owned());
    }

    /// Reports that a directory with all its contents was created or removed.
    fn report_tree(&mut self, folder: &Path) {
        self.report(folder);
        if self.outermost {
            return;
        }
        for path in PATHS {
            let path = self.at(path);
            if path.starts_with(folder) {
                self.report(&path);
            }
        }
    }

    fn write(&mut self, path: &str, text: &str) {
        let path = self.at(path);
        let folder = path.parent().expect("the path has a parent");
        let new = folder.ancestors().take_while(|it| !it.exists()).last();
        if let Some(new) = new {
            let new = new.to_owned();
            if fs::create_dir_all(folder).is_err() {
                return;
            }
            self.report_tree(&new);
        }
        if fs::write(&path, text).is_ok() {
            self.report(&path);
        }
    }

    fn rename(&mut self, from: &str, to: &str) {
        let (from, to) = (self.at(from), self.at(to));
        let _ = fs::create_dir_all(to.parent().expect("the path has a parent"));
        if fs::rename(&from, &to).is_ok() {
            self.report_tree(&from);
            self.report_tree(&to);
        }
        // Directories created for the target remain if the rename failed.
        let parent = to.parent().expect("the path has a parent").to_owned();
        self.report_tree(&parent);
    }

    fn run(&mut self, operation: &Operation) {
        match *operation {
            Operation::Write(path, text) => self.write(PATHS[path], TEXTS[text]),
            Operation::Remove(path) => {
                let path = self.at(PATHS[path]);
                if fs::remove_file(&path).is_ok() {
                    self.report(&path);
                }
            }
            Operation::RemoveFolder(folder) => {
                let folder = self.at(FOLDERS[folder]);
                if fs::remove_dir_all(&folder).is_ok() {
                    self.report_tree(&folder);
                }
            }
            Operation::Move(from, to) => {
                if self.at(PATHS[from]).is_file() {
                    self.rename(PATHS[from], PATHS[to]);
                }
            }
            Operation::MoveFolder(from, to) => self.rename(FOLDERS[from], FOLDERS[to]),
            Operation::Switch(mask, text) => {
                for (index, path) in PATHS.iter().enumerate() {
                    if mask >> index & 1 == 1 {
                        self.write(path, TEXTS[(text + index) % TEXTS.len()]);
                    } else if fs::remove_file(self.at(path)).is_ok() {
                        let path = self.at(path);
                        self.report(&path);
                    }
                }
            }
        }
    }

    /// Returns the reported events, shuffled and with duplicates.
    fn events(&mut self, seed: u64) -> Vec<PathBuf> {
        let mut events = std::mem::take(&mut self.reported);
        let mut state = seed;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            usize::try_from(state >> 33).unwrap_or(0) % below
        };
        for index in 0..events.len() {
            let other = random(events.len());
            events.swap(index, other);
            if random(4) == 0 {
                let event = events[index].clone();
                events.push(event);
            }
        }
        events
    }
}

/// The state of the analysis after all reported changes.
#[derive(Default)]
struct Mirror {
    files: BTreeMap<FileId, DiskFile>,
    layout: Arc<WorkspaceLayout>,
}

impl Mirror {
    fn update(&mut self, vfs: &mut Vfs, update: WorkspaceUpdate) {
        let changes = vfs.apply(update);
        for file in changes.files {
            match vfs.on_disk(file).cloned() {
                Some(it) => drop(self.files.insert(file, it)),
                None => drop(self.files.remove(&file)),
            }
        }
        if let Some(layout) = changes.layout {
            self.layout = layout;
        }
    }

    /// Returns a view that is independent of file IDs.
    fn view(&self, vfs: &Vfs) -> (Vec<(PathBuf, DiskFile)>, Vec<String>) {
        let path = |it: &FileId| vfs.path(*it).map(Path::to_owned).unwrap_or_default();
        let files = self.files.iter().map(|(id, file)| (path(id), file.clone()));
        let mut files = Vec::from_iter(files);
        files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let environments = self.layout.environments.iter().map(|it| {
            let modules = it.modules.iter().map(|module| {
                let files = module.files.iter().map(|(name, id)| (name, path(id)));
                let files = Vec::from_iter(files);
                let ModuleLayout {
                    name,
                    folder,
                    origin,
                    dependencies,
                    ..
                } = &**module;
                format!("{name} {folder} {origin:?} {dependencies:?} {files:?}")
            });
            let ids = |it: &[FileId]| it.iter().map(path).collect::<Vec<_>>();
            let modules = modules.collect::<Vec<_>>();
            let (manifests, others) = (ids(&it.manifests), ids(&it.others));
            format!(
                "{} {:?} {:?} {manifests:?} {others:?} {modules:?}",
                it.name, it.modulepath, it.missing
            )
        });
        (files, environments.collect())
    }
}

fn description(vfs: &Vfs, notes: &[crate::workspace::Note]) -> String {
    serde_json::to_string(&Description::new(vfs, notes)).expect("serialization cannot fail")
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn incremental_updates_equal_a_fresh_start(batches in batches()) {
        let mut disk = Disk {
            folder: tempfile::tempdir().expect("a folder"),
            reported: Vec::new(),
            outermost: false,
        };
        let request = WorkspaceRequest {
            folders: vec![disk.folder.path().to_owned()],
            basemodulepath: Some(Vec::new()),
            ..WorkspaceRequest::default()
        };
        let (mut loader, mut vfs, mut mirror) = (Loader::default(), Vfs::default(), Mirror::default());
        mirror.update(&mut vfs, loader.load(&request, &[], &|_, _| {}));
        for (operations, seed, outermost) in batches {
            disk.outermost = outermost;
            for operation in &operations {
                disk.run(operation);
            }
            let events = disk.events(seed);
            let update = loader.load(&request, &events, &|_, _| {});
            let notes = update.notes.clone();
            mirror.update(&mut vfs, update);

            let (mut fresh, mut fresh_mirror) = (Vfs::default(), Mirror::default());
            let update = Loader::default().load(&request, &[], &|_, _| {});
            let fresh_notes = update.notes.clone();
            fresh_mirror.update(&mut fresh, update);
            prop_assert_eq!(mirror.view(&vfs), fresh_mirror.view(&fresh), "{:?}", operations);
            prop_assert_eq!(description(&vfs, &notes), description(&fresh, &fresh_notes));
        }
    }
}
