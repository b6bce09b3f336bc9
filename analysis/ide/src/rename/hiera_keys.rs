//! Renames keys of Hiera data in modules: automatic parameter lookup finds the values of class
//! parameters by keys `class::parameter`. Keys and interpolations are renamed along with the parameter;
//! any other mention of the name in the data refuses the rename.

use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;
use syntax::{Edit, TextRange, TextSize};

use super::data_edits::data_edit;
use super::{RenameError, check_in_workspace, refuse, text_at};
use crate::data_files::{InterpolatedName, data_uses, names_in_string};
use crate::symbol::Symbol;
use base::{EnvironmentInput, FileId, FileInput};
use hiera::document::{self, Data, Node};
use hiera::{DataFormat, LOOKUP_OPTIONS};
use hir::{Item, resolve, signature};
use infer::{ENVIRONMENT_MODULE, layer_files};
use types::values::Regexp;

/// Folders of a module whose files are never Hiera data.
const OTHER_FOLDERS: [&str; 4] = ["files/", "lib/", "tasks/", "templates/"];

/// The role of a scalar in a data file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ScalarRole {
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
    role: ScalarRole,
    /// The names in its interpolations.
    names: Vec<InterpolatedName>,
}

impl Scalar {
    fn new(source: &str, text: &str, range: TextRange, role: ScalarRole) -> Scalar {
        let names = match role {
            ScalarRole::Key | ScalarRole::Option => Vec::new(),
            _ => names_in_string(source, text, range),
        };
        Scalar {
            text: text.to_owned(),
            range,
            role,
            names,
        }
    }

    /// Returns the string without the interpolations whose names are known.
    fn without_names(&self) -> String {
        let mut rest = String::new();
        let mut end = 0;
        for it in &self.names {
            rest.push_str(&self.text[end..it.interpolation.start]);
            rest.push(' ');
            end = it.interpolation.end;
        }
        rest.push_str(&self.text[end..]);
        rest
    }
}

/// Collects all strings of a value.
fn scalars(source: &str, node: &Node, role: ScalarRole, depth: usize, found: &mut Vec<Scalar>) {
    match &node.data {
        Data::Scalar(_) => {
            let text = node.text().into_iter();
            found.extend(text.map(|it| Scalar::new(source, it, node.range, role)));
        }
        Data::List(elements) => {
            for it in elements {
                scalars(source, it, ScalarRole::Element, depth + 1, found);
            }
        }
        Data::Map(entries) => {
            for it in entries {
                let key = match (depth, role) {
                    (0, _) => ScalarRole::Key,
                    (1, ScalarRole::Option) => ScalarRole::Option,
                    _ => ScalarRole::Other,
                };
                found.push(Scalar::new(source, &it.key, it.key_range, key));
                let is_options = depth == 0 && it.key == LOOKUP_OPTIONS;
                let below = match is_options {
                    true => ScalarRole::Option,
                    false => ScalarRole::Other,
                };
                scalars(source, &it.value, below, depth + 1, found);
            }
        }
        Data::Alias(_) => {}
    }
}

/// A data file that may mention a name.
struct DataFile {
    file: FileInput,
    /// Its name in messages.
    display_name: String,
    scalars: Vec<Scalar>,
}

/// Returns the format of a file in a module that can be Hiera data. The global layer, which is unknown,
/// may read files that no level of the module reads.
fn format_of(path: &str) -> Option<DataFormat> {
    let is_other = OTHER_FOLDERS.iter().any(|it| path.starts_with(it));
    DataFormat::of_path(path).filter(|_| !is_other)
}

/// Returns the data files of an environment that contain `word` or `lookup_options`.
fn data_files(
    db: &dyn Database,
    environment: EnvironmentInput,
    word: &str,
) -> Result<Vec<DataFile>, RenameError> {
    let mut found = Vec::new();
    for module in environment.modules(db).values() {
        let read = layer_files(db, *module);
        for (path, file) in module.files(db).iter() {
            let format = match read.get(file) {
                Some(it) => it.format(),
                None => format_of(path),
            };
            let Some((text, format)) = file.text(db).as_deref().zip(format) else {
                continue;
            };
            let mentions = text.contains(word);
            if !mentions && !text.contains(LOOKUP_OPTIONS) {
                continue;
            }
            let display_name = match &**module.name(db) {
                ENVIRONMENT_MODULE => format!("`{path}`"),
                name => format!("`{path}` of module `{name}`"),
            };
            // The memoized trees of many files would take too much memory.
            let root = match format {
                DataFormat::Yaml => document::yaml(text),
                DataFormat::Json => document::json(text),
            };
            let mut all = Vec::new();
            match root {
                Ok(Some(root)) => scalars(text, &root, ScalarRole::Other, 0, &mut all),
                Err(_) if mentions => {
                    return refuse(format!(
                        "cannot rename: {display_name} mentions `{word}` but cannot be parsed"
                    ));
                }
                _ => {}
            }
            found.push(DataFile {
                file: *file,
                display_name,
                scalars: all,
            });
        }
    }
    Ok(found)
}

