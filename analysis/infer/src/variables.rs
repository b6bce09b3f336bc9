//! Variables: those that the code itself assigns, and those that come from elsewhere.

use std::sync::LazyLock;

use base::ModuleOrigin;
use rustc_hash::FxHashMap;
use syntax::TextRange;

use super::external_variables::has_certain_keys;
use super::flow::{PathSegment, VariableState, fails_if_unassigned};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::possible_mismatch::is_external;
use super::problem::TypeProblemKind;
use super::variable_type;
use hir::autoload::NameKey;
use hir::body::body;
use hir::resolve::ResolveError;
use hir::variables::{
    Bindings, VariableSource, is_open_template, own_variables, resolve_external_variable,
};
use hir::{Item, ItemKind, items, signature};
use library::signatures::Fact;
use types::values::Value;
use types::{Type, reader};

impl InferenceContext<'_> {
    /// Returns the flow-state key of a variable. Variables of the item's own class lose the class
    /// qualifier.
    pub(super) fn variable_key(&self, name: &str) -> String {
        let plain = name.strip_prefix("::").unwrap_or(name);
        match plain.rsplit_once("::") {
            Some((class, variable)) if self.is_this_class(class) => variable.to_owned(),
            Some(_) => plain.to_owned(),
            // `$::x` is the top-scope variable, even if there is a local `$x`.
            None => name.to_owned(),
        }
    }

    fn is_this_class(&self, class: &str) -> bool {
        self.item.kind(self.db) == ItemKind::Class
            && class.eq_ignore_ascii_case(self.item.name(self.db))
    }

    /// Infers a reference to a variable.
    pub(super) fn variable(&mut self, name: &str, at: TextRange) -> Inferred {
        if !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit()) {
            return self.match_variable(name, at);
        }
        let key = self.variable_key(name);
        if let Some(known) = self.flow.get(&key) {
            self.depends_on_external |= is_external(known);
            if !known.maybe_unassigned {
                return known.inferred.clone();
            }
            let assigned = known.inferred.clone();
            let otherwise = self.infer_external_variable(name);
            return Inferred::union([assigned, otherwise]);
        }
        self.depends_on_external = true;
        let found = match self.check_assigned(&key, at) {
            true if fails_if_unassigned(self.db) => Inferred::never(),
            _ => self.infer_external_variable(name),
        };
        self.flow.set(&key, VariableState::external(found.clone()));
        found
    }

    /// Returns the value of a variable for code that accepts that it has none.
    pub(super) fn variable_if_any(&mut self, name: &str, at: TextRange) -> Inferred {
        let key = self.variable_key(name);
        if self.flow.get(&key).is_none() && self.is_only_assigned_here(&key) {
            return Inferred::of(Type::Undef);
        }
        self.variable(name, at)
    }

    /// Reports a variable without a value that only the item itself assigns: later, in a branch that did
    /// not run, or in a lambda. Returns whether it has none.
    fn check_assigned(&mut self, key: &str, at: TextRange) -> bool {
        if self.forgets_assignments || self.is_exhausted() || !self.is_only_assigned_here(key) {
            return false;
        }
        let name = key.to_owned();
        self.report(at, TypeProblemKind::UnassignedVariable { name });
        true
    }

    /// Checks whether a variable is assigned in the item, is none of its parameters, and cannot come
    /// from elsewhere.
    fn is_only_assigned_here(&self, key: &str) -> bool {
        let body = body(self.db, self.item);
        let mut bindings = body.scopes.iter().flat_map(|it| it.bindings_of(key));
        if !bindings.any(|it| !it.parameter) || body.own_bindings(key).any(|it| it.parameter) {
            return false;
        }
        let is_absent = |it| matches!(it, ResolveError::NotDefined | ResolveError::MaybeExternal);
        match resolve_external_variable(self.db, self.environment, self.item, key) {
            // A template that always assigns a variable fails if a call passes it.
            Err(ResolveError::Unknown) if self.is_template_variable(key) => {
                let top = format!("::{key}");
                resolve_external_variable(self.db, self.environment, self.item, &top)
                    .is_err_and(is_absent)
            }
            Err(reason) => is_absent(reason),
            // The main manifest and nodes assign variables in top scope.
            Ok(VariableSource::Bindings(item, _)) => {
                item == self.item && self.is_only_manifest(key)
            }
            Ok(_) => false,
        }
    }

    /// Checks whether the item is a template without parameters that always assigns a variable.
    fn is_template_variable(&self, name: &str) -> bool {
        let body = body(self.db, self.item);
        is_open_template(self.db, self.item) && body.own_bindings(name).any(|it| it.branch == 0)
    }

    /// Checks whether a caller of the template may set a variable that is otherwise one of top scope.
    fn may_be_passed(&self, name: &str) -> bool {
        !library::is_reserved_variable(name)
            && !name.contains("::")
            && is_open_template(self.db, self.item)
    }

    /// Checks whether no other code in the main manifests assigns a variable.
    fn is_only_manifest(&self, name: &str) -> bool {
        let manifests = self.environment.map(|it| it.manifests(self.db));
        let files = manifests.into_iter().flat_map(|it| it.iter());
        let mut items = files.flat_map(|it| items(self.db, *it));
        !items.any(|it| *it != self.item && own_variables(self.db, *it).names.contains(name))
    }

    /// Returns the value of a variable, if it is a constant.
    pub(super) fn constant_variable(&self, name: &str) -> Option<Value> {
        let known = self.flow.get(&self.variable_key(name));
        match known {
            Some(it) if it.maybe_unassigned => None,
            Some(it) => it.inferred.value.clone(),
            None => self.infer_external_variable(name).value,
        }
    }

    /// Infers a variable that the code itself has not assigned so far.
    fn infer_external_variable(&self, name: &str) -> Inferred {
        if self.may_be_passed(name) {
            return Inferred::UNKNOWN;
        }
        match resolve_external_variable(self.db, self.environment, self.item, name) {
            Ok(source) => self.infer_source(&source),
            // Puppet 8 fails here; Puppet 7 continues with undef. The variable may exist outside of
            // the workspace.
            Err(_) => Inferred::UNKNOWN,
        }
    }

    fn infer_source(&self, source: &VariableSource<'_>) -> Inferred {
        match source {
            VariableSource::Bindings(item, _) if self.is_of_other_version(item.file(self.db)) => {
                Inferred::UNKNOWN
            }
            VariableSource::CustomFact(file, _) if self.is_of_other_version(*file) => {
                Inferred::UNKNOWN
            }
            VariableSource::Bindings(item, Bindings::OfItem(name))
                if *item != self.item && !self.may_be_node_variable(*item, name) =>
            {
                let found = variable_type(self.db, *item, NameKey::new(self.db, name.clone()));
                let is_class = item.kind(self.db) == ItemKind::Class;
                if is_class
                    && !fails_if_unassigned(self.db)
                    && !self.flow.has_class(item.name(self.db))
                {
                    // The class may not have been evaluated yet. Then Puppet 8 fails, so that no
                    // value is read; in Puppet 7 the variable is undef.
                    return Inferred::union([found.clone(), Inferred::of(Type::Undef)]);
                }
                found.clone()
            }
            VariableSource::Bindings(..) => Inferred::UNKNOWN,
            VariableSource::BuiltIn(variable) => shipped_type(&variable.name),
            VariableSource::Fact(fact) => shipped_type(&fact.name),
            VariableSource::CustomFact(_, fact) => {
                let found = self.type_from_source(fact.type_.as_deref());
                // A host may lack the fact. Puppet 8 fails there.
                match fails_if_unassigned(self.db) {
                    true => found,
                    false => Inferred::union([found, Inferred::of(Type::Undef)]),
                }
            }
            VariableSource::Match => Inferred::of(Type::optional(Type::STRING)),
        }
    }

    /// Checks whether a variable is a parameter with a declared type of another class of the project, so that Puppet
    /// accepts no other values.
    pub(super) fn is_typed_parameter(&self, name: &str) -> bool {
        let found = resolve_external_variable(self.db, self.environment, self.item, name);
        let Ok(VariableSource::Bindings(item, Bindings::OfItem(name))) = found else {
            return false;
        };
        let module = item.file(self.db).module(self.db);
        let is_own = module.is_some_and(|it| it.origin(self.db) == ModuleOrigin::Workspace);
        let is_class = item.kind(self.db) == ItemKind::Class;
        let mut parameters = signature(self.db, item).parameters.iter();
        is_own && is_class && parameters.any(|it| it.name == name && it.type_.is_some())
    }

    /// Checks whether a node definition may assign the variable and so take precedence.
    fn may_be_node_variable(&self, item: Item<'_>, name: &str) -> bool {
        if !matches!(item.kind(self.db), ItemKind::Main | ItemKind::Node) {
            return false;
        }
        let manifests = self.environment.map(|it| it.manifests(self.db));
        let files = manifests.into_iter().flat_map(|it| it.iter());
        let all = files.flat_map(|it| items(self.db, *it));
        all.into_iter()
            .filter(|it| it.kind(self.db) == ItemKind::Node)
            .any(|it| own_variables(self.db, *it).names.contains(name))
    }

    fn type_from_source(&self, type_: Option<&str>) -> Inferred {
        let read = type_.and_then(|it| self.types.read_text(it));
        read.map_or(Inferred::UNKNOWN, Inferred::of)
    }
}

