//! Limits on the work that an evaluation may take.

use std::cell::Cell;

use super::Halt;

/// How deep expressions may be nested in each other while they are evaluated.
const MAX_DEPTH: u32 = 3_000;

/// How deep blocks and functions may call each other. Puppet itself runs out of stack somewhere
/// between 150 and 300, by what is inside of them.
const MAX_CALLS: u32 = 150;

/// What is left to spend: about a unit for each expression, and one for each value or byte of text
/// that is made. Shared by all that is evaluated to answer one question.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    depth: Cell<u32>,
    calls: Cell<u32>,
}

impl Budget {
    /// A budget of so many units; a million are spent in a few tens of milliseconds.
    pub fn new(units: u64) -> Budget {
        Budget {
            left: Cell::new(units),
            depth: Cell::new(0),
            calls: Cell::new(0),
        }
    }

    /// What is left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Makes it as large as that again.
    pub fn refill(&self, units: u64) {
        self.left.set(units);
    }

    /// Takes units away.
    ///
    /// # Errors
    ///
    /// Unknown, if there are not enough.
    pub fn spend(&self, units: u64) -> Result<(), Halt> {
        match self.left.get().checked_sub(units) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.left.set(0);
                Err(Halt::unknown("it takes too long to evaluate"))
            }
        }
    }

    /// Runs something one level deeper, on as much stack as it needs.
    ///
    /// # Errors
    ///
    /// Unknown, if it is too deep; else whatever it comes to.
    pub fn deeper<T, E: From<Halt>>(&self, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let depth = self.depth.get();
        if depth >= MAX_DEPTH {
            return Err(Halt::unknown("it is nested too deeply").into());
        }
        self.depth.set(depth + 1);
        let result = base::with_growing_stack(run);
        self.depth.set(depth);
        result
    }

    /// Runs the body of a block or function.
    ///
    /// # Errors
    ///
    /// Unknown, if too many are running; else whatever it comes to.
    pub fn call<T, E: From<Halt>>(&self, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let calls = self.calls.get();
        if calls >= MAX_CALLS {
            return Err(Halt::unknown("functions call each other too deeply").into());
        }
        self.calls.set(calls + 1);
        let result = run();
        self.calls.set(calls);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_is_gone() {
        let budget = Budget::new(3);
        assert_eq!(budget.spend(2), Ok(()));
        assert!(budget.spend(2).is_err());
        assert!(budget.spend(1).is_err());
        budget.refill(1);
        assert_eq!(budget.spend(1), Ok(()));
    }

    #[test]
    fn depth_ends() {
        fn down(budget: &Budget) -> Result<(), Halt> {
            budget.deeper(|| down(budget))
        }
        let budget = Budget::new(0);
        assert!(down(&budget).is_err());
        assert_eq!(budget.deeper(|| Ok::<_, Halt>(1)), Ok(1));
    }
}
