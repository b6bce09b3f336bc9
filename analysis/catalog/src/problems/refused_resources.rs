//! Resources that the agent refuses because of several of their attributes, which code passes through a defined type.

use infer::exclusive_attributes;
use library::{KnownFunction, NamedEntity};
use salsa::Database;
use syntax::ast::{AstNode, Expr, ResourceBody, Segment};
use types::values::Value;

use super::refused_values::{attribute_at, node_at, passed_variable};
use super::{ClassProblem, Findings, ProblemKind, ProblemPlace};
use crate::data::{Origin, Parameter, Resource, ResourceKey};

impl Findings<'_> {
    /// Returns pairs of mutually exclusive attributes, one of which is passed through a defined type. The first place
    /// passes it; the last two are the attributes.
    pub(super) fn conflicts(&self, db: &dyn Database) -> Vec<ClassProblem> {
        let resources = self.certain_resources();
        let found = resources.filter_map(|(key, resource)| {
            let names = exclusive_attributes(&key.type_name.to_lowercase());
            let all = names.iter().filter_map(|name| {
                let parameter = resource.parameters.get(*name)?;
                let is_set = self.is_set_by_text(db, resource, parameter);
                is_set.then_some((*name, parameter))
            });
            let all: Vec<(&str, &Parameter)> = all.collect();
            let [first, second, ..] = all[..] else {
                return None;
            };
            // The code itself sets the attributes of its own resources.
            let (other, mut places) = [(first, second), (second, first)]
                .into_iter()
                .find_map(|(it, other)| Some((other, self.way_of(db, resource, it.1)?)))?;
            places.push(self.place(other.1.origin.place()?)?);
            let names = [first.0.to_owned(), second.0.to_owned()];
            let kind = ProblemKind::ConflictingAttributes(key.clone(), names);
            Some(ClassProblem::new(kind, places))
        });
        found.collect()
    }

    /// Returns the commands that are not absolute paths, of resources without a path to search. The first place is the
    /// command or title, or what passes it; the last one is the declaration.
    pub(super) fn unqualified_commands(&self, db: &dyn Database) -> Vec<ClassProblem> {
        let execs = self
            .certain_resources()
            .filter(|it| it.0.type_name == "Exec");
        let found = execs.filter_map(|(key, resource)| {
            if has_other_search(resource) {
                return None;
            }
            let command = resource.parameters.get("command");
            let command = command.filter(|it| !it.is_undef() && it.origin != Origin::Title);
            let (text, is_whole) = match command.map(|it| &it.value) {
                None => (key.title.as_str(), true),
                Some(Ok(value)) => (value.as_str()?, true),
                Some(Err(unknown)) => (unknown.text()?.0, false),
            };
            let program = unqualified_program(text, is_whole)?.to_owned();
            let declaration = self.place(resource.place?)?;
            let mut places = match command {
                Some(it) => self
                    .way_of_command(db, resource, it)
                    .or_else(|| self.code_in_node(db, it).map(|it| vec![it]))?,
                None => self.way_of_title(db, resource)?,
            };
            places.push(declaration);
            let kind = ProblemKind::UnqualifiedCommand(key.clone(), program);
            Some(ClassProblem::new(kind, places))
        });
        found.collect()
    }

    pub(super) fn certain_resources(&self) -> impl Iterator<Item = (&ResourceKey, &Resource)> {
        let resources = self.compilation.catalog.resources.iter();
        resources.filter(|it| it.1.is_certain && !it.1.is_virtual)
    }

    /// Returns the attributes that pass on a command, or its own attribute if the command starts with a fixed text.
    fn way_of_command(
        &self,
        db: &dyn Database,
        resource: &Resource,
        command: &Parameter,
    ) -> Option<Vec<ProblemPlace>> {
        self.way_of(db, resource, command).or_else(|| {
            let place = self.set_at(command)?;
            let value = attribute_at(db, &place)?.value()?;
            starts_with_text(&value).then(|| vec![place])
        })
    }

    /// Returns the titles of the instances of defined types that pass on a title, from the one that starts with a fixed
    /// text.
    fn way_of_title(&self, db: &dyn Database, resource: &Resource) -> Option<Vec<ProblemPlace>> {
        let mut way = Vec::new();
        let mut resource = resource;
        loop {
            let declaration = self.place(resource.place?)?;
            let title = ResourceBody::cast(node_at(db, &declaration)?)?.title()?;
            way.push(ProblemPlace {
                range: title.syntax().text_range(),
                ..declaration
            });
            if starts_with_text(&title) {
                way.reverse();
                return Some(way);
            }
            let Expr::VariableExpr(variable) = title else {
                return None;
            };
            let is_title = matches!(variable.name()?.as_str(), "title" | "name");
            let container = resource.container.as_ref();
            let instance = container.filter(|it| is_title && it.type_name != "Class")?;
            resource = self.compilation.catalog.resources.get(instance)?;
        }
    }

    /// Checks whether a parameter has a string as its value, which neither the parameters of classes nor facts decide.
    fn is_set_by_text(
        &self,
        db: &dyn Database,
        resource: &Resource,
        parameter: &Parameter,
    ) -> bool {
        let place = match parameter.origin {
            Origin::Declaration(place) | Origin::DefaultValue(place) => place,
            _ => None,
        };
        let Some(place) = place.and_then(|it| self.place(it)) else {
            return false;
        };
        if let Some(variable) = passed_variable(db, &place) {
            let container = resource.container.as_ref();
            let container = container.filter(|it| it.type_name != "Class");
            let around = container.and_then(|it| self.compilation.catalog.resources.get(it));
            let source = around.and_then(|it| Some((it, it.parameters.get(&variable)?)));
            return source.is_some_and(|(around, source)| {
                around.is_certain
                    && source.value == parameter.value
                    && self.is_set_by_text(db, around, source)
            });
        }
        let value = attribute_at(db, &place).and_then(|it| it.value());
        value
            .or_else(|| default_at(db, &place))
            .is_some_and(|it| is_text(&it))
    }
}

