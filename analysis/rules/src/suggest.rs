//! Suggestions of similar names ("did you mean …?").

/// Returns the candidate that is most similar to a name, within an edit distance of a third of its
/// length and at most three.
pub(crate) fn similar<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    let wanted = Bytes::of(name);
    let near = candidates.into_iter().filter_map(|it| {
        let possible = it != name && wanted.may_be_near(it, limit);
        let distance = possible.then(|| strsim::osa_distance(name, it))?;
        (distance <= limit).then_some((distance, it))
    });
    near.min().map(|it| it.1)
}

/// Checks whether a name is a likely typo: within one edit (substitution, insertion, deletion or
/// transposition) of the candidate.
pub(crate) fn is_slip(name: &str, candidate: &str) -> bool {
    Bytes::of(name).may_be_near(candidate, 1) && strsim::osa_distance(name, candidate) <= 1
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
pub(crate) fn hint(candidate: Option<&str>) -> String {
    candidate.map_or(String::new(), |it| format!("; did you mean `{it}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
