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
