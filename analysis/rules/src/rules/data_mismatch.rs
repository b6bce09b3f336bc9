use std::sync::Arc;

use base::Fix;
use base::suggest::{hint, similar};
use hiera::document::{Data, Entry, Node, Scalar, plain};
use hiera::interpolation::{Expression, Method, interpolations};
use hiera::merge::MergeStrategy;
use hiera::{LookupFailure, LookupKey, RootValue};
use hir::Item;
use indexmap::IndexMap;
use infer::{ValueTarget, convert_data, declared_parameters};
use syntax::{Severity, SyntaxKind, SyntaxNode, TextRange};
use types::mismatch::{Mismatch, Problem, Step};
use types::values::Value;
use types::{Type, is_instance};

use crate::checker::Checker;
use crate::data::{
    ClassKey, DataChecker, EntryType, KeyOptions, PartialValue, certain_mismatches, class_key,
    conversion, entry_types, has_part, is_list, is_wrong, is_wrong_after_merge, may_be_replaced,
    may_remove_parts, options_of, other_values, partial_large_value, partial_value,
    values_as_written, wrong_lookup,
};
use crate::fixes::nearest;
use crate::mismatch::{mismatch_message, parts_message};
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::{actual, expected};

declare_rule! {
    /// Reports values in data that do not match the type of the class parameter.
    ///
    /// ## What it does
    ///
    /// Checks the values of keys `class::parameter` against the declared type of the parameter, after the
    /// conversion in `lookup_options`. Strings with interpolations may have any content. Also checks calls to
    /// `lookup` with a type that no value of the key matches, if all data is in the workspace, and elements of lists that
    /// all nodes have after a `unique` merge. The entries of a hash that a class passes on to `create_resources`, to
    /// `each` with `* =>` or to another class are checked against the parameters or attributes of the resources.
    ///
    /// ## Why it matters
    ///
    /// Puppet rejects the value when it declares the class, and its message names neither the file nor the line of
    /// the value.
    ///
    /// ## Example
    ///
    /// ```modules/ntp/manifests/init.pp
    /// class ntp (Integer $port = 123, Enum['absent', 'present'] $ensure = present) {
    ///   notice($port, $ensure)
    /// }
    /// ```
    ///
    /// ```data/common.yaml wrong
    /// ntp::port: '123' # <-
    /// ntp::ensure: presnt # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```modules/ntp/manifests/init.pp
    /// class ntp (Integer $port = 123, Enum['absent', 'present'] $ensure = present) {
    ///   notice($port, $ensure)
    /// }
    /// ```
    ///
    /// ```data/common.yaml right
    /// ntp::port: 123
    /// ntp::ensure: present
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Values that are merged with those of other levels, except for the types of their elements and entries.
    /// * `null` for a parameter with a default, which then applies.
    /// * Hashes that code changes before it declares resources with them. Code that may not run makes it a warning.
    ///
    /// ## Fix
    ///
    /// Suggested: adds or removes quotes, or replaces a misspelled string.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[data-mismatch]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// data-mismatch = "off"
    /// ```
    pub(crate) static DATA_MISMATCH = {
        code: "data-mismatch",
        severity: Error,
        since: "0.2.0",
        checks: [
            Check::DataFile(check),
            Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check_lookup),
        ],
    }
}

/// Reports a lookup whose type none of the values in data matches.
fn check_lookup(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(wrong) = wrong_lookup(checker, node) else {
        return;
    };
    let others = match wrong.others {
        0 => String::new(),
        count => format!(" (and {count} more)"),
    };
    let message = format!(
        "lookup of `{}` expects {}, found {} in `{}`{others}",
        wrong.key,
        expected(&wrong.wanted),
        actual(&wrong.found),
        wrong.path
    );
    checker.report(&DATA_MISMATCH, wrong.range, message);
}

