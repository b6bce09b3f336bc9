//! Features that concern the whole session: changes of settings, workspace diagnostics, inlay
//! hints, the log and the trace.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use support::files::{folder, uri, write};
use support::{Client, PATIENCE, URI, array, pulling, pulling_and, range};

/// Requests the inlay hints of a document.
fn hints(client: &mut Client, uri: &str) -> Vec<Value> {
    let workspace_diagnostics = range((0, 0), (999, 0));
    let params = json!({"textDocument": {"uri": uri}, "range": workspace_diagnostics});
    array(&client.request("textDocument/inlayHint", params)["result"])
}

fn labels(hints: &[Value]) -> Vec<&str> {
    hints.iter().filter_map(|it| it["label"].as_str()).collect()
}

/// Pulls the workspace diagnostics until they satisfy `is_done`.
fn workspace_diagnostics(
    client: &mut Client,
    previous: &Value,
    is_done: impl Fn(&[Value]) -> bool,
) -> Vec<Value> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let params = json!({"previousResultIds": previous});
        let answer = client.request("workspace/diagnostic", params);
        let items = array(&answer["result"]["items"]);
        if answer["error"]["code"] != -32802 && is_done(&items) {
            return items;
        }
        assert!(Instant::now() < deadline, "{answer:#}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Returns a valid `metadata.json`.
fn metadata(module: &str) -> String {
    let data = json!({
        "name": format!("me-{module}"), "version": "1.0.0", "author": "me", "license": "MIT",
        "source": "", "dependencies": [],
    });
    data.to_string()
}

fn is_message(it: &Value) -> bool {
    it["method"] == "window/showMessage"
}

const CODE_WITH_HINTS: &str =
    "$a = 1 + 1\nclass b(Array[String] $l) {\n  $l.each |$x| { notice($x) }\n}\n";

#[test]
fn inlay_hints_with_tooltips() {
    let resolving = json!({"textDocument": {
        "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
        "hover": {"contentFormat": ["markdown"]},
    }});
    let mut client = Client::initialized(resolving);
    client.open(URI, CODE_WITH_HINTS);
    let found = hints(&mut client, URI);
    assert_eq!(labels(&found), ["= 2", "String"]);
    assert_eq!(found[1]["position"], json!({"line": 2, "character": 11}));
    assert_eq!(found[1]["kind"], 1);
    assert!(found[1]["tooltip"].is_null());
    let resolved = client.request("inlayHint/resolve", found[1].clone())["result"].clone();
    let tooltip = resolved["tooltip"]["value"].as_str().unwrap_or_default();
    assert!(tooltip.contains("String $x"), "{resolved:#}");
    // Hints of an earlier version have no tooltip.
    client.change(URI, 2, json!([{"text": "$a = 1"}]));
    let resolved = client.request("inlayHint/resolve", found[1].clone())["result"].clone();
    assert!(resolved["tooltip"].is_null());
    assert_eq!(
        client.request(
            "inlayHint/resolve",
            json!({"position": {"line": 0, "character": 0}, "label": "x"})
        )["error"]["code"],
        -32602
    );
}

#[test]
fn settings_apply_immediately() {
    let capabilities = json!({"workspace": {"inlayHint": {"refreshSupport": true}}});
    let mut client =
        Client::in_folders(&[], capabilities, json!({"inlayHints": {"values": false}}));
    client.open(URI, CODE_WITH_HINTS);
    assert_eq!(labels(&hints(&mut client, URI)), [": Integer", "String"]);
    let settings = json!({"settings": {"pupil": {"inlayHints": {"types": false}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    client.wait_for(|it| it["method"] == "workspace/inlayHint/refresh");
    assert_eq!(labels(&hints(&mut client, URI)), ["= 2"]);
}

#[test]
fn user_settings_override_hints_of_the_project() {
    let folder = folder(&[
        ("pupil.toml", "[hints]\ntypes = false\n"),
        ("a.pp", CODE_WITH_HINTS),
    ]);
    let mut client = Client::in_folders(&[folder.path()], json!({}), Value::Null);
    let document = uri(&folder.path().join("a.pp"));
    client.open(&document, CODE_WITH_HINTS);
    let deadline = Instant::now() + PATIENCE;
    while labels(&hints(&mut client, &document)) != ["= 2"] {
        assert!(Instant::now() < deadline);
        thread::sleep(Duration::from_millis(20));
    }
    let settings = json!({"settings": {"pupil": {"inlayHints": {"types": true}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(labels(&hints(&mut client, &document)), ["= 2", "String"]);
}

#[test]
fn reports_invalid_settings_once_until_they_are_fixed() {
    let mut client =
        Client::in_folders(&[], json!({}), json!({"puppetVersion": 9, "modulpath": []}));
    for expected in [
        "invalid setting `pupil.puppetVersion`",
        "unknown setting `pupil.modulpath`",
    ] {
        let told = client.wait_for(is_message)["params"]["message"].clone();
        assert!(
            told.as_str().is_some_and(|it| it.starts_with(expected)),
            "{told}"
        );
    }
    let set = |client: &mut Client, version: u32| {
        let settings = json!({"settings": {"pupil": {"puppetVersion": version}}});
        client.notify("workspace/didChangeConfiguration", settings);
        client.request("pupil/workspace", Value::Null);
    };
    set(&mut client, 9);
    assert_eq!(client.received(is_message), Vec::<Value>::new());
    set(&mut client, 8);
    set(&mut client, 9);
    client.wait_for(is_message);
    assert_eq!(client.received(is_message), Vec::<Value>::new());
}

#[test]
fn logs_unknown_settings_once() {
    let is_unknown = |it: &Value| {
        let message = it["params"]["message"].as_str();
        let message = message.filter(|_| it["method"] == "window/logMessage");
        message.is_some_and(|it| it.contains("unknown setting `pupil.nope`"))
    };
    let mut client = Client::in_folders(&[], json!({}), json!({}));
    for value in [1, 2] {
        let settings = json!({"settings": {"pupil": {"nope": value, "server": {"path": "x"}}}});
        client.notify("workspace/didChangeConfiguration", settings);
        client.request("pupil/workspace", Value::Null);
    }
    client.wait_for(is_unknown);
    assert_eq!(client.received(is_unknown), Vec::<Value>::new());
    assert_eq!(client.received(is_message), Vec::<Value>::new());
}

#[test]
fn registers_for_and_applies_changed_settings() {
    let capabilities = json!({"workspace": {
        "configuration": true,
        "didChangeConfiguration": {"dynamicRegistration": true},
    }});
    let mut client =
        Client::in_folders(&[], capabilities, json!({"inlayHints": {"values": false}}));
    let registered = client.wait_for(|it| it["method"] == "client/registerCapability");
    let registered = array(&registered["params"]["registrations"]);
    assert_eq!(registered[0]["method"], "workspace/didChangeConfiguration");
    let asked = |it: &Value| it["method"] == "workspace/configuration";
    let answer = |client: &mut Client, settings: Value| {
        let question = client.wait_for(asked);
        let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": [settings]});
        client.send_body(&answer.to_string());
    };
    client.open(URI, "$a = 1 + 1\n");
    // Without settings, the initial ones apply.
    answer(&mut client, Value::Null);
    client.request("pupil/workspace", Value::Null);
    assert_eq!(labels(&hints(&mut client, URI)), [": Integer"]);
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": null}),
    );
    answer(&mut client, json!({"inlayHints": {"values": true}}));
    let deadline = Instant::now() + PATIENCE;
    while labels(&hints(&mut client, URI)) != ["= 2"] {
        assert!(Instant::now() < deadline);
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn workspace_diagnostics_cover_all_files() {
    let folder = folder(&[
        ("metadata.json", &metadata("mine")),
        ("manifests/init.pp", "class mine { include mine::other }\n"),
        ("manifests/other.pp", "class mine::other { $a = ] }\n"),
        ("manifests/good.pp", "class mine::good { }\n"),
        (
            "spec/fixtures/modules/theirs/manifests/init.pp",
            "class theirs { $a = ] }\n",
        ),
    ]);
    let capabilities = pulling_and(json!({
        "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}},
    }));
    let mut client = Client::in_folders(&[folder.path()], capabilities, Value::Null);
    let bad = uri(&folder.path().join("manifests/other.pp"));
    let items = workspace_diagnostics(&mut client, &json!([]), |it| it.len() == 1);
    assert_eq!(items[0]["uri"], bad.as_str());
    assert_eq!(items[0]["kind"], "full");
    assert!(items[0]["version"].is_null());
    assert_eq!(array(&items[0]["items"]).len(), 1);

    let previous = json!([{"uri": bad, "value": items[0]["resultId"]}]);
    let again = workspace_diagnostics(&mut client, &previous, |it| it.len() == 1);
    assert_eq!(again[0]["kind"], "unchanged");

    // The open document takes precedence over the disk, and causes a diagnostic in another file.
    client.open(&bad, "class mine::renamed { }\n");
    let items = workspace_diagnostics(&mut client, &previous, |it| it.len() == 2);
    let of = |path: &str| {
        let at = uri(&folder.path().join(path));
        items.iter().find(|it| it["uri"] == at.as_str()).cloned()
    };
    let init = of("manifests/init.pp").expect("it includes a missing class");
    assert_eq!(init["items"][0]["code"], "unknown-class");
    let other = of("manifests/other.pp").expect("the open document is reported");
    assert_eq!(other["version"], 1);

    // A change on disk triggers a refresh, and fixed files get an empty report.
    let close = json!({"textDocument": {"uri": bad}});
    client.notify("textDocument/didClose", close);
    write(
        folder.path(),
        "manifests/other.pp",
        "class mine::other { }\n",
    );
    let changes = json!({"changes": [{"uri": bad, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    client.wait_for(|it| it["method"] == "workspace/diagnostic/refresh");
    let items = workspace_diagnostics(&mut client, &previous, |it| {
        it.len() == 1 && it[0]["items"] == json!([])
    });
    assert_eq!(items[0]["uri"], bad.as_str());
}

/// Diagnostics published before the workspace was loaded are updated.
#[test]
fn republishes_diagnostics_after_loading() {
    let text = "class mine { include mine::gone }\n";
    let folder = folder(&[
        ("metadata.json", &metadata("mine")),
        ("manifests/init.pp", text),
    ]);
    // The second client pulls diagnostics but does not support refresh.
    for capabilities in [json!({}), json!({"textDocument": {"diagnostic": {}}})] {
        let mut client = Client::in_folders(&[folder.path()], capabilities, Value::Null);
        let main = uri(&folder.path().join("manifests/init.pp"));
        client.open(&main, text);
        while !client
            .published(&main, 1)
            .iter()
            .any(|it| it["code"] == "unknown-class")
        {}
    }
}

#[test]
fn clears_diagnostics_of_removed_files() {
    let folder = folder(&[
        ("metadata.json", &metadata("mine")),
        ("manifests/init.pp", "class mine { }\n"),
        ("manifests/a@b.pp", "$a = ]\n"),
    ]);
    let mut client = Client::in_folders(&[folder.path()], pulling(), Value::Null);
    let items = workspace_diagnostics(&mut client, &json!([]), |it| it.len() == 1);
    // Clients differ in how they escape URIs.
    let bad = uri(&folder.path().join("manifests/a%40b.pp"));
    let previous = json!([{"uri": bad, "value": items[0]["resultId"]}]);
    let again = workspace_diagnostics(&mut client, &previous, |it| it.len() == 1);
    assert_eq!(again[0]["kind"], "unchanged");

    fs::remove_file(folder.path().join("manifests/a@b.pp")).expect("the file exists");
    let changes = json!({"changes": [{"uri": bad, "type": 3}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    let gone = workspace_diagnostics(&mut client, &previous, |it| {
        it.len() == 1 && it[0]["items"] == json!([])
    });
    assert_eq!(gone[0]["kind"], "full");
    assert_eq!(gone[0]["uri"], bad.as_str());
}

#[test]
fn workspace_diagnostics_can_be_cancelled() {
    let folder = folder(&[]);
    for number in 0..300 {
        let text = format!(
            "class c{number} {{\n{}}}\n",
            "  $a = [1, 2] + $b\n".repeat(300)
        );
        write(folder.path(), &format!("manifests/c{number}.pp"), &text);
    }
    write(folder.path(), "manifests/site.pp", "");
    write(
        folder.path(),
        "pupil.toml",
        "workspace.basemodulepath = []\n",
    );
    let mut client = Client::in_folders(&[folder.path()], pulling(), Value::Null);
    let all = |client: &mut Client| {
        let answer = client.request("pupil/workspace", Value::Null);
        answer["result"]["texts"]["files"] == 301
    };
    let deadline = Instant::now() + PATIENCE;
    while !all(&mut client) && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
    }
    let id = client.send_request("workspace/diagnostic", json!({"previousResultIds": []}));
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.answer(id)["error"]["code"], -32800);
    // Later requests do not have to wait.
    client.open(URI, "$a = ]");
    assert_eq!(client.pull(URI).len(), 1);
}

#[test]
fn supports_multiple_changing_workspace_folders() {
    let text = |name: &str| format!("class {name} {{ $a = ] }}\n");
    let folders = ["one", "two", "three"].map(|name| {
        folder(&[
            ("metadata.json", &metadata(name)),
            ("manifests/init.pp", &text(name)),
        ])
    });
    let at = |index: usize| uri(&folders[index].path().join("manifests/init.pp"));
    let mut client = Client::in_folders(
        &[folders[0].path(), folders[1].path()],
        pulling(),
        Value::Null,
    );
    let has =
        |items: &[Value], index: usize| items.iter().any(|it| it["uri"] == at(index).as_str());
    workspace_diagnostics(&mut client, &json!([]), |it| {
        it.len() == 2 && has(it, 0) && has(it, 1)
    });
    let one = |index: usize| json!([{"uri": uri(folders[index].path()), "name": "x"}]);
    let event = json!({"event": {"removed": one(0), "added": one(2)}});
    client.notify("workspace/didChangeWorkspaceFolders", event);
    workspace_diagnostics(&mut client, &json!([]), |it| {
        it.len() == 2 && has(it, 1) && has(it, 2)
    });
    let event = json!({"event": {"removed": one(1), "added": []}});
    client.notify("workspace/didChangeWorkspaceFolders", event);
    workspace_diagnostics(&mut client, &json!([]), |it| it.len() == 1 && has(it, 2));
}

#[test]
fn trace_shows_received_and_sent_messages() {
    let mut client = Client::initialized(pulling());
    let is_trace = |it: &Value| it["method"] == "$/logTrace";
    client.open(URI, "$a = ]");
    client.pull(URI);
    assert_eq!(client.received(is_trace), Vec::<Value>::new());
    client.notify("$/setTrace", json!({"value": "messages"}));
    client.pull(URI);
    let received = client.wait_for(is_trace)["params"].clone();
    let message = received["message"].as_str().unwrap_or_default();
    assert!(
        message.starts_with("received request textDocument/diagnostic"),
        "{message}"
    );
    assert!(received["verbose"].is_null());
    let sent = client.wait_for(is_trace)["params"].clone();
    let message = sent["message"].as_str().unwrap_or_default();
    assert!(
        message.starts_with("sent response to textDocument/diagnostic"),
        "{message}"
    );
    client.notify("$/setTrace", json!({"value": "verbose"}));
    client.pull(URI);
    // A response from before the change may be traced late.
    let is_verbose = |it: &Value| is_trace(it) && !it["params"]["verbose"].is_null();
    let received = client.wait_for(is_verbose)["params"].clone();
    assert!(
        received["verbose"]
            .as_str()
            .is_some_and(|it| it.contains(URI)),
        "{received}"
    );
    client.wait_for(is_verbose);
    client.notify("$/setTrace", json!({"value": "off"}));
    client.pull(URI);
    // Traces of the requests before, of which this is the fifth, may come late.
    let is_of_last = |it: &Value| {
        let message = it["params"]["message"].as_str();
        is_trace(it) && message.is_some_and(|it| it.contains("(5)"))
    };
    assert_eq!(client.received(is_of_last), Vec::<Value>::new());
}

#[test]
fn logs_to_the_client_and_to_a_file() {
    let folder = folder(&[]);
    let path = folder.path().join("pupil.log");
    let mut client = Client::start_with(&["--log", path.to_str().expect("UTF-8")]);
    client.handshake(json!({}));
    client.change("file:///not/open.pp", 2, json!([{"text": "x"}]));
    let line =
        client.wait_for(|it| it["method"] == "window/logMessage" && it["params"]["type"] == 2);
    assert_eq!(
        line["params"]["message"],
        "changed a document that is not open: file:///not/open.pp"
    );
    client.close_input();
    client.wait();
    let log = fs::read_to_string(&path).expect("the log was written");
    assert!(
        log.contains("changed a document that is not open: file:///not/open.pp"),
        "{log}"
    );
}

/// A module with a missing dependency, and one installed in an unsuitable version.
const PROJECT_FILES: [(&str, &str); 5] = [
    (
        "metadata.json",
        r#"{"name":"me-mine","version":"1.0.0","author":"me","license":"MIT","source":"","dependencies":[
{"name":"me-other","version_requirement":">= 2.0.0"},
{"name":"me-absent"}]}"#,
    ),
    ("manifests/init.pp", "class mine { }\n"),
    (
        "pupil.toml",
        "workspace.modulepath = [\"spec/fixtures/modules\"]\n",
    ),
    (
        "spec/fixtures/modules/other/metadata.json",
        r#"{"name":"me-other","version":"1.5.0"}"#,
    ),
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - path: x.yaml\n    data_hash: yaml_data\n",
    ),
];

#[test]
fn command_line_checks_project_files() {
    let folder = folder(&PROJECT_FILES);
    let check = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_pupil"))
            .args(["check", "--format", "json"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .expect("the program starts");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let found = array(&report["findings"]);
        let found = found.iter().map(|it| {
            let text = |key: &str| it[key].as_str().unwrap_or_default().to_owned();
            format!("{}:{} {}", text("file"), it["line"], text("code"))
        });
        found.collect::<Vec<_>>()
    };
    let all = [
        "hiera.yaml:3 invalid-hiera-config",
        "metadata.json:2 unmet-dependency",
        "metadata.json:3 missing-dependency",
    ];
    assert_eq!(check(&[]), all);
    let set = |rule: &str| {
        let modules = "workspace.modulepath = [\"spec/fixtures/modules\"]";
        write(
            folder.path(),
            "pupil.toml",
            &format!("{modules}\nrules.{rule}\n"),
        );
    };
    assert_eq!(check(&["metadata.json"]), all[1..]);
    set("missing-dependency = \"off\"");
    assert_eq!(check(&["metadata.json"]), all[1..2]);
}

#[test]
fn server_checks_project_files() {
    let folder = folder(&PROJECT_FILES);
    let mut client = Client::in_folders(&[folder.path()], pulling(), Value::Null);
    let code = |items: &[Value], path: &str| {
        let at = uri(&folder.path().join(path));
        let report = items.iter().find(|it| it["uri"] == at.as_str());
        report.map(|it| {
            array(&it["items"])
                .iter()
                .map(|it| it["code"].clone())
                .collect::<Vec<_>>()
        })
    };
    workspace_diagnostics(&mut client, &json!([]), |it| {
        code(it, "metadata.json")
            == Some(vec!["unmet-dependency".into(), "missing-dependency".into()])
            && code(it, "hiera.yaml") == Some(vec!["invalid-hiera-config".into()])
    });
    // Project files are not Puppet code and have no other features.
    let document = uri(&folder.path().join("metadata.json"));
    client.open(&document, "{\n");
    let found = client.pull(&document);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["code"], "invalid-metadata");
    let params = json!({"textDocument": {"uri": document}});
    let symbols = client.request("textDocument/documentSymbol", params)["result"].clone();
    assert_eq!(symbols, json!([]));
    client.change(&document, 2, json!([{"text": "{\"x\": 1}"}]));
    assert_eq!(client.pull(&document).len(), 6);
    // Puppet treats an empty object like a missing file.
    client.change(&document, 3, json!([{"text": "{}"}]));
    assert_eq!(client.pull(&document).len(), 0);
    let text = r#"{"dependencies": [{"name": "me-other"}]}"#;
    client.change(&document, 4, json!([{"text": text}]));
    let params = json!({
        "textDocument": {"uri": document},
        "position": {"line": 0, "character": 30},
    });
    let hover = client.request("textDocument/hover", params)["result"].clone();
    let said = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(said.contains("Version 1.5.0 is installed."), "{hover}");
}
