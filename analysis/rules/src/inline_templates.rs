//! The variables that constant templates of `inline_epp` read from the code around the call, and the functions
//! that they call.

use hir::body::{Reference, ReferenceName};
use library::KnownFunction;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{
    AstNode, CallExpr, Expr, HasParameters, HeredocBodies, Parameter, SourceFile, VariableExpr,
};
use syntax::{Dialect, Parse, Severity, SyntaxKind, SyntaxNode, TextRange, TextSize};
use types::Type;
use types::values::Value;

use crate::checker::Checker;
use crate::fixes::only_assigned_value;

/// A variable that a template reads, or a function that it calls.
pub(crate) struct TemplateName {
    /// The name; of a variable, without the dollar sign.
    pub(crate) name: String,
    /// The range in the text of the template.
    pub(crate) range: TextRange,
}

/// The constant text of a template.
pub(crate) struct TemplateText {
    pub(crate) text: String,
    /// The node that contains it.
    pub(crate) source: SyntaxNode,
    /// Whether it is the default of a parameter, which users may replace.
    pub(crate) is_default: bool,
}

/// The names in a template that the code around the call must know.
pub(crate) struct TemplateNames {
    pub(crate) names: Vec<TemplateName>,
    /// The highest severity of problems with the names.
    pub(crate) limit: Severity,
}

/// Returns the use of a name in a template, as if it were in the code around the call.
pub(crate) fn reference(range: TextRange, name: ReferenceName) -> Reference {
    Reference {
        deferred: false,
        range,
        scope: Default::default(),
        branch: Default::default(),
        guarded: false,
        name,
    }
}

impl TemplateText {
    /// Returns the highest severity of problems in the template.
    pub(crate) fn limit(&self) -> Severity {
        match self.is_default {
            true => Severity::Warning,
            false => Severity::Error,
        }
    }
}

/// A call to `inline_epp` with a constant template.
struct InlineTemplate {
    arguments: Vec<Expr>,
    tree: SourceFile,
    /// The source of the string or heredoc, and where it starts.
    source: String,
    start: TextSize,
    limit: Severity,
}

/// Returns the text of a template if it is known, or if it is that of a parameter by default.
pub(crate) fn template_text(checker: &Checker<'_>, template: &Expr) -> Option<TemplateText> {
    let known = checker.type_of(template)?.value.as_ref();
    if let Some(text) = known.and_then(Value::as_str) {
        return Some(TemplateText {
            text: text.to_owned(),
            source: source_of(checker, template),
            is_default: false,
        });
    }
    let default = default_of(checker, template)?;
    let text = checker.type_of(&default)?.value.clone()?;
    Some(TemplateText {
        text: text.as_str()?.to_owned(),
        source: source_of(checker, &default),
        is_default: true,
    })
}

/// Returns the default of the parameter of a class or defined type that a variable certainly is.
pub(crate) fn default_of(checker: &Checker<'_>, variable: &Expr) -> Option<Expr> {
    let Expr::VariableExpr(variable) = variable else {
        return None;
    };
    let name = variable.name()?;
    let mut bindings = checker
        .body
        .scopes
        .iter()
        .flat_map(|it| it.bindings_of(&name));
    let binding = bindings.next().filter(|_| bindings.next().is_none())?;
    let node = checker.root().covering_element(binding.range);
    let parameter = node.ancestors().find_map(Parameter::cast)?;
    let is_own = parameter
        .syntax()
        .ancestors()
        .all(|it| it.kind() != SyntaxKind::LAMBDA);
    parameter.default().filter(|_| is_own)
}

/// Returns the variables that the template of a call to `inline_epp` reads, except for its own and those
/// that it is passed; `None` for other calls, and if the template or what it is passed is not constant.
pub(crate) fn variables(checker: &Checker<'_>, node: &SyntaxNode) -> Option<TemplateNames> {
    let template = template_of(checker, node)?;
    let mut known = own_names(&template.tree);
    if let Some(passed) = template.arguments.get(1) {
        known.extend(passed_names(checker, passed)?);
    }
    let reads = template.tree.syntax().descendants();
    let reads = reads.filter_map(VariableExpr::cast);
    let mut all = template.located(reads.filter_map(|it| it.name()), position);
    all.retain(|it| {
        !known.contains(&it.name) && !it.name.starts_with(|it: char| it.is_ascii_digit())
    });
    Some(TemplateNames {
        names: all,
        limit: template.limit,
    })
}

/// Returns the functions that the template of a call to `inline_epp` calls with arguments in parentheses;
/// `None` for other calls, and if the template is not constant.
pub(crate) fn functions(checker: &Checker<'_>, node: &SyntaxNode) -> Option<TemplateNames> {
    let template = template_of(checker, node)?;
    let calls = template.tree.syntax().descendants();
    let calls = calls.filter_map(CallExpr::cast);
    // `Integer($x)` converts a value.
    let calls = calls.filter(|it| !matches!(it.callee(), Some(Expr::QualifiedReference(_))));
    let names = calls.filter_map(|it| Some(it.name_token()?.text().to_owned()));
    Some(TemplateNames {
        names: template.located(names, call_position),
        limit: template.limit,
    })
}

/// Returns the default of a parameter that a call to `inline_epp` takes for a template, with its first syntax error.
pub(crate) fn invalid_default(
    checker: &Checker<'_>,
    node: &SyntaxNode,
) -> Option<(TemplateText, String)> {
    let (text, _) = text_of(checker, node).filter(|it| it.0.is_default)?;
    let error = first_error(&parse(&text.text))?;
    Some((text, error))
}

