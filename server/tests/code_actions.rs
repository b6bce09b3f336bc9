//! Fixes on the command line, and as code actions over the protocol.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use support::files::{folder, pupil, stderr, stdout};
use support::{Client, URI, array, pulling_and, range};

const CODE: &str = "class a {\n  notice(\"\\q\", $::osfamily)\n  include a::nothing\n}\n";
const FIXED: &str =
    "class a {\n  notice(\"\\\\q\", $facts['os']['family'])\n  include a::nothing\n}\n";

/// Creates a module `a`.
fn module(text: &str) -> TempDir {
    folder(&[
        ("modules/a/manifests/init.pp", text),
        ("environment.conf", ""),
    ])
}

fn text(folder: &TempDir) -> String {
    fs::read_to_string(folder.path().join("modules/a/manifests/init.pp")).expect("the file exists")
}

#[test]
fn applies_safe_fixes_and_reports_the_rest() {
    let folder = module(CODE);
    let output = pupil(folder.path(), &["check", "--fix"]);
    assert_eq!(text(&folder), FIXED);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    let expected = "fixed 2 diagnostics in modules/a/manifests/init.pp: \
        UNRECOGNIZED_ESCAPE (1), legacy-fact (1)";
    assert!(said.contains(expected), "{said}");
    let left = stdout(&output);
    assert!(
        left.contains("unknown-class") && !left.contains("legacy-fact"),
        "{left}"
    );
    let again = pupil(folder.path(), &["check", "--fix"]);
    assert!(!stderr(&again).contains("fixed"));
}

#[test]
fn diff_does_not_write_files() {
    let folder = module(CODE);
    let output = pupil(folder.path(), &["check", "--fix", "--diff"]);
    assert_eq!(text(&folder), CODE);
    assert_eq!(output.status.code(), Some(1));
    let expected = "--- a/modules/a/manifests/init.pp\n+++ b/modules/a/manifests/init.pp\n\
        @@ -1,4 +1,4 @@\n class a {\n-  notice(\"\\q\", $::osfamily)\n\
        +  notice(\"\\\\q\", $facts['os']['family'])\n   include a::nothing\n }\n";
    assert_eq!(stdout(&output), expected);
    let sound = module("class a { }\n");
    for arguments in [
        ["check", "--fix", "--diff"].as_slice(),
        &["check", "--diff"],
    ] {
        let output = pupil(sound.path(), arguments);
        assert_eq!(
            (output.status.code(), stdout(&output)),
            (Some(0), String::new())
        );
    }
}

