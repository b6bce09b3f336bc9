//! Hostile workspaces: each is reported with a note, and loading terminates without reading files
//! outside.

#[cfg(unix)]
mod attacks;

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use pupil_tests::program::pupil;
use serde_json::Value;
use tempfile::TempDir;

/// The timeout that detects a hang, long enough for a slow machine.
const TIMEOUT: Duration = Duration::from_secs(60);

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary directory");
    // Ignores the modules that are installed on this machine.
    write(
        folder.path(),
        "pupil.toml",
        b"[workspace]\nbasemodulepath = []\n",
    );
    for (path, bytes) in files {
        write(folder.path(), path, bytes);
    }
    folder
}

fn write(folder: &Path, path: &str, bytes: &[u8]) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("a path in the workspace"))
        .expect("the directory can be created");
    fs::write(path, bytes).expect("the file can be written");
}

/// Returns the workspace in a directory, and the texts of its notes.
fn load(folder: &Path) -> (Value, Vec<String>) {
    let mut child = Command::new(pupil())
        .args(["workspace", ".", "--format", "json"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let deadline = Instant::now() + TIMEOUT;
    let mut stdout = child.stdout.take().expect("stdout is piped");
    // Read in parallel, because the pipe may fill up.
    let output = thread::spawn(move || {
        let mut output = Vec::new();
        stdout.read_to_end(&mut output).map(|_| output)
    });
    let status = loop {
        if let Some(status) = child.try_wait().expect("the state of the process") {
            break status;
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("loading the workspace hangs");
        }
        thread::sleep(Duration::from_millis(5));
    };
    let output = output.join().expect("reading does not panic");
    let output = output.expect("stdout can be read");
    assert!(status.success(), "{status}");
    let found: Value = serde_json::from_slice(&output).expect("JSON");
    let notes = found["notes"].as_array().expect("an array of notes");
    let notes = notes.iter().map(|it| {
        let text = |key: &str| it[key].as_str().unwrap_or_default();
        format!("{}: {}", text("path"), text("message"))
    });
    let notes = notes.collect();
    (found, notes)
}

/// Asserts that there is exactly one note.
fn assert_note(notes: &[String], path: &str, part: &str) {
    assert_eq!(notes.len(), 1, "{notes:#?}");
    let (about, message) = notes[0].split_once(": ").expect("a path and a message");
    assert_eq!(about, path);
    assert!(message.contains(part), "{message}");
}

const METADATA: (&str, &[u8]) = ("metadata.json", br#"{"name":"x-m","version":"1.0.0"}"#);
const INIT: (&str, &[u8]) = ("manifests/init.pp", b"class m { }\n");

/// The number of texts of a module that has only its metadata and its main class.
const OWN_TEXTS: u64 = 2;

fn texts(found: &Value) -> u64 {
    found["texts"]["files"].as_u64().expect("a number")
}

#[test]
fn skips_a_50_mb_manifest() {
    let huge = b"# nothing here\n".repeat(50 << 20 >> 4);
    let folder = folder(&[METADATA, INIT, ("manifests/huge.pp", &huge)]);
    let (found, notes) = load(folder.path());
    assert_note(&notes, "manifests/huge.pp", "too large");
    assert_eq!(texts(&found), OWN_TEXTS);
}

#[test]
fn skips_binary_files() {
    let folder = folder(&[
        METADATA,
        INIT,
        ("manifests/junk.pp", b"\x7fELF\0\0\x01\xff"),
    ]);
    let (found, notes) = load(folder.path());
    assert_note(&notes, "manifests/junk.pp", "binary file");
    assert_eq!(texts(&found), OWN_TEXTS);
}

#[test]
fn reports_and_loads_invalid_utf_8() {
    let folder = folder(&[METADATA, ("manifests/init.pp", b"# \xe4\nclass m { }\n")]);
    let (found, notes) = load(folder.path());
    assert_note(&notes, "manifests/init.pp", "0xE4");
    assert_eq!(texts(&found), OWN_TEXTS);
}

#[test]
fn reports_invalid_metadata() {
    for text in [
        "{",
        "[]",
        "{\"name\": 1}",
        "\u{feff}{}",
        &"[".repeat(100_000),
    ] {
        let folder = folder(&[("metadata.json", text.as_bytes()), INIT]);
        let (found, notes) = load(folder.path());
        assert_note(&notes, "metadata.json", "invalid metadata");
        assert_eq!(texts(&found), OWN_TEXTS);
    }
}

#[test]
fn names_do_not_escape_the_workspace() {
    let folder = folder(&[
        (
            "w/metadata.json",
            br#"{"name":"x-../../secret","dependencies":[{"name":"../secret"},{"name":"x/../secret"}]}"#,
        ),
        ("w/manifests/init.pp", b"class m { }\n"),
        (
            "w/.fixtures.yml",
            b"fixtures:\n  symlinks:\n    hidden: '#{source_dir}/../deep/secret'\n    '../up': '../secret'\n",
        ),
        ("secret/manifests/init.pp", b"class secret { }\n"),
        ("deep/secret/manifests/init.pp", b"class secret { }\n"),
    ]);
    let (found, notes) = load(&folder.path().join("w"));
    assert_eq!(texts(&found), OWN_TEXTS, "{found:#}");
    assert!(
        !found["environments"].to_string().contains("secret"),
        "{found:#}"
    );
    // Of the missing modules, only `hidden` has a valid name.
    assert_eq!(notes.len(), 3, "{notes:#?}");
    assert!(notes[0].ends_with("not checked: `hidden`"), "{notes:#?}");
}

#[test]
fn rejects_yaml_bombs() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..20 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    bomb.push_str("fixtures: {repositories: {x: *a19}}\n");
    let deep = "[".repeat(100_000);
    for text in [&bomb, &deep] {
        let folder = folder(&[METADATA, INIT, (".fixtures.yml", text.as_bytes())]);
        let (_, notes) = load(folder.path());
        assert_note(&notes, ".fixtures.yml", "invalid fixtures");
    }
}

#[test]
fn loads_a_hostile_environment_conf() {
    let text = format!(
        "modulepath = {}:/*/*/*/*/*:{}\nmanifest = ../../..\n",
        "../".repeat(200),
        "{a,b}".repeat(200)
    );
    let folder = folder(&[("deep/er/environment.conf", text.as_bytes())]);
    load(&folder.path().join("deep/er"));
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn reports_link_cycles() {
        let folder = folder(&[METADATA, INIT]);
        symlink("..", folder.path().join("manifests/loop")).expect("a link");
        let (found, notes) = load(folder.path());
        assert_note(&notes, "manifests/loop", "points to a parent directory");
        assert_eq!(texts(&found), OWN_TEXTS);
    }

    #[test]
    fn limits_the_number_of_files_behind_links() {
        let folder = folder(&[METADATA, INIT]);
        // Each directory links to all others, so that the number of paths is exponential.
        let folders: Vec<_> = (0..12).map(|it| format!("manifests/f{it}")).collect();
        for one in &folders {
            write(folder.path(), &format!("{one}/a.pp"), b"");
            for other in folders.iter().filter(|it| *it != one) {
                let name = other.replace("manifests/", "to_");
                let to = other.replace("manifests/", "../");
                symlink(to, folder.path().join(one).join(name)).expect("a link");
            }
        }
        let (_, notes) = load(folder.path());
        assert!(notes.iter().any(|it| it.contains("too many files")));
    }

    #[test]
    fn does_not_read_outside_of_the_workspace() {
        let folder = folder(&[
            ("w/metadata.json", METADATA.1),
            ("w/manifests/init.pp", INIT.1),
            ("outside/secret.pp", b"class secret { }\n"),
        ]);
        let link = folder.path().join("w/manifests/secret.pp");
        symlink("../../outside/secret.pp", link).expect("a link");
        let (found, notes) = load(&folder.path().join("w"));
        assert_note(&notes, "manifests/secret.pp", "points outside");
        assert_eq!(texts(&found), OWN_TEXTS);
    }

    #[test]
    fn reports_unreadable_files() {
        let folder = folder(&[METADATA, INIT, ("manifests/mine.pp", b"")]);
        let closed = folder.path().join("manifests/mine.pp");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).expect("it is ours");
        // Root reads everything.
        if fs::read(&closed).is_err() {
            let (found, notes) = load(folder.path());
            assert_note(&notes, "manifests/mine.pp", "permission denied");
            assert_eq!(texts(&found), OWN_TEXTS);
        }
    }

    #[test]
    fn ignores_pipes() {
        let folder = folder(&[METADATA, INIT]);
        let made = Command::new("mkfifo")
            .arg(folder.path().join("manifests/pipe.pp"))
            .status();
        if made.is_ok_and(|it| it.success()) {
            let (found, _) = load(folder.path());
            assert_eq!(texts(&found), OWN_TEXTS);
        }
    }
}
