//! Group names and numbers: `(?<…>`, `\k<…>`, `\g<…>`, `(?(…)`.

use super::RegexError;
use super::parser::Parser;
use super::tree::{Backref, Callee, Name, Node};
use super::unescape::Symbol;

/// The largest number that Ruby accepts.
const LARGEST_NUMBER: u32 = i32::MAX as u32;

/// The context of a name, on which Ruby's rules depend.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The name of a group, which cannot be a number.
    Definition,
    /// A call, or the number of a condition.
    Call,
    /// A reference, which may add a nesting level, as in `name+1`.
    Backref,
}

/// The contents of the brackets.
enum Label {
    /// The symbols of the name.
    Name { start: usize, end: usize },
    /// A number other than 0; a negative number counts backwards from here.
    Number(i64),
}

impl<'p> Parser<'p> {
    /// Parses the name of a group that opened at symbol `opened`, and returns its index.
    pub(super) fn definition(&mut self, close: char, opened: usize) -> Result<usize, RegexError> {
        match self.label(close, Place::Definition, opened)? {
            Label::Name { start, end } => Ok(self.intern(start, end)),
            Label::Number(_) => Err(self.error(
                opened,
                "invalid group name: expected a name, found a number",
            )),
        }
    }

    /// Parses `<…>` or `'…'` after `\k`, or in a condition.
    pub(super) fn named_backref(
        &mut self,
        close: char,
        opened: usize,
    ) -> Result<Backref, RegexError> {
        let start = self.at;
        let label = self.label(close, Place::Backref, opened)?;
        let sign = |symbol: &Symbol| matches!(symbol, Symbol::Plain('+' | '-'));
        let parsed = self.pattern.symbols.get(start + 1..self.at);
        let has_level = parsed.is_some_and(|symbols| symbols.iter().any(sign));
        match label {
            Label::Number(number) => {
                let group = self.absolute(number, opened)?;
                Ok(Backref {
                    group,
                    is_open: self.is_open(group),
                    by_name: false,
                    has_level,
                })
            }
            Label::Name { start, end } => {
                let symbols = self.pattern.symbols.get(start..end).unwrap_or_default();
                let index = self.name_index.get(symbols).copied();
                let name = index.and_then(|index| self.tree.names.get(index));
                match (index, name.and_then(|name| name.groups.first())) {
                    (Some(index), Some(group)) => Ok(Backref {
                        group: *group,
                        is_open: self.open_names.get(index).is_some_and(|open| *open > 0),
                        by_name: true,
                        has_level,
                    }),
                    _ => {
                        let name = super::shown(symbols.iter().map(|symbol| symbol.char()));
                        let message = format!("unknown group `{name}`");
                        Err(self.error(opened, message))
                    }
                }
            }
        }
    }

    /// Parses `<…>` or `'…'` after `\g` and its opening mark, and adds the call.
    pub(super) fn call(&mut self, close: char, opened: usize) -> Result<Node, RegexError> {
        let mut relative = false;
        let mut whole = false;
        if self.peek() == Some('0') {
            // A leading zero is skipped.
            self.at += 1;
            if self.peek() == Some(close) {
                self.at += 1;
                whole = true;
            }
        } else if self.peek() == Some('+') {
            self.at += 1;
            relative = true;
        }
        let callee = if whole {
            Callee::Number(0)
        } else {
            match (self.label(close, Place::Call, opened)?, relative) {
                (Label::Number(number), true) if number > 0 => {
                    let group = i64::from(self.tree.group_total()) + number;
                    Callee::Number(u32::try_from(group).unwrap_or(u32::MAX))
                }
                (Label::Number(number), _) => Callee::Number(self.absolute(number, opened)?),
                // Ruby treats any name after `+` as the next group.
                (Label::Name { .. }, true) => Callee::Number(self.tree.group_total() + 1),
                (Label::Name { start, end }, false) => {
                    self.called_names.push((self.tree.calls.len(), start, end));
                    Callee::Unknown
                }
            }
        };
        self.tree.calls.push((self.pattern.offset(opened), callee));
        Ok(Node::Call((self.tree.calls.len() - 1) as u32))
    }

    /// Parses the number of a condition, up to its closing parenthesis.
    pub(super) fn condition_number(&mut self, opened: usize) -> Result<u32, RegexError> {
        match self.label(')', Place::Call, opened)? {
            Label::Number(number) => self.absolute(number, opened),
            Label::Name { .. } => {
                Err(self.error(opened, "invalid condition: expected a group number"))
            }
        }
    }

    /// Resolves the calls by name, once all names are known.
    pub(super) fn resolve_calls(&mut self) {
        for (call, start, end) in std::mem::take(&mut self.called_names) {
            let symbols = self.pattern.symbols.get(start..end).unwrap_or_default();
            if let (Some(name), Some(entry)) =
                (self.name_index.get(symbols), self.tree.calls.get_mut(call))
            {
                entry.1 = Callee::Name(*name);
            }
        }
    }

