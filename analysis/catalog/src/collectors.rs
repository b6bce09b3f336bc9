//! Collectors: the resources that a query selects.

use std::collections::BTreeSet;
use std::sync::Arc;

use eval::{Evaluator, FlowResult};
use hir::canonical_name;
use rustc_hash::FxHashSet;
use syntax::SyntaxKind;
use syntax::ast::{AstNode, CollectExpr, Expr};
use types::capitalize_segments;
use types::values::{Value, same};

use crate::data::{Catalog, Origin, OuterTags, Resource, ResourceKey};
use crate::state::{Additions, Collector, Compiler, Query, ScopeId, State};
use crate::values::{flattened, known_or_reason};

impl Query {
    /// Checks whether a resource matches; `None` if that is unknown.
    fn matches(&self, catalog: &Catalog, key: &ResourceKey, resource: &Resource) -> Option<bool> {
        match self {
            Query::All => Some(true),
            Query::Unknown => None,
            // Without a database of exported resources, Puppet ignores the collector.
            Query::Exported(query) => match resource.is_exported {
                true => query
                    .matches(catalog, key, resource)
                    .filter(|matches| !matches),
                false => Some(false),
            },
            Query::And(a, b) => match (
                a.matches(catalog, key, resource),
                b.matches(catalog, key, resource),
            ) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (a, b) => Some(a? && b?),
            },
            Query::Or(a, b) => match (
                a.matches(catalog, key, resource),
                b.matches(catalog, key, resource),
            ) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (a, b) => Some(a? || b?),
            },
            Query::Tagged(wanted) => is_tagged(catalog, key, resource, wanted),
            Query::Equal(name, wanted) => {
                let value = attribute(key, resource, name)?;
                Some(match &value {
                    Value::Array(items) => items.iter().any(|it| equal(it, wanted)),
                    value => equal(value, wanted),
                })
            }
            Query::NotEqual(name, wanted) => Some(!equal(&attribute(key, resource, name)?, wanted)),
        }
    }
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.eq_ignore_ascii_case(b),
        (a, b) => same(a, b),
    }
}

/// Returns the value of an attribute; `None` if it is unknown.
fn attribute(key: &ResourceKey, resource: &Resource, name: &str) -> Option<Value> {
    match resource.parameters.get(name) {
        Some(it) => it.value.clone().ok(),
        None if matches!(name, "title" | "name") => Some(Value::from(key.title.as_str())),
        None => Some(Value::Undef),
    }
}

/// Checks whether a resource, or one that contains it, has one of the tags; `None` if that is unknown. From
/// `raw_tagged?` in `parser/resource.rb`.
fn is_tagged(
    catalog: &Catalog,
    key: &ResourceKey,
    resource: &Resource,
    wanted: &[String],
) -> Option<bool> {
    let mut at = Some((key, resource));
    while let Some((key, resource)) = at {
        let tags = tags(key, resource)?;
        let mut outer = resource.outer_tags();
        let has = |tags: &BTreeSet<String>| wanted.iter().any(|it| tags.contains(it));
        if has(&tags) || outer.any(|it| has(&it.tags)) {
            return Some(true);
        }
        // A class has the tags of the code that includes it, and belongs to a stage.
        let container = resource.container.as_ref();
        let container = container.filter(|_| key.type_name != "Class");
        at = container.and_then(|it| catalog.resources.get_key_value(it));
    }
    Some(false)
}

/// Returns the tags of a resource, without those of the code around it; `None` if they are unknown.
pub(crate) fn tags(key: &ResourceKey, resource: &Resource) -> Option<BTreeSet<String>> {
    let mut found = declared_tags(key, resource)?;
    found.extend(resource.tags.iter().cloned());
    Some(found)
}

