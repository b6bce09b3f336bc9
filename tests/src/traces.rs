//! Values that the real Puppet had while it compiled classes (`oracle/trace-corpus`), and the types
//! that are inferred for the same expressions.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use analysis::ide::{InferredType, TypedRangeKind};
use analysis::types::reader::{self, BuiltInTypes, TypeNames};
use analysis::types::{Type, is_assignable};
use serde_json::Value;
use syntax::validation::PuppetVersion;

use crate::workspace::{TestModule, TestWorkspace};

/// Resolves every name to a resource type; only identity matters.
#[derive(Debug)]
pub struct AnyResource;

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

/// One of the values of an expression.
#[derive(Debug)]
pub struct TraceRecord(Value);

impl TraceRecord {
    /// Returns the path of the file, starting with the folder of its module.
    pub fn path(&self) -> Option<&str> {
        let (_, path) = self.text("file")?.split_once("/modules.available/")?;
        Some(path)
    }

    /// Returns the start and the end of the expression.
    pub fn range(&self) -> (u32, u32) {
        (self.number("start"), self.number("end"))
    }

    /// Returns the line of the expression, counted from 1.
    pub fn line(&self) -> u32 {
        self.number("line")
    }

    /// Returns Puppet's class of the expression.
    pub fn kind(&self) -> &str {
        self.text("kind").unwrap_or_default()
    }

    /// Returns the kind of inferred type that belongs to the expression.
    pub fn subject(&self) -> TypedRangeKind {
        match (self.kind(), self.text("role")) {
            ("Parameter", _) => TypedRangeKind::Parameter,
            (_, Some("assigned")) => TypedRangeKind::Assigned,
            _ => TypedRangeKind::Expression,
        }
    }

    /// Checks whether the value only occurs in the lenient mode, in which a variable without a value is
    /// `undef`, as in Puppet 7.
    pub fn is_lenient(&self) -> bool {
        self.0["lenient"] == true
    }

    /// Returns the type of exactly this value, as Puppet prints it.
    pub fn exact_type(&self) -> Option<&str> {
        self.text("type_exact").or(self.text("type_detailed"))
    }

    /// Returns the generalized type of the value.
    pub fn general_type(&self) -> Option<&str> {
        self.text("type_generalized")
    }

    /// Returns the value, unless it was too long to be recorded.
    pub fn value(&self) -> Option<&str> {
        let value = self.text("value");
        value.filter(|_| self.0["truncated"].is_null())
    }

    /// Returns how an inferred type contradicts the value.
    pub fn contradiction(&self, inferred: &InferredType) -> Option<String> {
        let exact = self.exact_type()?;
        let actual = reader::read(exact, &AnyResource).ok()?;
        // Aliases are unknown here, and Puppet does not print backslashes in a form that can be parsed.
        let aliases = exact.contains("Type[") && exact.contains("::");
        let readable = !aliases && !exact.contains('\\');
        if readable && is_assignable(&inferred.type_, &actual) == Some(false) {
            return Some(format!("{} is not a {}", exact, inferred.type_));
        }
        let value = inferred.value.as_ref().and_then(analysis::values::source)?;
        let seen = self.value()?;
        (value != seen).then(|| format!("{seen} is not {value}"))
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.0[key].as_str()
    }

    fn number(&self, key: &str) -> u32 {
        let found = self.0[key].as_u64().and_then(|it| u32::try_from(it).ok());
        found.unwrap_or_default()
    }
}

/// Reads a recording, which may be compressed.
///
/// # Errors
/// If the file cannot be read, or is not a recording.
pub fn read_trace(path: &Path) -> io::Result<Vec<TraceRecord>> {
    let bytes = std::fs::read(path)?;
    let mut text = String::new();
    if path.extension().is_some_and(|it| it == "gz") {
        flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut text)?;
    } else {
        text = String::from_utf8(bytes).map_err(io::Error::other)?;
    }
    let lines = text.lines().map(serde_json::from_str);
    let lines: Result<Vec<Value>, _> = lines.collect();
    Ok(lines?.into_iter().map(TraceRecord).collect())
}

type InferredRanges = BTreeMap<(u32, u32, TypedRangeKind), InferredType>;

/// The inferred types of modules, by file. A variable without a value is `undef` in the lenient mode
/// of a recording, as in Puppet 7, and an error otherwise, as in Puppet 8.
#[derive(Debug)]
pub struct TraceInferences {
    strict: Inferences,
    lenient: Inferences,
}

#[derive(Debug)]
struct Inferences {
    workspace: TestWorkspace,
    of_files: BTreeMap<String, InferredRanges>,
}

impl TraceInferences {
    /// Loads modules.
    pub fn new(modules: &[TestModule]) -> TraceInferences {
        TraceInferences {
            strict: Inferences::new(modules, PuppetVersion::V8),
            lenient: Inferences::new(modules, PuppetVersion::V7),
        }
    }

    /// Returns what is inferred for the expression of a record.
    pub fn of(&mut self, record: &TraceRecord) -> Option<&InferredType> {
        let inferences = match record.is_lenient() {
            true => &mut self.lenient,
            false => &mut self.strict,
        };
        inferences.of(record)
    }

    /// Returns the text of a file.
    pub fn text(&self, path: &str) -> Option<std::sync::Arc<str>> {
        self.strict.workspace.text(path)
    }
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

    fn of(&mut self, record: &TraceRecord) -> Option<&InferredType> {
        let path = record.path()?;
        if !self.of_files.contains_key(path) {
            let analysis = self.workspace.analysis();
            let id = self.workspace.id(path);
            let ranges = id.map(|it| analysis.inferred_types(it));
            let by_range = |it: InferredType| {
                let key = (it.range.start().into(), it.range.end().into(), it.kind);
                (key, it)
            };
            let ranges = ranges.into_iter().flatten().map(by_range);
            self.of_files.insert(path.to_owned(), ranges.collect());
        }
        let (start, end) = record.range();
        let of_file = self.of_files.get(path)?;
        of_file.get(&(start, end, record.subject()))
    }
}
