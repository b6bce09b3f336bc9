//! Discovery in realistic directory structures.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::environment_plan::EnvironmentKind;
use super::{Discovery, FoundEnvironment, FoundModule, Loader, WorkspaceRequest, discover};

/// Creates a temporary directory with files.
pub(super) fn tree(entries: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in entries {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("the path has a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

/// Creates a request for one directory that is independent of the modules installed on this
/// machine.
pub(super) fn request(folder: &Path) -> WorkspaceRequest {
    WorkspaceRequest {
        folders: vec![folder.to_owned()],
        basemodulepath: Some(Vec::new()),
        ..WorkspaceRequest::default()
    }
}

pub(super) fn names(environment: &FoundEnvironment) -> Vec<&str> {
    let modules = environment.modules.iter();
    modules.map(|it| it.name.as_str()).collect()
}

fn module<'a>(environment: &'a FoundEnvironment, name: &str) -> &'a FoundModule {
    let mut modules = environment.modules.iter();
    modules
        .find(|it| it.name == name)
        .expect("the module is found")
}

pub(super) fn relative(root: &Path, paths: &[PathBuf]) -> Vec<String> {
    let paths = paths.iter().map(|it| it.strip_prefix(root).unwrap_or(it));
    paths.map(|it| it.display().to_string()).collect()
}

fn messages(found: &Discovery) -> Vec<&str> {
    found.notes.iter().map(|it| it.message.as_str()).collect()
}

#[test]
fn control_repository_with_environment_conf() {
    let root = tree(&[
        (
            "environment.conf",
            "modulepath = site:$basemodulepath:modules:gone\nmanifest = nodes\n",
        ),
        (
            "Puppetfile",
            "mod 'a/apt'\nmod 'b/missing'\nmod 'own', local: true\n",
        ),
        ("site/role/manifests/init.pp", ""),
        ("site/Not-A-Module/metadata.json", "{}"),
        (
            "modules/apt/metadata.json",
            r#"{"name":"a/apt","version":"1.2.3"}"#,
        ),
        ("modules/own/manifests/init.pp", ""),
        ("base/cron/types/a.pp", ""),
        ("nodes/b.pp", ""),
        ("nodes/a/z.pp", ""),
        ("nodes/a.pp", ""),
        ("nodes/.hidden.pp", ""),
        ("nodes/readme.md", ""),
        ("manifests/unused.pp", ""),
        ("functions/f.pp", ""),
        ("ignored/x.pp", ""),
        (".gitignore", "ignored\n"),
    ]);
    let mut request = request(root.path());
    request.basemodulepath = Some(vec![root.path().join("base")]);
    let found = discover(&request);
    let [environment] = &found.environments[..] else {
        panic!("one environment")
    };
    assert_eq!(environment.kind, EnvironmentKind::Environment);
    assert_eq!(
        names(environment),
        ["environment", "role", "cron", "apt", "own"]
    );
    use analysis::base::ModuleOrigin::{Installed, Workspace};
    for (name, origin) in [("role", Workspace), ("apt", Installed), ("own", Workspace)] {
        assert_eq!(module(environment, name).origin, origin, "{name}");
    }
    assert_eq!(module(environment, "apt").version.as_deref(), Some("1.2.3"));
    assert_eq!(
        relative(root.path(), &environment.manifests),
        ["nodes/a.pp", "nodes/a/z.pp", "nodes/b.pp"]
    );
    assert_eq!(
        relative(root.path(), &environment.others),
        ["manifests/unused.pp"]
    );
    assert!(!environment.unchecked().is_empty());
    let notes = messages(&found).join("\n");
    for part in [
        "missing",
        "gone",
        "`Not-A-Module` is not a valid module name",
    ] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
}

#[test]
fn control_repository_without_environment_conf() {
    let root = tree(&[
        ("site-modules/profile/manifests/a.pp", ""),
        ("modules/apt/lib/x.rb", ""),
        ("manifests/site.pp", ""),
    ]);
    let found = discover(&request(root.path()));
    let environment = &found.environments[0];
    assert_eq!(names(environment), ["apt", "profile"]);
    assert_eq!(
        relative(root.path(), &environment.manifests),
        ["manifests/site.pp"]
    );
    assert_eq!(environment.unchecked(), [""; 0]);
}

#[test]
fn module_finds_its_dependencies() {
    let root = tree(&[
        (
            "puppetlabs-apache/metadata.json",
            r#"{"name":"puppetlabs-apache","dependencies":[{"name":"puppetlabs/stdlib"},
                {"name":"x/none"},{"name":"../../evil"}]}"#,
        ),
        ("puppetlabs-apache/manifests/init.pp", "class apache { }"),
        ("puppetlabs-apache/examples/a.pp", ""),
        (
            "puppetlabs-apache/spec/fixtures/modules/concat/manifests/init.pp",
            "",
        ),
        (
            "puppetlabs-apache/.fixtures.yml",
            "fixtures:\n  symlinks:\n    near: '#{source_dir}/../near'\n    far: /etc\n    apache: '#{source_dir}'\n",
        ),
        ("near/types/a.pp", ""),
        (
            "stdlib/metadata.json",
            r#"{"name":"puppetlabs-stdlib","dependencies":[{"name":"a-deep"}]}"#,
        ),
        ("a-deep/manifests/init.pp", ""),
        ("unrelated/manifests/init.pp", ""),
    ]);
    let found = discover(&request(&root.path().join("puppetlabs-apache")));
    let [environment] = &found.environments[..] else {
        panic!("one environment")
    };
    assert_eq!(environment.kind, EnvironmentKind::Module);
    assert_eq!(
        names(environment),
        ["apache", "concat", "near", "deep", "stdlib"]
    );
    assert_eq!(
        module(environment, "apache").dependencies,
        ["none", "stdlib"]
    );
    assert_eq!(
        relative(root.path(), &environment.others),
        ["puppetlabs-apache/examples/a.pp"]
    );
    let notes = messages(&found).join("\n");
    assert!(
        notes.contains("not installed are not checked: `far`, `none`"),
        "{notes}"
    );
    assert!(notes.contains("symlink `far`"), "{notes}");
}

