//! Whatever the input: an answer, the text kept, no panic, no stack overflow, no hang.

mod binary;
mod examine;
mod large;
mod nesting;
mod random;
