//! The usage index of an environment: the variables that are read by their qualified names, the
//! classes that are inherited from, and the attributes that are set outside of the declaration of a
//! resource.
//!
//! The index is built per file, per module and per environment, so that an edit only recomputes the
//! files of one module. Rules query single names rather than the whole index, so that an unrelated
//! change does not invalidate them.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use salsa::Database;

use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::{NameKey, module_puppet_files};
use hir::body::{PathKind, ReferenceName, Resource, ResourceForm, body};
use hir::declared_resources::{is_declared_in_environment, unique_title};
use hir::resolve::{self, Definition, epp_template};
use hir::{ItemKind, canonical_name, items, signature};
use library::KnownFunction;
use syntax::SyntaxNode;
use syntax::ast::{AstNode, CallExpr, Expr, HashEntry, MethodCall, VariableExpr};

use crate::checker::Checker;
use crate::fixes::{node_at, only_assigned_value};
use crate::index::class_users::{DefinitionKey, definition_key};

/// The code that sets attributes outside of the declaration of a resource, by resource type and name of the attribute.
type Setters = BTreeMap<String, BTreeMap<String, BTreeSet<CodeOwner>>>;

/// The names used in a file, a module or an environment.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct UsageIndex {
    /// The variables that are read by their qualified names.
    variables: BTreeSet<String>,
    /// The functions that are called, and whether a call may be in a loop.
    calls: BTreeMap<String, bool>,
    /// The classes by the class that they inherit from.
    children: BTreeMap<String, BTreeSet<String>>,
    /// The attributes that resource defaults set.
    defaults: Setters,
    /// The attributes that overrides and collectors set. Collectors find the resources of any code, and have no owner.
    overridden: Setters,
    /// The metaparameters that a declaration does not set, by defined type.
    unset_metaparameters: BTreeMap<String, BTreeSet<String>>,
    /// The EPP templates that are evaluated, by their files.
    templates: FxHashMap<FileInput, TemplateUse>,
    /// The code that renders ERB templates, by their files.
    ruby_templates: FxHashMap<FileInput, BTreeSet<CodeOwner>>,
}

/// The code that sets a resource default, or renders a template.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum CodeOwner {
    /// A class or a defined type.
    Definition(DefinitionKey),
    /// Other code, such as that of a main manifest.
    Other,
}

/// The calls to `epp` that evaluate a template.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct TemplateUse {
    /// The parameters that a call passes.
    pub(crate) passed: BTreeSet<String>,
    /// Whether a call may pass other parameters.
    pub(crate) is_open: bool,
}

impl TemplateUse {
    /// Checks whether a call may pass a variable.
    pub(crate) fn may_pass(&self, variable: &str) -> bool {
        self.is_open || self.passed.contains(variable)
    }
}

impl UsageIndex {
    fn add(&mut self, other: &UsageIndex) {
        self.variables.extend(other.variables.iter().cloned());
        for (parent, children) in &other.children {
            let known = self.children.entry(parent.clone()).or_default();
            known.extend(children.iter().cloned());
        }
        for (function, in_loop) in &other.calls {
            *self.calls.entry(function.clone()).or_default() |= in_loop;
        }
        add_setters(&mut self.defaults, &other.defaults);
        add_setters(&mut self.overridden, &other.overridden);
        for (type_, names) in &other.unset_metaparameters {
            let unset = self.unset_metaparameters.entry(type_.clone()).or_default();
            unset.extend(names.iter().cloned());
        }
        for (file, other) in &other.templates {
            let template = self.templates.entry(*file).or_default();
            template.passed.extend(other.passed.iter().cloned());
            template.is_open |= other.is_open;
        }
        for (file, owners) in &other.ruby_templates {
            let known = self.ruby_templates.entry(*file).or_default();
            known.extend(owners.iter().cloned());
        }
    }

    fn add_metaparameters(&mut self, resource: &Resource) {
        let defined_type = resource.type_.as_ref().filter(|it| it.contains("::"));
        let Some(type_) = defined_type.filter(|_| !resource.splat && !resource.guarded) else {
            return;
        };
        if resource.form == ResourceForm::Declaration {
            let is_set = |name: &String| {
                resource.attributes.iter().any(|it| it.name == *name)
                    || resource.default_attributes.contains(name)
            };
            let unset = library::metaparameters().iter().map(|it| &it.name);
            let unset = unset.filter(|it| !is_set(it)).cloned();
            let all = self.unset_metaparameters.entry(type_.clone()).or_default();
            all.extend(unset);
        }
    }

