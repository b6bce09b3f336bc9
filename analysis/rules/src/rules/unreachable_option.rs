use std::collections::hash_map::Entry;

use infer::{TypeProblem, TypeProblemKind};
use rustc_hash::FxHashMap;
use syntax::SyntaxKind::{CASE_EXPR, SELECTOR_EXPR};
use syntax::ast::{AstNode, CaseExpr, Expr, LiteralKind, SelectorExpr};
use syntax::{SyntaxNode, TextRange, text_at};

use types::precise::within;
use types::values::Value;
use types::{IntRange, Type};

use super::bare_word;
use crate::checker::Checker;
use crate::fixes::{expr_at, node_at};
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::actual;

declare_rule! {
    /// Reports options of `case` expressions and selectors that never match.
    ///
    /// ## What it does
    ///
    /// Checks each option against the values that its subject can have by its type, without those
    /// that earlier options match. Also reports options that occur twice, and options after a type that
    /// contains them, such as `'a'` after `String`, whatever the subject.
    ///
    /// ## Why it matters
    ///
    /// Puppet accepts the code without a warning, but the option has no effect.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Enum['present', 'absent'] $ensure) {
    ///   case $ensure {
    ///     'present': { notice('present') }
    ///     'installed': { notice('never') } # <-
    ///     default: { notice('absent') }
    ///   }
    ///   $number = $ensure ? {
    ///     /^p/      => 1,
    ///     'present' => 2, # <-
    ///     default   => 3,
    ///   }
    ///   case $facts['os']['family'] {
    ///     'Debian': { notice('deb') }
    ///     'RedHat', 'debian': { notice('rpm') } # <-
    ///     default: { notice($number) }
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Enum['present', 'absent'] $ensure, $other) {
    ///   case $ensure {
    ///     'present': { notice('present') }
    ///     'absent': { notice('absent') }
    ///     default: { fail("unknown value ${ensure}") }
    ///   }
    ///   $number = $other ? {
    ///     /^p/      => 1,
    ///     'present' => 2,
    ///     default   => 3,
    ///   }
    ///   notice($number)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * `default`, which is good practice even if no value is left for it.
    ///
    /// The severity is a hint if the subject comes from other classes or facts, for the option
    /// `undef`, and for values that only earlier code (`if $x == 'a' { return() }`) or the definition
    /// of a type alias excludes.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended option is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unreachable-option]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unreachable-option = "off"
    /// ```
    pub(crate) static UNREACHABLE_OPTION = {
        code: "unreachable-option",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Problem(check), Check::Node(&[CASE_EXPR, SELECTOR_EXPR], check_duplicates)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::UnreachableOption {
        subject,
        mismatched,
        guards,
    } = &problem.kind
    else {
        return;
    };
    let written = text_at(&checker.root(), problem.range);
    let written = written.filter(|it| !it.contains('\n'));
    let message = if subject.is_never() {
        "unreachable: earlier options match every value".to_owned()
    } else if let (Some(values), Some(option)) = (mismatched, written) {
        format!("unreachable: `{option}` never matches {}", actual(values))
    } else {
        format!(
            "unreachable: no value of {} is left for this option",
            actual(subject)
        )
    };
    if bare_word::reports_subject_of(checker, problem.range) {
        return;
    }
    // Defensive code is intended, and other code may change.
    let is_external = problem.depends_on_external && !is_of_another_kind(checker, problem.range);
    let may_be_wanted = *guards || is_external || is_undef(checker, problem.range);
    let is_repeated = may_be_wanted && is_repeated(checker, problem.range);
    let severity = UNREACHABLE_OPTION.or_hint(may_be_wanted && !is_repeated);
    checker.report_problem_as(&UNREACHABLE_OPTION, severity, problem, message);
}

/// Checks whether an option is `undef` or its type: a test for a missing value does no harm.
fn is_undef(checker: &Checker<'_>, option: TextRange) -> bool {
    let option = expr_at(&checker.root(), option);
    let value = option.and_then(|it| checker.type_of(&it)?.value.clone());
    matches!(value, Some(Value::Undef) | Some(Value::Type(Type::Undef)))
}

/// Checks whether the values of the subject are definitely not of the same kind as an option.
fn is_of_another_kind(checker: &Checker<'_>, option: TextRange) -> bool {
    let Some(option) = expr_at(&checker.root(), option) else {
        return false;
    };
    let mut around = option.syntax().ancestors();
    let subject = around.find_map(|it| match CaseExpr::cast(it.clone()) {
        Some(it) => it.subject(),
        None => SelectorExpr::cast(it)?.subject(),
    });
    let type_ = checker.type_of(&option).map(|it| &it.type_);
    let pair = subject.zip(type_);
    pair.is_some_and(|(subject, type_)| checker.is_of_another_kind(&subject, type_))
}

/// Checks whether an earlier option of the same `case` or selector is equal to an option.
fn is_repeated(checker: &Checker<'_>, option: TextRange) -> bool {
    let node = node_at(&checker.root(), option);
    let mut around = node.iter().flat_map(SyntaxNode::ancestors);
    let around = around.find(|it| matches!(it.kind(), CASE_EXPR | SELECTOR_EXPR));
    let options = around.map(|it| options_of(&it)).unwrap_or_default();
    let is_own = |it: &Expr| it.syntax().text_range() == option;
    let mut earlier = options.iter().take_while(|it| !is_own(it));
    let own = options.iter().find(|it| is_own(it)).and_then(key);
    own.is_some_and(|own| earlier.any(|it| key(it).as_ref() == Some(&own)))
}

/// Reports options that occur twice in a case or selector.
fn check_duplicates(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let options = options_of(node);
    check_covered(checker, &options);
    let mut seen: FxHashMap<String, TextRange> = FxHashMap::default();
    for option in &options {
        let range = option.syntax().text_range();
        let Some(key) = key(option) else { continue };
        match seen.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(range);
            }
            Entry::Occupied(first) if !is_reported(checker, range) => {
                let written = text_at(&checker.root(), range).unwrap_or_default();
                let message = format!("unreachable: duplicate option `{written}`");
                checker.report(&UNREACHABLE_OPTION, range, message);
                checker.relate(checker.item, *first.get(), "first option");
            }
            Entry::Occupied(_) => {}
        }
    }
}

