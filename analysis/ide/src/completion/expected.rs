//! Determines the expected type and value of an expression.

use syntax::ast::{AstNode, Attribute, BinaryExpr, CaseExpr, Expr, Parameter, SelectorExpr};
use syntax::{SyntaxKind, SyntaxNode};

use super::super::cursor::CursorContext;
use super::compared::{common_values, compared_value};
use super::context::function_name;
use super::keys::fact_path_of;
use super::resource::{AttributeOwner, attribute_info, enclosing_resource};
use hiera::merge::STRATEGIES;
use infer::{Inferred, WorkspaceTypes, signatures_of};
use library::KnownFunction;
use types::precise::union;
use types::values::Value;
use types::{StringType, Type};

/// The expectations of a position on its value.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExpectedValue {
    /// The expected type, if known.
    pub(crate) type_: Option<Type>,
    /// The allowed strings, where they are listed.
    pub(crate) values: Vec<String>,
    /// Common strings, where any string is allowed.
    pub(crate) common: &'static [&'static str],
    /// The default of the parameter that the value is compared with.
    pub(crate) default_of_compared: Option<String>,
    /// Whether `default` is allowed: an option of a `case` or a selector.
    pub(crate) is_option: bool,
    /// The name of the parameter, attribute or variable that takes the value. A variable with that
    /// name is a likely candidate.
    pub(crate) name: Option<String>,
    /// Whether resource references are expected.
    pub(crate) references: bool,
    /// Whether other types are errors: the type is that of a parameter or an attribute, and not only inferred.
    pub(crate) is_declared: bool,
    /// Whether the value is the default of a parameter.
    pub(crate) is_default: bool,
    /// Whether it is the value of an attribute of a resource type, not of a defined type. By convention, such
    /// values are bare words, and all other strings are quoted.
    pub(crate) is_native: bool,
    /// Whether it is a hash of attributes, after `* =>`, which is hardly a literal.
    pub(crate) is_splat: bool,
    /// Whether any text is expected, such as a message.
    pub(crate) is_free_text: bool,
}

impl ExpectedValue {
    fn of(type_: Option<Type>) -> ExpectedValue {
        ExpectedValue {
            type_: type_.filter(|it| !it.is_any()),
            ..ExpectedValue::default()
        }
    }

    /// Returns the expectations on a value of a declared type.
    fn declared(type_: Option<Type>) -> ExpectedValue {
        ExpectedValue {
            is_declared: true,
            ..ExpectedValue::of(type_)
        }
    }

    /// Returns the type that the value must have, if it is known.
    pub(crate) fn required_type(&self) -> Option<&Type> {
        self.type_.as_ref().filter(|_| self.is_declared)
    }

    /// Checks whether a value has the required type, as far as it is known.
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        let required = self.required_type();
        required.is_none_or(|it| types::is_instance(it, value) != Some(false))
    }

    /// Checks whether the value may be a type or a reference to a resource.
    pub(crate) fn accepts_types(&self) -> bool {
        let required = self.required_type();
        required.is_none_or(|it| Inferred::of(Type::Type(None)).is_a(it) != Some(false))
    }

    /// Checks whether some of the values are known: those of an `Enum`, Booleans, or the common ones of a fact.
    pub(crate) fn has_known_values(&self) -> bool {
        let is_known = |it: &Type| {
            matches!(
                it,
                Type::Enum(_) | Type::String(StringType::Value(_)) | Type::Boolean(_)
            )
        };
        let mut types = self.type_.iter().flat_map(alternatives);
        !self.values.is_empty()
            || !self.common.is_empty()
            || self.default_of_compared.is_some()
            || types.any(|it| is_known(&it))
    }
}

/// Returns the expectations on an expression.
pub(crate) fn expected_value(cursor: &CursorContext<'_>, node: &SyntaxNode) -> ExpectedValue {
    base::with_growing_stack(|| expected_by_parent(cursor, node).unwrap_or_default())
}

