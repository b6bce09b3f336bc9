use catalog::ProblemKind;
use hir::body::{PathKind, Reference, ReferenceName};
use hir::resolve::Definition;
use infer::{TypeProblem, TypeProblemKind};
use syntax::ast::{AstNode, Attribute};
use syntax::{Fix, Severity, TextRange};

use crate::checker::{Checker, Resolution};
use crate::compiled::problem::{CompiledProblem, located};
use crate::compiled::{blamed, report};
use crate::findings::item_findings;
use crate::fixes::node_at;
use crate::resource_attributes::{body_with_attribute, named_attribute};
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::actual;

declare_rule! {
    /// Reports mutually exclusive attributes of a resource.
    ///
    /// ## What it does
    ///
    /// Checks for attributes that rule each other out:
    ///
    /// * more than one of `content`, `source` and `target` of a file
    /// * a `special` time of a cron job and another one
    /// * both `recipient` and `file` of a mail alias
    /// * an attribute and a value of another one, such as `mark` of a package whose `ensure` is `absent`, or `content`
    ///   of a file whose `ensure` is a path, which makes it a link
    ///
    /// Attributes in hashes, `default:` bodies and resource defaults count as well. An attribute that code passes to a
    /// defined type, whose resource has another one that excludes it, is reported where it is passed.
    ///
    /// Attributes that Puppet ignores are warnings: `content` of a directory, `target` of a file or directory, and
    /// `ensure` if it is `directory`, but the source is a file, or the other way round.
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
        checks: [
            Check::Problem(check),
            Check::Reference(check_source),
            Check::Compiled(check_passed),
        ],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    match &problem.kind {
        TypeProblemKind::Conflict { attributes, first } => {
            let message = conflict_message(attributes);
            checker.report_problem(&CONFLICTING_ATTRIBUTES, problem, message);
            if let Some(first) = first.filter(|it| *it != problem.range) {
                checker.relate(checker.item, first, "already set here");
            }
            for range in [Some(problem.range), *first].into_iter().flatten() {
                checker.fix(removal(checker, range));
            }
        }
        TypeProblemKind::RuledOut {
            type_name,
            attribute,
            by,
            value,
        } => {
            let value = actual(value);
            let message = format!(
                "attribute `{attribute}` of `{type_name}` is not allowed: `{by}` is {value}"
            );
            checker.report_problem(&CONFLICTING_ATTRIBUTES, problem, message);
            checker.fix(removal(checker, problem.range));
        }
        TypeProblemKind::Ignored {
            attribute,
            by,
            value,
        } => {
            let value = actual(value);
            let message = format!("attribute `{attribute}` has no effect: `{by}` is {value}");
            let rule = &CONFLICTING_ATTRIBUTES;
            checker.report_problem_as(rule, Severity::Warning, problem, message);
            checker.fix(removal(checker, problem.range));
        }
        _ => {}
    }
}

/// Reports a source that is a file although `ensure` is `directory`, or the other way round: Puppet creates what the
/// source is.
fn check_source(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let (kind, other) = match resolution {
        Ok(Definition::File(_)) => ("file", "directory"),
        Ok(Definition::Folder) => ("directory", "file"),
        _ => return,
    };
    let is_source = matches!(reference.name, ReferenceName::Path(PathKind::Source, _));
    if is_source && ensure_beside(checker, reference.range).as_deref() == Some(other) {
        let message = format!("`source` is a {kind}, but `ensure` is `'{other}'`");
        let rule = &CONFLICTING_ATTRIBUTES;
        checker.report_as(rule, Severity::Warning, reference.range, message);
    }
}

/// Returns the value of `ensure` of the file whose only source is at a range.
fn ensure_beside(checker: &Checker<'_>, source: TextRange) -> Option<String> {
    let node = node_at(&checker.root(), source)?;
    let body = node
        .ancestors()
        .find_map(|it| body_with_attribute(&it, "file", "source"));
    let (body, attribute) = body?;
    if attribute.value()?.syntax().text_range() != source {
        return None;
    }
    let ensure = named_attribute(body.syntax(), "ensure")?.value()?;
    let value = checker.type_of(&ensure)?.value.as_ref()?;
    value.as_str().map(str::to_owned)
}

/// Reports attributes that are passed through a defined type, whose resource has another one.
fn check_passed<'db>(checker: &mut Checker<'db>, problem: &CompiledProblem<'db>) {
    let ProblemKind::ConflictingAttributes(_, attributes) = &problem.kind else {
        return;
    };
    let (range, place) = blamed(checker, problem);
    if place != Some(0) || is_reported_there(checker, problem) {
        return;
    }
    let message = conflict_message(attributes);
    let other = problem.places.len() - 1;
    let label = |index| match index == other {
        true => "excluded attribute",
        false => "passed on here",
    };
    let rule = &CONFLICTING_ATTRIBUTES;
    report(checker, rule, problem, (range, place), message, label);
}

