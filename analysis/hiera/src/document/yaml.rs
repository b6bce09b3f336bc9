//! Parses YAML and keeps the range of every value.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, Span, StructureStyle, Tag};
use rustc_hash::FxHashMap;
use syntax::TextRange;

use super::scalar::{Scalar, plain};
use super::{Data, Entry, Node, Unreadable, range};

/// The namespace of the tags that YAML defines.
const NAMESPACE: &str = "tag:yaml.org,2002:";

/// The maximum nesting depth.
const MAX_DEPTH: usize = 500;

/// The maximum number of nodes that the aliases of a file may expand to.
const MAX_ALIAS_NODES: usize = 10_000;

/// Parses the first document of a YAML file and leaves aliases unresolved. Returns `None` if there is
/// none.
pub fn yaml(text: &str) -> Result<Option<Node>, Unreadable> {
    read(text, false)
}

/// Parses the first document of a YAML file and replaces each alias by a copy of what it refers to, up to
/// a limit. Returns `None` if there is none.
pub fn yaml_with_aliases(text: &str) -> Result<Option<Node>, Unreadable> {
    read(text, true)
}

/// Parses a document. libyaml accepts quoted strings whose further lines are not indented, as
/// certificates often are, and comments directly after a quoted string or a bracket. The parser rejects
/// them, so that these lines are indented, and these comments are separated first.
fn read(text: &str, with_aliases: bool) -> Result<Option<Node>, Unreadable> {
    let mut padded = Padded::new(text);
    loop {
        let anchors = with_aliases.then(Anchors::default);
        let mut reader = Reader::new(&padded, anchors);
        match reader.document() {
            Err(_) if reader.padding.is_some() && padded.is_below_limit() => match reader.padding {
                Some(Padding::OfLine(at)) => padded.indent_line_at(at),
                Some(Padding::OfComment(at)) => padded.insert_at(at),
                None => {}
            },
            result => return result,
        }
    }
}

/// A place where the parser needs whitespace.
#[derive(Clone, Copy)]
enum Padding {
    /// A line of a quoted string that contains the offset is not indented enough.
    OfLine(usize),
    /// A comment starts directly after another token.
    OfComment(usize),
}

/// A source with additional indentation.
struct Padded<'a> {
    source: &'a str,
    text: Cow<'a, str>,
    /// The offsets in `text` at which indentation was inserted, sorted.
    inserted: Vec<usize>,
}

impl<'a> Padded<'a> {
    /// The inserted indentation.
    const PADDING: &'static str =
        "                                                                ";

    /// The maximum number of bytes that are parsed again.
    const MAX_BYTES: usize = 64 << 20;

    fn new(source: &'a str) -> Padded<'a> {
        Padded {
            source,
            text: Cow::Borrowed(source),
            inserted: Vec::new(),
        }
    }

    fn is_below_limit(&self) -> bool {
        self.text.len().saturating_mul(self.inserted.len() + 1) < Self::MAX_BYTES
    }

    fn indent_line_at(&mut self, offset: usize) {
        let start = self.text[..offset].rfind('\n').map_or(0, |it| it + 1);
        self.insert_at(start);
    }

    fn insert_at(&mut self, offset: usize) {
        self.text.to_mut().insert_str(offset, Self::PADDING);
        for later in self.inserted.iter_mut().filter(|it| **it >= offset) {
            *later += Self::PADDING.len();
        }
        let at = self.inserted.partition_point(|it| *it < offset);
        self.inserted.insert(at, offset);
    }

    /// Returns the offset in the source.
    fn original(&self, offset: usize) -> usize {
        let mut removed = 0;
        for start in self.inserted.iter().filter(|it| **it < offset) {
            removed += Self::PADDING.len().min(offset - start);
        }
        (offset - removed).min(self.source.len())
    }
}

/// The anchored nodes of a YAML file, and the number of nodes that aliases have copied so far.
#[derive(Default)]
struct Anchors {
    nodes: FxHashMap<usize, Node>,
    copied: usize,
}

impl Anchors {
    /// Returns a copy of an anchored node, unless the aliases of the file expand to too many nodes.
    fn expand(&mut self, anchor: usize) -> Option<Data> {
        let Some(node) = self.nodes.get(&anchor) else {
            // An alias inside of the node that it refers to.
            return Some(Data::Alias(anchor));
        };
        self.copied += node.size();
        (self.copied <= MAX_ALIAS_NODES).then(|| node.data.clone())
    }
}

/// Builds nodes from the events of the parser.
struct Reader<'a> {
    padded: &'a Padded<'a>,
    /// The anchors, if aliases are to be replaced.
    anchors: Option<Anchors>,
    /// The collections that are still open, the innermost last.
    open: Vec<Open>,
    /// Where the parser needs whitespace to continue.
    padding: Option<Padding>,
}