fn check(checker: &mut DataChecker<'_>) {
    if checker.keys().next().is_none() {
        return;
    }
    let data = Arc::clone(&checker.data);
    for entry in last_entries(data.entries()) {
        if entry.name().contains("::") {
            checker.check_of_key(entry.name(), |it| check_entry(it, entry));
        }
    }
}

/// Returns the last entry of each key, which is the one that counts.
fn last_entries(entries: &[Entry]) -> impl Iterator<Item = &Entry> {
    let by_key: IndexMap<&str, &Entry> = entries.iter().map(|it| (it.name(), it)).collect();
    by_key.into_values()
}

fn check_entry(checker: &mut DataChecker<'_>, entry: &Entry) {
    let (db, environment) = (checker.db, checker.environment);
    let key = entry.name();
    let ClassKey::Parameter(item, parameter) = class_key(db, environment, key) else {
        return;
    };
    let declared = declared_parameters(db, item);
    let declared = declared.iter().find(|it| it.0 == parameter.name);
    let Some(wanted) = declared.map(|it| &it.1) else {
        return;
    };
    let values = checker.data.values.as_ref();
    let (value, given) = match values.ok().and_then(|it| it.get(key)) {
        Some(RootValue::Value(value)) => (Some(value.clone()), partial_value(value)),
        Some(RootValue::Unsupported(_)) => (None, partial_large_value(&entry.value)),
        Some(RootValue::Rejected(_)) | None => return,
    };
    let is_undef = given.value == Some(Value::Undef);
    if is_undef && (!parameter.is_required() || may_be_replaced(checker, key)) {
        return;
    }
    let Some(KeyOptions { merge, convert_to }) = options_of(db, environment, key) else {
        return;
    };
    if merge != MergeStrategy::First {
        if convert_to.is_none() && checker.overriding_file(key).is_none() {
            match merged_mismatches(checker, entry, (wanted, &given), &merge) {
                Some(found) => report(checker, entry, (item, wanted, &given), &found),
                None => check_entries(checker, entry, &given, &merge),
            }
        }
        return;
    }
    let is_alias = |checker: &mut DataChecker<'_>| {
        let value = value.as_ref();
        value.is_some_and(|it| check_alias(checker, entry, (item, wanted), it))
    };
    if convert_to.is_none() && is_alias(checker) {
        return;
    }
    let is_plain = convert_to.is_none();
    let given = match convert_to {
        None => given,
        Some(convert) => match converted(checker, entry, &convert, given) {
            Some(given) => given,
            None => return,
        },
    };
    if is_wrong(wanted, &given) {
        let found = certain_mismatches(wanted, &given.type_);
        report(checker, entry, (item, wanted, &given), &found);
    } else if is_plain {
        check_entries(checker, entry, &given, &merge);
    }
}

/// Checks the entries of a hash that code passes on to resources against their parameters or attributes.
fn check_entries(
    checker: &mut DataChecker<'_>,
    entry: &Entry,
    given: &PartialValue,
    merge: &MergeStrategy,
) {
    if entry.value.entries().is_none_or(<[Entry]>::is_empty) {
        return;
    }
    for it in entry_types(checker.db, checker.environment, entry.name()) {
        let found = match merge {
            MergeStrategy::First if matches!(given.type_, Type::Hash(_)) => {
                mismatches_of_entries(&entry.value, &it.entry)
            }
            MergeStrategy::First => certain_mismatches(&it.type_, &given.type_),
            _ => merged_mismatches(checker, entry, (&it.type_, given), merge).unwrap_or_default(),
        };
        // Undef selects the default.
        let is_undef = |it: &&Mismatch| matches!(&it.problem, Problem::Type { actual, .. } if *actual == Type::Undef);
        let count = checker.count();
        for mismatch in found.iter().filter(|it| !is_undef(it)) {
            report_entry(checker, entry, &it, mismatch);
        }
        if checker.count() > count {
            return;
        }
    }
}

