//! Classes that are the whole catalog of a node, together with the main manifests: the roles of “roles and profiles”, and
//! profiles that no code includes.

use std::collections::BTreeSet;

use base::{EnvironmentInput, FileInput};
use catalog::{
    ClassProblem, ClassProblems, Possibility, ProblemKind, ResourceKey, class_problems,
    possible_declaration_by_role, role_problems,
};
use hir::autoload::{NameKey, find_item, module_puppet_files};
use hir::body::{ClassUse, ReferenceName, body};
use hir::{Item, ItemKind, canonical_name, is_site, items, signature};
use infer::has_data_elsewhere;
use salsa::Database;

use super::{compiled, is_checked, is_whole_catalog};
use crate::data::{has_all_lists, is_listed, listed_classes};
use crate::index::catalog_titles::is_mentioned_in_catalog;
use crate::index::class_users::users_in_environment;
use crate::index::possible_titles::is_mentioned;
use crate::index::virtual_resources::{Resources, may_be_declared_in, may_be_selected_in};

/// The names of the modules with roles.
const ROLES: [&str; 2] = ["role", "roles"];

/// The names of the modules with profiles.
const PROFILES: [&str; 2] = ["profile", "profiles"];

/// Checks whether a node has a class and no other one but those of the main manifests. A classifier may add further ones
/// to a profile.
fn is_role(db: &dyn Database, environment: EnvironmentInput, class: Item<'_>) -> bool {
    let name = canonical_name(class.name(db));
    class.kind(db) == ItemKind::Class
        && (is_role_name(&name) || is_profile_name(&name))
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
    ROLES.contains(&module_of(class))
}

/// Checks whether a class is in a module with profiles.
fn is_profile_name(class: &str) -> bool {
    PROFILES.contains(&module_of(class))
}

fn module_of(class: &str) -> &str {
    class.split("::").next().unwrap_or_default()
}

/// Checks whether a class is compiled as a role, as a whole catalog with the main manifests and the data. A profile that no
/// code includes is the role of its nodes.
pub(crate) fn is_compiled_role(
    db: &dyn Database,
    environment: EnvironmentInput,
    class: Item<'_>,
) -> bool {
    let has_required_parameters = || {
        let mut parameters = signature(db, class).parameters.iter();
        parameters.any(|it| it.is_required())
    };
    is_role(db, environment, class)
        && !has_data_elsewhere(db, environment)
        && !has_required_parameters()
}

/// Returns the problems of a role: those that the class has by itself, and those that it has on nodes with their data.
#[salsa::tracked(returns(ref))]
pub(super) fn problems_of_role<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> ClassProblems {
    let mut found = class_problems(db, environment, class).clone();
    let on_nodes = &role_problems(db, environment, class).problems;
    // Main manifests may set a path to search by default.
    found
        .problems
        .retain(|it| !matches!(it.kind, ProblemKind::UnqualifiedCommand(..)));
    found
        .problems
        .iter_mut()
        .for_each(|it| replace_unlikely(it, on_nodes));
    let is_profile = is_profile_name(class.text(db));
    for problem in on_nodes {
        let is_known = found.problems.iter().any(|it| it.is_same(problem));
        let may_be_elsewhere = is_profile && is_of_other_class(&problem.kind);
        if is_of_values(&problem.kind) && !is_known && !may_be_elsewhere {
            found.problems.push(problem.clone());
        }
    }
    found
}

/// Marks a missing resource that an unknown title may be on nodes.
fn replace_unlikely(problem: &mut ClassProblem, on_nodes: &[ClassProblem]) {
    if let ProblemKind::UndeclaredResource(key) = &problem.kind {
        let unlikely = ProblemKind::UnlikelyResource(key.clone());
        let is_it = |it: &ClassProblem| it.kind == unlikely && it.places == problem.places;
        if on_nodes.iter().any(is_it) {
            problem.kind = unlikely;
        }
    }
}

