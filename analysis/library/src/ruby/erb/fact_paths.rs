//! The parts of facts that a template reads: `@facts['os']['family']`, `@os.dig('release', 'full')`.

use tree_sitter::Node;

use super::names::ErbName;
use super::{ErbCode, is_assigned, literal};
use crate::ruby::calls::Call;
use crate::ruby::source::{Source, children};

/// A part of a fact that a template reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErbFactPath {
    /// The keys from the name of the fact to the part.
    pub keys: Vec<ErbName>,
    /// Whether the fact is a variable of its own.
    pub is_variable: bool,
}

/// Returns the constant keys that are read from the value of an expression, one inside of the other.
pub(super) fn keys_after(source: &Source<'_>, code: &ErbCode, value: Node<'_>) -> Vec<ErbName> {
    let mut found = Vec::new();
    let mut at = value;
    while let Some(parent) = at.parent()
        && let Some(keys) = keys_of(source, parent, at)
    {
        for key in keys {
            let Some(range) = code.range(key.start_byte(), key.end_byte()) else {
                return Vec::new();
            };
            let name = source.text_of(key).to_owned();
            found.push(ErbName { name, range });
        }
        at = parent;
    }
    match is_assigned(at) {
        true => Vec::new(),
        false => found,
    }
}

/// Returns the contents of the strings with which a node reads from a hash.
fn keys_of<'t>(source: &Source<'t>, read: Node<'t>, hash: Node<'t>) -> Option<Vec<Node<'t>>> {
    match read.kind() {
        "element_reference" if read.child_by_field_name("object") == Some(hash) => {
            let key = children(read).into_iter().nth(1)?;
            Some(vec![literal(key)?])
        }
        "call" if read.child_by_field_name("receiver") == Some(hash) => {
            let call = Call::of(source, read).filter(|it| it.method == "dig")?;
            call.arguments.into_iter().map(literal).collect()
        }
        _ => None,
    }
}