/// Checks whether a string mentions a name as a whole, not as part of a longer name.
fn contains_name(text: &str, name: &str) -> bool {
    text_after_occurrences(text, name).any(|after| !continues_name(after))
}

/// Returns the text after each occurrence of a name, as a whole or as the start of a longer name.
fn text_after_occurrences<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    text.match_indices(name).filter_map(move |(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let inside = match before.strip_suffix("::") {
            Some(before) => before.ends_with(is_part),
            None => before.ends_with(is_part),
        };
        (!inside && !after.starts_with(is_part)).then_some(after)
    })
}

fn continues_name(after: &str) -> bool {
    let rest = after.strip_prefix("::");
    rest.is_some_and(|it| it.starts_with(|it: char| it.is_alphanumeric() || it == '_'))
}

/// Checks whether a string mentions a direct member of a class.
fn contains_member_of(text: &str, class: &str) -> bool {
    text_after_occurrences(text, class)
        .any(|after| text_after_member(after).is_some_and(|rest| !continues_name(rest)))
}

/// Returns the text after `::name`.
fn text_after_member(after: &str) -> Option<&str> {
    let name = after.strip_prefix("::").filter(|_| continues_name(after))?;
    let end = name.find(|it: char| !it.is_alphanumeric() && it != '_');
    Some(&name[end.unwrap_or(name.len())..])
}

/// Collects the edits of keys in data files.
struct KeyRenamer<'a> {
    db: &'a dyn Database,
    edits: Vec<(FileId, Edit)>,
    /// The compiled patterns of `lookup_options`.
    patterns: FxHashMap<String, Regexp>,
}

impl KeyRenamer<'_> {
    /// Replaces a part of a key.
    fn rename_key(
        &mut self,
        data: &DataFile,
        key: &Scalar,
        old: &str,
        new: &str,
    ) -> Result<(), RenameError> {
        let written = text_at(self.db, data.file, key.range);
        let plain = written.trim_matches(['\'', '"']);
        let at = written.find(old).filter(|_| plain == key.text);
        let Some(at) = at else {
            return not_editable(data, written);
        };
        let range = TextRange::at(key.range.start() + size(at), size(old.len()));
        self.replace(data, &key.text, range, new)
    }

    /// Replaces a part of the names in interpolations that `is_old` accepts.
    fn rename_names(
        &mut self,
        data: &DataFile,
        scalar: &Scalar,
        (old, new): (&str, &str),
        is_old: impl Fn(&str) -> bool,
    ) -> Result<(), RenameError> {
        for it in scalar.names.iter().filter(|it| is_old(&it.name)) {
            let Some(range) = it.range else {
                return not_editable(data, &it.name);
            };
            let range = TextRange::at(range.start(), size(old.len()));
            self.replace(data, &it.name, range, new)?;
        }
        Ok(())
    }

    fn replace(
        &mut self,
        data: &DataFile,
        name: &str,
        range: TextRange,
        new: &str,
    ) -> Result<(), RenameError> {
        if let Err(module) = check_in_workspace(self.db, data.file) {
            return refuse(format!(
                "cannot rename: `{name}` is used in data of module `{module}`, outside the workspace"
            ));
        }
        let text = new.to_owned();
        self.edits
            .push((data.file.id(self.db), Edit { range, text }));
        Ok(())
    }

    /// Fails if a pattern of `lookup_options` matches only one of the old and the new key.
    fn check_pattern(
        &mut self,
        data: &DataFile,
        pattern: &Scalar,
        old: &str,
        new: &str,
    ) -> Result<(), RenameError> {
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
                data.display_name
            )),
        }
    }
}

fn size(it: usize) -> TextSize {
    TextSize::new(u32::try_from(it).unwrap_or(u32::MAX))
}

fn is_pattern(scalar: &Scalar) -> bool {
    scalar.role == ScalarRole::Option && scalar.text.starts_with('^')
}

