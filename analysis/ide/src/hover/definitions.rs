//! Hovers of resolved names: the signature, the documentation and the origin of the definition.

use salsa::Database;
use syntax::ast::{AccessExpr, AstNode, Attribute, Expr};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use super::super::Hover;
use super::super::goto_definition::reference_at;
use super::super::markdown::{self, code_block, header};
use super::SECTION_SEPARATOR;
use base::{EnvironmentInput, FileInput};
use hir::body::{Resource, body};
use hir::resolve::{self, Definition, resolve, resource_type};
use hir::ruby_symbols::{RubySymbol, custom_facts};
use hir::variables::{VariableSource, resolve_external_variable};
use hir::{Item, items, signature as signature_of};
use infer::{call_at, candidate_overloads};
use library::signatures::{self, Arity, Doc, Function, FunctionParameter, Overload, ResourceType};

/// Returns the hover of a name that is defined in the workspace or built into Puppet.
pub(super) fn name(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<Hover> {
    let (item, reference) = reference_at(db, file, offset)?;
    let definition = resolve(db, item, reference).ok()?;
    let selected = match definition {
        Definition::Function(_) => selected_overloads(db, item, reference.range),
        _ => None,
    };
    let markdown = render_definition(db, &definition, selected.as_deref())?;
    let range = item.in_file(db, reference.range);
    Some(Hover { range, markdown })
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

fn render_definition(
    db: &dyn Database,
    definition: &Definition<'_>,
    selected: Option<&[usize]>,
) -> Option<String> {
    match definition {
        Definition::Item(item) => Some(render_item(db, *item)),
        Definition::Variable(source) => render_variable(db, source),
        Definition::Function(found) => {
            let origin = origin(db, found, "built-in function");
            Some(render_function(found.declared(), selected, &origin))
        }
        Definition::ResourceType(found) => {
            let origin = origin(db, found, "built-in resource type");
            Some(render_resource_type(found.declared(), &origin))
        }
        Definition::RubyDataType(file, name) => Some(join_sections(
            &code_block(name),
            &Doc::default(),
            &file_origin(db, *file),
        )),
        Definition::File(file) | Definition::Unreadable(file) => Some(file_origin(db, *file)),
        Definition::DataType(_) | Definition::Folder => None,
    }
}

/// Joins code, documentation and origin.
fn join_sections(code: &str, doc: &Doc, origin: &str) -> String {
    join_non_empty(
        &[code, &markdown::render_doc(doc), origin],
        SECTION_SEPARATOR,
    )
}

/// Joins the non-empty parts.
fn join_non_empty(parts: &[&str], between: &str) -> String {
    let parts = parts.iter().copied().filter(|it| !it.is_empty());
    parts.collect::<Vec<_>>().join(between)
}

/// Renders a labeled list of names; empty if there are none.
fn labeled_list<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<_> = names.map(|it| format!("`{it}`")).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("{what} {}", names.join(", ")),
    }
}

fn origin<T>(db: &dyn Database, found: &RubySymbol<T>, built_in: &str) -> String {
    match found {
        RubySymbol::Module(file, _) => file_origin(db, *file),
        RubySymbol::Shipped(_) => format!("*{built_in}*"),
    }
}

/// Renders the module and path of a file.
fn file_origin(db: &dyn Database, file: FileInput) -> String {
    let Some(module) = file.module(db) else {
        return String::new();
    };
    let mut files = module.files(db).iter();
    let path = files.find(|it| *it.1 == file).map(|it| it.0.as_str());
    match path {
        Some(path) => format!("*module `{}`, {path}*", module.name(db)),
        None => format!("*module `{}`*", module.name(db)),
    }
}

fn render_item(db: &dyn Database, item: Item<'_>) -> String {
    let code = code_block(&header(&item.syntax(db)));
    join_sections(&code, &item.doc(db), &file_origin(db, item.file(db)))
}

