//! Lookup keys: `module::name.segment."quoted segment".0`.

use std::sync::Arc;

use types::values::Value;

/// A key as given to `lookup`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LookupKey {
    /// The whole key.
    pub text: String,
    /// The key in data files.
    pub root: Arc<str>,
    /// The path into the value of the root key.
    pub segments: Vec<Segment>,
}

/// A part of a dotted key.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Segment {
    /// A key of a hash.
    Name(Arc<str>),
    /// An index of an array, or an integer key of a hash.
    Index(i64),
}

impl Segment {
    /// Returns the segment as a key of a hash.
    pub fn value(&self) -> Value {
        match self {
            Segment::Name(name) => Value::String(Arc::clone(name)),
            Segment::Index(index) => Value::Integer(*index),
        }
    }

    /// Returns the part of an array or a hash that the segment leads to, if there is one.
    pub fn member_of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match (value, self) {
            (Value::Array(items), Segment::Index(index)) => {
                items.get(usize::try_from(*index).ok()?)
            }
            (Value::Hash(entries), segment) => entries.get(&segment.value()),
            _ => None,
        }
    }
}

impl std::fmt::Display for Segment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Segment::Name(name) => f.write_str(name),
            Segment::Index(index) => write!(f, "{index}"),
        }
    }
}

impl LookupKey {
    /// Splits a key; `None` if it has a syntax error.
    pub fn parse(text: &str) -> Option<LookupKey> {
        let mut segments = split(text)?.into_iter();
        let root = match segments.next()? {
            Segment::Name(name) => name,
            Segment::Index(index) => index.to_string().into(),
        };
        Some(LookupKey {
            text: text.to_owned(),
            root,
            segments: segments.collect(),
        })
    }

    /// Returns the module that the key belongs to.
    pub fn module(&self) -> Option<&str> {
        self.root.split_once("::").map(|it| it.0)
    }
}

/// Splits a dotted key into segments, as `SubLookup.split_key` does; `None` if it has a syntax error.
pub(crate) fn split(text: &str) -> Option<Vec<Segment>> {
    if !text.contains(['\'', '"', '.']) {
        return Some(vec![Segment::Name(text.into())]);
    }
    let mut segments = Vec::new();
    let mut rest = text;
    loop {
        let (segment, after) = next_segment(rest)?;
        segments.push(segment);
        if after.is_empty() {
            return Some(segments);
        }
        rest = after.strip_prefix('.')?;
    }
}

/// Returns the first segment and what follows it.
fn next_segment(text: &str) -> Option<(Segment, &str)> {
    let trimmed = text.trim_start();
    if let Some(quote) = trimmed.chars().next().filter(|it| matches!(it, '\'' | '"')) {
        let inside = &trimmed[1..];
        let end = inside.find(quote).filter(|it| *it > 0)?;
        let after = inside[end + 1..].trim_start();
        return Some((Segment::Name(inside[..end].into()), after));
    }
    let end = text.find(['\'', '"', '.']).unwrap_or(text.len());
    let word = text[..end].trim();
    if end == 0 {
        return None;
    }
    let number = word.strip_prefix(':').unwrap_or(word);
    let digits = number.strip_prefix(['+', '-']).unwrap_or(number);
    let is_index = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    let segment = match is_index.then(|| number.trim_start_matches('+').parse()) {
        // In Ruby, `':5'.to_i` is 0.
        Some(_) if word.starts_with(':') => Segment::Index(0),
        Some(Ok(index)) => Segment::Index(index),
        _ => Segment::Name(word.into()),
    };
    Some((segment, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_keys() {
        let parts = |text: &str| {
            let key = LookupKey::parse(text)?;
            let segments = key.segments.iter().map(ToString::to_string);
            Some((key.root.to_string(), segments.collect::<Vec<_>>()))
        };
        let split = |root: &str, rest: &[&str]| {
            let rest = rest.iter().map(|it| (*it).to_owned()).collect();
            Some((root.to_owned(), rest))
        };
        assert_eq!(parts("a::b"), split("a::b", &[]));
        assert_eq!(parts("a.b.0"), split("a", &["b", "0"]));
        assert_eq!(parts(r#""a.b".'c.d'"#), split("a.b", &["c.d"]));
        assert_eq!(parts("a . b"), split("a", &["b"]));
        for wrong in ["a..b", ".a", "a.", "'a'b", "a'b'", "''", "a.''"] {
            assert_eq!(parts(wrong), None, "{wrong}");
        }
    }
}
