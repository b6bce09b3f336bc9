//! Hover on the rules in comments that suppress them.

use syntax::{SyntaxKind, SyntaxToken, TextRange, TextSize};

use crate::Hover;

/// Returns the summary of the rule whose name is at an offset in a comment.
pub(super) fn hover(comment: &SyntaxToken, offset: TextSize) -> Option<Hover> {
    let text = comment.text();
    let is_suppression = text.contains("pupil: ignore[") || text.contains("lint:ignore:");
    if comment.kind() != SyntaxKind::LINE_COMMENT || !is_suppression {
        return None;
    }
    let start = comment.text_range().start();
    let at = usize::from(offset.checked_sub(start)?);
    let (before, after) = (text.get(..at)?, text.get(at..)?);
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
    let word_start = at - before.len() + before.trim_end_matches(is_part).len();
    let word_end = at + after.len() - after.trim_start_matches(is_part).len();
    let rule = rules::rule(&text[word_start..word_end])?;
    let start = start + TextSize::try_from(word_start).ok()?;
    let end = comment.text_range().start() + TextSize::try_from(word_end).ok()?;
    Some(Hover {
        range: TextRange::new(start, end),
        markdown: format!(
            "**{}** ({})\n\n{}",
            rule.code,
            rule.group.name(),
            rule.summary()
        ),
        links: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture::*;

    fn hover(code: &str) -> String {
        let fixture = Fixture::new(&format!("//- manifests/site.pp\n{code}"));
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().hover(file, offset);
        found.map_or_else(String::new, |it| {
            let named = visible_text(fixture.text(file), it.range);
            format!("{named}: {}", it.markdown)
        })
    }

    #[test]
    fn rules_are_explained() {
        let summary = "**block-comment** (style)\n\nReports block comments: `/* … */`.";
        assert_eq!(
            hover("$a = 1 # lint:ignore:star_<^>comments why"),
            format!("star_comments: {summary}")
        );
        assert_eq!(
            hover("$a = 1 # pupil: ignore[long-line, block-co<^>mment]"),
            format!("block-comment: {summary}")
        );
        assert_eq!(hover("$a = 1 # pupil: ig<^>nore[long-line]"), "");
        assert_eq!(hover("$a = 1 # long-l<^>ine"), "");
    }
}
