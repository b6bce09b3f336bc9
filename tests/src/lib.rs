//! Helpers shared by the cross-cutting tests: Debian's modules, what the real Puppet was recorded
//! to say, and how to hold our parser against it.
//!
//! No test lives here, and nothing of the program: these helpers only call its public API.

pub mod cases;
pub mod compare;
pub mod corpus;
pub mod environment;
pub mod evaluations;
pub mod mdtest;
pub mod oracle;
pub mod program;
pub mod recordings;
pub mod tally;
pub mod verdict;
pub mod world;
