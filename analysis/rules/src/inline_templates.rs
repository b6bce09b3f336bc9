//! The variables that constant templates of `inline_epp` read from the code around the call.

use library::KnownFunction;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{AstNode, Expr, HasParameters, HeredocBodies, SourceFile, VariableExpr};
use syntax::{Dialect, Severity, SyntaxKind, SyntaxNode, TextRange, TextSize};
use types::Type;

use crate::checker::Checker;

/// A variable that a template reads.
pub(crate) struct TemplateVariable {
    /// The name without the dollar sign.
    pub(crate) name: String,
    /// The range in the text of the template.
    pub(crate) range: TextRange,
}

/// Returns the variables that the template of a call of `inline_epp` reads, except for its own and those
/// that it is passed; `None` for other calls, and if the template or what it is passed is not constant.
pub(crate) fn variables(checker: &Checker<'_>, node: &SyntaxNode) -> Option<Vec<TemplateVariable>> {
    let (function, arguments) = Expr::cast(node.clone())?.named_call()?;
    let function = KnownFunction::from_name(function.text())?;
    let template = arguments
        .first()
        .filter(|_| function == KnownFunction::InlineEpp)?;
    let text = checker.type_of(template)?.value.clone()?;
    let text = text.as_str()?;
    let dialect = Dialect {
        epp: true,
        ..Dialect::default()
    };
    let parse = syntax::parse(text, dialect);
    // Code that tests for a variable may read it.
    let is_error = |it: Severity| it == Severity::Error;
    if parse.errors().iter().any(|it| is_error(it.severity))
        || text.contains(KnownFunction::Defined.name())
    {
        return None;
    }
    let tree = parse.tree();
    let mut known = own_names(&tree);
    if let Some(passed) = arguments.get(1) {
        known.extend(passed_names(checker, passed)?);
    }
    let source = source_of(checker, template);
    let (source, start) = (source.text().to_string(), source.text_range().start());
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    let reads = tree.syntax().descendants().filter_map(VariableExpr::cast);
    let mut all = Vec::new();
    for name in reads.filter_map(|it| it.name()) {
        let index = counts.entry(name.clone()).or_default();
        let range = position(&source, &name, *index).map(|it| it + start);
        *index += 1;
        let is_other = !known.contains(&name) && !name.starts_with(|it: char| it.is_ascii_digit());
        all.extend(
            range
                .filter(|_| is_other)
                .map(|range| TemplateVariable { name, range }),
        );
    }
    Some(all)
}

/// Returns the variables that a template assigns, and its parameters and those of its lambdas.
fn own_names(template: &SourceFile) -> FxHashSet<String> {
    let mut names = FxHashSet::default();
    let parameters = template.epp_parameters().into_iter();
    names.extend(
        parameters
            .flat_map(|it| it.parameters())
            .filter_map(|it| it.name()),
    );
    for node in template.syntax().descendants() {
        match node.kind() {
            SyntaxKind::ASSIGNMENT => {
                let target = node.first_child().into_iter();
                let variables = target.flat_map(|it| it.descendants());
                let variables = variables.filter_map(VariableExpr::cast);
                names.extend(variables.filter_map(|it| it.name()));
            }
            SyntaxKind::PARAMETER => {
                let name = syntax::ast::Parameter::cast(node).and_then(|it| it.name());
                names.extend(name);
            }
            _ => {}
        }
    }
    names
}

/// Returns the keys of the hash that is passed to a template; `None` if not all of them are known.
fn passed_names(checker: &Checker<'_>, passed: &Expr) -> Option<Vec<String>> {
    match &checker.type_of(passed)?.type_ {
        Type::Struct(hash) => Some(
            hash.elements()
                .iter()
                .map(|it| it.name.to_string())
                .collect(),
        ),
        _ => None,
    }
}

/// Returns the node that contains the text of a string.
fn source_of(checker: &Checker<'_>, template: &Expr) -> SyntaxNode {
    let heredoc = match template {
        Expr::Heredoc(it) => {
            let bodies = HeredocBodies::of(&checker.root());
            bodies.body(it).map(|it| it.syntax().clone())
        }
        _ => None,
    };
    heredoc.unwrap_or_else(|| template.syntax().clone())
}

/// Returns the range of an occurrence of a variable in the source of a template: `$name` or `${name`.
fn position(text: &str, name: &str, index: usize) -> Option<TextRange> {
    let end_of = |start: usize| {
        let rest = &text[start + 1..];
        let inner = rest.strip_prefix('{').unwrap_or(rest);
        let after = inner.strip_prefix(name)?;
        let is_whole =
            !after.starts_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | ':'));
        is_whole.then(|| text.len() - after.len())
    };
    let starts = text.match_indices('$').map(|it| it.0);
    let mut found = starts.filter_map(|it| Some((it, end_of(it)?)));
    let (start, end) = found.nth(index)?;
    Some(TextRange::new(
        TextSize::try_from(start).ok()?,
        TextSize::try_from(end).ok()?,
    ))
}