fn not_editable(data: &DataFile, written: &str) -> Result<(), RenameError> {
    refuse(format!(
        "cannot rename: {} contains `{written}`, which cannot be edited",
        data.display_name
    ))
}

fn mentioned_in_data<T>(data: &DataFile, name: &str) -> Result<T, RenameError> {
    refuse(format!(
        "cannot rename: {} mentions `{name}`",
        data.display_name
    ))
}

/// Returns the edits of the keys of a variable or parameter of a class.
pub(super) fn variable_key_edits(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    class: &str,
    old: &str,
    new: &str,
) -> Result<Vec<(FileId, Edit)>, RenameError> {
    let Some(environment) = environment else {
        return Ok(Vec::new());
    };
    let (full, wanted) = (format!("{class}::{old}"), format!("{class}::{new}"));
    let mut renamer = KeyRenamer::new(db);
    for data in data_files(db, environment, class)? {
        for it in &data.scalars {
            let is_key = matches!(it.role, ScalarRole::Key | ScalarRole::Option);
            if is_pattern(it) {
                renamer.check_pattern(&data, it, &full, &wanted)?;
            } else if is_key && it.text == full {
                renamer.rename_key(&data, it, &full, &wanted)?;
            } else if contains_name(&it.without_names(), &full) {
                return mentioned_in_data(&data, &full);
            } else if contains_name(&it.text, &wanted) {
                return mentioned_in_data(&data, &wanted);
            } else {
                renamer.rename_names(&data, it, (&full, &wanted), |name| name == full)?;
            }
        }
    }
    Ok(renamer.edits)
}

/// Returns the edits of the keys of all parameters of a class, and of its name in class lists.
pub(super) fn class_key_edits(
    db: &dyn Database,
    item: Item<'_>,
    new: &str,
) -> Result<Vec<(FileId, Edit)>, RenameError> {
    let Some(environment) = item.file(db).environment(db) else {
        return Ok(Vec::new());
    };
    let old = item.name(db).as_str();
    let mut renamer = KeyRenamer::new(db);
    let listed = data_uses(db, environment, &Symbol::Item(item));
    for it in &listed {
        renamer.edits.push(data_edit(db, it, old, new)?);
    }
    let places = listed.iter().map(|it| (it.file, it.mention.range));
    let places: FxHashSet<(FileInput, TextRange)> = places.collect();
    for data in data_files(db, environment, old)? {
        for it in &data.scalars {
            if places.contains(&(data.file, it.range)) || is_other_class(db, environment, it, old) {
                continue;
            }
            let is_key = matches!(it.role, ScalarRole::Key | ScalarRole::Option);
            let whole = it.text.strip_prefix(old).and_then(text_after_member);
            if is_pattern(it) {
                for parameter in &signature(db, item).parameters {
                    let key = |class: &str| format!("{class}::{}", parameter.name);
                    renamer.check_pattern(&data, it, &key(old), &key(new))?;
                }
            } else if is_key && whole == Some("") || is_qualified_name(it, old) {
                renamer.rename_key(&data, it, old, new)?;
            } else if contains_member_of(&it.without_names(), old) || may_name_definition(it, old) {
                return mentioned_in_data(&data, old);
            } else {
                let is_member = |name: &str| {
                    let rest = name.strip_prefix(old).and_then(text_after_member);
                    rest == Some("")
                };
                renamer.rename_names(&data, it, (old, new), is_member)?;
            }
        }
    }
    // Existing data for the new name would apply to the renamed class.
    for data in data_files(db, environment, new)? {
        let mut all = data.scalars.iter();
        if all.any(|it| contains_member_of(&it.text, new) || may_name_definition(it, new)) {
            return mentioned_in_data(&data, new);
        }
    }
    Ok(renamer.edits)
}

/// Fails if a pattern of `lookup_options` matches only one of two keys, or a file that mentions the old
/// key cannot be parsed.
pub(super) fn check_options(
    db: &dyn Database,
    environment: EnvironmentInput,
    old: &str,
    new: &str,
) -> Result<(), RenameError> {
    let mut renamer = KeyRenamer::new(db);
    for data in data_files(db, environment, old)? {
        for it in data.scalars.iter().filter(|it| is_pattern(it)) {
            renamer.check_pattern(&data, it, old, new)?;
        }
    }
    Ok(())
}

