//! The levels of rules, and how groups, projects and the command line determine them.

use std::collections::{BTreeMap, BTreeSet};

use analysis::base::Diagnostic;
use analysis::rules::{self, Group, Rule};
use analysis::rules::{checks_of, divided_rule};
use serde::Deserialize;
use syntax::Severity;

use crate::rule_selection::{Selection, is_group};

/// The level at which a rule is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// Not reported.
    Off,
    /// Shown only in editors.
    Hint,
    /// Worth knowing.
    Info,
    /// The code is probably wrong.
    Warning,
    /// Puppet fails, or the code is certainly wrong.
    Error,
}

impl Level {
    /// Returns the default level of a rule.
    pub(crate) fn default_for(rule: &Rule) -> Level {
        match rule.is_on_by_default() {
            true => Level::of(rule.severity),
            false => Level::Off,
        }
    }

    fn of(severity: Severity) -> Level {
        match severity {
            Severity::Hint => Level::Hint,
            Severity::Info => Level::Info,
            Severity::Warning => Level::Warning,
            Severity::Error => Level::Error,
        }
    }

    fn severity(self) -> Option<Severity> {
        match self {
            Level::Off => None,
            Level::Hint => Some(Severity::Hint),
            Level::Info => Some(Severity::Info),
            Level::Warning => Some(Severity::Warning),
            Level::Error => Some(Severity::Error),
        }
    }

    /// Returns the name of the level in the file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Hint => "hint",
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// The configured levels, by the code of a rule, the name of a group or an issue code of Puppet; and by a check of
/// puppet-lint, if it stands for a part of the findings of a rule.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Levels(BTreeMap<String, Level>);

impl Levels {
    /// Returns the levels in which one group is configured.
    pub(crate) fn of_group(group: Group, level: Level) -> Levels {
        Levels(BTreeMap::from([(group.name().to_owned(), level)]))
    }

    /// Configures a level, unless the name has one.
    pub(crate) fn set_default(&mut self, name: &str, level: Level) {
        let name = rules::canonical_code(name);
        self.0.entry(name.to_owned()).or_insert(level);
    }

    /// Configures the level of the findings that belong to a check of puppet-lint.
    pub(super) fn set_check(&mut self, check: &str, level: Level) {
        self.0.insert(check.to_owned(), level);
    }

    /// Returns the level of the findings that belong to a check of puppet-lint, if it is configured.
    pub(crate) fn of_check(&self, check: &str) -> Option<Level> {
        self.0.get(check).copied()
    }

    /// Replaces aliases of rules with their codes. A level under the code takes precedence.
    pub(super) fn canonical(self) -> Levels {
        let is_code =
            |name: &str| rules::canonical_code(name) == name || divided_rule(name).is_some();
        let (codes, aliases): (BTreeMap<_, _>, BTreeMap<_, _>) =
            self.0.into_iter().partition(|it| is_code(&it.0));
        let mut levels = Levels(codes);
        for (alias, level) in aliases {
            levels.set_default(&alias, level);
        }
        levels
    }

    /// Returns the level of a rule: its own one, else that of its group, else the default.
    pub(crate) fn level(&self, rule: &Rule) -> Level {
        let of_group = || {
            let level = self.0.get(rule.group.name());
            level.copied().filter(|_| !rule.is_off)
        };
        let own = self.0.get(rule.code).copied().or_else(of_group);
        own.unwrap_or_else(|| Level::default_for(rule))
    }

    /// Returns the severity of the diagnostics with a code, given their own one; `None` if they are not
    /// reported.
    pub(crate) fn severity(&self, code: &str, own: Severity) -> Option<Severity> {
        if let Some(level) = self.0.get(code) {
            return level.severity();
        }
        match rules::rule(code) {
            // A diagnostic may have another severity than its rule.
            Some(rule) if self.level(rule) == Level::of(rule.severity) => Some(own),
            Some(rule) => self.level(rule).severity(),
            None => Some(own),
        }
    }

    /// Returns the severity of a finding in a source; `None` if it is not reported. The level of a check of puppet-lint
    /// that reports the same counts before that of the rule.
    pub(crate) fn severity_of(&self, found: &Diagnostic, text: &str) -> Option<Severity> {
        let of_rule = self.severity(found.code, found.severity);
        let rule = rules::rule(found.code).filter(|it| it.is_divided());
        if !rule.is_some_and(|it| self.has_level_of_check(it)) {
            return of_rule;
        }
        let checks = checks_of(found, text).into_iter().map(|it| it.0);
        let severities = checks.map(|it| self.of_check(it).map_or(of_rule, Level::severity));
        severities.flatten().min()
    }

    fn has_level_of_check(&self, rule: &Rule) -> bool {
        let mut checks = rule.puppet_lint_checks();
        checks.any(|it| self.0.contains_key(it))
    }

    /// Removes the levels of the checks that a rule replaces.
    fn remove_checks(&mut self, rule: &Rule) {
        if rule.is_divided() {
            for check in rule.puppet_lint_checks() {
                self.0.remove(check);
            }
        }
    }

