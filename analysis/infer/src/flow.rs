//! The flow state: the types of variables at one point of the code.
//!
//! A variable is assigned only once, so the state changes in two ways: variables are assigned, and
//! conditions narrow variables that are already assigned. All changes are recorded in a trail, so
//! that a branch can be undone and joined with others at a cost that depends on the changes in the
//! branch, not on the size of the state. A branch only ever narrows a variable or assigns it.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::TextRange;
use syntax::validation::PuppetVersion;

use super::inferred::Inferred;
use base::SettingsInput;
use types::Type;
use types::precise::{union, within};
use types::values::Value;

/// The maximum number of narrowed parts per variable; the oldest are dropped.
const MAX_PARTS: usize = 64;

/// The number of types joined at once: each is compared with each other one.
const JOINED_AT_ONCE: usize = 32;

/// A step of a path into a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PathSegment {
    Name(String),
    Index(i64),
}

/// The source of a variable's value. If there are several sources, the greatest applies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Origin {
    /// A parameter.
    Parameter,
    /// Only the code itself.
    Code,
    /// Other code or facts, or values computed from these.
    External,
}

/// The state of a variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct VariableState {
    pub(crate) inferred: Inferred,
    /// The type before any condition narrowed it.
    pub(crate) declared: Type,
    /// Whether the code itself has assigned it; otherwise it comes from elsewhere.
    pub(crate) is_local: bool,
    /// Whether it may be unassigned, because only some branches assign it.
    pub(crate) maybe_unassigned: bool,
    /// The narrowed types of parts of its value, by path.
    pub(crate) parts: Vec<(Vec<PathSegment>, Type)>,
    /// The first assignment in this code.
    pub(crate) assigned_at: Option<TextRange>,
    pub(crate) origin: Origin,
    /// Whether it was assigned a known value other than undef, as flags are.
    pub(crate) is_flag: bool,
}

impl VariableState {
    /// A variable that the code itself has assigned.
    pub(crate) fn local(
        inferred: Inferred,
        origin: Origin,
        assigned_at: Option<TextRange>,
    ) -> VariableState {
        VariableState {
            is_flag: inferred
                .value
                .as_ref()
                .is_some_and(|it| *it != Value::Undef),
            declared: inferred.type_.clone(),
            inferred,
            is_local: true,
            maybe_unassigned: false,
            parts: Vec::new(),
            assigned_at,
            origin,
        }
    }

    /// A variable that comes from elsewhere.
    pub(crate) fn external(inferred: Inferred) -> VariableState {
        VariableState {
            is_local: false,
            ..VariableState::local(inferred, Origin::External, None)
        }
    }

    /// Returns the narrowed type of a part.
    pub(crate) fn part(&self, path: &[PathSegment]) -> Option<&Type> {
        let mut parts = self.parts.iter();
        parts.find(|it| it.0 == path).map(|it| &it.1)
    }

    /// Returns the narrowed type of a part, which is likely at an index.
    fn part_at(&self, index: usize, path: &[PathSegment]) -> Option<&Type> {
        match self.parts.get(index) {
            Some((it, type_)) if it == path => Some(type_),
            _ => self.part(path),
        }
    }

    /// Records the narrowed type of a part.
    pub(crate) fn set_part(&mut self, path: Vec<PathSegment>, type_: Type) {
        self.parts.retain(|it| it.0 != path);
        if self.parts.len() >= MAX_PARTS {
            self.parts.remove(0);
        }
        self.parts.push((path, type_));
    }

    /// Joins the states of several branches; `None` if there are none.
    fn joined(all: &[VariableState]) -> Option<VariableState> {
        let (first, others) = all.split_first()?;
        let parts = first
            .parts
            .iter()
            .enumerate()
            .filter_map(|(index, (path, type_))| {
                let others: Option<Vec<&Type>> =
                    others.iter().map(|it| it.part_at(index, path)).collect();
                let others = others?;
                // Most parts were narrowed before the branches.
                let joined = match others.iter().all(|it| *it == type_) {
                    true => type_.clone(),
                    false => union([type_].into_iter().chain(others).cloned()),
                };
                Some((path.clone(), joined))
            });
        let mut joined = VariableState {
            parts: parts.collect(),
            ..first.clone()
        };
        for some in others.chunks(JOINED_AT_ONCE) {
            let types = some.iter().map(|it| it.inferred.clone());
            joined.inferred = Inferred::union([joined.inferred].into_iter().chain(types));
        }
        if others.iter().any(|it| it.declared != first.declared) {
            joined.declared = union(all.iter().map(|it| it.declared.clone()));
        }
        for it in others {
            joined.is_local |= it.is_local;
            joined.maybe_unassigned |= it.maybe_unassigned;
            joined.is_flag |= it.is_flag;
            let places = [joined.assigned_at, it.assigned_at].into_iter().flatten();
            joined.assigned_at = places.min_by_key(|it| it.start());
            joined.origin = joined.origin.max(it.origin);
        }
        Some(joined)
    }

