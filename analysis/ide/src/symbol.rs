//! Resolves names to symbols, at uses and declarations alike. All navigation features share this
//! resolution, so that they always agree.

mod implicit_names;
mod interpolated;
mod occurrences;
pub(crate) mod open_templates;
mod struct_keys;

use salsa::Database;
use syntax::{TextRange, TextSize};

use super::NavigationTarget;
use super::bolt::{self, BoltName};
use super::data_files::{self, FileKind, file_kind};
use super::goto_definition::{item_target, title_targets};
use base::{EnvironmentInput, FileInput};
use hir::autoload::{NameKey, find_item};
use hir::body::{Reference, ReferenceName, ScopeId, body};
use hir::resolve::{Definition, class, function, resolve, resource_type};
use hir::ruby_symbols::{
    RubySymbol, custom_facts, ruby_data_types, ruby_functions, ruby_resource_types,
};
use hir::variables::{
    VariableSource, is_open_template, resolve_external_variable, resolve_qualified,
};
use hir::{Item, ItemKind, canonical_name, items, signature};
use library::ruby::{ErbNotation, ErbRead};
use rules::{erb_template, template_owners};

pub(super) use implicit_names::{ANY_TEMPLATE, ImplicitName, ImplicitNameKind};
pub(super) use interpolated::{InterpolatedKind, InterpolatedName, NamePart};
pub use occurrences::AccessKind;
pub(super) use occurrences::{
    INTERPOLATED, Occurrence, OccurrenceKind, class_of_variable, occurrences, word_hash,
};
pub(crate) use struct_keys::{
    TypeStep, struct_key_targets, struct_keys_of_parameter, types_of_variable,
};

/// The entity that a name refers to. Two names refer to the same entity if their symbols are equal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Symbol<'db> {
    /// A class, defined type, function, plan or type alias defined in Puppet code.
    Item(Item<'db>),
    /// A variable or parameter in a scope of an item.
    Variable {
        item: Item<'db>,
        /// The scope in the body of the item.
        scope: ScopeId,
        /// The name of the variable, without a dollar sign.
        name: String,
    },
    /// An entity that is not defined in Puppet code.
    External {
        kind: ExternalKind,
        /// The defining file, or `None` if it is built into Puppet.
        file: Option<FileInput>,
        /// The name in canonical form.
        name: String,
    },
    /// An attribute of a resource type that is not defined in Puppet code.
    Attribute {
        /// The file that defines the type, or `None` if it is built into Puppet.
        file: Option<FileInput>,
        type_: String,
        name: String,
    },
    /// A resource of an environment, by its type and title.
    Title(String, String),
    /// A file of a module.
    File(FileInput),
    /// A root key of data that is not that of a parameter.
    DataKey(String),
}

/// The kind of a [`Symbol::External`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ExternalKind {
    Function,
    ResourceType,
    DataType,
    Fact,
    /// A built-in variable.
    Variable,
    /// A member of the objects of a data type of Bolt: `type.member`.
    BoltMember,
    /// A parameter in the metadata of a task.
    TaskParameter,
}

/// A name and the symbol that it refers to.
#[derive(Clone, Debug)]
pub(super) struct SymbolAt<'db> {
    /// The item that contains the name; `None` in data and in ERB templates.
    pub(super) item: Option<Item<'db>>,
    /// The range of the name in the file.
    pub(super) range: TextRange,
    pub(super) symbol: Symbol<'db>,
}

/// Resolves the name at an offset of a manifest, a template or a data file; if several overlap, the
/// shortest.
pub(super) fn symbol_at(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<SymbolAt<'_>> {
    let kind = file_kind(db, file);
    if kind == FileKind::Config {
        return None;
    }
    if kind == FileKind::Erb {
        let (range, symbol) = symbol_in_template(db, file, offset)?;
        let item = None;
        return Some(SymbolAt {
            item,
            range,
            symbol,
        });
    }
    if kind == FileKind::Data {
        let (range, symbol) = data_files::symbol_in_data(db, file, offset)?;
        let item = None;
        return Some(SymbolAt {
            item,
            range,
            symbol,
        });
    }
    let mut best: Option<(Item<'_>, Occurrence<'_>)> = None;
    let key = |it: &Occurrence<'_>| (it.range.len(), std::cmp::Reverse(it.range.start()));
    for item in items(db, file) {
        let length = item.tree(db).text_len();
        let Some(here) = offset.checked_sub(item.offset(db)) else {
            continue;
        };
        if here > length {
            continue;
        }
        for found in occurrences(db, *item) {
            if !found.range.is_empty()
                && found.range.contains_inclusive(here)
                && best.as_ref().is_none_or(|it| key(&found) < key(&it.1))
            {
                best = Some((*item, found));
            }
        }
    }
    let (item, found) = best?;
    Some(SymbolAt {
        item: Some(item),
        range: item.in_file(db, found.range),
        symbol: resolve_occurrence(db, item, &found.kind)?,
    })
}

