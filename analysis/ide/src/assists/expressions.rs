//! Predicates on expressions for assists that move code.

use library::KnownFunction;
use syntax::ast::{AstNode, CallExpr, CaseOption, Expr, LiteralKind, MethodCall, SelectorEntry};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

/// Returns the source of an expression as a standalone expression, adding the dollar sign that the
/// first name may lack inside `${…}`.
pub(super) fn standalone_text(node: &SyntaxNode) -> String {
    let text = node.text().to_string();
    match lacks_sigil(node) {
        true => format!("${text}"),
        false => text,
    }
}

/// Checks whether an expression begins with a variable name that lacks its dollar sign.
pub(super) fn lacks_sigil(node: &SyntaxNode) -> bool {
    node.first_token().is_some_and(|it| is_bare_variable(&it))
}

fn is_bare_variable(token: &SyntaxToken) -> bool {
    let is_variable = token.parent().map(|it| it.kind()) == Some(SyntaxKind::VARIABLE_EXPR);
    is_variable && !token.text().starts_with('$')
}

/// Checks whether an expression can be an operand of any operator without parentheses.
pub(super) fn is_primary(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(_)
        | Expr::QualifiedName(_)
        | Expr::QualifiedReference(_)
        | Expr::VariableExpr(_)
        | Expr::StringLiteral(_)
        | Expr::InterpolatedString(_)
        | Expr::ArrayExpr(_)
        | Expr::AccessExpr(_)
        | Expr::ParenExpr(_) => true,
        Expr::CallExpr(it) => !it.is_statement_call() && it.lambda().is_none(),
        Expr::MethodCall(it) => it.lambda().is_none(),
        _ => false,
    }
}

/// Returns the source of an expression as an operand, parenthesized if necessary.
pub(super) fn as_operand(expr: &Expr) -> String {
    let text = standalone_text(expr.syntax());
    match is_primary(expr) {
        true => text,
        false => format!("({text})"),
    }
}

/// Returns the negation of a condition, by the opposite operator if it has one.
pub(super) fn negated(condition: &Expr) -> Option<String> {
    let opposite = |kind| {
        Some(match kind {
            SyntaxKind::EQ_EQ => "!=",
            SyntaxKind::NOT_EQ => "==",
            SyntaxKind::MATCH => "!~",
            SyntaxKind::NOT_MATCH => "=~",
            _ => return None,
        })
    };
    match condition {
        Expr::UnaryExpr(it) if it.operator()?.kind() == SyntaxKind::BANG => {
            let inner = it.expr()?;
            // Dropping a double negation may change the value, but not its truth.
            Some(match &inner {
                Expr::ParenExpr(paren) => standalone_text(paren.expr()?.syntax()),
                _ => standalone_text(inner.syntax()),
            })
        }
        Expr::BinaryExpr(it) => match opposite(it.operator()?.kind()) {
            Some(operator) => {
                let operator_range = it.operator()?.text_range() - it.syntax().text_range().start();
                let mut text = it.syntax().text().to_string();
                text.replace_range(std::ops::Range::<usize>::from(operator_range), operator);
                Some(text)
            }
            None => Some(format!("!({})", standalone_text(it.syntax()))),
        },
        _ => Some(format!("!{}", as_operand(condition))),
    }
}

pub(super) fn has_comments(node: &SyntaxNode) -> bool {
    let mut tokens = node
        .descendants_with_tokens()
        .filter_map(|it| it.into_token());
    tokens.any(|it| it.kind().is_comment())
}

/// Checks whether a node or one of its descendants is of a certain kind.
pub(super) fn contains_kind(node: &SyntaxNode, wanted: fn(SyntaxKind) -> bool) -> bool {
    node.descendants().any(|it| wanted(it.kind()))
}

/// Checks whether a node contains a heredoc, whose body is located elsewhere, or a syntax error.
pub(super) fn has_heredoc_or_error(node: &SyntaxNode) -> bool {
    contains_kind(node, |it| {
        matches!(
            it,
            SyntaxKind::HEREDOC | SyntaxKind::HEREDOC_BODY | SyntaxKind::ERROR
        )
    })
}

