//! Classifies the cursor position for completion.

use syntax::ast::{AccessExpr, AstNode, Attribute, Definition, Expr, MethodCall};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use super::super::cursor::{CursorContext, MARKER_SUFFIX, token_before};
use super::autoloaded_name::AutoloadKind;
use super::comment_tags::{CommentWord, comment_word};
use super::expected::{ExpectedValue, expected_value};
use super::keywords::ends_class_header;
use super::paths::SOURCE_PREFIX;
use super::resource::{ResourceContext, enclosing_resource};
use hir::body::PathKind;
use hir::canonical_name;
use library::{KnownFunction, NamedEntity};
use types::reader::is_data_type;

/// The completion context at the cursor.
pub(super) struct CompletionContext {
    pub(super) syntax: ExpectedSyntax,
    /// The range to replace: from the start of the word to the cursor.
    pub(super) replace_range: TextRange,
    /// Whether the cursor is inside a string literal.
    pub(super) in_string: bool,
    /// Whether the word at the cursor starts a statement.
    pub(super) is_statement: bool,
}

/// The kind of syntax expected at the cursor.
pub(super) enum ExpectedSyntax {
    /// A variable name.
    Variable(ExpectedValue),
    /// An attribute name.
    Attribute(ResourceContext),
    /// An expression.
    Value(ExpectedValue),
    /// A function name before existing arguments.
    Callee(ExpectedValue),
    /// A key in a hash literal.
    HashKey(ExpectedValue),
    /// A key in the hash of a Struct: the name of a member, or a type that makes it optional.
    StructKey,
    /// The name in a definition.
    DefinitionName(AutoloadKind),
    /// The name of a node in its definition.
    NodeName,
    /// A class name.
    Class,
    /// The name of the class that a resource-like declaration declares.
    ClassTitle,
    /// The title of a new resource.
    NewTitle,
    /// The name that an argument of a call expects.
    NamedArgument(NamedEntity),
    /// The name of a resource type or defined type.
    ResourceType,
    /// A data type.
    DataType,
    /// The type in a resource reference.
    Reference,
    /// A tag or a parameter in a documentation comment.
    Comment(CommentWord),
    /// A function after the dot of a method call, with the receiver.
    Method(Expr),
    /// A key of an expression, and the keys before it.
    AccessKey(Expr, Vec<String>),
    /// The title of a resource, with its type.
    Title(String),
    /// The title in the query of a collector, with the type of the resources.
    CollectedTitle(String),
    /// The path of a file in a module.
    ModulePath(PathKind),
    /// The path of a file after the name of the own module.
    OwnModulePath(PathKind),
    /// The type of a virtual or exported resource, after `@`.
    VirtualResource,
    /// The keywords after the name of a class in its definition.
    ClassHeader,
    /// The name of a parameter, after its type.
    ParameterName,
    /// The lambda of a method call, with its receiver and the name of the function.
    Lambda(Expr, String),
    /// The value that a tag of a template prints.
    TemplateOutput,
    /// A statement.
    Statement,
}

