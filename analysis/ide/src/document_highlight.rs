//! Highlights the uses of the symbol at the cursor within one file.

use salsa::Database;
use syntax::TextSize;

use super::ReferenceLocation;
use super::data_files::{FileKind, data_uses_in_file, file_kind};
use super::erb_uses::highlights_in_template;
use super::references::reference_location;
use super::search::symbol_uses_in_file;
use super::symbol::symbol_at;
use base::FileInput;

/// Returns the uses of the symbol at an offset within the same file, in source order.
pub(crate) fn document_highlights(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Vec<ReferenceLocation> {
    if file_kind(db, file) == FileKind::Erb {
        return highlights_in_template(db, file, offset);
    }
    let Some(found) = symbol_at(db, file, offset) else {
        return Vec::new();
    };
    if file_kind(db, file) == FileKind::Data {
        let uses = data_uses_in_file(db, file, &found.symbol);
        return uses.iter().map(|it| it.location(db)).collect();
    }
    let uses = symbol_uses_in_file(db, file, &found.symbol);
    uses.iter().map(|it| reference_location(db, it)).collect()
}

#[cfg(test)]
mod tests {
    use crate::AccessKind;
    use crate::fixture::{EVERYTHING, Fixture, broken_variants, cursor, visible_text};

    fn highlighted(code: &str) -> Vec<(String, AccessKind)> {
        let fixture = Fixture::new(&format!("//- manifests/site.pp\n{code}"));
        let (file, offset) = fixture.cursor();
        let found = fixture
            .analysis()
            .document_highlights(file, offset)
            .into_iter();
        let found = found.map(|it| (visible_text(fixture.text(it.file), it.range), it.access));
        found.collect()
    }

    #[test]
    fn distinguishes_reads_and_writes() {
        let found = highlighted("$a = 1\nnotice(\"${a} $<^>a\", $b, 'a')");
        let of = |text: &str, access| (text.to_owned(), access);
        assert_eq!(
            found,
            [
                of("$a", AccessKind::Write),
                of("a", AccessKind::Read),
                of("$a", AccessKind::Read)
            ]
        );
        assert!(highlighted("notice(<^>)").is_empty());
    }

    #[test]
    fn handles_broken_files() {
        let (text, _) = cursor(&format!("{EVERYTHING}<^>"));
        for (index, source) in broken_variants(&text)
            .enumerate()
            .filter(|it| it.0 % 17 == 0)
        {
            let fixture = Fixture::new(&format!("//- manifests/site.pp\n{source}"));
            let offset = (index as u32 * 31) % (source.len() as u32 + 1);
            let file = base::FileId(0);
            let found = fixture.analysis().document_highlights(file, offset.into());
            let inside =
                |it: &super::ReferenceLocation| usize::from(it.range.end()) <= source.len();
            assert!(found.iter().all(inside));
        }
    }
}
