//! Names of variables, parameters, types and definitions.

use super::checker::Checker;
use crate::Severity;
use crate::model::{Kind, Node, Parameter};

fn is_word(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// `[a-z]\w*`.
fn is_lower(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase()) && is_word(text)
}

/// `[A-Z]\w*`.
fn is_upper(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase()) && is_word(text)
}

/// `0` or a number that does not start with it.
pub(super) fn is_numeric_variable(name: &str) -> bool {
    name == "0"
        || (name.starts_with(|c| ('1'..='9').contains(&c))
            && name.bytes().all(|b| b.is_ascii_digit()))
}

/// Only the last part of a name may start with an underscore.
fn is_variable(name: &str) -> bool {
    let name = name.strip_prefix("::").unwrap_or(name);
    let (scopes, last) = match name.rsplit_once("::") {
        Some((scopes, last)) => (Some(scopes), last),
        None => (None, name),
    };
    is_parameter(last) && scopes.is_none_or(|it| it.split("::").all(is_lower))
}

/// `[a-z_]\w*`.
fn is_parameter(name: &str) -> bool {
    is_lower(name) || (name.starts_with('_') && is_word(name))
}

/// `a::b`, without `::` in front.
pub(super) fn is_definition_name(name: &str) -> bool {
    name.split("::").all(is_lower)
}

/// `A::B`, without `::` in front.
pub(super) fn is_type_name(name: &str) -> bool {
    name.split("::").all(is_upper)
}

/// The names of Puppet's own data types, which nothing else may have.
fn is_reserved_type_name(name: &str) -> bool {
    matches!(
        name,
        "type"
            | "any"
            | "unit"
            | "scalar"
            | "boolean"
            | "numeric"
            | "integer"
            | "float"
            | "collection"
            | "array"
            | "hash"
            | "tuple"
            | "struct"
            | "variant"
            | "optional"
            | "enum"
            | "regexp"
            | "pattern"
            | "runtime"
            | "init"
            | "object"
            | "sensitive"
            | "semver"
            | "semverrange"
            | "string"
            | "timestamp"
            | "timespan"
            | "typeset"
    )
}

impl Checker<'_> {
    pub(super) fn variable(&mut self, node: &Node, name: &str) {
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            if !is_numeric_variable(name) {
                let message =
                    format!("`${name}` is no variable: a number has no leading zero here");
                self.error("ILLEGAL_NUMERIC_VAR_NAME", node, message);
            }
        } else if !is_variable(name) {
            let message = match name {
                "" => "the name of the variable is missing behind `$`".to_owned(),
                _ => format!(
                    "`${name}` is no valid name: every part starts with a lower-case letter, only the last may start with `_`"
                ),
            };
            self.error("ILLEGAL_VAR_NAME", node, message);
        } else if self.is_broken_interpolation(node, name) {
            // Puppet breaks down over these two, without a code.
            let message = format!("`${{{name}}}` cannot be interpolated: write `{name}` as text");
            self.error("ILLEGAL_VAR_NAME", node, message);
        }
    }

    /// `"${true}"` and `"${false}"`, in which no dollar sign is part of the name.
    fn is_broken_interpolation(&self, node: &Node, name: &str) -> bool {
        matches!(name, "true" | "false") && usize::from(node.range.len()) == name.len()
    }

    pub(super) fn parameter(&mut self, node: &Node, parameter: &Parameter) {
        let name = &parameter.name;
        let digits = name.strip_prefix("0x").unwrap_or(name);
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            let message = format!("`${name}` cannot be a parameter: a number is no name");
            self.error("ILLEGAL_NUMERIC_PARAMETER", node, message);
        }
        if !is_parameter(name) {
            let message = format!(
                "`${name}` is no valid name of a parameter: it starts with a lower-case letter or `_` and holds no `::`"
            );
            self.error("ILLEGAL_PARAM_NAME", node, message);
        }
        if let Some(value) = &parameter.value {
            self.no_assignment(value);
        }
    }

    /// A default value must not assign; what a lambda in it does is its own.
    fn no_assignment(&mut self, node: &Node) {
        use crate::model::{BinaryClass, children};
        match &node.kind {
            Kind::Binary {
                class: BinaryClass::Assignment,
                ..
            } => {
                let message = "nothing can be assigned in the default value of a parameter";
                self.error("ILLEGAL_ASSIGNMENT_CONTEXT", node, message);
            }
            Kind::Lambda { .. } => {}
            _ => stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                children(node, &mut |child| self.no_assignment(child));
            }),
        }
    }

    pub(super) fn qualified_reference(&mut self, node: &Node, name: &str) {
        if !is_type_name(name.strip_prefix("::").unwrap_or(name)) {
            let message = format!("`{name}` is no valid name of a type");
            self.error("ILLEGAL_CLASSREF", node, message);
        }
    }

    pub(super) fn reserved_type_name(&mut self, node: &Node, name: &str) {
        if is_reserved_type_name(name) {
            let message = format!("`{name}` is the name of one of Puppet's data types");
            self.error("RESERVED_TYPE_NAME", node, message);
        }
    }

    pub(super) fn future_reserved_word(&mut self, node: &Node, name: &str) {
        if name == "plan" {
            let message = "`plan` will be a reserved word".to_owned();
            self.report("FUTURE_RESERVED_WORD", Severity::Warning, node, message);
        }
    }

    /// A return type or alias must be a type, with or without parameters.
    pub(super) fn type_reference(&mut self, node: &Node) {
        let name = match &node.kind {
            Kind::Access { left, .. } => left,
            _ => node,
        };
        match &name.kind {
            Kind::QualifiedReference(name) => self.future_reserved_word(node, &name.to_lowercase()),
            _ => self.error("ILLEGAL_EXPRESSION", node, "a type is needed here"),
        }
    }
}
