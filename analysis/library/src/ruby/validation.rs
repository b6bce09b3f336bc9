//! The `validate` and `munge` blocks of attributes: the values that their code raises an error for.
//!
//! The first check that is understood counts, such as `raise … unless Puppet::Util.absolute_path?(value)`: what follows
//! refuses only more values.

use tree_sitter::Node;

use crate::signatures::Accepts;

use super::calls::Call;
use super::evaluate::Reader;
use super::source::children;
use super::type_validation::may_leave;
use super::value::Value;

/// The strings that `Puppet::Util.absolute_path?` accepts on any platform.
const ABSOLUTE: &str = r"Pattern[/^\//, /^[A-Za-z]:[\/\\]/, /^[\/\\]{2}/]";

/// Returns the values that a `validate` block accepts; `None` if its code is not understood.
pub(super) fn accepted<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> Option<Accepts> {
    let parameters = call.block_parameters();
    let [parameter] = parameters.as_slice() else {
        return None;
    };
    let statements = children(call.body()?).into_iter();
    let statements: Vec<Node<'t>> = statements.filter(|it| it.kind() != "comment").collect();
    let mut check = Check {
        value: reader.text(*parameter),
        path: None,
    };
    let mut types = None;
    for statement in statements {
        if statement.kind() == "assignment" {
            let left = statement.child_by_field_name("left")?;
            if check.is_value(reader, left) {
                return None;
            }
            check.path = check.assigned_path(reader, statement).or(check.path);
            continue;
        }
        types = check.not_refused(reader, statement);
        if types.is_some() || may_leave(reader, statement) {
            break;
        }
    }
    let types = types?;
    let is_path = types.iter().all(|it| it == ABSOLUTE);
    Some(Accepts {
        type_: format!("Variant[{}]", types.join(", ")),
        description: is_path.then(|| "an absolute path".to_owned()),
        single: false,
        unusable: None,
    })
}

/// The values that `Integer(…)` and `Float(…)` of Ruby may accept.
const NUMERIC: &str = r"Variant[Numeric, Pattern[/\A\s*[-+]?\.?\d/]]";

/// Returns the values that a `munge` block may accept, if it consists of `Integer(value)` or `Float(value)`.
pub(super) fn converted<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> Option<Accepts> {
    let parameters = call.block_parameters();
    let statements = children(call.body()?).into_iter();
    let statements: Vec<Node<'t>> = statements.filter(|it| it.kind() != "comment").collect();
    let ([parameter], [only]) = (parameters.as_slice(), statements.as_slice()) else {
        return None;
    };
    let conversion = Call::of(reader.source, *only)?;
    let [argument] = conversion.arguments.as_slice() else {
        return None;
    };
    let is_numeric =
        conversion.receiver.is_none() && matches!(conversion.method, "Integer" | "Float");
    let is_value =
        argument.kind() == "identifier" && reader.text(*argument) == reader.text(*parameter);
    (is_numeric && is_value).then(|| Accepts {
        type_: NUMERIC.to_owned(),
        description: Some("a number".to_owned()),
        single: false,
        unusable: None,
    })
}

/// The variables of a `validate` block.
struct Check<'t> {
    value: &'t str,
    /// A `Pathname` of the value.
    path: Option<&'t str>,
}

