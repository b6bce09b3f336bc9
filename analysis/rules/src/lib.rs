//! The semantic rules: checks of names, types and values that need more than the syntax of one file.
//!
//! Each rule is one file in `rules/`: its documentation page, its checks, messages and fixes, and its
//! tests. To add a rule, add its file, and its module and its line in the list to `rules.rs`. The
//! other modules are shared by several rules.
//!
//! A check examines an item, a name, a problem that type inference found, or a project file. A rule
//! about types walks the tree of the item and queries the inferred types. Only a rule that depends on
//! the state of inference at one point, such as narrowed variables, takes a kind of problem in
//! [`infer`]; its messages are in the file of the rule nevertheless.
//!
//! A rule reports only what is certain. Anything that may be defined outside of the workspace is not
//! reported as an error.
#![warn(missing_docs)]

mod checker;
mod compiled_class;
mod containment;
pub mod data;
mod erb_facts;
mod fact_paths;
mod fact_read;
mod failure;
mod fixes;
mod lookup_calls;
mod mentions;
mod mismatch;
mod name_uses;
mod node_patterns;
mod path_uses;
pub mod project;
mod repeated_conditions;
mod rule;
mod rules;
mod suggest;
mod suppressions;
mod templates;
#[cfg(test)]
mod testing;
mod type_origins;
mod unresolved;
mod unused_bindings;
mod usage_index;
mod virtual_resources;
mod wording;

pub use checker::{ItemFinding, RelatedItem, file_findings, item_findings};
pub use fixes::{attribute_insertion, sample, sample_value};
pub use rule::{Rule, RuleFixes};
pub use rules::{DATA_RULES, PROJECT_RULES, RULES, UNUSED_FILE, check_asset, is_asset};
pub use suppressions::Suppressions;

use base::FileInput;
use salsa::Database;

/// Iterates over all rules, including those for project files and data.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let of_files = PROJECT_RULES.iter().chain(DATA_RULES);
    RULES.iter().chain(of_files).copied()
}

/// Returns the rule with the given code or alias.
pub fn rule(name: &str) -> Option<&'static Rule> {
    all().find(|it| it.code == name || it.aliases.contains(&name))
}

/// Replaces an alias with the code of its rule. Other names are returned unchanged: Puppet's issue
/// codes have no rule.
pub fn canonical_code(name: &str) -> &str {
    rule(name).map_or(name, |it| it.code)
}

/// Checks whether diagnostics with this code are reported by default. Codes without a rule are.
pub fn is_on(code: &str) -> bool {
    rule(code).is_none_or(|it| !it.is_off)
}

/// Computes the data of a file that the rules need to check other files.
pub fn prime(db: &dyn Database, file: FileInput) {
    usage_index::file_usage_index(db, file);
}