/// Fails if data mentions a definition that has no keys of its own.
pub(super) fn check_not_mentioned(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<(), RenameError> {
    let Some(environment) = environment else {
        return Ok(());
    };
    for data in data_files(db, environment, name)? {
        if data.scalars.iter().any(|it| may_name_definition(it, name)) {
            return mentioned_in_data(&data, name);
        }
    }
    Ok(())
}

/// Checks whether a string is the qualified name of a class: one in a list that code reads by an unknown key.
fn is_qualified_name(scalar: &Scalar, name: &str) -> bool {
    let is_value = matches!(scalar.role, ScalarRole::Element | ScalarRole::Other);
    is_value && name.contains("::") && scalar.text.trim_start_matches("::") == name
}

/// Checks whether a value is the name of another class, such as one whose name starts with that of the class.
fn is_other_class(
    db: &dyn Database,
    environment: EnvironmentInput,
    scalar: &Scalar,
    name: &str,
) -> bool {
    let is_value = matches!(scalar.role, ScalarRole::Element | ScalarRole::Other);
    let found = scalar.text.trim_start_matches("::");
    is_value && found != name && resolve::class(db, Some(environment), found).is_ok()
}

/// Checks whether a string may name a class or another definition. An unqualified name is ambiguous
/// and counts only as an array element, as in lists of classes.
fn may_name_definition(scalar: &Scalar, name: &str) -> bool {
    match name.contains("::") {
        true => contains_name(&scalar.text, name),
        false => scalar.role == ScalarRole::Element && scalar.text.trim_start_matches("::") == name,
    }
}

impl<'a> KeyRenamer<'a> {
    fn new(db: &'a dyn Database) -> KeyRenamer<'a> {
        KeyRenamer {
            db,
            edits: Vec::new(),
            patterns: FxHashMap::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use syntax::apply_edits;

    #[test]
    fn finds_names_in_strings() {
        assert!(contains_name("%{lookup('a::b')}", "a::b"));
        assert!(contains_name("%{::a::b}", "a::b"));
        for other in ["a::bc", "xa::b", "x::a::b", "a::b::c", "a::b_"] {
            assert!(!contains_name(other, "a::b"), "{other}");
        }
        assert!(contains_member_of("%{a::b}", "a"));
        assert!(contains_member_of("a::b::c", "a::b"));
        for other in ["a::b::c", "a", "a::", "xa::b"] {
            assert!(!contains_member_of(other, "a"), "{other}");
        }
    }

    /// Returns the data after a rename of the class `web::a`, or the reason why it is refused.
    fn renamed(code: &str, data: &str) -> Result<String, String> {
        let fixture = Fixture::new(&format!(
            "//- modules/web/manifests/a.pp\nclass web::<^>a {{ }}\n\
             //- modules/web/manifests/a/child.pp\nclass web::a::child {{ }}\n\
             //- manifests/site.pp\n{code}\n\
             //- modules/environment/hiera.yaml\nversion: 5\n\
             //- modules/environment/data/common.yaml\n{data}"
        ));
        let (file, offset) = fixture.cursor();
        let edit = fixture.analysis().rename(file, offset, "web::b");
        let edit = edit.map_err(|it| it.0)?;
        let data = fixture.files().find(|it| it.1.ends_with("common.yaml"));
        let (data, _, text) = data.expect("there is data");
        let edits = edit.edits.iter().filter(|it| it.0 == data);
        let edits: Vec<_> = edits.map(|it| it.1.clone()).collect();
        Ok(apply_edits(text, edits.iter()).expect("edits do not overlap"))
    }

    #[test]
    fn renames_classes_in_lists() {
        let code = "lookup('classes', Array[String], 'unique').include";
        assert_eq!(
            renamed(code, "classes: [web::a, '::web::a', web::ab]\n"),
            Ok("classes: [web::b, '::web::b', web::ab]\n".to_owned())
        );
        // Other lists are those that code reads by unknown keys.
        assert_eq!(
            renamed(code, "others: {web: [web::a]}\n"),
            Ok("others: {web: [web::b]}\n".to_owned())
        );
        // Other classes below it keep their names.
        assert_eq!(
            renamed(
                code,
                "classes: [web::a::child]\nother: [web::a, '::web::a::child']\n"
            ),
            Ok("classes: [web::a::child]\nother: [web::b, '::web::a::child']\n".to_owned())
        );
        let refused = renamed(code, "others: 'see web::a'\n").expect_err("text is unknown");
        assert!(
            refused.ends_with("`data/common.yaml` mentions `web::a`"),
            "{refused}"
        );
    }
}
