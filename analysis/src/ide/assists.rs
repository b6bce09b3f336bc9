//! What can be done to the code under a selection, beyond the fixes of findings: an assist a file.
//!
//! An assist first asks whether it applies, which is cheap, and is then offered by a title; its
//! edits are worked out only when they are wanted. It keeps what the code means, or writes what was
//! not there yet. Where it would apply but for one thing, it says what that is.
//!
//! Code with errors of syntax is changed only where the error does not matter: an assist that looks
//! at more than a few words wants the statement around it to be sound.

mod add_required;
mod add_type;
mod braces;
mod case_and_selector;
mod document;
mod expressions;
mod extract_variable;
mod ifs;
mod inline_variable;
mod new_name;
mod quotes;

#[cfg(test)]
mod testing;

use salsa::Database;
use syntax::ast::AstNode;
use syntax::{Edit, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use crate::db::FileInput;
use crate::infer::{Inferred, infer};
use crate::workspace::{Item, items};

/// Something that can be done to the code under a selection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assist {
    /// Which one it is; with the title it stands for one offer.
    pub id: &'static str,
    /// What it does, in the imperative, without a full stop.
    pub title: String,
    /// What kind of change it is.
    pub kind: AssistKind,
    /// Why it cannot be done here, if it cannot.
    pub disabled: Option<String>,
}

/// What kind of change an [`Assist`] is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssistKind {
    /// What is missing is written.
    QuickFix,
    /// A part gets a name of its own.
    Extract,
    /// A name is replaced by what it stands for.
    Inline,
    /// The same is said in another way.
    Rewrite,
}

/// What can be done to the code under a selection, an empty one being a cursor.
pub(crate) fn assists(db: &dyn Database, file: FileInput, range: TextRange) -> Vec<Assist> {
    let mut found = Offers::default();
    collect(db, file, range, &mut found);
    found.all
}

/// The edits of one of the [`assists`]; nothing if it is not offered there.
pub(crate) fn assist_edits(
    db: &dyn Database,
    file: FileInput,
    range: TextRange,
    id: &str,
    title: &str,
) -> Option<Vec<Edit>> {
    let mut found = Offers {
        wanted: Some((id, title)),
        ..Offers::default()
    };
    collect(db, file, range, &mut found);
    let mut edits = found.edits?;
    edits.sort_by_key(|it| it.range.start());
    Some(edits)
}

fn collect(db: &dyn Database, file: FileInput, range: TextRange, offers: &mut Offers<'_>) {
    let Some(cx) = Context::new(db, file, range) else {
        return;
    };
    let all: [fn(&Context<'_>, &mut Offers<'_>); 10] = [
        extract_variable::offer,
        inline_variable::offer,
        add_type::offer,
        add_required::offer,
        document::offer,
        case_and_selector::offer,
        ifs::offer,
        quotes::offer,
        braces::offer,
        quotes::offer_bare,
    ];
    for offer in all {
        offer(&cx, offers);
    }
}

/// The assists that were found.
#[derive(Default)]
struct Offers<'a> {
    /// The one whose edits are wanted, by its name and title; nothing if they all are to be listed.
    wanted: Option<(&'a str, &'a str)>,
    all: Vec<Assist>,
    edits: Option<Vec<Edit>>,
}

impl Offers<'_> {
    /// One that can be done, with what makes its edits.
    fn add(
        &mut self,
        id: &'static str,
        title: impl Into<String>,
        kind: AssistKind,
        edits: impl FnOnce() -> Vec<Edit>,
    ) {
        let title = title.into();
        match self.wanted {
            Some(wanted) if wanted == (id, title.as_str()) => self.edits = Some(edits()),
            Some(_) => {}
            None => self.all.push(Assist {
                id,
                title,
                kind,
                disabled: None,
            }),
        }
    }

    /// One that could be done but for one thing.
    fn refuse(
        &mut self,
        id: &'static str,
        title: impl Into<String>,
        kind: AssistKind,
        reason: impl Into<String>,
    ) {
        if self.wanted.is_none() {
            self.all.push(Assist {
                id,
                title: title.into(),
                kind,
                disabled: Some(reason.into()),
            });
        }
    }
}

