//! One file, analysed on its own.

use std::sync::Arc;

use analysis::workspace::{Environment, WorkspaceLayout};
use analysis::{Analysis, AnalysisHost, Change, FileId, FileSpec};
use syntax::validation::PuppetVersion;

/// The only file of such an analysis; no file of a workspace has this number.
pub(crate) const FILE: FileId = FileId(u32::MAX);

/// An analysis that knows the file [`FILE`] and nothing else.
pub(crate) fn analyse(spec: FileSpec, text: Arc<str>, version: PuppetVersion) -> Analysis {
    let mut host = AnalysisHost::default();
    host.apply_change(Change::SetVersion(version));
    host.apply_change(Change::SetFile {
        file: FILE,
        spec,
        text,
    });
    host.analysis()
}

/// An analysis whose only manifest is the file [`FILE`], and all that there is.
pub(crate) fn analyse_all(text: Arc<str>, version: PuppetVersion) -> Analysis {
    let environment = Environment {
        name: "demo".to_owned(),
        manifests: vec![FILE],
        modules: Vec::new(),
        others: Vec::new(),
        complete: true,
    };
    let layout = WorkspaceLayout {
        environments: vec![environment],
    };
    let mut host = AnalysisHost::default();
    host.apply_change(Change::SetVersion(version));
    host.apply_change(Change::SetWorkspace(Arc::new(layout)));
    host.apply_change(Change::SetFile {
        file: FILE,
        spec: FileSpec::default(),
        text,
    });
    host.analysis()
}
