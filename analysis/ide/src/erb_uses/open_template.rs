//! Features in an ERB template: what the variable at the cursor is, and what can be written there.

use std::collections::BTreeMap;

use hir::Item;
use hir::autoload::definitions_of_kind;
use hir::body::body;
use hir::{ItemKind, signature};
use rules::{erb_template, template_owners};
use salsa::Database;
use syntax::{TextRange, TextSize};

use super::erb_uses;
use crate::completion::end_of_name;
use crate::symbol::{AccessKind, read_in_template, symbol_in_template};
use crate::type_hierarchy::parent;
use crate::{CompletionItem, CompletionKind, Completions, ReferenceLocation};
use base::{EnvironmentInput, FileInput};

/// Returns the uses of the variable at an offset within the template.
pub(crate) fn highlights_in_template(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Vec<ReferenceLocation> {
    let Some(read) = read_in_template(db, file, offset) else {
        return Vec::new();
    };
    let here = |range| ReferenceLocation {
        file: file.id(db),
        range,
        access: AccessKind::Read,
    };
    let names = erb_template(db, file);
    let all = names.reads.iter().chain(&names.optional);
    let same = all.filter(|it| it.plain_name() == read.plain_name());
    let mut found: Vec<_> = same.map(|it| here(it.plain_range())).collect();
    if let Some((_, symbol)) = symbol_in_template(db, file, offset) {
        let uses = erb_uses(db, file, &symbol).into_iter();
        found.extend(uses.filter(|it| it.file == file.id(db)));
    }
    found.sort_unstable_by_key(|it| it.range.start());
    found.dedup();
    found
}

/// The maximum number of items.
const MAX_ITEMS: usize = 300;

/// The ways to read a variable from a scope, up to its name.
const SCOPE_ACCESS: [&str; 2] = ["scope[", "lookupvar("];

/// Returns the variables that can be written at an offset of a template: after `@` those of the code that renders it, in
/// `scope['…']` those of other classes too.
pub(crate) fn completions_in_template(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Completions {
    let text = file.text(db).as_deref().unwrap_or_default();
    let Some((word, in_scope)) = text.get(..usize::from(offset)).and_then(word_before) else {
        return Completions::default();
    };
    let rest = end_of_name(&text[usize::from(offset)..]);
    let Some(environment) = file.environment(db) else {
        return Completions::default();
    };
    let mut variables = BTreeMap::new();
    for owner in template_owners(db, environment, file) {
        own_variables(db, owner, &mut variables);
    }
    for variable in library::variables().filter(|it| !it.name.contains("::")) {
        let found = (CompletionKind::Variable, variable.type_.clone());
        variables.entry(variable.name.clone()).or_insert(found);
    }
    if in_scope {
        qualified_variables(db, environment, file, word, &mut variables);
    }
    let typed = word.to_ascii_lowercase();
    let fitting = variables
        .into_iter()
        .filter(|it| it.0.to_ascii_lowercase().starts_with(&typed));
    let start = offset - TextSize::of(word);
    let range = TextRange::new(start, offset);
    let mut items: Vec<CompletionItem> = fitting
        .map(|(name, (kind, detail))| item(name, kind, detail, range))
        .collect();
    // Variables of the code come before those that Puppet sets.
    items.sort_by_key(|it| library::variable(&it.label).is_some());
    let is_incomplete = items.len() > MAX_ITEMS;
    items.truncate(MAX_ITEMS);
    Completions {
        items,
        is_incomplete,
        word_end: offset + TextSize::of(rest),
    }
}

fn item(
    name: String,
    kind: CompletionKind,
    detail: Option<String>,
    range: TextRange,
) -> CompletionItem {
    CompletionItem {
        insert: name.clone(),
        label: name,
        filter: None,
        kind,
        detail: detail.map(|it| base::truncated(&it, 80)),
        range,
        snippet: None,
        snippet_range: range,
        deprecated: false,
        documentation_key: None,
    }
}

/// Returns the name of a variable that ends at the cursor, and whether it is read from a scope. The text ends at the
/// cursor.
fn word_before(text: &str) -> Option<(&str, bool)> {
    let tag = text.rfind("<%")?;
    let code = &text[tag + 2..];
    if code.contains("%>") || code.starts_with(['%', '#']) {
        return None;
    }
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
    let start = code.trim_end_matches(is_part).len();
    let (before, word) = code.split_at(start);
    if before.ends_with('@') && !word.contains(':') {
        return Some((word, false));
    }
    let before = before.strip_suffix(['\'', '"'])?;
    let is_scope = SCOPE_ACCESS.iter().any(|it| before.ends_with(it));
    is_scope.then_some((word, true))
}

/// The variables by name, with their kinds and types.
type Variables = BTreeMap<String, (CompletionKind, Option<String>)>;

/// Returns the parameters of an item, and the variables that its body assigns, with their kinds and types.
fn variables_of<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
) -> impl Iterator<Item = (&'db str, (CompletionKind, Option<String>))> {
    let parameters = signature(db, item).parameters.iter().map(|it| {
        let kind = (CompletionKind::Parameter, it.type_.clone());
        (&*it.name, kind)
    });
    let scope = body(db, item).scopes.first();
    let assigned = scope.into_iter().flat_map(|it| &it.bindings);
    parameters.chain(assigned.map(|it| (&*it.name, (CompletionKind::Variable, None))))
}

/// Adds the variables of an item, and of the classes that it inherits.
fn own_variables(db: &dyn Database, item: Item<'_>, found: &mut Variables) {
    let mut next = Some(item);
    // Puppet refuses a class that inherits itself.
    const MAX_DEPTH: usize = 32;
    for _ in 0..MAX_DEPTH {
        let Some(item) = next else { return };
        for (name, variable) in variables_of(db, item) {
            found.entry(name.to_owned()).or_insert(variable);
        }
        next = parent(db, item);
    }
}

/// Adds the parameters of the classes whose names fit what is typed; of those of the template's module if it is only
/// the start of a name.
fn qualified_variables(
    db: &dyn Database,
    environment: EnvironmentInput,
    file: FileInput,
    word: &str,
    found: &mut Variables,
) {
    let word = word.trim_start_matches("::");
    let module = file.module(db).map(|it| it.name(db));
    for (name, class) in definitions_of_kind(db, environment, ItemKind::Class) {
        let is_near = class.file(db).module(db).map(|it| it.name(db)) == module;
        let fits = match word.rsplit_once("::") {
            Some((start, _)) => name.starts_with(start),
            None => is_near || !word.is_empty() && name.starts_with(word),
        };
        if !fits {
            continue;
        }
        for (variable, kind) in variables_of(db, class) {
            found.entry(format!("{name}::{variable}")).or_insert(kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Fixture, visible_text};

    const MODULE: &str = "
//- modules/web/manifests/init.pp
class web (Integer $port = 80) inherits web::params {
  $host = 'a'
  file { '/a': content => template('web/a.erb') }
}
//- modules/web/manifests/params.pp
class web::params { $root = '/srv' }
//- modules/web/manifests/site.pp
define web::site (String $name_, Integer $port) {
  file { '/b': content => template('web/both.erb') }
}
//- modules/web/manifests/other.pp
class web::other (Integer $port) {
  file { '/c': content => template('web/both.erb') }
}
";

    fn fixture(path: &str, text: &str) -> Fixture {
        Fixture::new(&format!("{MODULE}//- modules/web/templates/{path}\n{text}"))
    }

    fn targets(path: &str, text: &str) -> String {
        let fixture = fixture(path, text);
        let (file, offset) = fixture.cursor();
        fixture.targets(fixture.analysis().goto_definition(file, offset))
    }

    #[test]
    fn variables_lead_to_their_definitions() {
        let port = "modules/web/manifests/init.pp `$port`";
        for text in [
            "<%= @po<^>rt %>",
            "<%= scope['po<^>rt'] %>",
            "<%= scope.lookupvar('web::po<^>rt') %>",
            "<%= scope['::web::po<^>rt'] %>",
            "<% if @po<^>rt == 1 -%><% end %>",
        ] {
            assert_eq!(targets("a.erb", text), port, "{text}");
        }
        let root = "modules/web/manifests/params.pp `$root`";
        assert_eq!(targets("a.erb", "<%= @ro<^>ot %>"), root);
        for text in [
            "<%= @no<^>pe %>",
            "@po<^>rt",
            "$po<^>rt <%= 1 %>",
            "<%# @po<^>rt %>",
        ] {
            assert_eq!(targets("a.erb", text), "", "{text}");
        }
        let both = "modules/web/manifests/other.pp `$port`, modules/web/manifests/site.pp `$port`";
        assert_eq!(targets("both.erb", "<%= @po<^>rt %>"), both);
    }

    #[test]
    fn hovers_show_declarations() {
        let hover = |path: &str, text: &str| {
            let fixture = fixture(path, text);
            let (file, offset) = fixture.cursor();
            let found = fixture.analysis().hover(file, offset);
            found.map_or_else(String::new, |it| it.to_markdown(|_| None))
        };
        assert!(hover("a.erb", "<%= @po<^>rt %>").contains("Integer $port = 80"));
        assert!(hover("a.erb", "<%= @ho<^>st %>").contains("$host = 'a'"));
        assert!(hover("a.erb", "<%= @ti<^>tle %>").contains("$title"));
        let both = hover("both.erb", "<%= @po<^>rt %>");
        assert_eq!(both.matches("Integer $port").count(), 2, "{both}");
        // A template does not contain Puppet code.
        assert_eq!(hover("a.erb", "inc<^>lude stdlib\n<%= @port %>"), "");
    }

    #[test]
    fn references_and_highlights_start_in_templates() {
        let text = "<%= @po<^>rt %> <%= @port + 1 %> <%= scope['web::port'] %> <%= @host %>";
        let fixture = fixture("a.erb", text);
        let (file, offset) = fixture.cursor();
        let analysis = fixture.analysis();
        let shown = |found: Vec<crate::ReferenceLocation>| -> Vec<String> {
            let texts = found.into_iter();
            let texts = texts.map(|it| visible_text(fixture.text(it.file), it.range));
            texts.collect()
        };
        let references = analysis.references(file, offset, true).unwrap_or_default();
        let expected = ["$port", "port", "port", "web::port"];
        assert_eq!(shown(references), expected);
        let highlights = analysis.document_highlights(file, offset);
        assert_eq!(shown(highlights), expected[1..]);
    }

    #[test]
    fn renames_start_in_templates() {
        let text = "<%= @po<^>rt %> <%= scope['web::port'] %>";
        let fixture = fixture("a.erb", text);
        let (file, offset) = fixture.cursor();
        let analysis = fixture.analysis();
        let renamable = analysis.prepare_rename(file, offset).expect("a name");
        assert_eq!(renamable.name, "port");
        let edit = analysis.rename(file, offset, "number").expect("an edit");
        let texts: Vec<&str> = edit.edits.iter().map(|it| it.1.text.as_str()).collect();
        assert_eq!(edit.edits.len(), 3, "{texts:?}");
        // The variable has two definitions.
        let both = self::fixture("both.erb", "<%= @po<^>rt %>");
        let (file, offset) = both.cursor();
        assert!(both.analysis().prepare_rename(file, offset).is_err());
    }

    #[test]
    fn completes_variables() {
        let offered = |path: &str, text: &str| -> Vec<String> {
            let fixture = fixture(path, text);
            let (file, offset) = fixture.cursor();
            let found = fixture.analysis().completions(file, offset).items;
            found.into_iter().map(|it| it.label).collect()
        };
        let own = offered("a.erb", "<%= @<^> %>");
        assert_eq!(own[..3], ["host", "port", "root"]);
        assert!(own.iter().any(|it| it == "facts"), "{own:?}");
        assert_eq!(offered("a.erb", "<%= @po<^> %>"), ["port"]);
        let scoped = offered("a.erb", "<%= scope['web::o<^>'] %>");
        assert_eq!(scoped, ["web::other::port"]);
        let scoped = offered("a.erb", "<%= scope.lookupvar('web::params::<^>') %>");
        assert_eq!(scoped, ["web::params::root"]);
        for text in [
            "@<^>",
            "<%= 1 %> @<^>",
            "<%# @<^> %>",
            "<%= x <^> %>",
            "<%= '<^>' %>",
        ] {
            assert_eq!(offered("a.erb", text), [""; 0], "{text}");
        }
    }
}
