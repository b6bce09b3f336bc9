//! The class or node definition at a position, for which a catalog can be compiled.

use salsa::Database;
use syntax::TextSize;
use syntax::ast::{AstNode, NodeDefinition};

use super::NavigationTarget;
use super::goto_definition::item_target;
use base::{EnvironmentInput, FileInput};
use hir::resolve::{self, Definition, ResolveError};
use hir::{Item, ItemKind, NodeMatcher, canonical_name, items, matchers_of};

/// A class or node definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CatalogSubject {
    /// The classes or nodes that it defines.
    pub kind: CatalogSubjectKind,
    /// Its location.
    pub target: NavigationTarget,
}

/// The kind of a [`CatalogSubject`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CatalogSubjectKind {
    /// The class with this name.
    Class(String),
    /// The nodes that these match.
    Nodes(Vec<NodeMatcher>),
}

/// The reason why no catalog of a class can be compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingClass {
    /// No module has a definition of this name.
    Unknown,
    /// It is the name of a defined type.
    IsDefinedType,
}

/// Checks whether the environment has no class of a name. A class in a file with syntax errors may exist.
pub(crate) fn missing_class(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
) -> Option<MissingClass> {
    let environment = Some(environment);
    match resolve::class(db, environment, name) {
        Ok(_) | Err(ResolveError::Unknown | ResolveError::MaybeExternal) => None,
        Err(_) => Some(
            match resolve::resource_type(db, environment, &canonical_name(name)) {
                Ok(Definition::Item(_)) => MissingClass::IsDefinedType,
                _ => MissingClass::Unknown,
            },
        ),
    }
}

/// Returns the innermost class or node definition around an offset. Without an offset, the first one of the
/// file; outside of definitions, the only one.
pub(crate) fn catalog_subject(
    db: &dyn Database,
    file: FileInput,
    offset: Option<TextSize>,
) -> Option<CatalogSubject> {
    let definitions = items(db, file).iter().copied();
    let definitions = definitions.filter(|it| it.kind(db) != ItemKind::Main);
    let definitions: Vec<Item<'_>> = definitions.collect();
    let has_catalog = |it: &&Item<'_>| matches!(it.kind(db), ItemKind::Class | ItemKind::Node);
    let is_around = |item: &&Item<'_>, offset: TextSize| {
        let range = item_target(db, **item).range;
        range.contains_inclusive(offset)
    };
    let around = |offset| definitions.iter().rfind(|it| is_around(it, offset));
    let mut candidates = definitions.iter().filter(has_catalog);
    let item = match offset.map(around) {
        None => candidates.next(),
        Some(Some(item)) => Some(item).filter(has_catalog),
        Some(None) => candidates.next().filter(|_| candidates.next().is_none()),
    };
    subject(db, *item?)
}

fn subject(db: &dyn Database, item: Item<'_>) -> Option<CatalogSubject> {
    let kind = match item.kind(db) {
        ItemKind::Class => CatalogSubjectKind::Class(item.name(db).clone()),
        _ => {
            let definition = NodeDefinition::cast(item.syntax(db))?;
            CatalogSubjectKind::Nodes(matchers_of(&definition).collect())
        }
    };
    let target = item_target(db, item);
    Some(CatalogSubject { kind, target })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use base::FileId;

    /// Returns the name of the class, or the matchers, at each cursor.
    fn subjects(source: &str) -> Vec<String> {
        let fixture = Fixture::new(&format!("//- modules/a/manifests/init.pp\n{source}"));
        let text = fixture.analysis().text(FileId(0)).expect("the file exists");
        let name = |it: Option<CatalogSubject>| match it.map(|it| it.kind) {
            Some(CatalogSubjectKind::Class(name)) => name,
            Some(CatalogSubjectKind::Nodes(matchers)) => format!("{matchers:?}"),
            None => "none".to_owned(),
        };
        let cursors = text.match_indices('~').map(|it| it.0 as u32);
        let cursors = cursors.map(|it| Some(TextSize::new(it))).chain([None]);
        cursors
            .map(|it| name(fixture.analysis().catalog_subject(FileId(0), it)))
            .collect()
    }

    #[test]
    fn finds_the_innermost_definition() {
        let found = subjects(
            "class a { #~\n  class inner { #~\n  }\n}\nnode web1, /^db/ { #~\n}\n#~\n\
             define a::b { #~\n}\n",
        );
        let nodes = r#"[Name("web1"), Regex("^db")]"#;
        assert_eq!(found, ["a", "a::inner", nodes, "none", "none", "a"]);
    }

    #[test]
    fn finds_the_only_definition() {
        let found = subjects("# Comment ~\nclass a { }\n\n#~\nfunction a::b() { #~\n}\n");
        assert_eq!(found, ["a", "a", "none", "a"]);
        assert_eq!(subjects("notice(1) #~\n"), ["none", "none"]);
    }
}
