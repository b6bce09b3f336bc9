//! From text to tokens.
