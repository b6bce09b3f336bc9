//! A session that knows the functions and type aliases of the workspace, and which functions modules have in Ruby.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use analysis::eval::ReportedError;
use analysis::{EvalSettings, Evaluation, Session};

use super::FOLDER;
use crate::loaded_workspace::LoadedWorkspace;

/// The issue code of a call of a function that does not exist.
const UNKNOWN_FUNCTION: &str = "UNKNOWN_FUNCTION";

/// The directories of functions in Ruby, of the present API and the former one.
const RUBY_FOLDERS: [&str; 2] = ["lib/puppet/functions", "lib/puppet/parser/functions"];

/// A session in the current directory. The workspace is read only for code with a qualified name or an unknown
/// function, since all others are built in.
pub(super) struct WorkspaceSession {
    settings: EvalSettings,
    /// The additional directories of the modulepath.
    modulepath: Vec<PathBuf>,
    session: Session,
    has_definitions: bool,
    /// The workspace, once it is read.
    workspace: Option<LoadedWorkspace>,
}

impl WorkspaceSession {
    pub(super) fn new(settings: EvalSettings, modulepath: Vec<PathBuf>) -> WorkspaceSession {
        WorkspaceSession {
            session: Session::new(settings.clone()),
            settings,
            modulepath,
            has_definitions: false,
            workspace: None,
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
            self.read_workspace();
            let texts = self.workspace.iter().flat_map(|it| it.files.texts());
            let definitions = texts.filter(|(path, _)| is_definition(path));
            self.session.define(definitions.map(|it| it.1));
        }
        match self.session.evaluate(code) {
            Evaluation::Error(error) => match self.function_in_ruby(&error) {
                Some(name) => Evaluation::Unknown(format!("`{name}` is written in Ruby")),
                None => Evaluation::Error(error),
            },
            answer => answer,
        }
    }

    fn read_workspace(&mut self) {
        if self.workspace.is_none() {
            let folder = PathBuf::from(FOLDER);
            let version = self.settings.version;
            self.workspace = Some(LoadedWorkspace::load(&[folder], &self.modulepath, version));
        }
    }

    /// Returns the name of the function that does not exist according to an error, if a module has it in Ruby.
    fn function_in_ruby(&mut self, error: &ReportedError) -> Option<String> {
        if error.code != Some(UNKNOWN_FUNCTION) {
            return None;
        }
        let name = error.message.split('`').nth(1)?.to_owned();
        let mut file = PathBuf::from_iter(name.split("::"));
        file.set_extension("rb");
        let files = RUBY_FOLDERS.map(|it| Path::new(it).join(&file));
        self.read_workspace();
        let mut paths = self.workspace.iter().flat_map(|it| it.files.texts());
        let is_found = paths.any(|(path, _)| files.iter().any(|it| path.ends_with(it)));
        is_found.then_some(name)
    }
}

/// Checks whether a file of a module defines a function or a type alias.
fn is_definition(path: &Path) -> bool {
    let is_folder = |it: &OsStr| it == "functions" || it == "types";
    path.extension().is_some_and(|it| it == "pp") && path.iter().any(is_folder)
}
