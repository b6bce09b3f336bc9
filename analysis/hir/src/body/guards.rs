//! Tests whether a name is defined, such as `defined(…)`: they allow names that may be missing.

use library::KnownFunction;
use syntax::ast::{AccessExpr, Assignment, AstNode, Expr, Segment};
use syntax::validation::PuppetVersion;
use syntax::{SyntaxNode, TextRange};

use super::super::item::canonical_name;
use super::{ReferenceName, implicit_names};

/// The names that a test allows to be missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Guard {
    /// Every name: the tested one is unknown.
    Any,
    /// The classes and titles in the test itself. Puppet evaluates all other arguments.
    Argument,
    /// A name, or the start of one, and names in its module, unless that is the own one.
    Name(String),
    Variable(String),
    /// The titles of resources of a shipped type.
    Titles(String),
}

impl Guard {
    /// Checks whether the test is whether a variable is defined.
    pub(super) fn tests_variable(&self, name: &str) -> bool {
        matches!(self, Guard::Variable(tested) if tested == name)
    }

    /// Checks whether a name may be missing.
    pub(super) fn covers(&self, name: &ReferenceName, own_module: Option<&str>) -> bool {
        match (self, name) {
            (Guard::Any, _) => true,
            (Guard::Argument, name) => {
                matches!(name, ReferenceName::Class(..) | ReferenceName::Title(..))
            }
            (Guard::Variable(tested), ReferenceName::Variable(it)) => {
                it.trim_start_matches("::") == tested
            }
            (Guard::Titles(tested), ReferenceName::Title(it, _)) => it == tested,
            (Guard::Variable(_) | Guard::Titles(_), _) => false,
            (Guard::Name(tested), name) => qualified(name).is_some_and(|it| {
                let root = first_segment(tested);
                let is_own = own_module == Some(root);
                it.starts_with(tested.as_str()) || !is_own && first_segment(&it) == root
            }),
        }
    }
}

/// Returns a name in canonical form, with `::` between its segments; `None` for variables without a
/// module.
fn qualified(name: &ReferenceName) -> Option<String> {
    match name {
        ReferenceName::Variable(it) => {
            let it = it.trim_start_matches("::");
            it.contains("::").then(|| canonical_name(it))
        }
        ReferenceName::Path(_, it) => Some(it.to_ascii_lowercase().replace('/', "::")),
        ReferenceName::Class(it, _)
        | ReferenceName::ResourceType(it)
        | ReferenceName::Type(it)
        | ReferenceName::Function(it)
        | ReferenceName::Title(it, _) => Some(canonical_name(it)),
    }
}

fn first_segment(name: &str) -> &str {
    name.split("::").next().unwrap_or_default()
}

/// Returns the tests in a condition.
pub(super) fn in_condition(condition: &SyntaxNode, versions: &[VersionRead]) -> Vec<Guard> {
    let tests = condition
        .descendants()
        .filter(implicit_names::tests_definedness);
    let tested = tests.flat_map(|it| of_test(&it));
    tested.chain(of_versions(condition, versions)).collect()
}

/// Code that reads the version of a module.
pub(super) struct VersionRead {
    module: Guard,
    call: TextRange,
    /// The variable that it is assigned to, with its `$`.
    variable: Option<String>,
}

/// Finds the code of an item that reads the version of a module.
pub(super) fn version_reads(root: &SyntaxNode) -> Vec<VersionRead> {
    let reads = root.descendants().filter_map(Expr::cast);
    let reads = reads.filter_map(|call| {
        let (name, arguments) = call.named_call()?;
        if KnownFunction::from_name(name.text()) != Some(KnownFunction::LoadModuleMetadata) {
            return None;
        }
        let module = named(arguments.first()?);
        let node = call.syntax();
        let assigned = node.ancestors().find_map(Assignment::cast);
        let variable = assigned.and_then(|it| it.syntax().first_child());
        matches!(module, Guard::Name(_)).then(|| VersionRead {
            module,
            call: node.text_range(),
            variable: variable.map(|it| it.text().to_string()),
        })
    });
    reads.collect()
}

/// Returns the modules whose versions a condition compares, directly or with a variable: code for other versions
/// names what the installed one lacks.
fn of_versions(condition: &SyntaxNode, reads: &[VersionRead]) -> Vec<Guard> {
    if reads.is_empty() {
        return Vec::new();
    }
    let text = condition.text().to_string();
    let compared = reads.iter().filter(|it| {
        let is_read = it
            .variable
            .as_ref()
            .is_some_and(|it| text.contains(it.as_str()));
        text.contains("version") && (is_read || condition.text_range().contains_range(it.call))
    });
    compared.map(|it| it.module.clone()).collect()
}

/// Returns what a call tests.
fn of_test(call: &SyntaxNode) -> Vec<Guard> {
    let call = Expr::cast(call.clone()).and_then(|it| it.named_call());
    let Some((name, arguments)) = call else {
        return vec![Guard::Any];
    };
    match KnownFunction::from_name(name.text()) {
        Some(KnownFunction::Defined) => arguments.iter().flat_map(of_argument).collect(),
        Some(KnownFunction::DefinedWithParams) => {
            arguments.iter().take(1).flat_map(of_argument).collect()
        }
        _ => vec![Guard::Any],
    }
}

/// Returns what an argument of `defined` tests.
fn of_argument(argument: &Expr) -> Vec<Guard> {
    match argument {
        Expr::AccessExpr(it) => of_reference(it),
        Expr::QualifiedReference(it) => vec![Guard::Name(canonical_name(&it.text()))],
        Expr::ArrayExpr(it) => it.elements().flat_map(|it| of_argument(&it)).collect(),
        Expr::ParenExpr(it) => it.expr().map_or_else(Vec::new, |it| of_argument(&it)),
        _ => vec![named(argument)],
    }
}

/// Returns the name at the start of a string.
fn named(expr: &Expr) -> Guard {
    let text = match expr {
        Expr::StringLiteral(it) => Some(it.value()),
        Expr::QualifiedName(it) => Some(it.text()),
        // The module precedes what is interpolated.
        Expr::InterpolatedString(it) => match it.segments().into_iter().next() {
            Some(Segment::Text(it)) if !it.starts_with('$') && it.contains("::") => Some(it),
            _ => None,
        },
        _ => None,
    };
    match text {
        None => Guard::Any,
        Some(text) => match text.strip_prefix('$') {
            Some(variable) => Guard::Variable(variable.trim_start_matches("::").to_owned()),
            None => Guard::Name(canonical_name(text.split('[').next().unwrap_or_default())),
        },
    }
}

fn of_reference(reference: &AccessExpr) -> Vec<Guard> {
    let Some(Expr::QualifiedReference(base)) = reference.base() else {
        return vec![Guard::Any];
    };
    let type_ = canonical_name(&base.text());
    if type_ == "class" || type_ == "resource" {
        return reference.keys().iter().take(1).map(named).collect();
    }
    match library::resource_type(&type_, PuppetVersion::default()) {
        Some(_) => vec![Guard::Titles(type_)],
        None => vec![Guard::Name(type_)],
    }
}
