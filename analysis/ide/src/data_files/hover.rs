//! Hover in data files: the parameter that a key belongs to, and the levels that have the key.

use base::{EnvironmentInput, FileInput};
use hiera::Layer;
use hir::{Item, signature};
use rules::data::{ClassKey, class_key};
use salsa::Database;
use syntax::TextSize;
use syntax::ast::{AstNode, Definition};

use super::{Cursor, KeyLevel, KeySource, key_sources};
use crate::markdown::{code_block, one_line, parameter_doc, parse_doc};
use crate::{Hover, HoverLink, HoverTarget};

/// The maximum number of levels in a hover.
const MAX_LEVELS: usize = 8;

/// The maximum length of a value, in characters.
const MAX_VALUE: usize = 60;

/// Computes the hover at an offset of a data file.
pub(crate) fn hover(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<Hover> {
    let cursor = Cursor::new(db, file)?;
    if let Some((range, key)) = cursor.looked_up_key(offset) {
        let markdown = levels_of_key(db, cursor.environment, &key)?;
        return Some(Hover {
            range,
            markdown,
            links: Vec::new(),
        });
    }
    let (entry, is_key) = cursor.entry(offset)?;
    if !is_key {
        return None;
    }
    let key = entry.name();
    let mut parts = Vec::new();
    let mut links = Vec::new();
    if let ClassKey::Parameter(item, parameter) = class_key(db, cursor.environment, key) {
        let type_ = parameter.type_.as_deref().unwrap_or("Any");
        let mut code = format!("{type_} ${key}");
        if let Some(default) = &parameter.default {
            code.push_str(&format!(" = {default}"));
        }
        parts.push(code_block(&code));
        let doc = definition_of(db, item).map(|it| parse_doc(&it));
        parts.extend(doc.and_then(|it| parameter_doc(&it, &parameter.name)));
        let mut target = crate::goto_definition::item_target(db, item);
        target.name_range = item.in_file(db, parameter.name_range);
        links.push(HoverLink {
            title: format!("`{}`", item.name(db)),
            target: Some(HoverTarget::Definition(target)),
        });
    }
    parts.extend(levels_of_key(db, cursor.environment, key));
    (!parts.is_empty()).then(|| Hover {
        range: entry.key_range,
        markdown: parts.join("\n\n"),
        links,
    })
}

/// Returns the definition of an item in the tree of its file, where its comment is.
fn definition_of(db: &dyn Database, item: Item<'_>) -> Option<Definition> {
    let range = item.in_file(db, signature(db, item).name_range);
    let root = base::parse(db, item.file(db)).syntax();
    let name = root.covering_element(range);
    name.ancestors().find_map(Definition::cast)
}

/// Lists the values of a key by level, as Markdown; `None` if no level has it.
pub(crate) fn levels_of_key(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Option<String> {
    let sources = key_sources(db, environment, key);
    if sources.is_empty() {
        return None;
    }
    let mut lines = vec!["In Hiera:".to_owned(), String::new()];
    for source in sources.iter().take(MAX_LEVELS) {
        let KeyLevel { value, place, .. } = level(db, source);
        let condition = condition(source);
        lines.push(format!("* `{value}` in `{place}`{condition}"));
    }
    if let Some(more) = sources.len().checked_sub(MAX_LEVELS).filter(|it| *it > 0) {
        lines.push(format!("* {more} more"));
    }
    Some(lines.join("\n"))
}

/// Returns the values of a key by level, the highest first.
pub(crate) fn key_levels(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Vec<KeyLevel> {
    let sources = key_sources(db, environment, key);
    sources.iter().map(|it| level(db, it)).collect()
}

fn level(db: &dyn Database, source: &KeySource) -> KeyLevel {
    let text = source.file.text(db).as_deref().unwrap_or_default();
    let range = std::ops::Range::<usize>::from(source.value_range);
    let written = text.get(range).unwrap_or_default();
    let value = match written.contains("ENC[") {
        // Secrets are not shown.
        true => "encrypted".to_owned(),
        false => one_line(written),
    };
    let place = match &source.layer {
        Layer::Environment => source.path.to_string(),
        Layer::Module(module) => format!("{module}/{}", source.path),
    };
    KeyLevel {
        value: base::truncated(&value, MAX_VALUE).replace('`', "'"),
        place,
        condition: condition(source),
    }
}

/// Renders the conditions of a value, to follow its place.
fn condition(source: &KeySource) -> String {
    let conditions: Vec<String> = source.conditions.iter().map(ToString::to_string).collect();
    match conditions.is_empty() {
        true => String::new(),
        false => format!(", if {}", conditions.join(" and ")),
    }
}
