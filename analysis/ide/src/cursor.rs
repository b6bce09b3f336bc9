//! The syntactic and semantic context of the cursor in incomplete code.
//!
//! The file is parsed with a marker identifier inserted at the cursor, so that the missing token
//! does not break the enclosing syntax.

use std::cell::OnceCell;

use salsa::Database;
use syntax::ast::{AstNode, Definition, Expr};
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use base::{EnvironmentInput, FileInput};
use hir::{Item, corresponding_item};
use infer::{InferenceResult, Inferred, infer_tree};

/// The identifier inserted at the cursor. It does not occur in real code.
const MARKER: &str = "pupilcursorword";
/// The part common to both forms of the marker.
pub(crate) const MARKER_SUFFIX: &str = "upilcursorword";
/// The marker where a capitalized name is required.
const TYPE_MARKER: &str = "Pupilcursorword";

/// The cursor and its context.
pub(crate) struct CursorContext<'db> {
    pub(crate) db: &'db dyn Database,
    pub(crate) environment: Option<EnvironmentInput>,
    pub(crate) file: FileInput,
    /// The offset of the cursor.
    pub(crate) offset: TextSize,
    /// The text of the file without the marker.
    pub(crate) text: &'db str,
    /// The tree of the text with the marker.
    pub(crate) root: SyntaxNode,
    /// The token that is or contains the marker.
    pub(crate) token: SyntaxToken,
    /// The definition that encloses the token in `root`; `None` at top level.
    pub(crate) definition: Option<Definition>,
    /// The corresponding item in the database; `None` if the definition is new.
    pub(crate) item: Option<Item<'db>>,
    inference: OnceCell<Option<InferenceResult>>,
}

impl<'db> CursorContext<'db> {
    /// Creates the context of an offset. Returns `None` if the offset is outside the text.
    pub(crate) fn new(db: &'db dyn Database, file: FileInput, offset: TextSize) -> Option<Self> {
        let text = file.text(db).as_deref()?;
        let at = usize::from(offset);
        let before = text.get(..at)?;
        let word = marker(before);
        let text_with_marker = [before, word, &text[at..]].concat();
        let range = TextRange::at(offset, TextSize::of(word));
        let parse = |text: &str| {
            let parsed = base::parse_variant(db, file, text);
            let token = token_of(&parsed.syntax(), range)?;
            Some((parsed, token))
        };
        let (mut parsed, mut token) = parse(&text_with_marker)?;
        if let Some(tag) = parsed.unclosed_heredoc_above(&text_with_marker, offset) {
            // The text of a heredoc is written before its end tag.
            let line_end = text[at..].find('\n').map_or(text.len(), |it| at + it);
            let (line, rest) = text[at..].split_at(line_end - at);
            let closed = [before, word, line, "\n", &tag.end_text, rest].concat();
            (parsed, token) = parse(&closed)?;
        } else if is_after_unclosed_brace(&token) {
            let closed = [before, word, " }", &text[at..]].concat();
            (parsed, token) = parse(&closed)?;
        }
        let root = parsed.syntax();
        let definition = token.parent_ancestors().find_map(Definition::cast);
        let item = corresponding_item(db, file, definition.as_ref());
        Some(CursorContext {
            db,
            environment: file.environment(db),
            file,
            offset,
            text,
            root,
            token,
            definition,
            item,
            inference: OnceCell::new(),
        })
    }

    /// Returns the inferred type of a range of `root`, if known. Infers the whole definition.
    pub(crate) fn inferred(&self, range: TextRange) -> Option<&Inferred> {
        let range = self.in_definition(range)?;
        let inference = self
            .inference
            .get_or_init(|| Some(infer_tree(self.db, self.item?, self.definition_tree())));
        let found = inference.as_ref()?.at(range);
        found.filter(|it| !it.is_never())
    }

    /// Returns the inferred type of an expression.
    pub(crate) fn infer_expr(&self, expr: &Expr) -> Option<Inferred> {
        self.inferred(expr.syntax().text_range()).cloned()
    }

    /// Returns a tree of the enclosing definition alone.
    fn definition_tree(&self) -> SyntaxNode {
        match &self.definition {
            Some(it) => SyntaxNode::new_root(it.syntax().green().into_owned()),
            None => self.root.clone(),
        }
    }

