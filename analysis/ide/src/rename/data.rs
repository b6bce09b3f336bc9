//! Renames keys of Hiera data in modules: automatic parameter lookup finds the values of class
//! parameters by keys `class::parameter`. Keys are renamed along with the parameter; any other
//! mention of the name in the data refuses the rename.

use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::{Edit, TextRange, TextSize};

use super::{RenameRefused, is_ours, refuse, text_at};
use base::FileId;
use base::db::{EnvironmentInput, FileInput};
use hir::{Item, signature};
use rules::project::data::{self, Data, Node};
use types::values::Regexp;

/// The extensions of data files.
const ENDINGS: [&str; 4] = [".yaml", ".yml", ".eyaml", ".json"];

/// Folders of a module whose files are never Hiera data.
const OTHER_FOLDERS: [&str; 4] = ["files/", "lib/", "tasks/", "templates/"];

/// The role of a scalar in a data file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// A top-level key.
    Key,
    /// A key of `lookup_options`.
    Option,
    /// An array element.
    Element,
    /// Any other key or value.
    Other,
}

/// A string in a data file, without quotes.
struct Scalar {
    text: String,
    range: TextRange,
    place: Place,
}

/// Collects all strings of a value.
fn scalars(node: &Node, place: Place, depth: usize, found: &mut Vec<Scalar>) {
    match &node.data {
        Data::Text(text) => found.push(Scalar {
            text: text.clone(),
            range: node.range,
            place,
        }),
        Data::List(elements) => {
            for it in elements {
                scalars(it, Place::Element, depth + 1, found);
            }
        }
        Data::Map(entries) => {
            for it in entries {
                let key = match (depth, place) {
                    (0, _) => Place::Key,
                    (1, Place::Option) => Place::Option,
                    _ => Place::Other,
                };
                found.push(Scalar {
                    text: it.key.clone(),
                    range: it.key_range,
                    place: key,
                });
                let is_options = depth == 0 && it.key == "lookup_options";
                let below = match is_options {
                    true => Place::Option,
                    false => Place::Other,
                };
                scalars(&it.value, below, depth + 1, found);
            }
        }
        Data::Null | Data::Other | Data::Unknown => {}
    }
}

/// A data file that may mention a name.
struct DataFile {
    file: FileInput,
    /// Its name in messages.
    shown: String,
    scalars: Vec<Scalar>,
}

/// Returns the data files of an environment that contain `word` or `lookup_options`.
fn files(
    db: &dyn Database,
    environment: EnvironmentInput,
    word: &str,
) -> Result<Vec<DataFile>, RenameRefused> {
    let mut found = Vec::new();
    for module in environment.modules(db).values() {
        for (path, file) in module.files(db).iter() {
            let is_data = ENDINGS.iter().any(|it| path.ends_with(it))
                && !OTHER_FOLDERS.iter().any(|it| path.starts_with(it));
            let Some(text) = file.text(db).as_deref().filter(|_| is_data) else {
                continue;
            };
            let speaks = text.contains(word);
            if !speaks && !text.contains("lookup_options") {
                continue;
            }
            let shown = format!("`{path}` of module `{}`", module.name(db));
            let root = match path.ends_with(".json") {
                true => data::json(text),
                false => data::yaml(text),
            };
            let mut all = Vec::new();
            match root {
                Ok(Some(root)) => scalars(&root, Place::Other, 0, &mut all),
                Err(_) if speaks => {
                    return refuse(format!(
                        "cannot rename: {shown} mentions `{word}` but cannot be parsed"
                    ));
                }
                _ => {}
            }
            found.push(DataFile {
                file: *file,
                shown,
                scalars: all,
            });
        }
    }
    Ok(found)
}

/// Checks whether a string mentions a name as a whole, not as part of a longer name.
fn speaks_of(text: &str, name: &str) -> bool {
    ends_of(text, name).any(|behind| !is_longer(behind))
}

/// Returns the text after each occurrence of a name, as a whole or as the start of a longer name.
fn ends_of<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    text.match_indices(name).filter_map(move |(at, _)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        let inside = match before.strip_suffix("::") {
            Some(before) => before.ends_with(is_part),
            None => before.ends_with(is_part),
        };
        (!inside && !behind.starts_with(is_part)).then_some(behind)
    })
}

fn is_longer(behind: &str) -> bool {
    let rest = behind.strip_prefix("::");
    rest.is_some_and(|it| it.starts_with(|it: char| it.is_alphanumeric() || it == '_'))
}

/// Checks whether a string mentions a direct member of a class.
fn speaks_of_member(text: &str, class: &str) -> bool {
    ends_of(text, class).any(|behind| member(behind).is_some_and(|rest| !is_longer(rest)))
}

/// Returns the text after `::name`.
fn member(behind: &str) -> Option<&str> {
    let name = behind.strip_prefix("::").filter(|_| is_longer(behind))?;
    let end = name.find(|it: char| !it.is_alphanumeric() && it != '_');
    Some(&name[end.unwrap_or(name.len())..])
}

/// Collects the edits of keys in data files.
struct Carried<'a> {
    db: &'a dyn Database,
    edits: Vec<(FileId, Edit)>,
    /// The compiled patterns of `lookup_options`.
    patterns: FxHashMap<String, Regexp>,
}

