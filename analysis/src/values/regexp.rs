//! Regular expressions: Ruby's syntax, run by `fancy-regex` within a limit.

mod classes;
mod translate;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use rustc_hash::FxHashMap;

/// How much backtracking a match may take before it is given up.
const BACKTRACK_LIMIT: usize = 100_000;
/// Longer sources are not compiled.
const MAX_SOURCE: usize = 16 * 1024;
/// How much memory a compiled expression may take, in bytes.
const SIZE_LIMIT: usize = 4 * 1024 * 1024;

/// A regular expression, which is the same as another one if it is written the same.
#[derive(Clone)]
pub struct Regexp(Arc<Inner>);

struct Inner {
    source: Box<str>,
    /// For texts that do not end in a newline, and for those that do.
    compiled: [OnceLock<Compiled>; 2],
}

/// What became of one.
type Compiled = Result<Arc<fancy_regex::Regex>, RegexpError>;

/// Those that were compiled of late: the same code is evaluated again after each edit, and many
/// files match the same.
static RECENT: LazyLock<Mutex<Recent>> = LazyLock::new(Mutex::default);

/// By the source, and whether it is for texts that end in a newline.
type Recent = FxHashMap<(Box<str>, bool), Compiled>;

/// How many of them are kept.
const MAX_RECENT: usize = 128;

/// Why a regular expression cannot be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegexpError {
    /// It is wrong, in Ruby too; with what is wrong with it.
    Invalid(String),
    /// Ruby could run it, but this program cannot, with the reason.
    Unsupported(String),
    /// It ran too long.
    TooSlow,
}

impl fmt::Display for RegexpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegexpError::Invalid(what) => write!(f, "the regular expression is wrong: {what}"),
            RegexpError::Unsupported(what) => write!(f, "the regular expression uses {what}"),
            RegexpError::TooSlow => f.write_str("the regular expression takes too long to match"),
        }
    }
}

/// What a match found: the whole of it, then each group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Captures {
    /// The text of the match and of each numbered group, nothing for a group that took no part.
    pub groups: Vec<Option<Arc<str>>>,
}

impl Regexp {
    /// A regular expression in Ruby's syntax, without delimiters. It is not looked at before it
    /// is needed.
    pub fn new(source: &str) -> Regexp {
        Regexp(Arc::new(Inner {
            source: source.into(),
            compiled: Default::default(),
        }))
    }

    /// As it is written, without delimiters.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Whether Ruby ties it to UTF-8, and then shows it as a group with its options: where it has
    /// other characters than those of ASCII, or their numbers.
    pub fn is_tied(&self) -> bool {
        let mut escaped = false;
        self.source().chars().any(|char| {
            let number = escaped && char == 'u';
            escaped = char == '\\' && !escaped;
            number || !char.is_ascii()
        })
    }

    /// Whether it can be run.
    ///
    /// # Errors
    ///
    /// Why not.
    pub fn check(&self) -> Result<(), RegexpError> {
        self.compiled("").map(|_| ())
    }

    /// Whether it matches somewhere in the text.
    ///
    /// # Errors
    ///
    /// Why that cannot be found out.
    pub fn is_match(&self, text: &str) -> Result<bool, RegexpError> {
        self.compiled(text)?
            .is_match(text)
            .map_err(|_| RegexpError::TooSlow)
    }

    /// The first match in the text.
    ///
    /// # Errors
    ///
    /// Why that cannot be found out.
    pub fn captures(&self, text: &str) -> Result<Option<Captures>, RegexpError> {
        let found = self
            .compiled(text)?
            .captures(text)
            .map_err(|_| RegexpError::TooSlow)?;
        Ok(found.map(|found| Captures {
            groups: found
                .iter()
                .map(|group| Some(group?.as_str().into()))
                .collect(),
        }))
    }

    /// The expression as the crate that runs it has it, to be run on this text: for functions that
    /// replace or split.
    ///
    /// # Errors
    ///
    /// Why it cannot be run.
    pub fn compiled(&self, text: &str) -> Result<&fancy_regex::Regex, RegexpError> {
        let newline = text.ends_with('\n') && self.0.source.contains('^');
        self.0.compiled[usize::from(newline)]
            .get_or_init(|| recent(&self.0.source, newline))
            .as_deref()
            .map_err(Clone::clone)
    }
}

