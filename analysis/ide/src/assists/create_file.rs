//! Creates the file of an unknown class, defined type, function, template or file in a module of the workspace.

use base::{ModuleInput, ModuleOrigin};
use hir::autoload::{NameKey, candidate_paths, module};
use hir::body::{PathKind, Reference, ReferenceName, body};
use hir::resolve::{ResolveError, resolve};
use hir::{Item, ItemKind};
use syntax::SyntaxKind;
use syntax::ast::{ArgumentList, AstNode, MethodCall};

use super::{AssistContext, AssistKind, Assists, NewFile};

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let is_named =
        |it: &ReferenceName| !matches!(it, ReferenceName::Variable(_) | ReferenceName::Title(..));
    let Some((item, reference)) = cx.reference_at(is_named) else {
        return;
    };
    if !matches!(
        resolve(cx.db, item, reference),
        Err(ResolveError::NotDefined)
    ) {
        return;
    }
    let Some(missing) = missing_file(cx, item, reference) else {
        return;
    };
    let Some((module, file)) = place(cx, missing.module, &missing.path) else {
        return;
    };
    if !module.files(cx.db).contains_key(&missing.path) {
        let title = format!("Create the {}", missing.title);
        let created = NewFile {
            sibling: file.0,
            sibling_path: file.1,
            path: missing.path,
            text: missing.text,
        };
        acc.add_file("create-file", title, AssistKind::QuickFix, created);
    }
}

/// A file that does not exist.
struct MissingFile<'a> {
    /// The kind of definition in the file, for the title.
    title: String,
    module: &'a str,
    /// The path in the module.
    path: String,
    text: String,
}

fn missing_file<'a>(
    cx: &AssistContext<'_>,
    item: Item<'_>,
    reference: &'a Reference,
) -> Option<MissingFile<'a>> {
    let definition = |kind: ItemKind, title: &str, name: &'a str, text: String| {
        let (module, rest) = name.split_once("::").unwrap_or((name, ""));
        let path = candidate_paths(kind, rest).into_iter().next()?;
        let title = format!("{title} `{name}`");
        Some(MissingFile {
            title,
            module,
            path,
            text,
        })
    };
    match &reference.name {
        ReferenceName::Class(name, _) => {
            let text = format!("# @summary TODO\nclass {name} {{\n}}\n");
            definition(ItemKind::Class, "class", name, text)
        }
        ReferenceName::ResourceType(name) if name.contains("::") => {
            let parameters = attributes(cx, item, reference);
            let text = definition_text("define", name, &parameters);
            definition(ItemKind::DefinedType, "defined type", name, text)
        }
        ReferenceName::Function(name) if name.contains("::") => {
            let text = definition_text("function", name, &arguments(cx, item, reference));
            definition(ItemKind::Function, "function", name, text)
        }
        ReferenceName::Path(kind, path) => {
            let (module, rest) = path.split_once('/')?;
            let (folder, noun) = match kind {
                PathKind::Template | PathKind::Epp => ("templates", "template"),
                PathKind::File | PathKind::Source => ("files", "file"),
            };
            let is_plain = |it: &str| !matches!(it, "" | "." | "..") && !it.contains('\\');
            rest.split('/').all(is_plain).then_some(())?;
            let extension = match kind {
                PathKind::Epp if !rest.ends_with(".epp") => ".epp",
                _ => "",
            };
            Some(MissingFile {
                title: format!("{noun} `{rest}{extension}`"),
                module,
                path: format!("{folder}/{rest}{extension}"),
                text: String::new(),
            })
        }
        _ => None,
    }
}

/// Returns the source of a definition with parameters of any type.
fn definition_text(keyword: &str, name: &str, parameters: &[String]) -> String {
    let mut text = String::from("# @summary TODO\n");
    if !parameters.is_empty() {
        text.push_str("#\n");
    }
    for it in parameters {
        text.push_str(&format!("# @param {it} TODO\n"));
    }
    let list: String = parameters
        .iter()
        .map(|it| format!("  Any ${it},\n"))
        .collect();
    let list = match (list.is_empty(), keyword) {
        (false, _) => format!(" (\n{list})"),
        (true, "function") => " ()".to_owned(),
        (true, _) => String::new(),
    };
    text + &format!("{keyword} {name}{list} {{\n}}\n")
}

