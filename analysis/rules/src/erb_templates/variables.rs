//! The variables that a template reads, but that exist nowhere.

use base::SettingsInput;
use base::suggest::{hint, similar};
use hir::autoload::module_puppet_files;
use hir::body::body;
use hir::other_versions::is_other_version;
use hir::possible_facts::is_likely_fact;
use hir::resolve::ResolveError;
use hir::variables::{resolve_external_variable, resolve_qualified};
use hir::{Item, items};
use library::products;
use library::ruby::{ErbName, ErbNotation, ErbRead, ErbVariable};
use rustc_hash::FxHashSet;
use syntax::Severity;
use syntax::validation::PuppetVersion;

use super::{RubyTemplate, TemplateProblem};
use crate::data::{similar_in_class, unknown_in_class};

/// Returns the unknown variables of a template, and the names that lack the `@` of a variable.
pub(crate) fn unknown_variables(template: &RubyTemplate<'_>) -> Vec<TemplateProblem> {
    let names = template.names;
    if names.is_open {
        return Vec::new();
    }
    let bare = names.bare_names.iter();
    let mut found: Vec<_> = bare.filter_map(|it| template.bare_name(it)).collect();
    found.extend(names.globals.iter().map(|it| template.global(it)));
    let qualified = names.qualified.iter();
    found.extend(qualified.filter_map(|it| template.qualified(it)));
    // The start of a qualified name is a read, too.
    let reads = template.unknown_reads();
    let starts: FxHashSet<_> = found.iter().map(|it| it.range.start()).collect();
    found.extend(reads.filter(|it| !starts.contains(&it.range.start())));
    found
}

impl<'a> RubyTemplate<'a> {
    fn unknown_reads(&self) -> impl Iterator<Item = TemplateProblem> {
        let reads = self.names.reads.iter();
        let reads = reads.filter(|it| {
            it.notation != ErbNotation::FactKey && !self.names.is_optional(it.plain_name())
        });
        reads.filter_map(|it| match it.plain_name().contains("::") {
            true => self.unknown_of_class(it),
            false => self.unknown_in_scope(self.callers.as_deref()?, it),
        })
    }

    /// Returns the severity of a read that Puppet 7 evaluates to `nil` unless `strict_variables` is set.
    fn if_strict(&self, severity: Severity) -> Severity {
        match (severity, SettingsInput::get(self.db).version(self.db)) {
            (Severity::Error, PuppetVersion::V7) => Severity::Warning,
            _ => severity,
        }
    }

    /// Checks a variable with a qualified name.
    fn unknown_of_class(&self, read: &ErbRead) -> Option<TemplateProblem> {
        let (db, environment) = (self.db, self.environment);
        match resolve_qualified(db, Some(environment), &read.name)? {
            Err(ResolveError::NotDefined) => {}
            _ => return None,
        }
        let (class, variable) = read.name.rsplit_once("::")?;
        let shown = class.trim_start_matches("::");
        let module = shown.split("::").next().unwrap_or_default();
        let is_uncertain = is_other_version(db, Some(environment), self.module, module);
        let near = similar_in_class(db, environment, shown, variable);
        Some(TemplateProblem {
            range: read.range,
            severity: if is_uncertain {
                Severity::Hint
            } else {
                self.if_strict(Severity::Error)
            },
            message: unknown_in_class(db, environment, shown, variable, near.as_deref()),
            replacement: near.map(|it| format!("{class}::{it}")),
        })
    }

