//! Resource types: every attribute.

use std::collections::{BTreeMap, BTreeSet};

use analysis::library;
use analysis::signatures::{Attribute, AttributeKind, ResourceType};
use analysis::types::reader::{self, BuiltInTypes};
use serde::Deserialize;
use syntax::validation::PuppetVersion;

use crate::{assert_no_problems, recorded};

#[derive(Deserialize)]
struct Recorded {
    name: String,
    attributes: Vec<RecordedAttribute>,
    #[serde(default)]
    namevars: Vec<String>,
    #[serde(default)]
    title_patterns: bool,
    #[serde(default)]
    providers: Vec<String>,
    #[serde(default)]
    features: Vec<String>,
    #[serde(default)]
    autorequires: Vec<String>,
}

#[derive(Deserialize)]
struct RecordedAttribute {
    name: String,
    kind: String,
    values: Vec<String>,
    patterns: Vec<String>,
    required_features: Vec<String>,
    /// Whether it validates values with code.
    own_validate: bool,
    has_default: bool,
    /// The default, if it is constant.
    default: Option<String>,
}

fn recorded_types() -> BTreeMap<String, Recorded> {
    let all: Vec<Recorded> = recorded("resource-types.jsonl");
    all.into_iter().map(|it| (it.name.clone(), it)).collect()
}

fn kind(kind: AttributeKind) -> &'static str {
    match kind {
        AttributeKind::Property => "property",
        AttributeKind::Parameter => "parameter",
        AttributeKind::Metaparameter => "metaparameter",
        AttributeKind::Provider => "provider",
        AttributeKind::Check => "check",
    }
}

fn sorted(words: &[String]) -> BTreeSet<&str> {
    words.iter().map(String::as_str).collect()
}

/// Returns the source of a default as Puppet keeps it.
fn plain(default: &str) -> &str {
    let inner = default
        .strip_prefix('\'')
        .and_then(|it| it.strip_suffix('\''));
    inner.unwrap_or(default)
}

fn wrong_attribute(ours: &Attribute, theirs: &RecordedAttribute) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut check = |right: bool, what: &str| {
        if !right {
            wrong.push(format!("{}: {what}", theirs.name));
        }
    };
    check(kind(ours.kind) == theirs.kind, "kind");
    check(sorted(&ours.values) == sorted(&theirs.values), "values");
    check(
        sorted(&ours.patterns) == sorted(&theirs.patterns),
        "patterns",
    );
    check(
        sorted(&ours.required_features) == sorted(&theirs.required_features),
        "features",
    );
    let listed = !(theirs.values.is_empty() && theirs.patterns.is_empty());
    check(ours.closed == listed || theirs.own_validate, "closed");
    check(ours.default.is_none() || theirs.has_default, "the default");
    if let (Some(ours), Some(theirs)) = (&ours.default, &theirs.default) {
        check(plain(ours) == theirs, "default");
    }
    check(!ours.required, "required");
    if let Some(type_) = &ours.type_ {
        check(
            reader::read_puppet(type_, &BuiltInTypes).is_ok(),
            "the type",
        );
    }
    wrong
}

fn wrong_type(ours: &ResourceType, theirs: &Recorded) -> Vec<String> {
    let mut wrong = Vec::new();
    let named = |name: &str| ours.attributes.iter().find(|it| it.name == name);
    for attribute in &theirs.attributes {
        match named(&attribute.name) {
            Some(ours) => wrong.extend(wrong_attribute(ours, attribute)),
            None => wrong.push(format!("missing attribute {}", attribute.name)),
        }
    }
    let invented = ours.attributes.iter().map(|it| &it.name);
    let invented = invented.filter(|it| theirs.attributes.iter().all(|known| known.name != **it));
    wrong.extend(invented.map(|it| format!("unknown attribute {it}")));
    let namevars = ours.attributes.iter().filter(|it| it.namevar);
    let namevars: Vec<String> = namevars.map(|it| it.name.clone()).collect();
    let features = ours
        .doc
        .tags("feature")
        .filter_map(|it| it.text.split(' ').next());
    let features: Vec<String> = features.map(str::to_owned).collect();
    let mut check = |right: bool, what: &str| {
        if !right {
            wrong.push(what.to_owned());
        }
    };
    check(sorted(&namevars) == sorted(&theirs.namevars), "namevars");
    check(
        sorted(&ours.providers) == sorted(&theirs.providers),
        "providers",
    );
    check(
        sorted(&ours.autorequires) == sorted(&theirs.autorequires),
        "autorequires",
    );
    check(sorted(&features) == sorted(&theirs.features), "features");
    check(
        ours.title_patterns == theirs.title_patterns,
        "title patterns",
    );
    check(ours.complete, "completeness");
    wrong
        .iter()
        .map(|it| format!("{}: {it}", ours.name))
        .collect()
}

