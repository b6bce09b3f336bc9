//! The plans and tasks of modules by their names, with their parameters.

use base::{EnvironmentInput, FileInput, ModuleInput};
use hiera::document::{self, Node};
use hir::autoload::{NameKey, find_item};
use hir::{Item, ItemKind, canonical_name, signature};
use salsa::Database;
use syntax::TextRange;

use super::problem::RunnableKind;
use super::tasks::{PARAMETER_TYPE, has_task, task_parameters};
use super::templates::TemplateParameter;
use super::{WorkspaceTypes, declared_parameters};

/// The result of looking for a plan or task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Runnable {
    /// Its module is not on the modulepath: Bolt ships some. Or its file has other definitions.
    Unknown,
    /// Its module does not have it.
    Missing,
    /// It exists, with these parameters; `None` if it accepts any.
    Found(Option<Vec<TemplateParameter>>),
}

impl Runnable {
    /// Looks for a plan or task of an environment.
    pub fn find(
        db: &dyn Database,
        environment: EnvironmentInput,
        kind: RunnableKind,
        name: &str,
    ) -> Runnable {
        let name = canonical_name(name);
        let (module, rest) = module_and_rest(&name);
        let Some(module) = environment.modules(db).get(module).copied() else {
            return Runnable::Unknown;
        };
        match kind {
            RunnableKind::Plan => find_plan(db, environment, &name, (module, rest)),
            RunnableKind::Task if has_task(db, module, rest) => {
                let metadata = module.files(db).get(&format!("tasks/{rest}.json"));
                Runnable::Found(metadata.and_then(|it| task_parameters(db, *it).clone()))
            }
            RunnableKind::Task => Runnable::Missing,
        }
    }
}

/// Splits a name into that of the module and the rest.
fn module_and_rest(name: &str) -> (&str, &str) {
    name.split_once("::").unwrap_or((name, "init"))
}

/// Returns the file of a plan in YAML.
pub fn yaml_plan_file(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
) -> Option<FileInput> {
    let name = canonical_name(name);
    let (module, rest) = module_and_rest(&name);
    let files = environment.modules(db).get(module)?.files(db);
    let path = format!("plans/{}.yaml", rest.replace("::", "/"));
    files.get(&path).copied()
}

fn find_plan(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
    (module, rest): (ModuleInput, &str),
) -> Runnable {
    let key = NameKey::new(db, name.to_owned());
    if let Some(plan) = find_item(db, environment, ItemKind::Plan, key) {
        return Runnable::Found(Some(plan_parameters(db, plan)));
    }
    let path = format!("plans/{}.pp", rest.replace("::", "/"));
    if module.files(db).contains_key(&path) {
        return Runnable::Unknown;
    }
    match yaml_plan_file(db, environment, name) {
        Some(file) => Runnable::Found(yaml_plan_parameters(db, file).clone()),
        None => Runnable::Missing,
    }
}

/// Returns the parameters of a plan.
fn plan_parameters(db: &dyn Database, plan: Item<'_>) -> Vec<TemplateParameter> {
    let types = declared_parameters(db, plan).iter();
    let declared = signature(db, plan).parameters.iter();
    let parameters = declared
        .zip(types)
        .map(|(it, (_, type_))| TemplateParameter {
            name: it.name.clone(),
            range: TextRange::default(),
            type_: type_.clone(),
            has_default: !it.is_required(),
        });
    parameters.collect()
}

/// Returns the parameters of a plan in YAML; `None` if it is invalid.
#[salsa::tracked]
fn yaml_plan_parameters(db: &dyn Database, file: FileInput) -> Option<Vec<TemplateParameter>> {
    let root = document::yaml(file.text(db).as_deref()?).ok()??;
    root.entries()?;
    let Some(parameters) = root.get("parameters") else {
        return Some(Vec::new());
    };
    let types = WorkspaceTypes::new(db, file.environment(db));
    let declared = parameters.entries()?.iter();
    let declared = declared.map(|it| {
        let type_ = it.value.get(PARAMETER_TYPE).and_then(Node::string);
        let has_default = it.value.get("default").is_some();
        TemplateParameter::declared(&types, (&it.key, it.key_range), type_, has_default)
    });
    Some(declared.collect())
}
