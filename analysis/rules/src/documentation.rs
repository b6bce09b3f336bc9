//! Generates documentation comments for Puppet Strings.

use hir::{Item, ItemKind, signature};
use infer::result_type;
use salsa::Database;
use types::{display_written, generalize};

/// The placeholder for descriptions.
const TODO: &str = "TODO";

/// Returns the lines of a complete documentation comment, without `#`.
pub fn new_documentation(db: &dyn Database, item: Item<'_>) -> Vec<String> {
    let mut lines = vec![format!("@summary {TODO}")];
    let parameters = &signature(db, item).parameters;
    let is_function = item.kind(db) == ItemKind::Function;
    if !parameters.is_empty() || is_function {
        lines.push(String::new());
    }
    lines.extend(parameters.iter().map(|it| param_tag(&it.name)));
    if is_function {
        lines.push(return_tag(db, item));
    }
    lines
}

/// Returns the tag that documents a parameter.
pub fn param_tag(name: &str) -> String {
    format!("@param {name} {TODO}")
}

/// Returns the tag that documents the result of a function.
pub fn return_tag(db: &dyn Database, item: Item<'_>) -> String {
    let declared = signature(db, item).returns.clone();
    let inferred = || {
        let found = result_type(db, item);
        match found.is_never() {
            true => "Any".to_owned(),
            false => display_written(&generalize(&found.type_)),
        }
    };
    let type_ = declared.unwrap_or_else(inferred);
    format!("@return [{type_}] {TODO}")
}
