//! Renders inferred types and known values.

use salsa::Database;
use syntax::ast::{AstNode, Attribute, Definition, Expr, ResourceBody, ResourceExpr};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

use super::super::Hover;
use super::super::markdown::code_block;
use base::{FileInput, truncated};
use infer::Inferred;
use infer::inferred_at;
use types::values::{Value, source};
use types::{display_hover, display_written};

/// The maximum length of a displayed type or value, in characters.
const MAX_LENGTH: usize = 1_000;
/// The length from which a collection is displayed with one element per line.
const MAX_LINE_LENGTH: usize = 80;

/// Returns the hover of an expression at its name, operator, bracket or keyword.
pub(super) fn expression(db: &dyn Database, file: FileInput, node: &SyntaxNode) -> Option<Hover> {
    let expr = expression_of(node)?;
    let range = expr.syntax().text_range();
    let name = match &expr {
        Expr::VariableExpr(it) => Some(format!("${}", it.name()?)),
        _ => None,
    };
    let inferred = inferred_type(db, file, range)?;
    Some(Hover {
        range,
        markdown: render_inferred(name.as_deref(), &inferred),
    })
}

/// Returns the inferred type of a parameter as a declaration (`Integer $x`), and the rendered
/// section.
pub(super) fn parameter(
    db: &dyn Database,
    file: FileInput,
    token: &SyntaxToken,
) -> Option<(String, String)> {
    let inferred = inferred_type(db, file, token.text_range())?;
    let name = token.text();
    let name = name.strip_prefix('$').unwrap_or(name);
    let declared = format!("{} ${name}", display_hover(&inferred.type_));
    Some((
        declared,
        render_inferred(Some(&format!("${name}")), &inferred),
    ))
}

/// Renders the result type of a call, if `node` is the name of its function.
pub(super) fn call_result(db: &dyn Database, file: FileInput, node: &SyntaxNode) -> Option<String> {
    let is_call =
        |it: &SyntaxNode| matches!(it.kind(), SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL);
    let call = [Some(node.clone()), node.parent()]
        .into_iter()
        .flatten()
        .find(is_call)?;
    let is_name = match Expr::cast(call.clone())? {
        Expr::CallExpr(it) => it.callee().is_some_and(|it| it.syntax() == node) || &call == node,
        _ => true,
    };
    let inferred = inferred_type(db, file, call.text_range()).filter(|_| is_name)?;
    Some(code_block(&format!(
        ">> {}",
        render_type_and_value(None, &inferred)
    )))
}

/// Returns the hover of the title of a resource: its attributes with their values or types.
pub(super) fn title(db: &dyn Database, file: FileInput, node: &SyntaxNode) -> Option<Hover> {
    let body = ResourceBody::cast(node.parent()?)?;
    let title = body.title().filter(|it| it.syntax() == node)?;
    let resource = ResourceExpr::cast(body.syntax().parent()?)?;
    let kind = match resource.type_name() {
        Some(it) => it.syntax().text().to_string(),
        None => "class".to_owned(),
    };
    let range = title.syntax().text_range();
    let shown = inferred_type(db, file, range).and_then(|it| source(it.value.as_ref()?));
    let shown = shown.unwrap_or_else(|| title.syntax().text().to_string());
    let mut lines = vec![format!("{kind} {{ {shown}:")];
    for attribute in effective_attributes(&resource, &body) {
        let (Some(name), Some(value)) = (attribute.name_token(), attribute.value()) else {
            continue;
        };
        let value = match inferred_type(db, file, value.syntax().text_range()) {
            Some(it) => match it.value.as_ref().and_then(source) {
                Some(value) => truncated(&value, MAX_LENGTH),
                None => format!("# {}", truncated(&display_hover(&it.type_), MAX_LENGTH)),
            },
            None => "# unknown".to_owned(),
        };
        lines.push(format!("  {} => {value},", name.text()));
    }
    lines.push("}".to_owned());
    Some(Hover {
        range,
        markdown: code_block(&lines.join("\n")),
    })
}

