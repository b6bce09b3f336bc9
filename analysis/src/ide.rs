//! Editor features, one a file: plain data in and out, tests at the bottom of each.

mod assists;
mod call_hierarchy;
mod completion;
mod cursor;
mod definition;
mod diagnostics;
mod fixes;
mod folding;
mod formatting;
mod highlight;
mod hover;
mod ignored;
mod implementation;
mod inferred;
mod inlay_hints;
mod lens;
mod links;
mod named;
mod notes;
mod references;
mod rename;
mod search;
mod selection;
mod signature;
mod signature_help;
mod symbol;
mod symbols;
mod text;
mod tokens;
mod type_definition;
mod type_hierarchy;
mod workspace_symbols;

#[cfg(test)]
pub(crate) mod fixture;

use syntax::{Applicability, Edit, Severity, TextRange};

use crate::host::FileId;

pub use assists::{Assist, AssistKind};
pub(crate) use assists::{assist_edits, assists};
pub use call_hierarchy::{Call, HierarchyItem};
pub(crate) use call_hierarchy::{call_item, incoming_calls, outgoing_calls};
pub use completion::{CompletionItem, CompletionKind, Completions, Subject, SubjectKind};
pub(crate) use completion::{completions, documentation};
pub(crate) use definition::definition;
pub(crate) use diagnostics::{prepare_diagnostics, workspace_diagnostics};
pub use fixes::certain_edits;
pub(crate) use fixes::ignore;
pub(crate) use folding::folding_ranges;
pub use formatting::format;
pub(crate) use formatting::{edits_for_brace, edits_for_line, format_range};
pub(crate) use highlight::highlights;
pub(crate) use hover::hover;
pub(crate) use ignored::Ignored;
pub(crate) use implementation::implementation;
pub(crate) use inferred::inferred_places;
pub use inferred::{InferredPlace, InferredSubject};
pub use inlay_hints::{HintKind, HintOptions, InlayHint};
pub(crate) use inlay_hints::{hint_tooltip, inlay_hints};
pub use lens::{Lens, LensKind};
pub(crate) use lens::{counted, lenses};
pub(crate) use links::links;
pub use links::{Link, LinkTarget};
pub(crate) use named::named_references;
pub(crate) use notes::expression_notes;
pub(crate) use references::references;
pub use rename::{Doubt, FileMove, Renamable, RenameEdit, RenameRefused};
pub(crate) use rename::{prepare_rename, rename, rename_files};
pub(crate) use search::module_path;
pub(crate) use selection::selection_ranges;
pub(crate) use signature_help::signature_help;
pub use signature_help::{CallParameter, CallSignature, SignatureHelp};
pub use symbol::Access;
pub(crate) use symbols::document_symbols;
pub(crate) use tokens::semantic_tokens;
pub(crate) use type_definition::type_definition;
pub(crate) use type_hierarchy::{subtypes, supertypes, type_item};
pub(crate) use workspace_symbols::workspace_symbols;

/// Something that is wrong with a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// The rule: Puppet's own issue code where Puppet has one, else the name of one of
    /// [`crate::rules::RULES`].
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What to underline.
    pub range: TextRange,
    /// Places that explain it, maybe in other files.
    pub related: Vec<RelatedPlace>,
    /// What can be done about it, the best first.
    pub fixes: Vec<Fix>,
}

/// A change after which a [`Diagnostic`] is gone, and the code means what it did or, of what Puppet
/// refuses, what it was meant to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fix {
    /// What it does, in the imperative, without a full stop.
    pub label: String,
    /// Whether it may be applied without asking.
    pub applicability: Applicability,
    /// The edits by file, in any order; none overlaps another.
    pub edits: Vec<(FileId, Edit)>,
}

/// A place that explains a [`Diagnostic`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RelatedPlace {
    /// The file.
    pub file: FileId,
    /// The place in it.
    pub range: TextRange,
    /// What it has to do with the diagnostic.
    pub message: String,
}

