//! Splits a block of code into statements with their assertions.
//!
//! Puppet evaluates a source to its end or to its first error, and rejects unused expressions
//! without an effect. Therefore each statement is evaluated as the last one of a source of its own:
//! it follows those statements of the block that have an effect, unless they are expected to fail
//! or have assertions about their value; the others are blanked out. Line numbers are those of the
//! block.

use std::ops::Range;

use syntax::ast::{AstNode, Expr, SourceFile};
use syntax::validation::{ModulePlace, PuppetVersion};
use syntax::{Dialect, Severity, SyntaxKind, TextSize};

use super::assertion::{self, Assertion, Claim};
use super::document::{Block, Language};
use crate::verdict::{Position, Source, Verdict};

/// A block, split into the parts to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedBlock {
    /// The subject of the assertions.
    pub subject: Subject,
    /// The assertions about inferred types, each with the end offset of its expression.
    pub revealed: Vec<(TextSize, Assertion)>,
    /// Malformed or misplaced assertions: their lines and messages.
    pub faults: Vec<(usize, String)>,
}

/// The subject of the assertions in a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// Each statement, which is evaluated.
    Statements(Vec<Statement>),
    /// The block as a whole, which is only validated or has syntax errors.
    Whole(Source, Vec<Assertion>),
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// A source whose value is that of the statement.
    pub source: String,
    /// The first line in the block, counted from 1.
    pub line: usize,
    /// The assertions.
    pub assertions: Vec<Assertion>,
}

impl ParsedBlock {
    /// Returns the number of `todo` marks.
    pub fn todos(&self) -> usize {
        let count = |it: &[Assertion]| it.iter().filter(|it| it.todo).count();
        let revealed = self.revealed.iter().filter(|it| it.1.todo).count();
        let others: usize = match &self.subject {
            Subject::Statements(all) => all.iter().map(|it| count(&it.assertions)).sum(),
            Subject::Whole(_, assertions) => count(assertions),
        };
        revealed + others
    }
}

/// Splits a block.
pub fn parse_block(block: &Block) -> ParsedBlock {
    let source = source(block);
    let parse = syntax::parse(&source.text, source.dialect);
    let broken = parse
        .errors()
        .iter()
        .any(|it| it.severity == Severity::Error);
    let mut faults = Vec::new();
    let tree = parse.tree();
    let comments = comments(&tree, &block.text, &mut faults);
    let is_revealed = |it: &(TextSize, Assertion)| matches!(it.1.claim, Claim::Revealed(_));
    let (mut revealed, comments): (Vec<_>, Vec<_>) = comments.into_iter().partition(is_revealed);
    for (at, _) in &mut revealed {
        *at = end_before(&tree, *at);
    }
    let subject = if block.parse_only || block.step || broken {
        refuse(&revealed, &mut faults, |_| broken || !block.step);
        refuse(&comments, &mut faults, |it| {
            !matches!(it, Claim::Error(_) | Claim::Warning(_))
        });
        let assertions = comments.into_iter().map(|(_, it)| it).collect();
        Subject::Whole(source, assertions)
    } else {
        refuse(&comments, &mut faults, |it| matches!(it, Claim::Warning(_)));
        Subject::Statements(statements(block, &tree, comments, &mut faults))
    };
    ParsedBlock {
        subject,
        revealed,
        faults,
    }
}

fn refuse(
    comments: &[(TextSize, Assertion)],
    faults: &mut Vec<(usize, String)>,
    refused: impl Fn(&Claim) -> bool,
) {
    // Report only the first: if the block cannot be evaluated, no assertion can be checked.
    if let Some((_, it)) = comments.iter().find(|(_, it)| refused(&it.claim)) {
        faults.push((it.line, format!("`{}` is not supported here", it.claim)));
    }
}

/// Returns the source of a block, with the properties that its path implies.
pub(super) fn source(block: &Block) -> Source {
    let path = block.path.as_deref().unwrap_or_default();
    let place = path
        .strip_prefix("modules/")
        .and_then(|it| it.split_once('/'));
    Source {
        text: block.text.clone(),
        dialect: Dialect {
            epp: block.language == Language::Epp,
            tasks: path.contains("/plans/"),
        },
        place: place.map(|(module, path)| ModulePlace {
            module_names: vec![module.to_owned()],
            path: path.to_owned(),
        }),
    }
}

