//! Resource expressions: their titles and attributes, and the references that they evaluate to.

use std::sync::Arc;

use syntax::ast::{
    ApplyExpr, AstNode, CollectExpr, Expr, HasBody, ResourceBody, ResourceDefaults, ResourceExpr,
    ResourceOverride,
};

use super::calls::known_string;
use super::declared_parameters;
use super::expressions::{Element, list_of};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::{element_of, size_of};
use super::problem::ValueTarget;
use hir::resolve::{self, Definition};
use hir::ruby_symbols::RubySymbol;
use hir::stand_ins::is_stand_in;
use hir::{Item, canonical_name};
use types::values::Value;
use types::{RuntimeName, RuntimeType, Type, capitalize_segments};

impl<'db> InferenceContext<'db> {
    pub(super) fn resource(&mut self, resource: &ResourceExpr) -> Inferred {
        let type_name = match (resource.class_keyword(), resource.type_name()) {
            (Some(_), _) => Some("class".to_owned()),
            (None, Some(expr)) => type_name(&self.infer_expr(&expr)),
            (None, None) => None,
        };
        let mut declared = Vec::new();
        for body in resource.bodies() {
            let titles = self.resource_body(type_name.as_deref(), &body);
            declared.extend(references(type_name.as_deref(), &titles));
        }
        list_of(declared)
    }

    /// Infers one resource body, and returns its titles.
    fn resource_body(&mut self, type_name: Option<&str>, body: &ResourceBody) -> Inferred {
        let title = self.infer_optional(body.title());
        if let Some(expr) = body.title() {
            let one = [Type::STRING, Type::Type(None), Type::Default];
            let expected = Type::variant(one.into_iter().chain([Type::any_array()]));
            let range = expr.syntax().text_range();
            self.check_assignable(range, &title, &expected, || ValueTarget::Title);
        }
        let declared = match type_name {
            Some("class") => known_string(&title).and_then(|it| self.class(&it)),
            Some(name) => self.resource_type(name),
            None => None,
        };
        self.attributes(declared.as_ref(), body.operations());
        if type_name == Some("class") {
            self.declare_classes(&title);
        }
        title
    }

    pub(super) fn resource_defaults(&mut self, defaults: &ResourceDefaults) -> Inferred {
        let inferred = self.infer_optional(defaults.type_ref());
        let declared = type_name(&inferred).and_then(|it| self.resource_type(&it));
        self.attributes(declared.as_ref(), defaults.operations());
        inferred
    }

    pub(super) fn resource_override(&mut self, resource: &ResourceOverride) -> Inferred {
        let inferred = self.infer_optional(resource.resources());
        let declared = type_name(&inferred).and_then(|it| self.resource_type(&it));
        self.attributes(declared.as_ref(), resource.operations());
        inferred
    }

    pub(super) fn collector(&mut self, collector: &CollectExpr) -> Inferred {
        let inferred = self.infer_optional(collector.type_expr());
        let declared = type_name(&inferred).and_then(|it| self.resource_type(&it));
        self.attributes(declared.as_ref(), collector.operations());
        let exported = collector.query().is_some_and(|it| it.is_exported());
        let class = match exported {
            true => "Puppet::Pops::Evaluator::Collectors::ExportedCollector",
            false => "Puppet::Pops::Evaluator::Collectors::CatalogCollector",
        };
        Inferred::of(Type::Runtime(Arc::new(RuntimeType {
            runtime: Some("ruby".into()),
            name: Some(RuntimeName::Name(class.into())),
        })))
    }

    /// The block of `apply` is compiled separately, with the facts of other hosts.
    pub(super) fn apply(&mut self, apply: &ApplyExpr) -> Inferred {
        for argument in apply.arguments() {
            self.infer_expr(&argument);
        }
        let start = self.flow.checkpoint();
        self.infer_block(apply.body());
        self.flow.rollback(&start);
        Inferred::UNKNOWN
    }

