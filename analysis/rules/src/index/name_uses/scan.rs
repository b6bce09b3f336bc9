//! Finds names in a source by their form.

use std::collections::BTreeSet;
use std::ops::Range;

use library::KnownFunction;

/// A name in a source, in lower case and without a leading `::`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum NameUse {
    /// A whole name.
    Name(String),
    /// The start of a name whose rest is computed. Those of types are written with an uppercase letter.
    Start { text: String, is_type: bool },
    /// A part of a name whose start is computed.
    Part(String),
    /// Any name of a class.
    AnyClass,
}

/// The language of a file, as far as the forms of names depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, salsa::SalsaValue)]
pub(crate) enum Language {
    Puppet,
    /// YAML or JSON.
    Data,
    /// Ruby, also in templates.
    Ruby,
}

impl Language {
    /// Returns the language of a file by its path in its module.
    pub(crate) fn of_path(path: &str) -> Option<Language> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension {
            "pp" | "epp" => Some(Language::Puppet),
            "yaml" | "yml" | "eyaml" | "json" => Some(Language::Data),
            "rb" | "erb" => Some(Language::Ruby),
            _ => None,
        }
    }
}

/// The interpolation of the name of the module, in the Puppet language.
const MODULE_NAME: &str = "${module_name}";
/// The starts of interpolations, in all languages.
const OPEN: [&str; 4] = ["$", "%{", "#{", "<%"];
/// The ends of interpolations.
const CLOSE: [&str; 2] = ["}", "%>"];

/// The source to scan.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) language: Language,
    /// The name of the module that the file belongs to.
    pub(super) module: &'a str,
}

/// Returns the names of definitions of own modules in a source, with their offsets.
pub(super) fn scan(source: Source<'_>, own: &BTreeSet<String>) -> Vec<(usize, NameUse)> {
    let mut found = Vec::new();
    for range in words(source.text) {
        let start = range.start;
        let word = Word { source, range };
        let uses = word.uses(own);
        found.extend(uses.into_iter().map(|it| (start, it)));
    }
    found
}

/// Iterates over the ranges of words, which may contain `::`.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let length = |at: usize| match bytes[at..] {
            [b':', b':', ..] => 2,
            [it, ..] if it == b'_' || it.is_ascii_alphanumeric() => 1,
            _ => 0,
        };
        while at < bytes.len() && length(at) == 0 {
            at += 1;
        }
        let start = at;
        while at < bytes.len() && length(at) > 0 {
            at += length(at);
        }
        (start < at).then_some(start..at)
    })
}

/// A word of a source.
struct Word<'a> {
    source: Source<'a>,
    range: Range<usize>,
}

