//! Errors with which Puppet rejects catalogs, in the style of `pupil check`.

use analysis::FileId;
use analysis::base::{Diagnostic, RelatedInformation};
use analysis::catalog::{CompileError, CompileErrorKind, Place};
use syntax::Severity;

use super::place::{PlaceView, Places, code_of, named_source};
use super::request::CatalogRequest;
use crate::check;
use crate::lookup::environment::LoadedEnvironment;

/// Stands for the code in place of the main manifests.
const CODE: FileId = FileId(u32::MAX);

/// Renders an error with the source around it.
pub(super) fn render(
    error: &CompileError,
    request: &CatalogRequest<'_>,
    environment: &LoadedEnvironment,
    colors: bool,
) -> String {
    let Some(place) = error.place else {
        return format!("error: {}\n\n", error.message);
    };
    let file = |id: FileId| match id == CODE {
        true => code_of(request).map(|(name, source)| (name.to_owned(), source)),
        false => named_source(id, environment),
    };
    let id = |place: Place| place.file.unwrap_or(CODE);
    let Some((path, source)) = file(id(place)) else {
        return format!("error: {}\n\n", error.message);
    };
    let related = error.related.map(|it| RelatedInformation {
        file: id(it),
        range: it.range,
        message: related_message(error).to_owned(),
    });
    let diagnostic = Diagnostic {
        code: "",
        severity: Severity::Error,
        message: error.message.clone(),
        range: place.range,
        related: related.into_iter().collect(),
        fixes: Vec::new(),
    };
    check::render_in(&path, &diagnostic, id(place), &source, &file, colors)
}

/// Explains the related place of an error.
fn related_message(error: &CompileError) -> &'static str {
    match &error.kind {
        _ if error.key.is_some() => "parameter declared here",
        CompileErrorKind::Evaluation(_) => "in the resource declared here",
        _ => "first declared here",
    }
}

/// Returns the path and line of a place of an error.
pub(crate) fn place(
    place: Option<Place>,
    request: &CatalogRequest<'_>,
    environment: &LoadedEnvironment,
) -> Option<PlaceView> {
    Places::new(request, environment).find(place)
}
