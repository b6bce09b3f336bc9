//! Checks attributes of resource types written in Ruby: against the values that the type lists, and
//! against those that its code accepts.

use syntax::ast::{AstNode, Expr, Segment};

use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::{alternatives, element_of, union_of_many};
use super::problem::{TypeProblemKind, ValueTarget};
use super::workspace_types::WorkspaceTypes;
use hir::autoload::NameKey;
use hir::ruby_symbols;
use library::signatures::{self, Accepts, AttributeKind, ResourceType};
use salsa::Database;
use types::Type;
use types::precise::intersection;
use types::values::{Regexp, Value};

impl InferenceContext<'_> {
    /// Reports a value that is not among the listed values of an attribute.
    pub(super) fn listed_value(
        &mut self,
        type_: &ResourceType,
        name: &str,
        expr: &Expr,
        value: &Inferred,
    ) {
        // Types in modules do not declare it: their providers are in separate files.
        if name == "provider" {
            self.provider(type_, expr, value);
        }
        let mut declared = type_.attributes.iter();
        let declared = declared.find(|it| it.name == name);
        let Some(declared) = declared.or_else(|| library::metaparameter(name)) else {
            return;
        };
        if declared.read_only && value.is_a(&Type::Undef) == Some(false) && !value.is_never() {
            let kind = TypeProblemKind::ReadOnlyAttribute {
                type_name: type_.name.clone(),
                name: name.to_owned(),
                is_ignored: declared.kind == AttributeKind::Parameter,
            };
            return self.report(expr.syntax().text_range(), kind);
        }
        if name == "audit" && type_.complete {
            self.audited(type_, expr, value);
        }
        self.attribute_value(&type_.name, declared, expr, value);
    }

    /// Reports a provider that the type does not have.
    fn provider(&mut self, type_: &ResourceType, expr: &Expr, value: &Inferred) {
        let all = alternatives(&value.type_);
        let is_other = |it: &Type| {
            matches!(
                it,
                Type::Integer(_)
                    | Type::Float(_)
                    | Type::Boolean(_)
                    | Type::Hash(_)
                    | Type::Struct(_)
            )
        };
        if !all.is_empty() && all.iter().all(is_other) {
            let target = ValueTarget::Attribute(type_.name.clone(), "provider".to_owned());
            return self.refuse(expr, target, "a provider name", &value.type_);
        }
        let Some(known) = self.environment.and_then(|it| {
            let key = NameKey::new(self.db, type_.name.clone());
            ruby_symbols::providers(self.db, it, key).as_ref()
        }) else {
            return;
        };
        let names: Option<Vec<_>> = all
            .iter()
            .map(|it| texts(it).filter(|_| !is_other(it)))
            .collect();
        let names: Vec<String> = names.into_iter().flatten().flatten().collect();
        let mut unknown = names.iter().filter(|it| !known.contains(*it));
        if let Some(name) = unknown.next()
            && unknown.count() + 1 == names.len()
        {
            let kind = TypeProblemKind::UnknownProvider {
                type_name: type_.name.clone(),
                name: name.clone(),
                known: known.iter().cloned().collect(),
            };
            self.report(expr.syntax().text_range(), kind);
        }
    }

    /// Reports names in `audit` that are not attributes of the type.
    fn audited(&mut self, type_: &ResourceType, expr: &Expr, value: &Inferred) {
        let names: Vec<&str> = match &value.value {
            Some(Value::String(it)) => vec![it],
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
            Some(Value::Integer(_) | Value::Float(_) | Value::Boolean(_)) => {
                let target = ValueTarget::Attribute(type_.name.clone(), "audit".to_owned());
                return self.refuse(expr, target, "attribute names", &value.type_);
            }
            _ => return,
        };
        if names == ["all"] {
            return;
        }
        let is_known = |name: &str| {
            let own = type_.attributes.iter().any(|it| it.name == name);
            own || matches!(name, "name" | "provider") || library::metaparameter(name).is_some()
        };
        let literals: Vec<Expr> = match expr {
            Expr::ArrayExpr(list) => list.elements().collect(),
            _ => Vec::new(),
        };
        for name in names.into_iter().filter(|it| !is_known(it)) {
            let written = literals.iter().find(|it| {
                let text = match it {
                    Expr::StringLiteral(it) => it.value(),
                    Expr::QualifiedName(it) => it.text(),
                    _ => return false,
                };
                text == name
            });
            let range = written.unwrap_or(expr).syntax().text_range();
            let kind = TypeProblemKind::UnknownAudit {
                type_name: type_.name.clone(),
                name: name.to_owned(),
                known: type_.attributes.iter().map(|it| it.name.clone()).collect(),
            };
            self.report(range, kind);
        }
    }

    /// Reports a value that an attribute or a metaparameter rejects, as a whole or in one of its branches.
    pub(super) fn attribute_value(
        &mut self,
        type_name: &str,
        declared: &signatures::Attribute,
        expr: &Expr,
        value: &Inferred,
    ) {
        let before = self.problems.len();
        self.whole_attribute_value(type_name, declared, expr, value);
        if self.problems.len() > before {
            return;
        }
        for (branch, value) in self.branch_values(expr, value) {
            self.whole_attribute_value(type_name, declared, &branch, &value);
        }
        self.check_default(expr, value, |it, default, value| {
            it.whole_attribute_value(type_name, declared, default, value);
        });
    }

    fn whole_attribute_value(
        &mut self,
        type_name: &str,
        declared: &signatures::Attribute,
        expr: &Expr,
        value: &Inferred,
    ) {
        if let Some(accepts) = &declared.accepts {
            let target = ValueTarget::Attribute(type_name.to_owned(), declared.name.clone());
            // Only properties and some parameters may be arrays.
            let is_single = declared.namevar || accepts.single;
            if is_single && self.refuses_list(accepts, value) {
                let description = accepts.description.as_deref().unwrap_or("a string");
                return self.refuse(expr, target, description, &value.type_);
            }
            return self.accepted_value(&target, accepts, expr, value);
        }
        if !declared.closed {
            return;
        }
        let is_property = declared.kind == AttributeKind::Property;
        if is_property && let Expr::ArrayExpr(list) = expr {
            for element in list.elements() {
                let value = self.recorded(&element).cloned();
                if let Some(value) = value.filter(|it| element_of(&it.type_).is_none()) {
                    self.attribute_value(type_name, declared, &element, &value);
                }
            }
            return;
        }
        let given = match element_of(&value.type_) {
            // A property may be an array of values, each of which must be listed.
            _ if is_property => refused_part(&value.type_, |it| !may_be_listed(it, declared)),
            // A parameter is compared as a whole.
            Some(_) if declared.patterns.is_empty() && declared.required_features.is_empty() => {
                Some(value.type_.clone())
            }
            Some(_) => None,
            None => (!may_be_listed(&value.type_, declared)).then(|| value.type_.clone()),
        };
        let Some(given) = given else {
            return;
        };
        let kind = TypeProblemKind::Mismatch {
            what: ValueTarget::Attribute(type_name.to_owned(), declared.name.clone()),
            expected: listed(declared),
            actual: given,
        };
        self.report(expr.syntax().text_range(), kind);
    }

    /// Checks whether a value is an array although only single values are accepted.
    fn refuses_list(&self, accepts: &Accepts, value: &Inferred) -> bool {
        let accepted = self.types.read_text(&accepts.type_);
        let takes_lists = accepted.is_none_or(|it| intersection(&it, &Type::any_array()).is_some());
        !takes_lists && value.is_a(&Type::any_array()) == Some(true) && !value.is_never()
    }

    /// Reports an accepted value that the program which reads it refuses.
    fn check_usable(
        &mut self,
        target: &ValueTarget,
        accepts: &Accepts,
        expr: &Expr,
        value: &Inferred,
    ) {
        let unusable = accepts.unusable.as_deref();
        let Some(unusable) = unusable.and_then(|it| self.types.read_text(it)) else {
            return;
        };
        let is_unusable = |it: &Type| Inferred::of(it.clone()).is_a(&unusable) == Some(true);
        let Some(given) = refused_part(&value.type_, is_unusable) else {
            return;
        };
        let kind = TypeProblemKind::UnusableValue {
            what: target.clone(),
            description: accepts.description.clone().unwrap_or_default(),
            actual: given,
        };
        self.report(expr.syntax().text_range(), kind);
    }

    /// Reports a value that the Ruby code of an attribute does not accept.
    pub(super) fn accepted_value(
        &mut self,
        target: &ValueTarget,
        accepts: &Accepts,
        expr: &Expr,
        value: &Inferred,
    ) {
        let Some(accepted) = self.types.read_text(&accepts.type_) else {
            return;
        };
        if let Some(Value::Sensitive(inner)) = &value.value {
            let inner = Inferred::value(Value::clone(inner));
            return self.accepted_value(target, accepts, expr, &inner);
        }
        let takes_lists = intersection(&accepted, &Type::any_array()).is_some();
        if !takes_lists && let Expr::ArrayExpr(list) = expr {
            // An element that is an array itself is rare, and some types flatten it.
            for element in list.elements() {
                let value = self.recorded(&element).cloned();
                if let Some(value) = value.filter(|it| element_of(&it.type_).is_none()) {
                    self.accepted_value(target, accepts, &element, &value);
                }
            }
            return;
        }
        let is_refused = |it: &Type| !may_be_accepted(it, &accepted);
        let refused = match takes_lists {
            true => is_refused(&value.type_).then(|| value.type_.clone()),
            false => refused_part(&value.type_, is_refused),
        };
        let is_untitled = takes_references(&accepted) && is_untitled(value);
        let refused = refused.or_else(|| is_untitled.then(|| value.type_.clone()));
        let refused = refused.or_else(|| refused_start(expr, &accepted));
        let Some(given) = refused else {
            return self.check_usable(target, accepts, expr, value);
        };
        let kind = refusal(target.clone(), accepts, accepted, given);
        self.report(expr.syntax().text_range(), kind);
    }

    /// Reports a title that is not among the listed values of the namevar.
    pub(super) fn listed_title(
        &mut self,
        target: ValueTarget,
        namevar: &signatures::Attribute,
        expr: &Expr,
        title: &Inferred,
    ) {
        let titles = match &title.value {
            Some(Value::Array(all)) => all.to_vec(),
            Some(value) => vec![value.clone()],
            None => return,
        };
        let mut titles = titles.into_iter().map(|it| Inferred::value(it).type_);
        let Some(actual) = titles.find(|it| !may_be_listed(it, namevar)) else {
            return;
        };
        let patterns = namevar.patterns.iter().map(|it| format!("`/{it}/`"));
        let values = namevar.values.iter().map(|it| format!("`{it}`"));
        let all: Vec<String> = values.chain(patterns).collect();
        self.refuse(expr, target, &all.join(" or "), &actual);
    }

    /// Reports a value that does not refer to resources.
    pub(super) fn resource_references(
        &mut self,
        target: &ValueTarget,
        expr: Option<Expr>,
        value: &Inferred,
    ) {
        // All metaparameters for relationships accept the same references.
        let declared = library::metaparameter("before");
        let accepts = declared.and_then(|it| it.accepts.as_ref());
        let (Some(expr), Some(accepts)) = (expr, accepts) else {
            return;
        };
        let is_arrow = matches!(target, ValueTarget::Relationship(_));
        let is_undef = value.is_a(&Type::Undef) == Some(true);
        if is_undef || is_arrow && value.value.as_ref().is_some_and(contains_undef) {
            return self.refuse(&expr, target.clone(), "a resource reference", &Type::Undef);
        }
        self.accepted_value(target, accepts, &expr, value);
    }

    /// Reports a value that is certainly refused.
    pub(super) fn refuse(
        &mut self,
        expr: &Expr,
        what: ValueTarget,
        description: &str,
        given: &Type,
    ) {
        let kind = TypeProblemKind::RefusedValue {
            what,
            description: description.to_owned(),
            expected: Type::Any,
            actual: given.clone(),
        };
        self.report(expr.syntax().text_range(), kind);
    }
}

