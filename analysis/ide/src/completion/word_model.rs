//! The words that follow a context in real code: after which attribute, in which resource, after
//! which operator or line. Completion ranks candidates by how likely they are in their context.
//!
//! Contexts and words are hashes, because there are many and only their counts matter. A collision
//! only changes a rank.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::{TextRange, TextSize};

use super::counted_modules::counted_modules;
use super::relative_words::DefinitionName;
use super::topic::definition_name;
use super::word::{Word, hash, variable_form};
use super::word_contexts::{Contexts, LEVELS, Occurrence, Scanner, WordForm};
use crate::cursor::CursorContext;
use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::module_puppet_files;

/// Where the words of a level are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CountedIn {
    All,
    /// Contexts of tokens and whole lines are worth their memory only in the same module.
    OwnModule,
    /// The own module has only one definition of a name.
    OtherModules,
}

/// The modules in which the words of each level are counted.
const COUNTED_IN: [CountedIn; LEVELS] = [
    CountedIn::All,
    CountedIn::All,
    CountedIn::All,
    CountedIn::All,
    CountedIn::OwnModule,
    CountedIn::OtherModules,
    CountedIn::OwnModule,
];

/// The code around the cursor that is counted, in bytes before and after it. It is counted anew in
/// each request.
const WINDOW: (u32, u32) = (16 * 1024, 4 * 1024);

/// The levels of contexts whose strings are known, specific ones first.
const STRING_LEVELS: [usize; 2] = [3, 1];

/// The levels of contexts that say how much is known of the place, if their words are counted.
const CERTAIN_LEVELS: [usize; 2] = [2, 3];

/// The maximum length of a string that is offered as a value, in bytes.
const MAX_STRING: usize = 40;

/// The weight of a word in another module, in another file of this module, and in this file.
const WEIGHTS: [f64; 3] = [1.0, 4.0, 24.0];

/// The likelihood of a word that never occurs.
const UNKNOWN: f64 = 1e-6;

/// The share of words that repeat the name of the definition.
const RELATIVE: f64 = 1.0;

/// The number of words that a context needs to count as much as the more general one.
const SMOOTHING: f64 = 3.0;

/// The number of words that each different word of a context takes to count as much: where words hardly repeat, as the
/// parameters in the attributes of a resource, the next one is none of them (Witten-Bell smoothing).
const NOVELTY: f64 = 2.0;

/// The level of contexts whose last words are likely repeated.
const RECENT_LEVEL: usize = 3;

/// The likelihood of the last word of the same context, and the factor of each one before.
const RECENT: f64 = 0.2;
const EARLIER: f64 = 0.6;

/// Returns the factors of the last words in a context.
fn recent(before: &[(u32, u32)], context: u32) -> FxHashMap<u32, f64> {
    let mut found = FxHashMap::default();
    let mut factor = 1.0;
    for (_, word) in before.iter().rev().filter(|it| it.0 == context) {
        found.entry(*word).or_insert(factor);
        factor *= EARLIER;
    }
    found
}

/// Counts of words by context.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct WordCounts {
    /// The number of occurrences by context and word.
    words: FxHashMap<u32, u32>,
    /// The number of words by context.
    totals: FxHashMap<u32, u32>,
    /// The number of different words by context.
    distinct: FxHashMap<u32, u32>,
    /// The strings by context.
    strings: BTreeMap<u32, BTreeMap<String, u32>>,
    /// The styles of strings by context.
    styles: FxHashMap<u32, StringStyle>,
}

/// How the strings of a context are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct StringStyle {
    /// The number of those without quotes.
    bare: u32,
    /// The number of those in quotes that need none.
    quoted: u32,
    /// The number of words.
    words: u32,
    /// The number of those that are not words: sentences, and strings with interpolations.
    texts: u32,
}

impl StringStyle {
    fn of(form: WordForm, text: &str) -> StringStyle {
        let count = |it: bool| u32::from(it);
        let is_text = form == WordForm::Interpolated || text.contains([' ', '\n']);
        StringStyle {
            bare: count(form == WordForm::Bare),
            quoted: count(form == WordForm::Quoted && is_bare_word(text)),
            words: count(!is_text),
            texts: count(is_text),
        }
    }

    fn add(&mut self, other: StringStyle) {
        self.bare += other.bare;
        self.quoted += other.quoted;
        self.words += other.words;
        self.texts += other.texts;
    }
}

