//! Relationships between resources that arrows express.

use eval::{Evaluator, FlowResult};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use syntax::SyntaxKind;
use syntax::ast::{AstNode, Expr, Relationship};
use types::values::{Array, Value};

use crate::data::{Catalog, Origin, Parameter, Place, RELATIONSHIPS, Resource, ResourceKey};
use crate::state::{
    Additions, Attributes, Collector, Compiler, Operand, PendingRelationship, ScopeId,
};
use crate::values::{flattened, known_or_reason, referred};

/// The resources of the left side of a relationship.
#[derive(Default)]
struct Sources {
    certain: Vec<ResourceKey>,
    /// Those that it is unknown of whether they belong to it.
    doubtful: Vec<ResourceKey>,
}

impl Compiler<'_> {
    /// Evaluates a relationship, and returns its right side, which is the left one of the next arrow in a chain.
    pub(crate) fn relationship(
        &self,
        scope: ScopeId,
        evaluator: &mut Evaluator<'_>,
        expr: &Relationship,
    ) -> FlowResult<Operand> {
        let Some((left, right)) = expr.lhs().zip(expr.rhs()) else {
            return Ok(Operand::Unknown);
        };
        let left = self.operand(scope, evaluator, &left)?;
        let right = self.operand(scope, evaluator, &right)?;
        let operator = expr.operator().map(|it| it.kind());
        let rest = match &right {
            Operand::Resources(keys) if keys.is_empty() => left.clone(),
            right => right.clone(),
        };
        if let Operand::Collector(index) = right {
            let mut state = self.state.borrow_mut();
            if let Some(collector) = state.collectors.get_mut(index) {
                collector.alternative = Some(left.clone());
            }
        }
        let (from, to) = match operator {
            Some(SyntaxKind::OUT_EDGE | SyntaxKind::OUT_EDGE_SUB) => (right, left),
            _ => (left, right),
        };
        let parameter = match operator {
            Some(SyntaxKind::IN_EDGE_SUB | SyntaxKind::OUT_EDGE_SUB) => "notify",
            _ => "before",
        };
        let arrow = expr.operator().map(|it| it.text_range());
        let relationship = PendingRelationship {
            from,
            to,
            parameter,
            place: arrow.and_then(|it| self.place(scope, it)),
        };
        if !self.is_open() {
            self.state.borrow_mut().relationships.push(relationship);
        }
        Ok(rest)
    }

    fn operand(
        &self,
        scope: ScopeId,
        evaluator: &mut Evaluator<'_>,
        expr: &Expr,
    ) -> FlowResult<Operand> {
        match expr {
            Expr::ParenExpr(it) => match it.expr() {
                Some(inner) => self.operand(scope, evaluator, &inner),
                None => Ok(Operand::Unknown),
            },
            Expr::Relationship(it) => self.relationship(scope, evaluator, it),
            Expr::CollectExpr(it) => Ok(Operand::Collector(self.collector(scope, evaluator, it)?)),
            expr => match known_or_reason(evaluator.expr(expr))? {
                Ok(value) => {
                    let all = flattened([&value]);
                    let keys: Option<IndexSet<ResourceKey>> = all.iter().map(referred).collect();
                    let keys = keys.map(|it| it.into_iter().collect());
                    Ok(keys.map_or(Operand::Unknown, Operand::Resources))
                }
                Err(why) => {
                    let range = expr.syntax().text_range();
                    let additions = Additions::Code(expr.syntax().clone());
                    self.add_gap_of(additions, scope, Some(range), why);
                    Ok(Operand::Unknown)
                }
            },
        }
    }

    /// Adds the relationships to the resources.
    pub(crate) fn evaluate_relationships(&self) {
        let pending = std::mem::take(&mut self.state.borrow_mut().relationships);
        for relationship in pending {
            let targets = self.resources_of(&relationship.to);
            let Some(sources) = self.sources(&relationship.from) else {
                self.forget(relationship.parameter);
                continue;
            };
            for source in sources.certain {
                self.add_edges(&source, &relationship, targets.as_deref());
            }
            for source in sources.doubtful {
                self.add_edges(&source, &relationship, None);
            }
        }
    }

    /// Reports metaparameters that refer to a resource that is not declared.
    pub(crate) fn check_references(&self) {
        let missing: Vec<_> = {
            let state = self.state.borrow();
            let resources = &state.catalog.resources;
            let checked = resources
                .values()
                .filter(|it| it.is_certain && !it.is_virtual);
            let references = checked.flat_map(|it| {
                let found = references_in(&it.parameters);
                found.map(|(name, key, place)| (name, key, place.or(it.place)))
            });
            references.collect()
        };
        for (name, key, place) in missing {
            self.check_reference(name, &key, place);
            self.add_unrealized(&key, place);
        }
    }

    /// Reports the metaparameters of a resource with an unknown title that refer to one that is not declared.
    pub(crate) fn check_references_of(&self, attributes: &Attributes) {
        if !self.state.borrow().catalog.conditions.is_empty() {
            return;
        }
        for (name, key, place) in references_in(&attributes.values) {
            self.check_reference(name, &key, place);
        }
    }

    fn check_reference(&self, name: &str, key: &ResourceKey, place: Option<Place>) {
        let message = || format!("`{name}` refers to `{key}`, which is not declared");
        self.add_undeclared(key, place, message);
    }

    /// Returns the resources of the left side of a relationship; `None` if they are unknown. An empty collector closes
    /// the gap in a chain.
    fn sources(&self, operand: &Operand) -> Option<Sources> {
        let index = match operand {
            Operand::Collector(index) => *index,
            operand => {
                return Some(Sources {
                    certain: self.resources_of(operand)?,
                    doubtful: Vec::new(),
                });
            }
        };
        let collector = self.state.borrow().collectors.get(index).cloned()?;
        let resources = self.collected(&collector);
        let (mut doubtful, certain): (Vec<_>, Vec<_>) = resources
            .into_iter()
            .partition(|it| collector.doubtful.contains(it));
        if !certain.is_empty() {
            return Some(Sources { certain, doubtful });
        }
        let others = match &collector.alternative {
            Some(alternative) => self.sources(alternative)?,
            None => Sources::default(),
        };
        if doubtful.is_empty() && !self.may_have_more(&collector.type_name) {
            return Some(others);
        }
        doubtful.extend(others.certain);
        doubtful.extend(others.doubtful);
        Some(Sources { certain, doubtful })
    }

    /// Returns the resources of an operand; `None` if they are unknown.
    fn resources_of(&self, operand: &Operand) -> Option<Vec<ResourceKey>> {
        match operand {
            Operand::Resources(keys) => Some(keys.iter().map(|it| self.title_of(it)).collect()),
            Operand::Unknown => None,
            Operand::Collector(index) => {
                let collector = self.state.borrow().collectors.get(*index).cloned()?;
                let is_known =
                    collector.doubtful.is_empty() && !self.may_have_more(&collector.type_name);
                is_known.then(|| self.collected(&collector))
            }
        }
    }

    /// Returns the resources that a collector has collected, in the order of their declaration.
    fn collected(&self, collector: &Collector) -> Vec<ResourceKey> {
        let state = self.state.borrow();
        let resources = state.catalog.resources.keys();
        let collected = resources.filter(|it| collector.collected.contains(*it));
        collected.cloned().collect()
    }

    /// Checks whether code with unknown effects may declare further resources of a type.
    fn may_have_more(&self, type_name: &str) -> bool {
        let state = self.state.borrow();
        let has_type = |it: &Additions| match it {
            Additions::Nothing => false,
            Additions::Type(name) | Additions::Titled(name, _) => {
                name == type_name || self.is_defined_type(name)
            }
            _ => true,
        };
        !state.catalog.conditions.is_empty() || state.additions.iter().any(has_type)
    }

    /// Returns the resource that is meant by its title, its alias or another name.
    fn title_of(&self, key: &ResourceKey) -> ResourceKey {
        let state = self.state.borrow();
        let named = state.names.get(key);
        let named = named.filter(|_| !state.catalog.resources.contains_key(key));
        named.unwrap_or(key).clone()
    }

    /// Adds targets to a relationship metaparameter of a resource; `None` if they are unknown.
    fn add_edges(
        &self,
        source: &ResourceKey,
        relationship: &PendingRelationship,
        targets: Option<&[ResourceKey]>,
    ) {
        self.check_operands(source, relationship, targets.unwrap_or_default());
        if targets.is_some_and(<[ResourceKey]>::is_empty) {
            return;
        }
        let mut state = self.state.borrow_mut();
        if let (Some(targets), Some(place)) = (targets, relationship.place) {
            let arrows = state.arrows.entry(source.clone()).or_default();
            for target in targets {
                let arrow = (relationship.parameter, place);
                arrows.entry(target.clone()).or_insert(arrow);
            }
        }
        let added = match targets {
            Some(targets) => Ok(targets.iter().map(reference_text).collect()),
            None => Err("the relationship is unknown".to_owned()),
        };
        let origin = Origin::Relationship(relationship.place);
        let name = relationship.parameter;
        let sharing = state.catalog.sharing(source, name);
        let Some(resource) = state.catalog.resources.get_mut(source) else {
            return;
        };
        resource.add_to(name, added, origin);
        let Some(new) = resource.parameters.get(name).cloned() else {
            return;
        };
        for key in sharing {
            if let Some(other) = state.catalog.resources.get_mut(&key) {
                other.parameters.insert(name.to_owned(), new.clone());
            }
        }
    }

    /// Reports operands of an arrow that are not declared.
    fn check_operands(
        &self,
        source: &ResourceKey,
        relationship: &PendingRelationship,
        targets: &[ResourceKey],
    ) {
        for key in [source].into_iter().chain(targets) {
            let message = || format!("the relationship refers to `{key}`, which is not declared");
            self.add_undeclared(key, relationship.place, message);
        }
        let is_real = {
            let state = self.state.borrow();
            let declared = state.catalog.resources.get(source);
            declared.is_some_and(|it| it.is_certain && !it.is_virtual)
        };
        // The attribute of a virtual source is not checked.
        for key in targets.iter().filter(|_| is_real) {
            self.add_unrealized(key, relationship.place);
        }
    }

    /// Marks a relationship metaparameter of all resources as unknown.
    fn forget(&self, parameter: &'static str) {
        let mut state = self.state.borrow_mut();
        for resource in state.catalog.resources.values_mut() {
            let unknown = Err("the relationship is unknown".to_owned());
            resource.add_to(parameter, unknown, Origin::Relationship(None));
        }
    }
}

