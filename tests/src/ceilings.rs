//! Ceilings: counts in the repository that may only fall.
//!
//! A file has a line `name TAB count` per ceiling. `PUPIL_BLESS` lowers ceilings, but never raises
//! them: to accept a higher count, edit the file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use crate::env;

/// Counts by name.
pub type Counts = BTreeMap<String, usize>;

/// Compares counts with the ceilings in a file of `tests`. A missing name has the ceiling 0.
///
/// # Panics
/// If a count differs from its ceiling, unless it is below and `PUPIL_BLESS` is set. If the file
/// cannot be read or written.
pub fn assert_within(file: &str, counts: &Counts) {
    let path = crate::corpus::tests_dir().join(file);
    let text = fs::read_to_string(&path).unwrap_or_default();
    let checked = check(&parse(&text), counts);
    if env::bless() && checked.lowered != parse(&text) {
        fs::write(&path, render(&text, &checked.lowered)).expect("the ceilings can be written");
    }
    assert!(
        checked.above.is_empty(),
        "{}",
        above_message(file, &checked.above)
    );
    assert!(
        env::bless() || checked.below.is_empty(),
        "{}",
        below_message(file, &checked.below)
    );
}

/// Compares a list with the one in a file of `tests` that may only get shorter.
///
/// # Panics
/// If the lists differ, unless the new one is not longer and `PUPIL_BLESS` is set. If the file cannot
/// be read or written.
pub fn assert_list_not_longer(file: &str, list: &str) {
    let path = crate::corpus::tests_dir().join(file);
    let known = fs::read_to_string(&path).unwrap_or_default();
    if known == list {
        return;
    }
    let (before, now) = (known.lines().count(), list.lines().count());
    assert!(
        now <= before,
        "tests/{file} has {before} lines, but {now} are needed. PUPIL_BLESS does not make the list \
         longer; to accept the new lines, add them by hand:\n{}",
        new_lines(&known, list)
    );
    assert!(
        env::bless(),
        "tests/{file} is outdated; set PUPIL_BLESS=1 to update it. New lines:\n{}",
        new_lines(&known, list)
    );
    fs::write(&path, list).expect("the list can be written");
}

fn new_lines(known: &str, list: &str) -> String {
    let known: BTreeSet<_> = known.lines().collect();
    let new = list.lines().filter(|it| !known.contains(it));
    new.collect::<Vec<_>>().join("\n")
}

/// The result of a comparison.
#[derive(Default)]
struct Checked {
    /// The names whose count is above the ceiling: name, count, ceiling.
    above: Vec<(String, usize, usize)>,
    /// The names whose count is below the ceiling.
    below: Vec<(String, usize, usize)>,
    /// The ceilings after blessing.
    lowered: Counts,
}

fn check(ceilings: &Counts, counts: &Counts) -> Checked {
    let mut checked = Checked::default();
    let names: BTreeSet<_> = ceilings.keys().chain(counts.keys()).collect();
    for name in names {
        let count = counts.get(name).copied().unwrap_or_default();
        let ceiling = ceilings.get(name).copied().unwrap_or_default();
        let difference = (name.clone(), count, ceiling);
        match count.cmp(&ceiling) {
            std::cmp::Ordering::Greater => checked.above.push(difference),
            std::cmp::Ordering::Less => checked.below.push(difference),
            std::cmp::Ordering::Equal => {}
        }
        let lowered = count.min(ceiling);
        if lowered > 0 {
            checked.lowered.insert(name.clone(), lowered);
        }
    }
    checked
}

fn above_message(file: &str, above: &[(String, usize, usize)]) -> String {
    let mut message = String::new();
    for (name, count, ceiling) in above {
        let _ = writeln!(message, "{name}: {count} is above the ceiling of {ceiling}");
    }
    let _ = write!(
        message,
        "PUPIL_BLESS only lowers ceilings; to accept a higher count, edit tests/{file}"
    );
    message
}

fn below_message(file: &str, below: &[(String, usize, usize)]) -> String {
    let mut message = String::new();
    for (name, count, ceiling) in below {
        let _ = writeln!(message, "{name}: {count} is below the ceiling of {ceiling}");
    }
    let _ = write!(message, "set PUPIL_BLESS=1 to lower tests/{file}");
    message
}

fn parse(text: &str) -> Counts {
    let rows = text.lines().filter(|it| !it.starts_with('#'));
    rows.map(|row| {
        let (name, ceiling) = row.rsplit_once('\t').expect("a name and a ceiling");
        (name.to_owned(), ceiling.parse().expect("a number"))
    })
    .collect()
}

/// Renders a file with the comments of the old one.
fn render(old: &str, ceilings: &Counts) -> String {
    let mut text = String::new();
    for comment in old.lines().filter(|it| it.starts_with('#')) {
        let _ = writeln!(text, "{comment}");
    }
    for (name, ceiling) in ceilings {
        let _ = writeln!(text, "{name}\t{ceiling}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(all: &[(&str, usize)]) -> Counts {
        all.iter().map(|it| (it.0.to_owned(), it.1)).collect()
    }

    #[test]
    fn blessing_lowers_ceilings() {
        let checked = check(
            &counts(&[("a", 3), ("b", 2)]),
            &counts(&[("a", 1), ("b", 0)]),
        );
        assert!(checked.above.is_empty());
        assert_eq!(checked.below.len(), 2);
        assert_eq!(checked.lowered, counts(&[("a", 1)]));
    }

    #[test]
    fn blessing_never_raises_ceilings() {
        let checked = check(&counts(&[("a", 1)]), &counts(&[("a", 2), ("new", 1)]));
        assert_eq!(checked.above.len(), 2);
        assert_eq!(checked.lowered, counts(&[("a", 1)]));
        let message = above_message("x.tsv", &checked.above);
        assert!(
            message.starts_with("a: 2 is above the ceiling of 1\n"),
            "{message}"
        );
        assert!(
            message.contains("PUPIL_BLESS only lowers ceilings"),
            "{message}"
        );
    }

    #[test]
    fn removes_names_that_are_no_longer_counted() {
        let checked = check(&counts(&[("gone", 2)]), &counts(&[]));
        assert_eq!(checked.below.len(), 1);
        assert_eq!(checked.lowered, counts(&[]));
    }

    #[test]
    fn keeps_the_comments_of_a_file() {
        let text = "# Comment.\na b\t3\n";
        assert_eq!(parse(text), counts(&[("a b", 3)]));
        assert_eq!(render(text, &counts(&[("a b", 2)])), "# Comment.\na b\t2\n");
    }
}
