//! The variables and facts that ERB templates read: `@kernel`, `scope['::kernel']`, `@facts['kernel']`.

use syntax::{TextRange, TextSize};
use tree_sitter::Node;

use super::calls::Call;
use super::source::{Source, children, visit};

/// The names in an ERB template.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ErbNames {
    /// The reads of variables and facts with constant names, in source order.
    pub reads: Vec<ErbRead>,
    /// The places where the template assigns a variable itself, or tests whether it exists.
    pub optional: Vec<ErbRead>,
    /// Whether the template may get variables from other code, such as `instance_variable_set`.
    pub is_open: bool,
}

/// A variable or a fact that a template reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErbRead {
    /// The notation.
    pub notation: ErbNotation,
    /// The name. In a scope, it may be qualified, and start with `::`.
    pub name: String,
    /// The range of the name, including `@`.
    pub range: TextRange,
}

impl ErbRead {
    /// Returns the name without a leading `::`.
    pub fn plain_name(&self) -> &str {
        self.name.trim_start_matches("::")
    }

    /// Returns the range of the name without `@` and a leading `::`.
    pub fn plain_range(&self) -> TextRange {
        let size = TextSize::of(self.plain_name());
        let start = self.range.end().checked_sub(size);
        TextRange::at(start.unwrap_or(self.range.start()), size)
    }
}

/// The notation of a read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ErbNotation {
    /// `@name`.
    Instance,
    /// `scope['name']` or `scope.lookupvar('name')`.
    Scope,
    /// A key of `$facts`: `@facts['name']`.
    FactKey,
    /// A key that code looks for in a hash, perhaps in that of all variables: `x.key?('name')`.
    TestedKey,
}

/// The variable that contains all facts.
const FACTS: &str = "facts";

/// Parts of all code that accesses variables.
const ACCESSES: [&str; 4] = ["@", "scope", "has_variable?", "eval"];

/// Extracts the names in an ERB template.
pub fn erb_names(text: &str) -> ErbNames {
    let mut names = ErbNames::default();
    if !text.contains("<%") {
        return names;
    }
    let code = ruby_code(text);
    if !ACCESSES.iter().any(|it| code.contains(it)) {
        return names;
    }
    let Some(source) = Source::parse(&code) else {
        names.is_open = true;
        return names;
    };
    visit(source.root(), |node| {
        names.add(&source, node);
        true
    });
    names
}

/// Returns the Ruby code of a template at the same offsets, with blanks in place of the text around it.
fn ruby_code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<%") {
        blank(&mut code, before);
        code.push_str("  ");
        let (inside, following) = after.split_once("%>").unwrap_or((after, ""));
        match inside.starts_with(['#', '%']) {
            true => blank(&mut code, inside),
            false => push_code(&mut code, inside),
        }
        if inside.len() < after.len() {
            code.push_str("; ");
        }
        rest = following;
    }
    blank(&mut code, rest);
    code
}

/// Appends the code of a tag without the marks at its ends.
fn push_code(code: &mut String, inside: &str) {
    let (start, inside) = match inside.strip_prefix(['=', '-']) {
        Some(rest) => (" ", rest),
        None => ("", inside),
    };
    let (inside, end) = match inside.strip_suffix('-') {
        Some(rest) => (rest, " "),
        None => (inside, ""),
    };
    code.push_str(start);
    code.push_str(inside);
    code.push_str(end);
}

/// Appends as many blanks as the text has bytes, and its line breaks.
fn blank(code: &mut String, text: &str) {
    let blanks = text.bytes().map(|it| if it == b'\n' { '\n' } else { ' ' });
    code.extend(blanks);
}

impl ErbNames {
    /// Checks whether a variable, named without a leading `::`, may be unset or have another value.
    pub fn is_optional(&self, name: &str) -> bool {
        self.optional.iter().any(|it| it.plain_name() == name)
    }

    /// Returns all places that certainly name a variable.
    pub fn variables(&self) -> impl Iterator<Item = &ErbRead> {
        let all = self.reads.iter().chain(&self.optional);
        all.filter(|it| matches!(it.notation, ErbNotation::Instance | ErbNotation::Scope))
    }