    /// Returns these levels for files in which style is not checked.
    pub(crate) fn without_style(&self) -> Levels {
        let mut levels = self.clone();
        let groups = Group::ALL.iter().filter(|it| !it.is_on_by_default());
        for group in groups {
            levels.0.insert(group.name().to_owned(), Level::Off);
            for rule in rules::all().filter(|it| it.group == *group) {
                levels.0.remove(rule.code);
                levels.remove_checks(rule);
            }
        }
        levels
    }

    /// Returns the codes of the rules that are off.
    pub(crate) fn disabled_rules(&self) -> BTreeSet<String> {
        let has_check_on = |rule: &Rule| {
            let mut checks = rule.puppet_lint_checks().filter_map(|it| self.of_check(it));
            rule.is_divided() && checks.any(|it| it != Level::Off)
        };
        let off = rules::all().filter(|it| self.level(it) == Level::Off && !has_check_on(it));
        off.map(|it| it.code.to_owned()).collect()
    }

    /// Applies a selection. A selected rule that was off gets its default severity, except one that the project turns
    /// off by its name and the selection does not name.
    pub(crate) fn select(&mut self, selection: &Selection) {
        for rule in rules::all() {
            let is_off_by_name = self.0.get(rule.code) == Some(&Level::Off);
            if selection.includes(rule) == Some(false) || selection.names(rule) {
                self.remove_checks(rule);
            }
            let level = match selection.includes(rule) {
                Some(false) => Level::Off,
                Some(true) if is_off_by_name && !selection.names(rule) => continue,
                Some(true) if self.level(rule) == Level::Off => Level::of(rule.severity),
                Some(true) | None => continue,
            };
            self.0.insert(rule.code.to_owned(), level);
        }
        // Their rules are off already; groups must not turn off selected rules.
        for name in selection.ignored.iter().filter(|it| !is_group(it)) {
            self.0.insert(name.clone(), Level::Off);
        }
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, Level); N]> for Levels {
    fn from(levels: [(&str, Level); N]) -> Self {
        Levels(levels.map(|it| (it.0.to_owned(), it.1)).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(code: &str) -> &'static Rule {
        rules::rule(code).expect("it is a rule")
    }

    #[test]
    fn groups_set_the_level_of_their_rules() {
        let levels = Levels::from([
            ("correctness", Level::Hint),
            ("unknown-class", Level::Error),
        ]);
        assert_eq!(levels.level(rule("unknown-class")), Level::Error);
        assert_eq!(levels.level(rule("unknown-variable")), Level::Hint);
        assert_eq!(levels.level(rule("possible-mismatch")), Level::Off);
    }

    #[test]
    fn selects_rules_and_groups() {
        let of = |selected: &[&str], ignored: &[&str], code: &str| {
            let mut levels = Levels::default();
            let names = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
            let selection = Selection::parse(&names(selected), &names(ignored));
            levels.select(&selection.expect("known names"));
            levels.level(rule(code))
        };
        assert_eq!(of(&["all"], &[], "possible-mismatch"), Level::Warning);
        assert_eq!(of(&["all"], &["style"], "long-line"), Level::Off);
        assert_eq!(of(&["unknown-class"], &[], "unknown-class"), Level::Error);
        assert_eq!(of(&["unknown-class"], &[], "unknown-variable"), Level::Off);
        assert_eq!(
            of(&["possible-mismatch"], &[], "possible-mismatch"),
            Level::Warning
        );
        assert_eq!(of(&["correctness"], &[], "possible-mismatch"), Level::Off);
        assert_eq!(
            of(&["correctness"], &["unknown-class"], "unknown-class"),
            Level::Off
        );
        assert_eq!(of(&[], &["correctness"], "unknown-class"), Level::Off);
        assert_eq!(
            of(&["unknown-class"], &["correctness"], "unknown-class"),
            Level::Error
        );
    }

    #[test]
    fn groups_do_not_select_rules_that_are_off_by_name() {
        let of = |selected: &[&str], code: &str| {
            let mut levels = Levels::from([
                ("style", Level::Off),
                ("double_quoted_strings", Level::Off),
                ("block-comment", Level::Info),
            ]);
            levels = levels.canonical();
            let names: Vec<String> = selected.iter().map(|it| (*it).to_owned()).collect();
            levels.select(&Selection::parse(&names, &[]).expect("known names"));
            levels.level(rule(code))
        };
        let off = "needless-double-quotes";
        assert_eq!(of(&["style"], off), Level::Off);
        assert_eq!(of(&["all"], off), Level::Off);
        assert_eq!(of(&[off], off), Level::Warning);
        assert_eq!(of(&["style", "double_quoted_strings"], off), Level::Warning);
        assert_eq!(of(&["style"], "trailing-blanks"), Level::Warning);
        assert_eq!(of(&["style"], "block-comment"), Level::Info);
    }

    #[test]
    fn own_severities_of_diagnostics_stay() {
        let levels = Levels::default();
        let kept = levels.severity("unknown-class", Severity::Hint);
        assert_eq!(kept, Some(Severity::Hint));
        let set = Levels::from([("unknown-class", Level::Info)]);
        let changed = set.severity("unknown-class", Severity::Hint);
        assert_eq!(changed, Some(Severity::Info));
    }
}
