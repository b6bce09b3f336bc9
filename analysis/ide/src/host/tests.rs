//! Tests that the state only depends on the inputs, not on the changes that led to them.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::{AnalysisHost, Change, FileId};
use crate::fixture::{layout, set_file};

/// The paths of the files.
const PATHS: [&str; 9] = [
    "site.pp",
    "modules/a/manifests/init.pp",
    "modules/a/manifests/b.pp",
    "modules/a/manifests/b/c.pp",
    "modules/a/functions/f.pp",
    "modules/a/lib/puppet/functions/a/g.rb",
    "modules/a/lib/puppet/type/thing.rb",
    "modules/b/manifests/init.pp",
    "modules/b/templates/t.epp",
];

/// The possible sources of the files.
const TEXTS: [&str; 12] = [
    "",
    "class a ($x = 1) { include a::b notice($a::b::y) }",
    "\n\n# More.\nclass a inherits b { $z = a::f($x) }",
    "class a::b { $y = 1 include b a::b::c { 'x': n => 1 } }",
    "define a::b::c ($n, $m) { thing { $title: color => $n } $n = 2 }",
    "define a::b::c ($n) { notice(epp('b/t.epp')) }",
    "function a::f($x) { a::g($x, $q) }",
    "class b { class { 'a': y => 2 } file { '/': }\nfile { '/': } }",
    "include a\ninclude b\n$q = 1\nnotice($b::z, $a::x)",
    "Puppet::Functions.create_function(:'a::g') { dispatch(:g) { param 'Any', :x } }",
    "Puppet::Type.newtype(:thing) { newparam(:name) { isnamevar }\nnewparam(:color) }",
    "class a::b::c { $broken = ",
];

/// The files that exist, with their sources.
type Files = BTreeMap<usize, &'static str>;

#[derive(Clone, Debug)]
enum Step {
    Write(usize, usize),
    Remove(usize),
    Rename(usize, usize),
}

fn step() -> impl Strategy<Value = Step> {
    let path = 0..PATHS.len();
    prop_oneof![
        4 => (path.clone(), 0..TEXTS.len()).prop_map(|(path, text)| Step::Write(path, text)),
        1 => path.clone().prop_map(Step::Remove),
        1 => (path.clone(), path).prop_map(|(from, to)| Step::Rename(from, to)),
    ]
}

fn apply(files: &mut Files, step: &Step) {
    match *step {
        Step::Write(path, text) => drop(files.insert(path, TEXTS[text])),
        Step::Remove(path) => drop(files.remove(&path)),
        Step::Rename(from, to) => {
            if let Some(text) = files.remove(&from) {
                files.insert(to, text);
            }
        }
    }
}

fn id(path: usize) -> FileId {
    FileId(u32::try_from(path).expect("there are few paths"))
}

/// Applies the differences between two states.
fn tell(host: &mut AnalysisHost, before: &Files, after: &Files) {
    for path in before.keys().filter(|it| !after.contains_key(it)) {
        host.apply_change(Change::RemoveFile(id(*path)));
    }
    for (path, text) in after
        .iter()
        .filter(|(path, text)| before.get(path) != Some(text))
    {
        host.apply_change(set_file(id(*path), PATHS[*path], text));
    }
    if before.keys().ne(after.keys()) {
        let layout = layout(after.keys().map(|it| (PATHS[*it], id(*it))));
        host.apply_change(Change::SetWorkspace(Arc::new(layout)));
    }
}

/// Renders the results of all queries about all files.
fn said(host: &AnalysisHost) -> String {
    let analysis = host.analysis();
    let of_file = |path: usize| {
        let file = id(path);
        format!(
            "{:?}\n{:?}\n",
            analysis.diagnostics(file),
            analysis.resolved_references(file)
        )
    };
    (0..PATHS.len()).map(of_file).collect()
}

proptest! {
    #[test]
    fn incremental_state_equals_a_fresh_state(steps in prop::collection::vec(step(), 1..30)) {
        let mut host = AnalysisHost::default();
        let mut files = Files::new();
        for (index, step) in steps.iter().enumerate() {
            let before = files.clone();
            apply(&mut files, step);
            tell(&mut host, &before, &files);
            // Occasional queries leave memoized results, which must not be reused wrongly.
            if index % 3 == 0 {
                said(&host);
            }
        }
        let mut fresh = AnalysisHost::default();
        tell(&mut fresh, &Files::new(), &files);
        prop_assert_eq!(said(&host), said(&fresh));
    }
}
