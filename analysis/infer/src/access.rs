//! Access expressions `a[k]`: their results, by the types of the base and of the keys.

use syntax::TextRange;
use syntax::ast::{AccessExpr, AstNode, Expr};

use super::flow::Key;
use super::inferred::Inferred;
use super::operators::{alternatives, element_of, hash_parts, size_of};
use super::problem::ProblemKind;
use super::variables;
use super::walker::Walker;
use types::precise::{intersection, union};
use types::values::Value;
use types::{IntRange, StructType, TupleType, Type};

/// The result of an access.
pub(super) enum Access {
    Found(Type),
    /// A key that a Struct does not have: `undef`. Contains the keys that it has.
    NoKey(Vec<String>),
    /// An index that is out of range: `undef`. Contains the maximum number of elements.
    Outside(i64),
    /// Puppet fails.
    Fails,
}

impl Walker<'_> {
    pub(super) fn access(&mut self, access: &AccessExpr, expr: &Expr) -> Inferred {
        let Some(base_expr) = access.base() else {
            return Inferred::UNKNOWN;
        };
        let base = self.expr(&base_expr);
        let keys_exprs = access.keys();
        let keys: Vec<Inferred> = keys_exprs.iter().map(|it| self.expr(it)).collect();
        if self.flow.is_dead() || keys.is_empty() {
            return Inferred::UNKNOWN;
        }
        if let Some(found) = self.type_access(&base, &keys) {
            return found;
        }
        let range = expr.syntax().text_range();
        let place = self.place_of(expr);
        let found = match (constant(&base, &keys), &place) {
            (Some((left, values)), _) => {
                let outcome = eval::access(&self.context, left, &values);
                if outcome == Ok(Value::Undef) {
                    // An element that is undef and a missing element have the same value.
                    let absent = of_types(&base.type_, &keys);
                    self.absent(&absent, &keys, range);
                }
                self.constant(outcome, range)
            }
            (None, Some(place)) => match self.fact(&place.name, &place.path) {
                Some(type_) => Inferred::of(type_),
                None => self.part(&base.type_, &keys, expr),
            },
            (None, None) => self.part(&base.type_, &keys, expr),
        };
        let narrowed = place.and_then(|place| {
            let variable = self.flow.get(&place.name)?;
            variable.part(&place.path).cloned()
        });
        match narrowed {
            Some(narrowed) => found.narrowed(&narrowed),
            None => found,
        }
    }

    /// Returns the type of a part of `$facts`, if Facter has a fact at this path.
    fn fact(&self, name: &str, path: &[Key]) -> Option<Type> {
        let foreign = self.flow.get(name).is_some_and(|it| !it.own);
        foreign.then(|| variables::fact(name, path)).flatten()
    }

    fn part(&mut self, base: &Type, keys: &[Inferred], expr: &Expr) -> Inferred {
        let range = expr.syntax().text_range();
        let found = of_types(base, keys);
        self.absent(&found, keys, range);
        match found {
            Access::Found(type_) => Inferred::of(type_),
            Access::NoKey(_) | Access::Outside(_) => Inferred::of(Type::Undef),
            Access::Fails => {
                let kind = ProblemKind::Operand {
                    operator: "[]".to_owned(),
                    left: base.clone(),
                    right: keys.first().map(|it| it.type_.clone()),
                };
                self.report(range, kind);
                Inferred::UNKNOWN
            }
        }
    }

    /// Reports an access to a missing key or index.
    fn absent(&mut self, access: &Access, keys: &[Inferred], range: TextRange) {
        let [key] = keys else {
            return;
        };
        match (access, &key.value) {
            (Access::NoKey(known), Some(Value::String(key))) => {
                let (key, known) = (key.to_string(), known.clone());
                self.report(range, ProblemKind::UnknownKey { key, known });
            }
            (Access::Outside(size), Some(Value::Integer(index))) => {
                let (index, size) = (*index, *size);
                self.report(range, ProblemKind::IndexOutside { index, size });
            }
            _ => {}
        }
    }

    /// Infers a parameterized type or a resource reference.
    fn type_access(&self, base: &Inferred, keys: &[Inferred]) -> Option<Inferred> {
        let Some(Value::Type(left)) = &base.value else {
            let is_type = matches!(&base.type_, Type::Type(_));
            return is_type.then(|| Inferred::of(Type::Type(None)));
        };
        let Some((whole, values)) = constant(base, keys) else {
            let type_ = reference(left, keys).unwrap_or(Type::Type(None));
            return Some(Inferred::of(type_));
        };
        Some(match eval::access(&self.context, whole, &values) {
            Ok(value) => Inferred::value(value),
            Err(eval::EvalFailure::Unknown(_)) => Inferred::of(Type::Type(None)),
            // Invalid types are reported by the rules for type expressions.
            Err(eval::EvalFailure::Error(_)) => Inferred::UNKNOWN,
        })
    }
}

