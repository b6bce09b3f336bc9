//! The basics of the protocol: lifecycle, synchronization, diagnostics and symbols.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use support::{Client, PATIENCE, URI, array, pulling, pulling_and, range};

/// Waits long enough for any message still to be sent.
fn pause() {
    thread::sleep(Duration::from_millis(300));
}

fn is_publish(message: &Value) -> bool {
    message["method"] == "textDocument/publishDiagnostics"
}

fn encodings(names: &[&str]) -> Value {
    pulling_and(json!({"general": {"positionEncodings": names}}))
}

#[test]
fn initialize_returns_capabilities() {
    let mut client = Client::start();
    let result = client.handshake(pulling());
    assert_eq!(result["serverInfo"]["name"], "pupil");
    let can = &result["capabilities"];
    assert_eq!(can["positionEncoding"], "utf-16");
    assert_eq!(can["textDocumentSync"]["change"], 2);
    for provider in [
        "diagnosticProvider",
        "documentSymbolProvider",
        "foldingRangeProvider",
        "hoverProvider",
        "selectionRangeProvider",
        "semanticTokensProvider",
    ] {
        assert!(!can[provider].is_null(), "{provider}");
    }
}

#[test]
fn columns_use_negotiated_encoding() {
    let cases: [(&[&str], &str, u32); 4] = [
        (&["utf-16", "utf-8"], "utf-8", 16),
        (&["utf-16"], "utf-16", 12),
        (&["utf-32", "utf-16"], "utf-16", 12),
        (&["utf-32"], "utf-32", 10),
    ];
    for (offered, agreed, column) in cases {
        let mut client = Client::start();
        let result = client.handshake(encodings(offered));
        assert_eq!(result["capabilities"]["positionEncoding"], agreed);
        client.open(URI, "$a = '😀😀' ]\n");
        let found = client.pull(URI);
        assert_eq!(found[0]["range"]["start"]["character"], column, "{agreed}");
    }
}

#[test]
fn edits_use_negotiated_encoding() {
    for (encoding, at) in [("utf-8", 7), ("utf-16", 4), ("utf-32", 3)] {
        let mut client = Client::initialized(encodings(&[encoding]));
        client.open(URI, "\r\n'é😀x'\r\n");
        // Replaces the x with a quote and an unmatched bracket, then removes the é.
        let first = range((1, at), (1, at + 1));
        let second = range((1, 1), (1, if encoding == "utf-8" { 3 } else { 2 }));
        client.change(
            URI,
            2,
            json!([{"range": first, "text": "' ]'"}, {"range": second, "text": ""}]),
        );
        // The result is: '😀' ]''
        let expected = match encoding {
            "utf-8" => 7,
            "utf-16" => 5,
            _ => 4,
        };
        let found = client.pull(URI);
        assert_eq!(
            found[0]["range"]["start"],
            json!({"line": 1, "character": expected})
        );
    }
}

#[test]
fn publishes_diagnostics_to_clients_that_do_not_pull() {
    let mut client = Client::initialized(json!({}));
    client.open(URI, "$a = ]\n");
    assert_eq!(client.published(URI, 1).len(), 1);
    client.change(
        URI,
        2,
        json!([{"range": range((0, 5), (0, 6)), "text": "1"}]),
    );
    assert_eq!(client.published(URI, 2).len(), 0);
    client.change(URI, 3, json!([{"text": "$a = }"}]));
    assert_eq!(client.published(URI, 3).len(), 1);
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": URI}}),
    );
    let cleared = client.wait_for(|it| is_publish(it) && it["params"]["version"].is_null());
    assert_eq!(cleared["params"]["diagnostics"], json!([]));
    pause();
    assert_eq!(client.received(is_publish), Vec::<Value>::new());
}

#[test]
fn does_not_publish_diagnostics_to_clients_that_pull() {
    let mut client = Client::initialized(pulling());
    client.open(URI, "$a = ]\n");
    let params = json!({"textDocument": {"uri": URI}});
    let report = client.request("textDocument/diagnostic", params)["result"].clone();
    assert_eq!(report["kind"], "full");
    assert_eq!(array(&report["items"]).len(), 1);

    let params = json!({"textDocument": {"uri": URI}, "previousResultId": report["resultId"]});
    let again = client.request("textDocument/diagnostic", params.clone())["result"].clone();
    assert_eq!(again["kind"], "unchanged");

    client.change(URI, 2, json!([{"text": "$a = 1"}]));
    let changed = client.request("textDocument/diagnostic", params)["result"].clone();
    assert_eq!(changed["kind"], "full");
    assert_eq!(changed["items"], json!([]));

    pause();
    assert_eq!(client.received(is_publish), Vec::<Value>::new());
}

