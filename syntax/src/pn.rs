//! Puppet's PN notation of a tree (`puppet parser dump --format pn`).

use crate::ast::SourceFile;

/// The tree in PN, as Puppet prints it.
pub fn to_pn(_file: &SourceFile) -> String {
    String::new()
}
