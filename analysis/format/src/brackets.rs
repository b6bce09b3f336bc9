//! Pairs of brackets.

use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

use crate::spaced_tokens::SpacedToken;

/// The brackets of a file, by token index. Brackets inside strings are not included.
pub(crate) struct Brackets {
    partner: Vec<Option<usize>>,
    enclosing: Vec<Option<usize>>,
    openers: Vec<usize>,
}

impl Brackets {
    pub(crate) fn new(tokens: &[SpacedToken]) -> Brackets {
        use SyntaxKind::{EPP_CLOSE, EPP_EXPR_CLOSE};
        let mut brackets = Brackets {
            partner: vec![None; tokens.len()],
            enclosing: Vec::with_capacity(tokens.len()),
            openers: Vec::new(),
        };
        let mut open: Vec<usize> = Vec::new();
        for (index, spaced) in tokens.iter().enumerate() {
            brackets.enclosing.push(open.last().copied());
            if spaced.has_significant_gap {
                continue;
            }
            if matches!(spaced.kind(), EPP_CLOSE | EPP_EXPR_CLOSE) {
                // The brackets of a tag that others close have no partner.
                open.clear();
            } else if is_closer(spaced) {
                let node = spaced.token.parent();
                let is_pair = |it: &usize| tokens[*it].token.parent() == node;
                if let Some(depth) = open.iter().rposition(is_pair) {
                    brackets.partner[open[depth]] = Some(index);
                    brackets.partner[index] = Some(open[depth]);
                    brackets.enclosing[index] = Some(open[depth]);
                    open.truncate(depth);
                }
            } else if is_opener(spaced) {
                brackets.openers.push(index);
                open.push(index);
            }
        }
        brackets
    }

    /// Returns the indices of all openers in order.
    pub(crate) fn openers(&self) -> &[usize] {
        &self.openers
    }

    /// Returns all pairs of an opener and its closer, by opener.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pair = |it: &usize| Some((*it, self.partner[*it]?));
        self.openers.iter().filter_map(pair)
    }

    /// Returns the closer of an opener.
    pub(crate) fn closer_of(&self, opener: usize) -> Option<usize> {
        self.partner[opener]
    }

    /// Returns the opener of a closer; `None` for any other token.
    pub(crate) fn opener_of(&self, index: usize) -> Option<usize> {
        self.partner[index].filter(|it| *it < index)
    }

    /// Checks whether a token opens a bracket.
    pub(crate) fn is_opener(&self, index: usize) -> bool {
        self.openers.binary_search(&index).is_ok()
    }

    /// Returns the opener of the innermost bracket around a token; a closer is inside its bracket.
    pub(crate) fn around(&self, index: usize) -> Option<usize> {
        self.enclosing[index]
    }
}

fn is_opener(spaced: &SpacedToken) -> bool {
    use SyntaxKind::*;
    match spaced.kind() {
        L_BRACE | SELECTOR_BRACE | L_PAREN | WS_L_PAREN | L_BRACK | LIST_START | L_COLLECT
        | LL_COLLECT => true,
        PIPE => is_pipe(spaced, SyntaxNode::first_token),
        _ => false,
    }
}

fn is_closer(spaced: &SpacedToken) -> bool {
    use SyntaxKind::*;
    match spaced.kind() {
        R_BRACE | R_PAREN | R_BRACK | R_COLLECT | RR_COLLECT => true,
        PIPE => is_pipe(spaced, SyntaxNode::last_token),
        _ => false,
    }
}

/// Checks whether a `|` is the given end of a parameter list.
fn is_pipe(spaced: &SpacedToken, end: impl Fn(&SyntaxNode) -> Option<SyntaxToken>) -> bool {
    let list = spaced.token.parent();
    let list = list.filter(|it| it.kind() == SyntaxKind::PARAMETER_LIST);
    list.and_then(|it| end(&it)).as_ref() == Some(&spaced.token)
}
