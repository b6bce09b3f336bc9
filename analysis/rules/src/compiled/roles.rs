//! Classes that are the whole catalog of a node, together with the main manifests: the roles of “roles and profiles”.

use base::{EnvironmentInput, FileInput};
use catalog::{ProblemKind, ResourceKey};
use hir::autoload::{NameKey, find_item};
use hir::{Item, ItemKind, canonical_name, is_site};
use salsa::Database;

use super::users::different_catalogs;
use super::{compiled, is_checked, is_whole_catalog};
use crate::data::class_lists;
use crate::index::class_users::users_in_environment;
use crate::index::virtual_resources::{Resources, may_be_declared_in, may_be_selected_in};

/// The names of the modules with roles.
const MODULES: [&str; 2] = ["role", "roles"];

/// Checks whether a node has a class and no other one but those of the main manifests.
fn is_role(db: &dyn Database, environment: EnvironmentInput, class: Item<'_>) -> bool {
    let name = canonical_name(class.name(db));
    let module = name.split("::").next().unwrap_or_default();
    let is_used = || {
        let users = users_in_environment(db, environment, NameKey::new(db, name.clone()));
        !users.is_empty()
    };
    class.kind(db) == ItemKind::Class
        && MODULES.contains(&module)
        && is_site(db, environment)
        && is_checked(db, class)
        // Data combines classes.
        && class_lists(db, environment).is_empty()
        && !is_used()
}

/// Checks whether a problem is that of the whole catalog of a node.
pub(super) fn is_of_node(
    db: &dyn Database,
    environment: EnvironmentInput,
    definition: Item<'_>,
    problem: &ProblemKind,
) -> bool {
    is_whole_catalog(db, definition) || is_missing_with_role(db, environment, definition, problem)
}

/// Checks whether the resource that the catalog of a role lacks is missing on each node with the role.
pub(crate) fn is_missing_with_role(
    db: &dyn Database,
    environment: EnvironmentInput,
    class: Item<'_>,
    problem: &ProblemKind,
) -> bool {
    match problem {
        ProblemKind::UndeclaredResource(key) | ProblemKind::UnrealizedResource(key) => {
            is_role(db, environment, class) && !may_be_in_main(db, environment, key)
        }
        _ => false,
    }
}

/// Checks whether main manifests, definitions of nodes, or classes that these include may declare or realize a resource.
fn may_be_in_main(db: &dyn Database, environment: EnvironmentInput, key: &ResourceKey) -> bool {
    let type_ = canonical_name(&key.type_name);
    let class = (type_ == "class").then(|| canonical_name(&key.title));
    let resource = Resources::new(&key.type_name, Some(&key.title));
    let may_be_in = |file: FileInput| {
        may_be_declared_in(db, file, &resource) || may_be_selected_in(db, file, &resource)
    };
    let may_be_in_class = |name: &String| {
        let item = find_item(
            db,
            environment,
            ItemKind::Class,
            NameKey::new(db, name.clone()),
        );
        class.as_ref() == Some(name) || item.is_some_and(|it| may_be_in(it.file(db)))
    };
    let catalogs = different_catalogs(db, environment).iter();
    let mut catalogs = catalogs.filter_map(|it| compiled(db, environment, *it));
    environment.manifests(db).iter().any(|it| may_be_in(*it))
        || catalogs
            .any(|it| it.open_types.contains(&type_) || it.classes.iter().any(may_be_in_class))
}

#[cfg(test)]
mod tests {
    use syntax::Severity;

    use crate::rules::UNKNOWN_REFERENCE;
    use crate::testing::severities;

    #[test]
    fn reports_what_the_catalog_of_a_role_lacks() {
        let found = |site: &str, profile: &str, other: &str| {
            let code = format!(
                "//- manifests/site.pp\n{site}\n\
                 //- modules/role/manifests/web.pp\nclass role::web {{ include profile::web }}\n\
                 //- modules/profile/manifests/web.pp\nclass profile::web {{ {profile} }}\n\
                 //- modules/profile/manifests/base.pp\nclass profile::base {{ service {{ 'ssh': }} }}\n\
                 //- modules/profile/manifests/other.pp\n\
                 class profile::other ($name = 'ssh') {{ service {{ $name: }} {other} }}\n"
            );
            severities(&UNKNOWN_REFERENCE, &code)
        };
        let include = "include \"role::${facts['role']}\"";
        let refers = "notify { 'a': require => Service['ssh'] }";
        assert_eq!(found(include, refers, ""), [Severity::Warning]);
        let class = "notify { 'a': require => Class['profile::base'] }";
        assert_eq!(
            found(include, class, "include profile::base"),
            [Severity::Warning]
        );
        for (site, other) in [
            (&*format!("{include} include profile::base"), ""),
            (&*format!("{include} service {{ 'ssh': }}"), ""),
            (&*format!("{include} service {{ lookup('service'): }}"), ""),
            (include, "include role::web"),
            ("lookup('classes').include", ""),
        ] {
            assert_eq!(found(site, refers, other), [], "{site} {other}");
        }
    }
}
