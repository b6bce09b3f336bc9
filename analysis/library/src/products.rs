//! Names that come from products around Puppet rather than from modules: PuppetDB's termini, Puppet
//! Enterprise and Bolt. Whether they exist depends on where the code runs.

/// The functions that PuppetDB's termini and the server add.
const OF_SERVER: [&str; 1] = ["puppetdb_query"];

/// The prefix of the functions, resource types, facts and variables of Puppet Enterprise.
const OF_ENTERPRISE: &str = "pe_";

/// Facts and variables of Puppet Enterprise without this prefix.
const VARIABLES_OF_ENTERPRISE: [&str; 5] = [
    "custom_auth_conf",
    "is_pe",
    "platform_symlink_writable",
    "platform_tag",
    "puppet_files_dir_present",
];

/// The functions of Bolt.
const FUNCTIONS_OF_BOLT: [&str; 34] = [
    "add_facts",
    "add_to_group",
    "apply_prep",
    "background",
    "catch_errors",
    "download_file",
    "facts",
    "fail_plan",
    "get_resources",
    "get_target",
    "get_targets",
    "parallelize",
    "prompt",
    "puppetdb_command",
    "puppetdb_fact",
    "remove_from_group",
    "resolve_references",
    "resource",
    "run_command",
    "run_container",
    "run_plan",
    "run_script",
    "run_task",
    "run_task_with",
    "set_config",
    "set_feature",
    "set_resources",
    "set_var",
    "upload_file",
    "vars",
    "wait",
    "wait_until_available",
    "without_default_logging",
    "write_file",
];

/// The unqualified functions of Bolt that work in an `apply` block; it refuses the others.
const FUNCTIONS_IN_APPLY: [&str; 5] = ["facts", "get_target", "puppetdb_fact", "resource", "vars"];

/// The first segments of the qualified functions of Bolt.
const NAMESPACES_OF_BOLT: [&str; 7] = ["ctrl", "dir", "file", "log", "out", "prompt", "system"];

/// The qualified functions of Bolt.
const QUALIFIED_FUNCTIONS_OF_BOLT: [&str; 19] = [
    "ctrl::do_until",
    "ctrl::sleep",
    "dir::children",
    "file::delete",
    "file::exists",
    "file::join",
    "file::read",
    "file::readable",
    "file::write",
    "log::debug",
    "log::error",
    "log::fatal",
    "log::info",
    "log::trace",
    "log::warn",
    "out::message",
    "out::verbose",
    "prompt::menu",
    "system::env",
];

/// The minimum and maximum number of arguments of Bolt's functions, without those that accept any.
const ARITIES_OF_BOLT: [(&str, usize, usize); 40] = [
    ("add_facts", 2, 2),
    ("add_to_group", 2, 2),
    ("apply_prep", 1, 2),
    ("catch_errors", 0, 1),
    ("dir::children", 1, 1),
    ("download_file", 3, 5),
    ("facts", 1, 1),
    ("fail_plan", 1, 4),
    ("file::delete", 1, 1),
    ("file::exists", 1, 1),
    ("file::read", 1, 1),
    ("file::readable", 1, 1),
    ("file::write", 2, 2),
    ("get_resources", 2, 2),
    ("get_target", 1, 1),
    ("get_targets", 1, 1),
    ("log::debug", 1, 1),
    ("log::error", 1, 1),
    ("log::fatal", 1, 1),
    ("log::info", 1, 1),
    ("log::trace", 1, 1),
    ("log::warn", 1, 1),
    ("out::message", 1, 1),
    ("out::verbose", 1, 1),
    ("parallelize", 1, 1),
    ("prompt", 1, 2),
    ("puppetdb_fact", 1, 1),
    ("remove_from_group", 2, 2),
    ("resource", 3, 3),
    ("run_command", 2, 4),
    ("run_plan", 1, 3),
    ("run_script", 2, 4),
    ("run_task", 2, 4),
    ("run_task_with", 2, 4),
    ("set_config", 3, 3),
    ("set_var", 3, 3),
    ("system::env", 1, 1),
    ("upload_file", 3, 5),
    ("vars", 1, 1),
    ("wait_until_available", 1, 2),
];

/// The data types of Bolt.
const TYPES_OF_BOLT: [&str; 10] = [
    "ApplyResult",
    "Boltlib",
    "ContainerResult",
    "Future",
    "PlanResult",
    "ResourceInstance",
    "Result",
    "ResultSet",
    "Target",
    "TargetSpec",
];

/// Checks whether PuppetDB, the server or Puppet Enterprise may define a function, a resource type
/// or a variable; `name` is unqualified.
pub fn is_of_server(name: &str) -> bool {
    name.starts_with(OF_ENTERPRISE)
        || OF_SERVER.contains(&name)
        || VARIABLES_OF_ENTERPRISE.contains(&name)
}

/// Checks whether Puppet Enterprise installs a module itself.
pub fn is_module_of_enterprise(module: &str) -> bool {
    module.starts_with(OF_ENTERPRISE) || module == "puppet_enterprise"
}

/// Checks whether Bolt defines a function.
pub fn is_function_of_bolt(name: &str) -> bool {
    match name.split_once("::") {
        Some((namespace, _)) => NAMESPACES_OF_BOLT.contains(&namespace),
        None => FUNCTIONS_OF_BOLT.contains(&name),
    }
}

/// Returns the names of the functions of Bolt; it may have more in the namespaces of its own modules.
pub fn functions_of_bolt() -> impl Iterator<Item = &'static str> {
    let qualified = QUALIFIED_FUNCTIONS_OF_BOLT.into_iter();
    FUNCTIONS_OF_BOLT.into_iter().chain(qualified)
}

/// Returns the minimum and maximum number of arguments of a function of Bolt, if they are known.
pub fn arity_of_bolt(name: &str) -> Option<(usize, usize)> {
    let mut all = ARITIES_OF_BOLT.iter();
    all.find(|it| it.0 == name).map(|it| (it.1, it.2))
}

/// Checks whether a function of Bolt is available in plans only, and not in their `apply` blocks.
pub fn is_limited_to_plans(name: &str) -> bool {
    match name.split_once("::") {
        Some((namespace, _)) => ["log", "out"].contains(&namespace),
        None => is_function_of_bolt(name) && !FUNCTIONS_IN_APPLY.contains(&name),
    }
}

/// Checks whether Bolt defines a data type; `name` is in lower case.
pub fn is_type_of_bolt(name: &str) -> bool {
    let first = name.split("::").next().unwrap_or(name);
    types_of_bolt().any(|it| it.eq_ignore_ascii_case(first))
}

/// Returns the data types of Bolt.
pub fn types_of_bolt() -> impl Iterator<Item = &'static str> {
    TYPES_OF_BOLT.into_iter()
}
