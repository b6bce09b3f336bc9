//! Where names come from. Users mostly want those of their own module, and those of modules that the project
//! declares before those of others that are installed by chance.

use base::{Dependencies, EnvironmentInput, FileInput, ModuleInput, ModuleOrigin, ModulepathKind};
use hir::resolve::dependencies_of;
use salsa::Database;

use super::score;
use crate::cursor::CursorContext;

/// The factor of names from modules that this one does not declare: its users may not have them.
const UNDECLARED: f64 = 0.2;

/// Where a name comes from, seen from the cursor, nearest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Origin {
    /// The same file.
    File,
    /// The same module; for the main manifests, one of them.
    Module,
    /// A module that is developed in the workspace, or a main manifest.
    Workspace,
    /// A module that is developed in the workspace, but not a dependency of this one.
    Undeclared,
    /// Puppet itself.
    Puppet,
    /// A module that the project declares.
    Dependency,
    /// Another installed module.
    Other,
}

impl Origin {
    /// Checks whether the name is from the same file or module.
    pub(super) fn is_own(self) -> bool {
        self <= Origin::Module
    }

    /// Returns the score where nearness weighs as much as a few uses.
    pub(super) fn score(self) -> i64 {
        match self {
            Origin::File => 2 * score::SAME_MODULE,
            Origin::Module => score::SAME_MODULE,
            Origin::Workspace => score::SAME_MODULE / 2,
            Origin::Undeclared | Origin::Puppet | Origin::Dependency | Origin::Other => 0,
        }
    }

    /// Returns the factor of the likelihood of a name.
    pub(super) fn weight(self) -> f64 {
        match self {
            Origin::Undeclared => UNDECLARED,
            _ => 1.0,
        }
    }

    /// Returns the group of a name where those of other origins come later.
    pub(super) fn group(self) -> i8 {
        match self {
            Origin::Undeclared => Origin::Workspace as i8,
            _ => self as i8,
        }
    }
}

/// Finds where the names of files and modules come from.
pub(crate) struct Origins<'db> {
    db: &'db dyn Database,
    file: FileInput,
    module: Option<ModuleInput>,
    /// The dependencies of the module, if it declares any.
    dependencies: Option<&'db Dependencies>,
    /// Whether what is installed in the workspace is declared by the project.
    declares_installed: bool,
}

impl<'db> Origins<'db> {
    pub(super) fn new(cursor: &CursorContext<'db>) -> Origins<'db> {
        Origins::seen_from(cursor.db, cursor.environment, cursor.file)
    }

    pub(crate) fn seen_from(
        db: &'db dyn Database,
        environment: Option<EnvironmentInput>,
        file: FileInput,
    ) -> Origins<'db> {
        let module = file.module(db);
        let declaring = module.filter(|it| !it.dependencies(db).is_empty());
        Origins {
            db,
            file,
            module,
            dependencies: environment
                .zip(declaring)
                .map(|(environment, it)| dependencies_of(db, environment, it)),
            declares_installed: environment
                .is_some_and(|it| it.modulepath(db) == ModulepathKind::OfEnvironment),
        }
    }

    pub(crate) fn of_file(&self, file: FileInput) -> Origin {
        if file == self.file {
            return Origin::File;
        }
        match file.module(self.db) {
            Some(module) => self.of_module(module),
            None if self.module.is_none() => Origin::Module,
            None => Origin::Workspace,
        }
    }

    /// Returns where a key of data comes from: a module, or the project.
    pub(crate) fn of_key(&self, environment: EnvironmentInput, key: &str) -> Origin {
        let modules = environment.modules(self.db);
        let module = key.split("::").next().and_then(|it| modules.get(it));
        module.map_or(Origin::Workspace, |it| self.of_module(*it))
    }

    pub(super) fn of_module(&self, module: ModuleInput) -> Origin {
        let is_dependency = || {
            let all = self.dependencies;
            all.is_some_and(|it| it.found.contains(&**module.name(self.db)))
        };
        match module.origin(self.db) {
            _ if self.module == Some(module) => Origin::Module,
            ModuleOrigin::Workspace if self.dependencies.is_none() || is_dependency() => {
                Origin::Workspace
            }
            ModuleOrigin::Workspace => Origin::Undeclared,
            ModuleOrigin::Installed if self.declares_installed || self.dependencies.is_none() => {
                Origin::Dependency
            }
            _ if is_dependency() => Origin::Dependency,
            _ => Origin::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::{offered, offered_in};

    #[test]
    fn names_of_the_own_module_come_first() {
        let rest = "\n//- modules/zoo/manifests/init.pp\nclass zoo { package { 'zebra': } }\n\
                    //- modules/zoo/templates/a.epp\n1\n//- manifests/more.pp\ninclude zoo\ninclude zoo\n";
        let first =
            |code: &str| offered_in("modules/web/manifests/x.pp", &format!("{code}{rest}"), 1);
        assert!(first("class web::x { include <^> }").starts_with("web"));
        assert!(first("class web::x inherits <^> { }").starts_with("web"));
        assert_eq!(first("class web::x { $a = epp('<^>') }"), "web/site.epp");
        assert_eq!(
            first("class web::x { package { 'own': } $a = Package['<^>'] }"),
            "own"
        );
        assert_eq!(first("class web::x { $a = Package['<^>'] }"), "zebra");
    }

    #[test]
    fn variables_follow_classes() {
        let code = "class a($x) { include <^> }";
        assert!(!offered(code, 3).contains('$'), "{}", offered(code, 3));
    }
}
