//! Renders the signature of a definition as code, and its documentation as Markdown.

use syntax::ast::Definition;
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode};

use library::signatures::{Doc, DocTag};

/// Wraps code in a fence longer than any run of backticks in it.
pub(crate) fn code_block(code: &str) -> String {
    let longest = code
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}puppet\n{code}\n{fence}")
}

/// Returns the source of a definition up to its body, without comments and empty lines; type
/// aliases in full.
pub(crate) fn header(definition: &SyntaxNode) -> String {
    let mut text = String::new();
    for element in definition.children_with_tokens() {
        match element {
            NodeOrToken::Node(it) if it.kind() == SyntaxKind::BLOCK => break,
            NodeOrToken::Node(it) => push_code(&mut text, &it),
            NodeOrToken::Token(it) if it.kind().is_comment() => {}
            NodeOrToken::Token(it) => text.push_str(it.text()),
        }
    }
    let lines = text.lines().map(str::trim_end);
    let lines: Vec<_> = lines.filter(|it| !it.is_empty()).collect();
    lines.join("\n")
}

fn push_code(text: &mut String, node: &SyntaxNode) {
    let tokens = node
        .descendants_with_tokens()
        .filter_map(|it| it.into_token())
        .filter(|it| !it.kind().is_comment());
    for token in tokens {
        text.push_str(token.text());
    }
}

/// Parses the comment above a definition.
pub(crate) fn parse_doc(definition: &Definition) -> Doc {
    let comment = syntax::ast::documentation(definition);
    comment.map_or_else(Doc::default, |it| Doc::parse(&it))
}

/// Renders the documentation of a parameter as Markdown.
pub(crate) fn parameter_doc(doc: &Doc, name: &str) -> Option<String> {
    let found = doc.parameter(name);
    let found = found.map(|it| render_text(&render_param_tag(it)));
    found.filter(|it| !it.is_empty())
}

/// Documentation as Markdown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct RenderedDoc {
    /// The first sentences, on one line; may be empty.
    pub(crate) summary: String,
    /// The paragraphs after the summary.
    pub(crate) details: Vec<String>,
}

/// Renders documentation as Markdown.
pub(crate) fn render_doc(doc: &Doc) -> String {
    let RenderedDoc { summary, details } = render_sections(doc);
    let parts = std::iter::once(summary).chain(details);
    let parts: Vec<String> = parts.filter(|it| !it.is_empty()).collect();
    parts.join("\n\n")
}

/// Renders documentation as a summary and details.
pub(crate) fn render_sections(doc: &Doc) -> RenderedDoc {
    let text = doc.text.trim();
    let (summary, rest) = match doc.tags("summary").next() {
        Some(tag) => summarize(&tag.text, text),
        None => split_summary(text),
    };
    let mut details = Vec::new();
    let mut add = |paragraph: String| {
        if !paragraph.trim().is_empty() {
            details.push(paragraph);
        }
    };
    doc.tags("deprecated")
        .for_each(|it| add(labeled("Deprecated", it)));
    add(render_text(&rest));
    add(parameter_list(doc));
    doc.tags("return")
        .for_each(|it| add(result_line("Returns", it)));
    doc.tags("raise")
        .for_each(|it| add(result_line("Raises", it)));
    add(named_list(doc, "provider", "Providers:"));
    add(named_list(doc, "feature", "Features:"));
    for tag in &doc.tags {
        add(render_tag(tag));
    }
    RenderedDoc { summary, details }
}

/// The maximum length of a summary, in characters: about two lines.
const MAX_SUMMARY: usize = 200;

/// Returns a summary that is short enough, and the text after it.
fn summarize(summary: &str, text: &str) -> (String, String) {
    let line = one_line(summary);
    match shortened(&line) {
        Some(short) => (short, format!("{summary}\n\n{text}")),
        None => (line, text.to_owned()),
    }
}

