//! Name resolution in a workspace: the layout of environments and modules, and the definitions that
//! Puppet's autoloader finds in them.
//!
//! The layout is provided by the client as plain data; this module does not access the disk.

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
