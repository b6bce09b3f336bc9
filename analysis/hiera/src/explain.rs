//! Explanations: how a lookup found its value, in the words of `puppet lookup --explain`.

use types::values::{HashValue, Value};

use crate::ruby::inspect;

/// A tree of the steps of a lookup.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    steps: Vec<Step>,
    /// The steps at the top.
    top: Vec<usize>,
    /// The steps that are still open, the innermost last.
    open: Vec<usize>,
    texts: Vec<String>,
}

#[derive(Clone, Debug)]
struct Step {
    kind: StepKind,
    steps: Vec<usize>,
    outcome: Option<Outcome>,
}

/// A step of a lookup.
#[derive(Clone, Debug)]
pub(crate) enum StepKind {
    /// A search for a key.
    Search(String),
    /// A key that cannot be looked up.
    InvalidKey(String),
    /// A merge with a strategy and its options.
    Merge(&'static str, Option<HashValue>),
    /// A layer or a level, with its name and its configuration.
    Provider(String, Option<String>),
    /// A data file, with its path and that in `hiera.yaml`.
    File(String, String),
    /// The interpolation of a string.
    Interpolation(String),
    /// The path in a dotted key.
    SubLookup(String),
    /// A segment of a dotted key.
    Segment,
    /// A scope, with its name.
    Scope(String),
    /// The use of merge options.
    MergeSource,
    /// A message.
    Message(String),
}

/// The outcome of a step.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    Found(String, Value),
    NotFound(String),
    FileNotFound,
    Result(Value),
}

impl Explanation {
    pub(crate) fn push(&mut self, kind: StepKind) {
        let step = self.steps.len();
        self.steps.push(Step {
            kind,
            steps: Vec::new(),
            outcome: None,
        });
        match self.open.last() {
            Some(parent) => self.steps[*parent].steps.push(step),
            None => self.top.push(step),
        }
        self.open.push(step);
    }

    pub(crate) fn pop(&mut self) {
        self.open.pop();
    }

    /// Returns how many steps are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Closes the steps that an error left open.
    pub(crate) fn close_to(&mut self, depth: usize) {
        self.open.truncate(depth);
    }

    pub(crate) fn report(&mut self, outcome: Outcome) {
        if let Some(step) = self.open.last() {
            self.steps[*step].outcome = Some(outcome);
        }
    }

    pub(crate) fn text(&mut self, text: String) {
        if self.open.is_empty() {
            self.texts.push(text);
        }
    }

    /// Returns the data files in which the key was found, the first one first, with the values there.
    pub fn sources(&self, key: &str) -> Vec<(&str, &Value)> {
        let found = self.steps.iter().filter_map(|it| match it {
            Step {
                kind: StepKind::File(path, _),
                outcome: Some(Outcome::Found(found, value)),
                ..
            } if found == key => Some((&**path, value)),
            _ => None,
        });
        found.collect()
    }

    fn write(&self, step: usize, indent: &str, out: &mut String) {
        let step = &self.steps[step];
        let deeper = format!("{indent}  ");
        match &step.kind {
            StepKind::Search(key) => {
                line(out, indent, &format!("Searching for \"{key}\""));
                self.write_all(&step.steps, &deeper, out);
                return;
            }
            StepKind::InvalidKey(key) => {
                return line(out, indent, &format!("Invalid key \"{key}\""));
            }
            StepKind::Merge(name, options) => {
                return self.write_merge(step, (name, options.as_ref()), indent, out);
            }
            StepKind::Provider(name, config) => {
                line(out, indent, name);
                if let Some(config) = config {
                    line(out, &deeper, &format!("Using configuration \"{config}\""));
                }
            }
            StepKind::File(path, original) => {
                line(out, indent, &format!("Path \"{path}\""));
                line(out, &deeper, &format!("Original path: \"{original}\""));
            }
            StepKind::Interpolation(text) => {
                line(out, indent, &format!("Interpolation on \"{text}\""));
                self.write_all(&step.steps, &deeper, out);
                return;
            }
            StepKind::SubLookup(path) => line(out, indent, &format!("Sub key: \"{path}\"")),
            StepKind::Segment => return write_outcome(step, indent, out),
            StepKind::Scope(name) => line(out, indent, name),
            StepKind::MergeSource => {
                let text = "Using merge options from \"lookup_options\" hash";
                return line(out, indent, text);
            }
            StepKind::Message(text) => return line(out, indent, text),
        }
        self.write_all(&step.steps, &deeper, out);
        write_outcome(step, &deeper, out);
    }

    fn write_all(&self, steps: &[usize], indent: &str, out: &mut String) {
        for step in steps {
            self.write(*step, indent, out);
        }
    }

    fn write_merge(
        &self,
        step: &Step,
        (name, options): (&str, Option<&HashValue>),
        indent: &str,
        out: &mut String,
    ) {
        // A single value is not merged.
        match step.steps[..] {
            [] => return,
            [only] => return self.write(only, indent, out),
            _ => {}
        }
        line(out, indent, &format!("Merge strategy {name}"));
        let deeper = format!("{indent}  ");
        let options = options.map(|it| it.without([&Value::from("strategy")]));
        if let Some(options) = options.filter(|it| !it.is_empty()) {
            out.push_str(&deeper);
            out.push_str("Options: ");
            write_value(&Value::Hash(options), &deeper, out);
            out.push('\n');
        }
        self.write_all(&step.steps, &deeper, out);
        if let Some(Outcome::Result(value)) = &step.outcome {
            out.push_str(&deeper);
            out.push_str("Merged result: ");
            write_value(value, &deeper, out);
            out.push('\n');
        }
    }
}

impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = String::new();
        self.write_all(&self.top, "", &mut out);
        for text in &self.texts {
            line(&mut out, "", text);
        }
        f.write_str(&out)
    }
}

fn line(out: &mut String, indent: &str, text: &str) {
    out.push_str(indent);
    out.push_str(text);
    out.push('\n');
}

fn write_outcome(step: &Step, indent: &str, out: &mut String) {
    match &step.outcome {
        Some(Outcome::NotFound(key)) => line(out, indent, &format!("No such key: \"{key}\"")),
        Some(Outcome::Found(key, value)) => {
            out.push_str(indent);
            out.push_str(&format!("Found key: \"{key}\" value: "));
            write_value(value, indent, out);
            out.push('\n');
        }
        Some(Outcome::FileNotFound) => line(out, indent, "Path not found"),
        Some(Outcome::Result(_)) | None => {}
    }
}

fn write_value(value: &Value, indent: &str, out: &mut String) {
    let deeper = format!("{indent}  ");
    match value {
        Value::Hash(map) => {
            out.push('{');
            for (index, (key, value)) in map.iter().enumerate() {
                out.push_str(if index == 0 { "\n" } else { ",\n" });
                out.push_str(&deeper);
                write_value(key, &deeper, out);
                out.push_str(" => ");
                write_value(value, &deeper, out);
            }
            end(map.is_empty(), indent, '}', out);
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "\n" } else { ",\n" });
                out.push_str(&deeper);
                write_value(item, &deeper, out);
            }
            end(items.is_empty(), indent, ']', out);
        }
        it => out.push_str(&inspect(it)),
    }
}

fn end(is_empty: bool, indent: &str, bracket: char, out: &mut String) {
    if !is_empty {
        out.push('\n');
        out.push_str(indent);
    }
    out.push(bracket);
}
