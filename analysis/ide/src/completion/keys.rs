//! Completes hash keys: those of facts, Structs and hashes with known values.

use rustc_hash::FxHashSet;
use syntax::ast::{AccessExpr, AstNode, Expr, ParameterList};

use super::super::fact_path::called_fact_path;
use super::expected::alternatives;
use super::origin::Origins;
use super::usage::UsageKind;
use super::{Candidates, CompletionKind, DocumentedKind, score};
use crate::cursor::CursorContext;
use hir::ruby_symbols::custom_facts;
use infer::{Inferred, WorkspaceTypes};
use types::values::Value;
use types::{Type, display_hover};

/// Adds the keys of the accessed expression, or of the value at a path of keys in it.
pub(super) fn keys(acc: &mut Candidates<'_, '_>, base: &Expr, path: &[String]) {
    if let Some(mut facts_path) = open_path(base) {
        facts_path.extend_from_slice(path);
        facts(acc, &facts_path);
    }
    let inferred = acc.cursor.infer_expr(base);
    let known = inferred.filter(|it| !it.type_.is_any());
    let Some(inferred) = known.or_else(|| declared(acc.cursor, base)) else {
        return;
    };
    if let Some(Value::Hash(entries)) = inferred.value.and_then(|it| value_at(it, path)) {
        for (key, value) in entries.iter() {
            if let Value::String(key) = key {
                let detail = types::values::source(value);
                add(acc, key, detail.map(|it| base::truncated(&it, 80)));
            }
        }
    }
    for type_ in types_at(&inferred.type_, path) {
        if let Type::Struct(it) = type_ {
            for element in it.elements() {
                let detail = base::truncated(&display_hover(&element.value), 80);
                add(acc, &element.name, Some(detail));
            }
        }
    }
}

/// Returns the value at a path of keys.
fn value_at(value: Value, path: &[String]) -> Option<Value> {
    path.iter().try_fold(value, |value, key| {
        let Value::Hash(entries) = &value else {
            return None;
        };
        let mut entries = entries.iter();
        let found = entries.find(|it| it.0.as_str() == Some(key));
        found.map(|it| it.1.clone())
    })
}

/// Returns the alternatives of the type at a path of keys.
fn types_at(type_: &Type, path: &[String]) -> Vec<Type> {
    path.iter().fold(alternatives(type_), |types, key| {
        let values = types.iter().filter_map(|it| match it {
            Type::Struct(it) => Some(it.get(key)?.value.clone()),
            Type::Hash(it) => Some(it.value().clone()),
            _ => None,
        });
        values.flat_map(|it| alternatives(&it)).collect()
    })
}

fn add(acc: &mut Candidates<'_, '_>, key: &str, detail: Option<String>) {
    let candidate = acc.string(CompletionKind::Key, key).detail(detail);
    acc.add(candidate.score(score::TYPE_MATCH));
}

/// Adds the keys of a fact.
fn facts(acc: &mut Candidates<'_, '_>, path: &[String]) {
    let parts: Vec<&str> = path.iter().map(String::as_str).collect();
    let mut all: Vec<(String, Option<String>)> = library::fact_parts(&parts)
        .map(|(key, part)| (key.to_owned(), Some(part.type_.clone())))
        .collect();
    if path.is_empty() {
        all.extend(library::facts().map(|it| (it.name.clone(), it.type_.clone())));
    }
    let mut own = FxHashSet::default();
    if let Some(environment) = acc.cursor.environment.filter(|_| path.is_empty()) {
        let origins = Origins::new(acc.cursor);
        for (file, fact) in custom_facts(acc.cursor.db, environment).values() {
            if origins.of_file(*file).is_own() {
                own.insert(fact.name.clone());
            }
            all.push((fact.name.clone(), fact.type_.clone()));
        }
    }
    for (key, type_) in all {
        let full = match path.is_empty() {
            true => key.clone(),
            false => format!("{} {key}", path.join(" ")),
        };
        let used = acc.usage_score(UsageKind::Fact, &full);
        let type_ = type_.and_then(|it| Some(it.split('[').next()?.to_owned()));
        let candidate = acc
            .string(CompletionKind::Key, &key)
            .detail(type_)
            .documentation_key(DocumentedKind::Fact, full)
            .score(score::SAME_MODULE + used);
        acc.add(match own.contains(&key) {
            true => candidate.score(score::SAME_SCOPE),
            false => candidate,
        });
    }
    used_facts(acc, path);
    if path.is_empty() {
        for it in library::legacy_facts().filter(|it| !it.name.contains('<')) {
            let used = acc.usage_score(UsageKind::Fact, &it.name);
            let mut candidate = acc
                .string(CompletionKind::Key, &it.name)
                .documentation_key(DocumentedKind::Fact, it.name.clone())
                .score(used - 10 * score::SAME_SCOPE);
            candidate.deprecated = true;
            acc.add(candidate);
        }
    }
}

