//! Workspaces that try to make a command wait, or open what is outside of them.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use pupil_tests::program::pupil;
use tempfile::TempDir;

use super::{METADATA, TIMEOUT, folder, write};

/// Runs a command in a directory and returns its status and its output, of both streams.
fn run_in(folder: &Path, command: &mut Command) -> (ExitStatus, String) {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let command = command.current_dir(folder).stdin(Stdio::null());
    let mut child = command
        .stdout(writer.try_clone().expect("a second end"))
        .stderr(writer)
        .spawn()
        .expect("the binary runs");
    // The command keeps the other ends of the pipe.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let output = thread::spawn(move || {
        let mut output = Vec::new();
        let _ = reader.read_to_end(&mut output);
        String::from_utf8_lossy(&output).into_owned()
    });
    let deadline = Instant::now() + TIMEOUT;
    let status = loop {
        if let Some(status) = child.try_wait().expect("the state of the process") {
            break status;
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("hangs: {command:?}");
        }
        thread::sleep(Duration::from_millis(5));
    };
    (status, output.join().expect("reading does not panic"))
}

fn run(folder: &Path, arguments: &[&str]) -> (ExitStatus, String) {
    run_in(folder, Command::new(pupil()).args(arguments))
}

/// The commands that read a workspace.
const COMMANDS: [&[&str]; 6] = [
    &["check", "."],
    &["check", "--fix", "."],
    &["format", "--check", "."],
    &["workspace", "."],
    &["lookup", "m::a"],
    &["catalog", "--class", "m"],
];

/// Files that a workspace consists of. A directory may have any of them.
const PARTS: [&str; 22] = [
    ".fixtures.yml",
    ".git/HEAD",
    ".git/config",
    ".git/index",
    ".git/info/exclude",
    ".gitignore",
    ".ignore",
    ".puppet-lint.rc",
    "Puppetfile",
    "bolt-project.yaml",
    "data/common.yaml",
    "environment.conf",
    "facts/x.json",
    "files/x",
    "hiera.yaml",
    "lib/puppet/functions/m/f.rb",
    "manifests/init.pp",
    "manifests/other.pp",
    "metadata.json",
    "pupil.toml",
    "templates/x.epp",
    "types/x.pp",
];

const HIERA: &[u8] = b"version: 5\nhierarchy:\n- {name: common, path: common.yaml}\n";

/// Returns a module with one of its parts missing.
fn module_without(part: &str) -> TempDir {
    let all: [(&str, &[u8]); 6] = [
        METADATA,
        ("manifests/init.pp", b"class m($a) { notice($a) }\n"),
        ("hiera.yaml", HIERA),
        ("data/common.yaml", b"m::a: 1\n"),
        ("pupil.toml", b"[workspace]\nbasemodulepath = []\n"),
        (".git/HEAD", b"ref: refs/heads/main\n"),
    ];
    let folder = tempfile::tempdir().expect("a temporary directory");
    for (path, bytes) in all.iter().filter(|it| it.0 != part) {
        write(folder.path(), path, bytes);
    }
    folder
}

fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|it| it.success()), "mkfifo is part of POSIX");
}

#[test]
fn no_command_waits_for_a_pipe() {
    for part in PARTS {
        let folder = module_without(part);
        let path = folder.path().join(part);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        make_pipe(&path);
        for command in COMMANDS {
            run(folder.path(), command);
        }
    }
}

#[test]
fn no_command_reads_a_device() {
    for part in PARTS {
        let folder = module_without(part);
        let path = folder.path().join(part);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        symlink("/dev/zero", &path).expect("a link");
        for command in COMMANDS {
            run(folder.path(), command);
        }
    }
}

#[test]
fn no_command_follows_loops_of_links() {
    for part in [
        "manifests",
        "data",
        "lib",
        "files",
        "templates",
        "facts",
        "types",
        ".git",
    ] {
        let folder = module_without("");
        let path = folder.path().join(part);
        if path.exists() {
            symlink("..", path.join("up")).expect("a link");
            symlink("self", path.join("self")).expect("a link");
        } else {
            symlink(".", &path).expect("a link");
        }
        for command in COMMANDS {
            run(folder.path(), command);
        }
    }
}

