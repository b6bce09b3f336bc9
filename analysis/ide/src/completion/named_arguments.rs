//! Completes the names that calls take as strings: types of `create_resources`, keys of `lookup`.

use std::collections::BTreeSet;

use super::definitions::{all_functions, all_resource_types, definitions_with_origins};
use super::keys;
use super::origin::Origins;
use super::usage::UsageKind;
use super::{Candidates, CompletionKind, DocumentedKind, group};
use crate::bolt::tasks_of;
use crate::data_files::keys_by_name;
use hir::ItemKind;
use library::NamedEntity;

/// Adds the names of the entities that the call expects.
pub(super) fn named_arguments(acc: &mut Candidates<'_, '_>, entity: NamedEntity) {
    match entity {
        NamedEntity::ResourceType => resource_types(acc),
        NamedEntity::Function => functions(acc),
        NamedEntity::Plan => plans(acc),
        NamedEntity::Task => tasks(acc),
        NamedEntity::Fact => keys::dotted_facts(acc),
        NamedEntity::DataKey => data_keys(acc),
        _ => {}
    }
}

fn resource_types(acc: &mut Candidates<'_, '_>) {
    for (name, origin) in all_resource_types(acc) {
        let used = acc.usage_score(UsageKind::Resource, &name);
        let points = origin.score() + used + acc.kinship_score(&name);
        let candidate = acc
            .string(CompletionKind::ResourceType, &name)
            .weight(acc.definition_weight(&name))
            .documentation_key(DocumentedKind::ResourceType, name);
        acc.add(candidate.score(points).from(origin));
    }
}

fn functions(acc: &mut Candidates<'_, '_>) {
    for (name, origin) in all_functions(acc.cursor) {
        let used = acc.usage_score(UsageKind::Function, name);
        let candidate = acc
            .string(CompletionKind::Function, name)
            .documentation_key(DocumentedKind::Function, name);
        acc.add(candidate.score(origin.score() + used).from(origin));
    }
}

fn plans(acc: &mut Candidates<'_, '_>) {
    for (name, _, origin) in definitions_with_origins(acc, ItemKind::Plan) {
        let candidate = acc.string(CompletionKind::Function, name);
        acc.add(candidate.grouped_by(origin));
    }
}

fn tasks(acc: &mut Candidates<'_, '_>) {
    let db = acc.cursor.db;
    let Some(environment) = acc.cursor.environment else {
        return;
    };
    let origins = Origins::new(acc.cursor);
    for module in environment.modules(db).values() {
        let origin = origins.of_module(*module);
        for name in tasks_of(db, *module) {
            let candidate = acc.string(CompletionKind::Function, &name);
            acc.add(candidate.grouped_by(origin));
        }
    }
}

/// Adds the keys of data; those of the own module first. A key that has the name of no module is the project's.
fn data_keys(acc: &mut Candidates<'_, '_>) {
    let db = acc.cursor.db;
    let Some(environment) = acc.cursor.environment else {
        return;
    };
    let origins = Origins::new(acc.cursor);
    for (key, _) in keys_by_name(db, environment, |_| true) {
        let origin = origins.of_key(environment, key);
        let candidate = acc.string(CompletionKind::Key, key);
        acc.add(candidate.grouped_by(origin));
    }
    // Data that the workspace does not contain has keys too.
    let usage = acc.usage;
    let looked_up: BTreeSet<&str> = usage
        .into_iter()
        .flatten()
        .flat_map(|it| it.data_keys())
        .collect();
    for key in looked_up {
        let used = acc.usage_score(UsageKind::DataKey, key);
        if used > 0 {
            let candidate = acc.string(CompletionKind::Key, key).score(used);
            acc.add(candidate.group(group::UNLIKELY));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::offered;

    #[test]
    fn keys_that_other_code_looks_up() {
        let code = "$a = lookup('terraform.self.ip')\n$b = lookup('<^>')";
        assert_eq!(offered(code, 99), "terraform.self.ip");
        assert_eq!(offered("$b = lookup('terraf<^>')", 99), "");
    }
}