impl<'a> Reader<'a> {
    fn new(padded: &'a Padded<'a>, anchors: Option<Anchors>) -> Reader<'a> {
        Reader {
            padded,
            anchors,
            open: Vec::new(),
            padding: None,
        }
    }

    fn document(&mut self) -> Result<Option<Node>, Unreadable> {
        let mut root = None;
        for event in Parser::new_from_str(&self.padded.text) {
            let (event, span) = event.map_err(|error| self.unreadable(&error))?;
            if matches!(event, Event::DocumentEnd) {
                break;
            }
            if let Some(node) = self.node(event, self.place(&span))? {
                match self.open.last_mut() {
                    Some(around) => around.add(node),
                    // The rest is read as well: a mistake there makes the document invalid.
                    None => root = root.or(Some(node)),
                }
            }
        }
        Ok(root)
    }

    /// Takes an event and returns the node that it completes.
    fn node(&mut self, event: Event<'_>, place: TextRange) -> Result<Option<Node>, Unreadable> {
        let node = match event {
            Event::SequenceStart(style, anchor, tag) => {
                let content = Collection::List(Vec::new());
                self.open(place, (style, anchor, tag), content)?;
                return Ok(None);
            }
            Event::MappingStart(style, anchor, tag) => {
                let content = Collection::Map(Vec::new(), None);
                self.open(place, (style, anchor, tag), content)?;
                return Ok(None);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(mut open) = self.open.pop() else {
                    return Ok(None);
                };
                if open.is_flow {
                    // The closing bracket.
                    open.range = open.range.cover(place);
                }
                let anchor = open.anchor;
                self.anchored(anchor, open.close())
            }
            Event::Scalar(value, style, anchor, tag) => {
                self.check_as_libyaml(&value, style, place)?;
                let node = scalar(&value, style, tag.as_deref(), place);
                self.anchored(anchor, node)
            }
            Event::Alias(anchor) => Node {
                range: place,
                data: self.alias(anchor, place)?,
                text: None,
                anchor: 0,
            },
            _ => return Ok(None),
        };
        Ok(Some(node))
    }

    fn open(
        &mut self,
        place: TextRange,
        (style, anchor, tag): (StructureStyle, usize, Option<Cow<'_, Tag>>),
        content: Collection,
    ) -> Result<(), Unreadable> {
        let is_list = matches!(content, Collection::List(_));
        let tag = tag.as_deref();
        self.open.push(Open {
            range: place,
            anchor,
            is_flow: style == StructureStyle::Flow,
            tag: tag.map_or(CollectionTag::None, |it| collection_tag(it, is_list)),
            content,
        });
        if self.open.len() > MAX_DEPTH {
            return Err(Unreadable {
                range: place,
                message: format!("nested more than {MAX_DEPTH} levels deep"),
            });
        }
        Ok(())
    }

    /// Rejects what libyaml rejects, although it is valid in YAML 1.2.
    fn check_as_libyaml(
        &self,
        value: &str,
        style: ScalarStyle,
        place: TextRange,
    ) -> Result<(), Unreadable> {
        let wrong = |message: &str| Unreadable {
            range: place,
            message: message.to_owned(),
        };
        let around = self.open.last();
        let is_in_flow = around.is_some_and(|it| it.is_flow);
        if style == ScalarStyle::Plain && is_in_flow && value.starts_with(':') {
            return Err(wrong("a plain scalar in brackets cannot start with `:`"));
        }
        if !is_in_flow && around.is_some_and(Open::expects_key) {
            let start = usize::from(place.start());
            let before = self.padded.source.get(..start).unwrap_or_default();
            let indentation = before.rsplit('\n').next().unwrap_or_default();
            if indentation.trim().is_empty() && indentation.contains('\t') {
                return Err(wrong("tabs are not allowed in indentation"));
            }
        }
        Ok(())
    }

    fn alias(&mut self, anchor: usize, place: TextRange) -> Result<Data, Unreadable> {
        let Some(anchors) = &mut self.anchors else {
            return Ok(Data::Alias(anchor));
        };
        anchors.expand(anchor).ok_or_else(|| Unreadable {
            range: place,
            message: format!("aliases expand to more than {MAX_ALIAS_NODES} nodes"),
        })
    }

    /// Remembers a node with an anchor.
    fn anchored(&mut self, anchor: usize, mut node: Node) -> Node {
        node.anchor = anchor;
        if let Some(anchors) = self.anchors.as_mut().filter(|_| anchor != 0) {
            anchors.nodes.insert(anchor, node.clone());
        }
        node
    }

    fn unreadable(&mut self, error: &granit_parser::ScanError) -> Unreadable {
        let offset = error.marker().byte_offset();
        let offset = offset.filter(|it| self.padded.text.is_char_boundary(*it));
        self.padding = match error.kind() {
            ErrorKind::InvalidQuotedScalarIndent => offset.map(Padding::OfLine),
            ErrorKind::CommentNotSeparated => offset.and_then(|it| self.comment_from(it)),
            _ => None,
        };
        let end = self.padded.source.len();
        let at = offset.map_or(end, |it| self.padded.original(it));
        if let Some((start, bracket)) = self.unclosed_bracket(at) {
            return Unreadable {
                range: range(start, start + 1),
                message: format!("unclosed `{bracket}`"),
            };
        }
        let source = self.padded.source;
        if let Some(start) = unclosed_quote(source, at) {
            return Unreadable {
                range: range(start, start + 1),
                message: format!("unclosed `{}`", &source[start..=start]),
            };
        }
        if error.info().contains("a tab")
            && let Some(tab) = indenting_tab(source, at)
        {
            return Unreadable {
                range: range(tab, tab + 1),
                message: "a tab cannot be indentation".to_owned(),
            };
        }
        Unreadable {
            range: range(at, source.ceil_char_boundary((at + 1).min(end))),
            message: error.info().to_owned(),
        }
    }

    /// Returns the innermost bracket that is open at the offset of an error on a later line, if the file has fewer
    /// closing ones after it.
    fn unclosed_bracket(&self, at: usize) -> Option<(usize, char)> {
        let open = self.open.last().filter(|it| it.is_flow)?;
        let start = usize::from(open.range.start());
        let rest = self.padded.source.get(start..)?;
        let bracket = rest.chars().next()?;
        let closing = match bracket {
            '[' => ']',
            '{' => '}',
            _ => return None,
        };
        let is_on_later_line = rest.get(..at.checked_sub(start)?)?.contains('\n');
        let count = |wanted: char| rest.matches(wanted).count();
        (is_on_later_line && count(bracket) > count(closing)).then_some((start, bracket))
    }

    /// Returns the place of a comment that libyaml accepts although no whitespace precedes it, on the line of an
    /// offset: after the end of a string or a bracket, and after a separator.
    fn comment_from(&self, offset: usize) -> Option<Padding> {
        let text = &*self.padded.text;
        let start = offset + text.get(offset..)?.split('\n').next()?.find('#')?;
        let before = text[..start].rsplit('\n').next()?;
        let is_after_token = before.ends_with(['"', '\'', '[', ']', '{', '}', ',']);
        is_after_token.then_some(Padding::OfComment(start))
    }

    fn place(&self, span: &Span) -> TextRange {
        let bytes = span.byte_range().unwrap_or_default();
        let start = self.padded.original(bytes.start);
        range(start, self.padded.original(bytes.end).max(start))
    }
}

