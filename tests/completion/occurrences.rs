//! The names in a syntax tree that are completed.

use analysis::library;
use syntax::ast::{AccessExpr, AstNode, Attribute, Expr, ResourceExpr};
use syntax::validation::PuppetVersion;
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

/// The kind of a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum NameKind {
    Variable,
    Attribute,
    DataType,
    ResourceType,
    Function,
    Class,
    EnumValue,
    FactKey,
}

/// The position of a name.
#[derive(Clone, Debug)]
pub(crate) struct NameOccurrence {
    /// The name, without a dollar sign or quotes.
    pub(crate) word: TextRange,
}

/// Returns all names of a tree.
pub(crate) fn occurrences(root: &SyntaxNode) -> Vec<(NameKind, NameOccurrence)> {
    let tokens = root.descendants_with_tokens();
    let tokens = tokens.filter_map(|it| it.into_token());
    tokens.filter_map(|it| occurrence(&it)).collect()
}

fn occurrence(token: &SyntaxToken) -> Option<(NameKind, NameOccurrence)> {
    use SyntaxKind::*;
    let node = token.parent()?;
    let parent = node.parent()?;
    let kind = match node.kind() {
        VARIABLE_EXPR => {
            let name = token.text().trim_start_matches('$');
            let is_assigned = parent.kind() == ASSIGNMENT && node.prev_sibling().is_none();
            if is_assigned || name.starts_with(|it: char| it.is_ascii_digit()) {
                return None;
            }
            NameKind::Variable
        }
        ATTRIBUTE if Attribute::cast(node.clone())?.name_token().as_ref() == Some(token) => {
            NameKind::Attribute
        }
        METHOD_CALL if token.kind() == NAME => NameKind::Function,
        QUALIFIED_REFERENCE => {
            let in_parameter = node.ancestors().any(|it| it.kind() == PARAMETER);
            in_parameter.then_some(NameKind::DataType)?
        }
        QUALIFIED_NAME | STRING => named(&node, &parent)?,
        _ => return None,
    };
    Some((kind, NameOccurrence { word: word(token) }))
}

fn named(node: &SyntaxNode, parent: &SyntaxNode) -> Option<NameKind> {
    use SyntaxKind::*;
    let is_first = node.prev_sibling().is_none();
    match parent.kind() {
        CALL_EXPR if is_first && node.kind() == QUALIFIED_NAME => Some(NameKind::Function),
        RESOURCE_EXPR if is_first => Some(NameKind::ResourceType),
        ARGUMENT_LIST => {
            let call = parent.parent().and_then(syntax::ast::CallExpr::cast)?;
            let name = call.name_token()?;
            let is_class = matches!(name.text(), "include" | "contain" | "require");
            is_class.then_some(NameKind::Class)
        }
        RESOURCE_BODY if is_first => {
            let resource = parent.parent().and_then(ResourceExpr::cast)?;
            resource.class_keyword().map(|_| NameKind::Class)
        }
        ATTRIBUTE => is_listed(node, parent).then_some(NameKind::EnumValue),
        ACCESS_KEYS => {
            let access = AccessExpr::cast(parent.parent()?)?;
            is_fact(&access).then_some(NameKind::FactKey)
        }
        _ => None,
    }
}

/// Checks whether an attribute lists this value.
fn is_listed(node: &SyntaxNode, attribute: &SyntaxNode) -> bool {
    let listed = || {
        let name = Attribute::cast(attribute.clone())?.name_token()?;
        let mut around = attribute.ancestors();
        let resource = around.find_map(ResourceExpr::cast)?;
        let Expr::QualifiedName(type_) = resource.type_name()? else {
            return None;
        };
        let type_ = library::resource_type(&type_.text(), PuppetVersion::V7)?;
        let found = type_.attributes.iter().find(|it| it.name == name.text())?;
        let text = node.text().to_string();
        let text = text.trim_matches(['\'', '"']).to_owned();
        Some(found.values.contains(&text))
    };
    listed() == Some(true)
}

fn is_fact(access: &AccessExpr) -> bool {
    match access.base() {
        Some(Expr::VariableExpr(it)) => it
            .name()
            .is_some_and(|it| it.trim_start_matches("::") == "facts"),
        Some(Expr::AccessExpr(it)) => is_fact(&it),
        _ => false,
    }
}

fn word(token: &SyntaxToken) -> TextRange {
    let range = token.text_range();
    let one = TextSize::new(1);
    match token.kind() {
        SyntaxKind::SINGLE_QUOTED | SyntaxKind::DOUBLE_QUOTED => {
            TextRange::new(range.start() + one, range.end() - one)
        }
        _ if token.text().starts_with('$') => TextRange::new(range.start() + one, range.end()),
        _ => range,
    }
}