fn render_variable(db: &dyn Database, source: &VariableSource<'_>) -> Option<String> {
    Some(match source {
        VariableSource::Bindings(item, bindings) => {
            let range = *bindings.ranges(db, *item).first()?;
            let signature = signature_of(db, *item);
            let parameter = signature
                .parameters
                .iter()
                .find(|it| it.name_range == range);
            match parameter {
                Some(it) => render_parameter(db, *item, &it.name, it.range),
                None => {
                    let code = assignment_line(&item.syntax(db), range)?;
                    join_non_empty(
                        &[&code_block(&code), &scope_origin(db, *item)],
                        SECTION_SEPARATOR,
                    )
                }
            }
        }
        VariableSource::BuiltIn(found) => {
            let code = render_typed_name(found.type_.as_deref(), &found.name);
            join_sections(&code_block(&code), &found.doc, "*built-in variable*")
        }
        VariableSource::Fact(fact) => render_fact(fact, "*fact*"),
        VariableSource::CustomFact(file, fact) => render_fact(fact, &file_origin(db, *file)),
        VariableSource::Match => return None,
    })
}

/// Renders a parameter of an item.
fn render_parameter(db: &dyn Database, item: Item<'_>, name: &str, range: TextRange) -> String {
    let text = item.syntax(db).text().slice(range).to_string();
    let code = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let doc = markdown::parameter_doc(&item.doc(db), name).unwrap_or_default();
    join_non_empty(
        &[&code_block(&code), &doc, &scope_origin(db, item)],
        SECTION_SEPARATOR,
    )
}

/// Returns the first line of the statement that assigns a variable.
fn assignment_line(root: &SyntaxNode, range: TextRange) -> Option<String> {
    let token = root.token_at_offset(range.start()).right_biased()?;
    let kinds = [SyntaxKind::ASSIGNMENT, SyntaxKind::PARAMETER];
    let mut ancestors = token.parent_ancestors();
    let statement = ancestors.find(|it| kinds.contains(&it.kind()))?;
    let text = statement.text().to_string();
    let mut lines = text.lines();
    let first = lines.next()?.trim_end();
    Some(match lines.next() {
        Some(_) => format!("{first} …"),
        None => first.to_owned(),
    })
}

fn scope_origin(db: &dyn Database, item: Item<'_>) -> String {
    use hir::ItemKind;
    let name = item.name(db);
    match item.kind(db) {
        ItemKind::Class => format!("*class `{name}`*"),
        ItemKind::DefinedType => format!("*defined type `{name}`*"),
        ItemKind::Function => format!("*function `{name}`*"),
        ItemKind::Plan => format!("*plan `{name}`*"),
        ItemKind::Node => format!("*node {name}*"),
        ItemKind::TypeAlias | ItemKind::Main => String::new(),
    }
}

fn render_fact(fact: &signatures::Fact, origin: &str) -> String {
    let code = code_block(&render_typed_name(fact.type_.as_deref(), &fact.name));
    let modern = fact.modern.as_ref();
    let modern = modern.map_or(String::new(), |it| format!(" (legacy; use `{it}` instead)"));
    join_sections(&code, &fact.doc, &format!("{origin}{modern}"))
}

fn render_typed_name(type_: Option<&str>, name: &str) -> String {
    match type_ {
        Some(type_) => format!("{} ${name}", shorten_type(type_)),
        None => format!("${name}"),
    }
}

/// Drops the parameters of a long type.
fn shorten_type(type_: &str) -> &str {
    const MAX_SHOWN: usize = 120;
    match type_.split_once('[') {
        Some((name, _)) if type_.len() > MAX_SHOWN => name,
        _ => type_,
    }
}

/// Renders a function. For a call, shows the overloads that it can select and the number of others.
fn render_function(function: &Function, selected: Option<&[usize]>, origin: &str) -> String {
    let is_selected = |index: &usize| selected.is_none_or(|it| it.contains(index));
    let overloads = function.overloads.iter().enumerate();
    let overloads = overloads.filter(|it| is_selected(&it.0));
    let mut headers: Vec<_> = overloads
        .map(|it| render_overload(&function.name, it.1))
        .collect();
    match function.overloads.len().saturating_sub(headers.len()) {
        0 => {}
        1 => headers.push("# and 1 more overload".to_owned()),
        others => headers.push(format!("# and {others} more overloads")),
    }
    let code = match headers.is_empty() {
        true => format!("{}(…)", function.name),
        false => headers.join("\n"),
    };
    let mut doc = function.doc.clone();
    if doc.is_empty() {
        let first = function.overloads.iter().find(|it| !it.doc.is_empty());
        doc = first.map(|it| it.doc.clone()).unwrap_or_default();
    }
    join_sections(&code_block(&code), &doc, origin)
}

