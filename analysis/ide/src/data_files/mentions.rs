//! The keys, variables and classes that data files mention, with an index by name.

use std::ops::Range;
use std::sync::Arc;

use hiera::document::{self, Data, Entry, Node};
use hiera::interpolation::{Expression, Interpolation, Method, interpolations};
use hiera::{DataFormat, LOOKUP_OPTIONS, Layer, LookupKey};
use hir::{canonical_name, is_class_name};
use infer::layer_files;
use rules::data::{ClassLists, class_lists, class_names, layer_of};
use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::{TextRange, TextSize};

use crate::symbol::word_hash;
use base::{EnvironmentInput, FileInput, ModuleInput};

/// A key, a variable or a class in a data file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mention {
    /// The hash of the name.
    hash: u64,
    /// The kind of mention.
    pub(crate) kind: MentionKind,
    /// The range of the name; of a key, with its quotes.
    pub(crate) range: TextRange,
    /// The range of the value of a root key.
    pub(crate) value_range: TextRange,
    /// The name, if it is not written as it is.
    escaped: Option<Box<str>>,
}

/// The kind of a [`Mention`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum MentionKind {
    /// A root key.
    Key,
    /// A key of `lookup_options`.
    Option,
    /// The key that an interpolation looks up.
    Lookup,
    /// A variable of a class in an interpolation.
    Variable,
    /// A class in a list of classes, by its canonical name.
    Class,
}

impl Mention {
    /// Returns the name, given the source of its file.
    pub(crate) fn name<'a>(&'a self, text: &'a str) -> &'a str {
        match &self.escaped {
            Some(name) => name,
            None => without_quotes(source(text, self.range)),
        }
    }

    /// Checks whether the name is written without escapes, so that it can be edited.
    pub(crate) fn is_plain(&self) -> bool {
        self.escaped.is_none()
    }
}

fn source(text: &str, range: TextRange) -> &str {
    text.get(Range::<usize>::from(range)).unwrap_or_default()
}

fn without_quotes(written: &str) -> &str {
    let quoted = |quote: char| written.strip_prefix(quote)?.strip_suffix(quote);
    quoted('"').or_else(|| quoted('\'')).unwrap_or(written)
}

/// Returns the mentions of a data file, in source order.
#[salsa::tracked]
pub(crate) fn mentions(db: &dyn Database, file: FileInput, format: DataFormat) -> Vec<Mention> {
    let text = file.text(db).as_deref().unwrap_or_default();
    let mut collector = MentionCollector {
        text,
        class_lists: file.environment(db).map(|it| class_lists(db, it)),
        layer: file.module(db).map(|it| layer_of(db, it)),
        found: Vec::new(),
    };
    // The memoized tree of every file would take too much memory.
    let root = match format {
        DataFormat::Yaml => document::yaml(text),
        DataFormat::Json => document::json(text),
    };
    let root = root.ok().flatten();
    let entries = root.as_ref().and_then(Node::entries);
    for entry in entries.unwrap_or_default() {
        collector.root_entry(entry);
    }
    collector.found.shrink_to_fit();
    collector.found
}

