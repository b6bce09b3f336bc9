//! Building blocks for fixes: replacing names and strings in their original notation, and removing
//! code.
//!
//! A fix is only offered if its result parses, resolves the diagnostic, and causes no new ones. Fixes
//! query nothing beyond the input of their rule.

mod insertion;
mod sample;
mod values;

use syntax::ast::{Assignment, AstNode, Attribute, Expr, StringLiteral, VariableExpr};
use syntax::{
    Applicability, Fix, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, element_removal, text_at,
};

use crate::checker::Checker;
use hir::body::{AttributeUse, Binding, ReferenceName, Resource};
use hir::canonical_name;
use types::values::quote;

pub(crate) use insertion::{attribute_insertion, option_insertion};
pub use insertion::{attributes_insertion, element_insertion};
pub use sample::{sample, sample_value};
pub(crate) use values::{nearest, value_fixes};

impl Checker<'_> {
    /// Adds a fix that replaces a misspelled name.
    pub(crate) fn fix_name(&mut self, range: TextRange, wrong: &str, right: &str) {
        let fix = text_at(&self.root(), range).and_then(|it| respelled(&it, wrong, right));
        let fix = fix.map(|it| Fix::suggested(format!("Replace with `{right}`"), range, it));
        self.fix(fix);
    }

    /// Checks whether an expression can be removed safely: it has no side effects, and each variable
    /// that it reads is also read elsewhere, so that none becomes unused.
    pub(crate) fn is_removable(&self, root: &SyntaxNode, range: TextRange) -> bool {
        let Some(node) = node_at(root, range) else {
            return false;
        };
        let acts = |kind| {
            use SyntaxKind::*;
            matches!(
                kind,
                CALL_EXPR
                    | METHOD_CALL
                    | RESOURCE_EXPR
                    | ASSIGNMENT
                    | COLLECT_EXPR
                    | HEREDOC
                    | LAMBDA
            )
        };
        let inside = node
            .descendants()
            .filter(|it| range.contains_range(it.text_range()));
        if inside.skip(1).any(|it| acts(it.kind())) {
            return false;
        }
        let reads = self.variable_reads();
        let first = reads
            .all
            .partition_point(|it| it.range.start() < range.start());
        let within = reads.all[first..].iter();
        let within = within.take_while(|it| it.range.start() < range.end());
        let mut within = within.filter(|it| range.contains_range(it.range));
        within.all(|it| {
            let ReferenceName::Variable(name) = &it.name else {
                return true;
            };
            let mut same = reads.by_name.get(name.as_str()).into_iter().flatten();
            let elsewhere = same.any(|other| !range.contains_range(*other));
            let scopes = self.body.scopes_from(it.scope);
            let mut own = scopes.flat_map(|it| &self.body.scopes[it].bindings);
            elsewhere || !own.any(|it| it.name == *name)
        })
    }

    /// Offers to rename an attribute to a similar one, or to remove it.
    pub(crate) fn fix_attribute(
        &mut self,
        resource: &Resource,
        attribute: &AttributeUse,
        near: Option<&str>,
    ) {
        let given = |name: &str| resource.attributes.iter().any(|it| it.name == name);
        if let Some(near) = near.filter(|it| !given(it)) {
            self.fix_name(attribute.range, &attribute.name, near);
        }
        let node = node_at(&self.root(), attribute.range);
        let node = node.and_then(|it| it.ancestors().find_map(Attribute::cast));
        let label = format!("Remove the attribute `{}`", attribute.name);
        let removal = node.and_then(|it| self.safe_removal(&label, it.syntax()));
        self.fix(removal);
    }

    /// Returns a fix that removes an attribute or entry, if that is safe.
    pub(crate) fn safe_removal(&self, label: &str, node: &SyntaxNode) -> Option<Fix> {
        let removable = self.is_removable(&self.root(), node.text_range());
        removable.then(|| Fix::suggested(label, element_removal(node), ""))
    }
}

/// Returns the outermost node that covers exactly this range, else the innermost one around it.
pub(crate) fn node_at(root: &SyntaxNode, range: TextRange) -> Option<SyntaxNode> {
    if !root.text_range().contains_range(range) {
        return None;
    }
    let element = root.covering_element(range);
    let node = element.as_node().cloned().or_else(|| element.parent())?;
    let around = node
        .ancestors()
        .skip(1)
        .take_while(|it| it.text_range() == range);
    Some(around.last().unwrap_or(node))
}

/// Returns the expression with exactly this range.
pub(crate) fn expr_at(root: &SyntaxNode, range: TextRange) -> Option<Expr> {
    let node = node_at(root, range).filter(|it| it.text_range() == range)?;
    let mut nodes = node.descendants().take_while(|it| it.text_range() == range);
    nodes.find_map(Expr::cast)
}

