//! Names that do not resolve: whether they are certainly unknown, and the names that may be meant.

use base::suggest::{hint, is_slip, similar};
use base::{EnvironmentInput, ModuleInput, ModulepathKind};
use hir::autoload::{
    NameKey, RubyKind, all_definitions, find_item, module_puppet_files, ruby_files,
};
use hir::body::{ClassUse, PathKind, Reference, ReferenceName, Resource, body};
use hir::other_versions::{has_required_versions, is_of_other_version, is_other_version};
use hir::resolve::{
    Definition, ResolveError, has_all_modules, has_all_modules_in_any_version,
    has_known_dependencies, resolve,
};
use hir::{ItemKind, canonical_name, items, signature};
use infer::TypeProblemKind;
use library::products;
use salsa::Database;
use syntax::ast::{AstNode, Expr, ResourceExpr};
use syntax::{Fix, Severity, SyntaxKind, SyntaxNode, TextRange, text_at};
use types::spelled_data_type;

use crate::checker::{Checker, Resolution};
use crate::fixes::node_at;
use crate::rule::Rule;

/// Returns the reason why a name does not resolve, unless it is guarded by a check that it exists.
pub(crate) fn unresolved<'a>(
    reference: &Reference,
    resolution: &'a Resolution<'_>,
) -> Option<&'a ResolveError> {
    resolution.as_ref().err().filter(|_| !reference.guarded)
}

/// The minimum length of a misspelled name of a module: shorter ones are similar to too many others.
const MIN_MODULE_NAME: usize = 4;

/// The start of a URL of a file on the server.
const URL: &str = "puppet:";

/// Checks whether a reference may be skipped: it is in a branch or a lambda.
fn is_conditional(reference: &Reference) -> bool {
    reference.branch != 0 || reference.scope != 0
}

/// Returns the file of a module with the most similar path.
pub(crate) fn similar_file<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    kind: PathKind,
    module: &str,
    path: &str,
) -> Option<&'db str> {
    let module = environment.modules(db).get(module)?;
    let folder = match kind {
        PathKind::Template | PathKind::Epp => "templates/",
        PathKind::File | PathKind::Source => "files/",
    };
    let files = module.files(db).range(folder.to_owned()..);
    let files = files.map_while(|it| it.0.strip_prefix(folder));
    // `template` only reads ERB templates, and `epp` only EPP templates.
    let is_epp = |it: &&str| it.ends_with(".epp");
    let files = files.filter(|it| match kind {
        PathKind::Template => !is_epp(it),
        PathKind::Epp => is_epp(it),
        PathKind::File | PathKind::Source => true,
    });
    similar(path, files)
}

/// Checks whether a canonical name can be the name of a class or resource type.
fn is_valid(name: &str) -> bool {
    let is_part = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_lowercase() || it == '_')
            && it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
    };
    name.split("::").all(is_part)
}

/// Checks whether two names are in the same module, or in modules with names that are easily confused.
pub(crate) fn is_of_similar_module(name: &str, similar: &str) -> bool {
    match (name.split_once("::"), similar.split_once("::")) {
        (Some((module, _)), Some((other, _))) => module == other || is_slip(module, other),
        _ => true,
    }
}

/// A name that is unknown.
pub(crate) struct Unknown<'db> {
    pub(crate) severity: Severity,
    /// The known name that is most similar.
    pub(crate) similar: Option<&'db str>,
    /// Why it is unknown, if that is not obvious.
    explanation: Option<String>,
}

impl Unknown<'_> {
    /// Renders what to append to the message that the name is unknown.
    pub(crate) fn hint(&self) -> String {
        self.hint_as(str::to_owned)
    }

    /// Renders what to append to the message, with the similar name as `spelled` returns it.
    pub(crate) fn hint_as(&self, spelled: impl Fn(&str) -> String) -> String {
        match &self.explanation {
            Some(explanation) => format!(": {explanation}"),
            None => hint(self.similar.map(spelled).as_deref()),
        }
    }
}

/// Checks whether the code of a module refers to modules that are neither installed nor declared.
#[salsa::tracked(returns(copy))]
fn uses_undeclared_modules(db: &dyn Database, module: ModuleInput) -> bool {
    let files = module_puppet_files(db, module).iter();
    let mut items = files.flat_map(|it| items(db, *it));
    items.any(|item| {
        let mut references = body(db, *item).references.iter();
        references.any(|it| {
            matches!(
                resolve(db, *item, it),
                Err(ResolveError::UndeclaredModule(_))
            )
        })
    })
}

