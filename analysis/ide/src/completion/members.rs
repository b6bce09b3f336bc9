//! Completes attributes and functions of objects after a dot.

use std::sync::Arc;

use syntax::ast::Expr;

use super::expected::alternatives;
use super::{Candidate, Candidates, CompletionKind, score};
use types::{ObjectType, Type, display_hover};

/// Adds the members of the object types that the receiver can have.
pub(super) fn members(acc: &mut Candidates<'_, '_>, receiver: &Expr) {
    let type_ = acc.cursor.infer_expr(receiver).map(|it| it.type_);
    for object in type_.iter().flat_map(alternatives).filter_map(object_type) {
        for (name, attribute) in object.all_attributes() {
            add(acc, &name, CompletionKind::Attribute, &attribute.ty);
        }
        for (name, function) in object.all_functions() {
            add(acc, &name, CompletionKind::Function, &function.ty);
        }
    }
}

fn add(acc: &mut Candidates<'_, '_>, name: &str, kind: CompletionKind, type_: &Type) {
    let detail = base::truncated(&display_hover(type_), 80);
    let candidate = Candidate::new(kind, name).detail(Some(detail));
    acc.add(candidate.score(score::EXACT));
}

fn object_type(type_: Type) -> Option<Arc<ObjectType>> {
    match type_ {
        Type::Object(it) => Some(it),
        Type::ObjectExtension(it) => Some(Arc::clone(&it.base)),
        _ => None,
    }
}