/// Splits off the first paragraph, unless it is a list, a table or code.
pub(crate) fn split_summary(text: &str) -> (String, String) {
    let mut rest = text;
    let mut heading_end = 0;
    while let Some(first) = rest.lines().next() {
        if !(first.is_empty() || is_heading(first)) {
            break;
        }
        rest = rest
            .get(first.len()..)
            .unwrap_or_default()
            .trim_start_matches(['\r', '\n']);
        heading_end = text.len() - rest.len();
    }
    let starts_block = |line: &str| {
        let number = line.trim_start_matches(|it: char| it.is_ascii_digit());
        let is_marked = ["- ", "* ", "+ "].iter().any(|it| line.starts_with(it));
        let is_item = is_marked || line.starts_with(['|', '[']) || number.starts_with(". ");
        let is_tag = tag_of_line(line.trim_start()).is_some();
        is_item || is_tag || line.starts_with("```") || line.starts_with("    ")
    };
    let lines = rest.lines().take_while(|it| !it.trim().is_empty());
    let lines: Vec<&str> = lines
        .take_while(|it| !starts_block(it) && !is_heading(it))
        .collect();
    let line = one_line(&lines.join(" "));
    if line.is_empty() {
        return (String::new(), text.to_owned());
    }
    let short = shortened(&line);
    if short.is_some() || heading_end > 0 {
        return (short.unwrap_or(line), text.to_owned());
    }
    let rest: Vec<&str> = rest.lines().skip(lines.len()).collect();
    (line, rest.join("\n").trim_matches('\n').to_owned())
}

/// Abbreviations that do not end a sentence.
const ABBREVIATIONS: [&str; 4] = ["e.g.", "i.e.", "etc.", "vs."];

/// Returns the first sentences or words if the text is too long for a summary.
fn shortened(line: &str) -> Option<String> {
    let (end, _) = line.char_indices().nth(MAX_SUMMARY)?;
    let start = &line[..end];
    // The parts of a code span must not be separated, nor those of what is in parentheses, as after `e.g.`
    let is_balanced = |text: &&str| {
        text.matches('`').count().is_multiple_of(2)
            && text.matches('(').count() == text.matches(')').count()
            && !ABBREVIATIONS.iter().any(|it| text.ends_with(it))
    };
    let mut sentences = start.rmatch_indices(". ").map(|it| &start[..=it.0]);
    let words = || {
        let words = start.rfind(' ').map_or(start, |it| &start[..it]);
        format!("{} …", words.trim_end_matches([',', ';', ':', '.']))
    };
    Some(
        sentences
            .find(is_balanced)
            .map_or_else(words, str::to_owned),
    )
}

pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks whether a line is a heading in Markdown or RDoc, or only names the definition: `Class: web::site`.
fn is_heading(line: &str) -> bool {
    let named = TITLES.iter().find_map(|it| line.trim().strip_prefix(it));
    if named.is_some_and(|it| it.split_whitespace().count() == 1) {
        return true;
    }
    let marks = line.trim_start_matches(['#', '=']);
    marks.len() < line.len() && (marks.is_empty() || marks.starts_with(' '))
}

/// The words that old comments have before the name of the definition.
const TITLES: [&str; 6] = [
    "Class:",
    "Define:",
    "Defined type:",
    "Definition:",
    "Function:",
    "Type:",
];

/// The tags that are rendered together with others of the same name.
const GROUPED_TAGS: [&str; 8] = [
    "deprecated",
    "feature",
    "option",
    "param",
    "provider",
    "raise",
    "return",
    "summary",
];

/// The other tags of puppet-strings and YARD.
const SINGLE_TAGS: [&str; 14] = [
    "abstract", "api", "author", "example", "note", "overload", "plan", "private", "see", "since",
    "todo", "until", "version", "yield",
];

