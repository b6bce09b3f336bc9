//! Dependencies between Ruby files.

use tree_sitter::Node;

use super::calls::Call;
use super::evaluate::Reader;
use super::source::Source;
use super::walk::Dsl;

/// A file required by another one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Required {
    /// A path below the `lib` folder of a module (or of Puppet, a gem or Ruby): `puppet_x/a/b`.
    InLib(String),
    /// A path relative to the folder of the requiring file: `../../puppet_x/a/b`.
    FromHere(String),
}

/// Extracts the files that a file requires, including conditionally; the paths are without `.rb`.
///
/// In addition to `require` and `require_relative` with a literal, this supports the usual ways to
/// build a path relative to the file: `File.expand_path('…', __FILE__)`, `File.expand_path('…',
/// __dir__)` and `File.join(File.dirname(__FILE__), '…')`.
pub fn requires(text: &str) -> Vec<Required> {
    let mut finder = RequireFinder { found: Vec::new() };
    if let Some(source) = Source::with_words(text, &["require"]) {
        Reader::new(&source).run(source.root(), &mut finder, 0);
    }
    finder.found
}

struct RequireFinder {
    found: Vec<Required>,
}

impl<'t> Dsl<'t> for RequireFinder {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, _: usize) -> bool {
        let (None, [path]) = (call.receiver, call.arguments.as_slice()) else {
            return false;
        };
        let found = match call.method {
            "require_relative" => reader.string(*path).map(Required::FromHere),
            "require" => match reader.string(*path) {
                Some(path) => Some(Required::InLib(path)),
                None => from_here(reader, *path).map(Required::FromHere),
            },
            _ => return false,
        };
        let found = found.map(|it| match it {
            Required::InLib(path) => Required::InLib(without_extension(path)),
            Required::FromHere(path) => Required::FromHere(without_extension(path)),
        });
        self.found
            .extend(found.filter(|it| !self.found.contains(it)));
        true
    }

    fn words(&self) -> &'static [&'static str] {
        &["require", "require_relative"]
    }

    fn unreadable(&mut self) {}

    fn looks_everywhere(&self) -> bool {
        true
    }
}

fn without_extension(path: String) -> String {
    match path.strip_suffix(".rb") {
        Some(path) => path.to_owned(),
        None => path,
    }
}

/// Evaluates a path relative to the folder of the file.
fn from_here<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<String> {
    let call = Call::of(reader.source, node)?;
    let is_file = matches!(call.constant(reader.source), Some("File" | "Pathname"));
    match (is_file, call.method, call.arguments.as_slice()) {
        (true, "expand_path", [path, from]) => {
            let path = reader.string(*path)?;
            let from = folder(reader, *from)?;
            Some(join(&from, &path))
        }
        (true, "expand_path", [only]) => from_here(reader, *only),
        (true, "join", [from, rest @ ..]) => {
            let mut path = folder(reader, *from)?;
            for part in rest {
                path = join(&path, &reader.string(*part)?);
            }
            Some(path)
        }
        _ => None,
    }
}

/// Evaluates a folder relative to the folder of the file. The empty path is that folder itself;
/// `__FILE__` counts as a folder in it, as in `File.expand_path`.
fn folder<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<String> {
    match reader.text(node) {
        "__FILE__" => return Some("file".to_owned()),
        "__dir__" => return Some(String::new()),
        _ => {}
    }
    let call = Call::of(reader.source, node)?;
    let of_file = call.constant(reader.source) == Some("File");
    match (of_file, call.method, call.arguments.as_slice()) {
        (true, "dirname", [file]) if reader.text(*file) == "__FILE__" => Some(String::new()),
        (true, "expand_path", [file]) if reader.text(*file) == "__FILE__" => {
            Some("file".to_owned())
        }
        _ => None,
    }
}

/// Joins two paths and normalizes `x/..`.
fn join(from: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in from.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|it| *it != "..") => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_required_paths() {
        let text = "
require 'a/b'
require_relative '../c.rb'
if x
  require File.expand_path('../../d', __FILE__)
end
require File.join(File.dirname(__FILE__), '..', 'e')
require File.expand_path(File.join(File.dirname(__FILE__), 'f'))
require File.expand_path('g', __dir__)
require computed
require 'a/b'
";
        let here = |it: &str| Required::FromHere(it.to_owned());
        assert_eq!(
            requires(text),
            [
                Required::InLib("a/b".to_owned()),
                here("../c"),
                here("../d"),
                here("../e"),
                here("f"),
                here("g"),
            ]
        );
    }
}
