//! Tests of symbolic links.

use std::os::unix::fs::symlink;

use super::*;

fn link(root: &TempDir, from: &str, to: &str) {
    symlink(to, root.path().join(from)).expect("a link");
}

#[test]
fn loops_terminate() {
    let root = tree(&[
        ("m/metadata.json", r#"{"name":"x-m"}"#),
        ("m/manifests/a/init.pp", ""),
        ("m/templates/b/t.epp", ""),
    ]);
    link(&root, "m/manifests/self", ".");
    link(&root, "m/manifests/a/up", "../..");
    link(&root, "m/manifests/one", "two");
    link(&root, "m/manifests/two", "one");
    link(&root, "m/templates/again", "b");
    let found = discover(&request(&root.path().join("m")));
    assert_eq!(
        module(&found.environments[0], "m").files,
        [
            "manifests/a/init.pp",
            "metadata.json",
            "templates/again/t.epp",
            "templates/b/t.epp"
        ]
    );
    assert_eq!(found.notes.len(), 4, "{:?}", found.notes);
}

#[test]
fn links_outside_of_the_workspace_are_not_read() {
    let root = tree(&[
        ("w/m/metadata.json", r#"{"name":"x-m"}"#),
        ("w/m/manifests/init.pp", ""),
        ("w/n/files/f.pp", "here"),
        ("secret/s.pp", "secret"),
        ("elsewhere/linked/manifests/init.pp", ""),
    ]);
    link(&root, "w/m/manifests/folder", "../../../secret");
    link(&root, "w/m/manifests/file.pp", "../../../secret/s.pp");
    link(&root, "w/m/manifests/inside", "../../n/files");
    link(&root, "w/linked", "../elsewhere/linked");
    link(&root, "w/loose.pp", "../secret/s.pp");
    let mut loader = Loader::default();
    let update = loader.load(&request(&root.path().join("w")), &[], &|_, _| {});
    let environment = &update.discovery.environments[0];
    let module = module(environment, "m");
    assert_eq!(
        module.files,
        [
            "manifests/file.pp",
            "manifests/init.pp",
            "manifests/inside/f.pp",
            "metadata.json"
        ]
    );
    assert_eq!(module.unreadable, ["manifests/file.pp"]);
    assert!(names(environment).contains(&"linked"));
    assert_eq!(
        relative(root.path(), &environment.others),
        ["w/n/files/f.pp"]
    );
    let texts = update.texts.iter().filter_map(|it| it.1.as_ref());
    assert!(texts.into_iter().all(|it| !it.text.contains("secret")));
}

#[test]
fn reports_unreadable_folders() {
    let root = tree(&[
        ("metadata.json", r#"{"name":"x-m"}"#),
        ("manifests/closed/a.pp", ""),
        ("manifests/init.pp", ""),
    ]);
    assert_noted_once(root.path(), "manifests/closed");
    let root = tree(&[
        ("environment.conf", ""),
        ("modules/closed/metadata.json", r#"{"name":"x-closed"}"#),
        ("modules/open/manifests/init.pp", ""),
        ("manifests/closed/a.pp", ""),
    ]);
    assert_noted_once(root.path(), "modules/closed");
    assert_noted_once(root.path(), "manifests/closed");
}

fn assert_noted_once(root: &Path, unreadable: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let unreadable = root.join(unreadable);
    let set = |mode| fs::set_permissions(&unreadable, fs::Permissions::from_mode(mode));
    set(0o000).expect("permissions can be set");
    // Root can read everything.
    let can_read = fs::read_dir(&unreadable).is_ok();
    let found = discover(&request(root));
    set(0o755).expect("permissions can be set");
    if !can_read {
        assert_eq!(found.notes.len(), 1, "{:?}", found.notes);
    }
}
