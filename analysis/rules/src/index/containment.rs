//! Which code declares and contains classes, and which relationships classes and defined types have.
//!
//! The index is built per file, per module and per environment, as [`crate::index::usage_index`].

use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::module_puppet_files;
use hir::body::{ClassUse, Reference, ReferenceName, Resource, ResourceForm, body};
use hir::{Item, ItemKind, canonical_name, items};
use library::KnownFunction;
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;
use syntax::ast::{AstNode, Attribute, CallExpr, MethodCall};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use crate::fixes::node_at;

/// The place of a relationship.
#[derive(Clone, Copy, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub(crate) struct RelationshipPlace<'db> {
    pub(crate) item: Item<'db>,
    /// The range in the tree of the item.
    pub(crate) range: TextRange,
}

/// Where classes are declared, contained and related to others.
#[derive(Clone, PartialEq, Eq, Debug, Default, salsa::SalsaValue)]
pub(crate) struct Containment<'db> {
    /// The definitions that declare a class.
    pub(crate) declaring: FxHashMap<String, Vec<Item<'db>>>,
    /// The definitions that contain a class.
    pub(crate) containing: FxHashMap<String, Vec<Item<'db>>>,
    /// The relationships of classes and defined types, by kind and name.
    pub(crate) related: FxHashMap<(ItemKind, String), Vec<RelationshipPlace<'db>>>,
}

impl<'db> Containment<'db> {
    fn add(&mut self, part: &Containment<'db>) {
        add_all(&mut self.declaring, &part.declaring);
        add_all(&mut self.containing, &part.containing);
        add_all(&mut self.related, &part.related);
    }

    fn all<'a>(parts: impl IntoIterator<Item = &'a Containment<'db>>) -> Containment<'db>
    where
        'db: 'a,
    {
        let mut all = Containment::default();
        parts.into_iter().for_each(|it| all.add(it));
        all
    }

    fn add_item(&mut self, db: &'db dyn Database, item: Item<'db>) {
        let body = body(db, item);
        let root = item.syntax(db);
        for reference in &body.references {
            self.add_reference(item, &root, reference);
        }
        let declarations = body.resources.iter();
        for resource in declarations.filter(|it| it.form == ResourceForm::Declaration) {
            self.add_declaration(item, &root, resource);
        }
    }

    fn add_reference(&mut self, item: Item<'db>, root: &SyntaxNode, reference: &Reference) {
        let range = reference.range;
        let related = match &reference.name {
            ReferenceName::Class(name, ClassUse::Declared) => {
                let function = function_at(root, range);
                push(&mut self.declaring, name.clone(), item);
                if function == Some(KnownFunction::Contain) {
                    push(&mut self.containing, name.clone(), item);
                }
                (function == Some(KnownFunction::Require)).then(|| (ItemKind::Class, name.clone()))
            }
            ReferenceName::Class(name, ClassUse::Inherited) => {
                push(&mut self.declaring, name.clone(), item);
                None
            }
            ReferenceName::Class(name, ClassUse::Referenced) => {
                is_in_relationship(root, range).then(|| (ItemKind::Class, name.clone()))
            }
            ReferenceName::Title(type_, _) => {
                is_in_relationship(root, range).then(|| (ItemKind::DefinedType, type_.clone()))
            }
            _ => None,
        };
        if let Some(related) = related {
            push(
                &mut self.related,
                related,
                RelationshipPlace { item, range },
            );
        }
    }

    /// Adds the relationships of a declaration: its metaparameters, and arrows next to it.
    fn add_declaration(&mut self, item: Item<'db>, root: &SyntaxNode, resource: &Resource) {
        let attributes = resource.attributes.iter().map(|it| it.name.as_str());
        let defaults = resource.default_attributes.iter().map(String::as_str);
        let mut names = attributes.chain(defaults);
        let Some(type_) = &resource.type_ else {
            return;
        };
        let is_ordered =
            resource.splat || names.any(|it| library::RELATIONSHIPS.contains(&it) || it == "stage");
        if !is_ordered && !is_in_relationship(root, resource.range) {
            return;
        }
        let range = resource.range;
        let place = RelationshipPlace { item, range };
        if type_ != "class" {
            return push(
                &mut self.related,
                (ItemKind::DefinedType, type_.clone()),
                place,
            );
        }
        for title in &resource.titles {
            let name = canonical_name(&title.text);
            push(&mut self.related, (ItemKind::Class, name), place);
        }
    }

