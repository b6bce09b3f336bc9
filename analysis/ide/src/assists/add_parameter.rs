//! Adds parameters to the definition around the selection: for an unknown variable, and for a selected constant.

use hir::body::ReferenceName;
use hir::resolve::{ResolveError, resolve};
use rules::element_insertion;
use syntax::ast::{AstNode, Definition, Expr, Parameter, ParameterList};
use syntax::{Edit, SyntaxKind, SyntaxNode};
use types::display_written;

use super::add_type::general_type;
use super::expressions::{has_heredoc_or_error, is_constant, standalone_text};
use super::extract_variable::selected;
use super::layout::{is_multiline, reindented};
use super::new_name::new_name;
use super::{AssistContext, AssistKind, Assists, insert, replace};

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(definition) = definition(cx) else {
        return;
    };
    add_unknown_variable(cx, acc, &definition);
    extract_constant(cx, acc, &definition);
}

/// Returns the class or defined type whose body contains the selection.
fn definition(cx: &AssistContext<'_>) -> Option<Definition> {
    let token = cx.token()?;
    let definition = token.parent_ancestors().find_map(Definition::cast)?;
    let is_resource = matches!(
        definition,
        Definition::ClassDefinition(_) | Definition::DefineDefinition(_)
    );
    let mut children = definition.syntax().children();
    let block = children.find(|it| it.kind() == SyntaxKind::BLOCK)?;
    let is_inside = block.text_range().contains_range(cx.range);
    (is_resource && is_inside).then_some(definition)
}

/// Offers to declare an unknown variable as a required parameter.
fn add_unknown_variable(cx: &AssistContext<'_>, acc: &mut Assists<'_>, definition: &Definition) {
    let Some((item, reference)) = cx.reference_at(|_| true) else {
        return;
    };
    let ReferenceName::Variable(name) = &reference.name else {
        return;
    };
    let is_name = name.starts_with(|it: char| it.is_ascii_lowercase()) && !name.contains("::");
    // A variable may also be set for a node, outside of the workspace.
    let is_unknown = matches!(
        resolve(cx.db, item, reference),
        Err(ResolveError::NotDefined | ResolveError::MaybeExternal)
    );
    if !is_name || !is_unknown || library::metaparameter(name).is_some() {
        return;
    }
    if let Some(edit) = insertion(cx, definition, &format!("Any ${name}"), true) {
        let title = format!("Add the parameter `${name}`");
        acc.add("add-parameter", title, AssistKind::QuickFix, || vec![edit]);
    }
}

/// Offers to turn the selected constant into the default of a new parameter.
fn extract_constant(cx: &AssistContext<'_>, acc: &mut Assists<'_>, definition: &Definition) {
    let Some(expr) = selected(cx).filter(is_constant) else {
        return;
    };
    let node = expr.syntax();
    // An option of a `case` or selector means a fixed value.
    let parent = node.parent().map(|it| it.kind());
    let is_option = parent == Some(SyntaxKind::CASE_OPTION)
        || parent == Some(SyntaxKind::SELECTOR_ENTRY) && node.prev_sibling().is_none();
    let is_moved = matches!(expr, Expr::ParenExpr(_)) || has_heredoc_or_error(node);
    let Some(item) = cx
        .item_at(node.text_range())
        .filter(|_| !is_option && !is_moved)
    else {
        return;
    };
    let Some(type_) = cx.inferred(node.text_range()).and_then(general_type) else {
        return;
    };
    let Some(name) = new_name(cx, item, definition.syntax(), &expr) else {
        return;
    };
    let value = match &expr {
        Expr::QualifiedName(it) => format!("'{}'", it.text()),
        _ if is_multiline(node) => reindented(node, cx.indent(node.text_range().start()), "  "),
        _ => standalone_text(node),
    };
    let parameter = format!("{} ${name} = {value}", display_written(&type_));
    let Some(edit) = insertion(cx, definition, &parameter, false) else {
        return;
    };
    let title = format!("Extract into parameter `${name}`");
    acc.add("extract-parameter", title, AssistKind::Extract, || {
        vec![edit, replace(node.text_range(), format!("${name}"))]
    });
}

