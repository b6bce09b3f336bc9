//! The regular expressions of node definitions: whether one matches any node, and whether one matches all nodes of
//! another. Puppet compares them with the name in lower case.
//!
//! From `resource/type_collection.rb`: exact names take precedence, then the first expression that matches.

use syntax::regex::{Anchor, CharSetKind, Class, ClassItem, Node, NodeId, Options, Tree, parse};

/// The maximum number of alternatives of an expression.
const MAX_ALTERNATIVES: usize = 64;
/// The maximum number of parts of an alternative.
const MAX_PARTS: usize = 256;
/// The maximum length of an expression, in bytes.
const MAX_SOURCE: usize = 4096;

/// A regular expression as alternatives that a name in lower case may match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NodePattern {
    alternatives: Vec<Alternative>,
}

/// A part of a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Start,
    End,
    Char(char),
    /// A number of characters of any kind.
    Any {
        lower: u32,
        upper: Option<u32>,
    },
    /// Anything else; it may match the empty string or not.
    Other {
        may_be_empty: bool,
    },
}

/// A sequence, and whether it is tied to the start and the end of the name.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Alternative {
    parts: Vec<Part>,
    at_start: bool,
    at_end: bool,
}

impl Part {
    fn may_be_empty(self) -> bool {
        match self {
            Part::Start | Part::End => true,
            Part::Char(_) => false,
            Part::Any { lower, .. } => lower == 0,
            Part::Other { may_be_empty } => may_be_empty,
        }
    }
}

impl NodePattern {
    /// Returns the only name that the expression matches.
    pub(crate) fn only_name(&self) -> Option<String> {
        let [only] = &self.alternatives[..] else {
            return None;
        };
        let parts = only.parts.iter();
        let parts = parts.filter(|it| !matches!(it, Part::Start | Part::End));
        let name = parts.map(|it| match it {
            Part::Char(it) => Some(*it),
            _ => None,
        });
        (only.at_start && only.at_end).then(|| name.collect())?
    }

    /// Reads the source of a regular expression; `None` if it is invalid or too complex.
    pub(crate) fn read(source: &str) -> Option<NodePattern> {
        if source.len() > MAX_SOURCE {
            return None;
        }
        let tree = parse(source).ok()?;
        let sequences = Reader { tree: &tree }.sequences(tree.root(), false)?;
        let alternatives = sequences.into_iter().filter_map(Alternative::new);
        Some(NodePattern {
            alternatives: alternatives.collect(),
        })
    }

    /// Checks whether certainly no name in lower case matches.
    pub(crate) fn never_matches(&self) -> bool {
        self.alternatives.is_empty()
    }

    /// Checks whether certainly every name matches that matches another expression.
    pub(crate) fn covers(&self, other: &NodePattern) -> bool {
        let is_covered = |it: &Alternative| self.alternatives.iter().any(|own| own.covers(it));
        other.alternatives.iter().all(is_covered)
    }

    /// Checks whether certainly every name matches.
    pub(crate) fn matches_all(&self) -> bool {
        self.alternatives.iter().any(Alternative::matches_all)
    }
}

impl Alternative {
    /// Creates an alternative; `None` if no name can match it.
    fn new(parts: Vec<Part>) -> Option<Alternative> {
        let first = parts.iter().position(|it| !it.may_be_empty());
        let last = parts.iter().rposition(|it| !it.may_be_empty());
        let starts_inside = |at: usize| first.is_some_and(|it| it < at);
        let ends_inside = |at: usize| last.is_some_and(|it| it > at);
        let is_impossible = |(at, part): (usize, &Part)| match part {
            Part::Start => starts_inside(at),
            Part::End => ends_inside(at),
            _ => false,
        };
        if parts.iter().enumerate().any(is_impossible) {
            return None;
        }
        let starts = parts.iter().take_while(|it| **it == Part::Start).count();
        let ends = parts[starts..].iter().rev();
        let ends = ends.take_while(|it| **it == Part::End).count();
        Some(Alternative {
            at_start: starts > 0,
            at_end: ends > 0,
            parts: parts[starts..parts.len() - ends].to_vec(),
        })
    }

    /// Checks whether certainly every name matches; names are not empty.
    fn matches_all(&self) -> bool {
        let mut least = 0;
        let mut is_unlimited = !(self.at_start && self.at_end);
        for part in &self.parts {
            let Part::Any { lower, upper } = *part else {
                return false;
            };
            least += lower.min(2);
            is_unlimited |= upper.is_none();
        }
        least <= 1 && is_unlimited
    }

