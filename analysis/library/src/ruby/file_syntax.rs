//! Syntax errors of Ruby files.
//!
//! tree-sitter does not know every construct of Ruby, and its first error is often far from the mistake. An error is only
//! reported if inserting or removing a single mark makes the whole file correct, at the place of that mark.

use syntax::TextRange;

use super::erb::is_wrong;
use super::source::{Source, range};

/// A syntax error of a Ruby file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RubySyntaxError {
    /// The kind.
    pub kind: RubySyntaxErrorKind,
    /// The range of the mark, or of the last character before it if it is missing.
    pub range: TextRange,
}

/// The kinds of syntax errors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RubySyntaxErrorKind {
    /// A block, bracket or string that is never closed, by its first word or character.
    Unclosed(String),
    /// A keyword or bracket without an opening one.
    Unexpected(String),
    /// A comma that is missing.
    MissingComma,
}

/// The maximum number of repairs that are tried.
const MAX_REPAIRS: usize = 200;
/// The maximum number of bytes of all repaired files that are parsed for one file.
const MAX_PARSED: usize = 1024 * 1024;
/// The largest file that is repaired, in bytes.
const MAX_REPAIRED: usize = 64 * 1024;

/// Returns the syntax error of a file that a single repair explains.
pub fn file_syntax_error(text: &str) -> Option<RubySyntaxError> {
    if text.len() > MAX_REPAIRED || !is_rejected(text) {
        return None;
    }
    let lines = lines(text);
    let mut repairs = line_repairs(text, &lines);
    repairs.extend(block_repairs(text, &lines));
    repairs.extend(comma_repairs(text, &lines));
    let limit = MAX_REPAIRS.min(MAX_PARSED / text.len().max(1));
    let mut tried = repairs.into_iter().take(limit);
    let found = tried.find(|it| !is_rejected(&it.apply(text)))?;
    Some(RubySyntaxError {
        kind: found.kind,
        range: range(found.place, found.place + found.length),
    })
}

/// Checks whether code is wrong, or cannot be parsed within the limits.
fn is_rejected(text: &str) -> bool {
    Source::parse(text).is_none_or(|it| is_wrong(&it))
}

/// A change that may make a file correct.
struct Repair {
    kind: RubySyntaxErrorKind,
    /// The offset and the length of what is reported.
    place: usize,
    length: usize,
    /// The offset of the change, and the length of what is removed there.
    at: usize,
    removed: usize,
    inserted: String,
}

impl Repair {
    fn apply(&self, text: &str) -> String {
        let (before, rest) = text.split_at(self.at);
        [before, &self.inserted, &rest[self.removed..]].concat()
    }

    fn unclosed(word: &str, place: usize, at: usize, inserted: String) -> Repair {
        Repair {
            kind: RubySyntaxErrorKind::Unclosed(word.to_owned()),
            place,
            length: word.len(),
            at,
            removed: 0,
            inserted,
        }
    }

    fn unexpected(word: &str, at: usize) -> Repair {
        Repair {
            kind: RubySyntaxErrorKind::Unexpected(word.to_owned()),
            place: at,
            length: word.len(),
            at,
            removed: word.len(),
            inserted: String::new(),
        }
    }
}

/// A line that is not blank.
struct Line<'a> {
    /// The offset of its first character that is not blank.
    start: usize,
    /// The code of the line without whitespace and comments around it.
    code: &'a str,
    indent: usize,
}

impl Line<'_> {
    fn end(&self) -> usize {
        self.start + self.code.len()
    }

    /// Returns the keyword that opens a block which ends on another line, with its offset.
    fn opened(&self) -> Option<(&str, usize)> {
        if self.words().any(|it| it == "end") {
            return None;
        }
        let first = self.words().next().unwrap_or_default();
        if OPENERS.contains(&first) {
            return Some((first, self.start));
        }
        let without_parameters = match self.code.strip_suffix('|') {
            Some(rest) => rest.rfind('|').map_or(self.code, |it| &rest[..it]),
            None => self.code,
        };
        let call = without_parameters.trim_end();
        let is_block = call.strip_suffix("do").is_some_and(|it| it.ends_with(' '));
        is_block.then(|| ("do", self.start + call.len() - "do".len()))
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        let is_word = |it: char| it.is_alphanumeric() || "_@:?!.'\"".contains(it);
        self.code.split(move |it| !is_word(it))
    }

    fn starts_with_word(&self, words: &[&str]) -> bool {
        self.words().next().is_some_and(|it| words.contains(&it))
    }
}

/// The keywords that open a block at the start of a line.
const OPENERS: [&str; 10] = [
    "begin", "case", "class", "def", "for", "if", "module", "unless", "until", "while",
];
/// The keywords that divide a block.
const DIVIDERS: [&str; 6] = ["else", "elsif", "ensure", "in", "rescue", "when"];

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let code = without_comment(line.trim());
        if !code.is_empty() {
            let start = at + indent;
            found.push(Line {
                start,
                code,
                indent,
            });
        }
        at += line.len();
    }
    found
}

