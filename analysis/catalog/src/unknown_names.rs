//! Names and paths that Puppet certainly does not find.

use base::{FileInput, ModuleInput};
use eval::{EvalError, EvalFailure, FlowResult, Issue};
use hir::body::PathKind;
use hir::other_versions::is_other_version;
use hir::resolve::{self, ResolveError, is_certainly_unknown};
use hir::{ItemKind, canonical_name};
use library::{KnownFunction, products};
use syntax::SyntaxNode;
use syntax::ast::{AstNode, Expr};
use types::values::Value;

use crate::state::{Compiler, ScopeId};
use crate::values::{error, flattened};

impl Compiler<'_> {
    /// Fails if a name that is not found for a reason is certainly unknown. `noun` is what it names.
    pub(crate) fn check_known(
        &self,
        scope: ScopeId,
        (noun, name): (&str, &str),
        why: &ResolveError,
    ) -> FlowResult<()> {
        match self.is_unknown(scope, name, why) && !products::is_of_server(name) {
            true => Err(error(unknown_name(noun, name, why))),
            false => Ok(()),
        }
    }

    /// Returns the failure of a call to a function that is certainly unknown.
    pub(crate) fn unknown_function(&self, scope: ScopeId, name: &str) -> Option<EvalFailure> {
        let why = resolve::function(self.db, Some(self.environment), name).err()?;
        // The module `stdlib` defines most of the known ones, in one of its versions.
        let may_exist = KnownFunction::from_name(name).is_some() || products::is_of_server(name);
        let message = || unknown_name("function", name, &why);
        let is_unknown = !may_exist && self.is_unknown(scope, name, &why);
        is_unknown.then(|| EvalError::new(Issue::UnknownFunction, message()).into())
    }

    /// Returns the failure of a reference to a type that is certainly unknown.
    pub(crate) fn unknown_type(&self, scope: ScopeId, name: &str) -> Option<EvalFailure> {
        let why = resolve::type_name(self.db, Some(self.environment), name).err()?;
        let own = (ItemKind::TypeAlias, canonical_name(name));
        let may_exist = products::is_of_server(&own.1) || self.own.contains_key(&own);
        let message = || unknown_name("type", name, &why);
        let is_unknown = !may_exist && self.is_unknown(scope, name, &why);
        is_unknown.then(|| EvalError::new(Issue::UnknownResourceType, message()).into())
    }

    /// Fails if a resource type is certainly unknown.
    pub(crate) fn check_resource_type(&self, scope: ScopeId, name: &str) -> FlowResult<()> {
        if matches!(name, "" | "class") || self.has_resource_type(name).is_some() {
            return Ok(());
        }
        match resolve::resource_type(self.db, Some(self.environment), name) {
            Err(why) => self.check_known(scope, ("resource type", name), &why),
            Ok(_) => Ok(()),
        }
    }

    /// Fails if a function that creates resources gets a type that is certainly unknown. Rules report literal types.
    pub(crate) fn check_created_type(
        &self,
        scope: ScopeId,
        call: Option<&SyntaxNode>,
        type_name: Option<&Value>,
    ) -> FlowResult<()> {
        let name = type_name.and_then(Value::as_str).unwrap_or_default();
        let name = canonical_name(name.trim_start_matches('@'));
        let arguments = call.and_then(|it| Expr::cast(it.clone())?.named_call());
        let is_literal = |it: &Expr| it.plain_text().is_some();
        if arguments.is_none_or(|it| it.1.first().is_none_or(is_literal))
            || matches!(name.as_str(), "" | "class")
            || products::is_of_server(&name)
            || self.is_defined_type(&name)
            || self.has_resource_type(&name).is_some()
        {
            return Ok(());
        }
        match resolve::resource_type(self.db, Some(self.environment), &name) {
            Err(why) if self.is_absent(scope, &name, &why) => {
                Err(error(unknown_name("resource type", &name, &why)))
            }
            _ => Ok(()),
        }
    }

    /// Checks whether a name that is not found for a reason is certainly unknown to the code of a scope. Rules report such
    /// names at each reference, not in the catalogs of sample nodes.
    pub(crate) fn is_unknown(&self, scope: ScopeId, name: &str, why: &ResolveError) -> bool {
        !self.is_sample && self.is_absent(scope, name, why)
    }

    /// Checks whether a name that is not found for a reason is certainly undefined.
    fn is_absent(&self, scope: ScopeId, name: &str, why: &ResolveError) -> bool {
        let module = self.module_of(scope);
        is_certainly_unknown(self.db, self.environment, module, why)
            && !self.is_in_other_version(scope, name)
    }

    /// Checks whether the code of a scope requires another version of the module of a name or path: that one may define it.
    pub(crate) fn is_in_other_version(&self, scope: ScopeId, name: &str) -> bool {
        let module = name.trim_start_matches("::").split(['/', ':']).next();
        let module = module.unwrap_or_default().to_ascii_lowercase();
        let (environment, own) = (Some(self.environment), self.module_of(scope));
        is_other_version(self.db, environment, own, &module)
    }

    /// Fails if a function that reads files does not find one. Rules report the paths in the code of a call, and do not
    /// end the catalogs of sample nodes there.
    pub(crate) fn check_paths(
        &self,
        scope: ScopeId,
        function: KnownFunction,
        (call, args): (Option<&SyntaxNode>, &[Value]),
    ) -> FlowResult<()> {
        if self.is_sample && !call.is_some_and(|it| has_computed_path(it, function)) {
            return Ok(());
        }
        let args = flattened(args);
        let paths: Option<Vec<&str>> = args.iter().map(Value::as_str).collect();
        let paths = paths.unwrap_or_default();
        let missing = |kind, path: &&str| self.missing_path(scope, kind, path);
        let message = match function {
            KnownFunction::Template => {
                let mut paths = paths.iter();
                paths.find_map(|it| missing(PathKind::Template, it))
            }
            KnownFunction::Epp => {
                let path = args.first().and_then(Value::as_str);
                path.and_then(|it| missing(PathKind::Epp, &it))
            }
            // The first one that exists counts.
            KnownFunction::File | KnownFunction::BinaryFile => {
                let messages = paths.iter().map(|it| missing(PathKind::File, it));
                let messages: Option<Vec<String>> = messages.collect();
                let all: Vec<String> = paths.iter().map(ToString::to_string).collect();
                messages.and_then(|it| match <[String; 1]>::try_from(it) {
                    Ok([message]) => Some(message),
                    Err(several) if several.is_empty() => None,
                    Err(_) => Some(missing_paths(PathKind::File, &all)),
                })
            }
            _ => None,
        };
        message.map_or(Ok(()), |it| Err(error(it)))
    }

    /// Renders that a path certainly leads to no file.
    fn missing_path(&self, scope: ScopeId, kind: PathKind, path: &str) -> Option<String> {
        if self.is_in_other_version(scope, path) {
            return None;
        }
        let environment = Some(self.environment);
        if resolve::is_missing_path(self.db, environment, kind, path) {
            return Some(missing_paths(kind, &[path.to_owned()]));
        }
        match resolve::file(self.db, environment, kind, path) {
            Err(why @ ResolveError::UndeclaredModule(_)) if self.is_unknown(scope, path, &why) => {
                let module = path.split('/').next().unwrap_or_default();
                Some(format!(
                    "{} `{path}` not found: module `{module}` is neither installed nor declared",
                    noun(kind)
                ))
            }
            _ => None,
        }
    }

    /// Returns the file of the code of a scope.
    pub(crate) fn file_of_scope(&self, scope: ScopeId) -> Option<FileInput> {
        let state = self.state.borrow();
        let file = state.effects.scopes.get(scope.0)?.origin?.file?;
        state.effects.files.get(&file).copied()
    }

    fn module_of(&self, scope: ScopeId) -> Option<ModuleInput> {
        self.file_of_scope(scope)?.module(self.db)
    }
}

