//! The binary with hostile files.

use std::fs;
use std::path::Path;
use std::process::Command;

use pupil_tests::program::pupil;

/// The exit statuses of `pupil check`.
const CLEAN: i32 = 0;
const FINDINGS: i32 = 1;
const COULD_NOT_RUN: i32 = 2;

fn check(folder: &Path, name: &str, content: &[u8]) -> (Option<i32>, String) {
    let path = folder.join(name);
    fs::write(&path, content).expect("the file can be written");
    let output = Command::new(pupil())
        .arg("check")
        .arg(&path)
        .output()
        .expect("the binary runs");
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

#[test]
#[cfg(unix)]
fn folders_with_endless_ignore_files_are_reported() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).expect("the directory can be created");
    let endless = inner.join(".gitignore");
    let made = Command::new("mkfifo").arg(endless).status();
    assert!(made.expect("the command runs").success());
    // Git does not follow links to ignore files either.
    let linked = folder.path().join(".gitignore");
    std::os::unix::fs::symlink("/dev/zero", linked).expect("the link can be created");
    fs::write(folder.path().join("a.pp"), "notice(1)\n").expect("the file can be written");
    let output = Command::new(pupil())
        .args(["check", "."])
        .current_dir(folder.path())
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(COULD_NOT_RUN));
    let text = String::from_utf8_lossy(&output.stderr);
    let expected = "cannot search inner: cannot read inner/.gitignore: expected a file, found a device or pipe";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn hostile_files_are_checked_or_rejected() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let nested = "(".repeat(100_000) + "1" + &")".repeat(100_000);
    let large = "$x = [1, 2]\n".repeat(20_000_000 / 12);
    // Each value has twice the size of the one before.
    let pair = |it: usize| format!("$a{} = [$a{it}, $a{it}]\n", it + 1);
    let shared = "$a0 = $facts['a']\n".to_owned() + &(0..60).map(pair).collect::<String>();
    let keys = format!("$x = {{{}}}\n", "'a' => 1, ".repeat(20_000));
    let arguments = format!("notice({}1)\n", "1, ".repeat(100_000));
    let dependency = r#"{"name": "a/b"}, "#;
    let metadata = format!(
        r#"{{"dependencies": [{}{{}}]}}"#,
        dependency.repeat(400_000)
    );
    let files: &[(&str, &[u8], &[i32])] = &[
        ("nested.pp", nested.as_bytes(), &[CLEAN, FINDINGS]),
        ("unclosed.pp", &nested.as_bytes()[..100_000], &[FINDINGS]),
        ("large.pp", large.as_bytes(), &[CLEAN, FINDINGS]),
        ("shared.pp", shared.as_bytes(), &[CLEAN]),
        ("keys.pp", keys.as_bytes(), &[FINDINGS]),
        ("arguments.pp", arguments.as_bytes(), &[CLEAN]),
        ("metadata.json", metadata.as_bytes(), &[COULD_NOT_RUN]),
        (
            "latin1.pp",
            b"notice('\xe4\xf6')\n",
            &[FINDINGS, COULD_NOT_RUN],
        ),
        ("nul.pp", b"notice('a')\n\0\n", &[FINDINGS]),
        ("cr.pp", b"notice('a')\rnotice('b')\r", &[CLEAN, FINDINGS]),
        ("bom.pp", b"\xef\xbb\xbfnotice('a')\n", &[FINDINGS]),
        ("utf16.pp", b"\xff\xfen\0o\0t\0", &[FINDINGS, COULD_NOT_RUN]),
        ("empty.pp", b"", &[CLEAN]),
        (
            "random.pp",
            &[0xc3, 0x28, 0x00, 0xff, 0x22, 0x24, 0x7b],
            &[FINDINGS, COULD_NOT_RUN],
        ),
    ];
    for (name, content, allowed) in files {
        let (code, text) = check(folder.path(), name, content);
        assert!(
            code.is_some_and(|it| allowed.contains(&it)),
            "{name}: {code:?}\n{text:.2000}"
        );
        assert!(!text.contains("panicked"), "{name}: {text:.2000}");
        if code != Some(CLEAN) {
            assert!(text.contains(name), "{name} is not mentioned: {text:.2000}");
        }
    }
}
