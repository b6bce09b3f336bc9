//! The tasks of modules, with the parameters that their metadata declares.

use base::{FileInput, ModuleInput};
use salsa::Database;
use serde_json::Value;
use syntax::TextRange;
use types::Type;

use super::WorkspaceTypes;
use super::templates::TemplateParameter;

/// The key of the type of a parameter, in plans in YAML and in the metadata of tasks.
pub const PARAMETER_TYPE: &str = "type";

/// The extensions of files in `tasks` that are not tasks; from Puppet's `module/task.rb`.
const FORBIDDEN_EXTENSIONS: [&str; 2] = ["conf", "md"];

/// Checks whether a module contains a task; `name` is the name without the module, or `init`.
pub(super) fn has_task(db: &dyn Database, module: ModuleInput, name: &str) -> bool {
    task_names(db, module).any(|it| it == name)
}

/// Iterates over the names of a module's tasks without that of the module, once per file.
pub fn task_names(db: &dyn Database, module: ModuleInput) -> impl Iterator<Item = &str> {
    const FOLDER: &str = "tasks/";
    let files = module.files(db).range(FOLDER.to_owned()..);
    let files = files.map_while(|it| it.0.strip_prefix(FOLDER));
    files.filter_map(|it| match it.rsplit_once('.') {
        Some((_, extension)) if FORBIDDEN_EXTENSIONS.contains(&extension) => None,
        Some((name, _)) => Some(name),
        None => Some(it),
    })
}

/// Returns the parameters in the metadata of a task; `None` if it does not declare any and so accepts all,
/// or is invalid.
#[salsa::tracked]
pub(super) fn task_parameters(
    db: &dyn Database,
    metadata: FileInput,
) -> Option<Vec<TemplateParameter>> {
    let metadata_text = metadata.text(db).as_deref()?;
    let content: Value = serde_json::from_str(metadata_text).ok()?;
    let types = WorkspaceTypes::new(db, metadata.environment(db));
    let all = content.get("parameters")?.as_object()?.iter();
    let all = all.map(|(name, declaration)| {
        let type_ = declaration.get(PARAMETER_TYPE).and_then(Value::as_str);
        let has_default = declaration.get("default").is_some();
        let place = (name.as_str(), TextRange::default());
        let mut parameter = TemplateParameter::declared(&types, place, type_, has_default);
        // Values of sensitive parameters may be wrapped.
        if declaration.get("sensitive").and_then(Value::as_bool) == Some(true) {
            parameter.type_ = Type::Any;
        }
        parameter
    });
    Some(all.collect())
}
