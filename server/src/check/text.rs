//! `--format text`: human-readable messages with source excerpts.

use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anstyle::{AnsiColor, Style as Paint};
use syntax::{Severity, TextRange};

use super::Report;
use super::finding::{Finding, Related, Span};
use crate::display_path::{one_line, without_controls};
use crate::phrases::{list, plural};
use crate::source::Source;
use crate::terminal::paint;

/// The maximum number of diagnostics shown per file.
const MAX_SHOWN: usize = 100;

/// The maximum size of an excerpt, in bytes.
const MAX_EXCERPT: usize = 16 << 10;

/// The number of bytes shown before and after the position in a line that is too long.
const MAX_CONTEXT: usize = 200;

/// Renders diagnostics as text.
pub(super) struct TextRenderer {
    renderer: Renderer,
    shows_fixes: bool,
}

impl TextRenderer {
    pub(super) fn new(colors: bool) -> TextRenderer {
        let renderer = if colors {
            Renderer::styled().decor_style(DecorStyle::Unicode)
        } else {
            Renderer::plain()
        };
        TextRenderer {
            renderer,
            shows_fixes: false,
        }
    }

    /// Returns a renderer that shows the fixes of diagnostics too.
    pub(super) fn with_fixes(colors: bool) -> TextRenderer {
        TextRenderer {
            shows_fixes: true,
            ..TextRenderer::new(colors)
        }
    }

    /// Renders the diagnostics of one file.
    pub(super) fn render(&self, path: &str, findings: &[Finding], source: &Source) -> String {
        let mut text = String::new();
        let path = one_line(path);
        for finding in findings.iter().take(MAX_SHOWN) {
            let mut group = group(&path, finding, source);
            if let Some(label) = shown_fix(finding).filter(|_| self.shows_fixes) {
                group = group.element(Level::HELP.message(label));
            }
            text.push_str(&self.renderer.render(&[group]));
            text.push_str("\n\n");
        }
        text = without_controls(text);
        if findings.len() > MAX_SHOWN {
            let more = plural(findings.len() - MAX_SHOWN, "more diagnostic");
            text.push_str(&format!("{path}: {more} not shown\n\n"));
        }
        text
    }
}

/// Writes the rendered diagnostics and a summary.
pub(super) fn write(out: &mut impl Write, reports: &[Report], colors: bool) -> io::Result<()> {
    for report in reports {
        out.write_all(report.rendered.as_bytes())?;
    }
    write_summary(out, reports, colors)
}

/// Writes how many diagnostics there are of each severity.
pub(super) fn write_summary(
    out: &mut impl Write,
    reports: &[Report],
    colors: bool,
) -> io::Result<()> {
    let checked = reports.iter().filter(|it| it.problem.is_none()).count();
    let findings = || reports.iter().flat_map(|it| &it.findings);
    let kinds = [
        (Severity::Error, "error", AnsiColor::Red),
        (Severity::Warning, "warning", AnsiColor::Yellow),
        (Severity::Info, "info", AnsiColor::Blue),
        (Severity::Hint, "hint", AnsiColor::Cyan),
    ];
    let counts = kinds.map(|(severity, name, color)| {
        let count = findings().filter(|it| it.severity == severity).count();
        (count, name, color)
    });
    let found: Vec<_> = counts.into_iter().filter(|it| it.0 > 0).collect();
    let summary = list(found.iter().map(|it| plural(it.0, it.1)).collect());
    let hidden: usize = reports.iter().map(|it| it.hidden_hints).sum();
    match found.first() {
        Some((_, _, color)) => write!(out, "{}", paint(bold(*color), summary, colors))?,
        None => {
            let green = AnsiColor::Green.on_default();
            write!(out, "{}", paint(green, "no problems", colors))?;
        }
    }
    write!(out, " in {}", plural(checked, "file"))?;
    match hidden {
        0 => writeln!(out)?,
        _ => writeln!(out, "; {} not shown, use --all", plural(hidden, "hint"))?,
    }
    write_fixable(out, reports)
}

/// Writes how many diagnostics `--fix` resolves.
fn write_fixable(out: &mut impl Write, reports: &[Report]) -> io::Result<()> {
    let findings = || reports.iter().flat_map(|it| &it.findings);
    // Hints are not fixed.
    let fixed = || findings().filter(|it| it.severity != Severity::Hint);
    let safe = fixed().filter(|it| it.has_safe_fix()).count();
    let doubtful = fixed().filter(|it| it.has_unsafe_fix()).count();
    match (safe, doubtful) {
        (0, 0) => Ok(()),
        (_, 0) => writeln!(out, "{safe} fixable with --fix"),
        (0, _) => writeln!(out, "{doubtful} fixable with --fix --unsafe-fixes"),
        _ => writeln!(
            out,
            "{safe} fixable with --fix, {doubtful} more with --fix --unsafe-fixes"
        ),
    }
}

/// Returns the label of a diagnostic's best fix, unless the message names the replacement already.
fn shown_fix(finding: &Finding) -> Option<&str> {
    let safe = finding.fixes.iter().find(|it| it.is_safe);
    let label = safe.or(finding.fixes.first())?.label.as_str();
    let mut names = label.split('`').skip(1).step_by(2).peekable();
    let is_in_message = names.peek().is_some() && names.all(|it| finding.message.contains(it));
    (!is_in_message).then_some(label)
}

fn bold(color: AnsiColor) -> Paint {
    color.on_default().bold()
}

