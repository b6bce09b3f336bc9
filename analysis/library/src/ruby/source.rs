//! The source and tree of a Ruby file, with an index of its heredocs, constants, methods and
//! modules.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use syntax::TextRange;
use tree_sitter::{Language, Node, ParseOptions, Parser, Tree};

use super::MAX_BYTES;

/// Limits on the number of progress reports of the parser (one for every hundred steps): per 1024
/// bytes, and a minimum. Real files need up to 20 per 1024 bytes.
const REPORTS_PER_KIB: usize = 100;
const REPORTS_AT_LEAST: usize = 2000;
/// The time limit for parsing. Steps alone do not bound the time: in a long row of unclosed
/// literals, each one takes longer than the last.
const TIME: Duration = Duration::from_secs(2);

/// The maximum length of the identifier of a heredoc, in characters. The scanner of tree-sitter-ruby keeps the length
/// in a byte, and aborts the process if it does not fit.
const MAX_HEREDOC_IDENTIFIER: usize = 100;

thread_local! {
    /// A parser for each thread, reused to keep its buffers.
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// The source of a file and its tree.
pub(super) struct Source<'a> {
    text: &'a str,
    tree: Tree,
}

impl<'a> Source<'a> {
    /// Parses a file; returns `None` if it is too large, or parsing exceeds a limit.
    pub(super) fn parse(text: &'a str) -> Option<Source<'a>> {
        if text.len() > MAX_BYTES {
            return None;
        }
        PARSER.with_borrow_mut(|parser| Source::parse_with(parser, text))
    }

    fn parse_with(parser: &mut Parser, text: &'a str) -> Option<Source<'a>> {
        // Without a reset, a parser that was cancelled resumes where it stopped.
        parser.reset();
        parser
            .set_language(&tree_sitter_ruby::LANGUAGE.into())
            .ok()?;
        let started = Instant::now();
        let mut left = REPORTS_AT_LEAST + text.len() / 1024 * REPORTS_PER_KIB;
        let mut progress = |_: &_| {
            left = left.saturating_sub(1);
            syntax::count_steps(1);
            if left == 0 || started.elapsed() > TIME {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let parsed = without_long_heredocs(text);
        let options = ParseOptions::new().progress_callback(&mut progress);
        let tree = parser.parse_with_options(
            &mut |at, _| parsed.as_bytes().get(at..).unwrap_or_default(),
            None,
            Some(options),
        )?;
        Some(Source { text, tree })
    }

    /// Like [`Self::parse`], but only if the source contains one of the words.
    pub(super) fn with_words(text: &'a str, words: &[&str]) -> Option<Source<'a>> {
        let has_word = words.iter().any(|it| text.contains(it));
        has_word.then(|| Source::parse(text)).flatten()
    }

    /// Returns the whole source.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the root node.
    pub(super) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// Returns the source of a node.
    pub(super) fn text_of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Returns the id of the named nodes of a kind, which takes less time to compare than its name.
    pub(super) fn kind_id(&self, kind: &str) -> u16 {
        self.tree.language().id_for_node_kind(kind, true)
    }

    /// Returns the range of a node.
    pub(super) fn range_of(&self, node: Node<'_>) -> TextRange {
        range(node.start_byte(), node.end_byte())
    }
}

/// Replaces `<<` before long identifiers of heredocs, or strings that may be one, by an operator of the same length.
fn without_long_heredocs(text: &str) -> Cow<'_, str> {
    // In `<<<`, the last two count too.
    let pairs = text.as_bytes().windows(2).enumerate();
    let starts = pairs.filter(|it| it.1 == b"<<").map(|it| it.0);
    let long: Vec<usize> = starts
        .filter(|it| has_long_identifier(&text[it + 2..]))
        .collect();
    if long.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut text = text.to_owned();
    for start in long {
        text.replace_range(start..start + 2, "< ");
    }
    Cow::Owned(text)
}

/// Checks whether what follows `<<` is an identifier, or a string, of more characters than allowed.
fn has_long_identifier(rest: &str) -> bool {
    let rest = rest.strip_prefix(['-', '~']).unwrap_or(rest);
    let quote = rest.chars().next().filter(|it| "'\"`".contains(*it));
    let is_part = |it: &char| match quote {
        Some(quote) => *it != quote,
        None => it.is_alphanumeric() || *it == '_',
    };
    let content = rest.chars().skip(usize::from(quote.is_some()));
    content
        .take(MAX_HEREDOC_IDENTIFIER + 1)
        .take_while(is_part)
        .count()
        > MAX_HEREDOC_IDENTIFIER
}

/// Converts byte offsets; the source is never larger than [`MAX_BYTES`].
pub(super) fn range(start: usize, end: usize) -> TextRange {
    let at = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    TextRange::new(at(start).into(), at(end.max(start)).into())
}

/// Returns the named children.
pub(super) fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .filter(|it| it.is_named())
        .collect()
}

/// Visits a node and its descendants in preorder. Descends into a node only if `visit` returns
/// true.
pub(super) fn visit<'t>(node: Node<'t>, mut visit: impl FnMut(Node<'t>) -> bool) {
    let mut cursor = node.walk();
    loop {
        if visit(cursor.node()) && cursor.goto_first_child() {
            continue;
        }
        // A cursor never leaves the node that it was created for.
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// The maximum number of modules in the index.
const MODULES: usize = 200;
/// The maximum number of enclosing modules in a name.
const MODULE_DEPTH: usize = 12;

/// Returns the qualified name of a module.
fn full_name(source: &Source<'_>, module: Node<'_>) -> String {
    let mut names = Vec::new();
    let mut around = Some(module);
    while let Some(node) = around
        && names.len() < MODULE_DEPTH
    {
        if matches!(node.kind(), "module" | "class") {
            let name = node.child_by_field_name("name");
            names.push(name.map_or("", |it| source.text_of(it)));
        }
        around = node.parent();
    }
    names.reverse();
    names.join("::")
}

/// The index of a file: definitions that can be referenced from anywhere in it.
#[derive(Default)]
pub(super) struct Survey<'t> {
    heredocs: FxHashMap<usize, Node<'t>>,
    /// The value of each constant, by the last segment of its name; `None` if it is reassigned or
    /// mutated.
    constants: FxHashMap<&'t str, Option<Node<'t>>>,
    /// Class methods (`def self.x`).
    class_methods: FxHashMap<&'t str, Node<'t>>,
    /// Modules by qualified name; a module may be reopened.
    modules: Vec<(String, Node<'t>)>,
}

/// The kinds of nodes that are indexed.
const SURVEYED: [&str; 8] = [
    "heredoc_beginning",
    "heredoc_body",
    "assignment",
    "operator_assignment",
    "singleton_method",
    "module",
    "call",
    "binary",
];

/// Checks whether the node assigns, mutates or defines something. Compares kind ids, because
/// comparing the names of the kinds of all nodes would dominate the cost of the traversal.
pub(super) fn is_surveyed(node: Node<'_>) -> bool {
    static IDS: LazyLock<Vec<u16>> = LazyLock::new(|| {
        let language = Language::from(tree_sitter_ruby::LANGUAGE);
        let ids = SURVEYED
            .iter()
            .map(|it| language.id_for_node_kind(it, true));
        ids.collect()
    });
    IDS.contains(&node.kind_id())
}

/// Checks whether the first child of a node is a constant.
fn starts_with_constant(node: Node<'_>) -> bool {
    let first = node.child(0).map(|it| it.kind());
    matches!(first, Some("constant" | "scope_resolution"))
}

/// Methods that mutate their receiver.
pub(super) const MUTATORS: [&str; 18] = [
    "<<",
    "[]=",
    "append",
    "clear",
    "concat",
    "delete",
    "delete_at",
    "delete_if",
    "fill",
    "insert",
    "merge!",
    "pop",
    "prepend",
    "push",
    "replace",
    "shift",
    "store",
    "unshift",
];

impl<'t> Survey<'t> {
    /// Builds the index of a file.
    pub(super) fn of(source: &'t Source<'_>) -> Survey<'t> {
        let mut survey = Survey::default();
        let (mut beginnings, mut bodies) = (Vec::new(), Vec::new());
        visit(source.root(), |node| {
            if !is_surveyed(node) {
                return true;
            }
            match node.kind() {
                "heredoc_beginning" => beginnings.push(node),
                "heredoc_body" => bodies.push(node),
                "assignment" | "operator_assignment" => survey.assignment(source, node),
                "singleton_method" => {
                    if let Some(name) = node.child_by_field_name("name") {
                        survey.class_methods.insert(source.text_of(name), node);
                    }
                }
                "module" if survey.modules.len() < MODULES => {
                    survey.modules.push((full_name(source, node), node));
                }
                "call" | "binary" if starts_with_constant(node) => survey.change(source, node),
                _ => {}
            }
            true
        });
        // Bodies are in the order of their openings; the check of the tag guards against nested
        // heredocs.
        for (beginning, body) in beginnings.into_iter().zip(bodies) {
            let tag = super::literals::heredoc_tag(source.text_of(beginning));
            let end = children(body)
                .into_iter()
                .rfind(|it| it.kind() == "heredoc_end");
            if end.is_some_and(|it| source.text_of(it).trim() == tag) {
                survey.heredocs.insert(beginning.start_byte(), body);
            }
        }
        survey
    }

    fn assignment(&mut self, source: &'t Source<'_>, node: Node<'t>) {
        let Some(left) = node.child_by_field_name("left") else {
            return;
        };
        match left.kind() {
            "constant" | "scope_resolution" => {
                let name = last_name(source.text_of(left));
                match node.child_by_field_name("right") {
                    Some(right) if node.kind() == "assignment" => {
                        insert_once(&mut self.constants, name, right);
                    }
                    _ => drop(self.constants.insert(name, None)),
                }
            }
            "element_reference" => self.changed(source, left.child_by_field_name("object")),
            _ => {}
        }
    }

    /// Records a call that mutates a constant.
    fn change(&mut self, source: &'t Source<'_>, node: Node<'t>) {
        let (on, how) = match node.kind() {
            "call" => ("receiver", "method"),
            _ => ("left", "operator"),
        };
        let on = node.child_by_field_name(on);
        let how = node
            .child_by_field_name(how)
            .map_or("", |it| source.text_of(it));
        if MUTATORS.contains(&how) || how.ends_with('!') && how != "!" {
            self.changed(source, on);
        }
    }

    fn changed(&mut self, source: &'t Source<'_>, what: Option<Node<'t>>) {
        let constant = what.filter(|it| matches!(it.kind(), "constant" | "scope_resolution"));
        if let Some(constant) = constant {
            self.constants
                .insert(last_name(source.text_of(constant)), None);
        }
    }

    /// Returns the body of the heredoc that starts at a node.
    pub(super) fn heredoc(&self, beginning: Node<'_>) -> Option<Node<'t>> {
        self.heredocs.get(&beginning.start_byte()).copied()
    }

    /// Returns the expression assigned to a constant, if it is unambiguous.
    pub(super) fn constant(&self, name: &str) -> Option<Node<'t>> {
        self.constants.get(last_name(name)).copied().flatten()
    }

    /// Looks up a class method of this file.
    pub(super) fn class_method(&self, name: &str) -> Option<Node<'t>> {
        self.class_methods.get(name).copied()
    }

    /// Returns the parts of a module of this file; the name may omit leading segments.
    pub(super) fn module(&self, name: &str) -> Vec<Node<'t>> {
        let name = name.trim_start_matches("::");
        let is_it = |full: &str| {
            let start = full.strip_suffix(name);
            start.is_some_and(|it| it.is_empty() || it.ends_with("::"))
        };
        let found = self.modules.iter().filter(|(full, _)| is_it(full));
        found.map(|(_, node)| *node).collect()
    }

    /// Makes the methods of a module callable as class methods.
    pub(super) fn extend(&mut self, source: &Source<'t>, module: Node<'t>) {
        let body = module.child_by_field_name("body").map(children);
        for method in body
            .into_iter()
            .flatten()
            .filter(|it| it.kind() == "method")
        {
            if let Some(name) = method.child_by_field_name("name") {
                self.class_methods.insert(source.text_of(name), method);
            }
        }
    }
}

fn insert_once<'t>(map: &mut FxHashMap<&'t str, Option<Node<'t>>>, name: &'t str, node: Node<'t>) {
    map.entry(name)
        .and_modify(|it| *it = None)
        .or_insert(Some(node));
}

/// `C` of `A::B::C`.
pub(super) fn last_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path).trim()
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn long_identifiers_of_heredocs_do_not_abort() {
        for length in [10, 99, 254, 255, 256, 300, 600, 1100] {
            let word = "A".repeat(length);
            for start in ["<<", "<<-", "<<~", "<<<"] {
                for quote in ["", "'", "\"", "`"] {
                    let text = format!("x = {start}{quote}{word}{quote}\na\n{word}\ny = 1\n");
                    let source = Source::parse(&text).expect("the source is parsed");
                    assert_eq!(source.root().byte_range().end, text.len(), "{text}");
                }
            }
        }
    }
}
