//! Checks the parameters passed to EPP templates.

use salsa::Database;
use syntax::ast::{AstNode, Expr, HasParameters, HashEntry, SourceFile};
use syntax::{Dialect, TextRange};

use super::WorkspaceTypes;
use super::calls::{Call, text};
use super::inferred::Inferred;
use super::problem::{ProblemKind, Target, Template};
use super::walker::Walker;
use crate::db::{self, FileInput};
use crate::types::Type;
use crate::values::Value;
use crate::workspace::resolve;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TemplateParameter {
    pub(crate) name: String,
    /// The range in the template.
    pub(crate) range: TextRange,
    /// The declared type; `Any` if it is missing or cannot be read.
    type_: Type,
    has_default: bool,
}

/// Returns the parameters that a template declares; `None` if it has no parameter list, and so
/// accepts any parameters, or cannot be read.
#[salsa::tracked]
pub(crate) fn template_parameters(
    db: &dyn Database,
    file: FileInput,
) -> Option<Vec<TemplateParameter>> {
    if !file.spec(db).dialect.epp || file.text(db).is_none() {
        return None;
    }
    let parse = db::parse(db, file);
    let types = WorkspaceTypes::new(db, file.environment(db));
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
            type_: type_.flatten().unwrap_or(Type::Any),
            has_default: it.default().is_some(),
        })
    });
    all.collect()
}

/// A parameter passed to a template.
struct Given {
    name: String,
    value: Inferred,
    /// The ranges of the key and of the value.
    places: (TextRange, TextRange),
    /// Whether it is always passed.
    always: bool,
}