    /// `assigned` returns the value of a variable that the code assigns once.
    fn add_template(
        &mut self,
        file: FileInput,
        call: Option<&SyntaxNode>,
        assigned: impl Fn(&VariableExpr) -> Option<Expr>,
    ) {
        let template = self.templates.entry(file).or_default();
        let Some(arguments) = call.and_then(template_arguments) else {
            template.is_open = true;
            return;
        };
        let Some(hash) = arguments.get(1) else {
            return;
        };
        let assigned = match hash {
            Expr::VariableExpr(it) => assigned(it),
            _ => None,
        };
        let entries: Vec<HashEntry> = match assigned.as_ref().unwrap_or(hash) {
            Expr::HashExpr(it) => it.entries().collect(),
            Expr::UnbracedHash(it) => it.entries().collect(),
            _ => {
                template.is_open = true;
                return;
            }
        };
        for entry in entries {
            match entry.key() {
                Some(Expr::StringLiteral(it)) => drop(template.passed.insert(it.value())),
                Some(Expr::QualifiedName(it)) => drop(template.passed.insert(it.text())),
                _ => template.is_open = true,
            }
        }
    }

    fn add_attributes(&mut self, resource: &Resource, owner: &CodeOwner) {
        let Some(type_) = &resource.type_ else {
            return;
        };
        let names = resource.attributes.iter().map(|it| it.name.clone());
        // A hash may set any attribute.
        let names = names.chain(resource.splat.then(|| "*".to_owned()));
        let (setters, owner) = match resource.form {
            ResourceForm::Declaration | ResourceForm::DefaultBody => return,
            ResourceForm::Defaults => (&mut self.defaults, owner),
            ResourceForm::Override => (&mut self.overridden, owner),
            ResourceForm::Collector => (&mut self.overridden, &CodeOwner::Other),
        };
        let of_type = setters.entry(type_.clone()).or_default();
        for name in names {
            of_type.entry(name).or_default().insert(owner.clone());
        }
    }

    /// Checks whether a resource default may set an attribute of a type.
    fn has_default(&self, type_: &str, name: &str) -> bool {
        setters_of(&self.defaults, type_, name).next().is_some()
    }

    /// Checks whether a default, an override or a collector may set an attribute of a type.
    pub(crate) fn may_set(&self, type_: &str, name: &str) -> bool {
        self.has_default(type_, name) || setters_of(&self.overridden, type_, name).next().is_some()
    }

    fn all<'a>(parts: impl IntoIterator<Item = &'a UsageIndex>) -> UsageIndex {
        let mut all = UsageIndex::default();
        parts.into_iter().for_each(|it| all.add(it));
        all
    }
}

/// Returns the usage index of a file.
#[salsa::tracked]
pub(crate) fn file_usage_index(db: &dyn Database, file: FileInput) -> UsageIndex {
    let mut found = UsageIndex::default();
    let environment = file.environment(db);
    for item in items(db, file) {
        let body = body(db, *item);
        let owner = definition_key(db, *item);
        let owner = owner.map_or(CodeOwner::Other, CodeOwner::Definition);
        for reference in &body.references {
            if let ReferenceName::Path(PathKind::Epp, path) = &reference.name
                && let Some(template) = epp_template(db, environment, path)
            {
                let root = item.syntax(db);
                let path = node_at(&root, reference.range);
                let call = path.and_then(|it| it.ancestors().find(is_call));
                let assigned = |it: &VariableExpr| {
                    let name = it.name()?;
                    let around = body.scopes_from(reference.scope);
                    let bindings = around.flat_map(|it| body.scopes[it].bindings_of(&name));
                    only_assigned_value(&root, bindings)
                };
                found.add_template(template, call.as_ref(), assigned);
            }
            if let ReferenceName::Path(kind @ PathKind::Template, path) = &reference.name
                && let Ok(Definition::File(template)) = resolve::file(db, environment, *kind, path)
            {
                let owners = found.ruby_templates.entry(template).or_default();
                owners.insert(owner.clone());
            }
            if let ReferenceName::Variable(name) = &reference.name
                && name.trim_start_matches("::").contains("::")
            {
                found.variables.insert(canonical_name(name));
            }
            if let ReferenceName::Function(name) = &reference.name {
                // The caller of a function or of a template may be in a loop itself.
                let is_plain = item.kind(db).is_declarable();
                let in_loop = reference.scope != 0 || !is_plain;
                *found.calls.entry(canonical_name(name)).or_default() |= in_loop;
            }
        }
        for resource in &body.resources {
            found.add_attributes(resource, &owner);
            found.add_metaparameters(resource);
        }
        if let Some(parent) = &signature(db, *item).inherits {
            let children = found.children.entry(parent.clone()).or_default();
            children.insert(canonical_name(item.name(db)));
        }
    }
    found
}

