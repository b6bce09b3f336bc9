//! Compiles catalogs: the resources that a node gets.
//!
//! The [`compile`] function follows Puppet's compiler, in its order of evaluation. What depends on an unknown
//! value, such as the result of a function written in Ruby, becomes unknown by itself; the rest of the catalog is
//! still certain.
#![expect(
    clippy::result_large_err,
    reason = "evaluation seldom fails, and an error ends it"
)]

mod automatic_relations;

mod class_copy;
mod class_size;
mod classes;
mod collectors;
mod compiler;
mod cycles;
mod data;
mod declarations;
mod definitions;
mod ensure_packages;
mod functions;
mod graph;
mod metaparameters;
mod node_groups;
mod node_names;
mod nodes;
mod open_branches;
mod open_types;
mod overrides;
mod parameter_binding;
mod partial_calls;
mod possible_resources;
mod possible_titles;
mod problems;
mod queries;
mod recovery;
mod relationships;
mod resource_names;
mod ruby_functions;
mod ruby_templates;

mod class_sharing;
mod sample_nodes;
mod scopes;
mod shared_class;
mod shared_code;
mod state;
mod stdlib;
mod subject;
mod templates;
mod undeclared;
mod unknown_names;
mod values;

pub use class_size::{ClassSize, ResourceCount, large_class_counts, size_of_class};
pub use compiler::{CompileRequest, compile, compiled_variables};
pub use data::{
    Catalog, Compilation, CompileError, CompileErrorKind, Cycle, Edge, EdgeKind, Gap, Origin,
    Parameter, Place, Resource, ResourceKey, UnknownEdges,
};
pub use possible_resources::possible_declaration_by_role;
pub use problems::{
    ClassProblem, ClassProblems, Names, ProblemKind, ProblemPlace, class_problems,
    confirmed_problem, defined_type_problems, fails_as_declared, fails_with_any_parameters,
    has_node_definitions, main_problems, node_problems, problems_on_system, role_problems,
    sample_systems, unqualified_program,
};
pub use sample_nodes::{SampleNode, renamed_facts, set_sample_nodes};
pub use scopes::CompiledVariables;
pub use subject::{BASE_BUDGET, compile_class};
pub use undeclared::Possibility;
pub use unknown_names::missing_paths;
pub use values::{resource_of, source};
