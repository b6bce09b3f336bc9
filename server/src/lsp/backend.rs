//! The request handlers.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use analysis::{Analysis, FileId, ide};
use syntax::{TextRange, TextSize};
use tokio::sync::{oneshot, watch};
use tower_lsp::LanguageServer;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    CodeAction, CodeActionParams, CodeActionResponse, CodeLens, CodeLensParams, CompletionItem,
    CompletionParams, CompletionResponse, DocumentDiagnosticParams, DocumentDiagnosticReportResult,
    DocumentFormattingParams, DocumentHighlight, DocumentHighlightParams, DocumentLink,
    DocumentLinkParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams,
    DocumentSymbolParams, DocumentSymbolResponse, FoldingRange, FoldingRangeParams,
    GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverParams, InitializeParams,
    InitializeResult, InitializedParams, InlayHint, InlayHintParams, Location,
    PrepareRenameResponse, ReferenceParams, RenameFilesParams, RenameParams, SelectionRange,
    SelectionRangeParams, SemanticToken, SemanticTokensDeltaParams, SemanticTokensFullDeltaResult,
    SemanticTokensParams, SemanticTokensRangeParams, SemanticTokensRangeResult,
    SemanticTokensResult, ServerInfo, SignatureHelp, SignatureHelpParams,
    TextDocumentPositionParams, TextEdit, TypeHierarchyItem, TypeHierarchyPrepareParams,
    TypeHierarchySubtypesParams, TypeHierarchySupertypesParams, Uri, WorkspaceDiagnosticParams,
    WorkspaceDiagnosticReportResult, WorkspaceEdit, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};

use super::client_capabilities::ResolvedClientCapabilities;
use super::pool::ErasedResult;
use super::semantic_tokens;
use super::server_capabilities::capabilities;
use super::session::{Event, Session, diagnostics, is_data_or_ruby, is_hiera_config, project_path};
use super::settings::ClientSettings;
use super::snapshot::{DocumentView, Snapshot};
use super::{
    client_process, code_actions, code_lens, from_proto, logging, navigation, ordered_service,
    pool, pull_diagnostics, rename, to_proto, triggers,
};
use crate::source::Source;
use crate::workspace::Description;

/// Handles requests with the snapshots that [`ordered_service`] has reserved for them.
/// Notifications about documents never arrive here.
#[derive(Debug)]
pub(super) struct Backend {
    session: Session,
    /// Set when the client has sent `shutdown`.
    shut_down: Arc<OnceLock<()>>,
    /// Notified when the client process has exited.
    client_gone: watch::Sender<bool>,
}

/// The part of a request handler that runs on the pool, possibly several times.
type Work = Arc<dyn Fn(&Snapshot) -> ErasedResult + Send + Sync>;

/// The maximum number of attempts to compute a response that changes of other files cancel.
const MAX_TRIES: usize = 10;

impl Backend {
    pub(super) fn new(
        session: Session,
        shut_down: Arc<OnceLock<()>>,
        client_gone: watch::Sender<bool>,
    ) -> Backend {
        Backend {
            session,
            shut_down,
            client_gone,
        }
    }

    /// Handles `pupil/workspace`: returns the current state of the workspace in the format of
    /// `pupil workspace --format json`.
    pub(super) async fn workspace(&self) -> Result<Description> {
        let (reply, answer) = oneshot::channel();
        self.session.send(Event::Describe(reply));
        answer.await.map_err(|_| Error::content_modified())
    }

