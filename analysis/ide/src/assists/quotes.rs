//! Converts between single and double quotes, and adds or removes the quotes around a bare word.

use syntax::ast::{AstNode, StringLiteral, is_statement_function};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

use super::{AssistContext, AssistKind, Assists, replace};

/// Offers to change the quotes of a string, and to quote a bare word.
pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(token) = cx.token() else {
        return;
    };
    let Some(node) = token.parent() else {
        return;
    };
    let range = token.text_range();
    if !range.contains_range(cx.range) {
        return;
    }
    let kind = AssistKind::Rewrite;
    match token.kind() {
        SyntaxKind::SINGLE_QUOTED => {
            acc.add("double-quotes", "Use double quotes", kind, || {
                vec![replace(range, double_quoted(&string_value(node)))]
            });
        }
        SyntaxKind::DOUBLE_QUOTED => {
            if let Some(text) = single_quoted(token.text(), &string_value(node)) {
                acc.add("single-quotes", "Use single quotes", kind, || {
                    vec![replace(range, text)]
                });
            }
        }
        SyntaxKind::NAME | SyntaxKind::WORD if is_word(&node) && is_value(&node) => {
            let text = format!("'{}'", token.text());
            acc.add("quote", "Add quotes", kind, || vec![replace(range, text)]);
        }
        _ => {}
    }
}

/// Offers to remove the quotes of a string that is a bare word.
pub(super) fn offer_bare(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(token) = cx.token() else {
        return;
    };
    let quoted = matches!(
        token.kind(),
        SyntaxKind::SINGLE_QUOTED | SyntaxKind::DOUBLE_QUOTED
    );
    let node = token.parent().filter(|_| quoted);
    let Some(node) = node.filter(|_| token.text_range().contains_range(cx.range)) else {
        return;
    };
    let text = string_value(node.clone());
    if can_be_bare(&text) && stands_alone(&node) && can_be_unquoted(&token) {
        let range = token.text_range();
        acc.add("unquote", "Remove quotes", AssistKind::Rewrite, || {
            vec![replace(range, text)]
        });
    }
}

fn string_value(node: SyntaxNode) -> String {
    let view = StringLiteral::cast(node);
    view.map(|it| it.value()).unwrap_or_default()
}

/// Writes a string in double quotes, keeping line breaks unescaped.
fn double_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for it in text.chars() {
        if matches!(it, '"' | '$' | '\\') {
            out.push('\\');
        }
        out.push(it);
    }
    out.push('"');
    out
}

/// Rewrites a double-quoted string in single quotes, if possible.
fn single_quoted(written: &str, value: &str) -> Option<String> {
    if !written.contains(['\\', '\'']) {
        let inner = written.strip_prefix('"')?.strip_suffix('"')?;
        return Some(format!("'{inner}'"));
    }
    if value.chars().any(char::is_control) {
        return None;
    }
    let escaped = value.replace('\\', "\\\\").replace('\'', "\\'");
    Some(format!("'{escaped}'"))
}

fn is_word(node: &SyntaxNode) -> bool {
    matches!(node.kind(), SyntaxKind::QUALIFIED_NAME | SyntaxKind::STRING)
}

/// Checks whether a node is a value, as opposed to the name of a function, a type or an attribute.
fn is_value(node: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let Some(parent) = node.parent() else {
        return false;
    };
    matches!(
        parent.kind(),
        ATTRIBUTE
            | HASH_ENTRY
            | ARRAY
            | ASSIGNMENT
            | PARAMETER
            | ARGUMENT_LIST
            | CASE_OPTION
            | SELECTOR_ENTRY
            | ACCESS_KEYS
            | RESOURCE_BODY
    )
}

/// Checks whether a bare word in place of a node would still be parsed as a plain value.
fn stands_alone(node: &SyntaxNode) -> bool {
    let is_call = |it: &SyntaxNode| {
        it.kind() == SyntaxKind::ARGUMENT_LIST
            && it
                .first_token()
                .is_none_or(|it| !matches!(it.kind(), SyntaxKind::L_PAREN | SyntaxKind::WS_L_PAREN))
    };
    is_value(node) && !node.parent().as_ref().is_some_and(is_call)
}

/// Checks whether a string is valid as a bare word.
fn can_be_bare(text: &str) -> bool {
    let is_part = |it: &str| {
        let mut rest = it.chars();
        rest.next().is_some_and(|it| it.is_ascii_lowercase())
            && rest.all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_')
    };
    text.split("::").all(is_part)
        && SyntaxKind::from_keyword(text, true).is_none()
        && !is_statement_function(text)
}

/// Checks whether a bare word in place of a token would not merge with adjacent tokens.
fn can_be_unquoted(token: &SyntaxToken) -> bool {
    let is_near =
        |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '$' | '.' | '(' | '{');
    let before = token.prev_token();
    let before = before.and_then(|it| it.text().chars().next_back());
    let after = token.next_token();
    let after = after.and_then(|it| it.text().chars().next());
    let runs_into = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '$' | '.');
    !before.is_some_and(runs_into) && !after.is_some_and(is_near)
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::applied;

    #[test]
    fn converts_quotes() {
        let single = |it: &str| applied("single-quotes", it);
        assert_eq!(single("$a = <^>\"x y\"\n"), "$a = 'x y'\n");
        assert_eq!(
            single("$a = \"x\\\\ <^>'y' \\$\"\n"),
            "$a = 'x\\\\ \\'y\\' $'\n"
        );
        assert_eq!(single("$a = \"x<^>\\n\"\n"), "none");
        assert_eq!(single("$a = \"x\n<^>y\"\n"), "$a = 'x\ny'\n");
        assert_eq!(single("$a = \"x <^>${1}\"\n"), "none");
        let double = |it: &str| applied("double-quotes", it);
        assert_eq!(
            double("$a = '<^>x\\\\ \"$b'\n"),
            "$a = \"x\\\\ \\\"\\$b\"\n"
        );
    }

    #[test]
    fn quotes_words_in_value_positions() {
        let quoted = |it: &str| applied("quote", it);
        assert_eq!(
            quoted("file { '/a': ensure => <^>present }\n"),
            "file { '/a': ensure => 'present' }\n"
        );
        assert_eq!(quoted("file { '/a': <^>ensure => present }\n"), "none");
        assert_eq!(quoted("<^>notice(a)\n"), "none");
        assert_eq!(quoted("<^>file { '/a': }\n"), "none");
        assert_eq!(quoted("include st<^>dlib::a\n"), "include 'stdlib::a'\n");
        assert_eq!(quoted("$a = foo<^>-bar\n"), "$a = 'foo-bar'\n");
    }

    #[test]
    fn removes_quotes_of_bare_words() {
        let bare = |it: &str| applied("unquote", it);
        assert_eq!(
            bare("file { '/a': ensure => '<^>present' }\n"),
            "file { '/a': ensure => present }\n"
        );
        for kept in [
            "'true'", "'class'", "'Upper'", "'a b'", "'fail'", "'8'", "''",
        ] {
            assert_eq!(bare(&format!("$a = <^>{kept}\n")), "none");
        }
        assert_eq!(bare("if $a == <^>'b' { }\n"), "none");
        assert_eq!(bare("case 'a' { <^>'b': { } }\n"), "case 'a' { b: { } }\n");
        assert_eq!(bare("$a = { <^>\"b\"=>1 }\n"), "$a = { b=>1 }\n");
    }
}
