//! Relationships between resources that arrows express.

use eval::{Evaluator, FlowResult};
use indexmap::IndexSet;
use syntax::SyntaxKind;
use syntax::ast::{AstNode, Expr, Relationship};
use types::values::Value;

use crate::data::{Origin, Parameter, Resource, ResourceKey};
use crate::declarations::RELATIONSHIPS;
use crate::state::{Additions, Compiler, Operand, PendingRelationship, ScopeId};
use crate::values::{flattened, known_or_reason, referred};

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
                    self.add_gap_of(
                        Additions::Code(expr.syntax().clone()),
                        scope,
                        Some(range),
                        why,
                    );
                    Ok(Operand::Unknown)
                }
            },
        }
    }

    /// Adds the relationships to the resources.
    pub(crate) fn evaluate_relationships(&self) {
        let pending = std::mem::take(&mut self.state.borrow_mut().relationships);
        for relationship in pending {
            let sources = self.leftmost(&relationship.from);
            let targets = self.resources_of(&relationship.to);
            match sources {
                Some(sources) => {
                    for source in sources {
                        self.add_edges(&source, &relationship, targets.as_deref());
                    }
                }
                None => self.forget(relationship.parameter),
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
            let parameters = checked.flat_map(|it| {
                let given = |name| Some((name, it.parameters.get(name)?, it.place));
                RELATIONSHIPS.into_iter().filter_map(given)
            });
            let references = parameters.flat_map(|(name, parameter, declared_at)| {
                let keys = flattened(parameter.value.as_ref().ok());
                let keys = keys.iter().filter_map(referred).collect::<Vec<_>>();
                let place = parameter.origin.place().or(declared_at);
                keys.into_iter().map(move |key| (name, key, place))
            });
            references.collect()
        };
        for (name, key, place) in missing {
            let message = || format!("`{name}` refers to `{key}`, which is not declared");
            self.add_undeclared(&key, place, message);
            self.add_unrealized(&key, place);
        }
    }

    /// Returns the resources of the left side of a relationship. An empty collector closes the
    /// gap in a chain.
    fn leftmost(&self, operand: &Operand) -> Option<Vec<ResourceKey>> {
        let found = self.resources_of(operand)?;
        let Operand::Collector(index) = operand else {
            return Some(found);
        };
        if !found.is_empty() {
            return Some(found);
        }
        let alternative = {
            let state = self.state.borrow();
            state
                .collectors
                .get(*index)
                .and_then(|it| it.alternative.clone())
        };
        match alternative {
            Some(alternative) => self.leftmost(&alternative),
            None => Some(found),
        }
    }

    /// Returns the resources of an operand; `None` if they are unknown.
    fn resources_of(&self, operand: &Operand) -> Option<Vec<ResourceKey>> {
        let state = self.state.borrow();
        match operand {
            Operand::Resources(keys) => Some(keys.clone()),
            Operand::Unknown => None,
            Operand::Collector(index) => {
                // The resources of what is unknown may be collected, too.
                let is_complete = state.catalog.is_complete();
                let collector = state.collectors.get(*index).filter(|_| is_complete)?;
                if collector.is_open {
                    return None;
                }
                let resources = state.catalog.resources.keys();
                let collected = resources.filter(|it| collector.collected.contains(*it));
                Some(collected.cloned().collect())
            }
        }
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
                arrows.entry(target.clone()).or_insert(place);
            }
        }
        let added = match targets {
            Some(targets) => Ok(targets.iter().map(reference_text).collect()),
            None => Err("the relationship is unknown".to_owned()),
        };
        let origin = Origin::Relationship(relationship.place);
        if let Some(resource) = state.catalog.resources.get_mut(source) {
            resource.add_to(relationship.parameter, added, origin);
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

/// Returns the name of a resource as a value.
fn reference_text(key: &ResourceKey) -> Value {
    Value::from(key.to_string())
}
