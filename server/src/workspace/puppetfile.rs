//! Parses a `Puppetfile`, which lists the modules that a tool installs into a control repository.
//!
//! The file is Ruby, which is never executed: only lines that call `mod` or `moduledir` with a
//! string are recognized. All others are skipped.

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
}

/// Parses the text of the file.
pub(super) fn parse(text: &str) -> Puppetfile {
    let mut file = Puppetfile::default();
    for line in text.lines() {
        let line = line.trim();
        if let Some((name, _)) = argument(line, "moduledir") {
            file.moduledir = Some(name.to_owned());
        } else if let Some((name, rest)) = argument(line, "mod") {
            let short = name.rsplit(['/', '-']).next().unwrap_or(name);
            file.modules.push(PuppetfileModule {
                name: short.to_owned(),
                local: is_local(rest),
            });
        } else if let Some(last) = file.modules.last_mut() {
            // Options may continue on the following lines.
            last.local |= is_local(line);
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
            "forge 'https://x'\nmoduledir 'external'\n# mod 'no'\nmod 'puppetlabs/stdlib', '9'\n\
             mod \"puppet-nginx\"\nmod('own',\n  :local => true)\nmod 'site', local: true\nmodify 'x'\n",
        );
        let listed = |name: &str, local| PuppetfileModule {
            name: name.to_owned(),
            local,
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
