//! Helpers for the tests of the function families.

use base::FileId;
use fixture::Sources;
use types::display_hover;

use crate::{TypedRangeKind, inferred_types};

/// Returns the inferred type of an expression whose variables have declared types, such as `String
/// $a, Integer $b`.
pub(super) fn inferred(parameters: &str, expression: &str) -> String {
    inferred_with("", parameters, expression)
}

/// Like [`inferred`], with further files in the format of [`Sources`].
pub(super) fn inferred_with(files: &str, parameters: &str, expression: &str) -> String {
    let start = format!("function t::f({parameters}) {{\n  ");
    let text = format!("//- modules/t/functions/f.pp\n{start}{expression}\n}}\n{files}");
    let db = Sources::parse(&text).database();
    let file = db.file(FileId(0)).expect("the function has a file");
    let places = inferred_types(&db, file);
    let found = places.iter().find(|it| {
        let range = std::ops::Range::<usize>::from(it.range);
        range == (start.len()..start.len() + expression.len())
            && it.kind == TypedRangeKind::Expression
    });
    found.map_or_else(|| "never".to_owned(), |it| display_hover(&it.type_))
}

/// Checks cases of parameters, an expression, and its inferred type.
pub(super) fn check(cases: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (parameters, expression, expected) in cases {
        let found = inferred(parameters, expression);
        if found != *expected {
            wrong.push(format!(
                "({parameters}) {expression}: {found}, not {expected}"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
