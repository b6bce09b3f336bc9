//! Conversion of completion items.

use analysis::ide::{self, CompletionKind, DocumentationKey, DocumentedKind};
use serde::{Deserialize, Serialize};
use syntax::{TextRange, TextSize};
use tower_lsp::ls_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionItemTag,
    CompletionList, CompletionResponse, CompletionTextEdit, Documentation, InsertReplaceEdit,
    InsertTextFormat, MarkupContent, MarkupKind, TextEdit, Uri,
};

use super::super::client_capabilities::ResolvedClientCapabilities;
use super::super::snapshot::{DocumentView, Snapshot};

/// The `data` of an item whose documentation is resolved lazily.
#[derive(Serialize, Deserialize, Debug)]
pub(in crate::lsp) struct CompletionData {
    /// The document for which the item was offered.
    pub(in crate::lsp) uri: Uri,
    kind: String,
    name: String,
}

impl CompletionData {
    /// Returns the documented subject, or `None` if its kind is unknown.
    pub(in crate::lsp) fn documentation_key(&self) -> Option<DocumentationKey> {
        Some(DocumentationKey {
            kind: DocumentedKind::from_name(&self.kind)?,
            name: self.name.clone(),
        })
    }
}

/// Converts completion items and keeps their order.
pub(in crate::lsp) fn completions(
    found: ide::Completions,
    snapshot: &Snapshot,
    document: &DocumentView,
    uri: &Uri,
) -> CompletionResponse {
    let items = found.items.into_iter().enumerate();
    let word_end = found.word_end;
    let items = items.map(|(index, it)| item(it, (index, word_end), snapshot, document, uri));
    CompletionResponse::List(CompletionList {
        is_incomplete: found.is_incomplete,
        items: items.collect(),
    })
}

fn item(
    item: ide::CompletionItem,
    (index, word_end): (usize, TextSize),
    snapshot: &Snapshot,
    document: &DocumentView,
    uri: &Uri,
) -> CompletionItem {
    let client = &snapshot.client;
    let snippet = item.snippet.filter(|_| client.completion_snippets);
    let format = snippet.as_ref().map(|_| InsertTextFormat::SNIPPET);
    let (new_text, range) = match snippet {
        Some(it) => (it, item.snippet_range),
        None => (item.insert, item.range),
    };
    let text_edit = text_edit(new_text.clone(), range, word_end, snapshot, document);
    let data = item.documentation_key.map(|it| CompletionData {
        uri: uri.clone(),
        kind: it.kind.name().to_owned(),
        name: it.name,
    });
    let (detail, label_details) = match client.label_details {
        true => (None, item.detail.map(description)),
        false => (item.detail, None),
    };
    let tags = item.deprecated && client.tags_completions;
    CompletionItem {
        kind: Some(kind(item.kind)),
        detail,
        label_details,
        tags: tags.then(|| vec![CompletionItemTag::DEPRECATED]),
        sort_text: Some(format!("{index:04}")),
        filter_text: (item.filter).or_else(|| (new_text != item.label).then(|| item.label.clone())),
        label: item.label,
        insert_text_format: format,
        text_edit: Some(text_edit),
        data: data.and_then(|it| serde_json::to_value(it).ok()),
        ..CompletionItem::default()
    }
}

/// Returns the edit of an item. A client may choose whether it replaces the word up to the cursor or the whole word.
fn text_edit(
    new_text: String,
    range: TextRange,
    word_end: TextSize,
    snapshot: &Snapshot,
    document: &DocumentView,
) -> CompletionTextEdit {
    let client = &snapshot.client;
    let range_of = |it| super::range(it, &document.source, client.position_encoding);
    let insert = range_of(range);
    if !client.inserts_or_replaces || word_end <= range.end() {
        let range = insert;
        return CompletionTextEdit::Edit(TextEdit { range, new_text });
    }
    CompletionTextEdit::InsertAndReplace(InsertReplaceEdit {
        new_text,
        insert,
        replace: range_of(TextRange::new(range.start(), word_end)),
    })
}

fn description(text: String) -> CompletionItemLabelDetails {
    CompletionItemLabelDetails {
        detail: None,
        description: Some(text),
    }
}

fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Variable | CompletionKind::Parameter => CompletionItemKind::VARIABLE,
        CompletionKind::Attribute => CompletionItemKind::PROPERTY,
        CompletionKind::Class => CompletionItemKind::CLASS,
        CompletionKind::ResourceType => CompletionItemKind::STRUCT,
        CompletionKind::Function => CompletionItemKind::FUNCTION,
        CompletionKind::DataType => CompletionItemKind::INTERFACE,
        CompletionKind::Key => CompletionItemKind::FIELD,
        CompletionKind::Value => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Title => CompletionItemKind::REFERENCE,
        CompletionKind::File => CompletionItemKind::FILE,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
    }
}

/// Converts documentation, marked as plain text if the client does not support Markdown.
pub(in crate::lsp) fn documentation(
    markdown: String,
    client: &ResolvedClientCapabilities,
) -> Documentation {
    Documentation::MarkupContent(MarkupContent {
        kind: match client.markdown_completion {
            true => MarkupKind::Markdown,
            false => MarkupKind::PlainText,
        },
        value: markdown,
    })
}
