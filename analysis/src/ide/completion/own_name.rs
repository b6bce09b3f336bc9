//! The name of a definition that is just being written: where its file lies says it.

use salsa::Database;
use syntax::ast::Definition;

use super::{Candidate, Collector, CompletionKind, score};
use crate::db::FileInput;
use crate::ide::search::module_path;
use crate::workspace::items;

/// What a definition may be, by the folder of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Named {
    /// A class or a defined type.
    Resource,
    Function,
    Type,
    Plan,
}

impl Named {
    /// What a definition is; nothing for what no file is named after.
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

/// The name that Puppet looks for in a file; nothing if the file has it already.
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
        Named::Type => capitalized(&name),
        _ => name,
    })
}

/// `a::b_c` as the name of a type: `A::B_c`.
fn capitalized(name: &str) -> String {
    let words = name.split("::").map(|it| {
        let (first, rest) = it.split_at(1);
        first.to_ascii_uppercase() + rest
    });
    words.collect::<Vec<_>>().join("::")
}

/// The one candidate.
pub(super) fn own_name(into: &mut Collector<'_, '_>, named: Named) {
    if let Some(name) = name_of(into.site.db, into.site.file, named) {
        into.add(Candidate::new(named.kind(), name).score(score::CERTAIN));
    }
}