/// Returns the tags that a resource has when it is declared; `None` if they are unknown.
fn declared_tags(key: &ResourceKey, resource: &Resource) -> Option<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut add = |tag: &str| add_tag(&mut found, tag);
    add(&key.type_name);
    // The title of the class of the main manifest is a symbol in Ruby, which is not a tag.
    if key.type_name != "Class" || key.title != "main" {
        add(&key.title);
    }
    if let Some(own) = resource.parameters.get(library::TAG) {
        let all = flattened([own.value.as_ref().ok()?]);
        all.iter().filter_map(Value::as_str).for_each(add);
    }
    Some(found)
}

/// Checks whether the catalog or a resource has a tag, as `tagged` does; `None` if that is unknown. The catalog has the
/// tags of the classes and nodes that are declared so far.
pub(crate) fn is_tagged_in(catalog: &Catalog, key: &ResourceKey, tag: &str) -> Option<bool> {
    let wanted = [tag.to_lowercase()];
    let own = catalog.resources.get(key);
    let is_own = own.map_or(Some(false), |it| is_tagged(catalog, key, it, &wanted));
    let resources = catalog.resources.iter();
    let classes = resources.filter(|it| matches!(it.0.type_name.as_str(), "Class" | "Node"));
    let mut may_be = is_own.is_none();
    for (key, class) in classes {
        match declared_tags(key, class) {
            Some(tags) if tags.contains(&wanted[0]) && class.is_certain => return Some(true),
            Some(tags) => may_be |= tags.contains(&wanted[0]),
            None => may_be = true,
        }
    }
    match is_own {
        Some(true) => Some(true),
        _ => (!may_be).then_some(false),
    }
}

/// Adds a tag, and the parts of its name.
pub(crate) fn add_tag(tags: &mut BTreeSet<String>, tag: &str) {
    let tag = tag.to_lowercase();
    tags.extend(tag.split("::").map(str::to_owned));
    tags.insert(tag);
}

impl State {
    /// Adds the tags of the resource that contains the declaration of another one.
    pub(crate) fn inherit_tags(&mut self, key: &ResourceKey, scope: ScopeId) {
        let outer = self.tags_of_scope(scope);
        if let Some(resource) = self.effects.catalog.resources.get_mut(key) {
            resource.outer_tags = outer.map(Arc::new);
        }
    }

    /// Returns the tags that the code of a scope has.
    pub(crate) fn tags_of_scope(&self, scope: ScopeId) -> Option<OuterTags> {
        let resource = &self.effects.scopes.get(scope.0)?.resource;
        self.effects.catalog.tags_around(resource)
    }
}

impl Catalog {
    /// Returns the tags that code inside of a resource has: its own, and those of its containers up to a class, which
    /// has the tags of the code that includes it.
    fn tags_around(&self, key: &ResourceKey) -> Option<OuterTags> {
        let (mut key, mut resource) = self.resources.get_key_value(key)?;
        let mut found = tags(key, resource).unwrap_or_default();
        while key.type_name != "Class"
            && let Some(container) = &resource.container
            && let Some((outer_key, outer)) = self.resources.get_key_value(container)
        {
            found.extend(tags(outer_key, outer).unwrap_or_default());
            (key, resource) = (outer_key, outer);
        }
        Some(OuterTags {
            tags: found,
            outer: resource.outer_tags.clone(),
        })
    }
}

