//! The source of a range of a tree.

use std::ops::Range;

use rowan::{NodeOrToken, TextRange};

use crate::SyntaxNode;

/// Returns the source of a range, or `None` if the range is not inside the tree or splits a
/// character.
pub fn text_at(root: &SyntaxNode, range: TextRange) -> Option<String> {
    if !root.text_range().contains_range(range) {
        return None;
    }
    // Reading the text of a node visits all its tokens, so use the smallest element.
    let element = root.covering_element(range);
    let here = range - element.text_range().start();
    let text = match element {
        NodeOrToken::Node(it) => it.text().to_string(),
        NodeOrToken::Token(it) => it.text().to_owned(),
    };
    text.get(Range::<usize>::from(here)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, parse};

    #[test]
    fn returns_the_source_of_nodes_and_tokens() {
        let root = parse("$x = [12, 34]", Dialect::default()).syntax();
        let at = |start: u32, end: u32| text_at(&root, TextRange::new(start.into(), end.into()));
        assert_eq!(at(6, 8).as_deref(), Some("12"));
        assert_eq!(at(7, 8).as_deref(), Some("2"));
        assert_eq!(at(5, 12).as_deref(), Some("[12, 34"));
        assert_eq!(at(5, 14), None);
    }

    #[test]
    fn returns_none_inside_a_character() {
        let root = parse("$x = 'ä'", Dialect::default()).syntax();
        assert_eq!(text_at(&root, TextRange::new(6.into(), 7.into())), None);
    }
}