/// Returns the value of an assignment to a variable; `None` if the variable gets a part of it.
pub(crate) fn assigned_value(root: &SyntaxNode, variable: TextRange) -> Option<Expr> {
    let target = node_at(root, variable)?;
    let assignment = target.ancestors().find_map(Assignment::cast)?;
    let target = assignment.lhs()?;
    let is_whole =
        matches!(target, Expr::VariableExpr(_)) && target.syntax().text_range() == variable;
    assignment.rhs().filter(|_| is_whole)
}

/// Returns the value of the only assignment of a variable.
pub(crate) fn only_assigned_value<'b>(
    root: &SyntaxNode,
    bindings: impl IntoIterator<Item = &'b Binding>,
) -> Option<Expr> {
    let mut bindings = bindings.into_iter();
    let only = bindings.next().filter(|_| bindings.next().is_none())?;
    assigned_value(root, only.range)
}

/// Returns the token with exactly this range.
pub(crate) fn token_at(root: &SyntaxNode, range: TextRange) -> Option<SyntaxToken> {
    if !root.text_range().contains_range(range) {
        return None;
    }
    let element = root.covering_element(range);
    let token = element.into_token()?;
    (token.text_range() == range).then_some(token)
}

/// Replaces a name, keeping the quotes, the leading `::` and the capitalization of the original.
/// Returns `None` if the original is not `wrong`.
pub(crate) fn respelled(written: &str, wrong: &str, right: &str) -> Option<String> {
    let quoted = written.strip_prefix(['\'', '"']);
    let (quote, inner) = match quoted {
        Some(it) => (&written[..1], it.strip_suffix(&written[..1])?),
        None => ("", written),
    };
    let marks = inner.len() - inner.trim_start_matches([':', '@']).len();
    let (marks, name) = inner.split_at(marks);
    if canonical_name(name) != canonical_name(wrong) {
        return None;
    }
    let is_type = name.starts_with(|it: char| it.is_ascii_uppercase());
    let right = if is_type && right.starts_with(|it: char| it.is_ascii_lowercase()) {
        capitalized(right)
    } else {
        right.to_owned()
    };
    Some(format!("{quote}{marks}{right}{quote}"))
}

/// Capitalizes each segment of a qualified name.
pub(crate) fn capitalized(name: &str) -> String {
    let part = |it: &str| {
        let (first, rest) = it.split_at(it.len().min(1));
        first.to_ascii_uppercase() + rest
    };
    name.split("::").map(part).collect::<Vec<_>>().join("::")
}

/// Renders a string in the notation of the literal that it replaces, if possible.
pub(crate) fn text_like(old: &Expr, new: &str) -> String {
    let is_plain = |it: char| !matches!(it, '\'' | '"' | '\\' | '$') && !it.is_control();
    let is_word = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
    let written = old.syntax().text().to_string();
    match old {
        Expr::StringLiteral(_) if new.chars().all(is_plain) => {
            let mark = &written[..1];
            format!("{mark}{new}{mark}")
        }
        Expr::QualifiedName(_)
            if new.starts_with(|it: char| it.is_ascii_lowercase())
                && new.chars().all(is_word)
                && SyntaxKind::from_keyword(new, true).is_none() =>
        {
            new.to_owned()
        }
        _ => quote(new),
    }
}

/// Finds the only string literal with the given value in a range.
pub(crate) fn literal_in(root: &SyntaxNode, range: TextRange, value: &str) -> Option<Expr> {
    let node = node_at(root, range)?;
    let inside = node
        .descendants()
        .filter(|it| range.contains_range(it.text_range()));
    let mut found = inside
        .filter_map(StringLiteral::cast)
        .filter(|it| it.value() == value);
    let first = found.next()?;
    found.next().is_none().then(|| Expr::from(first))
}

/// Renders the replacement of a variable in the notation that its context requires.
pub(crate) fn variable_like(token: &SyntaxToken, expression: &str) -> Option<String> {
    let node = token.parent().and_then(VariableExpr::cast)?;
    let is_bare = !token.text().starts_with('$');
    let around = node.syntax().parent()?;
    let is_short =
        around.kind() == SyntaxKind::INTERPOLATION && around.first_token().as_ref() == Some(token);
    let name = expression.strip_prefix('$')?;
    Some(match (is_bare, is_short) {
        (true, _) => name.to_owned(),
        (false, true) => format!("${{{name}}}"),
        (false, false) => expression.to_owned(),
    })
}

/// Returns `Safe` if the condition holds, else `Suggested`.
pub(crate) fn safe_if(condition: bool) -> Applicability {
    if condition {
        Applicability::Safe
    } else {
        Applicability::Suggested
    }
}
