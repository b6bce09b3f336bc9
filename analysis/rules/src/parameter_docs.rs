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

/// Returns the names in entries of RDoc, `[*name*]` or `$name::`, below a heading `Parameters` directly above a
/// definition, in source order. Without such a heading, the entries below no heading other than the title count, if one
/// of them names a parameter. Entries that are indented below others, such as the keys of a hash, are left out.
pub(crate) fn names_in_rdoc(definition: &Definition, parameters: &[String]) -> Vec<DocumentedName> {
    let comments = comments_above(definition);
    let has_section = comments.iter().filter_map(heading).any(is_of_parameters);
    let mut names = Vec::new();
    let mut is_section = !has_section;
    let mut indentation = None;
    for comment in &comments {
        if let Some(heading) = heading(comment) {
            is_section = match has_section {
                true => is_of_parameters(heading),
                false => is_title(heading),
            };
            indentation = None;
            continue;
        }
        let Some((name, depth)) = rdoc_entry(comment).filter(|_| is_section) else {
            continue;
        };
        if depth == *indentation.get_or_insert(depth) {
            names.push(name);
        }
    }
    let are_parameters = has_section || names.iter().any(|it| parameters.contains(&it.name));
    names.retain(|_| are_parameters);
    names
}

/// The documentation of a parameter: the lines from its tag or entry up to the next one, without empty lines at the end.
pub(crate) struct DocumentedParameter {
    pub(crate) name: String,
    pub(crate) range: TextRange,
}

/// Returns the documentation of parameters directly above a definition, in source order.
pub(crate) fn documented_parameters(
    definition: &Definition,
    parameters: &[String],
) -> Vec<DocumentedParameter> {
    let mut names = documented_names(definition);
    if names.is_empty() {
        names = names_in_rdoc(definition, parameters);
    }
    let comments = comments_above(definition);
    let entry = |name: DocumentedName| {
        let precedes = |it: &SyntaxToken| it.text_range().end() < name.range.end();
        let first = comments.partition_point(precedes);
        comments.get(first)?;
        let depth = indentation(&comments[first]);
        let mut last = first;
        for (index, comment) in comments.iter().enumerate().skip(first + 1) {
            match indentation(comment) {
                None => {}
                deeper if deeper > depth => last = index,
                Some(_) => break,
            }
        }
        let range = comments[first]
            .text_range()
            .cover(comments[last].text_range());
        let name = name.name;
        Some(DocumentedParameter { name, range })
    };
    names.into_iter().filter_map(entry).collect()
}

/// Returns the number of blanks before the text of a comment; `None` without text.
fn indentation(comment: &SyntaxToken) -> Option<usize> {
    let content = comment.text().trim_start_matches('#');
    let text = content.trim_start();
    (!text.is_empty()).then_some(content.len() - text.len())
}

/// Returns the heading in a line of RDoc.
fn heading(comment: &SyntaxToken) -> Option<&str> {
    let content = comment.text().trim_start_matches('#').trim_start();
    let is_heading = content.starts_with('=');
    is_heading.then(|| content.trim_matches(['=', ' ', ':']))
}

fn is_of_parameters(heading: &str) -> bool {
    heading.eq_ignore_ascii_case("parameters")
}

/// Checks whether a heading is the title of a comment, such as `Class: example`.
fn is_title(heading: &str) -> bool {
    let kind = heading.split([' ', ':']).next().unwrap_or_default();
    let kinds = ["class", "define", "definition", "type", "function"];
    kinds.iter().any(|it| kind.eq_ignore_ascii_case(it))
}

/// Returns the name in a line of RDoc that starts with `[*name*]` or `$name::`, and the indentation of the line.
fn rdoc_entry(comment: &SyntaxToken) -> Option<(DocumentedName, usize)> {
    let text = comment.text();
    let content = text.trim_start_matches('#').trim_start();
    let entry = content.trim_start_matches([' ', '\t', '*', '-']);
    let in_brackets = entry.strip_prefix("[*").and_then(|it| it.split_once("*]"));
    let before_colons = entry.strip_prefix('$').and_then(|it| it.split_once("::"));
    let before_colons = before_colons.filter(|(_, rest)| !rest.starts_with(is_word_char));
    let mark = if in_brackets.is_some() { "[*" } else { "$" };
    let (name, _) = in_brackets.or(before_colons).filter(|it| is_word(it.0))?;
    let start = TextSize::of(&text[..text.len() - entry.len() + mark.len()]);
    let name = DocumentedName {
        name: name.to_owned(),
        range: TextRange::at(comment.text_range().start() + start, TextSize::of(name)),
    };
    Some((name, text.len() - content.len()))
}

/// Checks whether a word consists of the characters of names of parameters.
fn is_word(text: &str) -> bool {
    text.chars().all(is_word_char)
}

fn is_word_char(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
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
pub(crate) fn comments_above(definition: &Definition) -> Vec<SyntaxToken> {
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
