//! The list of rules about style, documentation and security. Each rule is one file in `style/`, as in
//! `rules/`.

mod anchor_resource;
mod block_comment;
mod long_line;
mod unclosed_suppression;

use crate::rule::Rule;

/// The rules about style, documentation and security, in documentation order.
pub static STYLE_RULES: &[&Rule] = &[
    &anchor_resource::ANCHOR_RESOURCE,
    &block_comment::BLOCK_COMMENT,
    &long_line::LONG_LINE,
    &unclosed_suppression::UNCLOSED_SUPPRESSION,
];
