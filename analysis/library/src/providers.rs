//! Providers that public modules add to the built-in resource types, as far as they are known.

/// Providers of packages, from modules on the Puppet Forge and GitHub.
const OF_PACKAGES: [&str; 52] = [
    "apm",
    "asdf",
    "bower",
    "brew",
    "brewcask",
    "bundle",
    "bundler",
    "cabal",
    "cargo",
    "chocolatey",
    "composer",
    "conda",
    "cpan",
    "cpanm",
    "cygwin",
    "docker",
    "elasticsearch",
    "flatpak",
    "go",
    "grafana",
    "guix",
    "helm",
    "homebrew",
    "luarocks",
    "mas",
    "nix",
    "npm",
    "opam",
    "opensearch_dashboards_plugin",
    "pear",
    "peclcmd",
    "pecl",
    "pip2",
    "pip3",
    "pipenv",
    "pipx",
    "pkgng",
    "poetry",
    "puppetserver_gem",
    "r",
    "rpmostree",
    "scap3",
    "scoop",
    "sensu_gem",
    "snap",
    "system_gem",
    "tap",
    "vcpkg",
    "winget",
    "yarn",
    "zef",
    "zypprepo",
];

/// Parts of the names of further providers of packages, which install from the repositories of a language.
const PARTS_OF_PACKAGES: [&str; 3] = ["gem", "npm", "pip"];

/// Checks whether a public module may add a provider to a built-in resource type. Types without a known list, such
/// as services, have too many.
pub fn may_be_provider_of_module(type_name: &str, provider: &str) -> bool {
    match type_name {
        "package" => {
            let mut parts = PARTS_OF_PACKAGES.iter();
            OF_PACKAGES.contains(&provider) || parts.any(|it| provider.contains(it))
        }
        "exec" => matches!(provider, "powershell" | "pwsh" | "wsl"),
        "augeas" | "cron" | "group" | "host" | "mount" | "tidy" => false,
        _ => true,
    }
}