    fn add(&mut self, source: &Source<'_>, node: Node<'_>) {
        match node.kind() {
            "instance_variable" => self.add_instance_variable(source, node),
            "element_reference" => {
                let object = node.child_by_field_name("object");
                let object = object.map(|it| source.text_of(it));
                // The first child is the object.
                let key = children(node).into_iter().nth(1);
                if let (Some("scope"), Some(key)) = (object, key) {
                    self.add_scope_variable(source, node, key);
                }
            }
            "call" => self.add_call(source, node),
            _ => {}
        }
    }

    fn add_instance_variable(&mut self, source: &Source<'_>, node: Node<'_>) {
        let name = source.text_of(node).trim_start_matches('@');
        let variable = ErbRead {
            notation: ErbNotation::Instance,
            name: name.to_owned(),
            range: source.range_of(node),
        };
        match name {
            _ if is_assigned(node) || is_tested(source, node) => self.optional.push(variable),
            FACTS => self.add_fact(source, node),
            _ => self.reads.push(variable),
        }
    }

    fn add_scope_variable(&mut self, source: &Source<'_>, read: Node<'_>, key: Node<'_>) {
        let Some(content) = literal(key) else {
            return;
        };
        let variable = ErbRead {
            notation: ErbNotation::Scope,
            name: source.text_of(content).to_owned(),
            range: source.range_of(content),
        };
        match variable.plain_name() {
            _ if is_assigned(read) || is_tested(source, read) => self.optional.push(variable),
            FACTS => self.add_fact(source, read),
            _ => self.reads.push(variable),
        }
    }

    /// Adds the key that is read from the hash of all facts.
    fn add_fact(&mut self, source: &Source<'_>, facts: Node<'_>) {
        let access = facts.parent();
        let access = access.filter(|it| it.kind() == "element_reference");
        let key = access.and_then(|it| children(it).into_iter().nth(1));
        if let Some(content) = key.and_then(literal) {
            self.reads.push(ErbRead {
                notation: ErbNotation::FactKey,
                name: source.text_of(content).to_owned(),
                range: source.range_of(content),
            });
        }
    }

    /// Adds a name that is tested, given the string that contains it.
    fn add_tested(&mut self, source: &Source<'_>, name: Node<'_>, notation: ErbNotation) {
        if let Some(content) = literal(name) {
            self.optional.push(ErbRead {
                notation,
                name: source.text_of(content).trim_start_matches('@').to_owned(),
                range: source.range_of(content),
            });
        }
    }

    fn add_call(&mut self, source: &Source<'_>, node: Node<'_>) {
        let Some(call) = Call::of(source, node) else {
            return;
        };
        let receiver = call.receiver.map(|it| source.text_of(it));
        match (receiver, call.method, call.arguments.as_slice()) {
            (Some("scope"), "lookupvar", [key, ..]) => self.add_scope_variable(source, node, *key),
            (Some("scope"), "exist?" | "include?" | "setvar", [key, ..])
            | (None, "has_variable?" | "instance_variable_defined?", [key, ..]) => {
                self.add_tested(source, *key, ErbNotation::Scope);
            }
            (
                _,
                "has_variable?" | "has_key?" | "key?" | "instance_variable_defined?",
                [key, ..],
            ) => self.add_tested(source, *key, ErbNotation::TestedKey),
            (
                _,
                "instance_variable_set" | "instance_variable_get" | "eval" | "instance_eval",
                _,
            ) => {
                self.is_open = true;
            }
            _ => {}
        }
    }
}

/// Returns the content of a string without interpolation.
fn literal(string: Node<'_>) -> Option<Node<'_>> {
    match children(string).as_slice() {
        [content] if string.kind() == "string" && content.kind() == "string_content" => {
            Some(*content)
        }
        _ => None,
    }
}

/// Checks whether a variable is the target of an assignment, also together with others.
fn is_assigned(node: Node<'_>) -> bool {
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "assignment" | "operator_assignment" => {
                return parent.child_by_field_name("left") == Some(at);
            }
            "left_assignment_list" | "destructured_left_assignment" => at = parent,
            _ => return false,
        }
    }
    false
}

