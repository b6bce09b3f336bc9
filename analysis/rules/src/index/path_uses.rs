//! The paths of templates and files of modules that a source contains, in any form: `example/a.erb`,
//! `puppet:///modules/example/a`, `"${module_name}/a.erb"`.

use std::collections::BTreeSet;

use library::{KnownFunction, NamedEntity};

/// Stands for a computed part of a path.
const COMPUTED: char = '*';
/// The folder of modules in the URLs of files.
const MODULES: &str = "modules/";
/// The interpolation of the name of the module.
const MODULE_NAME: &str = "module_name";

/// Returns the paths in a source, with `*` for computed parts and without a leading slash; `module` is the value of
/// `$module_name`.
pub(crate) fn paths(text: &str, module: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut at = 0;
    while at < text.len() {
        let (path, length) = path_at(&text[at..], module);
        if length == 0 {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        if path.contains('/') {
            add(&mut found, &path, &text[..at]);
        }
        at += length;
    }
    found
}

/// Returns the path at the start of a source, and its length there.
fn path_at(text: &str, module: &str) -> (String, usize) {
    let mut path = String::new();
    let mut at = 0;
    while let Some(char) = text[at..].chars().next() {
        let rest = &text[at..];
        if let Some((inner, length)) = interpolation(rest) {
            match inner == MODULE_NAME {
                true => path.push_str(module),
                false => path.push(COMPUTED),
            }
            at += length;
        } else if is_in_path(char) {
            path.push(char);
            at += char.len_utf8();
        } else {
            break;
        }
    }
    (path, at)
}

/// Checks whether a character is part of a path that [`paths`] finds.
pub(crate) fn is_in_path(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '_' | '.' | '-' | '/' | '@' | '+' | '~')
}

/// Returns the contents and the length of the interpolation at the start of a source.
fn interpolation(text: &str) -> Option<(&str, usize)> {
    for (open, close) in [("${", '}'), ("%{", '}'), ("#{", '}'), ("<%", '>')] {
        let Some(rest) = text.strip_prefix(open) else {
            continue;
        };
        let mut depth = 0;
        let line = rest.split('\n').next().unwrap_or_default();
        for (index, char) in line.char_indices() {
            match char {
                '{' => depth += 1,
                it if it == close && depth == 0 => {
                    let inner = line[..index].trim().trim_start_matches("::");
                    return Some((inner, open.len() + index + 1));
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
        return None;
    }
    let name = text.strip_prefix('$')?;
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':');
    let end = name.find(|it| !is_name(it)).unwrap_or(name.len());
    (end > 0).then(|| (name[..end].trim_start_matches("::"), end + 1))
}

fn add(found: &mut BTreeSet<String>, path: &str, before: &str) {
    let is_computed = !path.contains(|it: char| it.is_ascii_alphanumeric());
    let below = path.split_once(MODULES).map(|it| it.1);
    let plain = path.trim_start_matches('/');
    if is_computed && !is_name_of_file(before) {
        return;
    }
    found.extend(below.map(str::to_owned));
    found.insert(plain.to_owned());
}

/// Checks whether the argument of a function that reads templates or files follows.
fn is_name_of_file(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let mut functions = KnownFunction::ALL.iter();
    let reads_files = |it: &KnownFunction| {
        use NamedEntity::{EppTemplate, File, Template};
        matches!(it.names(), Some(EppTemplate | File | Template))
    };
    functions.any(|it| reads_files(it) && line.contains(&format!("{}(", it.name())))
}

/// Checks whether a path with computed parts may stand for a file, or for a folder that contains it.
pub(crate) fn may_be(pattern: &str, path: &str) -> bool {
    let folders = path.match_indices('/').map(|it| &path[..it.0]);
    let pattern = pattern.trim_end_matches('/');
    matches(pattern, path) || folders.into_iter().any(|it| matches(pattern, it))
}

/// Checks whether a path consists of the literal parts of a pattern, in order.
fn matches(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split(COMPUTED);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{may_be, paths};

    fn found(text: &str) -> String {
        let all = paths(text, "web");
        all.into_iter().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn finds_paths_with_computed_parts() {
        for (text, expected) in [
            ("template('web/a.erb')", "web/a.erb"),
            ("epp(\"${module_name}/a.${x['b']}.epp\")", "web/a.*.epp"),
            ("'puppet:///modules/web/d'", "modules/web/d web/d"),
            ("\"puppet://$server/modules/web\"", "*/modules/web web"),
            ("\"$a/$b\"", ""),
            ("file { \"${a}/${b}\": source => \"${a}/${b}\" }", ""),
            ("template(\"${a}/${b}\")", "*/*"),
            ("scope.function_template([\"web/#{x}.erb\"])", "web/*.erb"),
            ("x: web/%{facts.y}", "web/*"),
            ("a b ${ c", ""),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn matches_files_and_folders() {
        for pattern in [
            "web/a/b.erb",
            "web/*.erb",
            "web/a",
            "web/a/",
            "web",
            "*/b.erb",
            "*/*",
            "w*/*b*",
        ] {
            assert!(may_be(pattern, "web/a/b.erb"), "{pattern}");
        }
        for pattern in [
            "web/a/b",
            "web/*.epp",
            "eb/a",
            "web/b",
            "*/a.erb",
            "a/b.erb",
        ] {
            assert!(!may_be(pattern, "web/a/b.erb"), "{pattern}");
        }
    }
}
