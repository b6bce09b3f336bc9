//! Checks of the templates, files, Ruby code, metadata of tasks and plans in YAML of modules, which are not in the Puppet
//! language.

use std::cell::OnceCell;
use std::rc::Rc;

use base::{Diagnostic, EnvironmentInput, FileInput, Fix, ModuleInput, ModuleOrigin};
use infer::ENVIRONMENT_MODULE;
use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::{Severity, TextRange};

use crate::file_diagnostics::FileDiagnostics;
use crate::rule::{Check, Rule};
use crate::suppressions::Suppressions;
use crate::yaml_plan::YamlPlan;

/// The context of the checks of a template or file, and the diagnostics reported so far.
pub(crate) struct AssetChecker<'db> {
    pub(crate) db: &'db dyn Database,
    pub(crate) file: FileInput,
    pub(crate) environment: EnvironmentInput,
    pub(crate) module: ModuleInput,
    /// The plan in the file, once a rule has asked for it.
    yaml_plan: OnceCell<Rc<YamlPlan>>,
    diagnostics: FileDiagnostics,
}

impl AssetChecker<'_> {
    /// Returns the plan in a file in YAML.
    pub(crate) fn yaml_plan(&self) -> Rc<YamlPlan> {
        let text = self.file.text(self.db).as_deref().unwrap_or_default();
        let plan = self.yaml_plan.get_or_init(|| Rc::new(YamlPlan::read(text)));
        Rc::clone(plan)
    }

    /// Reports a diagnostic with the default severity of its rule.
    pub(crate) fn report(
        &mut self,
        rule: &'static Rule,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report_as(rule, rule.severity, range, message)
    }

    /// Reports a diagnostic.
    pub(crate) fn report_as(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.diagnostics
            .add(rule.diagnostic(severity, range, message))
    }

    /// Returns a suggested fix that replaces a range.
    pub(crate) fn replacement(&self, range: TextRange, text: String) -> Fix {
        let label = format!("Replace with `{text}`");
        let fix = syntax::Fix::suggested(label, range, text);
        Fix::in_file(self.file.id(self.db), fix)
    }
}

/// The templates and files that a check examines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AssetKind {
    /// The files that `template` may evaluate: their names need not end in `.erb`.
    Template,
    /// All templates and files.
    Any,
    /// The metadata of tasks.
    TaskMetadata,
    /// The Ruby files in `lib`.
    Ruby,
    /// The plans in YAML.
    YamlPlan,
}

impl AssetKind {
    fn includes(self, path: &str) -> bool {
        match self {
            AssetKind::Template => is_template(path),
            AssetKind::Any => is_served(path),
            AssetKind::TaskMetadata => is_task_metadata(path),
            AssetKind::Ruby => is_ruby(path),
            AssetKind::YamlPlan => is_yaml_plan(path),
        }
    }
}

/// Checks whether a file is not in the Puppet language, but in `templates`, `files`, `lib`, `tasks` or `plans` of a module
/// that is developed here, and a rule about such files is on.
pub fn is_asset(db: &dyn Database, file: FileInput) -> bool {
    let (Some(environment), Some(path)) = (file.environment(db), asset_path(db, file)) else {
        return false;
    };
    is_checked_asset(path, |it| is_on(db, environment, it))
}

/// Checks whether a rule that is on examines an asset of a module with a path, which is not in the Puppet language.
pub fn is_checked_asset(path: &str, is_on: impl Fn(&Rule) -> bool) -> bool {
    let examines = |rule: &Rule| {
        let mut checks = rule.checks.iter();
        checks.any(|it| matches!(it, Check::Asset(kind, _) if kind.includes(path)))
    };
    is_asset_path(path) && !is_code(path) && crate::all().any(|it| examines(it) && is_on(it))
}

