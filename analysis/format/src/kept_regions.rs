//! Regions of a file that keep the layout of their author.

use rustc_hash::FxHashMap;
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use crate::changes::{LayoutChange, LayoutKind};

/// The comments around a region that keeps all of its layout.
const OFF: &str = "pupil: format off";
const ON: &str = "pupil: format on";

/// A part of the file in which changes of some kinds are not made.
struct KeptRegion {
    range: TextRange,
    /// The checks of puppet-lint that a comment turns off there; `None` for all changes.
    checks: Option<Vec<String>>,
}

/// Removes the changes in regions that keep their layout: those between `# pupil: format off` and `# pupil: format on`,
/// and those in which `# lint:ignore:CHECK` turns off a check of the layout.
pub(crate) fn remove_kept(root: &SyntaxNode, text: &str, changes: &mut Vec<LayoutChange>) {
    if !text.contains(OFF) && !text.contains("lint:ignore:") {
        return;
    }
    let regions = regions(root, text);
    let mut by_kind: FxHashMap<LayoutKind, Vec<TextRange>> = FxHashMap::default();
    changes.retain(|change| {
        let kept = by_kind.entry(change.kind);
        let kept = kept.or_insert_with(|| kept_ranges(&regions, change.kind));
        let next = kept.partition_point(|it| it.end() < change.range.start());
        let next = kept.get(next);
        next.is_none_or(|it| it.intersect(change.range).is_none())
    });
}

/// Returns the ranges that keep changes of a kind out, in source order; none overlap.
fn kept_ranges(regions: &[KeptRegion], kind: LayoutKind) -> Vec<TextRange> {
    let kept = regions.iter().filter(|it| it.keeps(kind));
    let mut kept: Vec<TextRange> = kept.map(|it| it.range).collect();
    kept.sort_unstable_by_key(|it| it.start());
    let mut merged: Vec<TextRange> = Vec::new();
    for range in kept {
        match merged.last_mut().filter(|it| range.start() <= it.end()) {
            Some(last) => *last = last.cover(range),
            None => merged.push(range),
        }
    }
    merged
}

impl KeptRegion {
    fn keeps(&self, kind: LayoutKind) -> bool {
        let Some(checks) = &self.checks else {
            return true;
        };
        checks.iter().any(|check| match check.as_str() {
            "arrow_alignment" => matches!(
                kind,
                LayoutKind::ArrowAlignment | LayoutKind::BeforeArrow | LayoutKind::HashAlignment
            ),
            "space_before_arrow" => kind == LayoutKind::BeforeArrow,
            "strict_indent" | "2sp_soft_tabs" => {
                matches!(kind, LayoutKind::Indentation | LayoutKind::Tab)
            }
            "hard_tabs" => kind == LayoutKind::Tab,
            "trailing_whitespace" => kind == LayoutKind::TrailingBlanks,
            _ => false,
        })
    }
}

/// Returns the regions.
fn regions(root: &SyntaxNode, text: &str) -> Vec<KeptRegion> {
    let tokens = root
        .descendants_with_tokens()
        .filter_map(|it| it.into_token());
    let comments = tokens.filter(|it| it.kind() == SyntaxKind::LINE_COMMENT);
    let end = root.text_range().end();
    let mut found = Vec::new();
    // The starts of the regions that are still open.
    let mut off: Option<SyntaxToken> = None;
    let mut ignoring: Vec<(SyntaxToken, Vec<String>)> = Vec::new();
    for comment in comments {
        let content = comment.text().trim_start_matches('#').trim();
        let checks = ignored_checks(content);
        if content == OFF {
            off.get_or_insert(comment);
        } else if content == ON {
            found.extend(off.take().map(|it| KeptRegion {
                range: it.text_range().cover(comment.text_range()),
                checks: None,
            }));
        } else if content == "lint:endignore" {
            found.extend(ignoring.pop().map(|(start, checks)| KeptRegion {
                range: start.text_range().cover(comment.text_range()),
                checks: Some(checks),
            }));
        } else if !checks.is_empty() {
            match syntax::ast::starts_line(&comment) {
                true => ignoring.push((comment, checks)),
                false => found.push(KeptRegion {
                    range: line_of(text, &comment),
                    checks: Some(checks),
                }),
            }
        }
    }
    found.extend(off.map(|it| KeptRegion {
        range: TextRange::new(it.text_range().start(), end),
        checks: None,
    }));
    found
}

/// Returns the names of the checks that a comment of puppet-lint turns off.
fn ignored_checks(comment: &str) -> Vec<String> {
    let words = comment.split_whitespace();
    let checks = words.filter_map(|it| it.strip_prefix("lint:ignore:"));
    checks.map(str::to_owned).collect()
}

/// Returns the range of the line of a comment, up to the comment.
fn line_of(text: &str, comment: &SyntaxToken) -> TextRange {
    let at = comment.text_range();
    let before = &text[..at.start().into()];
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    let start = u32::try_from(start).unwrap_or_default();
    TextRange::new(start.into(), at.end())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::tests::check;

    #[test]
    fn keeps_regions_between_comments() {
        check(
            "$a = [1,2]\n# pupil: format off\n$b = [1,2,\n     3]\n# pupil: format on\n$c = [1,2]\n# pupil: format off\n$d = [1,2]\n",
            &expect![[r#"
                $a = [1, 2]
                # pupil: format off
                $b = [1,2,
                     3]
                # pupil: format on
                $c = [1, 2]
                # pupil: format off
                $d = [1,2]
            "#]],
        );
    }

    #[test]
    fn keeps_what_puppet_lint_ignores() {
        check(
            "# lint:ignore:arrow_alignment lint:ignore:strict_indent\nfile { '/a':\n    ensure => file,\n  mode      => '0644'\n}\n# lint:endignore\nfile { '/b':\n    ensure => file,\n  mode      => '0644', # lint:ignore:arrow_alignment\n}\n",
            &expect![[r#"
                # lint:ignore:arrow_alignment lint:ignore:strict_indent
                file { '/a':
                    ensure => file,
                  mode      => '0644',
                }
                # lint:endignore
                file { '/b':
                  ensure => file,
                  mode      => '0644', # lint:ignore:arrow_alignment
                }
            "#]],
        );
    }
}