#[test]
fn control_characters_of_names_are_escaped() {
    let name = "manifests/a\u{1b}[31m\u{7}.pp";
    let folder = folder(&[METADATA, (name, b"class m::b { $x = = }\n")]);
    for format in ["text", "github", "junit", "json", "sarif", "gitlab"] {
        let (_, output) = run(folder.path(), &["check", "--format", format, "."]);
        let raw = ['\u{1b}', '\u{7}'];
        assert!(!output.contains(raw), "{format}: {output:?}");
    }
    for command in COMMANDS {
        let (_, output) = run(folder.path(), command);
        assert!(!output.contains("\u{1b}[31m"), "{command:?}: {output:?}");
    }
}

#[test]
fn a_file_is_kept_when_the_disk_is_full() {
    let text: &[u8] = b"class m { notice( \"a\" ) }\n";
    for arguments in [
        &["format", "."][..],
        &["check", "--fix", "--select", "style", "."],
    ] {
        let folder = module_without("manifests/init.pp");
        write(folder.path(), "manifests/init.pp", text);
        run_on_full_disk(folder.path(), arguments);
        let manifests = folder.path().join("manifests");
        let left = fs::read(manifests.join("init.pp"));
        assert_eq!(left.expect("the file is there"), text, "{arguments:?}");
        let files = fs::read_dir(manifests).expect("the directory is there");
        assert_eq!(files.count(), 1, "no temporary file stays");
    }
    let folder = folder(&[METADATA, (".puppet-lint.rc", b"--no-140chars-check\n")]);
    fs::remove_file(folder.path().join("pupil.toml")).expect("the file is there");
    write(folder.path(), "old.json", b"old");
    for (arguments, name, expected) in [
        (&["migrate"][..], "pupil.toml", None),
        (
            &["check", "--write-baseline", "new.json", "."],
            "new.json",
            None,
        ),
        (
            &["check", "--write-baseline", "old.json", "."],
            "old.json",
            Some(&b"old"[..]),
        ),
    ] {
        run_on_full_disk(folder.path(), arguments);
        let left = fs::read(folder.path().join(name)).ok();
        assert_eq!(left.as_deref(), expected, "{arguments:?}");
    }
}

/// Runs a command that cannot write files. A limit of no bytes for their size acts like a full disk.
fn run_on_full_disk(folder: &Path, arguments: &[&str]) {
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"]);
    limited.arg(pupil()).args(arguments);
    let (status, output) = run_in(folder, &mut limited);
    assert_eq!(status.code(), Some(2), "{arguments:?}: {output}");
    assert!(output.contains("file too large"), "{arguments:?}: {output}");
}

#[test]
fn permissions_and_links_of_fixed_files_are_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let text = b"class m {\n  if $facts['x'] == undef { notice( 1 ) }\n}\n";
    let folder = folder(&[METADATA, ("manifests/init.pp", text)]);
    let (file, link) = (
        folder.path().join("manifests/init.pp"),
        folder.path().join("manifests/link.pp"),
    );
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("it is ours");
    symlink("init.pp", &link).expect("a link");
    run(folder.path(), &["format", "manifests/link.pp"]);
    let after = fs::read(&file).expect("the file is there");
    assert_ne!(after, text, "the file is formatted");
    let mode = |it: &Path| {
        it.metadata()
            .expect("the file is there")
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode(&file), 0o640);
    assert!(
        link.symlink_metadata()
            .expect("the link is there")
            .is_symlink()
    );
}

/// The system calls that open files, sockets or start processes.
const TRACED: &str =
    "trace=open,openat,openat2,creat,execve,execveat,fork,vfork,socket,connect,bind";

/// Runs a command under `strace` and returns the files that it opened. `home` is the directory of the user.
///
/// # Panics
/// If it opened a socket, started a process, or changed a file.
fn opened(folder: &Path, home: &Path, command: &[&str]) -> BTreeSet<PathBuf> {
    let trace = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut strace = Command::new("strace");
    // `-y` prints the real paths of descriptors.
    strace.args(["-f", "-y", "-s", "4096", "-e", TRACED, "-o"]);
    strace.arg(trace.path()).arg(pupil()).args(command);
    strace.env("HOME", home).env_remove("XDG_CONFIG_HOME");
    run_in(folder, &mut strace);
    let trace = fs::read_to_string(trace.path()).expect("strace writes text");
    let mut started = 0;
    let mut opened = BTreeSet::new();
    for line in trace.lines() {
        let call = line.trim_start_matches(|it: char| it.is_ascii_digit() || it == ' ');
        let (name, _) = call.split_once('(').unwrap_or((call, ""));
        // The result of a call that another thread interrupts is on a line of its own.
        let name = match call.strip_prefix("<... ") {
            Some(resumed) => resumed.split(' ').next().unwrap_or_default(),
            None => name,
        };
        match name {
            "execve" if call.starts_with("<... ") => {}
            "execve" => started += 1,
            "open" | "openat" | "openat2" => {
                assert!(
                    !call.contains("O_WRONLY") && !call.contains("O_RDWR"),
                    "{line}"
                );
                // The result of a call that succeeded is the descriptor with its path.
                let result = call.rsplit_once(" = ").map_or("", |it| it.1);
                let path = result.split_once('<').and_then(|it| it.1.strip_suffix('>'));
                opened.extend(path.map(PathBuf::from));
            }
            "creat" | "execveat" | "fork" | "vfork" | "socket" | "connect" | "bind" => {
                panic!("{command:?} must not do this: {line}")
            }
            _ => {}
        }
    }
    assert_eq!(started, 1, "only the command itself is started");
    opened
}

