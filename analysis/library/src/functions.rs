//! Reads the stubs of functions.
//!
//! A stub is a function definition without a body. Each overload is a definition of its own with
//! the same name, in the order in which Puppet tries them.
//!
//! ```puppet
//! # @summary Returns the largest number.
//! # @param values The numbers.
//! # @return the largest number
//! # @example Use it
//! #   max(1, 2)
//! function max(Numeric *$values) >> Numeric { }
//!
//! # Details of this overload.
//! function max(Array[Numeric] $values, Optional[Callable[2, 2]] $block) { }
//! ```
//!
//! * The comment above the first overload documents the function, those above the others document
//!   the overload.
//! * A last parameter with the type `Callable` or an `Optional` of it is the block.
//! * A parameter with a default value is optional; the value `default` marks a default that cannot
//!   be written.
//! * `@at_least_one x` means that the repeated parameter `x` accepts one or more arguments.
//! * `@ruby3x` marks a function of the 3.x API. Puppet checks at most the number of its arguments;
//!   the stub describes the arguments that it can handle. `@statement` means that it does not
//!   return a value.
//! * `type A = …` is in scope for the functions of the same file only.
//! * A return type that depends on the arguments is omitted.
//!
//! Further tags state what the function means to the analysis; [`KnownFunction`] has them as
//! properties. They precede the first overload, and are not part of the documentation:
//!
//! * `@names class`: an argument names a class, and so on: `resource_type`, `function`, `plan`,
//!   `task`, `variable`, `fact`, `data_key`, `template`, `epp_template`, `file`.
//! * `@reads_variables`: it may read any variable of its caller.
//! * `@external`: its result comes from outside of the manifests.
//! * `@needs_catalog`: it fails in a plan outside of `apply`.
//! * `@tests_definedness`: it tests whether a name is defined.
//! * `@untyped_block`: it does not constrain the types of the parameters of its block.
//! * `@pure`: its result depends only on its arguments.
//! * `@takes_regex`, `@takes_format`: it has an argument with a regular expression or format string.
//!
//! `module_functions.pp` has stubs with nothing but such tags for functions that only modules
//! define. They are not built-in functions. `bolt_functions.pp` has those that Bolt adds to plans.
//!
//! [`KnownFunction`]: crate::KnownFunction

use syntax::TextRange;
use syntax::ast::{Expr, FunctionDefinition, HasName, HasParameters, Parameter};
use syntax::validation::PuppetVersion;

use super::Table;
use super::known_function::{Semantics, SemanticsTable};
use super::sources::{BOLT_FUNCTIONS, FUNCTIONS, MODULE_FUNCTIONS, Source};
use super::stub::{self, Stub};
use crate::signatures::{
    Arity, BlockParameter, Doc, Function, FunctionApi, FunctionParameter, Overload,
};

type Aliases = Vec<(String, String)>;

/// The content of stubs.
#[derive(Default)]
pub(super) struct FunctionStubs {
    /// The functions of one Puppet version, sorted by name.
    pub(super) functions: Table<Function>,
    /// The semantics of the functions of all versions, without those that have none.
    pub(super) semantics: SemanticsTable,
}

/// Reads the functions of a Puppet version.
pub(super) fn read(version: PuppetVersion) -> FunctionStubs {
    let mut stubs = read_sources(FUNCTIONS, version);
    stubs.functions.sort_unstable_keys();
    stubs
}

/// Reads the functions of Bolt.
pub(super) fn read_bolt_functions() -> Table<Function> {
    read_sources(BOLT_FUNCTIONS, PuppetVersion::V8).functions
}

/// Returns the semantics of functions that only modules define.
pub(super) fn read_module_functions() -> SemanticsTable {
    module_functions().semantics
}

fn module_functions() -> FunctionStubs {
    read_sources(MODULE_FUNCTIONS, PuppetVersion::V8)
}

fn read_sources(sources: &[Source], version: PuppetVersion) -> FunctionStubs {
    let mut stubs = FunctionStubs::default();
    for source in sources {
        read_source(source, version, &mut stubs);
    }
    stubs
}

/// Returns the names of the functions that only modules define.
#[cfg(test)]
pub(super) fn module_function_names() -> Vec<String> {
    module_functions().functions.into_keys().collect()
}

fn read_source(source: &Source, version: PuppetVersion, stubs: &mut FunctionStubs) {
    let mut aliases = Aliases::new();
    let stub = Stub::parse(source);
    for statement in stub.statements() {
        match statement {
            Expr::TypeAlias(alias) => {
                let text = alias.type_expr().map(|it| stub.source(&it));
                aliases.extend(alias.name().map(|it| it.text()).zip(text));
            }
            Expr::FunctionDefinition(definition) => {
                let reader = Reader {
                    stub: &stub,
                    aliases: &aliases,
                };
                reader.add(&definition, version, stubs);
            }
            _ => {}
        }
    }
}

