//! `pupil catalog` and `pupil catalog diff`.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use support::files::{folder, pupil, stderr, stdout, write};

const FILES: [(&str, &str); 6] = [
    ("environment.conf", "modulepath = site\n"),
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - name: Common\n    path: common.yaml\n",
    ),
    ("data/common.yaml", "---\nweb::port: 8080\n"),
    (
        "manifests/site.pp",
        "File { mode => '0644' }\n\
         node 'web1', 'web2' { include web }\n\
         node /^db/ { notify { 'db': } }\n\
         node default { }\n",
    ),
    (
        "site/web/manifests/init.pp",
        "class web (Integer $port, String $root = '/srv') {\n  \
           package { 'nginx': ensure => installed }\n  \
           file { '/etc/nginx.conf':\n    \
             content => \"listen ${port};\\nroot ${root};\\n\",\n  \
           }\n  \
           web::site { 'main': secret => Sensitive('hunter2') }\n\
         }\n",
    ),
    (
        "site/web/manifests/site.pp",
        "define web::site (Sensitive $secret) {\n  \
           @user { $title: password => $secret, home => $facts['kernel'] }\n\
         }\n",
    ),
];

fn environment() -> TempDir {
    let folder = folder(&FILES);
    let facts = r#"{"kernel": "Linux", "networking": {"fqdn": "node.example.com"}}"#;
    write(folder.path(), "facts/debian.json", facts);
    folder
}

/// Runs `pupil catalog` and returns its standard output and exit status.
fn catalog(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = pupil(folder, &[&["catalog"], arguments].concat());
    (stdout(&output), output.status.code())
}

