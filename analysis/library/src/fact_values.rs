//! Common values of facts that any string can be, for comparisons, `case` and selectors.

/// The values by the path of the fact, common ones first.
const VALUES: [(&[&str], &[&str]); 3] = [
    (
        &["os family", "osfamily"],
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
        &["os name", "operatingsystem"],
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

/// Returns the common values of a fact; the path is its keys separated by spaces.
pub(super) fn fact_values(path: &str) -> &'static [&'static str] {
    let found = VALUES.iter().find(|it| it.0.contains(&path));
    found.map_or(&[], |it| it.1)
}
