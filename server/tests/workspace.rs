//! The workspace on the command line, and in a server while its files change.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use support::files::{folder, pupil, stderr, stdout, uri, write};
use support::{Client, PATIENCE, array, pulling, pulling_and};

/// Returns the workspace found by a new process. Its working directory is that of the server,
/// because paths are shown relative to it.
fn fresh(folder: &Path) -> Value {
    let path = folder.to_str().expect("UTF-8");
    let output = pupil(Path::new("."), &["workspace", path, "--format", "json"]);
    assert!(output.status.success(), "{output:?}");
    serde_json::from_str(&stdout(&output)).expect("JSON")
}

/// Starts a server with a workspace folder.
fn server(folder: &Path, capabilities: Value) -> Client {
    Client::in_folders(&[folder], capabilities, Value::Null)
}

/// Waits until the server has the same state as a new process.
fn wait_until_current(client: &mut Client, folder: &Path) {
    let expected = fresh(folder);
    let deadline = Instant::now() + PATIENCE;
    loop {
        let answer = client.request("pupil/workspace", Value::Null);
        let found = &answer["result"];
        if *found == expected {
            return;
        }
        assert!(Instant::now() < deadline, "{found:#}\nis not\n{expected:#}");
        thread::sleep(Duration::from_millis(20));
    }
}

