//! What an item uses and gives: its scopes, the names it refers to, the resources it declares.
//!
//! All ranges are those of the item's own tree.

mod lower;
mod special;

use salsa::Database;
use syntax::TextRange;

use super::item::{Item, ParameterSignature};

/// What an item uses and gives.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Body {
    /// The first one is the item's own, the others those of lambdas.
    pub(crate) scopes: Vec<Scope>,
    /// What may run without another, the first one being all of the item.
    pub(crate) branches: Vec<Branch>,
    /// The names that are used, in the order of the text.
    pub(crate) references: Vec<Reference>,
    /// The resources that are declared or changed, in the order of the text.
    pub(crate) resources: Vec<Resource>,
    /// Whether something could not be read: the code is broken, or lines of a heredoc lie
    /// outside. What is not here may be there all the same then.
    pub(crate) incomplete: bool,
    /// The parameters, if it is a template that has a list of them.
    pub(crate) template_parameters: Option<Vec<ParameterSignature>>,
}

/// The index of a [`Scope`] in [`Body::scopes`].
pub(crate) type ScopeId = usize;
/// The index of a [`Branch`] in [`Body::branches`].
pub(crate) type BranchId = usize;

/// Where variables live.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Scope {
    /// The one around.
    pub(crate) parent: Option<ScopeId>,
    /// What is given a value here, in the order of the text.
    pub(crate) bindings: Vec<Binding>,
}

/// A variable that is given a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Binding {
    /// Its name, without a dollar sign.
    pub(crate) name: String,
    /// Whether it is a parameter.
    pub(crate) parameter: bool,
    /// The place of the name, with the dollar sign.
    pub(crate) range: TextRange,
    /// The branch it happens in.
    pub(crate) branch: BranchId,
}

/// Code that may run or not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Branch {
    /// What must run for it to run.
    pub(crate) parent: Option<BranchId>,
}

/// A name that is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reference {
    /// Where it stands.
    pub(crate) range: TextRange,
    /// The scope it stands in.
    pub(crate) scope: ScopeId,
    /// The branch it stands in.
    pub(crate) branch: BranchId,
    /// Whether the code around asks first if it exists.
    pub(crate) guarded: bool,
    /// What it is.
    pub(crate) name: Name,
}

/// What a [`Reference`] names. Names are as written unless it is said otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Name {
    /// A variable, without a dollar sign.
    Variable(String),
    /// A class, in canonical form.
    Class(String, ClassUse),
    /// A resource type that can only be one, in canonical form.
    ResourceType(String),
    /// A name such as `Foo::Bar`: a data type or a resource type.
    Type(String),
    /// A function, in canonical form.
    Function(String),
    /// A resource by its type in canonical form and its title.
    Title(String, String),
    /// A template or a file of a module: what kind, and all paths of which one must be there.
    Path(PathKind, String),
}

/// How a class is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ClassUse {
    /// `include`, `require`, `contain` or `class { … }`.
    Declared,
    /// `inherits`.
    Inherited,
    /// `Class['…']`.
    Referenced,
}

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PathKind {
    /// `template('module/name')`: in `templates`, in Ruby's language.
    Template,
    /// `epp('module/name')`: in `templates`, in Puppet's.
    Epp,
    /// `file('module/name')`: in `files`.
    File,
    /// `puppet:///modules/module/name`: in `files`, or a folder there.
    Source,
}

/// A resource that is declared or changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Resource {
    /// What the expression does.
    pub(crate) form: ResourceForm,
    /// The type in canonical form (`class` for a class); nothing if it is computed.
    pub(crate) type_: Option<String>,
    /// Where the type stands.
    pub(crate) type_range: TextRange,
    /// The titles that are written out.
    pub(crate) titles: Vec<Title>,
    /// Whether all titles are in `titles`.
    pub(crate) titles_known: bool,
    /// The attributes in order.
    pub(crate) attributes: Vec<AttributeUse>,
    /// Whether there is `* => …`, here or in a `default:` body.
    pub(crate) splat: bool,
    /// What the `default:` body of the same expression gives.
    pub(crate) defaults: Vec<String>,
    /// All of it.
    pub(crate) range: TextRange,
    /// The scope it stands in.
    pub(crate) scope: ScopeId,
    /// The branch it stands in.
    pub(crate) branch: BranchId,
    /// Whether the code around asks first if it exists.
    pub(crate) guarded: bool,
}

/// What an expression with attributes does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ResourceForm {
    /// Declares a resource; also virtual and exported ones.
    Declaration,
    /// A `default:` body.
    DefaultBody,
    /// `File { … }`.
    Defaults,
    /// `File['a'] { … }`.
    Override,
    /// `File <| … |> { … }`.
    Collector,
}

/// A title that is written out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Title {
    /// Its text.
    pub(crate) text: String,
    /// Where it stands.
    pub(crate) range: TextRange,
}

/// An attribute that is given a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AttributeUse {
    /// Its name.
    pub(crate) name: String,
    /// Where the name stands.
    pub(crate) range: TextRange,
}

/// What an item uses and gives.
#[salsa::tracked]
pub(crate) fn body<'db>(db: &'db dyn Database, item: Item<'db>) -> Body {
    lower::lower(&item.syntax(db), item.module_name(db))
}

/// Whether an item may have variables that its code does not tell.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_incomplete<'db>(db: &'db dyn Database, item: Item<'db>) -> bool {
    body(db, item).incomplete
}

impl Body {
    /// Whether `inner` runs only when `outer` runs, and then after or with it.
    pub(crate) fn is_within(&self, inner: BranchId, outer: BranchId) -> bool {
        self.branches_from(inner).any(|it| it == outer)
    }

    /// Whether one of two branches runs only when the other one does.
    pub(crate) fn run_together(&self, first: BranchId, second: BranchId) -> bool {
        self.is_within(first, second) || self.is_within(second, first)
    }

    fn branches_from(&self, branch: BranchId) -> impl Iterator<Item = BranchId> {
        std::iter::successors(Some(branch), |it| self.branches[*it].parent)
    }

    /// The scopes that a name in `scope` is looked up in, from the inside out.
    pub(crate) fn scopes_from(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |it| self.scopes[*it].parent)
    }

    /// What gives `name` a value in the scope of the item itself.
    pub(crate) fn own_bindings<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Binding> {
        let own = self.scopes.first().into_iter();
        own.flat_map(|it| &it.bindings)
            .filter(move |it| it.name == name)
    }
}
