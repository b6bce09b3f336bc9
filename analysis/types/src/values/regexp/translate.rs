//! Translates Ruby's regular expressions to those of `fancy-regex`.
//!
//! The parser of Ruby's syntax has resolved escapes of characters, comments and option `x`. The
//! other differences, and how they are handled:
//!
//! | Ruby | here |
//! |---|---|
//! | `^` and `$` match at every line | `(?m)` is always on |
//! | `^` does not match after a trailing newline | expanded for subjects that end in one |
//! | `.` with `(?m)` matches newlines | the flag is called `s` |
//! | `\d \w \s` are ASCII (`\b` is not) | expanded to classes |
//! | `\h`, `\H`, `\R`, `\Z` | expanded |
//! | `[[:alpha:]]` and the like support Unicode | expanded to Unicode classes |
//! | `\p{Alpha}`, `\p{Lu}`, `\p{Greek}`, `\p{^L}`, `\P{L}` | those, general categories and common scripts |
//! | `(?=a)*`, `\Z{2}` | wrapped in an alternative, since assertions cannot be repeated |
//! | named groups make plain groups non-capturing | the same |
//! | `(?<name>…)` and `\k<name>` | the same; a name must be a word |
//! | `\g<name>`, `(?~…)`, conditionals, `\X`, other properties | not supported |

use std::fmt::Write;

use syntax::regex::{
    Anchor, Backref, CharSet, CharSetKind, Class, ClassItem, Node, NodeId, Options, Tree,
    UnicodeMode,
};

use super::{RegexpError, classes};

type Result<T = ()> = std::result::Result<T, RegexpError>;

/// The maximum depth of the tree. `fancy-regex` accepts 64 levels of groups.
const MAX_DEPTH: u32 = 256;

/// Translates an expression for subjects with or without a trailing newline.
///
/// # Errors
///
/// If the expression uses syntax that cannot be translated.
pub(super) fn translate(tree: &Tree, ends_in_newline: bool) -> Result<String> {
    let mut translator = Translator {
        tree,
        out: "(?m)".to_owned(),
        depth: 0,
        line_start: if ends_in_newline {
            r"(?:\A|(?<=\n)(?!\z))"
        } else {
            "^"
        },
        unicode: UnicodeMode::Default,
    };
    if let Node::Capture { target, .. } = tree.node(tree.root()) {
        translator.node(target)?;
    }
    Ok(translator.out)
}

fn unsupported(what: &str) -> RegexpError {
    RegexpError::Unsupported(what.to_owned())
}

struct Translator<'t> {
    tree: &'t Tree,
    out: String,
    depth: u32,
    /// The translation of `^`.
    line_start: &'static str,
    /// The option in effect.
    unicode: UnicodeMode,
}

