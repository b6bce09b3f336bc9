//! Type aliases with their definitions, resolved on demand.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use syntax::ast::{AstNode, Expr, TypeAlias};

use super::reader::{self, TypeNames};
use super::special::Refused;
use super::{Alias, Type, normalize};

/// The maximum number of aliases resolved for one lookup.
const MAX_STEPS: u32 = 10_000;

/// The definition of a type alias: its name as written, and the aliased type expression.
pub type Definition = (Arc<str>, Expr);

type FindDefinition<'a> = dyn Fn(&str) -> Option<Definition> + 'a;

/// A scope of type aliases on top of an outer scope.
pub struct Definitions<'a> {
    aliases: Box<FindDefinition<'a>>,
    others: &'a dyn TypeNames,
    /// The stamp of the resolved aliases; see [`Definitions::stamped`].
    stamp: u64,
    /// The aliases being resolved, outermost first.
    inside: RefCell<Vec<Arc<str>>>,
    steps: Cell<u32>,
    /// The first error in an alias used by the definition.
    broken: RefCell<Option<Refused>>,
}

impl<'a> Definitions<'a> {
    /// Creates a scope from a list of definitions.
    pub fn new(
        aliases: impl IntoIterator<Item = Definition>,
        others: &'a dyn TypeNames,
    ) -> Definitions<'a> {
        let aliases: HashMap<String, Definition> =
            aliases.into_iter().map(|it| (key(&it.0), it)).collect();
        Definitions::found_by(move |name| aliases.get(name).cloned(), others)
    }

    /// Creates a scope from a lookup function, which receives names in lower case.
    pub fn found_by(
        aliases: impl Fn(&str) -> Option<Definition> + 'a,
        others: &'a dyn TypeNames,
    ) -> Definitions<'a> {
        Definitions {
            aliases: Box::new(aliases),
            others,
            stamp: 0,
            inside: RefCell::default(),
            steps: Cell::default(),
            broken: RefCell::default(),
        }
    }

    /// Distinguishes the aliases from those resolved earlier, when names referred to other types:
    /// aliases with different stamps are not equal.
    pub fn stamped(self, stamp: u64) -> Definitions<'a> {
        Definitions { stamp, ..self }
    }

    /// Resolves an alias to its type.
    ///
    /// # Errors
    ///
    /// If the alias is unknown or its definition is not a valid type.
    pub fn get(&self, name: &str) -> Result<Type, Refused> {
        self.steps.set(0);
        self.broken.take();
        let found = self.lookup(&key(name));
        match (self.broken.take(), found) {
            (Some(broken), _) => Err(broken),
            (None, Some(ty)) => Ok(ty),
            (None, None) => Err(Refused::wrong(format!("unknown type `{name}`"))),
        }
    }

    fn resolve(&self, name: &Arc<str>, definition: &Expr) -> Result<Type, Refused> {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > MAX_STEPS {
            return Err(Refused::unknown("too many aliases"));
        }
        self.inside.borrow_mut().push(Arc::clone(name));
        let body = self.body(name, definition);
        self.inside.borrow_mut().pop();
        let body = without_itself(normalize(&body?), name)?;
        Ok(Type::Alias(Arc::new(
            Alias::new(Arc::clone(name), body).stamped(self.stamp),
        )))
    }
}

/// Normalizes a name for lookup.
fn key(name: &str) -> String {
    name.strip_prefix("::").unwrap_or(name).to_lowercase()
}

impl Definitions<'_> {
    /// Returns the aliased type. An object type that is defined in place takes the name of the
    /// alias.
    fn body(&self, name: &Arc<str>, definition: &Expr) -> Result<Type, Refused> {
        let alias = definition.syntax().parent().and_then(TypeAlias::cast);
        let object = match (alias.and_then(|it| it.object_hash()), definition) {
            (Some(hash), parent) => reader::read_object(Some(parent), &hash, self)?,
            (None, Expr::HashExpr(_)) => reader::read_object(None, definition, self)?,
            (None, Expr::AccessExpr(_)) => match reader::read_expression(definition, self)? {
                Type::Object(object) => object,
                other => return Ok(other),
            },
            _ => return reader::read_expression(definition, self),
        };
        Ok(Type::Object(Arc::new(object.named(name))))
    }
}

