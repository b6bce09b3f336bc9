//! The code in which a compilation fails, unless other diagnostics explain the failure.

use std::collections::BTreeSet;

use hir::autoload::{NameKey, find_item};
use hir::body::{ClassUse, ReferenceName, body};
use hir::resolve::{Definition, resolve};
use hir::{Item, ItemKind, canonical_name};
use infer::has_whole_data;
use syntax::ast::{AstNode, Attribute};
use syntax::{Severity, SyntaxNode, TextRange};

use super::failing_code::{
    FailingCode, assertion, default_value_at, failing_code, failing_lookup, is_argument,
    is_attribute, nodes_around, refusal,
};
use super::merged_parameter::refused_merge;
use super::{is_catalog_of_node, is_checked, parameterized_classes};
use crate::checker::{Checker, ItemFinding};
use crate::findings::item_findings;

/// The start of the error for a missing required parameter, which other rules report where the name of the class is
/// literal.
const MISSING_PARAMETER: &str = "missing required parameter `";

/// The rules about mistakes that leave the values of all code as they are, or unknown.
const WITHOUT_WRONG_VALUES: [&str; 7] = [
    "dependency-cycle",
    "duplicate-resource",
    "missing-template",
    "unknown-class",
    "unknown-function",
    "unknown-reference",
    "unknown-resource-type",
];

/// The code in which a failure occurs.
pub(crate) struct BlamedCode<'a, 'db> {
    /// The definition whose compilation fails.
    pub(crate) definition: Item<'db>,
    /// The definition with the code.
    pub(crate) item: Item<'db>,
    pub(crate) range: TextRange,
    /// Puppet's message.
    pub(crate) error: &'a str,
    /// Whether the code refuses the arguments of a declaration.
    pub(crate) is_refused: bool,
    /// Whether the arguments of a certain instance of a defined type are wrong.
    pub(crate) is_instance: bool,
    /// The definitions with the call, and with the declaration, of the code.
    pub(crate) users: Vec<Item<'db>>,
}

impl<'db> BlamedCode<'_, 'db> {
    /// Returns the code that fails, unless another diagnostic explains the failure.
    pub(crate) fn find(&self, checker: &Checker<'db>) -> Option<FailingCode> {
        if self.is_in_node(checker) && self.is_explained(checker) {
            return None;
        }
        let syntax = self.item.syntax(checker.db);
        let failing = failing_code(&syntax, self.range)
            .or_else(|| self.refusal(checker, &syntax))
            .or_else(|| self.with_data(checker, &syntax))
            .or_else(|| self.argument(checker, &syntax))?;
        let mut known = known_findings(checker, self.definition, self.item).iter();
        let is_known = known.any(|it| failing.is_explained_by(it))
            || calls_wrong_function(checker, self.item, failing.operation);
        (!is_known).then_some(failing)
    }

    /// Checks whether a mistake is reported that may be the cause of the failure of a node: in the code, in what uses it,
    /// or in the classes whose variables it reads. Those in installed modules are not reported.
    fn is_explained(&self, checker: &Checker<'db>) -> bool {
        let db = checker.db;
        let is_cause = |it: &ItemFinding<'_>| {
            let is_severe = it.severity == Severity::Error
                || ["failing-class", "missing-data"].contains(&it.code);
            is_severe && !WITHOUT_WRONG_VALUES.contains(&it.code)
        };
        let own = [self.definition, self.item];
        let direct: Vec<Item<'db>> = own.into_iter().chain(self.users.iter().copied()).collect();
        let read = direct.iter().flat_map(|it| classes_read_by(checker, *it));
        let read: Vec<Item<'db>> = read.collect();
        let all = direct.into_iter().chain(read);
        let mut checked = all.filter(|it| is_checked(db, *it));
        checked.any(|it| {
            let mut found = known_findings(checker, self.definition, it).iter();
            found.any(is_cause)
        })
    }

    fn is_in_node(&self, checker: &Checker<'_>) -> bool {
        is_catalog_of_node(checker.db, checker.environment, self.definition)
    }

    /// Checks whether no parameters may prevent the failure of a class.
    fn is_without_parameters(&self, checker: &Checker<'db>) -> bool {
        self.definition.kind(checker.db) == ItemKind::Class
            && parameterized_classes(checker, self.definition).is_empty()
    }

    /// Returns a call of `fail`. The catalog of a node fails whatever the facts are.
    fn refusal(&self, checker: &Checker<'db>, syntax: &SyntaxNode) -> Option<FailingCode> {
        let is_certain =
            || self.is_in_node(checker) && self.item.kind(checker.db) != ItemKind::Node;
        if self.is_refused || is_certain() {
            return refusal(syntax, self.range);
        }
        let found = assertion(syntax, self.range)?;
        self.is_without_parameters(checker).then_some(found)
    }

    /// Returns the code that fails because of a value of the data: that of a merge or of a computed key. A class fails at
    /// least with its default parameters.
    fn with_data(&self, checker: &Checker<'_>, syntax: &SyntaxNode) -> Option<FailingCode> {
        let (db, environment) = (checker.db, checker.environment);
        let is_in_node = self.is_in_node(checker);
        let merged = match is_in_node {
            true => refused_merge(db, environment, self.item, (self.range, self.error)),
            false => None,
        };
        merged.or_else(|| {
            let is_compiled = is_in_node || self.definition.kind(db) == ItemKind::Class;
            let is_certain = is_compiled && has_whole_data(db, environment);
            is_certain.then(|| failing_lookup(syntax, self.range))?
        })
    }

    /// Returns an argument or a default value that is refused. Only the catalog of a node has all arguments of an instance
    /// of a defined type, unless it is certain that other code sets none.
    fn argument(&self, checker: &Checker<'db>, syntax: &SyntaxNode) -> Option<FailingCode> {
        if is_attribute(syntax, self.range) {
            let is_reported = is_reported_of_values(checker, self, syntax);
            return (!is_reported).then(|| FailingCode::in_resource(syntax, self.range));
        }
        let default = default_value_at(syntax, self.range);
        let is_argument = match self.item.kind(checker.db) {
            ItemKind::DefinedType => is_argument(syntax, self.range),
            _ if self.error.contains(MISSING_PARAMETER) => is_argument(syntax, self.range),
            _ => default.is_some(),
        };
        let is_complete = self.is_in_node(checker) || self.is_instance;
        let range = default.unwrap_or(self.range);
        (is_complete && is_argument).then(|| FailingCode::at(range))
    }
}

