//! Values of data on one line.

use hiera::document::{Data, Node};
use syntax::TextRange;

use crate::markdown::one_line;

/// The length, in bytes, from which no further parts are added.
const LIMIT: usize = 200;

/// Renders a value on one line, lists and maps in YAML's flow style and scalars as they are written.
pub(super) fn flow_style(value: &Node, text: &str) -> String {
    let mut flow = FlowStyle {
        text,
        rendered: String::new(),
    };
    flow.add(value);
    flow.rendered
}

struct FlowStyle<'a> {
    text: &'a str,
    rendered: String,
}

impl FlowStyle<'_> {
    fn add(&mut self, value: &Node) {
        match &value.data {
            Data::List(elements) => self.add_all("[", elements, "]", |flow, it| flow.add(it)),
            Data::Map(entries) => self.add_all("{", entries, "}", |flow, it| {
                flow.add_source(it.key_range);
                flow.rendered.push_str(": ");
                flow.add(&it.value);
            }),
            Data::Scalar(_) | Data::Alias(_) => self.add_source(value.range),
        }
    }

    fn add_all<T>(&mut self, open: &str, parts: &[T], close: &str, add: fn(&mut Self, &T)) {
        self.rendered.push_str(open);
        for (index, part) in parts.iter().enumerate() {
            if self.rendered.len() > LIMIT {
                self.rendered.push('…');
                break;
            }
            if index > 0 {
                self.rendered.push_str(", ");
            }
            add(self, part);
        }
        self.rendered.push_str(close);
    }

    fn add_source(&mut self, range: TextRange) {
        let source = self.text.get(std::ops::Range::<usize>::from(range));
        self.rendered
            .push_str(&one_line(source.unwrap_or_default()));
    }
}

#[cfg(test)]
mod tests {
    use hiera::{DataFile, DataFormat};

    use super::flow_style;

    #[test]
    fn renders_blocks_on_one_line() {
        for (text, expected) in [
            ("a: 'x'\n", "'x'"),
            ("a:\n  - 1\n  - b: ~\n    c: [2]\n", "[1, {b: ~, c: [2]}]"),
            (
                "a:\n  b:\n    c: d e\n    'f': \"g\"\n",
                "{b: {c: d e, 'f': \"g\"}}",
            ),
            ("a: |\n  x\n  y\n", "x y"),
            ("b: &b [1]\na: *b\n", "*b"),
        ] {
            let data = DataFile::parse(text, DataFormat::Yaml);
            let entry = data.entries().iter().find(|it| it.key == "a");
            let value = &entry.expect("there is a key `a`").value;
            assert_eq!(flow_style(value, text), expected);
        }
    }

    #[test]
    fn stops_at_a_length() {
        let text = format!("a: [{}]\n", "x, ".repeat(10_000));
        let data = DataFile::parse(&text, DataFormat::Yaml);
        let rendered = flow_style(&data.entries()[0].value, &text);
        assert!(
            rendered.len() < 300 && rendered.ends_with("…]"),
            "{rendered}"
        );
    }
}
