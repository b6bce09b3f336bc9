//! The length of source files.

use pupil_tests::repository;

/// The maximum number of lines of a file.
const MAX_LINES: usize = 800;

#[test]
fn source_files_are_short() {
    let long: Vec<_> = repository::rust_sources()
        .into_iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|it| it.1 > MAX_LINES)
        .collect();
    assert!(long.is_empty(), "more than {MAX_LINES} lines: {long:?}");
}
