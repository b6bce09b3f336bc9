//! Converts between an assignment of a selector, `$x = $y ? { … }`, and a `case` whose options assign
//! the same variable, `case $y { a: { $x = … } }`.

use syntax::ast::{
    Assignment, AstNode, CaseExpr, CaseOption, Expr, HasBody, SelectorExpr, VariableExpr,
};
use syntax::{SyntaxKind, SyntaxNode};

use super::expressions::{
    as_operand, continues_expression, has_comments, has_heredoc_or_error, is_block, standalone_text,
};
use super::layout::{is_multiline, reindented};
use super::{AssistContext, AssistKind, Assists, replace};
use hir::body::body;

const KIND: AssistKind = AssistKind::Rewrite;
const TO_CASE: &str = "Convert selector to `case`";
const TO_SELECTOR: &str = "Convert `case` to selector";

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    selector_to_case(cx, acc);
    case_to_selector(cx, acc);
}

/// Checks whether a node is a statement. Its value is unused, unless it is the last statement of a
/// function.
fn is_statement(node: &SyntaxNode) -> bool {
    let parent = node.parent();
    parent.is_some_and(|it| is_block(it.kind()) && it.kind() != SyntaxKind::TEMPLATE)
}

/// Checks whether an expression is allowed both as the value of a `case` option and as the key of a
/// selector entry.
fn is_convertible_option(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Literal(_)
            | Expr::StringLiteral(_)
            | Expr::InterpolatedString(_)
            | Expr::QualifiedName(_)
            | Expr::QualifiedReference(_)
            | Expr::AccessExpr(_)
            | Expr::VariableExpr(_)
    )
}

/// Checks whether an expression is a plain value, as opposed to a statement with a value.
fn is_plain_value(expr: &Expr) -> bool {
    !matches!(
        expr,
        Expr::IfExpr(_)
            | Expr::UnlessExpr(_)
            | Expr::CaseExpr(_)
            | Expr::Assignment(_)
            | Expr::Relationship(_)
            | Expr::ResourceExpr(_)
            | Expr::VirtualExpr(_)
            | Expr::CollectExpr(_)
    )
}

/// Returns the variable of a plain `=` assignment.
fn assigned_variable(assignment: &Assignment) -> Option<VariableExpr> {
    let is_plain = assignment.operator()?.kind() == SyntaxKind::EQ;
    match assignment.lhs()? {
        Expr::VariableExpr(it) if is_plain => Some(it),
        _ => None,
    }
}

fn selector_to_case(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(assignment) = cx.enclosing::<Assignment>() else {
        return;
    };
    let (Some(variable), Some(Expr::SelectorExpr(selector))) =
        (assigned_variable(&assignment), assignment.rhs())
    else {
        return;
    };
    let node = assignment.syntax();
    let place = cx.token().map(|it| it.text_range().start());
    let in_entry = |it: &SyntaxNode| place.is_some_and(|at| it.text_range().contains(at));
    let mut entries = selector.entries();
    let is_inside = entries.any(|it| in_entry(it.syntax()));
    if !is_statement(node) || is_inside || has_heredoc_or_error(node) {
        return;
    }
    let mut refuse = |reason: &str| acc.add_disabled("selector-to-case", TO_CASE, KIND, reason);
    if has_comments(node) {
        return refuse("comments would be lost");
    }
    let name = standalone_text(variable.syntax());
    match selector_options(&selector) {
        Ok((subject, options)) => acc.add("selector-to-case", TO_CASE, KIND, || {
            let indent = cx.indent(node.text_range().start());
            let (deeper, end) = (cx.deeper(indent), cx.line_break());
            let mut text = format!("case {subject} {{{end}");
            for (option, value) in options {
                let block = assignment_block(cx, &name, &value, &deeper);
                text.push_str(&format!("{deeper}{option}: {block}{end}"));
            }
            text.push_str(&format!("{indent}}}"));
            vec![replace(node.text_range(), text)]
        }),
        Err(reason) => refuse(reason),
    }
}

