//! Mistakes in functions of the 4.x API: dispatches that do not fit the methods. From `functions.rb`, `DispatcherBuilder`,
//! and `functions/dispatch.rb`.

use rustc_hash::FxHashMap;
use syntax::TextRange;
use tree_sitter::Node;

use super::calls::Call;
use super::dispatches::{FUNCTION_CALLS, PARAMETER_CALLS};
use super::erb::is_method_of_objects;
use super::source::{Source, children, visit};

/// The declarations of a file with functions of the 4.x API that can be wrong.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FunctionFile {
    /// The names of the functions.
    pub names: Vec<(String, TextRange)>,
    /// The data types of parameters and results.
    pub types: Vec<(String, TextRange)>,
    /// The names of the types that the functions define themselves.
    pub local_types: Vec<String>,
    /// The mistakes.
    pub problems: Vec<FunctionProblem>,
}

/// A mistake in a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionProblem {
    /// The kind.
    pub kind: FunctionProblemKind,
    /// The range of the name.
    pub range: TextRange,
}

/// The kinds of mistakes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FunctionProblemKind {
    /// A dispatch to a method that does not exist, by its name.
    MissingMethod(String),
    /// A call that Puppet does not know in this place, and those that it does.
    UnknownCall(String, &'static [&'static str]),
    /// A parameter that must be given after one that may be omitted.
    RequiredAfterOptional,
    /// A parameter after one for all other arguments.
    AfterRepeated,
    /// A method that does not accept the arguments of a dispatch; whether it accepts none of the calls.
    ArgumentCount {
        /// The method.
        method: String,
        /// Whether each call fails.
        always: bool,
    },
}

/// The calls that add a first argument to a method, which callers do not pass.
const INJECTED: [&str; 3] = ["scope_param", "cache_param", "script_compiler_param"];
/// The calls that may define methods or change how they are called.
const OPEN: [&str; 10] = [
    "alias_method",
    "class_eval",
    "define_method",
    "extend",
    "include",
    "instance_eval",
    "prepend",
    "public_send",
    "require_relative",
    "send",
];

/// Examines a file with functions of the 4.x API. Returns an empty result for files that are not correct Ruby.
pub fn function_file(text: &str) -> FunctionFile {
    let mut file = FunctionFile::default();
    let Some(source) = Source::with_words(text, &["create_function"]) else {
        return file;
    };
    if source.root().has_error() {
        return file;
    }
    visit(source.root(), |node| {
        let call = Call::of(&source, node).filter(|it| {
            it.method == "create_function" && it.constant(&source) == Some("Puppet::Functions")
        });
        if let Some(call) = &call {
            Examiner::new(&source).function(call, &mut file);
        }
        call.is_none()
    });
    file
}

/// How many arguments a dispatch passes or a method accepts.
#[derive(Clone, Copy, Default, Debug)]
struct Range {
    min: usize,
    /// `None` without a limit.
    max: Option<usize>,
}

impl Range {
    fn contains(self, other: Range) -> bool {
        let max = self.max.unwrap_or(usize::MAX);
        self.min <= other.min && other.max.unwrap_or(usize::MAX) <= max
    }

    fn meets(self, other: Range) -> bool {
        self.min <= other.max.unwrap_or(usize::MAX) && other.min <= self.max.unwrap_or(usize::MAX)
    }
}

struct Examiner<'a> {
    source: &'a Source<'a>,
    methods: FxHashMap<&'a str, Node<'a>>,
    is_open: bool,
}

