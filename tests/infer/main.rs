//! Inference in real code: its results compared with the values in Puppet, random edits, and
//! hostile code.

mod edits;
mod hostile;
mod recorded_values;
