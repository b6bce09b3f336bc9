//! The numbers of arguments that functions of the 3.x API accept, as their code checks them:
//! `raise('Wrong number of arguments') if arguments.size < 2`.

use tree_sitter::Node;

use super::calls::Call;
use super::source::{Source, children};

/// A range of numbers of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ArgumentCounts {
    pub(super) min: i64,
    /// `None` for any number.
    pub(super) max: Option<i64>,
}

impl ArgumentCounts {
    const ANY: ArgumentCounts = ArgumentCounts { min: 0, max: None };

    fn new(min: i64, max: impl Into<Option<i64>>) -> ArgumentCounts {
        ArgumentCounts {
            min: min.max(0),
            max: max.into(),
        }
    }

    /// Returns the numbers that are in both ranges.
    fn and(self, other: ArgumentCounts) -> ArgumentCounts {
        ArgumentCounts {
            min: self.min.max(other.min),
            max: self.max.into_iter().chain(other.max).min(),
        }
    }

    /// Returns the smallest range with the numbers of both.
    fn or(self, other: ArgumentCounts) -> ArgumentCounts {
        ArgumentCounts {
            min: self.min.min(other.min),
            max: self.max.zip(other.max).map(|(one, other)| one.max(other)),
        }
    }
}

/// Returns the numbers of arguments that the block of a function accepts. A call with any
/// other number of arguments fails.
pub(super) fn accepted(source: &Source<'_>, call: &Call<'_>) -> ArgumentCounts {
    let mut found = ArgumentCounts::ANY;
    let parameters = call.block_parameters();
    let (Some(body), [parameter]) = (call.body(), parameters.as_slice()) else {
        return found;
    };
    if parameter.kind() != "identifier" {
        return found;
    }
    let check = Check {
        source,
        arguments: source.text_of(*parameter),
    };
    for statement in children(body) {
        match check.accepted_by(statement) {
            Some(range) => found = found.and(range),
            None if check.may_leave(statement) => break,
            None => {}
        }
    }
    found
}

/// A search for statements that check the number of arguments.
struct Check<'s, 'a> {
    source: &'s Source<'a>,
    /// The name of the block parameter with all arguments.
    arguments: &'a str,
}

impl Check<'_, '_> {
    /// Returns the numbers that pass a statement that raises an error for others.
    fn accepted_by(&self, statement: Node<'_>) -> Option<ArgumentCounts> {
        let (raised, refuses) = match statement.kind() {
            "if_modifier" => (statement.child_by_field_name("body")?, true),
            "unless_modifier" => (statement.child_by_field_name("body")?, false),
            kind @ ("if" | "unless") => {
                let body = statement.child_by_field_name("consequence")?;
                (children(body).into_iter().next()?, kind == "if")
            }
            _ => return None,
        };
        if !self.source.text_of(raised).starts_with("raise") {
            return None;
        }
        let condition = statement.child_by_field_name("condition")?;
        self.range(condition, !refuses)
    }

    /// Checks whether code may end the function, or change the arguments.
    fn may_leave(&self, statement: Node<'_>) -> bool {
        let text = self.source.text_of(statement);
        let changes = [
            " =", " <<", ".shift", ".pop", ".push", ".unshift", ".delete", ".concat",
        ];
        ["return", "next", "break", "rescue"]
            .iter()
            .any(|it| text.contains(it))
            || changes
                .iter()
                .any(|it| text.contains(&format!("{}{it}", self.arguments)))
            || text.contains(&format!("{}!", self.arguments))
    }

    /// Returns the numbers for which a condition has a value; `None` if it depends on something else.
    fn range(&self, condition: Node<'_>, value: bool) -> Option<ArgumentCounts> {
        match condition.kind() {
            "parenthesized_statements" => match children(condition)[..] {
                [inner] => self.range(inner, value),
                _ => None,
            },
            "unary" => {
                let operator = condition.child_by_field_name("operator")?;
                let operand = condition.child_by_field_name("operand")?;
                matches!(self.source.text_of(operator), "!" | "not")
                    .then(|| self.range(operand, !value))?
            }
            "binary" => self.binary(condition, value),
            "call" => {
                let is_empty =
                    self.source.text_of(condition) == format!("{}.empty?", self.arguments);
                is_empty.then_some(match value {
                    true => ArgumentCounts::new(0, 0),
                    false => ArgumentCounts::new(1, None),
                })
            }
            _ => None,
        }
    }

    fn binary(&self, condition: Node<'_>, value: bool) -> Option<ArgumentCounts> {
        let left = condition.child_by_field_name("left")?;
        let right = condition.child_by_field_name("right")?;
        let operator = condition.child_by_field_name("operator")?;
        let sides = || (self.range(left, value), self.range(right, value));
        match (self.source.text_of(operator), value) {
            ("&&" | "and", true) | ("||" | "or", false) => match sides() {
                (Some(left), Some(right)) => Some(left.and(right)),
                (left, right) => left.or(right),
            },
            ("&&" | "and", false) | ("||" | "or", true) => {
                let (left, right) = sides();
                Some(left?.or(right?))
            }
            (operator, _) if self.is_count(left) => {
                let number = self.source.text_of(right).parse().ok()?;
                compared(operator, number, value)
            }
            _ => None,
        }
    }

    fn is_count(&self, node: Node<'_>) -> bool {
        let method = self.source.text_of(node).strip_prefix(self.arguments);
        matches!(method, Some(".size" | ".length" | ".count"))
    }
}

/// Returns the numbers whose comparison with another one has a value.
fn compared(operator: &str, number: i64, value: bool) -> Option<ArgumentCounts> {
    Some(match (operator, value) {
        ("<", true) | (">=", false) => ArgumentCounts::new(0, number.checked_sub(1)?),
        ("<=", true) | (">", false) => ArgumentCounts::new(0, number),
        (">", true) | ("<=", false) => ArgumentCounts::new(number.checked_add(1)?, None),
        (">=", true) | ("<", false) => ArgumentCounts::new(number, None),
        ("==", true) | ("!=", false) => ArgumentCounts::new(number, number),
        ("!=", true) | ("==", false) if number == 0 => ArgumentCounts::new(1, None),
        _ => return None,
    })
}
