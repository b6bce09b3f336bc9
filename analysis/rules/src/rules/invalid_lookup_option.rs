use std::sync::Arc;

use hiera::document::Entry;
use hiera::merge::{DEEP_OPTIONS, MergeStrategy, STRATEGIES};
use hiera::{LOOKUP_OPTIONS, Layer};
use infer::WorkspaceTypes;
use syntax::Severity;
use types::DATA_TYPES;
use types::values::{Regexp, Value};

use crate::data::DataChecker;
use crate::rule::{Check, Rule, declare_rule};
use crate::suggest::{hint, similar};

declare_rule! {
    /// Reports mistakes in `lookup_options`.
    ///
    /// ## What it does
    ///
    /// Checks that the options are hashes, for unknown options, merge strategies and options of them, for types
    /// of `convert_to` that do not exist, for invalid patterns, and in a module, for keys of others.
    ///
    /// ## Why it matters
    ///
    /// An unknown strategy or type makes each lookup of the key fail. Puppet ignores unknown options without a
    /// warning.
    ///
    /// ## Example
    ///
    /// ```modules/ntp/manifests/init.pp
    /// class ntp (Array[String] $servers = [], Integer $port = 123) {
    ///   notice($servers, $port)
    /// }
    /// ```
    ///
    /// ```data/common.yaml wrong
    /// lookup_options:
    ///   ntp::servers:
    ///     merge: uniq # <-
    ///   ntp::port:
    ///     convert_too: Integer # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```modules/ntp/manifests/init.pp
    /// class ntp (Array[String] $servers = [], Integer $port = 123) {
    ///   notice($servers, $port)
    /// }
    /// ```
    ///
    /// ```data/common.yaml right
    /// lookup_options:
    ///   ntp::servers:
    ///     merge: unique
    ///   ntp::port:
    ///     convert_to: Integer
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Types of modules that are not installed.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces a misspelled name with a similar one.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-lookup-option]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-lookup-option = "off"
    /// ```
    pub(crate) static INVALID_LOOKUP_OPTION = {
        code: "invalid-lookup-option",
        severity: Error,
        since: "0.2.0",
        checks: [Check::DataFile(check)],
    }
}

/// The options of a key.
const OPTIONS: [&str; 2] = ["convert_to", "merge"];

fn check(checker: &mut DataChecker<'_>) {
    let data = Arc::clone(&checker.data);
    if checker.lookup_options().is_none() {
        return;
    }
    let mut entries = data.entries().iter();
    let Some(options) = entries.find(|it| it.name() == LOOKUP_OPTIONS) else {
        return;
    };
    if options.value.is_alias() || options.value.is_null() {
        return;
    }
    let Some(entries) = options.value.entries() else {
        let message = "`lookup_options` must be a hash";
        checker.report(&INVALID_LOOKUP_OPTION, options.value.range, message);
        return;
    };
    for entry in entries.iter().filter(|it| it.key != "<<") {
        check_key(checker, entry);
        check_options(checker, entry);
    }
}

/// Checks a key or a pattern.
fn check_key(checker: &mut DataChecker<'_>, entry: &Entry) {
    let key = entry.name();
    let name = key.strip_prefix('^').unwrap_or(key);
    if key.starts_with('^')
        && let Err(problem) = Regexp::new(key).check()
    {
        let message = format!("invalid pattern: {problem}");
        checker.report(&INVALID_LOOKUP_OPTION, entry.key_range, message);
        return;
    }
    if let Layer::Module(module) = &checker.layer
        && !checker.layer.may_have(name)
    {
        let prefix = format!("{module}::");
        let message = format!("options of this module must be for keys that start with `{prefix}`");
        checker.report(&INVALID_LOOKUP_OPTION, entry.key_range, message);
    }
}

fn check_options(checker: &mut DataChecker<'_>, entry: &Entry) {
    if entry.value.is_alias() || entry.value.is_null() {
        return;
    }
    let Some(options) = entry.value.entries() else {
        let message = format!("the options of `{}` must be a hash", entry.name());
        checker.report(&INVALID_LOOKUP_OPTION, entry.value.range, message);
        return;
    };
    for option in options {
        match option.name() {
            "merge" => check_merge(checker, option),
            "convert_to" => check_conversion(checker, option),
            "<<" => {}
            name => {
                let near = similar(name, OPTIONS);
                let message = format!("unknown option `{name}`{}", hint(near));
                let fix = near.map(|it| checker.respelled(option.key_range, it));
                let range = option.key_range;
                let rule = &INVALID_LOOKUP_OPTION;
                let found = checker.report_as(rule, Severity::Warning, range, message);
                found.fixes.extend(fix);
            }
        }
    }
}

fn check_merge(checker: &mut DataChecker<'_>, option: &Entry) {
    let node = match option.value.entries() {
        Some(_) => option.value.find("strategy"),
        None => Some(&option.value),
    };
    let Some(node) = node else {
        let message = "missing key `strategy`";
        checker.report(&INVALID_LOOKUP_OPTION, option.value.range, message);
        return;
    };
    if node.is_alias() || node.is_null() {
        return;
    }
    let name = node.text().unwrap_or_default();
    if MergeStrategy::of_value(&Value::from(name)).is_err() {
        let near = similar(name, STRATEGIES);
        let names = STRATEGIES.map(|it| format!("`{it}`")).join(", ");
        let message = match near {
            Some(_) => format!("unknown merge strategy `{name}`{}", hint(near)),
            None => format!("unknown merge strategy `{name}`: expected one of {names}"),
        };
        let fix = near.map(|it| checker.respelled(node.range, it));
        let found = checker.report(&INVALID_LOOKUP_OPTION, node.range, message);
        found.fixes.extend(fix);
        return;
    }
    let allowed: &[&str] = match name {
        "deep" => &DEEP_OPTIONS,
        "unconstrained_deep" | "reverse_deep" => return,
        _ => &["strategy"],
    };
    for it in option.value.entries().unwrap_or_default() {
        if !allowed.contains(&it.name()) && it.key != "<<" {
            let near = similar(it.name(), allowed.iter().copied());
            let message = format!("unknown option `{}` of `{name}`{}", it.name(), hint(near));
            let fix = near.map(|near| checker.respelled(it.key_range, near));
            let found = checker.report(&INVALID_LOOKUP_OPTION, it.key_range, message);
            found.fixes.extend(fix);
        }
    }
}

fn check_conversion(checker: &mut DataChecker<'_>, option: &Entry) {
    let node = match option.value.elements() {
        Some(elements) => elements.first(),
        None => Some(&option.value),
    };
    let Some((node, source)) = node.and_then(|it| Some((it, it.string()?))) else {
        return;
    };
    let names = WorkspaceTypes::new(checker.db, Some(checker.environment));
    let is_known = |name: &str| matches!(name, "" | "Sensitive") || names.read_text(name).is_some();
    if is_known(source) {
        return;
    }
    let name: String = source
        .chars()
        .take_while(|it| it.is_alphanumeric() || matches!(it, '_' | ':'))
        .collect();
    let near = similar(&name, DATA_TYPES.iter().copied());
    let is_built_in = !name.contains("::");
    if is_built_in && (near.is_some() || !is_known(&name)) {
        let message = format!("invalid type `{source}`{}", hint(near));
        let fix = near.map(|it| checker.respelled(node.range, &source.replacen(&name, it, 1)));
        let found = checker.report(&INVALID_LOOKUP_OPTION, node.range, message);
        found.fixes.extend(fix);
    }
}
