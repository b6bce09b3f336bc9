//! The keys that code and data may look up by themselves, by the words in their sources.

use base::{EnvironmentInput, FileInput, ModuleInput};
use hiera::DataFormat;
use hiera::interpolation::{Method, interpolations};
use library::KnownFunction;
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;

/// The maximum number of names in a key that is compared with strings that may become a key.
const MAX_NAMES: usize = 64;

/// Checks whether code or data names a key without `::` where keys are looked up. Needs no search in all files.
pub(crate) fn is_named(db: &dyn Database, environment: EnvironmentInput, key: &str) -> bool {
    !key.chars().all(is_in_key) || any(db, environment, |it| it.names.contains_key(key))
}

/// Checks whether code may look a key up with a merge strategy of its own. Interpolations and lookups of only the key
/// use that in `lookup_options`.
pub(crate) fn may_be_merged(db: &dyn Database, environment: EnvironmentInput, key: &str) -> bool {
    let is_otherwise = |words: &Words, word: &str| words.get(word) == Some(&Mention::Any);
    match key.contains(':') {
        true => is_looked_up_in(db, environment, key, is_otherwise),
        false => {
            !key.chars().all(is_in_key) || any(db, environment, |it| is_otherwise(&it.names, key))
        }
    }
}

/// Checks whether code or data may look a key up by itself: code contains the key, or a string that may
/// become the key, or data interpolates it. Needs no search in all files.
pub(crate) fn is_looked_up(db: &dyn Database, environment: EnvironmentInput, key: &str) -> bool {
    is_looked_up_in(db, environment, key, |words, word| words.contains_key(word))
}

