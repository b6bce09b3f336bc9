//! Parses a `Puppetfile`, which lists the modules that a tool installs into a control repository.
//!
//! The file is Ruby, which is never executed: only lines that call `mod` or `moduledir` with a
//! string are recognized. All others are skipped.

use std::fs;
use std::path::{Path, PathBuf};

use super::limits::{MAX_CHILDREN, read_config};
use super::note::Note;
use super::required_version::{RequiredModule, RequiredVersion};

/// The contents of the file, as far as they are used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Puppetfile {
    /// The directory that modules are installed to, as it is written.
    pub(super) moduledir: Option<String>,
    /// The modules, in the order of the file.
    pub(super) modules: Vec<PuppetfileModule>,
}

/// A module of a `Puppetfile`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PuppetfileModule {
    /// The name without the author.
    pub(super) name: String,
    /// Whether it has the option `local`, which means that it is part of the repository.
    pub(super) local: bool,
    /// The version, which is an argument or a tag of a Git repository, and the source.
    pub(super) required: RequiredModule,
    /// The directory that it is installed to, as it is written, if it has one of its own.
    pub(super) install_path: Option<String>,
}

impl Puppetfile {
    /// Checks whether the file lists a module.
    pub(super) fn lists(&self, name: &str) -> bool {
        self.modules.iter().any(|it| it.name == name)
    }
}

/// Reads further files in a control repository, from which other environments or directories are installed:
/// `puppetfiles/test.Puppetfile`, `Puppetfile.vendor`.
pub(super) fn further(root: &Path, notes: &mut Vec<Note>) -> Vec<Puppetfile> {
    let mut files: Vec<PathBuf> = [root.to_owned(), root.join("puppetfiles")]
        .iter()
        .filter_map(|it| fs::read_dir(it).ok())
        .flat_map(|it| it.filter_map(Result::ok).take(MAX_CHILDREN))
        .map(|it| it.path())
        .filter(|it| {
            let name = it.file_name().and_then(|it| it.to_str());
            name.is_some_and(|it| it.starts_with("Puppetfile.") || it.ends_with(".Puppetfile"))
        })
        .filter(|it| !is_put_aside(it))
        .filter(|it| it.symlink_metadata().is_ok_and(|it| it.is_file()))
        .collect();
    files.sort_unstable();
    let texts = files.iter().filter_map(|it| read_config(it, notes));
    texts.map(|it| parse(&it)).collect()
}

/// The ends of names of locks, backups and examples, which no tool reads.
const PUT_ASIDE: [&str; 10] = [
    "backup", "bak", "disabled", "example", "lock", "off", "old", "orig", "save", "tmp",
];

/// Checks whether a file is the lock of another, or is kept without a use.
fn is_put_aside(path: &Path) -> bool {
    let extension = path.extension().and_then(|it| it.to_str());
    extension.is_some_and(|it| it.ends_with('~') || PUT_ASIDE.contains(&it))
}

/// Parses the text of the file.
pub(super) fn parse(text: &str) -> Puppetfile {
    let mut file = Puppetfile::default();
    for line in text.lines() {
        let line = line.trim();
        if let Some((name, _)) = argument(line, "moduledir") {
            file.moduledir = Some(name.to_owned());
        } else if let Some((name, rest)) = argument(line, "mod") {
            let (author, short) = match name.rsplit_once(['/', '-']) {
                Some((author, short)) => {
                    let author = Some(author).filter(|it| !it.contains(['/', '-']));
                    (author.map(str::to_owned), short)
                }
                None => (None, name),
            };
            file.modules.push(PuppetfileModule {
                name: short.to_owned(),
                local: is_local(rest),
                required: RequiredModule {
                    version: required_version(rest),
                    author,
                    repository: option(rest, "git"),
                },
                install_path: option(rest, "install_path"),
            });
        } else if let Some(last) = file.modules.last_mut() {
            // Options may continue on the following lines.
            last.local |= is_local(line);
            let required = &mut last.required;
            if required.version == RequiredVersion::Unknown {
                required.version = required_version(line);
            }
            required.repository = required.repository.take().or_else(|| option(line, "git"));
            last.install_path = last
                .install_path
                .take()
                .or_else(|| option(line, "install_path"));
        }
    }
    file
}

/// Returns the first argument of a call of `function` if it is a string, and the rest of the line.
fn argument<'a>(line: &'a str, function: &str) -> Option<(&'a str, &'a str)> {
    let rest = line.strip_prefix(function)?;
    let open = rest.trim_start_matches([' ', '\t', '(']);
    if open.len() == rest.len() {
        return None;
    }
    let quote = open.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
    let (name, rest) = open[1..].split_once(quote)?;
    (!name.is_empty()).then_some((name, rest))
}

/// Returns the version in the arguments after the name: a string of its own, or the value of `tag` or
/// `ref`.
fn required_version(arguments: &str) -> RequiredVersion {
    let arguments = arguments.split('#').next().unwrap_or_default();
    let values = arguments.split(',').filter_map(|argument| {
        let mut options = OPTIONS_WITH_VERSION.iter();
        let value = options.find_map(|it| option(argument, it));
        value.or_else(|| unquoted(argument.trim().trim_end_matches(')').trim_end()))
    });
    let mut found = values.map(|it| RequiredVersion::parse(&it));
    found
        .find(|it| *it != RequiredVersion::Unknown)
        .unwrap_or(RequiredVersion::Unknown)
}

/// The options whose value may be a version.
const OPTIONS_WITH_VERSION: [&str; 3] = ["tag", "ref", "version"];

/// Returns the value of an option, in one of the two notations of Ruby, if it is a string.
fn option(arguments: &str, name: &str) -> Option<String> {
    let arguments = arguments.split('#').next().unwrap_or_default();
    arguments.split(',').find_map(|argument| {
        let argument = argument.trim().trim_end_matches(')').trim_end();
        let value = match argument.strip_prefix(':') {
            Some(rest) => rest.strip_prefix(name)?.trim_start().strip_prefix("=>"),
            None => argument.strip_prefix(name)?.strip_prefix(':'),
        };
        unquoted(value?.trim_start())
    })
}

fn unquoted(text: &str) -> Option<String> {
    let inner = text.strip_prefix(['\'', '"'])?;
    inner.strip_suffix(['\'', '"']).map(str::to_owned)
}

fn is_local(options: &str) -> bool {
    let spaceless: String = options.chars().filter(|it| !it.is_whitespace()).collect();
    !spaceless.starts_with('#')
        && (spaceless.contains("local:true") || spaceless.contains(":local=>true"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_modules() {
        let file = parse(
            "forge 'https://x'\nmoduledir 'external'\n# mod 'no'\nmod 'puppetlabs/stdlib', '9.4.0'\n\
             mod \"puppet-nginx\"\nmod('own',\n  :local => true)\nmod 'site', local: true\nmodify 'x'\n",
        );
        let listed = |name: &str, local| PuppetfileModule {
            name: name.to_owned(),
            local,
            install_path: None,
            required: RequiredModule {
                version: match name {
                    "stdlib" => RequiredVersion::Exactly("9.4.0".to_owned()),
                    _ => RequiredVersion::Unknown,
                },
                author: match name {
                    "stdlib" => Some("puppetlabs".to_owned()),
                    "nginx" => Some("puppet".to_owned()),
                    _ => None,
                },
                repository: None,
            },
        };
        assert_eq!(file.moduledir.as_deref(), Some("external"));
        assert_eq!(
            file.modules,
            [
                listed("stdlib", false),
                listed("nginx", false),
                listed("own", true),
                listed("site", true)
            ]
        );
    }
}
