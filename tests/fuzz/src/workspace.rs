//! Workspaces of several files in one input.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::base::FileId;
use analysis::{Analysis, AnalysisHost, Change};

use crate::nodes::sample_nodes;

/// The start of a line with the path of the following file.
pub(crate) const MARKER: &str = "//- ";

/// The maximum number of files.
const MAX_FILES: usize = 12;

/// The texts of an environment's files by their paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Workspace {
    files: BTreeMap<String, String>,
}

impl Workspace {
    /// Splits an input into files. Each begins after a line `//- PATH`, except for the first one: the main manifest.
    /// Files with unusable paths are dropped.
    pub fn parse(text: &str) -> Workspace {
        let mut parts = text.split(MARKER);
        let manifest = parts.next().unwrap_or_default();
        let mut files = BTreeMap::from([("site.pp".to_owned(), manifest.to_owned())]);
        for (path, text) in parts.filter_map(|it| it.split_once('\n')) {
            if let Some(path) = full_path(path.trim())
                && files.len() < MAX_FILES
            {
                files.insert(path, text.to_owned());
            }
        }
        Workspace { files }
    }

    /// Iterates over the files with their numbers.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &str)> {
        (0..)
            .map(FileId)
            .zip(self.files.values().map(String::as_str))
    }

    /// Returns the first `share` of 255 parts of a source, which may end in the middle of a name.
    pub fn cut(text: &str, share: u8) -> &str {
        &text[..text.floor_char_boundary(usize::from(share) * text.len() / 255)]
    }

    /// Loads the files into a new host.
    pub fn load(&self, version: syntax::validation::PuppetVersion) -> AnalysisHost {
        let mut host = AnalysisHost::default();
        host.apply_change(Change::SetVersion(version));
        host.apply_change(Change::SetSampleNodes(sample_nodes()));
        for (file, text) in self.files() {
            self.set(&mut host, file, text);
        }
        let paths = self.files.keys().map(String::as_str);
        let layout = fixture::layout(paths.zip((0..).map(FileId)));
        host.apply_change(Change::SetWorkspace(Arc::new(layout)));
        host
    }

    /// Replaces the text of a file, as an editor does.
    pub fn edit(&self, host: &mut AnalysisHost, file: FileId, text: &str) {
        let spec = fixture::file_spec(self.path(file));
        let text = text.into();
        host.apply_change(Change::EditFile { file, spec, text });
    }

    fn set(&self, host: &mut AnalysisHost, file: FileId, text: &str) {
        let spec = fixture::file_spec(self.path(file));
        let text = text.into();
        host.apply_change(Change::SetFile { file, spec, text });
    }

    /// Returns the path of a file.
    pub fn path(&self, file: FileId) -> &str {
        let mut paths = self.files.keys();
        paths
            .nth(file.0 as usize)
            .expect("the file has a number of this workspace")
    }
}

/// Returns the path in the layout of a path in an environment; `None` for a file that no environment has.
fn full_path(path: &str) -> Option<String> {
    let is_relative = path.split('/').all(|it| !matches!(it, "" | "." | ".."));
    if !is_relative || path.contains(char::is_control) {
        return None;
    }
    let Some(in_module) = path.strip_prefix("modules/") else {
        let is_data = [".yaml", ".json"].iter().any(|it| path.ends_with(it));
        return is_data.then(|| format!("modules/environment/{path}"));
    };
    let (module, _) = in_module.split_once('/')?;
    let is_module = module.starts_with(|c: char| c.is_ascii_lowercase())
        && module
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && module != "environment";
    is_module.then(|| path.to_owned())
}

/// Returns the diagnostics of a file: those of its rules, or those of a template or file of a module.
pub fn diagnostics(analysis: &Analysis, file: FileId) -> Vec<analysis::base::Diagnostic> {
    let assets = analysis.asset_diagnostics(file);
    assets.unwrap_or_else(|| analysis.diagnostics(file))
}
