//! Adds a data type to a parameter: the type of its default value, widened to accept every value
//! that is passed.

use salsa::Database;
use syntax::ast::{
    AstNode, Attribute, CallExpr, Definition, Expr, Lambda, MethodCall, Parameter, VariableExpr,
};
use syntax::{SyntaxKind, SyntaxNode, TextRange, TextSize};

use super::{AssistContext, AssistKind, Assists, insert};
use crate::search::{SymbolUse, occurrences_of_words, symbol_uses};
use crate::symbol::{ImplicitNameKind, OccurrenceKind, Symbol, word_hash};
use hir::autoload::{NameKey, find_item};
use hir::body::{ResourceForm, body};
use hir::{Item, ItemKind, signature};
use infer::{Inferred, infer_item, infer_tree};
use library::KnownFunction;
use types::precise::{intersection, union, within};
use types::values::Value;
use types::{Type, display_written, generalize};

const ID: &str = "add-type";

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(parameter) = cx.enclosing::<Parameter>() else {
        return;
    };
    let Some(variable) = parameter.variable() else {
        return;
    };
    // A lambda in a default value has its own parameters.
    let is_declared = parameter.type_expr().is_some() || parameter.captures_rest();
    if is_declared || !is_near(cx, &parameter) {
        return;
    }
    let owner = parameter.syntax().parent().and_then(|it| it.parent());
    let found = match owner {
        Some(it) if Lambda::can_cast(it.kind()) => match accepts_any_lambda(&it) {
            true if parameter.default().is_none() => {
                lambda_parameter_type(cx, variable.text_range())
            }
            _ => Ok(None),
        },
        _ => definition_parameter_type(cx, &parameter),
    };
    let start = parameter.syntax().text_range().start();
    let kind = AssistKind::Rewrite;
    match found {
        Ok(Some(type_)) => {
            let text = display_written(&type_);
            acc.add(ID, format!("Add the data type `{text}`"), kind, || {
                vec![insert(start, format!("{text} "))]
            });
        }
        Ok(None) => {}
        Err(reason) => acc.add_disabled(ID, "Add the data type", kind, reason),
    }
}

/// Checks whether the selection is outside the default value, or is only a cursor.
fn is_near(cx: &AssistContext<'_>, parameter: &Parameter) -> bool {
    let default = parameter.default();
    let inside = default.is_some_and(|it| it.syntax().text_range().contains_range(cx.range));
    !inside || cx.range.is_empty()
}

type TypeResult = Result<Option<Type>, String>;

/// Checks whether a lambda is passed to a function that does not constrain the types of its
/// parameters. Other functions reject a lambda whose parameters are narrower than the arguments
/// they may pass.
fn accepts_any_lambda(lambda: &SyntaxNode) -> bool {
    let call = lambda.parent();
    let name = call.and_then(|it| match it.kind() {
        SyntaxKind::CALL_EXPR => CallExpr::cast(it)?.name_token(),
        _ => MethodCall::cast(it)?.name_token(),
    });
    let known = name.and_then(|it| KnownFunction::from_name(it.text()));
    known.is_some_and(KnownFunction::accepts_any_lambda)
}

/// Returns the inferred type of a lambda parameter.
fn lambda_parameter_type(cx: &AssistContext<'_>, variable: TextRange) -> TypeResult {
    let inferred = cx.inferred(variable).filter(|it| !it.is_never());
    let type_ = inferred.and_then(general_type);
    Ok(type_.filter(is_worth_writing))
}

