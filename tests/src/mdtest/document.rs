//! Parses Markdown into cases.

use std::ops::Range;
use std::path::Path;
use std::{fs, io};

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};
use serde::Deserialize;
use syntax::validation::PuppetVersion;

/// A Markdown file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// The path relative to the directory of all documents, with `/`.
    pub path: String,
    /// The sections that contain blocks, in order.
    pub cases: Vec<Case>,
}

/// A section with its blocks, without those of its subsections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The headings from the outermost, separated by ` / `.
    pub name: String,
    /// The blocks of code, in order.
    pub blocks: Vec<Block>,
}

/// A block of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The path of the file that the block stands for, if any.
    pub path: Option<String>,
    /// The language.
    pub language: Language,
    /// Whether it is only parsed and validated, not evaluated.
    pub parse_only: bool,
    /// Whether it replaces the text of its file in the workspace of the case.
    pub step: bool,
    /// The version whose rules apply.
    pub version: PuppetVersion,
    /// The code.
    pub text: String,
    /// The line of the document on which the code starts, counted from 1.
    pub line: usize,
}

/// The language of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// A manifest.
    Puppet,
    /// A template.
    Epp,
}

/// The settings in a `toml` block, which apply to its section and subsections.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// The major version of Puppet.
    puppet: u8,
}

/// Reads all documents in a directory, ordered by path.
///
/// # Errors
/// If a file cannot be read or is invalid; the message contains its path.
pub fn read_all(folder: &Path) -> io::Result<Vec<Document>> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "md") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().map(|it| read_one(folder, it)).collect()
}

fn read_one(folder: &Path, path: &Path) -> io::Result<Document> {
    let relative = path.strip_prefix(folder).unwrap_or(path);
    let relative = relative.to_string_lossy().replace('\\', "/");
    read(&relative, &fs::read_to_string(path)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Parses a document.
///
/// # Errors
/// If a part is invalid; the message contains its position.
pub fn read(path: &str, text: &str) -> Result<Document, String> {
    let mut reader = Reader {
        text,
        headings: Vec::new(),
        cases: Vec::new(),
        file_name: None,
    };
    let mut events = Parser::new(text).into_offset_iter();
    while let Some((event, range)) = events.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let title = inner_text(&mut events, |it| matches!(it, TagEnd::Heading(_)));
                reader.heading(level, title);
            }
            Event::Start(Tag::Paragraph) => {
                inner_text(&mut events, |it| matches!(it, TagEnd::Paragraph));
                reader.file_name = file_name(&text[range]);
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let code = inner_text(&mut events, |it| matches!(it, TagEnd::CodeBlock));
                let line = reader.line(&range) + 1;
                reader
                    .block(&info, code, line)
                    .map_err(|error| format!("{path}:{}: {error}", line - 1))?;
            }
            Event::Start(_) | Event::Rule => reader.file_name = None,
            _ => {}
        }
    }
    let mut cases = reader.cases;
    cases.retain(|it| !it.blocks.is_empty());
    Ok(Document {
        path: path.to_owned(),
        cases,
    })
}

fn inner_text<'a>(
    events: &mut impl Iterator<Item = (Event<'a>, Range<usize>)>,
    is_end: impl Fn(&TagEnd) -> bool,
) -> String {
    let mut text = String::new();
    for (event, _) in events {
        match event {
            Event::Text(it) | Event::Code(it) => text.push_str(&it),
            Event::SoftBreak => text.push(' '),
            Event::End(end) if is_end(&end) => break,
            _ => {}
        }
    }
    text
}

/// Returns the path of a paragraph that consists of `` `path`: ``.
fn file_name(paragraph: &str) -> Option<String> {
    let path = paragraph
        .trim()
        .strip_prefix('`')?
        .strip_suffix(':')?
        .strip_suffix('`')?;
    (!path.is_empty() && !path.contains('`')).then(|| path.to_owned())
}

struct Heading {
    level: HeadingLevel,
    title: String,
    version: Option<PuppetVersion>,
}

struct Reader<'a> {
    text: &'a str,
    /// The current headings.
    headings: Vec<Heading>,
    cases: Vec<Case>,
    /// The path in the preceding paragraph.
    file_name: Option<String>,
}

