//! The parser: from the symbols of a pattern to its tree.
//!
//! Open groups are kept in a list of frames, not on the call stack, so that deep nesting costs only
//! memory.

use std::collections::HashMap;

use super::RegexError;
use super::tree::{
    Anchor, Backref, CharSetKind, Node, NodeId, Options, Reference, Tree, UnicodeMode,
};
use super::unescape::{Pattern, Symbol};

/// The maximum nesting of groups and classes, including the pattern itself.
pub(super) const DEPTH_LIMIT: usize = 4096;
pub(super) const TOO_DEEP: &str =
    "groups and classes are nested too deeply: expected at most 4095 levels";
/// The maximum number of groups.
const GROUP_LIMIT: u32 = 32_767;
/// The maximum count of a `{n,m}`.
const REPEAT_LIMIT: u32 = 100_000;
/// The maximum number in `\1`, `\2`, … that counts as a reference.
const BACKREF_LIMIT: u32 = 1000;

/// The kind of a frame.
#[derive(Clone, Copy)]
enum Kind {
    /// The whole pattern.
    Whole,
    /// `(?:…)`
    Plain,
    Capture {
        number: u32,
        name: Option<usize>,
    },
    Atomic,
    Absent,
    Options(Options),
    /// `(?i)` and the rest of its group, including alternatives.
    RestOptions(Options),
    Condition,
    Look {
        behind: bool,
        negative: bool,
    },
}

/// An open group.
struct Frame {
    kind: Kind,
    /// The index of the opening symbol.
    opened: usize,
    /// Whether option `x` is on outside of the group.
    extended_outside: bool,
    /// The start of its finished alternatives in [`Parser::branches`].
    first_branch: usize,
    /// The start of its current alternative in [`Parser::items`].
    first_item: usize,
}

/// The state of the parser.
pub(super) struct Parser<'p> {
    pub(super) pattern: &'p Pattern,
    /// The index of the next symbol.
    pub(super) at: usize,
    pub(super) tree: Tree,
    /// The indices of the names.
    pub(super) name_index: HashMap<&'p [Symbol], usize>,
    /// The number of open groups for each name.
    pub(super) open_names: Vec<u32>,
    /// Whether each group has ended, by number.
    pub(super) closed_groups: Vec<bool>,
    /// The calls by name: the index of the call, and the start and end of its name.
    pub(super) called_names: Vec<(usize, usize, usize)>,
    /// The index of the last `]` of the pattern, or 0.
    pub(super) last_bracket: usize,
    /// The last search for `:]`: its end and its result.
    pub(super) posix_memo: Option<(usize, bool)>,
    frames: Vec<Frame>,
    branches: Vec<NodeId>,
    items: Vec<NodeId>,
    /// Whether option `x` is on.
    extended: bool,
}

/// Parses a pattern.
pub(super) fn parse(pattern: &Pattern) -> Result<Tree, RegexError> {
    let bracket = |symbol: &Symbol| *symbol == Symbol::Plain(']');
    let mut parser = Parser {
        pattern,
        at: 0,
        tree: Tree::default(),
        name_index: HashMap::new(),
        open_names: Vec::new(),
        closed_groups: vec![false],
        called_names: Vec::new(),
        last_bracket: pattern.symbols.iter().rposition(bracket).unwrap_or(0),
        posix_memo: None,
        frames: Vec::new(),
        branches: Vec::new(),
        items: Vec::new(),
        extended: false,
    };
    parser.tree.groups.push(0);
    parser.open(Kind::Whole, 0)?;
    while let Some(symbol) = parser.next() {
        match symbol {
            Symbol::Plain(ch) => parser.step(ch)?,
            Symbol::Escaped(byte) => parser.item(Node::Char(char::from(byte))),
        }
    }
    parser.finish()
}