fn definition_parameter_type(cx: &AssistContext<'_>, parameter: &Parameter) -> TypeResult {
    let Some(name) = parameter.name() else {
        return Ok(None);
    };
    let Some(item) = cx.item_at(parameter.syntax().text_range()) else {
        return Ok(None);
    };
    // Uses of an item that cannot be found by its name are unknown.
    let key = NameKey::new(cx.db, item.name(cx.db).clone());
    let environment = cx.file.environment(cx.db);
    let found = environment.and_then(|it| find_item(cx.db, it, item.kind(cx.db), key));
    let is_open = matches!(item.kind(cx.db), ItemKind::Main | ItemKind::Plan);
    if is_open || found != Some(item) {
        return Ok(None);
    }
    let default = parameter.default().map(|it| it.syntax().text_range());
    let default = match default {
        Some(range) => match cx.inferred(range).and_then(general_type) {
            Some(type_) => Some(type_),
            None => return Ok(None),
        },
        None => None,
    };
    let passed = match item.kind(cx.db) {
        ItemKind::Function => passed_arguments(cx, item, &name)?,
        _ => passed_attributes(cx, item, &name)?,
    };
    // Hiera may pass any value to a class.
    let is_class = item.kind(cx.db) == ItemKind::Class;
    let says_little = default.as_ref().is_none_or(|it| *it == Type::Undef);
    if is_class && says_little {
        return Ok(None);
    }
    let mut all: Vec<Type> = default.into_iter().collect();
    let may_be_undef = |it: &Type| Type::optional(it.clone());
    for type_ in passed {
        // Passing `undef` selects the default value.
        let fits = all.iter().any(|it| within(&type_, &may_be_undef(it)));
        if !fits {
            all.push(type_);
        }
    }
    let type_ = union(all);
    if !is_worth_writing(&type_) {
        return Ok(None);
    }
    let is_never_false = intersection(&type_, &Type::optional(Type::BOOLEAN)).is_none();
    let is_refused = is_never_false && is_tested(&item.syntax(cx.db), &name);
    match !is_refused && introduces_no_problems(cx, item, parameter, &type_) {
        true => Ok(Some(type_)),
        false => Err("the body also handles other types".to_owned()),
    }
}

/// Checks whether a variable is an operand of `and`, `or` or `!`: it may be `false` or `undef`.
fn is_tested(root: &SyntaxNode, name: &str) -> bool {
    let variables = root.descendants().filter_map(VariableExpr::cast);
    let mut uses = variables.filter(|it| it.name().as_deref() == Some(name));
    uses.any(|it| {
        let parent = it.syntax().parent();
        let operator = parent.and_then(|it| match Expr::cast(it)? {
            Expr::BinaryExpr(it) => it.operator(),
            Expr::UnaryExpr(it) => it.operator(),
            _ => None,
        });
        operator.is_some_and(|it| {
            let kind = it.kind();
            matches!(
                kind,
                SyntaxKind::AND_KW | SyntaxKind::OR_KW | SyntaxKind::BANG
            )
        })
    })
}

/// Checks whether the data type of a parameter introduces no new type problems in the item.
fn introduces_no_problems(
    cx: &AssistContext<'_>,
    item: Item<'_>,
    parameter: &Parameter,
    type_: &Type,
) -> bool {
    let start = parameter.syntax().text_range().start();
    let Some(at) = start.checked_sub(item.offset(cx.db)) else {
        return false;
    };
    let type_ = NameKey::new(cx.db, display_written(type_));
    infers_without_new_problems(cx.db, item, type_, at)
}

/// Checks whether a data type inserted at an offset of an item introduces no new type problems.
///
/// This infers the item a second time. The query memoizes the result, because assists are requested
/// at every cursor movement and again when one is applied.
#[salsa::tracked(returns(copy))]
fn infers_without_new_problems<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    type_: NameKey<'db>,
    at: TextSize,
) -> bool {
    let mut text = item.syntax(db).text().to_string();
    text.insert_str(usize::from(at), &format!("{} ", type_.text(db)));
    let tree = syntax::parse(&text, item.file(db).spec(db).dialect).syntax();
    let typed = tree.descendants().find_map(Definition::cast);
    let Some(typed) = typed.filter(|it| it.syntax().text_range().start() == TextSize::new(0))
    else {
        return false;
    };
    let typed = SyntaxNode::new_root(typed.syntax().green().into_owned());
    infer_tree(db, item, typed).problems.len() <= infer_item(db, item).problems.len()
}

