//! All names of an item: references of its body, declarations, attributes and implicit names.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use salsa::Database;
use syntax::TextRange;

use super::last_part;
use super::special::{Special, SpecialName, specials};
use hir::body::{Name, Reference, Resource, ResourceForm, ScopeId, body};
use hir::{Item, ItemKind, canonical, signature};

/// How an occurrence of a name accesses its symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Access {
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
    pub(crate) access: Access,
    /// The kind of name.
    pub(crate) what: What<'a>,
}

/// The kind of an [`Occurrence`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum What<'a> {
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
    Special(&'a Special),
}

impl What<'_> {
    /// Returns the word under which the name is indexed.
    pub(crate) fn word(&self, db: &dyn Database, item: Item<'_>) -> u64 {
        match self {
            What::Item => word(item.name(db)),
            What::Binding(_, name) | What::Attribute(_, name) => word(name),
            What::Title(_, title) => word(title),
            What::Reference(it) => match &it.name {
                Name::Variable(name) => word(last_part(name)),
                Name::Class(name, _) | Name::ResourceType(name) | Name::Function(name) => {
                    word(name)
                }
                Name::Type(name) => word(&canonical(name)),
                Name::Title(_, title) => word(title),
                Name::Path(_, path) => word(path.trim_end_matches('/')),
            },
            What::Special(it) => match &it.name {
                SpecialName::Fact(name)
                | SpecialName::Defined(name)
                | SpecialName::Class(name)
                | SpecialName::Function(name)
                | SpecialName::Plan(name)
                | SpecialName::Computed(name)
                | SpecialName::Attribute { name, .. }
                | SpecialName::PlanParameter(_, name)
                | SpecialName::TemplateParameter(_, name) => word(name),
                SpecialName::Variable(name, _) | SpecialName::DataKey(name) => {
                    word(last_part(name))
                }
                SpecialName::Interpolated(_) => word(INTERPOLATED),
            },
        }
    }
}

/// Returns the class of a qualified variable or of a lookup key.
pub(crate) fn class_of_variable(what: &What<'_>) -> Option<String> {
    let name = match what {
        What::Reference(it) => match &it.name {
            Name::Variable(name) => name,
            _ => return None,
        },
        What::Special(it) => match &it.name {
            SpecialName::Variable(name, _) | SpecialName::DataKey(name) => name,
            _ => return None,
        },
        _ => return None,
    };
    let class = canonical(name.rsplit_once("::")?.0);
    (!class.is_empty()).then_some(class)
}

/// Hashes a word. Different words may collide.
pub(crate) fn word(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Returns all names of an item, in no particular order.
pub(crate) fn occurrences<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<Occurrence<'db>> {
    let body = body(db, item);
    let mut found = Vec::new();
    let mut add = |range, access, what| {
        found.push(Occurrence {
            range,
            access,
            what,
        });
    };
    if !matches!(item.kind(db), ItemKind::Main | ItemKind::Node) {
        let range = signature(db, item).name_range;
        add(range, Access::Declaration, What::Item);
    }
    for (scope, bindings) in body.scopes.iter().map(|it| &it.bindings).enumerate() {
        for it in bindings {
            let access = match it.parameter {
                true => Access::Declaration,
                false => Access::Write,
            };
            add(it.range, access, What::Binding(scope, &it.name));
        }
    }
    for it in &body.references {
        add(it.range, Access::Read, What::Reference(it));
    }
    for resource in &body.resources {
        for it in &resource.attributes {
            let what = What::Attribute(resource, &it.name);
            add(it.range, Access::Write, what);
        }
        let type_ = resource.type_.as_deref();
        let declares = resource.form == ResourceForm::Declaration;
        if let Some(type_) = type_.filter(|it| declares && *it != "class") {
            for it in &resource.titles {
                add(it.range, Access::Declaration, What::Title(type_, &it.text));
            }
        }
    }
    for it in specials(db, item) {
        let access = match it.writes {
            true => Access::Write,
            false => Access::Read,
        };
        add(it.range, access, What::Special(it));
    }
    found
}
