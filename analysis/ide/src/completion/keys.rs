//! Completes hash keys: those of facts, Structs and hashes with known values.

use syntax::ast::{AccessExpr, Expr};

use super::expected::{alternatives, literal_text};
use super::usage::UsageKind;
use super::{Candidate, Candidates, CompletionKind, DocumentedKind, score};
use hir::ruby_symbols::custom_facts;
use types::values::Value;
use types::{Type, display_hover};

/// Adds the keys of the accessed expression.
pub(super) fn keys(acc: &mut Candidates<'_, '_>, base: &Expr) {
    if let Some(path) = base_path(base) {
        facts(acc, &path);
    }
    let Some(inferred) = acc.cursor.infer_expr(base) else {
        return;
    };
    if let Some(Value::Hash(entries)) = &inferred.value {
        for (key, value) in entries.iter() {
            if let Value::String(key) = key {
                let detail = types::values::source(value);
                add(acc, key, detail.map(|it| base::truncated(&it, 80)));
            }
        }
    }
    for type_ in alternatives(&inferred.type_) {
        if let Type::Struct(it) = type_ {
            for element in it.elements() {
                let detail = base::truncated(&display_hover(&element.value), 80);
                add(acc, &element.name, Some(detail));
            }
        }
    }
}

fn add(acc: &mut Candidates<'_, '_>, key: &str, detail: Option<String>) {
    let candidate = candidate(acc, key).detail(detail);
    acc.add(candidate.score(score::TYPE_MATCH));
}

/// Creates the candidate of a key, with quotes if needed.
fn candidate(acc: &Candidates<'_, '_>, key: &str) -> Candidate {
    let candidate = Candidate::new(CompletionKind::Key, key);
    match acc.context.in_string {
        true => candidate,
        false => {
            let quoted = key.replace('\\', "\\\\").replace('\'', "\\'");
            candidate.insert(format!("'{quoted}'"))
        }
    }
}

/// Adds the keys of a fact.
fn facts(acc: &mut Candidates<'_, '_>, path: &[String]) {
    let parts: Vec<&str> = path.iter().map(String::as_str).collect();
    let mut all: Vec<(String, Option<String>)> = library::fact_parts(&parts)
        .map(|(key, part)| (key.to_owned(), Some(part.type_.clone())))
        .collect();
    if path.is_empty() {
        all.extend(library::facts().map(|it| (it.name.clone(), it.type_.clone())));
        if let Some(environment) = acc.cursor.environment {
            let custom = custom_facts(acc.cursor.db, environment).values();
            all.extend(custom.map(|it| (it.1.name.clone(), it.1.type_.clone())));
        }
    }
    for (key, type_) in all {
        let full = match path.is_empty() {
            true => key.clone(),
            false => format!("{} {key}", path.join(" ")),
        };
        let used = acc.usage_score(UsageKind::Fact, &full);
        let type_ = type_.and_then(|it| Some(it.split('[').next()?.to_owned()));
        let candidate = candidate(acc, &key)
            .detail(type_)
            .documentation_key(DocumentedKind::Fact, full)
            .score(score::SAME_MODULE + used);
        acc.add(candidate);
    }
    if path.is_empty() {
        for it in library::legacy_facts().filter(|it| !it.name.contains('<')) {
            let used = acc.usage_score(UsageKind::Fact, &it.name);
            let mut candidate = candidate(acc, &it.name)
                .documentation_key(DocumentedKind::Fact, it.name.clone())
                .score(used - 10 * score::SAME_SCOPE);
            candidate.deprecated = true;
            acc.add(candidate);
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

/// Returns the path of keys of a fact, as a top-scope variable or in `$facts`.
pub(super) fn fact_path_of(expr: &Expr) -> Option<Vec<String>> {
    match expr {
        Expr::VariableExpr(it) => {
            let name = it.name()?;
            Some(vec![name.trim_start_matches("::").to_owned()])
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
    path.push(literal_text(key)?);
    Some(path)
}
