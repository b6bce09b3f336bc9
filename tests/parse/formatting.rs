//! Formatting preserves the syntax tree and is idempotent.

use analysis::ide::{FormatOptions, format};
use pupil_tests::corpus::{dialect, modules_dir, read_all};
use syntax::{Dialect, NodeOrToken, SyntaxKind, apply_edits, parse, pn};

fn formatted(text: &str, dialect: Dialect) -> Option<String> {
    apply_edits(
        text,
        &format(
            &parse(text, dialect),
            text,
            dialect,
            &FormatOptions::default(),
        )?,
    )
}

/// Returns the code without whitespace and commas, and the comments.
fn code_and_comments(text: &str, dialect: Dialect) -> (String, Vec<String>) {
    let (mut code, mut comments) = (String::new(), Vec::new());
    let tokens = parse(text, dialect).syntax().descendants_with_tokens();
    for token in tokens.filter_map(NodeOrToken::into_token) {
        match token.kind() {
            SyntaxKind::WHITESPACE | SyntaxKind::COMMA => {}
            it if it.is_comment() => comments.push(token.text().trim_end().to_owned()),
            _ => code.push_str(token.text()),
        }
    }
    (code, comments)
}

#[test]
#[ignore = "needs Debian's modules"]
fn formatting_preserves_the_trees_of_debian_manifests() {
    let (mut files, mut changed, mut lines, mut kept) = (0, 0, 0, 0);
    for (path, text) in read_all(&modules_dir()).expect("the modules can be read") {
        let dialect = dialect(&path);
        let Some(after) = formatted(&text, dialect) else {
            let is_sound = parse(&text, dialect).errors().is_empty();
            assert!(!is_sound, "{path}: not formatted");
            continue;
        };
        let tree = |text: &str| pn::to_pn(&parse(text, dialect).tree());
        assert_eq!(tree(&after), tree(&text), "{path}: different tree");
        assert_eq!(
            code_and_comments(&after, dialect),
            code_and_comments(&text, dialect),
            "{path}: different code"
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
