use infer::only_fails;
use infer::{TypeProblem, TypeProblemKind};
use syntax::SyntaxKind::{BINARY_EXPR, IF_EXPR, UNARY_EXPR};
use syntax::ast::{AstNode, BinaryExpr, Expr, HasBody, LiteralKind, Parameter, UnaryExpr};
use syntax::{Fix, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, text_at};
use types::Type;
use types::precise::intersection;
use types::values::Value;

use super::{bare_word, negation_precedence, redacted_sensitive};
use crate::checker::Checker;
use crate::fact_paths::is_versioncmp;
use crate::fixes::{expr_at, node_at, token_at};
use crate::repeated_conditions;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports conditions that are always true or always false.
    ///
    /// ## What it does
    ///
    /// Checks the conditions of `if`, `elsif` and `unless` whose inferred type decides the result,
    /// and the operands of `and`, `or` and `!` that are always true: literals, and parameters whose
    /// type has neither `undef` nor `false`. `undef` after a comparison is always false.
    /// Also checks for an `elsif` with the condition of an earlier branch, and for repeated operands of
    /// `and` and `or`; comparisons with strings ignore upper and lower case.
    /// In Puppet, only `undef` and `false` are false: empty strings, empty arrays, empty hashes and
    /// the number 0 are true.
    ///
    /// ## Why it matters
    ///
    /// One of the branches never runs. Puppet accepts the code without a warning.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Hash $settings = {},
    ///   Integer $port = 80,
    /// ) {
    ///   if $settings { # <-
    ///     notice($settings)
    ///   }
    ///   if $facts['kernel'] == 'Linux' or 'Darwin' { # <-
    ///     notice('always')
    ///   }
    ///   $is_empty = !$settings # <-
    ///   notice($is_empty)
    ///   if $facts['load_averages']['1m'] > 5.0 {
    ///     notice('high')
    ///   } elsif $facts['load_averages']['1m'] > 5.0 { # <-
    ///     notice('very high')
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Hash $settings = {},
    ///   Integer $port = 80,
    /// ) {
    ///   unless $settings.empty {
    ///     notice($settings)
    ///   }
    ///   if !($port in [80, 443]) {
    ///     notice($port)
    ///   }
    ///   if $facts['kernel'] in ['Linux', 'Darwin'] {
    ///     notice($settings.empty)
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Conditions with operands of unknown type.
    ///
    /// The severity is a hint if the condition depends on facts or on variables of other classes,
    /// if the branch that never runs only calls `fail`, and for the last `elsif` of a chain that
    /// tests every value of a variable.
    ///
    /// ## Fix
    ///
    /// Suggested: for a literal after a comparison, as in `$x == 'a' or 'b'`, compares the literal
    /// too.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[constant-condition]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// constant-condition = "off"
    /// ```
    pub(crate) static CONSTANT_CONDITION = {
        code: "constant-condition",
        severity: Warning,
        since: "0.1.0",
        checks: [
            Check::Problem(check),
            Check::Node(&[BINARY_EXPR, UNARY_EXPR], check_operands),
            Check::Node(&[IF_EXPR, BINARY_EXPR], check_repeated),
        ],
    }
}

fn check_repeated(checker: &mut Checker<'_>, node: &SyntaxNode) {
    repeated_conditions::check(checker, &CONSTANT_CONDITION, node);
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::ConstantCondition { value, guards } = problem.kind else {
        return;
    };
    if has_reported_cause(checker, problem) {
        return;
    }
    let is_version = expr_at(&checker.root(), problem.range).is_some_and(|it| is_versioncmp(&it));
    let message = match is_version {
        true => format!("condition is always {value}; compare the result of `versioncmp` with 0"),
        false => format!("condition is always {value}"),
    };
    // Defensive code is intended, and other code may change.
    let is_external = problem.depends_on_external && !is_version;
    let severity = CONSTANT_CONDITION.or_hint(guards || is_external);
    checker.report_problem_as(&CONSTANT_CONDITION, severity, problem, message);
}