/// Returns the diagnostics of a file for which [`is_asset`] is true.
pub fn check_asset(db: &dyn Database, file: FileInput) -> Vec<Diagnostic> {
    let (Some(environment), Some(module), Some(path)) =
        (file.environment(db), file.module(db), asset_path(db, file))
    else {
        return Vec::new();
    };
    let mut checker = AssetChecker {
        db,
        file,
        environment,
        module,
        yaml_plan: OnceCell::new(),
        diagnostics: FileDiagnostics::default(),
    };
    for rule in crate::all().filter(|it| is_on(db, environment, it)) {
        for check in rule.checks {
            if let Check::Asset(kind, check) = check
                && kind.includes(path)
            {
                check(&mut checker);
            }
        }
    }
    let text = file.text(db).as_deref().unwrap_or_default();
    let suppressions = match path {
        // Most files have no diagnostics to suppress.
        _ if checker.diagnostics.is_empty() => None,
        it if is_template(it) => Some(Suppressions::in_erb(text)),
        it if is_ruby(it) => Some(Suppressions::in_ruby(text)),
        it if is_yaml_plan(it) => Some(Suppressions::in_lines(text, true)),
        _ => None,
    };
    let is_suppressed = |it: &Diagnostic| {
        let suppressions = suppressions.as_ref();
        suppressions.is_some_and(|all| all.covers(it.code, it.range))
    };
    checker.diagnostics.finish(is_suppressed)
}

/// Checks whether a rule is on in an environment.
pub(crate) fn is_on(db: &dyn Database, environment: EnvironmentInput, rule: &Rule) -> bool {
    !environment.disabled_rules(db).contains(rule.code)
}

fn is_asset_path(path: &str) -> bool {
    is_served(path) || is_task_metadata(path) || is_ruby(path) || is_yaml_plan(path)
}

/// Checks whether the path of a file in its module is that of Ruby code that Puppet or Facter loads.
fn is_ruby(path: &str) -> bool {
    path.starts_with("lib/") && path.ends_with(".rb")
}

/// Checks whether the path of a file in its module is that of a plan in YAML.
pub fn is_yaml_plan(path: &str) -> bool {
    path.starts_with("plans/") && path.ends_with(".yaml")
}

/// Checks whether the path of a file in its module is that of the metadata of a task.
fn is_task_metadata(path: &str) -> bool {
    let name = path.strip_prefix("tasks/").unwrap_or_default();
    name.ends_with(".json") && !name.contains('/')
}

/// Checks whether the path of a file in its module is in a folder that Puppet serves.
fn is_served(path: &str) -> bool {
    is_template(path) || path.starts_with("files/")
}

fn is_code(path: &str) -> bool {
    [".pp", ".epp"].iter().any(|it| path.ends_with(it))
}

fn is_template(path: &str) -> bool {
    path.starts_with("templates/")
}

/// Checks whether the path of a file in its module is that of an ERB template.
pub(crate) fn is_erb_template(path: &str) -> bool {
    is_template(path) && path.ends_with(".erb")
}

/// Returns the path in its module of a file in `templates` or `files` of a module that is developed here.
pub(crate) fn served_path(db: &dyn Database, file: FileInput) -> Option<&str> {
    asset_path(db, file).filter(|it| is_served(it))
}

/// Returns the path in its module of an asset of a module that is developed here.
fn asset_path(db: &dyn Database, file: FileInput) -> Option<&str> {
    let paths = asset_files(db, file.module(db)?);
    paths.get(&file).map(String::as_str)
}

/// Returns the templates and files of a module that is developed here, with their paths in it.
pub(crate) fn served_files(
    db: &dyn Database,
    module: ModuleInput,
) -> impl Iterator<Item = (&FileInput, &String)> {
    let files = asset_files(db, module).iter();
    files.filter(|it| is_served(it.1))
}

/// Returns the assets of a module that is developed here, with their paths in it. Those of an environment itself are its
/// Ruby files.
#[salsa::tracked]
fn asset_files(db: &dyn Database, module: ModuleInput) -> FxHashMap<FileInput, String> {
    if module.origin(db) != ModuleOrigin::Workspace {
        return FxHashMap::default();
    }
    let is_environment = **module.name(db) == *ENVIRONMENT_MODULE;
    let is_own = |path: &str| is_asset_path(path) && (!is_environment || is_ruby(path));
    let files = module.files(db).iter();
    let assets = files.filter(|it| is_own(it.0));
    assets.map(|it| (*it.1, it.0.clone())).collect()
}
