//! Suggestions of similar names ("did you mean …?").

use std::cell::Cell;
use std::cmp::Ordering;

/// The number of names that are compared for all suggestions of an item or a file. Thousands of unknown names
/// beside thousands of known ones would take minutes.
const MAX_COMPARED: usize = 1_000_000;

thread_local! {
    /// The number of names that may still be compared.
    static REMAINING: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Runs the checks of an item or a file, whose last suggestions are left out if there are too many.
pub fn with_limit<T>(check: impl FnOnce() -> T) -> T {
    // Restores the number even if cancellation unwinds the check.
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            REMAINING.set(self.0);
        }
    }
    let _restore = Restore(REMAINING.replace(MAX_COMPARED));
    check()
}

/// Returns the candidate that is most similar to a name, within an edit distance of a third of its
/// length and at most three. Of several at the same distance, that of the most likely typo.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut left = REMAINING.get();
    if left == 0 {
        return None;
    }
    let length = name.chars().count();
    // Every single character is one edit away from any other.
    if length < 2 {
        return None;
    }
    let limit = (length / 3).clamp(1, 3);
    let wanted = Pattern::of(name);
    let counted = candidates
        .into_iter()
        .inspect(|_| left = left.saturating_sub(1));
    let near = counted.filter_map(|it| {
        let possible = it != name && wanted.bytes.may_be_near(it, limit);
        let distance = possible.then(|| wanted.distance(it))?;
        (distance <= limit).then_some((distance, it))
    });
    let near = near.min_by_key(|(distance, it)| (*distance, typo(name, it), *it));
    let near = near.map(|it| it.1);
    REMAINING.set(left);
    near
}

/// The typo that turns a candidate into a name, the most likely one first; those at the start of a name are rare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Typo {
    /// A letter is missing, or two are exchanged.
    Omission,
    Addition,
    Replacement,
    ReplacedStart,
}

fn typo(name: &str, candidate: &str) -> Typo {
    let letters = |it: &str| {
        let mut letters: Vec<char> = it.chars().collect();
        letters.sort_unstable();
        letters
    };
    match candidate.len().cmp(&name.len()) {
        Ordering::Greater => Typo::Omission,
        Ordering::Less => Typo::Addition,
        Ordering::Equal if letters(name) == letters(candidate) => Typo::Omission,
        Ordering::Equal if name.chars().next() == candidate.chars().next() => Typo::Replacement,
        Ordering::Equal => Typo::ReplacedStart,
    }
}

/// Returns the only candidate that is a name in or without a namespace: `stdlib::merge` for `merge`, or the reverse.
pub fn in_other_namespace<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let mut left = REMAINING.get();
    let is_same = |it: &&str| {
        let (long, short) = match it.len() > name.len() {
            true => (*it, name),
            false => (name, *it),
        };
        let namespace = long.strip_suffix(short);
        namespace.is_some_and(|it| it.ends_with("::")) && !short.contains("::")
    };
    let counted = candidates.into_iter().take(left);
    let counted = counted.inspect(|_| left -= 1);
    let mut found = counted.filter(is_same);
    let first = found.next();
    let is_only = found.all(|it| Some(it) == first);
    REMAINING.set(left);
    first.filter(|_| is_only)
}

/// Checks whether a name is a likely typo: within one edit (substitution, insertion, deletion or
/// transposition) of the candidate.
pub fn is_slip(name: &str, candidate: &str) -> bool {
    let left = REMAINING.get();
    REMAINING.set(left.saturating_sub(1));
    left > 0
        && Bytes::of(name).may_be_near(candidate, 1)
        && strsim::osa_distance(name, candidate) <= 1
}

/// A name, prepared to be compared with many others.
struct Pattern<'n> {
    name: &'n str,
    bytes: Bytes,
    /// The positions of each ASCII character; `None` if the name is too long or not ASCII.
    positions: Option<Box<[u64; 128]>>,
}

