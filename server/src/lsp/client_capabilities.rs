//! The client capabilities, as far as the server depends on them.

use tower_lsp::ls_types::{
    ClientCapabilities, MarkupKind, PositionEncodingKind, ResourceOperationKind,
    TextDocumentClientCapabilities,
};

use crate::source::PositionEncoding;

/// The client command that shows a list of locations; its arguments are a document, a position and
/// the locations. Clients announce it in `experimental.commands.commands`.
pub(super) const SHOW_REFERENCES: &str = "pupil.showReferences";

/// The features negotiated with the client.
#[derive(Clone, Debug)]
pub(super) struct ResolvedClientCapabilities {
    pub(super) position_encoding: PositionEncoding,
    /// Whether the client pulls diagnostics and supports their refresh; otherwise the server
    /// publishes them. A client without refresh would keep the diagnostics from before the
    /// workspace was loaded.
    pub(super) pulls_diagnostics: bool,
    /// Whether workspace diagnostics are offered. They are not for Neovim, which would no longer
    /// pull the diagnostics of open documents on refresh.
    pub(super) pulls_workspace_diagnostics: bool,
    /// Whether `workspace/inlayHint/refresh` is supported.
    pub(super) refreshes_hints: bool,
    /// Whether `workspace/codeLens/refresh` is supported.
    pub(super) refreshes_lenses: bool,
    /// Whether `workspace/semanticTokens/refresh` is supported.
    pub(super) refreshes_tokens: bool,
    /// Whether the tooltips of inlay hints are resolved lazily.
    pub(super) resolves_hints: bool,
    /// Whether the server can register for changes of settings.
    pub(super) registers_settings: bool,
    /// Whether the server can register for changes of files.
    pub(super) watches_files: bool,
    /// Whether the server can register its formatters for some documents only.
    pub(super) registers_formatters: bool,
    /// Whether `workspace/configuration` is supported.
    pub(super) requests_settings: bool,
    /// Whether work done progress is supported.
    pub(super) shows_progress: bool,
    /// Whether diagnostics can have related information.
    pub(super) related_information: bool,
    /// Whether document symbols can be nested.
    pub(super) nested_symbols: bool,
    /// Whether hovers can be Markdown.
    pub(super) markdown_hover: bool,
    /// Whether definitions can be `LocationLink`s.
    pub(super) definition_links: bool,
    /// Whether declarations can be `LocationLink`s.
    pub(super) declaration_links: bool,
    /// Whether type definitions can be `LocationLink`s.
    pub(super) type_definition_links: bool,
    /// Whether implementations can be `LocationLink`s.
    pub(super) implementation_links: bool,
    /// Whether the client folds whole lines only.
    pub(super) folds_lines_only: bool,
    /// Whether `CodeAction` literals are supported, not only commands.
    pub(super) code_action_literals: bool,
    /// Whether the edits of code actions are resolved lazily.
    pub(super) resolves_actions: bool,
    /// Whether code actions can be preferred.
    pub(super) preferred_actions: bool,
    /// Whether code actions can be disabled with a reason.
    pub(super) disabled_actions: bool,
    /// Whether workspace edits can be versioned.
    pub(super) versioned_edits: bool,
    /// Whether workspace edits can have change annotations.
    pub(super) annotates_edits: bool,
    /// Whether change annotations are honored in responses to rename requests.
    pub(super) honors_rename_annotations: bool,
    /// Whether workspace edits can create files.
    pub(super) creates_files: bool,
    /// Whether workspace edits can rename files.
    pub(super) renames_files: bool,
    /// Whether `textDocument/prepareRename` is supported.
    pub(super) prepares_renames: bool,
    /// Whether the command [`SHOW_REFERENCES`] is supported.
    pub(super) shows_references: bool,
    /// Whether document links can have tooltips.
    pub(super) link_tooltips: bool,
    /// Whether completion items can be snippets.
    pub(super) completion_snippets: bool,
    /// Whether completion items can have one range to insert and another to replace.
    pub(super) inserts_or_replaces: bool,
    /// Whether completion items can have label details.
    pub(super) label_details: bool,
    /// Whether completion items can be tagged as deprecated.
    pub(super) tags_completions: bool,
    /// Whether the documentation of completion items can be Markdown.
    pub(super) markdown_completion: bool,
    /// Whether the label of a parameter can be a range of the signature's label.
    pub(super) parameter_label_offsets: bool,
    /// Whether the documentation of signatures can be Markdown.
    pub(super) markdown_signatures: bool,
    /// The maximum number of folding ranges per document.
    pub(super) max_folding_ranges: usize,
}

