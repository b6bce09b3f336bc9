//! Memoizes the state after the parameters of an item, where its body begins.
//!
//! An edit in the body does not affect it, and in a definition with hundreds of parameters it is a
//! large part of the inference.

use salsa::Database;
use syntax::SyntaxNode;

use super::inference_context::{InferenceContext, parameters_and_body};
use super::inferred::Inferred;
use super::slice::Slice;
use super::summary::{InferenceSummary, recover_summary};
use hir::Item;

/// The minimum length in bytes for memoization: below it, inferring again is faster.
const MIN_LENGTH: u32 = 4_096;

/// Returns the summary of an item's parameters, if they are long enough to be memoized.
pub(super) fn memoized_header<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
) -> Option<&'db InferenceSummary> {
    let length = item.header(db).text_len();
    let is_long = u32::from(length) >= MIN_LENGTH;
    is_long.then(|| infer_header(db, item).as_ref()).flatten()
}

/// Infers the parameters of an item. Returns `None` if the header contains a heredoc, whose lines
/// may be located in the body.
#[salsa::tracked(
    cycle_initial = |_, _, _| None,
    cycle_fn = |_, cycle, _, after, _| recover_summary(cycle, after),
)]
fn infer_header<'db>(db: &'db dyn Database, item: Item<'db>) -> Option<InferenceSummary> {
    let green = item.header(db);
    if green.to_string().contains("@(") {
        return None;
    }
    let root = SyntaxNode::new_root(green.clone());
    let (parameters, _) = parameters_and_body(&root)?;
    let mut ctx = InferenceContext::for_tree(db, item, root, Slice::default());
    let start = ctx.flow.checkpoint();
    ctx.header(&parameters);
    ctx.into_summary(&start, Inferred::UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::memoized_header;
    use crate::{infer_item, infer_tree};
    use fixture::database;
    use hir::items;

    #[test]
    fn a_memoized_header_does_not_change_the_result() {
        let parameters: String = (0..150)
            .map(|it| {
                format!(
                    "Optional[Integer[{it}]] $p{it} = {it},\nString $q{it} = \"a${{p{it}}}\",\n"
                )
            })
            .collect();
        let body = "if $p3 { $x = $p3 + 1 } else { $x = $title }\nnotice($x, $q4, $wrong[0])";
        let manifest = format!("class m (\n{parameters}Integer $wrong = 'x') {{\n{body}\n}}");
        let (db, file) = database(&manifest);
        let item = items(&db, file)[0];
        let memoized_header = memoized_header(&db, item).expect("it is long");
        assert_eq!(memoized_header.problems.len(), 1);
        let whole = infer_tree(&db, item, item.syntax(&db));
        assert!(
            whole.typed_ranges.len() > 600,
            "{}",
            whole.typed_ranges.len()
        );
        assert_eq!(*infer_item(&db, item), whole);
    }

    #[test]
    fn short_headers_are_not_memoized() {
        let (db, file) = database("class m ($a = 1) { }");
        assert_eq!(memoized_header(&db, items(&db, file)[0]), None);
    }
}
