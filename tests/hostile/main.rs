//! Sources made to use up time or memory: each gets an answer, and little memory is taken for it.
//!
//! Memory is counted here, where nothing else runs. Time is only printed (with `--nocapture`, and
//! worth something with `--release`): machines are noisy.

mod sources;

use std::time::Instant;

use analysis::{EvalSettings, Evaluation, evaluate};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What an answer may take, in MB.
const MAX_GROWTH: f32 = 64.0;

/// The stack of the threads that walk trees in the program.
const STACK_SIZE: usize = 16 << 20;

// One test: what another one takes at the same time would be counted too.
#[test]
fn hostile_sources_get_an_answer_in_little_memory() {
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
                shown(&answer)
            );
            assert!(grown < MAX_GROWTH, "{name} took {grown} MB");
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
    let thread = thread.spawn(run).expect("a thread can be started");
    assert!(thread.join().is_ok());
}

fn shown(answer: &Evaluation) -> &str {
    match answer {
        Evaluation::Value(it) => it
            .type_generalized
            .get(..60)
            .unwrap_or(&it.type_generalized),
        Evaluation::Error(it) => &it.message,
        Evaluation::Unknown(why) => why,
    }
}
