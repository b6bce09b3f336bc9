//! Implicit names: plain values that the context turns into names, such as arguments of certain
//! functions, hash keys and queries of collectors.

use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::ast::{
    AccessExpr, AstNode, AttributeSplat, BinaryExpr, CallExpr, CollectExpr, CollectQuery, Expr,
    HashEntry, MethodCall, ResourceBody, ResourceExpr, ResourceOverride,
};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, WalkEvent};

use super::interpolated::{self, InterpolatedName};
use hir::body::{PathKind, ReferenceName, body};
use hir::{Item, canonical_name};
use library::{KnownFunction as F, NamedEntity, products};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ImplicitName {
    /// The range in the tree of the item, including quotes.
    pub(crate) range: TextRange,
    /// Whether the symbol is assigned here.
    pub(crate) writes: bool,
    /// The kind, with the name.
    pub(crate) kind: ImplicitNameKind,
}

/// The kind of an [`ImplicitName`], with the name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ImplicitNameKind {
    /// `$facts['x']`, `fact('x.y')`.
    Fact(String),
    /// `getvar('a::x.y')`, `defined('$x')`: the variable, and the range of the function name.
    Variable(String, TextRange),
    /// `lookup('a::b.c')`: the root key of data.
    DataKey(String),
    /// `defined('a::b')`, in canonical form.
    Defined(String),
    /// `create_resources('class', { 'a::b' => … })`, in canonical form.
    Class(String),
    /// An attribute outside of the attribute syntax, such as a hash key.
    Attribute {
        /// The type, in canonical form.
        type_: String,
        /// The title, if it is known.
        title: Option<String>,
        /// The attribute.
        name: String,
    },
    /// `run_plan('a::b')`, in canonical form.
    Plan(String),
    /// `run_plan('a::b', 'x' => …)`: the plan and the parameter.
    PlanParameter(String, String),
    /// `run_task('a::b')`, in canonical form.
    Task(String),
    /// `run_task('a::b', $t, 'x' => …)`: the task and the parameter.
    TaskParameter(String, String),
    /// `upload_file('a/b')`, `run_script('a/b')`: the path.
    SentFile(String),
    /// `epp('a/b', { 'x' => … })`: the path and the parameter.
    TemplateParameter(String, String),
    /// `* => $x`, `create_resources('a::b', $x)`, `epp('a/b', $x)`: computed parameters; the class,
    /// defined type, plan or template path that receives them.
    ComputedParameters(String),
    /// `include "a::${x}"`: an interpolated name.
    Interpolated(InterpolatedName),
}

/// Returns the implicit names of an item.
#[salsa::tracked]
pub(crate) fn implicit_names<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<ImplicitName> {
    let root = item.syntax(db);
    let mut found = ImplicitNameCollector {
        names: Vec::new(),
        templates: templates_of(db, item),
    };
    let mut walk = root.preorder();
    while let Some(event) = walk.next() {
        let WalkEvent::Enter(node) = event else {
            continue;
        };
        if node != root && syntax::ast::Definition::can_cast(node.kind()) {
            walk.skip_subtree();
            continue;
        }
        found.node(&node);
    }
    found.names
}

/// Returns the paths of EPP templates in an item, by their ranges. A path may start with `${module_name}`.
fn templates_of<'db>(db: &'db dyn Database, item: Item<'db>) -> FxHashMap<TextRange, &'db str> {
    let references = body(db, item).references.iter();
    let paths = references.filter_map(|it| match &it.name {
        ReferenceName::Path(PathKind::Epp, path) => Some((it.range, path.as_str())),
        _ => None,
    });
    paths.collect()
}

/// A literal string and its range.
type LiteralString = (String, TextRange);

/// Returns the resource type that a string names in canonical form, without leading `@` or `@@`.
pub(super) fn resource_type(text: &str) -> String {
    canonical_name(text.trim_start_matches('@'))
}

/// Returns the value and range of a literal string or bare word.
pub(super) fn literal_string(expr: &Expr) -> Option<LiteralString> {
    let range = expr.syntax().text_range();
    match expr {
        Expr::StringLiteral(it) => Some((it.value(), range)),
        Expr::QualifiedName(it) => Some((it.text(), range)),
        _ => None,
    }
}

/// Returns the entries of a hash literal.
pub(super) fn entries(expr: &Expr) -> Vec<HashEntry> {
    match expr {
        Expr::HashExpr(it) => it.entries().collect(),
        Expr::UnbracedHash(it) => it.entries().collect(),
        _ => Vec::new(),
    }
}

