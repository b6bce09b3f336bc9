//! Converts `if` and `elsif` that compare one value with constants to a `case`.

use syntax::ast::{AstNode, BinaryExpr, Block, Expr, HasBody, IfExpr, LiteralKind};
use syntax::{SyntaxKind, SyntaxNode};

use super::expressions::{has_heredoc_or_error, is_block};
use super::layout::reindented;
use super::{AssistContext, AssistKind, Assists, replace};

const ID: &str = "if-to-case";
const TITLE: &str = "Convert `if` to `case`";
const KIND: AssistKind = AssistKind::Rewrite;

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let keyword = cx.token().filter(|it| it.kind() == SyntaxKind::IF_KW);
    let Some(first) = keyword.and_then(|it| it.parent()).and_then(IfExpr::cast) else {
        return;
    };
    let node = first.syntax();
    let is_statement = node.parent().is_some_and(|it| is_block(it.kind()));
    if !is_statement || cx.is_template() || has_heredoc_or_error(node) {
        return;
    }
    let Some(chain) = Chain::of(&first) else {
        return;
    };
    if chain.would_lose_comments(node) {
        return acc.add_disabled(ID, TITLE, KIND, "comments would be lost");
    }
    acc.add(ID, TITLE, KIND, || {
        vec![replace(node.text_range(), chain.to_case(cx, node))]
    });
}

/// An `if` with all its `elsif`s, which compare the same value.
struct Chain {
    subject: String,
    /// The constants of each condition, and the code that then runs.
    branches: Vec<(Vec<String>, Block)>,
    default: Option<Block>,
}

impl Chain {
    fn of(first: &IfExpr) -> Option<Chain> {
        let mut branches = Vec::new();
        let mut subject = None;
        let mut default = None;
        let mut at = Some(first.clone());
        while let Some(it) = at {
            let mut constants = Vec::new();
            compared(&it.condition()?, &mut subject, &mut constants)?;
            branches.push((constants, it.body()?));
            let rest = it.else_clause();
            at = rest.as_ref().and_then(|it| it.elsif());
            default = rest.filter(|it| it.elsif().is_none());
        }
        // An `if` with a single condition is shorter.
        (branches.len() > 1).then_some(())?;
        Some(Chain {
            subject: subject?,
            branches,
            default: match default {
                Some(it) => Some(it.block()?),
                None => None,
            },
        })
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.branches.iter().map(|it| &it.1).chain(&self.default)
    }

    /// Checks whether comments are outside of the blocks.
    fn would_lose_comments(&self, node: &SyntaxNode) -> bool {
        let tokens = node.descendants_with_tokens();
        let mut comments = tokens.filter(|it| it.kind().is_comment());
        comments.any(|comment| {
            let place = comment.text_range();
            let mut blocks = self.blocks();
            !blocks.any(|it| it.syntax().text_range().contains_range(place))
        })
    }

    fn to_case(&self, cx: &AssistContext<'_>, node: &SyntaxNode) -> String {
        let indent = cx.indent(node.text_range().start());
        let (deeper, end) = (cx.deeper(indent), cx.line_break());
        let option = |values: &str, block: &Block| {
            let block = reindented(block.syntax(), indent, &deeper);
            format!("{deeper}{values}: {block}{end}")
        };
        let mut text = format!("case {} {{{end}", self.subject);
        for (constants, block) in &self.branches {
            text.push_str(&option(&constants.join(", "), block));
        }
        match &self.default {
            Some(block) => text.push_str(&option("default", block)),
            None => text.push_str(&format!("{deeper}default: {{}}{end}")),
        }
        text + indent + "}"
    }
}

