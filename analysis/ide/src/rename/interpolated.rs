//! Finds interpolated names that may evaluate to the old name of a renamed item, at the positions
//! where a literal name would be edited.

use salsa::Database;
use syntax::TextRange;

use super::{UncertainUse, text_at};
use crate::search::{SymbolUse, occurrences_of_words};
use crate::symbol::{
    INTERPOLATED, ImplicitNameKind, InterpolatedKind, InterpolatedName, NamePart, OccurrenceKind,
    word_hash,
};
use base::FileInput;
use hir::{Item, ItemKind};
use infer::{finite_strings, infer_item};

/// The possible values of a part of a name.
enum PossibleText {
    /// One of these strings, in lower case.
    OneOf(Vec<String>),
    Anything,
}

/// Returns the interpolated names that may evaluate to the name of an item.
pub(super) fn uncertain_uses(
    db: &dyn Database,
    origin: FileInput,
    item: Item<'_>,
) -> Vec<UncertainUse> {
    let kind = item.kind(db);
    uses_that_may_be(db, origin, item.name(db), |it| can_name(it, kind))
}

/// Returns the interpolated keys of lookups that may evaluate to a key of data.
pub(super) fn uncertain_lookups(
    db: &dyn Database,
    origin: FileInput,
    key: &str,
) -> Vec<UncertainUse> {
    // The parts are in lower case.
    let key = key.to_ascii_lowercase();
    uses_that_may_be(db, origin, &key, |it| it == InterpolatedKind::DataKey)
}

/// Returns the interpolated names that may evaluate to a qualified variable, or to the key of a parameter.
pub(super) fn uncertain_members(
    db: &dyn Database,
    origin: FileInput,
    name: &str,
) -> Vec<UncertainUse> {
    let name = name.to_ascii_lowercase();
    let is_member = |it| matches!(it, InterpolatedKind::DataKey | InterpolatedKind::Variable);
    uses_that_may_be(db, origin, &name, is_member)
}

fn uses_that_may_be(
    db: &dyn Database,
    origin: FileInput,
    name: &str,
    can_name: impl Fn(InterpolatedKind) -> bool,
) -> Vec<UncertainUse> {
    let all = occurrences_of_words(db, origin, &[word_hash(INTERPOLATED)]);
    let found = all.iter().filter_map(|it| {
        let OccurrenceKind::Implicit(implicit) = it.occurrence.kind else {
            return None;
        };
        let ImplicitNameKind::Interpolated(interpolated) = &implicit.kind else {
            return None;
        };
        can_name(interpolated.kind).then_some(())?;
        uncertain_use(db, it, interpolated, name)
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|it| (it.file, it.range.start()));
    found
}

/// Checks whether an interpolated name can refer to an item of a certain kind.
fn can_name(named: InterpolatedKind, item: ItemKind) -> bool {
    match named {
        InterpolatedKind::Class | InterpolatedKind::Member => item == ItemKind::Class,
        InterpolatedKind::ResourceType => item == ItemKind::DefinedType,
        InterpolatedKind::Function => item == ItemKind::Function,
        InterpolatedKind::Plan => item == ItemKind::Plan,
        InterpolatedKind::Any => item != ItemKind::Plan,
        InterpolatedKind::DataKey | InterpolatedKind::Variable => false,
    }
}

fn uncertain_use(
    db: &dyn Database,
    found: &SymbolUse<'_>,
    interpolated: &InterpolatedName,
    name: &str,
) -> Option<UncertainUse> {
    // Check the literal parts first: inference is expensive.
    may_equal(name, &parts(interpolated, |_| None)).then_some(())?;
    let inference = infer_item(db, found.item);
    let known = parts(interpolated, |range| {
        let value = inference.at(range).filter(|it| !it.is_never());
        value.and_then(finite_strings)
    });
    may_equal(name, &known).then_some(())?;
    let is_certain = known
        .iter()
        .all(|it| matches!(it, PossibleText::OneOf(it) if it.len() == 1));
    // A name without any known part would match everything.
    let is_literal = |it: &PossibleText| match it {
        PossibleText::OneOf(it) => it.iter().all(|it| it.contains(char::is_alphanumeric)),
        PossibleText::Anything => false,
    };
    let is_known = known.iter().all(|it| matches!(it, PossibleText::OneOf(_)));
    (is_known || known.iter().any(is_literal)).then_some(())?;
    let file = found.file(db);
    let range = found.item.in_file(db, interpolated.range);
    Some(UncertainUse {
        file: file.id(db),
        range,
        text: text_at(db, file, range).to_owned(),
        name: name.to_owned(),
        is_certain,
    })
}

/// Returns the parts of a name, with the possible strings of its interpolated values.
fn parts(
    interpolated: &InterpolatedName,
    texts: impl Fn(TextRange) -> Option<Vec<String>>,
) -> Vec<PossibleText> {
    let part = |it: &NamePart| match it {
        NamePart::Text(it) => PossibleText::OneOf(vec![it.clone()]),
        NamePart::Value(range) => match texts(*range) {
            Some(it) => PossibleText::OneOf(it.iter().map(|it| it.to_ascii_lowercase()).collect()),
            None => PossibleText::Anything,
        },
    };
    interpolated.parts.iter().map(part).collect()
}

/// Checks whether parts can form a name, with or without a leading `::`.
fn may_equal(name: &str, parts: &[PossibleText]) -> bool {
    can_form(name, parts) || can_form(&format!("::{name}"), parts)
}

fn can_form(name: &str, parts: &[PossibleText]) -> bool {
    // The offsets at which the parts so far can end.
    let mut ends = vec![false; name.len() + 1];
    ends[0] = true;
    for part in parts {
        let mut next = vec![false; ends.len()];
        for start in (0..ends.len()).filter(|it| ends[*it]) {
            match part {
                PossibleText::OneOf(texts) => {
                    let rest = name.get(start..).unwrap_or_default();
                    let fit = texts.iter().filter(|it| rest.starts_with(it.as_str()));
                    fit.for_each(|it| next[start + it.len()] = true);
                }
                PossibleText::Anything => next[start..].fill(true),
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
        let text = |it: &[&str]| PossibleText::OneOf(it.iter().map(ToString::to_string).collect());
        let web = [text(&["web::"]), PossibleText::Anything];
        assert!(may_equal("web::params", &web));
        assert!(may_equal("web::a::b", &web));
        assert!(!may_equal("web", &web));
        assert!(!may_equal("xweb::params", &web));
        let rooted = [
            text(&["::", ""]),
            PossibleText::Anything,
            text(&["::params"]),
        ];
        assert!(may_equal("web::params", &rooted));
        assert!(!may_equal("web::param", &rooted));
        let several = [text(&["web"]), text(&["::a", "::b", ""])];
        for (name, expected) in [("web", true), ("web::b", true), ("web::c", false)] {
            assert_eq!(may_equal(name, &several), expected, "{name}");
        }
        assert!(may_equal("ä", &[PossibleText::Anything]));
        assert!(!may_equal("web", &[]));
    }
}
