//! The virtual resources of an environment, and what makes them real.

use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::module_puppet_files;
use hir::canonical_name;
use hir::declared_resources::unique_title;
use library::KnownFunction;
use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::ast::{
    AccessExpr, AstNode, BinaryExpr, CollectExpr, Expr, ResourceBody, ResourceExpr, VirtualExpr,
};
use syntax::{SyntaxKind, SyntaxNode};

use crate::index::possible_tags::is_possible;
use crate::resource_attributes::{declared_type, named_attribute};

/// Resources of a type: with this title, or with any.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Resources {
    /// The type in lower case; `None` for any.
    pub(crate) type_name: Option<String>,
    /// `None` for any title, or one that is unknown.
    pub(crate) title: Option<String>,
}

impl Resources {
    pub(crate) fn new(type_name: &str, title: Option<&str>) -> Resources {
        let type_name = canonical_name(type_name);
        Resources {
            title: title.map(|it| unique_title(&type_name, it).to_owned()),
            type_name: Some(type_name),
        }
    }

    const ANY: Resources = Resources {
        type_name: None,
        title: None,
    };

    /// Checks whether a resource may be among both.
    pub(crate) fn may_overlap(&self, other: &Resources) -> bool {
        let fits = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
        fits(&self.type_name, &other.type_name) && fits(&self.title, &other.title)
    }
}

/// A condition of a collector: the values that an attribute, or a tag, may have.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Condition {
    attribute: String,
    values: Vec<String>,
}

impl Condition {
    /// Returns the equality tests that a query contains.
    fn all_of(expr: &Expr) -> Vec<Condition> {
        let operations = expr.syntax().descendants().filter_map(BinaryExpr::cast);
        let comparisons = operations.filter(|it| {
            it.operator()
                .is_some_and(|it| it.kind() == SyntaxKind::EQ_EQ)
        });
        let attributes = comparisons.filter_map(|it| Some(it.lhs()?.syntax().text().to_string()));
        let conditions = attributes.filter_map(|attribute| {
            let values = values_in(expr, &attribute)?;
            Some(Condition { attribute, values })
        });
        conditions.collect()
    }

    /// Checks whether a resource with these attributes may meet the condition. Other code may set those that are not
    /// literal.
    fn may_be_met(
        &self,
        db: &dyn Database,
        environment: EnvironmentInput,
        body: Option<&ResourceBody>,
    ) -> bool {
        if self.attribute == library::TAG {
            return self
                .values
                .iter()
                .any(|it| is_possible(db, environment, it));
        }
        let given = body.and_then(|it| named_attribute(it.syntax(), &self.attribute));
        let given = given.and_then(|it| it.value()?.plain_text());
        given.is_none_or(|given| self.values.iter().any(|it| it.eq_ignore_ascii_case(&given)))
    }
}

/// The virtual resources in code, and what makes them real.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct VirtualIndex {
    /// The virtual and exported resources.
    virtual_: FxHashSet<Resources>,
    /// The other resources.
    real: FxHashSet<Resources>,
    /// The arguments of `realize`, and what collectors select.
    selected: FxHashSet<Resources>,
    /// The selections of collectors by attributes, with the conditions that have to be met.
    conditional: FxHashSet<(Resources, Vec<Condition>)>,
}

impl VirtualIndex {
    fn add(&mut self, node: &SyntaxNode) {
        match node.kind() {
            SyntaxKind::RESOURCE_EXPR => {
                let is_virtual = node
                    .parent()
                    .is_some_and(|it| VirtualExpr::can_cast(it.kind()));
                let declared = ResourceExpr::cast(node.clone()).map(|it| declared_by(&it));
                self.declared(is_virtual)
                    .extend(declared.into_iter().flatten());
            }
            SyntaxKind::COLLECT_EXPR => {
                if let Some(collector) = CollectExpr::cast(node.clone()) {
                    self.add_collector(&collector);
                }
            }
            SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL => self.add_call(node),
            _ => {}
        }
    }

    fn add_collector(&mut self, collector: &CollectExpr) {
        let selected = selected_by(collector).unwrap_or_else(|| vec![Resources::ANY]);
        let condition = collector.query().and_then(|it| it.expr());
        let conditions = condition.map_or_else(Vec::new, |it| Condition::all_of(&it));
        match conditions.is_empty() {
            true => self.selected.extend(selected),
            false => {
                let each = selected.into_iter().map(|it| (it, conditions.clone()));
                self.conditional.extend(each);
            }
        }
    }

    fn declared(&mut self, is_virtual: bool) -> &mut FxHashSet<Resources> {
        match is_virtual {
            true => &mut self.virtual_,
            false => &mut self.real,
        }
    }

