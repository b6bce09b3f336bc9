//! Converts between single and double quotes, and adds or removes the quotes around a bare word.

use syntax::ast::{AstNode, Attribute, Expr, ResourceExpr, StringLiteral, is_statement_function};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

use super::{AssistContext, AssistKind, Assists, replace};
use hir::canonical_name;
use hir::resolve::{Definition, resource_type};

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
        SyntaxKind::SINGLE_QUOTED if needs_double_quotes(token.text()) => {
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

/// Checks whether a string in single quotes, with its quotes, contains what is written or means otherwise in double
/// quotes. For all others, the style guide requires single quotes.
fn needs_double_quotes(written: &str) -> bool {
    let is_escape = |it: &str| it.starts_with(['n', 'r', 's', 't', 'u', '$', '"', '\'']);
    written.contains('$') || written.split('\\').skip(1).any(is_escape)
}

/// Offers to remove the quotes of a string that is one of the values of an attribute. The style guide requires quotes
/// around all other strings.
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
    if can_be_bare(&text) && is_attribute_value(cx, &node, &text) && can_be_unquoted(&token) {
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

/// Checks whether a node is the value of an attribute whose resource type lists it, such as `present`.
fn is_attribute_value(cx: &AssistContext<'_>, node: &SyntaxNode, text: &str) -> bool {
    let attribute = node.parent().and_then(Attribute::cast);
    let Some(name) = attribute.as_ref().and_then(Attribute::name_token) else {
        return false;
    };
    let mut around = node.ancestors();
    let type_ = around
        .find_map(ResourceExpr::cast)
        .and_then(|it| it.type_name());
    let Some(Expr::QualifiedName(type_)) = type_ else {
        return false;
    };
    let (environment, type_) = (cx.file.environment(cx.db), canonical_name(&type_.text()));
    let Ok(Definition::ResourceType(found)) = resource_type(cx.db, environment, &type_) else {
        return false;
    };
    let mut attributes = found.declared().attributes.iter();
    let attribute = attributes.find(|it| it.name == name.text());
    attribute.is_some_and(|it| it.values.iter().any(|it| it == text))
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
        assert_eq!(double("$a = '<^>it\\'s'\n"), "$a = \"it's\"\n");
        assert_eq!(double("$a = '<^>x\\n'\n"), "$a = \"x\\\\n\"\n");
        // The style guide requires single quotes.
        for kept in ["0644", "", "C:\\Program", "x \"y\""] {
            assert_eq!(double(&format!("$a = <^>'{kept}'\n")), "none", "{kept}");
        }
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
        for kept in ["'/a'", "'Present'", "'true'", "'a b'", ""] {
            assert_eq!(
                bare(&format!("file {{ '/a': ensure => <^>{kept} }}\n")),
                "none"
            );
        }
        // The style guide requires these quotes.
        for kept in [
            "$a = <^>'b'",
            "file { <^>'a': }",
            "file { '/a': owner => <^>'root' }",
            "case 'a' { <^>'b': { } }",
            "notice($facts[<^>'os'])",
            "a::b { 'c': ensure => <^>'present' }",
        ] {
            assert_eq!(bare(&format!("{kept}\n")), "none", "{kept}");
        }
    }
}
