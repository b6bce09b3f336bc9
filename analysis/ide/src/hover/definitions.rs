//! Hovers of resolved names: lookup of the definition and of what is used at the place.

use salsa::Database;
use syntax::ast::{AstNode, Attribute, Expr};
use syntax::{SyntaxToken, TextRange, TextSize};

use super::super::fact_path::fact_path_at;
use super::super::goto_definition::reference_at;
use super::content::HoverContent;
use super::{bolt, inferred, render};
use crate::Hover;
use crate::symbol::{Symbol, symbol_at};
use base::{EnvironmentInput, FileInput};
use hir::body::{Resource, body};
use hir::resolve::{self, Definition, resolve, resource_type};
use hir::ruby_symbols::{RubySymbol, custom_facts};
use hir::variables::{Bindings, VariableSource, resolve_external_variable};
use hir::{Item, items, signature as signature_of};
use infer::{call_at, candidate_overloads};
use library::pages;

/// Returns the hover of a name that is defined in the workspace or built into Puppet.
pub(super) fn name(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<(TextRange, HoverContent)> {
    let (item, reference) = reference_at(db, file, offset)?;
    let range = item.in_file(db, reference.range);
    if let Some(content) = bolt::member(db, item, reference) {
        return Some((range, content));
    }
    let Ok(definition) = resolve(db, item, reference) else {
        return Some((range, bolt::name(db, item, reference)?));
    };
    let selected = match definition {
        Definition::Function(_) => selected_overloads(db, item, reference.range),
        _ => None,
    };
    let used = used_attributes(db, item, reference.range);
    let content = render::definition(db, &definition, selected.as_deref(), &used)?;
    Some((range, content))
}

/// Returns the statement that assigns the variable at an offset, if it is one that is assigned there.
pub(super) fn assigned_variable(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<(TextRange, HoverContent)> {
    let found = symbol_at(db, file, offset)?;
    let Symbol::Variable { item, scope, name } = &found.symbol else {
        return None;
    };
    let mut bindings = body(db, *item).scopes.get(*scope)?.bindings_of(name);
    let binding = bindings.find(|it| item.in_file(db, it.range) == found.range)?;
    let here = Bindings::InScope(vec![binding.range]);
    let content = render::variable(db, &VariableSource::Bindings(*item, here))?;
    Some((found.range, content))
}

/// Returns the attributes of the resource that a name belongs to: its type or its title.
fn used_attributes(db: &dyn Database, item: Item<'_>, name: TextRange) -> Vec<String> {
    let resources = body(db, item).resources.iter();
    let around = resources.filter(|it| {
        it.type_range == name || it.titles.iter().any(|it| it.range.contains_range(name))
    });
    let attributes = around.flat_map(|it| it.attributes.iter());
    attributes.map(|it| it.name.clone()).collect()
}

/// Returns the indices of the overloads that a call can select, if `name` is its function name.
fn selected_overloads(db: &dyn Database, item: Item<'_>, name: TextRange) -> Option<Vec<usize>> {
    let token = item.syntax(db).covering_element(name);
    let mut ancestors = token.ancestors();
    let call = ancestors.find_map(|it| call_at(db, item, it.text_range()))?;
    let is_name = match &call {
        Expr::CallExpr(it) => it.name_token()?.text_range() == name,
        Expr::MethodCall(it) => it.name_token()?.text_range() == name,
        _ => false,
    };
    is_name.then(|| candidate_overloads(db, item, &call))?
}

/// Returns the documentation of a parameter of a function.
pub(crate) fn function_parameter_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    function: &str,
    name: &str,
) -> Option<String> {
    let content = match resolve::function(db, environment, function).ok()? {
        Definition::Item(item) => {
            let found = signature_of(db, item).parameter(name)?;
            render::parameter(db, item, name, found.range)
        }
        Definition::Function(found) => render::function_parameter(found.declared(), name)?,
        _ => return None,
    };
    Some(content.into_documentation())
}

/// Returns the hover of the name of a resource attribute.
pub(super) fn attribute(
    db: &dyn Database,
    file: FileInput,
    token: &SyntaxToken,
) -> Option<(TextRange, HoverContent)> {
    let attribute = token.parent().and_then(Attribute::cast)?;
    let name = attribute.name_token().filter(|it| it == token)?;
    let range = name.text_range();
    let name = name.text();
    let (item, resource) = resource_at(db, file, range)?;
    let environment = item.file(db).environment(db);
    let title = resource.titles.first().map(|it| it.text.as_str());
    let type_ = resource.type_.as_deref().unwrap_or_default();
    Some((
        range,
        attribute_content(db, environment, type_, title, name)?,
    ))
}

fn attribute_content(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    type_: &str,
    title: Option<&str>,
    name: &str,
) -> Option<HoverContent> {
    if let Some(found) = library::metaparameter(name) {
        let content = render::attribute(found).origin("metaparameter", None);
        return Some(content.page(Some(pages::metaparameter(name, render::version(db)))));
    }
    let definition = match type_ {
        "class" => resolve::class(db, environment, title?).ok()?,
        type_ => resource_type(db, environment, type_).ok()?,
    };
    match definition {
        Definition::Item(item) => {
            let parameter = signature_of(db, item).parameter(name)?;
            Some(render::parameter(db, item, name, parameter.range))
        }
        Definition::ResourceType(found) => {
            let declared = found.declared();
            let attribute = declared.attributes.iter().find(|it| it.name == name)?;
            let content = render::attribute(attribute);
            let origin = format!("attribute of `{type_}`");
            Some(match found {
                RubySymbol::Module(file, _) => {
                    let target = render::file_target(db, file, attribute.name_range);
                    content.origin(origin, Some(target))
                }
                RubySymbol::Shipped(_) => {
                    let version = render::version(db);
                    let page = pages::attribute(declared, name, version);
                    content.origin(origin, None).page(page)
                }
            })
        }
        _ => None,
    }
}

/// Returns the documentation of an attribute of a resource type, or a parameter of the class with
/// the given title.
pub(crate) fn attribute_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    type_: &str,
    title: Option<&str>,
    name: &str,
) -> Option<String> {
    let content = attribute_content(db, environment, type_, title, name)?;
    Some(content.into_documentation())
}