impl ResolvedClientCapabilities {
    /// Chooses the features to use with a client. The encoding is UTF-8 if the client offers it,
    /// because the server uses it internally; otherwise UTF-16, which every client must support.
    pub(super) fn new(client: &ClientCapabilities, name: &str) -> ResolvedClientCapabilities {
        let workspace = client.workspace.as_ref();
        let refresh = workspace.and_then(|it| it.diagnostics.as_ref());
        let watched = workspace.and_then(|it| it.did_change_watched_files.as_ref());
        let window = client.window.as_ref();
        let document = client.text_document.as_ref();
        let diagnostic = document.and_then(|it| it.diagnostic.as_ref());
        let published = document.and_then(|it| it.publish_diagnostics.as_ref());
        let symbol = document.and_then(|it| it.document_symbol.as_ref());
        let hover = document.and_then(|it| it.hover.as_ref());
        let folding = document.and_then(|it| it.folding_range.as_ref());
        let related_information = match diagnostic {
            Some(it) if it.related_information.is_some() => it.related_information,
            _ => published.and_then(|it| it.related_information),
        };
        let action = document.and_then(|it| it.code_action.as_ref());
        let resolved = action.and_then(|it| it.resolve_support.as_ref());
        let resolves_edits = resolved.is_some_and(|it| it.properties.iter().any(|it| it == "edit"));
        let edit = workspace.and_then(|it| it.workspace_edit.as_ref());
        let operations = edit.and_then(|it| it.resource_operations.as_ref());
        let commands = client.experimental.as_ref();
        let commands = commands.and_then(|it| it.pointer("/commands/commands")?.as_array());
        let completion = document.and_then(|it| it.completion.as_ref());
        let candidate = completion.and_then(|it| it.completion_item.as_ref());
        let help = document.and_then(|it| it.signature_help.as_ref());
        let help = help.and_then(|it| it.signature_information.as_ref());
        let parameter = help.and_then(|it| it.parameter_information.as_ref());
        let hint = document.and_then(|it| it.inlay_hint.as_ref());
        let settings = workspace.and_then(|it| it.did_change_configuration.as_ref());
        let range_limit = folding.and_then(|it| it.range_limit);
        ResolvedClientCapabilities {
            position_encoding: position_encoding(client),
            pulls_diagnostics: diagnostic.is_some()
                && refresh.and_then(|it| it.refresh_support) == Some(true),
            pulls_workspace_diagnostics: name != "Neovim",
            refreshes_hints: workspace.and_then(|it| it.inlay_hint.as_ref()?.refresh_support)
                == Some(true),
            refreshes_lenses: workspace.and_then(|it| it.code_lens.as_ref()?.refresh_support)
                == Some(true),
            refreshes_tokens: workspace.and_then(|it| it.semantic_tokens.as_ref()?.refresh_support)
                == Some(true),
            resolves_hints: hint
                .and_then(|it| it.resolve_support.as_ref())
                .is_some_and(|it| it.properties.iter().any(|it| it == "tooltip")),
            registers_settings: settings.and_then(|it| it.dynamic_registration) == Some(true),
            watches_files: watched.and_then(|it| it.dynamic_registration) == Some(true),
            registers_formatters: document.is_some_and(registers_formatters),
            requests_settings: workspace.and_then(|it| it.configuration) == Some(true),
            shows_progress: window.and_then(|it| it.work_done_progress) == Some(true),
            related_information: related_information == Some(true),
            nested_symbols: symbol.and_then(|it| it.hierarchical_document_symbol_support)
                == Some(true),
            markdown_hover: hover
                .and_then(|it| it.content_format.as_ref())
                .is_some_and(|it| it.contains(&MarkupKind::Markdown)),
            definition_links: document.and_then(|it| it.definition.as_ref()?.link_support)
                == Some(true),
            declaration_links: document.and_then(|it| it.declaration.as_ref()?.link_support)
                == Some(true),
            type_definition_links: document
                .and_then(|it| it.type_definition.as_ref()?.link_support)
                == Some(true),
            implementation_links: document.and_then(|it| it.implementation.as_ref()?.link_support)
                == Some(true),
            folds_lines_only: folding.and_then(|it| it.line_folding_only) == Some(true),
            code_action_literals: action.is_some_and(|it| it.code_action_literal_support.is_some()),
            resolves_actions: resolves_edits && action.and_then(|it| it.data_support) == Some(true),
            preferred_actions: action.and_then(|it| it.is_preferred_support) == Some(true),
            disabled_actions: action.and_then(|it| it.disabled_support) == Some(true),
            versioned_edits: edit.and_then(|it| it.document_changes) == Some(true),
            annotates_edits: edit.is_some_and(|it| {
                it.document_changes == Some(true) && it.change_annotation_support.is_some()
            }),
            honors_rename_annotations: document
                .and_then(|it| it.rename.as_ref()?.honors_change_annotations)
                == Some(true),
            creates_files: edit.and_then(|it| it.document_changes) == Some(true)
                && operations.is_some_and(|it| it.contains(&ResourceOperationKind::Create)),
            renames_files: edit.and_then(|it| it.document_changes) == Some(true)
                && operations.is_some_and(|it| it.contains(&ResourceOperationKind::Rename)),
            prepares_renames: document.and_then(|it| it.rename.as_ref()?.prepare_support)
                == Some(true),
            shows_references: commands.is_some_and(|it| it.iter().any(|it| it == SHOW_REFERENCES)),
            link_tooltips: document.and_then(|it| it.document_link.as_ref()?.tooltip_support)
                == Some(true),
            completion_snippets: candidate.and_then(|it| it.snippet_support) == Some(true),
            inserts_or_replaces: candidate.and_then(|it| it.insert_replace_support) == Some(true),
            label_details: candidate.and_then(|it| it.label_details_support) == Some(true),
            tags_completions: candidate.is_some_and(|it| it.tag_support.is_some()),
            markdown_completion: candidate
                .and_then(|it| it.documentation_format.as_ref())
                .is_some_and(|it| it.contains(&MarkupKind::Markdown)),
            parameter_label_offsets: parameter.and_then(|it| it.label_offset_support) == Some(true),
            markdown_signatures: help
                .and_then(|it| it.documentation_format.as_ref())
                .is_some_and(|it| it.contains(&MarkupKind::Markdown)),
            max_folding_ranges: range_limit.map_or(usize::MAX, |it| it as usize),
        }
    }

