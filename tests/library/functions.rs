//! Functions: every overload, in both releases.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::library;
use analysis::signatures::{Arity, Function, FunctionApi, Overload};
use analysis::types::definitions::Definitions;
use analysis::types::reader::{self, BuiltInTypes};
use analysis::types::{Type, equivalent};
use pupil_tests::{corpus, oracle};
use serde::Deserialize;
use syntax::Dialect;
use syntax::ast::{Expr, HasName};
use syntax::validation::PuppetVersion;

use crate::{assert_no_problems, recorded};

/// A function as recorded from Puppet.
#[derive(Clone, Deserialize)]
struct Recorded {
    name: String,
    api: String,
    /// The signatures of a 4.x function. Empty if it could not be loaded.
    #[serde(default)]
    signatures: Vec<Signature>,
    /// The number of arguments of a 3.x function; -1 - n means n or more.
    arity: Option<i64>,
    /// Whether a 3.x function returns a value.
    value: Option<bool>,
}

#[derive(Clone, Deserialize)]
struct Signature {
    /// A `Callable`.
    #[serde(rename = "type")]
    type_: String,
    parameters: Vec<String>,
}

fn recorded_in(version: PuppetVersion) -> BTreeMap<String, Recorded> {
    let mut all: Vec<Recorded> = recorded("functions.jsonl");
    if version == PuppetVersion::V8 {
        all.extend(recorded::<Recorded>("functions-8.jsonl"));
    }
    all.into_iter().map(|it| (it.name.clone(), it)).collect()
}

/// Returns the `Callable` of an overload, with its return type only if `with_result`.
fn callable(overload: &Overload, with_result: bool) -> String {
    let count = |wanted: &[Arity]| {
        let parameters = overload.parameters.iter();
        parameters.filter(|it| wanted.contains(&it.arity)).count()
    };
    let any = "Any".to_owned();
    let types = overload.parameters.iter();
    let mut inside: Vec<String> = types
        .map(|it| it.type_.clone().unwrap_or(any.clone()))
        .collect();
    let least = count(&[Arity::Required, Arity::RequiredRepeated]);
    if count(&[Arity::Repeated, Arity::RequiredRepeated]) > 0 {
        inside.push(format!("{least}, default"));
    } else if least < inside.len() || inside.is_empty() {
        inside.push(format!("{least}, {}", inside.len()));
    }
    if let Some(block) = &overload.block {
        let type_ = block.type_.clone().unwrap_or("Callable".to_owned());
        inside.push(if block.optional {
            format!("Optional[{type_}]")
        } else {
            type_
        });
    }
    let inside = inside.join(", ");
    match overload.returns.as_ref().filter(|_| with_result) {
        Some(result) => format!("Callable[[{inside}], {result}]"),
        None => format!("Callable[{inside}]"),
    }
}

/// Parses a type in the scope of the local types of an overload.
fn read(text: &str, overload: &Overload) -> Result<Type, String> {
    let local = overload.local_types.iter();
    let local: String = local
        .map(|(name, body)| format!("type {name} = {body}\n"))
        .collect();
    let parse = syntax::parse(&local, Dialect::default());
    let aliases = parse.tree().statements().filter_map(|it| match it {
        Expr::TypeAlias(it) => Some((Arc::from(it.name()?.text()), it.type_expr()?)),
        _ => None,
    });
    let names = Definitions::new(aliases, &BuiltInTypes);
    reader::read_puppet(text, &names).map_err(|it| format!("`{text}`: {it:?}"))
}

fn same(ours: &str, theirs: &str, overload: &Overload) -> Result<bool, String> {
    Ok(equivalent(&read(ours, overload)?, &read(theirs, overload)?) == Some(true))
}

/// Returns the difference between an overload and the recorded signature.
fn compared(overload: &Overload, theirs: &Signature) -> Option<String> {
    let has_result = theirs.type_.starts_with("Callable[[") && theirs.type_.ends_with(']');
    let has_result = has_result && theirs.type_.contains("], ");
    let ours = callable(overload, has_result);
    let names: Vec<&String> = overload.parameters.iter().map(|it| &it.name).collect();
    if names != theirs.parameters.iter().collect::<Vec<_>>() {
        return Some(format!(
            "found parameters {names:?}, expected {:?}",
            theirs.parameters
        ));
    }
    match same(&ours, &theirs.type_, overload) {
        Ok(true) => None,
        Ok(false) => Some(format!("found {ours}, expected {}", theirs.type_)),
        Err(error) => Some(error),
    }
}

fn differences(ours: &Function, theirs: &Recorded) -> Vec<String> {
    let name = &theirs.name;
    if theirs.api == "3.x" {
        let fits = ours
            .overloads
            .iter()
            .all(|it| accepts(it, theirs.arity.unwrap_or(-1)));
        let right = fits
            && ours.api == FunctionApi::Ruby3x
            && Some(ours.has_value) == theirs.value
            && ours.overloads.len() == 1;
        return if right {
            Vec::new()
        } else {
            vec![format!("{name}: different arguments or kind")]
        };
    }
    if ours.api != FunctionApi::Ruby4x || !ours.has_value {
        return vec![format!("{name}: a 4.x function")];
    }
    // A function that Puppet could not load has no signatures.
    let (count, theirs) = (ours.overloads.len(), &theirs.signatures);
    if count != theirs.len() && !theirs.is_empty() {
        return vec![format!(
            "{name}: found {count} overloads, expected {}",
            theirs.len()
        )];
    }
    let pairs = ours.overloads.iter().zip(theirs);
    let wrong = pairs.filter_map(|(ours, theirs)| compared(ours, theirs));
    wrong.map(|it| format!("{name}: {it}")).collect()
}

