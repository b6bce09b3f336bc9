//! The first stage: resolves escapes of code points and bytes.
//!
//! Ruby does this before its regex engine sees the pattern, even in comments and group names. The
//! resulting characters are always literals: `\x28` matches a parenthesis.

use super::RegexError;

/// A character of the pattern, as seen by the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Symbol {
    /// An unescaped character, or any non-ASCII character.
    Plain(char),
    /// An ASCII character written as an escape: always a literal.
    Escaped(u8),
}

impl Symbol {
    /// Returns the character, escaped or not.
    pub(super) fn char(self) -> char {
        match self {
            Symbol::Plain(ch) => ch,
            Symbol::Escaped(byte) => char::from(byte),
        }
    }
}

/// A pattern after the first stage.
pub(super) struct Pattern {
    pub(super) symbols: Vec<Symbol>,
    /// The offset in the source of each symbol, and of the end.
    pub(super) offsets: Vec<usize>,
}

impl Pattern {
    /// Returns the offset in the source of the symbol `index`, or of the end beyond the last.
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

/// A cursor in the source.
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

    /// Reads the escape at the cursor.
    fn escape(&mut self, pattern: &mut Pattern) -> Result<(), RegexError> {
        let start = self.at;
        let Some(kind) = self
            .source
            .get(start + 1..)
            .and_then(|rest| rest.chars().next())
        else {
            return Err(RegexError::new(start, "trailing backslash"));
        };
        match kind {
            '0' | 'x' | 'c' | 'C' | 'M' => self.bytes(pattern),
            // Below 128 it may be a reference to a group, which only the parser can decide.
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

    /// Returns the value and the number of up to three octal digits at `from`.
    fn octal(&self, from: usize) -> (u32, usize) {
        let digits = self.source.as_bytes().iter().skip(from).take(3);
        digits
            .take_while(|byte| (b'0'..=b'7').contains(*byte))
            .fold((0, 0), |(value, length), byte| {
                (value * 8 + u32::from(byte - b'0'), length + 1)
            })
    }

    /// Reads the escaped bytes of one UTF-8 character.
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
                    let message = "invalid byte escape: not a UTF-8 character";
                    return Err(RegexError::new(start, message));
                }
            }
        }
    }

    /// Reads one byte escape. The second and later bytes of a character must be escapes too.
    fn escaped_byte(&mut self) -> Result<u8, RegexError> {
        let start = self.at;
        if self.byte(0) != Some(b'\\') {
            let message = "invalid byte escape: incomplete UTF-8 character";
            return Err(RegexError::new(start, message));
        }
        self.at += 1;
        let (mut meta, mut control) = (false, false);
        let value = loop {
            let Some(kind) = self.byte(0) else {
                return Err(RegexError::new(start, "incomplete escape"));
            };
            self.at += 1;
            match kind {
                b'M' if !meta => {
                    meta = true;
                    self.expect_dash(start, "invalid `\\M` escape: expected `-`")?;
                }
                b'C' if !control => {
                    control = true;
                    self.expect_dash(start, "invalid `\\C` escape: expected `-`")?;
                }
                b'c' if !control => control = true,
                b'M' | b'C' | b'c' => {
                    let message = "duplicate modifier in escape";
                    return Err(RegexError::new(start, message));
                }
                _ => break self.byte_value(kind, start)?,
            }
            // The modifier applies to the next character or escape.
            match self.byte(0) {
                Some(b'\\') => self.at += 1,
                Some(byte) if byte.is_ascii() => {
                    self.at += 1;
                    break byte;
                }
                _ => {
                    let message = "invalid control or meta escape: expected an ASCII character";
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

    /// Returns the byte of the escape letter `kind` before the cursor.
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
                u8::try_from(value).map_err(|_| {
                    RegexError::new(start, "invalid octal escape: expected at most `\\377`")
                })?
            }
            b'x' => {
                let digits = self.hex_digits(2);
                if digits == 0 {
                    let message = "invalid `\\x` escape: expected one or two hexadecimal digits";
                    return Err(RegexError::new(start, message));
                }
                self.take_hex(digits) as u8
            }
            _ => {
                let message = "unexpected escape after a control or meta escape";
                return Err(RegexError::new(start, message));
            }
        })
    }

    /// Returns the number of hexadecimal digits at the cursor, up to `limit`.
    fn hex_digits(&self, limit: usize) -> usize {
        let rest = self.source.as_bytes().iter().skip(self.at);
        rest.take(limit)
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count()
    }

    /// Reads `count` hexadecimal digits, up to 6.
    fn take_hex(&mut self, count: usize) -> u32 {
        let digits = self.source.get(self.at..self.at + count);
        self.at += count;
        digits
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .unwrap_or(0)
    }

    /// Reads `\uHHHH` or `\u{H HH …}`.
    fn unicode(&mut self, pattern: &mut Pattern) -> Result<(), RegexError> {
        let start = self.at;
        self.at += 2;
        if self.byte(0) != Some(b'{') {
            if self.hex_digits(4) < 4 {
                let message =
                    "invalid `\\u` escape: expected four hexadecimal digits, or a list in braces";
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
                7 => {
                    return Err(RegexError::new(
                        self.at,
                        "invalid `\\u` escape: not a Unicode character",
                    ));
                }
                digits => self.code_point(digits, start, pattern)?,
            }
            empty = false;
        }
        if empty || self.byte(0) != Some(b'}') {
            let message = "invalid `\\u{…}` escape: expected hexadecimal code points and `}`";
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
            let message = "invalid `\\u` escape: not a Unicode character";
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
