//! The position of the cursor in a YAML file that is being edited. It comes from the lines, because a file with
//! syntax errors lacks a tree.

use super::typed_path::PathStep;

/// A key and its value, which is empty if it is on other lines.
pub(super) type Entry<'a> = (&'a str, &'a str);

/// The position of the cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Position<'a> {
    /// The steps from the root to the hash or list at the cursor.
    pub(super) path: Vec<PathStep>,
    /// The other keys and values of the hash at the cursor that are on one line.
    pub(super) siblings: Vec<Entry<'a>>,
    /// The key or value that is being written.
    pub(super) content: Content<'a>,
}

impl Position<'_> {
    /// Checks whether the hash at the cursor already has a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.siblings.iter().any(|it| it.0 == key)
    }
}

/// The key or value before the cursor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content<'a> {
    /// A key, or a value without one: an element of a list.
    Key(&'a str),
    /// The value of a key.
    Value(&'a str, &'a str),
}

/// A line without comments and blank ones.
struct Line<'a> {
    /// The column of the dash of a list item.
    dash: Option<usize>,
    /// The column of the content.
    column: usize,
    content: &'a str,
}

impl<'a> Line<'a> {
    fn new(line: &'a str) -> Option<Line<'a>> {
        let content = line.trim_start_matches(' ');
        if content.trim().is_empty() || content.starts_with('#') || content.starts_with('\t') {
            return None;
        }
        Some(Line::of_content(line, content))
    }

    fn of_content(line: &'a str, content: &'a str) -> Line<'a> {
        let mut column = line.len() - content.len();
        let mut dash = None;
        let mut content = content;
        if let Some(rest) = content.strip_prefix("- ") {
            dash = Some(column);
            content = rest.trim_start_matches(' ');
            column = line.len() - content.len();
        } else if content.trim_end() == "-" {
            dash = Some(column);
            content = "";
            column += 2;
        }
        Line {
            dash,
            column,
            content: content.trim_end(),
        }
    }

    /// Returns the key and the value after it.
    fn entry(&self) -> Option<(&'a str, &'a str)> {
        entry(self.content)
    }

    /// Returns the key whose value is on the following lines.
    fn opened_key(&self) -> Option<&'a str> {
        let (key, value) = self.entry()?;
        let value = value.trim();
        let is_anchor = value.starts_with('&') && !value.contains(' ');
        (value.is_empty() || value.starts_with('#') || is_anchor).then_some(key)
    }
}

/// Splits `key: value`; keys contain `::`.
fn entry(content: &str) -> Option<(&str, &str)> {
    let (key, value) = match content.split_once(": ") {
        Some(it) => it,
        None => (content.strip_suffix(':')?, ""),
    };
    let is_key = !key.is_empty() && !key.ends_with(':') && !key.starts_with(['{', '[', '-']);
    is_key.then(|| (unquoted(key.trim_end()), value))
}

pub(super) fn unquoted(key: &str) -> &str {
    key.trim_matches(['\'', '"'])
}