/// Returns the hashes of the names that a data file mentions, sorted.
#[salsa::tracked]
fn mentioned_words(db: &dyn Database, file: FileInput, format: DataFormat) -> Vec<u64> {
    let mentions = mentions(db, file, format).iter();
    let mut words: Vec<u64> = mentions.map(|it| it.hash).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The data files by the hashes of the names that they mention: sorted buckets, by the first bits of the hash.
type FilesByWord = Vec<Vec<(u64, FileInput, DataFormat)>>;

/// The number of bits of a hash that select a bucket.
const BUCKET_BITS: u32 = 6;

fn bucket_of(hash: u64) -> usize {
    (hash >> (u64::BITS - BUCKET_BITS)) as usize
}

/// Returns the data files of a module or an environment by the hashes of the names that they mention.
#[salsa::tracked]
fn files_by_word(db: &dyn Database, module: ModuleInput) -> FilesByWord {
    let mut found = vec![Vec::new(); 1 << BUCKET_BITS];
    for (file, place) in layer_files(db, module).iter() {
        if let Some(format) = place.format() {
            for word in mentioned_words(db, *file, format) {
                found[bucket_of(*word)].push((*word, *file, format));
            }
        }
    }
    for bucket in &mut found {
        // An edit should not wait until the words of thousands of files are sorted.
        db.unwind_if_revision_cancelled();
        bucket.sort_unstable_by_key(|it| it.0);
        bucket.shrink_to_fit();
    }
    found
}

/// Computes the indexes of the data of environments.
pub(crate) fn prime_data(db: &dyn Database, environments: &[EnvironmentInput]) {
    for environment in environments {
        for module in environment.modules(db).values() {
            files_by_word(db, *module);
            infer::layer_keys(db, *module);
            // Invalid data is a finding of its file.
            let _ = infer::all_lookup_options(db, *module);
        }
    }
}

/// Returns the mentions of a name in the wanted data files of a module or an environment.
pub(crate) fn mentions_in<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    name: &str,
    is_wanted: impl Fn(FileInput) -> bool,
) -> Vec<(FileInput, &'db Mention)> {
    let wanted = word_hash(name);
    let files = &files_by_word(db, module)[bucket_of(wanted)];
    let start = files.partition_point(|it| it.0 < wanted);
    let files = files[start..].iter().take_while(|it| it.0 == wanted);
    let mut found = Vec::new();
    for (_, file, format) in files.filter(|it| is_wanted(it.1)) {
        let text = file.text(db).as_deref().unwrap_or_default();
        let all = mentions(db, *file, *format).iter();
        let same = all.filter(|it| it.hash == wanted && it.name(text) == name);
        found.extend(same.map(|it| (*file, it)));
    }
    found
}

/// Returns the mentions of a name in all data files of an environment.
pub(crate) fn mentions_of<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: &str,
) -> Vec<(FileInput, &'db Mention)> {
    let modules = environment.modules(db).values();
    modules
        .flat_map(|it| mentions_in(db, *it, name, |_| true))
        .collect()
}

/// A key in a data file, by its place.
pub(crate) struct KeyPlace<'db> {
    pub(crate) name: &'db str,
    pub(crate) file: FileInput,
    pub(crate) range: TextRange,
    layer: Layer,
    path: Arc<str>,
}

impl KeyPlace<'_> {
    /// Returns the path of the file, with the name of the module before it.
    pub(crate) fn shown_path(&self) -> String {
        shown_path(&self.layer, &self.path)
    }
}

/// Returns the wanted root keys of the data files of an environment by name, each with its places by path.
pub(crate) fn keys_by_name<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<(&'db str, Vec<KeyPlace<'db>>)> {
    let mut found: FxHashMap<&str, Option<Vec<KeyPlace<'_>>>> = FxHashMap::default();
    for module in environment.modules(db).values() {
        let layer = layer_of(db, *module);
        for (file, place) in layer_files(db, *module).iter() {
            let Some(format) = place.format().filter(|_| !place.levels.is_empty()) else {
                continue;
            };
            let text = file.text(db).as_deref().unwrap_or_default();
            for it in mentions(db, *file, format) {
                let name = it.name(text);
                if it.kind != MentionKind::Key || !layer.may_have(name) {
                    continue;
                }
                let places = found.entry(name);
                let places = places.or_insert_with(|| is_wanted(name).then(Vec::new));
                if let Some(places) = places {
                    places.push(KeyPlace {
                        name,
                        file: *file,
                        range: it.range,
                        layer: layer.clone(),
                        path: Arc::clone(&place.path),
                    });
                }
            }
        }
    }
    let found = found.into_iter();
    let mut wanted: Vec<_> = found.filter_map(|it| Some((it.0, it.1?))).collect();
    wanted.sort_unstable_by_key(|it| it.0);
    for (_, places) in &mut wanted {
        places.sort_by(|a, b| a.path.cmp(&b.path));
    }
    wanted
}

