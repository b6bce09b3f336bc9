//! Converts the declaration of a class without parameters to `include`.

use hir::is_class_name;
use syntax::ast::{AstNode, Expr, ResourceExpr};
use syntax::{SyntaxKind, SyntaxNode};

use super::expressions::{continues_expression, has_comments, is_block};
use super::{AssistContext, AssistKind, Assists, replace};

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(declaration) = cx.enclosing::<ResourceExpr>() else {
        return;
    };
    let node = declaration.syntax();
    if declaration.class_keyword().is_none() || !is_statement(node) || has_comments(node) {
        return;
    }
    let Some(names) = class_names(&declaration) else {
        return;
    };
    let title = "Convert to `include`";
    acc.add("class-to-include", title, AssistKind::Rewrite, || {
        let text = format!("include {}", names.join(", "));
        vec![replace(node.text_range(), text)]
    });
}

/// Checks whether a node is a statement whose value is not used, and after which a call without parentheses ends.
fn is_statement(node: &SyntaxNode) -> bool {
    let Some(block) = node.parent().filter(|it| is_block(it.kind())) else {
        return false;
    };
    let owner = block.parent().map(|it| it.kind());
    let next = node.next_sibling().and_then(|it| it.first_token());
    let has_result = matches!(
        owner,
        Some(SyntaxKind::LAMBDA | SyntaxKind::FUNCTION_DEFINITION)
    );
    (next.is_some() || !has_result) && next.is_none_or(|it| !continues_expression(it.kind()))
}

/// Returns the names of the declared classes, if no parameter is set.
fn class_names(declaration: &ResourceExpr) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for body in declaration.bodies() {
        body.operations().next().is_none().then_some(())?;
        match body.title()? {
            Expr::ArrayExpr(it) => {
                for it in it.elements() {
                    names.push(class_name(&it)?);
                }
            }
            title => names.push(class_name(&title)?),
        }
    }
    (!names.is_empty()).then_some(names)
}

/// Returns a literal title that is the name of a class.
fn class_name(title: &Expr) -> Option<String> {
    let name = title.plain_text()?;
    let plain = name.strip_prefix("::").unwrap_or(&name);
    let is_word = SyntaxKind::from_keyword(plain, true).is_none();
    (is_word && is_class_name(plain)).then_some(plain.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::applied_with;

    fn converted(code: &str) -> String {
        let others = "modules/n/manifests/init.pp\nclass n ($x = 1) { notice($x) }\n//- modules/n/manifests/o.pp\nclass n::o { }\n";
        applied_with("class-to-include", code, others)
    }

    #[test]
    fn converts_declarations_without_parameters() {
        assert_eq!(
            converted("class m {\n  class { <^>'n': }\n}\n"),
            "class m {\n  include n\n}\n"
        );
        assert_eq!(
            converted("class m {\n  cl<^>ass { ['::n', 'n::o']: }\n  notice(1)\n}\n"),
            "class m {\n  include n, n::o\n  notice(1)\n}\n"
        );
    }

    #[test]
    fn keeps_other_declarations() {
        for code in [
            "class m { class { <^>'n': x => 1 } }\n",
            "class m { class { <^>'n': * => {} } }\n",
            "class m { class { <^>'n': } -> class { 'n::o': } }\n",
            "class m ($y) { class { <^>$y: } }\n",
            "class m {\n  file { <^>'/n': }\n}\n",
        ] {
            assert_eq!(converted(code), "none", "{code}");
        }
    }
}
