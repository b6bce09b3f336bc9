//! What modules define in Ruby, read from its text and never run.
//!
//! Pure functions from the text of one Ruby file to the plain data of [`crate::declared`]. What
//! Puppet would only learn by running the file is left out or marked as incomplete: nothing is
//! guessed. Ruby is parsed with tree-sitter; the part of it that such files are made of (literals,
//! constants, loops over lists, the calls that define things) is followed by [`walk`], and each
//! kind of definition is a file of its own.
//!
//! *Architecture invariant*: no disk, no running of Ruby, no knowledge of where the file lies.
//! Any text gets an answer in bounded time and stack: sizes, steps and depths have limits.

mod attributes;
mod calls;
mod comments;
mod data_types;
mod dispatches;
mod evaluate;
mod facts;
mod functions;
mod legacy;
mod literals;
mod providers;
mod puppetfile;
mod requires;
mod resource_api;
mod resource_types;
mod source;
mod value;
mod walk;

pub use data_types::data_types;
pub use facts::{FactFile, facts};
pub use functions::functions;
pub use providers::provider;
pub(crate) use puppetfile::{Call as PuppetfileCall, puppetfile};
pub use requires::{Required, requires};
pub use resource_types::{resource_types, resource_types_with};

/// Files with more bytes are not read: no definition of a human is that long.
pub const MAX_BYTES: usize = 1 << 20;
