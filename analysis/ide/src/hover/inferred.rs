//! Renders inferred types and known values.

use salsa::Database;
use syntax::ast::{
    AccessExpr, AstNode, Attribute, Definition, Expr, Parameter, ResourceBody, ResourceExpr,
};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use super::super::literals::is_literal;
use super::super::markdown::code_block;
use super::super::readable_type::{readable_type, without_inferred_details};
use super::super::text::uncut_excerpt;
use super::content::{HoverContent, MAX_SIGNATURE, one_line};
use crate::bolt::PlanTypes;
use base::{FileInput, truncated};
use infer::inferred_at;
use infer::{Inferred, WorkspaceTypes};
use types::values::{Value, source};
use types::{Type, display_written, generalize};

/// The maximum length of a displayed type or value below the rule, in characters.
const MAX_LENGTH: usize = 1_000;
/// The maximum length of a type or value in a line, in characters. Longer ones are widened or
/// truncated, and shown in full below the rule.
const MAX_LINE_LENGTH: usize = 80;
/// The maximum number of attributes of a resource above the rule.
pub(super) const MAX_ATTRIBUTES: usize = 6;

/// Returns the hover of an expression at its name, operator, bracket or keyword. Literals have
/// none: their value is what is written.
pub(super) fn expression(
    db: &dyn Database,
    file: FileInput,
    node: &SyntaxNode,
) -> Option<(TextRange, HoverContent)> {
    let expr = expression_of(node)?;
    if is_literal(&expr) || is_conditional_statement(&expr) {
        return None;
    }
    let range = expr.syntax().text_range();
    let name = match &expr {
        Expr::VariableExpr(it) => Some(format!("${}", it.name()?)),
        _ => None,
    };
    let Some(inferred) = inferred_type(db, file, range) else {
        let type_ = PlanTypes::new(db, file).shown(&expr)?;
        return Some((range, HoverContent::new(format!("{type_} {}", name?))));
    };
    let is_repeated = || {
        let shown = inferred.value.as_ref().and_then(source);
        shown.is_some_and(|it| it == uncut_excerpt(expr.syntax()))
    };
    if name.is_none() && is_repeated() {
        return None;
    }
    Some((range, content(name.as_deref(), &inferred)))
}

/// Checks whether an expression is a conditional whose value no code uses: one outside of functions and lambdas.
fn is_conditional_statement(expr: &Expr) -> bool {
    let is_conditional = matches!(
        expr,
        Expr::IfExpr(_) | Expr::UnlessExpr(_) | Expr::CaseExpr(_)
    );
    let around = || expr.syntax().ancestors().skip(1);
    is_conditional
        && around()
            .next()
            .is_none_or(|it| matches!(it.kind(), SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE))
        && !around().any(|it| {
            matches!(
                it.kind(),
                SyntaxKind::LAMBDA | SyntaxKind::FUNCTION_DEFINITION
            )
        })
}

/// Returns the hover of a string that is the key of a variable, such as `$trusted['certname']`: the type of its value.
pub(super) fn key(
    db: &dyn Database,
    file: FileInput,
    node: &SyntaxNode,
) -> Option<(TextRange, HoverContent)> {
    Expr::cast(node.clone())?.plain_text()?;
    let access = node.ancestors().nth(2).and_then(AccessExpr::cast)?;
    let mut base = access.base()?;
    while let Expr::AccessExpr(it) = &base {
        base = it.base()?;
    }
    let [only] = &*access.keys() else { return None };
    if only.syntax() != node || !matches!(base, Expr::VariableExpr(_)) {
        return None;
    }
    let inferred = inferred_type(db, file, access.syntax().text_range())?;
    let written = one_line(&uncut_excerpt(access.syntax()));
    // In `${…}`, the variable has no dollar sign.
    let written = match written.starts_with('$') {
        true => written,
        false => format!("${written}"),
    };
    Some((node.text_range(), content(Some(&written), &inferred)))
}

/// Returns the inferred type and value of a variable with this name.
pub(super) fn named(
    db: &dyn Database,
    file: FileInput,
    token: &SyntaxToken,
    name: &str,
) -> Option<HoverContent> {
    let Some(inferred) = inferred_type(db, file, token.text_range()) else {
        let declaration = token.parent().and_then(Parameter::cast)?;
        let type_ = PlanTypes::new(db, file).shown_parameter(&declaration)?;
        return Some(HoverContent::new(format!("{type_} {name}")));
    };
    Some(content(Some(name), &inferred))
}

