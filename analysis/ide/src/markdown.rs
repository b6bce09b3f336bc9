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
    let found = doc.parameter(name).map(render_param_tag);
    found.filter(|it| !it.is_empty())
}

/// Renders documentation as Markdown.
pub(crate) fn render_doc(doc: &Doc) -> String {
    let mut paragraphs: Vec<String> = doc.tags("summary").map(|it| it.text.clone()).collect();
    paragraphs.push(doc.text.clone());
    let others = doc.tags.iter();
    let others = others.filter(|it| !matches!(it.tag.as_str(), "summary" | "param"));
    paragraphs.extend(others.map(render_tag));
    let lines = doc.tags("param").map(|it| {
        let name = it.subject.as_deref().unwrap_or_default();
        let text = render_param_tag(it).replace('\n', "\n  ");
        format!("- `${name}` {text}").trim_end().to_owned()
    });
    paragraphs.push(lines.collect::<Vec<_>>().join("\n"));
    paragraphs.retain(|it| !it.is_empty());
    paragraphs.join("\n\n")
}

fn render_param_tag(tag: &DocTag) -> String {
    let kind = tag.type_.as_ref();
    let kind = kind.map_or(String::new(), |it| format!("`{it}` "));
    kind + &tag.text
}

fn render_tag(tag: &DocTag) -> String {
    let kind = tag.type_.as_ref();
    let kind = kind.map_or(String::new(), |it| format!(" `{it}`"));
    let text = match tag.tag.as_str() {
        "return" if kind.is_empty() || tag.text.is_empty() => {
            format!("Returns{kind} {}", tag.text)
        }
        "return" => format!("Returns{kind}: {}", tag.text),
        "example" => {
            let title = tag.subject.as_deref().unwrap_or_default();
            let heading = match title.is_empty() {
                true => "Example:".to_owned(),
                false => format!("Example: {title}"),
            };
            format!("{heading}\n\n{}", code_block(&tag.text))
        }
        name => {
            let subject = tag.subject.as_ref();
            let subject = subject.map_or(String::new(), |it| format!(" `{it}`"));
            format!("*@{name}*{kind}{subject} {}", tag.text)
        }
    };
    text.trim().to_owned()
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
            Short
            and more.

            Long text.

            Returns `Integer`: a number

            Example: Use it

            ```puppet
            f(1)
              .g
            ```

            *@api* private

            - `$x` What `x` is
              continued
            - `$y` `Array[String]`"#]]
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
