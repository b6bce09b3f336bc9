//! The contents of Ruby literals: quotes, escapes, indentation of heredocs.

/// The kind of quotes of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Quotes {
    /// Whether escapes and interpolation are processed.
    pub(super) interpolates: bool,
    /// The closing delimiter, which a backslash escapes.
    pub(super) close: char,
}

impl Quotes {
    /// Determines the kind from the delimiters: `'`, `"`, `%q(`, `:"`, `%w[` …
    pub(super) fn of(opening: &str, closing: &str) -> Quotes {
        let interpolates = match opening.strip_prefix('%') {
            Some(rest) => !rest.starts_with(['q', 'w', 'i', 's']),
            None => !opening.ends_with('\''),
        };
        let close = closing.chars().next_back().unwrap_or('\'');
        Quotes {
            interpolates,
            close,
        }
    }
}

/// Unescapes the contents of quotes that do not interpolate.
pub(super) fn raw_text(text: &str, close: char) -> String {
    let open = match close {
        ')' => '(',
        ']' => '[',
        '}' => '{',
        '>' => '<',
        other => other,
    };
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(&next) if c == '\\' && (next == '\\' || next == close || next == open) => {
                out.push(next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

/// Decodes an escape sequence; `None` if it does not denote a character.
pub(super) fn escape(sequence: &str) -> Option<String> {
    let rest = sequence.strip_prefix('\\')?;
    let kind = rest.chars().next()?;
    let hex = |digits: &str| {
        u32::from_str_radix(digits, 16)
            .ok()
            .and_then(char::from_u32)
    };
    let one = match kind {
        'n' => '\n',
        't' => '\t',
        's' => ' ',
        'r' => '\r',
        'e' => '\x1b',
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'v' => '\x0b',
        '\n' | '\r' => return Some(String::new()),
        'u' if rest.starts_with("u{") => {
            let inner = rest.get(2..)?.strip_suffix('}')?;
            return inner.split_whitespace().map(hex).collect();
        }
        'u' => hex(rest.get(1..)?)?,
        // Bytes above ASCII are parts of multi-byte characters.
        'x' => hex(rest.get(1..)?).filter(char::is_ascii)?,
        '0'..='7' => {
            let code = u32::from_str_radix(rest, 8).ok()?;
            char::from_u32(code).filter(char::is_ascii)?
        }
        'c' | 'C' | 'M' => return None,
        other => other,
    };
    Some(one.to_string())
}

/// Returns the tag of a heredoc: `EOT` of `<<-'EOT'`.
pub(super) fn heredoc_tag(beginning: &str) -> &str {
    let rest = beginning.trim_start_matches('<');
    let rest = rest.strip_prefix(['-', '~']).unwrap_or(rest);
    rest.trim_matches(['\'', '"', '`'])
}

/// The kind of a heredoc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Heredoc {
    /// Whether the indentation is stripped (`<<~`).
    pub(super) squiggly: bool,
    /// Whether escapes and interpolation are processed: unless the tag is in single quotes.
    pub(super) interpolates: bool,
}

impl Heredoc {
    pub(super) fn of(beginning: &str) -> Heredoc {
        Heredoc {
            squiggly: beginning.starts_with("<<~"),
            interpolates: !beginning.ends_with('\''),
        }
    }
}

/// Strips the common indentation of all lines that are not blank.
pub(super) fn without_margin(text: &str) -> String {
    let margin = text.lines().filter(|it| !it.trim().is_empty()).map(indent);
    cut(text, margin.min().unwrap_or(0))
}

/// Like [`without_margin`], for a string whose first line follows the opening quote and is not
/// indented.
pub(super) fn without_hanging_margin(text: &str) -> String {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let mut margin: Vec<&str> = rest.lines().collect();
    if first.starts_with([' ', '\t']) {
        margin.push(first);
    }
    let margin = margin.into_iter().filter(|it| !it.trim().is_empty());
    let text = cut(text, margin.map(indent).min().unwrap_or(0));
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim().to_owned()
}

/// Returns the length of the leading whitespace.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

fn cut(text: &str, margin: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let keep = line.trim_end_matches(['\r', '\n']);
        let from = margin.min(indent(keep));
        out.push_str(line.get(from..).unwrap_or_default());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_determine_interpolation() {
        let close = |opening, closing| Quotes::of(opening, closing);
        assert!(!close("'", "'").interpolates);
        assert!(close("\"", "\"").interpolates);
        assert!(!close("%q(", ")").interpolates);
        assert!(close("%Q(", ")").interpolates);
        assert!(close("%(", ")").interpolates);
        assert!(!close(":'", "'").interpolates);
        assert_eq!(close("%w[", "]").close, ']');
    }

    #[test]
    fn decodes_escapes() {
        assert_eq!(escape(r"\n").as_deref(), Some("\n"));
        assert_eq!(escape(r"\u00e9").as_deref(), Some("é"));
        assert_eq!(escape(r"\u{41 42}").as_deref(), Some("AB"));
        assert_eq!(escape(r"\x41").as_deref(), Some("A"));
        assert_eq!(escape(r"\101").as_deref(), Some("A"));
        assert_eq!(escape(r"\q").as_deref(), Some("q"));
        assert_eq!(escape(r"\xff"), None);
        assert_eq!(escape(r"\C-a"), None);
        assert_eq!(escape("\\"), None);
    }

    #[test]
    fn raw_text_keeps_other_backslashes() {
        assert_eq!(raw_text(r"a\'b\\c\d", '\''), r"a'b\c\d");
        assert_eq!(raw_text(r"a\(b\)", ')'), "a(b)");
        assert_eq!(raw_text("\\", '\''), "\\");
    }

    #[test]
    fn strips_margins() {
        assert_eq!(without_margin("  a\n\n    b\n"), "a\n\n  b\n");
        assert_eq!(
            without_hanging_margin("First\n    second\n      third  \n   "),
            "First\nsecond\n  third"
        );
        assert_eq!(without_hanging_margin("\n    a\n      b\n"), "a\n  b");
        assert_eq!(without_hanging_margin(""), "");
    }

    #[test]
    fn parses_heredoc_openings() {
        assert_eq!(heredoc_tag("<<-'EOT'"), "EOT");
        assert_eq!(heredoc_tag("<<~DOC"), "DOC");
        assert!(!Heredoc::of("<<-'EOT'").interpolates);
        assert!(Heredoc::of("<<~\"EOT\"").squiggly);
    }
}
