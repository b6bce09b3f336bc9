//! The documentation of completion items, resolved on request.

use salsa::Database;

use super::{DocumentationKey, DocumentedKind};
use crate::hover;
use base::FileInput;

/// Returns the documentation of an item in Markdown, if there is any.
pub(crate) fn documentation(
    db: &dyn Database,
    file: FileInput,
    documentation_key: &DocumentationKey,
) -> Option<String> {
    let environment = file.environment(db);
    let name = documentation_key.name.as_str();
    match documentation_key.kind {
        DocumentedKind::Class => hover::class_documentation(db, environment, name),
        DocumentedKind::ResourceType => hover::resource_type_documentation(db, environment, name),
        DocumentedKind::Function => hover::function_documentation(db, environment, name),
        DocumentedKind::DataType => hover::data_type_documentation(db, environment, name),
        DocumentedKind::Attribute => {
            let (type_, attribute) = name.rsplit_once(' ')?;
            let (type_, title) = match type_.split_once(' ') {
                Some((class, title)) => (class, Some(title)),
                None => (type_, None),
            };
            hover::attribute_documentation(db, environment, type_, title, attribute)
        }
        DocumentedKind::TaskParameter => hover::task_parameter_documentation(db, file, name),
        DocumentedKind::BoltMember => hover::bolt_member_documentation(name),
        DocumentedKind::Variable => hover::variable_documentation(db, file, name),
        DocumentedKind::Fact => {
            let path: Vec<&str> = name.split(' ').collect();
            hover::fact_documentation(db, environment, &path)
        }
    }
}
