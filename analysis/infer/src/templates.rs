//! Checks the parameters passed to EPP templates.

use salsa::Database;
use syntax::ast::{AstNode, Expr, HasParameters, HashEntry, SourceFile};
use syntax::{Dialect, Severity, SyntaxKind, SyntaxNode, TextRange};

use super::WorkspaceTypes;
use super::attributes::texts;
use super::calls::{Call, known_string};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::alternatives;
use super::problem::{Template, TypeProblemKind, ValueTarget};
use base::FileInput;
use eval::Issue;
use hir::resolve;
use library::KnownFunction;
use types::values::Value;
use types::{Type, accepted_by_parameter};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateParameter {
    pub name: String,
    /// The range in the template.
    pub range: TextRange,
    /// The declared type; `Any` if it is missing or cannot be read.
    pub(super) type_: Type,
    pub(super) has_default: bool,
}

impl TemplateParameter {
    /// Creates the parameter of a plan in YAML or of a task, from the source of its type. One that accepts undef need not be
    /// passed.
    pub(super) fn declared(
        types: &WorkspaceTypes<'_>,
        (name, range): (&str, TextRange),
        type_: Option<&str>,
        has_default: bool,
    ) -> TemplateParameter {
        let type_ = type_.and_then(|it| types.read_text(it));
        let type_ = type_.unwrap_or(Type::Any);
        let accepts_undef = Inferred::of(Type::Undef).is_a(&type_) != Some(false);
        TemplateParameter {
            name: name.to_owned(),
            range,
            has_default: has_default || accepts_undef,
            type_,
        }
    }

    /// Returns the declared type; `Any` if it is missing or cannot be read.
    pub fn type_(&self) -> &Type {
        &self.type_
    }

    /// Checks whether the parameter has a default value.
    pub fn has_default(&self) -> bool {
        self.has_default
    }
}

/// Returns the parameters that a template declares; `None` if it has no parameter list, and so
/// accepts any parameters, or cannot be read.
#[salsa::tracked]
pub fn template_parameters(db: &dyn Database, file: FileInput) -> Option<Vec<TemplateParameter>> {
    if !file.spec(db).dialect.epp || file.text(db).is_none() {
        return None;
    }
    let parse = base::parse(db, file);
    let types = WorkspaceTypes::in_file(db, file);
    parse
        .errors()
        .is_empty()
        .then(|| read(&parse.tree(), &types))?
}

fn read(template: &SourceFile, types: &WorkspaceTypes<'_>) -> Option<Vec<TemplateParameter>> {
    let list = template.epp_parameters()?.parameters();
    // Puppet rejects templates with a parameter that captures the rest.
    if list.iter().any(|it| it.captures_rest()) {
        return None;
    }
    let all = list.into_iter().map(|it| {
        let type_ = it.type_expr().map(|it| types.read(&it));
        Some(TemplateParameter {
            name: it.name()?,
            range: it.syntax().text_range(),
            type_: type_
                .flatten()
                .map_or(Type::Any, |it| accepted_by_parameter(&it)),
            has_default: it.default().is_some(),
        })
    });
    all.collect()
}

/// Returns the function in a template that ends a loop without being in one.
fn misplaced_exit(template: &SyntaxNode) -> Option<&'static str> {
    template.descendants().find_map(|it| {
        let (name, _) = Expr::cast(it.clone())?.named_call()?;
        let exit = KnownFunction::from_name(name.text())?;
        let mut around = it.ancestors();
        let is_misplaced = matches!(exit, KnownFunction::Break | KnownFunction::Next)
            && !around.any(|it| it.kind() == SyntaxKind::LAMBDA);
        is_misplaced.then(|| exit.name())
    })
}

/// The maximum number of templates that are checked for one call.
const MAX_TEMPLATES: usize = 8;

/// A parameter passed to a template, plan or task.
pub(super) struct PassedParameter {
    pub(super) name: String,
    value: Inferred,
    /// The ranges of the key and of the value.
    ranges: (TextRange, TextRange),
    /// Whether it is always passed.
    always: bool,
}