/// Returns the assertions in the comments of a tree, with their offsets.
fn comments(
    tree: &SourceFile,
    text: &str,
    faults: &mut Vec<(usize, String)>,
) -> Vec<(TextSize, Assertion)> {
    let tokens = tree.syntax().descendants_with_tokens();
    let comments = tokens
        .filter_map(|it| it.into_token())
        .filter(|it| it.kind() == SyntaxKind::LINE_COMMENT);
    let mut found = Vec::new();
    for comment in comments {
        let start = comment.text_range().start();
        let line = line_of(text, start);
        let before = &text[..usize::from(start)];
        let alone = before[before.rfind('\n').map_or(0, |it| it + 1)..]
            .trim()
            .is_empty();
        match assertion::read(comment.text(), line, alone) {
            Ok(assertions) => found.extend(assertions.into_iter().map(|it| (start, it))),
            Err(fault) => faults.push((line, fault)),
        }
    }
    found
}

fn line_of(text: &str, offset: TextSize) -> usize {
    Position::of(text, offset).line as usize
}

fn statements(
    block: &Block,
    tree: &SourceFile,
    comments: Vec<(TextSize, Assertion)>,
    faults: &mut Vec<(usize, String)>,
) -> Vec<Statement> {
    let expressions: Vec<Expr> = tree.statements().collect();
    let starts: Vec<TextSize> = expressions.iter().map(|it| start_of(it.syntax())).collect();
    let mut expected: Vec<Vec<Assertion>> = vec![Vec::new(); starts.len()];
    for (at, assertion) in comments {
        match starts.partition_point(|&it| it <= at).checked_sub(1) {
            Some(index) => expected[index].push(assertion),
            None => faults.push((assertion.line, "no statement before the comment".to_owned())),
        }
    }
    let mut above = String::new();
    let mut statements = Vec::new();
    for (index, assertions) in expected.into_iter().enumerate() {
        let start = if index == 0 { 0 } else { starts[index].into() };
        let end = starts
            .get(index + 1)
            .map_or(block.text.len(), |&it| it.into());
        let own = &block.text[start..end];
        let fails = assertions
            .iter()
            .any(|it| matches!(it.claim, Claim::Error(_)));
        let is_asked = !assertions.is_empty() && is_plain(&expressions[index]);
        statements.push(Statement {
            source: format!("{above}{own}"),
            line: line_of(&block.text, starts[index]),
            assertions,
        });
        if fails || is_asked || !has_effect(own, block.version) {
            above.extend(own.chars().map(|it| if it == '\n' { '\n' } else { ' ' }));
        } else {
            above.push_str(own);
        }
    }
    statements
}

/// Returns the end of the code before an offset.
fn end_before(tree: &SourceFile, offset: TextSize) -> TextSize {
    let tokens = tree.syntax().descendants_with_tokens();
    let before = tokens
        .filter_map(|it| it.into_token())
        .filter(|it| !it.kind().is_trivia() && it.text_range().end() <= offset);
    before.last().map_or(offset, |it| it.text_range().end())
}

/// Returns the start of the first token that is not trivia.
fn start_of(node: &syntax::SyntaxNode) -> TextSize {
    let tokens = node
        .descendants_with_tokens()
        .filter_map(|it| it.into_token());
    tokens
        .into_iter()
        .find(|it| !it.kind().is_trivia())
        .map_or(node.text_range().start(), |it| it.text_range().start())
}

/// Checks whether an expression only matters for its value: it neither assigns variables nor
/// matches a regular expression, which would set `$0`.
fn is_plain(expression: &Expr) -> bool {
    let has = |kind: SyntaxKind| {
        let mut inner = expression.syntax().descendants_with_tokens();
        inner.any(|it| it.kind() == kind)
    };
    match expression {
        Expr::CallExpr(_) | Expr::MethodCall(_) => !has(SyntaxKind::ASSIGNMENT),
        Expr::BinaryExpr(_) => !has(SyntaxKind::ASSIGNMENT) && !has(SyntaxKind::REGEX),
        _ => false,
    }
}

