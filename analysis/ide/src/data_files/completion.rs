//! Completion in data files: keys of class parameters, values by their type, and interpolations.

use base::{EnvironmentInput, FileInput};
use hiera::document::{Scalar, plain};
use hiera::interpolation::Method;
use hir::autoload::definitions_of_kind;
use hir::{ItemKind, signature};
use infer::declared_parameters;
use rules::data::{ClassKey, class_key};
use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::{TextRange, TextSize};
use types::Type;

use super::Cursor;
use crate::completion::alternatives;
use crate::{CompletionItem, CompletionKind, Completions};

/// The maximum number of items.
const MAX_ITEMS: usize = 300;

/// Returns the completions at an offset of a data file.
pub(crate) fn completions(db: &dyn Database, file: FileInput, offset: TextSize) -> Completions {
    let Some(cursor) = Cursor::new(db, file) else {
        return Completions::default();
    };
    let at = usize::from(offset).min(cursor.text.len());
    let start = cursor.text[..at].rfind('\n').map_or(0, |it| it + 1);
    let line = &cursor.text[start..at];
    if let Some(from) = line.rfind("%{").filter(|it| !line[*it..].contains('}')) {
        return interpolation(&line[from + 2..], offset);
    }
    match line.split_once(": ") {
        None if !line.starts_with([' ', '-', '#']) => keys(db, &cursor, line, offset),
        Some((key, written)) if !line.starts_with([' ', '-', '#']) => {
            let key = key.trim_matches(['\'', '"']);
            values(db, cursor.environment, key, (written, offset))
        }
        _ => Completions::default(),
    }
}

/// Offers the keys of class parameters that the file does not have, those of the current class first.
fn keys(db: &dyn Database, cursor: &Cursor<'_>, written: &str, offset: TextSize) -> Completions {
    let word = written.trim_start_matches(['\'', '"']);
    let known: FxHashSet<&str> = cursor.data.entries().iter().map(|it| it.name()).collect();
    let mut items = Vec::new();
    let mut is_incomplete = false;
    for (name, item) in definitions_of_kind(db, cursor.environment, ItemKind::Class) {
        let is_near = name.starts_with(word) || word.starts_with(name) || word.is_empty();
        if !is_near {
            continue;
        }
        for parameter in &signature(db, item).parameters {
            let key = format!("{name}::{}", parameter.name);
            if known.contains(key.as_str()) && key != word || !key.starts_with(word) {
                continue;
            }
            if items.len() == MAX_ITEMS {
                is_incomplete = true;
                break;
            }
            let detail = parameter.type_.clone();
            items.push(item_of(
                &key,
                &format!("{key}: "),
                CompletionKind::Parameter,
                detail,
            ));
        }
    }
    placed(items, word, offset, is_incomplete)
}

/// Offers the values that the type of a parameter enumerates.
fn values(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
    (written, offset): (&str, TextSize),
) -> Completions {
    let ClassKey::Parameter(item, parameter) = class_key(db, environment, key) else {
        return Completions::default();
    };
    let declared = declared_parameters(db, item);
    let Some((_, type_)) = declared.iter().find(|it| it.0 == parameter.name) else {
        return Completions::default();
    };
    let values = alternatives(type_).into_iter().flat_map(enumerated);
    let items = values.map(|it| item_of(&it, &it, CompletionKind::Value, None));
    placed(items.collect(), written.trim_start(), offset, false)
}

/// Returns the values that a type enumerates, as they are written in YAML.
fn enumerated(type_: Type) -> Vec<String> {
    let written = |it: &str| match plain(it) {
        Scalar::String(_) => it.to_owned(),
        _ => format!("'{it}'"),
    };
    match type_ {
        Type::Boolean(None) => vec!["true".to_owned(), "false".to_owned()],
        Type::Boolean(Some(it)) => vec![it.to_string()],
        Type::Enum(it) => it.values().iter().map(|it| written(it)).collect(),
        Type::String(it) => it.value().map(|it| written(it)).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Offers facts, trusted data and methods.
fn interpolation(written: &str, offset: TextSize) -> Completions {
    let word = written.trim_start();
    let mut items = Vec::new();
    let path = word.rsplit_once('.').map(|it| it.0);
    match path {
        Some(path) if path == "facts" || path.starts_with("facts.") => {
            let steps: Vec<&str> = path.split('.').skip(1).collect();
            for (name, _) in library::fact_parts(&steps) {
                let label = format!("{path}.{name}");
                items.push(item_of(&label, &label, CompletionKind::Key, None));
            }
        }
        Some("trusted") => {
            for name in [
                "certname",
                "domain",
                "hostname",
                "extensions",
                "authenticated",
            ] {
                let label = format!("trusted.{name}");
                items.push(item_of(&label, &label, CompletionKind::Key, None));
            }
        }
        Some(_) => {}
        None => {
            for name in ["facts", "trusted", "environment"] {
                items.push(item_of(name, name, CompletionKind::Variable, None));
            }
            for name in Method::NAMES {
                let insert = format!("{name}('')");
                let mut item = item_of(name, &insert, CompletionKind::Function, None);
                item.snippet = Some(format!("{name}('$1')$0"));
                items.push(item);
            }
        }
    }
    placed(items, word, offset, false)
}

fn item_of(
    label: &str,
    insert: &str,
    kind: CompletionKind,
    detail: Option<String>,
) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
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

/// Sets the range to replace, which is that of the word before the cursor.
fn placed(
    mut items: Vec<CompletionItem>,
    word: &str,
    offset: TextSize,
    is_incomplete: bool,
) -> Completions {
    let start = offset.checked_sub(TextSize::of(word)).unwrap_or(offset);
    for item in &mut items {
        item.range = TextRange::new(start, offset);
        item.snippet_range = item.range;
    }
    Completions {
        items,
        is_incomplete,
    }
}
