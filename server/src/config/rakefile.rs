//! The settings of puppet-lint in a `Rakefile`, as far as they are literal.

use std::collections::BTreeMap;

use crate::config::puppet_lint::{LintOptions, LintTasks, why_skipped};

/// The name of the file.
pub(crate) const FILE_NAME: &str = "Rakefile";

/// Settings without an effect on Pupil.
const IRRELEVANT: &[&str] = &[
    "fail_on_warnings",
    "fix",
    "log_format",
    "pattern",
    "relative",
    "show_ignored",
    "top_scope_variables",
    "with_context",
    "with_filename",
];

/// The checks that the tasks of `voxpupuli-test` turn off, and the files that they ignore.
const VOXPUPULI_DISABLED: [&str; 3] = [
    "140chars",
    "documentation",
    "single_quote_string_with_variables",
];
const VOXPUPULI_IGNORED: [&str; 5] = [
    ".vendor/**/*.pp",
    "bundle/**/*.pp",
    "pkg/**/*.pp",
    "spec/**/*.pp",
    "tests/**/*.pp",
];

/// The files that the tasks of `simp-rake-helpers` ignore.
const SIMP_IGNORED: [&str; 5] = [
    "bundle/**/*",
    "pkg/**/*",
    "dist/**/*",
    "vendor/**/*",
    "spec/**/*",
];

/// Reads the settings: those of `PuppetLint.configuration`, of the block of a `PuppetLint::RakeTask`, and of the tasks of
/// `voxpupuli-test` and `simp-rake-helpers`.
pub(crate) fn read(text: &str, options: &mut LintOptions) -> LintTasks {
    let text = without_comments(text);
    let mut found = LintTasks::default();
    let mut task = None;
    let mut lists = Lists::default();
    let mut conditions = Conditions::default();
    let mut rest = text.as_str();
    while let Some((line, after)) = next_line(rest) {
        let code = line.trim();
        lists.read(code, rest);
        conditions.read(code);
        if code.starts_with("require") {
            found.has_settings |= apply_tasks(code, options);
        }
        if code.contains("PuppetLint::RakeTask.new") {
            found.has_settings = true;
            task = block_parameter(code).or(task);
        }
        for code in statements(code) {
            let setting = code.split_once("PuppetLint.configuration.").map(|it| it.1);
            let setting = setting.or_else(|| code.strip_prefix(&*task.clone()?)?.strip_prefix('.'));
            let Some(setting) = setting else {
                continue;
            };
            found.has_settings = true;
            found.left.extend(conditions.note(code));
            // A list may continue on the next lines.
            let from = &rest[rest.find(setting).unwrap_or(0)..];
            match apply(setting, from, &lists, options) {
                SettingOutcome::Applied => {}
                SettingOutcome::Unreadable => found.left.push(format!("cannot read `{code}`")),
                SettingOutcome::Unsupported(name) => {
                    found
                        .left
                        .push(format!("option `{name}` has no counterpart"));
                }
                SettingOutcome::Irrelevant(name) => {
                    let reason = why_skipped(&name);
                    found.left.push(format!("skipped `{name}`: {reason}"));
                }
            }
        }
        rest = after;
    }
    found
}

/// Applies the settings of the tasks that a `require` loads. Returns whether there are any.
fn apply_tasks(code: &str, options: &mut LintOptions) -> bool {
    let path = strings(code).into_iter().next().unwrap_or_default();
    match path.as_str() {
        "voxpupuli/test/rake" => {
            VOXPUPULI_DISABLED.iter().for_each(|it| options.disable(it));
            options.ignored_paths = VOXPUPULI_IGNORED.map(str::to_owned).to_vec();
            options.add_all_plugins();
            true
        }
        "simp/rake/pupmod/helpers" => {
            options.ignored_paths = SIMP_IGNORED.map(str::to_owned).to_vec();
            true
        }
        _ => options.add_plugin_of(&path),
    }
}

