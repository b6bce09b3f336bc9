use hir::autoload::is_in_file_of_its_name;
use hir::{ItemKind, items, signature};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports classes and defined types in the file of another one.
    ///
    /// ## What it does
    ///
    /// Checks the files in `manifests` of a module that are named after one of their definitions, and reports the
    /// others.
    ///
    /// ## Why it matters
    ///
    /// Puppet only finds the others after it has read the file for the definition that it is named after: whether the
    /// code compiles depends on the order of evaluation. The Puppet style guide wants each in a file of its own.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: manifests/server.pp
    /// class example::server { }
    /// class example::server::config { } # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: manifests/server.pp
    /// class example::server { }
    /// # file: manifests/server/config.pp
    /// class example::server::config { }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Definitions inside of a class, which `nested-definition` reports.
    /// * Files without a definition that matches their name, which `misplaced-definition` reports.
    ///
    /// ## Fix
    ///
    /// No fix is available: move the definition to a file of its own.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[additional-definition]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// additional-definition = "warning"
    /// ```
    pub(crate) static ADDITIONAL_DEFINITION = {
        code: "additional-definition",
        puppet_lint: ["autoloader_layout"],
        group: Style,
        severity: Warning,
        since: "0.3.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    let (db, item) = (checker.db, checker.item);
    let kind = match item.kind(db) {
        ItemKind::Class => "class",
        ItemKind::DefinedType => "defined type",
        _ => return,
    };
    let all = items(db, item.file(db)).iter();
    let mut own = all.filter(|it| is_manifest(it.kind(db)));
    let Some(own) = own.find(|it| is_in_file_of_its_name(db, **it)) else {
        return;
    };
    if is_in_file_of_its_name(db, item) || is_nested(checker) {
        return;
    }
    let message = format!(
        "{kind} `{}` is in the file of `{}`",
        item.name(db),
        own.name(db)
    );
    let range = signature(db, item).name_range;
    checker.report(&ADDITIONAL_DEFINITION, range, message);
}

/// Checks whether the definition is inside of another one.
fn is_nested(checker: &Checker<'_>) -> bool {
    let (db, item) = (checker.db, checker.item);
    let own = signature(db, item).name_range + item.offset(db);
    let others = items(db, item.file(db)).iter();
    let mut others = others.filter(|it| **it != item && is_manifest(it.kind(db)));
    others.any(|it| {
        let range = it.syntax(db).text_range() + it.offset(db);
        range.contains_range(own)
    })
}

fn is_manifest(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Class | ItemKind::DefinedType)
}

#[cfg(test)]
mod tests {
    use super::ADDITIONAL_DEFINITION;
    use crate::testing::reported;

    #[test]
    fn reports_all_but_the_definition_of_the_file() {
        let code = "//- modules/m/manifests/a.pp\nclass m::a { }\ndefine m::a::b { }\nclass m::a::c { class m::a::d { } }\n";
        assert_eq!(
            reported(&ADDITIONAL_DEFINITION, code),
            [
                "`m::a::b`: defined type `m::a::b` is in the file of `m::a`",
                "`m::a::c`: class `m::a::c` is in the file of `m::a`",
            ]
        );
    }

    #[test]
    fn accepts_other_files() {
        for code in [
            "//- modules/m/manifests/a.pp\nclass m::a { class m::a::b { } }\n",
            "//- modules/m/manifests/a.pp\nclass m::b { }\nclass m::c { }\n",
            "//- manifests/site.pp\nclass a { }\nclass b { }\n",
        ] {
            assert_eq!(reported(&ADDITIONAL_DEFINITION, code), [""; 0], "{code}");
        }
    }
}
