//! Documentation of the options of lookups.

/// The options, with descriptions in Markdown.
const OPTIONS: [(&str, &str); 7] = [
    (
        "merge",
        "How the values of several levels are combined: `first`, `unique`, `hash` or `deep`.",
    ),
    (
        "convert_to",
        "The type that the value is converted to, perhaps with arguments, as in `[Integer, 16]`.",
    ),
    ("strategy", "The merge strategy."),
    (
        "knockout_prefix",
        "The prefix of values that remove those of lower levels, usually `--`.",
    ),
    (
        "merge_hash_arrays",
        "Whether hashes in arrays are merged too: those at the same position.",
    ),
    ("sort_merged_arrays", "Whether merged arrays are sorted."),
    ("merge_debug", "Whether the merge is logged."),
];

/// The merge strategies, with descriptions in Markdown.
const STRATEGIES: [(&str, &str); 4] = [
    (
        "first",
        "Returns the value of the highest level that has the key. This is the default.",
    ),
    (
        "unique",
        "Returns the values of all levels in one flat array without duplicates.",
    ),
    (
        "hash",
        "Merges the hashes of all levels. For a key in several levels, the value of the highest is used.",
    ),
    (
        "deep",
        "Merges the hashes and arrays of all levels, also those inside of hashes.",
    ),
];

/// Returns the description of an option.
pub(super) fn option_doc(name: &str) -> Option<&'static str> {
    description(&OPTIONS, name)
}

/// Returns the description of a merge strategy.
pub(super) fn strategy_doc(name: &str) -> Option<&'static str> {
    description(&STRATEGIES, name)
}

fn description(all: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    all.iter().find(|it| it.0 == name).map(|it| it.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hiera::merge;

    #[test]
    fn describes_all_options() {
        let mut options = merge::DEEP_OPTIONS.iter();
        assert!(options.all(|it| option_doc(it).is_some()));
        let mut strategies = merge::STRATEGIES.iter();
        assert!(strategies.all(|it| strategy_doc(it).is_some()));
    }
}