/// A selection in a file.
struct Context<'db> {
    db: &'db dyn Database,
    file: FileInput,
    text: &'db str,
    root: SyntaxNode,
    /// What is selected, without blanks at its ends.
    range: TextRange,
}

impl<'db> Context<'db> {
    fn new(db: &'db dyn Database, file: FileInput, range: TextRange) -> Option<Context<'db>> {
        let text = file.text(db).as_deref()?;
        let root = crate::db::parse(db, file).syntax();
        let selected = text.get(std::ops::Range::<usize>::from(range))?;
        let behind = selected.len() - selected.trim_end().len();
        let range = match behind == selected.len() {
            true => TextRange::empty(range.start()),
            false => {
                let before = selected.len() - selected.trim_start().len();
                TextRange::new(range.start() + size(before), range.end() - size(behind))
            }
        };
        Some(Context {
            db,
            file,
            text,
            root,
            range,
        })
    }

    /// The token that the selection begins with; of two that the cursor is between, the one that is
    /// a name, a variable or a text.
    fn token(&self) -> Option<SyntaxToken> {
        let rank = |it: &SyntaxToken| {
            use SyntaxKind::*;
            match it.kind() {
                NAME | WORD | CLASSREF | VARIABLE | SINGLE_QUOTED | DOUBLE_QUOTED => 0,
                kind if kind.is_keyword() => 1,
                kind if kind.is_trivia() => 3,
                _ => 2,
            }
        };
        let tokens = self.root.token_at_offset(self.range.start());
        match self.range.is_empty() {
            true => tokens.min_by_key(rank),
            false => tokens.right_biased(),
        }
    }

    /// The innermost node of a kind around the selection.
    fn around<N: AstNode>(&self) -> Option<N> {
        let token = self.token()?;
        let mut around = token.parent_ancestors();
        around.find_map(|it| {
            let is_around = it.text_range().contains_range(self.range);
            is_around.then(|| N::cast(it)).flatten()
        })
    }

    fn is_template(&self) -> bool {
        self.file.spec(self.db).dialect.epp
    }

    /// The item that a place is directly in.
    fn item_at(&self, range: TextRange) -> Option<Item<'db>> {
        let all = items(self.db, self.file).iter().copied();
        let place =
            |it: &Item<'db>| it.in_file(self.db, TextRange::up_to(it.tree(self.db).text_len()));
        let around = all.filter(|it| place(it).contains_range(range));
        around.min_by_key(|it| place(it).len())
    }

    /// What is inferred of a place.
    fn inferred(&self, range: TextRange) -> Option<&'db Inferred> {
        let item = self.item_at(range)?;
        infer(self.db, item).at(range - item.offset(self.db))
    }

    /// The blanks at the start of the line of an offset.
    fn indent(&self, offset: TextSize) -> &'db str {
        let before = &self.text[..usize::from(offset)];
        let start = before.rfind('\n').map_or(0, |it| it + 1);
        let line = &self.text[start..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Whether only blanks are before an offset on its line.
    fn is_first_on_line(&self, offset: TextSize) -> bool {
        let before = &self.text[..usize::from(offset)];
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.chars().all(|it| matches!(it, ' ' | '\t'))
    }

    /// One more level than an indent.
    fn deeper(&self, indent: &str) -> String {
        let unit = if indent.contains('\t') { "\t" } else { "  " };
        format!("{indent}{unit}")
    }

    /// How lines of the file end.
    fn line_break(&self) -> &'static str {
        match self.text.contains("\r\n") {
            true => "\r\n",
            false => "\n",
        }
    }
}

/// An edit that replaces a range.
fn replace(range: TextRange, text: impl Into<String>) -> Edit {
    Edit {
        range,
        text: text.into(),
    }
}

/// An edit that puts text in.
fn insert(offset: TextSize, text: impl Into<String>) -> Edit {
    replace(TextRange::empty(offset), text)
}

fn size(length: usize) -> TextSize {
    // No file is larger than four gigabytes.
    TextSize::new(u32::try_from(length).unwrap_or(u32::MAX))
}
