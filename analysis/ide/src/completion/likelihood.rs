//! Ranks candidates by how likely they are: by what their kind and type promise, and by how often the
//! workspace has them in the same context.

use rustc_hash::FxHashMap;

use super::topic::Topic;
use super::word::{Word, variable_form};
use super::{Candidate, Candidates, CompletionKind, MAX_ITEMS, NameMatch, score};

/// The largest share that features of candidates have in the likelihood, and the smallest.
const FEATURES: (f64, f64) = (0.5, 0.04);

/// The factor of other words where the position lists its values.
const UNLISTED: f64 = 0.02;

/// The share of facts in the variables without `::`: they are better read from `$facts`.
const BARE_FACT: f64 = 0.05;

/// The factor of a name that the list at the cursor has already.
const REPEATED: f64 = 0.05;

/// The exponents of the words that a candidate shares with the line and with the definition.
const TOPIC: (f64, f64) = (1.5, 1.0);

/// Sorts the candidates: the best matches of the typed text first, then by group, likely ones first among them.
pub(super) fn rank_by_likelihood(mut acc: Candidates<'_, '_>) -> Vec<Candidate> {
    keep_best_matches(&mut acc.matches);
    let shares = shares(&acc.matches);
    let model = &acc.model;
    let features = FEATURES.1 + (FEATURES.0 - FEATURES.1) * (1.0 - model.certainty());
    let has_listed = acc.matches.iter().any(|it| it.1.is_listed());
    let mut forms: FxHashMap<u32, f64> = FxHashMap::default();
    let counted = counted(&acc);
    let scored = acc
        .matches
        .iter()
        .zip(shares)
        .zip(counted)
        .map(|(((_, it), share), counted)| {
            let promised = match form(it) {
                Some(form) => {
                    let likelihood = *forms.entry(form).or_insert_with(|| model.likelihood(form));
                    // After a dollar sign, a variable of any form is possible.
                    match it.label.starts_with('$') {
                        true => likelihood,
                        false => likelihood.max(FEATURES.1),
                    }
                }
                None => features,
            };
            let promised = if is_bare_fact(it) {
                promised * BARE_FACT
            } else {
                promised
            };
            let is_unlisted = has_listed && !it.is_listed() && !is_variable(it);
            let listed = if is_unlisted { UNLISTED } else { 1.0 };
            let listed = listed * if is_repeated(&acc, it) { REPEATED } else { 1.0 };
            // Counts know how rare an attribute is. Other candidates hardly fit for another reason.
            let likelihood = match it.kind {
                CompletionKind::Attribute => counted + share * promised * discount(it),
                _ => (counted + share * promised) * discount(it),
            };
            likelihood * listed * it.weight
        });
    let scored: Vec<f64> = scored.collect();
    let mut found: Vec<_> = acc.matches.into_iter().zip(scored).collect();
    found.sort_by(|((a_match, a), a_score), ((b_match, b), b_score)| {
        a_match
            .cmp(b_match)
            .then(a.group.cmp(&b.group))
            .then(b_score.total_cmp(a_score))
            .then_with(|| a.label.cmp(&b.label))
    });
    found.into_iter().map(|((_, it), _)| it).collect()
}

/// Returns how likely the counts make each candidate. The topic moves likelihood between candidates, but adds none.
fn counted(acc: &Candidates<'_, '_>) -> Vec<f64> {
    let all = acc.matches.iter().map(|(_, it)| {
        let counted = acc.model.word_likelihood(word(it));
        let is_repeatable = matches!(
            it.kind,
            CompletionKind::DataType | CompletionKind::ResourceType | CompletionKind::Value
        );
        let recent = if is_repeatable {
            acc.model.recency(word(it))
        } else {
            0.0
        };
        let counted = counted + recent;
        (counted, counted * topic_factor(&acc.topic, it))
    });
    let all: Vec<(f64, f64)> = all.collect();
    let before: f64 = all.iter().map(|it| it.0).sum();
    let after: f64 = all.iter().map(|it| it.1).sum();
    all.iter().map(|it| it.1 * before / after).collect()
}

/// Removes matches that are worse than as many others as are returned, unless they are own names. One more stays,
/// so that the result is known to be incomplete.
fn keep_best_matches(matches: &mut Vec<(NameMatch, Candidate)>) {
    let mut qualities: Vec<NameMatch> = matches.iter().map(|it| it.0).collect();
    qualities.sort_unstable();
    if let Some(worst) = qualities.get(MAX_ITEMS) {
        matches.retain(|it| it.0 <= *worst || it.1.is_own);
    }
}

/// Checks whether the list at the cursor has a candidate already.
fn is_repeated(acc: &Candidates<'_, '_>, candidate: &Candidate) -> bool {
    let name = candidate.label.trim_start_matches('$');
    match is_variable(candidate) {
        true => acc.siblings.contains(&format!("${name}")),
        false => acc.siblings.contains(name),
    }
}

/// Returns the form of the name of a variable; `None` for other candidates.
fn form(candidate: &Candidate) -> Option<u32> {
    is_variable(candidate).then(|| variable_form(candidate.label.trim_start_matches('$')))
}

fn is_variable(candidate: &Candidate) -> bool {
    matches!(
        candidate.kind,
        CompletionKind::Variable | CompletionKind::Parameter
    ) || candidate.is_variable
}

/// Checks whether a candidate is a fact as a variable without `::`.
fn is_bare_fact(candidate: &Candidate) -> bool {
    candidate.is_variable
        && candidate.kind == CompletionKind::Key
        && !candidate.label.trim_start_matches('$').starts_with("::")
}

/// Returns the factor of a word that shares its parts with the code around the cursor.
fn topic_factor(topic: &Topic, candidate: &Candidate) -> f64 {
    let label = &candidate.label;
    (TOPIC.0 * topic.nearness(label) + TOPIC.1 * topic.kinship(label)).exp()
}

fn word(candidate: &Candidate) -> Word<'_> {
    match is_variable(candidate) {
        true => Word::Variable(candidate.label.trim_start_matches('$')),
        false => Word::Text(&candidate.label),
    }
}

/// Returns the points in units of the weight of the same scope.
fn units(candidate: &Candidate) -> f64 {
    candidate.score as f64 / score::SAME_SCOPE as f64
}

/// Returns the weight of the features of a candidate.
fn weight(candidate: &Candidate) -> f64 {
    let units = units(candidate);
    if is_variable(candidate) {
        return (units.clamp(-20.0, 40.0) * 0.6).exp();
    }
    let tier = units.max(0.0).round();
    let uses = (units.max(0.0) - tier).max(0.0) * score::SAME_SCOPE as f64 / 100.0;
    (1.0 + uses) * (tier.asinh() * 1.7).exp()
}

/// Returns the factor of a candidate that hardly fits.
fn discount(candidate: &Candidate) -> f64 {
    match is_variable(candidate) {
        true => 1.0,
        false => units(candidate).min(0.0).asinh().exp(),
    }
}

/// Returns the share of each candidate in the weights of its form.
fn shares(all: &[(NameMatch, Candidate)]) -> Vec<f64> {
    let mut totals: FxHashMap<Option<u32>, f64> = FxHashMap::default();
    let weights = all.iter().map(|(_, it)| (form(it), weight(it)));
    let weights: Vec<_> = weights.collect();
    for (form, weight) in &weights {
        *totals.entry(*form).or_default() += weight;
    }
    let shares = weights.iter().map(|(form, weight)| weight / totals[form]);
    shares.collect()
}
