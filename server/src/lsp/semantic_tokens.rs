//! Encoding of semantic tokens: relative positions, and deltas against the tokens that the client
//! already has.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use analysis::ide::{self, SemanticKind};
use syntax::TextRange;
use tower_lsp::ls_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensDelta,
    SemanticTokensEdit, SemanticTokensFullDeltaResult, SemanticTokensLegend,
};

use crate::source::{LineColumn, PositionEncoding, Source};

/// The token types, in the order of the legend.
const KINDS: [(SemanticKind, SemanticTokenType); 15] = [
    (SemanticKind::Namespace, SemanticTokenType::NAMESPACE),
    (SemanticKind::Type, SemanticTokenType::TYPE),
    (SemanticKind::Class, SemanticTokenType::CLASS),
    (SemanticKind::Parameter, SemanticTokenType::PARAMETER),
    (SemanticKind::Variable, SemanticTokenType::VARIABLE),
    (SemanticKind::Property, SemanticTokenType::PROPERTY),
    (SemanticKind::Function, SemanticTokenType::FUNCTION),
    (SemanticKind::Method, SemanticTokenType::METHOD),
    (SemanticKind::Keyword, SemanticTokenType::KEYWORD),
    (SemanticKind::Comment, SemanticTokenType::COMMENT),
    (SemanticKind::String, SemanticTokenType::STRING),
    (SemanticKind::Number, SemanticTokenType::NUMBER),
    (SemanticKind::Regexp, SemanticTokenType::REGEXP),
    (SemanticKind::Operator, SemanticTokenType::OPERATOR),
    (
        SemanticKind::EscapeSequence,
        SemanticTokenType::new("escapeSequence"),
    ),
];

/// The token modifiers, in the order of the legend. Must match [`modifier_bits`].
const MODIFIERS: [SemanticTokenModifier; 5] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::DEFAULT_LIBRARY,
    SemanticTokenModifier::DOCUMENTATION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::DEPRECATED,
];

/// Returns the legend of the encoding.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: KINDS.iter().map(|(_, name)| name.clone()).collect(),
        token_modifiers: MODIFIERS.to_vec(),
    }
}

fn kind_number(kind: SemanticKind) -> u32 {
    let index = KINDS.iter().position(|(it, _)| *it == kind);
    u32::try_from(index.unwrap_or_default()).unwrap_or_default()
}

fn modifier_bits(modifiers: ide::SemanticModifiers) -> u32 {
    [
        modifiers.declaration,
        modifiers.default_library,
        modifiers.documentation,
        modifiers.readonly,
        modifiers.deprecated,
    ]
    .into_iter()
    .rev()
    .fold(0, |bits, set| bits << 1 | u32::from(set))
}

/// Encodes tokens, which must be sorted.
pub(super) fn encode(
    tokens: &[ide::SemanticToken],
    source: &Source,
    encoding: PositionEncoding,
) -> Vec<SemanticToken> {
    let mut encoded = Vec::with_capacity(tokens.len());
    let mut last = LineColumn::default();
    for token in tokens {
        let start = source.line_column(token.range.start(), encoding);
        // The protocol has one more kind of line break than Puppet: tokens end at the first one.
        let Some(line) = source.line_range(start.line) else {
            continue;
        };
        let end = token.range.end().min(line.end());
        if end <= token.range.start() || start < last {
            continue;
        }
        let same_line = start.line == last.line;
        encoded.push(SemanticToken {
            delta_line: start.line - last.line,
            delta_start: start.column - if same_line { last.column } else { 0 },
            length: source.length(TextRange::new(token.range.start(), end), encoding),
            token_type: kind_number(token.kind),
            token_modifiers_bitset: modifier_bits(token.modifiers),
        });
        last = start;
    }
    encoded
}

/// The tokens of a document that were sent last, for computing deltas.
#[derive(Debug, Default)]
pub(super) struct SentTokens {
    next_id: AtomicU64,
    last: Mutex<Option<SemanticTokens>>,
}

impl SentTokens {
    /// Returns all tokens and stores them for the next delta.
    pub(super) fn full(&self, data: Vec<SemanticToken>) -> SemanticTokens {
        self.replace(data).1
    }

