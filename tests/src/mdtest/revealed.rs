//! Compares inferred types with the assertions in a block, and with the values in Puppet.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process};

use analysis::base::{EnvironmentLayout, ModulepathKind, WorkspaceLayout};
use analysis::ide::{InferredType, TypedRangeKind};
use analysis::types::{display_exact, display_hover};
use analysis::{AnalysisHost, Change, FileId, FileSpec};
use serde_json::{Value as Json, json};
use syntax::{Dialect, TextSize};

use super::assertion::Claim;
use super::block::ParsedBlock;
use super::check::Failure;
use super::document::Block;
use crate::corpus::tests_dir;
use crate::verdict::Position;

/// The type of an unreachable expression.
const NEVER: &str = "never";

/// Returns the assertions about inferred types that do not hold.
pub(super) fn check(block: &Block, parsed: &ParsedBlock) -> Vec<Failure> {
    if parsed.revealed.is_empty() {
        return Vec::new();
    }
    check_places(&inferred(block), parsed)
}

pub(super) fn check_places(places: &[InferredType], parsed: &ParsedBlock) -> Vec<Failure> {
    let mut failures = Vec::new();
    for (end, it) in &parsed.revealed {
        let Claim::Revealed(expected) = &it.claim else {
            continue;
        };
        let found = at(places, *end);
        let holds = found == *expected;
        if it.todo && holds {
            failures.push(Failure::outdated(it));
        } else if !it.todo && !holds {
            let text = format!("expected revealed: {expected}\nfound    revealed: {found}");
            failures.push(Failure::new(it.line, text));
        }
    }
    failures
}

/// Returns the type of the outermost expression that ends at an offset.
fn at(places: &[InferredType], end: TextSize) -> String {
    let ending = places
        .iter()
        .filter(|it| it.kind == TypedRangeKind::Expression && it.range.end() == end);
    let outermost = ending.min_by_key(|it| it.range.start());
    outermost.map_or_else(|| NEVER.to_owned(), |it| display_hover(&it.type_))
}

/// Infers a block as the main manifest.
fn inferred(block: &Block) -> Vec<InferredType> {
    let file = FileId(0);
    let mut host = AnalysisHost::default();
    let environment = EnvironmentLayout {
        name: "test".to_owned(),
        manifests: vec![file],
        modulepath: ModulepathKind::OfEnvironment,
        ..EnvironmentLayout::default()
    };
    let layout = WorkspaceLayout {
        environments: vec![environment],
    };
    host.apply_change(Change::SetVersion(block.version));
    host.apply_change(Change::SetWorkspace(Arc::new(layout)));
    host.apply_change(Change::SetFile {
        file,
        spec: FileSpec {
            dialect: Dialect::default(),
            place: None,
        },
        text: block.text.as_str().into(),
    });
    host.analysis().inferred_types(file)
}

/// Runs the block with Puppet and returns the values that contradict the inferred types.
///
/// # Panics
/// If Puppet cannot be run.
pub(super) fn contradictions(block: &Block, parsed: &ParsedBlock) -> Vec<Failure> {
    if parsed.revealed.is_empty() || block.step {
        return Vec::new();
    }
    // Documents are tested in parallel, and their blocks can start on the same line.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("pupil-mdtest-{}-{count}", process::id()));
    fs::create_dir_all(&folder).expect("a temporary directory");
    let folder = fs::canonicalize(&folder).expect("the directory exists");
    let manifest = folder.join("site.pp");
    let claims = folder.join("claims.jsonl");
    let name = manifest.to_string_lossy();
    let lines = inferred(block).into_iter().map(|it| claim(&name, &it));
    fs::write(&manifest, &block.text).expect("the file can be written");
    fs::write(&claims, lines.collect::<String>()).expect("the file can be written");
    let output = Command::new(tests_dir().join("oracle").join("trace"))
        .arg("--check")
        .args([&claims, &manifest])
        .stdin(Stdio::null())
        .output()
        .expect("Puppet runs");
    fs::remove_dir_all(&folder).expect("the directory can be removed");
    let status = String::from_utf8_lossy(&output.stderr);
    let status: Json = status
        .lines()
        .last()
        .and_then(|it| serde_json::from_str(it).ok())
        .unwrap_or_default();
    let mut failures = Vec::new();
    if status["ok"] != Json::Bool(true) || status["checked"].as_u64().unwrap_or(0) == 0 {
        failures.push(Failure::new(1, format!("no value was checked: {status}")));
    }
    let rendered = String::from_utf8_lossy(&output.stdout);
    failures.extend(rendered.lines().map(|it| contradiction(block, it)));
    failures
}

fn claim(file: &str, place: &InferredType) -> String {
    let mut claim = json!({
        "file": file,
        "start": u32::from(place.range.start()),
        "end": u32::from(place.range.end()),
        "type": display_exact(&place.type_),
    });
    match place.kind {
        TypedRangeKind::Parameter => claim["kind"] = "Parameter".into(),
        TypedRangeKind::Assigned => claim["kind"] = "VariableExpression".into(),
        TypedRangeKind::Expression => {}
    }
    format!("{claim}\n")
}

fn contradiction(block: &Block, line: &str) -> Failure {
    let found: Json = serde_json::from_str(line).unwrap_or_default();
    let start = found["start"]
        .as_u64()
        .and_then(|it| u32::try_from(it).ok());
    let line_of = |it| Position::of(&block.text, TextSize::new(it)).line as usize;
    Failure::new(
        start.map_or(1, line_of),
        format!("contradicted by Puppet: {line}"),
    )
}

#[cfg(test)]
mod tests {
    use syntax::validation::PuppetVersion;

    use super::super::block;
    use super::super::document::Language;
    use super::*;

    fn failures(text: &str) -> usize {
        let block = Block {
            path: None,
            language: Language::Puppet,
            parse_only: false,
            step: false,
            version: PuppetVersion::V8,
            text: text.to_owned(),
            line: 1,
        };
        check(&block, &block::parse_block(&block)).len()
    }

    #[test]
    fn assertions_are_about_the_preceding_expression() {
        let function = |body: &str| format!("function f(String $s) {{\n{body}\n}}\nf('x')");
        for (body, wrong) in [
            ("$s # revealed: String", 0),
            ("[$s] # revealed: Tuple[String]", 0),
            ("[\n  1, # revealed: Integer[1, 1]\n  $s,\n]", 1),
            (
                "[\n  1, # one\n  $s,\n]\n# revealed: Tuple[Integer[1, 1], String]",
                0,
            ),
            ("$s # revealed: Integer", 1),
            ("fail('x')\n$s # revealed: never", 0),
            ("$s # todo: revealed: Integer", 0),
            ("$s # todo: revealed: String", 1),
        ] {
            assert_eq!(failures(&function(body)), wrong, "{body}");
        }
    }
}
