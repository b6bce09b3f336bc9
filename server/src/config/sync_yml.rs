//! The settings of puppet-lint in `.sync.yml`, from which the PDK writes a `Rakefile`.

use analysis::hiera::document::{self, Node};

use crate::config::puppet_lint::{LintOptions, LintTasks};

/// The name of the file.
pub(crate) const FILE_NAME: &str = ".sync.yml";

/// The checks that the PDK turns off unless `default_disabled_lint_checks` lists others.
const DEFAULT_DISABLED: [&str; 6] = [
    "140chars",
    "80chars",
    "autoloader_layout",
    "class_inherits_from_params_class",
    "documentation",
    "single_quote_string_with_variables",
];

/// Reads the settings in the section `Rakefile`.
pub(crate) fn read(text: &str, options: &mut LintOptions) -> LintTasks {
    let mut found = LintTasks::default();
    let root = match document::yaml_with_aliases(text) {
        Ok(root) => root,
        Err(_) => {
            found.left.push("invalid YAML".to_owned());
            return found;
        }
    };
    let Some(section) = root.as_ref().and_then(|it| it.get("Rakefile")) else {
        return found;
    };
    let default = section.get("default_disabled_lint_checks");
    let extra = section.get("extra_disabled_lint_checks");
    if default.is_some() || extra.is_some() {
        found.has_settings = true;
        match default {
            Some(list) => strings(list).for_each(|it| options.disable(it)),
            None => DEFAULT_DISABLED.iter().for_each(|it| options.disable(it)),
        }
    }
    if let Some(list) = extra {
        strings(list).for_each(|it| options.disable(it));
    }
    if let Some(list) = section.get("linter_exclusions") {
        found.has_settings = true;
        options
            .ignored_paths
            .extend(strings(list).map(str::to_owned));
    }
    if let Some(list) = section.get("linter_options") {
        found.has_settings = true;
        let others = strings(list).map(|it| format!("cannot read the linter option `{it}`"));
        found.left.extend(others);
    }
    found
}

fn strings(list: &Node) -> impl Iterator<Item = &str> {
    list.elements().into_iter().flatten().filter_map(Node::text)
}
