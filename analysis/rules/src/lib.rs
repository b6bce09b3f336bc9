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
//! The rules in `style/` are about style, documentation and security. They are off unless a project turns
//! their group on.
//!
//! A rule reports only what is certain. Anything that may be defined outside of the workspace is not
//! reported as an error.
#![warn(missing_docs)]

mod assets;
mod checker;
mod compared_values;
mod compiled;
mod computed_classes;
pub mod data;
mod detached_documentation;
mod documentation;
mod enabled_checks;
mod erb_templates;
mod fact_paths;
mod fact_read;
mod failure;
mod file_diagnostics;
mod file_modes;
mod findings;
mod fixes;
mod hyphenated_type;
mod index;
mod inline_templates;
mod layout;
mod list_order;
mod lookup_calls;
mod mismatch;
mod node_patterns;
mod own_references;
mod parameter_docs;
mod parameter_types;
mod passwords;
pub mod project;
pub mod puppet_lint_checks;
mod puppet_lint_findings;
mod repeated_conditions;
mod repeated_titles;
mod required_versions;
mod resource_attributes;
mod rule;
mod rules;
mod stages_and_schedules;
mod string_conversions;
mod style;
mod supported_platforms;
mod suppressions;
mod templates;
#[cfg(test)]
mod testing;
mod type_origins;
mod unquoted_words;
mod unresolved;
mod unused_bindings;
mod variable_tests;
mod wording;
mod written_cycles;
mod yaml_plan;
mod yaml_plan_names;

pub use assets::{check_asset, is_asset, is_checked_asset, is_yaml_plan};
pub use checker::{ItemFinding, RelatedItem};
pub use compiled::{compile_definitions, compile_nodes};
pub use documentation::{new_documentation, param_tag, return_tag};
pub use erb_templates::{erb_template, template_owners};
pub use findings::{file_findings, item_findings, whole_file_findings};
pub use fixes::{attributes_insertion, element_insertion, sample, sample_value};
pub use list_order::moved_to_front;
pub use puppet_lint_findings::CheckAt;
pub use rule::{Group, Rule, RuleFixes};
pub use rules::{BOLT_RULES, DATA_RULES, PROJECT_RULES, RULES};
pub use style::STYLE_RULES;
pub use suppressions::Suppressions;
pub use templates::{TemplateCalls, template_calls};
pub use yaml_plan::runnable_at;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use base::{Diagnostic, FileInput};
use puppet_lint_findings::{divided_checks, start_of_whitespace};
use rustc_hash::FxHashMap;
use salsa::Database;

/// Iterates over all rules, including those for project files and data.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let others = PROJECT_RULES
        .iter()
        .chain(BOLT_RULES)
        .chain(DATA_RULES)
        .chain(STYLE_RULES);
    RULES.iter().chain(others).copied()
}

/// Returns the rule with the given code, alias or name in puppet-lint.
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES_BY_NAME.get(name).copied()
}

/// Returns the rule with a check of puppet-lint, if other findings of the rule belong to other checks.
pub fn divided_rule(check: &str) -> Option<&'static Rule> {
    let rule = rule(check)?;
    (rule.code != check && rule.is_divided()).then_some(rule)
}

/// Returns the checks of puppet-lint that report a finding, the most important one first, with the offsets at which they
/// do.
pub fn checks_of(found: &Diagnostic, text: &str) -> Vec<CheckAt> {
    divided_checks(found, text).unwrap_or_else(|| {
        let at = match found.code {
            "space-after-arrow" => start_of_whitespace(found, text),
            _ => found.range.start(),
        };
        let rule = rule(found.code).into_iter();
        let checks = rule.flat_map(Rule::puppet_lint_checks);
        checks.map(|it| (it, at)).collect()
    })
}

static RULES_BY_NAME: LazyLock<FxHashMap<&str, &Rule>> = LazyLock::new(|| {
    let names = all().flat_map(|rule| {
        let names = rule.aliases.iter().chain(rule.puppet_lint);
        names.chain([&rule.code]).map(move |name| (*name, rule))
    });
    names.collect()
});

/// Replaces another name of a rule with its code. Other names are returned unchanged: Puppet's issue
/// codes have no rule.
pub fn canonical_code(name: &str) -> &str {
    rule(name).map_or(name, |it| it.code)
}

/// Checks whether a rule with this code is about style, documentation or security.
pub fn is_about_style(code: &str) -> bool {
    rule(code).is_some_and(|it| it.group != Group::Correctness)
}

/// Checks whether diagnostics with this code are reported by default. Codes without a rule are.
pub fn is_on(code: &str) -> bool {
    rule(code).is_none_or(Rule::is_on_by_default)
}

/// Returns the codes of the rules that are off by default.
pub fn off_by_default() -> BTreeSet<String> {
    let off = all().filter(|it| !it.is_on_by_default());
    off.map(|it| it.code.to_owned()).collect()
}

/// Computes the data of a file that the rules need to check other files.
pub fn prime(db: &dyn Database, file: FileInput) {
    index::usage_index::file_usage_index(db, file);
}