/// The outcome of reading a setting.
enum SettingOutcome {
    Applied,
    /// Its value is not literal.
    Unreadable,
    /// Pupil has no such option.
    Unsupported(String),
    /// It has no effect on Pupil.
    Irrelevant(String),
}

impl SettingOutcome {
    /// Combines the results of two settings.
    fn and(self, other: SettingOutcome) -> SettingOutcome {
        match self {
            SettingOutcome::Applied => other,
            _ => self,
        }
    }
}

impl From<bool> for SettingOutcome {
    fn from(is_applied: bool) -> SettingOutcome {
        match is_applied {
            true => SettingOutcome::Applied,
            false => SettingOutcome::Unreadable,
        }
    }
}

/// Applies a setting; `text` starts with it.
fn apply(setting: &str, text: &str, lists: &Lists, options: &mut LintOptions) -> SettingOutcome {
    let name_end = setting.find(|it: char| !it.is_alphanumeric() && it != '_');
    let (name, value) = setting.split_at(name_end.unwrap_or(setting.len()));
    if name == "send" {
        let names = strings(value);
        let name = names.first().map(|it| match variable_added(value) {
            Some(variable) => format!("{it}#{{{variable}}}"),
            None => it.clone(),
        });
        let Some(names) = name.and_then(|it| lists.interpolated(&it)) else {
            return SettingOutcome::Unreadable;
        };
        let applied = names.iter().map(|it| apply_switch(it, options));
        return applied.fold(SettingOutcome::Applied, SettingOutcome::and);
    }
    let list = || lists.value(text.split_once('=')?.1);
    match name {
        "disable_checks" => {
            let list = list().map(|it| it.iter().for_each(|it| options.disable(it)));
            SettingOutcome::from(list.is_some())
        }
        // The default.
        "only_checks" if is_nil(value) => SettingOutcome::Applied,
        "only_checks" => {
            let list = list().map(|it| options.only = Some(it.into_iter().collect()));
            SettingOutcome::from(list.is_some())
        }
        "ignore_paths" => {
            SettingOutcome::from(list().map(|it| options.ignored_paths = it).is_some())
        }
        name if IRRELEVANT.contains(&name) => SettingOutcome::Irrelevant(name.to_owned()),
        name if is_assigned(value) => SettingOutcome::Unsupported(name.to_owned()),
        name => apply_switch(name, options),
    }
}

/// Checks whether a setting gets no value.
fn is_nil(rest: &str) -> bool {
    let value = rest.trim_start().strip_prefix('=');
    value.is_some_and(|it| it.split_whitespace().next() == Some("nil"))
}

/// Checks whether a value is assigned to a setting.
fn is_assigned(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.starts_with('=') && !rest.starts_with("==")
}

/// Returns the variable that is added to a string: `"disable_" + check`.
fn variable_added(value: &str) -> Option<&str> {
    let (_, variable) = value.split_once('+')?;
    let variable = variable.trim_start();
    let end = variable.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    let variable = &variable[..end.unwrap_or(variable.len())];
    is_variable(variable).then_some(variable)
}

/// The conditions around a line, which are not evaluated.
#[derive(Default)]
struct Conditions {
    /// The blocks that are open; those of conditions with their text until it is reported.
    open: Vec<Option<String>>,
}

impl Conditions {
    /// Reads the start or end of a block.
    fn read(&mut self, line: &str) {
        const BLOCKS: [&str; 8] = [
            "begin", "case ", "class ", "def ", "for ", "module ", "until ", "while ",
        ];
        let code = line.trim_end_matches(';').trim_end();
        let ends_here = code.ends_with(" end");
        if code == "end" || code.starts_with("end ") || code.starts_with("end.") {
            self.open.pop();
        } else if ends_here {
        } else if code.starts_with("if ") || code.starts_with("unless ") {
            self.open.push(Some(code.to_owned()));
        } else if BLOCKS.iter().any(|it| code.starts_with(it)) || opens_block(code) {
            self.open.push(None);
        }
    }