/// Checks whether an `exec` has, or may have, a path to search, or a provider with rules of its own.
fn has_other_search(exec: &Resource) -> bool {
    let value = |name: &str| exec.parameters.get(name).map(|it| &it.value);
    let has_usual_provider = match value("provider") {
        None | Some(Ok(Value::Undef)) => true,
        Some(Ok(Value::String(name))) => **name == *"posix",
        Some(_) => false,
    };
    !has_usual_provider || !matches!(value("path"), None | Some(Ok(Value::Undef)))
}

/// Returns the default value at a place.
fn default_at(db: &dyn Database, place: &ProblemPlace) -> Option<Expr> {
    let around = node_at(db, place)?.ancestors();
    let mut same = around.take_while(|it| it.text_range() == place.range);
    same.find_map(Expr::cast)
}

/// Checks whether the value of an expression is a string, whatever its variables are.
fn is_text(value: &Expr) -> bool {
    let renders = |name: &str| {
        use NamedEntity::{EppTemplate, Template};
        let function = KnownFunction::from_name(name);
        matches!(
            function.and_then(KnownFunction::names),
            Some(EppTemplate | Template)
        )
    };
    match value {
        Expr::StringLiteral(_) | Expr::InterpolatedString(_) | Expr::Heredoc(_) => true,
        it => it.named_call().is_some_and(|it| renders(it.0.text())),
    }
}

/// Checks whether an expression is a string that does not start with an interpolation.
fn starts_with_text(value: &Expr) -> bool {
    match value {
        Expr::StringLiteral(_) => true,
        Expr::InterpolatedString(it) => matches!(it.segments().first(), Some(Segment::Text(_))),
        _ => false,
    }
}

/// Returns the program of a command that is not an absolute path. `is_whole` states whether no text follows.
#[must_use]
pub fn unqualified_program(command: &str, is_whole: bool) -> Option<&str> {
    let program = program(command, is_whole)?;
    let mut characters = program.chars();
    let is_absolute = match (characters.next(), characters.next()) {
        (Some('/' | '\\'), _) => true,
        (Some(drive), Some(':')) => drive.is_ascii_alphabetic(),
        _ => false,
    };
    (!is_absolute).then_some(program)
}

/// Returns the program of a command, as Puppet extracts it; `None` if more text may belong to it.
fn program(command: &str, is_whole: bool) -> Option<&str> {
    for quote in ['"', '\''] {
        if let Some(rest) = command.strip_prefix(quote) {
            return rest.split_once(quote).map(|it| it.0);
        }
    }
    match command.split_once(' ') {
        Some((program, _)) => Some(program),
        None => is_whole.then_some(command),
    }
}
