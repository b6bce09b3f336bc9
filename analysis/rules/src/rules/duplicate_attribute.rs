use hir::body::{Resource, ResourceForm};
use infer::{TypeProblem, TypeProblemKind};
use rustc_hash::FxHashMap;
use syntax::ast::{AstNode, Attribute, Expr, ResourceExpr};
use syntax::{Fix, SyntaxKind, SyntaxNode, TextRange, element_removal};

use crate::checker::Checker;
use crate::fixes::node_at;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports attributes that are set twice on one resource.
    ///
    /// ## What it does
    ///
    /// Checks resource declarations, defaults and overrides for repeated attributes, resource
    /// expressions for a second `default` body, and resource defaults of the same type in the same
    /// scope.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails with *Duplicate parameter*, as Puppet cannot choose between the two
    /// values.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/example':
    ///     ensure => file,
    ///     mode   => '0644',
    ///     mode   => '0600', # <-
    ///   }
    ///   File { owner => 'root', owner => 'root' } # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/example':
    ///     ensure => file,
    ///     mode   => '0600',
    ///   }
    ///   file {
    ///     default: mode => '0644';
    ///     '/a': mode => '0600';
    ///     '/b':;
    ///   }
    ///   File { owner => 'root' }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Attributes that a `default:` body of the same expression also sets; such a body exists to
    ///   be overridden.
    /// * Attributes that a resource default or an override elsewhere also sets.
    /// * Hashes after `* =>` whose keys are not known.
    ///
    /// ## Fix
    ///
    /// Safe: removes the second attribute if both have the same value.
    ///
    /// Suggested: removes the first or the second attribute.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[duplicate-attribute]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// duplicate-attribute = "off"
    /// ```
    pub(crate) static DUPLICATE_ATTRIBUTE = {
        code: "duplicate-attribute",
        puppet_lint: ["duplicate_params"],
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Item(check),
            Check::Item(check_resource_defaults),
            Check::Node(&[SyntaxKind::RESOURCE_EXPR], check_defaults),
            Check::Problem(check_splat),
        ],
    }
}

fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    for resource in &body.resources {
        let mut seen = FxHashMap::default();
        for attribute in &resource.attributes {
            if let Some(first) = seen.insert(attribute.name.as_str(), attribute.range) {
                let message = format!("duplicate attribute `{}`", attribute.name);
                checker.report(&DUPLICATE_ATTRIBUTE, attribute.range, message);
                checker.relate(checker.item, first, "first set here");
                fix(checker, &attribute.name, first, attribute.range);
            }
        }
    }
}

/// Reports a second body with the title `default` in a resource expression.
fn check_defaults(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(resource) = ResourceExpr::cast(node.clone()) else {
        return;
    };
    let titles = resource.bodies().filter_map(|it| it.title());
    let mut titles = titles
        .filter(Expr::is_default)
        .map(|it| it.syntax().text_range());
    let Some(first) = titles.next() else {
        return;
    };
    for again in titles {
        let message = "duplicate `default` body".to_owned();
        checker.report(&DUPLICATE_ATTRIBUTE, again, message);
        checker.relate(checker.item, first, "first defaults here");
    }
}

/// Reports attributes that two resource defaults of the same type set. In other scopes, the inner ones
/// apply.
fn check_resource_defaults(checker: &mut Checker<'_>) {
    let body = checker.body;
    let place = |it: &Resource| (it.branch, it.range.start());
    let defaults = body.resources.iter();
    let defaults = defaults.filter(|it| it.form == ResourceForm::Defaults && it.type_.is_some());
    let defaults: Vec<&Resource> = defaults.collect();
    for (index, again) in defaults.iter().enumerate() {
        for attribute in &again.attributes {
            let earlier = defaults.iter().take(index);
            let mut earlier = earlier.filter(|it| {
                it.type_ == again.type_
                    && it.scope == again.scope
                    && body.run_together(place(it), place(again))
            });
            let first = earlier.find_map(|it| {
                let mut all = it.attributes.iter();
                all.find(|it| it.name == attribute.name)
            });
            if let Some(first) = first {
                let message = format!("duplicate default for attribute `{}`", attribute.name);
                checker.report(&DUPLICATE_ATTRIBUTE, attribute.range, message);
                checker.relate(checker.item, first.range, "first default here");
            }
        }
    }
}

fn check_splat(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if let TypeProblemKind::RepeatedAttribute { name } = &problem.kind {
        let message = format!("duplicate attribute `{name}`");
        checker.report_problem(&DUPLICATE_ATTRIBUTE, problem, message);
    }
}

/// Offers to remove one of two attributes. If they are identical, it does not matter which.
fn fix(checker: &mut Checker<'_>, name: &str, first: TextRange, again: TextRange) {
    let root = checker.root();
    let attribute = |range| {
        let node = node_at(&root, range)?;
        let attribute = node.ancestors().find_map(Attribute::cast)?;
        Some(attribute.syntax().clone())
    };
    let (Some(first), Some(again)) = (attribute(first), attribute(again)) else {
        return;
    };
    let label = format!("Remove the duplicate attribute `{name}`");
    if first.text() == again.text() {
        let range = element_removal(&again);
        checker.fix(Some(Fix::certain(label, range, "")));
    } else {
        checker.fix(checker.safe_removal(&label, &again));
        let label = format!("Remove the first attribute `{name}`");
        checker.fix(checker.safe_removal(&label, &first));
    }
}

#[cfg(test)]
mod tests {
    use super::DUPLICATE_ATTRIBUTE;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_attributes_that_are_set_twice() {
        let code =
            "class m { file { '/a': mode => '1', owner => 'b', mode => '2', owner => 'b' } }";
        assert_eq!(
            reported(&DUPLICATE_ATTRIBUTE, code),
            [
                "`mode`: duplicate attribute `mode`",
                "`owner`: duplicate attribute `owner`"
            ]
        );
        assert_eq!(
            fixes(&DUPLICATE_ATTRIBUTE, code),
            [
                "Remove the duplicate attribute `mode`",
                "Remove the first attribute `mode`",
                "Remove the duplicate attribute `owner`",
            ]
        );
    }

    #[test]
    fn ignores_other_bodies() {
        let code =
            "class m { file { default: mode => '1'; '/a': mode => '2'; '/b': mode => '3' } }";
        assert_eq!(reported(&DUPLICATE_ATTRIBUTE, code), [""; 0]);
    }

    #[test]
    fn finds_attributes_that_a_type_alias_requires() {
        let check = |key: &str| {
            let code = format!(
                "//- modules/m/types/entry.pp\ntype M::Entry = Struct[{{ {key} => String }}]\n\
                 //- modules/m/manifests/init.pp\nclass m (Array[M::Entry] $all) {{\n\
                 $all.each |$it| {{ notify {{ 'a': message => 'b', * => $it }} }} }}\n"
            );
            reported(&DUPLICATE_ATTRIBUTE, &code).len()
        };
        assert_eq!(check("message"), 1);
        assert_eq!(check("Optional[message]"), 0);
        assert_eq!(check("withpath"), 0);
    }
}