/// Renders the signature of an overload.
fn render_overload(name: &str, overload: &Overload) -> String {
    let mut parameters: Vec<String> = overload
        .parameters
        .iter()
        .map(render_function_parameter)
        .collect();
    if let Some(block) = &overload.block {
        let type_ = block.type_.as_deref().unwrap_or("Callable");
        let type_ = match block.optional {
            true => format!("Optional[{type_}]"),
            false => type_.to_owned(),
        };
        parameters.push(format!("{type_} &${}", block.name));
    }
    let returns = overload.returns.as_ref();
    let returns = returns.map_or(String::new(), |it| format!(" >> {it}"));
    format!("{name}({}){returns}", parameters.join(", "))
}

pub(crate) fn render_function_parameter(parameter: &FunctionParameter) -> String {
    let mut text = String::new();
    if let Some(type_) = &parameter.type_ {
        text.push_str(type_);
        text.push(' ');
    }
    if matches!(parameter.arity, Arity::Repeated | Arity::RequiredRepeated) {
        text.push('*');
    }
    text.push('$');
    text.push_str(&parameter.name);
    match (&parameter.default, parameter.arity) {
        (Some(default), _) => text.push_str(&format!(" = {default}")),
        (None, Arity::Optional) => text.push_str(" = …"),
        (None, _) => {}
    }
    text
}

fn render_resource_type(type_: &ResourceType, origin: &str) -> String {
    let names = |namevar: bool| {
        let attributes = type_.attributes.iter();
        let selected = attributes.filter(move |it| it.namevar == namevar);
        selected.map(|it| &it.name)
    };
    let parts: [&str; 5] = [
        &code_block(&format!("{} {{ … }}", type_.name)),
        &markdown::render_doc(&type_.doc),
        &labeled_list("Namevar:", names(true)),
        &labeled_list("Attributes:", names(false)),
        origin,
    ];
    join_non_empty(&parts, "\n\n")
}

/// Returns the documentation of a parameter of a function.
pub(crate) fn function_parameter_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    function: &str,
    name: &str,
) -> Option<String> {
    match hir::resolve::function(db, environment, function).ok()? {
        Definition::Item(item) => {
            let found = signature_of(db, item).parameter(name)?;
            Some(render_parameter(db, item, name, found.range))
        }
        Definition::Function(found) => {
            let function = found.declared();
            let overload = function.overloads.iter().find_map(|overload| {
                let mut parameters = overload.parameters.iter();
                Some((overload, parameters.find(|it| it.name == name)?))
            });
            let (overload, found) = overload?;
            let doc = markdown::parameter_doc(&overload.doc, name);
            let doc = doc.or_else(|| markdown::parameter_doc(&function.doc, name));
            let origin = format!("*function `{}`*", function.name);
            let code = code_block(&render_function_parameter(found));
            Some(join_non_empty(
                &[&code, &doc.unwrap_or_default(), &origin],
                SECTION_SEPARATOR,
            ))
        }
        _ => None,
    }
}

/// Returns the hover of the name of a resource attribute.
pub(super) fn attribute(db: &dyn Database, file: FileInput, token: &SyntaxToken) -> Option<Hover> {
    let attribute = token.parent().and_then(Attribute::cast)?;
    let name = attribute.name_token().filter(|it| it == token)?;
    let range = name.text_range();
    let name = name.text();
    let (item, resource) = resource_at(db, file, range)?;
    let environment = item.file(db).environment(db);
    let title = resource.titles.first().map(|it| it.text.as_str());
    let type_ = resource.type_.as_deref().unwrap_or_default();
    let markdown = attribute_documentation(db, environment, type_, title, name)?;
    Some(Hover { range, markdown })
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
    if let Some(found) = library::metaparameter(name) {
        return Some(render_attribute(found, "*metaparameter*"));
    }
    let definition = match type_ {
        "class" => resolve::class(db, environment, title?).ok()?,
        type_ => resource_type(db, environment, type_).ok()?,
    };
    match definition {
        Definition::Item(item) => {
            let parameter = signature_of(db, item).parameter(name)?;
            Some(render_parameter(db, item, name, parameter.range))
        }
        Definition::ResourceType(found) => {
            let attributes = &found.declared().attributes;
            let attribute = attributes.iter().find(|it| it.name == name)?;
            let origin = format!("*attribute of `{type_}`*");
            Some(render_attribute(attribute, &origin))
        }
        _ => None,
    }
}

