//! The types of the results of Ruby code, as far as literals, operators and core methods determine
//! them.

use std::cell::Cell;

use tree_sitter::Node;

use super::source::{Source, children, visit};

/// The maximum depth of nested expressions.
const MAX_DEPTH: u32 = 24;
/// The maximum number of steps: helpers may call each other.
const MAX_STEPS: u32 = 2_000;
/// The steps that finding a helper takes.
const HELPER_STEPS: u32 = 100;

/// A source with a budget.
struct Code<'a, 't> {
    source: &'a Source<'t>,
    steps: Cell<u32>,
}

impl<'a, 't> Code<'a, 't> {
    fn new(source: &'a Source<'t>) -> Code<'a, 't> {
        Code {
            source,
            steps: Cell::new(MAX_STEPS),
        }
    }

    fn text_of(&self, node: Node<'_>) -> &'t str {
        self.source.text_of(node)
    }

    /// Consumes steps; `None` if none are left.
    fn spend(&self, steps: u32) -> Option<()> {
        self.steps.set(self.steps.get().checked_sub(steps)?);
        Some(())
    }
}

/// Kinds of values, as a bit set; empty if the code never returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kinds(u8);

impl Kinds {
    const NEVER: Kinds = Kinds(0);
    const NIL: Kinds = Kinds(1);
    const BOOLEAN: Kinds = Kinds(1 << 1);
    const INTEGER: Kinds = Kinds(1 << 2);
    const FLOAT: Kinds = Kinds(1 << 3);
    const STRING: Kinds = Kinds(1 << 4);