/// Returns the variable that a template reads at an offset.
pub(crate) fn read_in_template(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<&ErbRead> {
    let names = erb_template(db, file);
    let mut all = names.reads.iter().chain(&names.optional);
    all.find(|it| it.range.contains_inclusive(offset))
}

/// Returns the range of the variable that a template reads at an offset, and the symbols that it has in the code that
/// renders the template.
pub(crate) fn symbols_in_template(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<(TextRange, Vec<Symbol<'_>>)> {
    let read = read_in_template(db, file, offset)?;
    Some((read.plain_range(), symbols_of(db, file, read)))
}

/// Returns the symbol of the variable that a template reads at an offset, unless the code that renders the template has
/// several.
pub(crate) fn symbol_in_template(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<(TextRange, Symbol<'_>)> {
    let (range, symbols) = symbols_in_template(db, file, offset)?;
    let [only] = <[_; 1]>::try_from(symbols).ok()?;
    Some((range, only))
}

fn symbols_of<'db>(db: &'db dyn Database, file: FileInput, read: &ErbRead) -> Vec<Symbol<'db>> {
    let environment = file.environment(db);
    if matches!(read.notation, ErbNotation::FactKey | ErbNotation::TestedKey) {
        return fact_symbol(db, environment, &read.name)
            .into_iter()
            .collect();
    }
    if read.name.contains("::") {
        let found = resolve_qualified(db, environment, &read.name);
        let found = found.and_then(|it| symbol_for_variable(it.ok()?, &read.name));
        return found.into_iter().collect();
    }
    let owners = environment.map_or_else(Vec::new, |it| template_owners(db, it, file));
    let mut symbols: Vec<Symbol<'db>> = Vec::new();
    for owner in owners {
        let found = variable_symbol(db, owner, 0, &read.name);
        symbols.extend(found.filter(|it| !symbols.contains(it)));
    }
    symbols
}

/// Resolves a name in an item. Returns `None` if its symbol is ambiguous or unknown.
pub(super) fn resolve_occurrence<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    kind: &OccurrenceKind<'_>,
) -> Option<Symbol<'db>> {
    let environment = item.file(db).environment(db);
    match kind {
        OccurrenceKind::Item => Some(Symbol::Item(item)),
        OccurrenceKind::Binding(scope, name) => Some(Symbol::Variable {
            item,
            scope: *scope,
            name: (*name).to_owned(),
        }),
        OccurrenceKind::Reference(reference) => symbol_for_reference(db, item, reference),
        OccurrenceKind::Title(type_, title) => Some(title_symbol(type_, title)),
        OccurrenceKind::Attribute(resource, name) => {
            let title = match resource.titles.as_slice() {
                [only] if resource.has_only_literal_titles => Some(only.text.as_str()),
                _ => None,
            };
            let type_ = resource.type_.as_deref()?;
            attribute_symbol(db, environment, type_, title, name)
        }
        OccurrenceKind::Implicit(implicit) => symbol_for_implicit_name(db, item, implicit),
    }
}

fn title_symbol<'db>(type_: &str, title: &str) -> Symbol<'db> {
    Symbol::Title(type_.to_owned(), title.to_owned())
}

fn symbol_for_reference<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    reference: &Reference,
) -> Option<Symbol<'db>> {
    match &reference.name {
        ReferenceName::Variable(name) => variable_symbol(db, item, reference.scope, name),
        ReferenceName::Title(type_, title) => Some(title_symbol(type_, title)),
        name => {
            if let Some(it) = bolt::bolt_member(db, item, name, reference.range) {
                return Some(symbol_of_bolt(it));
            }
            match resolve(db, item, reference) {
                Ok(it) => symbol_for_definition(it),
                Err(_) => bolt::bolt_name(db, item, name).map(symbol_of_bolt),
            }
        }
    }
}

