//! Access expressions `a[k]`: their results, by the types of the base and of the keys.

use syntax::TextRange;
use syntax::ast::{AccessExpr, AstNode, Expr, Segment};

use super::calls::known_string;
use super::flow::PathSegment;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::{alternatives, element_of, hash_parts, size_of};
use super::problem::{TypeProblem, TypeProblemKind};
use super::type_parameters::refused_parameters;
use super::variables;
use hir::resolve::Definition;
use types::precise::{intersection, union};
use types::values::{self, Value};
use types::{IntRange, StructType, TupleType, Type};

/// The result of an access.
pub(super) enum AccessResult {
    Found(Type),
    /// A key that a Struct does not have: `undef`. Contains the Struct.
    UnknownKey(StructType),
    /// An index that is out of range: `undef`. Contains the maximum number of elements.
    OutOfRange(i64),
    /// Puppet fails.
    Fails,
}

/// Treats an interpolated key as its literal text if that contains a letter: the key cannot be an integer then, whatever
/// is interpolated, so that it is not an index of a string.
fn with_words(mut keys: Vec<Inferred>, exprs: &[Expr]) -> Vec<Inferred> {
    for (key, expr) in keys.iter_mut().zip(exprs) {
        let Expr::InterpolatedString(string) = expr else {
            continue;
        };
        let segments = string.segments().into_iter();
        let text: String = segments
            .filter_map(|it| match it {
                Segment::Text(text) => Some(text),
                Segment::Interpolation(_) => None,
            })
            .collect();
        let is_of_word =
            |it: char| it.is_alphabetic() && !it.is_ascii_hexdigit() && !matches!(it, 'x' | 'X');
        if key.value.is_none() && text.contains(is_of_word) {
            *key = Inferred::value(Value::from(text));
        }
    }
    keys
}

impl<'db> InferenceContext<'db> {
    pub(super) fn access(&mut self, access: &AccessExpr, expr: &Expr) -> Inferred {
        let Some(base_expr) = access.base() else {
            return Inferred::UNKNOWN;
        };
        let base = self.infer_expr(&base_expr);
        let keys_exprs = access.keys();
        let keys: Vec<Inferred> = keys_exprs.iter().map(|it| self.infer_expr(it)).collect();
        if self.flow.is_unreachable() || keys.is_empty() {
            return Inferred::UNKNOWN;
        }
        if let Some(found) = self.type_access(&base, &keys, &keys_exprs, expr) {
            return found;
        }
        let keys = match base.value {
            Some(Value::String(_)) => with_words(keys, &keys_exprs),
            _ => keys,
        };
        let range = expr.syntax().text_range();
        let target = self.narrowing_target(expr);
        let before = self.problems.len();
        let found = match (constant(&base, &keys), &target) {
            (Some((left, values)), _) => {
                let outcome = eval::access(&self.eval_context, left, &values);
                if outcome == Ok(Value::Undef) {
                    // An element that is undef and a missing element have the same value.
                    let absent = of_types(&base.type_, &keys);
                    self.report_absent(&absent, &keys, range);
                }
                self.evaluation_result(outcome, range)
            }
            (None, Some(target)) => match self.fact(&target.name, &target.path) {
                Some(type_) => Inferred::of(type_),
                None => self.part(&base.type_, &keys, expr),
            },
            (None, None) => self.part(&base.type_, &keys, expr),
        };
        if self.problems.len() > before {
            self.drop_absent(base_expr.syntax().text_range(), before);
        }
        self.narrow_base(&base_expr);
        let narrowed = target.and_then(|target| {
            let variable = self.flow.get(&target.name)?;
            variable.part(&target.path).cloned()
        });
        match narrowed {
            Some(narrowed) => found.narrowed(&narrowed),
            None => found,
        }
    }

    /// Drops the report of a missing key or index at a range, because Puppet fails at the access to what
    /// is missing.
    fn drop_absent(&mut self, range: TextRange, before: usize) {
        let is_absent = |it: &TypeProblem| {
            use TypeProblemKind::{IndexOutOfRange, UnknownKey};
            it.range == range && matches!(it.kind, UnknownKey { .. } | IndexOutOfRange { .. })
        };
        let fails = |it: &TypeProblem| {
            use TypeProblemKind::{EvaluationError, UnsupportedOperand};
            matches!(it.kind, EvaluationError { .. } | UnsupportedOperand { .. })
        };
        if self.problems[before..].iter().any(fails) {
            self.problems.retain(|it| !is_absent(it));
        }
    }

