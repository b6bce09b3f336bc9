//! What can be done to the code under a selection: the result parses, nothing new is found, and
//! the code means what it did.

mod debian;
mod evaluated;
mod findings;

use std::collections::BTreeMap;

use analysis::ide::Assist;
use fastrand::Rng;
use pupil_tests::environment::{is_wanted, number};
use pupil_tests::world::World;
use syntax::ast::{AstNode, Expr};
use syntax::{Edit, Severity, TextRange, apply_edits};

/// Of each kind of action, so many are tried: 500, or what `PUPIL_ACTIONS` says.
fn each() -> usize {
    number("PUPIL_ACTIONS", 500)
}

/// Which assists are tried: all of them, or the one that `PUPIL_ACTIONS_ONLY` names.
fn is_tried(assist: &Assist) -> bool {
    is_wanted("PUPIL_ACTIONS_ONLY", assist.id)
}

/// An offer in a file.
#[derive(Clone, Debug)]
struct Offer {
    path: String,
    range: TextRange,
    assist: Assist,
}

/// All that is offered in a file: at every word with the cursor on it, and for every expression
/// that is selected; of long files only at some of them.
fn offers(world: &World, path: &str, rng: &mut Rng) -> Vec<Offer> {
    /// So many places of a file are looked at.
    const MAX_PLACES: usize = 150;
    let analysis = world.analysis();
    let Some(file) = world.id(path) else {
        return Vec::new();
    };
    let Some(root) = analysis.parse(file).map(|it| it.syntax()) else {
        return Vec::new();
    };
    let tokens = root.descendants_with_tokens();
    let tokens = tokens.filter_map(|it| it.into_token());
    let tokens = tokens.filter(|it| !it.kind().is_trivia());
    let cursors = tokens.map(|it| TextRange::empty(it.text_range().start()));
    let nodes = root.descendants().filter_map(Expr::cast);
    let selections = nodes.map(|it| it.syntax().text_range());
    let mut places: Vec<_> = cursors.chain(selections).collect();
    rng.shuffle(&mut places);
    places.truncate(MAX_PLACES);
    let mut found = Vec::new();
    for range in places {
        let assists = analysis.assists(file, range).into_iter().filter(is_tried);
        found.extend(assists.map(|assist| Offer {
            path: path.to_owned(),
            range,
            assist,
        }));
    }
    found
}

/// The files in Puppet's language, in any order: all, if many actions are tried.
fn files(world: &World, rng: &mut Rng) -> Vec<String> {
    let code = ["manifests/", "functions/", "types/", "plans/"];
    let is_code = |it: &&str| {
        let inside = it.split_once('/').map_or("", |it| it.1);
        let is_manifest = it.ends_with(".pp") && code.iter().any(|it| inside.starts_with(it));
        is_manifest || it.ends_with(".epp")
    };
    let mut paths: Vec<_> = world.paths().filter(is_code).map(str::to_owned).collect();
    rng.shuffle(&mut paths);
    paths.truncate(each().saturating_mul(4));
    paths
}

/// The text of a file after what is offered was done, and the edits.
fn applied(world: &World, offer: &Offer) -> Option<(String, Vec<Edit>)> {
    let file = world.id(&offer.path)?;
    let assist = &offer.assist;
    let analysis = world.analysis();
    let edits = analysis.assist_edits(file, offer.range, assist.id, &assist.title)?;
    let text = apply_edits(&world.text(&offer.path)?, &edits)?;
    Some((text, edits))
}

/// The first error of syntax in a text.
fn syntax_error(path: &str, text: &str) -> Option<String> {
    let parse = syntax::parse(text, pupil_tests::corpus::dialect(path));
    let mut errors = parse.errors().iter();
    let error = errors.find(|it| it.severity == Severity::Error);
    error.map(|it| it.message.clone())
}

/// Where an offer is, for whoever looks into it.
fn described(world: &World, offer: &Offer) -> String {
    let text = world.text(&offer.path).unwrap_or_default();
    let before = &text[..usize::from(offer.range.start())];
    let line = before.matches('\n').count();
    let code = text.lines().nth(line).unwrap_or_default().trim();
    format!(
        "{}:{} {} at `{}` in `{code}`",
        offer.path,
        line + 1,
        offer.assist.id,
        &text[offer.range]
    )
}

/// What came of the offers of an assist.
#[derive(Default)]
struct Figures {
    offered: usize,
    refused: usize,
    applied: usize,
    wrong: usize,
}

/// Prints the figures, a line for each assist.
#[expect(clippy::print_stdout, reason = "the figures are for who runs it")]
fn print(figures: &BTreeMap<&'static str, Figures>) {
    println!("assist: offered, refused, applied, wrong");
    for (id, it) in figures {
        let Figures {
            offered,
            refused,
            applied,
            wrong,
        } = it;
        println!("{id:20} {offered:6} {refused:6} {applied:6} {wrong:4}");
    }
}

/// Of each assist a few of its offers, without those that are refused; all are counted.
fn sampled(
    all: Vec<Offer>,
    rng: &mut Rng,
    figures: &mut BTreeMap<&'static str, Figures>,
) -> Vec<Offer> {
    let mut by_id: BTreeMap<&'static str, Vec<Offer>> = BTreeMap::new();
    for offer in all {
        let of_assist = figures.entry(offer.assist.id).or_default();
        of_assist.offered += 1;
        match offer.assist.disabled {
            Some(_) => of_assist.refused += 1,
            None => by_id.entry(offer.assist.id).or_default().push(offer),
        }
    }
    let mut chosen = Vec::new();
    for mut offers in by_id.into_values() {
        rng.shuffle(&mut offers);
        offers.truncate(each());
        chosen.extend(offers);
    }
    chosen
}
