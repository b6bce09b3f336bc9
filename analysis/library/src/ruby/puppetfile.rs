//! `Puppetfile`: a DSL written in Ruby.

use syntax::TextRange;
use tree_sitter::Node;

use super::source::{Source, children, visit};

/// A parsed `Puppetfile`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Puppetfile {
    /// The first syntax error.
    pub broken: Option<TextRange>,
    /// The top-level calls, in source order.
    pub calls: Vec<Call>,
    /// Whether there is other code, with unknown effects.
    pub has_code: bool,
}

/// A call of the DSL.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The name of the method.
    pub name: String,
    /// The range of the name.
    pub name_range: TextRange,
    /// The arguments that are plain strings, with their positions.
    pub texts: Vec<(usize, String, TextRange)>,
    /// The keys of options.
    pub options: Vec<ModuleOption>,
    /// The strings in a row without commas, which Ruby joins to one.
    pub joined: Vec<[TextRange; 2]>,
    /// The number of arguments.
    pub count: usize,
}

/// An option of a module, such as `git: 'https://…'`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleOption {
    /// The name, without the colon or the quotes.
    pub name: String,
    /// The range of the key as it is written.
    pub range: TextRange,
    /// Whether the key is a string rather than a symbol.
    pub is_string: bool,
}

impl Call {
    /// Returns the argument at a position if it is a plain string.
    pub fn text(&self, position: usize) -> Option<(&str, TextRange)> {
        let found = self.texts.iter().find(|it| it.0 == position)?;
        Some((&found.1, found.2))
    }
}

/// Parses a `Puppetfile`; returns `None` if it is too large or too broken.
pub fn puppetfile(text: &str) -> Option<Puppetfile> {
    let source = Source::parse(text)?;
    let root = source.root();
    let mut file = Puppetfile::default();
    if root.has_error() {
        visit(root, |node| {
            if file.broken.is_none() && (node.is_error() || node.is_missing()) {
                file.broken = Some(source.range_of(node));
            }
            file.broken.is_none()
        });
        return Some(file);
    }
    for statement in children(root) {
        match call(&source, statement) {
            Some(call) => file.calls.push(call),
            None => file.has_code |= statement.kind() != "comment",
        }
    }
    Some(file)
}

fn call(source: &Source<'_>, node: Node<'_>) -> Option<Call> {
    if node.kind() != "call" || node.child_by_field_name("receiver").is_some() {
        return None;
    }
    let name = node.child_by_field_name("method")?;
    let arguments = node.child_by_field_name("arguments")?;
    let arguments = children(arguments);
    let texts = arguments.iter().enumerate().filter_map(|(index, it)| {
        let text = plain_text(source, *it)?;
        Some((index, text, source.range_of(*it)))
    });
    Some(Call {
        name: source.text_of(name).to_owned(),
        name_range: source.range_of(name),
        texts: texts.collect(),
        options: options(source, &arguments),
        joined: arguments
            .iter()
            .filter_map(|it| joined(source, *it))
            .collect(),
        count: arguments.len(),
    })
}

/// Returns the options among the arguments of a call, with or without braces.
fn options(source: &Source<'_>, arguments: &[Node<'_>]) -> Vec<ModuleOption> {
    let entries = arguments.iter().flat_map(|it| match it.kind() {
        "hash" => children(*it),
        _ => vec![*it],
    });
    let keys = entries
        .filter(|it| it.kind() == "pair")
        .filter_map(|it| it.child_by_field_name("key"));
    let option = |key: Node<'_>| {
        let (name, is_string) = match key.kind() {
            "hash_key_symbol" => (source.text_of(key).to_owned(), false),
            "simple_symbol" => (
                source.text_of(key).trim_start_matches(':').to_owned(),
                false,
            ),
            _ => (plain_text(source, key)?, true),
        };
        Some(ModuleOption {
            name,
            range: source.range_of(key),
            is_string,
        })
    };
    keys.filter_map(option).collect()
}

/// Returns the first two of several strings in a row.
fn joined(source: &Source<'_>, node: Node<'_>) -> Option<[TextRange; 2]> {
    let strings = match node.kind() {
        "chained_string" => children(node),
        _ => return None,
    };
    let [first, second, ..] = strings.as_slice() else {
        return None;
    };
    Some([source.range_of(*first), source.range_of(*second)])
}

/// Returns the value of a string literal without escapes or interpolation.
fn plain_text(source: &Source<'_>, node: Node<'_>) -> Option<String> {
    if node.kind() != "string" {
        return None;
    }
    match children(node).as_slice() {
        [] => Some(String::new()),
        [it] if it.kind() == "string_content" => Some(source.text_of(*it).to_owned()),
        _ => None,
    }
}