/// Returns the documentation of a class.
pub(crate) fn class_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<String> {
    documentation(db, &resolve::class(db, environment, name).ok()?)
}

/// Returns the documentation of a resource type or defined type.
pub(crate) fn resource_type_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<String> {
    documentation(db, &resource_type(db, environment, name).ok()?)
}

/// Returns the documentation of a function.
pub(crate) fn function_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<String> {
    match resolve::function(db, environment, name) {
        Ok(found) => documentation(db, &found),
        Err(_) => bolt::bolt_function_documentation(name),
    }
}

/// Returns the documentation of a data type.
pub(crate) fn data_type_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<String> {
    match resolve::type_name(db, environment, name) {
        Ok(found) => documentation(db, &found),
        Err(_) => bolt::bolt_type_documentation(name),
    }
}

fn documentation(db: &dyn Database, definition: &Definition<'_>) -> Option<String> {
    let content = render::definition(db, definition, None, &[])?;
    Some(content.into_documentation())
}

/// Returns the documentation of a built-in variable, or a variable of a class by its qualified
/// name.
pub(crate) fn variable_documentation(
    db: &dyn Database,
    file: FileInput,
    name: &str,
) -> Option<String> {
    let item = *items(db, file).first()?;
    let found = resolve_external_variable(db, file.environment(db), item, name).ok()?;
    Some(render::variable(db, &found)?.into_documentation())
}

/// Returns the hover of a variable that data interpolates, by its name and the keys after it.
pub(crate) fn variable_in_data(
    db: &dyn Database,
    environment: EnvironmentInput,
    path: &[&str],
    range: TextRange,
) -> Option<Hover> {
    let found = match path {
        [FACTS, keys @ ..] if !keys.is_empty() => fact_content(db, Some(environment), keys)?,
        [name, rest @ ..] => match library::variable(name).filter(|_| rest.len() < 2) {
            Some(found) => render::variable(db, &VariableSource::BuiltIn(found))?,
            None if name.contains("::") => class_variable(db, environment, name)?,
            None => fact_content(db, Some(environment), path)?,
        },
        [] => return None,
    };
    Some(found.into_hover(range))
}

/// Returns the hover of a class that data names.
pub(crate) fn class_in_data(db: &dyn Database, class: Item<'_>, range: TextRange) -> Option<Hover> {
    let content = render::definition(db, &Definition::Item(class), None, &[])?;
    Some(content.into_hover(range))
}

fn class_variable(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
) -> Option<HoverContent> {
    let (class, variable) = name.rsplit_once("::")?;
    let Definition::Item(item) = resolve::class(db, Some(environment), class).ok()? else {
        return None;
    };
    let parameter = signature_of(db, item).parameter(variable)?;
    Some(render::parameter(db, item, variable, parameter.range))
}

/// The variable that holds all facts.
const FACTS: &str = "facts";

/// Returns the documentation of a fact, or a part of one, by its path of keys.
pub(crate) fn fact_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    path: &[&str],
) -> Option<String> {
    Some(fact_content(db, environment, path)?.into_documentation())
}

pub(super) fn fact_content(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    path: &[&str],
) -> Option<HoverContent> {
    if let [name] = path {
        let custom = environment.and_then(|it| custom_facts(db, it).get(*name));
        if let Some((file, fact)) = custom {
            return Some(render::custom_fact(db, *file, fact));
        }
        let fact = library::fact(name).map(std::borrow::Cow::Borrowed);
        let fact = fact.or_else(|| library::legacy_fact(name))?;
        return Some(render::fact(db, &fact));
    }
    let found = library::fact_part(path)?;
    let keys: String = path.iter().map(|it| format!("['{it}']")).collect();
    let signature = render::typed_name(Some(&found.type_), &format!("facts{keys}"));
    let content = HoverContent::new(signature)
        .doc(&found.doc)
        .origin("core fact", None);
    Some(content.page(Some(pages::fact(path.first()?, render::version(db)))))
}

