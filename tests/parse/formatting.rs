//! Formatting preserves the syntax tree and is idempotent.

use analysis::ide::format;
use pupil_tests::corpus::{dialect, modules_dir, read_all};
use syntax::{Dialect, apply_edits, parse, pn};

fn formatted(text: &str, dialect: Dialect) -> Option<String> {
    apply_edits(text, &format(&parse(text, dialect), text, dialect)?)
}

/// Returns the lines without white space.
fn lines_without_space(text: &str) -> impl Iterator<Item = String> + '_ {
    let lines = text
        .lines()
        .map(|it| it.split_whitespace().collect::<String>());
    lines.filter(|it| !it.is_empty())
}

#[test]
#[ignore = "needs Debian's modules"]
fn formatting_preserves_the_trees_of_debian_manifests() {
    let (mut files, mut changed, mut lines, mut kept) = (0, 0, 0, 0);
    for (path, text) in read_all(&modules_dir()).expect("the modules can be read") {
        let dialect = dialect(&path);
        let Some(after) = formatted(&text, dialect) else {
            let is_sound = parse(&text, dialect).errors().is_empty();
            assert!(!is_sound || dialect.epp, "{path}: not formatted");
            continue;
        };
        let tree = |text: &str| pn::to_pn(&parse(text, dialect).tree());
        assert_eq!(tree(&after), tree(&text), "{path}: different tree");
        assert!(
            lines_without_space(&after).eq(lines_without_space(&text)),
            "{path}: different lines"
        );
        assert_eq!(
            formatted(&after, dialect).as_deref(),
            Some(&*after),
            "{path}: not idempotent"
        );
        files += 1;
        changed += usize::from(after != text);
        lines += text.lines().count();
        let mut before = text.lines().filter(|it| !it.trim().is_empty());
        kept += after
            .lines()
            .filter(|it| !it.trim().is_empty())
            .filter(|it| before.next() == Some(it))
            .count();
    }
    assert!(files > 1_800, "{files} files");
    eprintln!(
        "{files} manifests, {changed} changed; {kept} of {lines} lines (with empty ones) unchanged"
    );
}
