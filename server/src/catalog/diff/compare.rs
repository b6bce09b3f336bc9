//! The comparison of two catalogs.

use std::collections::{BTreeSet, HashMap};

use analysis::catalog::CompileError;
use analysis::values::Value;

use crate::catalog::place::PlaceView;
use crate::catalog::view::{CatalogView, OriginKind, ParameterView, ResourceView};
use crate::catalog::{Compiled, error};
use crate::lookup::environment::LoadedEnvironment;

/// The difference between two catalogs.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Comparison {
    Equal,
    /// The resources that differ.
    Different(Vec<ResourceDifference>),
    /// Puppet rejects the new catalog only.
    NewlyRejected(String),
    /// Puppet rejects the old catalog only.
    NoLongerRejected(String),
    /// Puppet rejects both, the new one for this reason.
    BothRejected(String),
}

/// The difference of a resource.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ResourceDifference {
    pub(super) reference: String,
    pub(super) kind: DifferenceKind,
    /// The declaration, in the new catalog if it has the resource.
    pub(super) place: Option<PlaceView>,
    /// The parameters that differ; all of an added resource, none of a removed one.
    pub(super) parameters: Vec<ParameterDifference>,
}

/// The kind of a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DifferenceKind {
    Added,
    Removed,
    Changed,
}

/// The difference of a parameter. Values may be unknown, with the reason.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ParameterDifference {
    pub(super) name: String,
    pub(super) old: Option<Result<Value, String>>,
    pub(super) new: Option<Result<Value, String>>,
    /// Where the new value is from, or the old one of a removed parameter, if that is another file than the declaration.
    pub(super) place: Option<PlaceView>,
}

/// Compares two catalogs, of the old and the new environment.
pub(super) fn compare(
    old: &Compiled<'_>,
    new: &Compiled<'_>,
    environments: (&LoadedEnvironment, &LoadedEnvironment),
) -> Comparison {
    match (&old.outcome, &new.outcome) {
        (Ok(old), Ok(new)) => match differences(old, new) {
            found if found.is_empty() => Comparison::Equal,
            found => Comparison::Different(found),
        },
        (Err(_), Err(errors)) => Comparison::BothRejected(message(errors, new, environments.1)),
        (Ok(_), Err(errors)) => Comparison::NewlyRejected(message(errors, new, environments.1)),
        (Err(errors), Ok(_)) => Comparison::NoLongerRejected(message(errors, old, environments.0)),
    }
}

/// Returns the first error with its place.
fn message(
    errors: &[CompileError],
    compiled: &Compiled<'_>,
    environment: &LoadedEnvironment,
) -> String {
    let Some(first) = errors.first() else {
        return String::new();
    };
    match error::place(first.place, &compiled.request, environment) {
        Some(place) => format!("{place}: {}", first.message),
        None => first.message.clone(),
    }
}

fn differences(old: &CatalogView, new: &CatalogView) -> Vec<ResourceDifference> {
    let by_reference = |view: &'_ CatalogView| -> HashMap<String, usize> {
        let indexed = view.resources.iter().enumerate();
        indexed.map(|(at, it)| (it.reference.clone(), at)).collect()
    };
    let (in_old, in_new) = (by_reference(old), by_reference(new));
    let mut found = Vec::new();
    for resource in &new.resources {
        let before = in_old.get(&resource.reference);
        match before.and_then(|it| old.resources.get(*it)) {
            Some(before) => found.extend(changed(before, resource)),
            None => found.push(added(resource)),
        }
    }
    let removed = old.resources.iter();
    let removed = removed.filter(|it| !in_new.contains_key(&it.reference));
    found.extend(removed.map(|it| ResourceDifference {
        reference: it.reference.clone(),
        kind: DifferenceKind::Removed,
        place: it.place.clone(),
        parameters: Vec::new(),
    }));
    add_new_cycles(&mut found, old, new);
    found.sort_by(|a, b| a.reference.cmp(&b.reference));
    found
}

fn added(resource: &ResourceView) -> ResourceDifference {
    let parameters = with_states(resource).into_iter();
    ResourceDifference {
        reference: resource.reference.clone(),
        kind: DifferenceKind::Added,
        place: resource.place.clone(),
        parameters: parameters
            .map(|(name, value)| ParameterDifference {
                place: place_of(resource, &name),
                name,
                old: None,
                new: Some(value),
            })
            .collect(),
    }
}

