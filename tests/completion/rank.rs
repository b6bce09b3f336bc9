//! The position of a candidate in the list of an editor: words that do not match the typed letters
//! disappear, the best matches come first, and the order of the server decides the rest.

use analysis::ide::{CompletionItem, Completions};

/// Returns the position of a label among the items that match the typed letters, counted from 0.
pub(crate) fn rank(found: &Completions, typed: &str, wanted: &str) -> Option<usize> {
    let order = order(found, typed);
    let is_it = |it: &str| it == wanted || it.strip_prefix('$') == Some(wanted);
    order.iter().position(|it| is_it(&it.label))
}

/// Returns the items in the order of the editor.
pub(crate) fn order<'a>(found: &'a Completions, typed: &str) -> Vec<&'a CompletionItem> {
    let items = found.items.iter().enumerate();
    let matches = items.filter_map(|(at, it)| {
        let text = it.filter.as_ref().unwrap_or(&it.label);
        Some((quality(text, typed)?, at, it))
    });
    let mut matches: Vec<_> = matches.collect();
    matches.sort_by_key(|it| (it.0, it.1));
    matches.into_iter().map(|it| it.2).collect()
}

/// Returns how well a label matches; lower is better.
fn quality(label: &str, typed: &str) -> Option<usize> {
    if label == typed {
        return Some(0);
    }
    if label.starts_with(typed) {
        return Some(1);
    }
    let (label, typed) = (label.to_lowercase(), typed.to_lowercase());
    if label.starts_with(&typed) {
        return Some(2);
    }
    let at_words = label.match_indices(&typed).any(|it| {
        let before = label[..it.0].chars().next_back();
        before.is_none_or(|it| !it.is_alphanumeric())
    });
    if at_words {
        return Some(3);
    }
    let mut letters = label.chars();
    let has_all = typed.chars().all(|it| letters.any(|other| other == it));
    has_all.then_some(4)
}
