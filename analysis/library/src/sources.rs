//! The sources of the stubs.

/// A stub file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The path below `library/stubs`.
    pub name: &'static str,
    /// The source text.
    pub text: &'static str,
}

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        &[$(Source {
            name: $name,
            text: include_str!(concat!("stubs/", $name)),
        }),*]
    };
}

pub(super) const FUNCTIONS: &[Source] = sources![
    "functions/catalog.pp",
    "functions/collections.pp",
    "functions/conversion.pp",
    "functions/data.pp",
    "functions/digests.pp",
    "functions/files.pp",
    "functions/flow.pp",
    "functions/iteration.pp",
    "functions/logging.pp",
    "functions/navigation.pp",
    "functions/numbers.pp",
    "functions/strings.pp",
];

/// Functions that only modules define.
pub(super) const MODULE_FUNCTIONS: &[Source] = sources!["module_functions.pp"];

/// The functions that Bolt adds to plans.
pub(super) const BOLT_FUNCTIONS: &[Source] = sources!["bolt_functions.pp"];

/// The data types that Bolt adds to plans.
pub(super) const BOLT_TYPES: &[Source] = sources!["bolt_types.pp"];

/// One file per type, named after it; sorted by name.
pub(super) const RESOURCE_TYPES: &[Source] = sources![
    "types/augeas.pp",
    "types/cron.pp",
    "types/exec.pp",
    "types/file.pp",
    "types/filebucket.pp",
    "types/group.pp",
    "types/host.pp",
    "types/k5login.pp",
    "types/mailalias.pp",
    "types/maillist.pp",
    "types/mount.pp",
    "types/nagios_command.pp",
    "types/nagios_contact.pp",
    "types/nagios_contactgroup.pp",
    "types/nagios_host.pp",
    "types/nagios_hostdependency.pp",
    "types/nagios_hostescalation.pp",
    "types/nagios_hostextinfo.pp",
    "types/nagios_hostgroup.pp",
    "types/nagios_service.pp",
    "types/nagios_servicedependency.pp",
    "types/nagios_serviceescalation.pp",
    "types/nagios_serviceextinfo.pp",
    "types/nagios_servicegroup.pp",
    "types/nagios_timeperiod.pp",
    "types/notify.pp",
    "types/package.pp",
    "types/resources.pp",
    "types/schedule.pp",
    "types/scheduled_task.pp",
    "types/selboolean.pp",
    "types/selmodule.pp",
    "types/service.pp",
    "types/ssh_authorized_key.pp",
    "types/sshkey.pp",
    "types/stage.pp",
    "types/tidy.pp",
    "types/user.pp",
    "types/yumrepo.pp",
    "types/zfs.pp",
    "types/zone.pp",
    "types/zpool.pp",
];

pub(super) const DATA_TYPES: &[Source] = sources!["data_types.pp"];

pub(super) const METAPARAMETERS: &[Source] = sources!["metaparameters.pp"];

pub(super) const VARIABLES: &[Source] = sources!["variables.pp"];

pub(super) const SETTINGS: &[Source] = sources!["settings.pp"];

pub(super) const FACTS: &[Source] = sources![
    "facts/agent.pp",
    "facts/network.pp",
    "facts/system.pp",
    "facts/virtual.pp",
];

pub(super) const LEGACY_FACTS: &[Source] = sources!["legacy_facts.pp"];

/// Returns all stub files, for tests and documentation.
pub fn sources() -> impl Iterator<Item = &'static Source> {
    let all = [
        FUNCTIONS,
        MODULE_FUNCTIONS,
        BOLT_FUNCTIONS,
        BOLT_TYPES,
        RESOURCE_TYPES,
        DATA_TYPES,
        METAPARAMETERS,
        VARIABLES,
        SETTINGS,
        FACTS,
        LEGACY_FACTS,
    ];
    all.into_iter().flatten()
}
