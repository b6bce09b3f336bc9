//! Hover in data files and `hiera.yaml`.

use std::ops::Range;

use base::{EnvironmentInput, FileInput};
use hiera::document::{Entry, Node};
use hiera::interpolation::{Expression, Method};
use hiera::merge::MergeStrategy;
use hiera::{DataFormat, LOOKUP_OPTIONS, LookupKey, Segment, is_encrypted};
use hir::{Item, ParameterSignature, signature};
use infer::data_file;
use rules::data::{ClassKey, class_key, options_of};
use salsa::Database;
use syntax::ast::{AstNode, Definition};
use syntax::{TextRange, TextSize};
use types::display_written;

use super::config::config_path_at;
use super::config_help::{config_functions, config_key};
use super::levels::{levels_of_key, merged_value, shown_conditions};
use super::option_help::{option_doc, strategy_doc};
use super::typed_path::{nested_key_at, struct_elements, type_of_key, types_at};
use super::{Cursor, FileKind, expression_in, file_kind, scalar_at, symbol_in_data};
use crate::hover::{
    SECTION_SEPARATOR, class_in_data, function_documentation, parameter_signature, variable_in_data,
};
use crate::markdown::{code_block, parameter_doc, parse_doc, split_summary};
use crate::symbol::Symbol;
use crate::{Hover, HoverLink, HoverTarget};

/// The maximum number of files in a hover.
const MAX_FILES: usize = 8;