/// Returns why an attribute of a shipped resource type refuses a string, number or Boolean, or one of those in an array;
/// `None` if it may accept it.
pub fn refused_value(
    db: &dyn Database,
    type_name: &str,
    declared: &signatures::Attribute,
    value: &Value,
) -> Option<TypeProblemKind> {
    let what = || ValueTarget::Attribute(type_name.to_owned(), declared.name.clone());
    let given = Inferred::value(value.clone()).type_;
    let is_list = element_of(&given).is_some();
    let Some(accepts) = &declared.accepts else {
        let is_judged = !is_list || declared.kind == AttributeKind::Property;
        let refused = (declared.closed && is_judged)
            .then(|| refused_part(&given, |it| !may_be_listed(it, declared)))?;
        return refused.map(|actual| TypeProblemKind::Mismatch {
            what: what(),
            expected: listed(declared),
            actual,
        });
    };
    let accepted = WorkspaceTypes::new(db, None).read_text(&accepts.type_)?;
    if is_list && intersection(&accepted, &Type::any_array()).is_some() {
        return None;
    }
    let refused = refused_part(&given, |it| !may_be_accepted(it, &accepted));
    refused.map(|actual| refusal(what(), accepts, accepted, actual))
}

/// Returns the part of a value that is refused, whichever alternative of its type it has: the value itself, or a
/// certain element of an array. `None` if no part may be.
fn refused_part(given: &Type, is_refused: impl Fn(&Type) -> bool) -> Option<Type> {
    if given.is_never() {
        return None;
    }
    let refused = alternatives(given).into_iter().map(|it| match &it {
        Type::Array(list) if list.size_or_any().min().is_none_or(|it| it <= 0) => None,
        Type::Array(list) => is_refused(list.element()).then(|| list.element().clone()),
        Type::Tuple(list) => {
            let certain = list.size_range().min().unwrap_or_default();
            let certain = usize::try_from(certain).unwrap_or_default();
            let mut certain = (0..certain.min(list.types().len())).filter_map(|at| list.at(at));
            certain.find(|it| is_refused(it)).cloned()
        }
        _ => is_refused(&it).then(|| it.clone()),
    });
    let refused: Option<Vec<Type>> = refused.collect();
    refused.map(union_of_many)
}

