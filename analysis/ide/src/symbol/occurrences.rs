//! All names of an item: references of its body, declarations, attributes and implicit names.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use salsa::Database;
use syntax::TextRange;

use super::implicit_names::{ImplicitName, ImplicitNameKind, implicit_names};
use super::last_segment;
use hir::body::{Reference, ReferenceName, Resource, ResourceForm, ScopeId, body};
use hir::{Item, ItemKind, canonical_name, signature};

/// How an occurrence of a name accesses its symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// A definition, or a parameter in a parameter list.
    Declaration,
    /// An assignment.
    Write,
    /// Any other use.
    Read,
}

/// The word under which all interpolated names are indexed. It is not a valid name.
pub(crate) const INTERPOLATED: &str = "${}";

/// A name in an item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence<'a> {
    /// The range in the tree of the item, including quotes or a dollar sign.
    pub(crate) range: TextRange,
    /// How the name accesses its symbol.
    pub(crate) access: AccessKind,
    /// The kind of name.
    pub(crate) kind: OccurrenceKind<'a>,
}

/// The kind of an [`Occurrence`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum OccurrenceKind<'a> {
    /// The name of the item itself.
    Item,
    /// A parameter or an assigned variable of a scope.
    Binding(ScopeId, &'a str),
    /// A reference in the body.
    Reference(&'a Reference),
    /// An attribute of a resource.
    Attribute(&'a Resource, &'a str),
    /// The type and title of a resource declaration.
    Title(&'a str, &'a str),
    /// An implicit name.
    Implicit(&'a ImplicitName),
}

impl OccurrenceKind<'_> {
    /// Returns the name of the variable that is read, as written.
    pub(crate) fn variable(&self) -> Option<&str> {
        match self {
            OccurrenceKind::Reference(it) => match &it.name {
                ReferenceName::Variable(name) => Some(name),
                _ => None,
            },
            OccurrenceKind::Implicit(it) => match &it.kind {
                ImplicitNameKind::Variable(name, _) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the word under which the name is indexed.
    pub(crate) fn word_hash(&self, db: &dyn Database, item: Item<'_>) -> u64 {
        match self {
            OccurrenceKind::Item => word_hash(item.name(db)),
            OccurrenceKind::Binding(_, name) | OccurrenceKind::Attribute(_, name) => {
                word_hash(name)
            }
            OccurrenceKind::Title(_, title) => word_hash(title),
            OccurrenceKind::Reference(it) => match &it.name {
                ReferenceName::Variable(name) => word_hash(last_segment(name)),
                ReferenceName::Class(name, _)
                | ReferenceName::ResourceType(name)
                | ReferenceName::Function(name) => word_hash(name),
                ReferenceName::Type(name) => word_hash(&canonical_name(name)),
                ReferenceName::Title(_, title) => word_hash(title),
                ReferenceName::Path(_, path) => word_hash(path.trim_end_matches('/')),
            },
            OccurrenceKind::Implicit(it) => match &it.kind {
                ImplicitNameKind::Fact(name)
                | ImplicitNameKind::Defined(name)
                | ImplicitNameKind::Class(name)
                | ImplicitNameKind::Plan(name)
                | ImplicitNameKind::ComputedParameters(name)
                | ImplicitNameKind::Attribute { name, .. }
                | ImplicitNameKind::PlanParameter(_, name)
                | ImplicitNameKind::Task(name)
                | ImplicitNameKind::TaskParameter(_, name)
                | ImplicitNameKind::SentFile(name)
                | ImplicitNameKind::TemplateParameter(_, name) => word_hash(name),
                ImplicitNameKind::Variable(name, _) | ImplicitNameKind::DataKey(name) => {
                    word_hash(last_segment(name))
                }
                ImplicitNameKind::Interpolated(_) => word_hash(INTERPOLATED),
            },
        }
    }
}

/// Returns the class of a qualified variable or of a lookup key.
pub(crate) fn class_of_variable(kind: &OccurrenceKind<'_>) -> Option<String> {
    let name = match kind {
        OccurrenceKind::Implicit(ImplicitName {
            kind: ImplicitNameKind::DataKey(name),
            ..
        }) => name.as_str(),
        _ => kind.variable()?,
    };
    let class = canonical_name(name.rsplit_once("::")?.0);
    (!class.is_empty()).then_some(class)
}

/// Hashes a word. Different words may collide.
pub(crate) fn word_hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Returns all names of an item, in no particular order.
pub(crate) fn occurrences<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<Occurrence<'db>> {
    let body = body(db, item);
    let mut found = Vec::new();
    let mut add = |range, access, kind| {
        found.push(Occurrence {
            range,
            access,
            kind,
        });
    };
    if !matches!(item.kind(db), ItemKind::Main | ItemKind::Node) {
        let range = signature(db, item).name_range;
        add(range, AccessKind::Declaration, OccurrenceKind::Item);
    }
    for (scope, bindings) in body.scopes.iter().map(|it| &it.bindings).enumerate() {
        for it in bindings {
            let access = match it.parameter {
                true => AccessKind::Declaration,
                false => AccessKind::Write,
            };
            add(it.range, access, OccurrenceKind::Binding(scope, &it.name));
        }
    }
    for it in &body.references {
        add(it.range, AccessKind::Read, OccurrenceKind::Reference(it));
    }
    for resource in &body.resources {
        for it in &resource.attributes {
            let kind = OccurrenceKind::Attribute(resource, &it.name);
            add(it.range, AccessKind::Write, kind);
        }
        let type_ = resource.type_.as_deref();
        let declares = resource.form == ResourceForm::Declaration;
        if let Some(type_) = type_.filter(|it| declares && *it != "class") {
            for it in &resource.titles {
                add(
                    it.range,
                    AccessKind::Declaration,
                    OccurrenceKind::Title(type_, &it.text),
                );
            }
        }
    }
    for it in implicit_names(db, item) {
        let access = match it.writes {
            true => AccessKind::Write,
            false => AccessKind::Read,
        };
        add(it.range, access, OccurrenceKind::Implicit(it));
    }
    found
}