impl Compiler<'_> {
    /// Evaluates a collector, and returns its index.
    pub(crate) fn collector(
        &self,
        scope: ScopeId,
        evaluator: &mut Evaluator<'_>,
        expr: &CollectExpr,
    ) -> FlowResult<usize> {
        let type_name = match expr.type_expr() {
            Some(Expr::QualifiedReference(it)) => canonical_name(&it.text()),
            _ => String::new(),
        };
        self.check_resource_type(scope, &type_name)?;
        let is_exported = expr.query().is_some_and(|it| it.is_exported());
        let condition = expr.query().and_then(|it| it.expr());
        let query = match condition {
            // Puppet rejects collectors of classes.
            _ if type_name == "class" => Query::Unknown,
            Some(condition) => query(evaluator, &condition)?,
            None => Query::All,
        };
        let query = match is_exported {
            true => {
                let range = expr.syntax().text_range();
                let additions = Additions::Type(capitalize_segments(&type_name));
                let why = "collects resources that other nodes export";
                self.add_gap_of(additions, scope, Some(range), why);
                Query::Exported(Box::new(query))
            }
            false => query,
        };
        let operations = expr.operations();
        let overrides = self.attributes(scope, evaluator, operations, Origin::Override)?;
        let collector = Collector {
            type_name: capitalize_segments(&type_name),
            query,
            overrides,
            is_certain: !is_exported && !self.is_open(),
            collected: FxHashSet::default(),
            doubtful: FxHashSet::default(),
            alternative: None,
        };
        let mut state = self.state.borrow_mut();
        state.effects.collectors.push(collector);
        Ok(state.effects.collectors.len() - 1)
    }

    /// Evaluates all collectors. Returns whether one has collected a resource.
    pub(crate) fn evaluate_collectors(&self) -> bool {
        let mut has_collected = false;
        let count = self.state.borrow().effects.collectors.len();
        for index in 0..count {
            has_collected |= self.collect(index);
        }
        has_collected
    }

    fn collect(&self, index: usize) -> bool {
        let mut state = self.state.borrow_mut();
        let Some(collector) = state.effects.collectors.get(index).cloned() else {
            return false;
        };
        let of_type = state.effects.catalog.resources.iter();
        let of_type = of_type.filter(|(key, _)| key.type_name == collector.type_name);
        let new = of_type.filter(|(key, _)| !collector.collected.contains(*key));
        let found: Vec<(ResourceKey, bool)> = new
            .filter_map(|(key, it)| {
                match collector.query.matches(&state.effects.catalog, key, it) {
                    Some(false) => None,
                    matched => Some((key.clone(), matched == Some(true) && collector.is_certain)),
                }
            })
            .collect();
        for (key, is_certain) in &found {
            state.realize(key, *is_certain);
        }
        if let Some(collector) = state.effects.collectors.get_mut(index) {
            for (key, is_certain) in &found {
                collector.collected.insert(key.clone());
                if !is_certain {
                    collector.doubtful.insert(key.clone());
                }
            }
        }
        drop(state);
        for (key, is_certain) in &found {
            self.override_parameters(None, key, (&collector.overrides, *is_certain), None);
        }
        !found.is_empty()
    }
}

fn query(evaluator: &mut Evaluator<'_>, expr: &Expr) -> FlowResult<Query> {
    let Expr::BinaryExpr(binary) = expr else {
        return match expr {
            Expr::ParenExpr(it) => match it.expr() {
                Some(inner) => query(evaluator, &inner),
                None => Ok(Query::Unknown),
            },
            _ => Ok(Query::Unknown),
        };
    };
    let Some((left, right)) = binary.lhs().zip(binary.rhs()) else {
        return Ok(Query::Unknown);
    };
    let operator = binary.operator().map(|it| it.kind());
    if let Some(SyntaxKind::AND_KW | SyntaxKind::OR_KW) = operator {
        let (a, b) = (query(evaluator, &left)?, query(evaluator, &right)?);
        return Ok(match operator {
            Some(SyntaxKind::AND_KW) => Query::And(Box::new(a), Box::new(b)),
            _ => Query::Or(Box::new(a), Box::new(b)),
        });
    }
    let name = left.syntax().text().to_string();
    let Ok(value) = known_or_reason(evaluator.expr(&right))? else {
        return Ok(Query::Unknown);
    };
    Ok(match operator {
        Some(SyntaxKind::EQ_EQ) if name == library::TAG => {
            let wanted = flattened([&value]);
            let wanted = wanted.iter().filter_map(Value::as_str);
            Query::Tagged(wanted.map(str::to_lowercase).collect())
        }
        Some(SyntaxKind::EQ_EQ) => Query::Equal(name, value),
        Some(SyntaxKind::NOT_EQ) => Query::NotEqual(name, value),
        _ => Query::Unknown,
    })
}
