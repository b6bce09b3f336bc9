//! Ranges of semantic versions.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use super::Version;
use super::semver::number;

/// A range of versions: one or more intervals. It keeps the source that Puppet prints; equality is
/// that of the intervals.
#[derive(Clone, Debug)]
pub struct VersionRange(Arc<Data>);

#[derive(Debug)]
struct Data {
    intervals: Vec<Interval>,
    text: String,
}

/// An interval. Puppet distinguishes notations even if they are equivalent.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Interval {
    All,
    Bound(Bound),
    Between(Bound, Bound),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Bound {
    kind: Kind,
    version: Version,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    After,
    From,
    Before,
    UpTo,
    Exactly,
}

impl Kind {
    fn with(self, version: Version) -> Interval {
        Interval::Bound(Bound {
            kind: self,
            version,
        })
    }
}

impl Bound {
    fn begin(&self) -> Version {
        match self.kind {
            Kind::Before | Kind::UpTo => Version::min(),
            _ => self.version.clone(),
        }
    }

    fn end(&self) -> Version {
        match self.kind {
            Kind::After | Kind::From => Version::max(),
            _ => self.version.clone(),
        }
    }

    fn includes(&self, version: &Version) -> bool {
        let order = version.order(&self.version);
        match self.kind {
            Kind::After => order == Ordering::Greater,
            Kind::From => order != Ordering::Less,
            Kind::Before => order == Ordering::Less,
            Kind::UpTo => order != Ordering::Greater,
            Kind::Exactly => *version == self.version,
        }
    }

    fn is_lower(&self) -> bool {
        match self.kind {
            Kind::After => true,
            Kind::From | Kind::Exactly => self.version != Version::min(),
            _ => false,
        }
    }

    fn is_upper(&self) -> bool {
        match self.kind {
            Kind::Before => true,
            Kind::UpTo | Kind::Exactly => self.version != Version::max(),
            _ => false,
        }
    }

    /// A pre-release is in a range only if a bound of the range is a pre-release of the same
    /// version.
    fn allows_prerelease(&self, version: &Version) -> bool {
        !self.version.is_stable() && self.version.same_numbers(version)
    }
}

impl Interval {
    fn begin(&self) -> Version {
        match self {
            Interval::All => Version::min(),
            Interval::Bound(it) | Interval::Between(it, _) => it.begin(),
        }
    }

    fn end(&self) -> Version {
        match self {
            Interval::All => Version::max(),
            Interval::Bound(it) | Interval::Between(_, it) => it.end(),
        }
    }

    fn excludes_begin(&self) -> bool {
        match self {
            Interval::All => false,
            Interval::Bound(it) | Interval::Between(it, _) => it.kind == Kind::After,
        }
    }

    fn excludes_end(&self) -> bool {
        match self {
            Interval::All => false,
            Interval::Bound(it) | Interval::Between(_, it) => it.kind == Kind::Before,
        }
    }

    fn is_lower(&self) -> bool {
        match self {
            Interval::All => false,
            Interval::Bound(it) | Interval::Between(it, _) => it.is_lower(),
        }
    }

    fn is_upper(&self) -> bool {
        match self {
            Interval::All => false,
            Interval::Bound(it) | Interval::Between(_, it) => it.is_upper(),
        }
    }

    fn includes(&self, version: &Version) -> bool {
        match self {
            Interval::All => true,
            Interval::Bound(it) => it.includes(version),
            Interval::Between(min, max) => min.includes(version) && max.includes(version),
        }
    }

    fn allows_prerelease(&self, version: &Version) -> bool {
        match self {
            Interval::All => true,
            Interval::Bound(it) => it.allows_prerelease(version),
            Interval::Between(min, max) => {
                min.allows_prerelease(version) || max.allows_prerelease(version)
            }
        }
    }

    fn between(min: &Interval, max: &Interval) -> Interval {
        let lower = match min {
            Interval::Bound(it) | Interval::Between(it, _) => it.clone(),
            Interval::All => Bound {
                kind: Kind::From,
                version: Version::min(),
            },
        };
        let upper = match max {
            Interval::Bound(it) | Interval::Between(_, it) => it.clone(),
            Interval::All => Bound {
                kind: Kind::UpTo,
                version: Version::max(),
            },
        };
        Interval::Between(lower, upper)
    }

