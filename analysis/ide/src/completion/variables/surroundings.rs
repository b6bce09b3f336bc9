//! The variables that the code around the cursor uses.

use rustc_hash::FxHashSet;
use syntax::ast::{AstNode, Definition, Expr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::cursor::CursorContext;

/// The uses of variables around the cursor, by their names without dollar signs.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    /// The variables that the calls of the lambdas around the cursor iterate over.
    pub(super) iterated: FxHashSet<String>,
    /// The variables that the definition uses, apart from the one at the cursor.
    pub(super) used: FxHashSet<String>,
    /// Whether the innermost scope is a lambda.
    pub(super) is_in_lambda: bool,
    /// Whether the cursor is in the condition of an `if` or `unless`.
    pub(super) is_condition: bool,
}

impl Surroundings {
    pub(super) fn of(cursor: &CursorContext<'_>) -> Surroundings {
        let mut found = Surroundings {
            is_condition: is_condition(cursor),
            ..Surroundings::default()
        };
        let mut scopes = 0;
        for node in cursor.token.parent_ancestors() {
            if node.kind() == SyntaxKind::LAMBDA {
                found.is_in_lambda |= scopes == 0;
                scopes += 1;
                let call = node.parent().and_then(Expr::cast);
                let arguments = call.and_then(|it| it.named_call()).map(|it| it.1);
                let receiver = arguments.and_then(|it| it.into_iter().next());
                let receiver = receiver.filter(|it| !cursor.is_within(it.syntax()));
                let variables = receiver.iter().flat_map(|it| variables_in(it.syntax()));
                found.iterated.extend(variables);
            }
            if Definition::can_cast(node.kind()) || node.parent().is_none() {
                let at_cursor = name_of(cursor.token.text());
                let mut used: Vec<String> = variables_in(&node).collect();
                if let Some(at) = used.iter().position(|it| it == at_cursor) {
                    used.swap_remove(at);
                }
                found.used.extend(used);
                break;
            }
        }
        found
    }
}

fn is_condition(cursor: &CursorContext<'_>) -> bool {
    use SyntaxKind::*;
    let around = cursor.token.parent_ancestors().map(|it| it.kind());
    let mut around =
        around.skip_while(|it| matches!(it, VARIABLE_EXPR | BINARY_EXPR | UNARY_EXPR | PAREN_EXPR));
    matches!(around.next(), Some(IF_EXPR | UNLESS_EXPR))
}

/// Returns the variables that code reads.
fn variables_in(node: &SyntaxNode) -> impl Iterator<Item = String> + use<> {
    let tokens = node.descendants_with_tokens();
    let tokens = tokens.filter_map(|it| it.into_token());
    let variables = tokens.filter(|it| {
        let owner = it.parent().filter(|_| it.kind() == SyntaxKind::VARIABLE);
        owner.is_some_and(|it| it.kind() != SyntaxKind::PARAMETER && !is_target(&it))
    });
    variables.map(|it| name_of(it.text()).to_owned())
}

/// Checks whether a variable is assigned.
fn is_target(variable: &SyntaxNode) -> bool {
    let is_assigned = |it: SyntaxNode| it.kind() == SyntaxKind::ASSIGNMENT;
    variable.prev_sibling().is_none() && variable.parent().is_some_and(is_assigned)
}

fn name_of(text: &str) -> &str {
    text.trim_start_matches(['$', '{']).trim_start_matches("::")
}
