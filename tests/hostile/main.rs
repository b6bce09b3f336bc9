//! Sources that are made to exhaust time or memory: each gets an answer within limits.
//!
//! Work is measured in allocations and in units of the evaluation budget, memory in live
//! allocations. Times are not asserted, because they depend on the machine.

mod sources;

use analysis::{EvalSettings, Evaluation, Session};
use pupil_tests::work::{CountingAllocator, Work, peak_growth};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The maximum memory per answer, in bytes.
const MAX_GROWTH: usize = 64 << 20;

/// The maximum work per answer. The evaluation budget limits it, regardless of the source.
const MAX_WORK: Work = Work {
    allocations: 2_000_000,
    allocated: 256 << 20,
    syntax_steps: 3_000_000,
};

/// The stack size of the program's threads that traverse trees.
const STACK_SIZE: usize = 16 << 20;

// A single test, because memory of other threads would be counted too.
#[test]
fn hostile_sources_stay_within_limits() {
    let run = || {
        for (name, source) in sources::all() {
            let mut session = Session::new(EvalSettings::default());
            let ((answer, work), growth) = peak_growth(|| Work::of(|| session.evaluate(&source)));
            eprintln!(
                "{name}: {} units, {growth} bytes, {work}: {}",
                session.spent(),
                summary(&answer)
            );
            work.assert_within(&name, MAX_WORK);
            assert!(growth < MAX_GROWTH, "{name} takes {growth} bytes");
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
    let thread = thread.spawn(run).expect("the thread starts");
    assert!(thread.join().is_ok());
}

fn summary(answer: &Evaluation) -> &str {
    match answer {
        Evaluation::Value(it) => it
            .type_generalized
            .get(..60)
            .unwrap_or(&it.type_generalized),
        Evaluation::Error(it) => &it.message,
        Evaluation::Unknown(why) => why,
    }
}
