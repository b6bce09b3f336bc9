//! Checks of the names of variables, parameters, types and definitions.

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

/// Checks whether the name is a decimal number without leading zeros.
pub(super) fn is_numeric_variable(name: &str) -> bool {
    name == "0"
        || (name.starts_with(|c| ('1'..='9').contains(&c))
            && name.bytes().all(|b| b.is_ascii_digit()))
}

/// Checks whether the name of a variable is valid: only the last segment may start with an
/// underscore.
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

/// `a::b`, without a leading `::`.
pub(super) fn is_definition_name(name: &str) -> bool {
    name.split("::").all(is_lower)
}

/// `A::B`, without a leading `::`.
pub(super) fn is_type_name(name: &str) -> bool {
    name.split("::").all(is_upper)
}

/// Checks whether the name is that of a built-in data type, which definitions cannot use.
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
                let message = format!(
                    "invalid variable name `${name}`: expected a decimal number without leading zeros"
                );
                self.error("ILLEGAL_NUMERIC_VAR_NAME", node, message);
            }
        } else if !is_variable(name) {
            let message = match name {
                "" => "missing variable name after `$`".to_owned(),
                _ => format!(
                    "invalid variable name `${name}`: each segment must start with a lowercase letter, only the last may start with `_`"
                ),
            };
            self.error("ILLEGAL_VAR_NAME", node, message);
        } else if self.is_broken_interpolation(node, name) {
            // Puppet crashes on these two, without an issue code.
            let message = format!("cannot interpolate `${{{name}}}`: write `{name}` as text");
            self.error("ILLEGAL_VAR_NAME", node, message);
        }
    }

    /// Checks whether this is `"${true}"` or `"${false}"`, in which the dollar sign is not part of
    /// the name.
    fn is_broken_interpolation(&self, node: &Node, name: &str) -> bool {
        matches!(name, "true" | "false") && usize::from(node.range.len()) == name.len()
    }

    pub(super) fn parameter(&mut self, node: &Node, parameter: &Parameter) {
        let name = &parameter.name;
        let digits = name.strip_prefix("0x").unwrap_or(name);
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            let message = format!(
                "invalid parameter name `${name}`: numeric variables are reserved for capture groups"
            );
            self.error("ILLEGAL_NUMERIC_PARAMETER", node, message);
        }
        if !is_parameter(name) {
            let message = format!(
                "invalid parameter name `${name}`: it must start with a lowercase letter or `_`, without `::`"
            );
            self.error("ILLEGAL_PARAM_NAME", node, message);
        }
        if let Some(value) = &parameter.value {
            self.no_assignment(value);
        }
    }

    /// Reports assignments in a default value, except for those in its lambdas.
    fn no_assignment(&mut self, node: &Node) {
        use crate::model::{BinaryClass, children};
        match &node.kind {
            Kind::Binary {
                class: BinaryClass::Assignment,
                ..
            } => {
                let message = "assignment is not allowed in the default value of a parameter";
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
            let message = format!("invalid type name `{name}`");
            self.error("ILLEGAL_CLASSREF", node, message);
        }
    }

    pub(super) fn reserved_type_name(&mut self, node: &Node, name: &str) {
        if is_reserved_type_name(name) {
            let message = format!("cannot define `{name}`: it is a built-in data type");
            self.error("RESERVED_TYPE_NAME", node, message);
        }
    }

    pub(super) fn future_reserved_word(&mut self, node: &Node, name: &str) {
        if name == "plan" {
            let message = "`plan` is a future reserved word".to_owned();
            self.report("FUTURE_RESERVED_WORD", Severity::Warning, node, message);
        }
    }

    /// Checks that a return type or alias is a type, with or without parameters.
    pub(super) fn type_reference(&mut self, node: &Node) {
        let name = match &node.kind {
            Kind::Access { left, .. } => left,
            _ => node,
        };
        match &name.kind {
            Kind::QualifiedReference(name) => self.future_reserved_word(node, &name.to_lowercase()),
            _ => self.error("ILLEGAL_EXPRESSION", node, "expected a data type"),
        }
    }
}
