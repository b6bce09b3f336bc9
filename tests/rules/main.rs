//! The rules: their pages, fixes, mistakes planted in real code, and the diagnostics in Debian's
//! modules.

mod debian;
mod file_examples;
mod fixes;
mod messages;
mod mistakes;
mod pages;
mod planted;

use pupil_tests::corpus::modules_dir;
use pupil_tests::workspace::{TestModule, read_modules};

fn debian_modules() -> Vec<TestModule> {
    read_modules(&modules_dir()).expect("Debian's modules are installed")
}
