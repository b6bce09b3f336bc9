//! The strings of data, and the interpolations in them.

use std::ops::Range;

use hiera::LookupKey;
use hiera::document::{Data, Node};
use hiera::interpolation::{Expression, Method, interpolations};
use syntax::{TextRange, TextSize};

use super::DataChecker;

/// Calls a function with each string of a value, and with its range.
pub(crate) fn each_string<'a>(
    node: &'a Node,
    text: &'a str,
    visit: &mut dyn FnMut(StringRange<'a>),
) {
    match &node.data {
        Data::Scalar(_) => {
            if let Some(string) = node.string() {
                visit(StringRange::new(node.range, string, text));
            }
        }
        Data::List(items) => items.iter().for_each(|it| each_string(it, text, visit)),
        Data::Map(entries) => {
            for it in entries {
                visit(StringRange::new(it.key_range, &it.key, text));
                each_string(&it.value, text, visit);
            }
        }
        Data::Alias(_) => {}
    }
}

/// The maximum length of strings of several lines in which parts are searched.
const MAX_SEARCHED: usize = 16 << 10;

/// A string and its range in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StringRange<'a> {
    pub(crate) string: &'a str,
    pub(crate) range: TextRange,
    written: &'a str,
    /// Where the content is in the written string, unless it contains escapes.
    start: Option<usize>,
}

impl<'a> StringRange<'a> {
    pub(crate) fn new(range: TextRange, string: &'a str, text: &'a str) -> StringRange<'a> {
        let written = text.get(Range::<usize>::from(range)).unwrap_or_default();
        StringRange {
            string,
            range,
            written,
            start: written.find(string),
        }
    }

    /// Returns the range of a part of the content, or of the whole string if the part contains escapes.
    pub(crate) fn part(&self, part: Range<usize>) -> TextRange {
        let at = match self.start {
            Some(start) => Some(start + part.start),
            None => self.occurrence(part.clone()),
        };
        let size = |it: usize| TextSize::try_from(it).ok();
        let range = || {
            let start = self.range.start() + size(at?)?;
            Some(TextRange::at(start, size(part.len())?))
        };
        range().unwrap_or(self.range)
    }

    /// Returns where a part of a string of several lines is, which are indented in the file.
    fn occurrence(&self, part: Range<usize>) -> Option<usize> {
        if self.string.len() > MAX_SEARCHED {
            return None;
        }
        let (before, wanted) = (self.string.get(..part.start)?, self.string.get(part)?);
        let earlier = before.matches(wanted).count();
        let mut all = self.written.match_indices(wanted);
        all.nth(earlier).map(|it| it.0)
    }
}

/// An interpolation in a string of data.
#[derive(Clone, Debug)]
pub(crate) struct DataInterpolation {
    /// The root key of the value.
    pub(crate) key: String,
    /// The method and its argument, or the variable.
    pub(crate) content: Content,
    /// The interpolation as written, unless it contains escapes.
    pub(crate) written: String,
    /// Whether it is the whole string.
    pub(crate) is_whole: bool,
    /// Its range in the file.
    pub(crate) range: TextRange,
}

/// The content of a [`DataInterpolation`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// A variable, with a path into its value.
    Variable(String),
    /// A method with its argument.
    Method(String, String),
}

impl DataInterpolation {
    /// Returns the key that the interpolation looks up.
    pub(crate) fn looked_up_key(&self) -> Option<LookupKey> {
        let Content::Method(method, argument) = &self.content else {
            return None;
        };
        match Method::of_name(method)? {
            Method::Lookup | Method::Alias => LookupKey::parse(argument),
            Method::Literal | Method::Scope => None,
        }
    }
}

/// Returns the interpolations in a value, in source order.
pub(crate) fn interpolations_in(key: &str, node: &Node, text: &str) -> Vec<DataInterpolation> {
    let mut found = Vec::new();
    each_string(node, text, &mut |at| {
        for it in interpolations(at.string) {
            let content = match it.expression {
                Expression::Empty => continue,
                Expression::Variable(name) => Content::Variable(name.to_owned()),
                Expression::Method(name, argument) => {
                    Content::Method(name.to_owned(), argument.to_owned())
                }
            };
            found.push(DataInterpolation {
                key: key.to_owned(),
                content,
                written: at.string[it.range.clone()].to_owned(),
                is_whole: it.range == (0..at.string.len()),
                range: at.part(it.range),
            });
        }
    });
    found
}

impl DataChecker<'_> {
    /// Returns the interpolations in the values of the file, in source order.
    pub(crate) fn interpolations(&self) -> Vec<DataInterpolation> {
        let entries = self
            .keys()
            .filter(|it| self.source(it.value.range).contains("%{"));
        let found = entries.map(|it| interpolations_in(it.name(), &it.value, self.text));
        found.flatten().collect()
    }
}
