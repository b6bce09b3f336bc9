//! The module directories of an installed Puppet or OpenVox.

use std::path::{Path, PathBuf};

/// The module directories of the official packages for Unix and of Linux distributions, in Puppet's
/// order: modules of the user, modules of the distribution, vendored modules.
#[cfg(not(windows))]
const FOLDERS: [&str; 6] = [
    "/etc/puppetlabs/code/modules",
    "/etc/puppet/code/modules",
    "/opt/puppetlabs/puppet/modules",
    "/usr/share/puppet/modules",
    "/opt/puppetlabs/puppet/vendor_modules",
    "/usr/share/puppet/vendor_modules",
];

/// Returns the module directories that exist on this machine.
#[cfg(not(windows))]
pub(super) fn installed() -> Vec<PathBuf> {
    let folders = FOLDERS.iter().map(Path::new);
    folders
        .filter(|it| it.is_dir())
        .map(PathBuf::from)
        .collect()
}

/// Checks whether a directory is one of those of an installed Puppet.
#[cfg(not(windows))]
pub(super) fn is_installed(folder: &Path) -> bool {
    FOLDERS.iter().any(|it| Path::new(it) == folder)
}

/// Checks whether a directory is one of those of an installed Puppet.
#[cfg(windows)]
pub(super) fn is_installed(folder: &Path) -> bool {
    installed().iter().any(|it| it == folder)
}

/// Returns the module directories that exist on this machine.
#[cfg(windows)]
pub(super) fn installed() -> Vec<PathBuf> {
    let data = std::env::var_os("ProgramData").map(PathBuf::from);
    let programs = std::env::var_os("ProgramFiles").map(PathBuf::from);
    let folders = [
        data.map(|it| it.join(r"PuppetLabs\code\modules")),
        programs
            .as_ref()
            .map(|it| it.join(r"Puppet Labs\Puppet\puppet\modules")),
        programs.map(|it| it.join(r"Puppet Labs\Puppet\puppet\vendor_modules")),
    ];
    let folders = folders.into_iter().flatten();
    folders.filter(|it: &PathBuf| Path::is_dir(it)).collect()
}
