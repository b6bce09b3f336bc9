//! The position of the cursor in a hash or list in flow style, such as `{a: [1, 2]}`, on the line of its key.

use super::position::{Content, Entry, Position, line_at, unquoted};
use super::typed_path::PathStep;

/// A hash or list that is open.
#[derive(Default)]
struct Open<'a> {
    is_hash: bool,
    /// The key whose value is being written.
    key: Option<&'a str>,
    siblings: Vec<Entry<'a>>,
    /// The offset of the key or value that is being written.
    start: usize,
}

/// Returns the position at an offset; `None` unless a hash or list in flow style is open there.
pub(super) fn flow_position(text: &str, offset: usize) -> Option<Position<'_>> {
    let (mut path, line) = line_at(text, offset)?;
    let first = line.find(['{', '['])?;
    let key = line[..first].trim_end().strip_suffix(':');
    match key.filter(|_| line[..first].ends_with(' ')) {
        Some(key) => path.push(PathStep::Key(unquoted(key).to_owned())),
        None if first > 0 => return None,
        None => {}
    }
    let value = &line[first..];
    let mut open = open_at_end(value)?;
    let last = open.pop()?;
    path.extend(open.iter().map(Open::step));
    if !last.is_hash {
        path.push(PathStep::Element);
    }
    let word = value[last.start..].trim_start();
    Some(Position {
        path,
        siblings: last.siblings,
        content: match last.key {
            Some(key) => Content::Value(key, word),
            None => Content::Key(word),
        },
    })
}

impl Open<'_> {
    /// Returns the step to the value that is being written.
    fn step(&self) -> PathStep {
        match self.key {
            Some(key) => PathStep::Key(key.to_owned()),
            None => PathStep::Element,
        }
    }
}

/// Checks whether a colon ends a key, given what follows it. Keys contain `::`.
fn ends_key(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([' ', '\'', '"'])
}

/// Returns the hashes and lists that are open at the end of a value, outermost first. Returns `None` if there are none, or
/// if the value is not in flow style.
fn open_at_end(value: &str) -> Option<Vec<Open<'_>>> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut quote = None;
    for (at, char) in value.char_indices() {
        let rest = &value[at + char.len_utf8()..];
        if quote.is_some() {
            quote = quote.filter(|it| *it != char);
            continue;
        }
        match char {
            '\'' | '"' => quote = Some(char),
            '{' | '[' => open.push(Open {
                is_hash: char == '{',
                start: at + 1,
                ..Open::default()
            }),
            '}' | ']' => drop(open.pop()?),
            _ => {}
        }
        let last = open.last_mut()?;
        match char {
            ',' => {
                let written = value[last.start..at].trim();
                last.siblings
                    .extend(last.key.take().map(|key| (key, written)));
                last.start = at + 1;
            }
            ':' if last.is_hash && last.key.is_none() && ends_key(rest) => {
                last.key = Some(unquoted(value[last.start..at].trim()));
                last.start = at + 1;
            }
            _ => {}
        }
    }
    Some(open)
}
