//! Limits on the work of an evaluation.

use std::cell::Cell;

use super::EvalFailure;

/// The maximum nesting depth of the evaluated expressions.
const MAX_DEPTH: u32 = 3_000;

/// The maximum depth of calls of blocks and functions. Puppet itself overflows its stack at 150 to
/// 300 calls, depending on their bodies.
const MAX_CALLS: u32 = 150;

/// The remaining work of an evaluation: about one unit per expression, created value or byte of a
/// string. Shared by all evaluations that answer one query.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    depth: Cell<u32>,
    calls: Cell<u32>,
}

impl Budget {
    /// Creates a budget. A million units are spent in a few tens of milliseconds.
    pub fn new(units: u64) -> Budget {
        Budget {
            left: Cell::new(units),
            depth: Cell::new(0),
            calls: Cell::new(0),
        }
    }

    /// Returns the remaining units.
    pub fn remaining(&self) -> u64 {
        self.left.get()
    }

    /// Sets the remaining units.
    pub fn refill(&self, units: u64) {
        self.left.set(units);
    }

    /// Subtracts units.
    ///
    /// # Errors
    ///
    /// Unknown if fewer units remain.
    pub fn spend(&self, units: u64) -> Result<(), EvalFailure> {
        match self.left.get().checked_sub(units) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.left.set(0);
                Err(EvalFailure::unknown("evaluation takes too many steps"))
            }
        }
    }

    /// Runs a function one nesting level deeper, and grows the stack if needed.
    ///
    /// # Errors
    ///
    /// Unknown if the nesting is too deep, else the error of the function.
    pub fn recurse<T, E: From<EvalFailure>>(
        &self,
        run: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let depth = self.depth.get();
        if depth >= MAX_DEPTH {
            return Err(EvalFailure::unknown("expression is nested too deeply").into());
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
    /// Unknown if the calls are nested too deeply, else the error of the body.
    pub fn call<T, E: From<EvalFailure>>(
        &self,
        run: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let calls = self.calls.get();
        if calls >= MAX_CALLS {
            return Err(EvalFailure::unknown("calls are nested too deeply").into());
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
    fn spends_until_nothing_is_left() {
        let budget = Budget::new(3);
        assert_eq!(budget.spend(2), Ok(()));
        assert!(budget.spend(2).is_err());
        assert!(budget.spend(1).is_err());
        budget.refill(1);
        assert_eq!(budget.spend(1), Ok(()));
    }

    #[test]
    fn limits_the_depth() {
        fn down(budget: &Budget) -> Result<(), EvalFailure> {
            budget.recurse(|| down(budget))
        }
        let budget = Budget::new(0);
        assert!(down(&budget).is_err());
        assert_eq!(budget.recurse(|| Ok::<_, EvalFailure>(1)), Ok(1));
    }
}
