//! Messages about values of the wrong type, which several rules report.

use base::suggest::hint;
use infer::{Inferred, ValueTarget};
use syntax::{SyntaxNode, TextRange};
use types::Type;
use types::mismatch::{self, mismatches};
use types::values::quote;

use crate::fixes::{nearest, node_at};
use crate::templates::template_name;
use crate::wording::{actual, expected, mismatch_of_part};

/// The maximum number of mismatches reported for one value.
const MAX_PARTS: usize = 3;

/// The maximum length of a list of values, in characters.
const MAX_LIST: usize = 120;

/// Describes a value that never matches the expected type.
pub(crate) fn mismatch_message(target: &ValueTarget, wanted: &Type, given: &Type) -> String {
    let subject = subject(target);
    if let Some(inside) = of_parts(wanted, given) {
        return format!("{subject}{inside}");
    }
    let text = Inferred::of(given.clone()).value;
    let text = text.as_ref().and_then(|it| it.as_str());
    let near = text.and_then(|it| nearest(wanted, it)).map(|it| quote(&it));
    let near = hint(near.as_deref());
    let wanted = match target {
        ValueTarget::Attribute(..) => values_of_attribute(wanted),
        _ => expected(wanted),
    };
    let given = actual(given);
    format!("{subject} expects {wanted}, found {given}{near}")
}

/// Describes the mismatches of a part of a value.
pub(crate) fn parts_message(target: &ValueTarget, found: &[mismatch::Mismatch]) -> String {
    format!("{}{}", subject(target), shown_parts(found))
}

/// Describes a value that is refused, by a description of the accepted ones.
pub(crate) fn refusal_message(target: &ValueTarget, description: &str, given: &Type) -> String {
    let subject = subject(target);
    format!("{subject} expects {description}, found {}", actual(given))
}

/// Shows an octal or hexadecimal number at a range as the code does: `0440` rather than `288`.
pub(crate) fn with_written_number(
    message: String,
    root: &SyntaxNode,
    range: TextRange,
    given: &Type,
) -> String {
    let node = node_at(root, range);
    let text = node.map(|it| it.text().to_string()).unwrap_or_default();
    let is_number = text.starts_with('0') && text.bytes().all(|it| it.is_ascii_alphanumeric());
    match is_number {
        true => message.replace(&actual(given), &format!("`{text}`")),
        false => message,
    }
}

/// Returns the subject of a message.
pub(crate) fn subject(target: &ValueTarget) -> String {
    match target {
        ValueTarget::Argument(function, name) => format!("argument `{name}` of `{function}`"),
        ValueTarget::Parameter(of, name) => format!("parameter `{name}` of `{of}`"),
        ValueTarget::TemplateParameter(of, name) => {
            format!("parameter `{name}` of {}", template_name(of))
        }
        ValueTarget::Attribute(of, name) => format!("attribute `{name}` of `{of}`"),
        ValueTarget::Namevar(of, _) => format!("title of `{of}`"),
        ValueTarget::Splat => "`*`".to_owned(),
        ValueTarget::Relationship(operator) => format!("operand of `{operator}`"),
        ValueTarget::Default(name) => format!("parameter `${name}`"),
        ValueTarget::Result(function) => format!("return value of `{function}`"),
        ValueTarget::BlockParameter(name) => format!("block parameter `${name}`"),
        ValueTarget::Title => "resource title".to_owned(),
        ValueTarget::Assertion => "`assert_type`".to_owned(),
    }
}

/// Renders the accepted values of an attribute of a resource type: those of an enumeration as words, because Puppet
/// compares them with the string of a value, such as `true`.
fn values_of_attribute(type_: &Type) -> String {
    let words = match type_ {
        Type::Enum(it) if !it.case_insensitive() => it.values(),
        _ => return expected(type_),
    };
    let list: Vec<String> = words.iter().map(|it| format!("`{it}`")).collect();
    let list = list.join(", ");
    match words.len() > 1 && list.chars().count() <= MAX_LIST {
        true => format!("one of {list}"),
        false => expected(type_),
    }
}

/// Describes the mismatches of the parts of a value whose own kind is right, to follow the subject of
/// the message.
fn of_parts(wanted: &Type, given: &Type) -> Option<String> {
    let found = mismatches(wanted, given);
    let of_parts = |it: &mismatch::Mismatch| {
        let keys = matches!(
            it.problem,
            mismatch::Problem::Missing(_) | mismatch::Problem::Unknown(_)
        );
        keys || !it.path.is_empty()
    };
    if found.is_empty() || !found.iter().all(of_parts) {
        return None;
    }
    Some(shown_parts(&found))
}

fn shown_parts(found: &[mismatch::Mismatch]) -> String {
    let shown = found.iter().take(MAX_PARTS).enumerate();
    let shown = shown.map(|(index, it)| mismatch_of_part(it, index == 0));
    shown.collect()
}
