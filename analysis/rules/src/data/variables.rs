//! The variables and facts that data and `hiera.yaml` read.

use base::suggest::{hint, similar};
use base::{Fix, SettingsInput};
use hiera::LookupKey;
use hiera::interpolation::Method;
use hir::items;
use hir::possible_facts::may_be_fact;
use hir::resolve::{self, Definition};
use hir::ruby_symbols::custom_facts;
use hir::variables::own_variables;
use syntax::Severity;
use syntax::validation::PuppetVersion;

use super::DataChecker;
use super::strings::{Content, DataInterpolation};
use crate::fact_paths::{severity_of_unknown_fact, unknown_part};
use crate::rule::Rule;

/// Returns the name of the variable that an interpolation reads, and the path into its value; `None` if
/// it reads none, or a key contains quotes.
pub(crate) fn variable_path(content: &Content) -> Option<Vec<String>> {
    let name = match content {
        Content::Variable(name) => name,
        Content::Method(method, name) if Method::of_name(method) == Some(Method::Scope) => name,
        Content::Method(..) => return None,
    };
    if name.contains(['\'', '"', '(']) {
        return None;
    }
    let key = LookupKey::parse(name)?;
    let segments = key.segments.iter().map(ToString::to_string);
    let root = key.root.strip_prefix("::").unwrap_or(&key.root);
    Some(std::iter::once(root.to_owned()).chain(segments).collect())
}

/// Returns `facts` or `trusted` if a path continues like theirs, but starts with a similar name.
pub(crate) fn misspelled_root(path: &[String]) -> Option<&'static str> {
    let [name, key, ..] = path else {
        return None;
    };
    let near = similar(name, ["facts", "trusted"])?;
    let continues = match near {
        "trusted" => library::TRUSTED_KEYS.contains(&key.as_str()),
        _ => library::fact(key).is_some(),
    };
    continues.then_some(near)
}

/// Checks whether a name is one of a variable without a namespace.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let is_start = |it: char| it.is_ascii_lowercase() || it == '_';
    name.starts_with(is_start)
        && name
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// The version of Puppet, and the facts that modules define.
pub(crate) struct FactContext<'a> {
    pub(crate) version: PuppetVersion,
    pub(crate) custom: Vec<&'a str>,
    /// Checks whether a name may be that of a custom or external fact.
    pub(crate) may_be_fact: &'a dyn Fn(&str) -> bool,
}

/// A mistake in the path of a fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FactProblem {
    pub(crate) kind: FactProblemKind,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    /// The suggested path, as in an interpolation: the structured fact, or the path with the most similar key.
    pub(crate) replacement: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FactProblemKind {
    /// A legacy fact.
    Legacy,
    /// A key that a fact or `$trusted` does not have.
    UnknownKey,
}

/// Returns the mistake in the path of a variable, if it is a fact that no module defines.
pub(crate) fn fact_problem(path: &[String], context: &FactContext<'_>) -> Option<FactProblem> {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let keys = match &path[..] {
        ["trusted", rest @ ..] => return unknown_key_of_trusted(rest),
        ["server_facts", key, rest @ ..] => return unknown_server_fact(key, rest),
        ["facts", rest @ ..] => rest,
        rest => rest,
    };
    let name = *keys.first()?;
    if context.custom.contains(&&*name.to_ascii_lowercase()) {
        return None;
    }
    if library::fact(name).is_some() {
        return unknown_key(&path, keys);
    }
    let may_exist = library::is_module_fact(name) || (context.may_be_fact)(name);
    let is_of_facts = keys.len() < path.len() && !may_exist;
    match legacy(name, context.version) {
        None if is_of_facts => unknown_fact(&path, name, context),
        found => found,
    }
}