fn symbol_of_bolt<'db>(name: BoltName) -> Symbol<'db> {
    let (kind, name) = match name {
        BoltName::Function(it) => (ExternalKind::Function, it.name.clone()),
        BoltName::Type(it) => (ExternalKind::DataType, canonical_name(&it.name)),
        BoltName::Member(type_, member) => {
            (ExternalKind::BoltMember, format!("{}.{member}", type_.name))
        }
    };
    let file = None;
    Symbol::External { kind, file, name }
}

/// Resolves a variable in a scope of an item.
pub(super) fn variable_symbol<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    scope: ScopeId,
    name: &str,
) -> Option<Symbol<'db>> {
    if !name.contains("::") {
        let own = body(db, item);
        let is_bound = |it: &ScopeId| own.scopes[*it].binds(name);
        if let Some(scope) = own.scopes_from(scope).find(is_bound) {
            let name = name.to_owned();
            return Some(Symbol::Variable { item, scope, name });
        }
    }
    let is_template = !name.contains("::") && is_open_template(db, item);
    if is_template && open_templates::is_passed(db, item, name) {
        return Some(open_templates::variable(item, name));
    }
    let environment = item.file(db).environment(db);
    match resolve_external_variable(db, environment, item, name) {
        Ok(found) => symbol_for_variable(found, name),
        Err(_) => is_template.then(|| open_templates::variable(item, name)),
    }
}

fn symbol_for_variable<'db>(source: VariableSource<'db>, name: &str) -> Option<Symbol<'db>> {
    let external = |kind, file, name: &str| Symbol::External {
        kind,
        file,
        name: name.to_owned(),
    };
    Some(match source {
        // A variable of another item is always in the outermost scope of that item.
        VariableSource::Bindings(item, _) => Symbol::Variable {
            item,
            scope: 0,
            name: last_segment(name).to_owned(),
        },
        VariableSource::BuiltIn(found) => external(ExternalKind::Variable, None, &found.name),
        VariableSource::Fact(fact) => external(ExternalKind::Fact, None, &fact.name),
        VariableSource::CustomFact(file, fact) => {
            external(ExternalKind::Fact, Some(file), &fact.name)
        }
        VariableSource::Match => return None,
    })
}

fn symbol_for_definition(definition: Definition<'_>) -> Option<Symbol<'_>> {
    let external = |kind, file, name: &str| Symbol::External {
        kind,
        file,
        name: canonical_name(name),
    };
    Some(match definition {
        Definition::Item(item) => Symbol::Item(item),
        Definition::Variable(source) => return symbol_for_variable(source, ""),
        Definition::Function(RubySymbol::Module(file, it)) => {
            external(ExternalKind::Function, Some(file), &it.name)
        }
        Definition::Function(RubySymbol::Shipped(it)) => {
            external(ExternalKind::Function, None, &it.name)
        }
        Definition::ResourceType(RubySymbol::Module(file, it)) => {
            external(ExternalKind::ResourceType, Some(file), &it.name)
        }
        Definition::ResourceType(RubySymbol::Shipped(it)) => {
            external(ExternalKind::ResourceType, None, &it.name)
        }
        Definition::DataType(name) => external(ExternalKind::DataType, None, &name),
        Definition::RubyDataType(file, name) => external(ExternalKind::DataType, Some(file), &name),
        Definition::File(file) | Definition::Unreadable(file) => Symbol::File(file),
        Definition::Folder => return None,
    })
}

/// Resolves an attribute of a resource type, or of the class named by the title.
pub(super) fn attribute_symbol<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    type_: &str,
    title: Option<&str>,
    name: &str,
) -> Option<Symbol<'db>> {
    let definition = match type_ {
        "class" => class(db, environment, title?).ok()?,
        _ => resource_type(db, environment, type_).ok()?,
    };
    match definition {
        Definition::Item(item) => parameter_symbol(db, item, name),
        Definition::ResourceType(found) => {
            let mut attributes = found.declared().attributes.iter();
            attributes.find(|it| it.name == name)?;
            let file = match found {
                RubySymbol::Module(file, _) => Some(file),
                RubySymbol::Shipped(_) => None,
            };
            Some(Symbol::Attribute {
                file,
                type_: type_.to_owned(),
                name: name.to_owned(),
            })
        }
        _ => None,
    }
}

fn parameter_symbol<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    name: &str,
) -> Option<Symbol<'db>> {
    signature(db, item).parameter(name)?;
    let name = name.to_owned();
    Some(Symbol::Variable {
        item,
        scope: 0,
        name,
    })
}

