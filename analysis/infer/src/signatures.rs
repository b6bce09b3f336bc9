//! Function signatures with resolved types: from stubs, from Ruby and from Puppet code.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::ast::{Definition, Expr, HasParameters};
use syntax::validation::PuppetVersion;

use super::WorkspaceTypes;
use super::arity::ArityRange;
use base::{EnvironmentInput, FileInput, SettingsInput};
use hir::autoload::NameKey;
use hir::resolve::{self, Definition as Found};
use hir::ruby_symbols::{RubySymbol, ruby_functions};
use hir::{Item, ItemKind};
use library::signatures::{Arity, Function, FunctionApi, Overload};
use syntax::ast::AstNode;
use types::definitions::Definitions;
use types::reader::{self, BuiltInTypes, TypeNames};
use types::values::Value;
use types::{Type, is_resolved};

/// The overloads of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signatures {
    /// Whether Puppet rejects arguments that do not match.
    pub(crate) checked: bool,
    /// The overloads in the order in which Puppet tries them; empty if they are unknown.
    pub overloads: Vec<ResolvedOverload>,
    /// The type of the results, if the code of a function that a module defines in Ruby determines it.
    pub(crate) result: Option<Type>,
}

/// An overload of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResolvedOverload {
    pub parameters: Vec<ResolvedParameter>,
    /// The type of the lambda, if the overload accepts one, and whether it is optional.
    pub block: Option<(Option<Type>, bool)>,
    /// The return type.
    pub returns: Option<Type>,
}

/// A parameter of a [`ResolvedOverload`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResolvedParameter {
    pub name: String,
    /// The accepted type; `Any` if it is unknown.
    pub type_: Type,
    /// The number of arguments that it accepts.
    pub arity: Arity,
}

impl ResolvedOverload {
    /// Returns the number of arguments that the overload accepts.
    pub fn arity(&self) -> ArityRange {
        let mut min = 0;
        let mut max = Some(0);
        for parameter in &self.parameters {
            match parameter.arity {
                Arity::Required => {
                    min += 1;
                    max = max.map(|it| it + 1);
                }
                Arity::Optional => max = max.map(|it| it + 1),
                Arity::Repeated => max = None,
                Arity::RequiredRepeated => {
                    min += 1;
                    max = None;
                }
            }
        }
        ArityRange { min, max }
    }

    /// Returns the number of arguments passed to the lambda; `None` if there is no lambda or the
    /// number is unknown.
    pub(crate) fn lambda_arity(&self) -> Option<ArityRange> {
        ArityRange::of_callable(self.block.as_ref()?.0.as_ref()?)
    }

    /// Returns the parameter that accepts the argument at a position.
    pub fn parameter(&self, index: usize) -> Option<&ResolvedParameter> {
        self.parameters.get(index).or_else(|| {
            let last = self.parameters.last()?;
            let repeats = matches!(last.arity, Arity::Repeated | Arity::RequiredRepeated);
            repeats.then_some(last)
        })
    }
}

/// A function that is called.
#[derive(Clone)]
pub(super) enum Callee<'db> {
    /// A function shipped with Puppet.
    Shipped(&'static Function, &'static Signatures),
    /// A function that a module defines in Ruby, in this file.
    Ruby(FileInput, Arc<Function>, &'db Signatures),
    /// A function written in the Puppet language.
    Puppet(Item<'db>, &'db Signatures),
}

impl Callee<'_> {
    pub(super) fn signatures(&self) -> &Signatures {
        match self {
            Callee::Shipped(_, it) => it,
            Callee::Ruby(_, _, it) | Callee::Puppet(_, it) => it,
        }
    }

    /// Returns the file that defines the function, unless it is shipped with Puppet.
    pub(super) fn file(&self, db: &dyn Database) -> Option<FileInput> {
        match self {
            Callee::Shipped(..) => None,
            Callee::Ruby(file, ..) => Some(*file),
            Callee::Puppet(item, _) => Some(item.file(db)),
        }
    }
}

