//! The types of Bolt's objects in plans.
//!
//! Inference does not know them, as releases of Bolt differ and its objects have methods that their types do not
//! declare. What the functions of Bolt return is enough to complete and explain members.

use base::{EnvironmentInput, FileInput};
use hir::resolve::{self, Definition};
use hir::{ItemKind, canonical_name, signature};
use library::signatures::{Function, Overload};
use library::{BoltType, KnownFunction, products};
use salsa::Database;
use syntax::ast::{
    Assignment, AstNode, CallExpr, Definition as DefinitionNode, Expr, HasParameters, Lambda,
    MethodCall, Parameter, VariableExpr, assigned_variables,
};
use syntax::{SyntaxKind, SyntaxNode};
use types::reader::{self, BuiltInTypes};
use types::{Type, display_hover};

use super::{function, is_plan_file};
use base::SettingsInput;

/// The maximum number of variables and calls between an object and its type.
const MAX_DEPTH: u32 = 16;

/// The types of Bolt in the plans of a file.
pub(crate) struct PlanTypes<'db> {
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    is_plan_file: bool,
}

impl<'db> PlanTypes<'db> {
    pub(crate) fn new(db: &'db dyn Database, file: FileInput) -> PlanTypes<'db> {
        PlanTypes {
            db,
            environment: file.environment(db),
            is_plan_file: is_plan_file(db, file),
        }
    }

    /// Returns the types of Bolt that the value of an expression may have.
    pub(crate) fn objects(&self, expr: &Expr) -> Vec<&'static BoltType> {
        self.value(expr).as_ref().map(objects).unwrap_or_default()
    }

    /// Renders the type of an expression whose value is an object of Bolt, or contains some.
    pub(crate) fn shown(&self, expr: &Expr) -> Option<String> {
        let type_ = self.value(expr)?;
        mentions_bolt(&type_).then(|| shown(&type_))
    }

    /// Renders the type of a parameter of a lambda, as [`PlanTypes::shown`] does.
    pub(crate) fn shown_parameter(&self, parameter: &Parameter) -> Option<String> {
        if !self.is_plan_file {
            return None;
        }
        let type_ = self.parameter(parameter, 0)?;
        mentions_bolt(&type_).then(|| shown(&type_))
    }

    fn value(&self, expr: &Expr) -> Option<Type> {
        self.is_plan_file.then(|| self.of(expr, 0))?
    }

    fn of(&self, expr: &Expr, depth: u32) -> Option<Type> {
        if depth > MAX_DEPTH {
            return None;
        }
        let depth = depth + 1;
        match expr {
            Expr::VariableExpr(it) => self.variable(it, depth),
            Expr::CallExpr(it) => self.call(it),
            Expr::MethodCall(it) => self.method(it, depth),
            Expr::AccessExpr(it) => element(&self.of(&it.base()?, depth)?, true),
            Expr::ParenExpr(it) => self.of(&it.expr()?, depth),
            Expr::ApplyExpr(_) => read(RESULTS_OF_APPLY),
            _ => None,
        }
    }

    fn call(&self, call: &CallExpr) -> Option<Type> {
        if let Some(Expr::QualifiedReference(type_)) = call.callee() {
            return bolt_object(&type_.text());
        }
        self.result(call.name_token()?.text())
    }

    fn method(&self, call: &MethodCall, depth: u32) -> Option<Type> {
        let (receiver, name) = (call.receiver()?, call.name_token()?);
        let name = name.text();
        let known = KnownFunction::from_name(name);
        if let (Expr::QualifiedReference(type_), Some(KnownFunction::New)) = (&receiver, known) {
            return bolt_object(&type_.text());
        }
        let type_ = self.of(&receiver, depth);
        let members = type_.iter().flat_map(objects);
        let results = members.filter_map(|it| read(&it.member(name)?.type_));
        let results: Vec<Type> = results.collect();
        if !results.is_empty() {
            return Some(Type::variant(results));
        }
        match known {
            Some(KnownFunction::Filter) => Some(Type::array(element(&type_?, false)?, None)),
            Some(KnownFunction::Each) => type_,
            _ => self.result(name),
        }
    }