#[test]
fn unsafe_fixes_are_applied_on_request() {
    let code = "class a {\n  notice(strptime('a'), $::osfamily)\n}\n";
    let folder = module(code);
    let output = pupil(folder.path(), &["check", "--diff"]);
    let safe = stdout(&output);
    assert!(safe.contains("$facts['os']['family']") && safe.contains("+  notice(strptime"));
    let output = pupil(folder.path(), &["check"]);
    let summary = "1 fixable with --fix, 1 more with --fix --unsafe-fixes\n";
    assert!(stdout(&output).ends_with(summary), "{}", stdout(&output));
    let output = pupil(folder.path(), &["check", "--fix", "--unsafe-fixes"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let expected = "class a {\n  notice(strftime('a'), $facts['os']['family'])\n}\n";
    assert_eq!(text(&folder), expected);
}

#[test]
fn changed_messages_do_not_block_fixes() {
    let long = "x".repeat(150);
    let folder = folder(&[
        (
            "modules/a/manifests/init.pp",
            &format!("class a {{\n  $b = \"{long} $facts\"\n}}\n"),
        ),
        ("environment.conf", ""),
        (
            "pupil.toml",
            "[rules]\nlong-line = 'warning'\nstyle = 'warning'\n",
        ),
    ]);
    let output = pupil(folder.path(), &["check", "--fix"]);
    assert!(text(&folder).contains("${facts}"), "{}", stderr(&output));
    assert!(stdout(&output).contains("long-line"), "{}", stdout(&output));
}

#[test]
fn leaves_out_the_fixes_that_introduce_a_diagnostic() {
    let code = "class a {\n  if $::osfamily == 'Debian' {\n    notice(\"\\q\")\n    \
        $b = $facts['os']['family'] ? { 'Debian' => 1, 'RedHat' => 2, default => 3 }\n    notice($b)\n  }\n}\n";
    let folder = module(code);
    let output = pupil(folder.path(), &["check", "--fix"]);
    assert_eq!(text(&folder), code.replace("\\q", "\\\\q"));
    let problem = stderr(&output);
    assert!(
        problem.contains("cannot fix `legacy-fact` in "),
        "{problem}"
    );
    assert!(
        problem.contains("would introduce unreachable-option"),
        "{problem}"
    );
}

#[test]
fn fixes_are_shown_unless_the_message_names_them() {
    let folder = module("class a {\n  notice(\"\\q\", $::osfamily)\n}\n");
    let shown = stdout(&pupil(folder.path(), &["check"]));
    assert!(shown.contains("= help: "), "{shown}");
    assert!(!shown.contains("help: Replace with `$facts"), "{shown}");
}

#[test]
fn does_not_fix_broken_ignored_or_baselined_code() {
    let broken = "class a {\n  notice(\"\\q\" ]\n}\n";
    let ignored = "class a {\n  notice($::osfamily) # pupil: ignore[legacy-fact]\n}\n";
    for code in [broken, ignored] {
        let folder = module(code);
        pupil(folder.path(), &["check", "--fix"]);
        assert_eq!(text(&folder), code);
    }
    let folder = module(CODE);
    pupil(folder.path(), &["check", "--write-baseline", "known.json"]);
    pupil(
        folder.path(),
        &["check", "--fix", "--baseline", "known.json"],
    );
    assert_eq!(text(&folder), CODE);
    let off = module(CODE);
    fs::write(
        off.path().join("pupil.toml"),
        "[rules]\nlegacy-fact = \"off\"\n",
    )
    .expect("a file");
    pupil(off.path(), &["check", "--fix"]);
    assert!(text(&off).contains("$::osfamily") && text(&off).contains("\\\\q"));
}

#[test]
fn fixes_standalone_files() {
    let folder = module("class a {\r\n  notice(\"\\q\")\r\n}\r\n");
    pupil(folder.path(), &["check", "--fix", "--static"]);
    assert_eq!(text(&folder), "class a {\r\n  notice(\"\\\\q\")\r\n}\r\n");
}

#[cfg(unix)]
#[test]
fn keeps_links_modes_and_read_only_files() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = module("class a { }\n");
    let real = folder.path().join("modules/a/manifests/real.txt");
    fs::write(&real, "class a::b {\n  notice(\"\\q\")\n}\n").expect("a file");
    let mode = fs::Permissions::from_mode(0o640);
    fs::set_permissions(&real, mode).expect("permissions can be set");
    symlink("real.txt", folder.path().join("modules/a/manifests/b.pp")).expect("a link");
    pupil(
        folder.path(),
        &["check", "--fix", "--static", "modules/a/manifests/b.pp"],
    );
    let written = fs::read_to_string(&real).expect("the file exists");
    assert_eq!(written, "class a::b {\n  notice(\"\\\\q\")\n}\n");
    let metadata = fs::metadata(&real).expect("the file exists");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o640);

    let folder = module(CODE);
    let path = folder.path().join("modules/a/manifests/init.pp");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).expect("permissions can be set");
    let output = pupil(folder.path(), &["check", "--fix"]);
    assert_eq!(text(&folder), CODE);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("cannot fix modules/a/manifests/init.pp: the file is read-only"),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains("legacy-fact"));
}