/// Returns the values of the base and the keys, if all of them are constants.
fn constant<'a>(base: &'a Inferred, keys: &[Inferred]) -> Option<(&'a Value, Vec<Value>)> {
    let keys: Option<Vec<Value>> = keys.iter().map(|it| it.value.clone()).collect();
    Some((base.value.as_ref()?, keys?))
}

/// Infers resource references such as `File[$x]` with titles that are not constant.
fn reference(left: &Type, keys: &[Inferred]) -> Option<Type> {
    let plain = Type::type_of(left.clone());
    if !matches!(left, Type::Resource(_) | Type::Class(_)) {
        return None;
    }
    let is_text = |it: &Inferred| it.is_a(&Type::STRING) == Some(true);
    match keys {
        [only] if is_text(only) => Some(plain),
        keys if keys.len() > 1 && keys.iter().all(is_text) => {
            Some(Type::array(plain, Some(IntRange::exactly_len(keys.len()))))
        }
        // A reference for each title of an array; undef has none.
        [only] => {
            let absent = (only.is_a(&Type::Undef) != Some(false)).then_some(Type::Undef);
            let some = [plain.clone(), Type::array(plain, None)];
            Some(Type::variant(some.into_iter().chain(absent)))
        }
        _ => Some(Type::array(plain, None)),
    }
}

/// Returns the result of an access by types.
pub(super) fn of_types(base: &Type, keys: &[Inferred]) -> Access {
    let all = alternatives(base);
    let mut found = Vec::new();
    let mut missing = None;
    for it in &all {
        match one(it, keys) {
            Access::Found(type_) => found.push(type_),
            Access::Fails => {}
            absent => {
                found.push(Type::Undef);
                missing = Some(absent);
            }
        }
    }
    match (all.len(), missing, found.is_empty()) {
        (1, Some(missing), _) => missing,
        (_, _, true) if !all.is_empty() => Access::Fails,
        _ => Access::Found(union(found)),
    }
}

fn one(base: &Type, keys: &[Inferred]) -> Access {
    match base {
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => string_part(keys),
        Type::Array(_) | Type::Tuple(_) => array_part(base, keys),
        Type::Hash(_) => match keys {
            [key] => hash_value(base, key),
            _ => Access::Found(Type::array(hash_parts(base).1, Some(sizes_up_to(keys)))),
        },
        Type::Struct(it) => match keys {
            [key] => struct_value(it, key),
            _ => Access::Found(Type::array(hash_parts(base).1, Some(sizes_up_to(keys)))),
        },
        Type::Undef | Type::Boolean(_) | Type::Default | Type::Regexp(_) => Access::Fails,
        Type::Float(_) | Type::Timespan(_) | Type::Timestamp(_) => Access::Fails,
        // Also a bit of an integer.
        _ => Access::Found(Type::Any),
    }
}

fn sizes_up_to(keys: &[Inferred]) -> IntRange {
    IntRange::between(0, i64::try_from(keys.len()).unwrap_or(i64::MAX))
}

fn string_part(keys: &[Inferred]) -> Access {
    match keys {
        [_] => Access::Found(Type::string_sized(IntRange::between(0, 1))),
        [_, _] => Access::Found(Type::STRING),
        _ => Access::Fails,
    }
}

