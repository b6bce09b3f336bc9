//! Completes names of classes, functions, resource types and data types.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{AstNode, Definition, HasName, is_statement_function};
use syntax::{SyntaxKind, SyntaxNode};

use super::class_declaration::{RestOfDeclaration, attribute_lines};
use super::expected::ExpectedValue;
use super::origin::{Origin, Origins};
use super::resource::{AttributeOwner, ResourceContext};
use super::usage::UsageKind;
use super::{
    Candidate, Candidates, CompletionKind, DocumentedKind, MAX_ITEMS, OWN_REFERENCE, group, score,
};
use crate::bolt;
use crate::cursor::{CursorContext, token_before};
use base::SettingsInput;
use hir::autoload::{RubyKind, definitions_of_kind, ruby_files};
use hir::body::{ClassUse, ReferenceName};
use hir::{Item, ItemKind, canonical_name, resolve};
use infer::{
    Inferred, ResolvedOverload, Signatures, all_signatures, bolt_signatures, signatures_of,
};
use library::{KnownFunction, NamedEntity};
use types::DATA_TYPES;
use types::{Type, capitalize_segments};

/// The types that the key of a Struct may have, the usual one first.
const STRUCT_KEYS: [&str; 2] = ["Optional", "NotUndef"];

/// The factor of functions that only have a value where letters start a statement.
const USELESS: f64 = 0.02;

/// The factor of functions with a lambda, which are mostly called as methods.
const WITH_BLOCK: f64 = 0.2;

/// The factor of functions that plans often call.
const OFTEN_IN_PLANS: f64 = 4.0;

/// Returns the definitions of a kind with their origins.
pub(super) fn definitions_with_origins<'db>(
    acc: &Candidates<'_, 'db>,
    wanted: ItemKind,
) -> Vec<(&'db str, Item<'db>, Origin)> {
    let db = acc.cursor.db;
    let Some(environment) = acc.cursor.environment else {
        return Vec::new();
    };
    let origins = Origins::new(acc.cursor);
    let all = definitions_of_kind(db, environment, wanted);
    all.map(|(name, item)| (name, item, origins.of_file(item.file(db))))
        .collect()
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
    // Many classes also include the one that they inherit.
    let declared = match is_superclass(acc.cursor) {
        true => FxHashSet::default(),
        false => declared_classes(acc.cursor),
    };
    let is_reference = is_reference(acc.cursor);
    let all = definitions_with_origins(acc, ItemKind::Class);
    // A longer list is requested again when more is typed.
    let is_short = all.len() <= MAX_ITEMS;
    for (name, item, origin) in all {
        let is_declared = declared.contains(name);
        // Declaring the enclosing class, or a class for the second time, has no effect. No class is related to itself.
        let is_related = is_reference && acc.siblings.contains(name);
        let is_repeated =
            own.as_deref() == Some(name) || is_related || is_declared && !is_reference;
        let used = acc.usage_score(UsageKind::Class, name);
        let points = match is_repeated {
            true => -6 * score::SAME_SCOPE,
            false => origin.score() + used + acc.kinship_score(name),
        };
        let mut candidate = Candidate::new(CompletionKind::Class, format!("{colons}{name}"))
            .documentation_key(DocumentedKind::Class, name)
            .weight(acc.definition_weight(name))
            .score(points)
            .grouped_by(origin);
        if is_repeated {
            candidate = candidate.group(group::UNLIKELY);
        } else if is_declared
            || acc.typed.is_empty() && own.as_deref().is_some_and(|it| is_wrapper(it, name))
        {
            candidate = candidate.group(group::LIKELY);
        }
        if let Some(rest) = rest
            && (is_short || is_likely_shown(acc, name))
        {
            let attributes = AttributeOwner::Item(item).attributes(acc.cursor.db);
            candidate = rest.complete(candidate, &attributes);
        }
        acc.add(candidate);
    }
}

/// Checks whether a profile is named like the class that it sets up: `profile::docker` and `docker`.
fn is_wrapper(definition: &str, class: &str) -> bool {
    let parts = definition.rsplit_once("::");
    definition.starts_with("profile") && parts.is_some_and(|(_, last)| last == class)
}

/// Checks whether the cursor is in a reference such as `Class['…']`.
fn is_reference(cursor: &CursorContext<'_>) -> bool {
    let mut around = cursor.token.parent_ancestors().skip(1);
    around
        .next()
        .is_some_and(|it| it.kind() == SyntaxKind::ACCESS_KEYS)
}