/// Returns the options of a case or selector.
fn options_of(node: &SyntaxNode) -> Vec<Expr> {
    if let Some(it) = CaseExpr::cast(node.clone()) {
        return it.options().flat_map(|it| it.values()).collect();
    }
    let entries = SelectorExpr::cast(node.clone()).into_iter();
    let entries = entries.flat_map(|it| it.entries());
    entries.filter_map(|it| it.matching()).collect()
}

/// The maximum number of types that later options are compared with.
const MAX_TYPES: usize = 16;

/// Reports options whose values an earlier option matches, because it is a type that contains them.
fn check_covered(checker: &mut Checker<'_>, options: &[Expr]) {
    let mut earlier: Vec<(Type, TextRange, Option<String>)> = Vec::new();
    for option in options {
        let range = option.syntax().text_range();
        let value = checker.type_of(option).and_then(|it| it.value.clone());
        let Some(value) = value.filter(types::is_resolved_value) else {
            continue;
        };
        let key = key(option);
        let covering = earlier
            .iter()
            .find(|it| covers(&it.0, &value) && (key.is_none() || it.2 != key));
        if let Some((_, first, _)) = covering.filter(|_| !is_reported(checker, range)) {
            let first = *first;
            let root = checker.root();
            let text = |range| text_at(&root, range).unwrap_or_default();
            let message = format!(
                "unreachable: option `{}` covers `{}`",
                text(first),
                text(range)
            );
            checker.report(&UNREACHABLE_OPTION, range, message);
            checker.relate(checker.item, first, "covering option");
        }
        let matched = match value {
            Value::Type(type_) => Some(type_),
            Value::Regexp(it) if matches_all(it.source()) => Some(Type::STRING),
            _ => None,
        };
        if let Some(type_) = matched.filter(|_| earlier.len() < MAX_TYPES) {
            earlier.push((type_, range, key));
        }
    }
}