/// Checks whether the part of a fact at one of its keys may be missing.
pub(super) fn may_be_undef(db: &dyn Database, file: FileInput, key: &SyntaxToken) -> bool {
    let access = key.parent_ancestors().find_map(AccessExpr::cast);
    let range = access.map(|it| it.syntax().text_range());
    let inferred = range.and_then(|it| inferred_at(db, file, it));
    inferred.is_some_and(|it| matches!(it.type_, Type::Optional(Some(_))))
}

/// Returns the type of a parameter at a place, unless the declared one says as much.
pub(super) fn parameter(
    db: &dyn Database,
    file: FileInput,
    token: &SyntaxToken,
    declaration: &str,
) -> Option<Described> {
    let inferred = inferred_type(db, file, token.text_range())?;
    let described = Described::new(&inferred);
    if described.value.is_some() {
        return Some(described);
    }
    let declared = declaration.split(" $").next().unwrap_or_default();
    let is_declared = declared == display_written(&inferred.type_) || declared == described.type_;
    let includes_declared = || {
        let declared = WorkspaceTypes::in_file(db, file).read_text(declared);
        declared.is_some_and(|it| types::is_assignable(&inferred.type_, &it) == Some(true))
    };
    (!is_declared && !includes_declared()).then_some(described)
}

/// Returns the type of the result of a call, if `node` is the name of its function. That of a statement is not used.
pub(super) fn call_result(
    db: &dyn Database,
    file: FileInput,
    node: &SyntaxNode,
) -> Option<Described> {
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
    if is_unused(&call) {
        return None;
    }
    let inferred = inferred_type(db, file, call.text_range()).filter(|_| is_name)?;
    Some(Described::new(&inferred))
}

/// Checks whether an expression is a statement whose value Puppet drops.
fn is_unused(node: &SyntaxNode) -> bool {
    let Some(block) = node.parent() else {
        return false;
    };
    if block.kind() == SyntaxKind::SOURCE_FILE {
        return true;
    }
    let is_last = block.last_child().as_ref() == Some(node);
    let owner = block.parent().map(|it| it.kind());
    let has_no_value = matches!(
        owner,
        Some(
            SyntaxKind::CLASS_DEFINITION
                | SyntaxKind::DEFINE_DEFINITION
                | SyntaxKind::NODE_DEFINITION
        )
    );
    block.kind() == SyntaxKind::BLOCK && (has_no_value || !is_last)
}

/// A type and a value as text.
#[derive(Clone, Debug)]
pub(super) struct Described {
    /// The type, short enough for a line. Of a known value, without its details.
    pub(super) type_: String,
    /// The value, short enough for a line.
    pub(super) value: Option<String>,
    /// The parts that do not fit in a line, as Markdown.
    pub(super) rest: Option<String>,
}

impl Described {
    pub(super) fn new(inferred: &Inferred) -> Described {
        let full_value = inferred.value.as_ref().and_then(render_value);
        let value = inferred.value.as_ref().and_then(source);
        let exact = match value {
            Some(_) => display_written(&without_inferred_details(&general(&inferred.type_))),
            None => display_written(&without_inferred_details(&inferred.type_)),
        };
        let is_short = |text: &str| text.chars().count() <= MAX_LINE_LENGTH;
        let type_ = match is_short(&exact) {
            true => exact.clone(),
            false => readable_type(&inferred.type_, MAX_LINE_LENGTH)
                .unwrap_or_else(|| truncated(&exact, MAX_LINE_LENGTH)),
        };
        let rest = match (&value, full_value) {
            (Some(value), Some(full)) if !is_short(value) => Some(full),
            (None, _) if type_ != exact => Some(exact),
            _ => None,
        };
        let value = value.map(|it| truncated(&it, MAX_LINE_LENGTH));
        // A line break in a value must not break the line.
        let value = value.map(|it| it.replace(['\n', '\r'], " "));
        let rest = rest.map(|it| code_block(&truncated(&it, MAX_LENGTH)));
        Described { type_, value, rest }
    }

    /// Returns the type and value as Markdown on one line.
    pub(super) fn line(&self, label: &str) -> String {
        match &self.value {
            Some(value) => format!("{label} {} = {}", code(&self.type_), code(value)),
            None => format!("{label} {}", code(&self.type_)),
        }
    }
}

