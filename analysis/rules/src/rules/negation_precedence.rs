use syntax::ast::{AstNode, BinaryExpr, Expr, LiteralKind};
use syntax::{Fix, Severity, SyntaxKind, SyntaxNode, TextRange, text_at};
use types::Type;
use types::precise::intersection;
use types::values::Value;

use crate::checker::Checker;
use crate::fixes::node_at;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports comparisons whose left operand is negated by mistake.
    ///
    /// ## What it does
    ///
    /// Checks `in`, `==`, `!=`, `=~` and `!~` after `!`. The operator `!` binds more tightly, so
    /// `!$x in $y` means `(!$x) in $y`: it looks for `true` or `false`. Reports comparisons with a
    /// value that is neither, and those where the operand of `!` is neither a Boolean nor `undef`,
    /// so that its negation is always false. Comparisons by order and matches with a regular
    /// expression, which do not accept a Boolean, are errors.
    ///
    /// ## Why it matters
    ///
    /// The comparison always has the same result, and the branch for the other one never runs. Puppet
    /// accepts the code without a warning.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (String $mode = 'a') {
    ///   if !$mode in ['a', 'b'] { # <-
    ///     notice('never')
    ///   }
    ///   if ! $facts['os']['family'] == 'Debian' { # <-
    ///     notice('never')
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (String $mode = 'a', Boolean $flag = true, Boolean $other = true) {
    ///   if !($mode in ['a', 'b']) {
    ///     notice('unknown mode')
    ///   }
    ///   if $facts['os']['family'] != 'Debian' {
    ///     notice('not on Debian')
    ///   }
    ///   if !$flag == $other {
    ///     notice('one of both')
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Comparisons with a Boolean, or with a value that may be one.
    /// * Negations in parentheses, such as `(!$x) == $y`.
    /// * `!$x =~ /…/`, where Puppet fails: `invalid-operand` reports it.
    ///
    /// ## Fix
    ///
    /// Suggested: negates the comparison as a whole.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[negation-precedence]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// negation-precedence = "off"
    /// ```
    pub(crate) static NEGATION_PRECEDENCE = {
        code: "negation-precedence",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::BINARY_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let comparison = BinaryExpr::cast(node.clone());
    if let Some(comparison) = comparison.and_then(|it| Negated::of(checker, &it)) {
        let operator = comparison.operator;
        let message = format!("`!` applies only to the left operand of `{operator}`");
        let severity = match comparison.fails {
            true => Severity::Error,
            false => Severity::Warning,
        };
        checker.report_as(&NEGATION_PRECEDENCE, severity, comparison.range, message);
        checker.fix(fix(&checker.root(), &comparison));
    }
}

/// A comparison whose left operand is negated.
struct Negated {
    range: TextRange,
    operator: &'static str,
    /// The operand of `!`.
    inner: TextRange,
    right: TextRange,
    /// Whether Puppet refuses a Boolean as the left operand.
    fails: bool,
}

impl Negated {
    /// Returns the comparison if its right operand can be neither true nor false.
    fn of(checker: &Checker<'_>, comparison: &BinaryExpr) -> Option<Negated> {
        let Expr::UnaryExpr(negation) = comparison.lhs()? else {
            return None;
        };
        if negation.operator()?.kind() != SyntaxKind::BANG {
            return None;
        }
        let right = comparison.rhs()?;
        let operator = match comparison.operator()?.kind() {
            SyntaxKind::IN_KW => "in",
            SyntaxKind::EQ_EQ => "==",
            SyntaxKind::NOT_EQ => "!=",
            SyntaxKind::MATCH => "=~",
            SyntaxKind::NOT_MATCH => "!~",
            SyntaxKind::LT => "<",
            SyntaxKind::LT_EQ => "<=",
            SyntaxKind::GT => ">",
            SyntaxKind::GT_EQ => ">=",
            _ => return None,
        };
        let inner = negation.expr()?;
        let fails = match operator {
            "=~" | "!~" => is_pattern(checker, &right),
            "<" | "<=" | ">" | ">=" => true,
            _ => false,
        };
        let is_mistake = fails
            || !matches!(operator, "=~" | "!~") && is_never_boolean(checker, &inner)
            || match operator {
                "in" => never_contains_boolean(checker, &right) || is_plain_literal(&inner),
                "=~" | "!~" => is_type_without_booleans(checker, &right),
                _ => checker.type_of(&right).is_some_and(|it| {
                    !matches!(it.type_, Type::Undef) && is_disjoint(&it.type_, &Type::BOOLEAN)
                }),
            };
        is_mistake.then_some(Negated {
            range: comparison.syntax().text_range(),
            operator,
            inner: inner.syntax().text_range(),
            right: right.syntax().text_range(),
            fails,
        })
    }
}

/// Checks whether an expression is always truthy, so that its negation is always false.
fn is_never_boolean(checker: &Checker<'_>, expr: &Expr) -> bool {
    let falsy = Type::variant([Type::BOOLEAN, Type::Undef]);
    checker
        .type_of(expr)
        .is_some_and(|it| !it.is_never() && is_disjoint(&it.type_, &falsy))
}

fn is_plain_literal(expr: &Expr) -> bool {
    match expr {
        Expr::StringLiteral(_) | Expr::QualifiedName(_) => true,
        Expr::Literal(it) => matches!(it.kind(), Some(LiteralKind::Number(_))),
        _ => false,
    }
}

/// Checks for a regular expression or a string as the right operand of a match.
fn is_pattern(checker: &Checker<'_>, right: &Expr) -> bool {
    let patterns = Type::variant([Type::Regexp(None), Type::STRING]);
    checker
        .type_of(right)
        .is_some_and(|it| it.is_a(&patterns) == Some(true))
}

fn is_disjoint(left: &Type, right: &Type) -> bool {
    intersection(left, right).is_none()
}

/// Checks whether no Boolean can be in a value.
fn never_contains_boolean(checker: &Checker<'_>, container: &Expr) -> bool {
    let Some(container) = checker.type_of(container) else {
        return false;
    };
    let element = match &container.type_ {
        Type::Array(it) => it.element().clone(),
        Type::Tuple(it) => Type::variant(it.types().iter().cloned()),
        // Of a hash, the keys are compared.
        Type::Hash(it) => it.key().clone(),
        Type::Struct(_) | Type::String(_) | Type::Enum(_) => return true,
        _ => return false,
    };
    is_disjoint(&element, &Type::BOOLEAN)
}

/// Checks whether a type that is matched has no Boolean as an instance.
fn is_type_without_booleans(checker: &Checker<'_>, type_: &Expr) -> bool {
    let value = checker.type_of(type_).and_then(|it| it.value.as_ref());
    let is_without = |it: &Type| types::is_resolved(it) && is_disjoint(it, &Type::BOOLEAN);
    matches!(value, Some(Value::Type(it)) if is_without(it))
}

/// Negates the comparison as a whole.
fn fix(root: &syntax::SyntaxNode, it: &Negated) -> Option<Fix> {
    let (left, right) = (text_at(root, it.inner)?, text_at(root, it.right)?);
    let opposite = match it.operator {
        "==" => Some("!="),
        "!=" => Some("=="),
        "=~" => Some("!~"),
        "!~" => Some("=~"),
        "<" => Some(">="),
        ">=" => Some("<"),
        ">" => Some("<="),
        "<=" => Some(">"),
        _ => None,
    };
    let text = match opposite {
        Some(opposite) => format!("{left} {opposite} {right}"),
        None => format!("!({left} {} {right})", it.operator),
    };
    let label = "Negate the comparison as a whole".to_owned();
    Some(Fix::suggested(label, it.range, text))
}

/// Checks whether the rule reports the comparison at a range, or at the range of its operator.
pub(super) fn reports_at(checker: &Checker<'_>, range: TextRange) -> bool {
    let Some(node) = node_at(&checker.root(), range) else {
        return false;
    };
    let comparison = node.ancestors().find_map(BinaryExpr::cast);
    comparison.is_some_and(|it| Negated::of(checker, &it).is_some())
}

/// Checks whether the rule reports a comparison in a range.
pub(super) fn reports_in(checker: &Checker<'_>, range: TextRange) -> bool {
    let node = node_at(&checker.root(), range);
    let inside = node.iter().flat_map(|it| it.descendants());
    let mut inside = inside.filter_map(BinaryExpr::cast);
    inside.any(|it| Negated::of(checker, &it).is_some())
}

#[cfg(test)]
mod tests {
    use super::NEGATION_PRECEDENCE;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_negated_left_operands() {
        let code = "class m ($x, String $s) { if !$x in ['a'] { } if ! $s == 'b' { } \
                    $y = !$x =~ String }";
        assert_eq!(
            reported(&NEGATION_PRECEDENCE, code),
            [
                "`!$x in ['a']`: `!` applies only to the left operand of `in`",
                "`! $s == 'b'`: `!` applies only to the left operand of `==`",
                "`!$x =~ String`: `!` applies only to the left operand of `=~`",
            ]
        );
        assert_eq!(
            fixes(&NEGATION_PRECEDENCE, code),
            ["Negate the comparison as a whole"; 3]
        );
    }

    #[test]
    fn ignores_comparisons_with_booleans() {
        let code = "class m ($x, Boolean $b) { $y = [!$x == $b, !$x in [true], (!$x) == 'a', \
                    !($x in ['a']), !$x =~ Boolean, !$x == $x, !$x in $x] }";
        assert_eq!(reported(&NEGATION_PRECEDENCE, code), [""; 0]);
    }
}