impl InferenceContext<'_> {
    /// Checks the parameters that `epp` or `inline_epp` passes to a template.
    pub(super) fn check_template(&mut self, function: KnownFunction, call: &Call, expr: &Expr) {
        let templates = self.templates(function, call);
        if templates.is_empty() {
            return;
        }
        let Some(passed) = self.passed_parameters(call, expr, 1) else {
            return;
        };
        for (template, parameters) in templates {
            let file = match &template {
                Template::File(_, file) => Some(*file),
                _ => None,
            };
            self.check_against(file, |it| {
                it.check_named_parameters(&template, &parameters, &passed, call.range);
            });
        }
    }

    /// Reports the text of an inline template that is not valid EPP, and returns whether it may be.
    pub(super) fn check_inline_template(&mut self, call: &Call) -> bool {
        let (Some(text), Some(range)) = (call.arguments.first(), call.ranges.first()) else {
            return true;
        };
        let Some(text) = known_string(text).filter(|_| !self.is_epp_heredoc(*range)) else {
            return true;
        };
        let dialect = Dialect {
            epp: true,
            ..Dialect::default()
        };
        let parse = syntax::parse(&text, dialect);
        let mut errors = parse.errors().iter();
        let message = match errors.find(|it| it.severity == Severity::Error) {
            Some(error) => error.message.to_string(),
            None => match misplaced_exit(parse.tree().syntax()) {
                Some(function) => format!("`{function}` outside of a loop"),
                None => return true,
            },
        };
        let kind = TypeProblemKind::EvaluationError {
            function: Some(KnownFunction::InlineEpp.name().to_owned()),
            issue: Issue::RuntimeError,
            message: format!("invalid EPP template: {message}"),
        };
        self.report(*range, kind);
        false
    }

    /// Checks whether an expression is a heredoc with the syntax `epp`, whose text is checked already.
    fn is_epp_heredoc(&self, range: TextRange) -> bool {
        let node = self.node_at(range);
        let start = node.map(|it| it.text().to_string());
        start.is_some_and(|it| {
            let tag = it.strip_prefix("@(").and_then(|it| it.split(')').next());
            tag.is_some_and(|it| it.contains(":epp"))
        })
    }

    /// Checks parameters that are passed by name.
    pub(super) fn check_named_parameters(
        &mut self,
        template: &Template,
        parameters: &[TemplateParameter],
        passed: &[PassedParameter],
        at: TextRange,
    ) {
        for it in passed {
            match parameters
                .iter()
                .find(|parameter| parameter.name == it.name)
            {
                Some(parameter) => self.check_parameter(template, parameter, it),
                None if it.always => {
                    let kind = TypeProblemKind::UnknownParameter {
                        template: template.clone(),
                        name: it.name.clone(),
                        known: parameters.iter().map(|it| it.name.clone()).collect(),
                        may_be_ignored: it.value.is_a(&Type::Undef) != Some(false),
                    };
                    self.report(it.ranges.0, kind);
                }
                None => {}
            }
        }
        let required = parameters.iter().filter(|it| !it.has_default);
        for parameter in required.filter(|it| passed.iter().all(|given| given.name != it.name)) {
            let kind = TypeProblemKind::MissingParameter {
                template: template.clone(),
                name: parameter.name.clone(),
            };
            self.report(at, kind);
        }
    }

    /// Returns the templates that a call may evaluate, as far as they are known, with their parameters. Each of them that
    /// refuses what is passed fails whenever it is chosen.
    fn templates(
        &self,
        function: KnownFunction,
        call: &Call,
    ) -> Vec<(Template, Vec<TemplateParameter>)> {
        let Some(first) = call.arguments.first().filter(|_| !call.has_unknown_splat) else {
            return Vec::new();
        };
        if function == KnownFunction::InlineEpp {
            let text = known_string(first);
            let read = text.and_then(|it| self.inline_template_parameters(&it));
            return read.map(|it| (Template::Inline, it)).into_iter().collect();
        }
        let all = alternatives(&first.type_);
        let names = all.iter().map(texts).collect::<Option<Vec<_>>>();
        let names = names.unwrap_or_default().into_iter().flatten();
        let names = names.take(MAX_TEMPLATES);
        let files = names.filter_map(|name| {
            let file = resolve::epp_template(self.db, self.environment, &name)?;
            let parameters = template_parameters(self.db, file).clone()?;
            Some((Template::File(name, file), parameters))
        });
        files.collect()
    }

    fn inline_template_parameters(&self, text: &str) -> Option<Vec<TemplateParameter>> {
        let dialect = Dialect {
            epp: true,
            ..Dialect::default()
        };
        let parse = syntax::parse(text, dialect);
        let is_valid = parse.errors().is_empty();
        is_valid.then(|| read(&parse.tree(), &self.types)).flatten()
    }

    /// Returns the parameters that a call passes in the hash at an index of its arguments; `None` if they
    /// are unknown.
    pub(super) fn passed_parameters(
        &mut self,
        call: &Call,
        expr: &Expr,
        index: usize,
    ) -> Option<Vec<PassedParameter>> {
        let Some(hash) = call.arguments.get(index) else {
            return Some(Vec::new());
        };
        let whole = *call.ranges.get(index)?;
        let entries = entries(expr, whole);
        let ranges_of = |name: &str| {
            let written = entries.iter().find(|it| it.0 == name);
            written.map_or((whole, whole), |it| it.1)
        };
        let given = |name: &str, value: Inferred, always: bool| PassedParameter {
            name: name.to_owned(),
            value,
            ranges: ranges_of(name),
            always,
        };
        if let Some(Value::Hash(hash)) = &hash.value {
            let all = hash.iter().map(|(key, value)| {
                let value = Inferred::value(value.clone());
                Some(given(key.as_str()?, value, true))
            });
            return all.collect();
        }
        let Type::Struct(hash) = &hash.type_ else {
            return None;
        };
        let all = hash.elements().iter().map(|it| {
            let value = Inferred::of(it.value.clone());
            given(&it.name, value, !it.is_optional())
        });
        Some(all.collect())
    }

    fn check_parameter(
        &mut self,
        template: &Template,
        parameter: &TemplateParameter,
        it: &PassedParameter,
    ) {
        // An undef value selects the default, and a parameter that may not be passed may be
        // correct.
        let target = || ValueTarget::TemplateParameter(template.clone(), parameter.name.clone());
        let takes_default = parameter.has_default && it.value.is_a(&Type::Undef) != Some(false);
        if takes_default || !it.always {
            let given = match takes_default {
                true => it.value.narrowed(&Type::not_undef(Type::Any)),
                false => it.value.clone(),
            };
            return self.check_possible_mismatch(it.ranges.1, &given, &parameter.type_, target);
        }
        self.check_assignable(it.ranges.1, &it.value, &parameter.type_, target);
    }
}

/// Returns the entries of a hash literal passed as an argument: the keys, and the ranges of keys
/// and values.
fn entries(call: &Expr, argument: TextRange) -> Vec<(String, (TextRange, TextRange))> {
    let nodes = call.syntax().descendants();
    let hash = nodes.filter_map(Expr::cast).find_map(|it| match it {
        Expr::HashExpr(hash) if hash.syntax().text_range() == argument => {
            Some(hash.entries().collect::<Vec<_>>())
        }
        Expr::UnbracedHash(hash) if hash.syntax().text_range() == argument => {
            Some(hash.entries().collect())
        }
        _ => None,
    });
    hash.unwrap_or_default().iter().filter_map(entry).collect()
}

fn entry(entry: &HashEntry) -> Option<(String, (TextRange, TextRange))> {
    let (key, value) = (entry.key()?, entry.value()?);
    let name = match &key {
        Expr::StringLiteral(it) => it.value(),
        Expr::QualifiedName(it) => it.text(),
        _ => return None,
    };
    Some((
        name,
        (key.syntax().text_range(), value.syntax().text_range()),
    ))
}
