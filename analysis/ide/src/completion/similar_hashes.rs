//! Completes the keys that the hashes beside the one at the cursor have, as in `{ 'a' => { value => 1 }, 'b' => { … } }`.

use std::collections::BTreeMap;

use syntax::ast::{AstNode, Expr, HashEntry, HashExpr};
use syntax::{SyntaxKind, SyntaxNode};

use super::values::existing_keys;
use super::{Candidate, Candidates, CompletionKind, score};

/// Adds the keys of the other hashes in the same array, or among the values of the same hash.
pub(super) fn keys_of_similar_hashes(acc: &mut Candidates<'_, '_>) {
    let mut around = acc.cursor.token.parent_ancestors();
    let Some(hash) = around.find(|it| HashExpr::can_cast(it.kind())) else {
        return;
    };
    let existing = existing_keys(acc.cursor);
    for (name, source) in keys(&hash) {
        if !existing.contains(&name) {
            let candidate = Candidate::new(CompletionKind::Key, name.as_str());
            let text = acc.hash_key(&name, &source);
            acc.add(candidate.insert(text).score(score::TYPE_MATCH));
        }
    }
}

/// Returns the keys of the hashes beside one, as they are written.
fn keys(hash: &SyntaxNode) -> BTreeMap<String, String> {
    let hashes = hashes_beside(hash).into_iter();
    let entries = hashes.flat_map(|it| it.syntax().children().filter_map(HashEntry::cast));
    let keys = entries.filter_map(|it| it.key());
    keys.filter_map(|it| Some((it.plain_text()?, it.syntax().text().to_string())))
        .collect()
}

fn hashes_beside(hash: &SyntaxNode) -> Vec<HashExpr> {
    let Some(parent) = hash.parent() else {
        return Vec::new();
    };
    let values: Vec<Expr> = match parent.kind() {
        SyntaxKind::ARRAY => parent.children().filter_map(Expr::cast).collect(),
        SyntaxKind::HASH_ENTRY => {
            let entries = parent.parent().into_iter().flat_map(|it| it.children());
            let entries = entries.filter_map(HashEntry::cast);
            entries.filter_map(|it| it.value()).collect()
        }
        _ => Vec::new(),
    };
    let hashes = values.into_iter().filter_map(|it| match it {
        Expr::HashExpr(it) => Some(it),
        _ => None,
    });
    hashes.filter(|it| it.syntax() != hash).collect()
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::offered;

    #[test]
    fn keys_are_written_as_in_the_hashes_beside() {
        let first = "$x = { 'a' => { value => 1, 'b c' => 2 }, 'd' => {";
        assert_eq!(
            offered(&format!("{first} <^> }} }}"), 2),
            "value as value => , b c as 'b c' => "
        );
        assert_eq!(offered(&format!("{first} v<^> => 1 }} }}"), 1), "value");
        assert_eq!(
            offered(&format!("{first} value => 1, <^> }} }}"), 1),
            "b c as 'b c' => "
        );
        assert_eq!(offered("$x = [{ 'k' => 1 }, { '<^>' => 2 }]", 1), "k");
    }
}
