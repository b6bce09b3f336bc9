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
    /// Whether calls were nested too deeply, until the outermost one returns.
    is_too_deep: Cell<bool>,
}

/// The reason why the rest of code is unknown whose calls are nested too deeply.
const TOO_MANY_CALLS: &str = "calls are nested too deeply";

impl Budget {
    /// Creates a budget. A million units are spent in a few tens of milliseconds.
    pub fn new(units: u64) -> Budget {
        Budget {
            left: Cell::new(units),
            depth: Cell::new(0),
            calls: Cell::new(0),
            is_too_deep: Cell::new(false),
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

    /// Checks whether the calls around the evaluated code are nested too deeply.
    pub fn is_too_deep(&self) -> bool {
        self.is_too_deep.get()
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
        if self.is_too_deep.get() {
            return Err(EvalFailure::unknown(TOO_MANY_CALLS).into());
        }
        let depth = self.depth.get();
        if depth >= MAX_DEPTH {
            self.is_too_deep.set(self.calls.get() > 0);
            return Err(EvalFailure::unknown("expression is nested too deeply").into());
        }
        self.depth.set(depth + 1);
        let result = base::with_growing_stack(run);
        self.depth.set(depth);
        result
    }

    /// Runs the body of a block or function. If calls are nested too deeply, all evaluation fails until the outermost
    /// one returns: a function that calls itself twice would take exponential time where an unknown value ends only the
    /// statement.
    ///
    /// # Errors
    ///
    /// Unknown if the calls are nested too deeply, else the error of the body.
    pub fn call<T, E: From<EvalFailure>>(
        &self,
        run: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let calls = self.calls.get();
        if calls >= MAX_CALLS || self.is_too_deep.get() {
            self.is_too_deep.set(true);
            return Err(EvalFailure::unknown(TOO_MANY_CALLS).into());
        }
        self.calls.set(calls + 1);
        let result = run();
        self.calls.set(calls);
        if calls == 0 {
            self.is_too_deep.set(false);
        }
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

    #[test]
    fn calls_that_are_too_deep_end_all_calls() {
        fn twice(budget: &Budget, count: &Cell<u32>) -> Result<(), EvalFailure> {
            count.set(count.get() + 1);
            let first = budget.call(|| twice(budget, count));
            let second = budget.call(|| twice(budget, count));
            first.or(second)
        }
        let (budget, count) = (Budget::new(0), Cell::new(0));
        assert!(budget.call(|| twice(&budget, &count)).is_err());
        assert_eq!(count.get(), MAX_CALLS);
        assert_eq!(budget.call(|| Ok::<_, EvalFailure>(1)), Ok(1));
    }
}
