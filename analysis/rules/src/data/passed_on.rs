//! The uses of the hash in a parameter: code declares resources with the entries, or passes the hash on to another class
//! or defined type.

use base::{EnvironmentInput, ModuleInput};
use hir::autoload::module_puppet_files;
use hir::other_versions::is_other_version;
use hir::resolve::{Definition, class, resource_type};
use hir::{Item, ItemKind, items, signature};
use infer::{WorkspaceTypes, declared_parameters};
use library::KnownFunction;
use library::signatures::{Attribute as TypeAttribute, ResourceType};
use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::ast::{
    AstNode, AttributeOperation, Expr, HasParameters, IfExpr, Lambda, MethodCall, Parameter,
    ResourceBody, ResourceExpr, VariableExpr,
};
use syntax::{SyntaxKind, SyntaxNode};
use types::{StructElement, Type};

/// How many classes a value is followed through.
const MAX_CLASSES: usize = 4;

/// A use of the value of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
struct PassedOn {
    to: Target,
    /// Whether the code always runs when the class of the parameter is declared, and the value is not empty.
    is_certain: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Target {
    /// The entries are resources of a type, by title.
    Resources(String),
    /// The value is that of a parameter of a class or defined type.
    Parameter(String, String),
}

/// Resources that the entries of a hash declare.
pub(crate) struct EntryType {
    /// The name of the type.
    pub(crate) name: String,
    /// Whether it is a defined type.
    pub(crate) is_defined: bool,
    /// The names of its parameters or attributes.
    pub(crate) known: Vec<String>,
    /// The type of the hash, and that of an entry.
    pub(crate) type_: Type,
    pub(crate) entry: Type,
    pub(crate) is_certain: bool,
}

/// Returns the resource types whose instances code declares with the entries of a parameter, by the key of the
/// parameter.
pub(crate) fn entry_types(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Vec<EntryType> {
    let mut found = Vec::new();
    let mut open = vec![(key.to_owned(), true, MAX_CLASSES)];
    while let Some((key, is_certain, left)) = open.pop() {
        let module = key.split("::").next().unwrap_or_default();
        let Some(module) = environment.modules(db).get(module) else {
            continue;
        };
        let uses = passed_on_in_module(db, *module);
        for it in uses.get(&key).into_iter().flatten() {
            let is_certain = is_certain && it.is_certain;
            match &it.to {
                Target::Resources(name) => {
                    found.extend(entry_type(db, environment, name, is_certain));
                }
                Target::Parameter(owner, name) if left > 0 => {
                    open.push((format!("{owner}::{name}"), is_certain, left - 1));
                }
                Target::Parameter(..) => {}
            }
        }
    }
    found
}

fn entry_type(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
    is_certain: bool,
) -> Option<EntryType> {
    let module = name.split("::").next().unwrap_or(name);
    let definition = resource_type(db, Some(environment), name).ok()?;
    if is_other_version(db, Some(environment), None, module) {
        return None;
    }
    let (own, is_defined) = match &definition {
        Definition::Item(item) if item.kind(db) == ItemKind::DefinedType => {
            let own = declared_parameters(db, *item).iter();
            let own = own.cloned();
            (own.collect::<Vec<_>>(), true)
        }
        Definition::ResourceType(type_) if type_.declared().complete => {
            (attributes(db, environment, type_.declared()), false)
        }
        _ => return None,
    };
    let known = own.iter().map(|it| it.0.clone()).collect();
    let shared = library::metaparameters().iter().map(|it| it.name.as_str());
    let shared = shared.chain(["name", "provider"]);
    let shared = shared.filter(|name| !own.iter().any(|it| it.0 == *name));
    let shared = shared.filter(|it| !(is_defined && *it == "provider"));
    let shared: Vec<_> = shared.map(|it| (it.to_owned(), Type::Any)).collect();
    let elements = own.into_iter().chain(shared);
    let elements = elements.map(|(name, type_)| StructElement::optional(name.as_str(), type_));
    let entry = Type::structure(elements.collect::<Vec<_>>());
    Some(EntryType {
        name: name.to_owned(),
        is_defined,
        known,
        type_: Type::hash(Type::Any, entry.clone(), None),
        entry,
        is_certain,
    })
}

/// Returns the attributes of a resource type with the values that they accept.
fn attributes(
    db: &dyn Database,
    environment: EnvironmentInput,
    type_: &ResourceType,
) -> Vec<(String, Type)> {
    let types = WorkspaceTypes::new(db, Some(environment));
    let attributes = type_.attributes.iter();
    attributes
        .map(|it| (it.name.clone(), accepted_strings(it, &types)))
        .collect()
}

/// Returns the values that an attribute accepts, and all values other than strings: those may be converted.
fn accepted_strings(attribute: &TypeAttribute, types: &WorkspaceTypes<'_>) -> Type {
    let accepted = match &attribute.accepts {
        Some(accepts) => types.read_text(&accepts.type_),
        None if attribute.closed && attribute.patterns.is_empty() => {
            let values = attribute.values.iter().map(String::as_str);
            (!attribute.values.is_empty()).then(|| Type::enumeration(values))
        }
        None => None,
    };
    let Some(accepted) = accepted else {
        return Type::Any;
    };
    let others = [
        Type::Undef,
        Type::BOOLEAN,
        Type::INTEGER,
        Type::FLOAT,
        Type::array(Type::Any, None),
        Type::hash(Type::Any, Type::Any, None),
    ];
    Type::variant(others.into_iter().chain([accepted]))
}

/// Returns what the code of a module does with the values of its parameters, by their keys.
#[salsa::tracked(returns(ref))]
fn passed_on_in_module(db: &dyn Database, module: ModuleInput) -> FxHashMap<String, Vec<PassedOn>> {
    let mut found: FxHashMap<String, Vec<PassedOn>> = FxHashMap::default();
    for file in module_puppet_files(db, module) {
        for item in items(db, *file) {
            for (key, it) in passed_on_by(db, *item) {
                found.entry(key.clone()).or_default().push(it.clone());
            }
        }
    }
    found
}

/// Returns what an item does with the values of parameters: its own, and those of classes that it reads.
#[salsa::tracked(returns(ref))]
fn passed_on_by<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<(String, PassedOn)> {
    if !item.kind(db).is_declarable() {
        return Vec::new();
    }
    let scope = ItemScope { db, item };
    let mut found = Vec::new();
    for node in item.syntax(db).descendants() {
        match node.kind() {
            SyntaxKind::CALL_EXPR => scope.add_call(&node, &mut found),
            SyntaxKind::METHOD_CALL => scope.add_each(&node, &mut found),
            SyntaxKind::RESOURCE_EXPR => scope.add_resource(&node, &mut found),
            SyntaxKind::PARAMETER => scope.add_default(&node, &mut found),
            _ => {}
        }
    }
    found
}

/// An item whose variables are parameters.
struct ItemScope<'db> {
    db: &'db dyn Database,
    item: Item<'db>,
}

impl ItemScope<'_> {
    /// Adds `create_resources('type', $parameter)`.
    fn add_call(&self, node: &SyntaxNode, found: &mut Vec<(String, PassedOn)>) {
        use KnownFunction::{CreateResources, EnsureResources};
        let call = Expr::cast(node.clone()).and_then(|it| it.named_call());
        let Some((name, arguments)) = call else {
            return;
        };
        let function = KnownFunction::from_name(name.text());
        if !matches!(function, Some(CreateResources | EnsureResources)) {
            return;
        }
        let [type_, Expr::VariableExpr(variable), ..] = arguments.as_slice() else {
            return;
        };
        if let Some(type_) = type_.plain_text() {
            self.add(variable, node, resources(&type_), found);
        }
    }

