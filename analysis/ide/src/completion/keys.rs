//! Completes hash keys: those of facts, Structs and hashes with known values.

use syntax::ast::{AccessExpr, Expr};

use super::expected::{alternatives, text_of};
use super::usage::Used;
use super::{Candidate, Collector, CompletionKind, SubjectKind, score};
use hir::outside::custom_facts;
use types::values::Value;
use types::{Type, display_hover};

/// Adds the keys of the accessed expression.
pub(super) fn keys(into: &mut Collector<'_, '_>, base: &Expr) {
    if let Some(path) = base_path(base) {
        facts(into, &path);
    }
    let Some(inferred) = into.site.inferred_of(base) else {
        return;
    };
    if let Some(Value::Hash(entries)) = &inferred.value {
        for (key, value) in entries.iter() {
            if let Value::String(key) = key {
                let detail = types::values::source(value);
                add(into, key, detail.map(|it| base::shortened(&it, 80)));
            }
        }
    }
    for type_ in alternatives(&inferred.type_) {
        if let Type::Struct(it) = type_ {
            for element in it.elements() {
                let detail = base::shortened(&display_hover(&element.value), 80);
                add(into, &element.name, Some(detail));
            }
        }
    }
}

fn add(into: &mut Collector<'_, '_>, key: &str, detail: Option<String>) {
    let found = candidate(into, key).detail(detail);
    into.add(found.score(score::FITS));
}

/// Creates the candidate of a key, with quotes if needed.
fn candidate(into: &Collector<'_, '_>, key: &str) -> Candidate {
    let found = Candidate::new(CompletionKind::Key, key);
    match into.spot.in_string {
        true => found,
        false => {
            let quoted = key.replace('\\', "\\\\").replace('\'', "\\'");
            found.insert(format!("'{quoted}'"))
        }
    }
}

/// Adds the keys of a fact.
fn facts(into: &mut Collector<'_, '_>, path: &[String]) {
    let parts: Vec<&str> = path.iter().map(String::as_str).collect();
    let mut all: Vec<(String, Option<String>)> = library::fact_parts(&parts)
        .map(|(key, part)| (key.to_owned(), Some(part.type_.clone())))
        .collect();
    if path.is_empty() {
        all.extend(library::facts().map(|it| (it.name.clone(), it.type_.clone())));
        if let Some(environment) = into.site.environment {
            let custom = custom_facts(into.site.db, environment).values();
            all.extend(custom.map(|it| (it.1.name.clone(), it.1.type_.clone())));
        }
    }
    for (key, type_) in all {
        let full = match path.is_empty() {
            true => key.clone(),
            false => format!("{} {key}", path.join(" ")),
        };
        let used = into.used(Used::Fact, &full);
        let type_ = type_.and_then(|it| Some(it.split('[').next()?.to_owned()));
        let found = candidate(into, &key)
            .detail(type_)
            .about(SubjectKind::Fact, full)
            .score(score::MODULE + used);
        into.add(found);
    }
    if path.is_empty() {
        for it in library::legacy_facts().filter(|it| !it.name.contains('<')) {
            let used = into.used(Used::Fact, &it.name);
            let mut found = candidate(into, &it.name)
                .about(SubjectKind::Fact, it.name.clone())
                .score(used);
            found.deprecated = true;
            into.add(found);
        }
    }
}

/// Returns the path of keys from `$facts` to an expression; empty for `$facts` itself. For the
/// top-scope variable of a fact, the path is its name.
fn base_path(base: &Expr) -> Option<Vec<String>> {
    match base {
        Expr::VariableExpr(it) => {
            let name = it.name()?;
            match name.trim_start_matches("::") {
                "facts" => Some(Vec::new()),
                name => Some(vec![library::fact(name)?.name.clone()]),
            }
        }
        Expr::AccessExpr(it) => fact_path(it),
        _ => None,
    }
}

/// Returns the path of keys of an access to a fact, if all keys are literals.
pub(super) fn fact_path(access: &AccessExpr) -> Option<Vec<String>> {
    let mut path = base_path(&access.base()?)?;
    let keys = access.keys();
    let [key] = keys.as_slice() else { return None };
    path.push(text_of(key)?);
    Some(path)
}
