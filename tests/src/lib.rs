//! Helpers for the tests that cross crates: Debian's modules, recorded answers of Puppet, and their
//! comparison with ours.
//!
//! They only use the public API of the program.

pub mod cases;
pub mod ceilings;
pub mod compare;
pub mod corpus;
pub mod env;
pub mod evaluations;
pub mod facts;
pub mod growth;
pub mod markdown;
pub mod mdtest;
pub mod oracle;
pub mod program;
pub mod recordings;
pub mod repository;
pub mod tally;
pub mod traces;
pub mod verdict;
pub mod width;
pub mod work;
pub mod workspace;