/// Returns the attributes of a resource body, including those inherited from the `default:` body.
fn effective_attributes(resource: &ResourceExpr, body: &ResourceBody) -> Vec<Attribute> {
    let attributes = |body: &ResourceBody| -> Vec<Attribute> {
        let all = body.operations();
        all.filter_map(|it| Attribute::cast(it.syntax().clone()))
            .collect()
    };
    let name = |it: &Attribute| it.name_token().map(|it| it.text().to_owned());
    let mut found = attributes(body);
    let is_default =
        |it: &ResourceBody| it.title().is_some_and(|it| it.syntax().text() == "default");
    for default in resource.bodies().filter(is_default) {
        for attribute in attributes(&default) {
            if !found.iter().any(|it| name(it) == name(&attribute)) {
                found.push(attribute);
            }
        }
    }
    found
}

/// Returns the inferred type of a range, unless it is `Any`.
fn inferred_type(db: &dyn Database, file: FileInput, range: syntax::TextRange) -> Option<Inferred> {
    inferred_at(db, file, range).filter(|it| !it.type_.is_any())
}

/// Renders a type and value, and the Puppet notation of the type if it differs.
pub(crate) fn render_inferred(name: Option<&str>, inferred: &Inferred) -> String {
    let mut markdown = code_block(&render_type_and_value(name, inferred));
    let written = display_written(&inferred.type_);
    if written != display_hover(&inferred.type_) {
        markdown.push_str(&format!(
            "\n\nPuppet type: `{}`",
            truncated(&written, MAX_LENGTH)
        ));
    }
    markdown
}

fn render_type_and_value(name: Option<&str>, inferred: &Inferred) -> String {
    let type_ = truncated(&display_hover(&inferred.type_), MAX_LENGTH);
    let mut text = match name {
        Some(name) => format!("{name}: {type_}"),
        None => type_,
    };
    if let Some(value) = &inferred.value
        && let Some(value) = render_value(value)
    {
        text.push_str(" = ");
        text.push_str(&truncated(&value, MAX_LENGTH));
    }
    text
}

/// Renders a value as Puppet source; long collections with one element per line.
fn render_value(value: &Value) -> Option<String> {
    let line = source(value)?;
    if line.chars().count() <= MAX_LINE_LENGTH {
        return Some(line);
    }
    let (open, close, elements) = match value {
        Value::Array(items) => {
            let all: Option<Vec<String>> = items.iter().map(source).collect();
            ("[", "]", all?)
        }
        Value::Hash(entries) => {
            let pair = |(key, value): (&Value, &Value)| {
                Some(format!("{} => {}", source(key)?, source(value)?))
            };
            let all: Option<Vec<String>> = entries.iter().map(pair).collect();
            ("{", "}", all?)
        }
        _ => return Some(line),
    };
    let lines: Vec<String> = elements.iter().map(|it| format!("  {it},\n")).collect();
    Some(format!("{open}\n{}{close}", lines.concat()))
}

/// Returns the expression that a token of `node` represents: a name itself, an operator or bracket
/// the whole expression.
fn expression_of(node: &SyntaxNode) -> Option<Expr> {
    use SyntaxKind::*;
    for node in node.ancestors() {
        if is_name_only(&node) {
            return None;
        }
        if let Some(expr) = Expr::cast(node.clone()) {
            return (!Definition::can_cast(node.kind())).then_some(expr);
        }
        let is_part = matches!(
            node.kind(),
            ACCESS_KEYS | ARGUMENT_LIST | HASH_ENTRY | INTERPOLATION | SELECTOR_ENTRY | ELSE_CLAUSE
        );
        if !is_part {
            return None;
        }
    }
    None
}

/// Checks whether a word names a function or resource type and is not a value.
fn is_name_only(node: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let is_first = node.prev_sibling().is_none();
    let parent = node.parent().map(|it| it.kind());
    matches!(node.kind(), QUALIFIED_NAME | QUALIFIED_REFERENCE)
        && is_first
        && matches!(
            parent,
            Some(CALL_EXPR | RESOURCE_EXPR | UNTITLED_RESOURCE | RESOURCE_DEFAULTS | COLLECT_EXPR)
        )
}