fn group<'a>(path: &'a str, finding: &'a Finding, source: &'a Source) -> Group<'a> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
        Severity::Hint => Level::HELP.with_name("hint"),
    };
    let title = level.primary_title(&*finding.message);
    // Errors of catalogs have no code.
    let title = match finding.code {
        "" => title,
        code => title.id(code),
    };

    let mut excerpt = Excerpt::around(finding.range, source);
    let mut same_excerpt = Vec::new();
    let mut other_excerpts = Vec::new();
    let here = |it: &&Related| it.path.is_none();
    for related in finding.related.iter().filter(here) {
        match excerpt.reach(related.range, source) {
            Some(wider) => {
                excerpt = wider;
                same_excerpt.push(related);
            }
            None => other_excerpts.push(related),
        }
    }
    let primary = AnnotationKind::Primary.span(excerpt.span(finding.range));
    let explanations = same_excerpt
        .iter()
        .map(|it| context(&excerpt, it.range).label(&*it.message));
    let group = Group::with_title(title);
    let mut group = excerpt.show(group, path, finding.span, |it| {
        it.annotation(primary).annotations(explanations)
    });
    for related in other_excerpts {
        let excerpt = Excerpt::around(related.range, source);
        let explanation = context(&excerpt, related.range).label(&*related.message);
        group = excerpt.show(group, path, related.span, |it| it.annotation(explanation));
    }
    for related in &finding.related {
        if let Some(path) = &related.path {
            let origin = Origin::path(one_line(path))
                .line(related.span.line as usize)
                .char_column(related.span.column as usize);
            group = group
                .element(Level::NOTE.message(&*related.message))
                .element(origin);
        }
    }
    group
}

fn context<'a>(excerpt: &Excerpt<'_>, range: TextRange) -> Annotation<'a> {
    AnnotationKind::Context.span(excerpt.span(range))
}

/// An excerpt of a source.
struct Excerpt<'a> {
    text: &'a str,
    /// The offset of its start.
    start: usize,
    /// The zero-based lines that it covers.
    lines: Range<u32>,
    /// Whether it starts or ends inside a line.
    cut: bool,
}

impl<'a> Excerpt<'a> {
    /// Returns the lines of a range, or of them only what fits in an excerpt.
    fn around(range: TextRange, source: &'a Source) -> Excerpt<'a> {
        let (first, last) = line_numbers(range, source);
        Excerpt::of_lines(first, last, source)
            .or_else(|| Excerpt::of_lines(first, first, source))
            .unwrap_or_else(|| Excerpt::inside_line(range, first, source))
    }

    /// Extends the excerpt to cover `range` too. Returns `None` if it would become too large.
    fn reach(&self, range: TextRange, source: &'a Source) -> Option<Excerpt<'a>> {
        if self.cut {
            return None;
        }
        let (first, last) = line_numbers(range, source);
        Excerpt::of_lines(
            first.min(self.lines.start),
            last.max(self.lines.end - 1),
            source,
        )
    }

    fn of_lines(first: u32, last: u32, source: &'a Source) -> Option<Excerpt<'a>> {
        let start = usize::from(source.line_range(first)?.start());
        let end = without_carriage_return(source, source.line_range(last)?.end().into());
        (end - start <= MAX_EXCERPT).then(|| Excerpt {
            text: &source.text()[start..end],
            start,
            lines: first..last + 1,
            cut: false,
        })
    }

    fn inside_line(range: TextRange, line: u32, source: &'a Source) -> Excerpt<'a> {
        let text = source.text();
        let bounds = source
            .line_range(line)
            .map_or(0..text.len(), |it| it.start().into()..it.end().into());
        let bounds = bounds.start..without_carriage_return(source, bounds.end);
        let place = usize::from(range.start());
        let mut start = place.saturating_sub(MAX_CONTEXT).max(bounds.start);
        let mut end = (place + MAX_CONTEXT).min(bounds.end);
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        Excerpt {
            text: &text[start..end],
            start,
            lines: line..line + 1,
            cut: true,
        }
    }

    /// Converts a range of the source to one of the excerpt, clamped to its bounds.
    fn span(&self, range: TextRange) -> Range<usize> {
        let inside = |offset: usize| offset.saturating_sub(self.start).min(self.text.len());
        inside(range.start().into())..inside(range.end().into())
    }

    /// Adds the excerpt with its annotations to a message.
    fn show(
        &self,
        group: Group<'a>,
        path: &'a str,
        span: Span,
        annotate: impl FnOnce(Snippet<'a, Annotation<'a>>) -> Snippet<'a, Annotation<'a>>,
    ) -> Group<'a> {
        let snippet = Snippet::source(self.text).line_start(self.lines.start as usize + 1);
        if self.cut {
            // The columns of the excerpt differ from those of the line.
            let origin = Origin::path(path)
                .line(span.line as usize)
                .char_column(span.column as usize);
            group.element(origin).element(annotate(snippet))
        } else {
            group.element(annotate(snippet.path(path)))
        }
    }
}

/// Returns the end of a line without the first half of a `\r\n`.
fn without_carriage_return(source: &Source, end: usize) -> usize {
    end - usize::from(source.text()[..end].ends_with('\r'))
}

/// Returns the first and last line of a range. A range that ends at the start of a line does not
/// include that line.
fn line_numbers(range: TextRange, source: &Source) -> (u32, u32) {
    use crate::source::PositionEncoding;
    let first = source
        .line_column(range.start(), PositionEncoding::Utf8)
        .line;
    let end = source.line_column(range.end(), PositionEncoding::Utf8);
    let before = end.column == 0 && end.line > first;
    (first, if before { end.line - 1 } else { end.line })
}
