//! Syntax errors of templates: blocks and brackets that do not match.

use syntax::{TextRange, TextSize};
use tree_sitter::Node;

use super::code::ErbCode;
use super::tokens::{Lexer, Token, TokenKind};
use crate::ruby::source::{Source, range, visit};

/// A syntax error of a template, or code that hides a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErbProblem {
    /// The kind.
    pub kind: ErbProblemKind,
    /// The range of the keyword, bracket, tag or comment.
    pub range: TextRange,
    /// Whether Ruby rejects the template.
    pub is_rejected: bool,
}

/// The kinds of syntax errors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErbProblemKind {
    /// A tag that is never closed, by its opening mark.
    UnclosedTag(String),
    /// A block or bracket that is never closed, by its keyword or character.
    Unclosed(String),
    /// A block or bracket that is not closed in the same `<%= … %>`.
    UnclosedInOutput(String),
    /// A keyword or bracket that belongs to no open block.
    Unexpected(String),
    /// A keyword or bracket in `<%= … %>` whose block starts before it.
    UnexpectedInOutput(String),
    /// A string, regular expression or the like that is not closed in its tag, by its first character.
    UnclosedLiteral(String),
    /// A comment in a tag, which hides the text or code after the tag.
    HidingComment,
    /// Text between `case` and the first `when`.
    TextInCase,
    /// Block parameters without `do`: `@all.each |it|`.
    MissingDo,
    /// The keyword `undef` in place of `nil`.
    Undef,
    /// Any other error.
    Other,
}

/// Returns the first syntax error of a template, given its code, the tree of the code, and whether that [is wrong](is_wrong).
/// Both the tokens and the tree must be wrong, or the tree of code whose tokens are all known: tree-sitter does not know
/// every construct of Ruby.
pub(super) fn problem(
    template: &str,
    code: &ErbCode,
    source: &Source<'_>,
    is_rejected: bool,
) -> Option<ErbProblem> {
    let inside = is_rejected
        .then(|| unclosed_inside(template, code))
        .flatten();
    let found = inside.or_else(|| Blocks::new(template, code).check(|| unexplained(code, source)));
    let found = found.or_else(|| {
        let range = code.unclosed_tag?;
        let mark = template[range].to_owned();
        Some((ErbProblemKind::UnclosedTag(mark), range))
    });
    let (kind, range) = found?;
    let (is_certain, is_rejected) = match &kind {
        ErbProblemKind::UnclosedTag(_)
        | ErbProblemKind::UnclosedLiteral(_)
        | ErbProblemKind::HidingComment => (true, is_rejected),
        // tree-sitter accepts it in more blocks than Ruby.
        ErbProblemKind::Unexpected(word) if ["else", "elsif", "when"].contains(&&**word) => {
            (true, true)
        }
        _ => (is_rejected, is_rejected),
    };
    is_certain.then_some(ErbProblem {
        kind,
        range,
        is_rejected,
    })
}

/// Returns the first error of the tree.
fn unexplained(code: &ErbCode, source: &Source<'_>) -> Option<Found> {
    let mut first = None;
    visit(source.root(), |node| {
        if first.is_none() && (node.is_error() || node.is_missing()) {
            first = Some(node);
        }
        first.is_none() && node.has_error()
    });
    let node = first?;
    let mut copied = (node.start_byte()..code.text.len()).filter(|it| code.is_copied(*it));
    let start = copied.next()?;
    Some((ErbProblemKind::Other, code.range(start, start + 1)?))
}

/// The keywords that tree-sitter takes for names where they do not belong.
const KEYWORDS: [&str; 12] = [
    "and", "do", "else", "elsif", "end", "ensure", "in", "or", "rescue", "then", "undef", "when",
];

/// Checks whether the tree is not one of correct code.
pub(in crate::ruby) fn is_wrong(source: &Source<'_>) -> bool {
    source.root().has_error() || has_stray_keyword(source)
}

