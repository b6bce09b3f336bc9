//! Multiple assignments: `[$a, $b] = …` destructures an array by position and a hash by name.

use syntax::ast::{AstNode, Expr};

use super::access::{AccessResult, one};
use super::flow::Origin;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::alternatives;
use super::problem::TypeProblemKind;
use hir::resolve::{self, Definition};
use hir::signature;
use hir::variables::own_variables;
use types::precise::{union, within};
use types::values::Value;
use types::{IntRange, Type};

impl InferenceContext<'_> {
    /// Infers the assignment of a value to an array of variables, which may be nested.
    pub(super) fn infer_destructuring(&mut self, target: &Expr, value: &Inferred, origin: Origin) {
        let Expr::ArrayExpr(list) = target else {
            return;
        };
        let targets: Vec<Expr> = list.elements().collect();
        let missing = match &value.value {
            Some(Value::Type(Type::Class(Some(class)))) => self.missing_variable(class, &targets),
            _ => None,
        };
        if let Some(kind) = missing.or_else(|| misfit(&targets, value)) {
            self.report(target.syntax().text_range(), kind);
        }
        for (index, target) in targets.iter().enumerate() {
            match target {
                Expr::VariableExpr(variable) => {
                    if let Some(name) = variable.name() {
                        let part = part(value, index, &name);
                        self.assign(&name, part, origin, target.syntax().text_range());
                    }
                }
                _ => {
                    let part = match value.is_a(&Type::any_array()) {
                        Some(true) => part(value, index, ""),
                        _ => Inferred::UNKNOWN,
                    };
                    self.infer_destructuring(target, &part, origin);
                }
            }
        }
    }
}

impl InferenceContext<'_> {
    /// Returns the first variable that a class does not have.
    fn missing_variable(&self, class: &str, targets: &[Expr]) -> Option<TypeProblemKind> {
        let Ok(Definition::Item(item)) = resolve::class(self.db, self.environment, class) else {
            return None;
        };
        // The variables of an ancestor are visible too.
        if signature(self.db, item).inherits.is_some() {
            return None;
        }
        let names = &own_variables(self.db, item).names;
        let mut targets = targets.iter().filter_map(|it| match it {
            Expr::VariableExpr(it) => it.name(),
            _ => None,
        });
        let variable = targets.find(|it| !names.contains(it.as_str()))?;
        let class = item.name(self.db).clone();
        Some(TypeProblemKind::MissingVariable { class, variable })
    }
}

/// Returns the reason why Puppet refuses to assign a value to these variables.
fn misfit(targets: &[Expr], value: &Inferred) -> Option<TypeProblemKind> {
    if value.is_never() {
        return None;
    }
    if let Some(Value::Hash(entries)) = &value.value {
        return missing_key(targets, |key| entries.contains_key(&Value::from(key)));
    }
    if let Some(Value::Type(Type::Resource(_))) = &value.value
        && targets.len() != 1
    {
        return Some(TypeProblemKind::ElementCount {
            variables: targets.len(),
            value: value.type_.clone(),
        });
    }
    let kinds = alternatives(&value.type_);
    if let [Type::Struct(it)] = kinds.as_slice() {
        let elements = it.elements();
        return missing_key(targets, |key| elements.iter().any(|it| *it.name == *key));
    }
    let fits = kinds.iter().any(|it| may_have_size(it, targets.len()));
    (!fits).then(|| TypeProblemKind::ElementCount {
        variables: targets.len(),
        value: value.type_.clone(),
    })
}

/// Returns the first variable whose name is not a key of a hash.
fn missing_key(targets: &[Expr], is_key: impl Fn(&str) -> bool) -> Option<TypeProblemKind> {
    let names: Option<Vec<String>> = targets
        .iter()
        .map(|it| match it {
            Expr::VariableExpr(it) => it.name(),
            _ => None,
        })
        .collect();
    let key = names?.into_iter().find(|it| !is_key(it))?;
    Some(TypeProblemKind::MissingKey { key })
}

/// Checks whether a value of this type may be assigned to this number of variables. What is neither
/// an array nor a hash counts as one element.
fn may_have_size(type_: &Type, variables: usize) -> bool {
    let variables = i64::try_from(variables).unwrap_or(i64::MAX);
    let size = match type_ {
        Type::Array(it) => it.size_or_any(),
        Type::Tuple(it) => it.size_range(),
        scalar => {
            let scalars = Type::variant([
                Type::Undef,
                Type::BOOLEAN,
                Type::Numeric,
                Type::STRING,
                Type::Regexp(None),
            ]);
            match within(scalar, &scalars) {
                true => IntRange::exactly(1),
                false => return true,
            }
        }
    };
    let (min, max) = (size.min().unwrap_or(0), size.max().unwrap_or(i64::MAX));
    (min..=max).contains(&variables)
}

/// Returns the part of a value that is assigned to the variable with this position and name.
fn part(whole: &Inferred, index: usize, name: &str) -> Inferred {
    let index = i64::try_from(index).unwrap_or(i64::MAX);
    if let Some(value) = &whole.value {
        let key = match value {
            Value::Hash(_) => Value::from(name),
            Value::Array(_) => Value::Integer(index),
            Value::Type(_) => return Inferred::UNKNOWN,
            _ if index == 0 => return whole.clone(),
            _ => return Inferred::UNKNOWN,
        };
        let context = eval::Context::default();
        return eval::access(&context, value, &[key]).map_or(Inferred::UNKNOWN, Inferred::value);
    }
    let by_index = Inferred::value(Value::Integer(index));
    let by_name = Inferred::value(Value::from(name));
    let parts = alternatives(&whole.type_).into_iter().map(|it| {
        let key = match &it {
            Type::Array(_) | Type::Tuple(_) => &by_index,
            Type::Hash(_) | Type::Struct(_) => &by_name,
            _ => return Type::Any,
        };
        match one(&it, std::slice::from_ref(key)) {
            AccessResult::Found(type_) => type_,
            _ => Type::Any,
        }
    });
    Inferred::of(union(parts))
}
