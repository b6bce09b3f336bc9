use hir::canonical_name;
use hir::resolve::resource_type;
use syntax::ast::{AccessExpr, AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::unquoted_words::unquoted_words;

declare_rule! {
    /// Reports titles without quotes in references to resources.
    ///
    /// ## What it does
    ///
    /// Checks the bare words in references such as `Service[nginx]` and `Class[apache]`.
    ///
    /// ## Why it matters
    ///
    /// The Puppet style guide requires quotes: a title is a string. Without them, a title with an uppercase letter
    /// is a data type, and one with a dot is an error.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   service { 'nginx':
    ///     ensure => running,
    ///   }
    ///   notify { 'done':
    ///     require => Service[nginx], # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   service { 'nginx':
    ///     ensure => running,
    ///   }
    ///   notify { 'done':
    ///     require => Service['nginx'],
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: quotes the title.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unquoted-reference-title]` at the end of the line, or on a line of its own
    /// above it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// unquoted-reference-title = "warning"
    /// ```
    pub(crate) static UNQUOTED_REFERENCE_TITLE = {
        code: "unquoted-reference-title",
        puppet_lint: ["resource_reference_with_unquoted_title"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::ACCESS_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(access) = AccessExpr::cast(node.clone()).filter(|_| checker.owns(node)) else {
        return;
    };
    let Some(Expr::QualifiedReference(type_)) = access.base() else {
        return;
    };
    let words: Vec<Expr> = access.keys().iter().flat_map(unquoted_words).collect();
    if words.is_empty() || !is_resource_type(checker, &type_.text()) {
        return;
    }
    for word in words {
        checker.report_unquoted(&UNQUOTED_REFERENCE_TITLE, &word, "title");
    }
}

/// Checks whether a name is that of a resource type, not of a data type such as `Enum`.
fn is_resource_type(checker: &Checker<'_>, name: &str) -> bool {
    let name = canonical_name(name);
    name == "class" || resource_type(checker.db, Some(checker.environment), &name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::UNQUOTED_REFERENCE_TITLE;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_bare_titles() {
        let code = "class m { notify { 'a': require => [Service[b], File[c, 'd']], \
                    before => Class[m::e] } M::D[f] -> Package[[g, 'h']] realize(User[i]) Package[j-k] -> Package['l'] }";
        let titles = ["b", "c", "m::e", "f", "g", "i", "j-k"];
        let expected = titles.map(|it| format!("`{it}`: unquoted title `{it}`"));
        let code = format!("//- modules/m/manifests/init.pp\n{code}\n");
        let code = code + "//- modules/m/manifests/d.pp\ndefine m::d { }\n";
        assert_eq!(reported(&UNQUOTED_REFERENCE_TITLE, &code), expected);
    }

    #[test]
    fn ignores_quoted_titles_and_types() {
        let code = "class m ($x, Enum[a, b] $e, Optional[Enum[c]] $f) { Service['d'] -> File[\"e\"] \
                    User[$x] -> Class[\"${x}\"] $g = $x[h] $i = Integer[1, 2] $j = Pattern[/k/] \
                    $l = Unknown::Type[n] }";
        assert_eq!(reported(&UNQUOTED_REFERENCE_TITLE, code), [""; 0]);
    }

    #[test]
    fn quotes_the_titles() {
        let code = "class m { Service[b] -> File[c, 'd'] }";
        let expected = "class m { Service['b'] -> File['c', 'd'] }";
        assert_eq!(fixed(&UNQUOTED_REFERENCE_TITLE, code), expected);
    }
}
