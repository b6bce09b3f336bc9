//! Relationships between resources that arrows express.

use eval::{EvalError, Evaluator, FlowResult, Issue};
use indexmap::IndexSet;
use syntax::SyntaxKind;
use syntax::ast::{AstNode, Expr, Relationship};
use types::values::Value;

use crate::data::{Parameter, ResourceKey};
use crate::declarations::RELATIONSHIPS;
use crate::state::{Compiler, Operand, PendingRelationship, ScopeId};
use crate::values::{flatten, known_or_reason, resource_of};

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
        let relationship = PendingRelationship {
            from,
            to,
            parameter,
            is_certain: !self.is_open(),
        };
        self.state.borrow_mut().relationships.push(relationship);
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
                    let mut all = Vec::new();
                    flatten(&value, &mut all);
                    let keys: Option<IndexSet<ResourceKey>> = all.iter().map(resource_of).collect();
                    let keys = keys.map(|it| it.into_iter().collect());
                    Ok(keys.map_or(Operand::Unknown, Operand::Resources))
                }
                Err(why) => {
                    self.add_gap(scope, Some(expr.syntax().text_range()), why);
                    Ok(Operand::Unknown)
                }
            },
        }
    }

    /// Adds the relationships to the resources.
    pub(crate) fn evaluate_relationships(&self) -> FlowResult<()> {
        let pending = std::mem::take(&mut self.state.borrow_mut().relationships);
        for relationship in pending {
            let sources = self.leftmost(&relationship.from);
            let targets = self.resources_of(&relationship.to);
            let targets = targets.filter(|_| relationship.is_certain);
            match sources {
                Some(sources) => {
                    for source in sources {
                        self.add_edges(&source, relationship.parameter, targets.as_deref())?;
                    }
                }
                None => self.forget(relationship.parameter),
            }
        }
        Ok(())
    }

    /// Fails if a metaparameter refers to a resource that is not declared.
    pub(crate) fn check_references(&self) -> FlowResult<()> {
        let state = self.state.borrow();
        if !state.catalog.gaps.is_empty() {
            return Ok(());
        }
        let resources = &state.catalog.resources;
        for (_, resource) in resources
            .iter()
            .filter(|it| it.1.is_certain && !it.1.is_virtual)
        {
            for name in RELATIONSHIPS {
                let value = resource.parameters.get(name);
                let Some(Ok(value)) = value.map(|it| &it.value) else {
                    continue;
                };
                let mut all = Vec::new();
                flatten(value, &mut all);
                let missing = all.iter().filter_map(resource_of);
                if let Some(key) = missing.into_iter().find(|it| !resources.contains_key(it)) {
                    let message = format!("cannot find the resource `{key}` of `{name}`");
                    return Err(EvalError::new(Issue::RuntimeError, message).into());
                }
            }
        }
        Ok(())
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
                let is_complete = state.catalog.gaps.is_empty();
                let collector = state.collectors.get(*index).filter(|_| is_complete)?;
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
        parameter: &'static str,
        targets: Option<&[ResourceKey]>,
    ) -> FlowResult<()> {
        let mut state = self.state.borrow_mut();
        let is_complete = state.catalog.gaps.is_empty();
        for key in [source].into_iter().chain(targets.into_iter().flatten()) {
            if is_complete && !state.catalog.resources.contains_key(key) {
                let message = format!("cannot find the resource `{key}` of a relationship");
                return Err(EvalError::new(Issue::RuntimeError, message).into());
            }
        }
        let Some(resource) = state.catalog.resources.get_mut(source) else {
            return Ok(());
        };
        if targets.is_some_and(<[ResourceKey]>::is_empty) {
            return Ok(());
        }
        let old = resource
            .parameters
            .get(parameter)
            .map(|it| it.value.clone());
        let value = match (old, targets) {
            (Some(Err(why)), _) => Err(why),
            (_, None) => Err("the relationship is unknown".to_owned()),
            (old, Some(targets)) => {
                let mut all = match old {
                    Some(Ok(Value::Array(items))) => items.to_vec(),
                    Some(Ok(item)) => vec![item],
                    _ => Vec::new(),
                };
                all.extend(
                    targets
                        .iter()
                        .map(|it| Value::from(it.to_string().as_str())),
                );
                Ok(Value::array(all))
            }
        };
        resource
            .parameters
            .insert(parameter.to_owned(), Parameter { value });
        Ok(())
    }

    /// Marks a relationship metaparameter of all resources as unknown.
    fn forget(&self, parameter: &'static str) {
        let mut state = self.state.borrow_mut();
        for resource in state.catalog.resources.values_mut() {
            let value = Err("the relationship is unknown".to_owned());
            resource
                .parameters
                .insert(parameter.to_owned(), Parameter { value });
        }
    }
}
