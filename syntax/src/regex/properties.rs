//! The names of character properties in `\p{…}`.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The names of Unicode 13 in Ruby 3.1, each verified with Ruby, in normalized spelling: lower case
/// without whitespace, hyphens and underscores.
const NAMES: &str = include_str!("properties.txt");

/// The names added by Unicode 14 and 15, which are supported by Ruby 3.2, the Ruby of OpenVox 8.
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

/// Returns the normalized spelling of the name in `\p{name}`, if it is known. Case, whitespace, hyphens
/// and underscores are ignored.
pub(super) fn known(name: &str) -> Option<&'static str> {
    let mut plain: String = name
        .chars()
        .filter(|ch| !matches!(ch, ' ' | '-' | '_'))
        .collect();
    plain.make_ascii_lowercase();
    KNOWN.get(plain.as_str()).copied()
}
