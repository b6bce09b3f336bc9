//! Tasks and files of modules that plans name by strings.

use std::collections::BTreeMap;

use base::{EnvironmentInput, FileInput, ModuleInput};
use hiera::document::{self, Entry, Node};
use hir::body::PathKind;
use hir::canonical_name;
use hir::resolve::{self, Definition};
use infer::task_names;
use library::products;
use salsa::Database;
use syntax::{TextRange, TextSize};

use crate::search::module_path;

/// A task of a module.
pub(crate) struct Task<'db> {
    db: &'db dyn Database,
    /// The name with that of the module.
    pub(crate) name: String,
    /// The file with the metadata.
    pub(crate) metadata: Option<FileInput>,
    /// The files that implement the task.
    pub(crate) implementations: Vec<FileInput>,
}

/// A parameter in the metadata of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TaskParameter {
    pub(crate) name: String,
    /// The range of the name in the metadata, without quotes.
    pub(crate) range: TextRange,
    /// The type as written.
    pub(crate) type_: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) is_required: bool,
}

/// The folder of a module with its tasks.
const FOLDER: &str = "tasks/";

/// The extension of the metadata.
const METADATA: &str = ".json";

/// The name of the task that has the name of its module.
const MAIN_TASK: &str = "init";

/// Finds a task by its name.
pub(crate) fn find_task<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: &str,
) -> Option<Task<'db>> {
    let name = canonical_name(name);
    let (module, rest) = name.split_once("::").unwrap_or((&name, MAIN_TASK));
    let module = *environment.modules(db).get(module)?;
    task_names(db, module).find(|it| *it == rest)?;
    let start = format!("{FOLDER}{rest}");
    let files = module.files(db).range(start.clone()..);
    let own = files.take_while(|it| it.0.starts_with(&start));
    let own = own.filter(|it| it.0[start.len()..].rfind('.').is_none_or(|it| it == 0));
    let (metadata, implementations): (Vec<_>, Vec<_>) =
        own.partition(|it| it.0.ends_with(METADATA));
    Some(Task {
        db,
        metadata: metadata.first().map(|it| *it.1),
        implementations: implementations.into_iter().map(|it| *it.1).collect(),
        name,
    })
}

/// Returns the names of the tasks of a module.
pub(crate) fn tasks_of(db: &dyn Database, module: ModuleInput) -> Vec<String> {
    let module_name = module.name(db);
    let mut names: Vec<String> = task_names(db, module)
        .map(|it| match it {
            MAIN_TASK => module_name.to_string(),
            name => format!("{module_name}::{name}"),
        })
        .collect();
    names.dedup();
    names
}

/// Returns the metadata of the task that a file implements, if it is another file.
pub(crate) fn task_metadata(db: &dyn Database, file: FileInput) -> Option<FileInput> {
    let (_, path) = module_path(db, file)?;
    path.starts_with(FOLDER).then_some(())?;
    let stem = path.rsplit_once('.').map_or(path.as_str(), |it| it.0);
    let files = file.module(db)?.files(db);
    let metadata = *files.get(&format!("{stem}{METADATA}"))?;
    (metadata != file).then_some(metadata)
}

fn root(db: &dyn Database, metadata: FileInput) -> Option<Node> {
    document::json(metadata.text(db).as_deref()?).ok()?
}

/// Returns the parameters in the metadata of a task, in source order.
pub(crate) fn parameters_in(db: &dyn Database, metadata: FileInput) -> Vec<TaskParameter> {
    let root = root(db, metadata);
    let all = root.as_ref().and_then(|it| it.get("parameters"));
    let all = all.and_then(Node::entries).unwrap_or_default();
    all.iter().map(parameter).collect()
}

impl Task<'_> {
    /// Returns the description in the metadata.
    pub(crate) fn description(&self) -> Option<String> {
        let root = root(self.db, self.metadata?)?;
        Some(root.get("description")?.string()?.to_owned())
    }

    /// Returns the parameters in the metadata, in source order.
    pub(crate) fn parameters(&self) -> Vec<TaskParameter> {
        let metadata = self.metadata;
        metadata.map_or_else(Vec::new, |it| parameters_in(self.db, it))
    }
}

fn parameter(entry: &Entry) -> TaskParameter {
    let string = |key: &str| Some(entry.value.get(key)?.string()?.to_owned());
    let type_ = string("type");
    let is_optional = type_.as_ref().is_some_and(|it| it.starts_with("Optional"));
    let quote = TextSize::of('"');
    TaskParameter {
        name: entry.key.clone(),
        range: match entry.key_range {
            it if usize::from(it.len()) == entry.key.len() + 2 => {
                TextRange::new(it.start() + quote, it.end() - quote)
            }
            it => it,
        },
        description: string("description"),
        is_required: !is_optional && entry.value.get("default").is_none(),
        type_,
    }
}

/// Finds a file such as `module/path` that a function of Bolt sends to targets.
pub(crate) fn sent_file(
    db: &dyn Database,
    environment: EnvironmentInput,
    path: &str,
) -> Option<FileInput> {
    if let Ok(Definition::File(file)) = resolve::file(db, Some(environment), PathKind::Source, path)
    {
        return Some(file);
    }
    // Newer releases also find the folders of a module by their names.
    let (module, rest) = path.split_once('/')?;
    let module = environment.modules(db).get(module)?;
    let files: &BTreeMap<String, FileInput> = module.files(db);
    let is_known = rest.starts_with(products::SCRIPTS) || rest.starts_with(products::FILES);
    files.get(rest).copied().filter(|_| is_known)
}