/// Checks whether the catalog of a definition contains a string that may be the title of a resource.
pub(crate) fn is_mentioned_in_own_catalog(
    db: &dyn Database,
    environment: EnvironmentInput,
    definition: Item<'_>,
    resource: &ResourceKey,
) -> bool {
    let name = || NameKey::new(db, canonical_name(definition.name(db)));
    let catalog = match definition.kind(db) {
        ItemKind::Class => Some(role_problems(db, environment, name())),
        _ => compiled(db, environment, definition),
    };
    catalog.is_none_or(|it| is_mentioned_in_catalog(db, environment, it, resource))
}

/// Checks whether a problem depends on values that only the catalogs of nodes have.
fn is_of_values(problem: &ProblemKind) -> bool {
    matches!(
        problem,
        ProblemKind::Failure(_)
            | ProblemKind::RefusedValue(..)
            | ProblemKind::ConflictingAttributes(..)
            | ProblemKind::UnlikelyResource(_)
            | ProblemKind::UnqualifiedCommand(..)
    )
}

/// Checks whether code reads a variable of a class that a classifier may add.
fn is_of_other_class(problem: &ProblemKind) -> bool {
    matches!(problem, ProblemKind::Failure(error) if error.starts_with("unknown variable"))
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
        ProblemKind::UndeclaredResource(key)
        | ProblemKind::UnlikelyResource(key)
        | ProblemKind::UnrealizedResource(key) => {
            is_role(db, environment, class)
                && !library::products::is_resource_of_enterprise(&key.title)
                && !may_be_beside_role(db, environment, key)
                && !may_be_beside_profile(db, environment, class, problem)
        }
        _ => false,
    }
}

/// Checks whether the code that nodes have besides their role may declare or realize a resource: main manifests, the
/// definition of a node, and what these include.
fn may_be_beside_role(db: &dyn Database, environment: EnvironmentInput, key: &ResourceKey) -> bool {
    let wanted = Wanted::new(db, environment, key);
    environment
        .manifests(db)
        .iter()
        .any(|it| wanted.may_be_in(*it))
        || wanted.may_be_in_catalogs(classes_beside_roles(db, environment).iter())
}

/// The largest number of classes that are compiled to find out whether one of them declares a resource.
const MAX_OTHERS: usize = 100;

/// Checks whether a role or profile, which a classifier may add to a node with a profile, may declare or realize a
/// resource.
fn may_be_beside_profile(
    db: &dyn Database,
    environment: EnvironmentInput,
    class: Item<'_>,
    problem: &ProblemKind,
) -> bool {
    let own = canonical_name(class.name(db));
    let is_in_other_catalog = |is_in: &dyn Fn(&String) -> bool| {
        let mut others = assigned_classes(db, environment).iter();
        others.any(|it| {
            let name = NameKey::new(db, it.clone());
            *it != own
                && class_problems(db, environment, name)
                    .classes
                    .iter()
                    .any(is_in)
        })
    };
    match problem {
        _ if !is_profile_name(&own) => false,
        ProblemKind::UndeclaredResource(key) if key.type_name == "Class" => {
            let class = canonical_name(&key.title);
            is_in_other_catalog(&|it| *it == class)
        }
        ProblemKind::UndeclaredResource(key) | ProblemKind::UnlikelyResource(key) => {
            is_mentioned(db, environment, &key.type_name, &key.title)
                && may_be_declared_by_others(db, environment, &own, key)
        }
        ProblemKind::UnrealizedResource(key) => {
            let wanted = Wanted::new(db, environment, key);
            is_in_other_catalog(&|it| wanted.may_be_selected_in_class(it))
        }
        _ => false,
    }
}

