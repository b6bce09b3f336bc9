//! Navigation and rename over the protocol, in a workspace on disk.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use support::files::folder;
use support::{Client, PATIENCE, array, range};

const FILES: [(&str, &str); 8] = [
    ("metadata.json", r#"{"name":"me-web","version":"1.0.0"}"#),
    (
        "manifests/init.pp",
        "# See https://example.com\nclass web (Web::Port $port = 80) inherits web::params {\n  \
         notice(\"${port} ${web::port}\", web::one(1), $root)\n  \
         notice(template('web/a.erb'))\n}\n",
    ),
    (
        "manifests/params.pp",
        "class web::params {\n  $root = '/srv'\n}\n",
    ),
    ("manifests/all.pp", "class web::all {\n  include web\n}\n"),
    (
        "functions/one.pp",
        "function web::one(Integer $x) >> Web::Port {\n  $x\n}\n",
    ),
    ("types/port.pp", "type Web::Port = Integer\n"),
    ("templates/a.erb", "<%= @root %>\n"),
    ("data/common.yaml", "# Data.\nweb::port: 81\n"),
];

struct WebWorkspace {
    folder: TempDir,
    client: Client,
}

/// Starts a server in the module, with the main class open.
fn workspace(capabilities: &Value) -> WebWorkspace {
    workspace_with(&FILES, capabilities)
}

fn workspace_with(files: &[(&str, &str)], capabilities: &Value) -> WebWorkspace {
    let folder = folder(files);
    let client = Client::start();
    let mut workspace = WebWorkspace { folder, client };
    let root = workspace.uri("");
    let root = root.trim_end_matches('/');
    let answer = workspace.client.request(
        "initialize",
        json!({
            "processId": null,
            "rootUri": null,
            "workspaceFolders": [{"uri": root, "name": "w"}],
            "capabilities": capabilities,
        }),
    );
    let can = &answer["result"]["capabilities"];
    for provider in [
        "referencesProvider",
        "declarationProvider",
        "typeDefinitionProvider",
        "implementationProvider",
        "documentHighlightProvider",
        "callHierarchyProvider",
        "typeHierarchyProvider",
        "documentLinkProvider",
        "codeLensProvider",
        "renameProvider",
    ] {
        assert!(!can[provider].is_null(), "{provider}");
    }
    workspace.client.notify("initialized", json!({}));
    let main = workspace.uri("manifests/init.pp");
    workspace.client.open(&main, FILES[1].1);
    let deadline = Instant::now() + PATIENCE;
    // Wait until the workspace is loaded.
    while workspace
        .request("definition", (2, 37), json!({}))
        .is_null()
    {
        assert!(Instant::now() < deadline, "the workspace is not loaded");
        thread::sleep(Duration::from_millis(20));
    }
    workspace
}

impl WebWorkspace {
    fn uri(&self, path: &str) -> String {
        format!("file://{}/{path}", self.folder.path().display())
    }

    /// Sends a request for a position in the main class.
    fn request(&mut self, method: &str, (line, character): (u32, u32), more: Value) -> Value {
        let mut params = json!({
            "textDocument": {"uri": self.uri("manifests/init.pp")},
            "position": {"line": line, "character": character},
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        let answer = self
            .client
            .request(&format!("textDocument/{method}"), params);
        match answer["error"]["message"].as_str() {
            Some(message) => json!(message),
            None => answer["result"].clone(),
        }
    }

    /// Returns the files of locations, relative to the folder.
    fn files(&self, locations: &Value) -> Vec<String> {
        let root = self.uri("");
        let locations = array(locations);
        let uris = locations
            .iter()
            .map(|it| it["uri"].as_str().expect("a URI"));
        uris.map(|it| it.strip_prefix(&root).unwrap_or(it).to_owned())
            .collect()
    }
}

#[test]
fn definitions_and_references() {
    let mut workspace = workspace(&json!({}));
    let all = json!({"context": {"includeDeclaration": true}});
    let found = workspace.request("references", (1, 24), all.clone());
    assert_eq!(workspace.files(&found), ["manifests/init.pp"; 3]);
    assert_eq!(found[1]["range"], range((2, 12), (2, 16)));
    let others = json!({"context": {"includeDeclaration": false}});
    assert_eq!(
        array(&workspace.request("references", (1, 24), others)).len(),
        2
    );
    let types = workspace.request("references", (1, 14), all);
    let files = ["manifests/init.pp", "functions/one.pp", "types/port.pp"];
    let mut sorted = workspace.files(&types);
    sorted.sort();
    let mut expected = files.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(sorted, expected);
    let highlights = workspace.request("documentHighlight", (1, 24), json!({}));
    let kinds: Vec<_> = array(&highlights)
        .iter()
        .map(|it| it["kind"].clone())
        .collect();
    assert_eq!(kinds, [json!(3), json!(2), json!(2)]);
    let declaration = workspace.request("declaration", (2, 48), json!({}));
    assert_eq!(workspace.files(&declaration), ["manifests/params.pp"]);
    let type_ = workspace.request("typeDefinition", (2, 13), json!({}));
    assert_eq!(workspace.files(&type_), ["types/port.pp"]);
    let heirs = workspace.request("implementation", (1, 50), json!({}));
    assert_eq!(workspace.files(&heirs), ["manifests/init.pp"]);
    assert!(
        workspace
            .request(
                "references",
                (0, 0),
                json!({"context": {"includeDeclaration": true}})
            )
            .is_null()
    );
}

#[test]
fn hierarchies_links_and_lenses() {
    let capabilities =
        json!({"experimental": {"commands": {"commands": ["pupil.showReferences"]}}});
    let mut workspace = workspace(&capabilities);
    let items = workspace.request("prepareCallHierarchy", (1, 7), json!({}));
    assert_eq!(items[0]["name"], "web");
    let params = json!({"item": items[0]});
    let incoming = workspace
        .client
        .request("callHierarchy/incomingCalls", params.clone());
    let from = &incoming["result"][0];
    assert_eq!(from["from"]["name"], "web::all");
    assert_eq!(from["fromRanges"][0], range((1, 10), (1, 13)));
    let outgoing = workspace
        .client
        .request("callHierarchy/outgoingCalls", params);
    let names: Vec<_> = array(&outgoing["result"])
        .iter()
        .map(|it| it["to"]["name"].clone())
        .collect();
    assert_eq!(names, ["web::params", "web::one"]);
    // The item is in a file that is not open.
    let params = json!({"item": from["from"]});
    let outgoing = workspace
        .client
        .request("callHierarchy/outgoingCalls", params);
    assert_eq!(outgoing["result"][0]["to"]["name"], "web");

    let items = workspace.request("prepareTypeHierarchy", (1, 7), json!({}));
    let params = json!({"item": items[0]});
    let above = workspace.client.request("typeHierarchy/supertypes", params);
    assert_eq!(above["result"][0]["name"], "web::params");
    let params = json!({"item": above["result"][0]});
    let below = workspace.client.request("typeHierarchy/subtypes", params);
    assert_eq!(below["result"][0]["name"], "web");

    let document = json!({"textDocument": {"uri": workspace.uri("manifests/init.pp")}});
    let links = workspace
        .client
        .request("textDocument/documentLink", document.clone());
    let targets: Vec<_> = array(&links["result"])
        .iter()
        .map(|it| it["target"].clone())
        .collect();
    let template = workspace.uri("templates/a.erb");
    assert_eq!(targets, [json!("https://example.com"), json!(template)]);

    let lenses = workspace.client.request("textDocument/codeLens", document);
    // At the start of the line, not at the name.
    assert_eq!(lenses["result"][0]["range"], range((1, 0), (1, 9)));
    let titles = array(&lenses["result"]).into_iter().map(|it| {
        let command = &it["command"];
        assert_eq!(command["command"], "pupil.showReferences");
        let places = array(&command["arguments"][2]).len();
        (command["title"].clone(), places)
    });
    let titles: Vec<_> = titles.collect();
    assert_eq!(titles, [(json!("1 reference"), 1)]);
}

#[test]
fn lenses_wait_for_the_workspace() {
    let folder = folder(&FILES);
    let mut client = Client::start();
    let uri = |path: &str| support::files::uri(&folder.path().join(path));
    let params = json!({
        "processId": null,
        "rootUri": null,
        "workspaceFolders": [{"uri": uri("").trim_end_matches('/'), "name": "w"}],
        "capabilities": {"workspace": {
            "codeLens": {"refreshSupport": true},
            "semanticTokens": {"refreshSupport": true},
            "inlayHint": {"refreshSupport": true},
        }},
    });
    client.request("initialize", params);
    let main = uri("manifests/init.pp");
    client.open(&main, FILES[1].1);
    let document = json!({"textDocument": {"uri": main}});
    // The server reads the disk only after `initialized`.
    let lenses = client.request("textDocument/codeLens", document.clone());
    assert_eq!(lenses["result"], json!([]));
    client.notify("initialized", json!({}));
    for kind in ["codeLens", "semanticTokens", "inlayHint"] {
        client.wait_for(|it| it["method"] == format!("workspace/{kind}/refresh"));
    }
    let lenses = client.request("textDocument/codeLens", document);
    // This client cannot show references, so the lens is only text.
    let expected = json!({"title": "1 reference", "command": ""});
    assert_eq!(lenses["result"][0]["command"], expected);
}

#[test]
fn built_in_names_open_read_only_stubs() {
    let mut workspace = workspace(&json!({}));
    let found = workspace.request("definition", (2, 3), json!({}));
    let uri = found[0]["uri"].as_str().expect("a location");
    let path = uri.strip_prefix("file://").expect("a file");
    assert!(path.starts_with(support::CACHE), "{path}");
    assert!(path.ends_with("functions/logging.pp"), "{path}");
    let metadata = std::fs::metadata(path).expect("the stub is written");
    assert!(metadata.permissions().readonly());
    let text = std::fs::read_to_string(path).expect("the stub can be read");
    let line = found[0]["range"]["start"]["line"].as_u64().expect("a line");
    let line = text
        .lines()
        .nth(usize::try_from(line).expect("a small number"));
    assert!(
        line.is_some_and(|it| it.starts_with("function notice(")),
        "{line:?}"
    );

    // Stubs declare what manifests may not.
    workspace.client.open(uri, &text);
    assert!(workspace.client.published(uri, 1).is_empty());

    let params = json!({"query": "web"});
    let found = workspace.client.request("workspace/symbol", params);
    assert_eq!(found["result"][0]["name"], "web");
    let params = json!({"query": "notice"});
    let found = workspace.client.request("workspace/symbol", params);
    let found = array(&found["result"]);
    let built_in = found.iter().find(|it| it["containerName"] == "built-in");
    let built_in = built_in.expect("the function is found");
    assert_eq!(built_in["name"], "notice");
    assert_eq!(built_in["location"]["uri"], uri);
}

#[test]
fn rename_changes_all_occurrences_or_fails() {
    let capabilities = json!({
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["rename"]}},
        "textDocument": {"rename": {"prepareSupport": true}},
    });
    let mut workspace = workspace(&capabilities);
    let prepared = workspace.request("prepareRename", (2, 24), json!({}));
    assert_eq!(prepared["placeholder"], "port");
    assert_eq!(prepared["range"], range((2, 25), (2, 29)));
    let edit = workspace.request("rename", (2, 24), json!({"newName": "listen"}));
    let changes = array(&edit["documentChanges"]);
    assert_eq!(changes.len(), 2);
    let of = |path: &str| {
        let uri = workspace.uri(path);
        let mut all = changes.iter();
        let found = all.find(|it| it["textDocument"]["uri"] == uri);
        found.expect("the document changes").clone()
    };
    let data = of("data/common.yaml");
    assert_eq!(data["edits"][0]["newText"], "web::listen");
    assert_eq!(data["edits"][0]["range"], range((1, 0), (1, 9)));
    let class = of("manifests/init.pp");
    assert_eq!(class["textDocument"]["version"], 1);
    let starts: Vec<_> = array(&class["edits"])
        .iter()
        .map(|it| it["range"]["start"].clone())
        .collect();
    let at = |line: u32, character: u32| json!({"line": line, "character": character});
    assert_eq!(starts, [at(1, 22), at(2, 12), at(2, 25)]);

    let edit = workspace.request("rename", (1, 50), json!({"newName": "web::base::all"}));
    let changes = array(&edit["documentChanges"]);
    let last = changes.last().expect("at least one change");
    assert_eq!(last["kind"], "rename");
    assert_eq!(last["oldUri"], workspace.uri("manifests/params.pp"));
    assert_eq!(last["newUri"], workspace.uri("manifests/base/all.pp"));

    let edit = workspace.request("rename", (2, 48), json!({"newName": "other"}));
    let template = workspace.uri("templates/a.erb");
    let changes = array(&edit["documentChanges"]);
    assert!(
        changes
            .iter()
            .any(|it| it["textDocument"]["uri"] == template),
        "{edit}"
    );
    let refused = workspace.request("rename", (2, 24), json!({"newName": "1"}));
    assert_eq!(refused, "Invalid variable name `1`");
    let refused = workspace.request("prepareRename", (2, 4), json!({}));
    assert_eq!(
        refused,
        "Cannot rename function `notice`: built into Puppet"
    );
}

#[test]
fn rename_edits_open_hiera_data() {
    let mut workspace = workspace(&json!({
        "workspace": {
            "workspaceEdit": {"documentChanges": true},
            "diagnostics": {"refreshSupport": true},
        },
        "textDocument": {"diagnostic": {}},
    }));
    let data = workspace.uri("data/common.yaml");
    let document = json!({
        "uri": data, "languageId": "yaml", "version": 7,
        "text": "# More.\n# Not saved: {\n\nweb::port: 81\nweb::port::other: 1\n",
    });
    workspace
        .client
        .notify("textDocument/didOpen", json!({"textDocument": document}));
    let renamed = |workspace: &mut WebWorkspace| {
        let edit = workspace.request("rename", (2, 24), json!({"newName": "listen"}));
        let changes = array(&edit["documentChanges"]);
        let found = changes
            .iter()
            .find(|it| it["textDocument"]["uri"] == data.as_str());
        found.cloned().unwrap_or(edit)
    };
    let open = renamed(&mut workspace);
    assert_eq!(open["textDocument"]["version"], 7, "{open}");
    assert_eq!(array(&open["edits"]).len(), 1, "{open}");
    assert_eq!(open["edits"][0]["range"], range((3, 0), (3, 9)));
    // Data is not Puppet code.
    assert_eq!(workspace.client.pull(&data), Vec::<Value>::new());
    let params = json!({"textDocument": {"uri": data}});
    let symbols = workspace
        .client
        .request("textDocument/documentSymbol", params.clone());
    assert_eq!(symbols["result"], Value::Null);

    workspace.client.notify("textDocument/didClose", params);
    let closed = renamed(&mut workspace);
    assert_eq!(closed["textDocument"]["version"], Value::Null, "{closed}");
    assert_eq!(closed["edits"][0]["range"], range((1, 0), (1, 9)));
}

#[test]
fn file_renames_depend_on_the_client() {
    let mut workspace = workspace(&json!({}));
    let refused = workspace.request("rename", (1, 50), json!({"newName": "web::base"}));
    let message = refused.as_str().expect("a message");
    assert!(message.contains("rename the file instead"), "{message}");
    let edit = workspace.request("rename", (2, 24), json!({"newName": "listen"}));
    let changes = edit["changes"].as_object().expect("by document");
    assert_eq!(changes.len(), 2);
}

/// Adds a class with an interpolated class name.
fn interpolating_workspace(capabilities: &Value) -> WebWorkspace {
    let user = "class web::user ($x) {\n  include \"web::${x}\"\n}\n";
    let user = [("manifests/user.pp", user)];
    workspace_with(&[&FILES[..], &user[..]].concat(), capabilities)
}

const UNCERTAIN_USES: &str = "possible uses would not be renamed: \
    `\"web::${x}\"` at web/manifests/user.pp:2 may refer to `web::params`";

#[test]
fn interpolated_names_need_confirmation() {
    let capabilities = json!({
        "workspace": {"workspaceEdit": {
            "documentChanges": true,
            "resourceOperations": ["rename"],
            "changeAnnotationSupport": {"groupsOnLabel": true},
        }},
        "textDocument": {"rename": {"honorsChangeAnnotations": true}},
    });
    let mut workspace = interpolating_workspace(&capabilities);
    let check = |edit: &Value| {
        let annotations = edit["changeAnnotations"]
            .as_object()
            .expect("a change annotation");
        let (id, annotation) = annotations.iter().next().expect("a change annotation");
        assert_eq!(annotation["needsConfirmation"], true);
        assert_eq!(annotation["description"], UNCERTAIN_USES);
        for change in array(&edit["documentChanges"]) {
            let edits = change["edits"].as_array().cloned();
            for part in edits.unwrap_or_else(|| vec![change.clone()]) {
                assert_eq!(part["annotationId"], id.as_str(), "{part}");
            }
        }
    };
    let edit = workspace.request("rename", (1, 50), json!({"newName": "web::base"}));
    check(&edit);
    let last = array(&edit["documentChanges"]).pop().expect("a file moves");
    assert_eq!(last["kind"], "rename");
    let uris = [
        workspace.uri("manifests/params.pp"),
        workspace.uri("manifests/base.pp"),
    ];
    let params = json!({"files": [{"oldUri": uris[0], "newUri": uris[1]}]});
    let edit = workspace
        .client
        .request("workspace/willRenameFiles", params);
    check(&edit["result"]);
    // Interpolation does not affect the names of variables.
    let edit = workspace.request("rename", (2, 24), json!({"newName": "listen"}));
    assert_eq!(edit["changeAnnotations"], Value::Null);
}

#[test]
fn interpolated_names_prevent_rename_without_confirmation() {
    let capabilities = json!({
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["rename"]}},
    });
    let mut workspace = interpolating_workspace(&capabilities);
    let refused = workspace.request("rename", (1, 50), json!({"newName": "web::base"}));
    let told = UNCERTAIN_USES.replacen("possible", "Possible", 1);
    assert_eq!(refused, told.as_str());
    let uris = [
        workspace.uri("manifests/params.pp"),
        workspace.uri("manifests/base.pp"),
    ];
    let params = json!({"files": [{"oldUri": uris[0], "newUri": uris[1]}]});
    let edit = workspace
        .client
        .request("workspace/willRenameFiles", params);
    assert_eq!(edit["error"]["message"], told.as_str());
}

