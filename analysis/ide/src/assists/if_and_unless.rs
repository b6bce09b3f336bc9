//! Rewrites of `if` and `unless`: inverting a condition, converting one into the other, and merging
//! nested `if`s.

use syntax::ast::{AstNode, Block, ElseClause, Expr, HasBody, IfExpr, UnlessExpr};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use super::expressions::{
    has_comments, has_heredoc_or_error, is_primary, may_capture, negated, reads_captures,
    standalone_text,
};
use super::layout::reindented;
use super::{AssistContext, AssistKind, Assists, replace};

const KIND: AssistKind = AssistKind::Rewrite;

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(token) = cx.token() else {
        return;
    };
    let Some(node) = token.parent() else {
        return;
    };
    match token.kind() {
        SyntaxKind::IF_KW => {
            if let Some(it) = IfExpr::cast(node) {
                invert(&it, acc);
                if_to_unless(&it, acc);
                merge_nested(cx, &it, acc);
            }
        }
        SyntaxKind::UNLESS_KW => {
            if let Some(it) = UnlessExpr::cast(node) {
                unless_to_if(&it, acc);
            }
        }
        _ => {}
    }
}

/// Returns the range from the keyword to the end of the condition.
fn header_range(node: &SyntaxNode, condition: &Expr) -> TextRange {
    TextRange::new(
        node.text_range().start(),
        condition.syntax().text_range().end(),
    )
}

/// Returns the negated condition, unless negating it would change anything else.
fn negated_condition(condition: &Expr, whole: &SyntaxNode) -> Option<String> {
    let captures = may_capture(condition.syntax()) && reads_captures(whole);
    let cannot = captures || has_heredoc_or_error(condition.syntax());
    (!cannot).then(|| negated(condition)).flatten()
}

fn else_block(clause: Option<ElseClause>) -> Option<Block> {
    clause.filter(|it| it.elsif().is_none())?.block()
}

/// Converts `if a { b } else { c }` to `if !a { c } else { b }`.
fn invert(it: &IfExpr, acc: &mut Assists<'_>) {
    let (Some(condition), Some(body)) = (it.condition(), it.body()) else {
        return;
    };
    let Some(other) = else_block(it.else_clause()) else {
        return;
    };
    if has_heredoc_or_error(it.syntax()) {
        return;
    }
    if let Some(opposite) = negated_condition(&condition, it.syntax()) {
        acc.add("invert-if", "Invert `if`", KIND, || {
            let text = |it: &Block| it.syntax().text().to_string();
            vec![
                replace(condition.syntax().text_range(), opposite),
                replace(body.syntax().text_range(), text(&other)),
                replace(other.syntax().text_range(), text(&body)),
            ]
        });
    }
}

/// Converts `if !a { b }` to `unless a { b }`.
fn if_to_unless(it: &IfExpr, acc: &mut Assists<'_>) {
    let is_first = it.syntax().parent().map(|it| it.kind()) != Some(SyntaxKind::ELSE_CLAUSE);
    let Some(condition) = it.condition().filter(|_| is_first) else {
        return;
    };
    if it.else_clause().is_some() || !is_negative(&condition) {
        return;
    }
    if let Some(opposite) = negated_condition(&condition, it.syntax()) {
        let range = header_range(it.syntax(), &condition);
        acc.add("if-to-unless", "Convert `if` to `unless`", KIND, || {
            vec![replace(range, format!("unless {opposite}"))]
        });
    }
}

/// Checks whether a condition is the negation of a simpler one.
fn is_negative(condition: &Expr) -> bool {
    use SyntaxKind::{BANG, NOT_EQ, NOT_MATCH};
    let operator = match condition {
        Expr::UnaryExpr(it) => it.operator(),
        Expr::BinaryExpr(it) => it.operator(),
        _ => None,
    };
    operator.is_some_and(|it| matches!(it.kind(), BANG | NOT_EQ | NOT_MATCH))
}

/// Converts `unless a { b }` to `if !a { b }`, keeping an `else`.
fn unless_to_if(it: &UnlessExpr, acc: &mut Assists<'_>) {
    let Some(condition) = it.condition() else {
        return;
    };
    if let Some(opposite) = negated_condition(&condition, it.syntax()) {
        let range = header_range(it.syntax(), &condition);
        acc.add("unless-to-if", "Convert `unless` to `if`", KIND, || {
            vec![replace(range, format!("if {opposite}"))]
        });
    }
}

