//! The blocks of snippets. In a template, a tag contains only the opening brace.

use syntax::{SyntaxKind, SyntaxToken};

use super::{Candidate, Candidates, CompletionKind, group};

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

/// Adds what ends the block around a tag of a template, if another tag opens it: a brace, or the start of the alternative
/// of a condition.
pub(super) fn closing(acc: &mut Candidates<'_, '_>) {
    let before = kind_before(&acc.cursor.token);
    let is_first = before == Some(SyntaxKind::EPP_OPEN);
    let Some(open) = unclosed_brace(&acc.cursor.token).filter(|_| is_first) else {
        return;
    };
    let candidate =
        |label: &str| Candidate::new(CompletionKind::Keyword, label).group(group::FIRST);
    if !is_closed(&acc.cursor.token) {
        let end = if is_tag_closed(acc) { "" } else { " -%>" };
        acc.add(candidate("}").snippet(format!("}}{end}$0")));
    }
    if has_alternative(&open) {
        let text = opening(acc, "} else");
        acc.add(candidate("} else {").snippet(text));
    }
}

/// Returns the kind of the token before a token, which may be the start of its tag.
pub(super) fn kind_before(token: &SyntaxToken) -> Option<SyntaxKind> {
    let mut before = std::iter::successors(token.prev_token(), SyntaxToken::prev_token);
    let before = before.find(|it| !is_blank(it.kind()));
    before.map(|it| it.kind())
}

/// Returns the last brace before a token that is open there, if it is the last token of its tag.
fn unclosed_brace(token: &SyntaxToken) -> Option<SyntaxToken> {
    let mut depth = 0_usize;
    let mut after: Option<SyntaxKind> = None;
    let mut at = token.prev_token();
    while let Some(token) = at {
        match token.kind() {
            SyntaxKind::R_BRACE => depth += 1,
            SyntaxKind::L_BRACE if depth == 0 => {
                return (after == Some(SyntaxKind::EPP_CLOSE)).then_some(token);
            }
            SyntaxKind::L_BRACE => depth -= 1,
            _ => {}
        }
        if !is_blank(token.kind()) {
            after = Some(token.kind());
        }
        at = token.prev_token();
    }
    None
}

fn is_blank(kind: SyntaxKind) -> bool {
    use SyntaxKind::{BLOCK_COMMENT, LINE_COMMENT, WHITESPACE};
    matches!(kind, WHITESPACE | LINE_COMMENT | BLOCK_COMMENT)
}

/// Checks whether a brace after a token closes the block around it.
fn is_closed(token: &SyntaxToken) -> bool {
    let mut depth = 0_usize;
    let mut at = token.next_token();
    while let Some(token) = at {
        match token.kind() {
            SyntaxKind::L_BRACE => depth += 1,
            SyntaxKind::R_BRACE if depth == 0 => return true,
            SyntaxKind::R_BRACE => depth -= 1,
            _ => {}
        }
        at = token.next_token();
    }
    false
}

/// Checks whether a brace opens the block of a condition, which `else` can follow.
fn has_alternative(brace: &SyntaxToken) -> bool {
    let tokens = std::iter::successors(brace.prev_token(), SyntaxToken::prev_token);
    let tag = tokens.take_while(|it| it.kind() != SyntaxKind::EPP_OPEN);
    let words = tag.filter(|it| !is_blank(it.kind()) && it.kind() != SyntaxKind::R_BRACE);
    let first = words.last().map(|it| it.kind());
    matches!(
        first,
        Some(SyntaxKind::IF_KW | SyntaxKind::UNLESS_KW | SyntaxKind::ELSIF_KW)
    )
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
    fn tags_close_blocks() {
        let path = "modules/web/templates/x.epp";
        let first = |code: &str, count| offered_in(path, &template(code), count);
        assert_eq!(first("<% if $on { -%>\na\n<% <^> -%>", 2), "}, } else {");
        assert_eq!(first("<% $x.each |$y| { -%>\na\n<% <^> -%>", 1), "}");
        assert_eq!(
            snippet("<% if $on { -%>\na\n<% <^>", "} else {"),
            "} else { -%>$0"
        );
        let nested = "<% if $on { -%>\n<% $x.each |$y| { -%>\na\n<% } -%>\n<% <^> -%>\n<% } -%>\n";
        assert_eq!(first(nested, 1), "} else {");
        let closed = "<% if $on { -%>\na\n<% } -%>\n<% <^> -%>";
        let all = first(closed, usize::MAX);
        assert!(!all.contains('}'), "{all}");
    }

    #[test]
    fn tags_print_variables() {
        let path = "modules/web/templates/x.epp";
        let found = offered_in(path, &template("<%= <^> %>"), 2);
        assert!(found.contains("$name") && found.contains("$on"), "{found}");
        let found = offered_in(path, &template("<% <^> %>"), 9);
        assert!(found.contains("$name") && found.contains("$on"), "{found}");
        for code in ["<% <^> %>", "<%= <^> %>"] {
            let found = offered_in(path, &template(code), usize::MAX);
            assert!(!found.split(", ").any(|it| it == "package"), "{code}");
        }
    }
}
