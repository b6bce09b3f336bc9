//! The examples in the documentation: all parse, and those with `# => value` evaluate to it.

use analysis::library;
use analysis::signatures::Doc;
use analysis::{EvalSettings, Evaluation, evaluate};
use pupil_tests::{corpus, oracle};
use syntax::Dialect;
use syntax::validation::{PuppetVersion, ValidationContext, validate};

use crate::assert_no_problems;

/// Returns all examples with the name of the documented item.
fn examples() -> Vec<(String, String)> {
    let functions = library::functions(PuppetVersion::V8).flat_map(|it| {
        let overloads = it.overloads.iter().map(|it| &it.doc);
        let docs = std::iter::once(&it.doc).chain(overloads);
        docs.flat_map(of)
            .map(|text| (it.name.clone(), text))
            .collect::<Vec<_>>()
    });
    let types = library::resource_types(PuppetVersion::V8);
    let types = types.flat_map(|it| of(&it.doc).into_iter().map(|text| (it.name.clone(), text)));
    functions.chain(types).collect()
}

fn of(doc: &Doc) -> Vec<String> {
    doc.tags("example").map(|it| it.text.clone()).collect()
}

#[test]
fn examples_parse() {
    let examples = examples();
    assert!(examples.len() > 120, "only {} examples", examples.len());
    let mut wrong = Vec::new();
    for (name, text) in &examples {
        let parse = syntax::parse(text, Dialect::default());
        let errors = parse.errors().iter().map(|it| &it.message);
        wrong.extend(errors.map(|it| format!("{name}: {it}: {text}")));
        let found = validate(&parse.tree(), &ValidationContext::default());
        wrong.extend(
            found
                .iter()
                .map(|it| format!("{name}: {}: {text}", it.message)),
        );
        if text.is_empty() {
            wrong.push(format!("{name}: empty example"));
        }
    }
    assert_no_problems(&wrong);
}

#[test]
fn examples_evaluate_to_the_documented_values() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, text) in examples() {
        let Some((_, expected)) = text.rsplit_once("# => ") else {
            continue;
        };
        count += 1;
        let value = |source: &str| match evaluate(source, EvalSettings::default()) {
            Evaluation::Value(it) => it.value,
            _ => None,
        };
        let (ours, expected) = (value(&text), value(expected));
        if ours.is_none() || ours != expected {
            wrong.push(format!(
                "{name}: expected {expected:?}, found {ours:?}: {text}"
            ));
        }
    }
    assert!(count > 60, "only {count} examples have values");
    assert_no_problems(&wrong);
}

/// Returns Puppet's answers for some sources.
fn puppet_answers(sources: &[&str]) -> Vec<serde_json::Value> {
    let lines = sources
        .iter()
        .map(|it| format!("{}\n", serde_json::json!({ "source": it })));
    let modules = [
        "augeas",
        "cron",
        "host",
        "mailalias",
        "mount",
        "selinux",
        "sshkeys",
    ];
    let modules = modules.map(|it| corpus::modules_dir().join(format!("puppetlabs-{it}-core")));
    let modules = modules.iter().filter_map(|it| it.to_str());
    let args: Vec<&str> = modules.flat_map(|it| ["--modulepath", it]).collect();
    let program = corpus::tests_dir().join("oracle/eval");
    let answers = oracle::answers(program, &args, lines.collect());
    assert_eq!(answers.len(), sources.len(), "one answer per source");
    answers
}

#[test]
#[ignore = "needs puppet-agent and Debian's Puppet modules"]
fn examples_evaluate_to_the_same_values_in_puppet() {
    let examples = examples();
    let with_value = examples
        .iter()
        .filter_map(|(_, it)| it.rsplit_once("# => "));
    let with_value: Vec<(&str, &str)> = with_value.collect();
    let (code, values): (Vec<&str>, Vec<&str>) = with_value.into_iter().unzip();
    let mut wrong = Vec::new();
    for ((code, ours), theirs) in code
        .iter()
        .zip(puppet_answers(&values))
        .zip(puppet_answers(&code))
    {
        if ours["ok"] != true || theirs["ok"] != true || ours["value"] != theirs["value"] {
            wrong.push(format!("{code}: {theirs}"));
        }
    }
    assert_no_problems(&wrong);
}

#[test]
#[ignore = "needs puppet-agent and Debian's Puppet modules"]
fn examples_of_resource_types_compile() {
    let types = library::resource_types(PuppetVersion::V7);
    let examples: Vec<String> = types.flat_map(|it| of(&it.doc)).collect();
    let sources: Vec<&str> = examples.iter().map(String::as_str).collect();
    let (mut compiled, mut wrong) = (0, Vec::new());
    for (source, answer) in sources.iter().zip(puppet_answers(&sources)) {
        let error = answer["error"].as_str().unwrap_or_default();
        match answer["ok"] == true {
            true => compiled += 1,
            // Debian does not package all modules.
            false if error.contains("Unknown resource type") => {}
            false => wrong.push(format!("{source}: {error}")),
        }
    }
    assert_no_problems(&wrong);
    assert!(compiled >= 18, "only {compiled} examples compile");
}
