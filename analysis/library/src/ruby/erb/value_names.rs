//! The constants of a template, and the methods that it calls on values other than its variables.

use tree_sitter::Node;

use super::core_methods::RubyClass;
use super::known_names::is_method_of_objects;
use crate::ruby::source::Source;

/// The constants that code in a template sees in Puppet's process, and those of other versions of Ruby.
const CONSTANTS: &str = "
    Addrinfo ArgumentError Array Base64 BasicObject BasicSocket Benchmark BigDecimal Bignum Binding CGI Class
    Comparable Complex Data Date DateTime Delegator Digest Dir EOFError ERB Encoding EncodingError Enumerable
    Enumerator Errno Etc Exception FFI Facter FalseClass Fiber File FileTest FileUtils Find Fixnum Float Forwardable
    FrozenError GC Gem Hash Hiera IO IOError IPAddr IndexError Integer Interrupt JSON Kernel KeyError LoadError Logger
    Marshal MatchData Math Method Module Monitor Mutex NameError Net NilClass NoMethodError NotImplementedError Numeric
    Object ObjectSpace OpenSSL OpenStruct OptionParser PSON Pathname Proc Process Psych Puppet PuppetX Queue Random
    Range RangeError Rational RbConfig Regexp Resolv Ripper RuntimeError SecureRandom SemanticPuppet Set Shellwords
    Signal Singleton Socket StandardError String StringIO StringScanner Struct Symbol Syslog SystemCallError Thread Time
    Timeout TrueClass TypeError UNIXSocket URI YAML ZeroDivisionError Zlib
";

/// Methods that code in other languages has for those of Ruby.
const FOREIGN_METHODS: [(&str, &str); 26] = [
    ("append_to", "push"),
    ("contains", "include?"),
    ("contains?", "include?"),
    ("endsWith", "end_with?"),
    ("ends_with", "end_with?"),
    ("endswith", "end_with?"),
    ("forEach", "each"),
    ("foreach", "each"),
    ("has", "include?"),
    ("indexOf", "index"),
    ("isEmpty", "empty?"),
    ("is_empty", "empty?"),
    ("is_empty?", "empty?"),
    ("len", "length"),
    ("lower", "downcase"),
    ("lowercase", "downcase"),
    ("startsWith", "start_with?"),
    ("starts_with", "start_with?"),
    ("startswith", "start_with?"),
    ("substr", "slice"),
    ("substring", "slice"),
    ("toLowerCase", "downcase"),
    ("toUpperCase", "upcase"),
    ("trim", "strip"),
    ("upper", "upcase"),
    ("uppercase", "upcase"),
];

/// Returns the constants that code in templates sees.
pub fn known_constants() -> impl Iterator<Item = &'static str> {
    CONSTANTS.split_whitespace()
}

/// Returns the methods of all objects that templates call most.
pub fn common_methods() -> impl Iterator<Item = &'static str> {
    "to_json to_pson to_s to_yaml".split_whitespace()
}

/// Returns the method of Ruby that is meant by that of another language.
pub fn meant_method(name: &str) -> Option<&'static str> {
    let found = FOREIGN_METHODS.iter().find(|it| it.0 == name);
    found.map(|it| it.1)
}

/// Checks whether a node reads a constant of the top level that Ruby does not have.
pub(super) fn is_unknown_constant(source: &Source<'_>, node: Node<'_>) -> bool {
    let is_part = node.parent().is_some_and(|parent| match parent.kind() {
        // Only the first constant of a path is looked up at the top level.
        "scope_resolution" => {
            parent.child_by_field_name("name") == Some(node)
                && parent.child_by_field_name("scope").is_some()
        }
        "call" => parent.child_by_field_name("method") == Some(node),
        "pair" => parent.child_by_field_name("key") == Some(node),
        _ => false,
    });
    let name = source.text_of(node);
    !is_part && known_constants().all(|it| it != name)
}

/// Returns the method of a call if no value of Puppet has it. Values of other classes start with a constant, as in
/// `Time.now.year`, or with a method of the template.
pub(super) fn unknown_method<'t>(source: &Source<'_>, call: Node<'t>) -> Option<Node<'t>> {
    let method = call.child_by_field_name("method")?;
    let operator = call.child_by_field_name("operator");
    let is_plain = operator.is_some_and(|it| source.text_of(it) == ".");
    if method.kind() != "identifier" || !is_plain {
        return None;
    }
    let name = source.text_of(method);
    let receiver = call.child_by_field_name("receiver")?;
    let is_known = RubyClass::any_has_method(name) || is_method_of_objects(name);
    // Operations on variables depend on their types.
    let is_variable = receiver.kind() == "instance_variable";
    (!is_known && !is_variable && is_value(source, receiver)).then_some(method)
}

/// The methods of values whose results are arrays, whatever the class of the value.
const ARRAY_RESULTS: &str =
    "chars collect flat_map flatten keys lines map sort sort_by split to_a values zip";

/// The methods of values whose results are strings, whatever the class of the value.
const STRING_RESULTS: &str =
    "capitalize center chomp downcase gsub inspect join ljust rjust strip sub to_s upcase";

