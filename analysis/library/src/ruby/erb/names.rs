//! The names in the code of a template that Ruby looks up itself: local and global variables, and methods.

use std::collections::BTreeSet;

use syntax::TextRange;
use tree_sitter::Node;

use super::code::ErbCode;
use super::core_methods::RubyClass;
use super::known_names::{RubyName, is_ruby_global, is_scope_method, ruby_name};
use super::value_names::{class_of_receiver, is_mixed_sum, is_unknown_constant, unknown_method};
use super::variable_uses::{ErbUse, tested_variable, use_at};
use super::{ErbNames, literal};
use crate::ruby::calls::Call;
use crate::ruby::source::{Source, children, visit};

/// A name in a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErbName {
    /// The name.
    pub name: String,
    /// The range in the template.
    pub range: TextRange,
}

/// A call of a method on another value than a variable, which no value has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErbMethod {
    /// The name of the method.
    pub name: ErbName,
    /// The class of the value, if the code says so.
    pub class: Option<RubyClass>,
    /// Whether a block follows.
    pub has_block: bool,
}

/// A name without a receiver or sigil, which may be meant as a variable of Puppet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErbVariable {
    /// The name.
    pub name: ErbName,
    /// Whether Ruby has a method with the name, so that the template does not fail.
    pub is_method: bool,
}

/// A call in a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErbCall {
    /// The target.
    pub target: ErbCallTarget,
    /// The method, or the function of Puppet.
    pub name: ErbName,
    /// The first argument of a function of Puppet, if it is a constant string.
    pub first: Option<ErbName>,
}

/// The target of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErbCallTarget {
    /// A method of the template that does not exist: `lookup('x')`.
    Template,
    /// A method of the scope that does not exist: `scope.lookup('x')`.
    Scope,
    /// A function of Puppet: `scope.call_function('x', [])`.
    Function,
    /// A function of Puppet with the 3.x API: `scope.function_x([])`.
    LegacyFunction {
        /// Whether the arguments are certainly not a single array, which Puppet rejects.
        lacks_array: bool,
    },
}

/// The prefix of functions with the 3.x API.
const LEGACY: &str = "function_";

/// Methods that evaluate a block or a string with another `self`, or that define methods.
const OPENING: [&str; 14] = [
    "class_eval",
    "class_exec",
    "define_method",
    "define_singleton_method",
    "extend",
    "instance_eval",
    "instance_exec",
    "load",
    "meta_def",
    "meta_eval",
    "module_eval",
    "module_exec",
    "require",
    "require_relative",
];

/// Nodes that define methods, or contain code with another `self`.
const DEFINITIONS: [&str; 5] = [
    "class",
    "module",
    "singleton_class",
    "singleton_method",
    "begin_block",
];

/// Nodes whose identifiers are local variables that they define.
const BINDINGS: [&str; 13] = [
    "block_parameter",
    "block_parameters",
    "destructured_left_assignment",
    "destructured_parameter",
    "exception_variable",
    "hash_splat_parameter",
    "keyword_parameter",
    "lambda_parameters",
    "left_assignment_list",
    "method_parameters",
    "optional_parameter",
    "rest_assignment",
    "splat_parameter",
];

/// Reads the names that Ruby looks up, of a template without syntax errors.
pub(super) struct RubyNames<'a> {
    source: &'a Source<'a>,
    code: &'a ErbCode,
    /// The local and global variables of the template, and the names whose existence or class it tests.
    own: BTreeSet<&'a str>,
    /// Whether the template may define methods.
    is_open: bool,
}

