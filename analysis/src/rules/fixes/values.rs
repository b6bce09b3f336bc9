//! Values that fit where one does not.

use syntax::ast::{AstNode, Expr, HashEntry, LiteralKind, Number, Parameter};
use syntax::{Applicability, Fix, SyntaxNode, TextRange};

use super::{
    certain_if, element_insertion, element_removal, expr_at, plain_text, sample, text_like,
};
use crate::rules::suggest::similar;
use crate::types::mismatch::{Mismatch, Problem, Step, mismatches};
use crate::types::{Type, is_instance};
use crate::values::{Value, lower_case, quote};

/// The string of those that a type lists that was most likely meant by another one.
pub(in crate::rules) fn nearest(wanted: &Type, given: &str) -> Option<String> {
    let mut known = Vec::new();
    strings(wanted, &mut known, 8);
    let known = || known.iter().map(String::as_str);
    let by_case = known().find(|it| lower_case(it) == lower_case(given));
    let found = by_case.or_else(|| similar(given, known()));
    found.map(str::to_owned)
}

/// The strings that a type lists.
fn strings(type_: &Type, into: &mut Vec<String>, depth: u32) {
    match type_ {
        _ if depth == 0 => {}
        Type::Enum(it) => into.extend(it.values().iter().map(ToString::to_string)),
        Type::String(it) => into.extend(it.value().map(ToString::to_string)),
        Type::Variant(all) => all.iter().for_each(|it| strings(it, into, depth - 1)),
        Type::Optional(Some(it)) | Type::NotUndef(Some(it)) => strings(it, into, depth - 1),
        Type::Alias(it) => strings(&it.resolved(), into, depth - 1),
        _ => {}
    }
}

/// What can be done about a value that is written out at a place where another type is wanted.
pub(in crate::rules) fn value_fixes(
    root: &SyntaxNode,
    range: TextRange,
    wanted: &Type,
    given: &Type,
) -> Vec<Fix> {
    let Some(expr) = expr_at(root, range) else {
        return Vec::new();
    };
    if let Some(fix) = replaced(&expr, wanted) {
        return vec![fix];
    }
    if !matches!(expr, Expr::HashExpr(_) | Expr::ArrayExpr(_)) {
        return Vec::new();
    }
    // With several mistakes one is gone after a fix, and the others are told anew.
    match mismatches(wanted, given).as_slice() {
        [only] => inside(&expr, wanted, only),
        _ => Vec::new(),
    }
}

/// Another value in place of a literal.
fn replaced(expr: &Expr, wanted: &Type) -> Option<Fix> {
    let range = expr.syntax().text_range();
    let fits = |it: &Value| is_instance(wanted, it) == Some(true);
    if let Some(text) = plain_text(expr) {
        if let Some(near) = nearest(wanted, &text).filter(|it| fits(&Value::from(it.as_str()))) {
            let is_same = lower_case(&near) == lower_case(&text);
            let fix = Fix::suggested(
                format!("Write {}", quote(&near)),
                range,
                text_like(expr, &near),
            );
            return Some(fix.with(certain_if(is_same)));
        }
        let value = unquoted(&text).filter(fits)?;
        return matches!(value, Value::Integer(_) | Value::Boolean(_) | Value::Undef)
            .then(|| Fix::suggested(format!("Write `{text}` without quotes"), range, text));
    }
    let Expr::Literal(literal) = expr else {
        return None;
    };
    let is_plain = matches!(
        literal.kind()?,
        LiteralKind::Number(_) | LiteralKind::Boolean(_)
    );
    let text = literal.token()?.text().to_owned();
    let quoted = is_plain && fits(&Value::from(text.as_str()));
    quoted.then(|| Fix::suggested(format!("Put `{text}` in quotes"), range, quote(&text)))
}

/// What a text is without its quotes.
fn unquoted(text: &str) -> Option<Value> {
    match text {
        "true" => Some(Value::from(true)),
        "false" => Some(Value::from(false)),
        "undef" => Some(Value::Undef),
        _ => {
            let number: i64 = text.parse().ok()?;
            // Not one that would be octal, or has a sign that is an operator.
            (number.to_string() == text && number >= 0).then(|| Value::from(number))
        }
    }
}