    const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    const fn is_within(self, other: Kinds) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns the type in Puppet's notation; `None` if the code never returns.
    fn type_(self) -> Option<String> {
        const TYPES: [(Kinds, &str); 5] = [
            (Kinds::NIL, "Undef"),
            (Kinds::BOOLEAN, "Boolean"),
            (Kinds::INTEGER, "Integer"),
            (Kinds::FLOAT, "Float"),
            (Kinds::STRING, "String"),
        ];
        let all = TYPES.iter().filter(|it| it.0.is_within(self));
        let all: Vec<&str> = all.map(|it| it.1).collect();
        match all.as_slice() {
            [] => None,
            [only] => Some((*only).to_owned()),
            many => Some(format!("Variant[{}]", many.join(", "))),
        }
    }
}

/// Returns the type of the results of a method or block, in Puppet's notation; `None` if it is
/// unknown. `body` is the list of its statements.
pub(super) fn result_type(source: &Source<'_>, body: Node<'_>) -> Option<String> {
    code(&Code::new(source), body, MAX_DEPTH)?.type_()
}

/// Returns the type of a fact. A fact whose value is `nil` does not exist.
pub(super) fn fact_type(source: &Source<'_>, body: Node<'_>) -> Option<String> {
    let found = code(&Code::new(source), body, MAX_DEPTH)?;
    let may_be_absent = Kinds::NIL.is_within(found);
    found.type_().filter(|_| !may_be_absent)
}

/// Returns the type of the results of the methods with these names, which the class of a function
/// defines.
pub(super) fn method_results(
    source: &Source<'_>,
    class: Node<'_>,
    methods: &[&str],
) -> Option<String> {
    let source = Code::new(source);
    let mut found = Kinds::NEVER;
    for name in methods {
        found = found.or(method(&source, class, name, MAX_DEPTH)?);
    }
    found.type_()
}

/// Returns the results of the only method with this name.
fn method(source: &Code<'_, '_>, within: Node<'_>, name: &str, depth: u32) -> Option<Kinds> {
    let mut bodies = Vec::new();
    visit(within, |node| {
        let named = node.child_by_field_name("name");
        if node.kind() == "method" && named.is_some_and(|it| source.text_of(it) == name) {
            bodies.push(node.child_by_field_name("body"));
        }
        true
    });
    match bodies.as_slice() {
        [Some(body)] => code(source, *body, depth.checked_sub(1)?),
        _ => None,
    }
}

/// Returns the results of statements, including those of `return` and `next`.
fn code(source: &Code<'_, '_>, body: Node<'_>, depth: u32) -> Option<Kinds> {
    let mut exits = Vec::new();
    let mut unknown = false;
    visit(body, |node| {
        match node.kind() {
            "return" | "next" => exits.push(node),
            "break" | "redo" | "retry" | "yield" => unknown = true,
            _ => {}
        }
        true
    });
    // Only named nodes are statements; the keyword itself is a node of the same kind.
    exits.retain(|it| it.is_named());
    if unknown {
        return None;
    }
    let mut found = statements(source, body, depth)?;
    for exit in exits {
        let arguments = children(exit).into_iter().next().map(children);
        found = found.or(match arguments.as_deref() {
            None => Kinds::NIL,
            Some([only]) => expression(source, *only, depth)?,
            Some(_) => return None,
        });
    }
    Some(found)
}

/// Returns the value of the last statement.
fn statements(source: &Code<'_, '_>, body: Node<'_>, depth: u32) -> Option<Kinds> {
    let depth = depth.checked_sub(1)?;
    let all = children(body);
    let mut last = Kinds::NIL;
    let mut rescued = Kinds::NEVER;
    for it in all {
        match it.kind() {
            "comment" | "heredoc_body" | "ensure" => {}
            "rescue" => {
                let handler = it.child_by_field_name("body");
                rescued = rescued.or(match handler {
                    Some(handler) => statements(source, handler, depth)?,
                    None => Kinds::NIL,
                });
            }
            "else" => return None,
            _ => {
                // Only the last one has to be known.
                last = Kinds(u8::MAX);
            }
        }
    }
    if last == Kinds(u8::MAX) {
        let ignored = ["comment", "heredoc_body", "ensure", "rescue"];
        let all = children(body).into_iter().rev();
        let node = all.into_iter().find(|it| !ignored.contains(&it.kind()))?;
        last = expression(source, node, depth)?;
    }
    Some(last.or(rescued))
}

/// Returns the kinds of values of an expression.
fn expression(source: &Code<'_, '_>, node: Node<'_>, depth: u32) -> Option<Kinds> {
    let depth = depth.checked_sub(1)?;
    source.spend(1)?;
    let field = |name: &str| node.child_by_field_name(name);
    let branch = |name: &str| match field(name) {
        Some(it) => expression(source, it, depth),
        None => Some(Kinds::NIL),
    };
    Some(match node.kind() {
        "integer" => Kinds::INTEGER,
        "float" => Kinds::FLOAT,
        "true" | "false" => Kinds::BOOLEAN,
        "nil" => Kinds::NIL,
        "string" | "chained_string" => Kinds::STRING,
        "parenthesized_statements" | "then" | "else" | "begin" => statements(source, node, depth)?,
        "if" | "unless" | "elsif" => branch("consequence")?.or(branch("alternative")?),
        "conditional" => branch("consequence")?.or(branch("alternative")?),
        "if_modifier" | "unless_modifier" => branch("body")?.or(Kinds::NIL),
        "rescue_modifier" => branch("body")?.or(branch("handler")?),
        "return" | "next" => Kinds::NEVER,
        "binary" => binary(source, node, depth)?,
        "unary" => match source.text_of(field("operator")?) {
            "!" | "not" => Kinds::BOOLEAN,
            _ => None?,
        },
        "identifier" => match source.text_of(node) {
            "raise" | "fail" => Kinds::NEVER,
            name => helper(source, node, name, depth)?,
        },
        "call" => call(source, node, depth)?,
        _ => None?,
    })
}

/// Returns the result of a helper without parameters that is called without a receiver.
fn helper(source: &Code<'_, '_>, node: Node<'_>, name: &str, depth: u32) -> Option<Kinds> {
    source.spend(HELPER_STEPS)?;
    let mut root = node;
    while let Some(parent) = root.parent() {
        root = parent;
    }
    let mut is_variable = false;
    visit(root, |it| {
        let target = match it.kind() {
            "assignment" | "operator_assignment" => it.child_by_field_name("left"),
            "block_parameters" | "method_parameters" | "lambda_parameters" => Some(it),
            _ => None,
        };
        is_variable |= target.is_some_and(|it| source.text_of(it).contains(name));
        !is_variable
    });
    if is_variable {
        return None;
    }
    method(source, root, name, depth)
}

fn binary(source: &Code<'_, '_>, node: Node<'_>, depth: u32) -> Option<Kinds> {
    const NUMBER: Kinds = Kinds::INTEGER.or(Kinds::FLOAT);
    let operand = |name: &str| expression(source, node.child_by_field_name(name)?, depth);
    let operator = node.child_by_field_name("operator")?;
    Some(match source.text_of(operator) {
        "==" | "!=" | "!~" | "===" => Kinds::BOOLEAN,
        // The value of the left operand if it is `nil` or `false`.
        "&&" | "and" => match operand("left") {
            Some(left) if left.is_within(Kinds::BOOLEAN) => left.or(operand("right")?),
            _ => Kinds::NIL.or(Kinds::BOOLEAN).or(operand("right")?),
        },
        "||" | "or" => operand("left")?.or(operand("right")?),
        "<" | ">" | "<=" | ">=" if operand("left")?.is_within(NUMBER) => Kinds::BOOLEAN,
        "+" if operand("left")? == Kinds::STRING => Kinds::STRING,
        "+" | "-" | "*" | "/" | "%" => {
            let both = operand("left")?.or(operand("right")?);
            match both {
                Kinds::INTEGER => Kinds::INTEGER,
                _ if both.is_within(NUMBER) => NUMBER,
                _ => None?,
            }
        }
        _ => None?,
    })
}

/// Returns the result of a method of Ruby's core classes, for receivers that are not constants.
fn call(source: &Code<'_, '_>, node: Node<'_>, depth: u32) -> Option<Kinds> {
    let name = source.text_of(node.child_by_field_name("method")?);
    let Some(receiver) = node.child_by_field_name("receiver") else {
        return matches!(name, "raise" | "fail").then_some(Kinds::NEVER);
    };
    if matches!(receiver.kind(), "constant" | "scope_resolution" | "self")
        || source.text_of(node).contains("&.")
    {
        return None;
    }
    let has_arguments = node.child_by_field_name("arguments").is_some();
    Some(match name {
        "nil?" | "is_a?" | "kind_of?" | "instance_of?" | "empty?" | "include?" | "key?"
        | "has_key?" | "start_with?" | "end_with?" | "respond_to?" | "match?" | "zero?" => {
            Kinds::BOOLEAN
        }
        "to_s" | "inspect" | "strip" | "chomp" => Kinds::STRING,
        "to_i" | "length" | "size" => Kinds::INTEGER,
        "to_f" => Kinds::FLOAT,
        "freeze" => expression(source, receiver, depth)?,
        "max" | "min" if receiver.kind() == "array" && !has_arguments => {
            let elements = children(receiver).into_iter();
            let all = elements.map(|it| expression(source, it, depth));
            let all = all.reduce(|a, b| Some(a?.or(b?)))??;
            all.is_within(Kinds::INTEGER.or(Kinds::FLOAT))
                .then_some(all)?
        }
        _ => None?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{facts, functions};

    fn result(body: &str) -> String {
        let text = format!("Puppet::Functions.create_function(:f) do\n{body}\nend");
        let mut found = functions(&text);
        let found = found.pop().and_then(|it| it.result);
        found.unwrap_or_else(|| "-".to_owned())
    }

    #[test]
    fn results_of_methods() {
        let of = |body: &str| result(&format!("def f(a, b = 1)\n{body}\nend"));
        assert_eq!(of("a == 1"), "Boolean");
        assert_eq!(of("!a"), "Boolean");
        assert_eq!(
            of("return false unless a.is_a?(String)\nreturn (a == 'x')"),
            "Boolean"
        );
        assert_eq!(of("if a then 1 else 'a' end"), "Variant[Integer, String]");
        assert_eq!(of("if a\n1\nend"), "Variant[Undef, Integer]");
        assert_eq!(of("1 if a"), "Variant[Undef, Integer]");
        assert_eq!(of("a ? 'x' : \"y#{a}\""), "String");
        assert_eq!(of("raise 'x' if a\na.to_i * 2"), "Integer");
        assert_eq!(of("begin\n1\nrescue\n'a'\nend"), "Variant[Integer, String]");
        assert_eq!(of("[a.to_i, 2].max"), "Integer");
        assert_eq!(of("a.key?(1) && b.empty?"), "Boolean");
        assert_eq!(of(""), "-");
        for unknown in [
            "a",
            "a + 1",
            "a.foo",
            "a.map { |it| break 1 }\ntrue",
            "a&.size",
            "File.size",
            "[].max",
            "a || true",
            "call_function('x')",
            "return 1, 2",
            "begin\n1\nrescue\n2\nelse\n'a'\nend",
        ] {
            assert_eq!(of(unknown), "-", "{unknown}");
        }
    }

    #[test]
    fn results_of_dispatches() {
        let methods = "def one(a)\ntrue\nend\ndef two(a)\n1\nend";
        let one = "dispatch :one do\nparam 'String', :a\nend";
        let two = "dispatch :two do\nparam 'Integer', :a\nend";
        assert_eq!(result(&format!("{one}\n{methods}")), "Boolean");
        assert_eq!(
            result(&format!("{one}\n{two}\n{methods}")),
            "Variant[Boolean, Integer]"
        );
        assert_eq!(
            result(&format!(
                "{one}\ndef one(a)\nhelper\nend\ndef helper\n'a'\nend"
            )),
            "String"
        );
        assert_eq!(result(&format!("{one}\ndef one(a)\nx = 1\nx\nend")), "-");
        assert_eq!(
            result(&format!("{one}\ndef call(*a)\n1\nend\n{methods}")),
            "-"
        );
    }

    #[test]
    fn results_of_facts() {
        let text = "def count\nif x\nprocs['count'].to_i\nelse\n1\nend\nend
            Facter.add(:a) do\nsetcode do\n[(count / 2), 2].max\nend\nend
            Facter.add(:b) do\nsetcode do\nx ? true : nil\nend\nend";
        let found = facts(text).facts.into_iter();
        let found: Vec<_> = found.map(|it| it.type_.unwrap_or_default()).collect();
        assert_eq!(found, ["Integer", ""]);
    }
}
