//! Notifications and requests of the session to the client, sent in order.

use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tower_lsp::Client;
use tower_lsp::ls_types::{
    ConfigurationItem, MessageType, ProgressToken, PublishDiagnosticsParams, Registration,
};
use tracing::warn;

use super::session::{Event, Session};
use super::settings::{ClientSettings, SECTION};

/// A notification or request for the client.
#[derive(Debug)]
pub(super) enum OutgoingMessage {
    /// The diagnostics of a document.
    Diagnostics(PublishDiagnosticsParams),
    /// A request to pull all diagnostics again.
    RefreshDiagnostics,
    /// A request to pull all inlay hints again.
    RefreshHints,
    /// A request to pull all code lenses again.
    RefreshLenses,
    /// A request to pull all semantic tokens again.
    RefreshTokens,
    /// A log message.
    Log(MessageType, String),
    /// A warning for the user.
    Warning(String),
    /// A dynamic registration of capabilities.
    Register(Vec<Registration>),
    /// A request for the user's settings. The response goes to the session.
    RequestSettings,
    /// The start of a long operation, with its title. Its steps arrive over the channel, which is
    /// closed at the end.
    Progress(&'static str, UnboundedReceiver<ProgressStep>),
}

/// One step of a progress report.
#[derive(Debug)]
pub(super) struct ProgressStep {
    pub(super) message: String,
    /// The progress in percent, from 0 to 100.
    pub(super) percentage: u32,
}

/// Sends all messages to the client until the channel is closed.
pub(super) async fn send_all(
    mut outgoing: UnboundedReceiver<OutgoingMessage>,
    client: Client,
    session: Session,
) {
    let mut number = 0;
    while let Some(message) = outgoing.recv().await {
        match message {
            OutgoingMessage::Diagnostics(it) => {
                client
                    .publish_diagnostics(it.uri, it.diagnostics, it.version)
                    .await;
            }
            OutgoingMessage::Log(level, message) => client.log_message(level, message).await,
            OutgoingMessage::Warning(message) => {
                client.show_message(MessageType::WARNING, message).await;
            }
            // Responses are awaited in separate tasks because later messages do not depend on them.
            OutgoingMessage::RefreshDiagnostics => {
                let client = client.clone();
                refresh("diagnostics", async move {
                    client.workspace_diagnostic_refresh().await
                });
            }
            OutgoingMessage::RefreshHints => {
                let client = client.clone();
                refresh(
                    "inlay hints",
                    async move { client.inlay_hint_refresh().await },
                );
            }
            OutgoingMessage::RefreshLenses => {
                let client = client.clone();
                refresh(
                    "code lenses",
                    async move { client.code_lens_refresh().await },
                );
            }
            OutgoingMessage::RefreshTokens => {
                let client = client.clone();
                refresh("semantic tokens", async move {
                    client.semantic_tokens_refresh().await
                });
            }
            OutgoingMessage::Register(registrations) => {
                let (client, session) = (client.clone(), session.clone());
                tokio::spawn(async move {
                    match client.register_capability(registrations).await {
                        // Changes between loading and the registration were not reported.
                        Ok(()) => session.send(Event::Watched(Vec::new())),
                        Err(error) => warn!("client failed to register capabilities: {error}"),
                    }
                });
            }
            OutgoingMessage::RequestSettings => {
                tokio::spawn(request_settings(client.clone(), session.clone()));
            }
            OutgoingMessage::Progress(title, steps) => {
                number += 1;
                let token = ProgressToken::String(format!("pupil/{number}"));
                tokio::spawn(show_progress(client.clone(), token, title, steps));
            }
        }
    }
}

/// Requests that the client refreshes what it has.
fn refresh(
    what: &'static str,
    request: impl Future<Output = tower_lsp::jsonrpc::Result<()>> + Send + 'static,
) {
    tokio::spawn(async move {
        if let Err(error) = request.await {
            warn!("client failed to refresh {what}: {error}");
        }
    });
}

async fn request_settings(client: Client, session: Session) {
    let item = ConfigurationItem {
        scope_uri: None,
        section: Some(SECTION.to_owned()),
    };
    match client.configuration(vec![item]).await {
        Ok(answers) => {
            let answer = answers.into_iter().next().unwrap_or_default();
            session.send(Event::Configure(ClientSettings::read(answer)));
        }
        Err(error) => warn!("client failed to return its settings: {error}"),
    }
}

async fn show_progress(
    client: Client,
    token: ProgressToken,
    title: &str,
    mut steps: mpsc::UnboundedReceiver<ProgressStep>,
) {
    if let Err(error) = client.create_work_done_progress(token.clone()).await {
        return warn!("client failed to create a progress report: {error}");
    }
    let progress = client.progress(token, title).with_percentage(0);
    let progress = progress.begin().await;
    while let Some(mut step) = steps.recv().await {
        // Intermediate steps are skipped.
        while let Ok(newer) = steps.try_recv() {
            step = newer;
        }
        progress
            .report_with_message(step.message, step.percentage)
            .await;
    }
    progress.finish().await;
}

/// The channel to the client.
pub(super) type Sender = UnboundedSender<OutgoingMessage>;