    /// Excludes `undef` from the variable that was accessed: Puppet has failed otherwise.
    fn narrow_base(&mut self, base: &Expr) {
        if matches!(base, Expr::VariableExpr(_)) {
            self.narrow(base, |it| match intersection(it, &Type::Undef) {
                Some(_) => {
                    intersection(it, &Type::not_undef(Type::Any)).or_else(|| Some(it.clone()))
                }
                None => Some(it.clone()),
            });
        }
    }

    /// Returns the type of a part of `$facts`, if Facter has a fact at this path.
    fn fact(&self, name: &str, path: &[PathSegment]) -> Option<Type> {
        let is_external = self.flow.get(name).is_some_and(|it| !it.is_local);
        is_external.then(|| variables::fact(name, path)).flatten()
    }

    fn part(&mut self, base: &Type, keys: &[Inferred], expr: &Expr) -> Inferred {
        let range = expr.syntax().text_range();
        let found = of_types(base, keys);
        self.report_absent(&found, keys, range);
        match found {
            AccessResult::Found(type_) => Inferred::of(type_),
            AccessResult::UnknownKey(_) | AccessResult::OutOfRange(_) => Inferred::of(Type::Undef),
            AccessResult::Fails => {
                let kind = TypeProblemKind::UnsupportedOperand {
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
    fn report_absent(&mut self, access: &AccessResult, keys: &[Inferred], range: TextRange) {
        let [key] = keys else {
            return;
        };
        match (access, &key.value) {
            (AccessResult::UnknownKey(known), Some(Value::String(key))) => {
                let (key, known) = (key.to_string(), known.clone());
                self.report(range, TypeProblemKind::UnknownKey { key, known });
            }
            (AccessResult::OutOfRange(size), Some(Value::Integer(index))) => {
                let (index, size) = (*index, *size);
                self.report(range, TypeProblemKind::IndexOutOfRange { index, size });
            }
            _ => {}
        }
    }

    /// Infers a parameterized type or a resource reference.
    fn type_access(
        &mut self,
        base: &Inferred,
        keys: &[Inferred],
        key_exprs: &[Expr],
        expr: &Expr,
    ) -> Option<Inferred> {
        let Some(Value::Type(left)) = &base.value else {
            if let [key] = keys {
                self.check_attribute_of_computed(expr, key, key_exprs);
            }
            let is_type = matches!(&base.type_, Type::Type(_));
            return is_type.then(|| Inferred::of(Type::Type(None)));
        };
        if let Some(definition) = self.referenced(left) {
            if let ([key], Some(definition)) = (keys, definition) {
                self.check_parameter_access(&definition, key, key_exprs);
            }
            return Some(Inferred::UNKNOWN);
        }
        let Some((whole, values)) = constant(base, keys) else {
            if let Some(error) = refused_parameters(&self.eval_context, left, keys) {
                self.report_invalid_type(error, key_exprs, expr);
                return Some(Inferred::UNKNOWN);
            }
            let type_ = reference(left, keys).unwrap_or(Type::Type(None));
            return Some(Inferred::of(type_));
        };
        Some(match eval::access(&self.eval_context, whole, &values) {
            Ok(value) => match self.is_valid_pattern(&value, key_exprs, expr) {
                true => Inferred::value(value),
                false => Inferred::UNKNOWN,
            },
            Err(eval::EvalFailure::Unknown(_)) => Inferred::of(Type::Type(None)),
            Err(eval::EvalFailure::Error(error)) => {
                self.report_invalid_type(error, key_exprs, expr);
                Inferred::UNKNOWN
            }
        })
    }

    /// Checks the pattern of a type such as `Regexp['(']`. Puppet compiles it as soon as it tests or prints a value.
    fn is_valid_pattern(&mut self, type_: &Value, keys: &[Expr], expr: &Expr) -> bool {
        let Value::Type(Type::Regexp(Some(pattern))) = type_ else {
            return true;
        };
        let key = keys.first().unwrap_or(expr);
        let source = Inferred::value(pattern.source().into());
        self.check_regexp(None, key.syntax().text_range(), &source)
    }

    /// Returns the definition of the class or resource that a reference with a title refers to; `Some(None)`
    /// if it is unknown.
    fn referenced(&mut self, reference: &Type) -> Option<Option<Definition<'db>>> {
        match reference {
            Type::Class(Some(name)) => Some(self.class(name)),
            Type::Resource(it) => {
                it.title()?;
                let name = it.type_name()?;
                Some(match name.eq_ignore_ascii_case("class") {
                    true => None,
                    false => self.resource_type(name),
                })
            }
            _ => None,
        }
    }

    /// Checks an attribute that is read from a resource with a computed title, as in `File[$x]['mode']`.
    fn check_attribute_of_computed(&mut self, expr: &Expr, key: &Inferred, key_exprs: &[Expr]) {
        let Expr::AccessExpr(access) = expr else {
            return;
        };
        let Some(Expr::AccessExpr(reference)) = access.base() else {
            return;
        };
        if let (Some(Expr::QualifiedReference(name)), [_]) =
            (reference.base(), reference.keys().as_slice())
            && let Some(definition) = self.resource_type(&name.text())
        {
            self.check_parameter_access(&definition, key, key_exprs);
        }
    }

    /// Reports an access to a parameter that a class or resource does not have.
    fn check_parameter_access(
        &mut self,
        definition: &Definition<'db>,
        key: &Inferred,
        keys: &[Expr],
    ) {
        let (Some(name), [key]) = (known_string(key), keys) else {
            return;
        };
        if &*name != "title" {
            self.check_attribute_name(definition, &name, key.syntax().text_range());
        }
    }

    fn report_invalid_type(&mut self, error: eval::EvalError, keys: &[Expr], expr: &Expr) {
        // Unknown names have a rule of their own.
        if error.issue == eval::Issue::UnknownResourceType {
            return;
        }
        // Arrays among the keys are flattened, so that the position of a key is not its index.
        let is_flat = keys
            .iter()
            .all(|it| matches!(it, Expr::Literal(_) | Expr::StringLiteral(_)));
        let blamed = match error.blame {
            eval::Blame::Key(index) if is_flat => keys.get(index),
            _ => None,
        };
        let range = blamed.unwrap_or(expr).syntax().text_range();
        let message = error.message;
        self.report(range, TypeProblemKind::InvalidType { message });
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
    // The first key of `Resource` is the type, and no list.
    let keys = match (left, keys) {
        (Type::Resource(it), [_]) if it.type_name().is_none() => return Some(plain),
        (Type::Resource(it), [_, titles @ ..]) if it.type_name().is_none() => titles,
        _ => keys,
    };
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
pub(super) fn of_types(base: &Type, keys: &[Inferred]) -> AccessResult {
    let all = alternatives(base);
    let mut found = Vec::new();
    let mut missing = None;
    for it in &all {
        match one(it, keys) {
            AccessResult::Found(type_) => found.push(type_),
            AccessResult::Fails => {}
            absent => {
                found.push(Type::Undef);
                missing = Some(absent);
            }
        }
    }
    match (all.len(), missing, found.is_empty()) {
        (1, Some(missing), _) => missing,
        (_, _, true) if !all.is_empty() => AccessResult::Fails,
        _ => AccessResult::Found(union(found)),
    }
}

pub(super) fn one(base: &Type, keys: &[Inferred]) -> AccessResult {
    match base {
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => string_part(keys),
        Type::Array(_) | Type::Tuple(_) => array_part(base, keys),
        Type::Hash(_) => match keys {
            [key] => hash_value(base, key),
            _ => AccessResult::Found(Type::array(hash_parts(base).1, Some(sizes_up_to(keys)))),
        },
        Type::Struct(it) => match keys {
            [key] => struct_value(it, key),
            _ => AccessResult::Found(Type::array(hash_parts(base).1, Some(sizes_up_to(keys)))),
        },
        Type::Undef | Type::Boolean(_) | Type::Default | Type::Regexp(_) => AccessResult::Fails,
        Type::Integer(_) | Type::Float(_) => AccessResult::Fails,
        Type::Timespan(_) | Type::Timestamp(_) | Type::Sensitive(_) => AccessResult::Fails,
        _ => AccessResult::Found(Type::Any),
    }
}

fn sizes_up_to(keys: &[Inferred]) -> IntRange {
    IntRange::between(0, i64::try_from(keys.len()).unwrap_or(i64::MAX))
}

fn string_part(keys: &[Inferred]) -> AccessResult {
    match keys {
        [key] if may_be_list(key) => AccessResult::Found(Type::STRING),
        keys if keys.iter().any(|it| !may_be_index(it)) => AccessResult::Fails,
        [_] => AccessResult::Found(Type::string_sized(IntRange::between(0, 1))),
        [_, _] => AccessResult::Found(Type::STRING),
        _ => AccessResult::Fails,
    }
}

/// Checks whether a key may be an array, which Puppet flattens.
fn may_be_list(key: &Inferred) -> bool {
    key.is_a(&Type::any_array()) != Some(false)
}

/// Checks whether a key may be converted to an integer.
fn may_be_index(key: &Inferred) -> bool {
    let text = key.value.as_ref().and_then(Value::as_str);
    let is_word = text.is_some_and(|it| values::to_number(it) == Ok(None));
    let numbers = Type::variant([Type::INTEGER, Type::STRING]);
    !is_word && intersection(&key.type_, &numbers).is_some()
}

fn array_part(base: &Type, keys: &[Inferred]) -> AccessResult {
    let size = size_of(base);
    let elements = || element_of(base).unwrap_or(Type::Any);
    match keys {
        [key] if may_be_list(key) => AccessResult::Found(Type::Any),
        [key] => {
            let Some(Value::Integer(index)) = key.value else {
                if !may_be_index(key) {
                    return AccessResult::Fails;
                }
                return AccessResult::Found(Type::optional(elements()));
            };
            at_index(base, size, index)
        }
        [_, _] => {
            let most = size.max().unwrap_or(i64::MAX);
            AccessResult::Found(Type::array(elements(), Some(IntRange::between(0, most))))
        }
        _ => AccessResult::Fails,
    }
}

fn at_index(base: &Type, size: IntRange, index: i64) -> AccessResult {
    let (least, most) = (size.min().unwrap_or(0), size.max().unwrap_or(i64::MAX));
    let needed = if index >= 0 {
        index.saturating_add(1)
    } else {
        index.saturating_neg()
    };
    if needed > most {
        return AccessResult::OutOfRange(most);
    }
    let exact = least == most;
    let element = match base {
        Type::Tuple(it) if index >= 0 => tuple_at(it, index),
        Type::Tuple(it) if exact => tuple_at(it, most + index),
        other => element_of(other).unwrap_or(Type::Any),
    };
    if needed <= least {
        AccessResult::Found(element)
    } else {
        AccessResult::Found(union([element, Type::Undef]))
    }
}

fn tuple_at(tuple: &TupleType, index: i64) -> Type {
    let found = usize::try_from(index).ok().and_then(|it| tuple.at(it));
    found.cloned().unwrap_or(Type::Any)
}

fn hash_value(base: &Type, key: &Inferred) -> AccessResult {
    let (keys, values) = hash_parts(base);
    if size_of(base).max() == Some(0) || intersection(&keys, &key.type_).is_none() {
        return AccessResult::Found(Type::Undef);
    }
    AccessResult::Found(union([values, Type::Undef]))
}

fn struct_value(base: &StructType, key: &Inferred) -> AccessResult {
    let Some(value) = &key.value else {
        let possible = base.elements().iter().filter(|it| {
            let name = Type::string_value(it.name.clone());
            intersection(&name, &key.type_).is_some()
        });
        let values = possible.map(|it| it.value.clone());
        return AccessResult::Found(union(values.chain([Type::Undef])));
    };
    match value.as_str().and_then(|it| base.get(it)) {
        Some(it) if it.is_optional() => AccessResult::Found(union([it.value.clone(), Type::Undef])),
        Some(it) => AccessResult::Found(it.value.clone()),
        None => AccessResult::UnknownKey(base.clone()),
    }
}
