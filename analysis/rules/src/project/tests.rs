//! Tests of the project files, with the examples of the rule pages: a block `NAME wrong` must produce
//! a diagnostic on each line that ends with `# <-` and on no other, a block `NAME right` none at all.

use super::*;
use crate::rules::PROJECT_RULES;
use crate::testing::project_messages as messages;

const MARK: &str = " # <-";

/// Returns an environment with a few installed modules.
fn around() -> ProjectContext {
    ProjectContext {
        modules: vec![
            module("stdlib", Some("8.5.0")),
            module("concat", None),
            module("mine", None),
        ],
        complete: true,
        ..ProjectContext::default()
    }
}

fn module(name: &str, version: Option<&str>) -> InstalledModule {
    InstalledModule {
        name: name.to_owned(),
        author: None,
        version: version.map(str::to_owned),
        is_of_machine: false,
    }
}

/// Returns the kind, the verdict (whether it is wrong) and the text of each example.
fn examples(rule: &Rule) -> Vec<(ProjectFile, bool, String)> {
    let mut found = Vec::new();
    let page = rule.page();
    let mut parts = page.split("```");
    parts.next();
    while let Some(block) = parts.next() {
        let (head, text) = block.split_once('\n').expect("a block has an info string");
        let (name, verdict) = head.split_once(' ').unwrap_or((head, ""));
        if let Some(file) = ProjectFile::of_name(name) {
            found.push((file, verdict == "wrong", text.to_owned()));
        }
        parts.next();
    }
    found
}

#[test]
fn examples_produce_the_marked_diagnostics() {
    for rule in PROJECT_RULES {
        let examples = examples(rule);
        for wrong in [true, false] {
            let has = examples.iter().any(|it| it.1 == wrong);
            assert!(has, "{} lacks an example", rule.code);
        }
        for (file, wrong, text) in examples {
            let marked = text.lines().enumerate();
            let marked = marked.filter(|it| it.1.ends_with(MARK)).map(|it| it.0);
            let marked: Vec<usize> = marked.collect();
            assert_eq!(wrong, !marked.is_empty(), "{}", rule.code);
            let text = text.replace(MARK, "");
            let found = check(file, &text, &around());
            let line =
                |it: &Diagnostic| text[..usize::from(it.range.start())].matches('\n').count();
            let ours = found.iter().filter(|it| it.code == rule.code);
            let mut lines: Vec<usize> = ours.map(line).collect();
            lines.dedup();
            assert_eq!(lines, marked, "{}: {found:#?}", rule.code);
            assert!(
                found.iter().all(|it| it.code == rule.code),
                "{}: {found:#?}",
                rule.code
            );
        }
    }
}

#[test]
fn every_page_follows_the_template() {
    for rule in PROJECT_RULES {
        let page = rule.page();
        assert!(page.starts_with(&format!("# {}\n\n", rule.code)));
        assert!(page.contains(&format!("[rules]\n{} = \"off\"", rule.code)));
    }
}

#[test]
fn syntax_errors_have_a_range() {
    let found = check(ProjectFile::Metadata, "{\n  \"a\": 1,\n}", &around());
    assert_eq!(found.len(), 1);
    assert!(found[0].message.starts_with("invalid JSON: "), "{found:?}");
    assert!(usize::from(found[0].range.start()) >= 10, "{found:?}");
    let found = check(ProjectFile::Hiera, "version: 5\nhierarchy: [\n", &around());
    assert_eq!(found.len(), 1);
    assert!(found[0].message.starts_with("invalid YAML: "), "{found:?}");
    let found = check(
        ProjectFile::Puppetfile,
        "mod 'a/b', '1.0.0'\nmod 'c/d', [\n",
        &around(),
    );
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].message, "invalid Ruby syntax");
}

