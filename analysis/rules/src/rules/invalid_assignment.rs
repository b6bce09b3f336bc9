use infer::{TypeProblem, TypeProblemKind};
use types::Type;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::{actual, count};

declare_rule! {
    /// Reports multiple assignments of values that do not fit the variables.
    ///
    /// ## What it does
    ///
    /// Checks `[$a, $b] = …`. An array must have exactly one element for each variable, and a hash must have a key for
    /// the name of each variable. A class must have a variable of that name. Any other value counts as one element.
    /// Variables may be nested, such as `[$a, [$b, $c]]`.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails: *Mismatched number of assignable entries and values*, or *No value for required
    /// key*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   [$host, $port] = ['localhost'] # <-
    ///   $server = { 'host' => 'localhost', 'prot' => 80 }
    ///   [$name_or_ip, $tls] = $server # <-
    ///   notice($host, $port, $name_or_ip, $tls)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   [$host, $port] = ['localhost', 80]
    ///   $server = { 'address' => 'localhost', 'tls' => true, 'weight' => 1 }
    ///   [$address, $tls] = $server
    ///   notice($host, $port, $address, $tls)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Arrays whose size is unknown, and hashes whose keys are unknown.
    ///
    /// ## Fix
    ///
    /// No fix is available: the missing value is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-assignment]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-assignment = "off"
    /// ```
    pub(crate) static INVALID_ASSIGNMENT = {
        code: "invalid-assignment",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let message = match &problem.kind {
        TypeProblemKind::ElementCount { variables, value } => {
            let wanted = count(*variables, "element");
            match size(value) {
                Some(size) => format!("multiple assignment expects {wanted}, found {size}"),
                None => {
                    let found = actual(value);
                    format!("multiple assignment expects an array of {wanted}, found {found}")
                }
            }
        }
        TypeProblemKind::MissingKey { key } => {
            format!("missing key `{key}` in the hash assigned to `${key}`")
        }
        TypeProblemKind::MissingVariable { class, variable } => {
            format!("no variable `${variable}` in class `{class}`")
        }
        _ => return,
    };
    checker.report_problem(&INVALID_ASSIGNMENT, problem, message);
}

/// Returns the size of an array type, if it is fixed.
fn size(type_: &Type) -> Option<i64> {
    let size = match type_ {
        Type::Array(it) => it.size_or_any(),
        Type::Tuple(it) => it.size_range(),
        _ => return None,
    };
    size.single()
}

#[cfg(test)]
mod tests {
    use super::INVALID_ASSIGNMENT;
    use crate::testing::reported;

    #[test]
    fn reports_values_that_do_not_fit() {
        let code = "class m (String $s, Tuple[String, String] $t) { [$a, $b] = [1] [$c, $d] = $s \
                    [$e] = $t [$f, [$g, $h]] = [1, [2, 3, 4]] [$i, $j] = { 'i' => 1 } }";
        assert_eq!(
            reported(&INVALID_ASSIGNMENT, code),
            [
                "`[$a, $b]`: multiple assignment expects 2 elements, found 1",
                "`[$c, $d]`: multiple assignment expects an array of 2 elements, found `String`",
                "`[$e]`: multiple assignment expects 1 element, found 2",
                "`[$g, $h]`: multiple assignment expects 2 elements, found 3",
                "`[$i, $j]`: missing key `j` in the hash assigned to `$j`",
            ]
        );
    }

    #[test]
    fn ignores_values_that_may_fit() {
        let code = "class m ($x, Array $y, Hash $z) { [$a, $b] = $x [$c, $d] = $y [$e, $f] = $z \
                    [$g, [$h]] = [1, 2] [$i] = 'a' [$j] = { 'j' => 1, 'k' => 2 } \
                    [$k, $l] = Class['m'] }";
        assert_eq!(reported(&INVALID_ASSIGNMENT, code), [""; 0]);
    }
}