/// Checks whether the diagnostic of a part of the condition explains why it is constant. Of a
/// condition and a part of it with the same start, the part is reported.
fn has_reported_cause(checker: &Checker<'_>, condition: &TypeProblem) -> bool {
    let problems = checker.problems();
    let is_condition =
        |it: &TypeProblem| matches!(it.kind, TypeProblemKind::ConstantCondition { .. });
    let range = condition.range;
    // They are ordered by their start.
    let start = problems.partition_point(|it| it.range.start() < range.start());
    let following = &problems[start..];
    let own = following.iter().position(|it| std::ptr::eq(it, condition));
    let is_reported = |(at, it): (usize, &TypeProblem)| !is_condition(it) || Some(at) < own;
    let inside = following.iter().enumerate();
    let inside = inside.take_while(|(_, it)| it.range.start() <= range.end());
    let mut inside = inside.filter(|(_, it)| range.contains_range(it.range));
    inside.any(is_reported)
        || redacted_sensitive::reports_in(checker, condition.range)
        || negation_precedence::reports_in(checker, condition.range)
        || bare_word::reports_in(checker, condition.range)
        || operands(checker, condition.range).next().is_some()
}

/// An operand of `and`, `or` or `!` that has one value.
struct Operand {
    operator: String,
    value: bool,
    range: TextRange,
    /// Whether it is a variable in a condition that only guards a call to `fail`.
    guards: bool,
    fix: Option<Fix>,
}

impl Operand {
    fn new(operator: &SyntaxToken, operand: &Expr, range: TextRange, fix: Option<Fix>) -> Operand {
        Operand {
            operator: operator.text().to_owned(),
            value: !is_undef(operand),
            range,
            guards: matches!(operand, Expr::VariableExpr(_)) && guards_failure(operand.syntax()),
            fix,
        }
    }
}

/// Checks whether the closest conditional around an operand only calls `fail`.
fn guards_failure(operand: &SyntaxNode) -> bool {
    let body = operand.ancestors().find_map(|it| match Expr::cast(it)? {
        Expr::IfExpr(it) => it.body(),
        Expr::UnlessExpr(it) => it.body(),
        _ => None,
    });
    body.is_some_and(|it| only_fails(&it))
}

fn check_operands(checker: &mut Checker<'_>, node: &SyntaxNode) {
    for operand in operands_in(checker, node) {
        let Operand {
            operator, value, ..
        } = &operand;
        let message = format!("operand of `{operator}` is always {value}");
        let severity = CONSTANT_CONDITION.or_hint(operand.guards);
        checker.report_as(&CONSTANT_CONDITION, severity, operand.range, message);
        checker.fix(operand.fix);
    }
}

/// Iterates over the operands in a range that have one value. Conditions themselves are not operands.
fn operands(checker: &Checker<'_>, range: TextRange) -> impl Iterator<Item = Operand> {
    let node = node_at(&checker.root(), range);
    let inside = node.into_iter().flat_map(|it| it.descendants());
    inside
        .filter(move |it| range.contains_range(it.text_range()))
        .flat_map(|it| operands_in(checker, &it))
}

