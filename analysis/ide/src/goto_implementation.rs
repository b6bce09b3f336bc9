//! Go to implementation: the providers of a resource type, the types that a type alias refers to, the
//! classes that inherit from a class.

use salsa::Database;
use syntax::{TextRange, TextSize};

use super::goto_type_definition::types_in;
use super::symbol::{ExternalKind, Symbol, SymbolAt, declarations, symbol_at};
use super::type_hierarchy::subclasses;
use super::{NavigationTarget, NavigationTargets};
use base::FileInput;
use hir::{ItemKind, signature};

/// Returns the implementations of the symbol at an offset.
pub(crate) fn goto_implementation(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<NavigationTargets> {
    let found = symbol_at(db, file, offset)?;
    let targets = targets(db, file, &found);
    (!targets.is_empty()).then_some(NavigationTargets {
        range: found.range,
        targets,
        built_in: None,
    })
}

fn targets(db: &dyn Database, file: FileInput, found: &SymbolAt<'_>) -> Vec<NavigationTarget> {
    match &found.symbol {
        Symbol::External {
            kind: ExternalKind::ResourceType,
            name,
            ..
        } => providers(db, file, name),
        Symbol::Item(item) if item.kind(db) == ItemKind::TypeAlias => {
            let name = signature(db, *item).name_range;
            let after_name = TextRange::new(name.end(), item.tree(db).text_len());
            types_in(db, *item, after_name)
        }
        Symbol::Item(item) if item.kind(db) == ItemKind::Class => {
            let subclasses = subclasses(db, file, *item).into_iter();
            let subclasses = subclasses.map(|it| super::goto_definition::item_target(db, it));
            subclasses.collect()
        }
        symbol => declarations(db, found.item, symbol),
    }
}

/// Returns the files that define providers of a resource type.
fn providers(db: &dyn Database, file: FileInput, type_: &str) -> Vec<NavigationTarget> {
    let Some(environment) = file.environment(db) else {
        return Vec::new();
    };
    let folder = format!("lib/puppet/provider/{type_}/");
    let mut found = Vec::new();
    for module in environment.modules(db).values() {
        let files = module.files(db).range(folder.clone()..);
        let files = files.take_while(|it| it.0.starts_with(&folder));
        for (path, file) in files {
            if path.ends_with(".rb") {
                found.push(NavigationTarget {
                    file: file.id(db),
                    range: TextRange::default(),
                    name_range: TextRange::default(),
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    #[test]
    fn finds_providers_aliased_types_and_inheriting_classes() {
        let cases = [
            (
                "thi<^>ng { 'x': }",
                "modules/a/lib/puppet/provider/thing/x.rb ``",
            ),
            ("notice(1 =~ A::Po<^>rt)", "modules/a/types/low.pp `A::Low`"),
            (
                "include a::ba<^>se",
                "modules/a/manifests/heir.pp `a::heir`",
            ),
            ("include a::he<^>ir", ""),
        ];
        for (code, expected) in cases {
            let fixture = Fixture::new(&format!(
                "//- modules/a/types/port.pp\ntype A::Port = Variant[A::Low, Integer]\n\
                 //- modules/a/types/low.pp\ntype A::Low = Integer\n\
                 //- modules/a/manifests/base.pp\nclass a::base {{ }}\n\
                 //- modules/a/manifests/heir.pp\nclass a::heir inherits a::base {{ }}\n\
                 //- modules/a/lib/puppet/type/thing.rb\nPuppet::Type.newtype(:thing) {{ }}\n\
                 //- modules/a/lib/puppet/provider/thing/x.rb\n# x\n\
                 //- manifests/site.pp\n{code}"
            ));
            let (file, offset) = fixture.cursor();
            let found = fixture.analysis().goto_implementation(file, offset);
            let targets = found.map(|it| it.targets).unwrap_or_default();
            let targets: Vec<_> = targets.iter().map(|it| fixture.target(it)).collect();
            assert_eq!(targets.join(", "), expected, "{code}");
        }
    }
}
