//! Parsing shared by all kinds of stubs: tags and reserved names.

use std::ops::Range;

use syntax::Dialect;
use syntax::ast::{AstNode, Expr, LiteralKind, SourceFile};
use syntax::validation::PuppetVersion;

use super::sources::Source;
use crate::signatures::Doc;

/// A parsed stub.
///
/// Source and comments are sliced from the text, which is much cheaper than walking the tree.
pub(super) struct Stub {
    text: &'static str,
    tree: SourceFile,
}

impl Stub {
    pub(super) fn parse(source: &Source) -> Stub {
        let tree = syntax::parse(source.text, Dialect::default()).tree();
        let text = source.text;
        Stub { text, tree }
    }

    /// Returns the top-level statements.
    pub(super) fn statements(&self) -> impl Iterator<Item = Expr> + use<> {
        self.tree.statements()
    }

    /// Returns the source of a node for display: on one line, without comments.
    pub(super) fn source(&self, node: &impl AstNode) -> String {
        let text = self.text.get(range(node)).unwrap_or_default().trim();
        if text.contains('\n') {
            one_line(text)
        } else {
            text.to_owned()
        }
    }

    /// Parses the comment directly above a node.
    pub(super) fn documentation(&self, node: &impl AstNode) -> Doc {
        let before = self.text.get(..range(node).start).unwrap_or_default();
        let (above, _) = before.rsplit_once('\n').unwrap_or_default();
        let comment = above
            .lines()
            .rev()
            .map_while(|it| it.trim_start().strip_prefix('#'));
        let mut lines: Vec<&str> = comment
            .map(|it| it.strip_prefix(' ').unwrap_or(it))
            .collect();
        lines.reverse();
        Doc::parse(&lines.join("\n"))
    }
}

fn range(node: &impl AstNode) -> Range<usize> {
    let range = node.syntax().text_range();
    range.start().into()..range.end().into()
}

/// Joins a type that spans several lines. It must not contain `#` except for comments.
fn one_line(text: &str) -> String {
    let lines = text
        .lines()
        .map(|it| it.split_once('#').map_or(it, |(code, _)| code).trim());
    let mut joined = String::new();
    for line in lines.filter(|it| !it.is_empty()) {
        if line.starts_with([']', '}', ')']) {
            let kept = joined.trim_end_matches([' ', ',']).len();
            joined.truncate(kept);
        } else if !joined.is_empty() && !joined.ends_with(['[', '{', '(']) {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    joined
}

/// Strips the underscore that distinguishes a name from a reserved one.
pub(super) fn name(written: &str) -> String {
    written.strip_suffix('_').unwrap_or(written).to_owned()
}

/// Returns the value of a string without interpolation.
pub(super) fn string(expression: &Expr) -> Option<String> {
    match expression {
        Expr::StringLiteral(it) => Some(it.value()),
        Expr::QualifiedName(it) => Some(it.text()),
        Expr::KeywordWord(it) => Some(it.text()),
        _ => None,
    }
}

/// Returns the source of a regular expression, without slashes.
pub(super) fn regex(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Literal(it) => match it.kind()? {
            LiteralKind::Regex(source) => Some(source),
            _ => None,
        },
        _ => None,
    }
}

/// Removes a tag without text and returns whether it was present.
pub(super) fn take_mark(doc: &mut Doc, tag: &str) -> bool {
    take(doc, tag).is_some()
}

/// Removes a tag and returns its text.
pub(super) fn take(doc: &mut Doc, tag: &str) -> Option<String> {
    let at = doc.tags.iter().position(|it| it.tag == tag)?;
    Some(doc.tags.remove(at).text)
}

/// Removes a tag and returns the items of its list.
pub(super) fn take_list(doc: &mut Doc, tag: &str) -> Vec<String> {
    let words = take(doc, tag).unwrap_or_default();
    let words = words.split([',', ' ', '\n']).filter(|it| !it.is_empty());
    words.map(str::to_owned).collect()
}

/// Checks whether the documented item exists in a Puppet version.
pub(super) fn exists_in(doc: &Doc, version: PuppetVersion) -> bool {
    let release = match version {
        PuppetVersion::V7 => 7,
        PuppetVersion::V8 => 8,
    };
    let since = doc.tags("since").filter_map(|it| major(&it.text)).max();
    let until = doc.tags("until").filter_map(|it| major(&it.text)).min();
    since.is_none_or(|it| it <= release) && until.is_none_or(|it| release <= it)
}

fn major(version: &str) -> Option<u32> {
    let digits = version.split(|c: char| !c.is_ascii_digit());
    digits.into_iter().find(|it| !it.is_empty())?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_and_until_select_versions() {
        let exists = |comment: &str, version| exists_in(&Doc::parse(comment), version);
        assert!(exists("Text", PuppetVersion::V7));
        assert!(exists("@since 5.5", PuppetVersion::V7));
        assert!(!exists("@since 8.2", PuppetVersion::V7));
        assert!(exists("@since 8.2", PuppetVersion::V8));
        assert!(!exists("@until 7", PuppetVersion::V8));
    }

    #[test]
    fn joins_types_into_one_line() {
        let written = "Struct[{\n  # A, [b\n  'a' => Array[Integer], # C\n  'b' => Tuple[\n    String,\n  ],\n}]";
        assert_eq!(
            one_line(written),
            "Struct[{'a' => Array[Integer], 'b' => Tuple[String]}]"
        );
    }

    #[test]
    fn documentation_is_directly_above_the_item() {
        let text = "# Not this.\n\n# One\n#\n#   two\ndefine a(\n  # Three\n  $b,\n  $c,\n) { }";
        let stub = Stub::parse(&Source { name: "a.pp", text });
        let Some(Expr::DefineDefinition(definition)) = stub.statements().next() else {
            panic!("expected a definition");
        };
        assert_eq!(stub.documentation(&definition).text, "One\n\n  two");
        let parameters = syntax::ast::HasParameters::parameters(&definition);
        let docs: Vec<String> = parameters
            .iter()
            .map(|it| stub.documentation(it).text)
            .collect();
        assert_eq!(docs, ["Three", ""]);
    }
}
