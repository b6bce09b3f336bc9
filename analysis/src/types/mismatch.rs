//! Why a type does not fit where another one is expected: which part, what was expected there, and
//! what was found.
//!
//! The places that are named follow `type_mismatch_describer.rb`; the words are ours.

use super::{
    ArrayType, CallableType, HashType, IntRange, StructType, TupleType, Type, assignable,
    display_expanded,
};

/// How many mismatches are told at most.
const MAX_MISMATCHES: usize = 20;

/// One mismatch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The way to the part, from the outside to the inside.
    pub path: Vec<Step>,
    /// What is wrong there.
    pub problem: Problem,
}

/// A step on the way to a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// An element of an array, from 0.
    Index(usize),
    /// The value of an entry of a hash.
    Entry(String),
    /// The key of an entry of a hash.
    KeyOf(String),
    /// What a callable returns.
    Return,
    /// The block of a callable.
    Block,
}

/// What is wrong with a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// It is of another type. Several types are expected where any of them would do.
    Type {
        /// What would do.
        expected: Vec<Type>,
        /// What is there.
        actual: Type,
    },
    /// It has another size.
    Size {
        /// The sizes that would do.
        expected: IntRange,
        /// The size that it has.
        actual: IntRange,
    },
    /// A key is missing.
    Missing(String),
    /// A key is there that is not known.
    Unknown(String),
    /// The expected type names one that does not exist.
    Unresolved(String),
}

/// Why `actual` is not assignable to `expected`, in words, with `subject` as what is spoken of.
pub fn describe(subject: &str, expected: &Type, actual: &Type) -> String {
    let mismatches = mismatches(expected, actual);
    let sentence = |it: &Mismatch| format!("{subject}{}", it.sentence());
    match &mismatches[..] {
        [] => format!(
            "{subject} is not of the type {}",
            display_expanded(expected)
        ),
        [only] => sentence(only),
        many => many.iter().map(sentence).collect::<Vec<_>>().join("\n"),
    }
}

/// Why `actual` is not assignable to `expected`; nothing if that cannot be told from their parts.
pub fn mismatches(expected: &Type, actual: &Type) -> Vec<Mismatch> {
    let mut found = Vec::new();
    if let Some(name) = unresolved(expected) {
        found.push(Mismatch {
            path: Vec::new(),
            problem: Problem::Unresolved(name),
        });
        return found;
    }
    let mut finder = Finder {
        path: Vec::new(),
        found,
        depth: 0,
    };
    finder.compare(expected, expected, actual);
    finder.found.dedup();
    finder.found.truncate(MAX_MISMATCHES);
    finder.found
}

/// The first name in the type that nothing is known by.
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

struct Finder {
    path: Vec<Step>,
    found: Vec<Mismatch>,
    depth: u32,
}

impl Finder {
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

    /// `original` is what `expected` was before aliases were resolved.
    fn compare(&mut self, expected: &Type, original: &Type, actual: &Type) {
        /// Deeper parts are not looked into.
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

    /// What keeps a type from fitting `expected`, apart from what was found before.
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

    /// The alternative that comes nearest is described, or all of them together if they fail at
    /// the same place.
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

/// How many entries a hash of the type has.
fn struct_size(ty: &StructType) -> IntRange {
    let required = ty.elements().iter().filter(|it| !it.is_optional()).count();
    IntRange::exactly_len(required).hull(IntRange::exactly_len(ty.elements().len()))
}

impl Mismatch {
    /// The mismatch in words, to follow what it is about.
    pub fn sentence(&self) -> String {
        let path: String = self.path.iter().map(|step| format!(", {step}")).collect();
        let comma = if path.is_empty() { "" } else { "," };
        format!("{path}{comma} {}", self.problem)
    }
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Step::Index(index) => write!(f, "element {index}"),
            Step::Entry(key) => write!(f, "entry '{key}'"),
            Step::KeyOf(key) => write!(f, "the key '{key}'"),
            Step::Return => f.write_str("the return value"),
            Step::Block => f.write_str("the block"),
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
                    Some((last, [])) => last.clone(),
                    Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
                    None => "nothing".to_owned(),
                };
                write!(f, "must be {expected}, but is {}", display_expanded(actual))
            }
            Problem::Size { expected, actual } => {
                write!(
                    f,
                    "must have {}, but has {}",
                    elements(*expected),
                    elements(*actual)
                )
            }
            Problem::Missing(key) => write!(f, "lacks the key '{key}'"),
            Problem::Unknown(key) => write!(f, "has the key '{key}', which is not known there"),
            Problem::Unresolved(name) => {
                write!(f, "must be of a type that is not known: {name}")
            }
        }
    }
}

/// A size in words.
fn elements(size: IntRange) -> String {
    let plural = |count: i64| if count == 1 { "element" } else { "elements" };
    match (size.min().unwrap_or(0), size.max()) {
        (min, Some(max)) if min == max => match min {
            0 => "no elements".to_owned(),
            count => format!("{count} {}", plural(count)),
        },
        (0, Some(max)) => format!("at most {max} {}", plural(max)),
        (0, None) => "any number of elements".to_owned(),
        (min, None) => format!("at least {min} {}", plural(min)),
        (min, Some(max)) => format!("{min} to {max} elements"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::reader::{BuiltInTypes, read};

    fn said(expected: &str, actual: &str) -> String {
        let read = |text| read(text, &BuiltInTypes).expect("a type");
        describe("it", &read(expected), &read(actual))
    }

    #[test]
    fn the_place_is_named() {
        assert_eq!(
            said("Integer", "String['a']"),
            "it must be Integer, but is String"
        );
        assert_eq!(
            said("Array[Integer]", "Tuple[Integer, String]"),
            "it, element 1, must be Integer, but is String"
        );
        assert_eq!(
            said(
                "Struct[{a => Hash[String, Integer]}]",
                "Struct[{a => Struct[{b => String}]}]"
            ),
            "it, entry 'a', entry 'b', must be Integer, but is String"
        );
    }

    #[test]
    fn keys_and_sizes_are_told() {
        assert_eq!(
            said("Struct[{a => Integer}]", "Struct[{b => Integer}]"),
            "it lacks the key 'a'\nit has the key 'b', which is not known there"
        );
        assert_eq!(
            said("Array[Any, 2]", "Tuple[Integer]"),
            "it must have at least 2 elements, but has 1 element"
        );
        assert_eq!(
            said("Array[Foo]", "Tuple[Integer]"),
            "it must be of a type that is not known: Foo"
        );
    }

    #[test]
    fn alternatives_are_listed_or_the_nearest_is_described() {
        assert_eq!(
            said("Variant[Integer, Boolean]", "String"),
            "it must be Integer or Boolean, but is String"
        );
        assert_eq!(
            said("Variant[Integer, Array[Integer]]", "Tuple[String]"),
            "it, element 0, must be Integer, but is String"
        );
        assert_eq!(
            said("Optional[Integer]", "String"),
            "it must be Optional[Integer], but is String"
        );
    }
}
