//! The keys that code and data may look up by themselves, by the words in their sources.

use base::{EnvironmentInput, FileInput, ModuleInput};
use hiera::DataFormat;
use hiera::interpolation::{Method, interpolations};
use library::KnownFunction;
use rustc_hash::FxHashSet;
use salsa::Database;

/// The maximum number of names in a key that is compared with strings that may become a key.
const MAX_NAMES: usize = 64;

/// Checks whether code or data names a key without `::` where keys are looked up. Needs no search in all files.
pub(crate) fn is_named(db: &dyn Database, environment: EnvironmentInput, key: &str) -> bool {
    !key.chars().all(is_in_key) || any(db, environment, |it| it.names.contains(key))
}

/// Checks whether code or data may look a key up by itself: code contains the key, or a string that may
/// become the key, or data interpolates it. Needs no search in all files.
pub(crate) fn is_looked_up(db: &dyn Database, environment: EnvironmentInput, key: &str) -> bool {
    let separators = || key.match_indices("::").map(|it| it.0);
    if separators().nth(MAX_NAMES).is_some() {
        return true;
    }
    // Of a key with other characters, only the word at its start is compared.
    let word = &key[..key.find(|it| !is_in_key(it)).unwrap_or(key.len())];
    any(db, environment, |it| {
        it.keys.contains(key)
            || word != key && (word.is_empty() || it.names.contains(word))
            || separators().any(|at| it.starts.contains(&key[..at]) || it.ends.contains(&key[at..]))
    })
}

fn any(
    db: &dyn Database,
    environment: EnvironmentInput,
    has: impl Fn(&MentionedKeys) -> bool,
) -> bool {
    let mut modules = environment.modules(db).values();
    let mut manifests = environment.manifests(db).iter();
    modules.any(|it| has(mentioned_in_module(db, *it)))
        || manifests.any(|it| has(mentioned_in_file(db, *it, false)))
}

/// The words of a source that may be keys, or become keys, where keys are looked up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct MentionedKeys {
    /// The words after quotes and parentheses.
    names: FxHashSet<String>,
    /// The words that are whole keys.
    keys: FxHashSet<String>,
    /// The words before a last `::`, after which a string ends or is interpolated.
    starts: FxHashSet<String>,
    /// The words after an interpolation, which start with `::`.
    ends: FxHashSet<String>,
}

impl MentionedKeys {
    fn extend(&mut self, other: &MentionedKeys) {
        self.names.extend(other.names.iter().cloned());
        self.keys.extend(other.keys.iter().cloned());
        self.starts.extend(other.starts.iter().cloned());
        self.ends.extend(other.ends.iter().cloned());
    }

    /// Adds the words of code.
    fn add_code(&mut self, text: &str) {
        each_word(text, |before, word, after| {
            let is_whole = match before {
                Some('(') => after.starts_with([')', ',', '.']),
                Some(quote @ ('\'' | '"')) => after.starts_with([quote, '.']),
                _ => after.starts_with('.'),
            };
            if is_whole {
                self.keys.insert(word.to_owned());
            }
            if after.starts_with('.') {
                self.keys.insert(word.trim_start_matches(':').to_owned());
            }
            if let Some(start) = word.strip_suffix("::")
                && ["${", "%{", "'", "\""]
                    .iter()
                    .any(|it| after.starts_with(it))
            {
                // In a string, `::` at the start belongs to the key.
                let relative = start.trim_start_matches(':');
                let starts = [start, relative].into_iter().filter(|it| !it.is_empty());
                self.starts.extend(starts.map(str::to_owned));
            }
            if before == Some('}') && word.starts_with("::") {
                self.ends.insert(word.trim_end_matches(':').to_owned());
            }
            self.add_name(before, word);
        });
    }

    /// Adds the words of an interpolation in data.
    fn add_interpolation(&mut self, text: &str) {
        each_word(text, |before, word, _| {
            if matches!(before, Some('\'' | '"')) {
                self.keys.insert(word.trim_end_matches(':').to_owned());
            }
            self.add_name(before, word);
        });
    }

    fn add_name(&mut self, before: Option<char>, word: &str) {
        if matches!(before, Some('\'' | '"' | '(')) {
            self.names.insert(word.to_owned());
        }
    }
}

#[salsa::tracked(returns(ref))]
fn mentioned_in_module(db: &dyn Database, module: ModuleInput) -> MentionedKeys {
    let mut found = MentionedKeys::default();
    for (path, file) in module.files(db).iter() {
        let is_data = DataFormat::of_path(path).is_some();
        found.extend(mentioned_in_file(db, *file, is_data));
    }
    found
}

#[salsa::tracked(returns(ref))]
fn mentioned_in_file(db: &dyn Database, file: FileInput, is_data: bool) -> MentionedKeys {
    let text = file.text(db).as_deref().unwrap_or_default();
    let mut found = MentionedKeys::default();
    if !has_lookup(text) {
        return found;
    }
    match is_data {
        true => interpolations(text).for_each(|it| found.add_interpolation(&text[it.range])),
        false => found.add_code(text),
    }
    found
}

/// Calls a function with the longest words of the characters in keys, with the character before and the text
/// after each.
fn each_word(text: &str, mut visit: impl FnMut(Option<char>, &str, &str)) {
    let mut at = 0;
    while let Some(start) = text[at..].find(is_in_key) {
        let start = at + start;
        let length = text[start..].find(|it| !is_in_key(it));
        let end = length.map_or(text.len(), |it| start + it);
        let before = text[..start].chars().next_back();
        visit(before, &text[start..end], &text[end..]);
        at = end;
    }
}

fn is_in_key(it: char) -> bool {
    it.is_alphanumeric() || matches!(it, '_' | '-' | ':')
}

/// Checks whether a source contains a function that looks keys up.
fn has_lookup(text: &str) -> bool {
    let names = [
        KnownFunction::Lookup.name(),
        KnownFunction::Hiera.name(),
        Method::Alias.name(),
    ];
    names.iter().any(|it| text.contains(it))
}