/// Checks whether the tree has a keyword in place of a name: tree-sitter reads an `end` that ends no block as one.
fn has_stray_keyword(source: &Source<'_>) -> bool {
    let has_receiver = |node: Node<'_>| {
        let call = node.parent();
        let call = call.filter(|it| it.child_by_field_name("method") == Some(node));
        call.is_some_and(|it| it.child_by_field_name("receiver").is_some())
    };
    let identifier = source.kind_id("identifier");
    let mut found = false;
    visit(source.root(), |node| {
        found |= node.kind_id() == identifier
            && KEYWORDS.contains(&source.text_of(node))
            && !has_receiver(node);
        !found
    });
    found
}

type Found = (ErbProblemKind, TextRange);

/// Returns the first tag that contains the start of another one.
fn unclosed_inside(template: &str, code: &ErbCode) -> Option<Found> {
    let mut tags = code.tags.iter();
    let (mark, range) = tags.find_map(|range| {
        let tag = &template[*range];
        let mark = ["<%=", "<%-", "<%"]
            .iter()
            .find(|it| tag.starts_with(**it))?;
        (!tag.starts_with("<%#") && tag[mark.len()..].contains("<%")).then_some((*mark, range))
    })?;
    let length = u32::try_from(mark.len()).unwrap_or_default().into();
    let range = TextRange::at(range.start(), length);
    Some((ErbProblemKind::UnclosedTag(mark.to_owned()), range))
}

/// Returns the block parameters at the end of a tag, after the call of a method without `do`.
fn final_parameters(tag: &str) -> Option<std::ops::Range<usize>> {
    let code = tag.trim_end_matches(['>', '%', '-']).trim_end();
    // With the brace of Puppet: the block ends with `end`.
    let code = code.strip_suffix('{').map_or(code, str::trim_end);
    let open = code.strip_suffix('|')?.rfind('|')?;
    let names = &code[open + 1..code.len() - 1];
    let is_names = names
        .chars()
        .all(|it| it.is_ascii_alphanumeric() || " _,*()".contains(it));
    let call = code[..open].trim_end();
    let method = call.rsplit('.').next().filter(|_| call.contains('.'))?;
    let name = method.split('(').next().unwrap_or_default();
    let is_method = !name.is_empty() && name.chars().all(|it| it.is_ascii_lowercase() || it == '_');
    (is_names && is_method && !names.trim().is_empty()).then_some(open..code.len())
}

/// A block or bracket that is open.
struct Open<'a> {
    /// The keyword or the bracket.
    word: &'a str,
    start: usize,
    /// Whether `else` was found in it.
    has_else: bool,
    /// Whether a `do` belongs to it.
    awaits_do: bool,
    /// Whether `when` was found in it.
    has_when: bool,
}

impl Open<'_> {
    /// Returns the range of the keyword or bracket in the template.
    fn range(&self, code: &ErbCode) -> Option<TextRange> {
        code.range(self.start, self.start + self.word.len())
    }

    /// Checks whether a keyword divides the block.
    fn accepts(&self, keyword: &str) -> bool {
        match keyword {
            "elsif" => self.word == "if" && !self.has_else,
            "when" => self.word == "case" && !self.has_else,
            "else" => {
                let has_else = ["begin", "case", "do", "if", "unless"].contains(&self.word);
                has_else && !self.has_else
            }
            _ => !["(", "[", "{", OUTPUT].contains(&self.word),
        }
    }
}

/// The brackets around an expression in `<%= … %>`, which are not part of the template.
const OUTPUT: &str = "<%=";

struct Blocks<'a> {
    template: &'a str,
    code: &'a ErbCode,
    open: Vec<Open<'a>>,
}

