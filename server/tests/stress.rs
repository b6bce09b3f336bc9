//! A stress test: ten thousand edits and requests of all kinds for two documents without a pause,
//! some of them cancelled. The server must not panic; every request gets one response, based on the
//! text at that time; memory does not grow; and the final state equals that of a new process.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use fastrand::Rng;
use serde_json::{Value, json};

use support::files::{folder, uri};
use support::{Client, array, range};

/// The number of edits and requests.
const STEPS: usize = 10_000;
const SEED: u64 = 6;

/// One in this many requests is also sent to a new server.
const SAMPLE_INTERVAL: usize = 100;
/// One in this many requests is cancelled immediately.
const CANCELLED: usize = 10;
/// The maximum number of pending requests.
const MAX_PENDING: usize = 64;
/// The length from which documents are reset, in characters.
const MAX_LENGTH: usize = 6_000;

/// The number of steps after which memory should be stable.
const WARMUP_STEPS: usize = 2_000;
/// The number of steps between two measurements of memory.
const MEMORY_INTERVAL: usize = 50;
/// The maximum growth of memory from the first quarter after [`WARMUP_STEPS`] to the last one, in percent.
const MAX_GROWTH: usize = 20;

const FILES: [(&str, &str); 9] = [
    ("environment.conf", "modulepath = modules\n"),
    (
        "modules/web/metadata.json",
        r#"{"name":"me-web","version":"1.0.0","author":"me","license":"MIT","source":"","dependencies":[]}"#,
    ),
    ("modules/web/manifests/init.pp", FIRST),
    ("modules/web/manifests/site.pp", SECOND),
    (
        "modules/web/manifests/params.pp",
        "class web::params {\n  $user = $facts['os']['family'] ? { 'Debian' => 'www-data', default => 'apache' }\n  $ports = [80, 443]\n}\n",
    ),
    (
        "modules/web/functions/clean.pp",
        "# Cleans.\nfunction web::clean(String $text, Integer $times = 1) >> String {\n  $text.strip\n}\n",
    ),
    (
        "modules/web/types/mode.pp",
        "type Web::Mode = Enum['fast', 'safe']\n",
    ),
    (
        "modules/web/templates/site.epp",
        "<%- | String $name, Integer $port | -%>\nListen <%= $port %> # <%= $name %>\n",
    ),
    (
        "modules/other/manifests/init.pp",
        "class other {\n  include web\n  web::site { 'other': port => 8080, mode => 'safe' }\n}\n",
    ),
];

/// The documents that are edited.
const EDITED: [&str; 2] = [
    "modules/web/manifests/init.pp",
    "modules/web/manifests/site.pp",
];

const FIRST: &str = r#"# Serves.
#
# @param user who runs it
class web (
  String $user = $web::params::user,
  Web::Mode $mode = 'fast',
  Hash[String, Hash] $sites = {},
  Optional[Integer] $limit = undef,
) inherits web::params {
  $name_of_user = "user ${user} 😀"
  $count = $web::params::ports.length + 1
  if $limit =~ NotUndef {
    $most = $limit * 2
  } else {
    $most = 10
  }
  package { 'web': ensure => installed }
  file { '/etc/web':
    ensure  => directory,
    owner   => $user,
    require => Package['web'],
  }
  $sites.each |$key, $settings| {
    web::site { $key: * => $settings }
  }
  case $mode {
    'fast': { notice("fast ${most}") }
    'safe': { notice(web::clean($name_of_user)) }
    default: { fail('no') }
  }
  service { 'web': ensure => running, subscribe => File['/etc/web'] }
}
"#;

const SECOND: &str = r#"# A site.
define web::site (
  Integer[1, 65535] $port = 80,
  Web::Mode $mode = 'fast',
  Array[String] $names = [$title],
) {
  include web
  $all = $names.map |$it| { web::clean($it, 2) }
  $text = epp('web/site.epp', { 'name' => $all.join(','), 'port' => $port })
  file { "/etc/web/${title}.conf":
    content => $text,
    mode    => '0644',
    notify  => Service['web'],
  }
  if $facts['os']['family'] == 'Debian' and $mode == 'safe' {
    $lines = @("END"/L)
      port ${port}
      | END
    notice($lines, $web::count)
  }
}
"#;

/// Fragments inserted at arbitrary positions.
const SNIPPETS: [&str; 32] = [
    "", "", "", " ", "\n", "$", "$user", "$port", "'", "\"", "{", "}", "(", ")", "[", "]", ":",
    "::", "=>", ",", ".", "#", "😀", "é", "web::", "include ", "if ", "\\", "@(END)", "1", "undef",
    "${",
];

