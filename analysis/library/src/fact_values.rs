//! The values of facts about the platform, which may be any string.

/// Common values by the path of the fact, the most common ones first.
const COMMON: [(&[&str], &[&str]); 3] = [
    (
        &["os.family", "osfamily"],
        &[
            "RedHat",
            "Debian",
            "Suse",
            "windows",
            "FreeBSD",
            "Archlinux",
            "Gentoo",
            "Darwin",
            "Solaris",
            "OpenBSD",
            "Alpine",
            "AIX",
        ],
    ),
    (
        &["os.name", "operatingsystem"],
        &[
            "Debian",
            "Ubuntu",
            "RedHat",
            "CentOS",
            "Rocky",
            "AlmaLinux",
            "Fedora",
            "Amazon",
            "OracleLinux",
            "SLES",
            "OpenSuSE",
            "Archlinux",
            "Gentoo",
            "Alpine",
            "FreeBSD",
            "OpenBSD",
            "Darwin",
            "windows",
        ],
    ),
    (
        &["kernel"],
        &[
            "Linux", "windows", "FreeBSD", "Darwin", "OpenBSD", "SunOS", "AIX",
        ],
    ),
];

/// Further names of operating systems and of their families, as Facter has them.
const RARE: [&str; 53] = [
    "Amzn",
    "Anolis",
    "Aristaeos",
    "Arista",
    "Ascendos",
    "BelkaOS",
    "Bluewhite64",
    "Circle",
    "CloudLinux",
    "CoreOS",
    "Cumulus",
    "Deepin",
    "Devuan",
    "DragonFly",
    "EndeavourOS",
    "EuroLinux",
    "Flatcar",
    "GNU/kFreeBSD",
    "HP-UX",
    "HuaweiOS",
    "JUNOS",
    "KDE neon",
    "Kali",
    "LinuxMint",
    "Linuxmint",
    "Mageia",
    "Mandrake",
    "Mandriva",
    "Manjaro",
    "ManjaroLinux",
    "Manjarolinux",
    "MeeGo",
    "NetBSD",
    "Nexenta",
    "NixOS",
    "OEL",
    "OVS",
    "OmniOS",
    "PSBM",
    "Parrot",
    "Pop!_OS",
    "Raspbian",
    "SLC",
    "SLED",
    "Scientific",
    "Slackware",
    "SmartOS",
    "SunOS",
    "SuSE",
    "VMWareESX",
    "VirtuozzoLinux",
    "XCP-ng",
    "XenServer",
];

/// Linux distributions by family. `os.family` of these is the family in all releases of Facter.
const FAMILIES: [(&str, &[&str]); 3] = [
    ("Debian", &["Ubuntu", "LinuxMint", "Devuan"]),
    (
        "RedHat",
        &[
            "CentOS",
            "Fedora",
            "Scientific",
            "OracleLinux",
            "Amazon",
            "CloudLinux",
            "XenServer",
        ],
    ),
    ("Suse", &["SLES", "SLED"]),
];

/// Names of operating systems that no release of Facter has, and the values that it has for them.
const OTHER_NAMES: [(&str, &str); 14] = [
    ("AmazonLinux", "Amazon"),
    ("Arch", "Archlinux"),
    ("Mac OS X", "Darwin"),
    ("MacOS", "Darwin"),
    ("MacOSX", "Darwin"),
    ("OSX", "Darwin"),
    ("Oracle Linux", "OracleLinux"),
    ("RHEL", "RedHat"),
    ("Red Hat", "RedHat"),
    ("Red Hat Enterprise Linux", "RedHat"),
    ("RedHatEnterpriseLinux", "RedHat"),
    ("Rocky Linux", "Rocky"),
    ("RockyLinux", "Rocky"),
    ("ScientificLinux", "Scientific"),
];

/// Values that all releases of Facter spell alike.
const STABLE: [&str; 13] = [
    "AIX", "CentOS", "Darwin", "Debian", "Fedora", "FreeBSD", "Gentoo", "Linux", "OpenBSD",
    "RedHat", "Solaris", "Ubuntu", "windows",
];

/// Returns the value of the fact with this path on the distribution of Linux that `value` names, if it is another
/// one: `Debian` for the family of `Ubuntu`. Upper and lower case do not matter.
pub fn value_on_distribution(path: &str, value: &str) -> Option<&'static str> {
    let is_value = |it: &&str| it.eq_ignore_ascii_case(value);
    let mut families = FAMILIES.iter();
    match path {
        "os.family" | "osfamily" => families.find(|it| it.1.iter().any(is_value)).map(|it| it.0),
        "kernel" => families
            .any(|it| is_value(&it.0) || it.1.iter().any(is_value))
            .then_some("Linux"),
        _ => None,
    }
}

/// Returns the value that Facter has for an operating system that people call otherwise: `RedHat` for `RHEL`. Upper and
/// lower case do not matter.
pub fn platform_called(name: &str) -> Option<&'static str> {
    let found = OTHER_NAMES
        .iter()
        .find(|it| it.0.eq_ignore_ascii_case(name));
    found.map(|it| it.1)
}

/// Returns the known values of a fact about the platform. Names and families are both among them.
pub fn known_fact_values(path: &str) -> impl Iterator<Item = &'static str> + use<'_> {
    let kernels = common_fact_values("kernel");
    platforms().filter(move |it| path != "kernel" || kernels.contains(it))
}

/// Returns the common values of a fact that all releases of Facter spell alike.
pub fn stable_fact_values(path: &str) -> impl Iterator<Item = &'static str> {
    let all = common_fact_values(path).iter().copied();
    all.filter(|it| STABLE.contains(it))
}

/// Returns common values of a fact with a path such as `os.family`, the most common ones first.
pub fn common_fact_values(path: &str) -> &'static [&'static str] {
    let found = COMMON.iter().find(|it| it.0.contains(&path));
    found.map_or(&[], |it| it.1)
}

/// Checks whether a platform is known, as a name, a family or a kernel.
pub fn is_platform(name: &str) -> bool {
    platforms().any(|it| it == name)
}

/// Like [`is_platform`], but ignores case, as Puppet's comparisons do.
pub fn is_platform_in_any_case(name: &str) -> bool {
    platforms().any(|it| it.eq_ignore_ascii_case(name))
}

fn platforms() -> impl Iterator<Item = &'static str> {
    let common = COMMON.iter().flat_map(|it| it.1);
    common.chain(&RARE).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_values_by_path() {
        assert_eq!(common_fact_values("os.family").first(), Some(&"RedHat"));
        assert_eq!(
            common_fact_values("osfamily"),
            common_fact_values("os.family")
        );
        assert!(common_fact_values("os").is_empty());
        assert!(is_platform("Debian") && is_platform("Devuan") && !is_platform("debian"));
    }
}
