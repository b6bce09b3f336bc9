use format::LayoutKind;

use crate::checker::FileChecker;
use crate::layout::{check, check_shared_lines, expected_spaces};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports arrows in resources that are not aligned with the others of their block.
    ///
    /// ## What it does
    ///
    /// Compares the columns of `=>` in the attributes of a resource, and in hashes and selectors
    /// that are their values. Each must be one space after the longest name. All other arrows
    /// belong to `hash-alignment`.
    ///
    /// In a resource on several lines, an attribute that follows another one on its line is reported as well: its arrow
    /// cannot be aligned.
    ///
    /// ## Why it matters
    ///
    /// Aligned arrows make names and values easy to compare.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/motd':
    ///     ensure => file, # <-
    ///     content => 'Hello',
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
    ///     content => 'Hello',
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[arrow-alignment]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// arrow-alignment = "warning"
    /// ```
    pub(crate) static ARROW_ALIGNMENT = {
        code: "arrow-alignment",
        puppet_lint: ["arrow_alignment"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    check(
        checker,
        &ARROW_ALIGNMENT,
        LayoutKind::ArrowAlignment,
        |change, before| expected_spaces(change, before, "before `=>`"),
    );
    check_shared_lines(checker, &ARROW_ALIGNMENT);
}

#[cfg(test)]
mod tests {
    use super::ARROW_ALIGNMENT;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n  file { '/a':\n    ensure => file,\n    content => 'x',\n  }\n}\n";
        let expected = "`=`: expected 2 spaces before `=>`, found 1";
        assert_fixable(&ARROW_ALIGNMENT, code, expected);
    }

    #[test]
    fn reports_attributes_that_share_a_line() {
        let code = "class m {\n  file { '/a':\n    ensure => file, owner => 'root',\n    mode   => '0644',\n  }\n}\n";
        let expected = "`owner => 'root'`: expected a line break before `owner`";
        assert_fixable(&ARROW_ALIGNMENT, code, expected);
        let code = "class m {\n  file { '/a': ensure => file, owner => 'root',\n  }\n}\n";
        assert_eq!(reported(&ARROW_ALIGNMENT, code), [expected], "{code}");
        for code in [
            "class m {\n  file { '/a': ensure => file, owner => 'root' }\n}\n",
            "class m {\n  file { '/a':\n    ensure => file, owner => 'root';\n  '/b':\n    ensure => file, owner => 'root';\n  }\n}\n",
            "class m {\n  file {\n    '/a': ensure => file, owner => 'root';\n  }\n}\n",
            "class m {\n  file {\n    '/a': ensure => file, owner => 'root'\n  }\n}\n",
        ] {
            assert_eq!(reported(&ARROW_ALIGNMENT, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn accepts_attributes_after_heredocs() {
        let code = "file { '/a':\n  ensure  => file,\n  content => @(A),\n    text\n    | A\n  owner   => 'root',\n}\n";
        assert_eq!(reported(&ARROW_ALIGNMENT, code), [""; 0]);
    }

    #[test]
    fn accepts_the_right_layout() {
        let code = "class example {\n  file { '/etc/motd':\n    ensure  => file,\n    content => 'Hello',\n  }\n}\n";
        assert_eq!(reported(&ARROW_ALIGNMENT, code), [""; 0]);
    }
}
