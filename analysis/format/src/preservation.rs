//! Checks that formatting preserves the code.

use syntax::lexer::{Lexed, lex};
use syntax::{Dialect, Edit, Parse, SyntaxKind, apply_edits};

use crate::spaced_tokens::{SpacedToken, spaced_tokens};

/// Checks that the edits change only white space, the margins of heredocs, trailing commas and the order of comments,
/// commas, arrows and closing brackets. This guards against bugs in the formatter, which must never change the meaning of code.
pub(crate) fn preserves_code(parse: &Parse, text: &str, edits: &[Edit], dialect: Dialect) -> bool {
    if edits.is_empty() {
        return true;
    }
    let Some(formatted) = apply_edits(text, edits) else {
        return false;
    };
    if has_same_tokens(text, &formatted, dialect) {
        return true;
    }
    let before = &spaced_tokens(&parse.syntax());
    let after = spaced_tokens(&syntax::parse(&formatted, dialect).syntax());
    let comments = |it: &SpacedToken| it.kind().is_comment();
    let same_comment =
        |a: &SpacedToken, b: &SpacedToken| a.token.text().trim_end() == b.token.text().trim_end();
    let same_code = |a: &SpacedToken, b: &SpacedToken| {
        significant_text(a) == significant_text(b)
            && a.parent_kind() == b.parent_kind()
            && normalized_kind(a.kind()) == normalized_kind(b.kind())
    };
    let (old, new) = (before.iter(), after.iter());
    old.filter(|it| comments(it)).count() == new.filter(|it| comments(it)).count()
        && std::iter::zip(
            before.iter().filter(|it| comments(it)),
            after.iter().filter(|it| comments(it)),
        )
        .all(|(a, b)| same_comment(a, b))
        && {
            let (old, new) = (code(before), code(&after));
            old.len() == new.len() && old.iter().zip(&new).all(|(a, b)| same_code(a, b))
        }
}

/// Checks whether two texts have the same tokens of code in the same order, and the same comments. Then they have the
/// same tree, too, which need not be built.
fn has_same_tokens(old: &str, new: &str, dialect: Dialect) -> bool {
    let (old_tokens, new_tokens) = (lex(old, dialect), lex(new, dialect));
    new_tokens.errors.is_empty() && are_same(&old_tokens, old, &new_tokens, new)
}

fn are_same(old: &Lexed, old_text: &str, new: &Lexed, new_text: &str) -> bool {
    let code = |it: &(SyntaxKind, &str)| !it.0.is_comment();
    let comment = |it: &(SyntaxKind, &str)| it.0.is_comment();
    let bodies = std::iter::zip(&old.bodies, &new.bodies);
    let mut same_bodies = bodies.map(|(old, new)| are_same(old, old_text, new, new_text));
    let (old_tokens, new_tokens) = (|| tokens(old, old_text), || tokens(new, new_text));
    old_tokens().filter(code).eq(new_tokens().filter(code))
        && old_tokens()
            .filter(comment)
            .eq(new_tokens().filter(comment))
        && same_bodies.all(|it| it)
}

/// Returns the kinds and texts of the tokens other than white space.
fn tokens<'a>(lexed: &'a Lexed, text: &'a str) -> impl Iterator<Item = (SyntaxKind, &'a str)> {
    let mut before = SyntaxKind::SEMICOLON;
    let tokens = lexed.tokens.iter().enumerate();
    let tokens = tokens.filter(|(_, token)| token.kind != SyntaxKind::WHITESPACE);
    tokens.map(move |(index, token)| {
        let range = token.start as usize..lexed.token_end(index) as usize;
        let text = text.get(range).unwrap_or_default();
        let found = match token.kind {
            // The body is compared on its own.
            SyntaxKind::HEREDOC_BODY => (token.kind, ""),
            SyntaxKind::LIST_START if starts_value(before) => (SyntaxKind::L_BRACK, text),
            it if it.is_comment() => return (it, text.trim_end()),
            it => (it, text),
        };
        before = token.kind;
        found
    })
}

/// Checks whether a value follows a token, so that a bracket there is not an index, with or without a blank before it.
fn starts_value(before: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        before,
        EQ | FAT_ARROW | PLUS_ARROW | COMMA | L_PAREN | WS_L_PAREN | L_BRACK | LIST_START | L_BRACE
    )
}

/// Returns the text of a token without the margin before the end of a heredoc.
fn significant_text(spaced: &SpacedToken) -> &str {
    let text = spaced.token.text();
    match spaced.kind() {
        SyntaxKind::HEREDOC_END => text.trim_start_matches([' ', '\t']),
        _ => text,
    }
}

/// Returns the tokens of code without trailing commas and the margins of heredocs.
fn code(tokens: &[SpacedToken]) -> Vec<&SpacedToken> {
    let mut found: Vec<&SpacedToken> = Vec::with_capacity(tokens.len());
    // The last token outside of heredocs, whose bodies may be long.
    let mut last: Option<usize> = None;
    let is_code =
        |it: &&SpacedToken| !it.kind().is_comment() && it.kind() != SyntaxKind::HEREDOC_MARGIN;
    for spaced in tokens.iter().filter(is_code) {
        use SyntaxKind::*;
        let closes = matches!(spaced.kind(), R_BRACE | R_BRACK | R_PAREN | SEMICOLON);
        if let Some(comma) = last.filter(|it| closes && found[*it].kind() == COMMA) {
            found.remove(comma);
            last = found[..comma].iter().rposition(|it| !it.is_in_heredoc);
        }
        if !spaced.is_in_heredoc {
            last = Some(found.len());
        }
        found.push(spaced);
    }
    found
}

/// Normalizes token kinds that the lexer distinguishes only by the preceding white space.
fn normalized_kind(kind: SyntaxKind) -> SyntaxKind {
    match kind {
        SyntaxKind::WS_L_PAREN => SyntaxKind::L_PAREN,
        SyntaxKind::LIST_START => SyntaxKind::L_BRACK,
        it => it,
    }
}

#[cfg(test)]
mod tests {
    use fixture::MANIFEST;

    use super::has_same_tokens;

    #[test]
    fn compares_tokens() {
        for (old, new) in [
            ("$a=[1,2]", "$a = [1, 2]"),
            ("A[b]->\n# why \nC[d]", "A[b]\n# why\n-> C[d]"),
            ("$a=@(\"B\")\nx ${y}\nB\n", "$a = @(\"B\")\nx ${y}\nB\n"),
        ] {
            assert!(has_same_tokens(old, new, MANIFEST), "{old}");
        }
        for (old, new) in [
            ("$a [1]", "$a[1]"),
            ("$a =~ B [1]", "$a =~ B[1]"),
            ("f\n(1)", "f(1)"),
            ("$a = [1]", "$a = [1,]"),
            ("$a = 1 # b", "$a = 1"),
            ("$a = 1 # b\n# c", "$a = 1 # c\n# b"),
            ("$a = 1 - 5", "$a = 1 -5 - 5"),
            ("$a = 1 . 5", "$a = 1.5"),
            ("$a = 'b c'", "$a = 'b  c'"),
            ("$a = @(B)\n x\nB\n", "$a = @(B)\n  x\nB\n"),
        ] {
            assert!(!has_same_tokens(old, new, MANIFEST), "{old}");
        }
    }
}
