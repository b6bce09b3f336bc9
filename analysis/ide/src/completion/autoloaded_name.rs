//! The names of definitions that autoloading expects in a file, by its path.

use salsa::Database;
use syntax::ast::Definition;

use crate::search::module_path;
use base::FileInput;
use hir::items;
use types::capitalize_segments;

/// The kinds of definitions that are named after their file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AutoloadKind {
    /// A class or a defined type.
    Manifest,
    Function,
    Type,
    Plan,
}

impl AutoloadKind {
    const ALL: [AutoloadKind; 4] = [
        AutoloadKind::Manifest,
        AutoloadKind::Function,
        AutoloadKind::Type,
        AutoloadKind::Plan,
    ];

    /// Returns the kind of a definition; `None` if it is not named after its file.
    pub(super) fn of(definition: &Definition) -> Option<AutoloadKind> {
        Some(match definition {
            Definition::ClassDefinition(_) | Definition::DefineDefinition(_) => {
                AutoloadKind::Manifest
            }
            Definition::FunctionDefinition(_) => AutoloadKind::Function,
            Definition::TypeAlias(_) => AutoloadKind::Type,
            Definition::PlanDefinition(_) => AutoloadKind::Plan,
            _ => return None,
        })
    }

    fn folder(self) -> &'static str {
        match self {
            AutoloadKind::Manifest => "manifests/",
            AutoloadKind::Function => "functions/",
            AutoloadKind::Type => "types/",
            AutoloadKind::Plan => "plans/",
        }
    }
}

/// Returns the name that autoloading expects in a file, unless the file already defines it.
pub(super) fn expected_name(
    db: &dyn Database,
    file: FileInput,
    kind: AutoloadKind,
) -> Option<String> {
    let name = autoloaded_name(db, file, kind)?;
    let is_there = items(db, file).iter().any(|it| *it.name(db) == name);
    if is_there {
        return None;
    }
    Some(match kind {
        AutoloadKind::Type => capitalize_segments(&name),
        _ => name,
    })
}

/// Returns the name that autoloading expects in a file, in lower case.
pub(super) fn name_of_file(db: &dyn Database, file: FileInput) -> Option<String> {
    let mut kinds = AutoloadKind::ALL.into_iter();
    kinds.find_map(|it| autoloaded_name(db, file, it))
}

/// Returns the name of a kind that autoloading expects in a file, in lower case.
fn autoloaded_name(db: &dyn Database, file: FileInput, kind: AutoloadKind) -> Option<String> {
    let place = file.spec(db).place.as_ref();
    let (module, path) = module_path(db, file).or_else(|| {
        place.and_then(|it| Some((it.module_names.first()?.clone(), it.path.clone())))
    })?;
    let rest = path.strip_prefix(kind.folder())?.strip_suffix(".pp")?;
    let is_init = rest == "init" && kind != AutoloadKind::Type;
    let name = match is_init {
        true => module,
        false => format!("{module}::{}", rest.replace('/', "::")),
    };
    let mut words = name.split("::");
    let is_name = words.all(|it| {
        it.starts_with(|it: char| it.is_ascii_lowercase())
            && it
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
    });
    is_name.then_some(name)
}
