//! Renames variables and parameters.

use salsa::Database;
use syntax::{Edit, SyntaxKind, TextRange, TextSize};

use super::{
    RenameEdit, RenameError, describe_item, examples, hiera_keys, interpolated, literal_names,
    new_names, open_templates, refuse, ruby_templates, use_edit,
};
use crate::search::{
    SymbolUse, module_path, occurrences_of_words, paths_of_template, strip_first_folder,
    symbol_uses,
};
use crate::symbol::{ANY_TEMPLATE, ImplicitNameKind, OccurrenceKind, Symbol, word_hash};
use base::{FileId, FileInput};
use hir::autoload::{NameKey, find_item};
use hir::body::{Binding, ReferenceName, Resource, ScopeId, body};
use hir::variables::is_open_template;
use hir::{Item, ItemKind, canonical_name, items, signature};

/// A variable: its item, its scope there, and its name.
type VariableKey<'a, 'db> = (Item<'db>, ScopeId, &'a str);

pub(super) fn rename<'db>(
    db: &'db dyn Database,
    origin: FileInput,
    symbol: &Symbol<'db>,
    variable: VariableKey<'_, 'db>,
    new: &str,
) -> Result<RenameEdit, RenameError> {
    let (item, scope, old) = variable;
    let new = new_names::variable(new)?;
    let is_template = item.file(db).spec(db).dialect.epp;
    let is_resource = !is_template && !matches!(item.kind(db), ItemKind::Function | ItemKind::Plan);
    let is_top = matches!(item.kind(db), ItemKind::Main | ItemKind::Node) && !is_template;
    let is_set = is_top && library::variable(new).is_some();
    if is_set || is_resource && matches!(new, "title" | "name") {
        return refuse(format!("`${new}` is set by Puppet"));
    }
    if new == old {
        return Ok(RenameEdit::default());
    }
    let uses = symbol_uses(db, origin, symbol);
    check_name(db, variable, new, &uses)?;
    check_item_conflicts(db, item, scope, new)?;
    for it in uses.iter().filter(|it| it.item != item) {
        check_use_conflicts(db, it, new)?;
    }
    if scope == 0 && item.kind(db) != ItemKind::Function {
        check_captures(db, origin, item, old, new)?;
        check_templates(db, variable, &uses)?;
        let is_parameter = |it: &Binding| it.parameter && it.name == old;
        if body(db, item).own_bindings(old).any(is_parameter) {
            check_computed_parameters(db, origin, item, old)?;
        }
        if is_open_template(db, item) && body(db, item).own_bindings(old).next().is_none() {
            check_computed_parameters(db, origin, item, old)?;
            open_templates::check_passed(db, item, (old, new))?;
        }
    }
    if scope > 0 {
        ruby_templates::check_variable(db, item, old)?;
    }
    let mut edit = RenameEdit::default();
    for it in &uses {
        edit.edits
            .push(use_edit(db, it, false, old, |_| new.to_owned())?);
    }
    if scope == 0 && item.kind(db) == ItemKind::Class {
        let in_strings = literal_names::of_member(db, origin, item.name(db), old, new)?;
        edit.edits.extend(in_strings.edits);
        let full = format!("{}::{old}", item.name(db));
        edit.uncertain_uses = interpolated::uncertain_members(db, origin, &full);
        edit.uncertain_uses.extend(in_strings.uncertain_uses);
        let (environment, class) = (item.file(db).environment(db), item.name(db));
        edit.edits.extend(hiera_keys::variable_key_edits(
            db,
            environment,
            class,
            old,
            new,
        )?);
    }
    if scope == 0 && item.kind(db).is_declarable() {
        let in_templates = ruby_templates::variable_edits(db, origin, (item, old), new)?;
        edit.edits.extend(in_templates);
        edit.edits
            .extend(examples::of_parameter(db, item, old, new));
    }
    if scope == 0 {
        edit.edits.extend(param_tag_edits(db, item, old, new));
    }
    Ok(edit)
}

