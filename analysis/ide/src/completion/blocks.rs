//! The blocks of snippets. In a template, a tag contains only the opening brace.

use super::Candidates;

/// Returns a block after its header as a snippet.
pub(super) fn block(acc: &Candidates<'_, '_>, header: &str) -> String {
    match acc.is_template() {
        false => format!("{header} {{\n  $0\n}}"),
        true => opening(acc, header),
    }
}

/// Returns a header with its opening brace, and the end of the tag if that is missing.
pub(super) fn opening(acc: &Candidates<'_, '_>, header: &str) -> String {
    let end = if is_tag_closed(acc) { "" } else { " -%>" };
    format!("{header} {{{end}$0")
}

/// Checks whether the tag at the cursor ends on its line.
fn is_tag_closed(acc: &Candidates<'_, '_>) -> bool {
    let line = acc.text_after_word().lines().next().unwrap_or_default();
    let end = line.find("%>");
    end.is_some_and(|it| !line[..it].contains("<%"))
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::{completions_of, offered_in};

    fn template(code: &str) -> String {
        format!("<%- | String $name, Boolean $on | -%>\n{code}")
    }

    fn snippet(code: &str, label: &str) -> String {
        let found = completions_of("modules/web/templates/x.epp", &template(code));
        let mut found = found.into_iter().filter(|it| it.label == label);
        let item = found.next().expect("the item is offered");
        item.snippet.unwrap_or(item.insert)
    }

    #[test]
    fn blocks_in_tags_open_on_one_line() {
        assert_eq!(snippet("<% i<^> %>", "if"), "if ${1:condition} {$0");
        assert_eq!(snippet("<% i<^>", "if"), "if ${1:condition} { -%>$0");
        assert_eq!(
            snippet("<% if $on { -%>\na\n<% } <^> -%>", "else"),
            "else {$0"
        );
        let expected = "each |\\$${1:item}| {$0";
        assert_eq!(snippet("<% [1].ea<^> -%>", "each"), expected);
    }

    #[test]
    fn tags_print_variables() {
        let path = "modules/web/templates/x.epp";
        let found = offered_in(path, &template("<%= <^> %>"), 2);
        assert!(found.contains("$name") && found.contains("$on"), "{found}");
        for code in ["<% <^> %>", "<%= <^> %>"] {
            let found = offered_in(path, &template(code), usize::MAX);
            assert!(!found.split(", ").any(|it| it == "package"), "{code}");
        }
    }
}
