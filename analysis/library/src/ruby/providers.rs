//! Providers of resource types.

use super::calls::Call;
use super::evaluate::Reader;
use super::source::Source;
use super::walk::Dsl;

/// Extracts the resource type and the name of the provider that a file defines:
/// `Puppet::Type.type(:package).provide(:apt)` or `Puppet::Type::Package.provide :apt`.
pub fn provider(text: &str) -> Option<(String, String)> {
    // The call is near the top; parse the file only up to there, because most of it is the code of
    // the provider.
    let (mut end, mut seen) = (0, false);
    for line in text.split_inclusive('\n') {
        end += line.len();
        seen |= line.contains("provide") && !line.trim_start().starts_with('#');
        if seen && line.trim_end().ends_with("do") {
            break;
        }
    }
    let start = text.get(..end).unwrap_or(text);
    found_in(start).or_else(|| found_in(text))
}

fn found_in(text: &str) -> Option<(String, String)> {
    let source = Source::with_words(text, &["provide"])?;
    let mut finder = ProviderFinder { found: None };
    Reader::new(&source).run(source.root(), &mut finder, 0);
    finder.found
}

struct ProviderFinder {
    found: Option<(String, String)>,
}

impl<'t> Dsl<'t> for ProviderFinder {
    fn call(&mut self, reader: &mut Reader<'t>, call: &Call<'t>, _: usize) -> bool {
        if call.method != "provide" || self.found.is_some() {
            return false;
        }
        let type_ = type_of(reader, call);
        let name = call.arguments.first().and_then(|it| reader.string(*it));
        self.found = type_.zip(name);
        self.found.is_some()
    }

    fn words(&self) -> &'static [&'static str] {
        &["provide"]
    }

    fn unreadable(&mut self) {}

    fn looks_everywhere(&self) -> bool {
        true
    }
}

/// Returns the resource type of the receiver: `Puppet::Type.type(:x)`, `Puppet::Type::X`.
pub(super) fn type_of<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> Option<String> {
    if let Some(constant) = call.constant(reader.source) {
        let name = constant.strip_prefix("Puppet::Type::")?;
        return (!name.contains("::")).then(|| name.to_lowercase());
    }
    let on = Call::of(reader.source, call.receiver?)?;
    let is_type = on.method == "type" && on.constant(reader.source) == Some("Puppet::Type");
    let name = on.arguments.first().filter(|_| is_type)?;
    reader.string(*name).map(|it| it.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_type_and_name_of_providers() {
        let found = |text: &str| provider(text).map(|(a, b)| format!("{a}/{b}"));
        assert_eq!(
            found("Puppet::Type.type(:a_b).provide(:c, parent: X) do\nend").as_deref(),
            Some("a_b/c")
        );
        assert_eq!(
            found("require 'x'\nPuppet::Type::A_b.provide 'c' do\nend").as_deref(),
            Some("a_b/c")
        );
        assert_eq!(
            found("# to provide\nPuppet::Type.type(:a).provide(\n  :b,\n) do\n def c; provide do\nend\nend\nend").as_deref(),
            Some("a/b")
        );
        assert_eq!(found("class Puppet::Provider::X\nend"), None);
        assert_eq!(found("Puppet::Type.type(:a).provide(x)"), None);
    }
}
