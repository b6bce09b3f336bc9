//! Selection of a node definition by the name of a node: that which lists the name, or else the first one whose regular
//! expression matches it, or else the default. From `node` in `resource/type_collection.rb`.

use rustc_hash::FxHashMap;
use types::values::Regexp;

use crate::NodeMatcher;

/// Node definitions, of which each is known by a `T`.
#[derive(Clone, Debug)]
pub struct NodeSelector<T> {
    /// Keyed by names in lower case.
    by_name: FxHashMap<String, T>,
    patterns: Vec<(Regexp, T)>,
    default: Option<T>,
}

impl<T> NodeSelector<T> {
    /// Creates a selector from the names and patterns of definitions, in source order.
    pub fn new(definitions: impl IntoIterator<Item = (NodeMatcher, T)>) -> NodeSelector<T> {
        let mut selector = NodeSelector {
            by_name: FxHashMap::default(),
            patterns: Vec::new(),
            default: None,
        };
        for (matcher, definition) in definitions {
            match matcher {
                NodeMatcher::Name(name) => {
                    let name = name.to_ascii_lowercase();
                    selector.by_name.entry(name).or_insert(definition);
                }
                NodeMatcher::Regex(source) => {
                    let pattern = Regexp::new(&source);
                    selector.patterns.push((pattern, definition));
                }
                NodeMatcher::Default => {
                    selector.default.get_or_insert(definition);
                }
            }
        }
        selector
    }

    /// Returns the definition that Puppet selects for a node.
    pub fn select(&self, name: &str) -> Option<&T> {
        self.select_named(name).or(self.default.as_ref())
    }

    /// Returns the definition that Puppet selects for a node with several possible names, the most specific one first.
    pub fn select_any(&self, names: &[String]) -> Option<&T> {
        let mut named = names.iter().filter_map(|it| self.select_named(it));
        named.next().or(self.default.as_ref())
    }

    /// Returns the definition that lists a name, or the first one whose regular expression matches it.
    pub fn select_named(&self, name: &str) -> Option<&T> {
        let exact = self.by_name.get(&name.to_ascii_lowercase());
        exact.or_else(|| {
            let mut patterns = self.patterns.iter();
            let matching = patterns.find(|it| it.0.is_match(name) == Ok(true))?;
            Some(&matching.1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::NodeSelector;
    use crate::NodeMatcher;

    #[test]
    fn prefers_names_to_expressions_and_expressions_to_the_default() {
        let selector = NodeSelector::new([
            (NodeMatcher::Default, "default"),
            (NodeMatcher::Regex("^web".to_owned()), "web"),
            (NodeMatcher::Regex("^w".to_owned()), "w"),
            (NodeMatcher::Name("Web1".to_owned()), "web1"),
        ]);
        for (name, expected) in [
            ("web1", "web1"),
            ("WEB1", "web1"),
            ("web2", "web"),
            ("www", "w"),
            ("db1", "default"),
        ] {
            assert_eq!(selector.select(name), Some(&expected), "{name}");
        }
        assert_eq!(selector.select_named("db1"), None);
        let names = ["db1".to_owned(), "web1".to_owned()];
        assert_eq!(selector.select_any(&names), Some(&"web1"));
    }
}