/// Checks whether the cursor is after `inherits`.
fn is_superclass(cursor: &CursorContext<'_>) -> bool {
    let before = token_before(&cursor.token);
    before.is_some_and(|it| it.kind() == SyntaxKind::INHERITS_KW)
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
    // Puppet finds only defined types by a name with leading colons.
    let all = match colons {
        "" => all_resource_types(acc),
        _ => defined_types(acc),
    };
    for (name, origin) in all {
        let used = acc.usage_score(UsageKind::Resource, &name);
        // A defined type hardly declares itself.
        let is_own = own.as_deref() == Some(name.as_str());
        let common = common_uses(acc, &name);
        let points = match is_own {
            true => -6 * score::SAME_SCOPE,
            false => origin.score() + used + common + acc.kinship_score(&name),
        };
        let mut candidate = Candidate::new(CompletionKind::ResourceType, format!("{colons}{name}"))
            .documentation_key(DocumentedKind::ResourceType, name.clone())
            .weight(acc.definition_weight(&name))
            .score(points)
            .from(origin)
            .group(if is_own { group::UNLIKELY } else { 0 });
        if as_statement {
            candidate = candidate.snippet(resource_snippet(acc, &format!("{colons}{name}"), &name));
        }
        acc.add(candidate);
    }
}

/// Returns the names of all resource types and defined types with their origins.
pub(super) fn all_resource_types(acc: &Candidates<'_, '_>) -> Vec<(String, Origin)> {
    let mut all = defined_types(acc);
    all.extend(native_types(acc));
    all.push(("class".to_owned(), Origin::Puppet));
    all
}

fn defined_types(acc: &Candidates<'_, '_>) -> Vec<(String, Origin)> {
    let defined = definitions_with_origins(acc, ItemKind::DefinedType).into_iter();
    defined
        .map(|(name, _, origin)| (name.to_owned(), origin))
        .collect()
}