    fn intersection(&self, other: &Interval) -> Option<Interval> {
        if *self == Interval::All {
            return Some(other.clone());
        }
        match self.begin().order(&other.end()) {
            Ordering::Greater => return None,
            Ordering::Equal => {
                let open = self.excludes_begin() || other.excludes_end();
                return (!open).then(|| Kind::Exactly.with(self.begin()));
            }
            Ordering::Less => {}
        }
        match other.begin().order(&self.end()) {
            Ordering::Greater => return None,
            Ordering::Equal => {
                let open = other.excludes_begin() || self.excludes_end();
                return (!open).then(|| Kind::Exactly.with(other.begin()));
            }
            Ordering::Less => {}
        }
        let min = match self.begin().order(&other.begin()) {
            Ordering::Less => other,
            Ordering::Greater => self,
            Ordering::Equal if self.excludes_begin() => self,
            Ordering::Equal => other,
        };
        let max = match self.end().order(&other.end()) {
            Ordering::Greater => other,
            Ordering::Less => self,
            Ordering::Equal if self.excludes_end() => self,
            Ordering::Equal => other,
        };
        Some(if !max.is_upper() {
            min.clone()
        } else if !min.is_lower() {
            max.clone()
        } else {
            Interval::between(min, max)
        })
    }

    /// Returns the union of two intervals that overlap or are adjacent.
    fn merge(&self, other: &Interval) -> Option<Interval> {
        if *self == Interval::All {
            return Some(Interval::All);
        }
        if self.includes(&other.begin()) || other.includes(&self.begin()) {
            let (min, open_begin) = match self.begin().order(&other.begin()) {
                Ordering::Less => (self.begin(), self.excludes_begin()),
                Ordering::Greater => (other.begin(), other.excludes_begin()),
                Ordering::Equal => (
                    self.begin(),
                    self.excludes_begin() && other.excludes_begin(),
                ),
            };
            let (max, open_end) = match self.end().order(&other.end()) {
                Ordering::Greater => (self.end(), self.excludes_end()),
                Ordering::Less => (other.end(), other.excludes_end()),
                Ordering::Equal => (self.end(), self.excludes_end() && other.excludes_end()),
            };
            let min = if open_begin { Kind::After } else { Kind::From }.with(min);
            let max = if open_end { Kind::Before } else { Kind::UpTo }.with(max);
            return min.intersection(&max);
        }
        let meets = |a: &Interval, b: &Interval| {
            let touch = if a.excludes_end() {
                a.end()
            } else {
                a.end().next_patch()
            };
            !b.excludes_begin() && touch == b.begin()
        };
        if meets(self, other) {
            Interval::join(self, other)
        } else if meets(other, self) {
            Interval::join(other, self)
        } else {
            None
        }
    }

    fn join(first: &Interval, second: &Interval) -> Option<Interval> {
        let min = if first.excludes_begin() {
            Kind::After
        } else {
            Kind::From
        };
        let max = if second.excludes_end() {
            Kind::Before
        } else {
            Kind::UpTo
        };
        min.with(first.begin())
            .intersection(&max.with(second.end()))
    }
}

/// Merges items until nothing changes: the last item absorbs the earlier ones in turn, and so on
/// with those that remain. Also returns whether any were merged.
fn merge_all<T>(mut items: Vec<T>, merge: impl Fn(&T, &T) -> Option<T>) -> (Vec<T>, bool) {
    let (mut result, mut merged_any) = (Vec::new(), false);
    while let Some(mut taken) = items.pop() {
        let mut left = Vec::new();
        for item in items {
            match merge(&taken, &item) {
                Some(wider) => {
                    merged_any = true;
                    taken = wider;
                }
                None => left.push(item),
            }
        }
        result.push(taken);
        items = left;
    }
    result.reverse();
    (result, merged_any)
}

