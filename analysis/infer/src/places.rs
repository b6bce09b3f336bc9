//! Access to the inferred types of a file.

use salsa::Database;
use syntax::TextRange;

use crate::{Inferred, Subject, infer};
use base::db::FileInput;
use hir::items;
use types::Type;
use types::values::Value;

/// The inferred type of a source range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InferredPlace {
    /// The range.
    pub range: TextRange,
    /// The kind of subject.
    pub subject: InferredSubject,
    /// The inferred type, which includes every possible value; `Any` if it is unknown.
    pub type_: Type,
    /// The value, if it is known.
    pub value: Option<Value>,
}

/// The subject of an [`InferredPlace`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InferredSubject {
    /// An expression.
    Expression,
    /// A parameter, at its name.
    Parameter,
    /// An assigned variable, at its name.
    Assigned,
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
        infer(db, *item).at(range)
    });
    found.filter(|it| !it.is_never()).cloned()
}

/// Returns all inferred types of a file, in source order, without unreachable code.
pub fn inferred_places(db: &dyn Database, file: FileInput) -> Vec<InferredPlace> {
    let mut found = Vec::new();
    for item in items(db, file) {
        for claim in &infer(db, *item).claims {
            if claim.inferred.is_never() {
                continue;
            }
            found.push(InferredPlace {
                range: item.in_file(db, claim.range),
                subject: match claim.subject {
                    Subject::Expression => InferredSubject::Expression,
                    Subject::Parameter => InferredSubject::Parameter,
                    Subject::Assigned => InferredSubject::Assigned,
                },
                type_: claim.inferred.type_.clone(),
                value: claim.inferred.value.clone(),
            });
        }
    }
    let order = |it: &InferredPlace| {
        (
            it.range.start(),
            std::cmp::Reverse(it.range.end()),
            it.subject,
        )
    };
    found.sort_by_key(order);
    found
}
