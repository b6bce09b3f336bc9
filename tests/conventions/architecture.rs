//! The paths in `ARCHITECTURE.md` exist.

use pupil_tests::repository;

/// The placeholders for names in paths.
const PLACEHOLDERS: [&str; 5] = ["FAMILY", "FEATURE", "FORMAT", "NAME", "TYPE"];

/// The extensions of files.
const EXTENSIONS: [&str; 5] = [".json", ".md", ".pp", ".rs", ".toml"];

/// Returns the paths in backticks. For a path with a placeholder, returns its directory.
fn paths(text: &str) -> Vec<&str> {
    let code = text.split('`').skip(1).step_by(2);
    let is_path = |it: &&str| {
        let has_extension = EXTENSIONS.iter().any(|end| it.ends_with(end));
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "./_-".contains(it);
        it.chars().all(is_plain) && (it.contains('/') || has_extension)
    };
    let paths = code.filter(is_path).filter(|it| *it != "pupil.toml");
    let existing = paths.map(|it| {
        let name = it.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let is_placeholder = PLACEHOLDERS.contains(&stem);
        it.strip_suffix(name)
            .filter(|_| is_placeholder)
            .unwrap_or(it)
    });
    existing.collect()
}

/// Checks whether a file ends with a path, or is in the directory that a path ends with.
fn matches(file: &str, path: &str) -> bool {
    let (file, path) = (format!("/{file}"), format!("/{path}"));
    if file.ends_with(&path) {
        return true;
    }
    let directory = format!("{}/", path.trim_end_matches('/'));
    file.contains(&directory)
}

#[test]
fn paths_in_the_architecture_exist() {
    let texts = repository::texts(|_| true);
    let page = texts.iter().find(|it| it.0 == "ARCHITECTURE.md");
    let (_, text) = page.expect("the page exists");
    let files: Vec<&str> = texts.iter().map(|it| &*it.0).collect();
    let mut problems = Vec::new();
    for path in paths(text) {
        let found: Vec<_> = files.iter().filter(|it| matches(it, path)).collect();
        let is_file = EXTENSIONS.iter().any(|it| path.ends_with(it));
        // A path from the root is clear, even if another one ends with it.
        let is_clear = !is_file || found.len() == 1 || files.contains(&path);
        if found.is_empty() || !is_clear {
            problems.push(format!("`{path}`: {found:?}"));
        }
    }
    let problems = problems.join("\n");
    assert!(
        problems.is_empty(),
        "paths in ARCHITECTURE.md that do not exist or are ambiguous:\n{problems}"
    );
}

#[test]
fn finds_paths() {
    let text = "`a/b.rs`, `c.rs`, `a::b`, `d/NAME.rs`, `src/`, `time*.rs`, `x`, `pupil.toml`";
    assert_eq!(paths(text), ["a/b.rs", "c.rs", "d/", "src/"]);
    assert!(matches("x/a/b.rs", "a/b.rs") && matches("a/b.rs", "a/b.rs"));
    assert!(matches("x/src/b.rs", "src/") && !matches("x/aa/b.rs", "a/b.rs"));
}