impl<'a> Examiner<'a> {
    fn new(source: &'a Source<'a>) -> Examiner<'a> {
        Examiner {
            source,
            methods: FxHashMap::default(),
            is_open: false,
        }
    }

    fn function(mut self, call: &Call<'a>, file: &mut FunctionFile) {
        let Some(name) = call.arguments.first().and_then(|it| self.literal(*it)) else {
            return;
        };
        file.names.push((name.0.to_owned(), name.1));
        let base = call.arguments.get(1).map(|it| self.source.text_of(*it));
        let has_known_base = base
            .is_none_or(|it| it.trim_start_matches("::") == "Puppet::Functions::InternalFunction");
        let Some(body) = call.body().filter(|_| has_known_base) else {
            return;
        };
        self.read_methods(body);
        let mut dispatches = 0;
        for statement in children(body) {
            let Some(call) = Call::of(self.source, statement).filter(|it| it.receiver.is_none())
            else {
                continue;
            };
            match call.method {
                "dispatch" | "argument_mismatch" => {
                    dispatches += 1;
                    self.dispatch(&call, file);
                }
                "local_types" => self.local_types(&call, file),
                method if call.block.is_some() => {
                    self.unknown_call(statement, method, &FUNCTION_CALLS, file)
                }
                _ => {}
            }
        }
        let simple_name = name.0.rsplit("::").next().unwrap_or_default();
        let is_missing = dispatches == 0 && !self.methods.contains_key(simple_name);
        let has_other_calls = children(body).iter().any(|it| it.kind() == "call");
        if is_missing && !self.is_open && !has_other_calls {
            let kind = FunctionProblemKind::MissingMethod(simple_name.to_owned());
            file.problems.push(FunctionProblem {
                kind,
                range: name.1,
            });
        }
    }

    fn read_methods(&mut self, body: Node<'a>) {
        visit(body, |node| {
            match node.kind() {
                "method" => {
                    let name = node.child_by_field_name("name");
                    let name = name.map(|it| self.source.text_of(it));
                    self.methods.extend(name.map(|it| (it, node)));
                }
                "alias" => self.is_open = true,
                "identifier" => self.is_open |= OPEN.contains(&self.source.text_of(node)),
                _ => {}
            }
            true
        });
    }

    fn dispatch(&self, call: &Call<'a>, file: &mut FunctionFile) {
        let method = call.arguments.first().and_then(|it| self.literal(*it));
        let mut passed = Some(Range {
            min: 0,
            max: Some(0),
        });
        let mut injected = 0;
        for statement in call.body().map(children).into_iter().flatten() {
            let Some(call) = Call::of(self.source, statement).filter(|it| it.receiver.is_none())
            else {
                passed = None;
                continue;
            };
            for type_ in call.arguments.iter().take(1).filter(|_| has_type(&call)) {
                let type_ = self.literal(*type_);
                file.types.extend(type_.map(|it| (it.0.to_owned(), it.1)));
            }
            let problem = match call.method {
                "return_type" | "block_param" | "required_block_param" | "optional_block_param" => {
                    None
                }
                it if INJECTED.contains(&it) => {
                    injected += 1;
                    None
                }
                it if PARAMETER_CALLS.contains(&it) => add_parameter(it, &mut passed),
                it => {
                    passed = None;
                    self.unknown_call(statement, it, &PARAMETER_CALLS, file);
                    None
                }
            };
            let name = statement.child_by_field_name("method").unwrap_or(statement);
            let range = self.source.range_of(name);
            file.problems
                .extend(problem.map(|kind| FunctionProblem { kind, range }));
        }
        if let (Some((method, range)), false) = (method, self.is_open) {
            let passed = passed.map(|it| Range {
                min: it.min + injected,
                max: it.max.map(|it| it + injected),
            });
            let problem = self.method_problem(method, passed, range);
            file.problems.extend(problem);
        }
    }

    /// Returns the problem of a method that a dispatch selects.
    fn method_problem(
        &self,
        method: &str,
        passed: Option<Range>,
        range: TextRange,
    ) -> Option<FunctionProblem> {
        let Some(node) = self.methods.get(method) else {
            if is_method_of_objects(method) {
                return None;
            }
            let kind = FunctionProblemKind::MissingMethod(method.to_owned());
            return Some(FunctionProblem { kind, range });
        };
        let (passed, accepted) = (passed?, accepted(*node)?);
        if accepted.contains(passed) {
            return None;
        }
        let always = !accepted.meets(passed);
        // Functions of Puppet itself take one of several arguments that their dispatches allow.
        if !always && passed.max.is_none() {
            return None;
        }
        let name = node.child_by_field_name("name")?;
        Some(FunctionProblem {
            kind: FunctionProblemKind::ArgumentCount {
                method: method.to_owned(),
                always,
            },
            range: self.source.range_of(name),
        })
    }

    fn local_types(&self, call: &Call<'a>, file: &mut FunctionFile) {
        for statement in call.body().map(children).into_iter().flatten() {
            let call = Call::of(self.source, statement);
            let type_ = call.and_then(|it| self.literal(*it.arguments.first()?));
            let name = type_.and_then(|it| it.0.split_once('='));
            file.local_types
                .extend(name.map(|it| it.0.trim().to_owned()));
        }
    }

    fn unknown_call(
        &self,
        statement: Node<'a>,
        name: &str,
        known: &'static [&'static str],
        file: &mut FunctionFile,
    ) {
        if let Some(method) = statement.child_by_field_name("method")
            && !self.is_open
        {
            let kind = FunctionProblemKind::UnknownCall(name.to_owned(), known);
            let range = self.source.range_of(method);
            file.problems.push(FunctionProblem { kind, range });
        }
    }

    /// Returns the content of a symbol or of a string without interpolation, with its range.
    fn literal(&self, node: Node<'a>) -> Option<(&'a str, TextRange)> {
        if node.kind() == "simple_symbol" {
            let text = self.source.text_of(node);
            return Some((text.strip_prefix(':')?, self.source.range_of(node)));
        }
        let is_string = matches!(node.kind(), "string" | "delimited_symbol");
        match children(node).as_slice() {
            [content] if is_string && content.kind() == "string_content" => Some((
                self.source.text_of(*content),
                self.source.range_of(*content),
            )),
            _ => None,
        }
    }
}

/// Checks whether the first argument of a call in a dispatch is a data type.
fn has_type(call: &Call<'_>) -> bool {
    call.method == "return_type"
        || PARAMETER_CALLS.contains(&call.method) && call.arguments.len() == 2
}

