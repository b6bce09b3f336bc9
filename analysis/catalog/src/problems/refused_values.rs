//! Values that code passes to a defined type or a class, which passes them on to an attribute that refuses them.

use base::SettingsInput;
use infer::refused_value;
use salsa::Database;
use syntax::SyntaxNode;
use syntax::ast::{AstNode, Attribute, AttributeSplat, Expr, ResourceBody};
use types::values::Value;

use super::{ClassProblem, Findings, ProblemKind, ProblemPlace};
use crate::data::{Origin, Parameter, Resource};

impl Findings<'_> {
    /// Returns the values that attributes of core resource types refuse. The first place is the one that passes the
    /// value, the last one the attribute.
    pub(super) fn refused_values(&self, db: &dyn Database) -> Vec<ClassProblem> {
        let version = SettingsInput::get(db).version(db);
        let resources = &self.compilation.catalog.resources;
        let mut found = Vec::new();
        for (key, resource) in resources {
            if !resource.is_certain || resource.is_virtual {
                continue;
            }
            let is_inside = resource.container.as_ref() != self.class.as_ref();
            let Some(type_) = library::resource_type(&key.type_name.to_lowercase(), version) else {
                continue;
            };
            for (name, parameter) in &resource.parameters {
                let Some(value) = plain_value(parameter) else {
                    continue;
                };
                let mut attributes = type_.attributes.iter();
                let declared = attributes.find(|it| it.name == *name);
                let Some(kind) = declared.and_then(|it| refused_value(db, &type_.name, it, value))
                else {
                    continue;
                };
                let places = match is_inside {
                    true => self
                        .way_of(db, resource, parameter)
                        .or_else(|| self.code_in_node(db, parameter).map(|it| vec![it])),
                    false => self.code_of(db, parameter).map(|it| vec![it]),
                };
                let kind = ProblemKind::RefusedValue(key.clone(), kind);
                found.extend(places.map(|it| ClassProblem::new(kind, it)));
            }
        }
        found
    }

    /// Returns the place in code that sets a parameter.
    pub(super) fn set_at(&self, parameter: &Parameter) -> Option<ProblemPlace> {
        match parameter.origin {
            Origin::Declaration(place) => self.place(place?),
            _ => None,
        }
    }

    /// Returns the titles that are invalid for the attribute they set (the namevar). The last place is the title, a
    /// variable.
    pub(super) fn refused_titles(&self, db: &dyn Database) -> Vec<ClassProblem> {
        let version = SettingsInput::get(db).version(db);
        let found = self.certain_resources().filter_map(|(key, resource)| {
            let type_ = library::resource_type(&key.type_name.to_lowercase(), version)?;
            let mut namevars = type_.attributes.iter().filter(|it| it.namevar);
            let (namevar, None) = (namevars.next()?, namevars.next()) else {
                return None;
            };
            let mut set = resource.parameters.iter();
            if set.any(|(name, it)| namevar.is_set_by(name) && it.origin != Origin::Title) {
                return None;
            }
            let title = Value::from(key.title.as_str());
            let kind = refused_value(db, &type_.name, namevar, &title)?;
            let places = self.way_of_variable_title(db, resource, &title)?;
            let kind = ProblemKind::RefusedValue(key.clone(), kind);
            Some(ClassProblem::new(kind, places))
        });
        found.collect()
    }

    /// Returns the title of a resource that is a variable, after the attributes that pass on its value.
    fn way_of_variable_title(
        &self,
        db: &dyn Database,
        resource: &Resource,
        value: &Value,
    ) -> Option<Vec<ProblemPlace>> {
        let declaration = self.place(resource.place?)?;
        let Expr::VariableExpr(title) = ResourceBody::cast(node_at(db, &declaration)?)?.title()?
        else {
            return None;
        };
        let place = ProblemPlace {
            range: title.syntax().text_range(),
            ..declaration
        };
        let around = resource.container.as_ref();
        let around = around.and_then(|it| self.compilation.catalog.resources.get(it));
        let passed = around
            .filter(|it| it.is_certain)
            .and_then(|it| Some((it, it.parameters.get(&title.name()?)?)))
            .filter(|(_, it)| it.value.as_ref() == Ok(value));
        if let Some((around, parameter)) = passed
            && let Some(source) = self.set_at(parameter)
        {
            let way = self.way_of(db, around, parameter);
            let mut way = way.unwrap_or_else(|| vec![source]);
            way.push(place);
            return Some(way);
        }
        self.is_whole.then(|| vec![place])
    }

    /// Returns the call that sets a parameter: `create_resources`.
    fn call_of(&self, db: &dyn Database, parameter: &Parameter) -> Option<ProblemPlace> {
        let place = self.set_at(parameter)?;
        let call = Expr::cast(node_at(db, &place)?)?;
        call.named_call().is_some().then_some(place)
    }

    /// Like [`Findings::code_of`], but only for whole catalogs: what the code of a class sets in another one is reported
    /// there.
    pub(super) fn code_in_node(
        &self,
        db: &dyn Database,
        parameter: &Parameter,
    ) -> Option<ProblemPlace> {
        self.is_whole.then(|| self.code_of(db, parameter))?
    }

    /// Returns the call or the attribute that sets a parameter to a computed value.
    fn code_of(&self, db: &dyn Database, parameter: &Parameter) -> Option<ProblemPlace> {
        self.call_of(db, parameter).or_else(|| {
            let place = self.set_at(parameter)?;
            let node = node_at(db, &place)?;
            let is_splat = AttributeSplat::can_cast(node.kind());
            let value = attribute_at(db, &place).and_then(|it| it.value());
            // Inference checks the others.
            let is_computed = |it: &Expr| {
                let is_literal = matches!(
                    it,
                    Expr::StringLiteral(_)
                        | Expr::Literal(_)
                        | Expr::QualifiedName(_)
                        | Expr::Heredoc(_)
                );
                !is_literal
            };
            (is_splat || value.is_some_and(|it| is_computed(&it))).then_some(place)
        })
    }

    /// Returns the attributes that pass a value on, from the first one; `None` if a variable of the code around the
    /// resource has no part in it.
    pub(super) fn way_of(
        &self,
        db: &dyn Database,
        resource: &Resource,
        parameter: &Parameter,
    ) -> Option<Vec<ProblemPlace>> {
        let resources = &self.compilation.catalog.resources;
        let mut way = Vec::new();
        let (mut resource, mut parameter) = (resource, parameter);
        loop {
            let place = self.set_at(parameter)?;
            let variable = passed_variable(db, &place);
            way.push(place);
            let Some(variable) = variable else {
                break;
            };
            let around = resources.get(resource.container.as_ref()?)?;
            let source = around.parameters.get(&variable)?;
            if !around.is_certain || source.value != parameter.value {
                return None;
            }
            (resource, parameter) = (around, source);
        }
        way.reverse();
        (way.len() > 1).then_some(way)
    }
}

fn plain_value(parameter: &Parameter) -> Option<&Value> {
    let value = parameter.value.as_ref().ok()?;
    let is_plain = |it: &Value| {
        matches!(
            it,
            Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_)
        )
    };
    let is_judged = match value {
        Value::Array(all) => all.iter().any(is_plain),
        value => is_plain(value),
    };
    is_judged.then_some(value)
}

/// Returns the variable that is the value of an attribute.
pub(super) fn passed_variable(db: &dyn Database, place: &ProblemPlace) -> Option<String> {
    match attribute_at(db, place)?.value()? {
        Expr::VariableExpr(it) => it.name(),
        _ => None,
    }
}

/// Returns the attribute at a place.
pub(super) fn attribute_at(db: &dyn Database, place: &ProblemPlace) -> Option<Attribute> {
    node_at(db, place)?.ancestors().find_map(Attribute::cast)
}

/// Returns the node at a place.
pub(super) fn node_at(db: &dyn Database, place: &ProblemPlace) -> Option<SyntaxNode> {
    let root = base::parse(db, place.file).syntax();
    let node = root.covering_element(place.range);
    node.as_node().cloned().or_else(|| node.parent())
}