/// Checks whether the attributes conflict with any arguments of the defined type.
fn is_reported_there(checker: &Checker<'_>, problem: &CompiledProblem<'_>) -> bool {
    let places = problem.places.iter().skip(1);
    let mut places = places.filter_map(|it| located(checker.db, it));
    places.any(|(item, range)| {
        let found = match item == checker.item {
            true => checker.found(),
            false => item_findings(checker.db, item),
        };
        found
            .iter()
            .any(|it| it.is_at(&CONFLICTING_ATTRIBUTES, range))
    })
}

fn conflict_message([one, other]: &[String; 2]) -> String {
    format!("attributes `{one}` and `{other}` are mutually exclusive")
}

fn removal(checker: &Checker<'_>, range: TextRange) -> Option<Fix> {
    let node = node_at(&checker.root(), range)?;
    let attribute = node.ancestors().find_map(Attribute::cast)?;
    let name = attribute.name_token()?;
    let label = format!("Remove the attribute `{}`", name.text());
    (name.text_range() == range).then(|| checker.safe_removal(&label, attribute.syntax()))?
}

#[cfg(test)]
mod tests {
    use super::CONFLICTING_ATTRIBUTES;
    use crate::testing::{fixes, reported, severities};
    use syntax::Severity;

    #[test]
    fn reports_attributes_that_exclude_each_other() {
        let code = "class m { file { '/a': content => 'a', source => '/b' } \
                    cron { 'a': special => 'daily', hour => 1, command => 'a' } }";
        assert_eq!(
            reported(&CONFLICTING_ATTRIBUTES, code),
            [
                "`source`: attributes `content` and `source` are mutually exclusive",
                "`hour`: attributes `special` and `hour` are mutually exclusive",
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
    fn reports_attributes_that_are_passed_through_a_defined_type() {
        let check = |parameters: &str, attributes: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m ($p = 'x') {{ m::f {{ '/a': {attributes} }} }}\n\
                 //- modules/m/manifests/f.pp\ndefine m::f ({parameters}) {{\n\
                 file {{ $title: source => $source, content => $content }} }}\n"
            );
            reported(&CONFLICTING_ATTRIBUTES, &code)
        };
        let both = "$source = undef, $content = undef";
        let message = "attributes `content` and `source` are mutually exclusive";
        assert_eq!(
            check("$source = undef, $content = 'none'", "source => '/b'"),
            [format!("`source => '/b'`: {message}")]
        );
        assert_eq!(
            check(both, "source => '/b', content => \"${p}\""),
            [format!("`content => \"${{p}}\"`: {message}")]
        );
        for (parameters, attributes) in [
            (both, "source => '/b'"),
            (both, "source => '/b', content => $p"),
            (both, "source => '/b', content => undef"),
            ("$source = undef, $content = $m::p", "source => '/b'"),
            ("$source = undef, $content = 'none'", "source => $p"),
        ] {
            assert_eq!(check(parameters, attributes), [""; 0], "{attributes}");
        }
    }

    #[test]
    fn reports_links_with_content() {
        let code = "class m ($p, Boolean $b) { file { '/a': ensure => '/t', content => 'a' } \
                    file { '/b': ensure => $p, content => 'a' } file { '/c': ensure => $b, content => 'a' } \
                    file { '/d': ensure => link, content => 'a' } }";
        assert_eq!(
            reported(&CONFLICTING_ATTRIBUTES, code),
            ["`content`: attribute `content` of `file` is not allowed: `ensure` is `'/t'`"]
        );
    }

    #[test]
    fn reports_sources_of_another_kind() {
        let code = "//- modules/m/files/f\n//- modules/m/files/d/f\n//- modules/m/manifests/init.pp\n\
                    class m { file { '/a': ensure => directory, source => 'puppet:///modules/m/f' } \
                    file { '/b': ensure => file, source => 'puppet:///modules/m/d' } \
                    file { '/c': ensure => file, source => 'puppet:///modules/m/f' } \
                    file { '/d': ensure => directory, source => 'puppet:///modules/m/d' } \
                    file { '/e': ensure => present, source => 'puppet:///modules/m/f' } \
                    file { '/f': source => 'puppet:///modules/m/d' } }";
        assert_eq!(
            reported(&CONFLICTING_ATTRIBUTES, code),
            [
                "`'puppet:///modules/m/f'`: `source` is a file, but `ensure` is `'directory'`",
                "`'puppet:///modules/m/d'`: `source` is a directory, but `ensure` is `'file'`"
            ]
        );
    }

    #[test]
    fn reports_attributes_without_effect() {
        let code = "class m ($e, Optional[String] $c) { \
                    file { '/a': ensure => directory, content => 'a' } \
                    file { '/b': ensure => file, target => '/t' } \
                    file { '/c': ensure => $e, content => 'a' } \
                    file { '/d': ensure => directory, content => $c } \
                    file { '/e': ensure => link, target => '/t' } }";
        assert_eq!(
            reported(&CONFLICTING_ATTRIBUTES, code),
            [
                "`content`: attribute `content` has no effect: `ensure` is `'directory'`",
                "`target`: attribute `target` has no effect: `ensure` is `'file'`"
            ]
        );
        let severity = severities(&CONFLICTING_ATTRIBUTES, code);
        assert_eq!(severity, [Severity::Warning; 2]);
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
