//! Hovers of resolved names: the signature, the documentation and the origin of the definition.

use salsa::Database;
use syntax::ast::{AccessExpr, AstNode, Attribute, Expr};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use super::super::Hover;
use super::super::definition::reference_at;
use super::super::signature::{self, fenced, head};
use super::RULE;
use base::db::{EnvironmentInput, FileInput};
use hir::body::{Resource, body};
use hir::outside::{Outside, custom_facts};
use hir::resolve::{self, Definition, resolve, resource_type};
use hir::variables::{VariableSource, variable_beyond};
use hir::{Item, items, signature as signature_of};
use infer::{call_at, chosen_forms};
use library::signatures::{self, Arity, Doc, Function, FunctionParameter, Overload, ResourceType};

/// Returns the hover of a name that is defined in the workspace or built into Puppet.
pub(super) fn name(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<Hover> {
    let (item, reference) = reference_at(db, file, offset)?;
    let definition = resolve(db, item, reference).ok()?;
    let chosen = match definition {
        Definition::Function(_) => chosen(db, item, reference.range),
        _ => None,
    };
    let markdown = describe(db, &definition, chosen.as_deref())?;
    let range = item.in_file(db, reference.range);
    Some(Hover { range, markdown })
}

/// Returns the indices of the overloads that a call can select, if `name` is its function name.
fn chosen(db: &dyn Database, item: Item<'_>, name: TextRange) -> Option<Vec<usize>> {
    let token = item.syntax(db).covering_element(name);
    let mut around = token.ancestors();
    let call = around.find_map(|it| call_at(db, item, it.text_range()))?;
    let is_name = match &call {
        Expr::CallExpr(it) => it.name_token()?.text_range() == name,
        Expr::MethodCall(it) => it.name_token()?.text_range() == name,
        _ => false,
    };
    is_name.then(|| chosen_forms(db, item, &call))?
}

fn describe(
    db: &dyn Database,
    definition: &Definition<'_>,
    chosen: Option<&[usize]>,
) -> Option<String> {
    match definition {
        Definition::Item(item) => Some(of_item(db, *item)),
        Definition::Variable(source) => of_variable(db, source),
        Definition::Function(found) => {
            let origin = origin(db, found, "built-in function");
            Some(of_function(found.declared(), chosen, &origin))
        }
        Definition::ResourceType(found) => {
            let origin = origin(db, found, "built-in resource type");
            Some(of_resource_type(found.declared(), &origin))
        }
        Definition::RubyDataType(file, name) => {
            Some(page(&fenced(name), &Doc::default(), &place(db, *file)))
        }
        Definition::File(file) | Definition::Unreadable(file) => Some(place(db, *file)),
        Definition::DataType(_) | Definition::Folder => None,
    }
}

/// Joins code, documentation and origin.
fn page(code: &str, doc: &Doc, origin: &str) -> String {
    joined(&[code, &signature::markdown(doc), origin], RULE)
}

/// Joins the non-empty parts.
fn joined(parts: &[&str], between: &str) -> String {
    let parts = parts.iter().copied().filter(|it| !it.is_empty());
    parts.collect::<Vec<_>>().join(between)
}

/// Renders a labeled list of names; empty if there are none.
fn list<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<_> = names.map(|it| format!("`{it}`")).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("{what} {}", names.join(", ")),
    }
}

fn origin<T>(db: &dyn Database, found: &Outside<T>, shipped: &str) -> String {
    match found {
        Outside::Ruby(file, _) => place(db, *file),
        Outside::Shipped(_) => format!("*{shipped}*"),
    }
}