/// Checks whether Puppet accepts the statement in any position.
fn has_effect(statement: &str, version: PuppetVersion) -> bool {
    let source = Source::new(format!("{statement}\nundef"), Dialect::default());
    let verdict = Verdict::of(&source, version);
    verdict
        .errors
        .iter()
        .all(|it| it.code() != "IDEM_EXPRESSION_NOT_LAST")
}

/// Returns the lines of a statement: from its first to the first of the next one.
pub(super) fn lines(statements: &[Statement], index: usize) -> Range<usize> {
    let end = statements.get(index + 1).map_or(usize::MAX, |it| it.line);
    statements[index].line..end.max(statements[index].line + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str, parse_only: bool) -> ParsedBlock {
        parse_block(&Block {
            path: None,
            language: Language::Puppet,
            parse_only,
            step: false,
            version: PuppetVersion::V8,
            text: text.to_owned(),
            line: 1,
        })
    }

    fn cut(text: &str) -> Vec<Statement> {
        match parsed(text, false).subject {
            Subject::Statements(it) => it,
            Subject::Whole(..) => panic!("an evaluated block"),
        }
    }

    #[test]
    fn statements_follow_those_with_effects() {
        let text = "# head\n$a = 1 # value: 1\n1 + 2 # value: 3\n$a = 2\n# error: [X]\n$b = @(E)\n  é\n  |- E\n# value: 'é'\n\n$b\n";
        let statements = cut(text);
        let sources: Vec<_> = statements.iter().map(|it| it.source.as_str()).collect();
        assert_eq!(sources[0], "# head\n$a = 1 # value: 1\n");
        assert_eq!(sources[1], "# head\n$a = 1 # value: 1\n1 + 2 # value: 3\n");
        let blank = " ".repeat(16);
        assert_eq!(
            sources[2],
            format!("# head\n$a = 1 # value: 1\n{blank}\n$a = 2\n# error: [X]\n")
        );
        assert!(sources[3].starts_with(&format!(
            "# head\n$a = 1 # value: 1\n{blank}\n      \n            \n$b = @(E)"
        )));
        assert!(sources[4].ends_with("# value: 'é'\n\n$b\n"));
        let lines: Vec<_> = statements.iter().map(|it| it.line).collect();
        assert_eq!(lines, [2, 3, 4, 6, 11]);
        let expected: Vec<_> = statements.iter().map(|it| it.assertions.len()).collect();
        assert_eq!(expected, [1, 1, 1, 1, 0]);
        assert!(statements[2].assertions[0].alone);
        assert!(!statements[1].assertions[0].alone);
    }

    #[test]
    fn leaves_out_statements_with_assertions() {
        let context = |text: &str| {
            let statements = cut(text);
            let last = statements.last().expect("there is one");
            last.source.replace(['\n', ' '], "")
        };
        assert_eq!(context("f(1) # value: 1\n1.g # error: [X]\nh()\n2"), "h()2");
        assert_eq!(context("f($x = 1) # value: 1\n2"), "f($x=1)#value:12");
    }

    #[test]
    fn checks_blocks_that_are_not_evaluated_as_a_whole() {
        for (text, parse_only) in [("1 +\n# error: [X]", false), ("file { 'a': }", true)] {
            assert!(matches!(
                parsed(text, parse_only).subject,
                Subject::Whole(..)
            ));
        }
    }

    #[test]
    fn reports_misplaced_assertions() {
        assert_eq!(parsed("# value: 1\n$a = 1", false).faults.len(), 1);
        assert_eq!(parsed("$a = 1 # value: 1", true).faults.len(), 1);
        assert_eq!(parsed("$a = 1 # warning: [X]", false).faults.len(), 1);
        assert_eq!(parsed("$a = 1 # error: X", false).faults.len(), 1);
        assert_eq!(parsed("$a = '# value: 1' /* value: 2 */", false).faults, []);
    }
}
