//! Explains why a type is not assignable to another one: the location of the mismatch, the expected
//! type and the found type.
//!
//! The locations follow `type_mismatch_describer.rb`; the wording is our own.

use super::{
    ArrayType, CallableType, HashType, IntRange, StructType, TupleType, Type, assignable,
    display_expanded, display_written_start, generalize, infer,
};
use crate::values::{self, Value};

/// The maximum number of mismatches reported for one value.
const MAX_MISMATCHES: usize = 20;

/// A mismatch between an expected and an actual type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The path to the mismatched part, from the outside in.
    pub path: Vec<Step>,
    /// The kind of mismatch.
    pub problem: Problem,
}

/// A step of a [`Mismatch::path`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// An array element, by zero-based index.
    Index(usize),
    /// The value of a hash entry, by key.
    Entry(String),
    /// The key of a hash entry.
    KeyOf(String),
    /// The return type of a callable.
    Return,
    /// The block of a callable.
    Block,
}

/// The kind of a [`Mismatch`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// A type is not assignable to any of the expected types.
    Type {
        /// The expected types.
        expected: Vec<Type>,
        /// The actual type.
        actual: Type,
    },
    /// The size is out of range.
    Size {
        /// The accepted sizes.
        expected: IntRange,
        /// The actual size.
        actual: IntRange,
    },
    /// A required key is missing.
    Missing(String),
    /// A key is not part of the struct.
    Unknown(String),
    /// The expected type contains an unresolved name.
    Unresolved(String),
}

/// Describes why `actual` is not assignable to `expected`, as sentences about `subject`.
pub fn describe(subject: &str, expected: &Type, actual: &Type) -> String {
    describe_each(subject, expected, actual, |it| {
        format!("{subject}{}", it.sentence())
    })
}

/// Describes why `callee` does not accept a list of arguments, as sentences about its arguments.
pub fn describe_arguments(callee: &str, expected: &Type, actual: &Type) -> String {
    let list = format!("the argument list of {callee}");
    describe_each(&list, expected, actual, |it| it.of_arguments(callee))
}

fn describe_each(
    subject: &str,
    expected: &Type,
    actual: &Type,
    sentence: impl Fn(&Mismatch) -> String,
) -> String {
    let mismatches = mismatches(expected, actual);
    match &mismatches[..] {
        [] => format!(
            "{subject} does not match the type `{}`",
            display_expanded(expected)
        ),
        all => all.iter().map(sentence).collect::<Vec<_>>().join("\n"),
    }
}

/// The maximum length of a type and of a value in a message, in characters.
const MAX_SHOWN: usize = 60;

/// Describes a value that a type does not accept: a long type by its names, and a value by its type unless it is a short
/// scalar.
pub fn describe_value(ty: &Type, value: &Value) -> String {
    let is_short = |it: &String| it.chars().count() <= MAX_SHOWN && !it.contains('\n');
    let written = || display_written_start(ty, MAX_SHOWN);
    let wanted = Some(display_expanded(ty))
        .filter(is_short)
        .unwrap_or_else(written);
    let is_scalar = matches!(
        value,
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_)
    );
    let found = is_scalar.then(|| values::source(value)).flatten();
    let type_of_value = || display_written_start(&generalize(&infer(value)), MAX_SHOWN);
    let found = found.filter(is_short).unwrap_or_else(type_of_value);
    format!("expects `{wanted}`, found `{found}`")
}

/// Finds the reasons why `actual` is not assignable to `expected`; empty if they cannot be
/// attributed to a part.
pub fn mismatches(expected: &Type, actual: &Type) -> Vec<Mismatch> {
    let mut found = Vec::new();
    if let Some(name) = unresolved(expected) {
        found.push(Mismatch {
            path: Vec::new(),
            problem: Problem::Unresolved(name),
        });
        return found;
    }
    let mut finder = MismatchFinder {
        path: Vec::new(),
        found,
        depth: 0,
    };
    finder.compare(expected, expected, actual);
    finder.found.dedup();
    finder.found.truncate(MAX_MISMATCHES);
    finder.found
}

/// Returns the first unresolved name in the type.
fn unresolved(ty: &Type) -> Option<String> {
    match ty {
        Type::Reference(name) => Some(name.to_string()),
        ty => {
            let mut found = None;
            super::alias::each_child(ty, &mut |child| {
                if found.is_none() {
                    found = unresolved(child);
                }
            });
            found
        }
    }
}

struct MismatchFinder {
    path: Vec<Step>,
    found: Vec<Mismatch>,
    depth: u32,
}

