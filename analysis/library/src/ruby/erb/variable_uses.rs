//! Uses of the values of variables in a template: methods, indexes and strings that are added to them.

use syntax::TextRange;
use tree_sitter::Node;

use super::code::ErbCode;
use super::literal;
use crate::ruby::calls::Call;
use crate::ruby::source::{Source, children};

/// An operation on the value of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErbUse {
    /// The variable, without its sigil.
    pub variable: String,
    /// The range of the method or the variable.
    pub range: TextRange,
    /// The operation.
    pub operation: ErbOperation,
}

/// The kind of an [`ErbUse`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErbOperation {
    /// `@name.method`.
    Method(String),
    /// `@name['key']`.
    StringIndex,
    /// `'text' + @name` or `@name + 'text'`.
    AddedToString,
    /// `1 + @name` or `@name + 1`.
    AddedToNumber,
}

/// Methods that return a string, whatever they are called on.
const TO_STRING: [&str; 4] = ["inspect", "join", "to_json", "to_s"];

/// Methods that test the class of a value.
const CLASS_TESTS: [&str; 5] = ["class", "instance_of?", "is_a?", "kind_of?", "respond_to?"];

/// Returns the operation of a node on a variable.
pub(super) fn use_at(source: &Source<'_>, code: &ErbCode, node: Node<'_>) -> Option<ErbUse> {
    let (variable, at, operation) = match node.kind() {
        "call" => {
            let method = node.child_by_field_name("method")?;
            let operator = node.child_by_field_name("operator");
            // `&.` skips the call if the variable is unset.
            let is_plain = operator.is_none_or(|it| source.text_of(it) == ".");
            if method.kind() != "identifier" || !is_plain {
                return None;
            }
            let name = source.text_of(method).to_owned();
            let receiver = node.child_by_field_name("receiver")?;
            (receiver, method, ErbOperation::Method(name))
        }
        "element_reference" => {
            let object = node.child_by_field_name("object")?;
            let [_, key] = children(node).try_into().ok()?;
            literal(key)?;
            (object, key, ErbOperation::StringIndex)
        }
        "binary" if source.text_of(node.child_by_field_name("operator")?) == "+" => {
            let left = node.child_by_field_name("left")?;
            let right = node.child_by_field_name("right")?;
            let is_number = |it: Node<'_>| matches!(it.kind(), "integer" | "float");
            let (variable, operation) = match (is_string(source, left), is_string(source, right)) {
                (true, false) => (right, ErbOperation::AddedToString),
                (false, true) => (left, ErbOperation::AddedToString),
                _ if is_number(left) => (right, ErbOperation::AddedToNumber),
                _ if is_number(right) => (left, ErbOperation::AddedToNumber),
                _ => return None,
            };
            (variable, variable, operation)
        }
        _ => return None,
    };
    if variable.kind() != "instance_variable" {
        return None;
    }
    Some(ErbUse {
        variable: source.text_of(variable).trim_start_matches('@').to_owned(),
        range: code.range(at.start_byte(), at.end_byte())?,
        operation,
    })
}

/// Returns the variable whose class a node tests: `@name.is_a?(Array)`, `case @name`, `Array === @name`.
pub(super) fn tested_variable<'t>(source: &Source<'t>, node: Node<'t>) -> Option<&'t str> {
    let tested = match node.kind() {
        "call" => {
            let call = Call::of(source, node)?;
            call.receiver.filter(|_| CLASS_TESTS.contains(&call.method))
        }
        "case" | "case_match" => node.child_by_field_name("value"),
        "binary" if source.text_of(node.child_by_field_name("operator")?) == "===" => {
            node.child_by_field_name("right")
        }
        _ => None,
    };
    let tested = tested.filter(|it| it.kind() == "instance_variable");
    tested.map(|it| source.text_of(it))
}

/// Checks whether an expression is certainly a string.
fn is_string(source: &Source<'_>, node: Node<'_>) -> bool {
    match node.kind() {
        "string" => true,
        "call" => Call::of(source, node).is_some_and(|it| TO_STRING.contains(&it.method)),
        "binary" => {
            let operator = node.child_by_field_name("operator");
            let left = node.child_by_field_name("left");
            operator.is_some_and(|it| source.text_of(it) == "+")
                && left.is_some_and(|it| is_string(source, it))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::erb_names;
    use super::ErbOperation;

    #[test]
    fn finds_operations_on_variables() {
        let uses = |template: &str| {
            let found = erb_names(template).uses.into_iter();
            let found = found.map(|it| match it.operation {
                ErbOperation::Method(method) => format!("{}.{method}", it.variable),
                ErbOperation::StringIndex => format!("{}[]", it.variable),
                ErbOperation::AddedToString => format!("+ {}", it.variable),
                ErbOperation::AddedToNumber => format!("1 + {}", it.variable),
            });
            found.collect::<Vec<_>>()
        };
        for (template, expected) in [
            ("<%= @a.upcase %>", vec!["a.upcase"]),
            ("<% @a.each do |b| %><%= b.c %><% end %>", vec!["a.each"]),
            ("<%= @a['b'] %><%= @a[0] %><%= @a[b] %>", vec!["a[]"]),
            ("<%= 'a' + @b %><%= @a + 'b' %>", vec!["+ b", "+ a"]),
            ("<%= 1 + @b %><%= @a + 1.5 %>", vec!["1 + b", "1 + a"]),
            ("<%= 'a' + 'b' %><%= @a + @b + 'b' %>", vec![]),
            ("<%= @a.join(',') + 'x' + @b %>", vec!["+ b", "a.join"]),
            ("<%= @a&.upcase %><%= @a.b rescue 1 %>", vec![]),
            ("<% if @a.is_a?(Array) %><%= @a.join %><% end %>", vec![]),
            ("<% if @a.respond_to?(:b) %><%= @a.b %><% end %>", vec![]),
            ("<% case @a when Array %><%= @a.join %><% end %>", vec![]),
        ] {
            assert_eq!(uses(template), expected, "{template}");
        }
    }
}
