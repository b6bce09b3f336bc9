//! What is known of variables at one point of the code.
//!
//! A variable is assigned once, so only two things change on the way through the code: more of
//! them are assigned, and conditions say more about those that are. All changes are kept in a
//! list, so that a branch can be taken back and joined with others: what that costs depends on
//! what the branch changed, not on how much is known.

use rustc_hash::FxHashMap;
use syntax::TextRange;

use super::inferred::Inferred;
use crate::types::Type;
use crate::types::precise::union;

/// A step from a value to a part of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    /// A key of a hash.
    Name(String),
    /// An index.
    Index(i64),
}

/// What is known of a variable.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Variable {
    /// Its value.
    pub(crate) inferred: Inferred,
    /// Whether the code itself has given it its value; if not, it comes from elsewhere.
    pub(crate) own: bool,
    /// Whether it may have no value yet, because it was assigned in a branch.
    pub(crate) maybe_unassigned: bool,
    /// What conditions said about parts of it.
    pub(crate) parts: Vec<(Vec<Key>, Type)>,
    /// Where it was given its value, if it was in this code.
    pub(crate) assigned_at: Option<TextRange>,
}

impl Variable {
    /// A variable of the code, given its value there.
    pub(crate) fn own(inferred: Inferred, assigned_at: Option<TextRange>) -> Variable {
        Variable {
            inferred,
            own: true,
            maybe_unassigned: false,
            parts: Vec::new(),
            assigned_at,
        }
    }

    /// A variable that comes from elsewhere.
    pub(crate) fn foreign(inferred: Inferred) -> Variable {
        Variable {
            own: false,
            ..Variable::own(inferred, None)
        }
    }

    /// What a condition said about a part.
    pub(crate) fn part(&self, path: &[Key]) -> Option<&Type> {
        let mut parts = self.parts.iter();
        parts.find(|it| it.0 == path).map(|it| &it.1)
    }

    fn join(self, other: Variable) -> Variable {
        let parts = self.parts.into_iter().filter_map(|(path, type_)| {
            let theirs = other.parts.iter().find(|it| it.0 == path)?;
            Some((path, union([type_, theirs.1.clone()])))
        });
        let parts = parts.collect();
        Variable {
            inferred: Inferred::union([self.inferred, other.inferred]),
            own: self.own || other.own,
            maybe_unassigned: self.maybe_unassigned || other.maybe_unassigned,
            parts,
            assigned_at: self.assigned_at.or(other.assigned_at),
        }
    }
}

/// What the last match captured: `$0`, `$1` … as far as that is known.
pub(crate) type Groups = Option<std::rc::Rc<[Inferred]>>;

/// What is known at one point of the code.
#[derive(Default, Debug)]
pub(crate) struct Flow {
    variables: FxHashMap<String, Variable>,
    /// What was changed, with what was there before.
    trail: Vec<(String, Option<Variable>)>,
    groups: Groups,
    /// Nothing gets here.
    dead: bool,
}

/// Under which classes are kept: no variable has such a name.
fn class_key(name: &str) -> String {
    format!("class {name}")
}

/// A point of the code to come back to.
#[derive(Debug)]
pub(crate) struct Mark {
    trail: usize,
    groups: Groups,
    dead: bool,
}

/// What a branch has changed.
#[derive(Debug)]
pub(crate) struct Branch {
    changes: FxHashMap<String, Option<Variable>>,
    dead: bool,
}

impl Branch {
    /// Whether nothing comes out of it.
    pub(crate) fn is_dead(&self) -> bool {
        self.dead
    }
}

impl Flow {
    /// Whether nothing gets here.
    pub(crate) fn is_dead(&self) -> bool {
        self.dead
    }

    /// Nothing gets here from now on.
    pub(crate) fn die(&mut self) {
        self.dead = true;
    }

    /// What is known of a variable.
    pub(crate) fn get(&self, name: &str) -> Option<&Variable> {
        self.variables.get(name)
    }

    /// Changes what is known of a variable.
    pub(crate) fn set(&mut self, name: &str, variable: Variable) {
        self.put(name.to_owned(), Some(variable));
    }

    fn put(&mut self, name: String, variable: Option<Variable>) {
        let before = match variable {
            Some(variable) => self.variables.insert(name.clone(), variable),
            None => self.variables.remove(&name),
        };
        self.trail.push((name, before));
    }

