use base::suggest::{hint, similar};
use std::sync::Arc;

use hiera::document::{Data, Entry, Scalar};
use hiera::merge::{DEEP_OPTIONS, MergeStrategy, STRATEGIES};
use hiera::{LOOKUP_OPTIONS, Layer};
use hir::autoload::definitions_of_kind;
use hir::{ItemKind, signature};
use infer::{
    KeyPresence, WorkspaceTypes, declared_parameters, hiera_config, is_certainly_missing,
    key_presence, layer_keys, layer_module,
};
use syntax::Severity;
use types::precise::intersection;
use types::values::{Regexp, Value};
use types::{DATA_TYPES, Type};

use crate::data::{ClassKey, DataChecker, class_key, is_looked_up, options_of};
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::expected;

declare_rule! {
    /// Reports mistakes in `lookup_options`.
    ///
    /// ## What it does
    ///
    /// Checks for options that are not a hash, unknown options, unknown merge strategies and
    /// options of a strategy, types in `convert_to` that do not exist, invalid patterns, and in a
    /// module, keys of other modules. A key that is one edit away from `lookup_options` is
    /// reported, too. Options for keys that belong to neither a parameter nor data, and strategies
    /// whose results the parameter does not accept, are reported as warnings.
    ///
    /// ## Why it matters
    ///
    /// An unknown strategy or type makes each lookup of the key fail. Puppet ignores unknown options without a
    /// warning.
    ///
    /// ## Example
    ///
    /// ```modules/ntp/manifests/init.pp
    /// class ntp (Array[String] $servers = [], Integer $port = 123, Array $keys = []) {
    ///   notice($servers, $port, $keys)
    /// }
    /// ```
    ///
    /// ```data/common.yaml wrong
    /// lookup_options:
    ///   ntp::servers:
    ///     merge: uniq # <-
    ///   ntp::port:
    ///     convert_too: Integer # <-
    ///   ntp::keys:
    ///     merge:
    ///       strategy: deep
    ///       sort_merged_arrays: 'yes' # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```modules/ntp/manifests/init.pp
    /// class ntp (Array[String] $servers = [], Integer $port = 123, Array $keys = []) {
    ///   notice($servers, $port, $keys)
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
        check_misspelled(checker);
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
        let is_valid = check_key(checker, entry);
        checker.check_of_key(entry.name(), |it| {
            if is_valid {
                check_effect(it, entry);
            }
            check_merged_type(it, entry);
        });
        check_options(checker, entry);
    }
}

/// Reports a key that is meant to be `lookup_options`.
fn check_misspelled(checker: &mut DataChecker<'_>) {
    let data = Arc::clone(&checker.data);
    for entry in data.entries() {
        let is_near = similar(entry.name(), [LOOKUP_OPTIONS]).is_some();
        if !is_near || entry.value.entries().is_none() {
            continue;
        }
        if is_looked_up(checker.db, checker.environment, entry.name()) {
            continue;
        }
        let hint = hint(Some(LOOKUP_OPTIONS));
        let message = format!("unknown key `{}`{hint}", entry.name());
        let fix = checker.respelled(entry.key_range, LOOKUP_OPTIONS);
        let rule = &INVALID_LOOKUP_OPTION;
        let found = checker.report_as(rule, Severity::Warning, entry.key_range, message);
        found.fixes.push(fix);
    }
}

/// Checks a key or a pattern, and returns whether it is valid.
fn check_key(checker: &mut DataChecker<'_>, entry: &Entry) -> bool {
    let key = entry.name();
    let name = key.strip_prefix('^').unwrap_or(key);
    if key.starts_with('^')
        && let Err(problem) = Regexp::new(key).check()
    {
        let message = format!("invalid pattern: {problem}");
        checker.report(&INVALID_LOOKUP_OPTION, entry.key_range, message);
        return false;
    }
    if let Layer::Module(module) = &checker.layer
        && !checker.layer.may_have(name)
    {
        let prefix = format!("{module}::");
        let message = format!("options of this module must be for keys that start with `{prefix}`");
        checker.report(&INVALID_LOOKUP_OPTION, entry.key_range, message);
        return false;
    }
    true
}

/// Reports options for keys that neither a parameter nor data has.
fn check_effect(checker: &mut DataChecker<'_>, entry: &Entry) {
    let (db, environment) = (checker.db, checker.environment);
    let key = entry.name();
    let rule = &INVALID_LOOKUP_OPTION;
    if key.starts_with('^') {
        if is_useless_pattern(checker, key) {
            let message = format!("no parameter and no key in data matches `{key}`");
            checker.report_as(rule, Severity::Warning, entry.key_range, message);
        }
        return;
    }
    let (class, parameter) = key.rsplit_once("::").unwrap_or(("", key));
    let presence = key_presence(db, environment, key);
    let (message, near) = match class_key(db, environment, key) {
        ClassKey::UnknownParameter(item) => {
            let names = signature(db, item).parameters.iter();
            let near = similar(parameter, names.map(|it| it.name.as_str()));
            let message = format!("no parameter `{parameter}` on class `{}`", item.name(db));
            (message, near.map(|it| format!("{class}::{it}")))
        }
        ClassKey::UnknownClass => (format!("unknown class `{class}`"), None),
        ClassKey::Unknown if class.is_empty() && presence == KeyPresence::Absent => {
            (format!("no data for key `{key}`"), None)
        }
        _ => return,
    };
    if presence == KeyPresence::Present || is_looked_up(db, environment, key) {
        return;
    }
    let hint = hint(near.as_deref());
    let fix = near.map(|it| checker.respelled(entry.key_range, &it));
    let message = format!("options without effect: {message}{hint}");
    let found = checker.report_as(rule, Severity::Warning, entry.key_range, message);
    found.fixes.extend(fix);
}

