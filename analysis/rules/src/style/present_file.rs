use syntax::ast::{AstNode, AttributeSplat, Expr, HashEntry};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::resource_attributes::{attribute_of, owner_type, sibling};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports files with `ensure => present`.
    ///
    /// ## What it does
    ///
    /// Checks the attribute `ensure` of `file` resources, also in defaults, overrides and collectors, in a hash after
    /// `* =>`, and in the options of a selector.
    ///
    /// ## Why it matters
    ///
    /// `present` accepts anything at the path: a file, a directory or a link. If the path is a directory,
    /// Puppet does not report that the file is missing.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/motd':
    ///     ensure  => present, # <-
    ///     content => 'Welcome',
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/motd':
    ///     ensure  => file,
    ///     content => 'Welcome',
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Suggested: replaces `present` with `file`. Files with a `target`, or with a `source` that may be a
    /// directory, have no fix, nor has a hash after `* =>`.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[present-file]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// present-file = "warning"
    /// ```
    pub(crate) static PRESENT_FILE = {
        code: "present-file",
        puppet_lint: ["file_ensure"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::ATTRIBUTE, SyntaxKind::HASH_ENTRY], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let attribute = attribute_of(node, &["file"], &["ensure"]);
    let value = match &attribute {
        Some(it) => it.value(),
        None => splatted_ensure(node),
    };
    let Some(value) = value else {
        return;
    };
    let may_be_other = attribute.is_none_or(|attribute| {
        let others = ["target", "recurse"];
        others.iter().any(|it| sibling(&attribute, it).is_some())
    });
    for (expr, text) in checker.constant_strings(&value) {
        if text != "present" {
            continue;
        }
        let message = "`present` accepts any kind of file; use `file` instead".to_owned();
        checker.report(&PRESENT_FILE, expr.syntax().text_range(), message);
        let fix = checker.replacement(&expr, "file").filter(|_| !may_be_other);
        checker.fix(fix);
    }
}

/// Returns the value of `ensure` in a hash that sets the attributes of a file with `*`.
fn splatted_ensure(node: &SyntaxNode) -> Option<Expr> {
    let entry = HashEntry::cast(node.clone())?;
    let is_ensure = entry.key()?.plain_text()? == "ensure";
    let splat = node.parent()?.parent().and_then(AttributeSplat::cast)?;
    let type_ = owner_type(&splat.syntax().parent()?)?;
    (is_ensure && type_ == "file").then(|| entry.value())?
}

#[cfg(test)]
mod tests {
    use super::PRESENT_FILE;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_present_files() {
        let code = "class m ($x) { file { '/a': ensure => present; '/b': ensure => 'present' } \
                    File { ensure => $x ? { 1 => present, default => absent } } \
                    File['/c'] { ensure => \"present\" } File <| |> { ensure => present } \
                    $p = 'present' file { default: ensure => $p; '/d': } }";
        let end = "`present` accepts any kind of file; use `file` instead";
        let places = [
            "present",
            "'present'",
            "present",
            "\"present\"",
            "present",
            "$p",
        ];
        let expected = places.map(|it| format!("`{it}`: {end}"));
        assert_eq!(reported(&PRESENT_FILE, code), expected);
    }

    #[test]
    fn reports_splatted_hashes() {
        for entry in ["ensure => present", "'ensure' => 'present', mode => '0644'"] {
            let code = format!("class m {{ file {{ '/a': * => {{ {entry} }} }} }}");
            assert_eq!(reported(&PRESENT_FILE, &code).len(), 1, "{code}");
            assert_eq!(fixed(&PRESENT_FILE, &code), code);
        }
        for attribute in [
            "* => { x => { ensure => present } }",
            "x => { ensure => present }",
        ] {
            let code = format!("class m {{ file {{ '/a': {attribute} }} }}");
            assert_eq!(reported(&PRESENT_FILE, &code), [""; 0], "{code}");
        }
        let code = "class m { package { 'a': * => { ensure => present } } }";
        assert_eq!(reported(&PRESENT_FILE, code), [""; 0]);
    }

    #[test]
    fn ignores_other_resources_and_values() {
        let code = "class m ($x, Enum['present'] $y) { file { '/a': ensure => file; '/b': ensure => $x; \
                    '/c': content => present; '/d': } package { 'a': ensure => present } \
                    $h = { ensure => present } }\nclass m::n { concat { 'a': ensure => present } }";
        assert_eq!(reported(&PRESENT_FILE, code), [""; 0]);
    }

    #[test]
    fn keeps_the_notation() {
        let code = "class m { file { '/a': ensure => present; '/b': ensure => 'present' } }";
        let expected = "class m { file { '/a': ensure => file; '/b': ensure => 'file' } }";
        assert_eq!(fixed(&PRESENT_FILE, code), expected);
        let code = "class m { file { '/a': ensure => present, target => '/b' } }";
        assert_eq!(fixed(&PRESENT_FILE, code), code);
    }
}