/// Returns the class of the receiver of a call, if its code says so.
pub(super) fn class_of_receiver(source: &Source<'_>, call: Node<'_>) -> Option<RubyClass> {
    let receiver = call.child_by_field_name("receiver")?;
    match receiver.kind() {
        "array" | "string_array" => Some(RubyClass::Array),
        "hash" => Some(RubyClass::Hash),
        "string" => Some(RubyClass::String),
        "call" if is_conversion_to_array(source, receiver) => Some(RubyClass::Array),
        "call" if is_value(source, receiver) => {
            let method = source.text_of(receiver.child_by_field_name("method")?);
            let is_in = |names: &str| names.split_whitespace().any(|it| it == method);
            match (is_in(ARRAY_RESULTS), is_in(STRING_RESULTS)) {
                (true, _) => Some(RubyClass::Array),
                (_, true) => Some(RubyClass::String),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Checks whether an expression has a value of a class that values of Puppet have.
fn is_value(source: &Source<'_>, node: Node<'_>) -> bool {
    match node.kind() {
        "array" | "hash" | "string" | "instance_variable" | "string_array" => true,
        "identifier" => source.text_of(node) != "scope",
        "element_reference" => {
            let object = node.child_by_field_name("object");
            object.is_some_and(|it| source.text_of(it) == "scope" || is_value(source, it))
        }
        "parenthesized_statements" => {
            node.named_child_count() == 1
                && node.named_child(0).is_some_and(|it| is_value(source, it))
        }
        "binary" => {
            let left = node.child_by_field_name("left");
            left.is_some_and(|it| is_value(source, it))
        }
        "call" if is_conversion_to_array(source, node) => true,
        "call" => {
            let receiver = node.child_by_field_name("receiver");
            let method = node.child_by_field_name("method");
            let is_lookup = method.is_some_and(|it| source.text_of(it) == LOOKUP);
            receiver.is_some_and(|it| {
                is_lookup && source.text_of(it) == "scope" || is_value(source, it)
            })
        }
        _ => false,
    }
}

/// Checks for `Array(…)`, whose result is an array, whatever it is called with.
fn is_conversion_to_array(source: &Source<'_>, call: Node<'_>) -> bool {
    let method = call.child_by_field_name("method");
    let has_receiver = call.child_by_field_name("receiver").is_some();
    !has_receiver && method.is_some_and(|it| source.text_of(it) == "Array")
}

/// The method of a scope that returns a variable of Puppet.
const LOOKUP: &str = "lookupvar";

/// Checks whether a node adds a string literal and a number literal, which fails.
pub(super) fn is_mixed_sum(source: &Source<'_>, node: Node<'_>) -> bool {
    let part = |name: &str| node.child_by_field_name(name);
    let is_sum =
        node.kind() == "binary" && part("operator").is_some_and(|it| source.text_of(it) == "+");
    let is_number = |it: Node<'_>| matches!(it.kind(), "integer" | "float");
    let kinds = part("left").zip(part("right")).filter(|_| is_sum);
    kinds.is_some_and(|(left, right)| {
        left.kind() == "string" && is_number(right) || is_number(left) && right.kind() == "string"
    })
}

#[cfg(test)]
mod tests {
    use super::super::erb_names;

    fn found(template: &str) -> Vec<String> {
        let names = erb_names(template);
        let constants = names.constants.iter().map(|it| it.name.clone());
        let methods = names.methods.iter().map(|it| format!(".{}", it.name.name));
        let sums = names.mixed_sums.iter().map(|_| "+".to_owned());
        constants.chain(methods).chain(sums).collect()
    }

    #[test]
    fn finds_names_that_no_value_has() {
        for (template, expected) in [
            ("<%= Strng.new %><%= Jsn::Ext %>", vec!["Strng", "Jsn"]),
            ("<% if @a.is_a?(Arry) %><% end %>", vec!["Arry"]),
            ("<%= [@a].flaten.join %>", vec![".flaten"]),
            (
                "<% @a.each do |b| %><%= b.upcse %><% end %>",
                vec![".upcse"],
            ),
            (
                "<%= scope['a'].trim %><%= (@a || []).includes?(1) %>",
                vec![".trim", ".includes?"],
            ),
            ("<%= Array(@a).flaten.join %>", vec![".flaten"]),
            ("<% Array(@a).eachs do |b| %><% end %>", vec![".eachs"]),
            ("<%= 'a' + 1 %><%= 1.5 + \"b\" %>", vec!["+", "+"]),
            ("<% def a(b); b.upcse; end %><%= a(@c) %>", vec![".upcse"]),
        ] {
            assert_eq!(found(template), expected, "{template}");
        }
    }

    #[test]
    fn ignores_names_that_may_exist() {
        for template in [
            "<%= Time.now.strftime('%Y') %><%= IPAddr.new(@a).to_range.first %>",
            "<%= Puppet::Util::Nosuch.x %><%= ::JSON.dump(@a) %><%= Integer('1') %>",
            "<% FOO = 1 %><%= FOO %><%= defined?(Bar) %><%= Baz rescue 1 %>",
            "<%= @a.map { |b| b.upcase }.join %><%= @a&.b&.c %><%= scope.lookupvar('a').size %>",
            "<% if @a.respond_to?(:nope) %><%= [@a].nope %><% end %>",
            "<%= 'a' + 'b' %><%= 1 + 2 %><%= 'a' * 3 %>",
            "<% class Foo; end %><%= Bar.new %>",
            "<%= rand.nope %>",
            "<%= Array(@a).first %><%= Hash(@a).nope %><%= @a.Array(@b).nope %>",
        ] {
            let all: Vec<_> = found(template)
                .into_iter()
                .filter(|it| it != ".nope")
                .collect();
            assert_eq!(all, [""; 0], "{template}");
        }
    }
}
