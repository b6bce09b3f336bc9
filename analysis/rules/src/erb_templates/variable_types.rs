//! The operations of a template on variables whose values do not have them, according to their inferred types.

use base::suggest::{hint, is_slip};
use hir::autoload::NameKey;
use hir::body::body;
use infer::variable_type;
use library::ruby::{
    ErbOperation, ErbUse, RubyClass, common_methods, is_method_of_values, meant_method,
};
use syntax::Severity;
use types::Type;

use super::{RubyTemplate, TemplateProblem};
use crate::wording::actual;

/// The minimum length of a misspelled method: shorter ones are similar to too many others.
const MIN_METHOD: usize = 4;

/// The minimum length of a misspelled method of a value of an unknown type, whose class may have methods of its own.
const MIN_UNTYPED_METHOD: usize = 5;

/// Returns the calls of methods that the value of a variable lacks. Only reports methods of other core
/// classes and likely typos, because code may extend the classes of Ruby.
pub(crate) fn unknown_value_methods(template: &RubyTemplate<'_>) -> Vec<TemplateProblem> {
    let uses = template.typed_uses();
    let found = uses.filter_map(|(it, type_, classes)| {
        let ErbOperation::Method(method) = &it.operation else {
            return None;
        };
        if classes.iter().any(|it| it.has_method(method)) {
            return None;
        }
        let is_near = |it: &&str| method.len() >= MIN_METHOD && is_slip(method, it);
        let mut methods = classes.first()?.methods().chain(common_methods());
        let near = methods.find(is_near);
        let near = near.or_else(|| meant_method(method).filter(|it| classes[0].has_method(it)));
        if near.is_none() && !is_method_of_values(method) {
            return None;
        }
        let variable = &it.variable;
        let (type_, near_hint) = (actual(&type_), hint(near));
        Some(TemplateProblem {
            range: it.range,
            severity: Severity::Warning,
            message: format!(
                "unknown method `{method}` of `@{variable}`, which is {type_}{near_hint}"
            ),
            replacement: near.map(str::to_owned),
        })
    });
    found.chain(misspelled_methods(template)).collect()
}

/// Returns the calls of methods on variables of unknown types that no value has, but that are similar to one.
fn misspelled_methods<'a>(
    template: &'a RubyTemplate<'_>,
) -> impl Iterator<Item = TemplateProblem> + 'a {
    let uses = template.names.uses.iter();
    let uses = uses.filter(|it| {
        !template.names.is_open
            && !template.names.is_optional(&it.variable)
            && template
                .type_of(&it.variable)
                .is_none_or(|it| ruby_classes(&it).is_none())
    });
    uses.filter_map(|it| {
        let ErbOperation::Method(method) = &it.operation else {
            return None;
        };
        if RubyClass::any_has_method(method) {
            return None;
        }
        let near = similar_method(method)?;
        let variable = &it.variable;
        Some(TemplateProblem {
            range: it.range,
            severity: Severity::Warning,
            message: format!(
                "unknown method `{method}` of `@{variable}`{}",
                hint(Some(near))
            ),
            replacement: Some(near.to_owned()),
        })
    })
}

/// Returns the method of any value that is meant by one that no value has.
pub(super) fn similar_method(method: &str) -> Option<&'static str> {
    // `values` is more likely the plural of `value` than its misspelling.
    let is_plural = |it: &str| {
        let (long, short) = if it.len() > method.len() {
            (it, method)
        } else {
            (method, it)
        };
        long.strip_suffix('s') == Some(short)
    };
    let is_near =
        |it: &&str| method.len() >= MIN_UNTYPED_METHOD && is_slip(method, it) && !is_plural(it);
    let near = RubyClass::all_methods().find(is_near);
    near.or_else(|| meant_method(method))
}

