//! The code that is compiled by itself to find problems: classes, defined types, definitions of nodes and main manifests.

use std::cell::RefCell;
use std::sync::Arc;

use base::EnvironmentInput;
use eval::FlowResult;
use hiera::Layer;
use hir::Item;
use infer::{NodeVariables, WorkspaceData};
use salsa::Database;

use crate::data::Compilation;
use crate::declarations::Declaration;
use crate::scopes::ScopeVariables;
use crate::state::{Compiler, TOP};

/// The budget of the compilation of code whose parameters are unknown, or of a class by itself. Most classes need a
/// tenth; roles of large repositories with hundreds of classes would take most of the time of a check.
pub const BASE_BUDGET: u64 = 50_000;

/// The budget of the compilation with default parameters, which evaluates branches that are unknown otherwise, and of
/// the catalogs of nodes with facts.
const LARGE_BUDGET: u64 = 200_000;

/// The code that is compiled.
#[derive(Clone, Copy)]
pub(crate) enum Subject<'a> {
    /// The class with a name.
    Class(&'a str),
    /// Any instance of the defined type with a name.
    DefinedType(&'a str),
    /// The main manifests and a definition of a node in them, with the known groups of its regular expression.
    Node(Item<'a>, &'a [Option<Arc<str>>]),
    /// The main manifests, without node definitions.
    Main,
    /// The main manifests, the definition of the default node, and the class with a name.
    Role(&'a str, Option<Item<'a>>),
}

/// How a class is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// The class alone.
    Whole,
    /// Part of a catalog that sets none of the parameters.
    Part,
    /// Part of a catalog that may set the parameters that are `undef` by default.
    ParameterizedPart,
    /// Part of a catalog that may set the parameters that any code of the environment sets.
    DeclaredPart,
}

/// A request to compile a subject.
#[derive(Clone, Copy)]
pub(crate) struct SubjectRequest<'a> {
    pub(crate) subject: Subject<'a>,
    pub(crate) node: &'a NodeVariables,
    pub(crate) mode: Mode,
    pub(crate) budget: u64,
    /// The index of the sample node, if classes may be copied from their own compilations.
    pub(crate) sample: Option<usize>,
}

impl<'a> SubjectRequest<'a> {
    pub(crate) fn new(
        subject: Subject<'a>,
        node: &'a NodeVariables,
        mode: Mode,
    ) -> SubjectRequest<'a> {
        SubjectRequest {
            subject,
            node,
            mode,
            budget: match (mode, subject) {
                (Mode::Part | Mode::DeclaredPart, _) => LARGE_BUDGET,
                // Without facts, most of the code is in branches that are unknown.
                (Mode::Whole, Subject::Node(..) | Subject::Main | Subject::Role(..))
                    if has_facts(node) =>
                {
                    LARGE_BUDGET
                }
                (Mode::Whole | Mode::ParameterizedPart, _) => BASE_BUDGET,
            },
            sample: None,
        }
    }

    /// Creates a compiler, and passes it on.
    pub(crate) fn with_compiler<T>(
        self,
        db: &'a dyn Database,
        environment: EnvironmentInput,
        run: impl FnOnce(Compiler<'_>) -> T,
    ) -> T {
        let full_path = |_: &Layer, path: &str| path.to_owned();
        let state = RefCell::default();
        let variables = ScopeVariables(&state);
        let data = WorkspaceData::new(db, environment, self.node, &full_path);
        let data = data.with_code(&variables);
        run(Compiler {
            is_sample: self.mode != Mode::Whole || !matches!(self.subject, Subject::Class(_)),
            sample: self.sample,
            is_part: self.mode != Mode::Whole,
            is_parameterized: self.mode == Mode::ParameterizedPart,
            is_declared: self.mode == Mode::DeclaredPart,
            groups: match self.subject {
                Subject::Node(_, groups) => groups,
                _ => &[],
            },
            ..Compiler::new(&state, (db, environment), &data, self.node, self.budget)
        })
    }

    /// Compiles the subject, and passes the compiler on.
    pub(crate) fn run<T>(
        self,
        db: &'a dyn Database,
        environment: EnvironmentInput,
        read: impl FnOnce(Compiler<'_>) -> T,
    ) -> T {
        self.with_compiler(db, environment, |compiler| {
            compiler.run(&|| self.evaluate(&compiler));
            read(compiler)
        })
    }

    /// Evaluates the subject.
    pub(crate) fn evaluate(self, compiler: &Compiler<'_>) -> FlowResult<()> {
        match self.subject {
            Subject::Class(name) => {
                compiler.include(TOP, name, Declaration::default())?;
                Ok(())
            }
            Subject::DefinedType(name) => compiler.evaluate_any_instance(name),
            Subject::Node(definition, _) => compiler.evaluate_node_definition(definition),
            Subject::Main => compiler.evaluate_main(),
            Subject::Role(name, node) => {
                match node {
                    Some(it) => compiler.evaluate_node_definition(it)?,
                    None => compiler.evaluate_main()?,
                }
                compiler.include(TOP, name, Declaration::default())?;
                Ok(())
            }
        }
    }
}

fn has_facts(node: &NodeVariables) -> bool {
    node.top_scope.contains_key("facts")
}

/// Compiles a class with its default parameters for a node. If the budget does not suffice, there is an error.
#[must_use]
pub fn compile_class(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
    node: &NodeVariables,
    budget: u64,
) -> Compilation {
    let request = SubjectRequest {
        budget,
        ..SubjectRequest::new(Subject::Class(name), node, Mode::Whole)
    };
    request.run(db, environment, |it| it.into_compilation())
}
