//! The modules of Debian's `puppet-module-*` packages, as a corpus of real manifests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use syntax::Dialect;

use crate::env;

/// The directory of the modules in Debian's packages.
const DEBIAN_MODULES: &str = "/usr/share/puppet/modules.available";

/// Returns the directory of the modules: `$PUPIL_MODULES`, or Debian's. It may not exist.
pub fn modules_dir() -> PathBuf {
    env::modules().unwrap_or_else(|| DEBIAN_MODULES.into())
}

/// Returns the directory of this crate, which contains the recordings and cases.
pub fn tests_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reads all manifests and templates in a directory, by relative path.
///
/// # Errors
/// If a file or directory cannot be read, or a file is not UTF-8.
pub fn read_all(dir: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|it| it == "pp" || it == "epp")
            {
                let name = path.strip_prefix(dir).unwrap_or(&path);
                found.insert(
                    name.to_string_lossy().into_owned(),
                    fs::read_to_string(&path)?,
                );
            }
        }
    }
    Ok(found)
}

/// Returns the language of a file by its path, as Puppet's own tools do.
pub fn dialect(path: &str) -> Dialect {
    Dialect {
        epp: path.ends_with(".epp"),
        tasks: path.contains("/plans/"),
    }
}
