//! Completes references to resources: in relationships, in metaparameters such as `require`, and in calls of
//! `realize`.

use syntax::SyntaxKind;
use syntax::ast::{AstNode, Relationship};
use types::capitalize_segments;
use types::values::quote;

use super::expected::ExpectedValue;
use super::nearest_titles::nearest_titles;
use super::resource::{ResourceContext, enclosing_resource};
use super::variables::variables;
use super::{Candidate, Candidates, CompletionKind, definitions, group, score};
use hir::declared_resources::declared_resources;

/// Adds the resources of this file, the types of others, and variables.
pub(super) fn references(acc: &mut Candidates<'_, '_>, expected: &ExpectedValue) {
    let around = acc.cursor.token.parent_ancestors().nth(1);
    let is_operand = around.is_some_and(|it| it.kind() == SyntaxKind::RELATIONSHIP);
    declared_here(acc, is_operand);
    definitions::resource_references(acc, score::TYPE_MATCH);
    variables(acc, Some(expected), true);
    definitions::functions(acc, Some(expected));
    match is_operand {
        // A relationship takes whole declarations too.
        true => definitions::resource_types(acc, true),
        false => {
            let candidate = Candidate::new(CompletionKind::Keyword, "undef");
            acc.add(candidate.score(-score::SAME_SCOPE));
        }
    }
}

/// Adds references to the resources that this file declares, without the one around the cursor and those that
/// the relationship has already.
fn declared_here(acc: &mut Candidates<'_, '_>, is_operand: bool) {
    let cursor = acc.cursor;
    let parent = cursor.token.parent();
    let own = parent.as_ref().and_then(enclosing_resource);
    let relationships = cursor
        .token
        .parent_ancestors()
        .filter_map(Relationship::cast);
    let relationship = relationships.last();
    let related = relationship
        .as_ref()
        .map(|it| it.syntax().text().to_string());
    let bodies = relationship.iter().flat_map(|it| it.syntax().descendants());
    let bodies = bodies.filter(|it| it.kind() == SyntaxKind::RESOURCE_BODY);
    let declared: Vec<ResourceContext> = bodies.filter_map(|it| enclosing_resource(&it)).collect();
    let nearest = nearest_titles(cursor);
    for resource in declared_resources(cursor.db, cursor.file) {
        let (type_, title) = resource;
        let mut known = declared.iter().chain(&own);
        let is_own = known.any(|it| it.type_ == *type_ && it.title.as_ref() == Some(title));
        let label = format!("{}[{}]", capitalize_segments(type_), quote(title));
        if is_own || related.as_ref().is_some_and(|it| it.contains(&label)) {
            continue;
        }
        let mut candidate = Candidate::new(CompletionKind::Title, label)
            .score(score::TYPE_MATCH)
            .weight(nearest.get(resource).copied().unwrap_or(1.0));
        if is_operand {
            candidate = candidate.group(group::LIKELY);
        }
        acc.add(candidate);
    }
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::{completions_of, is_offered, offered};

    #[test]
    fn types_of_references_are_not_quoted() {
        let used = "service { 'x': require => Package['a'] }\n";
        for code in [
            "file { '/a': require => P<^> }",
            "file { '/a': notify => [P<^>] }",
            "$a = realize(P<^>)",
        ] {
            let found = completions_of("manifests/site.pp", &format!("{used}{code}"));
            let found: Vec<_> = found.iter().filter(|it| it.label == "Package").collect();
            let snippets: Vec<_> = found.iter().map(|it| it.snippet.as_deref()).collect();
            assert_eq!(snippets, [Some("Package[$0]")], "{code}");
        }
    }

    #[test]
    fn resources_of_this_file_follow_an_arrow() {
        let code = "package { 'a': }\nservice { 'x': }\nPackage['a'] -> <^>";
        assert_eq!(offered(code, 1), "Service['x']");
        assert!(!is_offered(code, "Package['a']") && is_offered(code, "Package"));
        let code = "service { ['a', 'x']: }\nexec { 'e': }\nservice { 'c': }\nExec['e'] -> <^>";
        assert_eq!(offered(code, 3), "Service['c'], Service['x'], Service['a']");
        let code = "service { 'x': }\nfile { '/a': notify => <^> }";
        assert!(is_offered(code, "Service['x']") && !is_offered(code, "File['/a']"));
    }
}
