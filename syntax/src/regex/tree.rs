//! The tree of a pattern.
//!
//! Nodes are stored in one list, children before parents, so that most properties can be computed
//! by one pass over the list, without recursion.
//!
//! The tree has what decides what a pattern matches: comments, option `x` with its whitespace, groups
//! that do not capture and the spelling of literals are gone.

/// The index of a node of a [`Tree`].
pub type NodeId = u32;

/// One node of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Matches the empty string.
    Empty,
    /// A literal character.
    Char(char),
    /// `.`
    Dot,
    /// A set of characters outside of a class, such as `\d` or `\p{Alpha}`.
    Set(CharSet),
    /// `[…]`
    Class(Class),
    /// Matches a position.
    Anchor(Anchor),
    /// `\R`
    LineBreak,
    /// `\X`
    Grapheme,
    /// A sequence.
    List(Children),
    /// Alternatives.
    Alternatives(Children),
    /// A quantifier. A possessive one is in an [`Atomic`](Node::Atomic) node.
    Repeat {
        /// The repeated node.
        target: NodeId,
        /// The minimum count.
        lower: u32,
        /// The maximum count; `None` if it is unlimited.
        upper: Option<u32>,
        /// Whether it matches as few as possible.
        lazy: bool,
    },
    /// A group of parentheses without `?`, or with a name; or the whole pattern.
    Capture {
        /// The contents.
        target: NodeId,
        /// The number of the group: 0 is the whole pattern. See [`Tree::captures`].
        group: u32,
        /// The index of its name in [`Tree::names`].
        name: Option<u32>,
    },
    /// `(?>…)`, or a possessive quantifier.
    Atomic(NodeId),
    /// `(?~…)`
    Absent(NodeId),
    /// `(?i:…)`, or the scope of `(?i)`.
    Options {
        /// The contents.
        target: NodeId,
        /// The options that change.
        options: Options,
    },
    /// `(?(1)…|…)`; the target has two alternatives.
    Condition(NodeId),
    /// Look-ahead and look-behind.
    Look {
        /// The contents.
        target: NodeId,
        /// Whether it is a look-behind.
        behind: bool,
        /// Whether the contents must not match.
        negative: bool,
    },
    /// Matches the capture of a group.
    Backref(Backref),
    /// `\g<…>`, by the number of the call.
    Call(u32),
}

/// A reference to the capture of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backref {
    /// The number of the group; the first one if several have the name.
    pub group: u32,
    /// Whether the reference may be inside of the group.
    pub is_open: bool,
    /// Whether it is by name.
    pub by_name: bool,
    /// Whether it has a level of recursion, as in `\k<name+1>`.
    pub has_level: bool,
}

/// A position that an anchor matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// `^`
    LineStart,
    /// `$`
    LineEnd,
    /// `\A`
    TextStart,
    /// `\z`
    TextEnd,
    /// `\Z`
    LastLineEnd,
    /// `\b`
    WordBoundary,
    /// `\B`
    NoWordBoundary,
    /// `\G`
    SearchStart,
    /// `\K`, which moves the start of the match.
    Keep,
}

/// A predefined set of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharSet {
    /// The characters.
    pub kind: CharSetKind,
    /// Whether it has all other characters instead.
    pub negated: bool,
}

/// The characters of a [`CharSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharSetKind {
    /// `\d`
    Digit,
    /// `\w`
    Word,
    /// `\s`
    Space,
    /// `\h`
    HexDigit,
    /// `[:name:]`
    Posix(&'static str),
    /// `\p{name}`, in lower case without whitespace, hyphens and underscores.
    Property(&'static str),
}

/// The options of a group; `None` for those that it does not change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `i`
    pub ignore_case: Option<bool>,
    /// `m`: whether the dot matches line breaks.
    pub dot_matches_all: Option<bool>,
    /// `d`, `a` or `u`
    pub unicode: Option<UnicodeMode>,
}

/// The extent of sets of characters beyond ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnicodeMode {
    /// `(?d)`: `[:alpha:]` and properties match Unicode, `\w` and the like only ASCII.
    Default,
    /// `(?a)`: all match only ASCII.
    Ascii,
    /// `(?u)`: all match Unicode.
    Unicode,
}

/// The items of a class, for [`Tree::class_items`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    start: u32,
    count: u32,
}

/// An item of a class. Nested classes are not nodes, but between their own brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassItem {
    /// `[` or `[^`
    Open {
        /// Whether the class has all other characters.
        negated: bool,
    },
    /// `]`
    Close,
    /// `&&`
    And,
    /// A character.
    Char(char),
    /// The characters from the first to the second.
    Range(char, char),
    /// A set.
    Set(CharSet),
}

