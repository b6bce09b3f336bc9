//! Unused variables and parameters.
//!
//! Other classes can read the variables of a class by their qualified names, and ERB templates can
//! read every variable in scope of the call. Nothing is reported where that may happen.

use std::collections::BTreeSet;

use salsa::Database;
use syntax::ast::{Assignment, AstNode};
use syntax::{Fix, SyntaxKind, SyntaxNode, TextRange, TextSize, statement_removal};

use super::fixes::node_at;
use super::usage_index::{is_inherited, is_read_by_full_name};
use super::{Checker, UNUSED_PARAMETER, UNUSED_VARIABLE};
use base::db::{FileInput, ModuleInput};
use hir::ItemKind;
use hir::autoload::NameKey;
use hir::body::{Binding, Name, ScopeId};

pub(super) fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    if body.incomplete || checker.may_be_read_from_outside() {
        return;
    }
    for (id, scope) in body.scopes.iter().enumerate() {
        for binding in &scope.bindings {
            if !checker.is_read(id, binding) {
                checker.unused(id, binding);
            }
        }
    }
}

impl Checker<'_> {
    /// Checks whether code outside of the item may read its variables by dynamic or top-scope lookup.
    fn may_be_read_from_outside(&self) -> bool {
        const READERS: [&str; 9] = [
            "template",
            "inline_template",
            "epp",
            "inline_epp",
            "getvar",
            "lookup",
            "hiera",
            "scope",
            "assert_private",
        ];
        let kind = self.item.kind(self.db);
        // The variables of the main manifest and of node definitions are visible everywhere.
        matches!(kind, ItemKind::Main | ItemKind::Node)
            || self.body.references.iter().any(
                |it| matches!(&it.name, Name::Function(name) if READERS.contains(&name.as_str())),
            )
    }

    fn is_read(&self, scope: ScopeId, binding: &Binding) -> bool {
        // A leading underscore marks a variable as intentionally unused.
        if binding.name.starts_with('_') {
            return true;
        }
        let here = self.body.references.iter().any(|it| {
            let same = matches!(&it.name, Name::Variable(name) if *name == binding.name);
            same && self.body.scopes_from(it.scope).any(|it| it == scope)
        });
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

    fn unused(&mut self, scope: ScopeId, binding: &Binding) {
        self.report_unused(binding);
        if !binding.parameter {
            let fix = self.removed_assignment(binding);
            self.fix(fix);
        }
        // Callers pass parameters of classes and defined types by name, so these are not renamed.
        let kind = self.item.kind(self.db);
        if scope != 0 || (kind == ItemKind::Function && binding.parameter) {
            let marked = format!("_{}", binding.name);
            let taken = self.body.scopes.iter().flat_map(|it| &it.bindings);
            if taken.clone().all(|it| it.name != marked) {
                let at = TextRange::empty(binding.range.start() + TextSize::of('$'));
                let label = format!("Rename to `${marked}` to mark it as unused");
                self.fix(Some(Fix::suggested(label, at, "_")));
            }
        }
    }

    /// Returns a fix that removes an assignment without side effects whose value is not used.
    fn removed_assignment(&self, binding: &Binding) -> Option<Fix> {
        let root = self.root();
        let variable =
            node_at(&root, binding.range).filter(|it| it.text_range() == binding.range)?;
        let assignment = variable.parent().and_then(Assignment::cast)?;
        let node = assignment.syntax();
        let is_statement = matches!(
            node.parent()?.kind(),
            SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE
        );
        let removable =
            is_statement && !gives_value(node) && self.is_removable(&root, node.text_range());
        let label = format!("Remove the unused variable `${}`", binding.name);
        removable.then(|| Fix::suggested(label, statement_removal(node), ""))
    }

    fn report_unused(&mut self, binding: &Binding) {
        let name = &binding.name;
        if binding.parameter {
            self.report(
                &UNUSED_PARAMETER,
                binding.range,
                format!("unused parameter `${name}`"),
            );
        } else {
            self.report(
                &UNUSED_VARIABLE,
                binding.range,
                format!("unused variable `${name}`"),
            );
        }
    }
}

/// Checks whether a statement may be the value of the enclosing block: the last one of a function, a
/// lambda or a conditional that is used as a value.
fn gives_value(statement: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let is_last = statement.next_sibling().is_none();
    let only_run = statement.ancestors().skip(1).all(|it| {
        matches!(
            it.kind(),
            BLOCK
                | SOURCE_FILE
                | IF_EXPR
                | UNLESS_EXPR
                | ELSE_CLAUSE
                | CASE_EXPR
                | CASE_OPTION
                | CLASS_DEFINITION
                | DEFINE_DEFINITION
                | NODE_DEFINITION
        )
    });
    is_last && !only_run
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
    let files = module.files(db).range("templates/".to_owned()..);
    let mut templates = files.take_while(|it| it.0.starts_with("templates/"));
    // A template whose text is not loaded may contain any word.
    templates.any(|it| it.1.text(db).is_none() || words(db, *it.1).contains(word.text(db)))
}
