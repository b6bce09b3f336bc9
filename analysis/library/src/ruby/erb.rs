//! The variables and facts that ERB templates read: `@kernel`, `scope['::kernel']`, `@facts['kernel']`. The other
//! names in their code are in `names`.

mod code;
mod core_methods;
mod fact_paths;
mod known_names;
mod names;
mod syntax_errors;
mod tokens;
mod value_names;
mod variable_uses;

use syntax::{TextRange, TextSize};
use tree_sitter::Node;

use code::ErbCode;
use fact_paths::keys_after;
use names::RubyNames;

pub use code::erb_code;
pub use core_methods::{RubyClass, is_method_of_values};
pub use fact_paths::ErbFactPath;
pub use known_names::has_legacy_api;
pub(super) use known_names::is_method_of_objects;
pub use names::{ErbCall, ErbCallTarget, ErbMethod, ErbName, ErbVariable};
pub(super) use syntax_errors::is_wrong;
pub use syntax_errors::{ErbProblem, ErbProblemKind};
pub use value_names::{common_methods, known_constants, meant_method};
pub use variable_uses::{ErbOperation, ErbUse};

use super::calls::Call;
use super::source::{Source, children, visit};

/// The names in an ERB template.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ErbNames {
    /// The reads of variables and facts with constant names, in source order.
    pub reads: Vec<ErbRead>,
    /// The parts of core facts that it reads, with constant keys.
    pub fact_paths: Vec<ErbFactPath>,
    /// The places where the template assigns a variable itself, or tests whether it exists.
    pub optional: Vec<ErbRead>,
    /// Whether the template may get variables from other code, such as `instance_variable_set`.
    pub is_open: bool,
    /// The names without a receiver or sigil that are not local variables of the template, in source order.
    pub bare_names: Vec<ErbVariable>,
    /// The names such as `@class::name`, without the sigil. Ruby reads `@class` and calls a method of it.
    pub qualified: Vec<ErbName>,
    /// The global variables that neither Ruby nor the template sets, without the sigil.
    pub globals: Vec<ErbName>,
    /// The calls of methods of the template, of methods of its scope, and of Puppet's functions.
    pub calls: Vec<ErbCall>,
    /// The operations on the values of variables whose classes are not tested.
    pub uses: Vec<ErbUse>,
    /// The methods called on other values than variables that no value has, in source order.
    pub methods: Vec<ErbMethod>,
    /// The constants that Ruby does not have, in source order.
    pub constants: Vec<ErbName>,
    /// The sums of a string and a number.
    pub mixed_sums: Vec<TextRange>,
    /// The first syntax error.
    pub problem: Option<ErbProblem>,
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

/// How a template reads a variable.
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
}

/// Extracts the names in an ERB template.
pub fn erb_names(template: &str) -> ErbNames {
    let mut names = ErbNames::default();
    if !template.contains("<%") {
        return names;
    }
    let code = ErbCode::of(template);
    let Some(source) = Source::parse(&code.text) else {
        names.is_open = true;
        return names;
    };
    let is_wrong = syntax_errors::is_wrong(&source);
    names.problem = syntax_errors::problem(template, &code, &source, is_wrong);
    let mut reader = Reader {
        source: &source,
        code: &code,
        names,
    };
    visit(source.root(), |node| {
        reader.add(node);
        true
    });
    let mut names = reader.names;
    let is_rejected = names.problem.as_ref().is_some_and(|it| it.is_rejected);
    if !is_rejected && !names.is_open && !is_wrong {
        RubyNames::new(&source, &code).read_into(&mut names);
    }
    names
}

/// Reads the variables and facts of a template.
struct Reader<'a> {
    source: &'a Source<'a>,
    code: &'a ErbCode,
    names: ErbNames,
}

