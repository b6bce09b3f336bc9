//! Completes names of classes, functions, resource types and data types.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::SyntaxNode;
use syntax::ast::{AstNode, Definition, Expr, HasName, is_statement_function};

use super::class_declaration::{RestOfDeclaration, attribute_lines};
use super::expected::alternatives;
use super::resource::{AttributeOwner, ResourceContext};
use super::usage::UsageKind;
use super::{Candidate, Candidates, CompletionKind, DocumentedKind, MAX_ITEMS, score};
use crate::cursor::CursorContext;
use base::{FileInput, ModuleOrigin, SettingsInput};
use hir::autoload::{RubyKind, definitions_of_kind, ruby_files};
use hir::body::{ClassUse, ReferenceName};
use hir::{Item, ItemKind, resolve};
use infer::{Inferred, ResolvedOverload, all_signatures, signatures_of};
use library::KnownFunction;
use types::DATA_TYPES;
use types::{Type, capitalize_segments, display_hover};

/// Returns the definitions of a kind with their proximity scores.
pub(super) fn definitions_with_proximity<'db>(
    acc: &Candidates<'_, 'db>,
    wanted: ItemKind,
) -> Vec<(&'db str, Item<'db>, i64)> {
    let db = acc.cursor.db;
    let Some(environment) = acc.cursor.environment else {
        return Vec::new();
    };
    let all = definitions_of_kind(db, environment, wanted);
    all.map(|(name, item)| (name, item, proximity_score(acc.cursor, item.file(db))))
        .collect()
}

/// Scores the proximity of a file: the same file, or the same module.
fn proximity_score(cursor: &CursorContext<'_>, file: FileInput) -> i64 {
    let db = cursor.db;
    match file.module(db) {
        _ if file == cursor.file => 2 * score::SAME_MODULE,
        Some(it) if Some(it) == cursor.file.module(db) => score::SAME_MODULE,
        Some(it) if it.origin(db) == ModuleOrigin::Workspace => score::SAME_MODULE / 2,
        _ => 0,
    }
}

/// Returns `::` if it is typed, or if nothing is typed and the file writes most class names with
/// it.
fn preferred_colons(acc: &Candidates<'_, '_>) -> &'static str {
    let is_habit = || {
        let times = |it: &str| acc.cursor.text.matches(it).count();
        let with = times("include ::") + times("'::");
        with > 0 && 2 * with > times("include ") + times("class {") + times("class{")
    };
    match acc.typed.starts_with("::") || acc.typed.is_empty() && is_habit() {
        true => "::",
        false => "",
    }
}

/// Returns `::` if it is typed.
pub(super) fn typed_colons(acc: &Candidates<'_, '_>) -> &'static str {
    match acc.typed.starts_with("::") {
        true => "::",
        false => "",
    }
}

/// Adds all classes; with the rest of a declaration, including their required parameters.
pub(super) fn classes(acc: &mut Candidates<'_, '_>, rest: Option<&RestOfDeclaration>) {
    let colons = preferred_colons(acc);
    let own = acc.cursor.item.map(|it| it.name(acc.cursor.db).clone());
    let declared = declared_classes(acc.cursor);
    let all = definitions_with_proximity(acc, ItemKind::Class);
    // A longer list is requested again when more is typed.
    let is_short = all.len() <= MAX_ITEMS;
    for (name, item, proximity) in all {
        // Declaring the enclosing class, or a class for the second time, has no effect.
        let is_own = own.as_deref() == Some(name);
        let used = acc.usage_score(UsageKind::Class, name);
        let points = match is_own || declared.contains(name) {
            true => -6 * score::SAME_SCOPE,
            false => proximity + used + acc.kinship_score(name),
        };
        let mut candidate = Candidate::new(CompletionKind::Class, format!("{colons}{name}"))
            .documentation_key(DocumentedKind::Class, name)
            .score(points);
        if let Some(rest) = rest
            && (is_short || is_likely_shown(acc, name))
        {
            let attributes = AttributeOwner::Item(item).attributes(acc.cursor.db);
            candidate = rest.complete(candidate, &attributes);
        }
        acc.add(candidate);
    }
}

/// Returns the classes that the enclosing definition declares.
fn declared_classes<'db>(cursor: &CursorContext<'db>) -> FxHashSet<&'db str> {
    let body = cursor.item.map(|it| hir::body::body(cursor.db, it));
    let references = body.into_iter().flat_map(|it| &it.references);
    let classes = references.filter_map(|it| match &it.name {
        ReferenceName::Class(name, ClassUse::Declared) => Some(name.as_str()),
        _ => None,
    });
    classes.collect()
}

