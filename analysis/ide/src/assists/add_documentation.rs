//! Generates the Puppet Strings comment of a definition, or adds its missing tags.

use syntax::ast::{AstNode, Definition, detached_documentation, documentation};
use syntax::{Edit, SyntaxKind, SyntaxToken, TextRange};

use super::{AssistContext, AssistKind, Assists, insert};
use hir::{Item, ItemKind, signature};
use library::signatures::Doc;
use rules::{new_documentation, param_tag, return_tag};

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(definition) = cx.enclosing::<Definition>() else {
        return;
    };
    let start = definition.syntax().text_range().start();
    let Some(item) = cx.item_at(definition.syntax().text_range()) else {
        return;
    };
    let is_named = !matches!(item.kind(cx.db), ItemKind::Node | ItemKind::Main);
    let in_head = header_range(&definition).contains_range(cx.range);
    if !is_named || !in_head || !cx.is_first_on_line(start) {
        return;
    }
    // A second comment would be wrong; the rule about undocumented definitions joins the first one.
    if detached_documentation(&definition).is_some() {
        return;
    }
    match documentation(&definition) {
        None => acc.add(
            "document",
            "Add a documentation comment",
            AssistKind::Rewrite,
            || {
                let indent = cx.indent(start);
                let lines = new_documentation(cx.db, item).into_iter().map(|it| {
                    let line = format!("# {it}");
                    format!("{}{}{indent}", line.trim_end(), cx.line_break())
                });
                vec![insert(start, lines.collect::<String>())]
            },
        ),
        Some(comment) => add_missing_tags(cx, item, &definition, &comment, acc),
    }
}

/// Returns the range of a definition without its body.
fn header_range(definition: &Definition) -> TextRange {
    let node = definition.syntax();
    let body = node.children().find(|it| it.kind() == SyntaxKind::BLOCK);
    let range = node.text_range();
    let end = body.map_or(range.end(), |it| it.text_range().start());
    TextRange::new(range.start(), end)
}

/// Offers to add the tags that a comment lacks.
fn add_missing_tags(
    cx: &AssistContext<'_>,
    item: Item<'_>,
    definition: &Definition,
    comment: &str,
    acc: &mut Assists<'_>,
) {
    let doc = Doc::parse(comment);
    let parameters = signature(cx.db, item).parameters.iter();
    let missing: Vec<_> = parameters
        .filter(|it| doc.parameter(&it.name).is_none())
        .map(|it| param_tag(&it.name))
        .collect();
    let lacks_result =
        item.kind(cx.db) == ItemKind::Function && doc.tags("return").next().is_none();
    if missing.is_empty() && !lacks_result {
        return;
    }
    let title = match missing.len() {
        0 => "Document the return value".to_owned(),
        1 => "Document the undocumented parameter".to_owned(),
        many => format!("Document the {many} undocumented parameters"),
    };
    acc.add("document-rest", title, AssistKind::Rewrite, || {
        let comments = comment_lines(definition);
        let (Some(last), Some(param_line)) = (comments.last(), last_param_line(&comments)) else {
            return Vec::new();
        };
        let indent = cx.indent(definition.syntax().text_range().start());
        let line = |it: &String| format!("{}{indent}# {it}", cx.line_break());
        let end = |it: &SyntaxToken| it.text_range().end();
        let mut edits: Vec<Edit> = Vec::new();
        if !missing.is_empty() {
            let text: String = missing.iter().map(line).collect();
            edits.push(insert(end(param_line), text));
        }
        if lacks_result {
            edits.push(insert(end(last), line(&return_tag(cx.db, item))));
        }
        edits
    });
}

/// Returns the lines of the comment above a definition, from top to bottom.
fn comment_lines(definition: &Definition) -> Vec<SyntaxToken> {
    let first = definition.syntax().first_token();
    let before = first.and_then(|it| it.prev_token());
    let tokens = std::iter::successors(before, SyntaxToken::prev_token);
    let count = documentation(definition).map_or(0, |it| it.lines().count().max(1));
    let mut lines: Vec<_> = tokens
        .filter(|it| it.kind() == SyntaxKind::LINE_COMMENT)
        .take(count)
        .collect();
    lines.reverse();
    lines
}

/// Returns the line after which parameters are inserted: the last line of the last `@param` tag,
/// or else of the comment.
fn last_param_line(lines: &[SyntaxToken]) -> Option<&SyntaxToken> {
    let text = |it: &SyntaxToken| it.text().trim_start_matches('#').to_owned();
    let is_tag = |it: &SyntaxToken| text(it).trim_start().starts_with('@');
    let is_param = |it: &SyntaxToken| text(it).trim_start().starts_with("@param");
    let Some(last) = lines.iter().rposition(is_param) else {
        return lines.last();
    };
    let belongs = |it: &&SyntaxToken| {
        let text = text(it);
        !is_tag(it) && text.starts_with("  ") && !text.trim().is_empty()
    };
    let more = lines[last + 1..].iter().take_while(belongs).count();
    lines.get(last + more)
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::applied;

    #[test]
    fn adds_a_comment() {
        assert_eq!(
            applied(
                "document",
                "class <^>m (\n  Integer $a,\n  $b = 1,\n) {\n}\n"
            ),
            "# @summary TODO\n#\n# @param a TODO\n# @param b TODO\nclass m (\n  Integer $a,\n  $b = 1,\n) {\n}\n"
        );
        assert_eq!(
            applied("document", "type M::A<^> = Integer\n"),
            "# @summary TODO\ntype M::A = Integer\n"
        );
        assert_eq!(
            applied("document", "function m::f<^>($a) >> Integer { 1 }\n"),
            "# @summary TODO\n#\n# @param a TODO\n# @return [Integer] TODO\nfunction m::f($a) >> Integer { 1 }\n"
        );
        assert_eq!(
            applied("document", "class m {\r\n  class <^>n { }\r\n}\r\n"),
            "class m {\r\n  # @summary TODO\r\n  class n { }\r\n}\r\n"
        );
        assert_eq!(applied("document", "class m { <^>}\n"), "none");
        let detached = "# @summary The m.\n\nclass <^>m { }\n";
        assert_eq!(applied("document", detached), "none");
        assert_eq!(applied("document", "node <^>'a' { }\n"), "none");
    }

    #[test]
    fn adds_missing_tags() {
        let source = "# About\n#\n# @param a\n#   The\n#   first\n# @example\n#   m { }\ndefine m($a, $b, <^>$c) { }\n";
        let expected = source.replace("first\n", "first\n# @param b TODO\n# @param c TODO\n");
        assert_eq!(
            applied("document-rest", source),
            expected.replace("<^>", "")
        );
        assert_eq!(
            applied(
                "document-rest",
                "# About\r\nfunction m::f($a<^>) { 'x' }\r\n"
            ),
            "# About\r\n# @param a TODO\r\n# @return [String] TODO\r\nfunction m::f($a) { 'x' }\r\n"
        );
        assert_eq!(
            applied("document-rest", "# About\nclass <^>m { }\n"),
            "none"
        );
        assert_eq!(applied("document", "# About\nclass <^>m { }\n"), "none");
    }
}
