//! Inference over real code: what it claims against what the real Puppet came to, and what random
//! edits and hostile code do to it.

mod edits;
mod hostile;
mod recorded;
