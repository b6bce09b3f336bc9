//! Custom facts: `Facter.add(:name) do setcode … end`.

use tree_sitter::Node;

use crate::signatures::Fact;

use super::calls::Call;
use super::comments;
use super::evaluate::Reader;
use super::results;
use super::source::{Source, children};
use super::value::Value;
use super::walk::Dsl;

/// The custom facts that a file defines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FactFile {
    /// The facts with known names, without duplicates, in source order.
    pub facts: Vec<Fact>,
    /// The names that the file computes, as far as they are known.
    pub computed: Vec<ComputedName>,
}

/// The known parts of a computed name, in lower case. Both are empty if it can be any.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct ComputedName {
    /// The start of the name.
    pub prefix: String,
    /// The end of the name.
    pub suffix: String,
}

impl ComputedName {
    /// Checks whether the name can be any.
    pub fn is_any(&self) -> bool {
        self.prefix.is_empty() && self.suffix.is_empty()
    }

    /// Checks whether the name can be this one, in lower case.
    pub fn may_be(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.prefix.as_str());
        rest.is_some_and(|it| it.ends_with(&self.suffix))
    }
}

/// Extracts the facts that a file adds, including conditional ones.
pub fn facts(text: &str) -> FactFile {
    let mut finder = FactFinder::default();
    if !text.contains("Facter") {
        return finder.file;
    }
    match Source::parse(text) {
        Some(source) => {
            Reader::new(&source).run(source.root(), &mut finder, 0);
            if source.root().has_error() {
                finder.unreadable();
            }
        }
        None => finder.unreadable(),
    }
    finder.file
}

#[derive(Default)]
struct FactFinder {
    file: FactFile,
}

impl FactFinder {
    fn add_computed(&mut self, name: ComputedName) {
        if !self.file.computed.contains(&name) {
            self.file.computed.push(name);
        }
    }
}

/// Returns the literals at the start and the end of a string that Ruby computes: `"has_#{x}"` or `'has_' + x`.
fn computed_name<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> ComputedName {
    let node = match node.child_by_field_name("receiver") {
        // `.to_sym`
        Some(receiver) if node.child_by_field_name("arguments").is_none() => receiver,
        _ => node,
    };
    let (first, last) = match node.kind() {
        "string" | "delimited_symbol" => (node.named_child(0), last_child(node)),
        "binary" => (
            node.child_by_field_name("left"),
            node.child_by_field_name("right"),
        ),
        _ => (None, None),
    };
    let mut literal = |part: Option<Node<'t>>| match part {
        Some(it) if it.kind() == "string_content" => reader.text(it).to_lowercase(),
        Some(it) if node.kind() == "binary" => {
            let text = reader.string(it).map(|it| it.to_lowercase());
            text.unwrap_or_default()
        }
        _ => String::new(),
    };
    ComputedName {
        prefix: literal(first),
        suffix: literal(last),
    }
}

fn last_child(node: Node<'_>) -> Option<Node<'_>> {
    let last = node.named_child_count().checked_sub(1)?;
    children(node).into_iter().nth(last)
}

impl<'t> Dsl<'t> for FactFinder {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) -> bool {
        let is_add = call.method == "add" || call.method == "define_fact";
        if !is_add || call.constant(reader.source) != Some("Facter") {
            return false;
        }
        let Some(node) = call.arguments.first().copied() else {
            self.unreadable();
            return true;
        };
        let Some(name) = reader.string(node) else {
            let name = computed_name(reader, node);
            self.add_computed(name);
            return true;
        };
        let mut resolution = Resolution::default();
        if let Some(body) = call.body() {
            reader.run(body, &mut resolution, depth + 1);
        }
        let fact = Fact {
            // Facter lowercases names.
            name: name.to_lowercase(),
            doc: comments::above(reader.source.text(), call.node.start_byte()),
            type_: resolution.type_.filter(|_| !resolution.unknown),
            modern: None,
            name_range: reader.name_range(node),
        };
        let known = self.file.facts.iter_mut().find(|it| it.name == fact.name);
        match known {
            // Another resolution of the same fact.
            Some(known) if known.type_ != fact.type_ => known.type_ = None,
            Some(_) => {}
            None => self.file.facts.push(fact),
        }
        true
    }

    fn words(&self) -> &'static [&'static str] {
        &["add", "define_fact"]
    }

    fn unreadable(&mut self) {
        self.add_computed(ComputedName::default());
    }

    fn looks_everywhere(&self) -> bool {
        true
    }
}