/// Checks whether a regular expression matches every string.
fn matches_all(source: &str) -> bool {
    matches!(
        source,
        "" | ".*" | "^.*" | ".*$" | "^.*$" | "(.*)" | "^(.*)$"
    )
}

/// Checks whether a type contains all values that an option matches. Strings are compared without regard
/// to case, and regular expressions only match strings.
fn covers(type_: &Type, option: &Value) -> bool {
    match option {
        Value::Type(it) => within(it, type_),
        Value::Regexp(_) => within(&Type::STRING, type_),
        Value::String(it) => {
            let length = i64::try_from(it.chars().count()).unwrap_or(i64::MAX);
            within(&Type::string_sized(IntRange::exactly(length)), type_)
        }
        // The option `1` also matches `1.0`.
        Value::Integer(_) => within(&Type::Numeric, type_),
        Value::Boolean(it) => within(&Type::Boolean(Some(*it)), type_),
        Value::Undef => within(&Type::Undef, type_),
        _ => false,
    }
}

/// Checks whether the option is reported because of the type of its subject.
fn is_reported(checker: &Checker<'_>, option: TextRange) -> bool {
    checker.problems().iter().any(|it| {
        let unreachable = matches!(it.kind, TypeProblemKind::UnreachableOption { .. });
        let missing = matches!(it.kind, TypeProblemKind::MissingOption { always: true, .. });
        (unreachable && it.range == option) || (missing && it.range.contains_range(option))
    })
}

/// Returns a key that options which match the same values share. Puppet compares strings without
/// regard to case.
fn key(option: &Expr) -> Option<String> {
    Some(match option {
        Expr::StringLiteral(it) => format!("string {}", it.value().to_lowercase()),
        Expr::QualifiedName(it) => format!("string {}", it.text().to_lowercase()),
        Expr::VariableExpr(it) => format!("variable {}", it.name()?),
        Expr::QualifiedReference(it) => format!("type {}", it.text().to_lowercase()),
        Expr::Literal(it) if it.kind() != Some(LiteralKind::Default) => {
            format!("literal {}", it.syntax().text())
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::UNREACHABLE_OPTION;
    use crate::testing::reported;

    #[test]
    fn reports_options_that_never_match() {
        let code = "class m (Enum['a', 'b'] $e) { $x = $e ? { 'a' => 1, 'c' => 2, 'b' => 3 } \
                    case $e { String: { } 'b': { } } }";
        assert_eq!(
            reported(&UNREACHABLE_OPTION, code),
            [
                "`'c'`: unreachable: `'c'` never matches `Enum['a', 'b']`",
                "`'b'`: unreachable: earlier options match every value",
            ]
        );
    }

    #[test]
    fn reports_duplicate_options() {
        let code = "class m ($any, $b) { case $any { 'a', /c/, $b: { } b, 'A': { } } \
                    $x = $any ? { 'a' => 1, /c/ => 2, $b => 3, /c/ => 4, $b => 5 } }";
        assert_eq!(
            reported(&UNREACHABLE_OPTION, code),
            [
                "`'A'`: unreachable: duplicate option `'A'`",
                "`/c/`: unreachable: duplicate option `/c/`",
                "`$b`: unreachable: duplicate option `$b`",
            ]
        );
    }

    #[test]
    fn ignores_options_that_may_match() {
        let code = "class m ($any) { case $any { 'a', '1': { } Integer, 1: { } default: { } } }";
        assert_eq!(reported(&UNREACHABLE_OPTION, code), [""; 0]);
    }
}