fn is_call(node: &SyntaxNode) -> bool {
    CallExpr::can_cast(node.kind()) || MethodCall::can_cast(node.kind())
}

/// Returns the arguments of a call to `epp`; `None` for other calls.
fn template_arguments(call: &SyntaxNode) -> Option<Vec<Expr>> {
    let (name, arguments) = Expr::cast(call.clone())?.named_call()?;
    (KnownFunction::from_name(name.text()) == Some(KnownFunction::Epp)).then_some(arguments)
}

#[salsa::tracked]
fn module_usage_index(db: &dyn Database, module: ModuleInput) -> UsageIndex {
    let files = module_puppet_files(db, module).iter();
    UsageIndex::all(files.map(|it| file_usage_index(db, *it)))
}

#[salsa::tracked]
fn environment_usage_index(db: &dyn Database, environment: EnvironmentInput) -> UsageIndex {
    let manifests = environment.manifests(db).iter();
    let manifests = manifests.map(|it| file_usage_index(db, *it));
    // Modules that the project does not declare do not use its code.
    let undeclared = &environment.other_versions(db).undeclared;
    let modules = environment.modules(db).iter();
    let modules = modules.filter(|it| !undeclared.contains(&**it.0));
    UsageIndex::all(manifests.chain(modules.map(|it| module_usage_index(db, *it.1))))
}

/// Checks whether any file reads a variable by its qualified name.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_read_by_full_name<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    variable: NameKey<'db>,
) -> bool {
    let all = environment_usage_index(db, environment);
    all.variables.contains(variable.text(db))
}

/// Where the functions of modules are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FunctionCalls {
    /// Only in classes and defined types, outside of lambdas.
    OutsideOfLoops,
    /// Nowhere, or possibly in a loop.
    Other,
}

/// Returns where a function is called.
#[salsa::tracked(returns(copy))]
pub(crate) fn calls_of<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    function: NameKey<'db>,
) -> FunctionCalls {
    let index = environment_usage_index(db, environment);
    match index.calls.get(function.text(db)) {
        Some(false) => FunctionCalls::OutsideOfLoops,
        _ => FunctionCalls::Other,
    }
}

/// Checks whether any class inherits from the given class.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_inherited<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> bool {
    environment_usage_index(db, environment)
        .children
        .contains_key(class.text(db))
}

/// Returns the classes that inherit from the given class.
#[salsa::tracked]
pub(crate) fn children_of<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> BTreeSet<String> {
    let index = environment_usage_index(db, environment);
    let children = index.children.get(class.text(db));
    children.cloned().unwrap_or_default()
}

/// Returns the code with a resource default that sets an attribute of a type.
#[salsa::tracked]
pub(crate) fn default_owners<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    type_: NameKey<'db>,
    name: NameKey<'db>,
) -> BTreeSet<CodeOwner> {
    let index = environment_usage_index(db, environment);
    let owners = setters_of(&index.defaults, type_.text(db), name.text(db));
    owners.cloned().collect()
}