/// Adds the keys of facts that other files read, but that no code in the workspace defines, as those of external facts.
fn used_facts(acc: &mut Candidates<'_, '_>, path: &[String]) {
    let path = path.join(" ");
    let [others, siblings, _] = acc.usage;
    let keys = [others, siblings].into_iter().flatten();
    let keys: Vec<&str> = keys.flat_map(|it| it.fact_keys(&path)).collect();
    for key in keys {
        let is_legacy = path.is_empty() && library::legacy_fact(key).is_some();
        if !is_legacy {
            let candidate = acc.string(CompletionKind::Key, key);
            acc.add(candidate);
        }
    }
}

/// Adds the facts in dotted notation: the roots and, after a dot, the parts.
pub(super) fn dotted_facts(acc: &mut Candidates<'_, '_>) {
    let Some((path, _)) = acc.typed.rsplit_once('.') else {
        return facts(acc, &[]);
    };
    let parts: Vec<&str> = path.split('.').collect();
    for (key, part) in library::fact_parts(&parts) {
        let candidate = acc
            .string(CompletionKind::Key, &format!("{path}.{key}"))
            .detail(part.type_.split('[').next().map(str::to_owned));
        acc.add(candidate.score(score::SAME_MODULE));
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

/// The key of a fact that stands for one that is computed. The parts of facts are the same for all keys that differ from
/// host to host.
const ANY_KEY: &str = "*";

/// Returns the path of keys from `$facts` to an expression, also if some are computed.
fn open_path(base: &Expr) -> Option<Vec<String>> {
    let Expr::AccessExpr(access) = base else {
        return base_path(base);
    };
    let mut path = open_path(&access.base()?)?;
    let keys = access.keys();
    let [key] = keys.as_slice() else { return None };
    path.push(key.plain_text().unwrap_or_else(|| ANY_KEY.to_owned()));
    Some(path)
}

/// Returns the path of keys of a fact, as a top-scope variable or in `$facts`.
pub(super) fn fact_path_of(expr: &Expr) -> Option<Vec<String>> {
    match expr {
        Expr::VariableExpr(it) => {
            let name = it.name()?;
            Some(vec![name.trim_start_matches("::").to_owned()])
        }
        Expr::AccessExpr(it) => fact_path(it),
        Expr::CallExpr(it) => called_fact_path(it),
        _ => None,
    }
}

/// Returns the declared type of a parameter. Inference does not know types of modules in a version other than the required
/// one.
fn declared(cursor: &CursorContext<'_>, expr: &Expr) -> Option<Inferred> {
    let Expr::VariableExpr(variable) = expr else {
        return None;
    };
    let name = variable.name()?;
    let scopes = cursor.token.parent_ancestors();
    let lists = scopes.flat_map(|it| it.children().filter_map(ParameterList::cast));
    let mut parameters = lists.flat_map(|it| it.parameters());
    let parameter = parameters.find(|it| it.name().as_ref() == Some(&name))?;
    let types = WorkspaceTypes::as_offered(cursor.db, cursor.environment);
    types.read(&parameter.type_expr()?).map(Inferred::of)
}

/// Returns the path of keys of an access to a fact, if all keys are literals.
pub(super) fn fact_path(access: &AccessExpr) -> Option<Vec<String>> {
    let mut path = base_path(&access.base()?)?;
    let keys = access.keys();
    let [key] = keys.as_slice() else { return None };
    path.push(key.plain_text()?);
    Some(path)
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::is_offered;

    #[test]
    fn parts_of_facts_after_a_computed_key() {
        let code = "$facts['networking']['interfaces'][$nic]['<^>']";
        assert!(is_offered(code, "netmask") && is_offered(code, "ip"));
        assert!(!is_offered("$facts[$x]['<^>']", "family"));
        assert!(!is_offered("$facts['os'][$x]['<^>']", "family"));
    }

    #[test]
    fn types_of_modules_in_other_versions() {
        let types = "//- Puppetfile\nmod 'puppetlabs/stdlib', '9.6.0'\n\
                     //- modules/stdlib/metadata.json\n{\"name\": \"puppetlabs-stdlib\", \"version\": \"9.7.0\"}\n\
                     //- modules/stdlib/types/port.pp\ntype Stdlib::Port = Integer[0, 65535]\n\
                     //- types/srv.pp\ntype Web::Srv = Struct[{ 'port' => Stdlib::Port, 'host' => String }]\n";
        for code in [
            "class a (Struct[{ 'b' => String, 'port' => Stdlib::Port }] $srv) { $srv['<^>'] }",
            "class a (Web::Srv $srv) { $srv['<^>'] }",
            "class a ($all) { $all.each |Web::Srv $srv| { notice($srv['<^>']) } }",
            "class a (Web::Srv $srv = { '<^>' }) { }",
        ] {
            assert!(is_offered(&format!("{code}\n{types}"), "port"), "{code}");
        }
    }
}