impl Carried<'_> {
    /// Replaces a part of a key.
    fn key(
        &mut self,
        data: &DataFile,
        key: &Scalar,
        old: &str,
        new: &str,
    ) -> Result<(), RenameRefused> {
        if let Err(module) = is_ours(self.db, data.file) {
            return refuse(format!(
                "cannot rename: `{}` is a key in data of module `{module}`, outside the workspace",
                key.text
            ));
        }
        let written = text_at(self.db, data.file, key.range);
        let plain = written.trim_matches(['\'', '"']);
        let at = written.find(old).filter(|_| plain == key.text);
        let Some(at) = at else {
            return refuse(format!(
                "cannot rename: {} contains `{written}`, which cannot be edited",
                data.shown
            ));
        };
        let size = |it: usize| TextSize::new(u32::try_from(it).unwrap_or(u32::MAX));
        let edit = Edit {
            range: TextRange::at(key.range.start() + size(at), size(old.len())),
            text: new.to_owned(),
        };
        self.edits.push((data.file.id(self.db), edit));
        Ok(())
    }

    /// Fails if a pattern of `lookup_options` matches only one of the old and the new key.
    fn pattern(
        &mut self,
        data: &DataFile,
        pattern: &Scalar,
        old: &str,
        new: &str,
    ) -> Result<(), RenameRefused> {
        let source = &pattern.text;
        let compiled = self.patterns.entry(source.clone());
        let compiled = compiled.or_insert_with(|| Regexp::new(source));
        let fits = |key: &str| {
            let is_match = compiled.compiled(key).ok()?.is_match(key);
            is_match.ok()
        };
        match fits(old).zip(fits(new)) {
            Some((old, new)) if old == new => Ok(()),
            _ => refuse(format!(
                "cannot rename: pattern `{source}` of `lookup_options` in {} would match other keys",
                data.shown
            )),
        }
    }
}

fn is_pattern(scalar: &Scalar) -> bool {
    scalar.place == Place::Option && scalar.text.starts_with('^')
}

fn spoken_of<T>(data: &DataFile, name: &str) -> Result<T, RenameRefused> {
    refuse(format!("cannot rename: {} mentions `{name}`", data.shown))
}

/// Returns the edits of the keys of a variable or parameter of a class.
pub(super) fn of_variable(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    class: &str,
    old: &str,
    new: &str,
) -> Result<Vec<(FileId, Edit)>, RenameRefused> {
    let Some(environment) = environment else {
        return Ok(Vec::new());
    };
    let (full, wanted) = (format!("{class}::{old}"), format!("{class}::{new}"));
    let mut carried = Carried::new(db);
    for data in files(db, environment, class)? {
        for it in &data.scalars {
            let is_key = matches!(it.place, Place::Key | Place::Option);
            if is_pattern(it) {
                carried.pattern(&data, it, &full, &wanted)?;
            } else if is_key && it.text == full {
                carried.key(&data, it, &full, &wanted)?;
            } else if speaks_of(&it.text, &full) {
                return spoken_of(&data, &full);
            } else if speaks_of(&it.text, &wanted) {
                return spoken_of(&data, &wanted);
            }
        }
    }
    Ok(carried.edits)
}

/// Returns the edits of the keys of all parameters of a class.
pub(super) fn of_class(
    db: &dyn Database,
    item: Item<'_>,
    new: &str,
) -> Result<Vec<(FileId, Edit)>, RenameRefused> {
    let Some(environment) = item.file(db).environment(db) else {
        return Ok(Vec::new());
    };
    let old = item.name(db).as_str();
    let mut carried = Carried::new(db);
    for data in files(db, environment, old)? {
        for it in &data.scalars {
            let is_key = matches!(it.place, Place::Key | Place::Option);
            let whole = it.text.strip_prefix(old).and_then(member);
            if is_pattern(it) {
                for parameter in &signature(db, item).parameters {
                    let key = |class: &str| format!("{class}::{}", parameter.name);
                    carried.pattern(&data, it, &key(old), &key(new))?;
                }
            } else if is_key && whole == Some("") {
                carried.key(&data, it, old, new)?;
            } else if speaks_of_member(&it.text, old) || names_whole(it, old) {
                return spoken_of(&data, old);
            }
        }
    }
    // Existing data for the new name would apply to the renamed class.
    for data in files(db, environment, new)? {
        let mut all = data.scalars.iter();
        if all.any(|it| speaks_of_member(&it.text, new) || names_whole(it, new)) {
            return spoken_of(&data, new);
        }
    }
    Ok(carried.edits)
}

/// Fails if data mentions a definition that has no keys of its own.
pub(super) fn check_name(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<(), RenameRefused> {
    let Some(environment) = environment else {
        return Ok(());
    };
    for data in files(db, environment, name)? {
        if data.scalars.iter().any(|it| names_whole(it, name)) {
            return spoken_of(&data, name);
        }
    }
    Ok(())
}

/// Checks whether a string may name a class or another definition. An unqualified name is ambiguous
/// and counts only as an array element, as in lists of classes.
fn names_whole(scalar: &Scalar, name: &str) -> bool {
    match name.contains("::") {
        true => speaks_of(&scalar.text, name),
        false => scalar.place == Place::Element && scalar.text.trim_start_matches("::") == name,
    }
}

impl<'a> Carried<'a> {
    fn new(db: &'a dyn Database) -> Carried<'a> {
        Carried {
            db,
            edits: Vec::new(),
            patterns: FxHashMap::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_names_in_strings() {
        assert!(speaks_of("%{lookup('a::b')}", "a::b"));
        assert!(speaks_of("%{::a::b}", "a::b"));
        for other in ["a::bc", "xa::b", "x::a::b", "a::b::c", "a::b_"] {
            assert!(!speaks_of(other, "a::b"), "{other}");
        }
        assert!(speaks_of_member("%{a::b}", "a"));
        assert!(speaks_of_member("a::b::c", "a::b"));
        for other in ["a::b::c", "a", "a::", "xa::b"] {
            assert!(!speaks_of_member(other, "a"), "{other}");
        }
    }
}
