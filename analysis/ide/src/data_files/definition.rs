//! Go to definition between data and code.

use base::{EnvironmentInput, FileInput};
use hiera::LookupKey;
use hiera::document::Entry;
use rules::data::{ClassKey, class_key};
use salsa::Database;
use syntax::ast::{AstNode, CallExpr};
use syntax::{SyntaxKind, SyntaxToken, TextRange, TextSize};

use super::config::config_definition;
use super::typed_path::{PathStep, nested_key_at};
use super::{Cursor, FileKind, file_kind, key_sources, symbol_in_data};
use crate::goto_definition::item_target;
use crate::symbol::{Symbol, TypeStep, struct_keys_of_parameter};
use crate::{NavigationTarget, NavigationTargets};
use library::{KnownFunction, NamedEntity};

/// Returns the targets of a key in a data file, which are the parameter of the class or the values of the key, of a
/// class in a list, or of a path in `hiera.yaml`.
pub(crate) fn goto_definition(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<NavigationTargets> {
    if file_kind(db, file) == FileKind::Config {
        return config_definition(db, file, offset);
    }
    let cursor = Cursor::new(db, file)?;
    let environment = cursor.environment;
    let parameter = |key: &str| parameter_target(db, environment, key).into_iter().collect();
    let (range, targets) = if let Some((range, key)) = cursor.looked_up_key(offset) {
        let values = key_targets(db, environment, &key);
        match values.is_empty() {
            true => (range, parameter(&key)),
            false => (range, values),
        }
    } else if let Some((range, Symbol::Item(class))) = symbol_in_data(db, file, offset) {
        (range, vec![item_target(db, class)])
    } else if let Some(option) = cursor.option(offset) {
        let targets: Vec<NavigationTarget> = parameter(option.name());
        match targets.is_empty() {
            true => (
                option.key_range,
                key_targets(db, environment, option.name()),
            ),
            false => (option.key_range, targets),
        }
    } else {
        match cursor.entry(offset)? {
            (entry, true) => (entry.key_range, parameter(entry.name())),
            (entry, false) => struct_key(db, environment, entry, offset)?,
        }
    };
    (!targets.is_empty()).then_some(NavigationTargets {
        range,
        targets,
        built_in: None,
    })
}

/// Returns the places where the type of a parameter declares the key at an offset of its value.
fn struct_key(
    db: &dyn Database,
    environment: EnvironmentInput,
    entry: &Entry,
    offset: TextSize,
) -> Option<(TextRange, Vec<NavigationTarget>)> {
    let key = nested_key_at(&entry.value, offset)?;
    let ClassKey::Parameter(item, parameter) = class_key(db, environment, entry.name()) else {
        return None;
    };
    let steps = key.path.iter().map(|it| match it {
        PathStep::Key(name) => TypeStep::Key(name),
        PathStep::Element => TypeStep::Element,
    });
    let steps: Vec<TypeStep<'_>> = steps.collect();
    let declared = (item, parameter.name_range);
    let targets = struct_keys_of_parameter(db, declared, &steps, &key.name);
    Some((key.range, targets))
}

/// Returns the parameter of a class that a key belongs to.
fn parameter_target(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Option<NavigationTarget> {
    let key = LookupKey::parse(key)?;
    let ClassKey::Parameter(item, parameter) = class_key(db, environment, &key.root) else {
        return None;
    };
    let mut target = item_target(db, item);
    target.range = item.in_file(db, parameter.range);
    target.name_range = item.in_file(db, parameter.name_range);
    Some(target)
}

/// Returns the places of a key in data, the highest level first.
pub(crate) fn key_targets(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Vec<NavigationTarget> {
    let sources = key_sources(db, environment, key).into_iter();
    let targets = sources.map(|it| NavigationTarget {
        file: it.file.id(db),
        range: it.key_range.cover(it.value_range),
        name_range: it.key_range,
    });
    targets.collect()
}

/// Returns the key that a string in code looks up: the first argument of `lookup` and the like.
pub(crate) fn data_key_at(token: &SyntaxToken) -> Option<(TextRange, String)> {
    if token.kind() != SyntaxKind::SINGLE_QUOTED {
        return None;
    }
    let node = token.parent()?;
    let list = node.parent()?;
    let call = CallExpr::cast(list.parent()?)?;
    if list.first_child().as_ref() != Some(&node) {
        return None;
    }
    let name = call.name_token()?;
    let function = KnownFunction::from_name(name.text())?;
    if function.names() != Some(NamedEntity::DataKey) {
        return None;
    }
    let text = token.text();
    let key = text.get(1..text.len().checked_sub(1)?)?;
    Some((token.text_range(), key.to_owned()))
}
