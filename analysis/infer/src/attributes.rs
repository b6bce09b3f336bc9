//! Checks attributes of resource types written in Ruby: against the values that the type lists, and
//! against kinds of values that it rejects.

use syntax::ast::{AstNode, Expr};

use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::{alternatives, element_of};
use super::problem::{TypeProblemKind, ValueTarget};
use library::signatures::{self, AttributeKind, ResourceType};
use types::Type;
use types::values::Regexp;

/// Attributes of Puppet's resource types whose Ruby code rejects values of other types. Most other
/// attributes convert any value to a string.
const CHECKED: [(&str, &str); 9] = [
    ("exec", "command"),
    ("exec", "creates"),
    ("exec", "cwd"),
    ("exec", "onlyif"),
    ("exec", "path"),
    ("exec", "unless"),
    ("file", "content"),
    ("file", "mode"),
    ("file", "source"),
];

impl InferenceContext<'_> {
    /// Reports a value that is not among the listed values of an attribute.
    pub(super) fn listed_value(
        &mut self,
        type_: &ResourceType,
        name: &str,
        expr: &Expr,
        value: &Inferred,
    ) {
        let mut declared = type_.attributes.iter();
        let Some(declared) = declared.find(|it| it.name == name) else {
            return;
        };
        if CHECKED.contains(&(type_.name.as_str(), name)) {
            self.checked_type(type_, declared, expr, value);
        }
        if !declared.closed {
            return;
        }
        let given = match (element_of(&value.type_), declared.kind) {
            // A property may be an array of values, each of which must be listed.
            (Some(element), AttributeKind::Property) => element,
            (Some(_), _) => return,
            (None, _) => value.type_.clone(),
        };
        if may_be_listed(&given, declared) {
            return;
        }
        let kind = TypeProblemKind::Mismatch {
            what: ValueTarget::Attribute(type_.name.clone(), name.to_owned()),
            expected: listed(declared),
            actual: given,
        };
        self.report(expr.syntax().text_range(), kind);
    }

    /// Reports a value of a type that an attribute rejects.
    fn checked_type(
        &mut self,
        type_: &ResourceType,
        declared: &signatures::Attribute,
        expr: &Expr,
        value: &Inferred,
    ) {
        // Arrays are flattened, Sensitive values unwrapped, and references converted to strings.
        let plain = Type::variant([Type::Numeric, Type::BOOLEAN, Type::any_hash()]);
        let expected = declared.type_.as_deref();
        let Some(expected) = expected.and_then(|it| self.types.read_text(it)) else {
            return;
        };
        if value.is_a(&plain) == Some(true) {
            let (type_, attribute) = (type_.name.clone(), declared.name.clone());
            let range = expr.syntax().text_range();
            self.check_assignable(range, value, &expected, || {
                ValueTarget::Attribute(type_, attribute)
            });
        }
    }
}

/// Checks whether a value may be among the listed ones. Puppet compares them as strings.
fn may_be_listed(given: &Type, declared: &signatures::Attribute) -> bool {
    let fits = |text: &str| {
        let listed = declared.values.iter().any(|it| it == text);
        let mut patterns = declared.patterns.iter();
        listed || patterns.any(|it| Regexp::new(it).is_match(text).unwrap_or(true))
    };
    let mut all = alternatives(given).into_iter();
    all.any(|it| match texts(&it) {
        Some(texts) => texts.iter().any(|it| fits(it)),
        // An attribute set to undef is unset.
        None => true,
    })
}

/// Returns the values of a type as strings; `None` if they are unknown or too many.
fn texts(type_: &Type) -> Option<Vec<String>> {
    Some(match type_ {
        Type::String(it) => vec![it.value()?.to_string()],
        Type::Enum(it) if !it.case_insensitive() => {
            it.values().iter().map(ToString::to_string).collect()
        }
        Type::Integer(it) => vec![it.single()?.to_string()],
        Type::Boolean(Some(it)) => vec![it.to_string()],
        Type::Boolean(None) => vec!["true".to_owned(), "false".to_owned()],
        _ => return None,
    })
}

/// Returns the type of the listed values.
fn listed(declared: &signatures::Attribute) -> Type {
    let values = Type::enumeration(declared.values.iter().map(String::as_str));
    if declared.patterns.is_empty() {
        return values;
    }
    let patterns = declared.patterns.iter().map(|it| Regexp::new(it));
    let patterns = Type::pattern(patterns.collect::<Vec<_>>());
    if declared.values.is_empty() {
        return patterns;
    }
    Type::variant([values, patterns])
}
