//! Unknown variables in data files and `hiera.yaml`.

use base::EnvironmentInput;
use hir::autoload::{NameKey, all_definitions};
use hir::possible_facts::may_be_fact;
use hir::resolve::{self, ResolveError};
use hir::ruby_symbols::custom_facts;
use hir::variables::{own_variables, resolve_qualified};
use hir::{ItemKind, canonical_name, items};
use salsa::Database;
use syntax::Severity;

use super::DataChecker;
use super::variables::{is_plain_name, misspelled_root};
use base::suggest::{hint, is_slip, similar};

/// The reason for a hint about a variable that is similar to no other one.
pub(crate) const UNDEFINED: &str = ": neither code nor a fact of the environment defines it";

/// Returns the severity and the message for a variable in data that is unknown, and the name that may be meant.
pub(crate) fn unknown_variable(
    checker: &DataChecker<'_>,
    key: &str,
    path: &[String],
) -> Option<(Severity, String, Option<String>)> {
    let (db, environment) = (checker.db, checker.environment);
    let name = path[0].as_str();
    if let Some(resolved) = resolve_qualified(db, Some(environment), name) {
        let (class, variable) = name.rsplit_once("::")?;
        resolved
            .err()
            .filter(|it| *it == ResolveError::NotDefined)?;
        let near = similar_in_class(db, environment, class, variable);
        let message = unknown_in_class(db, environment, class, variable, near.as_deref());
        return Some((
            Severity::Warning,
            message,
            near.map(|it| format!("{class}::{it}")),
        ));
    }
    let custom = custom_facts(db, environment);
    let is_known = library::variable(name).is_some()
        || library::fact(name).is_some()
        || library::legacy_fact(name).is_some()
        || library::is_module_fact(name)
        || custom.contains_key(name);
    let root = misspelled_root(path).filter(|_| !is_known);
    if let Some(near) = root.filter(|_| !variables_of(checker, key).contains(&path[0])) {
        let message = format!("unknown variable `{name}`{}", hint(Some(near)));
        return Some((Severity::Warning, message, Some(near.to_owned())));
    }
    // Code may define it.
    if is_known
        || !is_plain_name(name)
        || may_be_fact(db, environment, name)
        || is_in_code(db, environment, NameKey::new(db, name.to_owned()))
    {
        return None;
    }
    if library::TRUSTED_KEYS.contains(&name) {
        let near = format!("trusted.{name}");
        let message = format!("unknown variable `{name}`{}", hint(Some(&near)));
        return Some((Severity::Warning, message, Some(near)));
    }
    let built_in = library::variables().map(|it| it.name.as_str());
    let built_in = built_in.filter(|it| !it.contains("::"));
    let core = library::facts().map(|it| it.name.as_str());
    let legacy = library::legacy_facts().map(|it| it.name.as_str());
    let own = variables_of(checker, key);
    let known = built_in
        .chain(core)
        .chain(legacy)
        .chain(custom.keys().map(String::as_str))
        .chain(own.iter().map(String::as_str));
    let near = similar(name, known).filter(|it| is_slip(name, it));
    // A node classifier or an external fact may define the variable.
    let (severity, reason) = match near {
        Some(_) => (Severity::Warning, hint(near)),
        None => (Severity::Hint, UNDEFINED.to_owned()),
    };
    let message = format!("unknown variable `{name}`{reason}");
    Some((severity, message, near.map(str::to_owned)))
}

/// Returns the variables that the values of a key may see: those of the main manifests and of the class of the key.
fn variables_of(checker: &DataChecker<'_>, key: &str) -> Vec<String> {
    let (db, environment) = (checker.db, checker.environment);
    let manifests = environment.manifests(db).iter();
    let top = manifests.flat_map(|it| items(db, *it));
    let top = top.filter(|it| it.kind(db) == ItemKind::Main);
    let class = key.rsplit_once("::").and_then(|(class, _)| {
        let key = (ItemKind::Class, canonical_name(class));
        Some(*all_definitions(db, environment).get(&key)?.first()?)
    });
    let all = top.copied().chain(class);
    all.flat_map(|it| own_variables(db, it).names.iter().cloned())
        .collect()
}

/// Checks whether the code of an environment contains a variable of a name.
#[salsa::tracked(returns(copy))]
fn is_in_code<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: NameKey<'db>,
) -> bool {
    let wanted = format!("${}", name.text(db));
    let modules = environment.modules(db).values();
    let mut files = modules
        .flat_map(|it| it.files(db).values())
        .chain(environment.manifests(db).iter());
    files.any(|it| {
        it.text(db)
            .as_deref()
            .is_some_and(|it| it.contains(&wanted))
    })
}

/// Returns the variable of a class with the most similar name.
pub(crate) fn similar_in_class(
    db: &dyn Database,
    environment: EnvironmentInput,
    class: &str,
    name: &str,
) -> Option<String> {
    let key = (ItemKind::Class, canonical_name(class));
    let class = all_definitions(db, environment).get(&key)?.first()?;
    let names = own_variables(db, *class).names.iter();
    similar(name, names.map(String::as_str)).map(str::to_owned)
}

/// Returns the message for a variable that a class lacks, or whose class is unknown.
pub(crate) fn unknown_in_class(
    db: &dyn Database,
    environment: EnvironmentInput,
    class: &str,
    variable: &str,
    near: Option<&str>,
) -> String {
    match resolve::class(db, Some(environment), class) {
        Err(ResolveError::NotDefined) => {
            format!("unknown variable `{variable}`: unknown class `{class}`")
        }
        _ => format!(
            "unknown variable `{variable}` in class `{class}`{}",
            hint(near)
        ),
    }
}