impl<'t> Check<'t> {
    /// Returns the variable that is assigned the `Pathname` of the value.
    fn assigned_path(&self, reader: &Reader<'t>, node: Node<'t>) -> Option<&'t str> {
        let left = node.child_by_field_name("left")?;
        let right = node.child_by_field_name("right")?;
        let is_path = node.kind() == "assignment" && self.is_pathname(reader, right);
        (is_path && left.kind() == "identifier").then(|| reader.text(left))
    }

    /// Checks for `Pathname.new(value)`.
    fn is_pathname(&self, reader: &Reader<'t>, node: Node<'t>) -> bool {
        let Some(call) = Call::of(reader.source, node) else {
            return false;
        };
        call.method == "new"
            && call.constant(reader.source) == Some("Pathname")
            && matches!(call.arguments.as_slice(), [it] if self.is_value(reader, *it))
    }

    fn is_value(&self, reader: &Reader<'t>, node: Node<'t>) -> bool {
        node.kind() == "identifier" && reader.text(node) == self.value
    }

    /// Returns the types of the values for which a conditional statement does not raise an error.
    fn not_refused(&self, reader: &mut Reader<'t>, node: Node<'t>) -> Option<Vec<String>> {
        let condition = node.child_by_field_name("condition")?;
        if node.child_by_field_name("alternative").is_some() {
            return (node.kind() == "if").then(|| self.not_refused_by_chain(reader, node))?;
        }
        let raised = match node.kind() {
            "unless" | "if" => {
                let body = children(node.child_by_field_name("consequence")?);
                match body.as_slice() {
                    [only] => *only,
                    _ => return None,
                }
            }
            "unless_modifier" | "if_modifier" => node.child_by_field_name("body")?,
            _ => return None,
        };
        let raised = Call::of(reader.source, raised)?;
        if raised.receiver.is_some() || !matches!(raised.method, "raise" | "fail") {
            return None;
        }
        match node.kind() {
            "unless" | "unless_modifier" => self.fulfilled(reader, condition),
            _ => self.negated(reader, condition),
        }
    }

    /// Returns the types of the values that one of the conditions of `if` and `elsif` matches, if `else` raises an
    /// error.
    fn not_refused_by_chain(&self, reader: &mut Reader<'t>, node: Node<'t>) -> Option<Vec<String>> {
        let mut types = Vec::new();
        let mut branch = node;
        while branch.kind() != "else" {
            let mut condition = branch.child_by_field_name("condition")?;
            if condition.kind() == "assignment" {
                condition = condition.child_by_field_name("right")?;
            }
            types.extend(self.fulfilled(reader, condition)?);
            branch = branch.child_by_field_name("alternative")?;
        }
        let body = children(branch);
        let [only] = body.as_slice() else {
            return None;
        };
        let raised = Call::of(reader.source, *only)?;
        let raises = raised.receiver.is_none() && matches!(raised.method, "raise" | "fail");
        raises.then_some(types)
    }

    /// Returns the types of the values that do not fulfil a condition such as `value !~ /…/`.
    fn negated(&self, reader: &mut Reader<'t>, node: Node<'t>) -> Option<Vec<String>> {
        let operator = node.child_by_field_name("operator");
        match (node.kind(), operator.map(|it| reader.text(it))) {
            ("unary", Some("!" | "not")) => {
                self.fulfilled(reader, node.child_by_field_name("operand")?)
            }
            ("binary", Some("!~")) => self.matched(reader, node),
            _ => None,
        }
    }

    /// Returns the types of the values that the regular expression of an operation matches.
    fn matched(&self, reader: &mut Reader<'t>, node: Node<'t>) -> Option<Vec<String>> {
        let left = node.child_by_field_name("left")?;
        let right = node.child_by_field_name("right")?;
        if self.is_value(reader, left) {
            pattern(reader, right)
        } else if self.is_value(reader, right) {
            pattern(reader, left)
        } else {
            None
        }
    }

    /// Returns the types of the values that fulfil a condition; `None` if it is not understood.
    fn fulfilled(&self, reader: &mut Reader<'t>, node: Node<'t>) -> Option<Vec<String>> {
        match node.kind() {
            "parenthesized_statements" => match children(node).as_slice() {
                [only] => self.fulfilled(reader, *only),
                _ => None,
            },
            "binary" => {
                let left = node.child_by_field_name("left")?;
                let right = node.child_by_field_name("right")?;
                match reader.text(node.child_by_field_name("operator")?) {
                    "||" | "or" => {
                        let mut all = self.fulfilled(reader, left)?;
                        all.extend(self.fulfilled(reader, right)?);
                        Some(all)
                    }
                    "=~" => self.matched(reader, node),
                    _ => None,
                }
            }
            "call" => self.fulfilled_by_call(reader, node),
            _ => None,
        }
    }

    fn fulfilled_by_call(&self, reader: &mut Reader<'t>, node: Node<'t>) -> Option<Vec<String>> {
        let call = Call::of(reader.source, node)?;
        let first = call.arguments.first().copied();
        let is_of_value = first.is_some_and(|it| self.is_value(reader, it));
        match (call.method, call.receiver) {
            ("absolute_path?", receiver) => {
                let of_puppet = call.constant(reader.source) == Some("Puppet::Util");
                let is_path = is_of_value && (of_puppet || receiver.is_none());
                is_path.then(|| vec![ABSOLUTE.to_owned()])
            }
            ("absolute?", Some(path)) => {
                let is_variable = path.kind() == "identifier"
                    && self.path.is_some_and(|it| it == reader.text(path));
                let is_path = is_variable || self.is_pathname(reader, path);
                is_path.then(|| vec![ABSOLUTE.to_owned()])
            }
            ("match" | "match?", Some(receiver)) => match first? {
                regex if self.is_value(reader, receiver) => pattern(reader, regex),
                _ if is_of_value => pattern(reader, receiver),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Returns the type of the strings that a regular expression matches.
fn pattern<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<Vec<String>> {
    if let Some(call) = Call::of(reader.source, node)
        && call.constant(reader.source) == Some("URI")
    {
        return schemes(reader, &call);
    }
    let Value::Regex(source) = reader.value(node) else {
        return None;
    };
    let mut escaped = String::with_capacity(source.len());
    let mut is_escaped = false;
    for c in source.chars() {
        if c == '/' && !is_escaped {
            escaped.push('\\');
        }
        is_escaped = c == '\\' && !is_escaped;
        escaped.push(c);
    }
    (!source.contains('\n')).then(|| vec![format!("Pattern[/{escaped}/]")])
}

/// Returns the type of the strings that `URI.regexp(['http', …])` may match.
fn schemes<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> Option<Vec<String>> {
    let [only] = call.arguments.as_slice() else {
        return None;
    };
    let Value::Array(names) = reader.value(*only) else {
        return None;
    };
    let is_plain = |it: &&str| it.chars().all(|it| it.is_ascii_alphanumeric());
    let names: Option<Vec<&str>> = names.iter().map(|it| it.text().filter(is_plain)).collect();
    let is_regexp = matches!(call.method, "regexp" | "make_regexp");
    is_regexp.then_some(vec![format!("Pattern[/(?i:{}):/]", names?.join("|"))])
}
