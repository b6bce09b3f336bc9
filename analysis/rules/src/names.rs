//! Unresolved names: variables, classes, resource types, functions, types, templates and files.

use syntax::ast::{AstNode, CallExpr};
use syntax::{Edit, Fix, Severity, SyntaxNode, TextRange};

use super::fixes::{capitalized, node_at, text_at, token_at, variable_like};
use super::suggest::{hint, is_slip, similar};
use super::{
    Checker, MISSING_FILE, MISSING_MODULE, MISSING_TEMPLATE, REMOVED_FUNCTION, Rule, UNKNOWN_CLASS,
    UNKNOWN_FUNCTION, UNKNOWN_RESOURCE_TYPE, UNKNOWN_TYPE, UNKNOWN_VARIABLE,
};
use base::SettingsInput;
use hir::autoload::{NameKey, RubyKind, all_definitions, find_item, ruby_files};
use hir::body::{ClassUse, PathKind, Reference, ReferenceName, Resource};
use hir::resolve::ResolveError;
use hir::ruby_symbols::custom_facts;
use hir::variables::own_variables;
use hir::{ItemKind, canonical_name, signature};
use syntax::validation::PuppetVersion;

/// Functions of Puppet 3 that every later release lacks, and their replacements.
const GONE_FUNCTIONS: [(&str, &str); 2] = [
    ("extlookup", "`lookup`"),
    ("search", "the full names of classes and defined types"),
];

/// The kind of an unresolved name.
struct Kind {
    rule: &'static Rule,
    noun: &'static str,
}