/// Returns the block that assigns a value, whose lines are indented by `indent`. A value on several lines gets a line of
/// its own.
fn assignment_block(cx: &AssistContext<'_>, name: &str, value: &Expr, indent: &str) -> String {
    let node = value.syntax();
    if !is_multiline(node) {
        return format!("{{ {name} = {} }}", standalone_text(node));
    }
    let (deeper, end) = (cx.deeper(indent), cx.line_break());
    let value = reindented(node, cx.indent(node.text_range().start()), &deeper);
    format!("{{{end}{deeper}{name} = {value}{end}{indent}}}")
}

/// The source of each option, and its value.
type SelectorOptions = Vec<(String, Expr)>;

/// Returns the source of the selector's subject, and its options.
fn selector_options(selector: &SelectorExpr) -> Result<(String, SelectorOptions), &'static str> {
    let subject = selector.subject().ok_or("the selector is incomplete")?;
    let mut options = Vec::new();
    let mut has_default = false;
    for entry in selector.entries() {
        let (Some(option), Some(value)) = (entry.matching(), entry.value()) else {
            return Err("the selector is incomplete");
        };
        if !is_convertible_option(&option) {
            return Err("an option of the selector is not valid in a `case`");
        }
        has_default |= option.is_default();
        options.push((standalone_text(option.syntax()), value));
    }
    if !has_default {
        return Err("no `default`: without a match a selector fails, a `case` does not");
    }
    Ok((standalone_text(subject.syntax()), options))
}

fn case_to_selector(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(case) = cx.enclosing::<CaseExpr>() else {
        return;
    };
    let place = cx.token().map(|it| it.text_range().start());
    let in_option = |it: CaseOption| {
        let range = it.syntax().text_range();
        place.is_some_and(|at| range.contains(at))
    };
    let node = case.syntax();
    if !is_statement(node) || case.options().any(in_option) || has_heredoc_or_error(node) {
        return;
    }
    let Some((name, options, has_default)) = common_assignment(&case) else {
        return;
    };
    let mut refuse = |reason: &str| acc.add_disabled("case-to-selector", TO_SELECTOR, KIND, reason);
    if has_comments(node) {
        return refuse("comments would be lost");
    }
    if !has_default {
        return refuse("no `default`: without a match a selector fails, a `case` does not");
    }
    let next = node.next_sibling().and_then(|it| it.first_token());
    if next.is_some_and(|it| continues_expression(it.kind())) {
        return refuse("the next statement would be parsed as part of the selector");
    }
    if is_assigned_elsewhere(cx, node, &name) {
        return refuse("the variable is also assigned elsewhere");
    }
    let Some(subject) = case.subject() else {
        return;
    };
    acc.add("case-to-selector", TO_SELECTOR, KIND, || {
        let indent = cx.indent(node.text_range().start());
        let (deeper, end) = (cx.deeper(indent), cx.line_break());
        let mut text = format!("{name} = {} ? {{{end}", as_operand(&subject));
        let width = options.iter().map(|it| it.0.chars().count()).max();
        for (option, value) in &options {
            let width = width.unwrap_or_default();
            text.push_str(&format!("{deeper}{option:width$} => {value},{end}"));
        }
        text.push_str(&format!("{indent}}}"));
        vec![replace(node.text_range(), text)]
    });
}

/// Checks whether a variable is also assigned outside of a node.
fn is_assigned_elsewhere(cx: &AssistContext<'_>, node: &SyntaxNode, variable: &str) -> bool {
    let Some(item) = cx.item_at(node.text_range()) else {
        return false;
    };
    let name = variable.trim_start_matches('$');
    let scopes = body(cx.db, item).scopes.iter();
    let mut bindings = scopes.flat_map(|it| it.bindings_of(name));
    bindings.any(|it| {
        let range = item.in_file(cx.db, it.range);
        !node.text_range().contains_range(range)
    })
}

/// The source of each option and of its value.
type OptionSources = Vec<(String, String)>;