/// Returns the quote of a value that is closed only on the line of an error, or not at all, after lines with at most the
/// indentation of its own.
fn unclosed_quote(source: &str, at: usize) -> Option<usize> {
    let before = source.get(..at)?;
    let mut lines = before.rmatch_indices('\n').map(|it| it.0);
    // The quote is on an earlier line than the error.
    let mut end = lines.next()?;
    loop {
        let start = source[..end].rfind('\n').map_or(0, |it| it + 1);
        let line = &source[start..end];
        if let Some(quote) = opening_quote(line) {
            let wanted = &line[quote..=quote];
            let closing = source[end..]
                .find(wanted)
                .map_or(source.len(), |it| end + it);
            let indent = indent_of(line);
            let inside = source[end + 1..closing.max(end + 1)].lines();
            let mut inside = inside.filter(|it| !it.trim().is_empty());
            let is_next = inside.any(|it| indent_of(it) <= indent && it.contains(':'));
            let is_at_error = closing <= at || closing == source.len();
            return (is_next && is_at_error).then_some(start + quote);
        }
        end = lines.next()?;
    }
}

/// Returns the quote at the start of a value that its line does not close.
fn opening_quote(line: &str) -> Option<usize> {
    let starts_value = |at: &usize| {
        let key = line[..*at].strip_suffix(' ').unwrap_or_default();
        key.trim_end_matches(' ').ends_with([':', '-'])
    };
    let mut quotes = line.match_indices(['"', '\'']).map(|it| it.0);
    let quote = quotes.find(starts_value)?;
    let wanted = line[quote..].chars().next()?;
    (!line[quote + 1..].contains(wanted)).then_some(quote)
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Returns the first tab in the indentation of the line of an offset or of a later one.
fn indenting_tab(source: &str, at: usize) -> Option<usize> {
    let mut start = source.get(..at)?.rfind('\n').map_or(0, |it| it + 1);
    for line in source[start..].split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = line[..indent].find('\t') {
            return Some(start + tab);
        }
        start += line.len();
    }
    None
}

