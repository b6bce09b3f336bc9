//! The variables assigned by the evaluated code.
//!
//! Puppet keeps local variables and the results of regular expression matches on one stack. A match
//! pushes a layer, a conditional removes its matches, and a lambda pushes a layer of locals.
//! Assignments go to the innermost layer of locals, so variables assigned in an `if` remain
//! visible.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::unknown::Unknown;
use types::values::{Captures, Value};

/// The layers of a scope: of top scope, or of the body of a class, defined type or function.
#[derive(Clone, Debug)]
pub struct Scope {
    layers: Vec<Layer>,
}

#[derive(Clone, Debug)]
enum Layer {
    /// Copies of a scope share them until one assigns a variable.
    Locals(Arc<FxHashMap<String, Local>>),
    /// Parameters while their default values are evaluated; `None` for those that are not bound
    /// yet.
    Parameters(FxHashMap<String, Option<Value>>),
    Match(Captures),
}

/// The value of a variable.
#[derive(Clone, Debug)]
enum Local {
    Value(Value),
    Unknown(Unknown),
    /// Code that may not have run may have assigned it.
    Possible(Unknown),
}

impl Local {
    fn binding(&self) -> Binding<'_> {
        match self {
            Local::Value(value) => Binding::Value(value),
            Local::Unknown(why) | Local::Possible(why) => Binding::Unknown(why),
        }
    }
}

