//! What whoever runs the tests wants otherwise.

use std::env;
use std::str::FromStr;

/// A number from the environment, or `default` if there is none.
pub fn number<T: FromStr>(name: &str, default: T) -> T {
    let given = env::var(name).ok();
    given.and_then(|it| it.parse().ok()).unwrap_or(default)
}

/// Whether something is to be tried: all is, or only what a variable names.
pub fn is_selected(name: &str, what: &str) -> bool {
    env::var(name).map_or(true, |it| it == what)
}

/// Where chance begins: another number in `PUPIL_SEED` takes other samples.
pub fn seed(default: u64) -> u64 {
    number("PUPIL_SEED", default)
}