/// Returns the edit that adds a parameter: a required one before those that are optional.
fn insertion(
    cx: &AssistContext<'_>,
    definition: &Definition,
    parameter: &str,
    is_required: bool,
) -> Option<Edit> {
    let end = cx.line_break();
    let node = definition.syntax();
    let indent = cx.indent(node.text_range().start());
    let deeper = cx.deeper(indent);
    let Some(list) = node.children().find_map(ParameterList::cast) else {
        let name = definition.name()?.syntax().text_range().end();
        let text = format!(" ({end}{deeper}{parameter},{end}{indent})");
        return Some(insert(name, text));
    };
    let all: Vec<Parameter> = list.parameters().collect();
    let optional = all.iter().find(|it| it.default().is_some());
    match (optional.filter(|_| is_required), all.last()) {
        (Some(first), _) => Some(insertion_before(cx, first.syntax(), parameter)),
        (None, Some(last)) => Some(element_insertion(last.syntax(), parameter)),
        (None, None) => {
            let range = list.syntax().text_range();
            Some(replace(
                range,
                format!("({end}{deeper}{parameter},{end}{indent})"),
            ))
        }
    }
}

fn insertion_before(cx: &AssistContext<'_>, next: &SyntaxNode, text: &str) -> Edit {
    let start = next.text_range().start();
    let blanks = match cx.is_first_on_line(start) {
        true => format!("{}{}", cx.line_break(), cx.indent(start)),
        false => " ".to_owned(),
    };
    insert(start, format!("{text},{blanks}"))
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::applied;

    #[test]
    fn adds_an_unknown_variable() {
        let added = |code: &str| applied("add-parameter", code);
        assert_eq!(
            added("class m {\n  notice($<^>x)\n}\n"),
            "class m (\n  Any $x,\n) {\n  notice($x)\n}\n"
        );
        assert_eq!(
            added("define m::d () {\n  notice(\"a ${<^>x}\")\n}\n"),
            "define m::d (\n  Any $x,\n) {\n  notice(\"a ${x}\")\n}\n"
        );
        assert_eq!(
            added("class m (\n  Integer $a,\n  $b = 1,\n) {\n  notice($a, $b, <^>$x)\n}\n"),
            "class m (\n  Integer $a,\n  Any $x,\n  $b = 1,\n) {\n  notice($a, $b, $x)\n}\n"
        );
        assert_eq!(
            added("class m ($a) {\n  notice($a, <^>$x)\n}\n"),
            "class m ($a, Any $x) {\n  notice($a, $x)\n}\n"
        );
        assert_eq!(
            added("class m ($a) {\n  notice(<^>$a, $facts)\n}\n"),
            "none"
        );
        assert_eq!(added("class m {\n  notice(<^>$m::x)\n}\n"), "none");
    }

    #[test]
    fn extracts_a_constant() {
        let extracted = |code: &str| applied("extract-parameter", code);
        assert_eq!(
            extracted("class m inherits n {\n  file { '/a': mode => <^>'0644'<^> }\n}\n"),
            "class m (\n  String $mode = '0644',\n) inherits n {\n  file { '/a': mode => $mode }\n}\n"
        );
        assert_eq!(
            extracted("define m::d ($a) {\n  notice($a, <^>[1, 2]<^>)\n}\n"),
            "define m::d ($a, Array[Integer] $value = [1, 2]) {\n  notice($a, $value)\n}\n"
        );
        for code in [
            "class m ($x = <^>'a'<^>) {\n  notice($x)\n}\n",
            "class m ($x) {\n  case $x { <^>'a'<^>: { } default: { } }\n}\n",
            "class m ($x) {\n  notice(<^>$x + 1<^>)\n}\n",
            "function m::f() {\n  notice(<^>'a'<^>)\n}\n",
        ] {
            assert_eq!(extracted(code), "none", "{code}");
        }
    }
}
