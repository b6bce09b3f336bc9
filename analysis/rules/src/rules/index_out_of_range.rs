use infer::{TypeProblem, TypeProblemKind};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::count;

declare_rule! {
    /// Reports array indices that are out of range.
    ///
    /// ## What it does
    ///
    /// Checks constant indices into arrays and tuples whose size is known.
    ///
    /// ## Why it matters
    ///
    /// The access evaluates to `undef`, which is rarely intended. Puppet does not warn.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Tuple[String, Integer] $pair, Array[String, 0, 2] $names) {
    ///   $a = $pair[2] # <-
    ///   $b = $names[5] # <-
    ///   $c = $pair[-3] # <-
    ///   notice($a, $b, $c)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Tuple[String, Integer] $pair, Array[String] $names) {
    ///   $a = $pair[1]
    ///   $b = $names[5]
    ///   $c = $pair[-2]
    ///   notice($a, $b, $c)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Arrays without a known maximum size.
    ///
    /// The severity is a hint if the array comes from other code or from facts.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended element is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[index-out-of-range]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// index-out-of-range = "off"
    /// ```
    pub(crate) static INDEX_OUT_OF_RANGE = {
        code: "index-out-of-range",
        aliases: ["index-outside"],
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::IndexOutOfRange { index, size } = problem.kind else {
        return;
    };
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let size = count(size, "element");
    let message = format!("index {index} is out of range: the array has {size}");
    // Other code may change.
    let severity = INDEX_OUT_OF_RANGE.or_hint(problem.depends_on_external);
    checker.report_problem_as(&INDEX_OUT_OF_RANGE, severity, problem, message);
}

#[cfg(test)]
mod tests {
    use super::INDEX_OUT_OF_RANGE;
    use crate::testing::reported;

    #[test]
    fn reports_elements_that_the_array_does_not_have() {
        let code = "class m { $a = [1, 2] $x = [$a[2], $a[-3], [][0]] }";
        assert_eq!(
            reported(&INDEX_OUT_OF_RANGE, code),
            [
                "`$a[2]`: index 2 is out of range: the array has 2 elements",
                "`$a[-3]`: index -3 is out of range: the array has 2 elements",
                "`[][0]`: index 0 is out of range: the array has no elements",
            ]
        );
    }

    #[test]
    fn ignores_elements_that_may_exist() {
        let code = "class m (Array $all) { $a = [1, 2] $x = [$a[1], $a[-2], $all[9]] }";
        assert_eq!(reported(&INDEX_OUT_OF_RANGE, code), [""; 0]);
    }
}
