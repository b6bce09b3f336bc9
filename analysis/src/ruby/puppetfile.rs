//! `Puppetfile`: calls of a language of its own, written in Ruby.

use syntax::TextRange;
use tree_sitter::Node;

use super::source::{Source, children, visit};

/// What a `Puppetfile` says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Puppetfile {
    /// The first place that is no Ruby.
    pub(crate) broken: Option<TextRange>,
    /// The calls that stand by themselves, in order.
    pub(crate) calls: Vec<Call>,
    /// Whether there is other code, which may do anything.
    pub(crate) has_code: bool,
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Call {
    /// What is called.
    pub(crate) name: String,
    /// Where that stands.
    pub(crate) name_range: TextRange,
    /// The arguments that are plain texts, by their positions.
    pub(crate) texts: Vec<(usize, String, TextRange)>,
    /// How many arguments there are.
    pub(crate) count: usize,
}

impl Call {
    /// An argument, if it is a plain text.
    pub(crate) fn text(&self, position: usize) -> Option<(&str, TextRange)> {
        let found = self.texts.iter().find(|it| it.0 == position)?;
        Some((&found.1, found.2))
    }
}

/// Reads a text; nothing if it is too large or too broken.
pub(crate) fn puppetfile(text: &str) -> Option<Puppetfile> {
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
        count: arguments.len(),
    })
}

/// A text in quotes without anything that would have to be worked out.
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
