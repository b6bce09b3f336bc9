//! Completes functions after a dot, and the lambdas that they take.

use rustc_hash::FxHashMap;
use syntax::ast::{Expr, is_statement_function};

use super::blocks::block;
use super::definitions::{all_functions, signatures};
use super::expected::alternatives;
use super::origin::Origin;
use super::usage::UsageKind;
use super::{Candidate, Candidates, CompletionKind, DocumentedKind, keywords, score};
use infer::{Inferred, ResolvedOverload};
use library::KnownFunction;
use types::{Type, display_hover};

/// The factor of functions that are hardly called on a value: they take any value, the name of something, or
/// are called for their effects.
const UNUSUAL: f64 = 0.02;

/// Adds the functions that accept the receiver as their first argument. Those that accept few other values come
/// first: on a string, `split` is likelier than `each`, and both than `notice`.
pub(super) fn methods<'db>(acc: &mut Candidates<'_, 'db>, receiver: &Expr) {
    let type_ = acc.cursor.infer_expr(receiver);
    // Many functions share a parameter type.
    #[expect(
        clippy::mutable_key_type,
        reason = "the compiled form of a regular expression is not part of its hash"
    )]
    let mut known: FxHashMap<(&Type, bool), f64> = FxHashMap::default();
    let mut specificity_of = |to: &'db Type, iterates: bool| {
        let new = || specificity(to, iterates, type_.as_ref());
        *known.entry((to, iterates)).or_insert_with(new)
    };
    for (name, origin) in all_functions(acc.cursor) {
        let overloads = signatures(acc.cursor, name).map(|it| &*it.overloads);
        let overloads = overloads.unwrap_or_default();
        let fitting = overloads.iter().filter_map(|it| {
            let specificity = specificity_of(&it.parameter(0)?.type_, it.block.is_some());
            (specificity > 0.0).then_some((it, specificity))
        });
        let fitting: Vec<_> = fitting.collect();
        // Keep functions with unknown signatures.
        if fitting.is_empty() && !overloads.is_empty() {
            continue;
        }
        let specificity = fitting.iter().map(|it| it.1).fold(UNUSUAL, f64::max);
        let used = acc.usage_score(UsageKind::Function, name);
        let has_block = fitting.iter().any(|it| it.0.block.is_some());
        let block_points = if has_block { score::SAME_MODULE } else { 0 };
        let is_common = origin == Origin::Puppet;
        let common_points = if is_common { score::SAME_MODULE } else { 0 };
        let overload = overloads.iter().find(|it| it.parameter(0).is_some());
        let returns = overload.and_then(|it| it.returns.as_ref());
        let returns = returns.map(display_hover);
        let mut candidate = Candidate::new(CompletionKind::Function, name)
            .detail(returns.map(|it| format!(">> {}", base::truncated(&it, 80))))
            .documentation_key(DocumentedKind::Function, name)
            .score(origin.score() + used + block_points + common_points)
            .weight(specificity * usualness(name))
            .from(origin);
        let needs_block = has_block && fitting.iter().all(|it| requires_block(it.0));
        // Enter accepts a candidate that adds something, even if the user has typed the whole call.
        if needs_block && is_block_missing(acc) {
            let parameters = lambda_parameters(receiver, type_.as_ref(), name);
            let header = format!("{name} |{parameters}|");
            candidate = candidate.snippet(block(acc, &header));
        }
        acc.add(candidate);
    }
}

/// Returns the share that receivers like this one have among those that a parameter accepts, from 0 to 1; 0 if it
/// does not accept the receiver. Functions with a lambda mostly iterate over collections.
fn specificity(to: &Type, iterates: bool, receiver: Option<&Inferred>) -> f64 {
    if receiver.is_some_and(|it| it.is_a(to) == Some(false)) {
        return 0.0;
    }
    if to.is_any() {
        return UNUSUAL;
    }
    let kinds = kinds(iterates);
    let accepted = kinds.iter().filter(|it| can_be(&it.0, to));
    let (mut all, mut like_this) = (0.0, 0.0);
    for (kind, share) in accepted {
        all += share;
        let is_like_this = receiver.is_some_and(|it| can_be(&it.type_, kind));
        like_this += if is_like_this { *share } else { 0.0 };
    }
    if all > 0.0 {
        f64::max(like_this / all, UNUSUAL)
    } else {
        1.0
    }
}

/// Checks whether a value of a type can be of another one.
fn can_be(type_: &Type, other: &Type) -> bool {
    Inferred::of(type_.clone()).is_a(other) != Some(false)
}

/// Returns the kinds of values that functions distinguish, and how often they are receivers.
fn kinds(iterates: bool) -> [(Type, f64); 6] {
    let collection = if iterates { 20.0 } else { 1.0 };
    [
        (Type::STRING, 1.0),
        (Type::INTEGER, 0.2),
        (Type::BOOLEAN, 0.1),
        (Type::any_array(), collection),
        (Type::any_hash(), collection),
        (Type::Type(None), 0.1),
    ]
}