impl<'a> Blocks<'a> {
    fn new(template: &'a str, code: &'a ErbCode) -> Blocks<'a> {
        Blocks {
            template,
            code,
            open: Vec::new(),
        }
    }

    /// Returns the first problem, or `other` if all code is known and all blocks match.
    fn check(mut self, other: impl FnOnce() -> Option<Found>) -> Option<Found> {
        let mut is_misread = false;
        for token in Lexer::new(&self.code.text) {
            if token.kind == TokenKind::Unsupported {
                return None;
            }
            is_misread |= token.kind == TokenKind::Misread;
            if let Some(found) = self.add(token) {
                return Some(found);
            }
        }
        let Some(last) = self.open.iter().rev().find(|it| it.word != OUTPUT) else {
            // The tree is wrong even if the code is right.
            return if is_misread { None } else { other() };
        };
        let kind = ErbProblemKind::Unclosed(last.word.to_owned());
        Some((kind, last.range(self.code)?))
    }

    /// Adds a token, and returns the problem with it.
    fn add(&mut self, token: Token<'a>) -> Option<Found> {
        match token.kind {
            TokenKind::Keyword(word) => return self.add_keyword(word, token),
            TokenKind::Open(_) if !self.code.is_copied(token.start) => {
                self.push(OUTPUT, token.start);
            }
            TokenKind::Open(_) => self.push(self.text_of(token), token.start),
            TokenKind::Close(_) if !self.code.is_copied(token.start) => {
                return self.close_output();
            }
            TokenKind::Close(bracket) => return self.close_bracket(bracket, token),
            TokenKind::Separator => {
                if let Some(top) = self.open.last_mut() {
                    top.awaits_do = false;
                }
            }
            TokenKind::Literal(is_closed) => return self.check_literal(is_closed, token),
            TokenKind::Comment => return self.check_comment(token),
            TokenKind::Undef => return self.at(ErbProblemKind::Undef, token),
            TokenKind::Other if !self.code.is_copied(token.start) => return self.check_text(),
            TokenKind::Other | TokenKind::Misread | TokenKind::Unsupported => {}
        }
        None
    }

    fn text_of(&self, token: Token<'_>) -> &'a str {
        &self.code.text[token.start..token.end]
    }

    /// Returns a problem at a token.
    fn at(&self, kind: ErbProblemKind, token: Token<'_>) -> Option<Found> {
        Some((kind, self.code.range(token.start, token.end)?))
    }

    fn push(&mut self, word: &'a str, start: usize) {
        self.open.push(Open {
            word,
            start,
            has_else: false,
            awaits_do: ["for", "until", "while"].contains(&word),
            has_when: false,
        });
    }

    fn add_keyword(&mut self, word: &'a str, token: Token<'a>) -> Option<Found> {
        let top = self.open.last_mut();
        match word {
            "do" if top.as_ref().is_some_and(|it| it.awaits_do) => {
                if let Some(top) = top {
                    top.awaits_do = false;
                }
            }
            "end" | "else" | "elsif" | "when" => {
                let Some(top) = top.filter(|it| it.accepts(word)) else {
                    return self.unexpected(token);
                };
                top.has_else |= word == "else";
                top.has_when |= word == "when";
                if word == "end" {
                    self.open.pop();
                }
            }
            _ => self.push(word, token.start),
        }
        None
    }

    /// Returns the problem with a keyword or bracket that does not belong to the innermost block.
    fn unexpected(&self, token: Token<'_>) -> Option<Found> {
        let word = self.text_of(token).to_owned();
        if word == "end"
            && let Some(range) = self.parameters_without_do(token)
        {
            return Some((ErbProblemKind::MissingDo, range));
        }
        let kind = match self.open.last() {
            Some(it) if it.word == OUTPUT => ErbProblemKind::UnexpectedInOutput(word),
            _ => ErbProblemKind::Unexpected(word),
        };
        self.at(kind, token)
    }

    /// Returns the first block parameters before a token that end their tag, but follow no `do`.
    fn parameters_without_do(&self, end: Token<'_>) -> Option<TextRange> {
        let end = self.code.range(end.start, end.end)?.start();
        let before = self.code.tags.iter().filter(|it| it.end() <= end);
        before.copied().find_map(|tag| {
            let parameters = final_parameters(&self.template[tag])?;
            let start = u32::try_from(parameters.start).ok()?;
            let length = u32::try_from(parameters.len()).ok()?;
            let start = tag.start() + TextSize::from(start);
            Some(TextRange::at(start, length.into()))
        })
    }

    fn close_bracket(&mut self, bracket: char, token: Token<'a>) -> Option<Found> {
        let opening = match bracket {
            ')' => "(",
            ']' => "[",
            _ => "{",
        };
        if self.open.last().is_some_and(|it| it.word == opening) {
            self.open.pop();
            return None;
        }
        self.unexpected(token)
    }

    /// Closes a bracket around an expression in `<%= … %>`.
    fn close_output(&mut self) -> Option<Found> {
        let top = self.open.pop()?;
        if top.word == OUTPUT {
            return None;
        }
        let kind = ErbProblemKind::UnclosedInOutput(top.word.to_owned());
        Some((kind, top.range(self.code)?))
    }

    /// Checks whether a literal is closed in its tag. Those outside of the template are.
    fn check_literal(&self, is_closed: bool, token: Token<'_>) -> Option<Found> {
        let start = self.code.range(token.start, token.start + 1)?;
        let is_inside = self.code.range(token.start, token.end).is_some() && is_closed;
        // A `%%>` in a literal divides it.
        let is_divided = self.code.tag_at(start.start()).is_some_and(|it| {
            let tag = &self.template[it];
            tag.contains("%%>")
        });
        let quote = self.code.text[token.start..].chars().next()?.to_string();
        (!is_inside && !is_divided).then_some((ErbProblemKind::UnclosedLiteral(quote), start))
    }

    /// Checks whether a comment hides what follows its tag: other code, or text that is not blank.
    fn check_comment(&self, token: Token<'_>) -> Option<Found> {
        let start = self.code.offset(token.start)?;
        let tag = self.code.tag_at(u32::try_from(start).ok()?.into())?;
        if self.code.range(token.start, token.end).is_some() {
            return None;
        }
        let end = usize::from(tag.end());
        let mut following = (token.end..self.code.text.len()).filter_map(|it| self.code.offset(it));
        let next = following.next().unwrap_or(self.template.len());
        let next_tag = self.code.tag_at(u32::try_from(next).ok()?.into());
        let hidden = next_tag.map_or(next, |it| it.start().into());
        let is_output = self.template[tag].starts_with("<%=");
        let hides = is_output || !self.template.get(end..hidden)?.trim().is_empty();
        let closing = self.template[..end].rfind("%>").unwrap_or(end);
        let closing = self.template[..closing].trim_end_matches('-').len();
        let comment = self.template[start..closing].trim_end().len();
        let range = range(start, start + comment);
        hides.then_some((ErbProblemKind::HidingComment, range))
    }

    /// Checks whether text of the template may be where it is.
    fn check_text(&self) -> Option<Found> {
        let top = self.open.last()?;
        let is_in_case = top.word == "case" && !top.has_when;
        is_in_case.then_some((ErbProblemKind::TextInCase, top.range(self.code)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::erb_names;
    use super::ErbProblemKind as Kind;

    /// Returns the problem of a template: its kind, the word at its range, and whether Ruby rejects it.
    fn problem(template: &str) -> Option<(Kind, &str, bool)> {
        let found = erb_names(template).problem?;
        let text = &template[found.range];
        Some((found.kind, text, found.is_rejected))
    }

    #[test]
    fn finds_what_ruby_rejects() {
        let word = str::to_owned;
        for (template, kind, place) in [
            ("<% if @a %>\nx\n", Kind::Unclosed(word("if")), "if"),
            (
                "<% @a.each do |b| %><% if b %><% end %>",
                Kind::Unclosed(word("do")),
                "do",
            ),
            ("x<% end %>", Kind::Unexpected(word("end")), "end"),
            ("<% @a.each |b, c| -%>x<% end %>", Kind::MissingDo, "|b, c|"),
            (
                "<% @a.each |b, c| { -%>x<% end %>",
                Kind::MissingDo,
                "|b, c|",
            ),
            (
                "<% @a.each_with_index(1) |b| %>x<% end %>",
                Kind::MissingDo,
                "|b|",
            ),
            (
                "<% x = @a | @b | %>y<% end %>",
                Kind::Unexpected(word("end")),
                "end",
            ),
            (
                "<% if @a %><% end %><% else %>",
                Kind::Unexpected(word("else")),
                "else",
            ),
            (
                "<% if @a %><% else %><% else %><% end %>",
                Kind::Unexpected(word("else")),
                "else",
            ),
            (
                "<% unless @a %><% elsif @b %><% end %>",
                Kind::Unexpected(word("elsif")),
                "elsif",
            ),
            (
                "<% @a.each do |b| %><% } %>",
                Kind::Unexpected(word("}")),
                "}",
            ),
            (
                "<%= @a.each do |b| %>x<% end %>",
                Kind::UnclosedInOutput(word("do")),
                "do",
            ),
            ("<%= @a.join(',' %>", Kind::UnclosedInOutput(word("(")), "("),
            (
                "<%= if @a %>x<% end %>",
                Kind::UnclosedInOutput(word("if")),
                "if",
            ),
            (
                "<% if @a %>x<%= end %>",
                Kind::UnexpectedInOutput(word("end")),
                "end",
            ),
            ("<%= @a] %>", Kind::UnexpectedInOutput(word("]")), "]"),
            ("<%= @a # b %>\n", Kind::HidingComment, "# b"),
            ("<% if @a # b %>x<% end %>", Kind::HidingComment, "# b"),
            (
                "<% if @a -%>x<%= @b?'c':'d' %>",
                Kind::Unclosed(word("if")),
                "if",
            ),
            ("<%= 'a %>\n", Kind::UnclosedLiteral(word("'")), "'"),
            ("<%= @a >\n<%= @b %>", Kind::UnclosedTag(word("<%=")), "<%="),
            (
                "<% case @a %>\n<% when 1 %><% end %>",
                Kind::TextInCase,
                "case",
            ),
            ("<% if @a == undef %><% end %>", Kind::Undef, "undef"),
        ] {
            assert_eq!(problem(template), Some((kind, place, true)), "{template}");
        }
    }

    #[test]
    fn finds_what_ruby_accepts_but_hides() {
        let word = str::to_owned;
        for (template, kind, place) in [
            ("a <%= @b", Kind::UnclosedTag(word("<%=")), "<%="),
            ("<% # a -%> b\n", Kind::HidingComment, "# a"),
            ("<% # a %>\nb\n", Kind::HidingComment, "# a"),
            (
                "<% a = 'b %>c<% d' %>",
                Kind::UnclosedLiteral(word("'")),
                "'",
            ),
        ] {
            assert_eq!(problem(template), Some((kind, place, false)), "{template}");
        }
    }

    #[test]
    fn accepts_correct_templates() {
        for template in [
            "",
            "<% if @a -%>x<%= @b?'c':'d' %><% end %>",
            "<%= (@a == 'b' || @a == true)?'c':'d' %>",
            "a % b %> c",
            "<%% if %> <%# if %>",
            "<% if @a %>\n<% elsif @b -%>\n<% else %>\n<% end %>",
            "<%= 'a' if @b %><%= @a.map { |b| b.to_s }.join %>",
            "<% case @a\n when 1 %>b<% else %>c<% end %>",
            "<% case @a -%>\n<%- when 1 -%>\nb\n<% end %>",
            "<% # a\n%>b",
            "<% # a -%>\nb",
            "<% while @a do %><% break if @b %><% end %>",
            "<% for a in @b %><%= a %><% end %>",
            "<% @a.each do |b| %><% next unless b %><%= b %><% end %>",
            "<% @a.each { |b| %><%= b %><% } %>",
            "<% begin %><%= @a %><% rescue StandardError => e %><% ensure %><% end %>",
            "<%= \"a#{@b.map { |c| \"#{c}\" }}\" %>",
            "<% a = '%%>' %><%= a %>",
            "<%= <<EOS\nif\nEOS\n%>",
            "<% if @a then %>b<% end if @c %>",
        ] {
            assert_eq!(problem(template), None, "{template}");
        }
    }
}