impl VersionRange {
    fn new(mut intervals: Vec<Interval>, text: Option<String>) -> VersionRange {
        let mut again = true;
        while intervals.len() > 1 && again {
            (intervals, again) = merge_all(intervals, Interval::merge);
        }
        if intervals.is_empty() {
            intervals.push(Kind::Before.with(Version::min()));
        }
        let text = text.unwrap_or_else(|| {
            intervals
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" || ")
        });
        VersionRange(Arc::new(Data { intervals, text }))
    }

    /// Returns the range from `min` to `max`. Puppet prints such a range with its bounds swapped.
    pub fn between(min: &Version, max: &Version, exclude_max: bool) -> VersionRange {
        let kind = if exclude_max {
            Kind::Before
        } else {
            Kind::UpTo
        };
        let text = if exclude_max {
            format!(">={max} <{min}")
        } else {
            format!("{max} - {min}")
        };
        let interval = Kind::From
            .with(min.clone())
            .intersection(&kind.with(max.clone()));
        VersionRange::new(interval.into_iter().collect(), Some(text))
    }

    /// Like [`VersionRange::between`], with open bounds for missing versions.
    pub fn from_ends(
        min: Option<&Version>,
        max: Option<&Version>,
        exclude_max: bool,
    ) -> VersionRange {
        let (lowest, highest) = (Version::min(), Version::max());
        VersionRange::between(min.unwrap_or(&lowest), max.unwrap_or(&highest), exclude_max)
    }

    /// Returns the range that contains a single version.
    pub fn of_version(version: &Version) -> VersionRange {
        VersionRange::between(version, version, false)
    }

    /// Parses a range: comparisons, `~`, `^`, `x`, `a - b` and `||`. Returns `None` if the string
    /// is invalid.
    pub fn parse(text: &str) -> Option<VersionRange> {
        if text.trim().is_empty() && !text.is_empty() {
            // Unlike the empty string, which matches everything, whitespace matches nothing.
            return Some(VersionRange::new(Vec::new(), Some(text.to_owned())));
        }
        if text.starts_with(char::is_whitespace) && !text.trim_start().starts_with("||") {
            return None;
        }
        let tightened = tighten(text);
        let mut intervals: Vec<Interval> = Vec::new();
        let mut alternatives: Vec<&str> = tightened.split("||").map(str::trim).collect();
        while alternatives.last().is_some_and(|it| it.is_empty()) {
            alternatives.pop();
        }
        if alternatives.is_empty() {
            return Some(VersionRange::new(vec![Interval::All], Some("*".to_owned())));
        }
        for alternative in alternatives {
            if alternative.is_empty() {
                continue;
            }
            let Some(interval) = parse_alternative(alternative)? else {
                continue;
            };
            if !intervals.contains(&interval) {
                intervals.push(interval);
            }
        }
        Some(VersionRange::new(intervals, Some(text.to_owned())))
    }

    /// Checks whether the range includes the version.
    pub fn includes(&self, version: &Version) -> bool {
        self.0.intervals.iter().any(|it| {
            it.includes(version) && (version.is_stable() || it.allows_prerelease(version))
        })
    }

    fn single(&self) -> Option<&Interval> {
        match &self.0.intervals[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the lower bound, if the range is a single interval.
    pub fn begin(&self) -> Option<Version> {
        self.single().map(Interval::begin)
    }

    /// Returns the upper bound, if the range is a single interval.
    pub fn end(&self) -> Option<Version> {
        self.single().map(Interval::end)
    }

    /// Checks whether the upper bound is exclusive, if the range is a single interval.
    pub fn excludes_end(&self) -> Option<bool> {
        self.single().map(Interval::excludes_end)
    }

    /// Checks whether this range is a subrange of the other one by the rules of types. Ranges of
    /// several intervals never are; Puppet raises an error for them.
    fn covered_by(&self, other: &VersionRange) -> bool {
        let (Some(a), Some(b)) = (self.single(), other.single()) else {
            return false;
        };
        b.begin().order(&a.begin()) != Ordering::Greater
            && match b.end().order(&a.end()) {
                Ordering::Greater => true,
                Ordering::Equal => !b.excludes_end() || a.excludes_end(),
                Ordering::Less => false,
            }
    }

    /// Returns the union of two ranges that overlap or are adjacent, by the rules of types.
    fn merge_for_type(&self, other: &VersionRange) -> Option<VersionRange> {
        let (a, b) = (self.single()?, other.single()?);
        if self.includes(&b.begin()) || other.includes(&a.begin()) {
            let order = a.end().order(&b.end());
            let max = if order == Ordering::Less {
                b.end()
            } else {
                a.end()
            };
            let exclude = if a.excludes_end() {
                order == Ordering::Greater || order == Ordering::Equal && b.excludes_end()
            } else if b.excludes_end() {
                order == Ordering::Less
            } else {
                false
            };
            let (x, y) = (a.begin(), b.begin());
            let min = if y.order(&x) == Ordering::Less { y } else { x };
            Some(VersionRange::between(&min, &max, exclude))
        } else if a.excludes_end() && a.end() == b.begin() {
            Some(VersionRange::between(
                &a.begin(),
                &b.end(),
                b.excludes_end(),
            ))
        } else if b.excludes_end() && b.end() == a.begin() {
            Some(VersionRange::between(
                &b.begin(),
                &a.end(),
                a.excludes_end(),
            ))
        } else {
            None
        }
    }
}

/// Merges the ranges of a `SemVer` type that overlap or are adjacent.
pub fn merge_type_ranges(ranges: Vec<VersionRange>) -> Vec<VersionRange> {
    if ranges.len() < 2 {
        return ranges;
    }
    merge_all(ranges, VersionRange::merge_for_type).0
}

/// Checks whether a `SemVer` type with the ranges `to` accepts one with the ranges `from`.
pub fn ranges_cover(to: &[VersionRange], from: &[VersionRange]) -> bool {
    to.is_empty()
        || !from.is_empty()
            && from
                .iter()
                .all(|from| to.iter().any(|to| from.covered_by(to)))
}

/// Removes whitespace (and a `v`) between an operator and its version.
fn tighten(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        out.push(char);
        rest = &rest[char.len_utf8()..];
        if matches!(char, '>' | '<' | '=' | '~' | '^') {
            let trimmed = rest.trim_start();
            if let Some(after) = trimmed
                .strip_prefix('v')
                .filter(|_| trimmed.len() == rest.len())
            {
                rest = after;
            } else {
                rest = trimmed;
            }
        }
    }
    out
}

