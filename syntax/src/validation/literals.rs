//! Checks of literals: integers out of range, duplicate keys, literal types of parameters.

use super::checker::Checker;
use crate::Severity;
use crate::model::{Kind, Node, UnaryClass};

/// A literal value, with Ruby's notion of key equality: `1` differs from `1.0`.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Literal {
    Undef,
    Default,
    Boolean(bool),
    Integer(i128),
    /// The bits of a float, for exact comparison.
    Float(u64),
    String(String),
    Regex(String),
    List(Vec<Literal>),
    Hash(Vec<(Literal, Literal)>),
}

/// Whether types and negative numbers are literals, as since Puppet 8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Types {
    Excluded,
    Included,
}

/// Returns the literal value of the type of a parameter.
pub(super) fn type_literal(node: &Node) -> Option<Literal> {
    literal(node, Types::Included)
}

fn literal(node: &Node, types: Types) -> Option<Literal> {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || literal_here(node, types))
}

fn literal_here(node: &Node, types: Types) -> Option<Literal> {
    let list = |nodes: &[Node]| {
        nodes
            .iter()
            .map(|it| literal(it, types))
            .collect::<Option<Vec<_>>>()
    };
    Some(match &node.kind {
        Kind::Undef => Literal::Undef,
        Kind::Default => Literal::Default,
        Kind::Boolean(value) => Literal::Boolean(*value),
        Kind::Integer { value, .. } => Literal::Integer(*value),
        Kind::Float(value) => Literal::Float(value.to_bits()),
        Kind::String(value) | Kind::QualifiedName(value) | Kind::RenderString(value) => {
            Literal::String(value.clone())
        }
        Kind::Regex(source) => Literal::Regex(source.clone()),
        Kind::Concat(segments) => match segments.as_slice() {
            [
                Node {
                    kind: Kind::String(text),
                    ..
                },
            ] => Literal::String(text.clone()),
            _ => return None,
        },
        Kind::List(values) => Literal::List(list(values)?),
        Kind::Hash(entries) => {
            let entry = |it: &Node| match &it.kind {
                Kind::KeyedEntry { key, value } => {
                    Some((literal(key, types)?, literal(value, types)?))
                }
                _ => None,
            };
            Literal::Hash(entries.iter().map(entry).collect::<Option<Vec<_>>>()?)
        }
        Kind::QualifiedReference(name) if types == Types::Included => {
            Literal::String(name.to_lowercase())
        }
        Kind::Access { keys, .. } if types == Types::Included => match keys.as_slice() {
            [
                Node {
                    kind: Kind::List(_),
                    ..
                },
            ] => return None,
            _ => Literal::List(list(keys)?),
        },
        Kind::Unary {
            class: UnaryClass::Minus,
            expr,
        } if types == Types::Included => match literal(expr, types)? {
            Literal::Integer(value) => Literal::Integer(-value),
            Literal::Float(bits) => Literal::Float((-f64::from_bits(bits)).to_bits()),
            _ => return None,
        },
        _ => return None,
    })
}

impl Checker<'_> {
    pub(super) fn integer(&mut self, node: &Node, value: i128) {
        if i64::try_from(value).is_err() {
            let message = "integer does not fit in 64 bits".to_owned();
            self.error("NUMERIC_OVERFLOW", node, message);
        }
    }

    pub(super) fn hash(&mut self, entries: &[Node]) {
        let types = if self.is_8() {
            Types::Included
        } else {
            Types::Excluded
        };
        let severity = if self.is_8() {
            Severity::Error
        } else {
            Severity::Warning
        };
        let mut seen: std::collections::HashMap<String, &Node> = std::collections::HashMap::new();
        for entry in entries {
            let Kind::KeyedEntry { key, .. } = &entry.kind else {
                continue;
            };
            let Some(value) = literal(key, types) else {
                continue;
            };
            // The debug representation distinguishes all kinds of values.
            match seen.entry(format!("{value:?}")) {
                std::collections::hash_map::Entry::Vacant(free) => {
                    free.insert(entry);
                }
                std::collections::hash_map::Entry::Occupied(first) => {
                    let message = match self.source(key) {
                        Some(key) => format!("duplicate key `{key}` in hash"),
                        None => "duplicate key in hash".to_owned(),
                    };
                    self.report("DUPLICATE_KEY", severity, entry, message);
                    self.relate(first.get(), "first used here");
                }
            }
        }
    }
}