fn may_be_declared_by_others(
    db: &dyn Database,
    environment: EnvironmentInput,
    own: &str,
    key: &ResourceKey,
) -> bool {
    let all = assigned_classes(db, environment);
    let name = |it: &str| NameKey::new(db, it.to_owned());
    let (type_name, title) = (name(&key.type_name), name(&key.title));
    let may_declare = |other: &String| match possible_declaration_by_role(
        db,
        environment,
        name(other),
        type_name,
        title,
    ) {
        Possibility::Possible => true,
        Possibility::ByAnyTitle => {
            let catalog = role_problems(db, environment, name(other));
            is_mentioned_in_catalog(db, environment, catalog, key)
        }
        Possibility::Impossible => false,
    };
    all.len() > MAX_OTHERS || all.iter().filter(|it| *it != own).any(may_declare)
}

/// Returns the roles and profiles that no code includes.
#[salsa::tracked(returns(ref))]
fn assigned_classes(db: &dyn Database, environment: EnvironmentInput) -> BTreeSet<String> {
    let modules = ROLES.iter().chain(&PROFILES);
    let modules = modules.filter_map(|it| environment.modules(db).get(*it));
    let files = modules.flat_map(|it| module_puppet_files(db, *it));
    let items = files.flat_map(|it| items(db, *it)).copied();
    let assigned = items.filter(|it| is_role(db, environment, *it));
    assigned.map(|it| canonical_name(it.name(db))).collect()
}

/// A resource that code may declare or realize.
struct Wanted<'db> {
    db: &'db dyn Database,
    environment: EnvironmentInput,
    /// The canonical name of the type.
    type_name: String,
    /// The name of the class, if it is one.
    class: Option<String>,
    resource: Resources,
}

impl<'db> Wanted<'db> {
    fn new(db: &'db dyn Database, environment: EnvironmentInput, key: &ResourceKey) -> Wanted<'db> {
        let type_name = canonical_name(&key.type_name);
        Wanted {
            db,
            environment,
            class: (type_name == "class").then(|| canonical_name(&key.title)),
            type_name,
            resource: Resources::new(&key.type_name, Some(&key.title)),
        }
    }

    fn may_be_in(&self, file: FileInput) -> bool {
        may_be_declared_in(self.db, file, &self.resource)
            || may_be_selected_in(self.db, file, &self.resource)
    }

    /// Checks whether the catalog of one of the classes may have the resource.
    fn may_be_in_catalogs<'a>(&self, mut classes: impl Iterator<Item = &'a String>) -> bool {
        classes.any(|it| {
            let name = NameKey::new(self.db, it.clone());
            let catalog = class_problems(self.db, self.environment, name);
            catalog.open_types.contains(&self.type_name)
                || catalog.classes.iter().any(|it| self.may_be_in_class(it))
        })
    }

    fn may_be_in_class(&self, name: &String) -> bool {
        let file = self.file_of_class(name);
        self.class.as_ref() == Some(name) || file.is_some_and(|it| self.may_be_in(it))
    }

    fn may_be_selected_in_class(&self, name: &str) -> bool {
        let file = self.file_of_class(name);
        file.is_some_and(|it| may_be_selected_in(self.db, it, &self.resource))
    }

