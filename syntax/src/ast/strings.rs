//! Views of strings and heredocs, and the values of their text.

use super::{AstNode, Expr, ast_node, support};
use crate::{SyntaxKind, SyntaxNode, SyntaxToken};

ast_node!(
    /// A string without interpolation: in single or double quotes, or a bare word.
    StringLiteral,
    STRING
);
ast_node!(
    /// A string with interpolation.
    InterpolatedString,
    INTERPOLATED_STRING
);
ast_node!(
    /// `${ … }` or `$x` inside a string.
    Interpolation,
    INTERPOLATION
);
ast_node!(
    /// `@(TAG)`: a heredoc in the code. Its text is a separate [`HeredocBody`].
    Heredoc,
    HEREDOC
);
ast_node!(
    /// The body of a heredoc, at its position in the file.
    HeredocBody,
    HEREDOC_BODY
);

/// A segment of a string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Segment {
    /// Text, with escapes resolved; never empty.
    Text(String),
    /// An interpolated expression.
    Interpolation(Interpolation),
}

impl StringLiteral {
    /// Returns the only token.
    pub fn token(&self) -> Option<SyntaxToken> {
        support::first_token(self.syntax())
    }

    /// Returns the value, with escapes resolved.
    pub fn value(&self) -> String {
        let Some(token) = self.token() else {
            return String::new();
        };
        let text = token.text();
        match token.kind() {
            SyntaxKind::SINGLE_QUOTED => unescape_single(strip_quotes(text, '\'')),
            SyntaxKind::DOUBLE_QUOTED => Escapes::DOUBLE_QUOTED.resolve(strip_quotes(text, '"')),
            _ => text.to_owned(),
        }
    }
}

fn strip_quotes(text: &str, quote: char) -> &str {
    let inner = text.strip_prefix(quote).unwrap_or(text);
    inner.strip_suffix(quote).unwrap_or(inner)
}

impl InterpolatedString {
    /// Returns the segments in order.
    pub fn segments(&self) -> Vec<Segment> {
        segments(self.syntax(), Escapes::DOUBLE_QUOTED, false)
    }
}

/// A segment of a string before escapes are resolved.
enum Raw {
    Text(String),
    Interpolation(Interpolation),
}

fn segments(node: &SyntaxNode, escapes: Escapes, drop_last_break: bool) -> Vec<Segment> {
    let mut raw = raw_segments(node);
    if drop_last_break && let Some(Raw::Text(last)) = raw.last_mut() {
        drop_line_break(last);
    }
    let resolve = |piece| match piece {
        Raw::Text(text) => Some(escapes.resolve(&text))
            .filter(|it| !it.is_empty())
            .map(Segment::Text),
        Raw::Interpolation(it) => Some(Segment::Interpolation(it)),
    };
    raw.into_iter().filter_map(resolve).collect()
}

fn raw_segments(node: &SyntaxNode) -> Vec<Raw> {
    let mut found: Vec<Raw> = Vec::new();
    for element in node.children_with_tokens() {
        match element {
            rowan::NodeOrToken::Token(token)
                if matches!(
                    token.kind(),
                    SyntaxKind::STRING_TEXT | SyntaxKind::HEREDOC_TEXT
                ) =>
            {
                match found.last_mut() {
                    Some(Raw::Text(text)) => text.push_str(token.text()),
                    _ => found.push(Raw::Text(token.text().to_owned())),
                }
            }
            rowan::NodeOrToken::Node(node) => {
                found.extend(Interpolation::cast(node).map(Raw::Interpolation));
            }
            rowan::NodeOrToken::Token(_) => {}
        }
    }
    found
}

fn drop_line_break(text: &mut String) {
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
}

impl Interpolation {
    /// Returns the expression.
    pub fn expr(&self) -> Option<Expr> {
        support::child(self.syntax())
    }
}