fn symbol_for_implicit_name<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    implicit: &ImplicitName,
) -> Option<Symbol<'db>> {
    let environment = item.file(db).environment(db);
    let plan = |name: &str| {
        let key = NameKey::new(db, name.to_owned());
        find_item(db, environment?, ItemKind::Plan, key)
    };
    match &implicit.kind {
        ImplicitNameKind::Fact(name) => fact_symbol(db, environment, name),
        ImplicitNameKind::Variable(name, call) => {
            let mut references = body(db, item).references.iter();
            let scope = references.find(|it| it.range == *call)?.scope;
            variable_symbol(db, item, scope, name)
        }
        ImplicitNameKind::DataKey(key) => Some(data_key_symbol(db, environment?, key)),
        ImplicitNameKind::Defined(name) => {
            let found = class(db, environment, name);
            let found = found.or_else(|_| resource_type(db, environment, name));
            let found = found.or_else(|_| function(db, environment, name));
            symbol_for_definition(found.ok()?)
        }
        ImplicitNameKind::Class(name) => symbol_for_definition(class(db, environment, name).ok()?),
        ImplicitNameKind::Attribute { type_, title, name } => {
            attribute_symbol(db, environment, type_, title.as_deref(), name)
        }
        ImplicitNameKind::ComputedParameters(_) | ImplicitNameKind::Interpolated(_) => None,
        ImplicitNameKind::Plan(name) => plan(name).map(Symbol::Item),
        ImplicitNameKind::PlanParameter(name, parameter_name) => {
            parameter_symbol(db, plan(name)?, parameter_name)
        }
        ImplicitNameKind::Task(name) => {
            let task = bolt::find_task(db, environment?, name)?;
            let files = task.implementations.first().copied();
            files.or(task.metadata).map(Symbol::File)
        }
        ImplicitNameKind::TaskParameter(task, name) => {
            let task = bolt::find_task(db, environment?, task)?;
            task.parameters().iter().find(|it| it.name == *name)?;
            Some(Symbol::External {
                kind: ExternalKind::TaskParameter,
                file: task.metadata,
                name: name.clone(),
            })
        }
        ImplicitNameKind::SentFile(path) => {
            bolt::sent_file(db, environment?, path).map(Symbol::File)
        }
        ImplicitNameKind::TemplateParameter(path, name) => {
            let file = hir::resolve::epp_template(db, environment, path)?;
            if let Some(it) = open_templates::passed_variable(db, file, name) {
                return Some(it);
            }
            let mut main = items(db, file).iter();
            let main = *main.find(|it| it.kind(db) == ItemKind::Main)?;
            let parameters = body(db, main).template_parameters.as_ref()?;
            parameters.iter().find(|it| it.name == *name)?;
            let name = name.clone();
            Some(Symbol::Variable {
                item: main,
                scope: 0,
                name,
            })
        }
    }
}

/// Resolves a root key of data: a parameter of a class, or else the key itself.
pub(super) fn data_key_symbol<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Symbol<'db> {
    let parameter = || {
        let (name, last) = key.rsplit_once("::")?;
        match class(db, Some(environment), name).ok()? {
            // Keys are case-sensitive.
            Definition::Item(item) if item.kind(db) == ItemKind::Class && item.name(db) == name => {
                parameter_symbol(db, item, last)
            }
            _ => None,
        }
    };
    parameter().unwrap_or_else(|| Symbol::DataKey(key.to_owned()))
}

fn fact_symbol<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<Symbol<'db>> {
    let (file, name) = match library::fact(name) {
        Some(fact) => (None, fact.name.clone()),
        None => {
            let (file, fact) = custom_facts(db, environment?).get(name)?;
            (Some(*file), fact.name.clone())
        }
    };
    let kind = ExternalKind::Fact;
    Some(Symbol::External { kind, file, name })
}

/// Returns the part of a name after the last `::`.
pub(super) fn last_segment(name: &str) -> &str {
    name.rsplit_once("::").map_or(name, |it| it.1)
}

