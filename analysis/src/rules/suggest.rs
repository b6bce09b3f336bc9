//! "Did you mean …?"

/// The candidate that is most like a name, if one is like it enough to be what was meant: one
/// letter in three may be wrong, but no more than three.
pub(super) fn similar<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    let near = candidates.into_iter().filter_map(|it| {
        let length = it.len().abs_diff(name.len());
        let distance = (length <= 3 && it != name).then(|| strsim::osa_distance(name, it))?;
        (distance <= limit).then_some((distance, it))
    });
    near.min().map(|it| it.1)
}

/// Whether a name is a candidate with one letter wrong, missing or too many, or two exchanged: so
/// much alike that it is hardly a name of its own.
pub(super) fn is_slip(name: &str, candidate: &str) -> bool {
    name.len().abs_diff(candidate.len()) <= 1 && strsim::osa_distance(name, candidate) <= 1
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
