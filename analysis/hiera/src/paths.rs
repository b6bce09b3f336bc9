//! Paths of data files, relative to the folder of a layer.

/// Checks whether a path is in a folder. In the empty one, that of `hiera.yaml`, are only the files directly in it.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    if folder.is_empty() {
        return !path.contains('/');
    }
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|it| it.starts_with('/'))
}

/// Joins paths as `Pathname#+` does: an absolute path replaces the folder, and `..` is resolved unless
/// the part before it has an interpolation.
pub fn joined(folder: &str, path: &str) -> String {
    let whole = match path.starts_with('/') || folder.is_empty() {
        true => path.to_owned(),
        false => format!("{folder}/{path}"),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." if parts
                .last()
                .is_some_and(|it| *it != ".." && !it.contains("%{")) =>
            {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let root = if whole.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// Returns the paths that start with a prefix, out of sorted ones.
pub(crate) fn starting_with<'a, P: AsRef<str>>(sorted: &'a [P], start: &str) -> &'a [P] {
    let first = sorted.partition_point(|it| it.as_ref() < start);
    let rest = &sorted[first..];
    &rest[..rest.partition_point(|it| it.as_ref().starts_with(start))]
}

/// The folders of the data of a layer, sorted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Folders(Vec<String>);

impl Folders {
    pub(crate) fn new(mut folders: Vec<String>) -> Folders {
        folders.sort_unstable();
        folders.dedup();
        Folders(folders)
    }

    /// Iterates over the folders.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Checks whether a path [is below](is_below) one of the folders.
    pub fn contain(&self, path: &str) -> bool {
        if !path.contains('/') {
            return self.includes("");
        }
        self.include_ancestor(path)
    }

    /// Checks whether the folders include one, or one that contains it.
    pub(crate) fn cover(&self, folder: &str) -> bool {
        self.includes(folder) || self.include_ancestor(folder)
    }

    fn include_ancestor(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|it| it.0);
        let mut ancestors = ends.filter(|it| *it > 0).map(|it| &path[..it]);
        ancestors.any(|it| self.includes(it))
    }

    fn includes(&self, folder: &str) -> bool {
        let found = self.0.binary_search_by(|it| it.as_str().cmp(folder));
        found.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_contain_the_paths_below_them() {
        let all = ["", "a", "a/b", "a-c", "../d"];
        for count in 0..=all.len() {
            let some = &all[..count];
            let folders = Folders::new(some.iter().map(|it| (*it).to_owned()).collect());
            for path in [
                "x", "a", "a/x", "a/b/c", "a-c/x", "ab/c", "/x", "/a/x", "../d/x", "",
            ] {
                let expected = some.iter().any(|it| is_below(path, it));
                assert_eq!(folders.contain(path), expected, "{path} in {some:?}");
                let is_covered = |it: &&str| *it == path || !it.is_empty() && is_below(path, it);
                assert_eq!(folders.cover(path), some.iter().any(is_covered), "{path}");
            }
        }
    }

    #[test]
    fn finds_paths_by_their_start() {
        let sorted = ["a", "a/b", "a/c", "ab", "b"];
        assert_eq!(starting_with(&sorted, "a/"), ["a/b", "a/c"]);
        assert_eq!(starting_with(&sorted, "a"), ["a", "a/b", "a/c", "ab"]);
        assert_eq!(starting_with(&sorted, ""), sorted);
        assert_eq!(starting_with(&sorted, "c"), [""; 0]);
    }
}