fn array_part(base: &Type, keys: &[Inferred]) -> Access {
    let size = size_of(base);
    let elements = || element_of(base).unwrap_or(Type::Any);
    match keys {
        [key] => {
            let Some(Value::Integer(index)) = key.value else {
                let text = key.value.as_ref().and_then(Value::as_str);
                let is_word = text.is_some_and(|it| !it.contains(|it: char| it.is_ascii_digit()));
                let numbers = Type::variant([Type::Numeric, Type::STRING]);
                if is_word || intersection(&key.type_, &numbers).is_none() {
                    return Access::Fails;
                }
                return Access::Found(Type::optional(elements()));
            };
            at_index(base, size, index)
        }
        [_, _] => {
            let most = size.max().unwrap_or(i64::MAX);
            Access::Found(Type::array(elements(), Some(IntRange::between(0, most))))
        }
        _ => Access::Fails,
    }
}

fn at_index(base: &Type, size: IntRange, index: i64) -> Access {
    let (least, most) = (size.min().unwrap_or(0), size.max().unwrap_or(i64::MAX));
    let needed = if index >= 0 {
        index.saturating_add(1)
    } else {
        index.saturating_neg()
    };
    if needed > most {
        return Access::Outside(most);
    }
    let exact = least == most;
    let element = match base {
        Type::Tuple(it) if index >= 0 => tuple_at(it, index),
        Type::Tuple(it) if exact => tuple_at(it, most + index),
        other => element_of(other).unwrap_or(Type::Any),
    };
    if needed <= least {
        Access::Found(element)
    } else {
        Access::Found(union([element, Type::Undef]))
    }
}

fn tuple_at(tuple: &TupleType, index: i64) -> Type {
    let found = usize::try_from(index).ok().and_then(|it| tuple.at(it));
    found.cloned().unwrap_or(Type::Any)
}

fn hash_value(base: &Type, key: &Inferred) -> Access {
    let (keys, values) = hash_parts(base);
    if size_of(base).max() == Some(0) || intersection(&keys, &key.type_).is_none() {
        return Access::Found(Type::Undef);
    }
    Access::Found(union([values, Type::Undef]))
}

fn struct_value(base: &StructType, key: &Inferred) -> Access {
    let Some(value) = &key.value else {
        let possible = base.elements().iter().filter(|it| {
            let name = Type::string_value(it.name.clone());
            intersection(&name, &key.type_).is_some()
        });
        let values = possible.map(|it| it.value.clone());
        return Access::Found(union(values.chain([Type::Undef])));
    };
    match value.as_str().and_then(|it| base.get(it)) {
        Some(it) if it.is_optional() => Access::Found(union([it.value.clone(), Type::Undef])),
        Some(it) => Access::Found(it.value.clone()),
        None => {
            let known = base.elements().iter().map(|it| it.name.to_string());
            Access::NoKey(known.collect())
        }
    }
}

/// Returns the part that `[$a, $b] = …` assigns to the variable with this position and name.
pub(super) fn destructured(whole: &Inferred, index: usize, name: &str) -> Inferred {
    let index = i64::try_from(index).unwrap_or(i64::MAX);
    let by_index = Inferred::value(Value::Integer(index));
    let by_name = Inferred::value(Value::from(name));
    if let Some(value) = &whole.value {
        let context = eval::Context::default();
        let key = match value {
            Value::Hash(_) => Value::from(name),
            _ => Value::Integer(index),
        };
        return eval::access(&context, value, &[key]).map_or(Inferred::UNKNOWN, Inferred::value);
    }
    let parts = alternatives(&whole.type_).into_iter().map(|it| {
        let key = match &it {
            Type::Array(_) | Type::Tuple(_) => &by_index,
            Type::Hash(_) | Type::Struct(_) => &by_name,
            _ => return Type::Any,
        };
        match one(&it, std::slice::from_ref(key)) {
            Access::Found(type_) => type_,
            _ => Type::Any,
        }
    });
    Inferred::of(union(parts))
}
