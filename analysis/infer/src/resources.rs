//! Resource expressions: their titles and attributes, and the references that they evaluate to.

use std::sync::Arc;

use syntax::ast::{
    ApplyExpr, AstNode, AttributeOperation, CollectExpr, Expr, HasBody, ResourceBody,
    ResourceDefaults, ResourceExpr, ResourceOverride,
};

use super::calls::known_string;
use super::declared_parameters;
use super::declared_sets::{AttributeSet, SetAttribute};
use super::expressions::{Element, list_of};
use super::hash_attributes::hash_set;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::{alternatives, element_of, size_of};
use super::problem::{TypeProblemKind, ValueTarget};
use eval::Issue;
use hir::resolve::{self, Definition};
use hir::ruby_symbols::RubySymbol;
use hir::stand_ins::is_stand_in;
use hir::{Item, canonical_name, signature};
use library::signatures::{Attribute, ResourceType};
use types::values::Value;
use types::{RuntimeName, RuntimeType, Type, capitalize_segments};

impl<'db> InferenceContext<'db> {
    pub(super) fn resource(&mut self, resource: &ResourceExpr) -> Inferred {
        let type_name = match (resource.class_keyword(), resource.type_name()) {
            (Some(_), _) => Some("class".to_owned()),
            (None, Some(expr)) => {
                let name = type_name(&self.infer_expr(&expr));
                self.check_computed_type(&expr, name.as_deref());
                name
            }
            (None, None) => None,
        };
        let is_default = |it: &ResourceBody| matches!(it.title(), Some(Expr::Literal(_)));
        let defaults = resource.bodies().find(is_default);
        let mut declared = Vec::new();
        let mut sets = Vec::new();
        let mut shared = AttributeSet::default();
        for body in resource.bodies() {
            let (titles, set) = self.resource_body(type_name.as_deref(), &body, defaults.as_ref());
            declared.extend(references(type_name.as_deref(), &titles));
            let is_shared = defaults
                .as_ref()
                .is_some_and(|it| it.syntax() == body.syntax());
            match body.title() {
                _ if is_shared => shared = set,
                Some(title) => sets.push((title.syntax().text_range(), set)),
                None => {}
            }
        }
        if let Some(Definition::ResourceType(type_)) =
            type_name.as_deref().and_then(|it| self.resource_type(it))
        {
            for (title, mut set) in sets {
                set.add_defaults(&shared);
                self.declare_set(type_.declared(), title, set);
            }
        }
        list_of(declared)
    }

    /// Infers one resource body, and returns its titles and the attributes that it sets.
    fn resource_body(
        &mut self,
        type_name: Option<&str>,
        body: &ResourceBody,
        defaults: Option<&ResourceBody>,
    ) -> (Inferred, AttributeSet) {
        let title = self.infer_optional(body.title());
        if let Some(expr) = body.title() {
            self.check_title(&expr, &title);
        }
        let declared = match type_name {
            Some("class") => known_string(&title).and_then(|it| self.class(&it)),
            Some(name) => self.resource_type(name),
            None => None,
        };
        let set = self.attributes(declared.as_ref(), body.operations());
        if let Some(definition) = declared.as_ref().filter(|_| has_computed_name(body)) {
            self.check_attribute_names(definition, body);
        }
        if let (Some(Definition::ResourceType(type_)), Some(expr)) = (&declared, body.title()) {
            let bodies = [Some(body), defaults];
            self.check_against(type_.file(), |it| {
                it.title_as_namevar(type_.declared(), bodies, &expr, &title);
            });
        }
        if let (Some("resources"), Some(expr)) = (type_name, body.title()) {
            self.purged_types(&expr, &title, &set);
        }
        if type_name == Some("class") {
            self.declare_classes(&title);
            if let Some(expr) = body.title() {
                self.check_computed_classes(&title, expr.syntax().text_range());
            }
        }
        (title, set)
    }

    /// Reports attributes in a body that a class or type lacks.
    fn check_attribute_names(&mut self, definition: &Definition<'db>, body: &ResourceBody) {
        let names = body.operations().filter_map(|it| match it {
            AttributeOperation::Attribute(it) => it.name_token(),
            AttributeOperation::AttributeSplat(_) => None,
        });
        for name in names {
            self.check_attribute_name(definition, name.text(), name.text_range());
        }
    }

    /// Reports a computed type that does not exist, as in `Resource[$type] { … }`.
    fn check_computed_type(&mut self, expr: &Expr, name: Option<&str>) {
        let range = expr.syntax().text_range();
        let Some(name) = name.filter(|_| is_computed(expr)).map(canonical_name) else {
            return;
        };
        let is_known = resolve::resource_type(self.db, self.environment, &name).is_ok();
        if !is_known && name != "class" && !self.is_guarded(range) {
            self.report(range, TypeProblemKind::UnknownResourceType { name });
        }
    }

