//! Determines the expected type and value of an expression.

use syntax::ast::{AstNode, Attribute, BinaryExpr, CaseExpr, Expr, Parameter, SelectorExpr};
use syntax::{SyntaxKind, SyntaxNode};

use super::super::cursor::Site;
use super::place::function_name;
use super::resource::{Taker, of_declared, resource_around};
use infer::{WorkspaceTypes, signatures_of};
use types::Type;
use types::precise::union;

/// The expectations of a position on its value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expected {
    /// The expected type, if known.
    pub(crate) type_: Option<Type>,
    /// The allowed strings, where they are listed.
    pub(crate) values: Vec<String>,
    /// The name of the parameter, attribute or variable that takes the value. A variable with that
    /// name is a likely candidate.
    pub(crate) name: Option<String>,
    /// Whether resource references are expected.
    pub(crate) references: bool,
}

impl Expected {
    fn of(type_: Option<Type>) -> Expected {
        Expected {
            type_: type_.filter(|it| !it.is_any()),
            ..Expected::default()
        }
    }
}

/// Returns the expectations on an expression.
pub(crate) fn expected(site: &Site<'_>, node: &SyntaxNode) -> Expected {
    base::deep(|| by_parent(site, node).unwrap_or_default())
}

fn by_parent(site: &Site<'_>, node: &SyntaxNode) -> Option<Expected> {
    use SyntaxKind::*;
    let parent = node.parent()?;
    let is_first = node.prev_sibling().is_none();
    match parent.kind() {
        PARAMETER => of_default(site, &parent),
        ATTRIBUTE => of_attribute(site, &parent),
        ARGUMENT_LIST => of_argument(site, node, &parent),
        ARRAY => of_element(site, node, &parent),
        HASH_ENTRY if !is_first => of_entry(site, &parent),
        BINARY_EXPR => of_operand(site, node, &parent),
        CASE_OPTION => {
            let case = CaseExpr::cast(parent.parent()?)?;
            inferred(site, &case.subject()?)
        }
        SELECTOR_ENTRY => {
            let selector = parent.ancestors().find_map(SelectorExpr::cast)?;
            match is_first {
                true => inferred(site, &selector.subject()?),
                false => Some(expected(site, selector.syntax())),
            }
        }
        ASSIGNMENT if !is_first => {
            let assignment = syntax::ast::Assignment::cast(parent)?;
            let Expr::VariableExpr(target) = assignment.lhs()? else {
                return None;
            };
            Some(Expected {
                name: target.name(),
                ..Expected::default()
            })
        }
        PAREN_EXPR => Some(expected(site, &parent)),
        UNARY_EXPR => Some(Expected::of(Some(Type::BOOLEAN))),
        _ => None,
    }
}

fn inferred(site: &Site<'_>, expr: &Expr) -> Option<Expected> {
    let type_ = site.inferred_of(expr)?.type_;
    Some(Expected::of(Some(type_)))
}

fn of_default(site: &Site<'_>, parameter: &SyntaxNode) -> Option<Expected> {
    let parameter = Parameter::cast(parameter.clone())?;
    let types = WorkspaceTypes::new(site.db, site.environment);
    let type_ = parameter.type_expr().and_then(|it| types.read(&it));
    Some(Expected {
        name: parameter.name(),
        ..Expected::of(type_)
    })
}

fn of_attribute(site: &Site<'_>, attribute: &SyntaxNode) -> Option<Expected> {
    let name = Attribute::cast(attribute.clone())?.name_token()?;
    let name = name.text();
    let found = match library::metaparameter(name) {
        Some(it) => Some(of_declared(it)),
        None => {
            let resource = resource_around(attribute)?;
            let taker = Taker::of(site.db, site.environment, &resource);
            let all = taker.map(|it| it.attributes(site.db));
            all.into_iter().flatten().find(|it| it.name == name)
        }
    };
    let mut result = Expected {
        name: Some(name.to_owned()),
        references: matches!(name, "require" | "before" | "notify" | "subscribe"),
        ..Expected::default()
    };
    if let Some(found) = found {
        let types = WorkspaceTypes::new(site.db, site.environment);
        result.type_ = found.type_.and_then(|it| types.read_text(&it));
        result.values = found.values;
    }
    Some(result)
}

