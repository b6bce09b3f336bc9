//! Variables, methods and keys inside of `%{…}`.

use hiera::interpolation::Method;
use hir::ruby_symbols::custom_facts;
use salsa::Database;

use super::item_of;
use crate::completion::{Origins, fact_uses};
use crate::data_files::keys_by_name;
use crate::{CompletionItem, CompletionKind, DocumentationKey, DocumentedKind};
use base::FileInput;

/// Returns the word before the cursor: the part of an interpolation that an item replaces.
pub(super) fn word(written: &str) -> &str {
    match argument(written) {
        Some((_, key)) => key,
        None => written.trim_start(),
    }
}

/// Splits `method('argument` without a closing quote.
fn argument(written: &str) -> Option<(&str, &str)> {
    let (method, rest) = written.trim_start().split_once('(')?;
    let argument = rest.strip_prefix(['\'', '"'])?;
    (!argument.contains(['\'', '"'])).then_some((method, argument))
}

/// Returns what an interpolation can continue with; `hiera.yaml` permits no methods.
pub(super) fn items(
    db: &dyn Database,
    file: FileInput,
    written: &str,
    with_methods: bool,
) -> Vec<CompletionItem> {
    if let Some((method, _)) = argument(written) {
        return match Method::of_name(method) {
            Some(Method::Lookup | Method::Alias) => keys(db, file),
            Some(Method::Scope) => variables(db, file, word(written), false),
            _ => Vec::new(),
        };
    }
    variables(db, file, written.trim_start(), with_methods)
}

/// Returns the keys of data, those of the project before those of modules.
fn keys(db: &dyn Database, file: FileInput) -> Vec<CompletionItem> {
    let Some(environment) = file.environment(db) else {
        return Vec::new();
    };
    let origins = Origins::seen_from(db, Some(environment), file);
    let mut keys = keys_by_name(db, environment, |_| true);
    keys.sort_by_cached_key(|it| origins.of_key(environment, it.0));
    let items = keys.iter();
    items
        .map(|it| item_of(it.0, it.0, CompletionKind::Key, None))
        .collect()
}

fn variables(
    db: &dyn Database,
    file: FileInput,
    word: &str,
    with_methods: bool,
) -> Vec<CompletionItem> {
    let path = word.rsplit_once('.').map(|it| it.0);
    match path {
        Some(path) if path == "facts" || path.starts_with("facts.") => facts(db, file, path),
        Some("trusted") => {
            let names = library::TRUSTED_KEYS
                .iter()
                .map(|it| format!("trusted.{it}"));
            let items = names.map(|it| item_of(&it, &it, CompletionKind::Key, None));
            items.collect()
        }
        Some(_) => Vec::new(),
        None => roots(with_methods),
    }
}

/// Returns the parts of a fact, or all facts; those that the code reads most often first.
fn facts(db: &dyn Database, file: FileInput, path: &str) -> Vec<CompletionItem> {
    let environment = file.environment(db);
    let steps: Vec<&str> = path.split('.').skip(1).collect();
    let mut found: Vec<(String, Option<String>)> = library::fact_parts(&steps)
        .map(|(name, part)| (name.to_owned(), Some(part.type_.clone())))
        .collect();
    if steps.is_empty() {
        let facts = library::facts().map(|it| (it.name.clone(), it.type_.clone()));
        let known: Vec<_> = facts
            .filter(|it| !found.iter().any(|old| old.0 == it.0))
            .collect();
        found.extend(known);
        let custom = environment
            .into_iter()
            .flat_map(|it| custom_facts(db, it).values());
        found.extend(custom.map(|it| (it.1.name.clone(), it.1.type_.clone())));
    }
    found.sort_by_cached_key(|it| {
        let keys = [steps.as_slice(), &[it.0.as_str()]].concat();
        std::cmp::Reverse(fact_uses(db, file, &keys))
    });
    let items = found.into_iter().map(|(name, type_)| {
        let label = format!("{path}.{name}");
        let detail = type_.and_then(|it| it.split('[').next().map(str::to_owned));
        let mut item = item_of(&label, &label, CompletionKind::Key, detail);
        let mut keys = steps.clone();
        keys.push(&name);
        item.documentation_key = Some(DocumentationKey {
            kind: DocumentedKind::Fact,
            name: keys.join(" "),
        });
        item
    });
    items.collect()
}

/// Returns the variables and methods that an interpolation can start with.
fn roots(with_methods: bool) -> Vec<CompletionItem> {
    let names = ["facts", "trusted", "environment"];
    let mut items: Vec<CompletionItem> = names
        .iter()
        .map(|it| item_of(it, it, CompletionKind::Variable, None))
        .collect();
    for name in Method::NAMES.iter().filter(|_| with_methods) {
        let insert = format!("{name}('')");
        let mut item = item_of(name, &insert, CompletionKind::Function, None);
        item.snippet = Some(format!("{name}('$1')$0"));
        items.push(item);
    }
    items
}