    /// Returns a relationship of a definition, or of a class that contains it; `None` if the class `inner`, which the
    /// definition declares, takes part in such a relationship.
    pub(crate) fn relationship_of(
        &self,
        db: &'db dyn Database,
        definition: Item<'db>,
        inner: Item<'db>,
    ) -> Option<RelationshipPlace<'db>> {
        let mut found = None;
        let mut seen = FxHashSet::default();
        let mut left = vec![definition];
        while let Some(definition) = left.pop() {
            if !seen.insert(definition) {
                continue;
            }
            let key = (definition.kind(db), definition.name(db).clone());
            let places = self.related.get(&key).map_or(&[][..], Vec::as_slice);
            if places.iter().any(|it| it.item == inner) {
                return None;
            }
            found = found.or_else(|| places.first().copied());
            if key.0 == ItemKind::Class {
                left.extend(self.containing.get(&key.1).into_iter().flatten());
            }
        }
        found
    }
}

fn push<K: Eq + std::hash::Hash, V>(all: &mut FxHashMap<K, Vec<V>>, key: K, value: V) {
    all.entry(key).or_default().push(value);
}

fn add_all<K: Clone + Eq + std::hash::Hash, V: Copy>(
    all: &mut FxHashMap<K, Vec<V>>,
    part: &FxHashMap<K, Vec<V>>,
) {
    for (key, values) in part {
        all.entry(key.clone()).or_default().extend(values);
    }
}

/// Returns the function whose argument is at a range.
pub(crate) fn function_at(root: &SyntaxNode, range: TextRange) -> Option<KnownFunction> {
    let name = call_at(root, range)?;
    let token = match CallExpr::cast(name.clone()) {
        Some(it) => it.name_token(),
        None => MethodCall::cast(name).and_then(|it| it.name_token()),
    };
    KnownFunction::from_name(token?.text())
}

/// Returns the call whose argument is at a range.
pub(crate) fn call_at(root: &SyntaxNode, range: TextRange) -> Option<SyntaxNode> {
    let is_call =
        |it: &SyntaxNode| CallExpr::can_cast(it.kind()) || MethodCall::can_cast(it.kind());
    let node = node_at(root, range)?;
    let resource = |it: &SyntaxNode| it.kind() == SyntaxKind::RESOURCE_EXPR;
    let mut around = node.ancestors().take_while(|it| !resource(it));
    around.find(is_call)
}

/// Checks whether a reference or a declaration is an operand of an arrow, or the value of a metaparameter that orders
/// resources.
fn is_in_relationship(root: &SyntaxNode, range: TextRange) -> bool {
    let Some(node) = node_at(root, range) else {
        return false;
    };
    let around = node.ancestors();
    let mut around = around.take_while(|it| {
        let is_call = CallExpr::can_cast(it.kind()) || MethodCall::can_cast(it.kind());
        !is_call && it.kind() != SyntaxKind::BLOCK
    });
    around.any(|it| match Attribute::cast(it.clone()) {
        Some(attribute) => {
            let name = attribute.name_token();
            name.is_some_and(|it| library::RELATIONSHIPS.contains(&it.text()))
        }
        None => it.kind() == SyntaxKind::RELATIONSHIP,
    })
}

#[salsa::tracked]
fn file_containment<'db>(db: &'db dyn Database, file: FileInput) -> Containment<'db> {
    let mut found = Containment::default();
    for item in items(db, file) {
        found.add_item(db, *item);
    }
    found
}

#[salsa::tracked]
fn module_containment<'db>(db: &'db dyn Database, module: ModuleInput) -> Containment<'db> {
    let files = module_puppet_files(db, module).iter();
    Containment::all(files.map(|it| file_containment(db, *it)))
}

/// Returns where the code of an environment declares, contains and relates classes.
#[salsa::tracked]
pub(crate) fn environment_containment<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
) -> Containment<'db> {
    let manifests = environment.manifests(db).iter();
    let manifests = manifests.map(|it| file_containment(db, *it));
    let modules = environment.modules(db).values();
    Containment::all(manifests.chain(modules.map(|it| module_containment(db, *it))))
}