impl Pattern<'_> {
    fn of(name: &str) -> Pattern<'_> {
        let is_short = name.is_ascii() && (1..=64).contains(&name.len());
        let positions = is_short.then(|| {
            let mut positions = Box::new([0; 128]);
            for (index, byte) in name.bytes().enumerate() {
                positions[usize::from(byte)] |= 1_u64 << index;
            }
            positions
        });
        Pattern {
            name,
            bytes: Bytes::of(name),
            positions,
        }
    }

    /// Returns the optimal string alignment distance. A file may have thousands of unknown names beside thousands of
    /// similar ones, so a column of the matrix is computed at a time, as differences in the bits of a word (Hyyrö,
    /// "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003).
    fn distance(&self, other: &str) -> usize {
        let Some(positions) = self.positions.as_ref().filter(|_| other.is_ascii()) else {
            return strsim::osa_distance(self.name, other);
        };
        let last = 1_u64 << (self.name.len() - 1);
        let mut distance = self.name.len();
        let (mut vertical_plus, mut vertical_minus) = (!0_u64, 0_u64);
        let (mut diagonal, mut matches_before) = (0_u64, 0_u64);
        for byte in other.bytes() {
            let matches = positions[usize::from(byte)];
            let transposed = ((!diagonal & matches) << 1) & matches_before;
            let carried = (matches & vertical_plus).wrapping_add(vertical_plus) ^ vertical_plus;
            diagonal = carried | matches | vertical_minus | transposed;
            let plus = vertical_minus | !(diagonal | vertical_plus);
            let minus = diagonal & vertical_plus;
            distance += usize::from(plus & last != 0);
            distance -= usize::from(minus & last != 0);
            let (plus, minus) = (plus << 1 | 1, minus << 1);
            vertical_plus = minus | !(diagonal | plus);
            vertical_minus = plus & diagonal;
            matches_before = matches;
        }
        distance
    }
}

/// A fingerprint of the bytes of a name. Comparing fingerprints is much faster than computing an edit
/// distance and rules out most candidates.
struct Bytes {
    length: usize,
    is_ascii: bool,
    /// One bit for each value of the low six bits of a byte.
    set: u64,
}

impl Bytes {
    fn of(name: &str) -> Bytes {
        Bytes {
            length: name.len(),
            is_ascii: name.is_ascii(),
            set: Bytes::set(name),
        }
    }

    fn set(name: &str) -> u64 {
        name.bytes().fold(0, |set, it| set | 1 << (it & 63))
    }

    /// Checks whether two names may be within `limit` edits: each edit removes a byte, adds one, or
    /// both. Names that are not ASCII always may.
    fn may_be_near(&self, other: &str, limit: usize) -> bool {
        if !self.is_ascii || !other.is_ascii() {
            return true;
        }
        let differ = || (self.set ^ Bytes::set(other)).count_ones() as usize;
        self.length.abs_diff(other.len()) <= limit && differ() <= 2 * limit
    }
}

/// Renders a suggestion to append to a message.
pub fn hint(candidate: Option<&str>) -> String {
    candidate.map_or(String::new(), |it| format!("; did you mean `{it}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_limited() {
        let known: Vec<String> = (0..1000).map(|it| format!("name{it:03}")).collect();
        let suggested = |count: usize| {
            let names = (0..count).map(|it| format!("name{it:03}x"));
            let found = names.filter_map(|it| similar(&it, known.iter().map(String::as_str)));
            found.count()
        };
        assert_eq!(with_limit(|| suggested(1000)), 1000);
        assert_eq!(with_limit(|| (suggested(1000), suggested(1000)).1), 0);
        assert_eq!(with_limit(|| suggested(1000)), 1000);
        assert_eq!((suggested(1000), suggested(1000)), (1000, 1000));
    }

    #[test]
    fn only_similar_names_are_suggested() {
        let known = ["package", "service", "user"];
        assert_eq!(similar("pakage", known), Some("package"));
        assert_eq!(similar("sevrice", known), Some("service"));
        assert_eq!(similar("use", known), Some("user"));
        assert_eq!(similar("group", known), None);
        assert_eq!(similar("user", known), None);
        assert!(is_slip("pakage", "package") && is_slip("uesr", "user"));
        assert!(!is_slip("sevrces", "service"));
    }

    #[test]
    fn the_most_likely_typo_is_suggested() {
        let known = ["force", "source", "tag", "stage", "mode"];
        assert_eq!(similar("sorce", known), Some("source"));
        assert_eq!(similar("tage", known), Some("stage"));
        assert_eq!(similar("mdoe", ["node", "mode"]), Some("mode"));
        assert_eq!(similar("modr", ["node", "modo", "mods"]), Some("modo"));
    }

    #[test]
    fn distances_are_those_of_the_library() {
        // All names of up to five letters of three, and long ones.
        let mut names = vec![String::new()];
        let mut start = 0;
        for _ in 0..5 {
            let end = names.len();
            for index in start..end {
                names.extend(["a", "b", "c"].map(|it| format!("{}{it}", names[index])));
            }
            start = end;
        }
        let long = [
            "x".repeat(64),
            "xy".repeat(32),
            "yx".repeat(32),
            "z".repeat(65),
        ];
        names.extend(long.into_iter().chain(["größe".to_owned()]));
        for name in &names {
            let pattern = Pattern::of(name);
            for other in names.iter().step_by(7) {
                assert_eq!(pattern.distance(other), strsim::osa_distance(name, other));
            }
        }
    }
}
