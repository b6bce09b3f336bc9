//! The environment of a source that is evaluated on its own: no modules, no catalog, and facts only
//! if they are provided.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::SyntaxNode;
use syntax::ast::{AstNode, Expr, FunctionDefinition, HasName, SourceFile, TypeAlias};
use syntax::validation::PuppetVersion;

use super::closures::Closure;
use super::expressions::{Environment, error};
use super::functions::FunctionDefinitions;
use super::{EvalFailure, EvalResult, Issue};
use types::definitions::Definitions;
use types::reader::{BuiltInTypes, TypeNames};
use types::values::{HashValue, Value};
use types::{Refused, Type};

/// Provides the functions and type aliases of the evaluated sources, and the facts.
pub(super) struct StandaloneEnvironment {
    version: PuppetVersion,
    facts: Option<HashValue>,
    functions: FxHashMap<String, Closure>,
    types: SourceTypes,
}

impl StandaloneEnvironment {
    pub(super) fn new(version: PuppetVersion, facts: Option<HashValue>) -> StandaloneEnvironment {
        StandaloneEnvironment {
            version,
            facts,
            functions: FxHashMap::default(),
            types: SourceTypes::new(Vec::new()),
        }
    }

    /// Adds the functions and type aliases that sources define.
    pub(super) fn define(&mut self, trees: &[SourceFile]) {
        let nodes = || trees.iter().flat_map(|it| it.syntax().descendants());
        let functions = nodes().filter_map(|it| {
            let function = FunctionDefinition::cast(it)?;
            let name = function.name()?.text().to_owned();
            let name = name.strip_prefix("::").unwrap_or(&name).to_owned();
            let closure = Closure::of_function(&name, &function);
            Some((name, closure))
        });
        self.functions.extend(functions);
        let aliases = nodes().filter_map(TypeAlias::cast);
        let aliases: Vec<(Arc<str>, Expr)> = aliases
            .filter_map(|it| Some((it.name()?.text().into(), it.type_expr()?)))
            .collect();
        if !aliases.is_empty() {
            let all = self.types.aliases.iter().cloned().chain(aliases);
            self.types = SourceTypes::new(all.collect());
        }
    }

    /// Returns the value of a variable that Puppet sets in top scope.
    fn preset(name: &str) -> Option<Value> {
        Some(match name {
            "name" | "title" => Value::from("main"),
            "module_name" => Value::from(""),
            "caller_module_name" => Value::Undef,
            _ => return None,
        })
    }

    /// Looks up an unqualified variable that no source assigns.
    fn top_scope_variable(&self, name: &str) -> EvalResult {
        if let Some(value) = StandaloneEnvironment::preset(name) {
            return Ok(value);
        }
        if is_set_by_server(name) {
            return Err(EvalFailure::unknown(format!(
                "`${name}` is set by the server"
            )));
        }
        match &self.facts {
            Some(facts) if name == "facts" => Ok(Value::Hash(facts.clone())),
            Some(facts) => match facts.get_str(name) {
                Some(value) => Ok(value.clone()),
                None => self.unknown_variable(name),
            },
            None if is_fact(name) => Err(EvalFailure::unknown(format!("`${name}` may be a fact"))),
            None => self.unknown_variable(name),
        }
    }

    fn unknown_variable(&self, name: &str) -> EvalResult {
        match self.version {
            PuppetVersion::V7 => Ok(Value::Undef),
            PuppetVersion::V8 => {
                let message = format!("unknown variable `${name}`");
                Err(error(Issue::UnknownVariable, message))
            }
        }
    }
}

impl FunctionDefinitions for StandaloneEnvironment {
    fn lookup(&self, name: &str) -> Option<&Closure> {
        self.functions.get(name)
    }
}

/// The type aliases of the evaluated sources, before the built-in types. Each is resolved once.
struct SourceTypes {
    aliases: Vec<(Arc<str>, Expr)>,
    definitions: Definitions<'static>,
    /// The names in lower case.
    defined: FxHashSet<String>,
    known: RefCell<FxHashMap<String, Result<Type, Refused>>>,
}

impl SourceTypes {
    fn new(aliases: Vec<(Arc<str>, Expr)>) -> SourceTypes {
        SourceTypes {
            defined: aliases.iter().map(|(name, _)| key(name)).collect(),
            definitions: Definitions::new(aliases.iter().cloned(), &BuiltInTypes),
            aliases,
            known: RefCell::default(),
        }
    }

