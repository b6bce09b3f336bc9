//! Completion: candidates for the cursor position, sorted by relevance.

mod attributes;
mod documentation;
mod expected;
mod keys;
mod keywords;
mod names;
mod own_name;
mod paths;
mod place;
mod resource;
mod titles;
mod usage;
mod values;
mod variables;

#[cfg(test)]
mod tests;

use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::{TextRange, TextSize};

use super::cursor::Site;
use base::db::FileInput;
use place::{Place, Spot, spot};
use usage::{Usage, Used, usage_around, usage_of_others};

pub(crate) use documentation::documentation;
pub(super) use resource::{ResourceAt, Taker, resource_around};

/// The maximum number of items returned.
const MAX_ITEMS: usize = 250;

/// The result of a completion request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Completions {
    /// The items, best first.
    pub items: Vec<CompletionItem>,
    /// Whether items were left out that typing more characters can bring up.
    pub is_incomplete: bool,
}

/// A completion item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompletionItem {
    /// The text to display.
    pub label: String,
    /// The kind of item.
    pub kind: CompletionKind,
    /// A short detail, such as a type or signature.
    pub detail: Option<String>,
    /// The range to replace: the word up to the cursor.
    pub range: TextRange,
    /// The text to insert.
    pub insert: String,
    /// The text to insert for clients that support LSP snippets.
    pub snippet: Option<String>,
    /// Whether the item is deprecated.
    pub deprecated: bool,
    /// The key to look up its documentation.
    pub subject: Option<Subject>,
}

/// The kind of a [`CompletionItem`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompletionKind {
    /// A variable.
    Variable,
    /// A parameter of an enclosing scope.
    Parameter,
    /// An attribute of a resource.
    Attribute,
    /// A class.
    Class,
    /// A resource type or defined type.
    ResourceType,
    /// A function.
    Function,
    /// A data type.
    DataType,
    /// A fact or a key.
    Key,
    /// A value.
    Value,
    /// A resource title.
    Title,
    /// A file.
    File,
    /// A keyword.
    Keyword,
    /// A snippet.
    Snippet,
}

/// The key to look up the documentation of a [`CompletionItem`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Subject {
    /// The kind of subject.
    pub kind: SubjectKind,
    /// The name. For an attribute, the type and the attribute name separated by a space, with the
    /// type `class NAME` for classes; for a fact, its keys separated by spaces.
    pub name: String,
}

/// The kind of a [`Subject`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SubjectKind {
    /// A class.
    Class,
    /// A resource type or defined type.
    ResourceType,
    /// A function.
    Function,
    /// A data type.
    DataType,
    /// An attribute.
    Attribute,
    /// A built-in variable, or a variable of a class by its qualified name.
    Variable,
    /// A fact.
    Fact,
}

impl SubjectKind {
    const ALL: [(SubjectKind, &str); 7] = [
        (SubjectKind::Class, "class"),
        (SubjectKind::ResourceType, "resourceType"),
        (SubjectKind::Function, "function"),
        (SubjectKind::DataType, "dataType"),
        (SubjectKind::Attribute, "attribute"),
        (SubjectKind::Variable, "variable"),
        (SubjectKind::Fact, "fact"),
    ];

    /// Returns the identifier used in the protocol.
    pub fn name(self) -> &'static str {
        let found = SubjectKind::ALL.iter().find(|it| it.0 == self);
        found.map_or("", |it| it.1)
    }

    /// Parses the identifier used in the protocol.
    pub fn from_name(name: &str) -> Option<SubjectKind> {
        let found = SubjectKind::ALL.iter().find(|it| it.1 == name);
        found.map(|it| it.0)
    }
}

/// A completion item with its score.
pub(super) struct Candidate {
    label: String,
    kind: CompletionKind,
    detail: Option<String>,
    /// The text to insert, if it differs from the label.
    insert: Option<String>,
    snippet: Option<String>,
    deprecated: bool,
    subject: Option<Subject>,
    /// The relevance; higher is better. See [`score`].
    score: i64,
}

/// Weights for scoring. Each one exceeds the sum of all lower contributions.
mod score {
    /// The position expects exactly this candidate.
    pub(super) const CERTAIN: i64 = 1_000_000_000;
    /// The candidate has the expected type.
    pub(super) const FITS: i64 = 100_000_000;
    /// The candidate is in the same scope or file.
    pub(super) const NEAR: i64 = 10_000_000;
    /// The candidate is in the same module; this weighs as much as a few uses.
    pub(super) const MODULE: i64 = 500;
    /// The candidate is used once.
    pub(super) const USED: i64 = 10;
}

impl Candidate {
    fn new(kind: CompletionKind, label: impl Into<String>) -> Candidate {
        Candidate {
            label: label.into(),
            kind,
            detail: None,
            insert: None,
            snippet: None,
            deprecated: false,
            subject: None,
            score: 0,
        }
    }

    fn detail(self, detail: Option<String>) -> Candidate {
        Candidate { detail, ..self }
    }

    fn about(mut self, kind: SubjectKind, name: impl Into<String>) -> Candidate {
        let name = name.into();
        self.subject = Some(Subject { kind, name });
        self
    }

    fn insert(mut self, text: impl Into<String>) -> Candidate {
        self.insert = Some(text.into());
        self
    }

    fn snippet(mut self, text: impl Into<String>) -> Candidate {
        self.snippet = Some(text.into());
        self
    }

    fn score(mut self, score: i64) -> Candidate {
        self.score += score;
        self
    }
}

