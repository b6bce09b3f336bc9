//! Inference in real code: its results compared with the values in Puppet, random edits, and
//! hostile code.

mod edits;
mod hostile;
mod recorded_values;

use pupil_tests::work::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
