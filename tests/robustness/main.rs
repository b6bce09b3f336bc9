//! Any input gets an answer that covers all of its text, without a panic, a stack overflow or a
//! hang.

mod binary;
mod invariants;
mod large;
mod nesting;
mod random;

use pupil_tests::work::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