/// Checks whether a type is informative and short enough to write.
fn is_worth_writing(type_: &Type) -> bool {
    /// A longer type would obscure the parameter.
    const MAX_LENGTH: usize = 60;
    let is_nothing = matches!(type_, Type::Any | Type::Undef | Type::Default);
    !is_nothing && !type_.is_never() && display_written(type_).len() <= MAX_LENGTH
}

/// Returns the general type of an inferred value, or `None` if its type is unknown.
pub(super) fn general_type(inferred: &Inferred) -> Option<Type> {
    match &inferred.value {
        Some(Value::Array(it)) if it.is_empty() => return Some(Type::any_array()),
        Some(Value::Hash(it)) if it.is_empty() => return Some(Type::any_hash()),
        _ => {}
    }
    let type_ = widen(&inferred.type_)?;
    (!type_.is_any() && !inferred.is_never()).then_some(type_)
}

/// Widens a type by removing lengths, keys and literal values. Returns `None` for types that do
/// not describe plain data.
fn widen(type_: &Type) -> Option<Type> {
    let all = |types: &mut dyn Iterator<Item = &Type>| {
        let types: Vec<_> = types.map(widen).collect::<Option<_>>()?;
        Some(match types.is_empty() {
            true => Type::Any,
            false => union(types),
        })
    };
    Some(match type_ {
        Type::Any | Type::Undef => type_.clone(),
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Type::STRING,
        Type::Integer(_) | Type::Float(_) | Type::Boolean(_) | Type::Numeric => generalize(type_),
        Type::Tuple(it) => Type::array(all(&mut it.types().iter())?, None),
        Type::Array(it) if is_nothing(it.element()) => Type::any_array(),
        Type::Array(it) => Type::array(widen(it.element())?, None),
        Type::Struct(it) => {
            let values = all(&mut it.elements().iter().map(|it| &it.value))?;
            Type::hash(Type::STRING, values, None)
        }
        Type::Hash(it) if it.is_empty_hash() => Type::any_hash(),
        Type::Hash(it) => Type::hash(widen(it.key())?, widen(it.value())?, None),
        Type::Variant(types) if !types.is_empty() => all(&mut types.iter())?,
        Type::Optional(Some(it)) => Type::optional(widen(it)?),
        Type::Sensitive(it) => Type::sensitive(&widen(it)?),
        // A type alias is a deliberate choice.
        Type::Alias(_) => type_.clone(),
        _ => return None,
    })
}

/// Checks whether a type is the element type of an empty array.
fn is_nothing(type_: &Type) -> bool {
    type_.is_never() || *type_ == Type::Unit
}

/// Returns the types of the values that resource declarations pass to a parameter.
///
/// # Errors
///
/// Fails if one of them is unknown.
fn passed_attributes(
    cx: &AssistContext<'_>,
    item: Item<'_>,
    name: &str,
) -> Result<Vec<Type>, String> {
    let title = item.name(cx.db).as_str();
    let unknown = || Err(format!("not all values passed to `{title}` are known"));
    for found in occurrences_of_words(cx.db, cx.file, &[word_hash(title)]) {
        if let OccurrenceKind::Implicit(it) = found.occurrence.kind
            && matches!(&it.kind, ImplicitNameKind::ComputedParameters(it) if it == title)
        {
            return unknown();
        }
        let mut resources = body(cx.db, found.item).resources.iter();
        let is_open = resources.any(|it| {
            let is_same = it.type_.as_deref() == Some(title);
            it.splat && is_same && it.form != ResourceForm::DefaultBody
        });
        if is_open {
            return unknown();
        }
    }
    let symbol = Symbol::Variable {
        item,
        scope: 0,
        name: name.to_owned(),
    };
    let mut types = Vec::new();
    for found in symbol_uses(cx.db, cx.file, &symbol) {
        match found.occurrence.kind {
            OccurrenceKind::Attribute(..) => {}
            OccurrenceKind::Implicit(it) if it.writes => return unknown(),
            _ => continue,
        }
        let root = found.item.syntax(cx.db);
        let token = root.token_at_offset(found.occurrence.range.start());
        let token = token.right_biased();
        let attribute = token.and_then(|it| it.parent_ancestors().find_map(Attribute::cast));
        let Some(value) = attribute.and_then(|it| it.value()) else {
            return unknown();
        };
        match passed_type(cx, &found, &value) {
            PassedType::Type(type_) => types.push(type_),
            PassedType::NotEvaluated => {}
            PassedType::Unknown => return unknown(),
        }
    }
    Ok(types)
}

