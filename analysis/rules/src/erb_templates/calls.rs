//! The methods and the functions of Puppet that a template calls, but that do not exist.

use base::SettingsInput;
use base::suggest::{hint, is_slip, similar};
use hir::autoload::{NameKey, RubyKind, ruby_file, ruby_files};
use hir::body::PathKind;
use hir::canonical_name;
use hir::resolve::{self, ResolveError, function, has_all_modules};
use library::ruby::{ErbCall, ErbCallTarget, ErbMethod, ErbName, has_legacy_api, known_constants};
use library::{KnownFunction, NamedEntity, products};
use syntax::Severity;

use super::variable_types::{similar_method, unknown_value_methods};
use super::{RubyTemplate, TemplateProblem};
use crate::unresolved::similar_file;

/// The methods of a scope that templates are meant to call.
const SCOPE_METHODS: [&str; 4] = ["call_function", "exist?", "include?", "lookupvar"];
/// The keywords that are most often misspelled.
const KEYWORDS: [&str; 3] = ["else", "elsif", "end"];

/// The methods of Ruby that templates often call with a block.
const ITERATIONS: &str = "collect each each_with_index map select sort_by";

/// The minimum length of a misspelled constant: shorter ones are similar to too many others.
const MIN_CONSTANT: usize = 4;

/// Returns the calls of methods and functions, and the constants, that do not exist.
pub(crate) fn unknown_functions(template: &RubyTemplate<'_>) -> Vec<TemplateProblem> {
    let calls = template.names.calls.iter();
    let found = calls.filter_map(|it| match it.target {
        ErbCallTarget::Template => Some(template.unknown_method(it)),
        ErbCallTarget::Scope => Some(template.unknown_scope_method(it)),
        ErbCallTarget::Function => template.unknown_function(it),
        ErbCallTarget::LegacyFunction { lacks_array } => template
            .unknown_function(it)
            .or_else(|| template.legacy_call(it, lacks_array)),
    });
    let constants = template.names.constants.iter();
    let constants = constants.filter_map(|it| template.unknown_constant(it));
    let methods = template.names.methods.iter();
    let methods = methods.filter_map(|it| template.unknown_method_of_value(it));
    let typed = unknown_value_methods(template).into_iter();
    found.chain(constants).chain(methods).chain(typed).collect()
}

/// Returns the templates and files that functions called in a template read, but that do not exist.
pub(crate) fn missing_templates(template: &RubyTemplate<'_>) -> Vec<TemplateProblem> {
    let calls = template.names.calls.iter();
    calls
        .filter_map(|it| template.missing_template(it))
        .collect()
}

