use infer::{TypeProblem, TypeProblemKind};

use crate::checker::Checker;
use crate::failure::Failure;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports strings that are used as regular expressions, but are not valid ones.
    ///
    /// ## What it does
    ///
    /// Checks strings on the right-hand side of `=~` and `!~`, the types `Regexp['…']`, and the patterns that are
    /// passed to `match`, `regsubst` and `split`.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the match or the call is evaluated, or when a value is tested against the type.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (String $text) {
    ///   $a = regsubst($text, '(a', 'b') # <-
    ///   $b = $text =~ '[a' # <-
    ///   $c = split($text, '*') # <-
    ///   notice($a, $b, $c)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (String $text) {
    ///   $a = regsubst($text, '(a)', 'b')
    ///   $b = $text =~ '[a]'
    ///   $c = split($text, '[*]')
    ///   notice($a, $b, $c)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Strings whose content is not known.
    /// * Regular expression literals (`/…/`), which are a syntax error if they are invalid.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended pattern is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-regex]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-regex = "off"
    /// ```
    pub(crate) static INVALID_REGEX = {
        code: "invalid-regex",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if let (Some(Failure::Regex), TypeProblemKind::EvaluationError { message, .. }) =
        (Failure::of(problem), &problem.kind)
    {
        checker.report_problem(&INVALID_REGEX, problem, message.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::INVALID_REGEX;
    use crate::testing::reported;

    #[test]
    fn reports_strings_that_are_not_regular_expressions() {
        let code = "class m (String $s) { $x = [$s =~ '(', split('a', '['), $s =~ Regexp['(']] }";
        let found = reported(&INVALID_REGEX, code);
        assert_eq!(found.len(), 3, "{found:?}");
    }

    #[test]
    fn reports_types_of_invalid_patterns() {
        for code in [
            "if 'a' =~ Regexp['('] { }",
            "case 'a' { Regexp['(']: { } default: { } }",
            "$x = 'a' ? { Regexp['('] => 1, default => 2 }",
            "$x = 'a' in [Optional[Regexp['(']]]",
            "$x = [1].filter |Regexp['('] $y| { true }",
        ] {
            let found = reported(&INVALID_REGEX, &format!("class m {{ {code} }}"));
            assert_eq!(
                found,
                ["`'('`: invalid regular expression: unclosed group"],
                "{code}"
            );
        }
    }

    #[test]
    fn ignores_valid_and_unknown_patterns() {
        let code = "class m (String $s) { $x = [$s =~ '(a)', split('a', $s), $s =~ Regexp['(a)'], $s =~ Regexp] }";
        assert_eq!(reported(&INVALID_REGEX, code), [""; 0]);
    }
}
