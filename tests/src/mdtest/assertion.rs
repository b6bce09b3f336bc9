//! Assertions in comments.

use std::fmt;

/// An assertion in a comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// The claim.
    pub claim: Claim,
    /// Whether it holds in Puppet, but not yet in Pupil.
    pub todo: bool,
    /// The line in the block, counted from 1.
    pub line: usize,
    /// Whether it is on a line of its own, and therefore about a whole statement.
    pub alone: bool,
}

/// A claim about a statement, or about a line of a block that is not evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Its value, as Puppet source.
    Value(String),
    /// The detailed type of its value.
    Type(String),
    /// The reduced type, in which the types of elements are joined.
    Reduced(String),
    /// The generalized type, without ranges, sizes and strings.
    Generalized(String),
    /// It fails.
    Error(ExpectedProblem),
    /// A warning is reported.
    Warning(ExpectedProblem),
    /// The inferred type.
    Revealed(String),
    /// The value is unknown, for a reason that contains these words.
    Unknown(String),
    /// It does not fail.
    Fine,
}

/// An expected error or warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedProblem {
    /// The issue code of Puppet.
    pub code: String,
    /// A part of our message.
    pub text: Option<String>,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Value(it) => write!(f, "value: {it}"),
            Claim::Type(it) => write!(f, "type: {it}"),
            Claim::Reduced(it) => write!(f, "reduced: {it}"),
            Claim::Generalized(it) => write!(f, "generalized: {it}"),
            Claim::Error(it) => write!(f, "error: {it}"),
            Claim::Warning(it) => write!(f, "warning: {it}"),
            Claim::Revealed(it) => write!(f, "revealed: {it}"),
            Claim::Unknown(it) => write!(f, "unknown: {it}"),
            Claim::Fine => f.write_str("no error"),
        }
    }
}

impl fmt::Display for ExpectedProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => write!(f, "[{}] \"{text}\"", self.code),
            None => write!(f, "[{}]", self.code),
        }
    }
}

const KEYWORDS: [&str; 9] = [
    "value",
    "type",
    "reduced",
    "generalized",
    "error",
    "warning",
    "revealed",
    "unknown",
    "todo",
];

/// Reads the assertions of a comment, each after a `#`. A comment that does not start with one of
/// the keywords has none.
///
/// # Errors
/// If an assertion is malformed.
pub fn read(comment: &str, line: usize, alone: bool) -> Result<Vec<Assertion>, String> {
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = comment.strip_prefix('#').unwrap_or(comment);
    while let Some(at) = next_part(rest) {
        parts.push(&rest[..at]);
        rest = &rest[at + " #".len()..];
    }
    parts.push(rest);
    let read = |part: &str| {
        let claim = claim(part.trim()).transpose()?;
        Some(claim.map(|(claim, todo)| Assertion {
            claim,
            todo,
            line,
            alone,
        }))
    };
    parts.into_iter().filter_map(read).collect()
}

/// Returns the offset of the next ` # keyword:`.
fn next_part(text: &str) -> Option<usize> {
    let says = |at: &usize| {
        let tail = text[*at..].trim_start_matches(" #").trim_start();
        KEYWORDS.iter().any(|it| text_after(tail, it).is_some())
    };
    text.match_indices(" #").map(|(at, _)| at).find(says)
}

/// Returns the text after `keyword:`, which is empty after a bare `todo`.
fn text_after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let tail = text.strip_prefix(word)?;
    match tail.strip_prefix(':') {
        None if word == "todo" && tail.is_empty() => Some(""),
        tail => tail.map(str::trim),
    }
}

fn claim(text: &str) -> Result<Option<(Claim, bool)>, String> {
    if let Some(rest) = text_after(text, "todo") {
        if rest.is_empty() {
            return Ok(Some((Claim::Fine, true)));
        }
        return match plain_claim(rest)? {
            Some(claim) => Ok(Some((claim, true))),
            None => Err(format!("`{rest}` is not an assertion")),
        };
    }
    Ok(plain_claim(text)?.map(|it| (it, false)))
}

fn plain_claim(text: &str) -> Result<Option<Claim>, String> {
    let Some((word, rest)) = KEYWORDS
        .iter()
        .find_map(|it| Some((*it, text_after(text, it)?)))
    else {
        return Ok(None);
    };
    if rest.is_empty() {
        return Err(format!("`{word}:` lacks a value"));
    }
    let words = || rest.to_owned();
    Ok(Some(match word {
        "value" => Claim::Value(words()),
        "type" => Claim::Type(words()),
        "reduced" => Claim::Reduced(words()),
        "generalized" => Claim::Generalized(words()),
        "revealed" => Claim::Revealed(words()),
        "unknown" => Claim::Unknown(words()),
        "error" => Claim::Error(problem(rest)?),
        "warning" => Claim::Warning(problem(rest)?),
        _ => return Err(format!("`{text}` is not an assertion")),
    }))
}

/// Parses `[CODE]` or `[CODE] "text"`.
fn problem(text: &str) -> Result<ExpectedProblem, String> {
    let wrong = || format!("`{text}` does not have the form [CODE] \"text\"");
    let (code, tail) = text
        .strip_prefix('[')
        .and_then(|it| it.split_once(']'))
        .ok_or_else(wrong)?;
    let text = match tail.trim() {
        "" => None,
        quoted => Some(
            quoted
                .strip_prefix('"')
                .and_then(|it| it.strip_suffix('"'))
                .ok_or_else(wrong)?
                .to_owned(),
        ),
    };
    Ok(ExpectedProblem {
        code: code.to_owned(),
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(comment: &str) -> Vec<String> {
        let read = read(comment, 1, false).expect("it is well formed");
        let rendered =
            |it: &Assertion| format!("{}{}", if it.todo { "todo " } else { "" }, it.claim);
        read.iter().map(rendered).collect()
    }

    #[test]
    fn reads_assertions() {
        assert_eq!(rendered("# value: 'a # b'"), ["value: 'a # b'"]);
        assert_eq!(
            rendered("# value: 1 # type: Integer[1, 1]"),
            ["value: 1", "type: Integer[1, 1]"]
        );
        assert_eq!(rendered("# error: [A_B] \"x y\""), ["error: [A_B] \"x y\""]);
        assert_eq!(rendered("#todo: error: [A]"), ["todo error: [A]"]);
        assert_eq!(rendered("# todo"), ["todo no error"]);
        assert!(rendered("# the value: of it").is_empty());
        assert!(rendered("# todos").is_empty());
    }

    #[test]
    fn rejects_invalid_syntax() {
        for comment in [
            "# value:",
            "# error: A",
            "# error: [A] b",
            "# todo: one day",
        ] {
            assert!(read(comment, 1, false).is_err(), "{comment}");
        }
    }
}
