use std::collections::{BTreeMap, BTreeSet};

use base::{EnvironmentInput, FileInput, ModuleInput, ModuleOrigin, ModulepathKind};
use hir::ItemKind;

use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::{TextRange, TextSize};

use crate::assets::{AssetChecker, AssetKind, is_on, served_files, served_path};
use crate::checker::Checker;
use crate::index::name_uses::{Language, has_known_data, own_modules, source_of};
use crate::index::path_uses::{is_in_path, may_be, paths};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports templates and files of the modules of a control repository that are never used.
    ///
    /// ## What it does
    ///
    /// Searches the code, templates, Ruby files and Hiera data of the environment for the paths of
    /// the files in `templates` and `files` of its own modules, not of installed ones. Every
    /// occurrence outside of comments counts, including computed ones: `"example/${name}.epp"` uses
    /// all EPP templates of the module `example`, and `puppet:///modules/example/certs` all files
    /// in the directory. This rule is off by default.
    ///
    /// `pupil check` reports all such files, editors only templates in EPP.
    ///
    /// ## Why it matters
    ///
    /// Readers assume that the file configures a machine, and edit it without effect.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: templates/server.conf.epp
    /// <%- $port = 80 # <-
    /// -%>
    /// port: <%= $port %>
    /// # file: manifests/init.pp
    /// class example {
    ///   file { '/etc/example.conf': content => 'port: 80' }
    /// }
    /// # file: environment/hiera.yaml
    /// version: 5
    /// # file: environment/data/common.yaml
    /// lookup_options: {}
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: templates/server.conf.epp
    /// <%- $port = 80
    /// -%>
    /// port: <%= $port %>
    /// # file: manifests/init.pp
    /// class example {
    ///   file { '/etc/example.conf': content => epp('example/server.conf.epp') }
    /// }
    /// # file: environment/hiera.yaml
    /// version: 5
    /// # file: environment/data/common.yaml
    /// lookup_options: {}
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Modules that are not part of a control repository.
    /// * Environments whose data is not completely part of the workspace, or that lack a `hiera.yaml`: their data may
    ///   contain paths.
    /// * Files whose names start with a dot or with `README`, or contain whitespace and other unusual characters.
    ///
    /// ## Fix
    ///
    /// No fix is available: something outside of the repository may use the file.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unused-file]` to the first line of a template in EPP. To turn the rule on for a project,
    /// add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unused-file = "warning"
    /// ```
    pub(crate) static UNUSED_FILE = {
        code: "unused-file",
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::Item(check), Check::Asset(AssetKind::Any, check_asset)],
    }
}

/// Checks a template in EPP.
fn check(checker: &mut Checker<'_>) {
    let (db, item) = (checker.db, checker.item);
    let file = item.file(db);
    let is_template = item.kind(db) == ItemKind::Main && file.spec(db).dialect.epp;
    if is_template && let Some(message) = problem(db, file) {
        let text = file.text(db).as_deref().unwrap_or_default();
        let line = text.lines().next().unwrap_or_default();
        let length = TextSize::try_from(line.len()).unwrap_or_default();
        checker.report(&UNUSED_FILE, TextRange::up_to(length), message);
    }
}

/// Checks a template or file that is not in the Puppet language.
fn check_asset(checker: &mut AssetChecker<'_>) {
    if let Some(message) = problem(checker.db, checker.file) {
        checker.report(&UNUSED_FILE, TextRange::default(), message);
    }
}

/// Returns the message about a file that is unused.
fn problem(db: &dyn Database, file: FileInput) -> Option<String> {
    let environment = file
        .environment(db)
        .filter(|it| is_on(db, *it, &UNUSED_FILE))?;
    let (folder, rest) = served_path(db, file)?.split_once('/')?;
    if !unused_files(db, environment).contains(&file) {
        return None;
    }
    let noun = match folder {
        "templates" => "template",
        _ => "file",
    };
    let module = file.module(db)?;
    Some(format!(
        "unused {noun} `{rest}` of module `{}`",
        module.name(db)
    ))
}

/// Returns the templates and files of an environment that are never used.
#[salsa::tracked]
fn unused_files(db: &dyn Database, environment: EnvironmentInput) -> FxHashSet<FileInput> {
    let is_complete = environment.modulepath(db) == ModulepathKind::OfEnvironment
        && has_known_data(db, environment);
    if !is_complete {
        return FxHashSet::default();
    }
    let mut used = UsedPaths::default();
    for file in environment.manifests(db).iter() {
        used.extend(file_paths(db, environment, *file, Language::Puppet));
    }
    for module in environment.modules(db).values() {
        used.extend(module_paths(db, environment, *module));
    }
    let mut found = FxHashSet::default();
    for module in environment.modules(db).values() {
        for (file, path) in served_files(db, *module) {
            if is_ordinary(path) && !used.contains(module.name(db), path) {
                found.insert(*file);
            }
        }
    }
    found
}

/// Checks whether a file has no special purpose, and a path that code can be searched for.
fn is_ordinary(path: &str) -> bool {
    let mut names = path.split('/');
    let is_hidden = names.any(|it| it.starts_with('.') || it.starts_with("README"));
    !is_hidden && path.chars().all(is_in_path)
}

/// The paths in the files of an environment.
#[derive(Default)]
struct UsedPaths<'a> {
    /// The paths without computed parts.
    exact: FxHashSet<&'a str>,
    /// The paths with computed parts, by the modules that they start with.
    by_module: BTreeMap<&'a str, Vec<&'a str>>,
    /// The paths that start with a computed part.
    others: Vec<&'a str>,
}

