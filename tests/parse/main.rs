//! Our parser and validation compared with the recorded answers of Puppet.

mod cases;
mod formatting;
mod issues;
mod modules;
mod oracle;
mod recovery;
mod reparse;
