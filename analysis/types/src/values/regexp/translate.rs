//! Translates Ruby's regular expressions to those of `fancy-regex`.
//!
//! The differences, and how they are handled:
//!
//! | Ruby | here |
//! |---|---|
//! | `^` and `$` match at every line | `(?m)` is always on |
//! | `^` does not match after a trailing newline | expanded for subjects that end in one |
//! | `.` with `(?m)` matches newlines | the flag is called `s` |
//! | `\d \w \s` are ASCII (`\b` is not) | expanded to sets |
//! | `\h`, `\H`, `\R`, `\Z`, `\e`, `\uXXXX`, `\u{…}`, `\xHH`, octal | expanded |
//! | `[[:alpha:]]` and the like support Unicode | expanded to Unicode classes |
//! | `\p{Alpha}`, `\p{Lu}`, `\p{Greek}`, `\p{^L}`, `\P{L}` | those, general categories and common scripts |
//! | `[a&&b]` and nested sets | the same |
//! | `(?=a)*`, `\Z{2}` | wrapped in an alternative, since assertions cannot be repeated |
//! | named groups make plain groups non-capturing | the same |
//! | `(?<name>…)` and `\k<name>`, `\g<name>` | subexpression calls are not supported |
//! | `x{,n}`, `x{` , `]` and `}` as literals | expanded or escaped |
//! | `x++`, `x*+`, `x?+` possessive | the same; `x{1,2}+` and `x{2}?` are repeated twice in Ruby |
//! | `(?#…)` | dropped |
//! | `(?~…)`, conditionals, `\X`, `[a-[b]]`, other properties | not supported |

use std::fmt::Write;

use super::{RegexpError, classes};

type Result<T = ()> = std::result::Result<T, RegexpError>;

/// The maximum nesting depth of groups and sets.
const MAX_DEPTH: u32 = 100;

/// Translates an expression for subjects with or without a trailing newline.
///
/// # Errors
///
/// If the expression is found to be invalid in Ruby, or uses syntax that cannot be translated.
pub(super) fn translate(source: &str, ends_in_newline: bool) -> Result<String> {
    let mut translator = Translator {
        chars: source.chars().collect(),
        at: 0,
        out: String::with_capacity(source.len() + 8),
        depth: 0,
        extended: false,
        named: false,
        line_start: if ends_in_newline {
            r"(?:\A|(?<=\n)(?!\z))"
        } else {
            "^"
        },
        classes: Classes::Default,
        groups: 0,
        highest_reference: 0,
    };
    translator.named = translator.has_named_groups();
    translator.out.push_str("(?m)");
    translator.alternatives()?;
    match translator.peek() {
        None if translator.highest_reference > translator.groups => {
            Err(invalid("invalid backref number/name"))
        }
        None => Ok(translator.out),
        Some(_) => Err(invalid("unmatched close parenthesis")),
    }
}

fn invalid(what: &str) -> RegexpError {
    RegexpError::Invalid(what.to_owned())
}

fn unsupported(what: &str) -> RegexpError {
    RegexpError::Unsupported(what.to_owned())
}

struct Translator {
    chars: Vec<char>,
    at: usize,
    out: String,
    depth: u32,
    /// Whether whitespace and comments are ignored.
    extended: bool,
    /// Whether plain groups are non-capturing because there are named groups.
    named: bool,
    /// The translation of `^`.
    line_start: &'static str,
    /// The character classes in effect: `(?d)`, `(?a)` or `(?u)`.
    classes: Classes,
    /// The number of capture groups so far, and the highest backreference.
    groups: u32,
    highest_reference: u32,
}

/// The range of character classes beyond ASCII.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Classes {
    /// `[[:alpha:]]` and properties match Unicode, `\w` and the like only ASCII.
    Default,
    /// All classes match only ASCII.
    Ascii,
    /// All classes match Unicode.
    Unicode,
}

impl Translator {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    fn eat(&mut self, text: &str) -> bool {
        let matches = text
            .chars()
            .enumerate()
            .all(|(i, it)| self.peek_at(i) == Some(it));
        if matches {
            self.at += text.chars().count();
        }
        matches
    }

