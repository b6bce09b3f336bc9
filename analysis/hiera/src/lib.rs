//! Hiera: its configuration, its data files, and lookups as Puppet performs them.
//!
//! This crate consists of plain data and pure functions. Files, variables and types come from the
//! caller through [`LookupContext`]. A lookup has one of three results: a value, not found or an error
//! as in Puppet, or unknown with a reason.
#![warn(missing_docs)]

mod config;
mod data_file;
pub mod document;
mod explain;
mod failure;
mod glob;
pub mod interpolation;
mod key;
mod lookup;
mod lookup_options;
pub mod merge;
mod paths;
mod providers;
pub mod render;
mod ruby;
mod session;
mod sources;

pub use config::{
    BACKENDS, Backend, ConfigProblem, HieraConfig, LOCATIONS, Level, Location, Locations, version4,
};
pub use data_file::{
    DataError, DataErrorKind, DataFile, DataFormat, RUBY_SYMBOL, RootValue, RootValues,
    is_encrypted,
};
pub use explain::Explanation;
pub use failure::LookupFailure;
pub use key::{LookupKey, Segment};
pub use lookup_options::LOOKUP_OPTIONS;
pub use paths::{Folders, joined};
pub use session::{Answer, FileState, Layer, LevelIndex, LookupContext, LookupSession, Variable};
pub use sources::{Condition, DataExtent, DataGap, LevelFile, PathTemplate};
