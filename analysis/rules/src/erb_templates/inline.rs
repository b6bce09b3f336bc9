//! The constant templates of calls of `inline_template`.

use library::KnownFunction;
use syntax::ast::{AstNode, Expr};
use syntax::{SyntaxNode, TextRange, TextSize};

use crate::checker::Checker;
use crate::inline_templates::{TemplateText, template_text};

/// Returns the constant templates of a call of `inline_template`.
pub(super) fn templates(checker: &Checker<'_>, node: &SyntaxNode) -> Vec<TemplateText> {
    let call = Expr::cast(node.clone()).and_then(|it| it.named_call());
    let Some((function, arguments)) = call else {
        return Vec::new();
    };
    if KnownFunction::from_name(function.text()) != Some(KnownFunction::InlineTemplate) {
        return Vec::new();
    }
    let constant = arguments.iter();
    let constant = constant.filter_map(|it| template_text(checker, it));
    constant.collect()
}

impl TemplateText {
    /// Returns the place of a range of the template in the code around it: the same occurrence of its text, or the
    /// whole string if escapes or interpolations make it ambiguous.
    pub(super) fn range_in_code(&self, range: TextRange) -> TextRange {
        let whole = self.source.text_range();
        self.occurrence(range)
            .map_or(whole, |it| it + whole.start())
    }

    fn occurrence(&self, range: TextRange) -> Option<TextRange> {
        let range = std::ops::Range::<usize>::from(range);
        let searched = self.text.get(range.clone()).filter(|it| !it.is_empty())?;
        let source = self.source.text().to_string();
        let index = self
            .text
            .match_indices(searched)
            .position(|it| it.0 == range.start)?;
        let mut all = source.match_indices(searched);
        let is_ambiguous = all.clone().count() != self.text.matches(searched).count();
        let start = all.nth(index).filter(|_| !is_ambiguous)?.0;
        Some(TextRange::at(
            TextSize::try_from(start).ok()?,
            TextSize::of(searched),
        ))
    }
}