/// The contents of `@(…)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeredocTag {
    /// The end tag.
    pub end_text: String,
    /// Whether the tag is in double quotes, which enables interpolation.
    pub interpolates: bool,
    /// The syntax after `:`, or an empty string.
    pub syntax: String,
    /// The escape letters after `/`: `None` without `/`, all letters for an empty list.
    pub escapes: Option<String>,
}

impl HeredocTag {
    /// Parses the text of a HEREDOC_START token.
    ///
    /// From `heredoc_support.rb`: tag, then `:syntax`, then `/escapes`.
    pub fn parse(text: &str) -> Option<HeredocTag> {
        let inner = text.strip_prefix("@(")?.strip_suffix(')')?;
        let tag_end = inner.find([':', '/']).unwrap_or(inner.len());
        let (tag, mut rest) = inner.split_at(tag_end);
        if tag.is_empty() || tag.contains(['\r', '\n']) {
            return None;
        }
        let mut syntax = String::new();
        if let Some(after) = rest.strip_prefix(':') {
            let end = after.find('/').unwrap_or(after.len());
            let name = after[..end].trim_matches(is_blank);
            let valid = name.len() > 1
                && name.starts_with(|c: char| c.is_ascii_lowercase())
                && name
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '+');
            if !valid {
                return None;
            }
            name.clone_into(&mut syntax);
            rest = &after[end..];
        }
        let mut escapes = None;
        if let Some(after) = rest.strip_prefix('/') {
            let letters = after.trim_end_matches(is_blank);
            if !letters
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
            {
                return None;
            }
            escapes = Some(
                if letters.is_empty() {
                    "trnsuL$"
                } else {
                    letters
                }
                .to_owned(),
            );
        } else if !rest.is_empty() {
            return None;
        }
        let tag = tag.trim();
        let quoted = tag.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
        let end_text = quoted.map_or(tag, str::trim).to_owned();
        Some(HeredocTag {
            end_text,
            interpolates: quoted.is_some(),
            syntax,
            escapes,
        })
    }
}

/// Ruby's `[[:blank:]]`.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// The maximum number of tokens examined to find the body of a heredoc. Lines of human-written code
/// are shorter.
const MAX_LINE: usize = 2_000;

impl Heredoc {
    /// Returns the only token.
    pub fn token(&self) -> Option<SyntaxToken> {
        support::token(self.syntax(), SyntaxKind::HEREDOC_START)
    }

    /// Returns the parsed tag.
    pub fn tag(&self) -> Option<HeredocTag> {
        HeredocTag::parse(self.token()?.text())
    }

    /// Returns the body. It starts after the first line break in code; the bodies of several
    /// heredocs on one line are in the order of their tags, so the search counts the tags of the
    /// line. To find the bodies of many heredocs of a file, use
    /// [`HeredocBodies`](super::HeredocBodies).
    pub fn body(&self) -> Option<HeredocBody> {
        let start = self.token()?;
        let scope = heredoc_scope(start.parent_ancestors())?;
        let line_break = std::iter::successors(start.next_token(), SyntaxToken::next_token)
            .take(MAX_LINE)
            .take_while(|it| scope.text_range().contains_range(it.text_range()))
            .find(|it| {
                it.kind() == SyntaxKind::WHITESPACE
                    && it.text().contains('\n')
                    && heredoc_scope(it.parent_ancestors()).as_ref() == Some(&scope)
            })?;
        let mut first = line_break.next_token()?;
        for _ in 0..self.earlier_tags_of_the_line(&start, &scope) {
            first = body_around(&first, &scope)?.last_token()?.next_token()?;
        }
        body_around(&first, &scope).and_then(HeredocBody::cast)
    }

