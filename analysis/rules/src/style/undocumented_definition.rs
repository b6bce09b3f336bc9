use hir::{Item, ItemKind, items, signature};
use syntax::{Applicability, Edit, SyntaxKind, SyntaxToken, TextRange};

use crate::checker::FileChecker;
use crate::detached_documentation::check_definitions;
use crate::documentation::new_documentation;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports definitions without a documentation comment.
    ///
    /// ## What it does
    ///
    /// Checks whether there is a comment directly above each class, defined type, function, plan and type alias. If
    /// empty lines separate the documentation from its definition, or its parts from each other, the rule reports them.
    ///
    /// ## Why it matters
    ///
    /// Puppet Strings generates the documentation of a module from these comments, and editors show them where
    /// the name is used.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example ( # <-
    ///   Integer $port = 80,
    /// ) {
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # @summary Installs the example service
    /// #
    /// # @param port
    /// #   The port to listen on
    /// class example (
    ///   Integer $port = 80,
    /// ) {
    /// }
    /// ```
    ///
    /// Puppet Strings ignores comments above an empty line:
    ///
    /// ```puppet wrong
    /// # @summary Installs the example service
    ///
    /// class example { # <-
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Definitions below a block comment; use `#` instead, which `block-comment` reports.
    ///
    /// ## Fix
    ///
    /// Safe: removes the empty line below the documentation, or replaces one between its parts with `#`.
    ///
    /// Suggested: adds a comment with the tags that Puppet Strings expects, for you to complete.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[undocumented-definition]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// undocumented-definition = "warning"
    /// ```
    pub(crate) static UNDOCUMENTED_DEFINITION = {
        code: "undocumented-definition",
        puppet_lint: ["documentation"],
        group: Docs,
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::File(check)],
    }
}

fn check(checker: &mut FileChecker<'_>) {
    check_definitions(checker, &UNDOCUMENTED_DEFINITION);
    let db = checker.db;
    let undocumented = items(db, checker.file).iter();
    let undocumented =
        undocumented.filter(|it| it.comment(db).is_none() && it.detached_comment(db).is_none());
    for item in undocumented {
        let kind = item.kind(db);
        if matches!(kind, ItemKind::Node | ItemKind::Main) {
            continue;
        }
        let first = checker
            .root()
            .token_at_offset(item.offset(db))
            .right_biased();
        let blanks = first.and_then(|it| it.prev_token());
        if is_below_block_comment(blanks.as_ref()) {
            continue;
        }
        let range = item.in_file(db, signature(db, *item).name_range);
        let name = checker.text.get(std::ops::Range::<usize>::from(range));
        let message = format!(
            "undocumented {} `{}`",
            kind.noun(),
            name.unwrap_or_default()
        );
        checker.report(&UNDOCUMENTED_DEFINITION, range, message);
        if let Some(indent) = indent(checker, *item) {
            let line_break = if checker.text.contains("\r\n") {
                "\r\n"
            } else {
                "\n"
            };
            let lines = new_documentation(db, *item).into_iter();
            let lines =
                lines.map(|it| format!("{}{line_break}{indent}", format!("# {it}").trim_end()));
            let edit = Edit {
                range: TextRange::empty(item.offset(db)),
                text: lines.collect(),
            };
            checker.fix(
                "Add a documentation comment",
                Applicability::Suggested,
                vec![edit],
            );
        }
    }
}

/// Checks whether the token before the blanks is a block comment on the line above.
fn is_below_block_comment(blanks: Option<&SyntaxToken>) -> bool {
    blanks.is_some_and(|it| {
        let before = it.prev_token();
        it.text().matches('\n').count() == 1
            && before.is_some_and(|it| it.kind() == SyntaxKind::BLOCK_COMMENT)
    })
}

/// Returns the indentation of an item that is the first on its line.
fn indent<'a>(checker: &FileChecker<'a>, item: Item<'_>) -> Option<&'a str> {
    let before = checker.text.get(..usize::from(item.offset(checker.db)))?;
    let line = before.rsplit('\n').next()?;
    line.trim().is_empty().then_some(line)
}

#[cfg(test)]
mod tests {
    use super::UNDOCUMENTED_DEFINITION;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_definitions_without_a_comment() {
        let code = "class m { }\ndefine m::d { }\nfunction m::f() { 1 }\ntype M::T = Integer\n";
        assert_eq!(
            reported(&UNDOCUMENTED_DEFINITION, code),
            [
                "`m`: undocumented class `m`",
                "`m::d`: undocumented defined type `m::d`",
                "`m::f`: undocumented function `m::f`",
                "`M::T`: undocumented type alias `M::T`",
            ]
        );
        for code in [
            "# Too far above\n\nclass m { }",
            "$a = 1 # of other code\nclass m { }",
            "# The m\nclass m {\n  class n { }\n}",
        ] {
            assert_eq!(reported(&UNDOCUMENTED_DEFINITION, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_documented_definitions() {
        for code in [
            "# The m\nclass m { }",
            "# The m\r\nclass m { }",
            "/* The m */\nclass m { }",
            "node default { }",
            "$a = 1",
            "# @summary The f\nfunction m::f() { 1 }",
        ] {
            assert_eq!(reported(&UNDOCUMENTED_DEFINITION, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn joins_documentation_with_its_definition() {
        let code = "# The m.\n# @param a\n\n\n# More.\n\nclass m ($a) { }\n";
        assert_eq!(
            reported(&UNDOCUMENTED_DEFINITION, code),
            ["`m`: an empty line separates class `m` from its documentation"]
        );
        let joined = "# The m.\n# @param a\n#\n# More.\nclass m ($a) { }\n";
        assert_eq!(fixed(&UNDOCUMENTED_DEFINITION, code), joined);
        let code = "class m {\n  # @param a\r\n\r\n  # More.\r\n  class n ($a) { }\n}\n";
        assert_eq!(
            reported(&UNDOCUMENTED_DEFINITION, code),
            [
                "`m`: undocumented class `m`",
                "`n`: an empty line interrupts the documentation of class `n`",
            ]
        );
        let joined = "  # @param a\r\n  #\r\n  # More.\r\n  class n";
        assert!(fixed(&UNDOCUMENTED_DEFINITION, code).contains(joined));
    }

    #[test]
    fn writes_the_comment() {
        assert_eq!(
            fixed(
                &UNDOCUMENTED_DEFINITION,
                "class m ($a) {\r\n  class n { }\r\n}\r\n"
            ),
            "# @summary TODO\r\n#\r\n# @param a TODO\r\nclass m ($a) {\r\n  \
             # @summary TODO\r\n  class n { }\r\n}\r\n"
        );
    }
}