    /// Checks whether the group has begun and not ended.
    pub(super) fn is_open(&self, group: u32) -> bool {
        self.closed_groups
            .get(group as usize)
            .is_some_and(|closed| !closed)
    }

    fn intern(&mut self, start: usize, end: usize) -> usize {
        let pattern = self.pattern;
        let symbols: &'p [Symbol] = pattern.symbols.get(start..end).unwrap_or_default();
        *self.name_index.entry(symbols).or_insert_with(|| {
            self.tree.names.push(Name {
                text: symbols.iter().map(|symbol| symbol.char()).collect(),
                groups: Vec::new(),
            });
            self.open_names.push(0);
            self.tree.names.len() - 1
        })
    }

    /// Converts a group number that may count backwards.
    fn absolute(&self, number: i64, opened: usize) -> Result<u32, RegexError> {
        let absolute = if number < 0 {
            i64::from(self.tree.group_total()) + 1 + number
        } else {
            number
        };
        match u32::try_from(absolute) {
            Ok(group) if group > 0 => Ok(group),
            _ => Err(self.error(
                opened,
                "invalid group number: not enough groups before the reference",
            )),
        }
    }

    /// Parses a label and its closing mark.
    fn label(&mut self, close: char, place: Place, opened: usize) -> Result<Label, RegexError> {
        let start = self.at;
        if self.peek() == Some(close) || self.at_end() {
            return Err(self.error(opened, "missing group name"));
        }
        let first = self.peek();
        let minus = place != Place::Definition && first == Some('-');
        let numeric = minus || first.is_some_and(|ch| ch.is_ascii_digit());
        if place == Place::Definition && (numeric || first == Some('-')) {
            let message = "invalid group name: it cannot start with a digit or a hyphen";
            return Err(self.error(opened, message));
        }
        self.at += 1;
        let ends_label = |ch: char| match place {
            Place::Backref => ch == close || matches!(ch, ')' | '+' | '-'),
            _ => ch == close || ch == ')',
        };
        while !self.at_end() && !self.peek().is_some_and(ends_label) {
            if numeric && !self.peek().is_some_and(|ch| ch.is_ascii_digit()) {
                let message = "invalid group number: expected only digits";
                return Err(self.error(opened, message));
            }
            self.at += 1;
        }
        let end = self.at;
        if place == Place::Backref {
            self.level(opened)?;
        }
        if self.peek() != Some(close) {
            let message = format!("unclosed group name: missing `{close}`");
            return Err(self.error(opened, message));
        }
        self.at += 1;
        if !numeric {
            return Ok(Label::Name { start, end });
        }
        self.group_number(start + usize::from(minus), end, opened)
            .map(|number| Label::Number(if minus { -number } else { number }))
    }

    /// Parses the optional nesting level of a reference.
    fn level(&mut self, opened: usize) -> Result<(), RegexError> {
        if !matches!(self.peek(), Some('+' | '-')) {
            return Ok(());
        }
        self.at += 1;
        let start = self.at;
        let level = self.number();
        while self.is_foreign_digit() {
            self.at += 1;
            self.number();
        }
        match level {
            Some(_) if self.at > start => Ok(()),
            Some(_) => Err(self.error(opened, "invalid nesting level: expected a number")),
            None => Err(self.error(opened, "nesting level is too large")),
        }
    }

    fn group_number(&self, start: usize, end: usize, opened: usize) -> Result<i64, RegexError> {
        match self.digits(start, end) {
            None => Err(self.error(opened, "group number is too large")),
            Some(0) if start == end => Err(self.error(opened, "missing group number")),
            Some(0) => Err(self.error(opened, "invalid group number 0: group numbers start at 1")),
            Some(number) => Ok(i64::from(number)),
        }
    }

    /// Parses decimal digits, if any. Returns their value, or `None` if it is too large.
    pub(super) fn number(&mut self) -> Option<u32> {
        let start = self.at;
        while self.peek().is_some_and(|ch| ch.is_ascii_digit()) {
            self.at += 1;
        }
        self.digits(start, self.at)
    }

    /// Checks whether the next symbol may be a non-ASCII digit. Ruby accepts such digits too, with
    /// their distance from `0` as the value, which is at least 1584.
    pub(super) fn is_foreign_digit(&self) -> bool {
        self.peek()
            .is_some_and(|ch| !ch.is_ascii() && ch.is_numeric())
    }

    fn digits(&self, start: usize, end: usize) -> Option<u32> {
        let symbols = self.pattern.symbols.get(start..end)?;
        symbols.iter().try_fold(0u32, |value, symbol| {
            let Symbol::Plain(ch) = symbol else {
                return None;
            };
            value
                .checked_mul(10)?
                .checked_add(ch.to_digit(10)?)
                .filter(|value| *value <= LARGEST_NUMBER)
        })
    }
}