/// Returns the path of a data file for users: that in the environment, or that in a module after its name.
pub(super) fn shown_path(layer: &Layer, path: &str) -> String {
    match layer {
        Layer::Environment => path.to_owned(),
        Layer::Module(module) => format!("{module}/{path}"),
    }
}

/// Returns the mention at an offset of a data file.
pub(crate) fn mention_at(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<&Mention> {
    let format = layer_files(db, file.module(db)?).get(&file)?.format()?;
    let mut all = mentions(db, file, format).iter();
    all.find(|it| it.range.contains_inclusive(offset))
}

struct MentionCollector<'a> {
    text: &'a str,
    class_lists: Option<&'a ClassLists>,
    layer: Option<Layer>,
    found: Vec<Mention>,
}

impl MentionCollector<'_> {
    fn add(&mut self, kind: MentionKind, name: &str, range: TextRange, value_range: TextRange) {
        let is_plain = without_quotes(source(self.text, range)) == name;
        self.found.push(Mention {
            hash: word_hash(name),
            kind,
            range,
            value_range,
            escaped: (!is_plain).then(|| name.into()),
        });
    }

    fn root_entry(&mut self, entry: &Entry) {
        match entry.name() {
            LOOKUP_OPTIONS => {
                for it in entry.value.entries().unwrap_or_default() {
                    self.add(MentionKind::Option, it.name(), it.key_range, it.value.range);
                }
                return;
            }
            "<<" => {}
            name => self.add(MentionKind::Key, name, entry.key_range, entry.value.range),
        }
        if self.is_class_list(entry.name()) {
            for (node, name) in class_names(&entry.value) {
                self.class(name, node.range);
            }
        }
        self.node(&entry.value);
    }

    fn is_class_list(&self, key: &str) -> bool {
        let is_listed = self.class_lists.is_some_and(|it| it.contains_key(key));
        is_listed && self.layer.as_ref().is_none_or(|it| it.may_have(key))
    }

    fn class(&mut self, name: &str, range: TextRange) {
        let name = canonical_name(name);
        if is_class_name(&name) {
            self.add(MentionKind::Class, &name, range, TextRange::default());
        }
    }

    fn node(&mut self, node: &Node) {
        match &node.data {
            Data::Scalar(_) => {
                if let Some(string) = node.string() {
                    self.string(string, node.range);
                }
            }
            Data::List(items) => items.iter().for_each(|it| self.node(it)),
            Data::Map(entries) => {
                for it in entries {
                    self.string(&it.key, it.key_range);
                    self.node(&it.value);
                }
            }
            Data::Alias(_) => {}
        }
    }

    fn string(&mut self, string: &str, range: TextRange) {
        for it in names_in_string(self.text, string, range) {
            let place = it.range.unwrap_or(range);
            self.add(it.kind, &it.name, place, TextRange::default());
        }
    }
}

/// A name in an interpolation.
pub(crate) struct InterpolatedName {
    pub(crate) kind: MentionKind,
    pub(crate) name: String,
    /// The range of the interpolation in the string.
    pub(crate) interpolation: Range<usize>,
    /// The range of the name in the file, unless it is written with escapes.
    pub(crate) range: Option<TextRange>,
}

/// Returns the names in the interpolations of a string with a range in a source.
pub(crate) fn names_in_string(text: &str, string: &str, range: TextRange) -> Vec<InterpolatedName> {
    if !string.contains("%{") {
        return Vec::new();
    }
    let parsed: Vec<Interpolation<'_>> = interpolations(string).collect();
    let written = source(text, range);
    let in_source: Vec<Interpolation<'_>> = interpolations(written).collect();
    let is_plain = parsed.len() == in_source.len();
    let names = parsed.iter().enumerate().filter_map(|(index, it)| {
        let (kind, name) = name_in(it.expression)?;
        let same = in_source.get(index).filter(|_| is_plain);
        let same = same.filter(|other| other.expression == it.expression);
        let place = same.and_then(|it| range_of_name(written, it, &name));
        Some(InterpolatedName {
            kind,
            interpolation: it.range.clone(),
            range: place.map(|it| it + range.start()),
            name,
        })
    });
    names.collect()
}

