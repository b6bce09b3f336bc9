//! Renders definitions: signature, documentation, origin and links.

use salsa::Database;
use syntax::ast::{self, AstNode};
use syntax::validation::PuppetVersion;
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use super::super::NavigationTarget;
use super::super::goto_definition::item_target;
use super::super::markdown::{code_block, header};
use super::super::text::uncut_excerpt;
use super::content::{
    HoverContent, MAX_SIGNATURES, SignaturePart, one_line, parameter_signature, signature,
};
use base::{FileInput, SettingsInput};
use hir::resolve::Definition;
use hir::ruby_symbols::{RubySymbol, ruby_data_types};
use hir::variables::VariableSource;
use hir::{Item, signature as signature_of};
use library::pages;
use library::signatures::{self, Arity, Doc, Function, FunctionParameter, Overload, ResourceType};
use types::values::quote;

/// Returns the version of Puppet whose documentation is linked.
pub(super) fn version(db: &dyn Database) -> PuppetVersion {
    SettingsInput::get(db).version(db)
}

/// Renders a definition. Of a function, shows the `selected` overloads; `used` are the parameters
/// and attributes that are used at the place.
pub(super) fn definition(
    db: &dyn Database,
    definition: &Definition<'_>,
    selected: Option<&[usize]>,
    used: &[String],
) -> Option<HoverContent> {
    match definition {
        Definition::Item(found) => Some(item(db, *found, used)),
        Definition::Variable(source) => variable(db, source),
        Definition::Function(found) => {
            let declared = found.declared();
            let content = function(declared, selected);
            Some(match found {
                RubySymbol::Module(file, _) => of_file(content, db, *file, declared.name_range),
                RubySymbol::Shipped(_) => content
                    .origin("built-in function", None)
                    .page(Some(pages::function(&declared.name, version(db)))),
            })
        }
        Definition::ResourceType(found) => {
            let declared = found.declared();
            let content = resource_type(declared, used);
            Some(match found {
                RubySymbol::Module(file, _) => of_file(content, db, *file, declared.name_range),
                RubySymbol::Shipped(_) => content
                    .origin("built-in resource type", None)
                    .page(pages::resource_type(declared, version(db))),
            })
        }
        Definition::DataType(name) => {
            let found = library::data_type(name)?;
            let content = HoverContent::new(found.signature.clone()).doc(&found.doc);
            let page = pages::data_type(&found.name, version(db));
            Some(content.origin("built-in data type", None).page(Some(page)))
        }
        Definition::RubyDataType(file, name) => {
            let mut found = ruby_data_types(db, *file).iter();
            let found = found.find(|it| it.name.eq_ignore_ascii_case(name));
            let range = found.map(|it| it.name_range).unwrap_or_default();
            let content = HoverContent::new(found.map_or(name, |it| &it.name).clone());
            let doc = found.map(|it| it.doc.clone()).unwrap_or_default();
            Some(of_file(content.doc(&doc), db, *file, range))
        }
        Definition::File(file) | Definition::Unreadable(file) => Some(of_file(
            HoverContent::default(),
            db,
            *file,
            TextRange::default(),
        )),
        Definition::Folder => None,
    }
}

/// Adds the origin of a definition in a file that is not Puppet code.
pub(super) fn of_file(
    content: HoverContent,
    db: &dyn Database,
    file: FileInput,
    range: TextRange,
) -> HoverContent {
    let target = file_target(db, file, range);
    content.origin(file_origin(db, file), Some(target))
}

/// Returns a place in a file as a target.
pub(super) fn file_target(
    db: &dyn Database,
    file: FileInput,
    range: TextRange,
) -> NavigationTarget {
    NavigationTarget {
        file: file.id(db),
        range,
        name_range: range,
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
        Some(path) => format!("module `{}`, {path}", module.name(db)),
        None => format!("module `{}`", module.name(db)),
    }
}

fn item(db: &dyn Database, item: Item<'_>, used: &[String]) -> HoverContent {
    let content = definition_node(&item.syntax(db), &item.doc(db), used);
    let target = Some(item_target(db, item));
    content.origin(file_origin(db, item.file(db)), target)
}

/// Renders a definition in Puppet code.
pub(super) fn definition_node(node: &SyntaxNode, doc: &Doc, used: &[String]) -> HoverContent {
    let full = header(node);
    let folded = folded_header(node, &full, used);
    HoverContent::new(folded).doc(doc).full_signature(&full)
}

