//! The documentation of parameters in comments.

use library::signatures::Doc;
use rustc_hash::FxHashSet;
use syntax::ast::{AstNode, Definition, starts_line};
use syntax::{SyntaxKind, SyntaxToken, TextRange, TextSize};

/// The name in a tag `@param`, or in an entry of RDoc.
pub(crate) struct DocumentedName {
    pub(crate) name: String,
    pub(crate) range: TextRange,
}

/// Checks whether a definition is not part of the interface of its module.
pub(crate) fn is_private(doc: &Doc) -> bool {
    doc.tags("api").any(|it| it.text.trim() == "private")
}

/// Returns the names of the parameters that a comment documents: with `@param`, or as RDoc did with `[*name*]` or
/// `$name::`.
pub(crate) fn named_parameters(doc: &Doc) -> FxHashSet<&str> {
    let texts = doc.tags.iter().map(|it| it.text.as_str());
    let lines = texts.chain([doc.text.as_str()]).flat_map(str::lines);
    let in_text = lines.filter_map(|line| {
        let line = line.trim_start_matches([' ', '\t', '*', '-']);
        let in_brackets = line.strip_prefix("[*").and_then(|it| it.split_once("*]"));
        let before_colons = line.strip_prefix('$').and_then(|it| it.split_once("::"));
        in_brackets.or(before_colons).map(|it| it.0)
    });
    let tags = doc.tags("param").filter_map(|it| it.subject.as_deref());
    tags.chain(in_text).collect()
}

/// Returns the names in the tags `@param` directly above a definition, in source order. Those of blocks,
/// such as `&block`, are left out.
pub(crate) fn documented_names(definition: &Definition) -> Vec<DocumentedName> {
    let mut names: Vec<DocumentedName> = Vec::new();
    for comment in comments_above(definition) {
        let text = comment.text();
        let content = text.trim_start_matches('#');
        let content = content.strip_prefix(' ').unwrap_or(content);
        let Some(rest) = content.strip_prefix("@param") else {
            continue;
        };
        let Some(subject) = subject(rest) else {
            continue;
        };
        let name = subject.trim_start_matches(['$', '*']);
        if name.is_empty() || name.starts_with('&') {
            continue;
        }
        let end = text.len() - rest_after(rest, subject).len();
        let start = TextSize::of(&text[..end - name.len()]);
        names.push(DocumentedName {
            name: name.to_owned(),
            range: TextRange::at(comment.text_range().start() + start, TextSize::of(name)),
        });
    }
    names
}

/// Returns the names in entries of RDoc such as `[*name*]` below a heading `Parameters` directly above a definition, in
/// source order. Entries that are indented below others, such as the keys of a hash, are left out.
pub(crate) fn names_in_rdoc(definition: &Definition) -> Vec<DocumentedName> {
    let mut names = Vec::new();
    let mut is_section = false;
    let mut indentation = None;
    for comment in comments_above(definition) {
        let text = comment.text();
        let content = text.trim_start_matches('#').trim_start();
        if content.starts_with('=') {
            let heading = content.trim_matches(['=', ' ', ':']);
            is_section = heading.eq_ignore_ascii_case("parameters");
            indentation = None;
            continue;
        }
        let entry = content.trim_start_matches([' ', '\t', '*', '-']);
        let inner = entry.strip_prefix("[*").and_then(|it| it.split_once("*]"));
        let Some((name, _)) = inner.filter(|(it, _)| is_section && is_word(it)) else {
            continue;
        };
        let depth = text.len() - content.len();
        if depth == *indentation.get_or_insert(depth) {
            let start = TextSize::of(&text[..text.len() - entry.len() + "[*".len()]);
            names.push(DocumentedName {
                name: name.to_owned(),
                range: TextRange::at(comment.text_range().start() + start, TextSize::of(name)),
            });
        }
    }
    names
}

/// Checks whether a word consists of the characters of names of parameters.
fn is_word(text: &str) -> bool {
    text.chars()
        .all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// Returns the word after an optional type in brackets.
fn subject(rest: &str) -> Option<&str> {
    without_type(rest)?.split_whitespace().next()
}

fn without_type(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let Some(inner) = rest.strip_prefix('[') else {
        return Some(rest);
    };
    let mut depth = 1;
    let end = inner.find(|it| {
        depth += i32::from(it == '[') - i32::from(it == ']');
        depth == 0
    })?;
    Some(inner[end + 1..].trim_start())
}

/// Returns the part of a line after the subject.
fn rest_after<'a>(rest: &'a str, subject: &str) -> &'a str {
    let after = without_type(rest).and_then(|it| it.strip_prefix(subject));
    after.unwrap_or_default()
}

/// Returns the lines of the comment directly above a definition, in source order.
fn comments_above(definition: &Definition) -> Vec<SyntaxToken> {
    let mut comments = Vec::new();
    let mut at = definition
        .syntax()
        .first_token()
        .and_then(|it| it.prev_token());
    while let Some(token) = at {
        at = token.prev_token();
        match token.kind() {
            SyntaxKind::WHITESPACE if token.text().matches('\n').count() <= 1 => {}
            SyntaxKind::LINE_COMMENT if starts_line(&token) => comments.push(token),
            _ => break,
        }
    }
    comments.reverse();
    comments
}
