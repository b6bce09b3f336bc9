//! The text of parameters: on one line, or the changed lines of two values.

use analysis::values::Value;
use similar::{ChangeTag, TextDiff};

use super::text_line::shortened;
use super::value;
use crate::display_path::one_line;

/// The metaparameters whose values are references, even if they are strings.
const RELATIONSHIPS: [&str; 4] = ["before", "notify", "require", "subscribe"];

/// The unchanged lines around a changed one.
const CONTEXT: usize = 1;

/// The maximum number of lines of a changed value.
const MAX_LINES: usize = 60;

/// Returns the text of the value of a parameter, or why it is unknown, on one line and shortened.
pub(crate) fn value_text(name: &str, value: &Result<Value, String>) -> String {
    match value {
        Ok(value) if RELATIONSHIPS.contains(&name) => shortened(&one_line(&references(value))),
        Ok(value) => shortened(&one_line(&value::puppet(value))),
        Err(why) => format!("(unknown: {})", one_line(why)),
    }
}

/// Returns the references in the value of a relationship.
fn references(value: &Value) -> String {
    match value {
        Value::String(it) => it.to_string(),
        Value::Array(items) if items.len() == 1 => items.iter().map(references).collect(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(references).collect();
            format!("[{}]", items.join(", "))
        }
        value => value::puppet(value),
    }
}

/// Returns the changed lines of strings with several lines, each with its sign.
pub(super) fn changed(
    old: &Result<Value, String>,
    new: &Result<Value, String>,
) -> Option<Vec<(char, String)>> {
    let (Ok(Value::String(old)), Ok(Value::String(new))) = (old, new) else {
        return None;
    };
    if !old.contains('\n') && !new.contains('\n') {
        return None;
    }
    let diff = TextDiff::from_lines(&**old, &**new);
    let mut lines = Vec::new();
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            lines.push((' ', "…".to_owned()));
        }
        for change in group.iter().flat_map(|it| diff.iter_changes(it)) {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            let text = change.value().trim_end_matches('\n');
            lines.push((sign, one_line(text)));
        }
    }
    let more = lines.len().saturating_sub(MAX_LINES);
    if more > 0 {
        lines.truncate(MAX_LINES);
        lines.push((' ', format!("… ({more} more lines)")));
    }
    Some(lines)
}