fn keys(expr: &Expr) -> Vec<LiteralString> {
    let keys = entries(expr).into_iter().filter_map(|it| it.key());
    keys.filter_map(|it| literal_string(&it)).collect()
}

/// Returns the value of `name` in the options of a lookup; it is not a hash.
fn option_name(options: &Expr) -> Option<Expr> {
    let mut entries = entries(options).into_iter();
    let is_name = |it: &HashEntry| {
        let key = it.key().as_ref().and_then(literal_string);
        key.is_some_and(|it| it.0 == "name")
    };
    let name = entries.find(is_name)?.value()?;
    let is_hash = matches!(name, Expr::HashExpr(_) | Expr::UnbracedHash(_));
    (!is_hash).then_some(name)
}

/// Checks whether an expression is a hash literal with literal keys only.
fn has_literal_keys(expr: &Expr) -> bool {
    let is_hash = matches!(expr, Expr::HashExpr(_) | Expr::UnbracedHash(_));
    let is_known = |it: HashEntry| it.key().as_ref().and_then(literal_string).is_some();
    is_hash && entries(expr).into_iter().all(is_known)
}

/// The receiver of computed parameters that are those of a template with a computed path.
pub(crate) const ANY_TEMPLATE: &str = "epp()";

struct ImplicitNameCollector<'a> {
    names: Vec<ImplicitName>,
    /// The paths of EPP templates by their ranges.
    templates: FxHashMap<TextRange, &'a str>,
}