/// Returns the mistake in the name of a fact that is similar to another one. It may be an external fact.
fn unknown_fact(path: &[&str], name: &str, context: &FactContext<'_>) -> Option<FactProblem> {
    let core = library::facts().map(|it| it.name.as_str());
    let Some(near) = similar(name, context.custom.iter().copied().chain(core)) else {
        return unknown_legacy_fact(name);
    };
    Some(FactProblem {
        kind: FactProblemKind::UnknownKey,
        severity: severity_of_unknown_fact(&path[1..], near),
        message: format!("unknown fact `{name}`{}", hint(Some(near))),
        replacement: Some(replaced(path, 1, near)),
    })
}

/// Returns the mistake in the name of a fact that is similar to a legacy one.
fn unknown_legacy_fact(name: &str) -> Option<FactProblem> {
    let legacy = library::legacy_facts().map(|it| it.name.as_str());
    let near = similar(name, legacy.filter(|it| !it.contains('<')))?;
    let modern = interpolated(library::legacy_fact(near)?.modern.as_deref()?)?;
    let meant = modern.trim_start_matches("facts.").to_owned();
    Some(FactProblem {
        kind: FactProblemKind::UnknownKey,
        severity: Severity::Hint,
        message: format!("unknown fact `{name}`{}", hint(Some(&meant))),
        replacement: Some(modern),
    })
}

fn legacy(name: &str, version: PuppetVersion) -> Option<FactProblem> {
    let fact = library::legacy_fact(name)?;
    let modern = interpolated(fact.modern.as_deref()?)?;
    let name = &fact.name;
    let (severity, reason) = match version {
        PuppetVersion::V7 => (Severity::Hint, ""),
        PuppetVersion::V8 => (Severity::Warning, ", which Puppet 8 omits by default"),
    };
    Some(FactProblem {
        kind: FactProblemKind::Legacy,
        severity,
        message: format!("`{name}` is a legacy fact{reason}; use `%{{{modern}}}` instead"),
        replacement: Some(modern),
    })
}

/// Converts `$facts['os']['name']` to `facts.os.name`.
fn interpolated(modern: &str) -> Option<String> {
    let keys = modern.strip_prefix("$facts['")?.strip_suffix("']")?;
    let keys: Vec<&str> = keys.split("']['").collect();
    let is_plain = |it: &&str| !it.contains(['\'', '.', '[', '(']);
    keys.iter()
        .all(is_plain)
        .then(|| format!("facts.{}", keys.join(".")))
}

/// Returns the first key that a core fact does not have. External facts may replace core facts, so that
/// only keys similar to a known one are mistakes.
fn unknown_key(path: &[&str], keys: &[&str]) -> Option<FactProblem> {
    let index = (1..keys.len()).find(|it| library::fact_part(&keys[..=*it]).is_none())?;
    let parent = library::fact_part(&keys[..index])?;
    if parent.is_scalar() {
        let (fact, key) = (keys[..index].join("."), keys[index]);
        return Some(FactProblem {
            kind: FactProblemKind::UnknownKey,
            severity: Severity::Warning,
            message: format!("cannot look up `{key}` in fact `{fact}`: it has no keys"),
            replacement: None,
        });
    }
    if !parent.has_known_keys() {
        return None;
    }
    let (message, near) = unknown_part(&keys[..=index]);
    let near = near?;
    let at = path.len() - keys.len() + index;
    Some(FactProblem {
        kind: FactProblemKind::UnknownKey,
        severity: Severity::Warning,
        message,
        replacement: Some(replaced(path, at, near)),
    })
}

fn unknown_key_of_trusted(keys: &[&str]) -> Option<FactProblem> {
    let key = *keys.first()?;
    if library::TRUSTED_KEYS.contains(&key) {
        return None;
    }
    let near = similar(key, library::TRUSTED_KEYS);
    let reason = match near {
        None if key.starts_with("pp_") => {
            format!("; did you mean `trusted.extensions.{key}`?")
        }
        near => hint(near),
    };
    let fixed = match near {
        None if key.starts_with("pp_") => {
            let path = ["trusted", "extensions"].iter().chain(keys);
            Some(path.copied().collect::<Vec<_>>().join("."))
        }
        near => near.map(|it| replaced(&[&["trusted"], keys].concat(), 1, it)),
    };
    Some(FactProblem {
        kind: FactProblemKind::UnknownKey,
        severity: Severity::Warning,
        message: format!("no key `{key}` in `$trusted`{reason}"),
        replacement: fixed,
    })
}

