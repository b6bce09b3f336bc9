//! The snippets of `parse/cases`, whose README describes the format.

use std::path::Path;
use std::{fs, io};

use syntax::Dialect;
use syntax::validation::ModulePlace;

use crate::verdict::Source;

/// A snippet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The name of the file (without its extension) and of the snippet.
    pub id: String,
    /// The source, its language and its place.
    pub source: Source,
    /// The words after the name: properties of the snippet and expectations.
    pub flags: Vec<String>,
}

impl Case {
    /// Returns the value of a flag `name:value`.
    pub fn flag(&self, name: &str) -> Option<&str> {
        self.flags
            .iter()
            .find_map(|flag| flag.strip_prefix(name)?.strip_prefix(':'))
    }
}

/// Reads all snippets of a directory, ordered by file name.
///
/// # Errors
/// If the directory or a file cannot be read.
pub fn read_all(folder: &Path) -> io::Result<Vec<Case>> {
    let mut files: Vec<_> = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    let mut cases = Vec::new();
    for file in files {
        let path = file.path();
        if path.extension().is_some_and(|it| it == "cases") {
            let prefix = path.file_stem().unwrap_or_default().to_string_lossy();
            cases.extend(read(&fs::read_to_string(&path)?, &prefix));
        }
    }
    Ok(cases)
}

fn read(text: &str, prefix: &str) -> Vec<Case> {
    let text = format!("\n{}", text.strip_suffix('\n').unwrap_or(text));
    text.split("\n=== ")
        .skip(1)
        .flat_map(|block| read_block(block, prefix))
        .collect()
}

/// Returns the snippet of a block, or with the flag `lines` one snippet per line.
fn read_block(block: &str, prefix: &str) -> Vec<Case> {
    let (head, body) = block.split_once('\n').unwrap_or((block, ""));
    let mut words = head.split_whitespace().map(str::to_owned);
    let id = format!("{prefix}/{}", words.next().unwrap_or_default());
    let flags: Vec<_> = words.collect();
    let case = |id: String, text: &str| {
        let mut case = Case {
            id,
            source: Source::default(),
            flags: flags.clone(),
        };
        case.source = source(text, &case);
        case
    };
    if flags.iter().any(|flag| flag == "lines") {
        let lines = body.split('\n').filter(|line| !line.is_empty());
        let numbered = lines.enumerate();
        numbered
            .map(|(index, line)| case(format!("{id}:{}", index + 1), line))
            .collect()
    } else {
        vec![case(id, body)]
    }
}

fn source(text: &str, case: &Case) -> Source {
    let has = |name: &str| case.flags.iter().any(|flag| flag == name);
    let text = if has("escaped") {
        unescape(text)
    } else {
        text.to_owned()
    };
    let place = case.flag("place").and_then(|it| it.split_once('/'));
    Source {
        text,
        dialect: Dialect {
            epp: has("epp"),
            tasks: has("tasks"),
        },
        place: place.map(|(module, path)| ModulePlace {
            module_names: vec![module.to_owned()],
            path: path.to_owned(),
        }),
    }
}

/// Replaces `\r`, `\n`, `\t`, `\0`, `\\` and `\u{...}`.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        let (made, used) = escape(tail).unwrap_or(('\\', 0));
        out.push(made);
        rest = &tail[used..];
    }
    out.push_str(rest);
    out
}

/// Returns the character of the escape sequence after a backslash, and its length in bytes.
fn escape(tail: &str) -> Option<(char, usize)> {
    let simple = |made| Some((made, 1));
    match tail.chars().next()? {
        'r' => simple('\r'),
        'n' => simple('\n'),
        't' => simple('\t'),
        '0' => simple('\0'),
        '\\' => simple('\\'),
        'u' => {
            let digits = tail.strip_prefix("u{")?;
            let end = digits.find('}')?;
            let made = char::from_u32(u32::from_str_radix(&digits[..end], 16).ok()?)?;
            Some((made, end + 3))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_flags_and_escapes() {
        let cases = read(
            "intro\n=== one tasks 8:CODE\na\nb\n=== two epp escaped\nx\\r\\u{feff}\\q\n",
            "f",
        );
        assert_eq!(cases[0].id, "f/one");
        assert_eq!(cases[0].source.text, "a\nb");
        assert_eq!(cases[0].flag("8"), Some("CODE"));
        assert!(cases[0].source.dialect.tasks);
        assert_eq!(cases[1].source.text, "x\r\u{feff}\\q");
    }
}
