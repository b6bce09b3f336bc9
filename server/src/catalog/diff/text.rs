//! Differences as text.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::compare::{Comparison, DifferenceKind, ParameterDifference, ResourceDifference};
use super::{Report, titles};
use crate::catalog::value_lines;
use crate::display_path::one_line;
use crate::terminal::paint;

/// A line of a difference. `+` and `-` are at the start, as in `diff`.
pub(super) struct Line {
    pub(super) sign: char,
    pub(super) text: String,
}

/// Writes a report.
pub(super) fn write(report: &Report<'_>, colors: bool, out: &mut impl Write) -> io::Result<()> {
    for (requests, comparison) in &report.groups {
        for title in titles(requests) {
            writeln!(out, "{}", paint(Style::new().bold(), title, colors))?;
        }
        for line in lines(comparison) {
            let style = match line.sign {
                '+' => AnsiColor::Green.on_default(),
                '-' => AnsiColor::Red.on_default(),
                '~' => AnsiColor::Yellow.on_default(),
                _ => Style::new(),
            };
            let text = format!("{} {}", line.sign, line.text);
            writeln!(out, "{}", paint(style, text.trim_end(), colors))?;
        }
        writeln!(out)?;
    }
    for line in report.summary() {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Returns the lines of a difference.
pub(super) fn lines(comparison: &Comparison) -> Vec<Line> {
    let line = |sign, text: String| Line { sign, text };
    match comparison {
        Comparison::Equal | Comparison::BothRejected(_) => Vec::new(),
        Comparison::NewlyRejected(why) => {
            vec![line(
                '+',
                format!("Puppet rejects the catalog: {}", one_line(why)),
            )]
        }
        Comparison::NoLongerRejected(why) => {
            vec![line(
                '-',
                format!("Puppet rejects the catalog: {}", one_line(why)),
            )]
        }
        Comparison::Different(resources) => {
            let mut all = Vec::new();
            resources.iter().for_each(|it| add_resource(it, &mut all));
            all
        }
    }
}

fn add_resource(resource: &ResourceDifference, all: &mut Vec<Line>) {
    let sign = match resource.kind {
        DifferenceKind::Added => '+',
        DifferenceKind::Removed => '-',
        DifferenceKind::Changed => '~',
    };
    let place = resource.place.as_ref();
    let place = place.map_or_else(String::new, |it| format!("  # {it}"));
    all.push(Line {
        sign,
        text: format!("{}{place}", one_line(&resource.reference)),
    });
    let names = resource.parameters.iter().map(|it| it.name.len());
    let width = names.max().unwrap_or_default();
    for parameter in &resource.parameters {
        add_parameter(parameter, width, all);
    }
}

/// Adds a parameter, with its arrow in the column of the longest name.
fn add_parameter(parameter: &ParameterDifference, width: usize, all: &mut Vec<Line>) {
    let name = &parameter.name;
    let place = parameter.place.as_ref();
    let place = place.map_or_else(String::new, |it| format!("  # {it}"));
    let old = parameter.old.as_ref();
    let new = parameter.new.as_ref();
    if let Some(changed) = old.zip(new).and_then(|it| value_lines::changed(it.0, it.1)) {
        all.push(Line {
            sign: ' ',
            text: format!("    {name:width$} =>{place}"),
        });
        all.extend(changed.into_iter().map(|(sign, text)| Line {
            sign,
            text: format!("        {text}"),
        }));
        return;
    }
    for (sign, value) in [('-', old), ('+', new)] {
        if let Some(value) = value {
            let value = value_lines::value_text(name, value);
            // That of the old value is not known any more.
            let place = match sign {
                '-' if new.is_some() => "",
                _ => place.as_str(),
            };
            all.push(Line {
                sign,
                text: format!("    {name:width$} => {value}{place}"),
            });
        }
    }
}
