//! The rules that the command line selects or ignores.

use std::collections::BTreeSet;

use analysis::rules::{self, Group, Rule};

use crate::issue_codes;
use crate::rule_names::{has_no_rule, unknown_rule};

/// The name that selects all rules.
const ALL: &str = "all";

/// The rules chosen on the command line, by canonical names of rules, groups and issue codes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Selection {
    /// Whether to report all rules, also those that are off by default, but not those that a project turns off by name.
    pub(crate) selects_all: bool,
    /// The only rules to report; empty for those that the project configures.
    pub(crate) selected: BTreeSet<String>,
    /// The rules not to report.
    pub(crate) ignored: BTreeSet<String>,
}

impl Selection {
    /// Reads the names that the command line selects and ignores.
    pub(crate) fn parse(selected: &[String], ignored: &[String]) -> Result<Selection, String> {
        let trimmed = |names: &[String]| -> Vec<String> {
            names.iter().map(|it| it.trim().to_owned()).collect()
        };
        let (selected, ignored) = (trimmed(selected), trimmed(ignored));
        let names = |names: &[String]| -> Result<BTreeSet<String>, String> {
            names.iter().map(|it| selectable(it)).collect()
        };
        // The command lines of projects that used puppet-lint still name checks that no rule replaces.
        let ignored: Vec<String> = ignored.into_iter().filter(|it| !has_no_rule(it)).collect();
        let (all, selected): (Vec<String>, Vec<String>) =
            selected.into_iter().partition(|it| it == ALL);
        Ok(Selection {
            selects_all: !all.is_empty(),
            selected: names(&selected)?,
            ignored: names(&ignored)?,
        })
    }

    /// Checks whether a rule is to be reported; `None` if the project decides. The code of a rule takes
    /// precedence over its group, and `--ignore` over `--select`.
    pub(crate) fn includes(&self, rule: &Rule) -> Option<bool> {
        let (code, group) = (rule.code, rule.group.name());
        if self.ignored.contains(code) {
            return Some(false);
        }
        if self.selected.contains(code) {
            return Some(true);
        }
        if self.ignored.contains(group) {
            return Some(false);
        }
        if self.selects_all || self.selected.contains(group) && !rule.is_off {
            return Some(true);
        }
        (!self.selected.is_empty()).then_some(false)
    }

    /// Checks whether the diagnostics of all selected rules depend on the files that contain them only.
    pub(crate) fn examines_single_files(&self) -> bool {
        let is_selected = |it: &&Rule| self.includes(it) == Some(true);
        let has_selection = self.selects_all || !self.selected.is_empty();
        has_selection
            && rules::all()
                .filter(is_selected)
                .all(Rule::examines_single_files)
    }

    /// Checks whether a rule is selected by its own name.
    pub(crate) fn names(&self, rule: &Rule) -> bool {
        self.selected.contains(rule.code)
    }

    /// Checks whether the diagnostics with a code, which are reported, are to be fixed. Those of Puppet's static checks
    /// are always reported.
    pub(crate) fn fixes(&self, code: &str) -> bool {
        self.selects_all
            || self.selected.is_empty()
            || self.selected.contains(code)
            || rules::rule(code).is_some()
    }
}

/// Returns the canonical form of a name on the command line.
fn selectable(name: &str) -> Result<String, String> {
    let is_known = rules::rule(name).is_some() || is_group(name);
    if is_known || issue_codes::all().any(|it| it.code == name) {
        return Ok(rules::canonical_code(name).to_owned());
    }
    Err(unknown_rule(name))
}

/// Checks whether a name is that of a group.
pub(crate) fn is_group(name: &str) -> bool {
    Group::from_name(name).is_some()
}
