use format::LayoutChange;

use crate::checker::FileChecker;
use crate::layout::{check_indentation, columns};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports lines that are not indented by two spaces per level.
    ///
    /// ## What it does
    ///
    /// Compares the indentation of each line with the layout of `pupil format`: two spaces for each
    /// enclosing bracket, and one level for lines that continue an expression, if `indent-continuations` of
    /// [`[format]`](../configuration.md) is set. The `|` of a heredoc is one level deeper than the line with the tag, or
    /// in its column, and the lines of the heredoc move with it, so that its value stays the same.
    ///
    /// Line breaks that `pupil format` adds do not count, with one exception: if the first entry of a list follows its
    /// bracket or title, and lines with other entries are not indented by two spaces, one diagnostic says that the line
    /// break is missing. If a bracket around several lines does not start its own and that line is not indented like the
    /// bracket, the missing line break is reported, too.
    ///
    /// ## Why it matters
    ///
    /// The indentation shows which code belongs together. Wrong indentation hides where a block ends.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///     $port = 80 # <-
    ///   $users = { 'alice' => 1,
    ///              'bob'   => 2, # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $port = 80
    ///   $users = {
    ///     'alice' => 1,
    ///     'bob'   => 2,
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Comments in the first column beside code that is indented. `pupil format` indents them.
    /// * Heredocs without a margin, and those whose value would change, as a line is less indented than the `|`.
    ///
    /// ## Fix
    ///
    /// Safe: formats the code at this place as `pupil format` does, and a list whose first entry follows its bracket or
    /// title as a whole. The line of its head is indented once its entries have lines of their own.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[indentation]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// indentation = "warning"
    /// ```
    pub(crate) static INDENTATION = {
        code: "indentation",
        puppet_lint: ["strict_indent"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check_file)],
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    check_indentation(checker, &INDENTATION, expected_spaces);
}

/// Says how many spaces the layout requires, and how many there are.
pub(super) fn expected_spaces(change: &LayoutChange, before: &str) -> String {
    let (wanted, found) = (columns(&change.text), columns(before));
    format!("expected {wanted} spaces of indentation, found {found}")
}

#[cfg(test)]
mod tests {
    use super::INDENTATION;
    use crate::testing::{assert_fixable, fixed, reported};

    #[test]
    fn reports_and_fixes() {
        let code = "class m {\n   $a = 1\n}\n";
        let expected = "`$`: expected 2 spaces of indentation, found 3";
        assert_fixable(&INDENTATION, code, expected);
    }

    #[test]
    fn formats_lists_whose_first_entry_follows_the_bracket() {
        let after = "expected a line break after";
        for (code, opener, expected) in [
            (
                "class m {\n  $a = { b => 1,\n         c => 2 }\n}\n",
                "`c`: {after} `{`",
                "class m {\n  $a = {\n    b => 1,\n    c => 2,\n  }\n}\n",
            ),
            (
                "class m {\n  $a = [{ b => 1,\n          ccc => 2,\n          d => 3, }]\n  $e   = 1\n}\n",
                "`c`: {after} `{`",
                "class m {\n  $a = [{\n    b   => 1,\n    ccc => 2,\n    d   => 3,\n  }]\n  $e   = 1\n}\n",
            ),
            (
                "class m {\n  file { '/a': ensure => file,\n               mode   => '0644',\n  }\n}\n",
                "`m`: {after} `:`",
                "class m {\n  file { '/a':\n    ensure => file,\n    mode   => '0644',\n  }\n}\n",
            ),
        ] {
            let message = opener.replace("{after}", after) + " of a list on several lines";
            assert_eq!(reported(&INDENTATION, code), [message], "{code}");
            assert_eq!(fixed(&INDENTATION, code), expected);
            assert_eq!(reported(&INDENTATION, expected), [""; 0]);
        }
        // The head of the list only moves with its lines.
        let code = "class m {\n    file { '/a': ensure => file,\n        mode             => '0644',\n  }\n}\n";
        assert_eq!(reported(&INDENTATION, code).len(), 2, "{code}");
        assert_eq!(
            fixed(&INDENTATION, code),
            "class m {\n    file { '/a':\n    ensure => file,\n    mode   => '0644',\n  }\n}\n"
        );
        let code = "class m {\n  $a = { # b\n     c => 1,\n  }\n}\n";
        let expected = "`c`: expected 4 spaces of indentation, found 5";
        assert_fixable(&INDENTATION, code, expected);
    }

