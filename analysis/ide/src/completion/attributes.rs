//! Completes attributes that a resource does not set yet.

use syntax::SyntaxKind;

use super::super::cursor::CursorContext;
use super::resource::{AttributeInfo, AttributeOwner, ResourceContext, attribute_info};
use super::usage::{UsageKind, attribute_key};
use super::variables::local_names;
use super::{Candidate, Candidates, CompletionKind, DocumentedKind, score};
use hir::canonical_name;

/// Adds the attributes of the type, required ones first, and the metaparameters.
pub(super) fn attributes(acc: &mut Candidates<'_, '_>, resource: &ResourceContext) {
    let cursor = acc.cursor;
    let type_ = documented_type(resource);
    let owner = AttributeOwner::of(cursor.db, cursor.environment, resource);
    let own = owner.map(|it| it.attributes(cursor.db)).unwrap_or_default();
    let variables = local_names(cursor);
    let last = own
        .iter()
        .rposition(|it| resource.set_attributes.contains(&it.name));
    for (index, attribute) in own.iter().enumerate() {
        // The title provides the namevar.
        let mut base = match (attribute.required, attribute.namevar) {
            (true, false) => 8 * score::SAME_SCOPE,
            (_, true) => 0,
            _ => 2 * score::SAME_SCOPE,
        };
        if variables.contains(&attribute.name) {
            base += 10 * score::SAME_SCOPE;
        }
        if last.is_some_and(|it| it + 1 == index) {
            base += 4 * score::SAME_SCOPE;
        }
        add(acc, resource, &type_, attribute, base);
    }
    if is_query(cursor) {
        let title = Candidate::new(CompletionKind::Attribute, "title");
        acc.add(title.insert("title == ").score(score::SAME_SCOPE));
    }
    for attribute in library::metaparameters() {
        let info = attribute_info(attribute);
        add(acc, resource, &type_, &info, -score::SAME_SCOPE);
    }
}

/// Returns the type in the form used by [`DocumentationKey`](super::DocumentationKey).
fn documented_type(resource: &ResourceContext) -> String {
    match (&*resource.type_, &resource.title) {
        ("class", Some(title)) => format!("class {}", canonical_name(title)),
        (type_, _) => type_.to_owned(),
    }
}

fn add(
    acc: &mut Candidates<'_, '_>,
    resource: &ResourceContext,
    type_: &str,
    attribute: &AttributeInfo,
    base: i64,
) {
    if resource.set_attributes.contains(&attribute.name) {
        return;
    }
    let used = acc.usage_score(
        UsageKind::Attribute,
        &attribute_key(&resource.type_, &attribute.name),
    );
    let name = &attribute.name;
    let mut candidate = Candidate::new(CompletionKind::Attribute, name)
        .detail(detail(attribute))
        .documentation_key(DocumentedKind::Attribute, format!("{type_} {name}"))
        .score(base + used);
    if is_query(acc.cursor) {
        candidate = candidate.insert(format!("{name} == "));
    } else if !acc.is_arrow_next() {
        let has_comma = acc.text_after_word().trim_start().starts_with(',');
        let comma = if has_comma { "" } else { "," };
        candidate = candidate
            .insert(format!("{name} => "))
            .snippet(format!("{name} => ${{1:{}}}{comma}", sample(attribute)));
    }
    acc.add(candidate);
}

/// Checks whether the cursor is in the query of a collector.
fn is_query(cursor: &CursorContext<'_>) -> bool {
    let mut outer = cursor.token.parent_ancestors();
    outer.any(|it| it.kind() == SyntaxKind::COLLECT_QUERY)
}

fn detail(attribute: &AttributeInfo) -> Option<String> {
    let mut text = match (&attribute.type_, attribute.values.as_slice()) {
        (Some(type_), _) => base::truncated(type_, 80),
        (None, []) => String::new(),
        (None, values) => base::truncated(&values.join(" | "), 80),
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

/// Returns the placeholder of a value: a likely one. A single listed value is a special one, such as `notlink`.
fn sample(attribute: &AttributeInfo) -> String {
    let default = attribute.default.as_ref().filter(|it| *it != "undef");
    let listed = attribute
        .values
        .first()
        .filter(|_| attribute.values.len() > 1);
    let first = default.or(listed);
    let first = first.filter(|it| it.len() <= 20 && !it.contains(['$', '}', '\\', '\n']));
    first.cloned().unwrap_or_default()
}