    /// Adds `$parameter.each |$title, $attributes| { type { $title: * => $attributes } }`.
    fn add_each(&self, node: &SyntaxNode, found: &mut Vec<(String, PassedOn)>) {
        let Some(call) = MethodCall::cast(node.clone()) else {
            return;
        };
        let name = call.name_token();
        let function = name.and_then(|it| KnownFunction::from_name(it.text()));
        let (Some(KnownFunction::Each), Some(Expr::VariableExpr(variable)), Some(lambda)) =
            (function, call.receiver(), call.lambda())
        else {
            return;
        };
        let parameters: Vec<_> = lambda
            .parameters()
            .into_iter()
            .filter_map(|it| it.name())
            .collect();
        let [_, attributes] = parameters.as_slice() else {
            return;
        };
        for resource in lambda.syntax().descendants().filter_map(ResourceExpr::cast) {
            let Some(type_) = resource.type_name().and_then(|it| it.plain_text()) else {
                continue;
            };
            // Another lambda or a condition may decide.
            let around = resource.syntax().ancestors().skip(1);
            let is_direct = around
                .take_while(|it| it != lambda.syntax())
                .all(|it| !is_conditional(it.kind()));
            let is_splat =
                |it: &ResourceBody| it.operations().any(|it| is_splat_of(&it, attributes));
            if is_direct && resource.bodies().any(|it| is_splat(&it)) {
                self.add(&variable, node, resources(&type_), found);
            }
        }
    }

