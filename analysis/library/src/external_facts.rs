//! Reads the names of external facts from the files in `facts.d`: from data, and from what programs print.

use std::collections::BTreeSet;

use syntax::TextRange;

use crate::signatures::{Doc, Fact};

/// Commands that print a word without quotes: of shells and of PowerShell.
const PRINT_COMMANDS: [&str; 5] = ["echo", "print", "printf", "Write-Host", "Write-Output"];

/// Returns the facts that a file defines: data, judged by its extension `txt`, `yaml`, `yml` or `json`, or a program
/// with strings such as `"name=value"`. A program may define others.
pub fn external_facts(path: &str, text: &str) -> Vec<Fact> {
    let names = match path.rsplit_once('.') {
        Some((_, "txt")) => text.lines().filter_map(name_in_txt).collect(),
        Some((_, "yaml" | "yml")) => text.lines().filter_map(name_in_yaml).collect(),
        Some((_, "json")) => names_in_json(text),
        _ => names_in_program(text),
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

/// Returns the words that a program prints before `=`, each once.
fn names_in_program(text: &str) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let parts = text.lines().filter(|it| !it.trim_start().starts_with('#'));
    let names = parts.flat_map(|line| {
        let ends = line.match_indices('=').map(|it| it.0);
        ends.filter_map(|end| printed_name(&line[..end], &line[end + 1..]))
    });
    names.filter(|it| seen.insert(*it)).collect()
}

/// Returns the word before `=`, if it starts a string or is the argument of a command that prints.
fn printed_name<'t>(before: &'t str, after: &str) -> Option<&'t str> {
    let start = before.rfind(|it: char| !it.is_ascii_alphanumeric() && !matches!(it, '_' | '-'));
    let (start, name) = start.map_or(("", before), |it| before.split_at(it + 1));
    let command = || {
        start
            .trim_end()
            .rsplit([' ', '\t', ';', '(', '{', '&', '|'])
            .next()
    };
    let is_printed = start.ends_with(['"', '\''])
        || start.ends_with(' ') && command().is_some_and(|it| PRINT_COMMANDS.contains(&it));
    let is_fact = name.starts_with(|it: char| it.is_ascii_alphabetic()) && is_name(name);
    (is_fact && is_printed && !after.starts_with('=')).then_some(name)
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
    }

    #[test]
    fn reads_names_that_programs_print() {
        for text in [
            "x=$(uname -r)\necho \"a=$x\"\n[ $x = b ] && echo b=1; c=2 # echo",
            "print('a={}'.format(x))\nif x == 'c': print(\"b=\" + y)\nos.environ['d']=1",
            "puts \"a=#{x}\"\nputs 'a=2', 'b=3'",
            "Write-Output \"a=$($x.y)\"\n$c=1\nWrite-Host b=1",
            "printf 'a=%s\\n' \"$a\"\n# echo \"c=1\"\necho -e 'b=1'",
        ] {
            for path in ["facts", "facts.sh"] {
                let found = external_facts(path, text);
                let names: Vec<_> = found.iter().map(|it| it.name.as_str()).collect();
                assert_eq!(names, ["a", "b"], "{text}");
            }
        }
    }
}
