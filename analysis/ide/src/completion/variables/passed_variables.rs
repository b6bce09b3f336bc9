//! Completes the variables that calls of `epp` pass to a template without a parameter list.

use rustc_hash::FxHashSet;

use super::{MAX_DETAIL_LENGTH, VariableQuery, locals, match_score, with_sigil};
use crate::completion::{Candidate, Candidates, CompletionKind, score};
use crate::hover::passed_type;
use crate::readable_type::readable_type;
use crate::symbol::open_templates::calls_of;

/// Adds the variables that calls pass to the template at the cursor.
pub(super) fn add(acc: &mut Candidates<'_, '_>, query: &VariableQuery<'_>) {
    let db = acc.cursor.db;
    let Some(item) = acc.cursor.item.filter(|_| acc.is_template()) else {
        return;
    };
    let Some(calls) = calls_of(db, item) else {
        return;
    };
    let assigned: FxHashSet<String> = locals(acc.cursor).into_iter().map(|it| it.name).collect();
    for name in calls.passed.iter().filter(|it| !assigned.contains(*it)) {
        let passed = passed_type(db, item, name);
        let near = query.mention_scores.get(name).copied().unwrap_or(0);
        let fits = match_score(query.expected, name, passed.as_ref());
        let points = query.base + 5 * score::SAME_SCOPE + near + fits + query.topic_score(name);
        let detail = passed.and_then(|it| readable_type(&it.type_, MAX_DETAIL_LENGTH));
        let candidate = Candidate::new(CompletionKind::Parameter, with_sigil(name, query.sigil));
        acc.add(candidate.detail(detail).score(points));
    }
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::offered_in;

    const CALL: &str = "//- modules/app/manifests/init.pp\n\
        class app (Integer $p) { $a = epp('web/x.epp', { 'port' => $p, 'host' => 'a' }) }\n";

    #[test]
    fn variables_that_calls_pass() {
        for tag in ["<%= $<^> %>", "<% if $<^> { %>"] {
            let found = offered_in("modules/web/templates/x.epp", &format!("{tag}\n{CALL}"), 2);
            assert!(
                found.contains("port") && found.contains("host"),
                "{tag}: {found}"
            );
        }
        let found = offered_in(
            "modules/web/templates/y.epp",
            &format!("<%= $<^> %>\n{CALL}"),
            9,
        );
        assert!(!found.split(", ").any(|it| it == "port"), "{found}");
    }

    #[test]
    fn keys_that_the_template_reads() {
        let template = "//- modules/app/templates/a.epp\n<% $y = 1 %><%= $port %> <%= $host %>\n\
                        <% [1].each |$z| { %><%= $y + $z %><% } %><%= $facts['x'] %>\n";
        let code = "class app { $a = epp('app/a', { 'port' => 1, <^> }) }\n";
        let found = offered_in(
            "modules/app/manifests/init.pp",
            &format!("{code}{template}"),
            9,
        );
        assert!(found.starts_with("host as 'host' => "), "{found}");
        for other in ["port as", "y as", "z as", "facts as"] {
            assert!(!found.contains(other), "{found}");
        }
    }
}
