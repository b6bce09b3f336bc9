//! Adds or removes the braces around an interpolated variable: `$x` and `${x}`.

use syntax::ast::{AstNode, Interpolation, VariableExpr};
use syntax::{SyntaxKind, SyntaxNode};

use super::{AssistContext, AssistKind, Assists, replace};

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(token) = cx.token() else {
        return;
    };
    let mut ancestors = token.parent_ancestors();
    let Some(node) = ancestors.find(|it| Interpolation::can_cast(it.kind())) else {
        return;
    };
    let range = node.text_range();
    let variable = node.children().next().and_then(VariableExpr::cast);
    let Some(name) = variable.as_ref().and_then(VariableExpr::name) else {
        return;
    };
    if !range.contains_range(cx.range) {
        return;
    }
    let whole = |it: &SyntaxNode| it.children().count() == 1;
    let braced = node.first_token().map(|it| it.kind()) == Some(SyntaxKind::INTERPOLATION_OPEN);
    let kind = AssistKind::Rewrite;
    if !braced {
        acc.add("add-braces", "Add braces", kind, || {
            vec![replace(range, format!("${{{name}}}"))]
        });
    } else if whole(&node) && is_simple_name(&node, &name) && is_delimited(&node) {
        acc.add("remove-braces", "Remove braces", kind, || {
            vec![replace(range, format!("${name}"))]
        });
    }
}

/// Checks whether the braces contain only a name, and one that does not require braces.
fn is_simple_name(node: &SyntaxNode, name: &str) -> bool {
    let text = node.text().to_string();
    let inner = text.strip_prefix("${").and_then(|it| it.strip_suffix('}'));
    let inner = inner.map(|it| it.strip_prefix('$').unwrap_or(it));
    let is_part = |it: &str| {
        let mut chars = it.chars();
        chars
            .next()
            .is_some_and(|it| it.is_ascii_lowercase() || it == '_')
            && chars.all(|it| it.is_ascii_alphanumeric() || it == '_')
    };
    let parts = name.strip_prefix("::").unwrap_or(name);
    inner == Some(name) && parts.split("::").all(is_part)
}

/// Checks whether the text after the braces cannot be parsed as part of the name.
fn is_delimited(node: &SyntaxNode) -> bool {
    let next = node.last_token().and_then(|it| it.next_token());
    let next = next.and_then(|it| it.text().chars().next());
    !next.is_some_and(|it| it.is_alphanumeric() || matches!(it, '_' | ':' | '[' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::applied;

    #[test]
    fn adds_and_removes_braces() {
        let code = |it: &str| format!("$x = 1\n$y = \"a{it}b c\"\n");
        let add = |it: &str| applied("add-braces", &code(it));
        assert_eq!(add("<^>$x/"), code("${x}/"));
        assert_eq!(add("<^>${x}"), "none");
        let remove = |it: &str| applied("remove-braces", &code(it));
        assert_eq!(remove("${<^>x}/"), code("$x/"));
        assert_eq!(remove("${<^>$x}/"), code("$x/"));
        for kept in ["", "[0]", "::", "-", "."] {
            assert_eq!(remove(&format!("${{<^>x}}{kept}")), "none");
        }
        assert_eq!(remove("${<^>x[0]} "), "none");
    }
}