/// Returns the names of the attributes of the resource whose type is the reference, except metaparameters.
fn attributes(cx: &AssistContext<'_>, item: Item<'_>, reference: &Reference) -> Vec<String> {
    let resources = body(cx.db, item).resources.iter();
    let mut names: Vec<String> = Vec::new();
    for resource in resources.filter(|it| it.type_range == reference.range) {
        for it in &resource.attributes {
            if library::metaparameter(&it.name).is_none() && !names.contains(&it.name) {
                names.push(it.name.clone());
            }
        }
    }
    names
}

/// Returns names for the arguments of the call whose function is the reference.
fn arguments(cx: &AssistContext<'_>, item: Item<'_>, reference: &Reference) -> Vec<String> {
    let range = item.in_file(cx.db, reference.range);
    let element = cx.root.covering_element(range);
    let call = element
        .ancestors()
        .find(|it| matches!(it.kind(), SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL));
    let Some(call) = call else {
        return Vec::new();
    };
    let list = call.children().find_map(ArgumentList::cast);
    let count = list.map_or(0, |it| it.syntax().children().count());
    let receiver = usize::from(MethodCall::can_cast(call.kind()));
    (1..=count + receiver)
        .map(|it| format!("arg{it}"))
        .collect()
}

/// Returns a module of the workspace that the new file belongs to, with one of its files and the path of that.
fn place(
    cx: &AssistContext<'_>,
    name: &str,
    path: &str,
) -> Option<(ModuleInput, (base::FileId, String))> {
    let environment = cx.file.environment(cx.db)?;
    let module = module(cx.db, environment, NameKey::new(cx.db, name.to_owned()))?;
    (module.origin(cx.db) == ModuleOrigin::Workspace).then_some(())?;
    let files = module.files(cx.db);
    let (sibling_path, sibling) = files
        .range(path.to_owned()..)
        .next()
        .or(files.iter().next())?;
    Some((module, (sibling.id(cx.db), sibling_path.clone())))
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::created;

    #[test]
    fn creates_definitions() {
        assert_eq!(
            created("class m {\n  include m::<^>a::b\n}\n"),
            "# Create the class `m::a::b`: manifests/a/b.pp\n# @summary TODO\nclass m::a::b {\n}\n"
        );
        assert_eq!(
            created("class m {\n  m::<^>d { 'x': x => 1, require => Class['m'] }\n}\n"),
            "# Create the defined type `m::d`: manifests/d.pp\n\
             # @summary TODO\n#\n# @param x TODO\ndefine m::d (\n  Any $x,\n) {\n}\n"
        );
        assert_eq!(
            created("class m {\n  notice(m::<^>f(1))\n}\n"),
            "# Create the function `m::f`: functions/f.pp\n\
             # @summary TODO\n#\n# @param arg1 TODO\nfunction m::f (\n  Any $arg1,\n) {\n}\n"
        );
    }

    #[test]
    fn creates_templates_and_files() {
        for (code, expected) in [
            (
                "template('m/<^>a.erb')",
                "template `a.erb`: templates/a.erb",
            ),
            ("epp('m/a<^>/b')", "template `a/b.epp`: templates/a/b.epp"),
            ("file('m/<^>a')", "file `a`: files/a"),
        ] {
            let code = format!("class m {{\n  notice({code})\n}}\n");
            assert_eq!(created(&code), format!("# Create the {expected}\n"));
        }
        let source = "class m {\n  file { '/a': source => 'puppet:///modules/m/<^>a' }\n}\n";
        assert_eq!(created(source), "# Create the file `a`: files/a\n");
    }

    #[test]
    fn creates_nothing_in_other_modules() {
        for code in [
            "include other::<^>a",
            "include m<^>",
            "notice(unknown_<^>function(1))",
            "notice(template('other/<^>a.erb'))",
        ] {
            assert_eq!(
                created(&format!("class m {{\n  {code}\n}}\n")),
                "none",
                "{code}"
            );
        }
    }
}
