//! Names of classes that are computed: held in variables, interpolated, or one of several.
//!
//! Literal names are references of the item, which rules check without inference.

use syntax::TextRange;

use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::problem::TypeProblemKind;
use super::strings::finite_strings;
use hir::autoload::NameKey;
use hir::body::{ReferenceName, body};
use hir::canonical_name;
use hir::evaluated_classes::evaluated_with;
use hir::resolve;
use types::Type;
use types::values::Value;

impl InferenceContext<'_> {
    /// Marks classes as evaluated, if their names are known.
    pub(super) fn declare_classes(&mut self, names: &Inferred) {
        let Some(environment) = self.environment else {
            return;
        };
        for name in names.value.iter().flat_map(class_names) {
            let key = NameKey::new(self.db, name);
            for class in evaluated_with(self.db, environment, key) {
                self.flow.declare_class(class);
            }
        }
    }

    /// Reports computed names that no class has. An array may contain several; of the possible values of
    /// a string, one is enough.
    pub(super) fn check_computed_classes(&mut self, names: &Inferred, range: TextRange) {
        if names.value.is_none() && names.is_a(&Type::STRING) != Some(true) {
            return;
        }
        let (names, is_one_of) = match &names.value {
            Some(value) => (class_names(value), false),
            None => (finite_strings(names).unwrap_or_default(), true),
        };
        let is_unknown = |name: &String| resolve::class(self.db, self.environment, name).is_err();
        let (unknown, known): (Vec<_>, Vec<_>) = names.into_iter().partition(is_unknown);
        if is_one_of && !known.is_empty() || self.is_guarded(range) {
            return;
        }
        if self.contains_class_reference(range) {
            return;
        }
        for name in unknown
            .into_iter()
            .take(if is_one_of { 1 } else { usize::MAX })
        {
            self.report(range, TypeProblemKind::UnknownClass { name });
        }
    }

    /// Whether a range has a literal name of a class, which rules check.
    fn contains_class_reference(&self, range: TextRange) -> bool {
        let references = &body(self.db, self.item).references;
        let first = references.partition_point(|it| it.range.start() < range.start());
        (references[first..].iter())
            .take_while(|it| it.range.start() < range.end())
            .any(|it| matches!(it.name, ReferenceName::Class(..)) && range.contains_range(it.range))
    }
}

/// Returns the names of the classes in a value that functions such as `include` take.
fn class_names(value: &Value) -> Vec<String> {
    match value {
        Value::Array(all) => all.iter().flat_map(class_names).collect(),
        other => class_name(other).into_iter().collect(),
    }
}

/// Returns the class that a value names, in canonical form.
pub(super) fn class_name(value: &Value) -> Option<String> {
    match value {
        Value::String(name) => Some(canonical_name(name)),
        Value::Type(Type::Class(Some(name))) => Some(canonical_name(name)),
        _ => None,
    }
}
