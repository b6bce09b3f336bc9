//! Plans in YAML, as Bolt reads them. From `bolt/pal/yaml_plan` of Bolt.

use hiera::document::{self, Entry, Node, Unreadable};
use infer::RunnableKind;
use library::KnownFunction;
use syntax::{Dialect, Parse, TextRange, TextSize};

/// The key of the value of a plan, named like the function.
pub(crate) const RETURN: &str = KnownFunction::Return.name();

/// The content of a file with a plan.
pub(crate) struct YamlPlan {
    /// `None` if the file is empty.
    pub(crate) root: Result<Option<Node>, Unreadable>,
    text: String,
}

/// A step that runs a plan or task.
pub(crate) struct Run<'a> {
    pub(crate) kind: RunnableKind,
    pub(crate) name: &'a str,
    pub(crate) name_range: TextRange,
    pub(crate) step: &'a Node,
}

/// Returns the kind, the name and the range of the plan or task that a step of a plan in YAML names at an offset.
pub fn runnable_at(text: &str, offset: TextSize) -> Option<(RunnableKind, String, TextRange)> {
    let plan = YamlPlan::read(text);
    let mut runs = plan.runs();
    let found = runs.find(|it| it.name_range.contains_inclusive(offset))?;
    Some((found.kind, found.name.to_owned(), found.name_range))
}

/// A string with code.
pub(crate) struct Code<'a> {
    /// Where the string is in the file.
    range: TextRange,
    /// Its source in the file, with quotes and indentation.
    source: &'a str,
    /// The code that Bolt parses.
    text: String,
    /// Whether the text is a string with interpolations, not code.
    is_string: bool,
}

impl YamlPlan {
    pub(crate) fn read(text: &str) -> YamlPlan {
        YamlPlan {
            root: document::yaml_with_aliases(text),
            text: text.to_owned(),
        }
    }

    /// Returns the value of a key at the top.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.root.as_ref().ok()?.as_ref()?.get(key)
    }

    /// Returns the declared parameters.
    pub(crate) fn parameters(&self) -> &[Entry] {
        let parameters = self.get("parameters").and_then(Node::entries);
        parameters.unwrap_or_default()
    }

    pub(crate) fn steps(&self) -> &[Node] {
        self.get("steps")
            .and_then(Node::elements)
            .unwrap_or_default()
    }

    /// Iterates over the steps that run a plan or task whose name is constant.
    pub(crate) fn runs(&self) -> impl Iterator<Item = Run<'_>> {
        self.steps().iter().flat_map(|step| {
            let kinds = [("plan", RunnableKind::Plan), ("task", RunnableKind::Task)];
            kinds.into_iter().filter_map(move |(key, kind)| {
                let node = step.get(key)?;
                let name = node.string().filter(|it| !it.contains('$'))?;
                Some(Run {
                    kind,
                    name,
                    name_range: node.range,
                    step,
                })
            })
        })
    }

    /// Returns the strings with code in a value.
    pub(crate) fn code<'a>(&'a self, value: &'a Node) -> Vec<Code<'a>> {
        let mut found = Vec::new();
        self.add_code(value, &mut found);
        found
    }

    fn add_code<'a>(&'a self, value: &'a Node, found: &mut Vec<Code<'a>>) {
        let elements = value.elements().unwrap_or_default().iter();
        let entries = value.entries().unwrap_or_default().iter();
        for inner in elements.chain(entries.map(|it| &it.value)) {
            self.add_code(inner, found);
        }
        let source = self.text.get(std::ops::Range::from(value.range));
        if let (Some(text), Some(source)) = (value.string(), source) {
            let is_string = source.starts_with('"');
            let is_code = self.is_block(value.range) || source.starts_with('$') && text == source;
            if is_string || is_code {
                found.push(Code {
                    range: value.range,
                    source,
                    text: text.to_owned(),
                    is_string,
                });
            }
        }
    }

    /// Checks whether a string is a literal block, after `|`.
    fn is_block(&self, range: TextRange) -> bool {
        let before = self.text.get(..usize::from(range.start()));
        let header = before.unwrap_or_default().trim_end();
        let indicators = |it: char| it.is_ascii_digit() || matches!(it, '+' | '-');
        header.trim_end_matches(indicators).ends_with('|')
    }
}

impl Code<'_> {
    /// Parses the code as Bolt does.
    pub(crate) fn parse(&self) -> Parse {
        let dialect = Dialect {
            tasks: true,
            ..Dialect::default()
        };
        match self.is_string {
            true => {
                let escaped = self.text.replace('\\', "\\\\").replace('"', "\\\"");
                syntax::parse(&format!("\"{escaped}\""), dialect)
            }
            false => syntax::parse(&self.text, dialect),
        }
    }

    /// Checks whether the text is code, not a string with interpolations.
    pub(crate) fn is_plain(&self) -> bool {
        !self.is_string
    }

    /// Returns the place in the file of a place in the code; that of the string if its lines are indented.
    pub(crate) fn place(&self, range: TextRange) -> TextRange {
        match self.source == self.text {
            true => range + self.range.start(),
            false => self.range,
        }
    }

    /// Returns the place in the file at which the code reads a variable.
    pub(crate) fn place_of_variable(&self, name: &str) -> TextRange {
        let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
        for sigil in ["$", "${"] {
            let written = format!("{sigil}{name}");
            let mut places = self.source.match_indices(&written);
            let whole = places.find(|it| {
                let after = &self.source[it.0 + written.len()..];
                !after.starts_with(is_word)
            });
            if let Some((at, _)) = whole {
                let start = at + sigil.len() - 1;
                let size = |it: usize| TextSize::try_from(it).unwrap_or_default();
                let name_at = match sigil {
                    "$" => start,
                    _ => start + 1,
                };
                let length = written.len() - (name_at - at);
                return TextRange::at(self.range.start() + size(name_at), size(length));
            }
        }
        self.range
    }
}
