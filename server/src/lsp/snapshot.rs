//! What requests are answered from.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use analysis::ide::HintOptions;
use analysis::{Analysis, FileId};
use syntax::TextRange;
use tower_lsp::ls_types::{Location, Uri};

use super::client::Negotiated;
use super::pending::Guard;
use super::tokens::SentTokens;
use super::{from_proto, to_proto};
use crate::levels::Levels;
use crate::source::{LineBreaks, Source};
use crate::vfs::Paths;
use crate::workspace::Discovery;

/// An open document.
#[derive(Clone, Debug)]
pub(super) struct DocumentView {
    /// What the analysis knows it by.
    pub(super) file: FileId,
    /// The client's number of this state of it.
    pub(super) version: i32,
    /// The text.
    pub(super) source: Arc<Source>,
    /// What the client knows about its tokens, the same for all its versions.
    pub(super) tokens: Arc<SentTokens>,
}

/// The open documents.
pub(super) type Documents = HashMap<Uri, DocumentView>;

/// All documents as they were when a message arrived.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) analysis: Analysis,
    pub(super) documents: Arc<Documents>,
    /// Where all files are.
    pub(super) paths: Arc<Paths>,
    pub(super) client: Arc<Negotiated>,
    /// How much the rules matter.
    pub(super) levels: Arc<Levels>,
    /// The files that are worked on, in which mistakes are looked for.
    pub(super) worked_on: Arc<[FileId]>,
    /// What was found on the disk.
    pub(super) discovery: Arc<Discovery>,
    /// Which hints are shown in the text.
    pub(super) hints: HintOptions,
    /// Makes the session wait a little before it changes anything; not for work that may as well
    /// begin anew.
    pub(super) pending: Option<Arc<Guard>>,
}

impl Snapshot {
    /// An open document.
    pub(super) fn document(&self, uri: &Uri) -> Option<&DocumentView> {
        self.documents.get(uri)
    }

    /// The number and the text of any document, whether it is open or not.
    pub(super) fn any(&self, uri: &Uri) -> Option<(FileId, Arc<Source>)> {
        if let Some(document) = self.document(uri) {
            return Some((document.file, Arc::clone(&document.source)));
        }
        let file = self.file_at(&from_proto::path(uri)?)?;
        let text = self.analysis.text(file)?;
        Some((file, Arc::new(Source::new(text, LineBreaks::Lsp))))
    }

    /// The file at a path.
    pub(super) fn file_at(&self, path: &Path) -> Option<FileId> {
        let mut paths = self.paths.iter();
        let number = paths.position(|it| it.as_deref() == Some(path))?;
        Some(FileId(u32::try_from(number).ok()?))
    }

    /// A place in any file, for the client.
    pub(super) fn location(&self, file: FileId, range: TextRange) -> Option<Location> {
        let unit = self.client.unit;
        let open = self.documents.iter().find(|(_, it)| it.file == file);
        if let Some((uri, document)) = open {
            let range = to_proto::range(range, &document.source, unit);
            return Some(Location::new(uri.clone(), range));
        }
        let path = self.paths.get(file.0 as usize)?.as_deref()?;
        let uri = Uri::from_file_path(path)?;
        // What has no text, such as a file that is copied as it is, has a start all the same.
        let text = self.analysis.text(file).unwrap_or_else(|| "".into());
        let source = Source::new(text, LineBreaks::Lsp);
        Some(Location::new(uri, to_proto::range(range, &source, unit)))
    }
}

/// Places of many files for the client: the lines of each are counted once.
#[derive(Debug)]
pub(super) struct Places<'a> {
    snapshot: &'a Snapshot,
    known: HashMap<FileId, Option<Place>>,
}

/// A file as a [`Places`] knows it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) uri: Uri,
    /// The version, if it is open.
    pub(super) version: Option<i32>,
    pub(super) source: Arc<Source>,
}

impl<'a> Places<'a> {
    pub(super) fn new(snapshot: &'a Snapshot) -> Places<'a> {
        Places {
            snapshot,
            known: HashMap::new(),
        }
    }

    /// Where a file is and what it holds; nothing if it is nowhere.
    pub(super) fn file(&mut self, file: FileId) -> Option<&Place> {
        let snapshot = self.snapshot;
        let known = self.known.entry(file).or_insert_with(|| {
            let mut open = snapshot.documents.iter();
            if let Some((uri, document)) = open.find(|(_, it)| it.file == file) {
                return Some(Place {
                    uri: uri.clone(),
                    version: Some(document.version),
                    source: Arc::clone(&document.source),
                });
            }
            let path = snapshot.paths.get(file.0 as usize)?.as_deref()?;
            let text = snapshot.analysis.text(file).unwrap_or_else(|| "".into());
            Some(Place {
                uri: Uri::from_file_path(path)?,
                version: None,
                source: Arc::new(Source::new(text, LineBreaks::Lsp)),
            })
        });
        known.as_ref()
    }

    /// A place in any file.
    pub(super) fn location(&mut self, file: FileId, range: TextRange) -> Option<Location> {
        let unit = self.snapshot.client.unit;
        let place = self.file(file)?;
        let range = to_proto::range(range, &place.source, unit);
        Some(Location::new(place.uri.clone(), range))
    }
}
