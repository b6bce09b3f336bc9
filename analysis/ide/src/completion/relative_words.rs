//! Words that repeat the name of the definition around them, as similar definitions do with theirs: in
//! `ntp::service`, `$ntp::params::service_name` is the word that `$ntp::params::config_name` is in
//! `ntp::config`.

use super::word::{Word, hash};

/// The minimum length of the last segment of a name that counts, in bytes.
const MIN_LENGTH: usize = 3;

/// The name of a definition, split.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct DefinitionName {
    module: String,
    /// The last segment; `None` if the name has only one, or a short one.
    last: Option<String>,
}

impl DefinitionName {
    pub(super) fn new(name: &str) -> DefinitionName {
        let name = name.trim_start_matches("::");
        let module = name.split("::").next().unwrap_or_default();
        let last = name.rsplit_once("::").map(|it| it.1);
        DefinitionName {
            module: module.to_owned(),
            last: last
                .filter(|it| it.len() >= MIN_LENGTH && *it != module)
                .map(str::to_owned),
        }
    }

    /// Returns the identity that the word shares with those of similar definitions; `None` if it has no part of
    /// the name.
    pub(super) fn relative_id(&self, word: Word<'_>) -> Option<u32> {
        let (is_variable, text) = match word {
            Word::Variable(name) => (true, name),
            Word::Text(text) | Word::String(text) => (false, text),
        };
        let text = text.trim_start_matches("::");
        let last = self.last.as_deref();
        let without_last = last.and_then(|it| replaced(text, it, "\0"));
        let text = without_last.as_deref().unwrap_or(text);
        let without_module = replaced(text, &self.module, "\u{1}");
        let relative = without_module.or(without_last)?;
        Some(hash(("relative", is_variable, relative)))
    }
}

/// Replaces a part of a name where it consists of whole words; returns `None` if there is none.
fn replaced(text: &str, part: &str, mark: &str) -> Option<String> {
    if part.is_empty() || !text.contains(part) {
        return None;
    }
    let is_letter = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
    let mut result = String::new();
    let mut end = 0;
    for (start, _) in text.match_indices(part) {
        let after = start + part.len();
        if is_letter(text[..start].chars().next_back()) || is_letter(text[after..].chars().next()) {
            continue;
        }
        result.push_str(&text[end..start]);
        result.push_str(mark);
        end = after;
    }
    if end == 0 {
        return None;
    }
    result.push_str(&text[end..]);
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(definition: &str, word: Word<'_>) -> Option<u32> {
        DefinitionName::new(definition).relative_id(word)
    }

    #[test]
    fn words_of_similar_definitions_are_equal() {
        let service = id("ntp::service", Word::Variable("ntp::params::service_name"));
        let config = id("ssh::config", Word::Variable("::ssh::params::config_name"));
        assert!(service.is_some());
        assert_eq!(service, config);
        assert_ne!(
            service,
            id("ntp::service", Word::Variable("ntp::params::config_name"))
        );
    }

    #[test]
    fn only_whole_words_are_parts_of_a_name() {
        assert_eq!(id("ntp::service", Word::Text("microservices")), None);
        assert_eq!(id("ntp::db", Word::Text("db")), None);
        assert!(id("ntp", Word::Text("ntp_config")).is_some());
    }
}
