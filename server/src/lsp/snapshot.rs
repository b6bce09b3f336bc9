//! What requests are answered from.

use std::collections::HashMap;
use std::sync::Arc;

use analysis::{Analysis, FileId};
use tower_lsp::ls_types::Uri;

use super::client::Negotiated;
use super::pending::Guard;
use super::tokens::SentTokens;
use crate::source::Source;

/// An open document.
#[derive(Clone, Debug)]
pub(super) struct DocumentView {
    /// What the analysis knows it by.
    pub(super) file: FileId,
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
    pub(super) client: Arc<Negotiated>,
    /// Makes the session wait a little before it changes anything; not for work that may as well
    /// begin anew.
    pub(super) pending: Option<Arc<Guard>>,
}

impl Snapshot {
    /// An open document.
    pub(super) fn document(&self, uri: &Uri) -> Option<&DocumentView> {
        self.documents.get(uri)
    }
}