    fn class(&self, name: &str) -> Option<Definition<'db>> {
        resolve::class(self.db, self.environment, name).ok()
    }

    fn resource_type(&self, name: &str) -> Option<Definition<'db>> {
        let name = canonical_name(name);
        let found = resolve::resource_type(self.db, self.environment, &name).ok();
        found.filter(|it| match it {
            Definition::ResourceType(RubySymbol::Module(file, _)) => {
                !is_stand_in(self.db, self.item, &name, *file)
            }
            _ => true,
        })
    }

    /// Infers the attributes, and checks them against their declarations.
    fn attributes(
        &mut self,
        declared: Option<&Definition<'db>>,
        operations: impl Iterator<Item = syntax::ast::AttributeOperation>,
    ) {
        for operation in operations {
            let attribute = match operation {
                syntax::ast::AttributeOperation::Attribute(it) => it,
                other => {
                    self.splat(&other);
                    continue;
                }
            };
            let Some(expr) = attribute.value() else {
                continue;
            };
            let value = self.infer_expr(&expr);
            let adds = attribute.operator().is_some_and(|it| it.text() == "+>");
            let Some(name) = attribute.name_token().filter(|_| !adds) else {
                continue;
            };
            match declared {
                Some(Definition::Item(item)) => {
                    self.parameter_of(*item, name.text(), &expr, &value)
                }
                Some(Definition::ResourceType(type_)) => {
                    self.listed_value(type_.declared(), name.text(), &expr, &value);
                }
                _ => {}
            }
        }
    }

    fn splat(&mut self, operation: &syntax::ast::AttributeOperation) {
        let expr = syntax::ast::AstNode::syntax(operation)
            .children()
            .find_map(Expr::cast);
        self.infer_optional(expr);
    }

    /// Reports a value that does not match a parameter of a class or defined type.
    fn parameter_of(&mut self, item: Item<'db>, name: &str, expr: &Expr, value: &Inferred) {
        let parameters = declared_parameters(self.db, item);
        let Some(parameter) = parameters.iter().find(|it| it.0 == name) else {
            return;
        };
        // An undef value selects the default.
        let is_undef = value.is_a(&Type::Undef);
        if is_undef == Some(true) {
            return;
        }
        let (what, name) = (item.name(self.db).clone(), name.to_owned());
        let range = expr.syntax().text_range();
        let target = || ValueTarget::Parameter(what, name);
        if is_undef.is_none() {
            let given = value.narrowed(&Type::not_undef(Type::Any));
            return self.check_possible_mismatch(range, &given, &parameter.1, target);
        }
        self.check_assignable(range, value, &parameter.1, target);
    }
}

/// Returns references to the resources with these titles.
fn references(type_name: Option<&str>, titles: &Inferred) -> Vec<Element> {
    let reference = |title: Option<&str>| match type_name {
        // `Class[…]` is not included: it is a type of its own, distinct from a resource of type
        // `class`.
        Some("class") | None => Type::Type(None),
        Some(name) => {
            let name = name.strip_prefix("::").unwrap_or(name);
            Type::type_of(Type::resource(
                &capitalize_segments(&name.to_ascii_lowercase()),
                title,
            ))
        }
    };
    let one = |title: Option<&str>| Element::One(Inferred::of(reference(title)));
    match &titles.value {
        Some(Value::Default) => return Vec::new(),
        Some(Value::String(title)) => return vec![one(Some(title))],
        Some(Value::Array(all)) if all.iter().all(|it| it.as_str().is_some()) => {
            return all.iter().map(|it| one(it.as_str())).collect();
        }
        _ => {}
    }
    match element_of(&titles.type_) {
        Some(_) => vec![Element::Many(Type::array(
            reference(None),
            Some(size_of(&titles.type_)),
        ))],
        None if titles.is_a(&Type::any_array()) == Some(false) => vec![one(None)],
        None => vec![Element::Many(Type::array(reference(None), None))],
    }
}

/// Returns the resource type that a value names or refers to.
fn type_name(inferred: &Inferred) -> Option<String> {
    match inferred.value.as_ref()? {
        Value::String(text) => Some(text.to_string()),
        Value::Type(Type::Resource(it)) => it.type_name().map(ToString::to_string),
        Value::Type(Type::Class(_)) => Some("class".to_owned()),
        _ => None,
    }
}
