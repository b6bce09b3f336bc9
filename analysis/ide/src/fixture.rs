//! Workspaces for the tests of features, and readable results.

pub(crate) use fixture::{
    EVERYTHING, Log, MANIFEST, PLAN, TEMPLATE, broken_variants, cursor, file_spec, layout,
    logging_database, parse, visible_text,
};

use std::collections::BTreeSet;
use std::sync::Arc;

use base::FileId;
use fixture::Sources;
use syntax::{TextRange, TextSize};

use crate::{Analysis, AnalysisHost, Change, NavigationTarget, NavigationTargets};

/// A host with the files of one string, see [`Sources::parse`].
pub(crate) struct Fixture {
    pub(crate) host: AnalysisHost,
    sources: Sources,
}

/// Returns the rules that are off by default, which are off in these workspaces: their examples
/// are short rather than well laid out.
fn optional_rules() -> impl Iterator<Item = &'static rules::Rule> {
    rules::all().filter(|it| !it.group.is_on_by_default())
}

impl Fixture {
    pub(crate) fn new(text: &str) -> Fixture {
        Fixture::without(text, optional_rules())
    }

    /// Creates a workspace that is also checked for style.
    pub(crate) fn with_style(text: &str) -> Fixture {
        let others = optional_rules().filter(|it| it.group != rules::Group::Style || it.is_off);
        Fixture::without(text, others)
    }

    fn without(text: &str, disabled: impl Iterator<Item = &'static rules::Rule>) -> Fixture {
        let disabled: BTreeSet<String> = disabled.map(|it| it.code.to_owned()).collect();
        let mut fixture = Fixture {
            host: AnalysisHost::default(),
            sources: Sources::parse(text),
        };
        let mut layout = fixture.sources.layout();
        for environment in &mut layout.environments {
            environment.disabled_rules = disabled.clone();
        }
        let layout = Arc::new(layout);
        fixture.host.apply_change(Change::SetWorkspace(layout));
        for (file, path, text) in fixture.sources.iter() {
            fixture.host.apply_change(set_file(file, path, text));
        }
        fixture
    }

    pub(crate) fn analysis(&self) -> Analysis {
        self.host.analysis()
    }

    pub(crate) fn text(&self, file: FileId) -> &str {
        self.sources.text(file)
    }

    pub(crate) fn path(&self, file: FileId) -> &str {
        self.sources.path(file)
    }

    pub(crate) fn cursor(&self) -> (FileId, TextSize) {
        self.sources.cursor()
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = (FileId, &str, &str)> {
        self.sources.iter()
    }

    /// Returns the diagnostics of all files: `path: code "underlined": message`, one per line.
    pub(crate) fn render_diagnostics(&self) -> String {
        let analysis = self.analysis();
        let mut lines = Vec::new();
        for (file, path, text) in self.files() {
            for found in analysis.diagnostics(file) {
                let place = visible_text(text, found.range);
                lines.push(format!(
                    "{path}: {} `{place}`: {}",
                    found.code, found.message
                ));
            }
        }
        lines.join("\n")
    }

    /// Returns a definition as `path "name"`.
    pub(crate) fn target(&self, target: &NavigationTarget) -> String {
        let name: TextRange = target.name_range;
        let place = visible_text(self.text(target.file), name);
        format!("{} `{place}`", self.path(target.file))
    }

    /// Returns definitions as `path "name"`, separated by commas.
    pub(crate) fn targets(&self, found: Option<NavigationTargets>) -> String {
        let targets = found.map(|it| it.targets).unwrap_or_default();
        let targets: Vec<_> = targets.iter().map(|it| self.target(it)).collect();
        targets.join(", ")
    }
}

/// Sets a file; its path decides its language.
pub(crate) fn set_file(file: FileId, path: &str, text: &str) -> Change {
    let spec = file_spec(path);
    let text = text.into();
    Change::SetFile { file, spec, text }
}
