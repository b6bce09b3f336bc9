//! Type aliases by their definitions: names that stand for types, resolved when they are asked for.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use syntax::ast::{AstNode, Expr, TypeAlias};

use super::reader::{self, TypeNames};
use super::special::Refused;
use super::{Alias, Type, normalize};

/// How many aliases may be resolved to find what one stands for.
const MAX_STEPS: u32 = 10_000;

/// An alias: its name as it is written where it is defined, and what it stands for.
pub type Definition = (Arc<str>, Expr);

type Finder<'a> = dyn Fn(&str) -> Option<Definition> + 'a;

/// Aliases, over what else there is.
pub struct Definitions<'a> {
    aliases: Box<Finder<'a>>,
    others: &'a dyn TypeNames,
    /// What the aliases are stamped with.
    stamp: u64,
    /// The aliases that are being resolved, outermost first.
    inside: RefCell<Vec<Arc<str>>>,
    steps: Cell<u32>,
    /// Why an alias on the way is none.
    broken: RefCell<Option<Refused>>,
}

impl<'a> Definitions<'a> {
    /// Aliases by name, each with the expression that it stands for.
    pub fn new(
        aliases: impl IntoIterator<Item = Definition>,
        others: &'a dyn TypeNames,
    ) -> Definitions<'a> {
        let aliases: HashMap<String, Definition> =
            aliases.into_iter().map(|it| (key(&it.0), it)).collect();
        Definitions::found_by(move |name| aliases.get(name).cloned(), others)
    }

    /// Aliases that are looked up by their names, which are in lower case.
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

    /// The same, where the names stood for other types before: aliases of different stamps are
    /// different ones.
    pub fn stamped(self, stamp: u64) -> Definitions<'a> {
        Definitions { stamp, ..self }
    }

    /// The type of an alias.
    ///
    /// # Errors
    ///
    /// If there is no such alias, or what it stands for is no type.
    pub fn get(&self, name: &str) -> Result<Type, Refused> {
        self.steps.set(0);
        self.broken.take();
        let found = self.lookup(&key(name));
        match (self.broken.take(), found) {
            (Some(broken), _) => Err(broken),
            (None, Some(ty)) => Ok(ty),
            (None, None) => Err(Refused::wrong(format!("there is no type {name}"))),
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

/// A name as it is looked up.
fn key(name: &str) -> String {
    name.strip_prefix("::").unwrap_or(name).to_lowercase()
}

impl Definitions<'_> {
    /// What an alias stands for. An object type that is described there has its name.
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

/// The body of an alias without the alias itself among its variants; an alias that is nothing else
/// is none.
fn without_itself(body: Type, name: &Arc<str>) -> Result<Type, Refused> {
    let itself = |ty: &Type| matches!(ty, Type::Recursion(it) if it == name);
    let endless = || Refused::wrong(format!("the alias {name} stands for nothing but itself"));
    match &body {
        body if itself(body) => Err(endless()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::reader::BuiltInTypes;
    use crate::types::{display, display_expanded};

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
    fn aliases_are_expanded_once() {
        let tree = "type T = Array[Variant[Integer, T]]";
        assert_eq!(expanded(tree, "T"), "T = Array[Variant[Integer, T]]");
        let both = "type T = Array[U]\ntype U = Hash[String, T]";
        assert_eq!(expanded(both, "T"), "T = Array[U = Hash[String, T]]");
        assert_eq!(expanded("type T = Integer[1, 2]", "t"), "T = Integer[1, 2]");
    }

    #[test]
    fn object_types_are_named() {
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
    fn an_alias_of_itself_is_none() {
        assert!(expanded("type T = T", "T").starts_with("Wrong"));
        assert_eq!(expanded("type T = Variant[Integer, T]", "T"), "T = Integer");
        assert!(expanded("type T = Integer[$x]", "T").starts_with("Wrong"));
        assert_eq!(display(&Type::Recursion("T".into())), "T");
    }
}