    /// Returns a note about the condition of a setting, once for each.
    fn note(&mut self, statement: &str) -> Option<String> {
        let modifier = [" if ", " unless "].into_iter().find_map(|it| {
            let at = statement.find(it)?;
            Some(statement[at..].trim().to_owned())
        });
        let starts = ["if ", "unless "]
            .iter()
            .any(|it| statement.starts_with(it));
        let whole = starts.then(|| statement.to_owned());
        let around = || self.open.iter_mut().rev().find_map(Option::take);
        let condition = whole.or(modifier).or_else(around)?;
        Some(format!(
            "the condition `{condition}` is ignored: its settings apply always"
        ))
    }
}

/// Checks whether a line ends with `do` and the parameters of a block.
fn opens_block(code: &str) -> bool {
    let head = match code.strip_suffix('|').and_then(|it| it.rsplit_once('|')) {
        Some((head, _)) => head.trim_end(),
        None => code,
    };
    head.ends_with(" do")
}

/// Splits a line at the semicolons outside of strings.
fn statements(line: &str) -> impl Iterator<Item = &str> {
    let mut quote = None;
    let parts = line.split(move |it: char| {
        match quote {
            Some(open) if open == it => quote = None,
            None if matches!(it, '\'' | '"') => quote = Some(it),
            _ => {}
        }
        it == ';' && quote.is_none()
    });
    parts.map(str::trim)
}

/// The literal arrays that local variables hold: those assigned, and those whose elements a block gets.
#[derive(Default)]
struct Lists {
    assigned: BTreeMap<String, Vec<String>>,
    elements: BTreeMap<String, Vec<String>>,
}

impl Lists {
    /// Reads an assignment, or a call of `each`. `text` starts with the line.
    fn read(&mut self, line: &str, text: &str) {
        if let Some((receiver, block)) = line.split_once(".each ")
            && let Some(parameter) = block_parameter(block)
            && let Some(values) = self.value(receiver)
        {
            self.elements.insert(parameter, values);
        } else if let Some((name, _)) = line.split_once('=')
            && is_variable(name.trim())
            && let Some(values) = text.split_once('=').and_then(|it| list(it.1))
        {
            self.assigned.insert(name.trim().to_owned(), values);
        }
    }

    /// Returns the value of a literal array or of a variable.
    fn value(&self, text: &str) -> Option<Vec<String>> {
        let name = text.lines().next().unwrap_or_default().trim();
        list(text).or_else(|| self.assigned.get(name).cloned())
    }

    /// Returns the values of a string that may interpolate the parameter of a block.
    fn interpolated(&self, text: &str) -> Option<Vec<String>> {
        let Some((before, rest)) = text.split_once("#{") else {
            return Some(vec![text.to_owned()]);
        };
        let (name, after) = rest.split_once('}')?;
        let elements = self.elements.get(name.trim())?.iter();
        Some(elements.map(|it| format!("{before}{it}{after}")).collect())
    }
}

fn is_variable(name: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    name.starts_with(|it: char| it.is_ascii_lowercase() || it == '_') && name.chars().all(is_part)
}

/// Applies `disable_CHECK` and `enable_CHECK`.
fn apply_switch(name: &str, options: &mut LintOptions) -> SettingOutcome {
    let disabled = name.strip_prefix("disable_");
    let enabled = name.strip_prefix("enable_");
    match (disabled, enabled) {
        // Puppet-lint itself defines such methods for checks only; others name one of its options.
        (Some(option), _) | (_, Some(option)) if IRRELEVANT.contains(&option) => {
            return SettingOutcome::Irrelevant(name.to_owned());
        }
        (Some(check), _) => options.disable(check),
        (_, Some(check)) => options.enable(check),
        (None, None) => return SettingOutcome::Unreadable,
    }
    SettingOutcome::Applied
}