/// The binding of a name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Binding<'a> {
    /// A value.
    Value(&'a Value),
    /// An unknown value, for this reason.
    Unknown(&'a Unknown),
    /// A parameter that is not bound yet.
    Pending,
}

/// The layers above the outermost one, set aside while a function runs.
#[derive(Debug)]
pub(super) struct SuspendedLayers(Vec<Layer>);

/// A number of layers, to which [`Scope::reset`] returns.
#[derive(Clone, Copy, Debug)]
pub struct ScopeMark(usize);

impl Default for Scope {
    fn default() -> Scope {
        Scope {
            layers: vec![Layer::Locals(Arc::default())],
        }
    }
}

impl Scope {
    /// Looks up a variable by name, without the dollar sign.
    pub fn get(&self, name: &str) -> Option<Binding<'_>> {
        self.layers.iter().rev().find_map(|it| match it {
            Layer::Locals(variables) => variables.get(name).map(Local::binding),
            Layer::Parameters(parameters) => parameters
                .get(name)
                .map(|it| it.as_ref().map_or(Binding::Pending, Binding::Value)),
            Layer::Match(_) => None,
        })
    }

    /// Looks up a variable in the outermost layer.
    pub fn get_outermost(&self, name: &str) -> Option<Binding<'_>> {
        self.outermost_locals()?.get(name).map(Local::binding)
    }

    /// Returns the variables of the outermost layer.
    pub fn outermost(&self) -> impl Iterator<Item = (&str, Binding<'_>)> {
        let variables = self.outermost_locals().into_iter().flatten();
        variables.map(|it| (it.0.as_str(), it.1.binding()))
    }

    /// Returns the number of variables in the outermost layer.
    pub fn outermost_count(&self) -> usize {
        self.outermost_locals().map_or(0, |it| it.len())
    }

    fn outermost_locals(&self) -> Option<&FxHashMap<String, Local>> {
        match self.layers.first() {
            Some(Layer::Locals(variables)) => Some(variables),
            _ => None,
        }
    }

    /// Assigns a variable in the innermost layer of locals. Returns `false` if it is already
    /// assigned there.
    pub fn set(&mut self, name: &str, value: Value) -> bool {
        self.assign(name, Local::Value(value))
    }

    /// Assigns an unknown value to a variable that is not assigned yet.
    pub fn set_unknown(&mut self, name: &str, why: Unknown) {
        self.assign(name, Local::Unknown(why));
    }

    /// Marks a variable that code may have assigned as unknown, if it is not assigned yet. Other code may still assign
    /// it: then the first code did not run, or left before.
    pub fn set_possible(&mut self, name: &str, why: Cow<'static, str>) {
        self.assign(name, Local::Possible(Unknown::new(why)));
    }

    fn assign(&mut self, name: &str, value: Local) -> bool {
        let locals = self.layers.iter_mut().rev().find_map(|it| match it {
            Layer::Locals(variables) => Some(variables),
            Layer::Parameters(_) | Layer::Match(_) => None,
        });
        let Some(locals) = locals else {
            return false;
        };
        let is_assigned = |it: &Local| !matches!(it, Local::Possible(_));
        if locals.get(name).is_some_and(is_assigned) {
            return false;
        }
        Arc::make_mut(locals).insert(name.to_owned(), value);
        true
    }

    /// Checks whether assignments go to the outermost layer.
    pub fn is_outermost(&self) -> bool {
        let is_locals = |it: &Layer| matches!(it, Layer::Locals(_));
        self.layers.iter().rposition(is_locals) == Some(0)
    }

    /// Returns the value of a match variable; `None` if there was no match.
    pub fn match_variable(&self, number: usize) -> Option<Value> {
        self.layers.iter().rev().find_map(|it| match it {
            Layer::Match(found) => {
                let group = found.groups.get(number).cloned().flatten();
                Some(group.map_or(Value::Undef, Value::String))
            }
            Layer::Locals(_) | Layer::Parameters(_) => None,
        })
    }

    /// Pushes a layer with the groups of a match.
    pub fn push_match(&mut self, captures: Captures) {
        self.layers.push(Layer::Match(captures));
    }

    /// Removes all layers except the outermost one.
    pub fn forget_matches(&mut self) {
        self.layers.truncate(1);
    }

    /// Pushes a layer of locals.
    pub fn push_locals(&mut self) {
        self.layers.push(Layer::Locals(Arc::default()));
    }

    /// Pushes a layer of parameters that are not bound yet.
    pub(super) fn push_parameters(&mut self, names: impl Iterator<Item = String>) {
        let parameters = names.map(|it| (it, None)).collect();
        self.layers.push(Layer::Parameters(parameters));
    }

    /// Binds a parameter in the innermost layer of parameters.
    pub(super) fn set_parameter(&mut self, name: &str, value: Value) {
        let innermost = self.layers.iter_mut().rev().find_map(|it| match it {
            Layer::Parameters(parameters) => Some(parameters),
            Layer::Locals(_) | Layer::Match(_) => None,
        });
        if let Some(parameters) = innermost {
            parameters.insert(name.to_owned(), Some(value));
        }
    }

    /// Sets all layers except the outermost one aside.
    pub(super) fn suspend_inner(&mut self) -> SuspendedLayers {
        let inner = self.layers.split_off(1.min(self.layers.len()));
        SuspendedLayers(inner)
    }

    /// Restores the layers that [`Scope::suspend_inner`] has set aside.
    pub(super) fn resume_inner(&mut self, inner: SuspendedLayers) {
        self.layers.truncate(1);
        self.layers.extend(inner.0);
    }

    /// Returns a mark for [`Scope::reset`].
    pub fn mark(&self) -> ScopeMark {
        ScopeMark(self.layers.len())
    }

    /// Removes the layers pushed since the mark.
    pub fn reset(&mut self, mark: ScopeMark) {
        self.layers.truncate(mark.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captures(groups: &[Option<&str>]) -> Captures {
        Captures {
            groups: groups.iter().map(|it| it.map(Into::into)).collect(),
        }
    }

    #[test]
    fn locals_shadow_outer_variables() {
        let mut scope = Scope::default();
        assert!(scope.set("x", 1.into()));
        assert!(!scope.set("x", 2.into()));
        let mark = scope.mark();
        scope.push_locals();
        assert!(!scope.is_outermost());
        assert!(scope.set("x", 3.into()));
        assert_eq!(scope.get("x"), Some(Binding::Value(&3.into())));
        assert_eq!(scope.get_outermost("x"), Some(Binding::Value(&1.into())));
        scope.reset(mark);
        assert_eq!(scope.get("x"), Some(Binding::Value(&1.into())));
        assert!(scope.is_outermost());
    }

    #[test]
    fn reset_removes_matches_but_keeps_variables() {
        let mut scope = Scope::default();
        assert_eq!(scope.match_variable(0), None);
        let mark = scope.mark();
        scope.push_match(captures(&[Some("ab"), None]));
        assert!(scope.set("x", 1.into()));
        assert_eq!(scope.match_variable(0), Some("ab".into()));
        assert_eq!(scope.match_variable(1), Some(Value::Undef));
        assert_eq!(scope.match_variable(7), Some(Value::Undef));
        scope.reset(mark);
        assert_eq!(scope.match_variable(0), None);
        assert_eq!(scope.get("x"), Some(Binding::Value(&1.into())));
    }
}