#[test]
fn attributes_match_puppet() {
    let theirs = recorded_types();
    let named: Vec<&str> = theirs.keys().map(String::as_str).skip(1).collect();
    let ours: Vec<&ResourceType> = library::resource_types(PuppetVersion::V7).collect();
    assert_eq!(
        ours.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(),
        named
    );
    let wrong = ours.iter().flat_map(|it| wrong_type(it, &theirs[&it.name]));
    assert_no_problems(&wrong.collect::<Vec<_>>());
}

#[test]
fn resource_type_names_are_case_insensitive() {
    for type_ in library::resource_types(PuppetVersion::V8) {
        let found = library::resource_type(
            &format!("::{}", type_.name.to_uppercase()),
            PuppetVersion::V8,
        );
        assert_eq!(found, Some(type_));
    }
    assert!(library::resource_type("interface", PuppetVersion::V8).is_none());
}

#[test]
fn core_resource_types() {
    for version in [PuppetVersion::V7, PuppetVersion::V8] {
        let own = library::resource_types(version).filter(|it| it.module.is_none());
        let own: Vec<&str> = own.map(|it| it.name.as_str()).collect();
        assert_eq!(
            own,
            [
                "exec",
                "file",
                "filebucket",
                "group",
                "notify",
                "package",
                "resources",
                "schedule",
                "service",
                "stage",
                "tidy",
                "user"
            ]
        );
    }
}

#[test]
fn metaparameters_match_puppet() {
    let theirs = &recorded_types()["(metaparameters)"];
    let ours = library::metaparameters();
    let names: Vec<&str> = ours.iter().map(|it| it.name.as_str()).collect();
    let recorded: Vec<&str> = theirs
        .attributes
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, recorded);
    let pairs = ours.iter().zip(&theirs.attributes);
    let wrong: Vec<String> = pairs
        .flat_map(|(ours, theirs)| wrong_attribute(ours, theirs))
        .collect();
    assert_no_problems(&wrong);
}

#[test]
fn additions_in_puppet_8() {
    let names = |version| {
        let attributes = library::resource_types(version).flat_map(|it| {
            it.attributes
                .iter()
                .map(|attribute| format!("{}.{}", it.name, attribute.name))
        });
        attributes.collect::<BTreeSet<_>>()
    };
    let (seven, eight) = (names(PuppetVersion::V7), names(PuppetVersion::V8));
    let new: Vec<&String> = eight.difference(&seven).collect();
    assert_eq!(new, ["package.environment"]);
    assert!(seven.is_subset(&eight));
    let has_xbps = |version| {
        let package = library::resource_type("package", version);
        package.is_some_and(|it| it.providers.iter().any(|it| it == "xbps"))
    };
    assert!(has_xbps(PuppetVersion::V8) && !has_xbps(PuppetVersion::V7));
}

#[test]
fn documentation_is_complete() {
    let mut wrong = Vec::new();
    for type_ in library::resource_types(PuppetVersion::V8) {
        if type_.doc.tags("summary").next().is_none() {
            wrong.push(type_.name.clone());
        }
        let bare = type_.attributes.iter().filter(|it| it.doc.text.is_empty());
        wrong.extend(bare.map(|it| format!("{}.{}", type_.name, it.name)));
    }
    let bare = library::metaparameters()
        .iter()
        .filter(|it| it.doc.text.is_empty());
    wrong.extend(bare.map(|it| it.name.clone()));
    assert_no_problems(&wrong);
}
