//! Reads the names of external facts from the files in `facts.d` that Facter does not execute.

use syntax::TextRange;

use crate::signatures::{Doc, Fact};

/// Returns the facts that a file defines, judged by its extension: `txt`, `yaml`, `yml` or `json`. Other files
/// are executed.
pub fn external_facts(path: &str, text: &str) -> Vec<Fact> {
    let names = match path.rsplit_once('.') {
        Some((_, "txt")) => text.lines().filter_map(name_in_txt).collect(),
        Some((_, "yaml" | "yml")) => text.lines().filter_map(name_in_yaml).collect(),
        Some((_, "json")) => names_in_json(text),
        _ => Vec::new(),
    };
    let facts = names.into_iter().map(|name| Fact {
        name: name.to_owned(),
        doc: Doc::default(),
        type_: None,
        modern: None,
        name_range: TextRange::default(),
    });
    facts.collect()
}

/// Returns the name in a line `name=value`.
fn name_in_txt(line: &str) -> Option<&str> {
    let (name, _) = line.split_once('=')?;
    is_name(name.trim()).then(|| name.trim())
}

/// Returns the key in a line that is not indented.
fn name_in_yaml(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(':')?;
    let is_key = rest.is_empty() || rest.starts_with([' ', '\t']);
    let name = name.trim_end().trim_matches(['\'', '"']);
    (is_key && is_name(name)).then_some(name)
}

/// Returns the keys of the outermost object.
fn names_in_json(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '[', ']', '"']) {
        let after = &rest[at + 1..];
        match rest.as_bytes().get(at) {
            Some(b'{' | b'[') => depth += 1,
            Some(b'"') => {
                let Some(end) = end_of_string(after) else {
                    break;
                };
                let is_key = after[end + 1..].trim_start().starts_with(':');
                if depth == 1 && is_key && is_name(&after[..end]) {
                    found.push(&after[..end]);
                }
                rest = &after[end + 1..];
                continue;
            }
            _ => depth = depth.saturating_sub(1),
        }
        rest = after;
    }
    found
}

/// Returns the offset of the quote that ends a string.
fn end_of_string(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|it| {
        let ends = it == b'"' && !is_escaped;
        is_escaped = it == b'\\' && !is_escaped;
        ends
    })
}

fn is_name(text: &str) -> bool {
    let is_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    !text.is_empty() && text.chars().all(is_word)
}

#[cfg(test)]
mod tests {
    use super::external_facts;

    #[test]
    fn reads_names() {
        for (path, text) in [
            ("a.txt", "a=1\n b = 2\n# c\n"),
            ("a.yaml", "---\na: 1\n'b':\n  c: 2\n# d: 1\n- e\n"),
            (
                "a.json",
                r#"{"a": {"c": 1, "x\"": []}, "b" : "{", "d e": 1}"#,
            ),
        ] {
            let found = external_facts(path, text);
            let names: Vec<_> = found.iter().map(|it| it.name.as_str()).collect();
            assert_eq!(names, ["a", "b"], "{path}");
        }
        assert!(external_facts("a.sh", "a=1").is_empty());
    }
}