#[test]
fn output_formats_include_fixes() {
    let folder = module(CODE);
    let output = pupil(folder.path(), &["check", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = array(&report["findings"]);
    let legacy = findings.iter().find(|it| it["code"] == "legacy-fact");
    let fix = &legacy.expect("the diagnostic is reported")["fixes"][0];
    assert_eq!(fix["label"], "Replace with `$facts['os']['family']`");
    assert_eq!(fix["certain"], true);
    let edit = json!({
        "file": "modules/a/manifests/init.pp",
        "line": 2, "column": 16, "end_line": 2, "end_column": 27,
        "text": "$facts['os']['family']",
    });
    assert_eq!(fix["edits"], json!([edit]));

    let output = pupil(folder.path(), &["check", "--format", "sarif"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let results = array(&report["runs"][0]["results"]);
    let legacy = results.iter().find(|it| it["ruleId"] == "legacy-fact");
    let fix = &legacy.expect("the diagnostic is reported")["fixes"][0];
    let change = &fix["artifactChanges"][0];
    assert_eq!(
        change["artifactLocation"]["uri"],
        "modules/a/manifests/init.pp"
    );
    let replacement = json!({
        "deletedRegion": {"startLine": 2, "startColumn": 16, "endLine": 2, "endColumn": 27},
        "insertedContent": {"text": "$facts['os']['family']"},
    });
    assert_eq!(change["replacements"], json!([replacement]));
}

const DOCUMENT: &str = "$a = 'ü'\n$b = \"😀 \\q\"\n$c = { a => 1, a => 2 }\n";

fn rich() -> Value {
    pulling_and(json!({
        "textDocument": {"codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "isPreferredSupport": true,
        }},
        "workspace": {"workspaceEdit": {"documentChanges": true}},
    }))
}

fn actions(client: &mut Client, range: Value, only: Value) -> Vec<Value> {
    let mut context = json!({"diagnostics": []});
    if !only.is_null() {
        context["only"] = only;
    }
    let params = json!({"textDocument": {"uri": URI}, "range": range, "context": context});
    array(&client.request("textDocument/codeAction", params)["result"])
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions
        .iter()
        .filter_map(|it| it["title"].as_str())
        .collect()
}

#[test]
fn diagnostics_have_quick_fixes() {
    let mut client = Client::initialized(rich());
    client.open(URI, DOCUMENT);
    let kinds = json!(["quickfix", "source"]);
    let found = actions(&mut client, range((1, 9), (1, 9)), kinds);
    assert_eq!(
        titles(&found),
        [
            "Escape the backslash",
            "Ignore `UNRECOGNIZED_ESCAPE` here",
            "Apply the safe fix in this file",
        ]
    );
    let (fix, ignore, all) = (&found[0], &found[1], &found[2]);
    assert_eq!(
        (&fix["kind"], &fix["isPreferred"]),
        (&json!("quickfix"), &json!(true))
    );
    assert_eq!(fix["diagnostics"], json!([client.pull(URI)[0]]));
    let edit = &fix["edit"]["documentChanges"][0];
    assert_eq!(edit["textDocument"], json!({"uri": URI, "version": 1}));
    let escaped = json!([{"range": range((1, 9), (1, 9)), "newText": "\\"}]);
    assert_eq!(edit["edits"], escaped);
    assert_eq!(ignore["isPreferred"], Value::Null);
    let comment = "# pupil: ignore[UNRECOGNIZED_ESCAPE]\n";
    let edit = &ignore["edit"]["documentChanges"][0]["edits"];
    assert_eq!(
        *edit,
        json!([{"range": range((1, 0), (1, 0)), "newText": comment}])
    );
    assert_eq!(all["kind"], "source.fixAll.pupil");
    assert_eq!(all["edit"]["documentChanges"][0]["edits"], escaped);

    let found = actions(&mut client, range((2, 15), (2, 21)), json!(["quickfix"]));
    assert_eq!(
        titles(&found),
        ["Remove the first entry", "Remove this entry"]
    );
    assert!(found.iter().all(|it| it["isPreferred"].is_null()));
    assert_eq!(
        actions(&mut client, range((0, 0), (0, 8)), json!(["quickfix"])).len(),
        0
    );
    let all = actions(&mut client, range((0, 0), (0, 0)), json!(["source.fixAll"]));
    assert_eq!(titles(&all), ["Apply the safe fix in this file"]);
    assert_eq!(
        actions(&mut client, range((0, 0), (3, 0)), json!(["refactor"])).len(),
        0
    );
}

#[test]
fn no_fix_all_in_a_broken_file() {
    let mut client = Client::initialized(rich());
    client.open(URI, "$b = \"\\q\"\n$c = ]\n");
    let all = actions(&mut client, range((0, 0), (1, 6)), json!(["source.fixAll"]));
    assert_eq!(all.len(), 0);
    let found = actions(&mut client, range((0, 0), (1, 6)), json!(["quickfix"]));
    assert_eq!(
        titles(&found),
        ["Escape the backslash", "Ignore `UNRECOGNIZED_ESCAPE` here"]
    );
}

#[test]
fn edits_are_resolved_lazily_if_supported() {
    let mut capabilities = rich();
    let action = &mut capabilities["textDocument"]["codeAction"];
    action["dataSupport"] = json!(true);
    action["resolveSupport"] = json!({"properties": ["edit"]});
    let mut eager = Client::initialized(rich());
    let mut lazy = Client::start();
    let can = lazy.handshake(capabilities)["capabilities"]["codeActionProvider"].clone();
    assert_eq!(can["resolveProvider"], true);
    for client in [&mut eager, &mut lazy] {
        client.open(URI, DOCUMENT);
    }
    let all = range((0, 0), (3, 0));
    let expected = actions(&mut eager, all.clone(), Value::Null);
    let found = actions(&mut lazy, all, Value::Null);
    assert_eq!(titles(&found), titles(&expected));
    for (action, expected) in found.iter().zip(&expected) {
        assert!(action["edit"].is_null());
        let resolved = lazy.request("codeAction/resolve", action.clone());
        assert_eq!(resolved["result"]["edit"], expected["edit"], "{action}");
    }
    // Actions for an earlier version are invalid.
    lazy.change(URI, 2, json!([{"text": "$b = 1\n"}]));
    let late = lazy.request("codeAction/resolve", found[0].clone());
    assert_eq!(late["error"]["code"], -32801);
    let strange = lazy.request("codeAction/resolve", json!({"title": "x", "data": 1}));
    assert_eq!(strange["error"]["code"], -32602);
}

const CODE_TO_CHANGE: &str = "class a ($p) {\n  if $p and $p + 1 {\n    notice('$')\n  }\n}\n";

#[test]
fn code_actions_of_a_selection_by_kind() {
    let mut capabilities = rich();
    let action = &mut capabilities["textDocument"]["codeAction"];
    action["dataSupport"] = json!(true);
    action["disabledSupport"] = json!(true);
    action["resolveSupport"] = json!({"properties": ["edit"]});
    let mut client = Client::start();
    let can = client.handshake(capabilities)["capabilities"]["codeActionProvider"].clone();
    let kinds = array(&can["codeActionKinds"]);
    assert!(kinds.contains(&json!("refactor.extract")), "{kinds:?}");
    client.open(URI, CODE_TO_CHANGE);
    let text = range((2, 11), (2, 14));
    let found = actions(&mut client, text.clone(), Value::Null);
    let expected = [
        "Extract into variable `$value`",
        "Extract into parameter `$value`",
        "Use double quotes",
    ];
    assert_eq!(titles(&found), expected);
    let rewrites = actions(&mut client, text.clone(), json!(["refactor.rewrite"]));
    assert_eq!(titles(&rewrites), expected[2..]);
    assert!(rewrites.iter().all(|it| it["kind"] == "refactor.rewrite"));
    assert_eq!(found[0]["kind"], "refactor.extract");
    let resolved = client.request("codeAction/resolve", found[0].clone());
    let edits = &resolved["result"]["edit"]["documentChanges"][0]["edits"];
    assert_eq!(
        *edits,
        json!([
            {"range": range((2, 4), (2, 4)), "newText": "$value = '$'\n    "},
            {"range": text, "newText": "$value"},
        ])
    );
    // The reason for a disabled action is shown if its kind is requested.
    let second = range((1, 12), (1, 18));
    assert_eq!(
        titles(&actions(&mut client, second.clone(), Value::Null)),
        [""; 0]
    );
    let refused = actions(&mut client, second, json!(["refactor"]));
    assert_eq!(titles(&refused), ["Extract into variable"]);
    let reason = "the expression is not always evaluated";
    assert_eq!(refused[0]["disabled"], json!({"reason": reason}));
    assert!(refused[0]["data"].is_null());
}

#[test]
fn code_actions_depend_on_the_client() {
    let mut plain = Client::start();
    let can = plain.handshake(json!({}))["capabilities"].clone();
    assert!(can["codeActionProvider"].is_null());
    plain.open(URI, DOCUMENT);
    assert_eq!(
        actions(&mut plain, range((0, 0), (3, 0)), Value::Null).len(),
        0
    );

    let mut simple = rich();
    simple["workspace"] = json!({});
    simple["textDocument"]["codeAction"]["isPreferredSupport"] = json!(false);
    let mut client = Client::initialized(simple);
    client.open(URI, DOCUMENT);
    let found = actions(&mut client, range((1, 9), (1, 9)), Value::Null);
    let edit = json!([{"range": range((1, 9), (1, 9)), "newText": "\\"}]);
    assert_eq!(found[0]["edit"], json!({"changes": {URI: edit}}));
    assert!(found[0]["isPreferred"].is_null());
}
