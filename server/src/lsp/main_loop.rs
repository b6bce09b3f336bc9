//! The main loop, which passes messages to the service and its responses to the client.

use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use futures_util::{FutureExt, SinkExt, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};
use tower_lsp::jsonrpc::{Error, Id, Request, Response};
use tower_lsp::{ClientSocket, ExitedError, Loopback, LspService};
use tower_service::Service;
use tracing::{debug, error, info};

use super::backend::Backend;
use super::ordered_service::OrderedService;
use super::session::{CommandLineSettings, Session};
use super::trace::Trace;
use super::transport::{self, IncomingMessage};
use super::{logging, outgoing, pool};
use crate::args::PuppetArgs;
use crate::terminal::Failure;

/// How long to wait at shutdown for pending responses to be written.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// The exit status for an `exit` without a preceding `shutdown`.
const EXIT_WITHOUT_SHUTDOWN: u8 = 1;

/// Serves the client on standard input and output until the session ends.
pub(super) async fn serve(puppet: &PuppetArgs) -> Result<ExitCode, Failure> {
    let settings = CommandLineSettings {
        version: puppet.release.map(Into::into),
        modulepath: puppet.modulepath.clone(),
    };
    let (sender, outgoing) = mpsc::unbounded_channel();
    logging::connect_client(sender.clone());
    let session = Session::start(&settings, sender)?;
    let shut_down = Arc::new(OnceLock::new());
    let (client_gone, mut gone) = watch::channel(false);
    let (service, socket) = LspService::build(|client| {
        tokio::spawn(outgoing::send_all(outgoing, client, session.clone()));
        Backend::new(session.clone(), Arc::clone(&shut_down), client_gone)
    })
    .custom_method("pupil/workspace", Backend::workspace)
    .custom_method("pupil/catalog", Backend::catalog)
    .custom_method("pupil/catalogChoices", Backend::catalog_choices)
    .finish();

    let (out, messages) = channel();
    let mut written = transport::write_stdout(messages)?;
    let mut input = transport::read_stdin()?;
    let mut connection = Connection::new(OrderedService::new(service, session), socket, out);
    let end = loop {
        tokio::select! {
            incoming = input.recv() => match incoming {
                None => break SessionEnd::InputClosed,
                Some(incoming) => if connection.receive(incoming).await.is_err() {
                    break SessionEnd::Exit;
                },
            },
            _ = gone.wait_for(|it| *it) => break SessionEnd::ClientGone,
            _ = &mut written => break SessionEnd::OutputClosed,
        }
    };
    info!("session ended: {end:?}");
    drop(connection);
    if matches!(end, SessionEnd::InputClosed | SessionEnd::Exit) {
        // The timeout is for clients that no longer read.
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, written).await;
    }
    let is_premature = matches!(end, SessionEnd::Exit) && shut_down.get().is_none();
    Ok(if is_premature {
        ExitCode::from(EXIT_WITHOUT_SHUTDOWN)
    } else {
        ExitCode::SUCCESS
    })
}

/// The reason why the session ended.
#[derive(Debug)]
enum SessionEnd {
    /// The client sent `exit`.
    Exit,
    /// Standard input was closed.
    InputClosed,
    /// Standard output was closed.
    OutputClosed,
    /// The client process exited.
    ClientGone,
}

/// The connection between the service and the client.
struct Connection<S> {
    service: S,
    responses: <ClientSocket as Loopback>::ResponseSink,
    out: Sender<Vec<u8>>,
    trace: Trace,
    /// The task that forwards requests and notifications of the server to the client.
    forwarding: tokio::task::JoinHandle<()>,
}

impl<S> Drop for Connection<S> {
    fn drop(&mut self) {
        self.forwarding.abort();
    }
}

