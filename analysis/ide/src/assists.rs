//! Assists: refactorings and completions of the code under a selection, one per module.
//!
//! An assist first checks cheaply whether it applies and is then offered by its title; its edits
//! are computed only on request. An assist either preserves the meaning of the code or adds
//! missing code. If a single obstacle prevents an otherwise applicable assist, it is offered as
//! disabled, with the reason.
//!
//! In code with syntax errors, assists apply only where the error is irrelevant: an assist that
//! looks at more than a few tokens requires the enclosing statement to be free of errors.

mod add_documentation;
mod add_parameter;
mod add_required_parameters;
mod add_type;
mod braces;
mod case_and_selector;
mod catalog;
mod class_to_include;
mod create_file;
mod expressions;
mod extract_variable;
mod hiera_data;
mod if_and_unless;
mod if_to_case;
mod inline_variable;
mod layout;
mod new_name;
mod quotes;
mod rename_to_path;

#[cfg(test)]
mod test_support;

use salsa::Database;
use syntax::ast::AstNode;
use syntax::{Edit, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use base::{FileId, FileInput};
use hir::body::{Reference, ReferenceName, body};
use hir::{Item, items};
use infer::{Inferred, infer_item};

/// A refactoring offered for a selection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assist {
    /// The identifier of the assist; together with the title it identifies one offer.
    pub id: &'static str,
    /// The title in the imperative, without a final period.
    pub title: String,
    /// The kind of change.
    pub kind: AssistKind,
    /// The reason why the assist is disabled here, if it is.
    pub disabled: Option<String>,
    /// Whether the assist creates a file, which not every editor supports.
    pub creates_file: bool,
}

/// The changes of an [`Assist`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AssistEdit {
    /// The edits of existing files, those of the file of the selection first, ordered by position.
    pub edits: Vec<(FileId, Edit)>,
    /// The file to create.
    pub created: Option<NewFile>,
}

/// A new file of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewFile {
    /// A file of the same module.
    pub sibling: FileId,
    /// The path of that file relative to the module.
    pub sibling_path: String,
    /// The path of the new file relative to the module.
    pub path: String,
    /// The content of the new file.
    pub text: String,
}

/// The kind of change that an [`Assist`] makes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssistKind {
    /// Adds missing code.
    QuickFix,
    /// Extracts an expression into a variable.
    Extract,
    /// Replaces a variable by its value.
    Inline,
    /// Rewrites code into an equivalent form.
    Rewrite,
}

/// Returns the assists for a selection; an empty selection is a cursor.
pub(crate) fn assists(db: &dyn Database, file: FileInput, range: TextRange) -> Vec<Assist> {
    let mut found = Assists::new(file.id(db), None);
    collect(db, file, range, &mut found);
    found.all
}

/// Returns the changes of one of the [`assists`], or `None` if it is not offered at this selection.
pub(crate) fn assist_edit(
    db: &dyn Database,
    file: FileInput,
    range: TextRange,
    id: &str,
    title: &str,
) -> Option<AssistEdit> {
    let mut found = Assists::new(file.id(db), Some((id, title)));
    collect(db, file, range, &mut found);
    let mut edit = found.edit?;
    edit.edits
        .sort_by_key(|it| (it.0 != file.id(db), it.0.0, it.1.range.start()));
    Some(edit)
}

fn collect(db: &dyn Database, file: FileInput, range: TextRange, acc: &mut Assists<'_>) {
    let Some(cx) = AssistContext::new(db, file, range) else {
        return;
    };
    let all: [fn(&AssistContext<'_>, &mut Assists<'_>); 16] = [
        extract_variable::offer,
        add_parameter::offer,
        inline_variable::offer,
        add_type::offer,
        add_required_parameters::offer,
        add_documentation::offer,
        case_and_selector::offer,
        if_and_unless::offer,
        if_to_case::offer,
        class_to_include::offer,
        quotes::offer,
        braces::offer,
        quotes::offer_bare,
        hiera_data::offer,
        create_file::offer,
        rename_to_path::offer,
    ];
    for offer in all {
        offer(&cx, acc);
    }
}

/// Collects the offered assists, or the edits of a single one.
struct Assists<'a> {
    /// The identifier and title of the assist whose edits are requested; `None` to list all.
    wanted: Option<(&'a str, &'a str)>,
    /// The file of the selection.
    file: FileId,
    all: Vec<Assist>,
    edit: Option<AssistEdit>,
}

