//! Evaluating a source on its own, as Puppet evaluates a manifest without modules.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{AstNode, Expr, FunctionDefinition, HasName, SourceFile, TypeAlias};
use syntax::validation::{PuppetVersion, ValidationContext, validate};
use syntax::{Diagnostic, Dialect, Severity, Stage, SyntaxNode, TextSize};

use super::budget::Budget;
use super::closures::Closure;
use super::expressions::{Environment, Evaluator, error};
use super::functions::FunctionDefinitions;
use super::{Context, Halt, Issue, Outcome};
use crate::types::definitions::Definitions;
use crate::types::reader::{BuiltInTypes, TypeNames};
use crate::types::{self, Refused, Type};
use crate::values::{self, Value};

/// How much work an evaluation may be.
const BUDGET: u64 = 2_000_000;

/// By which rules a source is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvalSettings {
    /// The release of Puppet.
    pub version: PuppetVersion,
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

/// Evaluates a source that has nothing around it: no modules, no facts.
pub fn evaluate(source: &str, settings: EvalSettings) -> EvalAnswer {
    let parse = syntax::parse(source, Dialect::default());
    let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
    if let Some(error) = parse.errors().iter().find(is_error) {
        return EvalAnswer::Failure(refused(error));
    }
    let context = ValidationContext {
        version: settings.version,
        ..ValidationContext::default()
    };
    let tree = parse.tree();
    if let Some(error) = validate(&tree, &context).iter().find(is_error) {
        return EvalAnswer::Failure(refused(error));
    }
    run(&tree, settings)
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

fn run(tree: &SourceFile, settings: EvalSettings) -> EvalAnswer {
    let context = Context::new(settings.version);
    let environment = Alone::new(tree, settings.version);
    let budget = Budget::new(BUDGET);
    let mut evaluator = Evaluator::new(&context, &environment, &budget, true);
    match evaluator.statements(tree.statements()) {
        Ok(value) => EvalAnswer::Value(answer(&value)),
        Err(stop) => match stop.at_the_outside() {
            (Halt::Unknown(why), _) => EvalAnswer::Unknown(why.into_owned()),
            (Halt::Error(error), at) => EvalAnswer::Failure(Failure {
                stage: "evaluate",
                code: error.issue.code(),
                message: error.message,
                at,
            }),
        },
    }
}

fn answer(value: &Value) -> ValueAnswer {
    let (detailed, reduced) = (types::infer_detailed(value), types::infer(value));
    ValueAnswer {
        value: values::source(value),
        type_detailed: types::display(&detailed),
        type_reduced: types::display(&reduced),
        type_generalized: types::display(&types::generalize(&reduced)),
        type_exact: types::display_exact(&detailed),
    }
}

/// A source with nothing around it.
struct Alone {
    version: PuppetVersion,
    functions: FxHashMap<String, Closure>,
    types: SourceTypes,
}

impl Alone {
    fn new(tree: &SourceFile, version: PuppetVersion) -> Alone {
        let functions = tree.syntax().descendants().filter_map(|it| {
            let function = FunctionDefinition::cast(it)?;
            let name = function.name()?.text().to_owned();
            let name = name.strip_prefix("::").unwrap_or(&name).to_owned();
            let closure = Closure::of_function(&name, &function);
            Some((name, closure))
        });
        Alone {
            version,
            functions: functions.collect(),
            types: SourceTypes::new(tree),
        }
    }
}

impl FunctionDefinitions for Alone {
    fn lookup(&self, name: &str) -> Option<&Closure> {
        self.functions.get(name)
    }
}

/// The types that a source defines, over those of Puppet. Each is resolved once.
struct SourceTypes {
    definitions: Definitions<'static>,
    /// Names in lower case.
    defined: FxHashSet<String>,
    known: RefCell<FxHashMap<String, Result<Type, Refused>>>,
}

impl SourceTypes {
    fn new(tree: &SourceFile) -> SourceTypes {
        let aliases = tree.syntax().descendants().filter_map(TypeAlias::cast);
        let aliases: Vec<(Arc<str>, Expr)> = aliases
            .filter_map(|it| Some((it.name()?.text().into(), it.type_expr()?)))
            .collect();
        SourceTypes {
            defined: aliases.iter().map(|(name, _)| key(name)).collect(),
            definitions: Definitions::new(aliases, &BuiltInTypes),
            known: RefCell::default(),
        }
    }

    fn get(&self, name: &str) -> Result<Type, Refused> {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let found = self.definitions.get(name);
        self.known
            .borrow_mut()
            .insert(name.to_owned(), found.clone());
        found
    }
}

impl TypeNames for SourceTypes {
    fn lookup(&self, name: &str) -> Option<Type> {
        if self.defined.contains(name) {
            self.get(name).ok()
        } else {
            BuiltInTypes.lookup(name)
        }
    }
}

/// The name of a type as it is looked up.
fn key(name: &str) -> String {
    name.strip_prefix("::").unwrap_or(name).to_lowercase()
}

impl Environment for Alone {
    fn variable(&self, _at: &SyntaxNode, name: &str) -> Outcome {
        let name = name.strip_prefix("::").unwrap_or(name);
        let scope = name.rsplit_once("::").map(|(scope, _)| scope);
        match scope {
            Some("settings") => Err(Halt::unknown("a setting")),
            // A class has no variables before it is declared, and nothing here declares one.
            Some(_) if self.version == PuppetVersion::V7 => Ok(Value::Undef),
            Some(_) => {
                let message = format!("the variable ${name} is not known");
                Err(error(Issue::UnknownVariable, message))
            }
            None if is_fact(name) => Err(Halt::unknown(format!("${name} may be a fact"))),
            None if self.version == PuppetVersion::V7 => Ok(Value::Undef),
            None => {
                let message = format!("the variable ${name} is not known");
                Err(error(Issue::UnknownVariable, message))
            }
        }
    }

    fn group(&self, _at: &SyntaxNode, _number: usize) -> Outcome {
        Ok(Value::Undef)
    }

    fn assign_at_top(&self, name: &str) -> Outcome<()> {
        match name {
            "facts" | "trusted" | "server_facts" => {
                let message = format!("the variable ${name} is reserved");
                Err(error(Issue::IllegalReservedAssignment, message))
            }
            "title" | "name" | "module_name" | "environment" => {
                let message = format!("the variable ${name} has a value already");
                Err(error(Issue::IllegalReassignment, message))
            }
            name if is_fact(name) => Err(Halt::unknown(format!("${name} may be a fact"))),
            _ => Ok(()),
        }
    }

    fn functions(&self) -> &dyn FunctionDefinitions {
        self
    }

    fn unknown_function(&self, name: &str) -> Halt {
        error(
            Issue::UnknownFunction,
            format!("the function {name} is not known"),
        )
    }

    fn types(&self) -> &dyn TypeNames {
        &self.types
    }

    fn unknown_type(&self, name: &str) -> Halt {
        let name = name.strip_prefix("::").unwrap_or(name);
        if let Some(Err(refused)) = self.types.known.borrow().get(&name.to_lowercase()) {
            return refused.clone().into();
        }
        error(
            Issue::UnknownResourceType,
            format!("the type {name} is not known"),
        )
    }
}

/// Whether a variable of the top may be a fact that every node has, or one of the variables that
/// Puppet sets itself.
fn is_fact(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "architecture",
        "augeas",
        "bios_",
        "block",
        "board",
        "boot_",
        "caller_module_name",
        "chassis",
        "client",
        "cloud",
        "disks",
        "dhcp_servers",
        "dmi",
        "domain",
        "ec2_",
        "env_",
        "facter",
        "filesystems",
        "fips_enabled",
        "fqdn",
        "gce",
        "gid",
        "hardware",
        "hostname",
        "hypervisors",
        "id",
        "identity",
        "interfaces",
        "ip",
        "is_virtual",
        "kernel",
        "ldom",
        "load_averages",
        "lsb",
        "mac",
        "manufacturer",
        "memory",
        "mountpoints",
        "mtu",
        "netmask",
        "network",
        "nim_type",
        "operatingsystem",
        "os",
        "partitions",
        "path",
        "physicalprocessorcount",
        "processor",
        "product",
        "ps",
        "puppetversion",
        "ruby",
        "scope6",
        "selinux",
        "serialnumber",
        "server",
        "solaris_zones",
        "sp_",
        "ssh",
        "swap",
        "system",
        "timezone",
        "uptime",
        "uuid",
        "virtual",
        "xen",
        "zfs_",
        "zone",
        "zpool_",
    ];
    PREFIXES.iter().any(|it| name.starts_with(it))
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
            "notice(1)",
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