impl<S> Connection<S>
where
    S: Service<Request, Response = Option<Response>, Error = ExitedError>,
    S::Future: Send + 'static,
{
    fn new(service: S, socket: ClientSocket, out: Sender<Vec<u8>>) -> Self {
        let (mut requests, responses) = socket.split();
        let forwarded = out.clone();
        let forwarding = tokio::spawn(async move {
            while let Some(request) = requests.next().await {
                send(&forwarded, &request);
            }
        });
        Connection {
            service,
            responses,
            out,
            trace: Trace::default(),
            forwarding,
        }
    }

    /// Handles one message. Fails when the session has ended.
    async fn receive(&mut self, incoming: IncomingMessage) -> Result<(), ExitedError> {
        let message = match incoming {
            IncomingMessage::Message(message) => message,
            IncomingMessage::Garbage(description) => {
                error!("{description}");
                send(
                    &self.out,
                    &Response::from_error(Id::Null, Error::parse_error()),
                );
                return Ok(());
            }
        };
        if message.get("method").is_some() {
            match Request::deserialize(message) {
                Ok(request) => self.call(request).await?,
                Err(error) => self.reject(&error),
            }
        } else {
            match Response::deserialize(message) {
                // Sending fails only after the client has gone.
                Ok(response) => drop(self.responses.send(response).await),
                Err(error) => self.reject(&error),
            }
        }
        Ok(())
    }

    fn reject(&self, error: &serde_json::Error) {
        error!("invalid message: neither a request nor a response: {error}");
        send(
            &self.out,
            &Response::from_error(Id::Null, Error::invalid_request()),
        );
    }

    async fn call(&mut self, request: Request) -> Result<(), ExitedError> {
        debug!("<- {}", request.method());
        self.trace.update_level(&request);
        if let Some(line) = self.trace.received(&request) {
            send(&self.out, &line);
        }
        if request.method() == "$/setTrace" {
            return Ok(());
        }
        std::future::poll_fn(|cx| self.service.poll_ready(cx)).await?;
        let (trace, since) = (self.trace.clone(), Instant::now());
        let method = request.method().to_owned();
        let id = request.id().cloned();
        let is_sequential = matches!(request.method(), "initialize" | "shutdown" | "exit");
        let exits = request.method() == "exit";
        let answer = AssertUnwindSafe(self.service.call(request)).catch_unwind();
        let out = self.out.clone();
        let responding = async move {
            let response = match answer.await {
                Ok(Ok(response)) => response,
                Ok(Err(ExitedError { .. })) => None,
                Err(_) => id
                    .clone()
                    .map(|id| Response::from_error(id, pool::panicked())),
            };
            if let Some(response) = response {
                send(&out, &response);
                let line = id.and_then(|id| trace.answered(&method, &id, &response, since));
                if let Some(line) = line {
                    send(&out, &line);
                }
            }
        };
        if is_sequential {
            // Later messages depend on the result.
            responding.await;
        } else {
            tokio::spawn(responding);
        }
        if exits {
            std::future::poll_fn(|cx| self.service.poll_ready(cx)).await?;
        }
        Ok(())
    }
}

/// Queues a message for the client.
fn send(out: &Sender<Vec<u8>>, message: &impl Serialize) {
    match serde_json::to_vec(message) {
        // The receiver is dropped only at shutdown.
        Ok(bytes) => drop(out.send(bytes)),
        Err(error) => error!("cannot serialize a message: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;

    use serde_json::{Value, json};
    use tower_lsp::LanguageServer;
    use tower_lsp::jsonrpc::Result;
    use tower_lsp::ls_types::{Hover, HoverParams, InitializeParams, InitializeResult};

    use super::*;

    /// A server that panics on every hover request.
    struct PanickingServer;

    impl LanguageServer for PanickingServer {
        async fn initialize(&self, _: InitializeParams) -> Result<InitializeResult> {
            Ok(InitializeResult::default())
        }

        async fn shutdown(&self) -> Result<()> {
            Ok(())
        }

        async fn hover(&self, _: HoverParams) -> Result<Option<Hover>> {
            // Panics when polled for the second time.
            tokio::task::yield_now().await;
            panic!("on purpose")
        }
    }

    fn message(id: u32, method: &str, params: Value) -> IncomingMessage {
        IncomingMessage::Message(
            json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}),
        )
    }

    /// Waits for the next message to the client.
    async fn next(messages: &Receiver<Vec<u8>>) -> Value {
        for _ in 0..10_000 {
            if let Ok(bytes) = messages.try_recv() {
                return serde_json::from_slice(&bytes).unwrap_or_default();
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Value::Null
    }

    #[tokio::test]
    async fn panicking_request_returns_an_error() {
        let (service, socket) = LspService::new(|_| PanickingServer);
        let (out, messages) = channel();
        let mut connection = Connection::new(service, socket, out);
        let hover = json!({
            "textDocument": {"uri": "file:///a.pp"}, "position": {"line": 0, "character": 0},
        });
        let all = [
            message(1, "initialize", json!({"capabilities": {}})),
            message(2, "textDocument/hover", hover.clone()),
            message(3, "textDocument/hover", hover),
            message(4, "shutdown", Value::Null),
        ];
        let mut answers = Vec::new();
        for it in all {
            assert!(connection.receive(it).await.is_ok());
            answers.push(next(&messages).await);
        }
        assert!(answers[0]["result"].is_object(), "{answers:?}");
        for (answer, id) in answers[1..3].iter().zip(2..) {
            assert_eq!(answer["id"], id);
            assert_eq!(answer["error"]["code"], -32603);
        }
        assert_eq!(
            answers[3],
            json!({"jsonrpc": "2.0", "id": 4, "result": null})
        );
    }
}