    /// Returns what a function returns.
    fn result(&self, name: &str) -> Option<Type> {
        match resolve::function(self.db, self.environment, name) {
            Ok(Definition::Item(item)) if item.kind(self.db) == ItemKind::Function => {
                read(signature(self.db, item).returns.as_ref()?)
            }
            Ok(_) => None,
            Err(_) => {
                let overloads = &function(name)?.overloads;
                let returns = overloads.iter().map(|it| read(it.returns.as_ref()?));
                returns.collect::<Option<Vec<_>>>().map(Type::variant)
            }
        }
    }

    /// Returns the type of a variable: a parameter, or what was last assigned above.
    fn variable(&self, variable: &VariableExpr, depth: u32) -> Option<Type> {
        let own = variable.syntax().parent().and_then(Assignment::cast);
        let is_target =
            |it: &Assignment| it.lhs().is_some_and(|it| it.syntax() == variable.syntax());
        if let Some(own) = own.filter(is_target) {
            return self.of(&own.rhs()?, depth);
        }
        let name = variable.name()?;
        let use_ = variable.syntax().text_range().start();
        for scope in variable.syntax().ancestors() {
            let is_definition = DefinitionNode::can_cast(scope.kind());
            if scope.kind() != SyntaxKind::LAMBDA && !is_definition {
                continue;
            }
            let assigned = assignments(&scope, &name);
            let last = assigned
                .filter(|it| it.syntax().text_range().end() <= use_)
                .last();
            if let Some(last) = last {
                return self.of(&last.rhs()?, depth);
            }
            let mut parameters = parameters(&scope).into_iter();
            if let Some(found) = parameters.find(|it| it.name().as_deref() == Some(&name)) {
                return self.parameter(&found, depth);
            }
            if is_definition {
                return None;
            }
        }
        None
    }

    /// Returns the type of a parameter of a plan or a lambda.
    fn parameter(&self, parameter: &Parameter, depth: u32) -> Option<Type> {
        if let Some(type_) = parameter.type_expr() {
            return read(&type_.syntax().text().to_string());
        }
        let lambda = parameter.syntax().ancestors().find_map(Lambda::cast)?;
        let all = lambda.parameters();
        let index = all
            .iter()
            .position(|it| it.syntax() == parameter.syntax())?;
        let (name, first) = (function_of(&lambda)?, lambda.first_argument()?);
        let overloads = &self.declared(&name)?.overloads;
        if let Some(declared) = overloads.iter().find_map(|it| declared(it, index)) {
            return Some(declared);
        }
        let is_last = index + 1 == all.len();
        let iterates = overloads.iter().any(iterates);
        let collection = (is_last && iterates).then(|| self.of(&first, depth))??;
        element(&collection, false)
    }

    /// Returns a function of Puppet or Bolt.
    fn declared(&self, name: &str) -> Option<&'static Function> {
        let version = SettingsInput::get(self.db).version(self.db);
        let name = canonical_name(name);
        library::function(&name, version).or_else(|| function(&name))
    }
}

/// The type of the result of `apply`.
const RESULTS_OF_APPLY: &str = "ResultSet";

/// Reads a type; those of Bolt are references to unknown names.
fn read(text: &str) -> Option<Type> {
    reader::read(text, &BuiltInTypes).ok()
}

/// Returns the type of the objects that a type of Bolt constructs.
fn bolt_object(name: &str) -> Option<Type> {
    let type_ = products::type_of_bolt(name)?;
    (!type_.members.is_empty()).then(|| read(&type_.name))?
}

