//! The Ruby files of Debian's modules and their `require` graph.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use analysis::ruby::{self, Required};

/// The maximum number of files that one requires, directly or not.
const REQUIRED: usize = 20;

/// The sources by path relative to the directory of the modules.
pub(crate) struct Files(BTreeMap<PathBuf, String>);

impl Files {
    pub(crate) fn read(modules: &Path) -> Files {
        let mut found = BTreeMap::new();
        let list = |dir: &Path| -> Vec<PathBuf> {
            let entries = fs::read_dir(dir).into_iter().flatten().flatten();
            entries.map(|it| it.path()).collect()
        };
        let mut folders: Vec<_> = list(modules).iter().map(|it| it.join("lib")).collect();
        while let Some(folder) = folders.pop() {
            for path in list(&folder) {
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "rb") {
                    let name = path.strip_prefix(modules).unwrap_or(&path).to_owned();
                    let text = fs::read(&path).expect("the file can be read");
                    found.insert(name, String::from_utf8_lossy(&text).into_owned());
                }
            }
        }
        assert!(!found.is_empty(), "no modules in {}", modules.display());
        Files(found)
    }

    pub(crate) fn texts(&self) -> impl Iterator<Item = (&Path, &str)> {
        let all = self.0.iter();
        all.map(|(path, text)| (path.as_path(), text.as_str()))
    }

    /// Returns the source of a file.
    pub(crate) fn text(&self, file: &str) -> &str {
        let found = self.0.get(Path::new(file));
        found.unwrap_or_else(|| panic!("{file} is not part of the modules"))
    }

    /// Returns the sources of the files of the modules that one requires, directly or not.
    pub(crate) fn required_by(&self, file: &str) -> Vec<&str> {
        let mut seen = BTreeSet::from([PathBuf::from(file)]);
        let mut open = vec![PathBuf::from(file)];
        let mut texts = Vec::new();
        while let Some(path) = open.pop() {
            for required in ruby::requires(&self.0[&path]) {
                let Some(found) = self.find(&path, &required) else {
                    continue;
                };
                if texts.len() < REQUIRED && seen.insert(found.clone()) {
                    texts.push(self.0[&found].as_str());
                    open.push(found);
                }
            }
        }
        texts
    }

    fn find(&self, from: &Path, required: &Required) -> Option<PathBuf> {
        match required {
            Required::FromHere(path) => {
                let path = normal(&from.parent()?.join(path));
                let path = path.with_added_extension("rb");
                self.0.contains_key(&path).then_some(path)
            }
            Required::InLib(path) => {
                let own = Path::new(from.iter().next()?);
                let name = |module: &Path| module.join("lib").join(format!("{path}.rb"));
                let all = self.0.keys().filter_map(|it| it.iter().next());
                let mut candidates = std::iter::once(own).chain(all.map(Path::new)).map(name);
                candidates.find(|it| self.0.contains_key(it))
            }
        }
    }

    /// Returns the sorted providers of a resource type in all modules.
    pub(crate) fn providers(&self, type_: &str) -> Vec<String> {
        let folder = format!("lib/puppet/provider/{type_}");
        let files = self.0.iter().filter(|(path, _)| {
            let inside: PathBuf = path.iter().skip(1).collect();
            inside.parent() == Some(Path::new(&folder))
        });
        let found = files.filter_map(|(_, text)| ruby::provider(text));
        let names = found.filter(|(of, _)| of == type_).map(|(_, name)| name);
        let names: BTreeSet<_> = names.collect();
        names.into_iter().collect()
    }
}

/// Resolves `x/..` in a path.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            out.pop();
        } else {
            out.push(part);
        }
    }
    out
}
