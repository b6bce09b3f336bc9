use format::LayoutKind;

use crate::checker::FileChecker;
use crate::layout::{check, expected_spaces};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports arrows outside of resources that are not aligned with the others of their list.
    ///
    /// ## What it does
    ///
    /// Compares the columns of `=>` in hashes, in selectors, in the parameters of `Struct`, and in
    /// resource defaults, overrides and collectors. Each must be one space after the longest name.
    /// Arrows in resources belong to `arrow-alignment`.
    ///
    /// ## Why it matters
    ///
    /// Aligned arrows make names and values easy to compare.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $ports = {
    ///     'http' => 80, # <-
    ///     'https' => 443,
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $ports = {
    ///     'http'  => 80,
    ///     'https' => 443,
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// Hashes on one line each whose arrows are in one column, if these lines have the same form.
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[hash-alignment]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// hash-alignment = "warning"
    /// ```
    pub(crate) static HASH_ALIGNMENT = {
        code: "hash-alignment",
        puppet_lint: [],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    check(
        checker,
        &HASH_ALIGNMENT,
        LayoutKind::HashAlignment,
        |change, before| expected_spaces(change, before, "before `=>`"),
    );
}

#[cfg(test)]
mod tests {
    use super::HASH_ALIGNMENT;
    use crate::testing::{assert_fixable, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n  $a = {\n    'b' => 1,\n    'cd' => 2,\n  }\n}\n";
        let expected = "`=`: expected 2 spaces before `=>`, found 1";
        assert_fixable(&HASH_ALIGNMENT, code, expected);
    }

    #[test]
    fn reports_needless_blanks() {
        let code = "class m {\n  $a = { 'b'   => 1 }\n}\n";
        let expected = "`=`: expected 1 space before `=>`, found 3";
        assert_fixable(&HASH_ALIGNMENT, code, expected);
    }

    #[test]
    fn accepts_what_is_aligned_with_the_first_pair_after_the_brace() {
        let code = "class m {\n  $a = [\n    { path     => '/1',\n      provider => 'x',\n    },\n  ]\n}\n";
        assert_eq!(reported(&HASH_ALIGNMENT, code), [""; 0]);
    }

    #[test]
    fn accepts_hashes_in_resources() {
        let code = "class m {\n  n { 'a':\n    b => {\n      'c' => 1,\n      'de' => 2,\n    },\n  }\n}\n";
        assert_eq!(reported(&HASH_ALIGNMENT, code), [""; 0]);
    }
}
