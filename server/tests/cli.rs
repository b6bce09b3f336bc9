//! The command line interface.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use support::files::{folder, pupil, stderr, stdout, write};

const GOOD: &str = "class good { }\n";
const BAD: &str = "$a = 'ü' ]\n";

fn run_with_input(arguments: &[&str], input: &[u8]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pupil"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("the stream is piped");
    stdin.write_all(input).expect("standard input is open");
    drop(stdin);
    let output = child.wait_with_output().expect("the process exits");
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).expect("text");
    let parse = |it: &str| serde_json::from_str(it).expect("JSON");
    lines.lines().map(parse).collect()
}

/// Returns the files in which a check reports diagnostics.
fn files_with_findings(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let output = pupil(
        folder,
        &[&["check", "--format", "json"], arguments].concat(),
    );
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = report["findings"].as_array().expect("a list").iter();
    let mut files: Vec<String> = findings
        .map(|it| it["file"].as_str().unwrap_or_default().to_owned())
        .collect();
    files.dedup();
    files
}

/// Returns the lines of standard error without notes on what is not checked.
fn errors(output: &std::process::Output) -> String {
    let text = stderr(output);
    let lines = text.split_inclusive('\n');
    lines.filter(|it| !it.starts_with("note: ")).collect()
}

#[test]
fn manifest_without_project_knows_its_own_definitions() {
    let source = "define a::b (Integer $port) { }\na::b { 'x': port => '80' }\na::c { 'y': }\n";
    let check = |files: &[(&str, &str)]| {
        let folder = folder(files);
        stdout(&pupil(folder.path(), &["check", "--format", "concise"]))
    };
    let found = check(&[("site.pp", source)]);
    assert!(
        found.contains("site.pp:2:21: error: parameter `port`"),
        "{found}"
    );
    assert!(!found.contains("a::c"), "{found}");
    // Manifests in one directory need not be applied together.
    let found = check(&[("one.pp", source), ("two.pp", GOOD)]);
    assert!(!found.contains("error"), "{found}");
}

#[test]
fn module_with_misplaced_class() {
    let check = |source: &str| {
        let folder = folder(&[
            (
                "example/metadata.json",
                r#"{"name": "a-example", "version": "1.0.0"}"#,
            ),
            ("example/manifests/init.pp", source),
        ]);
        let path = folder.path().join("example");
        stdout(&pupil(
            &path,
            &["check", "--format", "concise", "manifests"],
        ))
    };
    let found = check("class example_x { }\n");
    assert!(
        found.contains("`example_x` cannot be autoloaded from this file"),
        "{found}"
    );
    let found = check("class example { }\nclass example_x { }\n");
    assert!(!found.contains("does not find"), "{found}");
}

#[test]
fn exit_status_of_check() {
    let folder = folder(&[("good.pp", GOOD), ("bad.pp", BAD)]);
    let status = |paths: &[&str]| {
        pupil(folder.path(), &[&["check"], paths].concat())
            .status
            .code()
    };
    assert_eq!(status(&["good.pp"]), Some(0));
    assert_eq!(status(&["bad.pp"]), Some(1));
    assert_eq!(status(&[]), Some(1));
    assert_eq!(status(&["good.pp", "no/such.pp"]), Some(2));
    assert_eq!(status(&["bad.pp", "no/such.pp"]), Some(2));
    assert_eq!(status(&["--format", "nonsense"]), Some(2));
}

#[test]
fn searches_folders_like_git() {
    let folder = folder(&[
        (".gitignore", "ignored/\n"),
        ("a/b/c.pp", BAD),
        ("a/t.epp", "<%= ] %>"),
        ("a/notes.txt", BAD),
        ("ignored/x.pp", BAD),
        (".hidden/x.pp", BAD),
        ("z.pp", BAD),
    ]);
    assert_eq!(
        files_with_findings(folder.path(), &[]),
        ["a/b/c.pp", "a/t.epp", "z.pp"]
    );
    // Explicit paths are always checked, and only once.
    assert_eq!(
        files_with_findings(folder.path(), &["ignored/x.pp", "a/b", "a/b/c.pp"]),
        ["a/b/c.pp", "ignored/x.pp"]
    );
}

