//! The text of a Ruby file with its tree, and what is found in it once: heredocs, constants,
//! methods and modules.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use syntax::TextRange;
use tree_sitter::{Language, Node, ParseOptions, Parser, Tree};

use super::MAX_BYTES;

/// How many times the parser may report that it is still at work (it does so every hundred
/// steps), for each 1024 bytes and at least. Real files need up to 20 for each.
const REPORTS_PER_KIB: usize = 100;
const REPORTS_AT_LEAST: usize = 2000;
/// How long parsing may take. Steps do not tell all: the longer a row of unclosed literals, the
/// longer each of them takes.
const TIME: Duration = Duration::from_secs(2);

thread_local! {
    /// Kept, as it keeps the memory that it works with.
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// A text and its tree.
pub(super) struct Source<'a> {
    text: &'a str,
    tree: Tree,
}

impl<'a> Source<'a> {
    /// Parses a text; nothing if it is too large, or so broken that parsing takes too long.
    pub(super) fn parse(text: &'a str) -> Option<Source<'a>> {
        if text.len() > MAX_BYTES {
            return None;
        }
        PARSER.with_borrow_mut(|parser| Source::parse_with(parser, text))
    }

    fn parse_with(parser: &mut Parser, text: &'a str) -> Option<Source<'a>> {
        // One that gave up goes on where it was unless it is told not to.
        parser.reset();
        parser
            .set_language(&tree_sitter_ruby::LANGUAGE.into())
            .ok()?;
        let started = Instant::now();
        let mut left = REPORTS_AT_LEAST + text.len() / 1024 * REPORTS_PER_KIB;
        let mut progress = |_: &_| {
            left = left.saturating_sub(1);
            if left == 0 || started.elapsed() > TIME {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let tree = parser.parse_with_options(
            &mut |at, _| text.as_bytes().get(at..).unwrap_or_default(),
            None,
            Some(options),
        )?;
        Some(Source { text, tree })
    }

    /// The same for a text that has one of some words; others need no parsing.
    pub(super) fn with_words(text: &'a str, words: &[&str]) -> Option<Source<'a>> {
        let has_word = words.iter().any(|it| text.contains(it));
        has_word.then(|| Source::parse(text)).flatten()
    }

    /// All of the text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// The node of the whole file.
    pub(super) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// The text of a node.
    pub(super) fn text_of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The place of a node.
    pub(super) fn range_of(&self, node: Node<'_>) -> TextRange {
        range(node.start_byte(), node.end_byte())
    }
}

/// A range of bytes of a text that is not larger than [`MAX_BYTES`].
pub(super) fn range(start: usize, end: usize) -> TextRange {
    let at = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    TextRange::new(at(start).into(), at(end.max(start)).into())
}

/// The children with a name of their own.
pub(super) fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .filter(|it| it.is_named())
        .collect()
}

/// Visits a node and everything in it, the outer before the inner. Goes into a node only if
/// `visit` says so.
pub(super) fn visit<'t>(node: Node<'t>, mut visit: impl FnMut(Node<'t>) -> bool) {
    let mut cursor = node.walk();
    loop {
        if visit(cursor.node()) && cursor.goto_first_child() {
            continue;
        }
        // A cursor never leaves the node that it was made for.
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// So many modules are known by name.
const MODULES: usize = 200;
/// So deep is looked for what a module stands in.
const MODULE_DEPTH: usize = 12;

/// The name of a module with those of the modules and classes around it.
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

/// What can be referred to from anywhere in the file.
#[derive(Default)]
pub(super) struct Survey<'t> {
    heredocs: FxHashMap<usize, Node<'t>>,
    /// The value of each constant, by its last name; nothing if it has several or is changed.
    constants: FxHashMap<&'t str, Option<Node<'t>>>,
    /// Methods of classes (`def self.x`).
    class_methods: FxHashMap<&'t str, Node<'t>>,
    /// Modules by their full name, of which there may be several parts.
    modules: Vec<(String, Node<'t>)>,
}

/// The kinds of nodes that a survey looks at.
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

/// Whether a node is of the kinds that assign, change or define something. The name of a kind is a string to be measured: with that for
/// all nodes, looking through them would be most of the work.
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

/// Whether the first part of a node is a constant.
fn starts_with_constant(node: Node<'_>) -> bool {
    let first = node.child(0).map(|it| it.kind());
    matches!(first, Some("constant" | "scope_resolution"))
}

/// Methods that change what they are called on.
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
    /// Looks through a source once.
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
        // Bodies follow in the order of their beginnings; should heredocs stand inside of each
        // other, the tags tell.
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

    /// A call that changes a constant.
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

    /// The body of the heredoc that begins at a node.
    pub(super) fn heredoc(&self, beginning: Node<'_>) -> Option<Node<'t>> {
        self.heredocs.get(&beginning.start_byte()).copied()
    }

    /// What a constant is set to, if it is known.
    pub(super) fn constant(&self, name: &str) -> Option<Node<'t>> {
        self.constants.get(last_name(name)).copied().flatten()
    }

    /// A method that classes of this file define for themselves.
    pub(super) fn class_method(&self, name: &str) -> Option<Node<'t>> {
        self.class_methods.get(name).copied()
    }

    /// The parts of a module of this file, whose name may lack its start.
    pub(super) fn module(&self, name: &str) -> Vec<Node<'t>> {
        let name = name.trim_start_matches("::");
        let is_it = |full: &str| {
            let start = full.strip_suffix(name);
            start.is_some_and(|it| it.is_empty() || it.ends_with("::"))
        };
        let found = self.modules.iter().filter(|(full, _)| is_it(full));
        found.map(|(_, node)| *node).collect()
    }

    /// Adds the methods of a module to those that can be called.
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
