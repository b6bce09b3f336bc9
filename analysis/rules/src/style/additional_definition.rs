use hir::autoload::is_in_file_of_its_name;
use hir::{canonical_name, items};
use syntax::TextSize;
use syntax::ast::{AstNode, Definition};

use crate::checker::FileChecker;
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
        checks: [Check::File(check)],
    }
}

fn check(checker: &mut FileChecker<'_>) {
    let db = checker.db;
    let all = items(db, checker.file).iter();
    let mut all = all.filter(|it| it.kind(db).is_declarable());
    let Some(own) = all.find(|it| is_in_file_of_its_name(db, **it)) else {
        return;
    };
    let own = own.name(db);
    let mut end = TextSize::new(0);
    for definition in Definition::all_in(&checker.root()) {
        let range = definition.syntax().text_range();
        let is_nested = range.start() < end;
        end = end.max(range.end());
        let kind = match definition {
            Definition::ClassDefinition(_) => "class",
            Definition::DefineDefinition(_) => "defined type",
            _ => continue,
        };
        let Some(name) = definition.name().filter(|_| !is_nested) else {
            continue;
        };
        let shown = canonical_name(&name.text());
        if shown != *own {
            let message = format!("{kind} `{shown}` is in the file of `{own}`");
            checker.report(&ADDITIONAL_DEFINITION, name.syntax().text_range(), message);
        }
    }
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