impl Parser<'_> {
    pub(super) fn next(&mut self) -> Option<Symbol> {
        crate::steps::count_steps(1);
        let symbol = self.pattern.symbols.get(self.at).copied();
        self.at += usize::from(symbol.is_some());
        symbol
    }

    pub(super) fn peek_at(&self, at: usize) -> Option<char> {
        crate::steps::count_steps(1);
        match self.pattern.symbols.get(at) {
            Some(Symbol::Plain(ch)) => Some(*ch),
            _ => None,
        }
    }

    /// Returns the next character, unless it is escaped.
    pub(super) fn peek(&self) -> Option<char> {
        self.peek_at(self.at)
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.pattern.symbols.len()
    }

    pub(super) fn error(&self, symbol: usize, message: impl Into<String>) -> RegexError {
        RegexError::new(self.pattern.offset(symbol), message)
    }

    /// Returns the number of open groups, including the whole pattern.
    pub(super) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Parses up to `limit` octal digits, whose value is at most 127.
    pub(super) fn octal(&mut self, limit: usize) -> char {
        let mut value = 0;
        for _ in 0..limit {
            let Some(digit) = self.peek().and_then(|ch| ch.to_digit(8)) else {
                break;
            };
            value = value * 8 + digit;
            self.at += 1;
        }
        char::from_u32(value).unwrap_or_default()
    }

    fn item(&mut self, node: Node) {
        let id = self.tree.push(node);
        self.items.push(id);
    }

    /// Continues after the character `ch`.
    fn step(&mut self, ch: char) -> Result<(), RegexError> {
        let at = self.at - 1;
        match ch {
            '\\' => self.escape(at)?,
            '(' => self.group(at)?,
            ')' => self.close(at)?,
            '|' => self.finish_branch(),
            '[' => {
                let class = self.class(at)?;
                self.items.push(class);
            }
            '*' => self.simple_quantifier(0, None, at)?,
            '+' => self.simple_quantifier(1, None, at)?,
            '?' => self.simple_quantifier(0, Some(1), at)?,
            '{' => self.interval(at)?,
            '^' => self.item(Node::Anchor(Anchor::LineStart)),
            '$' => self.item(Node::Anchor(Anchor::LineEnd)),
            '#' if self.extended => {
                while self
                    .next()
                    .is_some_and(|symbol| symbol != Symbol::Plain('\n'))
                {}
            }
            ' ' | '\t' | '\n' | '\r' | '\x0c' if self.extended => {}
            '.' => self.item(Node::Dot),
            ch => self.item(Node::Char(ch)),
        }
        Ok(())
    }

    /// Continues after a backslash at `start`.
    fn escape(&mut self, start: usize) -> Result<(), RegexError> {
        let node = match self.next() {
            None => return Err(self.error(start, "trailing backslash")),
            Some(Symbol::Escaped(byte)) => Node::Char(char::from(byte)),
            Some(Symbol::Plain(ch)) => match ch {
                'A' => Node::Anchor(Anchor::TextStart),
                'z' => Node::Anchor(Anchor::TextEnd),
                'Z' => Node::Anchor(Anchor::LastLineEnd),
                'b' => Node::Anchor(Anchor::WordBoundary),
                'B' => Node::Anchor(Anchor::NoWordBoundary),
                'G' => Node::Anchor(Anchor::SearchStart),
                'K' => Node::Anchor(Anchor::Keep),
                'R' => Node::LineBreak,
                'X' => Node::Grapheme,
                'p' | 'P' if self.peek() == Some('{') => {
                    Node::Set(self.property(ch == 'P', start)?)
                }
                '1'..='9' => self.numbered_backref(start),
                'k' | 'g' => match self.peek() {
                    Some(open @ ('<' | '\'')) => {
                        self.at += 1;
                        let close = if open == '<' { '>' } else { open };
                        if ch == 'g' {
                            self.call(close, start)?
                        } else {
                            let backref = self.named_backref(close, start)?;
                            self.backref(start, backref)
                        }
                    }
                    _ => Node::Char(ch),
                },
                ch => match CharSetKind::of_escape(ch) {
                    Some(set) => Node::Set(set),
                    None => Node::Char(control_escape(ch).unwrap_or(ch)),
                },
            },
        };
        self.item(node);
        Ok(())
    }

    /// Continues after the first digit after the backslash at `start`: a reference, an octal
    /// escape, or the digit itself.
    fn numbered_backref(&mut self, start: usize) -> Node {
        self.at = start + 1;
        let number = self
            .number()
            .filter(|number| *number <= BACKREF_LIMIT && !self.is_foreign_digit());
        if let Some(group) = number
            && (group <= 9 || group <= self.tree.group_total())
        {
            let is_open = self.is_open(group);
            return self.backref(
                start,
                Backref {
                    group,
                    is_open,
                    by_name: false,
                    has_level: false,
                },
            );
        }
        self.at = start + 1;
        match self.peek() {
            Some(digit @ ('8' | '9')) => {
                self.at += 1;
                Node::Char(digit)
            }
            _ => Node::Char(self.octal(3)),
        }
    }

    fn backref(&mut self, start: usize, backref: Backref) -> Node {
        self.tree.backrefs.push(Reference {
            offset: self.pattern.offset(start),
            group: backref.group,
            by_name: backref.by_name,
        });
        Node::Backref(backref)
    }

    /// Continues after `*`, `+` or `?` at `at`.
    fn simple_quantifier(
        &mut self,
        lower: u32,
        upper: Option<u32>,
        at: usize,
    ) -> Result<(), RegexError> {
        let possessive = self.peek() == Some('+');
        let lazy = self.peek() == Some('?');
        self.at += usize::from(possessive || lazy);
        self.repeat(lower, upper, lazy, at)?;
        if possessive && let Some(repeat) = self.items.pop() {
            self.item(Node::Atomic(repeat));
        }
        Ok(())
    }

    /// Continues after a `{` at `at`, which is a literal unless it starts an interval.
    fn interval(&mut self, at: usize) -> Result<(), RegexError> {
        let begin = self.at;
        let (lower, has_lower) = self.repeat_count(at)?;
        let mut interval = None;
        if self.peek() == Some(',') {
            self.at += 1;
            let (upper, has_upper) = self.repeat_count(at)?;
            if has_lower || has_upper {
                interval = Some((lower, has_upper.then_some(upper), true));
            }
        } else if has_lower {
            // A fixed count is never lazy: a `?` after it makes the repetition optional.
            interval = Some((lower, Some(lower), false));
        }
        let Some((lower, upper, may_be_lazy)) = interval.filter(|_| self.peek() == Some('}'))
        else {
            self.at = begin;
            self.item(Node::Char('{'));
            return Ok(());
        };
        self.at += 1;
        if upper.is_some_and(|upper| lower > upper) {
            let message = "invalid repetition: the upper bound is less than the lower bound";
            return Err(self.error(at, message));
        }
        let lazy = may_be_lazy && self.peek() == Some('?');
        self.at += usize::from(lazy);
        self.repeat(lower, upper, lazy, at)
    }

    /// Parses a count of an interval. Returns its value (0 if it is missing) and whether it exists.
    fn repeat_count(&mut self, at: usize) -> Result<(u32, bool), RegexError> {
        let start = self.at;
        match self.number() {
            Some(number) if number <= REPEAT_LIMIT => Ok((number, self.at > start)),
            _ => Err(self.error(at, "invalid repetition: expected a count of at most 100000")),
        }
    }

    /// Applies a quantifier to the last item.
    fn repeat(
        &mut self,
        lower: u32,
        upper: Option<u32>,
        lazy: bool,
        at: usize,
    ) -> Result<(), RegexError> {
        let first = self.frames.last().map_or(0, |frame| frame.first_item);
        if self.items.len() <= first {
            return Err(self.error(at, "nothing to repeat"));
        }
        // Ruby drops `{1}` altogether.
        if (lower, upper) != (1, Some(1))
            && let Some(target) = self.items.pop()
        {
            self.item(Node::Repeat {
                target,
                lower,
                upper,
                lazy,
            });
        }
        Ok(())
    }

    /// Continues after a `(` at `opened`.
    fn group(&mut self, opened: usize) -> Result<(), RegexError> {
        if self.peek() != Some('?') {
            return self.open_capture(None, opened);
        }
        self.at += 1;
        let Some(symbol) = self.next() else {
            return Err(self.error(opened, "unclosed group"));
        };
        let look = |behind, negative| Kind::Look { behind, negative };
        let kind = match symbol {
            Symbol::Plain('#') => return self.comment(opened),
            Symbol::Plain(':') => Kind::Plain,
            Symbol::Plain('=') => look(false, false),
            Symbol::Plain('!') => look(false, true),
            Symbol::Plain('>') => Kind::Atomic,
            Symbol::Plain('~') => Kind::Absent,
            Symbol::Plain('\'') => return self.named_group('\'', opened),
            Symbol::Plain('<') => match self.peek() {
                Some(ch @ ('=' | '!')) => {
                    self.at += 1;
                    look(true, ch == '!')
                }
                _ => return self.named_group('>', opened),
            },
            Symbol::Plain('(') => {
                self.condition(opened)?;
                Kind::Condition
            }
            Symbol::Plain(letter) => return self.options(letter, opened),
            Symbol::Escaped(_) => return Err(self.unknown_group(opened)),
        };
        self.open(kind, opened)
    }

    fn unknown_group(&self, opened: usize) -> RegexError {
        self.error(opened, "unknown group syntax")
    }

    fn comment(&mut self, opened: usize) -> Result<(), RegexError> {
        loop {
            match self.next() {
                None => return Err(self.error(opened, "unclosed comment")),
                Some(Symbol::Plain('\\')) => {
                    self.next();
                }
                Some(Symbol::Plain(')')) => return Ok(()),
                Some(_) => {}
            }
        }
    }

    fn named_group(&mut self, close: char, opened: usize) -> Result<(), RegexError> {
        let name = self.definition(close, opened)?;
        self.open_capture(Some(name), opened)
    }

    fn open_capture(&mut self, name: Option<usize>, opened: usize) -> Result<(), RegexError> {
        let number = self.tree.group_total() + 1;
        if number > GROUP_LIMIT {
            return Err(self.error(opened, "too many groups: expected at most 32767"));
        }
        self.tree.groups.push(0);
        self.closed_groups.push(false);
        if let Some(name) = name {
            self.tree.named_groups += 1;
            if let Some(name) = self.tree.names.get_mut(name) {
                name.groups.push(number);
            }
            if let Some(open) = self.open_names.get_mut(name) {
                *open += 1;
            }
        }
        self.open(Kind::Capture { number, name }, opened)
    }

    /// Continues after the second `(` of a condition.
    fn condition(&mut self, opened: usize) -> Result<(), RegexError> {
        let (group, by_name) = match self.peek() {
            Some(ch) if ch.is_ascii_digit() => (self.condition_number(opened)?, false),
            Some(open @ ('<' | '\'')) => {
                self.at += 1;
                let close = if open == '<' { '>' } else { open };
                let group = self.named_backref(close, opened)?.group;
                if self.peek() != Some(')') {
                    return Err(self.error(opened, "unclosed condition"));
                }
                self.at += 1;
                (group, true)
            }
            _ => {
                let message = "invalid condition: expected a group number, or a group name in `<>`";
                return Err(self.error(opened, message));
            }
        };
        self.tree.conditions.push(Reference {
            offset: self.pattern.offset(opened),
            group,
            by_name,
        });
        Ok(())
    }

    /// Continues after `(?` and the first option letter.
    fn options(&mut self, first: char, opened: usize) -> Result<(), RegexError> {
        let mut options = Options::default();
        let mut extended = self.extended;
        let mut off = false;
        let mut letter = Symbol::Plain(first);
        // `)` and `:` cannot come first.
        if matches!(first, ')' | ':') {
            return Err(self.unknown_group(opened));
        }
        let rest = loop {
            match letter {
                Symbol::Plain(')') => break true,
                Symbol::Plain(':') => break false,
                Symbol::Plain('-') => off = true,
                Symbol::Plain('x') => extended = !off,
                Symbol::Plain('i') => options.ignore_case = Some(!off),
                Symbol::Plain('m') => options.dot_matches_all = Some(!off),
                Symbol::Plain('d') if !off => options.unicode = Some(UnicodeMode::Default),
                Symbol::Plain('a') if !off => options.unicode = Some(UnicodeMode::Ascii),
                Symbol::Plain('u') if !off => options.unicode = Some(UnicodeMode::Unicode),
                _ => {
                    let message = "invalid group option: expected `i`, `m` or `x`, which a \
                                   hyphen turns off, or `a`, `d` or `u`";
                    return Err(self.error(opened, message));
                }
            }
            let Some(next) = self.next() else {
                return Err(self.error(opened, "unclosed group"));
            };
            letter = next;
        };
        let kind = if rest {
            Kind::RestOptions(options)
        } else {
            Kind::Options(options)
        };
        self.open(kind, opened)?;
        self.extended = extended;
        Ok(())
    }

    fn open(&mut self, kind: Kind, opened: usize) -> Result<(), RegexError> {
        if self.frames.len() >= DEPTH_LIMIT {
            return Err(self.error(opened, TOO_DEEP));
        }
        self.frames.push(Frame {
            kind,
            opened,
            extended_outside: self.extended,
            first_branch: self.branches.len(),
            first_item: self.items.len(),
        });
        Ok(())
    }

    /// Continues after a `)` at `at`.
    fn close(&mut self, at: usize) -> Result<(), RegexError> {
        loop {
            match self.frames.last().map(|frame| frame.kind) {
                Some(Kind::RestOptions(_)) => self.close_frame()?,
                None | Some(Kind::Whole) => {
                    return Err(self.error(at, "unmatched `)`"));
                }
                Some(_) => return self.close_frame(),
            }
        }
    }

    /// Completes the current alternative.
    fn finish_branch(&mut self) {
        let first = self.frames.last().map_or(0, |frame| frame.first_item);
        let items = self.items.get(first..).unwrap_or_default();
        let branch = match items {
            [] => self.tree.push(Node::Empty),
            [item] => *item,
            items => {
                let children = self.tree.push_children(items);
                self.tree.push(Node::List(children))
            }
        };
        self.items.truncate(first);
        self.branches.push(branch);
    }

    /// Turns the innermost frame into an item of its parent.
    fn close_frame(&mut self) -> Result<(), RegexError> {
        self.finish_branch();
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        let branches = self.branches.get(frame.first_branch..).unwrap_or_default();
        let target = match branches {
            [branch] => *branch,
            branches => {
                let children = self.tree.push_children(branches);
                self.tree.push(Node::Alternatives(children))
            }
        };
        self.branches.truncate(frame.first_branch);
        self.extended = frame.extended_outside;
        let item = self.wrap(&frame, target)?;
        self.items.push(item);
        Ok(())
    }

    fn wrap(&mut self, frame: &Frame, target: NodeId) -> Result<NodeId, RegexError> {
        let node = match frame.kind {
            Kind::Plain => return Ok(target),
            Kind::Whole => Node::Capture {
                target,
                group: 0,
                name: None,
            },
            Kind::Capture { number, name } => Node::Capture {
                target,
                group: number,
                name: name.map(|name| name as u32),
            },
            Kind::Atomic => Node::Atomic(target),
            Kind::Absent => Node::Absent(target),
            Kind::Options(options) | Kind::RestOptions(options) => {
                Node::Options { target, options }
            }
            Kind::Condition => Node::Condition(self.condition_branches(frame, target)?),
            Kind::Look { behind, negative } => Node::Look {
                target,
                behind,
                negative,
            },
        };
        let id = self.tree.push(node);
        match frame.kind {
            Kind::Capture { number, name } => self.close_group(number, name, id),
            Kind::Whole => self.close_group(0, None, id),
            Kind::Look { behind: true, .. } => {
                let offset = self.pattern.offset(frame.opened);
                self.tree.look_behinds.push((offset, id));
            }
            _ => {}
        }
        Ok(id)
    }

    fn close_group(&mut self, number: u32, name: Option<usize>, id: NodeId) {
        if let Some(group) = self.tree.groups.get_mut(number as usize) {
            *group = id;
        }
        if let Some(closed) = self.closed_groups.get_mut(number as usize) {
            *closed = true;
        }
        if let Some(open) = name.and_then(|name| self.open_names.get_mut(name)) {
            *open -= 1;
        }
    }

    /// Returns the two branches of a condition, of which the second is optional.
    fn condition_branches(&mut self, frame: &Frame, yes: NodeId) -> Result<NodeId, RegexError> {
        if let Node::Alternatives(branches) = self.tree.node(yes) {
            if self.tree.children(branches).len() > 2 {
                let message = "invalid condition: expected at most two alternatives";
                return Err(self.error(frame.opened, message));
            }
            return Ok(yes);
        }
        let no = self.tree.push(Node::Empty);
        let both = self.tree.push_children(&[yes, no]);
        Ok(self.tree.push(Node::Alternatives(both)))
    }

    /// Closes the remaining frames at the end of the pattern.
    fn finish(mut self) -> Result<Tree, RegexError> {
        while let Some(frame) = self.frames.last() {
            match frame.kind {
                Kind::Whole | Kind::RestOptions(_) => self.close_frame()?,
                _ => return Err(self.error(frame.opened, "unclosed group")),
            }
        }
        self.resolve_calls();
        Ok(self.tree)
    }
}

/// Returns the character of the escape of a control character, such as `\n`.
pub(super) fn control_escape(letter: char) -> Option<char> {
    Some(match letter {
        'a' => '\x07',
        't' => '\t',
        'n' => '\n',
        'v' => '\x0b',
        'f' => '\x0c',
        'r' => '\r',
        'e' => '\x1b',
        _ => return None,
    })
}
