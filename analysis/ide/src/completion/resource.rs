//! The enclosing resource of a position, and the attributes of its type.

use salsa::Database;
use syntax::SyntaxNode;
use syntax::ast::{
    AstNode, AttributeOperation, CollectExpr, Expr, ResourceBody, ResourceDefaults, ResourceExpr,
    ResourceOverride, UntitledResource,
};

use super::super::cursor::CursorContext;
use base::EnvironmentInput;
use hir::resolve::{self, Definition};
use hir::ruby_symbols::RubySymbol;
use hir::{Item, ItemKind, canonical_name, signature};
use infer::is_in_data_of_all_nodes;
use library::signatures::{self, ResourceType};

/// A resource at the cursor.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResourceContext {
    /// The type in canonical form; `class` for a class.
    pub(crate) type_: String,
    /// The title, if it is a single literal.
    pub(crate) title: Option<String>,
    /// The attributes that are set, without the one at the cursor.
    pub(crate) set_attributes: Vec<String>,
}

/// Returns the innermost resource that contains a node.
pub(crate) fn enclosing_resource(node: &SyntaxNode) -> Option<ResourceContext> {
    node.ancestors().find_map(|it| resource_at_node(&it))
}

fn resource_at_node(node: &SyntaxNode) -> Option<ResourceContext> {
    if let Some(body) = ResourceBody::cast(node.clone()) {
        let resource = node.parent().and_then(ResourceExpr::cast)?;
        let title = match body.title() {
            Some(Expr::StringLiteral(it)) => Some(it.value()),
            Some(Expr::QualifiedName(it)) => Some(it.text()),
            _ => None,
        };
        let type_ = match resource.class_keyword() {
            Some(_) => "class".to_owned(),
            None => canonical_type(&resource.type_name()?)?,
        };
        return Some(ResourceContext {
            type_,
            title,
            set_attributes: set_attributes(body.operations()),
        });
    }
    let (type_, set_attributes) = if let Some(it) = ResourceDefaults::cast(node.clone()) {
        (
            canonical_type(&it.type_ref()?)?,
            set_attributes(it.operations()),
        )
    } else if let Some(it) = ResourceOverride::cast(node.clone()) {
        (
            canonical_type(&it.resources()?)?,
            set_attributes(it.operations()),
        )
    } else if let Some(it) = CollectExpr::cast(node.clone()) {
        (
            canonical_type(&it.type_expr()?)?,
            set_attributes(it.operations()),
        )
    } else {
        let it = UntitledResource::cast(node.clone())?;
        (
            canonical_type(&it.name()?)?,
            set_attributes(it.operations()),
        )
    };
    Some(ResourceContext {
        type_,
        title: None,
        set_attributes,
    })
}

fn canonical_type(expr: &Expr) -> Option<String> {
    match expr {
        Expr::QualifiedName(it) => Some(canonical_name(&it.text())),
        Expr::QualifiedReference(it) => Some(canonical_name(&it.text())),
        Expr::AccessExpr(it) => canonical_type(&it.base()?),
        _ => None,
    }
}

fn set_attributes(operations: impl Iterator<Item = AttributeOperation>) -> Vec<String> {
    let names = operations.filter_map(|it| match it {
        AttributeOperation::Attribute(it) => Some(it.name_token()?.text().to_owned()),
        AttributeOperation::AttributeSplat(_) => None,
    });
    names.filter(|it| !CursorContext::has_marker(it)).collect()
}

/// A definition that accepts attributes.
pub(crate) enum AttributeOwner<'db> {
    /// A resource type implemented in Ruby or built into Puppet.
    Type(RubySymbol<ResourceType>),
    /// A class or a defined type.
    Item(Item<'db>),
}

/// An attribute of a resource type, or a parameter of a class or defined type.
#[derive(Clone, Debug)]
pub(crate) struct AttributeInfo {
    pub(crate) name: String,
    /// The data type, as Puppet source.
    pub(crate) type_: Option<String>,
    /// The allowed values, where they are listed.
    pub(crate) values: Vec<String>,
    pub(crate) required: bool,
    pub(crate) namevar: bool,
    pub(crate) default: Option<String>,
}

impl<'db> AttributeOwner<'db> {
    /// Looks up the definition of a resource; that of a class by its title.
    pub(crate) fn of(
        db: &'db dyn Database,
        environment: Option<EnvironmentInput>,
        resource: &ResourceContext,
    ) -> Option<AttributeOwner<'db>> {
        let found = match resource.type_.as_str() {
            "class" => resolve::class(db, environment, resource.title.as_ref()?),
            type_ => resolve::resource_type(db, environment, type_),
        };
        match found.ok()? {
            Definition::Item(it) => Some(AttributeOwner::Item(it)),
            Definition::ResourceType(it) => Some(AttributeOwner::Type(it)),
            _ => None,
        }
    }

    /// Returns all attributes except the metaparameters, in source order.
    pub(crate) fn attributes(&self, db: &'db dyn Database) -> Vec<AttributeInfo> {
        match self {
            AttributeOwner::Type(it) => {
                let all = it.declared().attributes.iter();
                all.filter(|it| !it.read_only).map(attribute_info).collect()
            }
            AttributeOwner::Item(item) => {
                let parameters = signature(db, *item).parameters.iter();
                let all = parameters.map(|it| AttributeInfo {
                    name: it.name.clone(),
                    type_: it.type_.clone(),
                    values: Vec::new(),
                    required: it.is_required() && !is_set_by_data(db, *item, &it.name),
                    namevar: false,
                    default: it.default.clone(),
                });
                all.collect()
            }
        }
    }
}

/// Checks whether data of all nodes sets a parameter of a class.
pub(crate) fn is_set_by_data(db: &dyn Database, item: Item<'_>, parameter: &str) -> bool {
    let environment = item.file(db).environment(db);
    let environment = environment.filter(|_| item.kind(db) == ItemKind::Class);
    let key = format!("{}::{parameter}", canonical_name(item.name(db)));
    environment.is_some_and(|it| is_in_data_of_all_nodes(db, it, &key))
}

/// Converts a declared attribute.
pub(crate) fn attribute_info(attribute: &signatures::Attribute) -> AttributeInfo {
    AttributeInfo {
        name: attribute.name.clone(),
        type_: attribute.type_.clone(),
        values: attribute.values.clone(),
        required: attribute.required,
        namevar: attribute.namevar,
        default: attribute.default.clone(),
    }
}
