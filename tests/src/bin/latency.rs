//! Measures the time from an edit to its diagnostics, through the protocol.

#![expect(clippy::print_stdout, reason = "a command-line program")]

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use pupil_tests::program;
use serde_json::{Value, json};

const USAGE: &str = "\
Measures one edit in a manifest until its diagnostics arrive, through the protocol.

usage: latency [--pull] [--edits N] MANIFEST

  --pull     pull diagnostics (default: the server pushes them)
  --edits N  the number of edits (default 300)

$PUPIL is the server; if unset, it is built in the same profile.
";

const URI: &str = "file:///nowhere/measured.pp";

struct Options {
    pull: bool,
    edits: usize,
    manifest: PathBuf,
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        print!("{USAGE}");
        return ExitCode::from(2);
    };
    match measure(&options) {
        Ok(times) => {
            report(&options, times);
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("latency: {error}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Option<Options> {
    let mut options = Options {
        pull: false,
        edits: 300,
        manifest: PathBuf::new(),
    };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--pull" => options.pull = true,
            "--edits" => options.edits = arguments.next()?.parse().ok().filter(|&it| it > 0)?,
            path if !path.starts_with('-') => options.manifest = path.into(),
            _ => return None,
        }
    }
    (!options.manifest.as_os_str().is_empty()).then_some(options)
}

/// Opens the manifest, then alternately inserts and removes an invalid statement in the middle of
/// the file, and waits for the diagnostics of each edit.
fn measure(options: &Options) -> io::Result<Vec<Duration>> {
    let text = fs::read_to_string(&options.manifest)?;
    let line = text.lines().count() / 2;
    let mut server = Server::start(options.pull)?;
    let document = json!({"uri": URI, "languageId": "puppet", "version": 1, "text": text});
    server.notify("textDocument/didOpen", &json!({"textDocument": document}))?;
    let clean = server.diagnostics(1)?;

    let mut times = Vec::with_capacity(options.edits);
    for edit in 0..options.edits {
        let version = edit + 2;
        let (length, text) = if edit % 2 == 0 { (0, " ]\n") } else { (1, "") };
        let range = json!({
            "start": {"line": line, "character": 0},
            "end": {"line": line + length, "character": 0},
        });
        let params = json!({
            "textDocument": {"uri": URI, "version": version},
            "contentChanges": [{"range": range, "text": text}],
        });
        let started = Instant::now();
        server.notify("textDocument/didChange", &params)?;
        let found = server.diagnostics(version)?;
        times.push(started.elapsed());
        let as_expected = if edit % 2 == 0 {
            found > clean
        } else {
            found == clean
        };
        if !as_expected {
            return Err(io::Error::other(format!(
                "edit {edit}: {found} diagnostics"
            )));
        }
    }
    server.stop()?;
    Ok(times)
}

fn report(options: &Options, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |percent: usize| {
        let index = (times.len() * percent).div_ceil(100).saturating_sub(1);
        times[index].as_secs_f64() * 1e3
    };
    println!(
        "{}: {} edits, {}: median {:.2} ms, p99 {:.2} ms, longest {:.2} ms",
        options.manifest.display(),
        times.len(),
        if options.pull { "pulled" } else { "pushed" },
        at(50),
        at(99),
        at(100),
    );
}

/// A server and the connection to it.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    pull: bool,
    next_id: u64,
}

impl Server {
    fn start(pull: bool) -> io::Result<Server> {
        let mut child = Command::new(program::pupil())
            .arg("server")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().ok_or_else(missing_pipe)?;
        let output = child.stdout.take().ok_or_else(missing_pipe)?;
        let mut server = Server {
            child,
            input,
            output: BufReader::new(output),
            pull,
            next_id: 1,
        };
        let capabilities = if pull {
            json!({
                "textDocument": {"diagnostic": {}},
                "workspace": {"diagnostics": {"refreshSupport": true}},
            })
        } else {
            json!({})
        };
        let params = json!({"processId": null, "capabilities": capabilities});
        server.request("initialize", &params)?;
        server.notify("initialized", &json!({}))?;
        Ok(server)
    }

    /// Returns the number of diagnostics of a version of the document.
    fn diagnostics(&mut self, version: usize) -> io::Result<usize> {
        let found = if self.pull {
            let params = json!({"textDocument": {"uri": URI}});
            self.request("textDocument/diagnostic", &params)?["items"].take()
        } else {
            loop {
                let mut message = self.read()?;
                if message["params"]["version"] == version {
                    break message["params"]["diagnostics"].take();
                }
            }
        };
        found
            .as_array()
            .map(Vec::len)
            .ok_or_else(|| io::Error::other("no diagnostics"))
    }

    fn stop(mut self) -> io::Result<()> {
        self.request("shutdown", &Value::Null)?;
        self.notify("exit", &Value::Null)?;
        self.child.wait()?;
        Ok(())
    }

    fn notify(&mut self, method: &str, params: &Value) -> io::Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    fn request(&mut self, method: &str, params: &Value) -> io::Result<Value> {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let mut message = self.read()?;
            if message["id"] == id {
                return Ok(message["result"].take());
            }
        }
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        let body = message.to_string();
        let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.input.write_all(message.as_bytes())
    }

    fn read(&mut self) -> io::Result<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", value)) => {
                    length = value.parse().map_err(io::Error::other)?;
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body)?;
        serde_json::from_slice(&body).map_err(io::Error::other)
    }
}

fn missing_pipe() -> io::Error {
    io::Error::other("the server has no pipe")
}
