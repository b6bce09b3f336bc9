//! Names and numbers of groups: `(?<…>`, `\k<…>`, `\g<…>`, `(?(…)`.

use super::RegexError;
use super::parser::Parser;
use super::tree::{Callee, Node};
use super::unescape::Symbol;

/// The largest number that Ruby reads.
const LARGEST_NUMBER: u32 = i32::MAX as u32;

/// Where a name stands; Ruby's rules differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A group gets its name: no numbers.
    Definition,
    /// A call, or the number of a condition.
    Call,
    /// A reference, which may add a nesting level, as in `name+1`.
    Backref,
}

/// What stands between the brackets.
enum Label {
    /// The symbols of the name.
    Name { start: usize, end: usize },
    /// A number other than 0; below 0 it counts back from here.
    Number(i64),
}

impl<'p> Parser<'p> {
    /// Takes the name of a group that opened at symbol `opened`, and yields its index.
    pub(super) fn definition(&mut self, close: char, opened: usize) -> Result<usize, RegexError> {
        match self.label(close, Place::Definition, opened)? {
            Label::Name { start, end } => Ok(self.intern(start, end)),
            Label::Number(_) => Err(self.error(opened, "a group cannot be named by a number")),
        }
    }

    /// Takes `<…>` or `'…'` after `\k`, or in a condition: the group and whether the reference may
    /// stand inside it.
    pub(super) fn named_backref(
        &mut self,
        close: char,
        opened: usize,
    ) -> Result<(u32, bool, bool), RegexError> {
        match self.label(close, Place::Backref, opened)? {
            Label::Number(number) => {
                let group = self.absolute(number, opened)?;
                Ok((group, self.is_open(group), false))
            }
            Label::Name { start, end } => {
                let symbols = self.pattern.symbols.get(start..end).unwrap_or_default();
                let index = self.name_index.get(symbols).copied();
                let groups = index.and_then(|index| self.tree.names.get(index));
                match (index, groups.and_then(|groups| groups.first())) {
                    (Some(index), Some(group)) => {
                        let open = self.open_names.get(index).is_some_and(|open| *open > 0);
                        Ok((*group, open, true))
                    }
                    _ => {
                        let name = super::shown(symbols.iter().map(|symbol| symbol.char()));
                        let message = format!("no group before this is named `{name}`");
                        Err(self.error(opened, message))
                    }
                }
            }
        }
    }

    /// Takes `<…>` or `'…'` after `\g`, whose opening mark has been taken, and adds the call.
    pub(super) fn call(&mut self, close: char, opened: usize) -> Result<Node, RegexError> {
        let mut relative = false;
        let mut whole = false;
        if self.peek() == Some('0') {
            // A zero that does not stand alone is skipped.
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
                // Ruby takes a name after `+` for the next group, whatever the name.
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

    /// Takes the number of a condition, up to its closing parenthesis.
    pub(super) fn condition_number(&mut self, opened: usize) -> Result<u32, RegexError> {
        match self.label(')', Place::Call, opened)? {
            Label::Number(number) => self.absolute(number, opened),
            Label::Name { .. } => Err(self.error(opened, "a condition needs a group")),
        }
    }

    /// Gives the calls by name their groups, once all names are known.
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

    /// Whether the group has begun and not ended.
    pub(super) fn is_open(&self, group: u32) -> bool {
        self.closed_groups
            .get(group as usize)
            .is_some_and(|closed| !closed)
    }

    fn intern(&mut self, start: usize, end: usize) -> usize {
        let pattern = self.pattern;
        let symbols: &'p [Symbol] = pattern.symbols.get(start..end).unwrap_or_default();
        *self.name_index.entry(symbols).or_insert_with(|| {
            self.tree.names.push(Vec::new());
            self.open_names.push(0);
            self.tree.names.len() - 1
        })
    }

    /// A number of a group that counts from the start.
    fn absolute(&self, number: i64, opened: usize) -> Result<u32, RegexError> {
        let absolute = if number < 0 {
            i64::from(self.tree.group_total()) + 1 + number
        } else {
            number
        };
        match u32::try_from(absolute) {
            Ok(group) if group > 0 => Ok(group),
            _ => Err(self.error(opened, "there are not that many groups before this")),
        }
    }

    /// Takes a label and its closing mark.
    fn label(&mut self, close: char, place: Place, opened: usize) -> Result<Label, RegexError> {
        let start = self.at;
        if self.peek() == Some(close) || self.at_end() {
            return Err(self.error(opened, "the name of the group is missing"));
        }
        let first = self.peek();
        let minus = place != Place::Definition && first == Some('-');
        let numeric = minus || first.is_some_and(|ch| ch.is_ascii_digit());
        if place == Place::Definition && (numeric || first == Some('-')) {
            let message = "the name of a group cannot begin with a digit or a hyphen";
            return Err(self.error(opened, message));
        }
        self.at += 1;
        let ends_label = |ch: char| match place {
            Place::Backref => ch == close || matches!(ch, ')' | '+' | '-'),
            _ => ch == close || ch == ')',
        };
        while !self.at_end() && !self.peek().is_some_and(ends_label) {
            if numeric && !self.peek().is_some_and(|ch| ch.is_ascii_digit()) {
                let message = "a number of a group must be all digits";
                return Err(self.error(opened, message));
            }
            self.at += 1;
        }
        let end = self.at;
        if place == Place::Backref {
            self.level(opened)?;
        }
        if self.peek() != Some(close) {
            let message = format!("the name of the group must end in `{close}`");
            return Err(self.error(opened, message));
        }
        self.at += 1;
        if !numeric {
            return Ok(Label::Name { start, end });
        }
        self.group_number(start + usize::from(minus), end, opened)
            .map(|number| Label::Number(if minus { -number } else { number }))
    }

    /// Takes the nesting level of a reference, if there is one.
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
            Some(_) => Err(self.error(opened, "the nesting level must be a number")),
            None => Err(self.error(opened, "the nesting level is too big")),
        }
    }

    fn group_number(&self, start: usize, end: usize, opened: usize) -> Result<i64, RegexError> {
        match self.digits(start, end) {
            None => Err(self.error(opened, "the number of the group is too big")),
            Some(0) if start == end => {
                Err(self.error(opened, "the number of the group is missing"))
            }
            Some(0) => Err(self.error(opened, "groups are counted from 1")),
            Some(number) => Ok(i64::from(number)),
        }
    }

    /// Takes the digits that come next, if any: their value, or nothing when it is too big.
    pub(super) fn number(&mut self) -> Option<u32> {
        let start = self.at;
        while self.peek().is_some_and(|ch| ch.is_ascii_digit()) {
            self.at += 1;
        }
        self.digits(start, self.at)
    }

    /// Whether what comes next may be a digit outside ASCII. Ruby reads such digits too, as if they
    /// stood for their distance from `0`, which makes a number of 1584 or more.
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