/// Returns the operands of an operator that have one value.
fn operands_in(checker: &Checker<'_>, node: &SyntaxNode) -> Vec<Operand> {
    match Expr::cast(node.clone()) {
        Some(Expr::BinaryExpr(it)) => operands_of(checker, &it),
        Some(Expr::UnaryExpr(it)) => negated_operand(checker, &it).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn operands_of(checker: &Checker<'_>, binary: &BinaryExpr) -> Vec<Operand> {
    let operator = binary.operator().filter(|it| {
        let kind = it.kind();
        matches!(kind, SyntaxKind::AND_KW | SyntaxKind::OR_KW)
    });
    let (Some(operator), Some(left), Some(right)) = (operator, binary.lhs(), binary.rhs()) else {
        return Vec::new();
    };
    let found = [(&left, None), (&right, Some(&left))].into_iter();
    let operands = found.filter_map(|(operand, before)| {
        let fix = before.and_then(|it| comparison_with(checker, it, operand));
        let is_found = is_always_true(checker, operand) || is_undef(operand) && fix.is_some();
        let range = operand.syntax().text_range();
        is_found.then(|| Operand::new(&operator, operand, range, fix))
    });
    operands.collect()
}

/// Returns the operand of `!` if it is a variable. A condition that is such an
/// operand is reported as a whole.
fn negated_operand(checker: &Checker<'_>, unary: &UnaryExpr) -> Option<Operand> {
    let operator = unary.operator()?;
    let operand = unary.expr()?;
    let is_condition = unary.syntax().parent().is_some_and(|it| {
        let kind = it.kind();
        matches!(kind, SyntaxKind::IF_EXPR | SyntaxKind::UNLESS_EXPR)
    });
    let parent = unary.syntax().parent().and_then(BinaryExpr::cast);
    let compared = parent.and_then(|it| it.operator());
    let is_compared =
        compared.is_some_and(|it| !matches!(it.kind(), SyntaxKind::AND_KW | SyntaxKind::OR_KW));
    let is_found = operator.kind() == SyntaxKind::BANG
        && !is_condition
        && !is_compared
        && is_always_true(checker, &operand);
    is_found.then(|| Operand::new(&operator, &operand, unary.syntax().text_range(), None))
}

/// Checks whether an operand is `undef`, which is meant for a comparison: `$a == '' or undef`.
fn is_undef(operand: &Expr) -> bool {
    matches!(operand, Expr::Literal(it) if it.kind() == Some(LiteralKind::Undef))
}

/// Checks whether an operand is a literal other than a Boolean, or a parameter whose declared type
/// has no false value.
fn is_always_true(checker: &Checker<'_>, operand: &Expr) -> bool {
    match operand {
        Expr::ParenExpr(it) => it.expr().is_some_and(|it| is_always_true(checker, &it)),
        Expr::StringLiteral(_) | Expr::ArrayExpr(_) | Expr::HashExpr(_) => true,
        Expr::Literal(it) => matches!(
            it.kind(),
            Some(LiteralKind::Number(_) | LiteralKind::Regex(_))
        ),
        Expr::VariableExpr(it) => {
            let declared = it.name().and_then(|it| declared_type(checker, &it));
            let falsy = Type::optional(Type::BOOLEAN);
            declared.is_some_and(|it| intersection(&it, &falsy).is_none())
        }
        Expr::CallExpr(_) | Expr::MethodCall(_) => is_versioncmp(operand),
        _ => false,
    }
}

/// Returns the declared type of a parameter of the item that no lambda hides.
fn declared_type(checker: &Checker<'_>, name: &str) -> Option<Type> {
    let mut bindings = checker.body.scopes.iter().flat_map(|it| &it.bindings);
    let binding = bindings.find(|it| it.name == name)?;
    let is_own = checker.body.own_bindings(name).any(|it| it == binding);
    if !is_own || !binding.parameter || bindings.any(|it| it.name == name) {
        return None;
    }
    let variable = token_at(&checker.root(), binding.range)?;
    let parameter = variable.parent_ancestors().find_map(Parameter::cast)?;
    let type_ = checker.type_of(&parameter.type_expr()?)?;
    match &type_.value {
        Some(Value::Type(it)) if types::is_resolved(it) => Some(it.clone()),
        _ => None,
    }
}

/// Returns a fix that compares a literal with what the left operand compares: `$a == 'b' or 'c'`.
fn comparison_with(checker: &Checker<'_>, before: &Expr, literal: &Expr) -> Option<Fix> {
    let Expr::BinaryExpr(comparison) = before else {
        return None;
    };
    let operator = comparison.operator()?;
    let kind = operator.kind();
    if !matches!(
        kind,
        SyntaxKind::EQ_EQ | SyntaxKind::NOT_EQ | SyntaxKind::MATCH | SyntaxKind::NOT_MATCH
    ) || matches!(literal, Expr::VariableExpr(_))
    {
        return None;
    }
    let root = checker.root();
    let range = literal.syntax().text_range();
    let subject = text_at(&root, comparison.lhs()?.syntax().text_range())?;
    let text = format!("{subject} {} {}", operator.text(), text_at(&root, range)?);
    let label = format!("Replace with `{text}`");
    Some(Fix::suggested(label, range, text))
}

#[cfg(test)]
mod tests {
    use super::CONSTANT_CONDITION;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_conditions_with_one_outcome() {
        let code = "class m (String $s) { if $s { notice(1) } \
                    unless $s =~ Integer { notice(2) } }";
        assert_eq!(
            reported(&CONSTANT_CONDITION, code),
            [
                "`$s`: condition is always true",
                "`$s =~ Integer`: condition is always false",
            ]
        );
    }

    #[test]
    fn reports_operands_that_are_always_true() {
        let code = "class m (Hash $h, $x, Boolean $b) { if $x == 'a' or 'b' { } \
                    $y = [!$h, $b and $h, $x or [1]] }";
        assert_eq!(
            reported(&CONSTANT_CONDITION, code),
            [
                "`'b'`: operand of `or` is always true",
                "`!$h`: operand of `!` is always true",
                "`$h`: operand of `and` is always true",
                "`[1]`: operand of `or` is always true",
            ]
        );
        assert_eq!(
            fixes(&CONSTANT_CONDITION, code),
            ["Replace with `$x == 'b'`"]
        );
    }

    #[test]
    fn reports_undef_after_a_comparison() {
        let code = "class m ($x) { if $x == '' or undef { } if $x or undef { } }";
        assert_eq!(
            reported(&CONSTANT_CONDITION, code),
            ["`undef`: operand of `or` is always false"]
        );
        assert_eq!(
            fixes(&CONSTANT_CONDITION, code),
            ["Replace with `$x == undef`"]
        );
    }

    #[test]
    fn ignores_operands_that_may_be_false() {
        let code = "class m (Optional[Hash] $h, $x, Boolean $b, Hash $i) { \
                    $y = [!$h, $b and $x, $x or true, $x and !$b] $x.each |$i| { $z = !$i } }";
        assert_eq!(reported(&CONSTANT_CONDITION, code), [""; 0]);
    }

    #[test]
    fn ignores_flags_and_conditions_whose_cause_is_reported() {
        for code in [
            "class m (Optional[String] $s) { $debug = false if $s or $debug { notice(1) } }",
            "class m (String $s) { if $s == 1 { notice(1) } }",
            "class m (Sensitive $s) { if \"${s}\" { notice(1) } }",
        ] {
            assert_eq!(reported(&CONSTANT_CONDITION, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn reports_repeated_conditions() {
        let code = "class m ($a, $b) { if $a > 1 { } elsif $b { } elsif ($a  > 1) { } \
                    $x = $a > 2 or $b or ($a > 2) }";
        assert_eq!(
            reported(&CONSTANT_CONDITION, code),
            [
                "`($a  > 1)`: condition is always false: an earlier branch has the same condition",
                "`$a > 2`: repeated operand of `or`",
            ]
        );
    }

    #[test]
    fn reports_comparisons_that_only_differ_in_case() {
        let code = "class m ($a) { if $a == 'Linux' { } elsif $a == \"linux\" { } \
                    $x = $a != 'y' and $a != 'Y' }";
        assert_eq!(
            reported(&CONSTANT_CONDITION, code),
            [
                "`$a == \"linux\"`: condition is always false: an earlier branch has the same condition",
                "`$a != 'Y'`: repeated operand of `and`: the comparison ignores case",
            ]
        );
    }

    #[test]
    fn ignores_conditions_that_may_differ() {
        let code = "class m ($a, $b) { if $a > 1 { } elsif $a > 2 { } \
                    if m::f() { } elsif m::f() { } \
                    if $b =~ /a/ { } elsif $b =~ /A/ { } if $b['a'] { } elsif $b['A'] { } }";
        assert_eq!(reported(&CONSTANT_CONDITION, code), [""; 0]);
    }
}
