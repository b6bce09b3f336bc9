//! Completes attributes and functions of objects after a dot.

use std::sync::Arc;

use syntax::ast::Expr;

use super::expected::alternatives;
use super::{Candidate, Candidates, CompletionKind, DocumentedKind, group, score};
use crate::bolt::PlanTypes;
use types::{ObjectType, Type, display_hover};

/// Adds the members of the object types that the receiver can have.
pub(super) fn members(acc: &mut Candidates<'_, '_>, receiver: &Expr) {
    let plan_types = PlanTypes::new(acc.cursor.db, acc.cursor.file);
    for type_ in plan_types.objects(receiver) {
        for member in &type_.members {
            let candidate = Candidate::new(CompletionKind::Attribute, &member.name)
                .detail(Some(member.type_.clone()))
                .documentation_key(
                    DocumentedKind::BoltMember,
                    format!("{} {}", type_.name, member.name),
                );
            acc.add(candidate.score(score::EXACT).group(group::LIKELY));
        }
    }
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