fn resource_at<'db>(
    db: &'db dyn Database,
    file: FileInput,
    range: TextRange,
) -> Option<(Item<'db>, &'db Resource)> {
    items(db, file).iter().find_map(|item| {
        let start = item.offset(db);
        let here = range.checked_sub(start)?;
        let resources = body(db, *item).resources.iter();
        let mut with = resources.filter(|it| it.attributes.iter().any(|it| it.range == here));
        with.next().map(|it| (*item, it))
    })
}

/// Returns the hover of a key in `$facts['…']['…']`.
pub(super) fn fact(
    db: &dyn Database,
    file: FileInput,
    token: &SyntaxToken,
) -> Option<(TextRange, HoverContent)> {
    let (range, path) = fact_path_at(token)?;
    let parts: Vec<_> = path.iter().map(String::as_str).collect();
    let mut content = fact_content(db, file.environment(db), &parts)?;
    if inferred::may_be_undef(db, file, token) {
        content.signatures.iter_mut().for_each(make_optional);
    }
    Some((range, content))
}

/// Makes the type of a variable optional: `String $x`.
fn make_optional(signature: &mut String) {
    if let Some((type_, name)) = signature.split_once(" $")
        && !type_.starts_with("Optional[")
    {
        *signature = format!("Optional[{type_}] ${name}");
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn hover(text: &str) -> String {
        let fixture = Fixture::new(text);
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().hover(file, offset);
        found.map_or_else(String::new, |it| it.to_markdown(|_| None))
    }

    fn of_site(code: &str) -> String {
        let module = "//- modules/web/manifests/init.pp\n# @summary Serves.\n# @param port Where\n\
            class web (Integer $port = 80) { $root = '/srv' }\n";
        hover(&format!("{module}//- manifests/site.pp\n{code}"))
    }

    #[test]
    fn classes_and_their_parameters() {
        let found = of_site("include w<^>eb");
        assert!(found.contains("class web (Integer $port = 80)"), "{found}");
        assert!(found.contains("Serves."), "{found}");
        assert!(
            found.contains("*module `web`, manifests/init.pp*"),
            "{found}"
        );
        let found = of_site("class { 'web': po<^>rt => 1 }");
        assert!(
            found.contains("Integer $port = 80") && found.contains("Where"),
            "{found}"
        );
        let found = of_site("notice($web::ro<^>ot)");
        assert!(
            found.contains("$root = '/srv'") && found.contains("*class `web`*"),
            "{found}"
        );
    }

    #[test]
    fn assigned_variables_of_unknown_types() {
        let found = of_site("$do<^>main = lookup('x::domain')");
        assert!(found.contains("$domain = lookup('x::domain')"), "{found}");
    }

    #[test]
    fn built_ins() {
        let found = of_site("notice([1].ma<^>p |$x| { $x })");
        assert!(
            found.contains("map(") && found.contains("*built-in function*"),
            "{found}"
        );
        assert!(found.contains("# and 3 more overloads"), "{found}");
        let found = of_site("fi<^>le { '/a': }");
        assert!(
            found.contains("`path`") && found.contains("`content`"),
            "{found}"
        );
        let found = of_site("file { '/a': ens<^>ure => file }");
        assert!(found.contains("`directory`"), "{found}");
        let found = of_site("file { '/a': recu<^>rse => true }");
        assert!(found.contains("$recurse"), "{found}");
        let found = of_site("file { '/a': req<^>uire => File['/'] }");
        assert!(found.contains("*metaparameter*"), "{found}");
        let found = of_site("notice($facts['os']['fam<^>ily'])");
        assert!(found.contains("String"), "{found}");
        let found = of_site("notice($osfam<^>ily)");
        assert!(found.contains("$facts['os']['family']"), "{found}");
    }

    /// Returns the overloads in a hover of a function.
    fn forms(code: &str) -> Vec<String> {
        let found = of_site(code);
        let lines = found
            .lines()
            .skip_while(|it| !it.starts_with("new_thing") && !it.contains('('));
        lines
            .take_while(|it| *it != "```")
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn shows_the_overloads_that_a_call_can_select() {
        let heads = |code: &str| forms(code);
        let one = heads("class a(Array[String] $l) { $l.fil<^>ter |$x| { true } }");
        assert_eq!(one.len(), 2, "{one:?}");
        let unknown = heads("class a($l) { split($l, $l.spl<^>it('a')) }");
        let all = heads("class a($l) { split(*$l.spl<^>it(*$l)) }");
        assert!(unknown.len() <= all.len(), "{unknown:?} {all:?}");
        assert_eq!(all.len(), 3, "the others are below the rule: {all:?}");
        let by_type = heads("class a(Regexp $r) { spl<^>it('a,b', $r) }");
        assert!(by_type[0].contains("Regexp"), "{by_type:?}");
        let wrong = heads("class a { fil<^>ter(1, 2, 3) }");
        assert!(wrong.len() > 2, "{wrong:?}");
    }
}
