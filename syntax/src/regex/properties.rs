//! The names that `\p{…}` knows.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The names of Unicode 13 as Ruby 3.1 has them, each tried there, in Ruby's spelling: lower case
/// without blanks, hyphens and underscores.
const NAMES: &str = include_str!("properties.txt");

/// What Unicode 14 and 15 added: Ruby 3.2, on which OpenVox 8 runs, knows them.
const LATER_NAMES: &str = "age=14.0 age=15.0 cpmn cyprominoan kawi nagm nagmundari olduyghur ougr \
    tangsa tnsa toto vith vithkuqi \
    inarabicextendedb inarabicextendedc incjkunifiedideographsextensionh incyprominoan \
    incyrillicextendedd indevanagariextendeda inethiopicextendedb inkaktoviknumerals \
    inkanaextendedb inkawi inlatinextendedf inlatinextendedg innagmundari inolduyghur intangsa \
    intoto inunifiedcanadianaboriginalsyllabicsextendeda invithkuqi inznamennymusicalnotation";

static KNOWN: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    NAMES
        .split_whitespace()
        .chain(LATER_NAMES.split_whitespace())
        .collect()
});

/// Whether `\p{name}` is known. The spelling is loose: case, blanks, hyphens and underscores do
/// not count.
pub(super) fn is_known(name: &str) -> bool {
    let mut plain: String = name
        .chars()
        .filter(|ch| !matches!(ch, ' ' | '-' | '_'))
        .collect();
    plain.make_ascii_lowercase();
    KNOWN.contains(plain.as_str())
}