/// Renders the module and path of a file.
fn place(db: &dyn Database, file: FileInput) -> String {
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

fn of_item(db: &dyn Database, item: Item<'_>) -> String {
    let code = fenced(&head(&item.syntax(db)));
    page(&code, &item.doc(db), &place(db, item.file(db)))
}

fn of_variable(db: &dyn Database, source: &VariableSource<'_>) -> Option<String> {
    Some(match source {
        VariableSource::Bindings(item, places) => {
            let range = *places.ranges(db, *item).first()?;
            let signature = signature_of(db, *item);
            let parameter = signature
                .parameters
                .iter()
                .find(|it| it.name_range == range);
            match parameter {
                Some(it) => of_parameter(db, *item, &it.name, it.range),
                None => {
                    let code = binding(&item.syntax(db), range)?;
                    joined(&[&fenced(&code), &of_scope(db, *item)], RULE)
                }
            }
        }
        VariableSource::BuiltIn(found) => {
            let code = typed(found.type_.as_deref(), &found.name);
            page(&fenced(&code), &found.doc, "*built-in variable*")
        }
        VariableSource::Fact(fact) => of_fact(fact, "*fact*"),
        VariableSource::CustomFact(file, fact) => of_fact(fact, &place(db, *file)),
        VariableSource::Match => return None,
    })
}

/// Renders a parameter of an item.
fn of_parameter(db: &dyn Database, item: Item<'_>, name: &str, range: TextRange) -> String {
    let text = item.syntax(db).text().slice(range).to_string();
    let code = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let doc = signature::parameter(&item.doc(db), name).unwrap_or_default();
    joined(&[&fenced(&code), &doc, &of_scope(db, item)], RULE)
}

/// Returns the first line of the statement that assigns a variable.
fn binding(root: &SyntaxNode, range: TextRange) -> Option<String> {
    let token = root.token_at_offset(range.start()).right_biased()?;
    let kinds = [SyntaxKind::ASSIGNMENT, SyntaxKind::PARAMETER];
    let mut around = token.parent_ancestors();
    let statement = around.find(|it| kinds.contains(&it.kind()))?;
    let text = statement.text().to_string();
    let mut lines = text.lines();
    let first = lines.next()?.trim_end();
    Some(match lines.next() {
        Some(_) => format!("{first} …"),
        None => first.to_owned(),
    })
}

fn of_scope(db: &dyn Database, item: Item<'_>) -> String {
    use hir::ItemKind;
    let name = item.name(db);
    match item.kind(db) {
        ItemKind::Class => format!("*class `{name}`*"),
        ItemKind::Define => format!("*defined type `{name}`*"),
        ItemKind::Function => format!("*function `{name}`*"),
        ItemKind::Plan => format!("*plan `{name}`*"),
        ItemKind::Node => format!("*node {name}*"),
        ItemKind::TypeAlias | ItemKind::Main => String::new(),
    }
}

fn of_fact(fact: &signatures::Fact, origin: &str) -> String {
    let code = fenced(&typed(fact.type_.as_deref(), &fact.name));
    let modern = fact.modern.as_ref();
    let modern = modern.map_or(String::new(), |it| format!(" (legacy; use `{it}` instead)"));
    page(&code, &fact.doc, &format!("{origin}{modern}"))
}

fn typed(type_: Option<&str>, name: &str) -> String {
    match type_ {
        Some(type_) => format!("{} ${name}", short(type_)),
        None => format!("${name}"),
    }
}

/// Drops the parameters of a long type.
fn short(type_: &str) -> &str {
    const MAX_SHOWN: usize = 120;
    match type_.split_once('[') {
        Some((name, _)) if type_.len() > MAX_SHOWN => name,
        _ => type_,
    }
}

/// Renders a function. For a call, shows the overloads that it can select and the number of others.
fn of_function(function: &Function, chosen: Option<&[usize]>, origin: &str) -> String {
    let is_chosen = |index: &usize| chosen.is_none_or(|it| it.contains(index));
    let forms = function.overloads.iter().enumerate();
    let forms = forms.filter(|it| is_chosen(&it.0));
    let mut heads: Vec<_> = forms.map(|it| overload(&function.name, it.1)).collect();
    match function.overloads.len().saturating_sub(heads.len()) {
        0 => {}
        1 => heads.push("# and 1 more overload".to_owned()),
        others => heads.push(format!("# and {others} more overloads")),
    }
    let code = match heads.is_empty() {
        true => format!("{}(…)", function.name),
        false => heads.join("\n"),
    };
    let mut doc = function.doc.clone();
    if doc.is_empty() {
        let first = function.overloads.iter().find(|it| !it.doc.is_empty());
        doc = first.map(|it| it.doc.clone()).unwrap_or_default();
    }
    page(&fenced(&code), &doc, origin)
}

/// Renders the signature of an overload.
fn overload(name: &str, overload: &Overload) -> String {
    let mut parameters: Vec<String> = overload.parameters.iter().map(function_parameter).collect();
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

pub(crate) fn function_parameter(parameter: &FunctionParameter) -> String {
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

fn of_resource_type(type_: &ResourceType, origin: &str) -> String {
    let names = |namevar: bool| {
        let attributes = type_.attributes.iter();
        let chosen = attributes.filter(move |it| it.namevar == namevar);
        chosen.map(|it| &it.name)
    };
    let parts: [&str; 5] = [
        &fenced(&format!("{} {{ … }}", type_.name)),
        &signature::markdown(&type_.doc),
        &list("Namevar:", names(true)),
        &list("Attributes:", names(false)),
        origin,
    ];
    joined(&parts, "\n\n")
}

/// Returns the documentation of a parameter of a function.
pub(crate) fn parameter_of(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    function: &str,
    name: &str,
) -> Option<String> {
    match hir::resolve::function(db, environment, function).ok()? {
        Definition::Item(item) => {
            let found = signature_of(db, item).parameter(name)?;
            Some(of_parameter(db, item, name, found.range))
        }
        Definition::Function(found) => {
            let function = found.declared();
            let overload = function.overloads.iter().find_map(|overload| {
                let mut parameters = overload.parameters.iter();
                Some((overload, parameters.find(|it| it.name == name)?))
            });
            let (overload, found) = overload?;
            let doc = signature::parameter(&overload.doc, name);
            let doc = doc.or_else(|| signature::parameter(&function.doc, name));
            let origin = format!("*function `{}`*", function.name);
            let code = fenced(&function_parameter(found));
            Some(joined(&[&code, &doc.unwrap_or_default(), &origin], RULE))
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
    let markdown = attribute_of(db, environment, type_, title, name)?;
    Some(Hover { range, markdown })
}

/// Returns the documentation of an attribute of a resource type, or a parameter of the class with
/// the given title.
pub(crate) fn attribute_of(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    type_: &str,
    title: Option<&str>,
    name: &str,
) -> Option<String> {
    if let Some(found) = library::metaparameter(name) {
        return Some(of_attribute(found, "*metaparameter*"));
    }
    let definition = match type_ {
        "class" => resolve::class(db, environment, title?).ok()?,
        type_ => resource_type(db, environment, type_).ok()?,
    };
    match definition {
        Definition::Item(item) => {
            let parameter = signature_of(db, item).parameter(name)?;
            Some(of_parameter(db, item, name, parameter.range))
        }
        Definition::ResourceType(found) => {
            let attributes = &found.declared().attributes;
            let attribute = attributes.iter().find(|it| it.name == name)?;
            let origin = format!("*attribute of `{type_}`*");
            Some(of_attribute(attribute, &origin))
        }
        _ => None,
    }
}

/// Returns the documentation of a class.
pub(crate) fn class(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<String> {
    describe(db, &resolve::class(db, environment, name).ok()?, None)
}

/// Returns the documentation of a resource type or defined type.
pub(crate) fn resource(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<String> {
    describe(db, &resource_type(db, environment, name).ok()?, None)
}

/// Returns the documentation of a function.
pub(crate) fn function(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<String> {
    describe(db, &resolve::function(db, environment, name).ok()?, None)
}

/// Returns the documentation of a type alias.
pub(crate) fn data_type(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<String> {
    describe(db, &resolve::type_name(db, environment, name).ok()?, None)
}

/// Returns the documentation of a built-in variable, or a variable of a class by its qualified
/// name.
pub(crate) fn variable(db: &dyn Database, file: FileInput, name: &str) -> Option<String> {
    let item = *items(db, file).first()?;
    let found = variable_beyond(db, file.environment(db), item, name).ok()?;
    of_variable(db, &found)
}

/// Returns the documentation of a fact, or a part of one, by its path of keys.
pub(crate) fn fact_of(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    path: &[&str],
) -> Option<String> {
    if let [name] = path {
        let custom = environment.and_then(|it| custom_facts(db, it).get(*name));
        if let Some((file, fact)) = custom {
            return Some(of_fact(fact, &place(db, *file)));
        }
        let fact = library::fact(name).map(std::borrow::Cow::Borrowed);
        let fact = fact.or_else(|| library::legacy_fact(name))?;
        return Some(of_fact(&fact, "*fact*"));
    }
    let found = library::fact_part(path)?;
    let keys: String = path.iter().map(|it| format!("['{it}']")).collect();
    let code = format!("{} $facts{keys}", short(&found.type_));
    Some(page(&fenced(&code), &found.doc, "*fact*"))
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

fn of_attribute(attribute: &signatures::Attribute, origin: &str) -> String {
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
        &fenced(&code),
        &signature::markdown(&attribute.doc),
        &list("Values:", attribute.values.iter()),
        &facts.join(" "),
        origin,
    ];
    joined(&parts, "\n\n")
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
    let code = format!("{} {}", short(&found.type_), access.syntax().text());
    Some(Hover {
        range: literal.text_range(),
        markdown: page(&fenced(&code), &found.doc, "*fact*"),
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
    use crate::fixture::World;

    fn hover(text: &str) -> String {
        let world = World::new(text);
        let (file, offset) = world.cursor();
        let found = world.analysis().hover(file, offset);
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