impl Catalog {
    /// Returns the other resources that share the list in a parameter of a resource, because the same attributes declare
    /// them.
    fn sharing(&self, source: &ResourceKey, parameter: &str) -> Vec<ResourceKey> {
        let own = self.resources.get(source);
        let own = own.and_then(|it| list_in(it, parameter));
        let Some(own) = own.filter(|it| it.is_shared()) else {
            return Vec::new();
        };
        let others = self.resources.iter();
        let others = others.filter(|it| it.0.type_name == source.type_name && it.0 != source);
        let is_sharing =
            |it: &Resource| list_in(it, parameter).is_some_and(|it| it.is_same_object(own));
        let sharing = others.filter(|it| is_sharing(it.1));
        sharing.map(|it| it.0.clone()).collect()
    }
}

impl Resource {
    /// Adds values to a parameter, or the reason why they are unknown.
    pub(crate) fn add_to(
        &mut self,
        parameter: &str,
        added: Result<Vec<Value>, String>,
        origin: Origin,
    ) {
        let old = self.parameters.get(parameter).map(|it| &it.value);
        let value = match (old, added) {
            (Some(Err(why)), _) => Err(why.clone()),
            (_, Err(why)) => Err(why),
            (old, Ok(added)) => {
                let mut all = flattened(old.into_iter().flatten());
                all.extend(added);
                Ok(Value::array(all))
            }
        };
        let parameter_value = Parameter { value, origin };
        self.parameters
            .insert(parameter.to_owned(), parameter_value);
    }
}

/// Returns the list that is the value of a parameter.
fn list_in<'r>(resource: &'r Resource, parameter: &str) -> Option<&'r Array> {
    match &resource.parameters.get(parameter)?.value {
        Ok(Value::Array(items)) => Some(items),
        _ => None,
    }
}

/// Iterates over the resources to which metaparameters refer, with the name and the place of each.
fn references_in(
    parameters: &IndexMap<String, Parameter, FxBuildHasher>,
) -> impl Iterator<Item = (&'static str, ResourceKey, Option<Place>)> {
    let given = RELATIONSHIPS.into_iter();
    let given = given.filter_map(|name| Some((name, parameters.get(name)?)));
    given.flat_map(|(name, parameter)| {
        let keys = flattened(parameter.value.as_ref().ok());
        let keys: Vec<_> = keys.iter().filter_map(referred).collect();
        let place = parameter.origin.place();
        keys.into_iter().map(move |key| (name, key, place))
    })
}

/// Returns the name of a resource as a value.
fn reference_text(key: &ResourceKey) -> Value {
    Value::from(key.to_string())
}
