//! The work for sources of many shapes grows no faster than the sources.
//!
//! Each shape repeats a part n, 2n and 4n times. The work from 2n to 4n is twice that from n to 2n if it is linear, and
//! four times if it is quadratic. The work is counted in allocations, which do not depend on the machine; the program
//! `growth` measures CPU time.

use std::thread;

use pupil_tests::growth::{Shape, shapes, shapes_of_calls};
use pupil_tests::work::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The stack size of the program's threads that traverse trees.
const STACK_SIZE: usize = 16 << 20;

/// The maximum quotient of the work from 2n to 4n and that from n to 2n: an exponent of 1.2, and tables that double
/// their size.
const MAX_QUOTIENT: f64 = 2.6;

/// The number and the size of allocations that are not examined.
const SLACK: [f64; 2] = [100_000.0, 40_000_000.0];

/// Shapes that nest. The depth is limited to 1,000, and work may grow with the product of size and depth. Also names
/// that thousands of definitions share.
const NESTED: [&str; 8] = [
    "access_chain",
    "call_chain",
    "conjunction",
    "disjunction",
    "elsifs",
    "queries",
    "sum",
    "equal_classes",
];

/// Returns why the work for a shape grows too fast.
fn problem_of(shape: &Shape, count: usize) -> Option<String> {
    let measured = [1, 2, 4].map(|it| shape.measure(it * count));
    #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
    let counts = measured.map(|it| [it.work.allocations as f64, it.work.allocated as f64]);
    let is_wrong = |index: usize| {
        let [small, middle, large] = counts.map(|it| it[index]);
        let slack = SLACK[index];
        large - middle > slack && large - middle > MAX_QUOTIENT * (middle - small).max(slack / 4.0)
    };
    let [small, middle, large] = measured;
    let name = &shape.name;
    let message = || format!("{name}:\n  {small}\n  {middle}\n  {large}");
    (0..SLACK.len()).any(is_wrong).then(message)
}

/// Asserts that the work for no shape grows too fast.
fn assert_linear(shapes: Vec<Shape>, count: usize) {
    let examine = move || {
        // Values that are computed once for all sources do not count.
        shapes[0].measure(1);
        let flat = shapes
            .iter()
            .filter(|it| !NESTED.contains(&it.name.as_str()));
        let problems = flat.filter_map(|it| problem_of(it, count));
        problems.collect::<Vec<String>>()
    };
    let thread = thread::Builder::new().stack_size(STACK_SIZE);
    let thread = thread.spawn(examine).expect("a thread");
    let problems = thread.join().expect("no source causes a panic");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Asserts that the work for a part of the shapes is linear.
fn assert_part_is_linear(part: usize) {
    let some = shapes()
        .into_iter()
        .enumerate()
        .filter(|it| it.0 % 3 == part);
    assert_linear(some.map(|it| it.1).collect(), 150);
}

// Tests run in parallel.

#[test]
fn work_for_code_and_data_is_linear_1() {
    assert_part_is_linear(0);
}

#[test]
fn work_for_code_and_data_is_linear_2() {
    assert_part_is_linear(1);
}

#[test]
fn work_for_code_and_data_is_linear_3() {
    assert_part_is_linear(2);
}

#[test]
fn work_for_calls_is_linear() {
    assert_linear(shapes_of_calls(), 60);
}