impl<'a> RubyNames<'a> {
    pub(super) fn new(source: &'a Source<'a>, code: &'a ErbCode) -> RubyNames<'a> {
        let mut names = RubyNames {
            source,
            code,
            own: BTreeSet::new(),
            is_open: false,
        };
        visit(source.root(), |node| {
            names.survey(node);
            true
        });
        names
    }

    /// Adds the names to those of a template.
    pub(super) fn read_into(&self, names: &mut ErbNames) {
        if self.is_open {
            return;
        }
        visit(self.source.root(), |node| {
            // Its problems do not matter, or are those of the code that it defines.
            if is_rescued(node) {
                return false;
            }
            names.uses.extend(self.use_of_variable(node));
            match node.kind() {
                "identifier" => names.bare_names.extend(self.bare_name(node)),
                "global_variable" => names.globals.extend(self.global(node)),
                "call" => {
                    names.calls.extend(self.call(node));
                    names.methods.extend(self.method_of_value(node));
                }
                "constant" => names.constants.extend(self.constant(node)),
                "binary" if is_mixed_sum(self.source, node) => {
                    let range = self.code.range(node.start_byte(), node.end_byte());
                    names.mixed_sums.extend(range);
                }
                "unary" => return !self.source.text_of(node).starts_with("defined?"),
                _ => {}
            }
            true
        });
    }

    /// Records what a node defines.
    fn survey(&mut self, node: Node<'a>) {
        let text = self.source.text_of(node);
        self.own.extend(tested_variable(self.source, node));
        match node.kind() {
            "identifier" if is_binding(node) => drop(self.own.insert(text)),
            "global_variable" | "constant" if is_target(node) => drop(self.own.insert(text)),
            "method" => {
                let name = node.child_by_field_name("name");
                self.own.extend(name.map(|it| self.source.text_of(it)));
            }
            "unary" if text.starts_with("defined?") => {
                visit(node, |it| {
                    self.own.insert(self.source.text_of(it));
                    true
                });
            }
            "regex" if text.contains("(?<") => self.add_captures(text),
            "call" => self.survey_call(node),
            "alias" | "case_match" | "match_pattern" | "test_pattern" => self.is_open = true,
            kind if node.is_named() && DEFINITIONS.contains(&kind) => self.is_open = true,
            _ => {}
        }
    }

    /// Records the local variables that a regular expression defines.
    fn add_captures(&mut self, regex: &'a str) {
        let names = regex.split("(?<").skip(1);
        self.own
            .extend(names.filter_map(|it| it.split_once('>')).map(|it| it.0));
    }

    fn survey_call(&mut self, node: Node<'a>) {
        let Some(call) = Call::of(self.source, node) else {
            return;
        };
        let is_definition =
            call.method == "new" && call.block.is_some() && call.constant(self.source).is_some();
        self.is_open |= is_definition || OPENING.contains(&call.method);
        if call.method == "respond_to?" {
            let tested = call.arguments.first().map(|it| self.source.text_of(*it));
            self.own
                .extend(tested.map(|it| it.trim_matches([':', '\'', '"'])));
        }
    }

    fn name(&self, name: &str, node: Node<'_>) -> Option<ErbName> {
        Some(ErbName {
            name: name.to_owned(),
            range: self.code.range(node.start_byte(), node.end_byte())?,
        })
    }

    /// Returns a name that may be a variable of Puppet.
    fn bare_name(&self, node: Node<'_>) -> Option<ErbVariable> {
        let name = self.source.text_of(node);
        if self.own.contains(name) || !is_value(node) {
            return None;
        }
        let known = ruby_name(name);
        (known != Some(RubyName::Api)).then_some(ErbVariable {
            name: self.name(name, node)?,
            is_method: known.is_some(),
        })
    }

    fn global(&self, node: Node<'_>) -> Option<ErbName> {
        let text = self.source.text_of(node);
        let name = text.trim_start_matches('$');
        let is_known = self.own.contains(text) || is_ruby_global(name);
        (!is_known).then(|| self.name(name, node))?
    }

    fn constant(&self, node: Node<'_>) -> Option<ErbName> {
        let name = self.source.text_of(node);
        let is_unknown = !self.own.contains(name) && is_unknown_constant(self.source, node);
        is_unknown.then(|| self.name(name, node))?
    }

    /// Returns the method of a call on another value than a variable, if no value has it.
    fn method_of_value(&self, call: Node<'_>) -> Option<ErbMethod> {
        let method = unknown_method(self.source, call)?;
        let name = self.source.text_of(method);
        let is_own = self.own.contains(name);
        Some(ErbMethod {
            name: self.name(name, method).filter(|_| !is_own)?,
            class: class_of_receiver(self.source, call),
            has_block: call.child_by_field_name("block").is_some(),
        })
    }

    /// Returns an operation on a variable, unless the template tests its class.
    fn use_of_variable(&self, node: Node<'_>) -> Option<ErbUse> {
        let found = use_at(self.source, self.code, node)?;
        let variable = format!("@{}", found.variable);
        (!self.own.contains(variable.as_str())).then_some(found)
    }

    fn call(&self, node: Node<'_>) -> Option<ErbCall> {
        let call = Call::of(self.source, node)?;
        let method = node.child_by_field_name("method")?;
        let is_name = method.kind() == "identifier" && !self.own.contains(call.method);
        match node.child_by_field_name("receiver") {
            None if is_name && ruby_name(call.method).is_none() => Some(ErbCall {
                target: ErbCallTarget::Template,
                name: self.name(call.method, method)?,
                first: None,
            }),
            Some(it) if self.source.text_of(it) == "scope" && !self.own.contains("scope") => {
                self.call_of_scope(&call, method)
            }
            _ => None,
        }
    }

    fn call_of_scope(&self, call: &Call<'_>, method: Node<'_>) -> Option<ErbCall> {
        let function = call.method.strip_prefix(LEGACY);
        if let Some(function) = function.filter(|it| !it.is_empty()) {
            return Some(ErbCall {
                target: ErbCallTarget::LegacyFunction {
                    lacks_array: lacks_array(call),
                },
                name: self.name(function, method)?,
                first: self.first_argument(call.arguments.first()),
            });
        }
        if call.method == "call_function" {
            let name = literal(*call.arguments.first()?)?;
            return Some(ErbCall {
                target: ErbCallTarget::Function,
                name: self.name(self.source.text_of(name), name)?,
                first: self.first_argument(call.arguments.get(1)),
            });
        }
        (!is_scope_method(call.method)).then_some(ErbCall {
            target: ErbCallTarget::Scope,
            name: self.name(call.method, method)?,
            first: None,
        })
    }

    /// Returns the first argument of a function, which may be in an array.
    fn first_argument(&self, argument: Option<&Node<'_>>) -> Option<ErbName> {
        let argument = *argument?;
        let first = match argument.kind() {
            "array" => children(argument).into_iter().next()?,
            _ => argument,
        };
        let content = literal(first)?;
        self.name(self.source.text_of(content), content)
    }
}

/// Checks whether an error in a node is rescued.
fn is_rescued(node: Node<'_>) -> bool {
    match node.kind() {
        "rescue_modifier" => true,
        "begin" | "do_block" | "body_statement" | "block_body" => {
            children(node).iter().any(|it| it.kind() == "rescue")
        }
        _ => false,
    }
}

/// Checks whether the arguments of a function with the 3.x API are not a single array.
fn lacks_array(call: &Call<'_>) -> bool {
    let is_scalar = |it: &Node<'_>| {
        matches!(
            it.kind(),
            "string" | "integer" | "float" | "hash" | "simple_symbol" | "true" | "false" | "nil"
        )
    };
    match call.arguments.as_slice() {
        [] => call.named.is_empty() && call.block_argument.is_none(),
        [first, ..] => is_scalar(first),
    }
}

