//! The effects of functions in Ruby on the catalog. They are not evaluated, so their code is only searched for words.

use base::FileInput;
use hir::resolve::{self, Definition};
use rustc_hash::FxHashSet;
use salsa::Database;

use crate::recovery::is_pure;
use crate::state::Compiler;

/// The words in Ruby code that declares classes or computed resources.
const DECLARING: [&str; 5] = ["catalog", "compiler", "'include'", "_include", "ensure_"];

/// How Ruby code calls a function: `call_function('include', …)`, and `function_include(…)` in code for Puppet 3.
const CALLS: [&str; 2] = ["call_function", "function_"];

/// The effects of the code of a function in Ruby, apart from the functions that it calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RubyFunction {
    /// The types of the resources that it declares; `None` if they are computed, or if it may declare classes.
    pub(crate) types: Option<Vec<String>>,
    /// The functions that it calls; an empty name if one is computed.
    pub(crate) called: Vec<String>,
}

/// Reads the effects of the functions in a Ruby file.
#[salsa::tracked]
pub(crate) fn ruby_function(db: &dyn Database, file: FileInput) -> RubyFunction {
    let text = without_comments(file.text(db).as_deref().unwrap_or_default());
    let declares = DECLARING.iter().any(|it| text.contains(it));
    let types = literal_types(&text).filter(|_| !declares);
    let is_declaration = |it: &str| it.starts_with("create_resource");
    let called = called_functions(&text).filter(|it| !is_declaration(it));
    RubyFunction {
        types: types.map(|it| it.into_iter().map(str::to_owned).collect()),
        called: called.map(str::to_owned).collect(),
    }
}

impl Compiler<'_> {
    /// Checks whether a function certainly declares no classes or resources.
    pub(crate) fn declares_nothing(&self, function: &str) -> bool {
        let mut visited = FxHashSet::default();
        let mut open = vec![function.to_owned()];
        while let Some(name) = open.pop() {
            if is_pure(&name, self.version) || !visited.insert(name.clone()) {
                continue;
            }
            let Some(file) = self.ruby_file(&name) else {
                return false;
            };
            let code = ruby_function(self.db, file);
            if code.types.as_ref().is_none_or(|it| !it.is_empty()) {
                return false;
            }
            open.extend(code.called.iter().cloned());
        }
        true
    }

    /// Returns the file of a function of a module that is written in Ruby.
    fn ruby_file(&self, function: &str) -> Option<FileInput> {
        match resolve::function(self.db, Some(self.environment), function) {
            Ok(Definition::Function(symbol)) => symbol.file(),
            _ => None,
        }
    }
}

/// Returns the names of the functions that Ruby code calls; an empty one if the name is computed.
pub(crate) fn called_functions(text: &str) -> impl Iterator<Item = &str> {
    let calls = CALLS.iter().flat_map(|it| text.match_indices(it));
    calls.map(|(start, found)| {
        let rest = &text[start + found.len()..];
        let rest = rest.trim_start_matches(|it: char| it.is_whitespace() || "('\":".contains(it));
        let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
        let end = rest.find(|it| !is_name(it)).unwrap_or(rest.len());
        &rest[..end]
    })
}

/// Returns Ruby code without the lines that are comments.
fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|it| !it.trim_start().starts_with('#'));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the types of resources that Ruby code declares with `create_resources`; `None` if one is computed.
fn literal_types(text: &str) -> Option<Vec<&str>> {
    fn type_(rest: &str) -> Option<&str> {
        let rest = rest.strip_prefix('s')?.trim_start_matches(['\'', '"']);
        let rest = rest.strip_prefix(", ")?.strip_prefix(['\'', '"'])?;
        let (name, _) = rest.split_once(['\'', '"'])?;
        name.chars().all(is_of_type_name).then_some(name)
    }
    text.split("create_resource").skip(1).map(type_).collect()
}

fn is_of_type_name(it: char) -> bool {
    it.is_ascii_alphanumeric() || matches!(it, '_' | ':')
}

#[cfg(test)]
mod tests {
    use super::{called_functions, literal_types, without_comments};

    #[test]
    fn finds_calls_in_both_notations() {
        let text = "<% scope.call_function('include', ['b']) %><%= scope.function_hiera(['x']) %>\n\
                    <%= scope.call_function(:contain, @x) %> <%= call_function(@name) %>\n\
                    <%= scope.call_function(\n  'm::json',\n  {}) %>";
        let mut found: Vec<_> = called_functions(text).collect();
        found.sort_unstable();
        assert_eq!(found, ["", "contain", "hiera", "include", "m::json"]);
    }

    #[test]
    fn reads_the_types_that_ruby_code_declares() {
        for (text, expected) in [
            (
                "call_function('create_resources', 'ini_setting', all)",
                Some(vec!["ini_setting"]),
            ),
            (
                "a 'create_resources', \"m::d\" b 'create_resources', 'e'",
                Some(vec!["m::d", "e"]),
            ),
            ("call_function('create_resources', type, all)", None),
            ("call_function('create_resources', \"m::#{x}\", all)", None),
            ("function_create_resources([type, all])", None),
            ("", Some(vec![])),
        ] {
            assert_eq!(literal_types(text), expected, "{text}");
        }
    }

    #[test]
    fn comments_of_ruby_code_declare_nothing() {
        let text =
            "# Returns a hash for `create_resources`.\ndef f\n  # See the catalog.\n  'a' # b\nend";
        assert_eq!(without_comments(text), "def f\n  'a' # b\nend");
    }
}
