//! Puppet's PN notation of a file (`puppet parser dump --format pn`), byte for byte.
//!
//! The tree represents the source; PN represents Puppet's model of it. Where the two differ (nested
//! class names, calls of statement functions, unbraced hashes, resources without titles), this
//! module follows Puppet's `factory.rb` and `pn_transformer.rb`.

mod expressions;
mod literals;
#[cfg(test)]
mod tests;
mod writer;

pub use self::literals::float;
use self::writer::Pn;
use crate::ast::SourceFile;
use crate::model;

/// Returns a file in PN, as Puppet prints it. Missing parts of an invalid file appear as `(nop)`.
pub fn to_pn(file: &SourceFile) -> String {
    let mut out = String::new();
    expressions::pn(&model::lower(file)).write(&mut out);
    out
}

fn call(name: impl Into<String>, elements: Vec<Pn>) -> Pn {
    Pn::Call(name.into(), elements)
}
