//! The parts of an environment that cannot be checked, with reasons.

use std::collections::{BTreeSet, HashMap};

use analysis::base::{ModuleOrigin, ModulepathKind, dependencies};

use super::discovery::{EnvironmentKind, FoundEnvironment};

/// The maximum number of modules that a message lists.
const MAX_LISTED: usize = 8;

impl FoundEnvironment {
    /// Returns the modules that the project declares, and the direct and indirect dependencies of
    /// its modules, as far as they were not found.
    fn missing_modules(&self) -> BTreeSet<String> {
        let found = self.modules.iter();
        let found: HashMap<&str, &[String]> = found
            .map(|it| (it.name.as_str(), it.dependencies.as_slice()))
            .collect();
        let own = self.modules.iter();
        let own = own.filter(|it| it.origin == ModuleOrigin::Workspace);
        let direct = own.flat_map(|it| &it.dependencies);
        let mut missing = dependencies(direct, |it| found.get(it).copied()).missing;
        missing.extend(self.missing.iter().cloned());
        missing
    }

    /// Describes what is not checked, one sentence for each reason.
    pub(crate) fn unchecked(&self) -> Vec<String> {
        if self.kind == EnvironmentKind::Files && self.others.is_empty() {
            return Vec::new();
        }
        let mut reasons = Vec::new();
        if self.modulepath_kind == ModulepathKind::Unknown {
            let reason = match self.kind {
                EnvironmentKind::Files => {
                    "names from modules are not checked: the files belong to no module or environment"
                }
                _ => {
                    "names from other modules are not checked: a directory of the modulepath is missing or unknown"
                }
            };
            reasons.push(reason.to_owned());
        }
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
