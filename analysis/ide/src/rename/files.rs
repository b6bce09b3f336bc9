//! Computes the edits that must accompany moves of files within their modules.

use salsa::Database;
use syntax::{Edit, TextRange, TextSize};

use super::{RenameEdit, RenameError, definitions, new_names, refuse, sort_edits, text_at};
use crate::search::{module_path, strip_first_folder, symbol_uses};
use crate::symbol::Symbol;
use base::{FileId, FileInput};
use hir::autoload::candidate_paths;
use hir::{Item, ItemKind, items};

/// Returns the edits that keep all references valid when files move within their modules.
pub(crate) fn rename_files(
    db: &dyn Database,
    files: &[(FileInput, &str)],
) -> Result<RenameEdit, RenameError> {
    let mut found = RenameEdit::default();
    for (file, to) in files {
        let Some((module, from)) = module_path(db, *file) else {
            continue;
        };
        let folder = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        if folder(&from) != folder(to) || from == **to {
            continue;
        }
        match folder(&from).as_str() {
            "templates" | "files" => {
                found
                    .edits
                    .extend(path_edits(db, *file, &module, &from, to)?);
            }
            "manifests" | "functions" | "plans" | "types" => {
                let of_file = item_edits(db, *file, &module, &from, to)?;
                found.edits.extend(of_file.edits);
                found.uncertain_uses.extend(of_file.uncertain_uses);
            }
            _ => {}
        }
    }
    sort_edits(&mut found.edits);
    Ok(found)
}

/// Renames the item of a manifest, function, plan or type file that is named after its path.
fn item_edits(
    db: &dyn Database,
    file: FileInput,
    module: &str,
    from: &str,
    to: &str,
) -> Result<RenameEdit, RenameError> {
    let Some(item) = autoloaded_item(db, file, module, from) else {
        return Ok(RenameEdit::default());
    };
    match name_of_path(module, to, item.kind(db)) {
        Some(new) if new.to_ascii_lowercase() != *item.name(db) => renamed(db, file, item, &new),
        _ => Ok(RenameEdit::default()),
    }
}

fn renamed(
    db: &dyn Database,
    file: FileInput,
    item: Item<'_>,
    new: &str,
) -> Result<RenameEdit, RenameError> {
    match item.kind(db) {
        ItemKind::TypeAlias => definitions::edits(db, file, item, new_names::type_alias(new)?),
        _ => definitions::edits(db, file, item, new_names::definition(new)?),
    }
}

/// Returns the name of the definition that Puppet looks for in a file of a module.
fn name_of_path(module: &str, path: &str, kind: ItemKind) -> Option<String> {
    let rest = strip_first_folder(path).strip_suffix(".pp")?;
    let rest = rest.replace('/', "::").to_ascii_lowercase();
    let is_init = rest == "init" && kind != ItemKind::TypeAlias;
    let name = match is_init {
        true => module.to_owned(),
        false => format!("{module}::{rest}"),
    };
    match kind {
        ItemKind::TypeAlias => Some(types::capitalize_segments(&name)),
        _ => Some(name),
    }
}

/// Returns the name that fits the path of the only definition in a file, unless it has that name, and the rename.
pub(crate) fn rename_to_fit_path(
    db: &dyn Database,
    file: FileInput,
    item: Item<'_>,
) -> Option<(String, Result<RenameEdit, RenameError>)> {
    let (module, path) = module_path(db, file)?;
    let folder = match item.kind(db) {
        ItemKind::Class | ItemKind::DefinedType => "manifests/",
        ItemKind::Function => "functions/",
        ItemKind::Plan => "plans/",
        ItemKind::TypeAlias => "types/",
        ItemKind::Node | ItemKind::Main => return None,
    };
    let is_definition = |it: &&Item<'_>| !matches!(it.kind(db), ItemKind::Node | ItemKind::Main);
    let is_only = items(db, file).iter().filter(is_definition).count() == 1;
    let name = name_of_path(&module, &path, item.kind(db))?;
    let is_misplaced = path.starts_with(folder) && name.to_ascii_lowercase() != *item.name(db);
    let is_valid = new_names::type_alias(&name).is_ok() || new_names::definition(&name).is_ok();
    (is_only && is_misplaced && is_valid).then_some(())?;
    let mut edit = renamed(db, file, item, &name);
    if let Ok(edit) = &mut edit {
        sort_edits(&mut edit.edits);
    }
    Some((name, edit))
}

/// Returns the definition that Puppet autoloads from a file.
fn autoloaded_item<'db>(
    db: &'db dyn Database,
    file: FileInput,
    module: &str,
    path: &str,
) -> Option<Item<'db>> {
    let mut found = items(db, file).iter().copied();
    found.find(|it| {
        let rest = match it.name(db).split_once("::") {
            Some((first, rest)) if first == module => rest,
            None if it.name(db) == module => "",
            _ => return false,
        };
        candidate_paths(it.kind(db), rest)
            .first()
            .map(String::as_str)
            == Some(path)
    })
}

/// Returns the edits of the strings that contain the path of a template or file.
fn path_edits(
    db: &dyn Database,
    file: FileInput,
    module: &str,
    from: &str,
    to: &str,
) -> Result<Vec<(FileId, Edit)>, RenameError> {
    let (old, new) = (strip_first_folder(from), strip_first_folder(to));
    let plain = |it: char| it.is_ascii_alphanumeric() || "/_-.".contains(it);
    if !new.chars().all(plain) {
        return refuse(format!(
            "path `{new}` contains characters with a meaning in strings"
        ));
    }
    // The ways to write the module before the path.
    let modules = [module, "${module_name}", "$module_name"];
    // The extension of an EPP template may be missing.
    let short = old.strip_suffix(".epp").zip(new.strip_suffix(".epp"));
    let names: Vec<(&str, &str)> = [Some((old, new)), short].into_iter().flatten().collect();
    let mut edits = Vec::new();
    for it in symbol_uses(db, file, &Symbol::File(file)) {
        let (user, range) = (it.file(db), it.range(db));
        super::check_user(db, user)?;
        let text = text_at(db, user, range);
        let all = names
            .iter()
            .flat_map(|name| modules.iter().map(move |it| (*it, *name)));
        let mut written = all.filter_map(|(module, (old, new))| {
            let path = format!("{module}/{old}");
            Some((text.find(&path)?, path, format!("{module}/{new}")))
        });
        let Some((at, path, text)) = written.next() else {
            return refuse(format!(
                "cannot rename: used as `{text}`, which cannot be edited"
            ));
        };
        let size = |it: usize| TextSize::new(u32::try_from(it).unwrap_or(u32::MAX));
        let range = TextRange::at(range.start() + size(at), size(path.len()));
        edits.push((user.id(db), Edit { range, text }));
    }
    Ok(edits)
}