/// Returns the names of all resource types that are not defined types, with their origins.
fn native_types(acc: &Candidates<'_, '_>) -> BTreeMap<String, Origin> {
    let db = acc.cursor.db;
    let version = SettingsInput::get(db).version(db);
    let built_in = library::resource_types(version);
    let mut all: BTreeMap<_, _> = built_in
        .map(|it| (it.name.clone(), Origin::Puppet))
        .collect();
    if let Some(environment) = acc.cursor.environment {
        let origins = Origins::new(acc.cursor);
        let files = ruby_files(db, environment).iter();
        let types = files.filter(|it| it.0.0 == RubyKind::ResourceType);
        for ((_, name), file) in types {
            all.entry(name.clone())
                .or_insert_with(|| origins.of_file(*file));
        }
    }
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

/// Adds all functions, except for those whose result cannot have the expected type.
pub(super) fn functions(acc: &mut Candidates<'_, '_>, expected: Option<&ExpectedValue>) {
    let colons = typed_colons(acc);
    let has_arguments = acc.text_after_word().starts_with('(');
    let mut results = Results::new(acc.cursor, expected.and_then(|it| it.type_.as_ref()));
    let is_required = expected.is_some_and(|it| it.required_type().is_some());
    let is_default = expected.is_some_and(|it| it.is_default);
    let is_statement = expected.is_none() || acc.context.is_statement;
    let is_in_plan = bolt::is_in_plan(acc.cursor);
    let is_value_of_block = is_in_block_with_value(acc.cursor);
    for (name, origin) in all_functions(acc.cursor) {
        // A default never is a function that is called for its effects. A name with leading colons needs parentheses, and
        // is hardly that of a function of Puppet.
        let is_odd = is_default && is_statement_function(name);
        if is_odd || !colons.is_empty() && !name.contains("::") {
            continue;
        }
        let used = acc.usage_score(UsageKind::Function, name);
        let common = if is_statement {
            common_uses(acc, name)
        } else {
            0
        };
        let mut points = origin.score() / 2 + used + common + acc.kinship_score(name);
        if results.can_fit(name) == Some(false) {
            if is_required {
                continue;
            }
            points -= score::TYPE_MATCH;
        }
        let label = format!("{colons}{name}");
        let is_useless = match is_statement {
            _ if is_in_plan && needs_catalog(name) => true,
            true => !is_value_of_block && is_idle(acc.cursor, name),
            false => is_for_effects(name) || has_no_value(acc.cursor, name),
        };
        let mut candidate = Candidate::new(CompletionKind::Function, label)
            .documentation_key(DocumentedKind::Function, name)
            .score(points)
            .weight(match takes_block(acc.cursor, name) {
                true => WITH_BLOCK,
                false => plan_weight(name),
            })
            .from(origin);
        // A value on a line of its own may be part of the statement before it.
        if is_useless && is_statement && !acc.typed.is_empty() {
            candidate = candidate.weight(USELESS);
        } else if is_useless {
            candidate = candidate.group(group::UNLIKELY);
        }
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

/// Returns the points of a statement that is common everywhere, for workspaces with little code. Letters say more.
fn common_uses(acc: &Candidates<'_, '_>, name: &str) -> i64 {
    if !acc.typed.is_empty() {
        return 0;
    }
    let uses = match KnownFunction::from_name(name) {
        Some(KnownFunction::Include) => 100,
        Some(KnownFunction::Contain | KnownFunction::File) => 40,
        _ if ["package", "service"].contains(&name) => 40,
        _ if ["exec", "user"].contains(&name) => 15,
        _ => 0,
    };
    uses * score::PER_USE
}

fn needs_catalog(name: &str) -> bool {
    KnownFunction::from_name(name).is_some_and(KnownFunction::needs_catalog)
}

/// Checks whether a function is only called for its value.
fn is_idle(cursor: &CursorContext<'_>, name: &str) -> bool {
    if let Some(KnownFunction::Map | KnownFunction::Filter) = KnownFunction::from_name(name) {
        return true;
    }
    let is_pure = KnownFunction::from_name(name).is_some_and(KnownFunction::is_pure);
    let is_value = |it: &ResolvedOverload| {
        let has_value = it
            .returns
            .as_ref()
            .is_some_and(|it| types::is_assignable(it, &Type::Undef) == Some(false));
        // A pure function only has effects by a lambda that it needs.
        let needs_block = it.block.as_ref().is_some_and(|it| !it.1);
        has_value && it.block.is_none() || is_pure && !needs_block
    };
    !is_statement_function(name) && all_overloads(cursor, name, is_value)
}

/// Checks whether the last statement around the cursor may be a value: in a function, a lambda or a branch that is one.
fn is_in_block_with_value(cursor: &CursorContext<'_>) -> bool {
    let around = cursor.token.parent_ancestors();
    let mut around = around.map(|it| it.kind());
    around.any(|it| {
        matches!(
            it,
            SyntaxKind::FUNCTION_DEFINITION
                | SyntaxKind::LAMBDA
                | SyntaxKind::ASSIGNMENT
                | SyntaxKind::ATTRIBUTE
                | SyntaxKind::ARGUMENT_LIST
        )
    })
}

/// Checks whether a function is only called for its effects, although it may have a value.
fn is_for_effects(name: &str) -> bool {
    let declares = KnownFunction::from_name(name).is_some_and(|it| {
        let names = matches!(
            it.names(),
            Some(NamedEntity::Class | NamedEntity::ResourceType)
        );
        names || it == KnownFunction::EnsurePackages
    });
    declares || is_statement_function(name)
}

/// Checks whether a function needs a lambda.
fn takes_block(cursor: &CursorContext<'_>, name: &str) -> bool {
    all_overloads(cursor, name, |it| it.block.as_ref().is_some_and(|it| !it.1))
}

/// Checks whether a function is only called for its effects.
fn has_no_value(cursor: &CursorContext<'_>, name: &str) -> bool {
    all_overloads(cursor, name, |it| it.returns == Some(Type::Undef))
}

/// Checks whether a function has overloads, and all of them meet a condition.
fn all_overloads(
    cursor: &CursorContext<'_>,
    name: &str,
    condition: impl Fn(&ResolvedOverload) -> bool,
) -> bool {
    let overloads = signatures(cursor, name).map(|it| &it.overloads);
    overloads.is_some_and(|it| !it.is_empty() && it.iter().all(condition))
}

/// Returns the factor of a function of Bolt: plans mostly run tasks and other plans.
fn plan_weight(name: &str) -> f64 {
    match KnownFunction::from_name(name) {
        Some(KnownFunction::RunTask) => 3.0 * OFTEN_IN_PLANS,
        Some(KnownFunction::RunPlan) => OFTEN_IN_PLANS,
        _ => 1.0,
    }
}

/// Compares the results of functions with an expected type.
struct Results<'a, 'db> {
    cursor: &'a CursorContext<'db>,
    expected: Option<&'a Type>,
    /// Whether results of each return type fit, cached because many functions share a type.
    known: FxHashMap<&'db Type, Option<bool>>,
}

impl<'a, 'db> Results<'a, 'db> {
    fn new(cursor: &'a CursorContext<'db>, expected: Option<&'a Type>) -> Results<'a, 'db> {
        Results {
            cursor,
            expected,
            known: FxHashMap::default(),
        }
    }

    /// Checks whether the result of a function can have the type. Returns `None` if that is not known.
    fn can_fit(&mut self, name: &str) -> Option<bool> {
        let expected = self.expected?;
        let overloads = &signatures(self.cursor, name)?.overloads;
        let mut all = overloads.iter().map(|it| {
            let returns = it.returns.as_ref()?;
            let known = self.known.entry(returns);
            *known.or_insert_with(|| Inferred::of(returns.clone()).is_a(expected))
        });
        match all.all(|it| it == Some(false)) && !overloads.is_empty() {
            true => Some(false),
            false => None,
        }
    }
}

/// Returns the signatures of a function.
pub(super) fn signatures<'db>(cursor: &CursorContext<'db>, name: &str) -> Option<&'db Signatures> {
    let found = match cursor.environment {
        Some(it) => all_signatures(cursor.db, it).get(name),
        None => signatures_of(cursor.db, None, name),
    };
    found.or_else(|| bolt_signatures(name))
}

/// Returns the names of all functions with their origins.
pub(super) fn all_functions<'db>(
    cursor: &CursorContext<'db>,
) -> impl Iterator<Item = (&'db str, Origin)> {
    let origins = Origins::new(cursor);
    let all = resolve::all_functions(cursor.db, cursor.environment);
    let all =
        all.map(move |(name, file)| (name, file.map_or(Origin::Puppet, |it| origins.of_file(it))));
    let of_bolt = bolt::functions_at(cursor).map(|it| (it.name.as_str(), Origin::Puppet));
    all.chain(of_bolt)
}

