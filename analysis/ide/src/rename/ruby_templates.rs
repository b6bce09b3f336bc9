//! Renames variables and classes in ERB templates, and refuses if a template may read a variable in another way. Ruby
//! code that names no variable by a literal is only searched for words.

use salsa::Database;
use syntax::ast::{AstNode, StringLiteral};
use syntax::{Edit, SyntaxKind, TextRange, TextSize};

mod computed_paths;

use super::{RenameError, check_user, describe_item, refuse};
use crate::erb_uses::{readers, templates_with, unqualified_uses};
use crate::search::symbol_uses;
use crate::symbol::Symbol;
use base::{EnvironmentInput, FileId, FileInput};
use hir::body::{PathKind, ReferenceName, body};
use hir::resolve::{Definition, resolve};
use hir::{Item, ItemKind};
use library::KnownFunction;
use library::ruby::{ErbNotation, ErbRead, erb_code, erb_names};
use rules::erb_template;

/// Returns the offsets of a name as a whole word in code.
fn words<'a>(code: &'a str, name: &'a str) -> impl Iterator<Item = usize> {
    let found = code.match_indices(name).map(|it| it.0);
    found.filter(|at| {
        let before = code[..*at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        !before.is_some_and(is_word_char) && !after.is_some_and(is_word_char)
    })
}

/// Checks whether code contains a name as a whole word.
fn contains_word(code: &str, name: &str) -> bool {
    words(code, name).next().is_some()
}

/// Checks whether the Ruby code of a template contains a name as a whole word.
fn mentions(text: &str, name: &str) -> bool {
    text.contains(name) && erb_code(text).any(|it| contains_word(it.1, name))
}

