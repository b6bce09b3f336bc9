//! Puppet's syntax: the lexer, a lossless syntax tree, typed views of the tree, and the static
//! checks that need only one file.
//!
//! This crate deals with source text only. It must not depend on types, workspaces, the LSP or the
//! file system.
#![warn(missing_docs)]

mod diagnostic;
mod fix;
mod kind;

pub mod ast;
pub mod lexer;
mod model;
mod parser;
pub mod pn;
pub mod regex;
mod removal;
mod source_text;
mod steps;
mod token_search;
pub mod validation;

pub use diagnostic::{Code, Diagnostic, Related, Severity, Stage};
pub use fix::{Applicability, Edit, Fix, apply as apply_edits};
pub use kind::{PuppetLanguage, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};
pub use parser::{Dialect, Parse, parse};
pub use removal::{element_removal, statement_removal, tokens_after};
pub use rowan::{Direction, GreenNode, NodeOrToken, TextRange, TextSize, TokenAtOffset, WalkEvent};
pub use source_text::text_at;
pub use steps::{count_steps, counted_steps};
pub use token_search::has_token;
