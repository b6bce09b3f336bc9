//! The Ruby code that a template stands for, as `ERB` compiles it with the trim mode `-`.
//!
//! Text between tags is part of that code: it ends a statement, and a comment hides it. From `erb.rb`,
//! `ERB::Compiler` and its `ExplicitScanner`.

use syntax::{TextRange, TextSize};

use super::super::source::range;

/// The code at the start and at the end of each template.
const START: &str = "_erbout = +''";
const END: &str = "_erbout";
/// The statement that appends text. Its content does not matter, except for the line breaks.
const TEXT: &str = "_erbout.<< \"\".freeze";
/// The statement that appends the value of an expression.
const OUTPUT: [&str; 2] = ["_erbout.<<((", ").to_s)"];

/// The Ruby code of a template.
pub(super) struct ErbCode {
    pub(super) text: String,
    /// The parts that are copied from the template, in order.
    copies: Vec<Copy>,
    /// The range of the opening mark of a tag that is never closed.
    pub(super) unclosed_tag: Option<TextRange>,
    /// The ranges of the tags, including their marks, in order.
    pub(super) tags: Vec<TextRange>,
}

/// A part of the code that is copied from the template.
struct Copy {
    /// The offset in the code.
    code: usize,
    /// The offset in the template.
    template: usize,
    length: usize,
}

/// Returns the Ruby code in the tags of a template, except for comments, with the offsets of its parts.
pub fn erb_code(template: &str) -> impl Iterator<Item = (usize, &str)> {
    let parts = ErbCode::of(template).copies.into_iter();
    parts.map(|it| (it.template, &template[it.template..it.template + it.length]))
}

impl ErbCode {
    /// Compiles a template.
    pub(super) fn of(template: &str) -> ErbCode {
        let mut compiler = Compiler::new(template);
        compiler.compile();
        compiler.finish()
    }

    /// Returns the offset in the template of one in the code; `None` in code that is not part of the template.
    pub(super) fn offset(&self, at: usize) -> Option<usize> {
        let index = self.copies.partition_point(|it| it.code <= at);
        let copy = &self.copies[index.checked_sub(1)?];
        (at < copy.code + copy.length).then(|| copy.template + at - copy.code)
    }

    /// Returns the range in the template of one in the code; `None` if it is not part of a single tag.
    pub(super) fn range(&self, start: usize, end: usize) -> Option<TextRange> {
        let first = self.offset(start)?;
        let last = self.offset(end.checked_sub(1)?)?;
        (last - first + 1 == end - start).then(|| range(first, last + 1))
    }

    /// Checks whether the code at an offset is that of the template, or `_erbout`.
    pub(super) fn is_copied(&self, at: usize) -> bool {
        self.offset(at).is_some()
    }

    /// Returns the range of the tag that contains an offset in the template.
    pub(super) fn tag_at(&self, offset: TextSize) -> Option<TextRange> {
        let index = self.tags.partition_point(|it| it.end() <= offset);
        let tag = self.tags.get(index).filter(|it| it.contains(offset));
        tag.copied()
    }
}

/// The kinds of tags.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Code,
    Output,
    Comment,
}

struct Compiler<'a> {
    template: &'a str,
    /// The offset in the template.
    at: usize,
    /// Whether the current line of the code contains a statement.
    has_statement: bool,
    /// The number of line breaks in the text before the next tag, if there is any text.
    pending: Option<usize>,
    code: ErbCode,
}