    /// Converts a range of the file to a range of the definition.
    fn in_definition(&self, range: TextRange) -> Option<TextRange> {
        let start = self.start_of_definition();
        Some(TextRange::new(
            range.start().checked_sub(start)?,
            range.end().checked_sub(start)?,
        ))
    }

    /// Returns the length in bytes of the code that [`CursorContext::inferred`] infers.
    pub(crate) fn inferred_len(&self) -> usize {
        let definition = self.definition.as_ref().map(|it| it.syntax());
        usize::from(definition.unwrap_or(&self.root).text_range().len())
    }

    fn start_of_definition(&self) -> TextSize {
        let definition = self.definition.as_ref();
        definition.map_or_else(TextSize::default, |it| it.syntax().text_range().start())
    }

    /// Checks whether a node contains the marker.
    pub(crate) fn is_within(&self, node: &SyntaxNode) -> bool {
        node.text_range().contains_range(self.token.text_range())
    }

    /// Checks whether the text of a token contains the marker.
    pub(crate) fn has_marker(text: &str) -> bool {
        text.contains(MARKER_SUFFIX)
    }
}

/// Returns the token at a range, or the one that starts there.
fn token_of(root: &SyntaxNode, range: TextRange) -> Option<SyntaxToken> {
    match root.covering_element(range) {
        NodeOrToken::Token(it) => Some(it),
        NodeOrToken::Node(_) => root.token_at_offset(range.start()).right_biased(),
    }
}

/// Checks whether a token follows an unclosed `{`. The parser closes it by the indentation of the
/// next lines, but who opens a brace writes inside of it.
fn is_after_unclosed_brace(token: &SyntaxToken) -> bool {
    let before = token_before(token).filter(|it| it.kind() == SyntaxKind::L_BRACE);
    let outer = before.and_then(|it| it.parent());
    outer.is_some_and(|it| !it.text_range().contains_range(token.text_range()))
}

/// Returns the form of the marker that fits after `before`.
fn marker(before: &str) -> &'static str {
    let Some(outer) = before.strip_suffix("::") else {
        return match expects_type_name(before) {
            true => TYPE_MARKER,
            false => MARKER,
        };
    };
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
    let start = outer.trim_end_matches(is_part).len();
    let first = outer[start..].trim_start_matches(':').chars().next();
    match first.is_some_and(|it| it.is_ascii_uppercase()) {
        true => TYPE_MARKER,
        false => MARKER,
    }
}

/// Checks whether a type follows, that is, whether the line is `type` or `type Name =`, or ends with the `>>`
/// after the parameters of a function.
fn expects_type_name(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let parameters = line.trim_end().strip_suffix(">>");
    if parameters.is_some_and(|it| it.trim_end().ends_with(')')) {
        return true;
    }
    let Some(rest) = line.trim_start().strip_prefix("type") else {
        return false;
    };
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
    let name = rest.trim_start_matches([' ', '\t']);
    let value = name
        .trim_start_matches(is_name)
        .trim_start()
        .strip_prefix('=');
    !rest.is_empty() && name.is_empty()
        || name.starts_with(|it: char| it.is_ascii_uppercase())
            && value.is_some_and(|it| it.trim_start().is_empty())
}

/// Returns the previous token, skipping trivia and the bodies of heredocs.
pub(crate) fn token_before(token: &SyntaxToken) -> Option<SyntaxToken> {
    let mut at = token.prev_token()?;
    loop {
        let is_line = matches!(
            at.kind(),
            SyntaxKind::HEREDOC_END | SyntaxKind::HEREDOC_TEXT | SyntaxKind::HEREDOC_MARGIN
        );
        let body = is_line.then(|| {
            at.parent_ancestors()
                .find(|it| it.kind() == SyntaxKind::HEREDOC_BODY)
        });
        match body.flatten() {
            Some(body) if !body.text_range().contains_range(token.text_range()) => {
                at = body.first_token()?.prev_token()?;
            }
            _ if at.kind().is_trivia() => at = at.prev_token()?,
            _ => return Some(at),
        }
    }
}