    fn earlier_tags_of_the_line(&self, start: &SyntaxToken, scope: &SyntaxNode) -> usize {
        std::iter::successors(start.prev_token(), SyntaxToken::prev_token)
            .take(MAX_LINE)
            .take_while(|it| match it.kind() {
                SyntaxKind::WHITESPACE => !it.text().contains('\n'),
                kind => kind != SyntaxKind::HEREDOC_END,
            })
            .filter(|it| {
                it.kind() == SyntaxKind::HEREDOC_START
                    && heredoc_scope(it.parent_ancestors()).as_ref() == Some(scope)
            })
            .count()
    }

    /// Returns the segments of the text: without the margin, with escapes resolved, and without the
    /// last line break if the tag removes it.
    pub fn segments(&self) -> Vec<Segment> {
        let body = self.body();
        body.map(|it| self.segments_of(&it)).unwrap_or_default()
    }

    /// Like [`Heredoc::segments`], for a body that is already known.
    pub fn segments_of(&self, body: &HeredocBody) -> Vec<Segment> {
        let Some(tag) = self.tag() else {
            return Vec::new();
        };
        segments(
            body.syntax(),
            Escapes::heredoc(&tag),
            body.removes_last_break(&tag.end_text),
        )
    }

    /// Returns the value, if the text has no interpolation.
    pub fn value(&self) -> Option<String> {
        match <[Segment; 1]>::try_from(self.segments()) {
            Ok([Segment::Text(text)]) => Some(text),
            Ok(_) => None,
            Err(segments) => segments.is_empty().then(String::new),
        }
    }
}

/// Returns the heredoc body directly in `scope` that contains `token`.
fn body_around(token: &SyntaxToken, scope: &SyntaxNode) -> Option<SyntaxNode> {
    token.parent_ancestors().find(|it| {
        it.kind() == SyntaxKind::HEREDOC_BODY
            && heredoc_scope(it.ancestors().skip(1)).as_ref() == Some(scope)
    })
}

/// Returns the innermost heredoc body among `ancestors`, or the root: a file, or a definition as a tree of its own.
fn heredoc_scope(ancestors: impl Iterator<Item = SyntaxNode>) -> Option<SyntaxNode> {
    let mut root = None;
    for it in ancestors {
        if it.kind() == SyntaxKind::HEREDOC_BODY {
            return Some(it);
        }
        root = Some(it);
    }
    root
}

impl HeredocBody {
    /// Returns the end line.
    pub fn end_line(&self) -> Option<SyntaxToken> {
        support::token(self.syntax(), SyntaxKind::HEREDOC_END)
    }

    /// Checks whether the end line has `-` before the tag.
    pub fn removes_last_break(&self, tag: &str) -> bool {
        self.end_line().is_some_and(|it| {
            let line = it
                .text()
                .trim_end_matches(|c: char| is_blank(c) || c == '\r' || c == '\n');
            let before = line.strip_suffix(tag).unwrap_or(line);
            before.trim_end_matches(is_blank).ends_with('-')
        })
    }
}

/// The escapes of a kind of string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Escapes {
    backslash: bool,
    quotes: bool,
    dollar: bool,
    n: bool,
    r: bool,
    t: bool,
    s: bool,
    u: bool,
    line_break: bool,
}

impl Escapes {
    /// The escapes of `"…"`.
    pub const DOUBLE_QUOTED: Escapes = Escapes {
        backslash: true,
        quotes: true,
        dollar: true,
        n: true,
        r: true,
        t: true,
        s: true,
        u: true,
        line_break: true,
    };

    /// Returns the escapes that the tag of a heredoc enables.
    pub fn heredoc(tag: &HeredocTag) -> Escapes {
        let letters = tag.escapes.as_deref();
        let has = |c: char| letters.is_some_and(|it| it.contains(c));
        Escapes {
            backslash: letters.is_some(),
            quotes: false,
            dollar: has('$'),
            n: has('n'),
            r: has('r'),
            t: has('t'),
            s: has('s'),
            u: has('u'),
            line_break: has('L'),
        }
    }