fn refusal(what: ValueTarget, accepts: &Accepts, accepted: Type, actual: Type) -> TypeProblemKind {
    match &accepts.description {
        None => TypeProblemKind::Mismatch {
            what,
            expected: accepted,
            actual,
        },
        Some(description) => TypeProblemKind::RefusedValue {
            what,
            description: description.clone(),
            expected: accepted,
            actual,
        },
    }
}

fn contains_undef(value: &Value) -> bool {
    match value {
        Value::Array(all) => all.iter().any(contains_undef),
        value => *value == Value::Undef,
    }
}

/// Checks whether a value may be accepted. Only plain values are judged: references, `Deferred` and
/// other objects are converted later, and undef leaves the attribute unset.
fn may_be_accepted(given: &Type, accepted: &Type) -> bool {
    let all = alternatives(given);
    let mut all = all.iter();
    all.any(|it| match it {
        Type::Sensitive(inner) => may_be_accepted(inner, accepted),
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => may_be(it, accepted),
        Type::Integer(_) | Type::Float(_) | Type::Boolean(_) => may_be(it, accepted),
        Type::Hash(_) | Type::Struct(_) => may_be(it, accepted),
        Type::Type(_) | Type::Regexp(_) | Type::Default => {
            !takes_references(accepted) || may_be(it, accepted)
        }
        _ => true,
    })
}

