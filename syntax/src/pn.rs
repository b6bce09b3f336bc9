//! Puppet's PN notation of a tree (`puppet parser dump --format pn`), byte for byte.
//!
//! The tree keeps what is written; PN shows Puppet's model of it. Where the two differ (nested
//! class names, calls of statement functions, unbraced hashes, resources without titles), this
//! module follows Puppet's `factory.rb` and `pn_transformer.rb`.

mod expressions;
mod literals;
mod writer;

pub use self::literals::float;
use self::writer::Pn;
use crate::ast::SourceFile;
use crate::model;

/// The tree in PN, as Puppet prints it. For a tree with damage the holes are shown as `(nop)`.
pub fn to_pn(file: &SourceFile) -> String {
    let mut out = String::new();
    expressions::pn(&model::lower(file)).write(&mut out);
    out
}

/// Elements of a call.
fn call(name: impl Into<String>, elements: Vec<Pn>) -> Pn {
    Pn::Call(name.into(), elements)
}