fn changed(old: &ResourceView, new: &ResourceView) -> Option<ResourceDifference> {
    let with_container = |it: &ResourceView| {
        let mut all = with_states(it);
        all.extend(containers(it).map(|it| ("(container)".to_owned(), Ok(it.into()))));
        all
    };
    let (before, after) = (with_container(old), with_container(new));
    let names: BTreeSet<&String> = before.iter().chain(&after).map(|it| &it.0).collect();
    let value = |all: &[(String, Result<Value, String>)], name: &str| {
        let found = all.iter().find(|it| it.0 == name);
        found.map(|it| it.1.clone())
    };
    let parameters = names.into_iter().filter_map(|name| {
        let values = (value(&before, name), value(&after, name));
        // Values that are unknown in both may be equal.
        let is_unknown = matches!(values, (Some(Err(_)), Some(Err(_))));
        let is_different = values.0 != values.1 && !is_unknown;
        is_different.then(|| ParameterDifference {
            name: name.clone(),
            place: match values.1 {
                Some(_) => place_of(new, name),
                None => place_of(old, name),
            },
            old: values.0,
            new: values.1,
        })
    });
    let parameters: Vec<ParameterDifference> = parameters.collect();
    (!parameters.is_empty()).then(|| ResourceDifference {
        reference: new.reference.clone(),
        kind: DifferenceKind::Changed,
        place: new.place.clone(),
        parameters,
    })
}

/// Returns the classes that contain a class, or else what declares the resource.
fn containers(resource: &ResourceView) -> Option<String> {
    match resource.contained_in.is_empty() {
        true => resource.container.clone(),
        false => Some(resource.contained_in.join(", ")),
    }
}

/// Adds the dependency cycles that only the new catalog has, with which the agent refuses it.
fn add_new_cycles(found: &mut Vec<ResourceDifference>, old: &CatalogView, new: &CatalogView) {
    for cycle in new.cycles.iter().filter(|it| !old.cycles.contains(it)) {
        let Some(first) = cycle.first() else { continue };
        let path: Vec<&str> = cycle.iter().chain([first]).map(String::as_str).collect();
        let parameter = ParameterDifference {
            name: "(dependency cycle)".to_owned(),
            old: None,
            new: Some(Ok(path.join(" => ").into())),
            place: None,
        };
        if let Some(known) = found.iter_mut().find(|it| it.reference == *first) {
            known.parameters.insert(0, parameter);
            continue;
        }
        let mut resources = new.resources.iter();
        let resource = resources.find(|it| it.reference == *first);
        found.push(ResourceDifference {
            reference: first.clone(),
            kind: DifferenceKind::Changed,
            place: resource.and_then(|it| it.place.clone()),
            parameters: vec![parameter],
        });
    }
}

/// Returns the values that are unknown in both catalogs, as `content` of `File[/etc/motd]`.
pub(super) fn unknown_in_both(old: &Compiled<'_>, new: &Compiled<'_>) -> Vec<String> {
    let (Ok(old), Ok(new)) = (&old.outcome, &new.outcome) else {
        return Vec::new();
    };
    let unknown = |view: &CatalogView| -> BTreeSet<String> {
        let of_resource = |it: &ResourceView| {
            let unknown = it.parameters.iter().filter(|it| it.value.is_err());
            let names =
                unknown.map(|parameter| format!("`{}` of `{}`", parameter.name, it.reference));
            names.collect::<Vec<_>>()
        };
        view.resources.iter().flat_map(of_resource).collect()
    };
    unknown(old).intersection(&unknown(new)).cloned().collect()
}

/// Returns where the value of a parameter is from, if that is another file than the declaration.
fn place_of(resource: &ResourceView, name: &str) -> Option<PlaceView> {
    let parameter = resource.parameters.iter().find(|it| it.name == name)?;
    let own = resource.place.as_ref().map(|it| &it.file);
    let place = parameter.place.as_ref().filter(|it| Some(&it.file) != own);
    place.cloned()
}

/// Returns the parameters, and what else is said of a resource as if it were parameters.
fn with_states(resource: &ResourceView) -> Vec<(String, Result<Value, String>)> {
    let parameter = |it: &ParameterView| (it.name.clone(), it.value.clone());
    // The title is in the name of the resource.
    let own = |it: &&ParameterView| it.origin != OriginKind::Title;
    let parameters = resource.parameters.iter().filter(own);
    let mut all: Vec<_> = parameters.map(parameter).collect();
    for (name, is_set) in [
        ("(virtual)", resource.is_virtual),
        ("(exported)", resource.is_exported),
        ("(possible)", !resource.is_certain),
    ] {
        if is_set {
            all.push((name.to_owned(), Ok(Value::Boolean(true))));
        }
    }
    all
}
