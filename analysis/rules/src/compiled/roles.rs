//! Classes that are the whole catalog of a node, together with the main manifests: the roles of “roles and profiles”.

use std::collections::BTreeSet;

use base::{EnvironmentInput, FileInput};
use catalog::{ClassProblems, ProblemKind, ResourceKey, class_problems, role_problems};
use hir::autoload::{NameKey, find_item};
use hir::body::{ClassUse, ReferenceName, body};
use hir::{Item, ItemKind, canonical_name, is_site, items, signature};
use salsa::Database;

use super::{is_checked, is_whole_catalog};
use crate::data::{has_all_lists, is_listed, listed_classes};
use crate::index::class_users::users_in_environment;
use crate::index::virtual_resources::{Resources, may_be_declared_in, may_be_selected_in};

/// The names of the modules with roles.
const MODULES: [&str; 2] = ["role", "roles"];

/// Checks whether a node has a class and no other one but those of the main manifests.
fn is_role(db: &dyn Database, environment: EnvironmentInput, class: Item<'_>) -> bool {
    let name = canonical_name(class.name(db));
    class.kind(db) == ItemKind::Class
        && is_role_name(&name)
        && is_site(db, environment)
        && is_checked(db, class)
        && !may_be_included(db, environment, NameKey::new(db, name))
}

/// Checks whether other classes include a class, or data may.
#[salsa::tracked(returns(copy))]
fn may_be_included<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> bool {
    is_listed(db, environment, class.text(db))
        || !has_all_lists(db, environment)
        || !users_in_environment(db, environment, class).is_empty()
}

/// Checks whether a class is in a module with roles.
fn is_role_name(class: &str) -> bool {
    MODULES.contains(&class.split("::").next().unwrap_or_default())
}

/// Checks whether a class is compiled as a role, as a whole catalog with the main manifests.
pub(crate) fn is_compiled_role(
    db: &dyn Database,
    environment: EnvironmentInput,
    class: Item<'_>,
) -> bool {
    let has_required_parameters = || {
        let mut parameters = signature(db, class).parameters.iter();
        parameters.any(|it| it.is_required())
    };
    is_role(db, environment, class) && !has_required_parameters()
}

/// Returns the problems of a role: those that the class has by itself, and those that it has on nodes with their data.
#[salsa::tracked(returns(ref))]
pub(super) fn problems_of_role<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> ClassProblems {
    let mut found = class_problems(db, environment, class).clone();
    for problem in &role_problems(db, environment, class).problems {
        let is_known = found.problems.iter().any(|it| it.is_same(problem));
        if is_of_values(&problem.kind) && !is_known {
            found.problems.push(problem.clone());
        }
    }
    found
}

/// Checks whether a problem depends on values that only the catalogs of nodes have.
fn is_of_values(problem: &ProblemKind) -> bool {
    matches!(
        problem,
        ProblemKind::Failure(_)
            | ProblemKind::RefusedValue(..)
            | ProblemKind::ConflictingAttributes(..)
    )
}

/// Checks whether a problem is that of the whole catalog of a node.
pub(super) fn is_of_node(
    db: &dyn Database,
    environment: EnvironmentInput,
    definition: Item<'_>,
    problem: &ProblemKind,
) -> bool {
    is_whole_catalog(db, definition)
        || is_missing_with_role(db, environment, definition, problem)
        || is_of_values(problem) && is_compiled_role(db, environment, definition)
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
            is_role(db, environment, class)
                && !library::products::is_resource_of_enterprise(&key.title)
                && !may_be_beside_role(db, environment, key)
        }
        _ => false,
    }
}

/// Checks whether the code that nodes have besides their role may declare or realize a resource: main manifests, the
/// definition of a node, and what these include.
fn may_be_beside_role(db: &dyn Database, environment: EnvironmentInput, key: &ResourceKey) -> bool {
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
    let mut catalogs = classes_beside_roles(db, environment)
        .iter()
        .map(|it| class_problems(db, environment, NameKey::new(db, it.clone())));
    environment.manifests(db).iter().any(|it| may_be_in(*it))
        || catalogs
            .any(|it| it.open_types.contains(&type_) || it.classes.iter().any(may_be_in_class))
}

