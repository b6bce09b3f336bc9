//! What the tests of assists share.

use syntax::{Dialect, TextRange, TextSize, apply_edits};

use super::Assist;
use crate::host::FileId;
use crate::ide::fixture::{World, parse};

const FILE: FileId = FileId(0);
const MARK: &str = "<^>";

/// A source without its marks, and what they select: one is a cursor, two are the ends.
fn selection(source: &str) -> (String, TextRange) {
    let start = source.find(MARK).expect("there is a mark");
    let text = source.replacen(MARK, "", 1);
    let end = text.find(MARK).unwrap_or(start);
    let text = text.replacen(MARK, "", 1);
    let size = |it: usize| TextSize::new(it as u32);
    (text, TextRange::new(size(start), size(end)))
}

/// Other files that change nothing.
pub(super) const NO_OTHERS: &str = "modules/m/manifests/none.pp\n";

/// What is offered in a source, with another file behind it.
pub(super) fn offered(source: &str, others: &str) -> Vec<Assist> {
    offered_at("modules/m/manifests/init.pp", source, others)
}

/// The same in a file at a path.
pub(super) fn offered_at(path: &str, source: &str, others: &str) -> Vec<Assist> {
    let (text, range) = selection(source);
    let world = World::new(&format!("//- {path}\n{text}//- {others}"));
    world.analysis().assists(FILE, range)
}

/// The source after an assist was applied, `none` if it is not offered, or why it is refused. The
/// result must parse, and nothing new may be found in it.
pub(super) fn applied_with(id: &str, source: &str, others: &str) -> String {
    applied_in("modules/m/manifests/init.pp", id, source, others)
}

/// The same in a file at a path.
pub(super) fn applied_in(path: &str, id: &str, source: &str, others: &str) -> String {
    let (text, range) = selection(source);
    let world = |text: &str| World::new(&format!("//- {path}\n{text}//- {others}"));
    let before = world(&text);
    let analysis = before.analysis();
    let Some(assist) = analysis
        .assists(FILE, range)
        .into_iter()
        .find(|it| it.id == id)
    else {
        return "none".to_owned();
    };
    if let Some(reason) = assist.disabled {
        return reason;
    }
    let edits = analysis.assist_edits(FILE, range, id, &assist.title);
    let edits = edits.expect("what is offered can be done");
    let changed = apply_edits(&text, &edits).expect("the edits fit");
    let dialect = Dialect {
        epp: path.ends_with(".epp"),
        ..Dialect::default()
    };
    let sound = |it: &str| parse(it, dialect).errors().is_empty();
    assert!(!sound(&text) || sound(&changed), "{changed}");
    let count = |world: &World| world.analysis().diagnostics(FILE).len();
    let after = world(&changed);
    assert!(count(&after) <= count(&before), "{}", after.findings());
    changed
}

/// The same with no other file.
pub(super) fn applied(id: &str, source: &str) -> String {
    applied_with(id, source, NO_OTHERS)
}
