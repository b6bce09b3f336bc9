//! The rank of the word that a user wants, after no, one and two letters, at words of real code.

use std::collections::BTreeMap;
use std::sync::Arc;

use fastrand::Rng;
use pupil_tests::ceilings::{self, Counts};
use pupil_tests::corpus::modules_dir;
use pupil_tests::env::{self, seed};
use pupil_tests::workspace::{TestWorkspace, read_modules};
use syntax::TextSize;

use crate::rank::{order, rank};
use crate::words::{StringFiles, Word, WordKind, strings, words};

/// The number of words.
const SAMPLES: usize = 500;

/// The largest number of typed letters.
const MAX_LETTERS: usize = 2;

/// The code after the cursor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Following {
    /// Everything after the word.
    Kept,
    /// The lines after that of the word.
    LineRemoved,
}

/// The number of words, and of those among the first and the first three candidates.
#[derive(Clone, Copy, Default)]
struct Tally {
    tried: usize,
    offered: usize,
    first: usize,
    among_three: usize,
}

impl Tally {
    fn add(&mut self, rank: Option<usize>) {
        self.tried += 1;
        self.offered += usize::from(rank.is_some());
        self.first += usize::from(rank == Some(0));
        self.among_three += usize::from(rank.is_some_and(|it| it < 3));
    }

    fn render(self) -> String {
        let percent = |it: usize| 100.0 * it as f64 / self.tried.max(1) as f64;
        let (first, among_three) = (percent(self.first), percent(self.among_three));
        format!(
            "{first:5.1}/{among_three:5.1}/{:5.1}",
            percent(self.offered)
        )
    }
}

type Tallies = BTreeMap<(Following, Option<WordKind>), [Tally; MAX_LETTERS + 1]>;

#[test]
#[ignore = "needs Debian's modules"]
fn ranks_the_wanted_word_first() {
    let modules = read_modules(&modules_dir()).expect("the modules can be read");
    let mut workspace = TestWorkspace::new(&modules);
    let places = places(&workspace);
    let mut rng = Rng::with_seed(seed(9));
    let mut tallies = Tallies::new();
    for _ in 0..SAMPLES {
        let (path, words) = &places[rng.usize(..places.len())];
        let word = &words[rng.usize(..words.len())];
        for following in [Following::Kept, Following::LineRemoved] {
            let ranks = type_word(&mut workspace, path, word, following);
            for kind in [None, Some(word.kind)] {
                let tally = tallies.entry((following, kind)).or_default();
                for (tally, rank) in tally.iter_mut().zip(ranks) {
                    tally.add(rank);
                }
            }
        }
    }
    print(&tallies);
    ceilings::assert_within("completion/ceilings.tsv", &misses(&tallies));
}

/// Returns the words of each manifest.
fn places(workspace: &TestWorkspace) -> Vec<(String, Vec<Word>)> {
    let analysis = workspace.analysis();
    let paths = workspace.paths().filter(|it| it.ends_with(".pp"));
    let trees = paths.filter_map(|path| {
        let parse = analysis.parse(workspace.id(path)?)?;
        Some((path.to_owned(), parse.syntax()))
    });
    let trees: Vec<_> = trees.collect();
    let mut files = StringFiles::new();
    for (_, tree) in &trees {
        for text in strings(tree).into_keys() {
            *files.entry(text).or_default() += 1;
        }
    }
    let all = trees
        .iter()
        .map(|(path, it)| (path.clone(), words(it, &files)));
    all.filter(|it| !it.1.is_empty()).collect()
}

/// Types a word letter by letter, and returns its ranks.
fn type_word(
    workspace: &mut TestWorkspace,
    path: &str,
    word: &Word,
    following: Following,
) -> [Option<usize>; MAX_LETTERS + 1] {
    let original = workspace.text(path).expect("the file has a text");
    let text = Arc::clone(&original);
    let wanted = &text[word.range];
    let prefix = wanted.len() - wanted.trim_start_matches("::").len();
    let file = workspace.id(path).expect("the file is in the workspace");
    let mut ranks = [None; MAX_LETTERS + 1];
    let mut list = None;
    for (letters, place) in ranks.iter_mut().enumerate() {
        let typed = prefix + letters;
        let typed = &wanted[..typed.min(wanted.len())];
        // The list opens before or with the first letter, and the editor filters a complete one.
        let is_kept = letters > 1
            && list
                .as_ref()
                .is_some_and(|it: &analysis::ide::Completions| !it.is_incomplete);
        if !is_kept {
            let at = usize::from(word.range.start());
            let rest = &text[usize::from(word.range.end())..];
            let rest = match following {
                Following::Kept => rest,
                Following::LineRemoved => &rest[rest.find('\n').unwrap_or(rest.len())..],
            };
            workspace.set(path, &[&text[..at], typed, rest].concat());
            let offset = word.range.start() + TextSize::of(typed);
            list = Some(workspace.analysis().completions(file, offset));
        }
        let found = list.as_ref().expect("a list was requested");
        *place = rank(found, typed, wanted);
        if env::misses()
            && following == Following::Kept
            && place.is_none_or(|it| it >= [3, 1, 1][letters])
        {
            let first = order(found, typed).into_iter().take(5);
            let first: Vec<_> = first.map(|it| it.label.as_str()).collect();
            report(path, &text, word, letters, *place, &first);
        }
    }
    workspace.set(path, &original);
    ranks
}

#[expect(clippy::print_stdout, reason = "printed on request")]
fn report(
    path: &str,
    text: &str,
    word: &Word,
    letters: usize,
    rank: Option<usize>,
    first: &[&str],
) {
    let start = usize::from(word.range.start());
    let line = text[..start].rfind('\n').map_or(0, |it| it + 1);
    let end = text[start..].find('\n').map_or(text.len(), |it| it + start);
    println!(
        "{letters} {:?} {path}:{} `{}` {} {rank:?} {first:?}",
        word.kind,
        text[..start].lines().count(),
        format_args!("{}‸{}", text[line..start].trim_start(), &text[start..end]),
        &text[word.range],
    );
}

#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn print(tallies: &Tallies) {
    println!("first/among three/offered, in percent, after 0, 1 and 2 letters");
    for ((following, kind), tally) in tallies {
        let kind = kind.map_or("all".to_owned(), |it| format!("{it:?}"));
        let shares = tally.map(Tally::render).join("  ");
        println!("{following:?} {kind:>13} {:4}: {shares}", tally[0].tried);
    }
}

/// Returns the number of words that are not first and not among the first three.
fn misses(tallies: &Tallies) -> Counts {
    let mut counts = Counts::new();
    for ((following, _), tally) in tallies.iter().filter(|it| it.0.1.is_none()) {
        for (letters, tally) in tally.iter().enumerate() {
            let name = |what: &str| format!("{following:?}, {letters} letters, not {what}");
            counts.insert(name("first"), tally.tried - tally.first);
            counts.insert(name("among three"), tally.tried - tally.among_three);
        }
    }
    counts
}