impl Walker<'_> {
    /// Checks the parameters that `epp` or `inline_epp` passes to a template.
    pub(super) fn check_template(&mut self, function: &str, call: &Call, expr: &Expr) {
        let Some((template, parameters)) = self.template(function, call) else {
            return;
        };
        let Some(given) = self.given(call, expr) else {
            return;
        };
        for it in &given {
            match parameters
                .iter()
                .find(|parameter| parameter.name == it.name)
            {
                Some(parameter) => self.check_parameter(&template, parameter, it),
                None if it.always => {
                    let kind = ProblemKind::UnknownParameter {
                        template: template.clone(),
                        name: it.name.clone(),
                        known: parameters.iter().map(|it| it.name.clone()).collect(),
                    };
                    self.report(it.places.0, kind);
                }
                None => {}
            }
        }
        let required = parameters.iter().filter(|it| !it.has_default);
        for parameter in required.filter(|it| given.iter().all(|given| given.name != it.name)) {
            let kind = ProblemKind::MissingParameter {
                template: template.clone(),
                name: parameter.name.clone(),
            };
            self.report(call.range, kind);
        }
    }

    /// Returns the template that a call evaluates, with its parameters.
    fn template(&self, function: &str, call: &Call) -> Option<(Template, Vec<TemplateParameter>)> {
        if call.unfolds {
            return None;
        }
        let first = text(call.arguments.first()?)?;
        if function == "inline_epp" {
            let dialect = Dialect {
                epp: true,
                ..Dialect::default()
            };
            let parse = syntax::parse(&first, dialect);
            let sound = parse.errors().is_empty();
            let parameters = sound.then(|| read(&parse.tree(), &self.types))??;
            return Some((Template::Inline, parameters));
        }
        let file = resolve::epp_template(self.db, self.environment, &first)?;
        let parameters = template_parameters(self.db, file).clone()?;
        Some((Template::File(first.to_string(), file), parameters))
    }

    /// Returns the parameters that a call passes; `None` if they are unknown.
    fn given(&mut self, call: &Call, expr: &Expr) -> Option<Vec<Given>> {
        let Some(hash) = call.arguments.get(1) else {
            return Some(Vec::new());
        };
        let whole = *call.ranges.get(1)?;
        let entries = entries(expr, whole);
        let place = |name: &str| {
            let written = entries.iter().find(|it| it.0 == name);
            written.map_or((whole, whole), |it| it.1)
        };
        let given = |name: &str, value: Inferred, always: bool| Given {
            name: name.to_owned(),
            value,
            places: place(name),
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

    fn check_parameter(&mut self, template: &Template, parameter: &TemplateParameter, it: &Given) {
        // An undef value selects the default, and a parameter that may not be passed may be
        // correct.
        let target = || Target::TemplateParameter(template.clone(), parameter.name.clone());
        let takes_default = parameter.has_default && it.value.is_a(&Type::Undef) != Some(false);
        if takes_default || !it.always {
            let given = match takes_default {
                true => it.value.narrowed(&Type::not_undef(Type::Any)),
                false => it.value.clone(),
            };
            return self.may_not_fit(it.places.1, &given, &parameter.type_, target);
        }
        self.must_fit(it.places.1, &it.value, &parameter.type_, target);
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

#[cfg(test)]
mod tests {
    use crate::ide::fixture::World;

    /// Returns the problems reported for the parameters: the rule and the underlined source.
    fn wrong(template: &str, call: &str) -> Vec<String> {
        let world = World::new(&format!(
            "//- modules/m/manifests/init.pp\n\
             class m(Optional[String] $o, Hash $h, Struct[{{ Optional[a] => String }}] $s) \
             {{ $e = {call} }}\n\
             //- modules/m/templates/a.epp\n{template}"
        ));
        let found = world.findings();
        let told = found.lines().filter_map(|it| {
            let (place, message) = it.split_once(": ")?.1.rsplit_once(": ")?;
            let certain = !place.starts_with("possible-mismatch");
            let about = certain
                && ["parameter `", "missing required parameter"]
                    .iter()
                    .any(|it| message.contains(it));
            about.then(|| place.to_owned())
        });
        told.collect()
    }

    #[test]
    fn parameters_of_templates() {
        let template = "<%- | String $a, Optional[Integer] $b, Integer $c = 3, $d = undef | -%>";
        for (call, expected) in [
            ("epp('m/a.epp', { a => 'x', b => 1 })", vec![]),
            (
                "epp('m/a.epp')",
                vec!["missing-parameter `epp`", "missing-parameter `epp`"],
            ),
            (
                "epp('m/a.epp', { 'a' => 'x' })",
                vec!["missing-parameter `epp`"],
            ),
            (
                "'m/a.epp'.epp({ a => 'x' })",
                vec!["missing-parameter `epp`"],
            ),
            (
                "epp('m/a.epp', { a => 'x', b => undef, c => undef })",
                vec![],
            ),
            (
                "epp('m/a.epp', { a => 'x', b => undef, c => 'x' })",
                vec!["type-mismatch `'x'`"],
            ),
            (
                "epp('m/a.epp', { a => undef, b => 1 })",
                vec!["type-mismatch `undef`"],
            ),
            ("epp('m/a.epp', { a => $o, b => 1, c => $o })", vec![]),
            (
                "epp('m/a.epp', { a => [$o], b => 1 })",
                vec!["type-mismatch `[$o]`"],
            ),
            (
                "epp('m/a.epp', { a => $o, b => 1, 'cc' => $o })",
                vec!["unknown-parameter `'cc'`"],
            ),
            ("epp('m/a.epp', $h)", vec![]),
            ("epp('m/a.epp', $h + { zz => 1 })", vec![]),
            ("epp('m/a.epp', $s)", vec!["missing-parameter `epp`"]),
            ("epp('m/a.epp', { \"${o}\" => 1 })", vec![]),
            ("epp('m/nowhere.epp', { zz => 1 })", vec![]),
            ("epp($o, { zz => 1 })", vec![]),
            (
                "epp(*['m/a.epp', { a => 'x' }])",
                vec!["missing-parameter `epp`"],
            ),
            ("epp(*$h)", vec![]),
        ] {
            assert_eq!(wrong(template, call), expected, "{call}");
        }
    }

    #[test]
    fn templates_without_a_parameter_list() {
        for (template, call, expected) in [
            ("<%= $a %>", "epp('m/a.epp', { zz => 1 })", vec![]),
            ("<%= $a %>", "epp('m/a.epp')", vec![]),
            ("<%- || -%>", "epp('m/a.epp')", vec![]),
            (
                "<%- || -%>",
                "epp('m/a.epp', { zz => 1 })",
                vec!["unknown-parameter `zz`"],
            ),
            ("<%- | $a, -%>", "epp('m/a.epp', { zz => 1 })", vec![]),
            ("<%- | $a, *$b | -%>", "epp('m/a.epp', { zz => 1 })", vec![]),
            (
                "<%- | M::Nowhere $a | -%>",
                "epp('m/a.epp', { a => 1 })",
                vec![],
            ),
        ] {
            assert_eq!(wrong(template, call), expected, "{template} {call}");
        }
    }

    #[test]
    fn inline_templates() {
        for (call, expected) in [
            ("inline_epp('<%- | Integer $a | -%>', { a => 1 })", vec![]),
            (
                "inline_epp('<%- | Integer $a | -%>', { a => 'x' })",
                vec!["type-mismatch `'x'`"],
            ),
            (
                "inline_epp('<%- | Integer $a | -%>')",
                vec!["missing-parameter `inline_epp`"],
            ),
            ("inline_epp('<%= $a %>', { a => 'x' })", vec![]),
            ("inline_epp($o, { a => 'x' })", vec![]),
        ] {
            assert_eq!(wrong("", call), expected, "{call}");
        }
    }
}