/// The types of the variables set by Puppet and Facter, by name.
static SHIPPED_TYPES: LazyLock<FxHashMap<String, Type>> = LazyLock::new(|| {
    let variables = library::variables().map(|it| (&it.name, &it.type_));
    let facts = library::facts().map(|it| (&it.name, &it.type_));
    let read = |text: &String| reader::read(text, &reader::BuiltInTypes).ok();
    let all = facts.chain(variables);
    let all = all.filter_map(|(name, type_)| {
        let type_ = read(type_.as_ref()?)?;
        let type_ = match has_certain_keys(name) {
            true => type_,
            false => without_keys(&type_),
        };
        Some((name.clone(), type_))
    });
    let legacy = library::legacy_facts().filter_map(|it| {
        let type_ = without_keys(&read(it.type_.as_ref()?)?);
        Some((
            it.name.clone(),
            if is_everywhere(it) {
                type_
            } else {
                Type::optional(type_)
            },
        ))
    });
    all.chain(legacy).collect()
});

/// The types of the parts of facts, by path.
static FACT_PARTS: LazyLock<FxHashMap<Vec<String>, Type>> = LazyLock::new(|| {
    let mut found = FxHashMap::default();
    for fact in library::facts() {
        read_parts(vec![fact.name.clone()], &mut found);
    }
    found
});

