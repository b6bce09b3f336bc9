//! The enclosing resource of a position, and the attributes of its type.

use salsa::Database;
use syntax::SyntaxNode;
use syntax::ast::{
    AstNode, AttributeOperation, CollectExpr, Expr, ResourceBody, ResourceDefaults, ResourceExpr,
    ResourceOverride, UntitledResource,
};

use super::super::cursor::Site;
use base::db::EnvironmentInput;
use hir::outside::Outside;
use hir::resolve::{self, Definition};
use hir::{Item, canonical, signature};
use library::signatures::{self, ResourceType};

/// A resource at the cursor.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResourceAt {
    /// The type in canonical form; `class` for a class.
    pub(crate) type_: String,
    /// The title, if it is a single literal.
    pub(crate) title: Option<String>,
    /// The attributes that are set, without the one at the cursor.
    pub(crate) given: Vec<String>,
}

/// Returns the innermost resource that contains a node.
pub(crate) fn resource_around(node: &SyntaxNode) -> Option<ResourceAt> {
    node.ancestors().find_map(|it| of_node(&it))
}

fn of_node(node: &SyntaxNode) -> Option<ResourceAt> {
    if let Some(body) = ResourceBody::cast(node.clone()) {
        let resource = node.parent().and_then(ResourceExpr::cast)?;
        let title = match body.title() {
            Some(Expr::StringLiteral(it)) => Some(it.value()),
            Some(Expr::QualifiedName(it)) => Some(it.text()),
            _ => None,
        };
        let type_ = match resource.class_keyword() {
            Some(_) => "class".to_owned(),
            None => name_of(&resource.type_name()?)?,
        };
        return Some(ResourceAt {
            type_,
            title,
            given: given(body.operations()),
        });
    }
    let (type_, given) = if let Some(it) = ResourceDefaults::cast(node.clone()) {
        (name_of(&it.type_ref()?)?, given(it.operations()))
    } else if let Some(it) = ResourceOverride::cast(node.clone()) {
        (name_of(&it.resources()?)?, given(it.operations()))
    } else if let Some(it) = CollectExpr::cast(node.clone()) {
        (name_of(&it.type_expr()?)?, given(it.operations()))
    } else {
        let it = UntitledResource::cast(node.clone())?;
        (name_of(&it.name()?)?, given(it.operations()))
    };
    Some(ResourceAt {
        type_,
        title: None,
        given,
    })
}

fn name_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::QualifiedName(it) => Some(canonical(&it.text())),
        Expr::QualifiedReference(it) => Some(canonical(&it.text())),
        Expr::AccessExpr(it) => name_of(&it.base()?),
        _ => None,
    }
}

fn given(operations: impl Iterator<Item = AttributeOperation>) -> Vec<String> {
    let names = operations.filter_map(|it| match it {
        AttributeOperation::Attribute(it) => Some(it.name_token()?.text().to_owned()),
        AttributeOperation::AttributeSplat(_) => None,
    });
    names.filter(|it| !Site::is_word(it)).collect()
}

/// A definition that accepts attributes.
pub(crate) enum Taker<'db> {
    /// A resource type implemented in Ruby or built into Puppet.
    Type(Outside<ResourceType>),
    /// A class or a defined type.
    Item(Item<'db>),
}

/// An attribute of a resource type, or a parameter of a class or defined type.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    /// The data type, as Puppet source.
    pub(crate) type_: Option<String>,
    /// The allowed values, where they are listed.
    pub(crate) values: Vec<String>,
    pub(crate) required: bool,
    pub(crate) namevar: bool,
    pub(crate) default: Option<String>,
}

impl<'db> Taker<'db> {
    /// Looks up the definition of a resource; that of a class by its title.
    pub(crate) fn of(
        db: &'db dyn Database,
        environment: Option<EnvironmentInput>,
        resource: &ResourceAt,
    ) -> Option<Taker<'db>> {
        let found = match resource.type_.as_str() {
            "class" => resolve::class(db, environment, resource.title.as_ref()?),
            type_ => resolve::resource_type(db, environment, type_),
        };
        match found.ok()? {
            Definition::Item(it) => Some(Taker::Item(it)),
            Definition::ResourceType(it) => Some(Taker::Type(it)),
            _ => None,
        }
    }

    /// Returns all attributes except the metaparameters, in source order.
    pub(crate) fn attributes(&self, db: &'db dyn Database) -> Vec<Attribute> {
        match self {
            Taker::Type(it) => {
                let all = it.declared().attributes.iter();
                all.filter(|it| !it.read_only).map(of_declared).collect()
            }
            Taker::Item(item) => {
                let parameters = signature(db, *item).parameters.iter();
                let all = parameters.map(|it| Attribute {
                    name: it.name.clone(),
                    type_: it.type_.clone(),
                    values: Vec::new(),
                    required: it.is_required(),
                    namevar: false,
                    default: it.default.clone(),
                });
                all.collect()
            }
        }
    }
}

/// Converts a declared attribute.
pub(crate) fn of_declared(attribute: &signatures::Attribute) -> Attribute {
    Attribute {
        name: attribute.name.clone(),
        type_: attribute.type_.clone(),
        values: attribute.values.clone(),
        required: attribute.required,
        namevar: attribute.namevar,
        default: attribute.default.clone(),
    }
}
