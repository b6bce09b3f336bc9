use hir::body::{AttributeUse, Resource, ResourceForm};
use hir::resolve::Definition;
use syntax::Fix;
use syntax::ast::{AstNode, Attribute};
use types::Type;

use crate::checker::Checker;
use crate::fixes::node_at;
use crate::rule::{Check, Rule, declare_rule};

/// The attributes of which a resource may only set one, by resource type.
const EXCLUSIVE: [(&str, &[&str]); 6] = [
    ("file", &["content", "source", "target"]),
    ("cron", &["special", "minute"]),
    ("cron", &["special", "hour"]),
    ("cron", &["special", "weekday"]),
    ("cron", &["special", "month"]),
    ("cron", &["special", "monthday"]),
];

declare_rule! {
    /// Reports attributes that exclude each other.
    ///
    /// ## What it does
    ///
    /// Checks for files with more than one of `content`, `source` and `target`, and for cron jobs
    /// with both a `special` time and another one.
    ///
    /// ## Why it matters
    ///
    /// The catalog compiles, but the agent run fails: *You cannot specify more than one of content,
    /// source, target*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/example':
    ///     source  => 'puppet:///modules/example/example.conf',
    ///     content => 'port = 80', # <-
    ///   }
    ///   cron { 'example':
    ///     command => '/usr/bin/example',
    ///     special => 'daily',
    ///     hour    => 2, # <-
    ///   }
    /// }
    /// # file: files/example.conf
    /// port = 80
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Optional[String] $content = undef) {
    ///   file { '/etc/example':
    ///     source  => $content ? { undef => 'puppet:///modules/example/example.conf', default => undef },
    ///     content => $content,
    ///   }
    ///   cron { 'example':
    ///     command => '/usr/bin/example',
    ///     hour    => 2,
    ///     minute  => 0,
    ///   }
    /// }
    /// # file: files/example.conf
    /// port = 80
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Values that may be `undef`, which leaves an attribute unset.
    ///
    /// ## Fix
    ///
    /// Suggested: removes one of the attributes.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[conflicting-attributes]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// conflicting-attributes = "off"
    /// ```
    pub(crate) static CONFLICTING_ATTRIBUTES = {
        code: "conflicting-attributes",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    for resource in &body.resources {
        let is_built_in = || {
            let definition = checker.resource_definition(resource);
            matches!(definition, Some(Definition::ResourceType(_)))
        };
        if resource.form != ResourceForm::Declaration || !is_built_in() {
            continue;
        }
        for (type_, exclusive) in EXCLUSIVE {
            if resource.type_.as_deref() == Some(type_) {
                check_exclusive(checker, resource, exclusive);
            }
        }
    }
}

fn check_exclusive(checker: &mut Checker<'_>, resource: &Resource, exclusive: &[&str]) {
    let attributes = resource.attributes.iter();
    let is_cron = resource.type_.as_deref() == Some("cron");
    let set = attributes
        .filter(|it| exclusive.contains(&it.name.as_str()) && is_set(checker, it, is_cron));
    let set: Vec<&AttributeUse> = set.collect();
    let [first, others @ ..] = set.as_slice() else {
        return;
    };
    for other in others.iter().filter(|it| it.name != first.name) {
        let message = format!(
            "attributes `{}` and `{}` exclude each other",
            first.name, other.name
        );
        checker.report(&CONFLICTING_ATTRIBUTES, other.range, message);
        checker.relate(checker.item, first.range, "already set here");
        for attribute in [other, first] {
            checker.fix(removal(checker, attribute));
        }
    }
}

fn removal(checker: &Checker<'_>, attribute: &AttributeUse) -> Option<Fix> {
    let label = format!("Remove the attribute `{}`", attribute.name);
    let node = node_at(&checker.root(), attribute.range)?;
    let node = node.ancestors().find_map(Attribute::cast)?;
    checker.safe_removal(&label, node.syntax())
}

/// Checks whether an attribute certainly has a value. Cron jobs use `absent` to unset one.
fn is_set(checker: &Checker<'_>, attribute: &AttributeUse, is_cron: bool) -> bool {
    let node = node_at(&checker.root(), attribute.range);
    let attribute = node.and_then(|it| it.ancestors().find_map(Attribute::cast));
    let value = attribute.and_then(|it| it.value());
    let value = value.and_then(|it| checker.type_of(&it));
    let absent = Type::string_value("absent");
    value.is_some_and(|it| {
        it.is_a(&Type::Undef) == Some(false) && !(is_cron && it.is_a(&absent) != Some(false))
    })
}

#[cfg(test)]
mod tests {
    use super::CONFLICTING_ATTRIBUTES;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_attributes_that_exclude_each_other() {
        let code = "class m { file { '/a': content => 'a', source => '/b' } \
                    cron { 'a': special => 'daily', hour => 1, command => 'a' } }";
        assert_eq!(
            reported(&CONFLICTING_ATTRIBUTES, code),
            [
                "`source`: attributes `content` and `source` exclude each other",
                "`hour`: attributes `special` and `hour` exclude each other",
            ]
        );
        assert_eq!(
            fixes(&CONFLICTING_ATTRIBUTES, code)[..2],
            [
                "Remove the attribute `source`",
                "Remove the attribute `content`"
            ]
        );
    }

    #[test]
    fn ignores_values_that_may_be_undef() {
        let code = "class m (Optional[String] $c, $s) { \
                    file { '/a': content => $c, source => '/b' } \
                    file { '/b': content => 'a', source => $s } \
                    file { '/c': content => 'a', source => undef } \
                    cron { 'a': special => 'absent', hour => 1, command => 'a' } }";
        assert_eq!(reported(&CONFLICTING_ATTRIBUTES, code), [""; 0]);
    }
}
