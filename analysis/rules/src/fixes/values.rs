//! Fixes that replace a value of the wrong type.

use syntax::ast::{AstNode, Expr, HashEntry, LiteralKind};
use syntax::{Fix, SyntaxNode, TextRange, element_removal};

use super::{element_insertion, expr_at, safe_if, sample, text_like};
use base::suggest::similar;
use types::mismatch::{Mismatch, Problem, Step, mismatches};
use types::values::{Value, lower_case, quote};
use types::{Type, is_instance};

/// Words that mean `undef` in other languages, and are strings in Puppet.
const UNDEF_ELSEWHERE: [&str; 4] = ["undefined", "nil", "null", "none"];

/// Returns the enumerated string of a type that is most similar to the given one.
pub(crate) fn nearest(wanted: &Type, given: &str) -> Option<String> {
    let mut known = Vec::new();
    strings(wanted, &mut known, 8);
    let known = || known.iter().map(String::as_str);
    let by_case = known().find(|it| lower_case(it) == lower_case(given));
    let found = by_case.or_else(|| similar(given, known()));
    found.map(str::to_owned)
}

/// Collects the strings that a type enumerates.
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

/// Returns the fixes for a literal whose type does not match the expected one.
pub(crate) fn value_fixes(
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
    // With several mismatches, fixing one leaves the others with a new message.
    match mismatches(wanted, given).as_slice() {
        [only] => inside(&expr, wanted, only),
        _ => Vec::new(),
    }
}

/// Returns a fix that replaces a literal with a similar value of the expected type.
fn replaced(expr: &Expr, wanted: &Type) -> Option<Fix> {
    let range = expr.syntax().text_range();
    let fits = |it: &Value| is_instance(wanted, it) == Some(true);
    if let Expr::QualifiedName(name) = expr
        && UNDEF_ELSEWHERE.contains(&name.text().as_str())
        && fits(&Value::Undef)
    {
        let label = "Replace with `undef`".to_owned();
        return Some(Fix::suggested(label, range, "undef".to_owned()));
    }
    if let Some(text) = expr.plain_text() {
        if let Some(near) = nearest(wanted, &text).filter(|it| fits(&Value::from(it.as_str()))) {
            let is_same = lower_case(&near) == lower_case(&text);
            let fix = Fix::suggested(
                format!("Replace with `{}`", quote(&near)),
                range,
                text_like(expr, &near),
            );
            return Some(fix.with(safe_if(is_same)));
        }
        let value = unquoted(&text).filter(fits)?;
        return matches!(value, Value::Integer(_) | Value::Boolean(_) | Value::Undef)
            .then(|| Fix::suggested(format!("Remove the quotes around `{text}`"), range, text));
    }
    let Expr::Literal(literal) = expr else {
        return None;
    };
    let is_plain = matches!(
        literal.kind()?,
        LiteralKind::Number(_) | LiteralKind::Boolean(_)
    );
    let text = literal.token()?.text().to_owned();
    if as_float(&text).is_some_and(|it| fits(&it)) {
        let label = format!("Replace with `{text}.0`");
        return Some(Fix::suggested(label, range, format!("{text}.0")));
    }
    let is_quoted = is_plain && fits(&Value::from(text.as_str()));
    is_quoted.then(|| {
        let label = format!("Add quotes around `{text}`");
        // Digits are only octal to read like the mode of a file.
        Fix::suggested(label, range, quote(&text)).with(safe_if(is_octal(&text)))
    })
}

/// Checks whether a number is written in octal digits, such as `0644`.
fn is_octal(number: &str) -> bool {
    number.len() > 1 && number.starts_with('0') && number.bytes().all(|it| it.is_ascii_digit())
}

/// Parses a decimal integer as a float.
fn as_float(text: &str) -> Option<Value> {
    let number: u32 = text.parse().ok()?;
    (number.to_string() == text).then(|| Value::Float(f64::from(number)))
}

/// Parses the content of a string as an integer, a Boolean or `undef`.
fn unquoted(text: &str) -> Option<Value> {
    match text {
        "true" => Some(Value::from(true)),
        "false" => Some(Value::from(false)),
        "undef" => Some(Value::Undef),
        _ => {
            let number: i64 = text.parse().ok()?;
            // Excludes octal numbers, and negative ones, whose sign is an operator.
            (number.to_string() == text && number >= 0).then(|| Value::from(number))
        }
    }
}

/// Returns the fixes for a mismatch inside of a hash or array literal.
fn inside(expr: &Expr, wanted: &Type, mismatch: &Mismatch) -> Vec<Fix> {
    let Some(part) = part(expr, &mismatch.path) else {
        return Vec::new();
    };
    match &mismatch.problem {
        Problem::Type { expected, .. } => {
            let fixes = expected.iter().filter_map(|it| replaced(&part, it));
            // With several alternatives, the value as a whole may still not match any of them.
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

/// Returns the part of a literal at a path.
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
    entry.key().and_then(|it| it.plain_text()).as_deref() == Some(key)
}

/// Returns the `Struct` that is expected at a path, if it is certain.
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
        Fix::suggested(
            format!("Replace with `{it}`"),
            range,
            text_like(&written, it),
        )
    });
    // Removing the entry is only safe if its value is a literal.
    let label = format!("Remove the key `{key}`");
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
        format!("Add the missing key `{key}`"),
        edit.range,
        edit.text,
    ))
}

/// Checks whether an expression neither reads a variable nor calls a function.
fn is_constant(expr: &Expr) -> bool {
    use syntax::SyntaxKind::*;
    let mut kinds = expr.syntax().descendants().map(|it| it.kind());
    kinds.all(|it| !matches!(it, VARIABLE_EXPR | CALL_EXPR | METHOD_CALL | HEREDOC))
}