/// Adds all resource types and defined types; with `as_statement`, including their required
/// attributes.
pub(super) fn resource_types(acc: &mut Candidates<'_, '_>, as_statement: bool) {
    let colons = typed_colons(acc);
    let own = acc.cursor.item.map(|it| it.name(acc.cursor.db).clone());
    for (name, proximity) in all_resource_types(acc) {
        let used = acc.usage_score(UsageKind::Resource, &name);
        // A defined type hardly declares itself.
        let points = match own.as_deref() == Some(name.as_str()) {
            true => -6 * score::SAME_SCOPE,
            false => proximity + used + acc.kinship_score(&name),
        };
        let mut candidate = Candidate::new(CompletionKind::ResourceType, format!("{colons}{name}"))
            .documentation_key(DocumentedKind::ResourceType, name.clone())
            .score(points);
        if as_statement {
            candidate = candidate.snippet(resource_snippet(acc, &format!("{colons}{name}"), &name));
        }
        acc.add(candidate);
    }
}

/// Returns the names of all resource types and defined types with their proximity scores.
pub(super) fn all_resource_types(acc: &Candidates<'_, '_>) -> Vec<(String, i64)> {
    let defined = definitions_with_proximity(acc, ItemKind::DefinedType).into_iter();
    let mut all: Vec<_> = defined
        .map(|(name, _, proximity)| (name.to_owned(), proximity))
        .collect();
    all.extend(native_types(acc).into_iter().map(|it| (it, 0)));
    all.push(("class".to_owned(), 0));
    all
}

/// Returns the names of all resource types that are not defined types.
fn native_types(acc: &Candidates<'_, '_>) -> Vec<String> {
    let db = acc.cursor.db;
    let version = SettingsInput::get(db).version(db);
    let built_in = library::resource_types(version).map(|it| it.name.clone());
    let mut all: Vec<String> = built_in.collect();
    if let Some(environment) = acc.cursor.environment {
        let files = ruby_files(db, environment).keys();
        let types = files.filter(|it| it.0 == RubyKind::ResourceType);
        all.extend(types.map(|it| it.1.clone()));
    }
    all.sort();
    all.dedup();
    all
}

/// Returns the snippet of a resource with its required attributes.
fn resource_snippet(acc: &Candidates<'_, '_>, written: &str, name: &str) -> String {
    let resource = ResourceContext {
        type_: name.to_owned(),
        ..ResourceContext::default()
    };
    let owner = match name {
        // The class is not known yet.
        "class" => None,
        _ if !is_likely_shown(acc, name) => None,
        _ => AttributeOwner::of(acc.cursor.db, acc.cursor.environment, &resource),
    };
    let all = owner.map(|it| it.attributes(acc.cursor.db));
    let attributes = attribute_lines(&all.unwrap_or_default(), 2);
    format!("{written} {{ '$1':\n{attributes}\n}}")
}

/// Checks whether a candidate is likely to be shown. Reading the attributes of all types would take
/// too long.
fn is_likely_shown(acc: &Candidates<'_, '_>, name: &str) -> bool {
    let typed = acc.typed.trim_start_matches("::");
    !typed.is_empty() && name.starts_with(typed)
}

/// Adds all functions; those with a return type that does not match the expected type score lower.
pub(super) fn functions(acc: &mut Candidates<'_, '_>, expected: Option<&Type>) {
    let colons = typed_colons(acc);
    let has_arguments = acc.text_after_word().starts_with('(');
    for (name, proximity) in all_functions(acc.cursor) {
        let used = acc.usage_score(UsageKind::Function, name);
        let mut points = proximity / 2 + used + acc.kinship_score(name);
        if let Some(expected) = expected
            && !acc.typed.is_empty()
            && name.starts_with(acc.typed)
            && can_return(acc, name, expected) == Some(false)
        {
            points -= score::TYPE_MATCH;
        }
        let label = format!("{colons}{name}");
        let mut candidate = Candidate::new(CompletionKind::Function, label)
            .documentation_key(DocumentedKind::Function, name)
            .score(points);
        candidate = match is_statement_function(name) {
            true => candidate.insert(format!("{colons}{name}")),
            false if has_arguments => candidate,
            false => {
                let snippet = format!("{colons}{name}($0)");
                candidate.snippet(snippet)
            }
        };
        acc.add(candidate);
    }
}

/// Checks whether the result of a function can be of a type. Returns `None` if that is not known.
fn can_return(acc: &Candidates<'_, '_>, name: &str, expected: &Type) -> Option<bool> {
    let overloads = &signatures_of(acc.cursor.db, acc.cursor.environment, name)?.overloads;
    let mut all = overloads.iter().map(|it| {
        let returns = Inferred::of(it.returns.clone()?);
        returns.is_a(expected)
    });
    match all.all(|it| it == Some(false)) && !overloads.is_empty() {
        true => Some(false),
        false => None,
    }
}

/// Returns the names of all functions with their proximity scores.
pub(super) fn all_functions<'db>(
    cursor: &CursorContext<'db>,
) -> impl Iterator<Item = (&'db str, i64)> {
    let all = resolve::all_functions(cursor.db, cursor.environment);
    all.map(|(name, file)| (name, file.map_or(0, |it| proximity_score(cursor, it))))
}