fn folded_header(node: &SyntaxNode, full: &str, used: &[String]) -> String {
    let list = |it: &SyntaxNode| it.kind() == SyntaxKind::PARAMETER_LIST;
    let parameters = node.children().filter(list).flat_map(|it| it.children());
    let parameters = parameters.filter_map(ast::Parameter::cast);
    let parts: Vec<SignaturePart> = parameters.map(|it| signature_part(&it)).collect();
    if parts.is_empty() {
        return one_line(full);
    }
    let (mut before, mut after) = (String::new(), String::new());
    let mut is_after = false;
    for element in node.children_with_tokens() {
        match element.kind() {
            SyntaxKind::BLOCK => break,
            SyntaxKind::PARAMETER_LIST => is_after = true,
            kind if kind.is_comment() => {}
            _ if is_after => after.push_str(&element.to_string()),
            _ => before.push_str(&element.to_string()),
        }
    }
    let space = if before.ends_with(char::is_whitespace) {
        " "
    } else {
        ""
    };
    let before = format!("{}{space}(", one_line(&before));
    let after = format!(") {}", one_line(&after));
    signature(&before, &parts, after.trim_end(), used)
}

fn signature_part(parameter: &ast::Parameter) -> SignaturePart {
    SignaturePart {
        name: parameter.name().unwrap_or_default(),
        text: uncut_excerpt(parameter.syntax()),
        is_required: parameter.default().is_none(),
    }
}

/// Renders a variable where it is not assigned.
pub(super) fn variable(db: &dyn Database, source: &VariableSource<'_>) -> Option<HoverContent> {
    Some(match source {
        VariableSource::Bindings(item, bindings) => {
            let range = *bindings.ranges(db, *item).first()?;
            let signature = signature_of(db, *item);
            let mut parameters = signature.parameters.iter();
            match parameters.find(|it| it.name_range == range) {
                Some(it) => parameter(db, *item, &it.name, it.range),
                None => {
                    let code = assignment_line(&item.syntax(db), range)?;
                    let content = HoverContent::new(code);
                    of_scope(content, db, *item, range)
                }
            }
        }
        VariableSource::BuiltIn(found) => {
            let signature = typed_name(found.type_.as_deref(), &found.name);
            let content = HoverContent::new(signature).doc(&found.doc);
            let page = pages::variable(&found.name, version(db));
            content.origin("built-in variable", None).page(Some(page))
        }
        VariableSource::Fact(found) => fact(db, found),
        VariableSource::CustomFact(file, fact) => custom_fact(db, *file, fact),
        VariableSource::Match => return None,
    })
}

/// Renders a parameter of an item.
pub(super) fn parameter(
    db: &dyn Database,
    item: Item<'_>,
    name: &str,
    range: TextRange,
) -> HoverContent {
    let root = item.syntax(db);
    let element = root.covering_element(range);
    let node = element.ancestors().find_map(ast::Parameter::cast);
    let full = match node {
        Some(it) => uncut_excerpt(it.syntax()),
        None => syntax::text_at(&root, range).unwrap_or_default(),
    };
    let content = parameter_content(&full, &item.doc(db), name);
    of_scope(content, db, item, range)
}

/// Renders a parameter by its declaration and the documentation of its definition.
pub(super) fn parameter_content(declaration: &str, doc: &Doc, name: &str) -> HoverContent {
    let content = HoverContent::new(parameter_signature(declaration));
    let content = match doc.parameter(name) {
        Some(tag) => content.doc(&Doc {
            text: tag.text.clone(),
            tags: Vec::new(),
        }),
        None => content,
    };
    content.full_signature(declaration)
}

/// Adds the definition that contains a range as the origin.
pub(super) fn of_scope(
    content: HoverContent,
    db: &dyn Database,
    item: Item<'_>,
    range: TextRange,
) -> HoverContent {
    let range = item.in_file(db, range);
    content.origin(
        scope_origin(db, item),
        Some(file_target(db, item.file(db), range)),
    )
}

/// Returns the statement that assigns a variable.
fn assignment_line(root: &SyntaxNode, range: TextRange) -> Option<String> {
    let token = root.token_at_offset(range.start()).right_biased()?;
    let kinds = [SyntaxKind::ASSIGNMENT, SyntaxKind::PARAMETER];
    let mut ancestors = token.parent_ancestors();
    let statement = ancestors.find(|it| kinds.contains(&it.kind()))?;
    Some(one_line(&uncut_excerpt(&statement)))
}

