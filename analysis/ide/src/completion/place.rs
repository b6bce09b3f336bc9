//! Classifies the cursor position for completion.

use syntax::ast::{AccessExpr, AstNode, Attribute, Definition, Expr, MethodCall};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use super::super::cursor::{Site, WORD};
use super::expected::{Expected, expected};
use super::own_name::Named;
use super::resource::{ResourceAt, resource_around};
use hir::body::PathKind;
use hir::canonical;
use types::reader::is_data_type;

/// The completion context at the cursor.
pub(super) struct Spot {
    pub(super) place: Place,
    /// The range to replace: from the start of the word to the cursor.
    pub(super) word: TextRange,
    /// Whether the cursor is inside a string literal.
    pub(super) in_string: bool,
}

/// The kind of syntax expected at the cursor.
pub(super) enum Place {
    /// A variable name.
    Variable(Expected),
    /// An attribute name.
    Attribute(ResourceAt),
    /// An expression.
    Value(Expected),
    /// A function name before existing arguments.
    Call(Expected),
    /// A key in a hash literal.
    HashKey(Expected),
    /// The name in a definition.
    OwnName(Named),
    /// A class name.
    Class,
    /// The name of a resource type or defined type.
    ResourceType,
    /// A data type.
    Type,
    /// The type in a resource reference.
    Reference,
    /// A function after the dot of a method call, with the receiver.
    Method(Expr),
    /// A key in an access expression, with the accessed expression.
    Key(Expr),
    /// The title of a resource, with its type.
    Title(String),
    /// The path of a file in a module.
    Path(PathKind),
    /// A statement.
    Statement,
}

/// Classifies the cursor position. Returns `None` at new names and in free text.
pub(super) fn spot(site: &Site<'_>) -> Option<Spot> {
    use SyntaxKind::*;
    let token = &site.token;
    let parent = token.parent()?;
    let start = token.text_range().start();
    if token.kind() == VARIABLE || parent.kind() == VARIABLE_EXPR || is_interpolated(token) {
        if matches!(parent.kind(), PARAMETER) || is_assigned(&parent) {
            return None;
        }
        let sigil = TextSize::new(u32::from(token.text().starts_with('$')));
        return Some(Spot {
            place: Place::Variable(expected(site, &parent)),
            word: word(site, start + sigil)?,
            in_string: false,
        });
    }
    let (node, start, in_string) = match token.kind() {
        SINGLE_QUOTED | DOUBLE_QUOTED => (parent, start + TextSize::new(1), true),
        STRING_TEXT if parent.kind() == INTERPOLATED_STRING => {
            let open = token.prev_token()?;
            if open.kind() != STRING_OPEN {
                return None;
            }
            (parent, start, true)
        }
        kind if is_word(kind) => (parent, start, false),
        _ => return None,
    };
    let place = match node.kind() {
        _ if in_string => of_expression(site, &node)?,
        ATTRIBUTE => Place::Attribute(resource_around(&node)?),
        METHOD_CALL => Place::Method(MethodCall::cast(node)?.receiver()?),
        DEFINITION_NAME => match node.parent()?.kind() {
            INHERITS => Place::Class,
            _ => Place::OwnName(own_name(&node)?),
        },
        HOST_NAME => return None,
        ERROR => of_error(&node),
        PARAMETER | PARAMETER_LIST => Place::Type,
        _ if Expr::can_cast(node.kind()) => of_expression(site, &node)?,
        _ => return None,
    };
    let is_text = matches!(
        place,
        Place::Class
            | Place::Key(_)
            | Place::Title(_)
            | Place::Path(_)
            | Place::Value(_)
            | Place::HashKey(_)
    );
    (is_text || !in_string).then_some(())?;
    Some(Spot {
        place,
        word: word(site, start)?,
        in_string,
    })
}

/// Returns the kind of definition named here, unless it is nested in another one.
fn own_name(name: &SyntaxNode) -> Option<Named> {
    let mut around = name.ancestors().filter_map(Definition::cast);
    let definition = around.next()?;
    around.next().is_none().then(|| Named::of(&definition))?
}

/// Checks whether a word follows `${` in an unclosed string.
fn is_interpolated(token: &SyntaxToken) -> bool {
    let before = token.prev_token().map(|it| it.kind());
    let around = token
        .parent()
        .and_then(|it| it.parent())
        .map(|it| it.kind());
    is_word(token.kind())
        && before == Some(SyntaxKind::INTERPOLATION_OPEN)
        && around != Some(SyntaxKind::CALL_EXPR)
}

