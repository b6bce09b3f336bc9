//! The symbols of names in data, and the names in data that refer to a symbol.

use salsa::Database;
use syntax::{TextRange, TextSize};

use super::mentions::{Mention, MentionKind, mention_at, mentions_of};
use crate::ReferenceLocation;
use crate::symbol::{AccessKind, Symbol, data_key_symbol};
use base::{EnvironmentInput, FileInput};
use hir::body::body;
use hir::resolve::{Definition, class};
use hir::{ItemKind, signature};
use rules::data::layer_of;

/// Returns the symbol of the name at an offset of a data file, with the range of the name.
pub(crate) fn symbol_in_data(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<(TextRange, Symbol<'_>)> {
    let mention = mention_at(db, file, offset)?;
    let symbol = symbol_of(db, file.environment(db)?, file, mention)?;
    Some((mention.range, symbol))
}

fn symbol_of<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    file: FileInput,
    mention: &Mention,
) -> Option<Symbol<'db>> {
    let name = mention.name(file.text(db).as_deref()?);
    match mention.kind {
        MentionKind::Variable => class_variable(db, environment, name),
        MentionKind::Lookup => Some(data_key_symbol(db, environment, name)),
        MentionKind::Class => match class(db, Some(environment), name).ok()? {
            Definition::Item(item) => Some(Symbol::Item(item)),
            _ => None,
        },
        MentionKind::Option if name.starts_with('^') => None,
        // Puppet ignores the keys of others in the data of a module.
        MentionKind::Key | MentionKind::Option => {
            let is_read = layer_of(db, file.module(db)?).may_have(name);
            is_read.then(|| data_key_symbol(db, environment, name))
        }
    }
}

/// Returns the symbol of a variable by its name with the class.
fn class_variable<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: &str,
) -> Option<Symbol<'db>> {
    let (owner, variable) = name.rsplit_once("::")?;
    match class(db, Some(environment), owner).ok()? {
        Definition::Item(item) if item.kind(db) == ItemKind::Class => {
            body(db, item).own_bindings(variable).next()?;
            Some(Symbol::Variable {
                item,
                scope: 0,
                name: variable.to_owned(),
            })
        }
        _ => None,
    }
}

/// A name in a data file that refers to a symbol.
pub(crate) struct DataUse<'db> {
    pub(crate) file: FileInput,
    pub(crate) mention: &'db Mention,
    pub(crate) access: AccessKind,
}

impl DataUse<'_> {
    pub(crate) fn location(&self, db: &dyn Database) -> ReferenceLocation {
        ReferenceLocation {
            file: self.file.id(db),
            range: self.mention.range,
            access: self.access,
        }
    }
}

/// Returns the names in the data of an environment that refer to a symbol, by file in source order.
pub(crate) fn data_uses<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    symbol: &Symbol<'db>,
) -> Vec<DataUse<'db>> {
    let name = match symbol {
        Symbol::DataKey(key) => key.clone(),
        Symbol::Item(item) if item.kind(db) == ItemKind::Class => item.name(db).clone(),
        Symbol::Variable {
            item,
            scope: 0,
            name,
        } if item.kind(db) == ItemKind::Class => format!("{}::{name}", item.name(db)),
        _ => return Vec::new(),
    };
    let is_parameter = match symbol {
        Symbol::Variable { item, name, .. } => signature(db, *item).parameter(name).is_some(),
        _ => false,
    };
    let all = mentions_of(db, environment, &name).into_iter();
    let same = all.filter(|(file, mention)| {
        symbol_of(db, environment, *file, mention).as_ref() == Some(symbol)
    });
    let mut found: Vec<DataUse<'db>> = same
        .map(|(file, mention)| DataUse {
            file,
            mention,
            access: match mention.kind {
                MentionKind::Key if is_parameter => AccessKind::Write,
                MentionKind::Key => AccessKind::Declaration,
                _ => AccessKind::Read,
            },
        })
        .collect();
    found.sort_by_key(|it| (it.file.id(db), it.mention.range.start()));
    found
}

/// Returns the names in one data file that refer to a symbol, in source order.
pub(crate) fn data_uses_in_file<'db>(
    db: &'db dyn Database,
    file: FileInput,
    symbol: &Symbol<'db>,
) -> Vec<DataUse<'db>> {
    let Some(environment) = file.environment(db) else {
        return Vec::new();
    };
    let mut found = data_uses(db, environment, symbol);
    found.retain(|it| it.file == file);
    found
}