/// Checks whether a pattern matches neither a key in data nor a parameter, if all of them are known: it
/// starts with the name of a module, and all data is in the workspace.
fn is_useless_pattern(checker: &DataChecker<'_>, pattern: &str) -> bool {
    let (db, environment) = (checker.db, checker.environment);
    let Some((name, _)) = pattern[1..].split_once("::") else {
        return false;
    };
    let is_plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_';
    if !name.bytes().all(is_plain) {
        return false;
    }
    let own = layer_module(db, environment, &Layer::Environment);
    let Some(own) = own.filter(|it| hiera_config(db, *it).is_some()) else {
        return false;
    };
    let module = layer_module(db, environment, &Layer::Module(name.into()));
    if module.is_none() && !is_certainly_missing(db, environment, name) {
        return false;
    }
    let regexp = Regexp::new(pattern);
    let may_match = |it: &str| regexp.is_match(it).unwrap_or(true);
    let is_in_data = [Some(own), module].into_iter().flatten().any(|it| {
        let keys = layer_keys(db, it);
        !keys.is_complete() || keys.keys().any(may_match)
    });
    let prefix = format!("{name}::");
    let classes = definitions_of_kind(db, environment, ItemKind::Class);
    let mut classes = classes.filter(|it| it.0 == name || it.0.starts_with(&prefix));
    let mut is_parameter = || {
        classes.any(|(class, item)| {
            let parameters = signature(db, item).parameters.iter();
            let mut keys = parameters.map(|it| format!("{class}::{}", it.name));
            keys.any(|it| may_match(&it))
        })
    };
    !is_in_data && !is_parameter()
}

/// Reports merge strategies whose results the parameter never accepts.
fn check_merged_type(checker: &mut DataChecker<'_>, entry: &Entry) {
    let (db, environment) = (checker.db, checker.environment);
    let ClassKey::Parameter(item, parameter) = class_key(db, environment, entry.name()) else {
        return;
    };
    let Some(merge) = entry.value.find("merge") else {
        return;
    };
    let converts =
        options_of(db, environment, entry.name()).is_none_or(|it| it.convert_to.is_some());
    if converts || entry.value.find("convert_to").is_some() {
        return;
    }
    let node = match merge.entries() {
        Some(_) => merge.find("strategy"),
        None => Some(merge),
    };
    let Some((node, name)) = node.and_then(|it| Some((it, it.string()?))) else {
        return;
    };
    let hash = || Type::hash(Type::Any, Type::Any, None);
    let array = || Type::array(Type::Any, None);
    let results = match MergeStrategy::of_value(&Value::from(name)) {
        Ok(MergeStrategy::Unique) => vec![array()],
        Ok(MergeStrategy::Hash) => vec![hash()],
        Ok(MergeStrategy::Deep(_)) => vec![hash(), array()],
        _ => return,
    };
    let declared = declared_parameters(db, item);
    let Some((_, wanted)) = declared.iter().find(|it| it.0 == parameter.name) else {
        return;
    };
    if results.iter().all(|it| intersection(wanted, it).is_none()) {
        let name = format!("merge strategy `{name}`");
        let parameter = format!("parameter `{}` of `{}`", parameter.name, item.name(db));
        let message = format!(
            "{name} does not fit {parameter}, which expects {}",
            expected(wanted)
        );
        let rule = &INVALID_LOOKUP_OPTION;
        checker.report_as(rule, Severity::Warning, node.range, message);
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
                let reason = match DEEP_OPTIONS.contains(&name) {
                    true => format!(
                        "; write it below `merge`, as in `merge: {{strategy: deep, {name}: …}}`"
                    ),
                    false => hint(near),
                };
                let message = format!("unknown option `{name}`{reason}");
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
        } else {
            check_deep_option(checker, it);
        }
    }
}

