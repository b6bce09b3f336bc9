//! The environment variables of the tests. `tests/README.md` describes each of them.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

/// Checks whether snapshots are updated and ceilings are lowered: `PUPIL_BLESS`.
pub fn bless() -> bool {
    env::var_os("PUPIL_BLESS").is_some()
}

/// Returns the path of the binary under test: `PUPIL`.
pub fn pupil() -> Option<PathBuf> {
    path("PUPIL")
}

/// Returns the directory of the modules: `PUPIL_MODULES`.
pub fn modules() -> Option<PathBuf> {
    path("PUPIL_MODULES")
}

/// Returns the seed of random samples: `PUPIL_SEED`, or a default.
pub fn seed(default: u64) -> u64 {
    number("PUPIL_SEED").unwrap_or(default)
}

/// Returns the number of samples per code action: `PUPIL_ACTIONS`.
pub fn actions() -> usize {
    number("PUPIL_ACTIONS").unwrap_or(500)
}

/// Checks whether an assist is tested: all are, or only `PUPIL_ACTIONS_ONLY`.
pub fn is_action_selected(id: &str) -> bool {
    env::var("PUPIL_ACTIONS_ONLY").map_or(true, |it| it == id)
}

/// Returns the number of names to rename: `PUPIL_RENAME_SAMPLES`.
pub fn rename_samples() -> usize {
    number("PUPIL_RENAME_SAMPLES").unwrap_or(300)
}

/// Returns the number of mistakes to plant per kind: `PUPIL_PLANTED`.
pub fn planted() -> usize {
    number("PUPIL_PLANTED").unwrap_or(12)
}

/// Returns the number of mistakes and correct examples that Puppet compiles: `PUPIL_COMPILED`.
pub fn compiled() -> usize {
    number("PUPIL_COMPILED").unwrap_or(usize::MAX)
}

/// Returns the file in which renames are recorded for `tests/oracle/renames`: `PUPIL_RENAMES`.
pub fn renames() -> Option<PathBuf> {
    path("PUPIL_RENAMES")
}

/// Returns the number of rounds of tests with random edits: `PUPIL_ROUNDS`.
pub fn rounds() -> usize {
    number("PUPIL_ROUNDS").unwrap_or(40)
}

/// Checks whether completion is tested without the rest of the file: `PUPIL_CUT`.
pub fn cut() -> bool {
    env::var_os("PUPIL_CUT").is_some()
}

/// Checks whether names that are not offered are printed: `PUPIL_MISSES`.
pub fn misses() -> bool {
    env::var_os("PUPIL_MISSES").is_some()
}

/// Returns the recording of evaluations to use instead of the one in the repository:
/// `PUPIL_EVALUATIONS`.
pub fn evaluations() -> Option<PathBuf> {
    path("PUPIL_EVALUATIONS")
}

/// Returns the recording of questions about types to use instead of the one in the repository:
/// `PUPIL_TYPE_QUESTIONS`.
pub fn type_questions() -> Option<PathBuf> {
    path("PUPIL_TYPE_QUESTIONS")
}

/// Checks whether outdated `todo` marks are removed from the documents: `PUPIL_MDTEST_UNMARK`.
pub fn unmark() -> bool {
    env::var_os("PUPIL_MDTEST_UNMARK").is_some()
}

fn path(name: &str) -> Option<PathBuf> {
    env::var_os(name)
        .filter(|it: &OsString| !it.is_empty())
        .map(PathBuf::from)
}

fn number<T: FromStr>(name: &str) -> Option<T> {
    env::var(name).ok()?.parse().ok()
}
