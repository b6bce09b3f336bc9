//! Go to implementation: the providers of a resource type, the types that a type alias refers to, the
//! classes that inherit from a class.

use salsa::Database;
use syntax::{TextRange, TextSize};

use super::symbol::{Found, OutsideKind, Symbol, declarations, symbol_at};
use super::type_definition::types_in;
use super::type_hierarchy::heirs;
use super::{Target, Targets};
use base::db::FileInput;
use hir::{ItemKind, signature};

/// Returns the implementations of the symbol at an offset.
pub(crate) fn implementation(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<Targets> {
    let found = symbol_at(db, file, offset)?;
    let targets = targets(db, file, &found);
    (!targets.is_empty()).then_some(Targets {
        range: found.range,
        targets,
    })
}

fn targets(db: &dyn Database, file: FileInput, found: &Found<'_>) -> Vec<Target> {
    match &found.symbol {
        Symbol::Outside {
            kind: OutsideKind::ResourceType,
            name,
            ..
        } => providers(db, file, name),
        Symbol::Item(item) if item.kind(db) == ItemKind::TypeAlias => {
            let name = signature(db, *item).name_range;
            let behind = TextRange::new(name.end(), item.tree(db).text_len());
            types_in(db, *item, behind)
        }
        Symbol::Item(item) if item.kind(db) == ItemKind::Class => {
            let heirs = heirs(db, file, *item).into_iter();
            let heirs = heirs.map(|it| super::definition::of_item(db, it));
            heirs.collect()
        }
        symbol => declarations(db, found.item, symbol),
    }
}

/// Returns the files that define providers of a resource type.
fn providers(db: &dyn Database, file: FileInput, type_: &str) -> Vec<Target> {
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
                found.push(Target {
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
    use crate::fixture::World;

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
            let world = World::new(&format!(
                "//- modules/a/types/port.pp\ntype A::Port = Variant[A::Low, Integer]\n\
                 //- modules/a/types/low.pp\ntype A::Low = Integer\n\
                 //- modules/a/manifests/base.pp\nclass a::base {{ }}\n\
                 //- modules/a/manifests/heir.pp\nclass a::heir inherits a::base {{ }}\n\
                 //- modules/a/lib/puppet/type/thing.rb\nPuppet::Type.newtype(:thing) {{ }}\n\
                 //- modules/a/lib/puppet/provider/thing/x.rb\n# x\n\
                 //- manifests/site.pp\n{code}"
            ));
            let (file, offset) = world.cursor();
            let found = world.analysis().implementation(file, offset);
            let targets = found.map(|it| it.targets).unwrap_or_default();
            let targets: Vec<_> = targets.iter().map(|it| world.target(it)).collect();
            assert_eq!(targets.join(", "), expected, "{code}");
        }
    }
}
