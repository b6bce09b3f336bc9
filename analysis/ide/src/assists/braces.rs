//! Adds the braces around an interpolated variable that the style guide requires: `${x}` for `$x`.

use syntax::SyntaxKind;
use syntax::ast::{AstNode, Interpolation, VariableExpr};

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
    let is_bare = node.first_token().map(|it| it.kind()) != Some(SyntaxKind::INTERPOLATION_OPEN);
    if is_bare {
        acc.add("add-braces", "Add braces", AssistKind::Rewrite, || {
            vec![replace(range, format!("${{{name}}}"))]
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::applied;

    #[test]
    fn adds_braces() {
        let code = |it: &str| format!("$x = 1\n$y = \"a{it}b c\"\n");
        let add = |it: &str| applied("add-braces", &code(it));
        assert_eq!(add("<^>$x/"), code("${x}/"));
        assert_eq!(add("<^>${x}"), "none");
    }
}