/// Returns the range of the word up to the cursor, unless it spans lines.
fn word(site: &Site<'_>, start: TextSize) -> Option<TextRange> {
    let range = (start <= site.offset).then(|| TextRange::new(start, site.offset))?;
    (!site.text[range].contains(['\n', '\r'])).then_some(range)
}

fn is_word(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(kind, NAME | WORD | CLASSREF) || kind.is_keyword()
}

/// Checks whether a variable is the target of an assignment.
fn is_assigned(variable: &SyntaxNode) -> bool {
    let assignment = variable.parent().and_then(syntax::ast::Assignment::cast);
    let target = assignment.and_then(|it| it.lhs());
    target.is_some_and(|it| it.syntax() == variable)
}

/// Classifies a position in an error node: a type in parameter lists, otherwise a statement.
fn of_error(node: &SyntaxNode) -> Place {
    use SyntaxKind::*;
    let around = node.parent().map(|it| it.kind());
    match around {
        Some(PARAMETER_LIST | PARAMETER | EPP_PARAMETERS | RETURN_TYPE | TYPE_ALIAS) => Place::Type,
        _ => Place::Statement,
    }
}

/// Classifies the position of an expression.
fn of_expression(site: &Site<'_>, node: &SyntaxNode) -> Option<Place> {
    use SyntaxKind::*;
    let parent = node.parent()?;
    let is_first = node.prev_sibling().is_none();
    Some(match parent.kind() {
        RETURN_TYPE | TYPE_ALIAS | PARAMETER if is_before_name(node, &parent) => Place::Type,
        ACCESS_KEYS => of_key(site, &parent)?,
        RESOURCE_BODY if is_first && has_reference(&parent) => {
            Place::Attribute(resource_around(&parent)?)
        }
        RESOURCE_BODY if is_first && !in_string(node) && body_before(&parent).is_some() => {
            Place::Attribute(resource_around(&body_before(&parent)?)?)
        }
        RESOURCE_BODY if is_first => match resource_around(&parent)?.type_.as_str() {
            "class" => Place::Class,
            _ => return None,
        },
        RESOURCE_EXPR | UNTITLED_RESOURCE if is_first => Place::ResourceType,
        RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | COLLECT_EXPR if is_first => Place::Reference,
        ACCESS_EXPR if is_first && in_override(&parent) => Place::Reference,
        ACCESS_EXPR if is_first => of_expression(site, &parent)?,
        BINARY_EXPR if is_first && parent.parent()?.kind() == COLLECT_QUERY => {
            Place::Attribute(resource_around(&parent)?)
        }
        COLLECT_QUERY => Place::Attribute(resource_around(&parent)?),
        BINARY_EXPR if !is_first && has_token(&parent, &[MATCH, NOT_MATCH]) => Place::Type,
        ARGUMENT_LIST => of_argument(site, node, &parent)?,
        ARRAY if parent.parent()?.kind() == ARGUMENT_LIST => {
            match of_argument(site, &parent, &parent.parent()?)? {
                Place::Class => Place::Class,
                _ => Place::Value(expected(site, node)),
            }
        }
        HASH_ENTRY if is_first => Place::HashKey(expected(site, &parent.parent()?)),
        CALL_EXPR if is_first => Place::Call(expected(site, &parent)),
        ATTRIBUTE if is_source(node, &parent) => Place::Path(PathKind::Source),
        ARRAY if parent.parent().is_some_and(|it| is_source(node, &it)) => {
            Place::Path(PathKind::Source)
        }
        _ if is_statement(node) => Place::Statement,
        _ => Place::Value(expected(site, node)),
    })
}

/// Checks whether a node is the type, not the default, of a parameter.
fn is_before_name(node: &SyntaxNode, parent: &SyntaxNode) -> bool {
    let name = parent
        .children_with_tokens()
        .find(|it| parent.kind() == SyntaxKind::PARAMETER && it.kind() == SyntaxKind::VARIABLE);
    name.is_none_or(|it| node.text_range().end() <= it.text_range().start())
}

fn is_statement(node: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let parent = node.parent().map(|it| it.kind());
    matches!(parent, Some(BLOCK | SOURCE_FILE | TEMPLATE | ERROR))
}