    pub(super) fn resource_defaults(&mut self, defaults: &ResourceDefaults) -> Inferred {
        let inferred = self.infer_optional(defaults.type_ref());
        let declared = type_name(&inferred).and_then(|it| self.resource_type(&it));
        let set = self.attributes(declared.as_ref(), defaults.operations());
        if let Some(Definition::ResourceType(type_)) = &declared {
            let is_conditional = is_nested(defaults.syntax());
            self.declare_defaults(&type_.declared().name, set, is_conditional);
        }
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
        if let Some(condition) = collector.query().and_then(|it| it.expr()) {
            self.collector_condition(&condition);
        }
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

    /// Infers the operands in the condition of a collector. Its operators have no values: they build
    /// the query.
    fn collector_condition(&mut self, condition: &Expr) {
        match condition {
            Expr::ParenExpr(it) => {
                if let Some(inner) = it.expr() {
                    base::with_growing_stack(|| self.collector_condition(&inner));
                }
            }
            Expr::BinaryExpr(it) if no_query_operand(condition).is_none() => {
                let operands = it.lhs().into_iter().chain(it.rhs());
                for operand in operands {
                    base::with_growing_stack(|| self.collector_condition(&operand));
                }
            }
            other => {
                self.infer_expr(other);
                if let Some(kind) = no_query_operand(other) {
                    let kind = TypeProblemKind::EvaluationError {
                        function: None,
                        issue: Issue::RuntimeError,
                        message: format!("{kind} is not allowed in a collector query"),
                    };
                    self.report(other.syntax().text_range(), kind);
                }
            }
        }
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

    pub(super) fn class(&self, name: &str) -> Option<Definition<'db>> {
        resolve::class(self.db, self.environment, name).ok()
    }

    pub(super) fn resource_type(&mut self, name: &str) -> Option<Definition<'db>> {
        let name = canonical_name(name);
        if let Some(known) = self.resource_types.get(&name) {
            return known.clone();
        }
        let found = resolve::resource_type(self.db, self.environment, &name).ok();
        let found = found.filter(|it| match it {
            Definition::ResourceType(RubySymbol::Module(file, _)) => {
                !is_stand_in(self.db, self.item, &name, *file)
            }
            _ => true,
        });
        self.resource_types.insert(name, found.clone());
        found
    }

    /// Infers the attributes, checks them against their declarations, and returns them.
    fn attributes(
        &mut self,
        declared: Option<&Definition<'db>>,
        operations: impl Iterator<Item = AttributeOperation>,
    ) -> AttributeSet {
        let mut names = Vec::new();
        let mut set = AttributeSet::default();
        let mut splats = Vec::new();
        for operation in operations {
            let attribute = match operation {
                AttributeOperation::Attribute(it) => it,
                other => {
                    splats.extend(self.splat(&other));
                    set.is_open |= splats.is_empty();
                    continue;
                }
            };
            names.extend(attribute.name_token().map(|it| it.text().to_owned()));
            let Some(expr) = attribute.value() else {
                set.is_open = true;
                continue;
            };
            let value = self.infer_expr(&expr);
            set.attributes
                .extend(attribute.name_token().map(|it| SetAttribute {
                    name: it.text().to_owned(),
                    value: value.clone(),
                    range: Some(it.text_range()),
                }));
            let adds = attribute.operator().is_some_and(|it| it.text() == "+>");
            let Some(name) = attribute.name_token().filter(|_| !adds) else {
                continue;
            };
            if name.text() == "source" {
                self.check_source(&expr, &value);
            }
            match declared {
                Some(Definition::Item(item)) => {
                    let declares = is_declared_value(&expr, name.text());
                    self.check_against(Some(item.file(self.db)), |it| {
                        it.parameter_of(*item, name.text(), &expr, &value, declares);
                    });
                }
                Some(Definition::ResourceType(type_)) => {
                    self.check_against(type_.file(), |it| {
                        it.listed_value(type_.declared(), name.text(), &expr, &value);
                    });
                }
                _ => {}
            }
        }
        for (expr, value) in &splats {
            self.repeated_attributes(expr, value, &names);
            self.hash_attributes(declared, expr, value, is_declared_value(expr, "*"));
            self.sum_attributes(declared, expr, value);
            let given = hash_set(expr, value);
            set.is_open |= given.is_open;
            set.attributes.extend(given.attributes);
        }
        set
    }