impl MismatchFinder {
    fn add(&mut self, problem: Problem) {
        self.found.push(Mismatch {
            path: self.path.clone(),
            problem,
        });
    }

    fn add_type(&mut self, expected: &Type, actual: &Type) {
        let actual = actual.clone();
        self.add(Problem::Type {
            expected: vec![expected.clone()],
            actual,
        });
    }

    fn inside(&mut self, step: Step, expected: &Type, actual: &Type) {
        if assignable(expected, actual) {
            return;
        }
        self.path.push(step);
        self.compare(expected, expected, actual);
        self.path.pop();
    }

    /// `original` is the expected type before its aliases were resolved.
    fn compare(&mut self, expected: &Type, original: &Type, actual: &Type) {
        /// Limits the nesting depth.
        const MAX_DEPTH: u32 = 32;
        if self.depth >= MAX_DEPTH || self.found.len() >= MAX_MISMATCHES {
            return self.add_type(original, actual);
        }
        self.depth += 1;
        match expected {
            Type::Variant(types) => self.variant(types, original, actual),
            Type::Optional(Some(inner)) => self.optional(inner, original, actual),
            Type::Alias(alias) => self.compare(&alias.resolved(), original, actual),
            Type::Array(it) => self.array(it, original, actual),
            Type::Tuple(it) => self.tuple(it, original, actual),
            Type::Hash(it) => self.hash(it, original, actual),
            Type::Struct(it) => self.structure(it, original, actual),
            Type::Callable(it) => self.callable(it, original, actual),
            _ if assignable(expected, actual) => {}
            _ => self.add_type(original, actual),
        }
        self.depth -= 1;
    }

    /// Returns the mismatches with `expected`, without those found so far.
    fn attempt(&mut self, expected: &Type, actual: &Type) -> Vec<Mismatch> {
        let before = std::mem::take(&mut self.found);
        self.compare(expected, expected, actual);
        std::mem::replace(&mut self.found, before)
    }

    fn optional(&mut self, inner: &Type, original: &Type, actual: &Type) {
        let mut attempts = self.attempt(inner, actual);
        if let [only] = &mut attempts[..]
            && only.path == self.path
            && let Problem::Type { expected, .. } = &mut only.problem
        {
            *expected = vec![original.clone()];
        }
        self.found.extend(attempts);
    }

    /// Reports the closest alternative, or all alternatives together if they fail at the same
    /// location.
    fn variant(&mut self, types: &[Type], original: &Type, actual: &Type) {
        let mut deepest: Option<Vec<Mismatch>> = None;
        for ty in types {
            let attempt = self.attempt(ty, actual);
            if attempt.is_empty() {
                return;
            }
            let inner = attempt.iter().all(|it| {
                it.path.len() > self.path.len() || !matches!(it.problem, Problem::Type { .. })
            });
            if inner && deepest.as_ref().is_none_or(|it| attempt.len() < it.len()) {
                deepest = Some(attempt);
            }
        }
        match deepest {
            Some(attempt) => self.found.extend(attempt),
            None if matches!(original, Type::Alias(_)) => self.add_type(original, actual),
            None => {
                let actual = actual.clone();
                self.add(Problem::Type {
                    expected: types.to_vec(),
                    actual,
                });
            }
        }
    }

    fn size(&mut self, expected: IntRange, actual: IntRange) -> bool {
        let fits = expected.covers(actual);
        if !fits {
            self.add(Problem::Size { expected, actual });
        }
        fits
    }

    fn array(&mut self, expected: &ArrayType, original: &Type, actual: &Type) {
        match actual {
            Type::Tuple(tuple) => {
                if self.size(expected.size_or_any(), tuple.size_counted()) {
                    for (index, ty) in tuple.types().iter().enumerate() {
                        self.inside(Step::Index(index), expected.element(), ty);
                    }
                }
            }
            Type::Array(array) => {
                if self.size(expected.size_or_any(), array.size_or_any())
                    && !assignable(expected.element(), array.element())
                {
                    self.add_type(original, &Type::array(array.element().clone(), None));
                }
            }
            _ => self.add_type(original, actual),
        }
    }

    fn tuple(&mut self, expected: &TupleType, original: &Type, actual: &Type) {
        let size = expected.size_range();
        match actual {
            Type::Tuple(tuple) => {
                if self.size(size, tuple.size_range()) {
                    for (index, ty) in tuple.types().iter().enumerate() {
                        if let Some(expected) = expected.at(index) {
                            self.inside(Step::Index(index), expected, ty);
                        }
                    }
                }
            }
            Type::Array(array) => {
                if self.size(size, array.size_or_any()) {
                    for (index, ty) in expected.types().iter().enumerate() {
                        self.inside(Step::Index(index), ty, array.element());
                    }
                }
            }
            _ => self.add_type(original, actual),
        }
    }