/// Returns the mistake in the name of a fact of the server that is similar to another one.
fn unknown_server_fact(name: &str, rest: &[&str]) -> Option<FactProblem> {
    let near =
        similar(name, library::SERVER_FACTS).filter(|_| !library::SERVER_FACTS.contains(&name))?;
    Some(FactProblem {
        kind: FactProblemKind::UnknownKey,
        severity: Severity::Warning,
        message: format!("no key `{name}` in `$server_facts`{}", hint(Some(near))),
        replacement: Some([&["server_facts", near], rest].concat().join(".")),
    })
}

fn replaced(path: &[&str], at: usize, near: &str) -> String {
    let mut path = path.to_vec();
    path[at] = near;
    path.join(".")
}

impl DataChecker<'_> {
    /// Reports the mistakes of a kind in the paths of facts in the file.
    pub(crate) fn report_fact_problems(&mut self, rule: &'static Rule, kind: FactProblemKind) {
        for (at, problem) in self.fact_problems() {
            if problem.kind == kind {
                let replacement = problem.replacement;
                let fix = replacement.and_then(|it| self.replaced_variable(&at, &it));
                let found = self.report_as(rule, problem.severity, at.range, problem.message);
                found.fixes.extend(fix);
            }
        }
    }

    fn fact_problems(&self) -> Vec<(DataInterpolation, FactProblem)> {
        let may_be_fact = |name: &str| may_be_fact(self.db, self.environment, name);
        let context = FactContext {
            version: SettingsInput::get(self.db).version(self.db),
            may_be_fact: &may_be_fact,
            custom: custom_facts(self.db, self.environment)
                .keys()
                .map(String::as_str)
                .collect(),
        };
        let found = self.interpolations().into_iter().filter_map(|it| {
            let path = variable_path(&it.content)?;
            let problem = fact_problem(&path, &context)?;
            (!self.is_variable(&it.key, &path[0])).then_some((it, problem))
        });
        found.collect()
    }

    /// Checks whether a name is a variable of the main manifest, or of the class that a key is for.
    fn is_variable(&self, key: &str, name: &str) -> bool {
        let (db, environment) = (self.db, self.environment);
        let manifests = environment.manifests(db).iter();
        let mut items = manifests.flat_map(|it| items(db, *it));
        if items.any(|it| own_variables(db, *it).names.contains(name)) {
            return true;
        }
        let class = key.rsplit_once("::");
        let class = class.map(|it| resolve::class(db, Some(environment), it.0));
        match class {
            Some(Ok(Definition::Item(class))) => own_variables(db, class).names.contains(name),
            _ => false,
        }
    }

    /// Returns a fix that replaces the variable of an interpolation.
    pub(crate) fn replaced_variable(&self, at: &DataInterpolation, variable: &str) -> Option<Fix> {
        let text = match &at.content {
            Content::Variable(_) => format!("%{{{variable}}}"),
            Content::Method(name, argument) => {
                let quote = at.written.chars().find(|it| matches!(it, '\'' | '"'))?;
                let old = format!("{quote}{argument}{quote}");
                let start = at.written.find(name.as_str())? + name.len();
                let rest =
                    at.written[start..].replacen(&old, &format!("{quote}{variable}{quote}"), 1);
                format!("{}{rest}", &at.written[..start])
            }
        };
        let label = format!("Replace with `{text}`");
        self.replaced_as_written((at.range, &at.written), label, text)
    }
}