/// Checks whether a string can be written as a bare word.
pub(super) fn is_bare_word(text: &str) -> bool {
    let mut letters = text.chars();
    let is_name = letters.next().is_some_and(|it| it.is_ascii_lowercase())
        && letters.all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
    let is_keyword = syntax::SyntaxKind::from_keyword(text, true).is_some();
    is_name && !is_keyword
}

impl WordCounts {
    /// Counts a word under its identity and its two generalizations: its shape, and its position in the name of the
    /// definition.
    fn add(&mut self, context: u32, word: u32, others: [Option<u32>; 2]) {
        *self.totals.entry(context).or_default() += 1;
        let times = self.words.entry(hash((context, word))).or_default();
        *self.distinct.entry(context).or_default() += u32::from(*times == 0);
        *times += 1;
        for id in others.into_iter().flatten() {
            *self.words.entry(hash((context, id))).or_default() += 1;
        }
    }

    fn add_string(&mut self, contexts: &[u32], form: WordForm, text: &str) {
        for context in contexts {
            let style = self.styles.entry(*context).or_default();
            style.add(StringStyle::of(form, text));
        }
        let is_word = |it: char| it.is_ascii_alphanumeric() || "_-.:/".contains(it);
        if text.is_empty() || text.len() > MAX_STRING || !text.chars().all(is_word) {
            return;
        }
        for context in contexts {
            let strings = self.strings.entry(*context).or_default();
            *strings.entry(text.to_owned()).or_default() += 1;
        }
    }

    fn sum<'a>(parts: impl IntoIterator<Item = &'a WordCounts>) -> WordCounts {
        let mut all = WordCounts::default();
        for part in parts {
            for (key, times) in &part.words {
                *all.words.entry(*key).or_default() += times;
            }
            for (key, times) in &part.totals {
                *all.totals.entry(*key).or_default() += times;
            }
            for (key, words) in &part.distinct {
                *all.distinct.entry(*key).or_default() += words;
            }
            for (context, style) in &part.styles {
                all.styles.entry(*context).or_default().add(*style);
            }
            for (context, strings) in &part.strings {
                let to = all.strings.entry(*context).or_default();
                for (text, times) in strings {
                    *to.entry(text.clone()).or_default() += times;
                }
            }
        }
        all
    }
}

/// The words of a file in their contexts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct FileWords {
    shared: WordCounts,
    local: WordCounts,
}

impl FileWords {
    fn add_file(&mut self, db: &dyn Database, file: FileInput) {
        let parse = base::parse(db, file);
        let mut add = |contexts: &Contexts, it: Occurrence<'_>| self.add(contexts, it);
        Scanner::new(&mut add).walk(parse.green(), None);
    }

    fn add(&mut self, contexts: &Contexts, occurrence: Occurrence<'_>) {
        let form = occurrence.form;
        if form != WordForm::Interpolated {
            let word = occurrence.word.id();
            let variable = match occurrence.word {
                Word::Variable(name) => Some(variable_form(name)),
                _ => None,
            };
            for (context, counted_in) in contexts.iter().zip(COUNTED_IN) {
                let counts = match counted_in {
                    CountedIn::All | CountedIn::OtherModules => &mut self.shared,
                    CountedIn::OwnModule => &mut self.local,
                };
                counts.add(*context, word, [variable, occurrence.relative]);
            }
        }
        // Without a key, only the owner says which strings fit.
        let of_key = if occurrence.has_key {
            &contexts[1..2]
        } else {
            &[]
        };
        if let Word::Text(text) | Word::String(text) = occurrence.word
            && form != WordForm::Name
        {
            self.shared.add_string(of_key, form, text);
            self.shared.add_string(&contexts[3..4], form, text);
        }
    }
}

/// Counts the words of a file in their contexts.
#[salsa::tracked]
pub(super) fn file_words(db: &dyn Database, file: FileInput) -> FileWords {
    let mut found = FileWords::default();
    found.add_file(db, file);
    found
}

/// Counts the words of a module in general contexts. The counts of its files are not kept: most modules do not change.
#[salsa::tracked]
pub(super) fn module_words(db: &dyn Database, module: ModuleInput) -> WordCounts {
    let mut found = FileWords::default();
    for file in module_puppet_files(db, module) {
        found.add_file(db, *file);
        found.local = WordCounts::default();
    }
    found.shared
}

