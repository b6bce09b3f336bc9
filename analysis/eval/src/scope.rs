//! The variables that running code has assigned.
//!
//! Puppet keeps local variables and the results of regular expression matches on one stack: each
//! match puts a layer on it, a conditional takes its matches away again, and a lambda puts a layer
//! of locals on it. Variables go into the innermost locals, so that those assigned in an `if` stay.

use rustc_hash::FxHashMap;

use types::values::{Captures, Value};

/// The layers of one scope: of the top, or of the body of a class, defined type or function.
#[derive(Debug)]
pub struct Scope {
    layers: Vec<Layer>,
}

#[derive(Debug)]
enum Layer {
    Locals(FxHashMap<String, Value>),
    /// Parameters while their defaults are evaluated: nothing for those whose turn has not come.
    Parameters(FxHashMap<String, Option<Value>>),
    Match(Captures),
}

/// What there is under the name of a variable.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Found<'a> {
    /// Its value.
    Value(&'a Value),
    /// A parameter that has no value yet.
    Pending,
}

/// The layers inside of the outermost one, put aside while a function runs.
#[derive(Debug)]
pub(super) struct Inner(Vec<Layer>);

/// How many layers there were at some time.
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

impl Default for Scope {
    fn default() -> Scope {
        Scope {
            layers: vec![Layer::Locals(FxHashMap::default())],
        }
    }
}

impl Scope {
    /// What is known of a variable, by its name without a dollar sign.
    pub fn get(&self, name: &str) -> Option<Found<'_>> {
        self.layers.iter().rev().find_map(|it| match it {
            Layer::Locals(variables) => variables.get(name).map(Found::Value),
            Layer::Parameters(parameters) => parameters
                .get(name)
                .map(|it| it.as_ref().map_or(Found::Pending, Found::Value)),
            Layer::Match(_) => None,
        })
    }

    /// The value of a variable of the outermost layer.
    pub fn get_outermost(&self, name: &str) -> Option<&Value> {
        match self.layers.first() {
            Some(Layer::Locals(variables)) => variables.get(name),
            _ => None,
        }
    }

    /// Assigns a variable in the innermost locals. False if it has a value there already.
    pub fn set(&mut self, name: &str, value: Value) -> bool {
        let locals = self.layers.iter_mut().rev().find_map(|it| match it {
            Layer::Locals(variables) => Some(variables),
            Layer::Parameters(_) | Layer::Match(_) => None,
        });
        let Some(locals) = locals else {
            return false;
        };
        if locals.contains_key(name) {
            return false;
        }
        locals.insert(name.to_owned(), value);
        true
    }

    /// Whether variables are assigned to the outermost layer.
    pub fn is_outermost(&self) -> bool {
        let is_locals = |it: &Layer| matches!(it, Layer::Locals(_));
        self.layers.iter().rposition(is_locals) == Some(0)
    }

    /// What group `number` of the last match captured: nothing if there was no match.
    pub fn group(&self, number: usize) -> Option<Value> {
        self.layers.iter().rev().find_map(|it| match it {
            Layer::Match(found) => {
                let group = found.groups.get(number).cloned().flatten();
                Some(group.map_or(Value::Undef, Value::String))
            }
            Layer::Locals(_) | Layer::Parameters(_) => None,
        })
    }

    /// Remembers a match.
    pub fn matched(&mut self, captures: Captures) {
        self.layers.push(Layer::Match(captures));
    }

    /// Keeps only the variables of the outermost layer.
    pub fn forget_matches(&mut self) {
        self.layers.truncate(1);
    }

    /// Opens a layer of locals.
    pub fn open(&mut self) {
        self.layers.push(Layer::Locals(FxHashMap::default()));
    }

    /// Opens a layer of parameters that have no values yet.
    pub(super) fn open_parameters(&mut self, names: impl Iterator<Item = String>) {
        let parameters = names.map(|it| (it, None)).collect();
        self.layers.push(Layer::Parameters(parameters));
    }

    /// Gives a parameter of the innermost layer of them its value.
    pub(super) fn set_parameter(&mut self, name: &str, value: Value) {
        let innermost = self.layers.iter_mut().rev().find_map(|it| match it {
            Layer::Parameters(parameters) => Some(parameters),
            Layer::Locals(_) | Layer::Match(_) => None,
        });
        if let Some(parameters) = innermost {
            parameters.insert(name.to_owned(), Some(value));
        }
    }

    /// Puts everything aside but the outermost layer.
    pub(super) fn leave(&mut self) -> Inner {
        let inner = self.layers.split_off(1.min(self.layers.len()));
        Inner(inner)
    }

    /// Comes back to where [`Scope::leave`] left.
    pub(super) fn enter(&mut self, inner: Inner) {
        self.layers.truncate(1);
        self.layers.extend(inner.0);
    }

    /// How many layers there are.
    pub fn mark(&self) -> Mark {
        Mark(self.layers.len())
    }

    /// Takes away what came on top since then.
    pub fn reset(&mut self, mark: Mark) {
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
    fn locals_hide_and_go() {
        let mut scope = Scope::default();
        assert!(scope.set("x", 1.into()));
        assert!(!scope.set("x", 2.into()));
        let mark = scope.mark();
        scope.open();
        assert!(!scope.is_outermost());
        assert!(scope.set("x", 3.into()));
        assert_eq!(scope.get("x"), Some(Found::Value(&3.into())));
        assert_eq!(scope.get_outermost("x"), Some(&Value::from(1)));
        scope.reset(mark);
        assert_eq!(scope.get("x"), Some(Found::Value(&1.into())));
        assert!(scope.is_outermost());
    }

    #[test]
    fn matches_go_but_variables_stay() {
        let mut scope = Scope::default();
        assert_eq!(scope.group(0), None);
        let mark = scope.mark();
        scope.matched(captures(&[Some("ab"), None]));
        assert!(scope.set("x", 1.into()));
        assert_eq!(scope.group(0), Some("ab".into()));
        assert_eq!(scope.group(1), Some(Value::Undef));
        assert_eq!(scope.group(7), Some(Value::Undef));
        scope.reset(mark);
        assert_eq!(scope.group(0), None);
        assert_eq!(scope.get("x"), Some(Found::Value(&1.into())));
    }
}