enum PassedType {
    Type(Type),
    /// The expression is never evaluated.
    NotEvaluated,
    Unknown,
}

fn passed_type(cx: &AssistContext<'_>, found: &SymbolUse<'_>, value: &Expr) -> PassedType {
    let inference = infer_item(cx.db, found.item);
    match inference.at(value.syntax().text_range()) {
        None => PassedType::NotEvaluated,
        Some(it) if it.is_never() => PassedType::NotEvaluated,
        Some(it) => general_type(it).map_or(PassedType::Unknown, PassedType::Type),
    }
}

/// Returns the types of the arguments that calls pass to a parameter.
///
/// # Errors
///
/// Fails if one of them is unknown.
fn passed_arguments(
    cx: &AssistContext<'_>,
    item: Item<'_>,
    name: &str,
) -> Result<Vec<Type>, String> {
    let unknown = || Err("not all arguments passed to the function are known".to_owned());
    let parameters = &signature(cx.db, item).parameters;
    let Some(index) = parameters.iter().position(|it| it.name == name) else {
        return Ok(Vec::new());
    };
    let mut types = Vec::new();
    for found in symbol_uses(cx.db, cx.file, &Symbol::Item(item)) {
        let OccurrenceKind::Reference(reference) = found.occurrence.kind else {
            continue;
        };
        let root = found.item.syntax(cx.db);
        let Some(arguments) = arguments_at(&root, reference.range) else {
            return unknown();
        };
        let before = arguments.iter().take(index + 1);
        if before.clone().any(is_splat) {
            return unknown();
        }
        let Some(argument) = arguments.get(index) else {
            continue;
        };
        match passed_type(cx, &found, argument) {
            PassedType::Type(type_) => types.push(type_),
            PassedType::NotEvaluated => {}
            PassedType::Unknown => return unknown(),
        }
    }
    Ok(types)
}

fn is_splat(argument: &Expr) -> bool {
    let Expr::UnaryExpr(it) = argument else {
        return false;
    };
    it.operator()
        .is_some_and(|it| it.kind() == SyntaxKind::STAR)
}