/// Checks whether code tests whether a variable exists: `defined?(@x)`, `@x.nil?`.
fn is_tested(source: &Source<'_>, node: Node<'_>) -> bool {
    let mut parent = node.parent();
    while let Some(it) = parent.filter(|it| it.kind() == "parenthesized_statements") {
        parent = it.parent();
    }
    let Some(parent) = parent else {
        return false;
    };
    match parent.kind() {
        "unary" => source.text_of(parent).starts_with("defined?"),
        "call" => {
            let method = parent.child_by_field_name("method");
            method.is_some_and(|it| source.text_of(it) == "nil?")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{ErbNotation, ErbRead, erb_names, ruby_code};

    /// Returns the reads of a template, and the names that may be unset.
    fn names(text: &str) -> (Vec<String>, Vec<String>) {
        let found = erb_names(text);
        let reads = found.reads.iter().map(|it| {
            assert!(text[std::ops::Range::<usize>::from(it.range)].ends_with(&it.name));
            let kind = match it.notation {
                ErbNotation::Instance => "@",
                ErbNotation::Scope => "scope ",
                ErbNotation::FactKey => "fact ",
                ErbNotation::TestedKey => "key ",
            };
            format!("{kind}{}", it.name)
        });
        let optional: BTreeSet<&str> = found.optional.iter().map(ErbRead::plain_name).collect();
        let optional = optional.into_iter().map(str::to_owned);
        (reads.collect(), optional.collect())
    }

    #[test]
    fn finds_variables_and_facts() {
        let text = "@a <%# @b %> ü <%= @c + scope['::d'] -%> <% if @facts['e'] == scope[\"facts\"]['f'] %>\n\
                    <% end %><%= scope.lookupvar('m::g') %><%= \"x@y#{@z} @w\" %> <%% @q %> <% # @r %>";
        let (reads, optional) = names(text);
        assert_eq!(
            reads,
            ["@c", "scope ::d", "fact e", "fact f", "scope m::g", "@z"]
        );
        assert!(optional.is_empty());
    }

    #[test]
    fn knows_variables_that_may_be_unset() {
        let text = "<% @a = 'x@y'; @b ||= 1; @c, @d = 1, 2 %><% if @e.nil? or !defined?(@f) %>\n\
                    <% end -%><%= scope['g'].nil? %><%= has_variable?('h') %><%= scope.exist?('i') %>";
        let (reads, optional) = names(text);
        assert_eq!(reads, [""; 0]);
        assert_eq!(optional, ["a", "b", "c", "d", "e", "f", "g", "h", "i"]);
    }

    #[test]
    fn keeps_offsets() {
        let text = "é <%= @a -%>\n<%- if @b %>x<% end";
        assert_eq!(ruby_code(text), "       @a  ; \n    if @b ;     end");
        assert_eq!(ruby_code(text).len(), text.len());
    }

    #[test]
    fn knows_templates_that_get_other_variables() {
        assert!(erb_names("<% instance_variable_set('@x', 1) %><%= @x %>").is_open);
        assert!(!erb_names("<%= @x %>").is_open);
    }

    #[test]
    fn locates_all_names_of_variables() {
        let text = "<%= @a %><% @a = 1 %><%= scope['::m::b'] %><% if has_variable?('c') %><% end %>\n\
                    <%= @facts['d'] %><%= @h.key?('e') %><% if scope.exist?('f') %><% end %>";
        let names = erb_names(text);
        let places = names.variables().map(|it| {
            let range = std::ops::Range::<usize>::from(it.plain_range());
            (range.start, &text[range])
        });
        let mut places: Vec<_> = places.collect();
        places.sort_unstable();
        let places: Vec<&str> = places.into_iter().map(|it| it.1).collect();
        assert_eq!(places, ["a", "a", "m::b", "c", "h", "f"]);
    }
}
