use infer::{TypeProblem, TypeProblemKind};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports match variables that no capture group of a regular expression sets.
    ///
    /// ## What it does
    ///
    /// Checks `$1`, `$2` … against the regular expression of the last match: `$1` is the text that the first pair of
    /// parentheses matched, `$2` that of the second. Also reports `$0`, `$1` … where no regular expression was matched
    /// before: the variables are only visible in the branch that the match selects, in the class, defined type or
    /// function that it is in.
    ///
    /// ## Why it matters
    ///
    /// The variable is `undef`, which is rarely intended. Puppet does not warn.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   if 'a-b' =~ /(a)-b/ {
    ///     notice($1)
    ///     notice($2) # <-
    ///   }
    ///   notice($1) # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   if 'a-b' =~ /(a)-(b)/ {
    ///     notice($1)
    ///     notice($2)
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Groups that exist, but may not take part in the match.
    /// * Code where the last match is not known.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended group is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-capture-group]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-capture-group = "off"
    /// ```
    pub(crate) static UNKNOWN_CAPTURE_GROUP = {
        code: "unknown-capture-group",
        aliases: ["unknown-group"],
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let message = match problem.kind {
        TypeProblemKind::UnknownCaptureGroup { number, count } => {
            let groups = match count {
                0 => "none".to_owned(),
                count => count.to_string(),
            };
            format!("no capture group {number}: the regular expression has {groups}")
        }
        TypeProblemKind::NothingMatched { number } => {
            format!("`${number}` is `undef`: no regular expression was matched")
        }
        _ => return,
    };
    checker.report_problem(&UNKNOWN_CAPTURE_GROUP, problem, message);
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_CAPTURE_GROUP;
    use crate::testing::reported;

    #[test]
    fn reports_groups_that_the_expression_does_not_have() {
        let code = "class m (String $s) { if $s =~ /(a)b/ { notice($1, $2) } \
                    if $s =~ /c/ { notice(\"$1\") } }";
        assert_eq!(
            reported(&UNKNOWN_CAPTURE_GROUP, code),
            [
                "`$2`: no capture group 2: the regular expression has 1",
                "`$1`: no capture group 1: the regular expression has none",
            ]
        );
    }

    #[test]
    fn reports_variables_without_a_match() {
        let code = "class m (String $s) { if $s =~ /(a)/ { } else { notice($1) } \
                    if $s == 'a' { notice(\"$0\") } }";
        assert_eq!(
            reported(&UNKNOWN_CAPTURE_GROUP, code),
            [
                "`$1`: `$1` is `undef`: no regular expression was matched",
                "`$0`: `$0` is `undef`: no regular expression was matched",
            ]
        );
    }

    #[test]
    fn ignores_unknown_expressions() {
        let code = "class m (String $s, Regexp $r) { if $s =~ $r { notice($0, $1) } \
                    if $s =~ /a/ { notice($0) } unless $s !~ /(b)/ { notice($1) } \
                    case $s { /(a)/: { [1].each |$x| { notice($1) } } } }\n\
                    node /^web(\\d)/ { notice($1) }";
        assert_eq!(reported(&UNKNOWN_CAPTURE_GROUP, code), [""; 0]);
    }
}
