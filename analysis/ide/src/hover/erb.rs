//! Hovers of the variables that an ERB template reads.

use base::FileInput;
use hir::body::body;
use hir::variables::{Bindings, VariableSource};
use hir::{Item, ItemKind};
use salsa::Database;
use syntax::{TextRange, TextSize};

use super::content::HoverContent;
use super::{Hover, definitions, render};
use crate::data_files;
use crate::symbol::{ExternalKind, Symbol, symbols_in_template};

/// Returns the hover of the variable at an offset. If several classes render the template, it shows what it is in each.
pub(super) fn hover(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<Hover> {
    if let Some((range, path)) = fact_path_at(file.text(db).as_deref()?, offset)
        && let Some(found) = definitions::fact_content(db, file.environment(db), &path)
    {
        return Some(found.into_hover(range));
    }
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

/// Returns the range of a key at an offset in `@facts['os']['family']`, and the path of keys up to it.
fn fact_path_at(text: &str, offset: TextSize) -> Option<(TextRange, Vec<&str>)> {
    let at = usize::from(offset);
    let is_key = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | '/');
    let start = text.get(..at)?.trim_end_matches(is_key).len();
    let end = text.len() - text[at..].trim_start_matches(is_key).len();
    let mut path = vec![&text[start..end]];
    let mut before = &text[..start];
    loop {
        before = opening(before)?;
        let Some(closed) = before.strip_suffix(']') else {
            break;
        };
        let closed = closed.strip_suffix(['\'', '"'])?;
        let key = closed.len() - closed.trim_end_matches(is_key).len();
        let (rest, key) = closed.split_at(closed.len() - key);
        path.push(key);
        before = rest;
    }
    path.reverse();
    let tag = before
        .rfind("<%")
        .filter(|it| !before[*it..].contains("%>"));
    let is_facts = before.ends_with("@facts") && tag.is_some();
    let range = TextRange::new(
        TextSize::try_from(start).ok()?,
        TextSize::try_from(end).ok()?,
    );
    is_facts.then_some((range, path))
}

/// Removes the bracket and the quote that open a key.
fn opening(text: &str) -> Option<&str> {
    text.strip_suffix(['\'', '"'])?.strip_suffix('[')
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

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn hover(template: &str) -> String {
        let fixture = Fixture::new(&format!(
            "//- modules/a/manifests/init.pp\nclass a {{ notice(template('a/x.erb')) }}\n\
             //- modules/a/templates/x.erb\n{template}"
        ));
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().hover(file, offset);
        found.map_or_else(String::new, |it| it.to_markdown(|_| None))
    }

    #[test]
    fn keys_of_facts() {
        for code in [
            "<%= @facts['os']['fa<^>mily'] %>",
            "<% if @facts[\"os\"][\"<^>family\"] %>",
        ] {
            let found = hover(code);
            assert!(found.contains("$facts['os']['family']"), "{code}: {found}");
        }
        let found = hover("<%= @facts['o<^>s']['family'] %>");
        assert!(
            found.contains("$os") && !found.contains("family']"),
            "{found}"
        );
        for code in [
            "<%= @other['os']['fa<^>mily'] %>",
            "@facts['os']['fa<^>mily']",
            "<%= 1 %> @facts['os']['fa<^>mily']",
            "<%= @facts['os']['no<^>pe'] %>",
            "<%= @facts['os'][fa<^>mily] %>",
        ] {
            assert_eq!(hover(code), "", "{code}");
        }
    }
}
