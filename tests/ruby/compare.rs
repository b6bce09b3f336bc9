//! Compares a definition that we read with the one that Puppet loaded.

use std::collections::BTreeSet;

use analysis::signatures::{
    Arity, Attribute, AttributeKind, Function, FunctionApi, Overload, ResourceType,
};
use analysis::types::reader::{BuiltInTypes, read};
use serde::Deserialize;

use crate::files::Files;

/// A file with the definition that Puppet loaded from it.
#[derive(Deserialize)]
pub(crate) struct Recorded {
    pub(crate) file: String,
    #[serde(rename = "text")]
    pub(crate) digest: String,
    #[serde(flatten)]
    pub(crate) what: Definition,
}

#[derive(Deserialize)]
#[serde(from = "Json")]
pub(crate) enum Definition {
    Failed { error: String },
    Function4x(Function4x),
    Function3x(Function3x),
    Type(Type),
}

#[derive(Deserialize)]
struct Json {
    kind: String,
    #[serde(flatten)]
    rest: serde_json::Value,
}

impl From<Json> for Definition {
    fn from(json: Json) -> Definition {
        fn of<T: serde::de::DeserializeOwned>(json: serde_json::Value) -> T {
            serde_json::from_value(json).expect("the recording has this form")
        }
        if let Some(error) = json.rest.get("error") {
            let error = error.as_str().unwrap_or_default().to_owned();
            return Definition::Failed { error };
        }
        match json.kind.as_str() {
            "function4x" => Definition::Function4x(of(json.rest)),
            "function3x" => Definition::Function3x(of(json.rest)),
            _ => Definition::Type(of(json.rest)),
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Function4x {
    name: String,
    signatures: Vec<Signature>,
}

#[derive(Deserialize)]
struct Signature {
    #[serde(rename = "type")]
    type_: String,
    parameters: Vec<String>,
    block: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Function3x {
    name: String,
    rvalue: bool,
    arity: i64,
    doc: bool,
    /// The numbers of arguments, up to [`MOST_CALLED`], with which calls failed.
    fails: Vec<usize>,
}

/// The largest number of arguments with which functions of the 3.x API were called.
const MOST_CALLED: usize = 4;

#[derive(Deserialize)]
pub(crate) struct Type {
    name: String,
    doc: bool,
    attributes: Vec<TheirAttribute>,
    providers: Vec<String>,
    autorequires: Vec<String>,
    title_patterns: bool,
}

#[derive(Deserialize)]
struct TheirAttribute {
    name: String,
    kind: String,
    values: Vec<String>,
    patterns: Vec<String>,
    namevar: bool,
    required: bool,
    own_validation: bool,
    default: Option<String>,
    features: Vec<String>,
    doc: bool,
}

/// A difference between our definition and Puppet's.
pub(crate) enum Difference {
    /// We report it as unknown.
    Unreadable(String),
    /// We report something wrong.
    Wrong(String),
    /// We report less, or in another form.
    Differs(String),
}

use Difference::{Differs, Unreadable, Wrong};

/// A 4.x function.
pub(crate) fn function4x(theirs: &Function4x, found: &[Function]) -> Vec<Difference> {
    let ours = match one(&theirs.name, found, |it| &it.name) {
        Ok(ours) => ours,
        Err(differences) => return differences,
    };
    if ours.overloads.is_empty() && !theirs.signatures.is_empty() {
        return vec![Unreadable(format!("{}\tits arguments", theirs.name))];
    }
    let mut differences = Vec::new();
    if ours.api != FunctionApi::Ruby4x || !ours.has_value {
        differences.push(Wrong(format!("the kind of {}", ours.name)));
    }
    if ours.overloads.len() != theirs.signatures.len() {
        differences.push(Wrong(format!("overloads of {}", ours.name)));
    }
    for (ours, theirs) in ours.overloads.iter().zip(&theirs.signatures) {
        differences.extend(signature(ours, theirs));
    }
    differences
}

fn signature(ours: &Overload, theirs: &Signature) -> Option<Difference> {
    let type_ = callable(ours);
    let names: Vec<_> = ours.parameters.iter().map(|it| it.name.clone()).collect();
    let block = ours.block.as_ref().map(|it| it.name.clone());
    let (a, b) = (
        read(&type_, &BuiltInTypes),
        read(&theirs.type_, &BuiltInTypes),
    );
    let same_type = match (&a, &b) {
        (Ok(a), Ok(b)) => a == b || analysis::types::equivalent(a, b) == Some(true),
        _ => false,
    };
    (!same_type || names != theirs.parameters || block != theirs.block).then(|| {
        Wrong(format!(
            "{type_} {names:?} {block:?}, not {} {:?} {:?}",
            theirs.type_, theirs.parameters, theirs.block
        ))
    })
}

/// The `Callable` of an overload.
fn callable(overload: &Overload) -> String {
    let type_ = |it: &Option<String>| it.clone().unwrap_or_else(|| "Any".to_owned());
    let mut parts: Vec<_> = overload
        .parameters
        .iter()
        .map(|it| type_(&it.type_))
        .collect();
    let count = |wanted: &[Arity]| {
        let all = overload.parameters.iter();
        all.filter(|it| wanted.contains(&it.arity)).count()
    };
    let min = count(&[Arity::Required, Arity::RequiredRepeated]);
    let many = count(&[Arity::Repeated, Arity::RequiredRepeated]) > 0;
    parts.push(min.to_string());
    parts.push(if many {
        "default".to_owned()
    } else {
        overload.parameters.len().to_string()
    });
    if let Some(block) = &overload.block {
        let type_ = block.type_.clone().unwrap_or_else(|| "Callable".to_owned());
        parts.push(if block.optional {
            format!("Optional[{type_}]")
        } else {
            type_
        });
    }
    match &overload.returns {
        Some(returns) => format!("Callable[[{}], {returns}]", parts.join(", ")),
        None => format!("Callable[{}]", parts.join(", ")),
    }
}

/// A 3.x function.
pub(crate) fn function3x(theirs: &Function3x, found: &[Function]) -> Vec<Difference> {
    let ours = match one(&theirs.name, found, |it| &it.name) {
        Ok(ours) => ours,
        Err(differences) => return differences,
    };
    let [overload] = ours.overloads.as_slice() else {
        return vec![Unreadable(format!("{}\tits arguments", theirs.name))];
    };
    let mut differences = Vec::new();
    if ours.api != FunctionApi::Ruby3x || ours.has_value != theirs.rvalue {
        differences.push(Wrong(format!("the kind of {}", ours.name)));
    }
    let counted = i64::try_from(overload.parameters.len()).expect("a small number");
    let repeated = overload.parameters.last().map(|it| it.arity) == Some(Arity::Repeated);
    let arity = if repeated { -counted } else { counted };
    // Functions that declare no arity may check the arguments themselves.
    let is_declared = theirs.arity != -1;
    if is_declared && arity != theirs.arity {
        let what = format!("{arity} of {}, not {}", ours.name, theirs.arity);
        differences.push(Wrong(what));
    }
    let required = overload.parameters.iter();
    let required = required.filter(|it| it.arity == Arity::Required).count();
    let accepts = |it: usize| it >= required && (repeated || it <= overload.parameters.len());
    let refused = (0..=MOST_CALLED).filter(|it| !is_declared && !accepts(*it));
    for count in refused.filter(|it| !theirs.fails.contains(it)) {
        let what = format!("{} accepts {count} arguments", ours.name);
        differences.push(Wrong(what));
    }
    if theirs.doc && ours.doc.is_empty() {
        differences.push(Differs(format!("no documentation of {}", ours.name)));
    }
    differences
}

/// Returns the only definition, which must have the right name.
fn one<'a, T>(
    name: &str,
    found: &'a [T],
    name_of: impl Fn(&T) -> &String,
) -> Result<&'a T, Vec<Difference>> {
    let others = found.iter().filter(|it| name_of(it) != name);
    let mut differences: Vec<_> = others
        .map(|it| Wrong(format!("{}, not {name}", name_of(it))))
        .collect();
    match found.iter().find(|it| name_of(it) == name) {
        Some(found) if differences.is_empty() => Ok(found),
        Some(_) => Err(differences),
        None => {
            differences.push(Differs(format!("{name} not found")));
            Err(differences)
        }
    }
}

/// A resource type, without its attributes.
pub(crate) fn resource_type(
    theirs: &Type,
    found: &[ResourceType],
    files: &Files,
) -> Vec<Difference> {
    let ours = match one(&theirs.name, found, |it| &it.name) {
        Ok(ours) => ours,
        Err(differences) => return differences,
    };
    let mut differences = Vec::new();
    let name = &theirs.name;
    if !ours.complete {
        differences.push(Unreadable(format!("{name}\tits other attributes")));
    }
    for (what, a, b) in [
        ("documentation", !ours.doc.is_empty(), theirs.doc),
        ("title patterns", ours.title_patterns, theirs.title_patterns),
    ] {
        // We also use comments as documentation, which Puppet ignores.
        if b && !a || what == "title patterns" && a && !b {
            differences.push(Differs(format!(
                "{what} of {name}: found {a}, expected {b}"
            )));
        }
    }
    if sorted(&ours.autorequires) != sorted(&theirs.autorequires) {
        differences.push(Differs(format!(
            "autorequires of {name}: found {:?}, expected {:?}",
            ours.autorequires, theirs.autorequires
        )));
    }
    let mut providers = files.providers(name);
    providers.extend(ours.providers.iter().cloned());
    if sorted(&providers) != sorted(&theirs.providers) {
        differences.push(Differs(format!(
            "providers of {name}: found {providers:?}, expected {:?}",
            theirs.providers
        )));
    }
    differences
}

fn sorted(names: &[String]) -> BTreeSet<&String> {
    names.iter().collect()
}

/// Compares each attribute that Puppet or we know.
pub(crate) fn attributes(theirs: &Type, found: &[ResourceType]) -> Vec<(String, Vec<Difference>)> {
    let Some(ours) = found.iter().find(|it| it.name == theirs.name) else {
        return Vec::new();
    };
    let label = |name: &str| format!("{}.{name}", theirs.name);
    let mut all = Vec::new();
    for attribute in &theirs.attributes {
        let mine = ours.attributes.iter().find(|it| it.name == attribute.name);
        let differences = match mine {
            Some(mine) => self::attribute(mine, attribute, &label(&attribute.name)),
            None if ours.complete => {
                vec![Wrong(format!("{} is missing", label(&attribute.name)))]
            }
            None => vec![Unreadable(format!(
                "{}\tattribute {}",
                theirs.name, attribute.name
            ))],
        };
        all.push((attribute.name.clone(), differences));
    }
    for mine in &ours.attributes {
        // Whether the type has providers depends on other files.
        let known =
            mine.name == "provider" || theirs.attributes.iter().any(|it| it.name == mine.name);
        if !known {
            let wrong = vec![Wrong(label(&mine.name))];
            all.push((mine.name.clone(), wrong));
        }
    }
    all
}

fn attribute(ours: &Attribute, theirs: &TheirAttribute, label: &str) -> Vec<Difference> {
    let mut differences = Vec::new();
    let kind = match ours.kind {
        AttributeKind::Property => "property",
        _ => "parameter",
    };
    let mut check = |what: &str, good: bool| {
        if !good {
            differences.push(Wrong(format!("{what} of {label}: {ours:?}")));
        }
    };
    check("kind", kind == theirs.kind);
    check("namevar", ours.namevar == theirs.namevar);
    check("required", !ours.required || theirs.required);
    check(
        "features",
        sorted(&ours.required_features) == sorted(&theirs.features),
    );
    let among = |a: &[String], b: &[String]| a.iter().all(|it| b.contains(it));
    check("values", among(&ours.values, &theirs.values));
    check("patterns", among(&ours.patterns, &theirs.patterns));
    let all = among(&theirs.values, &ours.values) && among(&theirs.patterns, &ours.patterns);
    check("closed", !ours.closed || all && !theirs.own_validation);
    let default = ours.default.as_ref();
    check(
        "default",
        theirs.default.is_none() || default.is_none() || default == theirs.default.as_ref(),
    );
    let has_list = !theirs.values.is_empty() || !theirs.patterns.is_empty();
    // `isnamevar` on a property, which has no other effect.
    if theirs.required && !theirs.namevar && !ours.required {
        differences.push(Differs(format!("{label} is required")));
    }
    if !all {
        differences.push(Unreadable(format!("{label}\tsome of its values")));
    }
    if !ours.closed && !theirs.own_validation && has_list {
        differences.push(Unreadable(format!(
            "{label}\twhether it accepts other values"
        )));
    }
    if theirs.default.is_some() && default.is_none() {
        differences.push(Unreadable(format!("{label}\tits default")));
    }
    // Puppet generates documentation for `ensure` if it is missing.
    if theirs.doc && ours.doc.is_empty() && ours.name != "ensure" {
        differences.push(Differs(format!("no documentation of {label}")));
    }
    differences
}