/// Returns the words of a literal array: `['a', :b]` or `%w[a b]`.
fn list(text: &str) -> Option<Vec<String>> {
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix("%w").or_else(|| text.strip_prefix("%i")) {
        let close = match rest.chars().next()? {
            '[' => ']',
            '(' => ')',
            '{' => '}',
            other => other,
        };
        let words = rest.get(1..)?.split(close).next()?;
        return Some(words.split_whitespace().map(str::to_owned).collect());
    }
    let content = text.strip_prefix('[')?.split_once(']')?.0;
    let is_literal = |it: &str| it.is_empty() || it.starts_with(['\'', '"', ':']);
    let items = || content.split(',').map(str::trim);
    if !items().all(is_literal) {
        return None;
    }
    let bare = |it: &str| {
        it.trim_start_matches(':')
            .trim_matches(['\'', '"'])
            .to_owned()
    };
    Some(items().filter(|it| !it.is_empty()).map(bare).collect())
}

/// Returns the quoted strings and symbols in a line.
fn strings(line: &str) -> Vec<String> {
    let quoted = line
        .split(['\'', '"'])
        .skip(1)
        .step_by(2)
        .map(str::to_owned);
    let quoted: Vec<String> = quoted.collect();
    let symbol = line.split_once(':').map(|it| it.1);
    let is_part = |it: char| !it.is_alphanumeric() && it != '_';
    match symbol.and_then(|it| it.split(is_part).next()) {
        Some(symbol) if quoted.is_empty() => vec![symbol.to_owned()],
        _ => quoted,
    }
}

/// Returns the name of the parameter of a block that a line opens.
fn block_parameter(line: &str) -> Option<String> {
    let parameter = line.split('|').nth(1)?.trim();
    (!parameter.is_empty()).then(|| parameter.to_owned())
}

/// Splits off the first line.
fn next_line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    Some(text.split_once('\n').unwrap_or((text, "")))
}

