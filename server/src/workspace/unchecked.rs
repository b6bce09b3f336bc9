//! The parts of an environment that cannot be checked, with reasons.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use analysis::base::{ModuleOrigin, ModulepathKind};

use super::FoundModule;
use super::discovery::{EnvironmentKind, FoundEnvironment};

/// The maximum number of modules that a message lists.
const MAX_LISTED: usize = 8;

impl FoundEnvironment {
    /// Returns the modules that the project declares, and the direct and indirect dependencies of
    /// its modules, as far as they were not found.
    pub(crate) fn missing_modules(&self) -> BTreeSet<&str> {
        let found = self.modules.iter().map(|it| (it.name.as_str(), it));
        let found: HashMap<&str, &Arc<FoundModule>> = found.collect();
        let own = self.modules.iter();
        let own = own.filter(|it| it.origin == ModuleOrigin::Workspace);
        let mut missing: BTreeSet<&str> = self.missing.iter().map(String::as_str).collect();
        let mut seen = BTreeSet::new();
        let mut pending: Vec<_> = own.flat_map(|it| &it.dependencies).collect();
        while let Some(name) = pending.pop() {
            match found.get(name.as_str()) {
                Some(module) if seen.insert(name) => pending.extend(&module.dependencies),
                Some(_) => {}
                None => {
                    missing.insert(name);
                }
            }
        }
        missing
    }

    /// Describes what is not checked, one sentence for each reason.
    pub(crate) fn unchecked(&self) -> Vec<String> {
        if self.kind == EnvironmentKind::Files && self.others.is_empty() {
            return Vec::new();
        }
        let mut reasons = Vec::new();
        if self.modulepath_kind == ModulepathKind::Unknown {
            reasons.push(match self.kind {
                EnvironmentKind::Files => {
                    "names from modules are not checked: the files belong to no module or environment"
                }
                _ => "names from other modules are not checked: the modulepath is not fully known",
            });
        }
        let mut reasons: Vec<String> = reasons.into_iter().map(str::to_owned).collect();
        let missing = self.missing_modules();
        if !missing.is_empty() {
            let listed = missing.iter().take(MAX_LISTED).map(|it| format!("`{it}`"));
            let mut listed = listed.collect::<Vec<_>>().join(", ");
            if missing.len() > MAX_LISTED {
                listed.push_str(&format!(" and {} more", missing.len() - MAX_LISTED));
            }
            reasons.push(format!(
                "names from modules that are not installed are not checked: {listed}"
            ));
        }
        reasons
    }
}