/// Returns the start of a string with interpolations if no path or URI can start so, although one is expected: whatever
/// follows, `"conf/${name}"` is not an absolute path.
fn refused_start(string: &Expr, accepted: &Type) -> Option<Type> {
    /// The starts of absolute paths and URIs.
    const STARTS: [&str; 7] = [
        "/x",
        "C:/x",
        "c:\\x",
        "file:/x",
        "puppet:/x",
        "http://x",
        "https://x",
    ];
    let Expr::InterpolatedString(string) = string else {
        return None;
    };
    let segments = string.segments();
    let Some(Segment::Text(start)) = segments.first() else {
        return None;
    };
    let is_accepted = |text: &str| types::is_instance(accepted, &Value::from(text)) != Some(false);
    let is_path = is_accepted("/x") && is_accepted("/x/y.z") && !is_accepted("x");
    let after = ["", "x", "/x", ":/x", "://x/y", ":///x", ":\\x"];
    let may_go_on = after.iter().any(|it| is_accepted(&format!("{start}{it}")));
    let may_be_start = STARTS
        .iter()
        .any(|it| it.starts_with(&**start) && is_accepted(it));
    (is_path && !may_go_on && !may_be_start).then(|| Type::string_value(format!("{start}…")))
}

/// Checks whether references to resources are accepted, which are then not converted.
fn takes_references(accepted: &Type) -> bool {
    let all = alternatives(accepted);
    all.iter().any(|it| matches!(it, Type::Type(_)))
}

/// Checks for a data type, or for a resource type without a title, such as `File`.
fn is_untitled(value: &Inferred) -> bool {
    match &value.value {
        Some(Value::Type(Type::Resource(it))) => it.title().is_none(),
        Some(Value::Type(Type::Class(name))) => name.is_none(),
        Some(Value::Type(it)) => matches!(
            it,
            Type::Integer(_) | Type::String(_) | Type::Boolean(_) | Type::Array(_) | Type::Hash(_)
        ),
        _ => false,
    }
}

fn may_be(given: &Type, accepted: &Type) -> bool {
    Inferred::of(given.clone()).is_a(accepted) != Some(false)
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
pub(super) fn texts(type_: &Type) -> Option<Vec<String>> {
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
