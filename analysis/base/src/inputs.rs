//! The salsa inputs, and the syntax trees computed from them. All other queries are defined in the
//! modules that they belong to.
//!
//! A query that others depend on must not return anything that changes when the preceding source
//! does: it returns trees without positions, ranges relative to an item, and names. Absolute
//! offsets are only read in the last step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use salsa::Database;
use syntax::Parse;
use syntax::validation::{PuppetVersion, ValidationContext};

use crate::{FileId, FileSpec, ModuleOrigin, ModulepathKind, OtherVersions};

/// A file. Inputs are never removed: a deleted file has no text.
#[salsa::input(debug)]
pub struct FileInput {
    /// The identifier used by the client.
    #[returns(copy)]
    pub id: FileId,
    /// The source; `None` if the file is deleted, or of a kind that is not read.
    pub(crate) content: FileContent,
    pub spec: FileSpec,
    /// The environment that the file belongs to.
    #[returns(copy)]
    pub environment: Option<EnvironmentInput>,
    /// The module that contains the file.
    #[returns(copy)]
    pub module: Option<ModuleInput>,
}

/// The source of a file, with data for reparsing it incrementally.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileContent {
    pub(crate) text: Option<Arc<str>>,
    /// The last source without syntax errors and its tree, for a file that is being edited.
    pub(crate) last_valid: Option<(Arc<str>, Parse)>,
}

impl FileInput {
    /// Checks whether lines that continue an expression are one level deeper than its first line.
    pub fn indents_continuations(self, db: &dyn Database) -> bool {
        let environment = self.environment(db);
        environment.is_some_and(|it| it.indents_continuations(db))
    }

    /// Returns the source; `None` if the file is deleted, or of a kind that is not read.
    pub fn text(self, db: &dyn Database) -> &Option<Arc<str>> {
        &self.content(db).text
    }
}

#[salsa::input(debug)]
pub struct ModuleInput {
    /// The prefix of its definitions.
    pub name: Arc<str>,
    /// The folder as displayed in messages.
    pub folder: Arc<str>,
    #[returns(copy)]
    pub origin: ModuleOrigin,
    /// The files by their relative paths.
    pub files: Arc<BTreeMap<String, FileInput>>,
    /// The dependencies in its metadata.
    pub dependencies: Arc<[String]>,
    /// The files and directories that exist elsewhere, but not here, by their relative paths.
    pub absent: Arc<BTreeSet<String>>,
    /// Whether the folder is also that of its environment.
    #[returns(copy)]
    pub is_project: bool,
}

/// Code that is compiled together.
#[salsa::input(debug)]
pub struct EnvironmentInput {
    /// The files of the main manifest.
    pub manifests: Arc<[FileInput]>,
    /// The only file, of an environment that has neither main manifests nor modules of its own: a manifest
    /// that is applied alone.
    #[returns(copy)]
    pub single_file: Option<FileInput>,
    /// The modules by name; of several with the same name, the first on the modulepath.
    pub modules: Arc<BTreeMap<String, ModuleInput>>,
    /// How much is known about modules that were not found.
    #[returns(copy)]
    pub modulepath: ModulepathKind,
    /// The names of modules that the project declares, but that were not found.
    pub missing: Arc<BTreeSet<String>>,
    /// The versions or ranges of modules that the project requires, as written.
    pub required_versions: Arc<BTreeMap<String, String>>,
    /// The modules that are installed in a version other than the required one.
    pub other_versions: Arc<OtherVersions>,
    /// The codes of the rules that are off.
    pub disabled_rules: Arc<BTreeSet<String>>,
    /// Whether lines that continue an expression are one level deeper than its first line.
    #[returns(copy)]
    pub indents_continuations: bool,
}

/// Settings that apply to all files.
#[salsa::input(singleton, debug)]
pub struct SettingsInput {
    /// The Puppet version whose semantics apply.
    #[returns(copy)]
    pub version: PuppetVersion,
    /// Whether catalogs are compiled for the rules that need them.
    #[returns(copy)]
    pub compiles_catalogs: bool,
}

/// Returns the syntax tree of a file, with its syntax errors.
#[salsa::tracked(lru = 256)]
pub fn parse(db: &dyn Database, file: FileInput) -> Parse {
    let text = file.text(db).as_deref().unwrap_or_default();
    let dialect = file.spec(db).dialect;
    match &file.content(db).last_valid {
        Some((before, tree)) => tree.reparse(before, text, dialect),
        None => syntax::parse(text, dialect),
    }
}

/// Returns the context of Puppet's static checks of a file.
pub fn validation_context(db: &dyn Database, file: FileInput) -> ValidationContext {
    let spec = file.spec(db);
    ValidationContext {
        version: SettingsInput::get(db).version(db),
        tasks: spec.dialect.tasks,
        place: spec.place.clone(),
    }
}

/// Parses a variant of a file's source with a small change, such as one completed at the cursor.
pub fn parse_variant(db: &dyn Database, file: FileInput, text: &str) -> Parse {
    let dialect = file.spec(db).dialect;
    let tree = parse(db, file);
    if tree.errors().is_empty() {
        let own = file.text(db).as_deref().unwrap_or_default();
        return tree.reparse_near(own, text, dialect);
    }
    match &file.content(db).last_valid {
        Some((before, tree)) => tree.reparse_near(before, text, dialect),
        None => syntax::parse(text, dialect),
    }
}
