//! Aligns the arrows of each block.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{SyntaxKind, SyntaxNode, TextSize};

use crate::lines::Lines;
use crate::spaced_tokens::{SpacedToken, width};

/// The number of blanks before an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ArrowGap {
    pub(crate) blanks: usize,
    /// Whether other arrows of the block are aligned with it.
    pub(crate) is_aligned: bool,
}

/// A key at the start of a line, followed by an arrow on the same line.
struct AlignedEntry {
    /// The node whose entries are aligned.
    block: SyntaxNode,
    /// The token index of the start of the line.
    first: usize,
    /// The token index of the arrow.
    arrow: usize,
    /// The width of the key.
    width: usize,
    /// The width of the key and the comments after it.
    width_before_arrow: usize,
    /// Whether the first key of the block does not start a line.
    hangs: bool,
}

/// A node whose entries are aligned.
struct AlignedBlock {
    /// The column of its first entry.
    indentation: usize,
    /// The width of its widest key.
    widest: usize,
    /// The number of its entries.
    count: usize,
}

/// The arrow after the first key of a block, which follows a bracket or title on its line.
struct HangingHead {
    block: SyntaxNode,
    /// The token index of the arrow.
    arrow: usize,
}

/// Returns the gaps before the arrows whose keys start a line, by token index. `blanks` are the
/// blanks before each token.
///
/// Where the first key of a block follows a bracket or title, the arrows keep their columns: authors align them with the
/// first one, which then keeps its column, too.
pub(crate) fn gaps(
    tokens: &[SpacedToken],
    text: &str,
    lines: &Lines<'_>,
    blanks: &[usize],
    keeps_indentation: bool,
) -> FxHashMap<usize, ArrowGap> {
    let (entries, heads) = entries(tokens, lines, blanks);
    let indentation = |it: &AlignedEntry| match keeps_indentation {
        true => source_column(tokens, text, it.first),
        false => 0,
    };
    let mut blocks: FxHashMap<&SyntaxNode, AlignedBlock> = FxHashMap::default();
    for entry in &entries {
        let block = blocks.entry(&entry.block).or_insert_with(|| AlignedBlock {
            indentation: indentation(entry),
            widest: 0,
            count: 0,
        });
        block.widest = entry.width.max(block.widest);
        block.count += 1;
    }
    let kept = |arrow: usize| {
        let old = &text[tokens[arrow].gap];
        let blanks = if old.contains('\n') { 1 } else { width(old) };
        ArrowGap {
            blanks: blanks.max(1),
            is_aligned: false,
        }
    };
    let gap = |it: &AlignedEntry| {
        if it.hangs {
            return kept(it.arrow);
        }
        let block = &blocks[&it.block];
        let column = block.indentation + block.widest + 1;
        let end = indentation(it) + it.width_before_arrow;
        ArrowGap {
            blanks: column.saturating_sub(end).max(1),
            is_aligned: block.count > 1,
        }
    };
    let hanging = entries.iter().filter(|it| it.hangs);
    let columns: FxHashSet<_> = hanging
        .map(|it| (&it.block, source_column(tokens, text, it.arrow)))
        .collect();
    let heads = heads
        .iter()
        .filter(|it| columns.contains(&(&it.block, source_column(tokens, text, it.arrow))));
    let heads = heads.map(|it| (it.arrow, kept(it.arrow)));
    let aligned = entries.iter().map(|it| (it.arrow, gap(it)));
    aligned.chain(heads).collect()
}

/// Returns the column of an arrow in the source.
fn source_column(tokens: &[SpacedToken], text: &str, arrow: usize) -> usize {
    let before = &text[..start(&tokens[arrow]).into()];
    width(before.rsplit('\n').next().unwrap_or(before))
}