/// Checks whether an override or a collector may set an attribute of a resource that the item declares. From
/// `parser/resource.rb`, `merge`: overrides are those of the same code, or of a class that inherits from it.
pub(crate) fn may_be_overridden(checker: &Checker<'_>, type_: &str, name: &str) -> bool {
    let (db, environment) = (checker.db, checker.environment);
    let text = |it: &str| NameKey::new(db, it.to_owned());
    let own = definition_key(db, checker.item);
    let may_override = |it: &CodeOwner| match (it, &own) {
        (CodeOwner::Definition(it), Some(own)) => it == own || is_class_below(checker, it, own),
        _ => true,
    };
    let mut owners = overriders(db, environment, text(type_), text(name)).iter();
    owners.any(may_override)
}

/// Checks whether a class inherits from another one, directly or through others.
fn is_class_below(checker: &Checker<'_>, class: &DefinitionKey, ancestor: &DefinitionKey) -> bool {
    if [class.0, ancestor.0] != [ItemKind::Class; 2] {
        return false;
    }
    let (db, environment) = (checker.db, checker.environment);
    let mut open = vec![ancestor.1.clone()];
    let mut visited = BTreeSet::new();
    while let Some(name) = open.pop() {
        let children = children_of(db, environment, NameKey::new(db, name.clone()));
        if children.contains(&class.1) {
            return true;
        }
        if visited.insert(name) {
            open.extend(children.iter().cloned());
        }
    }
    false
}

/// Returns the code with an override or a collector that sets an attribute of a type.
#[salsa::tracked]
fn overriders<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    type_: NameKey<'db>,
    name: NameKey<'db>,
) -> BTreeSet<CodeOwner> {
    let index = environment_usage_index(db, environment);
    let owners = setters_of(&index.overridden, type_.text(db), name.text(db));
    owners.cloned().collect()
}

/// Returns how a template is evaluated; `None` if no call names it.
#[salsa::tracked]
pub(crate) fn template_use(
    db: &dyn Database,
    environment: EnvironmentInput,
    template: FileInput,
) -> Option<TemplateUse> {
    let index = environment_usage_index(db, environment);
    index.templates.get(&template).cloned()
}

/// Returns the code that renders an ERB template.
#[salsa::tracked]
pub(crate) fn ruby_template_owners(
    db: &dyn Database,
    environment: EnvironmentInput,
    template: FileInput,
) -> BTreeSet<CodeOwner> {
    let index = environment_usage_index(db, environment);
    let owners = index.ruby_templates.get(&template);
    owners.cloned().unwrap_or_default()
}

/// Checks whether a declaration of a defined type does not set a metaparameter, which no other code
/// sets either.
#[salsa::tracked(returns(copy))]
pub(crate) fn lacks_metaparameter<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    type_: NameKey<'db>,
    name: NameKey<'db>,
) -> bool {
    let index = environment_usage_index(db, environment);
    let (type_, name) = (type_.text(db), name.text(db));
    let unset = index.unset_metaparameters.get(type_);
    unset.is_some_and(|it| it.contains(name)) && !index.may_set(type_, name)
}

/// Adds what sets attributes in other code.
fn add_setters(all: &mut Setters, others: &Setters) {
    for (type_, attributes) in others {
        let known = all.entry(type_.clone()).or_default();
        for (name, owners) in attributes {
            let known = known.entry(name.clone()).or_default();
            known.extend(owners.iter().cloned());
        }
    }
}

/// Returns the code that sets an attribute of a type, or any attributes with a hash.
fn setters_of<'a>(
    all: &'a Setters,
    type_: &str,
    name: &'a str,
) -> impl Iterator<Item = &'a CodeOwner> {
    let of_type = all.get(type_).into_iter();
    of_type.flat_map(move |it| {
        [name, "*"]
            .into_iter()
            .filter_map(|name| it.get(name))
            .flatten()
    })
}

/// Checks whether any code of the environment declares a resource with this title.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_declared<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    type_: NameKey<'db>,
    title: NameKey<'db>,
) -> bool {
    let title = unique_title(type_.text(db), title.text(db));
    let directory = format!("{title}/");
    let same = unique_title(type_.text(db), &directory) == title;
    let titles = [Some(title.to_owned()), same.then_some(directory)];
    titles.into_iter().flatten().any(|title| {
        let resource = (type_.text(db).clone(), title);
        is_declared_in_environment(db, environment, &resource)
    })
}
