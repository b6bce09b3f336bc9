//! References to resources that are nowhere.
//!
//! Any code of a catalog may declare a resource, so only what is hardly a title of its own is told: a
//! slip in a title that the same code declares, where nothing declares what is written.

use syntax::{Fix, TextRange};

use super::fixes::{expr_at, text_like};
use super::mentions::is_declared;
use super::suggest::is_slip;
use super::{Checker, UNKNOWN_REFERENCE};
use crate::workspace::autoload::NameKey;
use crate::workspace::body::{Name, ResourceForm, Title};

/// Titles shorter than this are like too many others.
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
        let message = format!(
            "nothing declares `{type_}` `{title}`; did you mean `{}`?",
            near.text
        );
        self.report(&UNKNOWN_REFERENCE, range, message);
        self.relate(self.item, near.range, "this is declared");
        let expr = expr_at(&self.root(), range);
        let text = expr.map(|it| text_like(&it, &near.text));
        let label = format!("Write `{}`", near.text);
        self.fix(text.map(|it| Fix::suggested(label, range, it)));
    }
}

/// Whether one letter is wrong. Titles that differ by a digit are meant to.
fn is_slip_of(title: &str, declared: &Title) -> bool {
    let digits = |it: &str| it.chars().filter(char::is_ascii_digit).collect::<String>();
    is_slip(title, &declared.text) && digits(title) == digits(&declared.text)
}