    fn file_of_class(&self, name: &str) -> Option<FileInput> {
        let key = NameKey::new(self.db, name.to_owned());
        let item = find_item(self.db, self.environment, ItemKind::Class, key);
        item.map(|it| it.file(self.db))
    }
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
             \x20 - {{name: n, path: 'nodes/%{{trusted.certname}}.yaml'}}\n\
             \x20 - {{name: b, path: common.yaml}}\n\
             //- modules/environment/data/nodes/a.yaml\nof_node: 1\n\
             //- modules/environment/data/common.yaml\nensure: runing\nport: '80a'\ntype: sevrice\n\
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
            "$t = lookup('type') create_resources($t, { 'a' => {} })",
            "$t = lookup('type') create_resources($t, { 'a' => { 'b' => $facts['nosuch'] } })",
            "['base', 'bse'].each |$it| { include \"profile::${it}\" }",
        ] {
            assert_eq!(found_in_role(&FAILING_CLASS, "", profile), 1, "{profile}");
        }
        let minutes = "['7', '70'].each |$it| { cron { $it: minute => Integer($it) } }";
        assert_eq!(found_in_role(&INVALID_ATTRIBUTE_VALUE, "", minutes), 1);
        // The node may have data of its own.
        let of_node = "notice(Integer(lookup('of_node')))";
        assert_eq!(found_in_role(&FAILING_CLASS, "", of_node), 0);
        // Nodes with another role have another value.
        let of_role = "service { 'a': ensure => lookup('ensure') }";
        assert_eq!(found_in_role(&INVALID_ATTRIBUTE_VALUE, "", of_role), 0);
        let (site, read) = ("include profile::base", "notice($profile::base::x)");
        assert_eq!(found_in_role(&FAILING_CLASS, site, read), 0);
    }

    #[test]
    fn profiles_that_no_code_includes_are_the_roles_of_their_nodes() {
        let found = |code: &str, other: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode default {{ }}\n\
                 //- modules/profile/manifests/web.pp\nclass profile::web {{ {code} }}\n\
                 //- modules/profile/manifests/other.pp\nclass profile::other {{ {other} }}\n"
            );
            severities(&UNKNOWN_REFERENCE, &code)
        };
        let refers = "$a = { require => Service['ssh'] } notify { 'a': * => $a }";
        assert_eq!(found(refers, ""), [Severity::Warning]);
        // A classifier may add the other profile.
        assert_eq!(found(refers, "service { 'ssh': }"), []);
        let is_virtual = "@user { 'a': } notify { 'a': require => User['a'] }";
        assert_eq!(found(is_virtual, ""), [Severity::Warning]);
        assert_eq!(found(is_virtual, "User <| |>"), []);
    }

    #[test]
    fn known_parts_of_values_limit_what_else_is_declared() {
        let found = |profile: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode default {{ }}\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 //- modules/role/manifests/web.pp\n\
                 class role::web {{ include profile::web \
                 notify {{ 'a': require => [File['/a'], Class['profile::base']] }} }}\n\
                 //- modules/profile/manifests/base.pp\nclass profile::base {{ }}\n\
                 //- modules/m/manifests/debian.pp\nclass m::debian {{ }}\n\
                 //- modules/profile/manifests/web.pp\n\
                 class profile::web {{ $x = $facts['nosuch'] {profile} }}\n"
            );
            severities(&UNKNOWN_REFERENCE, &code).len()
        };
        for profile in [
            "$h = { 'ip' => $x, 'dir' => '/b' } file { $h['dir']: }",
            "$h = { 'ip' => $x, 'dir' => '/b' } + { 'a' => 1 } file { $h.dig('dir'): }",
            "$a = ['/b', $x] file { $a[0]: }",
            "file { { '/b' => $x }.keys: }",
            "create_resources(file, { '/b' => { mode => $x }, '/c' => {} })",
            "$d = $x ? { 'x' => '/b', default => '/c' } file { $d: }",
            "if $x { $d = '/b' } else { $d = '/c' } file { $d: }",
            "$d = \"/b/${x}\" file { $d: }",
            "include \"m::${x}\"",
            "$v = pe_build_version() notify { 'b': }",
        ] {
            assert_eq!(found(profile), 2, "{profile}");
        }
        // An unknown title hardly is one that neither the code nor the data of the catalog contains.
        for unknown in [
            "$h = { 'ip' => '/b', 'dir' => $x } file { $h['dir']: }",
            "create_resources(file, { $x => {} })",
            "file { 'b': path => $x }",
        ] {
            assert_eq!(found(unknown), 2, "{unknown}");
            let mentioned = format!("$y = '/a' {unknown}");
            assert_eq!(found(&mentioned), 1, "{mentioned}");
        }
        assert_eq!(found("include \"profile::${x}\""), 1);
    }

    #[test]
    fn resources_with_unknown_titles_have_an_unknown_value() {
        let assigned = "[$k] = (notify { \"a${facts['nosuch']}\": }) notify { 'x': require => $k }";
        assert_eq!(found_in_role(&FAILING_CLASS, "", assigned), 0);
    }
}
