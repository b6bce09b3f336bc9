//! What is inferred of the expressions of a file.

use salsa::Database;
use syntax::TextRange;

use crate::db::FileInput;
use crate::infer::{Inferred, Subject, infer};
use crate::types::Type;
use crate::values::Value;
use crate::workspace::items;

/// What is inferred of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InferredPlace {
    /// The place.
    pub range: TextRange,
    /// What stands there.
    pub subject: InferredSubject,
    /// A type that has every value it can have; `Any` if nothing is known.
    pub type_: Type,
    /// The value, if there is only one.
    pub value: Option<Value>,
}

/// What an [`InferredPlace`] is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InferredSubject {
    /// An expression.
    Expression,
    /// A parameter, at its name.
    Parameter,
    /// A variable that is assigned here.
    Assigned,
}

/// What is inferred of an expression, parameter or assigned variable by its range in a file; nothing
/// if nothing gets there.
pub(crate) fn inferred_at(
    db: &dyn Database,
    file: FileInput,
    range: TextRange,
) -> Option<Inferred> {
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

/// What is inferred of a file, in the order of its text. Code that nothing gets to is left out.
pub(crate) fn inferred_places(db: &dyn Database, file: FileInput) -> Vec<InferredPlace> {
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
