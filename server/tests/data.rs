//! Data of Hiera in editors.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use serde_json::{Value, json};

use support::files::{folder, pupil, stderr, uri, write};
use support::{Client, array, pulling, pulling_and};

const FILES: [(&str, &str); 4] = [
    ("environment.conf", "modulepath = modules\n"),
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - name: Common\n    path: common.yaml\n",
    ),
    (
        "modules/web/manifests/init.pp",
        "class web (Integer $port) { notice($port) }\n",
    ),
    ("data/common.yaml", "web::port: eighty\n"),
];

#[test]
fn pulls_the_diagnostics_of_open_data() {
    let folder = folder(&FILES);
    let mut client = Client::in_folders(&[folder.path()], pulling(), Value::Null);
    client.wait_for(|it| it["method"] == "workspace/diagnostic/refresh");
    let data = uri(&folder.path().join("data/common.yaml"));
    client.open(&data, FILES[3].1);
    let found = client.pull(&data);
    assert_eq!(found[0]["code"], "data-mismatch", "{found:?}");
    client.change(&data, 2, json!([{"text": "web::port: 80\n"}]));
    assert_eq!(client.pull(&data), Vec::<Value>::new());
}

#[test]
fn reads_data_that_changes_on_disk() {
    let folder = folder(&FILES);
    let capabilities = pulling_and(json!({
        "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}},
    }));
    let mut client = Client::in_folders(&[folder.path()], capabilities, Value::Null);
    let codes = |client: &mut Client| {
        client.wait_for(|it| it["method"] == "workspace/diagnostic/refresh");
        let params = json!({"previousResultIds": []});
        let report = client.request("workspace/diagnostic", params);
        let items = array(&report["result"]["items"]);
        let found = items.iter().flat_map(|it| array(&it["items"]));
        found.map(|it| it["code"].clone()).collect::<Vec<_>>()
    };
    while codes(&mut client) != ["data-mismatch"] {}
    write(folder.path(), "data/common.yaml", "web::port: 80\n");
    let data = uri(&folder.path().join("data/common.yaml"));
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({"changes": [{"uri": data, "type": 2}]}),
    );
    while !codes(&mut client).is_empty() {}
}

#[test]
fn registers_formatters_for_puppet_only() {
    let dynamic = json!({"dynamicRegistration": true});
    let capabilities = json!({"textDocument": {
        "formatting": dynamic,
        "rangeFormatting": dynamic,
        "onTypeFormatting": dynamic,
    }});
    let mut client = Client::start();
    let answer = client.handshake(capabilities);
    assert_eq!(
        answer.pointer("/capabilities/documentFormattingProvider"),
        None
    );
    let registered = client.wait_for(|it| it["method"] == "client/registerCapability");
    let registered = array(&registered["params"]["registrations"]);
    let methods: Vec<&str> = registered
        .iter()
        .filter_map(|it| it["method"].as_str())
        .collect();
    assert_eq!(
        methods,
        [
            "textDocument/formatting",
            "textDocument/rangeFormatting",
            "textDocument/onTypeFormatting"
        ]
    );
    for it in registered {
        let selector = array(&it["registerOptions"]["documentSelector"]);
        assert_eq!(selector[0], json!({"language": "puppet"}));
        assert!(!selector.contains(&json!({"language": "yaml"})));
    }
}

#[test]
fn check_does_not_take_data_for_manifests() {
    let folder = folder(&FILES);
    write(folder.path(), "data/other/nul.yaml", "a: 1\0\n");
    write(folder.path(), "unrelated.yaml", "a: 1\n");
    for (path, problem) in [
        ("data/other/nul.yaml", "binary file"),
        ("unrelated.yaml", "Hiera does not read this file"),
    ] {
        let output = pupil(folder.path(), &["check", path]);
        let expected = format!("error: cannot read {path}: {problem}");
        assert_eq!(stderr(&output).trim(), expected);
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn scripts_print_external_facts() {
    let folder = folder(&[
        ("environment.conf", "modulepath = modules\n"),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - name: Data\n    path: \"%{rack}-%{facts.kernel_release}-%{facts.hostnam}.yaml\"\n",
        ),
        ("manifests/site.pp", "notice($facts['kernel_release'])\n"),
        (
            "data/a-b-c.yaml",
            "a: \"%{facts.kernel_release} %{rack}\"\n",
        ),
        (
            "modules/web/facts.d/release",
            "#!/bin/sh\necho \"kernel_release=$(uname -r)\"\necho 'rack=a'\n",
        ),
    ]);
    let output = pupil(folder.path(), &["check", "--all", "--format", "concise"]);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "hiera.yaml:4:44: hint: unknown fact `hostnam`; did you mean `networking.hostname`? [unknown-key]\n\
         1 hint in 4 files\n"
    );
}
