//! Code actions: the result parses without new diagnostics, and the code keeps its meaning.

mod assists;
mod quick_fixes;
mod values;

use std::collections::BTreeMap;

use analysis::ide::Assist;
use fastrand::Rng;
use pupil_tests::env;
use pupil_tests::workspace::TestWorkspace;
use syntax::ast::{AstNode, Expr};
use syntax::{Edit, Severity, TextRange, apply_edits};

/// An assist that is offered for a range of a file.
#[derive(Clone, Debug)]
struct Offer {
    path: String,
    range: TextRange,
    assist: Assist,
}

/// Returns the assists of a file: with the cursor at each word, and with each expression selected. Long files are
/// sampled.
fn offers(workspace: &TestWorkspace, path: &str, rng: &mut Rng) -> Vec<Offer> {
    /// The maximum number of positions per file.
    const MAX_PLACES: usize = 150;
    let analysis = workspace.analysis();
    let Some(file) = workspace.id(path) else {
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
        let assists = analysis
            .assists(file, range)
            .into_iter()
            .filter(|it| env::is_action_selected(it.id));
        found.extend(assists.map(|assist| Offer {
            path: path.to_owned(),
            range,
            assist,
        }));
    }
    found
}

/// The Puppet files in random order; all of them if many actions are sampled.
fn files(workspace: &TestWorkspace, rng: &mut Rng) -> Vec<String> {
    let code = ["manifests/", "functions/", "types/", "plans/"];
    let is_code = |it: &&str| {
        let inside = it.split_once('/').map_or("", |it| it.1);
        let is_manifest = it.ends_with(".pp") && code.iter().any(|it| inside.starts_with(it));
        is_manifest || it.ends_with(".epp")
    };
    let mut paths: Vec<_> = workspace
        .paths()
        .filter(is_code)
        .map(str::to_owned)
        .collect();
    rng.shuffle(&mut paths);
    paths.truncate(env::actions().saturating_mul(4));
    paths
}

/// Applies an assist. Returns the text of the file and the edits.
fn apply(workspace: &TestWorkspace, offer: &Offer) -> Option<(String, Vec<Edit>)> {
    let file = workspace.id(&offer.path)?;
    let assist = &offer.assist;
    let analysis = workspace.analysis();
    let edit = analysis.assist_edit(file, offer.range, assist.id, &assist.title)?;
    let own = edit.edits.into_iter().filter(|it| it.0 == file);
    let edits: Vec<Edit> = own.map(|it| it.1).collect();
    let text = apply_edits(&workspace.text(&offer.path)?, &edits)?;
    Some((text, edits))
}

/// Returns the first syntax error of a source.
fn syntax_error(path: &str, text: &str) -> Option<String> {
    let parse = syntax::parse(text, pupil_tests::corpus::dialect(path));
    let mut errors = parse.errors().iter();
    let error = errors.find(|it| it.severity == Severity::Error);
    error.map(|it| it.message.clone())
}

/// Describes where an assist is offered, for failure messages.
fn describe(workspace: &TestWorkspace, offer: &Offer) -> String {
    let text = workspace.text(&offer.path).unwrap_or_default();
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

/// The results of an assist.
#[derive(Default)]
struct Counts {
    offered: usize,
    refused: usize,
    applied: usize,
    wrong: usize,
}

#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn print(counts: &BTreeMap<&'static str, Counts>) {
    println!("assist: offered, refused, applied, wrong");
    for (id, it) in counts {
        let Counts {
            offered,
            refused,
            applied,
            wrong,
        } = it;
        println!("{id:20} {offered:6} {refused:6} {applied:6} {wrong:4}");
    }
}

/// Samples the assists by id, without those that are refused, and counts all of them.
fn sampled(
    all: Vec<Offer>,
    rng: &mut Rng,
    counts: &mut BTreeMap<&'static str, Counts>,
) -> Vec<Offer> {
    let mut by_id: BTreeMap<&'static str, Vec<Offer>> = BTreeMap::new();
    for offer in all {
        let of_assist = counts.entry(offer.assist.id).or_default();
        of_assist.offered += 1;
        match offer.assist.disabled {
            Some(_) => of_assist.refused += 1,
            None => by_id.entry(offer.assist.id).or_default().push(offer),
        }
    }
    let mut chosen = Vec::new();
    for mut offers in by_id.into_values() {
        rng.shuffle(&mut offers);
        offers.truncate(env::actions());
        chosen.extend(offers);
    }
    chosen
}
