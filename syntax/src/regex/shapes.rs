//! The possible captures of the groups of a pattern, computed in one pass up and one pass down the
//! tree.

use super::tree::{Anchor, Node, NodeId, Tree};

/// The maximum number of strings tracked for a group.
const MAX_TEXTS: usize = 64;
/// The maximum length of a tracked string, in bytes.
const MAX_TEXT: usize = 256;

/// The possible captures of a group in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupShape {
    /// Whether the group participates in every match.
    pub always: bool,
    /// The minimum number of characters.
    pub min: u64,
    /// The maximum number of characters; `None` if unlimited.
    pub max: Option<u64>,
    /// All possible strings, if they are few and certain.
    pub texts: Option<Vec<String>>,
}

impl GroupShape {
    /// The shape of an unknown group.
    const ANY: GroupShape = GroupShape {
        always: false,
        min: 0,
        max: None,
        texts: None,
    };
}

/// The strings that a node matches.
#[derive(Clone)]
struct Matched {
    min: u64,
    max: Option<u64>,
    texts: Option<Vec<String>>,
}

impl Matched {
    fn anything() -> Matched {
        Matched {
            min: 0,
            max: None,
            texts: None,
        }
    }

    fn text(text: String) -> Matched {
        let length = text.chars().count() as u64;
        Matched {
            min: length,
            max: Some(length),
            texts: Some(vec![text]),
        }
    }

    /// Weakens the result for matches that ignore case, in which one character may match several.
    fn any_case(self) -> Matched {
        Matched {
            min: u64::from(self.min > 0),
            ..Matched::anything()
        }
    }

    fn then(self, next: &Matched) -> Matched {
        Matched {
            min: self.min.saturating_add(next.min),
            max: self.max.zip(next.max).and_then(|(a, b)| a.checked_add(b)),
            texts: self.texts.zip(next.texts.as_ref()).and_then(|(a, b)| {
                let longest = |all: &[String]| all.iter().map(String::len).max().unwrap_or(0);
                let fits = a.len() * b.len() <= MAX_TEXTS && longest(&a) + longest(b) <= MAX_TEXT;
                let joined = || {
                    a.iter()
                        .flat_map(|a| b.iter().map(move |b| format!("{a}{b}")))
                };
                fits.then(|| joined().collect())
            }),
        }
    }

    fn or(self, other: &Matched) -> Matched {
        Matched {
            min: self.min.min(other.min),
            max: self.max.zip(other.max).map(|(a, b)| a.max(b)),
            texts: self.texts.zip(other.texts.as_ref()).and_then(|(mut a, b)| {
                for text in b {
                    if !a.contains(text) {
                        a.push(text.clone());
                    }
                }
                (a.len() <= MAX_TEXTS).then_some(a)
            }),
        }
    }

    fn repeated(&self, lower: u32, upper: Option<u32>) -> Matched {
        let once = Matched::text(String::new());
        let few = upper.filter(|it| *it <= 8 && self.texts.is_some());
        let Some(upper_few) = few else {
            return Matched {
                min: self.min.saturating_mul(u64::from(lower)),
                max: match upper {
                    _ if self.max == Some(0) => Some(0),
                    Some(upper) => self.max.and_then(|it| it.checked_mul(u64::from(upper))),
                    None => None,
                },
                texts: None,
            };
        };
        let mut so_far = once;
        for _ in 0..lower {
            so_far = so_far.then(self);
        }
        let mut all = so_far.clone();
        for _ in lower..upper_few {
            so_far = so_far.then(self);
            all = all.or(&so_far);
        }
        all
    }
}

/// Returns the shapes of the whole match and of its groups, by number.
pub(super) fn shapes(tree: &Tree) -> Vec<GroupShape> {
    // `\K` moves the start of the match.
    let is_plain = !tree.nodes.contains(&Node::Anchor(Anchor::Keep));
    let matched = matched(tree);
    let always = always(tree);
    let caseless = below_options(tree);
    let all = tree.groups.iter().enumerate().filter_map(|(number, id)| {
        if number > 0
            && let Node::Capture { name, .. } = tree.node(*id)
            && !tree.captures(name)
        {
            return None;
        }
        let index = *id as usize;
        let always = number == 0 || always.get(index).copied().unwrap_or(false);
        let matched = matched.get(index).cloned().filter(|_| is_plain);
        let mut matched = matched.unwrap_or_else(Matched::anything);
        if caseless.get(index).copied().unwrap_or(false) {
            matched = matched.any_case();
        }
        Some(GroupShape {
            always,
            min: matched.min,
            max: matched.max,
            texts: matched.texts,
        })
    });
    all.collect()
}

/// Returns the shapes of `count` unknown groups.
pub(super) fn unknown(count: usize) -> Vec<GroupShape> {
    vec![GroupShape::ANY; count]
}