/// A list or map that is still being parsed.
struct Open {
    range: TextRange,
    /// The anchor, 0 for none.
    anchor: usize,
    /// Whether it is written with brackets.
    is_flow: bool,
    tag: CollectionTag,
    content: Collection,
}

enum Collection {
    List(Vec<Node>),
    /// A map with its entries, and a key whose value comes next.
    Map(Vec<Entry>, Option<Node>),
}

impl Open {
    /// Checks whether the next node is a key.
    fn expects_key(&self) -> bool {
        matches!(self.content, Collection::Map(_, None))
    }

    fn add(&mut self, node: Node) {
        match &mut self.content {
            Collection::List(elements) => elements.push(node),
            Collection::Map(entries, key) => match key.take() {
                None => *key = Some(node),
                Some(key) => entries.push(Entry {
                    key: key.text().unwrap_or_default().to_owned(),
                    key_range: key.range,
                    key_scalar: match key.data {
                        Data::Scalar(scalar) => scalar,
                        _ => Scalar::Unsupported("a collection as a key"),
                    },
                    value: node,
                }),
            },
        }
    }

    fn close(self) -> Node {
        let (range, data) = match self.content {
            Collection::List(elements) => (
                elements
                    .iter()
                    .fold(self.range, |all, it| all.cover(it.range)),
                Data::List(elements),
            ),
            Collection::Map(entries, _) => (
                entries
                    .iter()
                    .fold(self.range, |all, it| all.cover(it.value.range)),
                Data::Map(entries),
            ),
        };
        let data = match (self.tag, data) {
            (CollectionTag::Refused(what), _) => Data::Scalar(Scalar::Refused(what)),
            (CollectionTag::OrderedMap, Data::List(maps)) => ordered_map(maps),
            (_, data) => data,
        };
        Node {
            range,
            data,
            text: None,
            anchor: 0,
        }
    }
}