fn entries(
    tokens: &[SpacedToken],
    lines: &Lines<'_>,
    blanks: &[usize],
) -> (Vec<AlignedEntry>, Vec<HangingHead>) {
    let mut found = Vec::new();
    let mut heads = Vec::new();
    // Whether the first key of each block starts a line.
    let mut starts: FxHashMap<SyntaxNode, bool> = FxHashMap::default();
    // The first token of the current line.
    let mut line = 0;
    for (index, spaced) in tokens.iter().enumerate() {
        if lines.starts(index) {
            line = index;
        }
        let is_arrow = matches!(
            spaced.kind(),
            SyntaxKind::FAT_ARROW | SyntaxKind::PLUS_ARROW
        );
        if !is_arrow || spaced.has_significant_gap || lines.starts(index) {
            continue;
        }
        let Some(entry) = spaced.token.parent() else {
            continue;
        };
        let Some(block) = entry.parent() else {
            continue;
        };
        let starts_line = start(&tokens[line]) == entry.text_range().start();
        let is_first = !starts.contains_key(&block);
        let first_starts_line = *starts.entry(block.clone()).or_insert(starts_line);
        if !starts_line {
            let arrow = index;
            heads.extend(is_first.then_some(HangingHead { block, arrow }));
            continue;
        }
        let width_up_to = |end: usize| width_of(&tokens[line..end], &blanks[line..end]);
        let widths = width_up_to(end_of_key(tokens, index)).zip(width_up_to(index));
        let Some((width, width_before_arrow)) = widths else {
            continue;
        };
        found.push(AlignedEntry {
            block,
            first: line,
            arrow: index,
            width,
            width_before_arrow,
            hangs: !first_starts_line,
        });
    }
    (found, heads)
}

/// Returns the index after the key before an arrow, without the comments between them.
fn end_of_key(tokens: &[SpacedToken], arrow: usize) -> usize {
    let mut before = tokens[..arrow].iter();
    let last = before.rposition(|it| !it.kind().is_comment());
    last.map_or(arrow, |it| it + 1)
}

/// Returns the width of the tokens of a key, or `None` if it spans lines.
fn width_of(tokens: &[SpacedToken], blanks: &[usize]) -> Option<usize> {
    let mut sum = 0;
    for (index, (spaced, blanks)) in tokens.iter().zip(blanks).enumerate() {
        let text = spaced.token.text();
        if text.contains('\n') {
            return None;
        }
        sum += width(text) + if index > 0 { *blanks } else { 0 };
    }
    Some(sum)
}

fn start(spaced: &SpacedToken) -> TextSize {
    spaced.token.text_range().start()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use fixture::{MANIFEST, parse};

    use crate::tests::check;
    use crate::{FormatOptions, LayoutKind, layout_changes};

    #[test]
    fn aligns_arrows_of_lines_that_keep_their_indentation() {
        let options = FormatOptions {
            keeps_indentation: true,
            ..FormatOptions::default()
        };
        let wrong = |source: &str| {
            let changes = layout_changes(&parse(source, MANIFEST), source, MANIFEST, &options);
            let changes = changes.into_iter().flatten();
            let arrows = changes.filter(|it| it.kind == LayoutKind::ArrowAlignment);
            arrows.map(|it| it.text.len()).collect::<Vec<_>>()
        };
        let code = "file { '/a':\n  ensure  => file,\n  content => 'x',\n    mode  => '0644',\n}\n";
        assert_eq!(wrong(code), [0; 0]);
        assert_eq!(wrong(&code.replace("mode  =>", "mode    =>")), [2]);
    }

    #[test]
    fn leaves_comments_before_arrows_out_of_the_width() {
        check(
            "file { '/a':\n  ensure => file,\n  mode /* c */   => '0644',\n  a /* b */=> 1,\n  content => 'x',\n}\n",
            &expect![[r#"
                file { '/a':
                  ensure  => file,
                  mode /* c */ => '0644',
                  a /* b */ => 1,
                  content => 'x',
                }
            "#]],
        );
    }
}
