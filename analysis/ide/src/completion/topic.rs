//! The topic at the cursor: the words of its line, of the title and type of its resource, and of the name of its
//! definition. Candidates that share these words are likely.

use rustc_hash::FxHashSet;
use syntax::SyntaxKind;
use syntax::ast::{AstNode, HashEntry, ResourceBody, ResourceExpr};

use super::autoloaded_name::name_of_file;
use crate::cursor::CursorContext;

/// The nearness of a name that the line or the title has as a whole, beyond that of its words: for one word, for two, and
/// for each further one.
const WHOLE: (f64, f64, f64) = (1.0, 2.0, 0.5);

/// The number of equal letters at the start or end of similar names: of short names, which have them in half of their
/// length, and of all names.
const MIN_SIMILAR: (usize, usize) = (2, 4);

/// The words around the cursor.
#[derive(Default)]
pub(super) struct Topic {
    /// The words of the line before the cursor, and of the title and type of the resource.
    near: FxHashSet<String>,
    /// The words in `near` in source order, joined by underscores.
    joined: String,
    /// The words of the name of the definition, without the name of the module.
    definition: FxHashSet<String>,
    /// The name of the definition.
    name: String,
    /// The name of the module.
    module: String,
}

impl Topic {
    /// Collects the words around the cursor; `start` is the start of the typed word.
    pub(super) fn new(cursor: &CursorContext<'_>, start: usize) -> Topic {
        let before = &cursor.text[..start];
        let line = before.rsplit('\n').next().unwrap_or_default();
        let near = [outer_keys(cursor), resource_words(cursor), line.to_owned()].join(" ");
        let name = definition_name(cursor).unwrap_or_default();
        let name = name.trim_start_matches("::").to_ascii_lowercase();
        let (module, own) = name.split_once("::").unwrap_or((&name, ""));
        Topic {
            near: words(&near).map(str::to_ascii_lowercase).collect(),
            joined: words(&near).collect::<Vec<_>>().join("_"),
            definition: words(own).map(str::to_owned).collect(),
            module: module.to_owned(),
            name,
        }
    }

    /// Returns the name of the module; `None` outside of modules.
    pub(super) fn module(&self) -> Option<&str> {
        Some(&*self.module).filter(|it| !it.is_empty())
    }

    /// Checks whether a name is that of the definition.
    pub(super) fn is_definition(&self, name: &str) -> bool {
        name.trim_start_matches("::")
            .eq_ignore_ascii_case(&self.name)
    }

    /// Checks whether a name in the same module has a last segment that starts or ends as that of the definition does.
    pub(super) fn is_similar(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let Some((module, own)) = name.split_once("::") else {
            return false;
        };
        module == self.module && has_similar_end(own, &self.name)
    }

    /// Checks whether a name is in the namespace of the definition, unless this is that of the whole module.
    pub(super) fn is_inside(&self, name: &str) -> bool {
        let rest = name.strip_prefix(&*self.name);
        !self.definition.is_empty() && rest.is_some_and(|it| it.starts_with("::"))
    }

    /// Checks whether a name is in the same namespace as the definition, unless this is that of the whole module.
    pub(super) fn is_beside(&self, name: &str) -> bool {
        let namespace = |it: &str| it.rsplit_once("::").map(|it| it.0.to_ascii_lowercase());
        let own = namespace(&self.name);
        own.as_ref().is_some_and(|it| it.contains("::")) && own == namespace(name)
    }

    /// Returns the share of the words of a name that the line and the title have, and more if they have
    /// the whole name. The name of the module does not count. A variable with the final value of a parameter is as near as
    /// the parameter.
    pub(super) fn nearness(&self, name: &str) -> f64 {
        let parameters = source_parameters(name).map(|it| self.own_nearness(it));
        parameters.fold(self.own_nearness(name), f64::max)
    }

    fn own_nearness(&self, name: &str) -> f64 {
        let is_whole = name.len() > 2 && self.joined.contains(name);
        let whole = match (is_whole, words(name).count()) {
            (false, _) => 0.0,
            (true, 1) => WHOLE.0,
            (true, count) => WHOLE.1 + WHOLE.2 * (count - 2) as f64,
        };
        share(self.without_module(name), &self.near) + whole
    }

    /// Removes the name of the module from the start of a name of several words.
    fn without_module<'a>(&self, name: &'a str) -> &'a str {
        let rest = name.strip_prefix(&*self.module).unwrap_or_default();
        match rest.strip_prefix(['-', '_']) {
            Some(rest) if !rest.is_empty() && !self.module.is_empty() => rest,
            _ => name,
        }
    }

    /// Returns the share of the words of a name that the name of the definition has.
    pub(super) fn kinship(&self, name: &str) -> f64 {
        let own = name.split_once("::").map(|it| it.1);
        share(
            own.unwrap_or_else(|| self.without_module(name)),
            &self.definition,
        )
    }
}

