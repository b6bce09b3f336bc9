//! Code lenses: counts of references and resources above definitions, and of levels above keys of data.
//!
//! Lenses are complete when they are sent: not every client resolves them before it runs their
//! commands.

use analysis::catalog::ResourceCount;
use analysis::ide::{self, LensSubject};
use syntax::TextRange;
use tower_lsp::ls_types::{CodeLens, Command, Range, Uri};

use super::client_capabilities::SHOW_REFERENCES;
use super::snapshot::{DocumentView, Snapshot};
use super::to_proto;

/// The lenses of a document.
#[derive(Debug, Default)]
pub(super) struct Lenses {
    pub(super) all: Vec<CodeLens>,
    /// Whether there are large classes, which have to be counted in the background.
    pub(super) has_large_classes: bool,
}

/// Returns the lenses of a document. Until the workspace is loaded there are none, because the
/// counts would be wrong; the client is asked to refresh them then, and when large classes are counted.
pub(super) fn lenses(snapshot: &Snapshot, document: &DocumentView, uri: &Uri) -> Lenses {
    if !snapshot.is_loaded {
        return Lenses::default();
    }
    let found = snapshot.analysis.code_lenses(document.file);
    let is_large = |it: &ide::CodeLens| matches!(it.subject, LensSubject::LargeClass(_));
    let has_large_classes = found.iter().any(is_large);
    let known = found.into_iter().filter_map(|mut it| {
        if let LensSubject::LargeClass(name) = &it.subject {
            let counts = snapshot.large_classes.request(document.file, name)?;
            it.subject = LensSubject::Resources(Some(counts).filter(|it| !it.is_empty())?);
        }
        Some(lens(&it, snapshot, document, uri))
    });
    Lenses {
        all: known.collect(),
        has_large_classes,
    }
}

fn lens(
    found: &ide::CodeLens,
    snapshot: &Snapshot,
    document: &DocumentView,
    uri: &Uri,
) -> CodeLens {
    let encoding = snapshot.client.position_encoding;
    let range = to_proto::range(found.range, &document.source, encoding);
    let title = match &found.subject {
        LensSubject::References => counted(found.references.len(), "reference"),
        LensSubject::Levels { levels, files } if levels == files => {
            format!("set in {}", counted(*levels, "Hiera level"))
        }
        LensSubject::Levels { levels, files } => {
            let levels = counted(*levels, "Hiera level");
            format!("set in {files} files of {levels}")
        }
        LensSubject::Resources(counts) => resources(counts),
        LensSubject::LargeClass(_) => String::new(),
    };
    // An empty command is shown as text.
    let mut command = Command::new(title, String::new(), None);
    if snapshot.client.shows_references && !found.references.is_empty() {
        let locations = to_proto::locations(&found.references, snapshot);
        let arguments = serde_json::json!([uri, range.start, locations]);
        command.command = SHOW_REFERENCES.to_owned();
        command.arguments = arguments.as_array().cloned();
    }
    CodeLens {
        range: from_indentation(range, found.range, document.source.text()),
        command: Some(command),
        data: None,
    }
}

/// Extends the range of a name to the first character of its line: Neovim shows the lens in the column of its start.
fn from_indentation(mut range: Range, name: TextRange, text: &str) -> Range {
    let before = &text[..usize::from(name.start())];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    range.start.character = u32::try_from(blanks).unwrap_or(range.start.character);
    range
}

/// Describes the resources of a class, by platform if they differ.
fn resources(counts: &[ResourceCount]) -> String {
    let number = |it: &ResourceCount| match it.is_complete {
        true => it.count.to_string(),
        false => format!("at least {}", it.count),
    };
    let noun = |it: &ResourceCount| {
        if it.count == 1 {
            "resource"
        } else {
            "resources"
        }
    };
    let Some((first, others)) = counts.split_first() else {
        return String::new();
    };
    let total = format!("{} {}", number(first), noun(first));
    if others.iter().all(|it| number(it) == number(first)) {
        return total;
    }
    let others = others
        .iter()
        .map(|it| format!(", {} on {}", number(it), it.platform));
    format!(
        "{total} on {}{}",
        first.platform,
        others.collect::<String>()
    )
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