/// Counts the words of other modules in general contexts.
#[salsa::tracked]
pub(super) fn words_in_other_modules(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: Option<ModuleInput>,
) -> WordCounts {
    let others = counted_modules(db, environment, module).into_iter();
    WordCounts::sum(others.map(|it| module_words(db, it)))
}

/// Counts the words of the other files of the module or, for a file outside of modules, of the other
/// main manifests.
#[salsa::tracked]
pub(super) fn words_in_sibling_files(db: &dyn Database, file: FileInput) -> FileWords {
    let files = match (file.module(db), file.environment(db)) {
        (Some(module), _) => module_puppet_files(db, module).as_slice(),
        (None, Some(environment)) => &environment.manifests(db)[..],
        (None, None) => &[],
    };
    let others = files.iter().filter(|it| **it != file);
    let others: Vec<_> = others.map(|it| file_words(db, *it)).collect();
    FileWords {
        shared: WordCounts::sum(others.iter().map(|it| &it.shared)),
        local: WordCounts::sum(others.iter().map(|it| &it.local)),
    }
}

/// The likelihood of words at the cursor.
pub(super) struct WordModel<'db> {
    contexts: Contexts,
    definition: DefinitionName,
    other_modules: Option<&'db WordCounts>,
    siblings: &'db FileWords,
    nearby: FileWords,
    /// The strings near the cursor, with the number of words since.
    pub(super) nearby_strings: FxHashMap<String, usize>,
    /// The last words before the cursor in the same context, with factors: the last one has 1.
    recent: FxHashMap<u32, f64>,
    /// The weighted number of words in each context.
    totals: [f64; LEVELS],
    /// The weighted number of different words in each context.
    distinct: [f64; LEVELS],
}

impl<'db> WordModel<'db> {
    /// Counts the words around the cursor, and finds the contexts of the cursor.
    pub(super) fn new(cursor: &CursorContext<'db>) -> WordModel<'db> {
        let db = cursor.db;
        let start = cursor.token.text_range().start();
        let from = u32::from(start).saturating_sub(WINDOW.0);
        let window = TextRange::new(from.into(), start + TextSize::new(WINDOW.1));
        let mut nearby = FileWords::default();
        let mut strings = Vec::new();
        let mut before = Vec::new();
        let mut at_cursor = None;
        let green = cursor.root.green();
        let mut add = |contexts: &Contexts, occurrence: Occurrence<'_>| {
            if occurrence.range.start() == start {
                at_cursor = Some(*contexts);
                return;
            }
            nearby.add(contexts, occurrence);
            if occurrence.range.start() < start {
                before.push((contexts[RECENT_LEVEL], occurrence.word.id()));
            }
            if let Word::String(text) = occurrence.word
                && occurrence.form == WordForm::Quoted
            {
                strings.push(text.to_owned());
            }
        };
        let mut scanner = Scanner::new(&mut add);
        scanner.walk(&green, Some(window));
        let at_end = scanner.contexts();
        let count = strings.len();
        let nearby_strings = strings.into_iter().enumerate();
        let contexts = at_cursor.unwrap_or(at_end);
        let mut model = WordModel {
            recent: recent(&before, contexts[RECENT_LEVEL]),
            contexts,
            definition: definition_name(cursor)
                .map(|it| DefinitionName::new(&it))
                .unwrap_or_default(),
            other_modules: cursor
                .environment
                .map(|it| words_in_other_modules(db, it, cursor.file.module(db))),
            siblings: words_in_sibling_files(db, cursor.file),
            nearby,
            nearby_strings: nearby_strings.map(|it| (it.1, count - it.0)).collect(),
            totals: [0.0; LEVELS],
            distinct: [0.0; LEVELS],
        };
        for level in 0..LEVELS {
            model.totals[level] = model.weighted(level, |it| &it.totals);
            model.distinct[level] = model.weighted(level, |it| &it.distinct);
        }
        model
    }

    /// Returns the weighted sum of a number that each source has for the context of a level.
    fn weighted(&self, level: usize, numbers: fn(&WordCounts) -> &FxHashMap<u32, u32>) -> f64 {
        let context = self.contexts[level];
        let weighted = self.sources(level).map(|(counts, weight)| {
            let number = counts.and_then(|it| numbers(it).get(&context));
            f64::from(number.copied().unwrap_or(0)) * weight
        });
        weighted.iter().sum()
    }