/// Removes comments. A `#` inside of a string of a path is rare, and only shortens the value.
fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|it| match it.find('#') {
        Some(at) if it[..at].trim().is_empty() || it[..at].ends_with(' ') => &it[..at],
        _ => it,
    });
    lines.flat_map(|it| [it, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> (LintOptions, Vec<String>) {
        let mut options = LintOptions::default();
        let found = read(text, &mut options);
        (options, found.left)
    }

    #[test]
    fn reads_the_configuration() {
        let (options, left) = options(
            "# PuppetLint.configuration.send('disable_hard_tabs')\n\
             PuppetLint.configuration.send(\"disable_80chars\")\n\
             PuppetLint.configuration.send(:disable_140chars)\n\
             PuppetLint.configuration.disable_documentation # why\n\
             PuppetLint.configuration.fail_on_warnings = true\n\
             PuppetLint.configuration.ignore_paths = [\n  'a/**/*.pp',\n  \"b.pp\",\n]\n",
        );
        let disabled: Vec<_> = options.disabled.iter().map(String::as_str).collect();
        assert_eq!(disabled, ["140chars", "80chars", "documentation"]);
        assert_eq!(options.ignored_paths, ["a/**/*.pp", "b.pp"]);
        assert_eq!(
            left,
            ["skipped `fail_on_warnings`: `pupil check` always fails on warnings"]
        );
    }

    #[test]
    fn reads_the_block_of_a_task() {
        let (options, left) = options(
            "PuppetLint::RakeTask.new :lint do |config|\n  config.disable_checks = %w[80chars x]\n  \
             config.ignore_paths = exclude_paths\n  config.relative = true\nend\n",
        );
        let disabled: Vec<_> = options.disabled.iter().map(String::as_str).collect();
        assert_eq!(disabled, ["80chars", "x"]);
        assert_eq!(
            left,
            [
                "cannot read `config.ignore_paths = exclude_paths`",
                "skipped `relative`: it has no effect in Pupil"
            ]
        );
    }

    #[test]
    fn reads_lists_in_variables_and_loops() {
        let (options, left) = options(
            "exclude_paths = %w[\n  a/**/*\n  b/**/*\n]\nchecks = ['80chars', 'documentation']\n\
             PuppetLint.configuration.ignore_paths = exclude_paths\nchecks.each do |check|\n  \
             PuppetLint.configuration.send(\"disable_#{check}\")\nend\n\
             %w[hard_tabs].each { |c| PuppetLint.configuration.send(\"disable_#{c}\") }\n\
             other.each { |o| PuppetLint.configuration.send(\"disable_#{o}\") }\n",
        );
        let disabled: Vec<_> = options.disabled.iter().map(String::as_str).collect();
        assert_eq!(disabled, ["80chars", "documentation", "hard_tabs"]);
        assert_eq!(options.ignored_paths, ["a/**/*", "b/**/*"]);
        let other =
            "cannot read `other.each { |o| PuppetLint.configuration.send(\"disable_#{o}\") }`";
        assert_eq!(left, [other]);
    }

    #[test]
    fn reads_several_statements_on_a_line() {
        let (options, left) = options(
            "PuppetLint.configuration.send(\"disable_a;b\"); PuppetLint.configuration.send('disable_80chars')\n\
             %w[hard_tabs].each do |check|\n  PuppetLint.configuration.send('disable_' + check)\nend\n",
        );
        let disabled: Vec<_> = options.disabled.iter().map(String::as_str).collect();
        assert_eq!(disabled, ["80chars", "a;b", "hard_tabs"]);
        assert_eq!(left, [""; 0]);
    }

    #[test]
    fn reports_conditions_and_unknown_settings() {
        let (options, left) = options(
            "if ENV['CI']\n  task :x do\n    sh 'true'\n  end\n  PuppetLint.configuration.send('disable_80chars')\n  \
             PuppetLint.configuration.send('disable_documentation')\nend\n\
             PuppetLint.configuration.send('disable_hard_tabs') if x\nif y then z end\n\
             PuppetLint.configuration.chars_per_indent = 4\n",
        );
        assert_eq!(options.disabled.len(), 3);
        assert_eq!(
            left,
            [
                "the condition `if ENV['CI']` is ignored: its settings apply always",
                "the condition `if x` is ignored: its settings apply always",
                "option `chars_per_indent` has no counterpart",
            ]
        );
    }

    #[test]
    fn knows_the_tasks_of_voxpupuli() {
        let (options, left) = options(
            "begin\n  require 'voxpupuli/test/rake'\nrescue LoadError\nend\n\
             PuppetLint.configuration.send('enable_140chars')\n",
        );
        let disabled: Vec<_> = options.disabled.iter().map(String::as_str).collect();
        assert_eq!(
            disabled,
            ["documentation", "single_quote_string_with_variables"]
        );
        assert_eq!(options.ignored_paths.len(), 5);
        assert!(options.plugins.contains("strict_indent"));
        assert_eq!(left, [""; 0]);
    }

    #[test]
    fn knows_the_tasks_of_plugins_and_simp() {
        let (found, left) = options(
            "require 'puppet-lint-param-docs/tasks'\nrequire \"puppet-lint-strict_indent-check\"\n\
             require 'puppet-lint/tasks/puppet-lint'\nrequire 'simp/rake/pupmod/helpers'\n\
             # require 'puppet-lint-anchor-check'\n",
        );
        let plugins: Vec<_> = found.plugins.iter().map(String::as_str).collect();
        assert_eq!(plugins, ["param-docs", "strict_indent"]);
        assert!(found.ignored_paths.contains(&"dist/**/*".to_owned()));
        assert_eq!(left, [""; 0]);
        let mut options = LintOptions::default();
        let required = "require 'puppet-lint/tasks/puppet-lint'\nrequire 'puppet-lint-own/tasks'\n";
        assert!(!read(required, &mut options).has_settings);
    }

    #[test]
    fn files_without_settings_are_no_source() {
        let mut options = LintOptions::default();
        assert!(!read("require 'rake'\n", &mut options).has_settings);
        assert!(!read("", &mut options).has_settings);
        assert!(read("PuppetLint.configuration.\n", &mut options).has_settings);
    }
}