impl<'a> Word<'a> {
    fn before(&self) -> &'a str {
        &self.source.text[..self.range.start]
    }

    fn after(&self) -> &'a str {
        &self.source.text[self.range.end..]
    }

    fn line_before(&self) -> &'a str {
        self.before().rsplit('\n').next().unwrap_or_default()
    }

    /// Returns the names of definitions of own modules that the word stands for.
    fn uses(&self, own: &BTreeSet<String>) -> Vec<NameUse> {
        let is_data = self.source.language == Language::Data;
        let written = &self.source.text[self.range.clone()];
        let is_type = written.contains(|it: char| it.is_ascii_uppercase());
        let written = written.to_ascii_lowercase();
        let is_own = |name: &str| own.contains(name.split("::").next().unwrap_or_default());
        let is_open = OPEN.iter().any(|it| self.after().starts_with(it));
        if CLOSE.iter().any(|it| self.before().ends_with(it)) && written.contains("::") {
            return self.after_interpolation(written, is_open);
        }
        let name = written.trim_start_matches("::");
        if !is_own(name) {
            return Vec::new();
        }
        let named = NameUse::Name(name.to_owned());
        match name.rsplit_once("::") {
            Some(_) if is_open => vec![NameUse::Start {
                text: name.to_owned(),
                is_type,
            }],
            Some((class, _)) if self.may_be_variable() => {
                vec![named, NameUse::Name(class.to_owned())]
            }
            Some(_) => vec![named],
            None if self.is_quoted() || is_data && self.is_scalar() => vec![named],
            None => Vec::new(),
        }
    }

    /// Returns what a word after an interpolation stands for.
    fn after_interpolation(&self, written: String, is_open: bool) -> Vec<NameUse> {
        let is_puppet = self.source.language == Language::Puppet;
        if is_puppet && self.before().ends_with(MODULE_NAME) {
            let name = format!("{}{written}", self.source.module);
            return vec![match is_open {
                true => NameUse::Start {
                    text: name,
                    is_type: false,
                },
                false => NameUse::Name(name),
            }];
        }
        if written != "::" {
            return vec![NameUse::Part(written)];
        }
        let line = self.line_before();
        let mut functions = KnownFunction::ALL.iter();
        let names_classes = line.contains("class")
            || functions.any(|it| it.names_classes() && line.contains(it.name()));
        match is_open && names_classes {
            true => vec![NameUse::AnyClass],
            false => Vec::new(),
        }
    }

    /// Checks whether the word may be a variable of a class.
    fn may_be_variable(&self) -> bool {
        let is_variable = |it: &&str| self.before().ends_with(it);
        self.source.language == Language::Ruby || ["$", "${", "%{"].iter().any(is_variable)
    }

    fn is_quoted(&self) -> bool {
        let is_quote = |it: &char| matches!(it, '\'' | '"');
        let open = self.before().chars().next_back().filter(is_quote);
        open.is_some_and(|it| self.after().starts_with(it))
    }

    /// Checks whether the word is a whole scalar of YAML without quotes.
    fn is_scalar(&self) -> bool {
        let before = self.line_before().trim_end_matches(' ');
        let after = self.after().trim_start_matches([' ', '\r']);
        (before.is_empty() || before.ends_with(['-', ':', '[', ',']))
            && (after.is_empty() || after.starts_with(['\n', ',', ']', '#']))
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, NameUse, Source, scan};

    fn uses(language: Language, text: &str) -> String {
        let own = ["role", "web"].map(str::to_owned).into();
        let source = Source {
            text,
            language,
            module: "web",
        };
        let found = scan(source, &own).into_iter().map(|it| match it.1 {
            NameUse::Name(it) => it,
            NameUse::Start {
                text,
                is_type: true,
            } => format!("type {text}*"),
            NameUse::Start { text, .. } => format!("{text}*"),
            NameUse::Part(it) => format!("*{it}*"),
            NameUse::AnyClass => "*".to_owned(),
        });
        found.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn finds_names_in_code() {
        for (code, expected) in [
            ("include ::Role::a, other::b", "role::a"),
            ("include 'role'", "role"),
            ("$x = role", ""),
            ("\"role::${x}\" 'role::'", "role::*, role::"),
            ("\"role::a_$x\" \"Role::${x}\"", "role::a_*, type role::*"),
            ("\"${x}::a\" \"${x}::a_${y}\"", "*::a*, *::a_*"),
            ("\"${module_name}::a\"", "web::a"),
            ("\"${module_name}::${x}\"", "web::*"),
            ("include \"${x}::${y}\"", "*"),
            ("$a = \"${x}::${y}\"", ""),
            (
                "$role::a::b \"${web::c}\"",
                "role::a::b, role::a, web::c, web",
            ),
        ] {
            assert_eq!(uses(Language::Puppet, code), expected, "{code}");
        }
    }

    #[test]
    fn finds_names_in_data_and_ruby() {
        for (data, expected) in [
            ("classes: [role, 'web']\n", "role, web"),
            ("- role::a\n- role # x\n", "role::a, role"),
            ("a: the role of x\nrole: x\n", ""),
            ("a: role::%{x}\nweb::port: 1", "role::*, web::port"),
        ] {
            assert_eq!(uses(Language::Data, data), expected, "{data}");
        }
        assert_eq!(
            uses(Language::Ruby, "call_function('web::f') role"),
            "web::f, web"
        );
    }
}
