//! The documentation of completion items, resolved on request.

use salsa::Database;

use super::{Subject, SubjectKind};
use crate::hover;
use base::db::FileInput;

/// Returns the documentation of an item in Markdown, if there is any.
pub(crate) fn documentation(
    db: &dyn Database,
    file: FileInput,
    subject: &Subject,
) -> Option<String> {
    let environment = file.environment(db);
    let name = subject.name.as_str();
    match subject.kind {
        SubjectKind::Class => hover::class(db, environment, name),
        SubjectKind::ResourceType => hover::resource(db, environment, name),
        SubjectKind::Function => hover::function(db, environment, name),
        SubjectKind::DataType => hover::data_type(db, environment, name),
        SubjectKind::Attribute => {
            let (type_, attribute) = name.rsplit_once(' ')?;
            let (type_, title) = match type_.split_once(' ') {
                Some((class, title)) => (class, Some(title)),
                None => (type_, None),
            };
            hover::attribute_of(db, environment, type_, title, attribute)
        }
        SubjectKind::Variable => hover::variable(db, file, name),
        SubjectKind::Fact => {
            let path: Vec<&str> = name.split(' ').collect();
            hover::fact_of(db, environment, &path)
        }
    }
}
