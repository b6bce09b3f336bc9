//! The structure of data files and of `hiera.yaml`: outline, folding and selection.

use std::ops::Range;
use std::sync::Arc;

use hiera::document::{Data, Entry, Node};
use hiera::interpolation::interpolations;
use hiera::{DataFile, DataFormat};
use infer::{data_file, layer_files};
use rules::data::{ClassKey, class_key};
use salsa::Database;
use syntax::{TextRange, TextSize};

use super::{FileKind, file_kind};
use crate::text::LineIndex;
use crate::{DocumentSymbol, FoldingKind, FoldingRange, SymbolKind};
use base::{EnvironmentInput, FileInput};

/// The maximum depth of the outline.
const MAX_DEPTH: usize = 4;

/// Parses a data file or `hiera.yaml`; `None` for other files.
fn document(db: &dyn Database, file: FileInput) -> Option<(&str, Arc<DataFile>)> {
    let format = match file_kind(db, file) {
        FileKind::Code | FileKind::Erb => return None,
        FileKind::Config => DataFormat::Yaml,
        FileKind::Data => layer_files(db, file.module(db)?).get(&file)?.format()?,
    };
    let text = file.text(db).as_deref()?;
    Some((text, data_file(db, file, format)))
}

/// Returns the outline: the keys, with the types of those of parameters.
pub(crate) fn document_symbols(db: &dyn Database, file: FileInput) -> Vec<DocumentSymbol> {
    let Some((text, data)) = document(db, file) else {
        return Vec::new();
    };
    let is_data = file_kind(db, file) == FileKind::Data;
    let entries = data.entries().iter();
    let symbols = entries.map(|entry| {
        let mut symbol = entry_symbol(text, entry, 1);
        let environment = file.environment(db).filter(|_| is_data);
        symbol.detail = environment.and_then(|it| parameter_type(db, it, entry.name()));
        symbol
    });
    symbols.collect()
}

fn parameter_type(db: &dyn Database, environment: EnvironmentInput, key: &str) -> Option<String> {
    match class_key(db, environment, key) {
        ClassKey::Parameter(_, parameter) => parameter.type_.clone(),
        _ => None,
    }
}

fn entry_symbol(text: &str, entry: &Entry, depth: usize) -> DocumentSymbol {
    let children = match &entry.value.data {
        _ if depth == MAX_DEPTH => Vec::new(),
        Data::Map(entries) => {
            let entries = entries.iter();
            entries
                .map(|it| entry_symbol(text, it, depth + 1))
                .collect()
        }
        Data::List(items) => item_symbols(text, items, depth + 1),
        Data::Scalar(_) | Data::Alias(_) => Vec::new(),
    };
    let whole = entry.key_range.cover(node_range(text, &entry.value));
    DocumentSymbol {
        name: entry.key.clone(),
        detail: None,
        kind: SymbolKind::Key,
        range: whole,
        selection_range: entry.key_range,
        children,
    }
}

/// Returns the items of a list that have names, such as the levels of a hierarchy.
fn item_symbols(text: &str, items: &[Node], depth: usize) -> Vec<DocumentSymbol> {
    let named = items.iter().filter_map(|item| {
        let name = item.get("name").filter(|it| it.text().is_some())?;
        Some(DocumentSymbol {
            name: name.text()?.to_owned(),
            detail: None,
            kind: SymbolKind::Key,
            range: node_range(text, item),
            selection_range: name.range,
            children: match item.entries() {
                Some(entries) if depth < MAX_DEPTH => entries
                    .iter()
                    .map(|it| entry_symbol(text, it, depth + 1))
                    .collect(),
                _ => Vec::new(),
            },
        })
    });
    named.collect()
}

/// Returns the range of a value without the whitespace after it.
fn node_range(text: &str, node: &Node) -> TextRange {
    let range = Range::<usize>::from(node.range);
    let written = text.get(range.clone()).unwrap_or_default();
    text_range(range.start, range.start + written.trim_end().len())
}

fn text_range(start: usize, end: usize) -> TextRange {
    let size = |it: usize| TextSize::try_from(it).unwrap_or_default();
    TextRange::new(size(start), size(end.max(start)))
}

/// Returns the blocks of several lines by their indentation, so that they do not change while the file
/// has a syntax error, and the comments of several lines.
pub(crate) fn folding_ranges(db: &dyn Database, file: FileInput) -> Vec<FoldingRange> {
    let text = match file_kind(db, file) {
        FileKind::Code | FileKind::Erb => None,
        _ => file.text(db).as_deref(),
    };
    text.map_or_else(Vec::new, blocks)
}