#[test]
fn excerpts_have_no_carriage_returns() {
    let folder = folder(&[("a.pp", "$a = 1\r\n$b = ]\r\n$c = 2\r\n")]);
    let text = stdout(&pupil(folder.path(), &["check", "a.pp"]));
    assert!(text.contains("$b = ]\n"), "{text}");
}

#[test]
fn text_has_excerpts_and_no_colors_in_a_pipe() {
    let folder = folder(&[("bad.pp", BAD)]);
    let plain = stdout(&pupil(folder.path(), &["check"]));
    assert!(plain.contains("bad.pp:1:10"), "{plain}");
    assert!(plain.contains("1 | $a = 'ü' ]"), "{plain}");
    assert!(plain.contains("1 error in 1 file"), "{plain}");
    assert!(!plain.contains('\u{1b}'), "{plain}");
    let colored = stdout(&pupil(folder.path(), &["check", "--color", "always"]));
    assert!(colored.contains("\u{1b}["), "{colored}");
}

#[test]
fn json_format() {
    let folder = folder(&[("sub/bad.pp", BAD), ("sub/good.pp", GOOD)]);
    let output = pupil(folder.path(), &["check", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["files"], 2);
    let finding = &report["findings"][0];
    for (field, value) in [
        ("file", json!("sub/bad.pp")),
        ("line", json!(1)),
        ("column", json!(10)),
        ("end_line", json!(1)),
        ("end_column", json!(11)),
        ("severity", json!("error")),
        ("code", json!("SYNTAX_ERROR")),
        ("related", json!([])),
    ] {
        assert_eq!(finding[field], value, "{field}");
    }
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(1));
}

#[test]
fn github_and_sarif_have_locations() {
    let folder = folder(&[("a,b.pp", BAD)]);
    let github = stdout(&pupil(folder.path(), &["check", "--format", "github"]));
    let start = "::error file=a%2Cb.pp,line=1,endLine=1,col=10,endColumn=11,title=SYNTAX_ERROR::";
    assert!(github.starts_with(start), "{github}");
    assert_eq!(github.lines().count(), 1);

    let output = pupil(folder.path(), &["check", "--format", "sarif"]);
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "SYNTAX_ERROR");
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "a%2Cb.pp");
    assert_eq!(location["region"]["startColumn"], 10);
    assert_eq!(
        log["runs"][0]["invocations"][0]["executionSuccessful"],
        true
    );

    let output = pupil(folder.path(), &["check", "--format", "sarif", "none.pp"]);
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        log["runs"][0]["invocations"][0]["executionSuccessful"],
        false
    );
}

#[test]
fn gitlab_fingerprint_is_stable_when_lines_move() {
    let twice = "class twice {\n  notice(1 / 0)\n  notice(1 / 0)\n}\n";
    let folder = folder(&[(".git", "gitdir: elsewhere\n"), ("site/a b.pp", twice)]);
    let check = |current: &str, path: &str| {
        let current = folder.path().join(current);
        let output = pupil(&current, &["check", "--format", "gitlab", path]);
        assert_eq!(output.status.code(), Some(1));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        report.as_array().expect("a list").clone()
    };
    let before = check("", ".");
    assert_eq!(before.len(), 2, "{before:?}");
    let first = &before[0];
    assert_eq!(first["check_name"], "division-by-zero");
    assert_eq!(first["severity"], "major");
    let place = json!({"path": "site/a b.pp", "lines": {"begin": 2, "end": 2}});
    assert_eq!(first["location"], place);
    let text = first["description"].as_str().unwrap_or_default();
    assert!(!text.is_empty(), "{first}");
    assert_ne!(first["fingerprint"], before[1]["fingerprint"]);
    // Paths are relative to the repository, independently of the working directory.
    assert_eq!(check("site", "."), before);
    assert_eq!(check("", &folder.path().display().to_string()), before);

    let moved = format!(
        "# A comment.\n\n{}",
        twice.replace("  notice", "      notice")
    );
    std::fs::write(folder.path().join("site/a b.pp"), moved).expect("a file");
    let after = check("", ".");
    assert_eq!(after[0]["location"]["lines"]["begin"], 4);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before["fingerprint"], after["fingerprint"]);
    }
}

