//! What an editor shows between the characters: types and values that inference knows, what
//! arguments are for, and what ends at a closing brace far below.
//!
//! Hints are for what cannot be seen, so there is none where the code says it already. A hint is
//! worked out by a walk through the trees of the items that the asked range touches; what a pointer
//! on it shows is worked out by the same walk, when it is asked for.

mod arguments;
mod ends;
mod values;

use salsa::Database;
use syntax::ast::{AstNode, Definition};
use syntax::{SyntaxNode, TextRange, TextSize, WalkEvent};

use super::text::Lines;
use crate::db::FileInput;
use crate::infer::{Inference, infer};
use crate::workspace::{Item, items};

/// Which hints are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HintOptions {
    /// The types of variables that are assigned, and of parameters of lambdas.
    pub types: bool,
    /// The values of what is assigned, and of attributes, where they are constant.
    pub values: bool,
    /// The parameters that arguments are for.
    pub arguments: bool,
    /// What ends at a brace that is at least so many lines below its beginning; never if 0.
    pub end_lines: u32,
}

impl Default for HintOptions {
    fn default() -> Self {
        HintOptions {
            types: true,
            values: true,
            arguments: true,
            end_lines: 25,
        }
    }
}

/// Something that is shown between two characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlayHint {
    /// Where.
    pub offset: TextSize,
    /// What it says.
    pub label: String,
    /// What it is.
    pub kind: HintKind,
}

/// What an [`InlayHint`] is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HintKind {
    /// The type of a variable, behind it: `: Integer`.
    VariableType,
    /// The type of a parameter, in front of it: `Integer`.
    ParameterType,
    /// A value, behind its expression: `= 8080`.
    Value,
    /// The parameter that an argument is for, in front of it: `separator:`.
    Argument,
    /// What ends here, behind a brace: `class apache`.
    End,
}

/// The hints in a range of a file, in the order of the text.
pub(crate) fn inlay_hints(
    db: &dyn Database,
    file: FileInput,
    range: TextRange,
    options: HintOptions,
) -> Vec<InlayHint> {
    let mut found: Vec<_> = collect(db, file, range, options)
        .into_iter()
        .map(|it| it.hint)
        .collect();
    found.sort_by_key(|it| (it.offset, it.kind));
    found
}

/// What a pointer on a hint shows, as Markdown.
pub(crate) fn hint_tooltip(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
    kind: HintKind,
    options: HintOptions,
) -> Option<String> {
    let range = TextRange::empty(offset);
    let found = collect(db, file, range, options);
    let of_hint = |it: &&Found<'_>| it.hint.offset == offset && it.hint.kind == kind;
    let found = found.iter().find(of_hint)?;
    match &found.about {
        About::Inferred(item, name, range) => {
            values::tooltip(infer(db, *item), name.as_deref(), *range)
        }
        About::Argument(item, function, parameter) => {
            arguments::tooltip(db, *item, function, parameter)
        }
        About::End(node) => Some(ends::tooltip(node)),
    }
}

/// A hint, and what its tooltip is made of.
struct Found<'db> {
    hint: InlayHint,
    about: About<'db>,
}

/// What a hint is about.
enum About<'db> {
    /// The name, if it has one, and the place of what is inferred in the tree of an item.
    Inferred(Item<'db>, Option<String>, TextRange),
    /// The name of a function and of its parameter.
    Argument(Item<'db>, String, String),
    /// What ends, in a tree.
    End(SyntaxNode),
}

/// The walk through an item.
struct Hints<'db> {
    db: &'db dyn Database,
    item: Item<'db>,
    inference: &'db Inference,
    options: HintOptions,
    /// What is asked for, in the tree of the item.
    range: TextRange,
    found: Vec<Found<'db>>,
}

fn collect(
    db: &dyn Database,
    file: FileInput,
    range: TextRange,
    options: HintOptions,
) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    for item in items(db, file) {
        let all = TextRange::up_to(item.tree(db).text_len());
        let Some(here) = item.in_file(db, all).intersect(range) else {
            continue;
        };
        let mut hints = Hints {
            db,
            item: *item,
            inference: infer(db, *item),
            options,
            range: here - item.offset(db),
            found: Vec::new(),
        };
        hints.walk(&item.syntax(db));
        found.extend(hints.found);
    }
    if options.end_lines > 0
        && let Some(text) = file.text(db).as_deref()
    {
        let root = crate::db::parse(db, file).syntax();
        let lines = Lines::new(text);
        found.extend(ends::ends(&root, text, &lines, range, options.end_lines));
    }
    found
}

impl<'db> Hints<'db> {
    /// Looks at all nodes that touch the range, but those of other items.
    fn walk(&mut self, root: &SyntaxNode) {
        let mut walk = root.preorder();
        while let Some(event) = walk.next() {
            let WalkEvent::Enter(node) = event else {
                continue;
            };
            let is_elsewhere = &node != root && Definition::can_cast(node.kind());
            if is_elsewhere || node.text_range().intersect(self.range).is_none() {
                walk.skip_subtree();
                continue;
            }
            self.values(&node);
            if self.options.arguments {
                self.arguments(&node);
            }
        }
    }

    /// Adds a hint at an offset in the tree of the item, if it is asked for.
    fn add(&mut self, offset: TextSize, kind: HintKind, label: String, about: About<'db>) {
        if self.range.contains_inclusive(offset) {
            let offset = offset + self.item.offset(self.db);
            let hint = InlayHint {
                offset,
                label,
                kind,
            };
            self.found.push(Found { hint, about });
        }
    }
}

#[cfg(test)]
mod tests;