    /// Returns the counts of a level with their weights.
    fn sources(&self, level: usize) -> [(Option<&WordCounts>, f64); 3] {
        let [others, siblings, nearby] = WEIGHTS;
        match COUNTED_IN[level] {
            CountedIn::All => [
                (self.other_modules, others),
                (Some(&self.siblings.shared), siblings),
                (Some(&self.nearby.shared), nearby),
            ],
            CountedIn::OtherModules => [
                (
                    self.other_modules.filter(|_| self.definition.has_role()),
                    others,
                ),
                (None, siblings),
                (None, nearby),
            ],
            CountedIn::OwnModule => [
                (None, others),
                (Some(&self.siblings.local), siblings),
                (Some(&self.nearby.local), nearby),
            ],
        }
    }

    /// Returns the likelihood of a word, or of those that take its place in similar definitions.
    pub(super) fn word_likelihood(&self, word: Word<'_>) -> f64 {
        let relative = self.definition.relative_id(word);
        let relative = relative.map_or(0.0, |it| self.likelihood(it));
        self.likelihood(word.id()) + RELATIVE * relative
    }

    /// Returns how likely it is that the last words of the context are repeated.
    pub(super) fn recency(&self, word: Word<'_>) -> f64 {
        RECENT * self.recent.get(&word.id()).copied().unwrap_or(0.0)
    }

    /// Returns the likelihood of a word by its identity.
    pub(super) fn likelihood(&self, word: u32) -> f64 {
        // The contexts of the other levels are parts of the first one, and most words do not occur there.
        let first = hash((&self.contexts[0], word));
        let occurs = self
            .sources(0)
            .map(|(counts, _)| counts.is_some_and(|it| it.words.contains_key(&first)));
        let mut found = UNKNOWN;
        for level in 0..LEVELS {
            let total = self.totals[level];
            if total == 0.0 {
                continue;
            }
            let key = hash((&self.contexts[level], word));
            let mut times = 0.0;
            for ((counts, weight), occurs) in self.sources(level).into_iter().zip(occurs) {
                if occurs && let Some(times_here) = counts.and_then(|it| it.words.get(&key)) {
                    times += f64::from(*times_here) * weight;
                }
            }
            let smoothing = SMOOTHING + NOVELTY * self.distinct[level];
            found = (times + smoothing * found) / (total + smoothing);
        }
        found
    }

    /// Returns how much is known of the context, from 0 to 1.
    pub(super) fn certainty(&self) -> f64 {
        let total = CERTAIN_LEVELS
            .map(|it| self.totals[it])
            .into_iter()
            .fold(0.0, f64::max);
        total / (total + 20.0)
    }

    /// Returns the strings that the workspace has in this context.
    pub(super) fn strings(&self) -> Vec<&str> {
        let all = STRING_LEVELS.iter().flat_map(|level| {
            let context = self.contexts[*level];
            let found = self.sources(*level).into_iter().filter_map(|it| it.0);
            found.filter_map(move |it| it.strings.get(&context))
        });
        all.flat_map(|it| it.keys().map(String::as_str)).collect()
    }

    /// Checks whether most strings of this context are sentences or have interpolations.
    pub(super) fn is_free_text(&self) -> bool {
        let known = STRING_LEVELS.iter().map(|level| {
            let sources = self.sources(*level).into_iter();
            sources.fold((0.0, 0.0), |(words, texts), (source, weight)| {
                let style = self.style(source, *level);
                let weighted = |it: u32| f64::from(it) * weight;
                (words + weighted(style.words), texts + weighted(style.texts))
            })
        });
        let mut known = known.filter(|(words, texts)| words + texts > 0.0);
        known.next().is_some_and(|(words, texts)| texts > words)
    }

    /// Checks whether strings of this context are written without quotes, in this file if it has some, otherwise
    /// nearby. Returns `None` if none of them can be.
    pub(super) fn prefers_bare_words(&self) -> Option<bool> {
        let nearest_first = (0..3).rev();
        // A file has one style for an attribute of all types.
        let styles = nearest_first.flat_map(|source| {
            let levels = STRING_LEVELS.iter().rev();
            levels.map(move |level| self.style(self.sources(*level)[source].0, *level))
        });
        let mut known = styles.filter(|it| it.bare + it.quoted > 0);
        known.next().map(|it| it.bare >= it.quoted)
    }

    fn style(&self, source: Option<&WordCounts>, level: usize) -> StringStyle {
        let style = source.and_then(|it| it.styles.get(&self.contexts[level]));
        style.copied().unwrap_or_default()
    }
}
