//! Conversion of internal types to protocol types.

pub(super) mod completion;
pub(super) mod inlay_hint;
mod navigation;
mod rename;
pub(super) mod signature_help;

use analysis::FileId;
use analysis::base::Diagnostic;
use analysis::ide::{self};
use syntax::{Edit, Severity, TextRange, TextSize};
use tower_lsp::ls_types::{self, Position, Range, TextEdit, Uri};

use super::client_capabilities::ResolvedClientCapabilities;
use super::snapshot::{DocumentView, LocatedFiles, Snapshot};
use crate::issue_codes;
use crate::source::{PositionEncoding, Source};

pub(super) use navigation::{calls, hierarchy_item, highlight, link, locations, type_item};
pub(super) use rename::{creation, rename, workspace_edit};

pub(super) fn position(offset: TextSize, source: &Source, encoding: PositionEncoding) -> Position {
    let at = source.line_column(offset, encoding);
    Position::new(at.line, at.column)
}

pub(super) fn range(range: TextRange, source: &Source, encoding: PositionEncoding) -> Range {
    Range::new(
        position(range.start(), source, encoding),
        position(range.end(), source, encoding),
    )
}

pub(super) fn text_edit(edit: &Edit, source: &Source, encoding: PositionEncoding) -> TextEdit {
    TextEdit {
        range: range(edit.range, source, encoding),
        new_text: edit.text.clone(),
    }
}

pub(super) fn text_edits(
    edits: &[Edit],
    source: &Source,
    encoding: PositionEncoding,
) -> Vec<TextEdit> {
    let edits = edits.iter().map(|it| text_edit(it, source, encoding));
    edits.collect()
}

/// Converts a diagnostic. Related information is appended to the message if the client does not
/// support it.
pub(super) fn diagnostic(
    diagnostic: &Diagnostic,
    uri: &Uri,
    source: &Source,
    client: &ResolvedClientCapabilities,
    to_location: &dyn Fn(FileId, TextRange) -> Option<ls_types::Location>,
) -> ls_types::Diagnostic {
    let mut message = diagnostic.message.clone();
    let mut related_information = None;
    let related = diagnostic.related.iter();
    let related = related.filter_map(|it| Some((to_location(it.file, it.range)?, &it.message)));
    if client.related_information && !diagnostic.related.is_empty() {
        let related = related.map(
            |(location, message)| ls_types::DiagnosticRelatedInformation {
                location,
                message: message.clone(),
            },
        );
        related_information = Some(related.collect());
    } else {
        for (location, explanation) in related {
            let line = location.range.start.line + 1;
            let path = location.uri.path().as_str();
            let file = path.rsplit('/').next().filter(|_| location.uri != *uri);
            let file = file.map_or(String::new(), |it| format!("{it}, "));
            message.push_str(&format!("\n{file}line {line}: {explanation}"));
        }
    }
    ls_types::Diagnostic {
        range: range(diagnostic.range, source, client.position_encoding),
        severity: Some(match diagnostic.severity {
            Severity::Error => ls_types::DiagnosticSeverity::ERROR,
            Severity::Warning => ls_types::DiagnosticSeverity::WARNING,
            Severity::Info => ls_types::DiagnosticSeverity::INFORMATION,
            Severity::Hint => ls_types::DiagnosticSeverity::HINT,
        }),
        code: Some(ls_types::NumberOrString::String(diagnostic.code.to_owned())),
        code_description: issue_codes::address(diagnostic.code)
            .and_then(|it| it.parse().ok())
            .map(|href| ls_types::CodeDescription { href }),
        tags: tags(diagnostic.code),
        source: Some("pupil".to_owned()),
        message,
        related_information,
        ..ls_types::Diagnostic::default()
    }
}

#[expect(
    deprecated,
    reason = "the struct literal must set the deprecated field"
)]
pub(super) fn workspace_symbols(
    found: Vec<ide::WorkspaceSymbol>,
    snapshot: &Snapshot,
) -> ls_types::WorkspaceSymbolResponse {
    let mut files = LocatedFiles::new(snapshot);
    let symbols = found.into_iter().filter_map(|it| {
        let location = match &it.target {
            ide::SymbolTarget::Workspace(it) => files.location(it.file, it.name_range),
            ide::SymbolTarget::BuiltIn(it) => snapshot.stub_location(it, it.name_range),
        };
        Some(ls_types::SymbolInformation {
            location: location?,
            kind: symbol_kind(it.kind),
            name: it.name,
            tags: None,
            deprecated: None,
            container_name: it.container,
        })
    });
    ls_types::WorkspaceSymbolResponse::Flat(symbols.collect())
}