/// Checks whether a node reads a capture group of the last match, such as `$1`.
pub(super) fn reads_captures(node: &SyntaxNode) -> bool {
    let tokens = node.descendants_with_tokens();
    let mut tokens = tokens.filter_map(|it| it.into_token());
    tokens.any(|it| {
        let is_variable = it.parent().map(|it| it.kind()) == Some(SyntaxKind::VARIABLE_EXPR);
        let name = it.text().trim_start_matches('$');
        is_variable && name.starts_with(|it: char| it.is_ascii_digit())
    })
}

/// Checks whether a node may set the capture groups, such as `$1`.
pub(super) fn may_capture(node: &SyntaxNode) -> bool {
    let operator = |it: SyntaxToken| matches!(it.kind(), SyntaxKind::MATCH | SyntaxKind::NOT_MATCH);
    let mut tokens = node
        .descendants_with_tokens()
        .filter_map(|it| it.into_token());
    tokens.any(operator) || node.descendants().any(|it| may_match_regex(&it))
}

/// Checks whether a `case` option or selector entry may be a regular expression.
fn may_match_regex(node: &SyntaxNode) -> bool {
    let options: Vec<Expr> = match node.kind() {
        SyntaxKind::CASE_OPTION => CaseOption::cast(node.clone())
            .map(|it| it.values().collect())
            .unwrap_or_default(),
        SyntaxKind::SELECTOR_ENTRY => {
            let entry = SelectorEntry::cast(node.clone());
            entry.and_then(|it| it.matching()).into_iter().collect()
        }
        _ => return false,
    };
    !options.iter().all(|it| match it {
        Expr::Literal(it) => !matches!(it.kind(), Some(LiteralKind::Regex(_))),
        Expr::StringLiteral(_) | Expr::QualifiedName(_) => true,
        _ => false,
    })
}

/// Checks whether a node calls a function that may be impure.
pub(super) fn calls_impure(node: &SyntaxNode) -> bool {
    node.descendants().any(|it| {
        let name = match it.kind() {
            SyntaxKind::CALL_EXPR => CallExpr::cast(it).and_then(|it| it.name_token()),
            SyntaxKind::METHOD_CALL => MethodCall::cast(it).and_then(|it| it.name_token()),
            _ => return false,
        };
        let known = name.and_then(|it| KnownFunction::from_name(it.text()));
        !known.is_some_and(KnownFunction::is_pure)
    })
}

/// Checks whether a node reads variables of other classes.
pub(super) fn reads_other_classes(node: &SyntaxNode) -> bool {
    let names = node
        .descendants()
        .filter_map(syntax::ast::VariableExpr::cast);
    names
        .filter_map(|it| it.name())
        .any(|it| it.trim_start_matches("::").contains("::"))
}

/// Checks whether an expression consists of literals only, and thus cannot fail to evaluate.
pub(super) fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(_) | Expr::StringLiteral(_) | Expr::QualifiedName(_) => true,
        Expr::ArrayExpr(it) => it.elements().all(|it| is_constant(&it)),
        Expr::HashExpr(it) => it.entries().all(|it| {
            let parts = [it.key(), it.value()];
            parts.iter().flatten().all(is_constant)
        }),
        Expr::ParenExpr(it) => it.expr().is_some_and(|it| is_constant(&it)),
        _ => false,
    }
}

/// Checks whether a node is a list of statements, such as a body or a file.
pub(super) fn is_block(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE | SyntaxKind::TEMPLATE
    )
}

/// Checks whether a statement that begins with this token would be parsed as the continuation of a
/// preceding expression.
pub(super) fn continues_expression(first: SyntaxKind) -> bool {
    matches!(
        first,
        SyntaxKind::MINUS | SyntaxKind::STAR | SyntaxKind::L_BRACE | SyntaxKind::REGEX
    )
}