/// Generalizes the type of a known value.
fn general(type_: &Type) -> Type {
    match type_ {
        Type::String(_) | Type::Enum(_) => Type::STRING,
        _ => generalize(type_),
    }
}

/// Wraps text in more backticks than it contains.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max();
    match longest.unwrap_or_default() {
        0 => format!("`{text}`"),
        count => {
            let mark = "`".repeat(count + 1);
            format!("{mark} {text} {mark}")
        }
    }
}

pub(super) fn content(name: Option<&str>, inferred: &Inferred) -> HoverContent {
    let Described { type_, value, rest } = Described::new(inferred);
    let mut text = match name {
        Some(name) => format!("{type_} {name}"),
        None => type_,
    };
    if let Some(value) = value {
        text.push_str(" = ");
        text.push_str(&value);
    }
    HoverContent::new(text).detail(rest.unwrap_or_default())
}

/// Returns the hover of the title of a resource: the attributes whose values are computed or
/// inherited from the `default:` body, and a computed title.
pub(super) fn title(
    db: &dyn Database,
    file: FileInput,
    node: &SyntaxNode,
) -> Option<(TextRange, HoverContent)> {
    let body = ResourceBody::cast(node.parent()?)?;
    let title = body.title().filter(|it| it.syntax() == node)?;
    let resource = ResourceExpr::cast(body.syntax().parent()?)?;
    let kind = match resource.type_name() {
        Some(it) => it.syntax().text().to_string(),
        None => "class".to_owned(),
    };
    let range = title.syntax().text_range();
    let known = inferred_type(db, file, range).and_then(|it| source(it.value.as_ref()?));
    let shown = known.unwrap_or_else(|| uncut_excerpt(title.syntax()));
    let attributes = informative_attributes(db, file, &resource, &body);
    if attributes.is_empty() && is_literal(&title) {
        return None;
    }
    let (first, others) = attributes.split_at(attributes.len().min(MAX_ATTRIBUTES));
    let mut lines = vec![format!("{kind} {{ {}:", one_line(&shown))];
    lines.extend(
        first
            .iter()
            .map(|it| format!("  {}", truncated(it, MAX_SIGNATURE))),
    );
    lines.extend((!others.is_empty()).then(|| "  # …".to_owned()));
    lines.push("}".to_owned());
    let truncated = first.iter().filter(|it| it.chars().count() > MAX_SIGNATURE);
    let rest: Vec<&str> = truncated.chain(others).map(String::as_str).collect();
    let content = HoverContent::of_lines(lines);
    let rest = match rest.is_empty() {
        true => String::new(),
        false => code_block(&rest.join("\n")),
    };
    Some((range, content.detail(rest)))
}

/// Renders the attributes whose values are not written in the resource body.
fn informative_attributes(
    db: &dyn Database,
    file: FileInput,
    resource: &ResourceExpr,
    body: &ResourceBody,
) -> Vec<String> {
    let own = body.syntax().text_range();
    let mut lines = Vec::new();
    for attribute in effective_attributes(resource, body) {
        let (Some(name), Some(value)) = (attribute.name_token(), attribute.value()) else {
            continue;
        };
        let is_own = own.contains_range(attribute.syntax().text_range());
        if is_own && is_literal(&value) {
            continue;
        }
        let inferred = inferred_type(db, file, value.syntax().text_range());
        let shown = match inferred.as_ref().map(Described::new) {
            Some(it) => match inferred.as_ref().and_then(|it| source(it.value.as_ref()?)) {
                Some(value) => value.replace(['\n', '\r'], " "),
                None => format!("# {}", it.type_),
            },
            None => continue,
        };
        let name = name.text();
        lines.push(match shown.starts_with('#') {
            true => format!("{name} => {shown}"),
            false => format!("{name} => {},", truncated(&shown, MAX_LENGTH)),
        });
    }
    lines
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

/// Returns the inferred type of a range, unless it is `Any` or `NotUndef`, which say nearly as little.
fn inferred_type(db: &dyn Database, file: FileInput, range: syntax::TextRange) -> Option<Inferred> {
    let is_known = |it: &Type| !it.is_any() && !matches!(it, Type::NotUndef(None));
    inferred_at(db, file, range).filter(|it| is_known(&it.type_))
}

/// Renders a type and value, for the tooltip of a hint.
pub(crate) fn render_inferred(name: Option<&str>, inferred: &Inferred) -> String {
    content(name, inferred).into_documentation()
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