fn json_of(folder: &Path, arguments: &[&str]) -> Value {
    let (text, _) = catalog(folder, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn prints_where_values_come_from() {
    let folder = environment();
    let (text, status) = catalog(folder.path(), &["--node", "web1", "--facts", "debian"]);
    let expected = "\
web1 with facts debian: 4 resources, 1 class

Stage[main]
  Class[main]
    Node[web1]
  Class[Web]  # manifests/site.pp:2
      port => 8080    # data/common.yaml:2
      root => '/srv'  # default, site/web/manifests/init.pp:1
    Package[nginx]  # site/web/manifests/init.pp:2
        ensure => 'installed'  # line 2
    File[/etc/nginx.conf]  # site/web/manifests/init.pp:3
        content => \"listen 8080;\\nroot /srv;\\n\"  # line 4
        mode    => '0644'                        # resource default, manifests/site.pp:1
    Web::Site[main]  # site/web/manifests/init.pp:6
        secret => Sensitive  # line 6
      User[main] (virtual)  # site/web/manifests/site.pp:2
          password => Sensitive  # line 2
          home     => 'Linux'    # line 2
";
    assert_eq!(text, expected);
    assert_eq!(status, Some(0));
}

/// Puppet 7.23 behaves the same, also `puppet lookup --compile`.
#[test]
fn data_depends_on_variables_of_code() {
    let folder = environment();
    let config = "version: 5\nhierarchy:\n\
                  - {name: Role, path: \"roles/%{role}.yaml\"}\n\
                  - {name: Tier, path: \"tiers/%{::tier}.yaml\"}\n\
                  - {name: Class, path: \"classes/%{web::params::flavor}.yaml\"}\n\
                  - {name: Common, path: common.yaml}\n";
    for (path, text) in [
        ("hiera.yaml", config),
        ("data/roles/web.yaml", "web::a: role\n"),
        ("data/tiers/gold.yaml", "web::b: tier\n"),
        ("data/classes/sweet.yaml", "web::c: class\n"),
        (
            "data/common.yaml",
            "role: web\nweb::b: common\nweb::d: \"%{role} %{tier} %{web::params::flavor}\"\n",
        ),
        (
            "manifests/site.pp",
            "$role = lookup('role')\nnode default {\n  $tier = 'gold'\n  include web::params\n  include web\n}\n",
        ),
        (
            "site/web/manifests/params.pp",
            "class web::params { $flavor = 'sweet' }\n",
        ),
        (
            "site/web/manifests/init.pp",
            "class web ($a, $b, $c, $d) { notify { \"${a} ${b} ${c} ${d}\": } }\n",
        ),
    ] {
        write(folder.path(), path, text);
    }
    let (text, _) = catalog(folder.path(), &["--node", "x", "--facts", "debian"]);
    assert!(
        text.contains("Notify[role common class web gold sweet]"),
        "{text}"
    );
    assert!(
        text.contains("a => 'role'            # data/roles/web.yaml:1"),
        "{text}"
    );
    let lookup = |key: &str, more: &[&str]| {
        let arguments = [&["lookup", key, "--facts", "debian"], more].concat();
        stdout(&pupil(folder.path(), &arguments))
    };
    assert_eq!(lookup("web::a", &[]), "");
    for (key, value) in [
        ("web::a", "role"),
        ("web::b", "common"),
        ("web::c", "class"),
    ] {
        assert_eq!(
            lookup(key, &["--compile"]),
            format!("--- {value}\n"),
            "{key}"
        );
    }
}

#[test]
fn lists_the_nodes_of_the_main_manifests() {
    let folder = environment();
    let output = pupil(folder.path(), &["catalog", "--facts", "debian"]);
    let expected = "\
web1 with facts debian: 4 resources, 1 class
web2 with facts debian: 4 resources, 1 class
default with facts debian: 0 resources, 0 classes
";
    assert_eq!(stdout(&output), expected);
    assert!(stderr(&output).contains("match `/^db/`, name them with `--node`"));
}

#[test]
fn reports_errors_with_both_places() {
    let folder = environment();
    let code = "notify { 'a': }\nnotify { 'a': }";
    let (text, status) = catalog(folder.path(), &["--code", code]);
    for part in [
        "code: Puppet rejects this catalog",
        "error: duplicate declaration",
        "--> --code:2:",
        "first declared here",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(status, Some(1));
    let found = json_of(folder.path(), &["--code", code]);
    let error = &found["catalogs"][0]["errors"][0];
    assert_eq!(
        (&error["file"], &error["line"]),
        (&json!("--code"), &json!(2))
    );
    assert_eq!(error["related"]["line"], 1);
    let output = pupil(folder.path(), &["catalog", "--class", "web; notify { x: }"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn says_what_is_unknown() {
    let folder = environment();
    let code = "$x = generate('/bin/true')\nnotify { 'a': message => $x }\nnotify { $x: }";
    let (text, status) = catalog(folder.path(), &["--code", code]);
    assert!(
        text.contains("message => (unknown: `generate` runs a program)"),
        "{text}"
    );
    let (_, gaps) = text
        .split_once("\nunknown parts: ")
        .expect("a list of gaps");
    assert!(gaps.contains("--code:3: "), "{gaps}");
    assert_eq!(status, Some(0));
}

#[test]
fn describes_catalogs_as_json() {
    let folder = environment();
    let found = json_of(folder.path(), &["--class", "web", "--facts", "debian"]);
    let catalog = &found["catalogs"][0];
    assert_eq!(
        (&catalog["class"], &catalog["facts"]),
        (&json!("web"), &json!("debian"))
    );
    let resources = catalog["resources"].as_array().expect("a list");
    let of = |name: &str| resources.iter().find(|it| it["ref"] == name).expect(name);
    assert_eq!(
        of("Class[Web]")["parameters"]["port"],
        json!({"value": 8080, "origin": "data", "key": "web::port", "file": "data/common.yaml", "line": 2})
    );
    let user = of("User[main]");
    assert_eq!(
        (&user["virtual"], &user["container"]),
        (&json!(true), &json!("Web::Site[main]"))
    );
    assert!(!found.to_string().contains("hunter2"));
}

#[test]
fn escapes_titles_in_graphs() {
    let folder = environment();
    let code = "notify { \"a\\\"]; <b> & \\\\ `x` #1;\\n|\": }";
    for (format, expected) in [
        (
            "dot",
            "label=\"Notify[a\\\"]; <b> &amp; \\\\ `x` #1;\\\\n|]\"",
        ),
        (
            "mermaid",
            "[\"Notify[a#34;]#59; #60;b#62; #38; #92; #96;x#96; #35;1#59;#92;n#124;]\"]",
        ),
        (
            "svg",
            ">Notify[a&quot;]; &lt;b&gt; &amp; \\ `x` #1;\\n|]</text>",
        ),
    ] {
        let (text, status) = catalog(folder.path(), &["--code", code, "--format", format]);
        assert!(text.contains(expected), "{text}");
        assert_eq!(status, Some(0));
    }
    let output = pupil(folder.path(), &["catalog", "--format", "svg"]);
    assert!(stderr(&output).contains("expected one catalog to draw, found 3"));
}

#[test]
fn classes_are_checked_on_the_nodes_that_they_are_meant_for() {
    let base = |include: &str| {
        let other = "class m::other { include m::base file { '/a': } }";
        let debian = "class m::debian { file { '/a': } }";
        let base = format!(
            "class m::base {{ case $facts['os']['family'] {{ 'Debian': {{ include m::debian }} \
             default: {{ {include} }} }} }}"
        );
        let folder = folder(&[
            ("environment.conf", "modulepath = modules\n"),
            ("modules/m/manifests/other.pp", other),
            ("modules/m/manifests/debian.pp", debian),
            ("modules/m/manifests/base.pp", &base),
        ]);
        stdout(&pupil(folder.path(), &["check", "--format", "concise"]))
    };
    let found = base("");
    assert!(
        found.contains("`File['/a']` is already declared"),
        "{found}"
    );
    let found = base("include m::other");
    assert!(!found.contains("already declared"), "{found}");
}

#[test]
fn compares_with_a_directory() {
    let (old, new) = (environment(), environment());
    let other = old.path().to_str().expect("UTF-8");
    let diff = |arguments: &[&str]| catalog(new.path(), &[&["diff", other], arguments].concat());
    let (text, status) = diff(&[]);
    assert_eq!(text, "no differences in 3 catalogs\n");
    assert_eq!(status, Some(0));
    write(new.path(), "data/common.yaml", "web::port: 80\n");
    let site = FILES[3]
        .1
        .replace("node default { }", "node default { notify { 'new': } }");
    write(new.path(), "manifests/site.pp", &site);
    let (text, status) = diff(&[]);
    let expected = "\
web1 with facts debian
web2 with facts debian
~ Class[Web]  # manifests/site.pp:2
-     port => 8080
+     port => 80  # data/common.yaml:1
~ File[/etc/nginx.conf]  # site/web/manifests/init.pp:3
      content =>
-         listen 8080;
+         listen 80;
          root /srv;

default with facts debian
+ Notify[new]  # manifests/site.pp:4

3 of 3 catalogs differ
";
    assert_eq!(text, expected);
    assert_eq!(status, Some(1));
    let (text, _) = diff(&["--format", "markdown", "--node", "web1"]);
    assert!(
        text.starts_with("## Catalogs: 1 of 1 catalog differs"),
        "{text}"
    );
    assert!(text.contains("\n```diff\n  Class[Web]"), "{text}");
    let (text, _) = diff(&["--format", "json"]);
    let found: Value = serde_json::from_str(&text).expect("JSON");
    let change = &found["differences"][0]["resources"][0];
    assert_eq!(
        change["parameters"]["port"],
        json!({"old": {"value": 8080}, "new": {"value": 80}})
    );
}

#[test]
fn rejects_files_with_syntax_errors() {
    let folder = environment();
    let broken = "class broken {\n  notify { 'a': }\n  notify { 'b'\n}\n";
    write(folder.path(), "site/broken/manifests/init.pp", broken);
    let (text, status) = catalog(folder.path(), &["--class", "broken"]);
    assert!(text.contains("Puppet rejects this catalog"), "{text}");
    assert!(text.contains("site/broken/manifests/init.pp:"), "{text}");
    assert_eq!(status, Some(1));
    let (text, status) = catalog(folder.path(), &["--code", "notify { 'a': }"]);
    assert_eq!(
        status,
        Some(0),
        "only files that are evaluated count: {text}"
    );
    let (text, status) = catalog(folder.path(), &["--code", "notify { 'a'"]);
    assert_ne!(status, Some(0), "{text}");
}

#[test]
fn the_project_selects_the_version() {
    let folder = environment();
    let code = "notify { $facts['osfamily']: }";
    let arguments = ["--code", code, "--facts", "redhat9"];
    let (text, _) = catalog(folder.path(), &arguments);
    assert!(!text.contains("Notify[RedHat]"), "{text}");
    write(folder.path(), "pupil.toml", "[puppet]\nversion = 7\n");
    let (text, _) = catalog(folder.path(), &arguments);
    assert!(text.contains("Notify[RedHat]"), "{text}");
    let selected = [&arguments[..], &["--puppet", "8"]].concat();
    let (text, _) = catalog(folder.path(), &selected);
    assert!(!text.contains("Notify[RedHat]"), "{text}");
    write(folder.path(), "pupil.toml", "[puppet]\nversoin = 7\n");
    for command in [&["catalog"][..], &["lookup", "web::port"]] {
        let output = pupil(folder.path(), command);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let message = stderr(&output);
        assert!(message.contains("versoin"), "{message}");
    }
}

#[test]
fn reports_catalogs_that_are_rejected_in_one_tree() {
    let (old, new) = (environment(), environment());
    let other = old.path().to_str().expect("UTF-8");
    write(new.path(), "data/common.yaml", "web::port: eighty\n");
    let (text, status) = catalog(new.path(), &["diff", other, "--node", "web1"]);
    assert!(text.contains("+ Puppet rejects the catalog: "), "{text}");
    assert_eq!(status, Some(1));
    let (text, status) = catalog(new.path(), &["diff", ".", "--node", "web1"]);
    assert!(
        text.contains("Puppet rejects both sides: 1 catalog"),
        "{text}"
    );
    assert_eq!(status, Some(2));
}

#[test]
fn compares_with_a_revision() {
    let folder = environment();
    let output = pupil(folder.path(), &["catalog", "diff", "HEAD"]);
    assert!(stderr(&output).contains("`HEAD` is not a directory"));
    let repository = gix::init(folder.path()).expect("a repository");
    let id = commit(&repository, folder.path());
    write(folder.path(), "data/common.yaml", "web::port: 80\n");
    // A hook or filter that must not run.
    write(folder.path(), ".gitattributes", "* filter=evil\n");
    let (text, status) = catalog(folder.path(), &["diff", &id, "--node", "web1"]);
    assert!(
        text.contains("-     port => 8080\n+     port => 80  # data/common.yaml:1\n"),
        "{text}"
    );
    assert_eq!(status, Some(1));
    let output = pupil(folder.path(), &["catalog", "diff", "unknown"]);
    assert!(stderr(&output).contains("cannot read the Git revision `unknown`"));
    assert_eq!(output.status.code(), Some(2));
}

/// Writes the files of the environment as a commit, and returns its id.
fn commit(repository: &gix::Repository, folder: &Path) -> String {
    let tree = write_tree(repository, folder);
    let author = gix::actor::SignatureRef {
        name: "a".into(),
        email: "a@example.com".into(),
        time: "0 +0000",
    };
    let parents: [gix::ObjectId; 0] = [];
    let commit = repository.commit_as(author, author, "HEAD", "Add", tree, parents);
    commit.expect("a commit").to_string()
}

fn write_tree(repository: &gix::Repository, folder: &Path) -> gix::ObjectId {
    use gix::objs::tree::{Entry, EntryKind};
    let files = std::fs::read_dir(folder).expect("a folder");
    let paths = files.map(|it| it.expect("an entry").path());
    let entries = paths.filter(|it| !it.ends_with(".git")).map(|path| {
        let name = path.file_name().expect("a name").to_str().expect("UTF-8");
        let (kind, oid) = match path.is_dir() {
            true => (EntryKind::Tree, write_tree(repository, &path)),
            false => {
                let text = std::fs::read(&path).expect("a file");
                let blob = repository.write_blob(text).expect("a blob");
                (EntryKind::Blob, blob.detach())
            }
        };
        Entry {
            mode: kind.into(),
            filename: name.into(),
            oid,
        }
    });
    let mut entries: Vec<Entry> = entries.collect();
    entries.sort();
    let tree = gix::objs::Tree { entries };
    repository.write_object(&tree).expect("a tree").detach()
}

#[test]
fn functions_of_hiera_3_read_data() {
    let node = "node default {\n  hiera_include('classes', [])\n  notify { 'a': message => hiera('text') }\n  \
                notify { 'b': message => hiera_array('list').join(' ') }\n  \
                notify { 'c': message => hiera_hash('hash')['k'] }\n}\n";
    let data = "classes: [a]\ntext: first\nlist: [x, y]\nhash: { k: v }\n";
    let folder = folder(&[
        ("hiera.yaml", FILES[1].1),
        ("data/common.yaml", data),
        ("manifests/site.pp", node),
        (
            "modules/a/manifests/init.pp",
            "class a { notify { 'in a': } }\n",
        ),
    ]);
    let found = json_of(folder.path(), &["--node", "n", "--facts", "debian12"]).to_string();
    for expected in ["Class[A]", "Notify[in a]", "\"first\"", "\"x y\"", "\"v\""] {
        assert!(found.contains(expected), "{expected}: {found}");
    }
    let unknown = node.replace("'classes', []", "$facts['made_up']['x']");
    write(folder.path(), "manifests/site.pp", &unknown);
    let (text, _) = catalog(folder.path(), &["--node", "n"]);
    assert!(text.contains("unknown"), "{text}");
}

#[test]
fn a_template_that_declares_is_an_unknown_part() {
    let code = |template: &str| format!("$x = inline_template(\"{template}\")\n");
    let folder = environment();
    for (template, is_unknown) in [
        ("<% scope.call_function('include', ['b']) %>", true),
        ("<% scope.function_include(['b']) %>", true),
        (
            "<%= scope.call_function('versioncmp', ['1', '2']) %>",
            false,
        ),
        ("<%= @x.include?('b') %>", false),
    ] {
        let arguments = ["--code", &code(template), "--facts", "debian"];
        let (text, _) = catalog(folder.path(), &arguments);
        assert_eq!(text.contains("unknown"), is_unknown, "{template}: {text}");
    }
}