#[test]
fn related_information_depends_on_the_client() {
    let text = "class a {\n  $x = [1\n}\n";
    let mut rich = Client::initialized(
        json!({"textDocument": {"publishDiagnostics": {"relatedInformation": true}}}),
    );
    rich.open(URI, text);
    let rich = rich.published(URI, 1).remove(0);
    let related = array(&rich["relatedInformation"]);
    assert_eq!(related[0]["location"]["uri"], URI);

    let mut plain = Client::initialized(json!({}));
    plain.open(URI, text);
    let plain = plain.published(URI, 1).remove(0);
    assert!(plain["relatedInformation"].is_null());
    let message = plain["message"].as_str().unwrap_or_default();
    let explanation = related[0]["message"].as_str().unwrap_or_default();
    assert!(message.contains(explanation), "{message}");
}

#[test]
fn burst_of_edits_publishes_few_diagnostics() {
    let mut client = Client::initialized(json!({}));
    client.open(URI, "");
    client.hold();
    for version in 2..=300 {
        client.change(
            URI,
            version,
            json!([{"range": range((0, 0), (0, 0)), "text": "]\n"}]),
        );
    }
    client.change(URI, 301, json!([{"text": "$a = ]"}]));
    client.release();
    assert_eq!(client.published(URI, 301).len(), 1);
    let sent = client.received(is_publish).len();
    assert!(sent < 30, "{sent} times");
}

/// Each edit adds a line with an error. Each response must report exactly the errors at the time of
/// its request.
#[test]
fn three_hundred_edits_with_three_hundred_pending_requests() {
    let mut client = Client::initialized(pulling());
    let filler = "$a = [1, { 'x' => 2 }]\n".repeat(500);
    client.open(URI, &filler);
    let mut asked = Vec::new();
    client.hold();
    for count in 1..=300_usize {
        let edit = json!([{"range": range((0, 0), (0, 0)), "text": "]\n"}]);
        client.change(URI, i32::try_from(count).expect("a small number") + 1, edit);
        let params = json!({"textDocument": {"uri": URI}});
        let id = client.send_request("textDocument/diagnostic", params);
        let cancelled = count % 3 == 0;
        if cancelled {
            client.notify("$/cancelRequest", json!({"id": id}));
        }
        asked.push((id, count, cancelled));
    }
    client.release();
    let mut refused = 0;
    for (id, count, cancelled) in asked {
        let answer = client.answer(id);
        if cancelled && answer["error"]["code"] == -32800 {
            refused += 1;
        } else {
            assert_eq!(array(&answer["result"]["items"]).len(), count, "{answer}");
        }
    }
    assert!(refused > 0, "no request was cancelled");
}

#[test]
fn state_after_random_edits_equals_a_check_of_the_file() {
    let mut client = Client::initialized(encodings(&["utf-32"]));
    let pieces = [
        "{", "}", "]", "'", "\"", "$a ", "= ", "é", "😀", "\n", "\r\n", "class x ", "1",
    ];
    let mut text: Vec<char> = "class a {\n  $b = 'ü'\n}\n".chars().collect();
    client.open(URI, &text.iter().collect::<String>());
    let mut random = 7_u64;
    let mut below = |limit: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(random >> 33).expect("31 bits") % limit
    };
    for version in 2..200 {
        let start = below(text.len() + 1);
        let end = (start + below(4)).min(text.len());
        let piece = pieces[below(pieces.len())];
        // Within a line break, a column would be ambiguous.
        let splits = |at: usize| at > 0 && text[at - 1] == '\r';
        if splits(start) || splits(end) {
            continue;
        }
        let edit = json!([{"range": range(place(&text, start), place(&text, end)), "text": piece}]);
        client.change(URI, version, edit);
        text.splice(start..end, piece.chars());
    }
    let found: Vec<Value> = client
        .pull(URI)
        .iter()
        .map(|it| it["range"]["start"].clone())
        .collect();

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.pp");
    std::fs::write(&path, text.iter().collect::<String>()).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_pupil"))
        .args(["check", "--format", "json"])
        .arg(&path)
        .output()
        .expect("the check runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let expected: Vec<Value> = array(&report["findings"])
        .iter()
        .map(|it| {
            let from_zero = |field: &str| it[field].as_u64().unwrap_or(0) - 1;
            json!({"line": from_zero("line"), "character": from_zero("column")})
        })
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(found, expected);
}

