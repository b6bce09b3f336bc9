use syntax::ast::{AstNode, Attribute, Expr, ResourceBody, ResourceExpr};
use syntax::{SyntaxKind, SyntaxNode};
use types::values::Value;

use crate::checker::Checker;
use crate::index::default_reach::may_be_set_elsewhere;
use crate::resource_attributes::{bodies, declared_type, has_splat, named_attribute};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports `tidy` resources that remove every file of a directory.
    ///
    /// ## What it does
    ///
    /// Checks for `tidy` with `recurse`, but without `age`, `size` and `matches`, or with `matches => '*'`
    /// alone.
    ///
    /// ## Why it matters
    ///
    /// Without a condition, `tidy` removes all files on every run, even those that are in use.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   tidy { '/var/cache/example': # <-
    ///     recurse => true,
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   tidy { '/var/cache/example':
    ///     recurse => true,
    ///     age     => '1w',
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: which files may be removed is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[tidy-everything]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `security = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// tidy-everything = "warning"
    /// ```
    pub(crate) static TIDY_EVERYTHING = {
        code: "tidy-everything",
        puppet_lint: ["security_tidy_all_files", "security_tidy_matches_greedy"],
        group: Security,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::RESOURCE_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(resource) = ResourceExpr::cast(node.clone()) else {
        return;
    };
    if declared_type(&resource).is_none_or(|it| it != "tidy") {
        return;
    }
    let elsewhere = ["age", "size", "matches", "recurse"];
    if elsewhere
        .iter()
        .any(|it| may_be_set_elsewhere(checker, "tidy", it))
    {
        return;
    }
    let (bodies, defaults) = bodies(&resource);
    for body in bodies {
        let all = [Some(&body), defaults.as_ref()];
        let all: Vec<&ResourceBody> = all.into_iter().flatten().collect();
        let title = body.title().filter(|_| removes_everything(checker, &all));
        if let Some(title) = title {
            let message = "`tidy` without `age`, `size` or `matches` removes all files".to_owned();
            checker.report(&TIDY_EVERYTHING, title.syntax().text_range(), message);
        }
    }
}

/// Checks whether the attributes of a resource and of the `default:` body select all files.
fn removes_everything(checker: &Checker<'_>, bodies: &[&ResourceBody]) -> bool {
    let attribute = |name: &str| {
        let mut found = bodies.iter().map(|it| named_attribute(it.syntax(), name));
        found.find_map(|it| it)
    };
    let recurse = checker.constant_attribute(attribute("recurse"));
    let recurses = match recurse {
        Some(Value::Boolean(it)) => it,
        Some(Value::Integer(it)) => it > 0,
        Some(Value::String(it)) => &*it == "true" || &*it == "inf",
        _ => false,
    };
    recurses
        && !bodies.iter().any(|it| has_splat(it.syntax()))
        && attribute("age").is_none()
        && attribute("size").is_none()
        && attribute("matches").is_none_or(|it| matches_everything(&it))
}

fn matches_everything(matches: &Attribute) -> bool {
    let is_star = |it: &Expr| it.plain_text().is_some_and(|it| it == "*");
    match matches.value() {
        Some(Expr::ArrayExpr(list)) => list.elements().any(|it| is_star(&it)),
        Some(value) => is_star(&value),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::TIDY_EVERYTHING;
    use crate::testing::reported;

    #[test]
    fn reports_resources_without_a_condition() {
        let code = "class m { tidy { '/a': recurse => true; '/b': recurse => 2, rmdirs => true; \
                    '/c': recurse => true, matches => '*'; '/d': recurse => inf, matches => ['a', '*']; \
                    '/e': age => '1w', recurse => true } tidy { default: recurse => true; '/f': } }";
        let end = "`tidy` without `age`, `size` or `matches` removes all files";
        let expected = ["/a", "/b", "/c", "/d", "/f"].map(|it| format!("`'{it}'`: {end}"));
        assert_eq!(reported(&TIDY_EVERYTHING, code), expected);
    }

    #[test]
    fn ignores_conditions() {
        let code = "class m ($x, $h) { tidy { '/a': age => '1w', recurse => true; \
                    '/b': size => '1m', recurse => true; '/c': matches => '*.log', recurse => true; \
                    '/d': ; '/e': recurse => false; '/f': recurse => true, * => $h; '/g': recurse => $x } \
                    tidy { default: age => '1w'; '/h': recurse => true } file { '/i': recurse => true } }";
        assert_eq!(reported(&TIDY_EVERYTHING, code), [""; 0]);
        let code = "class m { tidy { '/a': recurse => true } }\nclass m::n { Tidy { age => '1w' } include m }";
        assert_eq!(reported(&TIDY_EVERYTHING, code), [""; 0]);
    }
}
