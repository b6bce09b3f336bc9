//! Highlights the uses of the symbol at the cursor within one file.

use salsa::Database;
use syntax::TextSize;

use super::UsePlace;
use super::references::place;
use super::search::uses_in;
use super::symbol::symbol_at;
use base::db::FileInput;

/// Returns the uses of the symbol at an offset within the same file, in source order.
pub(crate) fn highlights(db: &dyn Database, file: FileInput, offset: TextSize) -> Vec<UsePlace> {
    let Some(found) = symbol_at(db, file, offset) else {
        return Vec::new();
    };
    let uses = uses_in(db, file, &found.symbol);
    uses.iter().map(|it| place(db, it)).collect()
}

#[cfg(test)]
mod tests {
    use crate::Access;
    use crate::fixture::{EVERYTHING, World, cursor, damaged, shown};

    fn highlighted(code: &str) -> Vec<(String, Access)> {
        let world = World::new(&format!("//- manifests/site.pp\n{code}"));
        let (file, offset) = world.cursor();
        let found = world.analysis().highlights(file, offset).into_iter();
        let found = found.map(|it| (shown(world.text(it.file), it.range), it.access));
        found.collect()
    }

    #[test]
    fn distinguishes_reads_and_writes() {
        let found = highlighted("$a = 1\nnotice(\"${a} $<^>a\", $b, 'a')");
        let of = |text: &str, access| (text.to_owned(), access);
        assert_eq!(
            found,
            [
                of("$a", Access::Write),
                of("a", Access::Read),
                of("$a", Access::Read)
            ]
        );
        assert!(highlighted("notice(<^>)").is_empty());
    }

    #[test]
    fn handles_damaged_files() {
        let (text, _) = cursor(&format!("{EVERYTHING}<^>"));
        for (index, source) in damaged(&text).enumerate().filter(|it| it.0 % 17 == 0) {
            let world = World::new(&format!("//- manifests/site.pp\n{source}"));
            let offset = (index as u32 * 31) % (source.len() as u32 + 1);
            let file = base::FileId(0);
            let found = world.analysis().highlights(file, offset.into());
            let inside = |it: &super::UsePlace| usize::from(it.range.end()) <= source.len();
            assert!(found.iter().all(inside));
        }
    }
}
