//! What keeps the algebra from running forever: Puppet's guard against recursive aliases, and our
//! own limits.
//!
//! Puppet's guard decides answers, not only termination (an alias that meets itself on both sides
//! is taken to be assignable), and it is created where the first recursive alias is met. So it is
//! modelled as it is: two sets of identities and a state of two bits.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use crate::values::Value;

/// The left side has met an alias again.
const THIS: u8 = 1;
/// The right side, or the value, has been met again.
const THAT: u8 = 2;
/// Both have.
pub(super) const BOTH: u8 = THIS | THAT;

/// What something on the way is recognised by.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Identity {
    /// An alias, by name.
    Alias(Arc<str>),
    /// A value that Ruby keeps once, by content.
    Immediate(Value),
    /// Any other value, by where it is.
    Place(usize),
}

impl Identity {
    /// What Ruby would take for the identity of a value.
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

/// Puppet's guard.
#[derive(Default)]
pub(super) struct Guard {
    state: Cell<u8>,
    this: RefCell<Vec<Identity>>,
    that: RefCell<Vec<Identity>>,
}

impl Guard {
    /// Runs `body` with `id` marked on the left side; it gets the state.
    pub(super) fn with_this<R>(&self, id: Identity, body: impl FnOnce(u8) -> R) -> R {
        self.within(&self.this, THIS, id, body)
    }

    /// Runs `body` with `id` marked on the right side; it gets the state.
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

    /// Marks `id` on the right side for good, and gives the state.
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

    /// Whether the state says that the left side has met an alias again.
    pub(super) fn this_recurs(state: u8) -> bool {
        state & THIS != 0
    }
}

/// How deep a question may go. Puppet itself runs out of stack at some depth that depends on the
/// machine; types that people write stay far below.
const MAX_DEPTH: u32 = 192;
/// How many steps a question may take.
const MAX_STEPS: u32 = 400_000;

/// One question to the algebra: its limits, and whether the answer is certain.
#[derive(Default)]
pub(super) struct Question {
    depth: Cell<u32>,
    steps: Cell<u32>,
    unknown: Cell<bool>,
}

impl Question {
    /// Goes one step deeper, or gives `otherwise` and makes the answer uncertain at the limit.
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

    /// Marks the answer as uncertain: something could not be found out.
    pub(super) fn doubt(&self) {
        self.unknown.set(true);
    }

    /// The answer if it is certain.
    pub(super) fn certain<R>(&self, answer: R) -> Option<R> {
        (!self.unknown.get()).then_some(answer)
    }
}