impl<'db> Checker<'db> {
    /// Checks whether the item belongs to a plan, where Bolt adds its own functions and types.
    pub(crate) fn is_task_code(&self) -> bool {
        self.item.file(self.db).spec(self.db).dialect.tasks
    }

    /// Checks whether code runs in a plan, outside of its `apply` blocks: no catalog is compiled there.
    pub(crate) fn is_in_plan(&self, range: TextRange) -> bool {
        self.item.kind(self.db) == ItemKind::Plan && !self.is_applied(range)
    }

    /// Returns the severity of a wrong call to a function: other versions of Bolt may have other parameters.
    pub(crate) fn severity_of_call(&self, rule: &Rule, function: &str) -> Severity {
        let is_of_bolt = products::function_of_bolt(function.trim_start_matches("::")).is_some();
        match is_of_bolt && self.item.kind(self.db) == ItemKind::Plan {
            true => Severity::Warning,
            false => rule.severity,
        }
    }

    /// Checks whether code is part of an `apply` block.
    pub(crate) fn is_applied(&self, range: TextRange) -> bool {
        let node = node_at(&self.root(), range);
        let mut nodes = node.iter().flat_map(|it| it.ancestors());
        nodes.any(|it| it.kind() == SyntaxKind::APPLY_EXPR)
    }

    /// Checks whether a product around Puppet may define a name: PuppetDB, Puppet Enterprise or Bolt. The
    /// functions, type aliases and templates of a module may be written for plans.
    pub(crate) fn may_be_of_product(&self, name: &ReferenceName) -> bool {
        let kind = self.item.kind(self.db);
        let for_plans = self.is_task_code()
            || self.item.file(self.db).spec(self.db).dialect.epp
            || matches!(
                kind,
                ItemKind::Function | ItemKind::TypeAlias | ItemKind::Plan
            );
        match name {
            ReferenceName::Function(name) => {
                products::is_of_server(name) || for_plans && products::is_function_of_bolt(name)
            }
            ReferenceName::Type(name) => {
                let name = canonical_name(name);
                products::is_of_server(&name) || for_plans && products::is_type_of_bolt(&name)
            }
            ReferenceName::ResourceType(name) => products::is_of_server(name),
            ReferenceName::Variable(name) => products::is_of_server(name.trim_start_matches("::")),
            _ => false,
        }
    }

    /// Checks whether all dependencies of the item's module are present.
    pub(crate) fn has_all_modules(&self) -> bool {
        let module = self.item.file(self.db).module(self.db);
        has_all_modules(self.db, self.environment, module)
    }

    /// Checks whether the modules are installed in the versions that the item's module requires.
    fn has_required_versions(&self) -> bool {
        let module = self.item.file(self.db).module(self.db);
        has_required_versions(self.db, self.environment, module)
    }

    /// Checks whether the declaration or call at a place is of a module in another version than the required one.
    pub(crate) fn uses_other_version(&self, range: TextRange) -> bool {
        let node = node_at(&self.root(), range);
        let mut around = node.iter().flat_map(SyntaxNode::ancestors);
        let declares = |it: &SyntaxNode| {
            let is_call = || Expr::cast(it.clone()).is_some_and(|it| it.named_call().is_some());
            ResourceExpr::can_cast(it.kind()) || is_call()
        };
        let Some(whole) = around.find(declares).map(|it| it.text_range()) else {
            return false;
        };
        let mut used = self.body.references.iter();
        used.any(|it| {
            let is_inside = whole.contains_range(it.range);
            is_inside && self.depends_on_other_version(it, &resolve(self.db, self.item, it))
        })
    }

