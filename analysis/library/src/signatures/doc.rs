//! Documentation comments, as parsed by puppet-strings (and YARD, which it is based on).

/// A parsed documentation comment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Doc {
    /// The Markdown text outside of tags.
    pub text: String,
    /// The tags, in source order.
    pub tags: Vec<DocTag>,
}

/// A tag such as `@param name [Type] text`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DocTag {
    /// The name: `param`, `return`, `example`, `option`, `since`, `deprecated`, `see`, `summary` …
    pub tag: String,
    /// The type in brackets.
    pub type_: Option<String>,
    /// The subject: the name of a parameter, the title of an example.
    pub subject: Option<String>,
    /// The remaining text. For an example it is code with its indentation.
    pub text: String,
}

impl Doc {
    /// Parses a comment without its markers (`#` and one space).
    pub fn parse(comment: &str) -> Doc {
        let mut doc = Doc::default();
        let mut lines = comment.lines().peekable();
        while let Some(line) = lines.next() {
            let Some((tag, rest)) = tag(line) else {
                doc.text.push_str(line);
                doc.text.push('\n');
                continue;
            };
            // Continuation lines of a tag are indented.
            let mut more = Vec::new();
            while let Some(next) = lines.next_if(|it| it.starts_with([' ', '\t']) || it.is_empty())
            {
                more.push(next);
            }
            doc.tags.push(DocTag::read(tag, rest, &more));
        }
        doc.text = doc.text.trim().to_owned();
        doc
    }

    /// Checks whether the comment is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.tags.is_empty()
    }

    /// Returns the documentation of a parameter.
    pub fn parameter(&self, name: &str) -> Option<&DocTag> {
        let mut about = self.tags.iter().filter(|it| it.tag == "param");
        about.find(|it| it.subject.as_deref() == Some(name))
    }

    /// Returns the tags with this name.
    pub fn tags<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a DocTag> {
        self.tags.iter().filter(move |it| it.tag == name)
    }
}

impl DocTag {
    fn read(tag: &str, rest: &str, more: &[&str]) -> DocTag {
        let mut found = DocTag {
            tag: tag.to_owned(),
            ..DocTag::default()
        };
        let rest = match tag {
            "param" | "option" => found.take_subject(rest),
            "example" => {
                found.subject = (!rest.is_empty()).then(|| rest.to_owned());
                found.text = without_indent(more);
                return found;
            }
            _ => found.take_type(rest),
        };
        let lines = std::iter::once(rest).chain(more.iter().map(|it| it.trim()));
        let lines: Vec<_> = lines.filter(|it| !it.is_empty()).collect();
        found.text = lines.join("\n");
        found
    }

    /// Takes a name with a type before or after it.
    fn take_subject<'a>(&mut self, rest: &'a str) -> &'a str {
        let rest = self.take_type(rest);
        let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        self.subject = Some(name.trim_start_matches(['$', '*', '&']).to_owned());
        self.take_type(rest.trim())
    }

    fn take_type<'a>(&mut self, text: &'a str) -> &'a str {
        let (type_, rest) = without_type(text);
        if let Some(type_) = type_ {
            self.type_ = Some(type_.to_owned());
        }
        rest
    }
}

/// Splits a line that starts with a tag into the tag name and the rest.
fn tag(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix('@')?;
    let end = rest
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    (end > 0).then(|| (&rest[..end], rest[end..].trim()))
}

/// Strips a leading `[Type]`.
fn without_type(text: &str) -> (Option<&str>, &str) {
    let inner = text.strip_prefix('[').and_then(|it| {
        let mut depth = 1;
        let end = it.find(|c| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            depth == 0
        })?;
        Some((&it[..end], it[end + 1..].trim_start()))
    });
    match inner {
        Some((kind, rest)) => (Some(kind), rest),
        None => (None, text),
    }
}

/// Strips the common indentation.
fn without_indent(lines: &[&str]) -> String {
    let indent = lines
        .iter()
        .filter(|it| !it.trim().is_empty())
        .map(|it| it.len() - it.trim_start().len())
        .min();
    let lines = lines.iter().map(|it| it.get(indent.unwrap_or(0)..));
    let lines: Vec<_> = lines.map(Option::unwrap_or_default).collect();
    lines.join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(tag: &str, type_: Option<&str>, subject: Option<&str>, text: &str) -> DocTag {
        DocTag {
            tag: tag.to_owned(),
            type_: type_.map(str::to_owned),
            subject: subject.map(str::to_owned),
            text: text.to_owned(),
        }
    }

    #[test]
    fn separates_tags_from_text() {
        let comment = "@summary Short\n  and more.\n\nLong text.\n\n\
            @param x What `x` is\n  continued\n@param [Array[String]] y\n\
            @return [Integer] a number\n@example Use it\n  f(1)\n    .g\n@api private\nThe end.";
        let doc = Doc::parse(comment);
        assert_eq!(doc.text, "Long text.\n\nThe end.");
        assert_eq!(
            doc.tags,
            [
                tag("summary", None, None, "Short\nand more."),
                tag("param", None, Some("x"), "What `x` is\ncontinued"),
                tag("param", Some("Array[String]"), Some("y"), ""),
                tag("return", Some("Integer"), None, "a number"),
                tag("example", None, Some("Use it"), "f(1)\n  .g"),
                tag("api", None, None, "private"),
            ]
        );
        assert_eq!(doc.parameter("y").map(|it| it.text.as_str()), Some(""));
        assert_eq!(doc.parameter("z"), None);
    }

    #[test]
    fn text_without_tags_is_kept() {
        let doc = Doc::parse("@ home\nsomebody@example.org\n");
        assert_eq!(doc.text, "@ home\nsomebody@example.org");
        assert!(Doc::parse("").is_empty());
    }
}