fn check_name(
    db: &dyn Database,
    (item, _, old): VariableKey<'_, '_>,
    new: &str,
    uses: &[SymbolUse<'_>],
) -> Result<(), RenameError> {
    let is_attribute = uses.iter().any(|it| {
        !matches!(
            it.occurrence.kind,
            OccurrenceKind::Binding(..) | OccurrenceKind::Reference(_)
        )
    });
    let elsewhere = uses.iter().any(|it| it.item != item);
    if new.starts_with('_') && (is_attribute || elsewhere) {
        return refuse(format!(
            "`${new}` would be local to its scope because of the leading underscore"
        ));
    }
    // A variable that is not a parameter may be named like a metaparameter.
    let is_parameter = signature(db, item).parameter(old).is_some();
    let is_resource = item.kind(db).is_declarable();
    if is_resource && is_parameter && library::metaparameter(new).is_some() {
        return refuse(format!("`{new}` is a metaparameter"));
    }
    Ok(())
}

/// Fails if the new name already exists or is used in the item.
fn check_item_conflicts(
    db: &dyn Database,
    item: Item<'_>,
    scope: ScopeId,
    new: &str,
) -> Result<(), RenameError> {
    let body = body(db, item);
    for (other, content) in body.scopes.iter().enumerate() {
        let related = body.scopes_from(other).any(|it| it == scope)
            || body.scopes_from(scope).any(|it| it == other);
        if related && content.binds(new) {
            return refuse(format!("`${new}` already exists"));
        }
    }
    for found in scopes_reading(db, item, new) {
        if body.scopes_from(found).any(|it| it == scope) {
            return refuse(format!("`${new}` already refers to something else"));
        }
    }
    Ok(())
}

/// Returns the scopes of an item that read a variable by this unqualified name.
fn scopes_reading(db: &dyn Database, item: Item<'_>, name: &str) -> Vec<ScopeId> {
    let body = body(db, item);
    let all = crate::symbol::occurrences(db, item).into_iter();
    let scopes = all.filter_map(|it| match it.kind {
        OccurrenceKind::Reference(it) => match &it.name {
            ReferenceName::Variable(read) => (read == name).then_some(it.scope),
            _ => None,
        },
        OccurrenceKind::Implicit(it) => match &it.kind {
            ImplicitNameKind::Variable(read, call) if read == name => {
                let mut calls = body.references.iter().filter(|it| it.range == *call);
                calls.next().map(|it| it.scope)
            }
            _ => None,
        },
        _ => None,
    });
    scopes.collect()
}

/// Fails if a use in another item would resolve to a different variable by the new name.
fn check_use_conflicts(
    db: &dyn Database,
    found: &SymbolUse<'_>,
    new: &str,
) -> Result<(), RenameError> {
    let OccurrenceKind::Reference(reference) = found.occurrence.kind else {
        return Ok(());
    };
    let ReferenceName::Variable(written) = &reference.name else {
        return Ok(());
    };
    let body = body(db, found.item);
    let hides = |it: ScopeId| body.scopes[it].binds(new);
    if !written.contains("::") && body.scopes_from(reference.scope).any(hides) {
        return refuse(format!(
            "`${new}` already exists in {}, where the variable is used",
            describe_item(db, found.item)
        ));
    }
    Ok(())
}

/// Checks whether a name in another item would resolve to a new variable of this item.
pub(crate) fn may_capture_variable(
    db: &dyn Database,
    origin: FileInput,
    item: Item<'_>,
    name: &str,
) -> bool {
    check_captures(db, origin, item, name, name).is_err()
}

/// Fails if a name in another item would resolve to the renamed variable.
fn check_captures(
    db: &dyn Database,
    origin: FileInput,
    item: Item<'_>,
    old: &str,
    new: &str,
) -> Result<(), RenameError> {
    let is_template = item.file(db).spec(db).dialect.epp;
    let is_top = matches!(item.kind(db), ItemKind::Main | ItemKind::Node) && !is_template;
    if is_top {
        check_ambiguous_top_scope(db, item, old)?;
        check_ambiguous_top_scope(db, item, new)?;
    }
    for found in occurrences_of_words(db, origin, &[word_hash(new)]) {
        let Some((name, scope)) = variable_and_scope(db, &found) else {
            continue;
        };
        let captured = match name.trim_start_matches("::").rsplit_once("::") {
            Some((class, _)) => {
                let environment = origin.environment(db);
                let key = NameKey::new(db, class.to_ascii_lowercase());
                let class = environment.and_then(|it| find_item(db, it, ItemKind::Class, key));
                class.is_some_and(|it| resolves_to(db, it, item, new))
            }
            None => {
                let body = body(db, found.item);
                let is_own = |it: ScopeId| body.scopes[it].binds(&name);
                let sees = is_top || resolves_to(db, found.item, item, new);
                sees && !body.scopes_from(scope).any(is_own)
            }
        };
        if captured && found.item != item {
            let user = describe_item(db, found.item);
            return refuse(format!(
                "`${name}` in {user} would resolve to the renamed variable"
            ));
        }
    }
    Ok(())
}

fn variable_and_scope(db: &dyn Database, found: &SymbolUse<'_>) -> Option<(String, ScopeId)> {
    match found.occurrence.kind {
        OccurrenceKind::Reference(it) => match &it.name {
            ReferenceName::Variable(name) => Some((name.clone(), it.scope)),
            _ => None,
        },
        OccurrenceKind::Implicit(it) => match &it.kind {
            ImplicitNameKind::Variable(name, call) => {
                let mut calls = body(db, found.item).references.iter();
                let scope = calls.find(|it| it.range == *call)?.scope;
                Some((name.clone(), scope))
            }
            ImplicitNameKind::DataKey(name) if name.contains("::") => Some((name.clone(), 0)),
            _ => None,
        },
        _ => None,
    }
}

/// Fails if top-level code of another file, or another node, also assigns this variable, which makes
/// references ambiguous.
fn check_ambiguous_top_scope(
    db: &dyn Database,
    item: Item<'_>,
    name: &str,
) -> Result<(), RenameError> {
    let Some(environment) = item.file(db).environment(db) else {
        return Ok(());
    };
    for file in environment.manifests(db).iter() {
        for other in items(db, *file) {
            let is_top = matches!(other.kind(db), ItemKind::Main | ItemKind::Node);
            if is_top && *other != item && body(db, *other).own_bindings(name).next().is_some() {
                return refuse(format!(
                    "cannot rename: `${name}` is assigned in several top-level places"
                ));
            }
        }
    }
    Ok(())
}

/// Checks whether a name in a class resolves to a variable of `from`: the class is `from` itself, or
/// inherits from it without shadowing the name.
fn resolves_to(db: &dyn Database, class: Item<'_>, from: Item<'_>, name: &str) -> bool {
    let Some(environment) = class.file(db).environment(db) else {
        return class == from;
    };
    let mut at = class;
    // Deeper than any real hierarchy; the limit stops at cycles.
    for _ in 0..100 {
        if at == from {
            return true;
        }
        let hides = body(db, at).own_bindings(name).next().is_some();
        let Some(parent) = signature(db, at).inherits.as_ref().filter(|_| !hides) else {
            return false;
        };
        let key = NameKey::new(db, parent.clone());
        match find_item(db, environment, ItemKind::Class, key) {
            Some(parent) => at = parent,
            None => return false,
        }
    }
    false
}

/// Checks whether a resource declares classes whose names are not all literal: `class { "${title}::server": }`.
fn is_of_computed_class(resource: &Resource) -> bool {
    resource.type_.as_deref() == Some("class") && !resource.has_only_literal_titles
}

/// Fails if a parameter may be set without its name being written literally.
fn check_computed_parameters(
    db: &dyn Database,
    origin: FileInput,
    item: Item<'_>,
    old: &str,
) -> Result<(), RenameError> {
    let mut names = vec![item.name(db).clone()];
    if item.kind(db) == ItemKind::Main {
        let file = item.file(db);
        let Some((module, path)) = module_path(db, file) else {
            return Ok(());
        };
        names = paths_of_template(&module, strip_first_folder(&path));
        if symbol_uses(db, origin, &Symbol::File(file)).is_empty() {
            return refuse("cannot rename: no use of the template is known");
        }
    }
    let is_template = item.kind(db) == ItemKind::Main;
    names.extend(is_template.then(|| ANY_TEMPLATE.to_owned()));
    let words: Vec<_> = names.iter().map(|it| word_hash(it)).collect();
    for found in occurrences_of_words(db, origin, &words) {
        if let OccurrenceKind::Implicit(it) = found.occurrence.kind
            && let ImplicitNameKind::ComputedParameters(receiver) = &it.kind
            && names.contains(receiver)
        {
            // A computed path is mostly that of a template of the same module.
            let module = |it: FileInput| it.module(db);
            if receiver == ANY_TEMPLATE && module(found.file(db)) != module(item.file(db)) {
                continue;
            }
            let user = describe_item(db, found.item);
            return refuse(format!(
                "cannot rename `${old}`: a computed hash in {user} may set it"
            ));
        }
    }
    // An attribute of several classes at once cannot be renamed for one of them, nor one of a class that may be another.
    for found in occurrences_of_words(db, origin, &[word_hash(old)]) {
        if let OccurrenceKind::Attribute(resource, _) = found.occurrence.kind
            && is_of_computed_class(resource)
            && [None, item.module_name(db)].contains(&found.item.module_name(db))
        {
            let user = describe_item(db, found.item);
            return refuse(format!(
                "cannot rename `${old}`: a class with a computed name in {user} may have it"
            ));
        }
        if let OccurrenceKind::Attribute(resource, _) = found.occurrence.kind
            && resource.type_.as_deref() == Some("class")
            && resource.titles.len() > 1
            && resource
                .titles
                .iter()
                .any(|it| canonical_name(&it.text) == *item.name(db))
        {
            let user = describe_item(db, found.item);
            return refuse(format!(
                "cannot rename `${old}`: set on several classes at once in {user}"
            ));
        }
    }
    Ok(())
}

/// Fails if a template may read a variable that is not that of a class or a defined type.
fn check_templates(
    db: &dyn Database,
    (item, _, old): VariableKey<'_, '_>,
    uses: &[SymbolUse<'_>],
) -> Result<(), RenameError> {
    if item.kind(db).is_declarable() {
        return Ok(());
    }
    let is_template = item.file(db).spec(db).dialect.epp;
    if matches!(item.kind(db), ItemKind::Main | ItemKind::Node) && !is_template {
        let environment = item.file(db).environment(db);
        ruby_templates::check_top_scope_variable(db, environment, old)?;
    }
    let mut readers = vec![item];
    if !is_template {
        readers.extend(uses.iter().map(|it| it.item));
    }
    readers.sort_by_key(|it| it.file(db).id(db));
    readers.dedup();
    for reader in readers {
        ruby_templates::check_variable(db, reader, old)?;
    }
    Ok(())
}

/// Returns the edits of `@param old` in the comment above an item.
fn param_tag_edits(db: &dyn Database, item: Item<'_>, old: &str, new: &str) -> Vec<(FileId, Edit)> {
    if item.comment(db).is_none() {
        return Vec::new();
    }
    let file = item.file(db);
    let root = base::parse(db, file).syntax();
    let start = root.token_at_offset(item.offset(db)).right_biased();
    let mut found = Vec::new();
    let mut at = start.and_then(|it| it.prev_token());
    while let Some(token) = at {
        match token.kind() {
            SyntaxKind::LINE_COMMENT => {
                if let Some(name_range) = param_tag_name(token.text(), old) {
                    let range = name_range + token.text_range().start();
                    let text = new.to_owned();
                    found.push((file.id(db), Edit { range, text }));
                }
            }
            SyntaxKind::WHITESPACE if token.text().matches('\n').count() <= 1 => {}
            _ => break,
        }
        at = token.prev_token();
    }
    found
}

/// Returns the range of the name in `# @param [Type] name`.
fn param_tag_name(comment: &str, name: &str) -> Option<TextRange> {
    let rest = comment.trim_start_matches('#').trim_start();
    let mut rest = rest.strip_prefix("@param")?;
    if !rest.starts_with([' ', '\t']) {
        return None;
    }
    rest = rest.trim_start();
    if rest.starts_with('[') {
        let mut depth = 0;
        let end = rest.find(|it| {
            depth += match it {
                '[' => 1,
                ']' => -1,
                _ => 0,
            };
            depth == 0
        })?;
        rest = rest[end + 1..].trim_start();
    }
    let after = rest.strip_prefix(name)?;
    if after.starts_with(|it: char| it.is_alphanumeric() || it == '_') {
        return None;
    }
    let size = |it: usize| TextSize::new(u32::try_from(it).unwrap_or(u32::MAX));
    let start = comment.len() - rest.len();
    Some(TextRange::at(size(start), size(name.len())))
}
