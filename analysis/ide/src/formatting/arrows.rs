//! Aligns the arrows of each block.

use rustc_hash::FxHashMap;
use syntax::{SyntaxKind, SyntaxNode};

use super::spots::{Spot, width};

/// Returns the number of blanks before each arrow of a file, by token index. Arrows of a block that
/// share a line are not aligned.
pub(super) fn gaps(spots: &[Spot], text: &str) -> FxHashMap<usize, usize> {
    let entries: Vec<Entry> = entries(spots, text);
    let mut widest: FxHashMap<&SyntaxNode, usize> = FxHashMap::default();
    for entry in entries.iter().filter(|it| it.is_alone) {
        let widest = widest.entry(&entry.block).or_default();
        *widest = entry.width.max(*widest);
    }
    let gap = |it: &Entry| match widest.get(&it.block) {
        Some(widest) if it.is_alone => widest - it.width + 1,
        _ => it.gap.max(1),
    };
    entries.iter().map(|it| (it.arrow, gap(it))).collect()
}

/// A key followed by an arrow on the same line.
struct Entry {
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

fn entries(spots: &[Spot], text: &str) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    // The first token of the current line, and the entries that begin on that line.
    let mut line = 0;
    let mut on_line: Vec<usize> = Vec::new();
    for (index, spot) in spots.iter().enumerate() {
        if spot.is_first {
            line = index;
            on_line.clear();
        }
        let is_arrow = matches!(spot.kind(), SyntaxKind::FAT_ARROW | SyntaxKind::PLUS_ARROW);
        if !is_arrow || spot.is_frozen || spot.is_first {
            continue;
        }
        let Some(entry) = spot.token.parent() else {
            continue;
        };
        let Some(block) = entry.parent() else {
            continue;
        };
        let start = entry.text_range().start();
        let first = spots[line..index]
            .iter()
            .position(|it| it.token.text_range().start() == start);
        let Some(first) = first.map(|it| it + line) else {
            // The key begins on another line.
            continue;
        };
        let end = spots[index].gap.start();
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
        found.push(Entry {
            is_alone: first == line && others.is_empty(),
            width: width(key),
            gap: width(&text[spot.gap]),
            arrow: index,
            block,
        });
    }
    found
}