#[test]
fn output_is_deterministic() {
    let files: Vec<(String, &str)> = (0..200)
        .map(|it| (format!("d{}/{it}.pp", it % 7), BAD))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), *text))
        .collect();
    let folder = folder(&files);
    let first = stdout(&pupil(folder.path(), &["check"]));
    for _ in 0..5 {
        assert_eq!(stdout(&pupil(folder.path(), &["check"])), first);
    }
}

#[test]
fn reports_invalid_utf8() {
    let folder = folder(&[]);
    std::fs::write(folder.path().join("bytes.pp"), b"class a {\n  $\xff }\n").expect("a file");
    let output = pupil(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stdout(&output).contains("bytes.pp:2:4"),
        "{}",
        stdout(&output)
    );
    assert!(stdout(&output).contains("0xFF"));
}

#[cfg(unix)]
#[test]
fn reports_paths_that_are_not_files() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = folder(&[
        ("good.pp", GOOD),
        ("secret.pp", BAD),
        ("folder.pp/in.pp", GOOD),
    ]);
    let path = |name: &str| folder.path().join(name);
    symlink(".", path("loop")).expect("a link");
    symlink("nowhere.pp", path("dangling.pp")).expect("a link");
    symlink("good.pp", path("linked.pp")).expect("a link");
    let output = pupil(
        folder.path(),
        &["check", "good.pp", "folder.pp", "loop", "linked.pp"],
    );
    assert_eq!(errors(&output), "");

    for missing in ["dangling.pp", "nosuch.pp"] {
        let output = pupil(folder.path(), &["check", missing]);
        let error = format!("error: cannot read {missing}: no such file or directory\n");
        assert_eq!(stderr(&output), error);
        assert_eq!(output.status.code(), Some(2));
    }
    let position = path("nosuch.pp:1:1");
    let output = pupil(folder.path(), &["hover", &position.to_string_lossy()]);
    assert!(stderr(&output).ends_with(": no such file or directory\n"));
    let output = pupil(folder.path(), &["workspace", "nosuch"]);
    assert_eq!(output.status.code(), Some(2));
    let output = pupil(folder.path(), &["check", "--write-baseline", "no/such"]);
    assert!(stderr(&output).contains("baseline no/such: no such file or directory\n"));

    let output = pupil(folder.path(), &["check", "/dev/null"]);
    assert_eq!(
        errors(&output),
        "error: cannot read /dev/null: expected a file, found a device or pipe\n"
    );

    let closed = std::fs::Permissions::from_mode(0o000);
    std::fs::set_permissions(path("secret.pp"), closed).expect("permissions can be set");
    // Root can read everything.
    if std::fs::read(path("secret.pp")).is_err() {
        let output = pupil(folder.path(), &["check"]);
        assert_eq!(
            errors(&output),
            "error: cannot read secret.pp: permission denied\n"
        );
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn handles_strange_and_huge_files() {
    let nested = "[".repeat(100_000);
    let long_line = format!("$a = [{}}}", "1, ".repeat(100_000));
    let huge = "$a = { 'x' => [1, 2, 3], 'y' => 'some text' }\n".repeat(450_000);
    let folder = folder(&[
        ("nested.pp", nested.as_str()),
        ("long.pp", long_line.as_str()),
        ("nul.pp", "$a = '\u{0}'\n\u{0}\n"),
        ("cr.pp", "$a = 1\r$b = ]\r"),
        ("empty.pp", ""),
        ("bom.pp", "\u{feff}$a = 1"),
        ("huge.pp", huge.as_str()),
    ]);
    for name in [
        "nested.pp",
        "long.pp",
        "nul.pp",
        "cr.pp",
        "empty.pp",
        "bom.pp",
        "huge.pp",
    ] {
        for format in ["text", "json"] {
            let output = pupil(folder.path(), &["check", "--format", format, name]);
            assert!(
                matches!(output.status.code(), Some(0 | 1)),
                "{name}: {}",
                stderr(&output)
            );
            assert_eq!(errors(&output), "", "{name}");
            assert!(output.stdout.len() < 1 << 20, "{name}");
        }
    }
}

#[test]
fn debug_parse_responds_to_every_line_in_order() {
    let folder = folder(&[("good.pp", GOOD), ("bad.pp", BAD)]);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let input = format!(
        "{}\n{}\n\n{}\n",
        path("good.pp"),
        path("none.pp"),
        path("bad.pp")
    );
    let mut input = input.into_bytes();
    input.extend(b"\xff\n");
    let answers = run_with_input(&["debug", "parse", "--ast", "pn"], &input);
    let verdicts: Vec<(&Value, &Value)> =
        answers.iter().map(|it| (&it["ok"], &it["stage"])).collect();
    assert_eq!(
        verdicts,
        [
            (&json!(true), &Value::Null),
            (&json!(false), &json!("input")),
            (&json!(false), &json!("parse")),
            (&json!(false), &json!("input")),
        ]
    );
    assert!(answers[0]["ast"].is_string());
    assert_eq!(answers[2]["errors"][0]["line"], 1);
    assert_eq!(answers[2]["errors"][0]["pos"], 10);
}

#[test]
fn debug_parse_accepts_objects() {
    let input = br#"{"id": "a", "source": "class a {}"}
{"id": 2, "source": "<%= $x", "path": "x.epp"}
[1]
{"id": 4}
nonsense
{"id": 6, "source": "plan a::b() {}", "path": "/m/plans/b.pp"}
{"id": 7, "source": "plan a::b() {}"}
"#;
    let answers = run_with_input(&["debug", "parse", "--json"], input);
    let ids: Vec<&Value> = answers.iter().map(|it| &it["id"]).collect();
    let null = Value::Null;
    assert_eq!(
        ids,
        [
            &json!("a"),
            &json!(2),
            &null,
            &json!(4),
            &null,
            &json!(6),
            &json!(7)
        ]
    );
    let ok: Vec<bool> = answers.iter().map(|it| it["ok"] == true).collect();
    assert_eq!(ok, [true, false, false, false, false, true, false]);
    for index in [2, 3, 4] {
        assert_eq!(answers[index]["stage"], "input");
    }
}

#[test]
fn eval_prints_value_and_type() {
    let folder = folder(&[("facts.json", r#"{"kernel": "Linux", "n": [1, null]}"#)]);
    let eval = |arguments: &[&str]| pupil(folder.path(), &[&["eval"], arguments].concat());
    let value = eval(&["with(2) |$x| { [$x, \"a$x\"] }"]);
    assert_eq!(
        stdout(&value),
        "[2, 'a2']\nTuple[Integer[2, 2], String<a2>]\n"
    );
    assert!(value.status.success());
    let facts = eval(&["--facts", "facts.json", "[$kernel, $facts['n']]"]);
    assert!(stdout(&facts).starts_with("['Linux', [1, undef]]\n"));
    let wrong = eval(&["1 + 'a'"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stderr(&wrong).contains("NOT_NUMERIC") && stdout(&wrong).is_empty());
    let unknown = eval(&["$kernel"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).starts_with("unknown: "));
    assert_eq!(eval(&["--facts", "none.json", "1"]).status.code(), Some(2));
}

#[test]
fn eval_uses_the_version_of_the_project() {
    let folder = folder(&[("pupil.toml", "[puppet]\nversion = 7\n")]);
    let eval = |arguments: &[&str]| {
        let output = pupil(folder.path(), &[&["eval"], arguments].concat());
        stdout(&output).lines().next().map(str::to_owned)
    };
    // Puppet 7 converts the string.
    let code = "'1' + 1";
    assert_eq!(eval(&[code]).as_deref(), Some("2"));
    assert_eq!(eval(&["--puppet", "8", code]), None);
}

#[test]
fn eval_reads_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pupil"))
        .arg("eval")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("the stream is piped");
    stdin
        .write_all(b"$x = 1\n$x + 1\n")
        .expect("standard input is open");
    drop(stdin);
    let output = child.wait_with_output().expect("the process exits");
    assert_eq!(stdout(&output), "2\nInteger[2, 2]\n");
}

#[test]
fn debug_eval_and_types_respond_to_every_line() {
    let queries = concat!(
        r#"{"id":1,"source":"1 + 1"}"#,
        "\n",
        r#"{"id":2,"source":"$n + 1","facts":{"n":2}}"#,
        "\n",
        r#"{"id":3,"source":"$kernel"}"#,
        "\n",
        r#"{"id":4,"source":"next()"}"#,
        "\nnothing\n",
    );
    let answers = run_with_input(&["debug", "eval"], queries.as_bytes());
    assert_eq!(answers[0]["value"], "2");
    assert_eq!(answers[1]["type_detailed"], "Integer[3, 3]");
    assert_eq!(answers[2]["ok"], Value::Null);
    assert_eq!(
        (&answers[3]["ok"], &answers[3]["code"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(answers[4]["stage"], "input");

    let queries = concat!(
        r#"{"id":1,"op":"assignable","a":"T","b":"Integer[1]","defs":"type T = Integer"}"#,
        "\n",
        r#"{"id":2,"op":"instance","type":"Array[Integer]","value_source":"[1, 2] + [3]"}"#,
        "\n",
        r#"{"id":3,"op":"common","a":"Integer[1, 2]","b":"Integer[5, 6]"}"#,
        "\n",
        r#"{"id":4,"op":"nothing"}"#,
        "\n",
    );
    let answers = run_with_input(&["debug", "types"], queries.as_bytes());
    assert_eq!(
        (&answers[0]["id"], &answers[0]["result"]),
        (&json!(1), &json!(true))
    );
    assert_eq!(answers[1]["result"], true);
    assert_eq!(answers[2]["result"], "Integer[1, 6]");
    assert_eq!(answers[3]["stage"], "input");
}

#[test]
fn debug_tree_covers_the_whole_text() {
    let folder = folder(&[("bad.pp", BAD)]);
    let tree = stdout(&pupil(folder.path(), &["debug", "tree", "bad.pp"]));
    assert!(tree.starts_with("SOURCE_FILE@0..12\n"), "{tree}");
    assert!(tree.contains("\"'ü'\""), "{tree}");
}

#[test]
fn debug_stats_prints_counts() {
    let folder = folder(&[("bad.pp", BAD), ("good.pp", GOOD)]);
    let stats = stdout(&pupil(folder.path(), &["debug", "stats"]));
    let stats: Value = serde_json::from_str(&stats).expect("JSON");
    assert_eq!(stats["files"], 2);
    assert_eq!(stats["bytes"], BAD.len() + GOOD.len());
    assert_eq!(stats["diagnostics"], 1);
}

#[test]
fn demo_shows_its_manifest() {
    let output = pupil(Path::new("."), &["demo", "--color", "never"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("class demo ("));
    assert!(!stdout(&output).contains('\u{1b}'));
}

#[test]
fn format_modes() {
    let messy = "class a {\n$x = {b=>1,\n}\n}\n";
    let tidy = "class a {\n  $x = {\n    b => 1,\n  }\n}\n";
    let folder = folder(&[
        ("messy.pp", messy),
        ("tidy.pp", tidy),
        ("t.epp", "a <%=   $x%>\n"),
    ]);
    let text = || std::fs::read_to_string(folder.path().join("messy.pp")).expect("a file");
    let format = |arguments: &[&str]| pupil(folder.path(), &[&["format"], arguments].concat());

    let checked = format(&["--check"]);
    assert_eq!(
        (checked.status.code(), stdout(&checked).as_str()),
        (Some(1), "messy.pp\nt.epp\n")
    );
    let shown = format(&["--diff"]);
    assert_eq!(shown.status.code(), Some(1));
    assert!(
        stdout(&shown).contains("-$x = {b=>1,\n"),
        "{}",
        stdout(&shown)
    );
    assert_eq!(text(), messy);

    let written = format(&[]);
    assert_eq!(written.status.code(), Some(0));
    assert_eq!(stderr(&written), "formatted messy.pp\nformatted t.epp\n");
    assert_eq!(text(), tidy);
    let template = std::fs::read_to_string(folder.path().join("t.epp")).expect("a file");
    assert_eq!(template, "a <%= $x %>\n");
    assert_eq!(format(&["--check"]).status.code(), Some(0));

    // Files with syntax errors are reported and not changed; the others are formatted.
    std::fs::write(folder.path().join("broken.pp"), BAD).expect("a file");
    std::fs::write(folder.path().join("messy.pp"), messy).expect("a file");
    let partly = format(&[]);
    assert_eq!(partly.status.code(), Some(2));
    assert!(
        stderr(&partly).contains("cannot format broken.pp: the code has syntax errors"),
        "{}",
        stderr(&partly)
    );
    assert_eq!(text(), tidy);
}

#[test]
fn format_reads_the_settings_of_the_project() {
    let untidy = "$x = [\n  'a'\n]\n$yyyyyyyy = ['b', 'c']\n";
    let folder = folder(&[
        ("a.pp", untidy),
        (
            "pupil.toml",
            "[format]\ntrailing-commas = false\nline-width = 20\n",
        ),
    ]);
    let output = pupil(folder.path(), &["format"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = std::fs::read_to_string(folder.path().join("a.pp")).expect("a file");
    let tidy = "$x = [\n  'a'\n]\n$yyyyyyyy = [\n  'b',\n  'c'\n]\n";
    assert_eq!(text, tidy);
}

#[test]
fn format_modes_of_standard_input() {
    let folder = folder(&[("a.pp", GOOD)]);
    let run = |arguments: &[&str], input: &str| {
        let output = with_input(folder.path(), &[&["format"], arguments].concat(), input);
        (output.status.code(), stdout(&output))
    };
    let (untidy, tidy) = ("$a=1\n", "$a = 1\n");
    assert_eq!(run(&["-"], untidy), (Some(0), tidy.to_owned()));
    assert_eq!(run(&["--check", "-"], untidy), (Some(1), "-\n".to_owned()));
    let (status, diff) = run(&["--diff", "-"], untidy);
    assert_eq!(status, Some(1));
    assert!(diff.ends_with("-$a=1\n+$a = 1\n"), "{diff}");
    for mode in ["--check", "--diff"] {
        assert_eq!(run(&[mode, "-"], tidy), (Some(0), String::new()));
    }
    assert_eq!(run(&["-", "a.pp"], untidy), (Some(2), String::new()));
}

/// Runs `pupil check` with arguments and a standard input.
fn check_input(folder: &Path, arguments: &[&str], input: &str) -> std::process::Output {
    with_input(folder, &[&["check"], arguments].concat(), input)
}

/// Runs `pupil` with arguments and a standard input.
fn with_input(folder: &Path, arguments: &[&str], input: &str) -> std::process::Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pupil"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("the stream is piped");
    // The program may end without reading it.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the process exits")
}

#[test]
fn checks_standard_input_as_the_named_file() {
    let metadata = r#"{"name": "me-site", "version": "1.0.0", "author": "me", "license": "MIT",
        "source": "", "dependencies": []}"#;
    let folder = folder(&[
        ("metadata.json", metadata),
        ("manifests/init.pp", "class site(Integer $port) { }\n"),
        ("pupil.toml", "[rules]\nunused-variable = 'off'\n"),
    ]);
    let check = |name: &str, input: &str| {
        let output = check_input(folder.path(), &["-", "--stdin-filename", name], input);
        (output.status.code(), stdout(&output))
    };
    // The text replaces that on disk, and the file need not exist.
    let (status, text) = check(
        "manifests/init.pp",
        "class site(Integer $port) { notice($prt) }\n",
    );
    assert_eq!(status, Some(1));
    assert!(text.contains("manifests/init.pp:1:36"), "{text}");
    let (status, text) = check(
        "manifests/new.pp",
        "class site::new { class { 'site': port => 'x' } }\n",
    );
    assert_eq!(status, Some(1));
    assert!(text.contains("type-mismatch"), "{text}");
    let (status, text) = check("manifests/new.pp", "class site::new { $x = 1 }\n");
    assert_eq!(
        (status, text.as_str()),
        (Some(0), "no problems in 1 file\n")
    );
    // Without a name the text belongs to no project.
    let output = check_input(folder.path(), &["-"], "notice($unknown)\n");
    assert!(stdout(&output).contains("unknown-variable"));
    for wrong in [
        ["-", "--fix"].as_slice(),
        &["-", "manifests"],
        &["manifests", "--stdin-filename", "x.pp"],
    ] {
        let output = check_input(folder.path(), wrong, "");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(stderr(&output).starts_with("error: "), "{wrong:?}");
    }
}

#[test]
fn a_directory_without_manifests_is_reported() {
    let folder = folder(&[("empty/readme", "")]);
    let output = pupil(folder.path(), &["check", "empty"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        errors(&output),
        "warning: no manifests or templates found in `empty`\n"
    );
    assert_eq!(stdout(&output), "");
}

#[test]
fn mistakes_in_the_settings_end_a_check() {
    let folder = folder(&[
        ("good.pp", GOOD),
        ("pupil.toml", "[check]\nbasline = 'x'\n"),
    ]);
    let output = pupil(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(2));
    let text = errors(&output);
    assert!(
        text.contains("pupil.toml:2:1: unknown setting `basline`; did you mean `baseline`?"),
        "{text}"
    );
}

#[test]
fn eval_knows_the_functions_and_types_of_the_workspace() {
    let folder = folder(&[
        (
            "metadata.json",
            r#"{"name": "me-site", "version": "1.0.0"}"#,
        ),
        (
            "functions/double.pp",
            "function site::double(Integer $x) { $x * 2 }\n",
        ),
        ("types/small.pp", "type Site::Small = Integer[0, 9]\n"),
    ]);
    let eval = |code: &str| {
        let output = pupil(folder.path(), &["eval", code]);
        stdout(&output).lines().next().map(str::to_owned)
    };
    assert_eq!(eval("site::double(21)").as_deref(), Some("42"));
    assert_eq!(eval("7 =~ Site::Small").as_deref(), Some("true"));
}

#[cfg(unix)]
#[test]
fn names_and_messages_stay_on_their_line() {
    let folder = folder(&[(
        "metadata.json",
        "{\"name\": \"a-m\", \"version\": \"1\\u001b[2J\"}",
    )]);
    let source = "class m { notify { \"a\": }  include \"b\u{1b}[31m\u{9b}\u{2028}c\"\n}\n";
    write(folder.path(), "manifests/x\ny.pp", source);
    let runs: [&[&str]; 6] = [
        &["check", "--select", "all", "--format", "text"],
        &["check", "--select", "all", "--format", "concise"],
        &["check", "--select", "all", "--format", "github"],
        &["format", "--check"],
        &["check", "--select", "style", "--fix"],
        &["workspace"],
    ];
    for arguments in runs {
        let output = pupil(folder.path(), &[arguments, &["."]].concat());
        let text = stdout(&output) + &stderr(&output);
        let is_raw = |it: char| it != '\n' && it.is_control() || it == '\u{2028}';
        assert!(!text.contains(is_raw), "{text:?}");
        assert!(!text.lines().any(|it| it.starts_with("y.pp")), "{text}");
    }
}
