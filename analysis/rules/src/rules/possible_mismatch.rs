use infer::{TypeProblem, TypeProblemKind};

use crate::checker::Checker;
use crate::mismatch::subject;
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::{actual, expected};

declare_rule! {
    /// Reports values that may have the wrong type.
    ///
    /// ## What it does
    ///
    /// Reports a value if some of the types that it can have match the expected type, and others do
    /// not. The rule is off by default, as such code may rely on facts that only its author knows.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails if the value has one of the other types: *expects a … value, got …*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Optional[String] $host = undef,
    ///   Integer $port = 80,
    /// ) {
    ///   $names = split($host, '[.]') # <-
    ///   example::vhost { 'a':
    ///     port  => $port, # <-
    ///     names => $names,
    ///   }
    /// }
    /// # file: manifests/vhost.pp
    /// define example::vhost (
    ///   Integer[1, 65535] $port,
    ///   Array[String] $names,
    /// ) {
    ///   notice($port, $names)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Optional[String] $host = undef,
    ///   Integer[1, 65535] $port = 80,
    /// ) {
    ///   if $host {
    ///     $names = split($host, '[.]')
    ///   } else {
    ///     $names = []
    ///   }
    ///   example::vhost { 'a':
    ///     port  => $port,
    ///     names => $names,
    ///   }
    /// }
    /// # file: manifests/vhost.pp
    /// define example::vhost (
    ///   Integer[1, 65535] $port,
    ///   Array[String] $names,
    /// ) {
    ///   notice($port, $names)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Values that depend on facts, on Hiera or on variables of other classes.
    /// * Computed values, unless one of their types is definitely wrong: the content of an
    ///   interpolated string is not known.
    /// * Types with unknown parts, such as `Any` or `Hash`.
    /// * `undef` for a parameter of a class or defined type: it may have a default value.
    ///
    /// ## Fix
    ///
    /// No fix is available: check the value with `if`, `case` or `assert_type`, or declare a
    /// narrower type.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[possible-mismatch]` at the end of the line, or on a line of its own above it.
    /// To turn the rule on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// possible-mismatch = "warning"
    /// ```
    pub(crate) static POSSIBLE_MISMATCH = {
        code: "possible-mismatch",
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::PossibleMismatch {
        what: target,
        expected: wanted,
        misfit,
    } = &problem.kind
    else {
        return;
    };
    let (wanted, misfit) = (expected(wanted), actual(misfit));
    let subject = subject(target);
    let message = format!("{subject} expects {wanted}, but the value may be {misfit}");
    checker.report_problem(&POSSIBLE_MISMATCH, problem, message);
}

#[cfg(test)]
mod tests {
    use super::POSSIBLE_MISMATCH;
    use crate::testing::reported;

    /// Returns the possible mismatches found in a class with these parameters.
    fn found(parameters: &str, code: &str) -> Vec<String> {
        let text = format!(
            "//- modules/m/manifests/init.pp\nclass m({parameters}) {{ {code} }}\n\
             //- modules/m/manifests/other.pp\nclass m::other {{ $x = [1] }}\n\
             //- modules/m/manifests/d.pp\n\
             define m::d (Integer[1, 5] $size, Optional[String] $name_of = 'x') {{ }}\n\
             //- modules/m/functions/f.pp\n\
             function m::f(Boolean $b) >> Optional[String] {{ if $b {{ 'x' }} }}"
        );
        reported(&POSSIBLE_MISMATCH, &text)
    }

    #[test]
    fn possible_mismatches() {
        for (parameters, code, expected) in [
            (
                "Optional[String] $o",
                "notice(split($o, ','))",
                "`$o`: argument `str` of `split` expects `String`, but the value may be `undef`",
            ),
            (
                "Boolean $b",
                "notice(upcase(m::f($b)))",
                "`m::f($b)`: argument `arg` of `upcase` expects `String`, but the value may be `undef`",
            ),
            (
                "Integer $i",
                "m::d { 'a': size => $i }",
                "`$i`: parameter `size` of `m::d` expects `Integer[1, 5]`, but the value may be \
                 `Variant[Integer[default, 0], Integer[6]]`",
            ),
            (
                "Variant[Integer[1, 2], String] $i",
                "m::d { 'a': size => $i }",
                "`$i`: parameter `size` of `m::d` expects `Integer[1, 5]`, but the value may be `String`",
            ),
            (
                "Optional[Integer] $i",
                "m::d { 'a': size => 1, name_of => $i }",
                "`$i`: parameter `name_of` of `m::d` expects `Optional[String]`, but the value may be `Integer`",
            ),
        ] {
            assert_eq!(found(parameters, code), [expected], "{parameters}; {code}");
        }
    }

    #[test]
    fn values_that_are_not_reported() {
        for (parameters, code) in [
            ("$o", "notice(split($o, ','))"),
            ("Optional[String] $o", "if $o { notice(split($o, ',')) }"),
            ("Optional[String] $o", "assert_type(String, $o)"),
            // An undef value selects the default.
            (
                "Optional[String] $o",
                "m::d { 'a': size => 1, name_of => $o }",
            ),
            // From external sources.
            (
                "",
                "$s = $facts['os']['family'] m::d { 'a': size => Integer($s) }",
            ),
            ("", "include m::other notice(split($m::other::x[0], ','))"),
            (
                "",
                "notice(split(lookup('x', Optional[String]), $facts['a']))",
            ),
            // The value of an interpolated string is unknown.
            ("String $s", "m::d { \"a${s}\": size => 1 + length($s) }"),
            ("Integer $i", "m::d { 'a': size => $i + 1 }"),
            ("Variant[Hash, Array] $x", "notice(split(*$x))"),
            ("$x", "notice(defined(File[$x]))"),
            ("Optional[Any] $x", "notice(split($x, ','))"),
            // Even if only one branch depends on an external source.
            (
                "Boolean $b",
                "if $b { $s = m::f($b) } else { $s = lookup('x', Optional[String]) } notice(upcase($s))",
            ),
            (
                "Boolean $b",
                "if !$b { $s = lookup('x', Optional[String]) } else { $s = m::f($b) } notice(upcase($s))",
            ),
        ] {
            assert_eq!(found(parameters, code), [""; 0], "{parameters}; {code}");
        }
    }
}