/// Returns the key or the variable of a class that an interpolation names.
fn name_in(expression: Expression<'_>) -> Option<(MentionKind, String)> {
    let (kind, path) = match expression {
        Expression::Method(method, argument) => match Method::of_name(method)? {
            Method::Lookup | Method::Alias => (MentionKind::Lookup, argument),
            Method::Scope => (MentionKind::Variable, argument),
            Method::Literal => return None,
        },
        Expression::Variable(path) => (MentionKind::Variable, path),
        Expression::Empty => return None,
    };
    let root = LookupKey::parse(path)?.root;
    let name = match kind {
        MentionKind::Variable => {
            let name = root.strip_prefix("::").unwrap_or(&root);
            name.contains("::").then_some(name)?
        }
        _ => &*root,
    };
    Some((kind, name.to_owned()))
}

/// Returns the range of a name in a string; the name is in an interpolation there.
fn range_of_name(written: &str, it: &Interpolation<'_>, name: &str) -> Option<TextRange> {
    let content = written.get(it.range.clone())?;
    let start = match it.expression {
        Expression::Method(..) => content.find('(')?,
        _ => 0,
    };
    let at = it.range.start + start + content[start..].find(name)?;
    let size = |it: usize| TextSize::try_from(it).ok();
    Some(TextRange::at(size(at)?, size(name.len())?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::data::ClassList;

    fn names(text: &str) -> Vec<String> {
        let data = hiera::DataFile::parse(text, DataFormat::Yaml);
        let list = ClassList {
            is_whole: true,
            is_looked_up: true,
        };
        let lists = ClassLists::from([("classes".to_owned(), list)]);
        let mut collector = MentionCollector {
            text,
            class_lists: Some(&lists),
            layer: None,
            found: Vec::new(),
        };
        data.entries()
            .iter()
            .for_each(|it| collector.root_entry(it));
        let shown = collector.found.iter().map(|it| {
            let place = source(text, it.range);
            let is_plain = if it.is_plain() { "" } else { " !" };
            format!("{:?} {} {place}{is_plain}", it.kind, it.name(text))
        });
        shown.collect()
    }

    #[test]
    fn collects_keys_and_names_in_interpolations() {
        assert_eq!(
            names("a::b: 1\n'c': x\nlookup_options:\n  a::b: {merge: \"%{lookup('no')}\"}\n"),
            ["Key a::b a::b", "Key c 'c'", "Option a::b a::b"]
        );
        assert_eq!(
            names("x: \"%{lookup('lookup.b')} %{ alias(\\\"q\\\") } %{::a::b.c} %{facts.x}\"\n"),
            [
                "Key x x",
                "Lookup lookup lookup",
                "Lookup q \"%{lookup('lookup.b')} %{ alias(\\\"q\\\") } %{::a::b.c} %{facts.x}\" !",
                "Variable a::b a::b"
            ]
        );
        assert_eq!(
            names("x: {'%{a::b}': ['%{scope(\"a::c\")}', '%{literal(\"%\")}']}\n"),
            ["Key x x", "Variable a::b a::b", "Variable a::c a::c"]
        );
        assert_eq!(
            names("\"\\x61\": |\n  first\n  %{hiera('k')}\n"),
            ["Key a \"\\x61\" !", "Lookup k k"]
        );
    }

    #[test]
    fn collects_the_names_in_class_lists() {
        assert_eq!(
            names("classes: [a, '::a::B', \"a::%{b::c}\", {a: b}, --c]\nothers: [a]\n"),
            [
                "Key classes classes",
                "Class a a",
                "Class a::b '::a::B' !",
                "Variable b::c b::c",
                "Key others others"
            ]
        );
    }
}