/// Returns the reason why a function that a module defines in Ruby refuses arguments without a lambda; `None` if it may
/// accept them.
#[must_use]
pub fn refused_arguments(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
    arguments: &[Value],
) -> Option<String> {
    let Some(Callee::Ruby(_, _, signatures)) = callee(db, Some(environment), name) else {
        return None;
    };
    let overloads = &signatures.overloads;
    let is_refused = signatures.checked
        && !overloads.is_empty()
        && overloads.iter().all(|it| refuses(it, arguments));
    if !is_refused {
        return None;
    }
    let first = overloads.iter().find_map(|it| refused_by(it, arguments));
    Some(match first {
        Some((parameter, argument)) => {
            let actual = types::generalize(&types::infer_detailed(argument));
            let subject = format!("parameter `{}` of `{name}`", parameter.name);
            types::mismatch::describe(&subject, &parameter.type_, &actual)
        }
        None => format!("`{name}` does not accept the arguments"),
    })
}

/// Checks whether an overload certainly refuses arguments without a lambda.
fn refuses(overload: &ResolvedOverload, arguments: &[Value]) -> bool {
    let ArityRange { min, max } = overload.arity();
    let is_counted = arguments.len() >= min && max.is_none_or(|it| arguments.len() <= it);
    let needs_block = matches!(overload.block, Some((_, false)));
    !is_counted || needs_block || refused_by(overload, arguments).is_some()
}

/// Returns the first argument that an overload certainly refuses, with its parameter.
fn refused_by<'a>(
    overload: &'a ResolvedOverload,
    arguments: &'a [Value],
) -> Option<(&'a ResolvedParameter, &'a Value)> {
    let mut all = arguments.iter().enumerate();
    all.find_map(|(index, it)| {
        let parameter = overload.parameter(index)?;
        let is_refused = types::is_instance(&parameter.type_, it) == Some(false);
        is_refused.then_some((parameter, it))
    })
}

/// Resolves the name of a function; `None` if it is unknown.
pub(super) fn callee<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<Callee<'db>> {
    let name = name.strip_prefix("::").unwrap_or(name);
    let version = SettingsInput::get(db).version(db);
    match resolve::function(db, environment, name).ok()? {
        Found::Function(RubySymbol::Shipped(function)) => {
            let signatures = shipped_signatures(version).get(&*function.name)?;
            Some(Callee::Shipped(function, signatures))
        }
        Found::Function(RubySymbol::Module(file, function)) => {
            let key = NameKey::new(db, function.name.clone());
            let signatures = ruby_signatures(db, file, environment?, key).as_ref()?;
            Some(Callee::Ruby(file, function, signatures))
        }
        Found::Item(item) if item.kind(db) == ItemKind::Function => {
            Some(Callee::Puppet(item, puppet_signatures(db, item)))
        }
        _ => None,
    }
}

/// Returns the signatures of a function; `None` if it is unknown.
pub fn signatures_of<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<&'db Signatures> {
    match callee(db, environment, name)? {
        Callee::Shipped(_, it) => Some(it),
        Callee::Ruby(_, _, it) | Callee::Puppet(_, it) => Some(it),
    }
}

/// Returns the signatures of all functions in an environment by name, for completion: looking up
/// each of them separately is too slow.
#[salsa::tracked]
pub fn all_signatures(
    db: &dyn Database,
    environment: EnvironmentInput,
) -> FxHashMap<String, Signatures> {
    let known = |name: &str| {
        let signatures = signatures_of(db, Some(environment), name)?.clone();
        Some((name.to_owned(), signatures))
    };
    let names = resolve::all_functions(db, Some(environment)).map(|it| it.0);
    names.filter_map(known).collect()
}

type SignatureTable = FxHashMap<&'static str, Signatures>;

static SHIPPED_7: LazyLock<SignatureTable> = LazyLock::new(|| resolve_shipped(PuppetVersion::V7));
static SHIPPED_8: LazyLock<SignatureTable> = LazyLock::new(|| resolve_shipped(PuppetVersion::V8));