/// Parses one alternative of `||`; the inner `None` is an empty interval.
fn parse_alternative(text: &str) -> Option<Option<Interval>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if let [low, "-", high] = words[..] {
        let low = Kind::From.with(Partial::parse(low)?.lowest()?);
        let high = Kind::UpTo.with(Partial::parse(high)?.lowest()?);
        return Some(low.intersection(&high));
    }
    let mut result: Option<Option<Interval>> = None;
    for word in words {
        let next = parse_simple(word)?;
        result = Some(match result {
            None => Some(next),
            Some(before) => before?.intersection(&next),
        });
    }
    result
}

fn parse_simple(text: &str) -> Option<Interval> {
    const OPERATORS: [&str; 9] = ["~>", "~=", "~", "^", ">=", ">", "<=", "<", "="];
    let (operator, rest) = OPERATORS
        .iter()
        .find_map(|operator| Some((*operator, text.strip_prefix(operator)?)))
        .unwrap_or(("", text));
    let partial = Partial::parse(rest)?;
    match operator {
        "~" | "~>" | "~=" => partial.patch_updates(true),
        "^" if partial.major == Some(0) => partial.patch_updates(true),
        "^" => partial.minor_updates(),
        ">" => partial.after(),
        ">=" => Some(Kind::From.with(partial.lowest()?)),
        "<" => Some(Kind::Before.with(partial.lowest()?)),
        "<=" => partial.up_to(),
        _ => partial.patch_updates(false),
    }
}

/// A version whose trailing numbers may be missing or `x`.
struct Partial<'a> {
    major: Option<u64>,
    minor: Option<u64>,
    patch: Option<u64>,
    prerelease: Option<&'a str>,
    build: Option<&'a str>,
}

