//! A session that knows the functions and type aliases of the workspace.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use analysis::{EvalSettings, Evaluation, Session};

use super::FOLDER;
use crate::loaded_workspace::LoadedWorkspace;

/// A session in the current directory. The workspace is read only for code with a qualified name, since
/// all others are built in.
pub(super) struct WorkspaceSession {
    settings: EvalSettings,
    /// The additional directories of the modulepath.
    modulepath: Vec<PathBuf>,
    session: Session,
    has_definitions: bool,
}

impl WorkspaceSession {
    pub(super) fn new(settings: EvalSettings, modulepath: Vec<PathBuf>) -> WorkspaceSession {
        WorkspaceSession {
            session: Session::new(settings.clone()),
            settings,
            modulepath,
            has_definitions: false,
        }
    }

    /// Forgets all variables and definitions.
    pub(super) fn reset(&mut self) {
        self.session = Session::new(self.settings.clone());
        self.has_definitions = false;
    }

    pub(super) fn evaluate(&mut self, code: &str) -> Evaluation {
        if !self.has_definitions && code.contains("::") {
            self.has_definitions = true;
            let folder = PathBuf::from(FOLDER);
            let version = self.settings.version;
            let workspace = LoadedWorkspace::load(&[folder], &self.modulepath, version);
            let definitions = workspace.files.texts();
            let definitions = definitions.filter(|(path, _)| is_definition(path));
            self.session.define(definitions.map(|it| it.1));
        }
        self.session.evaluate(code)
    }
}

/// Checks whether a file of a module defines a function or a type alias.
fn is_definition(path: &Path) -> bool {
    let is_folder = |it: &OsStr| it == "functions" || it == "types";
    path.extension().is_some_and(|it| it == "pp") && path.iter().any(is_folder)
}
