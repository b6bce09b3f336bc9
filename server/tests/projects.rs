//! Projects on the command line: which files belong to them, and which are left out.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::path::Path;

use support::files::{folder, pupil, stderr, stdout, write};

/// Runs a check, and returns its findings, one a line, and its exit status.
fn check(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = pupil(
        folder,
        &[&["check", "--format", "concise"], arguments].concat(),
    );
    (stdout(&output), output.status.code())
}

/// A class that uses one that its module does not have.
const BROKEN: &str = "# Doc.\nclass foo {\n  include foo::zz\n}\n";

#[test]
fn a_file_has_the_same_findings_whatever_path_is_given() {
    let main = "modules/foo/manifests/init.pp";
    let data = [("hiera.yaml", "version: 5\n"), ("data/common.yaml", "")];
    for (files, broken) in [
        (vec![], main),
        (vec![("modules/foo/templates/a.epp", "")], main),
        (vec![("pupil.toml", "")], main),
        (vec![(".git/HEAD", "")], main),
        (data.to_vec(), main),
        (vec![], "site-modules/foo/manifests/init.pp"),
        // A single module without metadata.
        (vec![], "manifests/init.pp"),
        (vec![("templates/a.epp", "")], "manifests/init.pp"),
    ] {
        let folder = folder(&[&files[..], &[(broken, BROKEN)]].concat());
        let (expected, status) = check(folder.path(), &[]);
        assert_eq!(status, Some(1), "{files:?}");
        let error = expected
            .lines()
            .find(|it| it.contains("unknown class `foo::zz`"));
        let error = error.expect("an error");
        for path in Path::new(broken).ancestors() {
            let path = path.to_str().filter(|it| !it.is_empty()).unwrap_or(".");
            let (found, status) = check(folder.path(), &[path]);
            assert!(found.contains(error), "{path}: {found}");
            assert_eq!(status, Some(1), "{path}");
        }
    }
}

#[test]
fn a_path_in_an_environment_of_a_server_sees_the_modules_of_all() {
    let folder = folder(&[
        ("modules/shared/manifests/init.pp", "class shared { }\n"),
        (
            "environments/production/manifests/site.pp",
            "include shared\n",
        ),
        ("environments/production/environment.conf", ""),
    ]);
    for path in [".", "environments", "environments/production"] {
        let (found, status) = check(folder.path(), &[path]);
        assert!(found.starts_with("no problems"), "{path}: {found}");
        assert_eq!(status, Some(0), "{path}");
    }
}

