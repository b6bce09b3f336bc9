//! Rules about style on the command line: groups, the configuration of puppet-lint, and reports.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use support::files::{folder, pupil, stderr, stdout};

/// A manifest with a block comment, an anchor and an unknown class.
const MANIFEST: &str = "/* The class. */\nclass m {\n  anchor { 'x': }\n  include no::such\n}\n";

const FILES: [(&str, &str); 2] = [
    ("metadata.json", r#"{"name": "a-m", "dependencies": []}"#),
    ("manifests/init.pp", MANIFEST),
];

/// Returns the codes that a check reports, with the check of puppet-lint if it is named.
fn codes(folder: &Path, arguments: &[&str]) -> BTreeMap<String, Option<String>> {
    let output = pupil(
        folder,
        &[&["check", "--format", "json"], arguments].concat(),
    );
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = report["findings"].as_array().expect("a list").iter();
    let text = |it: &Value| it.as_str().map(str::to_owned);
    let codes = findings.map(|it| {
        let code = text(&it["code"]).expect("a code");
        (code, text(&it["puppet_lint"]))
    });
    codes.collect()
}

fn has(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let known = ["anchor-resource", "block-comment", "unknown-class"];
    let found = codes(folder, arguments);
    let found = found.into_keys().filter(|it| known.contains(&&**it));
    found.collect()
}

/// Returns a word for each finding of two rules about layout.
fn layout_codes(folder: &Path, arguments: &[&str]) -> String {
    let output = pupil(
        folder,
        &[&["check", "--format", "json"], arguments].concat(),
    );
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = report["findings"].as_array().expect("a list").iter();
    let words = findings.filter_map(|it| match it["code"].as_str() {
        Some("brace-spacing") => Some("brace"),
        Some("empty-lines") => Some("lines"),
        _ => None,
    });
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    words.join(" ")
}

#[test]
fn style_is_off_unless_a_project_turns_it_on() {
    let folder = folder(&FILES);
    assert_eq!(has(folder.path(), &[]), ["unknown-class"]);
    let settings = folder.path().join("pupil.toml");
    std::fs::write(&settings, "[rules]\nstyle = \"warning\"\n").expect("a file");
    assert_eq!(
        has(folder.path(), &[]),
        ["anchor-resource", "block-comment", "unknown-class"]
    );
    let found = codes(folder.path(), &[]);
    assert_eq!(found["block-comment"].as_deref(), Some("star_comments"));
    assert_eq!(found["unknown-class"], None);
    let text = "[rules]\nstyle = \"warning\"\nstar_comments = \"off\"\n";
    std::fs::write(&settings, text).expect("a file");
    assert_eq!(
        has(folder.path(), &[]),
        ["anchor-resource", "unknown-class"]
    );
}

#[test]
fn the_command_line_selects_rules() {
    let folder = folder(&FILES);
    let has = |arguments: &[&str]| has(folder.path(), arguments);
    assert_eq!(
        has(&["--select", "style"]),
        ["anchor-resource", "block-comment"]
    );
    assert_eq!(
        has(&["--select", "star_comments,unknown-class"]),
        ["block-comment", "unknown-class"]
    );
    assert_eq!(
        has(&["--select", "style", "--ignore", "block-comment"]),
        ["anchor-resource"]
    );
    assert!(has(&["--ignore", "unknown-class"]).is_empty());
    let output = pupil(folder.path(), &["check", "--select", "star_coments"]);
    assert_eq!(output.status.code(), Some(2));
    let error = stderr(&output);
    assert!(error.contains("did you mean `star_comments`?"), "{error}");
    let everything = has(&["--select", "all"]);
    assert_eq!(
        everything,
        ["anchor-resource", "block-comment", "unknown-class"]
    );
    let output = pupil(folder.path(), &["check", "--select", ""]);
    assert!(stderr(&output).starts_with("error: empty rule name;"));
    let output = pupil(folder.path(), &["check", "--static", "--select", "style"]);
    assert!(stderr(&output).contains("cannot be used with"));
}

#[test]
fn only_selected_rules_are_fixed() {
    let manifest = "/* The class. */\nclass m {\n  notice(\"\\q\")\n}\n";
    let folder = folder(&[
        ("metadata.json", FILES[0].1),
        ("manifests/init.pp", manifest),
    ]);
    let select = ["check", "--select", "block-comment"];
    let text = stdout(&pupil(folder.path(), &select));
    assert!(text.contains("[UNRECOGNIZED_ESCAPE]"), "{text}");
    assert!(text.ends_with("\n1 fixable with --fix\n"), "{text}");
    let text = stdout(&pupil(folder.path(), &[&select[..], &["--fix"]].concat()));
    assert!(text.contains("[UNRECOGNIZED_ESCAPE]"), "{text}");
    assert!(!text.contains("fixable"), "{text}");
    let fixed = std::fs::read_to_string(folder.path().join("manifests/init.pp"));
    let expected = manifest.replace("/* The class. */", "# The class.");
    assert_eq!(fixed.expect("the file"), expected);
    std::fs::write(folder.path().join("broken.pp"), "$a = \"\\q\" +\n").expect("a file");
    let text = stdout(&pupil(folder.path(), &["check", "broken.pp"]));
    assert!(text.contains("[UNRECOGNIZED_ESCAPE]"), "{text}");
    assert!(!text.contains("fixable"), "{text}");
    let select = ["check", "--select", "UNRECOGNIZED_ESCAPE", "--fix"];
    pupil(folder.path(), &select);
    let fixed = std::fs::read_to_string(folder.path().join("manifests/init.pp"));
    assert!(fixed.expect("the file").contains(r#""\\q""#));
}

#[test]
fn the_configuration_of_puppet_lint_counts_without_settings() {
    let folder = folder(&FILES);
    let has = || has(folder.path(), &[]);
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a file");
    };
    write(".puppet-lint.rc", "--relative\n");
    assert_eq!(has(), ["block-comment", "unknown-class"]);
    write("Gemfile", "gem 'voxpupuli-test'\n");
    assert_eq!(has(), ["anchor-resource", "block-comment", "unknown-class"]);
    write(".puppet-lint.rc", "--no-star_comments-check\n");
    assert_eq!(has(), ["anchor-resource", "unknown-class"]);
    write(".puppet-lint.rc", "--ignore-paths=manifests/*.pp\n");
    assert_eq!(has(), ["unknown-class"]);
    std::fs::write(folder.path().join(".puppet-lint.rc"), b"--relative\n\xff\n").expect("a file");
    let output = pupil(folder.path(), &["check"]);
    let warning = ".puppet-lint.rc: invalid UTF-8: unexpected byte 0xFF\n";
    assert!(stderr(&output).contains(warning), "{}", stderr(&output));
    write("pupil.toml", "");
    assert_eq!(has(), ["unknown-class"]);
}

#[test]
fn findings_count_if_a_check_that_reports_them_is_on() {
    let text =
        "# The x\nclass x{\n  if $facts['a'] {\n    notice({b => 1})\n  }\n\n\n  notice(1)\n\n}\n";
    let folder = folder(&[("metadata.json", FILES[0].1), ("manifests/init.pp", text)]);
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a file");
    };
    let counts = || layout_codes(folder.path(), &[]);
    write("Gemfile", "gem 'voxpupuli-test'\n");
    write(".puppet-lint.rc", "--relative\n");
    assert_eq!(counts(), "brace brace brace lines lines");
    write(
        ".puppet-lint.rc",
        "--no-manifest_whitespace_two_empty_lines-check\n--no-manifest_whitespace_opening_brace_before-check\n",
    );
    let some = "brace brace lines";
    assert_eq!(counts(), some);
    let output = pupil(folder.path(), &["migrate"]);
    assert!(!stderr(&output).contains("stays on"), "{}", stderr(&output));
    assert_eq!(counts(), some);
    let ignored = text
        .replace(
            "x{",
            "x{ # lint:ignore:manifest_whitespace_opening_brace_before",
        )
        .replace(
            "=> 1})",
            "=> 1}) # lint:ignore:manifest_whitespace_closing_brace_before",
        );
    write("manifests/init.pp", &ignored);
    write("pupil.toml", "[rules]\nbrace-spacing = \"warning\"\n");
    assert_eq!(counts(), "brace");
    write(
        "pupil.toml",
        "[rules]\nmanifest_whitespace_opening_brace_after = \"warning\"\n\
         manifest_whitespace_opening_brace_before = \"off\"\n",
    );
    let found = layout_codes(folder.path(), &["--select", "style"]);
    assert_eq!(found, "brace lines lines");
    write(
        "pupil.toml",
        "[rules]\nmanifest_whitespace_two_empty_lines = \"info\"\n",
    );
    assert_eq!(counts(), "lines");
}

#[test]
fn comments_of_puppet_lint_suppress_rules() {
    let text = MANIFEST.replace(
        "  anchor { 'x': }\n",
        "  anchor { 'x': } # lint:ignore:anchor_resource\n",
    );
    let text = format!("# lint:ignore:star_comments\n{text}");
    let folder = folder(&[("metadata.json", FILES[0].1), ("manifests/init.pp", &text)]);
    let found = codes(folder.path(), &["--select", "style"]);
    let found: Vec<&str> = found.keys().map(String::as_str).collect();
    // The block is not closed.
    assert!(found.contains(&"block-comment") && found.contains(&"unclosed-suppression"));
    assert!(!found.contains(&"anchor-resource"), "{found:?}");
}

#[test]
fn migrates_once() {
    let folder = folder(&[(".puppet-lint.rc", "--no-star_comments-check\n")]);
    let output = pupil(folder.path(), &["migrate"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = std::fs::read_to_string(folder.path().join("pupil.toml")).expect("it is written");
    // The list of the rules that are on is shorter than that of the others.
    assert!(text.contains("\narrow-alignment = \"warning\" # arrow_alignment\n"));
    assert!(!text.contains("block-comment"));
    assert_eq!(
        stderr(&output),
        "note: `pupil check` exits with 1 if there are warnings, unlike puppet-lint; the level \"info\" reports without \
         failing\nwrote pupil.toml from .puppet-lint.rc\n"
    );
    let output = pupil(folder.path(), &["migrate"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("already exists"));
    let output = pupil(folder.path(), &["migrate", "--print"]);
    assert_eq!(stdout(&output), text);
}

#[test]
fn rules_are_listed_with_their_checks() {
    let folder = folder(&[("pupil.toml", "[rules]\nstyle = \"hint\"\n")]);
    let output = pupil(
        folder.path(),
        &["rules", "--group", "style", "--format", "json"],
    );
    let rules: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rules = rules.as_array().expect("a list");
    let rule = rules.iter().find(|it| it["code"] == "block-comment");
    let rule = rule.expect("it is a rule about style");
    assert_eq!(rule["level"], "hint");
    assert_eq!(rule["default_level"], "off");
    assert_eq!(rule["fix"], "safe");
    assert_eq!(rule["puppet_lint"][0], "star_comments");
    assert!(rules.iter().all(|it| it["group"] == "style"));
    let text = stdout(&pupil(folder.path(), &["rules"]));
    assert!(text.contains("\nunknown-class "), "{text}");
    let page = stdout(&pupil(folder.path(), &["explain", "star_comments"]));
    assert!(page.starts_with("# block-comment\n"), "{page}");
}

#[test]
fn reports_count_diagnostics() {
    let folder = folder(&FILES);
    let run = |arguments: &[&str]| {
        let select = [
            "check",
            "--select",
            "anchor-resource,block-comment,unknown-class",
        ];
        stdout(&pupil(folder.path(), &[&select, arguments].concat()))
    };
    let counts = run(&["--statistics"]);
    let expected = "1  anchor-resource\n1  block-comment    1 fixable with --fix\n1  unknown-class\n\
         3 warnings in 2 files\n1 fixable with --fix\n";
    assert_eq!(counts, expected);
    let output = pupil(
        folder.path(),
        &["check", "--statistics", "--format", "sarif"],
    );
    assert_eq!(output.status.code(), Some(2));
    let clean = pupil(
        folder.path(),
        &["check", "--statistics", "--select", "unused-variable"],
    );
    assert!(
        stdout(&clean).starts_with("no problems in "),
        "{}",
        stdout(&clean)
    );
    let report = run(&["--format", "junit"]);
    let suites = r#"<testsuites name="pupil" tests="4" failures="3">"#;
    assert!(report.contains(suites), "{report}");
    let lines = run(&["--format", "concise"]);
    let first = lines.lines().next().unwrap_or_default();
    assert!(first.contains(": warning: "), "{lines}");
    assert!(first.ends_with(']'), "{lines}");
    let issues: Value = serde_json::from_str(&run(&["--format", "codeclimate"])).expect("JSON");
    assert_eq!(issues[0]["type"], "issue");
    assert_eq!(issues[0]["categories"][0], "Style");
}

#[test]
fn groups_do_not_turn_on_what_a_project_turns_off_by_name() {
    let folder = folder(&FILES);
    let settings = folder.path().join("pupil.toml");
    let text = "[rules]\nstyle = \"warning\"\nblock-comment = \"off\"\n";
    std::fs::write(&settings, text).expect("a file");
    for group in ["style", "all"] {
        let found = has(folder.path(), &["--select", group]);
        assert!(!found.contains(&"block-comment".to_owned()), "{found:?}");
    }
    assert_eq!(
        has(folder.path(), &["--select", "star_comments"]),
        ["block-comment"]
    );
    std::fs::remove_file(&settings).expect("a file");
    let lint = folder.path().join(".puppet-lint.rc");
    std::fs::write(lint, "--no-star_comments-check\n").expect("a file");
    let found = has(folder.path(), &["--select", "style"]);
    assert!(!found.contains(&"block-comment".to_owned()), "{found:?}");
}

#[test]
fn the_tasks_of_a_project_configure_puppet_lint() {
    let folder = folder(&FILES);
    let add = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a file");
    };
    add(
        "Rakefile",
        "PuppetLint.configuration.send('disable_star_comments')\n",
    );
    // The project does not configure puppet-lint for editors.
    assert_eq!(has(folder.path(), &[]), ["unknown-class"]);
    add(".puppet-lint.rc", "--relative\n");
    assert_eq!(has(folder.path(), &[]), ["unknown-class"]);
    add("Rakefile", "PuppetLint.configuration.relative = true\n");
    assert_eq!(has(folder.path(), &[]), ["block-comment", "unknown-class"]);
    add(
        ".sync.yml",
        "Rakefile:\n  extra_disabled_lint_checks: [star_comments]\n",
    );
    assert_eq!(has(folder.path(), &[]), ["unknown-class"]);
}
