//! The choices that the first byte of an input makes, for all targets alike.

use syntax::Dialect;
use syntax::validation::PuppetVersion;

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
