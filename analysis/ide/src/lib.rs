//! The IDE features, one module each. They take and return plain data, independent of the LSP.
#![warn(missing_docs)]

mod assists;
mod bolt;
mod call_hierarchy;
mod catalog_subject;
mod code_lens;
mod completion;
mod cursor;
mod data_files;
mod data_lookup;
mod diagnostics;
mod document_highlight;
mod document_link;
mod document_symbol;
mod erb_uses;
mod expression_notes;
mod fact_path;
mod fixes;
mod folding_range;
mod goto_definition;
mod goto_implementation;
mod goto_type_definition;
mod host;
mod hover;
mod inlay_hint;
mod literals;
mod markdown;
mod readable_type;
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

use data_files::{FileKind, file_kind, prime_data};
use syntax::{Edit, Parse, TextRange, TextSize};

use base::{Diagnostic, FileId};
use catalog::ResourceCount;
pub use library::StubLocation;

pub use assists::{Assist, AssistEdit, AssistKind, NewFile};
pub(crate) use assists::{assist_edit, assists};
pub use call_hierarchy::{HierarchyCall, HierarchyItem};
pub(crate) use call_hierarchy::{incoming_calls, outgoing_calls, prepare_call_hierarchy};
pub use catalog_subject::{CatalogSubject, CatalogSubjectKind, MissingClass};
pub(crate) use catalog_subject::{catalog_subject, missing_class};
pub(crate) use code_lens::code_lenses;
use code_lens::count_large_class;
pub use code_lens::{CodeLens, LensSubject};
pub use completion::{
    CompletionItem, CompletionKind, Completions, DocumentationKey, DocumentedKind,
};
pub(crate) use completion::{completions, documentation, expects_known_value, prime_completions};
pub use data_files::KeyLevel;
pub(crate) use data_files::key_levels;
pub(crate) use data_lookup::look_up;
pub use data_lookup::{LookupAnswer, LookupCode, LookupQuery};
pub(crate) use diagnostics::{file_diagnostics, prepare_diagnostics};
pub(crate) use document_highlight::document_highlights;
pub(crate) use document_link::document_links;
pub use document_link::{DocumentLink, LinkTarget};
pub(crate) use document_symbol::document_symbols;
pub(crate) use expression_notes::expression_notes;
pub(crate) use fixes::suppression_edit;
pub use fixes::{automatic_fix, fix_edits};
pub(crate) use folding_range::folding_ranges;
pub use format::{FormatOptions, LayoutChange, LayoutKind, format, layout_changes};
pub(crate) use format::{
    edits_for_closing_brace, edits_for_new_line, edits_for_semicolon, format_range,
};
pub(crate) use goto_definition::goto_definition;
pub(crate) use goto_implementation::goto_implementation;
pub(crate) use goto_type_definition::goto_type_definition;
pub use hir::{NodeMatcher, NodeSelector, is_class_name};
pub use host::{Analysis, AnalysisHost, Cancelled, Change};
pub(crate) use hover::hover;
pub use hover::project_hover;
pub use infer::{InferredType, NodeVariables, TypedRangeKind};
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
    /// The declaration in a stub, if the name is built into Puppet.
    pub built_in: Option<StubLocation>,
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
    pub target: SymbolTarget,
    /// The module that contains it.
    pub container: Option<String>,
}

/// The location of a [`WorkspaceSymbol`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolTarget {
    /// A definition in the workspace.
    Workspace(NavigationTarget),
    /// A stub, for a symbol that is built into Puppet.
    BuiltIn(StubLocation),
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
    /// A key of data.
    Key,
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
    /// Code that ends with a closing bracket.
    Region,
    /// Indented lines.
    Block,
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
    /// The contents without the links, in Markdown: the signature, the summary and the type; then,
    /// after a rule, the documentation.
    pub markdown: String,
    /// The links to the definition and the documentation.
    pub links: Vec<HoverLink>,
}

/// A link at the end of a [`Hover`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HoverLink {
    /// The text, in Markdown.
    pub title: String,
    /// The target; `None` for an origin that cannot be opened.
    pub target: Option<HoverTarget>,
}

/// The target of a [`HoverLink`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HoverTarget {
    /// A definition in the workspace.
    Definition(NavigationTarget),
    /// A page of the official documentation.
    Url(String),
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