/// A line that is not blank.
struct Line {
    start: usize,
    /// The end, without trailing whitespace.
    end: usize,
    indent: usize,
    is_comment: bool,
    is_item: bool,
    number: usize,
}

fn lines(text: &str) -> Vec<Line> {
    let mut start = 0;
    let mut found = Vec::new();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let content = line.trim();
        if !content.is_empty() {
            found.push(Line {
                start,
                end: start + line.trim_end().len(),
                indent: line.len() - line.trim_start().len(),
                is_comment: content.starts_with('#'),
                is_item: content == "-" || content.starts_with("- "),
                number,
            });
        }
        start += line.len();
    }
    found
}

fn blocks(text: &str) -> Vec<FoldingRange> {
    let lines = lines(text);
    let index = LineIndex::new(text);
    let mut found = Vec::new();
    let mut add = |first: &Line, last: &Line, kind| {
        let range = text_range(first.start + first.indent, last.end);
        let (first, last) = index.lines(range);
        if first < last {
            found.push(FoldingRange { range, kind });
        }
    };
    // The blocks that are open, with the last line of each.
    let mut open: Vec<(&Line, &Line)> = Vec::new();
    let mut comment: Option<(&Line, &Line)> = None;
    for line in &lines {
        if line.is_comment {
            comment = match comment {
                Some((first, last)) if last.number + 1 == line.number => Some((first, line)),
                before => {
                    before
                        .into_iter()
                        .for_each(|it| add(it.0, it.1, FoldingKind::Comment));
                    Some((line, line))
                }
            };
            continue;
        }
        comment
            .take()
            .into_iter()
            .for_each(|it| add(it.0, it.1, FoldingKind::Comment));
        let is_outside = |it: &mut (&Line, &Line)| {
            let is_list = line.is_item && !it.0.is_item && line.indent == it.0.indent;
            line.indent <= it.0.indent && !is_list
        };
        while let Some((first, last)) = open.pop_if(is_outside) {
            add(first, last, FoldingKind::Block);
        }
        open.iter_mut().for_each(|it| it.1 = line);
        open.push((line, line));
    }
    comment
        .into_iter()
        .for_each(|it| add(it.0, it.1, FoldingKind::Comment));
    open.into_iter()
        .for_each(|it| add(it.0, it.1, FoldingKind::Block));
    found.sort_by_key(|it| (it.range.start(), std::cmp::Reverse(it.range.end())));
    found
}

