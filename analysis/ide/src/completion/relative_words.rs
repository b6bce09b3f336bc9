//! Words that repeat the name of the definition around them, as similar definitions do with theirs: in
//! `ntp::service`, `$ntp::params::service_name` is the word that `$ntp::params::config_name` is in
//! `ntp::config`.

use std::borrow::Cow;

use super::word::{Word, hash};

/// The minimum length of a segment of a name that counts, in bytes.
const MIN_LENGTH: usize = 3;

/// The name of a definition, split.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct DefinitionName {
    module: String,
    /// The last segment; `None` if the name has only one, or a short one.
    last: Option<String>,
    /// The segment before the last; `None` if that is the name of the module, or a short one.
    outer: Option<String>,
    /// The hash of the name without that of the module: definitions with this name do the same for their modules.
    pub(super) role: u32,
}

impl DefinitionName {
    pub(super) fn new(name: &str) -> DefinitionName {
        let name = name.trim_start_matches("::");
        let module = name.split("::").next().unwrap_or_default();
        let mut inner = name.rsplit("::");
        let mut next = || {
            let segment = inner.next();
            let segment = segment.filter(|it| it.len() >= MIN_LENGTH && *it != module);
            segment.map(str::to_owned)
        };
        DefinitionName {
            last: next(),
            outer: next(),
            role: match &name[module.len()..] {
                "" => 0,
                own => hash(("role", own)),
            },
            module: module.to_owned(),
        }
    }

    /// Checks whether other modules can have a definition with the same name.
    pub(super) fn has_role(&self) -> bool {
        self.role != 0
    }

    /// Returns the identity that the word shares with those of similar definitions; `None` if it has no part of
    /// the name.
    pub(super) fn relative_id(&self, word: Word<'_>) -> Option<u32> {
        let (is_variable, text) = match word {
            Word::Variable(name) => (true, name),
            Word::Text(text) | Word::String(text) => (false, text),
        };
        let text = lower_case(text.trim_start_matches("::"));
        let parts = [
            (self.last.as_deref(), "\0"),
            (self.outer.as_deref(), "\u{2}"),
            (Some(&*self.module), "\u{1}"),
        ];
        let mut relative: Option<String> = None;
        for (part, mark) in parts {
            let text: &str = relative.as_deref().unwrap_or(&*text);
            if let Some(found) = part.and_then(|it| replaced(text, it, mark)) {
                relative = Some(found);
            }
        }
        Some(hash(("relative", is_variable, relative?)))
    }
}

/// Returns the text in lower case: in `ntp::peer`, `Ntp::Peer` repeats the name too.
fn lower_case(text: &str) -> Cow<'_, str> {
    match text.contains(|it: char| it.is_ascii_uppercase()) {
        true => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Borrowed(text),
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
    fn names_of_namespaces_are_relative_too() {
        let peer = id("haproxy::peer::collect", Word::Text("Haproxy::Peer"));
        let mailer = id("haproxy::mailer::collect", Word::Text("Haproxy::Mailer"));
        assert!(peer.is_some());
        assert_eq!(peer, id("lb::peer::add", Word::Text("Lb::Peer")));
        assert_eq!(peer, mailer);
    }

    #[test]
    fn only_whole_words_are_parts_of_a_name() {
        assert_eq!(id("ntp::service", Word::Text("microservices")), None);
        assert_eq!(id("ntp::db", Word::Text("db")), None);
        assert!(id("ntp", Word::Text("ntp_config")).is_some());
    }
}
