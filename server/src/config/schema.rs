//! Derives the JSON Schema of `pupil.toml`. Only this test needs the library that does it, so a build
//! of Pupil goes without.

use std::borrow::Cow;
use std::path::Path;

use analysis::rules::{self, Group, Rule};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::{Config, Level, SCHEMA, Version};
use crate::explain;

impl JsonSchema for Version {
    fn schema_name() -> Cow<'static, str> {
        "Version".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "enum": [7, 8, "7", "8"] })
    }
}

/// Returns the schema of `[rules]`: every rule with its default level. Other keys are allowed,
/// because Puppet's own checks are configured by their issue codes. The book generates its table of
/// rules from this schema.
pub(super) fn rules(generator: &mut SchemaGenerator) -> Schema {
    let level = generator.subschema_for::<Level>();
    let rule = |it: &Rule| {
        let mut schema = level.clone();
        schema.insert("description".to_owned(), it.summary().into());
        schema.insert("default".to_owned(), Level::default_for(it).name().into());
        schema.insert("x-fix".to_owned(), explain::fix(it).into());
        schema.insert("x-since".to_owned(), it.since.into());
        schema.insert("x-group".to_owned(), it.group.name().into());
        schema.insert("x-puppet-lint".to_owned(), it.puppet_lint.into());
        (it.code.to_owned(), schema.to_value())
    };
    let group = |it: Group| {
        let mut schema = level.clone();
        let text = format!("The level of all rules of the group `{}`.", it.name());
        schema.insert("description".to_owned(), text.into());
        (it.name().to_owned(), schema.to_value())
    };
    let groups = Group::ALL.into_iter().map(group);
    let known: Map<String, Value> = groups.chain(rules::all().map(rule)).collect();
    json_schema!({
        "type": "object",
        "properties": known,
        "additionalProperties": level,
    })
}

#[test]
fn is_up_to_date() {
    let schema = schemars::schema_for!(Config).to_value();
    let mut schema = serde_json::to_string_pretty(&schema).expect("a schema can be written");
    schema.push('\n');
    if std::env::var_os("PUPIL_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pupil.schema.json");
        std::fs::write(&path, schema).expect("the schema can be written");
    } else {
        assert_eq!(schema, SCHEMA, "set PUPIL_BLESS=1 to update it");
    }
}