    fn hash(&mut self, expected: &HashType, original: &Type, actual: &Type) {
        match actual {
            Type::Struct(structure) => {
                if !self.size(expected.size_or_any(), struct_size(structure)) {
                    return;
                }
                for element in structure.elements() {
                    let name = element.name.to_string();
                    let key = Type::string_value(element.name.clone());
                    self.inside(Step::KeyOf(name.clone()), expected.key(), &key);
                    self.inside(Step::Entry(name), expected.value(), &element.value);
                }
            }
            Type::Hash(hash) => {
                if self.size(expected.size_or_any(), hash.size_or_any())
                    && !assignable(original, actual)
                {
                    let actual = Type::hash(hash.key().clone(), hash.value().clone(), None);
                    self.add_type(original, &actual);
                }
            }
            _ => self.add_type(original, actual),
        }
    }

    fn structure(&mut self, expected: &StructType, original: &Type, actual: &Type) {
        match actual {
            Type::Struct(structure) => {
                for element in expected.elements() {
                    match structure.get(&element.name) {
                        None if element.is_optional() => {}
                        None => self.add(Problem::Missing(element.name.to_string())),
                        Some(found) => {
                            let name = element.name.to_string();
                            if !element.is_optional() && found.is_optional() {
                                self.add(Problem::Missing(name.clone()));
                            }
                            self.inside(Step::Entry(name), &element.value, &found.value);
                        }
                    }
                }
                for element in structure.elements() {
                    if expected.get(&element.name).is_none() {
                        self.add(Problem::Unknown(element.name.to_string()));
                    }
                }
            }
            Type::Hash(hash) => {
                if self.size(struct_size(expected), hash.size_or_any()) {
                    let actual = Type::hash(hash.key().clone(), hash.value().clone(), None);
                    self.add_type(original, &actual);
                }
            }
            _ => self.add_type(original, actual),
        }
    }

    fn callable(&mut self, expected: &CallableType, original: &Type, actual: &Type) {
        let Type::Callable(found) = actual else {
            return self.add_type(original, actual);
        };
        let params = |it: &CallableType| it.params().cloned().map(Type::Tuple);
        let returned = found.returns().unwrap_or(&Type::Any);
        let block = |it: &CallableType| it.block().cloned().unwrap_or(Type::Undef);
        match (params(expected), params(found)) {
            (Some(wanted), Some(theirs)) if !assignable(&theirs, &wanted) => {
                self.add_type(original, actual);
            }
            (Some(_), None) => self.add_type(original, actual),
            _ => {
                if let Some(wanted) = expected.returns() {
                    self.inside(Step::Return, wanted, returned);
                }
                if expected.params().is_some() {
                    let (wanted, theirs) = (block(expected), block(found));
                    if !assignable(&theirs, &wanted) {
                        self.path.push(Step::Block);
                        self.add_type(&wanted, &theirs);
                        self.path.pop();
                    }
                }
            }
        }
    }
}

/// Returns the range of the number of entries.
fn struct_size(ty: &StructType) -> IntRange {
    let required = ty.elements().iter().filter(|it| !it.is_optional()).count();
    IntRange::exactly_len(required).hull(IntRange::exactly_len(ty.elements().len()))
}

impl Mismatch {
    /// Describes the mismatch as a phrase that follows its subject.
    pub fn sentence(&self) -> String {
        let path: String = self.path.iter().map(|step| format!(", {step}")).collect();
        let comma = if path.is_empty() { "" } else { "," };
        format!("{path}{comma} {}", self.problem)
    }

