//! Our parser and checks against the recorded answers of the real Puppet.

mod cases;
mod formatting;
mod issues;
mod modules;
mod oracle;
mod recovery;
mod reparse;
