//! Completion and signature help over the protocol.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use serde_json::{Value, json};
use support::{Client, URI, array, pulling, pulling_and};

/// Returns the capabilities of a modern editor.
fn modern() -> Value {
    pulling_and(json!({
        "general": {"positionEncodings": ["utf-16"]},
        "textDocument": {
            "completion": {"completionItem": {
                "snippetSupport": true,
                "labelDetailsSupport": true,
                "documentationFormat": ["markdown"],
                "tagSupport": {"valueSet": [1]},
            }},
            "signatureHelp": {"signatureInformation": {
                "documentationFormat": ["markdown"],
                "parameterInformation": {"labelOffsetSupport": true},
            }},
        },
    }))
}

fn at(line: u32, character: u32) -> Value {
    json!({
        "textDocument": {"uri": URI},
        "position": {"line": line, "character": character},
    })
}

fn item(answer: &Value, label: &str) -> Value {
    let items = array(&answer["result"]["items"]);
    let found = items.iter().find(|it| it["label"] == label);
    found
        .cloned()
        .unwrap_or_else(|| panic!("{label} in {answer}"))
}

#[test]
fn completion_replaces_the_word() {
    let mut client = Client::start();
    let can = client.handshake(modern());
    assert_eq!(
        can["capabilities"]["completionProvider"]["resolveProvider"],
        true
    );
    client.open(URI, "class a($size) {\n  $x = \"😀 ${si}\"\n}\n");
    let answer = client.request("textDocument/completion", at(1, 15));
    let found = item(&answer, "size");
    let edit = json!({
        "range": {
            "start": {"line": 1, "character": 13},
            "end": {"line": 1, "character": 15},
        },
        "newText": "size",
    });
    assert_eq!(found["textEdit"], edit);
    assert_eq!(found["sortText"], "0000");
}

#[test]
fn completion_inserts_or_replaces() {
    let mut capable = modern();
    capable["textDocument"]["completion"]["completionItem"]["insertReplaceSupport"] = json!(true);
    let text = "class a($size) {\n  notice($sxze)\n  notice($si)\n}\n";
    let mut client = Client::initialized(capable);
    client.open(URI, text);
    let range = |start: u32, end: u32| {
        json!({
            "start": {"line": 1, "character": start},
            "end": {"line": 1, "character": end},
        })
    };
    let answer = client.request("textDocument/completion", at(1, 11));
    let edit = json!({"newText": "size", "insert": range(10, 11), "replace": range(10, 14)});
    assert_eq!(item(&answer, "size")["textEdit"], edit);
    // At the end of a word, both are the same.
    let answer = client.request("textDocument/completion", at(2, 12));
    let edit = &item(&answer, "size")["textEdit"];
    assert_eq!(edit["range"]["end"]["character"], 12);

    let mut client = Client::initialized(modern());
    client.open(URI, text);
    let answer = client.request("textDocument/completion", at(1, 11));
    let edit = json!({"newText": "size", "range": range(10, 11)});
    assert_eq!(item(&answer, "size")["textEdit"], edit);
}

#[test]
fn snippets_and_documentation_depend_on_the_client() {
    let text = "file { '/x':\n  mod\n}\n";
    let mut client = Client::start();
    client.handshake(modern());
    client.open(URI, text);
    let answer = client.request("textDocument/completion", at(1, 5));
    let found = item(&answer, "mode");
    assert_eq!(found["insertTextFormat"], 2);
    let edit = &found["textEdit"]["newText"];
    assert!(
        edit.as_str()
            .is_some_and(|it| it.starts_with("mode => ${1")),
        "{edit}"
    );
    assert!(found["documentation"].is_null());
    let resolved = client.request("completionItem/resolve", found);
    assert_eq!(resolved["result"]["documentation"]["kind"], "markdown");

    let mut client = Client::start();
    client.handshake(pulling());
    client.open(URI, text);
    let answer = client.request("textDocument/completion", at(1, 5));
    let found = item(&answer, "mode");
    assert_eq!(found["textEdit"]["newText"], "mode => ");
    assert!(found["insertTextFormat"].is_null() && found["labelDetails"].is_null());
    let resolved = client.request("completionItem/resolve", found);
    assert_eq!(resolved["result"]["documentation"]["kind"], "plaintext");
}

#[test]
fn completion_sees_latest_edit() {
    let mut client = Client::initialized(modern());
    client.open(URI, "class a($size) {\n}\n");
    let change = json!({
        "textDocument": {"uri": URI, "version": 2},
        "contentChanges": [{
            "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}},
            "text": "notice($\n",
        }],
    });
    client.notify("textDocument/didChange", change);
    let answer = client.request("textDocument/completion", at(1, 8));
    assert_eq!(array(&answer["result"]["items"])[0]["label"], "size");
}

