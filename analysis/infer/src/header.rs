//! Memoizes the state after the parameters of an item, where its body begins.
//!
//! An edit in the body does not affect it, and in a definition with hundreds of parameters it is a
//! large part of the inference.

use salsa::Database;
use syntax::SyntaxNode;

use super::inferred::Inferred;
use super::part::Part;
use super::told::{Told, settle};
use super::walker::{Walker, parameters_and_body};
use hir::Item;

/// The minimum length in bytes for memoization: below it, inferring again is faster.
const MIN_LENGTH: u32 = 4_096;

/// Returns the summary of an item's parameters, if they are long enough to be memoized.
pub(super) fn kept<'db>(db: &'db dyn Database, item: Item<'db>) -> Option<&'db Told> {
    let length = item.header(db).text_len();
    let is_long = u32::from(length) >= MIN_LENGTH;
    is_long.then(|| header(db, item).as_ref()).flatten()
}

/// Infers the parameters of an item. Returns `None` if the header contains a heredoc, whose lines
/// may be located in the body.
#[salsa::tracked(
    cycle_initial = |_, _, _| None,
    cycle_fn = |_, cycle, _, after, _| settle(cycle, after),
)]
fn header<'db>(db: &'db dyn Database, item: Item<'db>) -> Option<Told> {
    let green = item.header(db);
    if green.to_string().contains("@(") {
        return None;
    }
    let root = SyntaxNode::new_root(green.clone());
    let (parameters, _) = parameters_and_body(&root)?;
    let mut walker = Walker::over(db, item, root, Part::default());
    let start = walker.flow.mark();
    walker.header(&parameters);
    walker.into_told(&start, Inferred::UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::kept;
    use crate::{infer, infer_tree};
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
        let kept = kept(&db, item).expect("it is long");
        assert_eq!(kept.problems.len(), 1);
        let whole = infer_tree(&db, item, item.syntax(&db));
        assert!(whole.claims.len() > 600, "{}", whole.claims.len());
        assert_eq!(*infer(&db, item), whole);
    }

    #[test]
    fn short_headers_are_not_memoized() {
        let (db, file) = database("class m ($a = 1) { }");
        assert_eq!(kept(&db, items(&db, file)[0]), None);
    }
}
