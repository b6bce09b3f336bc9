//! What is known of variables at one point of the code.
//!
//! A variable is assigned once, so only two things change on the way through the code: more of
//! them are assigned, and conditions say more about those that are. All changes are kept in a
//! list, so that a branch can be taken back and joined with others: what that costs depends on
//! what the branch changed, not on how much is known. A branch only ever says more about a variable
//! than was known where it began, or gives it its value.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use syntax::TextRange;

use super::inferred::Inferred;
use crate::types::Type;
use crate::types::precise::{union, within};
use crate::values::Value;

/// So many parts of a variable are told apart; what was said of the first ones is forgotten.
const MAX_PARTS: usize = 64;

/// So many types are joined at once: joining them compares each with each.
const JOINED_AT_ONCE: usize = 32;

/// A step from a value to a part of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    /// A key of a hash.
    Name(String),
    /// An index.
    Index(i64),
}

/// Who has given a variable its value; of several, the last of these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Origin {
    /// It is a parameter.
    Parameter,
    /// The code, from values of its own.
    Code,
    /// Other code or facts, or the code from what they say.
    Outside,
}

/// What is known of a variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Variable {
    /// Its value.
    pub(crate) inferred: Inferred,
    /// Whether the code itself has given it its value; if not, it comes from elsewhere.
    pub(crate) own: bool,
    /// Whether it may have no value yet, because it was assigned in a branch.
    pub(crate) maybe_unassigned: bool,
    /// What conditions said about parts of it.
    pub(crate) parts: Vec<(Vec<Key>, Type)>,
    /// Where it was given its value, if it was in this code; of several places the first one.
    pub(crate) assigned_at: Option<TextRange>,
    /// Who has given it its value.
    pub(crate) origin: Origin,
    /// Whether it was given a value that is known, not undef: a flag that somebody has set.
    pub(crate) is_flag: bool,
}

impl Variable {
    /// A variable of the code, given its value there.
    pub(crate) fn own(
        inferred: Inferred,
        origin: Origin,
        assigned_at: Option<TextRange>,
    ) -> Variable {
        Variable {
            is_flag: inferred
                .value
                .as_ref()
                .is_some_and(|it| *it != Value::Undef),
            inferred,
            own: true,
            maybe_unassigned: false,
            parts: Vec::new(),
            assigned_at,
            origin,
        }
    }

    /// A variable that comes from elsewhere.
    pub(crate) fn foreign(inferred: Inferred) -> Variable {
        Variable {
            own: false,
            ..Variable::own(inferred, Origin::Outside, None)
        }
    }

    /// What a condition said about a part.
    pub(crate) fn part(&self, path: &[Key]) -> Option<&Type> {
        let mut parts = self.parts.iter();
        parts.find(|it| it.0 == path).map(|it| &it.1)
    }

    /// Remembers what a condition said about a part.
    pub(crate) fn set_part(&mut self, path: Vec<Key>, type_: Type) {
        self.parts.retain(|it| it.0 != path);
        if self.parts.len() >= MAX_PARTS {
            self.parts.remove(0);
        }
        self.parts.push((path, type_));
    }

    /// What is known where it is one of these; nothing if there are none.
    fn joined(all: &[Variable]) -> Option<Variable> {
        let (first, others) = all.split_first()?;
        let parts = first.parts.iter().filter_map(|(path, _)| {
            let types: Option<Vec<Type>> = all.iter().map(|it| it.part(path).cloned()).collect();
            Some((path.clone(), union(types?)))
        });
        let mut joined = Variable {
            parts: parts.collect(),
            ..first.clone()
        };
        for some in others.chunks(JOINED_AT_ONCE) {
            let types = some.iter().map(|it| it.inferred.clone());
            joined.inferred = Inferred::union([joined.inferred].into_iter().chain(types));
        }
        for it in others {
            joined.own |= it.own;
            joined.maybe_unassigned |= it.maybe_unassigned;
            joined.is_flag |= it.is_flag;
            let places = [joined.assigned_at, it.assigned_at].into_iter().flatten();
            joined.assigned_at = places.min_by_key(|it| it.start());
            joined.origin = joined.origin.max(it.origin);
        }
        Some(joined)
    }

    /// Whether this says no more than another one does.
    fn is_no_news_to(&self, other: &Variable) -> bool {
        self.own == other.own
            && self.maybe_unassigned == other.maybe_unassigned
            && self.parts == other.parts
            && self.inferred.value == other.inferred.value
            && within(&other.inferred.type_, &self.inferred.type_)
    }
}

/// What the last match captured: `$0`, `$1` …, undef beyond those that are listed. Nothing where it
/// is not known which match that was.
pub(crate) type Groups = Option<Rc<[Inferred]>>;

/// What the last match captured where it was one of several.
fn joined_groups(all: &[&Groups]) -> Groups {
    let mut all = all.iter();
    let first = (*all.next()?).clone()?;
    let mut joined: Vec<Inferred> = first.to_vec();
    for groups in all {
        let groups = groups.as_ref()?;
        if Rc::ptr_eq(groups, &first) {
            continue;
        }
        let undef = || Inferred::of(Type::Undef);
        joined.resize_with(joined.len().max(groups.len()), undef);
        for (index, it) in joined.iter_mut().enumerate() {
            let theirs = groups.get(index).cloned().unwrap_or_else(undef);
            *it = Inferred::union([it.clone(), theirs]);
        }
    }
    Some(joined.into())
}

/// What is known at one point of the code.
#[derive(Default, Debug)]
pub(crate) struct Flow {
    variables: FxHashMap<Rc<str>, Variable>,
    /// What was changed, with what was there before.
    trail: Vec<(Rc<str>, Option<Variable>)>,
    groups: Groups,
    /// Nothing gets here.
    dead: bool,
}