    /// Checks a variable of the code that renders the template.
    fn unknown_in_scope(&self, callers: &[Item<'a>], read: &ErbRead) -> Option<TemplateProblem> {
        let (db, environment) = (self.db, self.environment);
        let name = read.plain_name();
        if callers.iter().any(|it| self.has_variable(*it, name))
            || products::is_of_server(name)
            || is_likely_fact(db, environment, name)
            || self.is_bound_in_module(name)
        {
            return None;
        }
        let near = self.similar_variable(callers, name);
        let severity = match (read.notation, near) {
            // Ruby has a value for it, `nil`.
            (ErbNotation::Instance, Some(_)) => Severity::Warning,
            (_, Some(_)) => self.if_strict(Severity::Error),
            // A node classifier may define it.
            (_, None) => Severity::Hint,
        };
        let shown = match read.notation {
            ErbNotation::Instance => "@",
            _ => "",
        };
        let suggested = near.map(|it| format!("{shown}{it}"));
        Some(TemplateProblem {
            range: read.range,
            severity,
            message: format!(
                "unknown variable `{shown}{name}`{}",
                hint(suggested.as_deref())
            ),
            replacement: near.map(|it| format!("{shown}{}", read.name.replacen(name, it, 1))),
        })
    }

    /// Checks a name without a sigil, which Ruby takes for a local variable or a method.
    fn bare_name(&self, variable: &ErbVariable) -> Option<TemplateProblem> {
        let ErbName { name, range } = &variable.name;
        if variable.is_method {
            let callers = self.callers.as_deref()?;
            if !callers.iter().all(|it| binds(self, *it, name)) {
                return None;
            }
            return Some(TemplateProblem {
                range: *range,
                severity: Severity::Warning,
                message: format!("`{name}` is a method of Ruby; did you mean `@{name}`?"),
                replacement: Some(format!("@{name}")),
            });
        }
        let meant = self.meant(name).map(|it| format!("@{it}"));
        Some(TemplateProblem {
            range: *range,
            severity: self.severity_of_failure(),
            message: format!("unknown variable `{name}`{}", hint(meant.as_deref())),
            replacement: meant,
        })
    }

    /// Reports a name with the sigil of Puppet, which is a global variable of Ruby without a value.
    fn global(&self, global: &ErbName) -> TemplateProblem {
        let name = &global.name;
        let meant = self.meant(name).map(|it| format!("@{it}"));
        TemplateProblem {
            range: global.range,
            severity: Severity::Warning,
            message: format!("unknown variable `${name}`{}", hint(meant.as_deref())),
            replacement: meant,
        }
    }

    /// Checks a name such as `@class::name`, which is a call of a method of `@class`.
    fn qualified(&self, read: &ErbName) -> Option<TemplateProblem> {
        let (db, environment, name) = (self.db, self.environment, &read.name);
        let first = name.split("::").next()?;
        let callers = self.callers.as_deref().unwrap_or_default();
        let is_variable = callers.iter().any(|it| self.has_variable(*it, first))
            || self.is_bound_in_module(first);
        let is_meant = matches!(resolve_qualified(db, Some(environment), name), Some(Ok(_)));
        let meant = format!("scope['{name}']");
        (is_meant && !is_variable).then(|| TemplateProblem {
            range: read.range,
            severity: self.severity_of_failure(),
            message: format!("unknown variable `@{name}`{}", hint(Some(&meant))),
            replacement: Some(meant),
        })
    }

    /// Returns the severity of code that fails if Puppet renders the template.
    pub(super) fn severity_of_failure(&self) -> Severity {
        match self.is_rendered {
            true => Severity::Error,
            false => Severity::Warning,
        }
    }

    /// Returns the variable that is meant by a name without its sigil: the same or a similar one.
    pub(super) fn meant<'n>(&self, name: &'n str) -> Option<&'n str>
    where
        'a: 'n,
    {
        let callers = self.callers.as_deref().unwrap_or_default();
        let is_known = callers.iter().any(|it| self.has_variable(*it, name))
            || library::fact(name).is_some()
            || library::legacy_fact(name).is_some()
            || self.is_bound_in_module(name);
        match is_known {
            true => Some(name),
            false => self.similar_variable(callers, name),
        }
    }

    fn similar_variable(&self, callers: &[Item<'a>], name: &str) -> Option<&'a str> {
        let scopes = callers.iter().flat_map(|it| &body(self.db, *it).scopes);
        let own = scopes.flat_map(|it| &it.bindings);
        let own = own.map(|it| it.name.as_str());
        let facts = library::facts().map(|it| it.name.as_str());
        similar(name, own.chain(facts))
    }

    /// Checks whether a variable may exist in the code that renders the template.
    fn has_variable(&self, caller: Item<'a>, name: &str) -> bool {
        let found = resolve_external_variable(self.db, Some(self.environment), caller, name);
        let is_unknown = matches!(
            found,
            Err(ResolveError::NotDefined | ResolveError::MaybeExternal)
        );
        binds(self, caller, name) || !is_unknown
    }

    /// Checks whether any code of the file's module assigns a variable: it may render the template with a computed
    /// path.
    fn is_bound_in_module(&self, name: &str) -> bool {
        let files = self
            .file_module
            .iter()
            .flat_map(|it| module_puppet_files(self.db, *it));
        let mut items = files.flat_map(|it| items(self.db, *it));
        items.any(|it| binds(self, *it, name))
    }
}

/// Checks whether an item assigns a variable, also in a lambda.
pub(super) fn binds(template: &RubyTemplate<'_>, item: Item<'_>, name: &str) -> bool {
    let mut scopes = body(template.db, item).scopes.iter();
    scopes.any(|it| it.binds(name))
}