#[test]
fn distinguishes_folders_of_modules_and_of_environments() {
    let root = tree(&[
        ("all/a-one/metadata.json", r#"{"name":"a-one"}"#),
        ("all/two/manifests/init.pp", ""),
        ("all/docs/readme.md", ""),
        (
            "code/environments/production/modules/m/manifests/init.pp",
            "",
        ),
        ("code/environments/test/environment.conf", ""),
        ("code/modules/global/manifests/init.pp", ""),
    ]);
    let mut request = request(&root.path().join("all"));
    request.folders.push(root.path().join("code"));
    let found = discover(&request);
    let [all, production, test] = &found.environments[..] else {
        panic!("three: {found:#?}")
    };
    assert_eq!(
        (all.kind, names(all)),
        (EnvironmentKind::Modules, vec!["one", "two"])
    );
    assert_eq!(names(production), ["m", "global"]);
    assert_eq!(names(test), ["global"]);
}

#[test]
fn finds_nested_projects() {
    let root = tree(&[
        ("infra/puppet/environment.conf", ""),
        ("infra/puppet/modules/m/manifests/init.pp", ""),
        ("lib/mod/metadata.json", r#"{"name":"x-mod"}"#),
        ("scripts/loose.pp", ""),
    ]);
    let found = discover(&request(root.path()));
    let [control, single, files] = &found.environments[..] else {
        panic!("three: {found:#?}")
    };
    assert_eq!(names(control), ["m"]);
    assert_eq!(names(single), ["mod"]);
    assert_eq!(relative(root.path(), &files.others), ["scripts/loose.pp"]);
    assert!(!files.unchecked().is_empty());
}

#[test]
fn finds_environment_of_opened_file() {
    let root = tree(&[
        ("control/environment.conf", ""),
        ("control/modules/m/metadata.json", r#"{"name":"x-m"}"#),
        ("control/modules/m/manifests/init.pp", ""),
        ("alone/a.pp", ""),
    ]);
    let file = |path: &str| root.path().join(path);
    let request = WorkspaceRequest {
        files: vec![
            file("control/modules/m/manifests/init.pp"),
            file("alone/a.pp"),
        ],
        basemodulepath: Some(Vec::new()),
        ..WorkspaceRequest::default()
    };
    let found = discover(&request);
    let [control, standalone] = &found.environments[..] else {
        panic!("two: {found:#?}")
    };
    assert_eq!(control.root, file("control"));
    assert_eq!(names(control), ["m"]);
    assert_eq!(standalone.others, [file("alone/a.pp")]);
    assert!(!standalone.unchecked().is_empty());
}

#[test]
fn finds_environment_of_opened_file_without_environment_conf() {
    let root = tree(&[
        ("deployed/Puppetfile", ""),
        ("deployed/data/common.yaml", ""),
        ("bolt/bolt-project.yaml", ""),
        ("bolt/plans/a.pp", ""),
        ("main/manifests/site.pp", ""),
        ("main/modules/m/metadata.json", r#"{"name":"x-m"}"#),
        ("main/modules/m/manifests/site.pp", ""),
        ("module/metadata.json", r#"{"name":"x-module"}"#),
        ("module/Puppetfile", ""),
        ("module/manifests/init.pp", ""),
        ("old/Puppetfile", ""),
        ("old/manifests/init.pp", ""),
        ("sources/Puppetfile", ""),
        ("sources/m/metadata.json", r#"{"name":"x-m"}"#),
        ("sources/m/manifests/init.pp", ""),
    ]);
    for (file, project) in [
        ("deployed/data/common.yaml", "deployed"),
        ("bolt/plans/a.pp", "bolt"),
        ("main/modules/m/manifests/site.pp", "main"),
        ("module/manifests/init.pp", "module"),
        ("old/manifests/init.pp", "old"),
        ("sources/m/manifests/init.pp", "sources/m"),
    ] {
        let request = WorkspaceRequest {
            files: vec![root.path().join(file)],
            basemodulepath: Some(Vec::new()),
            ..WorkspaceRequest::default()
        };
        let found = discover(&request);
        let [environment] = &found.environments[..] else {
            panic!("one for {file}: {found:#?}")
        };
        assert_eq!(environment.root, root.path().join(project), "{file}");
    }
}

#[test]
fn folder_within_a_project_means_the_project() {
    let root = tree(&[
        ("environment.conf", "modulepath = site\n"),
        ("site/profile/metadata.json", r#"{"name":"x-profile"}"#),
        ("site/profile/manifests/init.pp", ""),
        ("site/role/manifests/init.pp", ""),
        ("manifests/site.pp", ""),
    ]);
    let mut request = request(&root.path().join("manifests"));
    request.folders.push(root.path().join("site/profile"));
    let found = discover(&request);
    let [environment] = &found.environments[..] else {
        panic!("one: {found:#?}")
    };
    assert_eq!(environment.root, root.path());
    assert_eq!(names(environment), ["profile", "role"]);
    use analysis::base::ModuleOrigin::Workspace;
    assert!(environment.modules.iter().all(|it| it.origin == Workspace));
}

#[test]
fn first_of_two_modules_wins() {
    let root = tree(&[
        ("environment.conf", "modulepath = site:modules\n"),
        ("site/m/manifests/init.pp", ""),
        ("modules/m/manifests/init.pp", ""),
    ]);
    let found = discover(&request(root.path()));
    let modules = &found.environments[0].modules;
    assert_eq!(
        relative(root.path(), &[modules[0].root.clone()]),
        ["site/m"]
    );
    assert_eq!(modules.len(), 1);
    assert!(messages(&found)[0].contains("is shadowed by"));
}

#[test]
fn project_excludes_files_and_adds_modules() {
    let root = tree(&[
        (
            "project/pupil.toml",
            "[workspace]\nmodulepath = [\"../more\"]\nexclude = [\"modules/old\", \"*.bak.pp\"]\n",
        ),
        ("project/control/environment.conf", ""),
        ("project/control/modules/m/manifests/init.pp", ""),
        ("project/control/manifests/site.pp", ""),
        ("project/control/manifests/a.bak.pp", ""),
        ("project/control/x/b.bak.pp", ""),
        ("project/modules/old/manifests/init.pp", ""),
        ("more/extra/manifests/init.pp", ""),
    ]);
    let found = discover(&request(&root.path().join("project/control")));
    let environment = &found.environments[0];
    assert_eq!(names(environment), ["m", "extra"]);
    assert_eq!(environment.manifests.len(), 1);
    assert!(environment.others.is_empty());
    let found = discover(&request(&root.path().join("project")));
    assert!(
        found
            .environments
            .iter()
            .all(|it| !names(it).contains(&"old"))
    );
}

#[test]
fn expands_wildcards_in_modulepath_within_the_workspace() {
    let root = tree(&[
        (
            "w/environment.conf",
            "modulepath = teams/*/modules:../*\nmanifest = ../x.pp\n",
        ),
        ("w/teams/a/modules/one/manifests/init.pp", ""),
        ("w/teams/b/modules/two/manifests/init.pp", ""),
        ("x.pp", ""),
        ("outside/three/manifests/init.pp", ""),
    ]);
    let found = discover(&request(&root.path().join("w")));
    assert_eq!(names(&found.environments[0]), ["one", "two"]);
    assert!(found.environments[0].manifests.is_empty());
    assert_eq!(found.notes.len(), 3, "{:?}", found.notes);
}

#[cfg(unix)]
mod links;

#[test]
fn compares_versions_with_those_required() {
    let lib = |version: &str| format!(r#"{{"name":"me-lib","version":"{version}"}}"#);
    let needs = r#"{"name":"me-own","version":"1.0.0","dependencies":[
        {"name":"me/lib","version_requirement":">= 2.0.0 < 3.0.0"}]}"#;
    let found = |files: &[(&str, &str)], base: bool| {
        let root = tree(files);
        let mut request = request(root.path());
        if base {
            request.basemodulepath = Some(vec![root.path().join("base")]);
            request.folders = vec![root.path().join("env")];
        }
        let found = discover(&request);
        let environment = &found.environments[0];
        let versions = environment.other_versions();
        let is_other = versions.contains(Some("own"), "lib");
        let is_declared = files
            .iter()
            .all(|it| it.0 != "env/Puppetfile" || it.1.contains("lib"));
        let is_noted = environment
            .unchecked()
            .iter()
            .any(|it| it.contains("other versions"));
        // Modules that are not declared may be many, and unused.
        assert_eq!(is_other && is_declared, is_noted);
        is_other
    };
    let of_metadata = |version: &str| {
        let lib = lib(version);
        let files = [("own/metadata.json", needs), ("lib/metadata.json", &*lib)];
        found(&files, false)
    };
    assert!(!of_metadata("2.1.0") && of_metadata("1.9.0") && of_metadata("3.0.0"));
    let of_puppetfile = |pin: &str, version: &str| {
        let (lib, file) = (lib(version), format!("mod 'me/lib'{pin}\n"));
        let files = [
            ("Puppetfile", &*file),
            ("site/own/manifests/init.pp", ""),
            ("modules/lib/metadata.json", &lib),
        ];
        found(&files, false)
    };
    for (pin, version, expected) in [
        (", '1.0.0'", "1.0.0", false),
        (", '1.0.0'", "1.0.1", true),
        (", '>= 1.0.0'", "1.0.1", false),
        (", :git => 'https://x', :tag => 'v2.0.0'", "1.0.0", true),
        (",\n  git: 'https://x',\n  ref: '1.0.0'", "1.0.0", false),
        (", :git => 'https://x', :branch => 'main'", "1.0.0", false),
        (", :latest", "1.0.0", false),
        ("", "1.0.0", false),
    ] {
        assert_eq!(of_puppetfile(pin, version), expected, "{pin}");
    }
    let of_source = |declared: &str, source: &str, remote: &str| {
        let lib = format!(r#"{{"name":"me-lib","version":"1.0.0","source":"{source}"}}"#);
        let config = format!("[remote \"origin\"]\n\turl = {remote}\n");
        let declared = format!("mod {declared}\n");
        let mut files = vec![
            ("Puppetfile", &*declared),
            ("site/own/manifests/init.pp", ""),
            ("modules/lib/metadata.json", &*lib),
        ];
        if !remote.is_empty() {
            files.push(("modules/lib/.git/config", &config));
        }
        found(&files, false)
    };
    let (mine, fork) = ("https://github.com/me/lib", "git@github.com:us/lib.git");
    let of_fork = format!("'lib', :git => '{fork}', :branch => 'main'");
    assert!(of_source(&of_fork, mine, "") && of_source(&of_fork, mine, mine));
    assert!(!of_source(&of_fork, mine, fork) && !of_source(&of_fork, "", ""));
    assert!(of_source("'you/lib'", mine, "") && of_source("'you-lib', '1.0.0'", mine, ""));
    let tagged = format!("'me-lib', git: '{fork}', tag: 'v1.0.0'");
    assert!(!of_source("'Me/lib'", mine, "") && !of_source(&tagged, mine, ""));
    let of_machine = |declared: &str| {
        let (lib, file) = (lib("1.0.0"), format!("mod 'me/{declared}\n"));
        let files = [
            ("env/Puppetfile", &*file),
            ("env/site/own/manifests/init.pp", ""),
            ("base/lib/metadata.json", &lib),
        ];
        found(&files, true)
    };
    assert!(of_machine("lib'") && of_machine("lib', :latest") && of_machine("lib', '2.0.0'"));
    assert!(!of_machine("lib', '1.0.0'"));
    // Not declared at all.
    assert!(of_machine("other', '1.0.0'"));
}

#[test]
fn fixtures_require_versions() {
    let root = tree(&[
        (
            "own/metadata.json",
            r#"{"name":"me-own","version":"1.0.0"}"#,
        ),
        (
            "own/.fixtures.yml",
            "fixtures:\n  forge_modules:\n    lib:\n      repo: me/lib\n      ref: '2.0.0'\n  \
             repositories:\n    other:\n      repo: https://x\n      tag: v1.0.0\n",
        ),
        (
            "own/spec/fixtures/modules/lib/metadata.json",
            r#"{"name":"me-lib","version":"1.0.0"}"#,
        ),
        (
            "own/spec/fixtures/modules/other/metadata.json",
            r#"{"name":"me-other","version":"1.0.0"}"#,
        ),
    ]);
    let found = discover(&request(&root.path().join("own")));
    let versions = found.environments[0].other_versions();
    assert!(versions.contains(Some("own"), "lib"));
    assert!(!versions.contains(Some("own"), "other"));
}

#[test]
fn modules_of_another_source_than_the_fixtures_name_are_noted() {
    let is_other = |fixtures: &str, lib: (&str, &str)| {
        let root = tree(&[
            (
                "own/metadata.json",
                r#"{"name":"me-own","version":"1.0.0","dependencies":[]}"#,
            ),
            ("own/.fixtures.yml", fixtures),
            lib,
        ]);
        let found = discover(&request(&root.path().join("own")));
        let versions = found.environments[0].other_versions();
        versions.contains(Some("own"), "lib")
    };
    let release = "fixtures: {forge_modules: {lib: {repo: me/lib, ref: 1.0.0}}}";
    let repository = "fixtures: {repositories: {lib: 'https://h.example/me/lib.git'}}";
    let without_metadata = ("lib/manifests/init.pp", "class lib { }");
    let metadata = |source: &str| {
        format!(r#"{{"name":"me-lib","version":"1.0.0","source":"https://h.example/{source}"}}"#)
    };
    let (same, fork) = (metadata("me/lib"), metadata("you/lib"));
    let (same, fork) = (("lib/metadata.json", &*same), ("lib/metadata.json", &*fork));
    assert!(is_other(release, without_metadata));
    assert!(!is_other(release, same));
    assert!(!is_other(repository, without_metadata));
    assert!(!is_other(repository, same));
    assert!(is_other(repository, fork));
}

#[test]
fn undeclared_modules_of_the_machine_make_no_name_unknown() {
    let root = tree(&[
        (
            "env/metadata.json",
            r#"{"name":"me-own","version":"1.0.0","dependencies":[{"name":"me/lib"}]}"#,
        ),
        ("env/manifests/init.pp", "class own { }"),
        (
            "lib/metadata.json",
            r#"{"name":"me-lib","version":"1.0.0"}"#,
        ),
        (
            "base/other/metadata.json",
            r#"{"name":"me-other","version":"1.0.0"}"#,
        ),
    ]);
    let mut request = request(&root.path().join("env"));
    request.basemodulepath = Some(vec![root.path().join("base")]);
    let found = discover(&request);
    let versions = found.environments[0].other_versions();
    assert!(versions.contains(Some("own"), "other"));
    assert_eq!(versions.required(Some("own")).next(), None);
}

#[test]
fn bolt_projects_have_their_own_modulepath() {
    let root = tree(&[
        (
            "bolt-project.yaml",
            "name: shop\nmodulepath: [site]\nmodules: [a/x, a/gone]\n",
        ),
        ("plans/init.pp", ""),
        ("site/y/manifests/init.pp", ""),
        (".modules/x/manifests/init.pp", ""),
        ("modules/unused/manifests/init.pp", ""),
    ]);
    let found = discover(&request(root.path()));
    let environment = &found.environments[0];
    assert_eq!(names(environment), ["shop", "y", "x"]);
    assert!(
        module(environment, "shop")
            .names
            .contains(&"shop".to_owned())
    );
    use analysis::base::ModuleOrigin::Installed;
    assert_eq!(module(environment, "x").origin, Installed);
    assert!(environment.missing.contains("gone"));
}

#[test]
fn tracked_files_that_are_ignored_are_noted() {
    let root = tree(&[
        (".gitignore", "hidden\nvendor\nmodules/tool\n"),
        ("environment.conf", "modulepath = modules\n"),
        ("hidden/a.pp", ""),
        ("hidden/untracked.pp", ""),
        ("modules/tool/manifests/init.pp", ""),
        ("modules/kept/manifests/init.pp", ""),
        ("manifests/site.pp", ""),
        ("stray.pp", ""),
        ("examples/a.pp", ""),
    ]);
    let tracked = ["hidden/a.pp", "hidden/gone.pp", "manifests/site.pp"];
    let index = super::git_index::index(2, 20, &tracked);
    fs::create_dir(root.path().join(".git")).expect("a folder");
    fs::write(root.path().join(".git/index"), index).expect("a file");
    let found = discover(&request(root.path()));
    let environment = &found.environments[0];
    assert_eq!(relative(root.path(), &environment.ignored), ["hidden/a.pp"]);
    assert_eq!(
        environment.unchecked(),
        [
            "files that Git tracks, but `.gitignore` hides, are not checked: `hidden/a.pp`",
            "Puppet does not load these files: `stray.pp`",
        ]
    );
    use analysis::base::ModuleOrigin::{Installed, Workspace};
    assert_eq!(module(environment, "tool").origin, Installed);
    assert_eq!(module(environment, "kept").origin, Workspace);
}

#[test]
fn tracked_modules_beside_installed_ones_are_checked() {
    let root = tree(&[
        ("Puppetfile", "mod 'puppetlabs/stdlib'\n"),
        ("environment.conf", "modulepath = modules\n"),
        ("modules/stdlib/manifests/init.pp", ""),
        ("modules/own/manifests/init.pp", ""),
        ("modules/vendored/manifests/init.pp", ""),
        ("modules/vendored/checksums.json", "{}"),
        ("modules/vendored/metadata.json", "{}"),
        ("modules/loose/manifests/init.pp", ""),
        ("modules/packaged/manifests/init.pp", ""),
        ("modules/packaged/metadata.json", "{}"),
    ]);
    let tracked = [
        "modules/own/manifests/init.pp",
        "modules/stdlib/manifests/init.pp",
        "modules/vendored/manifests/init.pp",
    ];
    fs::create_dir(root.path().join(".git")).expect("a folder");
    let index = super::git_index::index(2, 20, &tracked);
    fs::write(root.path().join(".git/index"), index).expect("a file");
    let found = discover(&request(root.path()));
    let environment = &found.environments[0];
    let checked =
        |it: &&str| module(environment, it).origin == analysis::base::ModuleOrigin::Workspace;
    let all = ["stdlib", "own", "vendored", "loose", "packaged"];
    assert_eq!(
        all.iter().copied().filter(checked).collect::<Vec<_>>(),
        ["own"]
    );
    let notes: Vec<_> = found.notes.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(
        notes,
        ["modules that neither the Puppetfile lists nor Git tracks are not checked: `loose`"]
    );
}

#[test]
fn check_reports_the_same_files_as_editors() {
    let root = tree(&[
        ("pupil.toml", "[workspace]\nexclude = [\"old.pp\"]\n"),
        (".gitignore", "*.gen.pp\n"),
        ("Puppetfile", "moduledir 'ext'\nmod 'a/b'\n"),
        ("environment.conf", "modulepath = site:ext\n"),
        ("ext/b/manifests/init.pp", ""),
        ("site/own/manifests/init.pp", ""),
        ("site/own/manifests/a.gen.pp", ""),
        ("old.pp", ""),
    ]);
    let found = discover(&request(root.path()));
    let checked = |path: &str| {
        let paths = [root.path().join(path)];
        let mut files = crate::find_files::find(&paths).files;
        found.adjust(&paths, &mut files);
        relative(root.path(), &files)
    };
    let own = ["site/own/manifests/a.gen.pp", "site/own/manifests/init.pp"];
    assert_eq!(checked(""), own);
    assert_eq!(checked("site"), own);
    for path in ["ext", "ext/b", "ext/b/manifests/init.pp"] {
        assert_eq!(checked(path), ["ext/b/manifests/init.pp"]);
    }
    assert_eq!(checked("old.pp"), ["old.pp"]);
}

#[test]
fn finds_directories_of_modules_without_a_modulepath() {
    let root = tree(&[
        ("env/manifests/site.pp", ""),
        ("env/modules/a/manifests/init.pp", ""),
        ("env/deployment/b/manifests/c.pp", ""),
        ("env/external/tool/metadata.json", r#"{"name":"me-tool"}"#),
        ("env/examples/d/manifests/init.pp", ""),
        ("env/environments/e/manifests/site.pp", ""),
        ("base/tool/manifests/init.pp", ""),
    ]);
    let env = root.path().join("env");
    let mut request = request(&env);
    request.basemodulepath = Some(vec![root.path().join("base")]);
    let found = discover(&request);
    let own = |it: &&super::FoundEnvironment| it.root == env;
    let environment = found.environments.iter().find(own).expect("a repository");
    assert_eq!(names(environment)[..3], ["a", "b", "tool"]);
    assert!(!names(environment).contains(&"d"));
    assert!(
        module(environment, "tool")
            .root
            .ends_with("env/external/tool")
    );
}

#[test]
fn nested_modules_are_apart() {
    let root = tree(&[
        ("environment.conf", "modulepath = modules\n"),
        ("modules/a/manifests/init.pp", ""),
        ("modules/a/machine/modules/b/manifests/init.pp", ""),
        ("modules/a/machine/notes.pp", ""),
    ]);
    let found = discover(&request(root.path()));
    let [environment, nested] = &found.environments[..] else {
        panic!("{:?}", found.environments);
    };
    let path = "modules/a/machine/modules/b/manifests/init.pp";
    assert_eq!(
        relative(root.path(), &environment.others),
        ["modules/a/machine/notes.pp"]
    );
    assert_eq!(relative(root.path(), &nested.others), [path]);
    let folder = "modules/a/machine/modules/b";
    assert_eq!(
        nested.unchecked(),
        [format!(
            "names in nested modules and environments are not checked: `{folder}`"
        )]
    );
}

#[test]
fn data_may_be_next_to_its_configuration() {
    let config = "version: 5\ndefaults: {datadir: ., data_hash: yaml_data}\nhierarchy:\n\
                  - {name: n, path: \"nodes/%{trusted.certname}.yaml\"}\n\
                  - {name: c, path: common.yaml}\n";
    let root = tree(&[
        ("environment.conf", "modulepath = modules\n"),
        ("hiera.yaml", config),
        ("common.yaml", "a: 1\n"),
        ("nodes/x.yaml", "a: 1\n"),
        ("other/x.yaml", "a: 1\n"),
        ("modules/a/manifests/init.pp", ""),
    ]);
    let found = discover(&request(root.path()));
    let own = module(&found.environments[0], "environment");
    let data: Vec<&String> = own.data_files().collect();
    assert_eq!(data, ["common.yaml", "nodes/x.yaml"]);
    assert!(!own.files.iter().any(|it| it.starts_with("other")));
}

#[test]
fn reasons_for_unreported_keys() {
    let reasons = |levels: &str, data: &[&str]| {
        let config = format!("version: 5\nhierarchy:\n{levels}");
        let mut files = vec![
            ("environment.conf", "modulepath = modules\n"),
            ("hiera.yaml", config.as_str()),
        ];
        files.extend(data.iter().map(|it| (*it, "a: 1\n")));
        let root = tree(&files);
        let found = discover(&request(root.path()));
        found.environments[0].unchecked().join("; ")
    };
    let common = "- {name: c, path: common.yaml}\n";
    let data = ["data/common.yaml"];
    let start = "missing keys of Hiera data are not reported: ";
    assert_eq!(reasons(common, &data), "");
    assert_eq!(
        reasons(common, &[]),
        format!("{start}there are no data files")
    );
    let levels = format!(
        "{common}- {{name: v, lookup_key: hiera_vault}}\n\
         - {{name: h, data_hash: hocon_data, path: x.conf}}\n\
         - {{name: o, path: x.yaml, datadir: /srv}}\n\
         - {{name: f, path: x.yaml}}\n- {{name: t, path: \"%{{x}}.yaml\"}}\n"
    );
    assert_eq!(
        reasons(&levels, &data),
        format!(
            "{start}level `v` uses the function `hiera_vault`; level `h` uses the function \
             `hocon_data`; level `o` reads files outside of the environment; a file of level `f` \
             is missing"
        )
    );
    let some = format!("{common}- {{name: t, path: \"secrets/%{{x}}.yaml\"}}\n");
    assert_eq!(
        reasons(&some, &data),
        "missing keys of Hiera data cause only hints: no file matches a path of level `t`"
    );
    let nested = format!("{common}- {{name: t, path: \"t/%{{x}}/%{{y}}.yaml\"}}\n");
    let others = ["data/common.yaml", "data/t/a.yaml"];
    assert_eq!(reasons(&nested, &others), "");
    assert_ne!(
        reasons(&nested, &["data/common.yaml", "data/t/a.eyaml"]),
        ""
    );
}
