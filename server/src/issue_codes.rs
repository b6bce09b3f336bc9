//! The documentation of the issue codes of Puppet's static checks, and links to the book.

/// A page in Markdown with a section for each code. It is a chapter of the book as well.
const PAGE: &str = include_str!("issue_codes.md");

/// The address of the book, if the build sets it.
const BOOK: Option<&str> = option_env!("PUPIL_BOOK");

/// An issue code with its documentation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IssueCode {
    pub(crate) code: &'static str,
    /// The documentation without the heading, as Markdown.
    pub(crate) text: &'static str,
}

/// Iterates over the documented issue codes in alphabetical order.
pub(crate) fn all() -> impl Iterator<Item = IssueCode> {
    let sections = PAGE.split("\n## ").skip(1);
    sections.filter_map(|it| {
        let (code, text) = it.split_once("\n\n")?;
        Some(IssueCode {
            code,
            text: text.trim_end(),
        })
    })
}

/// Returns the documentation of an issue code as a page of its own.
pub(crate) fn page(code: &str) -> Option<String> {
    let found = all().find(|it| it.code == code)?;
    Some(format!("# {}\n\n{}\n", found.code, found.text))
}

/// Returns the first sentence about an issue code.
pub(crate) fn summary(code: &str) -> Option<String> {
    let found = all().find(|it| it.code == code)?;
    let first = found.text.split("\n\n").next()?.replace('\n', " ");
    let end = first.find(". ").map_or(first.len(), |it| it + 1);
    Some(first[..end].to_owned())
}

/// Returns the address of the book, without a slash at its end, if the build sets it.
pub(crate) fn book() -> Option<&'static str> {
    BOOK.map(|it| it.trim_end_matches('/'))
}

/// Returns the address of the documentation of a rule or an issue code.
pub(crate) fn address(code: &str) -> Option<String> {
    let book = book()?;
    match analysis::rules::rule(code) {
        Some(rule) => Some(format!("{book}/rules/{}.html", rule.code)),
        None => {
            let found = all().find(|it| it.code == code)?;
            let anchor = found.code.to_lowercase();
            Some(format!("{book}/issues.html#{anchor}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use analysis::FileSpec;
    use syntax::Dialect;
    use syntax::validation::{ModulePlace, PuppetVersion};

    use super::*;
    use crate::standalone::{FILE, analyze_standalone};

    /// Returns the first block of code with its language and the words after it.
    fn example(text: &str) -> Option<(&str, &str)> {
        let (_, rest) = text.split_once("```")?;
        let (info, rest) = rest.split_once('\n')?;
        Some((info, rest.split_once("\n```")?.0))
    }

    #[test]
    fn examples_have_their_codes() {
        for IssueCode { code, text } in all() {
            let Some((info, source)) = example(text) else {
                assert_eq!(code, "ILLEGAL_BOM");
                continue;
            };
            let place = info.strip_prefix("puppet modules/m/");
            let spec = FileSpec {
                dialect: Dialect {
                    epp: info == "epp",
                    tasks: info == "puppet plan",
                },
                place: place.map(|path| ModulePlace {
                    module_names: vec!["m".to_owned()],
                    path: path.to_owned(),
                }),
            };
            let analysis = analyze_standalone(spec, Arc::from(source), PuppetVersion::V8);
            let found = analysis.diagnostics(FILE);
            let found: Vec<&str> = found.iter().map(|it| it.code).collect();
            assert!(found.contains(&code), "{code}: {found:?}");
        }
    }

    #[test]
    fn documents_all_codes() {
        let messages = include_str!("../../tests/messages.md");
        let codes = messages.lines().filter_map(|it| {
            let code = it.strip_prefix("| `")?.split_once('`')?.0;
            code.starts_with(|it: char| it.is_ascii_uppercase())
                .then_some(code)
        });
        for code in codes {
            assert!(page(code).is_some(), "{code}");
        }
    }
}
