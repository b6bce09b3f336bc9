//! Name resolution in a workspace: the layout of environments and modules, and the definitions that
//! Puppet's autoloader finds in them.
//!
//! The layout is provided by the client as plain data; this module does not access the disk.

pub mod autoload;
pub mod body;
pub mod declared_resources;
pub mod evaluated_classes;
mod item;
mod node_definitions;
mod node_selector;
pub mod other_versions;
pub mod possible_facts;
pub mod resolve;
pub mod ruby_symbols;
pub mod stand_ins;
pub mod title_pattern;
pub mod variables;

pub use item::{
    Item, ItemKind, ParameterSignature, Signature, canonical_name, corresponding_item,
    is_class_name, item_at, items, signature,
};
pub use node_definitions::{NodeMatcher, is_site, matcher_of, matchers_of, node_matchers};
pub use node_selector::NodeSelector;
