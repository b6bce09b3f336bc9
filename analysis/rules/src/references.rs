//! References to undeclared resources.
//!
//! Any code that contributes to a catalog may declare a resource. A reference is therefore only
//! reported if it is one edit away from a title that the same item declares, and if no code in the
//! environment declares the title as written.

use syntax::{Fix, TextRange};

use super::fixes::{expr_at, text_like};
use super::suggest::is_slip;
use super::usage_index::is_declared;
use super::{Checker, UNKNOWN_REFERENCE};
use hir::autoload::NameKey;
use hir::body::{Name, ResourceForm, Title};

/// The minimum length of a title. Shorter ones are similar to too many others.
const MIN_LENGTH: usize = 4;

pub(super) fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    for reference in body.references.iter().filter(|it| !it.guarded) {
        if let Name::Title(type_, title) = &reference.name {
            checker.reference(reference.range, type_, title);
        }
    }
}

impl Checker<'_> {
    fn reference(&mut self, range: TextRange, type_: &str, title: &str) {
        if type_ == "class" || title.chars().count() < MIN_LENGTH {
            return;
        }
        let of_type = || {
            let resources = self.body.resources.iter();
            resources.filter(|it| {
                it.form == ResourceForm::Declaration && it.type_.as_deref() == Some(type_)
            })
        };
        let titles = || of_type().flat_map(|it| &it.titles);
        if titles().any(|it| it.text == title) || of_type().any(|it| !it.titles_known) {
            return;
        }
        let Some(near) = titles().find(|it| is_slip_of(title, it)).cloned() else {
            return;
        };
        let key = |it: &str| NameKey::new(self.db, it.to_owned());
        if is_declared(self.db, self.environment, key(type_), key(title)) {
            return;
        }
        let resource = super::wording::reference(type_, title);
        let message = format!(
            "unknown resource `{resource}`; did you mean `{}`?",
            near.text
        );
        self.report(&UNKNOWN_REFERENCE, range, message);
        self.relate(self.item, near.range, "similar resource declared here");
        let expr = expr_at(&self.root(), range);
        let text = expr.map(|it| text_like(&it, &near.text));
        let label = format!("Replace with `{}`", near.text);
        self.fix(text.map(|it| Fix::suggested(label, range, it)));
    }
}

/// Checks whether a title is one edit away from a declared one. Different digits are intentional.
fn is_slip_of(title: &str, declared: &Title) -> bool {
    let digits = |it: &str| it.chars().filter(char::is_ascii_digit).collect::<String>();
    is_slip(title, &declared.text) && digits(title) == digits(&declared.text)
}