    #[test]
    fn puts_closing_brackets_on_a_line_of_their_own() {
        for (body, closer) in [
            (
                "file { '/a':\n    ensure => file,\n    mode   => '0644' }",
                "}",
            ),
            ("$a = f(\n    1,\n    2)", ")"),
            ("if $a {\n    notice('a') }", "}"),
            ("$a = [\n    'a',\n    'b']", "]"),
        ] {
            let code = format!("class m {{\n  {body}\n}}\n");
            let expected = format!("`{closer}`: expected a line break before `{closer}`");
            assert_eq!(reported(&INDENTATION, &code), [expected], "{code}");
            let fixed = fixed(&INDENTATION, &code);
            assert!(fixed.contains(&format!("\n  {closer}\n")), "{fixed}");
            assert_eq!(reported(&INDENTATION, &fixed), [""; 0], "{fixed}");
        }
    }

    #[test]
    fn reports_heredocs_where_their_text_ends() {
        for (before, after) in [
            ("$a = @(E)", ""),
            ("$a = [@(E)", "]"),
            ("f(@(E)", ")"),
            ("file { '/a': content => @(E)", "}"),
        ] {
            let code = format!("class m {{\n  {before}\n     a\n     | E\n{after}\n}}\n")
                .replace("\n\n", "\n");
            let reported = reported(&INDENTATION, &code);
            let is_right = |it: &String| it.starts_with("`|`: expected ") && it.ends_with(" 5");
            assert!(reported.iter().any(is_right), "{code}{reported:?}");
            let is_wrong = |it: &String| it.contains("line break before");
            assert!(!reported.iter().any(is_wrong), "{code}{reported:?}");
        }
    }

    #[test]
    fn indents_semicolons_like_titles() {
        for body in [
            "ensure => file\n",
            "ensure => ['file']\n",
            "ensure => file,\n",
            "# c\n",
        ] {
            let code = format!(
                "class m {{\n  file {{\n    '/a':\n      {body}      ;\n    '/b':\n  }}\n}}\n"
            );
            assert_fixable(
                &INDENTATION,
                &code,
                "`;`: expected 4 spaces of indentation, found 6",
            );
        }
    }

    #[test]
    fn leaves_comments_in_the_first_column_alone() {
        for code in [
            "class m {\n# $x = 2\n  $a = 1\n# lint:ignore:140chars\n# b\n  $b = 1\n}\n",
            "class m {\n  $a = 1\n# the last\n}\n",
            "class m {\n# $a = 1\n# $b = 1\n\n}\n",
            "class m {\n  $a = [\n    1,\n#   2,\n  ]\n}\n",
        ] {
            assert_eq!(reported(&INDENTATION, code), [""; 0], "{code}");
        }
        for (code, found) in [
            ("class m {\n# b\n$a = 1\n}\n", 0),
            ("class m {\n # b\n  $a = 1\n}\n", 1),
            ("class m {\n$a = 1\n# b\n}\n", 0),
        ] {
            let message = format!("`#`: expected 2 spaces of indentation, found {found}");
            assert!(reported(&INDENTATION, code).contains(&message), "{code}");
        }
    }

    #[test]
    fn accepts_the_right_layout() {
        for code in [
            "class m {\n  file {\n    '/a':\n      ensure => file\n    ;\n    '/b':\n    ;\n  }\n}\n",
            "class m (\n  Integer\n  $a = 1,\n) {}\n",
            "class example {\n  $port = 80\n}\n",
            "class m {\n  file { ['/a',\n    '/b']:\n      ensure => file,\n  }\n}\n",
        ] {
            assert_eq!(reported(&INDENTATION, code), [""; 0], "{code}");
        }
    }
}
