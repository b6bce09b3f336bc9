use hir::autoload::NameKey;
use hir::body::{ReferenceName, ResourceForm, Title};
use hir::declared_resources::unique_title;
use syntax::{Fix, TextRange};

use crate::checker::Checker;
use crate::fixes::{expr_at, text_like};
use crate::rule::{Check, Rule, declare_rule};
use crate::suggest::is_slip;
use crate::usage_index::is_declared;
use crate::wording;

declare_rule! {
    /// Reports references to resources that are not declared.
    ///
    /// ## What it does
    ///
    /// Any code may declare a resource, so a reference is only reported if it is likely a typo: the
    /// same code declares a resource with a title that differs in one letter, and no code in the
    /// workspace declares one with the title as written.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the catalog is finished: *Could not find dependency …* or *Could not
    /// find resource …*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   package { 'example': ensure => installed }
    ///   file { '/etc/example':
    ///     ensure  => file,
    ///     require => Package['exmple'], # <-
    ///   }
    ///   File['/etc/exmaple'] ~> Service['example'] # <-
    ///   service { 'example': ensure => running }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   package { 'example': ensure => installed }
    ///   file { '/etc/example':
    ///     ensure  => file,
    ///     require => [Package['example'], Package['another']],
    ///   }
    ///   File['/etc/example'] ~> Service['example']
    ///   service { 'example': ensure => running }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Titles that differ in more than one letter, or in a digit.
    /// * Slashes at the end of the path of a `file`, which Puppet ignores.
    /// * Code that declares resources of this type with titles that are not known.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the title with the similar one.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-reference]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-reference = "off"
    /// ```
    pub(crate) static UNKNOWN_REFERENCE = {
        code: "unknown-reference",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

/// The minimum length of a title. Shorter ones are similar to too many others.
const MIN_LENGTH: usize = 4;

fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    for reference in body.references.iter().filter(|it| !it.guarded) {
        if let ReferenceName::Title(type_, title) = &reference.name {
            check_title(checker, reference.range, type_, title);
        }
    }
}

/// Any code that contributes to a catalog may declare a resource. A reference is therefore only
/// reported if it is one edit away from a title that the same item declares, and if no code in the
/// environment declares the title as written.
fn check_title(checker: &mut Checker<'_>, range: TextRange, type_: &str, title: &str) {
    if type_ == "class" || title.chars().count() < MIN_LENGTH {
        return;
    }
    let of_type = || {
        let resources = checker.body.resources.iter();
        resources
            .filter(|it| it.form == ResourceForm::Declaration && it.type_.as_deref() == Some(type_))
    };
    let titles = || of_type().flat_map(|it| &it.titles);
    let same = |it: &Title| unique_title(type_, &it.text) == unique_title(type_, title);
    if titles().any(same) || of_type().any(|it| !it.has_only_literal_titles) {
        return;
    }
    let Some(near) = titles().find(|it| is_slip_of(title, it)) else {
        return;
    };
    let key = |it: &str| NameKey::new(checker.db, it.to_owned());
    if is_declared(checker.db, checker.environment, key(type_), key(title)) {
        return;
    }
    let resource = wording::reference(type_, title);
    let message = format!(
        "unknown resource `{resource}`; did you mean `{}`?",
        near.text
    );
    checker.report(&UNKNOWN_REFERENCE, range, message);
    checker.relate(checker.item, near.range, "similar resource declared here");
    let expr = expr_at(&checker.root(), range);
    let text = expr.map(|it| text_like(&it, &near.text));
    let label = format!("Replace with `{}`", near.text);
    checker.fix(text.map(|it| Fix::suggested(label, range, it)));
}

/// Checks whether a title is one edit away from a declared one. Different digits are intentional.
fn is_slip_of(title: &str, declared: &Title) -> bool {
    let digits = |it: &str| it.chars().filter(char::is_ascii_digit).collect::<String>();
    is_slip(title, &declared.text) && digits(title) == digits(&declared.text)
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_REFERENCE;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_slips_of_titles_in_the_same_item() {
        let code = "class m { file { '/motd': } service { 'a': require => File['/mtod'] } }";
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, code),
            ["`'/mtod'`: unknown resource `File['/mtod']`; did you mean `/motd`?"]
        );
        assert_eq!(fixes(&UNKNOWN_REFERENCE, code), ["Replace with `/motd`"]);
    }

    #[test]
    fn ignores_titles_that_other_code_may_declare() {
        for code in [
            "class m { service { 'a': require => File['/other'] } }",
            "class m { file { '/disk1': before => File['/disk2'] } }",
            "class m { file { ['/motd', $title]: before => File['/mtod'] } }",
            "class m { file { '/motd': before => File['/mtod'] } }\n\
             class m::other { file { '/mtod': } }",
        ] {
            assert_eq!(reported(&UNKNOWN_REFERENCE, code), [""; 0], "{code}");
        }
    }
}