fn shipped_signatures(version: PuppetVersion) -> &'static SignatureTable {
    match version {
        PuppetVersion::V7 => &SHIPPED_7,
        PuppetVersion::V8 => &SHIPPED_8,
    }
}

fn resolve_shipped(version: PuppetVersion) -> SignatureTable {
    let functions = library::functions(version);
    functions
        .map(|it| (it.name.as_str(), of_function(it, &BuiltInTypes)))
        .collect()
}

#[salsa::tracked]
fn ruby_signatures<'db>(
    db: &'db dyn Database,
    file: FileInput,
    environment: EnvironmentInput,
    name: NameKey<'db>,
) -> Option<Signatures> {
    let mut functions = ruby_functions(db, file).iter();
    let function = functions.find(|it| it.name == *name.text(db))?;
    let types = WorkspaceTypes::new(db, Some(environment)).seen_by(file.module(db));
    Some(of_function(function, &types))
}

/// Returns the signature of a function written in the Puppet language.
#[salsa::tracked]
fn puppet_signatures<'db>(db: &'db dyn Database, item: Item<'db>) -> Signatures {
    let types = WorkspaceTypes::in_file(db, item.file(db));
    let root = syntax::SyntaxNode::new_root(item.header(db).clone());
    let Some(Definition::FunctionDefinition(function)) = Definition::cast(root) else {
        return Signatures {
            checked: false,
            overloads: Vec::new(),
            result: None,
        };
    };
    let parameters = function.parameters().into_iter().map(|it| {
        let read = it.type_expr().and_then(|it| types.read(&it));
        let type_ = match (read, it.captures_rest()) {
            (Some(Type::Array(array)), true) => array.element().clone(),
            (read, _) => read.unwrap_or(Type::Any),
        };
        ResolvedParameter {
            name: it.name().unwrap_or_default(),
            type_,
            arity: match (it.captures_rest(), it.default()) {
                (true, _) => Arity::Repeated,
                (false, Some(_)) => Arity::Optional,
                (false, None) => Arity::Required,
            },
        }
    });
    let returns = function.return_type().and_then(|it| it.type_expr());
    let overload = ResolvedOverload {
        parameters: parameters.collect(),
        block: None,
        returns: returns.and_then(|it: Expr| types.read(&it)),
    };
    Signatures {
        checked: true,
        overloads: vec![overload],
        result: None,
    }
}

pub(super) fn of_function(function: &Function, names: &dyn TypeNames) -> Signatures {
    let overloads = function.overloads.iter().map(|it| {
        let overload = of_overload(it, names);
        match function.api {
            // Puppet ignores a lambda that is passed to a function of the 3.x API.
            FunctionApi::Ruby3x => ResolvedOverload {
                block: Some((None, true)),
                ..overload
            },
            _ => overload,
        }
    });
    let result = function.result.as_ref();
    Signatures {
        checked: !function.rewrites_arguments,
        overloads: overloads.collect(),
        result: result.and_then(|it| reader::read(it, names).ok()),
    }
}

fn of_overload(overload: &Overload, names: &dyn TypeNames) -> ResolvedOverload {
    let aliases = overload.local_types.iter().filter_map(|(name, text)| {
        let parse = syntax::parse(text, syntax::Dialect::default());
        let body = parse.tree().statements().next()?;
        Some((Arc::from(name.as_str()), body))
    });
    let all = Definitions::new(aliases, names);
    let read = |text: &String| reader::read(text, &all).ok().filter(is_resolved);
    let parameters = overload.parameters.iter().map(|it| ResolvedParameter {
        name: it.name.clone(),
        type_: it.type_.as_ref().and_then(read).unwrap_or(Type::Any),
        arity: it.arity,
    });
    let block = overload.block.as_ref();
    ResolvedOverload {
        parameters: parameters.collect(),
        block: block.map(|it| (it.type_.as_ref().and_then(read), it.optional)),
        returns: overload.returns.as_ref().and_then(read),
    }
}
