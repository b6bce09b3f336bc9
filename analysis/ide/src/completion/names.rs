//! Completes names of classes, functions, resource types and data types.

use rustc_hash::FxHashMap;
use syntax::SyntaxNode;
use syntax::ast::{AstNode, Definition, Expr, HasName, is_statement_function};

use super::resource::{ResourceAt, Taker};
use super::usage::Used;
use super::{Candidate, Collector, CompletionKind, SubjectKind, score};
use crate::cursor::Site;
use base::db::{FileInput, SettingsInput};
use hir::autoload::{RubyKind, definitions_of_kind, ruby_files};
use hir::{Item, ItemKind, resolve};
use infer::{Inferred, all_signatures, signatures_of};
use types::{Type, capitalize_segments, display_hover};

/// The built-in data types.
const DATA_TYPES: [&str; 42] = [
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Callable",
    "CatalogEntry",
    "Class",
    "Collection",
    "Data",
    "Default",
    "Deferred",
    "Enum",
    "Error",
    "Float",
    "Hash",
    "Init",
    "Integer",
    "Iterable",
    "Iterator",
    "NotUndef",
    "Numeric",
    "Object",
    "Optional",
    "Pattern",
    "Regexp",
    "Resource",
    "RichData",
    "Runtime",
    "Scalar",
    "ScalarData",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "String",
    "Struct",
    "Timespan",
    "Timestamp",
    "Tuple",
    "Type",
    "Undef",
    "URI",
    "Variant",
];

/// Returns the definitions of a kind with their proximity scores.
fn definitions<'db>(
    into: &Collector<'_, 'db>,
    wanted: ItemKind,
) -> Vec<(&'db str, Item<'db>, i64)> {
    let db = into.site.db;
    let Some(environment) = into.site.environment else {
        return Vec::new();
    };
    let all = definitions_of_kind(db, environment, wanted);
    all.map(|(name, item)| (name, item, nearness(into.site, item.file(db))))
        .collect()
}

/// Scores the proximity of a file: the same file, or the same module.
fn nearness(site: &Site<'_>, file: FileInput) -> i64 {
    let db = site.db;
    match file.module(db) {
        _ if file == site.file => 2 * score::MODULE,
        Some(it) if Some(it) == site.file.module(db) => score::MODULE,
        _ => 0,
    }
}

/// Returns `::` if it is typed, or if nothing is typed and the file writes most class names with
/// it.
fn leading(into: &Collector<'_, '_>) -> &'static str {
    let is_habit = || {
        let times = |it: &str| into.site.text.matches(it).count();
        let with = times("include ::") + times("'::");
        with > 0 && 2 * with > times("include ") + times("class {") + times("class{")
    };
    match into.typed.starts_with("::") || into.typed.is_empty() && is_habit() {
        true => "::",
        false => "",
    }
}

/// Returns `::` if it is typed.
pub(super) fn typed_colons(into: &Collector<'_, '_>) -> &'static str {
    match into.typed.starts_with("::") {
        true => "::",
        false => "",
    }
}

/// Adds all classes.
pub(super) fn classes(into: &mut Collector<'_, '_>) {
    let colons = leading(into);
    let own = into.site.item.map(|it| it.name(into.site.db).clone());
    for (name, _, near) in definitions(into, ItemKind::Class) {
        // Declaring the enclosing class has no effect.
        let is_own = own.as_deref() == Some(name);
        let used = into.used(Used::Class, name);
        let points = if is_own { 0 } else { near + used };
        let found = Candidate::new(CompletionKind::Class, format!("{colons}{name}"))
            .about(SubjectKind::Class, name)
            .score(points);
        into.add(found);
    }
}

/// Adds all resource types and defined types; with `as_statement`, including their required
/// attributes.
pub(super) fn resource_types(into: &mut Collector<'_, '_>, as_statement: bool) {
    let colons = typed_colons(into);
    for (name, near) in all_resource_types(into) {
        let used = into.used(Used::Resource, &name);
        let mut found = Candidate::new(CompletionKind::ResourceType, format!("{colons}{name}"))
            .about(SubjectKind::ResourceType, name.clone())
            .score(near + used);
        if as_statement {
            found = found.snippet(statement(into, &format!("{colons}{name}"), &name));
        }
        into.add(found);
    }
}

