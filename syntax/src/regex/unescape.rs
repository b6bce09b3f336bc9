//! The first stage: escapes that name a code point or a byte become that character.
//!
//! Ruby does this before its regex engine sees the pattern, everywhere alike, in comments and
//! group names too. What an escape yields never has a meaning in the syntax: `\x28` is a
//! parenthesis to be matched.

use super::RegexError;

/// One character of the pattern as the engine sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Symbol {
    /// As written, or a character outside ASCII however it was written.
    Plain(char),
    /// An ASCII character written as an escape: only ever itself.
    Escaped(u8),
}

impl Symbol {
    /// The character, whether it means itself or not.
    pub(super) fn char(self) -> char {
        match self {
            Symbol::Plain(ch) => ch,
            Symbol::Escaped(byte) => char::from(byte),
        }
    }
}

/// A pattern after the first stage.
pub(super) struct Pattern {
    /// Its characters.
    pub(super) symbols: Vec<Symbol>,
    /// For each symbol, and for the end, the byte of the source it begins at.
    pub(super) offsets: Vec<usize>,
}

impl Pattern {
    /// The byte of the source where the symbol `index` begins; that of the end beyond the last.
    pub(super) fn offset(&self, index: usize) -> usize {
        let last = self.offsets.len().saturating_sub(1);
        self.offsets.get(index.min(last)).copied().unwrap_or(0)
    }

    fn push(&mut self, symbol: Symbol, offset: usize) {
        self.symbols.push(symbol);
        self.offsets.push(offset);
    }
}

/// Resolves the escapes of `source`.
pub(super) fn unescape(source: &str) -> Result<Pattern, RegexError> {
    let mut pattern = Pattern {
        symbols: Vec::with_capacity(source.len()),
        offsets: Vec::with_capacity(source.len() + 1),
    };
    let mut reader = Reader { source, at: 0 };
    while let Some(ch) = reader.char() {
        if ch == '\\' {
            reader.escape(&mut pattern)?;
        } else {
            pattern.push(Symbol::Plain(ch), reader.at);
            reader.at += ch.len_utf8();
        }
    }
    pattern.offsets.push(source.len());
    Ok(pattern)
}