/// The files of the system that a program needs to start, and to count processors.
fn is_of_system(path: &Path) -> bool {
    let folders = [
        "/lib",
        "/lib64",
        "/usr/lib",
        "/usr/lib64",
        "/proc",
        "/sys",
        "/etc/ld.so.cache",
    ];
    folders.iter().any(|it| path.starts_with(it)) && !path.starts_with("/usr/lib/ruby")
}

/// Creates a workspace beside files that its parts refer to.
fn workspace_with_ways_out() -> TempDir {
    let outside: &[u8] = b"class secret { }\n";
    let folder = folder(&[
        ("outside/secret.pp", outside),
        ("outside/secret.yaml", b"m::a: 1\n"),
        ("outside/info/exclude", b"x\n"),
        ("outside/commondir", b".\n"),
        ("outside/index", b"DIRC\0\0\0\x02\0\0\0\0"),
        ("outside/manifests/init.pp", b"class outside { }\n"),
        ("outside/metadata.json", br#"{"name":"x-outside","version":"1.0.0"}"#),
        ("home/.gitconfig", b"[core]\nexcludesFile = ~/excluded\n"),
        ("home/.config/git/config", b"[core]\nexcludesFile = ~/excluded\n"),
        ("home/.config/git/ignore", b"x\n"),
        ("home/excluded", b"x\n"),
        ("w/metadata.json", METADATA.1),
        ("w/pupil.toml", b"[workspace]\nbasemodulepath = []\n"),
        ("w/hiera.yaml", b"version: 5\nhierarchy:\n- {name: up, path: ../../outside/secret.yaml}\n- {name: link, path: link.yaml}\n- {name: absolute, datadir: /etc, path: passwd}\n"),
        ("w/data/common.yaml", b"m::a: 1\n"),
        ("w/manifests/init.pp", b"class m($a) {\n  $x = file('/etc/passwd')\n  $y = epp('../../outside/secret.pp')\n  include outside\n}\n"),
        ("w/templates/x.epp", b"<%= $x %>\n"),
        ("w/environment.conf", b"manifest = ../outside/secret.pp\n"),
        ("w/.fixtures.yml", b"fixtures:\n  symlinks:\n    outside: '#{source_dir}/../outside'\n"),
    ]);
    let w = folder.path().join("w");
    let git = format!("gitdir: {}\n", folder.path().join("outside").display());
    fs::write(w.join(".git"), git).expect("a file");
    let outside = folder.path().join("outside");
    for (name, target) in [
        ("manifests/secret.pp", "secret.pp"),
        ("data/link.yaml", "secret.yaml"),
        ("templates/secret.epp", "secret.pp"),
        (".gitignore", "info/exclude"),
        ("lib", ""),
    ] {
        symlink(outside.join(target), w.join(name)).expect("a link");
    }
    folder
}

#[test]
#[ignore = "needs strace"]
fn commands_open_nothing_outside_of_the_workspace() {
    let folder = workspace_with_ways_out();
    let (w, home) = (folder.path().join("w"), folder.path().join("home"));
    let real = w.canonicalize().expect("the workspace");
    for command in [
        &["check", "."][..],
        &["check", "--static", "."],
        &["check", "--format", "json", "."],
        &["format", "--check", "."],
        &["workspace", "."],
        &["lookup", "m::a"],
        &["catalog", "--class", "m"],
    ] {
        let opened = opened(&w, &home, command);
        let is_other = |it: &&PathBuf| !it.starts_with(&real) && !is_of_system(it);
        let others: Vec<_> = opened.iter().filter(is_other).collect();
        assert!(others.is_empty(), "{command:?} opens {others:#?}");
        assert!(
            opened.iter().any(|it| it.ends_with("init.pp")),
            "{opened:#?}"
        );
    }
}