#[test]
fn signatures() {
    let text = "function a::f(Integer $x, String $y) >> String { $y }\n$a = a::f(1, )\n";
    let mut client = Client::initialized(modern());
    client.open(URI, "$a = split('a😀', )\n");
    let answer = client.request("textDocument/signatureHelp", at(0, 18));
    let help = &answer["result"];
    assert_eq!(help["activeParameter"], 1);
    let active = usize::try_from(help["activeSignature"].as_u64().expect("a number"));
    let signature = &help["signatures"][active.expect("a small number")];
    let place = &signature["parameters"][1]["label"];
    let end = |index: usize| {
        place[index]
            .as_u64()
            .and_then(|it| usize::try_from(it).ok())
    };
    let label = signature["label"].as_str().expect("a text");
    let (start, end) = end(0).zip(end(1)).expect("two offsets");
    assert!(label[start..end].contains('$'), "{label}");

    let mut client = Client::initialized(json!({}));
    client.open(URI, text);
    let answer = client.request("textDocument/signatureHelp", at(1, 13));
    // Functions are found only where Puppet autoloads them, which a file on its own is not.
    assert!(answer["error"].is_null(), "{answer}");
}

/// The attributes of a resource are long, so that their help does not open by itself.
#[test]
fn signature_help_of_resources_opens_on_request_only() {
    let mut client = Client::initialized(modern());
    client.open(URI, "file { '/x': mode => '0644', }\n");
    let ask = |client: &mut Client, context: Value| {
        let mut params = at(0, 28);
        params["context"] = context;
        client.request("textDocument/signatureHelp", params)["result"].clone()
    };
    let typed = json!({"triggerKind": 2, "triggerCharacter": ",", "isRetrigger": false});
    assert!(ask(&mut client, typed).is_null());
    let invoked = json!({"triggerKind": 1, "isRetrigger": false});
    let shown = ask(&mut client, invoked);
    assert!(!shown.is_null());
    let retriggered = json!({"triggerKind": 3, "isRetrigger": true, "activeSignatureHelp": shown});
    assert!(!ask(&mut client, retriggered).is_null());
}

/// A space opens the list only where a value follows.
#[test]
fn a_space_after_an_arrow_triggers_completion() {
    let mut client = Client::initialized(modern());
    client.open(URI, "file { '/x': ensure => \n}\nnotice \n");
    let ask = |client: &mut Client, line, character| {
        let mut params = at(line, character);
        params["context"] = json!({"triggerKind": 2, "triggerCharacter": " "});
        client.request("textDocument/completion", params)["result"].clone()
    };
    let values = array(&ask(&mut client, 0, 23)["items"]);
    assert!(values.iter().any(|it| it["label"] == "directory"));
    assert!(ask(&mut client, 2, 7).is_null());
}

/// After a comparison, the list opens only if the values of the left side are known.
#[test]
fn a_comparison_triggers_completion_of_known_values() {
    let mut client = Client::initialized(modern());
    let code = "class a (Enum['on', 'off'] $state, Boolean $flag, String $name) {\n  \
                if $state == \n  if $flag != \n  if $name == \n  if $facts['os']['family'] == \n  \
                if $state in []\n  if $name in []\n  notice(\"$state == \")\n  # $state == \n}\n";
    client.open(URI, code);
    let mut first = |line: u32, typed: &str| {
        let text = code.lines().nth(line as usize).expect("a line");
        let end = text.find(']').filter(|_| typed == "[");
        let end = end.or_else(|| text.find("\")")).unwrap_or(text.len());
        let mut params = at(line, u32::try_from(end).expect("a column"));
        params["context"] = json!({"triggerKind": 2, "triggerCharacter": typed});
        let found = client.request("textDocument/completion", params)["result"].clone();
        found["items"][0]["label"].clone()
    };
    assert_eq!(first(1, " "), "off");
    assert_eq!(first(2, " "), "false");
    assert_eq!(first(3, " "), Value::Null);
    assert_eq!(first(4, " "), "RedHat");
    assert_eq!(first(5, "["), "off");
    assert_eq!(first(6, "["), Value::Null);
    assert_eq!(first(7, " "), Value::Null);
    assert_eq!(first(8, " "), Value::Null);
}

/// A quote opens the list at the start of a string only.
#[test]
fn a_closing_quote_does_not_trigger_completion() {
    let mut client = Client::initialized(modern());
    client.open(URI, "$a = 'b'\n$c = \"${a}\"\ninclude ''\n");
    let ask = |client: &mut Client, line, character, quote: &str| {
        let mut params = at(line, character);
        params["context"] = json!({"triggerKind": 2, "triggerCharacter": quote});
        client.request("textDocument/completion", params)["result"].clone()
    };
    assert!(ask(&mut client, 0, 8, "'").is_null());
    assert!(ask(&mut client, 1, 11, "\"").is_null());
    assert!(!ask(&mut client, 2, 9, "'").is_null());
}

/// A single colon ends a title, a double colon starts a name segment.
#[test]
fn single_colon_does_not_trigger_completion() {
    let mut client = Client::start();
    client.handshake(modern());
    client.open(URI, "file { 'x':\nstdlib::\n");
    let complete = |client: &mut Client, line: u32, character: u32, context: Value| {
        let mut params = at(line, character);
        params["context"] = context;
        client.request("textDocument/completion", params)
    };
    let typed = json!({"triggerKind": 2, "triggerCharacter": ":"});
    let answer = complete(&mut client, 0, 11, typed.clone());
    assert_eq!(answer["result"], Value::Null, "{answer}");
    let answer = complete(&mut client, 0, 11, json!({"triggerKind": 1}));
    assert!(answer["result"]["items"].is_array(), "{answer}");
    let answer = complete(&mut client, 1, 8, typed);
    assert!(answer["result"]["items"].is_array(), "{answer}");
}
