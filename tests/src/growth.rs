//! Sources of many shapes and sizes, and the work that they take.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use analysis::ide::{FormatOptions, HintOptions};
use analysis::library;
use analysis::{Analysis, AnalysisHost, Change, FileId};
use syntax::validation::PuppetVersion;
use syntax::{TextRange, TextSize};

use crate::work::Work;

/// The shapes, one a line.
const SHAPES: &str = include_str!("../growth/shapes.tsv");

/// The path of manifests.
const MANIFEST: &str = "modules/m/manifests/init.pp";

/// The forms in which functions are called, with a part that is repeated between two others. `NAME` is the function.
const CALLS: [(&str, [&str; 4]); 6] = [
    ("calls", ["", "$x<i> = NAME($p, 'a<i>')", "\n", ""]),
    ("arguments", ["$x = NAME(", "'a<i>'", ", ", ")"]),
    ("array", ["$x = NAME([", "'a<i>'", ", ", "])"]),
    (
        "hash",
        ["$x = NAME({", "'a<i>' => <i>", ", ", "}, { a => 1 })"],
    ),
    (
        "array and lambda",
        ["$x = NAME([", "'a<i>'", ", ", "]) |$k, $v = 1| { $k }"],
    ),
    ("string", ["$x = NAME('", "a<i>", ",", "', 'a')"]),
];

/// A source that repeats a part. In the part, `<i>` is its number, and `<i-1>` and `<i+1>` are those of its neighbors.
#[derive(Debug)]
pub struct Shape {
    /// The name.
    pub name: String,
    path: &'static str,
    /// The text before, in and between the parts, and after them.
    texts: [String; 4],
    /// Other files, with their paths.
    others: &'static [(&'static str, &'static str)],
}

/// The work for a source: the number and the size of allocations, and CPU time.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The number of allocations and their size in bytes, if the allocator counts.
    pub work: Work,
    /// The CPU time, on Linux.
    pub time: Duration,
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = self.time.as_millis();
        let (count, kilobytes) = (self.work.allocations, self.work.allocated / 1000);
        write!(f, "{milliseconds:6} ms {count:9} {kilobytes:8} kB")
    }
}

impl Shape {
    /// Returns the files of the source with a number of parts.
    pub fn files(&self, count: usize) -> BTreeMap<String, String> {
        let [before, part, between, after] = &self.texts;
        let parts: Vec<String> = (1..=count).map(|it| numbered(part, it)).collect();
        let text = format!("{before}{}{after}", parts.join(between));
        let others = self
            .others
            .iter()
            .map(|(path, text)| (*path, (*text).to_owned()));
        let all = others.chain([(self.path, text)]);
        all.map(|(path, text)| (path.to_owned(), text)).collect()
    }

    /// Measures the work for the source with a number of parts: that of `pupil check`, of `pupil format` and of an
    /// editor that opens it.
    pub fn measure(&self, count: usize) -> Measured {
        let (analysis, files) = load(&self.files(count));
        let start = cpu_time();
        let ((), work) = Work::of(|| files.iter().for_each(|it| ask(&analysis, *it)));
        let time = cpu_time().saturating_sub(start);
        Measured { work, time }
    }
}

/// Returns the shapes of all kinds of files.
///
/// # Panics
/// If a line is not one of a shape.
pub fn shapes() -> Vec<Shape> {
    let lines = SHAPES.lines().filter(|it| !it.starts_with('#'));
    lines.map(|it| shape(it).expect("six fields")).collect()
}

