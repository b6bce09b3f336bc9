//! The IDE features, one module each. They take and return plain data, independent of the LSP.
#![warn(missing_docs)]

mod assists;
mod call_hierarchy;
mod code_lens;
mod completion;
mod cursor;
mod diagnostics;
mod document_highlight;
mod document_link;
mod document_symbol;
mod expression_notes;
mod fixes;
mod folding_range;
mod formatting;
mod goto_definition;
mod goto_implementation;
mod goto_type_definition;
mod host;
mod hover;
mod inlay_hint;
mod markdown;
mod references;
mod rename;
mod resolved_references;
mod search;
mod selection_range;
mod semantic_tokens;
mod signature_help;
mod symbol;
mod text;
mod type_hierarchy;
mod workspace_symbol;

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod incremental_tests;

use syntax::TextRange;

use base::FileId;

pub use assists::{Assist, AssistKind};
pub(crate) use assists::{assist_edits, assists};
pub use call_hierarchy::{HierarchyCall, HierarchyItem};
pub(crate) use call_hierarchy::{incoming_calls, outgoing_calls, prepare_call_hierarchy};
pub use code_lens::{CodeLens, CodeLensKind};
pub(crate) use code_lens::{code_lens_references, code_lenses};
pub use completion::{
    CompletionItem, CompletionKind, Completions, DocumentationKey, DocumentedKind,
};
pub(crate) use completion::{completions, documentation};
pub(crate) use diagnostics::{file_diagnostics, prepare_diagnostics};
pub(crate) use document_highlight::document_highlights;
pub(crate) use document_link::document_links;
pub use document_link::{DocumentLink, LinkTarget};
pub(crate) use document_symbol::document_symbols;
pub(crate) use expression_notes::expression_notes;
pub use fixes::certain_edits;
pub(crate) use fixes::suppression_edit;
pub(crate) use folding_range::folding_ranges;
pub use formatting::format;
pub(crate) use formatting::{edits_for_closing_brace, edits_for_new_line, format_range};
pub(crate) use goto_definition::goto_definition;
pub(crate) use goto_implementation::goto_implementation;
pub(crate) use goto_type_definition::goto_type_definition;
pub use host::{Analysis, AnalysisHost, Cancelled, Change};
pub(crate) use hover::hover;
pub use hover::project_hover;
pub use infer::{InferredType, TypedRangeKind};
pub use inlay_hint::{HintKind, HintOptions, InlayHint};
pub(crate) use inlay_hint::{hint_tooltip, inlay_hints};
pub(crate) use references::references;
pub use rename::{FileMove, Renamable, RenameEdit, RenameError, UncertainUse};
pub(crate) use rename::{prepare_rename, rename, rename_files};
pub(crate) use resolved_references::resolved_references;
pub(crate) use search::module_path;
pub(crate) use selection_range::selection_ranges;
pub(crate) use semantic_tokens::semantic_tokens;
pub(crate) use signature_help::signature_help;
pub use signature_help::{CallParameter, CallSignature, SignatureHelp};
pub use symbol::AccessKind;
pub(crate) use type_hierarchy::{prepare_type_hierarchy, subtypes, supertypes};
pub(crate) use workspace_symbol::workspace_symbols;

/// The target of a navigation: a definition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NavigationTarget {
    /// The file.
    pub file: FileId,
    /// The range of the whole definition.
    pub range: TextRange,
    /// The range of its name.
    pub name_range: TextRange,
}

/// A name and the definitions that it resolves to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NavigationTargets {
    /// The range of the name.
    pub range: TextRange,
    /// The definitions, best first.
    pub targets: Vec<NavigationTarget>,
}

/// A reference to a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReferenceLocation {
    /// The file.
    pub file: FileId,
    /// The range of the name, including quotes or a dollar sign.
    pub range: TextRange,
    /// How the symbol is accessed.
    pub access: AccessKind,
}

/// A definition found by a workspace symbol search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkspaceSymbol {
    /// Its full name, in lower case.
    pub name: String,
    /// The kind of definition.
    pub kind: SymbolKind,
    /// The location of the definition.
    pub target: NavigationTarget,
    /// The module that contains it.
    pub container: Option<String>,
}

/// A name used in a file, with the result of resolving it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResolvedReference {
    /// The range of the name.
    pub range: TextRange,
    /// The kind of name: `variable`, `class`, `resource type`, `type`, `function`, `resource`,
    /// `template` or `file`.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// The result of resolving it.
    pub resolution: NameResolution,
}

/// The result of resolving a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NameResolution {
    /// The definition is in the workspace.
    Found,
    /// The definition is built into Puppet.
    BuiltIn,
    /// The name cannot be resolved; holds the reason.
    Unresolved(&'static str),
}

/// An entry in the outline of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentSymbol {
    /// The name to display.
    pub name: String,
    /// Additional detail, such as a signature.
    pub detail: Option<String>,
    /// The kind of symbol.
    pub kind: SymbolKind,
    /// The range of the whole symbol, including its body.
    pub range: TextRange,
    /// The range of its name.
    pub selection_range: TextRange,
    /// The nested symbols.
    pub children: Vec<DocumentSymbol>,
}

/// The kind of a [`DocumentSymbol`].
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

/// A range of lines that can be folded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoldingRange {
    /// The range to fold; it starts on the first line and ends on the last one.
    pub range: TextRange,
    /// The kind of range.
    pub kind: FoldingKind,
}

/// The kind of a [`FoldingRange`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FoldingKind {
    /// Code.
    Region,
    /// Comments.
    Comment,
    /// Consecutive statements that include classes.
    Imports,
}

/// A token with its highlighting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SemanticToken {
    /// The range, which is on one line and does not overlap other tokens.
    pub range: TextRange,
    /// The kind of token.
    pub kind: SemanticKind,
    /// The modifiers.
    pub modifiers: SemanticModifiers,
}

/// The kind of a [`SemanticToken`], named as in the LSP.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SemanticKind {
    /// A module name before `::`.
    Namespace,
    /// A data type or a resource type.
    Type,
    /// A class.
    Class,
    /// A parameter.
    Parameter,
    /// A variable.
    Variable,
    /// An attribute of a resource or a key of a hash.
    Property,
    /// A function.
    Function,
    /// A function in method-call syntax (`$x.each`).
    Method,
    /// A keyword.
    Keyword,
    /// A comment.
    Comment,
    /// A string.
    String,
    /// A number.
    Number,
    /// A regular expression.
    Regexp,
    /// An operator.
    Operator,
    /// An escape sequence in a string.
    EscapeSequence,
}

/// The modifiers of a [`SemanticToken`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SemanticModifiers {
    /// The declaration of a name.
    pub declaration: bool,
    /// A name that is built into Puppet.
    pub default_library: bool,
    /// A documentation comment.
    pub documentation: bool,
    /// A variable that Puppet sets and that cannot be assigned, such as facts and `$trusted`.
    pub readonly: bool,
    /// A deprecated name.
    pub deprecated: bool,
}

/// The result of a hover request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The range that the hover describes.
    pub range: TextRange,
    /// The contents, in Markdown.
    pub markdown: String,
}

/// The inferred type of an expression, and its value if that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpressionNote {
    /// The range of the expression.
    pub range: TextRange,
    /// Its type, in display notation.
    pub type_: String,
    /// Its value as Puppet source.
    pub value: Option<String>,
}