/// Checks whether the arity of a 3.x function covers the overload of the stub. The arity may be
/// larger, because it does not always check what makes sense.
fn accepts(overload: &Overload, arity: i64) -> bool {
    let least = overload.parameters.iter();
    let least = least.filter(|it| matches!(it.arity, Arity::Required | Arity::RequiredRepeated));
    let least = i64::try_from(least.count()).unwrap_or(i64::MAX);
    let repeated = overload
        .parameters
        .last()
        .is_some_and(|it| it.arity == Arity::Repeated);
    let same_least = if arity < 0 {
        least == -1 - arity
    } else {
        least == arity
    };
    same_least && (arity < 0 || !repeated)
}

#[test]
fn overloads_match_puppet() {
    for version in [PuppetVersion::V7, PuppetVersion::V8] {
        let theirs = recorded_in(version);
        assert_eq!(theirs.len(), 104);
        let ours: Vec<&str> = library::functions(version)
            .map(|it| it.name.as_str())
            .collect();
        assert_eq!(ours, theirs.keys().collect::<Vec<_>>());
        let pairs = library::functions(version).zip(theirs.values());
        let wrong: Vec<String> = pairs
            .flat_map(|(ours, theirs)| differences(ours, theirs))
            .collect();
        assert_no_problems(&wrong);
    }
}

#[test]
fn return_types_parse() {
    let mut wrong = Vec::new();
    for version in [PuppetVersion::V7, PuppetVersion::V8] {
        for function in library::functions(version) {
            for overload in &function.overloads {
                let read = read(&callable(overload, true), overload);
                wrong.extend(read.err().map(|it| format!("{}: {it}", function.name)));
            }
        }
    }
    assert_no_problems(&wrong);
}

#[test]
fn documentation_is_complete() {
    let mut wrong = Vec::new();
    for function in library::functions(PuppetVersion::V8) {
        let (name, doc) = (&function.name, &function.doc);
        let mut has = |tag: &str| {
            if doc.tags(tag).all(|it| it.text.is_empty()) {
                wrong.push(format!("{name} lacks @{tag}"));
            }
        };
        has("summary");
        has("return");
        for overload in &function.overloads {
            let parameters = overload.parameters.iter().map(|it| &it.name);
            let block = overload.block.iter().map(|it| &it.name);
            for parameter in parameters.chain(block) {
                let about = overload
                    .doc
                    .parameter(parameter)
                    .or(doc.parameter(parameter));
                if about.is_none_or(|it| it.text.is_empty()) {
                    wrong.push(format!("{name}: undocumented parameter {parameter}"));
                }
            }
        }
        let known = |it: &str| {
            let overloads = function.overloads.iter();
            let parameters = overloads
                .clone()
                .flat_map(|it| &it.parameters)
                .map(|it| &it.name);
            let blocks = overloads
                .filter_map(|it| it.block.as_ref())
                .map(|it| &it.name);
            parameters.chain(blocks).any(|name| name == it)
        };
        let subjects = doc.tags("param").filter_map(|it| it.subject.as_deref());
        wrong.extend(
            subjects
                .filter(|it| !known(it))
                .map(|it| format!("{name}: unknown parameter {it} in the documentation")),
        );
    }
    assert_no_problems(&wrong);
}

/// 3.x functions do not declare parameter types: calls each with values of many types and checks
/// which fail.
#[test]
#[ignore = "needs puppet-agent"]
fn old_functions_accept_the_types_in_the_stubs() {
    const VALUES: [&str; 18] = [
        "Binary('YWJj')",
        "SemVerRange('1.x')",
        "undef",
        "Timestamp(0)",
        "Timespan(1)",
        "/a/",
        "SemVer('1.0.0')",
        "true",
        "1",
        "1.5",
        "'a'",
        "'5'",
        "default",
        "[1]",
        "{'a' => {}}",
        "Sensitive('a')",
        "String",
        "File['/x']",
    ];
    // Results of other functions depend on the environment.
    const CALLS: [(&str, usize, &str); 8] = [
        ("md5", 0, "md5(@)"),
        ("sha1", 0, "sha1(@)"),
        ("sha256", 0, "sha256(@)"),
        ("digest", 0, "digest(@)"),
        ("sprintf", 0, "sprintf(@)"),
        ("create_resources", 0, "create_resources(@, {})"),
        ("create_resources", 1, "create_resources('notify', @)"),
        ("create_resources", 2, "create_resources('notify', {}, @)"),
    ];
    let mut questions = Vec::new();
    for (name, at, call) in CALLS {
        let function = library::function(name, PuppetVersion::V7).expect("a known function");
        let parameter = &function.overloads[0].parameters[at];
        let type_ = parameter.type_.as_deref().unwrap_or("Any");
        for value in VALUES {
            questions.push((call.replace('@', value), format!("{value} =~ {type_}")));
        }
    }
    let ask = |sources: Vec<&String>| {
        let line = |it: &String| format!("{}\n", serde_json::json!({ "source": it }));
        let program = corpus::tests_dir().join("oracle/eval");
        let answers = oracle::answers(program, &[], sources.into_iter().map(line).collect());
        assert_eq!(answers.len(), questions.len(), "one answer per question");
        answers
    };
    let works = ask(questions.iter().map(|it| &it.0).collect());
    let fits = ask(questions.iter().map(|it| &it.1).collect());
    let pairs = questions.iter().zip(works.iter().zip(&fits));
    let wrong =
        pairs.filter(|(_, (works, fits))| (works["ok"] == true) != (fits["value"] == "true"));
    assert_no_problems(
        &wrong
            .map(|(it, (works, _))| format!("{}: {works}", it.0))
            .collect::<Vec<_>>(),
    );
}