/// Returns the names of all resource types and defined types with their proximity scores.
fn all_resource_types(into: &Collector<'_, '_>) -> Vec<(String, i64)> {
    let defined = definitions(into, ItemKind::Define).into_iter();
    let mut all: Vec<_> = defined
        .map(|(name, _, near)| (name.to_owned(), near))
        .collect();
    all.extend(native_types(into).into_iter().map(|it| (it, 0)));
    all.push(("class".to_owned(), 0));
    all
}

/// Returns the names of all resource types that are not defined types.
fn native_types(into: &Collector<'_, '_>) -> Vec<String> {
    let db = into.site.db;
    let version = SettingsInput::get(db).version(db);
    let shipped = library::resource_types(version).map(|it| it.name.clone());
    let mut all: Vec<String> = shipped.collect();
    if let Some(environment) = into.site.environment {
        let files = ruby_files(db, environment).keys();
        let types = files.filter(|it| it.0 == RubyKind::ResourceType);
        all.extend(types.map(|it| it.1.clone()));
    }
    all.sort();
    all.dedup();
    all
}

/// Returns the snippet of a resource with its required attributes.
fn statement(into: &Collector<'_, '_>, written: &str, name: &str) -> String {
    let resource = ResourceAt {
        type_: name.to_owned(),
        ..ResourceAt::default()
    };
    let taker = match name {
        // The class is not known yet.
        "class" => None,
        _ if !worth_a_look(into, name) => None,
        _ => Taker::of(into.site.db, into.site.environment, &resource),
    };
    let all = taker.map(|it| it.attributes(into.site.db));
    let required = all
        .into_iter()
        .flatten()
        .filter(|it| it.required && !it.namevar);
    let lines: String = required
        .zip(2..)
        .map(|(it, number)| format!("  {} => ${number},\n", it.name))
        .collect();
    match lines.is_empty() {
        true => format!("{written} {{ '$1':\n  $0\n}}"),
        false => format!("{written} {{ '$1':\n{lines}}}"),
    }
}

/// Checks whether a candidate is likely to be shown. Reading the attributes of all types would take
/// too long.
fn worth_a_look(into: &Collector<'_, '_>, name: &str) -> bool {
    let typed = into.typed.trim_start_matches("::");
    !typed.is_empty() && name.starts_with(typed)
}

/// Adds all functions; those with a return type that does not match the expected type score lower.
pub(super) fn functions(into: &mut Collector<'_, '_>, expected: Option<&Type>) {
    let colons = typed_colons(into);
    let has_arguments = into.behind().starts_with('(');
    for (name, near) in all_functions(into.site) {
        let used = into.used(Used::Function, name);
        let mut points = near / 2 + used;
        if let Some(expected) = expected
            && !into.typed.is_empty()
            && name.starts_with(into.typed)
            && gives(into, name, expected) == Some(false)
        {
            points -= score::FITS;
        }
        let label = format!("{colons}{name}");
        let mut found = Candidate::new(CompletionKind::Function, label)
            .about(SubjectKind::Function, name)
            .score(points);
        found = match is_statement_function(name) {
            true => found.insert(format!("{colons}{name}")),
            false if has_arguments => found,
            false => {
                let snippet = format!("{colons}{name}($0)");
                found.snippet(snippet)
            }
        };
        into.add(found);
    }
}

/// Checks whether the result of a function can be of a type. Returns `None` if that is not known.
fn gives(into: &Collector<'_, '_>, name: &str, expected: &Type) -> Option<bool> {
    let forms = &signatures_of(into.site.db, into.site.environment, name)?.forms;
    let mut all = forms.iter().map(|it| {
        let returns = Inferred::of(it.returns.clone()?);
        returns.is_a(expected)
    });
    match all.all(|it| it == Some(false)) && !forms.is_empty() {
        true => Some(false),
        false => None,
    }
}

/// Returns the names of all functions with their proximity scores.
fn all_functions<'db>(site: &Site<'db>) -> impl Iterator<Item = (&'db str, i64)> {
    let all = resolve::all_functions(site.db, site.environment);
    all.map(|(name, file)| (name, file.map_or(0, |it| nearness(site, it))))
}