    /// From here on, a class has been evaluated.
    pub(crate) fn declare_class(&mut self, name: &str) {
        let done = Variable::own(Inferred::UNKNOWN, None);
        self.put(class_key(name), Some(done));
    }

    /// Whether a class certainly has been evaluated.
    pub(crate) fn has_class(&self, name: &str) -> bool {
        let found = self.variables.get(&class_key(name));
        found.is_some_and(|it| !it.maybe_unassigned)
    }

    /// What the last match captured.
    pub(crate) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Changes what the last match captured.
    pub(crate) fn set_groups(&mut self, groups: Groups) {
        self.groups = groups;
    }

    /// The point that the code is at.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            trail: self.trail.len(),
            groups: self.groups.clone(),
            dead: self.dead,
        }
    }

    /// Goes back to a point, with what was changed since.
    pub(crate) fn take_back(&mut self, mark: &Mark) -> Branch {
        let mut changes = FxHashMap::default();
        let dead = self.dead;
        for (name, before) in self.trail.drain(mark.trail..).rev() {
            let after = match before {
                Some(before) => self.variables.insert(name.clone(), before),
                None => self.variables.remove(&name),
            };
            // The first one met is the last change.
            changes.entry(name).or_insert(after);
        }
        self.groups = mark.groups.clone();
        self.dead = mark.dead;
        Branch { changes, dead }
    }

    /// Goes on behind one of several branches, from the point where they parted.
    pub(crate) fn join(&mut self, branches: Vec<Branch>) {
        let mut alive: Vec<Branch> = branches.into_iter().filter(|it| !it.dead).collect();
        match alive.as_mut_slice() {
            [] => self.dead = true,
            [only] => {
                for (name, after) in std::mem::take(&mut only.changes) {
                    self.put(name, after);
                }
            }
            _ => self.join_all(&alive),
        }
    }

    fn join_all(&mut self, branches: &[Branch]) {
        let mut names: Vec<&String> = branches.iter().flat_map(|it| it.changes.keys()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let base = self.variables.get(name).cloned();
            let after = |it: &Branch| it.changes.get(name).unwrap_or(&base).clone();
            let all: Vec<Option<Variable>> = branches.iter().map(after).collect();
            self.put(name.clone(), joined(all));
        }
    }
}

/// What is known of a variable behind several branches.
fn joined(all: Vec<Option<Variable>>) -> Option<Variable> {
    let missing = all.iter().any(Option::is_none);
    let mut known: Vec<Variable> = all.into_iter().flatten().collect();
    let own = known.iter().any(|it| it.own);
    if missing || known.iter().any(|it| !it.own) {
        if !own {
            // It can be asked for anew, where it comes from.
            let all_known = !missing;
            return all_known
                .then(|| known.into_iter().reduce(Variable::join))
                .flatten();
        }
        // What it would be otherwise is asked for when it is read.
        known.retain(|it| it.own);
        let mut joined = known.into_iter().reduce(Variable::join)?;
        joined.maybe_unassigned = true;
        joined.parts.clear();
        return Some(joined);
    }
    known.into_iter().reduce(Variable::join)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Variable {
        Variable::own(Inferred::value(text.into()), None)
    }

    #[test]
    fn branches_are_joined() {
        let mut flow = Flow::default();
        flow.set("a", text("a"));
        let start = flow.mark();
        flow.set("b", text("b"));
        let first = flow.take_back(&start);
        assert!(flow.get("b").is_none());
        flow.set("b", text("c"));
        let second = flow.take_back(&start);
        flow.join(vec![first, second]);
        let joined = flow.get("b").expect("both assign it");
        assert_eq!(joined.inferred.type_, Type::enumeration(["b", "c"]));
        assert!(!joined.maybe_unassigned);
    }

    #[test]
    fn a_dead_branch_does_not_count() {
        let mut flow = Flow::default();
        let start = flow.mark();
        flow.set("b", text("b"));
        let first = flow.take_back(&start);
        flow.die();
        let second = flow.take_back(&start);
        assert!(!flow.is_dead());
        flow.join(vec![first, second]);
        assert!(flow.get("b").is_some_and(|it| !it.maybe_unassigned));
    }

    #[test]
    fn what_one_branch_assigns_may_be_unassigned() {
        let mut flow = Flow::default();
        let start = flow.mark();
        flow.set("b", text("b"));
        let first = flow.take_back(&start);
        let second = flow.take_back(&start);
        flow.join(vec![first, second]);
        assert!(flow.get("b").is_some_and(|it| it.maybe_unassigned));
    }
}
