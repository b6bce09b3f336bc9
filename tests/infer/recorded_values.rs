//! Inferred types compared with the values that Puppet had when it compiled classes of Debian's
//! modules. Recorded with `tests/oracle/trace-corpus` (see `tests/infer/record`).

use std::collections::BTreeMap;
use std::io::Read;

use analysis::ide::{InferredType, TypedRangeKind};
use analysis::types::reader::{self, BuiltInTypes, TypeNames};
use analysis::types::{Type, is_assignable};
use pupil_tests::corpus;
use pupil_tests::workspace::{TestModule, TestWorkspace, read_modules};
use serde_json::Value;
use syntax::validation::PuppetVersion;

const RECORDS: &[u8] = include_bytes!("records.jsonl.gz");

/// Resolves every name to a resource type; only identity matters.
struct AnyResource;

impl TypeNames for AnyResource {
    fn lookup(&self, name: &str) -> Option<Type> {
        let built_in = BuiltInTypes.lookup(name);
        built_in.or_else(|| {
            Some(Type::resource(
                &analysis::types::capitalize_segments(name),
                None,
            ))
        })
    }
}

fn records() -> Vec<Value> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(RECORDS)
        .read_to_string(&mut text)
        .expect("the recording can be read");
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().expect("each line is JSON")
}

fn number(record: &Value, key: &str) -> u32 {
    let found = record[key].as_u64().and_then(|it| u32::try_from(it).ok());
    found.expect("offsets are numbers")
}

fn subject(record: &Value) -> TypedRangeKind {
    match (record["kind"].as_str(), record["role"].as_str()) {
        (Some("Parameter"), _) => TypedRangeKind::Parameter,
        (_, Some("assigned")) => TypedRangeKind::Assigned,
        _ => TypedRangeKind::Expression,
    }
}

/// Returns how an inferred type contradicts the value that Puppet had at this range.
fn contradiction(inferred: &InferredType, record: &Value) -> Option<String> {
    let exact = record["type_exact"].as_str();
    let exact = exact.or(record["type_detailed"].as_str())?;
    let actual = reader::read(exact, &AnyResource).ok()?;
    // Aliases are unknown here, and Puppet does not print backslashes in a form that can be parsed.
    let aliases = exact.contains("Type[") && exact.contains("::");
    let readable = !aliases && !exact.contains('\\');
    if readable && is_assignable(&inferred.type_, &actual) == Some(false) {
        return Some(format!("{} is not a {}", exact, inferred.type_));
    }
    let value = inferred.value.as_ref().and_then(analysis::values::source)?;
    let seen = record["value"]
        .as_str()
        .filter(|_| record["truncated"].is_null())?;
    (value != seen).then(|| format!("{seen} is not {value}"))
}

type Claims = BTreeMap<(u32, u32, TypedRangeKind), InferredType>;

/// The inferred types of Debian's modules, by file.
struct Inferences {
    workspace: TestWorkspace,
    of_files: BTreeMap<String, Claims>,
}

impl Inferences {
    fn new(modules: &[TestModule], version: PuppetVersion) -> Inferences {
        let mut workspace = TestWorkspace::new(modules);
        workspace.set_version(version);
        Inferences {
            workspace,
            of_files: BTreeMap::new(),
        }
    }

    /// Returns what is inferred for the expression of a record.
    fn of(&mut self, path: &str, record: &Value) -> Option<&InferredType> {
        let workspace = &self.workspace;
        let of_file = self.of_files.entry(path.to_owned()).or_insert_with(|| {
            let analysis = workspace.analysis();
            let places = workspace.id(path).map(|it| analysis.inferred_types(it));
            let places = places.into_iter().flatten();
            let place = |it: InferredType| {
                (
                    (it.range.start().into(), it.range.end().into(), it.kind),
                    it,
                )
            };
            places.map(place).collect()
        });
        let (start, end) = (number(record, "start"), number(record, "end"));
        of_file.get(&(start, end, subject(record)))
    }
}

/// A variable without a value is `undef` in the lenient mode of the recording, as in Puppet 7, and
/// an error otherwise, as in Puppet 8.
#[test]
#[ignore = "needs Debian's modules"]
fn inferred_types_contain_the_recorded_values() {
    let modules = read_modules(&corpus::modules_dir()).expect("Debian's modules are installed");
    let mut lenient = Inferences::new(&modules, PuppetVersion::V7);
    let mut strict = Inferences::new(&modules, PuppetVersion::V8);
    let (mut checked, mut wrong) = (0, Vec::new());
    for record in records() {
        let file = record["file"].as_str().unwrap_or_default();
        let Some((_, path)) = file.split_once("/modules.available/") else {
            continue;
        };
        let inferences = match record["lenient"] == true {
            true => &mut lenient,
            false => &mut strict,
        };
        let Some(inferred) = inferences.of(path, &record) else {
            continue;
        };
        checked += 1;
        if let Some(problem) = contradiction(inferred, &record) {
            wrong.push(format!("{path}:{}: {problem}", record["line"]));
        }
    }
    eprintln!("{checked} values checked");
    assert!(checked > 15_000, "{checked}");
    assert!(wrong.is_empty(), "{} of {checked}: {wrong:#?}", wrong.len());
}
