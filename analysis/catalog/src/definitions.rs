//! The definitions that the compiler evaluates: those of the environment, and of the code of a request.

use hir::autoload::{NameKey, broken_files, find_item};
use hir::resolve::{self, Definition, ResolveError};
use hir::{Item, ItemKind, canonical_name};
use syntax::ast::{self, AstNode, HasName};
use syntax::{SyntaxNode, TextSize};
use types::reader::TypeNames;
use types::{Type, capitalize_segments};

use crate::state::{Code, Compiler, OwnDefinitions};

/// Returns the definitions in a tree.
pub(crate) fn own_definitions(root: &SyntaxNode) -> OwnDefinitions {
    let mut found = OwnDefinitions::default();
    for definition in ast::Definition::all_in(root) {
        let (kind, name) = match &definition {
            ast::Definition::ClassDefinition(it) => (ItemKind::Class, it.name()),
            ast::Definition::DefineDefinition(it) => (ItemKind::DefinedType, it.name()),
            ast::Definition::FunctionDefinition(it) => (ItemKind::Function, it.name()),
            ast::Definition::TypeAlias(it) => (ItemKind::TypeAlias, it.name()),
            _ => continue,
        };
        let name = name.map(|it| canonical_name(&it.text()));
        let Some(name) = name else {
            continue;
        };
        let code = Code {
            syntax: definition.syntax().clone(),
            file: None,
            start: TextSize::new(0),
            module: None,
        };
        found.entry((kind, name)).or_insert(code);
    }
    found
}

impl TypeNames for Compiler<'_> {
    fn lookup(&self, name: &str) -> Option<Type> {
        let own = self.own.get(&(ItemKind::DefinedType, name.to_owned()));
        match own {
            Some(_) => Some(Type::resource(&capitalize_segments(name), None)),
            None => self.types.lookup(name),
        }
    }
}

impl<'db> Compiler<'db> {
    /// Returns a class.
    ///
    /// # Errors
    ///
    /// If it is not found, with the reason.
    pub(crate) fn class_code(&self, name: &str) -> Result<Code, ResolveError> {
        if let Some(own) = self.own.get(&(ItemKind::Class, name.to_owned())) {
            return Ok(own.clone());
        }
        match resolve::class(self.db, Some(self.environment), name) {
            Ok(Definition::Item(item)) if item.kind(self.db) == ItemKind::Class => {
                Ok(self.code(item))
            }
            Ok(_) => Err(ResolveError::Unknown),
            Err(error) => Err(error),
        }
    }

    /// Returns the definition of a defined type or a function.
    pub(crate) fn definition(&self, kind: ItemKind, name: &str) -> Option<Code> {
        let name = canonical_name(name);
        match self.own.get(&(kind, name.clone())) {
            Some(own) => Some(own.clone()),
            None => self.item(kind, name).map(|it| self.code(it)),
        }
    }

    /// Checks whether a defined type has a definition. Does not read its tree.
    pub(crate) fn is_defined_type(&self, name: &str) -> bool {
        let known = self.defined_types.borrow().get(name).copied();
        known.unwrap_or_else(|| {
            let key = (ItemKind::DefinedType, canonical_name(name));
            let found = self.own.contains_key(&key) || self.item(key.0, key.1).is_some();
            let mut defined_types = self.defined_types.borrow_mut();
            defined_types.insert(name.to_owned(), found);
            found
        })
    }

    fn item(&self, kind: ItemKind, name: String) -> Option<Item<'db>> {
        let key = NameKey::new(self.db, name);
        find_item(self.db, self.environment, kind, key)
    }

    /// Records files with syntax errors that Puppet reads for a name.
    pub(crate) fn note_broken_files(&self, kind: ItemKind, name: &str) {
        let files = broken_files(self.db, self.environment, kind, name);
        let files: Vec<_> = files.map(|it| (it.id(self.db), it)).collect();
        self.state.borrow_mut().effects.files.extend(files);
    }

    pub(crate) fn code(&self, item: Item<'_>) -> Code {
        Code {
            syntax: item.syntax(self.db),
            file: Some(item.file(self.db)),
            start: item.offset(self.db),
            module: item.module_name(self.db).map(str::to_owned),
        }
    }
}
