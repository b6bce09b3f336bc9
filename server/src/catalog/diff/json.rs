//! Differences as JSON. The format is documented in the book.

use serde_json::{Map, Value, json};

use super::Report;
use super::compare::{Comparison, DifferenceKind, ParameterDifference, ResourceDifference};
use crate::catalog::json::{insert_place, request, value};

/// Describes a report.
pub(super) fn document(report: &Report<'_>) -> Value {
    let groups = report.groups.iter().map(|(requests, comparison)| {
        let catalogs = requests.iter().map(|it| Value::Object(request(it)));
        let mut object = Map::new();
        object.insert("catalogs".to_owned(), catalogs.collect());
        match comparison {
            Comparison::Different(resources) => {
                let resources = resources.iter().map(resource);
                object.insert("resources".to_owned(), resources.collect());
            }
            Comparison::NewlyRejected(why) => {
                object.insert("rejected".to_owned(), why.as_str().into());
            }
            Comparison::NoLongerRejected(why) => {
                object.insert("wasRejected".to_owned(), why.as_str().into());
            }
            Comparison::Equal | Comparison::BothRejected(_) => {}
        }
        Value::Object(object)
    });
    json!({
        "differences": groups.collect::<Vec<Value>>(),
        "different": report.different(),
        "equal": report.equal,
        "rejectedInBoth": report.rejected,
        "incomplete": report.incomplete,
        "unknownInBoth": report.unknown,
    })
}

fn resource(resource: &ResourceDifference) -> Value {
    let change = match resource.kind {
        DifferenceKind::Added => "added",
        DifferenceKind::Removed => "removed",
        DifferenceKind::Changed => "changed",
    };
    let mut object = Map::new();
    object.insert("ref".to_owned(), resource.reference.as_str().into());
    object.insert("change".to_owned(), change.into());
    insert_place(&mut object, resource.place.as_ref());
    let parameters = resource.parameters.iter();
    let parameters = parameters.map(|it| (it.name.clone(), parameter(it)));
    object.insert("parameters".to_owned(), Value::Object(parameters.collect()));
    Value::Object(object)
}

fn parameter(parameter: &ParameterDifference) -> Value {
    let sides = [("old", &parameter.old), ("new", &parameter.new)];
    let sides = sides.into_iter().filter_map(|(name, side)| {
        let side = value(side.as_ref()?);
        Some((name.to_owned(), Value::Object(side)))
    });
    Value::Object(sides.collect())
}