/// Adds the functions that accept the receiver as their first argument.
pub(super) fn methods<'db>(into: &mut Collector<'_, 'db>, receiver: &Expr) {
    let (db, environment) = (into.site.db, into.site.environment);
    let type_ = into.site.inferred_of(receiver);
    // Many functions share a parameter type.
    #[expect(
        clippy::mutable_key_type,
        reason = "the compiled form of a regular expression is not part of its hash"
    )]
    let mut known: FxHashMap<&Type, Option<bool>> = FxHashMap::default();
    let mut fits_one = |to: &'db Type| {
        let type_ = type_.as_ref()?;
        *known.entry(to).or_insert_with(|| type_.is_a(to))
    };
    let known_signatures = environment.map(|it| all_signatures(db, it));
    for (name, near) in all_functions(into.site) {
        let signatures = match known_signatures {
            Some(all) => all.get(name),
            None => signatures_of(db, None, name),
        };
        let forms = signatures.map(|it| &*it.forms).unwrap_or_default();
        let takes = forms.iter().filter_map(|it| it.parameter(0));
        let takes: Vec<_> = takes.collect();
        // Keep functions with unknown signatures, skip those without parameters.
        if takes.is_empty() && !forms.is_empty() {
            continue;
        }
        let mut all = takes.iter().map(|to| fits_one(&to.type_));
        if !takes.is_empty() && all.all(|it| it == Some(false)) {
            continue;
        }
        let has_block = forms.iter().any(|it| it.block.is_some());
        let is_special = takes.iter().any(|it| !it.type_.is_any());
        let used = into.used(Used::Function, name);
        let block = if has_block { 3 * score::MODULE } else { 0 };
        let special = if is_special { score::MODULE } else { 0 };
        let unknown = if forms.is_empty() { -score::FITS } else { 0 };
        let form = forms.iter().find(|it| it.parameter(0).is_some());
        let returns = form.and_then(|it| it.returns.as_ref()).map(display_hover);
        let mut found = Candidate::new(CompletionKind::Function, name)
            .detail(returns.map(|it| format!(">> {}", base::shortened(&it, 80))))
            .about(SubjectKind::Function, name)
            .score(near + used + block + special + unknown);
        if has_block {
            found = found.snippet(format!("{name} |$1| {{\n  $0\n}}"));
        }
        into.add(found);
    }
}

/// Adds all data types and type aliases.
pub(super) fn data_types(into: &mut Collector<'_, '_>) {
    let colons = typed_colons(into);
    for name in DATA_TYPES {
        let used = into.used(Used::Type, &name.to_ascii_lowercase());
        let found = Candidate::new(CompletionKind::DataType, format!("{colons}{name}"));
        into.add(found.score(used + score::MODULE));
    }
    for (name, item, near) in definitions(into, ItemKind::TypeAlias) {
        let used = into.used(Used::Type, name);
        let label = match super::fit(name, &into.typed.to_ascii_lowercase()) {
            Some(_) => written(&item.syntax(into.site.db)),
            None => continue,
        };
        let label = label.unwrap_or_else(|| capitalize_segments(name));
        let label = format!("{colons}{}", label.trim_start_matches("::"));
        let found = Candidate::new(CompletionKind::DataType, label)
            .about(SubjectKind::DataType, name)
            .score(near + used);
        into.add(found);
    }
}

/// Returns the name of a type alias as written in its definition.
fn written(tree: &SyntaxNode) -> Option<String> {
    match Definition::cast(tree.clone())? {
        Definition::TypeAlias(it) => Some(it.name()?.text()),
        _ => None,
    }
}

/// Adds the types of resource references such as `File['…']`.
pub(super) fn resource_references(into: &mut Collector<'_, '_>, base: i64) {
    let colons = typed_colons(into);
    for (name, near) in all_resource_types(into) {
        let used = into.used(Used::Type, &name);
        let label = format!("{colons}{}", capitalize_segments(&name));
        let found = Candidate::new(CompletionKind::ResourceType, label.clone())
            .about(SubjectKind::ResourceType, name)
            .snippet(format!("{label}[$0]"))
            .score(near + used + base);
        into.add(found);
    }
}
