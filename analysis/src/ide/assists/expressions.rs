//! What assists that move code ask about expressions.

use syntax::ast::{AstNode, CallExpr, CaseOption, Expr, LiteralKind, MethodCall, SelectorEntry};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

/// Functions whose results follow from their arguments and that do nothing else.
const PURE: &[&str] = &[
    "abs",
    "any2array",
    "basename",
    "bool2num",
    "bool2str",
    "camelcase",
    "capitalize",
    "ceiling",
    "chomp",
    "chop",
    "compare",
    "concat",
    "count",
    "delete",
    "delete_undef_values",
    "delete_values",
    "difference",
    "dig",
    "dirname",
    "downcase",
    "empty",
    "flatten",
    "floor",
    "get",
    "has_key",
    "index",
    "intersection",
    "join",
    "join_keys_to_values",
    "keys",
    "length",
    "lstrip",
    "match",
    "max",
    "member",
    "merge",
    "min",
    "num2bool",
    "pick",
    "pick_default",
    "prefix",
    "range",
    "regsubst",
    "reverse",
    "round",
    "rstrip",
    "shellquote",
    "size",
    "sort",
    "split",
    "sprintf",
    "str2bool",
    "strip",
    "suffix",
    "type",
    "union",
    "unique",
    "upcase",
    "values",
    "values_at",
    "versioncmp",
    "zip",
];

/// The text of an expression where it stands alone: inside of `${…}` the first name may lack its
/// dollar sign.
pub(super) fn text_of(node: &SyntaxNode) -> String {
    let text = node.text().to_string();
    match starts_bare(node) {
        true => format!("${text}"),
        false => text,
    }
}

/// Whether an expression begins with the name of a variable without its dollar sign.
pub(super) fn starts_bare(node: &SyntaxNode) -> bool {
    node.first_token().is_some_and(|it| is_bare_variable(&it))
}

fn is_bare_variable(token: &SyntaxToken) -> bool {
    let is_variable = token.parent().map(|it| it.kind()) == Some(SyntaxKind::VARIABLE_EXPR);
    is_variable && !token.text().starts_with('$')
}

/// Whether an expression can stand next to any operator without parentheses.
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

/// A text of an expression, in parentheses if it needs them next to operators.
pub(super) fn as_operand(expr: &Expr) -> String {
    let text = text_of(expr.syntax());
    match is_primary(expr) {
        true => text,
        false => format!("({text})"),
    }
}

/// A condition with `!` in front, or the opposite operator.
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
            // What is negated twice is not what it was, but as true.
            Some(match &inner {
                Expr::ParenExpr(paren) => text_of(paren.expr()?.syntax()),
                _ => text_of(inner.syntax()),
            })
        }
        Expr::BinaryExpr(it) => match opposite(it.operator()?.kind()) {
            Some(operator) => {
                let operator_range = it.operator()?.text_range() - it.syntax().text_range().start();
                let mut text = it.syntax().text().to_string();
                text.replace_range(std::ops::Range::<usize>::from(operator_range), operator);
                Some(text)
            }
            None => Some(format!("!({})", text_of(it.syntax()))),
        },
        _ => Some(format!("!{}", as_operand(condition))),
    }
}

/// Whether a node has comments in it.
pub(super) fn has_comments(node: &SyntaxNode) -> bool {
    let mut tokens = node
        .descendants_with_tokens()
        .filter_map(|it| it.into_token());
    tokens.any(|it| it.kind().is_comment())
}

/// Whether a node has something of a kind in it, itself included.
pub(super) fn has(node: &SyntaxNode, wanted: fn(SyntaxKind) -> bool) -> bool {
    node.descendants().any(|it| wanted(it.kind()))
}

/// Whether a node has lines that lie elsewhere, or could not be read.
pub(super) fn is_scattered(node: &SyntaxNode) -> bool {
    has(node, |it| {
        matches!(
            it,
            SyntaxKind::HEREDOC | SyntaxKind::HEREDOC_BODY | SyntaxKind::ERROR
        )
    })
}

/// Whether a node reads what the last match has captured, as `$1`.
pub(super) fn reads_captures(node: &SyntaxNode) -> bool {
    let tokens = node.descendants_with_tokens();
    let mut tokens = tokens.filter_map(|it| it.into_token());
    tokens.any(|it| {
        let is_variable = it.parent().map(|it| it.kind()) == Some(SyntaxKind::VARIABLE_EXPR);
        let name = it.text().trim_start_matches('$');
        is_variable && name.starts_with(|it: char| it.is_ascii_digit())
    })
}

/// Whether a node may set what `$1` is.
pub(super) fn may_capture(node: &SyntaxNode) -> bool {
    let operator = |it: SyntaxToken| matches!(it.kind(), SyntaxKind::MATCH | SyntaxKind::NOT_MATCH);
    let mut tokens = node
        .descendants_with_tokens()
        .filter_map(|it| it.into_token());
    tokens.any(operator) || node.descendants().any(|it| has_open_option(&it))
}

/// Whether an option or entry may be a regular expression.
fn has_open_option(node: &SyntaxNode) -> bool {
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

/// Whether a node calls anything that may do or ask for more than its arguments say.
pub(super) fn calls_out(node: &SyntaxNode) -> bool {
    node.descendants().any(|it| {
        let name = match it.kind() {
            SyntaxKind::CALL_EXPR => CallExpr::cast(it).and_then(|it| it.name_token()),
            SyntaxKind::METHOD_CALL => MethodCall::cast(it).and_then(|it| it.name_token()),
            _ => return false,
        };
        !name.is_some_and(|it| PURE.contains(&it.text()))
    })
}

/// Whether a node reads variables of other classes.
pub(super) fn reads_elsewhere(node: &SyntaxNode) -> bool {
    let names = node
        .descendants()
        .filter_map(syntax::ast::VariableExpr::cast);
    names
        .filter_map(|it| it.name())
        .any(|it| it.trim_start_matches("::").contains("::"))
}

/// Whether an expression cannot fail, whatever is around it: it is written out.
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

/// Whether a node is a list of statements: a body, a file.
pub(super) fn is_block(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE | SyntaxKind::TEMPLATE
    )
}

/// Whether a statement that begins with this would be more of an expression before it.
pub(super) fn may_continue(first: SyntaxKind) -> bool {
    matches!(
        first,
        SyntaxKind::MINUS | SyntaxKind::STAR | SyntaxKind::L_BRACE | SyntaxKind::REGEX
    )
}
