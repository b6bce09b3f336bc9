//! Compiles the catalogs of any workspace, edits a file, and compares with a fresh analysis.

#![no_main]

use analysis::Analysis;
use analysis::base::Diagnostic;
use analysis::catalog::Compilation;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use pupil_fuzz::compiled::{check, check_certain, compile};
use pupil_fuzz::mutate::mutate;
use pupil_fuzz::nodes::{sample_nodes, unknown_node};
use pupil_fuzz::workspace::{Workspace, diagnostics};

/// The number of bytes before the text.
const HEAD: usize = 3;

/// Everything that is compared.
#[derive(PartialEq, Debug)]
struct Answers {
    /// The catalogs of a node whose facts are unknown, and of the sample nodes.
    catalogs: Vec<Compilation>,
    /// The diagnostics of each file.
    diagnostics: Vec<Vec<Diagnostic>>,
}

impl Answers {
    fn of(analysis: &Analysis, workspace: &Workspace) -> Answers {
        let samples = sample_nodes().into_iter().map(|it| it.variables);
        let nodes = [unknown_node()].into_iter().chain(samples);
        Answers {
            catalogs: nodes.map(|it| compile(analysis, &it)).collect(),
            diagnostics: workspace
                .files()
                .map(|it| diagnostics(analysis, it.0))
                .collect(),
        }
    }
}

fuzz_target!(|data: &[u8]| {
    // The first bytes select the release, the file that is edited, and how much of it there is before.
    let Some(([choice, edited, share], rest)) = data.split_first_chunk::<HEAD>() else {
        return;
    };
    let text = String::from_utf8_lossy(rest);
    let workspace = Workspace::parse(&text);
    let version = pupil_fuzz::version(*choice);
    let fresh = workspace.load(version).analysis();
    let expected = Answers::of(&fresh, &workspace);

    for compiled in &expected.catalogs {
        check(&fresh, compiled);
    }
    for ((file, text), found) in workspace.files().zip(&expected.diagnostics) {
        for it in found {
            assert!(
                pupil_fuzz::contains(text, it.range),
                "{it:?} is outside of {}",
                workspace.path(file)
            );
        }
    }
    if let [unknown, samples @ ..] = &expected.catalogs[..] {
        for sample in samples.iter().filter(|it| it.errors.is_empty()) {
            check_certain(&unknown.catalog, &sample.catalog);
        }
    }

    let mut host = workspace.load(version);
    let index = usize::from(*edited) % workspace.files().count();
    let (file, text) = workspace
        .files()
        .nth(index)
        .expect("the index is less than the count");
    workspace.edit(&mut host, file, Workspace::cut(text, *share));
    Answers::of(&host.analysis(), &workspace);
    workspace.edit(&mut host, file, text);
    let found = Answers::of(&host.analysis(), &workspace);
    assert!(
        found == expected,
        "the answers differ after an edit: {found:#?} {expected:#?}"
    );
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    // Random bytes still find what is wrong with invalid code and data.
    let text = data.get(HEAD..size).filter(|_| seed % 4 != 0);
    let mutated = text.and_then(|it| mutate(str::from_utf8(it).ok()?, seed));
    match mutated.filter(|it| it.len() + HEAD <= max_size) {
        Some(text) => {
            data[HEAD..HEAD + text.len()].copy_from_slice(text.as_bytes());
            HEAD + text.len()
        }
        None => fuzzer_mutate(data, size, max_size),
    }
});
