//! Counted work, for tests that limit it independently of the machine and its load.
//!
//! A test binary that counts allocations installs the allocator:
//!
//! ```ignore
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//! ```
//!
//! Allocations measure traversals too, because cursors of syntax trees allocate for each node.
//! They are counted per thread, so tests may run in parallel.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicIsize, Ordering};

/// Work of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Work {
    /// The number of allocations.
    pub allocations: u64,
    /// The size of all allocations, in bytes.
    pub allocated: u64,
    /// The number of steps of the lexer and the parser.
    pub syntax_steps: u64,
}

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static ALLOCATED: Cell<u64> = const { Cell::new(0) };
}

/// The size of all live allocations of the process, in bytes, and its maximum.
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

/// Runs a function and returns how far the live allocations of the process grew meanwhile, in bytes.
/// The process should not do other work at the same time.
pub fn peak_growth<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = run();
    let growth = PEAK.load(Ordering::Relaxed) - before;
    (result, usize::try_from(growth).unwrap_or_default())
}

impl Work {
    /// Returns the work of the current thread since its start.
    fn now() -> Work {
        Work {
            allocations: ALLOCATIONS.get(),
            allocated: ALLOCATED.get(),
            syntax_steps: syntax::counted_steps(),
        }
    }

    /// Runs a function and returns its work.
    pub fn of<T>(run: impl FnOnce() -> T) -> (T, Work) {
        let before = Work::now();
        let result = run();
        let after = Work::now();
        let work = Work {
            allocations: after.allocations - before.allocations,
            allocated: after.allocated - before.allocated,
            syntax_steps: after.syntax_steps - before.syntax_steps,
        };
        (result, work)
    }

    /// Asserts that the work is linear in the size of the input: that no count exceeds the one in
    /// `per_unit` times the size.
    ///
    /// # Panics
    /// If one does.
    pub fn assert_linear(&self, name: &str, size: usize, per_unit: Work) {
        let limit = Work {
            allocations: per_unit.allocations * size as u64,
            allocated: per_unit.allocated * size as u64,
            syntax_steps: per_unit.syntax_steps * size as u64,
        };
        self.assert_within(&format!("{name} (size {size})"), limit);
    }

    /// Asserts that no count exceeds its limit.
    ///
    /// # Panics
    /// If one does.
    pub fn assert_within(&self, name: &str, limit: Work) {
        assert!(
            self.allocations <= limit.allocations
                && self.allocated <= limit.allocated
                && self.syntax_steps <= limit.syntax_steps,
            "{name}: {self}\nexceeds the limit: {limit}"
        );
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} allocations, {} bytes, {} steps of lexer and parser",
            self.allocations, self.allocated, self.syntax_steps
        )
    }
}

/// The system's allocator, which counts.
#[derive(Debug)]
pub struct CountingAllocator;

/// Counts an allocation, or a reallocation of a block that had another size.
fn count(size: usize, old_size: usize) {
    ALLOCATIONS.set(ALLOCATIONS.get() + 1);
    ALLOCATED.set(ALLOCATED.get() + size.saturating_sub(old_size) as u64);
    let growth = size.cast_signed() - old_size.cast_signed();
    let live = LIVE.fetch_add(growth, Ordering::Relaxed) + growth;
    PEAK.fetch_max(live, Ordering::Relaxed);
}

#[expect(unsafe_code, reason = "allocators are unsafe")]
// SAFETY: All calls are forwarded unchanged. Counting neither allocates nor panics: the thread-local
// cells are initialized statically and have no destructor.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: The caller fulfills the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size().cast_signed(), Ordering::Relaxed);
        // SAFETY: The caller fulfills the contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: The caller fulfills the contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: The caller fulfills the contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