    /// Infers a hash of attributes.
    fn splat(&mut self, operation: &AttributeOperation) -> Option<(Expr, Inferred)> {
        let expr = operation.syntax().children().find_map(Expr::cast)?;
        let value = self.infer_expr(&expr);
        if value.is_a(&Type::any_hash()) == Some(false) && !value.is_never() {
            self.refuse(&expr, ValueTarget::Splat, "a hash", &value.type_);
        } else if let Some(Value::Hash(all)) = &value.value
            && all.iter().any(|it| it.0.as_str().is_none())
        {
            let description = "a hash with attribute names as keys";
            self.refuse(&expr, ValueTarget::Splat, description, &value.type_);
        }
        Some((expr, value))
    }

    /// Reports attributes of a hash that are also set by name.
    fn repeated_attributes(&mut self, expr: &Expr, value: &Inferred, names: &[String]) {
        let Type::Struct(attributes) = value.type_.resolved() else {
            return;
        };
        let certain = attributes.elements().iter().filter(|it| !it.is_optional());
        let repeated = certain.filter(|it| names.iter().any(|name| **name == *it.name));
        let repeated: Vec<String> = repeated.map(|it| it.name.to_string()).collect();
        for name in repeated {
            let kind = TypeProblemKind::RepeatedAttribute { name };
            self.report(expr.syntax().text_range(), kind);
        }
    }

    /// Reports a title that Puppet refuses.
    fn check_title(&mut self, expr: &Expr, title: &Inferred) {
        if let Some(refused) = refused_title(&title.type_) {
            let description = "a non-empty string";
            let element = self.refused_element(expr);
            let expr = element.as_ref().unwrap_or(expr);
            return self.refuse(expr, ValueTarget::Title, description, &refused);
        }
        let one = [Type::STRING, Type::Default, Type::any_array()];
        let range = expr.syntax().text_range();
        self.check_possible_mismatch(range, title, &Type::variant(one), || ValueTarget::Title);
    }

    /// Returns the first element of an array literal that is refused as a title.
    fn refused_element(&self, titles: &Expr) -> Option<Expr> {
        let Expr::ArrayExpr(list) = titles else {
            return None;
        };
        let is_refused = |it: &Expr| {
            let title = self.recorded(it);
            title.is_some_and(|it| refused_title(&it.type_).is_some())
        };
        list.elements().find(is_refused)
    }

    /// Checks the title as the value of the attribute that it sets, unless one of `bodies` (the own
    /// one and the defaults) sets the attribute.
    fn title_as_namevar(
        &mut self,
        type_: &ResourceType,
        bodies: [Option<&ResourceBody>; 2],
        expr: &Expr,
        title: &Inferred,
    ) {
        let namevars = type_.attributes.iter();
        let is_listed = |it: &Attribute| it.closed && !type_.title_patterns;
        let mut namevars =
            namevars.filter(|it| it.namevar && (it.accepts.is_some() || is_listed(it)));
        let (Some(namevar), None) = (namevars.next(), namevars.next()) else {
            return;
        };
        let may_set = |body: &ResourceBody| {
            body.operations().any(|it| match it {
                AttributeOperation::Attribute(it) => it
                    .name_token()
                    .is_none_or(|it| namevar.is_set_by(it.text())),
                _ => true,
            })
        };
        if bodies.into_iter().flatten().any(may_set) {
            return;
        }
        if refused_title(&title.type_).is_none() {
            let target = ValueTarget::Namevar(type_.name.clone(), namevar.name.clone());
            let check = |it: &mut Self, expr: &Expr, title: &Inferred| match &namevar.accepts {
                Some(accepts) => it.accepted_value(&target, accepts, expr, title),
                None => it.listed_title(target.clone(), namevar, expr, title),
            };
            check(self, expr, title);
            self.check_default(expr, title, check);
        }
    }

    /// Checks whether Puppet refuses `undef` for a parameter because it has no default. Classes may
    /// get the value from Hiera.
    fn must_have_value(&self, item: Item<'db>, name: &str) -> bool {
        let parameters = &signature(self.db, item).parameters;
        parameters
            .iter()
            .any(|it| it.name == name && it.default.is_none())
    }

    /// Reports a value that does not match a parameter of a class or defined type. `declares` states
    /// whether it belongs to a declaration that is always evaluated.
    pub(super) fn parameter_of(
        &mut self,
        item: Item<'db>,
        name: &str,
        expr: &Expr,
        value: &Inferred,
        declares: bool,
    ) {
        let parameters = declared_parameters(self.db, item);
        let Some(parameter) = parameters.iter().find(|it| it.0 == name) else {
            // The agent converts classes and defined types to resources of the type `component`.
            if let Some(declared) = library::metaparameter(name) {
                self.attribute_value(item.name(self.db), declared, expr, value);
            }
            return;
        };
        // An undef value selects the default.
        let is_undef = value.is_a(&Type::Undef);
        let takes_undef = is_undef == Some(true) && !(declares && self.must_have_value(item, name));
        // Puppet evaluates a `Deferred` later, and knows the type of few.
        if takes_undef || value.is_a(&Type::deferred()) == Some(true) {
            return;
        }
        let (what, name) = (item.name(self.db).clone(), name.to_owned());
        let range = expr.syntax().text_range();
        let target = || ValueTarget::Parameter(what, name);
        if is_undef.is_none() {
            let given = value.narrowed(&Type::not_undef(Type::Any));
            let what = target();
            // An element is only undef if there is none.
            let is_element = matches!(expr, Expr::AccessExpr(_));
            if is_element && given.is_a(&parameter.1) == Some(false) && !given.is_never() {
                return self.check_assignable(range, &given, &parameter.1, || what);
            }
            if !self.check_branches(expr, value, &parameter.1, &what) {
                self.check_possible_mismatch(range, &given, &parameter.1, || what);
            }
            return;
        }
        self.check_assignable(range, value, &parameter.1, target);
    }
}

