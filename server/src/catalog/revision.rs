//! The files of a Git revision, in a temporary directory.
//!
//! Git is never run, and neither are hooks and filters: a library reads the objects of the repository, without
//! the configuration of the user.

use std::fs;
use std::path::{Path, PathBuf};

use gix::objs::tree::EntryKind;
use tempfile::TempDir;

use crate::workspace::MAX_TEXT;

/// The limit of files of a revision.
const MAX_FILES: usize = 1_000_000;

/// The files of a revision. They are removed with this value.
pub(super) struct Revision {
    folder: TempDir,
    /// The environment, relative to the repository.
    environment: PathBuf,
}

impl Revision {
    /// Reads a revision of the repository that contains an environment.
    ///
    /// # Errors
    ///
    /// If the revision or the repository is missing, or if it cannot be read.
    pub(super) fn read(environment: &Path, name: &str) -> Result<Revision, String> {
        let mut around = environment.ancestors();
        let root = around.find(|it| it.join(".git").exists());
        let root = root.ok_or_else(|| {
            format!("`{name}` is not a directory, and the environment is not in a Git repository")
        })?;
        let folder = tempfile::tempdir().map_err(|it| it.to_string())?;
        write_revision(root, name, folder.path())
            .map_err(|it| format!("cannot read the Git revision `{name}`: {it}"))?;
        let environment = environment.strip_prefix(root).unwrap_or(Path::new(""));
        Ok(Revision {
            folder,
            environment: environment.to_owned(),
        })
    }

    /// Returns the directory of the environment in the revision.
    pub(super) fn environment(&self) -> PathBuf {
        self.folder.path().join(&self.environment)
    }
}

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// The files of a repository that must not be links, relative to `.git`.
const REFERRING: [&str; 4] = ["HEAD", "objects", "refs", "packed-refs"];

/// Checks that a repository is in its directory as a whole.
fn check_contained(root: &Path) -> Result<(), String> {
    let git = root.join(".git");
    let is_link = |it: &Path| it.symlink_metadata().is_ok_and(|it| it.is_symlink());
    let is_elsewhere = is_link(&git)
        || !git.is_dir()
        || REFERRING.iter().any(|it| is_link(&git.join(it)))
        || git.join("commondir").exists()
        || git.join("objects/info/alternates").exists();
    match is_elsewhere {
        true => {
            Err("parts of the repository are in another directory, which is not read".to_owned())
        }
        false => Ok(()),
    }
}

fn write_revision(root: &Path, name: &str, folder: &Path) -> Outcome {
    check_contained(root)?;
    let repository = gix::open_opts(root, gix::open::Options::isolated())?;
    let commit = repository.rev_parse_single(name);
    let commit = commit.map_err(|_| "it does not exist")?;
    let mut open = vec![(commit.object()?.peel_to_tree()?, folder.to_owned())];
    let mut count = 0;
    while let Some((tree, folder)) = open.pop() {
        fs::create_dir_all(&folder)?;
        for entry in tree.iter() {
            let entry = entry?;
            let Some(path) = inside(&folder, entry.filename()) else {
                continue;
            };
            count += 1;
            if count > MAX_FILES {
                return Err("too many files".into());
            }
            match entry.mode().kind() {
                EntryKind::Tree => open.push((entry.object()?.peel_to_tree()?, path)),
                EntryKind::Blob | EntryKind::BlobExecutable => {
                    let header = entry.id().header()?;
                    if header.size() <= MAX_TEXT {
                        fs::write(path, &entry.object()?.data)?;
                    }
                }
                // Links could lead out of the repository; submodules are not part of it.
                EntryKind::Link | EntryKind::Commit => {}
            }
        }
    }
    Ok(())
}

/// Returns the path of an entry of a folder; `None` if its name would lead elsewhere.
fn inside(folder: &Path, name: &[u8]) -> Option<PathBuf> {
    let name = std::str::from_utf8(name).ok()?;
    let is_plain = !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', ':', '\0']);
    (is_plain && !name.eq_ignore_ascii_case(".git")).then(|| folder.join(name))
}
