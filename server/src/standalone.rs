//! Analysis of a single file outside of any workspace.

use std::sync::Arc;

use analysis::base::{EnvironmentLayout, ModulepathKind, WorkspaceLayout};
use analysis::{Analysis, AnalysisHost, Change, FileId, FileSpec};
use syntax::validation::PuppetVersion;

/// The id of the only file; no file of a workspace has this id.
pub(crate) const FILE: FileId = FileId(u32::MAX);

/// Creates an analysis with the file [`FILE`] and no workspace.
pub(crate) fn analyze_standalone(
    spec: FileSpec,
    text: Arc<str>,
    version: PuppetVersion,
) -> Analysis {
    let mut host = AnalysisHost::default();
    host.apply_change(Change::SetVersion(version));
    host.apply_change(Change::SetFile {
        file: FILE,
        spec,
        text,
    });
    host.analysis()
}

/// Creates an analysis of a complete environment whose only manifest is [`FILE`].
pub(crate) fn analyze_complete(text: Arc<str>, version: PuppetVersion) -> Analysis {
    let environment = EnvironmentLayout {
        name: "demo".to_owned(),
        manifests: vec![FILE],
        modulepath: ModulepathKind::OfEnvironment,
        ..EnvironmentLayout::default()
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