fn is_word_char(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

/// A use of a variable in a template that the code of the variable renders.
struct TemplateUse {
    file: FileInput,
    range: TextRange,
    /// The path of the template; `None` for an inline template.
    path: Option<String>,
}

impl TemplateUse {
    /// Names the template in a message.
    fn template(&self) -> String {
        match &self.path {
            Some(path) => format!("template `{path}`"),
            None => "an inline template".to_owned(),
        }
    }
}

/// Checks whether a template that an item renders may read one of its variables.
pub(crate) fn may_read_variable(db: &dyn Database, item: Item<'_>, name: &str) -> bool {
    uses_in_templates(db, item, name).map_or(true, |it| !it.is_empty())
}

/// Fails if a template that an item renders may read one of its variables.
pub(super) fn check_variable(
    db: &dyn Database,
    item: Item<'_>,
    name: &str,
) -> Result<(), RenameError> {
    match uses_in_templates(db, item, name)?.first() {
        Some(it) => refuse(format!(
            "cannot rename `${name}`: {} may read it",
            it.template()
        )),
        None => Ok(()),
    }
}

/// Returns the edits of a variable of a class or defined type in ERB templates.
pub(super) fn variable_edits(
    db: &dyn Database,
    origin: FileInput,
    (item, old): (Item<'_>, &str),
    new: &str,
) -> Result<Vec<(FileId, Edit)>, RenameError> {
    let readers = readers(db, origin, item, old);
    let mut edits = Vec::new();
    for reader in &readers {
        for found in uses_in_templates(db, *reader, old)? {
            check_use(db, origin, &found, (*reader, &readers), old)?;
            edits.push(edit(db, found.file, found.range, new)?);
        }
        check_unread(db, *reader, new)?;
    }
    if item.kind(db) == ItemKind::Class {
        let class = item.name(db);
        let (full, new) = (format!("{class}::{old}"), format!("{class}::{new}"));
        let environment = item.file(db).environment(db);
        let is_old = |it: &str| it == full;
        edits.extend(qualified_edits(db, environment, (&full, &new), is_old)?);
    }
    Ok(edits)
}

/// Fails if a template that an item renders may already read a variable with the new name.
fn check_unread(db: &dyn Database, item: Item<'_>, new: &str) -> Result<(), RenameError> {
    match uses_in_templates(db, item, new).as_deref() {
        Ok([]) => Ok(()),
        Ok([first, ..]) => {
            let template = first.template();
            refuse(format!("cannot rename: {template} already reads `${new}`"))
        }
        Err(_) => refuse(format!(
            "cannot rename: a template may already read `${new}`"
        )),
    }
}

/// Fails if a use in a template may be one of another variable.
fn check_use(
    db: &dyn Database,
    origin: FileInput,
    found: &TemplateUse,
    (reader, readers): (Item<'_>, &[Item<'_>]),
    old: &str,
) -> Result<(), RenameError> {
    let template = found.template();
    let mut lambdas = body(db, reader).scopes.iter().skip(1);
    if lambdas.any(|it| it.binds(old)) {
        return refuse(format!(
            "cannot rename `${old}`: {template} may read a variable of a lambda with this name"
        ));
    }
    let Some(path) = &found.path else {
        return Ok(());
    };
    let mut users = symbol_uses(db, origin, &Symbol::File(found.file)).into_iter();
    if let Some(it) = users.find(|it| !readers.contains(&it.item)) {
        let user = describe_item(db, it.item);
        return refuse(format!(
            "cannot rename `${old}`: {template} reads it, which {user} renders too"
        ));
    }
    let environment = found.file.environment(db).into_iter();
    let mut others = environment.flat_map(|it| templates_with(db, it, path));
    let nests = |it: FileInput| {
        let summary = template_summary(db, it).as_ref();
        summary.is_some_and(|it| it.nested.contains(path))
    };
    match others.find(|it| nests(it.0)) {
        Some((_, _, other)) => refuse(format!(
            "cannot rename `${old}`: {template} reads it, which `{other}` renders too"
        )),
        None => Ok(()),
    }
}

fn edit(
    db: &dyn Database,
    file: FileInput,
    range: TextRange,
    new: &str,
) -> Result<(FileId, Edit), RenameError> {
    check_user(db, file)?;
    let text = new.to_owned();
    Ok((file.id(db), Edit { range, text }))
}

/// Returns the uses of a variable of an item in the templates that it renders. Fails if they are not all known.
fn uses_in_templates(
    db: &dyn Database,
    item: Item<'_>,
    name: &str,
) -> Result<Vec<TemplateUse>, RenameError> {
    computed_paths::check_computed_paths(db, item, name)?;
    let mut found: Vec<TemplateUse> = Vec::new();
    let mut has_inline = false;
    for reference in &body(db, item).references {
        match &reference.name {
            ReferenceName::Path(PathKind::Template, path) => {
                if let Ok(Definition::File(file)) = resolve(db, item, reference) {
                    found.extend(uses_in_template(db, file, path, name)?);
                }
            }
            // The template sees no other variables than those of top scope.
            ReferenceName::Path(PathKind::Epp, path) if item.kind(db) == ItemKind::Main => {
                if let Ok(Definition::File(file)) = resolve(db, item, reference) {
                    check_epp(db, file, path, name)?;
                }
            }
            ReferenceName::Function(it) => match KnownFunction::from_name(it) {
                // All strings are examined at once.
                Some(KnownFunction::InlineTemplate) if !has_inline => {
                    has_inline = true;
                    found.extend(uses_in_inline_templates(db, item, name)?);
                }
                Some(KnownFunction::InlineEpp)
                    if mentions(&item.syntax(db).text().to_string(), name) =>
                {
                    return inline_may_read(name);
                }
                _ => {}
            },
            _ => {}
        }
    }
    found.sort_by_key(|it| (it.file.id(db), it.range.start()));
    found.dedup_by_key(|it| (it.file, it.range));
    Ok(found)
}

fn inline_may_read<T>(name: &str) -> Result<T, RenameError> {
    refuse(format!(
        "cannot rename `${name}`: an inline template may read it"
    ))
}

/// Returns the uses of a variable in the strings of an item that are ERB templates.
fn uses_in_inline_templates(
    db: &dyn Database,
    item: Item<'_>,
    name: &str,
) -> Result<Vec<TemplateUse>, RenameError> {
    let mut found = Vec::new();
    for node in item.syntax(db).descendants() {
        let is_string = matches!(
            node.kind(),
            SyntaxKind::STRING
                | SyntaxKind::INTERPOLATED_STRING
                | SyntaxKind::HEREDOC
                | SyntaxKind::HEREDOC_BODY
        );
        let text = node.text();
        if !is_string || !text.contains_char('<') {
            continue;
        }
        let text = text.to_string();
        if !mentions(&text, name) && !reads_computed_name(&text) {
            continue;
        }
        let names = erb_names(&text);
        // The names in strings with escapes may be elsewhere.
        let is_plain = StringLiteral::can_cast(node.kind()) && !text.contains('\\');
        if !is_plain || names.is_open || may_pass_name(&text, name) || reads_any(&text) {
            return inline_may_read(name);
        }
        let uses = names.variables().filter(|it| it.name == name);
        found.extend(uses.map(|it| TemplateUse {
            file: item.file(db),
            range: item.in_file(db, it.plain_range() + node.text_range().start()),
            path: None,
        }));
    }
    Ok(found)
}

/// The maximum depth of nested templates; real-world nesting is at most two levels deep.
const MAX_DEPTH: usize = 8;

/// Ruby methods that read variables by computed names, or all variables at once.
const READS_ANY: [&str; 3] = ["to_hash", "instance_variable_get", "instance_variables"];

/// Returns the uses of a variable of the code that renders a template. Fails if there may be others.
fn uses_in_template(
    db: &dyn Database,
    file: FileInput,
    path: &str,
    name: &str,
) -> Result<Vec<TemplateUse>, RenameError> {
    check_template(db, file, path, name)?;
    check_nested(db, file, path, name, 0)?;
    let uses = unqualified_uses(db, file, name).map(|it| TemplateUse {
        file,
        range: it.plain_range(),
        path: Some(path.to_owned()),
    });
    Ok(uses.collect())
}

fn may_read<T>(path: &str, name: &str) -> Result<T, RenameError> {
    refuse(format!(
        "cannot rename `${name}`: template `{path}` may read it"
    ))
}

/// Fails if a template may read a variable by a name that is not a literal.
fn check_template<'db>(
    db: &'db dyn Database,
    file: FileInput,
    path: &str,
    name: &str,
) -> Result<&'db TemplateSummary, RenameError> {
    let Some(template) = template_summary(db, file) else {
        return refuse(format!(
            "cannot rename `${name}`: template `{path}`, which is unreadable, may read it"
        ));
    };
    let text = file.text(db).as_deref().unwrap_or_default();
    match template.reads_any || may_pass_name(text, name) {
        true => may_read(path, name),
        false => Ok(template),
    }
}