    /// Adds `class { 'c': parameter => $parameter }`.
    fn add_resource(&self, node: &SyntaxNode, found: &mut Vec<(String, PassedOn)>) {
        let Some(resource) = ResourceExpr::cast(node.clone()) else {
            return;
        };
        let is_class = resource.class_keyword().is_some();
        let type_ = resource.type_name().and_then(|it| it.plain_text());
        for body in resource.bodies() {
            let title = || body.title().and_then(|it| it.plain_text());
            let owner = match is_class {
                true => title(),
                false => type_.clone(),
            };
            let Some(owner) = owner.map(|it| hir::canonical_name(&it)) else {
                continue;
            };
            for operation in body.operations() {
                let AttributeOperation::Attribute(attribute) = operation else {
                    continue;
                };
                if let (Some(name), Some(Expr::VariableExpr(variable))) =
                    (attribute.name_token(), attribute.value())
                {
                    let to = Target::Parameter(owner.clone(), name.text().to_owned());
                    self.add(&variable, node, to, found);
                }
            }
        }
    }

    /// Adds a parameter of a class that has the value of another one by default.
    fn add_default(&self, node: &SyntaxNode, found: &mut Vec<(String, PassedOn)>) {
        let Some(parameter) = Parameter::cast(node.clone()) else {
            return;
        };
        let is_own = node.ancestors().all(|it| it.kind() != SyntaxKind::LAMBDA);
        if let (Some(name), Some(Expr::VariableExpr(variable)), true) =
            (parameter.name(), parameter.default(), is_own)
        {
            let owner = hir::canonical_name(self.item.name(self.db));
            self.add(&variable, node, Target::Parameter(owner, name), found);
        }
    }

    fn add(
        &self,
        variable: &VariableExpr,
        at: &SyntaxNode,
        to: Target,
        found: &mut Vec<(String, PassedOn)>,
    ) {
        let Some((key, is_own)) = variable.name().and_then(|it| self.key(&it, at)) else {
            return;
        };
        let is_certain = is_own && self.item.kind(self.db) == ItemKind::Class;
        let is_default = at.kind() == SyntaxKind::PARAMETER;
        let is_certain = is_certain && !is_default && always_runs(at, variable);
        found.push((key, PassedOn { to, is_certain }));
    }

    /// Returns the key of the parameter that a variable is, and whether it is one of the item.
    fn key(&self, name: &str, at: &SyntaxNode) -> Option<(String, bool)> {
        let name = name.trim_start_matches("::");
        if let Some((owner, _)) = name.rsplit_once("::") {
            let environment = self.item.file(self.db).environment(self.db);
            let is_class = class(self.db, environment, owner).is_ok();
            return is_class.then(|| (name.to_owned(), false));
        }
        let mut lambdas = at.ancestors().filter_map(Lambda::cast);
        let is_own = signature(self.db, self.item).parameter(name).is_some();
        let is_hidden = lambdas.any(|it| {
            let mut names = it.parameters().into_iter().filter_map(|it| it.name());
            names.any(|it| it == name)
        });
        let owner = hir::canonical_name(self.item.name(self.db));
        (is_own && !is_hidden).then(|| (format!("{owner}::{name}"), true))
    }
}

fn resources(type_: &str) -> Target {
    Target::Resources(hir::canonical_name(type_.trim_start_matches('@')))
}

/// Checks for `* => $name`.
fn is_splat_of(operation: &AttributeOperation, name: &str) -> bool {
    let AttributeOperation::AttributeSplat(splat) = operation else {
        return false;
    };
    match splat.value() {
        Some(Expr::VariableExpr(it)) => it.name().is_some_and(|it| it == name),
        _ => false,
    }
}

/// Checks whether code runs whenever its item is evaluated, except if it tests the variable alone.
fn always_runs(at: &SyntaxNode, variable: &VariableExpr) -> bool {
    let around = at.ancestors().skip(1);
    let mut conditions = around.filter(|it| is_conditional(it.kind()));
    let is_test = |it: SyntaxNode| {
        let condition = IfExpr::cast(it).and_then(|it| it.condition());
        matches!(condition, Some(Expr::VariableExpr(it)) if it.name() == variable.name())
    };
    conditions.all(is_test)
}

