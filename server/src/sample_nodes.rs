//! The nodes with typical facts for which rules compile classes: those of the project, then those of Pupil.

use analysis::catalog::SampleNode;
use analysis::values::{HashValue, Value};
use syntax::validation::PuppetVersion;

use crate::built_in_facts::recorded;
use crate::fact_sets::{FactSet, FactSets};
use crate::facts::os;
use crate::legacy_facts::with_legacy_facts;
use crate::node::Node;
use crate::workspace::Discovery;

/// The sets of Pupil that are used, the most typical one first.
const BUILT_IN: [(&str, &str); 2] = [("debian12", "Debian 12"), ("redhat9", "Red Hat 9")];

/// The maximum number of sets of the project that are used: a class that fails on one is compiled for the next.
const MAX_OF_PROJECT: usize = 3;

/// Returns the sample nodes with facts of Pupil.
pub(crate) fn built_in() -> Vec<SampleNode> {
    let nodes = BUILT_IN.iter().map(|(name, platform)| SampleNode {
        name: (*name).into(),
        platform: (*platform).into(),
        variables: Node {
            facts: recorded(name).map(|it| with_legacy_facts(&it)),
            is_typical: true,
            ..Node::default()
        }
        .variables("production"),
    });
    nodes.collect()
}

/// Returns the first fact sets of the first project that has some. Sets that cannot be read are left out: the commands
/// that use them say so.
pub(crate) fn sets_of_projects(discovery: &Discovery, version: PuppetVersion) -> Vec<FactSet> {
    let mut all = discovery.environments.iter().map(|it| {
        let sets = FactSets::new(&it.root, it.config.facts(), version);
        sets.read_own(MAX_OF_PROJECT).unwrap_or_default()
    });
    all.find(|it| !it.is_empty()).unwrap_or_default()
}

/// Returns the sample nodes with sets of a project, then those with facts of Pupil.
pub(crate) fn with_sets(sets: &[FactSet]) -> Vec<SampleNode> {
    let own = sets.iter().map(|it| SampleNode {
        name: it.name.as_str().into(),
        platform: platform(&it.facts)
            .unwrap_or_else(|| it.name.clone())
            .into(),
        variables: Node {
            facts: Some(it.facts.clone()),
            ..Node::default()
        }
        .variables("production"),
    });
    own.chain(built_in()).collect()
}

/// Checks whether fact sets have the same names and facts.
pub(crate) fn are_same(sets: &[FactSet], others: &[FactSet]) -> bool {
    let content = |it: &FactSet| (it.name.clone(), Value::Hash(it.facts.clone()));
    sets.iter().map(content).eq(others.iter().map(content))
}

/// Returns the platform in facts, such as `Debian 12`.
fn platform(facts: &HashValue) -> Option<String> {
    let name = os(facts, &["name"])?;
    let release = os(facts, &["release", "major"]);
    Some(match release {
        Some(release) => format!("{name} {release}"),
        None => name.to_owned(),
    })
}