    /// Computes a response about an open document on the pool, or the default for a document that
    /// is not open. Retries if another file changes meanwhile; fails with `ContentModified` if the
    /// document itself does.
    async fn compute_for_document<T: Default + Send + 'static>(
        &self,
        uri: Uri,
        compute: impl Fn(&Snapshot, &DocumentView, &Uri) -> T + Send + Sync + 'static,
    ) -> Result<T> {
        let compute = move |snapshot: &Snapshot, document: &DocumentView, uri: &Uri| match snapshot
            .analysis
            .is_code(document.file)
        {
            true => compute(snapshot, document, uri),
            false => T::default(),
        };
        self.compute_for_code_or_data(uri, compute).await
    }

    /// Computes a response for an open document, which may also be data or configuration of Hiera in the
    /// workspace.
    async fn compute_for_code_or_data<T: Send + Default + 'static>(
        &self,
        uri: Uri,
        compute: impl Fn(&Snapshot, &DocumentView, &Uri) -> T + Send + Sync + 'static,
    ) -> Result<T> {
        let is_config = is_hiera_config(&uri);
        let compute = move |snapshot: &Snapshot, document: &DocumentView, uri: &Uri| {
            let is_stray = is_config && snapshot.analysis.is_code(document.file);
            match is_stray {
                true => T::default(),
                false => compute(snapshot, document, uri),
            }
        };
        self.compute_for_file(uri, compute).await
    }

    /// Computes a response for an open document, which may also be a project file or data of Hiera.
    async fn compute_for_file<T: Send + Default + 'static>(
        &self,
        uri: Uri,
        compute: impl Fn(&Snapshot, &DocumentView, &Uri) -> T + Send + Sync + 'static,
    ) -> Result<T> {
        let document = uri.clone();
        let work = move |snapshot: &Snapshot| -> ErasedResult {
            let is_answered = |document: &DocumentView| {
                let analysis = &snapshot.analysis;
                !is_data_or_ruby(&uri)
                    || analysis.is_data(document.file)
                    || analysis.is_erb(document.file)
            };
            let response = match snapshot.document(&uri) {
                Some(document) if is_answered(document) => compute(snapshot, document, &uri),
                _ => T::default(),
            };
            Box::new(response)
        };
        let response = self.retry(Arc::new(work), Some(&document), true).await;
        response.map(pool::restore)
    }

    /// Computes a response about a manifest, open or not, that may take seconds: no edit waits for it. Returns
    /// the default for other files.
    pub(super) async fn compute_slowly<T: Send + Default + 'static>(
        &self,
        uri: Uri,
        compute: impl Fn(&Snapshot, FileId, &Source) -> T + Send + Sync + 'static,
    ) -> Result<T> {
        let document = uri.clone();
        let work = move |snapshot: &Snapshot| -> ErasedResult {
            let found = snapshot.file_and_source(&uri);
            let found = found.filter(|it| snapshot.analysis.is_code(it.0));
            let response = found.map(|(file, source)| compute(snapshot, file, &source));
            Box::new(response.unwrap_or_default())
        };
        let response = self.retry(Arc::new(work), Some(&document), false).await;
        response.map(pool::restore)
    }

    /// Computes a response that may depend on any file. Retries if anything changes meanwhile.
    async fn compute<T: Send + 'static>(
        &self,
        compute: impl Fn(&Snapshot) -> T + Send + Sync + 'static,
    ) -> Result<T> {
        let work = move |snapshot: &Snapshot| -> ErasedResult { Box::new(compute(snapshot)) };
        self.retry(Arc::new(work), None, true)
            .await
            .map(pool::restore)
    }

    /// Runs work until no change cancels it, at most [`MAX_TRIES`] times. Gives up if `document`
    /// itself changes. If the work is quick, changes wait for it.
    async fn retry(
        &self,
        work: Work,
        document: Option<&Uri>,
        is_quick: bool,
    ) -> Result<ErasedResult> {
        let source = |snapshot: &Snapshot| {
            let document = snapshot.document(document?)?;
            Some(Arc::clone(&document.source))
        };
        let reserved = ordered_service::snapshot().await;
        let mut snapshot = reserved.ok_or_else(Error::content_modified)?;
        let original = source(&snapshot);
        for _ in 0..MAX_TRIES {
            if !is_quick {
                snapshot.pending = None;
            }
            let answer = compute_once(snapshot, &work).await;
            if !matches!(&answer, Err(error) if error.code == ErrorCode::ContentModified) {
                return answer;
            }
            snapshot = self.session.snapshot().await?;
            let is_same = match (&original, source(&snapshot)) {
                (Some(then), Some(now)) => Arc::ptr_eq(then, &now),
                _ => document.is_none(),
            };
            if !is_same {
                break;
            }
        }
        Err(Error::content_modified())
    }

    /// Handles the goto requests: finds the targets of the name at a position.
    async fn navigate(
        &self,
        params: GotoDefinitionParams,
        find: fn(&Analysis, FileId, TextSize) -> Option<ide::NavigationTargets>,
        links: fn(&ResolvedClientCapabilities) -> bool,
    ) -> Result<Option<GotoDefinitionResponse>> {
        let at = params.text_document_position_params;
        self.compute_for_code_or_data(at.text_document.uri, move |snapshot, document, _| {
            let offset = from_proto::offset(
                at.position,
                &document.source,
                snapshot.client.position_encoding,
            );
            let found = find(&snapshot.analysis, document.file, offset)?;
            let links = links(&snapshot.client);
            Some(to_proto::definition(&found, snapshot, document, links))
        })
        .await
    }
}

