//! The titles that an unknown value may be.

use eval::{PartlyKnown, Unknown};
use hir::title_pattern::TitlePattern;
use types::values::{Value, interpolated};
use types::{StringType, Type};

/// Returns the patterns of the titles in an unknown value; `None` if they can be any. `ty` contains the value.
pub(crate) fn possible_titles(unknown: &Unknown, ty: Option<&Type>) -> Option<Vec<TitlePattern>> {
    if let Some((start, end)) = unknown.text().filter(|it| *it != ("", "")) {
        return Some(vec![TitlePattern::of_ends(start, end)]);
    }
    let of_elements = unknown.elements().and_then(|elements| {
        let all: Option<Vec<_>> = elements.iter().map(titles_in).collect();
        all.map(|it| it.concat())
    });
    of_elements.or_else(|| {
        let mut found = Vec::new();
        add_texts(ty?, &mut found)?;
        Some(found.into_iter().map(TitlePattern::of_text).collect())
    })
}

fn titles_in(value: &PartlyKnown) -> Option<Vec<TitlePattern>> {
    match value {
        Ok(Value::Array(items)) => {
            let all: Option<Vec<_>> = items.iter().cloned().map(|it| titles_in(&Ok(it))).collect();
            all.map(|it| it.concat())
        }
        Ok(value) => Some(vec![TitlePattern::of_text(
            interpolated(value)?.to_string(),
        )]),
        Err(unknown) => possible_titles(unknown, None),
    }
}

/// Adds the strings of a type, and those in arrays; `None` if there are too many.
fn add_texts(ty: &Type, into: &mut Vec<String>) -> Option<()> {
    match ty {
        Type::Enum(it) if !it.case_insensitive() => {
            into.extend(it.values().iter().map(ToString::to_string));
            Some(())
        }
        Type::String(StringType::Value(it)) => {
            into.push(it.to_string());
            Some(())
        }
        Type::Variant(all) => all.iter().try_for_each(|it| add_texts(it, into)),
        Type::Tuple(it) => it.types().iter().try_for_each(|it| add_texts(it, into)),
        Type::Array(it) => add_texts(it.element(), into),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_limit_titles() {
        let unknown = Unknown::new("why");
        let of = |ty: &Type| possible_titles(&unknown, Some(ty));
        let may_be = |ty: &Type, title: &str| {
            let found = of(ty).unwrap_or_default();
            found.iter().any(|it| it.may_be("file", title))
        };
        let paths = Type::enumeration(["/a".to_owned(), "/b".to_owned()]);
        let list = Type::array(paths.clone(), None);
        for ty in [&paths, &list] {
            assert!(may_be(ty, "/a"));
            assert!(!may_be(ty, "/c"));
        }
        assert_eq!(of(&Type::STRING), None);
        assert_eq!(of(&Type::variant([paths, Type::INTEGER])), None);
    }
}