/// Checks whether a value of the parameter is reported where the code computes it.
fn is_reported_of_values<'db>(
    checker: &Checker<'db>,
    blamed: &BlamedCode<'_, 'db>,
    syntax: &SyntaxNode,
) -> bool {
    let mut attributes = nodes_around(syntax, blamed.range).filter_map(Attribute::cast);
    let Some(name) = attributes.find_map(|it| it.name_token()) else {
        return false;
    };
    let subject = format!("parameter `{}` of ", name.text());
    let mut known = known_findings(checker, blamed.definition, blamed.item).iter();
    let is_severe = |it: Severity| matches!(it, Severity::Error | Severity::Warning);
    let is_about = |it: &ItemFinding<'_>| {
        it.code == "type-mismatch" && is_severe(it.severity) && it.message.starts_with(&subject)
    };
    known.any(is_about)
}

/// Checks whether a diagnostic of a call or declaration explains the failure of the function, template or instance.
pub(crate) fn is_known_mistake<'db>(
    checker: &Checker<'db>,
    definition: Item<'db>,
    (caller, range): (Item<'db>, TextRange),
) -> bool {
    let syntax = caller.syntax(checker.db);
    let call = match is_attribute(&syntax, range) {
        true => FailingCode::at(range),
        false => FailingCode::in_resource(&syntax, range),
    };
    let mut known = known_findings(checker, definition, caller).iter();
    known.any(|it| call.is_explained_by(it))
}

/// Returns the diagnostics of an item: those so far of the checked one, if its own compilation fails. The catalogs of nodes
/// come after the diagnostics of all items.
fn known_findings<'c, 'db>(
    checker: &'c Checker<'db>,
    definition: Item<'db>,
    item: Item<'db>,
) -> &'c [ItemFinding<'db>] {
    let is_own = item == checker.item && definition == checker.item;
    match is_own && !is_catalog_of_node(checker.db, checker.environment, definition) {
        true => checker.found(),
        false => item_findings(checker.db, item),
    }
}

/// Checks whether code in a range calls a function of a module in which a mistake is reported.
fn calls_wrong_function<'db>(checker: &Checker<'db>, item: Item<'db>, range: TextRange) -> bool {
    let db = checker.db;
    let mut references = body(db, item).references.iter();
    references.any(|it| {
        let is_call = matches!(it.name, ReferenceName::Function(_));
        let called = (is_call && range.contains_range(it.range)).then(|| resolve(db, item, it));
        let Some(Ok(Definition::Item(function))) = called else {
            return false;
        };
        let mut found = item_findings(db, function).iter();
        found.any(|it| matches!(it.severity, Severity::Error | Severity::Warning))
    })
}

/// Returns the classes whose variables a definition reads, and its parent class.
fn classes_read_by<'db>(checker: &Checker<'db>, item: Item<'db>) -> Vec<Item<'db>> {
    let (db, environment) = (checker.db, checker.environment);
    let names = body(db, item)
        .references
        .iter()
        .filter_map(|it| match &it.name {
            ReferenceName::Variable(name) => Some(canonical_name(name.rsplit_once("::")?.0)),
            ReferenceName::Class(name, ClassUse::Inherited) => Some(name.clone()),
            _ => None,
        });
    let names: BTreeSet<String> = names.collect();
    let keys = names.into_iter().map(|it| NameKey::new(db, it));
    keys.filter_map(|it| find_item(db, environment, ItemKind::Class, it))
        .collect()
}