/// Checks whether an identifier is a local variable at a place that defines it.
fn is_binding(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else {
        return false;
    };
    match parent.kind() {
        // The default value is an expression.
        "optional_parameter" | "keyword_parameter" => {
            parent.child_by_field_name("name") == Some(node)
        }
        "for" => parent.child_by_field_name("pattern") == Some(node),
        kind => BINDINGS.contains(&kind) || is_target(node),
    }
}

/// Checks whether a variable is assigned.
fn is_target(node: Node<'_>) -> bool {
    let parent = node.parent();
    parent.is_some_and(|it| {
        matches!(it.kind(), "assignment" | "operator_assignment")
            && it.child_by_field_name("left") == Some(node)
    })
}

/// Checks whether an identifier is an expression.
fn is_value(node: Node<'_>) -> bool {
    let parent = node.parent();
    let is_method = parent
        .is_some_and(|it| it.kind() == "call" && it.child_by_field_name("method") == Some(node));
    !is_method && !is_binding(node)
}

#[cfg(test)]
mod tests {
    use super::super::erb_names;
    use super::ErbCallTarget;

    /// Returns the names that a template reads without a sigil.
    fn bare(template: &str) -> Vec<String> {
        let found = erb_names(template).bare_names.into_iter();
        let found = found.map(|it| match it.is_method {
            true => format!("{}()", it.name.name),
            false => it.name.name,
        });
        found.collect()
    }