/// The interpreter state for one resolution of a fact.
#[derive(Default)]
struct Resolution {
    type_: Option<String>,
    unknown: bool,
}

impl<'t> Dsl<'t> for Resolution {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, _: usize) -> bool {
        match call.method {
            "setcode" if call.receiver.is_none() => {
                let found = match (call.arguments.first(), call.body()) {
                    // A shell command, whose output is the value.
                    (Some(_), _) => Some("String".to_owned()),
                    (None, Some(body)) => literal_type(reader, body)
                        .or_else(|| results::fact_type(reader.source, body)),
                    (None, None) => None,
                };
                self.unknown |= found.is_none() || self.type_.is_some();
                self.type_ = found;
                true
            }
            "chunk" | "aggregate" | "setcode" => {
                self.unknown = true;
                true
            }
            _ => false,
        }
    }

    fn words(&self) -> &'static [&'static str] {
        &["setcode", "chunk", "aggregate"]
    }

    fn unreadable(&mut self) {
        self.unknown = true;
    }
}

/// Returns the type of a block that consists of a single literal.
fn literal_type<'t>(reader: &mut Reader<'t>, body: Node<'t>) -> Option<String> {
    let statements = children(body);
    let mut statements = statements.iter().filter(|it| it.kind() != "comment");
    let (Some(only), None) = (statements.next(), statements.next()) else {
        return None;
    };
    // An interpolated string is still a string.
    if matches!(only.kind(), "string" | "chained_string") {
        return Some("String".to_owned());
    }
    Some(
        match reader.value(*only) {
            Value::Bool(_) => "Boolean",
            Value::Int(_) => "Integer",
            Value::Float(_) => "Float",
            Value::Str(_) | Value::Sym(_) => "String",
            _ => return None,
        }
        .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(text: &str) -> (Vec<String>, bool) {
        let file = facts(text);
        let facts = file.facts.iter().map(|it| {
            let type_ = it.type_.as_deref().unwrap_or("-");
            format!("{} {type_} {}", it.name, it.doc.text)
        });
        (facts.collect(), file.computed.is_empty())
    }

    #[test]
    fn finds_facts_in_nested_code() {
        let text = "
# A word.
Facter.add(:One) do
  confine kernel: 'Linux'
  setcode { 'word' }
end
module M
  def self.add_facts
    if x
      Facter.add('two', :type => :aggregate) do
        chunk(:a) { 1 }
      end
    end
  end
end
Facter.add(:three) { setcode 'uname' }
Facter.add(:four) { setcode { true } }
Facter.add(:four) { setcode { false } }
Facter.add(:five) { setcode { 1 } }
Facter.add(:five) { setcode { 'x' } }
%w[a b].each do |name|
  Facter.add(\"six_#{name}\") { setcode { compute(name) } }
end
";
        let facts = [
            "one String A word.",
            "two - ",
            "three String ",
            "four Boolean ",
            "five - ",
            "six_a - ",
            "six_b - ",
        ];
        assert_eq!(brief(text), (facts.map(str::to_owned).to_vec(), true));
    }

    #[test]
    fn computed_names_make_the_list_incomplete() {
        assert_eq!(
            brief("Facter.add(name) { }\nFacter.add(:a) { }"),
            (vec!["a - ".to_owned()], false)
        );
        assert_eq!(
            brief("list.each { |it| Facter.add(it) { } }"),
            (Vec::new(), false)
        );
        assert_eq!(
            brief("x = 'a'\nx = 'b' if y\nFacter.add(x) { }"),
            (Vec::new(), false)
        );
        assert_eq!(brief(""), (Vec::new(), true));
    }

    #[test]
    fn parts_of_computed_names_are_known() {
        let computed = |name: &str| {
            let file = facts(&format!("list.each {{ |it| Facter.add({name}) {{ }} }}"));
            let parts = file.computed.into_iter().map(|it| (it.prefix, it.suffix));
            parts.collect::<Vec<_>>()
        };
        for (name, prefix, suffix) in [
            ("\"Has_#{it}\"", "has_", ""),
            ("\"#{it}_port\"", "", "_port"),
            ("\"a_#{it}_#{it}_b\"", "a_", "_b"),
            (":\"a_#{it}\"", "a_", ""),
            ("'a_' + it.tr('-', '_')", "a_", ""),
            ("it + '_b'", "", "_b"),
            ("\"a_#{it}\".to_sym", "a_", ""),
            ("it.to_s", "", ""),
        ] {
            assert_eq!(
                computed(name),
                [(prefix.to_owned(), suffix.to_owned())],
                "{name}"
            );
        }
    }
}