/// Lines inserted before other lines.
const LINES: [&str; 8] = [
    "  $more = $user.\n",
    "  include web::params\n",
    "  file { '/x': ensure => file, owner => }\n",
    "  $nothing = $unknown['a']\n",
    "  web::site { 'x': prot => 1 }\n",
    "  notice(web::clean(1))\n",
    "  if $mode == '' { }\n",
    "  # pupil: ignore\n",
];

/// A document in the editor.
#[derive(Clone)]
struct EditedDocument {
    uri: String,
    version: i32,
    text: Vec<char>,
}

impl EditedDocument {
    /// Returns a random position, sometimes beyond the end of its line or the text.
    fn position(&self, random: &mut Rng) -> (u32, u32) {
        if random.u8(..) < 4 {
            return (random.u32(..), random.u32(..));
        }
        self.position_at(random.usize(..=self.text.len()))
    }

    /// Returns the line and column of a character.
    fn position_at(&self, at: usize) -> (u32, u32) {
        let before = &self.text[..at];
        let line = before.iter().filter(|&&it| it == '\n').count();
        let column = before.iter().rev().take_while(|&&it| it != '\n').count();
        let number = |it: usize| u32::try_from(it).expect("a small number");
        (number(line), number(column))
    }

    fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Applies a random edit and returns its content changes.
    fn edit(&mut self, original: &str, random: &mut Rng) -> Value {
        self.version += 1;
        if self.text.len() > MAX_LENGTH || random.u8(..) < 8 {
            self.text = original.chars().collect();
            return json!([{"text": original}]);
        }
        let mut changes = Vec::new();
        for _ in 0..random.usize(1..=2) {
            let mut start = random.usize(..=self.text.len());
            let mut end = (start + random.usize(..4)).min(self.text.len());
            let mut new = SNIPPETS[random.usize(..SNIPPETS.len())];
            if random.u8(..) < 64 {
                start -= self.position_at(start).1 as usize;
                end = start;
                new = LINES[random.usize(..LINES.len())];
            }
            let at = range(self.position_at(start), self.position_at(end));
            changes.push(json!({"range": at, "text": new}));
            self.text.splice(start..end, new.chars());
        }
        json!(changes)
    }
}

/// A request, with the documents at the time it was sent.
struct SentRequest {
    method: &'static str,
    params: Value,
    /// Set if the response is compared with that of a new server.
    documents: Option<Vec<EditedDocument>>,
    cancelled: bool,
}

/// Requests for a position in a document.
const POSITION_METHODS: [&str; 13] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/typeDefinition",
    "textDocument/implementation",
    "textDocument/documentHighlight",
    "textDocument/references",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/prepareCallHierarchy",
    "textDocument/prepareTypeHierarchy",
];

/// Requests for a whole document.
const DOCUMENT_METHODS: [&str; 7] = [
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/full/delta",
    "textDocument/documentLink",
    "textDocument/codeLens",
    "textDocument/diagnostic",
];

/// Requests for ranges or several positions in a document.
const RANGE_METHODS: [&str; 4] = [
    "textDocument/semanticTokens/range",
    "textDocument/inlayHint",
    "textDocument/codeAction",
    "textDocument/selectionRange",
];

/// Requests for the whole workspace.
const WORKSPACE_METHODS: [&str; 2] = ["workspace/symbol", "workspace/diagnostic"];

/// Returns a random request for a document.
fn request(document: &EditedDocument, random: &mut Rng) -> (&'static str, Value) {
    let file = json!({"uri": document.uri});
    let position = |at: (u32, u32)| json!({"line": at.0, "character": at.1});
    let index = random.usize(
        ..POSITION_METHODS.len()
            + DOCUMENT_METHODS.len()
            + RANGE_METHODS.len()
            + WORKSPACE_METHODS.len(),
    );
    let all = [
        &POSITION_METHODS[..],
        &DOCUMENT_METHODS,
        &RANGE_METHODS,
        &WORKSPACE_METHODS,
    ]
    .concat();
    let method = all[index];
    let places = [document.position(random), document.position(random)];
    let query = ["", "web", "s"][random.usize(..3)];
    let params = json!({
        "textDocument": file,
        "position": position(places[0]),
        "positions": places.map(position),
        "range": range(places[0].min(places[1]), places[0].max(places[1])),
        "context": {
            "includeDeclaration": true, "diagnostics": [], "triggerKind": 1, "isRetrigger": false,
        },
        "newName": "other_name",
        "previousResultId": "0",
        "previousResultIds": [],
        "query": query,
    });
    (method, params)
}