impl Reader<'_> {
    fn add(&mut self, node: Node<'_>) {
        let source = self.source;
        match node.kind() {
            "instance_variable" => self.add_instance_variable(node),
            "element_reference" => {
                let object = node.child_by_field_name("object");
                let object = object.map(|it| source.text_of(it));
                // The first child is the object.
                let key = children(node).into_iter().nth(1);
                if let (Some("scope"), Some(key)) = (object, key) {
                    self.add_scope_variable(node, key);
                }
            }
            "call" => self.add_call(node),
            _ => {}
        }
    }

    fn add_instance_variable(&mut self, node: Node<'_>) {
        let source = self.source;
        let name = source.text_of(node).trim_start_matches('@');
        let Some(variable) = self.read(ErbNotation::Instance, name, node) else {
            return;
        };
        match name {
            _ if is_assigned(node) || is_tested(source, node) => self.names.optional.push(variable),
            FACTS => self.add_fact(node),
            _ => {
                self.add_fact_variable(&variable, node);
                self.names.reads.push(variable);
                self.add_qualified(node);
            }
        }
    }

    fn add_scope_variable(&mut self, read: Node<'_>, key: Node<'_>) {
        let source = self.source;
        let Some(content) = literal(key) else {
            return;
        };
        let name = source.text_of(content);
        let Some(variable) = self.read(ErbNotation::Scope, name, content) else {
            return;
        };
        match variable.plain_name() {
            _ if is_assigned(read) || is_tested(source, read) => self.names.optional.push(variable),
            FACTS => self.add_fact(read),
            _ => {
                self.add_fact_variable(&variable, read);
                self.names.reads.push(variable);
            }
        }
    }

    /// Returns a read, given the node at its range.
    fn read(&self, notation: ErbNotation, name: &str, node: Node<'_>) -> Option<ErbRead> {
        let range = self.code.range(node.start_byte(), node.end_byte())?;
        let name = name.to_owned();
        Some(ErbRead {
            notation,
            name,
            range,
        })
    }

    /// Adds the name `@class::name` that starts with an instance variable, if it does.
    fn add_qualified(&mut self, start: Node<'_>) {
        let Some(whole) = qualified_name(self.source, start) else {
            return;
        };
        let name = self.source.text_of(whole).trim_start_matches('@');
        let range = self.code.range(start.start_byte(), whole.end_byte());
        let found = range.map(|range| ErbName {
            name: name.to_owned(),
            range,
        });
        self.names.qualified.extend(found);
    }

    /// Adds the keys that are read from the hash of all facts.
    fn add_fact(&mut self, facts: Node<'_>) {
        let keys = keys_after(self.source, self.code, facts);
        let fact = keys.first().map(|it| ErbRead {
            notation: ErbNotation::FactKey,
            name: it.name.clone(),
            range: it.range,
        });
        self.names.reads.extend(fact);
        self.add_fact_path(keys, false);
    }

    /// Adds the keys that are read from a variable that has the name of a core fact.
    fn add_fact_variable(&mut self, variable: &ErbRead, read: Node<'_>) {
        let name = variable.plain_name().to_owned();
        if crate::fact(&name).is_some() {
            let range = variable.plain_range();
            let mut keys = vec![ErbName { name, range }];
            keys.extend(keys_after(self.source, self.code, read));
            self.add_fact_path(keys, true);
        }
    }

    fn add_fact_path(&mut self, keys: Vec<ErbName>, is_variable: bool) {
        if keys.len() > 1 {
            let path = ErbFactPath { keys, is_variable };
            self.names.fact_paths.push(path);
        }
    }

    /// Adds a name that is tested, given the string that contains it.
    fn add_tested(&mut self, name: Node<'_>, notation: ErbNotation) {
        let Some(content) = literal(name) else {
            return;
        };
        let name = self.source.text_of(content).trim_start_matches('@');
        let tested = self.read(notation, name, content);
        self.names.optional.extend(tested);
    }

    fn add_call(&mut self, node: Node<'_>) {
        let source = self.source;
        let Some(call) = Call::of(source, node) else {
            return;
        };
        let receiver = call.receiver.map(|it| source.text_of(it));
        match (receiver, call.method, call.arguments.as_slice()) {
            (Some("scope"), "lookupvar", [key, ..]) => self.add_scope_variable(node, *key),
            (Some("scope"), "exist?" | "include?" | "setvar", [key, ..])
            | (None, "has_variable?" | "instance_variable_defined?", [key, ..]) => {
                self.add_tested(*key, ErbNotation::Scope);
            }
            (
                _,
                "has_variable?" | "has_key?" | "key?" | "instance_variable_defined?",
                [key, ..],
            ) => self.add_tested(*key, ErbNotation::TestedKey),
            (
                _,
                "instance_variable_set" | "instance_variable_get" | "eval" | "instance_eval",
                _,
            ) => {
                self.names.is_open = true;
            }
            _ => {}
        }
    }
}

/// Returns the whole of a name such as `@class::name`, which is a call to Ruby, given its start.
fn qualified_name<'t>(source: &Source<'_>, variable: Node<'t>) -> Option<Node<'t>> {
    let mut whole = variable;
    while let Some(parent) = whole.parent()
        && matches!(parent.kind(), "call" | "scope_resolution")
        && parent.start_byte() == whole.start_byte()
        && parent.child_by_field_name("arguments").is_none()
        && source.text_of(parent)[whole.byte_range().len()..].starts_with("::")
    {
        whole = parent;
    }
    (whole != variable).then_some(whole)
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

    use super::{ErbNotation, ErbRead, erb_names};

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
                    <% end %><%= scope.lookupvar('m::g') %><%= \"x@y#{@z} @w\" %> <%% @q %%> <% # @r %>";
        let (reads, optional) = names(text);
        assert_eq!(
            reads,
            ["@c", "scope ::d", "fact e", "fact f", "scope m::g", "@z"]
        );
        assert!(optional.is_empty());
    }

    #[test]
    fn finds_parts_of_facts() {
        let text = "<%= @facts['os']['family'] %> <%= @facts.dig('os', 'release', 'full') %> <%= @os['name'].upcase %>\n\
                    <%= scope['facts']['os'][@key]['x'] %> <%= scope['::os']['x'] %> <%= @facts['kernel'] %>\n\
                    <% @facts['os']['y'] = 1 %><% @disks['sda']['size'] || @my['os']['x'] %>";
        let paths = erb_names(text).fact_paths.into_iter().map(|it| {
            let keys: Vec<&str> = it.keys.iter().map(|it| &*it.name).collect();
            format!(
                "{}{}",
                if it.is_variable { "@" } else { "" },
                keys.join(".")
            )
        });
        assert_eq!(
            paths.collect::<Vec<_>>(),
            [
                "os.family",
                "os.release.full",
                "@os.name",
                "@os.x",
                "@disks.sda.size"
            ]
        );
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
    fn knows_names_that_ruby_reads_as_calls() {
        let found = erb_names("<%= @a::b.c %><%= @d::E::f %><%= @g.h %>");
        let qualified = found.qualified.into_iter().map(|it| it.name);
        assert_eq!(qualified.collect::<Vec<_>>(), ["a::b", "d::E::f"]);
        assert_eq!(found.reads.len(), 3);
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