fn is_looked_up_in(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
    has: impl Fn(&Words, &str) -> bool,
) -> bool {
    let separators = || key.match_indices("::").map(|it| it.0);
    if separators().nth(MAX_NAMES).is_some() {
        return true;
    }
    // Of a key with other characters, only the word at its start is compared.
    let word = &key[..key.find(|it| !is_in_key(it)).unwrap_or(key.len())];
    any(db, environment, |it| {
        has(&it.keys, key)
            || word != key && (word.is_empty() || it.names.contains_key(word))
            || separators().any(|at| it.starts.contains(&key[..at]) || it.ends.contains(&key[at..]))
            || key
                .rsplit_once("::")
                .is_some_and(|(start, _)| it.parents.contains(start))
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

/// How a source mentions a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Mention {
    /// A lookup of its value with the merge strategy in `lookup_options`.
    PlainLookup,
    /// Any other use.
    Any,
}

type Words = FxHashMap<String, Mention>;

fn add_word(words: &mut Words, word: &str, mention: Mention) {
    match words.get_mut(word) {
        Some(known) => *known = mention.max(*known),
        None => {
            words.insert(word.to_owned(), mention);
        }
    }
}

/// The words of a source that may be keys, or become keys, where keys are looked up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct MentionedKeys {
    /// The words after quotes and parentheses.
    names: Words,
    /// The words that are whole keys.
    keys: Words,
    /// The words before a last `::`, after which a string ends or is interpolated.
    starts: FxHashSet<String>,
    /// The words before `::` and an interpolated variable at the end of a string: the variable holds the name of a
    /// parameter.
    parents: FxHashSet<String>,
    /// The words after an interpolation, which start with `::`.
    ends: FxHashSet<String>,
}

impl MentionedKeys {
    fn extend(&mut self, other: &MentionedKeys) {
        for (word, mention) in &other.names {
            add_word(&mut self.names, word, *mention);
        }
        for (word, mention) in &other.keys {
            add_word(&mut self.keys, word, *mention);
        }
        self.parents.extend(other.parents.iter().cloned());
        self.starts.extend(other.starts.iter().cloned());
        self.ends.extend(other.ends.iter().cloned());
    }

    /// Adds the words of code.
    fn add_code(&mut self, text: &str) {
        each_word(text, |ahead, word, after| {
            let before = ahead.chars().next_back();
            let mention = match is_plain_lookup(ahead, after) {
                true => Mention::PlainLookup,
                false => Mention::Any,
            };
            let is_whole = match before {
                Some('(') => after.starts_with([')', ',', '.']),
                Some(quote @ ('\'' | '"')) => after.starts_with([quote, '.']),
                _ => after.starts_with('.'),
            };
            if is_whole {
                add_word(&mut self.keys, word, mention);
            }
            if after.starts_with('.') {
                add_word(&mut self.keys, word.trim_start_matches(':'), mention);
            }
            if let Some(start) = word.strip_suffix("::")
                && ["${", "%{", "'", "\""]
                    .iter()
                    .any(|it| after.starts_with(it))
            {
                // In a string, `::` at the start belongs to the key.
                let relative = start.trim_start_matches(':');
                let starts = [start, relative].into_iter().filter(|it| !it.is_empty());
                let starts = starts.map(str::to_owned);
                match ends_with_variable(after) {
                    true => self.parents.extend(starts),
                    false => self.starts.extend(starts),
                }
            }
            if before == Some('}') && word.starts_with("::") {
                self.ends.insert(word.trim_end_matches(':').to_owned());
            }
            self.add_name(before, word, mention);
        });
    }

    /// Adds the words of an interpolation in data.
    fn add_interpolation(&mut self, text: &str) {
        each_word(text, |ahead, word, _| {
            let before = ahead.chars().next_back();
            let mention = Mention::PlainLookup;
            if matches!(before, Some('\'' | '"')) {
                add_word(&mut self.keys, word.trim_end_matches(':'), mention);
            }
            self.add_name(before, word, mention);
        });
    }

    fn add_name(&mut self, before: Option<char>, word: &str, mention: Mention) {
        if matches!(before, Some('\'' | '"' | '(')) {
            add_word(&mut self.names, word, mention);
        }
    }
}

/// Checks whether a string is the only argument of a lookup, perhaps with a type, given the code before and after the
/// word at its start.
fn is_plain_lookup(ahead: &str, after: &str) -> bool {
    let Some(quote) = ahead
        .chars()
        .next_back()
        .filter(|it| matches!(it, '\'' | '"'))
    else {
        return false;
    };
    let call = ahead[..ahead.len() - 1].trim_end();
    let names = [KnownFunction::Lookup.name(), KnownFunction::Hiera.name()];
    let is_call = call.strip_suffix('(').is_some_and(|it| {
        let mut names = names.iter().filter_map(|name| it.strip_suffix(*name));
        names.any(|it| !it.ends_with(is_in_key))
    });
    if !is_call {
        return false;
    }
    let after_key = after.trim_start_matches(|it| is_in_key(it) || it == '.');
    let Some(rest) = after_key.strip_prefix(quote) else {
        return false;
    };
    let rest = rest.trim_start();
    let after_type = || {
        let rest = rest.strip_prefix(',')?.trim_start();
        let name = rest.trim_start_matches(is_in_key);
        let is_type = rest.starts_with(|it: char| it.is_ascii_uppercase());
        Some(name.trim_start()).filter(|_| is_type)
    };
    rest.starts_with(')') || after_type().is_some_and(|it| it.starts_with(')'))
}

/// Checks whether a double-quoted string ends with the variable that the code starts with.
fn ends_with_variable(text: &str) -> bool {
    let variable = text.strip_prefix("${");
    let after = variable.map(|it| it.trim_start_matches(is_in_key));
    after.is_some_and(|it| it.starts_with("}\""))
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

/// Calls a function with the longest words of the characters in keys, between the text before and the text after each.
fn each_word(text: &str, mut visit: impl FnMut(&str, &str, &str)) {
    let mut at = 0;
    while let Some(start) = text[at..].find(is_in_key) {
        let start = at + start;
        let length = text[start..].find(|it| !is_in_key(it));
        let end = length.map_or(text.len(), |it| start + it);
        visit(&text[..start], &text[start..end], &text[end..]);
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
