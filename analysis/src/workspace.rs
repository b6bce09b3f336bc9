//! Where names live: the layout of environments and modules, and what Puppet finds in them by
//! its autoload rules.
//!
//! The layout is given from outside as plain data; nothing here looks at the disk.

mod layout;

pub use layout::{Environment, Module, ModuleOrigin, WorkspaceLayout};
