//! Evaluating a source on its own, as Puppet evaluates a manifest without modules.

use syntax::ast::SourceFile;
use syntax::validation::{PuppetVersion, ValidationContext, validate};
use syntax::{Diagnostic, Dialect, Severity, Stage, TextSize};

use super::alone::Alone;
use super::budget::Budget;
use super::expressions::Evaluator;
use super::scope::Scope;
use super::stop::{Evaluated, Stop};
use super::{Context, Halt};
use types::Type;
use types::values::{self, HashValue, Value};

/// How much work an evaluation may be.
const BUDGET: u64 = 300_000;

/// By which rules a source is evaluated.
#[derive(Clone, Debug, Default)]
pub struct EvalSettings {
    /// The release of Puppet.
    pub version: PuppetVersion,
    /// The facts of the node by name; nothing if they are not known.
    pub facts: Option<HashValue>,
}

/// What a source comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalAnswer {
    /// Its last expression has a value.
    Value(ValueAnswer),
    /// Puppet fails.
    Failure(Failure),
    /// What Puppet does is not known, for this reason.
    Unknown(String),
}

/// A value and its types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueAnswer {
    /// Puppet source for the value, if there is any.
    pub value: Option<String>,
    /// What `type($value, 'detailed')` gives.
    pub type_detailed: String,
    /// What `type($value, 'reduced')` gives.
    pub type_reduced: String,
    /// What `type($value, 'generalized')` gives.
    pub type_generalized: String,
    /// The detailed type with the strings that Puppet knows but does not print.
    pub type_exact: String,
    /// The detailed type as editors show it, with String<a,b> for one of several strings.
    pub type_shown: String,
}

/// Where and how Puppet fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// `parse`, `validate` or `evaluate`.
    pub stage: &'static str,
    /// What is wrong, in our words.
    pub message: String,
    /// Puppet's issue code, if Puppet gives it one.
    pub code: Option<&'static str>,
    /// Where Puppet reports it, in bytes, if it says where.
    pub at: Option<TextSize>,
}

/// Evaluates a source that has nothing around it: no modules, no catalog.
pub fn evaluate(source: &str, settings: EvalSettings) -> EvalAnswer {
    Session::new(settings).evaluate(source)
}

/// Sources evaluated one after the other, each of which sees what the ones before have assigned
/// and defined.
pub struct Session {
    version: PuppetVersion,
    environment: Alone,
    scope: Scope,
    spent: u64,
}

impl Session {
    /// A session in which nothing is assigned.
    pub fn new(settings: EvalSettings) -> Session {
        Session {
            version: settings.version,
            environment: Alone::new(settings.version, settings.facts),
            scope: Scope::default(),
            spent: 0,
        }
    }

    /// Returns the units of the evaluation budget that the last source has spent.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Evaluates the next source.
    pub fn evaluate(&mut self, source: &str) -> EvalAnswer {
        match self.value(source) {
            Ok(value) => EvalAnswer::Value(answer(&value)),
            Err(answer) => *answer,
        }
    }

    /// The value of the next source, or the answer that there is none.
    ///
    /// # Errors
    ///
    /// Never [`EvalAnswer::Value`].
    pub fn value(&mut self, source: &str) -> Result<Value, Box<EvalAnswer>> {
        self.spent = 0;
        let parse = syntax::parse(source, Dialect::default());
        let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
        if let Some(error) = parse.errors().iter().find(is_error) {
            return Err(EvalAnswer::Failure(refused(error)).into());
        }
        let context = ValidationContext {
            version: self.version,
            ..ValidationContext::default()
        };
        let tree = parse.tree();
        if let Some(error) = validate(&tree, &context).iter().find(is_error) {
            return Err(EvalAnswer::Failure(refused(error)).into());
        }
        self.environment.define(&tree);
        self.run(&tree).map_err(|it| stopped(it).into())
    }

    fn run(&mut self, tree: &SourceFile) -> Evaluated {
        let context = Context::new(self.version);
        let budget = Budget::new(BUDGET);
        let scope = std::mem::take(&mut self.scope);
        let mut evaluator =
            Evaluator::new(&context, &self.environment, &budget, true).within(scope);
        let result = evaluator.statements(tree.statements());
        self.spent = BUDGET - budget.left();
        self.scope = evaluator.into_scope();
        self.scope.forget_matches();
        result
    }
}

fn stopped(stop: Stop) -> EvalAnswer {
    match stop.at_the_outside() {
        (Halt::Unknown(why), _) => EvalAnswer::Unknown(why.into_owned()),
        (Halt::Error(error), at) => EvalAnswer::Failure(Failure {
            stage: "evaluate",
            code: error.issue.code(),
            message: error.message,
            at,
        }),
    }
}

fn refused(error: &Diagnostic) -> Failure {
    Failure {
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

fn answer(value: &Value) -> ValueAnswer {
    let (detailed, reduced) = (types::infer_detailed(value), types::infer(value));
    ValueAnswer {
        value: values::source(value),
        type_detailed: shown(&detailed),
        type_reduced: shown(&reduced),
        type_generalized: shown(&types::generalize(&reduced)),
        type_exact: types::display_exact(&detailed),
        type_shown: types::display_hover(&detailed),
    }
}

/// A type as Puppet prints it alone: that of an object with all that defines it.
fn shown(ty: &Type) -> String {
    match ty {
        Type::Object(_) => types::display_expanded(ty),
        ty => types::display(ty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value, the code of the error with its place, or a question mark.
    fn run(source: &str) -> String {
        match evaluate(source, EvalSettings::default()) {
            EvalAnswer::Value(it) => it.value.unwrap_or_else(|| "no source form".to_owned()),
            EvalAnswer::Failure(it) => {
                let at = it
                    .at
                    .map_or_else(|| "-".to_owned(), |it| u32::from(it).to_string());
                format!("{} {at}", it.code.unwrap_or("-"))
            }
            EvalAnswer::Unknown(_) => "?".to_owned(),
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
    fn operators_and_where_they_fail() {
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
    fn what_lies_outside_is_not_known() {
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
    fn functions_of_the_source() {
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
    fn types_of_the_source() {
        let both = "type A = Array[Integer]\ntype B = Hash[String, A]\n[[1] =~ A, B]";
        assert_eq!(run(both), "[true, B]");
        assert_eq!(run("type A = Array[A]\n[[[]]] =~ A"), "true");
        assert_eq!(run("with(1) |Nope $x| { $x }"), "UNKNOWN_RESOURCE_TYPE 9");
    }

    #[test]
    fn hostile_sources_end() {
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