    /// Checks whether a reference is to a definition of a module of a version other than the required
    /// one, or to a name that the required version may define.
    pub(crate) fn depends_on_other_version(
        &self,
        reference: &Reference,
        resolution: &Resolution<'_>,
    ) -> bool {
        let own = self.item.file(self.db);
        let is_other = |name: &str| {
            let (environment, module) = (Some(self.environment), own.module(self.db));
            is_other_version(self.db, environment, module, &name.to_ascii_lowercase())
        };
        let of_module = |name: &str, separator| {
            let name = name.trim_start_matches("::");
            name.split_once(separator).is_some_and(|it| is_other(it.0))
        };
        if let Ok(found) = resolution {
            let file = match found {
                Definition::Item(item) => Some(item.file(self.db)),
                Definition::Function(it) => it.file(),
                Definition::ResourceType(it) => it.file(),
                Definition::RubyDataType(file, _) | Definition::Unreadable(file) => Some(*file),
                _ => None,
            };
            return file.is_some_and(|it| is_of_other_version(self.db, own, it));
        }
        match &reference.name {
            ReferenceName::Path(_, path) => of_module(path, "/"),
            ReferenceName::Class(name, _) => is_other(name) || of_module(name, "::"),
            ReferenceName::Variable(name) => {
                of_module(name, "::") || {
                    let parent = signature(self.db, self.item).inherits.as_deref();
                    parent.is_some_and(|it| of_module(it, "::"))
                }
            }
            ReferenceName::ResourceType(name)
            | ReferenceName::Type(name)
            | ReferenceName::Function(name) => of_module(name, "::"),
            ReferenceName::Title(..) => false,
        }
    }