    /// Checks whether certainly every name matches that matches another alternative.
    fn covers(&self, other: &Alternative) -> bool {
        if self.matches_all() {
            return true;
        }
        let (mut parts, mut at_start, mut at_end) = (&self.parts[..], self.at_start, self.at_end);
        let is_optional = |part: &Part, is_tied: bool| match part {
            Part::Any { lower: 0, upper } => upper.is_none() || !is_tied,
            _ => false,
        };
        while let [first, rest @ ..] = parts
            && is_optional(first, at_start)
        {
            (parts, at_start) = (rest, false);
        }
        while let [rest @ .., last] = parts
            && is_optional(last, at_end)
        {
            (parts, at_end) = (rest, false);
        }
        if parts.iter().any(|it| !matches!(it, Part::Char(_))) {
            return false;
        }
        let is_tied = (!at_start || other.at_start) && (!at_end || other.at_end);
        is_tied
            && match (at_start, at_end) {
                (true, true) => other.parts == parts,
                (true, false) => other.parts.starts_with(parts),
                (false, true) => other.parts.ends_with(parts),
                (false, false) => other.parts.windows(parts.len()).any(|it| it == parts),
            }
    }
}

/// The sequences of parts that a node of an expression stands for.
type Sequences = Vec<Vec<Part>>;

struct Reader<'a> {
    tree: &'a Tree,
}

impl Reader<'_> {
    /// Returns the sequences that a name in lower case may match; `None` if there are too many.
    fn sequences(&self, id: NodeId, ignores_case: bool) -> Option<Sequences> {
        let one = |part: Part| vec![vec![part]];
        let unknown = |may_be_empty: bool| one(Part::Other { may_be_empty });
        Some(match self.tree.node(id) {
            Node::Empty => vec![Vec::new()],
            Node::Char(char) if !ignores_case && is_upper_case(char) => Vec::new(),
            // No certificate has a slash in its name, and no host a space.
            Node::Char('/' | ' ' | '\t' | '\n') => Vec::new(),
            Node::Char(char) if !ignores_case || !char.is_alphabetic() => one(Part::Char(char)),
            Node::Char(char) if char.is_ascii() => one(Part::Char(char.to_ascii_lowercase())),
            Node::Dot => one(Part::Any {
                lower: 1,
                upper: Some(1),
            }),
            Node::Class(class) if !ignores_case && self.is_upper_case(class) => Vec::new(),
            Node::Char(_) | Node::Set(_) | Node::Class(_) | Node::LineBreak | Node::Grapheme => {
                unknown(false)
            }
            Node::Anchor(anchor) => match anchor {
                Anchor::LineStart | Anchor::TextStart => one(Part::Start),
                Anchor::LineEnd | Anchor::TextEnd | Anchor::LastLineEnd => one(Part::End),
                _ => unknown(true),
            },
            Node::List(children) => {
                let mut all = vec![Vec::new()];
                for child in self.tree.children(children) {
                    all = joined(&all, &self.sequences(*child, ignores_case)?)?;
                }
                all
            }
            Node::Alternatives(children) => {
                let mut all = Vec::new();
                for child in self.tree.children(children) {
                    all.extend(self.sequences(*child, ignores_case)?);
                }
                (all.len() <= MAX_ALTERNATIVES).then_some(all)?
            }
            Node::Repeat {
                target,
                lower,
                upper,
                ..
            } => return self.repeated(target, (lower, upper), ignores_case),
            Node::Capture { target, .. } => return self.sequences(target, ignores_case),
            Node::Options { target, options } => {
                let Options { ignore_case, .. } = options;
                return self.sequences(target, ignore_case.unwrap_or(ignores_case));
            }
            // An atomic group matches less than its contents.
            Node::Atomic(target) if self.sequences(target, ignores_case)?.is_empty() => Vec::new(),
            Node::Atomic(_)
            | Node::Absent(_)
            | Node::Condition(_)
            | Node::Look { .. }
            | Node::Backref(_)
            | Node::Call(_) => unknown(true),
        })
    }

    fn repeated(
        &self,
        target: NodeId,
        (lower, upper): (u32, Option<u32>),
        ignores_case: bool,
    ) -> Option<Sequences> {
        if matches!(self.tree.node(target), Node::Dot) {
            return Some(vec![vec![Part::Any { lower, upper }]]);
        }
        let mut once = self.sequences(target, ignores_case)?;
        Some(match (lower, upper) {
            (_, Some(0)) => vec![Vec::new()],
            (1, Some(1)) => once,
            (0, Some(1)) => {
                once.push(Vec::new());
                once
            }
            (0, _) if once.is_empty() => vec![Vec::new()],
            (_, _) if once.is_empty() => once,
            _ => {
                let mut each = once.iter();
                let is_empty = |it: &Vec<Part>| it.iter().all(|it| it.may_be_empty());
                let may_be_empty = lower == 0 || each.any(is_empty);
                vec![vec![Part::Other { may_be_empty }]]
            }
        })
    }

    /// Checks whether a class consists of uppercase letters.
    fn is_upper_case(&self, class: Class) -> bool {
        let items = self.tree.class_items(class);
        let [
            ClassItem::Open { negated: false },
            items @ ..,
            ClassItem::Close,
        ] = items
        else {
            return false;
        };
        items.iter().all(|it| match it {
            ClassItem::Char(char) => is_upper_case(*char),
            ClassItem::Range(first, last) => {
                first.is_ascii_uppercase() && last.is_ascii_uppercase()
            }
            ClassItem::Set(set) => set.kind == CharSetKind::Posix("upper") && !set.negated,
            _ => false,
        })
    }
}

