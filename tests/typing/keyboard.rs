//! Types into a document as an editor does.

use syntax::TextRange;

/// The treatment of closing brackets and quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Brackets {
    /// The user types them.
    Typed,
    /// The editor inserts them after the cursor, as VS Code does.
    Closed,
}

/// A document in which a statement is typed.
pub(crate) struct Keyboard<'a> {
    before: &'a str,
    typed: String,
    /// Inserted by the editor, after the cursor.
    pending: String,
    after: &'a str,
    brackets: Brackets,
}

impl<'a> Keyboard<'a> {
    /// Removes the statement at a range of the document.
    pub(crate) fn new(text: &'a str, statement: TextRange, brackets: Brackets) -> Keyboard<'a> {
        Keyboard {
            before: &text[..usize::from(statement.start())],
            typed: String::new(),
            pending: String::new(),
            after: &text[usize::from(statement.end())..],
            brackets,
        }
    }

    /// Types a character. Returns whether a key was needed: the editor indents lines by itself.
    pub(crate) fn press(&mut self, key: char) -> bool {
        if self.brackets == Brackets::Closed {
            return self.press_closing(key);
        }
        self.typed.push(key);
        !self.is_indentation(key)
    }

    fn press_closing(&mut self, key: char) -> bool {
        let closing = self.pending.trim_start().chars().next();
        if closing == Some(key) && matches!(key, '}' | ')' | ']' | '\'' | '"') {
            let blank = self.pending.len() - self.pending.trim_start().len();
            self.pending.replace_range(..=blank, "");
            // The bracket is on a line of its own, which the editor indented.
            self.typed.push(key);
            return true;
        }
        let opened_line = self.typed.ends_with(['{', '(', '[']);
        self.typed.push(key);
        match key {
            '{' => self.pending.insert(0, '}'),
            '(' => self.pending.insert(0, ')'),
            '[' => self.pending.insert(0, ']'),
            // Not in a string.
            '\'' | '"' if !matches!(closing, Some('\'' | '"')) => self.pending.insert(0, key),
            '\n' if opened_line && closing.is_some_and(|it| "})]".contains(it)) => {
                let indent = self.indent();
                self.pending.insert_str(0, &format!("\n{indent}"));
            }
            _ => {}
        }
        !self.is_indentation(key)
    }

    /// Returns the indentation of the line that the last line break ended.
    fn indent(&self) -> String {
        let text = format!("{}{}", self.before, self.typed);
        let line = text.trim_end_matches('\n').rsplit('\n').next();
        let blanks = line
            .unwrap_or_default()
            .chars()
            .take_while(|it| it.is_whitespace());
        blanks.collect()
    }

    fn is_indentation(&self, key: char) -> bool {
        let line = self.typed.rsplit('\n').next().unwrap_or_default();
        key == ' ' && self.typed.contains('\n') && line.trim().is_empty()
    }

    /// Returns the text of the document.
    pub(crate) fn text(&self) -> String {
        format!(
            "{}{}{}{}",
            self.before, self.typed, self.pending, self.after
        )
    }

    /// Returns the line of the cursor, counted from 1.
    pub(crate) fn line(&self) -> usize {
        let before = self.before.matches('\n').count();
        before + self.typed.matches('\n').count() + 1
    }
}