/// What can be done about a mistake inside of a hash or an array that is written out.
fn inside(expr: &Expr, wanted: &Type, mismatch: &Mismatch) -> Vec<Fix> {
    let Some(part) = part(expr, &mismatch.path) else {
        return Vec::new();
    };
    match &mismatch.problem {
        Problem::Type { expected, .. } => {
            let fixes = expected.iter().filter_map(|it| replaced(&part, it));
            // What fits there may still not fit as a whole: only a single way is sure to.
            let fixes: Vec<_> = fixes.collect();
            if expected.len() == 1 {
                fixes
            } else {
                Vec::new()
            }
        }
        Problem::Unknown(key) => unknown_key(&part, struct_at(wanted, &mismatch.path), key),
        Problem::Missing(key) => missing_key(&part, struct_at(wanted, &mismatch.path), key)
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

/// The part of a literal at the end of a path.
fn part(expr: &Expr, path: &[Step]) -> Option<Expr> {
    let Some((first, rest)) = path.split_first() else {
        return Some(expr.clone());
    };
    let inner = match (expr, first) {
        (Expr::HashExpr(it), Step::Entry(key)) => {
            let mut entries = it.entries();
            entries.find(|it| is_key(it, key))?.value()?
        }
        (Expr::ArrayExpr(it), Step::Index(index)) => it.elements().nth(*index)?,
        _ => return None,
    };
    part(&inner, rest)
}

fn is_key(entry: &HashEntry, key: &str) -> bool {
    entry.key().and_then(|it| plain_text(&it)).as_deref() == Some(key)
}

/// The type that is wanted at the end of a path, if that is certain.
fn struct_at(wanted: &Type, path: &[Step]) -> Option<Type> {
    let wanted = match wanted {
        Type::Alias(it) => return struct_at(&it.resolved(), path),
        Type::Optional(Some(it)) | Type::NotUndef(Some(it)) => return struct_at(it, path),
        it => it,
    };
    let Some((first, rest)) = path.split_first() else {
        return matches!(wanted, Type::Struct(_)).then(|| wanted.clone());
    };
    match (wanted, first) {
        (Type::Struct(it), Step::Entry(key)) => struct_at(&it.get(key)?.value, rest),
        (Type::Hash(it), Step::Entry(_)) => struct_at(it.value(), rest),
        (Type::Array(it), Step::Index(_)) => struct_at(it.element(), rest),
        _ => None,
    }
}

fn unknown_key(hash: &Expr, wanted: Option<Type>, key: &str) -> Vec<Fix> {
    let (Expr::HashExpr(hash), Some(Type::Struct(wanted))) = (hash, wanted) else {
        return Vec::new();
    };
    let Some(entry) = hash.entries().find(|it| is_key(it, key)) else {
        return Vec::new();
    };
    let Some(written) = entry.key() else {
        return Vec::new();
    };
    let is_given = |it: &str| hash.entries().any(|entry| is_key(&entry, it));
    let free = wanted.elements().iter().map(|it| &*it.name);
    let near = similar(key, free.filter(|it| !is_given(it)));
    let renamed = near.map(|it| {
        let range = written.syntax().text_range();
        Fix::suggested(format!("Write `{it}`"), range, text_like(&written, it))
    });
    // What has only this key may be meant to have the other one.
    let label = format!("Remove `{key}`");
    let removed = Fix::suggested(label, element_removal(entry.syntax()), "");
    let is_literal = entry.value().is_some_and(|it| is_constant(&it));
    let removed = is_literal.then_some(removed);
    renamed.into_iter().chain(removed).collect()
}

fn missing_key(hash: &Expr, wanted: Option<Type>, key: &str) -> Option<Fix> {
    let (Expr::HashExpr(hash), Some(Type::Struct(wanted))) = (hash, wanted) else {
        return None;
    };
    let last = hash.entries().last()?;
    let value = sample(&wanted.get(key)?.value)?;
    let written = last.key()?;
    let edit = element_insertion(
        last.syntax(),
        &format!("{} => {value}", text_like(&written, key)),
    );
    Some(Fix::suggested(
        format!("Add `{key}`"),
        edit.range,
        edit.text,
    ))
}

/// Whether nothing is read or called in an expression.
fn is_constant(expr: &Expr) -> bool {
    use syntax::SyntaxKind::*;
    let mut kinds = expr.syntax().descendants().map(|it| it.kind());
    kinds.all(|it| !matches!(it, VARIABLE_EXPR | CALL_EXPR | METHOD_CALL | HEREDOC))
}

/// The type of a parameter as one that also takes `undef`, where its default is that.
pub(in crate::rules) fn optional(root: &SyntaxNode, default: TextRange) -> Option<Fix> {
    let expr = expr_at(root, default)?;
    let parameter = expr.syntax().parent().and_then(Parameter::cast)?;
    let type_ = parameter.type_expr()?;
    let range = type_.syntax().text_range();
    let text = format!("Optional[{}]", type_.syntax().text());
    let fix = Fix::suggested(format!("Declare it as `{text}`"), range, text.clone());
    // On several lines it is no label.
    (!text.contains('\n')).then(|| fix.with(Applicability::Suggested))
}

/// A number as a title.
pub(in crate::rules) fn title(root: &SyntaxNode, range: TextRange) -> Option<Fix> {
    let text = match expr_at(root, range)? {
        Expr::Literal(it) => {
            let text = it.token()?.text().to_owned();
            Number::parse(&text).map(|_| quote(&text))?
        }
        Expr::VariableExpr(it) => format!("\"${{{}}}\"", it.name()?),
        _ => return None,
    };
    Some(Fix::suggested("Make it a string", range, text))
}
