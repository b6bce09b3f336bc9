//! Functions: `Puppet::Functions.create_function`, and the 3.x API in `super::legacy`.

use tree_sitter::Node;

use crate::signatures::{Function, FunctionApi};

use super::calls::Call;
use super::dispatches::Body;
use super::evaluate::Reader;
use super::source::{Source, visit};
use super::walk::Dsl;
use super::{comments, legacy, results};

/// Extracts the functions that a file defines, with the 4.x or 3.x API.
///
/// A function whose dispatches cannot all be interpreted has no overloads: its parameters are
/// unknown. `argument_mismatch` does not produce an overload; as Puppet tries such dispatches in
/// order with the others, it may reject a call even though an overload accepts it.
pub fn functions(text: &str) -> Vec<Function> {
    let mut finder = FunctionFinder { found: Vec::new() };
    if let Some(source) = Source::with_words(text, &["create_function", "newfunction"]) {
        let mut reader = Reader::new(&source);
        reader.run(source.root(), &mut finder, 0);
    }
    finder.found
}

struct FunctionFinder {
    found: Vec<Function>,
}

impl<'t> Dsl<'t> for FunctionFinder {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) -> bool {
        let on = call.constant(reader.source);
        let found = match call.method {
            "create_function" if on == Some("Puppet::Functions") => {
                create_function(reader, call, depth)
            }
            "newfunction" => legacy::new_function(reader, call),
            _ => return false,
        };
        let Some(found) = found else {
            return true;
        };
        match self.found.iter_mut().find(|it| it.name == found.name) {
            // A second definition may be in another branch; it is not known which one applies.
            Some(known) if known.overloads != found.overloads => known.overloads.clear(),
            Some(_) => {}
            None => self.found.push(found),
        }
        true
    }

    fn words(&self) -> &'static [&'static str] {
        &["create_function", "newfunction"]
    }

    fn unreadable(&mut self) {}

    fn looks_everywhere(&self) -> bool {
        true
    }
}

fn create_function<'t>(reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) -> Option<Function> {
    let name_node = *call.arguments.first()?;
    let name = reader.string(name_node)?;
    let body = call.body().filter(|_| has_known_base(reader, call));
    let overloads = body.and_then(|it| overloads(reader, it, &name, depth));
    let simple_name = name.rsplit("::").next().unwrap_or(&name).to_owned();
    let rewrites_arguments = body.is_some_and(|it| defines_call(reader.source, it));
    Some(Function {
        name,
        api: FunctionApi::Ruby4x,
        overloads: overloads.unwrap_or_default(),
        has_value: true,
        rewrites_arguments,
        fails_if_strict: body.is_some_and(|it| is_deprecated(reader.source, it, &simple_name)),
        reads_scope: reads_scope(reader.source.text_of(call.node)),
        result: body
            .filter(|_| !rewrites_arguments)
            .and_then(|it| result(reader.source, it, &simple_name)),
        doc: comments::above(reader.source.text(), call.node.start_byte()),
        name_range: reader.name_range(name_node),
    })
}

/// Checks whether the source of a function uses the scope of its caller, or calls other functions
/// in the scope that it has.
fn reads_scope(text: &str) -> bool {
    let words = ["scope_param", "closure_scope", "System3x", "3x"];
    words.iter().any(|it| text.contains(it))
}

/// Checks whether a function overrides the method `call`, which selects the overload.
fn defines_call(source: &Source<'_>, body: Node<'_>) -> bool {
    let mut found = false;
    visit(body, |node| {
        let is_call = |it: Node<'_>| source.text_of(it) == "call";
        found |= node.kind() == "method" && node.child_by_field_name("name").is_some_and(is_call);
        !found
    });
    found
}

/// Returns the type of the results of the methods that the dispatches select.
fn result(source: &Source<'_>, body: Node<'_>, default_method: &str) -> Option<String> {
    let methods = selected_methods(source, body, default_method);
    results::method_results(source, body, &methods)
}

/// Returns the methods that the dispatches select.
fn selected_methods<'a>(
    source: &Source<'a>,
    body: Node<'_>,
    default_method: &'a str,
) -> Vec<&'a str> {
    let mut methods = Vec::new();
    visit(body, |node| {
        let call = Call::of(source, node).filter(|it| it.method == "dispatch");
        let selected = call.as_ref().and_then(|it| it.arguments.first());
        methods.extend(selected.map(|it| source.text_of(*it).trim_start_matches(':')));
        node.kind() != "method"
    });
    if methods.is_empty() {
        methods.push(default_method);
    }
    methods
}

/// Checks whether every method starts with a call of the function `deprecation` of the module stdlib,
/// which fails if the setting `strict` is `error`.
fn is_deprecated(source: &Source<'_>, body: Node<'_>, default_method: &str) -> bool {
    let selected = selected_methods(source, body, default_method);
    let mut deprecated = Vec::new();
    visit(body, |node| {
        if node.kind() != "method" {
            return true;
        }
        let name = node.child_by_field_name("name");
        let first = node
            .child_by_field_name("body")
            .and_then(|it| it.named_child(0));
        let call = first.and_then(|it| Call::of(source, it));
        if call.is_some_and(|it| {
            // A fourth argument turns the failure off.
            it.method == "call_function"
                && it.arguments.len() == 3
                && source
                    .text_of(it.arguments[0])
                    .trim_matches(['\'', '"', ':'])
                    == "deprecation"
        }) {
            deprecated.extend(name.map(|it| source.text_of(it)));
        }
        false
    });
    selected.iter().all(|it| deprecated.contains(it))
}