/// Collects the constants with which a condition compares the subject: `$x == 'a' or $x == 'b'`. Returns `None` if it is
/// anything else, or compares another value.
fn compared(
    condition: &Expr,
    subject: &mut Option<String>,
    constants: &mut Vec<String>,
) -> Option<()> {
    match condition {
        Expr::ParenExpr(it) => compared(&it.expr()?, subject, constants),
        Expr::BinaryExpr(it) => match it.operator()?.kind() {
            SyntaxKind::OR_KW => {
                compared(&it.lhs()?, subject, constants)?;
                compared(&it.rhs()?, subject, constants)
            }
            SyntaxKind::EQ_EQ => compared_once(it, subject, constants),
            _ => None,
        },
        _ => None,
    }
}

fn compared_once(
    comparison: &BinaryExpr,
    subject: &mut Option<String>,
    constants: &mut Vec<String>,
) -> Option<()> {
    let (left, right) = (comparison.lhs()?, comparison.rhs()?);
    let (value, constant) = match is_constant(&right) {
        true => (left, right),
        false => (right, left),
    };
    let text = value.syntax().text().to_string();
    let is_same = subject.get_or_insert_with(|| text.clone()) == &text;
    (is_same && is_pure(&value) && is_constant(&constant)).then_some(())?;
    constants.push(constant.syntax().text().to_string());
    Some(())
}

/// Checks whether an option of a `case` matches the same values as `==`, which it does not for regular expressions and
/// types.
fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::StringLiteral(_) | Expr::QualifiedName(_) => true,
        Expr::Literal(it) => !matches!(
            it.kind(),
            Some(LiteralKind::Regex(_) | LiteralKind::Default) | None
        ),
        _ => false,
    }
}

/// Checks whether an expression can be evaluated once instead of several times.
fn is_pure(expr: &Expr) -> bool {
    match expr {
        Expr::VariableExpr(_) => true,
        Expr::AccessExpr(it) => {
            it.base().is_some_and(|it| is_pure(&it)) && it.keys().iter().all(is_constant)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::applied;

    fn converted(code: &str) -> String {
        let found = applied("if-to-case", &format!("class m ($x, $y) {{\n{code}}}\n"));
        let inner = found.strip_prefix("class m ($x, $y) {\n");
        let inner = inner.and_then(|it| it.strip_suffix("}\n"));
        inner.unwrap_or(&found).to_owned()
    }

    #[test]
    fn converts_a_chain_to_case() {
        assert_eq!(
            converted(
                "  <^>if $x == 'a' {\n    notice(1)\n  } elsif ($x == 'b') or 3 == $x {\n    # why\n    notice(2)\n  } else {\n    notice(3)\n  }\n"
            ),
            "  case $x {\n    'a': {\n      notice(1)\n    }\n    'b', 3: {\n      # why\n      notice(2)\n    }\n    default: {\n      notice(3)\n    }\n  }\n"
        );
        assert_eq!(
            converted(
                "  <^>if $facts['os']['family'] == 'a' { notice(1) }\n  elsif $facts['os']['family'] == 'b' { notice(2) }\n"
            ),
            "  case $facts['os']['family'] {\n    'a': { notice(1) }\n    'b': { notice(2) }\n    default: {}\n  }\n"
        );
    }

    #[test]
    fn refuses_other_conditions() {
        for code in [
            "  <^>if $x == 'a' { } else { }\n",
            "  <^>if $x == 'a' { } elsif $y == 'b' { }\n",
            "  <^>if $x == 'a' { } elsif $x == $y { }\n",
            "  <^>if $x == 'a' { } elsif $x == String { }\n",
            "  <^>if $x == 'a' { } elsif $x =~ /b/ { }\n",
            "  <^>if $x == 'a' { } elsif $x == 'b' and $y { }\n",
            "  <^>if f($x) == 'a' { } elsif f($x) == 'b' { }\n",
            "  if $y { } els<^>if $x == 'a' { } elsif $x == 'b' { }\n",
        ] {
            assert_eq!(converted(code), "none", "{code}");
        }
        let commented = "  <^>if $x == 'a' { } # why\n  elsif $x == 'b' { }\n";
        assert_eq!(converted(commented), "comments would be lost");
    }
}