/// Checks the value of an option of `deep`.
fn check_deep_option(checker: &mut DataChecker<'_>, option: &Entry) {
    let name = option.name();
    if !DEEP_OPTIONS.contains(&name) || name == "strategy" {
        return;
    }
    let wanted = match name {
        "knockout_prefix" => "String",
        _ => "Boolean",
    };
    let fits = match &option.value.data {
        Data::Scalar(Scalar::Null) => true,
        Data::Scalar(Scalar::Boolean(_)) => wanted == "Boolean",
        Data::Scalar(Scalar::String(_)) => wanted == "String",
        Data::Scalar(_) | Data::List(_) | Data::Map(_) => false,
        _ => true,
    };
    if !fits {
        let message = format!("option `{name}` of `deep` expects `{wanted}`");
        checker.report(&INVALID_LOOKUP_OPTION, option.value.range, message);
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
    if let Some(error) = syntax_error(source) {
        let message = format!("invalid type `{source}`: {error}");
        checker.report(&INVALID_LOOKUP_OPTION, node.range, message);
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

/// Returns the first syntax error in the source of a type.
fn syntax_error(source: &str) -> Option<String> {
    let parsed = syntax::parse(source, syntax::Dialect::default());
    parsed.errors().first().map(|it| it.message.clone())
}

#[cfg(test)]
mod tests {
    use super::INVALID_LOOKUP_OPTION;
    use crate::data::tests::messages;

    fn check(code: &str, data: &str) -> Vec<String> {
        let class = "//- modules/ntp/manifests/init.pp
class ntp (Array[String] $servers = [], Integer $port = 1, Any $any = 1) { }
";
        let text = format!(
            "{class}//- manifests/site.pp\n{code}\n//- data/common.yaml\nlookup_options:\n{data}"
        );
        messages(&INVALID_LOOKUP_OPTION, &text)
    }

    #[test]
    fn says_where_options_of_merges_belong() {
        let data = "  ntp::servers:\n    merge: deep\n    knockout_prefix: --\n";
        assert_eq!(
            check("", data),
            [
                "`knockout_prefix`: unknown option `knockout_prefix`; write it below `merge`, as in \
              `merge: {strategy: deep, knockout_prefix: …}`"
            ]
        );
    }

    #[test]
    fn finds_options_without_effect() {
        assert_eq!(
            check("", "  ntp::server: {merge: unique}\n"),
            [
                "`ntp::server`: options without effect: no parameter `server` on class `ntp`; \
                 did you mean `ntp::servers`?"
            ]
        );
        assert_eq!(
            check("", "  ntp::pool::x: {merge: unique}\n"),
            ["`ntp::pool::x`: options without effect: unknown class `ntp::pool`"]
        );
        assert_eq!(
            check("", "  users: {merge: unique}\n"),
            ["`users`: options without effect: no data for key `users`"]
        );
        assert_eq!(
            check("", "  '^ntp::(pool|x)': {merge: unique}\n"),
            ["`'^ntp::(pool|x)'`: no parameter and no key in data matches `^ntp::(pool|x)`"]
        );
        assert_eq!(
            check("", "  '^other::.*': {merge: unique}\n"),
            ["`'^other::.*'`: no parameter and no key in data matches `^other::.*`"]
        );
    }

    #[test]
    fn accepts_options_that_may_have_an_effect() {
        for data in [
            "  ntp::servers: {merge: unique}\n",
            "  users: {merge: unique}\nusers: 1\n",
            "  ntp::x: {merge: unique}\nntp::x: 1\n",
            "  '^ntp::ser': {merge: unique}\n",
            "  '^ntp::x': {merge: unique}\nntp::xy: 1\n",
            "  '^n.*': {merge: unique}\n",
        ] {
            assert_eq!(check("", data), [""; 0], "{data}");
        }
        for key in ["ntp::x", "users"] {
            let data = format!("  {key}: {{merge: unique}}\n");
            assert_eq!(check(&format!("lookup('{key}')"), &data), [""; 0], "{key}");
        }
    }

    #[test]
    fn finds_values_of_options_that_do_not_fit() {
        let deep =
            |option: &str| format!("  ntp::servers: {{merge: {{strategy: deep, {option}}}}}\n");
        for wrong in [
            "sort_merged_arrays: 'yes'",
            "knockout_prefix: 1",
            "merge_hash_arrays: [true]",
        ] {
            assert_eq!(check("", &deep(wrong)).len(), 1, "{wrong}");
        }
        for right in [
            "sort_merged_arrays: yes",
            "knockout_prefix: '--'",
            "merge_hash_arrays: ~",
        ] {
            assert_eq!(check("", &deep(right)), [""; 0], "{right}");
        }
    }

    #[test]
    fn finds_strategies_that_do_not_fit() {
        assert_eq!(
            check("", "  ntp::port: {merge: hash}\n"),
            [
                "`hash`: merge strategy `hash` does not fit parameter `port` of `ntp`, which expects `Integer`"
            ]
        );
        assert_eq!(
            check("", "  ntp::port: {merge: {strategy: deep}}\n").len(),
            1
        );
        assert_eq!(check("", "  ntp::servers: {merge: hash}\n").len(), 1);
        for right in [
            "ntp::port: {merge: first}",
            "ntp::servers: {merge: deep}",
            "ntp::any: {merge: hash}",
            "ntp::port: {merge: unique, convert_to: [Integer, 1]}",
        ] {
            assert_eq!(check("", &format!("  {right}\n")), [""; 0], "{right}");
        }
    }

    #[test]
    fn finds_syntax_errors_in_types() {
        let found = check("", "  ntp::port: {convert_to: 'Array['}\n");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("invalid type `Array[`: "), "{found:?}");
    }
}
