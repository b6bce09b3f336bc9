//! What the session tells and asks the client, in order.

use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tower_lsp::Client;
use tower_lsp::ls_types::{
    ConfigurationItem, MessageType, ProgressToken, PublishDiagnosticsParams, Registration,
};
use tracing::warn;

use super::session::{Event, Session};
use super::settings::{ClientSettings, SECTION};

/// Something for the client.
#[derive(Debug)]
pub(super) enum Outgoing {
    /// What is wrong with a document.
    Diagnostics(PublishDiagnosticsParams),
    /// What is wrong with any document may be something else by now.
    RefreshDiagnostics,
    /// So may the hints in the text.
    RefreshHints,
    /// A line of the log.
    Log(MessageType, String),
    /// Something that the user should know.
    Warning(String),
    /// The client shall tell of changed files, or whatever else happens.
    Register(Vec<Registration>),
    /// What does its user want? The answer goes to the session.
    AskSettings,
    /// Something that takes a while begins; its steps come over the channel, which is closed at
    /// its end.
    Progress(&'static str, UnboundedReceiver<Step>),
}

/// How far something is.
#[derive(Debug)]
pub(super) struct Step {
    /// What is being done.
    pub(super) message: String,
    /// How much of it is done, from 0 to 100.
    pub(super) percentage: u32,
}

/// Sends everything to the client until there will be no more.
pub(super) async fn send_all(
    mut outgoing: UnboundedReceiver<Outgoing>,
    client: Client,
    session: Session,
) {
    let mut number = 0;
    while let Some(message) = outgoing.recv().await {
        match message {
            Outgoing::Diagnostics(it) => {
                client
                    .publish_diagnostics(it.uri, it.diagnostics, it.version)
                    .await;
            }
            Outgoing::Log(level, message) => client.log_message(level, message).await,
            Outgoing::Warning(message) => {
                client.show_message(MessageType::WARNING, message).await;
            }
            // Answers are waited for elsewhere: what comes next does not depend on them.
            Outgoing::RefreshDiagnostics => {
                let client = client.clone();
                tokio::spawn(async move {
                    if let Err(error) = client.workspace_diagnostic_refresh().await {
                        warn!("the client does not refresh diagnostics: {error}");
                    }
                });
            }
            Outgoing::RefreshHints => {
                let client = client.clone();
                tokio::spawn(async move {
                    if let Err(error) = client.inlay_hint_refresh().await {
                        warn!("the client does not refresh hints: {error}");
                    }
                });
            }
            Outgoing::Register(registrations) => {
                let (client, session) = (client.clone(), session.clone());
                tokio::spawn(async move {
                    match client.register_capability(registrations).await {
                        // What has happened since the disk was read has not been told.
                        Ok(()) => session.send(Event::Watched(Vec::new())),
                        Err(error) => warn!("the client does not register: {error}"),
                    }
                });
            }
            Outgoing::AskSettings => {
                tokio::spawn(ask_settings(client.clone(), session.clone()));
            }
            Outgoing::Progress(title, steps) => {
                number += 1;
                let token = ProgressToken::String(format!("pupil/{number}"));
                tokio::spawn(show_progress(client.clone(), token, title, steps));
            }
        }
    }
}

async fn ask_settings(client: Client, session: Session) {
    let item = ConfigurationItem {
        scope_uri: None,
        section: Some(SECTION.to_owned()),
    };
    match client.configuration(vec![item]).await {
        Ok(answers) => {
            let answer = answers.into_iter().next().unwrap_or_default();
            session.send(Event::Configure(ClientSettings::read(answer)));
        }
        Err(error) => warn!("the client tells no settings: {error}"),
    }
}

async fn show_progress(
    client: Client,
    token: ProgressToken,
    title: &str,
    mut steps: mpsc::UnboundedReceiver<Step>,
) {
    if let Err(error) = client.create_work_done_progress(token.clone()).await {
        return warn!("the client shows no progress: {error}");
    }
    let progress = client.progress(token, title).with_percentage(0);
    let progress = progress.begin().await;
    while let Some(mut step) = steps.recv().await {
        // Only the newest matters.
        while let Ok(newer) = steps.try_recv() {
            step = newer;
        }
        progress
            .report_with_message(step.message, step.percentage)
            .await;
    }
    progress.finish().await;
}

/// The way to the client.
pub(super) type Sender = UnboundedSender<Outgoing>;
