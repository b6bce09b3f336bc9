//! The resources that the metaparameters `schedule` and `stage` name.
//!
//! From `add_edge_to_stage` in `parser/resource.rb` and `schedule` in `transaction/resource_harness.rb`: Puppet looks
//! for the stage when it evaluates a class, and for the schedule when it applies a resource.

use hir::body::{AttributeUse, Resource, ResourceForm};
use hir::resolve::{Definition, resource_type};
use syntax::TextRange;
use syntax::ast::{AstNode, Attribute};

use crate::checker::Checker;
use crate::fixes::node_at;
use crate::index::default_reach::is_loaded;
use crate::index::virtual_resources::{Resources, may_be_declared};

/// The schedules that each catalog has. From `mkdefaultschedules` in `type/schedule.rb`.
const SCHEDULES: [&str; 6] = ["daily", "hourly", "monthly", "never", "puppet", "weekly"];

/// The stages that each catalog has, and those of the module `stdlib`, which may not be installed.
const STAGES: [&str; 8] = [
    "deploy",
    "deploy_app",
    "deploy_infra",
    "main",
    "runtime",
    "setup",
    "setup_app",
    "setup_infra",
];

/// A resource that a metaparameter names.
pub(crate) struct NamedResource {
    pub(crate) type_name: &'static str,
    pub(crate) title: String,
    /// The range of the value.
    pub(crate) range: TextRange,
}

/// Returns the schedules and stages that the resources of an item name and that no code declares.
pub(crate) fn undeclared(checker: &Checker<'_>) -> Vec<NamedResource> {
    // Other files may belong to an environment that is not known.
    if !is_loaded(checker) {
        return Vec::new();
    }
    let resources = checker.body.resources.iter();
    let named = resources.flat_map(|it| {
        let attributes = it.attributes.iter();
        attributes.filter_map(|attribute| named_by(checker, it, attribute))
    });
    named.filter(|it| !is_declared(checker, it)).collect()
}

fn named_by(
    checker: &Checker<'_>,
    resource: &Resource,
    attribute: &AttributeUse,
) -> Option<NamedResource> {
    let (type_name, built_in): (_, &[&str]) = match attribute.name.as_str() {
        "schedule" if is_metaparameter(checker, resource, "schedule") => ("schedule", &SCHEDULES),
        "stage" if is_class(resource) => ("stage", &STAGES),
        _ => return None,
    };
    let node = node_at(&checker.root(), attribute.range)?;
    let value = node.ancestors().find_map(Attribute::cast)?.value()?;
    let title = value.plain_text()?;
    (!built_in.contains(&title.as_str())).then(|| NamedResource {
        type_name,
        title,
        range: value.syntax().text_range(),
    })
}

fn is_class(resource: &Resource) -> bool {
    resource.form == ResourceForm::Declaration && resource.type_.as_deref() == Some("class")
}

/// Checks whether an attribute of a resource is a metaparameter, which a type in Ruby may replace.
fn is_metaparameter(checker: &Checker<'_>, resource: &Resource, name: &str) -> bool {
    let Some(type_) = resource.type_.as_deref() else {
        return false;
    };
    match resource_type(checker.db, Some(checker.environment), type_) {
        Ok(Definition::ResourceType(it)) => {
            let mut attributes = it.declared().attributes.iter();
            !attributes.any(|it| it.name == name)
        }
        Ok(_) => true,
        Err(_) => is_class(resource),
    }
}

fn is_declared(checker: &Checker<'_>, named: &NamedResource) -> bool {
    let (db, environment) = (checker.db, checker.environment);
    let resource = Resources::new(named.type_name, Some(&named.title));
    // Code with a computed type hardly declares these.
    may_be_declared(db, environment, &resource, false)
}