/// Checks whether the last segments of two names have enough letters in common, at the start or at the end.
fn has_similar_end(a: &str, b: &str) -> bool {
    let last = |it: &'_ str| -> Vec<char> {
        it.rsplit("::")
            .next()
            .into_iter()
            .flat_map(str::chars)
            .collect()
    };
    let (a, b) = (last(a), last(b));
    let start = equal_start(a.iter(), b.iter());
    let end = equal_start(a.iter().rev(), b.iter().rev());
    let common = start.max(end);
    let (of_short, of_all) = MIN_SIMILAR;
    common >= of_all || common >= of_short && 2 * common >= a.len().min(b.len())
}

/// Returns the number of equal letters at the start.
fn equal_start<'a>(a: impl Iterator<Item = &'a char>, b: impl Iterator<Item = &'a char>) -> usize {
    a.zip(b).take_while(|it| it.0 == it.1).count()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|it: char| !it.is_ascii_alphanumeric());
    words.filter(|it| !it.is_empty())
}

/// Returns the parameters whose final value a variable may have, by its name: `$name_real`, `$_name`.
pub(super) fn source_parameters(variable: &str) -> impl Iterator<Item = &str> {
    let suffixes = ["_real", "_final", "_"].into_iter();
    let prefixes = ["real_", "final_", "_"].into_iter();
    let before = suffixes.filter_map(|it| variable.strip_suffix(it));
    before.chain(prefixes.filter_map(|it| variable.strip_prefix(it)))
}

/// Returns the share of the words of a name that are in a set.
fn share(name: &str, set: &FxHashSet<String>) -> f64 {
    if set.is_empty() {
        return 0.0;
    }
    let name = name.to_ascii_lowercase();
    let (mut all, mut found) = (0.0, 0.0);
    for word in words(&name) {
        all += 1.0;
        found += f64::from(u8::from(set.contains(word)));
    }
    if all > 0.0 { found / all } else { 0.0 }
}

/// Returns the title and the type of the resource around the cursor, in this order: the name of a variable often
/// consists of the type and the attribute, such as `package_ensure`.
fn resource_words(cursor: &CursorContext<'_>) -> String {
    let body = cursor.token.parent_ancestors().find_map(ResourceBody::cast);
    let Some(body) = body else {
        return String::new();
    };
    let title = body.title().filter(|it| !cursor.is_within(it.syntax()));
    let resource = body.syntax().parent().and_then(ResourceExpr::cast);
    let type_name = resource.and_then(|it| it.type_name());
    let parts = [title, type_name].into_iter().flatten();
    let parts: Vec<String> = parts.map(|it| it.syntax().text().to_string()).collect();
    parts.join(" ")
}

/// Returns the keys of the hashes around the cursor.
fn outer_keys(cursor: &CursorContext<'_>) -> String {
    let around = cursor.token.parent_ancestors();
    let inside = around.take_while(|it| !ResourceBody::can_cast(it.kind()));
    let entries = inside.filter_map(HashEntry::cast);
    let keys = entries.filter_map(|it| it.key().filter(|it| !cursor.is_within(it.syntax())));
    let keys: Vec<String> = keys.map(|it| it.syntax().text().to_string()).collect();
    keys.join(" ")
}

/// Returns the name of the definition around the cursor.
pub(super) fn definition_name(cursor: &CursorContext<'_>) -> Option<String> {
    if let Some(item) = cursor.item {
        return Some(item.name(cursor.db).to_string());
    }
    let written = cursor.definition.as_ref().and_then(|it| {
        let mut children = it.syntax().children();
        let name = children.find(|it| it.kind() == SyntaxKind::DEFINITION_NAME)?;
        Some(name.text().to_string().trim().to_owned())
    });
    // An incomplete definition may have no name yet.
    written.or_else(|| name_of_file(cursor.db, cursor.file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_beside_share_the_namespace() {
        let topic = |name: &str| Topic {
            name: name.to_owned(),
            ..Topic::default()
        };
        assert!(topic("web::db::service").is_beside("web::db::install"));
        assert!(topic("web::db::service").is_beside("Web::Db::Port"));
        assert!(!topic("web::db::service").is_beside("web::db"));
        assert!(!topic("web::service").is_beside("web::install"));
        assert!(!topic("web").is_beside("db"));
    }

    #[test]
    fn similar_names_share_their_start_or_end() {
        let topic = |name: &str| Topic {
            name: name.to_owned(),
            module: name.split("::").next().unwrap_or_default().to_owned(),
            ..Topic::default()
        };
        assert!(topic("web::ip_address").is_similar("Web::Ipv4"));
        assert!(topic("web::absolutepath").is_similar("Web::Windowspath"));
        assert!(topic("web::filter::target").is_similar("Web::Filter::Builtintarget"));
        assert!(topic("web::values").is_similar("web::value"));
        assert!(!topic("web::ip_address").is_similar("Db::Ipv4"));
        assert!(!topic("web::ip_address").is_similar("Web::Port"));
        assert!(!topic("web::service").is_similar("web::install"));
        assert!(!topic("web").is_similar("web::vhost"));
    }
}
