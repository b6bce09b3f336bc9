use syntax::ast::{AstNode, Expr, Relationship};
use syntax::{Applicability, Edit, Fix, SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports relationships that are written from right to left.
    ///
    /// ## What it does
    ///
    /// Checks the operator `<-`.
    ///
    /// ## Why it matters
    ///
    /// In `a <- b`, the agent applies `b` first. Relationships that always point to the right can
    /// be read in the order in which the agent applies them.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   service { 'example': } <- package { 'example': } # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   package { 'example': } -> service { 'example': }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Suggested: swaps the sides of a relationship between two operands. The catalog then lists their resources
    /// in the other order.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[leftward-arrow]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// leftward-arrow = "warning"
    /// ```
    pub(crate) static LEFTWARD_ARROW = {
        code: "leftward-arrow",
        puppet_lint: ["right_to_left_relationship"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::RELATIONSHIP], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let relationship = Relationship::cast(node.clone());
    let Some(operator) = relationship.as_ref().and_then(Relationship::operator) else {
        return;
    };
    if operator.kind() != SyntaxKind::OUT_EDGE {
        return;
    }
    let message = "right-to-left relationship; use `->` instead".to_owned();
    checker.report(&LEFTWARD_ARROW, operator.text_range(), message);
    checker.fix(relationship.and_then(|it| swapped(&it)));
}

/// Returns the fix for a relationship between two operands.
fn swapped(relationship: &Relationship) -> Option<Fix> {
    let (left, right) = (relationship.lhs()?, relationship.rhs()?);
    let is_chain = |it: &Expr| matches!(it, Expr::Relationship(_));
    let around = relationship.syntax().parent()?;
    if is_chain(&left) || is_chain(&right) || around.kind() == SyntaxKind::RELATIONSHIP {
        return None;
    }
    let comments = relationship.syntax().children_with_tokens();
    let mut comments = comments.map(|it| it.kind());
    if comments.any(|it| it.is_trivia() && it != SyntaxKind::WHITESPACE) {
        return None;
    }
    let mut inner = relationship.syntax().descendants();
    if inner.any(|it| it.kind() == SyntaxKind::HEREDOC) {
        return None;
    }
    let replaced = |range, text: String| Edit { range, text };
    Some(Fix {
        label: "Swap the sides".to_owned(),
        applicability: Applicability::Suggested,
        edits: vec![
            replaced(
                left.syntax().text_range(),
                right.syntax().text().to_string(),
            ),
            replaced(relationship.operator()?.text_range(), "->".to_owned()),
            replaced(
                right.syntax().text_range(),
                left.syntax().text().to_string(),
            ),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::LEFTWARD_ARROW;
    use crate::testing::{fixed, fixes, reported};

    #[test]
    fn reports_arrows_to_the_left() {
        let code = "class m { File['a'] <- File['b'] }";
        assert_eq!(
            reported(&LEFTWARD_ARROW, code),
            ["`<-`: right-to-left relationship; use `->` instead"]
        );
        assert_eq!(
            fixed(&LEFTWARD_ARROW, code),
            "class m { File['b'] -> File['a'] }"
        );
        let resources = "class m {\n  file { 'a': }\n  <- file { 'b': }\n}";
        assert_eq!(
            fixed(&LEFTWARD_ARROW, resources),
            "class m {\n  file { 'b': }\n  -> file { 'a': }\n}"
        );
        for code in [
            "class m { File<| |> <- File['b'] }",
            "class m { [File['a'], File['c']] <- Class['b'] }",
        ] {
            assert_eq!(reported(&LEFTWARD_ARROW, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn does_not_swap_chains() {
        for code in [
            "class m { File['a'] <- File['b'] <- File['c'] }",
            "class m { File['a'] -> File['b'] <- File['c'] }",
            "class m { File['a'] # one\n <- File['b'] }",
        ] {
            assert!(!reported(&LEFTWARD_ARROW, code).is_empty(), "{code}");
            assert_eq!(fixes(&LEFTWARD_ARROW, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn ignores_other_operators() {
        for code in [
            "class m { File['a'] -> File['b'] }",
            "class m { File['a'] ~> File['b'] }",
            "class m { File['a'] <~ File['b'] }",
            "class m ($a) { if $a < -1 { } }",
        ] {
            assert_eq!(reported(&LEFTWARD_ARROW, code), [""; 0], "{code}");
        }
    }
}