/// Returns the mismatches of the entries of a hash whose keys are not all known.
fn mismatches_of_entries(hash: &Node, wanted: &Type) -> Vec<Mismatch> {
    let entries = hash.entries().into_iter().flatten();
    let found = entries.flat_map(|it| {
        let given = partial_large_value(&it.value);
        let of_entry = certain_mismatches(wanted, &given.type_).into_iter();
        of_entry.map(|found| Mismatch {
            path: [vec![Step::Entry(it.key.clone())], found.path].concat(),
            problem: found.problem,
        })
    });
    found.collect()
}

/// Reports a parameter or an attribute of a resource in a hash.
fn report_entry(
    checker: &mut DataChecker<'_>,
    entry: &Entry,
    resource: &EntryType,
    mismatch: &Mismatch,
) {
    let severity = match resource.is_certain {
        true => Severity::Error,
        false => Severity::Warning,
    };
    let name = &resource.name;
    let node = part_at(&entry.value, &mismatch.path);
    let range = key_range(&entry.value, mismatch).unwrap_or(node.range);
    match (mismatch.path.as_slice(), &mismatch.problem) {
        ([Step::Entry(_)], Problem::Unknown(unknown)) => {
            let (what, of) = match resource.is_defined {
                true => ("parameter", "defined type "),
                false => ("attribute", ""),
            };
            let near = similar(unknown, resource.known.iter().map(String::as_str));
            let message = format!("no {what} `{unknown}` on {of}`{name}`{}", hint(near));
            let fix = near.map(|it| checker.respelled(range, it));
            let found = checker.report_as(&DATA_MISMATCH, severity, range, message);
            found.fixes.extend(fix);
        }
        ([Step::Entry(_), Step::Entry(of), rest @ ..], problem) => {
            let target = match resource.is_defined {
                true => ValueTarget::Parameter(name.clone(), of.clone()),
                false => ValueTarget::Attribute(name.clone(), of.clone()),
            };
            let part = Mismatch {
                path: rest.to_vec(),
                problem: problem.clone(),
            };
            let message = parts_message(&target, &[part]);
            let fixes = fixes(checker, node, expected_types(Some(mismatch)));
            let found = checker.report_as(&DATA_MISMATCH, severity, range, message);
            found.fixes.extend(fixes);
        }
        _ => {}
    }
}