fn scalar(value: &str, style: ScalarStyle, tag: Option<&Tag>, range: TextRange) -> Node {
    let is_plain = style == ScalarStyle::Plain;
    let scalar = match tag {
        Some(tag) => tagged(value, tag),
        None if is_plain => plain(value),
        None => Scalar::String(value.into()),
    };
    let is_null = is_plain && matches!(value, "" | "~" | "null");
    Node {
        range,
        data: Data::Scalar(scalar),
        text: (!is_null).then(|| value.into()),
        anchor: 0,
    }
}

/// Reads a scalar with a tag, as Psych does: the tag of strings makes it a string, and most others have
/// no effect.
fn tagged(value: &str, tag: &Tag) -> Scalar {
    let name = tag.original();
    let of_yaml = tag.suffix_in_namespace(NAMESPACE);
    match of_yaml.as_deref().unwrap_or(&name) {
        "str" | "!str" | "!ruby/string" => Scalar::String(value.into()),
        "binary" | "!binary" => binary(value),
        "float" | "!float" => match plain(value) {
            Scalar::Integer(it) => Scalar::Float(it as f64),
            it @ Scalar::Float(_) => it,
            _ => Scalar::Refused("an invalid float"),
        },
        "!ruby/sym" | "!ruby/symbol" => Scalar::Symbol(value.into()),
        it if it.starts_with("!ruby/") => Scalar::Refused("a Ruby object"),
        _ => plain(value),
    }
}

/// Decodes binary data, which Ruby reads as a string.
fn binary(value: &str) -> Scalar {
    let digits: String = value.split_whitespace().collect();
    let bytes = STANDARD.decode(digits).ok();
    match bytes.and_then(|it| String::from_utf8(it).ok()) {
        Some(text) => Scalar::String(text.into()),
        None => Scalar::Unsupported("binary data"),
    }
}

/// The meaning of the tag of a collection to Psych.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CollectionTag {
    /// No effect.
    None,
    /// A list of maps with one entry is a map.
    OrderedMap,
    /// Psych refuses to load it.
    Refused(&'static str),
}

fn collection_tag(tag: &Tag, is_list: bool) -> CollectionTag {
    let name = tag.original();
    let of_yaml = tag.suffix_in_namespace(NAMESPACE);
    match of_yaml.as_deref().unwrap_or(&name) {
        "set" | "!set" if !is_list => CollectionTag::Refused("a set"),
        "omap" | "!omap" if is_list => CollectionTag::OrderedMap,
        "omap" | "!omap" => CollectionTag::Refused("an ordered map"),
        "!ruby/object:Hash" => CollectionTag::None,
        it if it.starts_with("!ruby/") => CollectionTag::Refused("a Ruby object"),
        _ => CollectionTag::None,
    }
}

/// Joins the maps of an ordered map.
fn ordered_map(maps: Vec<Node>) -> Data {
    let entries = maps.into_iter().filter_map(|it| match it.data {
        Data::Map(entries) => entries.into_iter().next(),
        _ => None,
    });
    Data::Map(entries.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Verified with Psych 5.1.
    #[test]
    fn reads_comments_directly_after_quotes_and_brackets() {
        for text in [
            "a: 'x'# c\nb: 2\n",
            "a:\n  - \"1\"# c\n  - '2'#d\n",
            "a: [1]#c\nb: {c: 1}#d\n",
            "a: [1,#c\n  \"x\"#c\n]\n",
        ] {
            let root = yaml(text).expect("valid").expect("a document");
            let first = root.get("a").expect("a key");
            let shown = &text[usize::from(first.range.start())..usize::from(first.range.end())];
            assert!(!shown.ends_with('c'), "{shown}");
        }
        for text in ["a:#c\n  b: 1\n", "---#c\na: 1\n", "a: &x#c\n  b\nc\n"] {
            assert!(yaml(text).is_err(), "{text}");
        }
    }

    #[test]
    fn error_ranges_do_not_split_characters() {
        let text = "a: 'b'é\n";
        let error = yaml(text).expect_err("the text after the scalar is invalid");
        let shown = &text[usize::from(error.range.start())..usize::from(error.range.end())];
        assert_eq!(shown, "é");
    }
}