/// Returns the operators and indexes that do not apply to the value of a variable.
pub(crate) fn invalid_operands(template: &RubyTemplate<'_>) -> Vec<TemplateProblem> {
    let uses = template.typed_uses();
    let found = uses.filter_map(|(it, type_, classes)| {
        let accepted: &[RubyClass] = match it.operation {
            ErbOperation::Method(_) => return None,
            ErbOperation::StringIndex => &[RubyClass::Hash, RubyClass::String],
            ErbOperation::AddedToString => &[RubyClass::String],
            ErbOperation::AddedToNumber => &[RubyClass::Integer, RubyClass::Float],
        };
        if classes.iter().any(|it| accepted.contains(it)) {
            return None;
        }
        let (variable, type_) = (&it.variable, actual(&type_));
        let message = match it.operation {
            ErbOperation::StringIndex => {
                format!("cannot index `@{variable}` with a string: it is {type_}")
            }
            ErbOperation::AddedToNumber => {
                format!(
                    "operator `+` does not apply to a number and `@{variable}`, which is {type_}"
                )
            }
            _ => {
                format!(
                    "operator `+` does not apply to a string and `@{variable}`, which is {type_}"
                )
            }
        };
        Some(TemplateProblem {
            range: it.range,
            severity: Severity::Warning,
            message,
            replacement: None,
        })
    });
    found.chain(mixed_sums(template)).collect()
}

/// Returns the sums of literals of which one is a string and the other a number.
fn mixed_sums<'a>(template: &'a RubyTemplate<'_>) -> impl Iterator<Item = TemplateProblem> + 'a {
    let sums = template.names.mixed_sums.iter();
    sums.map(|range| TemplateProblem {
        range: *range,
        severity: template.severity_of_failure(),
        message: "operator `+` does not apply to a string and a number".to_owned(),
        replacement: None,
    })
}

impl<'a> RubyTemplate<'a> {
    /// Returns the operations on variables of certain types, with the types and their classes in Ruby.
    fn typed_uses(&self) -> impl Iterator<Item = (&'a ErbUse, Type, Vec<RubyClass>)> {
        let uses = self.names.uses.iter();
        let uses = uses.filter(|it| !self.names.is_open && !self.names.is_optional(&it.variable));
        uses.filter_map(|it| {
            let type_ = self.type_of(&it.variable)?;
            let classes = ruby_classes(&type_).filter(|it| !it.is_empty())?;
            Some((it, type_, classes))
        })
    }

    /// Returns the type of a variable in all code that renders the template. Lambdas may have variables of their own.
    fn type_of(&self, variable: &str) -> Option<Type> {
        let callers = self.callers.as_deref()?;
        let types = callers.iter().map(|caller| {
            let scopes = &body(self.db, *caller).scopes;
            let mut binding = scopes.iter().filter(|it| it.binds(variable));
            let is_own = binding.next().is_some_and(|it| it.parent.is_none());
            let name = NameKey::new(self.db, variable.to_owned());
            (is_own && binding.next().is_none())
                .then(|| variable_type(self.db, *caller, name).type_.clone())
        });
        let types: Vec<Type> = types.collect::<Option<_>>()?;
        (!types.is_empty()).then(|| Type::variant(types))
    }
}

/// Returns the classes to which Puppet converts the values of a type, except Booleans and `undef`, for which a template
/// may test; `None` if they are unknown.
fn ruby_classes(type_: &Type) -> Option<Vec<RubyClass>> {
    Some(match type_ {
        Type::Array(_) | Type::Tuple(_) => vec![RubyClass::Array],
        Type::Float(_) => vec![RubyClass::Float],
        Type::Hash(_) | Type::Struct(_) => vec![RubyClass::Hash],
        Type::Integer(_) => vec![RubyClass::Integer],
        Type::Numeric => vec![RubyClass::Integer, RubyClass::Float],
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => vec![RubyClass::String],
        Type::Boolean(_) | Type::Undef => Vec::new(),
        Type::Optional(Some(it)) | Type::NotUndef(Some(it)) => ruby_classes(it)?,
        Type::Variant(all) => {
            let all: Vec<_> = all.iter().map(ruby_classes).collect::<Option<_>>()?;
            all.concat()
        }
        Type::Alias(it) if !it.is_recursive() => ruby_classes(&it.resolved())?,
        _ => return None,
    })
}
