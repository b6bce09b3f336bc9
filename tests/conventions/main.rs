//! Conventions of the repository that neither the compiler nor the linter checks.

mod cycles;
mod sizes;
mod variables;
mod wording;