impl<'a> Compiler<'a> {
    fn new(template: &'a str) -> Compiler<'a> {
        Compiler {
            template,
            at: 0,
            has_statement: true,
            pending: None,
            code: ErbCode {
                text: START.to_owned(),
                copies: Vec::new(),
                unclosed_tag: None,
                tags: Vec::new(),
            },
        }
    }

    fn compile(&mut self) {
        while let Some(index) = self.template[self.at..].find("<%") {
            let open = self.at + index;
            if self.template[open..].starts_with("<%%") {
                self.add_text(open + "<%%".len());
                continue;
            }
            let (tag, mark) = match self.template.as_bytes().get(open + 2) {
                Some(b'=') => (Tag::Output, 3),
                Some(b'#') => (Tag::Comment, 3),
                Some(b'-') => (Tag::Code, 3),
                _ => (Tag::Code, 2),
            };
            let trims = self.template[open..].starts_with("<%-");
            self.add_text_before_tag(open, trims);
            self.at = open + mark;
            if !self.compile_tag(tag) {
                // The rest is text.
                self.code.unclosed_tag = Some(range(open, open + mark));
                self.pending = Some(0);
                return;
            }
            self.code.tags.push(range(open, self.at));
            self.skip_line_break();
        }
        self.add_text(self.template.len());
    }

    /// Adds the text before a tag, without the whitespace at the start of its line if the tag removes it.
    fn add_text_before_tag(&mut self, open: usize, trims: bool) {
        let text = &self.template[self.at..open];
        let kept = text.trim_end_matches([' ', '\t']);
        let is_at_line_start = kept.is_empty() || kept.ends_with('\n');
        if trims && is_at_line_start {
            self.add_text(self.at + kept.len());
        } else {
            self.add_text(open);
        }
    }

    fn add_text(&mut self, end: usize) {
        if end > self.at {
            let breaks = self.template[self.at..end].matches('\n').count();
            self.pending = Some(self.pending.unwrap_or_default() + breaks);
        }
        self.at = end;
    }

    /// Adds the statement of the text before a tag.
    fn flush_text(&mut self) {
        if let Some(breaks) = self.pending.take() {
            self.separate();
            self.code.text.push_str(TEXT);
            self.code.text.extend(std::iter::repeat_n('\n', breaks));
        }
    }

    fn separate(&mut self) {
        if std::mem::replace(&mut self.has_statement, true) {
            self.code.text.push_str("; ");
        }
    }

    fn end_line(&mut self) {
        self.code.text.push('\n');
        self.has_statement = false;
    }

    /// Adds the code of a tag, and moves to its end; returns whether it has one.
    fn compile_tag(&mut self, tag: Tag) -> bool {
        let Some(parts) = self.parts() else {
            return false;
        };
        self.flush_text();
        match tag {
            Tag::Comment => {}
            Tag::Output => {
                self.separate();
                self.code.text.push_str(OUTPUT[0]);
                self.copy(&parts);
                self.code.text.push_str(OUTPUT[1]);
            }
            Tag::Code => {
                self.separate();
                self.copy(&parts);
                let is_line = parts
                    .last()
                    .is_some_and(|it| self.template[it.clone()].ends_with('\n'));
                if is_line {
                    self.has_statement = false;
                }
            }
        }
        true
    }

    /// Returns the ranges of the content of a tag, which `%%>` separates, and moves to its closing mark; `None` if it
    /// lacks one.
    fn parts(&mut self) -> Option<Vec<std::ops::Range<usize>>> {
        let mut parts = Vec::new();
        let mut start = self.at;
        let mut search = self.at;
        loop {
            let close = search + self.template[search..].find("%>")?;
            if self.template[start..close].ends_with('%') {
                // `%%>` stands for `%>`, whose characters are the last two.
                parts.push(start..close - 1);
                parts.push(close..close + 2);
                start = close + 2;
                search = start;
                continue;
            }
            let end = match self.template[start..close].strip_suffix('-') {
                Some(content) => start + content.len(),
                None => close,
            };
            parts.push(start..end);
            self.at = close + 2;
            return Some(parts);
        }
    }

    fn copy(&mut self, parts: &[std::ops::Range<usize>]) {
        for part in parts.iter().filter(|it| !it.is_empty()) {
            self.code.copies.push(Copy {
                code: self.code.text.len(),
                template: part.start,
                length: part.len(),
            });
            self.code.text.push_str(&self.template[part.clone()]);
        }
    }

    /// Skips the line break after `-%>`, which ends a line of the code.
    fn skip_line_break(&mut self) {
        if !self.template[..self.at].ends_with("-%>") {
            return;
        }
        let rest = &self.template[self.at..];
        let length = match rest {
            "" => 0,
            it if it.starts_with('\n') => 1,
            it if it.starts_with("\r\n") => 2,
            _ => return,
        };
        self.at += length;
        self.end_line();
    }

    fn finish(mut self) -> ErbCode {
        self.flush_text();
        self.separate();
        self.code.text.push_str(END);
        self.code
    }
}

#[cfg(test)]
mod tests {
    use super::{ErbCode, erb_code};

    /// Returns the code of a template without what starts and ends it.
    fn code(template: &str) -> String {
        let code = ErbCode::of(template);
        let text = code
            .text
            .strip_prefix(super::START)
            .expect("it is the start");
        let text = text.strip_suffix(super::END).expect("it is the end");
        text.replace(super::TEXT, "TEXT")
            .replace("_erbout.<<", "OUT")
    }

    #[test]
    fn compiles_as_erb_does() {
        for (template, expected) in [
            ("", "; "),
            ("a", "; TEXT; "),
            ("<% a %>", ";  a ; "),
            ("a\n\n<%= b %>c", "; TEXT\n\n; OUT(( b ).to_s); TEXT; "),
            ("  <%- a -%>\nb", ";  a \nTEXT; "),
            ("  <% a -%> b", "; TEXT;  a ; TEXT; "),
            ("x  <%- a %>", "; TEXT;  a ; "),
            ("<%# a %>b", "; TEXT; "),
            ("<%% a <% b %>", "; TEXT;  b ; "),
            ("<% '%%>' %>", ";  '%>' ; "),
            ("<% a\n%>b", ";  a\nTEXT; "),
            ("<%= a", "; TEXT; "),
            ("a %> b", "; TEXT; "),
            ("<%= a -%>", "; OUT(( a ).to_s)\n"),
        ] {
            assert_eq!(code(template), expected, "{template}");
        }
    }

    #[test]
    fn returns_the_code_of_tags() {
        let parts = erb_code("a <%= @b -%> <%# @c %> <%% @d %> <%- e %> %><% @f");
        assert_eq!(parts.collect::<Vec<_>>(), [(5, " @b "), (36, " e ")]);
    }

    #[test]
    fn maps_offsets() {
        let template = "é\n<%= ab -%>\n<% 'c%%>d' %>";
        let code = ErbCode::of(template);
        for word in ["ab", "'c", "d'"] {
            let at = code.text.find(word).expect("the code contains it");
            let range = code.range(at, at + word.len()).expect("it is copied");
            assert_eq!(&template[range], word);
        }
        assert_eq!(code.range(0, 3), None);
        let whole = code.text.find("'c").expect("the code contains it");
        assert_eq!(code.range(whole, whole + "'c%>d'".len()), None);
    }
}
