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
pub struct Body {
    /// The first one is the item's own, the others those of lambdas.
    pub scopes: Vec<Scope>,
    /// What may run without another, the first one being all of the item.
    pub branches: Vec<Branch>,
    /// The names that are used, in the order of the text.
    pub references: Vec<Reference>,
    /// The resources that are declared or changed, in the order of the text.
    pub resources: Vec<Resource>,
    /// The calls of functions, in the order of the text.
    pub calls: Vec<Call>,
    /// Whether something could not be read: the code is broken, or lines of a heredoc lie
    /// outside. What is not here may be there all the same then.
    pub incomplete: bool,
    /// The parameters, if it is a template that has a list of them.
    pub template_parameters: Option<Vec<ParameterSignature>>,
}

/// The index of a [`Scope`] in [`Body::scopes`].
pub type ScopeId = usize;
/// The index of a [`Branch`] in [`Body::branches`].
pub type BranchId = usize;

/// Where variables live.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    /// The one around.
    pub parent: Option<ScopeId>,
    /// What is given a value here, in the order of the text.
    pub bindings: Vec<Binding>,
}

/// A variable that is given a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    /// Its name, without a dollar sign.
    pub name: String,
    /// Whether it is a parameter.
    pub parameter: bool,
    /// The place of the name, with the dollar sign.
    pub range: TextRange,
    /// The branch it happens in.
    pub branch: BranchId,
}

/// Code that may run or not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Branch {
    /// What must run for it to run.
    pub parent: Option<BranchId>,
    /// Whether it may run several times.
    pub repeated: bool,
}

/// A name that is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// Where it stands.
    pub range: TextRange,
    /// The scope it stands in.
    pub scope: ScopeId,
    /// The branch it stands in.
    pub branch: BranchId,
    /// Whether the code around asks first if it exists.
    pub guarded: bool,
    /// What it is.
    pub name: Name,
}

/// What a [`Reference`] names. Names are as written unless it is said otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Name {
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
pub enum ClassUse {
    /// `include`, `require`, `contain` or `class { … }`.
    Declared,
    /// `inherits`.
    Inherited,
    /// `Class['…']`.
    Referenced,
}

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PathKind {
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
pub struct Resource {
    /// What the expression does.
    pub form: ResourceForm,
    /// The type in canonical form (`class` for a class); nothing if it is computed.
    pub type_: Option<String>,
    /// Where the type stands.
    pub type_range: TextRange,
    /// The titles that are written out.
    pub titles: Vec<Title>,
    /// Whether all titles are in `titles`.
    pub titles_known: bool,
    /// The attributes in order.
    pub attributes: Vec<AttributeUse>,
    /// Whether there is `* => …`, here or in a `default:` body.
    pub splat: bool,
    /// What the `default:` body of the same expression gives.
    pub defaults: Vec<String>,
    /// All of it.
    pub range: TextRange,
    /// The scope it stands in.
    pub scope: ScopeId,
    /// The branch it stands in.
    pub branch: BranchId,
    /// Whether the code around asks first if it exists.
    pub guarded: bool,
}

/// What an expression with attributes does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResourceForm {
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
pub struct Title {
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub range: TextRange,
}

/// An attribute that is given a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttributeUse {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub range: TextRange,
    /// Whether it is added to (`+>`).
    pub adds: bool,
    /// The value if it is a plain text.
    pub text: Option<String>,
}

/// A call of a function by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The function, in canonical form.
    pub function: String,
    /// Where its name stands.
    pub range: TextRange,
    /// How many arguments it is given, that before the dot included; nothing if some are
    /// unfolded from a list.
    pub arguments: Option<usize>,
    /// How many parameters its block has, if it has one: required ones, and all unless there is
    /// no limit.
    pub block: Option<(usize, Option<usize>)>,
    /// The texts of its first arguments, as far as they are written out.
    pub texts: Vec<String>,
}

/// What an item uses and gives.
#[salsa::tracked]
pub fn body<'db>(db: &'db dyn Database, item: Item<'db>) -> Body {
    lower::lower(&item.syntax(db))
}

impl Body {
    /// Whether `inner` runs only when `outer` runs, and then after or with it.
    pub fn is_within(&self, inner: BranchId, outer: BranchId) -> bool {
        self.branches_from(inner).any(|it| it == outer)
    }

    /// Whether one of two branches runs only when the other one does.
    pub fn run_together(&self, first: BranchId, second: BranchId) -> bool {
        self.is_within(first, second) || self.is_within(second, first)
    }

    /// Whether a branch may run several times for one run of the item.
    pub fn is_repeated(&self, branch: BranchId) -> bool {
        self.branches_from(branch)
            .any(|it| self.branches[it].repeated)
    }

    fn branches_from(&self, branch: BranchId) -> impl Iterator<Item = BranchId> {
        std::iter::successors(Some(branch), |it| self.branches[*it].parent)
    }

    /// The scopes that a name in `scope` is looked up in, from the inside out.
    pub fn scopes_from(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |it| self.scopes[*it].parent)
    }

    /// What gives `name` a value in the scope of the item itself.
    pub fn own_bindings<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Binding> {
        let own = self.scopes.first().into_iter();
        own.flat_map(|it| &it.bindings)
            .filter(move |it| it.name == name)
    }
}
