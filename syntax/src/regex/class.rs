//! Character classes, `[…]`, with ranges, nested classes, `&&` and POSIX brackets; and `\p{…}`.

use super::RegexError;
use super::parser::{DEPTH_LIMIT, Parser, TOO_DEEP};
use super::properties;
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
    Char(u32),
    /// A set such as `\d`, which may not.
    Set,
    /// The hyphen of a range from this character.
    RangeFrom(u32),
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
    pub(super) fn class(&mut self, opened: usize) -> Result<(), RegexError> {
        let mut classes = Classes { open: Vec::new() };
        self.enter_class(&mut classes, opened)?;
        while !classes.open.is_empty() {
            let at = self.at;
            let Some(symbol) = self.next() else {
                let opened = classes.open.last().map_or(opened, |(opened, _)| *opened);
                return Err(self.error(opened, "unclosed character class"));
            };
            match symbol {
                Symbol::Escaped(byte) => self.member(&mut classes, u32::from(byte), at)?,
                Symbol::Plain(']') => {
                    classes.open.pop();
                }
                Symbol::Plain('-') => self.hyphen(&mut classes, at)?,
                Symbol::Plain('\\') => self.class_escape(&mut classes, at)?,
                Symbol::Plain('[') => self.inner_bracket(&mut classes, at)?,
                Symbol::Plain('&') if self.peek() == Some('&') => {
                    self.at += 1;
                    classes.set_last(Last::Nothing);
                }
                Symbol::Plain(ch) => self.member(&mut classes, u32::from(ch), at)?,
            }
        }
        Ok(())
    }

    fn enter_class(&mut self, classes: &mut Classes, opened: usize) -> Result<(), RegexError> {
        if self.depth() + classes.open.len() >= DEPTH_LIMIT {
            return Err(self.error(opened, TOO_DEEP));
        }
        if self.peek() == Some('^') {
            self.at += 1;
        }
        let mut last = Last::Nothing;
        if self.peek() == Some(']') {
            // A leading `]` is a member, unless no other `]` could close the class.
            if self.at >= self.last_bracket {
                return Err(self.error(opened, "empty character class"));
            }
            self.at += 1;
            last = Last::Char(u32::from(']'));
        }
        classes.open.push((opened, last));
        Ok(())
    }

    /// Adds a character to the class.
    fn member(&self, classes: &mut Classes, code: u32, at: usize) -> Result<(), RegexError> {
        let last = match classes.last() {
            Last::RangeFrom(from) if from > code => {
                return Err(self.error(at, "empty range in character class"));
            }
            Last::RangeFrom(_) => Last::Range,
            _ => Last::Char(code),
        };
        classes.set_last(last);
        Ok(())
    }

    /// Adds a set such as `\d` to the class.
    fn set(&self, classes: &mut Classes, at: usize) -> Result<(), RegexError> {
        if matches!(classes.last(), Last::RangeFrom(_)) {
            return Err(self.error(at, "character set cannot end a range"));
        }
        classes.set_last(Last::Set);
        Ok(())
    }

    fn hyphen(&self, classes: &mut Classes, at: usize) -> Result<(), RegexError> {
        let is_last = self.peek() == Some(']')
            || (self.peek() == Some('&') && self.peek_at(self.at + 1) == Some('&'));
        match classes.last() {
            Last::Char(from) if !is_last => classes.set_last(Last::RangeFrom(from)),
            Last::Set if !is_last => {
                return Err(self.error(at, "character set cannot start a range"));
            }
            _ => self.member(classes, u32::from('-'), at)?,
        }
        Ok(())
    }

    fn class_escape(&mut self, classes: &mut Classes, at: usize) -> Result<(), RegexError> {
        let code = match self.next() {
            None => return Err(self.error(at, "trailing backslash")),
            Some(Symbol::Escaped(byte)) => u32::from(byte),
            Some(Symbol::Plain(ch)) => match ch {
                'w' | 'W' | 'd' | 'D' | 's' | 'S' | 'h' | 'H' => return self.set(classes, at),
                'p' | 'P' if self.peek() == Some('{') => {
                    self.property(at)?;
                    return self.set(classes, at);
                }
                '0'..='7' => {
                    self.at -= 1;
                    self.octal(3)
                }
                'n' => 0x0a,
                't' => 0x09,
                'r' => 0x0d,
                'f' => 0x0c,
                'a' => 0x07,
                'b' => 0x08,
                'e' => 0x1b,
                'v' => 0x0b,
                ch => u32::from(ch),
            },
        };
        self.member(classes, code, at)
    }

    /// Parses a `[` inside a class: a POSIX bracket, a nested class, or a literal `[`.
    fn inner_bracket(&mut self, classes: &mut Classes, at: usize) -> Result<(), RegexError> {
        if self.peek() != Some(':') || !self.posix_end_follows(self.at + 1) {
            return self.enter_class(classes, at);
        }
        if self.posix_bracket(at)? {
            self.set(classes, at)
        } else {
            self.member(classes, u32::from('['), at)
        }
    }

    /// Whether `:]` comes before any other `]` from `from` on. The answer is cached, because it
    /// holds for every position up to the end of the search.
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
    fn posix_bracket(&mut self, opened: usize) -> Result<bool, RegexError> {
        let mut at = self.at + 1;
        if self.peek_at(at) == Some('^') {
            at += 1;
        }
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
            return Ok(true);
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
        Ok(false)
    }

    /// Parses the `{…}` of a property whose backslash is the symbol `start`.
    pub(super) fn property(&mut self, start: usize) -> Result<(), RegexError> {
        self.at += 1;
        if self.peek() == Some('^') {
            self.at += 1;
        }
        let mut name = String::new();
        loop {
            match self.next() {
                Some(Symbol::Plain('}')) => break,
                Some(Symbol::Plain(ch)) if !matches!(ch, '(' | ')' | '{' | '|') => name.push(ch),
                _ => return Err(self.error(start, "unclosed character property name")),
            }
        }
        if properties::is_known(&name) {
            Ok(())
        } else {
            let name = super::shown(name.chars());
            let message = format!("unknown character property `{name}`");
            Err(self.error(start, message))
        }
    }
}
