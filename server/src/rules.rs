//! `pupil rules`: lists all rules.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use analysis::rules::{self, Group, Rule};
use serde::Serialize;

use crate::args::{RuleGroup, RulesArgs, RulesFormat};
use crate::config::{Config, Level};
use crate::explain::fix;
use crate::paths::absolute;
use crate::terminal::{self, Failure};

#[derive(Serialize)]
struct RuleView {
    code: &'static str,
    group: &'static str,
    /// The level in the project of the current directory.
    level: &'static str,
    default_level: &'static str,
    fix: &'static str,
    since: &'static str,
    aliases: &'static [&'static str],
    puppet_lint: &'static [&'static str],
    summary: String,
}

/// Lists the rules with their levels in the project of the current directory.
pub(crate) fn run(arguments: &RulesArgs) -> Result<ExitCode, Failure> {
    let mut notes = Vec::new();
    let config = Config::find(&absolute(Path::new(".")), &mut notes);
    for note in &notes {
        terminal::print_warning(note);
    }
    let group = arguments.group.map(Group::from);
    let listed = rules::all().filter(|it| group.is_none_or(|group| it.group == group));
    let views: Vec<RuleView> = listed.map(|it| view(it, &config)).collect();
    let mut out = terminal::stdout();
    match arguments.format {
        RulesFormat::Text => write_text(&mut out, &views)?,
        RulesFormat::Json => {
            serde_json::to_writer_pretty(&mut out, &views).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

impl From<RuleGroup> for Group {
    fn from(group: RuleGroup) -> Self {
        match group {
            RuleGroup::Correctness => Group::Correctness,
            RuleGroup::Style => Group::Style,
            RuleGroup::Docs => Group::Docs,
            RuleGroup::Security => Group::Security,
        }
    }
}

fn view(rule: &'static Rule, config: &Config) -> RuleView {
    RuleView {
        code: rule.code,
        group: rule.group.name(),
        level: config.rules.level(rule).name(),
        default_level: Level::default_for(rule).name(),
        fix: fix(rule),
        since: rule.since,
        aliases: rule.aliases,
        puppet_lint: rule.puppet_lint,
        summary: rule.summary(),
    }
}

/// Writes a table with headings: code, group, level, fix and checks of puppet-lint. Each further check has a line.
fn write_text(out: &mut impl Write, views: &[RuleView]) -> io::Result<()> {
    let width = views.iter().map(|it| it.code.len()).max().unwrap_or(0);
    let mut write = |[code, group, level, fix, checks]: [&str; 5]| {
        let line = format!("{code:width$}  {group:11}  {level:7}  {fix:9}  {checks}");
        writeln!(out, "{}", line.trim_end())
    };
    write(["RULE", "GROUP", "LEVEL", "FIX", "PUPPET-LINT"])?;
    for it in views {
        let (first, others) = it.puppet_lint.split_first().unwrap_or((&"", &[]));
        write([it.code, it.group, it.level, it.fix, first])?;
        for check in others {
            write(["", "", "", "", check])?;
        }
    }
    Ok(())
}
