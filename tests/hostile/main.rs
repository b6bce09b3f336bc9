//! Sources that are made to exhaust time or memory: each gets an answer within limits.
//!
//! Memory is measured here, because nothing else runs in this process. Work is measured in units of
//! the evaluation budget; the time is only printed (with `--nocapture`).

mod sources;

use std::time::Instant;

use analysis::{EvalSettings, Evaluation, evaluate};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The maximum memory per answer, in MB.
const MAX_GROWTH: f32 = 64.0;

/// The stack size of the program's threads that traverse trees.
const STACK_SIZE: usize = 16 << 20;

// A single test, because memory of other threads would be counted too.
#[test]
fn hostile_sources_stay_within_limits() {
    let run = || {
        for (name, source) in sources::all() {
            MEMORY.reset_peak_usage();
            let before = MEMORY.current_usage_as_mb();
            let start = Instant::now();
            let answer = evaluate(&source, EvalSettings::default());
            let took = start.elapsed();
            let grown = MEMORY.peak_usage_as_mb() - before;
            eprintln!(
                "{:4} ms {grown:5.1} MB {name}: {}",
                took.as_millis(),
                summary(&answer)
            );
            assert!(grown < MAX_GROWTH, "{name} took {grown} MB");
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