#[test]
fn comments_suppress_diagnostics() {
    for (file, text) in [
        (
            ProjectFile::Hiera,
            "version: 5\nhierachy: [] # pupil: ignore\n",
        ),
        (
            ProjectFile::Hiera,
            "version: 5\n# pupil: ignore[invalid-hiera-config]\nhierachy: []\n",
        ),
        (
            ProjectFile::Puppetfile,
            "mod 'a' # pupil: ignore[invalid-puppetfile]\n",
        ),
        (
            ProjectFile::EnvironmentConf,
            "# pupil: ignore\nmodulpath = a\n",
        ),
    ] {
        assert_eq!(messages(file, text, None), [""; 0], "{text}");
        let silent = text.replace("pupil", "pup");
        assert_eq!(messages(file, &silent, None).len(), 1, "{text}");
    }
    // After a value, the comment is part of the value.
    let text = "modulpath = a # pupil: ignore\n";
    assert_eq!(messages(ProjectFile::EnvironmentConf, text, None).len(), 1);
}

#[test]
fn hostile_files_terminate() {
    for piece in [
        "[", "{", "{\"a\":", "- ", "a: ", "mod(", "'", "\"", "\\", "&a [*a, ",
    ] {
        let text = piece.repeat(20_000);
        for file in ProjectFile::ALL {
            let found = check(file, &text, &around());
            let end = TextRange::up_to(syntax::TextSize::of(text.as_str()));
            assert!(
                found.iter().all(|it| end.contains_range(it.range)),
                "{piece}"
            );
        }
    }
}

/// Returns the messages about a `hiera.yaml` of an environment with data files.
fn hiera_messages(text: &str, files: &[&str], functions: &[&str]) -> Vec<String> {
    let around = ProjectContext {
        owner: Some(Owner::Environment),
        data_files: files.iter().map(|it| (*it).to_owned()).collect(),
        functions: functions.iter().map(|it| (*it).to_owned()).collect(),
        ..ProjectContext::default()
    };
    let found = check(ProjectFile::Hiera, text, &around);
    found.into_iter().map(|it| it.message).collect()
}

#[test]
fn files_that_some_nodes_read_may_be_meant() {
    let of = |path: &str, files: &[&str]| {
        let text = format!(
            "version: 5\nhierarchy:\n- {{name: a, path: \"%{{facts.os.name}}.yaml\"}}\n- {{name: b, path: {path}}}\n"
        );
        hiera_messages(&text, files, &[])
    };
    assert_eq!(
        of("default.yaml", &["data/defaults.yaml"]),
        ["no file matches `default.yaml`; did you mean `defaults.yaml`?"]
    );
    assert_eq!(of("default.yaml", &["data/Debian.yaml"]), [""; 0]);
    assert_eq!(
        of("default.yaml", &["data/default.yaml", "data/defaults.yaml"]),
        [""; 0]
    );
}

#[test]
fn data_may_be_in_another_folder() {
    let of = |datadir: &str, files: &[&str]| {
        let text = format!(
            "version: 5\ndefaults: {{datadir: {datadir}, data_hash: yaml_data}}\nhierarchy:\n\
             - {{name: n, path: \"n/%{{trusted.certname}}.yaml\"}}\n- {{name: c, path: common.yaml}}\n"
        );
        hiera_messages(&text, files, &[])
    };
    let message = "directory `hieradata` not found; did you mean `data`?";
    assert_eq!(
        of("hieradata", &["data/common.yaml", "data/x.yaml"]),
        [message]
    );
    assert_eq!(of("date", &["data/x.yaml"]).len(), 1);
    for files in [
        &["data/x.yaml"][..],
        &["data/common.yaml", "hieradata/common.yaml"],
        &[],
    ] {
        assert_eq!(of("hieradata", files), [""; 0], "{files:?}");
    }
}

#[test]
fn functions_of_modules_may_be_meant() {
    let of = |name: &str| {
        let text = format!("version: 5\nhierarchy:\n- {{name: a, path: b, data_hash: {name}}}\n");
        hiera_messages(&text, &[], &["site_data"])
    };
    assert_eq!(
        of("site_dat"),
        ["unknown function `site_dat`; did you mean `site_data`?"]
    );
    assert_eq!(of("site_data"), [""; 0]);
    assert_eq!(of("other_data"), [""; 0]);
}
