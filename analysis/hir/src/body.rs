//! The lowered body of an item: its scopes, references and resources.
//!
//! All ranges are relative to the tree of the item.

mod guards;
mod implicit_names;
mod lower;

use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::{TextRange, TextSize};

use super::item::{Item, ParameterSignature};

/// The lowered body of an item.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// The scope of the item, followed by those of its lambdas.
    pub scopes: Vec<Scope>,
    /// Code that runs conditionally; the first branch is the item as a whole.
    pub branches: Vec<Branch>,
    /// The references to names, in source order.
    pub references: Vec<Reference>,
    /// The resources that are declared or modified, in source order.
    pub resources: Vec<Resource>,
    /// Whether the body could not be read completely, because of syntax errors or because lines of
    /// a heredoc are located outside of the item. Further names may then exist.
    pub incomplete: bool,
    /// The parameters, if the item is a template with a parameter list.
    pub template_parameters: Option<Vec<ParameterSignature>>,
}

/// The index of a [`Scope`] in [`Body::scopes`].
pub type ScopeId = usize;
/// The index of a [`Branch`] in [`Body::branches`].
pub(crate) type BranchId = usize;

/// A scope of variables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    /// The enclosing scope.
    pub parent: Option<ScopeId>,
    /// The variables bound in this scope, in source order.
    pub bindings: Vec<Binding>,
    /// The indexes in `bindings` of each name: large classes have hundreds of parameters.
    by_name: FxHashMap<String, Vec<usize>>,
}

impl Scope {
    /// Returns the bindings of a name, in source order.
    pub fn bindings_of(&self, name: &str) -> impl Iterator<Item = &Binding> + Clone {
        let indexes = self.by_name.get(name).into_iter().flatten();
        indexes.map(|it| &self.bindings[*it])
    }

    /// Checks whether a name is bound in this scope.
    pub fn binds(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    fn bind(&mut self, binding: Binding) {
        let same = self.by_name.entry(binding.name.clone()).or_default();
        same.push(self.bindings.len());
        self.bindings.push(binding);
    }
}

/// A parameter or an assignment of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    /// The name without the dollar sign.
    pub name: String,
    pub parameter: bool,
    /// The range of the name, including the dollar sign.
    pub range: TextRange,
    pub branch: BranchId,
    /// Whether a condition around it tests whether the variable is defined.
    pub guarded: bool,
}

/// Code that runs conditionally.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Branch {
    /// The enclosing branch.
    pub parent: Option<BranchId>,
    /// The first statement that always leaves the code around it.
    pub exit: Option<Exit>,
}

/// A statement that always leaves the code around it: a call of `return`, `fail`, `next` or `break`, or a condition
/// with such a call in each branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exit {
    /// The end of the statement.
    pub end: TextSize,
    /// The code that it leaves.
    pub leaves: TextRange,
}

/// A reference to a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    pub range: TextRange,
    pub scope: ScopeId,
    pub branch: BranchId,
    /// Whether the reference is guarded by a check that the name is defined.
    pub guarded: bool,
    /// Whether it is the function of a `Deferred`, which the agent calls after the catalog is compiled.
    pub deferred: bool,
    pub name: ReferenceName,
}

/// The name in a [`Reference`], as written unless stated otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReferenceName {
    /// A variable, without the dollar sign.
    Variable(String),
    /// A class, in canonical form.
    Class(String, ClassUse),
    /// A name that can only be a resource type, in canonical form.
    ResourceType(String),
    /// A name such as `Foo::Bar`: a data type or a resource type.
    Type(String),
    /// A function, in canonical form.
    Function(String),
    /// A resource: its type in canonical form and its title.
    Title(String, String),
    /// A template or a file of a module.
    Path(PathKind, String),
}

/// The kind of reference to a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClassUse {
    /// `include`, `require`, `contain` or `class { … }`.
    Declared,
    /// `inherits`.
    Inherited,
    /// `Class['…']`.
    Referenced,
}

/// The kind of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PathKind {
    /// `template('module/name')`: an ERB template in `templates`.
    Template,
    /// `epp('module/name')`: an EPP template in `templates`.
    Epp,
    /// `file('module/name')`: a file in `files`.
    File,
    /// `puppet:///modules/module/name`: a file or folder in `files`.
    Source,
}

/// A resource that is declared or modified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    /// The form of the expression.
    pub form: ResourceForm,
    /// The type in canonical form (`class` for a class); `None` if it is computed.
    pub type_: Option<String>,
    /// The range of the type.
    pub type_range: TextRange,
    /// The literal titles.
    pub titles: Vec<Title>,
    /// Whether all titles are literals.
    pub has_only_literal_titles: bool,
    /// The references to names, in source order.
    pub attributes: Vec<AttributeUse>,
    /// Whether there is a splat attribute (`* => …`), here or in the `default:` body.
    pub splat: bool,
    /// The attributes set by the `default:` body of the same expression.
    pub default_attributes: Vec<String>,
    /// The range of the resource body.
    pub range: TextRange,
    pub scope: ScopeId,
    pub branch: BranchId,
    /// Whether the declaration is guarded by a check that the resource is defined.
    pub guarded: bool,
}

/// The form of an expression with attributes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResourceForm {
    /// A declaration, including virtual and exported resources.
    Declaration,
    /// A `default:` body.
    DefaultBody,
    /// Resource defaults: `File { … }`.
    Defaults,
    /// An override: `File['a'] { … }`.
    Override,
    /// A collector: `File <| … |> { … }`.
    Collector,
}

/// A literal title.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Title {
    pub text: String,
    pub range: TextRange,
}

/// An attribute that is set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttributeUse {
    pub name: String,
    /// The range of the name.
    pub range: TextRange,
}

/// Lowers the tree of an item.
#[salsa::tracked]
pub fn body<'db>(db: &'db dyn Database, item: Item<'db>) -> Body {
    lower::lower(&item.syntax(db), item.module_name(db))
}

/// Checks whether an item may have variables that its code does not show.
#[salsa::tracked(returns(copy))]
pub fn is_incomplete<'db>(db: &'db dyn Database, item: Item<'db>) -> bool {
    body(db, item).incomplete
}

impl Body {
    /// Checks whether `inner` is nested in `outer`, and so runs only if `outer` does.
    pub fn is_within(&self, inner: BranchId, outer: BranchId) -> bool {
        self.branches_from(inner).any(|it| it == outer)
    }

    /// Checks whether two places run together, unless a condition prevents one of them: one branch is nested in the
    /// other, and the earlier code does not leave before the later one.
    pub fn run_together(&self, earlier: (BranchId, TextSize), later: (BranchId, TextSize)) -> bool {
        let (first, second) = (earlier.0, later.0);
        let is_nested = self.is_within(first, second) || self.is_within(second, first);
        let mut exits = self
            .branches_from(first)
            .filter_map(|it| self.branches[it].exit);
        is_nested && !exits.any(|it| it.end <= later.1 && it.leaves.contains(later.1))
    }

    fn branches_from(&self, branch: BranchId) -> impl Iterator<Item = BranchId> {
        std::iter::successors(Some(branch), |it| self.branches[*it].parent)
    }

    /// Returns the scopes in which a name is looked up from `scope`, innermost first.
    pub fn scopes_from(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |it| self.scopes[*it].parent)
    }

    /// Returns the bindings of `name` in the scope of the item itself.
    pub fn own_bindings<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Binding> {
        let own = self.scopes.first().into_iter();
        own.flat_map(move |it| it.bindings_of(name))
    }
}
