//! The server capabilities announced in the response to `initialize`.

use tower_lsp::jsonrpc::Response;
use tower_lsp::ls_types::{
    CallHierarchyServerCapability, CodeActionOptions, CodeActionProviderCapability,
    CodeLensOptions, CompletionOptions, CompletionOptionsCompletionItem, DeclarationCapability,
    DiagnosticOptions, DiagnosticServerCapabilities, DocumentLinkOptions, FileOperationFilter,
    FileOperationPattern, FileOperationRegistrationOptions, FoldingRangeProviderCapability,
    HoverProviderCapability, ImplementationProviderCapability, InlayHintOptions,
    InlayHintServerCapabilities, LSPAny, OneOf, RenameOptions, SelectionRangeProviderCapability,
    SemanticTokensFullOptions, SemanticTokensOptions, SemanticTokensServerCapabilities,
    ServerCapabilities, SignatureHelpOptions, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TypeDefinitionProviderCapability, WorkDoneProgressOptions,
    WorkspaceFileOperationsServerCapabilities, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};

use super::client_capabilities::ResolvedClientCapabilities;
use super::code_actions;
use super::formatting;
use super::semantic_tokens;

/// The characters that trigger completion, in addition to letters.
const COMPLETION_TRIGGERS: [&str; 9] = ["$", ":", ".", "[", "'", "\"", "/", "@", " "];

/// The characters that trigger signature help.
const SIGNATURE_TRIGGERS: [&str; 4] = ["(", ",", "|", ">"];

/// Returns the capabilities of the server, adapted to those of the client.
pub(super) fn capabilities(client: &ResolvedClientCapabilities) -> ServerCapabilities {
    let formats = !client.registers_formatters;
    ServerCapabilities {
        position_encoding: Some(client.encoding()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                ..TextDocumentSyncOptions::default()
            },
        )),
        diagnostic_provider: client.pulls_diagnostics.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("pupil".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: client.pulls_workspace_diagnostics,
                ..DiagnosticOptions::default()
            })
        }),
        code_action_provider: client.code_action_literals.then(|| {
            CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(code_actions::kinds()),
                resolve_provider: Some(client.resolves_actions),
                ..CodeActionOptions::default()
            })
        }),
        completion_provider: Some(CompletionOptions {
            resolve_provider: Some(true),
            trigger_characters: Some(COMPLETION_TRIGGERS.map(str::to_owned).to_vec()),
            completion_item: Some(CompletionOptionsCompletionItem {
                label_details_support: Some(true),
            }),
            ..CompletionOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(SIGNATURE_TRIGGERS.map(str::to_owned).to_vec()),
            ..SignatureHelpOptions::default()
        }),
        inlay_hint_provider: Some(OneOf::Right(InlayHintServerCapabilities::Options(
            InlayHintOptions {
                resolve_provider: Some(client.resolves_hints),
                ..InlayHintOptions::default()
            },
        ))),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: formats.then_some(OneOf::Left(true)),
        document_range_formatting_provider: formats.then_some(OneOf::Left(true)),
        document_on_type_formatting_provider: formats.then(formatting::on_type_options),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        definition_provider: Some(OneOf::Left(true)),
        declaration_provider: Some(DeclarationCapability::Simple(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        rename_provider: Some(match client.prepares_renames {
            true => OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            }),
            false => OneOf::Left(true),
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: semantic_tokens::legend(),
                range: Some(true),
                full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
                ..SemanticTokensOptions::default()
            },
        )),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: Some(WorkspaceFileOperationsServerCapabilities {
                will_rename: Some(renamed_files()),
                did_rename: Some(renamed_files()),
                ..WorkspaceFileOperationsServerCapabilities::default()
            }),
        }),
        ..ServerCapabilities::default()
    }
}

/// The files and folders whose names can determine the names of definitions.
fn renamed_files() -> FileOperationRegistrationOptions {
    FileOperationRegistrationOptions {
        filters: vec![FileOperationFilter {
            scheme: Some("file".to_owned()),
            pattern: FileOperationPattern {
                glob: "**/{manifests,functions,plans,types,templates,files}/**".to_owned(),
                matches: None,
                options: None,
            },
        }],
    }
}

/// Adds `typeHierarchyProvider`, for which `ls_types` has no field, to the response to `initialize`.
pub(super) fn with_type_hierarchy(answer: Response) -> Response {
    let (id, result) = answer.into_parts();
    let result = result.map(|mut it| {
        if let Some(LSPAny::Object(can)) = it.get_mut("capabilities") {
            can.insert("typeHierarchyProvider".to_owned(), LSPAny::Bool(true));
        }
        it
    });
    Response::from_parts(id, result)
}