    /// Returns the changes since the result `previous`, or all tokens if that is not the last one.
    pub(super) fn delta(
        &self,
        previous: &str,
        data: Vec<SemanticToken>,
    ) -> SemanticTokensFullDeltaResult {
        let (old, new) = self.replace(data);
        match old {
            Some(old) if old.result_id.as_deref() == Some(previous) => {
                SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta {
                    result_id: new.result_id,
                    edits: Vec::from_iter(difference(&old.data, &new.data)),
                })
            }
            _ => SemanticTokensFullDeltaResult::Tokens(new),
        }
    }

    fn replace(&self, data: Vec<SemanticToken>) -> (Option<SemanticTokens>, SemanticTokens) {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let new = SemanticTokens {
            result_id: Some(id.to_string()),
            data,
        };
        let last = self.last.lock().ok();
        let old = last.and_then(|mut it| it.replace(new.clone()));
        (old, new)
    }
}

/// Returns the edit between the common prefix and suffix. Offsets count integers, of which a token
/// has five.
fn difference(old: &[SemanticToken], new: &[SemanticToken]) -> Option<SemanticTokensEdit> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[start..], &new[start..]);
    let same = |(a, b): &(&SemanticToken, &SemanticToken)| a == b;
    let end = old.iter().rev().zip(new.iter().rev()).take_while(same);
    let end = end.count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    let integers = |tokens: usize| u32::try_from(tokens * 5).unwrap_or(u32::MAX);
    (!old.is_empty() || !new.is_empty()).then(|| SemanticTokensEdit {
        start: integers(start),
        delete_count: integers(old.len()),
        data: Some(new.to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::LineBreaks;
    use syntax::TextSize;

    fn token(start: u32, end: u32, kind: SemanticKind) -> ide::SemanticToken {
        ide::SemanticToken {
            range: TextRange::new(TextSize::from(start), TextSize::from(end)),
            kind,
            modifiers: ide::SemanticModifiers::default(),
        }
    }

    fn numbers(tokens: &[SemanticToken]) -> Vec<[u32; 4]> {
        let fields = |it: &SemanticToken| [it.delta_line, it.delta_start, it.length, it.token_type];
        tokens.iter().map(fields).collect()
    }

    #[test]
    fn kinds_and_modifiers_match_the_legend() {
        for (index, (kind, _)) in KINDS.iter().enumerate() {
            assert_eq!(kind_number(*kind) as usize, index);
        }
        let modifiers = ide::SemanticModifiers {
            default_library: true,
            readonly: true,
            ..ide::SemanticModifiers::default()
        };
        assert_eq!(modifier_bits(modifiers), 0b1010);
    }

    #[test]
    fn tokens_are_relative_to_each_other() {
        let source = Source::new("'😀' $é\n\n $b".into(), LineBreaks::Lsp);
        let tokens = [
            token(0, 6, SemanticKind::String),
            token(7, 10, SemanticKind::Variable),
            token(13, 15, SemanticKind::Variable),
        ];
        let encoded = encode(&tokens, &source, PositionEncoding::Utf16);
        assert_eq!(
            numbers(&encoded),
            [[0, 0, 4, 10], [0, 5, 2, 4], [2, 1, 2, 4]]
        );
    }

    #[test]
    fn delta_transforms_old_tokens_into_new_ones() {
        let token = |length| SemanticToken {
            length,
            ..SemanticToken::default()
        };
        let lists: [&[u32]; 6] = [&[], &[1], &[1, 2, 3], &[1, 9, 3], &[1, 2, 2, 3], &[3, 3]];
        for old in lists {
            for new in lists {
                let old: Vec<_> = old.iter().copied().map(token).collect();
                let new: Vec<_> = new.iter().copied().map(token).collect();
                let mut patched = old.clone();
                if let Some(edit) = difference(&old, &new) {
                    let (start, count) = (edit.start / 5, edit.delete_count / 5);
                    let range = start as usize..(start + count) as usize;
                    patched.splice(range, edit.data.unwrap_or_default());
                }
                assert_eq!(patched, new);
            }
        }
    }
}