impl RubyTemplate<'_> {
    fn problem(&self, call: &ErbCall, severity: Severity, message: String) -> TemplateProblem {
        TemplateProblem {
            range: call.name.range,
            severity,
            message,
            replacement: None,
        }
    }

    /// Reports a method that templates lack.
    fn unknown_method(&self, call: &ErbCall) -> TemplateProblem {
        let name = &call.name.name;
        let meant = self.call_of_function(name).or_else(|| {
            let variable = self.meant(name).map(|it| format!("@{it}"));
            similar(name, KEYWORDS).map(str::to_owned).or(variable)
        });
        let message = format!("unknown method `{name}`{}", hint(meant.as_deref()));
        self.problem(call, self.severity_of_failure(), message)
    }

    /// Reports a misspelled constant. Other ones may come from the code of a module.
    fn unknown_constant(&self, constant: &ErbName) -> Option<TemplateProblem> {
        let name = &constant.name;
        let is_near = |it: &&str| {
            it.eq_ignore_ascii_case(name) || name.len() >= MIN_CONSTANT && is_slip(name, it)
        };
        let near = known_constants().find(is_near)?;
        Some(misspelled("constant", constant, near))
    }

    /// Reports a misspelled method of a value.
    fn unknown_method_of_value(&self, method: &ErbMethod) -> Option<TemplateProblem> {
        let name = &method.name;
        let near = similar_method(&name.name).or_else(|| {
            let is_near = |it: &&str| is_slip(&name.name, it);
            match method.class {
                Some(class) => class.methods().find(is_near),
                None => ITERATIONS
                    .split_whitespace()
                    .filter(|_| method.has_block)
                    .find(is_near),
            }
        })?;
        Some(misspelled("method", name, near))
    }

    /// Renders the call of a function of Puppet, if it exists.
    fn call_of_function(&self, name: &str) -> Option<String> {
        let is_function = function(self.db, Some(self.environment), name).is_ok();
        is_function.then(|| format!("scope.call_function('{name}', …)"))
    }

    fn unknown_scope_method(&self, call: &ErbCall) -> TemplateProblem {
        let name = &call.name.name;
        let near = similar(name, SCOPE_METHODS).map(str::to_owned);
        let meant = self.call_of_function(name).or(near);
        let near = hint(meant.as_deref());
        let message = format!("unknown method `{name}` of `scope`{near}");
        self.problem(call, self.severity_of_failure(), message)
    }

    /// Checks whether a function exists.
    fn unknown_function(&self, call: &ErbCall) -> Option<TemplateProblem> {
        let name = canonical_name(&call.name.name);
        let missing = function(self.db, Some(self.environment), &name).err()?;
        if products::is_of_server(&name) {
            return None;
        }
        let near = self.similar_function(&name);
        let is_near = near.is_some_and(|it| is_slip(&name, it));
        let severity = match missing {
            ResolveError::NotDefined => Severity::Error,
            // A function of a well-known module, which is neither installed nor declared.
            ResolveError::MaybeExternal if KnownFunction::from_name(&name).is_some() => {
                self.has_all_modules().then_some(Severity::Warning)?
            }
            ResolveError::MaybeExternal if self.has_all_modules() || is_near => Severity::Error,
            _ => return None,
        };
        let message = format!("unknown function `{name}`{}", hint(near));
        Some(self.problem(call, severity, message))
    }

    fn similar_function(&self, name: &str) -> Option<&str> {
        let shipped = library::functions(SettingsInput::get(self.db).version(self.db))
            .map(|it| it.name.as_str());
        let in_ruby = ruby_files(self.db, self.environment).keys();
        let in_ruby = in_ruby.filter(|it| RubyKind::FUNCTIONS.contains(&it.0));
        similar(name, shipped.chain(in_ruby.map(|it| it.1.as_str())))
    }

    fn has_all_modules(&self) -> bool {
        has_all_modules(self.db, self.environment, self.module)
    }

    /// Checks a call with the 3.x API of a function that exists.
    fn legacy_call(&self, call: &ErbCall, lacks_array: bool) -> Option<TemplateProblem> {
        let name = &call.name.name;
        let key = NameKey::new(self.db, name.clone());
        let in_module = ruby_file(self.db, self.environment, RubyKind::Function3x, key).is_some();
        let has_api = in_module || has_legacy_api(name);
        let message = match has_api {
            true if lacks_array => {
                format!("`function_{name}` expects a single array of arguments")
            }
            // A module may add the function with the 3.x API.
            false if self.has_all_modules() => format!(
                "function `{name}` cannot be called as `function_{name}`; use \
                 `scope.call_function('{name}', …)` instead"
            ),
            _ => return None,
        };
        Some(self.problem(call, self.severity_of_failure(), message))
    }

    /// Checks the path of a template or file that a function reads.
    fn missing_template(&self, call: &ErbCall) -> Option<TemplateProblem> {
        let path = call.first.as_ref()?;
        let is_function = matches!(
            call.target,
            ErbCallTarget::Function | ErbCallTarget::LegacyFunction { .. }
        );
        let function = KnownFunction::from_name(&call.name.name).filter(|_| is_function)?;
        let kind = match function.names()? {
            NamedEntity::Template => PathKind::Template,
            NamedEntity::EppTemplate => PathKind::Epp,
            _ => return None,
        };
        let (db, environment) = (self.db, self.environment);
        match resolve::file(db, Some(environment), kind, &path.name) {
            Err(ResolveError::NotDefined) => {}
            _ => return None,
        }
        let (module, rest) = path.name.split_once('/')?;
        let near = similar_file(db, environment, kind, module, rest);
        Some(TemplateProblem {
            range: path.range,
            severity: self.severity_of_failure(),
            message: format!(
                "template `{rest}` not found in module `{module}`{}",
                hint(near)
            ),
            replacement: near.map(|it| format!("{module}/{it}")),
        })
    }
}

/// Reports a name that is a typo of a known one.
fn misspelled(kind: &str, name: &ErbName, meant: &str) -> TemplateProblem {
    TemplateProblem {
        range: name.range,
        severity: Severity::Warning,
        message: format!("unknown {kind} `{}`{}", name.name, hint(Some(meant))),
        replacement: Some(meant.to_owned()),
    }
}
