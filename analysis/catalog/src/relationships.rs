//! Relationships between resources that arrows express.

use eval::{Evaluator, FlowResult, Issue, Unknown};
use indexmap::{IndexMap, IndexSet};
use library::RELATIONSHIPS;
use rustc_hash::FxBuildHasher;
use syntax::SyntaxKind;
use syntax::ast::{AstNode, Expr, Relationship};
use types::values::{Array, Value};

use crate::data::{Catalog, CompileErrorKind, Origin, Parameter, Place, Resource, ResourceKey};
use crate::state::{
    Additions, Attributes, Collector, Compiler, Operand, PendingRelationship, ScopeId, State,
};
use crate::values::{flattened, known_or_reason, referred};

/// The resources of the right side of a relationship.
struct Targets {
    /// The resources that are certainly on the right side.
    known: Vec<ResourceKey>,
    /// Whether these are all.
    is_complete: bool,
}

impl Targets {
    /// Targets of which none is known.
    const UNKNOWN: Targets = Targets {
        known: Vec::new(),
        is_complete: false,
    };
}

/// The resources of the left side of a relationship.
#[derive(Default)]
struct Sources {
    certain: Vec<ResourceKey>,
    /// The resources that may or may not be on the left side.
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
            if let Some(collector) = state.effects.collectors.get_mut(index) {
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
            self.state
                .borrow_mut()
                .effects
                .relationships
                .push(relationship);
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
        let pending = std::mem::take(&mut self.state.borrow_mut().effects.relationships);
        for relationship in pending {
            let targets = self.targets(&relationship.to);
            let Some(sources) = self.sources(&relationship.from) else {
                self.forget(relationship.parameter);
                continue;
            };
            for source in sources.certain {
                self.add_edges(&source, &relationship, &targets);
            }
            for source in sources.doubtful {
                self.add_edges(&source, &relationship, &Targets::UNKNOWN);
            }
        }
    }