fn expected_by_parent(cursor: &CursorContext<'_>, node: &SyntaxNode) -> Option<ExpectedValue> {
    use SyntaxKind::*;
    let parent = node.parent()?;
    let is_first = node.prev_sibling().is_none();
    match parent.kind() {
        PARAMETER => expected_default(cursor, &parent),
        ATTRIBUTE => expected_attribute(cursor, &parent),
        ATTRIBUTE_SPLAT => Some(ExpectedValue {
            is_splat: true,
            ..ExpectedValue::declared(Some(Type::any_hash()))
        }),
        ARGUMENT_LIST => expected_argument(cursor, node, &parent),
        ARRAY => expected_element(cursor, node, &parent),
        HASH_ENTRY if !is_first => expected_entry(cursor, &parent),
        BINARY_EXPR => expected_operand(cursor, node, &parent),
        CASE_OPTION => {
            let case = CaseExpr::cast(parent.parent()?)?;
            expected_option(cursor, &case.subject()?)
        }
        SELECTOR_ENTRY => {
            let selector = parent.ancestors().find_map(SelectorExpr::cast)?;
            match is_first {
                true => expected_option(cursor, &selector.subject()?),
                false => Some(expected_value(cursor, selector.syntax())),
            }
        }
        ASSIGNMENT if !is_first => {
            let assignment = syntax::ast::Assignment::cast(parent)?;
            let Expr::VariableExpr(target) = assignment.lhs()? else {
                return None;
            };
            Some(ExpectedValue {
                name: target.name(),
                ..ExpectedValue::default()
            })
        }
        RESOURCE_BODY if is_first => expected_title(&parent),
        RELATIONSHIP => Some(ExpectedValue {
            references: true,
            ..ExpectedValue::default()
        }),
        PAREN_EXPR => Some(expected_value(cursor, &parent)),
        UNARY_EXPR => Some(ExpectedValue::of(Some(Type::BOOLEAN))),
        _ => None,
    }
}

/// Returns the expectations on a title. It is often in a variable with a name such as `$package_name`.
fn expected_title(body: &SyntaxNode) -> Option<ExpectedValue> {
    let titles = [Type::STRING, Type::array(Type::STRING, None)];
    let type_name = enclosing_resource(body)?.type_;
    let last = type_name.rsplit("::").next().unwrap_or(&type_name);
    Some(ExpectedValue {
        name: Some(last.to_owned()),
        ..ExpectedValue::of(Some(union(titles)))
    })
}

fn expected_option(cursor: &CursorContext<'_>, subject: &Expr) -> Option<ExpectedValue> {
    Some(ExpectedValue {
        is_option: true,
        ..same_type_as(cursor, subject)?
    })
}

fn same_type_as(cursor: &CursorContext<'_>, expr: &Expr) -> Option<ExpectedValue> {
    let type_ = cursor.infer_expr(expr).map(|it| it.type_);
    let (value, default_of_compared) = compared_value(cursor, expr);
    let path = fact_path_of(&value).map(|it| it.join("."));
    Some(ExpectedValue {
        common: path.map_or(&[], |it| common_values(&it)),
        default_of_compared,
        ..ExpectedValue::of(type_)
    })
}

fn expected_default(cursor: &CursorContext<'_>, parameter: &SyntaxNode) -> Option<ExpectedValue> {
    let parameter = Parameter::cast(parameter.clone())?;
    let types = WorkspaceTypes::as_offered(cursor.db, cursor.environment);
    let type_ = parameter.type_expr().and_then(|it| types.read(&it));
    Some(ExpectedValue {
        name: parameter.name(),
        is_default: true,
        ..ExpectedValue::declared(type_)
    })
}

fn expected_attribute(cursor: &CursorContext<'_>, attribute: &SyntaxNode) -> Option<ExpectedValue> {
    let name = Attribute::cast(attribute.clone())?.name_token()?;
    let name = name.text();
    let (found, is_native) = match library::metaparameter(name) {
        Some(it) => (Some(attribute_info(it)), true),
        None => {
            let resource = enclosing_resource(attribute)?;
            let owner = AttributeOwner::of(cursor.db, cursor.environment, &resource);
            let is_native = matches!(owner, Some(AttributeOwner::Type(_)));
            let all = owner.map(|it| it.attributes(cursor.db));
            let found = all.into_iter().flatten().find(|it| it.name == name);
            (found, is_native)
        }
    };
    let types = WorkspaceTypes::as_offered(cursor.db, cursor.environment);
    let (type_, values) = found.map_or((None, Vec::new()), |it| (it.type_, it.values));
    let type_ = type_.and_then(|it| types.read_text(&it));
    Some(ExpectedValue {
        name: Some(name.to_owned()),
        references: library::RELATIONSHIPS.contains(&name),
        values,
        is_native,
        ..ExpectedValue::declared(type_)
    })
}

/// Returns the union of the parameter types of all overloads.
fn expected_argument(
    cursor: &CursorContext<'_>,
    node: &SyntaxNode,
    list: &SyntaxNode,
) -> Option<ExpectedValue> {
    let call = list.parent()?;
    let name = function_name(&call)?;
    let before = list.children().take_while(|it| it != node);
    let mut index = before.filter(|it| Expr::can_cast(it.kind())).count();
    if call.kind() == SyntaxKind::METHOD_CALL {
        index += 1;
    }
    let overloads = &signatures_of(cursor.db, cursor.environment, &name)?.overloads;
    let parameters: Vec<_> = overloads
        .iter()
        .filter_map(|it| it.parameter(index))
        .collect();
    let types: Vec<Type> = parameters.iter().map(|it| it.type_.clone()).collect();
    let type_ = (!types.is_empty()).then(|| union(types));
    let known = KnownFunction::from_name(&name);
    // Functions that take any value and return none print it.
    let is_printed = overloads.iter().all(|it| it.returns == Some(Type::Undef))
        || known == Some(KnownFunction::Fail);
    let name = parameters.first().map(|it| it.name.clone());
    let is_merge = known == Some(KnownFunction::Lookup) && name.as_deref() == Some(MERGE);
    Some(ExpectedValue {
        name,
        values: strategies(is_merge),
        references: known == Some(KnownFunction::Realize),
        is_free_text: is_printed && parameters.iter().all(|it| it.type_.is_any()),
        ..ExpectedValue::declared(type_)
    })
}