/// Returns the types of Bolt that the values of a type may have.
fn objects(type_: &Type) -> Vec<&'static BoltType> {
    match type_ {
        Type::Reference(name) => products::type_of_bolt(name).into_iter().collect(),
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => objects(inner),
        Type::Variant(all) => all.iter().flat_map(objects).collect(),
        _ => Vec::new(),
    }
}

/// Returns the type of the elements of an array or of an object of Bolt: of one that is accessed by its index, or of
/// all, over which functions iterate.
fn element(type_: &Type, by_index: bool) -> Option<Type> {
    match type_ {
        Type::Array(it) => Some(it.element().clone()),
        Type::Optional(Some(inner)) => element(inner, by_index),
        Type::Reference(name) => {
            let found = products::type_of_bolt(name)?;
            match (read(found.element.as_ref()?)?, by_index) {
                (Type::Optional(Some(inner)), false) => Some((*inner).clone()),
                // Only a set of results can be iterated over.
                (_, false) => None,
                (found, true) => Some(found),
            }
        }
        _ => None,
    }
}

/// Checks whether a type of Bolt with members occurs in a type.
fn mentions_bolt(type_: &Type) -> bool {
    match type_ {
        Type::Array(it) => mentions_bolt(it.element()),
        Type::Hash(it) => mentions_bolt(it.value()),
        type_ => !objects(type_).is_empty(),
    }
}

/// Renders a type with the names of Bolt's types.
fn shown(type_: &Type) -> String {
    const OPEN: &str = "TypeReference['";
    let mut shown = String::new();
    let text = display_hover(type_);
    let mut parts = text.split(OPEN);
    shown.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once("']").unwrap_or((part, ""));
        shown.push_str(name);
        shown.push_str(rest);
    }
    shown
}

/// Returns the assignments to a variable in a lambda or a definition, without those in lambdas within.
fn assignments<'a>(scope: &SyntaxNode, name: &'a str) -> impl Iterator<Item = Assignment> + 'a {
    let scope = scope.clone();
    let all: Vec<_> = scope.descendants().filter_map(Assignment::cast).collect();
    all.into_iter().filter(move |it| {
        let mut around = it.syntax().ancestors().skip(1);
        let nearest = around
            .find(|it| it.kind() == SyntaxKind::LAMBDA || DefinitionNode::can_cast(it.kind()));
        let variables = assigned_variables(it);
        let [variable] = variables.as_slice() else {
            return false;
        };
        nearest.as_ref() == Some(&scope) && variable.text().strip_prefix('$') == Some(name)
    })
}

/// Returns the parameters of a lambda or a definition.
fn parameters(scope: &SyntaxNode) -> Vec<Parameter> {
    let lists = scope
        .children()
        .filter(|it| it.kind() == SyntaxKind::PARAMETER_LIST);
    let all = lists.flat_map(|it| it.children());
    all.filter_map(Parameter::cast).collect()
}

/// Returns the name of the function that gets a lambda.
fn function_of(lambda: &Lambda) -> Option<String> {
    let name = match Expr::cast(lambda.syntax().parent()?)? {
        Expr::CallExpr(it) => it.name_token(),
        Expr::MethodCall(it) => it.name_token(),
        _ => None,
    };
    Some(name?.text().to_owned())
}

/// Returns the type that an overload of Bolt declares for a parameter of its lambda.
fn declared(overload: &Overload, index: usize) -> Option<Type> {
    let type_ = overload.block.as_ref()?.type_.as_ref()?;
    let Type::Callable(callable) = read(type_)? else {
        return None;
    };
    let found = callable.params()?.at(index).cloned()?;
    mentions_bolt(&found).then_some(found)
}

/// Checks whether an overload calls its lambda for the elements of its first argument.
fn iterates(overload: &Overload) -> bool {
    let first = overload.parameters.first().and_then(|it| it.type_.as_ref());
    let collections = ["Iterable", "Array"];
    overload.block.is_some()
        && first.is_some_and(|it| collections.iter().any(|name| it.starts_with(name)))
}