/// Checks whether the base class is one of Puppet's own, which have no dispatches.
fn has_known_base<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> bool {
    let base = call.arguments.get(1).map(|it| reader.text(*it));
    base.is_none_or(|it| {
        let name = it.trim_start_matches("::");
        matches!(
            name,
            "Puppet::Functions::Function" | "Puppet::Functions::InternalFunction"
        )
    })
}

fn overloads<'t>(
    reader: &mut Reader<'t>,
    node: Node<'t>,
    name: &str,
    depth: usize,
) -> Option<Vec<crate::signatures::Overload>> {
    let simple_name = name.rsplit("::").next().unwrap_or(name);
    let mut body = Body::new(simple_name);
    reader.run(node, &mut body, depth + 1);
    if reader.source.root().has_error() {
        return None;
    }
    body.finish()
}

#[cfg(test)]
mod tests {
    use crate::signatures::{Arity, Overload};

    use super::*;

    fn one(text: &str) -> Function {
        let mut found = functions(text);
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    fn brief(overload: &Overload) -> String {
        let parameters = overload.parameters.iter().map(|it| {
            let mark = match it.arity {
                Arity::Required => "",
                Arity::Optional => "?",
                Arity::Repeated => "*",
                Arity::RequiredRepeated => "+",
            };
            let default = it.default.as_deref().map(|it| format!("={it}"));
            let type_ = it.type_.as_deref().unwrap_or("-");
            format!("{type_} {}{mark}{}", it.name, default.unwrap_or_default())
        });
        let block = overload.block.as_ref().map(|it| {
            let mark = if it.optional { "?" } else { "" };
            format!("{} &{}{mark}", it.type_.as_deref().unwrap_or("-"), it.name)
        });
        let parts: Vec<_> = parameters.chain(block).collect();
        let returns = overload.returns.as_deref().unwrap_or("-");
        format!("({}) >> {returns}", parts.join(", "))
    }

    fn briefs(text: &str) -> Vec<String> {
        one(text).overloads.iter().map(brief).collect()
    }

    #[test]
    fn dispatches_become_overloads() {
        let text = "
# Does it.
#
# @param a the first
Puppet::Functions.create_function(:'m::f', Puppet::Functions::InternalFunction) do
  local_types do
    type 'A = Array[B]'
    type \"B = Integer[0]\"
  end

  # One
  # @return [Integer] what
  dispatch :one do
    scope_param
    cache_param()
    param 'A', :a
    required_param 'String', :b
    optional_param 'Hash', :c
    optional_block_param 'Callable[1]', :d
    return_type 'Integer'
  end

  dispatch :two do
    required_repeated_param 'String[1]', :args
    block_param
  end
  dispatch(:three) { repeated_param('Any', :args); block_param :code }
  dispatch(:four) do
    optional_repeated_param 'Any', :args
  end

  argument_mismatch :wrong do
    param 'Integer', :a
  end

  def one(scope, cache, a, b); end
end
";
        let function = one(text);
        assert_eq!(function.name, "m::f");
        assert_eq!(&text[function.name_range], "m::f");
        assert_eq!(function.doc.text, "Does it.");
        assert_eq!(function.overloads[0].doc.text, "One");
        assert_eq!(
            function.overloads[0].local_types,
            [
                ("A".to_owned(), "Array[B]".to_owned()),
                ("B".to_owned(), "Integer[0]".to_owned()),
            ]
        );
        assert_eq!(
            briefs(text),
            [
                "(A a, String b, Hash c?, Callable[1] &d?) >> Integer",
                "(String[1] args+, - &block) >> -",
                "(Any args*, - &code) >> -",
                "(Any args*) >> -",
            ]
        );
    }

    #[test]
    fn derives_the_overload_from_the_method_without_dispatches() {
        assert_eq!(
            briefs(
                "Puppet::Functions.create_function('a::f') do\n  def f(x, y = 'd', z = g(1), *rest)\n  end\nend"
            ),
            ["(- x, - y?='d', - z?, - rest*) >> -"]
        );
        assert_eq!(
            briefs("Puppet::Functions.create_function(:f) do\n  def f\n  end\nend"),
            ["() >> -"]
        );
        // Puppet cannot load these.
        let refused = ["def g(x) end", "def f(x, &block) end", "def f(x:) end", ""];
        for body in refused {
            let text = format!("Puppet::Functions.create_function(:f) do\n{body}\nend");
            assert_eq!(one(&text).overloads, []);
        }
    }

    #[test]
    fn does_not_guess_computed_signatures() {
        let with = |body: &str| {
            briefs(&format!(
                "Puppet::Functions.create_function(:f) do\n  dispatch :f do\n{body}\nend\nend"
            ))
        };
        assert_eq!(with("param \"Enum[#{x}]\", :a"), ["(- a) >> -"]);
        assert_eq!(with("return_type x"), ["() >> -"]);
        assert_eq!(with("x.each { |it| param 'Any', it }"), [""; 0]);
        assert_eq!(with("param 'Any', :a if x"), [""; 0]);
        assert_eq!(
            with("[:a, :b].each { |it| param 'Any', it }"),
            ["(Any a, Any b) >> -"]
        );
        assert_eq!(with("param(*x)"), [""; 0]);
        // Puppet rejects a required parameter after an optional one.
        assert_eq!(with("optional_param 'Any', :a\nparam 'Any', :b"), [""; 0]);
        let branches = "if x\n newfunction(:f, arity: 1) { }\nelse\n newfunction(:f) { }\nend";
        assert_eq!(one(branches).overloads, []);
        let other_base = "Puppet::Functions.create_function(:f, Own) do\n def f; end\nend";
        assert_eq!(one(other_base).overloads, []);
        assert_eq!(functions("Puppet::Functions.create_function(name) { }"), []);
        assert_eq!(functions("Other.create_function(:f) { def f; end }"), []);
    }
}
