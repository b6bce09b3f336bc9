//! The choices that the first byte of an input makes, for all targets alike, and workspaces for those that need more
//! than one file.

pub mod compiled;
pub mod mutate;
pub mod nodes;
pub mod workspace;

use syntax::validation::PuppetVersion;
use syntax::{Dialect, TextRange};

/// Returns the language.
pub fn dialect(choice: u8) -> Dialect {
    Dialect {
        epp: choice & 1 != 0,
        tasks: choice & 2 != 0,
    }
}

/// Returns the release.
pub fn version(choice: u8) -> PuppetVersion {
    match choice & 4 {
        0 => PuppetVersion::V8,
        _ => PuppetVersion::V7,
    }
}

/// Checks whether a range is inside a source and does not split characters.
pub fn contains(text: &str, range: TextRange) -> bool {
    text.get(usize::from(range.start())..usize::from(range.end()))
        .is_some()
}
