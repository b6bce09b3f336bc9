use std::sync::Arc;

use base::Fix;
use hiera::LookupFailure;
use hiera::document::{Data, Entry, Node, Scalar, plain};
use hiera::merge::MergeStrategy;
use hir::Item;
use infer::{ValueTarget, convert_data, declared_parameters};
use types::mismatch::{Mismatch, Problem, Step, mismatches};
use types::precise::intersection;
use types::values::Value;
use types::{Type, is_instance};

use crate::data::{
    ClassKey, DataChecker, KeyOptions, PartialValue, class_key, options_of, partial_value,
};
use crate::fixes::nearest;
use crate::mismatch::{mismatch_message, part_message};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports values in data that do not match the type of the class parameter.
    ///
    /// ## What it does
    ///
    /// Checks the values of keys `class::parameter` against the declared type of the parameter, after the
    /// conversion in `lookup_options`. Strings with interpolations may have any content.
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
    /// * Values that are merged with those of other levels.
    /// * `null` for a parameter with a default, which then applies.
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
        checks: [Check::DataFile(check)],
    }
}

fn check(checker: &mut DataChecker<'_>) {
    let data = Arc::clone(&checker.data);
    let entries = checker.keys().filter(|it| it.name().contains("::"));
    let keys: Vec<String> = entries.map(|it| it.name().to_owned()).collect();
    for key in keys {
        let entry = data.entries().iter().rev().find(|it| it.name() == key);
        if let Some(entry) = entry {
            check_entry(checker, entry);
        }
    }
}

fn check_entry(checker: &mut DataChecker<'_>, entry: &Entry) {
    let (db, environment) = (checker.db, checker.environment);
    let key = entry.name();
    let ClassKey::Parameter(item, parameter) = class_key(db, environment, key) else {
        return;
    };
    let declared = declared_parameters(db, item);
    let declared = declared.iter().find(|it| it.0 == parameter.name);
    let Some(wanted) = declared.map(|it| &it.1).filter(|it| **it != Type::Any) else {
        return;
    };
    let Some(given) = partial_value(&entry.value) else {
        return;
    };
    if given.value == Some(Value::Undef) && !parameter.is_required() {
        return;
    }
    let Some(KeyOptions { merge, convert_to }) = options_of(db, environment, key) else {
        return;
    };
    if merge != MergeStrategy::First {
        return;
    }
    let given = match convert_to {
        None => given,
        Some(convert) => match converted(checker, entry, &convert, given) {
            Some(given) => given,
            None => return,
        },
    };
    let is_wrong = match &given.value {
        Some(value) => is_instance(wanted, value) == Some(false),
        None => intersection(wanted, &given.type_).is_none(),
    };
    if is_wrong {
        report(checker, entry, (item, wanted, &given));
    }
}

/// Applies `convert_to`; `None` if the result is unknown or an error was reported.
fn converted(
    checker: &mut DataChecker<'_>,
    entry: &Entry,
    convert: &Value,
    given: PartialValue,
) -> Option<PartialValue> {
    let mut arguments = match convert {
        Value::Array(items) => items.to_vec(),
        it => vec![it.clone()],
    };
    if arguments.is_empty() {
        return None;
    }
    let ty = arguments.remove(0);
    arguments.insert(0, given.value?);
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

fn report(
    checker: &mut DataChecker<'_>,
    entry: &Entry,
    (item, wanted, given): (Item<'_>, &Type, &PartialValue),
) {
    let name = entry.name().rsplit("::").next().unwrap_or_default();
    let target = ValueTarget::Parameter(item.name(checker.db).clone(), name.to_owned());
    let mismatches = mismatches(wanted, &given.type_);
    let parts = mismatches.iter().map(|it| part_at(&entry.value, &it.path));
    let mut parts: Vec<&Node> = parts.collect();
    parts.dedup_by_key(|it| it.range);
    // A mismatch of the whole value, or of values that other files also contain.
    if parts.len() < 2 || mismatches.len() != parts.len() {
        let message = mismatch_message(&target, wanted, &given.type_);
        let node = parts.first().copied().unwrap_or(&entry.value);
        let fixes = fixes(checker, node, expected_types(mismatches.first()));
        let found = checker.report(&DATA_MISMATCH, node.range, message);
        found.fixes.extend(fixes);
        return;
    }
    for (mismatch, node) in mismatches.iter().zip(parts) {
        let message = part_message(&target, mismatch);
        let fixes = fixes(checker, node, expected_types(Some(mismatch)));
        let found = checker.report(&DATA_MISMATCH, node.range, message);
        found.fixes.extend(fixes);
    }
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
        ] {
            assert_eq!(check(data), [""; 0], "{data}");
        }
    }
}