/// Returns the documentation of a class.
pub(crate) fn class_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<String> {
    render_definition(db, &resolve::class(db, environment, name).ok()?, None)
}

/// Returns the documentation of a resource type or defined type.
pub(crate) fn resource_type_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<String> {
    render_definition(db, &resource_type(db, environment, name).ok()?, None)
}

/// Returns the documentation of a function.
pub(crate) fn function_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<String> {
    render_definition(db, &resolve::function(db, environment, name).ok()?, None)
}

/// Returns the documentation of a type alias.
pub(crate) fn data_type_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<String> {
    render_definition(db, &resolve::type_name(db, environment, name).ok()?, None)
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
    render_variable(db, &found)
}

/// Returns the documentation of a fact, or a part of one, by its path of keys.
pub(crate) fn fact_documentation(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    path: &[&str],
) -> Option<String> {
    if let [name] = path {
        let custom = environment.and_then(|it| custom_facts(db, it).get(*name));
        if let Some((file, fact)) = custom {
            return Some(render_fact(fact, &file_origin(db, *file)));
        }
        let fact = library::fact(name).map(std::borrow::Cow::Borrowed);
        let fact = fact.or_else(|| library::legacy_fact(name))?;
        return Some(render_fact(&fact, "*fact*"));
    }
    let found = library::fact_part(path)?;
    let keys: String = path.iter().map(|it| format!("['{it}']")).collect();
    let code = format!("{} $facts{keys}", shorten_type(&found.type_));
    Some(join_sections(&code_block(&code), &found.doc, "*fact*"))
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

fn render_attribute(attribute: &signatures::Attribute, origin: &str) -> String {
    let code = match &attribute.type_ {
        Some(type_) => format!("{type_} {}", attribute.name),
        None => attribute.name.clone(),
    };
    let mut facts = Vec::new();
    if attribute.namevar {
        facts.push("Namevar.".to_owned());
    }
    if attribute.required {
        facts.push("Required.".to_owned());
    }
    if attribute.read_only {
        facts.push("Read-only.".to_owned());
    }
    if let Some(default) = &attribute.default {
        facts.push(format!("Default: `{default}`"));
    }
    let parts: [&str; 5] = [
        &code_block(&code),
        &markdown::render_doc(&attribute.doc),
        &labeled_list("Values:", attribute.values.iter()),
        &facts.join(" "),
        origin,
    ];
    join_non_empty(&parts, "\n\n")
}

/// Returns the hover of a key in `$facts['…']['…']`.
pub(super) fn fact(token: &SyntaxToken) -> Option<Hover> {
    let literal = token.parent()?;
    let keys = literal
        .parent()
        .filter(|it| it.kind() == SyntaxKind::ACCESS_KEYS)?;
    let access = keys.parent().and_then(AccessExpr::cast)?;
    let path = fact_path(&access)?;
    let parts: Vec<_> = path.iter().map(String::as_str).collect();
    let found = library::fact_part(&parts)?;
    let code = format!("{} {}", shorten_type(&found.type_), access.syntax().text());
    Some(Hover {
        range: literal.text_range(),
        markdown: join_sections(&code_block(&code), &found.doc, "*fact*"),
    })
}

fn fact_path(access: &AccessExpr) -> Option<Vec<String>> {
    let keys = access.keys();
    let [Expr::StringLiteral(key)] = keys.as_slice() else {
        return None;
    };
    let mut path = match access.base()? {
        Expr::VariableExpr(it) => {
            let name = it.name()?;
            match name.trim_start_matches("::") {
                "facts" => Vec::new(),
                name => vec![library::fact(name)?.name.clone()],
            }
        }
        Expr::AccessExpr(it) => fact_path(&it)?,
        _ => return None,
    };
    path.push(key.value());
    Some(path)
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn hover(text: &str) -> String {
        let fixture = Fixture::new(text);
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().hover(file, offset);
        found.map_or_else(String::new, |it| it.markdown)
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
        assert!(
            !all.iter().any(|it| it.contains("more overload")),
            "{all:?}"
        );
        let by_type = heads("class a(Regexp $r) { spl<^>it('a,b', $r) }");
        assert!(by_type[0].contains("Regexp"), "{by_type:?}");
        let wrong = heads("class a { fil<^>ter(1, 2, 3) }");
        assert!(wrong.len() > 2, "{wrong:?}");
    }
}
