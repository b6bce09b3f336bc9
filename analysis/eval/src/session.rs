//! Evaluation of a source on its own, as Puppet evaluates a manifest without modules.

use syntax::ast::SourceFile;
use syntax::validation::{PuppetVersion, ValidationContext, validate};
use syntax::{Diagnostic, Dialect, Severity, Stage, TextSize};

use super::budget::Budget;
use super::control_flow::{ControlFlow, FlowResult};
use super::expressions::Evaluator;
use super::scope::Scope;
use super::standalone_environment::StandaloneEnvironment;
use super::{Context, EvalFailure};
use types::Type;
use types::values::{self, HashValue, Value};

/// The evaluation budget of a source.
const BUDGET: u64 = 300_000;

/// The settings of an evaluation.
#[derive(Clone, Debug, Default)]
pub struct EvalSettings {
    /// The release of Puppet.
    pub version: PuppetVersion,
    /// The facts of the node, by name; `None` if they are unknown.
    pub facts: Option<HashValue>,
}

/// The result of evaluating a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// The value of the last expression.
    Value(TypedValue),
    /// Puppet raises an error.
    Error(ReportedError),
    /// The result in Puppet is unknown, for this reason.
    Unknown(String),
}

/// A value and its types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypedValue {
    /// The value in Puppet's syntax, if it has such a form.
    pub value: Option<String>,
    /// The result of `type($value, 'detailed')`.
    pub type_detailed: String,
    /// The result of `type($value, 'reduced')`.
    pub type_reduced: String,
    /// The result of `type($value, 'generalized')`.
    pub type_generalized: String,
    /// The detailed type, including the strings that Puppet infers but does not print.
    pub type_exact: String,
    /// The detailed type as shown in editors, with `String<a,b>` for one of several strings.
    pub type_shown: String,
}

/// An error of Puppet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedError {
    /// `parse`, `validate` or `evaluate`.
    pub stage: &'static str,
    /// The message.
    pub message: String,
    /// Puppet's issue code, if the error has one.
    pub code: Option<&'static str>,
    /// The byte offset at which Puppet reports the error, if it does.
    pub at: Option<TextSize>,
}

/// Evaluates a source on its own, without modules and a catalog.
pub fn evaluate(source: &str, settings: EvalSettings) -> Evaluation {
    Session::new(settings).evaluate(source)
}

/// Evaluates sources one after the other. The assignments and definitions of a source are visible
/// in the following ones.
pub struct Session {
    version: PuppetVersion,
    environment: StandaloneEnvironment,
    scope: Scope,
    spent: u64,
}

impl Session {
    /// Creates a session without any assignments.
    pub fn new(settings: EvalSettings) -> Session {
        Session {
            version: settings.version,
            environment: StandaloneEnvironment::new(settings.version, settings.facts),
            scope: Scope::default(),
            spent: 0,
        }
    }

    /// Returns the units of the evaluation budget that the last source has spent.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Adds the functions and type aliases that sources define, without evaluating them.
    pub fn define<'s>(&mut self, sources: impl IntoIterator<Item = &'s str>) {
        let sources = sources.into_iter();
        let trees = sources.map(|it| syntax::parse(it, Dialect::default()).tree());
        self.environment.define(&trees.collect::<Vec<_>>());
    }

    /// Evaluates the next source.
    pub fn evaluate(&mut self, source: &str) -> Evaluation {
        match self.value(source) {
            Ok(value) => Evaluation::Value(typed_value(&value)),
            Err(answer) => *answer,
        }
    }

    /// Evaluates the next source, and returns its value.
    ///
    /// # Errors
    ///
    /// If the source has no value; never [`Evaluation::Value`].
    pub fn value(&mut self, source: &str) -> Result<Value, Box<Evaluation>> {
        self.spent = 0;
        let parse = syntax::parse(source, Dialect::default());
        let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
        if let Some(error) = parse.errors().iter().find(is_error) {
            return Err(Evaluation::Error(reported(error)).into());
        }
        let context = ValidationContext {
            version: self.version,
            ..ValidationContext::default()
        };
        let tree = parse.tree();
        if let Some(error) = validate(&tree, &context).iter().find(is_error) {
            return Err(Evaluation::Error(reported(error)).into());
        }
        self.environment.define(std::slice::from_ref(&tree));
        self.run(&tree).map_err(|it| without_value(it).into())
    }

    fn run(&mut self, tree: &SourceFile) -> FlowResult {
        let context = Context::new(self.version);
        let budget = Budget::new(BUDGET);
        let scope = std::mem::take(&mut self.scope);
        let mut evaluator =
            Evaluator::new(&context, &self.environment, &budget, true).with_scope(scope);
        let result = evaluator.statements(tree.statements());
        self.spent = BUDGET - budget.remaining();
        self.scope = evaluator.into_scope();
        self.scope.forget_matches();
        result
    }
}

