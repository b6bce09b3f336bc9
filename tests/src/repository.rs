//! The source files of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// The names of directories that are generated or downloaded.
const SKIPPED: [&str; 5] = ["target", ".git", "node_modules", "artifacts", "book"];

/// Returns the root directory.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    root.expect("the crate is in the repository").to_owned()
}

/// Reads all text files whose path satisfies a condition, ordered by path. Paths are relative, with
/// `/`.
pub fn texts(is_wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let root = root();
    let mut found = Vec::new();
    let mut pending = vec![root.clone()];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(&directory).expect("the directory can be read") {
            let entry = entry.expect("the entry can be read");
            let (path, name) = (entry.path(), entry.file_name());
            let kind = entry.file_type().expect("the type of the entry");
            if kind.is_dir() && !SKIPPED.iter().any(|it| name == *it) {
                pending.push(path);
            } else if kind.is_file() {
                let relative = path.strip_prefix(&root).expect("a path below the root");
                let relative = relative.to_string_lossy().replace('\\', "/");
                if is_wanted(&relative)
                    && let Ok(text) = fs::read_to_string(&path)
                {
                    found.push((relative, text));
                }
            }
        }
    }
    found.sort();
    found
}

/// Reads all Rust sources, ordered by path.
pub fn rust_sources() -> Vec<(String, String)> {
    texts(|path| path.ends_with(".rs"))
}