/// One that was compiled of late, or is now.
fn recent(source: &str, newline: bool) -> Compiled {
    let key = (Box::from(source), newline);
    let known = RECENT.lock().ok().and_then(|it| it.get(&key).cloned());
    known.unwrap_or_else(|| {
        let compiled = compile(source, newline).map(Arc::new);
        if let Ok(mut recent) = RECENT.lock() {
            if recent.len() >= MAX_RECENT {
                recent.clear();
            }
            recent.insert(key, compiled.clone());
        }
        compiled
    })
}

fn compile(source: &str, newline: bool) -> Result<fancy_regex::Regex, RegexpError> {
    if source.len() > MAX_SOURCE {
        return Err(RegexpError::Unsupported(
            "more text than is tried".to_owned(),
        ));
    }
    let translated = translate::translate(source, newline)?;
    fancy_regex::RegexBuilder::new(&translated)
        .backtrack_limit(BACKTRACK_LIMIT)
        .delegate_size_limit(SIZE_LIMIT)
        .delegate_dfa_size_limit(SIZE_LIMIT)
        .build()
        // The translation covers what Ruby accepts only in part, so that the other engine's
        // refusal is no proof that Ruby refuses.
        .map_err(|error| RegexpError::Unsupported(error.to_string()))
}

impl PartialEq for Regexp {
    fn eq(&self, other: &Regexp) -> bool {
        self.0.source == other.0.source
    }
}

impl Eq for Regexp {}

impl Hash for Regexp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.source.hash(state);
    }
}

impl fmt::Debug for Regexp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Regexp({self})")
    }
}

/// Between slashes; slashes inside are escaped. See [`Regexp::is_tied`].
impl fmt::Display for Regexp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        const GROUP: &str = "(?-mix:";
        let group = self.is_tied() && !self.source().starts_with(GROUP);
        f.write_char('/')?;
        if group {
            f.write_str(GROUP)?;
        }
        let mut escaped = false;
        for char in self.0.source.chars() {
            match char {
                '/' if !escaped => f.write_str("\\/")?,
                char if char.is_ascii_control() && !('\t'..='\r').contains(&char) => {
                    write!(f, "\\x{:02X}", u32::from(char))?;
                }
                char => f.write_char(char)?,
            }
            escaped = char == '\\' && !escaped;
        }
        f.write_str(if group { ")/" } else { "/" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(pattern: &str, text: &str) -> Option<Vec<Option<String>>> {
        let found = Regexp::new(pattern).captures(text).expect("runs")?;
        Some(
            found
                .groups
                .into_iter()
                .map(|it| it.map(|it| it.to_string()))
                .collect(),
        )
    }

    #[test]
    fn groups_are_captured() {
        let found = groups("(a)(x)?(b)", "cab").expect("matches");
        let found: Vec<Option<&str>> = found.iter().map(|it| it.as_deref()).collect();
        assert_eq!(found, [Some("ab"), Some("a"), None, Some("b")]);
        assert_eq!(groups("^x", "ax"), None);
    }

    #[test]
    fn a_catastrophe_ends() {
        let regexp = Regexp::new(r"^(?:(a|aa)+)\1?(?!x)c$");
        let text = "a".repeat(60) + "b";
        assert_eq!(regexp.is_match(&text), Err(RegexpError::TooSlow));
    }

    #[test]
    fn slashes_are_escaped_once() {
        assert_eq!(Regexp::new("a/b").to_string(), r"/a\/b/");
        assert_eq!(Regexp::new(r"a\/b").to_string(), r"/a\/b/");
        assert_eq!(Regexp::new("ä/").to_string(), r"/(?-mix:ä\/)/");
        assert_eq!(Regexp::new(r"\u00e9").to_string(), r"/(?-mix:\u00e9)/");
        assert_eq!(Regexp::new(r"\\u").to_string(), r"/\\u/");
    }
}