/// Returns the enclosing ranges of an offset, innermost first.
pub(crate) fn selection_ranges(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Vec<TextRange> {
    let Some((text, data)) = document(db, file) else {
        return Vec::new();
    };
    let mut found = vec![TextRange::up_to(TextSize::of(text))];
    if let Some(root) = &data.root {
        enclosing(text, root, offset, &mut found);
    }
    let is_inside = |it: &TextRange| it.contains_inclusive(offset);
    found.retain(is_inside);
    found.reverse();
    found.dedup();
    // A chain must be nested.
    let mut nested: Vec<TextRange> = Vec::new();
    for it in found {
        if nested.last().is_none_or(|last| it.contains_range(*last)) {
            nested.push(it);
        }
    }
    nested
}

/// Adds the ranges of a value and of its parts around an offset, the outermost first.
fn enclosing(text: &str, node: &Node, offset: TextSize, found: &mut Vec<TextRange>) {
    let range = node_range(text, node);
    if !range.contains_inclusive(offset) {
        return;
    }
    found.push(range);
    match &node.data {
        Data::Map(entries) => {
            for it in entries {
                let whole = it.key_range.cover(node_range(text, &it.value));
                if whole.contains_inclusive(offset) {
                    found.push(whole);
                    if it.key_range.contains_inclusive(offset) {
                        found.push(it.key_range);
                        inside_scalar(text, it.key_range, offset, found);
                    } else {
                        enclosing(text, &it.value, offset, found);
                    }
                    return;
                }
            }
        }
        Data::List(items) => {
            let mut items = items.iter();
            if let Some(it) = items.find(|it| node_range(text, it).contains_inclusive(offset)) {
                enclosing(text, it, offset, found);
            }
        }
        Data::Scalar(_) => inside_scalar(text, range, offset, found),
        Data::Alias(_) => {}
    }
}

/// Adds the content of quotes, and an interpolation with its content.
fn inside_scalar(text: &str, range: TextRange, offset: TextSize, found: &mut Vec<TextRange>) {
    let start = usize::from(range.start());
    let written = text.get(Range::<usize>::from(range)).unwrap_or_default();
    let is_quoted =
        |it: char| written.len() > 1 && written.starts_with(it) && written.ends_with(it);
    if is_quoted('\'') || is_quoted('"') {
        let content = text_range(start + 1, start + written.len() - 1);
        if content.contains_inclusive(offset) {
            found.push(content);
        }
    }
    for it in interpolations(written) {
        let whole = text_range(start + it.range.start, start + it.range.end);
        let content = text_range(start + it.range.start + 2, start + it.range.end - 1);
        if content.contains_inclusive(offset) {
            found.extend([whole, content]);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Fixture, visible_text};
    use crate::{DocumentSymbol, FoldingKind};

    const FILES: &str = "//- modules/a/manifests/init.pp
class a(Integer $port) { }
//- modules/environment/hiera.yaml
version: 5
hierarchy:
  - name: Common
    path: common.yaml
//- modules/environment/data/common.yaml
";

    fn fixture(data: &str) -> Fixture {
        Fixture::new(&format!("{FILES}{data}"))
    }

    fn outline(symbols: &[DocumentSymbol], depth: usize, found: &mut Vec<String>) {
        for it in symbols {
            let detail = it
                .detail
                .as_ref()
                .map_or(String::new(), |it| format!(": {it}"));
            found.push(format!("{}{}{detail}", "  ".repeat(depth), it.name));
            outline(&it.children, depth + 1, found);
        }
    }

    #[test]
    fn outlines_keys() {
        let fixture = fixture("a::port: 1\nx:\n  y: [{name: first, z: 1}, 2]\n  e: ENC[PKCS7,x]\n");
        let analysis = fixture.analysis();
        let shown = |file| {
            let mut found = Vec::new();
            outline(
                &analysis.document_symbols(base::FileId(file)),
                0,
                &mut found,
            );
            found
        };
        assert_eq!(
            shown(2),
            [
                "a::port: Integer",
                "x",
                "  y",
                "    first",
                "      name",
                "      z",
                "  e"
            ]
        );
        assert_eq!(
            shown(1),
            ["version", "hierarchy", "  Common", "    name", "    path"]
        );
        let whole = analysis.document_symbols(base::FileId(2)).remove(1).range;
        let text = visible_text(fixture.text(base::FileId(2)), whole);
        assert_eq!(text, "x:␊  y: [{name: first, z: 1}, 2]␊  e: ENC[PKCS7,x]");
    }

    #[test]
    fn folds_blocks_and_comments() {
        let data = "# a\n# b\nx:\n- 1\n- y:\n    z: 1\n\nt: |\n  a\n\n  b\nj: {\n  k: 1\n}\n# c\nbroken: [\n";
        let fixture = fixture(data);
        let found = fixture.analysis().folding_ranges(base::FileId(2));
        let shown = found.iter().map(|it| {
            let kind = match it.kind {
                FoldingKind::Comment => "comment",
                _ => "block",
            };
            format!(
                "{kind} {}",
                visible_text(fixture.text(base::FileId(2)), it.range)
            )
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                "comment # a␊# b",
                "block x:␊- 1␊- y:␊    z: 1",
                "block - y:␊    z: 1",
                "block t: |␊  a␊␊  b",
                "block j: {␊  k: 1"
            ]
        );
    }

    #[test]
    fn selects_enclosing_values() {
        let selected = |data: &str| {
            let fixture = fixture(data);
            let (file, offset) = fixture.cursor();
            let found = fixture.analysis().selection_ranges(file, offset);
            let shown = found.iter().map(|it| visible_text(fixture.text(file), *it));
            shown.collect::<Vec<_>>()
        };
        assert_eq!(
            selected("x:\n  y: [1, 'a %{lo<^>okup(\"k\")}', ]\n"),
            [
                "lookup(\"k\")",
                "%{lookup(\"k\")}",
                "a %{lookup(\"k\")}",
                "'a %{lookup(\"k\")}'",
                "[1, 'a %{lookup(\"k\")}', ]",
                "y: [1, 'a %{lookup(\"k\")}', ]",
                "x:␊  y: [1, 'a %{lookup(\"k\")}', ]",
                "x:␊  y: [1, 'a %{lookup(\"k\")}', ]␊"
            ]
        );
        assert_eq!(selected("a<^>b: 1\n"), ["ab", "ab: 1", "ab: 1␊"]);
        assert_eq!(selected("ab: [<^>"), ["ab: ["]);
    }
}