    /// Resolves the escapes of `raw`. Unknown escapes are kept.
    ///
    /// From `slurp_support.rb`.
    pub fn resolve(self, raw: &str) -> String {
        if !raw.contains('\\') {
            return raw.to_owned();
        }
        let mut out = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(at) = rest.find('\\') {
            out.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            let (replacement, used) = self.one(after);
            match replacement {
                Some(Replacement::Char(c)) => out.push(c),
                Some(Replacement::Nothing) => {}
                None => {
                    out.push('\\');
                    out.push_str(&after[..used]);
                }
            }
            rest = &after[used..];
        }
        out.push_str(rest);
        out
    }

    /// Returns the replacement of the escape with the text `after` the backslash, and its length.
    fn one(self, after: &str) -> (Option<Replacement>, usize) {
        let Some(c) = after.chars().next() else {
            return (None, 0);
        };
        let plain = |known: bool, to: char| {
            if known {
                (Some(Replacement::Char(to)), 1)
            } else {
                (None, 1)
            }
        };
        match c {
            '\\' => plain(self.backslash, '\\'),
            '"' | '\'' => plain(self.quotes, c),
            '$' => plain(self.dollar, '$'),
            'n' => plain(self.n, '\n'),
            'r' => plain(self.r, '\r'),
            't' => plain(self.t, '\t'),
            's' => plain(self.s, ' '),
            'u' if self.u => match unicode_escape(&after[1..]) {
                Some((c, used)) => (Some(Replacement::Char(c)), 1 + used),
                None => (None, 1),
            },
            '\n' if self.line_break => (Some(Replacement::Nothing), 1),
            '\r' if self.line_break && after[1..].starts_with('\n') => {
                (Some(Replacement::Nothing), 2)
            }
            _ => (None, c.len_utf8()),
        }
    }

    /// Returns the invalid escapes of `raw`, each with the offset of its backslash.
    pub fn problems(self, raw: &str) -> Vec<(usize, EscapeProblem)> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(next) = raw[at..].find('\\') {
            let backslash = at + next;
            let after = &raw[backslash + 1..];
            let (replacement, used) = self.one(after);
            if replacement.is_none()
                && let Some(c) = after.chars().next()
            {
                found.push((backslash, self.problem(c, &after[c.len_utf8()..])));
            }
            at = backslash + 1 + used;
        }
        found
    }

    fn problem(self, c: char, after: &str) -> EscapeProblem {
        if c != 'u' || !self.u {
            EscapeProblem::Unknown(c)
        } else if unicode_digits(after).is_some() {
            EscapeProblem::NoCharacter
        } else {
            EscapeProblem::Malformed
        }
    }
}

/// The reason why an escape is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EscapeProblem {
    /// The character after the backslash is not an escape.
    Unknown(char),
    /// `\u` without valid digits.
    Malformed,
    /// `\u` with a number that is not a Unicode character.
    NoCharacter,
}

enum Replacement {
    Char(char),
    Nothing,
}

/// Parses `XXXX` or `{X…}` after `\u`. Returns the character and the length.
fn unicode_escape(after: &str) -> Option<(char, usize)> {
    let (digits, used) = unicode_digits(after)?;
    Some((char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, used))
}

/// Returns the digits after `\u`, and their length with braces.
fn unicode_digits(after: &str) -> Option<(&str, usize)> {
    let is_hex = |text: &&str| text.bytes().all(|b| b.is_ascii_hexdigit());
    let Some(braced) = after.strip_prefix('{') else {
        return after.get(..4).filter(is_hex).map(|it| (it, 4));
    };
    let digits = braced.get(..braced.find('}')?).filter(is_hex)?;
    (1..=6)
        .contains(&digits.len())
        .then_some((digits, digits.len() + 2))
}

/// Resolves the escapes of a single-quoted string: only `\\` and `\'`.
pub fn unescape_single(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next @ ('\\' | '\''))) => {
                out.push(next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}