/// Returns the declarations of a symbol in code; for a resource title, those nearest to `item`.
pub(super) fn declarations(
    db: &dyn Database,
    item: Option<Item<'_>>,
    symbol: &Symbol<'_>,
) -> Vec<NavigationTarget> {
    let at = |file: FileInput, range: TextRange| NavigationTarget {
        file: file.id(db),
        range,
        name_range: range,
    };
    match symbol {
        Symbol::Item(item) => vec![item_target(db, *item)],
        Symbol::Variable { item, scope, name } => {
            let scope = body(db, *item).scopes.get(*scope);
            let same = scope.into_iter().flat_map(|it| it.bindings_of(name));
            let passed = open_templates::keys_in_calls(db, *item, name);
            let passed = passed.iter().map(|it| at(it.file(db), it.range(db)));
            same.map(|it| at(item.file(db), item.in_file(db, it.range)))
                .chain(passed)
                .collect()
        }
        Symbol::External { kind, file, name } => {
            let Some(file) = *file else {
                return Vec::new();
            };
            vec![at(file, range_in_ruby(db, *kind, file, name))]
        }
        Symbol::Attribute { file, type_, name } => {
            let Some(file) = *file else {
                return Vec::new();
            };
            let mut types = ruby_resource_types(db, file).iter();
            let found = types.find(|it| it.name == *type_);
            let mut attributes = found.into_iter().flat_map(|it| &it.attributes);
            let found = attributes.find(|it| it.name == *name);
            let range = found.map_or_else(TextRange::default, |it| it.name_range);
            vec![at(file, range)]
        }
        Symbol::Title(type_, title) => {
            item.map_or_else(Vec::new, |it| title_targets(db, it, type_, title))
        }
        Symbol::File(file) => {
            let files = [*file].into_iter().chain(bolt::task_metadata(db, *file));
            files.map(|it| at(it, TextRange::default())).collect()
        }
        // The keys in data are uses.
        Symbol::DataKey(_) => Vec::new(),
    }
}

/// Returns the range of a definition in a Ruby file, or the start of the file if it is unknown.
fn range_in_ruby(db: &dyn Database, kind: ExternalKind, file: FileInput, name: &str) -> TextRange {
    let same = |it: &str| canonical_name(it) == name;
    let found = match kind {
        ExternalKind::Function => {
            let mut found = ruby_functions(db, file).iter();
            found.find(|it| same(&it.name)).map(|it| it.name_range)
        }
        ExternalKind::ResourceType => {
            let mut found = ruby_resource_types(db, file).iter();
            found.find(|it| same(&it.name)).map(|it| it.name_range)
        }
        ExternalKind::DataType => {
            let mut found = ruby_data_types(db, file).iter();
            found.find(|it| same(&it.name)).map(|it| it.name_range)
        }
        ExternalKind::Fact => {
            let facts = &hir::ruby_symbols::ruby_facts(db, file).facts;
            let found = facts.iter().find(|it| it.name == name);
            found.map(|it| it.name_range)
        }
        ExternalKind::TaskParameter => {
            let found = bolt::parameters_in(db, file).into_iter();
            let mut found = found.filter(|it| it.name == name);
            found.next().map(|it| it.range)
        }
        ExternalKind::Variable | ExternalKind::BoltMember => None,
    };
    found.unwrap_or_default()
}

/// Returns the symbol that a Ruby file defines at an offset.
pub(super) fn ruby_symbol_at(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<Symbol<'_>> {
    let (_, path) = super::search::module_path(db, file)?;
    if !path.starts_with("lib/") || !path.ends_with(".rb") {
        return None;
    }
    let at = |range: TextRange| range.contains_inclusive(offset);
    let external = |kind, name: &str| {
        Some(Symbol::External {
            kind,
            file: Some(file),
            name: canonical_name(name),
        })
    };
    if let Some(it) = ruby_functions(db, file).iter().find(|it| at(it.name_range)) {
        return external(ExternalKind::Function, &it.name);
    }
    if let Some(it) = ruby_data_types(db, file)
        .iter()
        .find(|it| at(it.name_range))
    {
        return external(ExternalKind::DataType, &it.name);
    }
    for type_ in ruby_resource_types(db, file) {
        if at(type_.name_range) {
            return external(ExternalKind::ResourceType, &type_.name);
        }
        if let Some(it) = type_.attributes.iter().find(|it| at(it.name_range)) {
            return Some(Symbol::Attribute {
                file: Some(file),
                type_: type_.name.clone(),
                name: it.name.clone(),
            });
        }
    }
    let facts = &hir::ruby_symbols::ruby_facts(db, file).facts;
    let fact = facts.iter().find(|it| at(it.name_range))?;
    Some(Symbol::External {
        kind: ExternalKind::Fact,
        file: Some(file),
        name: fact.name.clone(),
    })
}
