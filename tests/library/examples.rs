//! The examples in the documentation: all are right, and those with `# => value` come to it.

use analysis::declared::Doc;
use analysis::library;
use analysis::{EvalAnswer, EvalSettings, evaluate};
use syntax::Dialect;
use syntax::validation::{PuppetVersion, ValidationContext, validate};

use crate::nothing_wrong;

/// All examples, each with what it is about.
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
fn examples_are_right() {
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
            wrong.push(format!("{name}: an example is empty"));
        }
    }
    nothing_wrong(&wrong);
}

#[test]
fn examples_come_to_what_they_say() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, text) in examples() {
        let Some((_, expected)) = text.rsplit_once("# => ") else {
            continue;
        };
        count += 1;
        let value = |source: &str| match evaluate(source, EvalSettings::default()) {
            EvalAnswer::Value(it) => it.value,
            _ => None,
        };
        let (ours, expected) = (value(&text), value(expected));
        if ours.is_none() || ours != expected {
            wrong.push(format!("{name}: {ours:?}, not {expected:?}: {text}"));
        }
    }
    assert!(count > 60, "only {count} examples have values");
    nothing_wrong(&wrong);
}