fn expected_element(
    cursor: &CursorContext<'_>,
    node: &SyntaxNode,
    array: &SyntaxNode,
) -> Option<ExpectedValue> {
    // `$x in ['a', …]`
    if let Some(binary) = array.parent().and_then(BinaryExpr::cast)
        && binary.operator()?.kind() == SyntaxKind::IN_KW
    {
        return same_type_as(cursor, &binary.lhs()?);
    }
    let outer = expected_value(cursor, array);
    let index = array.children().take_while(|it| it != node).count();
    let type_ = outer.type_.as_ref().and_then(|it| element_type(it, index));
    Some(ExpectedValue {
        type_,
        name: None,
        common: &[],
        default_of_compared: None,
        is_option: false,
        is_default: false,
        ..outer
    })
}

/// Returns the type of an array element at an index.
fn element_type(type_: &Type, index: usize) -> Option<Type> {
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
fn expected_entry(cursor: &CursorContext<'_>, entry: &SyntaxNode) -> Option<ExpectedValue> {
    let key = syntax::ast::HashEntry::cast(entry.clone())?.key()?;
    let name = key.plain_text();
    let outer = expected_value(cursor, &entry.parent()?);
    let all = outer.type_.iter().flat_map(alternatives);
    let all = all.filter_map(|it| match it {
        Type::Struct(it) => Some(it.get(name.as_deref()?)?.value.clone()),
        Type::Hash(it) => Some(it.value().clone()),
        _ => None,
    });
    let all: Vec<Type> = all.collect();
    let type_ = (!all.is_empty()).then(|| union(all));
    let values = match name.as_deref() {
        Some(MERGE) => strategies(is_in_lookup(entry)),
        Some(STRATEGY) => strategies(outer.name.as_deref() == Some(MERGE)),
        _ => Vec::new(),
    };
    Some(ExpectedValue {
        name,
        values,
        is_declared: outer.is_declared,
        ..ExpectedValue::of(type_)
    })
}

/// The option of a lookup that is a merge strategy, and its key for the name of the strategy.
const MERGE: &str = "merge";
const STRATEGY: &str = "strategy";

/// Returns the names of the merge strategies, where one is expected.
fn strategies(is_expected: bool) -> Vec<String> {
    let all = STRATEGIES.iter().filter(|_| is_expected);
    all.map(|it| (*it).to_owned()).collect()
}

/// Checks whether an entry is an option of a lookup.
fn is_in_lookup(entry: &SyntaxNode) -> bool {
    let call = entry.ancestors().nth(3);
    let name = call.as_ref().and_then(function_name);
    name.is_some_and(|it| KnownFunction::from_name(&it) == Some(KnownFunction::Lookup))
}

fn expected_operand(
    cursor: &CursorContext<'_>,
    node: &SyntaxNode,
    binary: &SyntaxNode,
) -> Option<ExpectedValue> {
    use SyntaxKind::*;
    let binary = BinaryExpr::cast(binary.clone())?;
    let (lhs, rhs) = (binary.lhs(), binary.rhs());
    let other = if lhs.as_ref().is_some_and(|it| it.syntax() == node) {
        rhs
    } else {
        lhs
    };
    match binary.operator()?.kind() {
        EQ_EQ | NOT_EQ => same_type_as(cursor, &other?),
        AND_KW | OR_KW => Some(ExpectedValue::of(Some(Type::BOOLEAN))),
        PLUS | MINUS | STAR | SLASH | PERCENT => same_type_as(cursor, &other?),
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

#[cfg(test)]
mod tests {
    use crate::completion::tests::offered;

    #[test]
    fn merge_strategies_are_expected_in_lookups() {
        let all = "deep, first, hash, unique";
        for code in [
            "lookup('a', Array, '<^>')",
            "lookup('a', { 'merge' => '<^>' })",
            "lookup('a', { 'merge' => { 'strategy' => '<^>' } })",
        ] {
            assert_eq!(offered(code, 4), all, "{code}");
        }
        for code in ["f('a', Array, '<^>')", "$x = { 'merge' => '<^>' }"] {
            assert!(!offered(code, 9).contains("deep"), "{code}");
        }
    }

    #[test]
    fn definitions_of_nodes_offer_the_default() {
        assert_eq!(offered("node <^>", 1), "default");
        assert_eq!(offered("node d<^> { }", 1), "default");
    }
}