/// Computes the hover at an offset of a data file or of `hiera.yaml`.
pub(crate) fn hover(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<Hover> {
    if file_kind(db, file) == FileKind::Config {
        return config_hover(db, file, offset);
    }
    let cursor = Cursor::new(db, file)?;
    let environment = cursor.environment;
    if let Some((range, key)) = cursor.looked_up_key(offset) {
        return key_hover(db, environment, &key, range);
    }
    if let Some((range, Symbol::Item(class))) = symbol_in_data(db, file, offset) {
        return class_in_data(db, class, range);
    }
    let (entry, is_key) = cursor.entry(offset)?;
    if is_key {
        return key_hover(db, environment, entry.name(), entry.key_range);
    }
    if entry.name() == LOOKUP_OPTIONS {
        return match cursor.option(offset) {
            Some(it) => key_hover(db, environment, it.name(), it.key_range),
            None => option_hover(&entry.value, offset),
        };
    }
    if let Some(found) = nested_key(db, environment, entry, offset) {
        return Some(found);
    }
    let scalar = scalar_at(&entry.value, offset)?;
    variable(db, environment, cursor.text, scalar, offset).or_else(|| encrypted(scalar))
}

fn plain(range: TextRange, markdown: String) -> Option<Hover> {
    let links = Vec::new();
    Some(Hover {
        range,
        markdown,
        links,
    })
}

/// Returns the hover of a key: its parameter and its values.
fn key_hover(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
    range: TextRange,
) -> Option<Hover> {
    let mut parts = Vec::new();
    let mut details = String::new();
    let mut links = Vec::new();
    let root = LookupKey::parse(key)?.root;
    if let ClassKey::Parameter(item, parameter) = class_key(db, environment, &root) {
        parts.push(parameter_code(&root, parameter));
        let (summary, rest) = parameter_summary(db, item, parameter);
        parts.push(summary);
        details = rest;
        let mut target = crate::goto_definition::item_target(db, item);
        target.name_range = item.in_file(db, parameter.name_range);
        links.push(HoverLink {
            title: format!("`{}`", item.name(db)),
            target: Some(HoverTarget::Definition(target)),
        });
    }
    parts.extend(levels_of_key(db, environment, key));
    parts.extend(options(db, environment, key));
    parts.retain(|it| !it.is_empty());
    let mut markdown = parts.join("\n\n");
    if !details.is_empty() {
        markdown = format!("{markdown}{SECTION_SEPARATOR}{details}");
    }
    (!markdown.is_empty()).then_some(Hover {
        range,
        markdown,
        links,
    })
}

/// Renders the declaration of a parameter, on one line if it is short enough.
fn parameter_code(key: &str, parameter: &ParameterSignature) -> String {
    let type_ = parameter.type_.as_deref().unwrap_or("Any");
    let mut code = format!("{type_} ${key}");
    if let Some(default) = &parameter.default {
        code.push_str(&format!(" = {default}"));
    }
    code_block(&parameter_signature(&code))
}

/// Returns the first sentences of the documentation of a parameter, and the rest.
fn parameter_summary(
    db: &dyn Database,
    item: Item<'_>,
    parameter: &ParameterSignature,
) -> (String, String) {
    let doc = definition_of(db, item).map(|it| parse_doc(&it));
    let doc = doc.and_then(|it| parameter_doc(&it, &parameter.name));
    doc.map(|it| split_summary(&it)).unwrap_or_default()
}

/// Returns the definition of an item in the tree of its file, where its comment is.
fn definition_of(db: &dyn Database, item: Item<'_>) -> Option<Definition> {
    let range = item.in_file(db, signature(db, item).name_range);
    let root = base::parse(db, item.file(db)).syntax();
    let name = root.covering_element(range);
    name.ancestors().find_map(Definition::cast)
}

/// Returns the merge strategy and the conversion of a key, and the result if it is the same for all nodes.
fn options(db: &dyn Database, environment: EnvironmentInput, key: &str) -> Option<String> {
    let options = options_of(db, environment, key)?;
    let strategy = match &options.merge {
        MergeStrategy::First => None,
        MergeStrategy::Unique => Some("unique"),
        MergeStrategy::Hash => Some("hash"),
        MergeStrategy::Deep(_) => Some("deep"),
    };
    let merge = strategy.map(|it| format!("Merged with the strategy `{it}`."));
    let converts = options
        .convert_to
        .is_some()
        .then_some("Converted by `convert_to`.");
    let mut parts: Vec<String> = merge.into_iter().collect();
    parts.extend(converts.map(str::to_owned));
    if parts.is_empty() {
        return None;
    }
    if let Some(value) = merged_value(db, environment, key) {
        parts.push(format!("Result for all nodes: `{value}`"));
    }
    Some(parts.join(" "))
}

/// Returns the hover of a key or a value in the options of a lookup.
fn option_hover(options: &Node, offset: TextSize) -> Option<Hover> {
    if let Some(key) = nested_key_at(options, offset) {
        return plain(key.range, option_doc(&key.name)?.to_owned());
    }
    let scalar = scalar_at(options, offset)?;
    plain(scalar.range, strategy_doc(scalar.string()?)?.to_owned())
}

/// Returns the hover of a key of a Struct.
fn nested_key(
    db: &dyn Database,
    environment: EnvironmentInput,
    entry: &Entry,
    offset: TextSize,
) -> Option<Hover> {
    let key = nested_key_at(&entry.value, offset)?;
    let type_ = type_of_key(db, environment, entry.name())?;
    let types = types_at(&type_, &key.path);
    let mut elements = struct_elements(&types).filter(|it| *it.name == key.name);
    let element = elements.next()?;
    let is_same = elements.all(|it| it == element);
    is_same.then_some(())?;
    let required = match element.key {
        types::StructKey::Required => "Required key",
        types::StructKey::Optional => "Optional key",
    };
    let code = code_block(&format!("{} {}", display_written(&element.value), key.name));
    let markdown = format!("{code}\n\n{required} of `{}`", entry.name());
    plain(key.range, markdown)
}

/// Returns the hover of the variable in an interpolation.
fn variable(
    db: &dyn Database,
    environment: EnvironmentInput,
    text: &str,
    scalar: &Node,
    offset: TextSize,
) -> Option<Hover> {
    let (range, expression) = expression_in(text, scalar.range, offset)?;
    let path = match expression {
        Expression::Variable(path) => path,
        Expression::Method(method, path) if Method::of_name(method) == Some(Method::Scope) => path,
        _ => return None,
    };
    let key = LookupKey::parse(path)?;
    let steps = key.segments.iter().filter_map(|it| match it {
        Segment::Name(name) => Some(&**name),
        Segment::Index(_) => None,
    });
    let root = key.root.strip_prefix("::").unwrap_or(&key.root);
    let path: Vec<&str> = std::iter::once(root).chain(steps).collect();
    variable_in_data(db, environment, &path, range)
}

/// Describes an encrypted value, whose content is never shown.
fn encrypted(scalar: &Node) -> Option<Hover> {
    let text = scalar.string().filter(|it| is_encrypted(it))?;
    let start = text.find("ENC[")? + "ENC[".len();
    let method = text[start..]
        .split([',', ']'])
        .next()
        .unwrap_or_default()
        .trim();
    let is_name = !method.is_empty() && method.len() < 20;
    let is_name = is_name && method.bytes().all(|it| it.is_ascii_alphanumeric());
    let markdown = match is_name && text[start..].contains(',') {
        true => format!("Encrypted with `{method}`"),
        // Without a method, `eyaml` uses PKCS7.
        false => "Encrypted".to_owned(),
    };
    plain(scalar.range, markdown)
}

/// Computes the hover at an offset of `hiera.yaml`.
fn config_hover(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<Hover> {
    let text = file.text(db).as_deref()?;
    let data = data_file(db, file, DataFormat::Yaml);
    let root = data.root.as_ref()?;
    if let Some(scalar) = scalar_at(root, offset) {
        let environment = file.environment(db);
        let variable = environment.and_then(|it| variable(db, it, text, scalar, offset));
        if variable.is_some() {
            return variable;
        }
    }
    if let Some(path) = config_path_at(db, file, offset) {
        return plain(path.range, files(&path.files));
    }
    if let Some(key) = nested_key_at(root, offset) {
        let found = config_key(&key.name)?;
        let code = code_block(&format!("{}:", key.name)).replace("```puppet", "```yaml");
        return plain(key.range, format!("{code}\n\n{}", found.doc));
    }
    function(db, text, root, offset)
}

/// Lists the files that a path can refer to, as Markdown.
fn files(found: &[(FileInput, hiera::LevelFile)]) -> String {
    if found.is_empty() {
        return "No file matches.".to_owned();
    }
    let mut lines = vec!["Files:".to_owned(), String::new()];
    for (_, file) in found.iter().take(MAX_FILES) {
        let conditions = shown_conditions(&file.conditions);
        lines.push(format!("* `{}`{conditions}", file.path));
    }
    if let Some(more) = found.len().checked_sub(MAX_FILES).filter(|it| *it > 0) {
        lines.push(format!("* {more} more"));
    }
    lines.join("\n")
}

/// Returns the documentation of the function that a level uses.
fn function(db: &dyn Database, text: &str, root: &Node, offset: TextSize) -> Option<Hover> {
    let scalar = scalar_at(root, offset)?;
    let name = text.get(Range::<usize>::from(scalar.range))?;
    let keys = ["data_hash", "lookup_key"];
    let known = keys.iter().any(|key| {
        let mut functions = config_functions(key).iter();
        functions.any(|it| it.name() == name)
    });
    known.then_some(())?;
    plain(scalar.range, function_documentation(db, None, name)?)
}