    fn add_call(&mut self, node: &SyntaxNode) {
        let call = Expr::cast(node.clone()).and_then(|it| it.named_call());
        let Some((name, arguments)) = call else {
            return;
        };
        match KnownFunction::from_name(name.text()) {
            Some(KnownFunction::Realize) => {
                for argument in &arguments {
                    let named = references(argument);
                    self.selected
                        .extend(named.unwrap_or_else(|| vec![Resources::ANY]));
                }
            }
            Some(KnownFunction::CreateResources) => {
                match arguments.first().and_then(Expr::plain_text) {
                    Some(type_name) => self.add_created(&type_name),
                    // A computed type hardly ever starts with `@`.
                    None => drop(self.real.insert(Resources::ANY)),
                }
            }
            Some(KnownFunction::EnsureResource | KnownFunction::EnsureResources) => {
                let named = arguments.first().and_then(Expr::plain_text);
                let titles = arguments.get(1).map(strings).unwrap_or_default();
                self.add_ensured(named.as_deref(), &titles);
            }
            Some(KnownFunction::EnsurePackages) => {
                let titles = arguments.first().map(strings).unwrap_or_default();
                self.add_ensured(Some("package"), &titles);
            }
            _ => {}
        }
    }

    fn add_ensured(&mut self, type_name: Option<&str>, titles: &[Option<String>]) {
        match type_name {
            Some(name) => {
                let titles = titles.iter().map(Option::as_deref);
                self.real.extend(titles.map(|it| Resources::new(name, it)));
            }
            None => drop(self.real.insert(Resources::ANY)),
        }
    }

    fn add_created(&mut self, type_name: &str) {
        let created = Resources::new(type_name.trim_start_matches('@'), None);
        self.declared(type_name.starts_with('@')).insert(created);
    }
}

/// Returns the resources that an expression declares.
fn declared_by(expr: &ResourceExpr) -> Vec<Resources> {
    match declared_type(expr) {
        Some(name) => expr
            .bodies()
            .flat_map(|it| declared_in(&it, &name))
            .collect(),
        None => vec![Resources::ANY],
    }
}

/// Returns the resources of a type that a body declares.
pub(crate) fn declared_in(body: &ResourceBody, type_name: &str) -> Vec<Resources> {
    let titles = body.title().iter().flat_map(strings).collect::<Vec<_>>();
    let each = titles.iter();
    each.map(|it| Resources::new(type_name, it.as_deref()))
        .collect()
}

/// Returns the strings in a title or a list of titles, with `None` for what is not a literal.
fn strings(expr: &Expr) -> Vec<Option<String>> {
    match expr {
        Expr::ArrayExpr(it) => it.elements().flat_map(|it| strings(&it)).collect(),
        Expr::Literal(_) => Vec::new(),
        _ => vec![expr.plain_text()],
    }
}

/// Returns the resources that a collector selects; `None` if its type is unknown.
pub(crate) fn selected_by(collector: &CollectExpr) -> Option<Vec<Resources>> {
    let Some(Expr::QualifiedReference(name)) = collector.type_expr() else {
        return None;
    };
    let name = name.text();
    let condition = collector.query().and_then(|it| it.expr());
    let titles = condition.and_then(|it| values_in(&it, "title"));
    Some(match titles {
        Some(titles) => titles
            .iter()
            .map(|it| Resources::new(&name, Some(it)))
            .collect(),
        None => vec![Resources::new(&name, None)],
    })
}

/// Returns tags of which every selected resource has at least one; `None` if the query does not test tags like that.
pub(crate) fn tags_in(collector: &CollectExpr) -> Option<Vec<String>> {
    values_in(&collector.query()?.expr()?, library::TAG)
}

/// Returns the values of an attribute that a condition selects; `None` for other conditions.
fn values_in(condition: &Expr, attribute: &str) -> Option<Vec<String>> {
    match condition {
        Expr::ParenExpr(it) => values_in(&it.expr()?, attribute),
        Expr::BinaryExpr(it) => values_in_operation(it, attribute),
        _ => None,
    }
}

fn values_in_operation(operation: &BinaryExpr, attribute: &str) -> Option<Vec<String>> {
    let (left, right) = operation.lhs().zip(operation.rhs())?;
    let values_in = |it: &Expr| values_in(it, attribute);
    match operation.operator()?.kind() {
        SyntaxKind::OR_KW => Some([values_in(&left)?, values_in(&right)?].concat()),
        SyntaxKind::AND_KW => values_in(&left).or_else(|| values_in(&right)),
        SyntaxKind::EQ_EQ if left.syntax().text() == attribute => {
            strings(&right).into_iter().collect()
        }
        _ => None,
    }
}

/// Returns the resources that a reference names; `None` if they are not literal.
pub(crate) fn references(expr: &Expr) -> Option<Vec<Resources>> {
    match expr {
        Expr::ArrayExpr(it) => {
            let all: Option<Vec<Vec<Resources>>> =
                it.elements().map(|it| references(&it)).collect();
            all.map(|it| it.concat())
        }
        Expr::AccessExpr(it) => named_by(it),
        _ => None,
    }
}

fn named_by(access: &AccessExpr) -> Option<Vec<Resources>> {
    let Some(Expr::QualifiedReference(name)) = access.base() else {
        return None;
    };
    let keys = access.keys();
    let titles = keys.iter().flat_map(strings);
    let each = titles.map(|it| Resources::new(&name.text(), it.as_deref()));
    Some(each.collect())
}

