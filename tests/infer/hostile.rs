//! Code for which inference could take long. Work is asserted in counted units, because the time
//! depends on the machine; see [`pupil_tests::work`].

use std::fmt::Write as _;
use std::sync::Arc;

use analysis::{AnalysisHost, Change, FileId, FileSpec};
use pupil_tests::work::Work;

const FILE: FileId = FileId(0);

/// Infers a manifest and returns the type of its last assignment. Asserts the maximum number of
/// allocations per byte of the source.
fn infer(name: &str, text: &str, max_allocations: u64) -> String {
    let (places, work) = Work::of(|| {
        let mut host = AnalysisHost::default();
        host.apply_change(Change::SetFile {
            file: FILE,
            spec: FileSpec::default(),
            text: Arc::from(text),
        });
        let analysis = host.analysis();
        analysis.diagnostics(FILE);
        analysis.inferred_types(FILE)
    });
    // A new workspace takes some work, regardless of the source.
    let size = text.len() + 1_000;
    let per_byte = Work {
        allocations: max_allocations,
        allocated: 500 * max_allocations,
        syntax_steps: 20,
    };
    work.assert_linear(name, size, per_byte);
    let assigned = places
        .iter()
        .rfind(|it| it.kind == analysis::ide::TypedRangeKind::Assigned);
    assigned.map_or_else(String::new, |it| analysis::types::display(&it.type_))
}

#[test]
fn selector_with_ten_thousand_options() {
    let mut text = "class a(String $x) { $y = $x ? {\n".to_owned();
    for index in 0..10_000 {
        writeln!(text, "  'case{index}' => {index},").expect("writing to a string");
    }
    text.push_str("  default => 'none',\n} }\n");
    let found = infer("selector", &text, 3);
    assert!(found.contains("Integer[0, 9999]"), "{found}");
}

#[test]
fn hash_with_five_thousand_entries() {
    let mut text = "$y = {\n".to_owned();
    for index in 0..5_000 {
        writeln!(
            text,
            "  'key{index}' => {{ 'a' => {index}, 'b' => 'text{index}' }},"
        )
        .expect("writing to a string");
    }
    text.push_str("}\n");
    let found = infer("hash", &text, 6);
    assert!(found.starts_with("Hash[String"), "{found}");
}

#[test]
fn two_hundred_nested_levels() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(200), close.repeat(200));
    let cases = [
        (format!("class a($x) {{ $y = {} }}", deep("[", "]")), 80),
        (
            format!("class a($x) {{ {} }}", deep("if $x { ", " } else { 2 }")),
            6,
        ),
        (
            format!(
                "class a($x) {{ $y = {} }}",
                deep("$x ? { 1 => ", ", default => 2 }")
            ),
            5,
        ),
        (
            format!("class a($x) {{ {} }}", deep("[1].each |$i| { ", " }")),
            350,
        ),
        (
            format!("class a($x) {{ if {} {{ }} }}", deep("!($x and ", ")")),
            100,
        ),
    ];
    for (index, (case, max_allocations)) in cases.iter().enumerate() {
        infer(&format!("levels {index}"), case, *max_allocations);
    }
}

#[test]
fn fifty_mutually_recursive_functions() {
    let mut text = String::new();
    for index in 0..50 {
        let next = (index + 1) % 50;
        writeln!(
            text,
            "function f{index}($x) {{ if $x > {index} {{ f{next}($x - 1) + 1 }} else {{ {index} }} }}"
        )
        .expect("writing to a string");
    }
    text.push_str("$y = f0(10)\n");
    infer("functions", &text, 15);
}

#[test]
fn union_of_a_thousand_strings() {
    let mut names: Vec<String> = (0..1_000).map(|it| format!("'s{it}'")).collect();
    let type_ = format!("Enum[{}]", names.join(", "));
    names.reverse();
    let text = format!(
        "class a({type_} $x) {{ $l = [{}] if $x in $l {{ $y = $x }} elsif $x == 's5' {{ $y = 1 }} \
         $z = $l.map |$it| {{ \"${{it}}${{x}}\" }} }}",
        names.join(", ")
    );
    infer("strings", &text, 5);
}

#[test]
fn chain_of_a_thousand_operands() {
    for operator in ["and", "or", "+", "=="] {
        let operands = vec!["$x"; 1_000].join(&format!(" {operator} "));
        infer(
            operator,
            &format!("class a($x) {{ if {operands} {{ $y = $x }} }}"),
            250,
        );
    }
}
