//! Lists the inferred types and known values of assignments, attributes and statements.

use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::ast::{Assignment, AstNode, Attribute, Expr};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use super::ExpressionNote;
use crate::literals::is_simple_literal;
use base::FileInput;
use infer::{InferredType, inferred_types};
use types::display_hover;
use types::values::source;

/// Returns the notes of a file, in source order.
pub(crate) fn expression_notes(db: &dyn Database, file: FileInput) -> Vec<ExpressionNote> {
    let inferred = inferred_types(db, file);
    let inferred: FxHashMap<TextRange, &InferredType> =
        inferred.iter().map(|it| (it.range, it)).collect();
    let root = base::parse(db, file).syntax();
    let exprs = root.descendants().filter_map(|it| annotated_expr(&it));
    exprs
        .filter_map(|it| {
            let range = it.syntax().text_range();
            let found = inferred.get(&range).filter(|it| !it.type_.is_any())?;
            Some(ExpressionNote {
                range,
                type_: display_hover(&found.type_),
                value: found.value.as_ref().and_then(source),
            })
        })
        .collect()
}

/// Returns the expression to annotate for a node.
fn annotated_expr(node: &SyntaxNode) -> Option<Expr> {
    match node.kind() {
        SyntaxKind::ASSIGNMENT => Assignment::cast(node.clone())?
            .rhs()
            .filter(|it| it.syntax().kind() != SyntaxKind::ASSIGNMENT),
        SyntaxKind::ATTRIBUTE => {
            let value = Attribute::cast(node.clone())?.value()?;
            (!is_simple_literal(&value)).then_some(value)
        }
        kind if is_operation(kind) => {
            let parent = node.parent()?.kind();
            let is_statement = matches!(
                parent,
                SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE | SyntaxKind::TEMPLATE
            );
            is_statement.then(|| Expr::cast(node.clone())).flatten()
        }
        _ => None,
    }
}

/// Checks whether a statement of this kind computes a value.
fn is_operation(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        LITERAL
            | QUALIFIED_REFERENCE
            | VARIABLE_EXPR
            | STRING
            | INTERPOLATED_STRING
            | HEREDOC
            | ARRAY
            | HASH
            | BINARY_EXPR
            | UNARY_EXPR
            | PAREN_EXPR
            | ACCESS_EXPR
            | SELECTOR_EXPR
    )
}

#[cfg(test)]
mod tests {
    use super::super::fixture::*;
    use expect_test::expect;
    use std::fmt::Write as _;

    #[test]
    fn notes_known_values() {
        let source = "class a($p) {\n\
             \x20 $port = 8000 + 80\n\
             \x20 $hosts = [\"h1:${port}\", 'h2']\n\
             \x20 $x = $y = $p\n\
             \x20 file { '/x': ensure => present, mode => \"0${port}\", owner => $p }\n\
             \x20 $hosts[1]\n\
             }\n";
        let fixture = Fixture::new(&format!("//- manifests/site.pp\n{source}"));
        let notes = fixture.analysis().expression_notes(base::FileId(0));
        let mut text = String::new();
        for it in notes {
            let value = it.value.unwrap_or_default();
            let shown = visible_text(source, it.range);
            writeln!(text, "{shown} | {} | {value}", it.type_)
                .expect("writing to a string succeeds");
        }
        expect![[r#"
            8000 + 80 | Integer[8080, 8080] | 8080
            ["h1:${port}", 'h2'] | Tuple[String<'h1:8080'>, String<h2>] | ['h1:8080', 'h2']
            "0${port}" | String<08080> | '08080'
            $hosts[1] | String<h2> | 'h2'
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn notes_of_any_file_are_sorted() {
        for source in broken_variants(EVERYTHING).step_by(3) {
            let fixture = Fixture::new(&format!("//- manifests/site.pp\n{source}"));
            let notes = fixture.analysis().expression_notes(base::FileId(0));
            assert!(
                notes
                    .windows(2)
                    .all(|it| it[0].range.start() <= it[1].range.start())
            );
        }
    }
}
