//! The settings of puppet-lint in a `Rakefile`, as far as they are literal.

use super::Found;
use crate::config::LintOptions;

/// The name of the file.
pub(super) const FILE_NAME: &str = "Rakefile";

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

/// Reads the settings: those of `PuppetLint.configuration`, and of the block of a `PuppetLint::RakeTask`.
pub(super) fn read(text: &str, options: &mut LintOptions) -> Found {
    let text = without_comments(text);
    let mut found = Found::default();
    let mut task = None;
    let mut rest = text.as_str();
    while let Some((line, after)) = next_line(rest) {
        let code = line.trim();
        if code.contains("PuppetLint::RakeTask.new") {
            found.has_settings = true;
            task = block_parameter(code).or(task);
        }
        let setting = code.split_once("PuppetLint.configuration.").map(|it| it.1);
        let setting = setting.or_else(|| code.strip_prefix(&*task.clone()?)?.strip_prefix('.'));
        if let Some(setting) = setting {
            found.has_settings = true;
            // A list may continue on the next lines.
            let from = &rest[rest.find(setting).unwrap_or(0)..];
            if !apply(setting, from, options) {
                found.left.push(format!("cannot read `{code}`"));
            }
        }
        rest = after;
    }
    found
}

/// Applies a setting; `text` starts with it. Returns whether its value is literal and known.
fn apply(setting: &str, text: &str, options: &mut LintOptions) -> bool {
    let name_end = setting.find(|it: char| !it.is_alphanumeric() && it != '_');
    let (name, value) = setting.split_at(name_end.unwrap_or(setting.len()));
    if name == "send" {
        return match strings(value).as_slice() {
            [name, ..] => apply_switch(name, options),
            [] => false,
        };
    }
    if apply_switch(name, options) {
        return true;
    }
    let list = || list(text.split_once('=')?.1);
    match name {
        "disable_checks" => list().map(|it| it.iter().for_each(|it| options.disable(it))),
        "only_checks" => list().map(|it| options.only = Some(it.into_iter().collect())),
        "ignore_paths" => list().map(|it| options.ignored_paths = it),
        name => IRRELEVANT.contains(&name).then_some(()),
    }
    .is_some()
}

/// Applies `disable_CHECK` and `enable_CHECK`.
fn apply_switch(name: &str, options: &mut LintOptions) -> bool {
    if name == "disable_checks" {
        return false;
    }
    if let Some(check) = name.strip_prefix("disable_") {
        options.disable(check);
        return true;
    }
    let check = name.strip_prefix("enable_");
    check.map(|it| options.enable(it)).is_some()
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
        assert_eq!(left, [""; 0]);
    }

    #[test]
    fn reads_the_block_of_a_task() {
        let (options, left) = options(
            "PuppetLint::RakeTask.new :lint do |config|\n  config.disable_checks = %w[80chars x]\n  \
             config.ignore_paths = exclude_paths\n  config.relative = true\nend\n",
        );
        let disabled: Vec<_> = options.disabled.iter().map(String::as_str).collect();
        assert_eq!(disabled, ["80chars", "x"]);
        assert_eq!(left, ["cannot read `config.ignore_paths = exclude_paths`"]);
    }

    #[test]
    fn files_without_settings_are_no_source() {
        let mut options = LintOptions::default();
        assert!(!read("require 'rake'\n", &mut options).has_settings);
        assert!(!read("", &mut options).has_settings);
        assert!(read("PuppetLint.configuration.\n", &mut options).has_settings);
    }
}
