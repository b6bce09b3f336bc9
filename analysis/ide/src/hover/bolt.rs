//! Hovers of the names of Bolt, and of the tasks and files that plans name.

use base::FileInput;
use hir::Item;
use hir::body::Reference;
use library::signatures::Doc;
use library::{BoltMember, BoltType, pages, products};
use salsa::Database;

use super::content::HoverContent;
use super::render;
use crate::bolt::{self, BoltName, Task, TaskParameter, find_task, parameters_in};

/// Returns the hover of a name of Bolt.
pub(super) fn name(
    db: &dyn Database,
    item: Item<'_>,
    reference: &Reference,
) -> Option<HoverContent> {
    let found = bolt::bolt_name(db, item, &reference.name)?;
    Some(content(found))
}

/// Returns the hover of the name of a method call on an object of Bolt.
pub(super) fn member(
    db: &dyn Database,
    item: Item<'_>,
    reference: &Reference,
) -> Option<HoverContent> {
    let found = bolt::bolt_member(db, item, &reference.name, reference.range)?;
    Some(content(found))
}

fn content(name: BoltName) -> HoverContent {
    match name {
        BoltName::Function(it) => render::function(it, None)
            .origin("function of Bolt", None)
            .page(Some(pages::bolt_functions())),
        BoltName::Type(it) => type_content(it),
        BoltName::Member(type_, name) => match type_.member(name) {
            Some(it) => member_content(type_, it),
            None => HoverContent::default(),
        },
    }
}

fn type_content(type_: &BoltType) -> HoverContent {
    let names = type_.members.iter().map(|it| &it.name);
    HoverContent::new(type_.name.clone())
        .doc(&Doc {
            text: type_.doc.text.clone(),
            tags: type_.doc.tags("summary").cloned().collect(),
        })
        .detail(render::labeled_list("Attributes and functions:", names))
        .origin("data type of Bolt", None)
        .page(Some(pages::bolt_types()))
}

fn member_content(type_: &BoltType, member: &BoltMember) -> HoverContent {
    let signature = format!("{}.{} >> {}", type_.name, member.name, member.type_);
    let about = type_.doc.parameter(&member.name);
    HoverContent::new(signature)
        .doc(&Doc {
            text: about.map(|it| it.text.clone()).unwrap_or_default(),
            tags: Vec::new(),
        })
        .origin(format!("data type `{}` of Bolt", type_.name), None)
        .page(Some(pages::bolt_types()))
}

/// Returns the documentation of a function of Bolt.
pub(crate) fn bolt_function_documentation(name: &str) -> Option<String> {
    let found = bolt::function(name)?;
    Some(content(BoltName::Function(found)).into_documentation())
}

/// Returns the documentation of a data type of Bolt.
pub(crate) fn bolt_type_documentation(name: &str) -> Option<String> {
    let found = products::type_of_bolt(name)?;
    Some(type_content(found).into_documentation())
}

/// Returns the documentation of a member of Bolt's objects, named by the type and the member.
pub(crate) fn bolt_member_documentation(name: &str) -> Option<String> {
    let (type_, member) = name.split_once(' ')?;
    let type_ = products::type_of_bolt(type_)?;
    Some(member_content(type_, type_.member(member)?).into_documentation())
}

/// Returns the documentation of a parameter of a task, named by the task and the parameter.
pub(crate) fn task_parameter_documentation(
    db: &dyn Database,
    file: FileInput,
    name: &str,
) -> Option<String> {
    let (task, parameter) = name.split_once(' ')?;
    let task = find_task(db, file.environment(db)?, task)?;
    let parameters = task.parameters();
    let found = parameters.iter().find(|it| it.name == parameter)?;
    Some(parameter_content(found).into_documentation())
}

/// Returns the hover of a string that names a task or a file of a module.
pub(super) fn named_file(
    db: &dyn Database,
    origin: FileInput,
    text: &str,
    file: FileInput,
) -> Option<HoverContent> {
    let task = find_task(db, origin.environment(db)?, text);
    let is_named = |it: &Task<'_>| it.implementations.contains(&file) || it.metadata == Some(file);
    let content = match task.filter(is_named) {
        Some(task) => task_content(&task),
        None => HoverContent::default(),
    };
    Some(render::of_file(
        content,
        db,
        file,
        syntax::TextRange::default(),
    ))
}

fn task_content(task: &Task<'_>) -> HoverContent {
    let parameters = task.parameters();
    let signatures = parameters
        .iter()
        .map(|it| format!("  {},", declaration(it)));
    let signatures: Vec<String> = signatures.collect();
    let lines = match signatures.is_empty() {
        true => vec![format!("task {}", task.name)],
        false => [
            vec![format!("task {}(", task.name)],
            signatures,
            vec![")".to_owned()],
        ]
        .concat(),
    };
    HoverContent::of_lines(lines).doc(&Doc {
        text: task.description().unwrap_or_default(),
        tags: Vec::new(),
    })
}

/// Returns the hover of a parameter of a task.
pub(super) fn task_parameter(
    db: &dyn Database,
    metadata: FileInput,
    name: &str,
) -> Option<HoverContent> {
    let mut all = parameters_in(db, metadata).into_iter();
    let found = all.find(|it| it.name == name)?;
    let content = parameter_content(&found);
    Some(render::of_file(content, db, metadata, found.range))
}

fn parameter_content(parameter: &TaskParameter) -> HoverContent {
    HoverContent::new(declaration(parameter)).doc(&Doc {
        text: parameter.description.clone().unwrap_or_default(),
        tags: Vec::new(),
    })
}

fn declaration(parameter: &TaskParameter) -> String {
    match &parameter.type_ {
        Some(type_) => format!("{type_} ${}", parameter.name),
        None => format!("${}", parameter.name),
    }
}