    /// Checks whether a name is unknown. `similar` finds the known name that is most similar to a
    /// canonical one.
    ///
    /// An unqualified name may be defined in a missing module. It counts as unknown only if all
    /// modules that the code may use are present, or if it is one edit away from a known name.
    pub(crate) fn unknown(
        &self,
        reference: &Reference,
        name: &str,
        missing: &ResolveError,
        similar: impl FnOnce(&str) -> Option<&'db str>,
    ) -> Option<Unknown<'db>> {
        let name = canonical_name(name);
        if name.is_empty() || !is_valid(&name) && self.is_refused(reference.range) {
            return None;
        }
        let similar = |name: &str| similar(name).filter(|it| self.may_be_meant(name, it));
        let (severity, similar) = match missing {
            ResolveError::NotDefined => (Severity::Error, similar(&name)),
            ResolveError::NeverLoaded(_) => (Severity::Error, None),
            ResolveError::MaybeExternal => {
                let similar = similar(&name);
                // The first letter is rarely wrong.
                let is_slip = similar.is_some_and(|it| {
                    is_slip(&name, it) && it.chars().next() == name.chars().next()
                });
                let severity = match is_slip {
                    true if !self.has_required_versions() => Some(Severity::Warning),
                    true => Some(Severity::Error),
                    false => self.unqualified_severity(reference),
                };
                (severity?, similar)
            }
            ResolveError::UndeclaredModule(module) => {
                let severity = self.undeclared_severity(reference, module)?;
                (severity, similar(&name))
            }
            _ => return None,
        };
        Some(Unknown {
            severity,
            similar,
            explanation: missing.explanation(),
        })
    }

    /// Checks whether a name that is computed at a range is unknown, see [`Checker::unknown`].
    pub(crate) fn unknown_computed(
        &self,
        range: TextRange,
        (kind, name): (ReferenceName, &str),
        similar: impl FnOnce(&str) -> Option<&'db str>,
    ) -> Option<Unknown<'db>> {
        let reference = Reference {
            deferred: false,
            range,
            scope: 0,
            // The branch is unknown, so that modules of certain platforms may be missing.
            branch: 1,
            guarded: false,
            name: kind,
        };
        let resolution = resolve(self.db, self.item, &reference);
        let missing = unresolved(&reference, &resolution)?;
        self.unknown(&reference, name, missing, similar)
    }

    /// Checks whether a similar name is in the same module, or in one with a name that is easily confused, and not
    /// that of the class itself.
    fn may_be_meant(&self, name: &str, similar: &str) -> bool {
        if self.item.kind(self.db) == ItemKind::Class && self.item.name(self.db) == similar {
            return false;
        }
        is_of_similar_module(name, similar)
    }

    /// Checks whether inference reports the type or argument at a range.
    fn is_refused(&self, range: TextRange) -> bool {
        self.problems().iter().any(|it| {
            let refuses = matches!(
                it.kind,
                TypeProblemKind::InvalidType { .. }
                    | TypeProblemKind::Mismatch { .. }
                    | TypeProblemKind::EvaluationError { .. }
            );
            refuses && it.range.intersect(range).is_some()
        })
    }

    /// Returns the severity of an unqualified name that no installed module defines; `None` if a
    /// missing module may define it.
    fn unqualified_severity(&self, reference: &Reference) -> Option<Severity> {
        let module = self.item.file(self.db).module(self.db);
        if !has_all_modules_in_any_version(self.db, self.environment, module) {
            return None;
        }
        // The required version of a module may define it.
        if !self.has_required_versions() {
            return Some(Severity::Hint);
        }
        let of_dependencies =
            self.environment.modulepath(self.db) == ModulepathKind::OfDependencies;
        // Modules support platforms whose resource types they do not depend on.
        let is_optional = is_conditional(reference)
            && of_dependencies
            && matches!(
                reference.name,
                ReferenceName::ResourceType(_) | ReferenceName::Type(_)
            );
        let module = module.filter(|_| of_dependencies);
        Some(match is_optional {
            true => Severity::Hint,
            // The module that defines it may be undeclared, too.
            false if module.is_some_and(|it| uses_undeclared_modules(self.db, it)) => {
                Severity::Warning
            }
            false => Severity::Error,
        })
    }

    /// Returns the severity of a reference to a module that is neither installed nor declared;
    /// `None` if the code may have been written for installations with the module.
    pub(crate) fn undeclared_severity(
        &self,
        reference: &Reference,
        module: &str,
    ) -> Option<Severity> {
        if products::is_module_of_enterprise(module) {
            return None;
        }
        let own = self.item.file(self.db).module(self.db);
        if !has_known_dependencies(self.db, self.environment, own) {
            return None;
        }
        match self.environment.modulepath(self.db) {
            ModulepathKind::OfEnvironment if self.has_all_modules() => Some(Severity::Error),
            ModulepathKind::OfEnvironment => Some(Severity::Warning),
            ModulepathKind::OfDependencies => {
                (!is_conditional(reference)).then_some(Severity::Warning)
            }
            ModulepathKind::Unknown => None,
        }
    }

    /// Iterates over the names that Puppet code defines.
    pub(crate) fn definitions(&self, kind: ItemKind) -> impl Iterator<Item = &'db str> + use<'db> {
        definitions(self.db, self.environment, kind)
    }

    /// Iterates over the names that Ruby files of modules define.
    pub(crate) fn ruby_definitions(
        &self,
        kind: RubyKind,
    ) -> impl Iterator<Item = &'db str> + use<'db> {
        let all = ruby_files(self.db, self.environment).keys();
        all.filter(move |it| it.0 == kind).map(|it| it.1.as_str())
    }

    /// Iterates over the resource types and defined types.
    pub(crate) fn resource_types(&self) -> impl Iterator<Item = &'db str> + use<'db> {
        let shipped = library::resource_types(self.version()).map(|it| it.name.as_str());
        let defined = self.definitions(ItemKind::DefinedType);
        let in_ruby = self.ruby_definitions(RubyKind::ResourceType);
        shipped.chain(defined).chain(in_ruby)
    }

    /// Offers to replace an unknown name with the similar one.
    pub(crate) fn replace_unknown(&mut self, range: TextRange, name: &str, unknown: &Unknown<'_>) {
        let fits = |it: &&str| !self.is_declared_class(it) && self.accepts_attributes_of(it, name);
        if let Some(near) = unknown.similar.filter(fits) {
            let key = (ItemKind::TypeAlias, near.to_owned());
            let aliases = all_definitions(self.db, self.environment).get(&key);
            let alias = aliases.and_then(|it| it.first());
            // Spelled as in the definition.
            let written = alias.and_then(|it| {
                let place = signature(self.db, *it).name_range;
                text_at(&it.syntax(self.db), place)
            });
            let shipped = spelled_data_type(near);
            let written = written.as_deref().or(shipped);
            self.fix_name(range, name, written.unwrap_or(near));
        }
    }

    /// Checks whether the item already declares a class, which is allowed only once.
    fn is_declared_class(&self, name: &str) -> bool {
        let mut references = self.body.references.iter();
        let class = |it: &ReferenceName| matches!(it, ReferenceName::Class(it, ClassUse::Declared) if it == name);
        references.any(|it| class(&it.name))
    }

    /// Checks whether a class accepts the attributes of the declaration of the class `name`.
    fn accepts_attributes_of(&self, class: &str, name: &str) -> bool {
        let is_meant = |it: &&Resource| {
            let mut titles = it.titles.iter();
            it.type_.as_deref() == Some("class")
                && titles.any(|it| canonical_name(&it.text) == name)
        };
        let Some(declaration) = self.body.resources.iter().find(is_meant) else {
            return true;
        };
        let key = NameKey::new(self.db, class.to_owned());
        let class = find_item(self.db, self.environment, ItemKind::Class, key);
        class.is_some_and(|it| {
            let parameters = &signature(self.db, it).parameters;
            let takes = |name: &str| {
                library::metaparameter(name).is_some()
                    || parameters.iter().any(|it| it.name == name)
            };
            declaration.attributes.iter().all(|it| takes(&it.name))
        })
    }

    /// Reports a path, and offers a similar one, if its module certainly lacks the file. `message`
    /// renders the message for `` `path` not found in module `name` ``.
    pub(crate) fn report_missing_path(
        &mut self,
        rule: &'static Rule,
        (kind, path): (PathKind, &str),
        reference: &Reference,
        resolution: &Resolution<'_>,
        message: impl Fn(&str) -> String,
    ) {
        let missing = unresolved(reference, resolution);
        if missing.is_some() && kind != PathKind::Source && path.starts_with(URL) {
            return self.report_url(rule, path, reference);
        }
        match missing {
            Some(ResolveError::NotDefined) => {}
            Some(ResolveError::UndeclaredModule(module)) => {
                return self.report_undeclared_module(
                    rule,
                    (kind, path),
                    reference,
                    module,
                    message,
                );
            }
            _ => return,
        }
        let (module, rest) = path.split_once('/').unwrap_or((path, ""));
        let near = similar_file(self.db, self.environment, kind, module, rest);
        let not_found = format!("`{rest}` not found in module `{module}`{}", hint(near));
        self.report(rule, reference.range, message(&not_found));
        self.replace_path(reference.range, rest, near);
    }

    /// Reports a URL in place of a path. Only attributes such as `source` accept it.
    fn report_url(&mut self, rule: &'static Rule, url: &str, reference: &Reference) {
        let path = url.trim_start_matches(URL).trim_start_matches('/');
        let path = path.strip_prefix("modules/").unwrap_or(path);
        let message = format!("expected a path such as `{path}`, found a URL");
        self.report(rule, reference.range, message);
        self.replace_path(reference.range, url, Some(path));
    }

    /// Reports a path in a module that is neither installed nor declared: of templates and files that the
    /// compilation reads, and of others if the name is one edit away from an installed module. Other
    /// modules may contain files for certain installations.
    fn report_undeclared_module(
        &mut self,
        rule: &'static Rule,
        (kind, path): (PathKind, &str),
        reference: &Reference,
        module: &str,
        message: impl Fn(&str) -> String,
    ) {
        let own = self.item.file(self.db).module(self.db);
        if !has_known_dependencies(self.db, self.environment, own) {
            return;
        }
        let mut modules = self.environment.modules(self.db).keys();
        let is_long = module.len() >= MIN_MODULE_NAME;
        let near = modules.find(|it| is_long && is_slip(module, it));
        let severity = match kind {
            // Only the agent reads it.
            PathKind::Source => None,
            _ => self.undeclared_severity(reference, module),
        };
        let severity = severity.or(near.map(|_| Severity::Warning));
        let Some(severity) = severity else {
            return;
        };
        let not_found = match near {
            Some(near) => format!(
                "`{path}` not found: unknown module `{module}`{}",
                hint(Some(near))
            ),
            None => {
                format!("`{path}` not found: module `{module}` is neither installed nor declared")
            }
        };
        self.report_as(rule, severity, reference.range, message(&not_found));
    }

    /// Offers to replace the path in a string, after the name of the module.
    fn replace_path(&mut self, range: TextRange, wrong: &str, right: Option<&str>) {
        let (Some(right), Some(written)) = (right, text_at(&self.root(), range)) else {
            return;
        };
        let quote = written.chars().next().filter(|it| matches!(it, '\'' | '"'));
        let Some((quote, start)) = quote.and_then(|quote| {
            let start = written.strip_suffix(quote)?.strip_suffix(wrong)?;
            let is_whole = start.len() == 1;
            (is_whole || start.ends_with('/')).then_some((quote, start))
        }) else {
            return;
        };
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "_-./ ".contains(it);
        if right.chars().all(is_plain) {
            let label = format!("Replace with `{right}`");
            let text = format!("{start}{right}{quote}");
            self.fix(Some(Fix::suggested(label, range, text)));
        }
    }
}

/// Iterates over the names that Puppet code of an environment defines.
pub(crate) fn definitions<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    kind: ItemKind,
) -> impl Iterator<Item = &'db str> + use<'db> {
    let all = all_definitions(db, environment).keys();
    all.filter(move |it| it.0 == kind).map(|it| it.1.as_str())
}
