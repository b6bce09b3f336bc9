//! The attributes that code sets on resources: in declarations, defaults, overrides and collectors.

use hir::canonical_name;
use syntax::ast::{
    AstNode, Attribute, AttributeSplat, Block, CollectExpr, Definition, Expr, ResourceBody,
    ResourceDefaults, ResourceExpr, ResourceOverride,
};
use syntax::{Fix, SyntaxKind, SyntaxNode};
use types::values::Value;

use crate::checker::Checker;
use crate::fixes::text_like;

/// Returns the attribute at a node if it is one of the given attributes of one of the resource types.
pub(crate) fn attribute_of(node: &SyntaxNode, types: &[&str], names: &[&str]) -> Option<Attribute> {
    let attribute = Attribute::cast(node.clone())?;
    let name = attribute.name_token()?;
    if !names.contains(&name.text()) {
        return None;
    }
    let type_ = owner_type(&node.parent()?)?;
    types.contains(&type_.as_str()).then_some(attribute)
}

/// Returns the resource body at a node and its attribute of a name, if it is one of the resource type.
pub(crate) fn body_with_attribute(
    node: &SyntaxNode,
    type_: &str,
    name: &str,
) -> Option<(ResourceBody, Attribute)> {
    let body = ResourceBody::cast(node.clone())?;
    let attribute = named_attribute(body.syntax(), name)?;
    (type_of_body(&body)? == type_).then_some((body, attribute))
}

/// Returns the resource type that the owner of some attributes concerns, in canonical form.
pub(crate) fn owner_type(owner: &SyntaxNode) -> Option<String> {
    let type_ = if let Some(body) = ResourceBody::cast(owner.clone()) {
        return type_of_body(&body);
    } else if let Some(defaults) = ResourceDefaults::cast(owner.clone()) {
        defaults.type_ref()?
    } else if let Some(override_) = ResourceOverride::cast(owner.clone()) {
        match override_.resources()? {
            Expr::AccessExpr(it) => it.base()?,
            _ => return None,
        }
    } else {
        CollectExpr::cast(owner.clone())?.type_expr()?
    };
    type_name(&type_)
}

/// Returns the type of the resources that an expression declares, in canonical form; `class` for classes.
pub(crate) fn declared_type(resource: &ResourceExpr) -> Option<String> {
    match resource.class_keyword() {
        Some(keyword) => Some(keyword.text().to_owned()),
        None => type_name(&resource.type_name()?),
    }
}

/// Returns the type of the resource that a body declares, in canonical form; `class` for a class.
pub(crate) fn type_of_body(body: &ResourceBody) -> Option<String> {
    declared_type(&ResourceExpr::cast(body.syntax().parent()?)?)
}

fn type_name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::QualifiedName(it) => Some(canonical_name(&it.text())),
        Expr::QualifiedReference(it) => Some(canonical_name(&it.text())),
        _ => None,
    }
}

/// Returns an attribute that is set together with another one.
pub(crate) fn sibling(attribute: &Attribute, name: &str) -> Option<Attribute> {
    let owner = attribute.syntax().parent()?;
    named_attribute(&owner, name)
}

/// Returns the attribute with this name of a resource body, or of another list of attributes.
pub(crate) fn named_attribute(owner: &SyntaxNode, name: &str) -> Option<Attribute> {
    let mut attributes = owner.children().filter_map(Attribute::cast);
    attributes.find(|it| it.name_token().is_some_and(|it| it.text() == name))
}

/// Checks whether attributes are set from a hash (`* => …`).
pub(crate) fn has_splat(owner: &SyntaxNode) -> bool {
    owner
        .children()
        .any(|it| AttributeSplat::can_cast(it.kind()))
}

/// Returns the resource bodies of an expression without its `default:` body, and that body.
pub(crate) fn bodies(resource: &ResourceExpr) -> (Vec<ResourceBody>, Option<ResourceBody>) {
    let is_default = |it: &ResourceBody| {
        let title = it.title();
        title.is_some_and(|it| it.syntax().text() == "default")
    };
    let (mut defaults, bodies): (Vec<_>, Vec<_>) = resource.bodies().partition(is_default);
    (bodies, defaults.pop())
}

/// Returns the blocks of an `if`, `unless` or `case`.
pub(crate) fn branches(node: &SyntaxNode) -> Vec<Block> {
    let mut blocks = Vec::new();
    for child in node.children() {
        match child.kind() {
            SyntaxKind::BLOCK => blocks.extend(Block::cast(child)),
            SyntaxKind::CASE_OPTION | SyntaxKind::ELSE_CLAUSE => blocks.extend(branches(&child)),
            SyntaxKind::IF_EXPR if node.kind() == SyntaxKind::ELSE_CLAUSE => {
                blocks.extend(branches(&child));
            }
            _ => {}
        }
    }
    blocks
}

impl Checker<'_> {
    /// Checks whether a node belongs to the item itself, not to a definition in it.
    pub(crate) fn owns(&self, node: &SyntaxNode) -> bool {
        let mut around = node.ancestors();
        let definition = around.find(|it| Definition::can_cast(it.kind()));
        definition.is_none_or(|it| it.parent().is_none())
    }

    /// Returns the constants that an expression may evaluate to, with the expressions that they come from:
    /// the expression itself, the options of a selector, or the last statements of an `if`, `unless` or `case`.
    pub(crate) fn constants(&self, expr: &Expr) -> Vec<(Expr, Value)> {
        match expr {
            Expr::ParenExpr(it) => it.expr().map_or(Vec::new(), |it| self.constants(&it)),
            Expr::SelectorExpr(it) => {
                let values = it.entries().filter_map(|it| it.value());
                values.flat_map(|it| self.constants(&it)).collect()
            }
            Expr::IfExpr(_) | Expr::UnlessExpr(_) | Expr::CaseExpr(_) => {
                let last = |it: Block| it.statements().last();
                let values = branches(expr.syntax()).into_iter().filter_map(last);
                values.flat_map(|it| self.constants(&it)).collect()
            }
            _ => {
                let value = self.type_of(expr).and_then(|it| it.value.clone());
                value.map(|it| (expr.clone(), it)).into_iter().collect()
            }
        }
    }

    /// Returns the constant strings that an expression may evaluate to.
    pub(crate) fn constant_strings(&self, expr: &Expr) -> Vec<(Expr, String)> {
        let strings = self.constants(expr).into_iter();
        let strings = strings.filter_map(|(expr, value)| match value {
            Value::String(it) => Some((expr, it.to_string())),
            _ => None,
        });
        strings.collect()
    }

    /// Returns the value of an attribute in a resource body or in its `default:` body, if it is a constant.
    pub(crate) fn constant_attribute(&self, attribute: Option<Attribute>) -> Option<Value> {
        let value = attribute?.value()?;
        self.type_of(&value)?.value.clone()
    }

    /// Returns a fix that replaces a literal with a string in the same notation.
    pub(crate) fn replacement(&self, literal: &Expr, new: &str) -> Option<Fix> {
        let is_literal = matches!(literal, Expr::StringLiteral(_) | Expr::QualifiedName(_));
        is_literal.then(|| {
            let label = format!("Replace with `{new}`");
            let text = text_like(literal, new);
            Fix::suggested(label, literal.syntax().text_range(), text)
        })
    }
}
