//! `$/logTrace`: a trace of received and sent messages.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Id, Request, Response};

const OFF: u8 = 0;
const MESSAGES: u8 = 1;
const VERBOSE: u8 = 2;

/// The trace level of the client.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace(Arc<AtomicU8>);

impl Trace {
    /// Updates the level if the message is `initialize` or `$/setTrace`.
    pub(super) fn update_level(&self, request: &Request) {
        let name = match request.method() {
            "initialize" => "trace",
            "$/setTrace" => "value",
            _ => return,
        };
        let level = match request.params().and_then(|it| it.get(name)?.as_str()) {
            Some("messages") => MESSAGES,
            Some("verbose") => VERBOSE,
            _ => OFF,
        };
        self.0.store(level, Ordering::Relaxed);
    }

    /// Returns the trace notification for a received message.
    pub(super) fn received(&self, request: &Request) -> Option<Value> {
        let method = request.method();
        // Protocol-internal messages are not traced.
        if method.starts_with("$/") {
            return None;
        }
        let message = match request.id() {
            Some(id) => format!("received request {method} ({id})"),
            None => format!("received notification {method}"),
        };
        self.message(message, || request.params().map(Value::to_string))
    }

    /// Returns the trace notification for the response to a request received at `since`.
    pub(super) fn answered(
        &self,
        method: &str,
        id: &Id,
        response: &Response,
        since: Instant,
    ) -> Option<Value> {
        let taken = since.elapsed().as_millis();
        let outcome = match response.error() {
            Some(error) => format!("error {}", error.code.code()),
            None => "response".to_owned(),
        };
        let message = format!("sent {outcome} to {method} ({id}) after {taken} ms");
        self.message(message, || response.result().map(Value::to_string))
    }

    fn message(&self, message: String, more: impl FnOnce() -> Option<String>) -> Option<Value> {
        /// The maximum length of the shown message, in characters.
        const MAX_SHOWN: usize = 10_000;
        let mut params = json!({ "message": message });
        match self.0.load(Ordering::Relaxed) {
            OFF => return None,
            VERBOSE => {
                let more = more().unwrap_or_default();
                params["verbose"] = json!(analysis::truncated(&more, MAX_SHOWN));
            }
            _ => {}
        }
        Some(json!({"jsonrpc": "2.0", "method": "$/logTrace", "params": params}))
    }
}
