//! The rules for names: their documentation, mistakes planted in real code, and what they say
//! about Debian's modules.

mod debian;
mod fixes;
mod pages;
mod planted;

use pupil_tests::corpus::modules_dir;
use pupil_tests::world::{ModuleSource, read_modules};

/// Debian's modules.
fn debian_modules() -> Vec<ModuleSource> {
    read_modules(&modules_dir()).expect("Debian's modules are installed")
}