/// Fails if a template that another one renders may read a variable.
fn check_nested(
    db: &dyn Database,
    file: FileInput,
    path: &str,
    name: &str,
    depth: usize,
) -> Result<(), RenameError> {
    let template = check_template(db, file, path, name)?;
    if depth == MAX_DEPTH && !template.nested.is_empty() {
        return may_read(path, name);
    }
    for path in &template.nested {
        if let Some(file) = resolve_template(db, file, path) {
            if unqualified_uses(db, file, name).next().is_some() {
                return may_read(path, name);
            }
            check_nested(db, file, path, name, depth + 1)?;
        }
    }
    Ok(())
}

/// A summary of the Ruby code of a template.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct TemplateSummary {
    /// Whether the code may read any variable.
    reads_any: bool,
    /// The paths of nested templates, which see the same variables.
    nested: Vec<String>,
}

/// Summarizes a template, or returns `None` if its text is unknown. Memoized, because a definition
/// may use dozens of templates, and prepare-rename and assists run at every cursor movement.
#[salsa::tracked]
fn template_summary(db: &dyn Database, file: FileInput) -> Option<TemplateSummary> {
    let text = file.text(db).as_deref()?;
    let mut found = TemplateSummary {
        reads_any: erb_template(db, file).is_open || reads_any(text),
        nested: Vec::new(),
    };
    for (_, code) in erb_code(text) {
        if contains_word(code, KnownFunction::Template.name()) || code.contains("function_template")
        {
            let known = found.nested.len();
            let named = string_literals(code).filter(|it| it.contains('/'));
            found.nested.extend(named.map(str::to_owned));
            found.reads_any |= found.nested.len() == known;
        }
    }
    Some(found)
}