/// Checks whether the resource has a capitalized type: the first word of `File { … }` is parsed as
/// a title.
fn has_reference(body: &SyntaxNode) -> bool {
    let type_ = body.parent().and_then(|it| it.first_child());
    type_.is_some_and(|it| it.kind() == SyntaxKind::QUALIFIED_REFERENCE)
}

fn in_string(node: &SyntaxNode) -> bool {
    matches!(
        node.kind(),
        SyntaxKind::STRING | SyntaxKind::INTERPOLATED_STRING
    )
}

/// Returns the previous resource body if no `;` separates it from this one. In that case a comma is
/// missing, and the word at the cursor is an attribute, not a title.
fn body_before(body: &SyntaxNode) -> Option<SyntaxNode> {
    let mut at = body.prev_sibling_or_token();
    while let Some(element) = at {
        match element.kind() {
            SyntaxKind::SEMICOLON => return None,
            SyntaxKind::RESOURCE_BODY => return element.into_node(),
            _ => at = element.prev_sibling_or_token(),
        }
    }
    None
}

/// Checks whether an access is the `File['a']` in `File['a'] { … }`.
fn in_override(access: &SyntaxNode) -> bool {
    let parent = access.parent().map(|it| it.kind());
    parent == Some(SyntaxKind::RESOURCE_OVERRIDE)
}

fn has_token(node: &SyntaxNode, kinds: &[SyntaxKind]) -> bool {
    let mut children = node.children_with_tokens();
    children.any(|it| kinds.contains(&it.kind()))
}

/// Checks whether a node is a `puppet:///modules/` URI in a `source` attribute, or the start of one
/// in a `file` resource.
fn is_source(node: &SyntaxNode, attribute: &SyntaxNode) -> bool {
    const START: &str = "puppet:///modules/";
    let name = Attribute::cast(attribute.clone()).and_then(|it| it.name_token());
    if !in_string(node) || name.is_none_or(|it| it.text() != "source") {
        return false;
    }
    let text = node.text().to_string();
    let text = text.trim_start_matches(['\'', '"']);
    let end = text.find(|it: char| !it.is_ascii_lowercase() && !matches!(it, ':' | '/'));
    let written = &text[..end.unwrap_or(text.len())];
    // The marker has one more letter before `WORD`.
    let written = match written.find(WORD) {
        Some(at) => &written[..at.saturating_sub(1)],
        None => written,
    };
    let is_file = || resource_around(attribute).is_some_and(|it| it.type_ == "file");
    text.starts_with(START) || START.starts_with(written) && is_file()
}

/// Classifies a position between the brackets of `a[…]`.
fn of_key(site: &Site<'_>, keys: &SyntaxNode) -> Option<Place> {
    let access = AccessExpr::cast(keys.parent()?)?;
    let base = access.base()?;
    let Expr::QualifiedReference(type_) = &base else {
        return Some(Place::Key(base));
    };
    let name = canonical(&type_.text());
    Some(match name.as_str() {
        "class" => Place::Class,
        "enum" | "pattern" | "regexp" | "integer" | "float" | "string" | "timespan"
        | "timestamp" | "runtime" => return None,
        "resource" => Place::ResourceType,
        it if is_data_type(it) => Place::Type,
        it if hir::resolve::resource_type(site.db, site.environment, it).is_ok() => {
            Place::Title(name)
        }
        _ => Place::Type,
    })
}

/// Classifies a position in the arguments of a call.
fn of_argument(site: &Site<'_>, node: &SyntaxNode, list: &SyntaxNode) -> Option<Place> {
    let call = list.parent()?;
    let function = function_name(&call)?;
    let is_first = !list
        .children()
        .take_while(|it| it != node)
        .any(|it| Expr::can_cast(it.kind()));
    let is_call = call.kind() == SyntaxKind::CALL_EXPR;
    Some(match function.as_str() {
        "include" | "contain" | "require" if is_call => Place::Class,
        "defined" if node.kind() == SyntaxKind::STRING => Place::Class,
        "template" => Place::Path(PathKind::Template),
        "epp" if is_first && is_call => Place::Path(PathKind::Epp),
        "file" if is_call => Place::Path(PathKind::File),
        _ => Place::Value(expected(site, node)),
    })
}

/// Returns the name of the called function.
pub(super) fn function_name(call: &SyntaxNode) -> Option<String> {
    let name = match Expr::cast(call.clone())? {
        Expr::CallExpr(it) => it.name_token(),
        Expr::MethodCall(it) => it.name_token(),
        _ => None,
    }?;
    Some(canonical(name.text()))
}
