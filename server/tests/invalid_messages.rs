//! Invalid and hostile messages: the server returns the error that the protocol defines, or exits
//! cleanly, and otherwise continues.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use serde_json::{Value, json};

use support::{Client, URI, array, pulling, pulling_and, range};

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const NOT_INITIALIZED: i64 = -32002;
const CONTENT_MODIFIED: i64 = -32801;

/// The size of a large message, in bytes.
const LARGE: usize = 100 << 20;

/// A size above the limit for documents, in bytes.
const TOO_LARGE: usize = 256 << 20;

/// Returns the error code of the next response without an ID.
fn refusal(client: &mut Client) -> Value {
    client.wait_for(|it| it.get("id") == Some(&Value::Null))["error"]["code"].clone()
}

/// Asserts that the session still works.
fn assert_alive(client: &mut Client) {
    client.open(URI, "$a = ]");
    assert_eq!(client.pull(URI).len(), 1);
}

#[test]
fn rejects_batches() {
    let mut client = Client::initialized(pulling());
    let request = r#"{"jsonrpc":"2.0","id":7,"method":"shutdown"}"#;
    for body in [
        format!("[{request}]"),
        format!("[{request},{request}]"),
        "[1,2]".to_owned(),
    ] {
        client.send_body(&body);
        assert_eq!(refusal(&mut client), INVALID_REQUEST, "{body}");
    }
    assert_alive(&mut client);
    assert!(client.received(|it| it["id"] == 7).is_empty());
}

#[test]
fn rejects_invalid_lengths_immediately() {
    for length in [
        "1099511627776",
        "18446744073709551615",
        "99999999999999999999999",
        "-5",
        "1e3",
        "",
    ] {
        let mut client = Client::initialized(pulling());
        client.send_raw(format!("Content-Length: {length}\r\n\r\n{{}}").as_bytes());
        assert_eq!(refusal(&mut client), PARSE_ERROR, "{length}");
        // The session cannot resynchronize; it ends with the input.
        client.close_input();
        assert_eq!(client.wait().code(), Some(0), "{length}");
    }
}

#[test]
fn rejects_unterminated_headers() {
    let mut client = Client::initialized(pulling());
    client.send_raw(&vec![b'a'; 1 << 20]);
    client.send_raw(b"\r\n\r\n");
    assert_eq!(refusal(&mut client), PARSE_ERROR);
    assert_alive(&mut client);
}

#[test]
fn accepts_invalid_utf8() {
    let mut client = Client::initialized(pulling());
    let before = br#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///nowhere/latin.pp","languageId":"puppet","version":1,"text":"$a = '"#;
    let after = br#"' ]"}}}"#;
    let body = [&before[..], b"\xe4\xff\xf0\x9f", after].concat();
    client.send_raw(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
    client.send_raw(&body);
    let found = client.pull("file:///nowhere/latin.pp");
    assert_eq!(found.len(), 1);
    // Each invalid sequence is replaced by one character.
    assert_eq!(found[0]["range"]["start"]["character"], 11);
    assert_alive(&mut client);
}

#[test]
fn responds_to_deep_or_unusual_json() {
    let mut client = Client::initialized(pulling());
    for deep in ["[".repeat(1 << 20), "{\"a\":".repeat(1 << 18)] {
        client.send_body(&deep);
        assert_eq!(refusal(&mut client), PARSE_ERROR);
    }
    let nested = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let id = client.send_request(
        "no/such",
        serde_json::from_str(&nested).expect("valid JSON"),
    );
    assert_eq!(client.answer(id)["error"]["code"], METHOD_NOT_FOUND);
    for body in [
        "null",
        "\"text\"",
        "{\"method\":5,\"id\":1}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"\"}",
    ] {
        client.send_body(body);
    }
    assert_alive(&mut client);
}

#[test]
fn responds_to_messages_of_a_hundred_megabytes() {
    let mut client = Client::initialized(pulling());
    let id = client.send_request("no/such", json!(["x".repeat(LARGE)]));
    assert_eq!(client.answer(id)["error"]["code"], METHOD_NOT_FOUND);
    client.open("file:///nowhere/large.pp", &"# x\n".repeat(LARGE / 4));
    let params = json!({"textDocument": {"uri": "file:///nowhere/large.pp"}});
    let answer = client.request("textDocument/documentSymbol", params.clone());
    assert_eq!(answer["result"], json!([]));
    client.notify("textDocument/didClose", params);
    assert_alive(&mut client);
    let paste = json!([{"range": range((0, 0), (0, 0)), "text": "x".repeat(TOO_LARGE)}]);
    client.change(URI, 2, paste);
    assert_eq!(
        client.pull(URI).len(),
        1,
        "ignores an edit that makes the document too large"
    );
    client.send_body(&"]".repeat(LARGE));
    assert_eq!(refusal(&mut client), PARSE_ERROR);
    assert_alive(&mut client);
}

#[test]
fn rejects_messages_out_of_order() {
    let mut client = Client::start();
    let hover = json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}});
    for method in [
        "textDocument/hover",
        "workspace/symbol",
        "pupil/workspace",
        "no/such",
        "shutdown",
    ] {
        let answer = client.request(method, hover.clone());
        assert_eq!(answer["error"]["code"], NOT_INITIALIZED, "{method}");
    }
    // Notifications before `initialize` are dropped.
    client.open(URI, "$a = ]");
    client.notify("initialized", json!({}));
    client.handshake(pulling());
    assert_eq!(client.pull(URI), Vec::<Value>::new());
    let again = client.request("initialize", json!({"capabilities": {}}));
    assert_eq!(again["error"]["code"], INVALID_REQUEST);
    assert_alive(&mut client);
    assert_eq!(
        client.request("shutdown", Value::Null)["result"],
        Value::Null
    );
    for method in ["textDocument/hover", "shutdown", "initialize", "x/unknown"] {
        let answer = client.request(method, hover.clone());
        assert_eq!(answer["error"]["code"], INVALID_REQUEST, "{method}");
    }
    client.notify("exit", Value::Null);
    assert_eq!(client.wait().code(), Some(0));

    let mut premature = Client::start();
    premature.notify("exit", Value::Null);
    assert_eq!(premature.wait().code(), Some(1));
}

