//! Inlay hints: inferred types and values, parameter names of arguments, labels at closing braces, and
//! overridden keys of data.
//!
//! Hints are omitted where the code already shows the information. They are computed by walking the
//! items that intersect the requested range. Tooltips are resolved on request by the same walk.

mod arguments;
mod closing_brace;
mod values;

use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::ast::{AstNode, Definition};
use syntax::{SyntaxNode, TextRange, TextSize, WalkEvent};

use super::data_files::{FileKind, file_kind, overridden_hints};
use super::text::LineIndex;
use base::FileInput;
use hir::{Item, items};
use infer::{InferenceResult, infer_item};

/// The enabled inlay hints.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HintOptions {
    /// Whether to show the types of assigned variables.
    pub types: bool,
    /// Whether to show the types of lambda parameters.
    pub lambda_types: bool,
    /// Whether to show known values of assignments.
    pub values: bool,
    /// Whether to show known values of resource attributes.
    pub attribute_values: bool,
    /// Whether to show the parameter names of literal arguments.
    pub arguments: bool,
    /// Whether to label closing braces.
    pub closing_braces: bool,
    /// Whether to show which data file overrides a key of data for all nodes.
    pub overridden_keys: bool,
    /// The minimum number of lines from the start to the end of a block to label its closing brace; 0 disables the labels.
    pub end_lines: u32,
}

impl Default for HintOptions {
    fn default() -> Self {
        HintOptions {
            types: true,
            lambda_types: true,
            values: true,
            attribute_values: true,
            arguments: true,
            closing_braces: true,
            overridden_keys: true,
            end_lines: 25,
        }
    }
}

/// An inlay hint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlayHint {
    /// The position.
    pub offset: TextSize,
    /// The text to display.
    pub label: String,
    /// The kind of hint.
    pub kind: HintKind,
}

/// The kind of an [`InlayHint`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HintKind {
    /// The type of a variable, after it: `: Integer`.
    VariableType,
    /// The type of a lambda parameter, before it: `Integer`.
    ParameterType,
    /// The value of an expression, after it: `= 8080`.
    Value,
    /// The parameter name of an argument, before it: `separator:`.
    Argument,
    /// The construct that ends at a closing brace, after it: `class apache`.
    ClosingBrace,
    /// The data file that overrides a key, after its line: `overridden by data/nodes.yaml`.
    Overridden,
}

/// Computes the hints in a range of a file, in source order.
pub(crate) fn inlay_hints(
    db: &dyn Database,
    file: FileInput,
    range: TextRange,
    options: HintOptions,
) -> Vec<InlayHint> {
    match file_kind(db, file) {
        FileKind::Code => {}
        FileKind::Data if options.overridden_keys => return overridden_hints(db, file, range),
        FileKind::Data | FileKind::Config | FileKind::Erb => return Vec::new(),
    }
    let mut found: Vec<_> = collect(db, file, range, options)
        .into_iter()
        .map(|it| it.hint)
        .collect();
    found.sort_by_key(|it| (it.offset, it.kind));
    found
}

/// Returns the tooltip of a hint, in Markdown.
pub(crate) fn hint_tooltip(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
    kind: HintKind,
    options: HintOptions,
) -> Option<String> {
    if file_kind(db, file) != FileKind::Code {
        return None;
    }
    let range = TextRange::empty(offset);
    let found = collect(db, file, range, options);
    let of_hint = |it: &&HintWithSubject<'_>| it.hint.offset == offset && it.hint.kind == kind;
    let found = found.iter().find(of_hint)?;
    match &found.subject {
        HintSubject::Inferred(item, name, range) => {
            values::tooltip(infer_item(db, *item), name.as_deref(), *range)
        }
        HintSubject::Argument(item, function, parameter) => {
            arguments::tooltip(db, *item, function, parameter)
        }
        HintSubject::ClosingBrace(node) => Some(closing_brace::tooltip(node)),
    }
}

/// A hint, and the subject of its tooltip.
struct HintWithSubject<'db> {
    hint: InlayHint,
    subject: HintSubject<'db>,
}

/// The subject of a hint.
enum HintSubject<'db> {
    /// An inferred type or value: the name of the variable, if any, and the range in the item.
    Inferred(Item<'db>, Option<String>, TextRange),
    /// An argument: the names of the function and of the parameter.
    Argument(Item<'db>, String, String),
    /// The node that ends at the brace.
    ClosingBrace(SyntaxNode),
}

/// The state of the walk through an item.
struct HintCollector<'db> {
    db: &'db dyn Database,
    item: Item<'db>,
    inference: &'db InferenceResult,
    options: HintOptions,
    /// The requested range, relative to the item.
    range: TextRange,
    found: Vec<HintWithSubject<'db>>,
    /// The variables that are assigned literals in the item.
    literal_variables: FxHashSet<String>,
}

fn collect(
    db: &dyn Database,
    file: FileInput,
    range: TextRange,
    options: HintOptions,
) -> Vec<HintWithSubject<'_>> {
    let mut found = Vec::new();
    for item in items(db, file) {
        let all = TextRange::up_to(item.tree(db).text_len());
        let Some(here) = item.in_file(db, all).intersect(range) else {
            continue;
        };
        let mut hints = HintCollector {
            db,
            item: *item,
            inference: infer_item(db, *item),
            options,
            range: here - item.offset(db),
            found: Vec::new(),
            literal_variables: values::literal_variables(&item.syntax(db)),
        };
        hints.walk(&item.syntax(db));
        found.extend(hints.found);
    }
    if options.closing_braces
        && options.end_lines > 0
        && let Some(text) = file.text(db).as_deref()
    {
        let root = base::parse(db, file).syntax();
        let lines = LineIndex::new(text);
        found.extend(closing_brace::closing_braces(
            &root,
            text,
            &lines,
            range,
            options.end_lines,
        ));
    }
    found
}

impl<'db> HintCollector<'db> {
    /// Visits the nodes that intersect the range, skipping nested items.
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

    /// Adds a hint at an offset relative to the item, if it is in the range.
    fn add(&mut self, offset: TextSize, kind: HintKind, label: String, subject: HintSubject<'db>) {
        if self.range.contains_inclusive(offset) {
            let offset = offset + self.item.offset(self.db);
            let hint = InlayHint {
                offset,
                label,
                kind,
            };
            self.found.push(HintWithSubject { hint, subject });
        }
    }
}

#[cfg(test)]
mod tests;