    /// Checks whether this state adds nothing to `other`.
    fn adds_nothing_to(&self, other: &VariableState) -> bool {
        self.is_local == other.is_local
            && self.maybe_unassigned == other.maybe_unassigned
            && self.parts == other.parts
            && self.inferred.value == other.inferred.value
            && within(&other.inferred.type_, &self.inferred.type_)
    }
}

/// The types of the match variables `$0`, `$1` …; those past the end are undef. `None` if the last
/// match is unknown.
pub(crate) type MatchVariables = Option<Rc<[Inferred]>>;

/// Joins the match variables of several branches.
fn join_match_variables(all: &[&MatchVariables]) -> MatchVariables {
    let mut all = all.iter();
    let first = (*all.next()?).clone()?;
    let is_first = |it: &&MatchVariables| it.as_ref().is_some_and(|it| Rc::ptr_eq(it, &first));
    if all.clone().all(is_first) {
        return Some(first);
    }
    let mut joined: Vec<Inferred> = first.to_vec();
    for match_variables in all {
        let match_variables = match_variables.as_ref()?;
        if Rc::ptr_eq(match_variables, &first) {
            continue;
        }
        let undef = || Inferred::of(Type::Undef);
        joined.resize_with(joined.len().max(match_variables.len()), undef);
        for (index, it) in joined.iter_mut().enumerate() {
            let theirs = match_variables.get(index).cloned().unwrap_or_else(undef);
            *it = Inferred::union([it.clone(), theirs]);
        }
    }
    Some(joined.into())
}

/// The flow state at one point of the code.
#[derive(Default, Debug)]
pub(crate) struct Flow {
    variables: FxHashMap<Rc<str>, VariableState>,
    /// The changed variables with their previous states, oldest first.
    trail: Vec<(Rc<str>, Option<VariableState>)>,
    match_variables: MatchVariables,
    /// Whether this point is unreachable.
    is_unreachable: bool,
}

/// The prefix of the keys that represent evaluated classes; no variable has such a name.
const CLASS: &str = "class ";

fn class_key(name: &str) -> String {
    format!("{CLASS}{name}")
}

/// A point of the code to return to.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    trail: usize,
    match_variables: MatchVariables,
    is_unreachable: bool,
}

/// The changes that a branch makes.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    changes: FxHashMap<Rc<str>, Option<VariableState>>,
    match_variables: MatchVariables,
    is_unreachable: bool,
}

impl Branch {
    /// An unreachable branch.
    pub(crate) fn unreachable() -> Branch {
        Branch {
            changes: FxHashMap::default(),
            match_variables: None,
            is_unreachable: true,
        }
    }

    /// Checks whether the end of the branch is unreachable.
    pub(crate) fn is_unreachable(&self) -> bool {
        self.is_unreachable
    }

    /// Returns the number of changed variables.
    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    /// Forgets the changes of all variables but one. A variable that the branch assigns is unknown
    /// afterwards. Returns whether there is such a variable.
    pub(crate) fn retain(&mut self, name: Option<&str>) -> bool {
        let is_assigned = |it: &Option<VariableState>| it.as_ref().is_some_and(|it| it.is_local);
        let before = self.changes.len();
        let forgets = self.changes.values().any(is_assigned);
        self.changes.retain(|it, _| Some(it.as_ref()) == name);
        forgets && self.changes.len() < before
    }
}

impl Flow {
    /// Checks whether this point is unreachable.
    pub(crate) fn is_unreachable(&self) -> bool {
        self.is_unreachable
    }

    /// Marks the code from here on as unreachable.
    pub(crate) fn mark_unreachable(&mut self) {
        self.is_unreachable = true;
    }

    pub(crate) fn get(&self, name: &str) -> Option<&VariableState> {
        self.variables.get(name)
    }

    pub(crate) fn set(&mut self, name: &str, variable: VariableState) {
        let known = self.variables.get_key_value(name);
        let name = known.map_or_else(|| name.into(), |it| Rc::clone(it.0));
        self.replace(name, Some(variable));
    }

    fn replace(&mut self, name: Rc<str>, variable: Option<VariableState>) {
        let before = match variable {
            Some(variable) => self.variables.insert(Rc::clone(&name), variable),
            None => self.variables.remove(&name),
        };
        self.trail.push((name, before));
    }

    /// Marks a class as evaluated.
    pub(crate) fn declare_class(&mut self, name: &str) {
        let done = VariableState::local(Inferred::UNKNOWN, Origin::Code, None);
        self.replace(class_key(name).into(), Some(done));
    }

    /// Checks whether a class has certainly been evaluated.
    pub(crate) fn has_class(&self, name: &str) -> bool {
        let found = self.variables.get(class_key(name).as_str());
        found.is_some_and(|it| !it.maybe_unassigned)
    }

    pub(crate) fn match_variables(&self) -> &MatchVariables {
        &self.match_variables
    }

    pub(crate) fn set_match_variables(&mut self, match_variables: MatchVariables) {
        self.match_variables = match_variables;
    }