fn scope_origin(db: &dyn Database, item: Item<'_>) -> String {
    use hir::ItemKind;
    let name = item.name(db);
    match item.kind(db) {
        ItemKind::Class => format!("class `{name}`"),
        ItemKind::DefinedType => format!("defined type `{name}`"),
        ItemKind::Function => format!("function `{name}`"),
        ItemKind::Plan => format!("plan `{name}`"),
        ItemKind::Node => format!("node {name}"),
        ItemKind::TypeAlias | ItemKind::Main => String::new(),
    }
}

/// Renders a fact of Facter.
pub(super) fn fact(db: &dyn Database, found: &signatures::Fact) -> HoverContent {
    let modern = found.modern.as_ref();
    let modern = modern.map_or(String::new(), |it| format!(" (legacy; use `{it}` instead)"));
    let content = fact_content(found).origin(format!("core fact{modern}"), None);
    match found.modern {
        None => content.page(Some(pages::fact(&found.name, version(db)))),
        Some(_) => content,
    }
}

/// Renders a fact that a module defines.
pub(super) fn custom_fact(
    db: &dyn Database,
    file: FileInput,
    fact: &signatures::Fact,
) -> HoverContent {
    of_file(fact_content(fact), db, file, fact.name_range)
}

fn fact_content(fact: &signatures::Fact) -> HoverContent {
    HoverContent::new(typed_name(fact.type_.as_deref(), &fact.name)).doc(&fact.doc)
}

/// Renders a variable with its type.
pub(super) fn typed_name(type_: Option<&str>, name: &str) -> String {
    match type_ {
        Some(type_) => format!("{} ${name}", without_long_parameters(type_, 80)),
        None => format!("${name}"),
    }
}

/// Replaces the parameters of a type that is longer than `max` characters.
fn without_long_parameters(type_: &str, max: usize) -> String {
    match type_.split_once('[') {
        Some((name, _)) if type_.chars().count() > max => format!("{name}[…]"),
        _ => type_.to_owned(),
    }
}

/// Renders a function. For a call, shows the overloads that it can select and the number of others.
pub(super) fn function(function: &Function, selected: Option<&[usize]>) -> HoverContent {
    let is_selected = |index: &usize| selected.is_none_or(|it| it.contains(index));
    let overloads = function.overloads.iter().enumerate();
    let shown: Vec<_> = overloads.filter(|it| is_selected(&it.0)).collect();
    let most = match shown.len() < function.overloads.len() || shown.len() > MAX_SIGNATURES {
        true => MAX_SIGNATURES - 1,
        false => MAX_SIGNATURES,
    };
    let shown = shown.iter().take(most);
    let mut signatures: Vec<String> = shown
        .map(|it| overload(&function.name, it.1, true))
        .collect();
    match function.overloads.len() - signatures.len() {
        0 => {}
        1 => signatures.push("# and 1 more overload".to_owned()),
        others => signatures.push(format!("# and {others} more overloads")),
    }
    if signatures.is_empty() {
        signatures.push(format!("{}(…)", function.name));
    }
    let mut doc = function.doc.clone();
    if doc.is_empty() {
        let first = function.overloads.iter().find(|it| !it.doc.is_empty());
        doc = first.map(|it| it.doc.clone()).unwrap_or_default();
    }
    let all = function.overloads.iter();
    let all: Vec<String> = all.map(|it| overload(&function.name, it, false)).collect();
    let is_complete = all == signatures || all.is_empty();
    let mut content = HoverContent::of_lines(signatures).doc(&doc);
    if !is_complete {
        content.details.insert(0, code_block(&all.join("\n")));
    }
    content
}

/// Renders the signature of an overload, folded if it is long.
fn overload(name: &str, overload: &Overload, is_folded: bool) -> String {
    let parameters = overload.parameters.iter();
    let mut parts: Vec<SignaturePart> = parameters
        .map(|it| SignaturePart {
            name: it.name.clone(),
            text: render_function_parameter(overload, it),
            is_required: matches!(it.arity, Arity::Required | Arity::RequiredRepeated),
        })
        .collect();
    if let Some(block) = &overload.block {
        let type_ = block.type_.as_deref().unwrap_or("Callable");
        let type_ = match block.optional {
            true => format!("Optional[{type_}]"),
            false => type_.to_owned(),
        };
        parts.push(SignaturePart {
            name: block.name.clone(),
            text: format!("{type_} &${}", block.name),
            is_required: !block.optional,
        });
    }
    let returns = overload.returns.as_ref();
    let before = format!("{name}(");
    match is_folded {
        true => {
            let returns = returns.map(|it| format!(" >> {}", without_long_parameters(it, 30)));
            let after = format!("){}", returns.unwrap_or_default());
            signature(&before, &parts, &after, &[])
        }
        false => {
            let returns = returns.map_or(String::new(), |it| format!(" >> {it}"));
            let parts: Vec<&str> = parts.iter().map(|it| it.text.as_str()).collect();
            format!("{before}{}){returns}", parts.join(", "))
        }
    }
}

