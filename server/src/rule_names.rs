//! Names of rules that users write: suggestions for unknown ones.

use analysis::base::suggest::{hint, similar};
use analysis::rules::puppet_lint_checks;
use analysis::rules::{self, Group};

use crate::issue_codes;

/// Returns the message about an unknown name of a rule.
pub(crate) fn unknown_rule(code: &str) -> String {
    if code.is_empty() {
        return "empty rule name; run `pupil rules` to list all rules".to_owned();
    }
    if has_no_rule(code) {
        return format!(
            "no rule replaces the check `{code}`: Puppet itself or `pupil format` covers it"
        );
    }
    let names = rules::all().flat_map(|it| it.puppet_lint.iter().chain([&it.code]));
    let groups = Group::ALL.iter().map(|it| it.name());
    let known = names
        .copied()
        .chain(groups)
        .chain(issue_codes::all().map(|it| it.code));
    match similar(code, known) {
        None => format!("unknown rule `{code}`; run `pupil rules` to list all rules"),
        near => format!("unknown rule `{code}`{}", hint(near)),
    }
}

/// Checks whether a name is that of a check of puppet-lint which no rule replaces.
pub(crate) fn has_no_rule(name: &str) -> bool {
    puppet_lint_checks::all().any(|it| it == name) && rules::rule(name).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_similar_codes() {
        let near = unknown_rule("unknown-clas");
        assert!(near.contains("did you mean `unknown-class`?"), "{near}");
        assert!(unknown_rule("nope").contains("list all rules"));
        assert!(unknown_rule("quite-different").contains("list all rules"));
        assert!(unknown_rule("slash_comments").starts_with("no rule replaces the check"));
    }
}