/// Reports an alias of a key none of whose values fits, and returns whether it is one.
fn check_alias(
    checker: &mut DataChecker<'_>,
    entry: &Entry,
    (item, wanted): (Item<'_>, &Type),
    value: &Value,
) -> bool {
    let alias = value.as_str().and_then(aliased_key);
    let Some(key) = alias.and_then(LookupKey::parse) else {
        return false;
    };
    let values = values_as_written(checker.db, checker.environment, &key).unwrap_or_default();
    if let Some((path, first)) = values.first()
        && values.iter().all(|it| is_wrong(wanted, &it.1))
    {
        let name = entry.name().rsplit("::").next().unwrap_or_default();
        let target = ValueTarget::Parameter(item.name(checker.db).clone(), name.to_owned());
        let reason = mismatch_message(&target, wanted, &first.type_);
        let message = format!("{reason} for `{}` in `{path}`", key.text);
        checker.report(&DATA_MISMATCH, entry.value.range, message);
    }
    true
}

/// Returns the key of a string that is an alias as a whole.
fn aliased_key(text: &str) -> Option<&str> {
    let mut parts = interpolations(text);
    let whole = parts.next().filter(|it| it.range == (0..text.len()))?;
    match whole.expression {
        Expression::Method(name, key) if Method::of_name(name) == Some(Method::Alias) => Some(key),
        _ => None,
    }
}

/// Returns the mismatches of a value that is merged with those of other levels: of its elements, or of the values of its
/// entries, unless another level overrides them; none of its parts if it is wrong as a whole.
fn merged_mismatches(
    checker: &DataChecker<'_>,
    entry: &Entry,
    (wanted, given): (&Type, &PartialValue),
    merge: &MergeStrategy,
) -> Option<Vec<Mismatch>> {
    let is_list = is_list(given);
    if is_wrong_after_merge(wanted, given, merge) {
        return Some(Vec::new());
    }
    // `unique` makes a list of a value, and flattens lists.
    let is_nested = |it: &Value| matches!(it, Value::Array(_));
    let is_flat = match &given.value {
        Some(Value::Array(items)) => !items.iter().any(is_nested),
        _ => is_list,
    };
    if *merge == MergeStrategy::Unique && !is_flat {
        return None;
    }
    let prefix = match merge {
        MergeStrategy::Deep(options) => options.knockout_prefix.as_deref(),
        _ => None,
    };
    if prefix.is_some_and(|it| it.is_empty() || checker.source(entry.value.range).contains(it)) {
        return None;
    }
    let mut found = certain_mismatches(wanted, &given.type_);
    if found.is_empty() {
        return None;
    }
    let others = other_values(checker, entry.name());
    let is_merged = match merge {
        MergeStrategy::Unique => is_list,
        MergeStrategy::Hash => !is_list,
        MergeStrategy::Deep(_) => prefix.is_none_or(|prefix| !may_remove_parts(&others, prefix)),
        MergeStrategy::First => false,
    };
    found.retain(|it| {
        let is_part = matches!(it.path.first(), Some(Step::Index(_) | Step::Entry(_)));
        // `hash` takes each entry as a whole from one level.
        let is_certain =
            *merge == MergeStrategy::Hash || matches!(it.problem, Problem::Type { .. });
        if is_merged && is_part && is_certain {
            return true;
        }
        // The size of the result is that of all values.
        if is_list || matches!(it.problem, Problem::Size { .. }) {
            return false;
        }
        let mut others = others.iter();
        !others.any(|other| {
            other
                .as_ref()
                .is_none_or(|other| has_part(other, it, prefix))
        })
    });
    // The elements of a part are merged only by `deep`.
    (!found.is_empty()).then_some(found)
}

/// Applies `convert_to`; `None` if the result is unknown or an error was reported.
fn converted(
    checker: &mut DataChecker<'_>,
    entry: &Entry,
    convert: &Value,
    given: PartialValue,
) -> Option<PartialValue> {
    let (ty, arguments) = conversion(convert, given.value?)?;
    match convert_data(checker.db, checker.environment, &ty, arguments) {
        Ok(value) => Some(PartialValue::of_value(value)),
        Err(LookupFailure::Error(reason)) => {
            let message = format!("`convert_to` fails for `{}`: {reason}", entry.name());
            checker.report(&DATA_MISMATCH, entry.value.range, message);
            None
        }
        Err(LookupFailure::Unknown(_)) => None,
    }
}

/// Reports each part that does not match at its own line.
fn report(
    checker: &mut DataChecker<'_>,
    entry: &Entry,
    (item, wanted, given): (Item<'_>, &Type, &PartialValue),
    found: &[Mismatch],
) {
    let name = entry.name().rsplit("::").next().unwrap_or_default();
    let target = ValueTarget::Parameter(item.name(checker.db).clone(), name.to_owned());
    let is_of_part = |it: &Mismatch| {
        !it.path.is_empty() || matches!(it.problem, Problem::Missing(_) | Problem::Unknown(_))
    };
    if found.is_empty() || !found.iter().all(is_of_part) {
        let message = mismatch_message(&target, wanted, &given.type_);
        let fixes = fixes(checker, &entry.value, expected_types(found.first()));
        let found = checker.report(&DATA_MISMATCH, entry.value.range, message);
        found.fixes.extend(fixes);
        return;
    }
    let node_of = |it: &Mismatch| part_at(&entry.value, &it.path);
    let range_of = |it: &Mismatch| key_range(&entry.value, it).unwrap_or_else(|| node_of(it).range);
    for group in found.chunk_by(|a, b| range_of(a) == range_of(b)) {
        let message = parts_message(&target, group);
        let fixes = fixes(checker, node_of(&group[0]), expected_types(group.first()));
        let range = range_of(&group[0]);
        let found = checker.report(&DATA_MISMATCH, range, message);
        found.fixes.extend(fixes);
    }
}

/// Returns the range of the key to report: an unknown or invalid one, or the one whose value lacks a key.
fn key_range(root: &Node, mismatch: &Mismatch) -> Option<TextRange> {
    let (of, key) = match (&mismatch.problem, mismatch.path.split_last()) {
        (Problem::Unknown(key), _) => (&mismatch.path[..], key.as_str()),
        (Problem::Missing(_), Some((Step::Entry(key), of))) => (of, key.as_str()),
        (_, Some((Step::KeyOf(key), of))) => (of, key.as_str()),
        _ => return None,
    };
    let node = part_at(root, of);
    if node.is_alias() {
        return None;
    }
    let mut entries = node.entries()?.iter();
    Some(entries.find(|it| it.key == key)?.key_range)
}

/// Returns the types that the part of a value may have.
fn expected_types(mismatch: Option<&Mismatch>) -> &[Type] {
    match mismatch.map(|it| &it.problem) {
        Some(Problem::Type { expected, .. }) => expected,
        _ => &[],
    }
}

/// Follows the path of a mismatch, as far as it leads to values.
fn part_at<'a>(node: &'a Node, path: &[Step]) -> &'a Node {
    let Some((step, rest)) = path.split_first() else {
        return node;
    };
    let part = match step {
        Step::Index(index) => node.elements().and_then(|it| it.get(*index)),
        Step::Entry(key) => node.find(key),
        Step::KeyOf(_) | Step::Return | Step::Block => None,
    };
    part.map_or(node, |it| part_at(it, rest))
}