fn read_parts(path: Vec<String>, into: &mut FxHashMap<Vec<String>, Type>) {
    let keys: Vec<&str> = path.iter().map(String::as_str).collect();
    let Some(part) = library::fact_part(&keys) else {
        return;
    };
    if let Ok(type_) = reader::read(&part.type_, &reader::BuiltInTypes) {
        let type_ = without_keys(&type_);
        let type_ = if part.optional {
            Type::optional(type_)
        } else {
            type_
        };
        into.insert(path.clone(), type_);
    }
    for (key, _) in library::fact_parts(&keys) {
        let inner = path.iter().cloned().chain([key.to_owned()]);
        read_parts(inner.collect(), into);
    }
}

/// Returns the type without constraints on the keys of hashes: releases of Facter differ, and other
/// facts can override those of Facter.
fn without_keys(type_: &Type) -> Type {
    match type_ {
        Type::Struct(_) => Type::hash(Type::STRING, Type::Any, None),
        Type::Hash(it) => Type::hash(it.key().clone(), without_keys(it.value()), it.size()),
        Type::Array(it) => Type::array(without_keys(it.element()), it.size()),
        Type::Optional(Some(inner)) => Type::optional(without_keys(inner)),
        Type::Variant(all) => Type::variant(all.iter().map(without_keys)),
        other => other.clone(),
    }
}

/// Returns the type of a part of `$facts` or of a fact variable; `None` if Facter has no fact at
/// this path.
pub(super) fn fact(variable: &str, path: &[PathSegment]) -> Option<Type> {
    let variable = variable.strip_prefix("::").unwrap_or(variable);
    let first = (variable != "facts").then(|| Some(variable.to_owned()));
    let names = path.iter().map(|it| match it {
        PathSegment::Name(name) => Some(name.clone()),
        PathSegment::Index(_) => None,
    });
    let names = first.into_iter().chain(names);
    FACT_PARTS.get(&names.collect::<Option<Vec<_>>>()?).cloned()
}

/// Checks whether a legacy fact exists on every host: whether no part of its structured replacement
/// is optional.
fn is_everywhere(legacy: &Fact) -> bool {
    let modern = legacy.modern.as_deref().unwrap_or_default();
    let Some(path) = modern.strip_prefix("$facts['") else {
        return false;
    };
    let keys: Vec<&str> = path.trim_end_matches("']").split("']['").collect();
    (1..=keys.len()).all(|it| library::fact_part(&keys[..it]).is_some_and(|it| !it.optional))
}

fn shipped_type(name: &str) -> Inferred {
    let found = SHIPPED_TYPES.get(name).cloned();
    found.map_or(Inferred::UNKNOWN, Inferred::of)
}

#[cfg(test)]
mod tests {
    use base::FileId;
    use fixture::Sources;
    use types::values::Value;

    use crate::inferred_types;

    /// Returns the inferred values of `$module_name` in a file.
    fn module_names(sources: &Sources, file: u32) -> Vec<String> {
        let file = FileId(file);
        let db = sources.database();
        let input = db.file(file).expect("the file is one of the sources");
        let places = inferred_types(&db, input).into_iter();
        let named = places.filter(|it| &sources.text(file)[it.range] == "$module_name");
        let value = |it: Option<Value>| match it {
            Some(Value::String(it)) => it.to_string(),
            _ => "?".to_owned(),
        };
        named.map(|it| value(it.value)).collect()
    }

    /// Verified with Puppet 7.23.
    #[test]
    fn module_name_is_that_of_the_enclosing_definition() {
        let sources = Sources::parse(
            "//- modules/web/manifests/init.pp
            class web ($p = $module_name) { [1].each |$i| { notice($module_name) } }
            class web::b { $p.each |$module_name| { notice($module_name) } }
            define web::d { notice($module_name, $::module_name) }
            function web::f() { $module_name }
            //- manifests/site.pp
            class local { notice($module_name) }
            notice($module_name)
            ",
        );
        assert_eq!(
            module_names(&sources, 0),
            ["web", "web", "?", "?", "web", "?"]
        );
        assert_eq!(module_names(&sources, 1), ["?", "?"]);
    }
}
