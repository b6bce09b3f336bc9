//! A session that knows the functions and type aliases of the workspace.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use analysis::{EvalSettings, Evaluation, Session};

use crate::loaded_workspace::LoadedWorkspace;

/// A session in the current directory. The workspace is read only for code with a qualified name, since
/// all others are built in.
pub(super) struct WorkspaceSession {
    settings: EvalSettings,
    session: Session,
    has_definitions: bool,
}

impl WorkspaceSession {
    pub(super) fn new(settings: EvalSettings) -> WorkspaceSession {
        WorkspaceSession {
            session: Session::new(settings.clone()),
            settings,
            has_definitions: false,
        }
    }

    /// Forgets all variables and definitions.
    pub(super) fn reset(&mut self) {
        *self = WorkspaceSession::new(self.settings.clone());
    }

    pub(super) fn evaluate(&mut self, code: &str) -> Evaluation {
        if !self.has_definitions && code.contains("::") {
            self.has_definitions = true;
            let folder = PathBuf::from(".");
            let workspace = LoadedWorkspace::load(&[folder], &[], self.settings.version);
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