/// Collects candidates that match the typed text, without duplicates.
pub(super) struct Collector<'a, 'db> {
    site: &'a Site<'db>,
    spot: &'a Spot,
    /// The text of the word up to the cursor.
    typed: &'a str,
    /// The names used in other modules, in other files of this module, and in this file.
    usage: [Option<&'db Usage>; 3],
    found: Vec<(Match, Candidate)>,
    seen: FxHashSet<(CompletionKind, String)>,
}

/// How well a candidate matches the typed text, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Match {
    /// The candidate starts with the text.
    Start,
    /// The candidate starts with the text, ignoring case.
    StartAnyCase,
    /// A word of the candidate starts with the text.
    Part,
    /// The candidate contains the characters in order.
    Scattered,
}

impl Collector<'_, '_> {
    fn add(&mut self, candidate: Candidate) {
        let Some(fit) = fit(&candidate.label, self.typed) else {
            return;
        };
        if self.seen.insert((candidate.kind, candidate.label.clone())) {
            self.found.push((fit, candidate));
        }
    }

    /// Returns a score for how often a name is used; uses nearby count more.
    fn used(&self, what: Used, name: &str) -> i64 {
        /// The weight of a use in other modules, in this module, and in this file.
        const WEIGHTS: [i64; 3] = [1, 21, 41];
        let counted = self.usage.iter().zip(WEIGHTS).map(|(usage, weight)| {
            let times = usage.map_or(0, |it| it.of(what, name));
            i64::from(times) * weight
        });
        counted.sum::<i64>().min(999_999) * score::USED
    }

    /// Returns the text after the word at the cursor.
    fn behind(&self) -> &str {
        let behind = &self.site.text[usize::from(self.site.offset)..];
        behind.trim_start_matches(|it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':')
    }
}

/// Matches typed text against a name. Returns `None` if it does not match.
fn fit(name: &str, typed: &str) -> Option<Match> {
    if name.starts_with(typed) {
        return Some(Match::Start);
    }
    let (name, typed) = (name.to_ascii_lowercase(), typed.to_ascii_lowercase());
    if name.starts_with(&typed) {
        return Some(Match::StartAnyCase);
    }
    let is_start = |at: usize| {
        let before = name[..at].chars().next_back();
        before.is_none_or(|it| !it.is_alphanumeric())
    };
    if name.match_indices(&typed).any(|it| is_start(it.0)) {
        return Some(Match::Part);
    }
    let mut letters = name.chars();
    let has_all = typed.chars().all(|it| letters.any(|other| other == it));
    has_all.then_some(Match::Scattered)
}

/// Computes the completions at an offset.
pub(crate) fn completions(db: &dyn Database, file: FileInput, offset: TextSize) -> Completions {
    let Some(site) = Site::new(db, file, offset) else {
        return Completions::default();
    };
    let Some(spot) = spot(&site) else {
        return Completions::default();
    };
    let mut into = Collector {
        site: &site,
        spot: &spot,
        typed: &site.text[spot.word],
        usage: [
            site.environment
                .map(|it| usage_of_others(db, it, file.module(db))),
            Some(usage_around(db, file)),
            Some(usage::usage(db, file)),
        ],
        found: Vec::new(),
        seen: FxHashSet::default(),
    };
    collect(&mut into);
    finish(into)
}

fn collect(into: &mut Collector<'_, '_>) {
    let spot = into.spot;
    match &spot.place {
        Place::Variable(expected) => variables::variables(into, Some(expected), false),
        Place::Attribute(resource) => attributes::attributes(into, resource),
        Place::Call(expected) => {
            names::functions(into, expected.type_.as_ref());
            names::data_types(into);
        }
        Place::Value(expected) => {
            values::values(into, expected);
            if !spot.in_string {
                variables::variables(into, Some(expected), true);
                names::functions(into, expected.type_.as_ref());
                names::data_types(into);
                let points = if expected.references {
                    score::FITS
                } else {
                    -score::NEAR
                };
                names::resource_references(into, points);
            }
        }
        Place::HashKey(expected) => {
            values::struct_keys(into, expected);
            if !spot.in_string {
                variables::variables(into, None, true);
            }
        }
        Place::OwnName(named) => own_name::own_name(into, *named),
        Place::Class => {
            names::classes(into);
            if !spot.in_string {
                variables::variables(into, None, true);
            }
        }
        Place::ResourceType => names::resource_types(into, false),
        Place::Type => {
            names::data_types(into);
            names::resource_references(into, -score::NEAR);
        }
        Place::Reference => names::resource_references(into, 0),
        Place::Method(receiver) => names::methods(into, receiver),
        Place::Key(base) => {
            keys::keys(into, base);
            if !spot.in_string {
                variables::variables(into, None, true);
            }
        }
        Place::Title(type_) => titles::titles(into, type_),
        Place::Path(kind) => paths::paths(into, *kind),
        Place::Statement => {
            keywords::statements(into);
            names::resource_types(into, true);
            names::functions(into, None);
            names::resource_references(into, -score::NEAR);
            variables::variables(into, None, true);
        }
    }
}

/// Sorts and truncates the candidates.
fn finish(into: Collector<'_, '_>) -> Completions {
    let range = into.spot.word;
    let mut found = into.found;
    let order = |it: &(Match, Candidate)| (it.0, std::cmp::Reverse(it.1.score));
    found.sort_by(|a, b| {
        order(a)
            .cmp(&order(b))
            .then_with(|| a.1.label.cmp(&b.1.label))
    });
    let is_incomplete = found.len() > MAX_ITEMS;
    found.truncate(MAX_ITEMS);
    let items = found.into_iter().map(|(_, it)| CompletionItem {
        insert: it.insert.unwrap_or_else(|| it.label.clone()),
        label: it.label,
        kind: it.kind,
        detail: it.detail,
        range,
        snippet: it.snippet,
        deprecated: it.deprecated,
        subject: it.subject,
    });
    Completions {
        items: items.collect(),
        is_incomplete,
    }
}