/// Converts the targets of a name, to `LocationLink`s if `links` is set.
pub(super) fn definition(
    found: &ide::NavigationTargets,
    snapshot: &Snapshot,
    document: &DocumentView,
    links: bool,
) -> ls_types::GotoDefinitionResponse {
    let origin = range(
        found.range,
        &document.source,
        snapshot.client.position_encoding,
    );
    // Pairs of the locations of the name and of the whole definition.
    let in_files = found.targets.iter().filter_map(|it| {
        let name = snapshot.location(it.file, it.name_range)?;
        Some((name, snapshot.location(it.file, it.range)?))
    });
    let in_stub = found.built_in.iter().filter_map(|it| {
        let name = snapshot.stub_location(it, it.name_range)?;
        Some((name, snapshot.stub_location(it, it.range)?))
    });
    let locations = in_files.chain(in_stub);
    if !links {
        let names = locations.map(|it| it.0);
        return ls_types::GotoDefinitionResponse::Array(names.collect());
    }
    let links = locations.map(|(name, whole)| ls_types::LocationLink {
        origin_selection_range: Some(origin),
        target_range: whole.range,
        target_selection_range: name.range,
        target_uri: name.uri,
    });
    ls_types::GotoDefinitionResponse::Link(links.collect())
}

/// Returns the tags of a diagnostic, which editors show as dimmed or struck through.
fn tags(code: &str) -> Option<Vec<ls_types::DiagnosticTag>> {
    match code {
        "unused-variable" | "unused-parameter" | "unreachable-code" => {
            Some(vec![ls_types::DiagnosticTag::UNNECESSARY])
        }
        "legacy-fact" => Some(vec![ls_types::DiagnosticTag::DEPRECATED]),
        _ => None,
    }
}

/// Converts document symbols, nested or flat depending on the client.
pub(super) fn document_symbols(
    symbols: Vec<ide::DocumentSymbol>,
    uri: &Uri,
    source: &Source,
    client: &ResolvedClientCapabilities,
) -> ls_types::DocumentSymbolResponse {
    if client.nested_symbols {
        let symbols = symbols.into_iter();
        let nested = symbols.map(|it| nested_symbol(it, source, client.position_encoding));
        ls_types::DocumentSymbolResponse::Nested(nested.collect())
    } else {
        let mut flat = Vec::new();
        for symbol in symbols {
            flatten(
                symbol,
                None,
                uri,
                source,
                client.position_encoding,
                &mut flat,
            );
        }
        ls_types::DocumentSymbolResponse::Flat(flat)
    }
}

#[expect(
    deprecated,
    reason = "the struct literal must set the deprecated field"
)]
fn nested_symbol(
    symbol: ide::DocumentSymbol,
    source: &Source,
    encoding: PositionEncoding,
) -> ls_types::DocumentSymbol {
    let children = symbol.children.into_iter();
    let children: Vec<_> = children
        .map(|it| nested_symbol(it, source, encoding))
        .collect();
    // Clients reject a selection range outside of the range of the symbol.
    let selection = symbol.selection_range.intersect(symbol.range);
    ls_types::DocumentSymbol {
        name: symbol_name(symbol.name),
        detail: symbol.detail,
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: range(symbol.range, source, encoding),
        selection_range: range(selection.unwrap_or(symbol.range), source, encoding),
        children: (!children.is_empty()).then_some(children),
    }
}

#[expect(
    deprecated,
    reason = "the struct literal must set the deprecated field"
)]
fn flatten(
    symbol: ide::DocumentSymbol,
    container: Option<&str>,
    uri: &Uri,
    source: &Source,
    encoding: PositionEncoding,
    into: &mut Vec<ls_types::SymbolInformation>,
) {
    let name = symbol_name(symbol.name);
    into.push(ls_types::SymbolInformation {
        name: name.clone(),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: ls_types::Location::new(uri.clone(), range(symbol.range, source, encoding)),
        container_name: container.map(str::to_owned),
    });
    for child in symbol.children {
        flatten(child, Some(&name), uri, source, encoding, into);
    }
}

/// Replaces an empty name, as in an incomplete definition, because clients reject it.
fn symbol_name(name: String) -> String {
    if name.trim().is_empty() {
        "(unnamed)".to_owned()
    } else {
        name
    }
}

pub(super) fn symbol_kind(kind: ide::SymbolKind) -> ls_types::SymbolKind {
    match kind {
        ide::SymbolKind::Class => ls_types::SymbolKind::CLASS,
        ide::SymbolKind::DefinedType => ls_types::SymbolKind::STRUCT,
        ide::SymbolKind::Function => ls_types::SymbolKind::FUNCTION,
        ide::SymbolKind::Plan => ls_types::SymbolKind::MODULE,
        ide::SymbolKind::Node => ls_types::SymbolKind::NAMESPACE,
        ide::SymbolKind::TypeAlias => ls_types::SymbolKind::INTERFACE,
        ide::SymbolKind::Parameter => ls_types::SymbolKind::PROPERTY,
        ide::SymbolKind::Variable => ls_types::SymbolKind::VARIABLE,
        ide::SymbolKind::Resource => ls_types::SymbolKind::OBJECT,
        ide::SymbolKind::Key => ls_types::SymbolKind::KEY,
    }
}

