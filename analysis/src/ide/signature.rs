//! The head of a definition as code, and its documentation as Markdown.

use syntax::ast::{Definition, documentation};
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode};

/// Code in a fence that nothing in it can close.
pub(crate) fn fenced(code: &str) -> String {
    let longest = code
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}puppet\n{code}\n{fence}")
}

/// The definition up to its body, without comments and empty lines. An alias is shown whole.
pub(crate) fn head(definition: &SyntaxNode) -> String {
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

/// What the comment above a definition says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Documentation {
    /// All but what is said of the parameters, as Markdown.
    pub(crate) text: String,
    /// What is said of each parameter, in the order of the comment.
    pub(crate) parameters: Vec<(String, String)>,
}

/// A tag of puppet-strings at the start of a line: its name and what follows.
fn tag(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix('@')?;
    let end = rest
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    (end > 0).then(|| (&rest[..end], rest[end..].trim()))
}

impl Documentation {
    /// Reads the comment above a definition.
    pub(crate) fn of(definition: &Definition) -> Documentation {
        documentation(definition).map_or_else(Documentation::default, |it| Documentation::read(&it))
    }

    fn read(comment: &str) -> Documentation {
        let mut found = Documentation::default();
        let mut lines = comment.lines().peekable();
        while let Some(line) = lines.next() {
            let Some((name, rest)) = tag(line) else {
                found.text.push_str(line);
                found.text.push('\n');
                continue;
            };
            // What belongs to a tag is indented.
            let mut more = Vec::new();
            while let Some(next) = lines.next_if(|it| it.starts_with([' ', '\t']) || it.is_empty())
            {
                more.push(next);
            }
            found.add(name, rest, &more);
        }
        found.text = found.text.trim().to_owned();
        found
    }

    fn add(&mut self, tag: &str, rest: &str, more: &[&str]) {
        let joined = |first: &str| {
            let lines = std::iter::once(first).chain(more.iter().map(|it| it.trim()));
            let lines: Vec<_> = lines.filter(|it| !it.is_empty()).collect();
            lines.join("\n")
        };
        match tag {
            "param" => {
                // A type may stand before or behind the name.
                let (before, rest) = without_type(rest);
                let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                let (behind, rest) = without_type(rest.trim());
                let kind = before
                    .or(behind)
                    .map_or(String::new(), |it| format!("`{it}` "));
                let name = name.trim_start_matches(['$', '*']).to_owned();
                self.parameters.push((name, kind + &joined(rest)));
            }
            "summary" => self.paragraph(&joined(rest)),
            "return" => {
                let (kind, rest) = without_type(rest);
                let kind = kind.map_or(String::new(), |it| format!(" `{it}`"));
                self.paragraph(&format!("Returns{kind} {}", joined(rest)));
            }
            "example" => {
                let indent = more
                    .iter()
                    .filter(|it| !it.trim().is_empty())
                    .map(|it| it.len() - it.trim_start().len())
                    .min();
                let code = more
                    .iter()
                    .map(|it| it.get(indent.unwrap_or(0)..).unwrap_or(""));
                let code = code.collect::<Vec<_>>().join("\n");
                self.paragraph(&format!("Example {rest}"));
                self.paragraph(&fenced(code.trim_end()));
            }
            tag => self.paragraph(&format!("*@{tag}* {}", joined(rest))),
        }
    }

    fn paragraph(&mut self, text: &str) {
        let start = self.text.trim_end().len();
        self.text.truncate(start);
        if start > 0 {
            self.text.push_str("\n\n");
        }
        self.text.push_str(text.trim());
        self.text.push_str("\n\n");
    }

    /// What is said of one parameter.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|it| it.0 == name);
        found.map(|it| it.1.as_str()).filter(|it| !it.is_empty())
    }

    /// All of it as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut markdown = self.text.clone();
        if !self.parameters.is_empty() {
            if !markdown.is_empty() {
                markdown.push_str("\n\n");
            }
            let line = |(name, text): &(String, String)| {
                let text = text.replace('\n', "\n  ");
                format!("- `${name}` {text}").trim_end().to_owned()
            };
            let lines: Vec<_> = self.parameters.iter().map(line).collect();
            markdown.push_str(&lines.join("\n"));
        }
        markdown
    }
}

/// Takes `[Type]` off the front.
fn without_type(text: &str) -> (Option<&str>, &str) {
    let inner = text.strip_prefix('[').and_then(|it| {
        let mut depth = 1;
        let end = it.find(|c| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            depth == 0
        })?;
        Some((&it[..end], it[end + 1..].trim_start()))
    });
    match inner {
        Some((kind, rest)) => (Some(kind), rest),
        None => (None, text),
    }
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
    fn heads_end_before_the_body() {
        let definition = first(
            "class a (\n  # Not shown.\n  Integer $x = 1,\n\n  $y,\n) inherits b { notice(1) }",
        );
        expect![[r#"
            class a (
              Integer $x = 1,
              $y,
            ) inherits b"#]]
        .assert_eq(&head(definition.syntax()));
        let alias = first("type A =\n  Integer # one");
        assert_eq!(head(alias.syntax()), "type A =\n  Integer");
    }

    #[test]
    fn puppet_strings_become_markdown() {
        let definition = first(
            "# @summary Short\n#   and more.\n#\n# Long text.\n#\n\
             # @param x What `x` is\n#   continued\n# @param [Array[String]] y\n\
             # @return [Integer] a number\n# @example Use it\n#   f(1)\n#     .g\n# @api private\n\
             function f($x) { }",
        );
        let found = Documentation::of(&definition);
        expect![[r#"
            Short
            and more.

            Long text.

            Returns `Integer` a number

            Example Use it

            ```puppet
            f(1)
              .g
            ```

            *@api* private

            - `$x` What `x` is
              continued
            - `$y` `Array[String]`"#]]
        .assert_eq(&found.markdown());
        assert_eq!(found.parameter("x"), Some("What `x` is\ncontinued"));
        assert_eq!(found.parameter("z"), None);
    }

    #[test]
    fn a_fence_is_longer_than_what_is_inside() {
        assert!(fenced("a ```` b").starts_with("`````puppet\n"));
    }
}
