//! Lookups whose type none of the values in data matches.

use std::sync::Arc;

use hiera::merge::MergeStrategy;
use hiera::{LookupKey, Segment};
use infer::convert_data;
use syntax::{SyntaxNode, TextRange};
use types::Type;
use types::values::Value;

use super::{
    PartialValue, ValuesOfKey, all_values, conversion, dug, has_wrong_element, is_of_wrong_kind,
    is_wrong, is_wrong_after_merge, options_of, paths_of_all,
};
use crate::checker::Checker;

/// A lookup of a constant key whose type no value of the key has.
pub(crate) struct WrongLookup {
    /// The range of the key.
    pub(crate) range: TextRange,
    pub(crate) key: Arc<str>,
    pub(crate) wanted: Type,
    /// The type of the first wrong value, and the path of its file.
    pub(crate) found: Type,
    pub(crate) path: Arc<str>,
    /// The number of the other wrong values.
    pub(crate) others: usize,
}

/// Returns the lookup that a call makes, if its type certainly refuses the value.
pub(crate) fn wrong_lookup(checker: &Checker<'_>, node: &SyntaxNode) -> Option<WrongLookup> {
    let lookup = TypedLookup::of(checker, node)?;
    let values = lookup.values(checker)?;
    let (path, wrong, others) = lookup.first_wrong(checker, &values)?;
    Some(WrongLookup {
        range: lookup.range,
        found: wrong.type_.clone(),
        path: Arc::clone(path),
        others,
        key: lookup.root,
        wanted: lookup.wanted,
    })
}

/// A lookup of a constant key with a type.
struct TypedLookup {
    range: TextRange,
    wanted: Type,
    root: Arc<str>,
    /// The path in the value.
    segments: Vec<Segment>,
    merge: MergeStrategy,
    /// The type to convert to, with arguments.
    convert_to: Option<Value>,
}

impl TypedLookup {
    fn of(checker: &Checker<'_>, node: &SyntaxNode) -> Option<TypedLookup> {
        let call = checker.lookup_call(node).filter(|it| !it.may_override)?;
        // Plans read different levels than catalogs.
        if checker.is_in_plan(node.text_range()) {
            return None;
        }
        let wanted = call.value_type.clone().filter(|it| *it != Type::Any)?;
        let LookupKey { root, segments, .. } = call.only_key()?;
        let options = options_of(checker.db, checker.environment, &root)?;
        // Keys with paths are not merged.
        let merge = match &segments[..] {
            [] => call.merge.unwrap_or(options.merge),
            _ => MergeStrategy::First,
        };
        let is_convertible =
            segments.is_empty() && matches!(merge, MergeStrategy::First | MergeStrategy::Unique);
        if options.convert_to.is_some() && !is_convertible {
            return None;
        }
        Some(TypedLookup {
            range: call.range,
            wanted,
            root,
            segments,
            merge,
            convert_to: options.convert_to,
        })
    }

    /// Returns the values in all data files, converted, with the paths of their files; `None` if one is unknown.
    fn values(&self, checker: &Checker<'_>) -> Option<ValuesOfKey> {
        let values = all_values(checker.db, checker.environment, &self.root)?;
        let values = values.into_iter();
        let parts = values.map(|(path, value)| Some((path, self.part(checker, value)?)));
        parts.collect()
    }

    /// Returns the part of a value that the key leads to, or the converted value.
    fn part(&self, checker: &Checker<'_>, value: PartialValue) -> Option<PartialValue> {
        if !self.segments.is_empty() {
            let part = dug(&value.value?, &self.segments)?;
            return Some(PartialValue::of_value(part));
        }
        let Some(convert) = &self.convert_to else {
            return Some(value);
        };
        let (ty, arguments) = conversion(convert, value.value?)?;
        let converted = convert_data(checker.db, checker.environment, &ty, arguments).ok()?;
        Some(PartialValue::of_value(converted))
    }

    /// Returns a wrong value with its path, and the number of others: an element that all nodes have after the merge, or
    /// the first value if all are wrong.
    fn first_wrong<'v>(
        &self,
        checker: &Checker<'_>,
        values: &'v ValuesOfKey,
    ) -> Option<(&'v Arc<str>, &'v PartialValue, usize)> {
        if self.merge == MergeStrategy::Unique && self.convert_to.is_none() {
            let of_all = paths_of_all(checker.db, checker.environment);
            let mut certain = values.iter().filter(|it| of_all.contains(&it.0));
            if let Some((path, value)) = certain.find(|it| has_wrong_element(&self.wanted, &it.1)) {
                return Some((path, value, 0));
            }
        }
        let (path, first) = values.first()?;
        let are_wrong = values.iter().all(|it| self.is_wrong(&it.1));
        are_wrong.then_some((path, first, values.len() - 1))
    }

    fn is_wrong(&self, given: &PartialValue) -> bool {
        let wanted = &self.wanted;
        match &self.merge {
            MergeStrategy::First => is_wrong(wanted, given),
            MergeStrategy::Unique => {
                has_wrong_element(wanted, given) || is_wrong_after_merge(wanted, given, &self.merge)
            }
            MergeStrategy::Hash | MergeStrategy::Deep(_) => is_of_wrong_kind(wanted, given),
        }
    }
}
