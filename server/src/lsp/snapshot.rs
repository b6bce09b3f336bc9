//! Immutable snapshots of the state, on which requests are computed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use analysis::ide::{FormatOptions, HintOptions, StubLocation};
use analysis::{Analysis, FileId};
use syntax::TextRange;
use syntax::validation::PuppetVersion;
use tower_lsp::ls_types::{Location, Uri};

use super::client_capabilities::ResolvedClientCapabilities;
use super::large_classes::LargeClasses;
use super::patient_host::PendingGuard;
use super::semantic_tokens::SentTokens;
use super::stubs::StubDirectory;
use super::typing::ShownDiagnostics;
use super::{from_proto, to_proto};
use crate::rule_levels::RuleLevels;
use crate::source::{LineBreaks, Source};
use crate::vfs::PathsById;
use crate::workspace::Discovery;

/// An open document.
#[derive(Clone, Debug)]
pub(super) struct DocumentView {
    pub(super) file: FileId,
    /// The version of the client.
    pub(super) version: i32,
    pub(super) source: Arc<Source>,
    /// The semantic tokens sent last, shared by all versions of the document.
    pub(super) tokens: Arc<SentTokens>,
    /// The diagnostics that the client shows, shared by all versions of the document.
    pub(super) shown: Arc<ShownDiagnostics>,
}

pub(super) type Documents = HashMap<Uri, DocumentView>;

/// The state when a message arrived.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) analysis: Analysis,
    pub(super) documents: Arc<Documents>,
    /// The paths of all files.
    pub(super) paths: Arc<PathsById>,
    pub(super) client: Arc<ResolvedClientCapabilities>,
    /// The levels of the rules.
    pub(super) levels: Arc<RuleLevels>,
    /// The files to be checked.
    pub(super) files_to_check: Arc<[FileId]>,
    /// The environments and modules on disk.
    pub(super) discovery: Arc<Discovery>,
    /// The effective Puppet version.
    pub(super) version: PuppetVersion,
    /// The inlay hints to show.
    pub(super) hints: HintOptions,
    /// The layout of formatted files.
    pub(super) format: FormatOptions,
    /// The resources of classes that take long to compile, shared by all snapshots.
    pub(super) large_classes: Arc<LargeClasses>,
    /// Whether the workspace has been read, so that references can be counted.
    pub(super) is_loaded: bool,
    /// The directory for stubs of built-in names, if there is one.
    pub(super) stubs: Option<StubDirectory>,
    /// Delays changes of the analysis; `None` for work that may be cancelled and restarted.
    pub(super) pending: Option<Arc<PendingGuard>>,
}

impl Snapshot {
    pub(super) fn document(&self, uri: &Uri) -> Option<&DocumentView> {
        self.documents.get(uri)
    }

    /// Returns the ID and text of any file, whether it is open or not.
    pub(super) fn file_and_source(&self, uri: &Uri) -> Option<(FileId, Arc<Source>)> {
        if let Some(document) = self.document(uri) {
            return Some((document.file, Arc::clone(&document.source)));
        }
        let file = self.file_at(&from_proto::path(uri)?)?;
        let text = self.analysis.text(file)?;
        Some((file, Arc::new(Source::new(text, LineBreaks::Lsp))))
    }

    pub(super) fn file_at(&self, path: &Path) -> Option<FileId> {
        let mut paths = self.paths.iter();
        let number = paths.position(|it| it.as_deref() == Some(path))?;
        Some(FileId(u32::try_from(number).ok()?))
    }

    /// Returns the location of a range in a stub, which is written if necessary.
    pub(super) fn stub_location(&self, found: &StubLocation, range: TextRange) -> Option<Location> {
        let path = self.stubs.as_ref()?.materialize(found.source)?;
        let source = Source::new(found.source.text.into(), LineBreaks::Lsp);
        let range = to_proto::range(range, &source, self.client.position_encoding);
        Some(Location::new(Uri::from_file_path(path)?, range))
    }

    /// Converts a range in any file to a location.
    pub(super) fn location(&self, file: FileId, range: TextRange) -> Option<Location> {
        let encoding = self.client.position_encoding;
        let open = self.documents.iter().find(|(_, it)| it.file == file);
        if let Some((uri, document)) = open {
            let range = to_proto::range(range, &document.source, encoding);
            return Some(Location::new(uri.clone(), range));
        }
        let path = self.paths.get(file.0 as usize)?.as_deref()?;
        let uri = Uri::from_file_path(path)?;
        // Files without a text, such as those in `files/`, get the position 0:0.
        let text = self.analysis.text(file).unwrap_or_else(|| "".into());
        let source = Source::new(text, LineBreaks::Lsp);
        Some(Location::new(
            uri,
            to_proto::range(range, &source, encoding),
        ))
    }
}

/// Converts ranges in many files to locations, and caches the line index of each file.
#[derive(Debug)]
pub(super) struct LocatedFiles<'a> {
    snapshot: &'a Snapshot,
    known: HashMap<FileId, Option<LocatedFile>>,
}

/// A cached file of [`LocatedFiles`].
#[derive(Clone, Debug)]
pub(super) struct LocatedFile {
    pub(super) uri: Uri,
    /// The version if the document is open.
    pub(super) version: Option<i32>,
    pub(super) source: Arc<Source>,
}

impl<'a> LocatedFiles<'a> {
    pub(super) fn new(snapshot: &'a Snapshot) -> LocatedFiles<'a> {
        LocatedFiles {
            snapshot,
            known: HashMap::new(),
        }
    }

    /// Returns the URI, version and text of a file, or `None` if it has no path.
    pub(super) fn file(&mut self, file: FileId) -> Option<&LocatedFile> {
        let snapshot = self.snapshot;
        let known = self.known.entry(file).or_insert_with(|| {
            let mut open = snapshot.documents.iter();
            if let Some((uri, document)) = open.find(|(_, it)| it.file == file) {
                return Some(LocatedFile {
                    uri: uri.clone(),
                    version: Some(document.version),
                    source: Arc::clone(&document.source),
                });
            }
            let path = snapshot.paths.get(file.0 as usize)?.as_deref()?;
            let text = snapshot.analysis.text(file).unwrap_or_else(|| "".into());
            Some(LocatedFile {
                uri: Uri::from_file_path(path)?,
                version: None,
                source: Arc::new(Source::new(text, LineBreaks::Lsp)),
            })
        });
        known.as_ref()
    }

    /// Converts a range in any file to a location.
    pub(super) fn location(&mut self, file: FileId, range: TextRange) -> Option<Location> {
        let encoding = self.snapshot.client.position_encoding;
        let located = self.file(file)?;
        let range = to_proto::range(range, &located.source, encoding);
        Some(Location::new(located.uri.clone(), range))
    }
}