#[salsa::tracked]
fn virtual_index(db: &dyn Database, file: FileInput) -> VirtualIndex {
    let mut found = VirtualIndex::default();
    let tree = base::parse(db, file).tree();
    tree.syntax().descendants().for_each(|it| found.add(&it));
    found
}

#[salsa::tracked]
fn module_virtual_index(db: &dyn Database, module: ModuleInput) -> VirtualIndex {
    let mut all = VirtualIndex::default();
    for file in module_puppet_files(db, module) {
        let index = virtual_index(db, *file);
        all.virtual_.extend(index.virtual_.iter().cloned());
        all.real.extend(index.real.iter().cloned());
        all.selected.extend(index.selected.iter().cloned());
        all.conditional.extend(index.conditional.iter().cloned());
    }
    all
}

/// Checks whether any file of an environment has resources that overlap with the given ones.
fn has_any(
    db: &dyn Database,
    environment: EnvironmentInput,
    wanted: &Resources,
    of: fn(&VirtualIndex) -> &FxHashSet<Resources>,
) -> bool {
    any_of(db, environment, of, |it| it.may_overlap(wanted))
}

fn any_of(
    db: &dyn Database,
    environment: EnvironmentInput,
    of: fn(&VirtualIndex) -> &FxHashSet<Resources>,
    is_wanted: impl Fn(&Resources) -> bool,
) -> bool {
    let mut all = indexes(db, environment);
    all.any(|it| of(it).iter().any(&is_wanted))
}

/// Returns the indexes of the main manifests and the modules.
fn indexes(
    db: &dyn Database,
    environment: EnvironmentInput,
) -> impl Iterator<Item = &VirtualIndex> {
    let manifests = environment.manifests(db).iter();
    let manifests = manifests.map(|it| virtual_index(db, *it));
    let modules = environment.modules(db).values();
    manifests.chain(modules.map(|it| module_virtual_index(db, *it)))
}

/// Checks whether any code may declare a resource, virtual or not. Code with a computed type hardly declares a stage
/// or an instance of a defined type, or a resource with a title that is not mentioned.
pub(crate) fn may_be_declared(
    db: &dyn Database,
    environment: EnvironmentInput,
    resource: &Resources,
    is_mentioned: bool,
) -> bool {
    let type_name = resource.type_name.as_deref().unwrap_or_default();
    let may_be_computed = is_mentioned && !type_name.contains("::") && type_name != "stage";
    let is_it =
        |it: &Resources| it.may_overlap(resource) && (may_be_computed || it.type_name.is_some());
    any_of(db, environment, |it| &it.real, is_it)
        || any_of(db, environment, |it| &it.virtual_, is_it)
}

/// Checks whether the code of a file itself may declare a resource, virtual or not.
pub(crate) fn may_be_declared_in(db: &dyn Database, file: FileInput, resource: &Resources) -> bool {
    let index = virtual_index(db, file);
    let mut declared = index.real.iter().chain(&index.virtual_);
    declared.any(|it| it.may_overlap(resource))
}

/// Checks whether the code of a file itself may make a virtual resource real.
pub(crate) fn may_be_selected_in(db: &dyn Database, file: FileInput, resource: &Resources) -> bool {
    let index = virtual_index(db, file);
    let conditional = index.conditional.iter().map(|it| &it.0);
    let mut selected = index.selected.iter().chain(conditional);
    selected.any(|it| it.may_overlap(resource))
}

/// Checks whether a collector or `realize` may make virtual resources real, which a body declares if it is known. A
/// collector of a tag that no resource has selects none.
pub(crate) fn is_selected(
    db: &dyn Database,
    environment: EnvironmentInput,
    resources: &Resources,
    body: Option<&ResourceBody>,
) -> bool {
    let is_met = |it: &Condition| it.may_be_met(db, environment, body);
    let selects = |(selected, conditions): &(Resources, Vec<Condition>)| {
        selected.may_overlap(resources) && conditions.iter().all(is_met)
    };
    has_any(db, environment, resources, |it| &it.selected)
        || indexes(db, environment).any(|it| it.conditional.iter().any(selects))
}

/// Checks whether any code may declare virtual resources such as these.
pub(crate) fn is_virtual(
    db: &dyn Database,
    environment: EnvironmentInput,
    resources: &Resources,
) -> bool {
    has_any(db, environment, resources, |it| &it.virtual_)
}

/// Checks whether any code declares a resource of this type and title that is not virtual.
pub(crate) fn is_certainly_real(
    db: &dyn Database,
    environment: EnvironmentInput,
    resource: &Resources,
) -> bool {
    any_of(db, environment, |it| &it.real, |it| it == resource)
}

/// Checks whether any code may declare resources such as these that are not virtual.
pub(crate) fn is_real(
    db: &dyn Database,
    environment: EnvironmentInput,
    resources: &Resources,
) -> bool {
    has_any(db, environment, resources, |it| &it.real)
}
