//! Places in code as paths and lines.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use analysis::FileId;
use analysis::catalog::Place;
use syntax::TextRange;

use super::request::CatalogRequest;
use crate::lookup::environment::LoadedEnvironment;
use crate::source::{LineBreaks, PositionEncoding, Source};

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlaceView {
    /// The path relative to the environment, or the option with the code.
    pub(crate) file: String,
    pub(crate) line: usize,
    /// The range in a file of the workspace.
    pub(crate) target: Option<(FileId, TextRange)>,
}

impl fmt::Display for PlaceView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Finds paths and lines, and keeps the line indexes.
pub(super) struct Places<'a> {
    environment: &'a LoadedEnvironment,
    /// The name and the text of the code in place of the main manifests.
    code: Option<(&'static str, Source)>,
    files: RefCell<HashMap<FileId, Option<(String, Source)>>>,
}

impl Places<'_> {
    /// Creates the finder of the places in a catalog.
    pub(super) fn new<'a>(
        request: &CatalogRequest<'_>,
        environment: &'a LoadedEnvironment,
    ) -> Places<'a> {
        Places {
            environment,
            code: code_of(request),
            files: RefCell::default(),
        }
    }

    /// Returns the path and line of a place.
    pub(super) fn find(&self, place: Option<Place>) -> Option<PlaceView> {
        let place = place?;
        let Some(file) = place.file else {
            let (name, source) = self.code.as_ref()?;
            return Some(line_of(name, source, place));
        };
        let mut files = self.files.borrow_mut();
        let found = files
            .entry(file)
            .or_insert_with(|| named_source(file, self.environment));
        let (path, source) = found.as_ref()?;
        Some(line_of(path, source, place))
    }
}

/// Returns the path and the text of a file.
pub(super) fn named_source(
    file: FileId,
    environment: &LoadedEnvironment,
) -> Option<(String, Source)> {
    let path = environment.shown_path(environment.path(file)?);
    let source = Source::new(environment.text(file)?, LineBreaks::Puppet);
    Some((path, source))
}

/// Returns the name and the text of the code in place of the main manifests.
pub(super) fn code_of(request: &CatalogRequest<'_>) -> Option<(&'static str, Source)> {
    let code: Arc<str> = request.source()?.into();
    Some((request.source_name(), Source::new(code, LineBreaks::Puppet)))
}

fn line_of(file: &str, source: &Source, place: Place) -> PlaceView {
    let start = source.line_column(place.range.start(), PositionEncoding::Utf8);
    PlaceView {
        file: file.to_owned(),
        line: start.line as usize + 1,
        target: place.file.map(|it| (it, place.range)),
    }
}
