//! Completion in real code: a sample of the names in Debian's modules is truncated after a few
//! letters, and the completion must offer the original name.

mod occurrences;
mod rank;
mod ranking;
mod words;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use fastrand::Rng;
use occurrences::{NameKind, NameOccurrence, occurrences};
use pupil_tests::corpus::modules_dir;
use pupil_tests::env::{self, seed};
use pupil_tests::workspace::{TestWorkspace, read_modules};
use syntax::TextSize;

/// The number of names.
const SAMPLES: usize = 500;

/// The results for one kind of name.
#[derive(Default)]
struct Tally {
    tried: usize,
    offered: usize,
    among_five: usize,
    times: Vec<Duration>,
}

/// Truncates a name a few letters after the start of one of its segments. Returns the text and the
/// cursor. With `PUPIL_CUT`, removes the rest of the file too.
fn truncate_name(text: &str, occurrence: &NameOccurrence, rng: &mut Rng) -> (String, TextSize) {
    let word = &text[occurrence.word];
    let mut starts = vec![0];
    starts.extend(word.match_indices("::").map(|it| it.0 + 2));
    let start = starts[rng.usize(..starts.len())];
    let part = &word[start..];
    let letters = part.split("::").next().map_or(0, str::len);
    let kept = rng.usize(..3.min(letters.max(1)));
    let at = usize::from(occurrence.word.start()) + start + kept;
    let rest = match env::cut() {
        true => "",
        false => &text[usize::from(occurrence.word.end())..],
    };
    let offset = u32::try_from(at).expect("manifests are short");
    (format!("{}{rest}", &text[..at]), TextSize::new(offset))
}

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn offers_the_original_name() {
    let modules = read_modules(&modules_dir()).expect("the modules can be read");
    let mut workspace = TestWorkspace::new(&modules);
    let mut all: BTreeMap<NameKind, Vec<(String, NameOccurrence)>> = BTreeMap::new();
    let paths: Vec<String> = workspace.paths().map(str::to_owned).collect();
    for path in paths.iter().filter(|it| it.ends_with(".pp")) {
        let analysis = workspace.analysis();
        let file = workspace.id(path).expect("the file is in the workspace");
        let Some(parse) = analysis.parse(file) else {
            continue;
        };
        for (kind, occurrence) in occurrences(&parse.syntax()) {
            all.entry(kind)
                .or_default()
                .push((path.clone(), occurrence));
        }
    }
    let mut rng = Rng::with_seed(seed(6));
    let each = SAMPLES.div_ceil(all.len());
    let mut left = SAMPLES;
    let mut tallies: BTreeMap<NameKind, Tally> = BTreeMap::new();
    for (kind, places) in &all {
        let tally = tallies.entry(*kind).or_default();
        for _ in 0..each.min(left) {
            let (path, occurrence) = &places[rng.usize(..places.len())];
            complete_at(&mut workspace, *kind, path, occurrence, &mut rng, tally);
        }
        left -= each.min(left);
    }
    let mut total = Tally::default();
    for (kind, tally) in tallies {
        println!("{}", line(&format!("{kind:?}"), &tally));
        total.tried += tally.tried;
        total.offered += tally.offered;
        total.among_five += tally.among_five;
        total.times.extend(tally.times);
    }
    println!("{}", line("all", &total));
    assert!(
        total.offered * 100 >= total.tried * 95,
        "too few names are offered"
    );
    assert!(
        total.among_five * 100 >= total.tried * 75,
        "too few names are among the first five"
    );
}

#[expect(clippy::print_stdout, reason = "printed on request")]
fn complete_at(
    workspace: &mut TestWorkspace,
    kind: NameKind,
    path: &str,
    occurrence: &NameOccurrence,
    rng: &mut Rng,
    tally: &mut Tally,
) {
    let text = workspace.text(path).expect("the file has a text");
    let (edited, offset) = truncate_name(&text, occurrence, rng);
    workspace.set(path, &edited);
    let file = workspace.id(path).expect("the file is in the workspace");
    let started = Instant::now();
    let found = workspace.analysis().completions(file, offset);
    tally.times.push(started.elapsed());
    let expected = &text[occurrence.word];
    let is_it = |it: &str| it == expected || it.strip_prefix('$') == Some(expected);
    let position = found.items.iter().position(|it| is_it(&it.label));
    tally.tried += 1;
    tally.offered += usize::from(position.is_some());
    tally.among_five += usize::from(position.is_some_and(|it| it < 5));
    if env::misses() && position.is_none_or(|it| it >= 5) {
        let start = edited[..usize::from(offset)]
            .rfind('\n')
            .map_or(0, |it| it + 1);
        let line = edited[start..usize::from(offset)].trim_start();
        let first: Vec<_> = found.items.iter().take(5).map(|it| &*it.label).collect();
        println!(
            "{kind:?} {path}:{} `{line}` {expected} {position:?} of {} {first:?}",
            edited[..start].lines().count() + 1,
            found.items.len()
        );
    }
    workspace.set(path, &text);
}

fn line(name: &str, tally: &Tally) -> String {
    let percent = |it: usize| 100.0 * it as f64 / tally.tried.max(1) as f64;
    let mut times = tally.times.clone();
    times.sort();
    let at = |percent: usize| {
        let index = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(index).map_or(0.0, |it| it.as_secs_f64() * 1e3)
    };
    format!(
        "{name:>14}: {:>3} tried, {:>5.1} % offered, {:>5.1} % among five, {:.2} ms median, {:.2} ms p99",
        tally.tried,
        percent(tally.offered),
        percent(tally.among_five),
        at(50),
        at(99),
    )
}
