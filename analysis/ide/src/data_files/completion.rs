//! Completion in data files and `hiera.yaml`: keys, values by their type, options and interpolations.

mod classes;
mod config;
mod interpolation;
mod keys;
mod options;

use base::FileInput;
use hiera::document::{Scalar, plain};
use hiera::{LOOKUP_OPTIONS, is_encrypted};
use salsa::Database;
use syntax::{TextRange, TextSize};
use types::{Type, display_written};

use super::flow_position::flow_position;
use super::position::{Content, Position};
use super::typed_path::{PathStep, struct_elements, type_of_key, types_at};
use super::{Cursor, FileKind, file_kind};
use crate::completion::rest_of_string;
use crate::{CompletionItem, CompletionKind, Completions};

/// The maximum number of items.
const MAX_ITEMS: usize = 300;

/// Returns the completions at an offset of a data file or of `hiera.yaml`.
pub(crate) fn completions(db: &dyn Database, file: FileInput, offset: TextSize) -> Completions {
    let found = match file_kind(db, file) {
        FileKind::Config => config::completions(db, file, offset),
        _ => in_data(db, file, offset),
    };
    found.unwrap_or_default()
}

fn in_data(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<Completions> {
    let cursor = Cursor::new(db, file)?;
    let text = cursor.text;
    if let Some(written) = interpolation_before(text, offset) {
        let items = interpolation::items(db, file, written, true);
        let word = interpolation::word(written);
        return Some(placed(items, word, text, offset));
    }
    let at = usize::from(offset).min(text.len());
    let position = flow_position(text, at).or_else(|| Position::at(text, at))?;
    let (items, word) = match (position.path.as_slice(), position.content) {
        ([], Content::Key(word)) => {
            let name = word.trim_start_matches(QUOTES);
            (keys::root_keys(db, &cursor, name), word)
        }
        ([PathStep::Key(root), rest @ ..], content) if root == LOOKUP_OPTIONS => {
            options::items(db, &cursor, rest, &position, content)
        }
        (path, content) => match classes::word(db, &cursor, path, content) {
            Some(word) => (classes::items(db, &cursor, word), word),
            None => typed(db, &cursor, path, &position, content)?,
        },
    };
    let mut items = items;
    let after = text.get(usize::from(offset)..).unwrap_or_default();
    let Some(quote) = word
        .trim_start()
        .chars()
        .next()
        .filter(|it| QUOTES.contains(it))
    else {
        let has_colon = after[rest_of_plain(after).len()..].starts_with(':');
        for item in &mut items {
            let (name, end) = key_parts(&item.insert);
            if has_colon && !end.is_empty() {
                item.insert = name.to_owned();
            }
        }
        return Some(placed(items, word, text, offset));
    };
    let word = word.trim_start().strip_prefix(quote).unwrap_or(word);
    Some(placed_in_quotes(items, (word, text), quote, offset))
}

/// The characters that enclose strings.
const QUOTES: [char; 2] = ['\'', '"'];

/// Splits the text of an item into the name or value, and the colon after a key.
fn key_parts(insert: &str) -> (&str, &str) {
    let name = insert
        .strip_suffix(": ")
        .or_else(|| insert.strip_suffix(':'));
    name.map_or((insert, ""), |it| (it, &insert[it.len()..]))
}

/// Places items after an opening quote. They close the string, with the closing quote that follows the cursor, if there is
/// one. A string that continues after the cursor is closed already.
fn placed_in_quotes(
    mut items: Vec<CompletionItem>,
    (word, text): (&str, &str),
    quote: char,
    offset: TextSize,
) -> Completions {
    let after = text.get(usize::from(offset)..).unwrap_or_default();
    let rest = rest_of_string(after, quote);
    let closing = after.strip_prefix(quote);
    let is_closed = rest.is_some_and(|it| !it.is_empty());
    let following = match rest {
        Some(it) => &after[it.len() + quote.len_utf8()..],
        None => after,
    };
    let has_colon = following.trim_start_matches(' ').starts_with(':');
    for item in &mut items {
        let (name, end) = key_parts(&item.insert);
        let end = if has_colon || is_closed { "" } else { end };
        let name = name.trim_matches('\'');
        item.insert = match is_closed {
            true => name.to_owned(),
            false => format!("{name}{quote}{end}"),
        };
    }
    let mut placed = placed(items, word, text, offset);
    let closing = closing.map_or(TextSize::default(), |_| TextSize::of(quote));
    for item in &mut placed.items {
        item.range = TextRange::new(item.range.start(), offset + closing);
        item.snippet_range = item.range;
    }
    placed.word_end = offset + rest.map_or(TextSize::default(), TextSize::of);
    placed
}

/// Returns the rest of a plain scalar or of an interpolated name. A scalar with an interpolation is not a name.
fn rest_of_plain(after: &str) -> &str {
    let is_end = |it: char| it.is_whitespace() || ",#()[]{}%'\"".contains(it);
    let end = after.find(is_end).unwrap_or(after.len());
    match after[end..].starts_with("%{") {
        true => "",
        false => after[..end].trim_end_matches(':'),
    }
}

/// Returns what is written of an interpolation before an offset.
fn interpolation_before(text: &str, offset: TextSize) -> Option<&str> {
    let before = text.get(..usize::from(offset).min(text.len()))?;
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    let line = &before[start..];
    let from = line.rfind("%{").filter(|it| !line[*it..].contains('}'))?;
    Some(&line[from + 2..])
}

/// Returns the keys and values that the type of a parameter permits at a path.
fn typed<'a>(
    db: &dyn Database,
    cursor: &Cursor<'_>,
    path: &[PathStep],
    position: &Position<'a>,
    content: Content<'a>,
) -> Option<(Vec<CompletionItem>, &'a str)> {
    let mut path = path.to_vec();
    if let Content::Value(key, _) = content {
        path.push(PathStep::Key(key.to_owned()));
    }
    let [PathStep::Key(root), rest @ ..] = path.as_slice() else {
        return None;
    };
    let types = types_at(&type_of_key(db, cursor.environment, root)?, rest);
    Some(match content {
        Content::Value(_, word) => (values(types), word),
        Content::Key(word) => {
            let mut items = struct_keys(&types, position);
            if rest.last() == Some(&PathStep::Element) {
                items.extend(values(types));
            }
            (items, word)
        }
    })
}

