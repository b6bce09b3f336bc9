//! Names that come from products around Puppet rather than from modules: PuppetDB's termini, Puppet
//! Enterprise and Bolt. Whether they exist depends on where the code runs.

use std::sync::LazyLock;

use super::Table;
use super::bolt_types::{self, BoltType};
use super::functions;
use crate::signatures::Function;

static FUNCTIONS_OF_BOLT: LazyLock<Table<Function>> = LazyLock::new(functions::read_bolt_functions);
static DOCUMENTED_FUNCTIONS: LazyLock<Table<Function>> = LazyLock::new(documented_functions);
static BOLT_TYPES: LazyLock<Table<BoltType>> = LazyLock::new(bolt_types::read);

/// The functions that PuppetDB's termini and the server add.
const OF_SERVER: [&str; 1] = ["puppetdb_query"];

/// The prefix of the functions, resource types, facts and variables of Puppet Enterprise.
const OF_ENTERPRISE: &str = "pe_";

/// The prefix of the packages, services and files of Puppet Enterprise, which its console declares.
const RESOURCES_OF_ENTERPRISE: &str = "pe-";

/// Facts and variables of Puppet Enterprise without this prefix.
const VARIABLES_OF_ENTERPRISE: [&str; 5] = [
    "custom_auth_conf",
    "is_pe",
    "platform_symlink_writable",
    "platform_tag",
    "puppet_files_dir_present",
];

/// The unqualified functions of Bolt that work in an `apply` block; it refuses the others.
const FUNCTIONS_IN_APPLY: [&str; 5] = ["facts", "get_target", "puppetdb_fact", "resource", "vars"];

/// The first segments of the qualified functions of Bolt.
const NAMESPACES_OF_BOLT: [&str; 7] = ["ctrl", "dir", "file", "log", "out", "prompt", "system"];

/// The functions whose first argument is the path of a file, which may be in a module.
const READERS_OF_MODULE_FILES: [&str; 2] = ["run_script", "upload_file"];

/// The folder of a module with scripts that Bolt also finds by their full path.
pub const SCRIPTS: &str = "scripts/";

/// The folder of a module with the files that Bolt finds.
pub const FILES: &str = "files/";

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

/// The types of targets, in Puppet's notation.
const TYPES_OF_TARGETS: [&str; 5] = [
    "Array[Target]",
    "Boltlib::TargetSpec",
    "Target",
    "TargetSpec",
    "Targetspec",
];

/// Checks whether a resource with a title belongs to Puppet Enterprise, whose console declares it.
pub fn is_resource_of_enterprise(title: &str) -> bool {
    title.starts_with(RESOURCES_OF_ENTERPRISE)
}

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

/// The modules that each Bolt project has, because Bolt ships them. From the `Puppetfile` and the folder `modules` of Bolt 4.
pub const MODULES_OF_BOLT: [&str; 35] = [
    "aggregate",
    "augeas_core",
    "aws_inventory",
    "azure_inventory",
    "bash_task_helper",
    "canary",
    "cron_core",
    "facts",
    "gcloud_inventory",
    "host_core",
    "http_request",
    "mount_core",
    "package",
    "pkcs7",
    "powershell_task_helper",
    "puppet_agent",
    "puppet_conf",
    "puppet_connect",
    "puppetdb_fact",
    "python_task_helper",
    "reboot",
    "ruby_plugin_helper",
    "ruby_task_helper",
    "scheduled_task",
    "secure_env_vars",
    "selinux_core",
    "service",
    "sshkeys_core",
    "stdlib",
    "terraform",
    "vault",
    "yaml",
    "yumrepo_core",
    "zfs_core",
    "zone_core",
];

/// Checks whether Bolt defines a function.
pub fn is_function_of_bolt(name: &str) -> bool {
    match name.split_once("::") {
        Some((namespace, _)) => NAMESPACES_OF_BOLT.contains(&namespace),
        None => function_of_bolt(name).is_some(),
    }
}

/// Looks up a function of Bolt, with its parameters; Bolt may have more in the namespaces of its own modules.
pub fn function_of_bolt(name: &str) -> Option<&'static Function> {
    FUNCTIONS_OF_BOLT.get(name)
}

/// Returns the known functions of Bolt.
pub fn functions_of_bolt() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS_OF_BOLT.values()
}

/// Looks up a function of Bolt in the form that its documentation has: with the names of Bolt's types instead of what
/// they accept.
pub fn documented_function_of_bolt(name: &str) -> Option<&'static Function> {
    DOCUMENTED_FUNCTIONS.get(name)
}

fn documented_functions() -> Table<Function> {
    let mut all = FUNCTIONS_OF_BOLT.clone();
    for overload in all.values_mut().flat_map(|it| &mut it.overloads) {
        overload
            .local_types
            .retain(|(name, _)| !BOLT_TYPES.contains_key(name));
    }
    all
}

/// Looks up a data type of Bolt by name, ignoring case, with or without a leading `::`.
pub fn type_of_bolt(name: &str) -> Option<&'static BoltType> {
    let name = name.strip_prefix("::").unwrap_or(name);
    let mut all = documented_types_of_bolt();
    all.find(|it| it.name.eq_ignore_ascii_case(name))
}

/// Returns the data types of Bolt with their members.
pub fn documented_types_of_bolt() -> impl Iterator<Item = &'static BoltType> {
    BOLT_TYPES.values()
}

/// Checks whether the first argument of a function of Bolt is a file such as `module/path`.
pub fn reads_module_file(name: &str) -> bool {
    READERS_OF_MODULE_FILES.contains(&name)
}

/// Checks whether a function of Bolt is available in plans only, and not in their `apply` blocks.
pub fn is_limited_to_plans(name: &str) -> bool {
    match name.split_once("::") {
        Some((namespace, _)) => ["log", "out"].contains(&namespace),
        None => {
            let is_elsewhere = FUNCTIONS_IN_APPLY.contains(&name) || is_of_server(name);
            is_function_of_bolt(name) && !is_elsewhere
        }
    }
}

/// Checks whether Bolt defines a data type; `name` is in lower case.
pub fn is_type_of_bolt(name: &str) -> bool {
    let first = name.split("::").next().unwrap_or(name);
    types_of_bolt().any(|it| it.eq_ignore_ascii_case(first))
}

/// Checks whether a type, in Puppet's notation, only accepts targets and their names.
pub fn is_type_of_targets(type_: &str) -> bool {
    TYPES_OF_TARGETS.contains(&type_)
}

/// Returns the data types of Bolt.
pub fn types_of_bolt() -> impl Iterator<Item = &'static str> {
    TYPES_OF_BOLT.into_iter()
}