/// What stands before the names under which classes are kept: no variable has such a name.
const CLASS: &str = "class ";

/// Whether a class is kept under a name.
pub(crate) fn names_class(name: &str) -> bool {
    name.starts_with(CLASS)
}

fn class_key(name: &str) -> String {
    format!("{CLASS}{name}")
}

/// A point of the code to come back to.
#[derive(Debug)]
pub(crate) struct Mark {
    trail: usize,
    groups: Groups,
    dead: bool,
}

/// What a branch has changed.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    changes: FxHashMap<Rc<str>, Option<Variable>>,
    groups: Groups,
    dead: bool,
}

impl Branch {
    /// A branch that nothing gets to.
    pub(crate) fn dead() -> Branch {
        Branch {
            changes: FxHashMap::default(),
            groups: None,
            dead: true,
        }
    }

    /// Whether nothing comes out of it.
    pub(crate) fn is_dead(&self) -> bool {
        self.dead
    }

    /// How many variables it has changed.
    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    /// Forgets what it says about all variables but one. A variable that it gave its value is then
    /// one of which nothing is known.
    pub(crate) fn keep_only(&mut self, name: Option<&str>) {
        self.changes.retain(|it, _| Some(it.as_ref()) == name);
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
        let known = self.variables.get_key_value(name);
        let name = known.map_or_else(|| name.into(), |it| Rc::clone(it.0));
        self.put(name, Some(variable));
    }

    fn put(&mut self, name: Rc<str>, variable: Option<Variable>) {
        let before = match variable {
            Some(variable) => self.variables.insert(Rc::clone(&name), variable),
            None => self.variables.remove(&name),
        };
        self.trail.push((name, before));
    }

    /// From here on, a class has been evaluated.
    pub(crate) fn declare_class(&mut self, name: &str) {
        let done = Variable::own(Inferred::UNKNOWN, Origin::Code, None);
        self.put(class_key(name).into(), Some(done));
    }

    /// Whether a class certainly has been evaluated.
    pub(crate) fn has_class(&self, name: &str) -> bool {
        let found = self.variables.get(class_key(name).as_str());
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

    /// The classes that may have been evaluated, under the names by which they are kept, in the
    /// order of these.
    pub(crate) fn classes(&self) -> Vec<(String, Variable)> {
        let classes = self.variables.iter().filter(|it| names_class(it.0));
        let classes = classes.map(|(name, it)| (name.to_string(), it.clone()));
        let mut classes: Vec<_> = classes.collect();
        classes.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        classes
    }

    /// What has changed since a point, in the order of names.
    pub(crate) fn changes_since(&self, mark: &Mark) -> Vec<(String, Option<Variable>)> {
        let changed = self.trail.iter().skip(mark.trail).map(|it| &it.0);
        let mut names: Vec<&Rc<str>> = changed.collect();
        names.sort_unstable();
        names.dedup();
        let changes = names.into_iter().map(|it| {
            let after = self.variables.get(it).cloned();
            (it.to_string(), after)
        });
        changes.collect()
    }

    /// Makes changes that were [made elsewhere](Flow::changes_since).
    pub(crate) fn change(&mut self, name: &str, after: Option<Variable>) {
        match after {
            Some(after) => self.set(name, after),
            None => self.put(name.into(), None),
        }
    }

    /// Goes on where this is known.
    pub(crate) fn resume(&mut self, variables: &[(String, Variable)]) {
        for (name, variable) in variables {
            self.put(name.as_str().into(), Some(variable.clone()));
        }
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
                Some(before) => self.variables.insert(Rc::clone(&name), before),
                None => self.variables.remove(&name),
            };
            // The first one met is the last change.
            changes.entry(name).or_insert(after);
        }
        let groups = std::mem::replace(&mut self.groups, mark.groups.clone());
        self.dead = mark.dead;
        Branch {
            changes,
            groups,
            dead,
        }
    }

    /// Goes on in a branch, from the point where it begins.
    pub(crate) fn enter(&mut self, branch: Branch) {
        for (name, after) in branch.changes {
            self.put(name, after);
        }
        self.groups = branch.groups;
        self.dead |= branch.dead;
    }

    /// Goes on behind one of several branches, from the point where they parted.
    pub(crate) fn join(&mut self, branches: Vec<Branch>) {
        let alive: Vec<Branch> = branches.into_iter().filter(|it| !it.dead).collect();
        match alive.len() {
            0 => self.dead = true,
            1 => alive.into_iter().for_each(|it| self.enter(it)),
            _ => self.join_all(&alive),
        }
    }

    fn join_all(&mut self, branches: &[Branch]) {
        let mut names: Vec<&Rc<str>> = branches.iter().flat_map(|it| it.changes.keys()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let base = self.variables.get(name).cloned();
            let after = |it: &Branch| it.changes.get(name).unwrap_or(&base).clone();
            let all: Vec<Option<Variable>> = branches.iter().map(after).collect();
            let joined = joined(all);
            let is_news = match (&joined, &base) {
                (Some(joined), Some(base)) => !joined.is_no_news_to(base),
                (None, None) => false,
                _ => true,
            };
            if is_news {
                self.put(Rc::clone(name), joined);
            }
        }
        let groups: Vec<&Groups> = branches.iter().map(|it| &it.groups).collect();
        self.groups = joined_groups(&groups);
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
            return if missing {
                None
            } else {
                Variable::joined(&known)
            };
        }
        // What it would be otherwise is asked for when it is read.
        known.retain(|it| it.own);
        let mut joined = Variable::joined(&known)?;
        joined.maybe_unassigned = true;
        joined.parts.clear();
        return Some(joined);
    }
    Variable::joined(&known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Variable {
        Variable::own(Inferred::value(text.into()), Origin::Code, None)
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
