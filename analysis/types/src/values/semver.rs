//! Semantic versions.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A semantic version: `1.2.3-pre.1+build`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Version {
    major: Major,
    minor: u64,
    patch: u64,
    prerelease: Option<Arc<[Identifier]>>,
    build: Option<Arc<[Arc<str>]>>,
}

/// The major number. The upper bound of an open range is infinite.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Major {
    Number(u64),
    Infinity,
}

/// An identifier of the pre-release.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Identifier {
    // Numbers sort before words.
    Number(u64),
    Word(Arc<str>),
}

impl Version {
    /// `major.minor.patch`.
    pub fn new(major: u64, minor: u64, patch: u64) -> Version {
        Version {
            major: Major::Number(major),
            minor,
            patch,
            prerelease: None,
            build: None,
        }
    }

    /// Returns the lowest version: `0.0.0` with an empty pre-release.
    pub(super) fn min() -> Version {
        Version {
            prerelease: Some(Arc::from([])),
            ..Version::new(0, 0, 0)
        }
    }

    /// Returns a version above all others.
    pub(super) fn max() -> Version {
        Version {
            major: Major::Infinity,
            ..Version::new(0, 0, 0)
        }
    }

    /// Parses a version; returns `None` if the string is invalid or a number does not fit in 64
    /// bits.
    pub fn parse(text: &str) -> Option<Version> {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let (text, build) = match text.split_once('+') {
            Some((text, build)) => (text, Some(build)),
            None => (text, None),
        };
        let (text, prerelease) = match text.split_once('-') {
            Some((text, prerelease)) => (text, Some(prerelease)),
            None => (text, None),
        };
        let mut numbers = text.split('.').map(number);
        let (major, minor, patch) = (numbers.next()??, numbers.next()??, numbers.next()??);
        if numbers.next().is_some() {
            return None;
        }
        Version::new(major, minor, patch).qualified(prerelease, build)
    }

    /// Adds the pre-release and the build; returns `None` if one of them is invalid.
    pub fn qualified(self, prerelease: Option<&str>, build: Option<&str>) -> Option<Version> {
        let prerelease = match prerelease {
            Some(text) => Some(
                text.split('.')
                    .map(identifier)
                    .collect::<Option<Arc<[_]>>>()?,
            ),
            None => None,
        };
        let build = match build {
            Some(text) => {
                let parts = text.split('.').map(|it| is_part(it).then(|| Arc::from(it)));
                Some(parts.collect::<Option<Arc<[_]>>>()?)
            }
            None => None,
        };
        Some(Version {
            prerelease,
            build,
            ..self
        })
    }

    /// Adds the pre-release and the build as Puppet does for separate arguments: each of them is
    /// one identifier, including dots.
    pub fn with_words(self, prerelease: Option<&str>, build: Option<&str>) -> Version {
        Version {
            prerelease: prerelease.map(|it| Arc::from([Identifier::Word(it.into())])),
            build: build.map(|it| Arc::from([Arc::from(it)])),
            ..self
        }
    }

    /// Returns the major number; `None` for the upper bound of an open range.
    pub fn major(&self) -> Option<u64> {
        match self.major {
            Major::Number(it) => Some(it),
            Major::Infinity => None,
        }
    }

    /// Returns the minor number.
    pub fn minor(&self) -> u64 {
        self.minor
    }

    /// Returns the patch number.
    pub fn patch(&self) -> u64 {
        self.patch
    }

    /// Checks whether the version has no pre-release.
    pub fn is_stable(&self) -> bool {
        self.prerelease.as_ref().is_none_or(|it| it.is_empty())
    }

    /// Checks whether the major, minor and patch numbers are equal.
    pub(super) fn same_numbers(&self, other: &Version) -> bool {
        (self.major, self.minor, self.patch) == (other.major, other.minor, other.patch)
    }

    /// Returns the next patch version.
    pub(super) fn next_patch(&self) -> Version {
        let patch = self.patch.saturating_add(1);
        Version {
            patch,
            prerelease: None,
            build: None,
            ..self.clone()
        }
    }

    /// Compares by precedence, ignoring the build. Versions with equal precedence may therefore
    /// differ.
    pub fn order(&self, other: &Version) -> Ordering {
        let numbers = |it: &Version| (it.major, it.minor, it.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| {
            match (&self.prerelease, &other.prerelease) {
                (None, None) => Ordering::Equal,
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (Some(a), Some(b)) => a.cmp(b),
            }
        })
    }
}

/// Parses a number without leading zeros.
pub(super) fn number(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|it| it.is_ascii_digit());
    let leading = text.len() > 1 && text.starts_with('0');
    if plain && !leading {
        text.parse().ok()
    } else {
        None
    }
}

fn is_part(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'-')
}

fn identifier(text: &str) -> Option<Identifier> {
    if !is_part(text) {
        return None;
    }
    if text.bytes().all(|it| it.is_ascii_digit()) {
        return number(text).map(Identifier::Number);
    }
    Some(Identifier::Word(text.into()))
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.major {
            Major::Number(major) => write!(f, "{major}")?,
            Major::Infinity => f.write_str("Infinity")?,
        }
        write!(f, ".{}.{}", self.minor, self.patch)?;
        if let Some(prerelease) = &self.prerelease {
            for (index, part) in prerelease.iter().enumerate() {
                f.write_str(if index == 0 { "-" } else { "." })?;
                match part {
                    Identifier::Number(it) => write!(f, "{it}")?,
                    Identifier::Word(it) => f.write_str(it)?,
                }
            }
            if prerelease.is_empty() {
                f.write_str("-")?;
            }
        }
        if let Some(build) = &self.build {
            for (index, part) in build.iter().enumerate() {
                write!(f, "{}{part}", if index == 0 { "+" } else { "." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_formats_versions() {
        for text in ["1.2.3", "0.0.0", "1.2.3-rc.1", "1.2.3-rc1+b.2", "1.2.3+b"] {
            assert_eq!(Version::parse(text).expect("a version").to_string(), text);
        }
        for text in [
            "1.2", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3.4", "v1.2.3", "", "1.2.3+",
        ] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }

    #[test]
    fn orders_versions_by_precedence() {
        let order = [
            "0.9.9",
            "1.0.0-1",
            "1.0.0-a",
            "1.0.0-a.1",
            "1.0.0",
            "1.0.1",
            "1.10.0",
        ];
        let versions: Vec<Version> = order
            .iter()
            .map(|it| Version::parse(it).expect("a version"))
            .collect();
        for pair in versions.windows(2) {
            assert_eq!(
                pair[0].order(&pair[1]),
                Ordering::Less,
                "{} {}",
                pair[0],
                pair[1]
            );
        }
        let build = Version::parse("1.0.0+b").expect("a version");
        assert_eq!(build.order(&Version::new(1, 0, 0)), Ordering::Equal);
        assert_ne!(build, Version::new(1, 0, 0));
    }
}
