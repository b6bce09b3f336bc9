//! Character classes, `[…]`, with ranges, nested classes, `&&` and POSIX brackets; and `\p{…}`.

use super::RegexError;
use super::parser::{DEPTH_LIMIT, Parser, TOO_DEEP, control_escape};
use super::properties;
use super::tree::{CharSet, CharSetKind, ClassItem, NodeId};
use super::unescape::Symbol;

const POSIX_NAMES: [&str; 14] = [
    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "xdigit", "ascii", "word",
];

/// The number of characters that Ruby searches for the end of a potential POSIX bracket.
const POSIX_SEARCH: usize = 20;

/// The last item of a class, which determines the meaning of a hyphen.
#[derive(Clone, Copy)]
enum Last {
    /// The start of the class, or `&&`.
    Nothing,
    /// A character, which may start a range.
    Char(char),
    /// A set such as `\d`, which may not.
    Set,
    /// The hyphen of a range from this character.
    RangeFrom(char),
    /// A whole range.
    Range,
}

/// The enclosing classes.
struct Classes {
    /// The first symbol and the last item of each class.
    open: Vec<(usize, Last)>,
}

impl Classes {
    fn last(&self) -> Last {
        self.open.last().map_or(Last::Nothing, |(_, last)| *last)
    }

    fn set_last(&mut self, last: Last) {
        if let Some(class) = self.open.last_mut() {
            class.1 = last;
        }
    }
}

