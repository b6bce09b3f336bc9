//! The versions of modules that projects and modules require, compared with the installed ones.
//!
//! Code is written for the required version. The definitions of another one may differ, so that the
//! analysis never reports errors because of them.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use analysis::base::{ModuleOrigin, OtherVersions, dependencies};

use super::discovery::FoundEnvironment;
use super::environment_plan::EnvironmentKind;
use super::module::FoundModule;
use super::required_version::RequiredModule;
use crate::phrases::list;

/// An installed module that is not the required one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct OtherVersion {
    module: String,
    installed: Option<String>,
    reason: Reason,
}

/// The reason why an installed module is not the required one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Reason {
    /// Another version is required, as written.
    Version(String),
    /// Another author's module of the same name is required; contains the installed one and the
    /// required one.
    Author(String, String),
    /// A Git repository is required, as written.
    Repository(String),
    /// It belongs to the machine.
    OfMachine,
}

impl OtherVersion {
    fn new(module: &FoundModule, reason: Reason) -> OtherVersion {
        OtherVersion {
            module: module.name.clone(),
            installed: module.version.clone(),
            reason,
        }
    }

    /// Describes modules, one after the other, each with its version and the required ones.
    pub(super) fn describe(all: &BTreeSet<OtherVersion>) -> Vec<String> {
        let mut by_module: BTreeMap<&str, Vec<&OtherVersion>> = BTreeMap::new();
        for other in all {
            by_module.entry(&other.module).or_default().push(other);
        }
        let mut of_machine = Vec::new();
        let mut described = Vec::new();
        for all in by_module.into_values() {
            let required: Vec<&str> = all.iter().filter_map(|it| it.required_version()).collect();
            let Some(first) = all.first() else { continue };
            match required.split_first() {
                Some((version, rest)) => {
                    let rest = match rest.len() {
                        0 => " is".to_owned(),
                        1 => " and another range are".to_owned(),
                        more => format!(" and {more} other ranges are"),
                    };
                    let named = first.named();
                    described.push(format!("{named} is used, but `{version}`{rest} required"));
                }
                None if first.reason == Reason::OfMachine => {
                    let version = first.installed.as_ref();
                    let version = version.map_or(String::new(), |it| format!(" {it}"));
                    of_machine.push(format!("`{}`{version}", first.module));
                }
                None => described.push(first.describe_source()),
            }
        }
        if !of_machine.is_empty() {
            let verb = if of_machine.len() == 1 { "is" } else { "are" };
            let modules = list(of_machine);
            described.push(format!(
                "{modules} of this machine {verb} used, but the project declares its own"
            ));
        }
        described
    }

    fn required_version(&self) -> Option<&str> {
        match &self.reason {
            Reason::Version(it) => Some(it),
            _ => None,
        }
    }

    fn named(&self) -> String {
        match &self.installed {
            Some(version) => format!("`{}` {version}", self.module),
            None => format!("`{}` of an unknown version", self.module),
        }
    }

    fn describe_source(&self) -> String {
        match &self.reason {
            Reason::Author(installed, required) => {
                let module = &self.module;
                format!("`{installed}-{module}` is used, but `{required}-{module}` is required")
            }
            Reason::Repository(required) => {
                format!("{} is used, but `{required}` is required", self.named())
            }
            Reason::OfMachine | Reason::Version(_) => format!("{} is used", self.named()),
        }
    }
}

impl FoundEnvironment {
    /// Returns the versions that the project requires, as written, by the names of the modules.
    pub(crate) fn required_versions(&self) -> BTreeMap<String, String> {
        let required = self.required.iter();
        let versions = required.filter_map(|(name, it)| {
            let text = it.version.text()?;
            Some((name.clone(), text.to_owned()))
        });
        versions.collect()
    }

