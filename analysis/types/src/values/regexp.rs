//! Regular expressions: Ruby's syntax, run by `fancy-regex` with limits.

mod classes;
mod translate;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use rustc_hash::FxHashMap;

/// The maximum amount of backtracking of a match.
const BACKTRACK_LIMIT: usize = 100_000;
/// The maximum length of a source to compile, in bytes.
const MAX_SOURCE: usize = 16 * 1024;
/// The maximum memory of a compiled expression, in bytes.
const SIZE_LIMIT: usize = 4 * 1024 * 1024;

/// A regular expression. Two of them are equal if their sources are.
#[derive(Clone)]
pub struct Regexp(Arc<Inner>);

struct Inner {
    source: Box<str>,
    /// The compiled expressions for subjects without and with a trailing newline.
    compiled: [OnceLock<Compiled>; 2],
}

/// The result of compiling an expression.
type Compiled = Result<Arc<fancy_regex::Regex>, RegexpError>;

/// A cache of recently compiled expressions: the same code is evaluated again after each edit, and
/// many files use the same expressions.
static RECENT: LazyLock<Mutex<Recent>> = LazyLock::new(Mutex::default);

/// The expressions of the two last generations. A full generation replaces the one before it.
#[derive(Default)]
struct Recent {
    newest: Generation,
    older: Generation,
}

/// Keyed by the source and whether the subject has a trailing newline.
type Generation = FxHashMap<(Box<str>, bool), Compiled>;

/// The capacity of a generation.
const MAX_RECENT: usize = 64;

impl Recent {
    fn get(&self, key: &(Box<str>, bool)) -> Option<Compiled> {
        let found = self.newest.get(key).or_else(|| self.older.get(key));
        found.cloned()
    }

    fn insert(&mut self, key: (Box<str>, bool), compiled: Compiled) {
        if self.newest.len() >= MAX_RECENT {
            self.older = std::mem::take(&mut self.newest);
        }
        self.newest.insert(key, compiled);
    }
}

/// The reason why a regular expression cannot be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegexpError {
    /// The expression is invalid in Ruby as well, with the reason.
    Invalid(String),
    /// The expression is valid in Ruby but not supported here, with the reason.
    Unsupported(String),
    /// The match exceeded the backtracking limit.
    TooSlow,
}

impl fmt::Display for RegexpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegexpError::Invalid(what) => write!(f, "invalid regular expression: {what}"),
            RegexpError::Unsupported(what) => write!(f, "unsupported regular expression: {what}"),
            RegexpError::TooSlow => {
                f.write_str("regular expression exceeds the backtracking limit")
            }
        }
    }
}

/// The captures of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Captures {
    /// The whole match and the numbered groups; `None` for a group that did not participate.
    pub groups: Vec<Option<Arc<str>>>,
}

impl Regexp {
    /// Creates a regular expression from its source, without delimiters. It is compiled on first
    /// use.
    pub fn new(source: &str) -> Regexp {
        Regexp(Arc::new(Inner {
            source: source.into(),
            compiled: Default::default(),
        }))
    }

    /// Returns the source, without delimiters.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Checks whether Ruby fixes the encoding to UTF-8, and then prints the expression as a group
    /// with its options: if it contains non-ASCII characters or Unicode escapes.
    pub fn is_tied(&self) -> bool {
        let mut escaped = false;
        self.source().chars().any(|char| {
            let number = escaped && char == 'u';
            escaped = char == '\\' && !escaped;
            number || !char.is_ascii()
        })
    }

    /// Checks whether the expression can be run.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be run.
    pub fn check(&self) -> Result<(), RegexpError> {
        self.compiled("").map(|_| ())
    }

    /// Checks whether the expression matches anywhere in the string.
    ///
    /// # Errors
    ///
    /// The reason why this cannot be decided.
    pub fn is_match(&self, text: &str) -> Result<bool, RegexpError> {
        self.compiled(text)?
            .is_match(text)
            .map_err(|_| RegexpError::TooSlow)
    }

    /// Returns the first match in the string.
    ///
    /// # Errors
    ///
    /// The reason why this cannot be decided.
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

    /// Returns the compiled expression for this string, for functions that replace or split.
    ///
    /// # Errors
    ///
    /// The reason why the expression cannot be run.
    pub fn compiled(&self, text: &str) -> Result<&fancy_regex::Regex, RegexpError> {
        let newline = text.ends_with('\n') && self.0.source.contains('^');
        self.0.compiled[usize::from(newline)]
            .get_or_init(|| recent(&self.0.source, newline))
            .as_deref()
            .map_err(Clone::clone)
    }
}

/// Returns a cached expression, or compiles and caches it.
fn recent(source: &str, newline: bool) -> Compiled {
    let key = (Box::from(source), newline);
    let known = RECENT.lock().ok().and_then(|it| it.get(&key));
    let compiled = known.unwrap_or_else(|| compile(source, newline).map(Arc::new));
    if let Ok(mut recent) = RECENT.lock()
        && !recent.newest.contains_key(&key)
    {
        recent.insert(key, compiled.clone());
    }
    compiled
}

fn compile(source: &str, newline: bool) -> Result<fancy_regex::Regex, RegexpError> {
    if source.len() > MAX_SOURCE {
        return Err(RegexpError::Unsupported("source too long".to_owned()));
    }
    let tree = syntax::regex::parse(source).map_err(|error| RegexpError::Invalid(error.message))?;
    let translated = translate::translate(&tree, newline)?;
    fancy_regex::RegexBuilder::new(&translated)
        .backtrack_limit(BACKTRACK_LIMIT)
        .delegate_size_limit(SIZE_LIMIT)
        .delegate_dfa_size_limit(SIZE_LIMIT)
        .build()
        // Ruby accepts the expression, so the other engine lacks something.
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

/// Formats the expression between slashes, which are escaped inside. See [`Regexp::is_tied`].
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
    fn captures_groups() {
        let found = groups("(a)(x)?(b)", "cab").expect("matches");
        let found: Vec<Option<&str>> = found.iter().map(|it| it.as_deref()).collect();
        assert_eq!(found, [Some("ab"), Some("a"), None, Some("b")]);
        assert_eq!(groups("^x", "ax"), None);
    }

    #[test]
    fn limits_catastrophic_backtracking() {
        let regexp = Regexp::new(r"^(?:(a|aa)+)\1?(?!x)c$");
        let text = "a".repeat(60) + "b";
        assert_eq!(regexp.is_match(&text), Err(RegexpError::TooSlow));
    }

    #[test]
    fn escapes_slashes_once() {
        assert_eq!(Regexp::new("a/b").to_string(), r"/a\/b/");
        assert_eq!(Regexp::new(r"a\/b").to_string(), r"/a\/b/");
        assert_eq!(Regexp::new("ä/").to_string(), r"/(?-mix:ä\/)/");
        assert_eq!(Regexp::new(r"\u00e9").to_string(), r"/(?-mix:\u00e9)/");
        assert_eq!(Regexp::new(r"\\u").to_string(), r"/\\u/");
    }
}
