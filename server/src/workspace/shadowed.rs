//! Modules that others of the same name shadow.

use std::collections::HashSet;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::base::ModuleOrigin;

use super::discovery::{Discovery, FoundEnvironment};
use super::module::FoundModule;

impl Discovery {
    /// Moves the modules of the workspace that others of the same name shadow to environments of their own. Puppet does
    /// not load them, but their names mean their own definitions.
    pub(super) fn split_shadowed(&mut self) {
        let environments = self.environments.iter_mut();
        let taken: Vec<_> = environments.map(FoundEnvironment::take_shadowed).collect();
        let modules = self.environments.iter().flat_map(|it| &it.modules);
        // Another environment may use them.
        let used: HashSet<PathBuf> = modules.map(|it| it.root.clone()).collect();
        let mut found = Vec::new();
        for (environment, mut shadowed) in self.environments.iter_mut().zip(taken) {
            shadowed.retain(|it| !used.contains(&it.root));
            while !shadowed.is_empty() {
                let mut new = environment.with_modules(shadowed);
                shadowed = new.take_shadowed();
                new.others = environment.take_others(&new.modules);
                found.push(new);
            }
        }
        self.environments.extend(found);
    }
}

impl FoundEnvironment {
    /// Removes the modules of the workspace that earlier ones of the same name shadow.
    fn take_shadowed(&mut self) -> Vec<Arc<FoundModule>> {
        let mut names = HashSet::new();
        let modules = mem::take(&mut self.modules).into_iter();
        let (shadowed, kept) = modules.partition(|it| {
            let is_first = names.insert(it.name.clone());
            !is_first && it.origin == ModuleOrigin::Workspace
        });
        self.modules = kept;
        shadowed
    }

    /// Returns an environment in which modules come before the others.
    fn with_modules(&self, modules: Vec<Arc<FoundModule>>) -> FoundEnvironment {
        let names: HashSet<String> = modules.iter().map(|it| it.name.clone()).collect();
        let others = self.modules.iter();
        let others = others.filter(|it| !names.contains(&it.name)).cloned();
        FoundEnvironment {
            why: "modules that others of the same name shadow".to_owned(),
            modulepath: Vec::new(),
            manifest: None,
            manifests: Vec::new(),
            modules: modules.into_iter().chain(others).collect(),
            others: Vec::new(),
            ..self.clone()
        }
    }

    /// Removes the files outside of the parts of a module that are in the directories of `modules`, such as its tests.
    fn take_others(&mut self, modules: &[Arc<FoundModule>]) -> Vec<PathBuf> {
        let own: HashSet<&Path> = self.modules.iter().map(|it| it.root.as_path()).collect();
        let all = modules.iter().map(|it| it.root.as_path());
        let new: HashSet<&Path> = all.filter(|it| !own.contains(it)).collect();
        let is_in_new = |it: &PathBuf| it.ancestors().any(|it| new.contains(it));
        let others = mem::take(&mut self.others).into_iter();
        let (taken, kept) = others.partition(is_in_new);
        self.others = kept;
        taken
    }
}

#[cfg(test)]
mod tests {
    use crate::workspace::discover;
    use crate::workspace::tests::{names, relative, request, tree};

    #[test]
    fn shadowed_modules_are_apart() {
        let root = tree(&[
            ("environment.conf", "modulepath = a:b:c\n"),
            ("a/nginx/manifests/init.pp", ""),
            ("a/apt/manifests/init.pp", ""),
            ("b/nginx/manifests/params.pp", ""),
            ("b/nginx/tests/init.pp", ""),
            ("c/nginx/manifests/init.pp", ""),
            ("manifests/site.pp", ""),
        ]);
        let found = discover(&request(root.path()));
        let [first, second, third] = &found.environments[..] else {
            panic!("three: {found:#?}")
        };
        assert_eq!(names(first), ["apt", "nginx"]);
        assert_eq!(first.manifests.len(), 1);
        for (environment, folder) in [(second, "b"), (third, "c")] {
            assert_eq!(names(environment), ["nginx", "apt"]);
            let expected = root.path().join(folder).join("nginx");
            assert_eq!(environment.modules[0].root, expected);
            assert!(environment.manifests.is_empty());
        }
        assert_eq!(
            relative(root.path(), &second.others),
            ["b/nginx/tests/init.pp"]
        );
    }

    #[test]
    fn modules_that_another_environment_uses_are_not_apart() {
        let root = tree(&[
            ("modules/nginx/manifests/init.pp", ""),
            ("environments/a/modules/nginx/manifests/init.pp", ""),
            ("environments/b/environment.conf", ""),
        ]);
        let found = discover(&request(root.path()));
        let modules = found.environments.iter().map(|it| it.modules.len());
        assert_eq!(modules.collect::<Vec<_>>(), [1, 1]);
    }
}
