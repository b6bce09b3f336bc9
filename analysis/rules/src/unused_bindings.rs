//! Variables and parameters that are never read.
//!
//! Other classes can read the variables of a class by their qualified names, and ERB templates can
//! read every variable in scope of the call. Nothing is reported where that may happen.

use std::collections::BTreeSet;

use base::{FileInput, ModuleInput};
use hir::ItemKind;
use hir::autoload::{NameKey, template_files};
use hir::body::{Binding, Body, ReferenceName, ScopeId};
use hir::ruby_symbols;
use library::KnownFunction;
use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::{Fix, TextRange, TextSize};

use crate::checker::Checker;
use crate::index::usage_index::{is_inherited, is_read_by_full_name};

/// Returns the bindings for which `is_relevant` holds and that are never read, with their scopes.
pub(crate) fn unused_bindings<'db>(
    checker: &Checker<'db>,
    is_relevant: impl Fn(&Binding) -> bool,
) -> Vec<(ScopeId, &'db Binding)> {
    let body = checker.body;
    if body.incomplete || checker.may_be_read_from_outside() {
        return Vec::new();
    }
    let reads = reads(body);
    let scopes = body.scopes.iter().enumerate();
    let bindings = scopes.flat_map(|(id, it)| it.bindings.iter().map(move |it| (id, it)));
    bindings
        .filter(|(scope, it)| is_relevant(it) && !checker.is_read(*scope, it, &reads))
        .collect()
}

/// The variables that are read, by name and scope.
type Reads<'a> = FxHashSet<(&'a str, ScopeId)>;

/// Returns the names of variables that are read, with all scopes around each read.
fn reads(body: &Body) -> Reads<'_> {
    let mut found = Reads::default();
    for reference in &body.references {
        if let ReferenceName::Variable(name) = &reference.name {
            let mut scopes = body.scopes_from(reference.scope);
            // The scopes around a known one are known too.
            while scopes.next().is_some_and(|it| found.insert((name, it))) {}
        }
    }
    found
}

impl Checker<'_> {
    /// Offers to add an underscore to the name of a binding, which marks it as unused.
    pub(crate) fn mark_as_unused(&mut self, binding: &Binding) {
        let marked = format!("_{}", binding.name);
        let names = self.binding_names.get_or_init(|| {
            let bindings = self.body.scopes.iter().flat_map(|it| &it.bindings);
            bindings.map(|it| it.name.as_str()).collect()
        });
        if !names.contains(marked.as_str()) {
            let at = TextRange::empty(binding.range.start() + TextSize::of('$'));
            let label = format!("Rename to `${marked}` to mark it as unused");
            self.fix(Some(Fix::suggested(label, at, "_")));
        }
    }

    /// Checks whether code outside of the item may read its variables by dynamic or top-scope lookup.
    fn may_be_read_from_outside(&self) -> bool {
        let environment = Some(self.environment);
        let reads_variables = |name: &str| {
            KnownFunction::from_name(name).is_some_and(KnownFunction::reads_caller_variables)
                || ruby_symbols::function(self.db, environment, name)
                    .is_some_and(|it| it.declared().reads_scope)
        };
        let kind = self.item.kind(self.db);
        // The variables of the main manifest and of node definitions are visible everywhere.
        matches!(kind, ItemKind::Main | ItemKind::Node)
            || self.body.references.iter().any(
                |it| matches!(&it.name, ReferenceName::Function(name) if reads_variables(name)),
            )
    }

    fn is_read(&self, scope: ScopeId, binding: &Binding, reads: &Reads<'_>) -> bool {
        // A leading underscore marks a variable as intentionally unused.
        if binding.name.starts_with('_') {
            return true;
        }
        let here = reads.contains(&(binding.name.as_str(), scope));
        if here || scope != 0 || self.item.kind(self.db) != ItemKind::Class {
            return here;
        }
        // By its qualified name, or from a class that inherits from this one.
        let full = format!("{}::{}", self.item.name(self.db), binding.name);
        let class = NameKey::new(self.db, self.item.name(self.db).clone());
        is_read_by_full_name(self.db, self.environment, NameKey::new(self.db, full))
            || is_inherited(self.db, self.environment, class)
            || self.is_in_a_template(&binding.name)
    }

    /// Checks whether any template of the module contains the name as a word. Templates may compute
    /// the names of variables, so nothing more precise is possible.
    fn is_in_a_template(&self, name: &str) -> bool {
        let module = self.item.file(self.db).module(self.db);
        let name = NameKey::new(self.db, name.to_owned());
        module.is_some_and(|it| is_word_of_templates(self.db, it, name))
    }
}

/// Returns the words of a template.
#[salsa::tracked]
fn words(db: &dyn Database, file: FileInput) -> BTreeSet<String> {
    let text = file.text(db).as_deref().unwrap_or_default();
    let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    words
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Checks whether any template of a module contains a word.
#[salsa::tracked(returns(copy))]
fn is_word_of_templates<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    word: NameKey<'db>,
) -> bool {
    // A template whose text is not loaded may contain any word.
    template_files(db, module)
        .any(|(_, file)| file.text(db).is_none() || words(db, file).contains(word.text(db)))
}