    fn get(&self, name: &str) -> Result<Type, Refused> {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let found = self.definitions.get(name);
        self.known
            .borrow_mut()
            .insert(name.to_owned(), found.clone());
        found
    }
}

impl TypeNames for SourceTypes {
    fn lookup(&self, name: &str) -> Option<Type> {
        if self.defined.contains(name) {
            self.get(name).ok()
        } else {
            BuiltInTypes.lookup(name)
        }
    }
}

fn reassigned(name: &str) -> EvalFailure {
    let message = format!("cannot reassign variable `${name}`");
    error(Issue::IllegalReassignment, message)
}

/// Checks whether the variable is set by the Puppet server.
fn is_set_by_server(name: &str) -> bool {
    matches!(
        name,
        "environment"
            | "servername"
            | "serverip"
            | "serverip6"
            | "serverversion"
            | "trusted"
            | "server_facts"
    )
}

/// Returns the key under which a type is looked up.
fn key(name: &str) -> String {
    name.strip_prefix("::").unwrap_or(name).to_lowercase()
}

impl Environment for StandaloneEnvironment {
    fn variable(&self, _at: &SyntaxNode, name: &str) -> EvalResult {
        let name = name.strip_prefix("::").unwrap_or(name);
        let scope = name.rsplit_once("::").map(|(scope, _)| scope);
        match scope {
            Some("settings") => Err(EvalFailure::unknown(
                "depends on the settings of the server",
            )),
            // Class variables are undefined until the class is declared, and sources do not declare
            // one.
            Some(_) => self.unknown_variable(name),
            None => self.top_scope_variable(name),
        }
    }

    fn match_variable(&self, _at: &SyntaxNode, _number: usize) -> EvalResult {
        Ok(Value::Undef)
    }

    fn check_top_scope_assignment(&self, name: &str) -> EvalResult<()> {
        match name {
            "facts" | "trusted" | "server_facts" => {
                let message = format!("cannot assign reserved variable `${name}`");
                Err(error(Issue::IllegalReservedAssignment, message))
            }
            "title" | "name" | "module_name" => Err(reassigned(name)),
            name if is_set_by_server(name) => Err(reassigned(name)),
            name => match &self.facts {
                Some(facts) if facts.get_str(name).is_some() => Err(reassigned(name)),
                None if is_fact(name) => {
                    Err(EvalFailure::unknown(format!("`${name}` may be a fact")))
                }
                _ => Ok(()),
            },
        }
    }

    fn functions(&self) -> &dyn FunctionDefinitions {
        self
    }

    fn unknown_function(&self, name: &str) -> EvalFailure {
        error(Issue::UnknownFunction, format!("unknown function `{name}`"))
    }

    fn types(&self) -> &dyn TypeNames {
        &self.types
    }

    fn unknown_type(&self, name: &str) -> EvalFailure {
        let name = name.strip_prefix("::").unwrap_or(name);
        if let Some(Err(refused)) = self.types.known.borrow().get(&name.to_lowercase()) {
            return refused.clone().into();
        }
        let lower = name.to_lowercase();
        if matches!(&*lower, "annotation" | "pcore" | "typealias")
            || lower.starts_with("pcore::")
            || lower.starts_with("puppet::")
        {
            return EvalFailure::unknown("internal type of Puppet's type system");
        }
        error(
            Issue::UnknownResourceType,
            format!("unknown data type `{name}`"),
        )
    }
}

/// Checks whether the name may be a fact: a core or legacy fact of Facter, or a variable that the
/// agent sends with the facts.
fn is_fact(name: &str) -> bool {
    let is_sent =
        || library::variable(name).is_some() && StandaloneEnvironment::preset(name).is_none();
    library::fact(name).is_some() || library::legacy_fact(name).is_some() || is_sent()
}

#[cfg(test)]
mod tests {
    use super::is_fact;

    #[test]
    fn recognizes_facts() {
        for name in ["os", "kernel", "ipaddress_eth0", "clientcert", "facts"] {
            assert!(is_fact(name), "{name}");
        }
        for name in ["foo", "title", "caller_module_name"] {
            assert!(!is_fact(name), "{name}");
        }
    }
}
