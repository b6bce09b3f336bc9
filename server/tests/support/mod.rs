//! A client that controls the built server over its standard input and output.

pub(crate) mod files;

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The timeout of tests.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The document that most tests use.
pub(crate) const URI: &str = "file:///nowhere/test.pp";

/// The cache directory of the servers.
pub(crate) const CACHE: &str = env!("CARGO_TARGET_TMPDIR");

/// A running server, and the messages received from it.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Messages received while waiting for another one.
    waiting: VecDeque<Value>,
    next_id: i64,
    /// Buffered messages while sending is on hold.
    held: Option<Vec<u8>>,
}

impl Client {
    /// Starts a server without sending any message.
    pub(crate) fn start() -> Client {
        Client::start_with(&[])
    }

    /// Starts a server with additional arguments.
    pub(crate) fn start_with(arguments: &[&str]) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pupil"))
            .args(["server", "--stdio"])
            .args(arguments)
            .env("XDG_CACHE_HOME", CACHE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("the stream is piped");
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Client {
            child,
            input,
            messages,
            waiting: VecDeque::new(),
            next_id: 1,
            held: None,
        }
    }

    /// Starts and initializes a server.
    pub(crate) fn initialized(capabilities: Value) -> Client {
        let mut client = Client::start();
        client.handshake(capabilities);
        client
    }

    /// Starts and initializes a server with workspace folders and initial settings.
    pub(crate) fn in_folders(folders: &[&Path], capabilities: Value, settings: Value) -> Client {
        let mut client = Client::start();
        let folders = folders
            .iter()
            .map(|it| json!({"uri": files::uri(it), "name": "w"}));
        let params = json!({
            "processId": null,
            "rootUri": null,
            "workspaceFolders": folders.collect::<Vec<_>>(),
            "initializationOptions": settings,
            "capabilities": capabilities,
        });
        client.request("initialize", params);
        client.notify("initialized", json!({}));
        client
    }

    /// Initializes the server, without a delay of diagnostics, and returns its response.
    pub(crate) fn handshake(&mut self, capabilities: Value) -> Value {
        let params = json!({
            "processId": null,
            "rootUri": null,
            "initializationOptions": {"diagnosticsDelay": 0},
            "capabilities": capabilities,
        });
        let answer = self.request("initialize", params);
        self.notify("initialized", json!({}));
        answer["result"].clone()
    }

    /// Buffers messages until [`Client::release`], which sends them all at once.
    pub(crate) fn hold(&mut self) {
        self.held = Some(Vec::new());
    }

    /// Sends all buffered messages.
    pub(crate) fn release(&mut self) {
        let held = self.held.take().unwrap_or_default();
        self.send_raw(&held);
    }

    /// Sends raw bytes.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        if let Some(held) = &mut self.held {
            return held.extend(bytes);
        }
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the server reads");
        input.flush().expect("the server reads");
    }

    /// Sends a string as the body of a message.
    pub(crate) fn send_body(&mut self, body: &str) {
        self.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// Sends a notification.
    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send_body(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// Sends a request and returns its ID without waiting for the response.
    pub(crate) fn send_request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send_body(&message.to_string());
        id
    }

    /// Sends a request and waits for the response.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params);
        self.answer(id)
    }

    /// Waits for the response to a request.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        self.wait_for(|it| it.get("method").is_none() && it["id"] == id)
    }

    /// Waits for the first message that satisfies `is_wanted`, and keeps the others.
    pub(crate) fn wait_for(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.waiting.iter().position(&is_wanted) {
            return self.waiting.remove(at).expect("the index is valid");
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).expect("a message in time");
            if is_wanted(&message) {
                return message;
            }
            self.waiting.push_back(message);
        }
    }

    /// Returns all messages received so far that satisfy `is_wanted`.
    pub(crate) fn received(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        self.waiting.extend(self.messages.try_iter());
        self.waiting
            .iter()
            .filter(|it| is_wanted(it))
            .cloned()
            .collect()
    }

    /// Removes and returns all messages received so far.
    pub(crate) fn received_now(&mut self) -> Vec<Value> {
        let mut received: Vec<Value> = self.waiting.drain(..).collect();
        received.extend(self.messages.try_iter());
        received
    }

    /// Returns the resident memory of the server in kilobytes, on platforms with `/proc`.
    pub(crate) fn resident_memory(&self) -> Option<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// Opens a document.
    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "puppet", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Edits a document.
    pub(crate) fn change(&mut self, uri: &str, version: i32, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        let params = json!({"textDocument": document, "contentChanges": changes});
        self.notify("textDocument/didChange", params);
    }

    /// Waits for the published diagnostics of a version of a document.
    pub(crate) fn published(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let message = self.wait_for(|it| {
            let params = &it["params"];
            it["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"] == version
        });
        array(&message["params"]["diagnostics"])
    }

    /// Pulls the diagnostics of a document.
    pub(crate) fn pull(&mut self, uri: &str) -> Vec<Value> {
        let params = json!({"textDocument": {"uri": uri}});
        array(&self.request("textDocument/diagnostic", params)["result"]["items"])
    }

    /// Closes the input of the server.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the process to exit.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("the process can be queried") {
                return status;
            }
            assert!(Instant::now() < deadline, "the server does not exit");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the capabilities of a client that pulls diagnostics.
pub(crate) fn pulling() -> Value {
    pulling_and(json!({}))
}

/// Adds pull diagnostics to the capabilities of a client.
pub(crate) fn pulling_and(mut capabilities: Value) -> Value {
    capabilities["textDocument"]["diagnostic"] = json!({});
    capabilities["workspace"]["diagnostics"]["refreshSupport"] = json!(true);
    capabilities
}

/// Returns the elements of a JSON array.
pub(crate) fn array(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

/// Returns a range in the form of the protocol.
pub(crate) fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    let position = |(line, character): (u32, u32)| json!({"line": line, "character": character});
    json!({"start": position(start), "end": position(end)})
}

fn read_message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).ok().filter(|&it| it > 0)?;
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().ok(),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length?];
    output.read_exact(&mut body).ok()?;
    // Anything but JSON is a bug of the server.
    Some(serde_json::from_slice(&body).expect("the server writes JSON"))
}