#[test]
fn renaming_files_renames_symbols() {
    let mut workspace = workspace(&json!({}));
    let renamed = |workspace: &WebWorkspace, old: &str, new: &str| json!({"files": [{"oldUri": workspace.uri(old), "newUri": workspace.uri(new)}]});
    let params = renamed(&workspace, "manifests/params.pp", "manifests/base.pp");
    let edit = workspace
        .client
        .request("workspace/willRenameFiles", params.clone());
    let changes = edit["result"]["changes"]
        .as_object()
        .expect("by document")
        .clone();
    assert_eq!(changes.len(), 2);
    let main = &changes[&workspace.uri("manifests/init.pp")];
    assert_eq!(main[0]["newText"], "web::base");

    // Renaming a folder renames all files in it.
    let params = renamed(&workspace, "templates", "templates/old");
    let edit = workspace
        .client
        .request("workspace/willRenameFiles", params);
    let changes = edit["result"]["changes"]
        .as_object()
        .expect("by document")
        .clone();
    let main = &changes[&workspace.uri("manifests/init.pp")];
    assert_eq!(main[0]["newText"], "web/old/a.erb");

    let same = renamed(&workspace, "README.md", "README.txt");
    let edit = workspace.client.request("workspace/willRenameFiles", same);
    assert_eq!(edit["result"], Value::Null);

    // Renamed files are loaded again.
    let from = workspace.folder.path().join("types/port.pp");
    let to = workspace.folder.path().join("types/gone.txt");
    fs::rename(from, to).expect("the file can be renamed");
    let params = renamed(&workspace, "types/port.pp", "types/gone.txt");
    workspace.client.notify("workspace/didRenameFiles", params);
    let deadline = Instant::now() + PATIENCE;
    while !workspace
        .request("definition", (1, 14), json!({}))
        .is_null()
    {
        assert!(Instant::now() < deadline, "the file is still known");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn data_is_connected_with_code() {
    let mut files = FILES.to_vec();
    files.push(("hiera.yaml", "version: 5\n"));
    let mut workspace = workspace_with(&files, &json!({}));
    let data = workspace.uri("data/common.yaml");
    let document = json!({
        "uri": data, "languageId": "yaml", "version": 1, "text": "# Data.\nweb::port: 82\n",
    });
    workspace
        .client
        .notify("textDocument/didOpen", json!({"textDocument": document}));
    let at_key = json!({"textDocument": {"uri": data}, "position": {"line": 1, "character": 6}});
    let with = |more: Value| {
        let mut params = at_key.clone();
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        params
    };
    let all = json!({"context": {"includeDeclaration": true}});
    let from_code = workspace.request("references", (1, 24), all.clone());
    let from_data = workspace
        .client
        .request("textDocument/references", with(all));
    assert_eq!(from_data["result"], from_code);
    assert_eq!(
        workspace.files(&from_code),
        [
            "manifests/init.pp",
            "manifests/init.pp",
            "manifests/init.pp",
            "data/common.yaml"
        ]
    );
    let mut highlights = |line: u32| {
        let mut params = at_key.clone();
        params["position"]["line"] = json!(line);
        workspace
            .client
            .request("textDocument/documentHighlight", params)["result"]
            .clone()
    };
    assert_eq!(
        highlights(1),
        json!([{"kind": 3, "range": range((1, 0), (1, 9))}])
    );
    assert_eq!(highlights(0), json!([]));
    let prepared = workspace
        .client
        .request("textDocument/prepareRename", at_key.clone());
    assert_eq!(prepared["result"]["placeholder"], "port");
    assert_eq!(prepared["result"]["range"], range((1, 5), (1, 9)));
    let edit = workspace
        .client
        .request("textDocument/rename", with(json!({"newName": "listen"})));
    let changes = edit["result"]["changes"].as_object().expect("by document");
    assert_eq!(array(&changes[&data])[0]["newText"], "web::listen");
    assert_eq!(
        array(&changes[&workspace.uri("manifests/init.pp")]).len(),
        3
    );
}

#[test]
fn edits_of_hiera_yaml_take_effect_at_once() {
    let mut files = FILES.to_vec();
    files.push(("hiera.yaml", "version: 5\n"));
    files.push((
        "data/other.yaml",
        "web::port: 83\nlookup_options:\n  web::port: {}\n",
    ));
    let mut workspace = workspace_with(
        &files,
        &json!({"textDocument": {
            "diagnostic": {}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
        }}),
    );
    let config = workspace.uri("hiera.yaml");
    let mut open = |uri: &str, text: &str| {
        let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
        workspace
            .client
            .notify("textDocument/didOpen", json!({"textDocument": document}));
    };
    open(&config, "version: 5\n");
    let data = format!("{}data/other.yaml", config.trim_end_matches("hiera.yaml"));
    open(&data, files[9].1);
    let mut request = |method: &str, uri: &str| {
        let params = json!({"textDocument": {"uri": uri}});
        let answer = workspace
            .client
            .request(&format!("textDocument/{method}"), params);
        answer["result"].clone()
    };
    let code = request("diagnostic", &data)["items"][0]["code"].clone();
    assert_eq!(code, "unread-data");
    let symbols = request("documentSymbol", &data);
    assert_eq!(symbols[0]["name"], "web::port");
    assert_eq!(symbols[0]["detail"], "Web::Port");
    let folds = request("foldingRange", &data);
    assert_eq!([&folds[0]["startLine"], &folds[0]["endLine"]], [1, 2]);
    assert_eq!(request("documentLink", &config), json!([]));
    assert_eq!(request("documentSymbol", &config)[0]["name"], "version");

    let text = "version: 5\nhierarchy: [{name: a, path: other.yaml}]\n";
    workspace.client.change(&config, 2, json!([{"text": text}]));
    assert_eq!(workspace.client.pull(&data), Vec::<Value>::new());
    let params = json!({"textDocument": {"uri": config}});
    let links = workspace
        .client
        .request("textDocument/documentLink", params.clone());
    assert_eq!(links["result"][0]["target"], data);
    let positions =
        json!({"textDocument": {"uri": config}, "positions": [{"line": 1, "character": 30}]});
    let ranges = workspace
        .client
        .request("textDocument/selectionRange", positions);
    assert_eq!(ranges["result"][0]["range"], range((1, 28), (1, 38)));
    let found = workspace
        .client
        .request("workspace/symbol", json!({"query": "web::po"}));
    let found = array(&found["result"]);
    let key = found
        .iter()
        .find(|it| it["kind"] == 20)
        .expect("the key is found");
    assert_eq!(key["location"]["uri"], data);
    assert_eq!(key["containerName"], "web/data/other.yaml");

    let at_path = json!({
        "textDocument": {"uri": config}, "position": {"line": 1, "character": 30},
    });
    let hover = workspace
        .client
        .request("textDocument/hover", at_path.clone());
    assert_eq!(
        hover["result"]["contents"]["value"],
        "Files:\n\n data/other.yaml"
    );
    let definition = workspace
        .client
        .request("textDocument/definition", at_path.clone());
    assert_eq!(definition["result"][0]["uri"], data);
    // Code is not offered in `hiera.yaml`.
    let text = "version: 5\nhierarchy:\n  - name: a\n    path: \n";
    workspace.client.change(&config, 3, json!([{"text": text}]));
    let at_value = json!({
        "textDocument": {"uri": config}, "position": {"line": 3, "character": 10},
    });
    let items = workspace
        .client
        .request("textDocument/completion", at_value.clone());
    let items = array(&items["result"]["items"]);
    let labels: Vec<_> = items.iter().map(|it| it["label"].clone()).collect();
    assert_eq!(labels, ["common.yaml", "other.yaml"]);
    let refused = workspace
        .client
        .request("textDocument/prepareRename", at_value);
    assert_eq!(
        refused["error"]["message"],
        "No symbol to rename at this position"
    );

    workspace.client.notify("textDocument/didClose", params);
    assert_eq!(workspace.client.pull(&data).len(), 1);
}

#[test]
fn lenses_and_hints_of_data() {
    let mut files = FILES.to_vec();
    let levels = "version: 5\nhierarchy: [{name: a, paths: [all.yaml, common.yaml]}]\n";
    files.push(("hiera.yaml", levels));
    files.push(("data/all.yaml", "web::port: 82\n"));
    let commands = json!({"commands": {"commands": ["pupil.showReferences"]}});
    let mut workspace = workspace_with(&files, &json!({"experimental": commands}));
    let data = workspace.uri("data/common.yaml");
    let document = json!({"uri": data, "languageId": "yaml", "version": 1, "text": files[7].1});
    workspace
        .client
        .notify("textDocument/didOpen", json!({"textDocument": document}));
    let params = json!({"textDocument": {"uri": data}, "range": range((0, 0), (2, 0))});
    let lenses = workspace
        .client
        .request("textDocument/codeLens", params.clone());
    let lens = &lenses["result"][0];
    assert_eq!(lens["command"]["title"], "set in 2 files of 1 Hiera level");
    let places = &lens["command"]["arguments"][2];
    assert_eq!(
        workspace.files(places),
        ["data/all.yaml", "data/common.yaml"]
    );
    let hints = workspace
        .client
        .request("textDocument/inlayHint", params.clone());
    assert_eq!(hints["result"], json!([]));
    let levels =
        "version: 5\nhierarchy: [{name: a, path: all.yaml}, {name: b, path: common.yaml}]\n";
    let config = json!({
        "uri": workspace.uri("hiera.yaml"), "languageId": "yaml", "version": 1, "text": levels,
    });
    workspace
        .client
        .notify("textDocument/didOpen", json!({"textDocument": config}));
    let hints = workspace.client.request("textDocument/inlayHint", params);
    assert_eq!(
        hints["result"][0]["label"],
        "overridden by web/data/all.yaml"
    );
}

#[test]
fn lenses_count_the_resources_of_classes_by_platform() {
    let class = "class web {\n  include web::base\n  package { 'nginx': }\n  if $facts['os']['family'] == 'Debian' {\n    \
                 package { 'extra': }\n  }\n}\n";
    let base = "class web::base {\n  @user { 'a': }\n  file { '/a': }\n}\n";
    let failing = "class web::failing {\n  fail('never')\n}\n";
    let workspace = [
        ("metadata.json", r#"{"name": "a-web", "dependencies": []}"#),
        ("manifests/init.pp", class),
        ("manifests/base.pp", base),
        ("manifests/failing.pp", failing),
    ];
    let folder = folder(&workspace);
    let mut client = Client::start();
    let uri = |path: &str| support::files::uri(&folder.path().join(path));
    let root = uri("");
    let params = json!({
        "processId": null,
        "rootUri": null,
        "workspaceFolders": [{"uri": root.trim_end_matches('/'), "name": "w"}],
        "capabilities": {"workspace": {"codeLens": {"refreshSupport": true}}},
    });
    client.request("initialize", params);
    for (path, text) in &workspace[1..] {
        client.open(&uri(path), text);
    }
    client.notify("initialized", json!({}));
    client.wait_for(|it| it["method"] == "workspace/codeLens/refresh");
    for (path, expected) in [
        (
            "manifests/init.pp",
            vec!["3 resources on Debian 12, 2 on Red Hat 9"],
        ),
        ("manifests/base.pp", vec!["1 reference", "1 resource"]),
        ("manifests/failing.pp", vec![]),
    ] {
        let document = json!({"textDocument": {"uri": uri(path)}});
        let lenses = client.request("textDocument/codeLens", document);
        let lenses = array(&lenses["result"]);
        let titles: Vec<_> = lenses
            .iter()
            .map(|it| it["command"]["title"].clone())
            .collect();
        assert_eq!(titles, expected, "{path}");
    }
}