/// Returns the union of the parameter types of all overloads.
fn of_argument(site: &Site<'_>, node: &SyntaxNode, list: &SyntaxNode) -> Option<Expected> {
    let call = list.parent()?;
    let name = function_name(&call)?;
    let before = list.children().take_while(|it| it != node);
    let mut index = before.filter(|it| Expr::can_cast(it.kind())).count();
    if call.kind() == SyntaxKind::METHOD_CALL {
        index += 1;
    }
    let forms = &signatures_of(site.db, site.environment, &name)?.forms;
    let parameters: Vec<_> = forms.iter().filter_map(|it| it.parameter(index)).collect();
    let types: Vec<Type> = parameters.iter().map(|it| it.type_.clone()).collect();
    let type_ = (!types.is_empty()).then(|| union(types));
    Some(Expected {
        name: parameters.first().map(|it| it.name.clone()),
        ..Expected::of(type_)
    })
}

fn of_element(site: &Site<'_>, node: &SyntaxNode, array: &SyntaxNode) -> Option<Expected> {
    // `$x in ['a', …]`
    if let Some(binary) = array.parent().and_then(BinaryExpr::cast)
        && binary.operator()?.kind() == SyntaxKind::IN_KW
    {
        return inferred(site, &binary.lhs()?);
    }
    let outer = expected(site, array);
    let index = array.children().take_while(|it| it != node).count();
    let type_ = outer.type_.and_then(|it| element(&it, index));
    Some(Expected {
        type_,
        values: outer.values,
        name: None,
        references: outer.references,
    })
}

/// Returns the type of an array element at an index.
fn element(type_: &Type, index: usize) -> Option<Type> {
    let all = alternatives(type_).into_iter();
    let all = all.filter_map(|it| match it {
        Type::Array(it) => Some(it.element().clone()),
        Type::Tuple(it) => it.at(index).cloned(),
        Type::Iterable(Some(it)) => Some((*it).clone()),
        _ => None,
    });
    let all: Vec<Type> = all.collect();
    (!all.is_empty()).then(|| union(all))
}

/// Returns the value type of the expected hash at the key of an entry.
fn of_entry(site: &Site<'_>, entry: &SyntaxNode) -> Option<Expected> {
    let key = syntax::ast::HashEntry::cast(entry.clone())?.key()?;
    let name = text_of(&key);
    let outer = expected(site, &entry.parent()?).type_;
    let all = outer.iter().flat_map(alternatives);
    let all = all.filter_map(|it| match it {
        Type::Struct(it) => Some(it.get(name.as_deref()?)?.value.clone()),
        Type::Hash(it) => Some(it.value().clone()),
        _ => None,
    });
    let all: Vec<Type> = all.collect();
    let type_ = (!all.is_empty()).then(|| union(all));
    Some(Expected {
        name,
        ..Expected::of(type_)
    })
}

fn of_operand(site: &Site<'_>, node: &SyntaxNode, binary: &SyntaxNode) -> Option<Expected> {
    use SyntaxKind::*;
    let binary = BinaryExpr::cast(binary.clone())?;
    let (lhs, rhs) = (binary.lhs(), binary.rhs());
    let other = if lhs.as_ref().is_some_and(|it| it.syntax() == node) {
        rhs
    } else {
        lhs
    };
    match binary.operator()?.kind() {
        EQ_EQ | NOT_EQ => inferred(site, &other?),
        AND_KW | OR_KW => Some(Expected::of(Some(Type::BOOLEAN))),
        PLUS | MINUS | STAR | SLASH | PERCENT => inferred(site, &other?),
        _ => None,
    }
}

/// Returns the value of a bare word or string literal.
pub(crate) fn text_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::StringLiteral(it) => Some(it.value()),
        Expr::QualifiedName(it) => Some(it.text()),
        _ => None,
    }
}

/// Splits a type into its alternatives, resolving aliases, `Optional` and `Variant`.
pub(crate) fn alternatives(type_: &Type) -> Vec<Type> {
    /// The maximum number of types to visit.
    const MAX: usize = 1_000;
    let mut found = Vec::new();
    let mut open = vec![type_.clone()];
    let mut steps = 0;
    while let Some(next) = open.pop() {
        steps += 1;
        if steps > MAX {
            break;
        }
        match next {
            Type::Variant(all) => open.extend(all.iter().rev().cloned()),
            Type::Optional(inner) => {
                found.push(Type::Undef);
                open.extend(inner.map(|it| (*it).clone()));
            }
            Type::NotUndef(Some(inner)) => open.push((*inner).clone()),
            Type::Alias(alias) => open.push(alias.resolved()),
            other => found.push(other),
        }
    }
    found
}