/// Classifies the cursor position. Returns `None` at new names and in free text.
pub(super) fn classify(cursor: &CursorContext<'_>) -> Option<CompletionContext> {
    use SyntaxKind::*;
    let token = &cursor.token;
    if token.kind() == LINE_COMMENT {
        let (word, replace_range) = comment_word(cursor)?;
        return Some(CompletionContext {
            syntax: ExpectedSyntax::Comment(word),
            replace_range,
            in_string: false,
            is_statement: false,
        });
    }
    let parent = token.parent()?;
    let start = token.text_range().start();
    if token.kind() == VARIABLE || parent.kind() == VARIABLE_EXPR || is_interpolated(token) {
        if matches!(parent.kind(), PARAMETER) || is_assigned(&parent) {
            return None;
        }
        let sigil = TextSize::new(u32::from(token.text().starts_with('$')));
        return Some(CompletionContext {
            syntax: ExpectedSyntax::Variable(expected_value(cursor, &parent)),
            replace_range: word_before_cursor(cursor, start + sigil)?,
            in_string: false,
            is_statement: false,
        });
    }
    let (node, start, in_string) = match token.kind() {
        SINGLE_QUOTED | DOUBLE_QUOTED => (parent, start + TextSize::new(1), true),
        STRING_TEXT if parent.kind() == INTERPOLATED_STRING => {
            if follows_module_name(token) {
                return own_path(cursor, &parent, start);
            }
            let open = token.prev_token()?;
            if open.kind() != STRING_OPEN {
                return None;
            }
            (parent, start, true)
        }
        kind if is_word_kind(kind) => (parent, start, false),
        _ => return None,
    };
    let is_statement = is_statement(&node) || is_first_on_line(cursor, start);
    let after = (!in_string).then(|| classify_by_token_before(cursor, start));
    let syntax = match node.kind() {
        _ if let Some(Some(syntax)) = after => syntax,
        _ if in_string => classify_expression(cursor, &node)?,
        ATTRIBUTE => ExpectedSyntax::Attribute(enclosing_resource(&node)?),
        METHOD_CALL => ExpectedSyntax::Method(MethodCall::cast(node)?.receiver()?),
        DEFINITION_NAME => match node.parent()?.kind() {
            INHERITS => ExpectedSyntax::Class,
            _ => ExpectedSyntax::DefinitionName(named_definition(&node)?),
        },
        HOST_NAME => ExpectedSyntax::NodeName,
        ERROR => classify_error(&node),
        PARAMETER | PARAMETER_LIST => ExpectedSyntax::DataType,
        _ if Expr::can_cast(node.kind()) => classify_expression(cursor, &node)?,
        _ => return None,
    };
    let is_text = matches!(
        syntax,
        ExpectedSyntax::Class
            | ExpectedSyntax::ClassTitle
            | ExpectedSyntax::NamedArgument(_)
            | ExpectedSyntax::AccessKey(..)
            | ExpectedSyntax::Title(_)
            | ExpectedSyntax::CollectedTitle(_)
            | ExpectedSyntax::ModulePath(_)
            | ExpectedSyntax::Value(_)
            | ExpectedSyntax::HashKey(_)
    );
    (is_text || !in_string).then_some(())?;
    Some(CompletionContext {
        syntax,
        replace_range: word_before_cursor(cursor, start)?,
        in_string,
        is_statement,
    })
}

/// Checks whether part of a string follows `${module_name}` at its start.
fn follows_module_name(text: &SyntaxToken) -> bool {
    let before = text.prev_sibling_or_token().and_then(|it| it.into_node());
    before.is_some_and(|it| {
        let is_name = matches!(
            it.text().to_string().as_str(),
            "${module_name}" | "$module_name"
        );
        let first = it.prev_sibling_or_token().and_then(|it| it.into_token());
        let is_first = first
            .is_some_and(|it| it.kind() == SyntaxKind::STRING_OPEN || it.text() == SOURCE_PREFIX);
        is_name && is_first
    })
}

/// Returns the path in the own module that a string contains after `${module_name}`.
fn own_path(
    cursor: &CursorContext<'_>,
    string: &SyntaxNode,
    start: TextSize,
) -> Option<CompletionContext> {
    let ExpectedSyntax::ModulePath(kind) = classify_expression(cursor, string)? else {
        return None;
    };
    Some(CompletionContext {
        syntax: ExpectedSyntax::OwnModulePath(kind),
        replace_range: word_before_cursor(cursor, start)?,
        in_string: true,
        is_statement: false,
    })
}