#[test]
fn rejects_invalid_parameters() {
    let mut client = Client::initialized(pulling());
    client.open(URI, "class a { }\n");
    let at = |position: Value| json!({"textDocument": {"uri": URI}, "position": position});
    for params in [
        Value::Null,
        json!([]),
        json!({}),
        at(json!({"line": -1, "character": 0})),
        at(json!({"line": 0, "character": 1.5})),
        at(json!({"line": 4_294_967_296_u64, "character": 0})),
        at(json!("here")),
        json!({"textDocument": {"uri": 5}, "position": {"line": 0, "character": 0}}),
    ] {
        let answer = client.request("textDocument/hover", params.clone());
        assert_eq!(answer["error"]["code"], INVALID_PARAMS, "{params}");
    }
    for uri in [
        "",
        "nonsense",
        "http://example.com/a.pp",
        "file://",
        "untitled:Untitled-1",
        "file:///%ff",
    ] {
        let params = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}});
        let answer = client.request("textDocument/hover", params);
        assert!(answer["result"].is_null(), "{uri}: {answer}");
    }
    assert_alive(&mut client);
}

#[test]
fn responds_to_positions_outside_of_the_text() {
    let mut client = Client::initialized(pulling());
    client.open(URI, "class a {\n  $b = '😀'\n}\n");
    let most = u32::MAX;
    for (line, character) in [(0, most), (1, 8), (most, 0), (most, most), (3, 1)] {
        let position = json!({"line": line, "character": character});
        let range_here = range((line, character), (most, most));
        let backwards = range((most, most), (line, character));
        for (method, range) in [
            ("hover", &range_here),
            ("completion", &range_here),
            ("signatureHelp", &range_here),
            ("definition", &range_here),
            ("typeDefinition", &range_here),
            ("implementation", &range_here),
            ("documentHighlight", &range_here),
            ("references", &range_here),
            ("prepareCallHierarchy", &range_here),
            ("prepareTypeHierarchy", &range_here),
            ("inlayHint", &range_here),
            ("inlayHint", &backwards),
            ("codeAction", &range_here),
            ("codeAction", &backwards),
            ("semanticTokens/range", &backwards),
        ] {
            let params = json!({
                "textDocument": {"uri": URI}, "position": position, "range": range,
                "context": {
                    "includeDeclaration": true, "diagnostics": [],
                    "triggerKind": 1, "isRetrigger": false,
                },
            });
            let answer = client.request(&format!("textDocument/{method}"), params);
            assert!(
                answer.get("error").is_none(),
                "{method} {position}: {answer}"
            );
        }
        let params = json!({"textDocument": {"uri": URI}, "position": position, "newName": "x"});
        let answer = client.request("textDocument/rename", params);
        assert!(answer["error"]["code"] != -32603, "{answer}");
    }
    client.change(
        URI,
        2,
        json!([{"range": range((most, most), (0, 0)), "text": "$a = ]"}]),
    );
    client.change(URI, 3, json!([{"text": "$a = ]"}]));
    assert_eq!(client.pull(URI).len(), 1);
}

#[test]
fn accepts_invalid_cancellations() {
    let mut client = Client::initialized(pulling());
    client.open(URI, "$a = ]");
    for id in [json!(99), json!("x"), Value::Null, json!({}), json!(1)] {
        client.notify("$/cancelRequest", json!({"id": id}));
    }
    client.notify("$/cancelRequest", Value::Null);
    let id = client.send_request(
        "textDocument/diagnostic",
        json!({"textDocument": {"uri": URI}}),
    );
    let answer = client.answer(id);
    assert_eq!(array(&answer["result"]["items"]).len(), 1);
    // The response was already sent: the cancellation has no effect.
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.pull(URI).len(), 1);
    assert!(
        client.received(|it| it["id"] == id).is_empty(),
        "answered twice"
    );

    let body = json!({
        "jsonrpc": "2.0", "id": "a name", "method": "textDocument/diagnostic",
        "params": {"textDocument": {"uri": URI}},
    });
    client.send_body(&body.to_string());
    let answer = client.wait_for(|it| it["id"] == "a name");
    assert_eq!(array(&answer["result"]["items"]).len(), 1);
}

#[test]
fn rejects_code_actions_of_earlier_versions() {
    let mut client = Client::initialized(pulling_and(json!({"textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}},
            "dataSupport": true, "resolveSupport": {"properties": ["edit"]},
        },
    }})));
    client.open(URI, "notice(\"plain\")\nnotice(\"\\q\")\n");
    let params = json!({
        "textDocument": {"uri": URI}, "range": range((0, 0), (2, 0)), "context": {"diagnostics": []},
    });
    let actions = array(&client.request("textDocument/codeAction", params)["result"]);
    let lazy = actions
        .iter()
        .find(|it| it.get("data").is_some_and(|it| !it.is_null()));
    let lazy = lazy.expect("an action without its edit").clone();
    let resolved = client.request("codeAction/resolve", lazy.clone());
    assert!(resolved["result"]["edit"].is_object(), "{resolved}");
    client.change(URI, 2, json!([{"text": "# nothing\n"}]));
    let overtaken = client.request("codeAction/resolve", lazy);
    assert_eq!(overtaken["error"]["code"], CONTENT_MODIFIED, "{overtaken}");
}