impl<'a> UsedPaths<'a> {
    fn extend(&mut self, paths: &'a BTreeSet<String>) {
        for path in paths {
            let module = path.split('/').next().unwrap_or_default();
            if module.contains('*') {
                self.others.push(path);
            } else if path.contains('*') {
                self.by_module.entry(module).or_default().push(path);
            } else {
                self.exact.insert(path.trim_end_matches('/'));
            }
        }
    }

    /// Checks whether a path is named, or a folder that contains it.
    fn has_exact(&self, path: &str) -> bool {
        let mut folders = path.match_indices('/').map(|it| &path[..it.0]);
        self.exact.contains(path) || folders.any(|it| self.exact.contains(it))
    }

    /// Checks whether a path stands for a file of a module.
    fn contains(&self, module: &str, path: &str) -> bool {
        let rest = path.split_once('/').map_or(path, |it| it.1);
        let names = [format!("{module}/{rest}"), format!("{module}/{path}")];
        let without = names[0].strip_suffix(".epp").map(str::to_owned);
        let names = names.iter().chain(&without);
        let own = self.by_module.get(module).into_iter().flatten();
        let mut computed = own.chain(&self.others);
        names.clone().any(|it| self.has_exact(it))
            || computed.any(|it| names.clone().any(|name| may_be(it, name)))
    }
}

/// Returns the paths in a file that may be those of templates and files of own modules.
#[salsa::tracked]
fn file_paths(
    db: &dyn Database,
    environment: EnvironmentInput,
    file: FileInput,
    language: Language,
) -> BTreeSet<String> {
    let own = own_modules(db, environment);
    let module = file.module(db);
    let module = module.map_or("", |it| it.name(db));
    let mut found = BTreeSet::new();
    for path in paths(&source_of(db, file, language), module) {
        if starts_computed(&path) {
            found.insert(path.clone());
        }
        let starts = path.match_indices('/').map(|it| it.0 + 1);
        for start in [0].into_iter().chain(starts) {
            let rest = path[start..].trim_end_matches('/');
            let first = rest.split('/').next().unwrap_or_default();
            // The last name of a path, such as `/etc/profile`, is not that of a module.
            if own.contains(first) && (start == 0 || rest != first) {
                found.insert(rest.to_owned());
            }
        }
    }
    found
}

/// Checks whether the first name of a path is computed.
fn starts_computed(path: &str) -> bool {
    path.split('/').next().is_some_and(|it| it.contains('*'))
}

/// Returns the paths in the files of a module.
#[salsa::tracked]
fn module_paths(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: ModuleInput,
) -> BTreeSet<String> {
    let is_own = module.origin(db) == ModuleOrigin::Workspace;
    let mut found = BTreeSet::new();
    for (path, file) in module.files(db).iter() {
        if let Some(language) = Language::of_path(path) {
            let paths = file_paths(db, environment, *file, language).iter();
            // Installed modules get computed paths of other modules from the code that uses them.
            let paths = paths.filter(|it| is_own || !starts_computed(it));
            found.extend(paths.cloned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::UNUSED_FILE;
    use crate::testing::{asset_findings, reported};

    const DATA: &str = "//- modules/environment/hiera.yaml\nversion: 5\n\
                        //- modules/environment/data/common.yaml\nx: 1\n";

    /// Returns the unused files of a module, given its code.
    fn unused(code: &str) -> Vec<String> {
        let text = format!(
            "{DATA}//- modules/m/manifests/init.pp\n{code}\n//- modules/m/templates/a.erb\nx\n\
             //- modules/m/files/d/f\nx\n//- modules/m/files/.gitkeep\n\n"
        );
        let found = asset_findings(&text).into_iter();
        found.map(|it| it.message).collect()
    }

    #[test]
    fn reports_files_without_a_use() {
        let (template, file) = (
            "unused template `a.erb` of module `m`",
            "unused file `d/f` of module `m`",
        );
        assert_eq!(unused("class m { }"), [template, file]);
        assert_eq!(unused("class m { template('m/a.erb') } # m/d/f"), [file]);
        assert_eq!(unused("class m { file('m/d/f') }"), [template]);
        assert_eq!(
            unused("class m { template('m/d/f') file('n/a.erb', '/etc/m') }"),
            [template]
        );
    }

    #[test]
    fn accepts_computed_paths_and_folders() {
        for code in [
            "\"m/${x}.erb\" 'puppet:///modules/m/d'",
            "\"${module_name}/a.erb\" \"puppet:///modules/${module_name}/d/$x\"",
            "template(\"${x}/${y}\")",
            "\"${x}/a.erb\" '/etc/modules/m/files/d'",
        ] {
            assert_eq!(
                unused(&format!("class m {{ notice({code}) }}")),
                [""; 0],
                "{code}"
            );
        }
    }

    #[test]
    fn reports_templates_in_the_puppet_language() {
        let code = format!(
            "{DATA}//- modules/m/templates/a.epp\n<%= 1 %>\n//- modules/m/templates/b.epp\nb\n"
        );
        let found = reported(&UNUSED_FILE, &code);
        assert_eq!(found.len(), 2, "{found:?}");
        let code = format!("{code}//- modules/m/manifests/init.pp\nclass m {{ epp('m/a') }}");
        assert_eq!(
            reported(&UNUSED_FILE, &code),
            ["`b`: unused template `b.epp` of module `m`"]
        );
    }
}
