//! Aligns the arrows of each block.

use rustc_hash::FxHashMap;
use syntax::{SyntaxKind, SyntaxNode};

use crate::spaced_tokens::{SpacedToken, width};

/// Returns the number of blanks before each arrow of a file, by token index. Arrows of a block that
/// share a line are not aligned.
pub(crate) fn gaps(tokens: &[SpacedToken], text: &str) -> FxHashMap<usize, usize> {
    let entries: Vec<AlignedEntry> = entries(tokens, text);
    let mut widest: FxHashMap<&SyntaxNode, usize> = FxHashMap::default();
    for entry in entries.iter().filter(|it| it.is_alone) {
        let widest = widest.entry(&entry.block).or_default();
        *widest = entry.width.max(*widest);
    }
    let gap = |it: &AlignedEntry| match widest.get(&it.block) {
        Some(widest) if it.is_alone => widest - it.width + 1,
        _ => it.gap.max(1),
    };
    entries.iter().map(|it| (it.arrow, gap(it))).collect()
}

/// A key followed by an arrow on the same line.
struct AlignedEntry {
    /// The node whose entries are aligned.
    block: SyntaxNode,
    /// The token index of the arrow.
    arrow: usize,
    /// The width of the key.
    width: usize,
    /// The number of blanks before the arrow.
    gap: usize,
    /// Whether no other entry of the block begins on its line.
    is_alone: bool,
}

fn entries(tokens: &[SpacedToken], text: &str) -> Vec<AlignedEntry> {
    let mut found: Vec<AlignedEntry> = Vec::new();
    // The first token of the current line, and the entries that begin on that line.
    let mut line = 0;
    let mut on_line: Vec<usize> = Vec::new();
    for (index, spaced) in tokens.iter().enumerate() {
        if spaced.starts_line {
            line = index;
            on_line.clear();
        }
        let is_arrow = matches!(
            spaced.kind(),
            SyntaxKind::FAT_ARROW | SyntaxKind::PLUS_ARROW
        );
        if !is_arrow || spaced.has_significant_gap || spaced.starts_line {
            continue;
        }
        let Some(entry) = spaced.token.parent() else {
            continue;
        };
        let Some(block) = entry.parent() else {
            continue;
        };
        let start = entry.text_range().start();
        let first = tokens[line..index]
            .iter()
            .position(|it| it.token.text_range().start() == start);
        let Some(first) = first.map(|it| it + line) else {
            // The key begins on another line.
            continue;
        };
        let end = tokens[index].gap.start();
        let key = &text[usize::from(start)..usize::from(end)];
        if key.contains('\n') {
            continue;
        }
        let others = on_line.iter().filter(|it| found[**it].block == block);
        let others: Vec<usize> = others.copied().collect();
        for other in &others {
            found[*other].is_alone = false;
        }
        on_line.push(found.len());
        found.push(AlignedEntry {
            is_alone: first == line && others.is_empty(),
            width: width(key),
            gap: width(&text[spaced.gap]),
            arrow: index,
            block,
        });
    }
    found
}
