//! Functions of the 3.x API: `newfunction(:name, :type => :rvalue, :arity => 1)`.

use crate::signatures::{Arity, Function, FunctionApi, FunctionParameter, Overload};

use super::argument_counts::{self, ArgumentCounts};
use super::calls::Call;
use super::comments;
use super::evaluate::Reader;
use super::results;
use super::value::Value;

/// The maximum number of parameters to generate.
const MOST: i64 = 100;

/// Returns the function defined by a call of `newfunction`; `None` if it is an unrelated method
/// with this name, or the name of the function is computed.
pub(super) fn new_function<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> Option<Function> {
    let on = call.constant(reader.source);
    if call.receiver.is_some() && !on?.ends_with("Functions") {
        return None;
    }
    let name_node = *call.arguments.first()?;
    let name = reader.string(name_node)?;
    let type_ = reader.option(call, "type");
    let doc = match reader.option(call, "doc") {
        Some(Value::Str(text)) => comments::tagged(&text),
        _ => comments::above(reader.source.text(), call.node.start_byte()),
    };
    let counts = match reader.option(call, "arity") {
        None | Some(Value::Nil) if reader.has_unknown_options(call) => None,
        None | Some(Value::Nil) => Some(argument_counts::accepted(reader.source, call)),
        Some(Value::Int(arity)) => Some(of_arity(arity)),
        Some(_) => None,
    };
    Some(Function {
        name,
        api: FunctionApi::Ruby3x,
        overloads: counts.and_then(overload).into_iter().collect(),
        rewrites_arguments: false,
        fails_if_strict: false,
        reads_scope: reads_scope(reader.source.text_of(call.node)),
        result: call
            .body()
            .and_then(|it| results::result_type(reader.source, it)),
        has_value: type_.is_some_and(|it| it.text() == Some("rvalue") || !it.is_known()),
        doc,
        name_range: reader.name_range(name_node),
    })
}

/// Checks whether the source of a function may read the variables of its caller: `self` is the scope,
/// so that most of its methods are called without a receiver.
fn reads_scope(text: &str) -> bool {
    const WORDS: [&str; 12] = [
        "lookupvar",
        "lookup_qualified_variable",
        "to_hash",
        "self",
        "scope",
        "function_",
        "call_function",
        "binding",
        "eval",
        "send",
        "exist?",
        "bound?",
    ];
    WORDS.iter().any(|it| text.contains(it))
}

/// Returns the numbers of arguments of an arity. A negative arity `-n` means `n - 1` or more.
fn of_arity(arity: i64) -> ArgumentCounts {
    match arity < 0 {
        true => ArgumentCounts {
            min: -1 - arity,
            max: None,
        },
        false => ArgumentCounts {
            min: arity,
            max: Some(arity),
        },
    }
}

/// Generates parameters for numbers of arguments.
fn overload(counts: ArgumentCounts) -> Option<Overload> {
    let ArgumentCounts { min, max } = counts;
    if min > MOST || max.is_some_and(|it| it > MOST || it < min) {
        return None;
    }
    let parameter = |index: i64, arity| FunctionParameter {
        name: match arity {
            Arity::Repeated => "args".to_owned(),
            _ => format!("arg{}", index + 1),
        },
        type_: None,
        arity,
        default: None,
    };
    let mut parameters: Vec<_> = (0..min).map(|it| parameter(it, Arity::Required)).collect();
    match max {
        Some(max) => parameters.extend((min..max).map(|it| parameter(it, Arity::Optional))),
        None => parameters.push(parameter(min, Arity::Repeated)),
    }
    Some(Overload {
        parameters,
        ..Overload::default()
    })
}

#[cfg(test)]
mod tests {
    use super::super::functions;
    use super::*;

    fn arities(text: &str) -> Vec<Vec<Arity>> {
        let found = functions(text);
        let overloads = found.iter().flat_map(|it| &it.overloads);
        overloads
            .map(|it| it.parameters.iter().map(|it| it.arity).collect())
            .collect()
    }

    #[test]
    fn converts_arities_to_parameters() {
        use Arity::{Repeated, Required};
        let with = |options: &str| arities(&format!("newfunction(:f{options}) do |args|\nend"));
        assert_eq!(with(""), [[Repeated]]);
        assert_eq!(with(", :arity => 2"), [[Required, Required]]);
        assert_eq!(with(", arity: 0"), [[]]);
        assert_eq!(with(", arity: -3"), [vec![Required, Required, Repeated]]);
        assert_eq!(with(", { :arity => 1 }"), [[Required]]);
        assert_eq!(with(", arity: x").len(), 0);
        assert_eq!(with(", **options").len(), 0);
        assert_eq!(with(", arity: -9223372036854775808").len(), 0);
    }

    #[test]
    fn reads_checks_of_the_number_of_arguments() {
        use Arity::{Optional, Repeated, Required};
        let with = |body: &str| arities(&format!("newfunction(:f) do |args|\n{body}\nend"));
        for (body, expected) in [
            (
                "raise(E, 'a') if args.size < 2",
                vec![Required, Required, Repeated],
            ),
            ("raise E, 'a' unless args.length == 1", vec![Required]),
            (
                "raise('a') if args.empty?\nraise('b') if args.size > 2",
                vec![Required, Optional],
            ),
            (
                "raise('a') unless args.size == 1 || args.size == 2",
                vec![Required, Optional],
            ),
            (
                "raise('a') if (args.size != 1) && (args.size != 2)",
                vec![Required, Optional],
            ),
            (
                "unless !args.empty? && args.length < 3\n  raise 'a'\nend",
                vec![Required, Optional],
            ),
            (
                "return 1 if args.empty?\nraise('a') if args.size < 2",
                vec![Repeated],
            ),
            ("args << 1\nraise('a') if args.size < 2", vec![Repeated]),
            ("raise('a') if args.size == 3", vec![Repeated]),
            ("raise('a') if args.size < 2 && x", vec![Repeated]),
            ("x = args.size\nwarn('a') if args.size < 2", vec![Repeated]),
        ] {
            assert_eq!(with(body), [expected], "{body}");
        }
    }

    #[test]
    fn reads_definitions_in_modules_and_kinds() {
        let text = "
module Puppet::Parser::Functions
  newfunction(:one, :type => :rvalue, :doc => <<-EOS
    @summary
      Does it.

    And more.
    EOS
  ) do |args|
  end
end
Puppet::Parser::Functions::newfunction('two') { |args| }
Foo.newfunction(:three) { }
";
        let found = functions(text);
        let brief: Vec<_> = found
            .iter()
            .map(|it| (it.name.as_str(), it.has_value))
            .collect();
        assert_eq!(brief, [("one", true), ("two", false)]);
        assert_eq!(found[0].doc.text, "And more.");
        assert_eq!(found[0].doc.tags[0].text, "Does it.");
        assert_eq!(&text[found[1].name_range], "two");
    }
}