async fn compute_once(snapshot: Snapshot, work: &Work) -> Result<ErasedResult> {
    let work = Arc::clone(work);
    let analysis = snapshot.analysis.clone();
    pool::compute(analysis, Box::new(move || work(&snapshot))).await
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let name = params.client_info.as_ref().map_or("", |it| &it.name);
        let client = ResolvedClientCapabilities::new(&params.capabilities, name);
        let client = self.session.set_client(client);
        logging::start_client_log();
        let options = params.initialization_options.clone();
        let settings = options.and_then(ClientSettings::read).unwrap_or_default();
        self.session.send(Event::Start(folders(&params), settings));
        if let Some(process) = params.process_id {
            client_process::watch(process, self.client_gone.clone());
        }
        if let Some(info) = &params.client_info {
            let version = info.version.as_deref().unwrap_or_default();
            tracing::info!("connected to client {} {version}", info.name);
        }
        Ok(InitializeResult {
            capabilities: capabilities(&client),
            server_info: Some(ServerInfo {
                name: "pupil".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            offset_encoding: None,
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        tracing::info!("server ready");
    }

    async fn shutdown(&self) -> Result<()> {
        // A second `shutdown` has no effect.
        let _ = self.shut_down.set(());
        Ok(())
    }

    async fn diagnostic(
        &self,
        params: DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult> {
        let previous = params.previous_result_id;
        let uri = params.text_document.uri;
        let items = self.compute_for_file(uri, |snapshot, _, uri| diagnostics(snapshot, uri));
        Ok(pull_diagnostics::document_report(items.await?, previous.as_deref()).into())
    }

    async fn workspace_diagnostic(
        &self,
        params: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReportResult> {
        let snapshot = ordered_service::snapshot().await;
        let snapshot = snapshot.ok_or_else(Error::content_modified)?;
        let report = pull_diagnostics::workspace_report(snapshot, params.previous_result_ids);
        Ok(report.await?.into())
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let range = params.range;
        self.compute_for_code_or_data(params.text_document.uri, move |snapshot, document, uri| {
            let hints = to_proto::inlay_hint::in_range(snapshot, document, uri, range);
            Some(hints)
        })
        .await
    }

    async fn inlay_hint_resolve(&self, hint: InlayHint) -> Result<InlayHint> {
        let data = to_proto::inlay_hint::HintData::of(&hint)?;
        let resolved = self.compute_for_document(data.uri.clone(), move |snapshot, document, _| {
            let tooltip = to_proto::inlay_hint::tooltip(snapshot, document, &data);
            Some(InlayHint {
                tooltip,
                ..hint.clone()
            })
        });
        resolved.await?.ok_or_else(Error::content_modified)
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let (range, only) = (params.range, params.context.only);
        self.compute_for_code_or_data(params.text_document.uri, move |snapshot, document, uri| {
            if !snapshot.client.code_action_literals {
                return None;
            }
            let range =
                from_proto::text_range(range, &document.source, snapshot.client.position_encoding);
            let only = only.as_deref();
            let found = code_actions::code_actions(snapshot, document, uri, range, only);
            Some(found.into_iter().map(Into::into).collect())
        })
        .await
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        let data = action.data.clone().map(serde_json::from_value);
        let Some(Ok(data)) = data else {
            return Err(Error::invalid_params("invalid `data` in code action"));
        };
        let data: code_actions::ActionData = data;
        let resolved =
            self.compute_for_code_or_data(data.uri.clone(), move |snapshot, document, _| {
                code_actions::resolve(snapshot, document, &data, action.clone())
            });
        resolved.await?.ok_or_else(Error::content_modified)
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let at = params.text_document_position;
        let typed = params.context.and_then(|it| it.trigger_character);
        self.compute_for_code_or_data(at.text_document.uri, move |snapshot, document, uri| {
            let offset = from_proto::offset(
                at.position,
                &document.source,
                snapshot.client.position_encoding,
            );
            // Project files such as metadata.json are in formats of their own.
            if project_path(uri).is_some() && !is_hiera_config(uri) {
                return None;
            }
            let opens = |it: &String| triggers::opens_completion(snapshot, document, offset, it);
            if !typed.as_ref().is_none_or(opens) {
                return None;
            }
            let mut found = snapshot.analysis.completions(document.file, offset);
            // VS Code must not ask again while the user types the value: a late response replaced the typed text.
            found.is_incomplete &= typed.as_deref() != Some(" ");
            let list = to_proto::completion::completions(found, snapshot, document, uri);
            Some(list)
        })
        .await
    }

    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        let data = item.data.clone().map(serde_json::from_value);
        let Some(Ok(data)) = data else {
            // Most completion items have no documentation.
            return Ok(item);
        };
        let data: to_proto::completion::CompletionData = data;
        let found =
            self.compute_for_code_or_data(data.uri.clone(), move |snapshot, document, _| {
                let documentation_key = data.documentation_key()?;
                let analysis = &snapshot.analysis;
                let markdown =
                    analysis.completion_documentation(document.file, &documentation_key)?;
                Some(to_proto::completion::documentation(
                    markdown,
                    &snapshot.client,
                ))
            });
        Ok(CompletionItem {
            documentation: found.await?,
            ..item
        })
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        let at = params.text_document_position_params;
        let context = params.context;
        self.compute_for_document(at.text_document.uri, move |snapshot, document, _| {
            let (source, client) = (&document.source, &snapshot.client);
            let offset = from_proto::offset(at.position, source, client.position_encoding);
            let found = snapshot.analysis.signature_help(document.file, offset)?;
            let is_unwanted =
                found.is_resource && !triggers::is_requested(context.as_ref(), &found);
            let help = to_proto::signature_help::signature_help(found, client);
            (!is_unwanted).then_some(help)
        })
        .await
    }

    async fn document_symbol(
        &self,
        params: DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>> {
        self.compute_for_code_or_data(params.text_document.uri, |snapshot, document, uri| {
            let symbols = snapshot.analysis.document_symbols(document.file);
            let source = &document.source;
            Some(to_proto::document_symbols(
                symbols,
                uri,
                source,
                &snapshot.client,
            ))
        })
        .await
    }

    async fn symbol(
        &self,
        params: WorkspaceSymbolParams,
    ) -> Result<Option<WorkspaceSymbolResponse>> {
        let snapshot = ordered_service::snapshot().await;
        let snapshot = snapshot.ok_or_else(Error::content_modified)?;
        let work = move |snapshot: &Snapshot| -> ErasedResult {
            let found = snapshot.analysis.workspace_symbols(&params.query);
            Box::new(Some(to_proto::workspace_symbols(found, snapshot)))
        };
        let found = compute_once(snapshot, &(Arc::new(work) as Work)).await;
        found.map(pool::restore)
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        self.compute_for_code_or_data(params.text_document.uri, |snapshot, document, _| {
            let found = snapshot.analysis.folding_ranges(document.file);
            let client = &snapshot.client;
            let ranges = found
                .iter()
                .filter_map(|it| to_proto::folding_range(it, &document.source, client));
            Some(ranges.take(client.max_folding_ranges).collect())
        })
        .await
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.compute_for_document(params.text_document.uri, |snapshot, document, _| {
            let edits = snapshot
                .analysis
                .format(document.file, None, &snapshot.format)?;
            Some(to_proto::text_edits(
                &edits,
                &document.source,
                snapshot.client.position_encoding,
            ))
        })
        .await
    }

    async fn range_formatting(
        &self,
        params: DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        self.compute_for_document(params.text_document.uri, move |snapshot, document, _| {
            let (source, encoding) = (&document.source, snapshot.client.position_encoding);
            let range = from_proto::text_range(params.range, source, encoding);
            let (analysis, options) = (&snapshot.analysis, &snapshot.format);
            let edits = analysis.format(document.file, Some(range), options)?;
            Some(to_proto::text_edits(
                &edits,
                source,
                snapshot.client.position_encoding,
            ))
        })
        .await
    }

    async fn on_type_formatting(
        &self,
        params: DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        let at = params.text_document_position;
        self.compute_for_document(at.text_document.uri, move |snapshot, document, _| {
            let source = &document.source;
            let offset = from_proto::offset(at.position, source, snapshot.client.position_encoding);
            let typed = params.ch.chars().next()?;
            let edits = snapshot
                .analysis
                .format_on_type(document.file, offset, typed)?;
            Some(to_proto::text_edits(
                &edits,
                source,
                snapshot.client.position_encoding,
            ))
        })
        .await
    }

    async fn selection_range(
        &self,
        params: SelectionRangeParams,
    ) -> Result<Option<Vec<SelectionRange>>> {
        let positions = params.positions;
        self.compute_for_code_or_data(params.text_document.uri, move |snapshot, document, _| {
            let (source, encoding) = (&document.source, snapshot.client.position_encoding);
            let ranges = positions.iter().copied().map(|position| {
                let offset = from_proto::offset(position, source, encoding);
                let ranges = snapshot.analysis.selection_ranges(document.file, offset);
                to_proto::selection_range(&ranges, offset, source, encoding)
            });
            Some(ranges.collect())
        })
        .await
    }

    async fn goto_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.navigate(params, Analysis::goto_definition, |it| it.definition_links)
            .await
    }

    async fn goto_declaration(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.navigate(params, Analysis::goto_definition, |it| it.declaration_links)
            .await
    }

    async fn goto_type_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.navigate(params, Analysis::goto_type_definition, |it| {
            it.type_definition_links
        })
        .await
    }

    async fn goto_implementation(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.navigate(params, Analysis::goto_implementation, |it| {
            it.implementation_links
        })
        .await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let at = params.text_document_position.clone();
        self.compute_for_code_or_data(at.text_document.uri, move |snapshot, document, _| {
            navigation::references(snapshot, document, &params)
        })
        .await
    }

    async fn document_highlight(
        &self,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        let at = params.text_document_position_params;
        self.compute_for_code_or_data(at.text_document.uri, move |snapshot, document, _| {
            Some(navigation::highlights(snapshot, document, at.position))
        })
        .await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        self.compute_for_code_or_data(params.text_document.uri, |snapshot, document, _| {
            Some(navigation::links(snapshot, document))
        })
        .await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        let at = params.text_document_position_params;
        self.compute_for_document(at.text_document.uri, move |snapshot, document, _| {
            navigation::call_item(snapshot, document, at.position)
        })
        .await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        self.compute(move |snapshot| navigation::incoming(snapshot, &params.item))
            .await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        self.compute(move |snapshot| navigation::outgoing(snapshot, &params.item))
            .await
    }

    async fn prepare_type_hierarchy(
        &self,
        params: TypeHierarchyPrepareParams,
    ) -> Result<Option<Vec<TypeHierarchyItem>>> {
        let at = params.text_document_position_params;
        self.compute_for_document(at.text_document.uri, move |snapshot, document, _| {
            navigation::type_item(snapshot, document, at.position)
        })
        .await
    }

    async fn supertypes(
        &self,
        params: TypeHierarchySupertypesParams,
    ) -> Result<Option<Vec<TypeHierarchyItem>>> {
        self.compute(move |it| navigation::types(it, &params.item, Analysis::supertypes))
            .await
    }

    async fn subtypes(
        &self,
        params: TypeHierarchySubtypesParams,
    ) -> Result<Option<Vec<TypeHierarchyItem>>> {
        self.compute(move |it| navigation::types(it, &params.item, Analysis::subtypes))
            .await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let uri = params.text_document.uri;
        let found = self.compute_for_code_or_data(uri, |snapshot, document, uri| {
            Some(code_lens::lenses(snapshot, document, uri))
        });
        let found = found.await?;
        if found.as_ref().is_some_and(|it| it.has_large_classes) {
            self.session.send(Event::CountLargeClasses);
        }
        Ok(found.map(|it| it.all))
    }

    async fn prepare_rename(
        &self,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>> {
        let uri = params.text_document.uri;
        let found = self.compute_for_code_or_data(uri, move |snapshot, document, _| {
            Some(rename::prepare(snapshot, document, params.position))
        });
        found.await?.transpose()
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let at = params.text_document_position;
        let uri = at.text_document.uri;
        let found = self.compute_for_code_or_data(uri, move |snapshot, document, _| {
            let new_name = &params.new_name;
            Some(rename::rename(snapshot, document, at.position, new_name))
        });
        found.await?.transpose()
    }

    async fn will_rename_files(&self, params: RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
        self.compute(move |snapshot| rename::files(snapshot, &params.files))
            .await?
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let at = params.text_document_position_params;
        self.compute_for_code_or_data(at.text_document.uri, move |snapshot, document, uri| {
            let (source, client) = (&document.source, &snapshot.client);
            let offset = from_proto::offset(at.position, source, client.position_encoding);
            let project = project_path(uri).filter(|_| !is_hiera_config(uri));
            let hover = match project {
                Some(path) => snapshot
                    .discovery
                    .project_hover(&path, source.text(), offset),
                None => snapshot.analysis.hover(document.file, offset),
            }?;
            Some(to_proto::hover(&hover, source, snapshot))
        })
        .await
    }

    async fn semantic_tokens_full(
        &self,
        params: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>> {
        self.compute_for_document(params.text_document.uri, move |snapshot, document, _| {
            let data = semantic_tokens(snapshot, document, None);
            Some(document.tokens.full(data).into())
        })
        .await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        let previous = params.previous_result_id;
        self.compute_for_document(params.text_document.uri, move |snapshot, document, _| {
            let data = semantic_tokens(snapshot, document, None);
            Some(document.tokens.delta(&previous, data))
        })
        .await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        self.compute_for_document(params.text_document.uri, move |snapshot, document, _| {
            let (source, encoding) = (&document.source, snapshot.client.position_encoding);
            let range = from_proto::text_range(params.range, source, encoding);
            let data = semantic_tokens(snapshot, document, Some(range));
            let result_id = None;
            Some(tower_lsp::ls_types::SemanticTokens { result_id, data }.into())
        })
        .await
    }
}

/// Returns the workspace folders of a client, or else its root.
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    if let Some(folders) = &params.workspace_folders {
        let folders = folders.iter().filter_map(|it| from_proto::path(&it.uri));
        return folders.collect();
    }
    #[expect(deprecated, reason = "older clients do not send workspace folders")]
    let root = params.root_uri.as_ref();
    root.and_then(from_proto::path).into_iter().collect()
}

fn semantic_tokens(
    snapshot: &Snapshot,
    document: &DocumentView,
    range: Option<TextRange>,
) -> Vec<SemanticToken> {
    let found = snapshot.analysis.semantic_tokens(document.file, range);
    semantic_tokens::encode(&found, &document.source, snapshot.client.position_encoding)
}

#[cfg(test)]
mod tests;