    /// Returns the current point, for [`Flow::rollback`].
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            trail: self.trail.len(),
            match_variables: self.match_variables.clone(),
            is_unreachable: self.is_unreachable,
        }
    }

    /// Undoes all changes since `checkpoint`, and returns them as a branch.
    pub(crate) fn rollback(&mut self, checkpoint: &Checkpoint) -> Branch {
        let mut changes = FxHashMap::default();
        let is_unreachable = self.is_unreachable;
        for (name, before) in self.trail.drain(checkpoint.trail..).rev() {
            let after = match before {
                Some(before) => self.variables.insert(Rc::clone(&name), before),
                None => self.variables.remove(&name),
            };
            // The trail is read backwards, so the first entry is the last change.
            changes.entry(name).or_insert(after);
        }
        let match_variables = std::mem::replace(
            &mut self.match_variables,
            checkpoint.match_variables.clone(),
        );
        self.is_unreachable = checkpoint.is_unreachable;
        Branch {
            changes,
            match_variables,
            is_unreachable,
        }
    }

    /// Continues in a branch, from the point where it begins.
    pub(crate) fn apply_branch(&mut self, branch: Branch) {
        for (name, after) in branch.changes {
            self.replace(name, after);
        }
        self.match_variables = branch.match_variables;
        self.is_unreachable |= branch.is_unreachable;
    }

    /// Continues after several branches, from the point where they forked.
    pub(crate) fn join(&mut self, branches: Vec<Branch>) {
        let reachable: Vec<Branch> = branches
            .into_iter()
            .filter(|it| !it.is_unreachable)
            .collect();
        match reachable.len() {
            0 => self.is_unreachable = true,
            1 => reachable.into_iter().for_each(|it| self.apply_branch(it)),
            _ => self.join_all(&reachable),
        }
    }

    fn join_all(&mut self, branches: &[Branch]) {
        let mut names: Vec<&Rc<str>> = branches.iter().flat_map(|it| it.changes.keys()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let base = self.variables.get(name).cloned();
            let after = |it: &Branch| it.changes.get(name).unwrap_or(&base).clone();
            let all: Vec<Option<VariableState>> = branches.iter().map(after).collect();
            let joined = joined(all);
            let is_changed = match (&joined, &base) {
                (Some(joined), Some(base)) => !joined.adds_nothing_to(base),
                (None, None) => false,
                _ => true,
            };
            if is_changed {
                self.replace(Rc::clone(name), joined);
            }
        }
        let match_variables: Vec<&MatchVariables> =
            branches.iter().map(|it| &it.match_variables).collect();
        self.match_variables = join_match_variables(&match_variables);
    }
}

/// Joins the states of a variable in several branches.
fn joined(all: Vec<Option<VariableState>>) -> Option<VariableState> {
    let missing = all.iter().any(Option::is_none);
    let mut known: Vec<VariableState> = all.into_iter().flatten().collect();
    let is_local = known.iter().any(|it| it.is_local);
    if missing || known.iter().any(|it| !it.is_local) {
        if !is_local {
            // It can be resolved again where it is read.
            return if missing {
                None
            } else {
                VariableState::joined(&known)
            };
        }
        // The value on the other paths is resolved where the variable is read.
        known.retain(|it| it.is_local);
        let mut joined = VariableState::joined(&known)?;
        joined.maybe_unassigned = true;
        joined.parts.clear();
        return Some(joined);
    }
    VariableState::joined(&known)
}

/// Checks whether Puppet fails when an unassigned variable is read, as it does with
/// `strict_variables`, the default since Puppet 8.
pub(super) fn fails_if_unassigned(db: &dyn Database) -> bool {
    SettingsInput::get(db).version(db) != PuppetVersion::V7
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> VariableState {
        VariableState::local(Inferred::value(text.into()), Origin::Code, None)
    }

    #[test]
    fn join_of_two_assignments() {
        let mut flow = Flow::default();
        flow.set("a", text("a"));
        let start = flow.checkpoint();
        flow.set("b", text("b"));
        let first = flow.rollback(&start);
        assert!(flow.get("b").is_none());
        flow.set("b", text("c"));
        let second = flow.rollback(&start);
        flow.join(vec![first, second]);
        let joined = flow.get("b").expect("both assign it");
        assert_eq!(joined.inferred.type_, Type::enumeration(["b", "c"]));
        assert!(!joined.maybe_unassigned);
    }

    #[test]
    fn join_ignores_dead_branches() {
        let mut flow = Flow::default();
        let start = flow.checkpoint();
        flow.set("b", text("b"));
        let first = flow.rollback(&start);
        flow.mark_unreachable();
        let second = flow.rollback(&start);
        assert!(!flow.is_unreachable());
        flow.join(vec![first, second]);
        assert!(flow.get("b").is_some_and(|it| !it.maybe_unassigned));
    }

    #[test]
    fn assignment_in_one_branch_may_be_unassigned() {
        let mut flow = Flow::default();
        let start = flow.checkpoint();
        flow.set("b", text("b"));
        let first = flow.rollback(&start);
        let second = flow.rollback(&start);
        flow.join(vec![first, second]);
        assert!(flow.get("b").is_some_and(|it| it.maybe_unassigned));
    }
}
