use infer::{TypeProblem, TypeProblemKind, ValueTarget};
use syntax::{SyntaxKind, SyntaxNode, TextRange};
use types::Type;

use super::negation_precedence;
use crate::assets::{AssetChecker, AssetKind};
use crate::checker::Checker;
use crate::erb_templates;
use crate::failure::Failure;
use crate::hyphenated_type::hyphenated_type;
use crate::mismatch::refusal_message;
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::actual;

declare_rule! {
    /// Reports operators that do not apply to the types of their operands.
    ///
    /// ## What it does
    ///
    /// Checks arithmetic, comparisons, matches and index accesses. For example, `+` does not
    /// concatenate strings, and a string cannot be compared with a number by `<`. The query of a collector only
    /// compares with strings, numbers, Booleans, `undef`, variables and accesses to them. A name such as `Apt::Deb-list`
    /// subtracts `list` from a type.
    ///
    /// `pupil check` also reports operators in ERB templates of the workspace that the type of a variable in the class that
    /// renders the template rules out: `'port ' + @port`, and `@list['key']`. So is the sum of a literal string and a number.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the expression is evaluated: *Operator … is not applicable to …*, *…
    /// is not a number* or *Comparison of: … is not possible*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (String $release, Boolean $flag, Hash $options) {
    ///   $a = 'one' + 'two' # <-
    ///   $b = $flag + 1 # <-
    ///   $c = -$options # <-
    ///   if $release < 8 { # <-
    ///     notice($a, $b, $c)
    ///   }
    ///   $d = $flag['key'] # <-
    ///   $e = $options =~ /a/ # <-
    ///   $f = $release + 1 # <-
    ///   notice($d, $e, $f)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (String $release, Integer $count, Hash $options) {
    ///   $a = "one${release}"
    ///   $b = $count + 1 + Integer('2')
    ///   $c = -$count
    ///   if versioncmp($release, '8') < 0 {
    ///     notice($a, $b, $c)
    ///   }
    ///   $d = $options['key']
    ///   $e = $release =~ /a/
    ///   notice($d, $e)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Values from outside of the code: Hiera data, facts, and functions without a declared
    ///   return type.
    /// * Strings with unknown content in arithmetic, if the version of Puppet is 7: it converts numeric
    ///   strings to numbers, which Puppet 8 rejects.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended operation is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-operand]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-operand = "off"
    /// ```
    pub(crate) static INVALID_OPERAND = {
        code: "invalid-operand",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Problem(check),
            Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check_inline_template),
            Check::Asset(AssetKind::Template, check_erb_template),
        ],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if let TypeProblemKind::RefusedValue {
        what: target @ ValueTarget::Relationship(_),
        description,
        actual,
        ..
    } = &problem.kind
    {
        let message = refusal_message(target, description, actual);
        return checker.report_problem(&INVALID_OPERAND, problem, message);
    }
    if Failure::of(problem) != Some(Failure::Operand)
        || negation_precedence::reports_at(checker, problem.range)
    {
        return;
    }
    if let Some(range) = hyphenated_type(&checker.root(), problem.range) {
        return check_type_name(checker, problem, range);
    }
    let message = match &problem.kind {
        TypeProblemKind::UnsupportedOperand {
            operator,
            left,
            right,
        } => does_not_apply(operator, left, right.as_ref()),
        TypeProblemKind::EvaluationError { message, .. } => message.clone(),
        _ => return,
    };
    checker.report_problem(&INVALID_OPERAND, problem, message);
}

/// Checks the operators of an ERB template.
fn check_erb_template(checker: &mut AssetChecker<'_>) {
    erb_templates::check_file(checker, &INVALID_OPERAND, erb_templates::invalid_operands);
}

/// Checks the operators of a constant template of `inline_template`.
fn check_inline_template(checker: &mut Checker<'_>, node: &SyntaxNode) {
    erb_templates::check_call(
        checker,
        node,
        &INVALID_OPERAND,
        erb_templates::invalid_operands,
    );
}

