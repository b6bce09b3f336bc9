//! "Did you mean …?"

/// The candidate that is most like a name, if one is like it enough to be what was meant: one
/// letter in three may be wrong, but no more than three.
pub(super) fn similar<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    let wanted = Bytes::of(name);
    let near = candidates.into_iter().filter_map(|it| {
        let possible = it != name && wanted.may_be_near(&Bytes::of(it), limit);
        let distance = possible.then(|| strsim::osa_distance(name, it))?;
        (distance <= limit).then_some((distance, it))
    });
    near.min().map(|it| it.1)
}

/// Whether a name is a candidate with one letter wrong, missing or too many, or two exchanged: so
/// much alike that it is hardly a name of its own.
pub(super) fn is_slip(name: &str, candidate: &str) -> bool {
    Bytes::of(name).may_be_near(&Bytes::of(candidate), 1)
        && strsim::osa_distance(name, candidate) <= 1
}

/// Which bytes a name has: comparing these is much faster than comparing names, and tells most of
/// them apart.
struct Bytes {
    length: usize,
    is_ascii: bool,
    /// A bit for each byte, by its last six bits.
    set: u64,
}

impl Bytes {
    fn of(name: &str) -> Bytes {
        Bytes {
            length: name.len(),
            is_ascii: name.is_ascii(),
            set: name.bytes().fold(0, |set, it| set | 1 << (it & 63)),
        }
    }

    /// Whether no more than `limit` letters may be wrong: each takes away a byte, or brings one, or
    /// both. Of letters of several bytes nothing is said.
    fn may_be_near(&self, other: &Bytes, limit: usize) -> bool {
        let differ = (self.set ^ other.set).count_ones() as usize;
        !self.is_ascii
            || !other.is_ascii
            || self.length.abs_diff(other.length) <= limit && differ <= 2 * limit
    }
}

/// The end of a message that names the candidate.
pub(super) fn hint(candidate: Option<&str>) -> String {
    candidate.map_or(String::new(), |it| format!("; did you mean `{it}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_like_the_name() {
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