/// Returns the factor of what a function does: methods mostly compute a value from the receiver.
fn usualness(name: &str) -> f64 {
    if is_statement_function(name) {
        return UNUSUAL;
    }
    match KnownFunction::from_name(name) {
        Some(it) if it.names().is_some() || it.needs_catalog() => UNUSUAL,
        Some(it) if it.has_external_result() || it.tests_definedness() => UNUSUAL,
        _ => 1.0,
    }
}

/// Adds the lambda that a function takes, after its name.
pub(super) fn lambda(acc: &mut Candidates<'_, '_>, receiver: &Expr, function: &str) {
    let overloads = signatures(acc.cursor, function).map(|it| &*it.overloads);
    let mut overloads = overloads.unwrap_or_default().iter();
    if overloads.any(|it| it.block.is_some()) {
        let type_ = acc.cursor.infer_expr(receiver);
        let parameters = lambda_parameters(receiver, type_.as_ref(), function);
        let header = format!("|{parameters}|");
        let candidate = Candidate::new(CompletionKind::Snippet, "|…| { }");
        acc.add(candidate.snippet(block(acc, &header)).score(score::EXACT));
    }
    keywords::operators(acc);
}

fn requires_block(overload: &ResolvedOverload) -> bool {
    matches!(overload.block, Some((_, is_optional)) if !is_optional)
}

/// Checks whether no lambda and no argument list follows the name.
fn is_block_missing(acc: &Candidates<'_, '_>) -> bool {
    let after = acc.text_after_word().trim_start_matches([' ', '\t']);
    !after.starts_with(['|', '{', '('])
}

/// Returns the parameters of a lambda as a snippet, named by the receiver.
fn lambda_parameters(receiver: &Expr, type_: Option<&Inferred>, function: &str) -> String {
    let name = match receiver {
        Expr::VariableExpr(it) => it.name().and_then(|it| element_name(&it)),
        _ => None,
    };
    let is_hash = || {
        let all = type_.map(|it| alternatives(&it.type_)).unwrap_or_default();
        !all.is_empty()
            && all
                .iter()
                .all(|it| matches!(it, Type::Hash(_) | Type::Struct(_)))
    };
    if KnownFunction::from_name(function) == Some(KnownFunction::Reduce) {
        let name = name.unwrap_or_else(|| "item".to_owned());
        return format!("\\$${{1:memo}}, \\$${{2:{name}}}");
    }
    match is_hash() {
        true => {
            let name = name.unwrap_or_else(|| "key".to_owned());
            format!("\\$${{1:{name}}}, \\$${{2:value}}")
        }
        false => {
            let name = name.unwrap_or_else(|| "item".to_owned());
            format!("\\$${{1:{name}}}")
        }
    }
}

/// Returns the name of an element of a variable with a plural name.
fn element_name(variable: &str) -> Option<String> {
    let last = variable.rsplit("::").next()?;
    let last = last.trim_start_matches('_');
    let name = match last {
        it if it.ends_with("ies") => format!("{}y", it.strip_suffix("ies")?),
        it if ["sses", "xes", "ches", "shes"]
            .iter()
            .any(|end| it.ends_with(end)) =>
        {
            it.strip_suffix("es")?.to_owned()
        }
        it if it.ends_with("ss") => return None,
        it => it.strip_suffix('s')?.to_owned(),
    };
    (name.len() > 1).then_some(name)
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::{completions_of, is_offered};

    /// Returns the places of functions after a dot.
    fn ranks(type_: &str, names: &[&str]) -> Vec<usize> {
        let code =
            format!("class a({type_} $v) {{\n  notice('a')\n  notice('b')\n  $x = $v.<^>\n}}");
        let found = completions_of("manifests/site.pp", &code);
        let rank = |name: &&str| found.iter().position(|it| it.label == *name);
        names.iter().map(|it| rank(it).expect(it)).collect()
    }

    #[test]
    fn functions_of_the_type_come_first() {
        let strings = ranks(
            "String",
            &["split", "upcase", "regsubst", "match", "notice", "include"],
        );
        assert!(strings[..4].iter().all(|it| *it < 40), "{strings:?}");
        assert!(strings[4..].iter().all(|it| *it > 60), "{strings:?}");
        let hashes = ranks("Hash", &["keys", "values", "get", "dig", "notice"]);
        assert!(hashes[..4].iter().all(|it| *it < 40), "{hashes:?}");
        let arrays = ranks("Array", &["each", "map", "join", "size", "notice"]);
        assert!(arrays[..4].iter().all(|it| *it < 30), "{arrays:?}");
    }

    #[test]
    fn lambdas_follow_functions() {
        let code = "class a(Array $ports) { $ports.each <^> }";
        let found = completions_of("manifests/site.pp", code);
        let first = found.first().and_then(|it| it.snippet.as_deref());
        assert_eq!(first, Some("|\\$${1:port}| {\n  $0\n}"));
        assert!(!is_offered(code, "file"));
        let code = "class a(Array $ports) { if $ports.empty <^> }";
        assert!(is_offered(code, "and") && !is_offered(code, "|…| { }"));
    }
}