/// Checks whether a character is not part of any string in lower case.
fn is_upper_case(char: char) -> bool {
    !char.to_lowercase().eq([char])
}

/// Returns each sequence followed by each other one; `None` if there are too many.
fn joined(first: &Sequences, second: &Sequences) -> Option<Sequences> {
    if first.len() * second.len() > MAX_ALTERNATIVES {
        return None;
    }
    let pairs = first
        .iter()
        .flat_map(|a| second.iter().map(move |b| (a, b)));
    let all: Sequences = pairs.map(|(a, b)| [&a[..], &b[..]].concat()).collect();
    all.iter().all(|it| it.len() <= MAX_PARTS).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::NodePattern;

    fn pattern(source: &str) -> NodePattern {
        NodePattern::read(source).expect(source)
    }

    #[test]
    fn finds_expressions_that_match_no_name() {
        for source in [
            "^WEB",
            "[A-Z]\\d",
            "[[:upper:]]x",
            "web$x",
            "x^web",
            "(?>A)",
            "A+",
            "A|^B",
            "web1 web2",
            "web1/web2",
        ] {
            assert!(pattern(source).never_matches(), "{source}");
        }
        for source in [
            "(?i)^WEB",
            "(?i:W)eb",
            "W?eb",
            "W*",
            "A{0}b",
            "A|b",
            "[A-z]",
            "[^A]",
            "[A-Z&&[^B]]",
            "[^[:upper:]]",
            "\\D",
            "",
            "$",
            "(^|x)a",
            "x*^a",
            "a(?=B)",
            "^$",
            "web1 ?",
            "web1|web2 ",
            "(?x) web1 ",
            "web\\s",
        ] {
            assert!(!pattern(source).never_matches(), "{source}");
        }
    }

    #[test]
    fn finds_expressions_that_match_all_names() {
        for source in [
            "", ".", ".*", "^.*$", "^.+$", "^", "a|.", "(.*)", "\\A.+\\z",
        ] {
            assert!(pattern(source).matches_all(), "{source}");
            assert!(pattern(source).covers(&pattern("x\\d")), "{source}");
        }
        for source in [
            "..", "^.$", "^$", "a", "\\w", "^.{1,5}$", "(?>.*)", "(?!a)", "\\b",
        ] {
            assert!(!pattern(source).matches_all(), "{source}");
        }
    }

    #[test]
    fn finds_expressions_that_cover_others() {
        for (first, second) in [
            ("web", "^web\\d+$"),
            ("^web", "^web-db"),
            ("^web.*", "^web\\d"),
            ("^(web|db)", "^db[12]"),
            ("^web", "^(web1|web2)$"),
            ("\\.org$", "^a\\.b\\.org$"),
            ("^a$", "^a$"),
            ("(?i)WEB", "^web"),
            (".*web", "aweb"),
        ] {
            assert!(pattern(first).covers(&pattern(second)), "{first} {second}");
        }
        for (first, second) in [
            ("^web", "web"),
            ("^web\\d", "^web1"),
            ("^web$", "^web"),
            ("web1", "web"),
            ("\\.org$", "\\.org"),
            ("^web", "^(web1|db)"),
            ("web", "we.*b"),
            ("we.b", "web1"),
            ("^.web", "^aweb"),
            ("web", "w(e)?b"),
        ] {
            assert!(!pattern(first).covers(&pattern(second)), "{first} {second}");
        }
    }
}