#[test]
fn excluded_files_of_modules_are_not_checked_but_known() {
    let folder = folder(&[
        ("metadata.json", r#"{"name": "me-foo"}"#),
        (
            "pupil.toml",
            "[workspace]\nexclude = [\"manifests/old/\"]\n",
        ),
        (
            "manifests/init.pp",
            "class foo {\n  include foo::old::a\n}\n",
        ),
        (
            "manifests/old/a.pp",
            "class foo::old::a {\n  include foo::zz\n}\n",
        ),
    ]);
    let of_old = |arguments: &[&str]| check(folder.path(), arguments).0.contains("foo::zz");
    let (found, _) = check(folder.path(), &[]);
    assert!(!found.contains("init.pp"), "{found}");
    assert!(!of_old(&[]));
    assert!(of_old(&["manifests/old/a.pp"]));
}

#[test]
fn mistakes_in_paths_and_patterns_are_reported() {
    let folder = folder(&[
        ("a.pp", "class a { }\n"),
        ("pupil.toml", "[workspace]\nexclude = [\"ok\", \"[\"]\n"),
    ]);
    let output = pupil(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.contains("pupil.toml:2:18: invalid pattern"), "{text}");
    let settings = "[workspace]\nmodulepath = [\"no/such\"]\nfacts = [\"no.json\"]\n";
    write(folder.path(), "pupil.toml", settings);
    let output = pupil(folder.path(), &["check", "--modulepath", "nowhere"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stderr(&output);
    for part in [
        "pupil.toml:2:15: `no/such` in `modulepath` does not exist",
        "pupil.toml:3:10: `no.json` in `facts` does not exist",
        "warning: `nowhere` in `--modulepath` does not exist",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_puppetfile_hides_the_modules_that_it_lists() {
    let folder = folder(&[
        ("Puppetfile", "mod 'me-listed', '1.0.0'\n"),
        (
            "modules/listed/manifests/init.pp",
            "class listed { $x = ( }\n",
        ),
        ("modules/own/manifests/init.pp", "class own { $x = ( }\n"),
        (
            "modules/packaged/manifests/init.pp",
            "class packaged { $x = ( }\n",
        ),
        ("modules/packaged/checksums.json", "{}"),
    ]);
    let output = pupil(folder.path(), &["check", "--format", "concise"]);
    let (found, notes) = (stdout(&output), stderr(&output));
    assert!(found.contains("own/manifests/init.pp"), "{found}");
    assert!(!found.contains("listed"), "{found}");
    assert!(!found.contains("packaged"), "{found}");
    let note = "note: skipped 2 files of installed modules: `modules/listed`, \
                `modules/packaged`\n";
    assert!(notes.contains(note), "{notes}");
    let (found, _) = check(folder.path(), &["modules/listed"]);
    assert!(found.contains("listed/manifests/init.pp"), "{found}");
    // Librarian-puppet installs what other modules need too.
    write(folder.path(), "Puppetfile.lock", "");
    assert_eq!(check(folder.path(), &[]).1, Some(0));
}

#[test]
fn format_leaves_modules_of_others_alone() {
    let untidy = "class foo {\n    notice('x')\n}\n";
    let folder = folder(&[
        ("Puppetfile", "mod 'me-foo', '1.0.0'\n"),
        ("pupil.toml", "[workspace]\nexclude = [\"old.pp\"]\n"),
        ("modules/foo/manifests/init.pp", untidy),
        ("manifests/site.pp", untidy),
        ("old.pp", untidy),
    ]);
    let formatted = |paths: &[&str]| {
        let output = pupil(folder.path(), &[&["format", "--check"], paths].concat());
        stdout(&output)
    };
    assert_eq!(formatted(&[]), "manifests/site.pp\n");
    assert_eq!(formatted(&["old.pp"]), "old.pp\n");
    for path in ["modules", "modules/foo", "modules/foo/manifests/init.pp"] {
        let found = formatted(&[path]);
        assert_eq!(found, "modules/foo/manifests/init.pp\n", "{path}");
    }
}

#[test]
fn excluded_files_explain_that_nothing_is_checked() {
    let folder = folder(&[
        ("Puppetfile", ""),
        (".gitignore", "plans/\n"),
        ("m/plans/init.pp", "plan m() { }\n"),
        ("m/plans/other.pp", "plan m::other() { }\n"),
    ]);
    for command in ["check", "format"] {
        let output = pupil(folder.path(), &[command, "m"]);
        assert_eq!(
            stderr(&output),
            "warning: all 2 manifests and templates in `m` are excluded by `.gitignore` or `pupil.toml`\n"
        );
    }
}

#[test]
fn eval_knows_which_functions_are_ruby_and_where_code_ends() {
    let folder = folder(&[
        (
            "modules/m/lib/puppet/functions/twice.rb",
            "Puppet::Functions.create_function(:twice) { }\n",
        ),
        (
            "modules/m/lib/puppet/functions/m/deep.rb",
            "Puppet::Functions.create_function(:'m::deep') { }\n",
        ),
        ("facts/web.yaml", "role: web\n"),
    ]);
    let eval = |arguments: &[&str]| {
        let arguments = [&["eval", "--modulepath", "modules"], arguments].concat();
        let output = pupil(folder.path(), &arguments);
        stdout(&output) + &stderr(&output)
    };
    assert_eq!(eval(&["twice(1)"]), "unknown: `twice` is written in Ruby\n");
    assert_eq!(
        eval(&["m::deep(1)"]),
        "unknown: `m::deep` is written in Ruby\n"
    );
    let unknown = eval(&["thrice(1)"]);
    assert!(unknown.contains("unknown function `thrice`"), "{unknown}");
    let open = eval(&["1 +"]);
    assert!(open.contains("code:1:4"), "{open}");
    let found = eval(&["--facts", "web", "$facts['role']"]);
    assert!(found.contains("'web'"), "{found}");
}

#[test]
fn lookup_and_catalog_name_what_was_meant() {
    let folder = folder(&[
        ("manifests/site.pp", ""),
        ("modules/web/manifests/agent.pp", "class web::agent { }\n"),
    ]);
    let error = |arguments: &[&str]| stderr(&pupil(folder.path(), arguments));
    assert_eq!(
        error(&["lookup", "x"]),
        "error: no level has the key `x`: the environment has no `hiera.yaml`\n"
    );
    assert_eq!(
        error(&["lookup", "x", "--merge", "nope"]),
        "error: unknown merge strategy `nope`: expected one of `first`, `unique`, `hash` and `deep`\n"
    );
    let unknown = error(&["catalog", "--class", "web::agnt"]);
    assert!(unknown.contains("did you mean `web::agent`?"), "{unknown}");
}