/// Starts a server and waits until it has loaded the folder.
fn server(folder: &Path) -> Client {
    let capabilities = json!({
        "general": {"positionEncodings": ["utf-32"]},
        "workspace": {"workspaceEdit": {"documentChanges": true}},
        "textDocument": {
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}},
                "dataSupport": true, "resolveSupport": {"properties": ["edit"]},
            },
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "rename": {"prepareSupport": true},
        },
    });
    let mut client = Client::in_folders(&[folder], capabilities, json!({"diagnosticsDelay": 0}));
    loop {
        let known = client.request("pupil/workspace", Value::Null);
        let mut environments = array(&known["result"]["environments"]).into_iter();
        if environments.any(|it| !array(&it["modules"]).is_empty()) {
            return client;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn open(client: &mut Client, document: &EditedDocument) {
    let (uri, version) = (&document.uri, document.version);
    let item =
        json!({"uri": uri, "languageId": "puppet", "version": version, "text": document.text()});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
}

/// Removes IDs from a response.
fn comparable(method: &str, mut answer: Value) -> Value {
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("id");
    }
    // Deltas are not comparable, because a new server returns all tokens.
    if method.starts_with("textDocument/semanticTokens/full") {
        if let Some(result) = answer["result"].as_object_mut() {
            result.remove("resultId");
        }
        if answer["result"].get("edits").is_some() {
            return Value::Null;
        }
    }
    answer
}

/// Returns the response of a new server to a request.
fn replay(folder: &Path, request: &SentRequest) -> Value {
    let mut client = server(folder);
    for document in request.documents.iter().flatten() {
        open(&mut client, document);
    }
    client.request(request.method, request.params.clone())
}

/// The number of responses by outcome.
#[derive(Default, Debug)]
struct OutcomeCounts {
    answered: usize,
    overtaken: usize,
    cancelled: usize,
    compared: usize,
}

/// The pending requests and the received messages.
struct ResponseChecker<'a> {
    folder: &'a Path,
    pending: HashMap<i64, SentRequest>,
    /// The newest diagnostics of each document.
    published: HashMap<String, Value>,
    outcomes: OutcomeCounts,
}

impl ResponseChecker<'_> {
    /// Handles one message.
    fn take(&mut self, message: Value) {
        if message["method"] == "textDocument/publishDiagnostics" {
            let uri = message["params"]["uri"].as_str().unwrap_or_default();
            self.published
                .insert(uri.to_owned(), message["params"].clone());
        }
        let text = message["params"]["message"].as_str().unwrap_or_default();
        assert!(!text.contains("panic"), "{message}");
        if is_answer(&message)
            && let Some(id) = message["id"].as_i64()
        {
            let request = self.pending.remove(&id);
            let request = request.unwrap_or_else(|| panic!("unexpected response: {message}"));
            self.check_response(&request, message);
        }
    }

    fn check_response(&mut self, request: &SentRequest, message: Value) {
        let outcomes = &mut self.outcomes;
        match message["error"]["code"].as_i64() {
            // The second code is for workspace diagnostics, which clients would pull again.
            Some(-32801 | -32802) => outcomes.overtaken += 1,
            Some(-32800) => {
                assert!(request.cancelled, "request was not cancelled: {message}");
                outcomes.cancelled += 1;
            }
            // Impossible renames are errors.
            Some(code)
                if !(request.method.ends_with("ename") && matches!(code, -32803 | -32602)) =>
            {
                panic!("{} {}: {message}", request.method, request.params);
            }
            _ => {
                outcomes.answered += 1;
                if request.documents.is_some() {
                    outcomes.compared += 1;
                    let found = comparable(request.method, message);
                    let expected = comparable(request.method, replay(self.folder, request));
                    assert!(
                        found == expected || (found.is_null() || expected.is_null()),
                        "{} {}\n{found:#}\nexpected\n{expected:#}",
                        request.method,
                        request.params,
                    );
                }
            }
        }
    }
}

/// Returns the lines and codes of the diagnostics of `pupil check` in a file.
fn checked(folder: &Path, path: &str) -> Vec<(u64, String)> {
    let output = Command::new(env!("CARGO_BIN_EXE_pupil"))
        .args(["check", "--format", "json"])
        .arg(folder.join(path))
        .output()
        .expect("the check runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let found = array(&report["findings"]).into_iter().map(|it| {
        let code = it["code"].as_str().unwrap_or_default();
        (it["line"].as_u64().unwrap_or(0), code.to_owned())
    });
    sorted(found.collect())
}