fn struct_keys(types: &[Type], position: &Position<'_>) -> Vec<CompletionItem> {
    let mut items: Vec<CompletionItem> = Vec::new();
    // Required keys first.
    let is_optional = |it: &&types::StructElement| it.key == types::StructKey::Optional;
    let (optional, required): (Vec<_>, Vec<_>) = struct_elements(types).partition(is_optional);
    for element in required.into_iter().chain(optional) {
        let name = &*element.name;
        if position.has(name) || items.iter().any(|it| it.label == name) {
            continue;
        }
        let detail = base::truncated(&display_written(&element.value), 80);
        let insert = format!("{}: ", quoted(name));
        items.push(item_of(name, &insert, CompletionKind::Key, Some(detail)));
    }
    items
}

/// Returns the values that types enumerate.
fn values(types: Vec<Type>) -> Vec<CompletionItem> {
    let values = types.into_iter().flat_map(enumerated);
    let items = values.map(|it| item_of(&it, &it, CompletionKind::Value, None));
    items.collect()
}

/// Returns the values that a type enumerates, as they are written in YAML.
fn enumerated(type_: Type) -> Vec<String> {
    match type_ {
        Type::Boolean(None) => vec!["true".to_owned(), "false".to_owned()],
        Type::Boolean(Some(it)) => vec![it.to_string()],
        Type::Enum(it) => it.values().iter().map(|it| quoted(it)).collect(),
        Type::String(it) => it.value().map(|it| quoted(it)).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Returns a string as it is written in YAML.
fn quoted(text: &str) -> String {
    match plain(text) {
        Scalar::String(_) if !is_encrypted(text) => text.to_owned(),
        _ => format!("'{text}'"),
    }
}

fn item_of(
    label: &str,
    insert: &str,
    kind: CompletionKind,
    detail: Option<String>,
) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        filter: None,
        kind,
        detail,
        range: TextRange::default(),
        insert: insert.to_owned(),
        snippet: None,
        snippet_range: TextRange::default(),
        deprecated: false,
        documentation_key: None,
    }
}

/// Limits the items to those that match the word before the cursor, which they replace.
fn placed(mut items: Vec<CompletionItem>, word: &str, text: &str, offset: TextSize) -> Completions {
    let word = word.trim_start();
    let start = offset.checked_sub(TextSize::of(word)).unwrap_or(offset);
    let is_incomplete = items.len() > MAX_ITEMS;
    items.truncate(MAX_ITEMS);
    for item in &mut items {
        item.range = TextRange::new(start, offset);
        item.snippet_range = item.range;
    }
    let after = text.get(usize::from(offset)..).unwrap_or_default();
    Completions {
        items,
        is_incomplete,
        word_end: offset + TextSize::of(rest_of_plain(after)),
    }
}

#[cfg(test)]
mod tests;
