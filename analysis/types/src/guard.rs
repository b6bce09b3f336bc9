//! Termination of the type algebra: Puppet's guard against recursive aliases, and our own limits.
//!
//! Puppet's guard affects results, not only termination (an alias that recurs on both sides counts
//! as assignable), and it is created where the first recursive alias is encountered. It is
//! therefore modelled exactly: two sets of identities and a state of two bits.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use crate::Alias;
use crate::values::Value;

/// An alias recurs on the left side.
const THIS: u8 = 1;
/// An alias or value recurs on the right side.
const THAT: u8 = 2;
/// Both sides recur.
pub(super) const BOTH: u8 = THIS | THAT;

/// The identity of an alias or value, for detecting recursion.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Identity {
    /// An alias, by name.
    Alias(Arc<str>),
    /// A value that Ruby represents as an immediate, compared by content.
    Immediate(Value),
    /// Any other value, compared by address.
    Place(usize),
}

impl Identity {
    /// Returns the identity that the value has in Ruby.
    pub(super) fn of(value: &Value) -> Identity {
        match value {
            Value::Undef
            | Value::Default
            | Value::Boolean(_)
            | Value::Integer(_)
            | Value::Float(_) => Identity::Immediate(value.clone()),
            _ => Identity::Place(std::ptr::from_ref(value) as usize),
        }
    }
}

/// Puppet's recursion guard.
#[derive(Default)]
pub(super) struct Guard {
    state: Cell<u8>,
    this: RefCell<Vec<Identity>>,
    that: RefCell<Vec<Identity>>,
}

impl Guard {
    /// Runs `body` with `id` marked on the left side, and passes it the state.
    pub(super) fn with_this<R>(&self, id: Identity, body: impl FnOnce(u8) -> R) -> R {
        self.within(&self.this, THIS, id, body)
    }

    /// Runs `body` with `id` marked on the right side, and passes it the state.
    pub(super) fn with_that<R>(&self, id: Identity, body: impl FnOnce(u8) -> R) -> R {
        self.within(&self.that, THAT, id, body)
    }

    fn within<R>(
        &self,
        side: &RefCell<Vec<Identity>>,
        bit: u8,
        id: Identity,
        body: impl FnOnce(u8) -> R,
    ) -> R {
        if self.state.get() & bit == 0 {
            if side.borrow().contains(&id) {
                self.state.set(self.state.get() | bit);
            } else {
                side.borrow_mut().push(id.clone());
                let result = body(self.state.get());
                self.state.set(self.state.get() & !bit);
                side.borrow_mut().retain(|it| *it != id);
                return result;
            }
        }
        body(self.state.get())
    }

    /// Marks `id` on the right side permanently, and returns the state.
    pub(super) fn add_that(&self, id: Identity) -> u8 {
        if self.state.get() & THAT == 0 {
            let mut that = self.that.borrow_mut();
            if that.contains(&id) {
                self.state.set(self.state.get() | THAT);
            } else {
                that.push(id);
            }
        }
        self.state.get()
    }

    /// Checks whether the left side recurs in this state.
    pub(super) fn this_recurs(state: u8) -> bool {
        state & THIS != 0
    }
}

/// The maximum depth of a query. Puppet overflows its stack at a depth that depends on the machine;
/// real types stay far below.
const MAX_DEPTH: u32 = 192;
/// The maximum number of steps of a query.
const MAX_STEPS: u32 = 400_000;

/// A query of the type algebra, with its limits and the certainty of the answer.
#[derive(Default)]
pub(super) struct Question {
    depth: Cell<u32>,
    steps: Cell<u32>,
    unknown: Cell<bool>,
}

impl Question {
    /// Runs `body` one level deeper; at a limit, returns `otherwise` and marks the answer as
    /// uncertain.
    pub(super) fn deeper<R>(&self, otherwise: R, body: impl FnOnce() -> R) -> R {
        if self.depth.get() >= MAX_DEPTH || self.steps.get() >= MAX_STEPS {
            self.doubt();
            return otherwise;
        }
        self.depth.set(self.depth.get() + 1);
        self.steps.set(self.steps.get() + 1);
        let result = body();
        self.depth.set(self.depth.get() - 1);
        result
    }

    /// Marks the answer as uncertain.
    pub(super) fn doubt(&self) {
        self.unknown.set(true);
    }

    /// Marks the answer as uncertain if it depends on which of several aliases that refer to each other Puppet has
    /// resolved first.
    pub(super) fn doubt_recursion(&self, alias: &Alias, recurs: bool) {
        if recurs && alias.is_mutually_recursive() {
            self.doubt();
        }
    }

    /// Returns the answer if it is certain.
    pub(super) fn certain<R>(&self, answer: R) -> Option<R> {
        (!self.unknown.get()).then_some(answer)
    }
}
