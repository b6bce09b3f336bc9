//! What may stand where the cursor is.

use syntax::ast::{AccessExpr, AstNode, Attribute, Definition, Expr, MethodCall};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use super::super::cursor::{Site, WORD};
use super::expected::{Expected, expected};
use super::own_name::Named;
use super::resource::{ResourceAt, resource_around};
use crate::types::reader::is_data_type;
use crate::workspace::body::PathKind;
use crate::workspace::canonical;

/// What may stand at the cursor, and what of it is there.
pub(super) struct Spot {
    pub(super) place: Place,
    /// What is replaced: from where the word starts to the cursor.
    pub(super) word: TextRange,
    /// Whether it is the text of a string.
    pub(super) in_string: bool,
}

/// What may stand at a place.
pub(super) enum Place {
    /// The name of a variable.
    Variable(Expected),
    /// The name of an attribute.
    Attribute(ResourceAt),
    /// A value.
    Value(Expected),
    /// The name of a function whose arguments are there.
    Call(Expected),
    /// A key of a hash that is written out.
    HashKey(Expected),
    /// The name of a definition, which is given here.
    OwnName(Named),
    /// The name of a class.
    Class,
    /// The name of a resource type or a defined type.
    ResourceType,
    /// A data type.
    Type,
    /// The type in a reference to a resource.
    Reference,
    /// A function behind a dot.
    Method(Expr),
    /// A key of a value.
    Key(Expr),
    /// The title of a resource of a type.
    Title(String),
    /// The path of a file in a module.
    Path(PathKind),
    /// A statement.
    Statement,
}

/// What may stand at the cursor; nothing where a name is given or text is free.
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

/// What gives itself a name here, if it is not inside of another definition.
fn own_name(name: &SyntaxNode) -> Option<Named> {
    let mut around = name.ancestors().filter_map(Definition::cast);
    let definition = around.next()?;
    around.next().is_none().then(|| Named::of(&definition))?
}

/// Whether a word stands behind `${`, in a string that does not end.
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

/// The word from its start to the cursor: an edit must not reach over lines.
fn word(site: &Site<'_>, start: TextSize) -> Option<TextRange> {
    let range = (start <= site.offset).then(|| TextRange::new(start, site.offset))?;
    (!site.text[range].contains(['\n', '\r'])).then_some(range)
}

fn is_word(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(kind, NAME | WORD | CLASSREF) || kind.is_keyword()
}

/// Whether a variable is given its value here.
fn is_assigned(variable: &SyntaxNode) -> bool {
    let assignment = variable.parent().and_then(syntax::ast::Assignment::cast);
    let target = assignment.and_then(|it| it.lhs());
    target.is_some_and(|it| it.syntax() == variable)
}

/// In code that could not be read: between parameters a type is missing.
fn of_error(node: &SyntaxNode) -> Place {
    use SyntaxKind::*;
    let around = node.parent().map(|it| it.kind());
    match around {
        Some(PARAMETER_LIST | PARAMETER | EPP_PARAMETERS | RETURN_TYPE | TYPE_ALIAS) => Place::Type,
        _ => Place::Statement,
    }
}

/// What may stand where an expression does.
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

/// Whether a type stands there and not a default.
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

/// Whether it is the first word of `File { … }`, which is read as a title.
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

/// The body in front of another one, if no `;` is between: then a comma has been forgotten there,
/// and the word in front of the cursor is not a title.
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

/// Whether an access is the `File['a']` of `File['a'] { … }`.
fn in_override(access: &SyntaxNode) -> bool {
    let parent = access.parent().map(|it| it.kind());
    parent == Some(SyntaxKind::RESOURCE_OVERRIDE)
}

fn has_token(node: &SyntaxNode, kinds: &[SyntaxKind]) -> bool {
    let mut children = node.children_with_tokens();
    children.any(|it| kinds.contains(&it.kind()))
}

/// Whether it is the text of a `source` that leads into a module, or of a file's that may.
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
    // The word begins with another letter.
    let written = match written.find(WORD) {
        Some(at) => &written[..at.saturating_sub(1)],
        None => written,
    };
    let is_file = || resource_around(attribute).is_some_and(|it| it.type_ == "file");
    text.starts_with(START) || START.starts_with(written) && is_file()
}

/// Between the brackets of `a[…]`.
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
        it if crate::workspace::resolve::resource_type(site.db, site.environment, it).is_ok() => {
            Place::Title(name)
        }
        _ => Place::Type,
    })
}

/// In the arguments of a call.
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

/// The function of a call.
pub(super) fn function_name(call: &SyntaxNode) -> Option<String> {
    let name = match Expr::cast(call.clone())? {
        Expr::CallExpr(it) => it.name_token(),
        Expr::MethodCall(it) => it.name_token(),
        _ => None,
    }?;
    Some(canonical(name.text()))
}