/// Reports a type name with `-` once, although each subtraction and the index of the last word fail.
fn check_type_name(checker: &mut Checker<'_>, problem: &TypeProblem, range: TextRange) {
    if let TypeProblemKind::UnsupportedOperand {
        left: Type::Type(_),
        ..
    } = &problem.kind
    {
        let name = checker.root().text().slice(range).to_string();
        let message = format!("invalid type name `{name}`: names cannot contain `-`");
        checker.report(&INVALID_OPERAND, range, message);
    }
}

fn does_not_apply(operator: &str, left: &Type, right: Option<&Type>) -> String {
    if let Some(text) = text_among_numbers(operator, left, right) {
        let text = actual(text);
        return format!(
            "operator `{operator}` expects numbers, found {text}: convert it with `Integer`"
        );
    }
    let left = actual(left);
    match (operator, right.map(actual)) {
        ("[]", Some(right)) => format!("cannot index {left} with {right}"),
        (_, Some(right)) => format!("operator `{operator}` does not apply to {left} and {right}"),
        (_, None) => format!("operator `{operator}` does not apply to {left}"),
    }
}

/// Returns the operand of an arithmetic operator that is a string beside a number: Puppet 7 may convert it.
fn text_among_numbers<'a>(
    operator: &str,
    left: &'a Type,
    right: Option<&'a Type>,
) -> Option<&'a Type> {
    let is = |type_: &Type, general: &Type| types::is_assignable(general, type_) == Some(true);
    let is_text = |it: &Type| is(it, &Type::STRING);
    let is_number = |it: &Type| is(it, &Type::Numeric);
    let right = right.filter(|_| ARITHMETIC.contains(&operator))?;
    match () {
        () if is_text(left) && is_number(right) => Some(left),
        () if is_number(left) && is_text(right) => Some(right),
        () => None,
    }
}

/// The operators that convert strings to numbers, if `strict` is not `error`.
const ARITHMETIC: [&str; 5] = ["+", "-", "*", "/", "%"];

#[cfg(test)]
mod tests {
    use super::INVALID_OPERAND;
    use crate::testing::reported;