/// Checks whether a call computes paths.
fn has_computed_path(call: &SyntaxNode, function: KnownFunction) -> bool {
    let arguments = Expr::cast(call.clone()).and_then(|it| it.named_call());
    let paths = arguments.into_iter().flat_map(|it| it.1);
    let count = match function {
        KnownFunction::Epp => 1,
        _ => usize::MAX,
    };
    paths.take(count).any(|it| it.plain_text().is_none())
}

/// Renders that a name is unknown, and why if that is not obvious.
fn unknown_name(noun: &str, name: &str, why: &ResolveError) -> String {
    let explanation = why.explanation().map(|it| format!(": {it}"));
    format!("unknown {noun} `{name}`{}", explanation.unwrap_or_default())
}

fn noun(kind: PathKind) -> &'static str {
    match kind {
        PathKind::Template | PathKind::Epp => "template",
        PathKind::File | PathKind::Source => "file",
    }
}

/// Renders that none of the paths of a file or template exists.
#[must_use]
pub fn missing_paths(kind: PathKind, paths: &[String]) -> String {
    let noun = noun(kind);
    let prefix = match kind {
        PathKind::Source => "puppet:///modules/",
        _ => "",
    };
    match paths {
        [path] => match path.split_once('/') {
            Some((module, rest)) => format!("{noun} `{rest}` not found in module `{module}`"),
            None => {
                format!("{noun} `{path}` not found: expected `module/path` or an absolute path")
            }
        },
        all => {
            let all: Vec<_> = all.iter().map(|it| format!("`{prefix}{it}`")).collect();
            format!("{noun} not found at any of these paths: {}", all.join(", "))
        }
    }
}