fn is_conditional(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::IF_EXPR
            | SyntaxKind::UNLESS_EXPR
            | SyntaxKind::CASE_EXPR
            | SyntaxKind::SELECTOR_EXPR
            | SyntaxKind::LAMBDA
            | SyntaxKind::ELSE_CLAUSE
    )
}

#[cfg(test)]
mod tests {
    use crate::data::tests::messages;
    use crate::rules::DATA_MISMATCH;

    fn check(code: &str, data: &str) -> Vec<String> {
        let from = if code.contains("config") {
            "hosts"
        } else {
            "enabled"
        };
        let code = format!(
            "//- modules/ntp/manifests/init.pp\nclass ntp (Hash $hosts = {{}}, $enabled = false) {{ {code} }}\n\
             //- modules/ntp/manifests/host.pp\ndefine ntp::host (String $address, Integer $port = 1) {{ }}\n\
             //- modules/ntp/manifests/all.pp\n\
             class ntp::all (Hash $all) {{ create_resources('ntp::host', $all) }}\n\
             //- modules/ntp/manifests/config.pp\n\
             class ntp::config ($all = $ntp::{from}) {{ create_resources('ntp::host', $all) }}\n\
             //- modules/ntp/manifests/other.pp\nclass ntp::other {{ notice($ntp::enabled) }}\n\
             //- data/common.yaml\nntp::hosts:\n  a:\n    {data}\n"
        );
        messages(&DATA_MISMATCH, &code)
    }

    #[test]
    fn checks_the_entries_of_hashes_that_declare_resources() {
        for code in [
            "create_resources('ntp::host', $hosts)",
            "if $hosts { create_resources('@ntp::host', $hosts, { 'port' => 2 }) }",
            "$hosts.each |String $k, Hash $v| { ntp::host { $k: * => $v } }",
            "class { 'ntp::all': all => $hosts }",
            "if $enabled { create_resources(ntp::host, $ntp::hosts) }",
            "include ntp::config",
        ] {
            assert_eq!(
                check(code, "port: '1'"),
                ["`'1'`: parameter `port` of `ntp::host` expects `Integer`, found `'1'`"],
                "{code}"
            );
            assert_eq!(
                check(code, "adress: x"),
                [
                    "`adress`: no parameter `adress` on defined type `ntp::host`; did you mean `address`?"
                ],
                "{code}"
            );
            for data in [
                "{address: a, port: 1}",
                "{port: ~, require: 'File[a]'}",
                "{address: \"%{x}\"}",
            ] {
                assert_eq!(check(code, data), [""; 0], "{code} {data}");
            }
        }
    }

    #[test]
    fn checks_entries_whose_titles_have_interpolations() {
        let code = "create_resources('ntp::host', $hosts)";
        let data = "{address: a}\n  \"%{facts.fqdn}\":\n    adress: b";
        assert_eq!(check(code, data).len(), 1);
        let data = "{address: a}\n  \"%{facts.fqdn}\":\n    \"%{facts.a}\": b";
        assert_eq!(check(code, data), [""; 0]);
    }

    #[test]
    fn checks_the_attributes_of_resource_types() {
        let code = "create_resources('file', $hosts)";
        assert_eq!(
            check(code, "mod: '0644'"),
            ["`mod`: no attribute `mod` on `file`; did you mean `mode`?"]
        );
        assert_eq!(
            check(code, "{mode: '0644', ensure: /target, owner: 1, name: a}"),
            [""; 0]
        );
        let code = "ensure_resources('service', $hosts)";
        assert_eq!(check(code, "ensure: started").len(), 1);
        assert_eq!(check(code, "{ensure: true, enable: 'true'}"), [""; 0]);
    }

    #[test]
    fn ignores_hashes_that_code_may_change() {
        for code in [
            "create_resources('ntp::host', $hosts + {})",
            "create_resources($enabled, $hosts)",
            "create_resources('class', $hosts)",
            "$hosts.each |$k, $v| { ntp::host { $k: * => $v - 'port' } }",
            "$hosts.each |$k, $v| { if $v { ntp::host { $k: * => $v } } }",
            "$hosts.each |$v| { ntp::host { 'a': * => $v } }",
            "[1].each |$hosts| { create_resources('ntp::host', $hosts) }",
            "notice($hosts)",
        ] {
            assert_eq!(check(code, "{port: '1', adress: x}"), [""; 0], "{code}");
        }
    }
}
