use base::FileInput;
use hir::autoload::{NameKey, definitions_of, is_in_file_of_its_name, is_well_placed};
use hir::{Item, ItemKind, items, signature};
use salsa::Database;
use syntax::TextRange;
use syntax::ast::{AstNode, NodeDefinition};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports classes, defined types, functions, plans, type aliases and nodes that several files define.
    ///
    /// ## What it does
    ///
    /// Checks whether another file of the environment defines an item of the same kind and name.
    ///
    /// ## Why it matters
    ///
    /// Puppet autoloads the file that matches the name and never reads the other one, or fails with
    /// *already defined* if both are loaded. Which of the two happens depends on the rest of the
    /// catalog.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: manifests/server.pp
    /// class example::server { # <-
    ///   notice('one')
    /// }
    /// # file: manifests/init.pp
    /// class example {
    ///   class server { # <-
    ///     notice('two')
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: manifests/server.pp
    /// class example::server {
    ///   notice('one')
    /// }
    /// # file: manifests/init.pp
    /// class example {
    ///   include example::server
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Two definitions in the same file, which the rules for single files report.
    /// * Modules that another module of the same name hides because it is earlier on the
    ///   modulepath: Puppet never loads the hidden one.
    /// * A definition in the file of its name, if the other one is in a file that Puppet does not read
    ///   to find it.
    /// * A definition in the main manifest of a name that a module has in the file of that name: Puppet
    ///   uses the one in the main manifest, and does not read the file to find it.
    /// * Names that are defined both in the Puppet language and in Ruby.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended definition is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[duplicate-definition]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// duplicate-definition = "off"
    /// ```
    pub(crate) static DUPLICATE_DEFINITION = {
        code: "duplicate-definition",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    let (db, item) = (checker.db, checker.item);
    let kind = item.kind(db);
    match kind {
        ItemKind::Node => return check_node(checker),
        ItemKind::Main => return,
        _ => {}
    }
    let key = NameKey::new(db, item.name(db).clone());
    let all = definitions_of(db, checker.environment, kind, key).iter();
    // The checks of a single file report duplicates within it.
    let others = all.filter(|it| it.file(db) != item.file(db) && is_read(checker, it.file(db)));
    // Puppet finds a definition at its place, and only the other one is wrong.
    let is_found = is_well_placed(db, item);
    let others = others.filter(|it| !is_found || is_well_placed(db, **it));
    let mut others = others
        .filter(|it| !is_hidden_by(checker, item, **it) && !is_hidden_by(checker, **it, item));
    let Some(other) = others.next().filter(|_| is_read(checker, item.file(db))) else {
        return;
    };
    let message = format!(
        "duplicate definition: {} `{}` is also defined in another file",
        kind.noun(),
        item.name(db)
    );
    checker.report(
        &DUPLICATE_DEFINITION,
        signature(db, item).name_range,
        message,
    );
    checker.relate(
        *other,
        signature(db, *other).name_range,
        "also defined here",
    );
}

/// Checks whether Puppet does not look for `hidden` because the main manifest has `main` of the same name.
fn is_hidden_by(checker: &Checker<'_>, hidden: Item<'_>, main: Item<'_>) -> bool {
    let db = checker.db;
    let manifests = checker.environment.manifests(db);
    manifests.contains(&main.file(db)) && is_in_file_of_its_name(db, hidden)
}

/// Checks whether Puppet reads a file of the environment: it is in the main manifest, or in a module that none of
/// the same name hides.
fn is_read(checker: &Checker<'_>, file: FileInput) -> bool {
    let db = checker.db;
    match file.module(db) {
        Some(it) => checker.environment.modules(db).get(&**it.name(db)) == Some(&it),
        None => checker.environment.manifests(db).contains(&file),
    }
}

/// Reports a node that another file of the main manifest defines as well.
fn check_node(checker: &mut Checker<'_>) {
    let (db, item) = (checker.db, checker.item);
    let manifests = checker.environment.manifests(db);
    if !manifests.contains(&item.file(db)) {
        return;
    }
    let others = manifests.iter().filter(|it| **it != item.file(db));
    let others = others.flat_map(|it| items(db, *it));
    let others: Vec<_> = others.filter(|it| it.kind(db) == ItemKind::Node).collect();
    for (name, range) in host_names(db, item) {
        let other = others.iter().find_map(|other| {
            let names = host_names(db, **other);
            let same = names.into_iter().find(|it| it.0 == name)?;
            Some((**other, same.1))
        });
        if let Some((other, place)) = other {
            let message =
                format!("duplicate definition: node `{name}` is also defined in another file");
            checker.report(&DUPLICATE_DEFINITION, range, message);
            checker.relate(other, place, "also defined here");
        }
    }
}

/// Returns the names of a node with their ranges. Names that are not regular expressions ignore case.
fn host_names(db: &dyn Database, item: Item<'_>) -> Vec<(String, TextRange)> {
    let node = NodeDefinition::cast(item.syntax(db));
    let names = node.into_iter().flat_map(|it| it.host_names());
    let names = names.map(|it| {
        let text = it.syntax().text().to_string();
        let name = match text.trim() {
            regex if regex.starts_with('/') => regex.to_owned(),
            name => name.trim_matches(['\'', '"']).to_ascii_lowercase(),
        };
        (name, it.syntax().text_range())
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::DUPLICATE_DEFINITION;
    use crate::testing::reported;

    #[test]
    fn reports_definitions_that_may_be_loaded() {
        let message = "`m::a`: duplicate definition: class `m::a` is also defined in another file";
        let code = "//- modules/m/manifests/init.pp\nclass m { }\nclass m::a { }\n\
                    //- modules/m/manifests/a.pp\nclass m::a { }\n";
        assert_eq!(reported(&DUPLICATE_DEFINITION, code), [message; 2]);
    }

    #[test]
    fn reports_definitions_in_main_manifests() {
        let message = "`m`: duplicate definition: class `m` is also defined in another file";
        let code = "//- manifests/a.pp\nclass m { }\n//- manifests/b.pp\nclass m { }\n";
        assert_eq!(reported(&DUPLICATE_DEFINITION, code), [message; 2]);
    }

    #[test]
    fn a_definition_in_the_main_manifest_takes_precedence() {
        for code in [
            "//- manifests/a.pp\nclass m { }\n//- modules/m/manifests/init.pp\nclass m { }\n",
            "//- manifests/a.pp\ndefine m::a { }\n//- modules/m/manifests/a.pp\ndefine m::a { }\n",
            "//- manifests/a.pp\ntype M::A = String\n//- modules/m/types/a.pp\ntype M::A = Integer\n",
            "//- manifests/a.pp\nfunction m::a() { }\n//- modules/m/functions/a.pp\nfunction m::a() { }\n",
        ] {
            assert_eq!(reported(&DUPLICATE_DEFINITION, code), [""; 0]);
        }
        let message = "`m::a`: duplicate definition: class `m::a` is also defined in another file";
        let code = "//- manifests/a.pp\nclass m::a { }\n\
                    //- modules/m/manifests/init.pp\nclass m { }\nclass m::a { }\n";
        assert_eq!(reported(&DUPLICATE_DEFINITION, code), [message; 2]);
    }

    #[test]
    fn ignores_definitions_of_different_kinds() {
        let code = "//- modules/m/manifests/a.pp\nclass m::a { }\n\
                    //- modules/m/types/a.pp\ntype M::A = Integer\n";
        assert_eq!(reported(&DUPLICATE_DEFINITION, code), [""; 0]);
    }
}