fn shape(line: &str) -> Option<Shape> {
    let mut fields = line.split('\t');
    let (name, kind) = (fields.next()?, fields.next()?);
    let texts: Option<Vec<String>> = (0..4).map(|_| fields.next().map(unescaped)).collect();
    const CODE: (&str, &str) = (
        MANIFEST,
        "class m($a = 1) { notice(m::f($a)) foo { 'x': x => 'v1' } }\n",
    );
    const YAML: (&str, &str) = (
        "modules/m/hiera.yaml",
        "version: 5\nhierarchy:\n- {name: c, path: common.yaml}\n",
    );
    const JSON: (&str, &str) = (
        "modules/m/hiera.yaml",
        "version: 5\nhierarchy:\n- {name: c, path: common.json, data_hash: json_data}\n",
    );
    let (path, others): (_, &'static [_]) = match kind {
        "manifest" => (MANIFEST, &[]),
        "data" => ("modules/m/data/common.yaml", &[CODE, YAML]),
        "json" => ("modules/m/data/common.json", &[CODE, JSON]),
        "template" => ("modules/m/templates/x.epp", &[CODE]),
        "function" => ("modules/m/lib/puppet/functions/m/f.rb", &[CODE]),
        "type" => ("modules/m/lib/puppet/type/foo.rb", &[CODE]),
        _ => return None,
    };
    Some(Shape {
        name: name.to_owned(),
        path,
        texts: texts?.try_into().ok()?,
        others,
    })
}

/// Returns the shapes of calls of all functions.
pub fn shapes_of_calls() -> Vec<Shape> {
    let names = library::functions(PuppetVersion::V8).map(|it| it.name.as_str());
    let all = names.flat_map(|name| {
        CALLS
            .iter()
            .map(move |(form, [before, part, between, after])| Shape {
                name: format!("{form} of {name}"),
                path: MANIFEST,
                texts: [
                    format!("class m($p) {{\n{before}"),
                    (*part).to_owned(),
                    (*between).to_owned(),
                    format!("{after}\n}}\n"),
                ]
                .map(|it| it.replace("NAME", name)),
                others: &[],
            })
    });
    all.collect()
}

fn unescaped(text: &str) -> String {
    let parts: Vec<String> = text
        .split("\\\\")
        .map(|it| it.replace("\\n", "\n").replace("\\t", "\t"))
        .collect();
    parts.join("\\")
}

/// Returns a part with its number.
fn numbered(part: &str, number: usize) -> String {
    let part = part.replace("<i>", &number.to_string());
    let part = part.replace("<i-1>", &(number - 1).to_string());
    part.replace("<i+1>", &(number + 1).to_string())
}

/// Returns a snapshot with files, with their numbers and lengths.
fn load(files: &BTreeMap<String, String>) -> (Analysis, Vec<(FileId, TextSize)>) {
    let mut host = AnalysisHost::default();
    let mut all = Vec::new();
    for (index, (path, text)) in files.iter().enumerate() {
        let file = FileId(u32::try_from(index).expect("there are few files"));
        all.push((file, TextSize::of(text.as_str())));
        host.apply_change(Change::SetFile {
            file,
            spec: fixture::file_spec(path),
            text: text.as_str().into(),
        });
    }
    let paths = files
        .keys()
        .zip(&all)
        .map(|(path, it)| (path.as_str(), it.0));
    host.apply_change(Change::SetWorkspace(Arc::new(fixture::layout(paths))));
    (host.analysis(), all)
}

fn ask(analysis: &Analysis, (file, length): (FileId, TextSize)) {
    let middle = TextSize::new(u32::from(length) / 2);
    analysis.diagnostics(file);
    analysis.asset_diagnostics(file);
    analysis.format(file, None, &FormatOptions::default());
    analysis.document_symbols(file);
    analysis.folding_ranges(file);
    analysis.semantic_tokens(file, None);
    analysis.document_links(file);
    analysis.code_lenses(file);
    analysis.inlay_hints(file, TextRange::up_to(length), HintOptions::default());
    analysis.hover(file, middle);
    analysis.completions(file, length);
    analysis.document_highlights(file, middle);
    analysis.selection_ranges(file, middle);
}

/// Returns the CPU time of the current thread.
fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|it| it.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}