    /// Whether the expression has named groups. Skips sets and escapes.
    fn has_named_groups(&self) -> bool {
        let (mut at, mut set) = (0, 0u32);
        while let Some(char) = self.chars.get(at) {
            match char {
                '\\' => at += 1,
                '[' => set += 1,
                ']' => set = set.saturating_sub(1),
                '(' if set == 0 && self.chars.get(at + 1) == Some(&'?') => {
                    let named = match self.chars.get(at + 2) {
                        Some('<') => !matches!(self.chars.get(at + 3), Some('=' | '!')),
                        Some('\'') => true,
                        _ => false,
                    };
                    if named {
                        return true;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// Translates alternatives up to the end or a closing parenthesis.
    fn alternatives(&mut self) -> Result {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(unsupported("nesting too deep"));
        }
        while let Some(char) = self.peek() {
            if char == ')' {
                break;
            }
            self.piece()?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Translates one atom with its quantifiers, or a separator.
    fn piece(&mut self) -> Result {
        let start = self.out.len();
        let Some(char) = self.next() else {
            return Ok(());
        };
        match char {
            '|' => {
                self.out.push('|');
                return Ok(());
            }
            '#' if self.extended => {
                while self.next().is_some_and(|it| it != '\n') {}
                return Ok(());
            }
            char if self.extended && char.is_ascii_whitespace() => return Ok(()),
            '^' => self.out.push_str(self.line_start),
            '$' => self.out.push('$'),
            '.' => self.out.push('.'),
            '[' => self.set()?,
            '(' => {
                if !self.group()? {
                    return Ok(());
                }
            }
            '\\' => self.escape()?,
            '*' | '+' | '?' => return Err(invalid("target of repeat operator is not specified")),
            '{' if self.interval().is_some() => {
                return Err(invalid("target of repeat operator is not specified"));
            }
            char => self.literal(char),
        }
        self.repetitions(start)
    }

    fn literal(&mut self, char: char) {
        match char {
            '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$'
            | '#' => {
                self.out.push('\\');
                self.out.push(char);
            }
            char if char.is_ascii_whitespace() || char.is_ascii_control() => {
                let _ = write!(self.out, "\\x{:02X}", char as u32);
            }
            char => self.out.push(char),
        }
    }

    /// Translates the quantifiers of the atom in the output from `start`. Ruby allows several in a
    /// row.
    fn repetitions(&mut self, start: usize) -> Result {
        let mut repeated = false;
        while let Some(char) = self.peek() {
            let text = match char {
                '*' | '+' | '?' => {
                    self.at += 1;
                    let mut text = char.to_string();
                    if let Some(suffix @ ('?' | '+')) = self.peek() {
                        self.at += 1;
                        text.push(suffix);
                    }
                    text
                }
                '{' => match self.interval() {
                    Some((min, max, len)) => {
                        self.at += len;
                        if max.is_some_and(|max| max < min) {
                            return Err(invalid("upper is smaller than lower in repeat range"));
                        }
                        let exact = max == Some(min);
                        let max = max.map(|it| it.to_string()).unwrap_or_default();
                        let mut text = format!("{{{min},{max}}}");
                        if !exact && self.peek() == Some('?') {
                            self.at += 1;
                            text.push('?');
                        }
                        text
                    }
                    None => break,
                },
                char if self.extended && char.is_ascii_whitespace() => {
                    self.at += 1;
                    continue;
                }
                _ => break,
            };
            if repeated {
                // A second quantifier applies to the quantified atom.
                self.out.insert_str(start, "(?:");
                self.out.push(')');
            } else if self.is_assertion(start) {
                self.out.insert_str(start, "(?:");
                self.out.push_str("|(?!))");
            }
            repeated = true;
            self.out.push_str(&text);
        }
        Ok(())
    }

    /// Whether the atom in the output from `start` is a zero-width assertion, which cannot be
    /// repeated.
    fn is_assertion(&self, start: usize) -> bool {
        const SHORT: [&str; 8] = ["^", "$", "\\A", "\\z", "\\b", "\\B", "\\G", "\\K"];
        const OPEN: [&str; 4] = ["(?=", "(?!", "(?<=", "(?<!"];
        let atom = &self.out[start..];
        SHORT.contains(&atom)
            || atom == self.line_start
            || OPEN.iter().any(|it| atom.starts_with(it))
    }

    /// Parses `{n}`, `{n,}`, `{,m}` or `{n,m}` without consuming it: the bounds and the length.
    fn interval(&self) -> Option<(u32, Option<u32>, usize)> {
        let offset = usize::from(self.peek() == Some('{'));
        let mut end = self.at + offset;
        let start = end;
        while self
            .chars
            .get(end)
            .is_some_and(|it| it.is_ascii_digit() || *it == ',')
        {
            end += 1;
        }
        if self.chars.get(end) != Some(&'}') || end == start {
            return None;
        }
        let text: String = self.chars[start..end].iter().collect();
        let length = end + 1 - self.at;
        let (min, max) = match text.split_once(',') {
            None => {
                let count = text.parse().ok()?;
                (count, Some(count))
            }
            Some(("", "")) => return None,
            Some((min, max)) => {
                let min = if min.is_empty() { 0 } else { min.parse().ok()? };
                (
                    min,
                    if max.is_empty() {
                        None
                    } else {
                        Some(max.parse().ok()?)
                    },
                )
            }
        };
        Some((min, max, length))
    }

    /// Translates a group, after its parenthesis. Returns whether it is an atom, unlike a comment
    /// or an option switch.
    fn group(&mut self) -> Result<bool> {
        if !self.eat("?") {
            self.groups += u32::from(!self.named);
            self.out.push_str(if self.named { "(?:" } else { "(" });
            self.inside()?;
            return Ok(true);
        }
        for plain in [":", "=", "!", ">", "<=", "<!"] {
            if self.eat(plain) {
                let _ = write!(self.out, "(?{plain}");
                self.inside()?;
                return Ok(true);
            }
        }
        match self.next() {
            Some('#') => {
                while let Some(char) = self.next() {
                    match char {
                        '\\' => self.at += 1,
                        ')' => return Ok(false),
                        _ => {}
                    }
                }
                Err(invalid("end pattern in group"))
            }
            Some(open @ ('<' | '\'')) => {
                let close = if open == '<' { '>' } else { '\'' };
                let name = self.until(close)?;
                let word = |it: char| it == '_' || it.is_alphanumeric();
                if name.is_empty() || !name.chars().all(word) || name.starts_with(char::is_numeric)
                {
                    return Err(invalid("invalid group name"));
                }
                let _ = write!(self.out, "(?P<{name}>");
                self.inside()?;
                Ok(true)
            }
            Some('~') => Err(unsupported("absent operator")),
            Some('(') => Err(unsupported("conditional")),
            Some(_) => {
                self.at -= 1;
                self.flags()
            }
            None => Err(invalid("end pattern with unmatched parenthesis")),
        }
    }

    fn until(&mut self, close: char) -> Result<String> {
        let mut text = String::new();
        while let Some(char) = self.next() {
            if char == close {
                return Ok(text);
            }
            text.push(char);
        }
        Err(invalid("unterminated name"))
    }

    /// Translates the contents and the end of a group.
    fn inside(&mut self) -> Result {
        let outer = (self.extended, self.classes);
        self.alternatives()?;
        (self.extended, self.classes) = outer;
        if self.next() != Some(')') {
            return Err(invalid("end pattern with unmatched parenthesis"));
        }
        self.out.push(')');
        Ok(())
    }

    /// `(?imx-imx)` and `(?imx-imx:…)`.
    fn flags(&mut self) -> Result<bool> {
        let (mut on, mut off, mut turn_off) = (String::new(), String::new(), false);
        let mut extended = self.extended;
        let mut classes = self.classes;
        loop {
            match self.next() {
                Some('-') => turn_off = true,
                Some(flag @ ('i' | 'm')) => {
                    let flag = if flag == 'm' { 's' } else { flag };
                    if turn_off {
                        off.push(flag)
                    } else {
                        on.push(flag)
                    }
                }
                Some('x') => extended = !turn_off,
                Some(end @ (':' | ')')) => {
                    let off = if off.is_empty() {
                        off
                    } else {
                        format!("-{off}")
                    };
                    let _ = write!(self.out, "(?{on}{off}:");
                    let outer = (self.extended, self.classes);
                    (self.extended, self.classes) = (extended, classes);
                    if end == ')' {
                        self.switch()?;
                    } else {
                        self.inside()?;
                    }
                    (self.extended, self.classes) = outer;
                    return Ok(end == ':');
                }
                Some('d') if !turn_off => classes = Classes::Default,
                Some('a') if !turn_off => classes = Classes::Ascii,
                Some('u') if !turn_off => classes = Classes::Unicode,
                _ => return Err(invalid("undefined group option")),
            }
        }
    }

    /// Applies options to the rest of the group, which is a group of its own in Ruby: `a(?i)b|c` is
    /// `a(?i:b|c)`.
    fn switch(&mut self) -> Result {
        self.alternatives()?;
        self.out.push(')');
        Ok(())
    }

    /// Translates `\d`, `\w`, `\s`, `\h` and their negations, within or outside of a set.
    fn class_escape(&mut self, letter: char) -> bool {
        let unicode = self.classes == Classes::Unicode;
        let inside = match letter.to_ascii_lowercase() {
            'd' if unicode => r"\p{Nd}",
            'd' => "0-9",
            'w' if unicode => r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}",
            'w' => "a-zA-Z0-9_",
            's' if unicode => r"\p{White_Space}",
            's' => r" \t\r\n\x0C\x0B",
            'h' => "0-9a-fA-F",
            _ => return false,
        };
        let negated = letter.is_ascii_uppercase();
        let _ = write!(self.out, "[{}{inside}]", if negated { "^" } else { "" });
        true
    }

    fn escape(&mut self) -> Result {
        let Some(char) = self.next() else {
            return Err(invalid("too short escape sequence"));
        };
        match char {
            char if self.class_escape(char) => {}
            'R' => self.out.push_str(r"(?>\r\n|[\n-\r\x{85}\x{2028}\x{2029}])"),
            'A' => self.out.push_str(r"\A"),
            'z' => self.out.push_str(r"\z"),
            'Z' => self.out.push_str(r"(?=\n?\z)"),
            'b' => self.out.push_str(r"\b"),
            'B' => self.out.push_str(r"\B"),
            'G' => self.out.push_str("\\G"),
            'K' => self.out.push_str("\\K"),
            'X' => return Err(unsupported("\\X")),
            'p' | 'P' if self.peek() == Some('{') => self.property(char == 'P')?,
            'g' => return Err(unsupported("subexpression call")),
            'k' => self.named_reference()?,
            '1'..='9' => self.numbered(char)?,
            char => {
                let literal = self.escaped_char(char)?;
                self.literal(literal);
            }
        }
        Ok(())
    }

    fn named_reference(&mut self) -> Result {
        let close = match self.next() {
            Some('<') => '>',
            Some('\'') => '\'',
            _ => return Err(invalid("missing name of a backref")),
        };
        let name = self.until(close)?;
        let word = |it: char| it == '_' || it.is_alphanumeric();
        if name.is_empty() || !name.chars().all(word) {
            return Err(unsupported("relative backref"));
        }
        let _ = write!(self.out, "(?P={name})");
        Ok(())
    }

    /// Translates a backreference such as `\1`.
    fn numbered(&mut self, first: char) -> Result {
        if self.named {
            return Err(invalid("numbered backref/call is not allowed (use name)"));
        }
        let mut digits = first.to_string();
        while let Some(digit @ '0'..='9') = self.peek() {
            if digits.len() >= 3 {
                return Err(unsupported("numbered backref beyond 9"));
            }
            digits.push(digit);
            self.at += 1;
        }
        if digits.len() > 1 {
            return Err(unsupported("numbered backref beyond 9"));
        }
        let number = first.to_digit(10).unwrap_or_default();
        self.highest_reference = self.highest_reference.max(number);
        let _ = write!(self.out, "(?:\\{digits})");
        Ok(())
    }

    /// Decodes an escaped character, within or outside of a set.
    fn escaped_char(&mut self, char: char) -> Result<char> {
        let code = match char {
            't' => 0x09,
            'n' => 0x0A,
            'v' => 0x0B,
            'f' => 0x0C,
            'r' => 0x0D,
            'a' => 0x07,
            'e' => 0x1B,
            '0' => self.digits(8, 2, 0),
            'x' => self.hexadecimal(2)?,
            'u' if self.peek() == Some('{') => {
                self.at += 1;
                let text = self.until('}')?;
                u32::from_str_radix(text.trim(), 16)
                    .map_err(|_| unsupported("several code points in one escape"))?
            }
            'u' => self.hexadecimal(4)?,
            'c' | 'C' | 'M' => return Err(unsupported("control character escape")),
            'p' | 'P' => return Err(unsupported("character property")),
            char => return Ok(char),
        };
        if char == 'x' && code > 0x7F {
            return Err(unsupported("byte escape beyond ASCII"));
        }
        char::from_u32(code).ok_or_else(|| invalid("invalid code point value"))
    }

    fn hexadecimal(&mut self, max: usize) -> Result<u32> {
        let before = self.at;
        let code = self.digits(16, max, 0);
        if self.at == before || max == 4 && self.at != before + 4 {
            return Err(invalid("invalid hex escape"));
        }
        Ok(code)
    }

    fn digits(&mut self, radix: u32, max: usize, mut code: u32) -> u32 {
        for _ in 0..max {
            let Some(digit) = self.peek().and_then(|it| it.to_digit(radix)) else {
                break;
            };
            code = code * radix + digit;
            self.at += 1;
        }
        code
    }

    /// Translates a set, after its bracket.
    fn set(&mut self) -> Result {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(unsupported("nesting too deep"));
        }
        self.out.push('[');
        if self.eat("^") {
            self.out.push('^');
        }
        let mut first = true;
        loop {
            let Some(char) = self.next() else {
                return Err(invalid("premature end of char-class"));
            };
            match char {
                ']' if first && self.chars[self.at..].contains(&']') => self.out.push_str("\\]"),
                ']' if first => return Err(invalid("empty char-class")),
                ']' => break,
                '[' if self.peek() == Some(':') => self.posix_class()?,
                '[' => self.set()?,
                '&' if self.peek() == Some('&') => {
                    self.at += 1;
                    self.out.push_str("&&");
                }
                '\\' => self.set_escape()?,
                '-' if !first && self.peek() == Some('[') => {
                    return Err(unsupported("dash before a nested set"));
                }
                '-' => self.set_dash(first),
                char => self.set_literal(char),
            }
            first = false;
        }
        self.depth -= 1;
        self.out.push(']');
        Ok(())
    }

    /// A dash denotes a range only between two characters.
    fn set_dash(&mut self, first: bool) {
        let before_end = self.peek() == Some(']');
        let after_class = self.out.ends_with(']') && !self.out.ends_with("\\]");
        if first || before_end || after_class {
            self.out.push_str("\\-");
        } else {
            self.out.push('-');
        }
    }

    fn set_literal(&mut self, char: char) {
        match char {
            '\\' | '[' | ']' | '^' | '-' | '&' | '~' | '#' => {
                self.out.push('\\');
                self.out.push(char);
            }
            char if char.is_ascii_whitespace() || char.is_ascii_control() => {
                let _ = write!(self.out, "\\x{:02X}", char as u32);
            }
            char => self.out.push(char),
        }
    }

    fn set_escape(&mut self) -> Result {
        let Some(char) = self.next() else {
            return Err(invalid("too short escape sequence"));
        };
        match char {
            char if self.class_escape(char) => {}
            'b' => self.out.push_str("\\x08"),
            'R' | 'X' => return Err(unsupported("\\R or \\X in a char-class")),
            'p' | 'P' if self.peek() == Some('{') => self.property(char == 'P')?,
            '1'..='7' => {
                let code = self.digits(8, 2, char.to_digit(8).unwrap_or(0));
                let char = char::from_u32(code).ok_or_else(|| invalid("invalid octal escape"))?;
                self.set_literal(char);
            }
            char => {
                let char = self.escaped_char(char)?;
                self.set_literal(char);
            }
        }
        Ok(())
    }

    /// Translates `[:alpha:]`, after its bracket.
    fn posix_class(&mut self) -> Result {
        if self.classes == Classes::Ascii {
            return Err(unsupported("POSIX bracket within `(?a)`"));
        }
        self.at += 1;
        let negated = self.eat("^");
        let start = self.at;
        while self.peek().is_some_and(|it| it.is_ascii_lowercase()) {
            self.at += 1;
        }
        let name: String = self.chars[start..self.at].iter().collect();
        if !self.eat(":]") {
            return Err(unsupported("set that starts like a POSIX bracket"));
        }
        let class = match &*name {
            "graph" | "print" | "punct" => return Err(unsupported("POSIX bracket type")),
            name => classes::bracket(name).ok_or_else(|| invalid("invalid POSIX bracket type"))?,
        };
        let _ = write!(self.out, "[{}{class}]", if negated { "^" } else { "" });
        Ok(())
    }
}

impl Translator {
    /// Translates `\p{name}`, `\p{^name}` or `\P{name}`, after its letter.
    fn property(&mut self, negated: bool) -> Result {
        if self.classes == Classes::Ascii {
            return Err(unsupported("character property within `(?a)`"));
        }
        self.at += 1;
        let negated = negated != self.eat("^");
        let name = self.until('}')?;
        let name: String = name
            .chars()
            .filter(|it| !matches!(it, ' ' | '_' | '-'))
            .collect::<String>()
            .to_ascii_lowercase();
        let class = classes::property(&name).ok_or_else(|| unsupported("character property"))?;
        let _ = write!(self.out, "[{}{class}]", if negated { "^" } else { "" });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Regexp;
    use super::*;

    fn found(pattern: &str, text: &str) -> Option<String> {
        let found = Regexp::new(pattern).captures(text).expect("runs")?;
        found
            .groups
            .first()
            .cloned()
            .flatten()
            .map(|it| it.to_string())
    }

    #[test]
    fn matches_like_ruby() {
        let cases = [
            (r"^b$", "a\nb\nc", Some("b")),
            (r"\Aa.b", "a\nb", None),
            (r"(?m:a.b)", "a\nb", Some("a\nb")),
            (r"\w+", "é9_", Some("9_")),
            (r"[[:alpha:]]+", "é9", Some("é")),
            (r"\h+", "xyzBEEFq", Some("BEEF")),
            (r"a{,2}", "aaa", Some("aa")),
            (r"a{2}?", "aaaa", Some("aa")),
            (r"a{1,2}?", "aaaa", Some("a")),
            (r"a**b", "aab", Some("aab")),
            (r"{", "{", Some("{")),
            (r"]", "]", Some("]")),
            (r"[]a]+", "a]a", Some("a]a")),
            (r"x\Z", "x\n", Some("x")),
            (r"x\z", "x\n", None),
            (r"(?i)ab|cd", "CD", Some("CD")),
            (r"a(?i)b|c", "aC", Some("aC")),
            (r"(?x) a b # c", "ab", Some("ab")),
            (r"(?<!x)a", "xa a", Some("a")),
            (r"[a-f&&[^b]]+", "bacde", Some("acde")),
            (r"\u00e9\x41", "éA", Some("éA")),
            (r"(?#note)a", "a", Some("a")),
            (r"[^/]+", "a/b", Some("a")),
            (r"(a)\1", "aa", Some("aa")),
            (r"\p{Alpha}+\P{L}\p{^Lu}", "1éA_b", Some("éA_b")),
            (r"[\p{Greek}x]+", "aλx", Some("λx")),
            (r"a(?=b)*(?!c){2}b", "ab", Some("ab")),
            (r"\Z{2}", "a", Some("")),
            (r"a\Kb", "ab", Some("b")),
            (r"\Gb", "ab", None),
            (r"(?u:\w+)\w", "é9a", Some("é9a")),
            (r"(?a)\w\W", "éaé", Some("aé")),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(
                found(pattern, text).as_deref(),
                expected,
                "/{pattern}/ on {text:?}"
            );
        }
    }

    #[test]
    fn caret_does_not_match_after_the_last_newline() {
        assert_eq!(found("^$", "a\n"), None);
        assert_eq!(found("^b", "a\nb\n").as_deref(), Some("b"));
        assert_eq!(found("^", "").as_deref(), Some(""));
    }

    #[test]
    fn named_groups_make_plain_groups_non_capturing() {
        let groups = Regexp::new("(?<first>.)(.)")
            .captures("xy")
            .expect("runs")
            .expect("matches");
        assert_eq!(groups.groups.len(), 2);
    }

    #[test]
    fn rejects_invalid_expressions() {
        for pattern in [
            "**", "a|*", "{1}", "a{2,1}", "(", ")", "[a", "a\\", "(?<1>a)", r"\2(a)",
        ] {
            let error = Regexp::new(pattern).check();
            assert!(
                matches!(error, Err(RegexpError::Invalid(_))),
                "/{pattern}/: {error:?}"
            );
        }
    }

    #[test]
    fn reports_unsupported_expressions() {
        for pattern in [r"(?<a>.)\g<a>", r"\X", r"(?~a)", r"\p{Nope}", "[a-[b]]"] {
            let error = Regexp::new(pattern).check();
            assert!(
                matches!(error, Err(RegexpError::Unsupported(_))),
                "/{pattern}/: {error:?}"
            );
        }
    }
}