impl<'a> Assists<'a> {
    fn new(file: FileId, wanted: Option<(&'a str, &'a str)>) -> Assists<'a> {
        Assists {
            wanted,
            file,
            all: Vec::new(),
            edit: None,
        }
    }

    /// Offers an assist whose edits of the file are computed by `edits`.
    fn add(
        &mut self,
        id: &'static str,
        title: impl Into<String>,
        kind: AssistKind,
        edits: impl FnOnce() -> Vec<Edit>,
    ) {
        let file = self.file;
        let edits = || edits().into_iter().map(|it| (file, it)).collect();
        self.add_in_files(id, title, kind, edits);
    }

    /// Offers an assist that edits several files.
    fn add_in_files(
        &mut self,
        id: &'static str,
        title: impl Into<String>,
        kind: AssistKind,
        edits: impl FnOnce() -> Vec<(FileId, Edit)>,
    ) {
        let edit = || AssistEdit {
            edits: edits(),
            created: None,
        };
        self.add_edit(id, title.into(), kind, false, edit);
    }

    /// Offers an assist that creates a file.
    fn add_file(
        &mut self,
        id: &'static str,
        title: impl Into<String>,
        kind: AssistKind,
        created: NewFile,
    ) {
        let edit = || AssistEdit {
            edits: Vec::new(),
            created: Some(created),
        };
        self.add_edit(id, title.into(), kind, true, edit);
    }

    fn add_edit(
        &mut self,
        id: &'static str,
        title: String,
        kind: AssistKind,
        creates_file: bool,
        edit: impl FnOnce() -> AssistEdit,
    ) {
        debug_assert!(catalog::is_described(id, &title), "{id}: {title}");
        match self.wanted {
            Some(wanted) if wanted == (id, title.as_str()) => self.edit = Some(edit()),
            Some(_) => {}
            None => self.all.push(Assist {
                id,
                title,
                kind,
                disabled: None,
                creates_file,
            }),
        }
    }

    /// Offers an assist as disabled, with the reason.
    fn add_disabled(
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
                creates_file: false,
            });
        }
    }
}

/// A selection in a file.
struct AssistContext<'db> {
    db: &'db dyn Database,
    file: FileInput,
    text: &'db str,
    root: SyntaxNode,
    /// The selected range, without leading and trailing whitespace.
    range: TextRange,
}

impl<'db> AssistContext<'db> {
    fn new(db: &'db dyn Database, file: FileInput, range: TextRange) -> Option<AssistContext<'db>> {
        let text = file.text(db).as_deref()?;
        let root = base::parse(db, file).syntax();
        let selected = text.get(std::ops::Range::<usize>::from(range))?;
        let after = selected.len() - selected.trim_end().len();
        let range = match after == selected.len() {
            true => TextRange::empty(range.start()),
            false => {
                let before = selected.len() - selected.trim_start().len();
                TextRange::new(range.start() + size(before), range.end() - size(after))
            }
        };
        Some(AssistContext {
            db,
            file,
            text,
            root,
            range,
        })
    }

    /// Returns the token at the start of the selection. Between two tokens, a cursor selects the name,
    /// variable or string.
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

    /// Returns the innermost node of type `N` that encloses the selection.
    fn enclosing<N: AstNode>(&self) -> Option<N> {
        let token = self.token()?;
        let mut ancestors = token.parent_ancestors();
        ancestors.find_map(|it| {
            let is_enclosing = it.text_range().contains_range(self.range);
            is_enclosing.then(|| N::cast(it)).flatten()
        })
    }

    fn is_template(&self) -> bool {
        self.file.spec(self.db).dialect.epp
    }

    /// Returns the innermost item that contains a range.
    fn item_at(&self, range: TextRange) -> Option<Item<'db>> {
        let all = items(self.db, self.file).iter().copied();
        let place =
            |it: &Item<'db>| it.in_file(self.db, TextRange::up_to(it.tree(self.db).text_len()));
        let enclosing = all.filter(|it| place(it).contains_range(range));
        enclosing.min_by_key(|it| place(it).len())
    }

    /// Returns the first wanted name at the selection, and its item.
    fn reference_at(
        &self,
        is_wanted: impl Fn(&ReferenceName) -> bool,
    ) -> Option<(Item<'db>, &'db Reference)> {
        let item = self.item_at(self.range)?;
        let is_here = |it: TextRange| item.in_file(self.db, it).contains_range(self.range);
        let mut references = body(self.db, item).references.iter();
        let found = references.find(|it| is_wanted(&it.name) && is_here(it.range))?;
        Some((item, found))
    }

    /// Returns the inferred type and value of the expression at a range.
    fn inferred(&self, range: TextRange) -> Option<&'db Inferred> {
        let item = self.item_at(range)?;
        infer_item(self.db, item).at(range - item.offset(self.db))
    }

    /// Returns the indentation of the line that contains an offset.
    fn indent(&self, offset: TextSize) -> &'db str {
        let before = &self.text[..usize::from(offset)];
        let start = before.rfind('\n').map_or(0, |it| it + 1);
        let line = &self.text[start..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Checks whether only whitespace precedes an offset on its line.
    fn is_first_on_line(&self, offset: TextSize) -> bool {
        let before = &self.text[..usize::from(offset)];
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.chars().all(|it| matches!(it, ' ' | '\t'))
    }

    /// Returns an indentation that is one level deeper.
    fn deeper(&self, indent: &str) -> String {
        let unit = if indent.contains('\t') { "\t" } else { "  " };
        format!("{indent}{unit}")
    }

    /// Returns the line ending of the file.
    fn line_break(&self) -> &'static str {
        match self.text.contains("\r\n") {
            true => "\r\n",
            false => "\n",
        }
    }
}

fn replace(range: TextRange, text: impl Into<String>) -> Edit {
    Edit {
        range,
        text: text.into(),
    }
}

fn insert(offset: TextSize, text: impl Into<String>) -> Edit {
    replace(TextRange::empty(offset), text)
}

fn size(length: usize) -> TextSize {
    // Files are smaller than 4 GiB.
    TextSize::new(u32::try_from(length).unwrap_or(u32::MAX))
}
