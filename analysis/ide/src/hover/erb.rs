//! Hovers of the variables that an ERB template reads.

use base::FileInput;
use hir::body::body;
use hir::variables::{Bindings, VariableSource};
use hir::{Item, ItemKind};
use salsa::Database;
use syntax::TextSize;

use super::content::HoverContent;
use super::{Hover, definitions, render};
use crate::data_files;
use crate::symbol::{ExternalKind, Symbol, symbols_in_template};

/// Returns the hover of the variable at an offset. If several classes render the template, it shows what it is in each.
pub(super) fn hover(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<Hover> {
    let (range, symbols) = symbols_in_template(db, file, offset)?;
    let contents = symbols.iter().filter_map(|it| content(db, file, it));
    let mut hovers = contents.map(|it| it.into_hover(range));
    let mut first = hovers.next()?;
    for other in hovers {
        first.markdown.push_str(super::SECTION_SEPARATOR);
        first.markdown.push_str(&other.markdown);
        first.links.extend(other.links);
    }
    Some(first)
}

fn content(db: &dyn Database, file: FileInput, symbol: &Symbol<'_>) -> Option<HoverContent> {
    match symbol {
        Symbol::Variable { item, name, .. } => variable(db, *item, name),
        Symbol::External {
            kind: ExternalKind::Variable,
            name,
            ..
        } => {
            let found = library::variable(name)?;
            render::variable(db, &VariableSource::BuiltIn(found))
        }
        Symbol::External {
            kind: ExternalKind::Fact,
            name,
            ..
        } => definitions::fact_content(db, file.environment(db), &[name]),
        _ => None,
    }
}

fn variable(db: &dyn Database, item: Item<'_>, name: &str) -> Option<HoverContent> {
    let ranges: Vec<_> = body(db, item)
        .own_bindings(name)
        .map(|it| it.range)
        .collect();
    let source = VariableSource::Bindings(item, Bindings::InScope(ranges));
    let content = render::variable(db, &source)?;
    let key = format!("{}::{name}", item.name(db));
    let environment = item.file(db).environment(db);
    let environment = environment.filter(|_| item.kind(db) == ItemKind::Class);
    let levels = environment.and_then(|it| data_files::levels_of_key(db, it, &key));
    Some(content.detail(levels.unwrap_or_default()))
}