/// Returns the lines and codes of diagnostics of the server.
fn of_diagnostics(found: &Value) -> Vec<(u64, String)> {
    let found = array(found).into_iter().map(|it| {
        let code = it["code"].as_str().unwrap_or_default();
        let line = it["range"]["start"]["line"].as_u64().unwrap_or(0);
        (line + 1, code.to_owned())
    });
    sorted(found.collect())
}

fn sorted(mut all: Vec<(u64, String)>) -> Vec<(u64, String)> {
    all.sort();
    all
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn storm_of_edits_and_requests() {
    let folder = folder(&FILES);
    let mut random = Rng::with_seed(SEED);
    let mut client = server(folder.path());
    let mut documents: Vec<EditedDocument> = EDITED
        .iter()
        .zip([FIRST, SECOND])
        .map(|(path, text)| EditedDocument {
            uri: uri(&folder.path().join(path)),
            version: 1,
            text: text.chars().collect(),
        })
        .collect();
    for document in &documents {
        open(&mut client, document);
    }
    let mut checker = ResponseChecker {
        folder: folder.path(),
        pending: HashMap::new(),
        published: HashMap::new(),
        outcomes: OutcomeCounts::default(),
    };
    let mut asked = 0;
    let mut memory = Vec::new();
    for step in 0..STEPS {
        let which = random.usize(..2);
        if random.bool() {
            let changes = documents[which].edit([FIRST, SECOND][which], &mut random);
            let document = &documents[which];
            client.change(&document.uri, document.version, changes);
        } else {
            let (method, params) = request(&documents[which], &mut random);
            let id = client.send_request(method, params.clone());
            asked += 1;
            let cancelled = asked % CANCELLED == 0;
            if cancelled {
                client.notify("$/cancelRequest", json!({"id": id}));
            }
            let documents = (asked % SAMPLE_INTERVAL == 1).then(|| documents.clone());
            let request = SentRequest {
                method,
                params,
                documents,
                cancelled,
            };
            checker.pending.insert(id, request);
        }
        let mut received = client.received_now();
        while checker.pending.len() - received.iter().filter(|it| is_answer(it)).count()
            > MAX_PENDING
        {
            received.push(client.wait_for(|_| true));
        }
        for message in received {
            checker.take(message);
        }
        if step >= WARMUP_STEPS && step % MEMORY_INTERVAL == 0 {
            memory.extend(client.resident_memory());
        }
    }
    while !checker.pending.is_empty() {
        let message = client.wait_for(|_| true);
        checker.take(message);
    }
    let outcomes = &checker.outcomes;
    println!("{asked} requests in {STEPS} steps: {outcomes:?}");
    assert_eq!(
        outcomes.answered + outcomes.overtaken + outcomes.cancelled,
        asked
    );
    // Most requests are answered even at this rate.
    assert!(outcomes.answered > asked / 2, "{outcomes:?}");
    assert!(
        outcomes.compared > asked / SAMPLE_INTERVAL / 2,
        "{outcomes:?}"
    );
    assert!(outcomes.cancelled > 0, "{outcomes:?}");

    if let Some((early, late)) = early_and_late(&memory) {
        println!("{early} KB after {WARMUP_STEPS} steps, {late} KB at the end");
        let most = early + early * MAX_GROWTH / 100;
        assert!(late <= most, "memory grew from {early} KB to {late} KB");
    }

    for document in &documents {
        let pulled = client.pull(&document.uri);
        while checker
            .published
            .get(&document.uri)
            .is_none_or(|it| it["version"] != document.version)
        {
            let message = client.wait_for(|_| true);
            checker.take(message);
        }
        assert_eq!(
            checker.published[&document.uri]["diagnostics"],
            json!(pulled)
        );
        let path = document.uri.strip_prefix("file://").expect("a file URI");
        fs::write(path, document.text()).expect("the file can be written");
    }
    for (document, path) in documents.iter().zip(EDITED) {
        let found = of_diagnostics(&checker.published[&document.uri]["diagnostics"]);
        assert_eq!(found, checked(folder.path(), path), "{path}");
    }
}

/// Returns the medians of the first and the last quarter.
fn early_and_late(memory: &[usize]) -> Option<(usize, usize)> {
    let median = |part: &[usize]| {
        let mut sorted = part.to_vec();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied()
    };
    let quarter = memory.len() / 4;
    let early = median(memory.get(..quarter)?)?;
    Some((early, median(memory.get(memory.len() - quarter..)?)?))
}

fn is_answer(message: &Value) -> bool {
    message.get("method").is_none() && message.get("id").is_some()
}