    /// Reports metaparameters that refer to a resource that is not declared.
    pub(crate) fn check_references(&self) {
        let missing: Vec<_> = {
            let state = self.state.borrow();
            let resources = &state.effects.catalog.resources;
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
        // A rule reports the others.
        if !self.is_sample {
            self.check_reference_texts();
        }
    }

    /// Reports metaparameters with strings that are not references.
    fn check_reference_texts(&self) {
        let refused: Vec<_> = {
            let state = self.state.borrow();
            let resources = state.effects.catalog.resources.values();
            let checked = resources.filter(|it| it.is_certain && !it.is_virtual);
            let refused = checked.flat_map(|resource| {
                RELATIONSHIPS.into_iter().filter_map(|name| {
                    let given = resource.parameters.get(name)?;
                    let text = refused_reference(given.value.as_ref().ok()?)?;
                    Some((name, text, given.origin.place().or(resource.place)))
                })
            });
            refused.collect()
        };
        for (name, text, place) in refused {
            let kind = CompileErrorKind::Evaluation(Issue::RuntimeError);
            let message = format!("`{name}` expects a reference to a resource, found `{text}`");
            self.add_error(kind, message, (place, None));
        }
    }

    /// Reports the metaparameters of a resource with an unknown title that refer to one that is not declared.
    pub(crate) fn check_references_of(&self, attributes: &Attributes) {
        if !self.state.borrow().effects.catalog.conditions.is_empty() {
            return;
        }
        for (name, key, place) in references_in(&attributes.values) {
            self.check_reference(name, &key, place);
        }
    }

    fn check_reference(&self, name: &str, key: &ResourceKey, place: Option<Place>) {
        let message = || format!("`{name}` refers to unknown resource `{key}`");
        self.add_undeclared(key, place, message);
    }

    /// Returns the resources of the left side of a relationship; `None` if they are unknown. An empty collector closes
    /// the gap in a chain.
    fn sources(&self, operand: &Operand) -> Option<Sources> {
        let index = match operand {
            Operand::Collector(index) => *index,
            Operand::Resources(keys) => {
                return Some(Sources {
                    certain: self.titles_of(keys),
                    doubtful: Vec::new(),
                });
            }
            Operand::Unknown => return None,
        };
        let collector = self.state.borrow().effects.collectors.get(index).cloned()?;
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

    /// Returns the resources of the right side of a relationship.
    fn targets(&self, operand: &Operand) -> Targets {
        let index = match operand {
            Operand::Collector(index) => *index,
            Operand::Resources(keys) => {
                return Targets {
                    known: self.titles_of(keys),
                    is_complete: true,
                };
            }
            Operand::Unknown => return Targets::UNKNOWN,
        };
        let Some(collector) = self.state.borrow().effects.collectors.get(index).cloned() else {
            return Targets::UNKNOWN;
        };
        let mut known = self.collected(&collector);
        known.retain(|it| !collector.doubtful.contains(it));
        Targets {
            known,
            is_complete: collector.doubtful.is_empty() && !self.may_have_more(&collector.type_name),
        }
    }

    fn titles_of(&self, keys: &[ResourceKey]) -> Vec<ResourceKey> {
        keys.iter().map(|it| self.title_of(it)).collect()
    }

    /// Returns the resources that a collector has collected, in the order of their declaration.
    fn collected(&self, collector: &Collector) -> Vec<ResourceKey> {
        let state = self.state.borrow();
        let resources = state.effects.catalog.resources.keys();
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
        !state.effects.catalog.conditions.is_empty() || state.additions.iter().any(has_type)
    }

    /// Returns the resource that is meant by its title, its alias or another name.
    fn title_of(&self, key: &ResourceKey) -> ResourceKey {
        let state = self.state.borrow();
        let named = state.effects.names.get(key);
        let named = named.filter(|_| !state.effects.catalog.resources.contains_key(key));
        named.unwrap_or(key).clone()
    }

    /// Adds targets to a relationship metaparameter of a resource.
    fn add_edges(
        &self,
        source: &ResourceKey,
        relationship: &PendingRelationship,
        targets: &Targets,
    ) {
        self.check_operands(source, relationship, &targets.known);
        if targets.is_complete && targets.known.is_empty() {
            return;
        }
        let name = relationship.parameter;
        let mut state = self.state.borrow_mut();
        if !targets.is_complete {
            state.keep_targets(source, name);
        }
        if let Some(place) = relationship.place {
            let arrows = state.effects.arrows.entry(source.clone()).or_default();
            for target in &targets.known {
                arrows.entry(target.clone()).or_insert((name, place));
            }
        }
        let added = match targets.is_complete {
            true => Ok(targets.known.iter().map(reference_text).collect()),
            false => Err("the relationship is unknown".into()),
        };
        let origin = Origin::Relationship(relationship.place);
        let sharing = state.effects.catalog.sharing(source, name);
        let Some(resource) = state.effects.catalog.resources.get_mut(source) else {
            return;
        };
        resource.add_to(name, added, origin);
        let Some(new) = resource.parameters.get(name).cloned() else {
            return;
        };
        for key in sharing {
            if let Some(other) = state.effects.catalog.resources.get_mut(&key) {
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
            let message = || format!("relationship refers to unknown resource `{key}`");
            self.add_undeclared(key, relationship.place, message);
        }
        let is_real = {
            let state = self.state.borrow();
            let declared = state.effects.catalog.resources.get(source);
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
        let keys: Vec<_> = state.effects.catalog.resources.keys().cloned().collect();
        for key in &keys {
            state.keep_targets(key, parameter);
        }
        for resource in state.effects.catalog.resources.values_mut() {
            let unknown = Err("the relationship is unknown".into());
            resource.add_to(parameter, unknown, Origin::Relationship(None));
        }
    }
}

impl State {
    /// Records the known targets of a metaparameter that becomes unknown as those of arrows.
    fn keep_targets(&mut self, source: &ResourceKey, parameter: &'static str) {
        let resource = self.effects.catalog.resources.get(source);
        let Some(given) = resource.and_then(|it| it.parameters.get(parameter)) else {
            return;
        };
        let targets = given.known_values();
        let Some(place) = given.origin.place().or(resource.and_then(|it| it.place)) else {
            return;
        };
        for target in targets.iter().filter_map(referred) {
            let arrows = self.effects.arrows.entry(source.clone()).or_default();
            arrows.entry(target).or_insert((parameter, place));
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
    /// Appends values to a parameter. It becomes unknown if the old or the added values are.
    pub(crate) fn add_to(
        &mut self,
        parameter: &str,
        added: Result<Vec<Value>, Unknown>,
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
        let keys = parameter.known_values();
        let keys: Vec<_> = keys.iter().filter_map(referred).collect();
        let place = parameter.origin.place();
        keys.into_iter().map(move |key| (name, key, place))
    })
}

/// Returns the first string in a value that is not a reference.
fn refused_reference(value: &Value) -> Option<String> {
    let all = flattened([value]);
    let mut texts = all.iter().filter_map(Value::as_str);
    let is_reference = |it: &str| {
        let parts = it
            .split_once('[')
            .and_then(|it| Some((it.0, it.1.strip_suffix(']')?)));
        parts.is_some_and(|it| !it.0.is_empty() && !it.0.contains(']') && !it.1.is_empty())
    };
    // The pattern of Puppet looks for one in each line.
    texts
        .find(|it| !is_reference(it) && !it.contains('\n'))
        .map(str::to_owned)
}

/// Returns the name of a resource as a value.
fn reference_text(key: &ResourceKey) -> Value {
    Value::from(key.puppet_name())
}