/// Returns fixes that make a scalar fit: quotes, no quotes, or the nearest string.
fn fixes(checker: &DataChecker<'_>, node: &Node, wanted: &[Type]) -> Vec<Fix> {
    let Data::Scalar(scalar) = &node.data else {
        return Vec::new();
    };
    let fits = |value: &Value| wanted.iter().any(|it| is_instance(it, value) == Some(true));
    let written = checker.source(node.range);
    let mut fixes = Vec::new();
    match scalar {
        Scalar::String(text) => {
            let plain = plain_value(text).filter(|it| fits(it));
            if plain.is_some() && written.starts_with(['\'', '"']) {
                let label = "Remove the quotes".to_owned();
                fixes.push(checker.suggested(label, node.range, text.to_string()));
            }
            let near = wanted.iter().find_map(|it| nearest(it, text));
            fixes.extend(near.map(|it| checker.respelled(node.range, &it)));
        }
        Scalar::Integer(_) | Scalar::Float(_) | Scalar::Boolean(_)
            if fits(&Value::from(written)) =>
        {
            let label = "Quote the value".to_owned();
            fixes.push(checker.suggested(label, node.range, format!("'{written}'")));
        }
        _ => {}
    }
    fixes
}

/// Returns the value of a string without its quotes.
fn plain_value(text: &str) -> Option<Value> {
    match plain(text) {
        Scalar::Integer(it) => Some(Value::Integer(it)),
        Scalar::Float(it) => Some(Value::Float(it)),
        Scalar::Boolean(it) => Some(Value::Boolean(it)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::messages;
    use crate::testing::reported;

    const CLASS: &str = "//- modules/ntp/manifests/init.pp
class ntp (
  Integer[1, 65535] $port = 123,
  Hash[String, Struct[{ size => Integer, Optional[mode] => Enum['a', 'b'] }]] $disks = {},
  Array[String] $servers,
  Optional[String] $note = undef,
  Sensitive[String] $secret = Sensitive(''),
) { notice($port, $disks, $servers, $note, $secret) }
";

    fn check(data: &str) -> Vec<String> {
        messages(
            &DATA_MISMATCH,
            &format!("{CLASS}//- data/common.yaml\n{data}"),
        )
    }

    #[test]
    fn accepts_undef_in_place_of_other_values() {
        assert_eq!(check("ntp::servers: ~\n").len(), 1);
        let both = "ntp::servers: ~\n//- data/nodes/a.yaml\nntp::servers: []\n";
        assert_eq!(check(both), [""; 0]);
        let module = format!("{CLASS}//- modules/ntp/data/common.yaml\nntp::servers: ~\n");
        assert_eq!(messages(&DATA_MISMATCH, &module), [""; 0]);
        let node = "ntp::servers: []\n//- data/nodes/a.yaml\nntp::servers: ~\n";
        let of_others = "x: 1\n//- data/nodes/a.yaml\nntp::servers: ~\n//- data/nodes/b.yaml\nntp::servers: []\n";
        for data in [node, of_others] {
            assert_eq!(check(data).len(), 1, "{data}");
        }
    }

    #[test]
    fn finds_the_part_that_does_not_match() {
        assert_eq!(
            check("ntp::port: '80'\n"),
            ["`'80'`: parameter `port` of `ntp` expects `Integer[1, 65535]`, found `'80'`"]
        );
        assert_eq!(
            check("ntp::disks:\n  sda:\n    size: 1\n    mode: c\n"),
            [
                "`c`: parameter `disks` of `ntp`, entry `sda`, entry `mode`, expects `Enum['a', 'b']`, found `'c'`"
            ]
        );
        assert_eq!(
            check("ntp::disks:\n  sda: {size: x}\n  sdb: {size: 1, mode: d}\n"),
            [
                "`x`: parameter `disks` of `ntp`, entry `sda`, entry `size`, expects `Integer`, found `'x'`",
                "`d`: parameter `disks` of `ntp`, entry `sdb`, entry `mode`, expects `Enum['a', 'b']`, found `'d'`",
            ]
        );
        assert_eq!(
            check("ntp::servers:\n  - a\n  - 10\n"),
            ["`10`: parameter `servers` of `ntp`, element 1, expects `String`, found `10`"]
        );
    }

    #[test]
    fn finds_integers_of_more_than_64_bits() {
        let of_port = |found: &str| {
            format!("parameter `port` of `ntp` expects `Integer[1, 65535]`, found `{found}`")
        };
        assert_eq!(
            check("ntp::port: 18446744073709551616\n"),
            [format!(
                "`18446744073709551616`: {}",
                of_port("Integer[9223372036854775807]")
            )]
        );
        assert_eq!(check("ntp::port: -18446744073709551616\n").len(), 1);
        assert_eq!(check("ntp::servers: [a, 18446744073709551616]\n").len(), 1);
        assert_eq!(
            check("ntp::disks: {sda: {size: 18446744073709551616}}\n"),
            [""; 0]
        );
        assert_eq!(
            check("ntp::disks: {sda: {size: 18446744073709551616, mode: c}}\n").len(),
            1
        );
    }

    #[test]
    fn finds_mismatches_in_merged_values_and_aliases() {
        for (options, data, place) in [
            (
                "ntp::disks: {merge: deep}",
                "ntp::disks: {sda: {size: x}}",
                "x",
            ),
            ("ntp::disks: {merge: hash}", "ntp::disks: {sda: [1]}", "[1"),
            (
                "ntp::servers: {merge: unique}",
                "ntp::servers: [a, 10]",
                "10",
            ),
            ("x: {}", "x: &x [10]\nntp::servers: *x", "*x"),
            (
                "x: {}",
                "x: &x {size: a}\nntp::disks: {sda: {<<: *x}}",
                "{<<: *x",
            ),
            ("x: {}", "ntp::port: \"%{facts.x}\"", "\"%{facts.x}\""),
        ] {
            let found = check(&format!("lookup_options: {{{options}}}\n{data}\n"));
            assert_eq!(found.len(), 1, "{data}: {found:?}");
            assert!(found[0].starts_with(&format!("`{place}")), "{found:?}");
        }
    }

    #[test]
    fn finds_lookups_with_another_type() {
        let lookup = |call: &str, data: &str| {
            reported(
                &DATA_MISMATCH,
                &format!(
                    "//- modules/m/manifests/init.pp\nclass m {{ $a = {call} }}\n\
                     //- modules/environment/hiera.yaml\nversion: 5\n\
                     //- modules/environment/data/common.yaml\n{data}\n"
                ),
            )
        };
        assert_eq!(
            lookup("lookup('a', Integer)", "a: '1'"),
            ["`'a'`: lookup of `a` expects `Integer`, found `'1'` in `data/common.yaml`"]
        );
        assert_eq!(
            lookup("lookup('a', { value_type => Boolean })", "a: x").len(),
            1
        );
        assert_eq!(
            lookup("lookup('a', Integer, 'first', 1)", "a: \"%{facts.x}\"").len(),
            1
        );
        for (call, data) in [
            ("lookup('a.b', Integer)", "a: {b: x}"),
            ("lookup('a.0', Integer)", "a: [x]"),
            ("lookup('a', Array[Integer], 'unique')", "a: [x, 1]"),
            ("lookup('a', Array[String], 'unique')", "a: {b: c}"),
            ("lookup('a', Array, 'hash')", "a: {b: \"%{facts.x}\"}"),
            ("lookup('a', Hash, 'deep')", "a: [x]"),
            ("lookup('a', Integer, 'deep')", "a: {}"),
        ] {
            assert_eq!(lookup(call, data).len(), 1, "{call}: {data}");
        }
        for (call, data) in [
            ("lookup('a', Integer)", "a: 1"),
            ("lookup('a')", "a: 1"),
            ("lookup('a', Integer)", "a: \"%{alias('b')}\""),
            ("lookup('a.b', Integer)", "a: {b: 1}"),
            ("lookup('a.1', Integer)", "a: [x, 1]"),
            ("lookup('a.c', Integer)", "a: {b: x}"),
            ("lookup('a', Array[Integer], 'unique')", "a: [1]"),
            ("lookup('a', Hash[String, Integer, 2], 'hash')", "a: {b: 1}"),
            ("lookup('a', Array[Integer], 'deep')", "a: [x]"),
            ("lookup('a', Array[Integer, 2], 'unique')", "a: [1]"),
            ("lookup('a', Array, 'unique')", "a: 1"),
            (
                "lookup('a', Integer)",
                "lookup_options: {a: {convert_to: Integer}}\na: '1'",
            ),
            (
                "lookup('a', Integer)",
                "lookup_options: {a: {convert_to: Integer}}\na: \"%{x}\"",
            ),
        ] {
            assert_eq!(lookup(call, data), [""; 0], "{call}: {data}");
        }
    }

    #[test]
    fn finds_values_that_cannot_be_merged() {
        for data in [
            "lookup_options:\n  ntp::servers: {merge: unique}\nntp::servers: {a: b}\n",
            "lookup_options:\n  ntp::disks: {merge: hash}\nntp::disks: [a]\n",
            // A single value becomes a list, too.
            "lookup_options:\n  '^ntp::n': {merge: unique}\nntp::note: x\n",
        ] {
            assert_eq!(check(data).len(), 1, "{data}");
        }
    }

    #[test]
    fn accepts_what_may_match() {
        for data in [
            "ntp::port: 80\n",
            "ntp::port: ~\n",
            "ntp::port: \"%{alias('other')}\"\n",
            "ntp::note: \"%{facts.kernel}\"\n",
            "ntp::servers: [\"%{facts.kernel}\"]\n",
            "lookup_options:\n  ntp::port: {convert_to: Integer}\nntp::port: '80'\n",
            "lookup_options:\n  '^ntp::s': {convert_to: Sensitive}\nntp::secret: x\n",
            "lookup_options:\n  ntp::servers: {merge: unique}\nntp::servers: x\n",
            "lookup_options:\n  ntp::disks: {merge: hash}\nntp::disks: {sda: {size: 1}}\n",
            "ntp::disks: {sda: {size: 1, mode: \"%{facts.x}\"}}\n",
        ] {
            assert_eq!(check(data), [""; 0], "{data}");
        }
    }

    #[test]
    fn finds_aliases_of_values_that_do_not_match() {
        for (data, count) in [
            ("ntp::port: \"%{alias('p')}\"\np: http\n", 1),
            ("ntp::port: \"%{alias('p.a')}\"\np: {a: http}\n", 1),
            ("ntp::port: \"%{alias('p')}\"\np: 80\n", 0),
            (
                "ntp::port: \"%{alias('p')}\"\np: \"%{alias('q')}\"\nq: http\n",
                0,
            ),
            (
                "ntp::port: \"%{alias('p')}\"\np: http\n//- data/nodes/a.yaml\np: 80\n",
                0,
            ),
            (
                "lookup_options: {p: {convert_to: Integer}}\nntp::port: \"%{alias('p')}\"\np: '80'\n",
                0,
            ),
        ] {
            assert_eq!(check(data).len(), count, "{data}");
        }
    }

    #[test]
    fn finds_mismatches_that_no_merge_repairs() {
        let options =
            "lookup_options:\n  ntp::disks: {merge: {strategy: deep, knockout_prefix: '--'}}\n";
        let other = "//- data/nodes/a.yaml\nntp::disks:";
        for (data, count) in [
            ("ntp::disks: {sda: {size: 1, mod: a}}\n".to_owned(), 1),
            ("ntp::disks: {sda: {mode: a}}\n".to_owned(), 1),
            ("ntp::disks: [sda]\n".to_owned(), 1),
            (
                format!("ntp::disks: {{sda: {{mode: a}}}}\n{other} {{sda: {{size: 1}}}}\n"),
                0,
            ),
            (
                format!("ntp::disks: {{sda: {{mode: a}}}}\n{other} {{sdb: {{size: 1}}}}\n"),
                1,
            ),
            (
                format!("ntp::disks: {{sda: {{mode: a}}}}\n{other} {{--sda: ''}}\n"),
                0,
            ),
            ("ntp::disks: {sda: {size: 1, --mod: ''}}\n".to_owned(), 0),
            ("ntp::disks: {sda: {size: 1, mode: c}}\n".to_owned(), 1),
            (
                format!("ntp::disks: {{sda: {{size: x}}}}\n{other} {{sda: {{size: 1}}}}\n"),
                1,
            ),
            (
                format!("ntp::disks: {{sda: {{size: x}}}}\n{other} {{sda: '--'}}\n"),
                0,
            ),
            (
                format!("ntp::disks: {{sda: {{size: x}}}}\n{other} {{\"%{{facts.a}}\": 1}}\n"),
                0,
            ),
        ] {
            assert_eq!(check(&format!("{options}{data}")).len(), count, "{data}");
        }
        let hash = "lookup_options:\n  ntp::disks: {merge: hash}\n";
        for (data, count) in [
            ("{sda: {mode: a}}", 1),
            ("{sda: {size: 1, mod: a}}", 1),
            ("{sda: {size: 1}}", 0),
        ] {
            let data = format!(
                "{hash}ntp::disks: {data}\n{other} {{sda: {{size: \"%{{alias('n')}}\"}}}}\n"
            );
            assert_eq!(check(&data).len(), count, "{data}");
        }
        let unique = "lookup_options: {ntp::servers: {merge: unique}}\n";
        assert_eq!(
            check(&format!("{unique}ntp::servers: [[a], [b]]\n")),
            [""; 0]
        );
    }
}