impl TypeNames for Definitions<'_> {
    fn lookup(&self, name: &str) -> Option<Type> {
        let Some((cased, definition)) = (self.aliases)(name) else {
            return self.others.lookup(name);
        };
        if self.inside.borrow().contains(&cased) {
            return Some(Type::Recursion(cased));
        }
        match self.resolve(&cased, &definition) {
            Ok(ty) => Some(ty),
            Err(refused) => {
                self.broken.borrow_mut().get_or_insert(refused);
                None
            }
        }
    }
}

/// Removes the alias itself from the variants of its body; fails if no other type remains.
fn without_itself(body: Type, name: &Arc<str>) -> Result<Type, Refused> {
    let itself = |ty: &Type| matches!(ty, Type::Recursion(it) if it == name);
    let endless = || {
        Refused::wrong(format!(
            "type alias `{name}` cannot be resolved to a real type"
        ))
    };
    match &body {
        body if is_only(body, name) => Err(endless()),
        Type::Variant(types) if types.iter().any(itself) => {
            let others: Vec<Type> = types.iter().filter(|it| !itself(it)).cloned().collect();
            if others.is_empty() {
                Err(endless())
            } else {
                Ok(Type::variant(others))
            }
        }
        _ => Ok(body),
    }
}

/// Checks whether a type is only the alias with this name, directly or through other aliases.
fn is_only(body: &Type, name: &Arc<str>) -> bool {
    match body {
        Type::Recursion(it) => it == name,
        Type::Alias(it) => is_only(&it.resolved(), name),
        Type::NotUndef(Some(inner)) => is_only(inner, name),
        Type::Variant(types) => !types.is_empty() && types.iter().all(|it| is_only(it, name)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::BuiltInTypes;
    use crate::{display, display_expanded};

    fn expanded(source: &str, name: &str) -> String {
        let parse = syntax::parse(source, syntax::Dialect::default());
        let aliases = parse.tree().statements().filter_map(|it| match it {
            Expr::TypeAlias(alias) => {
                let name = alias.syntax().text().to_string();
                let name = name.trim_start_matches("type").trim_start();
                let name = name.split([' ', '=']).next()?.into();
                Some((name, alias.type_expr()?))
            }
            _ => None,
        });
        match Definitions::new(aliases, &BuiltInTypes).get(name) {
            Ok(ty) => display_expanded(&ty),
            Err(refused) => format!("{refused:?}"),
        }
    }

    #[test]
    fn expands_aliases_once() {
        let tree = "type T = Array[Variant[Integer, T]]";
        assert_eq!(expanded(tree, "T"), "T = Array[Variant[Integer, T]]");
        let both = "type T = Array[U]\ntype U = Hash[String, T]";
        assert_eq!(expanded(both, "T"), "T = Array[U = Hash[String, T]]");
        assert_eq!(expanded("type T = Integer[1, 2]", "t"), "T = Integer[1, 2]");
    }

    #[test]
    fn names_object_types_after_their_alias() {
        let source = "type P = Object[{attributes => {a => Integer}}]\n\
            type T = P{attributes => {b => {type => String, value => 'x'}}}\ntype U = {constants => {c => 1}}";
        let p = "P = Object[{name => 'P', attributes => {'a' => Integer}}]";
        assert_eq!(expanded(source, "P"), p);
        let t = expanded(source, "T");
        assert!(t.starts_with("T = Object[{name => 'T', parent => P"), "{t}");
        let u = "U = Object[{name => 'U', constants => {'c' => 1}}]";
        assert_eq!(expanded(source, "U"), u);
        let wrong = "type T = Object[{attributes => {a => {type => Integer, override => true}}}]";
        assert!(expanded(wrong, "T").starts_with("Wrong"));
    }

    #[test]
    fn rejects_aliases_of_themselves() {
        assert!(expanded("type T = T", "T").starts_with("Wrong"));
        assert!(expanded("type T = U\ntype U = NotUndef[T]", "U").starts_with("Wrong"));
        assert_eq!(expanded("type T = Variant[Integer, T]", "T"), "T = Integer");
        assert!(expanded("type T = Integer[$x]", "T").starts_with("Wrong"));
        assert_eq!(display(&Type::Recursion("T".into())), "T");
    }
}