    #[test]
    fn finds_names_without_sigils() {
        for (template, expected) in [
            ("<%= a %>", vec!["a"]),
            (
                "<% if a == 'b' && !c.nil? %><%= \"#{d}\" %><% end %>",
                vec!["a", "c", "d"],
            ),
            ("<%= [a, b].join(c) %>", vec!["a", "b", "c"]),
            ("<%= @a[b] %><%= scope[c] %>", vec!["b", "c"]),
            ("<% d.each do |a| %><%= a + b %><% end %>", vec!["d", "b"]),
            (
                "<% e.each { |a, (b, c), *d| %><%= a + b + c + d %><% } %>",
                vec!["e"],
            ),
            ("<% for a in b do %><%= a %><% end %>", vec!["b"]),
            (
                "<% a, b = c; d ||= 1; *e = f %><%= a + b + d + e %>",
                vec!["c", "f"],
            ),
            ("<%= hash %><%= file %><%= scope.to_hash %>", vec!["hash()"]),
            ("<%= ->(a) { a + b } %>", vec!["b"]),
        ] {
            assert_eq!(bare(template), expected, "{template}");
        }
    }

    #[test]
    fn ignores_names_that_may_exist() {
        for template in [
            "<%= a rescue 'b' %>",
            "<% begin %><%= a %><% rescue NameError %><% end %>",
            "<% if defined?(a) %><%= a %><% end %>",
            "<% def a; 1; end %><%= a %>",
            "<% /(?<a>.)/ =~ @b %><%= a %>",
            "<% require 'x' %><%= a %>",
            "<%= @a.instance_eval { b } %>",
            "<%= Struct.new(:a) { b } %>",
            "<% if respond_to?(:a) %><%= a %><% end %>",
            "<%= @x.a.b(:c, d: 1) %> <%= __method__ %><%= rand %>",
            "<% begin; @x; rescue => e %><%= e %><% end %>",
            "<%= @a.map { _1.to_s } %>",
            "<% if @a\n and b %><% end %>",
        ] {
            let found: Vec<_> = bare(template)
                .into_iter()
                .filter(|it| !it.ends_with(')'))
                .collect();
            assert_eq!(found, [""; 0], "{template}");
        }
    }

    #[test]
    fn finds_calls() {
        let calls = |template: &str| {
            let found = erb_names(template).calls.into_iter();
            let found = found.map(|it| {
                let target = match it.target {
                    ErbCallTarget::Template => "",
                    ErbCallTarget::Scope => "scope.",
                    ErbCallTarget::Function => "call ",
                    ErbCallTarget::LegacyFunction { lacks_array: true } => "! ",
                    ErbCallTarget::LegacyFunction { .. } => "3x ",
                };
                let first = it.first.map(|it| format!("({})", it.name));
                format!("{target}{}{}", it.name.name, first.unwrap_or_default())
            });
            found.collect::<Vec<_>>()
        };
        for (template, expected) in [
            ("<%= lookup('a') %>", vec!["lookup"]),
            ("<%= include 'a' %>", vec!["include"]),
            (
                "<%= _('x') %><%= sprintf('%s', Integer('1')) %><% @a.each { |b| b.c(1) } %>",
                vec![],
            ),
            (
                "<%= scope.lookup('a') %><%= scope.lookupvar('a') %>",
                vec!["scope.lookup"],
            ),
            ("<%= scope.function_a(['b/c']) %>", vec!["3x a(b/c)"]),
            ("<%= scope.function_a('b', 'c') %>", vec!["! a(b)"]),
            ("<%= scope.function_a(@b) %>", vec!["3x a"]),
            ("<%= scope.call_function('a', ['b']) %>", vec!["call a(b)"]),
            ("<%= scope.call_function('a', 'b') %>", vec!["call a(b)"]),
            ("<%= scope.call_function(@a, 'b') %>", vec![]),
        ] {
            assert_eq!(calls(template), expected, "{template}");
        }
    }

    #[test]
    fn finds_global_variables() {
        let globals = |template: &str| {
            let found = erb_names(template).globals.into_iter();
            found.map(|it| it.name).collect::<Vec<_>>()
        };
        assert_eq!(globals("<%= $a %><%= \"#{$b} $c\" %>"), ["a", "b"]);
        assert_eq!(
            globals("<%= $1 %><%= $stderr %><% $a = 1 %><%= $a %>"),
            [""; 0]
        );
    }
}