/// Classifies a word by what precedes it, where the rest of the code is still missing.
fn classify_by_token_before(cursor: &CursorContext<'_>, start: TextSize) -> Option<ExpectedSyntax> {
    use SyntaxKind::*;
    let before = token_before(&cursor.token)?;
    match before.kind() {
        AT | AT_AT => return Some(ExpectedSyntax::VirtualResource),
        EPP_EXPR_OPEN => return Some(ExpectedSyntax::TemplateOutput),
        CLASSREF | R_BRACK if ends_parameter_type(&cursor.token) => {
            return Some(ExpectedSyntax::ParameterName);
        }
        _ if ends_class_header(&before) => return Some(ExpectedSyntax::ClassHeader),
        _ => {}
    }
    let call = MethodCall::cast(before.parent()?)?;
    let is_on_line = !cursor.text[TextRange::new(before.text_range().end(), start)].contains('\n');
    if !is_on_line || call.name_token().as_ref() != Some(&before) {
        return None;
    }
    let function = canonical_name(before.text());
    Some(ExpectedSyntax::Lambda(call.receiver()?, function))
}

/// Checks whether only a type precedes a token since the start of its parameter.
fn ends_parameter_type(token: &SyntaxToken) -> bool {
    use SyntaxKind::*;
    let mut depth = 0_usize;
    let mut at = token.prev_token();
    while let Some(token) = at {
        match token.kind() {
            R_BRACK | R_BRACE | R_PAREN => depth += 1,
            L_BRACK | LIST_START | L_BRACE if depth > 0 => depth -= 1,
            L_PAREN | WS_L_PAREN if depth > 0 => depth -= 1,
            COMMA | L_PAREN | WS_L_PAREN | PIPE if depth == 0 => {
                let mut around = token.parent_ancestors();
                return around.next().is_some_and(|it| it.kind() == PARAMETER_LIST);
            }
            CLASSREF | WHITESPACE | LINE_COMMENT | BLOCK_COMMENT => {}
            _ if depth == 0 => return false,
            _ => {}
        }
        at = token.prev_token();
    }
    false
}

/// Returns the kind of definition named here, unless it is nested in another one.
fn named_definition(name: &SyntaxNode) -> Option<AutoloadKind> {
    let mut ancestors = name.ancestors().filter_map(Definition::cast);
    let definition = ancestors.next()?;
    ancestors
        .next()
        .is_none()
        .then(|| AutoloadKind::of(&definition))?
}

/// Checks whether a word follows `${` in an unclosed string.
fn is_interpolated(token: &SyntaxToken) -> bool {
    let before = token.prev_token().map(|it| it.kind());
    let outer = token
        .parent()
        .and_then(|it| it.parent())
        .map(|it| it.kind());
    is_word_kind(token.kind())
        && before == Some(SyntaxKind::INTERPOLATION_OPEN)
        && outer != Some(SyntaxKind::CALL_EXPR)
}

/// Returns the range of the word up to the cursor, unless it spans lines.
fn word_before_cursor(cursor: &CursorContext<'_>, start: TextSize) -> Option<TextRange> {
    let range = (start <= cursor.offset).then(|| TextRange::new(start, cursor.offset))?;
    (!cursor.text[range].contains(['\n', '\r'])).then_some(range)
}