impl Checker<'_> {
    /// Reports an unresolved name.
    pub(super) fn missing(&mut self, reference: &Reference, missing: &ResolveError) {
        if reference.guarded {
            return;
        }
        match &reference.name {
            ReferenceName::Variable(name) => self.missing_variable(reference, name, missing),
            ReferenceName::Class(name, _) => {
                let kind = Kind {
                    rule: &UNKNOWN_CLASS,
                    noun: "class",
                };
                self.missing_name(kind, reference.range, name, missing);
            }
            ReferenceName::ResourceType(name) => {
                let kind = Kind {
                    rule: &UNKNOWN_RESOURCE_TYPE,
                    noun: "resource type",
                };
                self.missing_name(kind, reference.range, name, missing);
            }
            ReferenceName::Type(name) => {
                if !self.is_task_code() {
                    let kind = Kind {
                        rule: &UNKNOWN_TYPE,
                        noun: "type",
                    };
                    let before = self.found.len();
                    self.missing_name(kind, reference.range, name, missing);
                    self.milder_in_alias(before);
                }
            }
            ReferenceName::Function(name) => {
                if !self.is_task_code() {
                    self.missing_function(reference.range, name, missing);
                }
            }
            ReferenceName::Path(kind, path) => {
                self.missing_path(reference.range, *kind, path, missing)
            }
            ReferenceName::Title(..) => {}
        }
    }

    /// Checks whether the item belongs to a plan, where Bolt adds its own functions and types.
    fn is_task_code(&self) -> bool {
        self.item.file(self.db).spec(self.db).dialect.tasks
    }

    fn missing_name(&mut self, kind: Kind, range: TextRange, name: &str, missing: &ResolveError) {
        match missing {
            ResolveError::NotDefined => {
                let near = self.similar_name(kind.rule, name);
                let shown = near.as_deref().map(|it| self.spelled(kind.rule, it));
                let hint = hint(shown.as_deref());
                let message = format!("unknown {} `{name}`{hint}", kind.noun);
                self.report(kind.rule, range, message);
                self.fix_near(range, name, near.as_deref());
            }
            ResolveError::MissingModule(module) => self.missing_module(range, module),
            ResolveError::MaybeExternal => self.maybe_outside(kind, range, name),
            ResolveError::Misplaced | ResolveError::Unknown => {}
        }
    }

    /// Lowers the severity in type aliases: an unknown type in an alias only fails when a value is
    /// checked against it, and `Optional[ResolveError]` accepts `undef` before that.
    fn milder_in_alias(&mut self, from: usize) {
        if self.item.kind(self.db) != ItemKind::TypeAlias {
            return;
        }
        for found in &mut self.found[from..] {
            found.severity = found.severity.max(Severity::Warning);
        }
    }

    /// Reports an unqualified name, which a missing module may define: only if all dependencies of
    /// this module are present, or if the name is one edit away from a known one.
    fn maybe_outside(&mut self, kind: Kind, range: TextRange, name: &str) {
        let near = self.similar_name(kind.rule, name);
        let slip = near
            .as_ref()
            .is_some_and(|it| is_slip(&canonical_name(name), it));
        if !slip && !self.has_all_modules() {
            return;
        }
        let shown = near.as_deref().map(|it| self.spelled(kind.rule, it));
        let hint = hint(shown.as_deref());
        let message = format!("unknown {} `{name}`{hint}", kind.noun);
        self.report(kind.rule, range, message);
        self.fix_near(range, name, near.as_deref());
    }

    /// Checks whether the item already declares a class, which is allowed only once.
    fn is_declared_class(&self, name: &str) -> bool {
        let mut references = self.body.references.iter();
        let class = |it: &ReferenceName| matches!(it, ReferenceName::Class(it, ClassUse::Declared) if it == name);
        references.any(|it| class(&it.name))
    }

    /// Checks whether a class accepts the attributes of the declaration of the class `name`.
    fn takes_what_is_given(&self, class: &str, name: &str) -> bool {
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

    /// Offers to replace a name with a similar one.
    fn fix_near(&mut self, range: TextRange, name: &str, near: Option<&str>) {
        let fits = |it: &&str| !self.is_declared_class(it) && self.takes_what_is_given(it, name);
        if let Some(near) = near.filter(fits) {
            let written = self.alias_name(near);
            self.fix_name(range, name, written.as_deref().unwrap_or(near));
        }
    }

    /// Returns the name of a type alias as its definition spells it.
    fn alias_name(&self, canonical: &str) -> Option<String> {
        let key = (ItemKind::TypeAlias, canonical.to_owned());
        let aliases = all_definitions(self.db, self.environment).get(&key)?;
        let alias = aliases.first()?;
        let place = signature(self.db, *alias).name_range;
        text_at(&alias.syntax(self.db), place)
    }

    /// Spells a suggested name for a message. Names of types are capitalized.
    fn spelled(&self, rule: &Rule, near: &str) -> String {
        if rule.code != UNKNOWN_TYPE.code {
            return near.to_owned();
        }
        let alias = self.alias_name(near);
        alias.unwrap_or_else(|| capitalized(near))
    }

    fn missing_module(&mut self, range: TextRange, module: &str) {
        let message = format!("module `{module}` not found on the modulepath");
        self.report(&MISSING_MODULE, range, message);
    }

    /// Checks whether all dependencies of the item's module are present.
    fn has_all_modules(&self) -> bool {
        if !self.environment.complete(self.db) {
            return false;
        }
        let modules = self.environment.modules(self.db);
        let module = self.item.file(self.db).module(self.db);
        module.is_none_or(|it| {
            let mut needed = it.dependencies(self.db).iter();
            needed.all(|it| modules.contains_key(it))
        })
    }

    fn similar_name(&self, rule: &Rule, name: &str) -> Option<String> {
        let db = self.db;
        let version = SettingsInput::get(db).version(db);
        let name = canonical_name(name);
        let defined = |kind: ItemKind| {
            let all = all_definitions(db, self.environment).keys();
            all.filter(move |it| it.0 == kind).map(|it| it.1.as_str())
        };
        let in_ruby = |kind: RubyKind| {
            let all = ruby_files(db, self.environment).keys();
            all.filter(move |it| it.0 == kind).map(|it| it.1.as_str())
        };
        let types = || {
            let shipped = library::resource_types(version).map(|it| it.name.as_str());
            let defines = defined(ItemKind::DefinedType);
            shipped
                .chain(defines)
                .chain(in_ruby(RubyKind::ResourceType))
        };
        let found = match rule.code {
            "unknown-class" => similar(&name, defined(ItemKind::Class)),
            "unknown-resource-type" => similar(&name, types()),
            "unknown-type" => similar(&name, types().chain(defined(ItemKind::TypeAlias))),
            _ => {
                let shipped = library::functions(version).map(|it| it.name.as_str());
                let modern = in_ruby(RubyKind::Function4x);
                let legacy = in_ruby(RubyKind::Function3x);
                let all = shipped.chain(modern).chain(legacy);
                similar(&name, all.chain(defined(ItemKind::Function)))
            }
        };
        found.map(str::to_owned)
    }

    fn missing_function(&mut self, range: TextRange, name: &str, missing: &ResolveError) {
        let version = SettingsInput::get(self.db).version(self.db);
        let until_7 = library::function(name, PuppetVersion::V7).is_some();
        let gone = GONE_FUNCTIONS.iter().find(|it| it.0 == name);
        if until_7 && version != PuppetVersion::V7 {
            let message = format!("function `{name}` was removed in Puppet 8");
            return self.report(&REMOVED_FUNCTION, range, message);
        }
        // A missing module may define a function of that name.
        if let (Some((_, instead)), ResolveError::MaybeExternal) = (gone, missing) {
            let severity = if self.has_all_modules() {
                Severity::Error
            } else {
                Severity::Warning
            };
            let message =
                format!("function `{name}` was removed from Puppet; use {instead} instead");
            self.report_as(&REMOVED_FUNCTION, severity, range, message);
            return self.fix(
                (name == "extlookup")
                    .then(|| lookup(&self.root(), range))
                    .flatten(),
            );
        }
        let kind = Kind {
            rule: &UNKNOWN_FUNCTION,
            noun: "function",
        };
        self.missing_name(kind, range, name, missing);
    }

    fn missing_path(
        &mut self,
        range: TextRange,
        kind: PathKind,
        path: &str,
        missing: &ResolveError,
    ) {
        let (rule, noun) = match kind {
            PathKind::Template | PathKind::Epp => (&MISSING_TEMPLATE, "template"),
            PathKind::File | PathKind::Source => (&MISSING_FILE, "file"),
        };
        match missing {
            ResolveError::NotDefined => {
                let (module, rest) = path.split_once('/').unwrap_or((path, ""));
                let near = self.similar_path(kind, module, rest);
                let near = near.as_deref();
                let message = format!(
                    "{noun} `{rest}` not found in module `{module}`{}",
                    hint(near)
                );
                self.report(rule, range, message);
                self.fix_path(range, rest, near);
            }
            ResolveError::MissingModule(module) => self.missing_module(range, module),
            ResolveError::Misplaced | ResolveError::MaybeExternal | ResolveError::Unknown => {}
        }
    }

    /// Returns the file of a module with the most similar path.
    fn similar_path(&self, kind: PathKind, module: &str, path: &str) -> Option<String> {
        let module = self.environment.modules(self.db).get(module)?;
        let folder = match kind {
            PathKind::Template | PathKind::Epp => "templates/",
            PathKind::File | PathKind::Source => "files/",
        };
        let files = module.files(self.db).range(folder.to_owned()..);
        let files = files.map_while(|it| it.0.strip_prefix(folder));
        // `template` only reads ERB templates, and `epp` only EPP templates.
        let is_epp = |it: &&str| it.ends_with(".epp");
        let files = files.filter(|it| match kind {
            PathKind::Template => !is_epp(it),
            PathKind::Epp => is_epp(it),
            PathKind::File | PathKind::Source => true,
        });
        similar(path, files).map(str::to_owned)
    }

    fn fix_path(&mut self, range: TextRange, wrong: &str, right: Option<&str>) {
        let (Some(right), Some(written)) = (right, text_at(&self.root(), range)) else {
            return;
        };
        let quote = written.chars().next().filter(|it| matches!(it, '\'' | '"'));
        let Some((quote, start)) = quote.and_then(|quote| {
            let start = written.strip_suffix(quote)?.strip_suffix(wrong)?;
            start.ends_with('/').then_some((quote, start))
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

    fn missing_variable(&mut self, reference: &Reference, name: &str, missing: &ResolveError) {
        match missing {
            ResolveError::NotDefined => {
                let (scope, variable) = name.rsplit_once("::").unwrap_or(("", name));
                if scope.is_empty() {
                    let message = format!("unknown variable `${variable}`");
                    return self.unknown_variable(reference, Severity::Error, message);
                }
                let class = scope.trim_start_matches("::");
                let near = self.similar_in_class(class, variable);
                let shown = near.as_ref().map(|it| format!("${it}"));
                let hint = hint(shown.as_deref());
                let message = format!("unknown variable `${variable}` in class `{class}`{hint}");
                self.unknown_variable(reference, Severity::Error, message);
                if let Some(near) = near {
                    self.fix_variable(reference, &format!("${scope}::{near}"));
                }
            }
            ResolveError::MissingModule(module) => self.missing_module(reference.range, module),
            // A node classifier or a custom fact may define it.
            ResolveError::MaybeExternal => {
                let near = self.similar_variable(reference, name);
                let slip = near
                    .as_ref()
                    .is_some_and(|it| is_slip(name.trim_start_matches("::"), &it[1..]));
                if !slip && !self.has_all_modules() {
                    return;
                }
                let message = format!("unknown variable `${name}`{}", hint(near.as_deref()));
                let certain = near.is_some() && !name.starts_with("::");
                let severity = if certain {
                    Severity::Error
                } else {
                    Severity::Warning
                };
                self.unknown_variable(reference, severity, message);
                if let Some(near) = near.filter(|it| self.can_take_place(reference, name, it)) {
                    let start = if name.starts_with("::") { "$::" } else { "$" };
                    self.fix_variable(reference, &near.replacen('$', start, 1));
                }
            }
            ResolveError::Misplaced | ResolveError::Unknown => {}
        }
    }

    /// Returns the variable of a class with the most similar name.
    fn similar_in_class(&self, class: &str, name: &str) -> Option<String> {
        let key = (ItemKind::Class, canonical_name(class));
        let class = all_definitions(self.db, self.environment)
            .get(&key)?
            .first()?;
        let names = own_variables(self.db, *class).names.iter();
        similar(name, names.map(String::as_str)).map(str::to_owned)
    }

    /// Checks whether the variable `near` has a value at the reference: it is a fact, a parameter, or
    /// assigned earlier.
    fn can_take_place(&self, reference: &Reference, name: &str, near: &str) -> bool {
        let near = near.trim_start_matches('$');
        let mut scopes = self.body.scopes_from(reference.scope);
        let mut own = scopes
            .by_ref()
            .flat_map(|it| &self.body.scopes[it].bindings);
        match own.find(|it| it.name == near) {
            Some(_) if name.starts_with("::") => false,
            Some(it) if it.parameter => true,
            Some(it) => {
                let before = it.range.end() <= reference.range.start();
                before && self.body.is_within(reference.branch, it.branch)
            }
            None => true,
        }
    }

    fn fix_variable(&mut self, reference: &Reference, right: &str) {
        let token = token_at(&self.root(), reference.range);
        let text = token.and_then(|it| variable_like(&it, right));
        let label = format!("Replace with `{right}`");
        self.fix(text.map(|it| Fix::suggested(label, reference.range, it)));
    }

    /// Reports an unknown variable. Puppet 7 evaluates it to `undef` unless `strict_variables` is set.
    fn unknown_variable(&mut self, reference: &Reference, severity: Severity, message: String) {
        let version = SettingsInput::get(self.db).version(self.db);
        let severity = match version {
            PuppetVersion::V7 => Severity::Warning,
            PuppetVersion::V8 => severity,
        };
        self.report_as(&UNKNOWN_VARIABLE, severity, reference.range, message);
    }

    fn similar_variable(&self, reference: &Reference, name: &str) -> Option<String> {
        let scopes = self.body.scopes_from(reference.scope);
        let own = scopes.flat_map(|it| &self.body.scopes[it].bindings);
        let own = own.map(|it| it.name.as_str());
        let custom = custom_facts(self.db, self.environment).keys();
        let known = own.chain(custom.map(String::as_str));
        let shipped = library::facts().map(|it| it.name.as_str());
        let name = name.trim_start_matches("::");
        similar(name, known.chain(shipped)).map(|it| format!("${it}"))
    }
}

/// Returns a fix that replaces `extlookup` with `lookup`. The second argument is the default value.
fn lookup(root: &SyntaxNode, name: TextRange) -> Option<Fix> {
    let call = node_at(root, name)?.ancestors().find_map(CallExpr::cast)?;
    let mut fix = Fix::suggested("Replace with `lookup`", name, "lookup");
    match call.arguments().as_slice() {
        [_] => {}
        [_, default] => {
            let range = default.syntax().text_range();
            let edit = |at, text: &str| Edit {
                range: TextRange::empty(at),
                text: text.to_owned(),
            };
            fix.edits.push(edit(range.start(), "{ 'default_value' => "));
            fix.edits.push(edit(range.end(), " }"));
        }
        _ => return None,
    }
    Some(fix)
}