impl Translator<'_> {
    fn node(&mut self, id: NodeId) -> Result {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(unsupported("nesting too deep"));
        }
        match self.tree.node(id) {
            Node::Empty => {}
            Node::Char(ch) => self.escaped(ch, r"\.+*?()|[]{}^$#"),
            Node::Dot => self.out.push('.'),
            Node::Set(set) => self.set(set)?,
            Node::Class(class) => self.class(class)?,
            Node::Anchor(anchor) => self.anchor(anchor)?,
            Node::LineBreak => self.out.push_str(r"(?>\r\n|[\n-\r\x{85}\x{2028}\x{2029}])"),
            Node::List(children) => {
                for child in self.tree.children(children) {
                    match self.tree.node(*child) {
                        Node::Alternatives(_) => self.group("(?:", *child)?,
                        _ => self.node(*child)?,
                    }
                }
            }
            Node::Alternatives(children) => {
                for (index, child) in self.tree.children(children).iter().enumerate() {
                    if index > 0 {
                        self.out.push('|');
                    }
                    self.node(*child)?;
                }
            }
            Node::Repeat {
                target,
                lower,
                upper,
                lazy,
            } => {
                self.repeated(target)?;
                let _ = match (lower, upper) {
                    (0, None) => write!(self.out, "*"),
                    (1, None) => write!(self.out, "+"),
                    (0, Some(1)) => write!(self.out, "?"),
                    (lower, None) => write!(self.out, "{{{lower},}}"),
                    (lower, Some(upper)) => write!(self.out, "{{{lower},{upper}}}"),
                };
                if lazy {
                    self.out.push('?');
                }
            }
            Node::Capture { target, name, .. } => self.capture(target, name)?,
            Node::Atomic(target) => self.group("(?>", target)?,
            Node::Look {
                target,
                behind,
                negative,
            } => {
                let open = match (behind, negative) {
                    (false, false) => "(?=",
                    (false, true) => "(?!",
                    (true, false) => "(?<=",
                    (true, true) => "(?<!",
                };
                self.group(open, target)?;
            }
            Node::Options { target, options } => self.options(target, options)?,
            Node::Backref(backref) => self.backref(backref)?,
            Node::Grapheme => return Err(unsupported("\\X")),
            Node::Absent(_) => return Err(unsupported("absent operator")),
            Node::Condition(_) => return Err(unsupported("conditional")),
            Node::Call => return Err(unsupported("subexpression call")),
        }
        self.depth -= 1;
        Ok(())
    }

    fn group(&mut self, open: &str, contents: NodeId) -> Result {
        self.out.push_str(open);
        self.node(contents)?;
        self.out.push(')');
        Ok(())
    }

    /// Translates the target of a quantifier to one atom.
    fn repeated(&mut self, target: NodeId) -> Result {
        match self.tree.node(target) {
            // These cannot be repeated.
            Node::Empty | Node::Anchor(_) | Node::Look { .. } => {
                self.out.push_str("(?:");
                self.node(target)?;
                self.out.push_str("|(?!))");
                Ok(())
            }
            Node::List(_) | Node::Alternatives(_) | Node::Repeat { .. } => {
                self.group("(?:", target)
            }
            _ => self.node(target),
        }
    }

    fn escaped(&mut self, ch: char, special: &str) {
        if special.contains(ch) {
            self.out.extend(['\\', ch]);
        } else if ch.is_ascii_whitespace() || ch.is_ascii_control() {
            let _ = write!(self.out, "\\x{:02X}", u32::from(ch));
        } else {
            self.out.push(ch);
        }
    }

    fn anchor(&mut self, anchor: Anchor) -> Result {
        let is_boundary = matches!(anchor, Anchor::WordBoundary | Anchor::NoWordBoundary);
        if is_boundary && self.unicode == UnicodeMode::Ascii {
            return Err(unsupported("word boundary within `(?a)`"));
        }
        self.out.push_str(match anchor {
            Anchor::LineStart => self.line_start,
            Anchor::LineEnd => "$",
            Anchor::TextStart => r"\A",
            Anchor::TextEnd => r"\z",
            Anchor::LastLineEnd => r"(?=\n?\z)",
            Anchor::WordBoundary => r"\b",
            Anchor::NoWordBoundary => r"\B",
            Anchor::SearchStart => r"\G",
            Anchor::Keep => r"\K",
        });
        Ok(())
    }

    fn capture(&mut self, target: NodeId, name: Option<u32>) -> Result {
        let Some(name) = name else {
            let captures = self.tree.captures(None);
            return self.group(if captures { "(" } else { "(?:" }, target);
        };
        let name = self.tree.names().get(name as usize);
        let word = |it: char| it == '_' || it.is_alphanumeric();
        match name.filter(|it| it.text.chars().all(word)) {
            Some(name) => self.group(&format!("(?P<{}>", name.text), target),
            None => Err(unsupported("group name")),
        }
    }

    fn backref(&mut self, backref: Backref) -> Result {
        if backref.has_level {
            return Err(unsupported("backref with recursion level"));
        }
        let number = backref.group;
        let mut names = self.tree.names().iter();
        let name = names.find(|it| it.groups.contains(&number));
        if name.is_some_and(|it| it.groups.len() > 1) {
            return Err(unsupported("backref to several groups"));
        }
        let _ = match name {
            Some(name) => write!(self.out, "(?P={})", name.text),
            None => write!(self.out, "(?:\\{number})"),
        };
        Ok(())
    }

    fn options(&mut self, target: NodeId, options: Options) -> Result {
        let flags = [(options.ignore_case, 'i'), (options.dot_matches_all, 's')];
        let set = |to: bool| {
            let flags = flags.iter().filter(move |(value, _)| *value == Some(to));
            flags.map(|(_, flag)| *flag).collect::<String>()
        };
        let (on, off) = (set(true), set(false));
        let dash = if off.is_empty() { "" } else { "-" };
        let outer = self.unicode;
        self.unicode = options.unicode.unwrap_or(outer);
        self.group(&format!("(?{on}{dash}{off}:"), target)?;
        self.unicode = outer;
        Ok(())
    }

    fn class(&mut self, class: Class) -> Result {
        const SPECIAL: &str = r"\[]^-&~#";
        for item in self.tree.class_items(class) {
            match *item {
                ClassItem::Open { negated } => self.out.push_str(if negated { "[^" } else { "[" }),
                ClassItem::Close => self.out.push(']'),
                ClassItem::And => self.out.push_str("&&"),
                ClassItem::Char(ch) => self.escaped(ch, SPECIAL),
                ClassItem::Range(from, to) => {
                    self.escaped(from, SPECIAL);
                    self.out.push('-');
                    self.escaped(to, SPECIAL);
                }
                ClassItem::Set(set) => self.set(set)?,
            }
        }
        Ok(())
    }

    /// Translates a set of characters, within or outside of a class.
    fn set(&mut self, set: CharSet) -> Result {
        let unicode = self.unicode == UnicodeMode::Unicode;
        let property;
        let contents = match set.kind {
            CharSetKind::Digit if unicode => r"\p{Nd}",
            CharSetKind::Digit => "0-9",
            CharSetKind::Word if unicode => r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}",
            CharSetKind::Word => "a-zA-Z0-9_",
            CharSetKind::Space if unicode => r"\p{White_Space}",
            CharSetKind::Space => r" \t\r\n\x0C\x0B",
            CharSetKind::HexDigit => "0-9a-fA-F",
            CharSetKind::Posix(_) | CharSetKind::Property(_)
                if self.unicode == UnicodeMode::Ascii =>
            {
                return Err(unsupported("character property within `(?a)`"));
            }
            CharSetKind::Posix(name) | CharSetKind::Property(name) => {
                property = classes::property(name);
                property
                    .as_deref()
                    .ok_or_else(|| unsupported("character property"))?
            }
        };
        let negated = if set.negated { "^" } else { "" };
        let _ = write!(self.out, "[{negated}{contents}]");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Regexp;
    use super::*;

    fn found(pattern: &str, text: &str) -> Option<String> {
        let found = Regexp::new(pattern).captures(text).expect("runs")?;
        found
            .groups
            .first()
            .cloned()
            .flatten()
            .map(|it| it.to_string())
    }

    #[test]
    fn matches_like_ruby() {
        let cases = [
            (r"^b$", "a\nb\nc", Some("b")),
            (r"\Aa.b", "a\nb", None),
            (r"(?m:a.b)", "a\nb", Some("a\nb")),
            (r"\w+", "é9_", Some("9_")),
            (r"[[:alpha:]]+", "é9", Some("é")),
            (r"\h+", "xyzBEEFq", Some("BEEF")),
            (r"a{,2}", "aaa", Some("aa")),
            (r"a{2}?", "aaaa", Some("aa")),
            (r"a{1,2}?", "aaaa", Some("a")),
            (r"a**b", "aab", Some("aab")),
            (r"{", "{", Some("{")),
            (r"]", "]", Some("]")),
            (r"[]a]+", "a]a", Some("a]a")),
            (r"x\Z", "x\n", Some("x")),
            (r"x\z", "x\n", None),
            (r"(?i)ab|cd", "CD", Some("CD")),
            (r"a(?i)b|c", "aC", Some("aC")),
            (r"(?x) a b # c", "ab", Some("ab")),
            (r"(?<!x)a", "xa a", Some("a")),
            (r"[a-f&&[^b]]+", "bacde", Some("acde")),
            (r"\u00e9\x41", "éA", Some("éA")),
            (r"(?#note)a", "a", Some("a")),
            (r"[^/]+", "a/b", Some("a")),
            (r"(a)\1", "aa", Some("aa")),
            (r"\p{Alpha}+\P{L}\p{^Lu}", "1éA_b", Some("éA_b")),
            (r"[\p{Greek}x]+", "aλx", Some("λx")),
            (r"a(?=b)*(?!c){2}b", "ab", Some("ab")),
            (r"\Z{2}", "a", Some("")),
            (r"a\Kb", "ab", Some("b")),
            (r"\Gb", "ab", None),
            (r"(?u:\w+)\w", "é9a", Some("é9a")),
            (r"(?a)\w\W", "éaé", Some("aé")),
            (r"[a-[b]c]+", "-dabc", Some("abc")),
            (r"[a-[b]]", "a-b", Some("b")),
            (r"(a)\k<-1>", "aa", Some("aa")),
            (r"(a)(?:b)(c)\2", "abcc", Some("abcc")),
            (r"\x2a\n[\n-]", "*\n-", Some("*\n-")),
            (r"(?:a|b)c|(?:de){2}", "dedebc", Some("dede")),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(
                found(pattern, text).as_deref(),
                expected,
                "/{pattern}/ on {text:?}"
            );
        }
    }

    #[test]
    fn caret_does_not_match_after_the_last_newline() {
        assert_eq!(found("^$", "a\n"), None);
        assert_eq!(found("^b", "a\nb\n").as_deref(), Some("b"));
        assert_eq!(found("^", "").as_deref(), Some(""));
    }

    #[test]
    fn named_groups_make_plain_groups_non_capturing() {
        let groups = Regexp::new("(?<first>.)(.)")
            .captures("xy")
            .expect("runs")
            .expect("matches");
        assert_eq!(groups.groups.len(), 2);
    }

    #[test]
    fn rejects_invalid_expressions() {
        for pattern in [
            "**",
            "a|*",
            "{1}",
            "a{2,1}",
            "(",
            ")",
            "[a",
            "a\\",
            "(?<1>a)",
            r"\2(a)",
            r"\p{Nope}",
        ] {
            let error = Regexp::new(pattern).check();
            assert!(
                matches!(error, Err(RegexpError::Invalid(_))),
                "/{pattern}/: {error:?}"
            );
        }
    }

    #[test]
    fn reports_unsupported_expressions() {
        for pattern in [
            r"(?<a>.)\g<a>",
            r"\X",
            r"(?~a)",
            r"(a)?(?(1)b|c)",
            r"\p{Punct}",
            r"(?<a>.)(?<a>.)\k<a>",
            r"(?<a-b>.)",
        ] {
            let error = Regexp::new(pattern).check();
            assert!(
                matches!(error, Err(RegexpError::Unsupported(_))),
                "/{pattern}/: {error:?}"
            );
        }
    }
}