/// Returns the line and column of a character.
fn place(text: &[char], at: usize) -> (u32, u32) {
    let before = &text[..at];
    let line = before.iter().filter(|&&it| it == '\n').count();
    let column = before.iter().rev().take_while(|&&it| it != '\n').count();
    let number = |it: usize| u32::try_from(it).expect("a small number");
    (number(line), number(column))
}

#[test]
fn responds_at_any_position_in_any_text() {
    let mut client = Client::initialized(pulling());
    let document = json!({"uri": URI});
    let texts = ["", "\r", "$a = '😀'\r\n", "class a {", "\u{0}", "<%= $x %>"];
    for (index, text) in texts.iter().enumerate() {
        if index == 0 {
            client.open(URI, text);
        } else {
            client.change(
                URI,
                i32::try_from(index).expect("small"),
                json!([{"text": text}]),
            );
        }
        for position in [(0, 0), (0, 7), (0, u32::MAX), (1, 0), (u32::MAX, 9)] {
            let (line, character) = position;
            let position = json!({"line": line, "character": character});
            let hover = json!({"textDocument": document, "position": position});
            let answer = client.request("textDocument/hover", hover);
            assert!(answer.get("error").is_none(), "{answer}");
            let selection = json!({"textDocument": document, "positions": [position, position]});
            let answer = client.request("textDocument/selectionRange", selection);
            assert_eq!(array(&answer["result"]).len(), 2, "{answer}");
        }
        let all = range((9, 9), (0, 0));
        for (method, params) in [
            ("documentSymbol", json!({"textDocument": document})),
            ("foldingRange", json!({"textDocument": document})),
            ("semanticTokens/full", json!({"textDocument": document})),
            (
                "semanticTokens/range",
                json!({"textDocument": document, "range": all}),
            ),
            (
                "semanticTokens/full/delta",
                json!({"textDocument": document, "previousResultId": "?"}),
            ),
            ("diagnostic", json!({"textDocument": document})),
        ] {
            let answer = client.request(&format!("textDocument/{method}"), params);
            assert!(answer.get("error").is_none(), "{method}: {answer}");
        }
    }
}

