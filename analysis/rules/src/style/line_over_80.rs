use super::long_line::lines_over;
use crate::checker::FileChecker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports lines of more than 80 characters.
    ///
    /// ## What it does
    ///
    /// Counts the characters of each line. Lines with `://` or `template(` may be longer, because
    /// URLs and paths cannot be broken.
    ///
    /// ## Why it matters
    ///
    /// Older releases of the Puppet style guide had this limit. Today it is 140, see `long-line`.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $colors = ['red', 'orange', 'yellow', 'green', 'blue', 'indigo', 'violet', 'white'] # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $colors = [
    ///     'red', 'orange', 'yellow', 'green', 'blue', 'indigo', 'violet', 'white',
    ///   ]
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: there are many ways to break a line.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[line-over-80]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// line-over-80 = "warning"
    /// ```
    pub(crate) static LINE_OVER_80 = {
        code: "line-over-80",
        puppet_lint: ["80chars"],
        group: Style,
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::File(check)],
    }
}

/// The limit of older releases of the Puppet style guide.
const LIMIT: usize = 80;

fn check(checker: &mut FileChecker<'_>) {
    for (range, length) in lines_over(checker, LIMIT) {
        let message = format!("line too long ({length} > {LIMIT} characters)");
        checker.report(&LINE_OVER_80, range, message);
    }
}

#[cfg(test)]
mod tests {
    use super::LINE_OVER_80;
    use crate::testing::reported;

    /// Returns a line of this length.
    fn line(length: usize) -> String {
        format!("$a = '{}'", "ä".repeat(length - 7))
    }

    #[test]
    fn reports_lines_over_the_limit() {
        let long = line(81);
        let expected = format!("`{long}`: line too long (81 > 80 characters)");
        assert_eq!(
            reported(&LINE_OVER_80, &format!("$b = 1\n{long}\r\n")),
            [expected]
        );
        for code in [line(90), line(141), format!("# {}", "x".repeat(79))] {
            assert_eq!(reported(&LINE_OVER_80, &code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_short_lines_and_addresses() {
        for code in [
            line(80),
            line(10),
            format!("{}\r\n", line(80)),
            String::new(),
            format!("# https://example.com/{}", "x".repeat(90)),
            format!("$a = template('{}')", "x".repeat(90)),
        ] {
            assert_eq!(reported(&LINE_OVER_80, &code), [""; 0], "{code}");
        }
    }
}
