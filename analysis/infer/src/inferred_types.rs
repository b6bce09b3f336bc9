//! Access to the inferred types of a file.

use salsa::Database;
use syntax::TextRange;

use crate::{Inferred, TypedRangeKind, infer_item};
use base::FileInput;
use hir::items;
use types::Type;
use types::values::Value;

/// The inferred type of a range of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InferredType {
    /// The range.
    pub range: TextRange,
    /// The kind of the range.
    pub kind: TypedRangeKind,
    /// The inferred type, which includes every possible value; `Any` if it is unknown.
    pub type_: Type,
    /// The value, if it is known.
    pub value: Option<Value>,
}

/// Returns the inferred type of the expression, parameter or assigned variable with a range.
/// Returns `None` in unreachable code.
pub fn inferred_at(db: &dyn Database, file: FileInput, range: TextRange) -> Option<Inferred> {
    let found = items(db, file).iter().find_map(|item| {
        let offset = item.offset(db);
        let range = TextRange::new(
            range.start().checked_sub(offset)?,
            range.end().checked_sub(offset)?,
        );
        infer_item(db, *item).at(range)
    });
    found.filter(|it| !it.is_never()).cloned()
}

/// Returns all inferred types of a file, in source order, without unreachable code.
pub fn inferred_types(db: &dyn Database, file: FileInput) -> Vec<InferredType> {
    let mut found = Vec::new();
    for item in items(db, file) {
        for typed_range in &infer_item(db, *item).typed_ranges {
            if typed_range.inferred.is_never() {
                continue;
            }
            found.push(InferredType {
                range: item.in_file(db, typed_range.range),
                kind: typed_range.kind,
                type_: typed_range.inferred.type_.clone(),
                value: typed_range.inferred.value.clone(),
            });
        }
    }
    let order = |it: &InferredType| (it.range.start(), std::cmp::Reverse(it.range.end()), it.kind);
    found.sort_by_key(order);
    found
}
