//! Detects uses of variables in ERB templates, which see the variables of the code that renders
//! them. Ruby code is not parsed, only searched for words.

use rustc_hash::FxHashSet;
use salsa::Database;

use super::{RenameError, refuse};
use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::Item;
use hir::body::{PathKind, ReferenceName, body};
use hir::resolve::{Definition, resolve};
use library::KnownFunction;

/// Returns the Ruby code of a template: everything between `<%` and `%>`.
fn ruby_code(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split("<%").skip(1);
    parts.map(|it| it.split("%>").next().unwrap_or_default())
}

/// Checks whether code contains a name as a whole word.
fn contains_word(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        !before.is_some_and(is_word_char) && !after.is_some_and(is_word_char)
    })
}

fn is_word_char(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

/// Fails if a template that an item renders may read one of its variables.
pub(super) fn check_variable(
    db: &dyn Database,
    item: Item<'_>,
    name: &str,
) -> Result<(), RenameError> {
    for reference in &body(db, item).references {
        match &reference.name {
            ReferenceName::Path(PathKind::Template, path) => {
                if let Ok(Definition::File(file)) = resolve(db, item, reference) {
                    check_file(db, file, path, name)?;
                }
            }
            ReferenceName::Path(PathKind::Epp, path) => {
                if let Ok(Definition::File(file)) = resolve(db, item, reference) {
                    check_epp(db, file, path, name)?;
                }
            }
            ReferenceName::Function(it) if is_inline_template(it) => {
                let text = item.syntax(db).text().to_string();
                if ruby_code(&text).any(|it| contains_word(it, name)) {
                    return refuse(format!(
                        "cannot rename `${name}`: an inline template may read it"
                    ));
                }
            }
            // The path of the template is computed.
            ReferenceName::Function(it) if is_template(it) && !has_path(db, item) => {
                return refuse(format!(
                    "cannot rename `${name}`: an unknown template may read it"
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks whether a template that an item renders may read one of its variables.
pub(crate) fn may_read_variable(db: &dyn Database, item: Item<'_>, name: &str) -> bool {
    check_variable(db, item, name).is_err()
}

fn has_path(db: &dyn Database, item: Item<'_>) -> bool {
    let references = body(db, item).references.iter();
    let count = |wanted: fn(&ReferenceName) -> bool| {
        references.clone().filter(|it| wanted(&it.name)).count()
    };
    let paths = count(|it| matches!(it, ReferenceName::Path(PathKind::Template, _)));
    paths >= count(|it| matches!(it, ReferenceName::Function(it) if is_template(it)))
}

fn is_template(function: &str) -> bool {
    KnownFunction::from_name(function) == Some(KnownFunction::Template)
}

fn is_inline_template(function: &str) -> bool {
    matches!(
        KnownFunction::from_name(function),
        Some(KnownFunction::InlineTemplate | KnownFunction::InlineEpp)
    )
}

/// The maximum depth of nested templates; real-world nesting is at most two levels deep.
const MAX_DEPTH: usize = 8;

/// Ruby methods that read variables by computed names, or all variables at once.
const READS_ANY: [&str; 3] = ["to_hash", "instance_variable_get", "instance_variables"];

fn check_file(
    db: &dyn Database,
    file: FileInput,
    path: &str,
    name: &str,
) -> Result<(), RenameError> {
    check_nested(db, file, path, name, 0)
}

fn check_nested(
    db: &dyn Database,
    file: FileInput,
    path: &str,
    name: &str,
    depth: usize,
) -> Result<(), RenameError> {
    let Some(template) = template_summary(db, file) else {
        return refuse(format!(
            "cannot rename `${name}`: template `{path}`, which is unreadable, may read it"
        ));
    };
    let is_too_deep = depth == MAX_DEPTH && !template.nested.is_empty();
    if template.reads_any || template.words.contains(name) || is_too_deep {
        return refuse(format!(
            "cannot rename `${name}`: template `{path}` may read it"
        ));
    }
    for path in &template.nested {
        if let Some(file) = resolve_template(db, file, path) {
            check_nested(db, file, path, name, depth + 1)?;
        }
    }
    Ok(())
}

/// A summary of the Ruby code of a template.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct TemplateSummary {
    /// All words of the code.
    words: FxHashSet<String>,
    /// Whether the code may read any variable.
    reads_any: bool,
    /// The paths of nested templates, which see the same variables.
    nested: Vec<String>,
}

/// Summarizes a template, or returns `None` if its text is unknown. Memoized, because a definition
/// may use dozens of templates, and prepare-rename and assists run at every cursor movement.
#[salsa::tracked]
fn template_summary(db: &dyn Database, file: FileInput) -> Option<TemplateSummary> {
    let mut found = TemplateSummary::default();
    for code in ruby_code(file.text(db).as_deref()?) {
        let words = code.split(|it| !is_word_char(it)).map(str::to_owned);
        found.words.extend(words.filter(|it| !it.is_empty()));
        found.reads_any |= reads_computed_name(code);
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
    check_all(db, environment, name, "may read")
}

/// Fails if any ERB template mentions a qualified name.
pub(super) fn check_qualified_name(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<(), RenameError> {
    check_all(db, environment, name, "mentions")
}

/// Fails if any ERB template contains a name; `verb` is part of the message.
fn check_all(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
    verb: &str,
) -> Result<(), RenameError> {
    let Some(environment) = environment else {
        return Ok(());
    };
    for module in environment.modules(db).values() {
        for (path, file) in erb_templates(db, *module) {
            let text = file.text(db).as_deref().unwrap_or_default();
            // Most templates do not contain the name at all.
            if text.contains(name) && ruby_code(text).any(|it| contains_word(it, name)) {
                let module = module.name(db);
                return refuse(format!(
                    "cannot rename: `{path}` of module `{module}` {verb} `{name}`"
                ));
            }
        }
    }
    Ok(())
}

/// Returns the templates of a module that are not EPP.
fn erb_templates(
    db: &dyn Database,
    module: ModuleInput,
) -> impl Iterator<Item = (&String, &FileInput)> {
    let files = module.files(db).range("templates/".to_owned()..);
    let files = files.take_while(|it| it.0.starts_with("templates/"));
    files.filter(|it| !it.0.ends_with(".epp"))
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
    match !has_parameters && ruby_code(text).any(|it| contains_word(it, name)) {
        true => refuse(format!(
            "cannot rename `${name}`: template `{path}` may read it"
        )),
        false => Ok(()),
    }
}
