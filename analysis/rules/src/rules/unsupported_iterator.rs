use hir::ItemKind;
use hir::body::{Reference, ReferenceName};
use library::KnownFunction::{self, TreeEach};
use syntax::ast::{AstNode, Attribute, AttributeSplat, Block, Expr};
use syntax::{Fix, SyntaxKind, SyntaxNode};
use types::Type;

use crate::checker::Checker;
use crate::resource_attributes::branches;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports iterators where Puppet only accepts other values.
    ///
    /// ## What it does
    ///
    /// Checks the results of `step`, `reverse_each` and other functions that return an `Iterator`:
    ///
    /// * values of attributes, alone or in an array or a hash
    /// * the value of the last statement in a class, a defined type or a node definition, which Puppet evaluates although
    ///   it does not use it
    ///
    /// ## Why it matters
    ///
    /// An iterator only computes its elements when they are used. Puppet fails with *Use of an Iterator is not supported here*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Array[String] $lines) {
    ///   file { '/etc/example':
    ///     content => $lines.reverse_each, # <-
    ///   }
    ///   $lines.reverse_each.each |$line| { # <-
    ///     notice($line)
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Array[String] $lines) {
    ///   file { '/etc/example':
    ///     content => [*$lines.reverse_each],
    ///   }
    ///   $lines.reverse_each |$line| {
    ///     notice($line)
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Values that may be iterators or not.
    /// * Definitions that call `tree_each`: Puppet takes its iterators for `undef`.
    ///
    /// ## Fix
    ///
    /// Suggested: converts the iterator in an attribute to an array.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unsupported-iterator]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unsupported-iterator = "off"
    /// ```
    pub(crate) static UNSUPPORTED_ITERATOR = {
        code: "unsupported-iterator",
        severity: Error,
        since: "0.3.0",
        checks: [
            Check::Item(check_last_statement),
            Check::Node(
                &[SyntaxKind::ATTRIBUTE, SyntaxKind::ATTRIBUTE_SPLAT],
                check_attribute
            ),
        ],
    }
}

fn check_attribute(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let value = match Attribute::cast(node.clone()) {
        Some(it) => it.value(),
        None => AttributeSplat::cast(node.clone()).and_then(|it| it.value()),
    };
    let found = value.map(|it| iterators(checker, &it));
    for iterator in found.into_iter().flatten() {
        let message = "an attribute cannot be an `Iterator`".to_owned();
        let range = iterator.syntax().text_range();
        checker.report(&UNSUPPORTED_ITERATOR, range, message);
        checker.relate_variables(iterator.syntax());
        let label = "Convert to an array";
        let array = format!("[*{}]", iterator.syntax().text());
        checker.fix(Some(Fix::suggested(label, range, array)));
    }
}

/// Returns the expressions in a value that are certainly iterators.
fn iterators(checker: &Checker<'_>, value: &Expr) -> Vec<Expr> {
    match value {
        Expr::ArrayExpr(it) => {
            let elements = it.elements();
            elements.flat_map(|it| iterators(checker, &it)).collect()
        }
        Expr::HashExpr(it) => {
            let values = it.entries().filter_map(|it| it.value());
            values.flat_map(|it| iterators(checker, &it)).collect()
        }
        _ if is_iterator(checker, value) => vec![value.clone()],
        _ => Vec::new(),
    }
}

fn is_iterator(checker: &Checker<'_>, expr: &Expr) -> bool {
    let value = checker.type_of(expr);
    // Puppet takes the iterators of this function for `undef`.
    let is_tree = |it: &Reference| match &it.name {
        ReferenceName::Function(name) => KnownFunction::from_name(name) == Some(TreeEach),
        _ => false,
    };
    value.is_some_and(|it| it.is_a(&Type::Iterator(None)) == Some(true))
        && !checker.body.references.iter().any(is_tree)
}

fn check_last_statement(checker: &mut Checker<'_>) {
    let kind = checker.item.kind(checker.db);
    if !matches!(
        kind,
        ItemKind::Class | ItemKind::DefinedType | ItemKind::Node
    ) {
        return;
    }
    let body = checker.root().children().filter_map(Block::cast).last();
    for statement in body.iter().flat_map(last_statements) {
        if is_iterator(checker, &statement) {
            let message = "the last statement cannot be an `Iterator`".to_owned();
            let range = statement.syntax().text_range();
            checker.report(&UNSUPPORTED_ITERATOR, range, message);
        }
    }
}

/// Returns the statements whose value may be that of a block.
fn last_statements(block: &Block) -> Vec<Expr> {
    match block.statements().last() {
        Some(it @ (Expr::IfExpr(_) | Expr::UnlessExpr(_) | Expr::CaseExpr(_))) => {
            let branches = branches(it.syntax());
            branches.iter().flat_map(last_statements).collect()
        }
        last => last.into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::UNSUPPORTED_ITERATOR;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_attributes() {
        for value in [
            "[1, 2].step(2)",
            "[[1, 2].reverse_each]",
            "{ 'a' => [1, 2].reverse_each }",
            "Integer[1, 5].step(2)",
        ] {
            for code in [
                format!("notify {{ 'a': message => {value} }}"),
                format!("notify {{ 'a': * => {{ 'message' => {value} }} }}"),
                format!("Notify {{ message => {value} }}"),
                format!("m::d {{ 'a': x => {value} }}"),
                format!("User <| |> {{ comment => {value} }}"),
            ] {
                let code = format!("class m {{ {code} notice(1) }} define m::d ($x) {{ }}");
                assert_eq!(reported(&UNSUPPORTED_ITERATOR, &code).len(), 1, "{code}");
            }
        }
        let wrong = "class m { $x = [1, 2].reverse_each notify { 'a': message => $x } }";
        let right = wrong.replace("=> $x", "=> [*$x]");
        assert_eq!(fixed(&UNSUPPORTED_ITERATOR, wrong), right);
    }

    #[test]
    fn reports_last_statements() {
        let each = "Integer[1, 9].step(3).each |$i| { notice($i) }";
        for (code, count) in [
            (format!("class m {{ {each} }}"), 1),
            (format!("define m {{ {each} }}"), 1),
            (
                format!("class m {{ if $facts['a'] {{ {each} }} else {{ notice(1) }} }}"),
                1,
            ),
            (
                format!(
                    "class m {{ case $facts['a'] {{ 1: {{ {each} }} default: {{ {each} }} }} }}"
                ),
                2,
            ),
            ("class m { $x = [1, 2].reverse_each }".to_owned(), 1),
            (format!("class m {{ {each} notice(1) }}"), 0),
            (
                "class m { [1, 2].reverse_each |$i| { notice($i) } }".to_owned(),
                0,
            ),
            (format!("class m {{ [1].each |$x| {{ {each} }} }}"), 0),
            (format!("function m::f() {{ {each} }}"), 0),
        ] {
            let found = reported(&UNSUPPORTED_ITERATOR, &code);
            assert_eq!(found.len(), count, "{code}: {found:?}");
        }
    }

    #[test]
    fn ignores_other_values() {
        for value in [
            "\"${[1, 2].step(2)}\"",
            "[1, 2].step(2).map |$x| { $x }",
            "[*[1, 2].step(2)]",
            "Array([1, 2].reverse_each)",
            "[1, 2].tree_each",
            "$x",
        ] {
            let code = format!("class m ($x) {{ notify {{ 'a': message => {value} }} }}");
            assert_eq!(reported(&UNSUPPORTED_ITERATOR, &code), [""; 0], "{code}");
        }
    }
}
