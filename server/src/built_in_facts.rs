//! The facts that Pupil has for each main platform.

use analysis::values::HashValue;

use crate::facts;

/// The fact sets of Pupil, by name.
pub(crate) const BUILT_IN: [(&str, &str); 10] = [
    ("archlinux", include_str!("../fact_sets/archlinux.json")),
    ("centos7", include_str!("../fact_sets/centos7.json")),
    ("debian12", include_str!("../fact_sets/debian12.json")),
    ("freebsd14", include_str!("../fact_sets/freebsd14.json")),
    ("macos14", include_str!("../fact_sets/macos14.json")),
    ("redhat8", include_str!("../fact_sets/redhat8.json")),
    ("redhat9", include_str!("../fact_sets/redhat9.json")),
    ("sles15", include_str!("../fact_sets/sles15.json")),
    ("ubuntu2404", include_str!("../fact_sets/ubuntu2404.json")),
    ("windows2022", include_str!("../fact_sets/windows2022.json")),
];

/// Few facts, for tests.
pub(crate) const MINIMAL: (&str, &str) = ("minimal", include_str!("../fact_sets/minimal.json"));

/// Returns the facts of a set of Pupil as they are stored, with the legacy ones that were recorded.
pub(crate) fn recorded(name: &str) -> Option<HashValue> {
    let mut sets = BUILT_IN.iter().chain([&MINIMAL]);
    let set = sets.find(|it| it.0 == name)?;
    Some(parse(set.1))
}

/// Reads a fact set of Pupil.
pub(crate) fn parse(text: &str) -> HashValue {
    let json = serde_json::from_str(text).expect("fact sets are valid JSON");
    facts::from_json(&json).expect("fact sets are JSON objects")
}