/// Merges `if a { if b { c } }` into `if a and b { c }`.
fn merge_nested(cx: &AssistContext<'_>, outer: &IfExpr, acc: &mut Assists<'_>) {
    let (Some(condition), Some(body)) = (outer.condition(), outer.body()) else {
        return;
    };
    let mut statements = body.statements();
    let (Some(Expr::IfExpr(inner)), None) = (statements.next(), statements.next()) else {
        return;
    };
    let (Some(second), Some(rest)) = (inner.condition(), inner.body()) else {
        return;
    };
    let alone = outer.else_clause().is_none() && inner.else_clause().is_none();
    if !alone || has_heredoc_or_error(outer.syntax()) || would_lose_comments(&body, &inner, &rest) {
        return;
    }
    acc.add("merge-ifs", "Merge with nested `if`", KIND, || {
        let condition_text = format!("{} and {}", operand(&condition), operand(&second));
        let range = TextRange::new(
            condition.syntax().text_range().start(),
            outer.syntax().text_range().end(),
        );
        let indent = |it: &IfExpr| cx.indent(it.syntax().text_range().start());
        let text = reindented(rest.syntax(), indent(&inner), indent(outer));
        vec![replace(range, format!("{condition_text} {text}"))]
    });
}

/// Checks whether merging would remove comments between the two `if`s.
fn would_lose_comments(body: &Block, inner: &IfExpr, rest: &Block) -> bool {
    let all = body.syntax().descendants_with_tokens();
    let mut comments = all.filter(|it| it.kind().is_comment());
    let kept = rest.syntax().text_range();
    let condition = inner.condition();
    let in_condition = condition.is_some_and(|it| has_comments(it.syntax()));
    in_condition || comments.any(|it| !kept.contains_range(it.text_range()))
}

/// Returns the source of a condition as an operand of `and`.
fn operand(condition: &Expr) -> String {
    let text = standalone_text(condition.syntax());
    let is_tight = match condition {
        Expr::BinaryExpr(it) => it
            .operator()
            .is_some_and(|it| it.kind() != SyntaxKind::OR_KW),
        Expr::UnaryExpr(_) => true,
        _ => is_primary(condition),
    };
    match is_tight {
        true => text,
        false => format!("({text})"),
    }
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::applied;

    const START: &str = "class m ($a, $b) {\n  ";

    fn applied_in(id: &str, code: &str) -> String {
        let found = applied(id, &format!("{START}{code}\n}}\n"));
        let inner = found.strip_prefix(START);
        let inner = inner.and_then(|it| it.strip_suffix("\n}\n"));
        inner.unwrap_or(&found).to_owned()
    }

    #[test]
    fn swaps_branches() {
        let swapped = |it: &str| applied_in("invert-if", it);
        assert_eq!(
            swapped("<^>if $a == 1 { notice(1) } else { notice(2) }"),
            "if $a != 1 { notice(2) } else { notice(1) }"
        );
        assert_eq!(
            swapped("<^>if $a or $b { notice(1) } else { notice(2) }"),
            "if !($a or $b) { notice(2) } else { notice(1) }"
        );
        assert_eq!(
            swapped("<^>if !($a or $b) { notice(1) } else { notice(2) }"),
            "if $a or $b { notice(2) } else { notice(1) }"
        );
        assert_eq!(swapped("<^>if $a { notice(1) }"), "none");
        let captures = "<^>if $a =~ /(x)/ { notice($1) } else { notice(2) }";
        assert_eq!(swapped(captures), "none");
        let chain = "<^>if $a { notice(1) } elsif $b { notice(2) } else { notice(3) }";
        assert_eq!(swapped(chain), "none");
        assert_eq!(
            swapped("if $a { notice(1) } els<^>if $b { notice(2) } else { notice(3) }"),
            "none"
        );
    }

    #[test]
    fn converts_if_to_unless_and_back() {
        let unless = |it: &str| applied_in("if-to-unless", it);
        assert_eq!(unless("<^>if !$a { notice(1) }"), "unless $a { notice(1) }");
        assert_eq!(
            unless("<^>if $a != 1 { notice(1) }"),
            "unless $a == 1 { notice(1) }"
        );
        assert_eq!(unless("<^>if $a { notice(1) }"), "none");
        let back = |it: &str| applied_in("unless-to-if", it);
        assert_eq!(
            back("<^>unless $a =~ /x/ { notice(1) } else { notice(2) }"),
            "if $a !~ /x/ { notice(1) } else { notice(2) }"
        );
    }

    #[test]
    fn merges_nested_ifs() {
        let merged = |it: &str| applied_in("merge-ifs", it);
        assert_eq!(
            merged("<^>if $a == 1 {\n    if $a or $b {\n      notice(1)\n    }\n  }"),
            "if $a == 1 and ($a or $b) {\n    notice(1)\n  }"
        );
        assert_eq!(merged("<^>if $a { if $b { } else { } }"), "none");
        assert_eq!(merged("<^>if $a {\n    # why\n    if $b { }\n  }"), "none");
        assert_eq!(merged("<^>if $a { if $b { } notice(1) }"), "none");
    }
}