    /// Returns the modules of other versions, for the analysis.
    pub(crate) fn other_versions(&self) -> OtherVersions {
        let names = |all: BTreeSet<OtherVersion>| all.into_iter().map(|it| it.module).collect();
        let all = self.by_name();
        let own = self.own_modules(&all);
        let of_modules = own.map(|it| (it.name.clone(), names(self.unmet_by(it, &all))));
        let of_modules = of_modules.filter(|it: &(_, BTreeSet<String>)| !it.1.is_empty());
        OtherVersions {
            of_modules: of_modules.collect(),
            of_project: names(self.unmet_by_project(&all)),
            undeclared: self.undeclared(&all),
            without_metadata: self
                .own_modules(&all)
                .filter(|it| !it.has_metadata())
                .map(|it| it.name.clone())
                .collect(),
            of_machine: names(self.unmet())
                .into_iter()
                .filter(|it: &String| all.get(&**it).is_some_and(|it| self.is_of_machine(it)))
                .collect(),
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
        let required = self.required.iter();
        let unmet = required.filter_map(|(name, required)| {
            let module = all.get(&**name)?;
            // The code that is edited has no installed version.
            if module.origin == ModuleOrigin::Workspace {
                return None;
            }
            let reason = self.reason_unmet(module, required, all)?;
            Some(OtherVersion::new(module, reason))
        });
        unmet.collect()
    }

    /// Returns the reason why an installed module is not the one that the project requires.
    fn reason_unmet(
        &self,
        module: &FoundModule,
        required: &RequiredModule,
        all: &HashMap<&str, &FoundModule>,
    ) -> Option<Reason> {
        if let Some(reason) = required.reason_refused(module) {
            return Some(reason);
        }
        match required.version.accepts(module.version.as_deref()) {
            Some(_) => None,
            None if required.has_other_repository(&module.source)
                && !self.is_accepted_by_metadata(module, all) =>
            {
                Some(Reason::Repository(required.repository.clone()?))
            }
            None => self.is_of_machine(module).then_some(Reason::OfMachine),
        }
    }

    /// Checks whether the metadata of the project's own module accepts an installed module: repositories move.
    fn is_accepted_by_metadata(
        &self,
        module: &FoundModule,
        all: &HashMap<&str, &FoundModule>,
    ) -> bool {
        let mut own = self.own_modules(all).flat_map(|it| &it.required);
        own.any(|(name, required)| {
            *name == module.name
                && required.reason_refused(module).is_none()
                && required.version.accepts(module.version.as_deref()) == Some(true)
        })
    }

    /// Checks whether the project is configured as an environment of a server, which has modules of its machine.
    fn is_configured_environment(&self) -> bool {
        let is_environment = self.kind == EnvironmentKind::Environment;
        is_environment && self.root.join("environment.conf").is_file()
    }

    /// Returns the modules of the machine that the project does not declare: its code may be written for another
    /// version of them.
    fn undeclared(&self, all: &HashMap<&str, &FoundModule>) -> BTreeSet<String> {
        let own = self.own_modules(all).flat_map(|it| &it.dependencies);
        let direct: Vec<&String> = own.chain(self.required.keys()).collect();
        if direct.is_empty() && self.is_configured_environment() {
            return BTreeSet::new();
        }
        // The metadata of another version may name other modules.
        let unmet: BTreeSet<String> = self.unmet().into_iter().map(|it| it.module).collect();
        let declared = dependencies(direct, |it| {
            let module = all.get(it).filter(|it| !unmet.contains(&it.name));
            module.map(|it| it.dependencies.as_slice())
        });
        let of_machine = all.values().filter(|it| self.is_of_machine(it));
        let undeclared =
            of_machine.filter(|it| !declared.found.contains(&it.name) && !is_part_of_puppet(it));
        undeclared.map(|it| it.name.clone()).collect()
    }

    /// Checks whether a module is installed for the whole machine rather than for the project.
    pub(super) fn is_of_machine(&self, module: &FoundModule) -> bool {
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
                let by_project = self.required.get(name);
                let by_project = by_project.and_then(|it| it.version.accepts(installed));
                if by_project.is_none() {
                    let reason = required.reason_refused(needed);
                    unmet.extend(reason.map(|it| OtherVersion::new(needed, it)));
                }
                pending.push_back(needed);
            }
        }
        unmet
    }
}

impl RequiredModule {
    /// Returns the reason why an installed module is certainly not the required one: its author or its version.
    fn reason_refused(&self, module: &FoundModule) -> Option<Reason> {
        if let (true, Some(own), Some(other)) = (
            self.has_other_author(&module.source),
            &module.source.author,
            &self.author,
        ) {
            return Some(Reason::Author(own.clone(), other.clone()));
        }
        // Each release on the Forge has metadata. What the project itself contains is what it uses.
        let is_no_release = self.author.is_some()
            && !module.has_metadata()
            && module.origin != ModuleOrigin::Workspace;
        let accepts = self.version.accepts(module.version.as_deref());
        if accepts.unwrap_or(!is_no_release) {
            return None;
        }
        Some(Reason::Version(self.version.text()?.to_owned()))
    }
}

/// Checks whether a module has resource types that were once part of Puppet, which ships it.
fn is_part_of_puppet(module: &FoundModule) -> bool {
    module.name.ends_with("_core")
}