/// Returns the type of a title, or of an element of a list of titles, that is certainly refused.
fn refused_title(title: &Type) -> Option<Type> {
    let mut refused = None;
    for it in alternatives(title) {
        let found = match &it {
            Type::String(text) => (text.size().max() == Some(0)).then(|| it.clone()),
            Type::Tuple(all) => {
                let needed = size_of(&it).min().unwrap_or(0);
                let needed = usize::try_from(needed).unwrap_or(0);
                all.types().iter().take(needed).find_map(refused_title)
            }
            Type::Array(all) if size_of(&it).min() > Some(0) => refused_title(all.element()),
            Type::Undef | Type::Boolean(_) | Type::Integer(_) | Type::Float(_) => Some(it),
            Type::Hash(_) | Type::Struct(_) | Type::Regexp(_) | Type::Sensitive(_) => Some(it),
            Type::Type(_) | Type::Timespan(_) | Type::Timestamp(_) => Some(it),
            _ => None,
        };
        refused = Some(found?);
    }
    refused
}

/// Checks whether an attribute belongs to a declaration, rather than to defaults or an override. An
/// attribute in a `default:` body does, if another body of the expression does not set it.
fn is_declared_value(value: &Expr, name: &str) -> bool {
    let mut around = value.syntax().ancestors();
    let Some(body) = around.by_ref().find_map(ResourceBody::cast) else {
        return false;
    };
    if !is_default_body(&body) {
        return body.title().is_some();
    }
    let siblings = around.next().into_iter().flat_map(|it| it.children());
    let mut siblings = siblings.filter_map(ResourceBody::cast);
    siblings.any(|it| {
        !is_default_body(&it)
            && !it.operations().any(|it| match it {
                AttributeOperation::Attribute(it) => {
                    it.name_token().is_none_or(|it| it.text() == name)
                }
                _ => true,
            })
    })
}

fn is_default_body(body: &ResourceBody) -> bool {
    body.title().is_some_and(|it| it.is_default())
}

/// Checks whether a statement is part of another one, such as a condition or a lambda.
fn is_nested(node: &syntax::SyntaxNode) -> bool {
    let mut around = node.ancestors().skip(1).filter_map(Expr::cast);
    around.any(|it| {
        !matches!(
            it,
            Expr::ClassDefinition(_) | Expr::DefineDefinition(_) | Expr::NodeDefinition(_)
        )
    })
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

/// Checks whether the name of the class or type that a body declares is computed. Other names are references of the
/// item, which rules check without inference.
fn has_computed_name(body: &ResourceBody) -> bool {
    let resource = body.syntax().parent().and_then(ResourceExpr::cast);
    resource.is_some_and(|it| match (it.class_keyword(), it.type_name()) {
        (Some(_), _) => body.title().is_some_and(|it| it.plain_text().is_none()),
        (None, type_) => matches!(type_, Some(Expr::AccessExpr(_))),
    })
}

/// Checks whether the expression of a type is a reference such as `Resource[$type]`.
fn is_computed(type_: &Expr) -> bool {
    let Expr::AccessExpr(access) = type_ else {
        return false;
    };
    access.keys().iter().any(|it| it.plain_text().is_none())
}

/// Returns the kind of an expression that cannot be an operand in the query of a collector. From
/// `collector_transformer.rb`.
fn no_query_operand(expr: &Expr) -> Option<&'static str> {
    Some(match expr {
        Expr::ArrayExpr(_) => "an array",
        Expr::HashExpr(_) => "a hash",
        Expr::QualifiedReference(_) => "a type",
        Expr::CallExpr(_) | Expr::MethodCall(_) => "a function call",
        Expr::SelectorExpr(_) => "a selector",
        Expr::BinaryExpr(it) => {
            let operator = it.operator()?;
            let is_arithmetic =
                matches!(operator.text(), "+" | "-" | "*" | "/" | "%" | "<<" | ">>");
            return is_arithmetic.then_some("an arithmetic operation");
        }
        _ => return None,
    })
}
