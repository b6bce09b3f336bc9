//! What is known behind the parameters of an item, where its body begins.
//!
//! An edit in the body leaves that as it is: of a definition with hundreds of parameters it is a part of
//! the walk that is worth keeping.

use salsa::Database;
use syntax::SyntaxNode;

use super::inferred::Inferred;
use super::part::Part;
use super::told::{Told, settle};
use super::walker::{Walker, parameters_and_body};
use crate::workspace::Item;

/// What is shorter, in bytes, is walked through each time: to keep it takes longer.
const MIN_LENGTH: u32 = 4_096;

/// What is kept of an item, if it is worth it.
pub(super) fn kept<'db>(db: &'db dyn Database, item: Item<'db>) -> Option<&'db Told> {
    let length = item.header(db).text_len();
    let is_long = u32::from(length) >= MIN_LENGTH;
    is_long.then(|| header(db, item).as_ref()).flatten()
}

/// What is known behind the parameters of an item; nothing of one with lines of a heredoc, which may
/// lie in its body.
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
    use crate::ide::fixture::database;
    use crate::infer::{infer, infer_tree};
    use crate::workspace::items;

    #[test]
    fn what_is_kept_says_the_same_as_one_walk() {
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
    fn a_short_one_is_not_kept() {
        let (db, file) = database("class m ($a = 1) { }");
        assert_eq!(kept(&db, items(&db, file)[0]), None);
    }
}
