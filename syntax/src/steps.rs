//! Counts the steps of lexers, parsers and checks, for tests that limit them.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Returns the number of steps on this thread so far: tokens that were produced or looked up, bytes
/// that were searched ahead, and symbols and nodes of regular expressions that were visited. Only
/// counted with debug assertions.
pub fn counted_steps() -> u64 {
    STEPS.get()
}

/// Counts steps, also those of other crates that parse.
#[inline]
pub fn count_steps(number: usize) {
    if cfg!(debug_assertions) {
        STEPS.set(STEPS.get() + number as u64);
    }
}