/// Returns the arguments of the call whose name is at a range, with the receiver of a method call
/// as the first argument.
fn arguments_at(root: &SyntaxNode, name: TextRange) -> Option<Vec<Expr>> {
    let token = root.token_at_offset(name.start()).right_biased()?;
    let is_name = |it: Option<syntax::SyntaxToken>| it.as_ref() == Some(&token);
    token.parent_ancestors().find_map(|it| {
        if let Some(call) = CallExpr::cast(it.clone()) {
            return is_name(call.name_token()).then(|| call.arguments());
        }
        let call = MethodCall::cast(it)?;
        let receiver = is_name(call.name_token()).then(|| call.receiver())??;
        Some([receiver].into_iter().chain(call.arguments()).collect())
    })
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::{NO_OTHERS, applied, applied_with, offered_at};

    fn type_of(source: &str, others: &str) -> String {
        let path = match source.starts_with("function") {
            true => "modules/m/functions/f.pp",
            false => "modules/m/manifests/init.pp",
        };
        let found = offered_at(path, source, others);
        let found = found.iter().find(|it| it.id == "add-type");
        match found {
            None => "none".to_owned(),
            Some(it) => it.disabled.clone().unwrap_or_else(|| it.title.clone()),
        }
    }

    #[test]
    fn keeps_code_that_handles_other_types() {
        let code =
            "class m ($<^>a = 'x') {\n  if $a =~ Array { notice(1) } else { notice(2) }\n}\n";
        let found = type_of(code, NO_OTHERS);
        assert!(found.contains("other types"), "{found}");
        let tested = |condition: &str| {
            let code = format!("class m ($<^>a = 'x') {{\n  if {condition} {{ notice(1) }}\n}}\n");
            type_of(&code, NO_OTHERS)
        };
        for condition in ["!$a and $facts['b']", "$facts['b'] or $a"] {
            let found = tested(condition);
            assert!(found.contains("other types"), "{found}");
        }
        assert_eq!(
            tested("$a == 'b' and $facts['b']"),
            "Add the data type `String`"
        );
    }

    #[test]
    fn infers_the_type_of_the_default_value() {
        let with = |default: &str| {
            let source = format!("class m ($<^>a = {default}) {{ notice($a) }}\n");
            applied("add-type", &source)
        };
        let expected = |type_: &str, default: &str| {
            format!("class m ({type_} $a = {default}) {{ notice($a) }}\n")
        };
        for (default, type_) in [
            ("80", "Integer"),
            ("'x'", "String"),
            ("present", "String"),
            ("true", "Boolean"),
            ("[]", "Array"),
            ("{}", "Hash"),
            ("['a', 1]", "Array[Variant[String, Integer]]"),
            ("{ 'a' => [] }", "Hash[String, Array]"),
            ("undef ? { undef => 1, default => 'x' }", "Integer"),
        ] {
            assert_eq!(with(default), expected(type_, default));
        }
        assert_eq!(with("undef"), "none");
        assert_eq!(with("$facts['x']"), "none");
        assert_eq!(with("lookup('x')"), "none");
        assert_eq!(
            applied("add-type", "class m (Integer $<^>a = 1) { }\n"),
            "none"
        );
    }

    #[test]
    fn accepts_all_passed_values() {
        let others =
            |code: &str| format!("modules/m/manifests/user.pp\nclass m::user($p) {{\n{code}\n}}\n");
        let source = "define m ($<^>a = 80) { notice($a) }\n";
        let with = |code: &str| type_of(source, &others(code));
        assert_eq!(with("m { 'x': a => 1 }"), "Add the data type `Integer`");
        assert_eq!(
            with("m { 'x': a => '1' }"),
            "Add the data type `Variant[Integer, String]`"
        );
        assert_eq!(with("m { 'x': a => undef }"), "Add the data type `Integer`");
        assert_eq!(
            with("M { a => '1' }"),
            "Add the data type `Variant[Integer, String]`"
        );
        for open in [
            "m { 'x': a => $p }",
            "m { 'x': * => $p }",
            "create_resources('m', $p)",
        ] {
            assert!(with(open).contains("not all values passed"), "{open}");
        }
        let required = "define m ($<^>a) { notice($a) }\n";
        assert_eq!(
            type_of(required, &others("m { 'x': a => [1] }")),
            "Add the data type `Array[Integer]`"
        );
        assert_eq!(type_of(required, &others("")), "none");
    }

    #[test]
    fn accepts_the_arguments_of_all_calls() {
        let others = "modules/m/manifests/user.pp\nclass m::user {\n  notice(m::f(1, 'x'))\n  notice(2.m::f())\n}\n";
        let first = "function m::f($<^>a, $b = undef) { [$a, $b] }\n";
        assert_eq!(type_of(first, others), "Add the data type `Integer`");
        let second = "function m::f($a, $<^>b = undef) { [$a, $b] }\n";
        assert_eq!(
            type_of(second, others),
            "Add the data type `Optional[String]`"
        );
        let splat = others.replace("1, 'x'", "*[1]");
        assert!(type_of(first, &splat).contains("not all arguments passed"));
    }

    #[test]
    fn adds_types_to_lambda_parameters() {
        let source = "class m { [1, 2].each |$<^>x| { notice($x) } }\n";
        let found = applied_with("add-type", source, "modules/m/manifests/none.pp\n");
        assert_eq!(
            found,
            "class m { [1, 2].each |Integer $x| { notice($x) } }\n"
        );
    }
}
