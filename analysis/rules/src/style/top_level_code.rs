use syntax::ast::{AstNode, Definition, Expr, SourceFile};
use syntax::{TextRange, TextSize};

use crate::checker::FileChecker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports code outside of definitions in main manifests.
    ///
    /// ## What it does
    ///
    /// Checks the statements of `site.pp` and other main manifests. Node definitions are allowed.
    ///
    /// ## Why it matters
    ///
    /// Puppet evaluates the code for each node. Classes that are assigned to nodes are easier to
    /// find and test.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: environment/manifests/site.pp
    /// notify { 'hello': } # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: environment/manifests/site.pp
    /// node default {
    ///   notify { 'hello': }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Files of modules, in which Puppet itself rejects such code (`ILLEGAL_TOP_CONSTRUCT_LOCATION`), and
    ///   templates.
    ///
    /// ## Fix
    ///
    /// No fix is available: choose a class or node definition for the code.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[top-level-code]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// top-level-code = "warning"
    /// ```
    pub(crate) static TOP_LEVEL_CODE = {
        code: "top-level-code",
        puppet_lint: ["code_on_top_scope"],
        group: Style,
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::File(check)],
    }
}

fn check(checker: &mut FileChecker<'_>) {
    let Some(manifest) = SourceFile::cast(checker.root()) else {
        return;
    };
    let environment = checker.file.environment(checker.db);
    let is_main = environment.is_some_and(|it| it.manifests(checker.db).contains(&checker.file));
    if manifest.is_template() || !is_main {
        return;
    }
    let statements = manifest.statements();
    for statement in statements.filter(|it| !Definition::can_cast(it.syntax().kind())) {
        let message = "code outside of a class, defined type or node definition".to_owned();
        checker.report(
            &TOP_LEVEL_CODE,
            first_line(checker.text, &statement),
            message,
        );
    }
}

/// Returns the range of the first line of a statement.
fn first_line(text: &str, statement: &Expr) -> TextRange {
    let range = statement.syntax().text_range();
    let text = text.get(std::ops::Range::<usize>::from(range));
    let line = text.and_then(|it| it.lines().next()).unwrap_or_default();
    TextRange::at(range.start(), TextSize::of(line))
}

#[cfg(test)]
mod tests {
    use super::TOP_LEVEL_CODE;
    use crate::testing::reported;

    fn of_main_manifest(code: &str) -> Vec<String> {
        reported(&TOP_LEVEL_CODE, &format!("//- manifests/site.pp\n{code}"))
    }

    #[test]
    fn reports_each_statement() {
        assert_eq!(
            of_main_manifest(
                "include a\nclass m { include b }\nfile { '/x':\n  mode => '0644',\n}\n"
            ),
            ["include a", "file { '/x':"].map(|it| {
                format!("`{it}`: code outside of a class, defined type or node definition")
            })
        );
        for code in [
            "$a = 1",
            "if true { include a }",
            "File { mode => '0644' }",
            "fail('x')",
        ] {
            assert_eq!(of_main_manifest(code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_definitions_and_modules() {
        for code in [
            "",
            "# comment",
            "class m { include b }",
            "define m::d { notify { 'a': } }",
            "node default { include a }",
            "function f() { 1 }",
        ] {
            assert_eq!(of_main_manifest(code), [""; 0], "{code}");
        }
        assert_eq!(reported(&TOP_LEVEL_CODE, "include a"), [""; 0]);
    }
}
