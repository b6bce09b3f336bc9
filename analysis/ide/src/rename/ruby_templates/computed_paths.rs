//! Refuses renames of variables that a template with a computed path may read: any template that fits the constant
//! parts of the path.

use hir::Item;
use hir::body::{PathKind, Reference, ReferenceName, body};
use library::KnownFunction;
use salsa::Database;
use syntax::ast::{AstNode, Expr, Segment};

use super::super::{RenameError, refuse};
use super::{may_read, uses_in_template};
use crate::erb_uses::erb_templates;
use crate::search::strip_first_folder;

/// Fails if a template with a computed path may read a variable of the item that renders it.
pub(super) fn check_computed_paths(
    db: &dyn Database,
    item: Item<'_>,
    name: &str,
) -> Result<(), RenameError> {
    let references = &body(db, item).references;
    let is_call =
        |it: &&Reference| matches!(&it.name, ReferenceName::Function(it) if is_template(it));
    let mut uses = references.iter().filter(is_call).peekable();
    if uses.peek().is_none() {
        return Ok(());
    }
    let nodes = item.syntax(db).descendants();
    let calls = nodes.filter_map(|it| Expr::cast(it)?.named_call());
    let calls: Vec<_> = calls.filter(|it| is_template(it.0.text())).collect();
    // Otherwise, it is a name that is passed to another function.
    let is_direct = |it: &Reference| calls.iter().any(|call| call.0.text_range() == it.range);
    if !uses.all(is_direct) {
        return unknown_may_read(name);
    }
    let is_known = |path: &&Expr| {
        let range = path.syntax().text_range();
        let mut paths = references.iter().filter(|it| it.range == range);
        paths.any(|it| matches!(it.name, ReferenceName::Path(PathKind::Template, _)))
    };
    let paths = calls.iter().flat_map(|it| &it.1);
    let mut computed = paths.filter(|it| !is_known(it));
    computed.try_for_each(|it| check_computed_path(db, item, it, name))
}

/// Fails if any template that a computed path may name may read a variable.
fn check_computed_path(
    db: &dyn Database,
    item: Item<'_>,
    path: &Expr,
    name: &str,
) -> Result<(), RenameError> {
    let (start, end) = literal_ends(path);
    let environment = item.file(db).environment(db);
    // A path without the name of a module is absolute.
    let module = start.split_once('/').filter(|it| !it.0.is_empty());
    let Some((environment, (module, _))) = environment.zip(module) else {
        return unknown_may_read(name);
    };
    let modules = environment.modules(db).get(module).into_iter();
    for (path, file) in modules.flat_map(|it| erb_templates(db, *it)) {
        let path = format!("{module}/{}", strip_first_folder(path));
        let is_possible = path.len() >= start.len() + end.len()
            && path.starts_with(&start)
            && path.ends_with(&end);
        if is_possible && !uses_in_template(db, file, &path, name)?.is_empty() {
            return may_read(&path, name);
        }
    }
    Ok(())
}

/// Returns the text before the first and after the last interpolation of a string; of other values, it is empty.
fn literal_ends(path: &Expr) -> (String, String) {
    let Expr::InterpolatedString(path) = path else {
        return (String::new(), String::new());
    };
    let text = |it: Option<&Segment>| match it {
        Some(Segment::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let segments = path.segments();
    (text(segments.first()), text(segments.last()))
}

fn unknown_may_read<T>(name: &str) -> Result<T, RenameError> {
    refuse(format!(
        "cannot rename `${name}`: an unknown template may read it"
    ))
}

fn is_template(function: &str) -> bool {
    KnownFunction::from_name(function) == Some(KnownFunction::Template)
}

#[cfg(test)]
mod tests {
    use super::super::tests::renamed;

    #[test]
    fn ignores_templates_that_a_computed_path_cannot_name() {
        for path in [
            "other/${p}.erb",
            "web/b${p}",
            "web/${p}.txt",
            "${module_name}/b.erb",
        ] {
            let code = format!("class web ($po<^>rt) {{ template(\"{path}\") }}");
            let unchanged = Ok("<%= @port %>".to_owned());
            assert_eq!(renamed(&code, "<%= @port %>", "x"), unchanged, "{path}");
        }
    }

    #[test]
    fn refuses_variables_that_an_unknown_template_may_read() {
        for call in [
            "template($p)",
            "template(\"${p}/a.erb\")",
            "template(\"/srv/${p}.erb\")",
            "template('web/b.erb', 'web/c.erb') template($p)",
            "call('template', 'web/a.erb')",
            "$p.template",
        ] {
            let code = format!("class web ($po<^>rt) {{ {call} }}");
            let refused = "cannot rename `$port`: an unknown template may read it";
            assert_eq!(renamed(&code, "", "x"), Err(refused.to_owned()), "{call}");
        }
        let code = "class web ($po<^>rt) { template('web/a.erb') }";
        let refused = "cannot rename `$port`: template `web/a.erb` may read it";
        let template = "<%= scope.to_hash %>";
        assert_eq!(renamed(code, template, "x"), Err(refused.to_owned()));
    }
}