/// A place in the source.
struct Reader<'a> {
    source: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn char(&self) -> Option<char> {
        self.source.get(self.at..)?.chars().next()
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.source.as_bytes().get(self.at + ahead).copied()
    }

    /// Takes the escape whose backslash is next.
    fn escape(&mut self, pattern: &mut Pattern) -> Result<(), RegexError> {
        let start = self.at;
        let Some(kind) = self
            .source
            .get(start + 1..)
            .and_then(|rest| rest.chars().next())
        else {
            return Err(RegexError::new(
                start,
                "the pattern ends in a lone backslash",
            ));
        };
        match kind {
            '0' | 'x' | 'c' | 'C' | 'M' => self.bytes(pattern),
            // Below 128 it may be a reference to a group, which only the parser can tell.
            '1'..='7' if self.octal(start + 1).0 > 0o177 => self.bytes(pattern),
            'u' => self.unicode(pattern),
            _ => {
                pattern.push(Symbol::Plain('\\'), start);
                pattern.push(Symbol::Plain(kind), start + 1);
                self.at = start + 1 + kind.len_utf8();
                Ok(())
            }
        }
    }

    /// The value and length of the at most three octal digits at `from`.
    fn octal(&self, from: usize) -> (u32, usize) {
        let digits = self.source.as_bytes().iter().skip(from).take(3);
        digits
            .take_while(|byte| (b'0'..=b'7').contains(*byte))
            .fold((0, 0), |(value, length), byte| {
                (value * 8 + u32::from(byte - b'0'), length + 1)
            })
    }

    /// Takes as many escaped bytes as one character of UTF-8 needs.
    fn bytes(&mut self, pattern: &mut Pattern) -> Result<(), RegexError> {
        let start = self.at;
        let mut bytes = vec![self.escaped_byte()?];
        loop {
            match std::str::from_utf8(&bytes) {
                Ok(text) => {
                    let symbol = match bytes.as_slice() {
                        [ascii] => Symbol::Escaped(*ascii),
                        _ => Symbol::Plain(text.chars().next().unwrap_or_default()),
                    };
                    pattern.push(symbol, start);
                    return Ok(());
                }
                Err(error) if error.error_len().is_none() => bytes.push(self.escaped_byte()?),
                Err(_) => {
                    let message = "these escaped bytes are no character of UTF-8";
                    return Err(RegexError::new(start, message));
                }
            }
        }
    }

    /// Takes one escape that stands for a byte, as the second and later bytes of a character must
    /// be too.
    fn escaped_byte(&mut self) -> Result<u8, RegexError> {
        let start = self.at;
        if self.byte(0) != Some(b'\\') {
            let message = "escaped bytes end in the middle of a character of UTF-8";
            return Err(RegexError::new(start, message));
        }
        self.at += 1;
        let (mut meta, mut control) = (false, false);
        let value = loop {
            let Some(kind) = self.byte(0) else {
                return Err(RegexError::new(start, "the escape is cut short"));
            };
            self.at += 1;
            match kind {
                b'M' if !meta => {
                    meta = true;
                    self.expect_dash(start, "`\\M-` needs a character after it")?;
                }
                b'C' if !control => {
                    control = true;
                    self.expect_dash(start, "`\\C-` needs a character after it")?;
                }
                b'c' if !control => control = true,
                b'M' | b'C' | b'c' => {
                    let message = "the same modifier stands twice in one escape";
                    return Err(RegexError::new(start, message));
                }
                _ => break self.byte_value(kind, start)?,
            }
            // The modifier applies to the next character, or to a further escape.
            match self.byte(0) {
                Some(b'\\') => self.at += 1,
                Some(byte) if byte.is_ascii() => {
                    self.at += 1;
                    break byte;
                }
                _ => {
                    let message = "a control or meta escape needs an ASCII character after it";
                    return Err(RegexError::new(start, message));
                }
            }
        };
        let value = if control { value & 0x1f } else { value };
        Ok(if meta { value | 0x80 } else { value })
    }

    fn expect_dash(&mut self, start: usize, message: &str) -> Result<(), RegexError> {
        if self.byte(0) != Some(b'-') {
            return Err(RegexError::new(start, message));
        }
        self.at += 1;
        Ok(())
    }

    /// The byte of the escape letter `kind`, which has just been taken.
    fn byte_value(&mut self, kind: u8, start: usize) -> Result<u8, RegexError> {
        Ok(match kind {
            b'\\' => b'\\',
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'f' => 0x0c,
            b'v' => 0x0b,
            b'a' => 0x07,
            b'e' => 0x1b,
            b'0'..=b'7' => {
                let (value, length) = self.octal(self.at - 1);
                self.at += length - 1;
                u8::try_from(value)
                    .map_err(|_| RegexError::new(start, "an octal escape goes up to `\\377`"))?
            }
            b'x' => {
                let digits = self.hex_digits(2);
                if digits == 0 {
                    let message = "`\\x` needs one or two hexadecimal digits";
                    return Err(RegexError::new(start, message));
                }
                self.take_hex(digits) as u8
            }
            _ => {
                let message = "this escape cannot follow a control or meta escape";
                return Err(RegexError::new(start, message));
            }
        })
    }

    /// How many hexadecimal digits come next, at most `limit`.
    fn hex_digits(&self, limit: usize) -> usize {
        let rest = self.source.as_bytes().iter().skip(self.at);
        rest.take(limit)
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count()
    }

    /// Takes `count` digits that have been counted, 6 at most.
    fn take_hex(&mut self, count: usize) -> u32 {
        let digits = self.source.get(self.at..self.at + count);
        self.at += count;
        digits
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .unwrap_or(0)
    }

    /// Takes `\uHHHH` or `\u{H HH …}`.
    fn unicode(&mut self, pattern: &mut Pattern) -> Result<(), RegexError> {
        let start = self.at;
        self.at += 2;
        if self.byte(0) != Some(b'{') {
            if self.hex_digits(4) < 4 {
                let message = "`\\u` needs four hexadecimal digits, or a list in braces";
                return Err(RegexError::new(start, message));
            }
            return self.code_point(4, start, pattern);
        }
        self.at += 1;
        let mut empty = true;
        loop {
            while matches!(self.byte(0), Some(b' ' | b'\t'..=b'\r')) {
                self.at += 1;
            }
            match self.hex_digits(7) {
                0 => break,
                7 => return Err(RegexError::new(self.at, "code points end at 10FFFF")),
                digits => self.code_point(digits, start, pattern)?,
            }
            empty = false;
        }
        if empty || self.byte(0) != Some(b'}') {
            let message = "`\\u{…}` needs code points in hexadecimal, and a closing brace";
            return Err(RegexError::new(start, message));
        }
        self.at += 1;
        Ok(())
    }

    fn code_point(
        &mut self,
        digits: usize,
        start: usize,
        pattern: &mut Pattern,
    ) -> Result<(), RegexError> {
        let at = self.at;
        let Some(ch) = char::from_u32(self.take_hex(digits)) else {
            let message = "code points end at 10FFFF, and D800 to DFFF are none";
            return Err(RegexError::new(at, message));
        };
        let symbol = match u8::try_from(ch) {
            Ok(byte) if byte.is_ascii() => Symbol::Escaped(byte),
            _ => Symbol::Plain(ch),
        };
        pattern.push(symbol, start);
        Ok(())
    }
}
