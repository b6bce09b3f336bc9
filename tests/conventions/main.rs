//! Conventions of the repository that neither the compiler nor the linter checks.

mod architecture;
mod cycles;
mod sizes;
mod variables;
mod wording;