/// A name of groups.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// The groups that have it, by number.
    pub groups: Vec<u32>,
}

/// The children of a node, for [`Tree::children`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Children {
    start: u32,
    count: u32,
}

/// The callee of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callee {
    /// A group by number; 0 is the whole pattern.
    Number(u32),
    /// All groups of a name, as an index into [`Tree::names`].
    Name(usize),
    /// An unknown name.
    Unknown,
}

/// A reference to a group, to be checked when the whole pattern is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    /// The offset in the source, in bytes.
    pub(super) offset: usize,
    pub(super) group: u32,
    /// Whether it is by name, as required in a pattern with named groups.
    pub(super) by_name: bool,
}

/// A parsed pattern.
#[derive(Debug, Default)]
pub struct Tree {
    pub(super) nodes: Vec<Node>,
    children: Vec<NodeId>,
    pub(super) class_items: Vec<ClassItem>,
    /// The nodes of the groups by number; 0 is the whole pattern.
    pub(super) groups: Vec<NodeId>,
    /// The number of named groups.
    pub(super) named_groups: u32,
    pub(super) names: Vec<Name>,
    /// The calls with their offsets.
    pub(super) calls: Vec<(usize, Callee)>,
    pub(super) backrefs: Vec<Reference>,
    pub(super) conditions: Vec<Reference>,
    /// The look-behinds with their offsets, inner ones first.
    pub(super) look_behinds: Vec<(usize, NodeId)>,
}

impl Tree {
    /// Returns the number of groups, not counting the whole pattern.
    pub(super) fn group_total(&self) -> u32 {
        self.groups.len().saturating_sub(1) as u32
    }

    /// Returns the number of capture groups, as Ruby counts them: if any group is named, groups
    /// without a name do not capture.
    pub fn capture_count(&self) -> usize {
        if self.named_groups > 0 {
            self.named_groups as usize
        } else {
            self.group_total() as usize
        }
    }

    /// Checks whether a [`Node::Capture`] captures: it has a name, or no group has one.
    pub fn captures(&self, name: Option<u32>) -> bool {
        name.is_some() || self.named_groups == 0
    }

    /// Returns the node of the whole pattern, which is a [`Node::Capture`].
    pub fn root(&self) -> NodeId {
        self.groups.first().copied().unwrap_or_default()
    }

    /// Returns the names of groups, in the order of their first groups.
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// Returns a node.
    pub fn node(&self, id: NodeId) -> Node {
        crate::steps::count_steps(1);
        self.nodes.get(id as usize).copied().unwrap_or(Node::Empty)
    }

    pub(super) fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeId
    }

    pub(super) fn push_children(&mut self, children: &[NodeId]) -> Children {
        let start = self.children.len() as u32;
        self.children.extend_from_slice(children);
        Children {
            start,
            count: children.len() as u32,
        }
    }

    /// Adds a class with the items from `start` on.
    pub(super) fn push_class(&mut self, start: usize) -> NodeId {
        let count = self.class_items.len() - start;
        self.push(Node::Class(Class {
            start: start as u32,
            count: count as u32,
        }))
    }

    /// Returns the children of a list or of alternatives.
    pub fn children(&self, children: Children) -> &[NodeId] {
        crate::steps::count_steps(1);
        range(&self.children, children.start, children.count)
    }

    /// Returns the items of a class: the first and the last one are its brackets.
    pub fn class_items(&self, class: Class) -> &[ClassItem] {
        range(&self.class_items, class.start, class.count)
    }

    /// Returns the children of a node; none for a call.
    pub(super) fn children_of<'a>(&'a self, node: &'a Node) -> &'a [NodeId] {
        match node {
            Node::Empty
            | Node::Char(_)
            | Node::Dot
            | Node::Set(_)
            | Node::Class(_)
            | Node::Anchor(_)
            | Node::LineBreak
            | Node::Grapheme
            | Node::Backref(_)
            | Node::Call(_) => &[],
            Node::List(children) | Node::Alternatives(children) => self.children(*children),
            Node::Repeat { target, .. }
            | Node::Capture { target, .. }
            | Node::Look { target, .. }
            | Node::Atomic(target)
            | Node::Absent(target)
            | Node::Options { target, .. }
            | Node::Condition(target) => std::slice::from_ref(target),
        }
    }
}

fn range<T>(all: &[T], start: u32, count: u32) -> &[T] {
    let start = start as usize;
    all.get(start..start + count as usize).unwrap_or_default()
}