/// Adds the functions that accept the receiver as their first argument.
pub(super) fn methods<'db>(acc: &mut Candidates<'_, 'db>, receiver: &Expr) {
    let (db, environment) = (acc.cursor.db, acc.cursor.environment);
    let type_ = acc.cursor.infer_expr(receiver);
    // Many functions share a parameter type.
    #[expect(
        clippy::mutable_key_type,
        reason = "the compiled form of a regular expression is not part of its hash"
    )]
    let mut known: FxHashMap<&Type, Option<bool>> = FxHashMap::default();
    let mut accepts = |to: &'db Type| {
        let type_ = type_.as_ref()?;
        *known.entry(to).or_insert_with(|| type_.is_a(to))
    };
    let known_signatures = environment.map(|it| all_signatures(db, it));
    for (name, proximity) in all_functions(acc.cursor) {
        let signatures = match known_signatures {
            Some(all) => all.get(name),
            None => signatures_of(db, None, name),
        };
        let overloads = signatures.map(|it| &*it.overloads).unwrap_or_default();
        let takes = overloads.iter().filter_map(|it| it.parameter(0));
        let takes: Vec<_> = takes.collect();
        // Keep functions with unknown signatures, skip those without parameters.
        if takes.is_empty() && !overloads.is_empty() {
            continue;
        }
        let mut fitting = overloads.iter().filter(|it| {
            let first = it.parameter(0);
            first.is_some_and(|to| accepts(&to.type_) != Some(false))
        });
        let fits = fitting.next();
        if !takes.is_empty() && fits.is_none() {
            continue;
        }
        let needs_block = fits.into_iter().chain(fitting).all(requires_block);
        let has_block = overloads.iter().any(|it| it.block.is_some());
        let is_special = takes.iter().any(|it| !it.type_.is_any());
        let used = acc.usage_score(UsageKind::Function, name);
        let block = if has_block { 3 * score::SAME_MODULE } else { 0 };
        let special = if is_special { score::SAME_MODULE } else { 0 };
        let unknown = if overloads.is_empty() {
            -score::TYPE_MATCH
        } else {
            0
        };
        let overload = overloads.iter().find(|it| it.parameter(0).is_some());
        let returns = overload
            .and_then(|it| it.returns.as_ref())
            .map(display_hover);
        let mut candidate = Candidate::new(CompletionKind::Function, name)
            .detail(returns.map(|it| format!(">> {}", base::truncated(&it, 80))))
            .documentation_key(DocumentedKind::Function, name)
            .score(proximity + used + block + special + unknown);
        // Enter accepts a candidate that adds something, even if the user has typed the whole call.
        if has_block && needs_block && is_block_missing(acc) {
            let parameters = lambda_parameters(receiver, type_.as_ref(), name);
            candidate = candidate.snippet(format!("{name} |{parameters}| {{\n  $0\n}}"));
        }
        acc.add(candidate);
    }
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

/// Adds all data types and type aliases.
pub(super) fn data_types(acc: &mut Candidates<'_, '_>) {
    let colons = typed_colons(acc);
    for name in DATA_TYPES {
        let used = acc.usage_score(UsageKind::Type, &name.to_ascii_lowercase());
        let candidate = Candidate::new(CompletionKind::DataType, format!("{colons}{name}"));
        acc.add(candidate.score(used + score::SAME_MODULE));
    }
    for (name, item, proximity) in definitions_with_proximity(acc, ItemKind::TypeAlias) {
        let used = acc.usage_score(UsageKind::Type, name);
        let label = match super::match_name(name, &acc.typed.to_ascii_lowercase()) {
            Some(_) => alias_name(&item.syntax(acc.cursor.db)),
            None => continue,
        };
        let label = label.unwrap_or_else(|| capitalize_segments(name));
        let label = format!("{colons}{}", label.trim_start_matches("::"));
        let candidate = Candidate::new(CompletionKind::DataType, label)
            .documentation_key(DocumentedKind::DataType, name)
            .score(proximity + used);
        acc.add(candidate);
    }
}

/// Returns the name of a type alias as written in its definition.
fn alias_name(tree: &SyntaxNode) -> Option<String> {
    match Definition::cast(tree.clone())? {
        Definition::TypeAlias(it) => Some(it.name()?.text()),
        _ => None,
    }
}

/// Adds the types of resource references such as `File['…']`.
pub(super) fn resource_references(acc: &mut Candidates<'_, '_>, base: i64) {
    let colons = typed_colons(acc);
    for (name, proximity) in all_resource_types(acc) {
        let used = acc.usage_score(UsageKind::Type, &name);
        let label = format!("{colons}{}", capitalize_segments(&name));
        let kinship = acc.kinship_score(&name);
        let candidate = Candidate::new(CompletionKind::ResourceType, label.clone())
            .documentation_key(DocumentedKind::ResourceType, name)
            .snippet(format!("{label}[$0]"))
            .score(proximity + used + base + kinship);
        acc.add(candidate);
    }
}
