//! `pupil/catalog`: catalogs in editors.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use support::files::{folder, uri};
use support::{Client, array, pulling, range};

const CONTENT_MODIFIED: i64 = -32801;
const REQUEST_FAILED: i64 = -32803;
const INVALID_PARAMS: i64 = -32602;

const INIT: &str = "\
# A web server.
class web (Integer $port, String $root = '/srv') {
  package { 'nginx': ensure => installed }
  file { '/etc/nginx.conf':
    content => \"listen ${port};\",
    require => Package['nginx'],
  }
  if $facts['kernel'] == 'Linux' {
    notify { 'linux': }
  }
}
";

const SITE: &str = "\
node 'web1', 'web2' { include web }
node /^db/ { notify { 'db': } }
node default { notify { \"node ${trusted['certname']}\": } }
";

const FILES: [(&str, &str); 6] = [
    ("environment.conf", "modulepath = site\n"),
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - name: Common\n    path: common.yaml\n",
    ),
    ("data/common.yaml", "---\nweb::port: 8080\n"),
    ("manifests/site.pp", SITE),
    ("site/web/manifests/init.pp", INIT),
    ("facts/debian.json", r#"{"kernel": "Linux"}"#),
];

/// An open document in a control repository.
struct Editor {
    folder: TempDir,
    client: Client,
    uri: String,
}

impl Editor {
    fn open(name: &str) -> Editor {
        let folder = folder(&FILES);
        let mut client = Client::in_folders(&[folder.path()], pulling(), Value::Null);
        client.wait_for(|it| it["method"] == "workspace/diagnostic/refresh");
        let uri = uri(&folder.path().join(name));
        let (_, text) = FILES.iter().find(|it| it.0 == name).expect("a file");
        client.open(&uri, text);
        Editor {
            folder,
            client,
            uri,
        }
    }

    fn uri_of(&self, name: &str) -> String {
        uri(&self.folder.path().join(name))
    }

    /// Returns the parameters of a request, with unknown facts unless there are others.
    fn params(&self, more: Value) -> Value {
        let mut params = json!({"textDocument": {"uri": self.uri}, "facts": null});
        let fields = params.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        params
    }

    /// Returns the response for the document.
    fn respond(&mut self, more: Value) -> Value {
        let params = self.params(more);
        self.client.request("pupil/catalog", params)
    }

    fn catalog(&mut self, more: Value) -> Value {
        self.respond(more)["result"].clone()
    }

    fn change(&mut self, version: i32, text: &str) {
        let uri = self.uri.clone();
        self.client.change(&uri, version, json!([{"text": text}]));
    }
}

fn of(catalog: &Value, reference: &str) -> Value {
    let mut resources = array(&catalog["resources"]).into_iter();
    let found = resources.find(|it| it["reference"] == reference);
    found.unwrap_or_default()
}

fn parameter(catalog: &Value, reference: &str, name: &str) -> Value {
    let parameters = array(&of(catalog, reference)["parameters"]);
    let found = parameters.into_iter().find(|it| it["name"] == name);
    found.unwrap_or_default()
}

fn at(line: u32) -> Value {
    json!({"position": {"line": line, "character": 2}})
}

#[test]
fn compiles_the_class_around_the_position() {
    let mut editor = Editor::open("site/web/manifests/init.pp");
    let found = editor.catalog(at(3));
    assert_eq!(found["title"], "class web");
    assert_eq!(
        (&found["uri"], &found["range"]),
        (&json!(editor.uri), &range((1, 6), (1, 9)))
    );
    assert_eq!(found["definition"], range((1, 0), (10, 1)));
    let file = of(&found, "File[/etc/nginx.conf]");
    assert_eq!(
        (&file["container"], &file["uri"]),
        (&json!("Class[Web]"), &json!(editor.uri))
    );
    assert_eq!(file["range"], range((3, 9), (5, 32)), "{file}");
    assert_eq!(
        (&file["isCertain"], &file["isVirtual"]),
        (&json!(true), &json!(false))
    );
    // The class itself leads to its definition, and not to the code of the request.
    assert_eq!(of(&found, "Class[Web]")["range"], range((1, 6), (1, 9)));
    let port = parameter(&found, "Class[Web]", "port");
    assert_eq!(
        (&port["value"], &port["origin"], &port["key"]),
        (&json!("8080"), &json!("data"), &json!("web::port"))
    );
    assert_eq!(
        (&port["uri"], &port["range"]),
        (
            &json!(editor.uri_of("data/common.yaml")),
            &range((1, 0), (1, 9))
        )
    );
    let root = parameter(&found, "Class[Web]", "root");
    assert_eq!(root["origin"], "default");
    let edges = array(&found["edges"]);
    let edge = edges.iter().find(|it| it["from"] == "Package[nginx]");
    let edge = edge.expect("an edge");
    assert_eq!(
        (&edge["to"], &edge["kind"], &edge["isAutomatic"]),
        (
            &json!("File[/etc/nginx.conf]"),
            &json!("before"),
            &json!(false)
        )
    );
    assert_eq!(edge["range"]["start"]["line"], 5);
    let gap = &found["gaps"][0];
    assert!(gap["reason"].is_string(), "{gap}");
    assert_eq!(gap["range"]["start"]["line"], 7);
}

#[test]
fn sees_unsaved_text() {
    let mut editor = Editor::open("site/web/manifests/init.pp");
    editor.change(2, &INIT.replace("'nginx'", "'apache'"));
    let found = editor.catalog(at(3));
    assert_eq!(of(&found, "Package[nginx]"), Value::Null);
    assert_eq!(of(&found, "Package[apache]")["isCertain"], true);
}

#[test]
fn compiles_with_facts_and_node() {
    let mut editor = Editor::open("site/web/manifests/init.pp");
    let uri = editor.uri.clone();
    let choices = editor
        .client
        .request("pupil/catalogChoices", editor_params(&uri));
    let choices = &choices["result"];
    assert_eq!(choices["nodes"], json!(["web1", "web2"]));
    assert_eq!(choices["facts"][0], "debian");
    assert!(array(&choices["facts"]).contains(&json!("windows2022")));
    let found = editor.catalog(json!({"facts": "debian", "node": "web2"}));
    assert_eq!(found["title"], "class web on web2 with facts debian");
    assert_eq!(of(&found, "Notify[linux]")["isCertain"], true);
    let response = editor.respond(json!({"facts": "debain"}));
    let error = &response["error"];
    assert_eq!(error["code"], INVALID_PARAMS);
    let message = error["message"].as_str().expect("a message");
    assert!(
        message.starts_with("unknown fact set `debain`; expected one of debian, "),
        "{message}"
    );
}

#[test]
fn the_only_fact_set_is_the_default() {
    let mut editor = Editor::open("site/web/manifests/init.pp");
    let uri = editor.uri.clone();
    let params = editor_params(&uri);
    let choices = editor
        .client
        .request("pupil/catalogChoices", params.clone());
    assert_eq!(choices["result"]["defaultFacts"], "debian");
    let found = editor.client.request("pupil/catalog", params)["result"].clone();
    assert_eq!(found["title"], "class web with facts debian");
    assert_eq!(
        (&found["facts"], &found["hasDefaultFacts"]),
        (&json!("debian"), &json!(true))
    );
    let found = editor.catalog(json!({"facts": null}));
    assert_eq!(
        (&found["facts"], &found["hasDefaultFacts"]),
        (&Value::Null, &json!(false))
    );
    let found = editor.catalog(json!({"facts": "debian"}));
    assert_eq!(found["hasDefaultFacts"], false);
}

/// Returns the default facts of a module with more files.
fn default_facts(files: &[(&str, &str)]) -> Value {
    let manifest = (
        "manifests/init.pp",
        "class web { }
",
    );
    let folder = folder(&[&[manifest], files].concat());
    let mut client = Client::in_folders(&[folder.path()], pulling(), Value::Null);
    client.wait_for(|it| it["method"] == "workspace/diagnostic/refresh");
    let uri = uri(&folder.path().join(manifest.0));
    let choices = client.request("pupil/catalogChoices", editor_params(&uri));
    choices["result"]["defaultFacts"].clone()
}

#[test]
fn a_supported_platform_is_the_default() {
    let metadata = r#"{"name": "me-web", "version": "1.0.0", "author": "me", "license": "MIT",
        "summary": "A web server", "source": "", "dependencies": [], "operatingsystem_support": [
        {"operatingsystem": "RedHat", "operatingsystemrelease": ["8", "9"]}, {"operatingsystem": "Debian"}]}"#;
    assert_eq!(default_facts(&[("metadata.json", metadata)]), "redhat9");
    let own = [("facts/a.json", "{}"), ("facts/b.json", "{}")];
    let files = [&own[..], &[("metadata.json", metadata)]].concat();
    assert_eq!(default_facts(&files), "redhat9");
    let config = (
        "pupil.toml",
        "[workspace]\nfacts = [\"facts/b.json\", \"facts/a.json\"]\n",
    );
    assert_eq!(default_facts(&[&files[..], &[config]].concat()), "b");
    assert_eq!(default_facts(&[]), Value::Null);
}

#[test]
fn errors_about_data_are_in_the_data() {
    let mut editor = Editor::open("site/web/manifests/init.pp");
    let data = editor.uri_of("data/common.yaml");
    editor.change(2, &INIT.replace("Integer $port", "Boolean $port"));
    let found = editor.catalog(at(3));
    let error = &found["errors"][0];
    assert_eq!(
        (&error["uri"], &error["range"]),
        (&json!(data), &range((1, 11), (1, 15))),
        "{error}"
    );
    assert_eq!(
        (
            &error["related"]["uri"],
            &error["related"]["range"]["start"]["line"]
        ),
        (&json!(editor.uri), &json!(1))
    );
}

fn editor_params(uri: &str) -> Value {
    json!({"textDocument": {"uri": uri}})
}

#[test]
fn compiles_node_definitions() {
    let mut editor = Editor::open("manifests/site.pp");
    let found = editor.catalog(at(0));
    assert_eq!(found["title"], "web1");
    assert_ne!(of(&found, "Package[nginx]"), Value::Null);
    let found = editor.catalog(json!({"position": {"line": 0, "character": 1}, "node": "web2"}));
    assert_eq!(found["title"], "web2");
    let response = editor.respond(at(1));
    assert_eq!(response["error"]["code"], REQUEST_FAILED);
    assert_eq!(
        response["error"]["message"],
        "choose a node whose name matches `/^db/`"
    );
    let found = editor.catalog(json!({"position": {"line": 1, "character": 1}, "node": "db7"}));
    assert_eq!(found["title"], "db7");
    // The definition at the position is that of another node.
    let found = editor.catalog(json!({"position": {"line": 2, "character": 1}, "node": "db7"}));
    assert_eq!(found["title"], "default");
    let found = editor.catalog(json!({"position": {"line": 2, "character": 1}, "node": "x.y"}));
    assert_ne!(of(&found, "Notify[node x.y]"), Value::Null, "{found}");
    // Several definitions, and the position is in none of them.
    assert_eq!(editor.catalog(at(3)), Value::Null);
    assert_eq!(editor.catalog(json!({}))["title"], "web1");
}

#[test]
fn finds_the_only_class_from_outside() {
    let mut editor = Editor::open("site/web/manifests/init.pp");
    assert_eq!(editor.catalog(at(0))["title"], "class web");
    editor.change(2, "# A comment.\nnotice(1)\n");
    let response = editor.respond(at(0));
    assert_eq!(
        (&response["error"], &response["result"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn reports_errors_of_the_code() {
    let mut editor = Editor::open("site/web/manifests/init.pp");
    editor.change(2, &INIT.replace("=> installed }", "=> }"));
    let found = editor.catalog(at(3));
    assert_eq!(found["title"], "class web");
    assert_eq!(found["resources"], json!([]));
    let error = &found["errors"][0];
    assert_eq!(
        (&error["uri"], &error["range"]["start"]["line"]),
        (&json!(editor.uri), &json!(2))
    );
    editor.change(3, &INIT.replace("'linux'", "'a': }\n    notify { 'a'"));
    let found = editor.catalog(at(3));
    assert_eq!(found["errors"], json!([]), "only possible: {found}");
    editor.change(4, &INIT.replace("{ 'nginx':", "{ ['nginx', 'nginx']:"));
    let found = editor.catalog(at(3));
    let error = &found["errors"][0];
    let message = error["message"].as_str().expect("a message");
    assert!(message.starts_with("duplicate declaration"), "{message}");
    assert_eq!(error["range"]["start"]["line"], 2);
}

#[test]
fn reports_errors_of_other_files() {
    let mut editor = Editor::open("site/web/manifests/init.pp");
    let site = editor.uri_of("manifests/site.pp");
    editor.client.open(&site, SITE);
    editor.change(2, &INIT.replace("=> installed }", "=> }"));
    let position = json!({"line": 0, "character": 1});
    let params = json!({"textDocument": {"uri": site}, "position": position, "facts": null});
    let found = editor.client.request("pupil/catalog", params);
    let errors = &found["result"]["errors"];
    assert_eq!(errors[0]["uri"], editor.uri, "{found}");
}

#[test]
fn writes_the_tree_with_places() {
    let mut editor = Editor::open("site/web/manifests/init.pp");
    let found = editor.catalog(json!({"format": "text", "facts": "debian"}));
    let lines = array(&found["lines"]);
    let heading = lines[0]["text"].as_str().expect("text");
    assert_eq!(heading, "class web with facts debian: 3 resources, 1 class");
    let line = |part: &str| {
        let mut found = lines.iter();
        let text = |it: &Value| it["text"].as_str().unwrap_or_default().to_owned();
        let found = found.find(|it| text(it).contains(part));
        found.unwrap_or_else(|| panic!("{part} in {lines:#?}"))
    };
    assert_eq!(line("Package[nginx]")["range"]["start"]["line"], 2);
    assert_eq!(
        line("port => 8080")["uri"],
        editor.uri_of("data/common.yaml")
    );
    editor.change(2, "class web {\n  notify { ['a', 'a']: }\n}\n");
    let found = editor.catalog(json!({"format": "text"}));
    let lines = array(&found["lines"]);
    assert_eq!(lines[0]["text"], "class web: Puppet rejects this catalog");
    assert_eq!(lines[2]["range"]["start"]["line"], 1, "{lines:?}");
}

#[test]
fn files_outside_of_modules_have_no_catalog() {
    let mut editor = Editor::open("site/web/manifests/init.pp");
    let untitled = "untitled:one";
    editor.client.open(untitled, "class web { }\n");
    let response = editor
        .client
        .request("pupil/catalog", editor_params(untitled));
    assert_eq!(response["error"]["code"], REQUEST_FAILED, "{response}");
    let data = editor.uri_of("data/common.yaml");
    let response = editor.client.request("pupil/catalog", editor_params(&data));
    assert_eq!(response["result"], Value::Null);
}

#[test]
fn compiles_files_that_are_not_open() {
    let mut editor = Editor::open("site/web/manifests/init.pp");
    let closed = editor.uri_of("manifests/site.pp");
    let response = editor
        .client
        .request("pupil/catalog", editor_params(&closed));
    assert_eq!(response["result"]["title"], "web1 with facts debian");
}

#[test]
fn edits_cancel_long_compilations() {
    let mut editor = Editor::open("site/web/manifests/init.pp");
    let slow = "Integer[1, 10000000].each |$x| { $y = $x + 1 }";
    editor.change(2, &format!("class web {{\n  {slow}\n}}\n"));
    let params = editor.params(json!({}));
    let id = editor.client.send_request("pupil/catalog", params);
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    editor.change(3, INIT);
    let found = editor.catalog(json!({}));
    assert_ne!(of(&found, "Package[nginx]"), Value::Null);
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(3), "{elapsed:?}");
    assert_eq!(editor.client.answer(id)["error"]["code"], CONTENT_MODIFIED);
}