/// Adds all data types and type aliases.
pub(super) fn data_types(acc: &mut Candidates<'_, '_>) {
    let colons = typed_colons(acc);
    for name in DATA_TYPES {
        let used = acc.usage_score(UsageKind::Type, &name.to_ascii_lowercase());
        let candidate = Candidate::new(CompletionKind::DataType, format!("{colons}{name}"));
        acc.add(candidate.score(used + score::SAME_MODULE));
    }
    for type_ in bolt::types_at(acc.cursor) {
        let used = acc.usage_score(UsageKind::Type, &canonical_name(&type_.name));
        let label = format!("{colons}{}", type_.name);
        let candidate = Candidate::new(CompletionKind::DataType, label)
            .documentation_key(DocumentedKind::DataType, &type_.name);
        acc.add(candidate.score(used + score::SAME_MODULE));
    }
    let typed = acc.typed.trim_start_matches("::").to_ascii_lowercase();
    for (name, item, origin) in definitions_with_origins(acc, ItemKind::TypeAlias) {
        let used = acc.usage_score(UsageKind::Type, name);
        let label = match super::match_name(name, &typed) {
            Some(_) => alias_name(&item.syntax(acc.cursor.db)),
            None => continue,
        };
        let label = label.unwrap_or_else(|| capitalize_segments(name));
        let label = format!("{colons}{}", label.trim_start_matches("::"));
        let candidate = Candidate::new(CompletionKind::DataType, label)
            .documentation_key(DocumentedKind::DataType, name)
            .weight(acc.definition_weight(name))
            .score(origin.score() + used + acc.kinship_score(name))
            .from(origin);
        acc.add(candidate);
    }
}

/// Adds the types of the keys of a Struct.
pub(super) fn types_of_struct_keys(acc: &mut Candidates<'_, '_>) {
    for (name, order) in STRUCT_KEYS.into_iter().zip(0..) {
        let candidate = Candidate::new(CompletionKind::DataType, name)
            .score(-order)
            .group(group::LIKELY);
        acc.add(match acc.text_after_word().starts_with('[') {
            true => candidate,
            false => candidate.snippet(format!("{name}['$1'] => $0")),
        });
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
    // The title or the query follows.
    let is_complete = acc.text_after_word().trim_start().starts_with(['[', '<']);
    for (name, origin) in all_resource_types(acc) {
        let used = acc.usage_score(UsageKind::Type, &name);
        let label = format!("{colons}{}", capitalize_segments(&name));
        let kinship = acc.kinship_score(&name);
        let is_own = acc.topic.is_definition(&name);
        let candidate = Candidate::new(CompletionKind::ResourceType, label.clone())
            .documentation_key(DocumentedKind::ResourceType, name)
            .weight(if is_own { OWN_REFERENCE } else { 1.0 })
            .score(origin.score() + used + base + kinship)
            .from(origin);
        acc.add(match is_complete {
            true => candidate,
            false => candidate.snippet(format!("{label}[$0]")),
        });
    }
}
