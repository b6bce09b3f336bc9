//! The tree of a pattern, as far as the rules need it: which characters a class has is left out.
//!
//! Nodes live in one list, children before their parents, so that most questions are answered by
//! one walk along the list, without recursion.

/// The place of a node in [`Tree::nodes`].
pub(super) type NodeId = u32;

/// One node of a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// Matches the empty text.
    Empty,
    /// Matches one character: a literal, if it is given; or a class, a shorthand, the dot.
    Char(Option<char>),
    /// Matches at a place. `text_end`: `\z` or `\Z`, which a look-behind may not hold.
    Anchor { text_end: bool },
    /// One after the other.
    List(Children),
    /// One of several.
    Alternatives(Children),
    /// A quantifier; `upper` is `None` where it is unbounded.
    Repeat {
        target: NodeId,
        lower: u32,
        upper: Option<u32>,
    },
    /// A group that captures, unless it lacks a name and others have one; or the whole pattern.
    Capture { target: NodeId, named: bool },
    /// `(?>…)`, a possessive quantifier, `\R`, `\X`.
    Atomic(NodeId),
    /// `(?~…)`
    Absent(NodeId),
    /// `(?i:…)`, or what `(?i)` applies to.
    Options(NodeId),
    /// `(?(1)…|…)`; the target has two alternatives.
    Condition(NodeId),
    /// Look-ahead and look-behind.
    Look {
        target: NodeId,
        behind: bool,
        negative: bool,
    },
    /// Matches what the group captured. `open`: the reference may stand inside that group.
    Backref { group: u32, open: bool },
    /// `\g<…>`, the index of an element of [`Tree::calls`].
    Call(u32),
}

/// A stretch of [`Tree::children`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Children {
    start: u32,
    count: u32,
}

impl Children {
    /// How many there are.
    pub(super) fn len(self) -> usize {
        self.count as usize
    }
}

/// What a call names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callee {
    /// A group by its number, 0 being the whole pattern.
    Number(u32),
    /// All groups of a name: the index of an element of [`Tree::names`].
    Name(usize),
    /// A name that no group has.
    Unknown,
}

/// A reference to a group that can only be judged when the whole pattern is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    /// Bytes from the start of the source.
    pub(super) offset: usize,
    pub(super) group: u32,
    /// Whether it may stand beside named groups.
    pub(super) by_name: bool,
}

/// A parsed pattern.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) children: Vec<NodeId>,
    /// The nodes of the groups by number; at 0 the whole pattern.
    pub(super) groups: Vec<NodeId>,
    /// How many of the groups have a name of their own.
    pub(super) named_groups: u32,
    /// For each name the groups that have it.
    pub(super) names: Vec<Vec<u32>>,
    /// The calls with the offset of each.
    pub(super) calls: Vec<(usize, Callee)>,
    pub(super) backrefs: Vec<Reference>,
    pub(super) conditions: Vec<Reference>,
    /// The look-behinds with the offset of each, inner ones first.
    pub(super) look_behinds: Vec<(usize, NodeId)>,
}

impl Tree {
    /// How many groups there are, without the whole pattern.
    pub(super) fn group_total(&self) -> u32 {
        self.groups.len().saturating_sub(1) as u32
    }

    /// How many groups capture.
    pub(super) fn capture_count(&self) -> usize {
        if self.named_groups > 0 {
            self.named_groups as usize
        } else {
            self.group_total() as usize
        }
    }

    pub(super) fn node(&self, id: NodeId) -> Node {
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

    pub(super) fn slice(&self, children: Children) -> &[NodeId] {
        let start = children.start as usize;
        let end = start + children.count as usize;
        self.children.get(start..end).unwrap_or_default()
    }

    /// The children of a node. A call has none.
    pub(super) fn children_of<'a>(&'a self, node: &'a Node) -> &'a [NodeId] {
        match node {
            Node::Empty
            | Node::Char(_)
            | Node::Anchor { .. }
            | Node::Backref { .. }
            | Node::Call(_) => &[],
            Node::List(children) | Node::Alternatives(children) => self.slice(*children),
            Node::Repeat { target, .. }
            | Node::Capture { target, .. }
            | Node::Look { target, .. }
            | Node::Atomic(target)
            | Node::Absent(target)
            | Node::Options(target)
            | Node::Condition(target) => std::slice::from_ref(target),
        }
    }
}
