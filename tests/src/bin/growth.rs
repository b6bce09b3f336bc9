//! Measures how the CPU time for sources of many shapes grows: `growth [--calls] [N] [NAME…]`. Each shape has N, 2N and
//! 4N parts, by default 1,000; an exponent above 1.2 is marked.

#![expect(clippy::print_stdout, reason = "a command-line program")]

use std::env;
use std::thread;
use std::time::Duration;

use pupil_tests::growth::{Shape, shapes, shapes_of_calls};
use pupil_tests::work::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Shorter times have no exponent.
const MIN_TIME: Duration = Duration::from_millis(100);

/// A source that takes longer is not doubled again.
const MAX_TIME: Duration = Duration::from_secs(20);

fn main() {
    let (mut count, mut names, mut all) = (1_000, Vec::new(), shapes());
    for argument in env::args().skip(1) {
        match argument.parse() {
            Ok(it) => count = it,
            Err(_) if argument == "--calls" => all = shapes_of_calls(),
            Err(_) => names.push(argument),
        }
    }
    let is_wanted =
        move |it: &Shape| names.is_empty() || names.iter().any(|name| it.name.contains(name));
    let run = move || {
        all[0].measure(1);
        all.iter()
            .filter(|it| is_wanted(it))
            .for_each(|it| print(it, count));
    };
    let thread = thread::Builder::new().stack_size(16 << 20).spawn(run);
    let _ = thread.expect("a thread").join();
}

fn print(shape: &Shape, count: usize) {
    let mut measured = Vec::new();
    for factor in [1, 2, 4] {
        let found = shape.measure(factor * count);
        println!("{:40} {:8} parts {found}", shape.name, factor * count);
        measured.push(found.time);
        if found.time > MAX_TIME {
            println!("  too slow");
            return;
        }
    }
    if let [first, _, last] = measured[..]
        && last > MIN_TIME
    {
        let quotient = last.as_secs_f64() / first.as_secs_f64().max(0.001);
        let exponent = quotient.log2() / 2.0;
        let mark = if exponent > 1.2 { " !" } else { "" };
        println!("  exponent {exponent:.2}{mark}");
    }
}
