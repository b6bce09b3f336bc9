//! The versions of modules that projects and modules require, compared with the installed ones.
//!
//! Code is written for the required version. The definitions of another one may differ, so that the
//! analysis never reports errors because of them.

use std::collections::{BTreeSet, HashMap, VecDeque};

use analysis::base::{ModuleOrigin, OtherVersions, dependencies};

use super::discovery::FoundEnvironment;
use super::module::FoundModule;
use super::required_version::RequiredVersion;

/// An installed module whose version is not the required one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct OtherVersion {
    module: String,
    installed: Option<String>,
    /// The required version as written, if it is known.
    required: Option<String>,
}

impl OtherVersion {
    fn new(module: &FoundModule, required: &RequiredVersion) -> OtherVersion {
        OtherVersion {
            module: module.name.clone(),
            installed: module.version.clone(),
            required: match required {
                RequiredVersion::Exactly(it) | RequiredVersion::Range(it) => Some(it.clone()),
                RequiredVersion::Unknown => None,
            },
        }
    }

    /// Describes the module with both versions.
    pub(super) fn describe(&self) -> String {
        let installed = self.installed.as_deref().unwrap_or("without a version");
        let module = format!("`{}` {installed}", self.module);
        match &self.required {
            Some(required) => format!("{module} is used, but `{required}` is required"),
            None => format!("{module} of this machine is used, but the project declares its own"),
        }
    }
}

impl FoundEnvironment {
    /// Returns the modules of other versions, for the analysis.
    pub(crate) fn other_versions(&self) -> OtherVersions {
        let names = |all: BTreeSet<OtherVersion>| all.into_iter().map(|it| it.module).collect();
        let all = self.by_name();
        let own = self.own_modules(&all);
        let of_modules = own.map(|it| (it.name.clone(), names(self.unmet_by(it, &all))));
        let of_modules = of_modules.filter(|it: &(_, BTreeSet<String>)| !it.1.is_empty());
        let mut of_project: BTreeSet<String> = names(self.unmet_by_project(&all));
        of_project.extend(self.undeclared(&all));
        OtherVersions {
            of_modules: of_modules.collect(),
            of_project,
        }
    }

    /// Returns all modules of other versions, sorted.
    pub(super) fn unmet(&self) -> BTreeSet<OtherVersion> {
        let all = self.by_name();
        let of_modules = self
            .own_modules(&all)
            .flat_map(|it| self.unmet_by(it, &all));
        of_modules.chain(self.unmet_by_project(&all)).collect()
    }

    fn own_modules<'a>(
        &self,
        all: &HashMap<&str, &'a FoundModule>,
    ) -> impl Iterator<Item = &'a FoundModule> {
        let own = all.values().copied();
        own.filter(|it| it.origin == ModuleOrigin::Workspace)
    }

    fn by_name(&self) -> HashMap<&str, &FoundModule> {
        let mut all: HashMap<&str, &FoundModule> = HashMap::new();
        for module in &self.modules {
            all.entry(&module.name).or_insert(module);
        }
        all
    }

    fn unmet_by_project(&self, all: &HashMap<&str, &FoundModule>) -> BTreeSet<OtherVersion> {
        let installed = self.required.iter();
        let installed =
            installed.filter_map(|(name, required)| Some((*all.get(&**name)?, required)));
        let unmet = installed.filter(|(module, required)| {
            match required.accepts(module.version.as_deref()) {
                Some(accepted) => !accepted,
                None => self.is_of_machine(module),
            }
        });
        unmet
            .map(|(module, required)| OtherVersion::new(module, required))
            .collect()
    }

    /// Returns the modules of the machine that the project does not declare, although it declares
    /// others: its code may be written for another version of them.
    fn undeclared(&self, all: &HashMap<&str, &FoundModule>) -> BTreeSet<String> {
        let own = self.own_modules(all).flat_map(|it| &it.dependencies);
        let direct: Vec<&String> = own.chain(self.required.keys()).collect();
        if direct.is_empty() {
            return BTreeSet::new();
        }
        let declared = dependencies(direct, |it| {
            all.get(it).map(|it| it.dependencies.as_slice())
        });
        let of_machine = all.values().filter(|it| self.is_of_machine(it));
        let undeclared =
            of_machine.filter(|it| !declared.found.contains(&it.name) && !is_part_of_puppet(it));
        undeclared.map(|it| it.name.clone()).collect()
    }

    /// Checks whether a module is installed for the whole machine rather than for the project.
    fn is_of_machine(&self, module: &FoundModule) -> bool {
        let folder = module.root.parent();
        let mut folders = self.modulepath.iter().filter(|it| it.of_machine);
        module.origin == ModuleOrigin::Library && folders.any(|it| Some(&*it.path) == folder)
    }

    /// Returns the modules whose versions the metadata of a module, or of a module that it needs, does
    /// not accept. The nearest requirement of a module decides, and that of the project before all.
    fn unmet_by(
        &self,
        module: &FoundModule,
        all: &HashMap<&str, &FoundModule>,
    ) -> BTreeSet<OtherVersion> {
        let mut seen = BTreeSet::from([module.name.as_str()]);
        let mut unmet = BTreeSet::new();
        let mut pending = VecDeque::from([module]);
        while let Some(module) = pending.pop_front() {
            for (name, required) in &module.required {
                let Some(needed) = all.get(&**name).filter(|_| seen.insert(name)) else {
                    continue;
                };
                let installed = needed.version.as_deref();
                let by_project = self.required.get(name).and_then(|it| it.accepts(installed));
                let own = required.as_ref().and_then(|it| it.accepts(installed));
                if let (None, Some(false), Some(required)) = (by_project, own, required) {
                    unmet.insert(OtherVersion::new(needed, required));
                }
                pending.push_back(needed);
            }
        }
        unmet
    }
}

/// Checks whether a module has resource types that were once part of Puppet, which ships it.
fn is_part_of_puppet(module: &FoundModule) -> bool {
    module.name.ends_with("_core")
}