impl<'a> Partial<'a> {
    fn parse(text: &'a str) -> Option<Partial<'a>> {
        let (numbers, prerelease, build) = split_qualifiers(text);
        let parts: Vec<Option<u64>> = numbers
            .split('.')
            .map(|it| match it {
                "x" | "X" | "*" => Some(None),
                it => number(it).map(Some),
            })
            .collect::<Option<_>>()?;
        let at = |index: usize| parts.get(index).copied().flatten();
        if parts.len() > 3 || parts.len() < 3 && (prerelease.is_some() || build.is_some()) {
            return None;
        }
        // Validate the qualifiers.
        Version::new(0, 0, 0).qualified(prerelease, build)?;
        Some(Partial {
            major: at(0),
            minor: at(1),
            patch: at(2),
            prerelease,
            build,
        })
    }

    fn version(&self, major: u64, minor: u64, patch: u64) -> Option<Version> {
        Version::new(major, minor, patch).qualified(self.prerelease, self.build)
    }

    fn lowest(&self) -> Option<Version> {
        let or_zero = |it: Option<u64>| it.unwrap_or(0);
        self.version(
            or_zero(self.major),
            or_zero(self.minor),
            or_zero(self.patch),
        )
    }

    fn patch_updates(&self, up: bool) -> Option<Interval> {
        let Some(major) = self.major else {
            return Some(Interval::All);
        };
        let Some(minor) = self.minor else {
            return half_open(
                Version::new(major, 0, 0),
                Version::new(major.checked_add(1)?, 0, 0),
            );
        };
        let next = Version::new(major, minor.checked_add(1)?, 0);
        let Some(patch) = self.patch else {
            return half_open(Version::new(major, minor, 0), next);
        };
        let version = self.version(major, minor, patch)?;
        if up {
            half_open(version, next)
        } else {
            Some(Kind::Exactly.with(version))
        }
    }

    fn minor_updates(&self) -> Option<Interval> {
        let major = self.major?;
        half_open(self.lowest()?, Version::new(major.checked_add(1)?, 0, 0))
    }

    fn after(&self) -> Option<Interval> {
        let Some(major) = self.major else {
            return Some(Kind::Before.with(Version::min()));
        };
        let Some(minor) = self.minor else {
            return Some(Kind::From.with(Version::new(major.checked_add(1)?, 0, 0)));
        };
        Some(match self.patch {
            None => Kind::From.with(Version::new(major, minor.checked_add(1)?, 0)),
            Some(patch) => Kind::After.with(self.version(major, minor, patch)?),
        })
    }

    fn up_to(&self) -> Option<Interval> {
        let major = self.major?;
        let Some(minor) = self.minor else {
            return Some(Kind::Before.with(Version::new(major.checked_add(1)?, 0, 0)));
        };
        Some(match self.patch {
            None => Kind::Before.with(Version::new(major, minor.checked_add(1)?, 0)),
            Some(patch) => Kind::UpTo.with(self.version(major, minor, patch)?),
        })
    }
}

fn half_open(min: Version, max: Version) -> Option<Interval> {
    let min = Bound {
        kind: Kind::From,
        version: min,
    };
    Some(Interval::Between(
        min,
        Bound {
            kind: Kind::Before,
            version: max,
        },
    ))
}

fn split_qualifiers(text: &str) -> (&str, Option<&str>, Option<&str>) {
    let (text, build) = match text.split_once('+') {
        Some((text, build)) => (text, Some(build)),
        None => (text, None),
    };
    match text.split_once('-') {
        Some((text, prerelease)) => (text, Some(prerelease), build),
        None => (text, None, build),
    }
}

impl PartialEq for VersionRange {
    fn eq(&self, other: &VersionRange) -> bool {
        self.0.intervals == other.0.intervals
    }
}

impl Eq for VersionRange {}

impl fmt::Display for VersionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Interval::All => f.write_str("*"),
            Interval::Bound(it) => it.fmt(f),
            Interval::Between(min, max) => write!(f, "{min} {max}"),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operator = match self.kind {
            Kind::After => ">",
            Kind::From => ">=",
            Kind::Before => "<",
            Kind::UpTo => "<=",
            Kind::Exactly => "",
        };
        write!(f, "{operator}{}", self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn includes(range: &str, version: &str) -> bool {
        let range = VersionRange::parse(range).expect("a range");
        range.includes(&Version::parse(version).expect("a version"))
    }

    #[test]
    fn includes_versions() {
        let cases = [
            (">=1.0.0 <2.0.0", "1.9.9", true),
            (">=1.0.0 <2.0.0", "2.0.0", false),
            ("1.x", "1.5.0", true),
            ("1.2.x", "1.3.0", false),
            ("~1.2.3", "1.2.9", true),
            ("~1.2.3", "1.3.0", false),
            ("^1.2.3", "1.9.0", true),
            ("^0.2.3", "0.3.0", false),
            ("1.0.0 - 2.0.0", "2.0.0", true),
            (">1.2", "1.2.9", false),
            (">1.2", "1.3.0", true),
            ("<=1", "1.9.9", true),
            ("1.0.0 || 2.0.0", "2.0.0", true),
            ("*", "9.9.9", true),
            (">=1.0.0", "1.5.0-rc1", false),
            (">=1.5.0-a", "1.5.0-rc1", true),
            ("> v1.0.0", "1.0.1", true),
        ];
        for (range, version, expected) in cases {
            if range.contains(" v") {
                assert!(VersionRange::parse(range).is_none(), "{range}");
                continue;
            }
            assert_eq!(includes(range, version), expected, "{range} {version}");
        }
    }

    #[test]
    fn prints_swapped_bounds_like_puppet() {
        let (one, two) = (Version::new(1, 0, 0), Version::new(2, 0, 0));
        assert_eq!(
            VersionRange::between(&one, &two, false).to_string(),
            "2.0.0 - 1.0.0"
        );
        assert_eq!(
            VersionRange::between(&one, &two, true).to_string(),
            ">=2.0.0 <1.0.0"
        );
    }

    #[test]
    fn merges_ranges_of_types() {
        let parse = |it| VersionRange::parse(it).expect("a range");
        let merged = merge_type_ranges(vec![parse(">=1.0.0 <2.0.0"), parse("1.5.x")]);
        assert_eq!(merged.len(), 1);
        assert_eq!(merged[0].to_string(), "2.0.0 - 1.0.0");
        assert_eq!(merge_type_ranges(vec![parse("1.x"), parse("3.x")]).len(), 2);
    }
}
