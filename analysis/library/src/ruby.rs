//! Extracts definitions from the Ruby code of modules, without running it.
//!
//! The functions of this module map the source of one Ruby file to the plain data of
//! [`crate::signatures`]. Definitions that depend on running the file are omitted or marked as
//! incomplete; nothing is guessed. Ruby is parsed with tree-sitter. [`walk`] interprets the subset
//! that such files consist of (literals, constants, loops over lists, calls of the definition
//! DSLs), and each kind of definition has a module of its own.
//!
//! *Architecture invariant*: no disk access, no execution of Ruby, no knowledge of the location of
//! the file. Every input is handled in bounded time and stack: sizes, steps and depths are limited.

mod argument_counts;
mod attributes;
mod automatic_relations;
mod calls;
mod comments;
mod data_types;
mod dispatches;
mod erb;
mod evaluate;
mod facts;
mod file_syntax;
mod function_problems;
mod functions;
mod legacy;
mod literals;
mod providers;
mod puppetfile;
mod requires;
mod resource_api;
mod resource_types;
mod results;
mod source;
mod type_validation;
mod validation;
mod value;
mod walk;

pub use data_types::data_types;
pub use erb::{
    ErbCall, ErbCallTarget, ErbFactPath, ErbMethod, ErbName, ErbNames, ErbNotation, ErbOperation,
    ErbProblem, ErbProblemKind, ErbRead, ErbUse, ErbVariable, RubyClass, common_methods, erb_code,
    erb_names, has_legacy_api, is_method_of_values, known_constants, meant_method,
};
pub use facts::{ComputedName, FactFile, facts};
pub use file_syntax::{RubySyntaxError, RubySyntaxErrorKind, file_syntax_error};
pub use function_problems::{FunctionFile, FunctionProblem, FunctionProblemKind, function_file};
pub use functions::functions;
pub use providers::provider;
pub use puppetfile::{Call as PuppetfileCall, Puppetfile, puppetfile};
pub use requires::{Required, requires};
pub use resource_types::{resource_types, resource_types_with};

/// The maximum file size, in bytes; larger files are ignored.
pub const MAX_BYTES: usize = 1 << 20;