/// Converts a folding range. The line of a closing bracket remains visible if the client folds
/// whole lines.
pub(super) fn folding_range(
    folding: &ide::FoldingRange,
    source: &Source,
    client: &ResolvedClientCapabilities,
) -> Option<ls_types::FoldingRange> {
    let range = range(folding.range, source, client.position_encoding);
    let (kind, hidden_end) = match folding.kind {
        ide::FoldingKind::Comment => (ls_types::FoldingRangeKind::Comment, range.end.line),
        ide::FoldingKind::Imports => (ls_types::FoldingRangeKind::Imports, range.end.line),
        ide::FoldingKind::Region if client.folds_lines_only => (
            ls_types::FoldingRangeKind::Region,
            range.end.line.checked_sub(1)?,
        ),
        ide::FoldingKind::Region | ide::FoldingKind::Block => {
            (ls_types::FoldingRangeKind::Region, range.end.line)
        }
    };
    let characters = !client.folds_lines_only;
    (hidden_end > range.start.line).then(|| ls_types::FoldingRange {
        start_line: range.start.line,
        start_character: characters.then_some(range.start.character),
        end_line: hidden_end,
        end_character: characters.then_some(range.end.character),
        kind: Some(kind),
        collapsed_text: None,
    })
}

/// Converts nested ranges, narrowest first, to a chain. If there are none, returns an empty range
/// at `offset`.
pub(super) fn selection_range(
    ranges: &[TextRange],
    offset: TextSize,
    source: &Source,
    encoding: PositionEncoding,
) -> ls_types::SelectionRange {
    let mut widest_first = ranges.iter().rev();
    let at = |it: TextRange| range(it, source, encoding);
    let first = widest_first.next().copied();
    let mut chain = ls_types::SelectionRange {
        range: at(first.unwrap_or(TextRange::empty(offset))),
        parent: None,
    };
    for &narrower in widest_first {
        let parent = Some(Box::new(chain));
        chain = ls_types::SelectionRange {
            range: at(narrower),
            parent,
        };
    }
    chain
}

/// Converts a hover, to plain text if the client does not support Markdown.
pub(super) fn hover(hover: &ide::Hover, source: &Source, snapshot: &Snapshot) -> ls_types::Hover {
    let client = &snapshot.client;
    let address = |target: &ide::HoverTarget| match target {
        ide::HoverTarget::Url(address) => Some(address.clone()),
        ide::HoverTarget::Definition(it) => {
            let place = snapshot.location(it.file, it.name_range)?;
            let line = place.range.start.line + 1;
            Some(format!("{}#L{line}", place.uri.as_str()))
        }
    };
    // Plain text cannot have links.
    let markdown = hover.to_markdown(|it| address(it).filter(|_| client.markdown_hover));
    let contents = markup(&markdown, client);
    ls_types::Hover {
        contents: ls_types::HoverContents::Markup(contents),
        range: Some(range(hover.range, source, client.position_encoding)),
    }
}

/// Converts Markdown to plain text if the client does not support it in hovers.
fn markup(markdown: &str, client: &ResolvedClientCapabilities) -> ls_types::MarkupContent {
    if client.markdown_hover {
        return ls_types::MarkupContent {
            kind: ls_types::MarkupKind::Markdown,
            value: markdown.to_owned(),
        };
    }
    ls_types::MarkupContent {
        kind: ls_types::MarkupKind::PlainText,
        value: plain_text(markdown),
    }
}

/// Strips the Markdown syntax that our own texts use: fences and rules, and outside of fences
/// backticks and emphasis.
fn plain_text(markdown: &str) -> String {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            lines.push(line.to_owned());
        } else if line.trim() == "---" {
            lines.push(String::new());
        } else {
            lines.push(line.replace(['`', '*'], ""));
        }
    }
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::LineBreaks;

    #[test]
    fn plain_text_keeps_code() {
        let markdown = "```puppet\n$a * 2: `x`\n```\n\n---\nThe *type* `Integer`";
        assert_eq!(plain_text(markdown), "$a * 2: `x`\n\n\nThe type Integer");
    }

    #[test]
    fn selection_ranges_form_a_chain() {
        let source = Source::new("abcdef".into(), LineBreaks::Lsp);
        let ranges = [(2, 3), (1, 4), (0, 6)]
            .map(|(a, b): (u32, u32)| TextRange::new(TextSize::from(a), TextSize::from(b)));
        let narrowest =
            selection_range(&ranges, TextSize::from(2), &source, PositionEncoding::Utf16);
        let mut columns = Vec::new();
        let mut at = Some(&narrowest);
        while let Some(range) = at {
            columns.push((range.range.start.character, range.range.end.character));
            at = range.parent.as_deref();
        }
        assert_eq!(columns, [(2, 3), (1, 4), (0, 6)]);

        let nothing = selection_range(&[], TextSize::from(2), &source, PositionEncoding::Utf16);
        assert_eq!(
            nothing.range,
            Range::new(Position::new(0, 2), Position::new(0, 2))
        );
    }
}
