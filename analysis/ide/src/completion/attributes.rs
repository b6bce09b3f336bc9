//! Completes attributes that a resource does not set yet.

use super::resource::{Attribute, ResourceAt, Taker, of_declared};
use super::usage::{Used, attribute_key};
use super::{Candidate, Collector, CompletionKind, SubjectKind, score};
use hir::canonical;

/// Adds the attributes of the type, required ones first, and the metaparameters.
pub(super) fn attributes(into: &mut Collector<'_, '_>, resource: &ResourceAt) {
    let site = into.site;
    let type_ = subject_of(resource);
    let taker = Taker::of(site.db, site.environment, resource);
    let own = taker.map(|it| it.attributes(site.db)).unwrap_or_default();
    for attribute in own {
        // The title provides the namevar.
        let base = match (attribute.required, attribute.namevar) {
            (true, false) => score::NEAR,
            (_, true) => 0,
            _ => score::MODULE,
        };
        add(into, resource, &type_, &attribute, base);
    }
    for attribute in library::metaparameters() {
        add(into, resource, &type_, &of_declared(attribute), 0);
    }
}

/// Returns the type in the form used by [`Subject`](super::Subject).
fn subject_of(resource: &ResourceAt) -> String {
    match (&*resource.type_, &resource.title) {
        ("class", Some(title)) => format!("class {}", canonical(title)),
        (type_, _) => type_.to_owned(),
    }
}

fn add(
    into: &mut Collector<'_, '_>,
    resource: &ResourceAt,
    type_: &str,
    attribute: &Attribute,
    base: i64,
) {
    if resource.given.contains(&attribute.name) {
        return;
    }
    let used = into.used(
        Used::Attribute,
        &attribute_key(&resource.type_, &attribute.name),
    );
    let name = &attribute.name;
    let mut found = Candidate::new(CompletionKind::Attribute, name)
        .detail(detail(attribute))
        .about(SubjectKind::Attribute, format!("{type_} {name}"))
        .score(base + used);
    if !is_arrow_next(into) {
        found = found
            .insert(format!("{name} => "))
            .snippet(format!("{name} => ${{1:{}}},", sample(attribute)));
    }
    into.add(found);
}

/// Checks whether an arrow follows the cursor.
fn is_arrow_next(into: &Collector<'_, '_>) -> bool {
    let rest = into.behind().trim_start();
    rest.starts_with("=>") || rest.starts_with("+>") || rest.starts_with("==")
}

fn detail(attribute: &Attribute) -> Option<String> {
    let mut text = match (&attribute.type_, attribute.values.as_slice()) {
        (Some(type_), _) => base::shortened(type_, 80),
        (None, []) => String::new(),
        (None, values) => base::shortened(&values.join(" | "), 80),
    };
    if attribute.required {
        text.push_str(if text.is_empty() {
            "required"
        } else {
            ", required"
        });
    }
    (!text.is_empty()).then_some(text)
}

/// Returns the placeholder of a value.
fn sample(attribute: &Attribute) -> String {
    let first = attribute.default.as_ref().or(attribute.values.first());
    let first = first.filter(|it| it.len() <= 20 && !it.contains(['$', '}', '\\', '\n']));
    first.cloned().unwrap_or_default()
}