#[test]
fn document_symbols_are_nested_if_supported() {
    let text = "class a (Integer $b) {\n  $c = 1\n}\n";
    let params = json!({"textDocument": {"uri": URI}});
    let mut nested = Client::initialized(
        json!({"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}}}),
    );
    nested.open(URI, text);
    let answer = nested.request("textDocument/documentSymbol", params.clone());
    let class = &answer["result"][0];
    assert_eq!(class["name"], "a");
    assert!(!array(&class["children"]).is_empty());
    let mut names: Vec<Value> = vec![class["name"].clone()];
    names.extend(
        array(&class["children"])
            .iter()
            .map(|it| it["name"].clone()),
    );

    let mut flat = Client::initialized(json!({}));
    flat.open(URI, text);
    let answer = array(&flat.request("textDocument/documentSymbol", params)["result"]);
    let flat_names: Vec<Value> = answer.iter().map(|it| it["name"].clone()).collect();
    assert_eq!(flat_names, names);
    assert_eq!(answer[1]["containerName"], "a");
}

#[test]
fn folded_code_keeps_its_closing_brace_visible() {
    let mut client =
        Client::initialized(json!({"textDocument": {"foldingRange": {"lineFoldingOnly": true}}}));
    client.open(URI, "class a {\n  $c = 1\n  $d = 1\n}\n");
    let params = json!({"textDocument": {"uri": URI}});
    let folds = array(&client.request("textDocument/foldingRange", params)["result"]);
    assert_eq!(folds[0]["startLine"], 0);
    assert_eq!(folds[0]["endLine"], 2);
    assert!(folds[0]["startCharacter"].is_null());
}

#[test]
fn formats_documents_ranges_and_typed_text() {
    let mut client = Client::initialized(json!({}));
    client.open(URI, "class a {\n$c = 'ü'  \n    }\n");
    let mut format = |method: &str, more: Value| {
        let mut params = json!({
            "textDocument": {"uri": URI},
            "options": {"tabSize": 4, "insertSpaces": false},
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        array(&client.request(&format!("textDocument/{method}"), params)["result"])
    };
    let all = format("formatting", json!({}));
    let indented = json!({"range": range((1, 0), (1, 0)), "newText": "  "});
    let trimmed = json!({"range": range((1, 8), (1, 10)), "newText": ""});
    let closed = json!({"range": range((2, 0), (2, 4)), "newText": ""});
    assert_eq!(all, [indented, trimmed, closed.clone()]);
    let lines = json!({"range": range((2, 0), (2, 1))});
    assert_eq!(format("rangeFormatting", lines), [closed]);
    let brace = json!({"position": {"line": 2, "character": 5}, "ch": "}"});
    let moved = json!({"range": range((2, 0), (2, 4)), "newText": ""});
    assert_eq!(format("onTypeFormatting", brace), [moved]);
}

#[test]
fn token_deltas_transform_old_tokens_into_new_ones() {
    let mut client = Client::initialized(pulling());
    client.open(URI, "$a = 1\nclass b { }\nnotice('x')\n");
    let document = json!({"uri": URI});
    let full = json!({"textDocument": document});
    let first = client.request("textDocument/semanticTokens/full", full.clone())["result"].clone();
    let mut data = array(&first["data"]);
    assert!(!data.is_empty());
    let mut id = first["resultId"].clone();
    for (version, text) in [(2, "# new\n"), (3, ""), (4, "if $x { }\n")] {
        let edit = json!([{"range": range((1, 0), (1, 0)), "text": text}]);
        client.change(URI, version, edit);
        let params = json!({"textDocument": document, "previousResultId": id});
        let delta = client.request("textDocument/semanticTokens/full/delta", params);
        for edit in array(&delta["result"]["edits"]) {
            let number = |field: &str| edit[field].as_u64().and_then(|it| usize::try_from(it).ok());
            let (start, count) = (number("start"), number("deleteCount"));
            let (start, count) = (start.expect("a start"), count.expect("a count"));
            data.splice(start..start + count, array(&edit["data"]));
        }
        let whole = client.request("textDocument/semanticTokens/full", full.clone());
        assert_eq!(data, array(&whole["result"]["data"]), "version {version}");
        id = whole["result"]["resultId"].clone();
    }
    let params = json!({"textDocument": document, "previousResultId": "unknown"});
    let answer = client.request("textDocument/semanticTokens/full/delta", params);
    assert_eq!(array(&answer["result"]["data"]), data);
}

#[test]
fn responds_for_unknown_documents_and_methods() {
    let mut client = Client::initialized(pulling());
    let document = json!({"textDocument": {"uri": "file:///not/open.pp"}});
    let answer = client.request("textDocument/documentSymbol", document.clone());
    assert_eq!(answer["result"], Value::Null);
    assert_eq!(client.pull("file:///not/open.pp"), Vec::<Value>::new());
    client.notify("textDocument/didClose", document);
    client.change("file:///not/open.pp", 2, json!([{"text": "x"}]));
    client.notify("no/suchNotification", json!({}));
    assert_eq!(
        client.request("no/suchMethod", json!({}))["error"]["code"],
        -32601
    );
    assert_eq!(
        client.request("textDocument/hover", json!({"a": 1}))["error"]["code"],
        -32602
    );
    client.notify("textDocument/didChange", json!({"nonsense": true}));
    client.open(URI, "$a = ]");
    assert_eq!(client.pull(URI).len(), 1);
}

#[test]
fn continues_after_malformed_messages() {
    let mut client = Client::initialized(pulling());
    let deep = "[".repeat(100_000);
    for (body, code) in [
        ("{", -32700),
        ("\u{1}", -32700),
        (deep.as_str(), -32700),
        ("[]", -32600),
        ("17", -32600),
        ("{}", -32600),
        (r#"{"jsonrpc":"1.0","id":5,"method":"shutdown"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"shutdown"}"#, -32600),
    ] {
        client.send_body(body);
        let answer = client.wait_for(|it| it.get("id") == Some(&Value::Null));
        assert_eq!(answer["error"]["code"], code, "{:.40}", body);
    }
    for bytes in [
        &b"Content-Length: 2\r\n\r\n\xff\xff"[..],
        b"nonsense without a header\r\n\r\n",
        b"Content-Length: many\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
    ] {
        client.send_raw(bytes);
        // The server resynchronizes at the next header.
        client.open(URI, "$a = ]");
        let answer = client.wait_for(|it| it.get("id") == Some(&Value::Null));
        assert_eq!(answer["error"]["code"], -32700);
        assert_eq!(client.pull(URI).len(), 1);
    }
}

#[test]
fn enforces_lifecycle_order() {
    let mut client = Client::start();
    let hover = json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}});
    client.open(URI, "x");
    assert_eq!(
        client.request("textDocument/hover", hover.clone())["error"]["code"],
        -32002
    );
    client.handshake(json!({}));
    assert_eq!(
        client.request("initialize", json!({"capabilities": {}}))["error"]["code"],
        -32600
    );
    assert_eq!(
        client.request("shutdown", Value::Null)["result"],
        Value::Null
    );
    assert_eq!(
        client.request("textDocument/hover", hover)["error"]["code"],
        -32600
    );
    client.notify("exit", Value::Null);
    assert_eq!(client.wait().code(), Some(0));
}

#[test]
fn exit_without_shutdown_fails() {
    let mut client = Client::initialized(json!({}));
    client.notify("exit", Value::Null);
    assert_eq!(client.wait().code(), Some(1));
}

#[test]
fn end_of_input_ends_the_session_after_pending_responses() {
    let mut client = Client::initialized(pulling());
    client.open(URI, &"$a = ]\n".repeat(2000));
    let id = client.send_request(
        "textDocument/diagnostic",
        json!({"textDocument": {"uri": URI}}),
    );
    client.close_input();
    assert!(!array(&client.answer(id)["result"]["items"]).is_empty());
    assert_eq!(client.wait().code(), Some(0));

    let mut silent = Client::start();
    silent.close_input();
    assert_eq!(silent.wait().code(), Some(0));

    let mut cut_off = Client::start();
    cut_off.send_raw(b"Content-Length: 100\r\n\r\n{\"jsonrpc\"");
    cut_off.close_input();
    assert_eq!(cut_off.wait().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn server_does_not_outlive_its_client() {
    let mut editor = Command::new("sleep")
        .arg(PATIENCE.as_secs().to_string())
        .stdin(Stdio::null())
        .spawn()
        .expect("a process to watch");
    let mut client = Client::start();
    let params = json!({"processId": editor.id(), "rootUri": null, "capabilities": {}});
    client.request("initialize", params);
    pause();
    assert_eq!(
        client.request("shutdown", Value::Null)["result"],
        Value::Null
    );
    editor.kill().expect("the process can be killed");
    editor.wait().expect("the process exits");
    assert_eq!(client.wait().code(), Some(0));
}

#[test]
fn handles_documents_of_twenty_megabytes() {
    let mut client = Client::initialized(pulling());
    let text = "$a = [1, 2, 3, 'some text that fills the line', { 'x' => 'y' }]\n".repeat(320_000);
    client.open(URI, &(text + "]"));
    assert_eq!(client.pull(URI).len(), 1);
}

/// Neovim would no longer pull the diagnostics of open documents if the server offered workspace diagnostics.
#[test]
fn does_not_offer_workspace_diagnostics_to_neovim() {
    for (name, expected) in [("Neovim", false), ("Visual Studio Code", true)] {
        let mut client = Client::start();
        let params = json!({
            "processId": null,
            "rootUri": null,
            "clientInfo": {"name": name},
            "capabilities": {
                "textDocument": {"diagnostic": {}},
                "workspace": {"diagnostics": {"refreshSupport": true}},
            },
        });
        let answer = client.request("initialize", params);
        let offered =
            &answer["result"]["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"];
        assert_eq!(*offered, expected, "{name}");
    }
}