/// Renders text: headings of RDoc, and tags that are out of place, such as indented ones.
fn render_text(text: &str) -> String {
    let mut fence = None;
    let mut rendered = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|it| trimmed.starts_with(it));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if fence.is_some() {
            rendered.push(line.to_owned());
            continue;
        }
        rendered.push(render_line(line, trimmed));
        if tag_of_line(trimmed).is_some_and(|it| it.0 == "example") {
            let indent = line.len() - trimmed.len();
            let is_code = |it: &&str| it.trim().is_empty() || indentation(it) > indent;
            let code: Vec<&str> = std::iter::from_fn(|| lines.next_if(is_code)).collect();
            rendered.extend(indented_code(&code));
        }
    }
    rendered.join("\n")
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Renders the indented lines below a tag as a block of code.
fn indented_code(lines: &[&str]) -> Option<String> {
    let written = lines.iter().filter(|it| !it.trim().is_empty());
    let indent = written.map(|it| indentation(it)).min()?;
    let lines = lines.iter().map(|it| it.get(indent..).unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    Some(format!("\n{}\n", code_block(code.trim_matches('\n'))))
}

/// Returns the name of the tag that a line begins with, and the text after it.
fn tag_of_line(trimmed: &str) -> Option<(&str, &str)> {
    let tag = trimmed.strip_prefix('@')?;
    let (name, rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let is_known = GROUPED_TAGS.contains(&name) || SINGLE_TAGS.contains(&name);
    is_known.then_some((name, rest))
}

fn render_line(line: &str, trimmed: &str) -> String {
    let indent = &line[..line.len() - trimmed.len()];
    if let Some((name, rest)) = tag_of_line(trimmed) {
        return format!("{indent}*{}* {}", capitalized(name), rest.trim_start())
            .trim_end()
            .to_owned();
    }
    let heading = trimmed.trim_start_matches('=');
    match heading.strip_prefix(' ') {
        Some(title) if heading.len() < trimmed.len() => format!("**{}**", title.trim()),
        _ => line.to_owned(),
    }
}

fn capitalized(name: &str) -> String {
    let name = name.replace('_', " ");
    let mut chars = name.chars();
    let first = chars.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// Renders the parameters with their options as a list.
fn parameter_list(doc: &Doc) -> String {
    let item = |name: &str, tag: &DocTag| {
        let text = render_text(&render_param_tag(tag)).replace('\n', "\n  ");
        format!("- `{name}` {text}").trim_end().to_owned()
    };
    let mut lines = Vec::new();
    for tag in &doc.tags {
        let subject = tag.subject.as_deref().unwrap_or_default();
        match tag.tag.as_str() {
            "param" => lines.push(item(&format!("${subject}"), tag)),
            "option" => {
                let (key, text) = tag
                    .text
                    .split_once(char::is_whitespace)
                    .unwrap_or((&tag.text, ""));
                let key = key.trim_start_matches(':');
                let option = DocTag {
                    type_: tag.type_.clone(),
                    text: text.to_owned(),
                    ..DocTag::default()
                };
                lines.push(item(&format!("${subject}['{key}']"), &option));
            }
            _ => {}
        }
    }
    lines.join("\n")
}

/// Renders tags whose text starts with a name as a list with one line each.
fn named_list(doc: &Doc, tag: &str, heading: &str) -> String {
    let items = doc.tags(tag).map(|it| {
        let line = one_line(&it.text);
        let (name, text) = line.split_once(' ').unwrap_or((&line, ""));
        format!("- `{name}` {text}").trim_end().to_owned()
    });
    let items: Vec<String> = items.collect();
    match items.is_empty() {
        true => String::new(),
        false => format!("{heading}\n\n{}", items.join("\n")),
    }
}

fn render_param_tag(tag: &DocTag) -> String {
    let kind = tag.type_.as_ref();
    let kind = kind.map_or(String::new(), |it| format!("`{it}` "));
    kind + &tag.text
}

/// Renders a tag about the result: "Returns `Integer`: a number".
fn result_line(verb: &str, tag: &DocTag) -> String {
    let text = render_text(&tag.text);
    let line = match &tag.type_ {
        None => format!("{verb} {text}"),
        Some(type_) if text.is_empty() => format!("{verb} `{type_}`"),
        Some(type_) => format!("{verb} `{type_}`: {text}"),
    };
    line.trim().to_owned()
}

/// Renders a tag on a line of its own: "*Author*: Ada".
fn labeled(label: &str, tag: &DocTag) -> String {
    let type_ = tag.type_.as_ref().map(|it| format!("`{it}` "));
    let subject = tag.subject.as_ref().map(|it| format!("`{it}` "));
    let text = render_text(&tag.text);
    let text = format!(
        "{}{}{text}",
        type_.unwrap_or_default(),
        subject.unwrap_or_default()
    );
    match text.trim() {
        "" => format!("*{label}*"),
        text => format!("*{label}*: {text}"),
    }
}

/// Renders a tag that is not part of a list; empty if it is, or if it is meant for tools.
fn render_tag(tag: &DocTag) -> String {
    match tag.tag.as_str() {
        name if GROUPED_TAGS.contains(&name) => String::new(),
        "example" => {
            let title = tag.subject.as_deref().unwrap_or_default();
            let heading = match title.is_empty() {
                true => "Example:".to_owned(),
                false => format!("Example: {title}"),
            };
            match tag.text.is_empty() {
                true => heading,
                false => format!("{heading}\n\n{}", code_block(&tag.text)),
            }
        }
        "see" => see_also(&tag.text),
        "overload" => overload(tag),
        "todo" => labeled("To do", tag),
        "api" => labeled("API", tag),
        name => labeled(&capitalized(name), tag),
    }
}

/// Renders a reference, as a link if it is an address.
fn see_also(text: &str) -> String {
    let line = one_line(text);
    let (first, rest) = line.split_once(' ').unwrap_or((&line, ""));
    match first.contains("://") {
        true if rest.is_empty() => format!("*See also*: <{first}>"),
        true => format!("*See also*: [{rest}]({first})"),
        false => format!("*See also*: {line}"),
    }
}

/// Renders an overload with the tags that belong to it.
fn overload(tag: &DocTag) -> String {
    let (signature, rest) = tag.text.split_once('\n').unwrap_or((&tag.text, ""));
    let own = render_doc(&Doc::parse(rest));
    format!("{}\n\n{own}", code_block(signature))
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use syntax::ast::AstNode;

    use super::*;
    use expect_test::expect;
    use syntax::Dialect;

    fn first(source: &str) -> Definition {
        let root = syntax::parse(source, Dialect::default()).syntax();
        let found = root.descendants().find_map(Definition::cast);
        found.expect("the source has a definition")
    }

    #[test]
    fn signatures_end_before_the_body() {
        let definition = first(
            "class a (\n  # Not shown.\n  Integer $x = 1,\n\n  $y,\n) inherits b { notice(1) }",
        );
        expect![[r#"
            class a (
              Integer $x = 1,
              $y,
            ) inherits b"#]]
        .assert_eq(&header(definition.syntax()));
        let alias = first("type A =\n  Integer # one");
        assert_eq!(header(alias.syntax()), "type A =\n  Integer");
    }

    #[test]
    fn renders_puppet_strings_as_markdown() {
        let definition = first(
            "# @summary Short\n#   and more.\n#\n# Long text.\n#\n\
             # @param x What `x` is\n#   continued\n# @param [Array[String]] y\n\
             # @return [Integer] a number\n# @example Use it\n#   f(1)\n#     .g\n# @api private\n\
             function f($x) { }",
        );
        let found = parse_doc(&definition);
        expect![[r#"
            Short and more.

            Long text.

            - `$x` What `x` is
              continued
            - `$y` `Array[String]`

            Returns `Integer`: a number

            Example: Use it

            ```puppet
            f(1)
              .g
            ```

            *API*: private"#]]
        .assert_eq(&render_doc(&found));
        assert_eq!(
            parameter_doc(&found, "x").as_deref(),
            Some("What `x` is\ncontinued")
        );
        assert_eq!(parameter_doc(&found, "z"), None);
    }

    #[test]
    fn fence_is_longer_than_any_inside() {
        assert!(code_block("a ```` b").starts_with("`````puppet\n"));
    }
}
