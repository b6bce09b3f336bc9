//! Paths of data files, relative to the folder of a layer.

/// Checks whether a path is in a folder. In the empty one, that of `hiera.yaml`, are only the files directly in it.
pub fn is_below(path: &str, folder: &str) -> bool {
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
