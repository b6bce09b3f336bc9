//! Code without effect: constant conditions, unreachable or missing options, unreachable code and
//! comparisons that are never true.

use syntax::ast::{AstNode, BinaryExpr, CaseExpr, SelectorExpr};
use syntax::{Applicability, Edit, Fix, Severity, SyntaxKind, SyntaxNode, TextRange};

use super::fixes::{element_insertion, node_at, option_insertion, value_fixes};
use super::wording::actual;
use super::{
    CONSTANT_CONDITION, Checker, MISSING_OPTION, NEVER_EQUAL, Rule, UNREACHABLE_CODE,
    UNREACHABLE_OPTION,
};
use infer::{TypeProblem, TypeProblemKind};
use types::Type;
use types::values::quote_readable;

impl Checker<'_> {
    /// Renders a problem with conditions or reachability as a diagnostic.
    pub(super) fn pointless(&mut self, problem: &TypeProblem) {
        let range = problem.range;
        match &problem.kind {
            TypeProblemKind::ConstantCondition { value, guards } => {
                // The cause may have been reported already.
                let told = self.found[self.types_from..].iter();
                if !told.clone().any(|it| range.contains_range(it.range)) {
                    let message = format!("condition is always {value}");
                    let milder = *guards || problem.depends_on_external;
                    self.milder(milder, &CONSTANT_CONDITION, range, message);
                }
            }
            TypeProblemKind::UnreachableOption { subject, guards } => {
                let message = if subject.is_never() {
                    "unreachable: earlier options match every value".to_owned()
                } else {
                    format!(
                        "unreachable: no value of {} is left for this option",
                        actual(subject)
                    )
                };
                let milder = *guards || problem.depends_on_external;
                self.milder(milder, &UNREACHABLE_OPTION, range, message);
            }
            TypeProblemKind::MissingOption { left: type_, fatal } => {
                let left = actual(type_);
                if *fatal {
                    let message = format!("selector has no option for {left} and no `default`");
                    self.report(&MISSING_OPTION, range, message);
                } else {
                    let message = format!("`case` has no option for {left} and no `default`");
                    self.report_as(&MISSING_OPTION, Severity::Hint, range, message);
                }
                let root = self.root();
                self.fix(each_option(&root, range, type_));
                self.fix(default_option(&root, range));
            }
            TypeProblemKind::UnreachableCode => {
                let message = "unreachable code".to_owned();
                self.report(&UNREACHABLE_CODE, range, message);
            }
            TypeProblemKind::NeverEqual { left, right } => {
                // A redundant check for `undef` does no harm.
                let guards = [left, right].contains(&&Type::Undef);
                let (left, right) = (actual(left), actual(right));
                let message = format!("{left} and {right} are never equal");
                let milder = guards || problem.depends_on_external;
                self.milder(milder, &NEVER_EQUAL, range, message);
                self.fix_comparison(problem);
            }
            _ => {}
        }
    }

    /// Offers to convert a literal to the type that it is compared with.
    fn fix_comparison(&mut self, problem: &TypeProblem) {
        let TypeProblemKind::NeverEqual { left, right } = &problem.kind else {
            return;
        };
        let root = self.root();
        let comparison = node_at(&root, problem.range);
        let comparison = comparison.and_then(|it| it.ancestors().find_map(BinaryExpr::cast));
        let operator = comparison.as_ref().and_then(BinaryExpr::operator);
        let is_whole = |it: &BinaryExpr| it.syntax().text_range() == problem.range;
        let is_it = |it: &BinaryExpr| {
            is_whole(it) || operator.is_some_and(|it| it.text_range() == problem.range)
        };
        let Some(comparison) = comparison.filter(is_it) else {
            return;
        };
        for (side, own, other) in [
            (comparison.lhs(), left, right),
            (comparison.rhs(), right, left),
        ] {
            let range = side.map(|it| it.syntax().text_range());
            let fixes = range.map(|it| value_fixes(&root, it, other, own));
            for fix in fixes.into_iter().flatten() {
                self.fix(Some(fix.with(Applicability::Suggested)));
            }
        }
    }

    /// Reports a diagnostic, as a hint if `milder` is set: for defensive code, and for results that
    /// depend on other code, which may change.
    fn milder(&mut self, milder: bool, rule: &'static Rule, range: TextRange, message: String) {
        let severity = if milder {
            Severity::Hint
        } else {
            rule.severity
        };
        self.report_as(rule, severity, range, message);
    }
}

/// Returns a fix that adds a `default` option.
fn default_option(root: &SyntaxNode, range: TextRange) -> Option<Fix> {
    let edits = options(root, range, &["default".to_owned()])?;
    Some(suggested("Add a `default` option", edits))
}

/// Returns a fix that adds an option for each value that no option covers.
fn each_option(root: &SyntaxNode, range: TextRange, left: &Type) -> Option<Fix> {
    /// The maximum number of options to add; beyond it, `default` is the better choice.
    const MAX_OPTIONS: usize = 20;
    let mut values = Vec::new();
    single_values(left, &mut values)?;
    values.dedup();
    if values.len() > MAX_OPTIONS {
        return None;
    }
    let label = match values.as_slice() {
        [] => return None,
        [only] => format!("Add the missing option `{only}`"),
        many => format!("Add the {} missing options", many.len()),
    };
    Some(suggested(&label, options(root, range, &values)?))
}

fn suggested(label: &str, edits: Vec<Edit>) -> Fix {
    Fix {
        label: label.to_owned(),
        applicability: Applicability::Suggested,
        edits,
    }
}

/// Collects the values of a closed type as Puppet source, or returns `None` if they cannot be
/// enumerated.
fn single_values(type_: &Type, into: &mut Vec<String>) -> Option<()> {
    match type_ {
        Type::Enum(it) if !it.case_insensitive() => {
            into.extend(it.values().iter().map(|it| quote_readable(it)));
        }
        Type::String(it) => into.push(quote_readable(it.value()?)),
        Type::Boolean(Some(it)) => into.push(it.to_string()),
        Type::Boolean(None) => into.extend(["true", "false"].map(str::to_owned)),
        Type::Undef => into.push("undef".to_owned()),
        Type::Optional(Some(inner)) => {
            single_values(inner, into)?;
            into.push("undef".to_owned());
        }
        Type::Variant(all) => all.iter().try_for_each(|it| single_values(it, into))?,
        Type::Alias(it) => single_values(&it.resolved(), into)?,
        _ => return None,
    }
    Some(())
}

/// Returns the edits that add empty options after the last one.
fn options(root: &SyntaxNode, range: TextRange, values: &[String]) -> Option<Vec<Edit>> {
    let node = node_at(root, range)?;
    let mut around = node.ancestors();
    let node =
        around.find(|it| matches!(it.kind(), SyntaxKind::CASE_EXPR | SyntaxKind::SELECTOR_EXPR))?;
    let values = values.iter();
    Some(if let Some(case) = CaseExpr::cast(node.clone()) {
        let last = case.options().last()?;
        let option = |it| option_insertion(&last, &format!("{it}: {{ }}"));
        values.map(option).collect()
    } else {
        let last = SelectorExpr::cast(node)?.entries().last()?;
        let entry = |it| element_insertion(last.syntax(), &format!("{it} => undef"));
        values.map(entry).collect()
    })
}