/// Returns the strings that each node matches.
fn matched(tree: &Tree) -> Vec<Matched> {
    let mut all: Vec<Matched> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let of = |id: &NodeId| all.get(*id as usize);
        let found = match node {
            Node::Empty | Node::Anchor(_) | Node::Look { .. } => Matched::text(String::new()),
            Node::Char(ch) => Matched::text(ch.to_string()),
            Node::Dot | Node::Set(_) | Node::Class(_) => Matched {
                min: 1,
                max: Some(1),
                texts: None,
            },
            Node::LineBreak | Node::Grapheme => Matched {
                min: 1,
                ..Matched::anything()
            },
            Node::List(children) => {
                let items = tree.children(*children).iter().map(of);
                let empty = Matched::text(String::new());
                items.fold(empty, |so_far, it| match it {
                    Some(it) => so_far.then(it),
                    None => Matched::anything(),
                })
            }
            Node::Alternatives(children) => {
                let mut branches = tree.children(*children).iter().filter_map(of);
                let first = branches.next().cloned();
                let first = first.unwrap_or_else(Matched::anything);
                branches.fold(first, |so_far, it| so_far.or(it))
            }
            Node::Repeat {
                target,
                lower,
                upper,
                ..
            } => of(target).map_or_else(Matched::anything, |it| it.repeated(*lower, *upper)),
            Node::Capture { target, .. } => of(target).cloned().unwrap_or_else(Matched::anything),
            Node::Atomic(target) => of(target).cloned().unwrap_or_else(Matched::anything),
            Node::Options { target, .. } => {
                let inside = of(target).cloned();
                inside.unwrap_or_else(Matched::anything).any_case()
            }
            Node::Absent(_) | Node::Condition(_) | Node::Backref(_) | Node::Call => {
                Matched::anything()
            }
        };
        all.push(found);
    }
    all
}

/// Returns for each node whether it is in a group with options.
fn below_options(tree: &Tree) -> Vec<bool> {
    let mut all = vec![false; tree.nodes.len()];
    for (id, node) in tree.nodes.iter().enumerate().rev() {
        let here = all.get(id).copied().unwrap_or(false) || matches!(node, Node::Options { .. });
        for child in tree.children_of(node).iter().filter(|_| here) {
            if let Some(it) = all.get_mut(*child as usize) {
                *it = true;
            }
        }
    }
    all
}

/// Returns for each node whether it participates in every match.
fn always(tree: &Tree) -> Vec<bool> {
    let mut all = vec![false; tree.nodes.len()];
    let root = tree.groups.first().copied().unwrap_or_default();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        match all.get_mut(id as usize) {
            Some(it) if !*it => *it = true,
            _ => continue,
        }
        match tree.node(id) {
            Node::List(children) => open.extend(tree.children(children)),
            Node::Capture { target, .. } | Node::Atomic(target) | Node::Options { target, .. } => {
                open.push(target);
            }
            Node::Repeat { target, lower, .. } if lower > 0 => open.push(target),
            Node::Look {
                target,
                negative: false,
                ..
            } => open.push(target),
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::regex::groups;

    /// Renders the captures of groups; `?` marks a group that may not participate.
    fn shown(source: &str) -> String {
        let all = groups(source).into_iter().map(|it| {
            let maybe = if it.always { "" } else { "?" };
            let what = match (it.texts, it.max) {
                (Some(texts), _) => texts.join("/"),
                (None, Some(max)) => format!("{}-{max}", it.min),
                (None, None) => format!("{}-", it.min),
            };
            format!("{maybe}{what}")
        });
        all.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn computes_the_captures_of_groups() {
        let cases = [
            ("abc", "abc"),
            ("a.c", "3-3"),
            ("^(foo|bar)$", "foo/bar foo/bar"),
            (r"^(\d+)\.(\d{2})$", "4- 1- 2-2"),
            ("(a)?b", "b/ab ?a"),
            ("(a)|(b)", "a/b ?a ?b"),
            ("(?:(a)|b)+", "1- ?a"),
            ("(a)+", "1- a"),
            ("(?<x>a)(b)", "ab a"),
            ("(?i)(a)", "1- 1-"),
            ("(?i:(ab))c", "2- 1-"),
            ("(?=(a))b", "b a"),
            ("(?!(a))b", "b ?a"),
            (r"(a|b){2}", "aa/ab/ba/bb a/b"),
            (r"\.(x\-y)\s", "5-5 x-y"),
            (r"(\X)", "1- 1-"),
            (r"(\x41|\056)", "A/. A/."),
            ("([^]a-z[0-9]])", "1-1 1-1"),
            (r"(a)\1", "1- a"),
            (r"a\Kb", "0-"),
            ("(", ""),
        ];
        for (source, expected) in cases {
            assert_eq!(shown(source), expected, "{source}");
        }
    }

    #[test]
    fn handles_long_and_deep_patterns() {
        let many = "(?:a|b)".repeat(2_000);
        assert_eq!(groups(&many).len(), 1);
        let deep = format!("{}a{}", "(".repeat(2_000), ")".repeat(2_000));
        assert_eq!(groups(&deep).len(), 2_001);
    }
}
