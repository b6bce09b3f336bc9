//! Data types: `Puppet::DataTypes.create_type('Name') do interface … end`.

use crate::signatures::RubyDataType;

use super::calls::Call;
use super::comments;
use super::evaluate::Reader;
use super::source::Source;
use super::walk::Dsl;

/// Extracts the data types that a file defines.
pub fn data_types(text: &str) -> Vec<RubyDataType> {
    let mut finder = DataTypeFinder { found: Vec::new() };
    if let Some(source) = Source::with_words(text, &["create_type"]) {
        Reader::new(&source).run(source.root(), &mut finder, 0);
    }
    finder.found
}

struct DataTypeFinder {
    found: Vec<RubyDataType>,
}

impl<'t> Dsl<'t> for DataTypeFinder {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, depth: usize) -> bool {
        if call.method != "create_type" || call.constant(reader.source) != Some("Puppet::DataTypes")
        {
            return false;
        }
        let node = call.arguments.first().copied();
        let Some((node, name)) = node.and_then(|it| Some((it, reader.string(it)?))) else {
            return true;
        };
        let mut body = Body::default();
        if let Some(node) = call.body() {
            reader.run(node, &mut body, depth + 1);
        }
        self.found.push(RubyDataType {
            name,
            // Puppet adds the braces as well.
            interface: body
                .interface
                .map(|it| format!("{{\n{}\n}}", it.trim_matches('\n'))),
            doc: comments::above(reader.source.text(), call.node.start_byte()),
            name_range: reader.name_range(node),
        });
        true
    }

    fn words(&self) -> &'static [&'static str] {
        &["create_type"]
    }

    fn unreadable(&mut self) {}

    fn looks_everywhere(&self) -> bool {
        true
    }
}

/// The body of `create_type`; `load_file` and `implementation_class` are ignored.
#[derive(Default)]
struct Body {
    interface: Option<String>,
}

impl<'t> Dsl<'t> for Body {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, _: usize) -> bool {
        if call.method != "interface" || call.receiver.is_some() {
            return false;
        }
        self.interface = call.arguments.first().and_then(|it| reader.string(*it));
        true
    }

    fn words(&self) -> &'static [&'static str] {
        &["interface"]
    }

    fn unreadable(&mut self) {
        self.interface = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extracts_the_interface() {
        let text = "
# A target.
Puppet::DataTypes.create_type('Target') do
  load_file('puppet_x/target')
  interface <<-PUPPET
    type_parameters => { a => String },
    attributes => { uri => String[1] },
    PUPPET
  implementation_class PuppetX::Target
end
";
        let found = data_types(text);
        let [only] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!(only.name, "Target");
        assert_eq!(
            only.interface.as_deref(),
            Some(
                "{\n    type_parameters => { a => String },\n    attributes => { uri => String[1] },\n}"
            )
        );
        assert_eq!(only.doc.text, "A target.");
        assert_eq!(&text[only.name_range], "Target");
        let computed = data_types("Puppet::DataTypes.create_type('X') { interface \"#{x}\" }");
        assert_eq!(computed[0].interface, None);
    }
}