/// The requests. Each is answered by the file of its feature.
impl Analysis {
    /// Returns all diagnostics of a file, ordered by position.
    pub fn diagnostics(&self, file: FileId) -> Vec<Diagnostic> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| file_diagnostics(&self.db, it))
    }

    /// Computes the largest part of [`Analysis::diagnostics`] in advance, so that another thread
    /// can do it in parallel.
    pub fn prepare_diagnostics(&self, file: FileId) {
        if let Some(file) = self.file(file) {
            prepare_diagnostics(&self.db, file);
        }
    }

    /// Returns the edit that suppresses a diagnostic with a comment, if it can be suppressed.
    pub fn suppression_edit(&self, file: FileId, diagnostic: &Diagnostic) -> Option<Edit> {
        let file = self.file(file)?;
        if file_kind(&self.db, file) != FileKind::Code {
            return None;
        }
        let text = file.text(&self.db).as_deref()?;
        suppression_edit(text, file.spec(&self.db).dialect, diagnostic)
    }

    /// Returns the assists for a selection, or for the cursor if it is empty. Fixes of diagnostics
    /// are not included.
    pub fn assists(&self, file: FileId, range: TextRange) -> Vec<Assist> {
        let file = self.file(file);
        let file = file.filter(|it| file_kind(&self.db, *it) == FileKind::Code);
        file.map_or_else(Vec::new, |it| assists(&self.db, it, range))
    }

    /// Returns the changes of one of the [`Analysis::assists`] by id and title; `None` if it is not available any more.
    pub fn assist_edit(
        &self,
        file: FileId,
        range: TextRange,
        id: &str,
        title: &str,
    ) -> Option<AssistEdit> {
        assist_edit(&self.db, self.file(file)?, range, id, title)
    }

    /// Checks whether a file has no syntax errors.
    pub fn is_well_formed(&self, file: FileId) -> bool {
        self.parsed(file).is_none_or(Parse::is_well_formed)
    }

    /// Computes what queries about other files need from this one, so that several threads can do
    /// it for many files before the first query about the whole workspace.
    pub fn prime(&self, file: FileId) {
        if let Some(file) = self.file(file) {
            rules::prime(&self.db, file);
        }
    }

    /// Computes the indexes of all data, so that the first request about a key need not.
    pub fn prime_data(&self) {
        prime_data(&self.db, self.db.environments());
    }

    /// Counts the words of the workspace that rank the completions in a file, so that the first completion need not.
    pub fn prime_completions(&self, file: FileId) {
        if let Some(file) = self.file(file) {
            prime_completions(&self.db, file);
        }
    }

    /// Returns the definitions of the name at an offset.
    pub fn goto_definition(&self, file: FileId, offset: TextSize) -> Option<NavigationTargets> {
        goto_definition(&self.db, self.file(file)?, offset)
    }

    /// Returns the definitions of the type of the symbol at an offset.
    pub fn goto_type_definition(
        &self,
        file: FileId,
        offset: TextSize,
    ) -> Option<NavigationTargets> {
        goto_type_definition(&self.db, self.file(file)?, offset)
    }

    /// Returns the implementations of the symbol at an offset: the providers of a resource type,
    /// the types that an alias refers to, the classes that inherit from a class.
    pub fn goto_implementation(&self, file: FileId, offset: TextSize) -> Option<NavigationTargets> {
        goto_implementation(&self.db, self.file(file)?, offset)
    }

    /// Returns all references to the symbol at an offset, optionally with its declarations; `None`
    /// if there is no symbol.
    pub fn references(
        &self,
        file: FileId,
        offset: TextSize,
        with_declarations: bool,
    ) -> Option<Vec<ReferenceLocation>> {
        references(&self.db, self.file(file)?, offset, with_declarations)
    }

    /// Returns the references in a file to the symbol at an offset.
    pub fn document_highlights(&self, file: FileId, offset: TextSize) -> Vec<ReferenceLocation> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| document_highlights(&self.db, it, offset))
    }

    /// Returns the callable symbol at an offset: a function, plan, class or defined type.
    pub fn prepare_call_hierarchy(&self, file: FileId, offset: TextSize) -> Option<HierarchyItem> {
        prepare_call_hierarchy(&self.db, self.file(file)?, offset)
    }

    /// Returns the callers of the symbol at an offset: the code that calls, includes or declares it.
    pub fn incoming_calls(&self, file: FileId, offset: TextSize) -> Vec<HierarchyCall> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| incoming_calls(&self.db, it, offset))
    }

    /// Returns the callees of the definition at an offset: the symbols that it calls, includes or declares.
    pub fn outgoing_calls(&self, file: FileId, offset: TextSize) -> Vec<HierarchyCall> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| outgoing_calls(&self.db, it, offset))
    }

    /// Returns the class or type alias at an offset.
    pub fn prepare_type_hierarchy(&self, file: FileId, offset: TextSize) -> Option<HierarchyItem> {
        prepare_type_hierarchy(&self.db, self.file(file)?, offset)
    }

    /// Returns the classes that the class at an offset inherits from, or the type aliases that are
    /// supertypes of the one there.
    pub fn supertypes(&self, file: FileId, offset: TextSize) -> Vec<HierarchyItem> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| supertypes(&self.db, it, offset))
    }

    /// Returns the classes that inherit from the class at an offset, or the type aliases that are
    /// subtypes of the one there.
    pub fn subtypes(&self, file: FileId, offset: TextSize) -> Vec<HierarchyItem> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| subtypes(&self.db, it, offset))
    }

    /// Returns the links to files of modules, to data files in `hiera.yaml`, and to URLs, in source order.
    pub fn document_links(&self, file: FileId) -> Vec<DocumentLink> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| match file_kind(&self.db, it) {
            FileKind::Code => document_links(&self.db, it),
            FileKind::Config => data_files::config_links(&self.db, it),
            FileKind::Data | FileKind::Erb => Vec::new(),
        })
    }

    /// Returns the code lenses of a file, in source order: above definitions that are used, parameters that
    /// data sets, and keys of data that several files have.
    pub fn code_lenses(&self, file: FileId) -> Vec<CodeLens> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| code_lenses(&self.db, it))
    }

    /// Counts the resources of a class that takes long to compile, by platform.
    pub fn count_large_class(&self, file: FileId, class: &str) -> Vec<ResourceCount> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| count_large_class(&self.db, it, class))
    }

    /// Returns the range and the name that a rename at an offset would replace.
    ///
    /// # Errors
    ///
    /// If the symbol cannot be renamed, with the reason.
    pub fn prepare_rename(&self, file: FileId, offset: TextSize) -> Result<Renamable, RenameError> {
        let file = self.file(file).ok_or_else(RenameError::no_symbol)?;
        prepare_rename(&self.db, file, offset)
    }

    /// Renames the symbol at an offset in the whole workspace.
    ///
    /// # Errors
    ///
    /// If that is not possible or would change the meaning of the code, with the reason.
    pub fn rename(
        &self,
        file: FileId,
        offset: TextSize,
        new_name: &str,
    ) -> Result<RenameEdit, RenameError> {
        let file = self.file(file).ok_or_else(RenameError::no_symbol)?;
        rename(&self.db, file, offset, new_name)
    }

    /// Returns the edits that preserve the meaning of the code when files are moved within their
    /// modules. The moves themselves are not included. Files whose paths have no meaning need no
    /// edits.
    ///
    /// # Errors
    ///
    /// If that is not possible, with the reason.
    pub fn rename_files(&self, files: &[(FileId, String)]) -> Result<RenameEdit, RenameError> {
        // Files without a source, such as images, have paths too.
        let files = files.iter();
        let known = files.filter_map(|it| Some((self.db.file(it.0)?, it.1.as_str())));
        rename_files(&self.db, &known.collect::<Vec<_>>())
    }

    /// Returns the module that contains a file, and the path of the file relative to it.
    pub fn module_path(&self, file: FileId) -> Option<(String, String)> {
        module_path(&self.db, self.db.file(file)?)
    }

    /// Returns the references in a file with their resolutions, in source order.
    pub fn resolved_references(&self, file: FileId) -> Vec<ResolvedReference> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| resolved_references(&self.db, it))
    }

    /// Returns the inferred types of the expressions in a file, in source order.
    pub fn inferred_types(&self, file: FileId) -> Vec<InferredType> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| infer::inferred_types(&self.db, it))
    }

    /// Returns the values of a key by level, the highest first, for the environment that contains a file.
    pub fn key_levels(&self, file: FileId, key: &str) -> Vec<KeyLevel> {
        let environment = self.file(file).and_then(|it| it.environment(&self.db));
        environment.map_or_else(Vec::new, |it| key_levels(&self.db, it, key))
    }

    /// Returns the nodes that the main manifests of the environment of a file define.
    pub fn node_matchers(&self, file: FileId) -> Vec<NodeMatcher> {
        let environment = self.file(file).and_then(|it| it.environment(&self.db));
        environment.map_or_else(Vec::new, |it| hir::node_matchers(&self.db, it))
    }

    /// Checks whether a file is neither data nor configuration of Hiera.
    pub fn is_code(&self, file: FileId) -> bool {
        self.hiera_file(file).is_none()
    }

    /// Returns the input of a file that is data or configuration of Hiera.
    fn hiera_file(&self, file: FileId) -> Option<base::FileInput> {
        self.file(file)
            .filter(|it| file_kind(&self.db, *it) != FileKind::Code)
    }

    /// Checks whether a file is in a folder of Hiera data.
    pub fn is_data(&self, file: FileId) -> bool {
        let file = self.file(file);
        file.is_some_and(|it| rules::data::is_data_file(&self.db, it))
    }

    /// Returns the diagnostics of a template or file of a module that is not in the Puppet language and whose text may
    /// not be read; `None` for other files, and if no rule checks such files.
    pub fn asset_diagnostics(&self, file: FileId) -> Option<Vec<Diagnostic>> {
        let asset = self
            .db
            .file(file)
            .filter(|it| rules::is_asset(&self.db, *it));
        asset.map(|it| rules::check_asset(&self.db, it))
    }

    /// Looks up keys in the data of the environment that contains a file; `None` if there is none.
    /// `full_path` returns the absolute path of a file of a layer.
    pub fn look_up(
        &self,
        file: FileId,
        query: &LookupQuery,
        full_path: &dyn Fn(&hiera::Layer, &str) -> String,
    ) -> Option<Vec<LookupAnswer>> {
        let environment = self.file(file)?.environment(&self.db)?;
        Some(look_up(&self.db, environment, query, full_path))
    }

    /// Returns the innermost class or node definition around an offset. Without an offset, the first one of
    /// the file; outside of definitions, the only one.
    pub fn catalog_subject(
        &self,
        file: FileId,
        offset: Option<TextSize>,
    ) -> Option<CatalogSubject> {
        catalog_subject(&self.db, self.file(file)?, offset)
    }

    /// Checks whether the environment that contains a file has no class of a name.
    pub fn missing_class(&self, file: FileId, name: &str) -> Option<MissingClass> {
        missing_class(&self.db, self.file(file)?.environment(&self.db)?, name)
    }

    /// Compiles the catalog of a node in the environment that contains a file; `None` if there is none.
    /// `full_path` returns the absolute path of a file of a layer.
    pub fn compile(
        &self,
        file: FileId,
        request: &catalog::CompileRequest<'_>,
        full_path: &dyn Fn(&hiera::Layer, &str) -> String,
    ) -> Option<catalog::Compilation> {
        let environment = self.file(file)?.environment(&self.db)?;
        Some(catalog::compile(&self.db, environment, request, full_path))
    }

    /// Returns the definitions and keys of data in the workspace whose names match `query` as a
    /// subsequence, and after them the built-in names that contain it.
    pub fn workspace_symbols(&self, query: &str) -> Vec<WorkspaceSymbol> {
        workspace_symbols(&self.db, self.db.environments(), query)
    }

    /// Returns the outline of a file.
    pub fn document_symbols(&self, file: FileId) -> Vec<DocumentSymbol> {
        if let Some(file) = self.hiera_file(file) {
            return data_files::document_symbols(&self.db, file);
        }
        let parse = self.parsed(file);
        parse.map_or_else(Vec::new, |it| document_symbols(&it.syntax()))
    }

    /// Formats a file, or a range of it, according to the style guide; `None` for code with syntax
    /// errors.
    pub fn format(
        &self,
        file: FileId,
        range: Option<TextRange>,
        options: &FormatOptions,
    ) -> Option<Vec<Edit>> {
        let (parse, text) = (self.parsed(file)?, self.text(file)?);
        let dialect = self.file(file)?.spec(&self.db).dialect;
        match range {
            None => format(parse, &text, dialect, options),
            Some(range) => format_range(parse, &text, dialect, options, range),
        }
    }

    /// Returns the edits that indent the line at an offset after a line break, `}` or `;` was typed.
    pub fn format_on_type(&self, file: FileId, offset: TextSize, typed: char) -> Option<Vec<Edit>> {
        let (parse, text) = (self.parsed(file)?, self.text(file)?);
        let indents = self.file(file)?.indents_continuations(&self.db);
        match typed {
            '\n' => edits_for_new_line(parse, &text, offset, indents),
            '}' => edits_for_closing_brace(parse, &text, offset),
            ';' => edits_for_semicolon(parse, &text, offset),
            _ => None,
        }
    }

    /// Returns the foldable ranges, outer before inner.
    pub fn folding_ranges(&self, file: FileId) -> Vec<FoldingRange> {
        if let Some(file) = self.hiera_file(file) {
            return data_files::folding_ranges(&self.db, file);
        }
        let (Some(parse), Some(text)) = (self.parsed(file), self.text(file)) else {
            return Vec::new();
        };
        folding_ranges(&parse.syntax(), &text)
    }

    /// Checks whether a closed string ends at an offset.
    pub fn ends_string(&self, file: FileId, offset: TextSize) -> bool {
        let parse = self.parsed(file);
        parse.is_some_and(|it| selection_range::ends_string(&it.syntax(), offset))
    }

    /// Returns the range of the innermost statement around a range.
    pub fn statement(&self, file: FileId, range: TextRange) -> Option<TextRange> {
        selection_range::statement(&self.parsed(file)?.syntax(), range)
    }

    /// Returns the enclosing ranges of an offset, innermost first; empty for an offset past the
    /// end.
    pub fn selection_ranges(&self, file: FileId, offset: TextSize) -> Vec<TextRange> {
        if let Some(file) = self.hiera_file(file) {
            return data_files::selection_ranges(&self.db, file, offset);
        }
        let parse = self.parsed(file);
        parse.map_or_else(Vec::new, |it| selection_ranges(&it.syntax(), offset))
    }

    /// Returns the semantic tokens in source order, of those that intersect `range` if it is given.
    pub fn semantic_tokens(&self, file: FileId, range: Option<TextRange>) -> Vec<SemanticToken> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| semantic_tokens(&self.db, it, range))
    }

    /// Returns the hover at an offset.
    pub fn hover(&self, file: FileId, offset: TextSize) -> Option<Hover> {
        hover(&self.db, self.file(file)?, offset)
    }

    /// Returns the completions at an offset, ordered by relevance.
    pub fn completions(&self, file: FileId, offset: TextSize) -> Completions {
        let Some(file) = self.file(file) else {
            return Completions::default();
        };
        match file_kind(&self.db, file) {
            FileKind::Code => completions(&self.db, file, offset),
            FileKind::Erb => erb_uses::completions_in_template(&self.db, file, offset),
            _ => data_files::completions(&self.db, file, offset),
        }
    }

    /// Checks whether some of the values that an expression at an offset of code may have are known.
    pub fn expects_known_value(&self, file: FileId, offset: TextSize) -> bool {
        let file = self.file(file);
        file.is_some_and(|it| expects_known_value(&self.db, it, offset))
    }

    /// Returns the signature help at an offset.
    pub fn signature_help(&self, file: FileId, offset: TextSize) -> Option<SignatureHelp> {
        signature_help(&self.db, self.file(file)?, offset)
    }

    /// Returns the documentation of a completion item as Markdown.
    pub fn completion_documentation(
        &self,
        file: FileId,
        documentation_key: &DocumentationKey,
    ) -> Option<String> {
        documentation(&self.db, self.file(file)?, documentation_key)
    }

    /// Returns the inlay hints in a range of a file, in source order.
    pub fn inlay_hints(
        &self,
        file: FileId,
        range: TextRange,
        options: HintOptions,
    ) -> Vec<InlayHint> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| inlay_hints(&self.db, it, range, options))
    }

    /// Returns the tooltip of one of the [`Analysis::inlay_hints`] as Markdown.
    pub fn hint_tooltip(
        &self,
        file: FileId,
        offset: TextSize,
        kind: HintKind,
        options: HintOptions,
    ) -> Option<String> {
        hint_tooltip(&self.db, self.file(file)?, offset, kind, options)
    }

    /// Returns the types and values of assigned values, attributes and statements where they are
    /// known, in source order.
    pub fn expression_notes(&self, file: FileId) -> Vec<ExpressionNote> {
        let file = self.file(file);
        file.map_or_else(Vec::new, |it| expression_notes(&self.db, it))
    }
}