    /// Returns the position encoding in the terms of the protocol.
    pub(super) fn encoding(&self) -> PositionEncodingKind {
        match self.position_encoding {
            PositionEncoding::Utf8 => PositionEncodingKind::UTF8,
            PositionEncoding::Utf16 => PositionEncodingKind::UTF16,
            PositionEncoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }
}

fn registers_formatters(document: &TextDocumentClientCapabilities) -> bool {
    let formatters = [
        document
            .formatting
            .as_ref()
            .map(|it| it.dynamic_registration),
        document
            .range_formatting
            .as_ref()
            .map(|it| it.dynamic_registration),
        document
            .on_type_formatting
            .as_ref()
            .map(|it| it.dynamic_registration),
    ];
    formatters.into_iter().all(|it| it.flatten() == Some(true))
}

fn position_encoding(client: &ClientCapabilities) -> PositionEncoding {
    let general = client.general.as_ref();
    let offered = general.and_then(|it| it.position_encodings.as_ref());
    let offers = |kind| offered.is_some_and(|it| it.contains(&kind));
    if offers(PositionEncodingKind::UTF8) {
        PositionEncoding::Utf8
    } else if offers(PositionEncodingKind::UTF32) && !offers(PositionEncodingKind::UTF16) {
        PositionEncoding::Utf32
    } else {
        PositionEncoding::Utf16
    }
}
