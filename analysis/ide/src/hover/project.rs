//! Hover on the names of modules: the installed version.

use syntax::{TextRange, TextSize};

use crate::Hover;
use hiera::document::{self, Node};
use library::ruby::puppetfile;
use rules::project::{ProjectContext, ProjectFile, short_name};

/// Returns the hover for the module name at an offset. Returns `None` anywhere else.
pub fn hover(
    file: ProjectFile,
    text: &str,
    context: &ProjectContext,
    offset: TextSize,
) -> Option<Hover> {
    let mut names = required_modules(file, text).into_iter();
    let (name, range) = names.find(|it| it.1.contains_inclusive(offset))?;
    let short = short_name(&name);
    let status = match context.module(short) {
        Some(found) => match &found.version {
            Some(version) => format!("Version {version} is installed."),
            None => "It is installed, but its metadata has no version.".to_owned(),
        },
        None if context.complete => "It is not installed.".to_owned(),
        None => return None,
    };
    Some(Hover {
        range,
        markdown: format!("`{short}`\n\n{status}"),
        links: Vec::new(),
    })
}

/// Returns the names of the modules that a file requires, with their ranges.
fn required_modules(file: ProjectFile, text: &str) -> Vec<(String, TextRange)> {
    match file {
        ProjectFile::Metadata => {
            let root = document::json(text).ok().flatten();
            let all = root.as_ref().and_then(|it| it.get("dependencies"));
            let all = all.and_then(Node::elements).unwrap_or_default().iter();
            let names = all.filter_map(|it| it.get("name"));
            names
                .filter_map(|it| Some((it.text()?.to_owned(), it.range)))
                .collect()
        }
        ProjectFile::Puppetfile => {
            let calls = puppetfile(text).map(|it| it.calls).unwrap_or_default();
            let modules = calls.iter().filter(|it| it.name == "mod");
            let names = modules.filter_map(|it| it.text(0));
            names.map(|it| (it.0.to_owned(), it.1)).collect()
        }
        ProjectFile::EnvironmentConf | ProjectFile::Hiera => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::project::InstalledModule;

    #[test]
    fn shows_the_installed_version() {
        let around = ProjectContext {
            modules: vec![InstalledModule {
                name: "stdlib".to_owned(),
                author: None,
                version: Some("8.5.0".to_owned()),
                is_of_machine: false,
            }],
            complete: true,
            ..ProjectContext::default()
        };
        let shown = |file, text: &str, at: &str| {
            let offset = text.find(at).expect("it is there");
            let offset = TextSize::try_from(offset).expect("it is short");
            hover(file, text, &around, offset).map(|it| (text[it.range].to_owned(), it.markdown))
        };
        let text = "mod 'puppetlabs/stdlib', '9'\nmod 'me/other'\n";
        let expected = "`stdlib`\n\nVersion 8.5.0 is installed.";
        let (place, said) = shown(ProjectFile::Puppetfile, text, "stdlib").expect("it is said");
        assert!(place.contains("puppetlabs/stdlib"), "{place}");
        assert_eq!(said, expected);
        let other = shown(ProjectFile::Puppetfile, text, "other").expect("it is said");
        assert_eq!(other.1, "`other`\n\nIt is not installed.");
        assert_eq!(shown(ProjectFile::Puppetfile, text, "'9'"), None);
        let text = r#"{"name": "a-b", "dependencies": [{"name": "puppetlabs-stdlib"}]}"#;
        let found = shown(ProjectFile::Metadata, text, "stdlib").expect("it is said");
        assert_eq!(found.1, expected);
        assert_eq!(shown(ProjectFile::Metadata, text, "a-b"), None);
    }
}