/// Checks whether the Ruby code of a template reads a variable by a computed name.
fn reads_any(text: &str) -> bool {
    erb_code(text).any(|it| reads_computed_name(it.1))
}

/// Checks whether a template may pass the name of a variable to a function of Puppet.
fn may_pass_name(text: &str, name: &str) -> bool {
    let calls = ["call_function", "function_"];
    let quoted = [format!("'{name}'"), format!("\"{name}\"")];
    let is_named = |code: &str| quoted.iter().any(|it| code.contains(it));
    // Most templates do not contain the name at all.
    is_named(text)
        && erb_code(text)
            .any(|(_, code)| is_named(code) && calls.iter().any(|it| code.contains(it)))
}

/// Checks whether code reads a variable by a computed name.
fn reads_computed_name(code: &str) -> bool {
    // `Facter.to_hash` reads facts, not the variables of a scope.
    let reads = |word: &&str| contains_word(code, word) && !code.contains("Facter.");
    let is_computed = |word: &str| {
        let mut after = code
            .match_indices(word)
            .map(|it| &code[it.0 + word.len()..]);
        after.any(|it| !begins_with_literal(it.trim_start_matches(['(', ' '])))
    };
    READS_ANY.iter().any(reads) || is_computed("lookupvar") || is_computed("scope[")
}

/// Checks whether code begins with a string literal without interpolation.
fn begins_with_literal(code: &str) -> bool {
    let quote = code.chars().next().filter(|it| matches!(it, '\'' | '"'));
    let inside = quote.and_then(|it| code[1..].split_once(it));
    inside.is_some_and(|it| !it.0.contains("#{"))
}

/// Returns the string literals in code.
fn string_literals(code: &str) -> impl Iterator<Item = &str> {
    let quotes = |quote: char| code.split(quote).skip(1).step_by(2);
    quotes('\'').chain(quotes('"'))
}

/// Resolves the path of a template.
fn resolve_template(db: &dyn Database, from: FileInput, path: &str) -> Option<FileInput> {
    let (module, rest) = path.split_once('/')?;
    let modules = from.environment(db)?.modules(db);
    let module = modules.values().find(|it| **it.name(db) == *module)?;
    let files = module.files(db);
    files.get(&format!("templates/{rest}")).copied()
}

