//! Random edits in real modules: no panic, and in the end the same results as for a new workspace.

use fastrand::Rng;
use pupil_tests::corpus;
use pupil_tests::env::{self, seed};
use pupil_tests::workspace::{TestModule, TestWorkspace, read_module};

/// The number of edits before the results are compared with those of a new workspace.
const EDITS: usize = 25;

#[test]
#[ignore = "needs Debian's modules"]
fn incremental_results_equal_those_of_a_new_workspace() {
    let mut rng = Rng::with_seed(seed(1));
    for _ in 0..env::rounds() {
        let modules = some_modules(&mut rng);
        run(&mut rng, modules);
    }
}

fn some_modules(rng: &mut Rng) -> Vec<TestModule> {
    let mut folders: Vec<_> = std::fs::read_dir(corpus::modules_dir())
        .expect("Debian's modules are installed")
        .map(|it| it.expect("the directory can be read").path())
        .filter(|it| it.join("manifests").is_dir())
        .collect();
    folders.sort();
    rng.shuffle(&mut folders);
    let some = folders.iter().take(rng.usize(2..4));
    some.map(|it| read_module(it).expect("the module can be read"))
        .collect()
}

fn run(rng: &mut Rng, mut modules: Vec<TestModule>) {
    let mut workspace = TestWorkspace::new(&modules);
    let paths: Vec<(usize, String)> = (0..modules.len())
        .flat_map(|index| {
            let files = modules[index].files.iter();
            let manifests = files.filter(|it| it.1.is_some() && it.0.ends_with("pp"));
            manifests.map(move |it| (index, it.0.clone()))
        })
        .collect();
    if paths.is_empty() {
        return;
    }
    // A few files are edited repeatedly, so that they depend on each other's changes.
    let few: Vec<_> = (0..4)
        .map(|_| paths[rng.usize(..paths.len())].clone())
        .collect();
    for _ in 0..EDITS {
        let (module, path) = &few[rng.usize(..few.len())];
        let other = text(&modules, &paths[rng.usize(..paths.len())]).to_owned();
        let before = text(&modules, &(*module, path.clone()));
        let after = edited(rng, before, &other);
        let full = format!("{}/{path}", modules[*module].folder);
        workspace.set(&full, &after);
        modules[*module].files.insert(path.clone(), Some(after));
        query_all(&workspace, &full);
        let (module, path) = &few[rng.usize(..few.len())];
        query_all(&workspace, &format!("{}/{path}", modules[*module].folder));
    }
    let fresh = TestWorkspace::new(&modules);
    for (module, path) in &paths {
        let full = format!("{}/{path}", modules[*module].folder);
        assert_eq!(workspace.found(&full), fresh.found(&full), "{full}");
        let inferred = |workspace: &TestWorkspace| {
            workspace
                .id(&full)
                .map(|it| workspace.analysis().inferred_types(it))
        };
        assert_eq!(inferred(&workspace), inferred(&fresh), "{full}");
    }
}

fn text<'a>(modules: &'a [TestModule], (module, path): &(usize, String)) -> &'a str {
    let found = modules[*module].files.get(path).and_then(Option::as_deref);
    found.unwrap_or_default()
}

fn query_all(workspace: &TestWorkspace, path: &str) {
    workspace.found(path);
    if let Some(file) = workspace.id(path) {
        workspace.analysis().inferred_types(file);
    }
}

/// Makes one change: deletes, duplicates or moves a part, or copies one from another file.
fn edited(rng: &mut Rng, text: &str, other: &str) -> String {
    let random_part = random_part(rng, text);
    let at = boundary(text, rng.usize(..=text.len()));
    match rng.usize(..4) {
        0 => format!("{}{}", &text[..random_part.start], &text[random_part.end..]),
        1 => format!("{}{}{}", &text[..at], &text[random_part], &text[at..]),
        2 => {
            let taken = self::random_part(rng, other);
            format!("{}{}{}", &text[..at], &other[taken], &text[at..])
        }
        _ => {
            let without = format!("{}{}", &text[..random_part.start], &text[random_part.end..]);
            let at = boundary(&without, at.min(without.len()));
            format!("{}{}{}", &without[..at], &text[random_part], &without[at..])
        }
    }
}

/// Returns a range of some words or lines.
fn random_part(rng: &mut Rng, text: &str) -> std::ops::Range<usize> {
    let start = boundary(text, rng.usize(..=text.len()));
    let length = if rng.bool() {
        rng.usize(..12)
    } else {
        rng.usize(..200)
    };
    let end = boundary(text, (start + length).min(text.len()));
    start..end.max(start)
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