/// Returns the variable that every option assigns as its only statement, the options with the
/// assigned values, and whether the `case` has a `default`.
fn common_assignment(case: &CaseExpr) -> Option<(String, OptionSources, bool)> {
    let mut name: Option<String> = None;
    let mut options = Vec::new();
    let mut has_default = false;
    for option in case.options() {
        let body = option.body()?;
        let mut statements = body.statements();
        let (Some(Expr::Assignment(only)), None) = (statements.next(), statements.next()) else {
            return None;
        };
        let own = standalone_text(assigned_variable(&only)?.syntax());
        if name.get_or_insert_with(|| own.clone()) != &own {
            return None;
        }
        let value = only.rhs().filter(is_plain_value)?;
        for it in option.values() {
            if !is_convertible_option(&it) {
                return None;
            }
            has_default |= it.is_default();
            options.push((
                standalone_text(it.syntax()),
                standalone_text(value.syntax()),
            ));
        }
    }
    Some((name?, options, has_default))
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::applied;

    #[test]
    fn refuses_variables_that_are_assigned_elsewhere() {
        let code = "class m ($y, $z) {\n  if $z { $x = 0 }\n  <^>case $y {\n    'a': { $x = 1 }\n    \
                    default: { $x = 2 }\n  }\n}\n";
        let refused = applied("case-to-selector", code);
        assert!(refused.contains("also assigned elsewhere"), "{refused}");
    }

    const CASE: &str = "class m ($y) {\n  <^>case $y {\n    'a': { $x = 1 }\n    /b/: { $x = [2, 3] }\n    default: { $x = undef }\n  }\n  notice($x)\n}\n";
    const SELECTOR: &str = "class m ($y) {\n  <^>$x = $y ? {\n    'a'     => 1,\n    /b/     => [2, 3],\n    default => undef,\n  }\n  notice($x)\n}\n";

    #[test]
    fn converts_case_to_selector_and_back() {
        let plain = |it: &str| it.replace("<^>", "");
        assert_eq!(applied("case-to-selector", CASE), plain(SELECTOR));
        assert_eq!(applied("selector-to-case", SELECTOR), plain(CASE));
        let lines = |it: &str| it.replace('\n', "\r\n");
        assert_eq!(
            applied("case-to-selector", &lines(CASE)),
            plain(&lines(SELECTOR))
        );
    }

    #[test]
    fn values_on_several_lines_are_on_their_own() {
        let code = "class m ($y, $z) {\n  <^>$x = $y ? {\n    'a' => $z ? {\n      'b' => 1,\n      default => 2,\n    },\n    default => 3,\n  }\n  notice($x)\n}\n";
        assert_eq!(
            applied("selector-to-case", code),
            "class m ($y, $z) {\n  case $y {\n    'a': {\n      $x = $z ? {\n        'b' => 1,\n        default => 2,\n      }\n    }\n    default: { $x = 3 }\n  }\n  notice($x)\n}\n"
        );
    }

    #[test]
    fn option_with_several_values_becomes_several_entries() {
        let code = "class m ($y) {\n  case $y + 1 {<^>\n    1, 2: { $x = 1 }\n    default: { $x = 2 }\n  }\n  notice($x)\n}\n";
        let found = applied("case-to-selector", code);
        assert!(
            found.contains("$x = ($y + 1) ? {\n    1       => 1,\n    2       => 1,\n"),
            "{found}"
        );
    }

    #[test]
    fn refuses_changes_of_meaning() {
        let selector = |it: &str| applied("selector-to-case", it);
        let reason = selector("class m ($y) { $x = <^>$y ? { 1 => 2 } notice($x) }\n");
        assert!(reason.contains("no `default`"), "{reason}");
        let commented = SELECTOR.replace("=> 1,", "=> 1, # why");
        assert_eq!(selector(&commented), "comments would be lost");
        let splat = SELECTOR.replace("'a' ", "*$z ");
        assert!(selector(&splat).contains("not valid in a `case`"));
        let inside = "class m ($y) { notice(<^>$y ? { default => 2 }) }\n";
        assert_eq!(selector(inside), "none");
        let case = |it: &str| applied("case-to-selector", it);
        let without = CASE.replace("default:", "'c':");
        assert!(case(&without).contains("no `default`"));
        for other in ["$x = 1 notice(1)", "$z = 1", "$x += 1", "notice(1)", ""] {
            assert_eq!(case(&CASE.replace("$x = 1", other)), "none");
        }
    }
}