/// Removes a comment at the end of a line.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (index, char) in line.char_indices() {
        match (char, quote) {
            ('#', None) if index == 0 || line[..index].ends_with(' ') => {
                return line[..index].trim_end();
            }
            ('\'' | '"', None) => quote = Some(char),
            _ if quote == Some(char) => quote = None,
            _ => {}
        }
    }
    line
}

/// Returns the repairs of strings, brackets and block parameters that are not balanced in their line.
fn line_repairs(text: &str, lines: &[Line<'_>]) -> Vec<Repair> {
    let mut found = Vec::new();
    for line in lines {
        let marks = Marks::of(line);
        if let Some((quote, at)) = marks.string {
            found.push(Repair::unclosed(quote, at, line.end(), quote.to_owned()));
            // A list of arguments continues after the string.
            if let Some(comma) = text[at..line.end()].find(", :") {
                found.push(Repair::unclosed(quote, at, at + comma, quote.to_owned()));
            }
            let mut without = Repair::unclosed(quote, at, at, String::new());
            without.removed = quote.len();
            found.push(without);
            continue;
        }
        if let Some(at) = marks.parameters {
            found.push(Repair::unclosed("|", at, line.end(), "|".to_owned()));
        }
        for (bracket, at) in marks.open.iter().rev() {
            let close = closing(bracket).to_owned();
            let ends = [line.opened().map(|it| it.1), Some(line.end())];
            for end in ends.into_iter().flatten().filter(|it| it > at) {
                let end = text[..end].trim_end_matches([' ', ',']).len();
                found.push(Repair::unclosed(bracket, *at, end, close.clone()));
            }
        }
        found.extend(marks.close.iter().map(|it| Repair::unexpected(it.0, it.1)));
    }
    found
}

fn closing(bracket: &str) -> &'static str {
    match bracket {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// The marks of a line that have no counterpart in it.
#[derive(Default)]
struct Marks {
    string: Option<(&'static str, usize)>,
    open: Vec<(&'static str, usize)>,
    close: Vec<(&'static str, usize)>,
    /// The start of block parameters that do not end.
    parameters: Option<usize>,
}

impl Marks {
    fn of(line: &Line<'_>) -> Marks {
        let mut marks = Marks::default();
        let mut escaped = false;
        for (index, char) in line.code.char_indices() {
            let at = line.start + index;
            let is_escaped = escaped;
            escaped = char == '\\' && !is_escaped;
            match (char, marks.string) {
                _ if is_escaped => {}
                ('\'', None) => marks.string = Some(("'", at)),
                ('"', None) => marks.string = Some(("\"", at)),
                ('\'', Some(("'", _))) | ('"', Some(("\"", _))) => marks.string = None,
                ('(' | '[' | '{', None) => marks.open(char, at),
                (')' | ']' | '}', None) => marks.close(char, at),
                _ => {}
            }
        }
        if marks.string.is_none() {
            marks.parameters = unclosed_parameters(line);
        }
        marks
    }

    fn open(&mut self, char: char, at: usize) {
        let bracket = ["(", "[", "{"].into_iter().find(|it| it.starts_with(char));
        self.open.extend(bracket.map(|it| (it, at)));
    }

    fn close(&mut self, char: char, at: usize) {
        let bracket = [")", "]", "}"].into_iter().find(|it| it.starts_with(char));
        let Some(bracket) = bracket else { return };
        match self.open.last() {
            Some((open, _)) if closing(open) == bracket => drop(self.open.pop()),
            _ => self.close.push((bracket, at)),
        }
    }
}

/// Returns the start of the parameters in `do |a, b` at the end of a line.
fn unclosed_parameters(line: &Line<'_>) -> Option<usize> {
    let at = line.code.rfind('|')?;
    let before = line.code[..at].trim_end();
    let names = line.code[at + 1..].chars();
    let mut names = names.filter(|it| !it.is_alphanumeric() && !"_, *&()".contains(*it));
    let is_start = before.ends_with('{') || before.ends_with(" do");
    (is_start && names.next().is_none()).then_some(line.start + at)
}

/// Returns the repairs of blocks whose indentation differs from that of their ends.
fn block_repairs(text: &str, lines: &[Line<'_>]) -> Vec<Repair> {
    let mut found = Vec::new();
    let mut open: Vec<(usize, &str, usize)> = Vec::new();
    for line in lines {
        let is_end =
            line.starts_with_word(&["end", "end.", "end,"]) || line.code.starts_with("end.");
        let is_divider = line.starts_with_word(&DIVIDERS);
        while let Some((indent, word, at)) = open.last().copied() {
            if indent < line.indent || indent == line.indent && (is_end || is_divider) {
                break;
            }
            let inserted = format!("end\n{}", " ".repeat(line.indent));
            found.push(Repair::unclosed(word, at, line.start, inserted));
            open.pop();
        }
        match open.last() {
            Some((indent, ..)) if is_end && *indent == line.indent => drop(open.pop()),
            _ if is_end => found.push(Repair::unexpected("end", line.start)),
            _ => {}
        }
        if let Some((word, at)) = line.opened() {
            open.push((line.indent, word, at));
        }
    }
    let left = open.iter().rev();
    found.extend(left.map(|it| Repair::unclosed(it.1, it.2, text.len(), "\nend\n".to_owned())));
    found
}

/// Returns the repairs of lists that continue on the next line without a comma.
fn comma_repairs(text: &str, lines: &[Line<'_>]) -> Vec<Repair> {
    let ends = lines.iter().filter(|it| {
        let before = it
            .code
            .trim_end_matches(|it: char| it.is_alphanumeric() || it == '_');
        let last = it.code.chars().next_back();
        !before.is_empty() && last.is_some_and(|it| it.is_alphanumeric() || "'\")]}".contains(it))
    });
    let repairs = ends.map(|it| Repair {
        kind: RubySyntaxErrorKind::MissingComma,
        place: it.end() - last_length(&text[..it.end()]),
        length: last_length(&text[..it.end()]),
        at: it.end(),
        removed: 0,
        inserted: ",".to_owned(),
    });
    repairs.collect()
}

/// Returns the length of the last character.
fn last_length(text: &str) -> usize {
    text.chars().next_back().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::{RubySyntaxErrorKind as Kind, file_syntax_error};

    const FUNCTION: &str = "Puppet::Functions.create_function(:'m::f') do
  dispatch :f do
    param 'Hash', :data
    optional_param 'String', :name
  end

  def f(data, name = nil)
    data.map do |key, value|
      next if key.nil?
      [key, { 'a' => value,
              'b' => name }]
    end
  end
end
";

    /// Returns the line and the kind of the error after a replacement.
    fn error(from: &str, to: &str) -> Option<(usize, Kind)> {
        assert!(FUNCTION.contains(from), "{from}");
        let text = FUNCTION.replacen(from, to, 1);
        let found = file_syntax_error(&text)?;
        let line = text[..usize::from(found.range.start())]
            .matches('\n')
            .count()
            + 1;
        Some((line, found.kind))
    }

    #[test]
    fn finds_marks_that_are_missing() {
        let unclosed = |line, word: &str| Some((line, Kind::Unclosed(word.to_owned())));
        assert_eq!(
            error("f(data, name = nil)", "f(data, name = nil"),
            unclosed(7, "(")
        );
        assert_eq!(error("'Hash', :data", "'Hash, :data"), unclosed(3, "'"));
        assert_eq!(error("'Hash', :data", "'Hash', :data'"), unclosed(3, "'"));
        assert_eq!(error("|key, value|", "|key, value"), unclosed(8, "|"));
        assert_eq!(error("name }]", "name ]"), unclosed(10, "{"));
        assert_eq!(error("(:'m::f') do", "(:'m::f' do"), unclosed(1, "("));
        assert_eq!(error(":name\n  end\n", ":name\n"), unclosed(2, "do"));
        assert_eq!(
            error("    end\n  end\nend", "    end\nend"),
            unclosed(7, "def")
        );
        assert_eq!(error("  end\nend\n", "  end\n"), unclosed(1, "do"));
        assert_eq!(
            error("=> value,", "=> value"),
            Some((10, Kind::MissingComma))
        );
    }

    #[test]
    fn finds_marks_before_comments() {
        let unclosed = |line, word: &str| Some((line, Kind::Unclosed(word.to_owned())));
        assert_eq!(error("name = nil)", "name = nil # (a"), unclosed(7, "("));
        assert_eq!(error(":name\n  end\n", ":name # end\n"), unclosed(2, "do"));
    }

    #[test]
    fn finds_marks_that_are_too_many() {
        let unexpected = |line, word: &str| Some((line, Kind::Unexpected(word.to_owned())));
        assert_eq!(error("key.nil?", "key.nil?)"), unexpected(9, ")"));
        assert_eq!(
            error("  end\n\n", "  end\n    end\n\n"),
            unexpected(6, "end")
        );
    }

    #[test]
    fn accepts_correct_files_and_what_no_single_repair_explains() {
        assert_eq!(file_syntax_error(FUNCTION), None);
        assert_eq!(file_syntax_error("x = <<~EOS\n  if (\nEOS\ny = 1\n"), None);
        assert_eq!(file_syntax_error("def f(\n  [ }\n"), None);
    }
}