impl<'a> Position<'a> {
    /// Returns the position at an offset; `None` in comments and in strings of several lines.
    pub(super) fn at(text: &'a str, offset: usize) -> Option<Position<'a>> {
        let start = text.get(..offset)?.rfind('\n').map_or(0, |it| it + 1);
        let written = &text[start..offset];
        let plain = written.trim_start_matches(' ');
        if plain.starts_with(['#', '\t']) || plain.contains(" #") {
            return None;
        }
        let line = Line::of_content(written, plain);
        let content = match line.content.is_empty() || written.ends_with(": ") {
            _ if entry_being_written(written).is_some() => {
                let (key, value) = entry_being_written(written)?;
                Content::Value(key, value)
            }
            true => Content::Key(""),
            false => Content::Key(line.content),
        };
        let before = text[..start].lines().rev().filter_map(Line::new);
        let (path, mut siblings) = path(before, &line)?;
        let after = text[start..].lines().skip(1).filter_map(Line::new);
        let below = after.take_while(|it| it.column >= line.column && it.dash.is_none());
        let below = below.filter(|it| it.column == line.column);
        siblings.extend(below.filter_map(|it| it.entry()));
        Some(Position {
            path,
            siblings,
            content,
        })
    }
}

/// Returns the line up to an offset without its indentation, and the path to the hash or list that contains it; `None` in
/// comments.
pub(super) fn line_at(text: &str, offset: usize) -> Option<(Vec<PathStep>, &str)> {
    let start = text.get(..offset)?.rfind('\n').map_or(0, |it| it + 1);
    let line = Line::new(&text[start..offset]).filter(|it| !it.content.contains(" #"))?;
    let before = text[..start].lines().rev().filter_map(Line::new);
    Some((path(before, &line)?.0, line.content))
}

/// Splits the line before the cursor if the cursor is at a value.
fn entry_being_written(written: &str) -> Option<(&str, &str)> {
    let content = written.trim_start_matches([' ', '-']);
    let (key, value) = content.split_once(": ")?;
    let is_key = !key.is_empty() && !key.starts_with(['{', '[', '"', '\'']) || unquoted(key) != key;
    is_key.then(|| (unquoted(key), value.trim_start_matches(' ')))
}

/// Returns the path to the content of a line and the keys beside it, from the lines before it, last first.
fn path<'a>(
    before: impl Iterator<Item = Line<'a>>,
    line: &Line<'a>,
) -> Option<(Vec<PathStep>, Vec<Entry<'a>>)> {
    let mut path = Vec::new();
    let mut siblings = Vec::new();
    let mut column = line.column;
    // Whether the content so far is in a list whose dashes are in the column.
    let mut in_list = false;
    let mut is_sibling = true;
    if let Some(dash) = line.dash {
        path.push(PathStep::Element);
        (column, in_list, is_sibling) = (dash, true, false);
    }
    for above in before {
        if column == 0 && !in_list && !is_sibling {
            break;
        }
        if above.column == column && !in_list {
            if is_sibling {
                siblings.extend(above.entry());
            }
            if let Some(dash) = above.dash {
                path.push(PathStep::Element);
                (column, in_list, is_sibling) = (dash, true, false);
            }
            continue;
        }
        let is_parent =
            above.column < column || in_list && above.dash.is_none() && above.column == column;
        if !is_parent {
            continue;
        }
        path.push(PathStep::Key(above.opened_key()?.to_owned()));
        (column, in_list, is_sibling) = (above.column, false, false);
        if let Some(dash) = above.dash {
            path.push(PathStep::Element);
            (column, in_list) = (dash, true);
        }
    }
    path.reverse();
    // The root is a hash in the first column.
    (column == 0 && !in_list).then_some((path, siblings))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let offset = text.find("<^>").expect("there is a cursor");
        let text = text.replace("<^>", "");
        let Some(found) = Position::at(&text, offset) else {
            return "-".to_owned();
        };
        let path = found.path.iter().map(|it| match it {
            PathStep::Key(key) => key.as_str(),
            PathStep::Element => "[]",
        });
        let path: Vec<_> = path.collect();
        let content = match found.content {
            Content::Key(it) => format!("key {it}"),
            Content::Value(key, it) => format!("value {key}={it}"),
        };
        let siblings: Vec<_> = found.siblings.iter().map(|it| it.0).collect();
        format!("{} | {} | {content}", path.join("/"), siblings.join(","))
    }

    #[test]
    fn finds_the_path_to_the_cursor() {
        for (text, expected) in [
            ("a::b: 1\nc<^>\nd: 2\n", " | a::b,d | key c"),
            ("a::b: x<^>", " |  | value a::b=x"),
            ("a:\n  b: 1\n  c<^>\n  d: 1\ne: 1\n", "a | b,d | key c"),
            ("a:\n  b:\n    <^>\n", "a/b |  | key "),
            ("a:\n  - b: 1\n    c<^>\n", "a/[] | b | key c"),
            ("a:\n- b: 1\n  c<^>\n", "a/[] | b | key c"),
            ("a:\n- b: 1\n- c<^>\n", "a/[] |  | key c"),
            ("a:\n  - b\n  - 'c': x<^>\n", "a/[] |  | value c=x"),
            (
                "x: 1\na:\n  - b:\n      c:\n      - d<^>\n",
                "a/[]/b/c/[] |  | key d",
            ),
            ("a: # why\n  b<^>\n", "a |  | key b"),
            ("a: |\n  b<^>\n", "-"),
            ("a: 1 # b<^>\n", "-"),
            ("# b<^>\n", "-"),
            ("  b<^>\n", "-"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