/// Fails if any ERB template may read a top-scope variable.
pub(super) fn check_top_scope_variable(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<(), RenameError> {
    let templates = environment.map_or_else(Vec::new, |it| templates_with(db, it, name));
    for (file, module, path) in templates {
        if mentions(file.text(db).as_deref().unwrap_or_default(), name) {
            let module = module.name(db);
            return refuse(format!(
                "cannot rename: `{path}` of module `{module}` may read `{name}`"
            ));
        }
    }
    Ok(())
}

/// Returns the edits of the name of a class before those of its variables in ERB templates.
pub(super) fn class_edits(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    old: &str,
    new: &str,
) -> Result<Vec<(FileId, Edit)>, RenameError> {
    let is_of_class = |it: &str| it.rsplit_once("::").is_some_and(|it| it.0 == old);
    qualified_edits(db, environment, (old, new), is_of_class)
}

/// Fails if any ERB template names a definition.
pub(super) fn check_unused_in_templates(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<(), RenameError> {
    qualified_edits(db, environment, (name, name), |_| false).map(drop)
}

/// Replaces a name at the start of qualified variables in ERB templates, of those that `is_old` accepts. Fails if a
/// template names the definition in another way.
fn qualified_edits(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    (old, new): (&str, &str),
    is_old: impl Fn(&str) -> bool,
) -> Result<Vec<(FileId, Edit)>, RenameError> {
    let mut edits = Vec::new();
    let templates = environment.map_or_else(Vec::new, |it| templates_with(db, it, old));
    for (file, module, path) in templates {
        let variables = erb_template(db, file).variables();
        let variables = variables.filter(|it| it.notation == ErbNotation::Scope);
        let variables: Vec<&ErbRead> = variables.collect();
        for it in variables.iter().filter(|it| is_old(it.plain_name())) {
            let range = TextRange::at(it.plain_range().start(), TextSize::of(old));
            edits.push(edit(db, file, range, new)?);
        }
        let text = file.text(db).as_deref().unwrap_or_default();
        let is_variable = |at: usize| {
            let mut all = variables.iter();
            all.any(|it| usize::from(it.range.start()) <= at && at < usize::from(it.range.end()))
        };
        let mut mentions =
            erb_code(text).flat_map(|(start, code)| names(code, old).map(move |at| start + at));
        if mentions.any(|it| !is_variable(it)) {
            let module = module.name(db);
            return refuse(format!(
                "cannot rename: `{path}` of module `{module}` mentions `{old}`"
            ));
        }
    }
    Ok(edits)
}

/// Returns the offsets at which code may name a definition. Only in a string, a name without `::` is not just a word.
fn names<'a>(code: &'a str, name: &'a str) -> impl Iterator<Item = usize> {
    let is_qualified = name.contains("::");
    words(code, name).filter(move |at| {
        let before = code[..*at].trim_end_matches(':');
        is_qualified || before.ends_with(['\'', '"'])
    })
}

/// Fails if an EPP template without a parameter list may read a variable of its caller.
fn check_epp(
    db: &dyn Database,
    file: FileInput,
    path: &str,
    name: &str,
) -> Result<(), RenameError> {
    let items = hir::items(db, file);
    let has_parameters = items
        .iter()
        .any(|it| body(db, *it).template_parameters.is_some());
    let text = file.text(db).as_deref().unwrap_or_default();
    match !has_parameters && mentions(text, name) {
        true => refuse(format!(
            "cannot rename `${name}`: template `{path}` may read it"
        )),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;
    use syntax::apply_edits;

    /// Returns the template `web/a.erb` after a rename, or the reason why it is refused.
    pub(super) fn renamed(code: &str, template: &str, new: &str) -> Result<String, String> {
        let fixture = Fixture::new(&format!(
            "//- modules/web/manifests/init.pp\n{code}\n//- modules/web/templates/a.erb\n{template}"
        ));
        let (file, offset) = fixture.cursor();
        let edit = fixture.analysis().rename(file, offset, new);
        let edit = edit.map_err(|it| it.0)?;
        let erb = fixture.files().find(|it| it.1.ends_with("a.erb"));
        let (erb, _, text) = erb.expect("there is a template");
        let edits = edit.edits.iter().filter(|it| it.0 == erb);
        let edits: Vec<_> = edits.map(|it| it.1.clone()).collect();
        Ok(apply_edits(text, edits.iter()).expect("edits do not overlap"))
    }

    const CLASS: &str = "class web ($po<^>rt) { template('web/a.erb') }";

    #[test]
    fn renames_variables() {
        for (template, expected) in [
            ("<%= @port %> port @port", "<%= @x %> port @port"),
            ("<% if @port.nil? %><% end %>", "<% if @x.nil? %><% end %>"),
            ("<%= \"a#{@port}\" -%>", "<%= \"a#{@x}\" -%>"),
            (
                "<%= scope['port'] + scope.lookupvar('web::port') %>",
                "<%= scope['x'] + scope.lookupvar('web::x') %>",
            ),
            ("<%= scope['::web::port'] %>", "<%= scope['::web::x'] %>"),
            (
                "<% if has_variable?('port') %><% end %>",
                "<% if has_variable?('x') %><% end %>",
            ),
            (
                "<% port = @a['port'] %><%= port %>",
                "<% port = @a['port'] %><%= port %>",
            ),
            (
                "<%# @port %><%= scope['::port'] %>",
                "<%# @port %><%= scope['::port'] %>",
            ),
            ("<%= @a.key?('port') %>", "<%= @a.key?('port') %>"),
        ] {
            assert_eq!(renamed(CLASS, template, "x"), Ok(expected.to_owned()));
        }
    }

    #[test]
    fn renames_classes() {
        let class = "class web { }\n//- modules/web/manifests/b.pp\nclass web::<^>b ($port) { }";
        for (template, expected) in [
            (
                "<%= scope['web::b::port'] %> web::b",
                "<%= scope['web::c::port'] %> web::b",
            ),
            (
                "<%= scope['::web::b::port'] %>",
                "<%= scope['::web::c::port'] %>",
            ),
            (
                "<%= scope['web::b::d::x'] %>",
                "<%= scope['web::b::d::x'] %>",
            ),
        ] {
            let found = renamed(class, template, "web::c");
            assert_eq!(found, Ok(expected.to_owned()));
        }
        let refused = renamed(class, "<%= classes.include?('web::b') %>", "web::c");
        let expected = "cannot rename: `templates/a.erb` of module `web` mentions `web::b`";
        assert_eq!(refused, Err(expected.to_owned()));
    }

    #[test]
    fn renames_in_templates_of_subclasses() {
        let code = "class web ($po<^>rt) { }\n//- modules/web/manifests/b.pp\n\
                    class web::b inherits web { template('web/a.erb') }";
        assert_eq!(
            renamed(code, "<%= @port %>", "x"),
            Ok("<%= @x %>".to_owned())
        );
        let hidden = code.replace("{ template", "{ $port = 1 template");
        let unchanged = Ok("<%= @port %>".to_owned());
        assert_eq!(renamed(&hidden, "<%= @port %>", "x"), unchanged);
    }

    #[test]
    fn renames_in_inline_templates() {
        let code = "class web ($po<^>rt) { inline_template('<%= @port %>') }";
        assert!(renamed(code, "", "x").is_ok());
        let escaped = "class web ($po<^>rt) { inline_template(\"\\n<%= @port %>\") }";
        let refused = "cannot rename `$port`: an inline template may read it";
        assert_eq!(renamed(escaped, "", "x"), Err(refused.to_owned()));
    }

    #[test]
    fn refuses_what_is_uncertain() {
        let lambda = "class web ($po<^>rt) { [1].each |$port| { template('web/a.erb') } }";
        for (code, template, reason) in [
            (
                CLASS,
                "<%= @port + @x %>",
                "cannot rename: template `web/a.erb` already reads `$x`",
            ),
            (
                "class web ($po<^>rt) { template(\"web/${p}.erb\") }",
                "<%= @port %>",
                "cannot rename `$port`: template `web/a.erb` may read it",
            ),
            (
                CLASS,
                "<%= scope[@a] %>",
                "cannot rename `$port`: template `web/a.erb` may read it",
            ),
            (
                CLASS,
                "<%= ['web::port'] %>",
                "cannot rename: `templates/a.erb` of module `web` mentions `web::port`",
            ),
            (
                lambda,
                "<%= @port %>",
                "cannot rename `$port`: template `web/a.erb` may read a variable of a lambda with this name",
            ),
            (
                "class web { [1].each |$po<^>rt| { template('web/a.erb') } }",
                "<%= @port %>",
                "cannot rename `$port`: template `web/a.erb` may read it",
            ),
        ] {
            assert_eq!(renamed(code, template, "x"), Err(reason.to_owned()));
        }
    }
}
