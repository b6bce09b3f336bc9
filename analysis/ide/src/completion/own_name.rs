//! Completes the name in a definition, as determined by the path of its file.

use salsa::Database;
use syntax::ast::Definition;

use super::{Candidate, Collector, CompletionKind, score};
use crate::search::module_path;
use base::db::FileInput;
use hir::items;
use types::capitalize_segments;

/// The kinds of definitions that are named after their file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Named {
    /// A class or a defined type.
    Resource,
    Function,
    Type,
    Plan,
}

impl Named {
    /// Returns the kind of a definition; `None` if it is not named after its file.
    pub(super) fn of(definition: &Definition) -> Option<Named> {
        Some(match definition {
            Definition::ClassDefinition(_) | Definition::DefineDefinition(_) => Named::Resource,
            Definition::FunctionDefinition(_) => Named::Function,
            Definition::TypeAlias(_) => Named::Type,
            Definition::PlanDefinition(_) => Named::Plan,
            _ => return None,
        })
    }

    fn folder(self) -> &'static str {
        match self {
            Named::Resource => "manifests/",
            Named::Function => "functions/",
            Named::Type => "types/",
            Named::Plan => "plans/",
        }
    }

    fn kind(self) -> CompletionKind {
        match self {
            Named::Resource => CompletionKind::Class,
            Named::Function | Named::Plan => CompletionKind::Function,
            Named::Type => CompletionKind::DataType,
        }
    }
}

/// Returns the name that autoloading expects in a file, unless the file already defines it.
pub(super) fn name_of(db: &dyn Database, file: FileInput, named: Named) -> Option<String> {
    let place = file.spec(db).place.as_ref();
    let (module, path) = module_path(db, file).or_else(|| {
        place.and_then(|it| Some((it.module_names.first()?.clone(), it.path.clone())))
    })?;
    let rest = path.strip_prefix(named.folder())?.strip_suffix(".pp")?;
    let is_init = rest == "init" && named != Named::Type;
    let name = match is_init {
        true => module,
        false => format!("{module}::{}", rest.replace('/', "::")),
    };
    let words = name.split("::");
    let is_name = words.clone().all(|it| {
        it.starts_with(|it: char| it.is_ascii_lowercase())
            && it
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
    });
    let is_there = items(db, file).iter().any(|it| *it.name(db) == name);
    if !is_name || is_there {
        return None;
    }
    Some(match named {
        Named::Type => capitalize_segments(&name),
        _ => name,
    })
}

/// Adds the expected name.
pub(super) fn own_name(into: &mut Collector<'_, '_>, named: Named) {
    if let Some(name) = name_of(into.site.db, into.site.file, named) {
        into.add(Candidate::new(named.kind(), name).score(score::CERTAIN));
    }
}