const MODULE: [(&str, &str); 3] = [
    ("metadata.json", r#"{"name":"me-mine","version":"1.0.0"}"#),
    ("manifests/init.pp", "class mine { }\n"),
    ("manifests/other.pp", "class mine::other { }\n"),
];

#[test]
fn command_line_prints_workspace_with_reasons() {
    let folder = folder(&MODULE);
    let output = pupil(folder.path(), &["workspace"]);
    let text = stdout(&output);
    for part in [
        ": module (contains metadata.json)",
        "mine",
        "1.0.0",
        "2 manifests",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let found = fresh(folder.path());
    let module = &found["environments"][0]["modules"][0];
    assert_eq!(module["name"], "mine");
    assert_eq!(module["files"]["manifests"], 2);
}

#[test]
fn does_not_report_baselined_diagnostics() {
    let folder = folder(&[("a.pp", "$a = ]\n"), ("b.pp", "$b = 1\n")]);
    let run = |arguments: &[&str]| pupil(folder.path(), arguments).status.code();
    assert_eq!(run(&["check"]), Some(1));
    let written = pupil(folder.path(), &["check", "--write-baseline", "known.json"]);
    assert_eq!(written.status.code(), Some(0));
    let status = "wrote 1 diagnostic to known.json\n";
    assert!(stderr(&written).contains(status), "{}", stderr(&written));
    assert_eq!(run(&["check", "--baseline", "known.json"]), Some(0));
    // Lines may move, but an additional diagnostic is new.
    write(folder.path(), "a.pp", "\n\n  $a = ]\n");
    assert_eq!(run(&["check", "--baseline", "known.json"]), Some(0));
    write(folder.path(), "c.pp", "$a = ]\n");
    assert_eq!(run(&["check", "--baseline", "known.json"]), Some(1));
    fs::remove_file(folder.path().join("c.pp")).expect("the file exists");
    write(
        folder.path(),
        "pupil.toml",
        "[check]\nbaseline = \"known.json\"\n",
    );
    assert_eq!(run(&["check"]), Some(0));
    assert_eq!(run(&["check", "--baseline", "gone.json"]), Some(2));
    write(folder.path(), "bad.json", "{\n");
    let output = pupil(folder.path(), &["check", "--baseline", "bad.json"]);
    let error = "error: cannot read baseline bad.json: invalid JSON at line 2: ";
    assert!(stderr(&output).starts_with(error), "{}", stderr(&output));
}

#[test]
fn accepts_former_codes_of_rules() {
    let line = "  notice([1][2])";
    let manifest = format!("class mine {{\n{line}\n}}\n");
    let folder = folder(&[
        ("metadata.json", r#"{"name":"me-mine","version":"1.0.0"}"#),
        ("manifests/init.pp", &manifest),
    ]);
    let run = |arguments: &[&str]| pupil(folder.path(), arguments).status.code();
    let found = stdout(&pupil(folder.path(), &["check"]));
    assert!(found.contains("index-out-of-range"), "{found}");
    let baseline = json!({
        "version": 1,
        "findings": [{
            "file": "manifests/init.pp",
            "code": "index-outside",
            "line": line.trim(),
            "count": 1,
        }],
    });
    write(folder.path(), "known.json", &baseline.to_string());
    let known = pupil(folder.path(), &["check", "--baseline", "known.json"]);
    assert!(!stdout(&known).contains("index-out-of-range"), "{known:?}");
    let suppressed = manifest.replace(line, &format!("{line} # pupil: ignore[index-outside]"));
    write(folder.path(), "manifests/init.pp", &suppressed);
    let found = stdout(&pupil(folder.path(), &["check"]));
    assert!(!found.contains("index-out-of-range"), "{found}");
    write(folder.path(), "manifests/init.pp", &manifest);
    write(
        folder.path(),
        "pupil.toml",
        "[rules]\nindex-outside = \"error\"\n",
    );
    assert_eq!(run(&["check"]), Some(1));
    let output = pupil(folder.path(), &["check"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let note = "pupil.toml:2:1: rule `index-outside` was renamed to `index-out-of-range`";
    assert!(told.contains(note), "{told}");
    let page = stdout(&pupil(folder.path(), &["explain", "index-outside"]));
    assert!(page.starts_with("# index-out-of-range\n"), "{page}");
}

#[test]
fn project_sets_puppet_version() {
    let folder = folder(&[
        ("pupil.toml", "[puppet]\nversion = 7\nverzion = 1\n"),
        ("a.pp", ""),
    ]);
    let output = pupil(folder.path(), &["check"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains("pupil.toml:3:1: unknown setting `verzion`; did you mean `version`?"),
        "{told}"
    );
}

#[test]
fn applies_changes_reported_by_the_client() {
    let folder = folder(&MODULE);
    let capabilities =
        json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let mut client = server(folder.path(), capabilities);
    let registration = client.wait_for(|it| it["method"] == "client/registerCapability");
    let registration = &registration["params"]["registrations"][0];
    assert_eq!(registration["method"], "workspace/didChangeWatchedFiles");
    wait_until_current(&mut client, folder.path());

    let tell = |client: &mut Client, changes: &[(&str, u32)]| {
        let changes = changes
            .iter()
            .map(|(path, kind)| json!({"uri": uri(&folder.path().join(path)), "type": kind}));
        let changes = changes.collect::<Vec<_>>();
        client.notify(
            "workspace/didChangeWatchedFiles",
            json!({"changes": changes}),
        );
    };
    write(
        folder.path(),
        "manifests/other.pp",
        "class mine::changed { }\n",
    );
    tell(&mut client, &[("manifests/other.pp", 2)]);
    wait_until_current(&mut client, folder.path());

    fs::remove_file(folder.path().join("manifests/other.pp")).expect("the file exists");
    write(
        folder.path(),
        "types/new/t.pp",
        "type Mine::New::T = String\n",
    );
    write(folder.path(), "metadata.json", r#"{"name":"me-renamed"}"#);
    // Some editors report only the folder.
    tell(
        &mut client,
        &[
            ("types", 1),
            ("manifests/other.pp", 3),
            ("metadata.json", 2),
        ],
    );
    wait_until_current(&mut client, folder.path());
}

#[test]
fn applies_changes_not_reported_by_the_client() {
    let folder = folder(&MODULE);
    let mut client = server(folder.path(), json!({}));
    wait_until_current(&mut client, folder.path());
    write(
        folder.path(),
        "manifests/deep/new.pp",
        "class mine::deep::new { }\n",
    );
    wait_until_current(&mut client, folder.path());
    fs::rename(
        folder.path().join("manifests"),
        folder.path().join("functions"),
    )
    .expect("moved");
    wait_until_current(&mut client, folder.path());
    fs::remove_dir_all(folder.path().join("functions")).expect("removed");
    wait_until_current(&mut client, folder.path());
}

#[test]
fn changes_workspace_folders() {
    let (first, second) = (folder(&MODULE), folder(&MODULE));
    let mut client = server(first.path(), json!({}));
    wait_until_current(&mut client, first.path());
    let one = |it: &Path| json!([{"uri": uri(it), "name": "x"}]);
    let event = json!({"removed": one(first.path()), "added": one(second.path())});
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({"event": event}),
    );
    wait_until_current(&mut client, second.path());
}

#[test]
fn requests_and_applies_settings() {
    let folder = folder(&MODULE);
    write(
        folder.path(),
        "more/extra/manifests/init.pp",
        "class extra { }\n",
    );
    let mut client = server(folder.path(), json!({"workspace": {"configuration": true}}));
    let question = client.wait_for(|it| it["method"] == "workspace/configuration");
    let answer =
        json!({"jsonrpc": "2.0", "id": question["id"], "result": [{"modulepath": ["more"]}]});
    client.send_body(&answer.to_string());
    let deadline = Instant::now() + PATIENCE;
    loop {
        let found = client.request("pupil/workspace", Value::Null);
        let modules = array(&found["result"]["environments"][0]["modules"]);
        if modules.iter().any(|it| it["name"] == "extra") {
            break;
        }
        assert!(Instant::now() < deadline, "{found:#}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Returns the labels that are offered at the end of the first line of a document.
fn offered(client: &mut Client, document: &str, line: &str) -> Vec<String> {
    let answer = client.request(
        "textDocument/completion",
        json!({
            "textDocument": {"uri": document},
            "position": {"line": 0, "character": line.len()},
        }),
    );
    let items = array(&answer["result"]["items"]);
    let labels = items.iter().filter_map(|it| it["label"].as_str());
    labels.map(str::to_owned).collect()
}

#[test]
fn new_documents_see_the_workspace() {
    let folder = folder(&MODULE);
    write(
        folder.path(),
        "manifests/other.pp",
        "# Does other things.\nclass mine::other(Integer $size) { }\n",
    );
    for document in [
        uri(&folder.path().join("manifests/new.pp")),
        uri(&folder.path().join("new/deep/file.pp")),
        "untitled:Untitled-1".to_owned(),
        "file://".to_owned(),
    ] {
        let mut client = server(folder.path(), pulling());
        wait_until_current(&mut client, folder.path());
        client.open(&document, "include mine::o\n");
        let deadline = Instant::now() + PATIENCE;
        // A new path is added to the workspace in the background.
        while !offered(&mut client, &document, "include mine::o").contains(&"mine::other".into()) {
            assert!(Instant::now() < deadline, "{document}");
            thread::sleep(Duration::from_millis(20));
        }
        let text = "class new inherits mine::other { }\nclass { 'mine::other': size => 'x' }\n";
        // A change would count as typed, and its diagnostics would wait for a pause.
        let parameters = json!({"textDocument": {"uri": document}});
        client.notify("textDocument/didClose", parameters);
        client.open(&document, text);
        let hover = client.request(
            "textDocument/hover",
            json!({"textDocument": {"uri": document}, "position": {"line": 0, "character": 22}}),
        );
        let shown = hover["result"]["contents"]["value"].to_string();
        assert!(shown.contains("Does other things"), "{document}: {hover}");
        let found = client.pull(&document);
        let codes: Vec<_> = found.iter().filter_map(|it| it["code"].as_str()).collect();
        assert!(codes.contains(&"type-mismatch"), "{document}: {found:?}");
        assert!(
            !codes.iter().any(|it| it.starts_with("unknown")),
            "{document}: {found:?}"
        );
        // The document is not on the disk, and leaves no trace.
        let parameters = json!({"textDocument": {"uri": document}});
        client.notify("textDocument/didClose", parameters);
        wait_until_current(&mut client, folder.path());
    }
}

#[test]
fn new_files_of_modules_are_known_at_once() {
    let folder = folder(&[
        ("environment.conf", "modulepath = site\n"),
        (
            "site/mine/manifests/init.pp",
            "class mine { include other::new }\n",
        ),
    ]);
    let mut client = server(folder.path(), pulling());
    wait_until_current(&mut client, folder.path());
    for path in ["site/mine/manifests/new.pp", "site/other/manifests/new.pp"] {
        let document = uri(&folder.path().join(path));
        client.open(&document, "include mi\n");
        let labels = offered(&mut client, &document, "include mi");
        assert!(labels.contains(&"mine".to_owned()), "{path}: {labels:?}");
    }
    let document = uri(&folder.path().join("site/other/manifests/new.pp"));
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": document}}),
    );
    client.open(&document, "class other::new { include nope }\n");
    let codes = |client: &mut Client, document: &str| -> Vec<String> {
        let found = client.pull(document);
        let codes = found.iter().filter_map(|it| it["code"].as_str());
        codes.map(str::to_owned).collect()
    };
    assert_eq!(codes(&mut client, &document), ["unknown-class"]);
    let user = uri(&folder.path().join("site/mine/manifests/init.pp"));
    client.open(&user, "class mine { include other::new }\n");
    assert_eq!(codes(&mut client, &user), [""; 0]);
}

#[test]
fn earlier_versions_do_not_see_the_workspace() {
    let folder = folder(&MODULE);
    let mut client = server(folder.path(), pulling());
    wait_until_current(&mut client, folder.path());
    let document = "git:/manifests/other.pp?ref=HEAD";
    client.open(document, "class mine::other { }\n");
    assert_eq!(client.pull(document), Vec::<Value>::new());
    let current = uri(&folder.path().join("manifests/other.pp"));
    client.open(&current, "class mine::other { }\n");
    assert_eq!(client.pull(&current), Vec::<Value>::new());
}

#[test]
fn reports_progress_for_large_workspaces() {
    let folder = folder(&MODULE);
    for number in 0..400 {
        write(folder.path(), &format!("manifests/c{number}.pp"), "");
    }
    let mut client = server(folder.path(), json!({"window": {"workDoneProgress": true}}));
    let create = client.wait_for(|it| it["method"] == "window/workDoneProgress/create");
    client.send_body(&json!({"jsonrpc": "2.0", "id": create["id"], "result": null}).to_string());
    let kind = |it: &Value| it["params"]["value"]["kind"].clone();
    for expected in ["begin", "end"] {
        client.wait_for(|it| it["method"] == "$/progress" && kind(it) == expected);
    }
}

#[test]
fn open_documents_take_precedence_over_the_disk() {
    let folder = folder(&[("a.pp", "$a = 1\n")]);
    let mut client = server(folder.path(), pulling());
    wait_until_current(&mut client, folder.path());
    let document = uri(&folder.path().join("a.pp"));
    client.open(&document, "$a = ]\n");
    assert_eq!(client.pull(&document).len(), 1);
    write(folder.path(), "a.pp", "$a = 2\n");
    wait_until_current(&mut client, folder.path());
    assert_eq!(client.pull(&document).len(), 1);
}

/// A control repository whose files refer to each other, so that a change of one affects others.
const REPO: [(&str, &str); 8] = [
    ("environment.conf", "modulepath = modules\n"),
    (
        "manifests/site.pp",
        "include web\ninclude web::deep\n$y = $web::y\nweb::f()\nthing { 'a': color => 1 }\n",
    ),
    (
        "modules/web/metadata.json",
        r#"{"name":"me-web","version":"1.0.0"}"#,
    ),
    (
        "modules/web/manifests/init.pp",
        "class web inherits base { $y = web::f($z) }\n",
    ),
    (
        "modules/web/manifests/deep.pp",
        "class web::deep { base::d { 'x': n => $base::z } }\n",
    ),
    (
        "modules/web/lib/puppet/functions/web/f.rb",
        "Puppet::Functions.create_function(:'web::f') { dispatch(:f) { } }\n",
    ),
    ("modules/base/manifests/init.pp", "class base { $z = 1 }\n"),
    ("modules/base/manifests/d.pp", "define base::d ($n) { }\n"),
];

/// Alternative contents of the files.
const OTHERS: [&str; 6] = [
    "",
    "class base { $other = 1 }\n",
    "define base::d ($m) { }\n",
    "class web { $x = 1 }\n",
    "class web::deep inherits web { notice($x) }\n",
    "Puppet::Type.newtype(:thing) { newparam(:name) { isnamevar } }\n",
];

/// The files that are open in the editor and therefore take precedence over the disk.
const OPEN: [&str; 3] = [
    "manifests/site.pp",
    "modules/web/manifests/init.pp",
    "modules/web/manifests/deep.pp",
];

/// Changes some of the other files, and returns the paths that an editor would report.
fn change_files(folder: &Path, random: &mut fastrand::Rng) -> Vec<String> {
    let closed: Vec<&str> = REPO
        .iter()
        .map(|it| it.0)
        .filter(|it| !OPEN.contains(it))
        .collect();
    let path = closed[random.usize(1..closed.len())];
    let there = folder.join(path).is_file();
    match random.u8(0..6) {
        0 if there => fs::remove_file(folder.join(path)).expect("the file exists"),
        1 => {
            // A resource type, which is recognized by its path.
            let (path, text) = ("modules/web/lib/puppet/type/thing.rb", OTHERS[5]);
            write(folder, path, text);
            return vec![path.to_owned()];
        }
        2 => {
            let (from, to) = (folder.join("modules/base"), folder.join("modules/moved"));
            let (from, to) = if from.is_dir() {
                (from, to)
            } else {
                (to, from)
            };
            let moved = from.is_dir() && !to.exists() && fs::rename(from, to).is_ok();
            return if moved {
                vec!["modules/base".into(), "modules/moved".into()]
            } else {
                Vec::new()
            };
        }
        // A branch switch: restore all files.
        3 => {
            for (path, text) in REPO {
                write(folder, path, text);
            }
            return REPO.iter().map(|it| it.0.to_owned()).collect();
        }
        _ => write(folder, path, OTHERS[random.usize(..5)]),
    }
    vec![path.to_owned()]
}

#[test]
fn incremental_updates_equal_a_fresh_start() {
    let mut random = fastrand::Rng::with_seed(1);
    let folder = folder(&REPO);
    let capabilities = pulling_and(json!({
        "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}},
    }));
    let mut client = server(folder.path(), capabilities.clone());
    for path in OPEN {
        let text = fs::read_to_string(folder.path().join(path)).expect("the file exists");
        client.open(&uri(&folder.path().join(path)), &text);
    }
    for _ in 0..12 {
        let told: Vec<_> = (0..random.usize(1..5))
            .flat_map(|_| change_files(folder.path(), &mut random))
            .collect();
        let changes = told
            .iter()
            .map(|it| json!({"uri": uri(&folder.path().join(it)), "type": 2}));
        let changes = changes.collect::<Vec<_>>();
        client.notify(
            "workspace/didChangeWatchedFiles",
            json!({"changes": changes}),
        );
        wait_until_current(&mut client, folder.path());
        let mut fresh = server(folder.path(), capabilities.clone());
        wait_until_current(&mut fresh, folder.path());
        for (path, text) in REPO.iter().filter(|it| OPEN.contains(&it.0)) {
            fresh.open(&uri(&folder.path().join(path)), text);
        }
        for path in OPEN {
            let at = uri(&folder.path().join(path));
            let expected = fresh.pull(&at);
            let deadline = Instant::now() + PATIENCE;
            loop {
                let found = client.pull(&at);
                if found == expected {
                    break;
                }
                let message = format!("{path} after {told:?}: {found:#?} is not {expected:#?}");
                assert!(Instant::now() < deadline, "{message}");
                thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

/// Returns the codes of the diagnostics with a severity.
fn codes(folder: &Path, severities: &[&str]) -> Vec<String> {
    let output = pupil(folder, &["check", "--format", "json"]);
    let found: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let findings = array(&found["findings"]).into_iter();
    let findings = findings.filter(|it| severities.iter().any(|name| it["severity"] == *name));
    findings
        .map(|it| it["code"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn modules_of_other_versions_cause_only_hints() {
    let of_version = |required: &str| {
        let puppetfile = format!("mod 'me/lib', '{required}'\n");
        let folder = folder(&[
            ("environment.conf", "modulepath = site:modules\n"),
            ("Puppetfile", &puppetfile),
            (
                "modules/lib/metadata.json",
                r#"{"name":"me-lib","version":"1.0.0"}"#,
            ),
            (
                "modules/lib/manifests/init.pp",
                "class lib (Integer $port = 1) { $x = $port }\n",
            ),
            (
                "modules/lib/manifests/d.pp",
                "define lib::d (Integer $port) { notice($port) }\n",
            ),
            (
                "modules/lib/functions/f.pp",
                "function lib::f(Integer $x) >> Integer { $x }\n",
            ),
            (
                "modules/lib/types/port.pp",
                "type Lib::Port = Integer[1, 10]\n",
            ),
            ("modules/lib/templates/t.epp", "<%- | $a | -%>\n<%= $a %>\n"),
            ("hiera.yaml", "version: 5\n"),
            (
                "data/common.yaml",
                "lookup_options: {'lib::prt': {merge: first}}\nlib::prot: 1\nlib::port: x\nlib::none::a: 1\n",
            ),
            (
                "site/own/manifests/init.pp",
                "class own (Lib::Port $p = 99, Lib::None $q = 1) {\n  class { 'lib': prot => 1 }\n  \
                 lib::d { 'a': port => 'b' }\n  lib::d { 'c': }\n  notice(lib::f('a'), lib::f())\n  \
                 notice(lib::f(1)['a'], $lib::none, $lib::x['a'], $p, $q)\n  include lib::none\n  \
                 notice(epp('lib/t', { 'b' => 1 }), epp('lib/none.epp'), lib::none())\n}\n",
            ),
        ]);
        let hints = codes(folder.path(), &["hint"]);
        (codes(folder.path(), &["error", "warning"]), hints)
    };
    let of_data = ["data-mismatch", "invalid-lookup-option", "unknown-data-key"];
    let (found, hints) = of_version("1.0.0");
    assert!(found.len() >= 16);
    assert!(of_data.iter().all(|it| found.iter().any(|code| code == it)));
    assert_eq!(hints, [""; 0]);
    let (found, hints) = of_version("2.0.0");
    assert_eq!(found, ["unmet-dependency"]);
    assert!(of_data.iter().all(|it| hints.iter().any(|code| code == it)));
}

#[test]
fn modules_of_the_workspace_have_no_other_version() {
    let code = "class own {\n  include mine::none\n}\n";
    let files = [
        (
            "Puppetfile",
            "mod 'mine', git: 'https://x/mine.git', ref: 'v2.0.0'\n",
        ),
        ("modules/mine/manifests/init.pp", "class mine {}\n"),
        (
            "modules/mine/metadata.json",
            r#"{"name":"me-mine","version":"1.0.0","source":"https://h/mine"}"#,
        ),
    ];
    assert_eq!(codes_in_own_module(&files, code), [""; 0]);
    let bolt = [
        ("environment.conf", "modulepath = .modules\n"),
        ("bolt-project.yaml", "name: mine\n"),
        ("Puppetfile", files[0].1),
        (
            "manifests/init.pp",
            "class mine {\n  include mine::none\n}\n",
        ),
        ("metadata.json", files[2].1),
    ];
    let found = codes(folder(&bolt).path(), &["error", "warning"]);
    assert!(found.iter().any(|it| it == "unknown-class"), "{found:?}");
}

#[test]
fn all_keys_are_looked_up_in_the_data_of_bolt_projects() {
    let folder = folder(&[
        ("bolt-project.yaml", "name: mine\n"),
        (
            "hiera.yaml",
            "version: 5\nhierarchy: [{name: c, path: common.yaml}]\n\
             plan_hierarchy: [{name: p, path: plan.yaml}]\n",
        ),
        (
            "data/common.yaml",
            "server_port: 80\nmine::size: big\nurl: \"%{lookup('server_prt')}\"\n",
        ),
        ("data/plan.yaml", "servers: [a]\n"),
        (
            "manifests/init.pp",
            "class mine (Integer $size) {\n  notice($size, lookup('server_port'), lookup('sever_port'))\n}\n",
        ),
        (
            "plans/init.pp",
            "plan mine() {\n  return lookup('servers')\n}\n",
        ),
    ]);
    let mut found = codes(folder.path(), &["error", "warning"]);
    found.sort_unstable();
    let expected = ["data-mismatch", "unknown-lookup-key", "unknown-lookup-key"];
    assert_eq!(found, expected);
    for (key, value) in [("server_port", "--- 80\n"), ("mine::size", "--- big\n")] {
        assert_eq!(stdout(&pupil(folder.path(), &["lookup", key])), value);
    }
}

/// The files of a control repository with a module of its own, and its code.
fn codes_in_own_module(files: &[(&str, &str)], code: &str) -> Vec<String> {
    let mut all = vec![
        ("environment.conf", "modulepath = modules\n"),
        ("modules/own/manifests/init.pp", code),
    ];
    all.extend(files);
    codes(folder(&all).path(), &["error", "warning"])
}

#[test]
fn submodules_that_are_not_checked_out_are_unknown() {
    let code = "class own {\n  include sub::a\n  include none::a\n  \
                file { '/a': source => 'puppet:///modules/own/theme/a' }\n}\n";
    let submodules = "[submodule \"a\"]\n\tpath = modules/sub\n\turl = https://x/sub\n\
                      [submodule \"b\"]\n\tpath = modules/own/files/theme\n";
    let unknown = ["unknown-class", "unknown-class", "missing-file"];
    assert_eq!(codes_in_own_module(&[], code), unknown);
    let files = [(".gitmodules", submodules)];
    assert_eq!(codes_in_own_module(&files, code), ["unknown-class"]);
    let nested = [(".gitmodules", &*submodules.replace("theme", "themes/one"))];
    let around = &code.replace("theme/a", "themes");
    assert_eq!(codes_in_own_module(&nested, around), ["unknown-class"]);
}

#[test]
fn ignored_files_that_do_not_exist_are_unknown() {
    let code = "class own {\n  include own::secret\n  include own::none\n  \
                notice($own::secret::password, $own::none::password)\n  \
                file { '/a': source => 'puppet:///modules/own/certs/a.crt' }\n}\n";
    assert_eq!(codes_in_own_module(&[], code).len(), 5);
    let ignored = "/modules/own/manifests/secret.pp\nmodules/own/files/certs/\n";
    let files = [(".gitignore", ignored)];
    let certain = ["unknown-class", "unknown-variable"];
    assert_eq!(codes_in_own_module(&files, code), certain);
}

#[test]
fn templates_of_manifests_are_no_manifests() {
    let files = [
        (
            "modules/own/templates/site.pp",
            "<% if @a %>\nnode x { }\n<% end %>\n",
        ),
        (
            "modules/templates/manifests/init.pp",
            "class templates { include own:: }\n",
        ),
    ];
    let found = codes_in_own_module(&files, "class own { }\n");
    assert!(!found.is_empty() && found.iter().all(|it| it != "invalid-operand"));
    let output = pupil(
        folder(&[("modules/own/templates/site.pp", "<% if @a %>\n")]).path(),
        &["check"],
    );
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn environments_without_modules_judge_no_names() {
    let folder = folder(&[
        ("vagrant/hiera.yaml", "version: 5\n"),
        (
            "vagrant/manifests/site.pp",
            "include profiles::base\nfoo { 'a': }\n",
        ),
        ("puppet/environment.conf", "modulepath = modules\n"),
        (
            "puppet/modules/profiles/manifests/base.pp",
            "class profiles::base { include none }\n",
        ),
    ]);
    assert_eq!(
        codes(folder.path(), &["error", "warning"]),
        ["unknown-class"]
    );
}

#[test]
fn data_of_projects_has_keys_of_all_modules() {
    let files = [
        ("bolt-project.yaml", "name: mine\n"),
        (
            "environment.conf",
            "modulepath = modules\nmanifest = site.pp\n",
        ),
        ("site.pp", "include mine\n"),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n",
        ),
        ("manifests/init.pp", "class mine { include ntp }\n"),
        (
            "modules/ntp/manifests/init.pp",
            "class ntp (Array $servers = []) { notice($servers) }\n",
        ),
        ("data/common.yaml", "ntp::servers: []\n"),
    ];
    assert_eq!(codes(folder(&files).path(), &["error", "warning"]), [""; 0]);
}

#[test]
fn further_puppetfiles_declare_modules() {
    let found = |further: &str| {
        let files = [
            ("environment.conf", "modulepath = site:modules\n"),
            ("Puppetfile", "mod 'me/lib', '1.0.0'\n"),
            ("puppetfiles/test.Puppetfile", further),
            (
                "site/own/manifests/init.pp",
                "class own { include gizmo::server }\n",
            ),
        ];
        codes(folder(&files).path(), &["error", "warning"])
    };
    assert_eq!(found(""), ["unknown-class"]);
    assert_eq!(found("mod 'me/gizmo', '1.0.0'\n"), [""; 0]);
}

#[test]
fn modules_beside_each_other_may_use_those_of_their_tests() {
    let metadata = r#"{"name":"me-one","version":"1.0.0"}"#;
    let unknown = |fixtures: &str| {
        let files = [
            ("one/metadata.json", metadata),
            ("one/.fixtures.yml", fixtures),
            ("one/manifests/init.pp", "class one { include gizmo::a }\n"),
        ];
        let found = codes(folder(&files).path(), &["error", "warning"]);
        found.iter().filter(|it| *it == "unknown-class").count()
    };
    assert_eq!(unknown("fixtures:\n"), 1);
    let gizmo = "fixtures:\n  repositories:\n    gizmo: https://x/gizmo\n";
    assert_eq!(unknown(gizmo), 0);
}
