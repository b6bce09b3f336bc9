//! The tree of a pattern, reduced to the needs of the rules: the members of classes are omitted.
//!
//! Nodes are stored in one list, children before parents, so that most properties can be computed
//! by one pass over the list, without recursion.

/// The index of a node in [`Tree::nodes`].
pub(super) type NodeId = u32;

/// One node of a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// Matches the empty string.
    Empty,
    /// Matches one character: the given literal; or a class, a shorthand, the dot.
    Char(Option<char>),
    /// Matches a position. `text_end`: `\z` or `\Z`, which a look-behind must not contain.
    Anchor { text_end: bool },
    /// A sequence.
    List(Children),
    /// Alternatives.
    Alternatives(Children),
    /// A quantifier; `upper` is `None` if it is unbounded.
    Repeat {
        target: NodeId,
        lower: u32,
        upper: Option<u32>,
    },
    /// A capture group, which is inactive if it is unnamed and others are named; or the whole
    /// pattern.
    Capture { target: NodeId, named: bool },
    /// `(?>…)`, a possessive quantifier, `\R`, `\X`.
    Atomic(NodeId),
    /// `(?~…)`
    Absent(NodeId),
    /// `(?i:…)`, or the scope of `(?i)`.
    Options(NodeId),
    /// `(?(1)…|…)`; the target has two alternatives.
    Condition(NodeId),
    /// Look-ahead and look-behind.
    Look {
        target: NodeId,
        behind: bool,
        negative: bool,
    },
    /// Matches the capture of a group. `open`: the reference may be inside of that group.
    Backref { group: u32, open: bool },
    /// `\g<…>`, the index of an element of [`Tree::calls`].
    Call(u32),
}

/// A range of [`Tree::children`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Children {
    start: u32,
    count: u32,
}

impl Children {
    pub(super) fn len(self) -> usize {
        self.count as usize
    }
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
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) children: Vec<NodeId>,
    /// The nodes of the groups by number; 0 is the whole pattern.
    pub(super) groups: Vec<NodeId>,
    /// The number of named groups.
    pub(super) named_groups: u32,
    /// The groups of each name.
    pub(super) names: Vec<Vec<u32>>,
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

    /// Returns the number of groups that capture.
    pub(super) fn capture_count(&self) -> usize {
        if self.named_groups > 0 {
            self.named_groups as usize
        } else {
            self.group_total() as usize
        }
    }

    pub(super) fn node(&self, id: NodeId) -> Node {
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

    pub(super) fn slice(&self, children: Children) -> &[NodeId] {
        crate::steps::count_steps(1);
        let start = children.start as usize;
        let end = start + children.count as usize;
        self.children.get(start..end).unwrap_or_default()
    }

    /// Returns the children of a node; none for a call.
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
