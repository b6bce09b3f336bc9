//! Completes the names that calls take as strings: types of `create_resources`, keys of `lookup`.

use super::definitions::{all_functions, all_resource_types, definitions_with_proximity};
use super::keys;
use super::usage::UsageKind;
use super::{Candidates, CompletionKind, DocumentedKind, score};
use crate::data_files::keys_by_name;
use hir::ItemKind;
use library::NamedEntity;

/// Adds the names of the entities that the call expects.
pub(super) fn named_arguments(acc: &mut Candidates<'_, '_>, entity: NamedEntity) {
    match entity {
        NamedEntity::ResourceType => resource_types(acc),
        NamedEntity::Function => functions(acc),
        NamedEntity::Plan => plans(acc),
        NamedEntity::Fact => keys::dotted_facts(acc),
        NamedEntity::DataKey => data_keys(acc),
        _ => {}
    }
}

fn resource_types(acc: &mut Candidates<'_, '_>) {
    for (name, proximity) in all_resource_types(acc) {
        let used = acc.usage_score(UsageKind::Resource, &name);
        let points = proximity + used + acc.kinship_score(&name);
        let candidate = acc
            .string(CompletionKind::ResourceType, &name)
            .documentation_key(DocumentedKind::ResourceType, name);
        acc.add(candidate.score(points));
    }
}

fn functions(acc: &mut Candidates<'_, '_>) {
    for (name, proximity) in all_functions(acc.cursor) {
        let used = acc.usage_score(UsageKind::Function, name);
        let candidate = acc
            .string(CompletionKind::Function, name)
            .documentation_key(DocumentedKind::Function, name);
        acc.add(candidate.score(proximity + used));
    }
}

fn plans(acc: &mut Candidates<'_, '_>) {
    for (name, _, proximity) in definitions_with_proximity(acc, ItemKind::Plan) {
        let candidate = acc.string(CompletionKind::Function, name);
        acc.add(candidate.score(proximity));
    }
}

/// Adds the keys of data; those of the own module first.
fn data_keys(acc: &mut Candidates<'_, '_>) {
    let db = acc.cursor.db;
    let Some(environment) = acc.cursor.environment else {
        return;
    };
    let module = acc.cursor.file.module(db).map(|it| it.name(db).to_string());
    for (key, _) in keys_by_name(db, environment, |_| true) {
        let is_ours = key.split("::").next() == module.as_deref();
        let points = if is_ours { score::SAME_MODULE } else { 0 };
        let candidate = acc.string(CompletionKind::Key, key);
        acc.add(candidate.score(points));
    }
}