fn without_value(flow: ControlFlow) -> Evaluation {
    match flow.into_failure() {
        (EvalFailure::Unknown(why), _) => Evaluation::Unknown(why.to_string()),
        (EvalFailure::Error(error), at) => Evaluation::Error(ReportedError {
            stage: "evaluate",
            code: error.issue.code(),
            message: error.message,
            at,
        }),
    }
}

fn reported(error: &Diagnostic) -> ReportedError {
    ReportedError {
        stage: match error.stage {
            Stage::Parse => "parse",
            Stage::Validate => "validate",
            Stage::Import => "evaluate",
        },
        message: error.message.clone(),
        code: Some(error.code.0),
        at: error.anchor,
    }
}

fn typed_value(value: &Value) -> TypedValue {
    let (detailed, reduced) = (types::infer_detailed(value), types::infer(value));
    TypedValue {
        value: values::source(value),
        type_detailed: display_type(&detailed),
        type_reduced: display_type(&reduced),
        type_generalized: display_type(&types::generalize(&reduced)),
        type_exact: types::display_exact(&detailed),
        type_shown: types::display_hover(&detailed),
    }
}

/// Renders a type as Puppet prints it at the top level: an object type with its definition.
fn display_type(ty: &Type) -> String {
    match ty {
        Type::Object(_) => types::display_expanded(ty),
        ty => types::display(ty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renders the value, the issue code of the error with its offset, or `?` if the result is
    /// unknown.
    fn run(source: &str) -> String {
        match evaluate(source, EvalSettings::default()) {
            Evaluation::Value(it) => it.value.unwrap_or_else(|| "no source form".to_owned()),
            Evaluation::Error(it) => {
                let at = it
                    .at
                    .map_or_else(|| "-".to_owned(), |it| u32::from(it).to_string());
                format!("{} {at}", it.code.unwrap_or("-"))
            }
            Evaluation::Unknown(_) => "?".to_owned(),
        }
    }

    #[test]
    fn literals() {
        assert_eq!(
            run("[0x1F, 010, 1.5e3, true, undef, default, /a\\/b/, foo, File]"),
            { "[31, 8, 1500.0, true, undef, default, /a\\/b/, 'foo', File]" }
        );
        assert_eq!(run("{ a => 1, 'b' => [type], 2 => { } }"), {
            "{'a' => 1, 'b' => ['type'], 2 => {}}"
        });
        assert_eq!(run("[a => 1, b => 2]"), "[{'a' => 1, 'b' => 2}]");
        assert_eq!(run(""), "undef");
    }

    #[test]
    fn operators_and_error_positions() {
        assert_eq!(run("1 + 2 * 3 - -4"), "11");
        assert_eq!(run("!(1 in [1, 2]) or 'a' == 'A'"), "true");
        assert_eq!(run("false and 1 / 0"), "false");
        assert_eq!(run("[1,\n 3 / 0]"), "DIV_BY_ZERO 9");
        assert_eq!(run("1 + 'x'"), "NOT_NUMERIC 4");
        assert_eq!(run("'abc'[x]"), "BAD_STRING_SLICE_KEY_TYPE 6");
        assert_eq!(run("Array[Integer[1, 2]]"), "Array[Integer[1, 2]]");
        assert_eq!(
            run("[*[1, 2], (*3), *undef, *{ a => 1 }]"),
            "[1, 2, 3, ['a', 1]]"
        );
    }

    #[test]
    fn strings_and_heredocs() {
        assert_eq!(run(r#"$x = 2 "a${x}b${x + 1}c$x[0]""#), "NOT_NUMERIC 16");
        assert_eq!(run(r#"$x = 2 "a${x}b${$x + 1}c$x[0]""#), "'a2b3c2[0]'");
        assert_eq!(run("$x = [1]\n@(\"E\")\n  a${x[0]}\n  |- E\n"), "'a1'");
        assert_eq!(run("$x = 1\n@(\"E\":json)\n[${x}]\nE\n"), "?");
    }

    #[test]
    fn conditionals_run_one_branch() {
        assert_eq!(run("if 1 == 2 { 1 / 0 } elsif undef { 2 } else { 3 }"), "3");
        assert_eq!(run("unless false { $y = 1 }\n$y"), "1");
        assert_eq!(run("case 'abc' { /(b)/: { $1 } default: { 2 } }"), "'b'");
        assert_eq!(run("case 5 { 1, *[4, 5]: { yes } }"), "'yes'");
        assert_eq!(run("case 5 { default: { d } String: { s } }"), "'d'");
        assert_eq!(run("1 ? { 2 => 3 }"), "UNMATCHED_SELECTOR 0");
        assert_eq!(run("5 ? { (default) => 1, Integer => 2 }"), "2");
        assert_eq!(run("if 'x' =~ /x/ { }\n$0"), "undef");
        assert_eq!(run("$m = 'xy' =~ /x(.)/\n\"$0$1$2\""), "'xyy'");
    }

    #[test]
    fn assignments() {
        assert_eq!(
            run("[$a, [$b, $c]] = [1, [2, 3]]\n[$c, $b, $a]"),
            "[3, 2, 1]"
        );
        assert_eq!(
            run("[$a, [$b]] = { a => 1, [b] => [5] }\n[$a, $b]"),
            "[1, 5]"
        );
        assert_eq!(run("[$a] = { b => 1 }"), "MISSING_MULTI_ASSIGNMENT_KEY 5");
        assert_eq!(run("[$a, $b] = [1]"), "ILLEGAL_MULTI_ASSIGNMENT_SIZE 9");
        assert_eq!(run("$a = $b = 2\n[$a, $::b]"), "[2, 2]");
        assert_eq!(run("$a = 1\n$a = 2"), "ILLEGAL_REASSIGNMENT 10");
        assert_eq!(run("$title = 1"), "ILLEGAL_REASSIGNMENT 7");
        assert_eq!(run("$facts = 1"), "ILLEGAL_RESERVED_ASSIGNMENT 7");
    }

    #[test]
    fn external_state_is_unknown() {
        for source in [
            "$kernel",
            "include(a)",
            "file { '/x': }",
            "$settings::vardir",
        ] {
            assert_eq!(run(source), "?", "{source}");
        }
        assert_eq!(run("$a::b"), "UNKNOWN_VARIABLE 0");
        assert_eq!(run("Foo::Bar"), "UNKNOWN_RESOURCE_TYPE 0");
        assert_eq!(run("notice(1 / 0)"), "DIV_BY_ZERO 11");
        assert_eq!(run("class a { fail('x') }\nfunction f() { 1 / 0 }\n1"), "1");
    }

    #[test]
    fn blocks() {
        assert_eq!(run("with(1, 2) |$x| { $x }"), "1");
        assert_eq!(run("with(1) |$x, $y = $x + 1| { [$x, $y] }"), "[1, 2]");
        assert_eq!(run("with(1, 2, 3) |$x, Integer *$y| { [$x, $y] }"), {
            "[1, [2, 3]]"
        });
        assert_eq!(run("with() |$x| { $x }"), "MISSING_REQUIRED_PARAMETER 8");
        assert_eq!(run("with(a) |Integer $x| { $x }"), "RUNTIME_ERROR 0");
        assert_eq!(run("with(1) |$x| >> String { $x }"), "RUNTIME_ERROR 0");
        assert_eq!(run("$a = 1\nwith(2) |$x| { $a = $x } + $a"), "3");
        assert_eq!(run("with(1) |$x| { next(2) 3 }"), "2");
        assert_eq!(run("with(1) |$x| { break() }"), "- -");
        assert_eq!(run("next(1)"), "- -");
    }

    #[test]
    fn functions_written_in_puppet() {
        assert_eq!(run("function f($x, $y = $x + 1) { [$x, $y] }\nf(3)"), {
            "[3, 4]"
        });
        let later = "function f($x = $y, $y = 1) { [$x, $y] }\nf()";
        assert_eq!(run(later), "RUNTIME_ERROR 41");
        assert_eq!(run("function f() >> String { return(1) }\nf()"), "1");
        assert_eq!(run("function f() { next(3) 4 }\nf()"), "3");
        assert_eq!(run("function f($x) { }\nf(1) |$y| { }"), {
            "RUNTIME_ERROR 19"
        });
        assert_eq!(
            run("$a = 5\nfunction f() { $a }\nwith(1) |$b| { f() }"),
            "5"
        );
        let hidden = "function f() { $zz }\nwith(1) |$zz| { f() }";
        assert_eq!(run(hidden), "UNKNOWN_VARIABLE 15");
        assert_eq!(run("function f($x) { f($x) }\nf(1)"), "?");
        assert_eq!(run("nothing(1)"), "UNKNOWN_FUNCTION 0");
    }

    #[test]
    fn type_aliases() {
        let both = "type A = Array[Integer]\ntype B = Hash[String, A]\n[[1] =~ A, B]";
        assert_eq!(run(both), "[true, B]");
        assert_eq!(run("type A = Array[A]\n[[[]]] =~ A"), "true");
        assert_eq!(run("with(1) |Nope $x| { $x }"), "UNKNOWN_RESOURCE_TYPE 9");
    }

    #[test]
    fn hostile_sources_terminate() {
        let doubling = (0..60).map(|it| format!("$a{} = \"$a{it}$a{it}\"\n", it + 1));
        let source = format!("$a0 = 'x'\n{}$a60", doubling.collect::<String>());
        assert_eq!(run(&source), "?");
        let lists = (0..60).map(|it| format!("$a{} = [$a{it}, $a{it}]\n", it + 1));
        let source = format!("$a0 = 'x'\n{}$a60 == $a59", lists.collect::<String>());
        assert_eq!(run(&source), "?");
        let nested = format!("{}1{}", "(".repeat(900), ")".repeat(900));
        assert_eq!(run(&nested), "1");
        assert_eq!(run(&format!("1{}", " + 1".repeat(900))), "901");
    }
}
