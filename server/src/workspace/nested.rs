//! Modules and environments inside of others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::ModulepathKind;

use super::discovery::FoundEnvironment;
use super::environment_plan::EnvironmentKind;
use super::required_version::RequiredModules;
use crate::paths::is_module_name;

impl FoundEnvironment {
    /// Moves the manifests of nested modules and environments to an environment of their own: they use
    /// other modules.
    pub(super) fn split_nested(&mut self) -> Option<FoundEnvironment> {
        let nested: Vec<PathBuf> = self.nested().into_iter().cloned().collect();
        if nested.is_empty() {
            return None;
        }
        self.others.retain(|it| !nested.contains(it));
        let names = nested.iter().filter_map(|it| module_around(it));
        let is_found = |it: &String| self.modules.iter().any(|module| module.name == *it);
        let unknown: Vec<_> = names.filter(|it| !is_found(it)).collect();
        self.missing.extend(unknown);
        Some(FoundEnvironment {
            root: self.root.clone(),
            kind: EnvironmentKind::Nested,
            why: "in modules or environments inside of others".to_owned(),
            modulepath: Vec::new(),
            manifest: None,
            manifests: Vec::new(),
            modules: Vec::new(),
            others: nested,
            modulepath_kind: ModulepathKind::Unknown,
            missing: BTreeSet::new(),
            shipped: &[],
            required: RequiredModules::new(),
            ignored: Vec::new(),
            config: Arc::clone(&self.config),
        })
    }
}

/// Returns the name of the nested module that contains a manifest. Names in it are not unknown.
fn module_around(manifest: &Path) -> Option<String> {
    let mut folders = manifest.ancestors().skip(1);
    let manifests = folders.find(|it| it.file_name().is_some_and(|it| it == "manifests"))?;
    let name = manifests.parent()?.file_name()?.to_str()?;
    is_module_name(name).then(|| name.to_owned())
}
