//! Where names live: the layout of environments and modules, and what Puppet finds in them by
//! its autoload rules.
//!
//! The layout is given from outside as plain data; nothing here looks at the disk.

pub mod autoload;
pub mod body;
mod item;
mod layout;
pub mod outside;
pub mod resolve;
pub mod variables;

pub use item::{Item, ItemKind, ParameterSignature, Signature, canonical, items, signature};
pub use layout::{Environment, Module, ModuleOrigin, WorkspaceLayout};
