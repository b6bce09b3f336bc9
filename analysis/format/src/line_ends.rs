//! Consistent line ends: a file with both kinds gets the one that most of its lines have.

use syntax::{Dialect, Edit, NodeOrToken, Parse, SyntaxKind, TextRange, TextSize, WalkEvent};

use crate::preservation::preserves_code;

/// Makes the edits of a manifest and the line breaks between its tokens consistent. Those in strings are values, which
/// stay as they are.
pub(crate) fn make_consistent(
    parse: &Parse,
    text: &str,
    edits: Vec<Edit>,
    dialect: Dialect,
) -> Vec<Edit> {
    let (all, crlf) = (text.matches('\n').count(), text.matches("\r\n").count());
    if crlf == 0 || crlf == all || parse.syntax().kind() != SyntaxKind::SOURCE_FILE {
        return edits;
    }
    let wanted = match 2 * crlf > all {
        true => "\r\n",
        false => "\n",
    };
    let mut found = Vec::new();
    for mut edit in edits.iter().cloned() {
        edit.text = edit.text.replace("\r\n", "\n").replace('\n', wanted);
        if edit.text != text[edit.range] {
            found.push(edit);
        }
    }
    let other = other_line_breaks(parse, text, wanted).filter(|range| {
        let next = found.partition_point(|it| it.range.end() <= range.start());
        found
            .get(next)
            .is_none_or(|it| it.range.start() >= range.end())
    });
    let other: Vec<Edit> = other
        .map(|range| Edit {
            range,
            text: wanted.to_owned(),
        })
        .collect();
    found.extend(other);
    found.sort_by_key(|it| (it.range.start(), it.range.end()));
    match preserves_code(parse, text, &found, dialect) {
        true => found,
        false => edits,
    }
}

/// Returns the ranges of the line breaks between tokens that are not the wanted ones.
fn other_line_breaks(
    parse: &Parse,
    text: &str,
    wanted: &'static str,
) -> impl Iterator<Item = TextRange> {
    let root = parse.syntax();
    let tokens = root.preorder_with_tokens().filter_map(|it| match it {
        WalkEvent::Enter(NodeOrToken::Token(it)) => Some(it),
        _ => None,
    });
    let blank = tokens.filter(|it| it.kind() == SyntaxKind::WHITESPACE);
    let breaks = blank.flat_map(|it| {
        let range = it.text_range();
        let offsets = text[range].match_indices('\n').map(|it| it.0);
        let starts: Vec<TextSize> = offsets
            .map(|at| range.start() + TextSize::new(at as u32))
            .collect();
        starts
    });
    breaks.filter_map(move |at| {
        let before = text[..usize::from(at)].ends_with('\r');
        let start = at - TextSize::new(u32::from(before));
        let found = TextRange::new(start, at + TextSize::of('\n'));
        (before != (wanted == "\r\n")).then_some(found)
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::formatted;

    #[test]
    fn most_lines_decide() {
        for (source, expected) in [
            (
                "class a {\n  $b = 1\r\n  $c = 2\n}\n",
                "class a {\n  $b = 1\n  $c = 2\n}\n",
            ),
            (
                "class a {\r\n$b = 1\r\n  $c = 2\n}\r\n",
                "class a {\r\n  $b = 1\r\n  $c = 2\r\n}\r\n",
            ),
            (
                "class a { # x\n  # y  \r\n\n\n\n  $c = [1  ,\r\n2]\n}\n",
                "class a { # x\n  # y\n\n  $c = [\n    1,\n    2,\n  ]\n}\n",
            ),
            (
                "$a = 'b\r\nc'\n$d = 1\r\n$e = 2\n$f = 3\n",
                "$a = 'b\r\nc'\n$d = 1\n$e = 2\n$f = 3\n",
            ),
        ] {
            assert_eq!(formatted(source), expected);
            assert_eq!(formatted(expected), expected);
        }
    }
}