    /// Describes the mismatch of a list of arguments.
    fn of_arguments(&self, callee: &str) -> String {
        match (&self.path[..], &self.problem) {
            ([Step::Index(index), rest @ ..], problem) => {
                let inner = Mismatch {
                    path: rest.to_vec(),
                    problem: problem.clone(),
                };
                format!("argument {} of {callee}{}", index + 1, inner.sentence())
            }
            ([], Problem::Size { expected, actual }) => {
                let expected = counted(*expected, "argument");
                let actual = actual.min().unwrap_or(0);
                format!("{callee} expects {expected}, found {actual}")
            }
            _ => format!("the argument list of {callee}{}", self.sentence()),
        }
    }
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Step::Index(index) => write!(f, "element {index}"),
            Step::Entry(key) => write!(f, "entry `{key}`"),
            Step::KeyOf(key) => write!(f, "key `{key}`"),
            Step::Return => f.write_str("return type"),
            Step::Block => f.write_str("block"),
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::Type { expected, actual } => {
                let mut names: Vec<String> = Vec::new();
                for name in expected.iter().map(display_expanded) {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                let expected = match names.split_last() {
                    Some((last, [])) => format!("`{last}`"),
                    Some((last, rest)) => format!("`{}` or `{last}`", rest.join("`, `")),
                    None => "no value".to_owned(),
                };
                write!(
                    f,
                    "expects {expected}, found `{}`",
                    display_expanded(actual)
                )
            }
            Problem::Size { expected, actual } => {
                write!(
                    f,
                    "expects {}, found {}",
                    elements(*expected),
                    elements(*actual)
                )
            }
            Problem::Missing(key) => write!(f, "expects a value for key `{key}`"),
            Problem::Unknown(key) => write!(f, "has an unrecognized key `{key}`"),
            Problem::Unresolved(name) => {
                write!(f, "expects an unresolved type `{name}`")
            }
        }
    }
}

/// Describes a number of elements.
fn elements(size: IntRange) -> String {
    counted(size, "element")
}

/// Describes a range of numbers with their noun.
fn counted(range: IntRange, noun: &str) -> String {
    let plural = |count: i64| if count == 1 { "" } else { "s" };
    match (range.min().unwrap_or(0), range.max()) {
        (0, Some(0)) => format!("no {noun}s"),
        (min, Some(max)) if min == max => format!("{min} {noun}{}", plural(min)),
        (0, Some(max)) => format!("at most {max} {noun}{}", plural(max)),
        (0, None) => format!("any number of {noun}s"),
        (min, None) => format!("at least {min} {noun}{}", plural(min)),
        (min, Some(max)) => format!("{min} to {max} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::{BuiltInTypes, read};

    fn said(expected: &str, actual: &str) -> String {
        let read = |text| read(text, &BuiltInTypes).expect("a type");
        describe("it", &read(expected), &read(actual))
    }

    #[test]
    fn names_the_mismatched_part() {
        assert_eq!(
            said("Integer", "String['a']"),
            "it expects `Integer`, found `String`"
        );
        assert_eq!(
            said("Array[Integer]", "Tuple[Integer, String]"),
            "it, element 1, expects `Integer`, found `String`"
        );
        assert_eq!(
            said(
                "Struct[{a => Hash[String, Integer]}]",
                "Struct[{a => Struct[{b => String}]}]"
            ),
            "it, entry `a`, entry `b`, expects `Integer`, found `String`"
        );
    }

    #[test]
    fn describes_keys_and_sizes() {
        assert_eq!(
            said("Struct[{a => Integer}]", "Struct[{b => Integer}]"),
            "it expects a value for key `a`\nit has an unrecognized key `b`"
        );
        assert_eq!(
            said("Array[Any, 2]", "Tuple[Integer]"),
            "it expects at least 2 elements, found 1 element"
        );
        assert_eq!(
            said("Array[Foo]", "Tuple[Integer]"),
            "it expects an unresolved type `Foo`"
        );
    }

    #[test]
    fn describes_arguments_by_their_position() {
        let said = |expected, actual| {
            let read = |text| read(text, &BuiltInTypes).expect("a type");
            describe_arguments("`f`", &read(expected), &read(actual))
        };
        assert_eq!(
            said(
                "Tuple[Integer, Array[String]]",
                "Tuple[Integer, Tuple[String, Undef]]"
            ),
            "argument 2 of `f`, element 1, expects `String`, found `Undef`"
        );
        assert_eq!(
            said("Tuple[Integer, Integer, 1, 2]", "Array[Integer, 0, 0]"),
            "`f` expects 1 to 2 arguments, found 0"
        );
    }

    #[test]
    fn lists_alternatives_or_describes_the_closest() {
        assert_eq!(
            said("Variant[Integer, Boolean]", "String"),
            "it expects `Integer` or `Boolean`, found `String`"
        );
        assert_eq!(
            said("Variant[Integer, Array[Integer]]", "Tuple[String]"),
            "it, element 0, expects `Integer`, found `String`"
        );
        assert_eq!(
            said("Optional[Integer]", "String"),
            "it expects `Optional[Integer]`, found `String`"
        );
    }
}