pub(crate) fn render_function_parameter(
    overload: &Overload,
    parameter: &FunctionParameter,
) -> String {
    let mut text = String::new();
    if let Some(type_) = &parameter.type_ {
        text.push_str(&overload.without_local_types(type_));
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

/// Renders a parameter of a function that is not written in Puppet code.
pub(super) fn function_parameter(function: &Function, name: &str) -> Option<HoverContent> {
    let (overload, found) = function.overloads.iter().find_map(|overload| {
        let mut parameters = overload.parameters.iter();
        Some((overload, parameters.find(|it| it.name == name)?))
    })?;
    let doc = match overload.doc.parameter(name) {
        Some(_) => &overload.doc,
        None => &function.doc,
    };
    let content = parameter_content(&render_function_parameter(overload, found), doc, name);
    Some(content.origin(format!("function `{}`", function.name), None))
}

fn resource_type(type_: &ResourceType, used: &[String]) -> HoverContent {
    let parts = type_.attributes.iter().map(|it| {
        let type_ = it.type_.clone().or_else(|| type_of_values(it));
        let value = type_.map(|it| without_long_parameters(&it, 30));
        SignaturePart {
            name: it.name.clone(),
            text: format!("{} => {}", it.name, value.as_deref().unwrap_or("…")),
            is_required: it.required || it.name == "ensure",
        }
    });
    let parts: Vec<SignaturePart> = parts.filter(|it| it.name != "provider").collect();
    let before = format!("{} {{ 'title': ", type_.name);
    let shown = match parts.is_empty() {
        true => format!("{} {{ 'title': }}", type_.name),
        false => signature(&before, &parts, " }", used),
    };
    let names = |namevar: bool| {
        let attributes = type_.attributes.iter();
        let selected = attributes.filter(move |it| it.namevar == namevar);
        selected.map(|it| &it.name)
    };
    HoverContent::new(shown)
        .doc(&type_.doc)
        .detail(labeled_list("Namevar:", names(true)))
        .detail(labeled_list("Attributes:", names(false)))
        .detail(match type_.doc.tags("provider").next() {
            Some(_) => String::new(),
            None => labeled_list("Providers:", type_.providers.iter()),
        })
        .detail(labeled_list("Autorequires:", type_.autorequires.iter()))
}

/// Renders the type of an attribute written in Ruby that accepts only listed values.
fn type_of_values(attribute: &signatures::Attribute) -> Option<String> {
    let is_listed = attribute.closed && attribute.patterns.is_empty();
    let values: Vec<String> = attribute.values.iter().map(|it| quote(it)).collect();
    (is_listed && !values.is_empty()).then(|| format!("Enum[{}]", values.join(", ")))
}

/// Renders a labeled list of names; empty if there are none.
pub(super) fn labeled_list<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<_> = names.map(|it| format!("`{it}`")).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("{what} {}", names.join(", ")),
    }
}

/// Renders an attribute of a resource type.
pub(super) fn attribute(attribute: &signatures::Attribute) -> HoverContent {
    let mut code = match &attribute.type_ {
        Some(type_) => format!("{type_} ${}", attribute.name),
        None => format!("${}", attribute.name),
    };
    if let Some(default) = &attribute.default {
        code.push_str(&format!(" = {default}"));
    }
    let mut marks = Vec::new();
    if attribute.namevar {
        marks.push("Namevar.");
    }
    if attribute.required {
        marks.push("Required.");
    }
    if attribute.read_only {
        marks.push("Read-only.");
    }
    let mut content = HoverContent::new(parameter_signature(&code)).doc(&attribute.doc);
    content.here = marks.join(" ");
    content
        .detail(labeled_list("Values:", attribute.values.iter()))
        .detail(labeled_list(
            "Needs the provider features",
            attribute.required_features.iter(),
        ))
        .full_signature(&code)
}
