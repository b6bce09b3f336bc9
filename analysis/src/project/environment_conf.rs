//! `environment.conf`: lines `name = value`.

use syntax::{TextRange, TextSize};

use super::{Report, did_you_mean};
use crate::rules::INVALID_ENVIRONMENT_CONF;

/// Settings that Puppet knows in this file.
const KNOWN: [&str; 7] = [
    "modulepath",
    "manifest",
    "config_version",
    "environment_timeout",
    "environment_data_provider",
    "static_catalogs",
    "rich_data",
];

pub(super) fn check(text: &str, report: &mut Report) {
    let mut is_ignored = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let range = |length: usize| {
            let size = |it: usize| TextSize::new(u32::try_from(it).unwrap_or(u32::MAX));
            TextRange::at(size(start), size(length))
        };
        let section = content
            .strip_prefix('[')
            .and_then(|it| it.strip_suffix(']'));
        if let Some(section) = section {
            is_ignored = section.trim() != "main";
            if is_ignored {
                let message = "Puppet ignores sections of this file";
                report.add(&INVALID_ENVIRONMENT_CONF, range(content.len()), message);
            }
        } else if is_ignored {
            // It has been told of the section.
        } else if let Some((name, _)) = content.split_once('=') {
            let name = name.trim_end();
            if !KNOWN.contains(&name) {
                let near = did_you_mean(name, &KNOWN);
                let message = format!("`{name}` is no setting of an environment{near}");
                report.add(&INVALID_ENVIRONMENT_CONF, range(name.len()), message);
            }
        } else {
            let message = "this is no setting of the form `name = value`";
            report.add(&INVALID_ENVIRONMENT_CONF, range(content.len()), message);
        }
    }
}