impl Reader<'_> {
    fn line(&self, range: &Range<usize>) -> usize {
        self.text[..range.start].matches('\n').count() + 1
    }

    fn heading(&mut self, level: HeadingLevel, title: String) {
        self.file_name = None;
        while self.headings.last().is_some_and(|it| it.level >= level) {
            self.headings.pop();
        }
        self.headings.push(Heading {
            level,
            title,
            version: None,
        });
        let titles: Vec<&str> = self.headings.iter().map(|it| it.title.as_str()).collect();
        self.cases.push(Case {
            name: titles.join(" / "),
            blocks: Vec::new(),
        });
    }

    fn block(&mut self, info: &str, text: String, line: usize) -> Result<(), String> {
        let path = self.file_name.take();
        let mut words = info.split_whitespace();
        let language = match words.next() {
            Some("puppet") => Language::Puppet,
            Some("epp") => Language::Epp,
            Some("toml") => return self.settings(&text),
            _ if path.is_some() => return Err(format!("a path cannot precede a `{info}` block")),
            _ => return Ok(()),
        };
        let mut parse_only = path.is_some() || language == Language::Epp;
        let mut step = false;
        for word in words {
            match word {
                "step" => step = true,
                "parse-only" => parse_only = true,
                _ => return Err(format!("unknown property `{word}`")),
            }
        }
        let version = self.headings.iter().rev().find_map(|it| it.version);
        let case = self.cases.last_mut().ok_or("a block before any heading")?;
        case.blocks.push(Block {
            path,
            language,
            parse_only: parse_only && !step,
            step,
            version: version.unwrap_or_default(),
            text,
            line,
        });
        Ok(())
    }

    fn settings(&mut self, text: &str) -> Result<(), String> {
        let settings: Settings = toml::from_str(text).map_err(|error| error.to_string())?;
        let heading = self
            .headings
            .last_mut()
            .ok_or("settings before any heading")?;
        heading.version = Some(match settings.puppet {
            7 => PuppetVersion::V7,
            8 => PuppetVersion::V8,
            other => return Err(format!("unsupported Puppet version {other}")),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "\
# One

Text.

```puppet
1
```

## Two `x`

```toml
puppet = 7
```

`modules/a/manifests/init.pp`:

```puppet
class a { }
```

Not a `path`:

```puppet parse-only
file { 'a': }
```

- in a list

  ```puppet
  $x
  ```

# Three

```text
ignored
```

## Four

```epp
<%= 1 %>
```
";

    #[test]
    fn sections_are_cases() {
        let document = read("a.md", DOCUMENT).expect("it is one");
        let names: Vec<_> = document.cases.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["One", "One / Two x", "Three / Four"]);
        let [one, two, four] = document.cases.as_slice() else {
            panic!("three cases");
        };
        assert_eq!(
            (one.blocks[0].text.as_str(), one.blocks[0].line),
            ("1\n", 6)
        );
        assert_eq!(one.blocks[0].version, PuppetVersion::V8);
        let named = &two.blocks[0];
        assert_eq!(named.path.as_deref(), Some("modules/a/manifests/init.pp"));
        assert_eq!(named.version, PuppetVersion::V7);
        assert!(named.parse_only);
        assert_eq!(two.blocks[1].path, None);
        assert!(two.blocks[1].parse_only);
        assert_eq!(
            (two.blocks[2].text.as_str(), two.blocks[2].line),
            ("$x\n", 30)
        );
        assert_eq!(four.blocks[0].language, Language::Epp);
        assert_eq!(four.blocks[0].version, PuppetVersion::V8);
    }

    #[test]
    fn rejects_invalid_syntax() {
        let refused = |text| read("a.md", text).expect_err("it is none");
        assert_eq!(
            refused("# A\n\n```puppet parse_only\n```\n"),
            "a.md:3: unknown property `parse_only`"
        );
        assert_eq!(
            refused("```puppet\n1\n```\n"),
            "a.md:1: a block before any heading"
        );
        assert!(refused("# A\n\n```toml\nruby = 2\n```\n").contains("unknown field `ruby`"));
        assert!(
            refused("# A\n\n`a.txt`:\n\n```text\n```\n")
                .contains("a path cannot precede a `text` block")
        );
    }
}
