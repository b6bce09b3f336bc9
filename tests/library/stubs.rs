//! The stubs as sources: our own parser and rules accept them.

use analysis::library;
use syntax::validation::{ValidationContext, validate};
use syntax::{Dialect, Stage};

use crate::assert_no_problems;

#[test]
fn stubs_have_no_diagnostics() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for source in library::sources() {
        count += 1;
        let parse = syntax::parse(source.text, Dialect::default());
        let errors = parse.errors().iter().map(|it| it.message.clone());
        wrong.extend(errors.map(|it| format!("{}: {it}", source.name)));
        // Overloads and names of metaparameters are only rejected on import.
        let mut found = validate(&parse.tree(), &ValidationContext::default());
        found.retain(|it| it.stage != Stage::Import);
        // stdlib defines `hash` in Ruby, where the name is allowed.
        let is_hash = |message: &str| message == "cannot define `hash`: it is a built-in data type";
        found.retain(|it| source.name != "module_functions.pp" || !is_hash(&it.message));
        wrong.extend(
            found
                .iter()
                .map(|it| format!("{}: {}", source.name, it.message)),
        );
        // A tag is a single line.
        let lines = source.text.lines();
        let lines = lines.filter(|it| !it.trim_start().starts_with("# @accepts "));
        let long = lines.filter(|it| it.chars().count() > 120);
        wrong.extend(long.map(|it| format!("{}: line too long: {it}", source.name)));
    }
    assert!(count > 40, "only {count} stubs are embedded");
    assert_no_problems(&wrong);
}

#[test]
fn all_stubs_are_embedded() {
    let dir =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../analysis/library/src/stubs");
    let mut found = Vec::new();
    let mut folders = vec![dir.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the directory can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&dir).expect("a path below the directory");
                found.push(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    let mut embedded: Vec<&str> = library::sources().map(|it| it.name).collect();
    embedded.sort_unstable();
    assert_eq!(embedded, found);
}