/// Reads the functions of one stub.
struct Reader<'a> {
    stub: &'a Stub,
    aliases: &'a Aliases,
}

impl Reader<'_> {
    fn add(
        &self,
        definition: &FunctionDefinition,
        version: PuppetVersion,
        stubs: &mut FunctionStubs,
    ) {
        let Some(name) = definition.name().map(|it| stub::name(&it.text())) else {
            return;
        };
        let mut doc = self.stub.documentation(definition);
        let semantics = Semantics::take(&mut doc);
        if !semantics.is_empty() {
            stubs.semantics.insert(name.clone(), semantics);
        }
        if !stub::exists_in(&doc, version) {
            return;
        }
        let mut overload = self.overload(definition, &mut doc);
        match stubs.functions.get_mut(&name) {
            Some(known) => {
                overload.doc = doc;
                known.overloads.push(overload);
            }
            None => {
                let functions = &mut stubs.functions;
                functions.insert(name.clone(), function(name, doc, overload));
            }
        }
    }

    fn overload(&self, definition: &FunctionDefinition, doc: &mut Doc) -> Overload {
        let at_least_one = stub::take_list(doc, "at_least_one");
        let mut parameters = definition.parameters();
        let block = parameters.last().and_then(|it| self.block(it));
        if block.is_some() {
            parameters.pop();
        }
        let parameters = parameters.iter();
        let parameters = parameters.filter_map(|it| self.parameter(it, &at_least_one));
        let returns = definition.return_type().and_then(|it| it.type_expr());
        Overload {
            parameters: parameters.collect(),
            block,
            returns: returns.map(|it| self.stub.source(&it)),
            doc: Doc::default(),
            local_types: self.local_types(definition),
        }
    }

    fn block(&self, parameter: &Parameter) -> Option<BlockParameter> {
        let text = self.stub.source(&parameter.type_expr()?);
        let inner = text.strip_prefix("Optional[");
        let inner = inner.and_then(|it| it.strip_suffix(']'));
        let type_ = inner.unwrap_or(&text);
        let alias = self.aliases.iter().find(|(name, _)| name == type_);
        let meant = alias.map_or(type_, |(_, body)| body);
        meant.starts_with("Callable").then_some(())?;
        Some(BlockParameter {
            name: stub::name(&parameter.name()?),
            type_: Some(type_.to_owned()),
            optional: inner.is_some(),
        })
    }

    fn parameter(
        &self,
        parameter: &Parameter,
        at_least_one: &[String],
    ) -> Option<FunctionParameter> {
        let name = stub::name(&parameter.name()?);
        let default = parameter.default().map(|it| self.stub.source(&it));
        let arity = match (parameter.captures_rest(), &default) {
            (true, _) if at_least_one.contains(&name) => Arity::RequiredRepeated,
            (true, _) => Arity::Repeated,
            (false, Some(_)) => Arity::Optional,
            (false, None) => Arity::Required,
        };
        Some(FunctionParameter {
            name,
            type_: parameter.type_expr().map(|it| self.stub.source(&it)),
            arity,
            default: default.filter(|it| it != "default"),
        })
    }

    /// Returns the aliases used by a definition, directly or through other aliases.
    fn local_types(&self, definition: &FunctionDefinition) -> Aliases {
        if self.aliases.is_empty() {
            return Aliases::new();
        }
        let mut texts = vec![self.stub.source(definition)];
        let mut found: Vec<bool> = vec![false; self.aliases.len()];
        while let Some(text) = texts.pop() {
            for (known, (name, body)) in found.iter_mut().zip(self.aliases) {
                if !*known && mentions(&text, name) {
                    *known = true;
                    texts.push(body.clone());
                }
            }
        }
        let used = found.iter().zip(self.aliases).filter(|(it, _)| **it);
        used.map(|(_, alias)| alias.clone()).collect()
    }
}

fn function(name: String, mut doc: Doc, overload: Overload) -> Function {
    let api = match stub::take_mark(&mut doc, "ruby3x") {
        true => FunctionApi::Ruby3x,
        false => FunctionApi::Ruby4x,
    };
    Function {
        name,
        api,
        overloads: vec![overload],
        rewrites_arguments: false,
        fails_if_strict: false,
        reads_scope: false,
        result: None,
        has_value: !stub::take_mark(&mut doc, "statement"),
        doc,
        name_range: TextRange::default(),
    }
}

/// Checks whether the source contains the name as a whole word.
fn mentions(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    text.split(|c| !part(c)).any(|it| it == name)
}