/// Counts a parameter, and returns the problem if Puppet refuses it.
fn add_parameter(call: &str, passed: &mut Option<Range>) -> Option<FunctionProblemKind> {
    let range = passed.as_mut()?;
    let Some(max) = &mut range.max else {
        return Some(FunctionProblemKind::AfterRepeated);
    };
    let has_optional = *max > range.min;
    match call {
        "param" | "required_param" => {
            *max += 1;
            range.min += 1;
            has_optional.then_some(FunctionProblemKind::RequiredAfterOptional)
        }
        "optional_param" => {
            *max += 1;
            None
        }
        "required_repeated_param" => {
            range.min += 1;
            range.max = None;
            has_optional.then_some(FunctionProblemKind::RequiredAfterOptional)
        }
        _ => {
            range.max = None;
            None
        }
    }
}

/// Returns how many arguments a method accepts; `None` if it has keyword parameters.
fn accepted(method: Node<'_>) -> Option<Range> {
    let mut range = Range {
        min: 0,
        max: Some(0),
    };
    let parameters = method.child_by_field_name("parameters").map(children);
    for node in parameters.unwrap_or_default() {
        match node.kind() {
            "identifier" | "destructured_parameter" => {
                range.min += 1;
                range.max = range.max.map(|it| it + 1);
            }
            "optional_parameter" => range.max = range.max.map(|it| it + 1),
            "splat_parameter" => range.max = None,
            "block_parameter" | "comment" => {}
            _ => return None,
        }
    }
    Some(range)
}

#[cfg(test)]
mod tests {
    use super::{FunctionProblemKind as Kind, function_file};

    /// Returns the problems of a function with a body.
    fn problems(body: &str) -> Vec<Kind> {
        let text = format!("Puppet::Functions.create_function(:'m::f') do\n{body}\nend\n");
        let found = function_file(&text).problems;
        found.into_iter().map(|it| it.kind).collect()
    }

    fn count(always: bool) -> Kind {
        let method = "f".to_owned();
        Kind::ArgumentCount { method, always }
    }

    #[test]
    fn compares_dispatches_with_methods() {
        let missing = || Kind::MissingMethod("f".to_owned());
        for (body, expected) in [
            (
                "dispatch :f do\nparam 'Any', :a\nend\ndef g(a) end",
                missing(),
            ),
            ("def g(a) end", missing()),
            (
                "dispatch :f do\nparam 'Any', :a\nend\ndef f(a, b) end",
                count(true),
            ),
            ("dispatch :f do\nend\ndef f(a) end", count(true)),
            (
                "dispatch :f do\nparam 'Any', :a\nend\ndef f() end",
                count(true),
            ),
            (
                "dispatch :f do\nparam 'Any', :a\noptional_param 'Any', :b\nend\ndef f(a, b) end",
                count(false),
            ),
            (
                "dispatch :f do\noptional_param 'Any', :a\nparam 'Any', :b\nend\ndef f(*a) end",
                Kind::RequiredAfterOptional,
            ),
            (
                "dispatch :f do\nrepeated_param 'Any', :a\nparam 'Any', :b\nend\ndef f(*a) end",
                Kind::AfterRepeated,
            ),
        ] {
            assert_eq!(problems(body), [expected], "{body}");
        }
    }

    #[test]
    fn accepts_correct_functions() {
        for body in [
            "dispatch :f do\nparam 'Any', :a\nblock_param\nend\ndef f(a) end",
            "dispatch :f do\nscope_param\nparam 'Any', :a\nend\ndef f(scope, a, &block) end",
            "dispatch :f do\noptional_param 'Any', :a\nend\ndef f(a = nil) end",
            "dispatch :f do\nrepeated_param 'Any', :a\nend\ndef f(*a) end",
            "dispatch :f do\nrepeated_param 'Any', :a\nend\ndef f(a) end",
            "dispatch :f do\nparam 'Any', :a\nend\ndef f(a, b: 1) end",
            "dispatch :g do\nparam 'Any', :a\nend\ninclude Other",
            "define_method(:g) { |a| a }\ndispatch :g do\nparam 'Any', :a\nend",
            "dispatch :inspect do\nend",
            "dispatch :f do\n[1].each { |it| param 'Any', :a }\nend\ndef f(a) end",
            "def f(*) end",
        ] {
            assert_eq!(problems(body), [], "{body}");
        }
    }

    #[test]
    fn finds_unknown_calls_and_types() {
        let text = "Puppet::Functions.create_function(:'m::f') do
  local_types do
    type 'Own = Integer'
  end
  dispatch :f do
    require_param 'Own', :a
    param 'Hahs', :b
    return_type 'String'
  end
  def f(a, b) end
end
";
        let file = function_file(text);
        let kinds: Vec<_> = file.problems.iter().map(|it| &it.kind).collect();
        let [Kind::UnknownCall(name, _)] = kinds.as_slice() else {
            panic!("{kinds:?}");
        };
        assert_eq!(name, "require_param");
        let types: Vec<_> = file.types.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(types, ["Hahs", "String"]);
        assert_eq!(file.local_types, ["Own"]);
        assert_eq!(file.names[0].0, "m::f");
    }
}