/// A place that a name leads to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// The file.
    pub file: FileId,
    /// All of the definition.
    pub range: TextRange,
    /// Its name.
    pub name_range: TextRange,
}

/// What a name leads to, and where that is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Targets {
    /// The name.
    pub range: TextRange,
    /// Where it leads, the best first.
    pub targets: Vec<Target>,
}

/// A place where a name stands for what was asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UsePlace {
    /// The file.
    pub file: FileId,
    /// The name, with quotes or a dollar sign if it has any.
    pub range: TextRange,
    /// What happens there.
    pub access: Access,
}

/// A definition somewhere in the workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkspaceSymbol {
    /// Its full name, in lower case.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Where it is.
    pub target: Target,
    /// The module it is in.
    pub container: Option<String>,
}

/// A name that is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedReference {
    /// Where it stands.
    pub range: TextRange,
    /// What it names: `variable`, `class`, `resource type`, `type`, `function`, `resource`,
    /// `template` or `file`.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// Whether a name leads to a definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// To one in the workspace.
    Found,
    /// To one that Puppet ships.
    Shipped,
    /// To none, and why.
    Missing(&'static str),
}

/// An entry of the outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentSymbol {
    /// The name that the outline shows.
    pub name: String,
    /// More about it, in grey.
    pub detail: Option<String>,
    /// What it is.
    pub kind: SymbolKind,
    /// All of it, with its body.
    pub range: TextRange,
    /// Its name.
    pub selection_range: TextRange,
    /// What is inside.
    pub children: Vec<DocumentSymbol>,
}

/// What a [`DocumentSymbol`] is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKind {
    /// A class.
    Class,
    /// A defined type.
    DefinedType,
    /// A function.
    Function,
    /// A plan.
    Plan,
    /// A node definition.
    Node,
    /// A type alias.
    TypeAlias,
    /// A parameter.
    Parameter,
    /// An assigned variable.
    Variable,
    /// A resource.
    Resource,
}

/// Lines that can be folded into one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoldingRange {
    /// From the first to the last line, in bytes.
    pub range: TextRange,
    /// What they are.
    pub kind: FoldingKind,
}

/// What a [`FoldingRange`] holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FoldingKind {
    /// Code.
    Region,
    /// Comment lines.
    Comment,
    /// Classes that are included, one after the other.
    Imports,
}

/// The meaning of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SemanticToken {
    /// Where it is; never more than one line, never overlapping another.
    pub range: TextRange,
    /// What it is.
    pub kind: SemanticKind,
    /// More about it.
    pub modifiers: SemanticModifiers,
}

/// What a [`SemanticToken`] is; the names are those of the LSP.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SemanticKind {
    /// The name of a module in front of `::`.
    Namespace,
    /// A data type or a resource type.
    Type,
    /// A class.
    Class,
    /// A parameter.
    Parameter,
    /// A variable.
    Variable,
    /// An attribute of a resource, a key of a hash.
    Property,
    /// A function.
    Function,
    /// A function called behind a dot.
    Method,
    /// A keyword.
    Keyword,
    /// A comment.
    Comment,
    /// Text.
    String,
    /// A number.
    Number,
    /// A regular expression.
    Regexp,
    /// An operator.
    Operator,
    /// An escape in a string.
    EscapeSequence,
}

/// More about a [`SemanticToken`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SemanticModifiers {
    /// Where a name is declared.
    pub declaration: bool,
    /// What Puppet itself ships.
    pub default_library: bool,
    /// A comment that documents.
    pub documentation: bool,
    /// What Puppet sets and nobody can assign: facts, `$trusted` and the like.
    pub readonly: bool,
    /// What should not be used any more.
    pub deprecated: bool,
}

/// What the pointer shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// What it is about.
    pub range: TextRange,
    /// Markdown.
    pub markdown: String,
}

/// The type, and the value if it is constant, of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpressionNote {
    /// The expression.
    pub range: TextRange,
    /// Its type in the display notation.
    pub type_: String,
    /// Its value as Puppet source.
    pub value: Option<String>,
}
