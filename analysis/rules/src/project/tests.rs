//! Tests of the project files, with the examples of the rule pages: a block `NAME wrong` must produce
//! a diagnostic on each line that ends with `# <-` and on no other, a block `NAME right` none at all.

use super::*;
use crate::{PROJECT_RULES, Rule};

const MARK: &str = " # <-";

/// An environment with a few installed modules.
fn around() -> Surroundings {
    Surroundings {
        modules: vec![
            module("stdlib", Some("8.5.0")),
            module("concat", None),
            module("mine", None),
        ],
        complete: true,
        owner: None,
    }
}

fn module(name: &str, version: Option<&str>) -> InstalledModule {
    InstalledModule {
        name: name.to_owned(),
        version: version.map(str::to_owned),
    }
}

/// Returns the kind, the verdict (whether it is wrong) and the text of each example.
fn examples(rule: &Rule) -> Vec<(ProjectFile, bool, String)> {
    let mut found = Vec::new();
    let mut parts = rule.doc.split("```");
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
        assert!(rule.doc.starts_with(&format!("# {}\n\n", rule.code)));
        assert!(
            rule.doc
                .contains(&format!("[rules]\n{} = \"off\"", rule.code))
        );
    }
}

/// Returns the messages for a file.
fn messages(file: ProjectFile, text: &str, owner: Option<Owner>) -> Vec<String> {
    let around = Surroundings {
        owner,
        ..Surroundings::default()
    };
    let found = check(file, text, &around);
    found.into_iter().map(|it| it.message).collect()
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
fn hiera_configs_depend_on_their_owner() {
    let old = "---\n:backends: [yaml]\n";
    assert_eq!(messages(ProjectFile::Hiera, old, None), [""; 0]);
    for owner in [Owner::Module, Owner::Environment] {
        assert_eq!(messages(ProjectFile::Hiera, old, Some(owner)).len(), 1);
    }
    let text = "version: 5\ndefault_hierarchy: []\n";
    assert_eq!(
        messages(ProjectFile::Hiera, text, Some(Owner::Module)),
        [""; 0]
    );
    assert_eq!(
        messages(ProjectFile::Hiera, text, Some(Owner::Environment)).len(),
        1
    );
}

#[test]
fn a_quoted_version_is_not_a_number() {
    for version in ["\"5\"", "'5'", "'4'", "\"3\""] {
        for owner in [None, Some(Owner::Module), Some(Owner::Environment)] {
            let text = format!("version: {version}\nhierarchy: []\n");
            let found = messages(ProjectFile::Hiera, &text, owner);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(found[0].contains("a quoted string"), "{found:?}");
        }
    }
    // The rest of the file is checked nevertheless.
    let text = "version: '5'\nhierachy: []\n";
    assert_eq!(messages(ProjectFile::Hiera, text, None).len(), 2);
    let text = "version: &v 5\nhierarchy: []\n";
    assert_eq!(messages(ProjectFile::Hiera, text, None), [""; 0]);
}

/// As in Puppet 7.23: the version must be an integer; null and `false` mean 3.
#[test]
fn a_version_is_an_integer() {
    let of = |version: &str| {
        let text = format!("version: {version}\nhierachy: []\n");
        messages(ProjectFile::Hiera, &text, Some(Owner::Module)).concat()
    };
    for wrong in [
        "5.0", "true", "on", "[5]", "{}", "5.5", "4.2", "3.0", "abc", "5abc", "5e0", "''", "'abc'",
        "'0x5'",
    ] {
        assert!(of(wrong).contains("the integer"), "{wrong}: {}", of(wrong));
    }
    for fifth in ["5", "0x5", "005", "+5", "0_5", "0b101", "&x 5"] {
        assert!(of(fifth).contains("hierachy"), "{fifth}: {}", of(fifth));
    }
    for third in ["3", "null", "~", "", "false", "Off"] {
        assert!(of(third).contains("version 3"), "{third}: {}", of(third));
    }
    for other in ["6", "2", "0x10"] {
        assert!(
            of(other).contains("unsupported version"),
            "{other}: {}",
            of(other)
        );
    }
    for unsaid in ["4", "!!int 5", "!!float 5"] {
        assert_eq!(of(unsaid), "", "{unsaid}");
    }
}

#[test]
fn symbols_are_accepted_as_keys() {
    let text = ":version: 5\n:hierarchy:\n- :name: a\n  :path: b\n";
    assert_eq!(messages(ProjectFile::Hiera, text, None), [""; 0]);
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
fn unknown_content_is_not_reported() {
    let puppetfile = "mod 'a/b', '1.0.0'\nmod \"x#{y}\"\nif true\n  mdo 'x'\nend\nmdo 'y'\n";
    assert_eq!(messages(ProjectFile::Puppetfile, puppetfile, None), [""; 0]);
    for text in ["", "# only a comment\n", "version: 4\nx: 1\n", "---\n"] {
        assert_eq!(messages(ProjectFile::Hiera, text, None), [""; 0], "{text}");
    }
    let merged = "x: &x {name: a}\nversion: 5\nhierarchy:\n- <<: *x\n  path: b\n- *x\n";
    let found = messages(ProjectFile::Hiera, merged, None);
    assert_eq!(found.len(), 1, "{found:?}");
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
