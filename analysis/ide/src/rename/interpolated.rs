//! Finds interpolated names that may evaluate to the old name of a renamed item, at the positions
//! where a literal name would be edited.

use salsa::Database;
use syntax::TextRange;

use super::{Doubt, text_at};
use crate::search::{Use, names_with};
use crate::symbol::{INTERPOLATED, InterpolatedName, NamePart, NamedKind, SpecialName, What, word};
use ::infer::{infer, known_texts};
use base::db::FileInput;
use hir::{Item, ItemKind};

/// The possible values of a part of a name.
enum Part {
    /// One of these strings, in lower case.
    OneOf(Vec<String>),
    Anything,
}

/// Returns the interpolated names that may evaluate to the name of an item.
pub(super) fn doubts(db: &dyn Database, origin: FileInput, item: Item<'_>) -> Vec<Doubt> {
    let (kind, name) = (item.kind(db), item.name(db));
    let all = names_with(db, origin, &[word(INTERPOLATED)]);
    let found = all.iter().filter_map(|it| {
        let What::Special(special) = it.occurrence.what else {
            return None;
        };
        let SpecialName::Interpolated(put) = &special.name else {
            return None;
        };
        names_kind(put.kind, kind).then_some(())?;
        doubt(db, it, put, name)
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|it| (it.file, it.range.start()));
    found
}

/// Checks whether an interpolated name can refer to an item of a certain kind.
fn names_kind(named: NamedKind, item: ItemKind) -> bool {
    match named {
        NamedKind::Class | NamedKind::Member => item == ItemKind::Class,
        NamedKind::ResourceType => item == ItemKind::Define,
        NamedKind::Function => item == ItemKind::Function,
        NamedKind::Plan => item == ItemKind::Plan,
        NamedKind::Any => item != ItemKind::Plan,
    }
}

fn doubt(db: &dyn Database, found: &Use<'_>, put: &InterpolatedName, name: &str) -> Option<Doubt> {
    // Check the literal parts first: inference is expensive.
    can_be(name, &parts(put, |_| None)).then_some(())?;
    let inference = infer(db, found.item);
    let known = parts(put, |range| {
        let value = inference.at(range).filter(|it| !it.is_never());
        value.and_then(known_texts)
    });
    can_be(name, &known).then_some(())?;
    let is_certain = known
        .iter()
        .all(|it| matches!(it, Part::OneOf(it) if it.len() == 1));
    // A name without any known part would match everything.
    let says = |it: &Part| match it {
        Part::OneOf(it) => it.iter().all(|it| it.contains(char::is_alphanumeric)),
        Part::Anything => false,
    };
    let is_known = known.iter().all(|it| matches!(it, Part::OneOf(_)));
    (is_known || known.iter().any(says)).then_some(())?;
    let file = found.file(db);
    let range = found.item.in_file(db, put.range);
    Some(Doubt {
        file: file.id(db),
        range,
        text: text_at(db, file, range).to_owned(),
        name: name.to_owned(),
        is_certain,
    })
}

/// Returns the parts of a name, with the possible strings of its interpolated values.
fn parts(put: &InterpolatedName, texts: impl Fn(TextRange) -> Option<Vec<String>>) -> Vec<Part> {
    let part = |it: &NamePart| match it {
        NamePart::Text(it) => Part::OneOf(vec![it.clone()]),
        NamePart::Value(range) => match texts(*range) {
            Some(it) => Part::OneOf(it.iter().map(|it| it.to_ascii_lowercase()).collect()),
            None => Part::Anything,
        },
    };
    put.parts.iter().map(part).collect()
}

/// Checks whether parts can form a name, with or without a leading `::`.
fn can_be(name: &str, parts: &[Part]) -> bool {
    makes(name, parts) || makes(&format!("::{name}"), parts)
}

fn makes(name: &str, parts: &[Part]) -> bool {
    // The offsets at which the parts so far can end.
    let mut ends = vec![false; name.len() + 1];
    ends[0] = true;
    for part in parts {
        let mut next = vec![false; ends.len()];
        for start in (0..ends.len()).filter(|it| ends[*it]) {
            match part {
                Part::OneOf(texts) => {
                    let rest = name.get(start..).unwrap_or_default();
                    let fit = texts.iter().filter(|it| rest.starts_with(it.as_str()));
                    fit.for_each(|it| next[start + it.len()] = true);
                }
                Part::Anything => next[start..].fill(true),
            }
        }
        ends = next;
    }
    ends.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_parts_of_names() {
        let text = |it: &[&str]| Part::OneOf(it.iter().map(ToString::to_string).collect());
        let web = [text(&["web::"]), Part::Anything];
        assert!(can_be("web::params", &web));
        assert!(can_be("web::a::b", &web));
        assert!(!can_be("web", &web));
        assert!(!can_be("xweb::params", &web));
        let rooted = [text(&["::", ""]), Part::Anything, text(&["::params"])];
        assert!(can_be("web::params", &rooted));
        assert!(!can_be("web::param", &rooted));
        let several = [text(&["web"]), text(&["::a", "::b", ""])];
        for (name, expected) in [("web", true), ("web::b", true), ("web::c", false)] {
            assert_eq!(can_be(name, &several), expected, "{name}");
        }
        assert!(can_be("ä", &[Part::Anything]));
        assert!(!can_be("web", &[]));
    }
}