impl Parser<'_> {
    /// Parses a class after its `[`, which is the symbol `opened`.
    pub(super) fn class(&mut self, opened: usize) -> Result<NodeId, RegexError> {
        let start = self.tree.class_items.len();
        let mut classes = Classes { open: Vec::new() };
        self.enter_class(&mut classes, opened)?;
        while !classes.open.is_empty() {
            let at = self.at;
            let Some(symbol) = self.next() else {
                let opened = classes.open.last().map_or(opened, |(opened, _)| *opened);
                return Err(self.error(opened, "unclosed character class"));
            };
            match symbol {
                Symbol::Escaped(byte) => self.member(&mut classes, char::from(byte), at)?,
                Symbol::Plain(']') => {
                    classes.open.pop();
                    self.tree.class_items.push(ClassItem::Close);
                }
                Symbol::Plain('-') => self.hyphen(&mut classes, at)?,
                Symbol::Plain('\\') => self.class_escape(&mut classes, at)?,
                Symbol::Plain('[') => self.inner_bracket(&mut classes, at)?,
                Symbol::Plain('&') if self.peek() == Some('&') => {
                    self.at += 1;
                    classes.set_last(Last::Nothing);
                    self.tree.class_items.push(ClassItem::And);
                }
                Symbol::Plain(ch) => self.member(&mut classes, ch, at)?,
            }
        }
        Ok(self.tree.push_class(start))
    }

    fn enter_class(&mut self, classes: &mut Classes, opened: usize) -> Result<(), RegexError> {
        if self.depth() + classes.open.len() >= DEPTH_LIMIT {
            return Err(self.error(opened, TOO_DEEP));
        }
        let negated = self.peek() == Some('^');
        self.at += usize::from(negated);
        self.tree.class_items.push(ClassItem::Open { negated });
        let mut last = Last::Nothing;
        if self.peek() == Some(']') {
            // A leading `]` is a member, unless no other `]` could close the class.
            if self.at >= self.last_bracket {
                return Err(self.error(opened, "empty character class"));
            }
            self.at += 1;
            last = Last::Char(']');
            self.tree.class_items.push(ClassItem::Char(']'));
        }
        classes.open.push((opened, last));
        Ok(())
    }

    /// Adds a character to the class.
    fn member(&mut self, classes: &mut Classes, ch: char, at: usize) -> Result<(), RegexError> {
        let (last, item) = match classes.last() {
            Last::RangeFrom(from) if from > ch => {
                return Err(self.error(at, "empty range in character class"));
            }
            Last::RangeFrom(from) => (Last::Range, ClassItem::Range(from, ch)),
            _ => (Last::Char(ch), ClassItem::Char(ch)),
        };
        classes.set_last(last);
        self.tree.class_items.push(item);
        Ok(())
    }

    /// Adds a set such as `\d` to the class.
    fn set(&mut self, classes: &mut Classes, set: CharSet, at: usize) -> Result<(), RegexError> {
        if matches!(classes.last(), Last::RangeFrom(_)) {
            return Err(self.error(at, "character set cannot end a range"));
        }
        classes.set_last(Last::Set);
        self.tree.class_items.push(ClassItem::Set(set));
        Ok(())
    }

    fn hyphen(&mut self, classes: &mut Classes, at: usize) -> Result<(), RegexError> {
        let is_last = self.peek() == Some(']')
            || (self.peek() == Some('&') && self.peek_at(self.at + 1) == Some('&'));
        match classes.last() {
            Last::Char(from) if !is_last => {
                classes.set_last(Last::RangeFrom(from));
                // The range includes it. Without an end, as in `[a-[b]]`, Ruby drops it.
                if self.tree.class_items.last() == Some(&ClassItem::Char(from)) {
                    self.tree.class_items.pop();
                }
            }
            Last::Set if !is_last => {
                return Err(self.error(at, "character set cannot start a range"));
            }
            _ => self.member(classes, '-', at)?,
        }
        Ok(())
    }

    fn class_escape(&mut self, classes: &mut Classes, at: usize) -> Result<(), RegexError> {
        let member = match self.next() {
            None => return Err(self.error(at, "trailing backslash")),
            Some(Symbol::Escaped(byte)) => char::from(byte),
            Some(Symbol::Plain(ch)) => match ch {
                'p' | 'P' if self.peek() == Some('{') => {
                    let set = self.property(ch == 'P', at)?;
                    return self.set(classes, set, at);
                }
                '0'..='7' => {
                    self.at -= 1;
                    self.octal(3)
                }
                'b' => '\x08',
                ch => match CharSetKind::of_escape(ch) {
                    Some(set) => return self.set(classes, set, at),
                    None => control_escape(ch).unwrap_or(ch),
                },
            },
        };
        self.member(classes, member, at)
    }

    /// Parses a `[` inside a class: a POSIX bracket, a nested class, or a literal `[`.
    fn inner_bracket(&mut self, classes: &mut Classes, at: usize) -> Result<(), RegexError> {
        if self.peek() != Some(':') || !self.posix_end_follows(self.at + 1) {
            return self.enter_class(classes, at);
        }
        match self.posix_bracket(at)? {
            Some(set) => self.set(classes, set, at),
            None => self.member(classes, '[', at),
        }
    }

    /// Checks whether `:]` comes before any other `]` from `from` on. The answer is cached, because
    /// it holds for every position up to the end of the search.
    fn posix_end_follows(&mut self, from: usize) -> bool {
        if let Some((until, answer)) = self.posix_memo
            && from <= until
        {
            return answer;
        }
        let mut at = from;
        let answer = loop {
            match self.pattern.symbols.get(at) {
                None => break false,
                Some(Symbol::Plain(':')) if self.peek_at(at + 1) == Some(']') => break true,
                Some(Symbol::Plain(']')) => break false,
                Some(Symbol::Plain('\\')) => at += 2,
                Some(_) => at += 1,
            }
        };
        self.posix_memo = Some((at, answer));
        answer
    }

    /// Parses `:name:]`, unless this is not a POSIX bracket.
    fn posix_bracket(&mut self, opened: usize) -> Result<Option<CharSet>, RegexError> {
        let mut at = self.at + 1;
        let negated = self.peek_at(at) == Some('^');
        at += usize::from(negated);
        let unknown = || self.error(opened, "unknown POSIX bracket");
        let spelt = |name: &&&str| {
            let mut chars = name.chars().enumerate();
            chars.all(|(index, ch)| self.peek_at(at + index) == Some(ch))
        };
        if let Some(name) = POSIX_NAMES.iter().find(spelt) {
            let end = at + name.len();
            if self.peek_at(end) != Some(':') || self.peek_at(end + 1) != Some(']') {
                return Err(unknown());
            }
            self.at = end + 2;
            let kind = CharSetKind::Posix(name);
            return Ok(Some(CharSet { kind, negated }));
        }
        let mut seen = 0;
        while let Some(symbol) = self.pattern.symbols.get(at) {
            match symbol {
                Symbol::Plain(':') if self.peek_at(at + 1) == Some(']') => return Err(unknown()),
                Symbol::Plain(':' | ']') => break,
                Symbol::Plain(_) => seen += 1,
                // Ruby rewrites these as `\xHH` first.
                Symbol::Escaped(_) => seen += 4,
            }
            if seen > POSIX_SEARCH {
                break;
            }
            at += 1;
        }
        Ok(None)
    }

    /// Parses the `{…}` of a property whose backslash is the symbol `start`.
    pub(super) fn property(&mut self, negated: bool, start: usize) -> Result<CharSet, RegexError> {
        self.at += 1;
        let inverted = self.peek() == Some('^');
        self.at += usize::from(inverted);
        let mut name = String::new();
        loop {
            match self.next() {
                Some(Symbol::Plain('}')) => break,
                Some(Symbol::Plain(ch)) if !matches!(ch, '(' | ')' | '{' | '|') => name.push(ch),
                _ => return Err(self.error(start, "unclosed character property name")),
            }
        }
        match properties::known(&name) {
            Some(name) => Ok(CharSet {
                kind: CharSetKind::Property(name),
                negated: negated != inverted,
            }),
            None => {
                let name = super::shown(name.chars());
                let message = format!("unknown character property `{name}`");
                Err(self.error(start, message))
            }
        }
    }
}

impl CharSetKind {
    /// Returns the set of an escape such as `\d` or `\D`.
    pub(super) fn of_escape(letter: char) -> Option<CharSet> {
        let kind = match letter.to_ascii_lowercase() {
            'd' => CharSetKind::Digit,
            'w' => CharSetKind::Word,
            's' => CharSetKind::Space,
            'h' => CharSetKind::HexDigit,
            _ => return None,
        };
        let negated = letter.is_ascii_uppercase();
        Some(CharSet { kind, negated })
    }
}
