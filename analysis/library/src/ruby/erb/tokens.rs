//! The tokens of Ruby code, as far as they are needed to find the ends of blocks. From `parse.y`, `parser_yylex`.
//!
//! Whether `/` starts a regular expression or `if` is a modifier depends on the token before it. Where it also
//! depends on names, or on the rest of the file as with heredocs, the code is [`TokenKind::Unsupported`], and so is code
//! that tree-sitter misreads.

/// A token, with its range in the code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind<'a>,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind<'a> {
    /// A keyword that starts, ends or divides a block. Modifiers such as `x if y` are [`TokenKind::Other`].
    Keyword(&'a str),
    /// `(`, `[`, `{`.
    Open(char),
    /// `)`, `]`, `}`.
    Close(char),
    /// The end of a statement.
    Separator,
    /// A string, symbol list or regular expression; `false` if it is never closed.
    Literal(bool),
    Comment,
    /// The keyword `undef` in place of a value.
    Undef,
    Other,
    /// A conditional operator that the tree takes for the start of a character: `@a?'b':'c'`.
    Misread,
    /// Code whose meaning is unknown, or whose tree may be wrong.
    Unsupported,
}

/// The tokens that may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// A value: at the start of a statement, after an operator.
    Value,
    /// An operator: after a value.
    Operator,
    /// An operator, or the first argument of a call without parentheses: after a name.
    Argument,
    /// The name of a method: after a dot.
    Method,
    /// A value or a modifier: after `return`.
    Jump,
}

/// The maximum nesting of interpolated strings.
const MAX_DEPTH: usize = 20;

/// The keywords that start a block unless they are modifiers.
const MODIFIERS: [&str; 4] = ["if", "unless", "while", "until"];
/// The other keywords that start, end or divide a block.
const KEYWORDS: [&str; 8] = ["begin", "case", "do", "else", "elsif", "end", "for", "when"];
/// The keywords before a value.
const BEFORE_VALUE: [&str; 7] = ["and", "ensure", "in", "not", "or", "rescue", "then"];
/// The keywords before a value or a modifier.
const JUMPS: [&str; 3] = ["break", "next", "return"];
/// The keywords that are values.
const VALUES: [&str; 7] = [
    "__FILE__", "__LINE__", "false", "nil", "redo", "retry", "self",
];
/// The keywords of definitions, which have a syntax of their own.
const DEFINITIONS: [&str; 8] = [
    "BEGIN", "END", "__END__", "alias", "class", "def", "module", "undef",
];
/// The symbols of operators, longest first.
const OPERATOR_SYMBOLS: [&str; 15] = [
    "[]=", "<=>", "===", "[]", "==", "=~", "!=", "!~", "**", "<<", ">>", "<=", ">=", "+@", "-@",
];

/// The comparisons that start like the end of the name of a method.
const COMPARISONS: [&str; 3] = ["==", "=~", "!="];

pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    state: State,
    depth: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer {
            text,
            at: 0,
            state: State::Value,
            depth: 0,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.rest().chars().nth(ahead)
    }

    /// Checks whether whitespace precedes the current position.
    fn is_after_blank(&self) -> bool {
        self.text[..self.at].ends_with(|it: char| it.is_whitespace())
    }

    fn skip_while(&mut self, is_part: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|it| !is_part(it)).unwrap_or(rest.len());
    }

    /// Moves by some bytes, to where the next token is as `state` says.
    fn advance(&mut self, length: usize, state: State) -> TokenKind<'a> {
        self.at += length;
        self.state = state;
        TokenKind::Other
    }

    /// Reads the next token; `None` at the end.
    fn read(&mut self) -> Option<Token<'a>> {
        loop {
            self.skip_while(|it| it != '\n' && it.is_whitespace());
            let rest = self.rest();
            let continued = ["\\\n", "\\\r\n"].iter().find(|it| rest.starts_with(**it));
            match continued {
                Some(it) => self.at += it.len(),
                None if rest.starts_with('\n') && self.is_line_continued() => self.at += 1,
                None => break,
            }
        }
        let start = self.at;
        let first = self.peek(0)?;
        let kind = self.token(first);
        Some(Token {
            kind,
            start,
            end: self.at,
        })
    }

    /// Checks whether the statement does not end with the line.
    fn is_line_continued(&self) -> bool {
        matches!(self.state, State::Value | State::Method)
    }

    fn token(&mut self, first: char) -> TokenKind<'a> {
        match first {
            '\n' | ';' => {
                self.advance(1, State::Value);
                TokenKind::Separator
            }
            '#' => {
                self.skip_while(|it| it != '\n');
                TokenKind::Comment
            }
            '=' if self.rest().starts_with("=begin") && self.is_at_line_start() => {
                TokenKind::Unsupported
            }
            '"' | '\'' => self.string(first),
            '`' if self.state != State::Method => self.string(first),
            '(' if self.state == State::Method && self.is_after_blank() => TokenKind::Unsupported,
            '(' | '[' | '{' => {
                self.advance(1, State::Value);
                TokenKind::Open(first)
            }
            ')' | ']' | '}' => {
                self.advance(1, State::Operator);
                TokenKind::Close(first)
            }
            '0'..='9' => self.number(),
            '@' | '$' => self.variable(first),
            _ if first.is_alphabetic() || first == '_' || !first.is_ascii() => self.word(),
            _ => self.operator(first),
        }
    }

    fn is_at_line_start(&self) -> bool {
        self.at == 0 || self.text[..self.at].ends_with('\n')
    }

    fn number(&mut self) -> TokenKind<'a> {
        loop {
            self.skip_while(|it| it.is_ascii_alphanumeric() || it == '_');
            match (self.peek(0), self.peek(1)) {
                (Some('.'), Some('0'..='9')) => self.at += 1,
                _ => break,
            }
        }
        self.advance(0, State::Operator)
    }

    fn variable(&mut self, sigil: char) -> TokenKind<'a> {
        self.skip_while(|it| it == '@');
        if sigil == '$' {
            self.at += 1;
            let is_special = |it: char| it.is_ascii_punctuation() && it != '_';
            match self.peek(0) {
                Some('{') => return TokenKind::Unsupported,
                Some(it) if is_special(it) => self.at += 1,
                _ => {}
            }
        }
        self.skip_while(is_word);
        self.advance(0, State::Operator)
    }

    /// Skips the name of a variable or method.
    fn skip_name(&mut self) {
        self.skip_while(is_word);
        if matches!(self.peek(0), Some('?' | '!')) && self.peek(1) != Some('=') {
            self.at += 1;
        }
    }

    fn word(&mut self) -> TokenKind<'a> {
        let start = self.at;
        self.skip_name();
        let word = &self.text[start..self.at];
        let is_label = self.peek(0) == Some(':') && self.peek(1) != Some(':');
        let state = std::mem::replace(&mut self.state, State::Argument);
        // In a conditional expression, the colon of a label may be an operator.
        match state == State::Method || is_label {
            true => TokenKind::Other,
            false => self.keyword(word, state),
        }
    }

    fn keyword(&mut self, word: &'a str, before: State) -> TokenKind<'a> {
        let is = |words: &[&str]| words.contains(&word);
        let is_modifier = matches!(before, State::Operator | State::Argument | State::Jump);
        self.state = match word {
            "end" => State::Operator,
            _ if is(&VALUES) || word == "true" => State::Operator,
            _ if is(&JUMPS) => State::Jump,
            _ if is(&MODIFIERS) || is(&KEYWORDS) || is(&BEFORE_VALUE) => State::Value,
            _ => State::Argument,
        };
        match word {
            "undef" if before == State::Value && self.is_operand(word) => TokenKind::Undef,
            _ if is(&DEFINITIONS) => TokenKind::Unsupported,
            _ if is(&MODIFIERS) && is_modifier => TokenKind::Other,
            _ if is(&MODIFIERS) || is(&KEYWORDS) => TokenKind::Keyword(word),
            _ => TokenKind::Other,
        }
    }

    /// Checks whether the word that was read last follows a comparison or an assignment.
    fn is_operand(&self, word: &str) -> bool {
        let before = &self.text[..self.at - word.len()];
        before.trim_end_matches([' ', '\t']).ends_with('=')
    }

    fn operator(&mut self, first: char) -> TokenKind<'a> {
        let (second, rest) = (self.peek(1), self.rest());
        if self.state == State::Method {
            return self.advance(operator_length(rest), State::Argument);
        }
        let blank = |it: Option<char>| it.is_none_or(char::is_whitespace);
        // `x /y` and `x %w` are calls if `x` is a method.
        let may_be_argument = self.state == State::Argument
            && self.is_after_blank()
            && !blank(second)
            && second != Some('=');
        match first {
            '?' if self.is_misread() => {
                self.advance(1, State::Value);
                return TokenKind::Misread;
            }
            _ if self.is_misread() => return TokenKind::Unsupported,
            ':' => return self.colon(),
            '.' if rest.starts_with("..") => return self.advance(2, State::Value),
            '.' => return self.advance(1, State::Method),
            '&' if second == Some('.') => return self.advance(2, State::Method),
            '?' => return self.question_mark(),
            '/' | '%' if may_be_argument => return TokenKind::Unsupported,
            '/' if self.expects_value() => return self.regex(),
            '%' if self.expects_value() => return self.percent_literal(),
            '<' if second == Some('<') => {
                let tag = rest[2..].trim_start_matches(['-', '~']);
                let is_tag = tag.starts_with(|it: char| is_word(it) || "\"'`".contains(it));
                if is_tag && (self.expects_value() || may_be_argument) {
                    return TokenKind::Unsupported;
                }
                return self.advance(2, State::Value);
            }
            _ => {}
        }
        self.advance(first.len_utf8(), State::Value)
    }

    /// Checks whether tree-sitter takes an operator after a value for the start of a literal or for part of a name:
    /// `@a /2`, `@a ?'b':'c'`, `@a %-1`.
    fn is_misread(&self) -> bool {
        if self.expects_value() {
            return false;
        }
        let is_operator = self.state == State::Operator;
        let is_spaced = is_operator && self.is_after_blank();
        let (rest, before) = (self.rest(), self.text[..self.at].trim_end());
        let next = |length: usize| rest[length..].chars().next();
        let is_joined = |length: usize| next(length).is_some_and(|it| !it.is_whitespace());
        match rest.as_bytes() {
            [b':', b':', ..] => is_spaced || !next(2).is_some_and(is_word),
            [b'.', b'.', b'/', ..] => true,
            [b'<', b'<', ..] => is_joined(2) && before.ends_with(['"', '\'']),
            [b'?', ..] => is_operator && is_joined(1),
            [b'/', ..] => is_spaced && is_joined(1) && next(1) != Some('='),
            [b'%', ..] => next(1).is_some_and(|it| "@:%-!?_".contains(it)),
            _ => false,
        }
    }

    fn expects_value(&self) -> bool {
        matches!(self.state, State::Value | State::Jump)
    }

    fn colon(&mut self) -> TokenKind<'a> {
        let rest = &self.rest()[1..];
        if rest.starts_with(':') {
            return self.advance(2, State::Method);
        }
        if self.state == State::Operator || !rest.starts_with(|it: char| is_symbol(it)) {
            return self.advance(1, State::Value);
        }
        self.at += 1;
        if rest.starts_with(is_word) {
            self.skip_name();
            let rest = self.rest();
            // tree-sitter takes `=` or `!` for the end of the name.
            if COMPARISONS.iter().any(|it| rest.starts_with(*it)) {
                return TokenKind::Unsupported;
            }
        } else if rest.starts_with('$') && !rest[1..].starts_with(is_word) {
            return TokenKind::Unsupported;
        } else if rest.starts_with(['@', '$']) {
            return self.variable(if rest.starts_with('$') { '$' } else { '@' });
        } else {
            self.at += operator_length(rest);
        }
        self.advance(0, State::Operator)
    }

    /// Reads a conditional operator, or a literal of a character.
    fn question_mark(&mut self) -> TokenKind<'a> {
        let next = self.peek(1);
        let is_conditional = self.state == State::Operator
            || self.state == State::Argument && next.is_none_or(char::is_whitespace);
        if is_conditional {
            return self.advance(1, State::Value);
        }
        let is_character = next.is_some_and(|it| it.is_ascii_alphanumeric())
            && self.peek(2).is_none_or(|it| !is_word(it));
        match self.expects_value() && is_character {
            true => self.advance(2, State::Operator),
            false => TokenKind::Unsupported,
        }
    }

    fn regex(&mut self) -> TokenKind<'a> {
        let literal = self.string('/');
        self.skip_while(|it| it.is_ascii_alphabetic());
        literal
    }

    fn percent_literal(&mut self) -> TokenKind<'a> {
        let kind = self.peek(1).filter(|it| "qQwWiIrsx".contains(*it));
        let length = 1 + usize::from(kind.is_some());
        let open = self.peek(length);
        let Some(open) = open.filter(|it| it.is_ascii_punctuation() && !"=_%".contains(*it)) else {
            return TokenKind::Unsupported;
        };
        self.at += length;
        let interpolates = !matches!(kind, Some('q' | 'w' | 'i' | 's'));
        let literal = self.delimited(open, interpolates);
        if kind == Some('r') {
            self.skip_while(|it| it.is_ascii_alphabetic());
        }
        literal
    }

    fn string(&mut self, quote: char) -> TokenKind<'a> {
        self.delimited(quote, quote != '\'')
    }

    /// Reads a literal, whose opening delimiter is next.
    fn delimited(&mut self, open: char, interpolates: bool) -> TokenKind<'a> {
        let close = match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            '<' => '>',
            it => it,
        };
        self.at += open.len_utf8();
        let mut nesting = 1;
        while let Some(next) = self.peek(0) {
            self.at += next.len_utf8();
            if next == '\\' {
                self.at += self.peek(0).map_or(0, char::len_utf8);
            } else if interpolates && next == '#' && self.peek(0) == Some('{') {
                self.at += 1;
                match self.interpolation() {
                    TokenKind::Close(_) => {}
                    other => return other,
                }
            } else if next == close {
                nesting -= 1;
                if nesting == 0 {
                    self.state = State::Operator;
                    return TokenKind::Literal(true);
                }
            } else if next == open {
                nesting += 1;
            }
        }
        TokenKind::Literal(false)
    }

    /// Reads an interpolation, and its closing brace.
    fn interpolation(&mut self) -> TokenKind<'a> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return TokenKind::Unsupported;
        }
        self.state = State::Value;
        let mut braces = 0;
        while let Some(token) = self.read() {
            match token.kind {
                TokenKind::Open('{') => braces += 1,
                TokenKind::Close('}') if braces == 0 => {
                    self.depth -= 1;
                    return token.kind;
                }
                TokenKind::Close('}') => braces -= 1,
                it @ (TokenKind::Unsupported | TokenKind::Literal(false)) => return it,
                _ => {}
            }
        }
        TokenKind::Literal(false)
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    /// Returns the next token. Ends after unsupported code and after a literal that is never closed.
    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.read()?;
        if matches!(
            token.kind,
            TokenKind::Unsupported | TokenKind::Literal(false)
        ) {
            self.at = self.text.len();
        }
        Some(token)
    }
}

fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_' || !char.is_ascii()
}

/// Checks whether a symbol starts with a character after its colon. Quoted ones are read as strings.
fn is_symbol(char: char) -> bool {
    is_word(char) || "@$[<=>!*+-/%&|^~".contains(char)
}

/// Returns the length of the operator at the start of a source.
fn operator_length(text: &str) -> usize {
    let mut long = OPERATOR_SYMBOLS.iter();
    let long = long.find(|it| text.starts_with(**it));
    let first = text.chars().next().map_or(0, char::len_utf8);
    long.map_or(first, |it| it.len())
}

#[cfg(test)]
mod tests {
    use super::{Lexer, TokenKind};

    /// Returns the keywords and brackets of Ruby code; `?` stands for unsupported code, `!` for a literal that is
    /// never closed.
    fn blocks(code: &str) -> String {
        let found = Lexer::new(code).filter_map(|it| match it.kind {
            TokenKind::Keyword(it) => Some(it.to_owned()),
            TokenKind::Open(it) | TokenKind::Close(it) => Some(it.to_string()),
            TokenKind::Literal(false) => Some("!".to_owned()),
            TokenKind::Unsupported => Some("?".to_owned()),
            TokenKind::Undef => Some("undef".to_owned()),
            _ => None,
        });
        found.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn finds_keywords_but_not_modifiers() {
        for (code, expected) in [
            ("if a\nb if c\nend", "if end"),
            ("return if a; x = if b then c else d end", "if else end"),
            ("@a.each do |b| b.end unless b.if end", "do end"),
            ("begin; a; end while b", "begin end"),
            (
                "foo(if: 1, :end => 2, 'do' => [/if/, %w[do end]])",
                "( [ ] )",
            ),
            ("a ? b : c if d", ""),
            ("x = a / b if c / d", ""),
            ("a.class.name if a::end", ""),
            ("for a in b do c end", "for do end"),
            ("case a\nwhen /x/ then 1 else 2 end", "case when else end"),
            ("a = b # if\n", ""),
            ("\"a#{if b then \"c#{d}\" end}\" if e", ""),
            ("a <<\nb if c", ""),
            ("x[?a] if y", "[ ]"),
            ("if not a and b\nend", "if end"),
            ("a == undef", "undef"),
            ("@a ?'b':'c' if d", ""),
            ("if @a?'b':'c'\nend", "if end"),
            ("$1 if $~ && $!", ""),
            ("a.map(&:to_s).<<(1) if b", "( ) ( )"),
        ] {
            assert_eq!(blocks(code), expected, "{code}");
        }
    }

    #[test]
    fn gives_up_where_the_meaning_depends_on_more() {
        for code in [
            "x = <<EOS\nif\nEOS",
            "foo <<-EOS\nEOS",
            "foo /if/",
            "foo %w[if]",
            "def a() = b",
            "undef a",
            "=begin\nif\n=end",
            "@a /2",
            "@a %-1",
            "'a' <<'b'",
            "a[0] ::B",
            "1../b/",
            ":a=='b'",
            "[:$,]",
            "a. (1)",
        ] {
            assert!(blocks(code).ends_with('?'), "{code}: {}", blocks(code));
        }
    }

    #[test]
    fn finds_literals_that_are_never_closed() {
        for code in ["'a", "\"a#{b", "/a", "%w[a", "\"a#{\"b}\""] {
            assert_eq!(blocks(code).chars().last(), Some('!'), "{code}");
        }
    }
}
