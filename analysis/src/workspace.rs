//! Where names live: the layout of environments and modules, and what Puppet finds in them by
//! its autoload rules.
//!
//! The layout is given from outside as plain data; nothing here looks at the disk.

pub(crate) mod autoload;
pub(crate) mod body;
pub(crate) mod classes;
mod item;
mod layout;
pub(crate) mod outside;
pub(crate) mod resolve;
pub(crate) mod resources;
pub(crate) mod variables;

#[cfg(test)]
mod incremental_tests;

pub(crate) use item::{Item, ItemKind, Signature, canonical, item_like, items, signature};
pub use layout::{Environment, Module, ModuleOrigin, WorkspaceLayout};
