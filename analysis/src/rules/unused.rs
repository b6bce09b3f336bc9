//! Variables and parameters that nobody reads.
//!
//! Other classes can read the variables of a class by their full names, and templates in Ruby can
//! read everything around the call. Where that may happen nothing is said.

use std::collections::BTreeSet;

use salsa::Database;
use syntax::ast::{Assignment, AstNode};
use syntax::{Fix, SyntaxKind, SyntaxNode, TextRange, TextSize, statement_removal};

use super::fixes::node_at;
use super::mentions::{is_inherited, is_read_by_full_name};
use super::{Checker, UNUSED_PARAMETER, UNUSED_VARIABLE};
use crate::db::{FileInput, ModuleInput};
use crate::workspace::ItemKind;
use crate::workspace::autoload::NameKey;
use crate::workspace::body::{Binding, Name, ScopeId};

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
    /// Functions that read variables which they are not given.
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
        // The main manifest and nodes give variables to all others.
        matches!(kind, ItemKind::Main | ItemKind::Node)
            || self.body.references.iter().any(
                |it| matches!(&it.name, Name::Function(name) if READERS.contains(&name.as_str())),
            )
    }

    fn is_read(&self, scope: ScopeId, binding: &Binding) -> bool {
        // An underscore says that it is not to be read.
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
        // By its full name, or by a class that inherits from this one.
        let full = format!("{}::{}", self.item.name(self.db), binding.name);
        let class = NameKey::new(self.db, self.item.name(self.db).clone());
        is_read_by_full_name(self.db, self.environment, NameKey::new(self.db, full))
            || is_inherited(self.db, self.environment, class)
            || self.is_in_a_template(&binding.name)
    }

    /// Templates read variables by names that may be put together: any word will do.
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
        // Arguments of classes and defined types are given by name.
        let kind = self.item.kind(self.db);
        if scope != 0 || (kind == ItemKind::Function && binding.parameter) {
            let marked = format!("_{}", binding.name);
            let taken = self.body.scopes.iter().flat_map(|it| &it.bindings);
            if taken.clone().all(|it| it.name != marked) {
                let at = TextRange::empty(binding.range.start() + TextSize::of('$'));
                let label = format!("Call it `${marked}`, which says that nobody reads it");
                self.fix(Some(Fix::suggested(label, at, "_")));
            }
        }
    }

    /// An assignment that does nothing else and is the value of nothing.
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
        let label = format!("Remove the assignment of `${}`", binding.name);
        removable.then(|| Fix::suggested(label, statement_removal(node), ""))
    }

    fn report_unused(&mut self, binding: &Binding) {
        let name = &binding.name;
        if binding.parameter {
            self.report(
                &UNUSED_PARAMETER,
                binding.range,
                format!("nobody reads parameter `${name}`"),
            );
        } else {
            self.report(
                &UNUSED_VARIABLE,
                binding.range,
                format!("nobody reads `${name}`"),
            );
        }
    }
}

/// Whether a statement may be the value of what is around it: the last one of a function, a lambda
/// or a conditional that is a value.
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

/// The words of a template.
#[salsa::tracked]
fn words(db: &dyn Database, file: FileInput) -> BTreeSet<String> {
    let text = file.text(db).as_deref().unwrap_or_default();
    let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    words
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a word is in a template of a module.
#[salsa::tracked(returns(copy))]
fn is_word_of_templates<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    word: NameKey<'db>,
) -> bool {
    let files = module.files(db).range("templates/".to_owned()..);
    let mut templates = files.take_while(|it| it.0.starts_with("templates/"));
    // What nobody reads may hold any word.
    templates.any(|it| it.1.text(db).is_none() || words(db, *it.1).contains(word.text(db)))
}