/// Returns the classes that nodes have besides their role: those that main manifests include by name, and those of class
/// lists in data. A node whose definition includes another role has that one only.
#[salsa::tracked(returns(ref))]
fn classes_beside_roles(db: &dyn Database, environment: EnvironmentInput) -> BTreeSet<String> {
    let is_other = |it: &String| !is_role_name(it);
    let manifests = environment.manifests(db).iter();
    let items = manifests.flat_map(|it| items(db, *it));
    let included = items.flat_map(|item| {
        let references = body(db, *item).references.iter();
        let classes = references.filter_map(|it| match &it.name {
            ReferenceName::Class(name, ClassUse::Declared) => Some(canonical_name(name)),
            _ => None,
        });
        let classes: Vec<String> = classes.collect();
        let has_role = item.kind(db) == ItemKind::Node && classes.iter().any(|it| !is_other(it));
        classes.into_iter().filter(move |_| !has_role)
    });
    let listed = listed_classes(db, environment).into_iter();
    included.chain(listed).filter(is_other).collect()
}

#[cfg(test)]
mod tests {
    use syntax::Severity;

    use crate::rule::Rule;
    use crate::rules::{FAILING_CLASS, INVALID_ATTRIBUTE_VALUE, UNKNOWN_REFERENCE};
    use crate::testing::{reported, severities};

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
        // Other nodes have another role.
        for site in [
            "node 'a' { include role::b, profile::base }",
            "node default { }",
        ] {
            assert_eq!(found(site, refers, ""), [Severity::Warning], "{site}");
        }
        let enterprise = "notify { 'a': require => Service['pe-puppetserver'] }";
        assert_eq!(found(include, enterprise, ""), [Severity::Hint]);
    }

    /// Returns the number of diagnostics of a rule if a role includes a profile.
    fn found_in_role(rule: &'static Rule, site: &str, profile: &str) -> usize {
        let code = format!(
            "//- manifests/site.pp\n{site}\n\
             //- modules/environment/hiera.yaml\nversion: 5\nhierarchy:\n\
             \x20 - {{name: a, path: 'role/%{{trusted.extensions.pp_role}}.yaml'}}\n\
             \x20 - {{name: b, path: common.yaml}}\n\
             //- modules/environment/data/common.yaml\nensure: runing\nport: '80a'\n\
             //- modules/environment/data/role/db.yaml\nensure: stopped\nother: 1\n\
             //- modules/role/manifests/web.pp\nclass role::web {{ include profile::web }}\n\
             //- modules/profile/manifests/web.pp\n\
             class profile::web (Optional[String] $p = undef) {{ {profile} }}\n\
             //- modules/profile/manifests/base.pp\nclass profile::base {{ $x = 1 }}\n"
        );
        reported(rule, &code).len()
    }

    #[test]
    fn reports_what_the_data_of_a_role_leads_to() {
        for profile in [
            "['port', 'none'].each |$it| { notice(lookup($it)) }",
            "assert_type(Integer, lookup('port'))",
            "notice($profile::base::x)",
        ] {
            assert_eq!(found_in_role(&FAILING_CLASS, "", profile), 1, "{profile}");
        }
        let minutes = "['7', '70'].each |$it| { cron { $it: minute => Integer($it) } }";
        assert_eq!(found_in_role(&INVALID_ATTRIBUTE_VALUE, "", minutes), 1);
        // Nodes with another role have another value.
        let of_role = "service { 'a': ensure => lookup('ensure') }";
        assert_eq!(found_in_role(&INVALID_ATTRIBUTE_VALUE, "", of_role), 0);
        let (site, read) = ("include profile::base", "notice($profile::base::x)");
        assert_eq!(found_in_role(&FAILING_CLASS, site, read), 0);
    }

    #[test]
    fn resources_with_unknown_titles_have_an_unknown_value() {
        let assigned = "[$k] = (notify { \"a${facts['nosuch']}\": }) notify { 'x': require => $k }";
        assert_eq!(found_in_role(&FAILING_CLASS, "", assigned), 0);
    }
}