/// Returns the text of the constant template of a call to `inline_epp`, and the arguments.
fn text_of(checker: &Checker<'_>, node: &SyntaxNode) -> Option<(TemplateText, Vec<Expr>)> {
    let (function, arguments) = Expr::cast(node.clone())?.named_call()?;
    let function = KnownFunction::from_name(function.text())?;
    let template = arguments
        .first()
        .filter(|_| function == KnownFunction::InlineEpp)?;
    Some((template_text(checker, template)?, arguments))
}

fn parse(text: &str) -> Parse {
    let dialect = Dialect {
        epp: true,
        ..Dialect::default()
    };
    syntax::parse(text, dialect)
}

fn first_error(parse: &Parse) -> Option<String> {
    let mut errors = parse.errors().iter();
    let error = errors.find(|it| it.severity == Severity::Error);
    error.map(|it| it.message.to_string())
}

/// Returns the template of a call to `inline_epp` if it is constant and has no syntax errors.
fn template_of(checker: &Checker<'_>, node: &SyntaxNode) -> Option<InlineTemplate> {
    let (text, arguments) = text_of(checker, node)?;
    let parse = parse(&text.text);
    // Code that tests for a name may use it.
    if first_error(&parse).is_some() || text.text.contains(KnownFunction::Defined.name()) {
        return None;
    }
    Some(InlineTemplate {
        limit: text.limit(),
        tree: parse.tree(),
        source: text.source.text().to_string(),
        start: text.source.text_range().start(),
        arguments,
    })
}

impl InlineTemplate {
    /// Returns names, in source order, with their ranges as `position` finds the occurrences of a name.
    fn located(
        &self,
        names: impl Iterator<Item = String>,
        position: impl Fn(&str, &str, usize) -> Option<TextRange>,
    ) -> Vec<TemplateName> {
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        let located = names.filter_map(|name| {
            let index = counts.entry(name.clone()).or_default();
            let range = position(&self.source, &name, *index)? + self.start;
            *index += 1;
            Some(TemplateName { name, range })
        });
        located.collect()
    }
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

/// Returns the node that contains the text of a string, or of the one that a variable has as its value.
pub(crate) fn source_of(checker: &Checker<'_>, template: &Expr) -> SyntaxNode {
    let assigned = match template {
        Expr::VariableExpr(it) => it.name().and_then(|it| assigned_string(checker, &it)),
        _ => None,
    };
    let template = assigned.as_ref().unwrap_or(template);
    let heredoc = match template {
        Expr::Heredoc(it) => {
            let bodies = HeredocBodies::of(&checker.root());
            bodies.body(it).map(|it| it.syntax().clone())
        }
        _ => None,
    };
    heredoc.unwrap_or_else(|| template.syntax().clone())
}

/// Returns the string that the only assignment of a variable in the item has as its value.
fn assigned_string(checker: &Checker<'_>, variable: &str) -> Option<Expr> {
    let scopes = checker.body.scopes.iter();
    let bindings = scopes.flat_map(|it| it.bindings_of(variable));
    let is_string = |it: &Expr| {
        matches!(
            it,
            Expr::StringLiteral(_) | Expr::InterpolatedString(_) | Expr::Heredoc(_)
        )
    };
    only_assigned_value(&checker.root(), bindings).filter(is_string)
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

/// Returns the range of an occurrence of a function in the source of a template: `name(`.
fn call_position(text: &str, name: &str, index: usize) -> Option<TextRange> {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':' | '$' | '.');
    let is_call = |start: &usize| {
        let before = text[..*start].chars().next_back();
        let after = text[*start + name.len()..].trim_start();
        !before.is_some_and(is_part) && after.starts_with('(')
    };
    let mut starts = text.match_indices(name).map(|it| it.0).filter(is_call);
    let start = TextSize::try_from(starts.nth(index)?).ok()?;
    Some(TextRange::at(start, TextSize::of(name)))
}

#[cfg(test)]
mod tests {
    use crate::rules::{UNKNOWN_FUNCTION, UNKNOWN_VARIABLE};
    use syntax::Severity;

    use crate::testing::{reported, severities};

    #[test]
    fn reports_names_in_the_string_of_a_variable() {
        let code = "class m { $a = '<%= $nope %>' $b = @(END)\n <%= nosuch($x) %>\n | END\n \
                    notice(inline_epp($a), inline_epp($b, { 'x' => 1 })) }";
        assert_eq!(
            reported(&UNKNOWN_VARIABLE, code),
            ["`$nope`: unknown variable `$nope`"]
        );
        assert_eq!(
            reported(&UNKNOWN_FUNCTION, code),
            ["`nosuch`: unknown function `nosuch`"]
        );
    }

    #[test]
    fn warns_of_names_in_defaults_of_parameters() {
        let code = "class m ($a = '<%= $nope %>', $b = '<%= $nope.nosuch() %>') { \
                    notice(inline_epp($a), inline_template('<%= @a %>')) }";
        assert_eq!(
            reported(&UNKNOWN_VARIABLE, code),
            ["`$nope`: unknown variable `$nope`"]
        );
        assert_eq!(severities(&UNKNOWN_VARIABLE, code), [Severity::Warning]);
        for code in [
            "class m ($x, $a = '<%= $x %>') { notice(inline_epp($a)) }",
            "class m ($a = '<%= $x %>') { notice(inline_epp($a, { 'x' => 1 })) }",
            "class m ($a = '<%= $x %>') { [1].each |$a| { notice(inline_epp($a)) } }",
            "class m ($a = '<%= $x %>') { notice(epp($a)) }",
        ] {
            assert_eq!(reported(&UNKNOWN_VARIABLE, code), [""; 0], "{code}");
        }
    }
}
