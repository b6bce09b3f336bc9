//! Code that looks for a resource which is declared later: calls to `defined`, and reads of attributes.

use hir::{Item, ItemKind, canonical_name, item_at};
use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::TextRange;
use syntax::ast::{AstNode, Expr};

use super::{ClassProblem, Findings, ProblemKind};
use crate::data::{CompileErrorKind, Place, ResourceKey};
use crate::state::EarlyLookup;
use crate::values::class_key;

impl<'c> Findings<'c> {
    /// Returns the resources that code looked for, and that are declared later.
    pub(super) fn of_early_lookups(
        &self,
        db: &dyn Database,
        early_lookups: Vec<EarlyLookup>,
    ) -> impl Iterator<Item = ClassProblem> {
        let catalog = &self.compilation.catalog;
        early_lookups.into_iter().filter_map(move |lookup| {
            let EarlyLookup { key, place, .. } = lookup;
            let resource = catalog.resources.get(&key).filter(|it| it.is_certain)?;
            // A branch with an unknown condition may include the other class earlier.
            let own = self.class.as_ref().map(|it| canonical_name(&it.title));
            let is_own = self.class_of(&key) == own;
            let contains = |around: &Option<Place>| {
                let both = around.as_ref().zip(place.as_ref());
                both.is_some_and(|(it, test)| it.contains(test))
            };
            if !is_own && !catalog.conditions.iter().all(|it| contains(&it.place)) {
                return None;
            }
            if lookup.reads_attribute {
                return Some(self.problem(ProblemKind::EarlyRead(key), [place, resource.place]));
            }
            let is_guarded = place.is_some_and(|it| self.is_guarded(db, &key, it));
            if is_guarded && !self.is_declared_twice(&key) {
                return None;
            }
            let kind = ProblemKind::EarlyDefined(key);
            Some(self.problem(kind, [place, resource.place]))
        })
    }

    fn is_declared_twice(&self, key: &ResourceKey) -> bool {
        let mut errors = self.compilation.errors.iter();
        errors.any(|it| matches!(&it.kind, CompileErrorKind::DuplicateDeclaration(it) if it == key))
    }

    /// Checks whether a resource is only declared as a test did not find it: by the statement with the test, or by a class
    /// or an instance of a defined type that this declares.
    fn is_guarded(&self, db: &dyn Database, key: &ResourceKey, test: Place) -> bool {
        let Some(statement) = self.statement_of(db, test) else {
            return false;
        };
        let resources = &self.compilation.catalog.resources;
        let mut visited = FxHashSet::default();
        let mut next = Some(key.clone());
        while let Some(key) = next.take().filter(|it| visited.insert(it.clone())) {
            let Some(resource) = resources.get(&key) else {
                return false;
            };
            if resource.place.is_some_and(|it| statement.contains(&it)) {
                return true;
            }
            next = match key.type_name.as_str() {
                // A class is contained in a stage.
                "Class" => resource.place.and_then(|it| self.class_at(db, it)),
                _ => resource.container.clone(),
            };
        }
        false
    }

    /// Returns the place of the statement that a test decides: that with the test in its condition. Other code may do so
    /// with the result, wherever it is in the definition.
    fn statement_of(&self, db: &dyn Database, test: Place) -> Option<Place> {
        let (item, range) = self.item_at(db, test)?;
        let root = item.syntax(db);
        let is_condition =
            |it: Option<Expr>| it.is_some_and(|it| it.syntax().text_range().contains_range(range));
        let around = root.covering_element(range).ancestors();
        let mut expressions = around.filter_map(Expr::cast);
        let decided = expressions.find(|it| match it {
            Expr::IfExpr(it) => is_condition(it.condition()),
            Expr::UnlessExpr(it) => is_condition(it.condition()),
            _ => false,
        });
        let range: TextRange = decided.map_or(root.text_range(), |it| it.syntax().text_range());
        Some(Place {
            file: test.file,
            range: item.in_file(db, range),
        })
    }

    /// Returns the class whose code is at a place.
    fn class_at(&self, db: &dyn Database, place: Place) -> Option<ResourceKey> {
        let (item, _) = self.item_at(db, place)?;
        (item.kind(db) == ItemKind::Class).then(|| class_key(item.name(db)))
    }

    /// Returns the definition whose code is at a place, and the range in its tree.
    fn item_at<'db>(&self, db: &'db dyn Database, place: Place) -> Option<(Item<'db>, TextRange)> {
        let file = *self.files.get(&place.file?)?;
        item_at(db, file, place.range)
    }
}
