//! Tests of diagnostics that take several files.

mod possible_mismatch;
mod templates;
mod testing;