fn is_word_kind(kind: SyntaxKind) -> bool {
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
fn classify_error(node: &SyntaxNode) -> ExpectedSyntax {
    use SyntaxKind::*;
    let outer = node.parent().map(|it| it.kind());
    match outer {
        Some(PARAMETER_LIST | PARAMETER | EPP_PARAMETERS | RETURN_TYPE | TYPE_ALIAS) => {
            ExpectedSyntax::DataType
        }
        _ => ExpectedSyntax::Statement,
    }
}

/// Classifies the position of an expression.
fn classify_expression(cursor: &CursorContext<'_>, node: &SyntaxNode) -> Option<ExpectedSyntax> {
    use SyntaxKind::*;
    let parent = node.parent()?;
    let is_first = node.prev_sibling().is_none();
    Some(match parent.kind() {
        RETURN_TYPE | TYPE_ALIAS | PARAMETER if is_type_of_parameter(node, &parent) => {
            ExpectedSyntax::DataType
        }
        ACCESS_KEYS => classify_access_key(cursor, &parent)?,
        RESOURCE_BODY if is_first && has_capitalized_type(&parent) => {
            ExpectedSyntax::Attribute(enclosing_resource(&parent)?)
        }
        RESOURCE_BODY
            if is_first && !is_string(node) && unseparated_previous_body(&parent).is_some() =>
        {
            ExpectedSyntax::Attribute(enclosing_resource(&unseparated_previous_body(&parent)?)?)
        }
        RESOURCE_BODY if is_first => match enclosing_resource(&parent)?.type_.as_str() {
            "class" => ExpectedSyntax::ClassTitle,
            _ => ExpectedSyntax::NewTitle,
        },
        RESOURCE_EXPR | UNTITLED_RESOURCE if is_first => ExpectedSyntax::ResourceType,
        RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | COLLECT_EXPR if is_first => {
            ExpectedSyntax::Reference
        }
        ACCESS_EXPR if is_first && in_override(&parent) => ExpectedSyntax::Reference,
        ACCESS_EXPR if is_first => classify_expression(cursor, &parent)?,
        BINARY_EXPR if is_first && parent.parent()?.kind() == COLLECT_QUERY => {
            ExpectedSyntax::Attribute(enclosing_resource(&parent)?)
        }
        COLLECT_QUERY => ExpectedSyntax::Attribute(enclosing_resource(&parent)?),
        BINARY_EXPR if is_collected_title(node, &parent) => {
            ExpectedSyntax::CollectedTitle(enclosing_resource(&parent)?.type_)
        }
        BINARY_EXPR if !is_first && has_token(&parent, &[MATCH, NOT_MATCH]) => {
            ExpectedSyntax::DataType
        }
        ARGUMENT_LIST => classify_argument(cursor, node, &parent)?,
        ARRAY if is_title(&parent) => ExpectedSyntax::NewTitle,
        ARRAY if parent.parent()?.kind() == ARGUMENT_LIST => {
            match classify_argument(cursor, &parent, &parent.parent()?)? {
                ExpectedSyntax::Class => ExpectedSyntax::Class,
                _ => ExpectedSyntax::Value(expected_value(cursor, node)),
            }
        }
        HASH_ENTRY if in_struct(&parent) => match is_first {
            true => ExpectedSyntax::StructKey,
            false => ExpectedSyntax::DataType,
        },
        HASH_ENTRY if is_first => {
            ExpectedSyntax::HashKey(expected_value(cursor, &parent.parent()?))
        }
        CALL_EXPR if is_first => ExpectedSyntax::Callee(expected_value(cursor, &parent)),
        ATTRIBUTE if is_source(node, &parent) => ExpectedSyntax::ModulePath(PathKind::Source),
        ARRAY if parent.parent().is_some_and(|it| is_source(node, &it)) => {
            ExpectedSyntax::ModulePath(PathKind::Source)
        }
        _ if is_statement(node) => ExpectedSyntax::Statement,
        _ => ExpectedSyntax::Value(expected_value(cursor, node)),
    })
}

/// Checks whether a node is the title of a resource, not of a class.
fn is_title(node: &SyntaxNode) -> bool {
    let body = node
        .parent()
        .filter(|it| it.kind() == SyntaxKind::RESOURCE_BODY);
    let resource = body.filter(|_| node.prev_sibling().is_none());
    let resource = resource.as_ref().and_then(enclosing_resource);
    resource.is_some_and(|it| it.type_ != "class")
}

/// Checks whether a node is the type, not the default, of a parameter.
fn is_type_of_parameter(node: &SyntaxNode, parent: &SyntaxNode) -> bool {
    let name = parent
        .children_with_tokens()
        .find(|it| parent.kind() == SyntaxKind::PARAMETER && it.kind() == SyntaxKind::VARIABLE);
    name.is_none_or(|it| node.text_range().end() <= it.text_range().start())
}

/// Checks whether only whitespace or the end of a block precedes an offset on its line.
fn is_first_on_line(cursor: &CursorContext<'_>, start: TextSize) -> bool {
    let before = &cursor.text[..usize::from(start)];
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.trim().trim_end_matches('}').is_empty()
}

fn is_statement(node: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let parent = node.parent().map(|it| it.kind());
    matches!(parent, Some(BLOCK | SOURCE_FILE | TEMPLATE | ERROR))
}

/// Checks whether the resource has a capitalized type: the first word of `File { … }` is parsed as
/// a title.
fn has_capitalized_type(body: &SyntaxNode) -> bool {
    let type_ = body.parent().and_then(|it| it.first_child());
    type_.is_some_and(|it| it.kind() == SyntaxKind::QUALIFIED_REFERENCE)
}

fn is_string(node: &SyntaxNode) -> bool {
    matches!(
        node.kind(),
        SyntaxKind::STRING | SyntaxKind::INTERPOLATED_STRING
    )
}

/// Returns the previous resource body if no `;` separates it from this one. In that case a comma is
/// missing, and the word at the cursor is an attribute, not a title.
fn unseparated_previous_body(body: &SyntaxNode) -> Option<SyntaxNode> {
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
    let name = Attribute::cast(attribute.clone()).and_then(|it| it.name_token());
    if !is_string(node) || name.is_none_or(|it| it.text() != "source") {
        return false;
    }
    let text = node.text().to_string();
    let text = text.trim_start_matches(['\'', '"']);
    let end = text.find(|it: char| !it.is_ascii_lowercase() && !matches!(it, ':' | '/'));
    let written = &text[..end.unwrap_or(text.len())];
    // The marker has one more letter before `MARKER_SUFFIX`.
    let written = match written.find(MARKER_SUFFIX) {
        Some(at) => &written[..at.saturating_sub(1)],
        None => written,
    };
    let is_file = || enclosing_resource(attribute).is_some_and(|it| it.type_ == "file");
    text.starts_with(SOURCE_PREFIX) || SOURCE_PREFIX.starts_with(written) && is_file()
}

/// Classifies a position between the brackets of `a[…]`.
fn classify_access_key(cursor: &CursorContext<'_>, keys: &SyntaxNode) -> Option<ExpectedSyntax> {
    let access = AccessExpr::cast(keys.parent()?)?;
    let base = access.base()?;
    let Expr::QualifiedReference(type_) = &base else {
        return Some(ExpectedSyntax::AccessKey(base, Vec::new()));
    };
    let name = canonical_name(&type_.text());
    Some(match name.as_str() {
        "class" => ExpectedSyntax::Class,
        "enum" | "pattern" | "regexp" | "integer" | "float" | "string" | "timespan"
        | "timestamp" | "runtime" => return None,
        "resource" => ExpectedSyntax::ResourceType,
        it if is_data_type(it) => ExpectedSyntax::DataType,
        it if hir::resolve::resource_type(cursor.db, cursor.environment, it).is_ok() => {
            ExpectedSyntax::Title(name)
        }
        _ => ExpectedSyntax::DataType,
    })
}

/// Checks whether a node is compared with the title in the query of a collector.
fn is_collected_title(node: &SyntaxNode, comparison: &SyntaxNode) -> bool {
    let mut around = comparison.ancestors();
    let attribute = node.prev_sibling();
    attribute.is_some_and(|it| it.text() == "title")
        && has_token(comparison, &[SyntaxKind::EQ_EQ, SyntaxKind::NOT_EQ])
        && around.any(|it| it.kind() == SyntaxKind::COLLECT_QUERY)
}

/// Checks whether a hash entry is a member of a Struct.
fn in_struct(entry: &SyntaxNode) -> bool {
    let access = entry.ancestors().nth(3).and_then(AccessExpr::cast);
    let base = access.and_then(|it| it.base());
    matches!(base, Some(Expr::QualifiedReference(it)) if canonical_name(&it.text()) == "struct")
}

/// Classifies a position in the arguments of a call.
fn classify_argument(
    cursor: &CursorContext<'_>,
    node: &SyntaxNode,
    list: &SyntaxNode,
) -> Option<ExpectedSyntax> {
    let call = list.parent()?;
    let function = function_name(&call)?;
    let is_first = !list
        .children()
        .take_while(|it| it != node)
        .any(|it| Expr::can_cast(it.kind()));
    let is_call = call.kind() == SyntaxKind::CALL_EXPR;
    let known = KnownFunction::from_name(&function);
    if let Some(KnownFunction::Dig | KnownFunction::Get) = known
        && let Some(key) = classify_path_key(&call, node)
    {
        return Some(key);
    }
    Some(match known.and_then(KnownFunction::names) {
        Some(NamedEntity::Class) if is_call => ExpectedSyntax::Class,
        Some(NamedEntity::Template) => ExpectedSyntax::ModulePath(PathKind::Template),
        Some(NamedEntity::EppTemplate) if is_first && is_call => {
            ExpectedSyntax::ModulePath(PathKind::Epp)
        }
        Some(NamedEntity::File) if is_call => ExpectedSyntax::ModulePath(PathKind::File),
        Some(
            entity @ (NamedEntity::ResourceType
            | NamedEntity::Function
            | NamedEntity::Plan
            | NamedEntity::Task
            | NamedEntity::Fact
            | NamedEntity::DataKey),
        ) if is_first && is_call => ExpectedSyntax::NamedArgument(entity),
        _ if known == Some(KnownFunction::Defined) && node.kind() == SyntaxKind::STRING => {
            ExpectedSyntax::Class
        }
        _ => ExpectedSyntax::Value(expected_value(cursor, node)),
    })
}

/// Classifies a key among the arguments of `dig` and `get`.
fn classify_path_key(call: &SyntaxNode, node: &SyntaxNode) -> Option<ExpectedSyntax> {
    let (base, arguments): (Option<Expr>, Vec<Expr>) = match Expr::cast(call.clone())? {
        Expr::CallExpr(it) => {
            let mut arguments = it.arguments().into_iter();
            (arguments.next(), arguments.collect())
        }
        Expr::MethodCall(it) => (it.receiver(), it.arguments()),
        _ => return None,
    };
    let base = base.filter(|it| it.syntax() != node)?;
    let before = arguments.iter().take_while(|it| it.syntax() != node);
    let path: Option<Vec<String>> = before.map(Expr::plain_text).collect();
    Some(ExpectedSyntax::AccessKey(base, path?))
}

/// Returns the name of the called function.
pub(super) fn function_name(call: &SyntaxNode) -> Option<String> {
    let name = match Expr::cast(call.clone())? {
        Expr::CallExpr(it) => it.name_token(),
        Expr::MethodCall(it) => it.name_token(),
        _ => None,
    }?;
    Some(canonical_name(name.text()))
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::{is_offered, offered};

    #[test]
    fn types_of_virtual_resources() {
        for code in ["class a { @<^> }", "@@<^>"] {
            assert!(is_offered(code, "file"), "{code}");
            for other in ["class", "String", "include", "if"] {
                assert!(!is_offered(code, other), "{code}: {other}");
            }
        }
    }

    #[test]
    fn names_of_new_parameters() {
        assert_eq!(offered("class a(String <^>) { }", 9), "$name");
        assert_eq!(offered("class a(Array[String] <^>, $x) { }", 9), "$name");
        let described = "# @param x One\n# @param y Two\nclass a($x, Integer <^>) { }";
        assert_eq!(offered(described, 9), "$y");
        for code in [
            "class a(Array[String <^>] $x) { }",
            "class a($x = String <^>) { }",
        ] {
            assert!(!is_offered(code, "$name"), "{code}");
        }
    }

    #[test]
    fn types_in_statements() {
        let found = offered("class a { Web::<^> }", 9);
        assert!(
            found.contains("Web::Port") && found.contains("Web::Site"),
            "{found}"
        );
        assert!(!found.contains("web::one"), "{found}");
    }

    #[test]
    fn types_of_results() {
        for code in ["function a($x) >> <^> { }", "function a($x) >> <^>"] {
            assert!(
                is_offered(code, "String") && !is_offered(code, "if"),
                "{code}"
            );
        }
    }

    #[test]
    fn one_of_several_titles() {
        let code = "class a($x) { package { ['a', <^> } }";
        assert!(is_offered(code, "$x") && !is_offered(code, "Boolean"));
        assert!(!is_offered(code, "default"));
    }
}
