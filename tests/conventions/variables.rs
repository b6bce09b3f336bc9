//! The environment variables are documented.

use std::collections::BTreeSet;

use pupil_tests::repository;

/// The prefix of all variables.
const PREFIX: &str = "PUPIL_";

/// Returns the names of variables in a file.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(PREFIX).filter_map(|(at, _)| {
        let is_start = !text[..at].ends_with(|it: char| it.is_ascii_alphanumeric() || it == '_');
        let rest = &text[at + PREFIX.len()..];
        let length = rest.find(|it: char| !it.is_ascii_uppercase() && it != '_');
        let name = &text[at..at + PREFIX.len() + length.unwrap_or(rest.len())];
        (is_start && name.len() > PREFIX.len()).then_some(name)
    })
}

/// Returns the names in the first column of the table in `tests/README.md`.
fn documented(readme: &str) -> BTreeSet<&str> {
    let rows = readme.lines().filter_map(|it| it.strip_prefix("| `"));
    let cells = rows.filter_map(|it| it.split_once('`').map(|it| it.0));
    cells.filter(|it| it.starts_with(PREFIX)).collect()
}

#[test]
fn environment_variables_are_documented() {
    let texts = repository::texts(|path| !path.starts_with("tests/conventions/"));
    let readme = texts.iter().find(|it| it.0 == "tests/README.md");
    let documented = documented(&readme.expect("the README exists").1);
    let used: BTreeSet<_> = texts
        .iter()
        .filter(|it| it.0 != "tests/README.md")
        .flat_map(|it| names(&it.1))
        .collect();
    let missing: Vec<_> = used.difference(&documented).collect();
    let unused: Vec<_> = documented.difference(&used).collect();
    assert!(
        missing.is_empty() && unused.is_empty(),
        "the table in tests/README.md lacks {missing:?} and has unused {unused:?}"
    );
}

#[test]
fn tests_read_variables_in_one_module() {
    let sources = repository::texts(|path| path.starts_with("tests/") && path.ends_with(".rs"));
    let reading = sources.iter().filter(|(path, text)| {
        !path.starts_with("tests/conventions/")
            && path != "tests/src/env.rs"
            && ["env::var(\"PUPIL", "env::var_os(\"PUPIL"]
                .iter()
                .any(|it| text.contains(it))
    });
    let reading: Vec<_> = reading.map(|it| &it.0).collect();
    assert!(reading.is_empty(), "use `pupil_tests::env` in {reading:?}");
}

#[test]
fn finds_names() {
    let found: Vec<_> = names("$PUPIL_SEED=7 ${PUPIL_CUT:-} PUPIL_ XPUPIL_NO").collect();
    assert_eq!(found, ["PUPIL_SEED", "PUPIL_CUT"]);
}