    #[test]
    fn reports_operands_in_templates() {
        let found = |template: &str| {
            let parameters = "Integer $port, Array[String] $list, String $text, $any, Hash $hash";
            let code =
                format!("class m ({parameters}) {{ notice(inline_template('{template}')) }}");
            reported(&INVALID_OPERAND, &code)
        };
        assert_eq!(
            found(r#"<%= @list["a"] %><%= @list.join(",") + @port %><%= @port + "a" %>"#),
            [
                "`\"a\"`: cannot index `@list` with a string: it is `Array[String]`",
                "`@port`: operator `+` does not apply to a string and `@port`, which is `Integer`",
                "`@port`: operator `+` does not apply to a string and `@port`, which is `Integer`"
            ]
        );
        assert_eq!(
            found(r#"<%= "a" + 1 %>"#),
            ["`\"a\" + 1`: operator `+` does not apply to a string and a number"]
        );
        assert_eq!(
            found("<%= @text + 1 %><%= 1 + @port %><%= @any + 1 %>"),
            ["`@text`: operator `+` does not apply to a number and `@text`, which is `String`"]
        );
        let valid = r#"<%= @hash["a"] %><%= @text["a"] %><%= @list[0] %><%= "a" + @text + @any %><%= @port + 1 %>"#;
        assert_eq!(found(valid), [""; 0]);
    }

    #[test]
    fn reports_operands_that_a_query_cannot_have() {
        let code = "class m ($x) { User <| title == ['a'] or uid == 1 + 1 and title == upcase('a') |> \
                    User <| title == $x or title == $x['a'] or uid == -1 or title == undef |> }";
        assert_eq!(
            reported(&INVALID_OPERAND, code),
            [
                "`['a']`: an array is not allowed in a collector query",
                "`1 + 1`: an arithmetic operation is not allowed in a collector query",
                "`upcase('a')`: a function call is not allowed in a collector query",
            ]
        );
    }

    #[test]
    fn reports_matches_against_hashes() {
        let code = "class m (Hash $a, Optional[Hash] $b, Variant[String, Hash] $c) { \
                    notice('x' =~ $a, 'x' !~ $b, 'x' =~ $c, 'x' =~ $facts['os']) }";
        assert_eq!(
            reported(&INVALID_OPERAND, code),
            [
                "`=~`: operator `=~` does not apply to `'x'` and `Hash`",
                "`!~`: operator `!~` does not apply to `'x'` and `Optional[Hash]`",
                "`=~`: operator `=~` does not apply to `'x'` and `Hash[String, Any]`",
            ]
        );
    }

    #[test]
    fn reports_names_of_types_with_a_hyphen_once() {
        let code = "class m ($x) { notify { 'a': require => Apt::Deb-list['x'] } notice(Integer - a['x']) \
                    $y = Apt::Deb-list-all[\"a${x}\"] }";
        assert_eq!(
            reported(&INVALID_OPERAND, code),
            [
                "`Apt::Deb-list`: invalid type name `Apt::Deb-list`: names cannot contain `-`",
                "`-`: operator `-` does not apply to `Type[Integer]` and `Any`",
                "`a['x']`: invalid string index: expected `Integer`, found `String`",
                "`Apt::Deb-list-all`: invalid type name `Apt::Deb-list-all`: names cannot contain `-`",
            ]
        );
    }

    #[test]
    fn reports_words_as_indexes_of_strings() {
        let code = "class m ($x) { $a = package[\"a${x} key\"] $b = package[\"0x${x}\"] $c = package[\"${x}\"] }";
        let found = reported(&INVALID_OPERAND, code);
        assert_eq!(
            found,
            ["`package[\"a${x} key\"]`: invalid string index: expected `Integer`, found `String`"]
        );
        let code =
            "class m (String $s, Array $a) { $b = [$s['v4'], $s['4'], $a['1v'], $a['0x1']] }";
        assert_eq!(
            reported(&INVALID_OPERAND, code),
            [
                "`$s['v4']`: cannot index `String` with `'v4'`",
                "`$a['1v']`: cannot index `Array` with `'1v'`",
            ]
        );
    }

    #[test]
    fn reports_operators_that_do_not_apply() {
        let code = "class m (String $s, Boolean $b) { $x = [$b + 1, -$b, $b[0], 'a' * 2, $s > 1] }";
        assert_eq!(
            reported(&INVALID_OPERAND, code),
            [
                "`+`: operator `+` does not apply to `Boolean` and `1`",
                "`-`: operator `-` does not apply to `Boolean`",
                "`$b[0]`: cannot index `Boolean` with `0`",
                "`*`: cannot convert `'a'` to a number",
                "`>`: operator `>` does not apply to `String` and `1`",
            ]
        );
    }

    /// Verified with Puppet 8: it fails in the condition.
    #[test]
    fn ignores_branches_of_conditions_that_fail() {
        let code = "class m { include m::a if $m::a::on == true { notice(undef['x'], 'a' * 2) } \
                    elsif true { notice('b' * 2) } notice('c' * 2) \
                    if $late { $late = 'd' * 2 } }\n\
                    class m::a { $w = undef if $w { $on = true } }";
        assert_eq!(
            reported(&INVALID_OPERAND, code),
            ["`*`: cannot convert `'c'` to a number"]
        );
    }

    #[test]
    fn ignores_conversions_and_unknown_values() {
        let code = "class m ($x, String $s) { $y = [$x + 1, Integer($s) * 2, $s[0]] }";
        assert_eq!(reported(&INVALID_OPERAND, code), [""; 0]);
    }
}
