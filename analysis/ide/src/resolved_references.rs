//! Lists all names used in a file with their resolutions, for statistics and bug reports.

use salsa::Database;
use syntax::TextRange;

use super::goto_definition::{definition_targets, title_targets};
use super::{NameResolution, ResolvedReference};
use base::FileInput;
use hir::body::{PathKind, Reference, ReferenceName, body};
use hir::resolve::{ResolveError, resolve};
use hir::{Item, items};

/// Returns the names used in a file, in source order.
pub(crate) fn resolved_references(db: &dyn Database, file: FileInput) -> Vec<ResolvedReference> {
    let mut found = Vec::new();
    for item in items(db, file) {
        for reference in &body(db, *item).references {
            let range = item.in_file(db, reference.range);
            found.push(resolve_reference(db, *item, reference, range));
        }
    }
    found.sort_by_key(|it| (it.range.start(), it.range.end()));
    found
}

fn resolve_reference(
    db: &dyn Database,
    item: Item<'_>,
    reference: &Reference,
    range: TextRange,
) -> ResolvedReference {
    let (kind, name) = kind_and_name(&reference.name);
    let resolution = match &reference.name {
        ReferenceName::Title(type_, title) => {
            match title_targets(db, item, type_, title).is_empty() {
                true => NameResolution::Unresolved("not declared in the workspace"),
                false => NameResolution::Found,
            }
        }
        _ => match resolve(db, item, reference) {
            Ok(definition) if definition_targets(db, &definition).is_empty() => {
                NameResolution::BuiltIn
            }
            Ok(_) => NameResolution::Found,
            Err(missing) => NameResolution::Unresolved(reason(&missing)),
        },
    };
    ResolvedReference {
        range,
        kind,
        name,
        resolution,
    }
}

fn kind_and_name(name: &ReferenceName) -> (&'static str, String) {
    match name {
        ReferenceName::Variable(name) => ("variable", name.clone()),
        ReferenceName::Class(name, _) => ("class", name.clone()),
        ReferenceName::ResourceType(name) => ("resource type", name.clone()),
        ReferenceName::Type(name) => ("type", name.clone()),
        ReferenceName::Function(name) => ("function", name.clone()),
        ReferenceName::Title(type_, title) => ("resource", format!("{type_}[{title}]")),
        ReferenceName::Path(PathKind::Template | PathKind::Epp, path) => ("template", path.clone()),
        ReferenceName::Path(PathKind::File | PathKind::Source, path) => ("file", path.clone()),
    }
}

fn reason(missing: &ResolveError) -> &'static str {
    match missing {
        ResolveError::NotDefined => "not found",
        ResolveError::Misplaced | ResolveError::NeverLoaded(_) => "not found by autoloading",
        ResolveError::MissingModule(_) | ResolveError::UndeclaredModule(_) => "module not found",
        ResolveError::MaybeExternal => "possibly defined outside the workspace",
        ResolveError::Unknown => "unknown",
    }
}