impl ImplicitNameCollector<'_> {
    fn add(&mut self, range: TextRange, writes: bool, kind: ImplicitNameKind) {
        self.names.push(ImplicitName {
            range,
            writes,
            kind,
        });
    }

    fn interpolated(&mut self, names: Vec<InterpolatedName>) {
        for name in names {
            let range = TextRange::empty(name.range.end());
            self.add(range, false, ImplicitNameKind::Interpolated(name));
        }
    }

    fn node(&mut self, node: &SyntaxNode) {
        match node.kind() {
            SyntaxKind::ACCESS_EXPR => self.access(node),
            SyntaxKind::CALL_EXPR => {
                let call = CallExpr::cast(node.clone());
                if let Some((name, call)) = call.and_then(|it| Some((it.name_token()?, it))) {
                    self.call(&name, &call.arguments());
                }
            }
            SyntaxKind::METHOD_CALL => {
                let call = MethodCall::cast(node.clone());
                if let Some((name, call)) = call.and_then(|it| Some((it.name_token()?, it))) {
                    let arguments = call.receiver().into_iter().chain(call.arguments());
                    self.call(&name, &arguments.collect::<Vec<_>>());
                }
            }
            SyntaxKind::RESOURCE_BODY => self.title(node),
            SyntaxKind::ATTRIBUTE_SPLAT => self.splat(node),
            SyntaxKind::COLLECT_QUERY => self.query(node),
            _ => {}
        }
    }

    /// `$facts['x']`, and `A::B['title']['x']`.
    fn access(&mut self, node: &SyntaxNode) {
        let Some(access) = AccessExpr::cast(node.clone()) else {
            return;
        };
        let (Some(base), keys) = (access.base(), access.keys()) else {
            return;
        };
        self.interpolated(interpolated::in_reference(&base, &keys));
        let [key] = keys.as_slice() else { return };
        let Some((name, range)) = literal_string(key) else {
            return;
        };
        match base {
            Expr::VariableExpr(it) => {
                let is_facts = it
                    .name()
                    .is_some_and(|it| it.trim_start_matches("::") == "facts");
                if is_facts {
                    self.add(range, false, ImplicitNameKind::Fact(name));
                }
            }
            Expr::AccessExpr(resource) => {
                if let Some((type_, title)) = resource_reference(&resource) {
                    let name = ImplicitNameKind::Attribute { type_, title, name };
                    self.add(range, false, name);
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, name: &SyntaxToken, arguments: &[Expr]) {
        let function = canonical_name(name.text());
        self.interpolated(interpolated::in_call(&function, arguments));
        let first = arguments.first().and_then(literal_string);
        if let Some((path, range)) = &first
            && products::reads_module_file(&function)
        {
            self.add(*range, false, ImplicitNameKind::SentFile(path.clone()));
        }
        let Some(known) = F::from_name(&function) else {
            return;
        };
        match (known, first) {
            (F::Epp, _) => self.template(arguments),
            (F::Fact, Some((path, range))) => {
                let fact = path.split('.').next().unwrap_or_default();
                self.add(range, false, ImplicitNameKind::Fact(fact.to_owned()));
            }
            (F::Getvar, Some((path, range))) => {
                let variable = path.split('.').next().unwrap_or_default().to_owned();
                self.add(
                    range,
                    false,
                    ImplicitNameKind::Variable(variable, name.text_range()),
                );
            }
            (known, _) if known.names() == Some(NamedEntity::DataKey) => {
                self.data_keys(arguments.first());
            }
            (F::Defined, _) => self.defined(name, arguments),
            (F::RunPlan, Some((plan, range))) => {
                let plan = canonical_name(&plan);
                self.add(range, false, ImplicitNameKind::Plan(plan.clone()));
                for (name, range) in arguments.iter().skip(1).flat_map(keys) {
                    self.add(
                        range,
                        true,
                        ImplicitNameKind::PlanParameter(plan.clone(), name),
                    );
                }
                self.computed_parameters(&plan, arguments.get(1));
                self.computed_parameters(&plan, arguments.get(2));
            }
            (F::RunTask | F::RunTaskWith, Some((task, range))) => {
                let task = canonical_name(&task);
                self.add(range, false, ImplicitNameKind::Task(task.clone()));
                for (name, range) in arguments.iter().skip(2).flat_map(keys) {
                    let name = ImplicitNameKind::TaskParameter(task.clone(), name);
                    self.add(range, true, name);
                }
            }
            (F::EnsureResource, Some((type_, _))) => {
                let title = arguments.get(1).and_then(literal_string).map(|it| it.0);
                let attributes = arguments.get(2).map(keys).unwrap_or_default();
                self.attributes(&type_, title.as_deref(), attributes);
                self.computed_resource(&type_, title.as_deref(), arguments.get(2));
            }
            (F::CreateResources | F::EnsureResources, Some((type_, _))) => {
                self.resources(&type_, arguments);
            }
            _ => {}
        }
    }

    /// Adds the parameters that `epp` passes to a template.
    fn template(&mut self, arguments: &[Expr]) {
        let [first, hash, ..] = arguments else { return };
        let path = self.templates.get(&first.syntax().text_range());
        let path = path.map(|it| (*it).to_owned());
        let Some(path) = path.or_else(|| Some(literal_string(first)?.0)) else {
            let name = ImplicitNameKind::ComputedParameters(ANY_TEMPLATE.to_owned());
            let end = hash.syntax().text_range().end();
            return self.add(TextRange::empty(end), false, name);
        };
        for (name, range) in keys(hash) {
            let name = ImplicitNameKind::TemplateParameter(path.clone(), name);
            self.add(range, true, name);
        }
        self.computed_parameters(&path, Some(hash));
    }

    /// Adds a lookup key, or each key of an array of alternatives.
    fn data_keys(&mut self, argument: Option<&Expr>) {
        let keys = match argument {
            Some(Expr::ArrayExpr(it)) => it.elements().collect(),
            Some(it @ (Expr::HashExpr(_) | Expr::UnbracedHash(_))) => {
                return self.data_keys(option_name(it).as_ref());
            }
            Some(it) => vec![it.clone()],
            None => Vec::new(),
        };
        for (root, range) in keys.iter().filter_map(interpolated::literal_root) {
            self.add(range, false, ImplicitNameKind::DataKey(root));
        }
        for (key, range) in keys.iter().filter_map(literal_string) {
            if let Some(key) = hiera::LookupKey::parse(&key) {
                self.add(
                    range,
                    false,
                    ImplicitNameKind::DataKey(key.root.to_string()),
                );
            }
        }
    }

    fn defined(&mut self, name: &SyntaxToken, arguments: &[Expr]) {
        for (argument, range) in arguments.iter().filter_map(literal_string) {
            let named = match argument.strip_prefix('$') {
                Some(variable) => {
                    ImplicitNameKind::Variable(variable.to_owned(), name.text_range())
                }
                None => ImplicitNameKind::Defined(canonical_name(&argument)),
            };
            self.add(range, false, named);
        }
    }

    /// `create_resources(type, { title => { attribute => … } }, { attribute => … })`.
    fn resources(&mut self, type_: &str, arguments: &[Expr]) {
        let is_class = resource_type(type_) == "class";
        for entry in arguments.get(1).map(entries).unwrap_or_default() {
            let title = entry.key().as_ref().and_then(literal_string);
            if let Some((title, range)) = title.clone().filter(|_| is_class) {
                self.add(
                    range,
                    false,
                    ImplicitNameKind::Class(canonical_name(&title)),
                );
            }
            let title = title.map(|it| it.0);
            let attributes = entry.value().map(|it| keys(&it)).unwrap_or_default();
            self.attributes(type_, title.as_deref(), attributes);
            self.computed_resource(type_, title.as_deref(), entry.value().as_ref());
        }
        let defaults = arguments.get(2).map(keys).unwrap_or_default();
        self.attributes(type_, None, defaults);
        self.computed_resource(type_, None, arguments.get(1));
        self.computed_resource(type_, None, arguments.get(2));
    }

    /// Adds a marker if the parameters are not all literal.
    fn computed_parameters(&mut self, receiver: &str, parameters: Option<&Expr>) {
        if let Some(it) = parameters.filter(|it| !has_literal_keys(it)) {
            let name = ImplicitNameKind::ComputedParameters(receiver.to_owned());
            self.add(
                TextRange::empty(it.syntax().text_range().end()),
                false,
                name,
            );
        }
    }

    fn computed_resource(&mut self, type_: &str, title: Option<&str>, parameters: Option<&Expr>) {
        let type_ = resource_type(type_);
        match title {
            Some(title) if type_ == "class" => {
                self.computed_parameters(&canonical_name(title), parameters)
            }
            _ => self.computed_parameters(&type_, parameters),
        }
    }

    fn attributes(&mut self, type_: &str, title: Option<&str>, attributes: Vec<LiteralString>) {
        let type_ = resource_type(type_);
        for (name, range) in attributes {
            let name = ImplicitNameKind::Attribute {
                type_: type_.clone(),
                title: title.map(str::to_owned),
                name,
            };
            self.add(range, true, name);
        }
    }

    /// `class { "…": }`.
    fn title(&mut self, node: &SyntaxNode) {
        let resource = node.parent().and_then(ResourceExpr::cast);
        let is_class = resource.is_some_and(|it| it.class_keyword().is_some());
        let title = ResourceBody::cast(node.clone()).and_then(|it| it.title());
        if let Some(title) = title.filter(|_| is_class) {
            self.interpolated(interpolated::in_title(title));
        }
    }

    /// `* => { 'x' => … }`.
    fn splat(&mut self, node: &SyntaxNode) {
        let hash = AttributeSplat::cast(node.clone()).and_then(|it| it.value());
        let attributes = hash.as_ref().map(keys).unwrap_or_default();
        if let Some((type_, title)) = node.parent().and_then(enclosing_resource) {
            self.attributes(&type_, title.as_deref(), attributes);
            self.computed_resource(&type_, title.as_deref(), hash.as_ref());
        }
    }

    /// `A::B <| x == 1 |>`.
    fn query(&mut self, node: &SyntaxNode) {
        let query = CollectQuery::cast(node.clone());
        let collector = node.parent().and_then(CollectExpr::cast);
        let type_ = collector.and_then(|it| it.type_expr());
        let (Some(query), Some(Expr::QualifiedReference(type_))) = (query, type_) else {
            return;
        };
        let type_ = canonical_name(&type_.text());
        let conditions = query.syntax().descendants().filter_map(BinaryExpr::cast);
        for condition in conditions {
            let operator = condition.operator().map(|it| it.kind());
            let compares = matches!(operator, Some(SyntaxKind::EQ_EQ | SyntaxKind::NOT_EQ));
            if let Some(Expr::QualifiedName(it)) = condition.lhs().filter(|_| compares)
                && !matches!(it.text().as_str(), "title" | "tag")
            {
                let name = ImplicitNameKind::Attribute {
                    type_: type_.clone(),
                    title: None,
                    name: it.text(),
                };
                self.add(it.syntax().text_range(), false, name);
            }
        }
    }
}

/// Returns the type and title of `A::B['title']`.
fn resource_reference(access: &AccessExpr) -> Option<(String, Option<String>)> {
    let Some(Expr::QualifiedReference(type_)) = access.base() else {
        return None;
    };
    let keys = access.keys();
    let title = match keys.as_slice() {
        [only] => literal_string(only).map(|it| it.0),
        _ => None,
    };
    Some((canonical_name(&type_.text()), title))
}

/// Returns the type and title of the resource that a list of attributes belongs to.
fn enclosing_resource(node: SyntaxNode) -> Option<(String, Option<String>)> {
    if let Some(changed) = ResourceOverride::cast(node.clone()) {
        return match changed.resources()? {
            Expr::AccessExpr(it) => resource_reference(&it),
            _ => None,
        };
    }
    let body = ResourceBody::cast(node)?;
    let title = body
        .title()
        .as_ref()
        .and_then(literal_string)
        .map(|it| it.0);
    let resource = ResourceExpr::cast(body.syntax().parent()?)?;
    let type_ = match resource.class_keyword() {
        Some(_) => "class".to_owned(),
        None => canonical_name(&literal_string(&resource.type_name()?)?.0),
    };
    Some((type_, title))
}
